//! The ranked players.

use serde::{Serialize, Serializer};

/// The ranked players: all but house bots that fill up a field, and those too if they are to count. In a field of house
/// bots alone all are ranked, and none is marked as a house bot.
///
/// It is written as the numbers of the house bots that are marked, from 1.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Placing {
    /// Which players are house bots, in the order of the event.
    house: Vec<bool>,
    has_others: bool,
    house_counts: bool,
}

impl Placing {
    /// The places of these players, with a flag for house bots in the order of the event; `house_counts` ranks house
    /// bots among the others.
    pub fn new(house: impl IntoIterator<Item = bool>, house_counts: bool) -> Placing {
        let house: Vec<bool> = house.into_iter().collect();
        Placing { has_others: house.contains(&false), house, house_counts }
    }

    /// Whether a player, from 0, is a house bot among others, which is to be marked.
    pub fn is_house(&self, player: usize) -> bool {
        self.has_others && self.house.get(player) == Some(&true)
    }

    /// Whether a player, from 0, has a place, and with it a part in prizes.
    pub fn has_place(&self, player: usize) -> bool {
        self.house_counts || !self.is_house(player)
    }

    /// A program comes in late, with this number from 0.
    pub fn enter(&mut self, player: usize) {
        self.house.resize(player, false);
        self.house.push(false);
        self.has_others = true;
    }

    /// How many of so many players have places.
    pub fn placed(&self, players: usize) -> usize {
        (0..players).filter(|player| self.has_place(*player)).count()
    }

    /// The name of a player, from 0, as a list of places has it: a house bot among others is marked.
    pub fn marked(&self, player: usize, name: &str) -> String {
        if self.is_house(player) { format!("{name} (house)") } else { name.to_string() }
    }

    /// The numbers of the house bots that are to be marked, from 1.
    pub fn house_bots(&self) -> impl Iterator<Item = usize> {
        (1..=self.house.len()).filter(|number| self.is_house(number - 1))
    }
}

impl Serialize for Placing {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.house_bots())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn house_bots_among_players_are_ranked_only_on_request() {
        let says = |house: &[bool], counts: bool| {
            let placing = Placing::new(house.iter().copied(), counts);
            let placed: Vec<bool> = (0..house.len()).map(|player| placing.has_place(player)).collect();
            (placed, serde_json::to_string(&placing).unwrap(), placing.house_bots().next().is_none())
        };
        assert_eq!(says(&[true, false, true], false), (vec![false, true, false], "[1,3]".to_string(), false));
        assert_eq!(says(&[true, false, true], true), (vec![true; 3], "[1,3]".to_string(), false));
        assert_eq!(says(&[true, true], false), (vec![true; 2], "[]".to_string(), true));
        assert_eq!(says(&[false, false], false), (vec![true; 2], "[]".to_string(), true));
        assert_eq!(Placing::new([true, false, true], false).placed(3), 1);
        assert!(Placing::default().has_place(7), "nobody is known to be a house bot");
    }
}
