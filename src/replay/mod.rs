//! Playing a recorded tournament again, and everything that is made from it: verification, round summaries, player
//! views and hand histories.

mod phh;
mod player;
mod summary;
mod verify;

pub use phh::phh;
pub use player::{Difference, HouseBots, HouseSide, Part, Rebuilt, Redo, RedoError, Watch, opponent};
pub use summary::{Dealt, Eyes, Happening, Message, Story, Teller, names};
pub use verify::{End, Verified, verify};
