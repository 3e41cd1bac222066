//! The reason of an exit, as a sentence to the player.

use std::fmt;

use crate::stud::Chips;

use super::{Fault, Foul, FoulTally};

/// The reason for a player's `done` (R15). It displays as a plain sentence without any command name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExitReason {
    /// The player has too few chips for the next ante.
    Busted {
        /// The chips it has left.
        chips: Chips,
        /// The next ante, in chips.
        ante: Chips,
    },
    /// The player is sent out for a foul.
    Foul(Foul),
    /// The player is the last one in, and has won.
    Champion {
        /// The chips that the champion has.
        chips: Chips,
    },
    /// The set number of rounds has been played.
    RoundsPlayed {
        /// How many rounds were played.
        rounds: u64,
        /// The chips that the player has.
        chips: Chips,
        /// The player's place, from 1.
        place: usize,
        /// How many players there were.
        players: usize,
    },
    /// All levels of the event have been played.
    EventOver {
        /// The player's place, from 1.
        place: usize,
        /// How many players there were.
        players: usize,
    },
    /// The tournament was stopped before its end.
    Stopped {
        /// The reason, in the words of the person or program that stopped it.
        why: String,
    },
}

impl ExitReason {
    /// The same reason with another form of its fault, if it has one.
    #[must_use]
    pub fn with_fault(&self, form: impl FnOnce(&Fault) -> Fault) -> ExitReason {
        match self {
            ExitReason::Foul(foul) => ExitReason::Foul(foul.with_fault(form)),
            other => other.clone(),
        }
    }

    /// The last message to a program: the reason, and the forgiven fouls if there were any (R15, R19).
    pub fn last_word(&self, forgiven: FoulTally) -> String {
        match forgiven.is_empty() {
            true => self.to_string(),
            false => format!("{self} In this rehearsal your program was forgiven {forgiven}."),
        }
    }

    /// The reason in public words. They never quote a message, which may contain a GitHubId.
    pub fn in_public(&self) -> String {
        match self {
            ExitReason::Busted { chips: 0, .. } => "ran out of chips".to_string(),
            ExitReason::Busted { chips, ante } => {
                let plural = if *chips == 1 { "" } else { "s" };
                format!("has {chips} chip{plural} left, too few for the ante of {ante}")
            }
            ExitReason::Foul(foul) => foul.in_public(),
            ExitReason::Champion { .. } | ExitReason::RoundsPlayed { .. } | ExitReason::EventOver { .. } => {
                "was in until the end".to_string()
            }
            ExitReason::Stopped { .. } => "was in when the tournament was stopped".to_string(),
        }
    }

    /// A short name for tables: "out of chips", "no reply in time", …
    pub fn name(&self) -> &'static str {
        match self {
            ExitReason::Busted { .. } => "out of chips",
            ExitReason::Foul(foul) => foul.name(),
            ExitReason::Champion { .. } => "won",
            ExitReason::RoundsPlayed { .. } => "all rounds played",
            ExitReason::EventOver { .. } => "all levels played",
            ExitReason::Stopped { .. } => "stopped",
        }
    }
}

impl fmt::Display for ExitReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExitReason::Busted { chips: 0, .. } => {
                write!(f, "You have no chips left for the next ante. Thank you for playing.")
            }
            ExitReason::Busted { chips, ante } => {
                let plural = if *chips == 1 { "" } else { "s" };
                write!(f, "You have {chips} chip{plural} left, too few for the next ante of {ante}.")?;
                write!(f, " Thank you for playing.")
            }
            ExitReason::Foul(foul) => write!(f, "You are out of the game. Your program {foul}"),
            ExitReason::Champion { chips } => {
                write!(f, "You won the tournament with {chips} chips. Congratulations!")
            }
            ExitReason::RoundsPlayed { rounds, chips, place, players } => write!(
                f,
                "The last of {rounds} rounds has been played. You finish in place {place} of {players} with \
                 {chips} chips. Thank you for playing."
            ),
            ExitReason::EventOver { place, players } => write!(
                f,
                "The whole event has been played. You finish in place {place} of {players}. Thank you for playing."
            ),
            ExitReason::Stopped { why } => write!(f, "The tournament was stopped: {why}."),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::FrameFault;
    use super::super::escape::COMMAND_WORDS;
    use super::*;
    use crate::stud::{Bounds, IllegalBet};

    /// R15, for every kind of farewell and hostile texts in it.
    #[test]
    fn no_farewell_names_a_command_or_is_empty() {
        let allowed = Bounds { to_call: 5, raise_cap: 10, stack: 12 };
        let evil = "login:bet1 bet2\u{7}status:done".to_string();
        let mut faults = vec![Fault::NotReading, Fault::Frame(FrameFault::BadText)];
        faults.push(Fault::Frame(FrameFault::TooLong { length: 65535, cap: 1024 }));
        faults.extend([Fault::Malformed { sent: evil.clone() }, Fault::Stray { sent: evil.clone() }]);
        faults.extend([Fault::Removed { reason: evil.clone() }, Fault::Stray { sent: String::new() }]);
        for partial in [false, true] {
            faults.extend([Fault::Late { limit_ms: 1000, bank_ms: 0, partial }, Fault::HungUp { partial }]);
        }
        let mut exit_reasons: Vec<ExitReason> = faults
            .into_iter()
            .flat_map(|fault| {
                [None, Some(allowed)].map(|allowed| Foul::Fault { fault: fault.clone(), allowed })
            })
            .map(ExitReason::Foul)
            .collect();
        for problem in [IllegalBet::BelowCall, IllegalBet::AboveCap, IllegalBet::AboveStack] {
            for chips in [0, 1, 2] {
                exit_reasons.push(ExitReason::Foul(Foul::Illegal { chips, problem, allowed }));
            }
        }
        exit_reasons
            .extend([ExitReason::Busted { chips: 0, ante: 1 }, ExitReason::Busted { chips: 3, ante: 5 }]);
        exit_reasons.push(ExitReason::Champion { chips: 3000 });
        exit_reasons.push(ExitReason::EventOver { place: 9, players: 100 });
        exit_reasons.push(ExitReason::RoundsPlayed { rounds: 12, chips: 1, place: 2, players: 12 });
        for exit_reason in exit_reasons {
            let text = exit_reason.to_string();
            assert!(text.len() > 20 && text.ends_with(['.', '!', '"']), "{text}");
            assert!(COMMAND_WORDS.iter().all(|word| !text.contains(word)), "{text}");
            assert!(!text.contains(char::is_control), "{text}");
            assert!(text.len() < 700, "{text}");
        }
    }

    fn stray(sent: &str) -> ExitReason {
        ExitReason::Foul(Foul::Fault { fault: Fault::Stray { sent: sent.to_string() }, allowed: None })
    }

    /// A program can send anything, also a secret that others must not read.
    #[test]
    fn exit_reasons_omit_secret_replies() {
        let is_secret = |sent: &str| sent == "octocat-4711";
        let hidden = |sent: &str| stray(sent).with_fault(|fault| fault.hiding(is_secret));
        assert_eq!(hidden("octocat-4711"), stray("(not shown here)"));
        assert_eq!(hidden("hello"), stray("hello"));
        let champion = ExitReason::Champion { chips: 7 };
        assert_eq!(champion.with_fault(|_| Fault::NotReading), champion);
    }

    /// R15 and R19: a rehearsal ends with the fouls that would have ejected the player.
    #[test]
    fn the_done_reason_lists_exactly_the_forgiven_fouls() {
        let champion = ExitReason::Champion { chips: 7 };
        assert_eq!(champion.last_word(FoulTally::default()), champion.to_string());
        let mut forgiven = FoulTally::default();
        let late = Fault::Late { limit_ms: 1_000, bank_ms: 0, partial: false };
        forgiven.add(&Foul::Fault { fault: late, allowed: None }, 3);
        let words = "You won the tournament with 7 chips. Congratulations! In this rehearsal your program was forgiven \
                     1 foul: no reply in time, in round 3.";
        assert_eq!(champion.last_word(forgiven), words);
    }

    #[test]
    fn public_exit_reasons_hold_no_secrets() {
        let broke = |chips| ExitReason::Busted { chips, ante: 5 }.in_public();
        assert_eq!(broke(0), "ran out of chips");
        assert_eq!(broke(3), "has 3 chips left, too few for the ante of 5");
        let foul =
            Foul::Fault { fault: Fault::Late { limit_ms: 900, bank_ms: 0, partial: false }, allowed: None };
        assert_eq!(ExitReason::Foul(foul).in_public(), "did not answer within 900 ms");
        let stayed = "was in until the end";
        assert_eq!(ExitReason::Champion { chips: 9 }.in_public(), stayed);
        assert_eq!(ExitReason::EventOver { place: 2, players: 9 }.in_public(), stayed);
    }

    #[test]
    fn tables_have_a_short_name_for_each_way_to_leave() {
        for (exit_reason, name) in [
            (ExitReason::Busted { chips: 0, ante: 1 }, "out of chips"),
            (stray("x"), "unsolicited message"),
            (ExitReason::Champion { chips: 1 }, "won"),
            (ExitReason::RoundsPlayed { rounds: 1, chips: 1, place: 1, players: 2 }, "all rounds played"),
            (ExitReason::EventOver { place: 1, players: 2 }, "all levels played"),
            (ExitReason::Stopped { why: "fire".to_string() }, "stopped"),
        ] {
            assert_eq!(exit_reason.name(), name);
        }
    }
}
