//! Playing a journal again: the recorded answers go through the same table as when they were given.

use std::io::BufRead;

use crate::journal::{
    Header, HeaderError, HeaderPlayer, JournalLine, PlayerSource, Reader, RecordedLine, RecordedTimeBanks,
    Tail, write_event,
};
use crate::tournament::{DaySettings, Event, Player, TableGame};

use super::lines_ahead::LinesAhead;
use super::mismatch::{compare, differs};
use super::{HouseBotStates, HouseBots, Mismatch, Observer, RebuiltTournament, ReplayError, Segment};

/// A journal being played again, part by part. A round that the journal does not have to its end at all tables was announced
/// to nobody: it is no part, and [`Replay::tail`] tells of it.
///
/// ```
/// use std::fs::File;
/// use std::io::BufReader;
///
/// use casino_stud::journal::Reader;
/// use casino_stud::replay::{HouseBots, Replay, Segment};
///
/// let journal = File::open("../../tests/data/golden/journals/play-one.jsonl")?;
/// let mut replay = Replay::new(Reader::new(BufReader::new(journal))?, HouseBots::Recomputed)?;
/// let mut rounds = 0;
/// while let Some(segment) = replay.next(&mut ())? {
///     rounds += u64::from(matches!(segment, Segment::Round { .. }));
/// }
/// assert_eq!(rounds, 12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Replay<R> {
    pub(super) lines: LinesAhead<R>,
    header: Header,
    pub(super) players: Vec<Player>,
    pub(super) event: Event,
    /// The index of the table that was played last.
    pub(super) table: usize,
    pub(super) house: HouseBotStates,
    pub(super) banks: RecordedTimeBanks,
    /// The line that follows, to be compared.
    pub(super) computed: Vec<u8>,
    finished: bool,
    settings: DaySettings,
}

impl<R: BufRead> Replay<R> {
    /// A journal before its first round.
    pub fn new(lines: Reader<R>, house_bots: HouseBots) -> Result<Replay<R>, ReplayError> {
        let header = lines.header();
        let differs = |why: HeaderError| {
            ReplayError::Differs(Box::new(Mismatch {
                number: 1,
                offset: 0,
                recorded: None,
                computed: None,
                why: why.to_string(),
            }))
        };
        let event = header.event().map_err(differs)?;
        let seed = header.seed().map_err(differs)?;
        header.check_seats(&seed).map_err(differs)?;
        let house = match house_bots {
            HouseBots::Recomputed => HouseBotStates::new(header, &seed),
            HouseBots::AsRecorded => HouseBotStates::no_house_bots(header),
        };
        Ok(Replay {
            house,
            players: header.roster(),
            banks: RecordedTimeBanks::new(header.players.len()),
            header: header.clone(),
            event,
            table: 0,
            lines: LinesAhead::new(lines),
            computed: Vec::new(),
            finished: false,
            settings: DaySettings::default(),
        })
    }

    /// The same journal with its late entrants known: they are in the header from the beginning, so readers have a name
    /// for every player.
    #[must_use]
    pub fn knowing(mut self, late: Vec<HeaderPlayer>) -> Replay<R> {
        self.header.players.extend(late);
        self
    }

    /// The header of the journal; its players are followed by those who have come in late.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The players in seat order.
    pub fn players(&self) -> &[Player] {
        &self.players
    }

    /// The table of the last round as it was after it; it keeps the events of that round.
    ///
    /// # Panics
    /// If no level has begun.
    pub fn tournament(&self) -> &TableGame {
        &self.event.tables()[self.table]
    }

    pub(super) fn table_mut(&mut self) -> &mut TableGame {
        &mut self.event.tables_mut()[self.table]
    }

    /// The event, as it was after the last part.
    pub fn event(&self) -> &Event {
        &self.event
    }

    /// Whether the end of the tournament has been reached.
    pub fn is_finished(&self) -> bool {
        self.finished
    }

    /// The end of the journal, known once it has been reached.
    pub fn tail(&self) -> Tail {
        self.lines.tail()
    }

    /// How many lines have been played.
    pub fn lines(&self) -> u64 {
        self.lines.position().0 - 1
    }

    /// How many bytes of the journal have been played.
    pub fn position(&self) -> u64 {
        self.lines.position().1
    }

    /// Plays the next part. `None` at the end of the journal.
    pub fn next(&mut self, observer: &mut impl Observer) -> Result<Option<Segment>, ReplayError> {
        while let Some(line) = self.lines.peek() {
            if line.begins_round() && !self.finished {
                let Some(due) = self.event.due() else { break };
                if self.lines.has_round() {
                    self.table = due;
                    return self.round(observer).map(Some);
                }
                self.lines.read_round(self.event.next_round(), &self.event.due_tables());
                continue;
            }
            let before = line.states_digest().then(|| self.lines.digest().hex());
            let Some(entry) = self.lines.take() else { break };
            if !self.note(&entry) {
                return self.part(&entry, before, observer).map(Some);
            }
        }
        match (self.lines.take(), self.lines.take_error()) {
            (Some(deal), _) => Err(self.out_of_place(Some(&deal))),
            (None, Some(error)) => Err(error.into()),
            (None, None) => Ok(None),
        }
    }

    /// Plays a part that is no round.
    fn part(
        &mut self,
        entry: &RecordedLine,
        before: Option<String>,
        observer: &mut impl Observer,
    ) -> Result<Segment, ReplayError> {
        if self.finished {
            return Err(differs(Some(entry), None, "the tournament is over, and nothing can follow"));
        }
        match (entry.read(), before) {
            (Some(JournalLine::Level { .. }), _) => {
                let mut event = self.event.clone();
                if event.due().is_some() || !event.next_level() {
                    return Err(self.out_of_place(Some(entry)));
                }
                (self.event, self.table) = (event, 0);
                let computed = JournalLine::level(&self.event);
                compare(entry, &computed.bytes())?;
                self.send_out(observer);
                let level = self.event.level().expect("it has just begun").number;
                Ok(Segment::Level { level })
            }
            (Some(JournalLine::Entry(player)), _) => self.enter(entry, player.clone()),
            (Some(JournalLine::Resumed { .. }), Some(before)) => {
                let round = self.event.next_round();
                compare(entry, &JournalLine::Resumed { round, before }.bytes())?;
                Ok(Segment::Resumed { round })
            }
            (Some(JournalLine::Over { .. }), Some(before))
                if self.settings.is_ended || self.event.is_played_out() =>
            {
                self.event.end_now(self.settings.removals());
                self.send_out(observer);
                compare(entry, &JournalLine::over(&self.event, &self.players, before).bytes())?;
                self.finished = true;
                Ok(Segment::Over)
            }
            _ => Err(self.out_of_place(Some(entry))),
        }
    }

    /// Lets the player of this line in, after the same round as then.
    fn enter(&mut self, entry: &RecordedLine, mut player: HeaderPlayer) -> Result<Segment, ReplayError> {
        let is_known = self.players.iter().any(|other| other.github_id == player.github_id);
        if player.plays != PlayerSource::Remote || is_known {
            return Err(differs(
                Some(entry),
                None,
                "only a program that connects and has not played comes in late",
            ));
        }
        player.check_name().map_err(|why| differs(Some(entry), None, &why.to_string()))?;
        let number = match self.event.enter() {
            Ok(number) => number,
            Err(why) => {
                return Err(differs(Some(entry), None, &format!("late entry is impossible here: {why}")));
            }
        };
        player.seat = number + 1;
        compare(entry, &JournalLine::Entry(player.clone()).bytes())?;
        self.players.push(Player { github_id: player.github_id.clone(), name: player.name.clone() });
        self.house.enter();
        self.banks.enter();
        if self.header.players.len() <= number {
            self.header.players.push(player);
        }
        Ok(Segment::Entry { player: number })
    }

    /// Tells of the players who are out by the rule of the event.
    fn send_out(&mut self, observer: &mut impl Observer) {
        for (player, why) in self.event.take_leaving() {
            observer.eliminated(player, &why);
        }
    }

    /// Plays the rest and gives out where the tournament stands.
    pub fn rebuild(mut self) -> Result<RebuiltTournament, ReplayError> {
        while self.next(&mut ())?.is_some() {}
        if self.settings.is_ended {
            self.event.end_now(self.settings.removals());
        }
        // A removal that was carried out has sent its player out for good.
        let playing_on = if self.event.is_played_out() { Vec::new() } else { self.event.playing_on() };
        self.settings.removals.retain(|player, _| playing_on.contains(player));
        Ok(RebuiltTournament {
            header: self.header,
            players: self.players,
            event: self.event,
            house: self.house,
            banks: self.banks,
            settings: self.settings,
            is_finished: self.finished,
            tail: self.lines.tail(),
            length: self.lines.position().1,
            digest: self.lines.digest().clone(),
        })
    }

    /// The line expected between two rounds, where a different line or none is recorded.
    pub(super) fn out_of_place(&mut self, recorded: Option<&RecordedLine>) -> ReplayError {
        let before = match recorded {
            Some(_) => "…".to_string(),
            None => self.lines.digest().hex(),
        };
        let (computed, why) = next_line(&self.event, &self.players, before);
        match recorded {
            Some(_) => differs(recorded, Some(&computed), &why),
            None => self.missing(Some(&computed), &why),
        }
    }

    /// A missing line: the journal ends, cannot be read on, or continues with a later event.
    pub(super) fn missing(&mut self, computed: Option<&[u8]>, why: &str) -> ReplayError {
        if let Some(error) = self.lines.take_error() {
            return error.into();
        }
        let (number, offset) = self.lines.position();
        if let Some(entry) = self.lines.take() {
            return differs(Some(&entry), computed, why);
        }
        match differs(None, computed, why) {
            ReplayError::Differs(mut difference) => {
                (difference.number, difference.offset) = (number, offset);
                ReplayError::Differs(difference)
            }
            other => other,
        }
    }

    /// Notes what this line says of something else than the tables. Returns whether it does.
    pub(super) fn note(&mut self, line: &RecordedLine) -> bool {
        let Some(JournalLine::Console { action }) = line.read() else { return false };
        self.settings.apply(action);
        true
    }
}

fn next_line(event: &Event, players: &[Player], before: String) -> (Vec<u8>, String) {
    let mut event = event.clone();
    if let Some(due) = event.due() {
        let table = &mut event.tables_mut()[due];
        assert!(table.deal(), "a table that is not over deals");
        let dealt = table.table().events()[0];
        let round = table.table().round_number();
        let mut line = Vec::new();
        write_event(table, &dealt, &mut line);
        return (line, format!("round {round} has to begin here"));
    }
    if event.next_level() {
        return (JournalLine::level(&event).bytes(), "the next level has to begin here".to_string());
    }
    let why = "the tournament is over, and this has to be said here".to_string();
    (JournalLine::over(&event, players, before).bytes(), why)
}
