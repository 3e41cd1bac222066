//! Programs that this process starts: how they are started, how they end, and how they are played with.
//!
//! A [`ProgramStarter`] starts a [`LaunchedProgram`], by the shell ([`ShellCommand`]) or in a sandbox. Once connected
//! and logged in it is a [`StartedProgram`] beside its connection, for a host, or a [`ProgramPlayer`], which is asked
//! one question after the other and started again by a [`RestartRule`].

mod player;
mod quiet;
mod shell;
mod started;

use std::fmt;
use std::io::{self, ErrorKind};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::time::Duration;

use thiserror::Error;

pub use casino_system::processes::ProgramExit;

use super::Refusal;
use casino_system::command_line::quote;

pub use player::{ProgramPlayer, RestartError, RestartRule, StartCount};
pub use quiet::machine_is_quiet;
pub use shell::ShellCommand;
pub use started::StartedProgram;

/// Polling interval of a program that has yet to connect or to end.
pub const POLL_INTERVAL: Duration = Duration::from_millis(2);

/// A variable of the environment of every program that is started here, and its value: a starter bot ends after its first
/// `done` then, and does not wait for another game.
pub const ONCE_VARIABLE: (&str, &str) = ("CASINO_ONCE", "1");

/// A way to start a program, as often as it takes.
pub trait ProgramStarter: fmt::Debug + Send + Sync {
    /// Starts the program, with a listener for it to connect to.
    fn launch(&self) -> Result<LaunchedProgram, LaunchError>;

    /// How the program is started, for people.
    fn command_line(&self) -> String;
}

/// The process of a started program. Dropping it ends the process and everything it started.
pub trait ProgramProcess: fmt::Debug + Send {
    /// How the program ended; `None` while it runs.
    fn exit(&mut self) -> Option<ProgramExit>;

    /// The output so far.
    fn outputs(&mut self) -> ProgramOutputs;

    /// Kills the program with all its processes.
    fn stop(&mut self) {}
}

/// A program that was started and has not connected yet.
#[derive(Debug)]
pub struct LaunchedProgram {
    /// The listener for the program's connection. Accepting never blocks.
    listener: TcpListener,
    process: Box<dyn ProgramProcess>,
}

impl LaunchedProgram {
    /// A process that connects to this listener.
    pub fn new(
        listener: TcpListener,
        process: Box<dyn ProgramProcess>,
    ) -> Result<LaunchedProgram, LaunchError> {
        listener.set_nonblocking(true).map_err(LaunchError::Socket)?;
        Ok(LaunchedProgram { listener, process })
    }

    /// Polls for the program's connection; `None` if it may still come.
    pub fn poll_connection(&mut self) -> Result<Option<(TcpStream, SocketAddr)>, StartFailure> {
        // Checked before the listener: a program that connected and then ended is still admitted.
        let exit = self.process.exit();
        match self.listener.accept() {
            Ok(arrived) => Ok(Some(arrived)),
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                exit.map_or(Ok(None), |exit| Err(StartFailure::Ended(exit)))
            }
            Err(error) => Err(StartFailure::Socket(error)),
        }
    }

    /// Whether the program has connected once more.
    pub fn has_another_connection(&self) -> bool {
        self.listener.accept().is_ok()
    }

    /// The same program, with its process as this makes it.
    #[must_use]
    pub fn with_process(
        self,
        made: impl FnOnce(Box<dyn ProgramProcess>) -> Box<dyn ProgramProcess>,
    ) -> LaunchedProgram {
        LaunchedProgram { process: made(self.process), ..self }
    }

    /// The process of the program.
    pub fn process(&mut self) -> &mut dyn ProgramProcess {
        &mut *self.process
    }
}

/// The end of a program's output, as text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProgramOutputs {
    /// The end of its standard output.
    pub stdout: String,
    /// The end of its standard error.
    pub stderr: String,
}

/// Why a program could not be started at all.
#[derive(Debug, Error)]
pub enum LaunchError {
    /// The system gives no socket for it to connect to.
    #[error("this machine has no socket: {0}")]
    Socket(#[source] io::Error),
    /// The files for its outputs cannot be opened.
    #[error("its output cannot be kept: {0}")]
    OutputFiles(#[source] io::Error),
    /// The program, or the shell that would run its command line, cannot be started.
    #[error("{program} cannot be started: {source}")]
    Command {
        /// The program to start.
        program: String,
        /// Why it did not.
        source: io::Error,
    },
    /// The sandbox cannot start it.
    #[error("{0}")]
    Sandbox(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// Why a program does not play: the words after "the program".
#[derive(Debug, Error)]
pub enum StartFailure {
    /// It could not be started.
    #[error("cannot be started: {0}")]
    Launch(#[source] LaunchError),
    /// The system cannot accept its connection or wait for it.
    #[error("cannot be reached: {0}")]
    Socket(#[source] io::Error),
    /// It did not connect within this time.
    #[error("did not connect within {} s", .0.as_secs())]
    NoConnection(Duration),
    /// It ended before it connected.
    #[error("ended before it connected ({0})")]
    Ended(ProgramExit),
    /// Its login was refused.
    #[error("was not let in: {0}")]
    Refused(Refusal),
}

/// A program that does not play: its name, the reason, and the end of its error output.
#[derive(Debug, Error)]
pub struct ProgramStartError {
    /// The program's name.
    pub name: String,
    /// Why it does not play.
    #[source]
    pub why: StartFailure,
    /// The end of its standard error.
    pub stderr: String,
    /// Its command line with `{host}` and `{port}`, if it was started by one.
    pub command: Option<String>,
}

impl fmt::Display for ProgramStartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the program {} {}", self.name, self.why)?;
        if !self.stderr.is_empty() {
            f.write_str("; its error output ends with")?;
        }
        for line in self.stderr.lines() {
            write!(f, "\n    {}", line.replace(|c: char| c.is_control(), " "))?;
        }
        match self.command.as_ref().and_then(|command| quote(&format!("{}={command}", self.name))) {
            Some(spec) => write!(f, "\n  To find the cause, run\n    casino check {spec}"),
            None => Ok(()),
        }
    }
}
