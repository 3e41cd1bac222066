//! Recognises what a folder of a student's files is, and how it is built and run.

mod kinds;
#[cfg(test)]
mod tests;

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// How many folders in folders are opened to find the one with the program: an unpacked archive often holds one
/// folder.
const DEEPEST: usize = 4;

/// How a bot is built and run, as lines for a shell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recipe {
    /// What it was taken for: a language, or the file that says it.
    pub kind: String,
    /// The commands that build it, one after the other.
    pub build: Vec<String>,
    /// The command that runs it, with `{host}` and `{port}`.
    pub run: String,
    /// Where only the build shows what the program is called: its possible names. The first that is there takes the
    /// place of `{program}` in the command.
    pub makes: &'static [&'static str],
}

/// Why a folder is no bot as it stands.
#[derive(Debug)]
pub enum Unrecognised {
    /// It cannot be read.
    Unreadable {
        /// The folder or file.
        path: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
    /// A `package.json` that is no JSON.
    PackageJson {
        /// The path of the file.
        path: PathBuf,
        /// What is wrong with it.
        error: serde_json::Error,
    },
    /// Nothing in it can be started.
    Nothing {
        /// The folder that was searched.
        folder: PathBuf,
    },
    /// Several files could be the program.
    Several {
        /// The names of the files.
        files: Vec<String>,
    },
    /// A `bot.json` that cannot be used.
    BotJson {
        /// What is wrong with it.
        error: serde_json::Error,
    },
    /// A command without a place for the dealer's address.
    NoAddress {
        /// What is missing.
        blank: &'static str,
        /// The command that was given.
        run: String,
    },
}

impl fmt::Display for Unrecognised {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const TELL: &str = "write a bot.json like {\"build\": \"javac Poker.java\", \"run\": \"java Poker {host} {port}\"}, \
                            or use --build and --run";
        match self {
            Unrecognised::Unreadable { path, error } => {
                write!(f, "{} cannot be read: {error}", path.display())
            }
            Unrecognised::PackageJson { path, error } => {
                write!(f, "{} cannot be read: {error}", path.display())
            }
            Unrecognised::Nothing { folder } => write!(
                f,
                "{} holds no bot that is known by its files (Poker.java, poker.py, Cargo.toml, go.mod, package.json, \
                 Makefile, C++ or JavaScript sources): {TELL}",
                folder.display()
            ),
            Unrecognised::Several { files } => {
                write!(f, "several files could be the program ({}): {TELL}", files.join(", "))
            }
            Unrecognised::BotJson { error } => write!(f, "bot.json cannot be used: {error}"),
            Unrecognised::NoAddress { blank, run } => write!(
                f,
                "the command \"{run}\" has no {blank}: write where the program gets the dealer's address, as in \
                 java Poker {{host}} {{port}}"
            ),
        }
    }
}

impl std::error::Error for Unrecognised {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Unrecognised::Unreadable { error, .. } => Some(error),
            Unrecognised::PackageJson { error, .. } | Unrecognised::BotJson { error } => Some(error),
            Unrecognised::Nothing { .. } | Unrecognised::Several { .. } | Unrecognised::NoAddress { .. } => {
                None
            }
        }
    }
}

impl Recipe {
    /// A recipe with these commands.
    ///
    /// # Errors
    /// If the command has no `{host}` or no `{port}`.
    pub fn told(kind: &str, build: &[String], run: &str) -> Result<Recipe, Unrecognised> {
        for blank in ["{host}", "{port}"] {
            if !run.contains(blank) {
                return Err(Unrecognised::NoAddress { blank, run: run.to_string() });
            }
        }
        Ok(Recipe { kind: kind.to_string(), build: build.to_vec(), run: run.to_string(), makes: &[] })
    }
}

/// A folder with the names of its files, in order.
#[derive(Clone, Copy)]
struct SourceFolder<'a> {
    path: &'a Path,
    files: &'a [String],
}

/// The folder inside this one in which the program is, and what it is.
///
/// # Errors
/// [`Unrecognised`], with what to do about it.
pub fn recognise(folder: &Path) -> Result<(PathBuf, Recipe), Unrecognised> {
    let mut inside = folder.to_path_buf();
    for _ in 0..DEEPEST {
        let (files, folders) = list(&inside)?;
        if let Some(recipe) = kinds::recipe(&SourceFolder { path: &inside, files: &files })? {
            return Ok((inside, recipe));
        }
        let next = match &folders[..] {
            [only] => only,
            several if several.iter().any(|name| name == "src") => "src",
            _ => break,
        };
        inside = inside.join(next);
    }
    Err(Unrecognised::Nothing { folder: folder.to_path_buf() })
}

/// The names of the files and of the folders in a folder, in order, without hidden ones.
fn list(folder: &Path) -> Result<(Vec<String>, Vec<String>), Unrecognised> {
    let unreadable = |error| Unrecognised::Unreadable { path: folder.to_path_buf(), error };
    let (mut files, mut folders) = (Vec::new(), Vec::new());
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let Ok(name) = entry.file_name().into_string() else { continue };
        let kind = entry.file_type().map_err(unreadable)?;
        if name.starts_with('.') || name.starts_with("__") {
            continue;
        }
        if kind.is_dir() {
            folders.push(name);
        } else if kind.is_file() {
            files.push(name);
        }
    }
    files.sort();
    folders.sort();
    Ok((files, folders))
}
