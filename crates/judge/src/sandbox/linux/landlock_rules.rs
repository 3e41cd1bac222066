//! Landlock rules, which confine programs without bubblewrap. They need no rights.

use std::fs;
use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, NetPort, Ruleset, RulesetAttr,
    RulesetCreatedAttr, Scope, path_beneath_rules,
};
use serde::{Deserialize, Serialize};

use super::bubblewrap::{seen_from, settings, toolchains};
use super::grader_program::without;
use crate::sandbox::{Task, Workspace};

/// The newest version of Landlock that is used here. Rules that an older kernel does not know are left out.
const KNOWN: ABI = ABI::V6;

const SYSTEM: [&str; 12] = [
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/opt",
    "/nix/store",
    "/snap",
    "/sys",
    "/proc",
];

/// Devices that keep no written data.
const DEVICES: [&str; 6] = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty"];

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum LandlockSupport {
    Files,
    Network,
    Signals,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct LandlockRules {
    pub(super) read: Vec<PathBuf>,
    pub(super) write: Vec<PathBuf>,
    /// The files in folders of the system and in `read` that it must not read, by their real names.
    pub(super) hidden: Vec<PathBuf>,
}

impl LandlockSupport {
    pub(super) fn of_this_kernel() -> Option<LandlockSupport> {
        let strict = || Ruleset::default().set_compatibility(CompatLevel::HardRequirement);
        let files = strict().handle_access(AccessFs::from_all(ABI::V1)).and_then(Ruleset::create);
        let network = strict().handle_access(AccessNet::from_all(ABI::V4)).and_then(Ruleset::create);
        let signals = strict().scope(Scope::from_all(ABI::V6)).and_then(Ruleset::create);
        match (files.is_ok(), network.is_ok(), signals.is_ok()) {
            (true, true, true) => Some(LandlockSupport::Signals),
            (true, true, false) => Some(LandlockSupport::Network),
            (true, ..) => Some(LandlockSupport::Files),
            (false, ..) => None,
        }
    }
}

impl LandlockRules {
    pub(super) fn for_task(task: &Task, scratch: &Path, hidden: Vec<PathBuf>) -> LandlockRules {
        let write = vec![scratch.join("work"), scratch.join("tmp")];
        let mut rules = LandlockRules { read: Vec::new(), write, hidden };
        match &task.place {
            Workspace::Copy(folder) => rules.read.push(folder.clone()),
            Workspace::Build(folder) => rules.write.push(folder.clone()),
            Workspace::Here(folder) => rules.read = seen_from(folder, &task.words),
        }
        rules
    }

    /// Confines this process and its children, as far as the kernel can; TCP reaches only the dealer's port.
    pub(super) fn enforce(&self, port: u16) -> Result<(), landlock::RulesetError> {
        let all = AccessFs::from_all(KNOWN);
        let reading = AccessFs::from_read(KNOWN);
        let readable = SYSTEM.iter().map(PathBuf::from).chain(toolchains()).chain(self.read.iter().cloned());
        let (mut whole, mut opened) = (Vec::new(), Vec::new());
        for folder in readable {
            let (parts, above) = without(&folder, &self.hidden);
            whole.extend(parts);
            opened.extend(above);
        }
        whole.extend(settings().iter().map(|path| real(path)));
        whole.push("/dev/fd".into());
        Ruleset::default()
            .handle_access(all)?
            .handle_access(AccessNet::from_all(KNOWN))?
            .scope(Scope::from_all(KNOWN))?
            .create()?
            .add_rules(path_beneath_rules(whole, reading))?
            .add_rules(path_beneath_rules(opened, AccessFs::ReadDir))?
            .add_rules(path_beneath_rules(DEVICES, all))?
            .add_rules(path_beneath_rules(&self.write, all))?
            .add_rule(NetPort::new(port, AccessNet::ConnectTcp))?
            .restrict_self()?;
        Ok(())
    }
}

/// Where a link leads: rules are about files, not names.
fn real(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf())
}
