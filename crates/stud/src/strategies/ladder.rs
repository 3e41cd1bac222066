//! The ladder of the house: its bots in the order of their measured strength.
//!
//! `make ladder` writes the figures to `ladder_figures.rs`: `crates/stud/benches/ladder.rs` plays the fields. `docs/bots.md` shows them.

use std::fmt;

use super::ladder_figures::FIGURES;
use super::{HOUSE, HouseBot};

/// The numbers of seats at a table for which the house is measured.
pub const LADDER_SEATS: [usize; 3] = [2, 6, 17];

/// A house bot on the ladder.
#[derive(Clone, Copy, Debug)]
pub struct LadderRow {
    /// The house bot that stands here.
    pub bot: &'static HouseBot,
    /// Winnings in each field, in the order of [`LADDER_SEATS`].
    pub figures: [LadderFigure; 3],
}

/// A bot's winnings per round in one field, with equal deals and stacks of 500.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LadderFigure {
    /// The chips it wins.
    pub chips: f64,
    /// The ends of the 95 % interval; `None` where too few deals decided to give one.
    pub interval: Option<(f64, f64)>,
}

impl LadderRow {
    /// The bot's winnings at tables of this size, one of [`LADDER_SEATS`].
    pub fn at(&self, seats: usize) -> Option<LadderFigure> {
        LADDER_SEATS.iter().position(|known| *known == seats).map(|place| self.figures[place])
    }
}

/// The chips and their interval, as docs/bots.md shows them.
impl fmt::Display for LadderFigure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.interval {
            Some((low, high)) => write!(f, "{:+.2} ({low:+.2} to {high:+.2})", self.chips),
            None => write!(f, "{:+.2} (–)", self.chips),
        }
    }
}

/// The house bots by winnings at tables of this size, weakest first. Sizes without figures use those of six seats.
pub fn ladder(seats: usize) -> Vec<LadderRow> {
    let place = LADDER_SEATS.iter().position(|known| *known == seats).unwrap_or(1);
    let mut rungs: Vec<LadderRow> = HOUSE
        .iter()
        .filter_map(|bot| {
            let (_, figures) = FIGURES.iter().find(|(name, _)| *name == bot.name)?;
            Some(LadderRow { bot, figures: *figures })
        })
        .collect();
    rungs.sort_by(|one, other| one.figures[place].chips.total_cmp(&other.figures[place].chips));
    rungs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_house_bot_stands_once_on_each_ladder_and_in_order() {
        assert_eq!(FIGURES.len(), HOUSE.len());
        for (place, seats) in LADDER_SEATS.into_iter().enumerate() {
            let rungs = ladder(seats);
            assert_eq!(rungs.len(), HOUSE.len());
            assert!(
                rungs.windows(2).all(|pair| pair[0].figures[place].chips <= pair[1].figures[place].chips)
            );
            for rung in &rungs {
                assert_eq!(rung.at(seats), Some(rung.figures[place]));
                if let LadderFigure { chips, interval: Some((low, high)) } = rung.figures[place] {
                    assert!(low <= chips && chips <= high, "{} at {seats}", rung.bot.name);
                }
            }
        }
        assert_eq!(ladder(6)[0].at(5), None);
    }

    /// A bot that always folds loses its ante, except in rounds where the opponent folds first.
    #[test]
    fn the_folder_loses_its_ante() {
        for rung in ladder(6).into_iter().filter(|rung| rung.bot.name == "folder") {
            assert!(rung.figures.iter().all(|figure| (-1.0..-0.9).contains(&figure.chips)), "{rung:?}");
        }
    }
}
