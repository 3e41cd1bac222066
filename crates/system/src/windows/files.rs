//! Files on Windows. A file has the rights of its folder: those in a user's own folders are the user's alone.

use std::fs::{FileType, Metadata, OpenOptions};
use std::io;
use std::os::windows::fs::OpenOptionsExt;
use std::path::Path;

/// The open mode excludes other writers. A lock would also exclude readers.
pub(crate) const LOCKS: bool = false;

/// `FILE_SHARE_READ`: others may read the file while it is open, and neither write nor remove it.
const SHARE_READ: u32 = 1;

/// `ERROR_SHARING_VIOLATION`: another process has the file and does not share it.
const SHARING_VIOLATION: i32 = 32;

pub(crate) fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    options
}

pub(crate) fn public(options: &mut OpenOptions) -> &mut OpenOptions {
    options
}

/// Not opened for appending: such a file could not be cut.
pub(crate) fn exclusive(options: &mut OpenOptions) -> &mut OpenOptions {
    options.read(true).write(true).share_mode(SHARE_READ)
}

pub(crate) fn is_held(error: &io::Error) -> bool {
    error.raw_os_error() == Some(SHARING_VIOLATION)
}

/// NTFS syncs directory entries on its own.
pub(crate) fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

pub(crate) fn without_waiting(options: &mut OpenOptions) -> &mut OpenOptions {
    options
}

/// The kind of a file that is not a regular one.
pub(crate) fn kind(_: &FileType) -> &'static str {
    "something else"
}

/// A user who can put a link there has the rights of the folder's owner, and could write to the file itself.
pub(crate) fn is_same_file(_: &Metadata, _: &Metadata) -> bool {
    true
}

/// The folder determines a file's owner.
pub(crate) fn is_only_name_and_of_owner(_: &Metadata, _: &Metadata) -> bool {
    true
}
