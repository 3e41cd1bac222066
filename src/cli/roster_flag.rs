//! The flag that says who may log in.

use std::path::PathBuf;

use clap::Args;

use crate::session::PlayerRoster;
use casino_system::files::read;

use super::Failure;

/// Who may log in.
#[derive(Args, Clone)]
pub(crate) struct RosterArgs {
    /// Let in only who is on this list, each once: a CSV file with a header, the column github_id, and perhaps name
    /// for the name everyone sees
    #[arg(long, value_name = "FILE")]
    roster: Option<PathBuf>,
}

impl RosterArgs {
    /// The roster, if one is named.
    pub(super) fn read(&self) -> Result<Option<PlayerRoster>, Failure> {
        let Some(path) = &self.roster else { return Ok(None) };
        let wrong =
            |error: &dyn std::fmt::Display| Failure::Usage(format!("--roster {}: {error}", path.display()));
        let text = read(path).map_err(|error| wrong(&error))?;
        PlayerRoster::read(&text).map(Some).map_err(|error| wrong(&error))
    }
}
