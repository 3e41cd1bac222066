//! Writing a journal.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::stud::Seat;
use crate::table::Event;
use crate::tournament::{Freezeout, Record};

use super::{Header, Line};

/// A journal being written. Its bytes depend on the seed and the replies alone; measured times go to a second
/// file beside it, which nothing needs.
#[derive(Debug)]
pub struct Journal {
    file: BufWriter<File>,
    times: BufWriter<File>,
    line: Vec<u8>,
    /// Whether anything was written since the last commit.
    dirty: bool,
}

impl Journal {
    /// Begins a new journal. Only its owner may read the file: it holds the seed and every hole card.
    ///
    /// # Errors
    /// If the file is there already, which might be somebody's tournament, or cannot be written.
    pub fn create(path: &Path, header: Header) -> io::Result<Journal> {
        let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
        let times =
            OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(times_path(path))?;
        let mut times = BufWriter::new(times);
        writeln!(times, "round,seat,microseconds")?;
        let mut journal = Journal { file: BufWriter::new(file), times, line: Vec::new(), dirty: false };
        journal.append(&Line::CasinoDay(header))?;
        journal.commit()?;
        Ok(journal)
    }

    /// Appends a line.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn append(&mut self, line: &Line) -> io::Result<()> {
        self.line.clear();
        serde_json::to_writer(&mut self.line, line)?;
        self.line.push(b'\n');
        self.dirty = true;
        self.file.write_all(&self.line)
    }
}

/// Where the measured times of a journal go.
pub(super) fn times_path(journal: &Path) -> PathBuf {
    let mut name = journal.as_os_str().to_owned();
    name.push(".times.csv");
    PathBuf::from(name)
}

impl Record for Journal {
    fn event(&mut self, tournament: &Freezeout, event: &Event) -> io::Result<()> {
        self.append(&Line::of(tournament, event))
    }

    /// On disk when it returns.
    fn commit(&mut self) -> io::Result<()> {
        if std::mem::take(&mut self.dirty) {
            self.file.flush()?;
            self.file.get_ref().sync_data()?;
        }
        Ok(())
    }

    fn before_waiting(&mut self) -> io::Result<()> {
        self.file.flush()
    }

    fn reply_time(&mut self, round: u64, seat: Seat, took: Duration) {
        // Times are for people's curiosity: a disk that takes no more stops the journal, not this file.
        let _ = writeln!(self.times, "{round},{},{}", seat.index() + 1, took.as_micros());
    }
}
