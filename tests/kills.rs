//! A real host is killed again and again, at any moment, and goes on each time: the tournament ends as if nothing
//! had happened, and nobody was told anything that is not recorded.
//!
//! The suite kills a few times. `make kills`, which is
//!
//!     KILLS=1000 cargo test --release --test kills -- --nocapture
//!
//! does it as often as it says.
#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "nothing here is outside a test")]

mod support;

use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use casino_day::cards::{Seed, Stream};
use casino_day::journal::{JournalLine, Reader};
use casino_day::replay::{JournalEnd, verify};
use nix::sys::signal::Signal;

use support::client::{Told, Whereabouts, player};
use support::host::{Folder, Host, casino, run};
use support::{come_in, outcome, recorded};

/// Two who keep the rules and two who sooner or later break one.
const PLAYERS: [(&str, bool); 4] = [("ada", false), ("bob", false), ("cyd", true), ("dee", true)];

/// House bots: their dice must be where they were.
const HOUSE: [&str; 3] = ["random*1", "bluffer", "cautious"];

const ROUNDS: &str = "200";

fn begin(folder: &Folder, journal: &str, seed: &str) -> Host {
    let mut command = casino();
    command.args(["host", "--bind", "127.0.0.1:0", "--players", "7", "--rounds", ROUNDS, "--stack", "4000"]);
    command.args(["--seed", seed, "--reply-ms", "60000", "--quiet", "--journal", &folder.path(journal)]);
    command.args(HOUSE.iter().flat_map(|bot| ["--bot", bot]));
    Host::start(&mut command)
}

fn resume(folder: &Folder, journal: &str) -> Host {
    let journal = folder.path(journal);
    Host::start(casino().args(["resume", &journal, "--bind", "127.0.0.1:0", "--quiet"]))
}

/// Plays a tournament whose host is killed after random delays of up to `longest`, at most `kills` times, and
/// gives out its journal, what everyone was told, and how often it was killed.
fn tournament(
    folder: &Folder,
    seed: &str,
    kills: usize,
    longest: Duration,
    dice: &mut Stream,
) -> (Vec<u8>, Vec<Told>, usize) {
    let journal = format!("{seed}-{kills}.jsonl");
    let whereabouts = Whereabouts::default();
    let players: Vec<_> = PLAYERS.iter().map(|(id, careless)| player(id, *careless, &whereabouts)).collect();
    let mut killed = 0;
    let mut host = begin(folder, &journal, seed);
    loop {
        let address = host.address();
        if let Some(address) = address {
            whereabouts.tell(address);
        }
        if killed == kills || address.is_none() {
            let ended = host.wait();
            assert!(ended.status.success(), "seed {seed}, {killed} kills: {}", ended.stderr);
            break;
        }
        let microseconds = dice.below(longest.as_micros() as u32 + 1);
        thread::sleep(Duration::from_micros(u64::from(microseconds)));
        host.signal(Signal::SIGKILL);
        let ended = host.wait();
        if ended.status.success() {
            // It was quicker.
            break;
        }
        killed += 1;
        host = match is_begun(folder, &journal) {
            true => resume(folder, &journal),
            // It died before its journal was there: that is no tournament yet.
            false => {
                let _ = fs::remove_file(folder.file(&journal));
                begin(folder, &journal, seed)
            }
        };
    }
    whereabouts.close();
    let told = players.into_iter().map(|player| player.join().unwrap()).collect();
    (fs::read(folder.file(&journal)).unwrap(), told, killed)
}

fn is_begun(folder: &Folder, journal: &str) -> bool {
    fs::read(folder.file(journal)).is_ok_and(|bytes| bytes.contains(&b'\n'))
}

#[test]
fn a_host_that_is_killed_at_any_moment_goes_on_as_if_nothing_had_happened() {
    let kills: usize = std::env::var("KILLS").map_or(8, |kills| kills.parse().unwrap());
    let mut dice = Seed::chosen(format!("{kills} kills")).stream("delays");
    let mut killed = 0;
    let mut tournaments = 0u32;
    let (mut redealt, mut thrown_out_before) = (0, 0);
    let start = Instant::now();
    while killed < kills {
        tournaments += 1;
        let folder = Folder::new("kills");
        let seed = format!("kills-{tournaments}");
        let undisturbed = Instant::now();
        let (reference, told, _) = tournament(&folder, &seed, 0, Duration::ZERO, &mut dice);
        let undisturbed = undisturbed.elapsed();
        check_told(&reference, &told);
        // So that it takes some kills to come to the end.
        let longest = undisturbed / 5;
        let (journal, told, times) = tournament(&folder, &seed, kills - killed, longest, &mut dice);
        killed += times;
        let expected = outcome(&reference);
        assert!(outcome(&journal) == expected, "seed {seed}: another outcome after {times} kills");
        assert_eq!(verify(&journal[..], |_| {}).unwrap().end, JournalEnd::Over);
        check_told(&journal, &told);
        let lines: Vec<JournalLine> =
            Reader::new(&journal[..]).unwrap().map(|entry| entry.unwrap().line).collect();
        redealt += lines.windows(2).filter(|pair| in_play(&pair[0]) && is_resumed(&pair[1])).count();
        thrown_out_before += again(&lines);
        if tournaments.is_multiple_of(10) {
            println!("{killed} kills in {tournaments} tournaments after {:.0?}", start.elapsed());
        }
    }
    println!(
        "{killed} kills in {tournaments} tournaments of {ROUNDS} rounds, {:.0?}: every outcome the same. {redealt} \
         rounds were dealt again, and {thrown_out_before} players had been thrown out of one of those before",
        start.elapsed()
    );
}

/// Nobody was told anything that is not in the journal.
fn check_told(journal: &[u8], told: &[Told]) {
    let recorded = recorded(journal);
    let mut words = 0;
    for ((id, _), told) in PLAYERS.iter().zip(told) {
        // Whoever was out before the host died and did not hear of it is refused when it comes back.
        let (refusals, told): (Told, Told) =
            told.iter().cloned().partition(|words| words.starts_with("done:You are not in the game"));
        let is_out = recorded[*id].iter().any(|words| words.starts_with("done:You are out of the game"));
        assert!(refusals.is_empty() || is_out, "{id} was refused: {refusals:?}");
        words += told.len();
        assert!(come_in(&told, &recorded[*id]), "{id} was told something that is not recorded: {told:?}");
    }
    assert!(words > 100, "{words}");
}

fn in_play(line: &JournalLine) -> bool {
    !matches!(
        line,
        JournalLine::CasinoDay(_)
            | JournalLine::End { .. }
            | JournalLine::Resumed { .. }
            | JournalLine::Over { .. }
    )
}

fn is_resumed(line: &JournalLine) -> bool {
    matches!(line, JournalLine::Resumed { .. })
}

/// How many were thrown out of a round and once more when it was dealt again.
fn again(lines: &[JournalLine]) -> usize {
    let mut seats: Vec<usize> = lines
        .iter()
        .filter_map(|line| match line {
            JournalLine::Left { seat, .. } => Some(*seat),
            _ => None,
        })
        .collect();
    let all = seats.len();
    seats.sort_unstable();
    seats.dedup();
    all - seats.len()
}

/// The whole of it without a network: the journal of house bots, cut where a kill would, by the real program.
#[test]
fn a_tournament_of_house_bots_goes_on_after_a_kill() {
    let folder = Folder::new("house");
    let arguments =
        ["--bot", "random*2", "--bot", "odds", "--bot", "bluffer", "--rounds", "400", "--stack", "900"];
    let play = |journal: &str, pace: &str| {
        let mut command = casino();
        command.args(["play", "--seed", "house", "--journal", &folder.path(journal), "--pace", pace]);
        Host::start(command.args(arguments))
    };
    assert!(play("reference.jsonl", "0").wait().status.success());
    let mut host = play("killed.jsonl", "1");
    while !host.line().contains("round    20") {}
    host.signal(Signal::SIGKILL);
    assert!(!host.wait().status.success());
    // Nothing of it may be on the disk yet; then there is nothing to go on with, and that is said.
    let ended = run(&["resume", &folder.path("killed.jsonl"), "--quiet"]);
    assert!(ended.status.success(), "{}", ended.stderr);
    let bytes = |journal| fs::read(folder.file(journal)).unwrap();
    assert!(outcome(&bytes("killed.jsonl")) == outcome(&bytes("reference.jsonl")));
}
