//! Players who enter late, over real sockets: the messages of all players, and a complete record.
#![allow(clippy::unwrap_used, reason = "nothing here is outside a test")]

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use casino_host::{
    Admission, ConnectionLimits, ControlHandle, EventHost, LateDoor, Lobby, LobbyNews, Refusal, SeatedPlayer,
    block_on,
};
use casino_stud::cards::Seed;
use casino_stud::journal::{Durability, Header, Journal, JournalLine, PlayerSource, Reader, Terms};
use casino_stud::protocol::Login;
use casino_stud::replay::{HouseBots, JournalEnd, Replay, verify};
use casino_stud::table::TableEvent;
use casino_stud::tournament::{
    Entrant, EventPlan, Newcomer, Recorder, Roster, SharedRecorder, TableGame, TableRecorder,
};

use crate::support::Memory;
use crate::support::client::{visit, visit_aloud};
use crate::support::host::{Folder, Host, casino, run};

/// After this round the host waits for two late entrants: `eve` for the first time and `bob` for the second.
const BEFORE: u64 = 3;

/// The last round with late entry. After it the host waits for `gus`, who first has to wait and then is refused.
const LAST: u64 = 5;

/// After this round it waits for `fay`, whom the lobby refuses at once.
const AFTER: u64 = 6;

type Guest = JoinHandle<Vec<String>>;

fn guest(address: SocketAddr, id: &'static str) -> Guest {
    thread::spawn(move || {
        let mut told = Vec::new();
        visit(address, id, false, &mut told).unwrap();
        told
    })
}

/// Lets guests come between two rounds, and makes the host wait until the lobby has reported them.
struct Latecomers {
    controls: ControlHandle,
    address: SocketAddr,
    guests: Arc<Mutex<Vec<Guest>>>,
}

impl TableRecorder for Latecomers {
    fn event(&mut self, game: &TableGame, event: &TableEvent) -> io::Result<()> {
        let coming: &[&str] = match (event, game.table().round_number()) {
            (TableEvent::Ended, BEFORE) => &["eve", "bob"],
            (TableEvent::Ended, LAST) => &["gus"],
            (TableEvent::Ended, AFTER) => &["fay"],
            _ => return Ok(()),
        };
        self.controls.pause();
        self.guests.lock().unwrap().extend(coming.iter().map(|id| guest(self.address, id)));
        Ok(())
    }
}

struct Played {
    journal: Vec<u8>,
    /// The messages of each late player.
    late: Vec<Vec<String>>,
    /// The guests admitted or refused after the beginning.
    news: Vec<LobbyNews>,
}

fn newcomer(
    players: &[casino_stud::tournament::Player],
    login: &Login,
    from: IpAddr,
) -> Result<Newcomer, Refusal> {
    if players.iter().any(|player| player.github_id == login.github_id) {
        return Err(Refusal::Inside);
    }
    let entrant = Entrant::new(&login.github_id, &login.avatar);
    Ok(Newcomer::among(players, &entrant, from))
}

fn play() -> Played {
    let memory = Memory::default();
    let store = memory.clone();
    let guests: Arc<Mutex<Vec<Guest>>> = Arc::default();
    let news: Arc<Mutex<Vec<LobbyNews>>> = Arc::default();
    let mut early = Vec::new();
    let played: io::Result<()> = block_on(async {
        let mut lobby = Lobby::bind(([127, 0, 0, 1], 0).into(), ConnectionLimits::default()).await.unwrap();
        let address = lobby.address().unwrap();
        early.extend(["ada", "bob", "cyd"].map(|id| guest(address, id)));
        let came = lobby.gather(3, |_, _| Admission::Welcome, |_| {}).await;
        let controls = ControlHandle::default();
        let (door, goes_on, heard) = (LateDoor::open(), controls.clone(), Arc::clone(&news));
        let hears_too = Arc::clone(&news);
        let _doors = lobby.close_but_for(
            door.clone(),
            |_, _| Ok(()),
            move |piece| {
                let mut heard = heard.lock().unwrap();
                heard.push(piece);
                // All expected guests have come.
                if heard.len() >= 2 {
                    goes_on.resume();
                }
            },
        );
        let seed = Seed::chosen("late");
        let (logins, connections): (Vec<_>, Vec<_>) =
            came.into_iter().map(|guest| (guest.login, Some(guest.connection))).unzip();
        let mut connections = connections;
        let entrant = |login: Login| Entrant::new(login.github_id, login.avatar);
        let roster = Roster::new(&logins.into_iter().map(entrant).collect::<Vec<_>>(), &seed);
        let seats = roster.entrants().iter();
        let seated = seats.map(|index| SeatedPlayer::Remote(connections[*index].take().unwrap())).collect();
        let plan = EventPlan { late_entry: Some(LAST), ..EventPlan::single_table() };
        let terms = Terms { plan, reply_ms: 60_000, ..Terms::single_table(200, 12) };
        let players = roster.players().to_vec();
        let plays = players.iter().map(|player| (player.clone(), PlayerSource::Remote));
        let header = Header::new(terms, &seed, plays);
        let journal = Journal::begin(Box::new(store), header.clone(), Durability::EveryRound)?;
        let limits = ConnectionLimits { reply: Duration::from_secs(60), ..ConnectionLimits::default() };
        let host = EventHost::new(seated, limits).under(controls.control());
        let newcomer = move |login: &Login, from: IpAddr| newcomer(&players, login, from);
        let host = host.letting_in(door, newcomer, move |piece| hears_too.lock().unwrap().push(piece));
        let late = Latecomers { controls, address, guests: Arc::clone(&guests) };
        let mut record: Vec<Box<dyn Recorder>> = vec![Box::new(journal), Box::new(SharedRecorder::new(late))];
        let mut event = header.event().unwrap();
        host.play(&mut event, &mut record, || false).await.map(|_| ())
    })
    .unwrap();
    played.unwrap();
    early.into_iter().for_each(|guest| drop(guest.join().unwrap()));
    let guests = std::mem::take(&mut *guests.lock().unwrap());
    let late = guests.into_iter().map(|guest| guest.join().unwrap()).collect();
    let news = std::mem::take(&mut *news.lock().unwrap());
    Played { journal: memory.bytes(), late, news }
}

#[test]
fn only_entrants_in_time_are_admitted() {
    let Played { journal, late, news } = play();
    let [eve, bob, gus, fay] = &late[..] else { panic!("four came: {late:?}") };
    assert!(eve.len() > 1 && eve[0].starts_with("status:"), "{eve:?}");
    assert!(eve.last().unwrap().starts_with("done:"), "{eve:?}");
    assert_eq!(bob, &["done:You are not in the game: a player with this GitHubId has already connected."]);
    let too_late = "the game has begun, and its round 5 was the last for late entry";
    for one in [gus, fay] {
        assert_eq!(one, &[format!("done:You are not in the game: {too_late}.")]);
    }
    let told = |piece: &LobbyNews| match piece {
        LobbyNews::Refused { login, why, .. } => {
            (login.as_ref().map(|login| login.github_id.clone()), why.to_string())
        }
        LobbyNews::Entered(login) => (Some(login.github_id.clone()), "waits".to_string()),
        other => panic!("{other:?}"),
    };
    let mut told: Vec<_> = news.iter().map(told).collect();
    // The first two come at the same time.
    told[..2].sort();
    let is = |id: Option<&str>, what: &str| (id.map(str::to_string), what.to_string());
    let inside = "a player with this GitHubId has already connected";
    assert_eq!(
        told,
        [
            is(Some("bob"), "waits"),
            is(Some("eve"), "waits"),
            is(Some("bob"), inside),
            is(Some("gus"), "waits"),
            is(Some("gus"), too_late),
            is(None, too_late),
        ]
    );

    let verified = verify(&journal[..], |_| {}).unwrap();
    assert_eq!((verified.end, verified.rounds), (JournalEnd::Over, 12));
    let lines: Vec<JournalLine> =
        Reader::new(&journal[..]).unwrap().map(|entry| entry.unwrap().line).collect();
    let at = lines.iter().position(|line| matches!(line, JournalLine::Entry(_))).unwrap();
    let JournalLine::Entry(entered) = &lines[at] else { unreachable!() };
    assert_eq!((entered.seat, entered.name.as_str(), entered.github_id.as_str()), (4, "The eve", "eve"));
    let JournalLine::Level { level: 1, seating: 2, round: 4, rounds: 9, tables, .. } = &lines[at + 1] else {
        panic!("{:?}", lines[at + 1])
    };
    assert_eq!(tables[0].players.last(), Some(&4));
    assert_eq!(tables[0].stacks.last(), Some(&200));
    assert_eq!(tables[0].stacks.iter().sum::<u32>(), 4 * 200);
}

#[test]
fn a_journal_with_a_newcomer_is_rebuilt_from_every_prefix() {
    let Played { journal, .. } = play();
    let (mut players, mut between) = (Vec::new(), 0);
    for (end, _) in journal.iter().enumerate().filter(|(_, byte)| **byte == b'\n') {
        let replay = Replay::new(Reader::new(&journal[..=end]).unwrap(), HouseBots::Recomputed).unwrap();
        let rebuilt = replay.rebuild().unwrap();
        assert_eq!(rebuilt.header.players.len(), rebuilt.event.players());
        assert_eq!(rebuilt.players.len(), rebuilt.event.players());
        players.push(rebuilt.event.players());
        // Where the host died between the two lines of a newcomer, the tables are seated as they would have been.
        let last = journal[..end].split(|byte| *byte == b'\n').next_back().unwrap();
        if last.starts_with(br#"{"type":"entry""#) {
            let (mut event, mut line) = (rebuilt.event, Vec::new());
            assert!(event.due().is_none() && event.next_level());
            JournalLine::level(&event).write(&mut line);
            assert!(journal[end + 1..].starts_with(&line));
            between += 1;
        }
    }
    assert_eq!(between, 1);
    assert!(players.contains(&3) && players.ends_with(&[4]) && players.is_sorted(), "{players:?}");
}

/// The real program plays until a player has entered late: then the others disconnect, and the newcomer wins, under its
/// name from the roster.
#[test]
fn the_program_lets_a_player_of_the_roster_in_and_ranks_it() {
    let folder = Folder::new("late");
    std::fs::write(folder.file("class.csv"), "github_id,name\nada,Ada\nbob,Bob\nlate,Lateness\n").unwrap();
    let (roster, journal) = (folder.path("class.csv"), folder.path("late.jsonl"));
    let mut command = casino();
    command.args(["host", "--bind", "127.0.0.1:0", "--players", "3", "--bot", "caller", "--json"]);
    command.args(["--rounds", "1000000", "--stack", "10000000", "--reply-ms", "60000", "--seed", "late"]);
    command.args(["--late-entry", "1000000", "--roster", &roster, "--journal", &journal]);
    let mut host = Host::start(&mut command);
    let address = host.address().unwrap();
    let (playing, came) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
    let early = ["ada", "bob"].map(|id| {
        let (playing, came) = (Arc::clone(&playing), Arc::clone(&came));
        thread::spawn(move || {
            let mut hear = |_| {
                playing.store(true, Ordering::Relaxed);
                if came.load(Ordering::Relaxed) {
                    // It disconnects, without a message on standard error.
                    std::panic::resume_unwind(Box::new(()));
                }
            };
            let _ = visit_aloud(address, id, false, &mut hear);
        })
    });
    while !playing.load(Ordering::Relaxed) {
        thread::yield_now();
    }
    let mut told = Vec::new();
    let mut hear = |words: String| {
        told.push(words);
        came.store(told.len() >= 3, Ordering::Relaxed);
        // The house bot calls forever, and the newcomer has played enough.
        assert!(told.len() < 100_000, "the others have hung up");
    };
    let outcome = thread::scope(|scope| {
        let ended = scope.spawn(|| {
            early.into_iter().for_each(|guest| drop(guest.join()));
            host.signal(nix::sys::signal::Signal::SIGTERM);
            host.wait()
        });
        assert!(visit_aloud(address, "late", false, &mut hear).unwrap());
        ended.join().unwrap()
    });
    assert!(outcome.status.success(), "{}", outcome.stderr);
    let result: serde_json::Value = serde_json::from_str(&outcome.stdout).unwrap();
    let rows = result["standings"].as_array().unwrap();
    let row = |id: &str| rows.iter().find(|row| row["github_id"] == id).unwrap();
    assert_eq!((&row("late")["place"], &row("late")["name"]), (&1.into(), &"Lateness".into()));
    assert_eq!(row("house:caller")["place"], serde_json::Value::Null);
    assert!(told.last().unwrap().starts_with("done:"), "{told:?}");
    assert!(run(&["verify", &journal]).status.success());
    let replayed = run(&["replay", &journal, "--round", "1"]);
    assert!(replayed.status.success(), "{}", replayed.stderr);

    // A resuming host expects it like the others.
    let mut host = Host::start(casino().args(["resume", &journal, "--bind", "127.0.0.1:0", "--json"]));
    let address = host.address().unwrap();
    let mut heard = 0;
    let mut hear = |_| {
        heard += 1;
        if heard == 2 {
            host.signal(nix::sys::signal::Signal::SIGTERM);
        }
    };
    assert!(visit_aloud(address, "late", false, &mut hear).unwrap());
    let outcome = host.wait();
    assert!(outcome.status.success(), "{}", outcome.stderr);
    assert!(outcome.stdout.contains("Lateness"), "{}", outcome.stdout);
    assert!(run(&["verify", &journal]).status.success());
}
