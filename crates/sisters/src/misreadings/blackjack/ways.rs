//! Right and wrong ways to keep the deck, to count a hand and to bet. A wrong way is followed, so that its consequences
//! are not reported as further differences.

use casino_stud::cards::{Card, Rank, Suit};

use crate::blackjack::{BlackjackPlayer, Counting, FACTORY_ORDER, HandValue, MINIMUM_BET};

/// A way to keep the deck.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DeckWay {
    Right,
    /// A cut begins with the left part.
    LeftFirst,
    /// A reshuffle begins with a newly opened deck.
    ShuffleOpens,
    /// A reshuffle puts the dealt cards behind the others.
    DealtToTheBack,
    /// The rest of the longer part of a cut is reversed.
    RestReversed,
    DiamondsBeforeClubs,
    AceBeforeTwo,
    /// The hole card is dealt when it is shown.
    HoleDealtLate,
}

/// The wrong ways to keep the deck.
pub(super) const WRONG_DECKS: [DeckWay; 7] = [
    DeckWay::LeftFirst,
    DeckWay::ShuffleOpens,
    DeckWay::DealtToTheBack,
    DeckWay::RestReversed,
    DeckWay::DiamondsBeforeClubs,
    DeckWay::AceBeforeTwo,
    DeckWay::HoleDealtLate,
];

/// A deck that is kept in one way.
#[derive(Clone, Debug)]
pub(super) struct FollowedDeck {
    pub(super) way: DeckWay,
    cards: [Card; 52],
    next: usize,
}

impl FollowedDeck {
    pub(super) fn new(way: DeckWay) -> FollowedDeck {
        FollowedDeck { way, cards: opened(way), next: 0 }
    }

    /// Takes the dealt cards back, before the first cut of a shuffle.
    pub(super) fn take_back(&mut self) {
        match self.way {
            DeckWay::ShuffleOpens => self.cards = opened(self.way),
            DeckWay::DealtToTheBack => self.cards.rotate_left(self.next.min(52)),
            _ => {}
        }
        self.next = 0;
    }

    /// Cuts the first `left` cards off and rearranges.
    pub(super) fn cut(&mut self, left: usize) {
        let before = self.cards;
        let (left, right) = before.split_at(left);
        let (first, second) = if self.way == DeckWay::LeftFirst { (left, right) } else { (right, left) };
        let both = left.len().min(right.len());
        for at in 0..both {
            self.cards[2 * at] = first[at];
            self.cards[2 * at + 1] = second[at];
        }
        let longer = if first.len() > both { first } else { second };
        let rest = &mut self.cards[2 * both..];
        rest.copy_from_slice(&longer[both..]);
        if self.way == DeckWay::RestReversed {
            rest.reverse();
        }
    }

    /// Deals this card and returns whether it is next. If it is further down, the deck continues after it.
    pub(super) fn deals(&mut self, card: Card) -> bool {
        let ahead = self.cards.iter().skip(self.next).position(|next| *next == card);
        self.next += ahead.map_or(1, |ahead| ahead + 1);
        ahead == Some(0)
    }

    /// Deals a card that is not shown; `None` after the last card.
    pub(super) fn deal_unseen(&mut self) -> Option<Card> {
        self.next += 1;
        self.cards.get(self.next - 1).copied()
    }
}

fn opened(way: DeckWay) -> [Card; 52] {
    FACTORY_ORDER.map(|card| match (way, card.suit()) {
        (DeckWay::DiamondsBeforeClubs, Suit::Clubs) => Card::new(card.rank(), Suit::Diamonds),
        (DeckWay::DiamondsBeforeClubs, Suit::Diamonds) => Card::new(card.rank(), Suit::Clubs),
        (DeckWay::AceBeforeTwo, suit) => Card::new(Rank::ALL[(card.rank().index() + 12) % 13], suit),
        _ => card,
    })
}

/// A way to count a hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HandWay {
    Right,
    /// An ace that counted 11 never comes back to 1.
    SoftAceStays,
    AceAlways1,
    AceAlways11,
    /// With two aces in a hand none counts 11.
    TwoAcesHard,
    JackIs11,
}

/// The wrong ways to count a hand.
pub(super) const WRONG_HANDS: [HandWay; 5] = [
    HandWay::SoftAceStays,
    HandWay::AceAlways1,
    HandWay::AceAlways11,
    HandWay::TwoAcesHard,
    HandWay::JackIs11,
];

impl HandWay {
    /// Returns the value of these cards, dealt one after another.
    pub(super) fn value(self, cards: &[Card]) -> HandValue {
        let (mut count, mut soft, mut aces) = (0, false, 0);
        for card in cards {
            if card.rank() == Rank::Ace {
                aces += 1;
                let counts_11 = match self {
                    HandWay::AceAlways1 => false,
                    HandWay::AceAlways11 => true,
                    HandWay::TwoAcesHard => aces == 1 && count <= 10,
                    _ => count <= 10,
                };
                if soft && self == HandWay::TwoAcesHard {
                    (count, soft) = (count - 10, false);
                }
                count += if counts_11 { 11 } else { 1 };
                soft |= counts_11;
            } else {
                let spots = card.rank().index() as u32 + 2;
                count += if self == HandWay::JackIs11 && spots == 11 { 11 } else { spots.min(10) };
            }
            let stays = matches!(self, HandWay::SoftAceStays | HandWay::AceAlways11);
            if count > 21 && soft && !stays {
                (count, soft) = (count - 10, false);
            }
        }
        HandValue { count, soft }
    }

    /// Returns whether a printed total is the one of these cards. Over 21 any total over 21 may be printed (Blackjack
    /// document, III.2).
    pub(super) fn agrees(self, printed: i64, cards: &[Card]) -> bool {
        let total = i64::from(self.value(cards).count);
        printed == total || printed > 21 && total > 21
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BetWay {
    Right,
    CountKeptAtShuffle,
    HoleNeverCounted,
    /// It doubles with less than twice the minimum.
    WithoutBankroll,
}

pub(super) const WRONG_BETS: [BetWay; 3] =
    [BetWay::CountKeptAtShuffle, BetWay::HoleNeverCounted, BetWay::WithoutBankroll];

/// A counting player that bets in one way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bettor {
    way: BetWay,
    seen: Counting,
}

impl Bettor {
    pub(super) fn new(way: BetWay) -> Bettor {
        Bettor { way, seen: Counting::default() }
    }

    pub(super) fn shuffled(&mut self) {
        if self.way != BetWay::CountKeptAtShuffle {
            self.seen.shuffled();
        }
    }

    pub(super) fn bet(&self, bankroll: i64) -> i64 {
        let minimum = i64::from(MINIMUM_BET);
        let enough = self.way == BetWay::WithoutBankroll || bankroll >= 2 * minimum;
        if self.seen.count() >= 2 && enough { 2 * minimum } else { minimum }
    }

    /// Shows a card, which is the dealer's hole card or another one.
    pub(super) fn expose(&mut self, is_hole: bool, card: Card) {
        if !(is_hole && self.way == BetWay::HoleNeverCounted) {
            self.seen.expose(card);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blackjack::{BlackjackHand, CourseCuts, Shoe};

    #[test]
    fn right_hand_is_the_hand_of_the_game() {
        fn check(cards: &mut Vec<Card>) {
            let right: BlackjackHand = cards.iter().copied().collect();
            assert_eq!(HandWay::Right.value(cards), right.value(), "{cards:?}");
            if cards.len() == 4 {
                return;
            }
            for rank in Rank::ALL {
                cards.push(Card::new(rank, Suit::Clubs));
                check(cards);
                cards.pop();
            }
        }
        check(&mut Vec::new());
    }

    #[test]
    fn right_deck_is_the_deck_of_the_game() {
        let (mut deck, mut shoe) = (FollowedDeck::new(DeckWay::Right), Shoe::new());
        for (number, cut) in CourseCuts::new().take(20).enumerate() {
            deck.take_back();
            deck.cut(cut.left());
            shoe.shuffle(cut.left());
            for _ in 0..number {
                assert_eq!(deck.deal_unseen(), shoe.deal().ok());
            }
            assert!(deck.deals(shoe.deal().unwrap()));
        }
    }
}
