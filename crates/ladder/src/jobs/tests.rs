use std::sync::atomic::{AtomicI64, Ordering};

use casino_judge::check::CheckSettings;
use casino_judge::sandbox::{Policy, Sandbox};

use super::*;
use crate::folder::tests::Scratch;
use crate::{HandedInBy, MatchFoul, MatchState, PlayError, PlayedMatch, SeatResult, VersionState};

fn workshop() -> Workshop {
    Workshop::new(Sandbox::new(Policy::Plain).unwrap(), CheckSettings::default())
}

/// A version of a new player, which waits to be checked.
fn version(ladder: &mut Ladder, scratch: &Scratch, name: &str) -> VersionId {
    let player = match ladder.player_named(name) {
        Ok(player) => player.id,
        Err(_) => ladder.add_player(name, None, 1).unwrap(),
    };
    let source = scratch.path().join("bot");
    std::fs::create_dir_all(&source).unwrap();
    std::fs::write(source.join("bot.json"), "{\"run\":\"no-such-program {host} {port}\"}").unwrap();
    let number = ladder.versions().unwrap().len();
    std::fs::write(source.join("name"), number.to_string()).unwrap();
    ladder.take_in(player, &source, HandedInBy::Teacher, 1).unwrap()
}

/// Steps of lanes on a clock of their own, without programs: matches are begun and not played.
#[test]
fn bad_programs_keep_no_other_one_from_playing() {
    let scratch = Scratch::new("lanes");
    let mut ladder = scratch.ladder();
    ladder.add_house_bots(1).unwrap();
    let names = ["Crashes", "Hangs", "New", "One", "Other", "Slow"];
    let versions = names.map(|name| version(&mut ladder, &scratch, name));
    let [crashes, hangs, new, one, other, slow] = versions;
    let workshop = workshop();
    let time = AtomicI64::new(1_000);
    let clock = || time.fetch_add(1, Ordering::Relaxed);
    let reported = Mutex::new(Vec::new());
    let news = |news: &JobNews| match news {
        JobNews::Rated(_) => {}
        news => reported.lock().unwrap().push(news.clone()),
    };
    let jobs = Jobs::new(&workshop, &clock, &news, &|| false, None);
    for version in [new, one, other, slow, hangs] {
        ladder.set_checked(version, VersionState::Ready, None, Some("passed")).unwrap();
    }
    // The check hangs; that of another version that cannot be checked is tried twice, and no match waits for it.
    jobs.planning().checking.insert(crashes, None);
    let players = |ladder: &mut Ladder| match jobs.next(ladder, Lane::Matches).unwrap() {
        Some(JobStep::Play(id)) => {
            let mut seats = ladder.match_of(id).unwrap().seats;
            seats.retain(|seat| versions.contains(&seat.version));
            let mut players: Vec<VersionId> = seats.iter().map(|seat| seat.version).collect();
            players.sort_unstable();
            (Some(id), players)
        }
        _ => (None, Vec::new()),
    };
    assert!(matches!(jobs.next(&mut ladder, Lane::Checks).unwrap(), Some(JobStep::Nothing)));
    let (first, played) = players(&mut ladder);
    assert_eq!(played, [hangs, new, one, other, slow]);
    // The slow one rests after its match, as long as five players play in that time.
    let began_ms = clock();
    time.fetch_add(60_000, Ordering::Relaxed);
    ladder.void(first.unwrap(), "it is over", clock()).unwrap();
    let taken = BTreeMap::from([("Slow/1".to_string(), 36_000), ("One/1".to_string(), 9_000)]);
    jobs.note_times(&ladder, first.unwrap(), &taken, began_ms).unwrap();
    for _ in 0..10 {
        let (again, quick) = players(&mut ladder);
        assert_eq!(quick, [hangs, new, one, other], "while the slow one rests");
        ladder.void(again.unwrap(), "it is over", clock()).unwrap();
    }
    // A version that cannot be started is set aside at once, after its second start in that match.
    let (trial, _) = players(&mut ladder);
    let why = "ended before it connected".to_string();
    let absent = PlayError::Unfit { label: "Hangs/1".to_string(), why };
    ladder.conclude(trial.unwrap(), Err(absent), clock()).unwrap();
    assert_eq!(players(&mut ladder).1, [new, one, other]);
    // A version that cannot be checked is set aside after its second check, with the reason.
    jobs.planning().checking.clear();
    for _ in 0..2 {
        let version = ladder.version(crashes).unwrap();
        std::fs::remove_dir_all(ladder.handed_in(&version)).unwrap_or_default();
        assert!(matches!(jobs.next(&mut ladder, Lane::Checks).unwrap(), Some(JobStep::Check(_))));
        jobs.check(&mut ladder, &version).unwrap();
        assert!(matches!(jobs.next(&mut ladder, Lane::Checks).unwrap(), Some(JobStep::Nothing)));
        time.fetch_add(SECOND_CHECK_MS, Ordering::Relaxed);
    }
    let version = ladder.version(crashes).unwrap();
    assert_eq!(version.state, VersionState::SetAside);
    assert!(version.reason.as_ref().unwrap().contains("twice"), "{version:?}");
    assert_eq!(*reported.lock().unwrap(), [JobNews::Checked { version }]);
    // What could not be checked is checked when it is activated.
    ladder.activate(crashes).unwrap();
    assert_eq!(ladder.version(crashes).unwrap().state, VersionState::Waiting);
}

/// Planned matches of a player who is retired are void, and one in play ends.
#[test]
fn a_retired_player_plays_no_longer() {
    let scratch = Scratch::new("retired");
    let mut ladder = scratch.ladder();
    ladder.add_house_bots(1).unwrap();
    let [one, other] = ["One", "Other"].map(|name| version(&mut ladder, &scratch, name));
    for version in [one, other] {
        ladder.set_checked(version, VersionState::Ready, None, Some("passed")).unwrap();
    }
    let workshop = workshop();
    let jobs = Jobs::new(&workshop, &|| 5, &|_| {}, &|| false, None);
    let Some(JobStep::Play(played)) = jobs.next(&mut ladder, Lane::Matches).unwrap() else { panic!("idle") };
    let terms = ladder.settings().unwrap().terms(MatchKind::Challenge);
    let planned = ladder.plan_match(terms, &[one, other], None, 6).unwrap();
    ladder.retire(ladder.version(one).unwrap().player, Some(7)).unwrap();
    assert_eq!(ladder.match_of(planned).unwrap().state, MatchState::Void);
    assert!(ladder.has_retired(played).unwrap(), "it ends after its round");
    ladder.void(played, "it is over", 8).unwrap();
    let Some(JobStep::Play(next)) = jobs.next(&mut ladder, Lane::Matches).unwrap() else { panic!("idle") };
    let seats = ladder.match_of(next).unwrap().seats;
    let sits = |version| seats.iter().any(|seat| seat.version == version);
    assert!(sits(other) && !sits(one));
}

/// Five versions of one student and one of another wait, and two challenges of one: they are served by turns.
#[test]
fn checks_and_challenges_go_by_turns_between_players() {
    let scratch = Scratch::new("turns");
    let mut ladder = scratch.ladder();
    ladder.add_house_bots(1).unwrap();
    let time = AtomicI64::new(1_000);
    let clock = || time.fetch_add(1, Ordering::Relaxed);
    let workshop = workshop();
    let jobs = Jobs::new(&workshop, &clock, &|_| {}, &|| false, None);
    let names = ["Many", "Many", "Many", "Many", "Many", "One", "Many"];
    let versions = names.map(|name| version(&mut ladder, &scratch, name));
    let mut order = Vec::new();
    for _ in names {
        let Some(JobStep::Check(version)) = jobs.next(&mut ladder, Lane::Checks).unwrap() else { panic!() };
        ladder.set_checked(version.id, VersionState::Ready, None, None).unwrap();
        order.push(version.id);
    }
    assert_eq!(order[..3], [versions[0], versions[5], versions[1]]);
    let player = |name: &str| ladder.player_named(name).unwrap();
    let (many, one) = (player("Many"), player("One"));
    let active = [many.active_version.unwrap(), one.active_version.unwrap()];
    let terms = ladder.settings().unwrap().terms(MatchKind::Challenge);
    let planned =
        [many.id, many.id, one.id].map(|player| ladder.plan_match(terms, &active, Some(player), 2).unwrap());
    let mut order = Vec::new();
    for _ in 0..11 {
        let Some(JobStep::Play(id)) = jobs.next(&mut ladder, Lane::Matches).unwrap() else { panic!("idle") };
        let began_ms = clock();
        time.fetch_add(20_000, Ordering::Relaxed);
        ladder.void(id, "it is over", clock()).unwrap();
        jobs.note_times(&ladder, id, &BTreeMap::new(), began_ms).unwrap();
        order.push(planned.iter().position(|challenge| *challenge == id));
    }
    // Rated matches have four times as much time.
    for (at, challenge) in order.into_iter().enumerate() {
        let due = [(0, 0), (5, 2), (10, 1)].iter().find(|(due, _)| *due == at).map(|(_, number)| *number);
        assert_eq!(challenge, due, "{at}");
    }
}

/// How a student's program behaves in a simulated ladder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Manner {
    Good,
    /// Thinks as long as it may, in its challenges too.
    Slow,
    /// Connects in time, and does not answer.
    Silent,
    /// Does not connect.
    Hangs,
    /// Leaves in the first round.
    Crashes,
    /// Is built for a minute before each match.
    Huge,
}

impl Manner {
    /// How long a match with such a version lasts, and the part of it that the version takes, in milliseconds.
    fn times_ms(self, budget_ms: i64) -> (i64, i64) {
        match self {
            Manner::Hangs => (41_000, 40_000),
            Manner::Slow | Manner::Silent => (budget_ms, budget_ms - 2_000),
            Manner::Crashes => (1_500, 300),
            Manner::Huge => (65_000, 60_000),
            Manner::Good => (5_000, 1_000),
        }
    }
}

/// The versions of sixty students, of which the first ones behave like these and the others are good.
struct Class<'a> {
    bad: &'a [Manner],
    versions: Vec<VersionId>,
    /// The challenge in the queue of each bad one.
    challenges: Vec<Option<MatchId>>,
    played: u64,
}

impl Class<'_> {
    fn manner(&self, student: usize) -> Manner {
        self.bad.get(student).copied().unwrap_or(Manner::Good)
    }

    /// The bad ones activate what was set aside, as a version that passed the check, and plan their next challenges.
    fn disturb(&mut self, ladder: &mut Ladder, now: i64) {
        for at in 0..self.bad.len() {
            let version = ladder.version(self.versions[at]).unwrap();
            if version.state == VersionState::SetAside {
                ladder.set_checked(version.id, VersionState::Ready, None, Some("passed")).unwrap();
            }
            let is_open = |id| ladder.match_of(id).unwrap().state == MatchState::Planned;
            if self.challenges[at].is_none_or(|id| !is_open(id)) {
                let terms = ladder.settings().unwrap().terms(MatchKind::Challenge);
                let terms = crate::MatchTerms { decks: 200, ..terms };
                let pair = [version.id, self.versions[at + 20]];
                self.challenges[at] =
                    Some(ladder.plan_match(terms, &pair, Some(version.player), now).unwrap());
            }
        }
    }

    /// Plays a match on this clock. Returns the students that sat in it if it counts for them.
    fn play(&mut self, ladder: &mut Ladder, jobs: &Jobs<'_>, id: MatchId, time: &AtomicI64) -> Vec<usize> {
        let (found, began_ms) = (ladder.match_of(id).unwrap(), time.load(Ordering::Relaxed));
        let student = |version| self.versions.iter().position(|one| *one == version);
        let seated: Vec<usize> = found.seats.iter().filter_map(|seat| student(seat.version)).collect();
        let budget_ms = ladder.plan_of(&found).unwrap().budget_ms();
        let times_ms = |at: &usize| self.manner(*at).times_ms(budget_ms);
        // One that leaves ends the match before the others take their time.
        let leaves = |at: &&usize| self.manner(**at) == Manner::Crashes;
        let worst = *seated.iter().find(leaves).or(seated.iter().max_by_key(|at| times_ms(at))).unwrap();
        let label = ladder.version(self.versions[worst]).unwrap().label;
        let (took_ms, own_ms) = times_ms(&worst);
        let now = began_ms + took_ms;
        time.store(now, Ordering::Relaxed);
        let is_whole = matches!(self.manner(worst), Manner::Good | Manner::Huge);
        let seat = found.seats.iter().position(|seat| seat.version == self.versions[worst]).unwrap();
        let foul = MatchFoul { seat, round: 1, name: "left".to_string(), why: "It left".to_string() };
        let rounds = if is_whole { found.decks as u64 * found.seats.len() as u64 } else { 1 };
        self.played += 1;
        let result = PlayedMatch {
            results: vec![SeatResult::default(); found.seats.len()],
            fouls: (!is_whole).then_some(foul).into_iter().collect(),
            rounds,
            journal_sha256: format!("{:064}", self.played),
            journal_bytes: 1,
        };
        let unfit = PlayError::Unfit { label: label.clone(), why: "is bad".to_string() };
        let is_void = matches!(self.manner(worst), Manner::Hangs | Manner::Slow | Manner::Silent);
        std::fs::write(ladder.unrecorded_journal(&found.name), "x").unwrap();
        ladder.conclude(id, if is_void { Err(unfit) } else { Ok(result) }, now).unwrap();
        jobs.note_times(ladder, id, &BTreeMap::from([(label, own_ms)]), began_ms).unwrap();
        if is_whole && found.kind == MatchKind::Rated { seated } else { Vec::new() }
    }
}

/// A ladder of sixty students with one job, on a simulated clock. The bad ones activate again what was set aside, as often
/// as they can, and always have a challenge in the queue. Returns the rated matches of the good student with the fewest,
/// hour by hour.
fn simulated_hours(bad: &[Manner], hours: usize) -> Vec<u32> {
    const HOUR_MS: i64 = 3_600_000;
    let scratch = Scratch::new("term");
    let mut ladder = scratch.ladder();
    ladder.db.pragma_update(None, "synchronous", "OFF").unwrap();
    ladder.add_house_bots(1).unwrap();
    let versions: Vec<VersionId> =
        (0..60).map(|number| version(&mut ladder, &scratch, &format!("Student {number:02}"))).collect();
    for version in &versions {
        ladder.set_checked(*version, VersionState::Ready, None, None).unwrap();
    }
    let time = AtomicI64::new(HOUR_MS);
    let clock = || time.load(Ordering::Relaxed);
    let workshop = workshop();
    let jobs = Jobs::new(&workshop, &clock, &|_| {}, &|| false, None);
    let mut class = Class { bad, versions, challenges: vec![None; bad.len()], played: 0 };
    let (mut counts, mut fewest) = (vec![0; 60], Vec::new());
    while fewest.len() < hours {
        class.disturb(&mut ladder, clock());
        match jobs.next(&mut ladder, Lane::Matches).unwrap() {
            Some(JobStep::Play(id)) => {
                let counted = class.play(&mut ladder, &jobs, id, &time);
                counted.into_iter().for_each(|at| counts[at] += 1);
            }
            _ => drop(time.fetch_add(500, Ordering::Relaxed)),
        }
        if clock() >= (fewest.len() as i64 + 2) * HOUR_MS {
            fewest.push(*counts[bad.len()..].iter().min().unwrap());
            counts.fill(0);
        }
    }
    fewest
}

const BAD: [Manner; 12] = [
    Manner::Slow,
    Manner::Slow,
    Manner::Slow,
    Manner::Silent,
    Manner::Silent,
    Manner::Hangs,
    Manner::Hangs,
    Manner::Crashes,
    Manner::Crashes,
    Manner::Huge,
    Manner::Huge,
    // One that remembers plays on, and gains nothing.
    Manner::Good,
];

/// In each hour, a good student has at least half of the rated matches of a ladder without bad programs.
fn is_undisturbed(hours: usize) {
    let undisturbed = simulated_hours(&[], 1);
    let disturbed = simulated_hours(&BAD, hours);
    println!("undisturbed {undisturbed:?}, disturbed {disturbed:?}");
    let half = *undisturbed.iter().min().unwrap() / 2;
    assert!(disturbed.iter().all(|count| *count >= half), "{disturbed:?} beside {undisturbed:?}");
}

#[test]
fn twelve_bad_students_leave_the_others_half_of_their_matches() {
    is_undisturbed(1);
}

/// A ladder that is served an hour a week, for fourteen weeks.
#[test]
#[ignore = "alone: some minutes"]
fn good_students_play_undisturbed_for_a_term() {
    is_undisturbed(14);
}
