//! The kind of program to find in a submission, and the candidate folders for it.

use std::path::{Path, PathBuf};

use super::tree::{SourceFolder, SourceTree};
use super::{Recipe, Unrecognised};

const WRITE_BOT_JSON: &str = "write a bot.json like {\"build\": \"javac Poker.java\", \"run\": \"java Poker {host} {port}\"} in it, \
                    or give the command line that runs it in place of the folder";

const ANSWERS: &str = "give the command line that runs it with --program, or hand in only the program";

/// The kind of program to find.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Aim {
    /// A player of stud: it talks to the dealer at `{host}` and `{port}`.
    Player,
    /// A program that answers questions on its command line: its likely names, and its arguments.
    Answers {
        /// The names of its class or file, the likeliest first.
        names: &'static [&'static str],
        /// The end of its command line, such as `{cards}`.
        arguments: &'static str,
    },
    /// A Prolog file that defines one of these predicates.
    Predicates(&'static [&'static str]),
}

impl Aim {
    /// The rank of a class or file name among the usual names; `None` for another name.
    pub(super) fn likelihood_of(&self, name: &str) -> Option<usize> {
        let names = match self {
            Aim::Player => &["poker"],
            Aim::Answers { names, .. } => *names,
            Aim::Predicates(_) => &[],
        };
        names.iter().position(|usual| name.eq_ignore_ascii_case(usual))
    }

    pub(super) fn classes(&self) -> &'static [&'static str] {
        match self {
            Aim::Player | Aim::Predicates(_) => &[],
            Aim::Answers { names, .. } => names,
        }
    }

    pub(super) fn arguments(&self) -> &'static str {
        match self {
            Aim::Player => "{host} {port}",
            Aim::Answers { arguments, .. } => arguments,
            Aim::Predicates(_) => "",
        }
    }

    /// The files that identify such a program.
    pub(super) fn identifying_files(&self) -> String {
        const LANGUAGES: &str =
            "Poker.java, poker.py, Cargo.toml, go.mod, package.json, Makefile, C++ or JavaScript sources";
        match self {
            Aim::Player => format!("no bot that is known by its files ({LANGUAGES})"),
            Aim::Answers { names, .. } => format!(
                "no program that is known by its files ({})",
                LANGUAGES.replace("Poker", names[0]).replace("poker", names[names.len() - 1])
            ),
            Aim::Predicates(names) => format!(
                "no Prolog file that defines {}: a clause of one has to begin a line, in a file that ends in .pl",
                names.join(" or ")
            ),
        }
    }

    pub(super) fn disambiguation_hint(&self) -> &'static str {
        match self {
            Aim::Player => WRITE_BOT_JSON,
            Aim::Answers { .. } => ANSWERS,
            Aim::Predicates(_) => {
                "hand in one file that loads the others, or say with --file which one it is"
            }
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct ProgramCandidate {
    pub(super) at: PathBuf,
    /// The folder that is copied, built and run in.
    pub(super) copied: PathBuf,
    pub(super) recipe: Recipe,
    pub(super) plays: bool,
    /// Whether it has the name that the document asks for.
    pub(super) usual: bool,
}

/// A recipe whose command is still without the arguments that every program of an assignment gets.
pub(super) fn recipe_of(kind: &str, build: &[&str], run: &str) -> Recipe {
    let build = build.iter().map(ToString::to_string).collect();
    Recipe { kind: kind.to_string(), build, run: run.to_string(), ..Recipe::default() }
}

#[derive(Clone, Copy)]
pub(super) struct CandidateFolder<'a> {
    pub(super) tree: &'a SourceTree,
    pub(super) folder: &'a SourceFolder,
    pub(super) aim: &'a Aim,
    /// Folders that hold a player themselves: their files do not count for the folders around them.
    pub(super) taken: &'a [PathBuf],
}

impl CandidateFolder<'_> {
    pub(super) fn several(&self, files: Vec<String>) -> Unrecognised {
        Unrecognised::Several(files, self.aim.disambiguation_hint())
    }

    /// This folder as a candidate of this kind. Sources with these endings show whether it plays.
    pub(super) fn candidate(
        &self,
        recipe: Recipe,
        endings: &[&str],
        usual: bool,
    ) -> Result<Option<ProgramCandidate>, Unrecognised> {
        let under = self.tree.under(&self.folder.inside, self.taken);
        Ok(Some(ProgramCandidate {
            at: self.folder.inside.clone(),
            copied: self.folder.path.clone(),
            recipe,
            plays: self.tree.plays(under, endings)?,
            usual,
        }))
    }
}

/// A path of the submission, from a folder of it on: `.` for the folder itself.
pub(super) fn below(path: &Path, folder: &Path) -> String {
    let path = path.strip_prefix(folder).unwrap_or(path).to_string_lossy().replace('\\', "/");
    if path.is_empty() { ".".to_string() } else { path }
}
