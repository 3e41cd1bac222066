//! Files prepared by others: links are not followed, pipes do not block, and permissions are corrected.

use std::fs::{File, Metadata, OpenOptions};
use std::io;
use std::path::Path;

use super::native::foreign_files as native;

/// Opens a regular file for reading. `None` for a link, which is not followed, or a pipe, which does not block.
pub fn open_regular(path: &Path) -> io::Result<Option<File>> {
    let file = native::no_follow(OpenOptions::new().read(true)).open(path)?;
    Ok(Some(file).filter(|file| file.metadata().is_ok_and(|about| about.is_file())))
}

/// Whether a file is executable, where the system has such a permission.
pub fn may_be_executed(about: &Metadata) -> bool {
    native::may_be_executed(about)
}

/// Lets everyone read a file or a folder, and execute it if wanted (enter it, a folder), but only the owner write it.
/// Does nothing on Windows, where a file has the rights of its folder.
pub fn let_all_read(path: &Path, and_execute: bool) -> io::Result<()> {
    native::let_all_read(path, and_execute)
}

/// Changes the owner of a file, a folder or a link to this user. Does nothing on Windows.
pub fn take_over(path: &Path) -> io::Result<()> {
    native::take_over(path)
}

/// Whether a file has another name. Always false on Windows.
pub fn has_other_names(about: &Metadata) -> bool {
    native::has_other_names(about)
}

/// Creates a link to a target, which may be missing.
pub fn link(target: &Path, link: &Path) -> io::Result<()> {
    native::link(target, link)
}
