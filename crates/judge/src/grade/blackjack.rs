//! Grades a Blackjack program: its transcript, byte by byte, and its abstract data types (`adt`).

mod adt;

use std::time::Duration;

use super::cases::{Case, CaseSettings, Cases, explanations_part};
use super::program::{NoAnswer, Template, answer_of, last_words, limits, shell_line};
use super::report::{Item, Part, Points, Report};
use crate::sandbox::{NeverStarted, Sandbox};
pub use adt::{judge_adts, with_adts};
use casino_sisters::misreadings::OutputPlace;
use casino_sisters::misreadings::blackjack::{
    AskedGame, FirstDifference, Inspection, TranscriptDifference, TranscriptParts, WrittenGame,
};

/// The document sets no limit. Ten thousand hands take a program of its kind well under a second.
const CASE_TIME_LIMIT: Duration = Duration::from_secs(10);

/// The hard cases: long ones meet every rule often, short ones show which rule is broken.
const HARD_CASES: [(&str, &str, AskedGame); 14] = [
    ("sample", "the document's sample", AskedGame::simple(100, 3)),
    ("too-poor", "a bankroll below the minimum bet", AskedGame::simple(4, 10)),
    ("one-hand", "a single hand", AskedGame::simple(5, 1)),
    ("one-chip", "one chip and the counting player", AskedGame::counting(1, 1)),
    ("until-ruin", "five chips until they are gone", AskedGame::simple(5, 10_000)),
    ("short-counting", "the first shuffles of the counting player", AskedGame::counting(100, 30)),
    (
        "lean-5",
        "five chips that the counting player may not be able to double",
        AskedGame::counting(5, 10_000),
    ),
    (
        "lean-9",
        "nine chips that the counting player may not be able to double",
        AskedGame::counting(9, 10_000),
    ),
    (
        "lean-14",
        "fourteen chips that the counting player may not be able to double",
        AskedGame::counting(14, 10_000),
    ),
    (
        "lean-30",
        "thirty chips that come down to the ten that doubling takes",
        AskedGame::counting(30, 10_000),
    ),
    ("ruin-counting", "a hundred chips until they are gone", AskedGame::counting(100, 10_000)),
    ("ruin-simple", "two hundred chips until they are gone", AskedGame::simple(200, 10_000)),
    ("long-simple", "the longest game of the simple player", AskedGame::simple(10_000, 10_000)),
    ("long-counting", "the longest game of the counting player", AskedGame::counting(10_000, 10_000)),
];

fn cases(settings: &CaseSettings) -> Cases<AskedGame> {
    let hard =
        HARD_CASES.map(|(id, title, game)| Case { id: id.into(), title: title.into(), question: game });
    let mut stream = settings.seed.stream("grade blackjack");
    let draw = |number| {
        let question = AskedGame {
            bankroll: 1 + stream.below(1_000),
            hands: 1 + stream.below(1_000),
            counting: stream.one_in(2),
        };
        let title = format!("{} chips, {} hands, {}", question.bankroll, question.hands, question.player());
        Case { id: format!("drawn-{number}"), title, question }
    };
    Cases { hard: hard.into(), drawn: (1..=settings.cases).map(draw).collect() }
}

/// The parts about transcripts of a program that cannot be run.
fn untried(settings: &CaseSettings) -> Vec<Part> {
    let part = |title: &str, cases: Vec<Case<AskedGame>>| Part {
        title: title.into(),
        items: cases
            .into_iter()
            .map(|case| Item::new(case.id, case.title, Points::ONE).not_run(""))
            .collect(),
    };
    let Cases { hard, drawn } = cases(settings);
    vec![part("Hard cases", hard), part("Drawn cases", drawn)]
}

/// Judges a program that prints a transcript. `done` is called after each case with its number and the count.
pub fn grade(
    program: &Template,
    sandbox: &Sandbox,
    settings: &CaseSettings,
    done: impl FnMut(usize, usize),
) -> Report {
    let time = settings.time.unwrap_or(CASE_TIME_LIMIT);
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
        Ok((item, text, problem))
    })
}

/// Judges transcripts however they came about: `transcript_of` is asked for that of a bankroll, a number of hands and a
/// player, which is `simple` or `counting`.
///
/// ```
/// use casino_stud::cards::Seed;
/// use casino_judge::grade::{CaseSettings, blackjack};
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
            Ok((item, text, None))
        },
    )
}

/// Requests every transcript, with the reason if the program did not exit normally, then judges each.
fn judge_all(
    subject: String,
    settings: &CaseSettings,
    done: impl FnMut(usize, usize),
    mut ask: impl FnMut(AskedGame, Item) -> Result<(Item, String, Option<NoAnswer>), NeverStarted>,
) -> Report {
    let mut answered: Vec<(String, Option<NoAnswer>)> = Vec::new();
    let mut games: Vec<WrittenGame> = Vec::new();
    let mut report =
        cases(settings).judge("Blackjack: the transcript", subject, &settings.seed, done, |game, item| {
            let (item, text, problem) = ask(*game, item)?;
            let is_cut_off = problem.as_ref().is_some_and(|problem| problem.cut_off);
            let read = if is_cut_off { WrittenGame::cut_off } else { WrittenGame::new };
            games.push(read(*game, text));
            answered.push((item.id.clone(), problem.clone()));
            Ok((item.failed(""), problem))
        });
    let inspection = Inspection::of(&games);
    for item in report.parts.iter_mut().flat_map(|part| &mut part.items) {
        if let Some(number) = answered.iter().position(|(id, _)| *id == item.id) {
            let difference = games[number].difference();
            *item = judged(item.clone(), number, &inspection, difference, answered[number].1.as_ref());
        }
    }
    let place = |at: OutputPlace| format!("{}, line {}", answered[at.game].0, at.line + 1);
    report.parts.extend(explanations_part(inspection.explanations(), place));
    report
}

/// The item of the case of this number: its points by the share of its hands that are right.
fn judged(
    item: Item,
    number: usize,
    inspection: &Inspection<'_>,
    difference: Option<TranscriptDifference>,
    problem: Option<&NoAnswer>,
) -> Item {
    if problem.is_none() && (difference.is_none() || inspection.is_allowed(number)) {
        return item.passed();
    }
    let (item, differs) = shown(item, difference);
    let problem = problem.map_or(String::new(), |problem| format!("{} ", problem.sentence));
    let TranscriptParts { all, right, only_text, no_hands } = inspection.parts(number);
    if no_hands {
        return item.failed(format!("{problem}{differs}").trim());
    }
    let share = Points::ONE.share(2 * right + only_text, 2 * all).min(Points::hundredths(99));
    let how = if only_text > 0 {
        format!(" ({only_text} more but for their text, which count half)")
    } else {
        String::new()
    };
    let reason =
        format!("{problem}{right} of {all} parts are right{how}: the opening, each hand, the end. {differs}");
    item.partial(share, reason.trim())
}

fn shown(item: Item, difference: Option<TranscriptDifference>) -> (Item, String) {
    let FirstDifference { line, before, expected, got } = match difference {
        None => return (item, String::new()),
        Some(TranscriptDifference::LastLineFeed) => {
            return (item, "The last line has to end with a line feed too.".into());
        }
        Some(TranscriptDifference::Line(first)) => first,
    };
    let [expected, got] =
        [expected, got].map(|text| text.unwrap_or_else(|| "(the output ends here)".to_string()));
    let from = line - before.len();
    let mut context: Vec<String> =
        before.iter().enumerate().map(|(at, right)| format!("{:>6}   {right}", from + at + 1)).collect();
    context.push(format!("{:>6} - {expected}", line + 1));
    context.push(format!("{:>6} + {got}", line + 1));
    let is_spelling = got.trim().eq_ignore_ascii_case(&expected);
    let only = if is_spelling { " Only its spaces, capitals or line ending differ." } else { "" };
    let item = Item { expected: Some(expected), got: Some(got), context, ..item };
    (item, format!("Line {} is the first that differs.{only}", line + 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grade::Outcome;

    /// The item of a game of a hundred chips and three hands.
    fn against(change: impl FnOnce(String) -> String) -> Item {
        let asked = AskedGame::simple(100, 3);
        let games = [WrittenGame::new(asked, change(asked.transcript()))];
        let item = Item::new("x", "x", Points::ONE);
        judged(item, 0, &Inspection::of(&games), games[0].difference(), None)
    }

    #[test]
    fn the_first_different_line_is_shown_with_its_context() {
        assert_eq!(against(|right| right).outcome, Outcome::Passed);
        let item = against(|right| right.replace("Player bets 5", "Player bets 6"));
        assert_eq!(item.outcome, Outcome::Partial);
        assert_eq!(item.expected.as_deref(), Some("Player bets 5"));
        assert_eq!(item.got.as_deref(), Some("Player bets 6"));
        assert!(item.reason.contains("Line 10 "), "{}", item.reason);
        assert_eq!(item.context.len(), 6);
        assert_eq!(item.context[3], "     9   Hand 1 bankroll 100");
        assert_eq!(item.context[4], "    10 - Player bets 5");
        assert_eq!(item.context[5], "    10 + Player bets 6");
    }

    #[test]
    fn missing_or_extra_lines_at_the_end_differ() {
        let cut = against(|right| right.trim_end().into());
        assert!(cut.reason.contains("line feed"), "{}", cut.reason);
        let windows = against(|right| right.replace('\n', "\r\n"));
        assert!(windows.reason.contains("line ending"), "{}", windows.reason);
        let more = against(|right| right + "bye\n");
        assert_eq!(more.expected.as_deref(), Some("(the output ends here)"));
        let more = against(|right| right + "\n");
        assert_eq!(more.outcome, Outcome::Partial);
        let none = against(|_| String::new());
        assert_eq!(none.got.as_deref(), Some("(the output ends here)"));
        assert_eq!((none.outcome, none.points), (Outcome::Failed, Points::ZERO));
    }
}
