//! Grades a Blackjack program: its games, the text of its transcripts, and its abstract data types (`adt`).

mod adt;

use std::time::Duration;

use super::cases::{Case, CaseSettings, Cases, explanations_part, read_cases};
use super::program::{NoAnswer, Template, answer_of, last_words, limits, shell_line};
use super::report::{Item, Part, Points, Report};
use crate::sandbox::{NeverStarted, Sandbox};
pub use adt::{judge_adts, with_adts};
use casino_sisters::misreadings::OutputPlace;
use casino_sisters::misreadings::blackjack::{
    AskedGame, FirstDifference, Inspection, TranscriptShare, WrittenGame,
};

/// The time for a game. The document sets no limit; ten thousand hands take such a program well under a second.
const CASE_TIME_LIMIT: Duration = Duration::from_secs(10);

/// The points for the words of all transcripts together: wrong words are one mistake, however many lines have them.
const TEXT_POINTS: Points = Points::whole(3);

/// The hard cases: long ones meet every rule often, short ones show which rule is broken.
const HARD_CASES: &str = include_str!("../../../../courses/blackjack/game_cases.txt");

fn cases(settings: &CaseSettings) -> Cases<AskedGame> {
    let number = |word: &str| word.parse().expect("a case has a bankroll and a number of hands");
    let game = |_: &str, lines: Vec<&str>| match lines.concat().split(' ').collect::<Vec<_>>()[..] {
        [bankroll, hands, "simple"] => AskedGame::simple(number(bankroll), number(hands)),
        [bankroll, hands, "counting"] => AskedGame::counting(number(bankroll), number(hands)),
        _ => panic!("a case has the arguments of a game"),
    };
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
    Cases { hard: read_cases(HARD_CASES, game), drawn: (1..=settings.cases).map(draw).collect() }
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
    let text = Part { title: TEXT_PART_TITLE.into(), items: vec![text_item().not_run("")] };
    vec![part("Hard cases", hard), part("Drawn cases", drawn), text]
}

const TEXT_PART_TITLE: &str = "The words of the transcripts";

fn text_item() -> Item {
    Item::new("text", "Prints every line as the document does", TEXT_POINTS)
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
            games.push(WrittenGame::new(*game, text));
            answered.push((item.id.clone(), problem.clone()));
            Ok((item.failed(""), problem))
        });
    let inspection = Inspection::of(&games);
    for item in report.parts.iter_mut().flat_map(|part| &mut part.items) {
        if let Some(number) = answered.iter().position(|(id, _)| *id == item.id) {
            let difference = games[number].difference();
            *item = judged(item.clone(), inspection.share(number), difference, answered[number].1.as_ref());
        }
    }
    let place = |at: OutputPlace| format!("{}, line {}", answered[at.game].0, at.line + 1);
    let is_untried = report.failure.is_some() || games.is_empty();
    let text = if is_untried { text_item().not_run("") } else { judged_text(&games, &inspection, place) };
    report.parts.push(Part { title: TEXT_PART_TITLE.into(), items: vec![text] });
    if !is_untried {
        report.parts.extend(explanations_part(inspection.explanations(), place));
    }
    report
}

/// The item of a case: each kind of line that breaks a rule costs a quarter, and missing hands their share.
fn judged(
    item: Item,
    share: TranscriptShare,
    difference: Option<FirstDifference>,
    problem: Option<&NoAnswer>,
) -> Item {
    let TranscriptShare { broken, parts: (right, of) } = share;
    if problem.is_none() && right == of {
        return item.passed();
    }
    let (item, differs) = shown(item, difference);
    let mut reason: Vec<String> = problem.map(|problem| problem.sentence.clone()).into_iter().collect();
    reason.push(differs);
    if !broken.is_empty() {
        let kinds: Vec<String> =
            broken.iter().map(|(rule, line)| format!("{} (line {})", rule.words(), line + 1)).collect();
        reason.push(format!(
            "Given the lines before, these break a rule, at a quarter of the points each: {}.",
            kinds.join(", ")
        ));
    }
    reason.retain(|sentence| !sentence.is_empty());
    item.partial(Points::ONE.share(right, of).min(Points::hundredths(99)), reason.join(" "))
}

fn judged_text(
    games: &[WrittenGame],
    inspection: &Inspection<'_>,
    place: impl Fn(OutputPlace) -> String,
) -> Item {
    if games.iter().all(WrittenGame::is_empty) {
        return text_item().failed("The program printed no line that the document has.");
    }
    match inspection.text_fault() {
        None => text_item().passed(),
        Some(fault) => Item { expected: fault.expected, got: Some(fault.got), ..text_item() }.failed(format!(
            "First in {}. Other words, spaces, line endings and additional lines cost these points once; the games are judged \
             without them.",
            place(fault.place)
        )),
    }
}

fn shown(item: Item, difference: Option<FirstDifference>) -> (Item, String) {
    let Some(FirstDifference { line, before, expected, got }) = difference else {
        return (item, String::new());
    };
    let [expected, got] =
        [expected, got].map(|text| text.unwrap_or_else(|| "(the output ends here)".to_string()));
    let from = line - before.len();
    let mut context: Vec<String> =
        before.iter().enumerate().map(|(at, right)| format!("{:>6}   {right}", from + at + 1)).collect();
    context.push(format!("{:>6} - {expected}", line + 1));
    context.push(format!("{:>6} + {got}", line + 1));
    let item = Item { expected: Some(expected), got: Some(got), context, ..item };
    (item, format!("Line {} is the first that differs.", line + 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grade::Outcome;

    /// The items of a game of a hundred chips and three hands, and of the words.
    fn against(change: impl FnOnce(String) -> String) -> [Item; 2] {
        let asked = AskedGame::simple(100, 3);
        let games = [WrittenGame::new(asked, change(asked.transcript()))];
        let inspection = Inspection::of(&games);
        let item = Item::new("x", "x", Points::ONE);
        let place = |at: OutputPlace| format!("x, line {}", at.line + 1);
        [
            judged(item, inspection.share(0), games[0].difference(), None),
            judged_text(&games, &inspection, place),
        ]
    }

    #[test]
    fn words_cost_once_and_an_empty_output_everything() {
        for words in [
            |right: String| right.trim_end().to_string(),
            |right: String| right.replace('\n', "\r\n"),
            |right: String| right.replace("Player's total", "Player total"),
            |right: String| right.replace("Dealer busts", "dealer busts"),
            |right: String| right + "bye\n",
        ] {
            let [game, text] = against(words);
            assert_eq!((game.outcome, text.outcome), (Outcome::Passed, Outcome::Failed), "{}", text.reason);
        }
        let [none, text] = against(|_| String::new());
        assert_eq!(none.got.as_deref(), Some("(the output ends here)"));
        assert_eq!(
            [none, text].map(|item| (item.outcome, item.points)),
            [(Outcome::Failed, Points::ZERO); 2]
        );
    }
}
