//! A program in its box, seen from outside.

use std::collections::BTreeSet;
use std::fs;
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

use super::limits::{Limit, ResourceLimits, Termination};
use super::orders::{Orders, SupervisorMessage, hear, tell};
use super::processes::{Processes, kill_all};
use crate::server::{ProgramExit, ProgramOutputs, ProgramProcess};

/// How long a supervisor may take to clear its box after it was told to.
const CLEAR: Duration = Duration::from_secs(2);

/// How long the outputs of a box that is gone may stay open.
const DRAIN: Duration = Duration::from_millis(300);

/// A program that runs, or ran, in a box. Dropped, everything of it is killed.
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

/// What the threads that listen to a box have heard.
#[derive(Debug, Default)]
struct Shared {
    heard: Mutex<Heard>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Heard {
    started: bool,
    never: Option<i32>,
    end: Option<Termination>,
    /// The supervisor is gone, and with it the box.
    gone: bool,
    stdout: Vec<u8>,
    stderr: Vec<u8>,
    open_outputs: u8,
    flood: Option<Limit>,
}

/// What a program did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    /// How it ended.
    pub end: Termination,
    /// What it wrote to standard output, or the end of it.
    pub stdout: Vec<u8>,
    /// What it wrote to standard error, or the end of it.
    pub stderr: Vec<u8>,
}

impl Shared {
    fn heard(&self) -> MutexGuard<'_, Heard> {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, change: impl FnOnce(&mut Heard)) {
        change(&mut self.heard());
        self.changed.notify_all();
    }

    /// Waits until it is so, or the time is over, and says whether it is so.
    fn wait(&self, time: Duration, is_so: impl Fn(&Heard) -> bool) -> bool {
        let heard = self.heard();
        let waited = self.changed.wait_timeout_while(heard, time, |heard| !is_so(heard));
        let (heard, _) = waited.unwrap_or_else(PoisonError::into_inner);
        is_so(&heard)
    }
}

/// What a box is made of.
pub(super) struct Parts {
    /// The process of bubblewrap or of the supervisor itself.
    pub(super) child: Child,
    /// The line to the supervisor.
    pub(super) channel: UnixStream,
    pub(super) orders: Orders,
    /// The last bytes kept of each output.
    pub(super) keep: usize,
    /// A folder that goes when the box goes.
    pub(super) scratch: Option<PathBuf>,
}

impl SandboxedProgram {
    /// Gives the orders and waits until the program runs.
    ///
    /// # Errors
    /// What the system said, or bubblewrap.
    pub(super) fn begin(parts: Parts) -> io::Result<SandboxedProgram> {
        let Parts { mut child, channel, orders, keep, scratch } = parts;
        let pid = i32::try_from(child.id()).map_err(io::Error::other)?;
        let shared = Arc::new(Shared::default());
        shared.heard().open_outputs = 2;
        if let Some(pipe) = child.stdout.take() {
            let outlet = Outlet {
                keep,
                cap: orders.limits.output,
                flood: Limit::Output,
                kept: |heard| &mut heard.stdout,
            };
            listen_to(pipe, &shared, channel.try_clone()?, outlet);
        }
        if let Some(pipe) = child.stderr.take() {
            let outlet = Outlet {
                keep,
                cap: orders.limits.errors,
                flood: Limit::Errors,
                kept: |heard| &mut heard.stderr,
            };
            listen_to(pipe, &shared, channel.try_clone()?, outlet);
        }
        let given = tell(&channel, &orders).and_then(|()| receive(&channel));
        let news = channel.try_clone()?;
        let told = Arc::clone(&shared);
        thread::spawn(move || {
            hear_news(&news, &told);
            // Whatever it says: it is gone.
            let _ = child.wait();
            told.change(|heard| heard.gone = true);
        });
        let (limits, user) = (orders.limits, orders.user);
        let listener = match given {
            Ok(listener) => listener,
            Err(error) => {
                let _ = channel.shutdown(Shutdown::Both);
                shared.wait(CLEAR, |heard| heard.gone && heard.open_outputs == 0);
                let said = String::from_utf8_lossy(&shared.heard().stderr).trim().to_string();
                sweep(pid, user);
                clear(scratch.as_ref());
                return Err(if said.is_empty() { error } else { io::Error::other(said) });
            }
        };
        let boxed = SandboxedProgram { pid, limits, user, listener, channel, shared, scratch };
        boxed.shared.wait(boxed.limits.wall + CLEAR, |heard| {
            heard.started || heard.never.is_some() || heard.end.is_some() || heard.gone
        });
        let never = boxed.shared.heard().never;
        match never {
            Some(number) => Err(io::Error::from_raw_os_error(number)),
            None => Ok(boxed),
        }
    }

    /// The process outside that stands for the box: bubblewrap, or the supervisor.
    pub fn pid(&self) -> i32 {
        self.pid
    }

    /// The user of its own that it became, if it could.
    pub fn user(&self) -> Option<u32> {
        self.user
    }

    /// Where the program connects to when it uses the host and the port it was given: the only way out of a box
    /// that has a network of its own.
    pub fn listener(&self) -> &TcpListener {
        &self.listener
    }

    /// What it may take.
    pub fn limits(&self) -> &ResourceLimits {
        &self.limits
    }

    /// How it ended, if it has.
    pub fn ended(&self) -> Option<Termination> {
        let heard = self.shared.heard();
        if heard.gone || heard.end.is_some() { Some(heard.how()) } else { None }
    }

    /// Waits for its end, but no longer than this.
    pub fn wait(&self, time: Duration) -> Option<Termination> {
        self.shared.wait(time, |heard| heard.end.is_some() || heard.gone);
        self.ended()
    }

    /// What it has printed so far: standard output and standard error, or their ends.
    pub fn printed(&self) -> (Vec<u8>, Vec<u8>) {
        let heard = self.shared.heard();
        (heard.stdout.clone(), heard.stderr.clone())
    }

    /// Kills whatever of it is left and says how it ended. Afterwards nothing of it runs.
    pub fn finish(self) -> Ended {
        self.stop();
        let mut heard = self.shared.heard();
        let end = heard.how();
        Ended { end, stdout: std::mem::take(&mut heard.stdout), stderr: std::mem::take(&mut heard.stderr) }
    }

    /// The supervisor clears the box when the line to it is cut. What it leaves, if the program has ended it, is
    /// looked for here.
    fn stop(&self) {
        let _ = self.channel.shutdown(Shutdown::Write);
        let cleared = self.shared.wait(CLEAR, |heard| heard.gone);
        let clean = cleared && self.shared.heard().end.is_some();
        if !clean {
            sweep(self.pid, self.user);
            self.shared.wait(CLEAR, |heard| heard.gone);
        }
        self.shared.wait(DRAIN, |heard| heard.open_outputs == 0);
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
        if !self.shared.heard().gone {
            self.stop();
        }
        clear(self.scratch.as_ref());
    }
}

impl Heard {
    fn how(&self) -> Termination {
        match (self.flood, self.end) {
            (Some(limit), _) => Termination::Over(limit),
            (None, Some(end)) => end,
            (None, None) => Termination::Fled,
        }
    }
}

/// Kills what is below a process, the process, and everyone of a user.
fn sweep(pid: i32, user: Option<u32>) {
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

/// Removes a folder, if there is one. What cannot be removed is left in the system's folder for such things.
pub(super) fn clear(scratch: Option<&PathBuf>) {
    if let Some(folder) = scratch {
        let _ = fs::remove_dir_all(folder);
    }
}

/// The socket that the supervisor has opened inside.
fn receive(channel: &UnixStream) -> io::Result<TcpListener> {
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
    listener.map(TcpListener::from).ok_or_else(|| io::Error::other("the supervisor of the box ended at once"))
}

/// Listens to the supervisor until it is gone.
fn hear_news(channel: &UnixStream, shared: &Shared) {
    while let Ok(Some(news)) = hear::<SupervisorMessage>(channel) {
        shared.change(|heard| match news {
            SupervisorMessage::Started => heard.started = true,
            SupervisorMessage::Never(number) => heard.never = Some(number),
            SupervisorMessage::Ended(end) => heard.end = Some(end),
        });
    }
}

/// One of a program's two outputs.
struct Outlet {
    /// How many bytes of it are kept: the last ones.
    keep: usize,
    /// How many bytes it may have.
    cap: u64,
    /// What it is called when it has more.
    flood: Limit,
    kept: fn(&mut Heard) -> &mut Vec<u8>,
}

/// Reads one output to its end in a thread of its own and keeps what was said last. Too much of it cuts the line
/// to the supervisor, also when the program has ended by then: what was in the pipe counts.
fn listen_to(
    mut pipe: impl Read + Send + 'static,
    shared: &Arc<Shared>,
    channel: UnixStream,
    outlet: Outlet,
) {
    let shared = Arc::clone(shared);
    thread::spawn(move || {
        let mut buffer = vec![0; 1 << 16];
        let mut printed = 0;
        loop {
            match pipe.read(&mut buffer) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Ok(0) | Err(_) => break,
                Ok(read) => {
                    let mut heard = shared.heard();
                    // Beyond the limit nothing is kept.
                    let room = usize::try_from(outlet.cap.saturating_sub(printed)).unwrap_or(usize::MAX);
                    (outlet.kept)(&mut heard).extend_from_slice(&buffer[..read.min(room)]);
                    printed += read as u64;
                    if printed > outlet.cap && heard.flood.is_none() {
                        heard.flood = Some(outlet.flood);
                        let _ = channel.shutdown(Shutdown::Write);
                    }
                    let kept = (outlet.kept)(&mut heard);
                    // Not at every read: moving the rest takes as long as the rest is.
                    if kept.len() > 2 * outlet.keep + buffer.len() {
                        kept.drain(..kept.len() - outlet.keep);
                    }
                }
            }
        }
        shared.change(|heard| {
            let kept = (outlet.kept)(heard);
            kept.drain(..kept.len().saturating_sub(outlet.keep));
            heard.open_outputs -= 1;
        });
    });
}
