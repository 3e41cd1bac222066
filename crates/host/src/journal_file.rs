//! A journal as a file: one host writes it, only its owner reads it, and beside it are the times of the replies.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use casino_stud::journal::{
    Durability, Entry, Header, HeaderPlayer, Journal, JournalLine, ReadError, Reader, ResumePoint,
};
use casino_stud::replay::{HouseBots, Replay, ReplayError};
use casino_system::files;

const TIMES_HEADER: &str = "round,seat,microseconds\n";

/// A journal that is written to a file.
#[derive(Debug)]
pub struct JournalFile {
    /// The journal, which writes to the file.
    pub journal: Journal,
    /// Why no times are written beside it, if they cannot be. The journal does not need them.
    pub times_problem: Option<io::Error>,
}

impl JournalFile {
    /// Begins a new journal. Only its owner may read the file: it holds the seed and every hole card.
    pub fn create(path: &Path, header: Header, durability: Durability) -> io::Result<JournalFile> {
        let file = files::create_locked(path)?;
        let times = open_times(path, &file, 1);
        let begun = Journal::begin(Box::new(file), header, durability);
        // A journal without its first line records nothing and would block the next one.
        let journal = begun.inspect_err(|_| drop(std::fs::remove_file(path)))?;
        // Without a synced directory entry the file would be lost with the machine.
        files::sync_names(path)?;
        Ok(JournalFile::with_times(journal, times))
    }

    /// Resumes a journal rebuilt from this file, which [`open_to_resume`] has opened: cuts off its torn end and records the
    /// resumption.
    pub fn resume(
        path: &Path,
        file: File,
        from: &ResumePoint,
        durability: Durability,
    ) -> io::Result<JournalFile> {
        if from.is_torn {
            // Synced before anything is appended: otherwise both could be on the disk, one inside the other.
            files::cut(&file, from.length)?;
        }
        files::to_end(&file)?;
        let times = open_times(path, &file, from.next_round);
        // The first host may have died before the file's directory entry was synced.
        files::sync_names(path)?;
        Ok(JournalFile::with_times(Journal::go_on(Box::new(file), from, durability)?, times))
    }

    fn with_times(mut journal: Journal, times: io::Result<BufWriter<File>>) -> JournalFile {
        let times_problem = times.map(|times| journal.keep_times(times)).err();
        JournalFile { journal, times_problem }
    }
}

/// Opens a journal to read it.
pub fn open_journal(path: &Path) -> Result<Reader<BufReader<File>>, ReadError> {
    Reader::new(BufReader::with_capacity(1 << 16, files::open(path)?))
}

/// Opens a journal to replay it with the recorded replies, including those of house bots.
pub fn open_replay(path: &Path) -> Result<Replay<BufReader<File>>, ReplayError> {
    let lines = open_journal(path)?;
    let late = match lines.header().terms.plan.late_entry {
        Some(_) => late_players(path)?,
        None => Vec::new(),
    };
    Ok(Replay::new(lines, HouseBots::AsRecorded)?.knowing(late))
}

/// The late entrants of a journal. Unreadable lines are found when it is played.
fn late_players(path: &Path) -> Result<Vec<HeaderPlayer>, ReadError> {
    let late = |entry: Entry| match entry.line {
        JournalLine::Entry(player) => Some(player),
        _ => None,
    };
    Ok(open_journal(path)?.map_while(Result::ok).filter_map(late).collect())
}

/// Opens a journal to resume it and locks it: two hosts writing one journal would destroy it.
pub fn open_to_resume(path: &Path) -> io::Result<File> {
    files::open_locked(path)
}

/// Makes sure of a journal that [`open_to_resume`] has opened: the host that died may have written lines and not synced them.
/// A resuming host tells players what is in it.
pub fn sync_to_resume(path: &Path, journal: &File) -> io::Result<()> {
    journal.sync_all()?;
    files::sync_names(path)
}

/// Opens the file of times beside a journal that goes on with this round, and drops the rows from there on: those of a round
/// that is dealt again, or of an earlier journal of the same name.
fn open_times(journal_path: &Path, journal: &File, next_round: u64) -> io::Result<BufWriter<File>> {
    let mut path = journal_path.as_os_str().to_owned();
    path.push(".times.csv");
    let path = PathBuf::from(path);
    let mut file = files::append_beside(&path, journal)?;
    let mut first = Vec::new();
    (&mut file).take(TIMES_HEADER.len() as u64).read_to_end(&mut first)?;
    if !first.is_empty() && first != TIMES_HEADER.as_bytes() {
        let what = format!("{} is there and holds something else", path.display());
        return Err(io::Error::new(io::ErrorKind::AlreadyExists, what));
    }
    let kept = first.len() as u64 + rows_before(next_round, BufReader::new(&mut file))?;
    file.set_len(kept)?;
    let mut times = BufWriter::new(file);
    if first.is_empty() {
        times.write_all(TIMES_HEADER.as_bytes())?;
    }
    Ok(times)
}

/// How many bytes the rows have that come before this round. The last one may have no end.
fn rows_before(round: u64, mut rows: impl BufRead) -> io::Result<u64> {
    let (mut length, mut row) = (0, Vec::new());
    while rows.read_until(b'\n', &mut row)? > 0 {
        let text = std::str::from_utf8(&row).unwrap_or_default();
        let of_round = text.split_once(',').and_then(|(round, _)| round.parse().ok());
        if !row.ends_with(b"\n") || of_round.is_some_and(|of: u64| of >= round) {
            break;
        }
        length += row.len() as u64;
        row.clear();
    }
    Ok(length)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn only_times_of_a_journal_are_taken_for_times() {
        let folder = std::env::temp_dir().join(format!("casino-times-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        let journal = folder.join("day.jsonl");
        let times = folder.join("day.jsonl.times.csv");
        let file = File::create(&journal).unwrap();
        let write = |next, rows: &str| {
            open_times(&journal, &file, next).unwrap().write_all(rows.as_bytes()).unwrap();
            fs::read_to_string(&times).unwrap().strip_prefix(TIMES_HEADER).unwrap().to_string()
        };
        assert_eq!(write(1, "1,2,17\n1,1,9\n2,1,5\n"), "1,2,17\n1,1,9\n2,1,5\n");
        assert_eq!(write(3, "3,2,17\n4,1,8"), "1,2,17\n1,1,9\n2,1,5\n3,2,17\n4,1,8");
        assert_eq!(write(9, "9,1,1\n"), "1,2,17\n1,1,9\n2,1,5\n3,2,17\n9,1,1\n", "no torn row");
        assert_eq!(write(2, "2,1,6\n"), "1,2,17\n1,1,9\n2,1,6\n", "a round that is dealt again");
        assert_eq!(write(1, "1,1,3\n"), "1,1,3\n", "those of an earlier journal");

        let refused = |next, why: &str| {
            let problem = open_times(&journal, &file, next).unwrap_err().to_string();
            assert!(problem.contains(why) && problem.contains("day.jsonl.times.csv"), "{problem}");
        };
        fs::write(&times, "my notes\n").unwrap();
        refused(1, "something else");
        refused(7, "something else");
        assert_eq!(fs::read_to_string(&times).unwrap(), "my notes\n");
        fs::remove_file(&times).unwrap();
        fs::create_dir(&times).unwrap();
        refused(1, "no regular file");
        fs::remove_dir_all(&folder).unwrap();
    }
}
