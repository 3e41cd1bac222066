//! The course's files for an abstract data type: built in, or given.

use std::fs;
use std::io;
use std::path::Path;

use crate::grade::submission::GivenFile;
use casino_system::foreign_files::let_all_read;

macro_rules! files {
    ($($file:literal),+) => {
        [$(($file, include_str!(concat!("../../../../courses/blackjack/", $file)))),+]
    };
}

const COURSE_FILES: [(&str, &str); 7] =
    files!("card.h", "deck.h", "hand.h", "player.h", "rand.h", "card.cpp", "rand.cpp");

const REFERENCE_FILES: [(&str, &str); 7] = files!(
    "driver.h",
    "deck_driver.cpp",
    "hand_driver.cpp",
    "player_driver.cpp",
    "deck.cpp",
    "hand.cpp",
    "player.cpp"
);

const SKIPPED_FOLDERS: [&str; 3] = [".git", "node_modules", "target"];

const MAX_FOLDER_DEPTH: usize = 16;

#[derive(Clone, Debug)]
pub(super) struct CourseFiles {
    files: Vec<(String, Vec<u8>)>,
    given: bool,
}

impl CourseFiles {
    pub(super) fn new(given: &[GivenFile]) -> CourseFiles {
        let mut files: Vec<(String, Vec<u8>)> =
            COURSE_FILES.iter().map(|(name, text)| (name.to_string(), text.as_bytes().to_vec())).collect();
        for GivenFile { name, content, .. } in given {
            match files.iter_mut().find(|(known, _)| known == name) {
                Some((_, text)) => text.clone_from(content),
                None => files.push((name.clone(), content.clone())),
            }
        }
        CourseFiles { files, given: !given.is_empty() }
    }

    /// The files for a program: the course's, and those of abstract data types in place of the submission's.
    pub(super) fn for_program(self, types: &[&str]) -> Vec<GivenFile> {
        let right = REFERENCE_FILES.iter().filter(|(name, _)| types.contains(name));
        let right = right.map(|(name, text)| (name.to_string(), text.as_bytes().to_vec()));
        let added = |(name, content): (String, Vec<u8>)| {
            let replaces = types.contains(&name.as_str());
            GivenFile { name, content, replaces }
        };
        self.files.into_iter().chain(right).map(added).collect()
    }

    pub(super) fn were_given(&self) -> bool {
        self.given
    }

    pub(super) fn write(&self, folder: &Path) -> io::Result<()> {
        self.files.iter().try_for_each(|(name, content)| write(&folder.join(name), content))
    }

    /// Writes them and the driver's own files into an existing folder.
    pub(super) fn write_all(&self, folder: &Path) -> io::Result<()> {
        self.write(folder)?;
        REFERENCE_FILES.iter().try_for_each(|(name, text)| write(&folder.join(name), text.as_bytes()))
    }

    /// Replaces files of the course's names in a folder tree. Returns whether one of them differed.
    pub(super) fn replace(&self, folder: &Path) -> io::Result<bool> {
        self.replace_in(folder, MAX_FOLDER_DEPTH)
    }

    fn replace_in(&self, folder: &Path, depth: usize) -> io::Result<bool> {
        let mut other = false;
        let Some(deeper) = depth.checked_sub(1) else { return Ok(other) };
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = entry.path();
            if entry.file_type()?.is_dir() {
                match SKIPPED_FOLDERS.contains(&name.as_str()) {
                    true => fs::remove_dir_all(&path)?,
                    false => other |= self.replace_in(&path, deeper)?,
                }
            } else if let Some((_, content)) = self.files.iter().find(|(known, _)| *known == name) {
                // A link is removed and not written through.
                other |= fs::symlink_metadata(&path)?.is_symlink() || fs::read(&path)? != *content;
                fs::remove_file(&path)?;
                write(&path, content)?;
            }
        }
        Ok(other)
    }
}

fn write(path: &Path, content: &[u8]) -> io::Result<()> {
    fs::write(path, content).and_then(|()| let_all_read(path, false))
}
