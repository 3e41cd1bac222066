//! The fouls of players, and the sentences that describe them.

use std::cmp::Ordering;
use std::fmt;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::stud::{Bounds, Chips, IllegalBet};

use super::escape::escape;

/// Why there is no reply of a player that could be read.
#[derive(Clone, Debug, PartialEq, Eq, Error, Serialize, Deserialize)]
#[serde(tag = "fault", rename_all = "snake_case")]
pub enum Fault {
    /// The player sent a text that is no reply (R22).
    Malformed {
        /// The text as decoded.
        sent: String,
    },
    /// No complete reply came before the deadline (R17).
    Late {
        /// How long a reply may take, in milliseconds.
        limit_ms: u64,
        /// The time bank that was used up after that, in milliseconds.
        #[serde(default, skip_serializing_if = "is_zero")]
        bank_ms: u64,
        /// Whether a part of a frame had come.
        partial: bool,
    },
    /// The connection was closed or reset.
    HungUp {
        /// Whether a part of a frame had come.
        partial: bool,
    },
    /// The player sent bytes that are no frame (R21).
    Frame(#[source] FrameFault),
    /// The player sent an unrequested message.
    Stray {
        /// The text as decoded, as far as it could be.
        sent: String,
    },
    /// The player does not read its messages, so nothing more can be sent to it.
    NotReading,
    /// The teacher sent the player out.
    Removed {
        /// The reason that the teacher gave.
        reason: String,
    },
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde requires the reference")]
fn is_zero(milliseconds: &u64) -> bool {
    *milliseconds == 0
}

/// The error in a frame (R21).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error, Serialize, Deserialize)]
#[serde(tag = "frame", rename_all = "snake_case")]
pub enum FrameFault {
    /// The header gives a length over the cap, so the frame is refused before its bytes come.
    #[error("a message that says it is {length} bytes long, where no reply has more than {cap}")]
    TooLong {
        /// The length the header claims, in bytes.
        length: u16,
        /// The most bytes a reply may have.
        cap: u16,
    },
    /// The frame's bytes are no modified UTF-8.
    #[error("bytes that readUTF would not accept")]
    BadText,
}

/// Placeholder for a hidden text.
pub(crate) const HIDDEN_TEXT: &str = "(not shown here)";

impl Fault {
    /// The same without the text that the program sent, if that text is a secret.
    #[must_use]
    pub fn hiding(&self, is_secret: impl FnOnce(&str) -> bool) -> Fault {
        let mut fault = self.clone();
        if let Fault::Malformed { sent } | Fault::Stray { sent } = &mut fault
            && is_secret(sent)
        {
            *sent = HIDDEN_TEXT.to_string();
        }
        fault
    }

    /// Whether the player cannot go on even where a foul costs only the hand (R19), because its connection is of no use.
    pub fn is_final(&self) -> bool {
        match self {
            Fault::HungUp { .. } | Fault::NotReading | Fault::Removed { .. } => true,
            Fault::Frame(FrameFault::TooLong { .. }) => true,
            Fault::Frame(FrameFault::BadText) => false,
            Fault::Malformed { .. } | Fault::Late { .. } | Fault::Stray { .. } => false,
        }
    }
}

/// A foul (R18): the message and the legal replies. It displays as a sentence that continues "your program", with the
/// remedy.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Foul {
    /// The player bet an amount that it cannot bet.
    Illegal {
        /// The amount of the bet, in chips.
        chips: Chips,
        /// The error in the amount.
        #[source]
        problem: IllegalBet,
        /// The legal bets.
        allowed: Bounds,
    },
    /// There was no reply that could be read.
    Fault {
        /// The event instead of a reply.
        #[source]
        fault: Fault,
        /// The legal replies, if the player had been asked.
        allowed: Option<Bounds>,
    },
}

impl Foul {
    /// The same with another form of its fault, if it has one.
    #[must_use]
    pub fn with_fault(&self, form: impl FnOnce(&Fault) -> Fault) -> Foul {
        match self {
            Foul::Illegal { .. } => self.clone(),
            Foul::Fault { fault, allowed } => Foul::Fault { fault: form(fault), allowed: *allowed },
        }
    }

    /// The legal replies, if the player had been asked.
    pub fn allowed(&self) -> Option<&Bounds> {
        match self {
            Foul::Illegal { allowed, .. } => Some(allowed),
            Foul::Fault { allowed, .. } => allowed.as_ref(),
        }
    }

    /// A short name for tables and gradebooks: "illegal bet", "no reply in time", …
    pub fn name(&self) -> &'static str {
        self.text().name
    }

    /// The change the program needs, in one or two sentences.
    pub fn remedy(&self) -> &'static str {
        self.text().remedy
    }

    /// The foul in public words, which never quote a message.
    pub fn in_public(&self) -> String {
        self.text().in_public
    }

    fn text(&self) -> FoulText {
        match self {
            Foul::Illegal { chips, problem, allowed } => illegal_bet_text(*chips, *problem, allowed),
            Foul::Fault { fault, .. } => fault.text(),
        }
    }
}

impl fmt::Display for Foul {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FoulText { sentence, remedy, .. } = self.text();
        write!(f, "{sentence}.")?;
        // A stray message comes before the question, which is then never sent.
        let answers_nothing =
            matches!(self, Foul::Fault { fault: Fault::Removed { .. } | Fault::Stray { .. }, .. });
        if let (Some(allowed), false) = (self.allowed(), answers_nothing) {
            write!(f, " Allowed was: {allowed}.")?;
        }
        write!(f, " {remedy}")
    }
}

/// The words for a foul.
struct FoulText {
    name: &'static str,
    /// Continues "your program".
    sentence: String,
    /// The public version.
    in_public: String,
    remedy: &'static str,
}

impl FoulText {
    fn new(
        name: &'static str,
        sentence: impl Into<String>,
        in_public: impl Into<String>,
        remedy: &'static str,
    ) -> FoulText {
        FoulText { name, sentence: sentence.into(), in_public: in_public.into(), remedy }
    }
}

fn illegal_bet_text(chips: Chips, problem: IllegalBet, allowed: &Bounds) -> FoulText {
    let (to_call, cap, stack, most) = (allowed.to_call, allowed.raise_cap, allowed.stack, allowed.most());
    let wrong = match problem {
        IllegalBet::BelowCall => format!("less than the {to_call} it takes to call"),
        IllegalBet::AboveCap => format!("more than {cap} over the {to_call} to call"),
        IllegalBet::AboveStack => format!("more than the {stack} chips in its stack"),
    };
    let in_public = match most.cmp(&to_call) {
        Ordering::Less => format!("bet {chips} chips when it could only fold"),
        Ordering::Equal => format!("bet {chips} chips when only {to_call} was allowed"),
        Ordering::Greater => format!("bet {chips} chips when {to_call} to {most} were allowed"),
    };
    let remedy = match problem {
        IllegalBet::BelowCall if chips == 0 => "A bet of 0 is possible only if the amount to call is 0.",
        IllegalBet::BelowCall => {
            "Bet at least the amount to call, the third number of the question, or fold; a raise comes on top of it."
        }
        IllegalBet::AboveCap => {
            "Limit the amount to the amount to call and the largest raise. If it was meant as a total for the round: an \
             amount is added to earlier bets."
        }
        IllegalBet::AboveStack => "Never bet more than the stack, the first number of the question.",
    };
    FoulText::new("illegal bet", format!("answered \"bet:{chips}\", {wrong}"), in_public, remedy)
}

fn late_text(limit_ms: u64, bank_ms: u64, partial: bool) -> FoulText {
    let time = match bank_ms {
        0 => format!("{limit_ms} ms"),
        _ => format!("{limit_ms} ms and a time bank of {bank_ms} ms"),
    };
    let (sentence, in_public, remedy) = match partial {
        false => (
            "gave no answer",
            "did not answer",
            "Perhaps it takes too long, does not flush its output, waits for another message after its last bet, or has \
             a path on which it writes no reply.",
        ),
        true => (
            "sent only a part of a message",
            "sent only half an answer",
            "Write each reply with one writeUTF and then flush.",
        ),
    };
    let within = |what: &str| format!("{what} within {time}");
    FoulText::new("no reply in time", within(sentence), within(in_public), remedy)
}

impl Fault {
    fn text(&self) -> FoulText {
        match self {
            Fault::Malformed { sent } => FoulText::new(
                "unreadable reply",
                format!("answered {}, which is no reply{}", escape(sent), malformation(sent)),
                "answered something that is neither fold nor a bet",
                "A reply is \"fold\" or \"bet:\" and a whole number, like \"bet:12\". Only a question wants one.",
            ),
            Fault::Late { limit_ms, bank_ms, partial } => late_text(*limit_ms, *bank_ms, *partial),
            Fault::HungUp { partial } => {
                let (sentence, in_public) = match partial {
                    false => ("closed its connection", "closed its connection"),
                    true => (
                        "closed its connection in the middle of a message",
                        "closed its connection in the middle of an answer",
                    ),
                };
                FoulText::new(
                    "connection closed",
                    sentence,
                    in_public,
                    "It ended, or closed the connection itself, in the middle of the game: look at its last output and the end \
                     of its loop.",
                )
            }
            Fault::Frame(frame) => FoulText::new(
                "unreadable frame",
                format!("sent {frame}"),
                match frame {
                    FrameFault::TooLong { length, .. } => {
                        format!("announced an answer of {length} bytes, far too long")
                    }
                    FrameFault::BadText => "sent bytes that are no text".to_string(),
                },
                "Write replies with writeUTF: two bytes of length, high byte first, then the text. Nothing else may be \
                 written to the connection.",
            ),
            Fault::Stray { sent } => FoulText::new(
                "unsolicited message",
                match sent.is_empty() {
                    true => "sent an unsolicited message".to_string(),
                    false => format!("sent {} without a question", escape(sent)),
                },
                "sent an unsolicited message",
                "Write exactly one reply for each question and none for any other message. A program that answers every \
                 message is one message behind from then on.",
            ),
            Fault::NotReading => FoulText::new(
                "does not read",
                "does not read its messages",
                "does not read its messages",
                "Read every message, including those without a reply.",
            ),
            Fault::Removed { reason } => FoulText::new(
                "removed",
                format!("was removed by the people in charge: {}", escape(reason)),
                format!("was removed: {reason}"),
                "Ask the teacher: no rule was broken.",
            ),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text().sentence)
    }
}

/// Names the mistake that an unreadable reply looks like, as far as its text tells.
fn malformation(sent: &str) -> &'static str {
    let amount = sent.strip_prefix("bet:").unwrap_or(sent);
    let is_bet = sent.to_lowercase().starts_with("bet");
    let is_of_a_number = |byte: u8| byte.is_ascii_digit() || byte == b'.' || byte == b',';
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if sent.is_empty() {
        " but an empty text"
    } else if sent.chars().any(|c| !c.is_ascii() && c.is_numeric()) {
        ": its digits are not 0 to 9. In Java, String.format writes other digits in some countries; \
         use String.format(Locale.ROOT, …) or put the number together with +"
    } else if sent != sent.trim() || amount != amount.trim() {
        ": there is white space in it"
    } else if amount.starts_with(['+', '-']) {
        ": an amount has no sign"
    } else if digits(amount) && amount.len() > 1 && amount.starts_with('0') {
        ": an amount has no leading zero"
    } else if sent.starts_with("bet:") && digits(amount) {
        ": the amount is larger than all the chips in the world"
    } else if amount.contains(['.', ',']) && (is_bet || amount.bytes().all(is_of_a_number)) {
        ": an amount is a whole number"
    } else if digits(sent) {
        ": the amount comes after \"bet:\""
    } else if sent.to_lowercase().starts_with("fold") || is_bet {
        ": it must be spelled exactly so, in small letters and with nothing after it"
    } else {
        ""
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALLOWED: Bounds = Bounds { to_call: 5, raise_cap: 10, stack: 12 };

    fn illegal(chips: Chips) -> String {
        let problem = ALLOWED.bet(chips).unwrap_err();
        Foul::Illegal { chips, problem, allowed: ALLOWED }.to_string()
    }

    #[test]
    fn illegal_amounts_are_shown_with_the_legal_range_and_a_remedy() {
        let allowed = "Allowed was: fold, or bet 5 to 12 (5 to call, at most 10 more, 12 in the stack).";
        assert_eq!(
            illegal(0),
            format!(
                "answered \"bet:0\", less than the 5 it takes to call. {allowed} A bet of 0 is possible only if the \
                 amount to call is 0."
            )
        );
        assert!(illegal(16).contains("more than 10 over the 5 to call"), "{}", illegal(16));
        assert!(illegal(13).contains("more than the 12 chips in its stack"), "{}", illegal(13));
    }

    #[test]
    fn unreadable_replies_get_the_likely_reason() {
        let say = |sent: &str| Fault::Malformed { sent: sent.to_string() }.to_string();
        for (sent, words) in [
            ("", "empty text"),
            ("bet:-5", "no sign"),
            ("bet:+5", "no sign"),
            ("bet: 5", "white space"),
            ("bet:5 ", "white space"),
            ("bet:05", "leading zero"),
            ("bet:5.0", "whole number"),
            ("bet:99999999999999999999", "larger than"),
            ("BET:5", "small letters"),
            ("FOLD", "small letters"),
            ("bet:٥", "Locale.ROOT"),
            ("bet:५", "Locale.ROOT"),
            ("bet:1,000", "whole number"),
            ("bet:1.5x", "whole number"),
            ("5.0", "whole number"),
            ("5,0", "whole number"),
            ("5", "after \"bet:\""),
            ("0", "after \"bet:\""),
            ("bet:", "small letters"),
            ("bet:0x5", "small letters"),
            ("folded", "small letters"),
            ("hello", "which is no reply"),
        ] {
            assert!(say(sent).contains(words), "{sent}: {}", say(sent));
        }
        for sent in ["GET / HTTP/1.1", "hello, you.", "login"] {
            assert!(say(sent).ends_with("which is no reply"), "no amount was meant: {}", say(sent));
        }
    }

    /// Every foul there is, by its name.
    fn all_fouls() -> Vec<(&'static str, Foul)> {
        let sent = || "x".to_string();
        let too_long = FrameFault::TooLong { length: 2_000, cap: 1_024 };
        let mut fouls = Vec::new();
        for (name, fault) in [
            ("unreadable reply", Fault::Malformed { sent: sent() }),
            ("no reply in time", Fault::Late { limit_ms: 1_000, bank_ms: 0, partial: false }),
            ("no reply in time", Fault::Late { limit_ms: 1_000, bank_ms: 0, partial: true }),
            ("connection closed", Fault::HungUp { partial: false }),
            ("connection closed", Fault::HungUp { partial: true }),
            ("unreadable frame", Fault::Frame(too_long)),
            ("unreadable frame", Fault::Frame(FrameFault::BadText)),
            ("unsolicited message", Fault::Stray { sent: sent() }),
            ("unsolicited message", Fault::Stray { sent: String::new() }),
            ("does not read", Fault::NotReading),
            ("removed", Fault::Removed { reason: "asleep".to_string() }),
        ] {
            fouls.push((name, Foul::Fault { fault, allowed: Some(ALLOWED) }));
        }
        for chips in [4, 13, 16] {
            let problem = ALLOWED.bet(chips).unwrap_err();
            fouls.push(("illegal bet", Foul::Illegal { chips, problem, allowed: ALLOWED }));
        }
        fouls
    }

    /// Students read the error, the legal replies and the remedy, once in the last message and once in a report.
    #[test]
    fn every_foul_has_its_name_its_cause_and_a_remedy() {
        let mut sentences = std::collections::BTreeSet::new();
        for (name, foul) in all_fouls() {
            assert_eq!(foul.name(), name);
            let fix = foul.remedy();
            assert!(fix.len() > 20 && fix.ends_with('.'), "{foul:?}: {fix}");
            assert!(sentences.insert(foul.to_string()), "said of two fouls: {foul}");
            let cause = std::error::Error::source(&foul).unwrap();
            match &foul {
                Foul::Illegal { problem, .. } => assert_eq!(cause.to_string(), problem.to_string()),
                Foul::Fault { fault, .. } => {
                    assert!(foul.to_string().starts_with(&format!("{fault}.")), "{foul}");
                    assert_eq!(cause.to_string(), fault.to_string());
                    let deeper = cause.source().map(ToString::to_string);
                    let frame = if let Fault::Frame(frame) = fault { Some(frame.to_string()) } else { None };
                    assert_eq!(deeper, frame);
                }
            }
        }
    }

    /// An unrequested message is quoted, unless it is empty.
    #[test]
    fn a_stray_message_is_quoted() {
        let say = |sent: &str| Fault::Stray { sent: sent.to_string() }.to_string();
        assert_eq!(say(""), "sent an unsolicited message");
        assert_eq!(say("bet:5"), "sent \"bet:5\" without a question");
    }

    #[test]
    fn a_remedy_fits_the_mistake() {
        let remedy = |fault| Foul::Fault { fault, allowed: None }.to_string();
        assert!(illegal(4).ends_with("on top of it.") && illegal(16).ends_with("added to earlier bets."));
        assert!(illegal(13).ends_with("the first number of the question."));
        let late = |partial| remedy(Fault::Late { limit_ms: 9, bank_ms: 0, partial });
        assert!(late(false).ends_with("on which it writes no reply."));
        assert!(late(true).ends_with("one writeUTF and then flush."));
        let removed = Fault::Removed { reason: "asleep".to_string() };
        let words = "was removed by the people in charge: \"asleep\". Ask the teacher: no rule was broken.";
        assert_eq!(remedy(removed), words);
    }

    /// The legal bets are stated exactly: none, one amount or several.
    #[test]
    fn illegal_bets_are_shown_with_the_legal_range() {
        let say = |chips, to_call, stack| {
            let allowed = Bounds { to_call, raise_cap: 10, stack };
            Foul::Illegal { chips, problem: allowed.bet(chips).unwrap_err(), allowed }.in_public()
        };
        assert_eq!(say(4, 5, 300), "bet 4 chips when 5 to 15 were allowed");
        assert_eq!(say(13, 5, 12), "bet 13 chips when 5 to 12 were allowed");
        assert_eq!(say(6, 5, 5), "bet 6 chips when only 5 was allowed");
        assert_eq!(say(5, 5, 4), "bet 5 chips when it could only fold");
    }

    #[test]
    fn fouls_do_not_quote_the_reply() {
        let marker = "octocat-4711";
        let sent = || marker.to_string();
        for fault in [Fault::Malformed { sent: sent() }, Fault::Stray { sent: sent() }] {
            let foul = Foul::Fault { fault, allowed: None };
            assert!(foul.to_string().contains(marker));
            assert!(!foul.in_public().contains(marker));
        }
    }
}
