//! The known misreadings of the rules, as changes of them.

use crate::blackjack::{AceWay, PlayedRules, RESHUFFLE_BELOW};
use crate::misreadings::Misreading;

/// A misreading, and the change that it makes to the rules.
pub(super) type MisreadRule = (Misreading, fn(&mut PlayedRules, &SeenArguments));

/// The bankroll of the first hand and the most hands of a game that a program prints.
#[derive(Clone, Copy, Debug)]
pub(super) struct SeenArguments {
    pub(super) bankroll: Option<u32>,
    pub(super) hands: u32,
}

/// The known misreadings. Some have several forms.
pub(super) const MISREAD_RULES: [MisreadRule; 20] = [
    (Misreading("arguments-ignored"), |rules, seen| rules.bankroll = seen.bankroll),
    (Misreading("arguments-ignored"), |rules, seen| rules.hands = Some(seen.hands)),
    (Misreading("arguments-ignored"), |rules, seen| {
        (rules.bankroll, rules.hands) = (seen.bankroll, Some(seen.hands))
    }),
    (Misreading("left-first"), |rules, _| rules.left_first = true),
    (Misreading("soft-ace-stays"), |rules, _| rules.aces = AceWay::Stays11),
    (Misreading("soft-flag-kept"), |rules, _| rules.aces = AceWay::StaysSoft),
    (Misreading("soft-flag-kept"), |rules, _| rules.aces = AceWay::AlwaysSoft),
    (Misreading("dealer-hits-soft-17"), |rules, _| rules.dealer_hits_soft_17 = true),
    (Misreading("natural-payout"), |rules, _| rules.natural_pays = |bet| (3 * bet + 1) / 2),
    (Misreading("natural-payout"), |rules, _| rules.natural_pays = |bet| bet / 2 * 3),
    (Misreading("natural-payout"), |rules, _| rules.natural_pays = |bet| bet / 2),
    (Misreading("natural-payout"), |rules, _| rules.natural_pays = |bet| bet),
    (Misreading("natural-payout"), |rules, _| rules.natural_pays = |bet| 2 * bet),
    (Misreading("natural-payout"), |rules, _| rules.natural_pays = |_| 0),
    (Misreading("natural-pushes"), |rules, _| rules.natural_pushes = true),
    (Misreading("count-kept-at-shuffle"), |rules, _| rules.keeps_count = true),
    (Misreading("hole-never-counted"), |rules, _| rules.counts_hole = false),
    (Misreading("up-card-not-counted"), |rules, _| rules.counts_up_card = false),
    (Misreading("double-without-bankroll"), |rules, _| rules.doubles_when_poor = true),
    (Misreading("reshuffle-at-20"), |rules, _| rules.reshuffle_below = RESHUFFLE_BELOW + 1),
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
    fn the_page_has_a_sentence_for_every_misreading() {
        for (misreading, _) in MISREAD_RULES {
            assert!(misreading.says().ends_with('.'), "{misreading:?}");
        }
    }

    #[test]
    fn every_set_of_rules_plays_its_frozen_games() {
        let mut rows = String::new();
        for asked in GAMES {
            rows += &row("right", asked, &transcript(&[], asked));
        }
        for (at, rule) in MISREAD_RULES.iter().enumerate() {
            for asked in GAMES {
                rows += &row(&format!("{at}-{}", rule.0.code()), asked, &transcript(&[*rule], asked));
            }
            // With each later misreading that is not another form of this one.
            let mut pairs = String::new();
            let asked = AskedGame::counting(200, 300);
            for other in MISREAD_RULES[at + 1..].iter().filter(|other| other.0 != rule.0) {
                write!(pairs, "{}", transcript(&[*rule, *other], asked)).expect("a String takes every text");
            }
            rows += &row(&format!("{at}-{}-and-later", rule.0.code()), asked, &pairs);
        }
        assert!(rows == FROZEN, "\n{rows}");
    }
}
