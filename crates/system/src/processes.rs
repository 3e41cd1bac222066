//! Programs that this process starts, each with everything that it starts in its turn.

use std::fmt;
use std::io;
use std::num::NonZero;
use std::panic::resume_unwind;
use std::process::{ChildStderr, ChildStdout, Command, ExitCode, ExitStatus};
use std::thread;
use std::time::{Duration, Instant};

use super::native::processes as native;

/// A process and all its descendants: a process group on Linux and macOS, a job on Windows. Dropping it kills them all.
/// It does not receive the Ctrl-C of this process's terminal.
#[derive(Debug)]
pub struct ProcessTree {
    tree: native::ProcessTree,
    ended: Option<ExitStatus>,
    /// Whether nothing of it is left, so that its number may be another's.
    is_over: bool,
}

impl ProcessTree {
    /// Starts a command as a new tree.
    pub fn start(command: Command) -> io::Result<ProcessTree> {
        Ok(ProcessTree { tree: native::ProcessTree::start(command)?, ended: None, is_over: false })
    }

    /// The number of its first process.
    pub fn id(&self) -> u32 {
        self.tree.id()
    }

    /// Its standard output, once, if the command asked for a pipe.
    pub fn take_stdout(&mut self) -> Option<ChildStdout> {
        self.tree.stdout().take()
    }

    /// Its standard error, once, if the command asked for a pipe.
    pub fn take_stderr(&mut self) -> Option<ChildStderr> {
        self.tree.stderr().take()
    }

    /// How its first process ended; `None` while it runs, or if the system does not report it.
    pub fn ended(&mut self) -> Option<ProgramExit> {
        if self.ended.is_none() {
            self.ended = self.tree.try_wait().ok().flatten();
        }
        self.ended.map(native::end)
    }

    /// Kills the whole tree at once and waits for the first process. Does nothing if the tree has ended.
    pub fn end(&mut self) {
        if std::mem::replace(&mut self.is_over, true) {
            return;
        }
        self.tree.kill();
        let ended = self.tree.wait().ok();
        self.ended = self.ended.or(ended);
    }
}

/// A thread that gets this share of a processor or more has it to itself, or nearly.
pub const OWN_PROCESSOR_SHARE: f64 = 0.8;

/// The share of a processor that this thread gets while it works for this long without a rest: 1 on an idle machine.
/// `None` if the system does not report it.
pub fn share_of_processor(time: Duration) -> Option<f64> {
    let (begun, before) = (Instant::now(), native::thread_time()?);
    while begun.elapsed() < time {
        std::hint::spin_loop();
    }
    let (took, ran) = (begun.elapsed(), native::thread_time()?.checked_sub(before)?);
    Some(ran.as_secs_f64() / took.as_secs_f64())
}

/// How many threads of the machine wanted to run at a time during the last minute. `None` if the system does not report
/// it.
pub fn load() -> Option<f64> {
    native::load()
}

impl Drop for ProcessTree {
    fn drop(&mut self) {
        self.end();
    }
}

/// How a program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProgramExit {
    /// It exited, with this exit code. On Windows a crash has a code as well.
    Code(i32),
    /// This signal ended it.
    Signal(i32),
}

impl fmt::Display for ProgramExit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            ProgramExit::Code(code) => match crash_name(code) {
                Some(name) => write!(f, "exit status: {code:#010x} ({name})"),
                None => write!(f, "exit status: {code}"),
            },
            ProgramExit::Signal(number) => match signal_name(number) {
                Some(name) => write!(f, "signal: {number} ({name})"),
                None => write!(f, "signal: {number}"),
            },
        }
    }
}

/// Whether this user may have one more thread: where it may not, tokio panics when it is given work that blocks.
pub fn room_for_a_thread() -> io::Result<()> {
    let thread = thread_named("room", || ())?;
    thread.join().unwrap_or_else(|panic| resume_unwind(panic));
    Ok(())
}

/// Starts a thread of this name.
pub fn thread_named<T: Send + 'static>(
    name: &str,
    work: impl FnOnce() -> T + Send + 'static,
) -> io::Result<thread::JoinHandle<T>> {
    thread::Builder::new().name(name.to_string()).spawn(work).map_err(|error| {
        let why = "this user may have no more processes and threads: end some, or allow more (ulimit -u)";
        io::Error::new(error.kind(), format!("{why}; the system says: {error}"))
    })
}

/// Processor time reserved for the warning: on a busy machine the warning thread has to wait for its turn.
const WARNING_CPU_TIME: Duration = Duration::from_millis(300);

/// Calls `tell` with the limit in seconds shortly before the process reaches the system's limit of processor time, if
/// there is one: the system would end it without a message. If no thread can be started, it is never called.
pub fn before_processor_time_ends(tell: impl FnOnce(u64) + Send + 'static) {
    let Some(limit) = native::processor_time_limit() else { return };
    let allowed = Duration::from_secs(limit.max(1)).saturating_sub(WARNING_CPU_TIME);
    let watch = move || {
        // Every processor may be taking of it at the same time.
        let processors =
            thread::available_parallelism().map_or(1, NonZero::get).try_into().unwrap_or(u32::MAX);
        while let Some(had) = native::processor_time() {
            let Some(left) = allowed.checked_sub(had) else { return tell(limit) };
            thread::sleep((left / processors).max(Duration::from_millis(5)));
        }
    };
    // Without it the process ends as the system ends it.
    let _ = thread::Builder::new().spawn(watch);
}

/// As much stack as Linux gives a main thread, in bytes.
const THREAD_STACK_BYTES: u64 = 8 << 20;

/// Runs the program's main work with at least 8 MiB of stack: in a separate thread if the main thread has less, as on
/// Windows and under `ulimit -s`.
pub fn with_enough_stack(work: fn() -> ExitCode) -> ExitCode {
    if native::main_stack() >= THREAD_STACK_BYTES {
        return work();
    }
    match thread::Builder::new().stack_size(THREAD_STACK_BYTES as usize).spawn(work) {
        Ok(main) => main.join().unwrap_or_else(|panic| resume_unwind(panic)),
        Err(_) => work(),
    }
}

/// The name of a signal: `SIGKILL` for 9. `None` where the system has no such signal.
pub fn signal_name(number: i32) -> Option<&'static str> {
    native::signal_name(number)
}

/// The meaning of an exit code with which the system marks a crash: `access violation` for 0xC0000005 on Windows.
/// `None` for a code that the program chose itself.
pub fn crash_name(code: i32) -> Option<&'static str> {
    native::crash_name(code)
}
