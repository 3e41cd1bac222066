//! Starting a program in the sandbox.

use std::env;
use std::fs;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::lchown;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::bubblewrap::{Bubblewrap, SUBMISSION, WORK};
use super::environment::environment;
use super::instructions::Instructions;
use super::landlock_rules::LandlockRules;
use super::processes::Processes;
use super::supervised::SandboxParts;
use super::users::{Users, give_folder};
use super::{LinuxConfinement, supervisor};
use crate::sandbox::program::SandboxedProgram;
use crate::sandbox::scratch::{remove_folder, scratch_folder};
use crate::sandbox::{Task, Workspace};

impl LinuxConfinement {
    /// Starts a program with a supervisor of its own.
    pub(super) fn start_supervised(&self, task: &Task) -> io::Result<SandboxedProgram> {
        // A folder that is used in place may be readable by its owner alone.
        let in_place = matches!(task.place, Workspace::Here(_));
        let bubblewrap =
            self.bubblewrap.as_ref().filter(|bubblewrap| !in_place || bubblewrap.holds_own_user());
        let changes_user = !in_place && bubblewrap.is_none_or(|bubblewrap| bubblewrap.root);
        let user = if changes_user { self.users.as_ref().map(Users::next) } else { None };
        let (channel, theirs) = UnixStream::pair()?;
        let scratch = if bubblewrap.is_some() { None } else { Some(scratch_folder()?) };
        let instructions = self.instructions(task, user, scratch.as_deref())?;
        if let (Workspace::Build(folder), Some(user)) = (&task.place, user) {
            give_folder(folder, user)?;
        }
        let child = self
            .supervisor(task, bubblewrap, user)
            .env_clear()
            .stdin(Stdio::from(OwnedFd::from(theirs)))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn();
        match child {
            Ok(child) => SandboxParts { child, channel, instructions, keep: task.keep, scratch }.begin(),
            Err(error) => {
                remove_folder(scratch.as_ref());
                Err(error)
            }
        }
    }

    /// The command that runs the supervisor.
    fn supervisor(&self, task: &Task, bubblewrap: Option<&Bubblewrap>, user: Option<u32>) -> Command {
        match bubblewrap {
            Some(bubblewrap) => {
                bubblewrap.command(&self.program, supervisor::SUPERVISE, task, user.is_some())
            }
            None => {
                let mut command = Command::new(&self.program);
                command.arg(supervisor::SUPERVISE);
                command
            }
        }
    }

    /// The instructions for the supervisor. There is a scratch folder where there is no bubblewrap.
    fn instructions(
        &self,
        task: &Task,
        user: Option<u32>,
        scratch: Option<&Path>,
    ) -> io::Result<Instructions> {
        let folders = match scratch {
            None => Folders::under_bubblewrap(task),
            Some(scratch) => Folders::in_scratch(task, scratch, user)?,
        };
        let tasks_before = match user {
            Some(_) => 0,
            None => {
                let processes = Processes::now();
                processes.threads(&processes.of_user(nix::unistd::getuid().as_raw()))
            }
        };
        let own_environment = || {
            let text = |(name, value): (std::ffi::OsString, std::ffi::OsString)| {
                Some((name.into_string().ok()?, value.into_string().ok()?))
            };
            env::vars_os().filter_map(text).collect()
        };
        Ok(Instructions {
            port: 0,
            landlock: scratch
                .filter(|_| self.landlock.is_some())
                .map(|scratch| LandlockRules::for_task(task, scratch)),
            words: task.words.clone(),
            environment: match self.trusts {
                true => own_environment(),
                false => environment(&folders.home, scratch.is_some()),
            },
            copy: folders.copy,
            folder: folders.start,
            measured: folders.measured,
            user,
            own_processes: scratch.is_none(),
            tasks_before,
            limits: task.limits,
        })
    }
}

/// The folders of a program as it sees them.
struct Folders {
    /// A folder that is copied first, and the most bytes to copy.
    copy: Option<(PathBuf, u64)>,
    /// Where the program starts.
    start: PathBuf,
    /// Its home, and its place for temporary files.
    home: PathBuf,
    /// Folders on a real disk whose size is limited.
    measured: Vec<PathBuf>,
}

impl Folders {
    fn under_bubblewrap(task: &Task) -> Folders {
        let (copy, start, measured) = match &task.place {
            Workspace::Copy(_) => {
                (Some((PathBuf::from(SUBMISSION), task.limits.files / 2)), PathBuf::from(WORK), Vec::new())
            }
            Workspace::Build(_) => (None, PathBuf::from(WORK), vec![PathBuf::from(WORK)]),
            Workspace::Here(folder) => (None, folder.clone(), Vec::new()),
        };
        Folders { copy, start, home: PathBuf::from("/tmp"), measured }
    }

    /// Makes the folders in a scratch folder, for this user if the program becomes one.
    fn in_scratch(task: &Task, scratch: &Path, user: Option<u32>) -> io::Result<Folders> {
        let (work, home) = (scratch.join("work"), scratch.join("tmp"));
        for folder in [&work, &home] {
            fs::create_dir(folder)?;
            if let Some(user) = user {
                lchown(folder, Some(user), Some(user))?;
            }
        }
        let mut measured = vec![work.clone(), home.clone()];
        let (copy, start) = match &task.place {
            Workspace::Copy(original) => (Some((original.clone(), task.limits.files / 2)), work),
            Workspace::Build(folder) => {
                measured.push(folder.clone());
                (None, folder.clone())
            }
            Workspace::Here(folder) => (None, folder.clone()),
        };
        Ok(Folders { copy, start, home, measured })
    }
}
