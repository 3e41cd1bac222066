//! Being asked to end: Ctrl-C, the system's request, and the end of the terminal.

use std::io;
use std::sync::mpsc::sync_channel;
use std::thread::JoinHandle;

use tokio::runtime::{Builder, Runtime};

use super::native::interrupts as native;
use super::processes::thread_named;

/// A request to end this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interrupt {
    /// Ctrl-C: SIGINT.
    CtrlC,
    /// The system's request to end: SIGTERM; on Windows Ctrl-Break.
    Terminate,
    /// The terminal closes: SIGHUP, unless this process was started to ignore it, as with nohup. On Windows the window
    /// closes, or the user logs out: the system ends this process within about five seconds.
    TerminalGone,
}

/// The interrupts that this process handles instead of ending at once.
#[derive(Debug)]
pub struct Interrupts(native::Signals);

impl Interrupts {
    /// Handles all of them from now on. Must be called within a runtime.
    pub fn handle() -> io::Result<Interrupts> {
        native::Signals::new().map(Interrupts)
    }

    /// Waits for the next one.
    pub async fn next(&mut self) -> Interrupt {
        self.0.next().await
    }
}

/// A runtime of one thread, with sockets, timers and interrupts.
pub fn runtime() -> io::Result<Runtime> {
    room_for_runtime()?;
    Builder::new_current_thread().enable_all().build()
}

/// Starts a thread of this name with its own runtime. `prepare` is called within it, and its value is passed to `work`
/// if nothing failed.
pub fn thread_with_runtime<P>(
    name: &str,
    prepare: impl FnOnce() -> io::Result<P> + Send + 'static,
    work: impl FnOnce(Runtime, P) + Send + 'static,
) -> io::Result<JoinHandle<()>> {
    let (made, outcome) = sync_channel(1);
    // The runtime is made there: where no thread can be had, the caller may itself be within a runtime, in which none
    // may be dropped.
    let thread = thread_named(name, move || {
        let prepared = runtime().and_then(|runtime| {
            let context = runtime.enter();
            let prepared = prepare();
            drop(context);
            prepared.map(|prepared| (runtime, prepared))
        });
        // The starting thread waits for the result.
        match prepared {
            Ok((runtime, prepared)) if made.send(Ok(())).is_ok() => work(runtime, prepared),
            Ok(_) => {}
            Err(error) => {
                let _ = made.send(Err(error));
            }
        }
    })?;
    outcome.recv().map_err(io::Error::other)??;
    Ok(thread)
}

/// Whether there are files left for a runtime: where there are none for its interrupts, tokio panics.
pub fn room_for_runtime() -> io::Result<()> {
    native::room_for_runtime().map_err(|error| {
        let remedy = "this process may not have enough files open: allow it at least 64 (ulimit -n 64)";
        io::Error::new(error.kind(), format!("{remedy}; the system says: {error}"))
    })
}

/// From now on writing to a file at the process's size limit gives an error. Otherwise Linux and macOS would end the
/// process without a message (SIGXFSZ).
pub fn outlive_file_size_limit() -> io::Result<()> {
    native::outlive_file_size_limit()
}
