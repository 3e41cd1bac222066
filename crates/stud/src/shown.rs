//! Makes foreign text safe for a terminal.

use std::borrow::Cow;
use std::fmt::{self, Write};
use std::path::Path;

/// The longest line of a stranger that a sentence or a report shows whole, in bytes.
const MAX_SHOWN_LINE_BYTES: usize = 400;

/// The longest text of a stranger that a report shows whole, in bytes.
const MAX_SHOWN_TEXT_BYTES: usize = 6_000;

/// Whether a terminal would interpret this character, or a reader could not see it: control characters, direction
/// marks, zero-width characters. The joiner of emoji is allowed: names may contain it.
pub fn acts_or_hides(letter: char) -> bool {
    let hides = matches!(letter,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}');
    letter.is_control() || hides
}

/// A piece of foreign text as part of a one-line sentence: characters that [`acts_or_hides`] are escaped, like
/// `\u001b`.
pub fn one_line(text: &str) -> Cow<'_, str> {
    written_out(text, usize::MAX, acts_or_hides)
}

/// Like [`one_line`], but cut after 400 bytes, for texts of any length such as a program's output.
pub fn short_line(text: &str) -> Cow<'_, str> {
    written_out(text, MAX_SHOWN_LINE_BYTES, acts_or_hides)
}

/// A line that is quoted as a program printed it: as [`short_line`], but tabs stay.
pub fn quoted_line(text: &str) -> Cow<'_, str> {
    written_out(text, MAX_SHOWN_LINE_BYTES, |letter| letter != '\t' && acts_or_hides(letter))
}

/// A text of several lines as part of a report: characters that [`acts_or_hides`] or that XML cannot hold are escaped,
/// but line feeds and tabs stay. Cut after 6,000 bytes.
pub fn short_text(text: &str) -> Cow<'_, str> {
    let no_xml = |letter| matches!(letter, '\u{fffe}' | '\u{ffff}');
    written_out(text, MAX_SHOWN_TEXT_BYTES, |letter| {
        !matches!(letter, '\n' | '\t') && (acts_or_hides(letter) || no_xml(letter))
    })
}

/// A number of things: `1 round`, `2 rounds`. The plural ends with an s.
pub fn count<T: fmt::Display + PartialEq + From<u8>>(number: T, thing: &str) -> String {
    let plural = if number == T::from(1) { "" } else { "s" };
    format!("{number} {thing}{plural}")
}

/// A path as part of a sentence: names of files that were found, and not typed, are texts of strangers too.
pub fn path(path: &Path) -> String {
    one_line(&path.to_string_lossy()).into_owned()
}

/// A text of any number of lines: as [`one_line`], but line feeds and tabs stay.
pub fn lines(text: &str) -> Cow<'_, str> {
    written_out(text, usize::MAX, |letter| acts_or_hides(letter) && !matches!(letter, '\n' | '\t'))
}

/// As [`lines`], but the colours stay that a program gives its own words: the sequences `ESC [ NUMBERS m`.
pub fn lines_in_colour(text: &str) -> Cow<'_, str> {
    let is_colour = |rest: &str| {
        let numbers = rest
            .strip_prefix('[')
            .map(|rest| rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';'));
        numbers.is_some_and(|rest| rest.starts_with('m'))
    };
    if !text.contains('\u{1b}') {
        return lines(text);
    }
    let mut shown = String::with_capacity(text.len());
    for (index, part) in text.split('\u{1b}').enumerate() {
        if index > 0 {
            shown.push_str(if is_colour(part) { "\u{1b}" } else { "\\u001b" });
        }
        shown.push_str(&lines(part));
    }
    Cow::Owned(shown)
}

/// The escapes are those of JSON, so valid JSON stays valid.
fn written_out(text: &str, longest: usize, is_written_out: impl Fn(char) -> bool) -> Cow<'_, str> {
    let is_plain = |byte: u8| matches!(byte, b' '..=b'~');
    if text.len() <= longest && (text.bytes().all(is_plain) || !text.contains(&is_written_out)) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len().min(longest) + 16);
    for letter in text.chars() {
        if is_written_out(letter) {
            for unit in letter.encode_utf16(&mut [0; 2]) {
                write!(shown, "\\u{unit:04x}").expect("a String takes every text");
            }
        } else {
            shown.push(letter);
        }
        if shown.len() > longest {
            shown.push('…');
            break;
        }
    }
    Cow::Owned(shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_thing_has_no_plural() {
        let counts = [count(0, "round"), count(1_u64, "round"), count(2_usize, "chip")];
        assert_eq!(counts, ["0 rounds", "1 round", "2 chips"]);
    }

    #[test]
    fn terminal_control_characters_are_escaped() {
        let hostile = "a\u{1b}]0;x\u{7}b\u{9b}2Jc\u{202e}d\r\n\te\u{7f}\u{e0041}";
        assert_eq!(
            one_line(hostile),
            r"a\u001b]0;x\u0007b\u009b2Jc\u202ed\u000d\u000a\u0009e\u007f\udb40\udc41"
        );
        assert_eq!(lines(hostile), "a\\u001b]0;x\\u0007b\\u009b2Jc\\u202ed\\u000d\n\te\\u007f\\udb40\\udc41");
        for plain in ["", "plain", "für 李小龍 👩\u{200D}💻 ♠\u{FE0F} الآس …"] {
            assert_eq!(one_line(plain), plain);
        }
    }

    #[test]
    fn long_texts_are_cut() {
        assert_eq!(short_line(&"x".repeat(10_000)), format!("{}…", "x".repeat(MAX_SHOWN_LINE_BYTES + 1)));
        assert_eq!(short_line(&"x".repeat(MAX_SHOWN_LINE_BYTES)), "x".repeat(MAX_SHOWN_LINE_BYTES));
        assert_eq!(short_text("a\n\u{1b}\u{fffe}"), "a\n\\u001b\\ufffe");
    }

    #[test]
    fn only_color_codes_survive_terminal_escaping() {
        assert_eq!(lines_in_colour("\u{1b}[1;31mred\u{1b}[0m\n"), "\u{1b}[1;31mred\u{1b}[0m\n");
        let hostile = "\u{1b}[2J\u{1b}]0;x\u{7}\u{1b}[31;mm\u{1b}[31\u{9b}m\u{1b}";
        assert_eq!(
            lines_in_colour(hostile),
            "\\u001b[2J\\u001b]0;x\\u0007\u{1b}[31;mm\\u001b[31\\u009bm\\u001b"
        );
    }

    #[test]
    fn escaped_json_is_equivalent_json() {
        let value = serde_json::Value::from("a\u{9b}\u{202e}\u{e0041}\u{7f}\n");
        let text = value.to_string();
        assert_ne!(lines(&text), text);
        assert_eq!(serde_json::from_str::<serde_json::Value>(&lines(&text)).unwrap(), value);
    }
}
