//! One tournament whose host is killed again and again.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use casino_stud::cards::{Seed, Stream};
use casino_stud::journal::{JournalLine, ReadError, Reader, Tail};
use casino_stud::replay::{JournalEnd, verify};
use nix::sys::signal::Signal;

use crate::power::{Power, Way};
use crate::shapes::Shape;
use crate::support::client::{Crowd, Told};
use crate::support::host::{Folder, Host};
use crate::support::{come_in, lines, outcome, recorded, without_orders};
use crate::watcher::Watcher;

/// Microseconds after which a host has mostly started.
const STARTED: u32 = 12_000;

/// Kills without another round after which a host is given twice as long.
const STUCK: usize = 12;

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    pub(crate) tournaments: usize,
    /// Kills, with which the power failed if it was to fail.
    pub(crate) kills: usize,
    /// Kills with which the power did not fail though it could.
    pub(crate) spared: usize,
    /// Kills before the host listened.
    pub(crate) early: usize,
    /// Rounds that were torn by a kill.
    pub(crate) torn: usize,
    /// Words that were checked after kills.
    pub(crate) words: usize,
    /// Journals with damage in an unsynced part, which were refused.
    pub(crate) refused: usize,
}

impl Counts {
    pub(crate) fn add(&mut self, other: Counts) {
        self.tournaments += other.tournaments;
        self.kills += other.kills;
        self.spared += other.spared;
        self.early += other.early;
        self.torn += other.torn;
        self.words += other.words;
        self.refused += other.refused;
    }
}

pub(crate) struct Tournament<'a> {
    pub(crate) shape: &'a Shape,
    pub(crate) seed: String,
    /// The output of programs, and the journal unless the power fails.
    folder: Folder,
    journal: String,
    /// The disk whose power fails with the host, if it does.
    power: Option<Power>,
}

pub(crate) struct Run {
    pub(crate) journal: Vec<u8>,
    pub(crate) took: Duration,
    pub(crate) counts: Counts,
}

impl Tournament<'_> {
    /// In a new folder, or with the journal on this disk.
    fn new(shape: &Shape, seed: String, power: Option<Power>) -> Tournament<'_> {
        let folder = Folder::new("kills");
        let journal = power.as_ref().map_or_else(|| folder.path("day.jsonl"), Power::journal);
        Tournament { shape, seed, folder, journal, power }
    }

    /// Plays one without any kill, and one with at most `kills`, and compares the two.
    pub(crate) fn compare(shape: &Shape, seed: &str, power: Option<Power>, kills: usize) -> Counts {
        let mut dice = Seed::chosen(seed).stream("delays");
        let undisturbed = Tournament::new(shape, seed.to_string(), None).play(0, Duration::ZERO, &mut dice);
        // Short enough that several kills come before the end.
        let longest = (undisturbed.took / 12).max(Duration::from_millis(8));
        let killed = Tournament::new(shape, seed.to_string(), power).play(kills, longest, &mut dice);
        let expected = without_orders(outcome(&undisturbed.journal));
        let Counts { kills, .. } = killed.counts;
        let is_same = without_orders(outcome(&killed.journal)) == expected;
        assert!(is_same, "{}, seed {seed}: another outcome after {kills} kills", shape.name);
        Counts { tournaments: 1, ..killed.counts }
    }

    /// Plays a tournament whose host is killed after random delays of up to `longest`, at most `kills` times.
    fn play(&self, kills: usize, longest: Duration, dice: &mut Stream) -> Run {
        let began = Instant::now();
        let crowd = Crowd::new(self.shape.players);
        let mut counts = Counts::default();
        let (mut longest, mut rounds, mut stuck) = (longest, 0, 0);
        loop {
            let is_last = counts.kills == kills;
            let is_early = !is_last && dice.one_in(4);
            let mut host = Host::start(&mut self.command());
            let mut watcher = None;
            if !is_early && let Some(address) = host.address() {
                watcher = self.shape.has_page.then(|| Watcher::of(&host));
                crowd.tell(address);
            }
            if is_last {
                let ended = host.wait();
                watcher.map(Watcher::newest_round);
                assert!(ended.status.success(), "{}, {}: {}", self.shape.name, self.seed, ended.stderr);
                break;
            }
            let most = if is_early { STARTED } else { longest.as_micros() as u32 };
            thread::sleep(Duration::from_micros(u64::from(dice.below(most + 1))));
            host.signal(Signal::SIGKILL);
            let ended = host.wait();
            if ended.status.success() {
                // It was quicker.
                watcher.map(Watcher::newest_round);
                break;
            }
            assert!(ended.status.code().is_none(), "{}, {}: {}", self.shape.name, self.seed, ended.stderr);
            counts.early += usize::from(is_early);
            let shown = watcher.map_or(0, Watcher::newest_round);
            crowd.settle();
            let now = self.after_a_kill(&crowd, shown, dice, &mut counts);
            stuck = if now > rounds { 0 } else { stuck + 1 };
            rounds = rounds.max(now);
            if stuck == STUCK {
                (stuck, longest) = (0, longest * 2);
            }
        }
        let told = crowd.disperse();
        let took = began.elapsed();
        let journal = fs::read(&self.journal).unwrap();
        assert_eq!(verify(&journal[..], |_| {}).unwrap().end, JournalEnd::Over);
        let words = self.check_told(&journal, &told, 0);
        assert!(words > 40, "{}: {words}", self.shape.name);
        let at = format!("{}, seed {}", self.shape.name, self.seed);
        assert!(each_round_is_dealt_once(&lines(&journal)), "{at}: a torn round is still in the journal");
        Run { journal, took, counts }
    }

    /// The next host: the first one, or a resuming one.
    fn command(&self) -> std::process::Command {
        if fs::read(&self.journal).is_ok_and(|bytes| bytes.contains(&b'\n')) {
            return self.shape.resume(&self.journal);
        }
        // It died before its journal was there, so there is no tournament yet.
        let _ = fs::remove_file(&self.journal);
        self.shape.begin(&self.folder, &self.journal, self.power.is_some(), &self.seed)
    }

    /// Cuts the power if that is planned, and compares all messages received so far with the remaining journal. Returns
    /// its last round.
    fn after_a_kill(&self, crowd: &Crowd, shown: u64, dice: &mut Stream, counts: &mut Counts) -> u64 {
        let way = self.power.as_ref().map(|power| power.fail(dice));
        counts.spared += usize::from(way == Some(Way::All));
        counts.kills += usize::from(way != Some(Way::All));
        if way == Some(Way::Holes) && self.is_refused() {
            counts.refused += 1;
        }
        let left = fs::read(&self.journal).unwrap_or_default();
        let end = left.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let end_of = |journal: &[u8]| verify(journal, |_| {}).map(|verified| verified.end);
        let is_torn =
            matches!(end_of(&left), Ok(JournalEnd::Open { tail: Tail::Torn { round: Some(_), .. } }));
        counts.torn += usize::from(is_torn);
        let mut told = crowd.told();
        told.extend(self.shape.told_to_programs(&self.folder));
        counts.words += self.check_told(&left[..end], &told, shown);
        newest_round(&left[..end])
    }

    /// Checks that all received messages are in the journal. Returns their number.
    fn check_told(&self, journal: &[u8], told: &BTreeMap<String, Told>, shown: u64) -> usize {
        let recorded = recorded(journal, true).unwrap();
        let at = format!("{}, seed {}", self.shape.name, self.seed);
        let mut words = 0;
        for (id, told) in told {
            let known = recorded.get(id).cloned().unwrap_or_default();
            // A player that was out before the host died and did not learn of it is refused when it comes back.
            let (refusals, told): (Told, Told) =
                told.iter().cloned().partition(|words| words.starts_with("done:You are not in the game"));
            let is_out = known.iter().any(|words| words.starts_with("done:"));
            assert!(refusals.is_empty() || is_out, "{at}: {id} was refused: {refusals:?}");
            words += told.len();
            assert!(come_in(&told, &known), "{at}: {id} was told something that is not recorded: {told:?}");
        }
        let newest = newest_round(journal);
        assert!(shown <= newest, "{at}: the page has shown round {shown}, and the journal has {newest}");
        words
    }

    /// Whether there is damage in the journal. Then `resume` must refuse it with the place, and the damage is cut off
    /// manually.
    fn is_refused(&self) -> bool {
        let left = fs::read(&self.journal).unwrap_or_default();
        let Ok(mut lines) = Reader::new(&left[..]) else { return false };
        let damage = lines.find_map(|entry| match entry {
            Err(ReadError::Damaged { offset, .. }) => Some(offset),
            entry => entry.map(|_| None).unwrap(),
        });
        let Some(offset) = damage else { return false };
        let ended = Host::start(&mut self.shape.resume(&self.journal)).wait();
        assert_eq!(ended.status.code(), Some(2), "{}", ended.stderr);
        assert!(ended.stderr.contains(&format!("offset {offset}")), "offset {offset}: {}", ended.stderr);
        let file = fs::OpenOptions::new().write(true).open(&self.journal).unwrap();
        file.set_len(offset).unwrap();
        file.sync_all().unwrap();
        true
    }
}

fn newest_round(journal: &[u8]) -> u64 {
    let Ok(lines) = Reader::new(journal) else { return 0 };
    let ended = lines.filter_map(|entry| match entry.unwrap().line {
        JournalLine::End { round, .. } => Some(round),
        _ => None,
    });
    ended.max().unwrap_or(0)
}

/// Whether no table deals a round twice.
fn each_round_is_dealt_once(lines: &[JournalLine]) -> bool {
    let mut dealt = BTreeSet::new();
    lines.iter().all(|line| match line {
        JournalLine::Deal { table, round, .. } => dealt.insert((*table, *round)),
        _ => true,
    })
}
