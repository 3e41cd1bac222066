//! A submitted bot: a command line, or a folder that has to be built first.

mod archive;
mod data;
mod recognise;

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use thiserror::Error;

pub use archive::ArchiveError;
/// Not part of the library's interface: the fuzz targets call it.
#[doc(hidden)]
pub use archive::{UnpackBudget, unpack};
pub(in crate::grade) use recognise::line_comment;
pub use recognise::{Aim, Recipe, Unrecognised, recognise};

use super::grading_failure::{FailureKind, GradingFailure};
use super::machine;
use crate::hand_ins::archive_stem as stem;

use crate::sandbox::{
    CopyError, Ended, MAX_SUBMISSION_BYTES, NeverStarted, ResourceLimits, Sandbox, ScratchFolder, Task,
    Termination, Workspace, copy_folder,
};
use casino_system::command_line;
use casino_system::files;
use casino_system::foreign_files::{has_other_names, let_all_read, may_be_executed, take_over};

const MAX_COMPILER_OUTPUT_BYTES: usize = 16 << 10;

const MAX_BOT_OUTPUT_BYTES: usize = 16 << 10;

/// The teacher's commands to build and run a folder, instead of those recognized.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BuildHints {
    /// The commands that build it.
    pub build: Vec<String>,
    /// The command that runs it, with `{host}` and `{port}`.
    pub run: Option<String>,
    /// The name of the folder in each submission in which the program is.
    pub project: Option<String>,
}

/// What a submission is a program for.
#[derive(Clone, Copy, Debug)]
pub struct Assignment<'a> {
    /// The program that is searched for.
    pub aim: &'a Aim,
    /// Files of the course.
    pub given: &'a [GivenFile],
}

/// A file of the course, which is added where the submission has none of its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenFile {
    /// Its name.
    pub name: String,
    /// Its content.
    pub content: Vec<u8>,
    /// Whether it also takes the place of the submission's sources of its name, whatever their ending.
    pub replaces: bool,
}

/// A bot that can be started any number of times. The copy of its folder is removed when this is dropped.
#[derive(Debug)]
pub struct Submission {
    /// How it is built and run.
    pub recipe: Recipe,
    place: Workspace,
    scratch: Option<ScratchFolder>,
    /// The folder of the copy in which it is built and run, if data of the submission is outside of it.
    inside: Option<PathBuf>,
    /// How many folders below its own the program is started, as where a development environment builds it.
    below: usize,
    /// The changes to the copy of the submission, a sentence each.
    pub notes: Vec<String>,
    /// The result of building; `None` for a command line.
    pub built: Option<Built>,
    /// The program that the build has made, where only the build shows its name.
    made: Option<String>,
}

/// The result of building.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Built {
    /// The command that failed; `None` if all of them worked.
    pub failed: Option<String>,
    /// The commands that built it, if the first ones failed.
    pub at_last_by: Option<Vec<String>>,
    /// The output of the commands, or its end.
    pub output: String,
    /// How long it took.
    pub time: Duration,
}

/// Why there is nothing to judge. A compile error is not one of these: see [`Submission::built`].
#[derive(Debug, Error)]
pub enum NoSubmission {
    /// The folder is not recognized as a bot.
    #[error(transparent)]
    Unrecognised(#[from] Unrecognised),
    /// The folder cannot be copied.
    #[error("{} cannot be copied: {}", .0.display(), .1)]
    Copy(PathBuf, #[source] io::Error),
    /// The folder exceeds the limits of a submission.
    #[error("the submission is not copied: {0}. Hand in the sources alone")]
    TooMuch(String),
    /// A command that builds it cannot be started.
    #[error(transparent)]
    NeverStarted(NeverStarted),
    /// The submitted archive cannot be unpacked.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// This machine cannot build or run it.
    #[error("{0}")]
    Machine(String),
}

impl NoSubmission {
    fn no_scratch(error: io::Error) -> NoSubmission {
        let folder = std::env::temp_dir();
        NoSubmission::Machine(format!(
            "The folder for temporary files, {}, cannot be used: {error}. Set TMPDIR to a folder that exists.",
            folder.display()
        ))
    }

    /// The reason as the report shows it.
    pub fn failure(&self) -> GradingFailure {
        let kind = match self {
            NoSubmission::Unrecognised(Unrecognised::Unreadable(..))
            | NoSubmission::Copy(..)
            | NoSubmission::Archive(ArchiveError::Unwritable(..))
            | NoSubmission::Machine(_) => FailureKind::NotJudged,
            NoSubmission::Unrecognised(Unrecognised::Several(..) | Unrecognised::SeveralFolders(_)) => {
                FailureKind::Several
            }
            NoSubmission::Unrecognised(_) | NoSubmission::Archive(_) | NoSubmission::TooMuch(_) => {
                FailureKind::NothingRecognised
            }
            NoSubmission::NeverStarted(error) => match machine::is_behind_start(error) {
                Some(why) => return GradingFailure::not_judged(why),
                None => FailureKind::NotBuilt,
            },
        };
        let hint = if let NoSubmission::Unrecognised(error) = self { error.hint() } else { String::new() };
        GradingFailure { hint, ..GradingFailure::new(kind, self.to_string()) }
    }
}

impl Submission {
    /// A bot given as a command line, run in this folder, without a build or a copy.
    pub fn command(run: &str, folder: &Path) -> Result<Submission, Unrecognised> {
        let recipe = Recipe::from_commands("command", &[], run)?;
        Ok(Submission::new(recipe, Workspace::Here(folder.to_path_buf())))
    }

    fn new(recipe: Recipe, place: Workspace) -> Submission {
        let (scratch, inside, built, made) = (None, None, None, None);
        Submission { recipe, place, scratch, inside, below: 0, notes: Vec::new(), built, made }
    }

    /// A player from a folder or an archive: recognized or described by hints, copied, and built in the sandbox.
    pub fn folder(folder: &Path, hints: &BuildHints, sandbox: &Sandbox) -> Result<Submission, NoSubmission> {
        Submission::of_assignment(folder, hints, Assignment { aim: &Aim::Player, given: &[] }, sandbox)
    }

    /// A program of any assignment, as in [`Submission::folder`]. Of several versions it is the newest that can be built.
    pub fn of_assignment(
        handed_in: &Path,
        hints: &BuildHints,
        assignment: Assignment<'_>,
        sandbox: &Sandbox,
    ) -> Result<Submission, NoSubmission> {
        let whole = Submission::of_project(handed_in, hints, assignment, sandbox);
        let Err(NoSubmission::Unrecognised(Unrecognised::SeveralFolders(folders))) = &whole else {
            return whole;
        };
        let mut newest = None;
        let versions = recognise::newest_first(folders).unwrap_or_default();
        for version in &versions {
            let hints = BuildHints { project: Some(version.clone()), ..hints.clone() };
            let mut submission = Submission::of_project(handed_in, &hints, assignment, sandbox)?;
            let why =
                if newest.is_none() { "the newest by its name" } else { "the newest that can be built" };
            submission.notes.insert(
                0,
                format!(
                    "The folders {} hold versions of one program; {version} is judged, {why}. Hand in one alone to \
                     have another judged.",
                    versions.join(", ")
                ),
            );
            if submission.why_not_built().is_none() {
                return Ok(submission);
            }
            newest.get_or_insert(submission);
        }
        newest.map_or(whole, Ok)
    }

    fn of_project(
        handed_in: &Path,
        hints: &BuildHints,
        Assignment { aim, given }: Assignment<'_>,
        sandbox: &Sandbox,
    ) -> Result<Submission, NoSubmission> {
        let failed = |error| NoSubmission::Copy(handed_in.to_path_buf(), error);
        let scratch = ScratchFolder::new().map_err(NoSubmission::no_scratch)?;
        let look = |folder: &Path| recognise_with_hints(folder, hints, aim);
        let is_nothing = |found: &Result<(PathBuf, Recipe), NoSubmission>| {
            matches!(found, Err(NoSubmission::Unrecognised(Unrecognised::Nothing(..))))
        };
        let LaidOut { root, found, notes } = search(handed_in, &scratch, look, is_nothing)?;
        let (copy, recipe) = found;
        let mut submission = Submission::new(recipe, Workspace::Copy(copy.clone()));
        (submission.notes, submission.scratch) = (notes, Some(scratch));
        if *aim == Aim::Player && hints.run.is_none() && data::lay_beside(&root, &copy).map_err(failed)? {
            submission.inside = copy.strip_prefix(&root).ok().map(Path::to_path_buf);
            submission.place = Workspace::Copy(root);
        }
        if *aim == Aim::Player {
            submission.below = data::folders_below(&copy).map_err(failed)?;
        }
        let added = add_given(&copy, &submission.recipe.kind, given).map_err(failed)?;
        submission.notes.extend(added.clone());
        // The course's sources are built with the student's.
        if added.is_some()
            && hints.run.is_none()
            && let Ok((place, recipe)) =
                recognise_with_hints(&copy, &BuildHints { project: None, ..hints.clone() }, aim)
            && (&place, &recipe.kind) == (&copy, &submission.recipe.kind)
        {
            submission.recipe = recipe;
        }
        let lines = submission.recipe.build.iter().chain([&submission.recipe.run]);
        if let Some(lacks) = lines.into_iter().find_map(|line| machine::lacks(line)) {
            return Err(NoSubmission::Machine(lacks));
        }
        recognise::unify(&copy).map_err(failed)?;
        submission.build(sandbox, &copy, ResourceLimits::BUILD)?;
        Ok(submission)
    }

    /// Builds it in the first way that works; without one, the first way's messages are kept.
    fn build(&mut self, sandbox: &Sandbox, copy: &Path, limits: ResourceLimits) -> Result<(), NoSubmission> {
        let recipe = self.recipe.clone();
        let mut first = None;
        let recipes = std::iter::once(&recipe).chain(&recipe.otherwise);
        let ways = recipes.flat_map(|recipe| {
            std::iter::once(&recipe.build).chain(&recipe.instead).map(move |lines| (recipe, lines))
        });
        for (recipe, lines) in ways {
            let (built, made) = build_by(recipe, lines, sandbox, copy, limits)?;
            if built.failed.is_some() {
                first.get_or_insert(built);
                continue;
            }
            let at_last_by = first.is_some().then(|| lines.clone());
            (self.recipe, self.made) = (recipe.clone(), made);
            first = Some(Built { at_last_by, ..built });
            break;
        }
        // The next user must be able to read it; an unreadable file was left by the student's build.
        let _ = open_up(copy);
        self.built = first;
        Ok(())
    }

    /// Where it was built; `None` for a command line.
    pub fn folder_of_copy(&self) -> Option<PathBuf> {
        match &self.place {
            Workspace::Copy(folder) => {
                let inside = self.inside.as_deref().unwrap_or(Path::new(""));
                // Without a separator at the end.
                Some(folder.join(inside).components().collect())
            }
            Workspace::Build(_) | Workspace::Here(_) => None,
        }
    }

    /// Sentences about how it was read and built, if not as it was handed in.
    pub fn note(&self) -> Option<String> {
        let lines = self.built.as_ref().and_then(|built| built.at_last_by.as_ref());
        let build =
            lines.map(|lines| format!("The first attempt failed; it was built by: {}", lines.join(" && ")));
        let notes: Vec<String> = self.notes.iter().cloned().chain(build).collect();
        (!notes.is_empty()).then(|| notes.join(" "))
    }

    /// Why the bot cannot be built: how it was read, a hint where the sources are not to blame, the command and its output.
    pub fn why_not_built(&self) -> Option<String> {
        let built = self.built.as_ref()?;
        let command = built.failed.as_deref()?;
        let notes: String = self.notes.iter().map(|note| format!("{note}\n")).collect();
        Some(format!("{notes}{}{command}\n{}", machine::build_hint(&built.output), built.output))
    }

    /// The task that starts the bot.
    pub fn task(&self, limits: ResourceLimits) -> Task {
        let mut line = self.recipe.run.clone();
        if let Some(program) = &self.made {
            line = line.replace("{program}", program);
        }
        if let Some(own) = line.strip_prefix("./").filter(|_| self.below > 0) {
            let line_below = format!("{}{own}", "../".repeat(self.below));
            line = command_line::in_folder(&data::folder_below(self.below), &line_below).unwrap_or(line);
        }
        if let Some(inside) = &self.inside {
            line = command_line::in_folder(&inside.to_string_lossy(), &line).unwrap_or(line);
        }
        Task { words: words(&line), place: self.place.clone(), limits, keep: MAX_BOT_OUTPUT_BYTES }
    }
}

/// Adds files of the course to a program of this kind. Returns a sentence for the report if any was added.
fn add_given(copy: &Path, kind: &str, given: &[GivenFile]) -> io::Result<Option<String>> {
    let is_of_c = |name: &str| recognise::is_of_c(name);
    let builds_c = ["C++", "C", "Makefile", "bot.json"].contains(&kind);
    let stem = |name: &str| name.rsplit_once('.').map_or(name, |(stem, _)| stem).to_lowercase();
    let mut added = Vec::new();
    for GivenFile { name, content, replaces } in given.iter().filter(|file| builds_c || !is_of_c(&file.name))
    {
        let is_it = |other: &str| {
            other == name
                || *replaces && is_of_c(other) && !recognise::is_header(other) && stem(other) == stem(name)
        };
        let found = recognise::files_named(copy, None, &is_it).map_err(io::Error::other)?.1;
        match found.is_empty() {
            true => fs::write(copy.join(name), content)?,
            false if !replaces => continue,
            false => found.iter().try_for_each(|file| fs::write(copy.join(file), content))?,
        }
        added.push(name.as_str());
    }
    open_up(copy)?;
    Ok((!added.is_empty()).then(|| format!("It was built with the course's {}.", added.join(", "))))
}

/// Builds it by these commands. The second value is the program's name, where only the build shows it.
fn build_by(
    recipe: &Recipe,
    lines: &[String],
    sandbox: &Sandbox,
    copy: &Path,
    limits: ResourceLimits,
) -> Result<(Built, Option<String>), NoSubmission> {
    remove_programs(copy, recipe.makes).map_err(|error| NoSubmission::Copy(copy.to_path_buf(), error))?;
    let before = programs_in(copy);
    let mut built = Built { failed: None, at_last_by: None, output: String::new(), time: Duration::ZERO };
    for line in lines {
        let BuildRun { end, output, time } = run_build(line, sandbox, copy, limits)?;
        built.time += time;
        built.output.push_str(&output);
        if end == Some(Termination::Exited(0)) {
            continue;
        }
        built.failed = Some(line.clone());
        break;
    }
    if recipe.makes.is_empty() || built.failed.is_some() {
        return Ok((built, None));
    }
    let made = made_by(copy, recipe.makes, &before);
    if let Err(why) = &made {
        built.output.push_str(why);
        built.failed = lines.last().cloned();
    }
    Ok((built, made.ok()))
}

/// A command of a build that was run.
pub(super) struct BuildRun {
    /// `None` if the program is not found and no shell reports it.
    pub(super) end: Option<Termination>,
    /// Its output, and how it was stopped.
    pub(super) output: String,
    time: Duration,
}

/// Runs a build command in a folder; once more, alone, if a busy machine made it late. `Err` if the machine is to blame
/// for the failure.
pub(super) fn run_build(
    line: &str,
    sandbox: &Sandbox,
    folder: &Path,
    limits: ResourceLimits,
) -> Result<BuildRun, NoSubmission> {
    let begun = Instant::now();
    let place = Workspace::Build(folder.to_path_buf());
    let task =
        Task { words: command_line::shell_words(line), place, limits, keep: MAX_COMPILER_OUTPUT_BYTES };
    let once = || {
        let program = match sandbox.start(&task) {
            Err(error) if error.error.kind() == io::ErrorKind::NotFound => return Ok(Err(error.to_string())),
            started => started.map_err(NoSubmission::NeverStarted)?,
        };
        program.wait(limits.wall + Duration::from_secs(5));
        Ok(Ok(program.finish()))
    };
    let is_late = |ran: &Result<Ended, String>| ran.as_ref().is_ok_and(Ended::is_late);
    let (end, mut output) = match sandbox.run_by_time(once, is_late, NoSubmission::Machine)? {
        Err(output) => (None, output),
        Ok(ended) => {
            let output =
                [&ended.stdout, &ended.stderr].map(|output| String::from_utf8_lossy(output).into_owned());
            (Some(ended.end), output.concat())
        }
    };
    let code = match end {
        Some(Termination::Exited(0)) => return Ok(BuildRun { end, output, time: begun.elapsed() }),
        Some(Termination::Exited(code)) => Some(code),
        _ => None,
    };
    if let Some(why) = machine::is_behind(&output, code, line) {
        return Err(NoSubmission::Machine(why));
    }
    if let Some(end) = end.filter(|_| code.is_none()) {
        output.push_str(&end.sentence(&limits));
    }
    Ok(BuildRun { end, output, time: begun.elapsed() })
}

/// A submission as it is searched: its copy, the result of the search, and the changes to the copy.
struct LaidOut<T> {
    root: PathBuf,
    found: T,
    notes: Vec<String>,
}

/// Copies or unpacks a submission, tidies it, and searches it; then the archives inside, of which those are used that can be
/// unpacked.
fn search<T>(
    handed_in: &Path,
    scratch: &Path,
    look: impl Fn(&Path) -> Result<T, NoSubmission>,
    is_nothing: impl Fn(&Result<T, NoSubmission>) -> bool,
) -> Result<LaidOut<T>, NoSubmission> {
    let failed = |error| NoSubmission::Copy(handed_in.to_path_buf(), error);
    let make =
        |folder: &Path| fs::create_dir_all(folder).and_then(|()| let_all_read(folder, true)).map_err(failed);
    let root = scratch.join("submission");
    make(&root)?;
    let mut budget = UnpackBudget::default();
    if handed_in.is_file() {
        unpack(handed_in, &root, &mut budget)?;
    } else {
        copy_folder(handed_in, &root, MAX_SUBMISSION_BYTES).map_err(|error| match error {
            CopyError::TooMuch(why) => NoSubmission::TooMuch(why),
            CopyError::Io(error) => failed(error),
        })?;
    }
    let named = |error, root: &Path| match error {
        NoSubmission::Unrecognised(error) => error.of_submission(root, handed_in).into(),
        other => other,
    };
    let (mut folder, mut notes, mut level) = (root, Vec::new(), 0);
    loop {
        level += 1;
        notes.extend(recognise::tidy(&folder, &mut budget).map_err(failed)?);
        let found = look(&folder);
        let mut packed = Vec::new();
        list_archives(&folder, MAX_ARCHIVE_DEPTH, &mut packed);
        if packed.is_empty() || level > MAX_NESTED_ARCHIVES || !is_nothing(&found) {
            let found = found.map_err(|error| named(error, &folder))?;
            return Ok(LaidOut { root: folder, found, notes });
        }
        let inner = scratch.join(format!("unpacked-{level}"));
        let (mut first_error, mut unpacked) = (None, 0);
        for (number, file) in packed.iter().take(MAX_UNPACKED_ARCHIVES).enumerate() {
            let name = file.file_name().and_then(|name| stem(name.to_str()?)).unwrap_or_default();
            let into = inner.join(format!("{name}-{number}"));
            make(&into)?;
            match unpack(file, &into, &mut budget) {
                Ok(()) => unpacked += 1,
                Err(ArchiveError::Unusable(path, why)) => {
                    fs::remove_dir_all(&into).map_err(failed)?;
                    let path = path.strip_prefix(&folder).unwrap_or(&path).to_path_buf();
                    notes.push(format!("{} {why}.", path.display()));
                    first_error.get_or_insert(ArchiveError::Unusable(path, why));
                }
                Err(error) => return Err(error.into()),
            }
        }
        if let Some(error) = first_error.filter(|_| unpacked == 0) {
            return Err(error.into());
        }
        folder = inner;
    }
}

/// Files of a submission found by their names. Dropping it removes the unpacked files.
pub(super) struct FoundFiles {
    /// The folder that was searched: that of the submission, or where its archive was unpacked.
    pub(super) folder: PathBuf,
    /// The paths of the files in it, in order.
    pub(super) files: Vec<PathBuf>,
    #[expect(dead_code, reason = "dropping it removes the files")]
    scratch: ScratchFolder,
}

/// Finds files by their names in a folder or an archive, only in the project's folder if there is a project.
pub(super) fn find_files(
    handed_in: &Path,
    project: Option<&str>,
    wanted: &dyn Fn(&str) -> bool,
) -> Result<FoundFiles, NoSubmission> {
    let scratch = ScratchFolder::new().map_err(NoSubmission::no_scratch)?;
    let look = |folder: &Path| Ok(recognise::files_named(folder, project, wanted)?);
    let is_nothing =
        |found: &Result<(PathBuf, Vec<PathBuf>), _>| found.as_ref().is_ok_and(|(_, files)| files.is_empty());
    let (folder, files) = search(handed_in, &scratch, look, is_nothing)?.found;
    Ok(FoundFiles { folder, files, scratch })
}

fn recognise_with_hints(
    folder: &Path,
    hints: &BuildHints,
    aim: &Aim,
) -> Result<(PathBuf, Recipe), NoSubmission> {
    let Some(run) = &hints.run else {
        let (inside, mut recipe) = recognise(folder, hints.project.as_deref(), aim)?;
        if !hints.build.is_empty() {
            recipe.build.clone_from(&hints.build);
            recipe.instead.clear();
        }
        return Ok((inside, recipe));
    };
    Ok((folder.to_path_buf(), Recipe::from_commands("told", &hints.build, run)?))
}

/// How many folders around an archive, how many archives around a program, and how many archives at a time are looked into.
const MAX_ARCHIVE_DEPTH: usize = 8;
const MAX_NESTED_ARCHIVES: usize = 3;
const MAX_UNPACKED_ARCHIVES: usize = 8;

/// Lists the archives in a folder and in those in it, in order.
fn list_archives(folder: &Path, depth: usize, archives: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.retain(|path| !path.is_symlink());
    paths.sort();
    archives.extend(paths.iter().filter(|path| archive::is_archive(path)).cloned());
    for path in paths.iter().filter(|path| depth > 1 && path.is_dir()) {
        list_archives(path, depth - 1, archives);
    }
}

/// The name of the program that a build has made: the first of these names, or the only other one that was not there before.
fn made_by(folder: &Path, names: &[&str], before: &BTreeSet<String>) -> Result<String, String> {
    let now = programs_in(folder);
    if let Some(name) = names.iter().find(|name| now.contains(**name)) {
        return Ok((*name).to_string());
    }
    let new: Vec<&String> = now.difference(before).collect();
    match new[..] {
        [only] => Ok(only.clone()),
        [] => Err(format!(
            "The build has made no program named {}, and none of another name.\n",
            names.join(" or ")
        )),
        _ => {
            let new: Vec<String> = new.into_iter().map(|name| name.escape_debug().to_string()).collect();
            Err(format!(
                "The build has made several programs, {}: one of them has to be named {}.\n",
                new.join(" and "),
                names.join(" or ")
            ))
        }
    }
}

/// Removes programs of these names that another machine has built. Scripts stay.
fn remove_programs(folder: &Path, names: &[&str]) -> io::Result<()> {
    for path in names.iter().map(|name| folder.join(name)) {
        if fs::symlink_metadata(&path).is_ok_and(|found| found.is_file()) && files::read(&path)?.contains(&0)
        {
            fs::remove_file(&path)?;
        }
    }
    Ok(())
}

/// The names of the executable files in a folder.
fn programs_in(folder: &Path) -> BTreeSet<String> {
    let names = fs::read_dir(folder).into_iter().flatten().flatten();
    let names = names.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
    let names = names.filter_map(|entry| entry.file_name().into_string().ok());
    names.filter(|name| command_line::find_program(&folder.join(name).to_string_lossy()).is_some()).collect()
}

/// A command line as words, without a shell in between where it needs none: so that a crash is seen as one.
fn words(line: &str) -> Vec<String> {
    match command_line::split(line) {
        Some(words) if !words.is_empty() && !command_line::needs_shell(line) => words,
        _ => command_line::shell_words(line),
    }
}

/// Makes everything readable and takes it back from a sandbox's user; links and hard links are left alone.
pub(super) fn open_up(folder: &Path) -> io::Result<()> {
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
