//! Playing a journal again: the recorded answers go through the same table as when they were given.

use std::fmt;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use crate::cards::Seed;
use crate::protocol::read_reply;
use crate::strategies::{Bot, HouseBot, HousePlayer};
use crate::stud::{Seat, SeatSet, Turn};
use crate::table::{Answer, ExitReason, Fault, Notice, Reply, Step, TableEvent, ThrownOut};
use crate::tournament::{Event, Player, TableGame};

use crate::journal::{
    Digest, Entry, Header, HeaderError, HeaderPlayer, JournalLine, PlayerSource, ReadError, Reader, Replied,
    ResumePoint, Torn,
};

/// Somebody who looks on while a journal is played again.
pub trait Observer {
    /// A player is asked: its question is still [`crate::table::Table::question`], and this is what it answered.
    fn asks(&mut self, tournament: &TableGame, seat: Seat, answer: &Answer) {
        let _ = (tournament, seat, answer);
    }

    /// An event has happened, and the line in the journal is the one it makes.
    fn happens(&mut self, tournament: &TableGame, event: &TableEvent) {
        let _ = (tournament, event);
    }

    /// A player is told something.
    fn tells(&mut self, tournament: &TableGame, seat: Seat, notice: &Notice) {
        let _ = (tournament, seat, notice);
    }

    /// A player of an event, from 0 in the order of the header, is out by its rule and not by its table's.
    fn sends_out(&mut self, player: usize, why: &ExitReason) {
        let _ = (player, why);
    }
}

/// Nobody looks on.
impl Observer for () {}

/// What is done with house bots while a journal is played again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HouseBots {
    /// They are asked again and must answer as recorded: their dice come to where they were.
    Asked,
    /// Their recorded replies are taken as they are, as those of everybody else.
    Believed,
}

/// A part of a journal that has been played again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Segment {
    /// A round, as far as it is recorded. The tournament's table shows it until the next part.
    Round {
        /// Its number, from 1.
        round: u64,
        /// Whether it was played to its end. One that was not is dealt again after [`Segment::Resumed`].
        finished: bool,
    },
    /// A level of an event begins.
    Level {
        /// Its number, from 1.
        level: u64,
    },
    /// The dealer was started again.
    Resumed {
        /// The round that is dealt next.
        round: u64,
    },
    /// The tournament is over.
    Over,
}

/// The first place where a journal is not what its seed and its replies make of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// The number of the line, from 1.
    pub number: u64,
    /// The offset of its first byte.
    pub offset: u64,
    /// The line as recorded; `None` if the journal ends there.
    pub recorded: Option<String>,
    /// The line that follows from the seed and the replies, where there is one.
    pub computed: Option<String>,
    /// The difference in words.
    pub why: String,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, at offset {}: {}", self.number, self.offset, self.why)?;
        if let Some(recorded) = &self.recorded {
            write!(f, "\n  recorded: {recorded}")?;
        }
        if let Some(computed) = &self.computed {
            write!(f, "\n  computed: {computed}")?;
        }
        Ok(())
    }
}

/// Why a journal cannot be played again.
#[derive(Debug)]
pub enum ReplayError {
    /// It cannot be read.
    Read(ReadError),
    /// It says something that does not follow from its seed and its replies.
    Differs(Box<Mismatch>),
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReplayError::Read(error) => error.fmt(f),
            ReplayError::Differs(difference) => {
                write!(f, "it does not follow from its seed and its replies: {difference}")
            }
        }
    }
}

impl std::error::Error for ReplayError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            ReplayError::Read(error) => Some(error),
            ReplayError::Differs(_) => None,
        }
    }
}

impl From<ReadError> for ReplayError {
    fn from(error: ReadError) -> ReplayError {
        ReplayError::Read(error)
    }
}

/// A journal being played again, part by part.
///
/// ```
/// use std::path::Path;
///
/// use casino_day::replay::{HouseBots, Replay, Segment};
///
/// let journal = Path::new("tests/data/golden/journals/play-one.jsonl");
/// let mut replay = Replay::open(journal, HouseBots::Asked)?;
/// let mut rounds = 0;
/// while let Some(segment) = replay.next(&mut ())? {
///     rounds += u64::from(matches!(segment, Segment::Round { finished: true, .. }));
/// }
/// assert_eq!(rounds, 12);
/// # Ok::<(), casino_day::replay::ReplayError>(())
/// ```
#[derive(Debug)]
pub struct Replay<R> {
    lines: Reader<R>,
    /// What comes after the part that is played.
    ahead: Option<Result<Entry, ReadError>>,
    players: Vec<Player>,
    event: Event,
    /// The index of the table that was played last.
    table: usize,
    house: HouseBotStates,
    house_bots: HouseBots,
    /// How all was before the round that is shown, if that was not finished.
    before: Option<(TableGame, HouseBotStates)>,
    /// Who was thrown out of that round.
    thrown_out: Vec<ThrownOut>,
    finished: bool,
}

/// The house bots among the players, and those that everyone meets in a gauntlet.
#[derive(Clone, Debug)]
pub struct HouseBotStates {
    /// Those among the players, in the header's order.
    pub players: Vec<Option<HousePlayer>>,
    /// The house's own at each table of the level.
    pub opponents: Vec<Option<HousePlayer>>,
}

impl HouseBotStates {
    /// The house bots among the players of this header, and none of the house's own.
    ///
    /// # Panics
    /// If the header's terms have not been checked.
    pub fn new(header: &Header, seed: &Seed) -> HouseBotStates {
        let player = |player: &HeaderPlayer| match &player.plays {
            PlayerSource::House(name) => {
                let bot = HouseBot::named(name).expect("the terms were checked");
                Some(bot.seated(&player.github_id, seed))
            }
            _ => None,
        };
        HouseBotStates { players: header.players.iter().map(player).collect(), opponents: Vec::new() }
    }

    /// Nobody plays: all replies are believed.
    fn nobody(header: &Header) -> HouseBotStates {
        HouseBotStates { players: header.players.iter().map(|_| None).collect(), opponents: Vec::new() }
    }

    fn at(&mut self, table: usize, player: usize) -> Option<&mut HousePlayer> {
        match self.players.get_mut(player) {
            Some(bot) => bot.as_mut(),
            None => self.opponents.get_mut(table)?.as_mut(),
        }
    }
}

/// Where a tournament stands at the end of its journal: all that is needed to go on.
#[derive(Debug)]
pub struct RebuiltTournament {
    /// The header.
    pub header: Header,
    /// The players in seat order, and the house's own of a gauntlet after them.
    pub players: Vec<Player>,
    /// The event, ready to deal the next round.
    pub event: Event,
    /// The house bots with their dice where they were.
    pub house: HouseBotStates,
    /// Whether the end of the tournament is recorded.
    pub is_finished: bool,
    /// The torn last line, which is to be cut off.
    pub torn: Option<Torn>,
    /// How many bytes the whole lines have.
    length: u64,
    /// Their SHA-256.
    digest: Digest,
}

impl RebuiltTournament {
    /// Where the journal is to be continued.
    pub fn resume_point(&self) -> ResumePoint {
        ResumePoint {
            players: self.players.clone(),
            next_round: self.next_round(),
            is_torn: self.torn.is_some(),
            length: self.length,
            digest: self.digest.clone(),
        }
    }

    /// The number of the round that is dealt next.
    pub fn next_round(&self) -> u64 {
        self.event.next_round()
    }
}

/// How far the lines of a part went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Progress {
    Matched,
    /// The lines came to an end before the table did, as they may when the host died.
    Stopped,
}

/// The lines of a round and how many of them have been matched.
struct Round {
    entries: Vec<Entry>,
    at: usize,
    /// How many of the table's events those are.
    kept: usize,
    /// Whether the lines may end anywhere, because the host died or was stopped.
    may_stop: bool,
    /// Whether the end of the round has been matched.
    ended: bool,
}

impl Round {
    fn next(&self) -> Option<&Entry> {
        self.entries.get(self.at)
    }

    /// The fault of somebody who had not been asked, if it comes next.
    fn unasked(&self) -> Option<(usize, &Fault)> {
        match &self.next()?.line {
            JournalLine::Foul { seat, asked: false, did: Replied::Fault(fault), .. } => Some((*seat, fault)),
            _ => None,
        }
    }

    /// Who answers next.
    fn answers_next(&self) -> Option<usize> {
        let rest = self.entries[self.at..].iter().map(|entry| &entry.line);
        let mut rest = rest.skip_while(|line| {
            matches!(line, JournalLine::Foul { asked: false, .. } | JournalLine::Left { .. })
        });
        match rest.next()? {
            JournalLine::Reply { seat, .. } | JournalLine::Foul { seat, asked: true, .. } => Some(*seat),
            _ => None,
        }
    }
}

impl Replay<BufReader<File>> {
    /// Opens a journal.
    ///
    /// # Errors
    /// As [`Replay::new`], and if the file cannot be opened.
    pub fn open(path: &Path, house_bots: HouseBots) -> Result<Replay<BufReader<File>>, ReplayError> {
        Replay::new(Reader::open(path)?, house_bots)
    }
}

impl<R: BufRead> Replay<R> {
    /// A journal before its first round.
    ///
    /// # Errors
    /// If the header describes no tournament, or its seed is not the one that was promised.
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
            HouseBots::Asked => HouseBotStates::new(header, &seed),
            HouseBots::Believed => HouseBotStates::nobody(header),
        };
        Ok(Replay {
            house,
            players: header.roster(),
            event,
            table: 0,
            house_bots,
            lines,
            ahead: None,
            before: None,
            thrown_out: Vec::new(),
            finished: false,
        })
    }

    /// The header.
    pub fn header(&self) -> &Header {
        self.lines.header()
    }

    /// The players in seat order, and the house's own of a gauntlet after them.
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

    fn table_mut(&mut self) -> &mut TableGame {
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

    /// The last line if it is torn; known once the journal is at its end.
    pub fn torn(&self) -> Option<Torn> {
        self.lines.torn()
    }

    /// How many whole lines have been read.
    pub fn lines(&self) -> u64 {
        self.lines.lines()
    }

    /// How many bytes of the journal have been read.
    pub fn position(&self) -> u64 {
        self.lines.offset()
    }

    /// Plays the next part. `None` at the end of the journal.
    ///
    /// # Errors
    /// If the journal cannot be read on, or says something that does not follow.
    pub fn next(&mut self, watch: &mut impl Observer) -> Result<Option<Segment>, ReplayError> {
        if let Some((tournament, house)) = self.before.take() {
            *self.table_mut() = tournament;
            self.house = house;
            let thrown_out = self.thrown_out.clone();
            self.table_mut().throw_out_again(thrown_out);
        }
        self.look_ahead();
        let Some(entry) = self.ahead.take().transpose()? else { return Ok(None) };
        if self.finished {
            return Err(differs(Some(&entry), None, "the tournament is over, and nothing can follow"));
        }
        match (&entry.line, &entry.before) {
            (JournalLine::Deal { .. }, _) => match self.event.due() {
                Some(due) => {
                    self.table = due;
                    self.round(entry, watch).map(Some)
                }
                None => Err(self.out_of_place(Some(&entry))),
            },
            (JournalLine::Level { .. }, _) => {
                let mut event = self.event.clone();
                if event.due().is_some() || !event.next_level() {
                    return Err(self.out_of_place(Some(&entry)));
                }
                (self.event, self.table) = (event, 0);
                let computed = JournalLine::level(&self.event);
                compare(&entry, &computed)?;
                self.send_out(watch);
                if self.house_bots == HouseBots::Asked {
                    self.house.opponents = self.event.opponents();
                }
                let level = self.event.level().expect("it has just begun").number;
                Ok(Some(Segment::Level { level }))
            }
            (JournalLine::Resumed { .. }, Some(before)) => {
                let round = self.event.next_round();
                compare(&entry, &JournalLine::Resumed { round, before: before.clone() })?;
                Ok(Some(Segment::Resumed { round }))
            }
            (JournalLine::Over { .. }, Some(before)) if self.event.is_played_out() => {
                self.event.next_level();
                self.send_out(watch);
                compare(&entry, &JournalLine::over(&self.event, &self.players, before.clone()))?;
                self.finished = true;
                Ok(Some(Segment::Over))
            }
            _ => Err(self.out_of_place(Some(&entry))),
        }
    }

    /// Tells of the players who are out by the rule of the event.
    fn send_out(&mut self, watch: &mut impl Observer) {
        for (player, why) in self.event.take_leaving() {
            watch.sends_out(player, &why);
        }
    }

    /// Plays the rest and gives out where the tournament stands.
    ///
    /// # Errors
    /// As [`Replay::next`].
    pub fn rebuild(mut self) -> Result<RebuiltTournament, ReplayError> {
        while self.next(&mut ())?.is_some() {}
        Ok(RebuiltTournament {
            header: self.lines.header().clone(),
            players: self.players,
            event: self.event,
            house: self.house,
            is_finished: self.finished,
            torn: self.lines.torn(),
            length: self.lines.offset(),
            digest: self.lines.digest().clone(),
        })
    }

    /// What should come next between two rounds, where something else is recorded or nothing.
    pub(super) fn out_of_place(&self, recorded: Option<&Entry>) -> ReplayError {
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

    /// A line that should be here and is not: the journal ends, or goes on with what comes later.
    fn missing(&self, computed: Option<&JournalLine>, why: &str) -> ReplayError {
        if let Some(Ok(entry)) = &self.ahead {
            return differs(Some(entry), computed, why);
        }
        match differs(None, computed, why) {
            ReplayError::Differs(mut difference) => {
                (difference.number, difference.offset) = (self.lines.lines() + 1, self.lines.offset());
                ReplayError::Differs(difference)
            }
            other => other,
        }
    }

    fn look_ahead(&mut self) {
        while self.ahead.is_none() {
            self.ahead = self.lines.next();
            match &self.ahead {
                // What the people in charge did changes nothing by itself.
                Some(Ok(Entry { line: JournalLine::Console { .. }, .. })) => self.ahead = None,
                Some(_) => {}
                None => return,
            }
        }
    }

    /// Plays a round that begins with this line.
    fn round(&mut self, deal: Entry, watch: &mut impl Observer) -> Result<Segment, ReplayError> {
        let mut entries = vec![deal];
        loop {
            self.look_ahead();
            match self.ahead.take() {
                Some(Ok(entry))
                    if !matches!(
                        entry.line,
                        JournalLine::Deal { .. }
                            | JournalLine::Level { .. }
                            | JournalLine::Resumed { .. }
                            | JournalLine::Over { .. }
                    ) =>
                {
                    entries.push(entry);
                }
                other => {
                    self.ahead = other;
                    break;
                }
            }
        }
        let finished = entries.iter().any(|entry| matches!(entry.line, JournalLine::End { .. }));
        let may_stop = match &self.ahead {
            None | Some(Err(_)) => true,
            Some(Ok(entry)) => matches!(entry.line, JournalLine::Resumed { .. }),
        };
        let before = (!finished && may_stop).then(|| (self.tournament().clone(), self.house.clone()));
        let mut round = Round { entries, at: 0, kept: 0, may_stop, ended: false };
        self.play(&mut round, watch)?;
        if finished {
            // The lines may end before everyone has been told.
            loop {
                match self.table_mut().table_mut().step() {
                    Step::Ask(_) => unreachable!("nobody is asked after the end of a round"),
                    Step::Tell(seat, notice) => self.tell(seat, &notice, watch),
                    Step::Over => break,
                }
            }
            self.thrown_out.clear();
        } else {
            self.note_thrown_out(&round);
            self.before = before;
        }
        Ok(Segment::Round { round: self.tournament().table().round_number(), finished })
    }

    fn play(&mut self, round: &mut Round, watch: &mut impl Observer) -> Result<(), ReplayError> {
        if !self.table_mut().deal() {
            return Err(self.out_of_place(round.next()));
        }
        loop {
            if self.matches(round, watch)? == Progress::Stopped
                || self.reports(round, watch, false)? == Progress::Stopped
            {
                return Ok(());
            }
            let step = self.table_mut().table_mut().step();
            if self.matches(round, watch)? == Progress::Stopped {
                return Ok(());
            }
            match step {
                Step::Ask(seat) => {
                    if self.reports(round, watch, true)? == Progress::Stopped {
                        return Ok(());
                    }
                    if self.tournament().table().round().live() == SeatSet::only(seat) {
                        // Everyone else was thrown out meanwhile: its answer does not count and is not recorded.
                        self.table_mut().table_mut().answer(Ok(Reply::Fold));
                        continue;
                    }
                    let Some(answer) = self.answer(seat, round)? else { return Ok(()) };
                    watch.asks(self.tournament(), seat, &answer);
                    self.table_mut().table_mut().answer(answer);
                }
                Step::Tell(seat, notice) => self.tell(seat, &notice, watch),
                Step::Over => match round.next() {
                    None => return Ok(()),
                    Some(_) if round.unasked().is_some() => {}
                    Some(entry) => {
                        return Err(differs(Some(entry), None, "the round is over before this line"));
                    }
                },
            }
        }
    }

    fn tell(&mut self, seat: Seat, notice: &Notice, watch: &mut impl Observer) {
        let player = self.tournament().player_at(seat);
        if let (Some(bot), Notice::Status(status)) = (self.house.at(self.table, player), notice) {
            bot.hear(status);
        }
        watch.tells(self.tournament(), seat, notice);
    }

    /// Compares what has happened at the table with the lines.
    fn matches(&mut self, round: &mut Round, watch: &mut impl Observer) -> Result<Progress, ReplayError> {
        while let Some(&event) = self.tournament().table().events().get(round.kept) {
            let computed = JournalLine::of(self.tournament(), &event);
            let Some(entry) = round.next() else {
                if round.may_stop {
                    return Ok(Progress::Stopped);
                }
                return Err(self.missing(Some(&computed), "a line is missing here"));
            };
            compare(entry, &computed)?;
            round.ended |= event == TableEvent::Ended;
            round.at += 1;
            round.kept += 1;
            watch.happens(self.tournament(), &event);
        }
        Ok(Progress::Matched)
    }

    /// Reports the recorded faults of those who had not been asked, as far as they come next.
    fn reports(
        &mut self,
        round: &mut Round,
        watch: &mut impl Observer,
        asked: bool,
    ) -> Result<Progress, ReplayError> {
        while let Some((number, fault)) = round.unasked() {
            let table = self.tournament().table();
            let seat = match self.seat(number) {
                Some(seat) if table.seated().contains(seat) => seat,
                _ => return Err(differs(round.next(), None, &format!("nobody sits in seat {number}"))),
            };
            let waits = match table.round().turn() {
                // While somebody was asked, or before? If the same player answers next, while.
                Turn::Ask(next) if !round.ended && !asked && !table.is_repeating(next) => {
                    round.answers_next() == Some(next.index() + 1)
                }
                _ => false,
            };
            if waits || table.is_repeating(seat) {
                return Ok(Progress::Matched);
            }
            let fault = fault.clone();
            let before = (round.ended && round.may_stop).then(|| self.tournament().clone());
            self.table_mut().table_mut().report(seat, fault);
            if self.matches(round, watch)? == Progress::Stopped {
                // The foul is there and what it led to is not: nobody was told, so it has not happened.
                if let Some(before) = before {
                    *self.table_mut() = before;
                }
                return Ok(Progress::Stopped);
            }
        }
        Ok(Progress::Matched)
    }

    /// The recorded answer of the player who is asked; `None` if the lines may end here and do.
    fn answer(&mut self, seat: Seat, round: &Round) -> Result<Option<Answer>, ReplayError> {
        let asked = seat.index() + 1;
        let Some(entry) = round.next() else {
            if round.may_stop {
                return Ok(None);
            }
            return Err(self.missing(None, &format!("the answer of seat {asked} is missing here")));
        };
        let answer = match &entry.line {
            JournalLine::Reply { seat, reply } if *seat == asked => match read_reply(reply.as_bytes()) {
                Ok(reply) => Ok(reply),
                Err(_) => return Err(differs(Some(entry), None, "this is no reply")),
            },
            JournalLine::Foul { seat, asked: true, did, .. } if *seat == asked => match did {
                Replied::Illegal { bet } => Ok(Reply::Bet(*bet)),
                Replied::Fault(fault) => Err(fault.clone()),
            },
            _ => {
                let why = format!("seat {asked} is asked here, and its answer has to come next");
                return Err(differs(Some(entry), None, &why));
            }
        };
        let player = self.tournament().player_at(seat);
        if let (Some(bot), Ok(reply)) = (self.house.at(self.table, player), &answer) {
            let again = bot.decide(&self.event.tables()[self.table].table().question(seat));
            if again != *reply {
                let computed = JournalLine::Reply { seat: asked, reply: again.to_string() };
                let name = &self.players[player].name;
                let why =
                    format!("the house bot {name} answers {again} with the dice of this seed, not {reply}");
                return Err(differs(Some(entry), Some(&computed), &why));
            }
        }
        Ok(Some(answer))
    }

    fn seat(&self, number: usize) -> Option<Seat> {
        (1..=self.tournament().players().len()).contains(&number).then(|| Seat::new(number - 1))
    }

    /// Keeps who was thrown out of a round that was not finished. Whoever had been thrown out of it already
    /// does what it did the first time.
    fn note_thrown_out(&mut self, round: &Round) {
        let table = self.event.tables()[self.table].table();
        for event in &table.events()[..round.kept] {
            let TableEvent::Left { seat, .. } = *event else { continue };
            let Some(ExitReason::Foul(foul)) = table.exit_reason(seat) else { continue };
            if self.thrown_out.iter().any(|player| player.seat == seat) {
                continue;
            }
            let replies = table.events()[..round.kept].iter().filter_map(|event| match event {
                TableEvent::Acted { seat: acted, action } if *acted == seat => Some(Reply::from(*action)),
                _ => None,
            });
            self.thrown_out.push(ThrownOut { seat, replies: replies.collect(), foul: foul.clone() });
        }
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).trim_end().to_string()
}

fn differs(recorded: Option<&Entry>, computed: Option<&JournalLine>, why: &str) -> ReplayError {
    let computed = computed.map(|line| {
        let mut bytes = Vec::new();
        line.write(&mut bytes);
        text(&bytes)
    });
    ReplayError::Differs(Box::new(Mismatch {
        number: recorded.map_or(0, |entry| entry.number),
        offset: recorded.map_or(0, |entry| entry.offset),
        recorded: recorded.map(|entry| text(&entry.bytes)),
        computed,
        why: why.to_string(),
    }))
}

/// Compares a line with the one that follows, byte by byte: there is one way to write a line.
fn compare(entry: &Entry, computed: &JournalLine) -> Result<(), ReplayError> {
    let mut bytes = Vec::with_capacity(entry.bytes.len());
    computed.write(&mut bytes);
    if bytes == entry.bytes {
        return Ok(());
    }
    Err(differs(Some(entry), Some(computed), &in_words(&entry.line, computed)))
}

/// What differs between two lines.
fn in_words(recorded: &JournalLine, computed: &JournalLine) -> String {
    let object = |line: &JournalLine| match serde_json::to_value(line) {
        Ok(serde_json::Value::Object(fields)) => fields,
        _ => unreachable!("a line is an object"),
    };
    let (recorded, computed) = (object(recorded), object(computed));
    if recorded["type"] != computed["type"] {
        return format!("a line of type {} is recorded where {} follows", recorded["type"], computed["type"]);
    }
    let differing = computed.iter().filter_map(|(field, value)| {
        let there = recorded.get(field).unwrap_or(&serde_json::Value::Null);
        let words = match field.as_str() {
            "before" => "something before this line was changed: its SHA-256 is another one".to_string(),
            _ => format!("{field} is {there} where {value} follows"),
        };
        (there != value).then_some(words)
    });
    let differing: Vec<String> = differing.collect();
    match differing.is_empty() {
        true => "the line says the right thing and is not written as the dealer writes it".to_string(),
        false => differing.join("; "),
    }
}

/// The line that begins what is played next.
fn next_line(event: &Event, players: &[Player], before: String) -> (JournalLine, String) {
    let mut event = event.clone();
    if let Some(due) = event.due() {
        let table = &mut event.tables_mut()[due];
        assert!(table.deal(), "a table that is not over deals");
        let dealt = table.table().events()[0];
        let round = table.table().round_number();
        return (JournalLine::of(table, &dealt), format!("round {round} has to begin here"));
    }
    if event.next_level() {
        return (JournalLine::level(&event), "the next level has to begin here".to_string());
    }
    let why = "the tournament is over, and this has to be said here".to_string();
    (JournalLine::over(&event, players, before), why)
}
