//! Grades a Blackjack program: its games, the text of its transcripts, and its abstract data types (`adt`).

mod adt;

use std::time::Duration;

use super::cases::{Case, CaseSettings, Cases, explanations_part, no_program, read_cases};
use super::program::{NoAnswer, Template, answer_of, last_words, limits, shell_line};
use super::report::{Item, Part, Points, Report};
use super::rubric::divide;
use crate::sandbox::{NeverStarted, Sandbox};
pub use adt::{JudgedAdts, judge_adts, with_adts};
use casino_sisters::misreadings::OutputPlace;
use casino_sisters::misreadings::blackjack::{
    AskedGame, FirstDifference, Inspection, TranscriptShare, WrittenGame,
};

/// The time for a game. The document sets no limit; ten thousand hands take such a program well under a second.
const CASE_TIME_LIMIT: Duration = Duration::from_secs(10);

/// The points besides one for each case. The cases share them, but for [`TEXT_POINTS`].
const SHARED_POINTS: Points = Points::whole(3);

/// The points for the words of all transcripts together: wrong words are one mistake, however many lines have them.
const TEXT_POINTS: Points = Points::hundredths(30);

/// The hard cases: long ones meet every rule often, short ones show which rule is broken.
const HARD_CASES: &str = include_str!("../../courses/blackjack/game_cases.txt");

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

/// The report on a submission without a program: everything that could be got, and nothing of it.
pub fn untried(settings: &CaseSettings) -> Report {
    judge_all(String::new(), settings, |_, _| {}, |_, _| Err(no_program()))
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
    let items: Vec<&mut Item> = report.parts.iter_mut().flat_map(|part| &mut part.items).collect();
    let all = items.iter().map(|item| item.max_points).sum::<Points>() + SHARED_POINTS - TEXT_POINTS;
    let worth = divide(all, &vec![1; items.len()]);
    for (item, max_points) in items.into_iter().zip(worth) {
        item.max_points = max_points;
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

/// The item of a case: missing hands cost their share, and each kind of line that breaks a rule a part of the rest.
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
    let is_silent = difference.as_ref().is_some_and(|first| first.line == 0 && first.got.is_none());
    let mut item = shown(item, difference);
    let mut reason: Vec<String> = problem.map(|problem| problem.sentence.clone()).into_iter().collect();
    if is_silent {
        reason.push("The program printed nothing.".to_string());
    } else if !broken.is_empty() {
        let kinds: Vec<&str> = broken.iter().map(|(rule, _)| rule.words()).collect();
        reason.push(format!("Given the lines before, these break a rule: {}.", kinds.join(", ")));
        let first =
            broken.iter().map(|(rule, line)| format!("{:>6}   breaks a rule: {}", line + 1, rule.words()));
        item.context.extend(first);
    }
    if reason.is_empty() {
        let without_hand =
            "No hand is played here, so it counts in proportion to the hands of the other cases.";
        reason.push(without_hand.to_string());
    }
    // What is lost is rounded down, so that many cases do not add up to more than their share.
    let kept = item.max_points - item.max_points.share(of - right, of);
    let points = kept.min(item.max_points - Points::hundredths(1));
    item.partial(points, reason.join(" "))
}

fn judged_text(
    games: &[WrittenGame],
    inspection: &Inspection<'_>,
    place: impl Fn(OutputPlace) -> String,
) -> Item {
    if games.iter().all(WrittenGame::is_empty) {
        return text_item().failed("The program printed no line that the document has.");
    }
    let (played, all) = inspection.played();
    match inspection.text_fault() {
        None if played == all => text_item().passed(),
        None => text_item().partial(
            TEXT_POINTS.share(played, all),
            "The words count in proportion to the hands that are played.",
        ),
        Some(fault) => {
            let (expected, got) = with_visible_blanks(fault.expected, fault.got);
            Item { expected, got: Some(got), ..text_item() }.failed(format!(
                "First in {}. Other words, spaces, line endings and additional lines cost these points once; the games are judged \
                 without them.",
                place(fault.place)
            ))
        }
    }
}

/// The two lines, with a mark for each blank if they differ in nothing else.
fn with_visible_blanks(expected: Option<String>, got: String) -> (Option<String>, String) {
    let letters = |line: &str| line.replace(char::is_whitespace, "");
    let Some(right) = expected.as_deref().filter(|right| letters(right) == letters(&got)) else {
        return (expected, got);
    };
    if right == got {
        return (expected, got + " (without the end of the line)");
    }
    let marked = |line: &str| line.escape_debug().to_string().replace(' ', "␣");
    (Some(marked(right)), marked(&got))
}

/// The item with the first line that differs, and the lines before it.
fn shown(item: Item, difference: Option<FirstDifference>) -> Item {
    let Some(FirstDifference { line, before, expected, got }) = difference else { return item };
    let [expected, got] =
        [expected, got].map(|text| text.unwrap_or_else(|| "(the output ends here)".to_string()));
    let from = line - before.len();
    let mut context: Vec<String> =
        before.iter().enumerate().map(|(at, right)| format!("{:>6}   {right}", from + at + 1)).collect();
    context.push(format!("{:>6} - {expected}", line + 1));
    context.push(format!("{:>6} + {got}", line + 1));
    Item { expected: Some(expected), got: Some(got), context, ..item }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grade::Outcome;
    use casino_stud::cards::Seed;

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
        let [_, text] = against(|right| right.replace('\n', " \t\n"));
        assert_eq!(text.expected.as_deref(), Some("Shuffling␣the␣deck"));
        assert_eq!(text.got.as_deref(), Some("Shuffling␣the␣deck␣\\t"));
        let [_, text] = against(|right| right.trim_end().to_string());
        assert!(text.got.is_some_and(|got| got.ends_with("hands (without the end of the line)")));
        let [none, text] = against(|_| String::new());
        assert_eq!(
            (none.got.as_deref(), &none.reason[..]),
            (Some("(the output ends here)"), "The program printed nothing.")
        );
        assert_eq!(
            [none, text].map(|item| (item.outcome, item.points)),
            [(Outcome::Failed, Points::ZERO); 2]
        );
    }

    /// The points for transcripts that are made of the right ones, and the most there are.
    fn points_of(change: impl Fn(AskedGame, &str) -> String) -> (Points, Points) {
        let settings = CaseSettings { seed: Seed::chosen("s"), cases: 6, time: None };
        let report = grade_transcripts(&settings, |bankroll, hands, player| {
            let asked = AskedGame { bankroll, hands, counting: player == "counting" };
            change(asked, &asked.transcript())
        });
        let summary = report.summary();
        (summary.points, summary.max_points)
    }

    /// The places in a transcript at which its hands begin, and its end.
    fn hands_of(text: &str) -> Vec<usize> {
        let begins = text.match_indices("Hand ").map(|(at, _)| at);
        begins.chain([text.rfind("Player has").unwrap()]).collect()
    }

    #[test]
    fn a_program_that_plays_no_hand_gets_next_to_nothing() {
        let closing = |asked: AskedGame| format!("Player has {} after 0 hands\n", asked.bankroll);
        let cuts = |right: &str| right.lines().take(8).map(|line| format!("{line}\n")).collect::<String>();
        let titles = |asked: AskedGame| -> String {
            (1..=asked.hands).map(|hand| format!("Hand {hand} bankroll {}\n", asked.bankroll)).collect()
        };
        type Program<'a> = &'a dyn Fn(AskedGame, &str) -> String;
        let programs: [Program<'_>; 4] = [
            &|_, right| cuts(right) + "Player has 3 after 0 hands\n",
            &|asked, right| cuts(right) + &closing(asked),
            &|_, _| "Player has 3 after 0 hands\n".to_string(),
            &|asked, right| cuts(right) + &titles(asked) + &closing(asked),
        ];
        for (number, program) in programs.into_iter().enumerate() {
            let (points, most) = points_of(program);
            assert!(points <= Points::ONE && most > Points::whole(20), "{number}: {points} of {most}");
        }
        let first_hand_again = |asked: AskedGame, right: &str| {
            let at = hands_of(right);
            let first = &right[at[0]..*at.get(1).unwrap_or(&at[0])];
            let again = |hand| first.replacen("Hand 1", &format!("Hand {hand}"), 1);
            cuts(right) + &(1..=asked.hands).map(again).collect::<String>()
        };
        let (points, most) = points_of(first_hand_again);
        assert!(points < most.share(1, 5), "{points} of {most}");
        let one_hand = |asked: AskedGame, _: &str| AskedGame { hands: 1, ..asked }.transcript();
        let (points, most) = points_of(one_hand);
        assert!(points < most.share(1, 3), "{points} of {most}");
        let swapped = |asked: AskedGame, _: &str| {
            AskedGame { bankroll: asked.hands, hands: asked.bankroll, ..asked }.transcript()
        };
        let (points, most) = points_of(swapped);
        assert!(points < most.share(1, 4), "{points} of {most}");
    }

    #[test]
    fn points_never_rise_when_more_is_wrong() {
        let mut before = points_of(|_, right| right.to_string()).0;
        for hands in [5_000, 1_000, 300, 100, 30, 10, 3, 2, 1, 0] {
            let now = points_of(|_, right| {
                let at = hands_of(right);
                right[..at[hands.min(at.len() - 1)]].to_string()
            });
            assert!(now.0 < before, "{} after {hands} hands, {before} before", now.0);
            before = now.0;
        }
        // In more and more hands a line is missing, is there twice, or says something else.
        for seed in ["one", "two", "three", "four"] {
            let mut before = points_of(|_, right| right.to_string()).0;
            for wrong in 1..=6 {
                let now = points_of(|asked, right| {
                    let mut stream = Seed::chosen(seed).stream(&format!("{asked:?}"));
                    let mut lines: Vec<String> = right.split_inclusive('\n').map(String::from).collect();
                    for _ in 0..wrong {
                        let line = &mut lines[stream.below(right.lines().count() as u32) as usize];
                        *line = match stream.below(3) {
                            0 => String::new(),
                            1 => line.repeat(2),
                            _ => line.replace(['2', '5', '7'], "6").replace("er", "is"),
                        };
                    }
                    lines.concat()
                });
                assert!(now.0 <= before, "{seed}: {} with {wrong} changes, {before} before", now.0);
                before = now.0;
            }
        }
    }
}
