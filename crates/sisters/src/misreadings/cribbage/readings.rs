//! Ways in which the Cribbage documents are often misread, each of which says what it would answer.

use crate::cribbage::{Breakdown, Totals};
use crate::misreadings::evidence::Reading;
use casino_stud::cards::{Card, Rank, Suit};

/// A hand with its start card, and what it is worth.
#[derive(Clone, Debug)]
pub struct ScoredHand {
    hand: [Card; 4],
    start: Card,
    found: Breakdown,
    totals: Totals,
    value: u32,
}

impl ScoredHand {
    /// Counts a hand with its start card.
    pub fn of(hand: [Card; 4], start: Card) -> ScoredHand {
        let found = Breakdown::of(hand, start);
        let totals = found.totals();
        ScoredHand { hand, start, totals, value: totals.sum(), found }
    }

    /// The points of the hand.
    pub fn value(&self) -> u32 {
        self.value
    }

    fn cards(&self) -> [Card; 5] {
        let [a, b, c, d] = self.hand;
        [a, b, c, d, self.start]
    }

    fn has(&self, rank: Rank) -> bool {
        self.number(rank) > 0
    }

    fn number(&self, rank: Rank) -> usize {
        self.cards().iter().filter(|card| card.rank() == rank).count()
    }

    fn fifteens_where(&self, kept: impl Fn(&[Card]) -> bool) -> u32 {
        self.value - self.totals.fifteens
            + 2 * self.found.fifteens.iter().filter(|set| kept(set)).count() as u32
    }

    fn pairs_worth(&self, points: u32) -> u32 {
        self.value - self.totals.pairs + points
    }

    fn runs_worth(&self, points: u32) -> u32 {
        self.value - self.totals.runs + points
    }

    fn flush_worth(&self, points: u32) -> u32 {
        self.value - self.totals.flush + points
    }

    fn nob_worth(&self, points: u32) -> u32 {
        self.value - self.totals.nob + points
    }

    /// The length of the longest run, 0 if there is none, and how many there are.
    fn longest(&self) -> (u32, u32) {
        (self.found.runs.first().map_or(0, |run| run.len() as u32), self.found.runs.len() as u32)
    }

    fn flush_of(&self, suit: Suit) -> bool {
        self.found.flush.first().is_some_and(|card| card.suit() == suit)
    }

    fn nob_of(&self, suit: Suit) -> bool {
        self.found.nob.is_some_and(|card| card.suit() == suit)
    }

    fn without_start(&self, set: &[Card]) -> bool {
        !set.contains(&self.start)
    }

    /// The points of pairs if each rank with so many cards gave what a function says.
    fn pairs_by(&self, points: impl Fn(u32) -> u32) -> u32 {
        self.pairs_worth(Rank::ALL.iter().map(|rank| points(self.number(*rank) as u32)).sum())
    }

    fn fifteens_if(&self, counts: impl Fn(Card) -> u32) -> u32 {
        let cards = self.cards();
        let sum = |set: u32| -> u32 {
            (0..5).filter(|at| set >> at & 1 == 1).map(|at: usize| counts(cards[at])).sum()
        };
        let found = (1u32..32).filter(|set| sum(*set) == 15).count() as u32;
        self.value - self.totals.fifteens + 2 * found
    }

    /// Runs if the ranks stood at other places.
    fn runs_if(&self, cards: &[Card], place: impl Fn(usize, Card) -> u32, least: u32) -> u32 {
        let mut lengths = Vec::new();
        for set in 1u32..1 << cards.len() {
            let chosen = cards.iter().enumerate().filter(|(at, _)| set >> at & 1 == 1);
            let mut places: Vec<u32> = chosen.map(|(at, card)| place(at, *card)).collect();
            places.sort_unstable();
            if places.len() as u32 >= least && places.windows(2).all(|two| two[0] + 1 == two[1]) {
                lengths.push(places.len() as u32);
            }
        }
        let most = lengths.iter().copied().max().unwrap_or(0);
        self.runs_worth(most * lengths.iter().filter(|length| **length == most).count() as u32)
    }
}

/// The place of a card in a run: the ace is 1, the king 13.
fn place(card: Card) -> u32 {
    match card.rank() {
        Rank::Ace => 1,
        rank => rank.index() as u32 + 2,
    }
}

fn counts(card: Card) -> u32 {
    place(card).min(10)
}

/// A wrong way to count. `None` is a program that gives no answer.
pub(super) type Misreading = (Reading, fn(&ScoredHand) -> Option<u32>);

macro_rules! misreadings {
    ($($code:literal, $says:literal, |$hand:ident| $value:expr;)*) => {
        &[$((Reading { code: $code, says: $says }, |$hand: &ScoredHand| $value)),*]
    };
}

pub(super) const OF_VALUE: &[Misreading] = misreadings! {
    "pair-outside-run-multiplies", "A pair multiplies a run only if its rank is part of the run.", |h| {
        let outside = |pair: &Vec<Card>| !h.found.runs.iter().flatten().any(|card| card.rank() == pair[0].rank());
        let doubled = h.found.pairs.iter().any(outside);
        Some(h.value + if doubled { h.totals.runs } else { 0 })
    };
    "flush-with-start-card", "Three cards of the hand and the start card are no flush: all four of the hand have to be of one suit.", |h| {
        let of_start = h.hand.iter().filter(|card| card.suit() == h.start.suit()).count();
        Some(h.value + if of_start == 3 { 4 } else { 0 })
    };
    "nob-start-jack-of-suit", "A jack as start card scores nothing in the hand: his nob is a jack in the hand.", |h| {
        let heel = h.start.rank() == Rank::Jack && h.hand.iter().any(|card| card.suit() == h.start.suit());
        Some(h.value + u32::from(heel))
    };
    "nob-start-jack", "A jack as start card scores no point in the hand.", |h| {
        Some(h.value + u32::from(h.start.rank() == Rank::Jack))
    };
    "heels", "A jack as start card scores nothing in the hand: its two points are the dealer's.", |h| {
        Some(h.value + if h.start.rank() == Rank::Jack { 2 } else { 0 })
    };
    "nob-only-start-jack", "His nob is a jack in the hand, not the start card.", |h| {
        Some(h.nob_worth(u32::from(h.start.rank() == Rank::Jack)))
    };
    "nob-any-suit", "His nob is a jack of the start card's suit; a jack of any other suit scores nothing.", |h| {
        Some(h.nob_worth(u32::from(h.hand.iter().any(|card| card.rank() == Rank::Jack))))
    };
    "nob-wrong-suit", "A jack of the start card's suit is missed, and one of another suit is taken for his nob.", |h| {
        let jack = h.hand.iter().any(|card| card.rank() == Rank::Jack);
        Some(h.nob_worth(u32::from(jack && h.found.nob.is_none())))
    };
    "no-nob", "A jack in the hand of the start card's suit scores one for his nob.", |h| Some(h.nob_worth(0));
    "nob-each-jack", "Only the jack of the start card's suit scores for his nob, not each jack in the hand.", |h| {
        Some(h.nob_worth(h.hand.iter().filter(|card| card.rank() == Rank::Jack).count() as u32))
    };
    "nob-each-jack-of-five", "Only the jack of the start card's suit scores for his nob, not each jack of the five cards.", |h| {
        Some(h.nob_worth(h.number(Rank::Jack) as u32))
    };
    "nob-2", "His nob scores one point and no more.", |h| Some(h.nob_worth(2 * h.totals.nob));
    "nob-not-clubs", "His nob is missed in clubs.", |h| Some(h.value - u32::from(h.nob_of(Suit::Clubs)));
    "nob-not-diamonds", "His nob is missed in diamonds.", |h| Some(h.value - u32::from(h.nob_of(Suit::Diamonds)));
    "nob-not-hearts", "His nob is missed in hearts.", |h| Some(h.value - u32::from(h.nob_of(Suit::Hearts)));
    "nob-not-spades", "His nob is missed in spades.", |h| Some(h.value - u32::from(h.nob_of(Suit::Spades)));
    "no-flush", "A flush is counted for the hand, and scores 4 points.", |h| Some(h.flush_worth(0));
    "flush-always-4", "A flush scores a fifth point if the start card is of its suit too.", |h| {
        Some(h.flush_worth(h.totals.flush.min(4)))
    };
    "flush-only-of-five", "A flush of the four cards in hand scores 4, whatever the start card is.", |h| {
        Some(h.flush_worth(if h.totals.flush == 5 { 5 } else { 0 }))
    };
    "flush-5-without-start", "A flush scores the fifth point only if the start card is of its suit too.", |h| {
        Some(h.flush_worth(if h.totals.flush > 0 { 5 } else { 0 }))
    };
    "flush-not-clubs", "A flush is missed in clubs.", |h| {
        Some(h.flush_worth(if h.flush_of(Suit::Clubs) { 0 } else { h.totals.flush }))
    };
    "flush-not-diamonds", "A flush is missed in diamonds.", |h| {
        Some(h.flush_worth(if h.flush_of(Suit::Diamonds) { 0 } else { h.totals.flush }))
    };
    "flush-not-hearts", "A flush is missed in hearts.", |h| {
        Some(h.flush_worth(if h.flush_of(Suit::Hearts) { 0 } else { h.totals.flush }))
    };
    "flush-not-spades", "A flush is missed in spades.", |h| {
        Some(h.flush_worth(if h.flush_of(Suit::Spades) { 0 } else { h.totals.flush }))
    };
    "round-the-corner", "Runs do not go round the corner: the ace comes before the two and nothing after the king.", |h| {
        Some(h.runs_worth(runs_round_the_corner(h)))
    };
    "queen-king-ace", "An ace does not follow the king: queen, king, ace is no run.", |h| {
        let low = h.value;
        let high = h.runs_if(&h.cards(), |_, card| if card.rank() == Rank::Ace { 14 } else { place(card) }, 3);
        Some(low.max(high))
    };
    "ace-high-only", "The ace comes before the two, not after the king.", |h| {
        Some(h.runs_if(&h.cards(), |_, card| if card.rank() == Rank::Ace { 14 } else { place(card) }, 3))
    };
    "ace-two-three-missed", "An ace is part of a run: ace, two, three.", |h| {
        Some(h.runs_if(&h.cards(), |_, card| if card.rank() == Rank::Ace { 30 } else { place(card) }, 3))
    };
    "runs-once", "If there is more than one longest run, each of them scores.", |h| Some(h.runs_worth(h.longest().0));
    "double-double-run-twice", "A run with two pairs in it is four runs, not two.", |h| {
        let (length, times) = h.longest();
        Some(if times == 4 { h.runs_worth(2 * length) } else { h.value })
    };
    "run-three-times-for-trips-missed", "A run with three of a kind in it is three runs, not two.", |h| {
        let (length, times) = h.longest();
        Some(if times == 3 { h.runs_worth(2 * length) } else { h.value })
    };
    "runs-without-start", "The start card is part of runs.", |h| Some(h.runs_if(&h.hand, |_, card| place(card), 3));
    "run-of-5-as-4", "A run of five scores 5.", |h| {
        Some(if h.longest().0 == 5 { h.runs_worth(4) } else { h.value })
    };
    "run-of-5-as-3", "A run scores a point for each of its cards.", |h| Some(h.runs_worth(3 * h.longest().1));
    "run-and-its-parts", "Only the longest runs score, not the shorter ones within them.", |h| {
        Some(h.runs_worth(all_runs(h)))
    };
    "run-of-two", "A run has three cards or more.", |h| Some(h.runs_if(&h.cards(), |_, card| place(card), 2));
    "run-of-four", "A run of three scores too, not only one of four or more.", |h| {
        Some(h.runs_if(&h.cards(), |_, card| place(card), 4))
    };
    "run-needs-order", "The cards of a run may be given in any order.", |h| Some(h.runs_worth(runs_in_order(h)));
    "no-runs", "Runs of three or more score a point for each card.", |h| Some(h.runs_worth(0));
    "fifteens-without-tens", "A ten counts 10 in fifteens.", |h| {
        Some(h.fifteens_where(|set| set.iter().all(|card| card.rank() != Rank::Ten)))
    };
    "fifteens-without-aces", "An ace counts 1 in fifteens.", |h| {
        Some(h.fifteens_where(|set| set.iter().all(|card| card.rank() != Rank::Ace)))
    };
    "fifteens-without-pictures", "Jack, queen and king count 10 in fifteens.", |h| {
        let picture = |card: &Card| (Rank::Jack..=Rank::King).contains(&card.rank());
        Some(h.fifteens_where(|set| !set.iter().any(picture)))
    };
    "fifteens-of-two", "A fifteen may have any number of cards, not only two.", |h| {
        Some(h.fifteens_where(|set| set.len() == 2))
    };
    "fifteens-of-two-or-three", "A fifteen may also have four or five cards.", |h| {
        Some(h.fifteens_where(|set| set.len() <= 3))
    };
    "fifteens-no-five-cards", "All five cards may be a fifteen.", |h| Some(h.fifteens_where(|set| set.len() < 5));
    "fifteens-no-four-cards", "Four cards may be a fifteen.", |h| Some(h.fifteens_where(|set| set.len() != 4));
    "fifteens-without-start", "The start card is part of fifteens.", |h| {
        Some(h.fifteens_where(|set| h.without_start(set)))
    };
    "fifteens-jack-11", "Jack, queen and king count 10 in fifteens, not 11, 12 and 13.", |h| Some(h.fifteens_if(place));
    "fifteens-ace-11", "An ace counts 1 in fifteens, not 11.", |h| {
        Some(h.fifteens_if(|card| if card.rank() == Rank::Ace { 11 } else { counts(card) }))
    };
    "fifteens-twice", "A fifteen scores two points and is counted once, not twice.", |h| {
        Some(h.value + h.totals.fifteens)
    };
    "fifteens-1-point", "A fifteen scores two points.", |h| Some(h.value - h.totals.fifteens / 2);
    "no-fifteens", "Cards that add up to 15 score two points.", |h| Some(h.value - h.totals.fifteens);
    "three-of-a-kind-4", "Three of a kind are three pairs.", |h| Some(h.pairs_by(|n| if n == 3 { 4 } else { n * n.max(1) - n }));
    "four-of-a-kind-8", "Four of a kind are six pairs.", |h| Some(h.pairs_by(|n| if n == 4 { 8 } else { n * n.max(1) - n }));
    "neighbouring-pairs", "Three of a kind are three pairs and four of a kind six.", |h| Some(h.pairs_by(|n| 2 * n.saturating_sub(1)));
    "pairs-once", "Each rank can give a pair, and three of a kind three.", |h| {
        Some(h.pairs_worth(h.totals.pairs.min(2)))
    };
    "pairs-without-start", "The start card is part of pairs.", |h| {
        Some(h.pairs_worth(2 * h.found.pairs.iter().filter(|set| h.without_start(set)).count() as u32))
    };
    "pairs-1-point", "A pair scores two points.", |h| Some(h.pairs_worth(h.totals.pairs / 2));
    "pairs-twice", "A pair scores two points and is counted once, not twice.", |h| Some(h.pairs_worth(2 * h.totals.pairs));
    "tens-paired", "Cards that count 10 are a pair only if they are of one rank.", |h| Some(h.pairs_worth(tens_paired(h)));
    "pairs-next-to-each-other", "The cards of a pair need not stand next to each other.", |h| {
        Some(h.pairs_worth(2 * h.cards().windows(2).filter(|two| two[0].rank() == two[1].rank()).count() as u32))
    };
    "no-pairs", "Two cards of a rank score two points.", |h| Some(h.pairs_worth(0));
    "ace-as-start-card-ignored", "An ace as start card counts like any other card.", |h| {
        Some(if h.start.rank() == Rank::Ace { without_the_start(h) } else { h.value })
    };
    "ace-as-start-card-is-14", "An ace as start card is below the two and counts 1, not 14.", |h| {
        Some(if h.start.rank() == Rank::Ace { start_is_14(h) } else { h.value })
    };
    "start-card-ignored", "The start card is part of fifteens, pairs and runs.", |h| Some(without_the_start(h));
    "start-card-first", "The start card is the last one given, not the first.", |h| {
        let [a, b, c, d] = h.hand;
        Some(Breakdown::of([b, c, d, h.start], a).value())
    };
    "one-more", "Every hand gets one point too many.", |h| Some(h.value + 1);
    "one-less", "Every hand gets one point too few.", |h| h.value.checked_sub(1);
    "always-0", "The answer is always 0.", |_h| Some(0);
    "crashes-on-ten", "There is no answer if a ten is among the cards.", |h| (!h.has(Rank::Ten)).then_some(h.value);
    "crashes-on-ace", "There is no answer if an ace is among the cards.", |h| (!h.has(Rank::Ace)).then_some(h.value);
    "crashes-on-jack", "There is no answer if a jack is among the cards.", |h| (!h.has(Rank::Jack)).then_some(h.value);
    "crashes-on-queen", "There is no answer if a queen is among the cards.", |h| (!h.has(Rank::Queen)).then_some(h.value);
    "crashes-on-king", "There is no answer if a king is among the cards.", |h| (!h.has(Rank::King)).then_some(h.value);
    "crashes-on-kqk", "There is no answer with two kings and a queen.", |h| {
        (!(h.number(Rank::King) == 2 && h.has(Rank::Queen))).then_some(h.value)
    };
    "crashes-on-two-kings", "There is no answer with two kings.", |h| (h.number(Rank::King) < 2).then_some(h.value);
    "never-answers", "There is never an answer.", |_h| None;
};

/// The points if the start card did not count, but for suits.
fn without_the_start(h: &ScoredHand) -> u32 {
    let fifteens = h.found.fifteens.iter().filter(|set| h.without_start(set)).count() as u32;
    let pairs = h.found.pairs.iter().filter(|set| h.without_start(set)).count() as u32;
    let runs = h.runs_if(&h.hand, |_, card| place(card), 3) + h.totals.runs - h.value;
    2 * fifteens + 2 * pairs + runs + h.totals.flush + h.totals.nob
}

/// The points if an ace as start card were 14.
fn start_is_14(h: &ScoredHand) -> u32 {
    let pairs = 2 * h.found.pairs.iter().filter(|set| h.without_start(set)).count() as u32;
    let runs = h.runs_if(&h.cards(), |at, card| if at == 4 { 14 } else { place(card) }, 3);
    let cards = h.cards();
    let sum = |set: u32| -> u32 {
        let counted = |at: usize| if at == 4 { 14 } else { counts(cards[at]) };
        (0..5).filter(|at| set >> at & 1 == 1).map(counted).sum()
    };
    let fifteens = 2 * (1u32..32).filter(|set| sum(*set) == 15).count() as u32;
    fifteens + pairs + (runs + h.totals.runs - h.value) + h.totals.flush + h.totals.nob
}

/// The points of pairs if cards were a pair that count the same.
fn tens_paired(h: &ScoredHand) -> u32 {
    let number = |worth| h.cards().iter().filter(|card| counts(**card) == worth).count() as u32;
    (1..=10).map(|worth| number(worth) * number(worth).saturating_sub(1)).sum()
}

/// The points of all runs, also of those within longer ones.
fn all_runs(h: &ScoredHand) -> u32 {
    let (length, times) = h.longest();
    match length {
        // A run of five has two of four and three of three in it; one of four has two of three.
        5 => 5 + 2 * 4 + 3 * 3,
        4 if times == 1 => 4 + 2 * 3,
        4 => 2 * 4 + runs_of_three(h) * 3,
        _ => h.totals.runs,
    }
}

/// How many runs of just three cards there are.
fn runs_of_three(h: &ScoredHand) -> u32 {
    let number = |place_of: u32| h.cards().iter().filter(|card| place(**card) == place_of).count() as u32;
    (1..=11).map(|low| number(low) * number(low + 1) * number(low + 2)).sum()
}

/// The points of runs whose cards are given in order, the start card last.
fn runs_in_order(h: &ScoredHand) -> u32 {
    let cards = h.cards();
    let mut lengths = Vec::new();
    for set in 1u32..32 {
        let places: Vec<u32> =
            (0..5).filter(|at| set >> at & 1 == 1).map(|at: usize| place(cards[at])).collect();
        if places.len() >= 3 && places.windows(2).all(|two| two[0] + 1 == two[1]) {
            lengths.push(places.len() as u32);
        }
    }
    let most = lengths.iter().copied().max().unwrap_or(0);
    most * lengths.iter().filter(|length| **length == most).count() as u32
}

/// The points of runs if the ace also came after the king.
fn runs_round_the_corner(h: &ScoredHand) -> u32 {
    let mut counts = [0u32; 13];
    h.cards().iter().for_each(|card| counts[card.rank().index()] += 1);
    // Places in a circle; five cards cannot fill it, so every stretch has a beginning.
    let stretches = (0..13).filter(|at| counts[*at] > 0 && counts[(at + 12) % 13] == 0);
    stretches
        .map(|from| {
            let stretch: Vec<u32> =
                (from..from + 13).map(|at| counts[at % 13]).take_while(|count| *count > 0).collect();
            if stretch.len() >= 3 { stretch.len() as u32 * stretch.iter().product::<u32>() } else { 0 }
        })
        .sum()
}

/// The points of four cards without any start card.
pub(super) fn alone(hand: [Card; 4]) -> u32 {
    let other =
        Card::ALL.into_iter().find(|card| !hand.contains(card)).expect("a deck has more than four cards");
    let scored = ScoredHand::of(hand, other);
    without_the_start(&scored) - scored.totals.nob - scored.totals.flush.saturating_sub(4)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cribbage::read_cards;

    fn says(code: &str, cards: &str) -> Option<u32> {
        let cards = read_cards(cards).unwrap();
        let scored = ScoredHand::of(cards[..4].try_into().unwrap(), cards[4]);
        OF_VALUE.iter().find(|(reading, _)| reading.code == code).unwrap().1(&scored)
    }

    #[test]
    fn misreadings_count_as_they_say() {
        assert_eq!(says("pair-outside-run-multiplies", "AH 2S 3D 8C 8H"), Some(8));
        assert_eq!(says("flush-with-start-card", "2H 4H 6H 8S KH"), Some(4));
        assert_eq!(says("nob-start-jack", "2H 4H 6S 8C JH"), Some(1));
        assert_eq!(says("round-the-corner", "QH KS AD 2C 9H"), Some(4));
        assert_eq!(says("runs-once", "7H 9S 8C 7C 8H"), Some(15));
        assert_eq!(says("flush-always-4", "2H 4H 6H 8H KH"), Some(4));
        assert_eq!(says("nob-each-jack", "JH JS 4D 8C 6H"), Some(4));
        assert_eq!(says("nob-each-jack-of-five", "JH JS 4D 8C JC"), Some(9));
        assert_eq!(says("run-of-four", "2H 3S 4D 9C KH"), Some(4));
        assert_eq!(says("run-of-four", "2H 3S 4D 5C KH"), Some(8));
        assert_eq!(says("tens-paired", "KH QS TD 2C 2H"), Some(8));
        assert_eq!(says("pairs-twice", "KH KS 4D 2C 2H"), Some(8));
        assert_eq!(says("no-nob", "5H 5S 5C JD 5D"), Some(28));
        assert_eq!(says("crashes-on-kqk", "KH QS KD 2C 9H"), None);
        let cards = read_cards("5H 5S 5C JD").unwrap();
        assert_eq!(alone(cards[..4].try_into().unwrap()), 14);
    }
}
