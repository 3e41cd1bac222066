//! The known misreadings of the rules, as changes of them.

use crate::blackjack::{AceWay, PlayedRules, RESHUFFLE_BELOW};
use crate::misreadings::{Misreading, known};

/// A misreading, and the change that it makes to the rules.
pub(super) type MisreadRule = (Misreading, fn(&mut PlayedRules, &SeenArguments));

/// The bankroll of the first hand and the most hands of a game that a program prints.
#[derive(Clone, Copy, Debug)]
pub(super) struct SeenArguments {
    pub(super) bankroll: Option<u32>,
    pub(super) hands: u32,
}

const ARGUMENTS_IGNORED: Misreading = known(
    "arguments-ignored",
    "The bankroll or the number of hands on the command line is ignored; both come from the arguments.",
);

const NATURAL_PAYOUT: Misreading = known(
    "natural-payout",
    "A natural 21 pays something else than 3 to 2; it pays three halves of the bet rounded down, 7 for 5 and 15 for 10.",
);

const SOFT_FLAG_KEPT: Misreading = known(
    "soft-flag-kept",
    "A hand with an ace is taken for soft although the ace counts 1; then the rules of hard hands apply.",
);

/// The known misreadings. Some have several forms.
pub(super) const MISREAD_RULES: [MisreadRule; 20] = [
    (ARGUMENTS_IGNORED, |rules, seen| rules.bankroll = seen.bankroll),
    (ARGUMENTS_IGNORED, |rules, seen| rules.hands = Some(seen.hands)),
    (ARGUMENTS_IGNORED, |rules, seen| (rules.bankroll, rules.hands) = (seen.bankroll, Some(seen.hands))),
    (
        known(
            "left-first",
            "A cut begins with the first card of the left part; it is the first card of the right part, then the first of the left.",
        ),
        |rules, _| rules.left_first = true,
    ),
    (
        known(
            "soft-ace-stays",
            "An ace that once counted 11 keeps counting 11; it counts 1 as soon as the hand would be over 21.",
        ),
        |rules, _| rules.aces = AceWay::Stays11,
    ),
    (SOFT_FLAG_KEPT, |rules, _| rules.aces = AceWay::StaysSoft),
    (SOFT_FLAG_KEPT, |rules, _| rules.aces = AceWay::AlwaysSoft),
    (
        known(
            "dealer-hits-soft-17",
            "The dealer draws another card with a soft 17; it stops at 17, hard or soft.",
        ),
        |rules, _| rules.dealer_hits_soft_17 = true,
    ),
    (NATURAL_PAYOUT, |rules, _| rules.natural_pays = |bet| (3 * bet + 1) / 2),
    (NATURAL_PAYOUT, |rules, _| rules.natural_pays = |bet| bet / 2 * 3),
    (NATURAL_PAYOUT, |rules, _| rules.natural_pays = |bet| bet / 2),
    (NATURAL_PAYOUT, |rules, _| rules.natural_pays = |bet| bet),
    (NATURAL_PAYOUT, |rules, _| rules.natural_pays = |bet| 2 * bet),
    (NATURAL_PAYOUT, |rules, _| rules.natural_pays = |_| 0),
    (
        known(
            "natural-pushes",
            "A natural 21 wins nothing against a dealer's 21 of two cards; it wins against any dealer's hand.",
        ),
        |rules, _| rules.natural_pushes = true,
    ),
    (
        known(
            "count-kept-at-shuffle",
            "The counting player keeps its count at a shuffle; it begins at 0 after each shuffle.",
        ),
        |rules, _| rules.keeps_count = true,
    ),
    (
        known(
            "hole-never-counted",
            "The counting player does not count the hole card when it is shown; it counts every card turned up.",
        ),
        |rules, _| rules.counts_hole = false,
    ),
    (
        known(
            "up-card-not-counted",
            "The counting player does not count the dealer's first card; it counts every card turned up.",
        ),
        |rules, _| rules.counts_up_card = false,
    ),
    (
        known(
            "double-without-bankroll",
            "The counting player doubles with a bankroll below 10; it doubles only if it has twice the minimum.",
        ),
        |rules, _| rules.doubles_when_poor = true,
    ),
    (
        known(
            "reshuffle-at-20",
            "The deck is shuffled with 20 cards left too; it is shuffled with strictly fewer than 20 cards left.",
        ),
        |rules, _| rules.reshuffle_below = RESHUFFLE_BELOW + 1,
    ),
];

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use super::super::written::AskedGame;
    use super::*;

    /// The transcripts of the right rules and of each misreading, each game in a row: the rules, the game, the lines and the
    /// FNV-1a hash of the transcript. A game whose deck is empty before its end has no closing line. The rows were printed by a
    /// model that was written apart from the game.
    const FROZEN: &str = include_str!("transcripts.txt");

    const SEEN: SeenArguments = SeenArguments { bankroll: Some(77), hands: 33 };

    const GAMES: [AskedGame; 6] = [
        AskedGame::simple(100, 3),
        AskedGame::simple(4, 10),
        AskedGame::simple(300, 400),
        AskedGame::counting(9, 10_000),
        AskedGame::counting(14, 10_000),
        AskedGame::counting(10_000, 5_000),
    ];

    fn transcript(misread: &[MisreadRule], asked: AskedGame) -> String {
        let mut rules = PlayedRules::RIGHT;
        misread.iter().for_each(|(_, change)| change(&mut rules, &SEEN));
        let mut text = String::new();
        let _ = asked.play(&rules, &mut |line| {
            text += &format!("{line}\n");
            Ok(())
        });
        text
    }

    fn hash_of(text: &str) -> u64 {
        let step = |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        text.bytes().fold(0xcbf2_9ce4_8422_2325, step)
    }

    /// A row for the games of one set of rules.
    fn row(name: &str, asked: AskedGame, text: &str) -> String {
        let AskedGame { bankroll, hands, .. } = asked;
        let lines = text.lines().count();
        format!("{name} {bankroll} {hands} {} {lines} {:016x}\n", asked.player(), hash_of(text))
    }

    #[test]
    fn every_set_of_rules_plays_its_frozen_games() {
        let mut rows = String::new();
        for asked in GAMES {
            rows += &row("right", asked, &transcript(&[], asked));
        }
        for (at, rule) in MISREAD_RULES.iter().enumerate() {
            for asked in GAMES {
                rows += &row(&format!("{at}-{}", rule.0.code), asked, &transcript(&[*rule], asked));
            }
            // With each later misreading that is not another form of this one.
            let mut pairs = String::new();
            let asked = AskedGame::counting(200, 300);
            for other in MISREAD_RULES[at + 1..].iter().filter(|other| other.0.code != rule.0.code) {
                write!(pairs, "{}", transcript(&[*rule, *other], asked)).expect("a String takes every text");
            }
            rows += &row(&format!("{at}-{}-and-later", rule.0.code), asked, &pairs);
        }
        assert!(rows == FROZEN, "\n{rows}");
    }
}
