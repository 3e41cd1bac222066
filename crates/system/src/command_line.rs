//! Command lines as people write them on this system, and programs by their names.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::native::command_line as native;

/// The command that runs this line as if typed in a terminal: by the shell on Linux and macOS; on Windows directly, or
/// by `cmd` if the line needs it.
pub fn run_line(line: &str) -> Command {
    native::shell(line)
}

/// The words that have the system's shell run this line.
pub fn shell_words(line: &str) -> Vec<String> {
    native::shell_words(line)
}

/// The command of these words, started in this folder. The first word is the program: a name found in the search path,
/// or a path, relative to the folder. On Windows `java` is also found as `java.exe` or `java.bat`, and `python3` as
/// `py`.
pub fn command_in(folder: &Path, words: &[String]) -> Command {
    let mut command = native::command_in(folder, words);
    command.current_dir(folder);
    command
}

/// Splits a command line into words as this system does. On Linux and macOS quotes and backslashes are the shell's; on
/// Windows double quotes group and a backslash is a letter, but before a double quote.
/// `None` if a quote is left open.
pub fn split(line: &str) -> Option<Vec<String>> {
    native::split(line)
}

/// A line that changes to this folder and then runs `line`. `None` if the folder's name cannot be written in a command
/// line.
pub fn in_folder(folder: &str, line: &str) -> Option<String> {
    Some(format!("{} {} && {line}", native::GO_TO, quote(folder)?))
}

/// Whether a line has syntax that only a shell understands.
pub fn needs_shell(line: &str) -> bool {
    native::needs_shell(line)
}

/// The word as it is written in a command line of this system's shell. `None` if it cannot be.
pub fn quote(word: &str) -> Option<String> {
    native::quote(word)
}

/// Words as one line that this system's shell splits into them again.
pub fn join<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    let quoted = words.into_iter().map(|word| quote(word).unwrap_or_else(|| "'?'".to_string()));
    quoted.collect::<Vec<_>>().join(" ")
}

/// The command that creates a folder and its parents.
pub const MAKE_FOLDERS: &str = native::MAKE_FOLDERS;

/// Final arguments of C and C++ compilers on Windows, for sockets and static compiler libraries; empty elsewhere.
pub const LINKING: &str = native::LINKING;

/// The file of a program: a path, or a name found in the folders of PATH. On Windows the endings of PATHEXT are tried:
/// `java` is found as `java.exe`.
pub fn find_program(name: &str) -> Option<PathBuf> {
    if !is_name(name) {
        return native::names_of_file(Path::new(name)).into_iter().find(|file| native::is_program(file));
    }
    let folders = env::var_os("PATH")?;
    let mut files = env::split_paths(&folders).flat_map(|folder| native::names_of_file(&folder.join(name)));
    files.find(|file| native::is_program(file))
}

/// Whether a program is given by its name alone rather than by a path.
pub(super) fn is_name(program: &str) -> bool {
    Path::new(program).file_name() == Some(OsStr::new(program))
}
