//! The two processes between the grader and a judged program. This program itself is run for both.
//!
//! The supervisor stays: it listens for the dealer, watches the limits, and kills everything when the program has
//! ended, when a limit is passed, or when the grader hangs up, for whatever reason. The other one gives up its
//! rights, limits itself, and becomes the program.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::resource::{Resource, UsageWho, getrlimit, getrusage, setrlimit};
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::{Gid, Pid, Uid, setgroups, setresgid, setresuid, setsid};
use rustix::net::{SendAncillaryBuffer, SendAncillaryMessage, SendFlags, sendmsg};

use super::copy::copy_folder;
use super::limits::{Limit, Termination};
use super::orders::{Orders, SupervisorMessage, hear, tell};
use super::processes::{Processes, exact_memory, kill_all, size_of, unmapped};

/// The first argument of a supervisor.
pub(super) const SUPERVISE: &str = "__supervise";

/// The first argument of the process that becomes the program.
const BECOME: &str = "__become";

/// How long the supervisor sleeps between two looks, in milliseconds.
const LOOK: u16 = 4;

/// How often limits are checked.
const MEASURE: Duration = Duration::from_millis(20);

/// How often memory in files without names and folders on disk are measured, which takes longer.
const MEASURE_FILES: Duration = Duration::from_millis(200);

/// How long killing is repeated if something does not die.
const KILLING: Duration = Duration::from_secs(3);

/// Open files of one process.
const OPEN_FILES: u64 = 1024;

/// Does the work of a helper process if this process was started as one, and says how it ended; `None` if it was
/// not.
pub fn helper() -> Option<ExitCode> {
    let mut words = env::args_os().skip(1);
    let (first, nothing) = (words.next()?, words.next().is_none());
    let done = match first.to_str() {
        Some(SUPERVISE) if nothing => supervise(),
        Some(BECOME) if nothing => become_program(),
        _ => return None,
    };
    Some(if done.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn supervise() -> io::Result<()> {
    let channel = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
    let Some(mut orders) = hear::<Orders>(&channel)? else { return Ok(()) };
    nix::sys::prctl::set_child_subreaper(true)?;
    // The program may be the same user: it must not get at the supervisor's memory and files.
    nix::sys::prctl::set_dumpable(false)?;
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    orders.port = listener.local_addr()?.port();
    let port = orders.port.to_string();
    hand_over(&channel, listener.as_fd())?;
    drop(listener);
    for word in &mut orders.words {
        *word = word.replace("{host}", "127.0.0.1").replace("{port}", &port);
    }
    let (ours, theirs) = UnixStream::pair()?;
    let begun = Instant::now();
    let child =
        Command::new("/proc/self/exe").arg(BECOME).stdin(Stdio::from(OwnedFd::from(theirs))).spawn()?;
    let child = Pid::from_raw(i32::try_from(child.id()).map_err(io::Error::other)?);
    let mut guard = Guard { orders, child, begun, measured: begun, files_measured: begun, status: None };
    let outcome = guard.watch(&channel, &ours);
    guard.kill();
    tell(&channel, &outcome?)
}

/// Gives the grader the socket on which the dealer will hear the program, so that it needs no other way in.
fn hand_over(channel: &UnixStream, listener: BorrowedFd<'_>) -> io::Result<()> {
    let listeners = [listener];
    let mut space = [std::mem::MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut message = SendAncillaryBuffer::new(&mut space);
    message.push(SendAncillaryMessage::ScmRights(&listeners));
    sendmsg(channel, &[io::IoSlice::new(b"L")], &mut message, SendFlags::empty())?;
    Ok(())
}

/// What the supervisor watches.
struct Guard {
    orders: Orders,
    child: Pid,
    begun: Instant,
    measured: Instant,
    files_measured: Instant,
    status: Option<Termination>,
}

impl Guard {
    /// Starts the program and watches it to its end, or says why it cannot be started.
    fn watch(&mut self, channel: &UnixStream, line: &UnixStream) -> io::Result<SupervisorMessage> {
        tell(line, &self.orders)?;
        line.set_nonblocking(true)?;
        let mut started = false;
        loop {
            let end = self.look(channel)?;
            if !started {
                // A word comes only if the program cannot be started: becoming it closes this line. It is looked
                // at after the program's end, which would else hide the word.
                match hear::<i32>(line) {
                    Ok(Some(number)) => return Ok(SupervisorMessage::Never(number)),
                    Ok(None) => {
                        started = true;
                        tell(channel, &SupervisorMessage::Started)?;
                    }
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                    Err(error) => return Err(error),
                }
            }
            if let Some(end) = end {
                return Ok(SupervisorMessage::Ended(end));
            }
        }
    }

    /// Waits a little and says how the program has ended, or why it has to.
    fn look(&mut self, channel: &UnixStream) -> io::Result<Option<Termination>> {
        let mut watched = [PollFd::new(channel.as_fd(), PollFlags::POLLIN)];
        match poll(&mut watched, PollTimeout::from(LOOK)) {
            Ok(0) | Err(Errno::EINTR) => {}
            // The grader sends nothing after the orders: this is its end.
            Ok(_) => return Ok(Some(self.status.unwrap_or(Termination::Stopped))),
            Err(error) => return Err(error.into()),
        }
        self.bury();
        if self.status.is_some() {
            return Ok(self.status);
        }
        let now = Instant::now();
        if now - self.begun > self.orders.limits.wall {
            return Ok(Some(Termination::Over(Limit::Wall)));
        }
        if now - self.measured >= MEASURE {
            self.measured = now;
            return Ok(self.passed(now).map(Termination::Over));
        }
        Ok(None)
    }

    /// The limit that is passed, if any.
    fn passed(&mut self, now: Instant) -> Option<Limit> {
        let limits = &self.orders.limits;
        let processes = Processes::now();
        let ours = self.ours(&processes);
        let taken = processes.taken(&ours);
        if taken.threads > u64::from(limits.processes) {
            return Some(Limit::Processes);
        }
        if taken.memory > limits.memory && exact_memory(&ours) > limits.memory {
            return Some(Limit::Memory);
        }
        if taken.cpu + buried_cpu() > limits.cpu {
            return Some(Limit::Cpu);
        }
        if now - self.files_measured >= MEASURE_FILES {
            self.files_measured = now;
            if taken.memory + unmapped(&ours) > limits.memory && exact_memory(&ours) > limits.memory {
                return Some(Limit::Memory);
            }
            let cap = limits.files;
            let written: u64 = self.orders.measured.iter().map(|folder| size_of(folder, cap)).sum();
            if written > cap {
                return Some(Limit::Files);
            }
        }
        None
    }

    /// Everything that the program started, whoever its parent is by now.
    fn ours(&self, processes: &Processes) -> BTreeSet<i32> {
        let own = i32::try_from(std::process::id()).unwrap_or(i32::MAX);
        let mut ours = processes.below(own);
        if let Some(user) = self.orders.user {
            ours.extend(processes.of_user(user));
            ours.remove(&own);
        }
        ours
    }

    /// Buries the dead, who all come here, and remembers how the program ended.
    fn bury(&mut self) {
        loop {
            let (pid, end) = match waitpid(None::<Pid>, Some(WaitPidFlag::WNOHANG)) {
                Ok(WaitStatus::Exited(pid, code)) => (pid, Termination::Exited(code)),
                Ok(WaitStatus::Signaled(pid, signal, _)) => (pid, Termination::Crashed(signal as i32)),
                Ok(WaitStatus::StillAlive) | Err(_) => return,
                Ok(_) => continue,
            };
            if pid == self.child {
                // The system itself ends what has computed too long.
                self.status = Some(match end {
                    Termination::Crashed(signal) if signal == Signal::SIGXCPU as i32 => {
                        Termination::Over(Limit::Cpu)
                    }
                    end => end,
                });
            }
        }
    }

    /// Kills until nothing is left: what forks faster than it is found is refused new processes by the system.
    fn kill(&mut self) {
        let until = Instant::now() + KILLING;
        loop {
            if self.orders.own_processes {
                // Number 1 kills everyone else at once.
                let _ = kill(Pid::from_raw(-1), Signal::SIGKILL);
            }
            let processes = Processes::now();
            let alive = processes.alive(&self.ours(&processes));
            kill_all(&alive);
            self.bury();
            if alive.is_empty() || Instant::now() > until {
                return;
            }
            sleep(Duration::from_millis(1));
        }
    }
}

/// The processor time of everyone who was buried here.
fn buried_cpu() -> Duration {
    let Ok(usage) = getrusage(UsageWho::RUSAGE_CHILDREN) else { return Duration::ZERO };
    let duration = |time: nix::sys::time::TimeVal| {
        let (seconds, micros) = (u64::try_from(time.tv_sec()), u64::try_from(time.tv_usec()));
        Duration::from_secs(seconds.unwrap_or(0)) + Duration::from_micros(micros.unwrap_or(0))
    };
    duration(usage.user_time()) + duration(usage.system_time())
}

fn become_program() -> io::Result<()> {
    let line = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
    let Some(orders) = hear::<Orders>(&line)? else { return Ok(()) };
    let error = turn_into(&orders);
    tell(&line, &error.raw_os_error().unwrap_or(Errno::EIO as i32))?;
    Err(error)
}

/// Becomes the program; comes back only with the reason why not.
fn turn_into(orders: &Orders) -> io::Error {
    match prepare(orders) {
        Ok(()) => {}
        Err(error) => return error,
    }
    let [program, arguments @ ..] = &orders.words[..] else { return Errno::ENOENT.into() };
    let mut command = Command::new(program);
    command.args(arguments).env_clear().envs(orders.environment.iter().map(|(name, value)| (name, value)));
    let error = command.stdin(Stdio::null()).exec();
    // A folder of the search path that must not be entered is no sign that the program is there.
    let path = orders.environment.iter().find(|(name, _)| name == "PATH").map_or("", |(_, path)| path);
    let is_there = || env::split_paths(path).any(|folder| folder.join(program).exists());
    if error.kind() == io::ErrorKind::PermissionDenied && !program.contains('/') && !is_there() {
        return Errno::ENOENT.into();
    }
    error
}

fn prepare(orders: &Orders) -> io::Result<()> {
    if let Some(user) = orders.user {
        setgroups(&[])?;
        let (uid, gid) = (Uid::from_raw(user), Gid::from_raw(user));
        setresgid(gid, gid, gid)?;
        setresuid(uid, uid, uid)?;
    }
    // A session of its own: no terminal, and its group is not the grader's.
    setsid()?;
    // When memory is short, this goes first. Where the system does not offer it, nothing is lost.
    let _ = fs::write("/proc/self/oom_score_adj", "1000");
    let mut folder = orders.folder.as_path();
    if let Some((from, most)) = &orders.copy {
        if size_of(from, *most) > *most {
            folder = from;
        } else {
            copy_folder(from, folder)?;
        }
    }
    if let Some(fence) = &orders.fence {
        fence.close(orders.port).map_err(io::Error::other)?;
    }
    limit(orders)?;
    env::set_current_dir(Path::new(folder))
}

fn limit(orders: &Orders) -> io::Result<()> {
    let limits = &orders.limits;
    // No core files, and the CPU limit once more in the kernel, a little later than the supervisor's.
    lower(Resource::RLIMIT_CORE, 0, 0)?;
    lower(Resource::RLIMIT_CPU, limits.cpu.as_secs() + 1, limits.cpu.as_secs() + 2)?;
    lower(Resource::RLIMIT_FSIZE, limits.file, limits.file)?;
    lower(Resource::RLIMIT_NOFILE, OPEN_FILES, OPEN_FILES)?;
    let tasks = u64::from(limits.processes) + orders.tasks_before;
    lower(Resource::RLIMIT_NPROC, tasks, tasks)
}

/// Lowers a limit for good. One that is lower already stays.
fn lower(resource: Resource, soft: u64, hard: u64) -> io::Result<()> {
    let (_, highest) = getrlimit(resource)?;
    setrlimit(resource, soft.min(highest), hard.min(highest))?;
    Ok(())
}
