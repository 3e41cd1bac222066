//! The table of a situation, and where the bot is to decide at it.

use crate::cards::Seed;
use crate::scenario::file::DealtCard;
use crate::stud::{Chips, Street};
use crate::table::TableSettings;

/// Where the bot is to decide.
#[derive(Clone, Copy, Debug)]
pub(super) struct Decision {
    pub(super) street: Street,
    /// The how many-th question of the street it is, from 1.
    pub(super) asked: usize,
}

/// Who sits there with what.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub(super) conduct: TableSettings,
    pub(super) seed: Seed,
    pub(super) seats: Vec<Sitting>,
    pub(super) cards: Vec<DealtCard>,
    /// The seat of the bot.
    pub(super) bot: usize,
    /// What it takes to call where the bot is to decide, in chips.
    pub(super) facing: Chips,
    /// What is different here, in words; empty for the situation as written.
    pub(super) title: String,
}

/// A seat.
#[derive(Clone, Debug)]
pub(super) struct Sitting {
    pub(super) stack: Chips,
    /// What it does when it is asked on each street; after that it calls.
    pub(super) moves: [Vec<Move>; 2],
}

/// What a player does who is not judged, whatever it takes to call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Move {
    /// Calls and adds so many chips, as far as its stack goes.
    Raise(Chips),
    Fold,
}
