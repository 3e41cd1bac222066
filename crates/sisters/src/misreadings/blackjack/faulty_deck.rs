//! A deck that is kept in one wrong way, for transcripts and for the abstract data type.

use crate::blackjack::FACTORY_ORDER;
use crate::misreadings::evidence::{Reading, known, reading_of};
use casino_stud::cards::{Card, Rank, Suit};

/// A wrong way to keep and shuffle the deck. What each does is said in [`DECK_FAULTS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the table of their readings says what each does")]
pub enum DeckFault {
    LeftFirst,
    SuitsSwapped,
    AceBeforeTwo,
    ResetKeepsOrder,
    ResetKeepsPlace,
    ShuffleKeepsPlace,
    ShuffleOpens,
    DealtToTheBack,
    RestReversed,
    NeverEmpty,
    EmptyTooEarly,
    LeftCountsDealt,
    AlwaysHalves,
    FullCutOpens,
    LeftOneLess,
    EmptyAt54,
    NeverThrows,
    EmptyOnlyAt53,
    EmptyOpens,
    EmptyIsDealt,
    EmptyCutIgnored,
}

/// Every wrong way with its name and what it does. Those of the course's `deck.cpp` come first, by their numbers there.
pub const DECK_FAULTS: [(Reading, DeckFault); 21] = [
    known(
        "left-first",
        "A cut begins with the first card of the left part; it is the first card of the right part, then the \
         first of the left.",
        DeckFault::LeftFirst,
    ),
    known(
        "diamonds-before-clubs",
        "A newly opened deck has the diamonds before the clubs; it is spades, hearts, clubs, diamonds.",
        DeckFault::SuitsSwapped,
    ),
    known(
        "ace-before-two",
        "A newly opened deck begins each suit with the ace; it is two to ace.",
        DeckFault::AceBeforeTwo,
    ),
    known(
        "reset-keeps-order",
        "reset() leaves the cards as they were shuffled; it makes a newly opened deck.",
        DeckFault::ResetKeepsOrder,
    ),
    known(
        "reset-keeps-place",
        "reset() goes on dealing where it was; it begins with the first card again.",
        DeckFault::ResetKeepsPlace,
    ),
    known(
        "shuffle-keeps-place",
        "shuffle() goes on dealing where it was; the next card is the first of the shuffled deck.",
        DeckFault::ShuffleKeepsPlace,
    ),
    known(
        "reset-at-reshuffle",
        "A reshuffle begins with a newly opened deck; it has to shuffle the deck as it is, the dealt cards put \
         back in the order in which they were dealt.",
        DeckFault::ShuffleOpens,
    ),
    known(
        "dealt-cards-to-the-back",
        "A reshuffle puts the dealt cards behind the others; they go back where they were, in the order in \
         which they were dealt.",
        DeckFault::DealtToTheBack,
    ),
    known(
        "rest-of-the-cut-reversed",
        "What is left of the longer part of a cut is put down in reverse; it keeps its order.",
        DeckFault::RestReversed,
    ),
    known(
        "never-empty",
        "After the last card it deals the first one again; deal() throws DeckEmpty.",
        DeckFault::NeverEmpty,
    ),
    known(
        "empty-at-52",
        "deal() throws DeckEmpty at card 52; it does so at card 53.",
        DeckFault::EmptyTooEarly,
    ),
    known(
        "left-counts-dealt",
        "cardsLeft() counts the cards that were dealt; it counts the others.",
        DeckFault::LeftCountsDealt,
    ),
    known(
        "always-halves",
        "shuffle() cuts in the middle whatever it is told; it cuts off so many cards.",
        DeckFault::AlwaysHalves,
    ),
    known(
        "full-cut-opens",
        "shuffle(52) makes a newly opened deck; with an empty part the order stays.",
        DeckFault::FullCutOpens,
    ),
    known(
        "left-one-less",
        "cardsLeft() is one too few; it counts all cards that were not dealt.",
        DeckFault::LeftOneLess,
    ),
    known(
        "empty-at-54",
        "deal() throws DeckEmpty at card 54 for the first time, and deals what lies behind the last card before; it \
         throws at card 53.",
        DeckFault::EmptyAt54,
    ),
    known(
        "never-throws",
        "deal() never throws DeckEmpty and deals what lies behind the last card; it throws at card 53 and after it.",
        DeckFault::NeverThrows,
    ),
    known(
        "empty-only-at-53",
        "deal() throws DeckEmpty at card 53 and no more, and then deals what lies behind the last card; it throws \
         until the deck is shuffled or reset.",
        DeckFault::EmptyOnlyAt53,
    ),
    known(
        "empty-begins-again",
        "After DeckEmpty was thrown once it deals from the first card again; it throws until the deck is shuffled or \
         reset.",
        DeckFault::EmptyOpens,
    ),
    known(
        "left-below-zero",
        "Each DeckEmpty counts as a card that was dealt, so that cardsLeft() falls below 0; it stays 0.",
        DeckFault::EmptyIsDealt,
    ),
    known(
        "empty-cut-ignored",
        "shuffle(0) and shuffle(52) do nothing; the order stays, but dealt cards are taken back.",
        DeckFault::EmptyCutIgnored,
    ),
];

/// What a deck gives when it is asked for a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DealtCard {
    /// A card.
    Card(Card),
    /// The exception `DeckEmpty`.
    Empty,
    /// Whatever lies behind the last card in the memory: nobody can say what that is.
    Behind,
}

impl DeckFault {
    pub(super) fn reading(self) -> Reading {
        reading_of(&DECK_FAULTS, self)
    }
}

/// A deck with one fault, or with none.
#[derive(Clone, Debug)]
pub struct FaultyDeck {
    fault: Option<DeckFault>,
    cards: [Card; 52],
    next: usize,
}

impl FaultyDeck {
    /// Opens a new deck.
    pub fn new(fault: Option<DeckFault>) -> FaultyDeck {
        FaultyDeck { fault, cards: opened(fault), next: 0 }
    }

    /// The fault that it has.
    pub fn fault(&self) -> Option<DeckFault> {
        self.fault
    }

    /// Puts the deck back to the state of a newly opened one.
    pub fn reset(&mut self) {
        if self.fault != Some(DeckFault::ResetKeepsOrder) {
            self.cards = opened(self.fault);
        }
        if self.fault != Some(DeckFault::ResetKeepsPlace) {
            self.next = 0;
        }
    }

    /// Takes the dealt cards back and cuts once, with so many cards on the left.
    ///
    /// # Panics
    /// If `left` is above 52: there is no such cut.
    pub fn shuffle(&mut self, left: usize) {
        if self.fault == Some(DeckFault::EmptyCutIgnored) && (left == 0 || left == 52) {
            return;
        }
        self.take_back();
        self.cut(left);
    }

    /// Takes the dealt cards back, before the first cut of a shuffle.
    pub(super) fn take_back(&mut self) {
        match self.fault {
            Some(DeckFault::ShuffleOpens) => self.cards = opened(self.fault),
            Some(DeckFault::DealtToTheBack) => self.cards.rotate_left(self.next.min(52)),
            _ => {}
        }
        if self.fault != Some(DeckFault::ShuffleKeepsPlace) {
            self.next = 0;
        }
    }

    pub(super) fn cut(&mut self, left: usize) {
        if self.fault == Some(DeckFault::FullCutOpens) && left == 52 {
            self.cards = opened(self.fault);
        }
        let before = self.cards;
        let (left, right) =
            before.split_at(if self.fault == Some(DeckFault::AlwaysHalves) { 26 } else { left });
        let (first, second) =
            if self.fault == Some(DeckFault::LeftFirst) { (left, right) } else { (right, left) };
        let both = left.len().min(right.len());
        for at in 0..both {
            self.cards[2 * at] = first[at];
            self.cards[2 * at + 1] = second[at];
        }
        let longer = if first.len() > both { first } else { second };
        let rest = &mut self.cards[2 * both..];
        rest.copy_from_slice(&longer[both..]);
        if self.fault == Some(DeckFault::RestReversed) {
            rest.reverse();
        }
    }

    /// Deals the next card, if there is one.
    pub fn deal(&mut self) -> DealtCard {
        let all = 52 - usize::from(self.fault == Some(DeckFault::EmptyTooEarly));
        if self.next >= all && self.fault == Some(DeckFault::NeverEmpty) {
            self.next = 0;
        }
        if let Some(card) = self.cards[..all].get(self.next) {
            self.next += 1;
            return DealtCard::Card(*card);
        }
        match self.fault {
            Some(DeckFault::EmptyAt54) if self.next == 52 => self.deals_what_lies_behind(),
            Some(DeckFault::EmptyOnlyAt53) if self.next > 52 => self.deals_what_lies_behind(),
            Some(DeckFault::NeverThrows) => self.deals_what_lies_behind(),
            Some(DeckFault::EmptyOnlyAt53 | DeckFault::EmptyIsDealt) => {
                self.next += 1;
                DealtCard::Empty
            }
            Some(DeckFault::EmptyOpens) => {
                self.next = 0;
                DealtCard::Empty
            }
            _ => DealtCard::Empty,
        }
    }

    fn deals_what_lies_behind(&mut self) -> DealtCard {
        self.next += 1;
        DealtCard::Behind
    }

    /// Whether this card is next. If it is further down, the deck goes on after it: one slip is one difference.
    pub(super) fn deals(&mut self, card: Card) -> bool {
        let ahead = self.cards.iter().skip(self.next).position(|next| *next == card);
        self.next += ahead.map_or(1, |ahead| ahead + 1);
        ahead == Some(0)
    }

    /// The next card without the end of the deck being an end: who deals on has a fault that shows elsewhere.
    pub(super) fn deal_unseen(&mut self) -> Option<Card> {
        self.next += 1;
        self.cards.get(self.next - 1).copied()
    }

    /// How many cards it says are left.
    pub fn cards_left(&self) -> i64 {
        let dealt = self.next as i64;
        match self.fault {
            Some(DeckFault::LeftCountsDealt) => dealt,
            Some(DeckFault::LeftOneLess) => 51 - dealt,
            _ => 52 - dealt,
        }
    }
}

fn opened(fault: Option<DeckFault>) -> [Card; 52] {
    FACTORY_ORDER.map(|card| match (fault, card.suit()) {
        (Some(DeckFault::SuitsSwapped), Suit::Clubs) => Card::new(card.rank(), Suit::Diamonds),
        (Some(DeckFault::SuitsSwapped), Suit::Diamonds) => Card::new(card.rank(), Suit::Clubs),
        (Some(DeckFault::AceBeforeTwo), suit) => Card::new(Rank::ALL[(card.rank().index() + 12) % 13], suit),
        _ => card,
    })
}
