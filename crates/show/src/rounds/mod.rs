//! A recorded round for display: the public part, and its drama.

mod awards;
mod board;
mod display_step;
mod drama;
mod headline;
mod raise_war;
mod table_view;

pub use awards::{Award, Awards};
pub use board::{BoardRow, ExitRank, TournamentInfo, rank};
pub use display_step::{DisplayStep, DisplaySteps};
pub use drama::Drama;
pub use headline::headline;
pub use raise_war::RaiseWar;
pub use table_view::{ResultView, SeatView, TableView, WarView};
