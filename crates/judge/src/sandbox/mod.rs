//! The sandbox of judged programs, the one place that starts them.
//!
//! On Linux (`linux`), bubblewrap isolates the files, processes and network of a program; without bubblewrap it is
//! watched, limited, confined by Landlock, and under root runs as a separate user. A supervisor, this program again
//! (see [`helper`]), kills everything when the program has ended, a limit is passed or the grader is gone. Other
//! systems have no sandbox: `unboxed` runs a program with the grader's rights, with limits on time, output and files.

mod by_time;
mod copy;
mod limits;
mod outputs;
mod program;
mod scratch;
mod task;
mod unboxed;

use std::env;
use std::fmt;
use std::io;
use std::path::Path;
use std::process::ExitCode;
use std::str::FromStr;
use std::sync::Arc;

use thiserror::Error;

pub use copy::copy_handed_in;
pub(crate) use copy::{CopyError, MAX_SUBMISSION_BYTES, copy_folder};
pub use limits::{Limit, ResourceLimits, Termination};
pub use program::{Ended, SandboxedProgram};
pub(crate) use scratch::ScratchFolder;
pub use task::{NeverStarted, Task, Workspace};

casino_system::on_linux!({
    mod linux;
    use linux as system_box;
} else {
    mod system_box {
        use std::path::Path;
        use std::process::ExitCode;

        use super::{Confined, Policy, Unprotected, unboxed};

        pub(super) fn confinement(_: &Path, policy: Policy) -> Result<Confined, Unprotected> {
            unboxed::confinement(policy)
        }

        pub(super) fn helper() -> Option<ExitCode> {
            None
        }
    }
});

/// The isolation of programs. Limits and the killing of leftover processes always apply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Policy {
    /// `auto`: bubblewrap where it works, elsewhere the kernel's means and a warning.
    #[default]
    Auto,
    /// Bubblewrap, or nothing runs: `require`.
    Require,
    /// As on a machine without bubblewrap: `plain`.
    Plain,
    /// Nothing but limits, for programs one trusts: `off`.
    Off,
}

impl FromStr for Policy {
    type Err = String;

    fn from_str(text: &str) -> Result<Policy, String> {
        match text {
            "auto" => Ok(Policy::Auto),
            "require" => Ok(Policy::Require),
            "plain" => Ok(Policy::Plain),
            "off" => Ok(Policy::Off),
            _ => {
                let word = text.escape_debug();
                Err(format!("\"{word}\" is no kind of sandbox: write auto, require, plain or off"))
            }
        }
    }
}

trait Confinement: fmt::Debug + Send + Sync {
    fn launch(&self, task: &Task) -> io::Result<SandboxedProgram>;
}

type Confined = (Arc<dyn Confinement>, Protection);

/// The protection that this machine offers.
#[derive(Clone, Debug)]
pub struct Protection {
    /// Whether programs run under bubblewrap, with isolated files, processes and network.
    pub is_tight: bool,
    /// Whether programs can reach only the dealer by TCP.
    pub holds_network: bool,
    /// Whether programs see and change only files that they may.
    pub fences_files: bool,
    /// Whether programs cannot send signals to others.
    pub holds_signals: bool,
    /// The warning before untrusted programs run here, if any.
    pub warning: Option<String>,
}

/// How programs are confined on this machine.
#[derive(Clone, Debug)]
pub struct Sandbox {
    confinement: Arc<dyn Confinement>,
    /// The protection of this sandbox.
    pub protection: Protection,
    turns: Arc<by_time::SandboxTurns>,
}

/// Does the work of a helper process. `None` if this process was not started as one.
pub fn helper() -> Option<ExitCode> {
    system_box::helper()
}

/// Why the required sandbox is not available.
#[derive(Debug, Error)]
pub enum Unprotected {
    /// This program, which is run again as the supervisor, cannot be found.
    #[error("the file of this program, which starts others, is not found: {0}. Install casino again")]
    NoProgram(#[source] io::Error),
    /// Bubblewrap does not work here, for this reason and with this remedy.
    #[error("a sandbox is required, and {0}, or run with --sandbox auto")]
    NoBubblewrap(String),
    /// This system has nothing to confine programs with.
    #[error(
        "a sandbox is required, and this system has none: programs would run with your rights. Grade programs of \
         strangers on Linux, with bubblewrap, or run with --sandbox auto"
    )]
    NoBox,
}

impl Sandbox {
    /// Detects the protection of this machine. This process must be the `casino` program.
    pub fn new(policy: Policy) -> Result<Sandbox, Unprotected> {
        let program = env::current_exe().map_err(Unprotected::NoProgram)?;
        Sandbox::supervised_by(&program, policy)
    }

    /// As [`Sandbox::new`], for a process that is not the `casino` program but knows where it is.
    pub fn supervised_by(program: &Path, policy: Policy) -> Result<Sandbox, Unprotected> {
        Ok(Sandbox::confined_by(system_box::confinement(program, policy)?))
    }

    /// As on a system without a sandbox: programs run with the rights of this process.
    pub fn without_box(policy: Policy) -> Result<Sandbox, Unprotected> {
        Ok(Sandbox::confined_by(unboxed::confinement(policy)?))
    }

    fn confined_by((confinement, protection): Confined) -> Sandbox {
        Sandbox { confinement, protection, turns: Arc::default() }
    }

    /// Starts a program.
    pub fn start(&self, task: &Task) -> Result<SandboxedProgram, NeverStarted> {
        let Some(program) = task.words.first() else {
            return Err(NeverStarted { program: "no program".into(), error: io::ErrorKind::NotFound.into() });
        };
        self.confinement.launch(task).map_err(|error| {
            let (Workspace::Copy(folder) | Workspace::Build(folder) | Workspace::Here(folder)) = &task.place;
            // The system reports a missing folder as if the program were missing.
            let gone = [folder.clone(), env::temp_dir()].into_iter().find(|folder| !folder.is_dir());
            let error = gone
                .map_or(error, |folder| io::Error::other(format!("the folder {} is gone", folder.display())));
            NeverStarted { program: program.clone(), error }
        })
    }
}
