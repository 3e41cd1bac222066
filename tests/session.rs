//! A day of tournaments without the command line: from the settings to the result, stopped and resumed, and hosted on
//! the loopback address.
#![allow(clippy::unwrap_used, reason = "nothing here is outside a test")]

#[path = "support/mod.rs"]
mod support;

use std::error::Error;
use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use casino_day::session::{
    DayNotice, DayNotices, Interruption, LobbyChange, NewDay, NewTournament, Opening, Options, PersonSeat,
    SessionError, Showing, StoppedTournament, TournamentStart, resume,
};
use casino_host::{LocalPlayers, Spec};
use casino_show::rounds::{BoardRow, TournamentInfo};
use casino_show::state::LobbyView;
use casino_stud::table::TableEvent;
use casino_stud::tournament::{
    Ending, Event, EventPlan, NoRecorder, Recorder, SharedRecorder, TableGame, TableRecorder,
};
use serde_json::Value;
use support::client::{Whereabouts, player};
use support::host::scratch;

#[derive(Default)]
struct Told {
    /// The results, in order.
    results: Mutex<Vec<(Ending, Value)>>,
    /// The other notices, in short.
    notices: Arc<Mutex<Vec<String>>>,
    host: Whereabouts,
    interrupt_in: Option<u64>,
    page: Option<LobbyPage>,
}

impl DayNotices for Told {
    fn notify(&self, notice: &DayNotice<'_>) -> io::Result<()> {
        let mut notices = self.notices.lock().unwrap();
        match notice {
            DayNotice::Listening(address) => self.host.tell(*address),
            DayNotice::Lobby(lobby) => {
                if let LobbyChange::Entered(_) = lobby.what {
                    notices.push(format!("{} of {} in", lobby.inside, lobby.wanted));
                }
            }
            DayNotice::GoesOn(round) => notices.push(format!("goes on with round {round}")),
            DayNotice::RoundLimit(rounds) => notices.push(format!("at most {rounds} rounds")),
            DayNotice::Stopping => notices.push("stopping".to_string()),
            DayNotice::Concluded(conclusion) => {
                let json = serde_json::from_str(&conclusion.json).unwrap();
                self.results.lock().unwrap().push((conclusion.ending, json));
            }
            _ => {}
        }
        Ok(())
    }

    fn begin(&self, start: &TournamentStart<'_>) -> io::Result<Option<Box<dyn Recorder>>> {
        assert!(start.playing.iter().all(|player| *player < start.players.len()));
        Ok(self.interrupt_in.map(|round| {
            Box::new(SharedRecorder::new(Interrupter(round, Arc::clone(&self.notices)))) as Box<dyn Recorder>
        }))
    }

    fn open(&self, _: Opening) -> Result<Box<dyn Showing>, Box<dyn Error + Send + Sync>> {
        Ok(Box::new(self.page.clone().ok_or("there is no page")?))
    }

    fn how_to_resume(&self, stopped: &StoppedTournament<'_>) -> String {
        format!("go on with {}", stopped.journal.display())
    }
}

impl Told {
    fn only_result(&self) -> (Ending, Value) {
        let results = self.results.lock().unwrap();
        assert_eq!(results.len(), 1);
        results[0].clone()
    }
}

/// Interrupts this process in a round, as Ctrl-C does, and waits until that is noticed.
struct Interrupter(u64, Arc<Mutex<Vec<String>>>);

impl TableRecorder for Interrupter {
    fn event(&mut self, table: &TableGame, event: &TableEvent) -> io::Result<()> {
        if table.table().round_number() == self.0 && matches!(event, TableEvent::Dealt { .. }) {
            nix::sys::signal::raise(nix::sys::signal::Signal::SIGINT).unwrap();
            let begun = Instant::now();
            while !self.1.lock().unwrap().contains(&"stopping".to_string()) {
                assert!(begun.elapsed() < Duration::from_secs(120), "the interrupt is not noticed");
                std::thread::sleep(Duration::from_millis(5));
            }
        }
        Ok(())
    }
}

/// Held by tests that interrupt this process, or would be interrupted.
static INTERRUPTS: Mutex<()> = Mutex::new(());

fn new(bots: &[&str], rounds: u64, journal: Option<PathBuf>) -> NewTournament {
    let specs: Vec<Spec> = bots.iter().map(|bot| Spec::find(bot).unwrap()).collect();
    let mut new = NewTournament::new(LocalPlayers::new(&specs).unwrap(), EventPlan::single_table());
    (new.terms.rounds, new.rounds_are_usual) = (Some(rounds), false);
    NewTournament { seed: Some("session".to_string()), journal, ..new }
}

#[test]
fn a_stopped_day_is_resumed_to_the_same_result() {
    let _alone = INTERRUPTS.lock();
    let bots = ["cautious", "bold", "random*2"];
    let whole = Arc::new(Told::default());
    let out = scratch("whole");
    let options = Options { out: Some(out.clone()), ..Options::default() };
    NewDay::new(new(&bots, 60, None), options, whole.clone()).unwrap().play().unwrap();
    let (ending, result) = whole.only_result();
    assert_eq!(ending, Ending::Played);
    assert_eq!(result["rounds"], 60);
    let written = std::fs::read_to_string(out.join("result.json")).unwrap();
    assert_eq!(serde_json::from_str::<Value>(&written).unwrap(), result);
    assert!(out.join("journal.jsonl").is_file() && out.join("report.html").is_file());

    let journal = scratch("stopped").join("day.jsonl");
    let stopped = Arc::new(Told { interrupt_in: Some(20), ..Told::default() });
    let day = NewDay::new(new(&bots, 60, Some(journal.clone())), Options::default(), stopped.clone());
    day.unwrap().play().unwrap();
    let (ending, part) = stopped.only_result();
    assert_eq!((ending, part["rounds"].as_u64()), (Ending::Stopped, Some(20)));
    assert_eq!(part["resume"], format!("go on with {}", journal.display()));
    assert!(part.get("seed").is_none(), "the seed of a tournament that can go on was told");
    assert_eq!(*stopped.notices.lock().unwrap(), ["stopping"]);

    let resumed = Arc::new(Told::default());
    resume(&journal, None, Options::default(), resumed.clone()).unwrap();
    assert_eq!(resumed.only_result(), (Ending::Played, result));
}

/// A page that is nothing but its lobby.
#[derive(Clone, Default)]
struct LobbyPage(Arc<Mutex<Vec<LobbyView>>>);

impl Showing for LobbyPage {
    fn page(&self) -> Option<SocketAddr> {
        None
    }

    fn console(&self) -> Option<SocketAddr> {
        None
    }

    fn lobby(&self, lobby: LobbyView) {
        self.0.lock().unwrap().push(lobby);
    }

    fn begin(&self, _: TournamentInfo, _: &Event, _: Option<Interruption>) -> Box<dyn Recorder> {
        Box::new(NoRecorder)
    }

    fn seat(&self, _: &[String], _: Vec<PersonSeat>, _: bool) -> Vec<Box<dyn Recorder>> {
        Vec::new()
    }

    fn end(&self, _: Vec<BoardRow>, _: u64, _: bool) {}

    fn reveal(&self, _: String) {}

    fn is_over(&self) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        Box::pin(std::future::ready(()))
    }
}

/// A player that left in a round not shown yet is in the lobby after an interruption, and the resumed round is the next
/// one shown.
#[test]
fn a_resumed_lobby_reveals_no_unshown_round() {
    let _alone = INTERRUPTS.lock();
    let journal = scratch("unseen").join("day.jsonl");
    let mut small = new(&["caller*6"], 400, Some(journal.clone()));
    small.terms.stack = 20;
    NewDay::new(small, Options::default(), Arc::new(Told::default())).unwrap().play().unwrap();
    let recorded = std::fs::read_to_string(&journal).unwrap();
    let lines: Vec<Value> = recorded.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let left = lines.iter().position(|line| line["type"] == "left").unwrap();
    let end = left + lines[left..].iter().position(|line| line["type"] == "end").unwrap();
    let round = lines[end]["round"].as_u64().unwrap();
    assert!(round > 1);
    // The room has surely seen the end of the last but one recorded round, and no more.
    let later = lines[end + 1..].iter().filter(|line| line["type"] == "end").nth(1);
    assert_eq!(later.map(|end| &end["round"]), Some(&Value::from(round + 2)));
    let until = |last: u64| {
        let is_end = |line: &Value| line["type"] == "end" && line["round"] == last;
        let lines = lines.iter().position(is_end).unwrap() + 1;
        recorded.split_inclusive('\n').take(lines).collect::<String>()
    };
    for (last, inside) in [(round, 6), (round + 1, 6), (round + 2, 6 - 1)] {
        std::fs::write(&journal, until(last)).unwrap();
        let page = LobbyPage::default();
        let told = Arc::new(Told { page: Some(page.clone()), ..Told::default() });
        let here = "127.0.0.1:0".parse().ok();
        let options = Options { page: here, stay: Some(Duration::ZERO), ..Options::default() };
        resume(&journal, None, options, told).unwrap();
        let lobbies = page.0.lock().unwrap();
        let first = lobbies.first().unwrap();
        assert_eq!((first.wanted, first.guests.len()), (inside, inside), "round {last} is recorded");
        assert_eq!(first.next, Some(format!("it continues with round {}", last - 1)));
    }
}

#[test]
fn a_hosted_day_seats_guests_and_named_bots_at_one_table() {
    let _alone = INTERRUPTS.lock();
    let told = Arc::new(Told::default());
    let players: Vec<_> = ["ann", "ben"].map(|id| player(id, false, &told.host)).into();
    let day = NewDay::new(new(&["odds"], 40, None), Options::default(), told.clone()).unwrap();
    day.host("127.0.0.1:0".parse().unwrap(), 2).unwrap();
    told.host.close();
    for player in players {
        assert!(player.join().unwrap().iter().any(|text| text.starts_with("done")));
    }
    let (ending, result) = told.only_result();
    assert_eq!((ending, result["standings"].as_array().unwrap().len()), (Ending::Played, 3));
    // The house bot is in too, as on the page.
    assert_eq!(*told.notices.lock().unwrap(), ["2 of 3 in", "3 of 3 in"]);
}

#[test]
fn a_day_that_cannot_begin_reports_its_reason() {
    let told = Arc::new(Told::default());
    let alone = NewDay::new(new(&["odds"], 1, None), Options::default(), told.clone()).unwrap();
    let error = alone.play().unwrap_err();
    assert!(matches!(error, SessionError::TooFewPlayers { players: 1 }) && error.is_usage(), "{error}");
    let journal = scratch("there").join("day.jsonl");
    std::fs::write(&journal, "").unwrap();
    let error = NewDay::new(new(&["odds*2"], 1, Some(journal.clone())), Options::default(), told.clone());
    assert!(matches!(error.err(), Some(SessionError::JournalExists { path }) if path == journal));
    let error = resume(&journal, None, Options::default(), told).unwrap_err();
    assert!(matches!(error, SessionError::NotResumable { .. }) && error.is_usage(), "{error}");
    assert!(std::error::Error::source(&error).is_some());
}
