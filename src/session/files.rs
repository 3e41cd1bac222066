//! The files of a day: which folder they are in and what they are called.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use super::SessionError;

/// The folder that takes the output of started programs.
#[derive(Clone, Debug)]
pub(crate) struct ProgramFolder {
    path: PathBuf,
    is_temporary: bool,
}

impl ProgramFolder {
    /// This folder, or a temporary one where none is given; a temporary one is made only if it is needed.
    pub(crate) fn new(given: Option<&Path>, needed: bool) -> Result<ProgramFolder, SessionError> {
        let (path, is_temporary) = match given {
            Some(folder) => (folder.to_path_buf(), false),
            None => (std::env::temp_dir().join(format!("casino-day-{}", std::process::id())), true),
        };
        if !is_temporary || needed {
            make(&path)?;
        }
        Ok(ProgramFolder { path, is_temporary })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn is_temporary(&self) -> bool {
        self.is_temporary
    }

    /// Removes the folder and what is in it.
    pub(super) fn remove(&self) {
        // A folder of a few log files that cannot be removed is no reason to fail.
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// Makes a folder and those it is in.
pub(super) fn make(folder: &Path) -> Result<(), SessionError> {
    fs::create_dir_all(folder).map_err(|source| SessionError::Folder { path: folder.to_path_buf(), source })
}

/// The file of this tournament of the day: the second one writes `journal-2.jsonl`.
pub(super) fn numbered(path: PathBuf, number: u32) -> PathBuf {
    if number == 1 {
        return path;
    }
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let name = match path.extension() {
        Some(extension) => format!("{stem}-{number}.{}", extension.to_string_lossy()),
        None => format!("{stem}-{number}"),
    };
    path.with_file_name(name)
}

/// Writes a line to a file that only its owner may read.
pub(super) fn write_private(path: &Path, line: &str) -> Result<(), SessionError> {
    let write = || -> io::Result<()> {
        let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path)?;
        writeln!(file, "{line}")
    };
    write().map_err(|error| SessionError::Write { path: path.to_path_buf(), source: error.into() })
}
