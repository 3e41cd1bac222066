//! The state of the page, and the changes that rounds and levels make.

mod capture;
mod level_view;
mod lobby_view;
mod page;
mod page_changes;
mod picture;
mod predictions;
mod published_page;
mod sections;
mod table_chances;
mod table_round;

pub use capture::Capture;
pub use level_view::{FinishedTournament, LevelView, last_of_series, level_view};
pub use lobby_view::{GuestView, LobbyView, QrCode, RosterView};
pub use page::{HallTable, HallView, News, NewsItem, Page, Phase, Scoreboard};
use page_changes::ToldNews;
pub use page_changes::{exits, follow, pause_after, players_in, show_deal, show_end, show_step, time_of};
pub use picture::Part;
pub use predictions::{
    JudgedAnswer, PredictedEvent, PredictionError, PredictionForm, PredictionStage, Predictions,
    PredictionsView, Prophet, ProphetResult, TrueAnswers,
};
pub use published_page::PublishedPage;
pub use sections::{
    Ceremony, ExitView, Followed, FollowedRound, PlayerExit, PlayerPage, Programme, SeriesPart, ShowMode,
    ShowView, Stage, Taker,
};
pub use table_chances::leave_chances_out;
pub use table_round::{TableRound, TableTally, TvHoles};
