//! The course's files for an abstract data type: built in, or given.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use casino_system::files;
use casino_system::foreign_files::let_all_read;

const COURSE_FILES: [(&str, &str); 5] = [
    ("card.h", include_str!("../../../../../../courses/blackjack/card.h")),
    ("deck.h", include_str!("../../../../../../courses/blackjack/deck.h")),
    ("hand.h", include_str!("../../../../../../courses/blackjack/hand.h")),
    ("player.h", include_str!("../../../../../../courses/blackjack/player.h")),
    ("card.cpp", include_str!("../../../../../../courses/blackjack/card.cpp")),
];

const REFERENCE_FILES: [(&str, &str); 5] = [
    ("driver.h", include_str!("../../../../../../courses/blackjack/driver.h")),
    ("deck_driver.cpp", include_str!("../../../../../../courses/blackjack/deck_driver.cpp")),
    ("hand_driver.cpp", include_str!("../../../../../../courses/blackjack/hand_driver.cpp")),
    ("player_driver.cpp", include_str!("../../../../../../courses/blackjack/player_driver.cpp")),
    ("hand.cpp", include_str!("../../../../../../courses/blackjack/hand.cpp")),
];

const SKIPPED_FOLDERS: [&str; 3] = [".git", "node_modules", "target"];

const MAX_FOLDER_DEPTH: usize = 16;

#[derive(Clone, Debug)]
pub(super) struct CourseFiles {
    files: Vec<(String, Vec<u8>)>,
    given: bool,
}

impl CourseFiles {
    pub(super) fn read(given: &[PathBuf]) -> io::Result<CourseFiles> {
        let mut files: Vec<(String, Vec<u8>)> =
            COURSE_FILES.iter().map(|(name, text)| (name.to_string(), text.as_bytes().to_vec())).collect();
        for path in given {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let content = files::read(path)?;
            match files.iter_mut().find(|(known, _)| *known == name) {
                Some((_, text)) => *text = content,
                None => files.push((name, content)),
            }
        }
        Ok(CourseFiles { files, given: !given.is_empty() })
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
