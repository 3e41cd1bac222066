//! The settings of a table.

use serde::{Deserialize, Serialize};

use crate::stud::Rules;

/// The cost of a foul.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OnFoul {
    /// The player is out of the game (R18).
    #[default]
    Eject,
    /// The player is folded and plays on, as in a rehearsal (R19). It is out all the same if its connection is of no use.
    Fold,
}

/// The settings of a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableSettings {
    /// The amounts and options of the game.
    pub rules: Rules,
    /// The cost of a foul.
    pub on_foul: OnFoul,
}
