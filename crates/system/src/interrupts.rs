//! Being asked to end: Ctrl-C, the system's request, and the end of the terminal.

use std::io;

use tokio::runtime::{Builder, Runtime};

use super::native::interrupts as native;

/// Somebody wants this process to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interrupt {
    /// Ctrl-C, or the system's request to end: SIGINT and SIGTERM; on Windows Ctrl-C and Ctrl-Break.
    Asked,
    /// The terminal goes: SIGHUP, unless this process was told to outlive it, as nohup does. On Windows the window is
    /// being closed, or the user leaves: the system ends this process within about five seconds.
    TerminalGone,
}

/// What this process handles from now on, rather than ending at once.
#[derive(Debug)]
pub struct Interrupts(native::Signals);

impl Interrupts {
    /// Handles all of them from now on. Has to be called within a runtime.
    ///
    /// # Errors
    /// If the system does not allow it.
    pub fn handle() -> io::Result<Interrupts> {
        native::Signals::new().map(Interrupts)
    }

    /// Waits for the next one.
    pub async fn next(&mut self) -> Interrupt {
        self.0.next().await
    }
}

/// A runtime of one thread, with sockets, timers and interrupts.
///
/// # Errors
/// If the system has no files left for it.
pub fn runtime() -> io::Result<Runtime> {
    room_for_runtime()?;
    Builder::new_current_thread().enable_all().build()
}

/// Whether there are files left for a runtime: where there are none for its interrupts, tokio panics.
///
/// # Errors
/// If there are none, with how to have more.
pub fn room_for_runtime() -> io::Result<()> {
    native::room_for_runtime().map_err(|error| {
        let remedy = "this process may not have enough files open: allow it at least 64 (ulimit -n 64)";
        io::Error::new(error.kind(), format!("{remedy}; the system says: {error}"))
    })
}

/// From now on a file that has grown to the limit that the system sets to this process gives an error where it is written.
/// Otherwise Linux and macOS would end the process without a word (SIGXFSZ).
///
/// # Errors
/// If the system does not allow it.
pub fn outlive_file_size_limit() -> io::Result<()> {
    native::outlive_file_size_limit()
}
