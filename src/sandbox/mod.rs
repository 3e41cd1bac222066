//! The box in which judged programs run.
//!
//! Under bubblewrap a program has files, processes and a network of its own: it sees the system's programs and its
//! own folder, and the one address it can reach is the dealer's. Without bubblewrap it is watched and limited, and
//! as root it runs as a user of its own, but it sees the machine. Either way a supervisor (this program itself,
//! see [`helper`]) stands between the grader and the program: it kills everything when the program has ended, when
//! a limit is passed, and when the grader is gone for whatever reason.

mod boxed;
mod bubblewrap;
mod copy;
mod fence;
mod limits;
mod orders;
mod processes;
mod supervise;

use std::env;
use std::fmt;
use std::fs::{self, DirBuilder, Permissions};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt, lchown};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::str::FromStr;
use std::sync::Once;
use std::sync::atomic::{AtomicU32, Ordering};

pub use boxed::{Ended, SandboxedProgram};
pub(crate) use copy::copy_folder;
pub use limits::{Limit, ResourceLimits, Termination};
pub use supervise::helper;

use boxed::Parts;
use bubblewrap::{Bubblewrap, SUBMISSION, WORK};
use fence::{LandlockRules, Reach};
use orders::Orders;
use processes::Processes;

/// What programs are held by. Limits and the killing of what is left are there always.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Policy {
    /// Bubblewrap where it works, elsewhere what the kernel has and a warning: `auto`.
    #[default]
    Auto,
    /// Bubblewrap, or nothing runs: `require`.
    Require,
    /// As on a machine without bubblewrap: `plain`.
    Plain,
    /// Nothing but limits, for programs one trusts: `off`.
    Off,
}

/// A word that is no policy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoPolicy(String);

impl fmt::Display for NoPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\" is no kind of sandbox: write auto, require, plain or off", self.0.escape_debug())
    }
}

impl std::error::Error for NoPolicy {}

impl FromStr for Policy {
    type Err = NoPolicy;

    fn from_str(text: &str) -> Result<Policy, NoPolicy> {
        match text {
            "auto" => Ok(Policy::Auto),
            "require" => Ok(Policy::Require),
            "plain" => Ok(Policy::Plain),
            "off" => Ok(Policy::Off),
            _ => Err(NoPolicy(text.to_string())),
        }
    }
}

/// How programs are held on this machine.
#[derive(Clone, Debug)]
pub struct Sandbox {
    /// This program, which is run again as the supervisor.
    program: PathBuf,
    bubblewrap: Option<Bubblewrap>,
    /// Whether programs can become users of their own.
    users: Option<Users>,
    /// What the kernel fences in where bubblewrap does not.
    fence: Option<Reach>,
    /// Nothing is kept from programs, the environment included.
    trusts: bool,
    /// Why bubblewrap is not used though it was wanted.
    missing: Option<String>,
}

/// `--sandbox require` on a machine where bubblewrap does not work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unprotected(String);

impl fmt::Display for Unprotected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "a sandbox is required, and {}. Install it (make tools), or run with --sandbox auto",
            self.0
        )
    }
}

impl std::error::Error for Unprotected {}

/// A program to run.
#[derive(Clone, Debug)]
pub struct Task {
    /// The program and its arguments. `{host}` and `{port}` become the dealer's address.
    pub words: Vec<String>,
    /// Where it runs.
    pub place: Workspace,
    /// What it may take.
    pub limits: ResourceLimits,
    /// How many bytes of each output are kept: the last ones.
    pub keep: usize,
}

/// Where a program runs, and what it may write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Workspace {
    /// In a fresh copy of this folder, which is gone afterwards.
    Copy(PathBuf),
    /// In this folder, which it may change: for building.
    Build(PathBuf),
    /// In this folder, which it cannot change under bubblewrap.
    Here(PathBuf),
}

impl Sandbox {
    /// Looks at what this machine offers. This process must be the `casino` program.
    ///
    /// # Errors
    /// If bubblewrap is required and does not work, or this program cannot be found.
    pub fn new(policy: Policy) -> Result<Sandbox, Unprotected> {
        let program =
            env::current_exe().map_err(|error| Unprotected(format!("this program is not found: {error}")))?;
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
                Err(why) if policy == Policy::Require => return Err(Unprotected(why)),
                Err(why) => (None, Some(why)),
            },
        };
        let fence = if policy == Policy::Off { None } else { Reach::of_this_kernel() };
        Ok(Sandbox {
            program: program.to_path_buf(),
            bubblewrap,
            users,
            fence,
            trusts: policy == Policy::Off,
            missing,
        })
    }

    /// Whether programs are held by bubblewrap.
    pub fn is_tight(&self) -> bool {
        self.bubblewrap.is_some()
    }

    /// Whether programs can reach nobody but the dealer by TCP.
    pub fn holds_network(&self) -> bool {
        self.is_tight() || self.fence >= Some(Reach::Network)
    }

    /// Whether programs see and change only files that they may.
    pub fn fences_files(&self) -> bool {
        self.is_tight() || self.fence.is_some()
    }

    /// What holds programs here, in a line.
    pub fn protections(&self) -> String {
        let user = if self.users.is_some() { ", each as a user of its own" } else { "" };
        let limits = "with limits on processes, memory, files, output and time";
        match (&self.bubblewrap, self.fence) {
            (Some(_), _) => {
                format!("Programs run under bubblewrap{user}: own files, processes and network; {limits}.")
            }
            (None, Some(fence)) => format!("Programs run without bubblewrap{user}: {fence}; {limits}."),
            (None, None) => format!("Programs run without a sandbox{user}; {limits}."),
        }
    }

    /// What people have to be told before untrusted programs run here, if anything.
    pub fn warning(&self) -> Option<String> {
        let why = self.missing.as_ref()?;
        let hole = match self.fence {
            Some(Reach::Signals) => "send datagrams and see what runs on this machine",
            Some(Reach::Network) => "send datagrams and signals and see what runs on this machine",
            Some(Reach::Files) => "use the network and send signals",
            None => "read and write what you can, use the network and send signals",
        };
        let closed =
            if self.users.is_some() { closed_to_others(&bubblewrap::toolchains()) } else { Vec::new() };
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

    /// Starts a program.
    ///
    /// # Errors
    /// Why it cannot be started.
    pub fn start(&self, task: &Task) -> Result<SandboxedProgram, NeverStarted> {
        let Some(program) = task.words.first() else {
            return Err(NeverStarted { program: "no program".into(), error: io::ErrorKind::NotFound.into() });
        };
        self.begin(task).map_err(|error| NeverStarted { program: program.clone(), error })
    }

    fn begin(&self, task: &Task) -> io::Result<SandboxedProgram> {
        // What is run where it is may be readable by its owner alone.
        let stays = matches!(task.place, Workspace::Here(_));
        let tight =
            self.bubblewrap.as_ref().filter(|bwrap| if stays { bwrap.holds_own_user() } else { true });
        let changes = !stays && tight.is_none_or(|bubblewrap| bubblewrap.root);
        let user = if changes { self.users.as_ref().map(Users::next) } else { None };
        let (ours, theirs) = UnixStream::pair()?;
        let scratch = if tight.is_some() { None } else { Some(scratch()?) };
        let orders = self.orders(task, user, scratch.as_deref())?;
        if let (Workspace::Build(folder), Some(user)) = (&task.place, user) {
            give(folder, user)?;
        }
        let mut command = match tight {
            Some(bubblewrap) => bubblewrap.command(&self.program, supervise::SUPERVISE, task, user.is_some()),
            None => {
                let mut command = Command::new(&self.program);
                command.arg(supervise::SUPERVISE);
                command
            }
        };
        let child = command
            .env_clear()
            .stdin(Stdio::from(OwnedFd::from(theirs)))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn();
        // The command holds the other end of the line too.
        drop(command);
        match child {
            Ok(child) => {
                SandboxedProgram::begin(Parts { child, channel: ours, orders, keep: task.keep, scratch })
            }
            Err(error) => {
                boxed::clear(scratch.as_ref());
                Err(error)
            }
        }
    }

    fn orders(&self, task: &Task, user: Option<u32>, scratch: Option<&Path>) -> io::Result<Orders> {
        let (mut copy, mut measured) = (None, Vec::new());
        let (folder, home) = match scratch {
            None => {
                let folder = match &task.place {
                    Workspace::Copy(_) => {
                        copy = Some((PathBuf::from(SUBMISSION), task.limits.files / 2));
                        PathBuf::from(WORK)
                    }
                    Workspace::Build(_) => {
                        measured.push(PathBuf::from(WORK));
                        PathBuf::from(WORK)
                    }
                    Workspace::Here(folder) => folder.clone(),
                };
                (folder, PathBuf::from("/tmp"))
            }
            Some(scratch) => {
                let (work, home) = (scratch.join("work"), scratch.join("tmp"));
                for folder in [&work, &home] {
                    fs::create_dir(folder)?;
                    if let Some(user) = user {
                        lchown(folder, Some(user), Some(user))?;
                    }
                }
                measured.extend([work.clone(), home.clone()]);
                let folder = match &task.place {
                    Workspace::Copy(original) => {
                        copy = Some((original.clone(), task.limits.files / 2));
                        work
                    }
                    Workspace::Build(folder) => {
                        measured.push(folder.clone());
                        folder.clone()
                    }
                    Workspace::Here(folder) => folder.clone(),
                };
                (folder, home)
            }
        };
        let tasks_before = match user {
            Some(_) => 0,
            None => {
                let processes = Processes::now();
                processes.threads(&processes.of_user(nix::unistd::getuid().as_raw()))
            }
        };
        let fence = scratch.filter(|_| self.fence.is_some()).map(|scratch| {
            let mut fence =
                LandlockRules { read: Vec::new(), write: vec![scratch.join("work"), scratch.join("tmp")] };
            match &task.place {
                Workspace::Copy(folder) => fence.read.push(folder.clone()),
                Workspace::Build(folder) => fence.write.push(folder.clone()),
                Workspace::Here(folder) => fence.read = bubblewrap::seen_from(folder, &task.words),
            }
            fence
        });
        Ok(Orders {
            port: 0,
            fence,
            words: task.words.clone(),
            environment: if self.trusts {
                env::vars_os()
                    .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
                    .collect()
            } else {
                environment(&home, scratch.is_some())
            },
            copy,
            folder,
            measured,
            user,
            own_processes: scratch.is_none(),
            tasks_before,
            limits: task.limits,
        })
    }
}

/// The program could not be started at all.
#[derive(Debug)]
pub struct NeverStarted {
    /// The program's name.
    pub program: String,
    /// What the system said.
    pub error: io::Error,
}

impl fmt::Display for NeverStarted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} cannot be started: {}", self.program, self.error)?;
        match self.error.kind() {
            io::ErrorKind::NotFound if self.program.contains('/') => {
                f.write_str(" (is the path right, and the interpreter in its first line installed?)")
            }
            io::ErrorKind::NotFound => {
                f.write_str(" (install it, or write ./NAME for a file in this folder)")
            }
            io::ErrorKind::PermissionDenied => f.write_str(" (make it executable: chmod +x)"),
            _ => Ok(()),
        }
    }
}

impl std::error::Error for NeverStarted {}

/// The numbers of users that exist nowhere else on the machine: each box gets one.
#[derive(Clone, Debug)]
struct Users {
    first: u32,
    count: u32,
}

impl Users {
    /// Those that this process may become, which only root may.
    fn of_this_machine() -> Option<Users> {
        if !nix::unistd::geteuid().is_root() || !may_change_users() {
            return None;
        }
        let map = fs::read_to_string("/proc/self/uid_map").ok()?;
        let whole = map.split_whitespace().nth(2)?.parse::<u64>().ok()?;
        // Far from the numbers of people where there are so many, and different for graders that run at once.
        let process = std::process::id();
        if whole > 0x8000_0000 {
            Some(Users { first: 0x4000_0000 + (process % 0x40_0000) * 128, count: 128 })
        } else if whole >= 60_000 {
            Some(Users { first: 20_000 + (process % 300) * 128, count: 128 })
        } else {
            None
        }
    }

    fn next(&self) -> u32 {
        static TAKEN: AtomicU32 = AtomicU32::new(0);
        self.first + TAKEN.fetch_add(1, Ordering::Relaxed) % self.count
    }
}

/// Those of these folders that only their owner may enter, for what is above them too.
fn closed_to_others(folders: &[PathBuf]) -> Vec<PathBuf> {
    const OTHERS_ENTER: u32 = 0o001;
    let is_closed = |folder: &Path| {
        let is_open = |about: fs::Metadata| about.permissions().mode() & OTHERS_ENTER != 0;
        folder.ancestors().any(|above| !fs::metadata(above).is_ok_and(is_open))
    };
    folders.iter().filter(|folder| is_closed(folder)).cloned().collect()
}

/// Whether this process has the rights to change its user and to give files away: being root is not enough in
/// a container.
fn may_change_users() -> bool {
    const CHOWN_SETGID_SETUID: u64 = 1 | 1 << 6 | 1 << 7;
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let rights = status.lines().find_map(|line| line.strip_prefix("CapEff:"));
    rights
        .and_then(|rights| u64::from_str_radix(rights.trim(), 16).ok())
        .is_some_and(|rights| rights & CHOWN_SETGID_SETUID == CHOWN_SETGID_SETUID)
}

/// All that a program is told about the machine.
fn environment(home: &Path, sees_all: bool) -> Vec<(String, String)> {
    let mut variables = vec![
        ("HOME".to_string(), home.display().to_string()),
        ("TMPDIR".to_string(), home.display().to_string()),
        ("LANG".to_string(), "C.UTF-8".to_string()),
        ("PATH".to_string(), search_path(sees_all)),
        ("PYTHONDONTWRITEBYTECODE".to_string(), "1".to_string()),
        ("CARGO_HOME".to_string(), home.join("cargo").display().to_string()),
        ("GOCACHE".to_string(), home.join("go-build").display().to_string()),
        ("GOFLAGS".to_string(), "-mod=mod".to_string()),
    ];
    let rustup = bubblewrap::toolchains().into_iter().find(|folder| folder.ends_with(".rustup"));
    if let Some(folder) = env::var("RUSTUP_HOME").ok().or(rustup.map(|path| path.display().to_string())) {
        variables.push(("RUSTUP_HOME".into(), folder));
    }
    variables
}

/// The folders of `PATH` that a box has, and those of the system.
fn search_path(sees_all: bool) -> String {
    let toolchains = bubblewrap::toolchains();
    let path = env::var_os("PATH").unwrap_or_default();
    let visible = |folder: &PathBuf| {
        sees_all
            || ["/usr", "/opt", "/nix/store", "/snap"].iter().any(|part| folder.starts_with(part))
            || toolchains.iter().any(|part| folder.starts_with(part))
    };
    let system = ["/usr/local/bin", "/usr/bin", "/bin"].map(PathBuf::from);
    let mut folders: Vec<PathBuf> = env::split_paths(&path).filter(visible).collect();
    for folder in system {
        if !folders.contains(&folder) {
            folders.push(folder);
        }
    }
    env::join_paths(folders)
        .map(|path| path.to_string_lossy().into_owned())
        .unwrap_or_else(|_| "/usr/bin:/bin".to_string())
}

/// A new folder in the system's place for such things. Others may go through it and see nothing.
pub(crate) fn scratch() -> io::Result<PathBuf> {
    static MADE: AtomicU32 = AtomicU32::new(0);
    static CLEAN: Once = Once::new();
    CLEAN.call_once(clear_rests);
    loop {
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        let folder = env::temp_dir().join(format!("casino-box-{}-{number}", std::process::id()));
        match DirBuilder::new().mode(0o711).create(&folder) {
            Ok(()) => {
                fs::set_permissions(&folder, Permissions::from_mode(0o711))?;
                return Ok(folder);
            }
            // Somebody's rest from long ago, or somebody who wants to be in the way: the next number.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
}

/// Removes the folders of graders that were killed before they could.
fn clear_rests() {
    for entry in fs::read_dir(env::temp_dir()).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let process = name.to_str().and_then(|name| name.strip_prefix("casino-box-")?.split('-').next());
        let gone = process.is_some_and(|process| !Path::new("/proc").join(process).exists());
        let ours = entry
            .metadata()
            .is_ok_and(|about| about.is_dir() && about.uid() == nix::unistd::geteuid().as_raw());
        if gone && ours {
            boxed::clear(Some(&entry.path()));
        }
    }
}

/// Gives a folder and all in it to a user. Links are not followed.
fn give(folder: &Path, user: u32) -> io::Result<()> {
    lchown(folder, Some(user), Some(user))?;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            give(&entry.path(), user)?;
        } else {
            lchown(entry.path(), Some(user), Some(user))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_in_a_folder_that_is_closed_to_others_is_out_of_their_reach() {
        let folder = scratch().unwrap();
        let inside = [folder.join("home/.cargo")];
        fs::create_dir_all(&inside[0]).unwrap();
        let mode = |mode| fs::set_permissions(folder.join("home"), Permissions::from_mode(mode)).unwrap();
        mode(0o700);
        assert_eq!(closed_to_others(&inside), inside);
        mode(0o711);
        assert!(closed_to_others(&inside).is_empty());
        fs::remove_dir_all(folder).unwrap();
    }
}
