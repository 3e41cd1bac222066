//! Ways to decide whether to draw: the player's table and the dealer's rule.

use casino_stud::cards::{Card, Rank};

use super::faulty_hand::{FaultyHand, HandFault};
use crate::blackjack::{HandValue, table_draws};
use crate::misreadings::evidence::{Reading, Theme, known};

/// What the player decides by. Cards are two to ace, 2 to 14.
#[derive(Clone, Copy, Debug)]
pub struct DrawDecision {
    pub(super) total: u32,
    soft: bool,
    /// Whether there is an ace in the hand at all.
    ace: bool,
    /// The dealer's card that is face up.
    up: usize,
    /// The hole card, if it is known.
    hole: Option<usize>,
}

impl DrawDecision {
    /// The decision with these cards, counted right, against the dealer's card that is face up.
    pub fn new(cards: &[Card], up: Card) -> DrawDecision {
        DrawDecision::counted(None, cards, up, None)
    }

    pub(super) fn counted(
        counted: Option<HandFault>,
        cards: &[Card],
        up: Card,
        hole: Option<Card>,
    ) -> DrawDecision {
        let HandValue { count: total, soft } = FaultyHand::of(counted, cards.iter().copied()).value();
        let ace = cards.iter().any(|card| card.rank() == Rank::Ace);
        DrawDecision { total, soft, ace, up: number(up), hole: hole.map(number) }
    }

    /// Whether the document's table draws.
    pub fn draws(&self) -> bool {
        table(self.total, self.soft, self.up)
    }

    /// The situation in words.
    pub fn words(&self) -> String {
        let kind = if self.soft { "soft" } else { "hard" };
        format!("{kind} {} against {}", self.total, Rank::ALL[self.up - 2].word())
    }
}

/// A card as the table compares it: two to ace, 2 to 14.
fn number(card: Card) -> usize {
    card.rank().index() + 2
}

fn table(total: u32, soft: bool, up: usize) -> bool {
    table_draws(HandValue { count: total, soft }, Rank::ALL[up - 2])
}

/// A way to decide: whether it draws, and why that is wrong.
pub type DrawRule = (Reading, fn(&DrawDecision) -> bool);

/// The known wrong tables of the player.
pub const WRONG: [DrawRule; 31] = [
    known(
        "hard-12-like-13",
        "It stands on hard 12 against 2 to 6; it stands only against 4, 5 and 6.",
        |d| {
            if d.total == 12 && !d.soft { !(2..=6).contains(&d.up) } else { d.draws() }
        },
    ),
    known("hard-12-stands-on-3", "It stands on hard 12 against 3; it stands only against 4, 5 and 6.", |d| {
        d.draws() && !(d.total == 12 && !d.soft && d.up == 3)
    }),
    known("hard-12-stands-on-2", "It stands on hard 12 against 2; it stands only against 4, 5 and 6.", |d| {
        d.draws() && !(d.total == 12 && !d.soft && d.up == 2)
    }),
    known("hard-12-stands-on-7", "It stands on hard 12 against 7; it stands only against 4, 5 and 6.", |d| {
        d.draws() && !(d.total == 12 && !d.soft && d.up == 7)
    }),
    known("hard-12-draws-on-4", "It draws on hard 12 against 4; it stands against 4, 5 and 6.", |d| {
        d.draws() || d.total == 12 && !d.soft && d.up == 4
    }),
    known("hard-12-draws-on-6", "It draws on hard 12 against 6; it stands against 4, 5 and 6.", |d| {
        d.draws() || d.total == 12 && !d.soft && d.up == 6
    }),
    known("hard-12-always-hits", "It always draws on hard 12; it stands against 4, 5 and 6.", |d| {
        d.draws() || d.total == 12 && !d.soft
    }),
    known("hard-12-always-stands", "It always stands on hard 12; it stands only against 4, 5 and 6.", |d| {
        d.draws() && (d.total != 12 || d.soft)
    }),
    known(
        "hard-13-like-12",
        "It stands on hard 13 only against 4, 5 and 6; it stands against 2 to 6.",
        |d| {
            if d.total == 13 && !d.soft { !(4..=6).contains(&d.up) } else { d.draws() }
        },
    ),
    known("hard-13-16-draws-on-2", "It draws on hard 13 to 16 against 2; it stands against 2 to 6.", |d| {
        d.draws() || !d.soft && (13..=16).contains(&d.total) && d.up == 2
    }),
    known("hard-13-16-draws-on-6", "It draws on hard 13 to 16 against 6; it stands against 2 to 6.", |d| {
        d.draws() || !d.soft && (13..=16).contains(&d.total) && d.up == 6
    }),
    known(
        "hard-13-16-stands-on-7",
        "It stands on hard 13 to 16 against 7; it stands only against 2 to 6.",
        |d| d.draws() && !(!d.soft && (13..=16).contains(&d.total) && d.up == 7),
    ),
    known(
        "hard-13-16-always-stands",
        "It always stands on hard 13 to 16; it stands only against 2 to 6.",
        |d| d.draws() && (d.soft || !(13..=16).contains(&d.total)),
    ),
    known("hard-16-stands-on-7", "It stands on hard 16 against 7; it stands only against 2 to 6.", |d| {
        d.draws() && !(d.total == 16 && !d.soft && d.up == 7)
    }),
    known("hard-16-stands", "It always stands on hard 16; it stands only against 2 to 6.", |d| {
        d.draws() && (d.total != 16 || d.soft)
    }),
    known("hard-16-hits", "It always draws on hard 16; it stands against 2 to 6.", |d| {
        d.draws() || d.total == 16 && !d.soft
    }),
    known("hard-17-hits", "It draws on hard 17; it always stands on 17 or more.", |d| {
        d.draws() || d.total == 17 && !d.soft
    }),
    known("hard-11-stands", "It stands on hard 11; it always draws on 11 or less.", |d| {
        d.draws() && (d.total != 11 || d.soft)
    }),
    known("soft-17-stands", "It stands on soft 17; it always draws on soft 17 or less.", |d| {
        d.draws() && !(d.total == 17 && d.soft)
    }),
    known("soft-18-stands", "It always stands on soft 18; it stands only against 2, 7 and 8.", |d| {
        d.draws() && !(d.total == 18 && d.soft)
    }),
    known("soft-18-hits", "It always draws on soft 18; it stands against 2, 7 and 8.", |d| {
        d.draws() || d.total == 18 && d.soft
    }),
    known("soft-18-stands-on-9", "It stands on soft 18 against 9; it stands only against 2, 7 and 8.", |d| {
        d.draws() && !(d.total == 18 && d.soft && d.up == 9)
    }),
    known("soft-18-hits-on-2", "It draws on soft 18 against 2; it stands against 2, 7 and 8.", |d| {
        d.draws() || d.total == 18 && d.soft && d.up == 2
    }),
    known(
        "soft-18-stands-2-to-8",
        "It stands on soft 18 against 2 to 8; it stands only against 2, 7 and 8.",
        |d| d.draws() && !(d.total == 18 && d.soft && d.up <= 8),
    ),
    known(
        "soft-18-stands-3-to-6",
        "It stands on soft 18 against 3 to 6; it stands only against 2, 7 and 8.",
        |d| d.draws() && !(d.total == 18 && d.soft && (3..=6).contains(&d.up)),
    ),
    known("soft-19-hits", "It draws on soft 19; it always stands on soft 19 or more.", |d| {
        d.draws() || d.total == 19 && d.soft
    }),
    known("soft-as-hard", "It plays soft totals by the list for hard ones.", |d| table(d.total, false, d.up)),
    known(
        "soft-flag-kept",
        "It plays by the list for soft totals as soon as there is an ace, also when the ace counts 1.",
        |d| table(d.total, d.ace, d.up),
    ),
    known("plays-like-dealer", "It draws below 17 and stands from there, like the dealer.", |d| d.total < 17),
    known(
        "ace-up-card-low",
        "It stands on hard 13 to 16 against the dealer's ace, as if it were below 6; it draws against an ace.",
        |d| d.draws() && !(d.up == 14 && !d.soft && (13..=16).contains(&d.total)),
    ),
    known(
        "looks-at-hole-card",
        "It decides by the dealer's hole card instead of the card that is face up.",
        |d| d.hole.map_or(d.draws(), |hole| table(d.total, d.soft, hole)),
    ),
];

/// The rule that the player's decisions follow.
pub const THEME: Theme = Theme {
    code: "draws",
    what: "decisions of the player",
    rule: "The player does not draw and stand by the document's lists.",
};

#[derive(Clone, Copy, Debug)]
pub(super) struct DealersDecision {
    pub(super) total: u32,
    pub(super) soft: bool,
    pub(super) player: u32,
}

pub(super) type DealersRule = (Reading, fn(&DealersDecision) -> bool);

pub(super) const DEALER_WRONG: [DealersRule; 7] = [
    known("dealer-hits-soft-17", "The dealer draws on soft 17; it stands on every 17, hard or soft.", |d| {
        d.total < 17 || d.total == 17 && d.soft
    }),
    known("dealer-stands-on-16", "The dealer stands on 16; it draws below 17.", |d| d.total < 16),
    known("dealer-hits-17", "The dealer draws on 17; it stands on 17 or more.", |d| d.total <= 17),
    known("dealer-hits-hard-17", "The dealer draws on hard 17; it stands on 17 or more.", |d| {
        d.total < 17 || d.total == 17 && !d.soft
    }),
    known("dealer-stands-on-soft-16", "The dealer stands on soft totals below 17.", |d| {
        d.total < 17 && !d.soft
    }),
    known(
        "dealer-stops-ahead",
        "The dealer stops as soon as it is ahead of the player; it draws below 17.",
        |d| d.total < 17 && d.total <= d.player,
    ),
    known("dealer-never-draws", "The dealer never draws; it draws below 17.", |_| false),
];

pub(super) const DEALER_THEME: Theme = Theme {
    code: "dealer",
    what: "decisions of the dealer",
    rule: "The dealer draws below 17 and stands on 17 or more, hard or soft.",
};
