//! The words of a command line on Windows, as text alone: so every system can test it.

/// Built-in commands of `cmd`, without a program file.
const BUILT_IN: [&str; 13] =
    ["call", "cd", "chdir", "copy", "del", "dir", "echo", "for", "if", "pushd", "set", "start", "type"];

/// Splits as the C library of Windows does: double quotes group, two of them within quotes are one, and backslashes
/// count only before a double quote.
pub(crate) fn split(line: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut is_quoted = false;
    let mut backslashes = 0;
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        if letter == '\\' {
            backslashes += 1;
            continue;
        }
        if backslashes > 0 {
            let stand = if letter == '"' { backslashes / 2 } else { backslashes };
            word.get_or_insert_default().extend(std::iter::repeat_n('\\', stand));
        }
        let is_escaped = backslashes % 2 == 1;
        backslashes = 0;
        match letter {
            '"' if is_escaped => word.get_or_insert_default().push('"'),
            '"' if is_quoted && letters.next_if_eq(&'"').is_some() => word.get_or_insert_default().push('"'),
            '"' => {
                word.get_or_insert_default();
                is_quoted = !is_quoted;
            }
            letter if letter.is_whitespace() && !is_quoted => words.extend(word.take()),
            letter => word.get_or_insert_default().push(letter),
        }
    }
    if backslashes > 0 {
        word.get_or_insert_default().extend(std::iter::repeat_n('\\', backslashes));
    }
    words.extend(word);
    (!is_quoted).then_some(words)
}

/// Writes a word so that `cmd`, PowerShell and the C library all read it as one.
pub(crate) fn quote(word: &str) -> Option<String> {
    let is_plain = |letter: char| letter.is_alphanumeric() || "-_./\\:=+{}".contains(letter);
    if word.contains(['\0', '\r', '\n']) {
        return None;
    }
    if !word.is_empty() && word.chars().all(is_plain) {
        return Some(word.to_string());
    }
    let mut quoted = String::from("\"");
    let mut backslashes = 0;
    for letter in word.chars() {
        if letter == '"' {
            quoted.extend(std::iter::repeat_n('\\', backslashes + 1));
        }
        backslashes = if letter == '\\' { backslashes + 1 } else { 0 };
        quoted.push(letter);
    }
    quoted.extend(std::iter::repeat_n('\\', backslashes));
    quoted.push('"');
    Some(quoted)
}

pub(crate) fn needs_shell(line: &str) -> bool {
    let first = line.split_whitespace().next().unwrap_or_default().to_lowercase();
    line.contains(['&', '|', '<', '>']) || line.matches('%').count() > 1 || BUILT_IN.contains(&first.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_split_as_the_c_library_of_windows_does() {
        for (line, wanted) in [
            (r"py poker.py {host} {port}", vec!["py", "poker.py", "{host}", "{port}"]),
            (
                r#""C:\Program Files\Jäva\java.exe" -cp . Poker"#,
                vec![r"C:\Program Files\Jäva\java.exe", "-cp", ".", "Poker"],
            ),
            (r#"a\\b "c d\\" e"#, vec![r"a\\b", r"c d\", "e"]),
            (r#"x "say \"hi\"" "" 'y z'"#, vec!["x", r#"say "hi""#, "", "'y", "z'"]),
            (r#""two ""quotes""" z"#, vec![r#"two "quotes""#, "z"]),
            ("  \t ", vec![]),
        ] {
            assert_eq!(split(line).unwrap(), wanted, "{line}");
        }
        assert_eq!(split(r#"x "y"#), None);
    }

    #[test]
    fn a_quoted_word_is_split_into_itself() {
        for word in [
            "plain",
            r"C:\day\für.jsonl",
            "two words",
            r"C:\a b\",
            r#"say "hi\""#,
            "",
            "it's",
            r"a\\",
            "{port}",
        ] {
            let quoted = quote(word).unwrap();
            assert_eq!(split(&format!("x {quoted} y")).unwrap(), ["x", word, "y"], "{quoted}");
        }
        assert_eq!(quote(r"C:\day\für.jsonl").unwrap(), r"C:\day\für.jsonl");
        assert_eq!(quote("a\nb"), None);
    }

    #[test]
    fn only_cmd_syntax_needs_cmd() {
        for line in ["cd bot && py poker.py", "java Poker > out.txt", "ECHO hi", "%JAVA%\\java Poker"] {
            assert!(needs_shell(line), "{line}");
        }
        for line in ["java Poker {host} {port}", "py poker.py 100%", "cdrom x"] {
            assert!(!needs_shell(line), "{line}");
        }
    }
}
