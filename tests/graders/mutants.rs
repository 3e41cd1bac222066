//! Programs with one fault each against the graders of the sister games: the default cases find every fault, and a
//! known misreading gets its own name only. The programs are in `tests/students/mutants.py`.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::Mutex;

use casino_judge::grade::{CaseSettings, Report, blackjack, cribbage};
use casino_stud::cards::{Card, Notation, Seed};

use super::{python, student};

/// Mutants that are graded at the same time.
const AT_ONCE: usize = 4;

/// A program with one fault, which answers until it is dropped.
struct Mutant {
    child: Child,
    stdout: BufReader<ChildStdout>,
}

impl Mutant {
    fn start(python: &str, game: &str, name: &str) -> Mutant {
        let mut command = Command::new(python);
        command.args([&student("mutants.py"), game, name]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        Mutant { child, stdout }
    }

    /// Its output for these words.
    fn answer(&mut self, words: &str) -> String {
        writeln!(self.child.stdin.as_mut().unwrap(), "{words}").unwrap();
        let mut length = String::new();
        self.stdout.read_line(&mut length).unwrap();
        let mut answer = vec![0; length.trim().parse().unwrap()];
        self.stdout.read_exact(&mut answer).unwrap();
        String::from_utf8(answer).unwrap()
    }
}

impl Drop for Mutant {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The settings of `casino grade` without any flag.
fn default_cases() -> CaseSettings {
    CaseSettings { seed: Seed::chosen("casino day"), cases: 20, time: None }
}

/// The names of everything that was found wrong.
fn named(report: &Report) -> Vec<&str> {
    let found = report.parts.iter().find(|part| part.title == "Causes of the differences");
    found.map_or(Vec::new(), |part| part.items.iter().map(|item| item.id.as_str()).collect())
}

/// The mutants whose misreading is named in transcripts of Blackjack.
const OF_BLACKJACK: &str = "left-first soft-ace-stays soft-flag-kept dealer-hits-soft-17 natural-payout:once \
    natural-payout:double natural-payout:half natural-payout:rounded-up natural-payout:halved-first \
    natural-pushes count-kept-at-shuffle hole-never-counted up-card-not-counted double-without-bankroll \
    reshuffle-at-20 arguments-ignored:bankroll arguments-ignored:hands";

/// The misreadings that are named in values of hands.
const OF_VALUES: &str = "pair-outside-run-multiplies flush-with-start-card flush-only-of-five nob-start-jack nob-any-suit \
    no-nob round-the-corner runs-once fifteens-of-two";

/// The misreadings that are named in choices. A mutant `value:x` misreads the value, and `x:form` is a form of `x`.
const OF_CHOICES: &str = "value-without-start start-cards-of-crib value:pair-outside-run-multiplies \
    value:flush-with-start-card value:flush-only-of-five value:nob-any-suit value:no-nob \
    value:round-the-corner value:runs-once";

/// Grades the mutants of a game: each loses points, is called by its own name if it is a known misreading, and by none if
/// not. The right ones get full marks.
fn all_are_found(game: &str, known: &str, judge: impl Fn(&mut Mutant) -> Report + Sync) {
    let Some(python) = python() else { return };
    let list = Command::new(python).args([&student("mutants.py"), "list", game]).output().unwrap();
    let list = String::from_utf8(list.stdout).unwrap();
    assert!(list.lines().count() > 35 && known.split(' ').all(|name| list.lines().any(|line| line == name)));
    let (names, wrong) = (Mutex::new(list.lines()), Mutex::new(Vec::new()));
    let grade_next = || {
        while let Some(name) = next(&names) {
            let report = judge(&mut Mutant::start(python, game, name));
            let mut found = mistakes(name, known, &report);
            found.extend(disproportion(game, name, &report));
            wrong.lock().unwrap().extend(found);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(grade_next);
        }
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

fn next<'a>(names: &Mutex<impl Iterator<Item = &'a str>>) -> Option<&'a str> {
    names.lock().unwrap().next()
}

/// The least and the most that mutants of a game cost, in hundredths of all points, as docs/grading.md has it: the one with no
/// names is for all others.
const SHARES: [(&str, f64, f64, &str); 13] = [
    (
        "blackjack",
        0.1,
        2.0,
        "cards-as-digits debug-lines no-last-line-end player-draws-labelled-dealer player-total-without-s \
        small-letters spaces-at-the-end",
    ),
    (
        "blackjack",
        0.5,
        5.0,
        "double-only-above-10 poor-player-played-one double-without-bankroll soft-18-stands-on-9 \
        plays-when-poor simple-counts",
    ),
    (
        "blackjack",
        40.0,
        80.0,
        "dealer-bust-pays-nothing never-reshuffles crashes-at-bust arguments-ignored:hands",
    ),
    ("blackjack", 90.0, 100.0, "arguments-ignored:bankroll"),
    ("blackjack", 5.0, 15.0, ""),
    (
        "value",
        30.0,
        55.0,
        "no-runs fifteens-of-two pairs-next-to-each-other fifteens-without-start fifteens-jack-11 no-pairs \
        pairs-1-point pairs-twice fifteens-1-point fifteens-twice no-fifteens",
    ),
    ("value", 100.0, 100.0, "one-more"),
    ("value", 1.0, 30.0, ""),
    ("select", 50.0, 100.0, "first-four last-four least prints-five prints-crib prints-value"),
    ("select", 0.02, 30.0, ""),
    ("blackjack", 0.0, 0.0, "right"),
    ("value", 0.0, 0.0, "right"),
    ("select", 0.0, 0.0, "right right-last-of-equals with-commas"),
];

/// Why a mutant does not cost what it should.
fn disproportion(game: &str, mutant: &str, report: &Report) -> Option<String> {
    let is_named = |names: &str| names.split_whitespace().any(|name| name == mutant);
    let of_game = || SHARES.iter().filter(|(of, ..)| *of == game);
    let named = of_game().find(|(.., names)| is_named(names));
    let (_, least, most, _) = named.or_else(|| of_game().find(|(.., names)| names.is_empty()))?;
    let summary = report.summary();
    let lost = 100.0 * (1.0 - summary.points.as_f64() / summary.max_points.as_f64());
    println!("{lost:6.2} % of the points  {game} {mutant}");
    let is_in_proportion = (least - 0.005..=most + 0.005).contains(&lost);
    (!is_in_proportion).then(|| format!("{mutant} costs {lost:.2} %, not {least} to {most} %"))
}

/// The errors in the report of a mutant.
fn mistakes(mutant: &str, known: &str, report: &Report) -> Vec<String> {
    let (summary, found) = (report.summary(), named(report));
    let is_right = mutant.starts_with("right") || mutant == "with-commas";
    let called = if known.split(' ').any(|name| name == mutant) {
        let name = mutant.strip_prefix("value:").unwrap_or(mutant);
        vec![name.split_once(':').map_or(name, |(name, _)| name)]
    } else {
        Vec::new()
    };
    let mut wrong = Vec::new();
    if is_right != (summary.points == summary.max_points) {
        wrong.push(format!("{mutant} gets {} of {} points", summary.points, summary.max_points));
    }
    if found != called {
        wrong.push(format!("{mutant}: {found:?} instead of {called:?}"));
    }
    wrong
}

fn words(cards: &[Card]) -> String {
    cards.iter().map(|card| Notation::Short.write(*card)).collect::<Vec<_>>().join(" ")
}

#[test]
#[ignore = "long: faults that the default cases miss; graders::mutants::a_second_fault_is_what_differs_without_the_first"]
fn blackjack_mutants_lose_points_and_have_the_right_name() {
    all_are_found("blackjack", OF_BLACKJACK, |mutant| {
        blackjack::grade_transcripts(&default_cases(), |bankroll, hands, player| {
            mutant.answer(&format!("{bankroll} {hands} {player}"))
        })
    });
}

/// Two or three faults at once: the misreadings that are named, and the kinds of lines that break a rule.
const TOGETHER: [(&str, &[&str], usize); 7] = [
    ("hard-12-like-13+dealer-hits-soft-17", &["dealer-hits-soft-17"], 2),
    ("natural-payout:half+hole-shown-after-bust", &["natural-payout"], 2),
    ("soft-ace-stays+soft-18-stands", &["soft-ace-stays"], 2),
    ("arguments-ignored:bankroll+double-below-minus-2", &["arguments-ignored"], 2),
    ("soft-18-hits+up-card-not-counted+player-draws-labelled-dealer", &["up-card-not-counted"], 2),
    ("soft-18-hits+three-cards-natural+natural-payout:half", &["natural-payout"], 3),
    ("ace-always-1", &[], 1),
];

#[test]
fn a_second_fault_is_what_differs_without_the_first() {
    let Some(python) = python() else { return };
    for (names, called, kinds) in TOGETHER {
        let mut mutant = Mutant::start(python, "blackjack", names);
        let report = blackjack::grade_transcripts(&default_cases(), |bankroll, hands, player| {
            mutant.answer(&format!("{bankroll} {hands} {player}"))
        });
        assert_eq!(named(&report), called, "{names}");
        let worst = report.items().filter(|item| item.reason.contains("break a rule"));
        let worst = worst.map(|item| item.reason.split(", ").count() - 1).max();
        assert_eq!(worst, Some(kinds), "{names}");
    }
}

#[test]
fn value_mutants_lose_points_and_have_the_right_name() {
    all_are_found("value", OF_VALUES, |mutant| {
        cribbage::grade_values(&default_cases(), |[a, b, c, d], start| {
            mutant.answer(&words(&[a, b, c, d, start]))
        })
    });
}

#[test]
#[ignore = "long: the same of choices; graders::mutants::value_mutants_lose_points_and_have_the_right_name"]
fn selection_mutants_lose_points_and_have_the_right_name() {
    all_are_found("select", OF_CHOICES, |mutant| {
        cribbage::grade_selections(&default_cases(), |cards| mutant.answer(&words(cards)))
    });
}
