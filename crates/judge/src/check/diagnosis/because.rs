//! What a diagnosis rests on beside what came: the sentences behind "because".

use crate::check::evidence::{AskedQuestion, Evidence, LastMessage, Novelty, Probe, TakenFor, Tried};
use casino_host::ProgramOutputs;
use casino_stud::shown::short_line;

use super::Cause;
use super::complaint::Complaint;

/// What the diagnosis rests on, as parts of a sentence; none if what came says it all.
pub(super) fn because(evidence: &Evidence, cause: Cause, outputs: &ProgramOutputs) -> Vec<String> {
    match evidence {
        Evidence::NoConnection { .. } => exception(outputs).into_iter().collect(),
        Evidence::Closed { question, after, tried, .. } => {
            let place = match (question, after) {
                (Some(question), _) => about(question),
                (None, LastMessage::Status) => Some("the last message it was sent was a status".to_string()),
                (None, _) => None,
            };
            exception(outputs).into_iter().chain(place).chain(what_others_did(tried)).collect()
        }
        Evidence::Silence { probe, question, answered, .. } => {
            silent(probe, question.as_deref(), *answered, cause, outputs)
        }
        Evidence::Amount { says_totals: Some(true), .. } if cause == Cause::Total => {
            let tried = "another copy, which was raised by other amounts, sent the total too";
            vec![tried.to_string()]
        }
        Evidence::Amount { taken: Some(taken), .. } => {
            let number = match taken {
                TakenFor::Pot => "the pot".to_string(),
                TakenFor::EarlierQuestion(1) => "what was to call at the question before".to_string(),
                TakenFor::EarlierQuestion(2) => "what was to call two questions before".to_string(),
                TakenFor::EarlierQuestion(before) => format!("what was to call {before} questions before"),
                TakenFor::FirstQuestion => "what was to call at the first question".to_string(),
            };
            vec![format!(
                "other copies were asked questions whose numbers are far apart, and each of their bets was {number}, or a raise on it"
            )]
        }
        Evidence::Complains { .. } => exception(outputs).into_iter().collect(),
        _ => Vec::new(),
    }
}

/// The exception that the program has printed, and where it was thrown.
pub(in crate::check) fn printed(outputs: &ProgramOutputs) -> Option<String> {
    let complaint = Complaint::last(outputs)?;
    let place = complaint.place.map(|place| format!(" ({})", short_line(&place))).unwrap_or_default();
    Some(format!("{}{place}", short_line(&complaint.line)))
}

fn exception(outputs: &ProgramOutputs) -> Option<String> {
    printed(outputs).map(|printed| format!("it printed {printed}"))
}

/// What was tried with other copies.
fn what_others_did(tried: &Tried) -> Option<String> {
    let Tried { alone, only_with_a_ten, after_logins } = tried;
    let said = match (alone, after_logins) {
        (_, Some(messages)) => {
            return Some(format!(
                "another copy ended after {messages} messages too, all of which were login"
            ));
        }
        _ if *only_with_a_ten => {
            "another copy answered it with a nine in place of the ten, and one crashed with the ten"
        }
        (Some(alone), _) if !alone.is_empty() => "another copy crashed too where nothing else was new",
        (Some(_), _) => "another copy did not crash at a question that was new in the same way",
        (None, None) => return None,
    };
    Some(said.to_string())
}

fn about(question: &AskedQuestion) -> Option<String> {
    let words = question.new.iter().map(|new| match new {
        Novelty::First => "was asked".to_string(),
        Novelty::SecondStreet => "was asked on the second street".to_string(),
        Novelty::MorePlayers(players) | Novelty::FewerPlayers(players) => {
            format!("was shown {players} players")
        }
        Novelty::OwnFirst => "found its own card first in the list".to_string(),
        Novelty::OwnLast => "found its own card last in the list".to_string(),
        Novelty::NothingToCall => "had nothing to call".to_string(),
    });
    let words: Vec<String> = words.collect();
    (!words.is_empty()).then(|| format!("it was the first time that it {}", words.join(" and ")))
}

fn silent(
    probe: &Probe,
    question: Option<&AskedQuestion>,
    answered: usize,
    cause: Cause,
    outputs: &ProgramOutputs,
) -> Vec<String> {
    match (cause, probe.answers_form) {
        (_, Some(form)) => vec![format!("it answered a login that was written {}", form.in_words())],
        (Cause::Stuck | Cause::HangsAtStatus | Cause::HangsLongList, _) => {
            let new = question.and_then(about);
            let stays = "neither done nor the end of the connection moved it".to_string();
            std::iter::once(stays).chain(new).collect()
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
