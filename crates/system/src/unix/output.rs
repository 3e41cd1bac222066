//! Standard output on Linux and macOS.

use std::io;

use nix::errno::Errno;
use nix::libc::{S_IFMT, S_IFREG};
use nix::sys::stat::fstat;

pub(crate) fn is_broken_pipe(error: &io::Error) -> bool {
    error.raw_os_error() == Some(Errno::EIO as i32) && !is_file()
}

/// Whether standard output is a file on a disk.
fn is_file() -> bool {
    fstat(io::stdout()).is_ok_and(|stat| stat.st_mode & S_IFMT == S_IFREG)
}

pub(crate) fn understands_ansi() -> bool {
    true
}
