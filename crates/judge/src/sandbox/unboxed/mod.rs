//! Runs a program without a sandbox, with the grader's rights: in a fresh folder with its own environment, as a process
//! tree that is killed whole, with limits on time, outputs and files.

mod environment;
mod hold;

use std::fs;
use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::process::Stdio;
use std::sync::Arc;

use super::program::SandboxedProgram;
use super::scratch::{ScratchFolder, size_of_copy};
use super::{Confined, Confinement, Policy, Protection, Task, Unprotected, Workspace, copy_folder};
use casino_host::driven::ONCE_VARIABLE;
use casino_system::command_line;
use casino_system::processes::ProcessTree;
use environment::environment;
use hold::{WatchOptions, watch};

const RIGHTS: &str = "This system has no sandbox: programs run with your rights, and can read, change and send all that \
                      you can. Their time, their output and the files in their folders are limited, and all of their \
                      processes are killed. Grade programs of strangers on Linux, with bubblewrap.";

#[derive(Clone, Copy, Debug)]
struct NoConfinement {
    /// Whether programs get the environment of this process.
    trusts: bool,
}

pub(super) fn confinement(policy: Policy) -> Result<Confined, Unprotected> {
    if policy == Policy::Require {
        return Err(Unprotected::NoBox);
    }
    let trusts = policy == Policy::Off;
    let protection = Protection {
        is_tight: false,
        holds_network: false,
        fences_files: false,
        holds_signals: false,
        warning: (!trusts).then(|| format!("Warning: {RIGHTS}")),
    };
    Ok((Arc::new(NoConfinement { trusts }), protection))
}

impl Confinement for NoConfinement {
    fn launch(&self, task: &Task) -> io::Result<SandboxedProgram> {
        let scratch = ScratchFolder::new()?;
        let (work, home) = (scratch.join("work"), scratch.join("tmp"));
        fs::create_dir(&work)?;
        fs::create_dir(&home)?;
        let mut measured = vec![work.clone(), home.clone()];
        let most = task.limits.files / 2;
        let folder = match &task.place {
            // A folder too large to be copied is used in place.
            Workspace::Copy(original) if size_of_copy(original, most) > most => original.clone(),
            Workspace::Copy(original) => {
                copy_folder(original, &work, most)?;
                work
            }
            Workspace::Build(folder) => {
                measured.push(folder.clone());
                folder.clone()
            }
            Workspace::Here(folder) => folder.clone(),
        };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let port = listener.local_addr()?.port().to_string();
        let fill = |word: &String| word.replace("{host}", "127.0.0.1").replace("{port}", &port);
        let words: Vec<String> = task.words.iter().map(fill).collect();
        let mut command = command_line::command_in(&folder, &words);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if !self.trusts {
            command.env_clear().envs(environment(&home));
        }
        command.env(ONCE_VARIABLE.0, ONCE_VARIABLE.1);
        let tree = ProcessTree::start(command)?;
        let watched = WatchOptions { measured, limits: task.limits, keep: task.keep };
        let (shared, hold) = watch(tree, watched)?;
        let scratch = Some(scratch);
        Ok(SandboxedProgram { limits: task.limits, listener, shared, hold: Box::new(hold), scratch })
    }
}
