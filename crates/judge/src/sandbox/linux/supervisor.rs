//! The supervisor of a judged program: this program run again, and once more for the process that becomes the
//! program.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::{Pid, close};
use rustix::fs::statvfs;
use rustix::net::{SendAncillaryBuffer, SendAncillaryMessage, SendFlags, sendmsg};

use super::exec::become_program;
use super::instructions::{Instructions, SupervisorMessage, read_message, write_message};
use super::memory_group::{ENTER, enter};
use super::processes::{Processes, kill_all, unmapped};
use crate::sandbox::limits::MAX_SANDBOX_ENTRIES;
use crate::sandbox::scratch::limit_passed;
use crate::sandbox::{Limit, Termination};

/// The first argument of the supervisor's command line.
pub(super) const SUPERVISE: &str = "__supervise";

/// The first argument of the command line of the process that becomes the program.
const BECOME: &str = "__become";

const POLL_MILLIS: u16 = 4;

const MEMORY_CHECK_INTERVAL: Duration = Duration::from_millis(20);

/// How often memory in files without names and folders on disk are measured, which takes longer.
const DISK_CHECK_INTERVAL: Duration = Duration::from_millis(200);

const KILL_TIMEOUT: Duration = Duration::from_secs(3);

/// Does the work of a helper process. `None` if this process was not started as one.
pub(in crate::sandbox) fn helper() -> Option<ExitCode> {
    let mut words = env::args_os().skip(1);
    let (first, nothing) = (words.next()?, words.next().is_none());
    let done = match first.to_str() {
        Some(SUPERVISE) if nothing => supervise(),
        Some(BECOME) if nothing => become_program(),
        Some(ENTER) if !nothing => enter(),
        _ => return None,
    };
    Some(if done.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn supervise() -> io::Result<()> {
    close_inherited()?;
    let channel = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
    let Some(mut instructions) = read_message::<Instructions>(&channel)? else { return Ok(()) };
    nix::sys::prctl::set_child_subreaper(true)?;
    // The program may be the same user: it must not get at the supervisor's memory and files.
    nix::sys::prctl::set_dumpable(false)?;
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    instructions.port = listener.local_addr()?.port();
    let port = instructions.port.to_string();
    send_listener(&channel, listener.as_fd())?;
    drop(listener);
    for word in &mut instructions.words {
        *word = word.replace("{host}", "127.0.0.1").replace("{port}", &port);
    }
    let (ours, theirs) = UnixStream::pair()?;
    let begun = Instant::now();
    let child =
        Command::new("/proc/self/exe").arg(BECOME).stdin(Stdio::from(OwnedFd::from(theirs))).spawn()?;
    let child = Pid::from_raw(i32::try_from(child.id()).map_err(io::Error::other)?);
    let mut supervisor =
        Supervisor { instructions, child, begun, measured: begun, files_measured: begun, status: None };
    let outcome = supervisor.watch(&channel, &ours);
    supervisor.kill();
    write_message(&channel, &outcome?)
}

/// Closes inherited descriptors: the program inherits nothing but its outputs.
fn close_inherited() -> io::Result<()> {
    let numbers = |entry: io::Result<fs::DirEntry>| entry.ok()?.file_name().to_str()?.parse::<i32>().ok();
    let open: Vec<i32> = fs::read_dir("/proc/self/fd")?.filter_map(numbers).collect();
    for number in open.into_iter().filter(|number| *number > 2) {
        match close(number) {
            // The descriptor of the list itself is among them and is closed already.
            Ok(()) | Err(Errno::EBADF) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

/// Sends the grader the socket on which the dealer will accept the program, so that it needs no other way in.
fn send_listener(channel: &UnixStream, listener: BorrowedFd<'_>) -> io::Result<()> {
    let listeners = [listener];
    let mut space = [std::mem::MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut message = SendAncillaryBuffer::new(&mut space);
    message.push(SendAncillaryMessage::ScmRights(&listeners));
    sendmsg(channel, &[io::IoSlice::new(b"L")], &mut message, SendFlags::empty())?;
    Ok(())
}

struct Supervisor {
    instructions: Instructions,
    child: Pid,
    begun: Instant,
    measured: Instant,
    files_measured: Instant,
    status: Option<Termination>,
}

impl Supervisor {
    /// Starts the program and watches it to its end, or reports why it cannot be started.
    fn watch(&mut self, channel: &UnixStream, program: &UnixStream) -> io::Result<SupervisorMessage> {
        write_message(program, &self.instructions)?;
        program.set_nonblocking(true)?;
        let mut started = false;
        loop {
            let end = self.poll(channel)?;
            if !started {
                // A message means that the program cannot be started. It is read after the exit is checked.
                match read_message::<i32>(program) {
                    Ok(Some(number)) => return Ok(SupervisorMessage::NotStarted(number)),
                    Ok(None) => {
                        started = true;
                        write_message(channel, &SupervisorMessage::Started)?;
                    }
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                    Err(error) => return Err(error),
                }
            }
            if let Some(end) = end {
                self.kill();
                return Ok(SupervisorMessage::Ended(end));
            }
        }
    }

    /// Waits a little and returns how the program has ended, or why it has to end.
    fn poll(&mut self, channel: &UnixStream) -> io::Result<Option<Termination>> {
        let mut watched = [PollFd::new(channel.as_fd(), PollFlags::POLLIN)];
        match poll(&mut watched, PollTimeout::from(POLL_MILLIS)) {
            Ok(0) | Err(Errno::EINTR) => {}
            // The grader sends nothing after the instructions: this is its end.
            Ok(_) => return Ok(Some(self.status.unwrap_or(Termination::Stopped))),
            Err(error) => return Err(error.into()),
        }
        self.reap();
        if self.status.is_some() {
            return Ok(self.status);
        }
        let now = Instant::now();
        if now - self.begun > self.instructions.limits.wall {
            return Ok(Some(Termination::Over(Limit::Wall)));
        }
        if now - self.measured >= MEMORY_CHECK_INTERVAL {
            self.measured = now;
            return Ok(self.limit_passed(now).map(Termination::Over));
        }
        Ok(None)
    }

    fn limit_passed(&mut self, now: Instant) -> Option<Limit> {
        let processes = Processes::now();
        let ours = &self.descendants(&processes);
        let limits = &self.instructions.limits;
        let usage = processes.usage(ours);
        if usage.threads > u64::from(limits.processes) {
            return Some(Limit::Processes);
        }
        if usage.memory > limits.memory && processes.exact_memory(ours) > limits.memory {
            return Some(Limit::Memory);
        }
        if usage.cpu + reaped_cpu() > limits.cpu {
            return Some(Limit::Cpu);
        }
        if now - self.files_measured >= DISK_CHECK_INTERVAL {
            self.files_measured = now;
            if usage.memory + unmapped(ours) > limits.memory && processes.exact_memory(ours) > limits.memory {
                return Some(Limit::Memory);
            }
            if let Some(limit) = limit_passed(&self.instructions.measured, limits.files) {
                return Some(limit);
            }
            let entries: u64 = self.instructions.in_memory.iter().map(|mount| entries_of(mount)).sum();
            if entries > MAX_SANDBOX_ENTRIES {
                return Some(Limit::Entries);
            }
        }
        None
    }

    /// All descendants of the program, including orphans.
    fn descendants(&self, processes: &Processes) -> BTreeSet<i32> {
        let own = i32::try_from(std::process::id()).unwrap_or(i32::MAX);
        let mut ours = processes.below(own);
        if let Some(user) = self.instructions.user {
            ours.extend(processes.of_user(user));
            ours.remove(&own);
        }
        ours
    }

    /// Reaps all ended processes and keeps the program's end. Returns whether any are left.
    fn reap(&mut self) -> bool {
        loop {
            let (pid, end) = match waitpid(None::<Pid>, Some(WaitPidFlag::WNOHANG)) {
                Ok(WaitStatus::Exited(pid, code)) => (pid, Termination::Exited(code)),
                Ok(WaitStatus::Signaled(pid, signal, _)) => (pid, Termination::Crashed(signal as i32)),
                Ok(WaitStatus::StillAlive) => return true,
                Err(_) => return false,
                Ok(_) => continue,
            };
            if pid == self.child {
                // The system itself signals an exceeded CPU limit.
                self.status = Some(match end {
                    Termination::Crashed(signal) if signal == Signal::SIGXCPU as i32 => {
                        Termination::Over(Limit::Cpu)
                    }
                    end => end,
                });
            }
        }
    }

    /// Kills until no process is left. For a program that forks faster than it is found, the system refuses new
    /// processes.
    fn kill(&mut self) {
        let until = Instant::now() + KILL_TIMEOUT;
        loop {
            if self.instructions.own_processes {
                // Number 1 kills everyone else at once.
                let _ = kill(Pid::from_raw(-1), Signal::SIGKILL);
            }
            let processes = Processes::now();
            let mut all = self.descendants(&processes);
            if let Some(user) = self.instructions.user {
                all.extend(processes.all_of_user(user));
            }
            let alive = processes.alive(&all);
            kill_all(&alive);
            // A process that forks and ends while the list is read is missing from it, and so is its child.
            let has_children = self.reap();
            if alive.is_empty() && !has_children || Instant::now() > until {
                return;
            }
            sleep(Duration::from_millis(1));
        }
    }
}

/// The number of files and folders in a file system in memory; 0 if the system does not report it.
fn entries_of(mount: &Path) -> u64 {
    statvfs(mount).map_or(0, |about| about.f_files.saturating_sub(about.f_ffree))
}

/// The processor time of all processes that were reaped here.
fn reaped_cpu() -> Duration {
    let Ok(usage) = getrusage(UsageWho::RUSAGE_CHILDREN) else { return Duration::ZERO };
    let duration = |time: nix::sys::time::TimeVal| {
        let (seconds, micros) = (u64::try_from(time.tv_sec()), u64::try_from(time.tv_usec()));
        Duration::from_secs(seconds.unwrap_or(0)) + Duration::from_micros(micros.unwrap_or(0))
    };
    duration(usage.user_time()) + duration(usage.system_time())
}
