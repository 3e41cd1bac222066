//! Playing a recorded tournament again, and everything that is made from it: verification, round summaries, player
//! views and hand histories.

mod board;
mod ghost;
mod phh;
mod player;
mod summary;
mod verify;

pub use board::{BoardRow, TournamentInfo, rank};
pub use ghost::{ChangedDecision, Comparison, RecordedDecision, RecordedView, Recording, RecordingError};
pub use phh::phh;
pub use player::{
    HouseBotStates, HouseBots, Mismatch, Observer, RebuiltTournament, Replay, ReplayError, Segment,
};
pub use summary::{DealtPlayer, PlayerView, RoundEvent, RoundSummary, SummaryBuilder, WireMessage, names};
pub use verify::{JournalEnd, Verified, verify};
