//! Playing a recorded tournament again, and everything for people that is made of its rounds.
//!
//! [`PublicRound`] reads the events of a table, live or recorded, and turns them into [`PublicEvent`]s, which have no
//! field for a secret. `casino-show` makes a display of these. [`SummaryBuilder`] adds the private parts, which only a
//! finished tournament may reveal: texts, hand histories and reports are made of its [`RoundSummary`].

mod fouls;
mod journal_player;
mod lines_ahead;
mod mismatch;
mod observer;
mod player_view;
mod printer;
mod public_record;
mod public_round;
mod rebuilt;
mod round;
mod summary;
mod text;
mod verify;

pub use journal_player::Replay;
pub use mismatch::{Mismatch, ReplayError};
pub use observer::{Observer, Segment};
pub use player_view::{PlayerView, WireMessage};
pub use printer::{RoundPrinter, RoundSelection, TurnNotes};
pub use public_record::{PublicRecord, PublicRecordError};
pub use public_round::{DealtSeat, ExitKind, PublicDeal, PublicEvent, PublicExit, PublicRound, RoundEnd};
pub use rebuilt::{HouseBotStates, HouseBots, RebuiltTournament};
pub use summary::{DealtPlayer, PrivateNote, RoundSummary, SummaryBuilder, house_bots, names};
pub use text::Paint;
pub use verify::{JournalEnd, Verified, verify};
