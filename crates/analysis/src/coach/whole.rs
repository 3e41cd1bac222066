//! Analysing many rounds, several at once.

use std::convert::Infallible;
use std::num::NonZero;
use std::ops::{ControlFlow, Range};

use casino_stud::parallel::in_order;

use super::{AnalysedDecision, Analysis, Coach, NotedRound};

impl Coach {
    /// Analyses these rounds on that many threads. If there are more than `most`, an evenly spread selection of `most`
    /// is analysed, to bound the time of a tournament's report. Calls `progress` with the numbers of finished and of
    /// all rounds. The number of threads does not affect the result.
    ///
    /// # Panics
    /// If a round contains a player without a name, or `most` is 0.
    pub fn analyse_all(
        &self,
        rounds: &[NotedRound],
        most: usize,
        threads: NonZero<usize>,
        mut progress: impl FnMut(u64, u64),
    ) -> Analysis {
        let spread: Vec<NotedRound>;
        let rounds = if rounds.len() > most {
            spread = (0..most).map(|at| rounds[at * rounds.len() / most].clone()).collect();
            &spread
        } else {
            rounds
        };
        let work = |_: &mut (), piece: Range<u64>| -> Result<Vec<AnalysedDecision>, Infallible> {
            let rounds = &rounds[piece.start as usize..piece.end as usize];
            Ok(rounds.iter().flat_map(|round| self.analyse(round)).collect())
        };
        let all = rounds.len() as u64;
        let mut decisions = Vec::new();
        let take = |piece: Range<u64>, found: Vec<AnalysedDecision>| {
            decisions.extend(found);
            progress(piece.end, all);
            ControlFlow::Continue(())
        };
        let Ok(()) = in_order(&mut vec![(); threads.get()], 0..all, 1, work, take);
        Analysis::new(&self.names, rounds, decisions)
    }
}
