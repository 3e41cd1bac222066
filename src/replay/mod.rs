//! Playing a recorded tournament again, and everything that is made from it: verification, round summaries, player
//! views and hand histories.

mod board;
mod ghost;
mod journal_player;
mod mismatch;
mod observer;
mod phh;
mod rebuilt;
mod round;
mod summary;
mod verify;

pub use board::{BoardRow, TournamentInfo, rank};
pub use ghost::{ChangedDecision, Comparison, RecordedDecision, RecordedView, Recording, RecordingError};
pub use journal_player::Replay;
pub use mismatch::{Mismatch, ReplayError};
pub use observer::{Observer, Segment};
pub use phh::phh;
pub use rebuilt::{HouseBotStates, HouseBots, RebuiltTournament};
pub use summary::{DealtPlayer, PlayerView, RoundEvent, RoundSummary, SummaryBuilder, WireMessage, names};
pub use verify::{JournalEnd, Verified, verify};
