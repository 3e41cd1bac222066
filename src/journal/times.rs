//! The measured times beside a journal: which reply took how long.

use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::system::files;

/// The first line of the file.
const HEADER: &str = "round,seat,microseconds\n";

/// The measured times, for people's curiosity: a disk that takes no more stops the journal, not this file.
#[derive(Debug, Default)]
pub(super) struct Times {
    file: Option<BufWriter<File>>,
    problem: Option<io::Error>,
}

impl Times {
    /// Those of a journal that begins. What is left of an earlier journal of this name, which is gone, is emptied.
    pub(super) fn begin(path: &Path, journal: &File) -> Times {
        Times::opened(path, journal, true)
    }

    /// Those of a journal that goes on, after those that are there.
    pub(super) fn go_on(path: &Path, journal: &File) -> Times {
        Times::opened(path, journal, false)
    }

    fn opened(path: &Path, journal: &File, anew: bool) -> Times {
        match open(&name(path), journal, anew) {
            Ok(file) => Times { file: Some(file), problem: None },
            Err(error) => Times { file: None, problem: Some(error) },
        }
    }

    /// Why there are none.
    pub(super) fn problem(&self) -> Option<&io::Error> {
        self.problem.as_ref()
    }

    pub(super) fn add(&mut self, round: u64, player: usize, took: Duration) {
        if let Some(file) = &mut self.file
            && writeln!(file, "{round},{},{}", player + 1, took.as_micros()).is_err()
        {
            self.file = None;
        }
    }
}

fn name(journal: &Path) -> PathBuf {
    let mut name = journal.as_os_str().to_owned();
    name.push(".times.csv");
    PathBuf::from(name)
}

fn open(path: &Path, journal: &File, anew: bool) -> io::Result<BufWriter<File>> {
    let mut file = files::append_beside(path, journal)?;
    let mut first = Vec::new();
    (&mut file).take(HEADER.len() as u64).read_to_end(&mut first)?;
    if !first.is_empty() && first != HEADER.as_bytes() {
        let what = format!("{} is there and holds something else", path.display());
        return Err(io::Error::new(io::ErrorKind::AlreadyExists, what));
    }
    if anew {
        file.set_len(0)?;
    }
    let mut times = BufWriter::new(file);
    if anew || first.is_empty() {
        times.write_all(HEADER.as_bytes())?;
    }
    Ok(times)
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
        let write = |times: &mut Times| {
            assert!(times.problem().is_none(), "{times:?}");
            times.add(3, 1, Duration::from_micros(17));
        };
        write(&mut Times::begin(&journal, &file));
        write(&mut Times::go_on(&journal, &file));
        assert_eq!(fs::read_to_string(&times).unwrap(), format!("{HEADER}3,2,17\n3,2,17\n"));
        write(&mut Times::begin(&journal, &file));
        assert_eq!(
            fs::read_to_string(&times).unwrap(),
            format!("{HEADER}3,2,17\n"),
            "those of an earlier journal"
        );

        let refused = |times: Times, why: &str| {
            let problem = times.problem().expect("no times").to_string();
            assert!(problem.contains(why) && problem.contains("day.jsonl.times.csv"), "{problem}");
        };
        fs::write(&times, "my notes\n").unwrap();
        refused(Times::begin(&journal, &file), "something else");
        refused(Times::go_on(&journal, &file), "something else");
        assert_eq!(fs::read_to_string(&times).unwrap(), "my notes\n");
        fs::remove_file(&times).unwrap();
        fs::create_dir(&times).unwrap();
        refused(Times::begin(&journal, &file), "no regular file");
        fs::remove_dir_all(&folder).unwrap();
    }
}
