//! The fouls of a recorded tournament, player by player and kind by kind.

use std::collections::BTreeMap;

use crate::shown::count;

use super::{DealtPlayer, PublicEvent, RoundSummary};

/// The fouls in the rounds that were counted.
#[derive(Clone, Debug, Default)]
pub(super) struct FoulSummary {
    rounds: u64,
    with_fouls: u64,
    /// By player and by the name of the foul: the player's name, how often, and the first and the last round.
    fouls: BTreeMap<(usize, &'static str), FoulRow>,
}

#[derive(Clone, Debug)]
struct FoulRow {
    name: String,
    count: u64,
    first: u64,
    last: u64,
}

/// The fouls of a round: who committed it, and its name.
pub(super) fn fouls_of(round: &RoundSummary) -> impl Iterator<Item = (&DealtPlayer, &'static str)> {
    round.noted_events().filter_map(|(event, note)| match event {
        PublicEvent::Foul { seat, .. } => Some((round.player_at(*seat)?, note?.name)),
        _ => None,
    })
}

impl FoulSummary {
    /// Counts a round, and the fouls in it of this player or of all.
    pub(super) fn add(&mut self, round: &RoundSummary, of: Option<usize>) {
        let before = self.count();
        for (player, foul) in fouls_of(round).filter(|(player, _)| of.is_none_or(|of| of == player.player)) {
            let (name, first) = (player.name.clone(), round.round);
            let row = FoulRow { name, count: 0, first, last: first };
            let row = self.fouls.entry((player.player, foul)).or_insert(row);
            (row.count, row.last) = (row.count + 1, round.round);
        }
        self.rounds += 1;
        self.with_fouls += u64::from(self.count() > before);
    }

    fn count(&self) -> u64 {
        self.fouls.values().map(|row| row.count).sum()
    }

    /// A line for each player and kind of foul, the most frequent first.
    pub(super) fn text(&self) -> String {
        let FoulSummary { rounds, with_fouls, .. } = self;
        let all = count(*rounds, "round");
        if self.count() == 0 {
            return format!("No fouls in {all}.\n");
        }
        let mut text = format!("{} in {with_fouls} of {all}:\n", count(self.count(), "foul"));
        let mut rows: Vec<_> = self.fouls.iter().map(|((_, foul), row)| (foul, row)).collect();
        rows.sort_by_key(|(_, row)| std::cmp::Reverse(row.count));
        let width = rows.iter().map(|(_, row)| row.name.chars().count()).max().unwrap_or(0);
        for (foul, FoulRow { name, count, first, last }) in rows {
            let when = match count {
                1 => format!("in round {first}"),
                _ => format!("in rounds {first} to {last}"),
            };
            text.push_str(&format!("{count:>5}  {name:<width$}  {foul}, {when}\n"));
        }
        text
    }
}
