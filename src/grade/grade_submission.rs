//! A submission from its folder to its report: built and run in the sandbox, checked against the protocol, and put into
//! the situations of the rubric.

use std::time::Duration;

use super::report::{Item, Points, Report};
use super::rubric::Rubric;
use super::situation::{JudgedPlayer, without_details};
use super::step_item::step_item;
use super::stud::{Conformance, NoPlayer, grade};
use super::submission::Submission;
use crate::check::{self, Cause, CheckSettings, Checked};
use crate::sandbox::{ResourceLimits, Sandbox};
use crate::server::{ConnectionLimits, LaunchError, LaunchedProgram, ProgramStarter};

/// How long a program may take to connect when it is started for the situations: it has connected before.
const PATIENCE: Duration = Duration::from_secs(20);

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
        self.submission.recipe().run.clone()
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
    /// It is taken through the protocol: so many steps of so many.
    Checking(usize, usize),
    /// It is put into situations: so many of so many.
    Situations(usize, usize),
}

/// Judges a submission. `subject` is what the report calls it.
pub fn judge(
    submission: &Submission,
    subject: &str,
    sandbox: &Sandbox,
    terms: &GradingTerms,
    progress: &mut dyn FnMut(Progress),
) -> Report {
    let built = built(submission);
    if submission.compile_error().is_some() {
        let why = "The program was not built, so there was nothing to start.";
        return unstarted(subject, &terms.rubric, built.into_iter().collect(), why);
    }
    let starter = SandboxStarter { sandbox, submission, limits: terms.limits };
    let all = check::CheckStep::ALL.len();
    let checked = check::check(&starter, &terms.check, &mut |step| {
        progress(Progress::Checking(step.number(), all));
    });
    let never_started = checked.exit_code() == 3;
    let mut connects = Vec::from_iter(built);
    let mut replies = Vec::new();
    for taken in &checked.steps {
        if taken.step.is_about_connecting() { &mut connects } else { &mut replies }.push(step_item(taken));
    }
    let mut player = match (never_started, out_of_step(&checked)) {
        (true, _) => {
            Err(NoPlayer("The program did not connect, so it could not be put into a situation.".to_string()))
        }
        (_, Some(why)) => Err(NoPlayer(why)),
        _ => {
            let limits = ConnectionLimits { reply: terms.check.reply, ..Default::default() };
            JudgedPlayer::program(starter, limits, PATIENCE).map_err(|error| {
                let why = without_details(&error);
                NoPlayer(format!("The program could not be put into situations: {why}."))
            })
        }
    };
    let conformance = Conformance::Checked { connects, replies };
    let judged = player.as_mut().map_err(|why| why.clone());
    let report = grade(&terms.rubric, subject, &conformance, judged, |done, all| {
        progress(Progress::Situations(done, all));
    });
    if let Ok(player) = player {
        player.dismiss();
    }
    Report { never_started, ..report }
}

/// Why there is no sense in putting a program into situations that speaks when it is not asked. The first such
/// message throws it out of a game (R18), and which question a reply belongs to would be a matter of chance: it must
/// not get points once and none the next time.
fn out_of_step(checked: &Checked) -> Option<String> {
    let found = checked.steps.iter().filter_map(|taken| taken.diagnosis.as_ref()).find(|found| {
        matches!(
            found.cause,
            Cause::SpeaksFirst | Cause::TwoReplies | Cause::ExtraBytes | Cause::AnswersStatus
        )
    })?;
    Some(format!(
        "{} The first message nobody asked for throws it out of a game, so it was put into no situation. {}",
        found.what, found.fix
    ))
}

/// The report of something that cannot even be started: a folder without a program, or one that does not compile.
pub fn unstarted(subject: &str, rubric: &Rubric, built: Vec<Item>, why: &str) -> Report {
    let steps = |connecting: bool| {
        let steps = check::CheckStep::ALL.iter().filter(move |step| step.is_about_connecting() == connecting);
        steps.map(|step| Item::new(step.id(), step.title(), Points::ONE).not_run(why))
    };
    let connects = built.into_iter().chain(steps(true)).collect();
    let conformance = Conformance::Checked { connects, replies: steps(false).collect() };
    let report = grade(rubric, subject, &conformance, Err(NoPlayer(why.to_string())), |_, _| {});
    Report { never_started: true, ..report }
}

/// Whether a folder could be built; nothing for a command line.
fn built(submission: &Submission) -> Option<Item> {
    let built = submission.built()?;
    let item = Item::new("builds", format!("Builds ({})", submission.recipe().kind), Points::ONE);
    Some(match &built.failed {
        None => item.passed(),
        Some(command) => Item { stderr: built.said.clone(), command: Some(command.clone()), ..item }.failed(
            "The program does not compile. Read the first error the compiler names; the others often follow from it.",
        ),
    })
}
