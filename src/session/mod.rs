//! A day of tournaments, from what somebody wants to the result: how it begins, how it goes on after it was stopped,
//! and who is shown what. It knows neither flags nor exit codes; what it has to say goes to [`Notices`].

mod conclusion;
mod context;
mod day;
mod error;
mod files;
mod gather;
mod lobby_view;
mod notices;
mod options;
mod report_files;
mod resume;
mod tournament;
mod tournament_info;

pub use conclusion::Conclusion;
pub use day::NewDay;
pub use error::SessionError;
pub(crate) use files::ProgramFolder;
pub use notices::{LobbyChange, LobbyNotice, Notice, Notices, StoppedTournament, TournamentStart};
pub(crate) use options::NO_LIMIT;
pub use options::{DEFAULT_STACK, NewTournament, Options};
pub(crate) use report_files::{REPLAY, write_report};
pub use resume::resume;
pub(crate) use tournament::limits;
