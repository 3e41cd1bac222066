//! Where the server runs.

use std::io;
use std::num::NonZero;

/// Runs the work of a server on this thread: one table needs no more, and a wake-up within a thread is the
/// cheapest.
///
/// # Errors
/// If the system gives no means to wait for sockets.
pub fn block_on<W: Future>(work: W) -> io::Result<W::Output> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let output = runtime.block_on(work);
    runtime.shutdown_background();
    Ok(output)
}

/// Runs the work of a server with many tables on so many threads.
///
/// # Errors
/// If the system gives no means to wait for sockets, or no threads.
pub fn block_on_threads<W: Future>(threads: NonZero<usize>, work: W) -> io::Result<W::Output> {
    if threads.get() == 1 {
        return block_on(work);
    }
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(threads.get()).enable_all().build()?;
    let output = runtime.block_on(work);
    runtime.shutdown_background();
    Ok(output)
}
