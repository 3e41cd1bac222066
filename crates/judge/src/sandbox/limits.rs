//! The resources that a judged program may use, and how it ended.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use casino_system::processes::{crash_name, signal_name};

/// The resources that a program may use together with everything it starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResourceLimits {
    /// Processes and threads at one time.
    pub processes: u32,
    /// Bytes of main memory at one time, shared pages counted once.
    pub memory: u64,
    /// Bytes of all files it keeps.
    pub files: u64,
    /// Bytes of one file.
    pub file: u64,
    /// Bytes of standard output.
    pub output: u64,
    /// Bytes of standard error.
    pub errors: u64,
    /// Time on processors, summed.
    pub cpu: Duration,
    /// Real time from its start to its end.
    pub wall: Duration,
}

impl ResourceLimits {
    /// Enough for any bot of the course, a Java machine on a big computer included.
    pub const BOT: ResourceLimits = ResourceLimits {
        processes: 256,
        memory: 1 << 30,
        files: 64 << 20,
        file: 16 << 20,
        // A player's output is truncated rather than limited: a kill at the limit would come at a random moment of the game.
        output: u64::MAX,
        errors: u64::MAX,
        cpu: Duration::from_secs(120),
        wall: Duration::from_secs(300),
    };

    /// Enough for compiling a bot.
    pub const BUILD: ResourceLimits = ResourceLimits {
        processes: 256,
        memory: 2 << 30,
        files: 512 << 20,
        file: 128 << 20,
        output: 16 << 20,
        errors: 16 << 20,
        cpu: Duration::from_secs(120),
        wall: Duration::from_secs(120),
    };
}

/// The most files and folders of a program: each takes about a kibibyte of kernel memory.
pub(super) const MAX_SANDBOX_ENTRIES: u64 = 50_000;

/// The limit at which a program was killed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Limit {
    /// Too many processes and threads.
    Processes,
    /// Too much memory.
    Memory,
    /// Too much written to files.
    Files,
    /// Too many files and folders.
    Entries,
    /// Too much printed.
    Output,
    /// Too much written to standard error.
    Errors,
    /// Too much time on processors.
    Cpu,
    /// Too much real time.
    Wall,
}

impl Limit {
    /// The limit in a sentence, with its number.
    pub fn sentence(self, limits: &ResourceLimits) -> String {
        let passed = match self {
            Limit::Processes => {
                let most = limits.processes;
                format!("had more than {most} processes and threads; a Java VM has about 30 of its own")
            }
            Limit::Memory => format!("took more than {} of memory", mebibytes(limits.memory)),
            Limit::Files => format!("wrote more than {} to files", mebibytes(limits.files)),
            Limit::Entries => format!("made more than {MAX_SANDBOX_ENTRIES} files and folders"),
            Limit::Output => {
                format!("printed more than {} bytes, far more than the answer takes", limits.output)
            }
            Limit::Errors => format!("wrote more than {} bytes to standard error", limits.errors),
            Limit::Cpu => format!("used more than {} s of processor time", limits.cpu.as_secs_f64()),
            Limit::Wall => format!("took longer than {} s", limits.wall.as_secs_f64()),
        };
        format!("The program was stopped: it {passed}.")
    }
}

fn mebibytes(bytes: u64) -> String {
    format!("{} MiB", bytes >> 20)
}

/// How a program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Termination {
    /// Exited normally, with this exit code.
    Exited(i32),
    /// By a signal that it did not get from here; on Windows with this code of a crash.
    Crashed(i32),
    /// It was killed at this limit.
    Over(Limit),
    /// It was still running when it was no longer needed, and was killed.
    Stopped,
    /// It ended the process that watched it; everything of it that was found was killed.
    Fled,
}

impl Termination {
    /// How it ended, in a sentence.
    pub fn sentence(self, limits: &ResourceLimits) -> String {
        match self {
            Termination::Exited(code) => format!("The program ended by itself with exit code {code}."),
            Termination::Crashed(signal) => {
                if let Some(name) = crash_name(signal) {
                    return format!("The program crashed: {name} (exit code {signal:#X}).");
                }
                format!("The program crashed: signal {signal} ({}).", signal_name(signal).unwrap_or("?"))
            }
            Termination::Over(limit) => limit.sentence(limits),
            Termination::Stopped => "The program was still running at the end and was stopped.".into(),
            Termination::Fled => "The program ended the process that watched over it.".into(),
        }
    }
}
