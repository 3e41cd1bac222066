//! The grader's handle of a supervised program.

use std::collections::BTreeSet;
use std::io;
use std::net::{Shutdown, TcpListener};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::process::Child;
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::Duration;

use rustix::net::{RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, recvmsg};

use super::instructions::{Instructions, SupervisorMessage, read_message, write_message};
use super::memory_group::MemoryGroup;
use super::processes::{Processes, kill_all};
use crate::sandbox::outputs::WatchedProgram;
use crate::sandbox::program::Hold;
use crate::sandbox::scratch::ScratchFolder;
use crate::sandbox::{Limit, SandboxedProgram, Termination};

const KILL_TIMEOUT: Duration = Duration::from_secs(2);

#[derive(Debug)]
struct SupervisorHold {
    /// The process of bubblewrap or of the supervisor itself.
    pid: i32,
    user: Option<u32>,
    channel: UnixStream,
}

pub(super) struct SandboxParts {
    /// The process of bubblewrap or of the supervisor itself.
    pub(super) child: Child,
    pub(super) channel: UnixStream,
    pub(super) instructions: Instructions,
    /// The last bytes kept of each output.
    pub(super) keep: usize,
    pub(super) scratch: Option<ScratchFolder>,
    pub(super) group: Option<MemoryGroup>,
}

impl SandboxParts {
    /// Sends the instructions and waits until the program runs.
    pub(super) fn begin(self) -> io::Result<SandboxedProgram> {
        let SandboxParts { mut child, channel: line, instructions, keep, scratch, group } = self;
        let pid = i32::try_from(child.id()).map_err(io::Error::other)?;
        let (limits, user) = (instructions.limits, instructions.user);
        let shared = Arc::new(WatchedProgram::default());
        // The supervisor kills the program when this connection is closed.
        let hangs_up = Arc::new(line.try_clone()?);
        let stop = move || {
            let _ = hangs_up.shutdown(Shutdown::Write);
        };
        shared.read_outputs((child.stdout.take(), child.stderr.take()), &limits, keep, stop)?;
        let given = write_message(&line, &instructions).and_then(|()| receive_listener(&line));
        let given = given.map_err(|error| match error.kind() {
            io::ErrorKind::BrokenPipe | io::ErrorKind::ConnectionReset => ended_at_once(),
            _ => error,
        });
        let supervisor = line.try_clone()?;
        let published = Arc::clone(&shared);
        let (begins, beginning) = channel();
        let follow = move || {
            let is_exceeded = || group.as_ref().is_some_and(MemoryGroup::was_exceeded);
            follow_supervisor(&supervisor, &published, &begins, &is_exceeded);
            // Its exit code does not matter.
            let _ = child.wait();
            if is_exceeded() {
                // The system may have chosen the supervisor.
                published.change(|observed| observed.termination = Some(Termination::Over(Limit::Memory)));
            }
            drop(group);
            published.change(|observed| observed.gone = true);
        };
        thread::Builder::new().spawn(follow)?;
        let listener = match given {
            Ok(listener) => listener,
            Err(error) => {
                let _ = line.shutdown(Shutdown::Both);
                shared.wait(KILL_TIMEOUT, |observed| observed.gone && observed.open_outputs == 0);
                let said = String::from_utf8_lossy(&shared.observed().stderr.bytes).trim().to_string();
                kill_rest(pid, user);
                return Err(if said.is_empty() { error } else { io::Error::other(said) });
            }
        };
        let hold = Box::new(SupervisorHold { pid, user, channel: line });
        let program = SandboxedProgram { limits, listener, shared, hold, scratch };
        match beginning.recv_timeout(limits.wall + KILL_TIMEOUT) {
            Ok(Some(number)) => Err(io::Error::from_raw_os_error(number)),
            Ok(None) | Err(_) => Ok(program),
        }
    }
}

impl Hold for SupervisorHold {
    /// Disconnects, which makes the supervisor kill everything, and kills the rest.
    fn end(&self, shared: &WatchedProgram) {
        let _ = self.channel.shutdown(Shutdown::Write);
        let cleared = shared.wait(KILL_TIMEOUT, |observed| observed.gone);
        let clean = cleared && shared.observed().termination.is_some();
        if !clean {
            kill_rest(self.pid, self.user);
            shared.wait(KILL_TIMEOUT, |observed| observed.gone);
        }
    }

    fn pid(&self) -> i32 {
        self.pid
    }

    fn user(&self) -> Option<u32> {
        self.user
    }
}

/// Kills the descendants of a process, the process itself, and all processes of a user.
fn kill_rest(pid: i32, user: Option<u32>) {
    for _ in 0..50 {
        let processes = Processes::now();
        let mut found = processes.below(pid);
        if let Some(user) = user {
            found.extend(processes.all_of_user(user));
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
    listener.map(TcpListener::from).ok_or_else(ended_at_once)
}

fn ended_at_once() -> io::Error {
    io::Error::other("the supervisor of the sandbox ended at once")
}

/// Reads the supervisor's messages. `begins` gets the start or its error number; lack of memory wins.
fn follow_supervisor(
    channel: &UnixStream,
    shared: &WatchedProgram,
    begins: &Sender<Option<i32>>,
    is_exceeded: &dyn Fn() -> bool,
) {
    while let Ok(Some(message)) = read_message::<SupervisorMessage>(channel) {
        let begun = match message {
            SupervisorMessage::Started => None,
            SupervisorMessage::NotStarted(number) => Some(number),
            SupervisorMessage::Ended(end) => {
                let end = if is_exceeded() { Termination::Over(Limit::Memory) } else { end };
                shared.change(|observed| observed.termination = Some(end));
                None
            }
        };
        // The receiver is dropped after the first message.
        let _ = begins.send(begun);
    }
}
