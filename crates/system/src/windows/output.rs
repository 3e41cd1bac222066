//! Standard output on Windows.

use std::io;

/// `ERROR_NO_DATA`: a pipe is being closed.
const NO_DATA: i32 = 232;

pub(crate) fn is_broken_pipe(error: &io::Error) -> bool {
    error.raw_os_error() == Some(NO_DATA)
}

pub(crate) fn understands_ansi() -> bool {
    anstyle_query::windows::enable_ansi_colors().unwrap_or(true)
}
