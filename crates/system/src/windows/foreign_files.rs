//! Files that others have prepared, on Windows: a file has the rights of its folder.

use std::fs::{Metadata, OpenOptions};
use std::io;
use std::os::windows::fs::{OpenOptionsExt, symlink_dir, symlink_file};
use std::path::Path;

/// `FILE_FLAG_OPEN_REPARSE_POINT`: a link is opened itself.
const OPEN_LINK: u32 = 0x0020_0000;

pub(crate) fn no_follow(options: &mut OpenOptions) -> &mut OpenOptions {
    options.custom_flags(OPEN_LINK)
}

/// A file's name determines whether it is executable.
pub(crate) fn may_be_executed(_: &Metadata) -> bool {
    false
}

pub(crate) fn let_all_read(_: &Path, _: bool) -> io::Result<()> {
    Ok(())
}

pub(crate) fn take_over(_: &Path) -> io::Result<()> {
    Ok(())
}

pub(crate) fn has_other_names(_: &Metadata) -> bool {
    false
}

pub(crate) fn link(target: &Path, link: &Path) -> io::Result<()> {
    let is_folder = link.parent().is_some_and(|folder| folder.join(target).is_dir());
    if is_folder { symlink_dir(target, link) } else { symlink_file(target, link) }
}
