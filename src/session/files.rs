//! The files of a day: their folder and names.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::SessionError;
use super::context::random;
use casino_judge::figures::PAGE_MARK;
use casino_stud::hex::hex;
use casino_system::files::{self, Readers, check_output, folder_of, write_atomically};
use casino_system::folders::{create_new_private, leftovers};

/// By this the result of a tournament is recognised.
pub(super) const RESULT_MARK: &str = "\"promise\":";

/// The folder that takes the output of started programs.
#[derive(Clone, Debug)]
pub(crate) struct ProgramFolder {
    path: PathBuf,
    is_temporary: bool,
}

/// The beginning of the name of a temporary folder; the number of its process and a random part follow.
const TEMPORARY_PREFIX: &str = "casino-day-";

impl ProgramFolder {
    /// This folder, or a temporary one where none is given; a temporary one is made only if it is needed.
    pub(crate) fn new(given: Option<&Path>, needed: bool) -> Result<ProgramFolder, SessionError> {
        if let Some(folder) = given {
            prepare_results(folder)?;
            return Ok(ProgramFolder { path: folder.to_path_buf(), is_temporary: false });
        }
        let name = format!("{TEMPORARY_PREFIX}{}-{}", std::process::id(), hex(random::<8>()?));
        let path = std::env::temp_dir().join(name);
        if needed {
            remove_leftovers(&std::env::temp_dir());
            // Another user of the machine could have put links with the names of outputs there.
            create_new_private(&path)
                .map_err(|source| SessionError::Folder { path: path.clone(), source })?;
        }
        Ok(ProgramFolder { path, is_temporary: true })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn is_temporary(&self) -> bool {
        self.is_temporary
    }

    pub(super) fn remove(&self) {
        // A folder of a few log files that cannot be removed is no reason to fail.
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// Removes the temporary folders of hosts that were killed before they could. A host that ends leaves output that it has named:
/// everything younger than a day stays.
fn remove_leftovers(temporary: &Path) {
    for leftover in leftovers(temporary, TEMPORARY_PREFIX).filter(|leftover| leftover.is_old) {
        // A folder of a few log files that cannot be removed is no reason to fail.
        let _ = fs::remove_dir_all(leftover.path);
    }
}

pub(super) fn make(folder: &Path) -> Result<(), SessionError> {
    fs::create_dir_all(folder).map_err(|source| SessionError::Folder { path: folder.to_path_buf(), source })
}

/// Makes a folder in a folder of results. A link in its place is an error: nothing is written through it.
pub(super) fn make_real_folder(folder: &Path) -> Result<(), SessionError> {
    if fs::symlink_metadata(folder).is_ok_and(|about| !about.is_dir()) {
        let what = "it is a link or a file: remove it, it is not written through";
        let source = io::Error::new(io::ErrorKind::AlreadyExists, what);
        return Err(SessionError::Folder { path: folder.to_path_buf(), source });
    }
    make(folder)
}

/// Makes the folder for results, and tries that they can be written there. Nothing is left behind.
pub(super) fn prepare_results(folder: &Path) -> Result<(), SessionError> {
    make(folder)?;
    let cannot = |path: &Path, source| SessionError::Results { path: path.to_path_buf(), source };
    for (name, mark) in [("result.json", RESULT_MARK), ("report.html", PAGE_MARK)] {
        let path = folder.join(name);
        check_output(&path, &[mark]).map_err(|error| cannot(&path, error))?;
    }
    Ok(())
}

/// Tries that a new journal can be written there. Nothing is left behind, and nothing that is there is touched.
pub(super) fn try_new_journal(path: &Path) -> Result<(), SessionError> {
    let folder = folder_of(path);
    if matches!(folder.try_exists(), Ok(false)) {
        let (path, folder) = (path.to_path_buf(), folder.to_path_buf());
        return Err(SessionError::NoJournalFolder { path, folder });
    }
    try_new(path).map_err(|error| SessionError::new_journal(path, error))
}

/// A journal of a later tournament of a day, beside the first one, that is there already.
pub(super) fn later_journal(first: &Path) -> Option<PathBuf> {
    let is_later = |path: &PathBuf| {
        let stem = path.file_stem().and_then(|stem| stem.to_str());
        let number = stem.and_then(|stem| stem.rsplit_once('-')).and_then(|(_, number)| number.parse().ok());
        number.is_some_and(|number: u32| number > 1 && numbered(first.to_path_buf(), number) == *path)
    };
    // A folder that cannot be listed may still accept new files: each tournament tests its own before any player is let
    // in.
    let entries = fs::read_dir(folder_of(first)).ok()?;
    entries.filter_map(|entry| Some(first.with_file_name(entry.ok()?.file_name()))).filter(is_later).min()
}

/// Makes an empty file and removes it again.
fn try_new(path: &Path) -> io::Result<()> {
    files::create_new_private(path)?;
    fs::remove_file(path)
}

/// The file of this tournament of the day: the second one writes `journal-2.jsonl`.
pub(crate) fn numbered(path: PathBuf, number: u32) -> PathBuf {
    if number == 1 {
        return path;
    }
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let name = match path.extension() {
        Some(extension) => format!("{stem}-{number}.{}", extension.to_string_lossy()),
        None => format!("{stem}-{number}"),
    };
    path.with_file_name(name)
}

/// The file of this ending beside a journal.
pub(super) fn beside(journal: &Path, suffix: &str) -> PathBuf {
    let mut name = journal.as_os_str().to_os_string();
    name.push(suffix);
    name.into()
}

/// Writes a line to a file that only its owner may read, which may replace one with this mark.
pub(super) fn write_private(path: &Path, line: &str, mark: &str) -> Result<(), SessionError> {
    let written = check_output(path, &[mark])
        .and_then(|()| write_atomically(path, format!("{line}\n").as_bytes(), Readers::Owner));
    written.map_err(|error| SessionError::Write { path: path.to_path_buf(), source: error.into() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use casino_system::folders::LEFTOVER_AGE;

    /// Another user who knows the number of the process can neither make its folder first nor leave links in it.
    #[test]
    fn a_temporary_folder_is_new_private_and_has_a_name_that_nobody_can_guess() {
        let folders = [(); 2].map(|()| ProgramFolder::new(None, true).unwrap());
        assert_ne!(folders[0].path(), folders[1].path());
        for folder in &folders {
            let name = folder.path().file_name().unwrap().to_str().unwrap();
            assert_eq!(name.rsplit('-').next().map(str::len), Some(16), "{name}");
            assert!(create_new_private(folder.path()).is_err(), "one that is there is never used");
            folder.remove();
        }
    }

    #[test]
    fn only_old_folders_of_hosts_that_are_gone_are_removed() {
        let temporary = ProgramFolder::new(None, true).unwrap();
        let own = std::process::id();
        for (name, days) in [("casino-day-4000000-a", 2), ("casino-day-4000001-b", 0), ("other", 2)] {
            fs::create_dir(temporary.path().join(name)).unwrap();
            let changed = std::time::SystemTime::now() - days * LEFTOVER_AGE;
            fs::File::open(temporary.path().join(name)).unwrap().set_modified(changed).unwrap();
        }
        fs::create_dir(temporary.path().join(format!("casino-day-{own}-c"))).unwrap();
        remove_leftovers(temporary.path());
        assert!(!temporary.path().join("casino-day-4000000-a").exists());
        assert_eq!(fs::read_dir(temporary.path()).unwrap().count(), 3);
        temporary.remove();
    }

    #[test]
    fn the_journals_of_a_day_are_numbered_from_the_second_on() {
        let name = |path: &str, number| numbered(PathBuf::from(path), number);
        assert_eq!(name("out/journal.jsonl", 1), Path::new("out/journal.jsonl"));
        assert_eq!(name("out/journal.jsonl", 2), Path::new("out/journal-2.jsonl"));
        assert_eq!(name("day", 12), Path::new("day-12"));
    }

    #[test]
    fn a_trial_leaves_nothing_behind_and_touches_nothing() {
        let folder = std::env::temp_dir().join(format!("casino-day-files-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let first = folder.join("day.jsonl");
        try_new_journal(&first).unwrap();
        prepare_results(&folder).unwrap();
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
        for (name, is_in_the_way) in [("day-x.jsonl", false), ("day-02.jsonl", false), ("day-3.jsonl", true)]
        {
            fs::write(folder.join(name), "kept").unwrap();
            assert_eq!(later_journal(&first).is_some(), is_in_the_way, "{name}");
        }
        assert_eq!(later_journal(&first), Some(folder.join("day-3.jsonl")));
        let third = folder.join("day-3.jsonl");
        assert!(
            matches!(try_new_journal(&third), Err(SessionError::JournalExists { path }) if path == third)
        );
        assert_eq!(fs::read_to_string(&third).unwrap(), "kept");
        let nowhere = folder.join("nowhere").join("day.jsonl");
        assert!(matches!(try_new_journal(&nowhere), Err(SessionError::NoJournalFolder { .. })));
        let long = folder.join("x".repeat(300));
        assert!(matches!(try_new_journal(&long), Err(SessionError::NewJournal { .. })));
        fs::create_dir_all(folder.join("result.json")).unwrap();
        assert!(matches!(prepare_results(&folder), Err(SessionError::Results { .. })));
        fs::remove_dir_all(&folder).unwrap();
    }
}
