//! Interrupts of the process: Ctrl-C and the request of the system to end.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use casino_system::interrupts::{Interrupt, Interrupts, thread_with_runtime};

/// Handles every interrupt from now on: Ctrl-C, the system's request to end, and the end of the terminal. The first one
/// sets the returned flag and calls `first`; the second one calls `last` and ends the process with exit code 130,
/// except for the end of the terminal, which the system may report several times. A separate thread handles them, so
/// that they work even while this thread does not wait.
pub fn on_interrupt(
    first: impl FnOnce() + Send + 'static,
    last: impl Fn() + Send + 'static,
) -> io::Result<Arc<AtomicBool>> {
    let pressed = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&pressed);
    thread_with_runtime("interrupts", Interrupts::handle, move |runtime, mut interrupts| {
        runtime.block_on(async move {
            let mut first = Some(first);
            loop {
                let interrupt = interrupts.next().await;
                match first.take() {
                    Some(first) => {
                        flag.store(true, Ordering::Relaxed);
                        first();
                    }
                    None if interrupt == Interrupt::TerminalGone => {}
                    None => {
                        last();
                        std::process::exit(130)
                    }
                }
            }
        });
    })?;
    Ok(pressed)
}
