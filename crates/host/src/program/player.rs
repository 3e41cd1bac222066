//! A program that is asked one question after the other, and started again when it is gone or silent.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use thiserror::Error;
use tokio::runtime::{Builder, Runtime};
use tokio_util::task::TaskTracker;

use super::started::CONNECT_TIMEOUT;
use super::{ProgramStartError, ProgramStarter, ShellCommand, StartFailure, StartedProgram};
use crate::{Connection, ConnectionLimits, Guest};
use casino_stud::strategies::AwaitedPlayer;
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
    /// Whether a program that may be out of step with the questions is restarted, too.
    pub out_of_step: bool,
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

/// A runtime for players; several of them can share one.
fn runtime() -> io::Result<Arc<Runtime>> {
    Ok(Arc::new(Builder::new_current_thread().enable_all().build()?))
}

/// The error of a program for which the system cannot wait.
fn no_runtime(name: &str, error: io::Error) -> ProgramStartError {
    ProgramStartError {
        name: name.to_string(),
        why: StartFailure::Socket(error),
        stderr: String::new(),
        command: None,
    }
}

impl ProgramPlayer<'static> {
    /// Starts these programs at the same time, each a name and its command line. Their outputs go to the folder, which must
    /// exist.
    pub fn start_all(
        programs: &[(String, String)],
        folder: &Path,
        limits: ConnectionLimits,
        rule: RestartRule,
    ) -> Result<Vec<ProgramPlayer<'static>>, ProgramStartError> {
        let Some((first, _)) = programs.first() else { return Ok(Vec::new()) };
        let runtime = runtime().map_err(|error| no_runtime(first, error))?;
        let started = runtime.block_on(StartedProgram::start_all(programs, folder, limits))?;
        let player = |(started, (name, command)): (_, &(String, String))| {
            let command = ShellCommand::new(command).with_output_files(folder, name);
            ProgramPlayer::playing(started, command, Arc::clone(&runtime), limits, CONNECT_TIMEOUT, rule)
        };
        Ok(started.into_iter().zip(programs).map(player).collect())
    }

    /// Like [`ProgramPlayer::dismiss`], for programs that were started together and end together.
    pub fn dismiss_all(players: impl IntoIterator<Item = ProgramPlayer<'static>>, reason: &str) {
        let leaving = TaskTracker::new();
        let mut runtime = None;
        for mut player in players {
            if let Some(leave) = player.leave(reason) {
                leaving.spawn_on(leave, player.runtime.handle());
                runtime = Some(player.runtime);
            }
        }
        leaving.close();
        if let Some(runtime) = runtime {
            runtime.block_on(leaving.wait());
        }
    }
}

impl<'a> ProgramPlayer<'a> {
    /// Starts a program and waits until it has connected, for at most `patience`, and logged in.
    pub fn start(
        name: &str,
        starter: impl ProgramStarter + 'a,
        limits: ConnectionLimits,
        patience: Duration,
        rule: RestartRule,
    ) -> Result<ProgramPlayer<'a>, ProgramStartError> {
        let runtime = runtime().map_err(|error| no_runtime(name, error))?;
        let started = runtime.block_on(StartedProgram::start(name, &starter, limits, patience))?;
        Ok(ProgramPlayer::playing(started, starter, runtime, limits, patience, rule))
    }

    /// A program that was started within this runtime.
    fn playing(
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
    fn ask(&mut self, question: &Question<'_>) -> Answer {
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

    /// The end of the program; `None` if it is gone.
    fn leave(&mut self, reason: &str) -> Option<impl Future<Output = ()> + Send + 'static> {
        let (connection, program) = self.playing.take()?;
        let done = connection.done(reason);
        Some(async move {
            done.await;
            program.end().await;
        })
    }
}

/// The methods wait until the program has answered.
impl AwaitedPlayer for ProgramPlayer<'_> {
    type Stop = RestartError;

    fn answer(&mut self, question: &Question<'_>) -> Result<Answer, RestartError> {
        Ok(self.ask(question))
    }

    /// Sends the end of a round to the program. The status leaves with its next question, in one write.
    fn hear(&mut self, status: &Status) -> Result<(), Fault> {
        let Some((connection, _)) = &mut self.playing else { return Ok(()) };
        connection.notify(status);
        if connection.has_full_outbox() { Err(Fault::NotReading) } else { Ok(()) }
    }

    /// Restarts the program if its connection is of no use any more, or if it was late too often.
    fn fouled(&mut self, foul: &Foul) -> Result<(), RestartError> {
        // After an illegal reply the program waits for the next message.
        let is_useless = match foul {
            Foul::Illegal { .. } => false,
            Foul::Fault { fault: Fault::Malformed { .. } | Fault::Late { .. }, .. } => false,
            Foul::Fault { fault, .. } => fault.is_final() || self.rule.out_of_step,
        };
        if !is_useless && self.late < self.rule.late_replies {
            return Ok(());
        }
        if self.starts == self.rule.starts {
            let (name, starts) = (self.name.clone(), self.starts);
            return Err(RestartError::GivenUp { name, starts, foul: foul.clone() });
        }
        self.restart()
    }

    /// Ends the program and starts it again, which no rule counts.
    fn forget(&mut self) -> Result<(), RestartError> {
        if let Some(leaving) = self.leave("The same cards are dealt from other seats.") {
            self.runtime.block_on(leaving);
        }
        let starts = self.starts;
        self.restart()?;
        self.starts = starts;
        Ok(())
    }
}
