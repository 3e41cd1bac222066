//! Takes one step with the program that is running, and confirms causes with other copies of it.

use std::time::{Duration, Instant};

use casino_stud::protocol::Login;
use casino_stud::tournament::harmless;

use super::diagnosis::{Cause, Complaint, is_total, printed};
use super::evidence::{Evidence, LastMessage};
use super::house_rounds;
use super::program::{ConnectedProgram, LoggedIn};
use super::rounds::{self, ProgramSubject};
use super::runner::{CheckRunner, DeliveryMode};
use super::step::CheckStep;
use super::wire::{Delivery, Probing};
use super::{CheckSettings, ReplyTimes};

/// The shortest time after which a silent copy that has ended is said to have a timeout.
const MIN_READ_TIMEOUT: Duration = Duration::from_millis(700);

/// So many exceptions and folds show that a program folds after each exception; fewer may be chance.
const MIN_OCCURRENCES: usize = 2;

/// Reply times are judged only after so many replies, because the first replies of a program are slow.
const MIN_TIMED_REPLIES: usize = 100;

impl CheckRunner<'_> {
    pub(super) fn take_step(&mut self, step: CheckStep) -> Result<String, Evidence> {
        match step {
            CheckStep::Times => return self.judge_reply_times(),
            CheckStep::Refused => return self.refuse_copy(),
            CheckStep::Rounds => return self.house_rounds(),
            CheckStep::SuddenDone => return self.sudden_done(),
            _ => {}
        }
        let quiet = self.quiet();
        let apart = self.apart();
        let (is_patient, probing) = (self.manner == DeliveryMode::Patient, self.probing());
        let (login_limit, leave) = (self.settings.login, self.settings.leave);
        let LoggedIn { program, login } = self.program()?;
        let wire = &mut program.wire;
        wire.log.take();
        wire.delivery = Delivery::Apart;
        (wire.is_patient, wire.probing, wire.pace.apart) = (is_patient, probing, apart);
        match step {
            CheckStep::Login => {
                wire.expect_silence(quiet)?;
                program.expect_no_second_connection()?;
                let remark = login.as_ref().map(remark_on_names).unwrap_or_default();
                let is_named = login.is_some();
                self.start_idle_copy(is_named)?;
                return Ok(remark);
            }
            CheckStep::LoginAgain => {
                let again = match wire.login(login_limit) {
                    Err(Evidence::Login { .. }) if login.is_none() => None,
                    answered => Some(answered?),
                };
                if again != *login {
                    let text = |login: &Option<Login>| match login {
                        Some(login) => format!("{}:{}", login.github_id, login.avatar),
                        None => String::new(),
                    };
                    return Err(Evidence::LoginChanged { first: text(login), second: text(&again) });
                }
                wire.expect_silence(quiet)?;
            }
            CheckStep::Exits => {
                if !wire.is_done() {
                    wire.done("The last round has been played. Thank you for playing.", leave)?;
                }
                program.expect_exit(leave)?;
                return Ok(program.remark_on_end());
            }
            _ => return self.play_rounds(step),
        }
        Ok(String::new())
    }

    fn play_rounds(&mut self, step: CheckStep) -> Result<String, Evidence> {
        let (statuses, quiet, apart, manner) = (self.statuses, self.quiet(), self.apart(), self.manner);
        let (settings, plays_bet2) = (self.settings, self.has_passed(CheckStep::Bet2));
        let wire = &mut self.program()?.program.wire;
        wire.delivery = match step {
            _ if manner == DeliveryMode::Apart => Delivery::Apart,
            CheckStep::Split => {
                wire.pace.apart = apart.max(settings.apart);
                Delivery::Split
            }
            CheckStep::Joined => Delivery::Joined,
            _ => Delivery::Apart,
        };
        let mut subject = ProgramSubject::new(wire, statuses);
        let mut last = None;
        for round in rounds::of_step(step, plays_bet2) {
            last = Some(round.play(&mut subject)?.0);
        }
        match step {
            CheckStep::Bet1 => subject.wire.expect_silence(quiet)?,
            CheckStep::Joined => subject.wire.deliver(),
            CheckStep::Status => {
                subject.wire.deliver();
                // A program that answers the status instead of the question after it shows itself only here.
                subject.wire.expect_silence(quiet.max(settings.quiet / 2))?;
                rounds::plain().play(&mut subject)?;
                subject.wire.deliver();
                subject.wire.expect_silence(quiet)?;
                subject.wire.expect_nothing_pending()?;
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

    /// Sends `done` after a question was answered and before the round is over.
    fn sudden_done(&mut self) -> Result<String, Evidence> {
        let (leave, plays_bet1) = (self.settings.leave, self.has_passed(CheckStep::Bet1));
        let program = &mut self.program()?.program;
        program.wire.log.take();
        program.wire.delivery = Delivery::Apart;
        if plays_bet1 {
            let mut subject = ProgramSubject::new(&mut program.wire, false);
            for round in rounds::of_step(CheckStep::SuddenDone, true) {
                round.play(&mut subject)?;
            }
        }
        program.wire.done("The tournament was stopped: the power went off.", leave)?;
        program.expect_no_second_connection()?;
        Ok(String::new())
    }

    /// Starts a second copy, which logs in and then gets no message until it is refused: see [`Self::refuse_copy`].
    fn start_idle_copy(&mut self, is_named: bool) -> Result<(), Evidence> {
        let mut copy = self.connect()?;
        let logged_in = match copy.log_in(self.settings.login) {
            Err(Evidence::Login { .. }) if !is_named => Ok(()),
            answered => answered.map(|_| ()),
        };
        self.idle = Some((copy, logged_in, Instant::now()));
        Ok(())
    }

    /// The copy that has waited since the first login is refused because its GitHubId is connected already; before that it has to
    /// be there still.
    fn refuse_copy(&mut self) -> Result<String, Evidence> {
        let is_named = self.program()?.login.is_some();
        let CheckSettings { idle, timeout_sign, quiet, leave, .. } = *self.settings;
        let idle = timeout_sign.map_or(idle, |(_, wait)| idle.max(wait));
        if self.idle.is_none() {
            self.start_idle_copy(is_named)?;
        }
        let (mut copy, logged_in, since) = self.idle.take().expect("a copy was started");
        // One that ends in other steps too, or at once, has no timeout.
        let hangs_up = |waited| {
            waited < MIN_READ_TIMEOUT
                || self.results.keys().any(|step| self.cause_of(*step) == Some(Cause::HangsUp))
        };
        let logged_in = logged_in.and_then(|()| {
            copy.wire.expect_silence(idle.saturating_sub(since.elapsed()).max(quiet / 10))?;
            match copy.wire.socket.closed {
                true => Err(Evidence::Closed {
                    partial: Vec::new(),
                    left: None,
                    question: None,
                    after: match since.elapsed() {
                        waited if hangs_up(waited) => LastMessage::Login,
                        waited => LastMessage::Waiting(waited),
                    },
                }),
                false => Ok(()),
            }
        });
        let refused = logged_in.and_then(|()| {
            copy.wire
                .done("You are not in the game: a player with this GitHubId has already connected.", leave)?;
            copy.expect_exit(leave)
        });
        match refused {
            Ok(()) => Ok(timeout_sign.map_or_else(String::new, |(sign, _)| {
                format!(
                    "its files contain {sign}, but a copy waited {} s for a message",
                    since.elapsed().as_secs()
                )
            })),
            Err(evidence) => {
                self.failed = Some(copy);
                Err(evidence)
            }
        }
    }

    fn house_rounds(&mut self) -> Result<String, Evidence> {
        let (settings, until) = (self.settings, self.began + self.settings.total);
        let program = &mut self.program()?.program;
        program.wire.log.take();
        let note = house_rounds::play(&mut program.wire, settings, until)?;
        let outputs = program.program.process().outputs();
        let (asked, folds) = (program.wire.replies.answers, program.wire.replies.folds);
        let (traces, mentions) = (Complaint::traces(&outputs), Complaint::mentions(&outputs));
        let always = asked > 0 && folds == asked;
        // If exceptions outnumber the folds, the program plays on after them. One exception may be printed as the cause
        // of another.
        let reported = traces.max(mentions);
        let folds_then = traces >= MIN_OCCURRENCES && reported <= 2 * folds;
        if folds >= MIN_OCCURRENCES && (folds_then || (always && mentions >= MIN_OCCURRENCES)) {
            return Err(Evidence::Complains { traces: reported, folds, asked });
        }
        Ok(match printed(&outputs).filter(|_| traces > 0) {
            Some(last) => format!("{note}; its output shows an exception all the same: {last}"),
            None => note,
        })
    }

    fn judge_reply_times(&mut self) -> Result<String, Evidence> {
        self.collect_reply_times();
        let Some(times) = ReplyTimes::of(&self.reply_times) else {
            return Ok("it was never asked".to_string());
        };
        let limit = self.settings.reply;
        if times.replies < MIN_TIMED_REPLIES {
            return Ok(times.to_string());
        }
        let p99 = Duration::from_secs_f64(times.p99_ms / 1e3);
        if p99 > limit / 2 {
            return Err(Evidence::Slow { p99, limit });
        }
        Ok(times.to_string())
    }

    /// Tests the suspected cause on other copies of the program and adds the result to the evidence.
    pub(super) fn try_out(&mut self, evidence: &mut Evidence, cause: Cause) {
        if self.began.elapsed() > self.settings.total {
            return;
        }
        match evidence {
            Evidence::Amount { question, says_totals, .. }
                if question.put_in + question.put_in_before > 0 =>
            {
                if self.says_totals.is_none() {
                    self.says_totals = self.sends_totals();
                }
                *says_totals = self.says_totals;
            }
            Evidence::Silence { probe, .. } if cause == Cause::LoginOnce => {
                probe.silent_after_login = self.is_silent_after_login();
            }
            _ => {}
        }
    }

    fn another_copy(&mut self) -> Option<ConnectedProgram> {
        let mut copy = self.connect().ok()?;
        copy.wire.probing = Probing::Nothing;
        match copy.log_in(self.settings.login) {
            Ok(_) | Err(Evidence::Login { .. }) => Some(copy),
            Err(_) => None,
        }
    }

    fn is_silent_after_login(&mut self) -> bool {
        let Some(mut copy) = self.another_copy() else { return false };
        let mut subject = ProgramSubject::new(&mut copy.wire, false);
        matches!(rounds::plain().play(&mut subject), Err(Evidence::Silence { .. }))
    }

    /// Whether another copy, raised by other amounts, sends an exact total; `None` if it did not play.
    fn sends_totals(&mut self) -> Option<bool> {
        let mut copy = self.another_copy()?;
        let mut subject = ProgramSubject::new(&mut copy.wire, false);
        Some(match rounds::raised_otherwise().play(&mut subject) {
            Err(Evidence::Amount { chips, question, .. }) => is_total(chips, &question),
            _ => false,
        })
    }
}

/// A remark on names that are shown differently, or are probably not meant; empty without one.
fn remark_on_names(login: &Login) -> String {
    if [&login.github_id, &login.avatar].iter().any(|name| name.contains(['<', '>'])) {
        return "its names have the brackets << and >> of the document in them".to_string();
    }
    match harmless(&login.avatar) {
        Some(_) if login.avatar.eq_ignore_ascii_case(&login.github_id) => {
            "its avatar is its GitHubId, so the room will see a number instead".to_string()
        }
        Some(shown) if shown == login.avatar => String::new(),
        Some(shown) => format!("the room will see its avatar as \"{shown}\""),
        None => "nothing of its avatar can be shown, so the room will see a number instead".to_string(),
    }
}
