//! The page for the projector and the teacher's console.
//!
//! Two addresses, two routers: what is served on the audience's address knows only the hub, whose page has no room for a
//! secret; the [`console_state::ConsoleState`], which knows who is who, is behind the console's token.
//!
//! The dealer records into a [`table_publisher::TablePublisher`], which never waits. It looks at `Requests` once a round
//! and hands over complete rounds that are asked for, when they have been recorded; of the others it only counts: a page
//! that is busy costs the dealer nothing. An event has an `EventPublisher`, which hands over the same round of all its
//! tables at once. `Presenter`, on a thread of its own, shows a round as a list of `Cue`s: what has come waits in the
//! `ShowQueue`, the `ShowPlan` chooses what is shown and for how long, the `ShowClock` says when, and the `ShowPage` changes
//! the `Page`. Where the dealer keeps in step with the show, it waits at the gate in `server::ControlHandle` for leave.
//! `PublishedPage` finds what a change has changed and numbers it, and `Hub` hands it to everyone who watches. No type of
//! the page has room for a GitHubId.

mod audience;
mod capture;
mod console;
mod console_error;
mod console_lobby;
mod console_overview;
mod console_show;
mod console_state;
mod day;
mod director;
mod event_publisher;
#[cfg(test)]
mod failing_disk_tests;
mod hub;
mod in_memory;
mod listen;
mod lobby_desk;
mod messages;
mod page;
mod page_changes;
mod predictions;
mod presenter;
mod published_page;
mod qr;
mod recorded;
mod refusal_list;
mod replay;
mod replay_coach;
mod replay_show;
mod reply_times;
mod room;
mod sections;
mod show_clock;
mod show_page;
mod show_plan;
mod show_queue;
mod show_settings;
#[cfg(test)]
mod show_tests;
mod supervisor;
mod table_chances;
mod table_publisher;
mod time_budget;

pub use console_state::ConsoleState;
pub use hub::Viewer;
pub use in_memory::{Address, MemoryConsole, SecretTournament, answer};
pub use lobby_desk::{AwaitingPlayer, Kind, LobbyDesk, LobbyTerms, Member, MissingPlayer};
pub(crate) use page::{EventTable, Page, Phase};
pub use page::{GuestView, LobbyView, RosterView};
pub use qr::{QrCode, qr_code};
pub use replay::ReplayPage;
pub use room::Room;
pub(crate) use sections::{Ceremony, ExitView, ShowMode, Stage};
pub use show_settings::{DEFAULT_MINUTES, HoleCards, MOST_MINUTES};
#[cfg(test)]
pub(crate) use show_tests::pages_of_a_show;
pub use table_chances::leave_chances_out;
