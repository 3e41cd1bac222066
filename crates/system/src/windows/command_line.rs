//! Command lines on Windows: words as the C library splits them, and `cmd` for lines that need it.

use std::env;
use std::os::windows::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command_line::{find_program, is_name};

pub(crate) use crate::windows_words::{needs_shell, quote, split};

/// The command of Python 3: the launcher that comes with it, or its own name.
fn python() -> &'static str {
    ["py", "python3"].into_iter().find(|name| find_program(name).is_some()).unwrap_or("python")
}

pub(crate) const MAKE_FOLDERS: &str = "mkdir";

/// Goes to a folder, also to one on another drive.
pub(crate) const GO_TO: &str = "cd /d";

pub(crate) const LINKING: &str = " -static -lws2_32";

/// Runs one line with `cmd`, without the user's settings for its windows.
const CMD: [&str; 4] = ["cmd.exe", "/D", "/S", "/C"];

/// The endings of programs without PATHEXT.
const ENDINGS: &str = ".COM;.EXE;.BAT;.CMD";

pub(crate) fn shell(line: &str) -> Command {
    match split(line) {
        Some(words) if !words.is_empty() && !needs_shell(line) => command_in(Path::new(""), &words),
        _ => cmd(line),
    }
}

/// `cmd` takes the text between the outer quotes unchanged.
fn cmd(line: &str) -> Command {
    let mut command = Command::new(CMD[0]);
    command.args(&CMD[1..]).raw_arg(format!("\"{line}\""));
    command
}

pub(crate) fn shell_words(line: &str) -> Vec<String> {
    CMD.into_iter().chain([line]).map(str::to_string).collect()
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
