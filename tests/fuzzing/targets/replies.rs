//! Any bytes as a reply, in any situation: parsing, legality, and the message to the player.

use casino_stud::protocol::{read_reply, read_stray};
use casino_stud::stud::{Bounds, IllegalBet};
use casino_stud::table::{Fault, Foul, FrameFault, Reply};

use super::check;
use super::dice::Dice;
use super::second_decoder;

/// Words that no sentence to a player may contain (R15).
const COMMAND_WORDS: [&str; 5] = ["login", "bet1", "bet2", "status", "done"];

pub fn body(input: &[u8]) {
    let mut dice = Dice::of(input);
    let allowed = Bounds { to_call: dice.number(), raise_cap: dice.number(), stack: dice.number() };
    let payload = dice.rest();
    let answer = read_reply(payload);
    assert_eq!(answer, expected(payload));
    match answer {
        Ok(reply) => {
            assert_eq!(read_reply(reply.to_string().as_bytes()), Ok(reply));
            legalise(reply, allowed);
        }
        Err(fault) => told(Foul::Fault { fault, allowed: Some(allowed) }),
    }
    told(Foul::Fault { fault: read_stray(payload), allowed: None });
}

/// R22, implemented in another way: `fold`, or `bet:` and a number as Rust writes it.
fn expected(payload: &[u8]) -> Result<Reply, Fault> {
    let text = second_decoder::text(payload).ok_or(Fault::Frame(FrameFault::BadText))?;
    let chips = text.strip_prefix("bet:").and_then(|digits| {
        let number: u32 = digits.parse().ok()?;
        (number.to_string() == digits).then_some(number)
    });
    match chips {
        Some(chips) => Ok(Reply::Bet(chips)),
        None if text == "fold" => Ok(Reply::Fold),
        None => Err(Fault::Malformed { sent: text }),
    }
}

/// R7 in wider integers: at least the amount to call, at most the cap over it, and never more than the stack.
fn legalise(reply: Reply, allowed: Bounds) {
    let Reply::Bet(chips) = reply else {
        assert!(reply.legalise(&allowed).is_ok_and(|action| action.chips().is_none()));
        return;
    };
    let [bet, to_call, cap, stack] =
        [chips, allowed.to_call, allowed.raise_cap, allowed.stack].map(u64::from);
    let problem = if bet < to_call {
        Some(IllegalBet::BelowCall)
    } else if bet > to_call + cap {
        Some(IllegalBet::AboveCap)
    } else if bet > stack {
        Some(IllegalBet::AboveStack)
    } else {
        None
    };
    // This number exceeds every stack: it is treated as a fold.
    let problem = problem.or((chips == u32::MAX).then_some(IllegalBet::AboveStack));
    match (reply.legalise(&allowed), problem) {
        (Ok(action), None) => assert_eq!(action.chips(), Some(chips)),
        (Err(found), Some(problem)) => {
            assert_eq!(found, problem, "bet:{chips} with {allowed}");
            told(Foul::Illegal { chips, problem, allowed });
        }
        (found, problem) => panic!("bet:{chips} with {allowed}: {found:?}, not {problem:?}"),
    }
}

fn told(foul: Foul) {
    let words = foul.to_string();
    check::sentence(&words);
    check::sentence(foul.remedy());
    assert!(words.len() < 4_000, "longer than a frame of a reason");
    for command in COMMAND_WORDS {
        assert!(!words.contains(command), "{command} in: {words}");
    }
}
