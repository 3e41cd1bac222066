//! Fouls and exits in words that everybody may read. They never quote what a program sent.

use super::foul::time_allowed;
use super::{ExitReason, Fault, Foul, FrameFault};

/// Why a player leaves, in public words. Unlike what the player itself is told, this never quotes what a program
/// sent: a program can send anything, somebody's GitHubId too.
pub fn exit_in_public(why: &ExitReason) -> String {
    match why {
        ExitReason::Broke { chips: 0, .. } => "ran out of chips".to_string(),
        ExitReason::Broke { chips, ante } => {
            format!("has {chips} chips left, too few for the ante of {ante}")
        }
        ExitReason::Foul(foul) => foul_in_public(foul),
        ExitReason::Champion { .. } | ExitReason::RoundsPlayed { .. } => "was in until the end".to_string(),
        ExitReason::Eliminated { .. } => "somebody else at the table went on".to_string(),
        ExitReason::EventOver { .. } => "was in until the end".to_string(),
        ExitReason::Stopped { .. } => "was in when the tournament was stopped".to_string(),
    }
}

/// What a player did wrong, in public words.
pub fn foul_in_public(foul: &Foul) -> String {
    let fault = match foul {
        Foul::Illegal { chips, allowed, .. } if allowed.most() < allowed.to_call => {
            return format!("bet {chips} chips when it could only fold");
        }
        Foul::Illegal { chips, allowed, .. } if allowed.to_call == allowed.most() => {
            return format!("bet {chips} chips when only {} was allowed", allowed.to_call);
        }
        Foul::Illegal { chips, allowed, .. } => {
            return format!("bet {chips} chips when {} to {} were allowed", allowed.to_call, allowed.most());
        }
        Foul::Fault { fault, .. } => fault,
    };
    match fault {
        Fault::Malformed { .. } => "answered something that is neither fold nor a bet".to_string(),
        Fault::Late { limit_ms, bank_ms, partial: false } => {
            format!("did not answer within {}", time_allowed(*limit_ms, *bank_ms))
        }
        Fault::Late { limit_ms, bank_ms, partial: true } => {
            format!("sent only half an answer within {}", time_allowed(*limit_ms, *bank_ms))
        }
        Fault::HungUp { partial: false } => "closed its connection".to_string(),
        Fault::HungUp { partial: true } => "closed its connection in the middle of an answer".to_string(),
        Fault::Frame(FrameFault::TooLong { length, .. }) => {
            format!("announced an answer of {length} bytes, far too long")
        }
        Fault::Frame(FrameFault::BadText) => "sent bytes that are no text".to_string(),
        Fault::Stray { .. } => "sent a message nobody had asked for".to_string(),
        Fault::Deaf => "does not read what it is sent".to_string(),
        Fault::Removed { reason } => format!("was removed: {reason}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::stud::Bounds;

    /// What could have been bet is said as it was: nothing, one amount or several.
    #[test]
    fn an_illegal_bet_is_shown_beside_what_was_allowed() {
        let say = |chips, to_call, stack| {
            let allowed = Bounds { to_call, raise_cap: 10, stack };
            foul_in_public(&Foul::Illegal { chips, problem: allowed.bet(chips).unwrap_err(), allowed })
        };
        assert_eq!(say(4, 5, 300), "bet 4 chips when 5 to 15 were allowed");
        assert_eq!(say(13, 5, 12), "bet 13 chips when 5 to 12 were allowed");
        assert_eq!(say(6, 5, 5), "bet 6 chips when only 5 was allowed");
        assert_eq!(say(5, 5, 4), "bet 5 chips when it could only fold");
    }

    #[test]
    fn everybody_may_read_why_a_player_left() {
        let broke = |chips| exit_in_public(&ExitReason::Broke { chips, ante: 5 });
        assert_eq!(broke(0), "ran out of chips");
        assert_eq!(broke(3), "has 3 chips left, too few for the ante of 5");
        let foul =
            Foul::Fault { fault: Fault::Late { limit_ms: 900, bank_ms: 0, partial: false }, allowed: None };
        assert_eq!(exit_in_public(&ExitReason::Foul(foul)), "did not answer within 900 ms");
        let stayed = "was in until the end";
        assert_eq!(exit_in_public(&ExitReason::Champion { chips: 9 }), stayed);
        assert_eq!(exit_in_public(&ExitReason::EventOver { place: 2, players: 9 }), stayed);
    }

    #[test]
    fn no_foul_quotes_what_was_sent() {
        let marker = "octocat-4711";
        let sent = || marker.to_string();
        for fault in [Fault::Malformed { sent: sent() }, Fault::Stray { sent: sent() }] {
            let foul = Foul::Fault { fault, allowed: None };
            assert!(foul.to_string().contains(marker));
            assert!(!foul_in_public(&foul).contains(marker));
        }
    }
}
