//! Ways to bet, for transcripts and for the abstract data type: which cards are counted, when the count begins anew, and
//! what it takes to double.

use casino_stud::cards::Card;

use crate::misreadings::evidence::{Reading, Theme, known};

/// Which card of a hand it is, as far as counting is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Exposure {
    PlayerFirst,
    PlayerSecond,
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

/// A way to bet: the right one of the counting player, and what it is made into.
#[derive(Clone, Copy, Debug)]
pub struct BettingWay {
    /// What each rank counts, two to ace.
    worth: [i64; 13],
    /// The cards that are not counted though they are shown, or counted though they are not.
    unlike: &'static [Exposure],
    reset: Reset,
    /// The count from which it doubles, if it is enough by itself.
    from: i64,
    /// Whether it doubles at this count and below instead.
    below: bool,
    /// Whether a bankroll is enough, given the doubled bet.
    enough: fn(i64, i64) -> bool,
    /// The doubled bet, by the minimum.
    doubled: fn(i64) -> i64,
}

/// The right way of the counting player.
pub const COUNTING: BettingWay = BettingWay {
    worth: [1, 1, 1, 1, 1, 0, 0, 0, -1, -1, -1, -1, -1],
    unlike: &[],
    reset: Reset::AtShuffle,
    from: 2,
    below: false,
    enough: |bankroll, doubled| bankroll >= doubled,
    doubled: |minimum| 2 * minimum,
};

impl BettingWay {
    /// It doubles from this count on.
    pub const fn from_count(from: i64) -> BettingWay {
        BettingWay { from, ..COUNTING }
    }

    /// A rank, from 0 for the two to 12 for the ace, counts this much.
    pub const fn with_worth(rank: usize, counts: i64) -> BettingWay {
        let mut way = COUNTING;
        way.worth[rank] = counts;
        way
    }

    /// A bankroll is enough by this rule, which is given the bankroll and the doubled bet.
    pub const fn with_enough(enough: fn(i64, i64) -> bool) -> BettingWay {
        BettingWay { enough, ..COUNTING }
    }

    /// Where it doubles it bets this, by the minimum.
    pub const fn with_doubled(doubled: fn(i64) -> i64) -> BettingWay {
        BettingWay { doubled, ..COUNTING }
    }

    const fn unlike(unlike: &'static [Exposure]) -> BettingWay {
        BettingWay { unlike, ..COUNTING }
    }

    const fn with_reset(reset: Reset) -> BettingWay {
        BettingWay { reset, ..COUNTING }
    }
}

/// The right way of the simple player, which never doubles.
pub const SIMPLE: BettingWay = BettingWay::from_count(i64::MAX);

/// A wrong way to bet with what it does.
pub type BetReading = (Reading, BettingWay);

/// Known wrong ways for the counting player that show also in single calls of it.
pub const WRONG_BETS: [BetReading; 15] = [
    known("never-doubles", "It never doubles; it does at a count of +2 or more.", SIMPLE),
    known("always-doubles", "It doubles whatever the count is.", BettingWay::from_count(i64::MIN)),
    known("double-at-0", "It doubles from a count of 0; it is +2 or more.", BettingWay::from_count(0)),
    known("double-at-1", "It doubles from a count of +1; it is +2 or more.", BettingWay::from_count(1)),
    known(
        "double-at-3",
        "It doubles from a count of +3, or above +2; it is +2 or more.",
        BettingWay::from_count(3),
    ),
    known(
        "double-below-minus-2",
        "It doubles at a count of -2 or less: low cards add one, high cards take one.",
        BettingWay { below: true, ..BettingWay::from_count(-2) },
    ),
    known(
        "double-without-bankroll",
        "It doubles with less than twice the minimum, which it has not got.",
        BettingWay::with_enough(|_, _| true),
    ),
    known(
        "triples",
        "It bets three times the minimum; it is twice.",
        BettingWay::with_doubled(|minimum| 3 * minimum),
    ),
    known(
        "count-kept-at-shuffle",
        "It keeps its count at a shuffle; it begins at 0 after each shuffle.",
        BettingWay::with_reset(Reset::Never),
    ),
    known(
        "ace-not-counted",
        "It does not count aces, which take one from the count.",
        BettingWay::with_worth(12, 0),
    ),
    known(
        "ten-not-counted",
        "It does not count tens, which take one from the count.",
        BettingWay::with_worth(8, 0),
    ),
    known(
        "deuce-not-counted",
        "It does not count twos, which add one to the count.",
        BettingWay::with_worth(0, 0),
    ),
    known(
        "six-not-counted",
        "It does not count sixes, which add one to the count.",
        BettingWay::with_worth(4, 0),
    ),
    known(
        "seven-counted",
        "It counts sevens as low cards; sevens, eights and nines count nothing.",
        BettingWay::with_worth(5, 1),
    ),
    known(
        "nine-counted-as-high",
        "It counts nines as high cards; sevens, eights and nines count nothing.",
        BettingWay::with_worth(7, -1),
    ),
];

use Exposure::{
    DealerDrawn, DealerUp, HoleAfterBust, HoleAfterNatural, HoleShown, PlayerDrawn, PlayerFirst, PlayerSecond,
};

/// Known wrong ways for the counting player that show only in whole games with a minimum of 5.
pub(super) const WRONG_IN_GAMES: [BetReading; 18] = [
    known(
        "double-only-above-10",
        "It doubles only with more than 10; a bankroll of 10 is enough.",
        BettingWay::with_enough(|bankroll, doubled| bankroll > doubled),
    ),
    known(
        "double-only-from-15",
        "It doubles only with 15 or more; a bankroll of 10 is enough.",
        BettingWay::with_enough(|bankroll, _| bankroll >= 15),
    ),
    known(
        "count-reset-after-bet",
        "Its count begins at 0 only after the bet that follows a shuffle.",
        BettingWay::with_reset(Reset::AfterTheBet),
    ),
    known(
        "count-reset-each-hand",
        "Its count begins at 0 with each hand; it is kept until the next shuffle.",
        BettingWay::with_reset(Reset::EachHand),
    ),
    known(
        "hole-counted-early",
        "It counts every hole card, also those that are never shown after a bust or a natural 21.",
        BettingWay::unlike(&[HoleAfterBust, HoleAfterNatural]),
    ),
    known(
        "hole-never-counted",
        "It does not count the hole card when it is shown.",
        BettingWay::unlike(&[HoleShown]),
    ),
    known(
        "hole-counted-after-bust",
        "It counts the hole card after the player busts, which is not shown then.",
        BettingWay::unlike(&[HoleAfterBust]),
    ),
    known(
        "hole-counted-after-natural",
        "It counts the hole card after a natural 21, which is not shown then.",
        BettingWay::unlike(&[HoleAfterNatural]),
    ),
    known(
        "dealer-never-counted",
        "It counts none of the dealer's cards; it counts every card that is turned up.",
        BettingWay::unlike(&[DealerUp, DealerDrawn, HoleShown]),
    ),
    known(
        "dealer-up-card-not-counted",
        "It does not count the dealer's first card, which is face up.",
        BettingWay::unlike(&[DealerUp]),
    ),
    known(
        "dealer-draws-not-counted",
        "It does not count the cards that the dealer draws.",
        BettingWay::unlike(&[DealerDrawn]),
    ),
    known(
        "no-draws-counted",
        "It counts no card that is drawn.",
        BettingWay::unlike(&[DealerDrawn, PlayerDrawn]),
    ),
    known(
        "player-draws-not-counted",
        "It does not count the cards that the player draws.",
        BettingWay::unlike(&[PlayerDrawn]),
    ),
    known(
        "player-first-not-counted",
        "It does not count the player's first two cards.",
        BettingWay::unlike(&[PlayerFirst, PlayerSecond]),
    ),
    known(
        "player-first-card-not-counted",
        "It does not count the player's first card.",
        BettingWay::unlike(&[PlayerFirst]),
    ),
    known(
        "player-second-card-not-counted",
        "It does not count the player's second card.",
        BettingWay::unlike(&[PlayerSecond]),
    ),
    known(
        "first-cards-not-counted",
        "It counts none of the three cards that are dealt face up first.",
        BettingWay::unlike(&[PlayerFirst, PlayerSecond, DealerUp]),
    ),
    known(
        "player-never-counted",
        "It counts none of the player's own cards; it counts every card that is turned up.",
        BettingWay::unlike(&[PlayerFirst, PlayerSecond, PlayerDrawn]),
    ),
];

/// Known wrong ways for the simple player.
pub const SIMPLE_WRONG: [BetReading; 2] = [
    known(
        "simple-counts",
        "The simple player bets like the counting player; it always bets the minimum.",
        COUNTING,
    ),
    known(
        "simple-doubles",
        "The simple player always doubles; it always bets the minimum.",
        BettingWay::from_count(i64::MIN),
    ),
];

/// The rule that the bets of the counting player follow.
pub const THEME: Theme = Theme {
    code: "bets",
    what: "bets of the counting player",
    rule: "The counting player doubles the minimum at a count of +2 or more if the bankroll is twice that or more. It \
           counts every card turned up, the hole card only when it is, and begins at 0 after each shuffle.",
};

/// The rule that the bets of the simple player follow.
pub const SIMPLE_THEME: Theme = Theme {
    code: "simple-bets",
    what: "bets of the simple player",
    rule: "The simple player always bets the minimum.",
};

/// A player that counts and bets in one way.
#[derive(Clone, Copy, Debug)]
pub struct Bettor {
    way: BettingWay,
    count: i64,
}

impl Bettor {
    /// A player who has seen nothing yet.
    pub const fn new(way: BettingWay) -> Bettor {
        Bettor { way, count: 0 }
    }

    /// Tells it that the deck has been shuffled.
    pub fn shuffled(&mut self) {
        if self.way.reset == Reset::AtShuffle {
            self.count = 0;
        }
    }

    /// Its bet in chips, with a bankroll of the minimum or more.
    pub fn bet(&self, bankroll: i64, minimum: i64) -> i64 {
        let way = &self.way;
        let good = if way.below { self.count <= way.from } else { self.count >= way.from };
        let doubled = (way.doubled)(minimum);
        if good && (way.enough)(bankroll, doubled) { doubled } else { minimum }
    }

    /// Shows it a card.
    pub fn expose(&mut self, card: Card) {
        self.count += self.way.worth[card.rank().index()];
    }

    /// A hand of a transcript begins, after a shuffle or without one.
    pub(super) fn begin_hand(&mut self, shuffled: bool) {
        if shuffled {
            self.shuffled();
        }
        if self.way.reset == Reset::EachHand {
            self.count = 0;
        }
    }

    /// Shows it those cards of the hand that it looks at, after its bet.
    pub(super) fn end_hand(&mut self, shuffled: bool, cards: &[(Exposure, Card)]) {
        if shuffled && self.way.reset == Reset::AfterTheBet {
            self.count = 0;
        }
        for (exposure, card) in cards {
            let is_shown = !matches!(exposure, HoleAfterBust | HoleAfterNatural);
            if is_shown != self.way.unlike.contains(exposure) {
                self.expose(*card);
            }
        }
    }
}
