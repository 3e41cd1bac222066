//! The runtimes that a server runs on.

use std::io;
use std::num::NonZero;

use casino_system::interrupts;

/// Runs a future on this thread to its end. One table needs only this thread, and a wake-up within a thread is the
/// cheapest one.
pub fn block_on<W: Future>(work: W) -> io::Result<W::Output> {
    let runtime = interrupts::runtime()?;
    let output = runtime.block_on(work);
    runtime.shutdown_background();
    Ok(output)
}

/// Runs a future and its spawned tasks to the end on this many threads: for a server with many tables.
pub fn block_on_threads<W: Future>(threads: NonZero<usize>, work: W) -> io::Result<W::Output> {
    if threads.get() == 1 {
        return block_on(work);
    }
    interrupts::room_for_runtime()?;
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(threads.get()).enable_all().build()?;
    let output = runtime.block_on(work);
    runtime.shutdown_background();
    Ok(output)
}
