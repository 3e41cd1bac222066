//! Recognizes which folder of a submission holds the program, and how it is built and run: `java` and `kinds` know the
//! languages, and `search` chooses the folder whose sources behave like a player.

mod candidate;
mod java;
mod kinds;
mod manifests;
mod scan;
mod search;
#[cfg(test)]
mod tests;
mod tidy;
mod tree;
mod unusable;

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

pub use candidate::Aim;
pub(in crate::grade) use kinds::{is_header, is_of_c, line_comment};
pub(super) use search::newest_first;
pub(super) use tidy::{tidy, unify};

use casino_system::command_line;
use tree::SourceTree;

/// How a program is built and run, as lines for a shell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recipe {
    /// The recognized kind: a language, or the file that describes the program.
    pub kind: String,
    /// The commands that build it, one after the other.
    pub build: Vec<String>,
    /// Other ways to build it, tried in order if the first fails: without files that the program may not need.
    pub instead: Vec<Vec<String>>,
    /// The command that runs it, with `{host}` and `{port}`.
    pub run: String,
    /// Possible names of the program, if only the build shows it; the one that is made replaces `{program}`.
    pub makes: &'static [&'static str],
    /// Other recipes, tried in order if this one cannot be built: the sources beside a Makefile.
    pub otherwise: Vec<Recipe>,
}

/// Why a folder is not recognized.
#[derive(Debug, Error)]
pub enum Unrecognised {
    /// A folder or file of it cannot be read.
    #[error("{} cannot be read: {}", .0.display(), .1)]
    Unreadable(PathBuf, #[source] io::Error),
    /// A `package.json` that is not JSON.
    #[error("{} cannot be read: {}", .0.display(), .1)]
    PackageJson(PathBuf, #[source] serde_json::Error),
    /// No program found in this folder, with the files that would identify one, and the grader's remedy.
    #[error("the submission holds {1}")]
    Nothing(PathBuf, String, &'static str),
    /// A file is in a form in which it is no program, with the remedy.
    #[error("{0}")]
    Unusable(String),
    /// There are compiled files and no sources.
    #[error("the submission holds only compiled files ({0}): hand in the sources, such as Poker.java")]
    OnlyCompiled(String),
    /// Several files could be the program, with the grader's remedy.
    #[error("several files could be the program ({}): hand in only one", .0.join(", "))]
    Several(Vec<String>, &'static str),
    /// Several folders hold a program.
    #[error("several folders hold a program ({}): hand in only one", .0.join(", "))]
    SeveralFolders(Vec<String>),
    /// There is no folder of the requested name.
    #[error("there is no folder {} in {}", .0, .1.display())]
    NoProject(String, PathBuf),
    /// A `bot.json` that cannot be used.
    #[error("bot.json cannot be used: {0}")]
    BotJson(#[source] serde_json::Error),
    /// A command without a place for the dealer's address.
    #[error(
        "the command \"{0}\" has no {1}: write where the program gets the dealer's address, as in \
         java Poker {{host}} {{port}}"
    )]
    NoAddress(String, &'static str),
}

impl Recipe {
    /// A recipe with these commands.
    pub fn from_commands(kind: &str, build: &[String], run: &str) -> Result<Recipe, Unrecognised> {
        for blank in ["{host}", "{port}"] {
            if !run.contains(blank) {
                return Err(Unrecognised::NoAddress(run.to_string(), blank));
            }
        }
        let (kind, run) = (kind.to_string(), run.to_string());
        Ok(Recipe { kind, build: build.to_vec(), run, ..Recipe::default() })
    }
}

impl Unrecognised {
    /// What the grader can do, who is not the author.
    pub(super) fn hint(&self) -> String {
        match self {
            Unrecognised::Nothing(path, _, hint) => {
                format!("Grader: look into {}, or {hint}.", path.display())
            }
            Unrecognised::Several(_, hint) => format!("Grader: {hint}."),
            Unrecognised::SeveralFolders(_) => {
                "Grader: say which one with --project NAME or in the column project of the roster."
                    .to_string()
            }
            _ => String::new(),
        }
    }

    /// The same with the paths of the submission for those of its copy, and for a program that was handed in compiled.
    pub(super) fn of_submission(self, copy: &Path, handed_in: &Path) -> Unrecognised {
        let original = |path: PathBuf| match path.strip_prefix(copy) {
            Ok(rest) if rest.as_os_str().is_empty() => handed_in.to_path_buf(),
            Ok(rest) => handed_in.join(rest),
            Err(_) => path,
        };
        match self {
            Unrecognised::Nothing(path, known, hint) => match compiled_file(copy) {
                Some(file) => Unrecognised::OnlyCompiled(file),
                None => Unrecognised::Nothing(original(path), format!("{known}{}", files_there(copy)), hint),
            },
            Unrecognised::Unreadable(path, error) => Unrecognised::Unreadable(original(path), error),
            Unrecognised::PackageJson(path, error) => Unrecognised::PackageJson(original(path), error),
            Unrecognised::NoProject(name, path) => Unrecognised::NoProject(name, original(path)),
            other => other,
        }
    }
}

/// The names of the first files of a submission in which nothing is recognized, as the end of a sentence.
fn files_there(folder: &Path) -> String {
    const MAX_NAMED_FILES: usize = 5;
    let folders = SourceTree::read(folder).map(|tree| tree.folders).unwrap_or_default();
    let names: Vec<&str> = folders.iter().flat_map(|folder| &folder.files).map(String::as_str).collect();
    let more = if names.len() > MAX_NAMED_FILES { " …" } else { "" };
    match names.is_empty() {
        true => String::new(),
        false => format!(". Its files are {}{more}", names[..names.len().min(MAX_NAMED_FILES)].join(", ")),
    }
}

/// A compiled file of a submission.
fn compiled_file(folder: &Path) -> Option<String> {
    let tree = SourceTree::read(folder).ok()?;
    let endings = [".class", ".jar", ".pyc", ".exe", ".o", ".out"];
    tree.folders.iter().find_map(|folder| folder.with_endings(&endings).next().cloned())
}

/// The folder in which the program is built and run, and its recipe; in the project's folder if one is named.
pub fn recognise(folder: &Path, project: Option<&str>, aim: &Aim) -> Result<(PathBuf, Recipe), Unrecognised> {
    let tree = SourceTree::read(folder)?;
    let Some(project) = project else { return search::find(&tree, aim) };
    let missing = || Unrecognised::NoProject(project.to_string(), folder.to_path_buf());
    search::find(&SourceTree::read(&tree.below(project).ok_or_else(missing)?)?, aim)
}

/// The files with wanted names, and the folder that was searched: the project's if one is named.
pub(super) fn files_named(
    folder: &Path,
    project: Option<&str>,
    wanted: &dyn Fn(&str) -> bool,
) -> Result<(PathBuf, Vec<PathBuf>), Unrecognised> {
    let mut tree = SourceTree::read(folder)?;
    if let Some(project) = project {
        let Some(below) = tree.below(project) else { return Ok((folder.to_path_buf(), Vec::new())) };
        tree = SourceTree::read(&below)?;
    }
    let in_folder = |folder: &tree::SourceFolder| {
        let names = folder.files.iter().filter(|name| wanted(name));
        names.map(|name| folder.inside.join(name)).collect::<Vec<_>>()
    };
    let files = tree.folders.iter().flat_map(in_folder).collect();
    Ok((tree.root, files))
}

fn quoted(word: &str) -> String {
    command_line::quote(word).unwrap_or_else(|| word.to_string())
}
