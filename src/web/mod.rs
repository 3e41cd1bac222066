//! The page for the projector and the teacher's console.
//!
//! Two addresses, two routers: what is served on the audience's address knows only the hub, whose page has no room for a
//! secret; the [`console_state::ConsoleState`], which knows who is who, is behind the console's token.
//!
//! The dealer records into a [`table_publisher::TablePublisher`], which never waits. It looks at two `Requests` in passing, for a round and for a tally, and sends nothing that is not asked for: a page that is busy costs the dealer
//! nothing. `Presenter`, on a thread of its own, shows the steps of one round at a pace people can follow, and changes
//! the `Page`; `Hub` numbers each change, writes it once, and hands it to everyone who watches. No type of the page
//! has room for a GitHubId. An event has an `EventPublisher` that makes a `TablePublisher` for each table; the
//! `Presenter` puts their tallies together, so that one ranking and one race come of them.

mod audience;
mod console;
mod console_error;
mod console_lobby;
mod console_overview;
mod console_show;
mod console_state;
mod day;
mod event_publisher;
mod hub;
mod listen;
mod messages;
mod page;
mod page_changes;
mod presenter;
mod qr;
mod refusal_list;
mod replay;
mod reply_times;
mod room;
mod show_settings;
mod table_publisher;

pub use console_lobby::{AwaitingPlayer, LobbyDesk, LobbyTerms, MissingPlayer};
pub use console_state::{ConsoleState, Kind, Member};
pub use page::{GuestView, LobbyView, RosterView};
pub use qr::{QrCode, qr_code};
pub use replay::ReplayPage;
pub use room::Room;
pub use show_settings::{DEFAULT_MINUTES, HoleCards, MOST_MINUTES, ShowSettings};
