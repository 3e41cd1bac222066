//! Takes the steps one after the other, with a program that is started anew where one fails.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use crate::protocol::Login;
use crate::server::{ProgramOutputs, ProgramStarter};
use crate::tournament::harmless;

use super::diagnosis::{Cause, diagnose};
use super::evidence::{Evidence, LastMessage};
use super::house_rounds;
use super::program::{ConnectedProgram, LoggedIn};
use super::rounds::{self, ProgramSubject};
use super::step::CheckStep;
use super::wire::{Delivery, ExchangeLine, Pace};
use super::{CheckSettings, Checked, ReplyTimes, StepOutcome, StepResult};

/// Why a step is tried a second time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Retry {
    /// The program gave no answer, which may be for want of time.
    WasSilent,
    /// The fault of an earlier step showed again.
    EarlierFault,
}

pub(super) struct CheckRunner<'a> {
    starter: &'a dyn ProgramStarter,
    settings: &'a CheckSettings,
    began: Instant,
    /// The program under test while it keeps to the protocol.
    running: Option<LoggedIn>,
    /// The program that the step at hand has failed with, if it is not `running`.
    failed: Option<ConnectedProgram>,
    /// The outputs of a program that is gone.
    outputs: ProgramOutputs,
    /// The conversation with a program that is gone.
    exchange: Vec<ExchangeLine>,
    results: BTreeMap<CheckStep, StepResult>,
    /// A program that fails at a status gets none any more.
    statuses: bool,
    /// Why programs are silent, once one was: until the cause is known, a silent program is tried twice.
    silent_for: Option<Cause>,
    reply_times: Vec<Duration>,
}

impl<'a> CheckRunner<'a> {
    pub(super) fn new(starter: &'a dyn ProgramStarter, settings: &'a CheckSettings) -> CheckRunner<'a> {
        CheckRunner {
            starter,
            settings,
            began: Instant::now(),
            running: None,
            failed: None,
            outputs: ProgramOutputs::default(),
            exchange: Vec::new(),
            results: BTreeMap::new(),
            statuses: true,
            silent_for: None,
            reply_times: Vec::new(),
        }
    }

    pub(super) fn run(mut self, progress: &mut dyn FnMut(CheckStep)) -> Checked {
        for step in CheckStep::ALL {
            progress(step);
            if self.results.contains_key(&step) {
                continue;
            }
            if let Some(reason) = self.hindrance(step) {
                self.results.insert(step, StepResult::not_run(step, reason));
            } else if let Some(retry) = self.try_step(step, None) {
                self.try_step(step, Some(retry));
            }
        }
        self.collect_reply_times();
        drop(self.running.take());
        Checked {
            subject: self.starter.command_line(),
            steps: self.results.into_values().collect(),
            reply_times: ReplyTimes::of(&self.reply_times),
            took: self.began.elapsed(),
        }
    }

    /// Why a step cannot be taken.
    fn hindrance(&self, step: CheckStep) -> Option<String> {
        if let Some(needed) = step.needs().iter().find(|needed| !self.has_passed(**needed)) {
            return Some(format!("step {} has to pass first", needed.number()));
        }
        (self.began.elapsed() > self.settings.total)
            .then(|| format!("the {} s of the check are over", self.settings.total.as_secs()))
    }

    fn has_passed(&self, step: CheckStep) -> bool {
        self.results.get(&step).is_some_and(|result| result.outcome == StepOutcome::Passed)
    }

    /// Takes a step and keeps its result, or says why it is to be tried a second time: a silent program, because only
    /// time decides about it, and a step in which the fault of an earlier one shows. `second` is the reason of a
    /// second try, after which there is a result in any case.
    fn try_step(&mut self, step: CheckStep, second: Option<Retry>) -> Option<Retry> {
        let evidence = match self.take_step(step) {
            Ok(note) => {
                let note = match second {
                    Some(Retry::WasSilent) => {
                        "at the second try: at the first it gave no answer in time".to_string()
                    }
                    Some(Retry::EarlierFault) | None => note,
                };
                self.results.insert(step, StepResult::passed(step, note));
                return None;
            }
            Err(evidence) => self.put_away(evidence),
        };
        let owner = owner(&evidence).filter(|owner| *owner < step).unwrap_or(step);
        let diagnosis = diagnose(&evidence, owner, &self.outputs);
        if matches!(evidence, Evidence::Silence { .. }) {
            let is_known = self.silent_for == Some(diagnosis.cause);
            self.silent_for = Some(diagnosis.cause);
            if diagnosis.cause.is_a_matter_of_time() && !is_known && second.is_none() {
                return Some(Retry::WasSilent);
            }
        }
        let exchange = std::mem::take(&mut self.exchange);
        let outputs = std::mem::take(&mut self.outputs);
        if owner == CheckStep::Status {
            self.statuses = false;
        }
        self.results.insert(owner, StepResult::failed(owner, diagnosis, exchange, outputs));
        if owner == step {
            return None;
        }
        if second.is_some() {
            let note = "an earlier step's fault showed again here".to_string();
            self.results.insert(step, StepResult::not_run(step, note));
            return None;
        }
        Some(Retry::EarlierFault)
    }

    /// Puts the program away that a step has failed with. Returns the evidence with how the program ended, which is
    /// known only now.
    fn put_away(&mut self, evidence: Evidence) -> Evidence {
        self.collect_reply_times();
        let program = self.failed.take().or_else(|| self.running.take().map(|running| running.program));
        let Some(mut program) = program else { return evidence };
        self.exchange = program.wire.take_log();
        let evidence = program.complete(evidence, self.settings);
        self.outputs = program.program.process().outputs();
        evidence
    }

    fn collect_reply_times(&mut self) {
        if let Some(running) = &mut self.running {
            self.reply_times.append(&mut running.program.wire.reply_times);
        }
    }

    fn connect(&mut self) -> Result<ConnectedProgram, Evidence> {
        self.outputs = ProgramOutputs::default();
        let pace =
            Pace { reply: self.settings.reply, quiet: self.settings.quiet, apart: self.settings.apart };
        let mut started =
            ConnectedProgram::connect(self.starter, self.settings.start, pace, &mut self.outputs)?;
        started.wire.silence_is_explained = self.silent_for == Some(Cause::OneBehind);
        Ok(started)
    }

    /// The program under test, started and logged in if none is running.
    fn program(&mut self) -> Result<&mut LoggedIn, Evidence> {
        let running = match self.running.take() {
            Some(running) => running,
            None => {
                let mut program = self.connect()?;
                match program.log_in(self.settings.login) {
                    Ok(login) => LoggedIn { program, login },
                    Err(evidence) => {
                        self.failed = Some(program);
                        return Err(evidence);
                    }
                }
            }
        };
        Ok(self.running.insert(running))
    }

    /// Takes a step once. Returns a remark, which may be empty.
    fn take_step(&mut self, step: CheckStep) -> Result<String, Evidence> {
        match step {
            CheckStep::Times => return self.judge_reply_times(),
            CheckStep::Refused => return self.refuse_copy(),
            CheckStep::Rounds => return self.house_rounds(),
            CheckStep::SuddenDone => return self.sudden_done(),
            _ => {}
        }
        let quiet = self.settings.quiet;
        let (login_limit, leave) = (self.settings.login, self.settings.leave);
        let LoggedIn { program, login } = self.program()?;
        let wire = &mut program.wire;
        wire.take_log();
        wire.delivery = Delivery::Apart;
        match step {
            CheckStep::Login => {
                wire.expect_silence(quiet)?;
                program.expect_no_second_connection()?;
                return Ok(remark_on_avatar(login));
            }
            CheckStep::LoginAgain => {
                let again = wire.login(login_limit)?;
                if again != *login {
                    let text = |login: &Login| format!("{}:{}", login.github_id, login.avatar);
                    return Err(Evidence::LoginChanged { first: text(login), second: text(&again) });
                }
                wire.expect_silence(quiet)?;
            }
            CheckStep::Exits => {
                if !wire.is_done() {
                    wire.done("The last round has been played. Thank you for playing.", leave)?;
                }
                program.expect_exit(leave)?;
            }
            _ => return self.play_rounds(step),
        }
        Ok(String::new())
    }

    /// Plays the rounds of a step with the program that is running.
    fn play_rounds(&mut self, step: CheckStep) -> Result<String, Evidence> {
        let (statuses, quiet) = (self.statuses, self.settings.quiet);
        let plays_bet2 = self.has_passed(CheckStep::Bet2);
        let wire = &mut self.program()?.program.wire;
        wire.delivery = match step {
            CheckStep::Split => Delivery::Split,
            CheckStep::Joined => Delivery::Joined,
            _ => Delivery::Apart,
        };
        let mut subject = ProgramSubject { wire, statuses };
        let mut last = None;
        for round in rounds::of_step(step, plays_bet2) {
            last = Some(round.play(&mut subject)?.0);
        }
        match step {
            CheckStep::Bet1 => subject.wire.expect_silence(quiet)?,
            CheckStep::Joined => subject.wire.deliver(),
            CheckStep::Status => {
                subject.wire.deliver();
                subject.wire.expect_silence(quiet)?;
                rounds::plain().play(&mut subject)?;
                subject.wire.deliver();
                subject.wire.expect_silence(quiet)?;
            }
            CheckStep::Folding => {
                rounds::plain().play(&mut subject)?;
                if let Some(raised) = last.filter(|raised| !raised.folded) {
                    return Ok(format!(
                        "it did not fold, with nothing in its hand and raised {} times",
                        raised.answers
                    ));
                }
            }
            _ => {}
        }
        Ok(String::new())
    }

    /// Says `done` after a question that was answered and before the round is over.
    fn sudden_done(&mut self) -> Result<String, Evidence> {
        let (leave, plays_bet1) = (self.settings.leave, self.has_passed(CheckStep::Bet1));
        let program = &mut self.program()?.program;
        program.wire.take_log();
        program.wire.delivery = Delivery::Apart;
        if plays_bet1 {
            let mut subject = ProgramSubject { wire: &mut program.wire, statuses: false };
            for round in rounds::of_step(CheckStep::SuddenDone, true) {
                round.play(&mut subject)?;
            }
        }
        program.wire.done("The tournament was stopped: the power went off.", leave)?;
        program.expect_no_second_connection()?;
        Ok(String::new())
    }

    /// Starts a second copy beside the first, which is not let in because its GitHubId is in already.
    fn refuse_copy(&mut self) -> Result<String, Evidence> {
        self.program()?;
        let CheckSettings { login, leave, .. } = *self.settings;
        let mut copy = self.connect()?;
        let refused = copy.log_in(login).and_then(|_| {
            copy.wire.done("You are not in the game: somebody with this GitHubId is in already.", leave)?;
            copy.expect_exit(leave)
        });
        match refused {
            Ok(()) => Ok(String::new()),
            Err(evidence) => {
                self.failed = Some(copy);
                Err(evidence)
            }
        }
    }

    fn house_rounds(&mut self) -> Result<String, Evidence> {
        let (settings, until) = (self.settings, self.began + self.settings.total);
        let wire = &mut self.program()?.program.wire;
        wire.take_log();
        house_rounds::play(wire, settings, until)
    }

    /// Judges the times of all replies so far.
    fn judge_reply_times(&mut self) -> Result<String, Evidence> {
        self.collect_reply_times();
        let Some(times) = ReplyTimes::of(&self.reply_times) else {
            return Ok("it was never asked".to_string());
        };
        let limit = self.settings.reply;
        let p99 = Duration::from_secs_f64(times.p99_ms / 1e3);
        if p99 > limit / 2 {
            return Err(Evidence::Slow { p99, limit });
        }
        Ok(times.to_string())
    }
}

/// A remark on an avatar that the room does not see as it is; empty if there is nothing to say.
fn remark_on_avatar(login: &Login) -> String {
    match harmless(&login.avatar) {
        Some(_) if login.avatar.eq_ignore_ascii_case(&login.github_id) => {
            "its avatar is its GitHubId, so the room will see a number instead".to_string()
        }
        Some(shown) if shown == login.avatar => String::new(),
        Some(shown) => format!("the room will see its avatar as \"{shown}\""),
        None => "nothing of its avatar can be shown, so the room will see a number instead".to_string(),
    }
}

/// The step that a fault belongs to wherever it shows.
fn owner(evidence: &Evidence) -> Option<CheckStep> {
    match evidence {
        Evidence::SecondConnection | Evidence::Stray { after: LastMessage::Login, .. } => {
            Some(CheckStep::Login)
        }
        Evidence::Stray { after: LastMessage::Status, .. } => Some(CheckStep::Status),
        Evidence::Stray { after: LastMessage::Done, .. } => Some(CheckStep::SuddenDone),
        _ => None,
    }
}
