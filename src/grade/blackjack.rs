//! Judging a student's Blackjack program: its transcript, byte by byte, with the cuts of the course's generator.

mod lesson;

use std::time::Duration;

use super::cases::{Case, CaseSettings, Cases};
use super::program::{Template, last_words, limits, no_answer, run, shell_line};
use super::report::{Item, Report};
use crate::blackjack::{BlackjackLine, Counting, CourseCuts, Simple, play};
use crate::sandbox::{NeverStarted, Sandbox};

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
const HARD: [(&str, &str, Game); 13] = [
    ("sample", "the document's sample", simple(100, 3)),
    ("too-poor", "a bankroll below the minimum bet", simple(4, 10)),
    ("one-hand", "a single hand", simple(5, 1)),
    ("one-chip", "one chip and the counting player", counting(1, 1)),
    ("until-ruin", "five chips until they are gone", simple(5, 10_000)),
    ("short-counting", "the first shuffles of the counting player", counting(100, 30)),
    ("lean-5", "five chips that the counting player may not be able to double", counting(5, 10_000)),
    ("lean-9", "nine chips that the counting player may not be able to double", counting(9, 10_000)),
    ("lean-14", "fourteen chips that the counting player may not be able to double", counting(14, 10_000)),
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
}

/// Judges a program that takes a bankroll, a number of hands and a player, and prints the transcript. `done` is called
/// after each case with how many are done and of how many.
pub fn grade(
    program: &Template,
    sandbox: &Sandbox,
    settings: &CaseSettings,
    done: impl FnMut(usize, usize),
) -> Report {
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
    let cases = Cases { hard: hard.into(), drawn: (1..=settings.cases).map(draw).collect() };
    let time = settings.time.unwrap_or(TIME);
    let subject = program.text().to_string();
    cases.judge("Blackjack: the transcript", subject, &settings.seed, done, |game, item| {
        judge(item, program, sandbox, *game, time)
    })
}

fn judge(
    item: Item,
    program: &Template,
    sandbox: &Sandbox,
    game: Game,
    time: Duration,
) -> Result<Item, NeverStarted> {
    let events = game.events();
    let expected: String = events.iter().map(|event| format!("{event}\n")).collect();
    let limits = limits(2 * expected.len() + (64 << 10), time);
    let words = program.fill(&[
        ("bankroll", &[game.bankroll.to_string()]),
        ("hands", &[game.hands.to_string()]),
        ("player", &[game.player().to_string()]),
    ]);
    let ended = run(sandbox, &words, &limits)?;
    let item = Item { command: Some(shell_line(&words)), stderr: last_words(&ended), ..item };
    let problem = no_answer(&ended, &limits);
    if ended.stdout == expected.as_bytes() && problem.is_none() {
        return Ok(item.passed());
    }
    let differs = compare(item, &events, &String::from_utf8_lossy(&ended.stdout));
    Ok(match problem {
        Some(problem) => {
            let reason = format!("{problem} {}", differs.reason);
            differs.failed(reason.trim_end())
        }
        None => differs,
    })
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
    use crate::grade::{Outcome, Points};

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
        assert!(item.reason.starts_with("Line 10 "), "{}", item.reason);
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
