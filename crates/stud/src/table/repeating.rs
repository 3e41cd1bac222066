//! Players who were thrown out of a round that is dealt again.

use std::collections::VecDeque;

use crate::stud::{Action, Bounds, Seat, SeatSet};

use super::{Foul, Reply};

/// A player ejected from a round that was dealt and not finished, because the host's machine failed. The player was
/// notified and stays out: when the round is dealt again it repeats its actions without being asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ejected {
    /// The seat of the player.
    pub seat: Seat,
    /// Its replies before its foul. Each is given again as long as it is legal.
    pub replies: VecDeque<Reply>,
    /// The foul, which ends its round with the recorded sentence, even if other bets are legal now.
    pub foul: Foul,
}

/// The players who were thrown out when the round in play was dealt before, and have not come to their fouls yet.
#[derive(Clone, Debug, Default)]
pub(super) struct Repeating {
    seats: SeatSet,
    /// The players, in seat order.
    players: Vec<Ejected>,
}

impl Repeating {
    /// These players, each at a seat of its own.
    pub(super) fn new(mut players: Vec<Ejected>) -> Repeating {
        players.sort_by_key(|player| player.seat);
        Repeating { seats: players.iter().map(|player| player.seat).collect(), players }
    }

    /// Whether the player at this seat is one of them.
    #[inline]
    pub(super) fn contains(&self, seat: Seat) -> bool {
        self.seats.contains(seat)
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.seats.is_empty()
    }

    /// The players that are left, in seat order. None of them is left after this.
    pub(super) fn take_all(&mut self) -> Vec<Ejected> {
        std::mem::take(self).players
    }

    /// The next action of the player at this seat, one of these players. After its foul it is removed from them.
    pub(super) fn next(&mut self, seat: Seat, bounds: &Bounds) -> Repeated {
        let at = self.players.iter().position(|player| player.seat == seat);
        let at = at.expect("the seats are those of the players");
        match self.players[at].replies.pop_front().map(|reply| reply.legalise(bounds)) {
            Some(Ok(action)) => Repeated::Action(action),
            Some(Err(_)) | None => {
                self.seats = self.seats.without(seat);
                Repeated::Foul(self.players.remove(at).foul)
            }
        }
    }
}

/// The next repeated action of an ejected player.
pub(super) enum Repeated {
    Action(Action),
    Foul(Foul),
}
