//! People at a table: their messages, their time, and the secrecy of their cards.

use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::BytesMut;
use casino_host::driven::{MemoryListener, MemorySocket};
use casino_host::{
    Admission, Chair, ChairHandle, ConnectionLimits, EventHost, Listener, Lobby, SeatedPlayer,
};
use casino_show::rounds::TableView;
use casino_stud::cards::{Card, Notation, Seed};
use casino_stud::journal::{Durability, Header, Journal, PlayerSource, Terms};
use casino_stud::protocol::{Command, modified_utf8};
use casino_stud::replay::{JournalEnd, PublicEvent, PublicRound, verify};
use casino_stud::strategies::HouseBot;
use casino_stud::stud::Chips;
use casino_stud::table::{Question, Reply, TableEvent};
use casino_stud::tournament::{
    Entrant, EventPlan, Format, NoRecorder, Recorder, Roster, SharedRecorder, TableGame, TableRecorder,
};
use tokio::time::Instant;

use crate::support::host::{Host, casino, run};
use crate::support::{Memory, outcome, settled_reply};

const THINK: Duration = Duration::from_secs(60);

/// Runs a test on a clock that jumps to the next deadline whenever all tasks are idle.
fn on_a_jumping_clock<T>(test: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build();
    runtime.unwrap().block_on(tokio::task::LocalSet::new().run_until(test))
}

/// The header of a table of these players, house bots by name and the others by their source; and the seat of each.
fn header(seed: &Seed, players: &[(&str, PlayerSource)], rounds: u64, stack: Chips) -> (Header, Vec<usize>) {
    let entrants: Vec<Entrant> = players.iter().map(|(name, _)| Entrant::new(*name, *name)).collect();
    let roster = Roster::new(&entrants, seed);
    let terms = Terms { reply_ms: 60_000, house_counts: true, ..Terms::single_table(stack, rounds) };
    let sources = roster.entrants().iter().map(|index| players[*index].1.clone());
    let header = Header::new(terms, seed, roster.players().iter().cloned().zip(sources));
    (header, roster.entrants().to_vec())
}

fn house(name: &str, seed: &Seed) -> SeatedPlayer {
    SeatedPlayer::House(Box::new(HouseBot::named(name).unwrap().seated(name, seed)))
}

/// Plays a tournament to its end with house bots and the players that `seat` seats. Returns its journal.
async fn play(
    seed: &Seed,
    players: &[(&str, PlayerSource)],
    (rounds, stack): (u64, Chips),
    limits: ConnectionLimits,
    mut seat: impl FnMut(&str) -> SeatedPlayer,
) -> Vec<u8> {
    let (header, order) = header(seed, players, rounds, stack);
    let seated = order.iter().map(|index| match &players[*index] {
        (_, PlayerSource::House(bot)) => house(bot, seed),
        (name, _) => seat(name),
    });
    let seated = seated.collect();
    let memory = Memory::default();
    let mut journal =
        Journal::begin(Box::new(memory.clone()), header.clone(), Durability::EveryRound).unwrap();
    let mut event = header.event().unwrap();
    EventHost::new(seated, limits).play(&mut event, &mut journal, || false).await.unwrap();
    memory.bytes()
}

fn bot(name: &'static str) -> (&'static str, PlayerSource) {
    (name, PlayerSource::House(name.to_string()))
}

/// Plays as a person until `done`, and returns all messages.
async fn person(chair: ChairHandle, decide: impl Fn(&Question<'_>) -> Option<Reply>) -> Vec<String> {
    let (mut changes, mut told): (_, Vec<String>) = (chair.changes(), Vec::new());
    loop {
        changes.borrow_and_update();
        let state = chair.snapshot();
        let known = told.len() as u64 - state.earlier_messages;
        told.extend_from_slice(&state.messages[known as usize..]);
        let last = told.last().map(|text| Command::read(text, 10).unwrap());
        match (last, state.asked) {
            (Some(Command::Done(_)), _) => return told,
            (Some(Command::Question(question)), Some(asked)) => {
                if let Some(reply) = decide(&question.as_question()) {
                    // The question may be answered already, if another part of the state changed.
                    let _ = chair.reply(asked.number, reply);
                }
            }
            _ if state.confirm_by.is_some() => chair.go_on(),
            _ => {}
        }
        changes.changed().await.unwrap();
    }
}

/// Plays as a program with the same decisions, and returns all messages after its login.
async fn program(socket: MemorySocket) -> Vec<String> {
    let (mut inbox, mut told) = (BytesMut::new(), Vec::new());
    let say = |text: &str| {
        let mut frame = (text.len() as u16).to_be_bytes().to_vec();
        frame.extend(text.as_bytes());
        assert_eq!(socket.try_write(&frame).unwrap(), frame.len());
    };
    loop {
        while inbox.len() >= 2 && inbox.len() >= 2 + usize::from(u16::from_be_bytes([inbox[0], inbox[1]])) {
            let length = usize::from(u16::from_be_bytes([inbox[0], inbox[1]]));
            let text = modified_utf8::decode(&inbox.split_to(2 + length)[2..]).unwrap();
            match Command::read(&text, 10).unwrap() {
                Command::Login => {
                    say("me:me");
                    continue;
                }
                Command::Question(question) => say(&settled_reply(&question.as_question()).to_string()),
                Command::Status(_) => {}
                Command::Done(_) => {
                    told.push(text);
                    return told;
                }
            }
            told.push(text);
        }
        assert!(socket.read(&mut inbox).await.unwrap() > 0, "the dealer says done first");
    }
}

/// The same game with a person or a program in the same seat, which decide alike. Returns its messages and the journal.
async fn game(seed: &str, is_person: bool) -> (Vec<String>, Vec<u8>) {
    let seed = Seed::chosen(seed);
    let plays = if is_person { PlayerSource::Person } else { PlayerSource::Remote };
    let players = [bot("odds"), bot("bluffer"), bot("bold"), ("me", plays)];
    let limits = ConnectionLimits { reply: THINK, ..ConnectionLimits::default() };
    let (mine, told) = if is_person {
        let chair = Chair::new(THINK);
        let told = tokio::task::spawn_local(person(chair.handle(), |question| Some(settled_reply(question))));
        (SeatedPlayer::Person(chair), told)
    } else {
        let address: SocketAddr = ([127, 0, 0, 1], 9_000).into();
        let (connector, listener) = MemoryListener::new(address);
        let socket = connector.connect(([127, 0, 0, 1], 9_001).into(), 1 << 16).unwrap();
        let told = tokio::task::spawn_local(program(socket));
        let mut lobby = Lobby::new(Listener::Memory(listener), limits);
        let mut guests = lobby.gather(1, |_, _| Admission::Welcome, |_| {}).await;
        (SeatedPlayer::Remote(guests.remove(0).connection), told)
    };
    let mut mine = Some(mine);
    let journal = play(&seed, &players, (200, 120), limits, |_| mine.take().unwrap()).await;
    (told.await.unwrap(), journal)
}

#[test]
fn a_person_receives_the_same_bytes_as_a_program() {
    let mut commands = 0;
    for seed in
        ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
    {
        let (person, journal) = on_a_jumping_clock(game(seed, true));
        let (program, other) = on_a_jumping_clock(game(seed, false));
        assert_eq!(person, program, "{seed}");
        assert!(outcome(&journal) == outcome(&other), "{seed}: it is not the same game");
        let verified = verify(&journal[..], |_| {}).unwrap();
        assert_eq!(verified.end, JournalEnd::Over);
        commands += person.len();
    }
    assert!(commands > 500, "{commands} commands were compared");
}

/// A person who goes for coffee is never ejected: it is folded after its time, checks if there is nothing to call, and
/// is waited for only until its time is over.
#[test]
fn a_silent_person_is_folded_and_keeps_its_seat() {
    let rounds = 12;
    let (told, journal, took) = on_a_jumping_clock(async {
        let seed = Seed::chosen("coffee");
        let players = [bot("bold"), bot("caller"), ("me", PlayerSource::Person)];
        let chair = Chair::new(THINK);
        let told = tokio::task::spawn_local(person(chair.handle(), |_| None));
        let mut mine = Some(SeatedPlayer::Person(chair));
        let began = Instant::now();
        let limits = ConnectionLimits::default();
        let journal = play(&seed, &players, (rounds, 500), limits, |_| mine.take().unwrap()).await;
        (told.await.unwrap(), journal, began.elapsed())
    });
    assert_eq!(verify(&journal[..], |_| {}).unwrap().end, JournalEnd::Over);
    let asked = told.iter().filter(|text| text.starts_with("bet")).count();
    assert_eq!(told.iter().filter(|text| text.starts_with("status")).count(), rounds as usize);
    assert!(told.last().unwrap().contains("rounds"), "{told:?}");
    let text = String::from_utf8(journal).unwrap();
    assert!(!text.contains("\"foul\""), "{text}");
    let waited = THINK * asked as u32;
    let slack = Duration::from_millis(100) * asked as u32;
    assert!(took >= waited && took < waited + slack, "{asked} questions took {took:?}");
    let (free, dear): (Vec<_>, Vec<_>) = told
        .iter()
        .filter(|text| text.starts_with("bet"))
        .partition(|text| text.split(':').nth(3) == Some("0"));
    assert!(!free.is_empty() && !dear.is_empty(), "{told:?}");
}

/// Checks at the end of each round that no player has seen the hole card of another.
struct Canary {
    chairs: Vec<(usize, ChairHandle)>,
    public: PublicRound,
    view: Option<TableView>,
    rounds: Arc<Mutex<u64>>,
}

fn on_the_wire(card: Card) -> String {
    Notation::Wire.write(card)
}

impl TableRecorder for Canary {
    fn event(&mut self, game: &TableGame, event: &TableEvent) -> io::Result<()> {
        let round = game.table().round();
        if *event == TableEvent::Ended {
            let holes: Vec<(usize, String)> = round
                .dealt()
                .into_iter()
                .map(|seat| (game.player_at(seat), on_the_wire(round.hole(seat))))
                .collect();
            for (player, chair) in &self.chairs {
                let told = chair.snapshot().messages;
                let words: Vec<&str> = told.iter().flat_map(|text| text.split(':')).collect();
                for (owner, hole) in holes.iter().filter(|(owner, _)| owner != player) {
                    assert!(!words.contains(&hole.as_str()), "{player} is told {hole} of {owner}: {told:?}");
                }
            }
            let view = serde_json::to_string(self.view.as_ref().unwrap()).unwrap();
            for (owner, hole) in &holes {
                assert!(!view.contains(&format!("\"{hole}\"")), "the page shows {hole} of {owner}: {view}");
            }
            *self.rounds.lock().unwrap() += 1;
        }
        match self.public.push(game, event) {
            PublicEvent::Dealt(deal) => self.view = Some(TableView::dealt(&deal, false)),
            event => self.view.as_mut().unwrap().show(&event, &["a".into(), "b".into(), "c".into()]),
        }
        Ok(())
    }
}

/// Ten thousand rounds with two people and a bot: neither the other chair nor the page is shown a hole card before the end.
#[test]
fn ten_thousand_rounds_show_no_foreign_hole_card() {
    let rounds = 10_000;
    on_a_jumping_clock(async {
        let seed = Seed::chosen("canaries");
        let players = [bot("odds"), ("ann", PlayerSource::Person), ("ben", PlayerSource::Person)];
        let (header, order) = header(&seed, &players, rounds, 10_000_000);
        let (mut chairs, mut people, mut seated) = (Vec::new(), Vec::new(), Vec::new());
        for (player, index) in order.iter().enumerate() {
            if players[*index].1 != PlayerSource::Person {
                seated.push(house(players[*index].0, &seed));
                continue;
            }
            let chair = Chair::new(THINK);
            chairs.push((player, chair.handle()));
            let decide = |question: &Question<'_>| Some(settled_reply(question));
            people.push(tokio::task::spawn_local(person(chair.handle(), decide)));
            seated.push(SeatedPlayer::Person(chair));
        }
        let looked = Arc::new(Mutex::new(0));
        let canary =
            Canary { chairs, public: PublicRound::default(), view: None, rounds: Arc::clone(&looked) };
        let mut record: Vec<Box<dyn Recorder>> = vec![Box::new(SharedRecorder::new(canary))];
        let mut event = header.event().unwrap();
        let host = EventHost::new(seated, ConnectionLimits::default());
        host.play(&mut event, &mut record, || false).await.unwrap();
        for person in people {
            let told = person.await.unwrap();
            assert_eq!(told.iter().filter(|text| text.starts_with("status")).count(), rounds as usize);
        }
        assert_eq!(*looked.lock().unwrap(), rounds);
    });
}

/// People who have all gone for coffee, at tables of ten, with bots at each: how long each round took, and the journal.
fn coffee(people: usize, bots: usize, rounds: u64) -> (Vec<Duration>, Vec<u8>) {
    on_a_jumping_clock(async {
        let seed = Seed::chosen("all gone");
        let names: Vec<String> = (0..people + bots).map(|number| format!("p{number}")).collect();
        let plays = |number: usize| match number < people {
            true => PlayerSource::Person,
            false => PlayerSource::House("caller".to_string()),
        };
        let players: Vec<(&str, PlayerSource)> =
            names.iter().enumerate().map(|(number, name)| (name.as_str(), plays(number))).collect();
        let (mut header, order) = header(&seed, &players, rounds, 500);
        if players.len() > 17 {
            header.terms.plan = EventPlan {
                format: Format::default(),
                seats: 10,
                level_rounds: Some(rounds),
                ..EventPlan::single_table()
            };
        }
        let seated = order.iter().map(|index| match players[*index].1 {
            PlayerSource::Person => SeatedPlayer::Person(Chair::new(THINK)),
            _ => house("caller", &seed),
        });
        let memory = Memory::default();
        let journal =
            Journal::begin(Box::new(memory.clone()), header.clone(), Durability::EveryRound).unwrap();
        let ends = Arc::new(Mutex::new(vec![Instant::now()]));
        let mut record: Vec<Box<dyn Recorder>> =
            vec![Box::new(journal), Box::new(RoundClock(Arc::clone(&ends)))];
        let mut event = header.event().unwrap();
        let host = EventHost::new(seated.collect(), ConnectionLimits::default());
        host.play(&mut event, &mut record, || false).await.unwrap();
        let ends = ends.lock().unwrap();
        (ends.windows(2).map(|pair| pair[1] - pair[0]).collect(), memory.bytes())
    })
}

/// Notes when each round was committed.
struct RoundClock(Arc<Mutex<Vec<Instant>>>);

impl Recorder for RoundClock {
    fn for_table(&mut self, _: &TableGame) -> Box<dyn TableRecorder> {
        Box::new(NoRecorder)
    }

    fn commit(&mut self) -> io::Result<()> {
        self.0.lock().unwrap().push(Instant::now());
        Ok(())
    }
}

/// A moment is lost at each question to the timer's beat.
const SLACK: Duration = Duration::from_secs(2);

#[test]
fn fifty_stalled_chairs_delay_all_tables_once() {
    let (rounds, journal) = coffee(50, 5, 6);
    assert!(rounds.len() >= 6, "{rounds:?}");
    assert!(rounds[0] <= THINK + SLACK, "{rounds:?}");
    // The looking at the first round is in the second.
    for (number, round) in rounds.iter().enumerate().skip(1) {
        let most = if number == 1 { THINK } else { Duration::ZERO };
        assert!(*round <= most + SLACK, "round {}: {rounds:?}", number + 1);
    }
    assert_eq!(verify(&journal[..], |_| {}).unwrap().end, JournalEnd::Over);
    assert!(!String::from_utf8(journal).unwrap().contains("\"foul\""), "nobody is thrown out for coffee");
}

/// A person who was away gets its whole time again after a sign of life.
#[test]
fn a_returning_person_has_its_whole_time_again() {
    on_a_jumping_clock(async {
        let seed = Seed::chosen("back");
        let players = [bot("caller"), ("ann", PlayerSource::Person), ("ben", PlayerSource::Person)];
        let chairs = ["ann", "ben"].map(|name| (name, Chair::new(THINK)));
        let ann = chairs[0].1.handle();
        let mut chairs: BTreeMap<&str, Chair> = chairs.into();
        let back = tokio::task::spawn_local(async move {
            let mut changes = ann.changes();
            // It is away, comes back, and answers its next question after a long while.
            while !ann.snapshot().away {
                changes.changed().await.unwrap();
            }
            ann.is_here();
            loop {
                if let Some(asked) = ann.snapshot().asked {
                    tokio::time::sleep(THINK / 2).await;
                    return ann.reply(asked.number, Reply::Bet(asked.bounds.to_call));
                }
                changes.changed().await.unwrap();
            }
        });
        let seat = |name: &str| SeatedPlayer::Person(chairs.remove(name).unwrap());
        play(&seed, &players, (8, 500), ConnectionLimits::default(), seat).await;
        assert_eq!(back.await.unwrap(), Ok(()));
    });
}

/// A running `casino` with these arguments, and the first link it prints that has `part` in it.
fn link(arguments: &[&str], part: &str) -> (Host, String) {
    let mut host = Host::start(casino().args(arguments));
    let is_link = |word: &&str| word.starts_with("http://127.0.0.1:") && word.contains(part);
    let first = |text: &str| text.split_whitespace().find(is_link).map(str::to_string);
    let link = match arguments[0] {
        "learn" => first(&host.line()).expect("its first line has the link"),
        _ => host.wait_until_said(|said| first(said.rsplit_once('\n').map_or("", |(lines, _)| lines))),
    };
    (host, link)
}

/// The first bytes that a browser receives under this link.
fn first_answer(link: &str, path: &str) -> String {
    let address = link.strip_prefix("http://").unwrap().split('/').next().unwrap();
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {address}\r\n\r\n").unwrap();
    let mut answer = Vec::new();
    let mut piece = [0; 4_096];
    while !String::from_utf8_lossy(&answer).contains("\r\n\r\n") || answer.ends_with(b"\r\n\r\n") {
        let count = stream.read(&mut piece).unwrap();
        assert!(count > 0, "{}", String::from_utf8_lossy(&answer));
        answer.extend_from_slice(&piece[..count]);
    }
    String::from_utf8_lossy(&answer).into_owned()
}

#[test]
fn a_person_sits_down_by_a_link_that_is_printed() {
    for arguments in [&["sit"][..], &["play", "--bot", "odds", "--seat", "me", "--web", "127.0.0.1:0"]] {
        let (_casino, link) = link(arguments, "/chair#");
        let page = first_answer(&link, "/chair");
        assert!(page.starts_with("HTTP/1.1 200 OK") && page.contains("text/html"), "{page}");
    }
    let named = run(&["sit", "--seat", "a b"]);
    assert_eq!(named.status.code(), Some(2));
    assert!(named.stderr.contains("letters, digits"), "{}", named.stderr);
}

#[test]
fn the_lessons_are_played_by_a_link_that_is_printed() {
    let (_casino, link) = link(&["learn", "4"], "/learn#4");
    let page = first_answer(&link, "/learn");
    assert!(page.starts_with("HTTP/1.1 200 OK") && page.contains("text/html"), "{page}");
    let lesson = first_answer(&link, "/learn/4/stream");
    assert!(lesson.contains("\"lessons\":10"), "{lesson}");
}
