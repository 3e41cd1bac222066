//! Failures of the grading machine: a missing compiler, a full disk, overload. They cost no points.

use std::io;
use std::path::{Path, is_separator};

use crate::sandbox::NeverStarted;
use casino_system::command_line::{find_program, split};

const TOOLS: &str = "javac java g++ gcc c++ cc clang clang++ cargo rustc go node nodejs npm npx python3 python \
                     pypy3 py swipl gprolog make gmake cmake ninja mvn gradle ant ghc runghc stack cabal racket \
                     ruby perl php lua dotnet mono kotlinc kotlin scala scalac ocaml ocamlfind dune sbcl guile \
                     julia Rscript deno bun tsc zig nim swift bash";

const NOT_FOUND_MESSAGES: [&str; 4] =
    ["not found", "No such file or directory", "is not recognized as", "cannot find the"];

const DISK_FULL_MESSAGES: [&str; 3] =
    ["No space left on device", "Disk quota exceeded", "not enough space on the disk"];

/// Why this machine cannot run a line like this, if the program it begins with is a tool that is not installed here.
pub(super) fn lacks(line: &str) -> Option<String> {
    let words = split(line)?;
    let tool = tool_of(words.first()?)?;
    let system = ["/usr/local/bin", "/usr/bin", "/bin"].map(|folder| Path::new(folder).join(tool));
    // On Windows a launcher stands for Python.
    let others: &[&str] = if tool.starts_with("python") { &["py", "python"] } else { &[] };
    let is_there = [&[tool], others].concat().into_iter().any(|tool| find_program(tool).is_some())
        || system.iter().any(|file| file.is_file());
    (!is_there).then(|| install(tool))
}

/// Why the machine is to blame for a failed command, by its output and exit code; `None` if it is not.
pub(super) fn is_behind(output: &str, code: Option<i32>, line: &str) -> Option<String> {
    if let Some(full) =
        output.lines().find(|line| DISK_FULL_MESSAGES.iter().any(|words| line.contains(words)))
    {
        return Some(format!(
            "The disk of this machine is full: {}. Make room and grade again.",
            full.trim()
        ));
    }
    // The exit code of a shell for a program that is not found.
    const NO_PROGRAM: i32 = 127;
    let first = split(line).and_then(|words| words.first().cloned());
    if code == Some(NO_PROGRAM)
        && let Some(tool) = first.as_deref().and_then(tool_of)
    {
        return Some(install(tool));
    }
    let missing = output.lines().filter(|line| NOT_FOUND_MESSAGES.iter().any(|words| line.contains(words)));
    let mut tools = missing.flat_map(|line| line.split([':', ' ', '\'', '"', '`'])).filter_map(tool_of);
    tools.find(|tool| find_program(tool).is_none()).map(install)
}

/// Why the machine, and not the program, is why something was not started; `None` if it is the program's own doing.
pub(super) fn is_behind_start(error: &NeverStarted) -> Option<String> {
    let own_file = error.program.contains(is_separator);
    match error.error.kind() {
        io::ErrorKind::ResourceBusy => Some(error.error.to_string()),
        io::ErrorKind::NotFound => tool_of(&error.program).filter(|tool| !is_path(tool)).map(install),
        // A file that is not executable, or not a program of this system.
        io::ErrorKind::PermissionDenied | io::ErrorKind::InvalidInput if own_file => None,
        _ if own_file && error.error.raw_os_error() == Some(NO_PROGRAM_FILE) => None,
        _ => Some(format!("The machine cannot start programs: {error}.")),
    }
}

/// The system's error number for a file that is not a program (ENOEXEC).
const NO_PROGRAM_FILE: i32 = 8;

fn is_path(word: &str) -> bool {
    word.contains(is_separator)
}

fn tool_of(word: &str) -> Option<&'static str> {
    let name = word.strip_suffix(".exe").unwrap_or(word);
    TOOLS.split(' ').find(|tool| *tool == name)
}

fn install(tool: &str) -> String {
    format!("{tool} is not installed on this machine. Install it and grade again.")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn never(program: &str, error: io::Error) -> Option<String> {
        is_behind_start(&NeverStarted { program: program.to_string(), error })
    }

    #[test]
    fn a_missing_tool_is_attributed_to_the_machine() {
        assert!(lacks("no-such-tool --x").is_none(), "nobody knows it");
        assert!(lacks("./bot {host} {port}").is_none());
        let gone = || io::Error::from(io::ErrorKind::NotFound);
        assert!(never("swipl", gone()).unwrap().contains("swipl is not installed"));
        assert!(never("./bot", gone()).is_none());
        assert!(never("pyhton3", gone()).is_none());
        assert!(never("./bot", io::ErrorKind::PermissionDenied.into()).is_none());
        assert!(never("./bot", io::Error::other("bwrap: no permissions")).unwrap().contains("bwrap"));
        assert!(never("python3", io::ErrorKind::StorageFull.into()).is_some());
    }

    #[test]
    fn build_output_shows_whether_the_machine_failed() {
        let full = "/tmp/ccX.s: fatal error: error writing to /tmp: No space left on device";
        assert!(is_behind(full, Some(1), "g++ x.cpp").unwrap().contains("disk"));
        assert!(is_behind("sh: 1: go: not found", Some(127), "go build").unwrap().contains("go is not"));
        assert!(is_behind("", Some(127), "./configure").is_none());
        assert!(is_behind("x.cpp:1: error: 'foo' was not found", Some(1), "g++ x.cpp").is_none());
        let header = "x.cpp:1: fatal error: cards.h: No such file or directory";
        assert!(is_behind(header, Some(1), "g++ x.cpp").is_none());
    }
}
