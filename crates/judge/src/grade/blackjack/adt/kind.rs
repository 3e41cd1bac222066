//! The three abstract data types of the document.

use super::script::{AdtModel, AdtScript};
use super::{deck, hand, players};
use crate::grade::CaseSettings;

/// One of the abstract data types, and everything by which it is judged.
#[derive(Clone, Copy)]
pub(super) struct AdtKind {
    /// The first word of its files and of the names of its behaviors.
    pub(super) key: &'static str,
    /// The title of its part of the report.
    pub(super) title: &'static str,
    pub(super) file: &'static str,
    /// The other objects of ours that are linked, by their names.
    pub(super) needs: &'static [&'static str],
    pub(super) scripts: fn(&CaseSettings) -> Vec<AdtScript>,
    pub(super) right: fn() -> Box<dyn AdtModel>,
    pub(super) code: fn(&str) -> String,
}

pub(super) const KINDS: [AdtKind; 3] = [
    AdtKind {
        key: "deck",
        title: "Deck",
        file: "deck.cpp",
        needs: &["card"],
        scripts: deck::scripts,
        right: deck::right,
        code: deck::code,
    },
    AdtKind {
        key: "hand",
        title: "Hand",
        file: "hand.cpp",
        needs: &["card"],
        scripts: hand::scripts,
        right: hand::right,
        code: hand::code,
    },
    AdtKind {
        key: "player",
        title: "Players",
        file: "player.cpp",
        needs: &["card", "hand"],
        scripts: players::scripts,
        right: players::right,
        code: players::code,
    },
];
