//! The page for the projector and the teacher's console.
//!
//! The dealer records into a [`table_publisher::TablePublisher`], which never waits. A thread of its own shows one round at a time at a pace
//! people can follow, and hands numbered changes to everyone who watches. Two addresses, two routers: what is
//! served on the audience's address knows only the hub, whose page has no room for a secret; the
//! [`console_state::ConsoleState`], which knows who is who, is behind the console's token.

mod audience;
mod console;
mod console_error;
mod console_state;
mod day;
mod event_publisher;
mod hub;
mod listen;
mod messages;
mod page;
mod page_changes;
mod presenter;
mod replay;
mod reply_times;
mod room;
mod table_publisher;

pub use console_state::{ConsoleState, Kind, Member};
pub use page::{GuestView, LobbyView};
pub use replay::ReplayPage;
pub use room::Room;
