//! Signals on Linux and macOS.

use std::io;
use std::os::unix::net::UnixStream;

use nix::sys::signal::Signal;
use tokio::signal::unix::{self, SignalKind, signal};

use crate::interrupts::{Interrupt, runtime};

/// SIGINT, SIGTERM, and SIGHUP unless it is ignored.
#[derive(Debug)]
pub(crate) struct Signals {
    interrupted: unix::Signal,
    terminated: unix::Signal,
    hung_up: Option<unix::Signal>,
}

impl Signals {
    pub(crate) fn new() -> io::Result<Signals> {
        Ok(Signals {
            interrupted: signal(SignalKind::interrupt())?,
            terminated: signal(SignalKind::terminate())?,
            hung_up: match is_ignored(Signal::SIGHUP) {
                true => None,
                false => Some(signal(SignalKind::hangup())?),
            },
        })
    }

    pub(crate) async fn next(&mut self) -> Interrupt {
        tokio::select! {
            _ = self.interrupted.recv() => Interrupt::CtrlC,
            _ = self.terminated.recv() => Interrupt::Terminate,
            () = received(&mut self.hung_up) => Interrupt::TerminalGone,
        }
    }
}

pub(crate) fn outlive_file_size_limit() -> io::Result<()> {
    let runtime = runtime()?;
    let _context = runtime.enter();
    // The process keeps handling a signal that was asked for once.
    signal(SignalKind::from_raw(Signal::SIGXFSZ as i32)).map(drop)
}

pub(crate) fn room_for_runtime() -> io::Result<()> {
    // As many descriptors as a runtime opens: for polling, for waking, and for interrupts.
    let _held = [UnixStream::pair()?, UnixStream::pair()?, UnixStream::pair()?];
    Ok(())
}

/// Waits for a signal; forever if it is not handled.
async fn received(signal: &mut Option<unix::Signal>) {
    match signal {
        Some(signal) => drop(signal.recv().await),
        None => std::future::pending().await,
    }
}

/// Whether this process was started with this signal ignored. False if the system does not report it.
fn is_ignored(signal: Signal) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    ignored & (1 << (signal as i32 - 1)) != 0
}
