//! The show of a day: recorded rounds as changes of the page. Nothing here knows HTTP; the state of the page and the order
//! of the show are in `casino-show`.
//!
//! The dealer records into an [`EventPublisher`], which never waits: it hands over the complete rounds that [`Requests`] asks for,
//! those of all tables at once. The [`Presenter`], on its own thread,
//! shows a round as a list of `Cue`s: rounds wait in the `ShowQueue`, the `ShowPlan` chooses their order and their time, the
//! `ShowClock` starts them, and the `PageWriter` changes the `Page`. A dealer in step with the show waits at the gate of its
//! controls. `PublishedPage` numbers the changes, and the [`Hub`] hands them to all viewers. No type of the page has a field
//! for a GitHubId.

mod console_overview;
#[cfg(test)]
mod failing_disk_tests;
mod hub;
mod messages;
#[cfg(test)]
mod minutes_tests;
mod page_writer;
mod presenter;
mod publisher;
mod recorded;
mod replay_coach;
mod replay_page;
#[cfg(test)]
mod replay_tests;
#[cfg(test)]
mod resume_tests;
mod resumed;
pub(crate) mod seat;

#[cfg(test)]
mod show_tests;
#[cfg(test)]
mod shown_players_tests;
#[cfg(test)]
mod spoiler_tests;
mod supervisor;

pub(crate) use console_overview::{Overview, tables_in_play};
pub(crate) use hub::Hub;
pub(crate) use messages::{PageMessage, Requests, open_show};
pub(crate) use presenter::Presenter;
pub use publisher::EventPublisher;
pub use replay_page::ReplayPage;
#[cfg(test)]
pub(crate) use show_tests::pages_of_a_show;
pub(crate) use supervisor::supervise;

/// Declares the types that the page, the replay and the console receive.
#[cfg(test)]
pub(crate) fn declare(types: &mut impl ts_rs::TypeVisitor) {
    types.visit::<seat::PlaceView>();
    types.visit::<Overview>();
    types.visit::<replay_page::Index>();
    types.visit::<replay_page::Jumps>();
    types.visit::<replay_page::ReplayCeremony>();
    types.visit::<replay_page::ReplayProgramme>();
    types.visit::<replay_page::ShownRound>();
    types.visit::<replay_page::CoachAnswer>();
    types.visit::<replay_coach::ShownDecision>();
}
