//! Finding the journal to resume.

use casino_host::open_to_resume;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use casino_stud::journal::MAX_LINE_BYTES;
use casino_system::files;

use super::SessionError;

const FIRST_LINE_PREFIX: &[u8] = br#"{"type":"casino_day""#;

const LAST_LINE_PREFIX: &[u8] = br#"{"type":"over""#;

const COMMAND_PREFIX: &[u8] = br#"{"type":"console""#;

/// The state of a file, from both of its ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FileState {
    Unfinished,
    /// A host that is running writes to it.
    Running,
    Over,
    NoJournal,
}

/// Finds the newest journal of a tournament that is not over: among the files of this folder that end in `.jsonl`, and
/// among those of the folders in it that are named as in a folder of results, `journal.jsonl` and so on.
pub(crate) fn newest_unfinished(folder: &Path) -> Result<PathBuf, SessionError> {
    let unlisted = |source: io::Error| SessionError::Unlisted { path: folder.to_path_buf(), source };
    let mut journals = Vec::new();
    for entry in fs::read_dir(folder).map_err(unlisted)? {
        let path = folder.join(entry.map_err(unlisted)?.file_name());
        if path.is_dir() {
            // Unreadable folders contain no resumable journal.
            let inside = fs::read_dir(&path).into_iter().flatten().flatten();
            journals.extend(inside.map(|entry| path.join(entry.file_name())).filter(|path| is_result(path)));
        } else if path.extension().is_some_and(|extension| extension == "jsonl") {
            journals.push(path);
        }
    }
    let changed = |path: &PathBuf| {
        let changed = fs::metadata(path).and_then(|metadata| metadata.modified());
        changed.unwrap_or(SystemTime::UNIX_EPOCH)
    };
    journals.sort_by_cached_key(|path| (std::cmp::Reverse(changed(path)), path.clone()));
    let (mut running, mut over) = (None, None);
    for path in journals {
        match file_state(&path) {
            FileState::Unfinished => return Ok(as_written(path)),
            FileState::Running => running = running.or(Some(path)),
            FileState::Over => over = over.or(Some(path)),
            FileState::NoJournal => {}
        }
    }
    let (running, over) = (running.map(as_written), over.map(as_written));
    Err(SessionError::NothingUnfinished { folder: folder.to_path_buf(), running, over })
}

/// Whether a file is named as the journal of a tournament in a folder of results.
fn is_result(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    name == "journal.jsonl" || name.starts_with("journal-") && name.ends_with(".jsonl")
}

/// The path without the common folder.
fn as_written(path: PathBuf) -> PathBuf {
    path.strip_prefix(".").map(Path::to_path_buf).unwrap_or(path)
}

/// Looks at both ends of a file. It must be readable and writable to be resumed.
fn file_state(path: &Path) -> FileState {
    let mut first = vec![0; FIRST_LINE_PREFIX.len()];
    let begins = |first: &mut Vec<u8>| files::open(path).and_then(|mut file| file.read_exact(first));
    if begins(&mut first).is_err() || first != FIRST_LINE_PREFIX {
        return FileState::NoJournal;
    }
    match open_to_resume(path).map(is_over) {
        Ok(Ok(true)) => FileState::Over,
        Ok(Ok(false)) => FileState::Unfinished,
        Err(error) if error.kind() == io::ErrorKind::ResourceBusy => FileState::Running,
        _ => FileState::NoJournal,
    }
}

/// Whether a journal is over: its last whole line says so, before those of the teacher's commands.
fn is_over(mut file: File) -> io::Result<bool> {
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(2 * MAX_LINE_BYTES)))?;
    let mut end = Vec::new();
    file.read_to_end(&mut end)?;
    // The part behind the last line feed is torn.
    let whole = end.iter().rposition(|byte| *byte == b'\n').unwrap_or(0);
    let mut lines = end[..whole].rsplit(|byte| *byte == b'\n');
    let last = lines.find(|line| !line.starts_with(COMMAND_PREFIX));
    Ok(last.is_some_and(|line| line.starts_with(LAST_LINE_PREFIX)))
}

#[cfg(test)]
mod tests {
    use std::fs::OpenOptions;
    use std::time::Duration;

    use super::*;

    #[test]
    fn the_newest_unfinished_journal_is_found_in_result_folders() {
        let folder = std::env::temp_dir().join(format!("casino-day-unfinished-{}", std::process::id()));
        fs::create_dir_all(folder.join("results")).unwrap();
        let header = r#"{"type":"casino_day","version":1}"#;
        let end = r#"{"type":"end","round":1,"stacks":[1]}"#;
        let over = r#"{"type":"over","rounds":1}"#;
        let mut age = 100;
        let mut write = |name: &str, text: String| {
            fs::write(folder.join(name), text).unwrap();
            let file = OpenOptions::new().append(true).open(folder.join(name)).unwrap();
            // Each is younger than the one before.
            age -= 1;
            file.set_modified(SystemTime::now() - Duration::from_secs(age)).unwrap();
        };
        let found = || newest_unfinished(&folder);
        let nothing = |is_running: bool, newest_over: Option<&str>| match found() {
            Err(SessionError::NothingUnfinished { running, over, .. }) => {
                assert_eq!(
                    (running.is_some(), over),
                    (is_running, newest_over.map(|name| folder.join(name)))
                );
            }
            other => panic!("{other:?}"),
        };
        nothing(false, None);
        write("empty.jsonl", String::new());
        write("notes.jsonl", format!("{end}\n"));
        write("over.jsonl", format!("{header}\n{end}\n{over}\n"));
        let command = r#"{"type":"console","at":"x","action":"reveal seed"}"#;
        write("revealed.jsonl", format!("{header}\n{over}\n{command}\n"));
        write("rounds.txt", format!("{header}\n"));
        write("results/other.jsonl", format!("{header}\n"));
        nothing(false, Some("revealed.jsonl"));
        write("old.jsonl", format!("{header}\n{end}\n"));
        assert_eq!(found().unwrap(), folder.join("old.jsonl"));
        write("results/journal-2.jsonl", format!("{header}\n"));
        assert_eq!(found().unwrap(), folder.join("results/journal-2.jsonl"));
        // The end of the tournament was not written to its end.
        write("torn.jsonl", format!("{header}\n{end}\n{}", &over[..20]));
        assert_eq!(found().unwrap(), folder.join("torn.jsonl"));
        let _written = open_to_resume(&folder.join("torn.jsonl")).unwrap();
        assert_eq!(found().unwrap(), folder.join("results/journal-2.jsonl"));
        fs::remove_dir_all(folder.join("results")).unwrap();
        fs::remove_file(folder.join("old.jsonl")).unwrap();
        nothing(true, Some("revealed.jsonl"));
        fs::remove_dir_all(&folder).unwrap();
        assert!(matches!(found(), Err(SessionError::Unlisted { .. })));
    }
}
