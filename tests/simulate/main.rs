//! Whole days in memory, each generated from a number: the real lobby, connections, tables, journal, resume, page and
//! teacher's orders, with simulated sockets, disk and clock. `docs/simulate.md` lists the checks.
//!
//! The suite lives through some days. `make simulate` lives through many:
//!
//!     DAYS=10000 SEED=0 cargo test --release --test simulate -- --ignored --nocapture many_days
//!
//! In `make failing-disk` each call of the disk fails in every way:
//!
//!     DISK=all cargo test --release --test simulate a_failing_disk -- --nocapture
#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "nothing here is outside a test")]

mod check;
mod console_user;
mod day;
mod deadlines;
mod dice;
mod disk;
mod page;
mod player;
#[path = "../support/play.rs"]
mod support;
mod watch;
mod world;

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use casino_day::driven::leave_chances_out;
use casino_stud::journal::{Digest, JournalLine, Reader};
use casino_stud::replay::{HouseBots, Replay};
use casino_stud::tournament::{EventPlan, Format};
use indicatif::{ProgressBar, ProgressStyle};

use day::{Outcome, live};
use world::{Button, DiskFault, End, Failure, Fault, Kill, Villain, World};

/// A day of which a panic is a violation too.
fn survive(world: &World) -> Outcome {
    let outcome = std::panic::catch_unwind(|| live(world));
    outcome.unwrap_or_else(|panic| {
        let why = panic.downcast_ref::<String>().cloned();
        let why = why.or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string));
        let violations = vec![format!("something panicked: {}", why.unwrap_or_default())];
        Outcome { violations, ..Outcome::default() }
    })
}

/// The smallest day found that still fails, and its violations.
fn shrink(world: World, mut violations: Vec<String>) -> (World, Vec<String>) {
    let mut smallest = world;
    while let Some((world, found)) = smallest.smaller().into_iter().find_map(|world| {
        let found = survive(&world).violations;
        (!found.is_empty()).then_some((world, found))
    }) {
        (smallest, violations) = (world, found);
    }
    (smallest, violations)
}

/// How to reproduce a failed day.
fn report(seed: u64, longer: u64, violations: &[String]) -> String {
    let (smallest, found) = shrink(World::new(seed).longer(longer), violations.to_vec());
    let longer = if longer == 1 { String::new() } else { format!(" LONGER={longer}") };
    format!(
        "\nThe day of seed {seed} breaks a promise. To live through it again:\n\n    DAYS=1 SEED={seed}{longer} make simulate\n\n\
         What went wrong:\n    {}\n\nThe smallest day like it:\n{smallest:?}\n\nWhat goes wrong in it:\n    {}\n",
        violations.join("\n    "),
        found.join("\n    ")
    )
}

fn number(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().filter(|text| !text.is_empty()).map_or(usual, |text| {
        text.parse().unwrap_or_else(|_| panic!("{name} is \"{text}\", where a whole number is wanted"))
    })
}

#[test]
fn every_day_keeps_its_promises() {
    for seed in 0..number("DAYS", 40) {
        let outcome = survive(&World::new(seed));
        assert!(outcome.violations.is_empty(), "{}", report(seed, 1, &outcome.violations));
    }
}

/// Seeds of fixed faults: the board knew the last round of a level while the table still showed its deal, or, after a
/// kill between two tables of a round, counted the one that had not played it; a journal could not be resumed after the
/// teacher had removed a player whose round the kill tore; a removal was lost when somebody came in late before the round.
#[test]
fn days_that_once_broke_a_promise_keep_it() {
    for seed in [515, 3_908, 3_942, 4_799, 10_043, 10_272, 10_744, 14_656, 15_862] {
        let outcome = survive(&World::new(seed));
        assert!(outcome.violations.is_empty(), "{}", report(seed, 1, &outcome.violations));
    }
}

/// Lives through this day with a failure of each call of its disk in turn: in all ways, or in one for each call. Returns
/// the number of failures.
fn fail_at_every_call(day: &World, all: bool) -> u64 {
    let mut failures = 0;
    for call in 1..=survive(day).disk_calls {
        let ways = Failure::ALL.into_iter().zip(call..);
        for (failure, _) in ways.filter(|(_, number)| all || number.is_multiple_of(5)) {
            let mut world = day.clone();
            world.disk = Some(DiskFault::Fails { call, failure });
            if failure == Failure::SyncLies {
                // The next calls are kept, and after them the power fails.
                let kill = Kill::AtDisk { call: call + 1 + call % 4, is_done: false };
                world.ends.push(End { kill, power: true });
            }
            let outcome = survive(&world);
            let violations = outcome.violations.join("\n    ");
            assert!(violations.is_empty(), "a disk that fails: {violations}\n{world:?}");
            failures += u64::from(outcome.disk_failed);
        }
    }
    failures
}

/// Each message is on the disk before it is sent, and the tournament has the same end, whatever call of the disk fails and
/// however it does: with one table, in events, and after a host that was killed.
#[test]
fn a_failing_disk_precedes_no_message() {
    let all = std::env::var("DISK").is_ok_and(|disk| disk == "all");
    let formats = Format::all().filter(|format| !format.rules().one_table());
    let formats = formats.take(if all { usize::MAX } else { 1 });
    for format in std::iter::once(None).chain(formats.map(Some)) {
        let day = World::of_disks(format);
        let kill = Kill::AtDisk { call: 9, is_done: true };
        let resumed = World { ends: vec![End { kill, power: false }], ..day.clone() };
        let failures = [&day, &resumed].map(|day| fail_at_every_call(day, all));
        println!("{format:?}: {} failures, and {} beside a killed host", failures[0], failures[1]);
        assert!(failures[0] > 10 && failures[1] > 10, "{failures:?}");
    }
}

/// A newcomer in time plays, one after the last round for that is refused with the reason, and the journal is rebuilt from
/// every prefix.
#[test]
fn late_entrants_play_or_are_refused_and_every_prefix_is_rebuilt() {
    let plan = EventPlan { late_entry: Some(3), ..EventPlan::single_table() };
    let day = World::of_disks(None);
    let day = World { plan, newcomers: vec![20, 200], villains: Vec::new(), rounds: 12, stack: 200, ..day };
    let Outcome { journal, told, violations, .. } = survive(&day);
    assert!(violations.is_empty(), "{violations:?}");
    let [in_time, late] = &told[day.players..] else { panic!("two newcomers: {told:?}") };
    assert!(in_time.len() > 1 && in_time[0].starts_with("status:"), "{in_time:?}");
    let too_late = "the game has begun, and its round 3 was the last for late entry.";
    assert_eq!(late, &[format!("done:You are not in the game: {too_late}")]);
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
    assert!(players.contains(&8) && players.ends_with(&[9]) && players.is_sorted(), "{players:?}");
}

/// A player commits a foul that costs a hand and is removed before the next round: the journal has both, one after the
/// other, and verifies.
#[test]
fn a_removal_after_a_foul_records_both() {
    let villain = |player| Villain { player, fault: Fault::TooMuch, rarity: 3 };
    let day = World { rehearsal: true, villains: vec![villain(1), villain(2)], ..World::of_disks(None) };
    let mut both = 0;
    for (event, player) in (1..80).flat_map(|event| [(event, 1), (event, 2)]) {
        let outcome = survive(&World { buttons: vec![(event, Button::Remove(player))], ..day.clone() });
        assert!(outcome.violations.is_empty(), "player {player}, event {event}: {:?}", outcome.violations);
        let lines = support::outcome(&outcome.journal).into_iter();
        let fouls = lines.filter_map(|line| match line {
            JournalLine::Foul { seat, asked, .. } => Some((seat, asked)),
            _ => None,
        });
        let fouls: Vec<(usize, bool)> = fouls.collect();
        both += fouls.windows(2).filter(|pair| pair[0] == (pair[1].0, true) && !pair[1].1).count();
    }
    assert!(both > 0, "somebody is sent out after its foul");
}

#[test]
fn the_same_seed_gives_the_same_day() {
    let trace = |seed| {
        let outcome = live(&World::new(seed));
        let mut digest = Digest::default();
        digest.add(&outcome.journal);
        digest.add(format!("{:?} {} {}", outcome.told, outcome.steps, outcome.hosts).as_bytes());
        digest.hex()
    };
    for seed in 0..12 {
        assert_eq!(trace(seed), trace(seed), "seed {seed}");
    }
    assert_ne!(trace(1), trace(2));
}

#[derive(Default)]
struct Figures {
    days: u64,
    hosts: u64,
    kills: u64,
    rounds: u64,
    steps: u64,
    fouls: BTreeMap<String, u64>,
    looked_at: BTreeMap<&'static str, u64>,
    wrong: Vec<(u64, Vec<String>)>,
}

impl Figures {
    fn add(&mut self, seed: u64, outcome: Outcome) {
        self.days += 1;
        self.hosts += outcome.hosts;
        self.kills += outcome.kills;
        self.rounds += outcome.rounds;
        self.steps += outcome.steps;
        outcome.fouls.into_iter().for_each(|(foul, count)| *self.fouls.entry(foul).or_default() += count);
        outcome
            .looked_at
            .into_iter()
            .for_each(|(what, count)| *self.looked_at.entry(what).or_default() += count);
        if !outcome.violations.is_empty() {
            self.wrong.push((seed, outcome.violations));
        }
    }

    fn print(&self) {
        let Figures { days, hosts, kills, rounds, steps, .. } = self;
        println!(
            "{days} days, {hosts} hosts of which {kills} were killed, {rounds} rounds, {steps} steps at tables"
        );
        let list = |title: &str, list: Vec<String>| println!("{title}: {}", list.join(", "));
        list("fouls", self.fouls.iter().map(|(foul, count)| format!("{foul} {count}")).collect());
        list("looked at", self.looked_at.iter().map(|(what, count)| format!("{what} {count}")).collect());
        println!("days that broke a promise: {}", self.wrong.len());
        for (seed, what) in &self.wrong {
            println!("    seed {seed}: {}", what.first().map_or("", String::as_str));
        }
    }
}

/// The memory of this process in MiB, if the system has a file with it.
fn memory() -> Option<f64> {
    let pages = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: f64 = pages.split(' ').nth(1)?.parse().ok()?;
    Some(pages * 4_096.0 / (1024.0 * 1024.0))
}

#[test]
#[ignore = "alone: make simulate"]
fn many_days() {
    let (days, first) = (number("DAYS", 1_000), number("SEED", 0));
    let longer = number("LONGER", 1).max(1);
    let threads =
        number("THREADS", std::thread::available_parallelism().map_or(1, |count| count.get() as u64));
    let bar = ProgressBar::new(days).with_style(
        ProgressStyle::with_template("{wide_bar} {pos} of {len} days, {eta} left").expect("a template"),
    );
    let (next, figures) = (AtomicU64::new(0), Mutex::new(Figures::default()));
    let start = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..threads.min(days) {
            scope.spawn(|| {
                if longer > 1 {
                    leave_chances_out();
                }
                loop {
                    let day = next.fetch_add(1, Ordering::Relaxed);
                    if day >= days || figures.lock().unwrap().wrong.len() >= 10 {
                        break;
                    }
                    let seed = first + day;
                    let outcome = survive(&World::new(seed).longer(longer));
                    figures.lock().unwrap().add(seed, outcome);
                    bar.inc(1);
                }
            });
        }
    });
    bar.finish_and_clear();
    let figures = figures.into_inner().unwrap();
    if let Some(mib) = memory() {
        println!("memory of this process at the end: {mib:.0} MiB");
    }
    println!("seeds from {first} on, {:.0?} on {threads} threads", start.elapsed());
    figures.print();
    let wrong: Vec<String> =
        figures.wrong.iter().take(3).map(|(seed, what)| report(*seed, longer, what)).collect();
    assert!(wrong.is_empty(), "{}", wrong.concat());
}

#[test]
fn replies_around_the_deadline_are_judged_right() {
    let judged = deadlines::judge(500, 1);
    assert!(judged.wrong.is_empty(), "{:?}", judged.wrong);
    assert!(judged.in_time > 200 && judged.late > 200, "{judged:?}");
}

#[test]
#[ignore = "alone: make deadlines"]
fn many_replies_around_the_deadline_are_judged_right() {
    let (replies, seed) = (number("REPLIES", 1_000_000), number("SEED", 0));
    let start = Instant::now();
    let judged = deadlines::judge(replies, seed);
    let deadlines::Judged { in_time, late, wrong } = &judged;
    println!(
        "{in_time} replies in time and {late} too late, {} judged wrongly, {:.0?}",
        wrong.len(),
        start.elapsed()
    );
    assert!(wrong.is_empty(), "{:?}", &wrong[..wrong.len().min(5)]);
}

/// `make planted` needs them to.
#[test]
fn the_planted_faults_fit_the_sources() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut count = 0;
    let folders = ["tests/simulate/faults", "tests/planted"];
    for entry in folders.iter().flat_map(|folder| std::fs::read_dir(root.join(folder)).unwrap()) {
        let path = entry.unwrap().path();
        let patch = std::fs::read_to_string(&path).unwrap();
        let file = patch.lines().find_map(|line| line.strip_prefix("--- a/")).unwrap();
        let source = std::fs::read_to_string(root.join(file)).unwrap().replace("\r\n", "\n");
        for hunk in patch.split("\n@@ ").skip(1) {
            // The context may change: `patch` accepts that.
            let lines = hunk.lines().skip(1).filter(|line| line.starts_with('-'));
            let old: String = lines.map(|line| format!("{}\n", &line[1..])).collect();
            assert!(source.contains(&old), "{} does not fit {file} any more", path.display());
        }
        count += 1;
    }
    assert!(count >= 27, "{count} faults");
}
