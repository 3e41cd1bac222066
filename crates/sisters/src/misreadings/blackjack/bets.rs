//! Ways to bet: which cards are counted, when the count begins anew, and what it takes to double.

use casino_stud::cards::Card;

use crate::misreadings::evidence::{Reading, Theme};

/// Which card of a hand it is, as far as counting is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Exposure {
    PlayerFirst,
    PlayerDrawn,
    DealerUp,
    DealerDrawn,
    HoleShown,
    HoleAfterBust,
    HoleAfterNatural,
}

/// When the count begins at 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reset {
    AtShuffle,
    AfterTheBet,
    EachHand,
    Never,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct BetReading {
    pub(super) reading: Reading,
    /// What each rank counts, two to ace.
    worth: [i64; 13],
    /// The cards that are not counted though they are shown, or counted though they are not.
    unlike: &'static [Exposure],
    reset: Reset,
    /// The count from which it doubles, if it is enough by itself.
    from: i64,
    /// Whether it doubles at this count and below instead.
    below: bool,
    bankroll: i64,
    doubled: i64,
}

const WORTH: [i64; 13] = [1, 1, 1, 1, 1, 0, 0, 0, -1, -1, -1, -1, -1];

/// The right way for the counting player.
pub(super) const COUNTING: BetReading = BetReading {
    reading: Reading { code: "right", says: "" },
    worth: WORTH,
    unlike: &[],
    reset: Reset::AtShuffle,
    from: 2,
    below: false,
    bankroll: 10,
    doubled: 10,
};

const fn says(code: &'static str, says: &'static str) -> BetReading {
    BetReading { reading: Reading { code, says }, ..COUNTING }
}

const fn worth(code: &'static str, sentence: &'static str, rank: usize, counts: i64) -> BetReading {
    let mut worth = WORTH;
    worth[rank] = counts;
    BetReading { worth, ..says(code, sentence) }
}

const fn unlike(code: &'static str, sentence: &'static str, unlike: &'static [Exposure]) -> BetReading {
    BetReading { unlike, ..says(code, sentence) }
}

use Exposure::{DealerDrawn, DealerUp, HoleAfterBust, HoleAfterNatural, HoleShown, PlayerDrawn, PlayerFirst};

/// Known wrong ways for the counting player.
pub(super) const WRONG: [BetReading; 29] = [
    BetReading {
        bankroll: 11,
        ..says("double-only-above-10", "It doubles only with more than 10; a bankroll of 10 is enough.")
    },
    BetReading {
        bankroll: 15,
        ..says("double-only-from-15", "It doubles only with 15 or more; a bankroll of 10 is enough.")
    },
    BetReading {
        bankroll: 0,
        ..says("double-without-bankroll", "It doubles with less than 10, which it has not got.")
    },
    BetReading { from: 0, ..says("double-at-0", "It doubles from a count of 0; it is +2 or more.") },
    BetReading { from: 1, ..says("double-at-1", "It doubles from a count of +1; it is +2 or more.") },
    BetReading {
        from: 3,
        ..says("double-at-3", "It doubles from a count of +3, or above +2; it is +2 or more.")
    },
    BetReading {
        from: -2,
        below: true,
        ..says(
            "double-below-minus-2",
            "It doubles at a count of -2 or less: low cards add one, high cards take one.",
        )
    },
    BetReading { from: i64::MIN, ..says("always-doubles", "It doubles whatever the count is.") },
    BetReading {
        from: i64::MAX,
        ..says("never-doubles", "It never doubles; it does at a count of +2 or more.")
    },
    BetReading {
        doubled: 15,
        bankroll: 15,
        ..says("triples", "It bets three times the minimum; it is twice.")
    },
    BetReading {
        reset: Reset::Never,
        ..says("count-kept-at-shuffle", "It keeps its count at a shuffle; it begins at 0 after each shuffle.")
    },
    BetReading {
        reset: Reset::AfterTheBet,
        ..says("count-reset-after-bet", "Its count begins at 0 only after the bet that follows a shuffle.")
    },
    BetReading {
        reset: Reset::EachHand,
        ..says(
            "count-reset-each-hand",
            "Its count begins at 0 with each hand; it is kept until the next shuffle.",
        )
    },
    unlike(
        "hole-counted-early",
        "It counts every hole card, also those that are never shown after a bust or a natural 21.",
        &[HoleAfterBust, HoleAfterNatural],
    ),
    unlike("hole-never-counted", "It does not count the hole card when it is shown.", &[HoleShown]),
    unlike(
        "hole-counted-after-bust",
        "It counts the hole card after the player busts, which is not shown then.",
        &[HoleAfterBust],
    ),
    unlike(
        "hole-counted-after-natural",
        "It counts the hole card after a natural 21, which is not shown then.",
        &[HoleAfterNatural],
    ),
    unlike(
        "dealer-never-counted",
        "It counts none of the dealer's cards; it counts every card that is turned up.",
        &[DealerUp, DealerDrawn, HoleShown],
    ),
    unlike(
        "dealer-up-card-not-counted",
        "It does not count the dealer's first card, which is face up.",
        &[DealerUp],
    ),
    unlike("dealer-draws-not-counted", "It does not count the cards that the dealer draws.", &[DealerDrawn]),
    unlike("no-draws-counted", "It counts no card that is drawn.", &[DealerDrawn, PlayerDrawn]),
    unlike("player-draws-not-counted", "It does not count the cards that the player draws.", &[PlayerDrawn]),
    unlike("player-first-not-counted", "It does not count the player's first two cards.", &[PlayerFirst]),
    unlike(
        "player-never-counted",
        "It counts none of the player's own cards; it counts every card that is turned up.",
        &[PlayerFirst, PlayerDrawn],
    ),
    worth("ace-not-counted", "It does not count aces, which take one from the count.", 12, 0),
    worth("ten-not-counted", "It does not count tens, which take one from the count.", 8, 0),
    worth("deuce-not-counted", "It does not count twos, which add one to the count.", 0, 0),
    worth("seven-counted", "It counts sevens as low cards; sevens, eights and nines count nothing.", 5, 1),
    worth(
        "nine-counted-as-high",
        "It counts nines as high cards; sevens, eights and nines count nothing.",
        7,
        -1,
    ),
];

/// Known wrong ways for the simple player.
pub(super) const SIMPLE_WRONG: [BetReading; 2] = [
    BetReading {
        ..says(
            "simple-counts",
            "The simple player bets like the counting player; it always bets the minimum.",
        )
    },
    BetReading {
        from: i64::MIN,
        ..says("simple-doubles", "The simple player always doubles; it always bets the minimum.")
    },
];

pub(super) const THEME: Theme = Theme {
    code: "bets",
    what: "bets of the counting player",
    rule: "The counting player doubles the minimum at a count of +2 or more if the bankroll is 10 or more. It counts \
           every card turned up, the hole card only when it is, and begins at 0 after each shuffle.",
};

pub(super) const SIMPLE_THEME: Theme = Theme {
    code: "simple-bets",
    what: "bets of the simple player",
    rule: "The simple player always bets the minimum of 5.",
};

impl BetReading {
    /// The count that the bet of a hand is decided by, given the count before and whether the deck was shuffled.
    pub(super) fn begin(&self, count: i64, shuffled: bool) -> i64 {
        match self.reset {
            Reset::AtShuffle if shuffled => 0,
            Reset::EachHand => 0,
            _ => count,
        }
    }

    /// The bet at a count with a bankroll of 5 or more.
    pub(super) fn bet(&self, count: i64, bankroll: i64) -> i64 {
        let good = if self.below { count <= self.from } else { count >= self.from };
        if good && bankroll >= self.bankroll { self.doubled } else { 5 }
    }

    pub(super) fn after(&self, count: i64, shuffled: bool, cards: &[(Exposure, Card)]) -> i64 {
        let from = if self.reset == Reset::AfterTheBet && shuffled { 0 } else { count };
        let sees = |exposure: Exposure| {
            !matches!(exposure, HoleAfterBust | HoleAfterNatural) ^ self.unlike.contains(&exposure)
        };
        let counted = cards.iter().filter(|(exposure, _)| sees(*exposure));
        from + counted.map(|(_, card)| self.worth[card.rank().index()]).sum::<i64>()
    }
}
