//! Tries what would tell a cause from its rivals, with other copies of the program. That something was new when a program
//! failed, or that a number is the sum of two others, may be chance: a cause is said only if it shows alone.

use casino_host::{ProgramExit, ProgramOutputs};

use crate::scenario::scripted_table::SubjectRound;

use super::amounts::taken_for_what_is_to_call;
use super::diagnosis::{Cause, Complaint, is_total};
use super::evidence::{Evidence, Novelty, TakenFor, Tried};
use super::program::ConnectedProgram;
use super::rounds::{self, ProgramSubject};
use super::runner::CheckRunner;
use super::step::CheckStep;
use super::wire::Probing;

/// A program that has been sent more messages than this is not sent as many again.
const MOST_MESSAGES: usize = 1_000;

/// So many messages fewer than a program was sent may be those it has read: the end of a connection shows later.
const UNREAD: usize = 2;

/// By what two ends of a program are the same: the exception with its place, or else how it ended.
type End = (Option<(String, Option<String>)>, Option<ProgramExit>);

fn end(left: Option<ProgramExit>, outputs: &ProgramOutputs) -> End {
    match Complaint::last(outputs) {
        Some(said) => (Some((said.class, said.place)), None),
        None => (None, left),
    }
}

impl CheckRunner<'_> {
    /// Adds to the evidence what other copies of the program do that shows whether the cause is the right one.
    pub(super) fn try_out(&mut self, evidence: &mut Evidence, outputs: &ProgramOutputs, cause: Cause) {
        if self.began.elapsed() > self.settings.total {
            return;
        }
        match evidence {
            Evidence::Amount { chips, question, says_totals, taken, .. } => {
                if question.put_in + question.put_in_before > 0 {
                    if self.says_totals.is_none() {
                        self.says_totals = self.sends_totals();
                    }
                    *says_totals = self.says_totals;
                }
                if self.taken.is_none() {
                    self.taken = Some(self.takes_for_what_is_to_call());
                }
                *taken = self.taken.flatten().filter(|taken| taken.explains(*chips, question));
            }
            Evidence::Silence { probe, .. } if cause == Cause::LoginOnce => {
                let [question, _] = rounds::without_and_with_a_ten();
                probe.silent_after_login =
                    matches!(self.fault_in(&question), Some((Evidence::Silence { .. }, _)));
            }
            Evidence::Closed { left, question: Some(question), tried, .. } if cause == Cause::Crash => {
                *tried = self.crashes_alone(&question.new, &end(*left, outputs));
            }
            Evidence::Closed { sent, tried, .. } if leaves(cause) => {
                tried.after_logins = self.ends_after_logins(*sent);
            }
            _ => {}
        }
    }

    /// Another copy, which has logged in; `None` if it could not.
    fn another_copy(&mut self) -> Option<ConnectedProgram> {
        let mut copy = self.connect().ok()?;
        copy.wire.probing = Probing::Nothing;
        match copy.log_in(self.settings.login) {
            Ok(_) | Err(Evidence::Login { .. }) => Some(copy),
            Err(_) => None,
        }
    }

    /// What goes wrong when another copy plays this round.
    fn fault_in(&mut self, round: &SubjectRound) -> Option<(Evidence, ProgramOutputs)> {
        let mut copy = self.another_copy()?;
        let mut subject = ProgramSubject { wire: &mut copy.wire, statuses: false };
        let evidence = round.play(&mut subject).err()?;
        Some(copy.complete(evidence, self.settings))
    }

    /// Whether another copy ends in the same way at a question of this round. `new` is what the question has to have.
    fn ends_in(&mut self, round: &SubjectRound, new: Novelty, wanted: &End) -> bool {
        let Some((Evidence::Closed { left, question: Some(asked), .. }, outputs)) = self.fault_in(round)
        else {
            return false;
        };
        let has_it = match new {
            Novelty::SecondStreet => asked.street == casino_stud::stud::Street::Second,
            Novelty::NothingToCall => asked.bounds.to_call == 0,
            _ => true,
        };
        has_it && end(left, &outputs) == *wanted
    }

    /// Which of the things that were new about a question make another copy end in the same way by themselves.
    fn crashes_alone(&mut self, new: &[Novelty], wanted: &End) -> Tried {
        let mut tried = Tried::default();
        if new.is_empty() {
            return tried;
        }
        let mut alone = Vec::new();
        for novelty in new {
            let found = if *novelty == Novelty::First {
                let [without, with] = rounds::without_and_with_a_ten();
                let at_any = self.ends_in(&without, *novelty, wanted);
                tried.only_with_a_ten = !at_any && self.ends_in(&with, *novelty, wanted);
                at_any
            } else {
                rounds::with_only(*novelty).iter().all(|round| self.ends_in(round, *novelty, wanted))
            };
            if found {
                alone.push(*novelty);
            }
        }
        tried.alone = Some(alone);
        tried
    }

    /// What other copies take for what is to call, if it shows: two of them, of which the first question differs.
    fn takes_for_what_is_to_call(&mut self) -> Option<TakenFor> {
        let one = self.takes_if_first_is(0)?;
        Some(one).filter(|one| self.takes_if_first_is(1) == Some(*one))
    }

    fn takes_if_first_is(&mut self, first: usize) -> Option<TakenFor> {
        let mut copy = self.another_copy()?;
        let program = ProgramSubject { wire: &mut copy.wire, statuses: false };
        taken_for_what_is_to_call(program, first).ok().flatten()
    }

    /// Whether another copy, which is raised by other amounts, sends an amount that is not allowed and is a total to the chip.
    /// `None` if it did not play.
    fn sends_totals(&mut self) -> Option<bool> {
        let mut copy = self.another_copy()?;
        let mut subject = ProgramSubject { wire: &mut copy.wire, statuses: false };
        Some(match rounds::raised_otherwise().play(&mut subject) {
            Err(Evidence::Amount { chips, question, .. }) => is_total(chips, &question),
            _ => false,
        })
    }

    /// After how many messages another copy ends that is sent nothing but `login`, if that is as many as the program was
    /// sent; only for one that answers `login` more than once.
    fn ends_after_logins(&mut self, sent: usize) -> Option<usize> {
        if sent > MOST_MESSAGES || !self.has_passed(CheckStep::LoginAgain) {
            return None;
        }
        let mut copy = self.connect().ok()?;
        copy.wire.probing = Probing::Nothing;
        for answered in 0..=sent {
            match copy.wire.login(self.settings.login) {
                Ok(_) => {}
                Err(Evidence::Closed { .. }) => {
                    return (answered <= sent && answered + UNREAD >= sent).then_some(answered);
                }
                Err(_) => return None,
            }
        }
        None
    }
}

/// Whether this is said of a program that ends by itself.
fn leaves(cause: Cause) -> bool {
    matches!(cause, Cause::HangsUp | Cause::LeavesAtStatus | Cause::LeavesFolded | Cause::LeavesBroke)
}
