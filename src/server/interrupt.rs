//! Interrupts of the process: Ctrl-C and the request of the system to end.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use nix::sys::signal::Signal;
use tokio::signal::unix::{self, SignalKind, signal};

/// Handles Ctrl-C (SIGINT), SIGTERM and the end of the terminal (SIGHUP, unless this process was told to outlive it, as
/// nohup does) from now on. The first one sets the flag that is returned and calls `first`; the second one calls `last`
/// and ends the process with exit code 130, but for SIGHUP: a terminal that goes may send it several times. The signals
/// are handled in a thread of their own, so that they work also while this thread waits for nothing.
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
    let mut hung_up = match is_ignored(Signal::SIGHUP) {
        true => None,
        false => Some(signal(SignalKind::hangup())?),
    };
    drop(context);
    let pressed = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&pressed);
    thread::spawn(move || {
        runtime.block_on(async move {
            let mut first = Some(first);
            loop {
                let again = tokio::select! {
                    _ = interrupted.recv() => true,
                    _ = terminated.recv() => true,
                    () = received(&mut hung_up) => false,
                };
                match first.take() {
                    Some(first) => {
                        flag.store(true, Ordering::Relaxed);
                        first();
                    }
                    None if !again => {}
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

/// From now on a file that has grown to the limit that the system sets to this process gives an error where it is written.
/// Otherwise the system would end the process without a word (SIGXFSZ).
///
/// # Errors
/// If the system does not allow it.
pub fn outlive_file_size_limit() -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
    let _context = runtime.enter();
    // The process keeps handling a signal that was asked for once.
    signal(SignalKind::from_raw(Signal::SIGXFSZ as i32)).map(drop)
}

/// Waits for a signal; for ever for one that is not handled.
async fn received(signal: &mut Option<unix::Signal>) {
    match signal {
        Some(signal) => drop(signal.recv().await),
        None => std::future::pending().await,
    }
}

/// Whether this process was started with the order to ignore this signal. Where the system does not say, it was not.
fn is_ignored(signal: Signal) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    ignored & (1 << (signal as i32 - 1)) != 0
}
