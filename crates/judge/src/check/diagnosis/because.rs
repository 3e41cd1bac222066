//! The evidence of a diagnosis in words: the message that came instead and the other observations.

use std::time::Duration;

use crate::check::evidence::{Evidence, LastMessage, SilenceProbe};
use crate::check::exchange::bytes_in_words;
use casino_host::{ProgramExit, ProgramOutputs};
use casino_stud::shown::short_line;
use casino_stud::table::escape;
use casino_system::processes::{crash_name, signal_name};

use super::Cause;
use super::complaint::Complaint;

/// The observations behind the diagnosis, as parts of a sentence; empty if the message alone explains it.
pub(super) fn because(evidence: &Evidence, cause: Cause, outputs: &ProgramOutputs) -> Vec<String> {
    match evidence {
        Evidence::NoConnection { .. } | Evidence::Complains { .. } => {
            exception(outputs).into_iter().collect()
        }
        Evidence::Closed { question, after, .. } => {
            let place = match after {
                LastMessage::Status if question.is_none() => {
                    Some("the last message it was sent was a status".to_string())
                }
                LastMessage::Waiting(time) => Some(format!(
                    "a copy got no message after its login, and was gone after {} s",
                    time.as_secs()
                )),
                _ => None,
            };
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

fn silent(probe: &SilenceProbe, answered: usize, cause: Cause, outputs: &ProgramOutputs) -> Vec<String> {
    let one = |observation: &str| vec![observation.to_string()];
    match (cause, probe.answers_form) {
        (_, Some(form)) => vec![format!("it answered a login that was written {}", form.in_words())],
        (Cause::Stuck | Cause::HangsAtStatus, _) => {
            one("neither done nor the end of the connection moved it")
        }
        (Cause::Stdout, _) => one("its standard output shows the reply, and the dealer got none"),
        (Cause::Equals | Cause::ReadsLines, None) if probe.came_back => {
            one("it did nothing at done, and connected again when the connection ended")
        }
        (Cause::Equals | Cause::ReadsLines, None) if probe.ended_at_close => {
            let mut observed = one("it did nothing at done, and ended when the connection ended");
            observed.extend(exception(&probe.last_words));
            observed
        }
        (Cause::Silent, _) if answered > 0 => vec![format!("it has answered {answered} questions before")],
        (Cause::OneBehind, _) => one("sent the same message again and again, it answers every second one"),
        (Cause::Caught | Cause::OutOfMemory, _) => exception(outputs).into_iter().collect(),
        _ => Vec::new(),
    }
}

pub(super) fn observed(evidence: &Evidence) -> String {
    let ended = |left: &Option<ProgramExit>| match left {
        None => "it still runs".to_string(),
        Some(ProgramExit::Code(code)) => match crash_name(*code) {
            Some(name) => format!("it crashed: {name} (exit code {code:#X})"),
            None => format!("it ended with exit code {code}"),
        },
        Some(ProgramExit::Signal(signal)) => match signal_name(*signal) {
            Some(name) => format!("it was ended by signal {signal} ({name})"),
            None => format!("it was ended by signal {signal}"),
        },
    };
    match evidence {
        Evidence::NotBuilt { command } => format!("{} failed", escape(command)),
        Evidence::NoStart(why) => why.clone(),
        Evidence::NoConnection { left, .. } => format!("no connection; {}", ended(left)),
        Evidence::SecondConnection { after_done: true } => "a second connection after done".to_string(),
        Evidence::SecondConnection { after_done: false } => "a second connection".to_string(),
        Evidence::SpokeFirst { raw } | Evidence::Frame { raw, .. } => bytes_in_words(raw),
        Evidence::Login { sent, error, .. } => format!("{}: {error}", escape(sent)),
        Evidence::LoginChanged { first, second } => format!("{}, then {}", escape(first), escape(second)),
        Evidence::Reply { sent, .. } => escape(sent),
        Evidence::Amount { chips, .. } => format!("bet:{chips}"),
        Evidence::Stray { sent, .. } => format!("{} without a question", escape(sent)),
        Evidence::Silence { partial, probe, limit, .. } => silence(partial, probe, *limit),
        Evidence::Closed { partial, left, .. } => {
            let place = if partial.is_empty() { "" } else { " in the middle of a message" };
            format!("the connection was closed{place}; {}", ended(left))
        }
        Evidence::Complains { traces, folds, asked } => {
            format!("{folds} folds in {asked} questions, and at least {traces} exceptions in its output")
        }
        Evidence::Stays { closed, limit } => {
            let what = match closed {
                false => "the connection was still open",
                true => "the connection was closed, but the program still ran",
            };
            format!("{what} {} ms after done", limit.as_millis())
        }
        Evidence::Slow { p99, limit } => {
            format!(
                "99 of 100 replies within {} ms, where {} are allowed",
                p99.as_millis(),
                limit.as_millis()
            )
        }
    }
}

fn silence(partial: &[u8], probe: &SilenceProbe, limit: Duration) -> String {
    let limit = limit.as_millis();
    let after = |what: &str| format!("nothing within {limit} ms; {what}");
    match probe.late {
        Some(late) => format!("an answer after {} ms, where {limit} are allowed", late.as_millis()),
        None if !partial.is_empty() => format!("only {}", bytes_in_words(partial)),
        None if probe.answered_repeat => after("an answer when the question was sent once more"),
        None if probe.reads_lines => after("something when a line break was sent"),
        None if probe.came_in_bulk => {
            after("many answers at once when the question was sent a great number of times")
        }
        None if probe.spoke_at_end => after("the answer to done"),
        None if probe.answered_done => after("one message after done"),
        None if probe.closed_at_done => after("it closed its connection after done"),
        None if probe.came_back => after("it connected again when the dealer had closed the connection"),
        None if probe.ended_at_close => after("it ended when the dealer had closed the connection"),
        None => format!("nothing within {limit} ms"),
    }
}
