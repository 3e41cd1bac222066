//! Experiments with other copies of the program: they confirm a cause before it is named.

use super::diagnosis::{Cause, is_total};
use super::evidence::Evidence;
use super::program::ConnectedProgram;
use super::rounds::{self, ProgramSubject};
use super::runner::CheckRunner;
use super::wire::Probing;

impl CheckRunner<'_> {
    /// Adds to the evidence what other copies of the program do that shows whether the cause is the right one.
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
        let mut subject = ProgramSubject { wire: &mut copy.wire, statuses: false };
        matches!(rounds::plain().play(&mut subject), Err(Evidence::Silence { .. }))
    }

    /// Whether another copy, raised by other amounts, sends an exact total; `None` if it did not play.
    fn sends_totals(&mut self) -> Option<bool> {
        let mut copy = self.another_copy()?;
        let mut subject = ProgramSubject { wire: &mut copy.wire, statuses: false };
        Some(match rounds::raised_otherwise().play(&mut subject) {
            Err(Evidence::Amount { chips, question, .. }) => is_total(chips, &question),
            _ => false,
        })
    }
}
