//! What the shark remembers: the round so far, and how often each of the others stayed in.

use crate::cards::Card;
use crate::stud::{Chips, Street};
use crate::table::Question;

use super::hand_worth::{Look, looks};
use super::knobs::Knobs;

/// What a shark remembers. It takes no room until it has been asked.
#[derive(Clone, Debug, Default)]
pub(in crate::strategies) struct SharkMemory(Option<Box<Remembered>>);

#[derive(Clone, Debug, Default)]
pub(super) struct Remembered {
    pub(super) round: Option<Round>,
    /// How the others play, in the order in which they sit behind the player.
    habits: Vec<Habit>,
    /// The last ante that was seen for certain.
    ante: Option<Chips>,
    /// Whether it has seen a round end: then the chips are carried from round to round, and have to last.
    pub(super) has_history: bool,
}

/// How often a player stayed in when that cost something.
#[derive(Clone, Copy, Debug, Default)]
struct Habit {
    asked: f64,
    stayed: f64,
}

/// A round, as the player saw it.
#[derive(Clone, Debug)]
pub(super) struct Round {
    pub(super) hole: Card,
    pub(super) board: Vec<Card>,
    pub(super) me: usize,
    /// Whether it has been followed from its first street, and two were dealt in.
    is_between_two: bool,
    /// What the hands of the first street looked like to their holders.
    pub(super) looks: Vec<Look>,
    pub(super) street: Street,
    /// What the player put in on the first street, the ante not counted.
    pub(super) paid_first: Chips,
    /// The player's stack when the street began.
    stack: Chips,
    /// The pot when the street began, as far as that is known.
    pub(super) pot: Chips,
    /// What the player did last on this street: the pot after it, and by how much it raised.
    pub(super) last: Option<(Chips, Chips)>,
    /// How many raises the player has met on this street.
    pub(super) raises: i32,
    /// What had been put in by a player who matched every bet of the street, at the last question.
    pub(super) level: Chips,
    /// Of those who sit behind the player, in their order, who stayed in on the first street, if that cost something and is known.
    stayed: Vec<bool>,
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
            remembered.count_stays();
            remembered.has_history = true;
        }
    }
}

impl Remembered {
    /// Takes in a question, and returns the round that it belongs to.
    pub(super) fn see(&mut self, question: &Question<'_>) -> &Round {
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
            // Who has bet before the player's turn, one is taken to have done.
            round.pot = question.pot.saturating_sub(bounds.to_call);
            if round.paid_first > 0 {
                round.stayed = round.who_stayed(question.board);
            }
        }
        let round = self.round.as_mut().expect("it has begun");
        round.raises += i32::from(bounds.to_call > 0);
        round.level = round.stack.saturating_sub(bounds.stack) + bounds.to_call;
        round
    }

    fn begin(&mut self, question: &Question<'_>) {
        self.count_stays();
        let players = question.players_shown();
        if self.habits.len() + 1 != players {
            self.habits = vec![Habit::default(); players - 1];
        }
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
        self.round = Some(Round {
            hole: question.hole,
            is_between_two: is_first && players == 2,
            me: ups.iter().position(|up| *up == question.up).unwrap_or(0),
            looks: looks(&shown),
            board: firsts,
            street: question.street,
            // Who comes in late cannot know what has been paid: all but the antes, in equal parts.
            paid_first: if is_first { 0 } else { (pot / players as Chips).saturating_sub(ante.min(2)) },
            stack: question.bounds.stack,
            pot,
            last: None,
            raises: 0,
            level: 0,
            stayed: Vec::new(),
        });
    }

    /// Ends the round, and counts who stayed in. Not before: what somebody pays in a round tells of its cards there.
    fn count_stays(&mut self) {
        let Some(round) = self.round.take() else { return };
        if self.habits.len() == round.stayed.len() {
            for (habit, stayed) in self.habits.iter_mut().zip(round.stayed) {
                habit.asked += 1.0;
                habit.stayed += f64::from(u8::from(stayed));
            }
        }
    }

    /// Remembers what the player answered, having been asked this.
    pub(super) fn answered(&mut self, question: &Question<'_>, chips: Chips) {
        if let Some(round) = &mut self.round {
            round.last = Some((question.pot + chips, chips.saturating_sub(question.bounds.to_call)));
        }
    }

    /// Whether the round is one between two, and it is not known that the other stays in with nearly everything.
    pub(super) fn is_with_a_stranger(&self, knobs: &Knobs) -> bool {
        self.round.as_ref().is_some_and(|round| round.is_between_two) && self.loose(1, knobs) < knobs.known
    }

    /// The probability that the player behind the asked one by so many seats of the first street's board (1 or more)
    /// stays in whatever it holds.
    pub(super) fn loose(&self, behind: usize, knobs: &Knobs) -> f64 {
        let habit = self.habits.get(behind - 1).copied().unwrap_or_default();
        let prior = knobs.loose * (1.0 - knobs.tight) + knobs.tight;
        let rate = (habit.stayed + knobs.shrink * prior) / (habit.asked + knobs.shrink);
        ((rate - knobs.tight) / (1.0 - knobs.tight)).clamp(0.02, 0.98)
    }
}

impl Round {
    /// What the player has put in besides the ante, having this stack left.
    pub(super) fn paid(&self, stack: Chips) -> Chips {
        let before = if self.street == Street::First { 0 } else { self.paid_first };
        before + self.stack.saturating_sub(stack)
    }

    /// Who of those behind the player is still in on the second street, of which this is the board.
    fn who_stayed(&self, board: &[Card]) -> Vec<bool> {
        let players = self.board.len();
        let firsts = (1..players).map(|behind| self.board[(self.me + behind) % players]);
        firsts.map(|first| board.chunks(2).any(|ups| ups[0] == first)).collect()
    }

    /// Whether a question can belong to this round.
    fn fits(&self, question: &Question<'_>) -> bool {
        match question.street {
            Street::First => self.street == Street::First && self.board == question.board,
            Street::Second => question.board.chunks(2).all(|up| self.board.contains(&up[0])),
        }
    }
}
