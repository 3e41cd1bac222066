//! The round so far, as one player saw it.

use crate::cards::Card;
use crate::stud::{Chips, Street};
use crate::table::Question;

use super::apparent_strength::{ApparentStrengths, apparent_strengths};

/// The memory of a player, empty until the first question of a round.
#[derive(Clone, Debug, Default)]
pub(in crate::strategies) struct RoundMemory(Option<Box<ObservedRound>>);

/// A round, as the player saw it.
#[derive(Clone, Debug)]
pub(super) struct ObservedRound {
    pub(super) hole: Card,
    pub(super) board: Vec<Card>,
    /// The values of the players' hands on the first street.
    pub(super) apparent_strengths: Vec<ApparentStrengths>,
    pub(super) street: Street,
    /// The chips the player put in on the first street, without the ante.
    pub(super) paid_first: Chips,
    /// The player's stack when the street began.
    stack: Chips,
    /// The pot when the street began, as far as that is known.
    pub(super) pot: Chips,
    /// The player's last action on this street: the pot after it and the size of the raise.
    pub(super) last: Option<(Chips, Chips)>,
    /// How many raises the player has met on this street.
    pub(super) raises: i32,
    /// The chips put in by a player who matched every bet of the street, at the last question.
    pub(super) level: Chips,
}

impl RoundMemory {
    /// Takes in a question, and returns the round that it belongs to.
    pub(super) fn see(&mut self, question: &Question<'_>) -> &mut ObservedRound {
        let bounds = question.bounds;
        let known = self.0.take().filter(|round| round.hole == question.hole && round.fits(question));
        let mut round = known.unwrap_or_else(|| Box::new(ObservedRound::new(question)));
        if round.street != question.street {
            round.paid_first = round.stack.saturating_sub(bounds.stack);
            round.street = question.street;
            (round.stack, round.last, round.raises) = (bounds.stack, None, 0);
            // A player who acts earlier is assumed to have bet.
            round.pot = question.pot.saturating_sub(bounds.to_call);
        }
        round.raises += i32::from(bounds.to_call > 0);
        round.level = round.stack.saturating_sub(bounds.stack) + bounds.to_call;
        self.0.insert(round)
    }
}

impl ObservedRound {
    fn new(question: &Question<'_>) -> ObservedRound {
        let players = question.players_shown();
        let even = question.pot.saturating_sub(question.bounds.to_call);
        let ante = (even / players as Chips).max(1);
        let is_first = question.street == Street::First;
        let ups: Vec<&[Card]> = question.board.chunks(question.street.up_cards()).collect();
        let firsts: Vec<Card> = ups.iter().map(|up| up[0]).collect();
        let shown: Vec<&[Card]> = firsts.chunks(1).collect();
        let pot = if is_first { ante * players as Chips } else { even };
        ObservedRound {
            hole: question.hole,
            apparent_strengths: apparent_strengths(&shown),
            board: firsts,
            street: question.street,
            // A late entrant does not know the payments: it assumes equal parts of everything but the antes.
            paid_first: if is_first { 0 } else { (pot / players as Chips).saturating_sub(ante.min(2)) },
            stack: question.bounds.stack,
            pot,
            last: None,
            raises: 0,
            level: 0,
        }
    }

    /// Stores the player's answer to this question.
    pub(super) fn answered(&mut self, question: &Question<'_>, chips: Chips) {
        self.last = Some((question.pot + chips, chips.saturating_sub(question.bounds.to_call)));
    }

    /// Whether a question can belong to this round.
    fn fits(&self, question: &Question<'_>) -> bool {
        match question.street {
            Street::First => self.street == Street::First && self.board == question.board,
            Street::Second => question.board.chunks(2).all(|up| self.board.contains(&up[0])),
        }
    }
}
