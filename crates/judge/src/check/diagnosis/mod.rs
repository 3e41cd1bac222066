//! Finds the fault of a program from the evidence: replies first, then its output and end, then the framing of its
//! bytes.

mod because;
mod cause;
mod complaint;
mod framing;
mod no_answer;
mod reply;

use std::fmt;

use serde::Serialize;

use casino_stud::protocol::{LoginError, read_reply};
use casino_stud::stud::{Chips, Rules};
use casino_stud::table::{Fault, Foul};

use super::evidence::{AskedQuestion, Evidence, LastMessage};
use super::step::CheckStep;
use casino_host::ProgramOutputs;

pub(super) use because::printed;
use because::{because, observed};
pub use cause::Cause;
pub(super) use complaint::Complaint;
use framing::framing;
use no_answer::{Found, Silence, asks_somebody, closed, no_connection, silence};
pub(super) use reply::is_total;
use reply::{amount, wording};

/// A cause, and the evidence for it in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Diagnosis {
    /// The fault that was recognised.
    pub cause: Cause,
    /// The fault of the program, in a sentence.
    pub what: String,
    /// The remedy.
    pub fix: String,
    /// Other faults that the evidence fits as well.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub or: Vec<PossibleCause>,
    /// The observed message or event.
    #[serde(rename = "came")]
    pub observed: String,
    /// Further evidence for the diagnosis.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub because: Vec<String>,
    /// The legal bets at that moment, if the program was asked to bet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allowed: Option<String>,
    /// That nothing but the end of a limit showed the fault: with more time there might have been none.
    #[serde(skip)]
    pub(crate) late: bool,
    /// The foul that the fault is at a table.
    #[serde(skip)]
    pub(crate) foul: Option<Foul>,
}

/// A fault that is possible as well.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PossibleCause {
    /// The kind of the fault; its key stands in brackets in the text.
    pub cause: Cause,
    /// The fault of the program, in a sentence.
    pub what: String,
    /// The remedy.
    pub fix: String,
}

impl Diagnosis {
    /// The diagnosis of a step that passes with single whole messages: the delivery is the cause.
    pub(super) fn of_delivery(self, step: CheckStep) -> Diagnosis {
        let cause = match step {
            CheckStep::Split => Cause::SplitMessages,
            CheckStep::Joined => Cause::JoinedMessages,
            _ => return self,
        };
        let raise_cap = Rules::default().raise_cap;
        let because = "it answers the same questions where each message comes by itself and in one piece";
        Diagnosis {
            cause,
            what: sentence(cause, raise_cap),
            fix: cause.fix(raise_cap),
            or: Vec::new(),
            because: vec![because.to_string()],
            late: false,
            foul: None,
            ..self
        }
    }

    pub(super) fn same_as(self, earlier: &Diagnosis, step: CheckStep, how: &str) -> Diagnosis {
        let because = format!("{how} as in \"{}\"", step.title());
        let mut all = self.because;
        if !all.contains(&because) {
            all.push(because);
        }
        let Diagnosis { cause, what, fix, or, late, foul, .. } = earlier.clone();
        Diagnosis { cause, what, fix, or, because: all, late, foul, ..self }
    }
}

/// Displays as two sentences, "Your program …" and the remedy, then the other possible causes.
impl fmt::Display for Diagnosis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.what, self.fix)?;
        for PossibleCause { what, fix, .. } in &self.or {
            write!(f, " Also possible: {what} {fix}")?;
        }
        Ok(())
    }
}

fn sentence(cause: Cause, raise_cap: Chips) -> String {
    format!("Your program {}.", cause.what(raise_cap))
}

pub(crate) fn diagnose(evidence: &Evidence, step: CheckStep, outputs: &ProgramOutputs) -> Diagnosis {
    let (cause, or) = found(evidence, step, outputs);
    let bounds = question(evidence).map(|question| &question.bounds);
    let raise_cap = bounds.map_or(Rules::default().raise_cap, |bounds| bounds.raise_cap);
    let allowed = bounds.map(ToString::to_string);
    let or = or.into_iter().map(|cause| PossibleCause {
        cause,
        what: sentence(cause, raise_cap),
        fix: cause.fix(raise_cap),
    });
    Diagnosis {
        cause,
        what: sentence(cause, raise_cap),
        fix: cause.fix(raise_cap),
        or: or.collect(),
        observed: observed(evidence),
        because: because(evidence, cause, outputs),
        allowed,
        late: match evidence {
            Evidence::Silence { .. } => cause.is_a_matter_of_time(),
            Evidence::NoConnection { left } => left.is_none(),
            _ => false,
        },
        foul: foul(evidence),
    }
}

fn foul(evidence: &Evidence) -> Option<Foul> {
    let fault = match evidence {
        Evidence::Amount { chips, problem, question, .. } => {
            return Some(Foul::Illegal { chips: *chips, problem: *problem, allowed: question.bounds });
        }
        Evidence::Silence { limit, partial, .. } => {
            let limit_ms = limit.as_millis().try_into().unwrap_or(u64::MAX);
            Fault::Late { limit_ms, bank_ms: 0, partial: !partial.is_empty() }
        }
        Evidence::Reply { sent, .. } => Fault::Malformed { sent: sent.clone() },
        _ => return None,
    };
    Some(Foul::Fault { fault, allowed: question(evidence).map(|question| question.bounds) })
}

fn found(evidence: &Evidence, step: CheckStep, outputs: &ProgramOutputs) -> Found {
    let alone = |cause| (cause, Vec::new());
    match evidence {
        Evidence::NotBuilt { .. } => alone(Cause::NotBuilt),
        Evidence::NoStart(_) => alone(Cause::NoStart),
        Evidence::NoConnection { left, .. } => no_connection(*left, outputs),
        Evidence::SecondConnection { after_done: true } => alone(Cause::ComesBack),
        Evidence::SecondConnection { after_done: false } => alone(Cause::SecondConnection),
        Evidence::Login { sent, .. }
            if step == CheckStep::LoginAgain && read_reply(sent.as_bytes()).is_ok() =>
        {
            alone(Cause::LoginOnce)
        }
        Evidence::SpokeFirst { raw } => alone(framing(raw).unwrap_or(Cause::SpeaksFirst)),
        Evidence::Login { error, raw, .. } => alone(framing(raw).unwrap_or(match error {
            LoginError::BadText => Cause::BadFrame,
            LoginError::NoColon => Cause::LoginNoColon,
            LoginError::ManyColons => Cause::LoginColons,
            LoginError::EmptyPart => Cause::LoginEmpty,
            LoginError::TooLong => Cause::LoginTooLong,
        })),
        Evidence::LoginChanged { .. } => alone(Cause::LoginChanges),
        Evidence::Frame { raw, .. } => alone(framing(raw).unwrap_or(Cause::BadFrame)),
        Evidence::Reply { sent, raw, is_name, .. } => {
            let cause = framing(raw).unwrap_or_else(|| wording(sent, *is_name));
            let typed = cause == Cause::Negative && asks_somebody(outputs);
            (cause, typed.then_some(Cause::Keyboard).into_iter().collect())
        }
        Evidence::Amount { chips, problem, question, says_totals, .. } => {
            let (cause, also) = amount(*chips, *problem, question, *says_totals);
            let keyboard = asks_somebody(outputs).then_some(Cause::Keyboard);
            (cause, also.into_iter().chain(keyboard).collect())
        }
        Evidence::Stray { after, raw, .. } => alone(match (framing(raw), after) {
            (Some(cause), LastMessage::Login | LastMessage::Question) => cause,
            (_, LastMessage::Status) => Cause::AnswersStatus,
            (_, LastMessage::Done) => Cause::AnswersDone,
            _ => Cause::TwoReplies,
        }),
        Evidence::Silence { partial, probe, question, answered, .. } => {
            let seen = Silence { partial, probe, question: question.as_deref(), answered: *answered };
            silence(seen, step, outputs)
        }
        Evidence::Closed { partial, left, question, after } => {
            let closed = || closed(*left, question.is_some(), *after, step, outputs);
            framing(partial).map_or_else(closed, alone)
        }
        Evidence::Complains { .. } => alone(Cause::ThrowsAndFolds),
        Evidence::Stays { closed: false, .. } => alone(Cause::StaysConnected),
        Evidence::Stays { closed: true, .. } => alone(Cause::NeverExits),
        Evidence::Slow { .. } => alone(Cause::SlowReplies),
    }
}

fn question(evidence: &Evidence) -> Option<&AskedQuestion> {
    match evidence {
        Evidence::Reply { question, .. } | Evidence::Amount { question, .. } => Some(question),
        Evidence::Silence { question, .. } | Evidence::Closed { question, .. } => question.as_deref(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use casino_stud::stud::Bounds;
    use casino_stud::table::FrameFault;

    pub(super) fn question(to_call: Chips, stack: Chips, put_in: Chips) -> AskedQuestion {
        AskedQuestion {
            bounds: Bounds { to_call, raise_cap: 10, stack },
            put_in,
            put_in_before: 0,
            last_bet: 0,
            last_call: 0,
        }
    }

    pub(super) fn cause_of(evidence: &Evidence, step: CheckStep) -> Cause {
        diagnose(evidence, step, &ProgramOutputs::default()).cause
    }

    #[test]
    fn bytes_that_show_nothing_are_a_bad_frame() {
        let evidence = Evidence::Frame { fault: FrameFault::BadText, raw: vec![0, 1, 0xFF] };
        assert_eq!(cause_of(&evidence, CheckStep::Bet1), Cause::BadFrame);
    }
}
