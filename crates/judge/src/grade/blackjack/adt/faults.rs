//! The faulty implementations that students' test cases have to find, by their numbers: `-DFAULT=1` is the first.

/// Faulty decks: `courses/blackjack/deck.cpp`.
pub(super) const DECKS: [(&str, &str); 14] = [
    ("left-first", "a cut begins with the left part"),
    ("diamonds-before-clubs", "a new deck has the diamonds before the clubs"),
    ("ace-before-two", "a new deck begins each suit with the ace"),
    ("reset-keeps-order", "reset() leaves the cards as they were shuffled"),
    ("reset-keeps-place", "reset() goes on dealing where it was"),
    ("shuffle-keeps-place", "shuffle() goes on dealing where it was"),
    ("shuffle-opens", "shuffle() begins with a newly opened deck"),
    ("dealt-cards-to-the-back", "shuffle() puts dealt cards behind the others"),
    ("rest-of-the-cut-reversed", "what is left of the longer part is put down in reverse"),
    ("never-empty", "after the last card the first one is dealt again"),
    ("empty-at-52", "DeckEmpty comes at card 52"),
    ("left-counts-dealt", "cardsLeft() counts the cards that were dealt"),
    ("always-halves", "shuffle() cuts in the middle, whatever n is"),
    ("full-cut-opens", "shuffle(52) makes a newly opened deck"),
];

/// Faulty hands: `courses/blackjack/hand.cpp`.
pub(super) const HANDS: [(&str, &str); 13] = [
    ("soft-ace-stays", "an ace that counts 11 never comes to count 1"),
    ("soft-ace-stays-for-aces", "ace, ten, ace are 22"),
    ("ace-always-1", "an ace always counts 1"),
    ("ace-always-11", "an ace always counts 11"),
    ("second-ace-hard", "with a second ace none counts 11"),
    ("soft-flag-kept", "a hand stays soft when its ace has come to count 1"),
    ("never-soft", "a hand is never soft"),
    ("jack-is-11", "jack, queen and king count 11, 12 and 13"),
    ("discard-keeps-soft", "discardAll() leaves the hand soft"),
    ("discard-keeps-count", "discardAll() leaves the total"),
    ("ace-1-after-10", "ten and ace are 11"),
    ("late-ace-1", "only an ace that comes first counts 11"),
    ("over-21-comes-back", "ten is taken off whenever the hand is over 21"),
];

/// Faulty players: `courses/blackjack/player.cpp`.
pub(super) const PLAYERS: [(&str, &str); 18] = [
    ("hard-12-like-13", "simple stands on hard 12 against 2 to 6"),
    ("hard-12-always-hits", "simple always draws on hard 12"),
    ("hard-16-stands", "simple always stands on hard 16"),
    ("hard-17-hits", "simple draws on hard 17"),
    ("soft-17-stands", "simple stands on soft 17"),
    ("soft-18-stands", "simple always stands on soft 18"),
    ("soft-18-hits-on-2", "simple draws on soft 18 against 2"),
    ("simple-counts", "simple doubles at a count of +2"),
    ("never-doubles", "counting never doubles"),
    ("double-at-1", "counting doubles from +1"),
    ("double-only-above", "counting doubles only with more than twice the minimum"),
    ("double-without-bankroll", "counting doubles without the bankroll for it"),
    ("count-kept-at-shuffle", "counting keeps its count at a shuffle"),
    ("ace-not-counted", "counting does not count aces"),
    ("seven-counted", "counting adds one for a 7"),
    ("count-shared", "both players share one count"),
    ("double-is-10", "counting bets 10 instead of twice the minimum"),
    ("hard-11-stands", "simple stands on hard 11"),
];
