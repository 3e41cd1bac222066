//! Programs beside their connections, as a host seats them.

use std::path::Path;
use std::time::Duration;

use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::task::{JoinSet, spawn_blocking};
use tokio::time::{Instant, sleep, timeout};

use casino_system::processes::room_for_a_thread;

use super::quiet::machine_is_quiet;
use super::{POLL_INTERVAL, ProgramProcess, ProgramStartError, ProgramStarter, ShellCommand, StartFailure};
use crate::lobby::Guest;
use crate::log_in::log_in;
use crate::socket::Socket;
use crate::strangers::ConnectionLimits;

/// How long a program may take from its start to its connection: it may be compiled on the way.
pub(super) const CONNECT_TIMEOUT: Duration = Duration::from_secs(60);

const EXIT_TIMEOUT: Duration = Duration::from_secs(3);

/// A program that was started and has connected. All of its process group is ended when this is dropped.
#[derive(Debug)]
pub struct StartedProgram {
    name: String,
    process: Box<dyn ProgramProcess>,
}

impl StartedProgram {
    /// Starts programs, given as names and command lines, all at once, because a Java VM starts slowly. Each has its
    /// own port, which distinguishes two copies of one program; its output goes to `NAME.stdout` and `NAME.stderr` in
    /// the folder. If one of them fails to log in, the others are stopped. Ends when the machine is quiet: what the
    /// programs do at their start must not make the first replies late.
    ///
    /// # Panics
    /// If starting a program panics.
    pub async fn start_all(
        programs: &[(String, String)],
        folder: &Path,
        limits: ConnectionLimits,
    ) -> Result<Vec<(Guest, StartedProgram)>, ProgramStartError> {
        if programs.is_empty() {
            return Ok(Vec::new());
        }
        let mut starting = JoinSet::new();
        for (index, (name, command)) in programs.iter().enumerate() {
            let starter = ShellCommand::new(command).with_output_files(folder, name);
            let (name, command) = (name.clone(), command.clone());
            starting.spawn(async move {
                let started = StartedProgram::start(&name, &starter, limits, CONNECT_TIMEOUT).await;
                (index, started.map_err(|error| ProgramStartError { command: Some(command), ..error }))
            });
        }
        let mut started = Vec::new();
        while let Some(joined) = starting.join_next().await {
            let (index, outcome) = joined.expect("starting a program does not panic");
            started.push((index, outcome?));
        }
        machine_is_quiet().await;
        started.sort_by_key(|(index, _)| *index);
        Ok(started.into_iter().map(|(_, program)| program).collect())
    }

    /// Starts a program and waits until it has connected, for at most `patience`, and logged in.
    pub async fn start(
        name: &str,
        starter: &dyn ProgramStarter,
        limits: ConnectionLimits,
        patience: Duration,
    ) -> Result<(Guest, StartedProgram), ProgramStartError> {
        let failed = |why, stderr| ProgramStartError { name: name.to_string(), why, stderr, command: None };
        let mut launched =
            starter.launch().map_err(|error| failed(StartFailure::Launch(error), String::new()))?;
        let deadline = Instant::now() + patience;
        let arrived = loop {
            match launched.poll_connection() {
                Ok(Some(arrived)) => break Ok(arrived),
                Ok(None) if Instant::now() > deadline => break Err(StartFailure::NoConnection(patience)),
                Ok(None) => sleep(POLL_INTERVAL).await,
                Err(why) => break Err(why),
            }
        };
        let guest = match arrived {
            Ok((stream, peer)) => let_in(stream, peer, limits).await,
            Err(why) => Err(why),
        };
        match guest {
            Ok(guest) => Ok((guest, StartedProgram { name: name.to_string(), process: launched.process })),
            Err(why) => Err(failed(why, launched.process.outputs().stderr)),
        }
    }

    /// The name it plays under.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Waits a moment for the program to exit, then kills it with all its processes. Its output is in the files then.
    pub async fn end(mut self) {
        let ended = async {
            while self.process.exit().is_none() {
                sleep(POLL_INTERVAL).await;
            }
        };
        // After a timeout, dropping the process kills it.
        let _ = timeout(EXIT_TIMEOUT, ended).await;
        // In another thread, because dropping it waits for the last of its output, and the tables continue to play. A
        // panic there has printed its message, and the program is gone all the same. Without a thread for it the tables
        // wait.
        if room_for_a_thread().is_ok() {
            let _ = spawn_blocking(move || drop(self.process)).await;
        }
    }
}

async fn let_in(
    stream: std::net::TcpStream,
    peer: std::net::SocketAddr,
    limits: ConnectionLimits,
) -> Result<Guest, StartFailure> {
    let stream = stream
        .set_nonblocking(true)
        .and_then(|()| TcpStream::from_std(stream))
        .map_err(StartFailure::Socket)?;
    // A started program is never displaced by another client.
    let (_kept, never_displaced) = oneshot::channel();
    log_in(Socket::Tcp(stream), peer, limits, never_displaced).await.map_err(StartFailure::Refused)
}
