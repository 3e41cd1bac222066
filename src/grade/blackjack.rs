//! Judging a student's Blackjack program: its transcript, byte by byte, with the cuts of the course's generator.
//!
//! Every game is followed hand by hand (`inspection`): what a program decides is held against what it has shown itself, so
//! that one slip is one difference. For each rule the known misreadings are held against all observations of it, and one
//! is named only if it explains every single one.

mod bets;
mod decks;
mod draws;
mod inspection;
mod lesson;
mod money;
mod order;
mod said;
mod transcript;
mod values;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use super::cases::{Case, CaseSettings, Cases};
use super::evidence::{self, Finding, Place};
use super::program::{NoAnswer, Template, answer_of, last_words, limits, shell_line};
use super::report::{Item, Outcome, Points, Report};
use crate::blackjack::{BlackjackLine, Counting, CourseCuts, Simple, play};
use crate::sandbox::{NeverStarted, Sandbox};
use inspection::{Inspection, Run};
use order::{hands_in, parts_of};
use said::{Said, TextFault};
use transcript::Transcript;

/// The document sets no limit. Ten thousand hands take a program of its kind well under a second.
const TIME: Duration = Duration::from_secs(10);

/// How many lines before the first difference are shown.
const CONTEXT: usize = 4;

/// One game: chips, hands, and whether the player counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Game {
    bankroll: u32,
    hands: u32,
    counting: bool,
}

/// The hard cases. The long ones meet every rule of the document again and again; the short ones say which
/// rule is broken before much else can be.
const HARD: [(&str, &str, Game); 14] = [
    ("sample", "the document's sample", simple(100, 3)),
    ("too-poor", "a bankroll below the minimum bet", simple(4, 10)),
    ("one-hand", "a single hand", simple(5, 1)),
    ("one-chip", "one chip and the counting player", counting(1, 1)),
    ("until-ruin", "five chips until they are gone", simple(5, 10_000)),
    ("short-counting", "the first shuffles of the counting player", counting(100, 30)),
    ("lean-5", "five chips that the counting player may not be able to double", counting(5, 10_000)),
    ("lean-9", "nine chips that the counting player may not be able to double", counting(9, 10_000)),
    ("lean-14", "fourteen chips that the counting player may not be able to double", counting(14, 10_000)),
    ("lean-30", "thirty chips that come down to the ten that doubling takes", counting(30, 10_000)),
    ("ruin-counting", "a hundred chips until they are gone", counting(100, 10_000)),
    ("ruin-simple", "two hundred chips until they are gone", simple(200, 10_000)),
    ("long-simple", "the longest game of the simple player", simple(10_000, 10_000)),
    ("long-counting", "the longest game of the counting player", counting(10_000, 10_000)),
];

const fn simple(bankroll: u32, hands: u32) -> Game {
    Game { bankroll, hands, counting: false }
}

const fn counting(bankroll: u32, hands: u32) -> Game {
    Game { bankroll, hands, counting: true }
}

impl Game {
    fn player(self) -> &'static str {
        if self.counting { "counting" } else { "simple" }
    }

    fn events(self) -> Vec<BlackjackLine> {
        let mut events = Vec::new();
        let tell = |event| events.push(event);
        let cuts = CourseCuts::new();
        let closing = if self.counting {
            play(self.bankroll, self.hands, Counting::default(), cuts, tell)
        } else {
            play(self.bankroll, self.hands, Simple, cuts, tell)
        };
        closing.expect("the course's cuts never end");
        events
    }

    /// The right transcript.
    fn transcript(self) -> String {
        self.events().iter().map(|event| format!("{event}\n")).collect()
    }
}

/// The cases: hard ones, and others drawn from a seed.
fn cases(settings: &CaseSettings) -> Cases<Game> {
    let hard = HARD.map(|(id, title, game)| Case { id: id.into(), title: title.into(), question: game });
    let mut stream = settings.seed.stream("grade blackjack");
    let draw = |number| {
        let question = Game {
            bankroll: 1 + stream.below(1_000),
            hands: 1 + stream.below(1_000),
            counting: stream.one_in(2),
        };
        let title = format!("{} chips, {} hands, {}", question.bankroll, question.hands, question.player());
        Case { id: format!("drawn-{number}"), title, question }
    };
    Cases { hard: hard.into(), drawn: (1..=settings.cases).map(draw).collect() }
}

/// Judges a program that takes a bankroll, a number of hands and a player, and prints the transcript. `done` is called
/// after each case with how many are done and of how many.
pub fn grade(
    program: &Template,
    sandbox: &Sandbox,
    settings: &CaseSettings,
    done: impl FnMut(usize, usize),
) -> Report {
    let time = settings.time.unwrap_or(TIME);
    let subject = program.text().to_string();
    judge_all(subject, settings, done, |game, item| {
        let limits = limits(2 * game.transcript().len() + (64 << 10), time);
        let words = program.fill(&[
            ("bankroll", &[game.bankroll.to_string()]),
            ("hands", &[game.hands.to_string()]),
            ("player", &[game.player().to_string()]),
        ]);
        let (ended, problem) = answer_of(sandbox, &words, &limits)?;
        let item = Item { command: Some(shell_line(&words)), stderr: last_words(&ended), ..item };
        let text = String::from_utf8_lossy(&ended.stdout).into_owned();
        Ok((item, Answer { text, problem }))
    })
}

/// Judges transcripts however they came about: `transcript_of` is asked for that of a bankroll, a number of hands and a
/// player, which is `simple` or `counting`.
///
/// ```
/// use casino_day::cards::Seed;
/// use casino_day::grade::{CaseSettings, blackjack};
///
/// let settings = CaseSettings { seed: Seed::chosen("monday"), cases: 0, time: None };
/// let report = blackjack::grade_transcripts(&settings, |_, _, _| String::new());
/// assert_eq!(report.summary().passed, 0);
/// ```
pub fn grade_transcripts(
    settings: &CaseSettings,
    mut transcript_of: impl FnMut(u32, u32, &str) -> String,
) -> Report {
    judge_all(
        String::new(),
        settings,
        |_, _| {},
        |game, item| {
            let text = transcript_of(game.bankroll, game.hands, game.player());
            Ok((item, Answer { text, problem: None }))
        },
    )
}

/// What a program printed, and why it did not end by itself.
struct Answer {
    text: String,
    problem: Option<NoAnswer>,
}

/// Asks for every transcript, follows them all, and then judges each.
fn judge_all(
    subject: String,
    settings: &CaseSettings,
    done: impl FnMut(usize, usize),
    mut ask: impl FnMut(Game, Item) -> Result<(Item, Answer), NeverStarted>,
) -> Report {
    let mut answers: Vec<(String, Answer)> = Vec::new();
    let mut runs: Vec<Run> = Vec::new();
    let mut report =
        cases(settings).judge("Blackjack: the transcript", subject, &settings.seed, done, |game, item| {
            let (item, answer) = ask(*game, item)?;
            runs.push(Run { game: *game, transcript: Transcript::read(&answer.text) });
            let problem = answer.problem.clone();
            answers.push((item.id.clone(), answer));
            Ok((item.failed(""), problem))
        });
    let inspection = Inspection::of(&runs);
    for item in report.parts.iter_mut().flat_map(|part| &mut part.items) {
        if let Some(number) = answers.iter().position(|(id, _)| *id == item.id) {
            *item = judged(item.clone(), number, &inspection, &answers[number].1);
        }
    }
    let place = |at: Place| format!("{}, line {}", answers[at.game].0, at.line + 1);
    report.parts.extend(evidence::part(&findings(&inspection), place));
    report
}

/// The item of a case: its points by the share of its hands that are right.
fn judged(item: Item, number: usize, inspection: &Inspection<'_>, answer: &Answer) -> Item {
    let run = &inspection.runs[number];
    let events = run.game.events();
    let compared = compare(item, &events, &answer.text);
    if compared.outcome == Outcome::Passed && answer.problem.is_none() {
        return compared;
    }
    let transcript = &run.transcript;
    let complete = transcript.over.is_some() && !inspection.stops_early(number);
    let parts = parts_of(transcript, hands_in(&events), complete);
    let wrong = &inspection.wrong[number];
    let place = |line| inspection.part_of(Place { game: number, line });
    let text: BTreeSet<usize> = transcript.text.iter().map(|(line, _)| place(*line)).collect();
    let only_text = text.difference(wrong).count();
    let there = if complete { parts } else { transcript.hands.len() + 1 };
    let right =
        there.min(parts).saturating_sub(wrong.iter().filter(|part| **part < there).count() + only_text);
    let problem = answer.problem.as_ref().map_or(String::new(), |problem| format!("{} ", problem.sentence));
    if wrong.is_empty()
        && answer.problem.is_none()
        && only_totals_over_21(&run.game.transcript(), &answer.text)
    {
        return Item { reason: String::new(), expected: None, got: None, context: Vec::new(), ..compared }
            .passed();
    }
    if transcript.hands.is_empty() && run.game.bankroll >= 5 {
        let reason = format!("{problem}{}", compared.reason);
        return compared.failed(reason.trim());
    }
    let share = Points::ONE.share(2 * right + only_text, 2 * parts).min(Points::hundredths(99));
    let how = if only_text > 0 {
        format!(" ({only_text} more but for their text, which count half)")
    } else {
        String::new()
    };
    let reason = format!(
        "{problem}{right} of {parts} parts are right{how}: the opening, each hand, the end. {}",
        compared.reason
    );
    compared.partial(share, reason.trim())
}

/// Whether nothing differs but totals over 21, of which the document allows any (III.2).
fn only_totals_over_21(right: &str, got: &str) -> bool {
    let over = |line: &str| {
        matches!(Said::read(line), (Some(Said::PlayerTotal(22..) | Said::DealerTotal(22..)), None))
    };
    right.split('\n').count() == got.split('\n').count()
        && right.split('\n').zip(got.split('\n')).all(|(right, got)| right == got || over(right) && over(got))
}

/// Everything that is wrong, the faults of the text among it.
fn findings(inspection: &Inspection<'_>) -> Vec<Finding> {
    let mut all = inspection.findings();
    let mut kinds: BTreeMap<TextFault, (usize, Place)> = BTreeMap::new();
    for (game, run) in inspection.runs.iter().enumerate() {
        for (line, fault) in &run.transcript.text {
            let at = Place { game, line: *line };
            kinds.entry(*fault).or_insert((0, at)).0 += 1;
        }
    }
    for (fault, (times, first)) in kinds {
        let says = format!("{} {times} lines.", fault.sentence());
        all.push(Finding { codes: vec![fault.code().to_string()], says, first });
    }
    all
}

/// The item with the first line that differs, or passed if none does.
fn compare(item: Item, events: &[BlackjackLine], got: &str) -> Item {
    let expected: Vec<String> = events.iter().map(BlackjackLine::to_string).collect();
    // A last line without its line feed is a line all the same, and its own kind of difference.
    let lines: Vec<&str> = got.split_terminator('\n').collect();
    let same = expected.iter().zip(&lines).take_while(|(expected, got)| expected == *got).count();
    if same == expected.len() && same == lines.len() {
        return if got.ends_with('\n') {
            item.passed()
        } else {
            item.failed("The last line has to end with a line feed too.")
        };
    }
    let shown = |text: Option<&str>| text.map_or("(the output ends here)".to_string(), str::to_string);
    let line = lines.get(same).copied();
    let reason = lesson::of(events, same, line);
    let mut context = Vec::new();
    for (number, line) in expected.iter().enumerate().take(same).skip(same.saturating_sub(CONTEXT)) {
        context.push(format!("{:>6}   {line}", number + 1));
    }
    context.push(format!("{:>6} - {}", same + 1, shown(expected.get(same).map(String::as_str))));
    context.push(format!("{:>6} + {}", same + 1, shown(line)));
    let item = Item {
        expected: Some(shown(expected.get(same).map(String::as_str))),
        got: Some(shown(line)),
        context,
        ..item
    };
    item.failed(format!("Line {} is the first that differs. {reason}", same + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn against(game: Game, change: impl FnOnce(String) -> String) -> Item {
        let events = game.events();
        let right: String = events.iter().map(|event| format!("{event}\n")).collect();
        compare(Item::new("x", "x", Points::ONE), &events, &change(right))
    }

    #[test]
    fn the_first_line_that_differs_is_shown_with_what_came_before() {
        assert_eq!(against(simple(100, 3), |right| right).outcome, Outcome::Passed);
        let item = against(simple(100, 3), |right| right.replace("Player bets 5", "Player bets 6"));
        assert_eq!(item.outcome, Outcome::Failed);
        assert_eq!(item.expected.as_deref(), Some("Player bets 5"));
        assert_eq!(item.got.as_deref(), Some("Player bets 6"));
        assert!(item.reason.contains("Line 10 "), "{}", item.reason);
        assert_eq!(item.context.len(), 6);
        assert_eq!(item.context[3], "     9   Hand 1 bankroll 100");
        assert_eq!(item.context[4], "    10 - Player bets 5");
        assert_eq!(item.context[5], "    10 + Player bets 6");
    }

    #[test]
    fn what_is_missing_or_too_much_at_the_end_differs_too() {
        let cut = against(simple(100, 3), |right| right.trim_end().into());
        assert!(cut.reason.contains("line feed"), "{}", cut.reason);
        let more = against(simple(100, 3), |right| right + "bye\n");
        assert_eq!(more.expected.as_deref(), Some("(the output ends here)"));
        let more = against(simple(100, 3), |right| right + "\n");
        assert_eq!(more.outcome, Outcome::Failed);
        let none = against(simple(100, 3), |_| String::new());
        assert_eq!(none.got.as_deref(), Some("(the output ends here)"));
        let windows = against(simple(100, 3), |right| right.replace('\n', "\r\n"));
        assert!(windows.reason.contains("carriage return"), "{}", windows.reason);
    }
}
