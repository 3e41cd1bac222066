//! The three abstract data types of the document.

use super::faults::{DECK_FAULTS, Fault, HAND_FAULTS, PLAYER_FAULTS};
use super::script::{AdtModel, AdtScript};
use super::{deck, hand, players};
use crate::grade::CaseSettings;

/// One of the abstract data types, and everything by which it is judged.
#[derive(Clone, Copy)]
pub(super) struct AdtKind {
    /// What its files and the names of its behaviours begin with.
    pub(super) key: &'static str,
    /// What the names of the students' test cases begin with.
    pub(super) cases: &'static str,
    /// The title of its part of the report.
    pub(super) title: &'static str,
    /// What one of them is called in a sentence.
    pub(super) noun: &'static str,
    pub(super) file: &'static str,
    /// What else is linked, by the names of our objects.
    pub(super) needs: &'static [&'static str],
    pub(super) driver: &'static str,
    pub(super) scripts: fn(&CaseSettings) -> Vec<AdtScript>,
    pub(super) right: fn() -> Box<dyn AdtModel>,
    pub(super) code: fn(&str) -> String,
    /// The faulty implementations that students' test cases have to find.
    pub(super) faults: &'static [Fault],
}

pub(super) const KINDS: [AdtKind; 3] = [
    AdtKind {
        key: "deck",
        cases: "deck.case.",
        title: "Deck",
        noun: "deck",
        file: "deck.cpp",
        needs: &["card"],
        driver: "deck_driver.cpp",
        scripts: deck::scripts,
        right: deck::right,
        code: deck::code,
        faults: &DECK_FAULTS,
    },
    AdtKind {
        key: "hand",
        cases: "hand.case.",
        title: "Hand",
        noun: "hand",
        file: "hand.cpp",
        needs: &["card"],
        driver: "hand_driver.cpp",
        scripts: hand::scripts,
        right: hand::right,
        code: hand::code,
        faults: &HAND_FAULTS,
    },
    AdtKind {
        key: "player",
        cases: "player.case.",
        title: "Players",
        noun: "player",
        file: "player.cpp",
        needs: &["card", "hand"],
        driver: "player_driver.cpp",
        scripts: players::scripts,
        right: players::right,
        code: players::code,
        faults: &PLAYER_FAULTS,
    },
];
