//! Ways to settle a hand: what is said about it, and what the bankroll becomes.

use super::said::Said;
use crate::misreadings::evidence::{Reading, Theme, known};

#[derive(Clone, Copy, Debug)]
pub(super) struct Settled {
    pub(super) said: Said,
    pub(super) bet: i64,
    /// Whether the dealer's first two cards are worth 21.
    pub(super) dealers_21: bool,
}

impl Settled {
    /// What the document adds to the bankroll.
    fn won(&self) -> i64 {
        match self.said {
            Said::Natural => 3 * self.bet / 2,
            Said::PlayerBusts | Said::DealerWins => -self.bet,
            Said::DealerBusts | Said::PlayerWins => self.bet,
            _ => 0,
        }
    }

    fn natural(&self, pays: i64) -> i64 {
        if matches!(self.said, Said::Natural) { pays } else { self.won() }
    }

    /// Whether the bankroll became what the document says.
    pub(super) fn is_right(&self, won: i64) -> bool {
        won == self.won()
    }
}

pub(super) type Payment = (Reading, fn(&Settled) -> i64);

/// The known wrong ways to pay.
pub(super) const WRONG: [Payment; 14] = [
    known("natural-pays-once", "A natural 21 pays the wager; it pays three halves of it.", |s| {
        s.natural(s.bet)
    }),
    known("natural-pays-double", "A natural 21 pays twice the wager; it pays three halves of it.", |s| {
        s.natural(2 * s.bet)
    }),
    known("natural-rounded-up", "A natural 21 is rounded up; three halves of 5 are 7.", |s| {
        s.natural((3 * s.bet + 1) / 2)
    }),
    known(
        "natural-halved-first",
        "A natural 21 pays the wager halved and then tripled; (3 * 5) / 2 is 7.",
        |s| s.natural(s.bet / 2 * 3),
    ),
    known("natural-with-wager", "A natural 21 pays five halves of the wager; it pays three halves.", |s| {
        s.natural(s.bet + 3 * s.bet / 2)
    }),
    known("natural-pays-nothing", "A natural 21 pays nothing; it pays three halves of the wager.", |s| {
        s.natural(0)
    }),
    known(
        "natural-pushes",
        "A natural 21 pays nothing against a dealer's 21 of two cards; it pays whatever the dealer holds.",
        |s| s.natural(if s.dealers_21 { 0 } else { 3 * s.bet / 2 }),
    ),
    known("bust-costs-nothing", "A player who busts loses nothing; it loses the wager.", |s| {
        if matches!(s.said, Said::PlayerBusts) { 0 } else { s.won() }
    }),
    known("dealer-bust-pays-nothing", "A dealer who busts pays nothing; the player wins the wager.", |s| {
        if matches!(s.said, Said::DealerBusts) { 0 } else { s.won() }
    }),
    known("push-costs", "A push costs the wager; it leaves the bankroll as it is.", |s| {
        if matches!(s.said, Said::Push) { -s.bet } else { s.won() }
    }),
    known("push-pays", "A push pays the wager; it leaves the bankroll as it is.", |s| {
        if matches!(s.said, Said::Push) { s.bet } else { s.won() }
    }),
    known("double-pays-single", "A doubled bet wins only the minimum; it wins what was bet.", |s| {
        if matches!(s.said, Said::DealerBusts | Said::PlayerWins) { 5 } else { s.won() }
    }),
    known("double-costs-single", "A doubled bet costs only the minimum; it costs what was bet.", |s| {
        if s.won() < 0 { -5 } else { s.won() }
    }),
    known(
        "double-counts-single",
        "A doubled bet wins and costs only the minimum; it is what was bet.",
        |s| {
            if s.won().abs() == s.bet { s.won().signum() * 5 } else { s.won() }
        },
    ),
];

pub(super) const THEME: Theme = Theme {
    code: "money",
    what: "changes of the bankroll",
    rule: "A win adds the wager, a loss takes it, a push leaves the bankroll as it is, and a natural 21 adds three \
           halves of the wager, rounded down.",
};

/// The totals of a hand that both have played.
#[derive(Clone, Copy, Debug)]
pub(super) struct FinalTotals {
    pub(super) player: u32,
    pub(super) dealer: u32,
    pub(super) dealers_two: bool,
}

impl FinalTotals {
    /// The line that the document prints.
    pub(super) fn result(&self) -> Said {
        match self.dealer {
            22.. => Said::DealerBusts,
            dealer if dealer > self.player => Said::DealerWins,
            dealer if dealer < self.player => Said::PlayerWins,
            _ => Said::Push,
        }
    }
}

pub(super) type ResultReading = (Reading, fn(&FinalTotals) -> Said);

pub(super) const RESULT_WRONG: [ResultReading; 6] = [
    known("push-to-dealer", "The dealer wins equal totals; they are a push.", |t| match t.result() {
        Said::Push => Said::DealerWins,
        result => result,
    }),
    known("push-to-player", "The player wins equal totals; they are a push.", |t| match t.result() {
        Said::Push => Said::PlayerWins,
        result => result,
    }),
    known(
        "dealer-natural-beats-21",
        "A dealer's 21 of two cards beats the player's 21; equal totals are a push.",
        |t| if t.dealers_two && t.dealer == 21 { Said::DealerWins } else { t.result() },
    ),
    known(
        "dealer-bust-unsaid",
        "The dealer's bust is announced as a win of the player; it is \"Dealer busts\".",
        |t| match t.result() {
            Said::DealerBusts => Said::PlayerWins,
            result => result,
        },
    ),
    known("dealer-21-busts", "The dealer busts with 21; it busts over 21.", |t| match t.dealer {
        21 => Said::DealerBusts,
        _ => t.result(),
    }),
    known("dealer-bust-wins", "The dealer wins with a total over 21; it busts.", |t| match t.result() {
        Said::DealerBusts => Said::DealerWins,
        result => result,
    }),
];

pub(super) const RESULT_THEME: Theme = Theme {
    code: "results",
    what: "results",
    rule: "The dealer over 21 busts; else the higher total wins and equal totals push. A dealer's 21 of two cards is \
           nothing special.",
};
