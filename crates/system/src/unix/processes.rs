//! Processes on Linux and macOS: each tree is a process group.

use std::fs;
use std::io;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, ChildStderr, ChildStdout, Command, ExitStatus};
use std::str::FromStr;
use std::time::Duration;

use nix::sys::resource::{Resource, UsageWho, getrlimit, getrusage};
use nix::sys::signal::{Signal, killpg};
use nix::sys::time::TimeVal;
#[cfg(target_os = "linux")]
use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid};
use nix::unistd::Pid;

use crate::processes::ProgramExit;

/// A process group and its first process.
#[derive(Debug)]
pub(crate) struct ProcessTree {
    leader: Child,
}

impl ProcessTree {
    pub(crate) fn start(mut command: Command) -> io::Result<ProcessTree> {
        Ok(ProcessTree { leader: command.process_group(0).spawn()? })
    }

    pub(crate) fn id(&self) -> u32 {
        self.leader.id()
    }

    pub(crate) fn stdout(&mut self) -> &mut Option<ChildStdout> {
        &mut self.leader.stdout
    }

    pub(crate) fn stderr(&mut self) -> &mut Option<ChildStderr> {
        &mut self.leader.stderr
    }

    /// The end of the first process, whose number stays its own until [`ProcessTree::wait`]: that of the group may not become
    /// another's before the group is killed.
    #[cfg(target_os = "linux")]
    pub(crate) fn try_wait(&mut self) -> io::Result<Option<ExitStatus>> {
        let look = WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT;
        Ok(match waitid(Id::Pid(self.group()), look)? {
            WaitStatus::Exited(_, code) => Some(ExitStatus::from_raw((code & 0xff) << 8)),
            WaitStatus::Signaled(_, signal, _) => Some(ExitStatus::from_raw(signal as i32)),
            _ => None,
        })
    }

    /// The same where the system has no such look: the group is killed at once after its first process is gone.
    #[cfg(not(target_os = "linux"))]
    pub(crate) fn try_wait(&mut self) -> io::Result<Option<ExitStatus>> {
        self.leader.try_wait()
    }

    pub(crate) fn wait(&mut self) -> io::Result<ExitStatus> {
        self.leader.wait()
    }

    pub(crate) fn kill(&mut self) {
        // The group may be gone already.
        let _ = killpg(self.group(), Signal::SIGKILL);
    }

    /// The number of the group, which is that of its first process.
    fn group(&self) -> Pid {
        Pid::from_raw(i32::try_from(self.leader.id()).expect("a process number is a small positive number"))
    }
}

pub(crate) fn end(status: ExitStatus) -> ProgramExit {
    let signal = || ProgramExit::Signal(status.signal().unwrap_or_default());
    status.code().map_or_else(signal, ProgramExit::Code)
}

/// How many seconds of processor time the system allows this process, if there is a limit.
pub(crate) fn processor_time_limit() -> Option<u64> {
    let (soft, _) = getrlimit(Resource::RLIMIT_CPU).ok()?;
    (soft != nix::libc::RLIM_INFINITY).then_some(soft)
}

pub(crate) fn processor_time() -> Option<Duration> {
    let usage = getrusage(UsageWho::RUSAGE_SELF).ok()?;
    let duration = |time: TimeVal| {
        let micros = u64::try_from(time.tv_usec()).unwrap_or_default();
        Duration::from_secs(u64::try_from(time.tv_sec()).unwrap_or_default()) + Duration::from_micros(micros)
    };
    Some(duration(usage.user_time()) + duration(usage.system_time()))
}

/// How long this thread has run; only Linux has such a file.
pub(crate) fn thread_time() -> Option<Duration> {
    first_number("/proc/thread-self/schedstat").map(Duration::from_nanos)
}

/// The load of the last minute; only Linux has such a file.
pub(crate) fn load() -> Option<f64> {
    first_number("/proc/loadavg")
}

fn first_number<T: FromStr>(file: &str) -> Option<T> {
    fs::read_to_string(file).ok()?.split_whitespace().next()?.parse().ok()
}

/// The stack of the main thread in bytes; unlimited if the system does not report it.
pub(crate) fn main_stack() -> u64 {
    getrlimit(Resource::RLIMIT_STACK).map_or(u64::MAX, |(soft, _)| soft)
}

pub(crate) fn signal_name(number: i32) -> Option<&'static str> {
    Signal::try_from(number).ok().map(Signal::as_str)
}

pub(crate) fn crash_name(_: i32) -> Option<&'static str> {
    None
}
