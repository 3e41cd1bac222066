//! Starting a program in the sandbox.

use std::env;
use std::fs::{self, File};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::lchown;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rustix::io::{FdFlags, fcntl_setfd};

use super::bubblewrap::{Bubblewrap, SUBMISSION, WORK, seen_from};
use super::environment::environment;
use super::filter::FilterRules;
use super::grader_program::copies;
use super::instructions::Instructions;
use super::landlock_rules::LandlockRules;
use super::processes::Processes;
use super::supervised::SandboxParts;
use super::users::{Users, give_folder, is_unreadable};
use super::{LinuxConfinement, supervisor};
use crate::sandbox::program::SandboxedProgram;
use crate::sandbox::scratch::{ScratchFolder, size_of_copy};
use crate::sandbox::{Task, Workspace, copy_folder};
use casino_host::driven::ONCE_VARIABLE;
use casino_system::folders::create_passable;
use casino_system::foreign_files::let_all_read;

struct Preparation<'a> {
    task: Task,
    bubblewrap: Option<&'a Bubblewrap>,
    user: Option<u32>,
    scratch: Option<ScratchFolder>,
}

impl LinuxConfinement {
    pub(super) fn start_supervised(&self, task: &Task) -> io::Result<SandboxedProgram> {
        let mut preparation = self.prepare(task)?;
        preparation.find_readable(&copies(&self.program))?;
        self.start_prepared(preparation)
    }

    fn prepare(&self, task: &Task) -> io::Result<Preparation<'_>> {
        let bubblewrap = self.bubblewrap.as_ref();
        let changes_user = bubblewrap.is_none_or(|bubblewrap| bubblewrap.root);
        let user = if changes_user { self.users.as_ref().map(Users::next).transpose()? } else { None };
        let is_in_place = matches!(task.place, Workspace::Here(_));
        let scratch = if bubblewrap.is_none() || (is_in_place && user.is_some()) {
            Some(ScratchFolder::new()?)
        } else {
            None
        };
        Ok(Preparation { task: task.clone(), bubblewrap, user, scratch })
    }

    fn start_prepared(&self, preparation: Preparation<'_>) -> io::Result<SandboxedProgram> {
        let Preparation { task, bubblewrap, user, scratch } = preparation;
        let (channel, theirs) = UnixStream::pair()?;
        let instructions =
            self.instructions(&task, user, scratch.as_deref().filter(|_| bubblewrap.is_none()))?;
        if let (Workspace::Build(folder), Some(user)) = (&task.place, user) {
            give_folder(folder, user)?;
        }
        // Without a group, the supervisor's own counting applies.
        let group = self.groups.as_ref().and_then(|groups| groups.group(task.limits.memory).ok());
        let helper = File::open(&self.program)?;
        let supervisor = match bubblewrap {
            Some(bubblewrap) => {
                // Children of this thread inherit it; the supervisors of other threads close it.
                fcntl_setfd(&helper, FdFlags::empty())?;
                let hidden = copies(&self.program);
                bubblewrap.command(helper.as_fd(), supervisor::SUPERVISE, &task, user.is_some(), &hidden)
            }
            None => {
                let mut command = Command::new(&self.program);
                command.arg(supervisor::SUPERVISE);
                command
            }
        };
        let mut supervisor = match &group {
            Some(group) => group.entered_by(&self.program, &supervisor),
            None => supervisor,
        };
        let child = supervisor
            .env_clear()
            .stdin(Stdio::from(OwnedFd::from(theirs)))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()?;
        // It holds the supervisor's end of the connection, which must close when the supervisor is gone.
        drop(supervisor);
        SandboxParts { child, channel, instructions, keep: task.keep, scratch, group }.begin()
    }

    /// The instructions for the supervisor. There is a scratch folder only without bubblewrap.
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
                processes.threads(&processes.all_of_user(nix::unistd::getuid().as_raw()))
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
                .map(|scratch| LandlockRules::for_task(task, scratch, copies(&self.program))),
            filter: (self.filters && !self.trusts).then(|| FilterRules {
                is_alone: scratch.is_none(),
                may_trace: scratch.is_none() || self.landlock.is_some() || user.is_some(),
            }),
            gives_up_rights: !self.trusts,
            words: task.words.clone(),
            environment: {
                let (name, value) = ONCE_VARIABLE;
                let mut variables = match self.trusts {
                    true => own_environment(),
                    false => environment(&folders.home, scratch.is_some()),
                };
                variables.push((name.to_string(), value.to_string()));
                variables
            },
            copy: folders.copy,
            folder: folders.start,
            measured: folders.measured,
            in_memory: folders.in_memory,
            user,
            own_processes: scratch.is_none(),
            tasks_before,
            limits: task.limits,
        })
    }
}

impl Preparation<'_> {
    /// Copies the files that a program running in place as another user could not read, except the hidden ones.
    fn find_readable(&mut self, hidden: &[PathBuf]) -> io::Result<()> {
        let (Workspace::Here(folder), Some(_), Some(scratch)) = (&self.task.place, self.user, &self.scratch)
        else {
            return Ok(());
        };
        let seen = seen_from(folder, &self.task.words);
        let closed: Vec<PathBuf> = seen.into_iter().filter(|folder| is_unreadable(folder)).collect();
        let most = self.task.limits.files;
        if let Some(large) = closed.iter().find(|folder| size_of_copy(folder, most) > most) {
            // Under bubblewrap it can safely stay this user: it has no rights, and sees only the files it needs.
            if self.bubblewrap.is_some_and(Bubblewrap::holds_own_user) {
                self.user = None;
                return Ok(());
            }
            return Err(io::Error::other(format!(
                "{} is not open to other users, as one of whom the program runs, and too large to be copied for it: \
                 let others read it (chmod -R o+rX), or install bubblewrap",
                large.display()
            )));
        }
        for (number, folder) in closed.iter().enumerate() {
            let copy = scratch.join(format!("seen{number}"));
            create_passable(&copy)?;
            let_all_read(&copy, true)?;
            copy_folder(folder, &copy, most)?;
            let real = fs::canonicalize(folder)?;
            for inner in hidden.iter().filter_map(|file| file.strip_prefix(&real).ok()) {
                fs::remove_file(copy.join(inner))?;
            }
            let (from, to) = (folder.display().to_string(), copy.display().to_string());
            for word in &mut self.task.words {
                *word = word.replace(&from, &to);
            }
            if let Workspace::Here(start) = &mut self.task.place
                && let Ok(inner) = start.strip_prefix(folder)
            {
                *start = copy.join(inner);
            }
        }
        Ok(())
    }
}

struct Folders {
    copy: Option<(PathBuf, u64)>,
    start: PathBuf,
    /// Its home, and its place for temporary files.
    home: PathBuf,
    measured: Vec<PathBuf>,
    in_memory: Vec<PathBuf>,
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
        let mut in_memory = ["/tmp", "/dev/shm"].map(PathBuf::from).to_vec();
        if copy.is_some() {
            in_memory.push(PathBuf::from(WORK));
        }
        Folders { copy, start, home: PathBuf::from("/tmp"), measured, in_memory }
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
        Ok(Folders { copy, start, home, measured, in_memory: Vec::new() })
    }
}
