//! Finds the fault of a program from the evidence.

mod cause;
mod framing;
mod no_answer;
mod observed;
mod reply;

use std::fmt;

use serde::Serialize;

use crate::protocol::{LoginError, read_reply};

use super::evidence::{AskedQuestion, Evidence, LastMessage};
use super::step::CheckStep;
use crate::server::ProgramOutputs;

pub use cause::Cause;
use framing::framing;
use no_answer::{closed, no_connection, silence};
use observed::observed;
use reply::{amount, wording};

/// A cause, and the evidence for it in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Diagnosis {
    /// The fault that was recognised.
    pub cause: Cause,
    /// What the program does, in a sentence.
    pub what: String,
    /// What to do about it.
    pub fix: &'static str,
    /// What came, or what happened.
    #[serde(rename = "came")]
    pub observed: String,
    /// What was allowed at that moment, if the program was asked to bet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allowed: Option<String>,
}

/// Displays as two sentences: "Your program …", and what to do about it.
impl fmt::Display for Diagnosis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.what, self.fix)
    }
}

/// Finds the cause of a fault from the evidence, the step it belongs to and what the program printed. A pure function.
pub fn diagnose(evidence: &Evidence, step: CheckStep, outputs: &ProgramOutputs) -> Diagnosis {
    let cause = delivery_fault(evidence, step).unwrap_or_else(|| cause(evidence, step, outputs));
    let allowed = question(evidence).map(|question| question.bounds.to_string());
    let what = format!("Your program {}.", cause.what());
    Diagnosis { cause, what, fix: cause.fix(), observed: observed(evidence), allowed }
}

/// A program that fails only where messages come split or joined fails because of that.
fn delivery_fault(evidence: &Evidence, step: CheckStep) -> Option<Cause> {
    if matches!(evidence, Evidence::NoStart(_) | Evidence::NoConnection { .. } | Evidence::Stays { .. }) {
        return None;
    }
    match step {
        CheckStep::Split => Some(Cause::SplitMessages),
        CheckStep::Joined => Some(Cause::JoinedMessages),
        _ => None,
    }
}

/// The cause outside the steps about delivery.
fn cause(evidence: &Evidence, step: CheckStep, outputs: &ProgramOutputs) -> Cause {
    match evidence {
        Evidence::NotBuilt { .. } => Cause::NotBuilt,
        Evidence::NoStart(_) => Cause::NoStart,
        Evidence::NoConnection { left } => no_connection(*left, outputs),
        Evidence::SecondConnection => Cause::SecondConnection,
        Evidence::Login { sent, .. }
            if step == CheckStep::LoginAgain && read_reply(sent.as_bytes()).is_ok() =>
        {
            Cause::LoginOnce
        }
        Evidence::SpokeFirst { raw } => framing(raw).unwrap_or(Cause::SpeaksFirst),
        Evidence::Login { error, raw, .. } => framing(raw).unwrap_or(match error {
            LoginError::BadText => Cause::BadFrame,
            LoginError::NoColon => Cause::LoginNoColon,
            LoginError::ManyColons => Cause::LoginColons,
            LoginError::EmptyPart => Cause::LoginEmpty,
            LoginError::TooLong => Cause::LoginTooLong,
        }),
        Evidence::LoginChanged { .. } => Cause::LoginChanges,
        Evidence::Frame { raw, .. } => framing(raw).unwrap_or(Cause::BadFrame),
        Evidence::Reply { sent, raw, .. } => framing(raw).unwrap_or_else(|| wording(sent)),
        Evidence::Amount { chips, problem, question } => amount(*chips, *problem, question),
        Evidence::Stray { after: LastMessage::Status, .. } => Cause::AnswersStatus,
        Evidence::Stray { after: LastMessage::Done, .. } => Cause::AnswersDone,
        Evidence::Stray { .. } => Cause::TwoReplies,
        Evidence::Silence { partial, probe, question, .. } => {
            silence(partial, *probe, question.as_ref(), step, outputs)
        }
        Evidence::Closed { partial, left, question, last_turn } => {
            framing(partial).unwrap_or_else(|| closed(*left, question.as_ref(), *last_turn, step, outputs))
        }
        Evidence::Stays { closed: false, .. } => Cause::StaysConnected,
        Evidence::Stays { closed: true, .. } => Cause::NeverExits,
        Evidence::Slow { .. } => Cause::SlowReplies,
        Evidence::TimeIsOver { .. } => Cause::SlowRounds,
    }
}

/// The question the evidence is about.
fn question(evidence: &Evidence) -> Option<&AskedQuestion> {
    match evidence {
        Evidence::Reply { question, .. } | Evidence::Amount { question, .. } => Some(question),
        Evidence::Silence { question, .. } | Evidence::Closed { question, .. } => question.as_ref(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::modified_utf8;
    use crate::stud::{Bounds, Chips, Street};
    use crate::table::FrameFault;

    pub(super) fn framed(text: &str) -> Vec<u8> {
        let payload = modified_utf8::encode(text);
        let mut raw = u16::try_from(payload.len()).unwrap().to_be_bytes().to_vec();
        raw.extend(payload);
        raw
    }

    pub(super) fn question(to_call: Chips, stack: Chips, put_in: Chips) -> AskedQuestion {
        AskedQuestion {
            street: Street::First,
            bounds: Bounds { to_call, raise_cap: 10, stack },
            put_in,
            own_first: false,
            players: 5,
        }
    }

    pub(super) fn found(evidence: &Evidence, step: CheckStep) -> Cause {
        diagnose(evidence, step, &ProgramOutputs::default()).cause
    }

    #[test]
    fn bytes_that_show_nothing_are_a_bad_frame() {
        let evidence = Evidence::Frame { fault: FrameFault::BadText, raw: vec![0, 1, 0xFF] };
        assert_eq!(found(&evidence, CheckStep::Bet1), Cause::BadFrame);
    }

    #[test]
    fn a_message_too_many_belongs_to_what_it_follows() {
        let stray = |after| found(&Evidence::Stray { sent: "fold".into(), after }, CheckStep::Status);
        assert_eq!(stray(LastMessage::Status), Cause::AnswersStatus);
        assert_eq!(stray(LastMessage::Done), Cause::AnswersDone);
        assert_eq!(stray(LastMessage::Question), Cause::TwoReplies);
        assert_eq!(stray(LastMessage::Login), Cause::TwoReplies);
    }
}
