//! Command lines on Linux and macOS, for the shell.

use std::path::{Path, PathBuf};
use std::process::Command;

pub(crate) const MAKE_FOLDERS: &str = "mkdir -p";

pub(crate) const GO_TO: &str = "cd";

pub(crate) const LINKING: &str = "";

pub(crate) fn shell(line: &str) -> Command {
    let mut command = Command::new("/bin/sh");
    command.arg("-c").arg(line);
    command
}

pub(crate) fn shell_words(line: &str) -> Vec<String> {
    vec!["/bin/sh".into(), "-c".into(), line.into()]
}

pub(crate) fn command_in(_: &Path, words: &[String]) -> Command {
    let (program, arguments) = words.split_first().map_or(("", &[] as &[String]), |(p, a)| (p, a));
    let mut command = Command::new(program);
    command.args(arguments);
    command
}

pub(crate) fn split(line: &str) -> Option<Vec<String>> {
    shlex::split(line)
}

pub(crate) fn quote(word: &str) -> Option<String> {
    shlex::try_quote(word).ok().map(std::borrow::Cow::into_owned)
}

pub(crate) fn needs_shell(line: &str) -> bool {
    line.contains(['&', '|', ';', '<', '>', '$', '`', '*', '?', '~'])
}

pub(crate) fn names_of_file(name: &Path) -> Vec<PathBuf> {
    vec![name.to_path_buf()]
}

pub(crate) fn is_program(file: &Path) -> bool {
    file.metadata().is_ok_and(|about| about.is_file() && super::foreign_files::may_be_executed(&about))
}
