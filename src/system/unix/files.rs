//! Files on Linux and macOS.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// Others are kept off a file by a lock.
pub(crate) const LOCKS: bool = true;

pub(crate) fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    options.mode(0o600)
}

pub(crate) fn public(options: &mut OpenOptions) -> &mut OpenOptions {
    options.mode(0o644)
}

pub(crate) fn alone(options: &mut OpenOptions) -> &mut OpenOptions {
    options.read(true).append(true)
}

pub(crate) fn is_held(_: &io::Error) -> bool {
    false
}

pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}
