//! Something that is shown, and how long.

use std::sync::Arc;
use std::time::Duration;

use casino_stud::replay::DisplayStep;

use super::messages::TableRound;
use super::sections::{Ceremony, ExitView, ShowMode};

/// The rounds of the same number at all tables that played it.
pub(super) type Rounds = Vec<Arc<TableRound>>;

/// Something that is shown, and how long.
pub(super) enum Cue {
    /// A step of a round, this many times as slowly as usual.
    Step(Arc<TableRound>, DisplayStep, f64),
    /// A round has been shown: everything on the page stands as after it. Its exits follow.
    Over(Rounds),
    /// These rounds pass in a montage, in this time.
    Montage(Vec<Rounds>, Duration),
    Exit(Option<Box<ExitView>>, Duration),
    /// Why the next round is shown.
    Mode(ShowMode, Option<String>),
    Ceremony(Ceremony, Duration),
    Podium,
}
