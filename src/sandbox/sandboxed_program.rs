//! A sandboxed program as the grader sees it.

use std::collections::BTreeSet;
use std::io::{self, Read};
use std::net::{Shutdown, TcpListener};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::Child;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use rustix::net::{RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, recvmsg};

use super::instructions::{Instructions, SupervisorMessage, read_message, write_message};
use super::limits::{Limit, ResourceLimits, Termination};
use super::processes::{Processes, kill_all};
use super::scratch::remove_folder;
use crate::server::{ProgramExit, ProgramOutputs, ProgramProcess};

/// How long a supervisor may take to kill everything after it was told to.
const CLEANUP: Duration = Duration::from_secs(2);

/// How long the outputs of a program that is gone may stay open.
const DRAIN: Duration = Duration::from_millis(300);

/// A program that runs, or ran, in the sandbox. Everything of it is killed when this is dropped.
#[derive(Debug)]
pub struct SandboxedProgram {
    pid: i32,
    limits: ResourceLimits,
    user: Option<u32>,
    listener: TcpListener,
    channel: UnixStream,
    shared: Arc<Shared>,
    scratch: Option<PathBuf>,
}

/// What the threads that read from a sandbox have observed.
#[derive(Debug, Default)]
struct Shared {
    observed: Mutex<Observed>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Observed {
    started: bool,
    /// The error number of the system, if the program cannot be started.
    start_error: Option<i32>,
    termination: Option<Termination>,
    /// The supervisor is gone, and with it the program.
    gone: bool,
    stdout: Vec<u8>,
    stderr: Vec<u8>,
    open_outputs: u8,
    /// The output that is longer than its limit.
    overflow: Option<Limit>,
}

/// How a program ended, and what it wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    /// How it ended.
    pub end: Termination,
    /// The end of its standard output.
    pub stdout: Vec<u8>,
    /// The end of its standard error.
    pub stderr: Vec<u8>,
}

impl Shared {
    fn observed(&self) -> MutexGuard<'_, Observed> {
        self.observed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, change: impl FnOnce(&mut Observed)) {
        change(&mut self.observed());
        self.changed.notify_all();
    }

    /// Waits until the condition holds or the time is over. Returns whether it holds.
    fn wait(&self, time: Duration, condition: impl Fn(&Observed) -> bool) -> bool {
        let observed = self.observed();
        let waited = self.changed.wait_timeout_while(observed, time, |observed| !condition(observed));
        let (observed, _) = waited.unwrap_or_else(PoisonError::into_inner);
        condition(&observed)
    }
}

/// The parts of a sandboxed program that has just been started.
pub(super) struct SandboxParts {
    /// The process of bubblewrap or of the supervisor itself.
    pub(super) child: Child,
    /// The connection to the supervisor.
    pub(super) channel: UnixStream,
    pub(super) instructions: Instructions,
    /// The last bytes kept of each output.
    pub(super) keep: usize,
    /// A folder that is removed with the program.
    pub(super) scratch: Option<PathBuf>,
}

impl SandboxedProgram {
    /// Sends the instructions and waits until the program runs.
    ///
    /// # Errors
    /// The error of the system, or what bubblewrap printed.
    pub(super) fn begin(parts: SandboxParts) -> io::Result<SandboxedProgram> {
        let SandboxParts { mut child, channel, instructions, keep, scratch } = parts;
        let pid = i32::try_from(child.id()).map_err(io::Error::other)?;
        let shared = Arc::new(Shared::default());
        shared.observed().open_outputs = 2;
        let limits = instructions.limits;
        if let Some(pipe) = child.stdout.take() {
            let output = LimitedOutput {
                keep,
                cap: limits.output,
                limit: Limit::Output,
                kept: |seen| &mut seen.stdout,
            };
            output.read(pipe, &shared, channel.try_clone()?);
        }
        if let Some(pipe) = child.stderr.take() {
            let output = LimitedOutput {
                keep,
                cap: limits.errors,
                limit: Limit::Errors,
                kept: |seen| &mut seen.stderr,
            };
            output.read(pipe, &shared, channel.try_clone()?);
        }
        let given = write_message(&channel, &instructions).and_then(|()| receive_listener(&channel));
        let supervisor = channel.try_clone()?;
        let told = Arc::clone(&shared);
        thread::spawn(move || {
            follow_supervisor(&supervisor, &told);
            // Whatever its exit code is: it is gone.
            let _ = child.wait();
            told.change(|observed| observed.gone = true);
        });
        let user = instructions.user;
        let listener = match given {
            Ok(listener) => listener,
            Err(error) => {
                let _ = channel.shutdown(Shutdown::Both);
                shared.wait(CLEANUP, |observed| observed.gone && observed.open_outputs == 0);
                let said = String::from_utf8_lossy(&shared.observed().stderr).trim().to_string();
                kill_rest(pid, user);
                remove_folder(scratch.as_ref());
                return Err(if said.is_empty() { error } else { io::Error::other(said) });
            }
        };
        let program = SandboxedProgram { pid, limits, user, listener, channel, shared, scratch };
        program.shared.wait(program.limits.wall + CLEANUP, |observed| {
            observed.started
                || observed.start_error.is_some()
                || observed.termination.is_some()
                || observed.gone
        });
        let start_error = program.shared.observed().start_error;
        match start_error {
            Some(number) => Err(io::Error::from_raw_os_error(number)),
            None => Ok(program),
        }
    }

    /// The process number of bubblewrap or of the supervisor.
    pub fn pid(&self) -> i32 {
        self.pid
    }

    /// The user of its own that it became, if it could.
    pub fn user(&self) -> Option<u32> {
        self.user
    }

    /// Where the program connects to when it uses the host and the port it was given: the only way out of a
    /// sandbox that has a network of its own.
    pub fn listener(&self) -> &TcpListener {
        &self.listener
    }

    /// The resources it may use.
    pub fn limits(&self) -> &ResourceLimits {
        &self.limits
    }

    /// How it ended, if it has.
    pub fn ended(&self) -> Option<Termination> {
        let observed = self.shared.observed();
        if observed.gone || observed.termination.is_some() { Some(observed.termination()) } else { None }
    }

    /// Waits for its end, but no longer than this.
    pub fn wait(&self, time: Duration) -> Option<Termination> {
        self.shared.wait(time, |observed| observed.termination.is_some() || observed.gone);
        self.ended()
    }

    /// What it has printed so far: standard output and standard error, or their ends.
    pub fn printed(&self) -> (Vec<u8>, Vec<u8>) {
        let observed = self.shared.observed();
        (observed.stdout.clone(), observed.stderr.clone())
    }

    /// Kills whatever is left of it and returns how it ended. Afterwards nothing of it runs.
    pub fn finish(self) -> Ended {
        self.stop();
        let mut observed = self.shared.observed();
        let end = observed.termination();
        Ended {
            end,
            stdout: std::mem::take(&mut observed.stdout),
            stderr: std::mem::take(&mut observed.stderr),
        }
    }

    /// The supervisor kills everything when the connection to it is closed. What it leaves, if the program has ended it,
    /// is looked for here.
    fn stop(&self) {
        let _ = self.channel.shutdown(Shutdown::Write);
        let cleared = self.shared.wait(CLEANUP, |observed| observed.gone);
        let clean = cleared && self.shared.observed().termination.is_some();
        if !clean {
            kill_rest(self.pid, self.user);
            self.shared.wait(CLEANUP, |observed| observed.gone);
        }
        self.shared.wait(DRAIN, |observed| observed.open_outputs == 0);
    }
}

impl ProgramProcess for SandboxedProgram {
    fn exit(&mut self) -> Option<ProgramExit> {
        const KILLED: i32 = 9;
        self.ended().map(|end| match end {
            Termination::Exited(code) => ProgramExit::Code(code),
            Termination::Crashed(signal) => ProgramExit::Signal(signal),
            Termination::Over(_) | Termination::Stopped | Termination::Fled => ProgramExit::Signal(KILLED),
        })
    }

    fn outputs(&mut self) -> ProgramOutputs {
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).trim_end().to_string();
        let (stdout, stderr) = self.printed();
        let mut stderr = text(stderr);
        if let Some(Termination::Over(limit)) = self.ended() {
            stderr = format!("{stderr}\n{}", limit.sentence(&self.limits)).trim_start().to_string();
        }
        ProgramOutputs { stdout: text(stdout), stderr }
    }
}

impl Drop for SandboxedProgram {
    fn drop(&mut self) {
        if !self.shared.observed().gone {
            self.stop();
        }
        remove_folder(self.scratch.as_ref());
    }
}

impl Observed {
    fn termination(&self) -> Termination {
        match (self.overflow, self.termination) {
            (Some(limit), _) => Termination::Over(limit),
            (None, Some(end)) => end,
            (None, None) => Termination::Fled,
        }
    }
}

/// Kills the descendants of a process, the process itself, and all processes of a user.
fn kill_rest(pid: i32, user: Option<u32>) {
    for _ in 0..50 {
        let processes = Processes::now();
        let mut found = processes.below(pid);
        if let Some(user) = user {
            found.extend(processes.of_user(user));
        }
        found.extend(processes.alive(&BTreeSet::from([pid])));
        let alive = processes.alive(&found);
        if alive.is_empty() {
            return;
        }
        kill_all(&alive);
        thread::sleep(Duration::from_millis(2));
    }
}

/// Receives the socket that the supervisor has opened in the sandbox.
fn receive_listener(channel: &UnixStream) -> io::Result<TcpListener> {
    let mut space = [std::mem::MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut message = RecvAncillaryBuffer::new(&mut space);
    let mut byte = [0];
    recvmsg(channel, &mut [io::IoSliceMut::new(&mut byte)], &mut message, RecvFlags::CMSG_CLOEXEC)?;
    let mut listener: Option<OwnedFd> = None;
    for message in message.drain() {
        if let RecvAncillaryMessage::ScmRights(sockets) = message {
            listener = sockets.last();
        }
    }
    listener
        .map(TcpListener::from)
        .ok_or_else(|| io::Error::other("the supervisor of the sandbox ended at once"))
}

/// Reads the messages of the supervisor until it is gone.
fn follow_supervisor(channel: &UnixStream, shared: &Shared) {
    while let Ok(Some(message)) = read_message::<SupervisorMessage>(channel) {
        shared.change(|observed| match message {
            SupervisorMessage::Started => observed.started = true,
            SupervisorMessage::NotStarted(number) => observed.start_error = Some(number),
            SupervisorMessage::Ended(end) => observed.termination = Some(end),
        });
    }
}

/// One of a program's two outputs.
struct LimitedOutput {
    /// How many bytes of its end are kept.
    keep: usize,
    /// How many bytes it may have.
    cap: u64,
    /// The limit that is passed when it has more.
    limit: Limit,
    kept: fn(&mut Observed) -> &mut Vec<u8>,
}

impl LimitedOutput {
    /// Reads the output to its end in a thread of its own and keeps the end of it. Too much of it closes the connection
    /// to the supervisor, also when the program has ended by then: what was in the pipe counts.
    fn read(self, mut pipe: impl Read + Send + 'static, shared: &Arc<Shared>, channel: UnixStream) {
        let shared = Arc::clone(shared);
        thread::spawn(move || {
            let mut buffer = vec![0; 1 << 16];
            let mut printed = 0;
            loop {
                match pipe.read(&mut buffer) {
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    Ok(0) | Err(_) => break,
                    Ok(read) => self.add(&buffer[..read], &mut printed, &shared, &channel),
                }
            }
            shared.change(|observed| {
                let kept = (self.kept)(observed);
                kept.drain(..kept.len().saturating_sub(self.keep));
                observed.open_outputs -= 1;
            });
        });
    }

    fn add(&self, bytes: &[u8], printed: &mut u64, shared: &Shared, channel: &UnixStream) {
        let mut observed = shared.observed();
        // Beyond the limit nothing is kept.
        let room = usize::try_from(self.cap.saturating_sub(*printed)).unwrap_or(usize::MAX);
        (self.kept)(&mut observed).extend_from_slice(&bytes[..bytes.len().min(room)]);
        *printed += bytes.len() as u64;
        if *printed > self.cap && observed.overflow.is_none() {
            observed.overflow = Some(self.limit);
            let _ = channel.shutdown(Shutdown::Write);
        }
        let kept = (self.kept)(&mut observed);
        // Not at every read: moving the rest takes as long as the rest is.
        if kept.len() > 2 * self.keep + (1 << 16) {
            kept.drain(..kept.len() - self.keep);
        }
    }
}
