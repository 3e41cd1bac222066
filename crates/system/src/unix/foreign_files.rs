//! Files that others have prepared, on Linux and macOS.

use std::fs::{self, Metadata, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt, lchown, symlink};
use std::path::Path;

use nix::fcntl::OFlag;

pub(crate) fn no_follow(options: &mut OpenOptions) -> &mut OpenOptions {
    options.custom_flags((OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK).bits())
}

pub(crate) fn may_be_executed(about: &Metadata) -> bool {
    about.permissions().mode() & 0o111 != 0
}

pub(crate) fn let_all_read(path: &Path, and_execute: bool) -> io::Result<()> {
    fs::set_permissions(path, Permissions::from_mode(if and_execute { 0o755 } else { 0o644 }))
}

pub(crate) fn take_over(path: &Path) -> io::Result<()> {
    let own = nix::unistd::geteuid().as_raw();
    if fs::symlink_metadata(path)?.uid() == own { Ok(()) } else { lchown(path, Some(own), Some(own)) }
}

pub(crate) fn has_other_names(about: &Metadata) -> bool {
    about.nlink() > 1
}

pub(crate) fn link(target: &Path, link: &Path) -> io::Result<()> {
    symlink(target, link)
}
