//! The text on a decision.

use casino_stud::cards::notation::pretty;
use casino_stud::cards::{Card, Suit};
use casino_stud::stud::Chips;
use casino_stud::table::Reply;

use super::{DecisionClass, Proof, ProofKind};

/// A decision of a round, with the coach's verdict.
#[derive(Clone, Debug, PartialEq)]
pub struct AnalysedDecision {
    /// The number of the table, from 1.
    pub table: u32,
    /// The number of the round, from 1.
    pub round: u64,
    /// Which of the bets and folds of the round it is, from 0, counting those of players who were asked.
    pub turn: usize,
    /// The player of the event, from 0.
    pub player: usize,
    /// The name everyone sees.
    pub name: String,
    /// What the player saw, as far as rules distinguish it.
    pub class: DecisionClass,
    /// The question that the player was asked, as on the wire.
    pub question: String,
    /// The player's own cards that it knew, hole card first.
    pub cards: Vec<Card>,
    /// How many others were in.
    pub others: usize,
    /// The pot before the reply, in chips.
    pub pot: Chips,
    /// The amount to call, in chips.
    pub to_call: Chips,
    /// The player's stack before the reply, in chips.
    pub stack: Chips,
    /// The player's reply.
    pub reply: Reply,
    /// The best of the replies that were thought about; the given one if none is known to be better.
    pub best: Reply,
    /// The cost of the reply: how many more chips the best one would have earned on average, for the player's best
    /// continuation, as estimated by rollouts. For a proven mistake it is never below the proven amount; 0 for a
    /// repetition of another decision's mistake in the round.
    pub cost: f64,
    /// The turns of the round at which the player repeated this mistake.
    pub repeated: Vec<usize>,
    /// The coach's verdict.
    pub judgement: Judgement,
    /// How many chips other replies gain by the player's usual later ones: a raise by so many, 0 for a call, `None` for a fold.
    pub(super) gains: Vec<(Option<Chips>, f64)>,
}

/// The coach's verdict on a decision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Judgement {
    /// Nothing can be said against it.
    Sound,
    /// Another reply would have earned more on average, by ten times the standard error of that or more, however the player goes on.
    Mistake,
    /// It repeats the mistake of this turn of the round, which reports both.
    Repeated {
        /// The number of that decision among those of the round, from 0.
        turn: usize,
    },
    /// A mistake for any cards and actions of the opponents.
    ProvenMistake(Proof),
}

impl Judgement {
    /// Whether it is called a mistake.
    pub fn is_mistake(&self) -> bool {
        matches!(self, Judgement::Mistake | Judgement::ProvenMistake(_))
    }

    /// The proof, if it is a proven mistake.
    pub fn proof(&self) -> Option<&Proof> {
        match self {
            Judgement::ProvenMistake(proof) => Some(proof),
            Judgement::Sound | Judgement::Mistake | Judgement::Repeated { .. } => None,
        }
    }
}

/// A kind of reply of any size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ReplyKind {
    /// To fold.
    Fold,
    /// Pays the amount to call, which may be 0.
    Call,
    /// To add more.
    Raise,
}

impl ReplyKind {
    /// The kind of a reply where it takes so much to call.
    pub fn of(reply: Reply, to_call: Chips) -> ReplyKind {
        match reply {
            Reply::Fold => ReplyKind::Fold,
            Reply::Bet(chips) if chips > to_call => ReplyKind::Raise,
            Reply::Bet(_) => ReplyKind::Call,
        }
    }
}

/// The addressee of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Addressee {
    /// The player who made it: it is called you.
    Player,
    /// The public: the player is called by its name.
    Everybody,
}

/// How a player is spoken of.
struct PlayerWording<'a> {
    /// As the subject of a sentence in the past.
    who: &'a str,
    /// The same within a sentence that has named it, and its possessives.
    it: &'static str,
    its: &'static str,
    belonged: &'static str,
}

impl Addressee {
    fn words(self, name: &str) -> PlayerWording<'_> {
        match self {
            Addressee::Player => PlayerWording { who: "You", it: "you", its: "your", belonged: "yours" },
            Addressee::Everybody => PlayerWording { who: name, it: "it", its: "its", belonged: "its own" },
        }
    }
}

impl AnalysedDecision {
    /// The kinds of the player's reply and of the better one.
    pub fn kinds(&self) -> [ReplyKind; 2] {
        [self.reply, self.best].map(|reply| ReplyKind::of(reply, self.to_call))
    }

    /// The lesson of the decision for this addressee, in one or two sentences; empty if the decision is sound or
    /// repeats another one of the round.
    pub fn sentence(&self, to: Addressee) -> Option<String> {
        let words = to.words(&self.name);
        let sentence = match &self.judgement {
            Judgement::Sound | Judgement::Repeated { .. } => return None,
            Judgement::Mistake => self.estimated_sentence(&words),
            Judgement::ProvenMistake(proof) => self.proven_sentence(proof, &words),
        };
        let repeated = match self.repeated.len() {
            0 => String::new(),
            1 => " One more reply of this round was the same mistake.".to_string(),
            more => format!(" {more} more replies of this round were the same mistake."),
        };
        Some(sentence + &repeated)
    }

    fn estimated_sentence(&self, words: &PlayerWording<'_>) -> String {
        let AnalysedDecision { to_call, others, pot, .. } = self;
        let PlayerWording { who, its, .. } = words;
        let given = match self.reply {
            Reply::Fold if *to_call == 0 => "folded where staying was free".to_string(),
            Reply::Fold => format!("folded when {to_call} would have called"),
            Reply::Bet(0) => "bet nothing".to_string(),
            Reply::Bet(chips) if chips == *to_call => format!("called {to_call}"),
            Reply::Bet(chips) if *to_call == 0 => format!("bet {chips}"),
            Reply::Bet(chips) => format!("called {to_call} and raised {}", chips - to_call),
        };
        let better = match self.best {
            Reply::Fold => "a fold".to_string(),
            Reply::Bet(0) => "a bet of nothing".to_string(),
            Reply::Bet(chips) if chips == *to_call => "a call".to_string(),
            Reply::Bet(chips) if *to_call == 0 => format!("a bet of {chips}"),
            Reply::Bet(chips) => format!("a raise of {}", chips - to_call),
        };
        let against = if *others == 1 { "one other".to_string() } else { format!("{others} others") };
        format!(
            "{who} {given} with {} against {against} and a pot of {pot}: {better} would have earned about {} \
             more if the others play as usual, with {its} usual later replies and with better ones.",
            hand_in_words(&self.cards),
            about_chips(self.cost),
        )
    }

    fn proven_sentence(&self, proof: &Proof, words: &PlayerWording<'_>) -> String {
        let AnalysedDecision { to_call, .. } = self;
        let PlayerWording { who, it, its, belonged, .. } = words;
        let cost = match (to_call, proof.at_least) {
            (0, 0) => "Staying in was free, and folding wins nothing.".to_string(),
            (0, chips) => format!("Staying in was free and worth {} at least.", chips_in_words(chips)),
            (to_call, chips) => {
                format!("A call of {to_call} was worth {} at least.", chips_in_words(chips))
            }
        };
        let unseen = match proof.kind {
            _ if proof.in_question => String::new(),
            ProofKind::LostCall => {
                " (The question does not tell that all others had folded; the show did.)".to_string()
            }
            _ => format!(
                " (The question does not tell that no other player had the chips to raise {it} out; the show did.)"
            ),
        };
        let hand = hand_in_words(&self.cards);
        match proof.kind {
            ProofKind::FreeFold => format!("{who} folded although staying in was free. {cost}"),
            ProofKind::LostCall => format!(
                "{who} called {to_call} with both halves of the pot lost for certain: the cards face up beat {its} {hand} \
                 alone, and {} is no spade. No player could act after that, so the call only lost its {}.{unseen}",
                pretty(self.cards[0]),
                chips_in_words(*to_call),
            ),
            ProofKind::CertainSpade => {
                let held = spade_in_words(self.cards[0]);
                format!("{who} had {held}: half of the pot was {belonged} for certain. {cost}{unseen}")
            }
            ProofKind::CertainHand => format!(
                "{who} folded {hand}, and no other hand could be as good: half of the pot was {belonged} for certain. \
                 {cost}{unseen}"
            ),
            ProofKind::CertainPot => format!(
                "{who} had both the best hand and the highest spade in the hole for certain: the whole pot was {belonged}. \
                 {cost}{unseen}"
            ),
        }
    }
}

/// The estimated cost of a decision, in words: it is not known to a part of a chip.
pub fn about_chips(cost: f64) -> String {
    chips_in_words(cost.round().max(1.0) as Chips)
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
