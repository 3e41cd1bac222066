//! The output of programs during a rating.

use std::fs;
use std::path::PathBuf;

use super::Failure;
use super::output::remark;

/// The temporary folder for the outputs of programs.
pub(super) struct RatingOutputFolder(PathBuf);

impl RatingOutputFolder {
    pub(super) fn new() -> RatingOutputFolder {
        RatingOutputFolder(std::env::temp_dir().join(format!("casino-rate-{}", std::process::id())))
    }

    /// The folder of one of several programs that play at the same time, from 1.
    pub(super) fn folder_of(&self, job: usize) -> Result<PathBuf, Failure> {
        let folder = self.0.join(format!("thread-{job}"));
        fs::create_dir_all(&folder).map_err(|error| {
            Failure::Usage(format!("the folder {} cannot be made: {error}", folder.display()))
        })?;
        Ok(folder)
    }

    /// Prints where the outputs are if they are wanted, and removes them otherwise.
    pub(super) fn close(self, wanted: bool) {
        if wanted {
            remark(&format!("The programs' output is in {}.", self.0.display()));
            return;
        }
        // A folder of a few log files that cannot be removed is no reason to fail.
        let _ = fs::remove_dir_all(&self.0);
    }
}
