//! The folders of a submission in which a program may be.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use super::Unrecognised;
use crate::roster::from_utf_16;
use casino_system::files;

const MAX_SOURCE_BYTES: u64 = 1 << 20;

const MAX_FOLDER_DEPTH: usize = 16;

const MAX_FOLDERS: usize = 4_000;

const TOOL_FOLDERS: [&str; 8] =
    ["node_modules", "target", "venv", "site-packages", "cmake-build-debug", "CMakeFiles", "obj", "dist"];

const NETWORK: [&str; 11] = [
    "Socket",
    "socket",
    "TcpStream",
    "net.Dial",
    "'net'",
    "\"net\"",
    "node:net",
    "asio",
    "tcp_connect",
    "winsock",
    "java.nio.channels",
];

const COMMAND_LINE: [&str; 8] =
    ["argv", "argparse", "args()", "args_os", "os.Args", "flag.", "import click", "import typer"];

#[derive(Clone, Debug)]
pub(super) struct SourceFolder {
    pub(super) path: PathBuf,
    pub(super) inside: PathBuf,
    pub(super) files: Vec<String>,
    /// How many folders it is in, inside the submission.
    pub(super) depth: usize,
}

/// All folders of a submission, each before those in it.
#[derive(Clone, Debug)]
pub(super) struct SourceTree {
    pub(super) root: PathBuf,
    pub(super) folders: Vec<SourceFolder>,
}

impl SourceTree {
    /// Lists the folders below this one, without following links and without generated or downloaded files.
    pub(super) fn read(root: &Path) -> Result<SourceTree, Unrecognised> {
        let mut tree = SourceTree { root: root.to_path_buf(), folders: Vec::new() };
        tree.add(Path::new(""), 0)?;
        Ok(tree)
    }

    fn add(&mut self, inside: &Path, depth: usize) -> Result<(), Unrecognised> {
        let path = if depth == 0 { self.root.clone() } else { self.root.join(inside) };
        let unreadable = |error| Unrecognised::Unreadable(path.clone(), error);
        let (mut files, mut folders) = (Vec::new(), Vec::new());
        for entry in fs::read_dir(&path).map_err(unreadable)? {
            let entry = entry.map_err(unreadable)?;
            let Ok(name) = entry.file_name().into_string() else { continue };
            let kind = entry.file_type().map_err(unreadable)?;
            // Packages vendored by cargo or installed by Python are not programs of the student.
            if depth > 0 && (name == ".cargo-checksum.json" || name == "pyvenv.cfg") {
                return Ok(());
            }
            if name.starts_with('.') || name.starts_with("__") && kind.is_dir() {
                continue;
            }
            if kind.is_dir() && !TOOL_FOLDERS.contains(&name.as_str()) {
                folders.push(name);
            } else if kind.is_file() {
                files.push(name);
            }
        }
        files.sort();
        folders.sort();
        self.folders.push(SourceFolder { path: path.clone(), inside: inside.to_path_buf(), files, depth });
        for folder in folders {
            if depth < MAX_FOLDER_DEPTH && self.folders.len() < MAX_FOLDERS {
                self.add(&inside.join(folder), depth + 1)?;
            }
        }
        Ok(())
    }

    /// The tree below the folder of this name, or of this path, nearest to the top.
    pub(super) fn below(&self, name: &str) -> Option<PathBuf> {
        let is_it = |folder: &&SourceFolder| {
            let last = folder.inside.file_name().map(|last| last.to_string_lossy().to_lowercase());
            last.is_some_and(|last| last == name.to_lowercase()) || folder.inside == Path::new(name)
        };
        let found = self.folders.iter().filter(is_it).min_by_key(|folder| folder.depth);
        found.map(|folder| folder.path.clone())
    }

    /// The folders in a folder, itself first, without those in `except`.
    pub(super) fn under<'a>(
        &'a self,
        folder: &'a Path,
        except: &'a [PathBuf],
    ) -> impl Iterator<Item = &'a SourceFolder> {
        let is_out =
            |inside: &Path| except.iter().any(|out| inside.starts_with(out) && !folder.starts_with(out));
        self.folders.iter().filter(move |other| other.inside.starts_with(folder) && !is_out(&other.inside))
    }

    /// Whether sources with these endings in these folders talk to a network and read their command line, as a player's do.
    pub(super) fn plays<'a>(
        &self,
        folders: impl Iterator<Item = &'a SourceFolder>,
        endings: &[&str],
    ) -> Result<bool, Unrecognised> {
        let (mut network, mut arguments) = (false, false);
        for folder in folders {
            for file in folder.with_endings(endings) {
                let text = folder.read(file)?;
                network |= talks(&text);
                arguments |= COMMAND_LINE.iter().any(|word| text.contains(word));
                if network && arguments {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }
}

pub(super) fn talks(text: &str) -> bool {
    NETWORK.iter().any(|word| text.contains(word))
}

pub(super) fn plays_alone(text: &str) -> bool {
    talks(text) && COMMAND_LINE.iter().any(|word| text.contains(word))
}

impl SourceFolder {
    pub(super) fn has(&self, name: &str) -> bool {
        self.files.iter().any(|file| file == name)
    }

    pub(super) fn with_endings<'a>(&'a self, endings: &'a [&str]) -> impl Iterator<Item = &'a String> {
        self.files.iter().filter(|file| endings.iter().any(|ending| file.ends_with(ending)))
    }

    /// The beginning of a file as text. Invalid bytes do not matter here.
    pub(super) fn read(&self, name: &str) -> Result<String, Unrecognised> {
        let path = self.path.join(name);
        let mut bytes = Vec::new();
        match files::open(&path).and_then(|file| file.take(MAX_SOURCE_BYTES).read_to_end(&mut bytes)) {
            Ok(_) => Ok(as_text(&bytes)),
            Err(error) => Err(Unrecognised::Unreadable(path, error)),
        }
    }
}

/// A source as text, from UTF-8, UTF-16, or else Latin-1, with line feeds for the line ends of old systems.
pub(super) fn as_text(bytes: &[u8]) -> String {
    let bytes = from_utf_16(bytes);
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&bytes);
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text.to_string(),
        // The reading limit has split the last character.
        Err(error) if error.error_len().is_none() => {
            String::from_utf8_lossy(&bytes[..error.valid_up_to()]).into_owned()
        }
        Err(_) => bytes.iter().map(|byte| char::from(*byte)).collect(),
    };
    match text.replace("\r\n", "\n") {
        lines if lines.contains('\r') => lines.replace('\r', "\n"),
        _ => text,
    }
}
