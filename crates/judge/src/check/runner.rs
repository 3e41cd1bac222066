//! Takes the steps one after the other, restarting the program after a failed one.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use casino_host::{ProgramOutputs, ProgramStarter};

use super::diagnosis::{Cause, Complaint, Diagnosis, diagnose};
use super::evidence::{Evidence, LastMessage, LoginForm};
use super::exchange::ExchangeLine;
use super::program::{ConnectedProgram, LoggedIn};
use super::step::CheckStep;
use super::wire::{DealerTimes, Probing};
use super::{CheckSettings, Checked, ReplyTimes, StepOutcome, StepResult};

const PASSED_ON_RETRY: &str = "at the second try: at the first it gave no answer in time";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DeliveryMode {
    /// Without pauses: a superfluous message is then taken for the next reply.
    Brisk,
    Usual,
    /// Once more, because no answer came, or an earlier step's fault showed.
    Again,
    /// With a pause before and after each status, because it is not clear which message the program fails at.
    Patient,
    /// Each message separately and in one piece, to see whether the program fails because of the pieces.
    Apart,
}

pub(super) struct FailedAttempt {
    evidence: Evidence,
    exchange: Vec<ExchangeLine>,
    outputs: ProgramOutputs,
}

impl FailedAttempt {
    /// Attributes a close after a status to the question before it, for a program that does not close at a separate
    /// status.
    fn apart_from_the_status(mut self) -> FailedAttempt {
        if let Evidence::Closed { question: None, after, .. } = &mut self.evidence {
            *after = LastMessage::Question;
        }
        self
    }
}

/// A diagnosed failure, with the mark by which its repetition is recognized.
struct KnownFault {
    mark: String,
    step: CheckStep,
    diagnosis: Diagnosis,
}

pub(super) struct CheckRunner<'a> {
    starter: &'a dyn ProgramStarter,
    pub(super) settings: &'a CheckSettings,
    pub(super) began: Instant,
    pub(super) running: Option<LoggedIn>,
    /// A copy that waits without a message, the result of its login, and since when.
    pub(super) idle: Option<(ConnectedProgram, Result<(), Evidence>, Instant)>,
    /// The program that failed the current step, if it is not `running`.
    pub(super) failed: Option<ConnectedProgram>,
    outputs: ProgramOutputs,
    pub(super) results: BTreeMap<CheckStep, StepResult>,
    /// False after the program failed at a status: it receives no further ones.
    pub(super) statuses: bool,
    /// Why programs are silent, once one was: until the cause is known, a silent program is tried twice.
    silent_for: Option<Cause>,
    /// Whether it sends totals, once that was tried.
    pub(super) says_totals: Option<bool>,
    pub(super) manner: DeliveryMode,
    known: Vec<KnownFault>,
    connected: bool,
    pub(super) reply_times: Vec<Duration>,
}

impl<'a> CheckRunner<'a> {
    pub(super) fn new(starter: &'a dyn ProgramStarter, settings: &'a CheckSettings) -> CheckRunner<'a> {
        CheckRunner {
            starter,
            settings,
            began: Instant::now(),
            running: None,
            idle: None,
            failed: None,
            outputs: ProgramOutputs::default(),
            results: BTreeMap::new(),
            statuses: true,
            silent_for: None,
            says_totals: None,
            manner: DeliveryMode::Usual,
            known: Vec::new(),
            connected: false,
            reply_times: Vec::new(),
        }
    }

    pub(super) fn run(mut self, progress: &mut dyn FnMut(CheckStep)) -> Checked {
        let failed_briskly = self.run_briskly(progress);
        for step in CheckStep::ALL {
            // It has passed without pauses, or its fault is known from an earlier step.
            if self.results.contains_key(&step) {
                continue;
            }
            progress(step);
            match self.hindrance(step) {
                Some(reason) => {
                    self.results.insert(step, StepResult::not_run(step, reason));
                }
                None => self.judge_step(step),
            }
        }
        self.collect_reply_times();
        if let Some((step, failure)) = failed_briskly
            && self.results.values().all(|result| result.outcome == StepOutcome::Passed)
        {
            self.remember(step, failure);
        }
        drop((self.running.take(), self.idle.take()));
        Checked {
            subject: self.starter.command_line(),
            steps: self.results.into_values().collect(),
            reply_times: ReplyTimes::of(&self.reply_times),
            took: self.began.elapsed(),
            connected: self.connected,
        }
    }

    /// Takes all steps without pauses. Returns the first failure after the login, and starts again.
    fn run_briskly(&mut self, progress: &mut dyn FnMut(CheckStep)) -> Option<(CheckStep, FailedAttempt)> {
        for step in CheckStep::ALL {
            progress(step);
            match self.attempt(step, DeliveryMode::Brisk) {
                Ok(note) => {
                    self.results.insert(step, StepResult::passed(step, note));
                }
                Err(failure) if step == CheckStep::Login => {
                    self.judge_failure(step, *failure);
                    return None;
                }
                // The step judges the reply times measured so far; its failure does not end the other steps.
                Err(failure) if step == CheckStep::Times => self.judge_failure(step, *failure),
                Err(failure) => {
                    let CheckRunner { starter, settings, connected, .. } = *self;
                    *self = CheckRunner { connected, ..CheckRunner::new(starter, settings) };
                    return Some((step, *failure));
                }
            }
        }
        None
    }

    /// Reports a failure without pauses of a program that passes with them; silence may be the machine's fault.
    fn remember(&mut self, step: CheckStep, failure: FailedAttempt) {
        if !matches!(failure.evidence, Evidence::Silence { .. }) {
            self.fail(step, failure, false);
        } else if let Some(result) = self.results.get_mut(&step) {
            let note = std::mem::replace(&mut result.note, PASSED_ON_RETRY.to_string());
            if !note.is_empty() {
                result.note = format!("{note}; {PASSED_ON_RETRY}");
            }
        }
    }

    fn hindrance(&self, step: CheckStep) -> Option<String> {
        if let Some(needed) = step.needs().iter().find(|needed| !self.allows_later_steps(**needed)) {
            return Some(format!("\"{}\" has to pass first", needed.title()));
        }
        if !step.is_about_connecting() && self.gives_no_answer() {
            return Some(format!("\"{}\" has to pass first", CheckStep::Bet1.title()));
        }
        if let Some(found) = self.out_of_step().filter(|_| !step.is_about_connecting()) {
            return Some(format!(
                "after the fault of \"{}\" it is not clear which reply belongs to which question",
                found.title()
            ));
        }
        // A program without a fault that only thinks long takes all steps.
        let failed = self.results.values().any(|result| result.outcome == StepOutcome::Failed);
        (failed && self.began.elapsed() > self.settings.total)
            .then(|| format!("the {} s of the check are over", self.settings.total.as_secs()))
    }

    pub(super) fn has_passed(&self, step: CheckStep) -> bool {
        self.results.get(&step).is_some_and(|result| result.outcome == StepOutcome::Passed)
    }

    /// Whether dependent steps can be taken: this one has passed, or failed with a whole message that is not a valid
    /// login.
    fn allows_later_steps(&self, step: CheckStep) -> bool {
        let named = [Cause::LoginNoColon, Cause::LoginColons, Cause::LoginEmpty, Cause::LoginTooLong];
        self.has_passed(step)
            || self.cause_of(step).is_some_and(|cause| step == CheckStep::Login && named.contains(&cause))
    }

    /// Whether it already gave no answer to the first question.
    fn gives_no_answer(&self) -> bool {
        use Cause::{Caught, HalfMessage, Missed, NoFlush, OneBehind, Stdout};
        self.cause_of(CheckStep::Bet1).is_some_and(|cause| {
            cause.is_a_matter_of_time()
                || [Caught, HalfMessage, Missed, NoFlush, OneBehind, Stdout].contains(&cause)
        })
    }

    /// The step that has shown that the program sends unexpected messages.
    fn out_of_step(&self) -> Option<CheckStep> {
        let more = [Cause::TwoReplies, Cause::ExtraBytes, Cause::SpeaksFirst];
        CheckStep::ALL
            .into_iter()
            .find(|step| self.cause_of(*step).is_some_and(|cause| more.contains(&cause)))
    }

    pub(super) fn cause_of(&self, step: CheckStep) -> Option<Cause> {
        self.results.get(&step)?.diagnosis.as_ref().map(|diagnosis| diagnosis.cause)
    }

    /// Takes a step and keeps its result, with a second try where the reason of a failure is in doubt.
    fn judge_step(&mut self, step: CheckStep) {
        match self.attempt(step, DeliveryMode::Usual) {
            Ok(note) => {
                self.results.insert(step, StepResult::passed(step, note));
            }
            Err(failure) => self.judge_failure(step, *failure),
        }
    }

    fn judge_failure(&mut self, step: CheckStep, first: FailedAttempt) {
        match self.doubt(&first, step) {
            None => self.fail(step, first, false),
            Some(DeliveryMode::Apart) => match self.attempt(step, DeliveryMode::Apart) {
                Ok(_) => self.compare_deliveries(step, first),
                Err(failure) => self.fail(step, *failure, false),
            },
            Some(DeliveryMode::Patient) => match self.attempt(step, DeliveryMode::Patient) {
                // Messages that arrived together were lost: a separate step tests that.
                Ok(_) if matches!(first.evidence, Evidence::Silence { .. }) => {
                    let note =
                        "at the second try: at the first it lost a message that came together with another";
                    self.results.insert(step, StepResult::passed(step, note.to_string()));
                }
                Ok(_) => self.fail(step, first.apart_from_the_status(), false),
                Err(failure) => self.fail(step, *failure, false),
            },
            Some(manner) => match self.attempt(step, manner) {
                Ok(_) => {
                    let note = match first.evidence {
                        Evidence::Silence { .. } => PASSED_ON_RETRY,
                        _ => "at the second try",
                    };
                    self.results.insert(step, StepResult::passed(step, note.to_string()));
                }
                Err(second) => {
                    let failure = self.with_first_probe(first, *second);
                    self.fail(step, failure, false);
                }
            },
        }
    }

    /// The delivery is to blame only if a fresh copy fails too: the first one had been through earlier steps.
    fn compare_deliveries(&mut self, step: CheckStep, first: FailedAttempt) {
        match self.attempt(step, DeliveryMode::Again) {
            Err(_) => self.fail(step, first, true),
            Ok(_) if matches!(first.evidence, Evidence::Silence { .. }) => {
                self.results.insert(step, StepResult::passed(step, PASSED_ON_RETRY.to_string()));
            }
            Ok(_) => self.fail(step, first, false),
        }
    }

    /// How to repeat a step before its failure is explained; `None` if the failure is clear.
    fn doubt(&self, failure: &FailedAttempt, step: CheckStep) -> Option<DeliveryMode> {
        let delivered = matches!(step, CheckStep::Split | CheckStep::Joined);
        match &failure.evidence {
            Evidence::NoStart(_) | Evidence::NoConnection { .. } | Evidence::SecondConnection { .. } => None,
            Evidence::Silence { probe, .. } if delivered && probe.late.is_none() => Some(DeliveryMode::Apart),
            Evidence::Closed { .. }
            | Evidence::Reply { .. }
            | Evidence::Amount { .. }
            | Evidence::Frame { .. }
                if delivered =>
            {
                Some(DeliveryMode::Apart)
            }
            Evidence::Silence { probe, .. }
                if probe.answered_repeat && self.statuses && step < CheckStep::Rounds =>
            {
                Some(DeliveryMode::Patient)
            }
            Evidence::Closed { after: LastMessage::Status, .. }
            | Evidence::Stray { after: LastMessage::Status, .. }
                if self.statuses && self.manner == DeliveryMode::Usual && step < CheckStep::Rounds =>
            {
                Some(DeliveryMode::Patient)
            }
            Evidence::Silence { .. } => {
                let cause = diagnose(&failure.evidence, step, &failure.outputs).cause;
                (cause.is_a_matter_of_time() && self.silent_for != Some(cause)).then_some(DeliveryMode::Again)
            }
            evidence => owner(evidence).is_some_and(|owner| owner < step).then_some(DeliveryMode::Again),
        }
    }

    /// The second failure, with the probe of the first: programs are probed only once.
    fn with_first_probe(&mut self, first: FailedAttempt, mut second: FailedAttempt) -> FailedAttempt {
        let Evidence::Silence { probe: found, question, .. } = first.evidence else { return second };
        let Evidence::Silence { probe, .. } = &mut second.evidence else { return second };
        let is_login = question.is_none();
        *probe = found;
        if is_login && self.results.is_empty() {
            probe.answers_form = LoginForm::ALL.into_iter().find(|form| self.answers_form(*form));
        }
        (second.exchange, second.outputs) = (first.exchange, first.outputs);
        second
    }

    fn answers_form(&mut self, form: LoginForm) -> bool {
        let Ok(mut program) = self.connect() else { return false };
        program.wire.expect_no_greeting().is_ok() && program.wire.answers_form(form)
    }

    /// Takes a step in this manner. After a failure the copy is a fresh one.
    fn attempt(&mut self, step: CheckStep, manner: DeliveryMode) -> Result<String, Box<FailedAttempt>> {
        self.manner = manner;
        self.take_step(step).map_err(|evidence| Box::new(self.put_away(evidence)))
    }

    fn fail(&mut self, step: CheckStep, failure: FailedAttempt, by_delivery: bool) {
        let FailedAttempt { mut evidence, exchange, outputs } = failure;
        let owner = owner(&evidence).filter(|owner| *owner < step).unwrap_or(step);
        let mut diagnosis = diagnose(&evidence, owner, &outputs);
        if by_delivery {
            diagnosis = diagnosis.of_delivery(step);
        } else {
            diagnosis = self.recognised(&mut evidence, owner, &outputs, diagnosis);
        }
        if let (Cause::NoStart, Some(command)) = (diagnosis.cause, &self.settings.compile) {
            diagnosis.what = "Your program is not compiled.".to_string();
            diagnosis.fix = format!("Run {command} in the same folder, and check it again.");
        }
        if matches!(evidence, Evidence::Silence { .. }) {
            self.silent_for = Some(diagnosis.cause);
        }
        if owner == CheckStep::Status
            && !matches!(evidence, Evidence::Closed { question: Some(_), .. } | Evidence::Amount { .. })
        {
            self.statuses = false;
        }
        self.results.insert(owner, StepResult::failed(owner, diagnosis, exchange, outputs));
        if owner != step {
            let note = "an earlier step's fault showed again here".to_string();
            self.results.insert(step, StepResult::not_run(step, note));
        }
    }

    /// The diagnosis: that of an earlier step if the same happens again, or one confirmed with other copies.
    fn recognised(
        &mut self,
        evidence: &mut Evidence,
        step: CheckStep,
        outputs: &ProgramOutputs,
        diagnosis: Diagnosis,
    ) -> Diagnosis {
        let marked = mark(evidence, outputs, diagnosis.cause);
        if let Some((mark, how)) = &marked
            && let Some(known) = self.known.iter().find(|known| known.mark == *mark)
        {
            return diagnosis.same_as(&known.diagnosis, known.step, how);
        }
        self.try_out(evidence, diagnosis.cause);
        let diagnosis = diagnose(evidence, step, outputs);
        if let Some((mark, _)) = marked {
            self.known.push(KnownFault { mark, step, diagnosis: diagnosis.clone() });
        }
        diagnosis
    }

    /// Ends the program of a failed step. Returns the evidence with its end.
    fn put_away(&mut self, evidence: Evidence) -> FailedAttempt {
        self.collect_reply_times();
        let program = self.failed.take().or_else(|| self.running.take().map(|running| running.program));
        let Some(mut program) = program else {
            return FailedAttempt {
                evidence,
                exchange: Vec::new(),
                outputs: std::mem::take(&mut self.outputs),
            };
        };
        let exchange = program.wire.log.take();
        if self.is_provisional() && matches!(evidence, Evidence::Silence { .. }) {
            return FailedAttempt { evidence, exchange, outputs: ProgramOutputs::default() };
        }
        let (evidence, outputs) = program.complete(evidence, self.settings);
        FailedAttempt { evidence, exchange, outputs }
    }

    pub(super) fn collect_reply_times(&mut self) {
        if let Some(running) = &mut self.running {
            self.reply_times.append(&mut running.program.wire.replies.times);
        }
    }

    pub(super) fn connect(&mut self) -> Result<ConnectedProgram, Evidence> {
        self.outputs = ProgramOutputs::default();
        let CheckSettings { reply, quiet, .. } = *self.settings;
        let mut started = ConnectedProgram::connect(
            self.starter,
            self.settings.start,
            DealerTimes { reply, quiet, apart: self.apart() },
            &mut self.outputs,
        )?;
        self.connected = true;
        started.wire.probing = self.probing();
        started.wire.is_patient = self.manner == DeliveryMode::Patient;
        Ok(started)
    }

    /// Whether the failure of the current step is ignored, because the step will be repeated.
    fn is_provisional(&self) -> bool {
        self.manner == DeliveryMode::Brisk && self.has_passed(CheckStep::Login)
    }

    /// How long the check waits for a message that the program should not send.
    pub(super) fn quiet(&self) -> Duration {
        if self.manner == DeliveryMode::Brisk { Duration::ZERO } else { self.settings.quiet }
    }

    pub(super) fn apart(&self) -> Duration {
        match self.manner {
            DeliveryMode::Brisk => Duration::ZERO,
            // On a busy machine a short pause does not keep two messages apart.
            DeliveryMode::Apart => self.settings.quiet,
            DeliveryMode::Usual | DeliveryMode::Again | DeliveryMode::Patient => self.settings.apart,
        }
    }

    pub(super) fn probing(&self) -> Probing {
        match self.silent_for {
            _ if self.manner == DeliveryMode::Again || self.is_provisional() => Probing::Nothing,
            Some(Cause::OneBehind) => Probing::Repeat,
            _ => Probing::All,
        }
    }

    /// The program under test, started and logged in if none is running.
    pub(super) fn program(&mut self) -> Result<&mut LoggedIn, Evidence> {
        let running = match self.running.take() {
            Some(running) => running,
            None => {
                let mut program = self.connect()?;
                match program.log_in(self.settings.login) {
                    Ok(login) => LoggedIn { program, login: Some(login) },
                    Err(Evidence::Login { .. }) if self.results.contains_key(&CheckStep::Login) => {
                        LoggedIn { program, login: None }
                    }
                    Err(evidence) => {
                        self.failed = Some(program);
                        return Err(evidence);
                    }
                }
            }
        };
        Ok(self.running.insert(running))
    }
}

/// The sign by which a fault is recognized when it shows again, and its words; `None` if replies show it.
fn mark(evidence: &Evidence, outputs: &ProgramOutputs, cause: Cause) -> Option<(String, &'static str)> {
    match evidence {
        Evidence::Closed { .. } => Some(match Complaint::last(outputs) {
            Some(said) if said.place.is_some() => {
                (format!("{} {:?}", said.class, said.place), "the same exception")
            }
            Some(said) => (said.line, "the same exception"),
            None if matches!(cause, Cause::HangsUp | Cause::LeavesAtStatus) => {
                ("it has left".to_string(), "the same end")
            }
            // The cause of an exit without an error message is the question.
            None => return None,
        }),
        Evidence::Silence { probe, .. } if probe.late.is_none() && cause.is_a_matter_of_time() => {
            Some(("silence".to_string(), "the same silence"))
        }
        _ => None,
    }
}

/// The step that a fault belongs to wherever it shows.
fn owner(evidence: &Evidence) -> Option<CheckStep> {
    match evidence {
        Evidence::SecondConnection { after_done: false }
        | Evidence::Stray { after: LastMessage::Login, .. } => Some(CheckStep::Login),
        Evidence::Stray { after: LastMessage::Status, .. } => Some(CheckStep::Status),
        Evidence::SecondConnection { after_done: true }
        | Evidence::Stray { after: LastMessage::Done, .. } => Some(CheckStep::SuddenDone),
        _ => None,
    }
}
