//! The shark's memory: the round so far, the ante, and whether a round has ended before.

use crate::cards::Card;
use crate::stud::{Chips, Street};
use crate::table::Question;

use super::apparent_strength::{ApparentStrengths, apparent_strengths};

/// The memory of a shark, empty until the first question.
#[derive(Clone, Debug, Default)]
pub(in crate::strategies) struct SharkMemory(Option<Box<Remembered>>);

#[derive(Clone, Debug, Default)]
pub(super) struct Remembered {
    pub(super) round: Option<ObservedRound>,
    /// The last ante that was seen for certain.
    ante: Option<Chips>,
    /// Whether it has seen a round end: then the chips are carried from round to round, and have to last.
    pub(super) has_history: bool,
}

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

impl SharkMemory {
    pub(super) fn remembered(&mut self) -> &mut Remembered {
        self.0.get_or_insert_default()
    }

    #[inline]
    pub(in crate::strategies) fn forget(&mut self) {
        self.0 = None;
    }

    #[inline]
    pub(in crate::strategies) fn end_round(&mut self) {
        if let Some(remembered) = &mut self.0 {
            (remembered.round, remembered.has_history) = (None, true);
        }
    }
}

impl Remembered {
    /// Takes in a question, and returns the round that it belongs to.
    pub(super) fn see(&mut self, question: &Question<'_>) -> &ObservedRound {
        let bounds = question.bounds;
        let is_new = match &self.round {
            None => true,
            Some(round) => round.hole != question.hole || !round.fits(question),
        };
        if is_new {
            self.begin(question);
        } else if let Some(round) = &mut self.round
            && round.street != question.street
        {
            round.paid_first = round.stack.saturating_sub(bounds.stack);
            round.street = question.street;
            (round.stack, round.last, round.raises) = (bounds.stack, None, 0);
            // A player who acts earlier is assumed to have bet.
            round.pot = question.pot.saturating_sub(bounds.to_call);
        }
        let round = self.round.as_mut().expect("it has begun");
        round.raises += i32::from(bounds.to_call > 0);
        round.level = round.stack.saturating_sub(bounds.stack) + bounds.to_call;
        round
    }

    fn begin(&mut self, question: &Question<'_>) {
        let players = question.players_shown();
        let most = (question.pot.saturating_sub(question.bounds.to_call) / players as Chips).max(1);
        let ante =
            if question.bounds.to_call == 0 { most } else { self.ante.map_or(most, |ante| ante.min(most)) };
        let is_first = question.street == Street::First;
        if is_first && question.bounds.to_call == 0 {
            self.ante = Some(ante);
        }
        let ups: Vec<&[Card]> = question.board.chunks(question.street.up_cards()).collect();
        let firsts: Vec<Card> = ups.iter().map(|up| up[0]).collect();
        let shown: Vec<&[Card]> = firsts.chunks(1).collect();
        let pot = if is_first {
            ante * players as Chips
        } else {
            question.pot.saturating_sub(question.bounds.to_call)
        };
        self.round = Some(ObservedRound {
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
        });
    }

    /// Stores the player's answer to this question.
    pub(super) fn answered(&mut self, question: &Question<'_>, chips: Chips) {
        if let Some(round) = &mut self.round {
            round.last = Some((question.pot + chips, chips.saturating_sub(question.bounds.to_call)));
        }
    }
}

impl ObservedRound {
    /// The chips the player has put in besides the ante, given its stack.
    pub(super) fn paid(&self, stack: Chips) -> Chips {
        let before = if self.street == Street::First { 0 } else { self.paid_first };
        before + self.stack.saturating_sub(stack)
    }

    /// Whether a question can belong to this round.
    fn fits(&self, question: &Question<'_>) -> bool {
        match question.street {
            Street::First => self.street == Street::First && self.board == question.board,
            Street::Second => question.board.chunks(2).all(|up| self.board.contains(&up[0])),
        }
    }
}
