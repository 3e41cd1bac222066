//! Making texts harmless for formats with markup.

use std::fmt::Write;

use html_escape::encode_double_quoted_attribute;

use casino_stud::shown::acts_or_hides;

/// The longest text that is shown, in bytes.
const LONGEST: usize = 6_000;

/// The longest line on a terminal that is shown, in bytes.
pub(super) const LONGEST_LINE: usize = 400;

/// The text with all invisible characters written out: control characters but line feeds, changes of the writing
/// direction, characters without width, and what XML cannot hold. Cut if it is very long.
pub(super) fn visible(text: &str) -> String {
    let no_xml = |letter| matches!(letter, '\u{fffe}' | '\u{ffff}');
    written_out(text, LONGEST, |letter| letter != '\n' && (acts_or_hides(letter) || no_xml(letter)))
}

/// The text without anything that a terminal would obey or that a reader could not see: control characters,
/// changes of the writing direction, characters without width.
pub fn harmless(text: &str) -> String {
    written_out(text, LONGEST_LINE, acts_or_hides)
}

/// The text with these letters as escapes, and cut where it gets longer than this many bytes.
fn written_out(text: &str, longest: usize, is_escaped: impl Fn(char) -> bool) -> String {
    let mut shown = String::new();
    for letter in text.chars() {
        if is_escaped(letter) {
            shown.extend(letter.escape_default());
        } else {
            shown.push(letter);
        }
        if shown.len() > longest {
            shown.push('…');
            break;
        }
    }
    shown
}

/// The text as text between the tags of HTML or XML, or in a quoted attribute.
pub(super) fn markup(text: &str) -> String {
    encode_double_quoted_attribute(&visible(text)).replace('\'', "&#39;")
}

/// The text as plain text of Markdown, on one line.
pub(super) fn markdown(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in visible(text).chars() {
        match letter {
            '\n' => escaped.push(' '),
            '<' => escaped.push_str("&lt;"),
            '&' => escaped.push_str("&amp;"),
            '\\' | '`' | '*' | '_' | '{' | '}' | '[' | ']' | '(' | ')' | '#' | '+' | '!' | '|' | '~'
            | '>' | '@' => {
                write!(escaped, "\\{letter}").expect("a String takes every text");
            }
            _ => escaped.push(letter),
        }
    }
    escaped
}

/// The text as a block of code of Markdown, whatever backticks are in it.
pub(super) fn code_block(text: &str) -> String {
    let text = visible(text);
    let longest = text.split(|letter| letter != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}text\n{text}\n{fence}\n")
}
