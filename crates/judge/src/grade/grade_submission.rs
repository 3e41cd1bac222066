//! A submission from its folder to its report: built, checked, and put into the situations of the rubric.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::grading_failure::{FailureKind, GradingFailure};
use super::machine;
use super::report::{Item, Outcome, Points, Report};
use super::rubric::{PointsSource, Rubric};
use super::situation::{JudgedProgram, without_details};
use super::stud::{Conformance, NoPlayer, grade};
use super::submission::Submission;
use crate::Verdict;
use crate::check::{self, Cause, CheckSettings, CheckStep, Checked, ExchangeLine, StepOutcome, StepResult};
use crate::sandbox::{NeverStarted, ResourceLimits, Sandbox};
use casino_host::{ConnectionLimits, LaunchError, LaunchedProgram, ProgramStarter};

/// How long a program may take to connect when it is started for the situations: it has connected before.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(20);

/// A submission that is started in the sandbox, any number of times.
#[derive(Clone, Copy, Debug)]
pub struct SandboxStarter<'a> {
    /// The sandbox it runs in.
    pub sandbox: &'a Sandbox,
    /// The submission that is started.
    pub submission: &'a Submission,
    /// The resources it may use each time.
    pub limits: ResourceLimits,
}

impl ProgramStarter for SandboxStarter<'_> {
    fn launch(&self) -> Result<LaunchedProgram, LaunchError> {
        let program = self
            .sandbox
            .start(&self.submission.task(self.limits))
            .map_err(|error| LaunchError::Sandbox(Box::new(error)))?;
        let listener = program.listener().try_clone().map_err(LaunchError::Socket)?;
        LaunchedProgram::new(listener, Box::new(program))
    }

    fn command_line(&self) -> String {
        self.submission.recipe.run.clone()
    }
}

/// The terms by which a submission is judged.
#[derive(Clone, Debug)]
pub struct GradingTerms {
    /// The rubric that gives the points.
    pub rubric: Rubric,
    /// The settings of the protocol check.
    pub check: CheckSettings,
    /// The resources that the program may use each time it is started.
    pub limits: ResourceLimits,
}

/// How far the judging of a submission has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// The protocol check: steps done, and their number.
    Checking(usize, usize),
    /// The situations: done, and their number.
    Situations(usize, usize),
}

/// Judges a submission. One that lost points while it waited for a processor is judged again, alone.
pub fn judge(
    submission: &Submission,
    subject: &str,
    sandbox: &Sandbox,
    terms: &GradingTerms,
    progress: &mut dyn FnMut(Progress),
) -> Report {
    if let Some(why) = submission.why_not_built() {
        let failure = GradingFailure::new(FailureKind::NotBuilt, why);
        return unstarted(subject, &terms.rubric, built(submission).into_iter().collect(), failure);
    }
    let once = || Ok(judge_once(submission, subject, sandbox, terms, progress));
    match sandbox.run_by_time(once, |(_, late)| *late, |why| why) {
        Ok((report, _)) => report,
        Err(why) => Report::not_judged(&terms.rubric.title, subject, why),
    }
}

/// Judges a submission that was built. Returns whether it lost points by time.
fn judge_once(
    submission: &Submission,
    subject: &str,
    sandbox: &Sandbox,
    terms: &GradingTerms,
    progress: &mut dyn FnMut(Progress),
) -> (Report, bool) {
    let refused = Mutex::new(None);
    let starter = WatchedStarter {
        starter: SandboxStarter { sandbox, submission, limits: terms.limits },
        refused: &refused,
    };
    let all = check::CheckStep::ALL.len();
    let folder = submission.folder_of_copy().unwrap_or_else(|| PathBuf::from("."));
    let settings = terms.check.for_program(&folder, &submission.recipe.run);
    let checked = check::check(&starter, &settings, &mut |step| {
        progress(Progress::Checking(step.number(), all));
    });
    let never_started = checked.verdict() == Verdict::NeverStarted;
    let (connects, replies) = step_items(built(submission), &checked);
    let mut player = match (never_started, out_of_step(&checked)) {
        (true, _) => Err(NoPlayer(String::new())),
        (_, Some(why)) => Err(NoPlayer(why)),
        _ => {
            let limits = ConnectionLimits { reply: terms.check.reply, ..Default::default() };
            JudgedProgram::start(starter, limits, CONNECT_TIMEOUT).map_err(|error| {
                // What stops the check stops the situations, and has its reason there.
                let is_asked = replies.iter().any(|step| step.outcome != Outcome::NotRun);
                NoPlayer(match replies.first().filter(|_| !is_asked) {
                    Some(step) => step.reason.clone(),
                    None => {
                        let why = without_details(&error);
                        format!("The program could not be put into situations: {why}.")
                    }
                })
            })
        }
    };
    let diagnoses = || checked.steps.iter().filter_map(|taken| taken.diagnosis.as_ref());
    let failed = diagnoses().filter(|found| found.cause != Cause::SlowReplies);
    let fouls = failed.filter_map(|found| Some((found.foul.clone()?, found.to_string()))).collect();
    let conformance = Conformance::Checked { connects, replies, fouls };
    let judged = player.as_mut().map_err(|why| why.clone());
    let mut report = grade(&terms.rubric, subject, &conformance, judged, |done, all| {
        progress(Progress::Situations(done, all));
    });
    let mut late = diagnoses().any(|found| found.late);
    if let Ok(player) = player {
        late |= player.was_late();
        player.dismiss();
    }
    if let Some(why) = refused.lock().unwrap_or_else(PoisonError::into_inner).take() {
        return (Report::not_judged(&terms.rubric.title, subject, why), false);
    }
    if never_started {
        let outputs = checked.steps.iter().map(|taken| format!("{}\n{}", taken.stdout, taken.stderr));
        if let Some(why) = outputs.into_iter().find_map(|output| machine::is_too_old(&output)) {
            return (Report::not_judged(&terms.rubric.title, subject, why), false);
        }
        report.failure = Some(never_connected(&mut report));
    }
    (report, late)
}

/// The items about connecting, and all others. Silence counts only for a program that has given a legal reply.
fn step_items(built: Option<Item>, checked: &Checked) -> (Vec<Item>, Vec<Item>) {
    let passed = |step: CheckStep| {
        checked.steps.iter().any(|taken| taken.step == step && taken.outcome == StepOutcome::Passed)
    };
    let logs_in = passed(CheckStep::Login);
    let answers = ANSWERING.into_iter().any(passed);
    let unspoken = |item: Item, speaks: bool, what: &str| match item.outcome {
        Outcome::Passed if !speaks => item.not_run(format!("It counts once the program {what}.")),
        _ => item,
    };
    let mut connects: Vec<Item> =
        built.into_iter().map(|item| unspoken(item, logs_in, "answers login")).collect();
    let mut replies = Vec::new();
    for taken in &checked.steps {
        let speaks = answers || matches!(taken.step, CheckStep::Login | CheckStep::LoginAgain);
        let item = unspoken(step_item(taken), speaks, "has given a legal reply to a question");
        if taken.step.is_about_connecting() { &mut connects } else { &mut replies }.push(item);
    }
    (connects, replies)
}

/// Steps that cannot be passed without a legal reply.
const ANSWERING: [CheckStep; 4] =
    [CheckStep::Bet1, CheckStep::Bet2, CheckStep::OpeningZero, CheckStep::ManyPlayers];

/// The reason of a report of a program that did not connect; untried items then have no reason.
fn never_connected(report: &mut Report) -> GradingFailure {
    let failed = report.items().find(|item| item.outcome == Outcome::Failed);
    let reason = failed.map_or_else(String::new, |item| item.reason.clone());
    for item in report.parts.iter_mut().flat_map(|part| &mut part.items) {
        if item.outcome == Outcome::NotRun {
            item.reason.clear();
        }
    }
    GradingFailure::new(FailureKind::NeverConnected, reason)
}

/// A starter that remembers why the machine did not start a program, which is not the program's fault.
#[derive(Clone, Copy, Debug)]
pub struct WatchedStarter<'a> {
    /// The submission that is started.
    pub starter: SandboxStarter<'a>,
    /// The last reason for which the machine did not start it.
    pub refused: &'a Mutex<Option<String>>,
}

impl ProgramStarter for WatchedStarter<'_> {
    fn launch(&self) -> Result<LaunchedProgram, LaunchError> {
        self.starter.launch().inspect_err(|error| {
            let why = match error {
                LaunchError::Sandbox(error) => {
                    error.downcast_ref::<NeverStarted>().and_then(machine::is_behind_start)
                }
                LaunchError::Socket(_) | LaunchError::OutputFiles(_) => Some(format!("{error}.")),
                LaunchError::Command { .. } => None,
            };
            if let Some(why) = why {
                *self.refused.lock().unwrap_or_else(PoisonError::into_inner) = Some(why);
            }
        })
    }

    fn command_line(&self) -> String {
        self.starter.command_line()
    }
}

/// Why a program that sends unexpected messages is put into no situation: its replies would match questions by chance
/// (R18).
fn out_of_step(checked: &Checked) -> Option<String> {
    let found = checked.steps.iter().filter_map(|taken| taken.diagnosis.as_ref()).find(|found| {
        matches!(
            found.cause,
            Cause::SpeaksFirst | Cause::TwoReplies | Cause::ExtraBytes | Cause::AnswersStatus
        )
    })?;
    Some(format!(
        "{} Its first unsolicited message ejects it from a game, so no situation was tested. {}",
        found.what, found.fix
    ))
}

/// The report of a submission that cannot be started.
pub fn unstarted(subject: &str, rubric: &Rubric, built: Vec<Item>, failure: GradingFailure) -> Report {
    if failure.kind == FailureKind::NotJudged {
        return Report { failure: Some(failure), ..Report::not_judged(&rubric.title, subject, "") };
    }
    let steps = |connecting: bool| {
        let steps = check::CheckStep::ALL.iter().filter(move |step| step.is_about_connecting() == connecting);
        steps.map(|step| Item::new(step.id(), step.title(), Points::ONE).not_run(""))
    };
    let connects = built.into_iter().chain(steps(true)).collect();
    let conformance = Conformance::Checked { connects, replies: steps(false).collect(), fouls: Vec::new() };
    let nobody: Result<&mut JudgedProgram<'_>, NoPlayer> = Err(NoPlayer(String::new()));
    let report = grade(rubric, subject, &conformance, nobody, |_, _| {});
    Report { failure: Some(failure), ..report }
}

/// The first words of a report on a starter kit.
pub const STARTER_KIT: &str = "This is the starter kit, unchanged.";

/// Names an unchanged starter kit, and leaves it this part of its points for play, in hundredths.
pub fn mark_starter_kit(report: &mut Report, rubric: &Rubric, hundredths: usize) {
    let of_play = |at: usize| matches!(rubric.parts[at].source, PointsSource::Situations { .. });
    for (at, part) in report.parts.iter_mut().enumerate() {
        for item in &mut part.items {
            if item.id == "builds" {
                item.reason = format!("{STARTER_KIT} {}", item.reason).trim_end().to_string();
            } else if of_play(at) && hundredths < 100 {
                let kept = item.points.share(hundredths, 100);
                *item = item.clone().partial(kept, format!("{STARTER_KIT} Its play is not yours."));
            }
        }
    }
}

/// Whether a report is on an unchanged starter kit.
pub fn is_on_starter_kit(report: &Report) -> bool {
    report.items().any(|item| item.id == "builds" && item.reason.starts_with(STARTER_KIT))
}

/// Whether a folder could be built; nothing for a command line. Why not is at the top of the report.
fn built(submission: &Submission) -> Option<Item> {
    let built = submission.built.as_ref()?;
    let kind = &submission.recipe.kind;
    let item = Item::new("builds", format!("Builds ({kind})"), Points::ONE);
    Some(match &built.failed {
        None => Item { reason: submission.note().unwrap_or_default(), ..item.passed() },
        Some(_) => item.failed(
            "It could not be built: the reason is at the top. Where a compiler names errors, read the first; the others often \
             follow from it.",
        ),
    })
}

fn step_item(result: &StepResult) -> Item {
    let item = Item::new(result.step.id(), result.title, Points::ONE);
    match (&result.diagnosis, result.outcome) {
        // A hint rather than a fault: every reply in time keeps the rule (R17).
        (Some(hint), StepOutcome::Failed) if hint.cause == Cause::SlowReplies => {
            Item { reason: hint.to_string(), ..item.passed() }
        }
        (Some(diagnosis), StepOutcome::Failed) => Item {
            expected: result.expected.map(|expected| match &diagnosis.allowed {
                Some(allowed) => format!("{expected}; allowed was: {allowed}"),
                None => expected.to_string(),
            }),
            got: Some(diagnosis.observed.clone()),
            context: result.exchange.iter().map(ExchangeLine::to_string).collect(),
            stderr: result.stderr.clone(),
            ..item.failed(diagnosis.to_string())
        },
        (_, StepOutcome::Passed) => item.passed(),
        _ => item.not_run(result.note.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::diagnosis::diagnose;
    use crate::check::evidence::Evidence;
    use casino_host::ProgramOutputs;

    fn checked(steps: Vec<StepResult>) -> Checked {
        Checked { subject: String::new(), steps, reply_times: None, took: Duration::ZERO, connected: true }
    }

    #[test]
    fn silence_earns_nothing_by_itself() {
        let steps = [CheckStep::Refused, CheckStep::SuddenDone, CheckStep::Status]
            .map(|step| StepResult::passed(step, String::new()));
        let built = || Some(Item::new("builds", "Builds", Points::ONE).passed());
        let earned = |steps: Vec<StepResult>| {
            let (connects, replies) = step_items(built(), &checked(steps));
            connects.iter().chain(&replies).map(|item| item.points).sum::<Points>()
        };
        assert_eq!(earned(steps.to_vec()), Points::ZERO);
        let speaks = [CheckStep::Login, CheckStep::Bet1].map(|step| StepResult::passed(step, String::new()));
        assert_eq!(earned([steps.to_vec(), speaks.to_vec()].concat()), Points::whole(6));
        assert_eq!(earned([steps.to_vec(), speaks[..1].to_vec()].concat()), Points::whole(2));
    }

    #[test]
    fn slow_replies_in_time_lose_no_points() {
        let slow = Evidence::Slow { p99: Duration::from_millis(700), limit: Duration::from_millis(1_000) };
        let hint = diagnose(&slow, CheckStep::Times, &ProgramOutputs::default());
        let failed = StepResult::failed(CheckStep::Times, hint, Vec::new(), ProgramOutputs::default());
        let item = step_item(&failed);
        assert_eq!((item.outcome, item.points), (Outcome::Passed, Points::ONE));
        assert!(item.reason.contains("more than half of the time"), "{}", item.reason);
    }
}
