//! The sandbox of Linux: bubblewrap, Landlock, users, and the supervisor between the grader and a program.
//!
//! The supervisor is this binary again, alone with the program in the namespaces of bubblewrap. It opens the dealer's
//! socket inside the sandbox and hands it out, so that the sandbox has a network without any other host. The socket to
//! the grader is the lifeline: at its end the supervisor kills everything. Without bubblewrap it is the parent of every
//! orphan, and Landlock confines the program; root gives each program its own user. The last process gives up all
//! rights (`rights`) and filters its system calls (`filter`) before it becomes the program. The grader's binary has no
//! name inside (`grader_program`). Where the kernel counts memory, the supervisor starts in a control group
//! (`memory_group`).

mod bubblewrap;
mod environment;
mod exec;
mod filter;
mod grader_program;
mod instructions;
mod landlock_rules;
mod launch;
mod memory_group;
mod processes;
mod rights;
mod supervised;
mod supervisor;
mod users;

use std::path::{Path, PathBuf};
use std::sync::Arc;

pub(super) use supervisor::helper;

use super::program::SandboxedProgram;
use super::{Confined, Confinement, Policy, Protection, Task, Unprotected};
use bubblewrap::{Bubblewrap, NoBubblewrap};
use landlock_rules::LandlockSupport;
use memory_group::MemoryGroups;
use users::Users;

#[derive(Clone, Debug)]
struct LinuxConfinement {
    program: PathBuf,
    bubblewrap: Option<Bubblewrap>,
    users: Option<Users>,
    landlock: Option<LandlockSupport>,
    filters: bool,
    groups: Option<MemoryGroups>,
    /// Whether programs run without any isolation, with the grader's environment.
    trusts: bool,
    /// Why bubblewrap is not used, if programs are to be confined.
    missing: Option<NoBubblewrap>,
}

pub(super) fn confinement(program: &Path, policy: Policy) -> Result<Confined, Unprotected> {
    let users = if policy == Policy::Off { None } else { Users::of_this_machine() };
    let (bubblewrap, missing) = match policy {
        Policy::Off => (None, None),
        Policy::Plain => (None, Some(NoBubblewrap::Unwanted)),
        Policy::Auto | Policy::Require => match Bubblewrap::find(users.is_some()) {
            Ok(bubblewrap) => (Some(bubblewrap), None),
            Err(why) if policy == Policy::Require => {
                let remedy = why.remedy().unwrap_or_default();
                return Err(Unprotected::NoBubblewrap(format!("{why}. {remedy}")));
            }
            Err(why) => (None, Some(why)),
        },
    };
    if policy != Policy::Off && bubblewrap.is_none() && users.is_none() {
        // Programs are the same user then: they must not look into this process. It cannot fail.
        let _ = nix::sys::prctl::set_dumpable(false);
    }
    let landlock = if policy == Policy::Off { None } else { LandlockSupport::of_this_kernel() };
    let confinement = LinuxConfinement {
        program: program.to_path_buf(),
        bubblewrap,
        users,
        landlock,
        filters: filter::is_supported(),
        groups: if policy == Policy::Off { None } else { MemoryGroups::of_this_process() },
        trusts: policy == Policy::Off,
        missing,
    };
    let protection = confinement.protection();
    Ok((Arc::new(confinement), protection))
}

impl Confinement for LinuxConfinement {
    fn launch(&self, task: &Task) -> std::io::Result<SandboxedProgram> {
        self.start_supervised(task)
    }
}

impl LinuxConfinement {
    fn protection(&self) -> Protection {
        let is_tight = self.bubblewrap.is_some();
        Protection {
            is_tight,
            holds_network: is_tight || self.landlock >= Some(LandlockSupport::Network),
            fences_files: is_tight || self.landlock.is_some(),
            holds_signals: is_tight || self.landlock >= Some(LandlockSupport::Signals),
            warning: self.warning(),
        }
    }

    fn warning(&self) -> Option<String> {
        let why = self.missing.as_ref()?;
        let hole = match (self.landlock, self.filters) {
            (Some(LandlockSupport::Signals), true) => "see the processes of this machine",
            (Some(LandlockSupport::Signals), false) => "send datagrams and see the processes of this machine",
            (Some(LandlockSupport::Network), true) => "send signals and see the processes of this machine",
            (Some(LandlockSupport::Network), false) => {
                "send datagrams and signals and see the processes of this machine"
            }
            (Some(LandlockSupport::Files), _) => "use the network and send signals",
            (None, _) => "read and write your files, use the network and send signals",
        };
        let closed = if self.users.is_some() {
            users::closed_to_others(&bubblewrap::toolchains())
        } else {
            Vec::new()
        };
        let missed = match &closed[..] {
            [] => String::new(),
            closed => format!(
                " They run as users without access to {}: tools installed there are missing.",
                closed.iter().map(|folder| folder.display().to_string()).collect::<Vec<_>>().join(", ")
            ),
        };
        let use_it = match why.remedy() {
            Some(remedy) => format!("{remedy}, and use"),
            None => "Use".to_string(),
        };
        Some(format!(
            "Warning: {why}. Programs are limited and killed, but they can {hole}.{missed} {use_it} --sandbox require for \
             programs of strangers."
        ))
    }
}
