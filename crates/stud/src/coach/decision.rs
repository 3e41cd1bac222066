//! What is said of a decision.

use serde::Serialize;

use crate::cards::notation::pretty;
use crate::cards::{Card, Suit};
use crate::stud::Chips;
use crate::table::Reply;

use super::{Proof, ProofKind};

/// A decision of a round, and what the coach thinks of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AnalysedDecision {
    /// The number of the table, from 1.
    pub table: u32,
    /// The number of the round, from 1.
    pub round: u64,
    /// Which of the bets and folds of the round it is, from 0, counting those of players who were asked.
    pub turn: usize,
    /// The player of the event, from 0.
    #[serde(skip)]
    pub player: usize,
    /// The name everyone sees.
    pub name: String,
    /// 1 or 2.
    pub street: u8,
    /// The question that the player was asked, as on the wire.
    pub question: String,
    /// The player's own cards that it knew, hole card first.
    pub cards: Vec<Card>,
    /// How many others were in.
    pub others: usize,
    /// The pot before the reply, in chips.
    pub pot: Chips,
    /// What it took to call, in chips.
    pub to_call: Chips,
    /// The player's stack before the reply, in chips.
    pub stack: Chips,
    /// What the player replied.
    #[serde(serialize_with = "super::in_words")]
    pub reply: Reply,
    /// The best of the replies that were thought about; the given one if none is known to be better.
    #[serde(serialize_with = "super::in_words")]
    pub best: Reply,
    /// What the reply cost: how many chips the best one would have earned more on average, as far as rollouts can tell. It
    /// is an estimate without bias and may be negative. That of a proven mistake is never below what is proved.
    pub cost: f64,
    /// The standard error of the cost, in chips.
    pub standard_error: f64,
    /// An estimate of the cost that was made of every decision alike, and not again of those that seemed dear: what sums are
    /// made of, in chips.
    #[serde(skip)]
    pub unchosen_cost: f64,
    /// What was at stake: how many chips the best of the replies that were thought about would earn more than the worst.
    pub stake: f64,
    /// What the coach thinks of it.
    pub judgement: Judgement,
}

/// What the coach thinks of a decision.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum Judgement {
    /// Nothing can be said against it.
    Sound,
    /// Another reply would have earned more on average, by more than twice the standard error of that.
    Mistake,
    /// It is a mistake whatever the others hold and do.
    ProvenMistake(Proof),
}

impl Judgement {
    /// Whether it is called a mistake.
    pub fn is_mistake(&self) -> bool {
        !matches!(self, Judgement::Sound)
    }

    /// The proof, if it is a proven mistake.
    pub fn proof(&self) -> Option<&Proof> {
        match self {
            Judgement::ProvenMistake(proof) => Some(proof),
            Judgement::Sound | Judgement::Mistake => None,
        }
    }
}

impl AnalysedDecision {
    /// What the player should learn from it, in a sentence or two; nothing if the decision is sound.
    pub fn sentence(&self) -> Option<String> {
        match &self.judgement {
            Judgement::Sound => None,
            Judgement::Mistake => Some(self.estimated_sentence()),
            Judgement::ProvenMistake(proof) => Some(self.proven_sentence(proof)),
        }
    }

    fn estimated_sentence(&self) -> String {
        let AnalysedDecision { to_call, others, pot, .. } = self;
        let given = match self.reply {
            Reply::Fold if *to_call == 0 => "You folded where staying was free".to_string(),
            Reply::Fold => format!("You folded when {to_call} would have called"),
            Reply::Bet(0) => "You bet nothing".to_string(),
            Reply::Bet(chips) if chips == *to_call => format!("You called {to_call}"),
            Reply::Bet(chips) if *to_call == 0 => format!("You bet {chips}"),
            Reply::Bet(chips) => format!("You called {to_call} and raised {}", chips - to_call),
        };
        let better = match self.best {
            Reply::Fold => "a fold".to_string(),
            Reply::Bet(0) => "a bet of nothing".to_string(),
            Reply::Bet(chips) if chips == *to_call => "a call".to_string(),
            Reply::Bet(chips) => format!("a raise of {}", chips - to_call),
        };
        let against = if *others == 1 { "one other".to_string() } else { format!("{others} others") };
        format!(
            "{given} with {} against {against} and a pot of {pot}: {better} would have earned about {:.1} chips more (give \
             or take {:.1}), as the others usually play.",
            hand_in_words(&self.cards),
            self.cost,
            2.0 * self.standard_error,
        )
    }

    fn proven_sentence(&self, proof: &Proof) -> String {
        let AnalysedDecision { to_call, .. } = self;
        let cost = match (to_call, proof.at_least) {
            (0, 0) => "Staying in was free, and folding wins nothing.".to_string(),
            (0, chips) => format!("Staying in was free and worth {} at least.", chips_in_words(chips)),
            (to_call, chips) => {
                format!("A call of {to_call} was worth {} at least.", chips_in_words(chips))
            }
        };
        let unseen = match proof.kind {
            _ if proof.was_told => "",
            ProofKind::LostCall => {
                " (That nobody else was in, the room could see; a question does not tell it.)"
            }
            _ => {
                " (That nobody had the chips to drive you out, the room could see; a question does not tell it.)"
            }
        };
        match proof.kind {
            ProofKind::FreeFold => format!("You folded where it cost nothing to stay. {cost}"),
            ProofKind::LostCall => format!(
                "You called {to_call} with both halves of the pot lost for certain: whatever the others held, what lay \
                 open beat your {}, and {} is no spade. Nobody could act after you, so the call only lost its {}.{unseen}",
                hand_in_words(&self.cards),
                pretty(self.cards[0]),
                chips_in_words(*to_call),
            ),
            ProofKind::CertainSpade => {
                let held = spade_in_words(self.cards[0]);
                format!("You had {held}: half of the pot was yours for certain. {cost}{unseen}")
            }
            ProofKind::CertainHand => format!(
                "Nobody could have a hand as good as your {}: half of the pot was yours for certain. {cost}{unseen}",
                hand_in_words(&self.cards)
            ),
            ProofKind::CertainPot => format!(
                "You had both the best hand and the highest spade in the hole for certain: the whole pot was yours. \
                 {cost}{unseen}"
            ),
        }
    }
}

fn chips_in_words(chips: Chips) -> String {
    if chips == 1 { "1 chip".to_string() } else { format!("{chips} chips") }
}

fn hand_in_words(cards: &[Card]) -> String {
    cards.iter().map(|card| pretty(*card)).collect::<Vec<_>>().join(" ")
}

/// The hole card that is the highest spade there can be.
fn spade_in_words(hole: Card) -> String {
    debug_assert_eq!(hole.suit(), Suit::Spades);
    let name = hole.rank().word().to_lowercase();
    match name.as_str() {
        "ace" => "the ace of spades in the hole".to_string(),
        _ => format!("the {name} of spades in the hole, and every higher spade lay open"),
    }
}
