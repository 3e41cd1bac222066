//! What a player can do wrong, and the sentences that describe it.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::stud::{Bounds, Chips, IllegalBet};

use super::escape::escape;

/// Why there is no reply of a player that could be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
    Frame(FrameFault),
    /// The player sent a message that nobody had asked for.
    Stray {
        /// The text as decoded, as far as it could be.
        sent: String,
    },
    /// The player does not read what it is told, so nothing more can be sent to it.
    Deaf,
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

/// The time that a player had for a reply, in words.
pub(super) fn time_allowed(limit_ms: u64, bank_ms: u64) -> String {
    match bank_ms {
        0 => format!("{limit_ms} ms"),
        _ => format!("{limit_ms} ms and a time bank of {bank_ms} ms"),
    }
}

/// What is wrong with a frame (R21).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "frame", rename_all = "snake_case")]
pub enum FrameFault {
    /// The header gives a length over the cap, so the frame is refused before its bytes come.
    TooLong {
        /// The length the header claims, in bytes.
        length: u16,
        /// The most bytes a reply may have.
        cap: u16,
    },
    /// The frame's bytes are no modified UTF-8.
    BadText,
}

/// What stands in place of a text that is not shown.
pub(crate) const HIDDEN: &str = "(not shown here)";

impl Fault {
    /// The same without the text that the program sent, if that text is a secret.
    #[must_use]
    pub fn hiding(&self, is_secret: impl FnOnce(&str) -> bool) -> Fault {
        let mut fault = self.clone();
        if let Fault::Malformed { sent } | Fault::Stray { sent } = &mut fault
            && is_secret(sent)
        {
            *sent = HIDDEN.to_string();
        }
        fault
    }

    /// Whether the player cannot go on even where a foul costs only the hand (R19), because its connection is of no use.
    pub fn is_final(&self) -> bool {
        match self {
            Fault::HungUp { .. } | Fault::Deaf | Fault::Removed { .. } => true,
            Fault::Frame(FrameFault::TooLong { .. }) => true,
            Fault::Frame(FrameFault::BadText) => false,
            Fault::Malformed { .. } | Fault::Late { .. } | Fault::Stray { .. } => false,
        }
    }
}

/// A foul (R18): what was sent, and what was allowed. It displays as what follows "your program" in a sentence, and says
/// how to fix it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Foul {
    /// The player bet an amount that it cannot bet.
    Illegal {
        /// The amount of the bet, in chips.
        chips: Chips,
        /// What is wrong with the amount.
        problem: IllegalBet,
        /// What the player was allowed to bet.
        allowed: Bounds,
    },
    /// There was no reply that could be read.
    Fault {
        /// What happened instead of a reply.
        fault: Fault,
        /// What was allowed, if the player had been asked.
        allowed: Option<Bounds>,
    },
}

impl Foul {
    /// The same without the text that the program sent, if that text is a secret.
    #[must_use]
    pub fn hiding(&self, is_secret: impl FnOnce(&str) -> bool) -> Foul {
        match self {
            Foul::Illegal { .. } => self.clone(),
            Foul::Fault { fault, allowed } => {
                Foul::Fault { fault: fault.hiding(is_secret), allowed: *allowed }
            }
        }
    }

    /// What was allowed, if the player had been asked.
    pub fn allowed(&self) -> Option<&Bounds> {
        match self {
            Foul::Illegal { allowed, .. } => Some(allowed),
            Foul::Fault { allowed, .. } => allowed.as_ref(),
        }
    }

    /// What to change in the program, in one sentence.
    pub fn fix(&self) -> &'static str {
        match self {
            Foul::Illegal { problem: IllegalBet::BelowCall, .. } => {
                "Bet at least what is to call, the third number of the question, or fold."
            }
            Foul::Illegal { problem: IllegalBet::AboveCap, .. } => {
                "Bet at most 10 more than what is to call. The amount is what you add now, not a total."
            }
            Foul::Illegal { problem: IllegalBet::AboveStack, .. } => {
                "Never bet more than the stack, the first number of the question."
            }
            Foul::Fault { fault, .. } => match fault {
                Fault::Malformed { .. } => {
                    "Answer exactly \"fold\", or \"bet:\" and a whole number such as \"bet:12\"."
                }
                Fault::Late { partial: false, .. } => {
                    "Answer every question at once, flush after writing, and read messages in one place only."
                }
                Fault::Late { partial: true, .. } => {
                    "Write each reply with one writeUTF, and flush after it."
                }
                Fault::HungUp { .. } => {
                    "Look at the last lines that the program printed, and at what ends its loop: it left in the middle of the game."
                }
                Fault::Frame(_) => "Write replies with writeUTF, and nothing else to the connection.",
                Fault::Stray { .. } => "Write one reply for each question, and none for any other message.",
                Fault::Deaf => "Read every message, also those that want no reply.",
                Fault::Removed { .. } => "Ask the teacher: no rule was broken.",
            },
        }
    }

    /// A short name for tables and gradebooks: "illegal bet", "late", …
    pub fn name(&self) -> &'static str {
        match self {
            Foul::Illegal { .. } => "illegal bet",
            Foul::Fault { fault, .. } => match fault {
                Fault::Malformed { .. } => "unreadable reply",
                Fault::Late { .. } => "no reply in time",
                Fault::HungUp { .. } => "connection closed",
                Fault::Frame(_) => "unreadable frame",
                Fault::Stray { .. } => "reply nobody asked for",
                Fault::Deaf => "does not read",
                Fault::Removed { .. } => "removed",
            },
        }
    }
}

impl std::error::Error for Foul {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Foul::Illegal { problem, .. } => Some(problem),
            Foul::Fault { fault, .. } => Some(fault),
        }
    }
}

impl fmt::Display for Foul {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Foul::Illegal { chips, problem, allowed } => {
                let sent = format!("bet:{chips}");
                write!(f, "answered {}, {}. ", escape(&sent), Wrong(*problem, allowed))?;
                write!(f, "Allowed was: {allowed}. {}", remedy(*problem, *chips))
            }
            Foul::Fault { fault, allowed } => {
                write!(f, "{fault}.")?;
                // A stray message comes before the question, which is then never sent.
                let answers_nothing = matches!(fault, Fault::Removed { .. } | Fault::Stray { .. });
                if let (Some(allowed), false) = (allowed, answers_nothing) {
                    write!(f, " Allowed was: {allowed}.")?;
                }
                match fault_remedy(fault) {
                    "" => Ok(()),
                    remedy => write!(f, " {remedy}"),
                }
            }
        }
    }
}

const BELOW_CALL: &str = "An amount has to cover what is to call; a raise comes on top of it.";

const ABOVE_CAP: &str = "Cut the amount to what is to call and the largest raise. If it was meant as a total for the \
                         round: an amount is what is added now.";

const LATE: &str = "Perhaps it takes too long, does not flush what it writes, waits for another message after its \
                    last bet, or has a path on which it writes no reply.";

struct Wrong<'a>(IllegalBet, &'a Bounds);

impl fmt::Display for Wrong<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Wrong(problem, allowed) = self;
        match problem {
            IllegalBet::BelowCall => write!(f, "less than the {} it takes to call", allowed.to_call),
            IllegalBet::AboveCap => {
                write!(f, "more than {} over the {} to call", allowed.raise_cap, allowed.to_call)
            }
            IllegalBet::AboveStack => write!(f, "more than the {} chips in its stack", allowed.stack),
        }
    }
}

fn remedy(problem: IllegalBet, chips: Chips) -> &'static str {
    match problem {
        IllegalBet::BelowCall if chips == 0 => "A bet of 0 is possible only when nothing is to call.",
        IllegalBet::BelowCall => BELOW_CALL,
        IllegalBet::AboveCap => ABOVE_CAP,
        IllegalBet::AboveStack => "Compare the amount with the stack, the first number of every question.",
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Malformed { sent } => {
                write!(f, "answered {}, which is no reply{}", escape(sent), malformation(sent))
            }
            Fault::Late { limit_ms, bank_ms, partial: false } => {
                write!(f, "gave no answer within {}", time_allowed(*limit_ms, *bank_ms))
            }
            Fault::Late { limit_ms, bank_ms, partial: true } => {
                write!(f, "sent only a part of a message within {}", time_allowed(*limit_ms, *bank_ms))
            }
            Fault::HungUp { partial: false } => write!(f, "closed its connection"),
            Fault::HungUp { partial: true } => {
                write!(f, "closed its connection in the middle of a message")
            }
            Fault::Frame(fault) => write!(f, "sent {fault}"),
            Fault::Stray { sent } if sent.is_empty() => write!(f, "sent a message nobody asked for"),
            Fault::Stray { sent } => write!(f, "sent {} when nobody had asked", escape(sent)),
            Fault::Deaf => write!(f, "does not read what it is sent"),
            Fault::Removed { reason } => write!(f, "was removed by the people in charge: {}", escape(reason)),
        }
    }
}

impl std::error::Error for Fault {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Fault::Frame(fault) => Some(fault),
            _ => None,
        }
    }
}

impl fmt::Display for FrameFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FrameFault::TooLong { length, cap } => {
                write!(f, "a message that says it is {length} bytes long, where no reply has more than {cap}")
            }
            FrameFault::BadText => write!(f, "bytes that readUTF would not accept"),
        }
    }
}

impl std::error::Error for FrameFault {}

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

fn fault_remedy(fault: &Fault) -> &'static str {
    match fault {
        Fault::Malformed { .. } => {
            "A reply is \"fold\" or \"bet:\" and a whole number, like \"bet:12\". Only a question wants one."
        }
        Fault::Late { partial: false, .. } => LATE,
        Fault::Late { partial: true, .. } => "Write each reply with one writeUTF and then flush.",
        Fault::HungUp { .. } => {
            "It ended, or closed the connection itself, in the middle of the game: look at what it printed last and what ends its loop."
        }
        Fault::Frame(_) => {
            "Write replies with writeUTF: two bytes of length, high byte first, then the text. Nothing else may \
             be written to the connection."
        }
        Fault::Stray { .. } => {
            "Write exactly one reply for each question and none for any other message. A program that answers \
             every message is one message behind from then on."
        }
        Fault::Deaf => "Read every message, also those that want no reply.",
        Fault::Removed { .. } => "",
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
    fn an_illegal_amount_is_shown_with_what_was_allowed_and_what_to_fix() {
        let allowed = "Allowed was: fold, or bet 5 to 12 (5 to call, at most 10 more, 12 in the stack).";
        assert_eq!(
            illegal(0),
            format!(
                "answered \"bet:0\", less than the 5 it takes to call. {allowed} A bet of 0 is possible only \
                 when nothing is to call."
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
            ("reply nobody asked for", Fault::Stray { sent: sent() }),
            ("reply nobody asked for", Fault::Stray { sent: String::new() }),
            ("does not read", Fault::Deaf),
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

    /// Students read what happened, what was allowed and what to do, once at their last word and once in a report.
    #[test]
    fn every_foul_has_its_name_its_cause_and_a_remedy() {
        let mut sentences = std::collections::BTreeSet::new();
        for (name, foul) in all_fouls() {
            assert_eq!(foul.name(), name);
            let fix = foul.fix();
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

    /// A message that nobody asked for is quoted, unless there is nothing in it.
    #[test]
    fn a_stray_message_is_quoted() {
        let say = |sent: &str| Fault::Stray { sent: sent.to_string() }.to_string();
        assert_eq!(say(""), "sent a message nobody asked for");
        assert_eq!(say("bet:5"), "sent \"bet:5\" when nobody had asked");
    }

    #[test]
    fn a_remedy_fits_the_mistake() {
        let remedy = |fault| Foul::Fault { fault, allowed: None }.to_string();
        assert!(illegal(4).ends_with(BELOW_CALL) && illegal(16).ends_with(ABOVE_CAP));
        assert!(illegal(13).ends_with("the first number of every question."));
        assert!(remedy(Fault::Late { limit_ms: 9, bank_ms: 0, partial: false }).ends_with(LATE));
        assert!(
            remedy(Fault::Late { limit_ms: 9, bank_ms: 0, partial: true })
                .ends_with("one writeUTF and then flush.")
        );
        assert!(remedy(Fault::Deaf).ends_with("Read every message, also those that want no reply."));
        let removed = Fault::Removed { reason: "asleep".to_string() };
        assert_eq!(remedy(removed), "was removed by the people in charge: \"asleep\".");
    }
}
