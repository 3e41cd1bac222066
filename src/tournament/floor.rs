//! What is played: at one table or at many.

use crate::cards::Seed;
use crate::stud::Seat;
use crate::table::{ExitReason, TableSettings};

use super::{Decks, Event, Standings, TableGame};

/// What is played: at one table or at many.
#[derive(Clone, Debug)]
pub enum Floor {
    /// A tournament at one table.
    One(Box<TableGame>),
    /// An event.
    Many {
        /// The event.
        event: Box<Event>,
        /// The table that was played last.
        at: usize,
        /// A table where nothing is played, to be shown while there is no other.
        idle: Box<TableGame>,
    },
}

impl Floor {
    /// An event before its first level.
    pub fn many(event: Event) -> Floor {
        let conduct = TableSettings::default();
        let idle = TableGame::with_decks(conduct, Decks::shuffled(&Seed::chosen(""), 1), &[], 0);
        Floor::Many { event: Box::new(event), at: 0, idle: Box::new(idle) }
    }

    /// What is played at the table that was played last.
    pub fn game(&self) -> &TableGame {
        match self {
            Floor::One(game) => game,
            Floor::Many { event, at, idle } => event.tables().get(*at).unwrap_or(idle),
        }
    }

    /// The same, for whoever plays it.
    pub fn game_mut(&mut self) -> &mut TableGame {
        match self {
            Floor::One(game) => game,
            Floor::Many { event, at, idle } => event.tables_mut().get_mut(*at).unwrap_or(idle),
        }
    }

    /// The event, if it is one.
    pub fn event(&self) -> Option<&Event> {
        match self {
            Floor::One(_) => None,
            Floor::Many { event, .. } => Some(event),
        }
    }

    /// The index of the table that was played last.
    pub fn at(&self) -> usize {
        match self {
            Floor::One(_) => 0,
            Floor::Many { at, .. } => *at,
        }
    }

    /// The number of the round that is dealt next.
    pub fn next_round(&self) -> u64 {
        match self {
            Floor::One(game) => game.next_round(),
            Floor::Many { event, .. } => event.next_round(),
        }
    }

    /// The last round that was dealt at any table; 0 before the first.
    pub fn rounds_played(&self) -> u64 {
        match self {
            Floor::One(game) => game.table().round_number(),
            Floor::Many { event, .. } => event.rounds_played(),
        }
    }

    /// Whether all has been played.
    pub fn is_over(&self) -> bool {
        match self {
            Floor::One(game) => game.is_over(),
            Floor::Many { event, .. } => event.due().is_none() && !event.clone().next_level(),
        }
    }

    /// Who stands where.
    pub fn standings(&self) -> Standings {
        match self {
            Floor::One(game) => game.standings(),
            Floor::Many { event, .. } => event.standings(),
        }
    }

    /// The last words to those who are in until the end, from 0 in the order of the header.
    pub fn exit_reasons(&self) -> Vec<(usize, ExitReason)> {
        match self {
            Floor::One(game) => game
                .exit_reasons()
                .into_iter()
                .map(|(seat, exit_reason)| (seat.index(), exit_reason))
                .collect(),
            Floor::Many { event, .. } => event.exit_reasons(),
        }
    }

    /// Who is to play on, from 0 in the order of the header.
    pub fn playing_on(&self) -> Vec<usize> {
        match self {
            Floor::One(game) => game.playing_on().into_iter().map(Seat::index).collect(),
            Floor::Many { event, .. } => event.playing_on(),
        }
    }

    /// Chips that left play.
    pub fn forfeited(&self) -> u64 {
        match self {
            Floor::One(game) => game.table().forfeited().into(),
            Floor::Many { event, .. } => event.forfeited(),
        }
    }
}
