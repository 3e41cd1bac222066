//! A practice ladder in one folder: players, the versions of their programs, matches of equal deals between them, and ratings
//! that follow from the set of matches alone.
//!
//! ```toml
//! [dependencies]
//! casino-ladder = "0.1"
//! ```
//!
//! # The folder
//! `ladder.db` is an SQLite database, `matches/NAME.jsonl` the journal of each match, `submissions/NUMBER` the
//! submission of the version of this number, `said/` the programs' output for their authors. A [`Ladder`] is a handle
//! to it; many can be open at a time, in any number of processes, to read and for small writes. Only one process can
//! play in the folder, with [`Ladder::serve`].
//!
//! # Time
//! This package reads no clock: the caller passes the time in milliseconds since 1970.
//!
//! ```
//! use casino_ladder::{Ladder, NewVersion, VersionKind};
//!
//! # let folder = std::env::temp_dir().join(format!("casino-ladder-doc-{}", std::process::id()));
//! let mut ladder = Ladder::create(&folder)?;
//! let ada = ladder.add_player("Ada", Some("ada-l"), 0)?;
//! ladder.add_house_bots(0)?;
//! assert_eq!(ladder.player(ada)?.name, "Ada");
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod backup;
mod database;
mod error;
mod folder;
mod intake;
mod jobs;
mod keys;
mod matches;
mod model;
mod outputs;
mod plan;
mod play;
mod players;
mod proof;
mod rating;
mod reading;
mod schedule;
mod service;
mod settings;
mod standing;
mod verify;
mod versions;
mod workshop;

pub use database::on_long_wait;
pub use error::LadderError;
pub use folder::Ladder;
pub use intake::HandedInBy;
pub use jobs::{JobNews, Jobs, Lane, WaitingRoom};
pub use keys::drawn_key;
pub use model::{
    Match, MatchFilter, MatchFoul, MatchId, MatchKind, MatchSeat, MatchState, PlayerId, PlayerRecord,
    SeatResult, Version, VersionId, VersionKind, VersionState,
};
pub use plan::{MatchPlan, MatchTerms, PlayedMatch};
pub(crate) use plan::{PlannedSeat, SeatSource};
pub use play::Connections;
pub(crate) use play::PlayError;
pub use proof::{ProofError, prove};
pub use rating::{
    Comparison, FIRST_VERSION_SPREAD, INTERVAL_WIDTH_FACTOR, NEXT_VERSION_SPREAD, RatedMatch, RatedSeat,
    RatedVersion, Ratings, VersionRating, compare, rate,
};
pub use schedule::{Candidate, next_table};
pub use service::MatchEnd;
pub use settings::{Quotas, Settings};
pub use verify::VerifiedLadder;
pub use versions::NewVersion;
pub use workshop::{VersionCheck, Workshop};
