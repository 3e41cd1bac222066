//! Interrupts of the process: Ctrl-C and the request of the system to end.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use tokio::signal::unix::{SignalKind, signal};

/// Handles Ctrl-C (SIGINT) and SIGTERM from now on. The first one sets the flag that is returned and calls `first`; the
/// second one calls `last` and ends the process with exit code 130. The signals are handled in a thread of their own,
/// so that they work also while this thread waits for nothing.
///
/// # Errors
/// If the system does not allow it.
pub fn on_interrupt(
    first: impl FnOnce() + Send + 'static,
    last: impl Fn() + Send + 'static,
) -> io::Result<Arc<AtomicBool>> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
    let context = runtime.enter();
    let mut interrupted = signal(SignalKind::interrupt())?;
    let mut terminated = signal(SignalKind::terminate())?;
    drop(context);
    let pressed = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&pressed);
    thread::spawn(move || {
        runtime.block_on(async move {
            let mut first = Some(first);
            loop {
                tokio::select! {
                    _ = interrupted.recv() => {}
                    _ = terminated.recv() => {}
                }
                match first.take() {
                    Some(first) => {
                        flag.store(true, Ordering::Relaxed);
                        first();
                    }
                    None => {
                        last();
                        std::process::exit(130)
                    }
                }
            }
        });
    });
    Ok(pressed)
}
