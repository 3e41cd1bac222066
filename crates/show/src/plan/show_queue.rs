//! Rounds to be shown: received from the dealers and waiting, up to the end of the tournament.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::rounds::BoardRow;
use crate::state::{FinishedTournament, LevelView, TableRound};

/// The rounds of the same number at all tables that played it.
pub type RoundAtTables = Vec<Arc<TableRound>>;

/// Received and not shown yet.
pub enum Pending {
    /// A round, at all tables that played it.
    Rounds(RoundAtTables),
    /// A level that begins.
    Level(LevelView),
}

/// The result of a tournament.
#[derive(Debug)]
pub struct FinalResult {
    /// The final standings.
    pub rows: Vec<BoardRow>,
    /// How many rounds were played.
    pub rounds: u64,
    /// Whether the tournament was stopped before its end.
    pub stopped: bool,
}

/// The remaining show of a tournament, in order.
#[derive(Default)]
pub struct ShowQueue {
    pending: VecDeque<Pending>,
    /// Whether rounds may have been played since the last one that came.
    pub has_gap: bool,
    /// Whether the last round has come.
    pub is_decided: bool,
    /// The tournament of a series that was the last, once that round has come.
    pub finished: Option<Box<FinishedTournament>>,
    /// The last round, once it has been shown: it counts on the page when the winners have been announced.
    pub last_round: RoundAtTables,
    /// The result, once it has come.
    pub result: Option<FinalResult>,
    /// The seed, once it may be seen.
    pub seed: Option<String>,
}

impl ShowQueue {
    /// Takes the dealer's records: the rounds of the same number together, in their order.
    pub fn take(&mut self, mut rounds: Vec<TableRound>) {
        rounds.sort_by_key(|round| (round.round, round.table));
        let rounds: RoundAtTables = rounds.into_iter().map(Arc::new).collect();
        for same in rounds.chunk_by(|one, other| one.round == other.round) {
            self.pending.push_back(Pending::Rounds(same.to_vec()));
        }
    }

    /// Adds a round or a level at the end.
    pub fn push(&mut self, pending: Pending) {
        self.pending.push_back(pending);
    }

    /// The next item, once its successor is known: a round that ends all its tables may be the last one, and the last
    /// one is always shown.
    pub fn pop(&mut self) -> Option<Pending> {
        let ends_tables = |rounds: &RoundAtTables| rounds.iter().all(|round| round.after.done);
        let is_open = match self.pending.front()? {
            Pending::Rounds(rounds) => ends_tables(rounds) && self.pending.len() == 1 && !self.is_decided,
            Pending::Level(_) => false,
        };
        if is_open { None } else { self.pending.pop_front() }
    }

    /// The item taken from the queue is not shown yet.
    pub fn put_back(&mut self, pending: Pending) {
        self.pending.push_front(pending);
    }

    /// Nothing that waits is shown any more.
    pub fn clear(&mut self) {
        self.pending.clear();
    }

    /// Whether further items are known after the one just taken.
    pub fn is_followed(&self) -> bool {
        !self.pending.is_empty() || self.is_decided
    }

    /// Whether nothing waits, or only levels that begin without a scene: at several tables, in the same tournament.
    pub fn may_be_followed(&self) -> bool {
        let has_scene = |level: &LevelView| {
            level.finished.is_some() || level.hall.as_ref().is_none_or(|hall| hall.tables.len() < 2)
        };
        !self.is_decided
            && self.pending.iter().all(|next| matches!(next, Pending::Level(level) if !has_scene(level)))
    }

    /// Whether the round that has just been taken from the queue is the last of the tournament.
    pub fn is_last_round(&self) -> bool {
        self.is_decided && !self.pending.iter().any(|pending| matches!(pending, Pending::Rounds(_)))
    }
}
