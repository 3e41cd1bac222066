//! Grades a Cribbage program: the value of a hand, and the cards to keep.

mod cases;
mod joint;

pub use joint::{grade_prolog, untried_prolog};

use std::path::PathBuf;
use std::time::Duration;

use super::cases::{CaseSettings, explanations_part, no_program};
use super::program::{NoAnswer, Template, answer_of, last_words, limits, shell_line};
use super::prolog;
use super::report::{Item, Points, Report};
use crate::sandbox::{NeverStarted, ResourceLimits, Sandbox};
use casino_sisters::cribbage::{
    Breakdown, DealtCards, Selection, check_distinct, choices, hand_value, read_cards, select_hand,
};
use casino_sisters::misreadings::cribbage::{ScoredHand, explain_choices, explain_values, read_choice};
use casino_stud::cards::{Card, Notation, notation};

/// A student's program.
#[derive(Clone, Debug)]
pub enum Student {
    /// A program that takes the cards, like `TH`, as arguments: the Java document's.
    Program(Template),
    /// A file with the predicates `hand_value/3` and `select_hand/3`: the Prolog document's.
    Prolog(PathBuf),
}

impl Student {
    fn subject(&self) -> String {
        match self {
            Student::Program(template) => template.text().to_string(),
            Student::Prolog(file) => file.display().to_string(),
        }
    }
}

/// The documents give a value at least 1 s.
const VALUE_TIME: Duration = Duration::from_secs(1);
/// The Prolog document gives a selection at least 4 s.
const SELECT_TIME_PROLOG: Duration = Duration::from_secs(4);
/// The Java document gives a selection at least 5 s.
const SELECT_TIME_PROGRAM: Duration = Duration::from_secs(5);
/// The fewest cards of which four are kept.
pub const LEAST_CARDS: usize = 4;
/// The same of a predicate.
const LEAST_CARDS_PROLOG: usize = 5;
/// More than any answer takes, in bytes.
const MAX_OUTPUT_BYTES: usize = 64 << 10;
/// A choice that is this much worse than the best one, in points of the average hand, gets no marks.
const MARKS_END_BELOW_BEST_POINTS: u32 = 2;

/// Judges the values of hands. `done` gets the progress.
pub fn grade_value(
    student: &Student,
    sandbox: &Sandbox,
    settings: &CaseSettings,
    done: impl FnMut(usize, usize),
) -> Report {
    let limits = limits(MAX_OUTPUT_BYTES, settings.time.unwrap_or(VALUE_TIME));
    values(student.subject(), settings, done, |hand, start| {
        let [a, b, c, d] = hand;
        asked(student, sandbox, &short(&[a, b, c, d, start]), &prolog::value(&hand, start), &limits)
    })
}

/// Judges values of hands however they came about: `value_of` is asked for the text that a program prints.
pub fn grade_values(settings: &CaseSettings, mut value_of: impl FnMut([Card; 4], Card) -> String) -> Report {
    values(String::new(), settings, |_, _| {}, |hand, start| Ok(ProgramAnswer::of(value_of(hand, start))))
}

fn values(
    subject: String,
    settings: &CaseSettings,
    done: impl FnMut(usize, usize),
    mut ask: impl FnMut([Card; 4], Card) -> Result<ProgramAnswer, NeverStarted>,
) -> Report {
    let (mut ids, mut seen) = (Vec::new(), Vec::new());
    let cases = cases::of_value(&settings.seed, settings.cases);
    let title = "Cribbage: the value of a hand";
    let mut report = cases.judge(title, subject, &settings.seed, done, |cards, item| {
        let [a, b, c, d, start] = cards[..] else { panic!("a value is of five cards") };
        let hand = [a, b, c, d];
        let asked = ask(hand, start)?;
        let item = Item { expected: Some(hand_value(hand, start).to_string()), ..asked.item(item) };
        let (item, got) = match &asked.answer {
            Ok(answer) => judge_value(item, answer, hand, start),
            Err(reason) => (item.failed(reason.as_str()), None),
        };
        ids.push(item.id.clone());
        seen.push((ScoredHand::of(hand, start), got));
        Ok((item, asked.problem))
    });
    report.parts.extend(explanations_part(&explain_values(&seen), |at| ids[at.game].clone()));
    report
}

/// The report on a submission without a program for values.
pub fn untried_value(settings: &CaseSettings) -> Report {
    values(String::new(), settings, |_, _| {}, |_, _| Err(no_program()))
}

/// The report on a submission without a program for choices, which is asked for at least so many cards.
pub fn untried_select(settings: &CaseSettings, least: usize) -> Report {
    selections(String::new(), settings, least, |_, _| {}, |_| Err(no_program()))
}

/// Judges the choice of cards to keep. `done` gets the progress.
pub fn grade_select(
    student: &Student,
    sandbox: &Sandbox,
    settings: &CaseSettings,
    done: impl FnMut(usize, usize),
) -> Report {
    let (time, least) = match student {
        Student::Program(_) => (SELECT_TIME_PROGRAM, LEAST_CARDS),
        Student::Prolog(_) => (SELECT_TIME_PROLOG, LEAST_CARDS_PROLOG),
    };
    let limits = limits(MAX_OUTPUT_BYTES, settings.time.unwrap_or(time));
    selections(student.subject(), settings, least, done, |cards| {
        let asked = asked(student, sandbox, &short(cards), &prolog::select(cards), &limits)?;
        Ok(match (student, &asked.answer) {
            (Student::Prolog(_), Ok(answer)) => match answer.split_once(';') {
                Some((kept, crib)) => {
                    ProgramAnswer { crib: Some(crib.into()), answer: Ok(kept.into()), ..asked }
                }
                None => ProgramAnswer { answer: Err("The answer is no hand and crib.".into()), ..asked },
            },
            _ => asked,
        })
    })
}

/// Judges choices of cards to keep however they came about: `choice_of` is asked for the text that a program prints.
pub fn grade_selections(settings: &CaseSettings, mut choice_of: impl FnMut(&[Card]) -> String) -> Report {
    selections(
        String::new(),
        settings,
        LEAST_CARDS,
        |_, _| {},
        |cards| Ok(ProgramAnswer::of(choice_of(cards))),
    )
}

fn selections(
    subject: String,
    settings: &CaseSettings,
    least: usize,
    done: impl FnMut(usize, usize),
    mut ask: impl FnMut(&[Card]) -> Result<ProgramAnswer, NeverStarted>,
) -> Report {
    let (mut ids, mut seen) = (Vec::new(), Vec::new());
    let mut cases = cases::of_select(&settings.seed, settings.cases, least);
    cases.hard.retain(|case| case.question.len() >= least);
    let title = "Cribbage: the cards to keep";
    let mut report = cases.judge(title, subject, &settings.seed, done, |cards, item| {
        let dealt = DealtCards::new(cards).expect("every case is four to six different cards");
        let asked = ask(cards)?;
        let expected = short(&select_hand(&dealt).kept()).join(" ");
        let item = Item { expected: Some(expected), ..asked.item(item) };
        let (item, kept) = match &asked.answer {
            Ok(kept) => (judge_choice(item, &dealt, kept, asked.crib.as_deref()), read_choice(kept, &dealt)),
            Err(reason) => (item.failed(reason.as_str()), None),
        };
        ids.push(item.id.clone());
        seen.push((dealt, kept));
        Ok((item, asked.problem))
    });
    report.parts.extend(explanations_part(&explain_choices(&seen), |at| ids[at.game].clone()));
    report
}

struct ProgramAnswer {
    command: Option<String>,
    stderr: String,
    got: String,
    answer: Result<String, String>,
    crib: Option<String>,
    problem: Option<NoAnswer>,
}

impl ProgramAnswer {
    fn of(text: String) -> ProgramAnswer {
        let got = text.trim().to_string();
        let answer =
            if got.is_empty() { Err("The program printed nothing.".into()) } else { Ok(got.clone()) };
        ProgramAnswer { command: None, stderr: String::new(), got, answer, crib: None, problem: None }
    }

    fn item(&self, item: Item) -> Item {
        let got = Some(self.got.clone());
        Item { command: self.command.clone(), stderr: self.stderr.clone(), got, ..item }
    }
}

fn asked(
    student: &Student,
    sandbox: &Sandbox,
    cards: &[String],
    question: &prolog::Question,
    limits: &ResourceLimits,
) -> Result<ProgramAnswer, NeverStarted> {
    let words = match student {
        Student::Program(template) => template.fill(&[("cards", cards)]),
        Student::Prolog(file) => prolog::ask(file, question),
    };
    let (ended, problem) = answer_of(sandbox, &words, limits)?;
    let mut asked = ProgramAnswer::of(String::from_utf8_lossy(&ended.stdout).into_owned());
    asked.command = Some(match student {
        Student::Program(_) => shell_line(&words),
        Student::Prolog(file) => shell_line(&prolog::typed(file, question)),
    });
    asked.stderr = last_words(&ended);
    if let Some(problem) = problem {
        asked.answer = Err(problem.sentence.clone());
        asked.problem = Some(problem);
    } else if matches!(student, Student::Prolog(_)) {
        asked.answer = prolog::answer(&asked.got, &asked.stderr).map(str::to_string);
        asked.got = asked.answer.clone().unwrap_or_else(|_| prolog::shown(&asked.got));
    }
    Ok(asked)
}

/// The item of a value, and the value if the answer is one.
fn judge_value(item: Item, answer: &str, hand: [Card; 4], start: Card) -> (Item, Option<u32>) {
    let Ok(got) = answer.parse::<i64>() else {
        return (item.failed("The answer is to be the number of points and nothing else."), None);
    };
    let totals = Breakdown::of(hand, start).totals();
    let value = totals.sum();
    if got == i64::from(value) {
        return (item.passed(), Some(value));
    }
    let kinds = [
        ("fifteens", totals.fifteens),
        ("pairs", totals.pairs),
        ("runs", totals.runs),
        ("flush", totals.flush),
        ("his nob", totals.nob),
    ];
    let points: Vec<String> = kinds
        .iter()
        .filter(|(_, points)| *points > 0)
        .map(|(name, points)| format!("{name} {points}"))
        .collect();
    let points = if points.is_empty() { "nothing scores".into() } else { points.join(", ") };
    let cards = format!("{} with start card {start}", notation::list(&hand));
    (item.failed(format!("{cards} is worth {value}: {points}.")), u32::try_from(got).ok())
}

fn judge_choice(item: Item, dealt: &DealtCards, kept: &str, crib: Option<&str>) -> Item {
    let kept = match read_cards(kept) {
        Ok(kept) => kept,
        Err(error) => return item.failed(format!("The cards kept cannot be read: {error}.")),
    };
    let Ok(four) = <[Card; 4]>::try_from(kept.as_slice()) else {
        return item.failed(format!("Four cards are to be kept and {} are.", kept.len()));
    };
    if let Err(error) = check_distinct(&kept) {
        return item.failed(format!("The cards kept are not four different ones: {error}."));
    }
    let all = choices(dealt);
    let same = |choice: &&Selection| choice.kept().iter().all(|card| four.contains(card));
    let Some(choice) = all.iter().find(same) else {
        let foreign = four.iter().find(|card| !dealt.cards().contains(card));
        let foreign = foreign.expect("four different cards that are no choice have one that was not dealt");
        return item.failed(format!("{foreign} was not dealt, so it cannot be kept."));
    };
    if let Some(crib) = crib {
        let thrown = read_cards(crib).unwrap_or_default();
        let right =
            thrown.len() == choice.crib().len() && choice.crib().iter().all(|card| thrown.contains(card));
        if !right {
            let wanted = short(choice.crib()).join(" ");
            return item.failed(format!("The crib has to be the cards not kept, {wanted}."));
        }
    }
    let best = select_hand(dealt);
    let gap = best.total() - choice.total();
    if gap == 0 {
        return item.passed();
    }
    // A loss is rounded up: less than the best choice never gets full marks.
    let lost = (100 * gap).div_ceil(MARKS_END_BELOW_BEST_POINTS * best.starts());
    item.partial(
        Points::hundredths(100u32.saturating_sub(lost)),
        format!(
            "Your choice makes {:.3} points on average, the best {:.3}.",
            choice.average(),
            best.average()
        ),
    )
}

/// The cards in the Java document's notation.
fn short(cards: &[Card]) -> Vec<String> {
    cards.iter().map(|card| Notation::Short.write(*card)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grade::Outcome;

    fn choice(dealt: &str, kept: &str, crib: Option<&str>) -> Item {
        let dealt = DealtCards::new(&read_cards(dealt).unwrap()).unwrap();
        judge_choice(Item::new("x", "x", Points::ONE), &dealt, kept, crib)
    }

    #[test]
    fn marks_fall_with_the_distance_to_the_best_choice() {
        let dealt = "5H KC 5S 9D 5C JD";
        assert_eq!(choice(dealt, "JD 5C 5S 5H", None).outcome, Outcome::Passed);
        // 759 against 748 of 46 starts: 11/92 of the marks are lost, rounded up.
        let near = choice(dealt, "5H KC 5S 5C", None);
        assert_eq!((near.outcome, near.points), (Outcome::Partial, Points::hundredths(88)));
        let far = choice(dealt, "5H KC 9D JD", None);
        assert_eq!((far.outcome, far.points), (Outcome::Failed, Points::ZERO));
        assert!(far.reason.contains("16.500"), "{}", far.reason);
    }

    #[test]
    fn an_invalid_choice_fails_with_its_reason() {
        let dealt = "5H KC 5S 9D 5C JD";
        for (kept, word) in [
            ("5H 5S 5C", "3 are"),
            ("5H 5S 5C JD 9D", "5 are"),
            ("5H 5S 5C 5C", "already"),
            ("5H 5S 5C 2D", "2D was not dealt"),
            ("5H 5S 5C XX", "no card"),
        ] {
            let item = choice(dealt, kept, None);
            assert_eq!(item.outcome, Outcome::Failed);
            assert!(item.reason.contains(word), "{kept}: {}", item.reason);
        }
        assert_eq!(
            choice(dealt, "5H 5S 5C JD", Some("[card(9,diamonds),card(king,clubs)]")).outcome,
            Outcome::Passed
        );
        assert!(choice(dealt, "5H 5S 5C JD", Some("KC 5H")).reason.contains("crib"));
        assert!(choice(dealt, "5H 5S 5C JD", Some("KC 9D 9D")).reason.contains("crib"));
    }

    #[test]
    fn a_value_is_the_number_and_nothing_else() {
        let hand = [0, 1, 2, 3].map(|at| read_cards("5H 5S 5C JD").unwrap()[at]);
        let value =
            |answer| judge_value(Item::new("x", "x", Points::ONE), answer, hand, "5D".parse().unwrap()).0;
        assert_eq!(value("29").outcome, Outcome::Passed);
        assert!(value("29 points").reason.contains("nothing else"));
        assert!(value("-28").reason.contains("his nob 1"), "{}", value("-28").reason);
    }
}
