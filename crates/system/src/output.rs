//! Standard output and the terminal.

use std::io;

use super::native::output as native;

/// Whether an error of standard output means that its reader is gone. On Linux and macOS a closed terminal gives an I/O
/// error, which on a disk means a fault.
pub fn is_broken_pipe(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::BrokenPipe || native::is_broken_pipe(error)
}

/// Whether a terminal on standard output understands colours and moves of the cursor. A console of Windows is asked to,
/// which old ones cannot.
pub fn understands_ansi() -> bool {
    native::understands_ansi()
}
