//! A day of tournaments: how it begins, how it goes on, and who is shown what.

mod failure;
mod gather;
mod options;
pub(crate) mod output;
mod recorders;
mod report_files;
mod resume;
mod running;
mod setup;
mod tournament_info;

pub(crate) use failure::Failure;
pub(crate) use gather::{gather, host};
pub(crate) use options::{Display, NO_LIMIT, NewTournament, Presentation};
pub(crate) use output::Output;
pub(crate) use report_files::{REPLAY, write as write_report};
pub(crate) use resume::Resume;
pub(crate) use running::{Folder, Running, jobs, limits, threads};
pub(crate) use setup::Setup;
