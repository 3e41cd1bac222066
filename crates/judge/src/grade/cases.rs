//! Judging a program of a sister game case by case.

use std::io;
use std::time::Duration;

use super::grading_failure::{FailureKind, GradingFailure};
use super::machine;
use super::program::NoAnswer;
use super::report::{Item, Part, Points, Report};
use crate::sandbox::NeverStarted;
use casino_sisters::misreadings::{Explanation, OutputPlace};
use casino_stud::cards::Seed;

/// Cases without an answer in time, and none with one, after which the program is given up as an endless loop.
const MAX_SILENT_CASES: usize = 2;

/// Cases without an answer in time after which the program is given up in any case.
const MAX_LATE_CASES: usize = 6;

/// Which cases are judged, and how long each may take.
#[derive(Clone, Debug)]
pub struct CaseSettings {
    /// The seed of the drawn cases.
    pub seed: Seed,
    /// How many cases are drawn besides the hard ones.
    pub cases: usize,
    /// Real time for each case; without it the limit of the game's document.
    pub time: Option<Duration>,
}

#[derive(Clone, Debug)]
pub(super) struct Case<Q> {
    pub(super) id: String,
    pub(super) title: String,
    pub(super) question: Q,
}

/// Reads the cases of a data file: a line with id and title each, then indented lines. `question` makes the question of the id and
/// of these lines.
pub(super) fn read_cases<Q>(text: &str, question: impl Fn(&str, Vec<&str>) -> Q) -> Vec<Case<Q>> {
    let lines: Vec<&str> = text.lines().collect();
    let cases = lines.chunk_by(|_, next| next.starts_with(' ')).map(|lines| {
        let (id, title) = lines[0].split_once(": ").expect("a case begins with its id and its title");
        let lines = lines[1..].iter().map(|line| line.trim_start()).collect();
        Case { id: id.into(), title: title.into(), question: question(id, lines) }
    });
    cases.collect()
}

pub(super) struct Cases<Q> {
    pub(super) hard: Vec<Case<Q>>,
    pub(super) drawn: Vec<Case<Q>>,
}

impl<Q> Cases<Q> {
    /// Judges every case, a point each, until the program cannot be started or never ends. `done` gets the progress.
    pub(super) fn judge(
        self,
        title: &str,
        subject: String,
        seed: &Seed,
        mut done: impl FnMut(usize, usize),
        mut judge: impl FnMut(&Q, Item) -> Result<(Item, Option<NoAnswer>), NeverStarted>,
    ) -> Report {
        let all = self.hard.len() + self.drawn.len();
        let mut not_started: Option<NeverStarted> = None;
        let mut given_up: Option<String> = None;
        let (mut judged, mut late, mut in_time) = (0, 0, 0);
        let mut part = |title: &str, cases: Vec<Case<Q>>| {
            let mut items = Vec::new();
            for case in cases {
                let item = Item::new(case.id, case.title, Points::ONE);
                let verdict = match (&not_started, &given_up) {
                    (Some(_), _) => Ok((item.clone().not_run(""), None)),
                    (None, Some(reason)) => Ok((item.clone().not_run(reason.clone()), None)),
                    (None, None) => judge(&case.question, item.clone()).map(|(item, problem)| {
                        if problem.as_ref().is_some_and(|problem| problem.out_of_time) {
                            late += 1;
                        } else {
                            in_time += 1;
                        }
                        if late >= MAX_LATE_CASES || late >= MAX_SILENT_CASES && in_time == 0 {
                            given_up = Some(format!(
                                "Not run any more: in {late} cases the program had not ended when its time was over."
                            ));
                        }
                        (item, problem)
                    }),
                };
                items.push(match verdict {
                    Ok((item, _)) => item,
                    Err(error) => {
                        not_started = Some(error);
                        item.not_run("")
                    }
                });
                judged += 1;
                done(judged, all);
            }
            Part { title: title.into(), items }
        };
        let parts = vec![part("Hard cases", self.hard), part("Drawn cases", self.drawn)];
        let report = Report {
            title: title.into(),
            subject,
            seed: Some(seed.text().into()),
            parts,
            ..Report::default()
        };
        let Some(error) = not_started else { return report };
        if let Some(why) = machine::is_behind_start(&error) {
            return Report::not_judged(title, &report.subject, why);
        }
        let failure = GradingFailure::new(FailureKind::NeverConnected, error.to_string());
        Report { failure: Some(failure), ..report }
    }
}

/// The answer of a submission without a program.
pub(super) fn no_program() -> NeverStarted {
    NeverStarted { program: String::new(), error: io::ErrorKind::NotFound.into() }
}

/// The title of the part with misreadings, whose items have no points.
pub(super) const CAUSES_PART_TITLE: &str = "Causes of the differences";

pub(super) fn explanations_part(
    explanations: &[Explanation],
    place: impl Fn(OutputPlace) -> String,
) -> Option<Part> {
    let item = |explanation: &Explanation| {
        let title = format!("First seen in {}", place(explanation.first));
        let others = match explanation.others {
            0 => String::new(),
            others => format!(" {others} of the wrong answers have another cause."),
        };
        let says = format!("{}{others}", explanation.misreading.says());
        Item::new(explanation.misreading.code(), title, Points::ZERO).failed(says)
    };
    let items: Vec<Item> = explanations.iter().map(item).collect();
    (!items.is_empty()).then(|| Part { title: CAUSES_PART_TITLE.into(), items })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grade::Outcome;

    fn outcomes(late: impl Fn(usize) -> bool) -> Vec<Outcome> {
        let cases =
            (0..12).map(|number| Case { id: number.to_string(), title: "x".into(), question: number });
        let cases = Cases { hard: cases.collect(), drawn: Vec::new() };
        let seed = Seed::chosen("x");
        let judge = |number: &usize, item: Item| {
            let problem = NoAnswer { sentence: "late".into(), out_of_time: true, cut_off: true };
            Ok(if late(*number) { (item.failed("late"), Some(problem)) } else { (item.passed(), None) })
        };
        cases.judge("t", "s".into(), &seed, |_, _| {}, judge).items().map(|item| item.outcome).collect()
    }

    #[test]
    fn a_program_that_never_ends_is_given_up_and_a_slow_one_later() {
        let never = outcomes(|_| true);
        assert_eq!(never[..3], [Outcome::Failed, Outcome::Failed, Outcome::NotRun]);
        assert_eq!(never[11], Outcome::NotRun);
        let sometimes = outcomes(|number| number % 6 == 1);
        assert_eq!(sometimes.iter().filter(|outcome| **outcome == Outcome::Passed).count(), 10);
        let often = outcomes(|number| number > 0);
        assert_eq!(often.iter().filter(|outcome| **outcome == Outcome::Failed).count(), MAX_LATE_CASES);
        assert_eq!(often.last(), Some(&Outcome::NotRun));
    }
}
