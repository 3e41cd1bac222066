//! The page for the projector and the teacher's console. The page's state and the order of the show are in `casino-show`.
//!
//! Two addresses, two routers: what is served on the audience's address knows only the hub, whose page has no room for a
//! secret; the `ConsoleState` of the session, which knows who is who, is behind the console's token.
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
mod built_again;
mod console;
mod console_overview;
mod event_publisher;
#[cfg(test)]
mod failing_disk_tests;
mod hub;
mod in_memory;
mod listen;
mod messages;
#[cfg(test)]
mod minutes_tests;
mod presenter;
mod recorded;
mod replay;
mod replay_coach;
mod replay_file;
#[cfg(test)]
mod replay_tests;
#[cfg(test)]
mod resume_tests;
mod room;
mod seat;
mod show_page;
#[cfg(test)]
mod show_tests;
#[cfg(test)]
mod shown_players_tests;
#[cfg(test)]
mod spoiler_tests;
mod supervisor;
mod table_publisher;

pub(crate) use audience::{PageFile, guarded, key_of, routed};
pub use in_memory::{Address, MemoryConsole, SecretTournament, answer};
#[cfg(test)]
pub(crate) use listen::answer_in_memory;
pub(crate) use listen::{ServingLimits, serve};
pub use replay::ReplayPage;
pub use room::Room;
pub(crate) use seat::LESSONS;
#[cfg(test)]
pub(crate) use show_tests::pages_of_a_show;

/// Declares the types that the page, the replay and the console receive.
#[cfg(test)]
pub(crate) fn declare(types: &mut impl ts_rs::TypeVisitor) {
    types.visit::<seat::PlaceView>();
    types.visit::<console_overview::Overview>();
    types.visit::<replay::Index>();
    types.visit::<replay::Jumps>();
    types.visit::<replay::ReplayCeremony>();
    types.visit::<replay::ReplayProgramme>();
    types.visit::<replay::ShownRound>();
    types.visit::<replay::CoachAnswer>();
    types.visit::<replay_coach::ShownDecision>();
}
