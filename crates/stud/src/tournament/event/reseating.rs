//! When tables are balanced during a level.

use crate::tournament::TableGame;

/// The rule by which the tables of a freeze-out are balanced during a level. `docs/tournaments.md` has it in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reseating {
    pub(super) seats: usize,
}

impl Reseating {
    /// Whether these tables have to be balanced before the next round is dealt: all of them have played the same round,
    /// and fewer tables hold everyone, or one has at least two players more than another.
    ///
    /// A table with one player left is smaller than all others by two, or the players fit at fewer tables; or tables
    /// have at most two players, and one has to wait.
    pub fn is_due<'a>(self, tables: impl IntoIterator<Item = &'a TableGame, IntoIter: Clone>) -> bool {
        let tables = tables.into_iter();
        let playing = tables.clone().filter(|table| !table.is_over());
        // A table that is over may have been so for long; if it has dealt last, the others have not played this round.
        let dealt_last = tables.clone().map(TableGame::next_round).max();
        if playing.clone().any(|table| Some(table.next_round()) != dealt_last) {
            return false;
        }
        let sizes = tables.map(|table| table.table().seated().len());
        let (count, players) = (sizes.clone().count(), sizes.clone().sum::<usize>());
        let (most, least) = (sizes.clone().max().unwrap_or(0), sizes.min().unwrap_or(0));
        players > 1 && (players.div_ceil(self.seats) < count || most >= least + 2)
    }
}
