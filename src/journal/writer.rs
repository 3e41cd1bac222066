//! Writing a journal.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::stud::Seat;
use crate::table::Event;
use crate::tournament::{Freezeout, Player, Record};

use super::{Header, Line, StandingLine};

/// When a journal is made sure of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durability {
    /// Before anything is announced to anybody: every round is on disk before its `status` goes out.
    EveryRound,
    /// At the end: for tournaments of house bots, who hear of nothing that could be lost.
    AtTheEnd,
}

/// A journal being written. Its bytes depend on the seed and the replies alone; measured times go to a second
/// file beside it, which nothing needs.
#[derive(Debug)]
pub struct Journal {
    file: BufWriter<File>,
    times: BufWriter<File>,
    players: Vec<Player>,
    durability: Durability,
    line: Vec<u8>,
    /// Whether anything was written since the last commit.
    dirty: bool,
}

impl Journal {
    /// Begins a new journal. Only its owner may read the file: it holds the seed and every hole card.
    ///
    /// # Errors
    /// If the file is there already, which might be somebody's tournament, or cannot be written.
    pub fn create(path: &Path, header: Header, durability: Durability) -> io::Result<Journal> {
        let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
        let times =
            OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(times_path(path))?;
        let mut times = BufWriter::new(times);
        writeln!(times, "round,seat,microseconds")?;
        let players = header
            .players
            .iter()
            .map(|player| Player { github_id: player.github_id.clone(), name: player.name.clone() });
        let mut journal = Journal {
            file: BufWriter::new(file),
            times,
            players: players.collect(),
            durability,
            line: Vec::new(),
            dirty: false,
        };
        journal.append(&Line::CasinoDay(header))?;
        journal.sync()?;
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

    fn sync(&mut self) -> io::Result<()> {
        if std::mem::take(&mut self.dirty) {
            self.file.flush()?;
            self.file.get_ref().sync_data()?;
        }
        Ok(())
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

    fn commit(&mut self) -> io::Result<()> {
        match self.durability {
            Durability::EveryRound => self.sync(),
            Durability::AtTheEnd => Ok(()),
        }
    }

    fn over(&mut self, tournament: &Freezeout) -> io::Result<()> {
        let table = tournament.table();
        self.append(&Line::Over {
            rounds: table.round_number(),
            forfeited: table.forfeited(),
            standings: StandingLine::all(&tournament.standings(), &self.players),
        })?;
        self.sync()
    }

    fn before_waiting(&mut self) -> io::Result<()> {
        self.file.flush()
    }

    fn console(&mut self, action: &str) -> io::Result<()> {
        self.append(&Line::Console { action: action.to_string() })?;
        self.file.flush()
    }

    fn reply_time(&mut self, round: u64, seat: Seat, took: Duration) {
        // Times are for people's curiosity: a disk that takes no more stops the journal, not this file.
        let _ = writeln!(self.times, "{round},{},{}", seat.index() + 1, took.as_micros());
    }
}
