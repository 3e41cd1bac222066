//! The program under test: waiting for its connection, its login and its end.

use std::io::ErrorKind;
use std::net::TcpListener;
use std::time::{Duration, Instant};

use crate::protocol::Login;

use super::CheckSettings;
use super::evidence::Evidence;
use super::start::{Outputs, RunningProgram, Starter};
use super::wire::{Pace, Wire};

/// The pause between two looks at a program that is waited for.
const POLL_INTERVAL: Duration = Duration::from_millis(2);

/// How long a program that has closed its connection is given to end, so that its exit code is known.
const EXIT_LIMIT: Duration = Duration::from_millis(500);

/// A program that has connected.
pub(super) struct StartedProgram {
    pub(super) wire: Wire,
    pub(super) process: Box<dyn RunningProgram>,
    /// The listener it has connected to; kept to notice a second connection.
    listener: TcpListener,
}

/// A program that has logged in.
pub(super) struct LoggedIn {
    pub(super) program: StartedProgram,
    pub(super) login: Login,
}

impl StartedProgram {
    /// Starts a copy of the program and waits for its connection.
    ///
    /// # Errors
    /// If it does not connect within the limit; then `outputs` has what it printed.
    pub(super) fn connect(
        starter: &dyn Starter,
        limit: Duration,
        pace: Pace,
        outputs: &mut Outputs,
    ) -> Result<StartedProgram, Evidence> {
        let failed =
            |error: std::io::Error| Evidence::NoStart(format!("this machine has no socket: {error}"));
        let (listener, mut process) = starter.start().map_err(Evidence::NoStart)?;
        listener.set_nonblocking(true).map_err(failed)?;
        let deadline = Instant::now() + limit;
        loop {
            // Read before the listener is: a program that connects and then ends has connected.
            let exit = process.left();
            match listener.accept() {
                Ok((stream, _)) => {
                    let wire = Wire::new(stream, pace).map_err(failed)?;
                    return Ok(StartedProgram { wire, process, listener });
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                Err(error) => return Err(failed(error)),
            }
            if exit.is_some() || Instant::now() > deadline {
                *outputs = process.outputs();
                return Err(Evidence::NoConnection { left: exit });
            }
            std::thread::sleep(POLL_INTERVAL);
        }
    }

    pub(super) fn log_in(&mut self, limit: Duration) -> Result<Login, Evidence> {
        self.wire.expect_no_greeting()?;
        self.wire.login(limit)
    }

    pub(super) fn expect_no_second_connection(&self) -> Result<(), Evidence> {
        if self.listener.accept().is_ok() { Err(Evidence::SecondConnection) } else { Ok(()) }
    }

    /// Waits for the program to end by itself.
    pub(super) fn expect_exit(&mut self, limit: Duration) -> Result<(), Evidence> {
        match wait(limit, || self.process.left()) {
            Some(_) => Ok(()),
            None => Err(Evidence::Stays { closed: true, limit }),
        }
    }

    /// The evidence together with how the program ended and whether it has connected twice.
    pub(super) fn complete(&mut self, evidence: Evidence, settings: &CheckSettings) -> Evidence {
        let evidence = match evidence {
            Evidence::Closed { partial, asked, last_turn, .. } => {
                let left = wait(EXIT_LIMIT.max(settings.quiet), || self.process.left());
                Evidence::Closed { partial, left, asked, last_turn }
            }
            other => other,
        };
        // A program that speaks over another connection is silent on this one.
        self.expect_no_second_connection().err().unwrap_or(evidence)
    }
}

/// Looks again and again until there is something, or the time is over.
fn wait<T>(limit: Duration, mut look: impl FnMut() -> Option<T>) -> Option<T> {
    let deadline = Instant::now() + limit;
    loop {
        let found = look();
        if found.is_some() || Instant::now() > deadline {
            return found;
        }
        std::thread::sleep(POLL_INTERVAL);
    }
}
