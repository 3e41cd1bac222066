//! Interrupts of the process: Ctrl-C and the request of the system to end.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use casino_system::interrupts::{Interrupt, Interrupts, thread_with_runtime};

/// The exit code of a process that is interrupted twice.
pub const EXIT_INTERRUPTED: i32 = 130;

/// Handles every interrupt from now on: Ctrl-C, the system's request to end, and the end of the terminal. The first one
/// sets the returned flag and calls `first`; the second one ends the process with exit code 130, except for the end of the
/// terminal, which the system may report several times.
pub fn on_interrupt(first: impl FnOnce() + Send + 'static) -> io::Result<Arc<AtomicBool>> {
    on_interrupt_but(|_| false, first)
}

/// The same, but `take` receives each interrupt before the first one that counts: those for which it returns true do not
/// count. A separate thread handles them, so that they work even while this thread does not wait.
pub fn on_interrupt_but(
    mut take: impl FnMut(Interrupt) -> bool + Send + 'static,
    first: impl FnOnce() + Send + 'static,
) -> io::Result<Arc<AtomicBool>> {
    let pressed = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&pressed);
    thread_with_runtime("interrupts", Interrupts::handle, move |runtime, mut interrupts| {
        runtime.block_on(async move {
            let mut first = Some(first);
            loop {
                let interrupt = interrupts.next().await;
                if first.is_some() && take(interrupt) {
                    continue;
                }
                match first.take() {
                    Some(first) => {
                        flag.store(true, Ordering::Relaxed);
                        first();
                    }
                    None if interrupt == Interrupt::TerminalGone => {}
                    None => std::process::exit(EXIT_INTERRUPTED),
                }
            }
        });
    })?;
    Ok(pressed)
}
