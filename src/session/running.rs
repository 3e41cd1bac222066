//! A tournament being played, new or resumed: the show, the journal, the end.

use std::fs;
use std::io;
use std::net::SocketAddr;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use serde::Serialize;

use crate::cards::Seed;
use crate::journal::{Header, Journal, PlayerSource, StandingLine, Terms};
use crate::replay::TournamentInfo;
use crate::replay::opponent;
use crate::server::{ConnectionLimits, ControlHandle, EventHost, SeatedPlayer, TableHost, on_interrupt};
use crate::strategies::{Bot, HousePlayer};
use crate::stud::Chips;
use crate::tournament::{
    Ending, Event, EventBots, Floor, Level, Player, Recorder, Standing, Standings, TableResult, in_public,
    play_event, play_until,
};

use crate::replay::BoardRow;
use crate::web::Room;

use super::options::Presentation;
use super::output::numbered;
use super::recorders::{DayRecorders, EventStart};
use super::report_files::{REPLAY, write};
use super::tournament_info::members;
use super::{Failure, Output, output};

impl Presentation {
    /// Whether text for people is wanted.
    pub(crate) fn is_chatty(&self) -> bool {
        !self.json && !self.quiet
    }

    /// Whether nobody can ask the dealer to wait.
    pub(crate) fn needs_no_waiting(&self) -> bool {
        self.web.is_none() && self.console.is_none() && self.pace == 0
    }

    /// Opens the page and the console, if they are wanted, and says where they are.
    pub(crate) fn open_room(&self) -> Result<Option<Arc<Room>>, Failure> {
        if self.web.is_none() && self.console.is_none() {
            return match self.stay {
                Some(_) => {
                    Err(Failure::Usage("--stay says how long the page stays: it needs --web".to_string()))
                }
                None => Ok(None),
            };
        }
        let console = match self.console {
            Some(address) => {
                let token: [u8; 16] = random()?;
                Some((address, token.iter().map(|byte| format!("{byte:02x}")).collect::<String>()))
            }
            None => None,
        };
        let room = Room::open(self.web, console).map_err(Failure::usage)?;
        if let Some(address) = room.page() {
            output::remark(&format!("The page for the room is http://{address}/"));
        }
        if let Some((address, token)) = room.console() {
            output::remark(&format!("The teacher's console is http://{address}/#{token}"));
        }
        Ok(Some(Arc::new(room)))
    }
}

/// Random bytes from the system.
pub(crate) fn random<const N: usize>() -> Result<[u8; N], Failure> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes)
        .map_err(|error| Failure::Broke(format!("the system gives no random numbers: {error}")))?;
    Ok(bytes)
}

/// Where the output of started programs goes.
#[derive(Clone)]
pub(crate) struct Folder {
    path: PathBuf,
    /// Whether it is only lent by the system.
    lent: bool,
}

impl Folder {
    /// The folder somebody named, or one in the system's place for such things if one is needed.
    pub(crate) fn new(named: Option<&Path>, needed: bool) -> Result<Folder, Failure> {
        let (path, lent) = match named {
            Some(folder) => (folder.to_path_buf(), false),
            None => (std::env::temp_dir().join(format!("casino-day-{}", std::process::id())), true),
        };
        if !lent || needed {
            fs::create_dir_all(&path).map_err(|error| {
                Failure::Usage(format!("the folder {} cannot be made: {error}", path.display()))
            })?;
        }
        Ok(Folder { path, lent })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

/// The limits a tournament sets to those who connect.
pub(crate) fn limits(terms: &Terms) -> ConnectionLimits {
    ConnectionLimits {
        reply: Duration::from_millis(terms.reply_ms),
        relogin: terms.relogin,
        ..ConnectionLimits::default()
    }
}

/// A tournament that is about to be played, or played on.
pub(crate) struct Running {
    pub(crate) header: Header,
    pub(crate) seed: Seed,
    pub(crate) floor: Floor,
    /// The house's own at the tables of an event that is gone on with in the middle of a level.
    pub(crate) opponents: Vec<Option<HousePlayer>>,
    /// How many threads play the tables of an event.
    pub(crate) jobs: NonZero<usize>,
    /// The journal and where it is, until it is opened.
    pub(crate) journal: Option<(PathBuf, Journal)>,
    /// Where it is from then on.
    pub(crate) journal_path: Option<PathBuf>,
    pub(crate) presentation: Presentation,
    pub(crate) folder: Folder,
    /// Where players connect.
    pub(crate) address: Option<SocketAddr>,
    /// Where people watch, if they do.
    pub(crate) room: Option<Arc<Room>>,
    /// Which tournament of the day this is, from 1.
    pub(crate) number: u32,
}

/// The object `--json` prints.
#[derive(Serialize)]
struct Outcome {
    /// Not told while the tournament can still go on.
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    promise: Option<String>,
    rounds: u64,
    ended: &'static str,
    /// The command that goes on.
    #[serde(skip_serializing_if = "Option::is_none")]
    resume: Option<String>,
    forfeited: u64,
    standings: Vec<StandingLine>,
    /// What came of each table of an event, level by level.
    #[serde(skip_serializing_if = "Option::is_none")]
    levels: Option<Vec<LevelOutcome>>,
}

/// A level of an event that is over.
#[derive(Serialize)]
struct LevelOutcome {
    level: u64,
    tournament: u32,
    /// The first round.
    round: u64,
    rounds: u64,
    ante: Chips,
    tables: Vec<TableOutcome>,
}

/// What came of a table in a level.
#[derive(Serialize)]
struct TableOutcome {
    table: u32,
    players: Vec<String>,
    began_with: Vec<Chips>,
    ended_with: Vec<Chips>,
}

fn levels(event: &Event, players: &[Player]) -> Vec<LevelOutcome> {
    let table = |table: &TableResult| TableOutcome {
        table: table.table,
        players: table.players.iter().map(|player| players[*player].name.clone()).collect(),
        began_with: table.began_with.clone(),
        ended_with: table.ended_with.clone(),
    };
    let level = |(level, tables): &(Level, Vec<TableResult>)| LevelOutcome {
        level: level.number,
        tournament: level.tournament,
        round: level.first_round,
        rounds: level.rounds,
        ante: level.ante,
        tables: tables.iter().map(table).collect(),
    };
    event.history().iter().map(level).collect()
}

impl Running {
    /// Plays with house bots only, without any network.
    pub(crate) fn in_process(mut self, bots: Vec<HousePlayer>) -> Result<(), Failure> {
        let bots: Vec<Box<dyn Bot>> = bots.into_iter().map(|bot| Box::new(bot) as Box<dyn Bot>).collect();
        let resume = self.resume_command();
        let stop =
            on_interrupt(round_is_finished, self.presentation.display.leave).map_err(Failure::broke)?;
        let stop = || stop.load(Ordering::Relaxed);
        if let Floor::Many { .. } = self.floor {
            let mut books = self.books()?;
            let Floor::Many { event, .. } = &mut self.floor else { unreachable!("it was one a moment ago") };
            let mut company = EventBots::new(bots, own(&self.seed)).in_play(boxed(&mut self.opponents));
            let ending = play_event(event, &mut company, &mut books, self.jobs, stop).map_err(lost)?;
            drop(books);
            return self.conclude(ending, resume);
        }
        let mut bots = bots;
        let mut record = self.record()?;
        let Floor::One(tournament) = &mut self.floor else { unreachable!("it is one or the other") };
        let ending = play_until(tournament, &mut bots, &mut record, stop).map_err(lost)?;
        drop(record);
        self.conclude(ending, resume)
    }

    /// Plays with everybody who sits there. True if the people in charge want another tournament after it.
    pub(crate) async fn networked(
        mut self,
        seated: Vec<SeatedPlayer>,
        limits: ConnectionLimits,
    ) -> Result<bool, Failure> {
        let resume = self.resume_command();
        let controls = match &self.room {
            Some(room) => room.console_state().controls().clone(),
            None => ControlHandle::default(),
        };
        if self.number == 1 && self.presentation.pace > 0 {
            controls.set_pace(Duration::from_millis(self.presentation.pace));
        }
        let (woken, room) = (controls.clone(), self.room.clone());
        let first = move || {
            if room.is_none_or(|room| room.interrupt()) {
                round_is_finished();
            }
            woken.wake();
        };
        let stop = on_interrupt(first, self.presentation.display.leave).map_err(Failure::broke)?;
        let stop = || stop.load(Ordering::Relaxed);
        let (ending, mut record) = if let Floor::Many { .. } = self.floor {
            let mut books = self.books()?;
            let Floor::Many { event, .. } = &mut self.floor else { unreachable!("it was one a moment ago") };
            let hall = EventHost::new(seated, limits, own(&self.seed)).under(controls.control());
            let hall = hall.in_play(boxed(&mut self.opponents));
            let ending = hall.play(event, &mut books, stop).await.map_err(lost)?;
            (ending, books.close())
        } else {
            let mut record = self.record()?;
            let Floor::One(tournament) = &mut self.floor else { unreachable!("it is one or the other") };
            let seats = TableHost::new(seated, limits).under(controls.control());
            let ending = seats.play(tournament, &mut record, stop).await.map_err(lost)?;
            (ending, record)
        };
        let Some(room) = self.room.clone() else {
            drop(record);
            return self.conclude(ending, resume).map(|()| false);
        };
        let outcome = self.announce(ending, resume)?;
        let stay = self.presentation.stay.map(Duration::from_secs);
        if stay.is_none() && ending == Ending::Played {
            output::remark("The page stays until Ctrl-C is pressed.");
        }
        let goes_on = room.linger(&mut record, stay).await.map_err(lost)?;
        drop(record);
        self.report()?;
        self.tidy(&outcome)?;
        Ok(goes_on)
    }

    /// The same for an event.
    fn books(&mut self) -> Result<DayRecorders, Failure> {
        let journal = self.journal.take().map(|(path, journal)| {
            self.journal_path = Some(path);
            journal
        });
        let mut output = Output::stdout();
        self.begin(&mut output)?;
        let show = self.presentation.is_chatty().then_some(output);
        let begin = EventStart {
            number: self.number,
            journal: self.journal_path.clone(),
            folder: self.folder.path.clone(),
        };
        let mut books = DayRecorders::new(&self.header, &self.seed, journal, self.room.clone(), begin, show);
        if let Some(event) = self.floor.event() {
            books.go_on(event);
        }
        Ok(books)
    }

    /// Says what has to be said before the first deal.
    fn begin(&self, output: &mut Output) -> Result<(), Failure> {
        let chatty = self.presentation.is_chatty();
        match (self.seed.promise(), chatty) {
            (Some(promise), true) => {
                output.line(format_args!("The seed is drawn; its SHA-256 is {promise}."))?;
                output.line("The seed itself is shown at the end, so that every deck can be checked.")?;
            }
            (Some(promise), false) => output::remark(&format!("SHA-256 of the seed: {promise}")),
            (None, true) => output.line(format_args!("The seed is {:?}.", self.seed.text()))?,
            (None, false) => {}
        }
        if !chatty {
            return Ok(());
        }
        let players = self.header.roster();
        let playing = self.floor.playing_on();
        let names: Vec<&str> = playing.iter().map(|player| players[*player].name.as_str()).collect();
        match self.floor {
            Floor::One(_) => {
                output.line(format_args!("At the table, in seat order: {}.", names.join(", ")))?
            }
            Floor::Many { .. } => {
                output.line(format_args!("{} players: {}.", names.len(), names.join(", ")))?
            }
        }
        output.line("")?;
        output.flush()
    }

    /// Opens the show, says what has to be said before the first deal, and gives out who keeps what happens.
    fn record(&mut self) -> Result<Vec<Box<dyn Recorder>>, Failure> {
        let mut record: Vec<Box<dyn Recorder>> = Vec::new();
        if let Some((path, journal)) = self.journal.take() {
            record.push(Box::new(journal));
            self.journal_path = Some(path);
        }
        if let Some(room) = &self.room {
            let programme = TournamentInfo::new(&self.header, &self.seed, self.number);
            let members = members(&self.header);
            let folder = Some(self.folder.path.clone());
            let mut window = room.begin(programme, members, self.journal_path.clone(), folder);
            window.catch_up(self.floor.game());
            record.push(Box::new(window));
        }
        let mut output = Output::stdout();
        self.begin(&mut output)?;
        if self.presentation.is_chatty() {
            let players = self.header.roster();
            let rounds = self.header.rounds;
            record.push((self.presentation.display.table)(output, &players, rounds));
        }
        Ok(record)
    }

    /// The command line that goes on with this tournament, if it is recorded.
    fn resume_command(&self) -> Option<String> {
        let (journal, _) = self.journal.as_ref()?;
        let mut words = vec!["casino resume".to_string(), quoted(&journal.to_string_lossy())];
        let remote = self.header.players.iter().any(|player| player.plays == PlayerSource::Remote);
        if let (Some(address), true) = (self.address, remote) {
            words.push(format!("--bind {address}"));
        }
        if let Some(folder) = &self.presentation.out {
            words.push(format!("--out {}", quoted(&folder.to_string_lossy())));
        }
        Some(words.join(" "))
    }

    /// Says who came where.
    pub(crate) fn conclude(self, ending: Ending, resume: Option<String>) -> Result<(), Failure> {
        let outcome = self.announce(ending, resume)?;
        self.report()?;
        self.tidy(&outcome)
    }

    /// Writes the report of the journal into the folder somebody named, if both are there.
    fn report(&self) -> Result<(), Failure> {
        match (&self.journal_path, &self.presentation.out) {
            (Some(journal), Some(folder)) => write(journal, folder, REPLAY, self.number).map(|_| ()),
            _ => Ok(()),
        }
    }

    fn announce(&self, ending: Ending, resume: Option<String>) -> Result<Outcome, Failure> {
        let players: Vec<Player> = self.header.roster();
        let standings = self.floor.standings();
        let resume = resume.filter(|_| ending == Ending::Stopped);
        let outcome = Outcome {
            seed: resume.is_none().then(|| self.seed.text().to_string()),
            promise: self.seed.promise(),
            rounds: self.floor.rounds_played(),
            ended: match ending {
                Ending::Played => "played",
                Ending::Stopped => "stopped",
            },
            resume,
            forfeited: self.floor.forfeited(),
            standings: StandingLine::all(&standings, &players),
            levels: self.floor.event().map(|event| levels(event, &players)),
        };
        let json = serde_json::to_string(&outcome).map_err(Failure::broke)?;
        if let Some(folder) = &self.presentation.out {
            write_private(&numbered(folder.join("result.json"), self.number), &json)?;
        }
        if let Some(room) = &self.room {
            room.end(
                BoardRow::all(&standings),
                outcome.rounds,
                ending == Ending::Stopped,
                json.clone(),
                outcome.seed.clone(),
            );
        }
        let mut output = Output::stdout();
        if self.presentation.json {
            output.line(json)?;
        } else {
            self.final_table(&outcome, &standings, &players, &mut output)?;
        }
        output.flush()?;
        Ok(outcome)
    }

    fn final_table(
        &self,
        outcome: &Outcome,
        standings: &Standings,
        players: &[Player],
        output: &mut Output,
    ) -> Result<(), Failure> {
        let how = match outcome.ended {
            "stopped" => ", stopped early",
            _ => "",
        };
        let forfeited = match outcome.forfeited {
            0 => String::new(),
            chips => format!(", {chips} chips forfeited"),
        };
        output.line(format_args!("\nAfter {} rounds{how}{forfeited}:", outcome.rounds))?;
        let width = players.iter().map(|player| player.name.chars().count()).max().unwrap_or(0);
        for Standing { place, player, chips, exit, points } in standings.places() {
            let left = match exit {
                Some(exit) => format!("left in round {}: {}", exit.round, in_public(&exit.why, players)),
                None if outcome.ended == "stopped" => "still in".to_string(),
                None => "in until the end".to_string(),
            };
            let name = &players[*player].name;
            match points {
                Some(points) => {
                    output.line(format_args!("{place:>3}. {name:<width$} {points:>8} points  {left}"))?
                }
                None => output.line(format_args!("{place:>3}. {name:<width$} {chips:>8}  {left}"))?,
            }
        }
        match (&outcome.resume, &outcome.seed) {
            (Some(command), _) => {
                output.line(format_args!("\nEverything is recorded. To go on:\n  {command}"))?;
            }
            (None, Some(seed)) if self.seed.is_drawn() => {
                output.line(format_args!("\nThe seed was {seed}."))?;
            }
            _ => {}
        }
        Ok(())
    }

    /// Throws the outputs of programs away if the folder is only lent and nobody will want to read them.
    fn tidy(&self, outcome: &Outcome) -> Result<(), Failure> {
        let programs: Vec<&str> = self
            .header
            .players
            .iter()
            .filter(|player| matches!(player.plays, PlayerSource::Program { .. }))
            .map(|player| player.name.as_str())
            .collect();
        if !self.folder.lent || programs.is_empty() {
            return Ok(());
        }
        let fouled = |standing: &StandingLine| standing.how.as_ref().is_some_and(|how| how != "out of chips");
        let told = outcome
            .standings
            .iter()
            .any(|standing| programs.contains(&standing.name.as_str()) && fouled(standing));
        if told {
            if self.presentation.json {
                return Ok(());
            }
            let mut output = Output::stdout();
            output.line(format_args!("\nWhat the programs printed is in {}.", self.folder.path.display()))?;
            return output.flush();
        }
        // A folder of a few log files that cannot be removed is no reason to fail.
        let _ = fs::remove_dir_all(&self.folder.path);
        Ok(())
    }
}

/// How many threads are wanted; all cores if nobody says.
pub(crate) fn jobs(wanted: Option<NonZero<usize>>) -> NonZero<usize> {
    wanted.or_else(|| std::thread::available_parallelism().ok()).unwrap_or(NonZero::<usize>::MIN)
}

/// How many threads serve the sockets of this: one table has one.
pub(crate) fn threads(floor: &Floor, wanted: Option<NonZero<usize>>) -> NonZero<usize> {
    match floor {
        Floor::One(_) => NonZero::<usize>::MIN,
        Floor::Many { .. } => jobs(wanted),
    }
}

/// Makes the house's own of a gauntlet.
fn own(seed: &Seed) -> impl Fn(&str) -> Box<dyn Bot> + Send + 'static {
    let seed = seed.clone();
    move |name| Box::new(opponent(name, &seed))
}

fn boxed(bots: &mut Vec<Option<HousePlayer>>) -> Vec<Option<Box<dyn Bot>>> {
    std::mem::take(bots).into_iter().map(|bot| bot.map(|bot| Box::new(bot) as Box<dyn Bot>)).collect()
}

/// A word of a command line as a shell takes it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "/._-+,:@%=".contains(c);
    match !word.is_empty() && !word.starts_with('-') && word.chars().all(plain) {
        true => word.to_string(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

fn write_private(path: &Path, text: &str) -> Result<(), Failure> {
    use std::io::Write;
    use std::os::unix::fs::OpenOptionsExt;
    let write = || -> io::Result<()> {
        let mut file =
            fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path)?;
        writeln!(file, "{text}")
    };
    write().map_err(|error| Failure::Broke(format!("{} cannot be written: {error}", path.display())))
}

/// What could not be recorded was not announced: that is all that can be said.
fn lost(error: io::Error) -> Failure {
    match error.kind() {
        io::ErrorKind::BrokenPipe => Failure::NobodyReads,
        _ => Failure::Broke(format!(
            "the tournament was stopped, because what happened could not be recorded any more: {error}. Nothing \
             was announced that is not in the journal; once there is room again, casino resume goes on from there"
        )),
    }
}

fn round_is_finished() {
    output::remark("The round is played to its end; press Ctrl-C again to stop at once.");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_for_the_shell() {
        assert_eq!(quoted("runs/day-1.jsonl"), "runs/day-1.jsonl");
        assert_eq!(quoted("casino day.jsonl"), "'casino day.jsonl'");
        assert_eq!(quoted("it's"), "'it'\\''s'");
        assert_eq!(quoted("$(x)"), "'$(x)'");
        assert_eq!(quoted(""), "''");
    }
}
