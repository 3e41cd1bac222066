//! A real host is killed repeatedly, at any moment, and resumed each time: the tournament ends as if undisturbed, and
//! after each kill all messages received so far are recorded.
//!
//! The suite kills a few times in each shape of tournament. `make kills` and `make power-loss`, which are
//!
//!     KILLS=10000 cargo test --test kills a_host_that -- --nocapture
//!     CUTS=1000 cargo test --test kills sent_messages -- --nocapture
//!
//! repeat that until as many kills as given; LADDER_KILLS and LADDER_CUTS do the same for the process of a practice
//! ladder. The second one also cuts the power of the disk: a file system in user space forgets unsynced writes.
//! `make stalls` suspends a host as often as STALLS says, about a second and a half each time.
#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "nothing here is outside a test")]

mod ladder;
mod power;
mod shapes;
mod stalls;
#[path = "../support/mod.rs"]
mod support;
#[path = "../support/tools.rs"]
mod tools;
mod tournament;
mod watcher;

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::signal::Signal;

use power::Forgetful;
use shapes::{SHAPES, Shape};
use support::client::{Whereabouts, player, visit, visit_aloud, visit_calling};
use support::host::{Folder, Host, casino, run};
use support::{outcome, recorded};
use tournament::{Counts, Tournament};

/// The most kills of a tournament.
const MOST: usize = 40;

fn number(name: &str, otherwise: usize) -> usize {
    std::env::var(name).map_or(otherwise, |text| text.parse().unwrap())
}

/// The most tournaments played until a kill comes after a received message.
const UNTIL_TOLD: usize = 100;

/// Plays tournaments side by side, the shapes in turn, until all together have been killed this often.
fn kill(wanted: usize, what: &str, play: impl Fn(&Shape, usize, usize) -> Counts + Sync) {
    let most = wanted.div_ceil(SHAPES.len()).min(MOST);
    let side_by_side = number("SIDE_BY_SIDE", 2 * thread::available_parallelism().unwrap().get());
    let began = Instant::now();
    // The number of begun tournaments, and the results of the finished ones, by shape.
    let state = Mutex::new((0, [Counts::default(); SHAPES.len()]));
    thread::scope(|scope| {
        for _ in 0..side_by_side {
            scope.spawn(|| {
                loop {
                    let (number, left, told) = {
                        let mut state = state.lock().unwrap();
                        let killed: usize = state.1.iter().map(|counts| counts.kills).sum();
                        state.0 += 1;
                        let told = state.1.iter().any(|counts| counts.words > 0);
                        (state.0 - 1, wanted.saturating_sub(killed), told)
                    };
                    // Each shape at least once, and on a busy machine until a kill comes after a received message.
                    if left == 0 && number >= SHAPES.len() && (told || number >= UNTIL_TOLD) {
                        break;
                    }
                    let shape = number % SHAPES.len();
                    let counts = play(&SHAPES[shape], number, most.min(left.max(1)));
                    let mut state = state.lock().unwrap();
                    state.1[shape].add(counts);
                    let killed: usize = state.1.iter().map(|counts| counts.kills).sum();
                    if number % 50 == 49 {
                        println!("{killed} kills after {:.0?}", began.elapsed());
                    }
                }
            });
        }
    });
    let (_, by_shape) = state.into_inner().unwrap();
    let mut all = Counts::default();
    for (shape, counts) in SHAPES.iter().zip(by_shape) {
        all.add(counts);
        println!(
            "{}: {} kills in {} tournaments; {} before the host listened, {} rounds torn and dealt again, {} words \
             looked up",
            shape.name, counts.kills, counts.tournaments, counts.early, counts.torn, counts.words
        );
        assert!(counts.kills > 0, "{}: it was too quick to be killed", shape.name);
    }
    println!(
        "{what}: {} kills in {} tournaments of {} shapes in {:.0?}, nothing lost, every outcome the same; beside \
         them {} kills with which the power stayed on; {} damaged journals were refused",
        all.kills,
        all.tournaments,
        SHAPES.len(),
        began.elapsed(),
        all.spared,
        all.refused
    );
    assert!(all.words > 0, "somebody had been told something when a host was killed");
}

#[test]
fn a_host_that_is_killed_resumes_to_the_same_end() {
    kill(number("KILLS", 10), "kill -9", |shape, number, kills| {
        Tournament::compare(shape, &format!("kills-{number}"), None, kills)
    });
}

#[test]
#[ignore = "long: the real system calls; a_host_that_is_killed_resumes_to_the_same_end, and the simulator's disk"]
fn sent_messages_survive_a_power_failure_at_any_moment() {
    let folder = Folder::new("power");
    let Some(disks) = Forgetful::mount(&folder.file("disks")) else { return };
    kill(number("CUTS", 10), "power failures", |shape, number, kills| {
        let seed = format!("cuts-{number}");
        Tournament::compare(shape, &seed, Some(disks.disk(&seed)), kills)
    });
    drop(disks);
}

/// A host killed before it synced the directory entry of its journal leaves that to the resuming host.
#[test]
fn a_resumed_journal_keeps_its_name_after_a_power_failure() {
    let folder = Folder::new("names");
    let Some(disks) = Forgetful::mount(&folder.file("disks")) else { return };
    let reference = folder.path("reference.jsonl");
    let bots = ["--bot", "random", "--bot", "caller", "--rounds", "20", "--seed", "names", "--quiet"];
    assert!(run(&[&["play", "--journal", &reference], &bots[..]].concat()).status.success());
    let whole = fs::read(&reference).unwrap();
    let begun = whole.split_inclusive(|byte| *byte == b'\n').take(30).collect::<Vec<_>>().concat();
    let disk = disks.disk("names");
    let journal = disk.journal();
    fs::create_dir(Path::new(&journal).parent().unwrap()).unwrap();
    let mut file = File::create(&journal).unwrap();
    file.write_all(&begun).unwrap();
    file.sync_all().unwrap();
    // A disk with an open file cannot be unmounted.
    drop(file);
    let ended = run(&["resume", &journal, "--quiet"]);
    assert!(ended.status.success(), "{}", ended.stderr);
    disk.forget_all();
    assert!(outcome(&fs::read(&journal).unwrap()) == outcome(&whole));
    drop(disks);
}

/// A host is killed before it has synced a round, and the power fails in the lobby of the next one: what that has told a player
/// who is out is on the disk.
#[test]
fn a_resumed_lobby_tells_only_what_is_on_the_disk() {
    let folder = Folder::new("lobby");
    let Some(disks) = Forgetful::mount(&folder.file("disks")) else { return };
    let first = folder.path("first.jsonl");
    let terms =
        "host --bind 127.0.0.1:0 --players 3 --bot caller --rounds 100000 --seed lobby --stack 9000 --quiet";
    let mut host = Host::start(casino().args(terms.split(' ')).args(["--journal", &first]));
    let whereabouts = Whereabouts::default();
    let [careless, other] =
        [("bob", true), ("ada", false)].map(|(id, fouls)| player(id, fouls, &whereabouts));
    whereabouts.tell(host.address().unwrap());
    let told = careless.join().unwrap();
    assert!(told.last().unwrap().starts_with("done:You are out"), "{told:?}");
    host.signal(Signal::SIGKILL);
    drop(host.wait());
    whereabouts.close();
    drop(other.join());
    let disk = disks.disk("lobby");
    let journal = disk.journal();
    fs::create_dir(Path::new(&journal).parent().unwrap()).unwrap();
    fs::write(&journal, fs::read(&first).unwrap()).unwrap();
    let mut host = Host::start(casino().args(["resume", &journal, "--bind", "127.0.0.1:0", "--quiet"]));
    let mut told = Vec::new();
    assert!(visit(host.address().unwrap(), "bob", false, &mut told).unwrap());
    assert!(told.last().unwrap().starts_with("done:You are out"), "{told:?}");
    host.signal(Signal::SIGKILL);
    drop(host.wait());
    disk.forget_all();
    let recorded = recorded(&fs::read(&journal).unwrap(), true).unwrap();
    assert!(recorded["bob"].contains(told.last().unwrap()), "{told:?}");
    drop(disks);
}

/// Not a test: the hosts of these tests start this program.
#[test]
#[ignore = "alone: the hosts of the other tests start it"]
fn a_program_that_the_host_starts() {
    let Some([name, told, host]) = shapes::as_program() else { return };
    let mut file = OpenOptions::new().create(true).append(true).open(told).unwrap();
    let mut hear = |words| file.write_all(format!("{words}\n").as_bytes()).unwrap();
    let host = host.parse().unwrap();
    // That the host is gone is the end of it too.
    let _ = match number(shapes::THINKS, 0) {
        0 => visit_aloud(host, &name, false, &mut hear),
        thinks => visit_calling(host, &name, Duration::from_millis(thinks as u64), &mut hear),
    };
}

/// The whole of it without a network: the journal of house bots, cut where a kill would, by the real program.
#[test]
fn a_killed_tournament_of_house_bots_is_resumed() {
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
    host.wait_for_line("round    20");
    host.signal(Signal::SIGKILL);
    assert!(!host.wait().status.success());
    // The journal may not be on the disk yet; then there is nothing to resume, and that is reported.
    let ended = run(&["resume", &folder.path("killed.jsonl"), "--quiet"]);
    assert!(ended.status.success(), "{}", ended.stderr);
    let bytes = |journal| fs::read(folder.file(journal)).unwrap();
    assert!(outcome(&bytes("killed.jsonl")) == outcome(&bytes("reference.jsonl")));
}
