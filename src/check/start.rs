//! Starting the program that is checked, and hearing what becomes of it.

use std::fs::File;
use std::io::{self, Read};
use std::net::{Ipv4Addr, TcpListener};
use std::os::fd::OwnedFd;
use std::os::unix::process::ExitStatusExt;
use std::process::Child;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;

use crate::server::shell;

/// How much of the end of each output is kept, in bytes.
const TAIL: usize = 4_000;

/// How long to wait for the last output of a program that has ended.
const LAST_WORDS: Duration = Duration::from_millis(300);

/// Somebody who can start the program as often as it takes.
pub trait Starter: Sync {
    /// Starts it. It connects to the listener that comes with it.
    ///
    /// # Errors
    /// Why it cannot be started, in words.
    fn start(&self) -> Result<(TcpListener, Box<dyn RunningProgram>), String>;

    /// How it is started, for people.
    fn shown(&self) -> String;
}

/// A program that was started. It and all it started end when this is dropped.
pub trait RunningProgram: Send {
    /// How it ended, if it has.
    fn left(&mut self) -> Option<Left>;

    /// The ends of its outputs.
    fn outputs(&mut self) -> Outputs;
}

/// How a program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Left {
    /// By itself, with this exit code.
    Code(i32),
    /// By this signal.
    Signal(i32),
}

/// The end of what a program wrote, as text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outputs {
    /// Its standard output.
    pub stdout: String,
    /// Its standard error.
    pub stderr: String,
}

/// A command line for the shell, with `{host}` and `{port}`: what `--bot NAME=COMMAND` starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandLine(String);

impl CommandLine {
    /// This command line. `{host}` and `{port}` in it stand for the dealer's address.
    pub fn new(command: impl Into<String>) -> CommandLine {
        CommandLine(command.into())
    }
}

impl Starter for CommandLine {
    fn start(&self) -> Result<(TcpListener, Box<dyn RunningProgram>), String> {
        let no_socket = |error: io::Error| format!("this machine has no socket: {error}");
        let door = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(no_socket)?;
        let address = door.local_addr().map_err(no_socket)?;
        let child = shell(&self.0, address)
            .spawn()
            .map_err(|error| format!("the shell cannot be started: {error}"))?;
        Ok((door, Box::new(Group::new(child))))
    }

    fn shown(&self) -> String {
        self.0.clone()
    }
}

/// A process group and its two outputs.
struct Group {
    child: Child,
    group: Pid,
    left: Option<Left>,
    stdout: Arc<Mutex<Vec<u8>>>,
    stderr: Arc<Mutex<Vec<u8>>>,
    /// Hangs up when both outputs have ended.
    ends: Receiver<()>,
}

impl Group {
    fn new(mut child: Child) -> Group {
        let group = i32::try_from(child.id()).expect("a process number is a small positive number");
        let (open, ends) = channel();
        let stdout = keep(child.stdout.take().map(OwnedFd::from), open.clone());
        let stderr = keep(child.stderr.take().map(OwnedFd::from), open);
        Group { child, group: Pid::from_raw(group), left: None, stdout, stderr, ends }
    }
}

impl RunningProgram for Group {
    fn left(&mut self) -> Option<Left> {
        if self.left.is_none()
            && let Ok(Some(status)) = self.child.try_wait()
        {
            let signal = || Left::Signal(status.signal().unwrap_or_default());
            self.left = Some(status.code().map_or_else(signal, Left::Code));
        }
        self.left
    }

    fn outputs(&mut self) -> Outputs {
        if self.left().is_some() {
            let until = Instant::now() + LAST_WORDS;
            let left = || until.saturating_duration_since(Instant::now());
            while !matches!(
                self.ends.recv_timeout(left()),
                Err(RecvTimeoutError::Disconnected | RecvTimeoutError::Timeout)
            ) {}
        }
        let text = |kept: &Mutex<Vec<u8>>| {
            let kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
            String::from_utf8_lossy(&kept).trim_end().to_string()
        };
        Outputs { stdout: text(&self.stdout), stderr: text(&self.stderr) }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // A group that is gone already is what was wanted.
        let _ = killpg(self.group, Signal::SIGKILL);
        let _ = self.child.wait();
    }
}

/// Reads an output to its end in a thread of its own and keeps the end of it. `open` is dropped with the output.
fn keep(from: Option<OwnedFd>, open: Sender<()>) -> Arc<Mutex<Vec<u8>>> {
    let kept = Arc::new(Mutex::new(Vec::new()));
    let to = Arc::clone(&kept);
    std::thread::spawn(move || {
        let mut from = File::from(from.expect("both outputs are pipes"));
        let mut buffer = [0; 8192];
        loop {
            match from.read(&mut buffer) {
                Ok(0) => break,
                Ok(read) => {
                    let mut to = to.lock().unwrap_or_else(PoisonError::into_inner);
                    to.extend_from_slice(&buffer[..read]);
                    let excess = to.len().saturating_sub(TAIL);
                    to.drain(..excess);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => break,
            }
        }
        drop(open);
    });
    kept
}
