//! Command lines on Windows: words as the C library splits them, and `cmd` for what only that understands.

use std::env;
use std::os::windows::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::system::command_line::{find_program, is_name, python};

/// The launcher that comes with Python.
pub(crate) const PYTHON: &str = "py";

/// Has `cmd` run one line, without what the user has set up for its windows.
const CMD: [&str; 4] = ["cmd.exe", "/D", "/S", "/C"];

/// Commands of `cmd` that are no programs.
const BUILT_IN: [&str; 13] =
    ["call", "cd", "chdir", "copy", "del", "dir", "echo", "for", "if", "pushd", "set", "start", "type"];

/// The endings of programs where PATHEXT does not tell.
const ENDINGS: &str = ".COM;.EXE;.BAT;.CMD";

pub(crate) fn shell(line: &str) -> Command {
    match split(line) {
        Some(words) if !words.is_empty() && !needs_shell(line) => command(&words),
        _ => cmd(line),
    }
}

/// What stands between the outer quotes, `cmd` takes as it is.
fn cmd(line: &str) -> Command {
    let mut command = Command::new(CMD[0]);
    command.args(&CMD[1..]).raw_arg(format!("\"{line}\""));
    command
}

pub(crate) fn shell_words(line: &str) -> Vec<String> {
    CMD.into_iter().chain([line]).map(str::to_string).collect()
}

pub(crate) fn command(words: &[String]) -> Command {
    command_in(Path::new(""), words)
}

pub(crate) fn command_in(folder: &Path, words: &[String]) -> Command {
    if let [before @ .., line] = words
        && before == CMD
    {
        return cmd(line);
    }
    let (program, arguments) = words.split_first().map_or(("", &[] as &[String]), |(p, a)| (p.as_str(), a));
    let program = if program == "python3" { python() } else { program };
    let found = match is_name(program) {
        true => find_program(program),
        false => find_program(&folder.join(program).to_string_lossy()),
    };
    let mut command = found.map_or_else(|| Command::new(program), Command::new);
    command.args(arguments);
    command
}

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

/// The name as it is if it has an ending, and with every ending of a program.
pub(crate) fn names_of_file(name: &Path) -> Vec<PathBuf> {
    let endings = env::var("PATHEXT").unwrap_or_else(|_| ENDINGS.to_string());
    let with = |ending: &str| {
        let mut name = name.as_os_str().to_owned();
        name.push(ending.to_lowercase());
        PathBuf::from(name)
    };
    let endings = endings.split(';').filter(|ending| ending.starts_with('.'));
    let as_it_is = name.extension().map(|_| name.to_path_buf());
    as_it_is.into_iter().chain(endings.map(with)).collect()
}

pub(crate) fn is_program(file: &Path) -> bool {
    file.is_file()
}
