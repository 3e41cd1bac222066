//! Shared helpers: players whose every reply follows from the question alone, so that a tournament has the same result
//! however often its host dies, and stores that fail.
#![allow(clippy::unwrap_used, dead_code, unreachable_pub, reason = "not every test needs everything")]

use std::collections::BTreeMap;
use std::io;
use std::num::NonZero;
use std::sync::{Arc, Mutex};

use casino_stud::cards::{Rank, Seed};
use casino_stud::journal::{
    Durability, Header, Journal, JournalLine, PlayerSource, Reader, Store, Tail, Terms,
};
use casino_stud::protocol::{done_text, status_text};
use casino_stud::replay::{HouseBotStates, HouseBots, Observer, RebuiltTournament, Replay};
use casino_stud::strategies::{Bot, HouseBot, HousePlayer};
use casino_stud::stud::{Seat, Street};
use casino_stud::table::{
    Answer, ExitReason, Fault, FrameFault, Notice, OnFoul, Question, Reply, Step, TableSettings,
};
use casino_stud::tournament::{
    Entrant, Event, EventBots, EventPlan, Format, Recorder, Roster, TableGame, TableRecorder, play_until,
};

/// A legal reply that looks random and is a function of the question.
pub fn settled_reply(question: &Question<'_>) -> Reply {
    let bounds = question.bounds;
    let mut dice = Seed::chosen(format!("{question:?}")).stream("reply");
    match dice.below(6) {
        0 if bounds.to_call > 0 => Reply::Fold,
        1 | 2 => Reply::Bet((bounds.to_call + dice.below(4)).min(bounds.most()).max(bounds.to_call)),
        _ => Reply::Bet(bounds.to_call),
    }
}

/// The same, with a fault now and then: of a kind that follows from the question too.
pub fn faulty_answer(question: &Question<'_>) -> Answer {
    let rare = question.street == Street::Second && question.hole.rank() <= Rank::Three;
    if !rare {
        return Ok(settled_reply(question));
    }
    Err(match question.pot % 8 {
        0 => Fault::Late { limit_ms: 1000, bank_ms: 0, partial: question.pot.is_multiple_of(16) },
        1 => Fault::HungUp { partial: false },
        2 => Fault::Frame(FrameFault::TooLong { length: 65_535, cap: 1_024 }),
        3 => Fault::Frame(FrameFault::BadText),
        4 => Fault::Malformed { sent: "bet:\u{663} \"\\\u{1b}\u{2028}".to_string() },
        5 => Fault::Stray { sent: String::new() },
        6 => Fault::NotReading,
        _ => return Ok(Reply::Bet(question.bounds.most() + 1)),
    })
}

/// The header of a tournament with these house bots and this many players who connect.
pub fn header(
    seed: &Seed,
    house: &[&str],
    remote: usize,
    rounds: u64,
    stack: u32,
    on_foul: OnFoul,
) -> Header {
    let mut entrants = Vec::new();
    let mut plays = Vec::new();
    for (name, number) in house.iter().zip(1..) {
        let name_at_table = format!("{name}-{number}");
        entrants.push(Entrant::new(format!("house:{name_at_table}"), name_at_table));
        plays.push(PlayerSource::House(name.to_string()));
    }
    for number in 0..remote {
        entrants.push(Entrant::new(format!("hub-{number}"), format!("Guest {number}")));
        plays.push(PlayerSource::Remote);
    }
    let roster = Roster::new(&entrants, seed);
    let conduct = TableSettings { on_foul, ..TableSettings::default() };
    let terms = Terms { conduct, ..Terms::single_table(stack, rounds) };
    let players =
        roster.players().iter().cloned().zip(roster.entrants().iter().map(|index| plays[*index].clone()));
    Header::new(terms, seed, players)
}

/// The header of an event of these house bots, whose GitHubIds are their numbers: `house:0` and so on.
pub fn house_event(plan: EventPlan, seed: &Seed, bots: &[&str], stack: u32, rounds: u64) -> Header {
    let ids: Vec<String> = (0..bots.len()).map(|number| format!("house:{number}")).collect();
    let entrants: Vec<Entrant> = ids.iter().zip(bots).map(|(id, name)| Entrant::new(id, *name)).collect();
    let roster = Roster::new(&entrants, seed);
    let plays = roster.entrants().iter().map(|index| PlayerSource::House(bots[*index].to_string()));
    let players = roster.players().iter().cloned().zip(plays.collect::<Vec<_>>());
    Header::new(Terms { plan, ..Terms::single_table(stack, rounds) }, seed, players)
}

/// Plays an event of house bots on this many threads.
pub fn play_house(
    event: &mut Event,
    house: HouseBotStates,
    journal: &mut Journal,
    threads: usize,
) -> io::Result<()> {
    let boxed = |bot| Box::new(bot) as Box<dyn Bot>;
    let mut bots = EventBots::new(house.players.into_iter().flatten().map(boxed).collect());
    play_until(event, &mut bots, journal, NonZero::new(threads).unwrap(), || false).map(|_| ())
}

/// The journal of an event of house bots that is played to its end.
pub fn journal_of_house(header: &Header, threads: usize) -> Vec<u8> {
    let (memory, seed) = (Memory::default(), header.seed().unwrap());
    let mut journal = Journal::begin(Box::new(memory.clone()), header.clone(), Durability::AtTheEnd).unwrap();
    let (mut event, house) = (header.event().unwrap(), HouseBotStates::new(header, &seed));
    play_house(&mut event, house, &mut journal, threads).unwrap();
    memory.bytes()
}

/// An event of seven house bots at two tables that become one.
pub fn event_of_tables(seed: &str) -> Header {
    let plan = EventPlan {
        format: Format::named("freezeout").unwrap(),
        seats: 4,
        level_rounds: Some(8),
        antes: vec![1, 5, 20],
        series: 1,
        late_entry: None,
    };
    let bots = ["random", "cautious", "bold", "caller", "raiser", "simple", "random"];
    let mut header = header(&Seed::chosen(seed), &bots, 0, 60, 40, OnFoul::Eject);
    header.terms.plan = plan;
    header
}

/// The house bots of a header, seat by seat.
pub fn house(header: &Header) -> Vec<Option<HousePlayer>> {
    let seed = header.seed().unwrap();
    let player = |player: &casino_stud::journal::HeaderPlayer| match &player.plays {
        PlayerSource::House(name) => Some(HouseBot::named(name).unwrap().seated(&player.github_id, &seed)),
        _ => None,
    };
    header.players.iter().map(player).collect()
}

/// When a player can be reported that was not asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// Before the table's next step.
    Between,
    /// While this player is asked.
    Asked(Seat),
}

/// The messages to the players.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said {
    /// A `status` of this round.
    Status(u64, Seat),
    /// A `done` with this sentence.
    Done(Seat, String),
}

/// The player to report at a moment, and why.
pub type Report<'a> = dyn FnMut(&TableGame, Moment) -> Option<(Seat, Fault)> + 'a;

/// Plays a single table to its end, as a host does: messages wait until their round is recorded.
pub fn play_on(
    event: &mut Event,
    house: &mut [Option<HousePlayer>],
    record: &mut impl Recorder,
    answer: &dyn Fn(&Question<'_>) -> Answer,
    report: &mut Report<'_>,
    said: &mut Vec<Said>,
) -> io::Result<()> {
    if event.due().is_none() && event.next_level() {
        record.level(event)?;
    }
    if !event.tables().is_empty() {
        play_table(&mut event.tables_mut()[0], house, record, answer, report, said)?;
    }
    assert!(!event.next_level(), "one table has one level");
    record.over(event)?;
    record.commit()?;
    for (player, exit_reason) in event.exit_reasons() {
        said.push(Said::Done(Seat::new(player), exit_reason.to_string()));
    }
    Ok(())
}

fn play_table(
    tournament: &mut TableGame,
    house: &mut [Option<HousePlayer>],
    record: &mut impl Recorder,
    answer: &dyn Fn(&Question<'_>) -> Answer,
    report: &mut Report<'_>,
    said: &mut Vec<Said>,
) -> io::Result<()> {
    let mut of_table = record.for_table(tournament);
    while tournament.deal() {
        let (mut kept, mut notices) = (0, Vec::new());
        loop {
            if let Some((seat, fault)) = report(tournament, Moment::Between) {
                tournament.table_mut().report(seat, fault);
                keep(tournament, &mut *of_table, &mut kept)?;
            }
            let step = tournament.table_mut().step();
            keep(tournament, &mut *of_table, &mut kept)?;
            match step {
                Step::Ask(seat) => {
                    let question = tournament.table().question(seat);
                    let answer = match &mut house[seat.index()] {
                        Some(bot) => Ok(bot.decide(&question)),
                        None => answer(&question),
                    };
                    if let Some((reported, fault)) = report(tournament, Moment::Asked(seat)) {
                        tournament.table_mut().report(reported, fault);
                        keep(tournament, &mut *of_table, &mut kept)?;
                        if reported == seat {
                            continue;
                        }
                    }
                    tournament.table_mut().answer(answer);
                    keep(tournament, &mut *of_table, &mut kept)?;
                }
                Step::Tell(seat, Notice::Status(_)) => {
                    notices.push(Said::Status(tournament.table().round_number(), seat));
                }
                Step::Tell(seat, Notice::Done) => {
                    let exit_reason = tournament.table().exit_reason(seat).unwrap().to_string();
                    notices.push(Said::Done(seat, exit_reason));
                }
                Step::Over => break,
            }
        }
        of_table.hand_over();
        record.commit()?;
        said.append(&mut notices);
    }
    Ok(())
}

fn keep(tournament: &TableGame, record: &mut dyn TableRecorder, kept: &mut usize) -> io::Result<()> {
    for event in &tournament.table().events()[*kept..] {
        record.event(tournament, event)?;
    }
    *kept = tournament.table().events().len();
    Ok(())
}

/// Reports no player.
pub fn nobody(_: &TableGame, _: Moment) -> Option<(Seat, Fault)> {
    None
}

/// A store in memory that fails from the `fails_at`-th call on (from 1), each time, and counts the calls after that.
#[derive(Clone, Debug, Default)]
pub struct Memory(pub Arc<Mutex<Inside>>);

#[derive(Debug, Default)]
pub struct Inside {
    /// The written bytes.
    pub bytes: Vec<u8>,
    /// How much of it is sure to be on the disk.
    pub synced: usize,
    /// How many calls there were.
    pub calls: usize,
    /// Which call is the first to fail.
    pub fails_at: Option<usize>,
    /// Calls after one has failed.
    pub after: usize,
}

impl Memory {
    pub fn holding(bytes: &[u8]) -> Memory {
        let inside = Inside { bytes: bytes.to_vec(), synced: bytes.len(), ..Inside::default() };
        Memory(Arc::new(Mutex::new(inside)))
    }

    pub fn bytes(&self) -> Vec<u8> {
        self.0.lock().unwrap().bytes.clone()
    }
}

impl Inside {
    fn call(&mut self) -> io::Result<()> {
        self.calls += 1;
        match self.fails_at {
            Some(call) if self.calls > call => {
                self.after += 1;
                Err(io::Error::other("called again after a failure"))
            }
            Some(call) if self.calls == call => Err(io::ErrorKind::StorageFull.into()),
            _ => Ok(()),
        }
    }
}

impl Store for Memory {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut inside = self.0.lock().unwrap();
        let done = inside.call();
        // A write that fails leaves a part.
        let written = if done.is_ok() { bytes.len() } else { bytes.len() / 2 };
        inside.bytes.extend_from_slice(&bytes[..written]);
        done
    }

    fn sync(&mut self) -> io::Result<()> {
        let mut inside = self.0.lock().unwrap();
        inside.call()?;
        inside.synced = inside.bytes.len();
        Ok(())
    }
}

/// All lines of a journal after its header.
pub fn lines(journal: &[u8]) -> Vec<JournalLine> {
    Reader::new(journal).unwrap().map(|entry| entry.unwrap().line).collect()
}

/// The bytes of a journal without the tail that is cut off when it is resumed.
pub fn whole<'a>(journal: &'a [u8], rebuilt: &RebuiltTournament) -> &'a [u8] {
    match rebuilt.tail {
        Tail::Whole => journal,
        Tail::Torn { at, .. } => &journal[..at as usize],
    }
}

/// The lines of the rounds, and the end without the sum over all lines: the same for a tournament, however often its host
/// died.
pub fn outcome(journal: &[u8]) -> Vec<JournalLine> {
    let mut rounds = Vec::new();
    let mut round = Vec::new();
    for entry in Reader::new(journal).unwrap() {
        match entry.unwrap().line {
            // A torn round has left no line.
            JournalLine::Resumed { .. } => {}
            line @ (JournalLine::Deal { .. } | JournalLine::Level { .. }) => {
                rounds.append(&mut round);
                round.push(line);
            }
            JournalLine::Over { rounds: played, forfeited, standings, .. } => {
                rounds.append(&mut round);
                rounds.push(JournalLine::Over {
                    rounds: played,
                    forfeited,
                    standings,
                    before: String::new(),
                });
            }
            line => round.push(line),
        }
    }
    rounds
}

/// Drops the teacher's orders, whose places depend on the clock.
pub fn without_orders(lines: Vec<JournalLine>) -> Vec<JournalLine> {
    lines.into_iter().filter(|line| !matches!(line, JournalLine::Console { .. })).collect()
}

/// Every `status` and `done` that follows from a journal, by player.
struct Ears {
    words: Vec<Vec<String>>,
    /// Whether broke players play again later, so that they receive no `done`.
    broke_stay: bool,
}

impl Ears {
    fn hear(&mut self, player: usize, words: String) {
        if player >= self.words.len() {
            self.words.resize(player + 1, Vec::new());
        }
        self.words[player].push(words);
    }
}

impl Observer for Ears {
    fn notice(&mut self, game: &TableGame, seat: Seat, notice: &Notice) {
        let words = match notice {
            Notice::Status(status) => status_text(status),
            Notice::Done => {
                let why = game.table().exit_reason(seat).expect("who leaves is told why");
                if self.broke_stay && matches!(why, ExitReason::Busted { .. }) {
                    return;
                }
                done_text(&why.to_string())
            }
        };
        self.hear(game.player_at(seat), words);
    }

    fn eliminated(&mut self, player: usize, why: &ExitReason) {
        self.hear(player, done_text(&why.to_string()));
    }
}

/// Every `status` and `done` that follows from a journal, by GitHubId: with the `done` of broke players who play again later
/// in the same tournament, who receive none, or without.
pub fn recorded(journal: &[u8], with_broke: bool) -> Result<BTreeMap<String, Vec<String>>, String> {
    let Ok(lines) = Reader::new(journal) else { return Ok(BTreeMap::new()) };
    let mut replay = Replay::new(lines, HouseBots::AsRecorded).map_err(|error| error.to_string())?;
    let broke_stay = !with_broke && replay.event().returns(&ExitReason::Busted { chips: 0, ante: 0 });
    let mut ears = Ears { words: Vec::new(), broke_stay };
    while replay.next(&mut ears).map_err(|error| error.to_string())?.is_some() {}
    if replay.is_finished() {
        for (player, exit_reason) in replay.event().exit_reasons() {
            ears.hear(player, done_text(&exit_reason.to_string()));
        }
    }
    ears.words.resize(replay.players().len(), Vec::new());
    Ok(replay.players().iter().map(|player| player.github_id.clone()).zip(ears.words).collect())
}

/// Whether all of these come in those, in their order.
pub fn come_in(told: &[String], recorded: &[String]) -> bool {
    let mut recorded = recorded.iter();
    told.iter().all(|words| recorded.any(|other| other == words))
}
