//! Files that others have prepared: nothing in them is followed or waited for, and their rights are put right.

use std::fs::{File, Metadata, OpenOptions};
use std::io;
use std::path::Path;

use super::native::foreign_files as native;

/// Opens a regular file for reading. A link is not followed, and a pipe not waited for; `None` if it is one.
pub fn open_regular(path: &Path) -> io::Result<Option<File>> {
    let file = native::no_follow(OpenOptions::new().read(true)).open(path)?;
    Ok(Some(file).filter(|file| file.metadata().is_ok_and(|about| about.is_file())))
}

/// Whether a file may be executed, as far as the system tells programs from other files by a permission.
pub fn may_be_executed(about: &Metadata) -> bool {
    native::may_be_executed(about)
}

/// Lets everyone read a file or a folder, and execute it if wanted (enter it, a folder), but only the owner write it.
/// On Windows a file has the rights of its folder, and nothing is done.
pub fn let_all_read(path: &Path, and_execute: bool) -> io::Result<()> {
    native::let_all_read(path, and_execute)
}

/// Makes a file, a folder or a link this user's own if it is another's. On Windows nothing is done.
pub fn take_over(path: &Path) -> io::Result<()> {
    native::take_over(path)
}

/// Whether a file has another name somewhere. On Windows the answer is no.
pub fn has_other_names(about: &Metadata) -> bool {
    native::has_other_names(about)
}

/// Makes a link to a target, which need not be there.
pub fn link(target: &Path, link: &Path) -> io::Result<()> {
    native::link(target, link)
}
