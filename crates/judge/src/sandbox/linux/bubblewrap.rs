//! The command line of bubblewrap: the files a sandbox sees and its isolation.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::os::fd::{AsRawFd, BorrowedFd};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use thiserror::Error;

use crate::sandbox::{ResourceLimits, Task, Workspace};

/// The folder of a submission inside the sandbox.
pub(super) const WORK: &str = "/work";

/// The original of a submission inside the sandbox, read-only.
pub(super) const SUBMISSION: &str = "/submission";

/// Parts of `/etc` that compilers and interpreters read. Nothing with names or secrets of people.
const SETTINGS: [&str; 13] = [
    "alternatives",
    "ca-certificates",
    "crypto-policies",
    "hosts",
    "ld.so.cache",
    "ld.so.conf",
    "ld.so.conf.d",
    "localtime",
    "nsswitch.conf",
    "pki",
    "python3",
    "ssl",
    "swi-prolog",
];

/// Folders under a home directory in which people install compilers.
const TOOLCHAINS: [&str; 8] = [
    ".cargo/bin",
    ".rustup",
    ".pyenv",
    ".sdkman/candidates",
    ".nvm/versions",
    ".local/share/mise/installs",
    ".asdf/installs",
    "sdk",
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NamespaceMode {
    /// As root: the supervisor keeps the few rights it needs to change the user and to watch.
    Root,
    /// In a user namespace, where no other one can be made.
    Locked,
    /// In a user namespace: an older bubblewrap.
    Plain,
}

#[derive(Clone, Debug, Error)]
pub(super) enum NoBubblewrap {
    #[error("bubblewrap (bwrap) is not installed")]
    NotInstalled,
    #[error("bubblewrap is installed but does not work here: {0}")]
    Forbidden(String),
    #[error("bubblewrap is not used")]
    Unwanted,
}

impl NoBubblewrap {
    /// The remedy, as the beginning of a sentence.
    pub(super) fn remedy(&self) -> Option<&'static str> {
        match self {
            NoBubblewrap::NotInstalled => Some("Install it (make tools)"),
            // Ubuntu's AppArmor keeps user namespaces from everyone but root.
            NoBubblewrap::Forbidden(said) if said.contains("uid map") => {
                Some("Grade as root, or allow it to everyone (docs/sandbox.md says how)")
            }
            NoBubblewrap::Forbidden(_) => {
                Some("Allow it (start a container with --privileged; docs/sandbox.md has more)")
            }
            NoBubblewrap::Unwanted => None,
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Bubblewrap {
    program: PathBuf,
    /// Whether programs can get their own user; only root can do that.
    pub(super) root: bool,
    /// The mode for programs that stay the user who grades, if there is one.
    user: Option<NamespaceMode>,
}

impl Bubblewrap {
    /// Finds bubblewrap and tries it: it may be installed and forbidden.
    pub(super) fn find(as_root: bool) -> Result<Bubblewrap, NoBubblewrap> {
        let path = env::var_os("PATH").unwrap_or_default();
        let program = env::split_paths(&path).map(|folder| folder.join("bwrap")).find(|file| file.is_file());
        let program = program.ok_or(NoBubblewrap::NotInstalled)?;
        let works = |mode| try_out(&program, mode);
        let root = as_root && works(NamespaceMode::Root).is_ok();
        let user = works(NamespaceMode::Locked)
            .map(|()| NamespaceMode::Locked)
            .or_else(|_| works(NamespaceMode::Plain).map(|()| NamespaceMode::Plain));
        match user {
            Err(said) if !root => Err(NoBubblewrap::Forbidden(said)),
            user => Ok(Bubblewrap { program, root, user: user.ok() }),
        }
    }

    /// The command that runs the helper in a sandbox. The helper is an open file, without a name inside.
    pub(super) fn command(
        &self,
        helper: BorrowedFd<'_>,
        argument: &str,
        task: &Task,
        own_user: bool,
        hidden: &[PathBuf],
    ) -> Command {
        let mode = if own_user { NamespaceMode::Root } else { self.user.unwrap_or(NamespaceMode::Root) };
        let mut command = Command::new(&self.program);
        command.args(isolation(mode));
        command.args(system());
        for folder in toolchains() {
            bind(&mut command, "--ro-bind-try", &folder, &folder);
        }
        command.args(devices_and_scratch(&task.limits));
        match &task.place {
            Workspace::Copy(folder) => {
                command.args(["--perms", "0777", "--size"]).arg(task.limits.files.to_string());
                command.args(["--tmpfs", WORK]);
                bind(&mut command, "--ro-bind", folder, Path::new(SUBMISSION));
            }
            Workspace::Build(folder) => bind(&mut command, "--bind", folder, Path::new(WORK)),
            Workspace::Here(folder) => {
                for seen in seen_from(folder, &task.words) {
                    bind(&mut command, "--ro-bind", &seen, &seen);
                }
            }
        }
        for file in hidden.iter().filter(|file| is_seen(file, task)) {
            command.args(["--ro-bind", "/dev/null"]).arg(file);
        }
        let helper = format!("/proc/self/fd/{}", helper.as_raw_fd());
        command.args(["--remount-ro", "/dev", "--remount-ro", "/", "--as-pid-1", "--", &helper, argument]);
        command
    }

    /// Whether programs that stay the grader's user can run under bubblewrap as well.
    pub(super) fn holds_own_user(&self) -> bool {
        self.user.is_some()
    }
}

fn is_seen(file: &Path, task: &Task) -> bool {
    let mut seen: Vec<PathBuf> =
        ["/usr", "/opt", "/nix/store", "/gnu/store", "/snap"].map(PathBuf::from).into();
    seen.extend(toolchains());
    if let Workspace::Here(folder) = &task.place {
        seen.extend(seen_from(folder, &task.words));
    }
    seen.iter().any(|folder| file.starts_with(folder))
}

fn try_out(program: &Path, mode: NamespaceMode) -> Result<(), String> {
    let mut command = Command::new(program);
    command.args(isolation(mode)).args(system()).args(devices_and_scratch(&ResourceLimits::BOT));
    command.args(["--remount-ro", "/dev", "--remount-ro", "/", "--as-pid-1", "--", "/usr/bin/true"]);
    let output = command.stdin(Stdio::null()).output().map_err(|error| error.to_string())?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(said.lines().last().unwrap_or("it says nothing").trim().to_string())
}

fn isolation(mode: NamespaceMode) -> Vec<&'static str> {
    let mut words =
        vec!["--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"];
    words.extend(["--new-session", "--hostname", "box", "--cap-drop", "ALL"]);
    match mode {
        NamespaceMode::Root => {
            // To change the user, to drop all rights permanently, to kill the program, and to measure its memory.
            for right in ["CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP", "CAP_KILL", "CAP_SYS_PTRACE"] {
                words.extend(["--cap-add", right]);
            }
        }
        NamespaceMode::Locked => words.extend(["--unshare-user", "--disable-userns"]),
        NamespaceMode::Plain => words.push("--unshare-user"),
    }
    // A host name needs its namespace, which there is in every mode.
    words
}

fn system() -> Vec<OsString> {
    let mut words: Vec<OsString> = ["--ro-bind", "/usr", "/usr"].map(OsString::from).into();
    for name in ["bin", "sbin", "lib", "lib32", "lib64", "libx32"] {
        let path = Path::new("/").join(name);
        match fs::read_link(&path) {
            Ok(target) => words.extend(["--symlink".into(), target.into(), path.into()]),
            Err(_) if path.is_dir() => words.extend(["--ro-bind".into(), path.clone().into(), path.into()]),
            Err(_) => {}
        }
    }
    for folder in ["/opt", "/nix/store", "/gnu/store", "/snap"] {
        if Path::new(folder).is_dir() {
            words.extend(folders_above(Path::new(folder)));
            words.extend(["--ro-bind", folder, folder].map(OsString::from));
        }
    }
    for path in settings() {
        words.extend(folders_above(&path));
        words.extend(["--ro-bind-try".into(), path.clone().into(), path.into()]);
    }
    words
}

pub(super) fn settings() -> Vec<PathBuf> {
    let mut settings: Vec<PathBuf> = SETTINGS.iter().map(|name| Path::new("/etc").join(name)).collect();
    let java = fs::read_dir("/etc").into_iter().flatten().flatten().map(|entry| entry.path());
    settings.extend(java.filter(|path| path.to_string_lossy().starts_with("/etc/java")));
    settings
}

/// Devices, processes, and the only folders where something can be written, which are in memory and limited.
fn devices_and_scratch(limits: &ResourceLimits) -> Vec<String> {
    let size = limits.files.to_string();
    let mut words: Vec<&str> = vec!["--proc", "/proc", "--dev", "/dev"];
    words.extend(["--perms", "1777", "--size", &size, "--tmpfs", "/dev/shm"]);
    words.extend(["--perms", "1777", "--size", &size, "--tmpfs", "/tmp"]);
    words.into_iter().map(String::from).collect()
}

fn bind(command: &mut Command, how: &str, from: &Path, to: &Path) {
    command.args(folders_above(to)).arg(how).arg(from).arg(to);
}

/// The folders above a path, for everyone to go through: bubblewrap would make them for their owner alone.
fn folders_above(path: &Path) -> Vec<OsString> {
    let mut above: Vec<&Path> = path.ancestors().skip(1).filter(|folder| folder.parent().is_some()).collect();
    above.reverse();
    let make = |folder: &Path| ["--perms".into(), "0755".into(), "--dir".into(), folder.into()];
    above.into_iter().flat_map(make).collect()
}

/// The folders under the user's home in which there are compilers and nothing personal.
pub(super) fn toolchains() -> Vec<PathBuf> {
    let Some(home) = env::var_os("HOME").map(PathBuf::from).filter(|home| home.is_absolute()) else {
        return Vec::new();
    };
    TOOLCHAINS.iter().map(|name| home.join(name)).filter(|folder| folder.is_dir()).collect()
}

/// The folders visible to a program that runs in place: its own, and those named on its command line.
pub(super) fn seen_from(folder: &Path, words: &[String]) -> Vec<PathBuf> {
    let mut seen = vec![folder.to_path_buf()];
    // A class path names several.
    let pieces = words.iter().flat_map(|word| word.split(':').chain([word.as_str()]));
    let named = pieces.map(Path::new).filter(|path| path.is_absolute() && path.exists());
    for path in named {
        // Beside a program or a script are its modules, classes and data.
        let beside = if path.is_dir() { path } else { path.parent().unwrap_or(path) };
        seen.push(beside.to_path_buf());
    }
    // Must not cover folders that the sandbox has anyway.
    let system = ["/usr", "/bin", "/sbin", "/lib", "/lib64", "/opt", "/proc", "/dev", "/etc"];
    seen.retain(|path| path.parent().is_some() && !system.iter().any(|part| path.starts_with(part)));
    // The outer ones first: an inner one is then put into it.
    seen.sort();
    seen.dedup();
    let outer = seen.clone();
    seen.retain(|path| !outer.iter().any(|other| other != path && path.starts_with(other)));
    seen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_run_in_place_sees_its_folder_and_named_ones() {
        let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
        let script = manifest.join("src/lib.rs").display().to_string();
        let words = ["/usr/bin/python3".to_string(), script, "/no/such/file".into()];
        assert_eq!(seen_from(manifest, &words), [manifest]);
        assert_eq!(seen_from(Path::new("/"), &words), [manifest.join("src")]);
        let (source, grade) = (manifest.join("src"), manifest.join("src/grade"));
        let class_path = [format!("{}:{}/Cargo.toml", grade.display(), source.display())];
        let seen = seen_from(Path::new("/"), &class_path);
        assert!(seen.contains(&grade), "{seen:?}");
    }
}
