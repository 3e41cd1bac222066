//! The program under test: waiting for its connection, its login and its end.

use std::time::{Duration, Instant};

use casino_host::driven::POLL_INTERVAL;
use casino_host::{LaunchedProgram, ProgramExit, ProgramOutputs, ProgramStarter, StartFailure};
use casino_stud::protocol::Login;

use super::CheckSettings;
use super::diagnosis::printed;
use super::evidence::{Evidence, LastMessage};
use super::wire::{DealerTimes, Wire};

/// How long a program that has closed its connection is given to end, so that its exit code is known.
const EXIT_LIMIT: Duration = Duration::from_millis(500);

/// How long a silent program is watched after the dealer closed its connection, long enough to see one that reconnects
/// every second.
const MOVE_LIMIT: Duration = Duration::from_millis(1_500);

pub(super) struct ConnectedProgram {
    pub(super) wire: Wire,
    pub(super) program: LaunchedProgram,
}

pub(super) struct LoggedIn {
    pub(super) program: ConnectedProgram,
    /// Its login; `None` if it is invalid, and the check continues without it.
    pub(super) login: Option<Login>,
}

impl ConnectedProgram {
    pub(super) fn connect(
        starter: &dyn ProgramStarter,
        limit: Duration,
        pace: DealerTimes,
        outputs: &mut ProgramOutputs,
    ) -> Result<ConnectedProgram, Evidence> {
        let failed =
            |error: std::io::Error| Evidence::NoStart(format!("this machine has no socket: {error}"));
        let mut program = starter.launch().map_err(|error| Evidence::NoStart(error.to_string()))?;
        let deadline = Instant::now() + limit;
        let left = loop {
            match program.poll_connection() {
                Ok(Some((stream, _))) => {
                    let wire = Wire::new(stream, pace).map_err(failed)?;
                    return Ok(ConnectedProgram { wire, program });
                }
                Ok(None) if Instant::now() > deadline => break None,
                Ok(None) => std::thread::sleep(POLL_INTERVAL),
                Err(StartFailure::Ended(exit)) => break Some(exit),
                Err(error) => return Err(Evidence::NoStart(error.to_string())),
            }
        };
        *outputs = program.process().outputs();
        Err(Evidence::NoConnection { left })
    }

    pub(super) fn log_in(&mut self, limit: Duration) -> Result<Login, Evidence> {
        self.wire.expect_no_greeting()?;
        self.wire.login(limit)
    }

    /// Its output and exit, if they are not as expected after `done`; empty if all is well.
    pub(super) fn remark_on_end(&mut self) -> String {
        let process = self.program.process();
        let code = match process.exit() {
            None | Some(ProgramExit::Code(0)) => String::new(),
            Some(ProgramExit::Code(code)) => format!("it ended with exit code {code}"),
            Some(ProgramExit::Signal(signal)) => format!("it was ended by signal {signal}"),
        };
        let printed = printed(&process.outputs())
            .map(|printed| format!("its output ends with an exception: {printed}"));
        let said: Vec<String> = [code].into_iter().filter(|code| !code.is_empty()).chain(printed).collect();
        said.join(", and ")
    }

    pub(super) fn expect_no_second_connection(&self) -> Result<(), Evidence> {
        if self.program.has_another_connection() {
            Err(Evidence::SecondConnection { after_done: self.wire.is_done() })
        } else {
            Ok(())
        }
    }

    pub(super) fn expect_exit(&mut self, limit: Duration) -> Result<(), Evidence> {
        match wait(limit, || self.program.process().exit()) {
            Some(_) => Ok(()),
            None => Err(Evidence::Stays { closed: true, limit }),
        }
    }

    /// Adds the end of the program and a second connection to the evidence. Returns the output before its end.
    pub(super) fn complete(
        &mut self,
        evidence: Evidence,
        settings: &CheckSettings,
    ) -> (Evidence, ProgramOutputs) {
        let limit = EXIT_LIMIT.max(settings.quiet);
        let evidence = match evidence {
            Evidence::Closed { partial, question, after, .. } => {
                let left = wait(limit, || self.program.process().exit());
                Evidence::Closed { partial, left, question, after }
            }
            other => other,
        };
        let outputs = self.program.process().outputs();
        // A program that uses another connection is silent on this one, unless it has waited too long on it.
        let has_waited = matches!(evidence, Evidence::Closed { after: LastMessage::Waiting(_), .. });
        if self.program.has_another_connection() && !has_waited {
            // A silent program received `done` as a probe and may have reconnected before.
            let after_done = self.wire.is_done() && !matches!(evidence, Evidence::Silence { .. });
            return (Evidence::SecondConnection { after_done }, outputs);
        }
        let evidence = match evidence {
            Evidence::Silence { partial, mut probe, question, limit: reply, answered } => {
                self.wire.socket.close_write();
                let exits = wait(limit.max(MOVE_LIMIT), || {
                    let exited = self.program.process().exit().is_some();
                    (exited || self.program.has_another_connection()).then_some(exited)
                });
                probe.ended_at_close = !probe.closed_at_done && exits == Some(true);
                probe.came_back = !probe.closed_at_done && exits == Some(false);
                probe.last_words = self.program.process().outputs();
                Evidence::Silence { partial, probe, question, limit: reply, answered }
            }
            other => other,
        };
        (evidence, outputs)
    }
}

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
