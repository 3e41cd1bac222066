//! A process that plays a practice ladder is killed at any moment: each reported match is recorded exactly once, and
//! none is lost.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use casino_ladder::{Ladder, MatchFilter, MatchKind, MatchState, MatchTerms, Quotas, Settings, VersionId};
use casino_stud::cards::{Seed, Stream};
use nix::sys::signal::Signal;

use crate::number;
use crate::power::{Forgetful, Power, Way};
use crate::support::host::{Folder, Host, casino, http};

/// The matches that are planned in a ladder, of each kind.
const MATCHES: usize = 30;

/// A ladder with house bots alone and planned matches: rated ones, and challenges, which are played again if void.
fn planned(folder: &Path) -> Ladder {
    let mut ladder = Ladder::create(folder).unwrap();
    ladder.add_house_bots(1).unwrap();
    let versions: Vec<VersionId> = ["bold", "odds", "random", "simple"]
        .map(|name| ladder.version_labelled(&format!("{name}/1")).unwrap().id)
        .to_vec();
    for _ in 0..MATCHES {
        for kind in [MatchKind::Rated, MatchKind::Challenge] {
            let terms = MatchTerms { kind, decks: 10, stack: 200, reply_ms: 1_000 };
            ladder.plan_match(terms, &versions, None, 1).unwrap();
        }
    }
    ladder
}

fn in_state(ladder: &Ladder, state: MatchState) -> Vec<casino_ladder::Match> {
    ladder.matches(MatchFilter { state: Some(state), ..MatchFilter::default() }).unwrap()
}

fn of_kind(matches: &[casino_ladder::Match], kind: MatchKind) -> usize {
    matches.iter().filter(|one| one.kind == kind).count()
}

/// The matches reported as over.
fn told(said: &str) -> BTreeSet<String> {
    let name = |line: &str| line.split_once(": ").map(|(name, _)| name.to_string());
    let is_name = |name: &String| name.len() == 16 && name.bytes().all(|byte| byte.is_ascii_hexdigit());
    said.lines().filter_map(name).filter(is_name).collect()
}

/// Hands submissions in at the page of this host until it is gone, and returns the ones that were acknowledged.
fn hand_in(said: String, key: String, first: usize) -> Vec<(String, Vec<u8>)> {
    let mut taken = Vec::new();
    let address = said.split("http://").nth(1).and_then(|rest| rest.split('/').next()?.parse().ok()).unwrap();
    for number in first.. {
        let body = format!("submission {number}").into_bytes();
        let bearer = format!("Bearer {key}");
        let asked = http(address, "POST /api/me/submit/bot.zip", &[("Authorization", &bearer)], &body);
        let Ok((_, answer)) = asked else { return taken };
        let label =
            answer.split_once("\"label\":\"").and_then(|(_, rest)| Some(rest.split_once('"')?.0.to_string()));
        match label {
            Some(label) => taken.push((label, body)),
            None => panic!("{answer}"),
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    taken
}

struct Kills {
    kills: usize,
    words: usize,
    voids: usize,
    submissions: usize,
}

/// Kills the process that plays in this folder until all is played, at most `most` times, and returns the counts.
fn play_through(folder: &Path, power: Option<&Power>, dice: &mut Stream, most: usize) -> Kills {
    let mut ladder = planned(folder);
    let ada = ladder.add_player("Ada", Some("ada"), 1).unwrap();
    let key = ladder.renew_key(ada).unwrap();
    let settings = ladder.settings().unwrap();
    let quotas = Quotas { submissions_an_hour: u32::MAX, ..settings.quotas };
    ladder.set_settings(&Settings { quotas, ..settings }).unwrap();
    drop(ladder);
    let mut handed_in: Vec<(String, Vec<u8>)> = Vec::new();
    let mut counts = Kills { kills: 0, words: 0, voids: 0, submissions: 0 };
    let path = folder.display().to_string();
    loop {
        let ladder = Ladder::open(folder).unwrap();
        // Of the matches in play only challenges are played again.
        let playing = in_state(&ladder, MatchState::Playing);
        let left = in_state(&ladder, MatchState::Planned).len() + of_kind(&playing, MatchKind::Challenge);
        drop(ladder);
        if left == 0 {
            break;
        }
        let last = counts.kills >= most;
        let words = ["ladder", &path, "--jobs", "2", "--sandbox", "off", "--web", "127.0.0.1:0"];
        let mut host = Host::start(casino().args(words));
        let said = host.wait_until_said(|said| said.contains("console.html").then(|| said.to_string()));
        let (key, first) = (key.clone(), counts.kills * 1_000_000);
        let handing_in = std::thread::spawn(move || hand_in(said, key, first));
        // The last process plays until all is over.
        let until = if last { left } else { left.min(dice.below(6) as usize) };
        let mut over = false;
        // A journal that was in its place when its process was killed is taken in, and its match reported by no process.
        let is_all_over = || {
            let ladder = Ladder::open(folder).unwrap();
            let open = [MatchState::Planned, MatchState::Playing].map(|state| in_state(&ladder, state).len());
            open == [0, 0]
        };
        while told(&host.said()).len() < until && !over && !(last && is_all_over()) {
            over = host.has_ended();
            std::thread::yield_now();
        }
        let mut moments = dice.below(200_000);
        while moments > 0 && !last {
            moments -= 1;
            std::hint::spin_loop();
        }
        host.signal(if last { Signal::SIGINT } else { Signal::SIGKILL });
        let ended = host.wait();
        assert!(!over, "{}", ended.stderr);
        let acknowledged = handing_in.join().unwrap();
        let way = power.filter(|_| !last).map_or(Way::All, |power| power.fail(dice));
        counts.kills += 1;
        let ladder = Ladder::open(folder).unwrap();
        let played: BTreeSet<String> =
            in_state(&ladder, MatchState::Played).into_iter().map(|one| one.name).collect();
        let told = told(&ended.stderr);
        assert!(told.is_subset(&played), "{way:?}: {:?} is lost", told.difference(&played));
        counts.words += told.len();
        counts.submissions += acknowledged.len();
        // The names of files are synced, the bytes of a submission are left to the system.
        if power.is_none() {
            handed_in.extend(acknowledged);
        }
        for (label, body) in &handed_in {
            let version = ladder.version_labelled(label).unwrap();
            let kept = std::fs::read(ladder.handed_in(&version).join(&version.source)).unwrap();
            assert!(kept == *body, "{label} is lost");
        }
    }
    counts.voids = everything_follows(folder);
    counts
}

/// Verifies the ladder and returns the number of void matches.
fn everything_follows(folder: &Path) -> usize {
    let mut ladder = Ladder::open(folder).unwrap();
    ladder.serve().unwrap();
    let (played, void) = (in_state(&ladder, MatchState::Played), in_state(&ladder, MatchState::Void));
    assert_eq!(of_kind(&played, MatchKind::Challenge), MATCHES, "each challenge is played once");
    assert_eq!(of_kind(&played, MatchKind::Rated) + of_kind(&void, MatchKind::Rated), MATCHES);
    assert!(void.iter().all(|one| one.reason.as_deref() == Some("the host stopped while it was played")));
    let verified = ladder.verify(|_, _| {}).unwrap();
    assert_eq!((verified.matches as usize, &verified.problems[..]), (played.len(), &[][..]));
    assert_eq!(std::fs::read_dir(folder.join("matches")).unwrap().count(), played.len());
    void.len()
}

fn kill(wanted: usize, what: &str, place: impl Fn(usize) -> (PathBuf, Option<Power>)) {
    let mut dice = Seed::chosen("ladders that are killed").stream("kills");
    let mut all = Kills { kills: 0, words: 0, voids: 0, submissions: 0 };
    let mut ladders = 0;
    while all.kills < wanted || all.words == 0 {
        let (folder, power) = place(ladders);
        let Kills { kills, words, voids, submissions } =
            play_through(&folder, power.as_ref(), &mut dice, (wanted - all.kills.min(wanted)).min(25));
        all.kills += kills;
        all.words += words;
        all.voids += voids;
        all.submissions += submissions;
        ladders += 1;
    }
    println!(
        "{what}: {} kills in {ladders} ladders, {} matches told and {} submissions acknowledged and none of them lost, {} matches in play, void and challenges among them played again",
        all.kills, all.words, all.submissions, all.voids
    );
}

#[test]
fn a_ladder_that_is_killed_records_each_match_once() {
    let folder = Folder::new("ladders");
    kill(number("LADDER_KILLS", 4), "kill -9", |number| (folder.file(&number.to_string()), None));
}

#[test]
fn a_ladder_keeps_reported_matches_when_the_power_fails() {
    let folder = Folder::new("ladder-power");
    let Some(disks) = Forgetful::mount(&folder.file("disks")) else { return };
    kill(number("LADDER_CUTS", 4), "power failures", |number| {
        let power = disks.disk(&format!("ladder-{number}"));
        (power.folder().join("ladder"), Some(power))
    });
    drop(disks);
}

#[test]
fn a_full_disk_stops_new_matches_with_a_message() {
    let folder = Folder::new("ladder-full");
    let Some(disks) = Forgetful::mount(&folder.file("disks")) else { return };
    let disk = disks.disk("full");
    let at = disk.folder().join("ladder");
    drop(planned(&at));
    disk.leave_room(Some(200_000));
    let mut host =
        Host::start(casino().args(["ladder", at.to_str().unwrap(), "--jobs", "2", "--sandbox", "off"]));
    let waits = |said: &str| said.contains("Waiting for ten seconds").then(|| said.to_string());
    let said = host.wait_until_said(waits);
    assert!(said.contains("full") || said.contains("No space left"), "{said}");
    disk.leave_room(None);
    let before = told(&said).len();
    host.wait_until_said(|said| (told(said).len() >= before + 3).then_some(()));
    host.signal(Signal::SIGINT);
    let ended = host.wait();
    assert!(ended.status.success(), "{}", ended.stderr);
    let mut ladder = Ladder::open(&at).unwrap();
    ladder.serve().unwrap();
    let states = [MatchState::Planned, MatchState::Played, MatchState::Void];
    let rated = states.map(|state| of_kind(&in_state(&ladder, state), MatchKind::Rated));
    assert_eq!(rated.iter().sum::<usize>(), MATCHES, "none is lost: {rated:?}");
    let verified = ladder.verify(|_, _| {}).unwrap();
    assert_eq!(verified.problems, [""; 0]);
    assert!(verified.matches as usize >= before + 3);
    drop(ladder);
    drop(disk);
    drop(disks);
}
