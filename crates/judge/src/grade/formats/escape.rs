//! Making texts harmless for formats with markup.

use std::fmt::Write;

use html_escape::encode_double_quoted_attribute;

use casino_stud::shown::short_text;

/// The text as text between the tags of HTML or XML, or in a quoted attribute.
pub(super) fn markup(text: &str) -> String {
    encode_double_quoted_attribute(&short_text(text)).replace('\'', "&#39;")
}

/// The text as plain text of Markdown, on one line.
pub(super) fn markdown(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in short_text(text).chars() {
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
    let text = short_text(text);
    let longest = text.split(|letter| letter != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}text\n{text}\n{fence}\n")
}
