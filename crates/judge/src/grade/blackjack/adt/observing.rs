//! Runs an implementation with its driver, script by script, and judges the observations.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::kind::AdtKind;
use super::script::{Difference, DriverOutput, first_difference, in_words};
use crate::grade::cases::Cases;
use crate::grade::program::{NoAnswer, last_words, limits, problem_of, run_in};
use crate::grade::report::{Item, Outcome, Points};
use crate::grade::{CaseSettings, GradingFailure};
use crate::sandbox::{NeverStarted, Sandbox, Termination};
use casino_system::foreign_files::let_all_read;

const OPERATIONS: &str = "operations.txt";

const CONTEXT_OPERATIONS: usize = 9;

pub(super) struct Driven<'a> {
    pub(super) kind: &'a AdtKind,
    pub(super) sandbox: &'a Sandbox,
    pub(super) place: PathBuf,
    pub(super) program: String,
}

impl Driven<'_> {
    pub(super) fn judge(&self, settings: &CaseSettings) -> Result<Vec<Item>, GradingFailure> {
        let cases = Cases { hard: (self.kind.scripts)(settings), drawn: Vec::new() };
        let (mut printed, mut order) = (None, BTreeMap::new());
        let report = cases.judge(
            self.kind.title,
            String::new(),
            &settings.seed,
            |_, _| {},
            |operations, item| {
                let (line, item, problem) = self.run(operations, settings, item, &mut order)?;
                printed = printed.take().or(line.map(|line| (item.id.clone(), line)));
                Ok((item, problem))
            },
        );
        if let Some(failure) = report.failure {
            return Err(GradingFailure::not_judged(failure.reason));
        }
        let mut items: Vec<Item> = report.parts.into_iter().flat_map(|part| part.items).collect();
        let any_right = items.iter().any(|item| item.outcome == Outcome::Passed);
        items.push(quiet(self.kind.key, printed, any_right));
        Ok(items)
    }

    /// Runs a script. Also returns the first line that the implementation printed. `order` has the cards of its new deck by the
    /// right ones: another order costs points once, and then the deck is judged by its own.
    fn run(
        &self,
        operations: &[String],
        settings: &CaseSettings,
        item: Item,
        order: &mut BTreeMap<String, String>,
    ) -> Result<(Option<String>, Item, Option<NoAnswer>), NeverStarted> {
        let mut model = (self.kind.right)();
        let own = |want: String| match item.id.as_str() {
            "deck-new" | "deck-reset" => want,
            _ => order.get(&want).cloned().unwrap_or(want),
        };
        let answer = |operation: &String| model.answer(operation).into_iter().map(own).collect();
        let wants: Vec<Vec<String>> = operations.iter().map(answer).collect();
        let failed = |error| NeverStarted { program: self.program.clone(), error };
        // An implementation cannot forge observations: it does not know the mark.
        let mark = format!("@{:08x}", settings.seed.stream(&format!("mark {}", item.id)).below(u32::MAX));
        let list = self.place.join(OPERATIONS);
        let text = format!("{mark}\n{}\n", operations.join("\n"));
        fs::write(&list, text).and_then(|()| let_all_read(&list, false)).map_err(failed)?;
        let bytes: usize = wants.iter().flatten().map(|want| want.len() + mark.len() + 3).sum();
        let limits = limits(2 * bytes + (64 << 10), settings.time.unwrap_or(super::super::CASE_TIME_LIMIT));
        let words = [self.program.clone(), OPERATIONS.to_string()];
        let ended = run_in(self.sandbox, &self.place, &words, &limits)?;
        let problem = problem_of(&ended, &limits);
        let observed = DriverOutput::read(&String::from_utf8_lossy(&ended.stdout), &mark);
        if item.id == "deck-new" {
            *order = own_order(&wants.concat(), &observed.lines);
        }
        let how = ended.end.sentence(&limits);
        let item = match first_difference(&wants, &observed.lines) {
            None if problem.is_none() => item.passed(),
            None => item.failed(format!("Everything was right, but then: {how}")),
            Some(difference) => {
                let item = Item { stderr: stderr_of(&ended), ..item };
                self.differs(operations, &difference, &how, item)
            }
        };
        Ok((observed.printed, item, problem))
    }

    fn differs(&self, operations: &[String], difference: &Difference, how: &str, item: Item) -> Item {
        let last = up_to(&operations[difference.operation], difference.number);
        let from = difference.operation.saturating_sub(CONTEXT_OPERATIONS);
        let is_alone = last.starts_with("run ");
        let mut context = Vec::new();
        if !is_alone {
            if from > 0 {
                context.push(format!("// after {from} operations"));
            }
            context.extend(operations[from..difference.operation].iter().map(|line| (self.kind.code)(line)));
        }
        let code = (self.kind.code)(&last);
        context.push(code.clone());
        let item = Item { context, ..item };
        if difference.got.is_none() {
            let item = Item { got: Some("(the program ended here)".into()), ..item };
            return item.failed(format!("At {} it was over. {how}", code.trim_end_matches(';')));
        }
        let (expected, got) =
            (in_words(&difference.want), in_words(difference.got.as_deref().unwrap_or_default()));
        let sentence = format!("After the operations below {expected} is expected; yours: {got}.");
        Item { expected: Some(expected), got: Some(got), ..item }.failed(sentence)
    }
}

/// The observed cards by the right ones, if they are the same cards in another order.
fn own_order(wants: &[String], got: &[String]) -> BTreeMap<String, String> {
    let [mut sorted, mut sorted_got] = [wants, got].map(<[String]>::to_vec);
    sorted.sort();
    sorted_got.sort();
    match sorted == sorted_got {
        true => wants.iter().cloned().zip(got.iter().cloned()).collect(),
        false => BTreeMap::new(),
    }
}

/// Its standard error, if it did not exit normally.
fn stderr_of(ended: &crate::sandbox::Ended) -> String {
    match ended.end {
        Termination::Exited(0) => String::new(),
        _ => last_words(ended),
    }
}

/// An operation up to the observation of this number.
fn up_to(operation: &str, number: usize) -> String {
    let words: Vec<&str> = operation.split(' ').collect();
    if words[0] == "run" {
        return words[..=number + 1].join(" ");
    }
    match words[1] {
        "deal" => format!("{} deal {}", words[0], number + 1),
        _ => operation.to_string(),
    }
}

/// The item about output, which belongs only where the document asks for it (IV).
pub(super) fn quiet_item(key: &str) -> Item {
    Item::new(format!("{key}-quiet"), "It prints nothing", Points::ONE)
}

/// The item for an implementation that prints nothing. `printed` is the first script in which it printed, and the line. An
/// implementation that does nothing else gets no points for this.
fn quiet(key: &str, printed: Option<(String, String)>, any_right: bool) -> Item {
    let item = quiet_item(key);
    match printed {
        _ if !any_right => item.not_run("No behaviour was right."),
        None => item.passed(),
        Some((script, line)) => Item { got: Some(line), ..item }.failed(format!(
            "It printed something in {script}; output is allowed only where the document asks for it (IV), which is in the driver."
        )),
    }
}

pub(super) fn command_of(name: &str) -> String {
    Path::new(".").join(format!("{name}{}", std::env::consts::EXE_SUFFIX)).display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_operation_is_shown_up_to_the_difference() {
        assert_eq!(up_to("run AS TH AC 2D", 2), "run AS TH AC");
        assert_eq!(up_to("a deal 52", 0), "a deal 1");
        assert_eq!(up_to("a shuffle 13", 0), "a shuffle 13");
    }
}
