//! A format: its rules, and the pairings of each level.

use std::fmt;

use crate::stud::{Chips, MAX_SEATS};
use crate::table::ExitReason;
use crate::tournament::progress::{EventProgress, PlayerState};
use crate::tournament::{EventPlan, Standings, TableGame};

use super::in_words;

/// The invariants of a format.
#[derive(Debug)]
pub struct FormatRules {
    /// The name of the format in flags and journals.
    pub name: &'static str,
    /// Default maximum of players at each table.
    pub usual_seats: usize,
    /// Whether tables are balanced and broken, so that it can be done during a level.
    pub balances: bool,
    /// Whether everyone begins each level with the starting stack, players who have lost their chips included.
    pub forgives: bool,
    /// How often each deck is played by so many players, where a level is one round at one table; `None` elsewhere.
    pub deck_plays: Option<fn(usize) -> u64>,
    /// Whether everyone sits at one table, in one level that lasts as long as the tournament.
    pub one_level: bool,
    /// Whether it comes to its end without a limit to the rounds.
    pub ends_by_itself: bool,
    /// How many levels a tournament of so many players has; `None` where that depends on how it is played.
    pub levels: fn(usize) -> Option<u64>,
    /// The event of that many players by its plan, in words for the room.
    pub(super) in_words: fn(&EventPlan, usize) -> String,
    pub(super) scheduler: fn() -> Box<dyn Scheduler>,
}

impl FormatRules {
    /// A format with nothing special about it.
    pub(super) const fn new(name: &'static str, scheduler: fn() -> Box<dyn Scheduler>) -> FormatRules {
        FormatRules {
            name,
            usual_seats: MAX_SEATS,
            balances: false,
            forgives: true,
            deck_plays: None,
            one_level: false,
            ends_by_itself: true,
            levels: |_| None,
            in_words: in_words::tables,
            scheduler,
        }
    }

    /// Whether everyone sits at one table.
    pub fn one_table(&self) -> bool {
        self.one_level || self.deck_plays.is_some()
    }

    /// Default rounds of a level: a number, or one round per level.
    pub fn usual_level_rounds(&self, otherwise: u64) -> Option<u64> {
        (!self.one_level).then_some(if self.deck_plays.is_some() { 1 } else { otherwise })
    }

    /// A scheduler before the first level of a tournament.
    pub(in crate::tournament) fn scheduler(&self) -> Box<dyn Scheduler> {
        (self.scheduler)()
    }
}

/// Decides the pairings and the scoring of one tournament of an event.
pub(in crate::tournament) trait Scheduler:
    fmt::Debug + Send + Sync + CloneScheduler
{
    /// The players at each table of the next level, in seat order; `None` if the tournament is over. A table
    /// without players keeps its number and is not played.
    fn next_level(&mut self, progress: &mut EventProgress) -> Option<Vec<Vec<usize>>>;

    /// The players at each table in the rest of the level, in seat order, where a plan wants its tables balanced during
    /// a level; `None` if the tournament is over.
    fn reseat(&mut self, progress: &mut EventProgress) -> Option<Vec<Vec<usize>>> {
        let _ = progress;
        None
    }

    /// Stores the seats after late entries.
    fn take_over(&mut self, seating: &[Vec<usize>]) {
        let _ = seating;
    }

    /// Stores the results of these tables in the finished level. `before` are the states at its beginning.
    fn level_over(&mut self, progress: &mut EventProgress, before: &[PlayerState], tables: &[TableGame]) {
        let _ = (progress, before, tables);
    }

    /// The places of these players in the tournament in play.
    fn standings(&self, players: &[PlayerState]) -> Standings {
        Standings::new(players.iter().map(PlayerState::chips_and_exit))
    }

    /// The message to a player who stays in until the end: its chips, its place among that many players, and the number
    /// of rounds.
    fn exit_reason_at_the_end(&self, chips: Chips, place: (usize, usize), rounds: u64) -> ExitReason {
        let _ = (chips, rounds);
        let (place, players) = place;
        ExitReason::EventOver { place, players }
    }
}

/// Clones a scheduler that is known by its trait only.
pub(in crate::tournament) trait CloneScheduler {
    fn clone_scheduler(&self) -> Box<dyn Scheduler>;
}

impl<S: Scheduler + Clone + 'static> CloneScheduler for S {
    fn clone_scheduler(&self) -> Box<dyn Scheduler> {
        Box::new(self.clone())
    }
}

impl Clone for Box<dyn Scheduler> {
    fn clone(&self) -> Box<dyn Scheduler> {
        (**self).clone_scheduler()
    }
}
