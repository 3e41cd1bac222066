//! Recognizes how bytes were written that are not a message.

use super::Cause;

/// The framing or encoding fault that bytes show; `None` if they show none.
pub(super) fn framing(raw: &[u8]) -> Option<Cause> {
    let plain = |bytes: &[u8]| {
        !bytes.is_empty()
            && std::str::from_utf8(bytes).is_ok_and(|text| !text.trim_end().contains(char::is_control))
    };
    let [first, second, rest @ ..] = raw else { return None };
    let big = usize::from(u16::from_be_bytes([*first, *second]));
    let little = usize::from(u16::from_le_bytes([*first, *second]));
    if let [0, 0, third, fourth, text @ ..] = raw
        && plain(text)
        && usize::from(u16::from_be_bytes([*third, *fourth])) <= text.len()
    {
        return Some(Cause::LongLength);
    }
    if raw.starts_with(&[0xAC, 0xED]) {
        return Some(Cause::ObjectStream);
    }
    if *first == 0
        && raw.len() >= 4
        && raw.chunks(2).all(|pair| pair[0] == 0 && pair.get(1).is_none_or(|c| *c >= b' '))
    {
        return Some(Cause::WideText);
    }
    if let [_, _, third, fourth, text @ ..] = raw
        && usize::from(u16::from_be_bytes([*third, *fourth])) == text.len()
        && !text.is_empty()
        && (big == text.len() || big == text.len() + 2)
    {
        return Some(Cause::LengthTwice);
    }
    if big == rest.len() {
        let Ok(utf8) = std::str::from_utf8(rest) else {
            let letters = rest.iter().any(u8::is_ascii_alphabetic)
                && rest.iter().all(|byte| *byte != 0xED && matches!(byte, b' '..=b'~' | 0xA0..));
            return letters.then_some(Cause::OtherEncoding);
        };
        return utf8.chars().any(|c| c.len_utf8() == 4).then_some(Cause::PlainUtf8);
    }
    if let Some((text, more)) = rest.split_at_checked(big)
        && plain(text)
        && !more.is_empty()
        && more.iter().all(|byte| *byte == 0)
    {
        return Some(Cause::ExtraBytes);
    }
    if !plain(rest) {
        return None;
    }
    if little == rest.len() {
        return Some(Cause::LittleEndian);
    }
    if big == raw.len() {
        return Some(Cause::LengthCountsItself);
    }
    if std::str::from_utf8(rest).is_ok_and(|text| text.chars().count() == big && text.len() > big) {
        return Some(Cause::LengthInCharacters);
    }
    if plain(raw) && *first >= b' ' {
        return Some(if raw.ends_with(b"\n") { Cause::Println } else { Cause::NoLength });
    }
    if usize::from(*first) == raw.len() - 1 {
        return Some(Cause::ShortLength);
    }
    let is_next_message = |more: &[u8]| {
        more.first_chunk().is_some_and(|size| usize::from(u16::from_be_bytes(*size)) == more.len() - 2)
    };
    match rest.split_at_checked(big) {
        Some((text, more)) if big > 0 && plain(text) && !is_next_message(more) => Some(Cause::ExtraBytes),
        _ => None,
    }
}
