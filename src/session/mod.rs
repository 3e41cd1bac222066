//! A day of tournaments, from the options to the result: how it begins, how it is resumed, and its displays. It knows
//! neither flags nor exit codes; messages go to [`DayNotices`], which also open the displays ([`Showing`]). Commands of
//! the teacher come back through [`ConsoleState`].

mod chairs;
mod conclusion;
mod console;
mod context;
mod day;
mod error;
mod files;
mod gather;
mod late_players;
mod lobby_view;
mod more_play;
mod notices;
mod options;
mod player_roster;
mod program_outputs;
mod reachable;
mod report_files;
mod resume;
mod resume_lobby;
mod showing;
mod substitutes;
mod time_bank_notices;
mod tournament;
mod unfinished;

pub(crate) use chairs::{ChairGrant, ChairLink, ChairRow, NoChair};
pub use chairs::{ChairRegistry, MAX_CHAIRS, PersonSeat};
pub use conclusion::Conclusion;
pub use console::{AwaitingPlayer, ConsoleState, LobbyFeed, LobbyTerms, Member, MissingPlayer, ShowMinutes};
pub(crate) use console::{
    ConsoleDay, ConsoleError, DayPhase, LatePlayer, PlayerReplyTimes, RefusedClient, Replies, State,
};
pub(crate) use context::drawn_key;
pub use day::NewDay;
pub(crate) use day::open_places;
pub use error::SessionError;
pub(crate) use files::numbered;
pub use late_players::LatePlayers;
pub use more_play::MorePlay;
pub use notices::{
    DayNotice, DayNotices, LobbyChange, LobbyNotice, RecordedProgram, StoppedTournament, TournamentStart,
};
pub(crate) use options::LOCALHOST_FREE_PORT;
pub use options::{DEFAULT_STACK, NewTournament, Options};
pub use player_roster::PlayerRoster;
pub use program_outputs::PlayedProgram;
pub(crate) use reachable::{open_page, open_to, page_url, terminal_code, typed_addresses};
pub(crate) use report_files::{ReportWishes, write_report};
pub use resume::resume;
pub(crate) use showing::first_shown_again;
pub use showing::{Interruption, Opening, Showing};
pub use substitutes::{LadderPlayer, Substitute};
pub(crate) use unfinished::newest_unfinished;
