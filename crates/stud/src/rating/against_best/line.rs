//! A round between two in the middle of its betting, as everybody sees it.

use crate::cards::{Card, Deck};
use crate::stud::{Action, Chips, MAX_SEATS, Round, Rules, Seat, SeatSet, Street, Turn};
use crate::table::Question;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    Ask(Seat),
    SecondStreet,
    /// Both are still in and show their cards.
    Shown,
    Folded(Seat),
}

/// A round between two by the rules of the table, which can be continued in several ways and with other cards.
#[derive(Clone, Debug)]
pub(super) struct Line {
    round: Round,
    stack: Chips,
    acts: Vec<(Seat, Action)>,
    /// The up cards of both in seat order, as many as are open.
    board: [Card; 4],
}

pub(super) const SEATS: [Seat; 2] = [Seat::new(0), Seat::new(1)];

pub(super) fn other(seat: Seat) -> Seat {
    SEATS[1 - seat.index()]
}

impl Line {
    /// A round that begins with this deck and equal stacks.
    pub(super) fn new(rules: Rules, stack: Chips, deck: &Deck) -> Line {
        let mut stacks = [0; MAX_SEATS];
        stacks[..SEATS.len()].fill(stack);
        let mut round = Round::new(rules, stacks);
        round.deal(SeatSet::first_seats(SEATS.len()), deck);
        let mut line = Line { round, stack, acts: Vec::new(), board: [Card::ALL[0]; 4] };
        line.open(Street::First);
        line
    }

    /// The same betting with another deck, whose up cards are the same as far as they have been open when it was done.
    pub(super) fn with_deck(&self, deck: &Deck) -> Line {
        let mut line = Line::new(self.round.rules(), self.stack, deck);
        for (seat, action) in &self.acts {
            if line.next() == Next::SecondStreet {
                line.open_second();
            }
            line.act(*seat, *action);
        }
        if self.round.street() == Street::Second && line.next() == Next::SecondStreet {
            line.open_second();
        }
        line
    }

    fn open(&mut self, street: Street) {
        self.round.open(street, self.round.opener_of(street));
        let cards = street.up_cards();
        for seat in SEATS {
            let at = seat.index() * cards;
            self.board[at..at + cards].copy_from_slice(&self.round.up(seat)[..cards]);
        }
        self.settle();
    }

    pub(super) fn open_second(&mut self) {
        self.open(Street::Second);
    }

    /// Does what needs no reply: who has no chips is not asked (R8).
    fn settle(&mut self) {
        loop {
            match self.round.turn() {
                Turn::Pass(seat) => self.round.pass(seat),
                Turn::ForcedFold(seat) => self.round.fold(seat),
                _ => return,
            }
        }
    }

    pub(super) fn next(&self) -> Next {
        match (self.round.turn(), self.round.live().first()) {
            (Turn::Ask(seat) | Turn::Pass(seat) | Turn::ForcedFold(seat), _) => Next::Ask(seat),
            (Turn::Uncontested, Some(winner)) => Next::Folded(other(winner)),
            _ if self.round.street() == Street::First => Next::SecondStreet,
            _ => Next::Shown,
        }
    }

    /// Applies the action of the player whose turn it is.
    pub(super) fn act(&mut self, seat: Seat, action: Action) {
        self.round.act(seat, action);
        self.acts.push((seat, action));
        self.settle();
    }

    pub(super) fn after(&self, seat: Seat, action: Action) -> Line {
        let mut line = self.clone();
        line.act(seat, action);
        line
    }

    /// What a player with this hole card is asked.
    pub(super) fn question(&self, seat: Seat, hole: Card) -> Question<'_> {
        let street = self.round.street();
        let cards = street.up_cards();
        Question {
            street,
            bounds: self.round.bounds(seat),
            pot: self.round.pot(),
            hole,
            up: &self.round.up(seat)[..cards],
            board: &self.board[..SEATS.len() * cards],
        }
    }

    pub(super) fn round(&self) -> &Round {
        &self.round
    }

    /// The chips that a player has put in, the ante among them.
    pub(super) fn paid(&self, seat: Seat) -> Chips {
        self.stack - self.round.stacks()[seat.index()]
    }

    /// The chips that a player has won when the round is over, by the rules (R9 to R11).
    pub(super) fn won(&self, seat: Seat) -> i64 {
        i64::from(self.round.showdown().won(seat)) - i64::from(self.paid(seat))
    }
}
