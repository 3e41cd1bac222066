//! What a diagnosis rests on beside what came: the sentences behind "because".

use crate::check::evidence::{Evidence, LastMessage, Probe};
use casino_host::ProgramOutputs;
use casino_stud::shown::short_line;

use super::Cause;
use super::complaint::Complaint;

/// What the diagnosis rests on, as parts of a sentence; none if what came says it all.
pub(super) fn because(evidence: &Evidence, cause: Cause, outputs: &ProgramOutputs) -> Vec<String> {
    match evidence {
        Evidence::NoConnection { .. } | Evidence::Complains { .. } => {
            exception(outputs).into_iter().collect()
        }
        Evidence::Closed { question, after, .. } => {
            let is_at_status = question.is_none() && *after == LastMessage::Status;
            let place = is_at_status.then(|| "the last message it was sent was a status".to_string());
            exception(outputs).into_iter().chain(place).collect()
        }
        Evidence::Silence { probe, answered, .. } => silent(probe, *answered, cause, outputs),
        Evidence::Amount { says_totals: Some(true), .. } if cause == Cause::Total => {
            let tried = "another copy, which was raised by other amounts, sent the total too";
            vec![tried.to_string()]
        }
        _ => Vec::new(),
    }
}

pub(in crate::check) fn printed(outputs: &ProgramOutputs) -> Option<String> {
    let complaint = Complaint::last(outputs)?;
    let place = complaint.place.map(|place| format!(" ({})", short_line(&place))).unwrap_or_default();
    Some(format!("{}{place}", short_line(&complaint.line)))
}

fn exception(outputs: &ProgramOutputs) -> Option<String> {
    printed(outputs).map(|printed| format!("it printed {printed}"))
}

fn silent(probe: &Probe, answered: usize, cause: Cause, outputs: &ProgramOutputs) -> Vec<String> {
    match (cause, probe.answers_form) {
        (_, Some(form)) => vec![format!("it answered a login that was written {}", form.in_words())],
        (Cause::Stuck | Cause::HangsAtStatus, _) => {
            vec!["neither done nor the end of the connection moved it".to_string()]
        }
        (Cause::Stdout, _) => {
            vec!["its standard output shows the reply, and the dealer got none".to_string()]
        }
        (Cause::Equals | Cause::ReadsLines, None) if probe.came_back => {
            vec!["it did nothing at done, and connected again when the connection ended".to_string()]
        }
        (Cause::Equals | Cause::ReadsLines, None) if probe.ended_at_close => {
            let last_words = exception(&probe.last_words);
            let ended = "it did nothing at done, and ended when the connection ended".to_string();
            std::iter::once(ended).chain(last_words).collect()
        }
        (Cause::Silent, _) if answered > 0 => vec![format!("it has answered {answered} questions before")],
        (Cause::OneBehind, _) => {
            vec!["sent the same message again and again, it answers every second one".to_string()]
        }
        (Cause::Caught | Cause::OutOfMemory, _) => exception(outputs).into_iter().collect(),
        _ => Vec::new(),
    }
}
