//! The last word to a player.

use std::fmt;

use crate::stud::Chips;

use super::{Fault, Foul};

/// Why a player is told `done` (R15): a plain sentence, and never one that names a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Farewell {
    /// Too few chips for the next ante.
    Broke {
        /// What is left, in chips.
        chips: Chips,
        /// The next ante, in chips.
        ante: Chips,
    },
    /// Thrown out for a foul.
    Foul(Foul),
    /// The last one in.
    Champion {
        /// The champion's chips.
        chips: Chips,
    },
    /// The set number of rounds has been played.
    RoundsPlayed {
        /// How many.
        rounds: u64,
        /// The player's chips.
        chips: Chips,
        /// The player's place, from 1.
        place: usize,
        /// How many players there were.
        players: usize,
    },
    /// Others at the table go on to the next level of the event.
    Eliminated {
        /// The player's chips.
        chips: Chips,
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
        /// Why, in the words of whoever stopped it.
        why: String,
    },
}

impl Farewell {
    /// The same without what the program sent, if that is a secret.
    #[must_use]
    pub fn hiding(&self, is_secret: impl FnOnce(&str) -> bool) -> Farewell {
        let mut farewell = self.clone();
        if let Farewell::Foul(Foul::Fault {
            fault: Fault::Malformed { sent } | Fault::Stray { sent }, ..
        }) = &mut farewell
            && is_secret(sent)
        {
            *sent = "(not shown here)".to_string();
        }
        farewell
    }

    /// A short name for tables: "out of chips", "late", …
    pub fn name(&self) -> &'static str {
        match self {
            Farewell::Broke { .. } => "out of chips",
            Farewell::Foul(foul) => foul.name(),
            Farewell::Champion { .. } => "won",
            Farewell::RoundsPlayed { .. } => "all rounds played",
            Farewell::Eliminated { .. } => "beaten",
            Farewell::EventOver { .. } => "all levels played",
            Farewell::Stopped { .. } => "stopped",
        }
    }
}

impl fmt::Display for Farewell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Farewell::Broke { chips: 0, .. } => {
                write!(f, "You have no chips left for the next ante. Thank you for playing.")
            }
            Farewell::Broke { chips, ante } => {
                write!(f, "You have {chips} chips left, too few for the next ante of {ante}.")?;
                write!(f, " Thank you for playing.")
            }
            Farewell::Foul(foul) => write!(f, "You are out of the game. Your program {foul}"),
            Farewell::Champion { chips } => {
                write!(f, "You won the tournament with {chips} chips. Congratulations!")
            }
            Farewell::RoundsPlayed { rounds, chips, place, players } => write!(
                f,
                "The last of {rounds} rounds has been played. You finish in place {place} of {players} with \
                 {chips} chips. Thank you for playing."
            ),
            Farewell::Eliminated { chips } => write!(
                f,
                "The rounds at your table have been played, and somebody else goes on. You are out with {chips} \
                 chips. Thank you for playing."
            ),
            Farewell::EventOver { place, players } => write!(
                f,
                "The whole event has been played. You finish in place {place} of {players}. Thank you for playing."
            ),
            Farewell::Stopped { why } => write!(f, "The tournament was stopped: {why}."),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::FrameFault;
    use super::super::quote::COMMAND_WORDS;
    use super::*;
    use crate::stud::{Bounds, IllegalBet};

    /// R15, for every kind of farewell and hostile texts in it.
    #[test]
    fn no_farewell_names_a_command_or_is_empty() {
        let allowed = Bounds { to_call: 5, raise_cap: 10, stack: 12 };
        let evil = "login:bet1 bet2\u{7}status:done".to_string();
        let mut faults = vec![Fault::Deaf, Fault::Frame(FrameFault::BadText)];
        faults.push(Fault::Frame(FrameFault::TooLong { length: 65535, cap: 1024 }));
        faults.extend([Fault::Malformed { sent: evil.clone() }, Fault::Stray { sent: evil.clone() }]);
        faults.extend([Fault::Removed { reason: evil.clone() }, Fault::Stray { sent: String::new() }]);
        for partial in [false, true] {
            faults.extend([Fault::Late { limit_ms: 1000, partial }, Fault::HungUp { partial }]);
        }
        let mut farewells: Vec<Farewell> = faults
            .into_iter()
            .flat_map(|fault| {
                [None, Some(allowed)].map(|allowed| Foul::Fault { fault: fault.clone(), allowed })
            })
            .map(Farewell::Foul)
            .collect();
        for problem in [IllegalBet::BelowCall, IllegalBet::AboveCap, IllegalBet::AboveStack] {
            for chips in [0, 1, 2] {
                farewells.push(Farewell::Foul(Foul::Illegal { chips, problem, allowed }));
            }
        }
        farewells.extend([Farewell::Broke { chips: 0, ante: 1 }, Farewell::Broke { chips: 3, ante: 5 }]);
        farewells.push(Farewell::Champion { chips: 3000 });
        farewells.extend([Farewell::Eliminated { chips: 1 }, Farewell::EventOver { place: 9, players: 100 }]);
        farewells.push(Farewell::RoundsPlayed { rounds: 12, chips: 1, place: 2, players: 12 });
        for farewell in farewells {
            let text = farewell.to_string();
            assert!(text.len() > 20 && text.ends_with(['.', '!', '"']), "{text}");
            assert!(COMMAND_WORDS.iter().all(|word| !text.contains(word)), "{text}");
            assert!(!text.contains(char::is_control), "{text}");
            assert!(text.len() < 700, "{text}");
        }
    }
}
