//! Programs this process starts: each with a port, a process group and output files of its own.

use std::fs::File;
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, SocketAddr};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use tokio::net::TcpListener;
use tokio::process::{Child, Command};
use tokio::sync::oneshot;
use tokio::task::JoinSet;

use super::{ConnectionLimits, Guest, lobby};

/// How long a program may take from its start to its connection: it may be compiled on the way.
const START: Duration = Duration::from_secs(60);

/// How long a program may go on after its last word before it is ended.
const LEAVE: Duration = Duration::from_secs(1);

/// What is kept of each of a program's two outputs; the rest is read and thrown away.
const OUTPUT_CAP: u64 = 16 << 20;

/// How much of a program's error output is shown when it does not come to play.
const TAIL: usize = 2_000;

/// A program that was started. All of its process group is ended when this is dropped.
#[derive(Debug)]
pub struct StartedProgram {
    name: String,
    child: Child,
    group: Pid,
    stderr: PathBuf,
    /// Comes when all of its error output is in the file.
    stderr_ends: oneshot::Receiver<()>,
}

impl StartedProgram {
    /// Starts programs, names and command lines, all at once: a Java machine takes its time. See
    /// [`StartedProgram::start`]. If one of them does not come to play, the others are ended.
    ///
    /// # Errors
    /// Why one of them does not play, in words.
    pub async fn start_all(
        programs: &[(String, String)],
        folder: &Path,
        limits: ConnectionLimits,
    ) -> Result<Vec<(Guest, StartedProgram)>, String> {
        let mut starting = JoinSet::new();
        for (index, (name, command)) in programs.iter().cloned().enumerate() {
            let folder = folder.to_path_buf();
            starting
                .spawn(async move { (index, StartedProgram::start(&name, &command, &folder, limits).await) });
        }
        let mut started = Vec::new();
        while let Some(joined) = starting.join_next().await {
            let (index, outcome) = joined.map_err(|error| error.to_string())?;
            started.push((index, outcome?));
        }
        started.sort_by_key(|(index, _)| *index);
        Ok(started.into_iter().map(|(_, program)| program).collect())
    }

    /// Starts a command line for the shell, with `{host}` and `{port}` filled in, and waits until it has
    /// connected and logged in. It gets a port of its own, so that two copies of one program are told apart.
    /// Its output goes to `NAME.stdout` and `NAME.stderr` in the folder.
    ///
    /// # Errors
    /// Why it does not play, in words, with the end of its error output.
    pub async fn start(
        name: &str,
        command: &str,
        folder: &Path,
        limits: ConnectionLimits,
    ) -> Result<(Guest, StartedProgram), String> {
        let failed = |error: io::Error| format!("the program {name} cannot be started: {error}");
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let mut program = StartedProgram::spawn(name, command, address, folder).map_err(failed)?;
        let arrival = async {
            let (stream, peer) = listener.accept().await.map_err(|error| error.to_string())?;
            lobby::log_in(stream, peer, limits).await.map_err(|why| why.to_string())
        };
        let problem = tokio::select! {
            biased;
            arrived = tokio::time::timeout(START, arrival) => match arrived {
                Ok(Ok(guest)) => return Ok((guest, program)),
                Ok(Err(why)) => format!("was not let in: {why}"),
                Err(_) => format!("did not connect within {} s", START.as_secs()),
            },
            ended = program.child.wait() => match ended {
                Ok(status) => format!("ended before it connected ({status})"),
                Err(error) => format!("cannot be watched: {error}"),
            },
        };
        let said = program.last_words().await;
        Err(format!("the program {name} {problem}{said}"))
    }

    fn spawn(name: &str, command: &str, address: SocketAddr, folder: &Path) -> io::Result<StartedProgram> {
        // After what is there: a resumed tournament keeps what the program printed before.
        let open = |path: &Path| File::options().append(true).create(true).open(path);
        let stdout = open(&folder.join(format!("{name}.stdout")))?;
        let stderr_path = folder.join(format!("{name}.stderr"));
        let stderr = open(&stderr_path)?;
        let mut child = Command::from(shell(command, address)).spawn()?;
        let group = child.id().and_then(|id| i32::try_from(id).ok()).map(Pid::from_raw);
        let group = group.ok_or_else(|| io::Error::other("it ended at once"))?;
        let pipes = child.stdout.take().zip(child.stderr.take());
        let (out, err) = pipes.ok_or_else(|| io::Error::other("it has no output"))?;
        drain(File::from(out.into_owned_fd()?), stdout);
        let stderr_ends = drain(File::from(err.into_owned_fd()?), stderr);
        Ok(StartedProgram { name: name.to_string(), child, group, stderr: stderr_path, stderr_ends })
    }

    /// The name it plays under.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Gives it a moment to end by itself, then ends it with everything it started.
    pub async fn end(mut self) -> Option<ExitStatus> {
        let ended = tokio::time::timeout(LEAVE, self.child.wait()).await;
        self.kill();
        match ended {
            Ok(status) => status.ok(),
            Err(_) => self.child.wait().await.ok(),
        }
    }

    /// The whole group at once. A group that is gone already is what was wanted.
    fn kill(&self) {
        let _ = killpg(self.group, Signal::SIGKILL);
    }

    /// The end of its error output, for people.
    async fn last_words(mut self) -> String {
        self.kill();
        // Whoever has left the group may keep the output open for ever: then what has come is shown.
        let _ = tokio::time::timeout(LEAVE, &mut self.stderr_ends).await;
        let text = std::fs::read(&self.stderr).unwrap_or_default();
        let tail = String::from_utf8_lossy(&text[text.len().saturating_sub(TAIL)..]).into_owned();
        let shown: Vec<String> =
            tail.lines().map(|line| format!("    {}", line.replace(|c: char| c.is_control(), " "))).collect();
        if shown.is_empty() {
            String::new()
        } else {
            format!("; its error output ends with\n{}", shown.join("\n"))
        }
    }
}

impl Drop for StartedProgram {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A command line in the shell, with the dealer's address where it says `{host}` and `{port}`: in a process group of its
/// own, with an end of each output.
pub(crate) fn shell(line: &str, address: SocketAddr) -> std::process::Command {
    let line =
        line.replace("{host}", &address.ip().to_string()).replace("{port}", &address.port().to_string());
    let mut command = std::process::Command::new("/bin/sh");
    command
        .arg("-c")
        .arg(line)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0);
    command
}

/// Copies a program's output to a file up to the cap, and reads the rest, so that the program never waits for
/// a full pipe. In a thread: files block, and the table must not. Says when the output has ended.
fn drain(from: File, mut to: File) -> oneshot::Receiver<()> {
    let (ends, ended) = oneshot::channel();
    std::thread::spawn(move || {
        let mut kept = (&from).take(OUTPUT_CAP);
        // A disk that takes no more costs the output, not the game.
        let copied = io::copy(&mut kept, &mut to);
        let rest = io::copy(&mut &from, &mut io::sink());
        if copied.is_ok() && rest.is_ok_and(|more| more > 0) {
            let _ = writeln!(to, "\n[the rest of this output was not kept]");
        }
        // Nobody need be waiting for it.
        let _ = ends.send(());
    });
    ended
}
