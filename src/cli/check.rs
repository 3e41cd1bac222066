//! The flags, words and exit codes of `casino check`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use clap::builder::PossibleValuesParser;
use serde::Serialize;

use casino_host::{ShellCommand, Spec};
use casino_judge::check::{
    self, Cause, CheckSettings, CheckStep, Checked, Diagnosis, ExchangeLine, PossibleCause, ReplyTimes,
    StepOutcome, StepResult,
};
use casino_judge::figures::{Detail, Document, Finding, Markup, Outcome, Tone};
use casino_judge::grade::grade_submission::SandboxStarter;
use casino_judge::grade::submission::{BuildHints, Built, Submission};
use casino_judge::sandbox::{Policy, ResourceLimits};
use casino_stud::shown::short_line;

use super::judging;
use super::progress::ShownProgress;
use super::specs::command_of_file;
use super::terminal::quoted;
use super::values::whole;
use super::{Failure, Output, print};

const MAX_OUTPUT_LINES: usize = 12;

#[derive(Args)]
#[command(
    after_help = "Starts the program for each step, on a port of its own: login, bets, limits, long lists, \
        messages in pieces, 1,000 rounds against house bots, done. A failed step prints the messages, \
        the expected reply and the probable cause. docs/check.md lists the steps, --explain KEY a diagnosis.\n\n\
        A sound program takes a few seconds. No round begins after --total-secs.\n\n\
        Exit codes: 0 passed, 1 a step failed, 2 unusable arguments, 3 the program did not start or did \
        not connect.\n\n\
        Examples:
  casino check
  casino check java Poker {host} {port}
  casino check 'java -cp . Poker {host} {port}'
  casino check \"java -cp . Poker {host} {port}\"     (Windows)
  casino check 'mybot=python3 poker.py {host} {port}'
  casino check my-bot/ --sandbox auto
  casino check --explain little-endian
  casino check './bot {host} {port}' --json | jq '.steps[] | select(.outcome == \"failed\") | .diagnosis'"
)]
pub(crate) struct Check {
    /// Command line with {host} and {port}, or file or folder of sources [default: this folder]
    #[arg(value_name = "SPEC")]
    words: Vec<String>,
    /// Sandbox: off for your own program, otherwise auto, require or plain
    #[arg(long, value_name = "HOW", default_value = "off")]
    sandbox: Policy,
    /// Build command of the folder, in place of the detected one; repeatable
    #[arg(long, value_name = "COMMAND")]
    build: Vec<String>,
    /// Run command of the folder, with {host} and {port}
    #[arg(long, value_name = "COMMAND")]
    run: Option<String>,
    /// Time limit of a reply in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 1_000, value_parser = whole::<u64>(10..=60_000))]
    reply_ms: u64,
    /// Time limit to connect in seconds
    #[arg(long, value_name = "S", default_value_t = 20, value_parser = whole::<u64>(1..=600))]
    start_secs: u64,
    /// Time limit to exit after done in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 2_000, value_parser = whole::<u64>(10..=60_000))]
    leave_ms: u64,
    /// Seconds that a copy waits without a message, to find read timeouts in the program
    #[arg(long, value_name = "S", default_value_t = 0, hide_default_value = true, value_parser = whole::<u64>(0..=3_600))]
    idle_secs: u64,
    /// Time in seconds after which no round begins, and after a failure no step
    #[arg(long, value_name = "S", default_value_t = 120, value_parser = whole::<u64>(1..=3_600))]
    total_secs: u64,
    /// Rounds against house bots
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = whole::<u64>(1..=1_000_000))]
    rounds: u64,
    /// The seed of those rounds
    #[arg(long, value_name = "TEXT", default_value = "casino day")]
    seed: String,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Print this diagnosis, its remedy and an example, or `all`, and check nothing
    #[arg(long, value_name = "KEY", value_parser = explained(), hide_possible_values = true, exclusive = true)]
    explain: Option<String>,
}

/// The keys of the diagnoses, and all of them together.
fn explained() -> PossibleValuesParser {
    PossibleValuesParser::new(Cause::ALL.iter().map(|cause| cause.key()).chain([ALL]))
}

const ALL: &str = "all";

/// Prints the diagnosis of this key.
fn explain(key: &str) -> Result<(), Failure> {
    let causes = Cause::ALL.iter().filter(|cause| key == ALL || cause.key() == key);
    print(causes.map(|cause| cause.explained()).collect::<Vec<_>>().join("\n"))
}

/// The object of `--json`.
#[derive(Serialize)]
struct CheckJson<'a> {
    subject: &'a str,
    passed: bool,
    steps: &'a [StepResult],
    reply_times: Option<ReplyTimes>,
    seconds: f64,
}

impl Check {
    /// The program: this folder without a word, and several words as a command line.
    fn spec(&self) -> String {
        match &self.words[..] {
            [] => ".".to_string(),
            [spec] => spec.clone(),
            words => {
                let is_plain = |word: &str| !word.is_empty() && !word.contains([' ', '\t', '\'', '"', '\\']);
                let word = |word: &String| if is_plain(word) { word.clone() } else { quoted(word) };
                words.iter().map(word).collect::<Vec<_>>().join(" ")
            }
        }
    }

    pub(crate) fn run(self) -> Result<(), Failure> {
        if let Some(key) = &self.explain {
            return explain(key);
        }
        let settings = CheckSettings {
            reply: Duration::from_millis(self.reply_ms),
            start: Duration::from_secs(self.start_secs),
            leave: Duration::from_millis(self.leave_ms),
            idle: Duration::from_secs(self.idle_secs),
            total: Duration::from_secs(self.total_secs),
            rounds: self.rounds,
            seed: self.seed.clone(),
            ..CheckSettings::default()
        };
        let bar = ShownProgress::steps(CheckStep::ALL.len() as u64);
        let checked = self.check(&settings, &mut |step: CheckStep| {
            bar.at(step.number() as u64);
            bar.say(step.title());
        })?;
        drop(bar);
        let mut output = Output::stdout();
        if self.json {
            let shown = CheckJson {
                subject: &checked.subject,
                passed: checked.passed(),
                steps: &checked.steps,
                reply_times: checked.reply_times,
                seconds: (checked.took.as_secs_f64() * 1e3).round() / 1e3,
            };
            output.line(serde_json::to_string_pretty(&shown).map_err(Failure::runtime)?)?;
        } else {
            output.document(&document(&checked))?;
        }
        output.flush()?;
        judging::exit(checked.verdict())
    }

    /// Checks the program, started from the shell or in the box.
    fn check(
        &self,
        settings: &CheckSettings,
        progress: &mut dyn FnMut(CheckStep),
    ) -> Result<Checked, Failure> {
        let given = self.spec();
        let spec = Spec::find(&given);
        let folder = if let Ok(Spec::Place { path, .. }) = &spec { path } else { Path::new(&given) };
        let is_folder = folder.is_dir();
        let hints = BuildHints { build: self.build.clone(), run: self.run.clone(), project: None };
        if !is_folder && hints != BuildHints::default() {
            return Err(Failure::usage(format!(
                "--build and --run go with a folder, and there is no folder {}",
                folder.display()
            )));
        }
        if !is_folder && self.sandbox == Policy::Off {
            let command = self.command()?;
            let settings = settings.for_program(Path::new("."), &command);
            return Ok(check::check(&ShellCommand::new(command), &settings, progress));
        }
        let sandbox = judging::sandbox(self.sandbox, false)?;
        let submission = if is_folder {
            Submission::folder(folder, &hints, &sandbox).map_err(Failure::usage)?
        } else {
            Submission::command(&self.command()?, Path::new(".")).map_err(Failure::usage)?
        };
        let mut checked = match &submission.built {
            Some(Built { failed: Some(command), output, .. }) => Checked::not_built(&given, command, output),
            _ => {
                let limits = ResourceLimits::BOT;
                let starter = SandboxStarter { sandbox: &sandbox, submission: &submission, limits };
                let folder = submission.folder_of_copy().unwrap_or_else(|| PathBuf::from("."));
                let settings = settings.for_program(&folder, &submission.recipe.run);
                check::check(&starter, &settings, progress)
            }
        };
        if let Some(note) = submission.note() {
            checked.steps[0].note = note;
        }
        Ok(checked)
    }

    fn command(&self) -> Result<String, Failure> {
        match Spec::find(&self.spec()) {
            Ok(Spec::Program { command, .. }) => Ok(command),
            Ok(Spec::Place { path, .. }) => command_of_file(&path),
            Ok(Spec::House { .. }) => {
                Err(Failure::usage("a house bot keeps to the protocol: name a program to check"))
            }
            Err(error) => Err(Failure::usage(error)),
        }
    }
}

/// The findings, step by step, and the result.
fn document(checked: &Checked) -> Document {
    let mut explained = BTreeMap::new();
    let mut finding = |result: &StepResult| {
        let (title, note) = (result.title, short_line(&result.note));
        let details = result.diagnosis.as_ref().map(|diagnosis| match explained.get(&diagnosis.cause) {
            Some(step) => vec![
                with_cause(Markup::from(format!("As in step {step}: {}", diagnosis.what)), diagnosis.cause),
                Detail::Labelled("got", diagnosis.observed.clone()),
            ],
            None => {
                explained.insert(diagnosis.cause, result.number);
                explanation(result, diagnosis)
            }
        });
        Finding {
            lead: format!("{:>2} ", result.number),
            outcome: match result.outcome {
                StepOutcome::Passed => Outcome::Passed,
                StepOutcome::NotRun => Outcome::NotRun,
                StepOutcome::Failed => Outcome::Failed,
            },
            title: if note.is_empty() { title.to_string() } else { format!("{title} ({note})") },
            points: None,
            details: details.unwrap_or_default(),
            also: Vec::new(),
        }
    };
    let mut document = Document::default();
    // Steps that were not run for one reason are one line.
    let is_same = |one: &StepResult, other: &StepResult| {
        let is_untried = |step: &StepResult| step.outcome == StepOutcome::NotRun;
        is_untried(one) && is_untried(other) && one.note == other.note
    };
    let findings = checked.steps.chunk_by(is_same).map(|steps| match steps {
        [first, .., last] => Finding {
            title: format!("this step and all up to {} ({})", last.number, short_line(&first.note)),
            ..finding(first)
        },
        _ => finding(&steps[0]),
    });
    document.findings(findings.collect());
    let count = |outcome| checked.steps.iter().filter(|result| result.outcome == outcome).count();
    let (passed, failed, not_run) =
        (count(StepOutcome::Passed), count(StepOutcome::Failed), count(StepOutcome::NotRun));
    let (tone, verdict) = if checked.passed() { (Tone::Good, "passed") } else { (Tone::Bad, "failed") };
    let rest = if not_run > 0 { format!(", {not_run} not run") } else { String::new() };
    document.section();
    document.say(Markup::toned(tone, verdict).and(format!(
        ": {passed} of {} steps passed, {failed} failed{rest} ({:.1} s)",
        checked.steps.len(),
        checked.took.as_secs_f64()
    )));
    document
}

/// The diagnosis of a failed step, the expected and the actual messages, and the last messages.
fn explanation(result: &StepResult, diagnosis: &Diagnosis) -> Vec<Detail> {
    let mut details = vec![
        with_cause(Markup::strong(&diagnosis.what), diagnosis.cause),
        Detail::Said((&diagnosis.fix).into()),
    ];
    for PossibleCause { cause, what, fix } in &diagnosis.or {
        details.push(with_cause(Markup::from("Also possible: ").and(Markup::strong(what)), *cause));
        details.push(Detail::Said(fix.into()));
    }
    details.extend(result.expected.map(|expected| Detail::Labelled("expected", expected.to_string())));
    details.extend(diagnosis.allowed.clone().map(|allowed| Detail::Labelled("allowed", allowed)));
    details.push(Detail::Labelled("got", diagnosis.observed.clone()));
    details.extend(diagnosis.because.iter().map(|because| Detail::Labelled("because", because.clone())));
    let exchange: Vec<String> = result
        .exchange
        .iter()
        .map(|line| match line {
            ExchangeLine::Dealer(text) => format!("dealer  > {text}"),
            ExchangeLine::Program(text) => format!("program < {text}"),
            ExchangeLine::Note(text) => format!("        ({text})"),
        })
        .collect();
    let ends = [("its output ends with", &result.stdout), ("its error output ends with", &result.stderr)];
    let quotes = ends.map(|(label, text)| {
        let lines: Vec<&str> = text.lines().collect();
        (label, "  ! ", lines[lines.len().saturating_sub(MAX_OUTPUT_LINES)..].join("\n"))
    });
    let quotes = [("messages", "  ", exchange.join("\n"))].into_iter().chain(quotes);
    details.extend(
        quotes
            .filter(|quote| !quote.2.is_empty())
            .map(|(label, sign, text)| Detail::Quoted(label, sign, text)),
    );
    details
}

/// A sentence with the key of the cause that it is about.
fn with_cause(words: Markup, cause: Cause) -> Detail {
    Detail::Said(words.and(format!(" [{}]", cause.key())))
}
