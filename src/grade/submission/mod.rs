//! A submitted bot: a command line, or a folder that has to be built first.

mod recognise;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use thiserror::Error;

pub use recognise::{Recipe, Unrecognised, recognise};

use crate::sandbox::{
    NeverStarted, ResourceLimits, Sandbox, Task, Termination, Workspace, copy_folder, remove_folder,
    scratch_folder,
};
use crate::system::command_line;
use crate::system::foreign_files::{has_other_names, let_all_read, may_be_executed, take_over};

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
        /// The folder that was to be copied.
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
        fs::create_dir(&copy).and_then(|()| let_all_read(&copy, true)).map_err(failed)?;
        copy_folder(&inside, &copy).map_err(failed)?;
        submission.build(sandbox, &copy, limits).map_err(NoSubmission::NeverStarted)?;
        Ok(submission)
    }

    fn build(&mut self, sandbox: &Sandbox, copy: &Path, limits: ResourceLimits) -> Result<(), NeverStarted> {
        let begun = Instant::now();
        let mut built = Built { failed: None, said: String::new(), time: Duration::ZERO };
        for line in &self.recipe.build {
            let task = Task {
                words: command_line::shell_words(line),
                place: Workspace::Build(copy.to_path_buf()),
                limits,
                keep: COMPILER_OUTPUT,
            };
            let program = match sandbox.start(&task) {
                // Where no shell stands in between: it would say so and fail.
                Err(error) if error.error.kind() == io::ErrorKind::NotFound => {
                    (built.said, built.failed) = (error.to_string(), Some(line.clone()));
                    break;
                }
                started => started?,
            };
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
        let names = self.recipe.makes;
        if built.failed.is_none() && !names.is_empty() && program_of(copy, names).is_none() {
            built.said.push_str(&format!("The build has made no program named {}.\n", names.join(" or ")));
            built.failed = self.recipe.build.last().cloned();
        }
        built.time = begun.elapsed();
        // What was built must be readable by the user that the program becomes next time. What cannot be made readable
        // is the student's own doing and will show when it runs.
        let _ = open_up(copy);
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
        let mut line = self.recipe.run.clone();
        if let Workspace::Copy(folder) = &self.place
            && let Some(program) = program_of(folder, self.recipe.makes)
        {
            line = line.replace("{program}", program);
        }
        Task { words: words(&line), place: self.place.clone(), limits, keep: BOT_OUTPUT }
    }
}

impl Drop for Submission {
    fn drop(&mut self) {
        remove_folder(self.scratch.as_ref());
    }
}

/// The first of these names that is a program in a folder.
fn program_of(folder: &Path, names: &'static [&'static str]) -> Option<&'static str> {
    let is_there = |name: &&str| command_line::find_program(&folder.join(name).to_string_lossy()).is_some();
    names.iter().copied().find(is_there)
}

/// A command line as words, without a shell in between where it needs none: so that a crash is seen as one.
fn words(line: &str) -> Vec<String> {
    match command_line::split(line) {
        Some(words) if !words.is_empty() && !command_line::needs_shell(line) => words,
        _ => command_line::shell_words(line),
    }
}

/// Makes everything readable by everyone, and takes it back if it was given to the user of a sandbox. Links are not
/// followed, and files that have a name elsewhere keep their owner.
fn open_up(folder: &Path) -> io::Result<()> {
    take_over(folder)?;
    let_all_read(folder, true)?;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let about = entry.metadata()?;
        if about.is_dir() {
            open_up(&entry.path())?;
        } else if about.is_file() && !has_other_names(&about) {
            take_over(&entry.path())?;
            let_all_read(&entry.path(), may_be_executed(&about))?;
        }
    }
    Ok(())
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
