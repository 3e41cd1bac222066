//! Ctrl-C.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use tokio::signal::unix::{SignalKind, signal};

/// From now on Ctrl-C, or being asked to end by the system, no longer ends this process at once: the flag becomes
/// true and `first` is called. The second time `last` is called and the process ends, with exit code 130. In a
/// thread of its own, so that it works also while nothing on this one waits.
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
