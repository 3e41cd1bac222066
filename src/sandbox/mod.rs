//! The sandbox in which judged programs run.
//!
//! Under bubblewrap a program has files, processes and a network of its own: it sees the system's programs and its own
//! folder, and the one address it can reach is the dealer's. Without bubblewrap it is watched and limited, and as root it
//! runs as a user of its own, but it sees the machine. Either way a supervisor (this program itself, see [`helper`])
//! stands between the grader and the program: it kills everything when the program has ended, when a limit is passed,
//! and when the grader is gone for whatever reason.
//!
//! `sandbox` is the one place that starts a judged program. Three processes stand in a row: the grader; a supervisor,
//! which is this binary again, alone with the program in the namespaces that bubblewrap makes; and the program. The
//! dealer's socket is opened by the supervisor inside the sandbox and handed out over the socket between the two, so
//! the sandbox has a network of its own with nobody in it, and no byte of the game is relayed. That socket is also the
//! lifeline: whichever way the grader ends, the supervisor reads its end and kills everything, and number 1 of a
//! process namespace takes all others with it. Where bubblewrap is missing the same supervisor is the parent of every
//! orphan, and Landlock confines the program; root gives each sandboxed program a user of its own, so that the
//! system's limit on processes counts for it alone. `submission` makes a folder a program; `program` asks a program
//! one thing.

mod bubblewrap;
mod copy;
mod environment;
mod exec;
mod instructions;
mod landlock_rules;
mod launch;
mod limits;
mod policy;
mod processes;
mod sandboxed_program;
mod scratch;
mod supervisor;
mod task;
mod users;

use std::env;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

pub(crate) use copy::copy_folder;
pub use launch::NeverStarted;
pub use limits::{Limit, ResourceLimits, Termination};
pub use policy::{NoPolicy, Policy};
pub use sandboxed_program::{Ended, SandboxedProgram};
pub(crate) use scratch::scratch_folder;
pub use supervisor::helper;
pub use task::{Task, Workspace};

use bubblewrap::Bubblewrap;
use landlock_rules::LandlockSupport;
use users::Users;

/// How programs are confined on this machine.
#[derive(Clone, Debug)]
pub struct Sandbox {
    /// This program, which is run again as the supervisor.
    program: PathBuf,
    bubblewrap: Option<Bubblewrap>,
    /// The users that programs can become, if this process may change users.
    users: Option<Users>,
    /// What the kernel confines where bubblewrap does not.
    landlock: Option<LandlockSupport>,
    /// Whether nothing is kept from programs, the environment included.
    trusts: bool,
    /// Why bubblewrap is not used though it was wanted.
    missing: Option<String>,
}

/// Why there is no sandbox as it is required.
#[derive(Debug, Error)]
pub enum Unprotected {
    /// This program, which is run again as the supervisor, cannot be found.
    #[error(
        "a sandbox is required, and this program is not found: {0}. Install it (make tools), or run with --sandbox auto"
    )]
    NoProgram(#[source] io::Error),
    /// Bubblewrap does not work here, for this reason.
    #[error("a sandbox is required, and {0}. Install it (make tools), or run with --sandbox auto")]
    NoBubblewrap(String),
}

impl Sandbox {
    /// Looks at what this machine offers. This process must be the `casino` program.
    ///
    /// # Errors
    /// If bubblewrap is required and does not work, or this program cannot be found.
    pub fn new(policy: Policy) -> Result<Sandbox, Unprotected> {
        let program = env::current_exe().map_err(Unprotected::NoProgram)?;
        Sandbox::supervised_by(&program, policy)
    }

    /// As [`Sandbox::new`], for a process that is not the `casino` program but knows where it is.
    ///
    /// # Errors
    /// If bubblewrap is required and does not work.
    pub fn supervised_by(program: &Path, policy: Policy) -> Result<Sandbox, Unprotected> {
        let users = if policy == Policy::Off { None } else { Users::of_this_machine() };
        let (bubblewrap, missing) = match policy {
            Policy::Off => (None, None),
            Policy::Plain => (None, Some("bubblewrap is not used".to_string())),
            Policy::Auto | Policy::Require => match Bubblewrap::find(users.is_some()) {
                Ok(bubblewrap) => (Some(bubblewrap), None),
                Err(why) if policy == Policy::Require => return Err(Unprotected::NoBubblewrap(why)),
                Err(why) => (None, Some(why)),
            },
        };
        let landlock = if policy == Policy::Off { None } else { LandlockSupport::of_this_kernel() };
        Ok(Sandbox {
            program: program.to_path_buf(),
            bubblewrap,
            users,
            landlock,
            trusts: policy == Policy::Off,
            missing,
        })
    }

    /// Whether programs run under bubblewrap.
    pub fn is_tight(&self) -> bool {
        self.bubblewrap.is_some()
    }

    /// Whether programs can reach nobody but the dealer by TCP.
    pub fn holds_network(&self) -> bool {
        self.is_tight() || self.landlock >= Some(LandlockSupport::Network)
    }

    /// Whether programs see and change only files that they may.
    pub fn fences_files(&self) -> bool {
        self.is_tight() || self.landlock.is_some()
    }

    /// How programs are confined here, in a line.
    pub fn protections(&self) -> String {
        let user = if self.users.is_some() { ", each as a user of its own" } else { "" };
        let limits = "with limits on processes, memory, files, output and time";
        match (&self.bubblewrap, self.landlock) {
            (Some(_), _) => {
                format!("Programs run under bubblewrap{user}: own files, processes and network; {limits}.")
            }
            (None, Some(landlock)) => format!("Programs run without bubblewrap{user}: {landlock}; {limits}."),
            (None, None) => format!("Programs run without a sandbox{user}; {limits}."),
        }
    }

    /// What people have to be told before untrusted programs run here, if anything.
    pub fn warning(&self) -> Option<String> {
        let why = self.missing.as_ref()?;
        let hole = match self.landlock {
            Some(LandlockSupport::Signals) => "send datagrams and see what runs on this machine",
            Some(LandlockSupport::Network) => "send datagrams and signals and see what runs on this machine",
            Some(LandlockSupport::Files) => "use the network and send signals",
            None => "read and write what you can, use the network and send signals",
        };
        let closed = if self.users.is_some() {
            users::closed_to_others(&bubblewrap::toolchains())
        } else {
            Vec::new()
        };
        let missed = match &closed[..] {
            [] => String::new(),
            closed => format!(
                " They run as users who may not enter {}: what is installed there is not there for them.",
                closed.iter().map(|folder| folder.display().to_string()).collect::<Vec<_>>().join(", ")
            ),
        };
        Some(format!(
            "Warning: {why}. Programs are limited and killed, but they can {hole}.{missed} Install bubblewrap (make \
             tools), and use --sandbox require for programs of strangers."
        ))
    }
}
