//! What a diagnosis rests on beside what came: the sentences behind "because".

use crate::check::evidence::{AskedQuestion, Evidence, LastMessage, Novelty, Probe};
use casino_host::ProgramOutputs;
use casino_stud::table::escape;

use super::Cause;
use super::complaint::Complaint;

/// The most of a line of the program that is shown, in characters.
const SHOWN: usize = 160;

/// What the diagnosis rests on, as parts of a sentence; none if what came says it all.
pub(super) fn because(evidence: &Evidence, cause: Cause, outputs: &ProgramOutputs) -> Vec<String> {
    match evidence {
        Evidence::NoConnection { .. } => printed(outputs).into_iter().collect(),
        Evidence::Closed { question, after, .. } => {
            let place = match (question, after) {
                (Some(question), _) => about(question),
                (None, LastMessage::Status) => Some("the last message it was sent was a status".to_string()),
                (None, _) => None,
            };
            printed(outputs).into_iter().chain(place).collect()
        }
        Evidence::Silence { probe, question, answered, .. } => {
            silent(probe, question.as_deref(), *answered, cause, outputs)
        }
        Evidence::Amount { chips, question, .. } => amount(*chips, question, cause),
        Evidence::Complains { .. } => printed(outputs).into_iter().collect(),
        _ => Vec::new(),
    }
}

/// The exception that the program has printed, and where it was thrown.
fn printed(outputs: &ProgramOutputs) -> Option<String> {
    let complaint = Complaint::last(outputs)?;
    let short = |text: &str| escape(&text.chars().take(SHOWN).collect::<String>());
    let place = complaint.place.map(|place| format!(" {}", short(&place))).unwrap_or_default();
    Some(format!("it printed {}{place}", short(&complaint.line)))
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
        (Cause::Equals | Cause::ReadsLines, None) if probe.ended_at_close => {
            let last_words = printed(&probe.last_words);
            let ended = "it did nothing at done, and ended when the connection ended".to_string();
            std::iter::once(ended).chain(last_words).collect()
        }
        (Cause::Silent, _) if answered > 0 => vec![format!("it has answered {answered} questions before")],
        (Cause::Caught | Cause::OutOfMemory, _) => printed(outputs).into_iter().collect(),
        _ => Vec::new(),
    }
}

fn amount(chips: u32, question: &AskedQuestion, cause: Cause) -> Vec<String> {
    let AskedQuestion { pot, put_in, put_in_before, bounds, .. } = question;
    let mut because = Vec::new();
    if cause == Cause::Total {
        let adds = |had: u32| chips.checked_sub(had);
        let on_this_street = [Some(bounds.to_call), Some(bounds.most())].contains(&adds(*put_in));
        let had = if on_this_street { *put_in } else { put_in + put_in_before };
        because.push(format!("it had put in {had} chips before, and {chips} is that and what it adds now"));
    } else if chips == *pot && chips > bounds.most() {
        because.push(format!("{chips} is the size of the pot, the second number of the question"));
    } else if chips == bounds.stack && chips > bounds.most() {
        because.push(format!("{chips} is its whole stack, the first number of the question"));
    }
    because
}
