//! Writing a journal.

use std::fmt;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::cards::Seed;
use crate::strategies::Bot;
use crate::stud::{Chips, Seat};
use crate::table::TableEvent;
use crate::tournament::{
    ConsoleAction, Entrant, Event, EventBots, Newcomer, Player, Recorder, Roster, TableGame, TableRecorder,
    TimeBankUse, play,
};

use super::digest::Digest;
use super::event_line::write_event;
use super::{Header, JournalLine, PlayerSource, Store, Terms};

/// How many bytes are collected before they are handed to the system anyway.
const BUFFER_BYTES: usize = 64 * 1024;

/// When a journal is synced to the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durability {
    /// Before any announcement: every round is on disk before its `status` is sent.
    EveryRound,
    /// At the end: for tournaments of house bots, in which no announcement can be lost.
    AtTheEnd,
}

/// Where a journal that was read to its end is to be continued.
#[derive(Clone, Debug)]
pub struct ResumePoint {
    /// The players in seat order.
    pub players: Vec<Player>,
    /// The number of the round that is dealt next.
    pub next_round: u64,
    /// Whether a torn last line follows the whole ones.
    pub is_torn: bool,
    /// How many bytes the whole lines have.
    pub length: u64,
    /// The SHA-256 of the whole lines.
    pub digest: Digest,
}

/// A journal being written. Its bytes depend on the seed and the replies alone; measured times go to a second
/// file beside it, which nothing needs.
///
/// After the first failure the file is left as it is: the disk then has everything announced, and perhaps some further
/// lines.
///
/// [`record_table`] plays a table and writes its journal; the front page of `casino-host` hosts an event with one.
pub struct Journal {
    store: Box<dyn Store>,
    /// Lines that have not been handed to the system yet.
    buffer: Vec<u8>,
    digest: Digest,
    times: Option<Box<dyn io::Write + Send>>,
    players: Vec<Player>,
    /// The lines handed over by each table of the level.
    tables: Vec<Arc<Mutex<TableLines>>>,
    durability: Durability,
    /// Whether anything was written since the last sync.
    dirty: bool,
    /// The first error of the store, after which it is not used.
    broken: Option<(io::ErrorKind, String)>,
}

impl fmt::Debug for Journal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Journal").field("durability", &self.durability).finish_non_exhaustive()
    }
}

impl Journal {
    /// Also writes the duration of each reply to this file, one line each: `round,seat,microseconds`. A write error
    /// there stops the times, not the journal.
    pub fn keep_times(&mut self, to: impl io::Write + Send + 'static) {
        self.times = Some(Box::new(to));
    }

    fn of(store: Box<dyn Store>, digest: Digest, players: Vec<Player>, durability: Durability) -> Journal {
        let buffer = Vec::with_capacity(BUFFER_BYTES);
        let (times, tables, dirty, broken) = (None, Vec::new(), false, None);
        Journal { store, buffer, digest, times, players, tables, durability, dirty, broken }
    }

    /// Begins a journal in an empty store.
    pub fn begin(store: Box<dyn Store>, header: Header, durability: Durability) -> io::Result<Journal> {
        let mut journal = Journal::of(store, Digest::default(), header.roster(), durability);
        journal.append(&JournalLine::CasinoDay(header))?;
        journal.sync()?;
        Ok(journal)
    }

    /// Goes on in a store that has the whole lines of the journal that was rebuilt, and nothing after them.
    pub fn go_on(store: Box<dyn Store>, from: &ResumePoint, durability: Durability) -> io::Result<Journal> {
        let mut journal = Journal::of(store, from.digest.clone(), from.players.clone(), durability);
        let before = journal.digest.hex();
        journal.append(&JournalLine::Resumed { round: from.next_round, before })?;
        journal.sync()?;
        Ok(journal)
    }

    /// Appends a line.
    pub fn append(&mut self, line: &JournalLine) -> io::Result<()> {
        let start = self.buffer.len();
        line.write(&mut self.buffer);
        self.appended(start)
    }

    /// The buffer has grown since it had this length.
    fn appended(&mut self, start: usize) -> io::Result<()> {
        self.digest.add(&self.buffer[start..]);
        self.dirty = true;
        if self.buffer.len() >= BUFFER_BYTES { self.write_out() } else { self.check() }
    }

    /// Appends the lines of all tables: by round, then by table. The journal does not reveal which table was faster.
    fn merge_tables(&mut self) -> io::Result<()> {
        let tables = std::mem::take(&mut self.tables);
        let mut parts: Vec<_> = tables.iter().map(lock_lines).collect();
        let mut rounds: Vec<(u64, usize, usize)> = Vec::new();
        for (index, part) in parts.iter().enumerate() {
            rounds.extend(part.rounds.iter().enumerate().map(|(at, (round, _))| (*round, index, at)));
        }
        rounds.sort_unstable();
        for (_, index, at) in rounds {
            let start = self.buffer.len();
            self.buffer.extend_from_slice(parts[index].lines_of(at));
            self.appended(start)?;
        }
        for part in &mut parts {
            for (round, player, took) in part.times.drain(..) {
                self.add_time(round, player, took);
            }
            part.bytes.clear();
            part.rounds.clear();
        }
        drop(parts);
        self.tables = tables;
        Ok(())
    }

    fn add_time(&mut self, round: u64, player: usize, took: Duration) {
        if let Some(times) = &mut self.times
            && writeln!(times, "{round},{},{}", player + 1, took.as_micros()).is_err()
        {
            self.times = None;
        }
    }

    fn check(&self) -> io::Result<()> {
        match &self.broken {
            None => Ok(()),
            Some((kind, why)) => Err(io::Error::new(*kind, why.clone())),
        }
    }

    fn attempt(&mut self, work: impl FnOnce(&mut dyn Store, &[u8]) -> io::Result<()>) -> io::Result<()> {
        self.check()?;
        work(&mut *self.store, &self.buffer)
            .inspect_err(|error| self.broken = Some((error.kind(), error.to_string())))
    }

    fn write_out(&mut self) -> io::Result<()> {
        if !self.buffer.is_empty() {
            self.attempt(|store, lines| store.append(lines))?;
            self.buffer.clear();
        }
        self.check()
    }

    fn sync(&mut self) -> io::Result<()> {
        self.write_out()?;
        if self.dirty {
            self.attempt(|store, _| store.sync())?;
            self.dirty = false;
        }
        Ok(())
    }
}

/// Plays at most so many rounds between these bots of this process, which start with that stack, at one table, and writes
/// the journal to an empty store. Returns the event at its end.
///
/// ```
/// use casino_stud::cards::Seed;
/// use casino_stud::journal::record_table;
/// use casino_stud::strategies::{Bot, HouseBot};
/// use casino_stud::table::Question;
///
/// # let path = std::env::temp_dir().join(format!("casino-day-doc-{}.jsonl", std::process::id()));
/// let seed = Seed::chosen("monday");
/// let mine: Box<dyn Bot> = Box::new(|question: &Question<'_>| question.bounds.call().into());
/// let bold = HouseBot::named("bold").expect("a house bot").seated("bold", &seed);
/// let journal = Box::new(std::fs::File::create_new(&path)?);
/// let event = record_table(journal, &seed, 100, 20, vec![("mine", mine), ("bold", Box::new(bold))])?;
/// # std::fs::remove_file(&path)?;
/// assert!(event.is_over());
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn record_table(
    store: Box<dyn Store>,
    seed: &Seed,
    stack: Chips,
    rounds: u64,
    bots: Vec<(&str, Box<dyn Bot>)>,
) -> io::Result<Event> {
    let (roster, bots) =
        Roster::seat(bots.into_iter().map(|(name, bot)| (Entrant::new(name, name), bot)), seed);
    let players = roster.players().iter().map(|player| (player.clone(), PlayerSource::Remote));
    let header = Header::new(Terms::single_table(stack, rounds), seed, players);
    let mut event = header.event().map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))?;
    let mut bots = EventBots::new(bots);
    play(&mut event, &mut bots, &mut Journal::begin(store, header, Durability::AtTheEnd)?)?;
    Ok(event)
}

/// The lines of a table that have not been handed to the journal yet.
#[derive(Debug, Default)]
struct TableLines {
    bytes: Vec<u8>,
    /// Each round, and where its lines begin.
    rounds: Vec<(u64, usize)>,
    /// How long each reply took: round, player, time.
    times: Vec<(u64, usize, Duration)>,
}

impl TableLines {
    fn lines_of(&self, at: usize) -> &[u8] {
        let end = self.rounds.get(at + 1).map_or(self.bytes.len(), |(_, next)| *next);
        &self.bytes[self.rounds[at].1..end]
    }
}

fn lock_lines(lines: &Arc<Mutex<TableLines>>) -> MutexGuard<'_, TableLines> {
    // Lines are handed over and taken whole: a panic elsewhere leaves none half-done.
    lines.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A recorder for one table of the level; the journal appends its lines at the next commit.
#[derive(Debug)]
struct TableJournal {
    lines: TableLines,
    handed_over: Arc<Mutex<TableLines>>,
    players: Vec<usize>,
}

impl TableRecorder for TableJournal {
    fn event(&mut self, table: &TableGame, event: &TableEvent) -> io::Result<()> {
        if let TableEvent::Dealt { .. } = event {
            self.lines.rounds.push((table.table().round_number(), self.lines.bytes.len()));
        }
        write_event(table, event, &mut self.lines.bytes);
        Ok(())
    }

    fn hand_over(&mut self) {
        // The journal committed the lines handed over before.
        std::mem::swap(&mut self.lines, &mut lock_lines(&self.handed_over));
    }

    fn time_bank(&mut self, _: u64, seat: Seat, bank: TimeBankUse) -> io::Result<()> {
        let (used_ms, left_ms) = (bank.used.as_millis() as u64, bank.left.as_millis() as u64);
        JournalLine::TimeBank { seat: seat.index() + 1, used_ms, left_ms }.write(&mut self.lines.bytes);
        Ok(())
    }

    fn reply_time(&mut self, round: u64, seat: Seat, took: Duration, _: Duration) {
        self.lines.times.push((round, self.players[seat.index()], took));
    }
}

/// Lines written and not announced are handed over if possible, which saves asking again.
impl Drop for Journal {
    fn drop(&mut self) {
        let _ = self.write_out();
    }
}

impl Recorder for Journal {
    fn level(&mut self, event: &Event) -> io::Result<()> {
        self.tables.clear();
        self.append(&JournalLine::level(event))?;
        self.commit()
    }

    fn entry(&mut self, event: &Event, newcomer: &Newcomer) -> io::Result<()> {
        self.append(&JournalLine::entry(event, newcomer))?;
        self.players.push(newcomer.player.clone());
        self.commit()
    }

    fn for_table(&mut self, table: &TableGame) -> Box<dyn TableRecorder> {
        let handed_over = Arc::default();
        self.tables.push(Arc::clone(&handed_over));
        Box::new(TableJournal {
            lines: TableLines::default(),
            handed_over,
            players: table.players().to_vec(),
        })
    }

    fn commit(&mut self) -> io::Result<()> {
        self.merge_tables()?;
        match self.durability {
            Durability::EveryRound => self.sync(),
            Durability::AtTheEnd => self.check(),
        }
    }

    fn over(&mut self, event: &Event) -> io::Result<()> {
        self.append(&JournalLine::over(event, &self.players, self.digest.hex()))?;
        self.sync()
    }

    fn pause(&mut self) -> io::Result<()> {
        self.sync()
    }

    fn flush(&mut self) -> io::Result<()> {
        self.write_out()
    }

    fn console(&mut self, action: &ConsoleAction) -> io::Result<()> {
        self.append(&JournalLine::Console { action: action.clone() })?;
        self.write_out()
    }
}
