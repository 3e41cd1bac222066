//! What the kernel's Landlock holds where there is no bubblewrap: it needs no rights, and works in most containers.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, NetPort, Ruleset, RulesetAttr,
    RulesetCreatedAttr, Scope, path_beneath_rules,
};
use serde::{Deserialize, Serialize};

/// Up to where the rules here know the kernel's. What an older kernel does not know is left out.
const KNOWN: ABI = ABI::V6;

/// What a system has for everyone to read.
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

/// Devices without a memory.
const DEVICES: [&str; 6] = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty"];

/// How much of it this kernel has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Reach {
    /// Files.
    Files,
    /// TCP as well.
    Network,
    /// Signals and abstract sockets as well.
    Signals,
}

/// What a program may do.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct LandlockRules {
    /// What it may read and execute besides the system.
    pub(super) read: Vec<PathBuf>,
    /// Where it may do everything.
    pub(super) write: Vec<PathBuf>,
}

impl Reach {
    /// What this kernel has, if anything.
    pub(super) fn of_this_kernel() -> Option<Reach> {
        let strict = || Ruleset::default().set_compatibility(CompatLevel::HardRequirement);
        let files = strict().handle_access(AccessFs::from_all(ABI::V1)).and_then(Ruleset::create);
        let network = strict().handle_access(AccessNet::from_all(ABI::V4)).and_then(Ruleset::create);
        let signals = strict().scope(Scope::from_all(ABI::V6)).and_then(Ruleset::create);
        match (files.is_ok(), network.is_ok(), signals.is_ok()) {
            (true, true, true) => Some(Reach::Signals),
            (true, true, false) => Some(Reach::Network),
            (true, ..) => Some(Reach::Files),
            (false, ..) => None,
        }
    }
}

impl fmt::Display for Reach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reach::Files => "files fenced by Landlock",
            Reach::Network => "files and TCP fenced by Landlock",
            Reach::Signals => "files, TCP and signals fenced by Landlock",
        })
    }
}

impl LandlockRules {
    /// Puts this process and all it will start behind the fence, as far as the kernel has one. The one TCP port is
    /// that of the dealer.
    pub(super) fn close(&self, port: u16) -> Result<(), landlock::RulesetError> {
        let all = AccessFs::from_all(KNOWN);
        let reading = AccessFs::from_read(KNOWN);
        let settings = super::bubblewrap::settings();
        Ruleset::default()
            .handle_access(all)?
            .handle_access(AccessNet::from_all(KNOWN))?
            .scope(Scope::from_all(KNOWN))?
            .create()?
            .add_rules(path_beneath_rules(SYSTEM.iter().chain(&["/dev/fd"]), reading))?
            .add_rules(path_beneath_rules(settings.iter().map(|path| real(path)), reading))?
            .add_rules(path_beneath_rules(super::bubblewrap::toolchains(), reading))?
            .add_rules(path_beneath_rules(&self.read, reading))?
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
