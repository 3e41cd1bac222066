//! Standard output and the terminal.

use std::io;

use super::native::output as native;

/// Whether an error of standard output means that nobody can read it any more. On Linux and macOS a terminal that was
/// closed gives an error of input and output, which on a disk means a fault.
pub fn is_gone(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::BrokenPipe || native::is_gone(error)
}

/// Whether a terminal on standard output understands colours and moves of the cursor. A console of Windows is asked to,
/// which old ones cannot.
pub fn understands_ansi() -> bool {
    native::understands_ansi()
}
