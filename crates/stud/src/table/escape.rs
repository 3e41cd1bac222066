//! Escapes messages of programs for display.

const MAX_SHOWN_CHARS: usize = 60;

/// Returns the text in quotation marks, safe for display: everything except plain ASCII is escaped, long texts are cut,
/// and names of protocol commands are broken up, because some programs search for them anywhere in a message (R15).
pub fn escape(text: &str) -> String {
    let mut quoted = String::from("\"");
    let mut shown = text.chars();
    for c in shown.by_ref().take(MAX_SHOWN_CHARS) {
        match c {
            ' '..='~' if c != '"' && c != '\\' => quoted.push(c),
            _ => quoted.extend(c.escape_default()),
        }
    }
    if shown.next().is_some() {
        quoted.push('…');
    }
    quoted.push('"');
    for word in COMMAND_WORDS {
        let (head, tail) = word.split_at(1);
        let escaped = format!("\\x{:02x}{tail}", head.as_bytes()[0]);
        quoted = quoted.replace(word, &escaped);
    }
    quoted
}

/// Returns the text as it was sent if it is short and plain, otherwise as [`escape`] does. For people: the names of commands
/// stay in it.
pub fn escape_if_needed(text: &str) -> String {
    let plain =
        !text.is_empty() && text.trim() == text && text.bytes().all(|byte| matches!(byte, b' '..=b'~'));
    if plain && text.len() <= MAX_SHOWN_CHARS { text.to_string() } else { escape(text) }
}

/// The words that no exit reason may contain (R15).
pub(super) const COMMAND_WORDS: [&str; 5] = ["login", "bet1", "bet2", "status", "done"];

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn plain_text_is_shown_as_it_is_and_the_rest_escaped() {
        assert_eq!(escape("bet:-5"), r#""bet:-5""#);
        assert_eq!(escape("bet:5\u{1b}[31m\"\n"), r#""bet:5\u{1b}[31m\"\n""#);
        assert_eq!(escape("bet:٥"), r#""bet:\u{665}""#);
        // Signs are plain text too, but for those that would end or change the quotation.
        assert_eq!(escape("it's ~ <b>"), r#""it's ~ <b>""#);
        assert_eq!(escape(r#"a\"b"#), r#""a\\\"b""#);
        assert_eq!(escape("done"), r#""\x64one""#);
        assert_eq!(escape(&"x".repeat(61)), format!("\"{}…\"", "x".repeat(60)));
    }

    #[test]
    fn people_read_short_plain_text_as_it_was_sent() {
        let as_sent = "x".repeat(60);
        for text in ["bet:-5", "done", "a b", as_sent.as_str()] {
            assert_eq!(escape_if_needed(text), text);
        }
        for text in ["", " bet:5", "bet:5 ", "bet:٥", "a\tb", &"x".repeat(61)] {
            assert_eq!(escape_if_needed(text), escape(text));
        }
    }

    proptest! {
        #[test]
        fn a_quotation_is_one_plain_line_without_command_words(text in "(?s).{0,90}|.{0,9}(login|done|bet1|status|bet2).{0,9}") {
            let quoted = escape(&text);
            prop_assert!(quoted.chars().all(|c| matches!(c, ' '..='~' | '…')));
            prop_assert!(COMMAND_WORDS.iter().all(|word| !quoted.contains(word)));
        }
    }
}
