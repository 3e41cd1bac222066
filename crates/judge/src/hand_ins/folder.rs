//! The files of submissions: the listing of their folder, and one place for each of them.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use super::{HandIn, Kind, Listed, OutputName};
use crate::sandbox::{MAX_SUBMISSION_BYTES, ScratchFolder, copy_folder};
use casino_system::folders::create_private;

/// The folders in a folder of results.
const OUTPUTS: [&str; 2] = ["reports", "verdicts"];

/// Lists a folder of submissions. Hidden entries are left out, and so are folders of results: `out`, and those of earlier runs.
pub fn list(folder: &Path, out: Option<&Path>) -> io::Result<Vec<Listed>> {
    let own = out.and_then(|out| out.canonicalize().ok());
    let mut listed = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let (kind, path) = (entry.file_type()?, entry.path());
        let is_output = |folder: &Path| OUTPUTS.iter().all(|inside| folder.join(inside).is_dir());
        let around =
            || fs::read_dir(&path).is_ok_and(|all| all.flatten().any(|file| is_output(&file.path())));
        let has_own =
            || own.as_ref().zip(path.canonicalize().ok()).is_some_and(|(own, path)| own.starts_with(path));
        let is_hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
        if is_hidden || (kind.is_dir() && (is_output(&path) || around() || has_own())) {
            continue;
        }
        let modified = entry.metadata()?.modified().ok();
        let modified_ms = modified.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        listed.push(Listed {
            name: folder_name(&path),
            path: path.file_name().map(PathBuf::from).unwrap_or_default(),
            kind: match kind {
                kind if kind.is_dir() => Kind::Folder,
                kind if kind.is_file() => Kind::File,
                _ => Kind::Link,
            },
            modified_ms: modified_ms.map_or(0, |since| since.as_millis() as u64),
        });
    }
    Ok(listed)
}

/// The name of a path as text. Bytes that are not UTF-8 are written as `%FC`, so that two names stay two.
pub fn folder_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    let mut text = String::new();
    for chunk in name.as_encoded_bytes().utf8_chunks() {
        text.push_str(chunk.valid());
        chunk.invalid().iter().for_each(|byte| text.push_str(&format!("%{byte:02X}")));
    }
    text
}

/// Submissions with a place each. Those of several files are gathered in a folder for temporary files, which is removed when this is
/// dropped.
pub struct Gathered {
    /// The submissions with their folders or archives, in order.
    pub places: Vec<(HandIn, PathBuf)>,
    #[expect(dead_code, reason = "dropping it removes the files")]
    scratch: ScratchFolder,
}

impl Gathered {
    /// Gathers these submissions of a folder.
    pub fn new(folder: &Path, hand_ins: Vec<HandIn>) -> io::Result<Gathered> {
        let scratch = ScratchFolder::new()?;
        let place = |(number, hand_in): (usize, HandIn)| {
            let path = match &hand_in.files[..] {
                [only] if only.is_whole => folder.join(&only.path),
                files => {
                    // The last component is the subject of the report.
                    let into = scratch.join(number.to_string()).join(OutputName::new(&hand_in.label).text());
                    create_private(&into)?;
                    for file in files {
                        let (from, to) = (folder.join(&file.path), into.join(&file.own));
                        if from.is_dir() {
                            fs::create_dir(&to)?;
                            copy_folder(&from, &to, MAX_SUBMISSION_BYTES)?;
                        } else {
                            fs::copy(from, to)?;
                        }
                    }
                    into
                }
            };
            Ok((hand_in, path))
        };
        let places = hand_ins.into_iter().enumerate().map(place).collect::<io::Result<_>>()?;
        Ok(Gathered { places, scratch })
    }
}
