//! Copying a student's folder without following anything in it.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use thiserror::Error;

use casino_system::files::sync_names;
use casino_system::foreign_files::{let_all_read, link, may_be_executed, open_regular};

/// The most entries a folder may have, so that copying ends.
const MAX_ENTRIES: usize = 50_000;

const MAX_FOLDER_DEPTH: usize = 100;

/// The most bytes of the files in a submitted folder.
pub(crate) const MAX_SUBMISSION_BYTES: u64 = 1 << 30;

#[derive(Debug, Error)]
pub(crate) enum CopyError {
    /// It exceeds the limits of a submission: it does so on every machine.
    #[error("{0}")]
    TooMuch(String),
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl From<CopyError> for io::Error {
    fn from(error: CopyError) -> io::Error {
        match error {
            CopyError::TooMuch(why) => io::Error::other(why),
            CopyError::Io(error) => error,
        }
    }
}

/// Copies a submission durably to a new place, up to this many bytes.
pub fn copy_handed_in(from: &Path, to: &Path, most: u64) -> io::Result<()> {
    let from = from.canonicalize()?;
    let mut copying = Copying { entries: MAX_ENTRIES, bytes: most, most, durably: true };
    if from.is_dir() {
        fs::create_dir(to)?;
        let_all_read(to, true)?;
        copying.folder(&from, to, 0)?;
    } else {
        copying.file(&from, to)?;
    }
    sync_names(to)
}

/// Copies the content of a folder into another existing one, at most this many bytes. Links are copied as links and
/// never followed; pipes, sockets and devices are left out. Everything becomes readable by everyone, because another
/// user may run it. Bytes are counted as they are read: a sparse file takes less of the disk than its copy would.
pub(crate) fn copy_folder(from: &Path, to: &Path, most: u64) -> Result<(), CopyError> {
    Copying { entries: MAX_ENTRIES, bytes: most, most, durably: false }.folder(from, to, 0)
}

struct Copying {
    entries: usize,
    bytes: u64,
    most: u64,
    durably: bool,
}

impl Copying {
    fn folder(&mut self, from: &Path, to: &Path, depth: usize) -> Result<(), CopyError> {
        if depth > MAX_FOLDER_DEPTH {
            return Err(CopyError::TooMuch(format!(
                "more than {MAX_FOLDER_DEPTH} folders are in one another"
            )));
        }
        for entry in fs::read_dir(from)? {
            let entry = entry?;
            let too_many = || CopyError::TooMuch(format!("more than {MAX_ENTRIES} files are in the folder"));
            self.entries = self.entries.checked_sub(1).ok_or_else(too_many)?;
            let (source, target) = (entry.path(), to.join(entry.file_name()));
            let kind = entry.file_type()?;
            if kind.is_symlink() {
                copy_link(&source, &target)?;
            } else if kind.is_dir() {
                fs::create_dir(&target)?;
                let_all_read(&target, true)?;
                self.folder(&source, &target, depth + 1)?;
            } else if kind.is_file() {
                self.file(&source, &target)?;
            }
        }
        if self.durably {
            sync_names(&to.join("its files"))?;
        }
        Ok(())
    }

    fn file(&mut self, source: &Path, target: &Path) -> Result<(), CopyError> {
        // The file may have been replaced by a link or a pipe since it was listed.
        let Some(from) = open_regular(source)? else { return Ok(()) };
        let about = from.metadata()?;
        if about.len() > self.bytes {
            return Err(self.too_large());
        }
        // It may grow while it is copied.
        let mut file = File::create_new(target)?;
        let copied = io::copy(&mut from.take(self.bytes.saturating_add(1)), &mut file)?;
        if self.durably {
            file.sync_all()?;
        }
        self.bytes = self.bytes.checked_sub(copied).ok_or_else(|| self.too_large())?;
        Ok(let_all_read(target, may_be_executed(&about))?)
    }

    fn too_large(&self) -> CopyError {
        CopyError::TooMuch(format!("its files have more than {} MiB", self.most >> 20))
    }
}

fn copy_link(source: &Path, target: &Path) -> io::Result<()> {
    link(&fs::read_link(source)?, target).map_err(|error| {
        let what = format!("{} is a link, and one like it cannot be made: {error}", source.display());
        io::Error::new(error.kind(), what)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sandbox::ScratchFolder;

    #[test]
    fn copies_over_the_limit_are_refused() {
        let base = ScratchFolder::new().unwrap();
        let (from, to) = (base.join("from"), base.join("to"));
        let copied = |most| {
            let _ = fs::remove_dir_all(&to);
            fs::create_dir(&to).unwrap();
            copy_folder(&from, &to, most)
        };
        fs::create_dir(&from).unwrap();
        fs::write(from.join("a"), [7; 1_000]).unwrap();
        copied(1_000).unwrap();
        let error = copied(999).unwrap_err();
        assert!(matches!(error, CopyError::TooMuch(_)), "{error}");
        // A hole of 50 GB takes no space on the disk.
        File::create(from.join("hole")).unwrap().set_len(50 << 30).unwrap();
        let error = copied(MAX_SUBMISSION_BYTES).unwrap_err().to_string();
        assert_eq!(error, "its files have more than 1024 MiB");
        fs::remove_file(from.join("hole")).unwrap();
        let deep = |levels| (0..levels).fold(from.clone(), |folder, _| folder.join("d"));
        fs::create_dir_all(deep(MAX_FOLDER_DEPTH)).unwrap();
        copied(MAX_SUBMISSION_BYTES).unwrap();
        fs::create_dir_all(deep(MAX_FOLDER_DEPTH + 1)).unwrap();
        assert!(matches!(copied(MAX_SUBMISSION_BYTES), Err(CopyError::TooMuch(_))));
    }
}
