//! Messages to a player.

use crate::cards::Card;
use crate::stud::{Bounds, Chips, Round, Seat, Street};

/// The contents of a `bet1` or `bet2` command. The player sees nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Question<'a> {
    /// The street in play, which decides whether the command is `bet1` or `bet2`.
    pub street: Street,
    /// The player's legal bets and its stack.
    pub bounds: Bounds,
    /// The pot, in chips.
    pub pot: Chips,
    /// The player's hole card.
    pub hole: Card,
    /// The player's own up cards: one on the first street, two on the second.
    pub up: &'a [Card],
    /// Everyone's up cards as R13 lists them, [`Street::up_cards`] a player, the player's own among them.
    pub board: &'a [Card],
}

impl<'a> Question<'a> {
    /// The question to a player of this round when the board shows these cards.
    #[inline]
    pub fn of(round: &'a Round, seat: Seat, board: &'a [Card]) -> Question<'a> {
        let street = round.street();
        Question {
            street,
            bounds: round.bounds(seat),
            pot: round.pot(),
            hole: round.hole(seat),
            up: &round.up(seat)[..street.up_cards()],
            board,
        }
    }

    /// How many players the board shows, the asked one among them.
    pub fn players_shown(&self) -> usize {
        self.board.len() / self.street.up_cards()
    }

    /// The other players' up cards, a slice of one or two cards for each: the board without the player's own.
    pub fn others(&self) -> impl Iterator<Item = &[Card]> {
        self.board.chunks(self.street.up_cards()).filter(|cards| *cards != self.up)
    }
}

/// How a round ended, as its `status` tells (R14).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status {
    /// Whether this player took chips from the pot.
    pub won: bool,
    /// The winning hand, hole card first; `None` for each card that was never dealt.
    pub hand: [Option<Card>; 3],
}

/// A message to a player that wants no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notice {
    /// The round is over, and this is how it ended.
    Status(Status),
    /// The player is out of the game; [`super::Table::exit_reason`] says why.
    Done,
}
