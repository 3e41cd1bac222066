//! Replies as text (R22).

use crate::stud::Chips;
use crate::table::{Answer, Fault, FrameFault, Reply};

use super::modified_utf8;

/// Reads the payload of a reply frame: `fold`, or `bet:` and ASCII digits without sign, space or leading zero.
pub fn read_reply(payload: &[u8]) -> Answer {
    if let Some(reply) = parse(payload) {
        return Ok(reply);
    }
    // The grammar applies to the decoded text, and Java's reader also accepts overlong forms of these letters.
    let text = modified_utf8::decode(payload).map_err(|_| Fault::Frame(FrameFault::BadText))?;
    parse(text.as_bytes()).ok_or(Fault::Malformed { sent: text })
}

/// Makes the fault of an unrequested message from its payload.
pub fn read_stray(payload: &[u8]) -> Fault {
    Fault::Stray { sent: modified_utf8::decode(payload).unwrap_or_default() }
}

fn parse(text: &[u8]) -> Option<Reply> {
    if text == b"fold" {
        return Some(Reply::Fold);
    }
    let digits = text.strip_prefix(b"bet:")?;
    if digits.is_empty() || (digits[0] == b'0' && digits.len() > 1) {
        return None;
    }
    let mut chips: Chips = 0;
    for digit in digits {
        let value = digit.wrapping_sub(b'0');
        if value > 9 {
            return None;
        }
        chips = chips.checked_mul(10)?.checked_add(Chips::from(value))?;
    }
    Some(Reply::Bet(chips))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn exactly_the_grammar_is_read() {
        assert_eq!(read_reply(b"fold"), Ok(Reply::Fold));
        for (text, chips) in [("bet:0", 0), ("bet:7", 7), ("bet:10", 10), ("bet:4294967295", Chips::MAX)] {
            assert_eq!(read_reply(text.as_bytes()), Ok(Reply::Bet(chips)));
        }
        for text in [
            "",
            "bet",
            "bet:",
            "bet:-5",
            "bet:+5",
            "bet: 5",
            "bet:5 ",
            " bet:5",
            "bet:05",
            "bet:00",
            "bet:5.0",
            "bet:99999999999999999999",
            "bet:4294967296",
            "BET:5",
            "FOLD",
            "Fold",
            "fold ",
            "fold\n",
            "bet:5\n",
            "bet:٥",
            "bet:５",
            "bet:0x5",
            "bet:1e1",
            "5",
            "bet:5:6",
            "login",
            "\u{0}",
        ] {
            let fault = read_reply(&modified_utf8::encode(text)).unwrap_err();
            assert_eq!(fault, Fault::Malformed { sent: text.to_string() });
        }
        assert_eq!(read_reply(&[0xC1, 0xA6, b'o', b'l', b'd']), Ok(Reply::Fold), "an overlong f is an f");
        assert_eq!(read_reply(&[0xFF]), Err(Fault::Frame(FrameFault::BadText)));
    }

    proptest! {
        #[test]
        fn written_replies_are_read_back(chips in any::<Chips>()) {
            let reply = Reply::Bet(chips);
            prop_assert_eq!(read_reply(reply.to_string().as_bytes()), Ok(reply));
        }

        #[test]
        fn read_replies_are_written_unchanged(text in "(fold|bet:?)?[-+ 0-9.]{0,12}") {
            if let Ok(reply) = read_reply(text.as_bytes()) {
                prop_assert_eq!(reply.to_string(), text);
            }
        }
    }
}
