//! Checks that a program keeps to the protocol, step by step, and diagnoses where it does not.
//!
//! A copy of the program is taken through the steps as long as it passes, at a real table with scripted players. A
//! new diagnosis is an entry in `diagnosis/cause.rs`, a rule beside it that recognizes it, and a row in
//! `docs/check.md`.

pub(crate) mod diagnosis;
pub(crate) mod evidence;
mod exchange;
mod house_rounds;
mod probing;
mod program;
mod read_timeouts;
mod rounds;
mod runner;
mod socket;
mod step;
mod taking;
mod wire;

use std::fmt;
use std::path::Path;
use std::time::Duration;

use serde::Serialize;

use crate::Verdict;
use casino_host::{ProgramOutputs, ProgramStarter};

pub use diagnosis::{Cause, Diagnosis, PossibleCause};
pub use exchange::ExchangeLine;
pub use step::CheckStep;

/// How a step ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum StepOutcome {
    /// The program passed the step.
    Passed,
    /// The program did something else.
    Failed,
    /// The step could not be tried, which is not the same as failing it.
    NotRun,
}

/// The times and numbers of a check.
#[derive(Clone, Debug)]
pub struct CheckSettings {
    /// How long a reply to a question may take (R17).
    pub reply: Duration,
    /// How long the program may take to connect.
    pub start: Duration,
    /// How long the answer to `login` may take: less than at a host, because it has connected already.
    pub login: Duration,
    /// How long it may take to end after `done`.
    pub leave: Duration,
    /// How long a copy that has logged in waits for the next message, at least; it waits as long as the other steps take in any case.
    pub idle: Duration,
    /// A sign in the program's files that it may stop waiting, and how long the copy waits because of it.
    pub timeout_sign: Option<(&'static str, Duration)>,
    /// The command that compiles the source file that lies beside the program and has its name.
    pub compile: Option<String>,
    /// How long the check waits, a few times, for a message that the program should not send.
    pub quiet: Duration,
    /// The pause between messages, or pieces of one, that are to arrive apart.
    pub apart: Duration,
    /// Rounds against house bots.
    pub rounds: u64,
    /// The seed of those rounds.
    pub seed: String,
    /// After this time no further round is begun, and no further step with a program that has failed.
    pub total: Duration,
}

impl Default for CheckSettings {
    fn default() -> CheckSettings {
        CheckSettings {
            reply: Duration::from_millis(1_000),
            start: Duration::from_secs(20),
            login: Duration::from_secs(5),
            leave: Duration::from_millis(2_000),
            idle: Duration::ZERO,
            timeout_sign: None,
            compile: None,
            quiet: Duration::from_millis(250),
            apart: Duration::from_millis(25),
            rounds: 1_000,
            seed: "casino day".to_string(),
            total: Duration::from_secs(120),
        }
    }
}

impl CheckSettings {
    /// The settings for a program with this command line, in a folder.
    #[must_use]
    pub fn for_program(&self, folder: &Path, command: &str) -> CheckSettings {
        CheckSettings {
            timeout_sign: read_timeouts::sign_of(folder, command),
            compile: compile_command(folder, command),
            ..self.clone()
        }
    }
}

/// How each language compiles one file, after the ending of its sources.
const COMPILERS: [(&str, &str); 5] = [
    ("java", "javac NAME.java"),
    ("cpp", "g++ -o NAME NAME.cpp"),
    ("c", "gcc -o NAME NAME.c"),
    ("rs", "rustc -o NAME NAME.rs"),
    ("go", "go build -o NAME NAME.go"),
];

fn compile_command(folder: &Path, command: &str) -> Option<String> {
    let names =
        command.split_whitespace().map(|word| word.trim_matches(['\'', '"']).trim_start_matches("./"));
    let source = |name: &str| {
        let found = COMPILERS.iter().find(|(ending, _)| folder.join(format!("{name}.{ending}")).is_file());
        found.map(|(_, line)| line.replace("NAME", name))
    };
    names.filter(|name| !name.is_empty()).find_map(source)
}

/// Takes a program through all steps. `progress` is called with each step that begins.
///
/// All steps are taken without pauses first; a program that fails in one after its login starts again, with its full
/// time. No step is begun after [`CheckSettings::total`] once one has failed, and none takes longer than a start, two
/// logins and a few replies at their limits, tried twice.
///
/// ```no_run
/// use casino_judge::check::{CheckSettings, check};
/// use casino_host::ShellCommand;
///
/// let program = ShellCommand::new("python3 poker.py {host} {port}");
/// let checked = check(&program, &CheckSettings::default(), &mut |step| println!("{}", step.title()));
/// for step in checked.steps {
///     if let Some(diagnosis) = step.diagnosis {
///         println!("{}: {diagnosis}", step.title);
///     }
/// }
/// ```
pub fn check(
    starter: &dyn ProgramStarter,
    settings: &CheckSettings,
    progress: &mut dyn FnMut(CheckStep),
) -> Checked {
    runner::CheckRunner::new(starter, settings).run(progress)
}

/// The result of one step.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StepResult {
    /// The number of the step, from 1.
    pub number: usize,
    /// The step that was taken.
    pub step: CheckStep,
    /// A short description of the step.
    pub title: &'static str,
    /// Passed, failed or not run.
    pub outcome: StepOutcome,
    /// A remark on a step that passed, or why it was not run; may be empty.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub note: String,
    /// The fault that was recognised, if it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diagnosis: Option<Diagnosis>,
    /// The expected behavior, if the step failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<&'static str>,
    /// The last messages, if it failed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub exchange: Vec<ExchangeLine>,
    /// The end of the program's standard output, if it failed. Not harmless.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub stdout: String,
    /// The end of its standard error, if it failed. Not harmless.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub stderr: String,
}

impl StepResult {
    fn new(step: CheckStep, outcome: StepOutcome) -> StepResult {
        StepResult {
            number: step.number(),
            step,
            title: step.title(),
            outcome,
            note: String::new(),
            diagnosis: None,
            expected: None,
            exchange: Vec::new(),
            stdout: String::new(),
            stderr: String::new(),
        }
    }

    pub(crate) fn passed(step: CheckStep, note: String) -> StepResult {
        StepResult { note, ..StepResult::new(step, StepOutcome::Passed) }
    }

    pub(crate) fn not_run(step: CheckStep, note: String) -> StepResult {
        StepResult { note, ..StepResult::new(step, StepOutcome::NotRun) }
    }

    pub(crate) fn failed(
        step: CheckStep,
        diagnosis: Diagnosis,
        exchange: Vec<ExchangeLine>,
        outputs: ProgramOutputs,
    ) -> StepResult {
        StepResult {
            diagnosis: Some(diagnosis),
            expected: Some(step.expects()),
            exchange,
            stdout: outputs.stdout,
            stderr: outputs.stderr,
            ..StepResult::new(step, StepOutcome::Failed)
        }
    }
}

/// How long replies took, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ReplyTimes {
    /// How many replies were timed.
    pub replies: usize,
    /// Half of them took no longer.
    pub p50_ms: f64,
    /// 99 of 100 took no longer.
    pub p99_ms: f64,
    /// The longest time a reply took.
    pub slowest_ms: f64,
}

impl ReplyTimes {
    fn of(times: &[Duration]) -> Option<ReplyTimes> {
        let mut sorted = times.to_vec();
        sorted.sort_unstable();
        let last = sorted.len().checked_sub(1)?;
        let at = |percent: usize| sorted[(sorted.len() * percent).div_ceil(100).clamp(1, last + 1) - 1];
        let ms = |time: Duration| (time.as_secs_f64() * 1e6).round() / 1e3;
        Some(ReplyTimes {
            replies: sorted.len(),
            p50_ms: ms(at(50)),
            p99_ms: ms(at(99)),
            slowest_ms: ms(sorted[last]),
        })
    }
}

impl fmt::Display for ReplyTimes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ReplyTimes { replies, p50_ms, p99_ms, slowest_ms } = self;
        write!(
            f,
            "{replies} replies: half within {p50_ms} ms, 99 of 100 within {p99_ms} ms, the slowest {slowest_ms} ms"
        )
    }
}

/// The result of a check.
#[derive(Clone, Debug, PartialEq)]
pub struct Checked {
    /// How the program was started.
    pub subject: String,
    /// The results of all steps in order.
    pub steps: Vec<StepResult>,
    /// How long its replies took, if it gave any.
    pub reply_times: Option<ReplyTimes>,
    /// How long the check took.
    pub took: Duration,
    /// Whether the program has connected at least once.
    pub connected: bool,
}

impl Checked {
    /// Whether all steps passed.
    pub fn passed(&self) -> bool {
        self.steps.iter().all(|result| result.outcome == StepOutcome::Passed)
    }

    /// The result for a program that cannot be built, with the failed command and its output.
    pub fn not_built(subject: &str, command: &str, printed: &str) -> Checked {
        let outputs = ProgramOutputs { stdout: String::new(), stderr: printed.to_string() };
        let diagnosis = diagnosis::diagnose(
            &evidence::Evidence::NotBuilt { command: command.to_string() },
            CheckStep::Login,
            &outputs,
        );
        let step = |step| match step {
            CheckStep::Login => StepResult::failed(step, diagnosis.clone(), Vec::new(), outputs.clone()),
            _ => StepResult::not_run(step, "the program cannot be built".to_string()),
        };
        Checked {
            subject: subject.to_string(),
            steps: CheckStep::ALL.map(step).to_vec(),
            reply_times: None,
            took: Duration::ZERO,
            connected: false,
        }
    }

    /// The overall verdict of the check.
    pub fn verdict(&self) -> Verdict {
        match self.connected {
            false => Verdict::NeverStarted,
            _ if self.passed() => Verdict::Passed,
            _ => Verdict::Failed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sandbox::ScratchFolder;

    #[test]
    fn an_uncompiled_source_has_its_command() {
        let folder = ScratchFolder::with(&["Poker.java", "bot.cpp", "x.py"].map(|file| (file, "")));
        for (command, compile) in [
            ("java -cp . Poker {host} {port}", Some("javac Poker.java")),
            ("'./bot' {host} {port}", Some("g++ -o bot bot.cpp")),
            ("python3 x.py {host} {port}", None),
        ] {
            assert_eq!(compile_command(&folder, command).as_deref(), compile, "{command}");
        }
    }

    #[test]
    fn reply_times_are_those_of_replies_that_were_given() {
        assert_eq!(ReplyTimes::of(&[]), None);
        let times: Vec<Duration> = (1..=200).rev().map(Duration::from_millis).collect();
        let expected = ReplyTimes { replies: 200, p50_ms: 100.0, p99_ms: 198.0, slowest_ms: 200.0 };
        assert_eq!(ReplyTimes::of(&times), Some(expected));
        let one = ReplyTimes::of(&[Duration::from_micros(1500)]).unwrap();
        assert_eq!((one.p50_ms, one.p99_ms, one.slowest_ms), (1.5, 1.5, 1.5));
    }

    #[test]
    fn a_failed_build_counts_as_never_started() {
        let checked = Checked::not_built("my-bot", "javac Poker.java", "Poker.java:1: error");
        assert_eq!((checked.verdict(), checked.passed()), (Verdict::NeverStarted, false));
        let login = &checked.steps[CheckStep::Login as usize];
        assert_eq!((login.outcome, login.stderr.as_str()), (StepOutcome::Failed, "Poker.java:1: error"));
        assert_eq!(checked.steps[CheckStep::Exits as usize].outcome, StepOutcome::NotRun);
    }
}
