//! How many players an event still has, and how long it can last.

use crate::stud::Seat;
use crate::table::ExitReason;
use crate::tournament::{Exit, TableGame};

use super::Event;

impl Event {
    /// The last round that all tables have played of those that go on; 0 before the first.
    pub fn rounds_complete(&self) -> u64 {
        self.next_round() - 1
    }

    /// How many players have not left the tournament in play.
    pub fn players_left(&self) -> usize {
        let in_at_the_start = self.progress.players.iter().filter(|player| player.exit.is_none()).count();
        let has_left = |table: &TableGame, seat: usize| match table.exit_of(Seat::new(seat)) {
            Some(Exit { why: ExitReason::Busted { .. }, .. }) => !self.progress.forgives(),
            exit => exit.is_some(),
        };
        let of_table = |table: &TableGame| {
            let players = table.players().iter().enumerate();
            let known =
                players.filter(|(_, player)| **player < self.players() && self.progress.is_alive(**player));
            known.filter(|(seat, _)| has_left(table, *seat)).count()
        };
        in_at_the_start - self.open_tables().iter().map(of_table).sum::<usize>()
    }

    /// The most rounds that can still be played in all tournaments of the event; `None` if only the chips decide when
    /// it ends. It may end sooner, for instance with the last player.
    pub fn max_rounds_left(&self) -> Option<u64> {
        if self.is_over {
            return Some(0);
        }
        let limit = self.round_limit?;
        let played = match self.due() {
            Some(due) => self.tables[due].next_round() - 1,
            None if self.level_continues() => self.rounds_played(),
            None => self.progress.last_round(),
        };
        let tournaments = u64::from(self.progress.plan.series - self.progress.tournament);
        Some((self.rounds_before + limit).saturating_sub(played) + tournaments * limit)
    }

    /// The most rounds of the tournament in play that are left when the level in play begins; `None` if there is no
    /// limit.
    pub fn rounds_left(&self) -> Option<u64> {
        let limit = self.round_limit?;
        let first = self.level().map_or(self.rounds_before + 1, |level| level.first_round);
        Some(limit.saturating_sub(first.saturating_sub(self.rounds_before + 1)))
    }

    /// How many levels of the tournament in play have begun.
    pub fn levels_begun(&self) -> usize {
        self.progress.levels
    }
}
