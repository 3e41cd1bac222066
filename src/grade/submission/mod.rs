//! A submitted bot: a command line, or a folder that has to be built first.

mod recognise;

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt, lchown};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use thiserror::Error;

pub use recognise::{Recipe, Unrecognised, recognise};

use crate::sandbox::{
    NeverStarted, ResourceLimits, Sandbox, Task, Termination, Workspace, copy_folder, scratch_folder,
};

/// How many bytes of the end of each output of a compiler are kept.
const COMPILER_OUTPUT: usize = 16 << 10;

/// How many bytes of the end of each output of a bot are kept.
const BOT_OUTPUT: usize = 16 << 10;

/// How a folder is built and run, where the teacher says it instead of having the folder recognised.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BuildHints {
    /// The commands that build it.
    pub build: Vec<String>,
    /// The command that runs it, with `{host}` and `{port}`.
    pub run: Option<String>,
}

/// A bot that can be started any number of times. A folder was copied and built; the copy is removed when this is
/// dropped.
#[derive(Debug)]
pub struct Submission {
    recipe: Recipe,
    place: Workspace,
    scratch: Option<PathBuf>,
    built: Option<Built>,
}

/// The result of building.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Built {
    /// The command that failed; `None` if all of them worked.
    pub failed: Option<String>,
    /// What the commands printed, or the end of it.
    pub said: String,
    /// How long it took.
    pub time: Duration,
}

/// Why there is nothing to judge. A compile error is no such reason: see [`Submission::built`].
#[derive(Debug, Error)]
pub enum NoSubmission {
    /// The folder is no bot as it stands.
    #[error(transparent)]
    Unrecognised(#[from] Unrecognised),
    /// The folder cannot be copied.
    #[error("{} cannot be copied: {error}", folder.display())]
    Copy {
        /// The folder of the submission.
        folder: PathBuf,
        /// The error of the system.
        #[source]
        error: io::Error,
    },
    /// A command that builds it cannot be started.
    #[error(transparent)]
    NeverStarted(NeverStarted),
}

impl Submission {
    /// A bot that is a command line, run in this folder. Nothing is built or copied.
    ///
    /// # Errors
    /// If it has no `{host}` or no `{port}`.
    pub fn command(run: &str, folder: &Path) -> Result<Submission, Unrecognised> {
        let recipe = Recipe::told("command", &[], run)?;
        Ok(Submission { recipe, place: Workspace::Here(folder.to_path_buf()), scratch: None, built: None })
    }

    /// A bot that is a folder: recognised or told, copied, and built in the sandbox. The folder itself is only read.
    ///
    /// # Errors
    /// [`NoSubmission`]; a build that fails is not one of them.
    pub fn folder(
        folder: &Path,
        told: &BuildHints,
        sandbox: &Sandbox,
        limits: ResourceLimits,
    ) -> Result<Submission, NoSubmission> {
        let (inside, recipe) = match &told.run {
            Some(run) => (folder.to_path_buf(), Recipe::told("told", &told.build, run)?),
            None => {
                let (inside, mut recipe) = recognise(folder)?;
                if !told.build.is_empty() {
                    recipe.build.clone_from(&told.build);
                }
                (inside, recipe)
            }
        };
        let failed = |error| NoSubmission::Copy { folder: folder.to_path_buf(), error };
        let scratch = scratch_folder().map_err(failed)?;
        let copy = scratch.join("submission");
        // From here on the scratch folder is removed with the submission.
        let mut submission =
            Submission { recipe, place: Workspace::Copy(copy.clone()), scratch: Some(scratch), built: None };
        let open = Permissions::from_mode(0o755);
        fs::create_dir(&copy).and_then(|()| fs::set_permissions(&copy, open)).map_err(failed)?;
        copy_folder(&inside, &copy).map_err(failed)?;
        submission.build(sandbox, &copy, limits).map_err(NoSubmission::NeverStarted)?;
        Ok(submission)
    }

    fn build(&mut self, sandbox: &Sandbox, copy: &Path, limits: ResourceLimits) -> Result<(), NeverStarted> {
        let begun = Instant::now();
        let mut built = Built { failed: None, said: String::new(), time: Duration::ZERO };
        for line in &self.recipe.build {
            let task = Task {
                words: shell(line),
                place: Workspace::Build(copy.to_path_buf()),
                limits,
                keep: COMPILER_OUTPUT,
            };
            let program = sandbox.start(&task)?;
            program.wait(limits.wall + Duration::from_secs(5));
            let ended = program.finish();
            for said in [&ended.stdout, &ended.stderr] {
                built.said.push_str(&String::from_utf8_lossy(said));
            }
            if ended.end != Termination::Exited(0) {
                if !matches!(ended.end, Termination::Exited(_)) {
                    built.said.push_str(&ended.end.sentence(&limits));
                }
                built.failed = Some(line.clone());
                break;
            }
        }
        built.time = begun.elapsed();
        let own = nix::unistd::geteuid().as_raw();
        // What was built must be readable by the user that the program becomes next time. What cannot be made readable
        // is the student's own doing and will show when it runs.
        let _ = open_up(copy, own);
        self.built = Some(built);
        Ok(())
    }

    /// How it is built and run.
    pub fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    /// Where it was built; `None` for a command line.
    pub fn folder_of_copy(&self) -> Option<&Path> {
        match &self.place {
            Workspace::Copy(folder) => Some(folder),
            Workspace::Build(_) | Workspace::Here(_) => None,
        }
    }

    /// The result of building; `None` for a command line.
    pub fn built(&self) -> Option<&Built> {
        self.built.as_ref()
    }

    /// The output of the compiler, if the bot cannot be built.
    pub fn compile_error(&self) -> Option<&str> {
        self.built.as_ref().filter(|built| built.failed.is_some()).map(|built| built.said.as_str())
    }

    /// The task that starts the bot.
    pub fn task(&self, limits: ResourceLimits) -> Task {
        Task { words: words(&self.recipe.run), place: self.place.clone(), limits, keep: BOT_OUTPUT }
    }
}

impl Drop for Submission {
    fn drop(&mut self) {
        if let Some(folder) = &self.scratch {
            // What cannot be removed is left in the system's folder for temporary files.
            let _ = fs::remove_dir_all(folder);
        }
    }
}

fn shell(line: &str) -> Vec<String> {
    vec!["/bin/sh".into(), "-c".into(), line.into()]
}

/// A command line as words, without a shell in between where it needs none: so that a crash is seen as one.
fn words(line: &str) -> Vec<String> {
    match shlex::split(line) {
        Some(words)
            if !words.is_empty() && !line.contains(['&', '|', ';', '<', '>', '$', '`', '*', '?', '~']) =>
        {
            words
        }
        _ => shell(line),
    }
}

/// Makes everything readable by everyone, and takes it back if it was given to the user of a sandbox. Links are not
/// followed, and files that have a name elsewhere keep their owner.
fn open_up(folder: &Path, own: u32) -> io::Result<()> {
    take(folder, own)?;
    fs::set_permissions(folder, Permissions::from_mode(0o755))?;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let about = entry.metadata()?;
        if about.is_dir() {
            open_up(&entry.path(), own)?;
        } else if about.is_file() && about.nlink() == 1 {
            take(&entry.path(), own)?;
            let runs = about.permissions().mode() & 0o111 != 0;
            fs::set_permissions(entry.path(), Permissions::from_mode(if runs { 0o755 } else { 0o644 }))?;
        }
    }
    Ok(())
}

fn take(path: &Path, own: u32) -> io::Result<()> {
    if fs::symlink_metadata(path)?.uid() == own { Ok(()) } else { lchown(path, Some(own), Some(own)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_stands_in_between_only_where_it_is_needed() {
        assert_eq!(
            words("java -cp 'a b' Poker {host} {port}"),
            ["java", "-cp", "a b", "Poker", "{host}", "{port}"]
        );
        assert_eq!(words("cd x && ./bot {host} {port}")[0], "/bin/sh");
        assert_eq!(words("")[0], "/bin/sh");
    }
}
