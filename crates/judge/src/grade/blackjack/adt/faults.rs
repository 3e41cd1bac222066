//! The faults of the course's faulty implementations (`courses/blackjack`), by their numbers: `-DFAULT=1` is the first.
//! Students' test cases have to find them.

/// A fault of an implementation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fault {
    /// A short name, the same from run to run.
    pub(super) code: &'static str,
    /// What the implementation does and what the document asks for, in a sentence.
    pub(super) says: &'static str,
}

const fn fault(code: &'static str, says: &'static str) -> Fault {
    Fault { code, says }
}

/// The faults of `deck.cpp`.
pub(super) const DECK_FAULTS: [Fault; 14] = [
    fault(
        "left-first",
        "A cut begins with the first card of the left part; it is the first card of the right part, then the \
         first of the left.",
    ),
    fault(
        "diamonds-before-clubs",
        "A newly opened deck has the diamonds before the clubs; it is spades, hearts, clubs, diamonds.",
    ),
    fault("ace-before-two", "A newly opened deck begins each suit with the ace; it is two to ace."),
    fault(
        "reset-keeps-order",
        "reset() leaves the cards as they were shuffled; it makes a newly opened deck.",
    ),
    fault("reset-keeps-place", "reset() goes on dealing where it was; it begins with the first card again."),
    fault(
        "shuffle-keeps-place",
        "shuffle() goes on dealing where it was; the next card is the first of the shuffled deck.",
    ),
    fault(
        "reset-at-reshuffle",
        "A reshuffle begins with a newly opened deck; it has to shuffle the deck as it is, the dealt cards put \
         back in the order in which they were dealt.",
    ),
    fault(
        "dealt-cards-to-the-back",
        "A reshuffle puts the dealt cards behind the others; they go back where they were, in the order in which \
         they were dealt.",
    ),
    fault(
        "rest-of-the-cut-reversed",
        "What is left of the longer part of a cut is put down in reverse; it keeps its order.",
    ),
    fault("never-empty", "After the last card it deals the first one again; deal() throws DeckEmpty."),
    fault("empty-at-52", "deal() throws DeckEmpty at card 52; it does so at card 53."),
    fault("left-counts-dealt", "cardsLeft() counts the cards that were dealt; it counts the others."),
    fault("always-halves", "shuffle() cuts in the middle whatever it is told; it cuts off so many cards."),
    fault("full-cut-opens", "shuffle(52) makes a newly opened deck; with an empty part the order stays."),
];

/// The faults of `hand.cpp`.
pub(super) const HAND_FAULTS: [Fault; 13] = [
    fault(
        "soft-ace-stays",
        "An ace that once counted 11 does so for ever; it counts 1 as soon as the hand would be over 21.",
    ),
    fault(
        "soft-ace-stays-for-aces",
        "An ace that counted 11 goes on doing so when another ace takes the hand over 21: ace, ten, ace are 12, \
         hard.",
    ),
    fault("ace-always-1", "An ace always counts 1; it counts 11 unless the hand would be over 21."),
    fault("ace-always-11", "An ace always counts 11; it counts 1 if the hand would be over 21 otherwise."),
    fault(
        "second-ace-hard-third-soft",
        "A second ace makes the first one count 1, though a third may count 11 again; one of them does unless \
         the hand would be over 21.",
    ),
    fault("soft-flag-kept", "A hand stays soft when its ace has come to count 1; it is hard then."),
    fault("never-soft", "A hand is never soft; it is soft if an ace counts 11."),
    fault("pictures-climb", "A jack counts 11, a queen 12, a king 13; they count 10 each."),
    fault("discard-keeps-soft", "discardAll() leaves the hand soft if it was; an empty hand is hard."),
    fault("discard-keeps-count", "discardAll() leaves the total as it was; an empty hand is worth 0."),
    fault("ace-1-after-10", "An ace that comes to 10 counts 1; it counts 11, which makes 21."),
    fault("late-ace-1", "Only an ace that comes first counts 11; one that comes later may as well."),
    fault(
        "over-21-comes-back",
        "Ten is taken off whenever the hand is over 21; only an ace that counts 11 allows it.",
    ),
];

/// The faults of `player.cpp`.
pub(super) const PLAYER_FAULTS: [Fault; 18] = [
    fault("hard-12-like-13", "It stands on hard 12 against 2 to 6; it stands only against 4, 5 and 6."),
    fault("hard-12-always-hits", "It always draws on hard 12; it stands against 4, 5 and 6."),
    fault("hard-16-stands", "It always stands on hard 16; it stands only against 2 to 6."),
    fault("hard-17-hits", "It draws on hard 17; it always stands on 17 or more."),
    fault("soft-17-stands", "It stands on soft 17; it always draws on soft 17 or less."),
    fault("soft-18-stands", "It always stands on soft 18; it stands only against 2, 7 and 8."),
    fault("soft-18-hits-on-2", "It draws on soft 18 against 2; it stands against 2, 7 and 8."),
    fault("simple-counts", "The simple player bets like the counting player; it always bets the minimum."),
    fault("never-doubles", "It never doubles; it does at a count of +2 or more."),
    fault("double-at-1", "It doubles from a count of +1; it is +2 or more."),
    fault("double-only-above", "It doubles only with more than twice the minimum; exactly twice is enough."),
    fault("double-without-bankroll", "It doubles with less than twice the minimum, which it has not got."),
    fault("count-kept-at-shuffle", "It keeps its count at a shuffle; it begins at 0 after each shuffle."),
    fault("ace-not-counted", "It does not count aces, which take one from the count."),
    fault("seven-counted", "It counts sevens as low cards; sevens, eights and nines count nothing."),
    fault("count-shared", "The two players share one count; each has to be by itself."),
    fault("double-is-10", "It bets 10 where it doubles, whatever the minimum is."),
    fault("hard-11-stands", "It stands on hard 11; it always draws on 11 or less."),
];
