//! Files on Linux and macOS.

use std::fs::{File, FileType, Metadata, OpenOptions};
use std::io;
use std::os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt};
use std::path::Path;

use nix::fcntl::OFlag;

/// Others are kept off a file by a lock.
pub(crate) const LOCKS: bool = true;

pub(crate) fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    options.mode(0o600)
}

pub(crate) fn public(options: &mut OpenOptions) -> &mut OpenOptions {
    options.mode(0o644)
}

pub(crate) fn exclusive(options: &mut OpenOptions) -> &mut OpenOptions {
    options.read(true).append(true)
}

pub(crate) fn is_held(_: &io::Error) -> bool {
    false
}

pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// A pipe does not block, and no terminal becomes the controlling one.
pub(crate) fn without_waiting(options: &mut OpenOptions) -> &mut OpenOptions {
    options.custom_flags((OFlag::O_NONBLOCK | OFlag::O_NOCTTY).bits())
}

/// The kind of a file that is not a regular one.
pub(crate) fn kind(kind: &FileType) -> &'static str {
    match kind {
        kind if kind.is_fifo() => "a pipe",
        kind if kind.is_socket() => "a socket",
        kind if kind.is_char_device() || kind.is_block_device() => "a device",
        _ => "something else",
    }
}

pub(crate) fn is_same_file(one: &Metadata, other: &Metadata) -> bool {
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

/// Whether a file has no other name anywhere, and the owner of the other one.
pub(crate) fn is_only_name_and_of_owner(file: &Metadata, other: &Metadata) -> bool {
    file.nlink() == 1 && file.uid() == other.uid()
}
