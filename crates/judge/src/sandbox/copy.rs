//! Copying a student's folder without following anything in it.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use casino_system::foreign_files::{let_all_read, link, may_be_executed, open_regular};

/// The most entries a folder may have, so that copying ends.
const ENTRIES: usize = 50_000;

/// Copies what is in a folder into another one that is there. Links are copied as links and never followed;
/// pipes, sockets and devices are left out. Everything becomes readable by everyone, because another user may
/// run it.
///
/// # Errors
/// What cannot be read or written, and a folder with too many entries.
pub(crate) fn copy_folder(from: &Path, to: &Path) -> io::Result<()> {
    let mut left = ENTRIES;
    copy(from, to, &mut left)
}

fn copy(from: &Path, to: &Path, left: &mut usize) -> io::Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        *left = left
            .checked_sub(1)
            .ok_or_else(|| io::Error::other(format!("more than {ENTRIES} files are in the folder")))?;
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        let kind = entry.file_type()?;
        if kind.is_symlink() {
            copy_link(&source, &target)?;
        } else if kind.is_dir() {
            fs::create_dir(&target)?;
            let_all_read(&target, true)?;
            copy(&source, &target, left)?;
        } else if kind.is_file() {
            copy_file(&source, &target)?;
        }
    }
    Ok(())
}

fn copy_link(source: &Path, target: &Path) -> io::Result<()> {
    link(&fs::read_link(source)?, target).map_err(|error| {
        let what = format!("{} is a link, and one like it cannot be made: {error}", source.display());
        io::Error::new(error.kind(), what)
    })
}

fn copy_file(source: &Path, target: &Path) -> io::Result<()> {
    // The file may have been replaced by a link or a pipe since it was listed.
    let Some(mut from) = open_regular(source)? else { return Ok(()) };
    let runs = may_be_executed(&from.metadata()?);
    io::copy(&mut from, &mut File::create_new(target)?)?;
    let_all_read(target, runs)
}
