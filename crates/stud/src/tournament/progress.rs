//! The progress of an event: the state that the scheduler of its format reads and changes.

use crate::cards::{Seed, Stream};
use crate::stud::{Chips, Seat};
use crate::table::{ExitReason, Fault, Foul, FoulTally, TableSettings};

use super::{EventPlan, Exit, TableGame};

/// A part of an event: a level, or the play between two seatings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// The number of the level, from 1, counted through all tournaments of a series.
    pub number: u64,
    /// Which tournament of the series it belongs to, from 1.
    pub tournament: u32,
    /// The number of the seating in the level, from 1: more than one where tables are balanced during a level.
    pub seating: u32,
    /// The number of the first round of this seating, from 1.
    pub first_round: u64,
    /// The most rounds at each table from there on.
    pub rounds: u64,
    /// The ante in chips.
    pub ante: Chips,
}

impl Level {
    /// The number of the last round that can be played in it.
    pub fn last_round(&self) -> u64 {
        self.first_round - 1 + self.rounds
    }
}

/// How a player of an event is doing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct PlayerState {
    pub(super) chips: Chips,
    /// How the player left the tournament in play.
    pub(super) exit: Option<Box<Exit>>,
    /// Whether the player plays in no further tournament either, because it broke a rule.
    pub(super) gone: bool,
    /// The chips won or lost in the levels that are over, where each begins with the starting stack.
    pub(super) net: i64,
    /// The points for places at the tables of a Swiss event.
    pub(super) match_points: i64,
    /// The points from the tournaments of a series that are over.
    pub(super) points: i64,
    /// The fouls the player was forgiven in all tournaments.
    pub(super) fouls: FoulTally,
}

impl PlayerState {
    /// The tie-break of the player's place.
    pub(super) fn chips_and_exit(&self) -> (Chips, Option<Exit>) {
        (self.chips, self.exit.as_deref().cloned())
    }
}

/// How far an event has come.
#[derive(Clone, Debug)]
pub(super) struct EventProgress {
    pub(super) plan: EventPlan,
    pub(super) settings: TableSettings,
    pub(super) seed: Seed,
    /// The chips everyone begins a tournament with.
    pub(super) stack: Chips,
    pub(super) players: Vec<PlayerState>,
    /// The level in play, or the last one.
    pub(super) level: Option<Level>,
    /// How many levels of the tournament in play have begun.
    pub(super) levels: usize,
    /// How many decks a tournament has whose levels are one round.
    pub(super) decks: u64,
    /// Which tournament of the series is in play, from 1.
    pub(super) tournament: u32,
    /// Players eliminated by the format, not at their table, and not notified yet.
    pub(super) leaving: Vec<(usize, ExitReason)>,
    /// The chips that left play in the levels that are over.
    pub(super) forfeited: u64,
}

impl EventProgress {
    /// The deck of the next level, from 0, where a level is one round: all decks come before one comes again.
    pub(super) fn deck(&self) -> u64 {
        self.levels as u64 % self.decks
    }

    /// Whether the next level is the first of the tournament in play.
    pub(super) fn is_first_level(&self) -> bool {
        self.levels == 0
    }

    /// Whether a player has not left the tournament in play.
    pub(super) fn is_alive(&self, player: usize) -> bool {
        self.players[player].exit.is_none()
    }

    /// The players who have not left the tournament in play.
    pub(super) fn alive(&self) -> Vec<usize> {
        (0..self.players.len()).filter(|player| self.is_alive(*player)).collect()
    }

    pub(super) fn next_number(&self) -> u64 {
        self.level.map_or(1, |level| level.number + 1)
    }

    /// The number of the last round that can be played in the levels so far.
    pub(super) fn last_round(&self) -> u64 {
        self.level.map_or(0, |level| level.last_round())
    }

    /// The ante of the next level, in chips.
    pub(super) fn next_ante(&self) -> Chips {
        let antes = &self.plan.antes;
        antes.get(self.levels).or(antes.last()).copied().unwrap_or(self.settings.rules.ante)
    }

    /// The random numbers of the next level.
    pub(super) fn draw(&self) -> Stream {
        self.seed.stream(&format!("level {}", self.next_number()))
    }

    /// The random numbers of the next seating in the level in play.
    pub(super) fn draw_in_level(&self) -> Stream {
        let (number, seating) = self.level.map_or((1, 1), |level| (level.number, level.seating));
        self.seed.stream(&format!("level {number} seating {}", seating + 1))
    }

    /// These players in the order the seed draws for the next level: for the very first that is their own (R2).
    pub(super) fn in_drawn_order(&self, mut players: Vec<usize>) -> Vec<usize> {
        if self.next_number() > 1 {
            self.draw().shuffle(&mut players);
        }
        players
    }

    /// Whether players who have lost their chips play again in the next level.
    pub(super) fn forgives(&self) -> bool {
        self.plan.format.rules().forgives
    }

    /// Whether a player who leaves its table for this reason plays again in this event, and is not notified.
    pub(super) fn returns(&self, why: &ExitReason) -> bool {
        matches!(why, ExitReason::Busted { .. }) && (self.forgives() || self.tournament < self.plan.series)
    }

    fn eliminate(&mut self, player: usize, why: ExitReason) {
        let round = self.last_round();
        let state = &mut self.players[player];
        let after_round = matches!(why, ExitReason::Busted { .. });
        let exit = Exit { round, began_with: state.chips, why: why.clone(), after_round };
        state.exit = Some(Box::new(exit));
        state.chips = 0;
        if !self.returns(&why) {
            self.leaving.push((player, why));
        }
    }

    /// Sends a player out between two rounds, unless it has left before.
    pub(super) fn remove(&mut self, player: usize, reason: &str, round: u64) {
        let Some(state) = self.players.get_mut(player).filter(|state| state.exit.is_none()) else { return };
        let chips = std::mem::take(&mut state.chips);
        let fault = Fault::Removed { reason: reason.to_string() };
        let why = ExitReason::Foul(Foul::Fault { fault, allowed: None });
        state.gone = true;
        state.exit = Some(Box::new(Exit { round, began_with: chips, why: why.clone(), after_round: false }));
        self.forfeited += u64::from(chips);
        self.leaving.push((player, why));
    }

    /// The next level may cost more than a player has: the player busts then, like one who cannot pay the next ante
    /// (R5). False if no player could pay: then all stay in, and the tournament is over.
    pub(super) fn eliminate_insolvent_players(&mut self) -> bool {
        let ante = self.next_ante();
        let alive = self.alive();
        if alive.iter().all(|player| self.players[*player].chips < ante) {
            return false;
        }
        for player in alive {
            let chips = self.players[player].chips;
            if chips < ante {
                self.forfeited += u64::from(chips);
                self.eliminate(player, ExitReason::Busted { chips, ante });
            }
        }
        true
    }

    /// Adds the winnings and losses of all players at these tables. A player who had left before loses its stack in
    /// every level.
    pub(super) fn count_chips(&mut self, before: &[PlayerState], tables: &[TableGame]) {
        let stack = i64::from(self.stack);
        for table in tables {
            for (&player, &chips) in table.players().iter().zip(table.table().stacks()) {
                if let Some(state) = self.players.get_mut(player) {
                    state.net += i64::from(chips) - stack;
                }
            }
        }
        for (state, before) in self.players.iter_mut().zip(before) {
            if before.exit.is_some() {
                state.net -= stack;
            }
        }
    }

    /// The state of all players, including these tables of the level in play.
    pub(super) fn players_with(&self, tables: &[TableGame]) -> Vec<PlayerState> {
        let mut players = self.players.clone();
        for table in tables {
            for (seat, &player) in table.players().iter().enumerate() {
                let Some(state) = players.get_mut(player) else { continue };
                state.chips = table.table().stacks()[seat];
                state.fouls = state.fouls.and_later(table.table().forgiven(Seat::new(seat)));
                match table.exit_of(Seat::new(seat)) {
                    Some(Exit { why: ExitReason::Busted { .. }, .. }) if self.forgives() => {}
                    Some(exit) => {
                        state.gone = !matches!(exit.why, ExitReason::Busted { .. });
                        state.exit = Some(Box::new(exit));
                    }
                    None => {}
                }
            }
        }
        players
    }
}
