//! A program that is asked one question after the other, and started again when it is gone or silent.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use thiserror::Error;
use tokio::runtime::{Builder, Runtime};

use super::{ProgramStartError, ProgramStarter, StartFailure, StartedProgram};
use crate::{Connection, ConnectionLimits, Guest};
use casino_stud::table::{Answer, Fault, Foul, Question, Status};

/// When a program is started again, and when it is given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RestartRule {
    /// Consecutive late replies after which a program is restarted.
    pub late_replies: u32,
    /// Starts after which a program is given up.
    pub starts: u32,
    /// Which starts are counted.
    pub count: StartCount,
}

/// Which starts of a program a [`RestartRule`] counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartCount {
    /// Those since its last answer.
    SinceAnswer,
    /// All of them.
    All,
}

/// Why a program plays no longer.
#[derive(Debug, Error)]
pub enum RestartError {
    /// It was started as often as its [`RestartRule`] allows.
    #[error("the program {name} was started {starts} times without answering once. The last time it {foul}")]
    GivenUp {
        /// The program's name.
        name: String,
        /// How many times it was started.
        starts: u32,
        /// Its last foul.
        foul: Foul,
    },
    /// It does not connect again.
    #[error(transparent)]
    Start(ProgramStartError),
}

/// A program with its connection. The methods wait until the program has answered.
#[derive(Debug)]
pub struct ProgramPlayer<'a> {
    name: String,
    starter: Box<dyn ProgramStarter + 'a>,
    runtime: Arc<Runtime>,
    limits: ConnectionLimits,
    /// How long it may take to connect.
    patience: Duration,
    rule: RestartRule,
    /// `None` when it is gone permanently.
    playing: Option<(Box<Connection>, StartedProgram)>,
    /// How many times it was late since it last answered.
    late: u32,
    /// How many times it was started, as the rule counts.
    starts: u32,
}

impl<'a> ProgramPlayer<'a> {
    /// A runtime for players; several of them can share one.
    pub(crate) fn runtime() -> io::Result<Arc<Runtime>> {
        Ok(Arc::new(Builder::new_current_thread().enable_all().build()?))
    }

    /// Starts a program and waits until it has connected, for at most `patience`, and logged in.
    pub fn start(
        name: &str,
        starter: impl ProgramStarter + 'a,
        limits: ConnectionLimits,
        patience: Duration,
        rule: RestartRule,
    ) -> Result<ProgramPlayer<'a>, ProgramStartError> {
        let runtime = ProgramPlayer::runtime().map_err(|error| ProgramStartError {
            name: name.to_string(),
            why: StartFailure::Socket(error),
            stderr: String::new(),
            command: None,
        })?;
        let started = runtime.block_on(StartedProgram::start(name, &starter, limits, patience))?;
        Ok(ProgramPlayer::playing(started, starter, runtime, limits, patience, rule))
    }

    /// A program that was started within this runtime.
    pub(crate) fn playing(
        (guest, program): (Guest, StartedProgram),
        starter: impl ProgramStarter + 'a,
        runtime: Arc<Runtime>,
        limits: ConnectionLimits,
        patience: Duration,
        rule: RestartRule,
    ) -> ProgramPlayer<'a> {
        ProgramPlayer {
            name: program.name().to_string(),
            starter: Box::new(starter),
            runtime,
            limits,
            patience,
            rule,
            playing: Some((guest.connection, program)),
            late: 0,
            starts: 1,
        }
    }

    /// Asks the program a question and waits for its answer, for at most the limit of a reply.
    pub fn answer(&mut self, question: &Question<'_>) -> Answer {
        let Some((connection, _)) = &mut self.playing else { return Err(Fault::HungUp { partial: false }) };
        let answer = self.runtime.block_on(connection.ask(question, self.limits.reply));
        match &answer {
            Ok(_) => {
                self.late = 0;
                if self.rule.count == StartCount::SinceAnswer {
                    self.starts = 0;
                }
            }
            Err(Fault::Late { .. }) => self.late += 1,
            Err(_) => {}
        }
        answer
    }

    /// Sends the end of a round to the program. The status leaves with its next question, in one write.
    pub fn hear(&mut self, status: &Status) -> Result<(), Fault> {
        let Some((connection, _)) = &mut self.playing else { return Ok(()) };
        connection.notify(status);
        if connection.is_deaf() { Err(Fault::NotReading) } else { Ok(()) }
    }

    /// Restarts the program after a foul if its connection is useless (`gone`), or if it was late too often.
    pub fn recover(&mut self, foul: &Foul, gone: bool) -> Result<(), RestartError> {
        if !gone && self.late < self.rule.late_replies {
            return Ok(());
        }
        if self.starts == self.rule.starts {
            let (name, starts) = (self.name.clone(), self.starts);
            return Err(RestartError::GivenUp { name, starts, foul: foul.clone() });
        }
        self.restart()
    }

    /// Resets the count of starts, as for a new program. `start` starts it again first, after it was given up.
    pub fn renew(&mut self, start: bool) -> Result<(), RestartError> {
        self.starts = u32::from(!start);
        if start { self.restart() } else { Ok(()) }
    }

    fn restart(&mut self) -> Result<(), RestartError> {
        // Ends the old process with everything it started.
        self.playing = None;
        self.late = 0;
        self.starts += 1;
        let starting = StartedProgram::start(&self.name, &*self.starter, self.limits, self.patience);
        let (guest, program) = self.runtime.block_on(starting).map_err(RestartError::Start)?;
        self.playing = Some((guest.connection, program));
        Ok(())
    }

    /// Sends `done` with this reason and waits until the program has ended.
    pub fn dismiss(mut self, reason: &str) {
        if let Some(leaving) = self.leave(reason) {
            self.runtime.block_on(leaving);
        }
    }

    /// Like [`ProgramPlayer::dismiss`], for a caller that waits for several programs at a time. `None` if it is gone.
    pub(crate) fn leave(&mut self, reason: &str) -> Option<impl Future<Output = ()> + Send + 'static> {
        let (connection, program) = self.playing.take()?;
        let done = connection.done(reason);
        Some(async move {
            done.await;
            program.end().await;
        })
    }
}
