//! Running a program that is asked one thing, prints its answer and ends.

use std::env;
use std::io;
use std::path::Path;
use std::time::Duration;

use thiserror::Error;

use crate::sandbox::{Ended, Limit, NeverStarted, ResourceLimits, Sandbox, Task, Termination, Workspace};
use casino_system::command_line;

/// Bytes of standard error that are kept: the end has the error.
const STDERR_TAIL: usize = 2_000;

/// How much later than its time limit the end of a program may be noticed on a busy machine.
const MAX_EXIT_DELAY: Duration = Duration::from_secs(10);

/// A command line with placeholders in braces: `java HandValue {cards}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    text: String,
    words: Vec<String>,
}

impl Template {
    /// Splits a command line into words as a shell does, quotes and backslashes included; no shell runs.
    pub fn parse(text: &str, names: &[&str]) -> Result<Template, TemplateError> {
        let wrong = |why: &str| TemplateError(why.to_string());
        let words = command_line::split(text).ok_or_else(|| wrong("a quote is not closed"))?;
        if words.is_empty() {
            return Err(wrong("there is no program in it"));
        }
        for name in names {
            let placeholder = format!("{{{name}}}");
            if !words.iter().any(|word| word.contains(&placeholder)) {
                return Err(TemplateError(format!(
                    "{placeholder} is missing: write it where the program expects it"
                )));
            }
        }
        Ok(Template { text: text.trim().to_string(), words })
    }

    /// The command line as it was given.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The words with every name replaced: by separate words where the name stands alone.
    pub fn fill(&self, values: &[(&str, &[String])]) -> Vec<String> {
        let mut filled = Vec::new();
        for word in &self.words {
            let alone = values.iter().find(|(name, _)| *word == format!("{{{name}}}"));
            if let Some((_, value)) = alone {
                filled.extend_from_slice(value);
                continue;
            }
            let mut word = word.clone();
            for (name, value) in values {
                word = word.replace(&format!("{{{name}}}"), &value.join(" "));
            }
            filled.push(word);
        }
        filled
    }
}

/// Why a command line cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct TemplateError(String);

/// Words as one line that a shell splits into them again.
pub(super) fn shell_line(words: &[String]) -> String {
    command_line::join(words.iter().map(String::as_str))
}

/// Runs a program without input in a folder; once more, alone, if a busy machine made it late.
pub(super) fn run_in(
    sandbox: &Sandbox,
    folder: &Path,
    words: &[String],
    limits: &ResourceLimits,
) -> Result<Ended, NeverStarted> {
    let keep = usize::try_from(limits.output).unwrap_or(usize::MAX).max(STDERR_TAIL);
    let place = Workspace::Here(folder.to_path_buf());
    let task = Task { words: words.to_vec(), place, limits: *limits, keep };
    let once = || {
        let program = sandbox.start(&task)?;
        program.wait(limits.wall + MAX_EXIT_DELAY);
        Ok(program.finish())
    };
    let too_busy = |why| {
        let program = words.first().cloned().unwrap_or_default();
        NeverStarted { program, error: io::Error::new(io::ErrorKind::ResourceBusy, why) }
    };
    sandbox.run_by_time(once, Ended::is_late, too_busy)
}

/// The limits of a program of the sister games with this output size and real time.
pub(super) fn limits(output: usize, time: Duration) -> ResourceLimits {
    ResourceLimits {
        output: output as u64,
        errors: 64 << 20,
        wall: time,
        cpu: time.max(Duration::from_secs(10)),
        ..ResourceLimits::BOT
    }
}

/// The reason of a missing answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NoAnswer {
    /// The reason in a sentence.
    pub(super) sentence: String,
    pub(super) out_of_time: bool,
    /// Whether a limit ended it, so that its output may be incomplete.
    pub(super) cut_off: bool,
}

/// Runs a program in the current folder. Returns the reason if there is no answer to judge; exit codes do not count.
pub(super) fn answer_of(
    sandbox: &Sandbox,
    words: &[String],
    limits: &ResourceLimits,
) -> Result<(Ended, Option<NoAnswer>), NeverStarted> {
    let folder = env::current_dir().map_err(|error| {
        let error = io::Error::other(format!("the current folder is gone: {error}"));
        NeverStarted { program: words.first().cloned().unwrap_or_default(), error }
    })?;
    let ended = run_in(sandbox, &folder, words, limits)?;
    let problem = problem_of(&ended, limits);
    Ok((ended, problem))
}

/// Why the output is incomplete; `None` if the program exited normally.
pub(super) fn problem_of(ended: &Ended, limits: &ResourceLimits) -> Option<NoAnswer> {
    match ended.end {
        Termination::Exited(_) => None,
        end => Some(NoAnswer {
            sentence: end.sentence(limits),
            out_of_time: matches!(end, Termination::Over(Limit::Wall | Limit::Cpu)),
            cut_off: !matches!(end, Termination::Crashed(_)),
        }),
    }
}

/// The end of its standard error.
pub(super) fn last_words(ended: &Ended) -> String {
    let tail = ended.stderr.len().saturating_sub(STDERR_TAIL);
    String::from_utf8_lossy(&ended.stderr[tail..]).trim().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grade::machine;
    use crate::sandbox::Policy;

    #[test]
    fn a_missing_folder_is_not_taken_for_a_missing_program() {
        let sandbox = Sandbox::without_box(Policy::Off).unwrap();
        let limits = limits(1, Duration::from_secs(1));
        let words = ["swipl".to_string()];
        let error = run_in(&sandbox, Path::new("/nowhere/at/all"), &words, &limits).unwrap_err();
        let why = machine::is_behind_start(&error).unwrap();
        assert!(why.contains("the folder /nowhere/at/all is gone"), "{why}");
    }

    #[test]
    fn templates_are_split_and_filled() {
        let template = Template::parse("java -cp 'my dir' HandValue {cards} x{n}y", &["cards"]).unwrap();
        let cards = ["TH".to_string(), "5C".to_string()];
        assert_eq!(
            template.fill(&[("cards", &cards), ("n", &["7".to_string()])]),
            ["java", "-cp", "my dir", "HandValue", "TH", "5C", "x7y"]
        );
        let inside = Template::parse("sh -c \"value {cards}\"", &["cards"]).unwrap();
        assert_eq!(inside.fill(&[("cards", &cards)]), ["sh", "-c", "value TH 5C"]);
        for (text, words) in [("x", "{cards} is missing"), ("x 'y", "a quote"), ("  ", "no program")] {
            let error = Template::parse(text, &["cards"]).unwrap_err().to_string();
            assert!(error.contains(words), "{error}");
        }
        assert_eq!(shell_line(&["a b".into(), "c".into()]), "'a b' c");
    }
}
