//! A whole class: house bots behind sockets, from the first round to the champion, at a real host.
//!
//! The suite plays 100 of them. `make class`, which is
//!
//!     CLASS=100,200,500 cargo test --release --test class -- --nocapture
//!
//! plays as many as it says.
#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "nothing here is outside a test")]

mod support;

use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use casino_stud::cards::{Seed, Stream};
use casino_stud::replay::{JournalEnd, verify};
use casino_stud::strategies::HOUSE;
use nix::sys::signal::Signal;
use serde_json::Value;

use support::client::{Told, Whereabouts, house_bot};
use support::host::{Folder, Host, casino, run};
use support::{come_in, outcome, recorded};

/// Small stacks, short levels and a rising ante: a class is through in minutes.
const EVENT: &str = r#"{
    "format": "freezeout", "seats": 9, "level_rounds": 12, "rounds": 100000, "stack": 120, "reply_ms": 60000,
    "ante_schedule": [1, 1, 2, 3, 5, 8, 12, 20, 30, 50, 80, 120, 200, 300, 500, 800]
}"#;

fn classes() -> Vec<usize> {
    let text = std::env::var("CLASS").unwrap_or_else(|_| "100".to_string());
    text.split(',').map(|players| players.parse().unwrap()).collect()
}

struct Played {
    journal: Vec<u8>,
    result: Value,
    told: Vec<(String, Told)>,
    took: Duration,
    kills: usize,
}

/// Waits until the journal has grown by some rounds, so that there is something to lose, or the host has ended.
fn wait_for_some_rounds(host: &mut Host, journal: &str) {
    let length = || fs::metadata(journal).map_or(0, |file| file.len());
    let already = length();
    while length() < already + 20_000 && !host.has_ended() {
        thread::sleep(Duration::from_millis(1));
    }
}

/// Plays an event on so many threads with players who come in this order. The host is killed so many times after
/// random delays, and resumed.
fn play(
    folder: &Folder,
    name: &str,
    players: usize,
    jobs: &str,
    order: &mut Stream,
    kills: Option<(usize, Duration)>,
) -> Played {
    let journal = folder.path(&format!("{name}.jsonl"));
    fs::write(folder.file("event.json"), EVENT).unwrap();
    let whereabouts = Whereabouts::default();
    let mut arrivals: Vec<usize> = (0..players).collect();
    order.shuffle(&mut arrivals);
    let crowd: Vec<_> = arrivals
        .into_iter()
        .map(|number| {
            let id = format!("student-{number:03}");
            let player = house_bot(&id, &HOUSE[number % HOUSE.len()], &whereabouts);
            (id, player)
        })
        .collect();
    let event = folder.path("event.json");
    let mut command = casino();
    command.args(["host", "--bind", "127.0.0.1:0", "--players", &players.to_string(), "--event", &event]);
    command.args(["--seed", "class", "--jobs", jobs, "--json", "--journal", &journal]);
    let start = Instant::now();
    let mut host = Host::start(&mut command);
    let mut killed = 0;
    let mut first;
    let ended = loop {
        // A host that was killed at the very end needs nobody any more: its first line is the result.
        first = host.line();
        if let Some(address) = first.strip_prefix("listening on ") {
            whereabouts.tell(address.trim().parse().unwrap());
        }
        match kills {
            Some((times, longest)) if killed < times => {
                wait_for_some_rounds(&mut host, &journal);
                thread::sleep(Duration::from_micros(u64::from(order.below(longest.as_micros() as u32 + 1))));
                host.signal(Signal::SIGKILL);
                let ended = host.wait();
                if ended.status.success() {
                    break ended;
                }
                killed += 1;
                let mut command = casino();
                command.args(["resume", &journal, "--bind", "127.0.0.1:0", "--json", "-j", jobs]);
                host = Host::start(&mut command);
            }
            _ => break host.wait(),
        }
    };
    assert!(ended.status.success(), "{name}: {}", ended.stderr);
    let took = start.elapsed();
    whereabouts.close();
    let told = crowd.into_iter().map(|(id, player)| (id, player.join().unwrap())).collect();
    let result = [&*first, &*ended.stdout]
        .into_iter()
        .flat_map(str::lines)
        .find(|line| line.starts_with('{'))
        .expect("a result");
    let result = serde_json::from_str(result).unwrap();
    Played { journal: fs::read(&journal).unwrap(), result, told, took, kills: killed }
}

/// Everybody was told what is recorded, and the last word once.
fn check_told(played: &Played) {
    let recorded = recorded(&played.journal);
    for (id, told) in &played.told {
        let last_words = told.iter().filter(|words| words.starts_with("done:")).count();
        assert!(told.last().unwrap().starts_with("done:") && last_words == 1, "{id}: {told:?}");
        // Whoever was out when the host died, and had not heard of it, is refused when it comes back.
        let refusal = |words: &&String| words.starts_with("done:You are not in the game");
        assert!(played.kills > 0 || !told.iter().any(|words| refusal(&words)), "{id}: {told:?}");
        let told: Told = told.iter().filter(|words| !refusal(words)).cloned().collect();
        assert!(come_in(&told, &recorded[id]), "{id} was told something that is not recorded: {told:?}");
        if played.kills == 0 {
            assert_eq!(told, recorded[id], "{id} was not told something that is recorded");
        }
    }
}

#[test]
fn a_class_comes_to_the_same_end_whoever_comes_first_on_any_number_of_threads_and_after_kills() {
    for players in classes() {
        let folder = Folder::new("class");
        let mut order = Seed::chosen("arrival").stream(&players.to_string());
        let first = play(&folder, "first", players, "1", &mut order, None);
        check_told(&first);
        let standings = first.result["standings"].as_array().unwrap();
        assert_eq!(standings.len(), players);
        assert_eq!((&standings[0]["place"], &standings[0]["chips"]), (&1.into(), &champion(&first).into()));
        let tables = |level: &Value| level["tables"].as_array().unwrap().len();
        let levels: Vec<usize> = first.result["levels"].as_array().unwrap().iter().map(tables).collect();
        assert_eq!((levels[0], levels[levels.len() - 1]), (players.div_ceil(9), 1), "{levels:?}");
        assert_eq!(verify(&first.journal[..], |_| {}).unwrap().end, JournalEnd::Over);
        println!("{players} players, levels of {levels:?} tables, {} rounds", first.result["rounds"]);
        println!("  -j 1: {:.1?}", first.took);
        for (name, jobs) in [("second", "2"), ("third", "2")] {
            let again = play(&folder, name, players, jobs, &mut order, None);
            assert!(again.journal == first.journal, "{players} players, {name}: another journal");
            assert_eq!(again.result, first.result);
            check_told(&again);
            println!("  -j {jobs}: {:.1?}", again.took);
        }
        let longest = first.took / 10;
        let killed = play(&folder, "killed", players, "2", &mut order, Some((3, longest)));
        assert!(killed.kills > 0, "it was too quick to be killed");
        assert!(
            outcome(&killed.journal) == outcome(&first.journal),
            "{players} players: another outcome after a kill"
        );
        assert_eq!(killed.result["standings"], first.result["standings"]);
        assert_eq!(verify(&killed.journal[..], |_| {}).unwrap().end, JournalEnd::Over);
        check_told(&killed);
        println!("  killed {} times and resumed: the same, {:.1?}", killed.kills, killed.took);
    }
}

/// All chips that did not leave play.
fn champion(played: &Played) -> u64 {
    let players = played.result["standings"].as_array().unwrap().len() as u64;
    120 * players - played.result["forfeited"].as_u64().unwrap()
}

#[test]
fn too_many_players_for_the_open_files_are_refused_before_anybody_comes() {
    let command = format!(
        "ulimit -n 100 && exec {} host --bind 127.0.0.1:0 --players 200 --seats 9",
        env!("CARGO_BIN_EXE_casino")
    );
    let ended = Host::start(std::process::Command::new("/bin/sh").args(["-c", &command])).wait();
    assert_eq!(ended.status.code(), Some(2));
    assert!(ended.stderr.contains("ulimit -n 264"), "{}", ended.stderr);
    assert_eq!(run(&["host", "--bind", "127.0.0.1:0", "--players", "200"]).status.code(), Some(2));
}
