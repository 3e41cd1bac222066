//! What is the fault of the machine that grades, and not of the program: a compiler that is not installed, a box that
//! refuses, a full disk, too much else to do. Nobody loses points for it.

use std::io;
use std::path::{Path, is_separator};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{PoisonError, RwLock};
use std::time::Duration;

use crate::sandbox::NeverStarted;
use casino_stud::parallel::cores;
use casino_system::command_line::{find_program, split};
use casino_system::processes::{load, share_of_processor};

/// Compilers, interpreters and what else a machine that grades may lack.
const TOOLS: [&str; 57] = [
    "javac",
    "java",
    "g++",
    "gcc",
    "c++",
    "cc",
    "clang",
    "clang++",
    "cargo",
    "rustc",
    "go",
    "node",
    "nodejs",
    "npm",
    "npx",
    "python3",
    "python",
    "pypy3",
    "py",
    "swipl",
    "gprolog",
    "make",
    "gmake",
    "cmake",
    "ninja",
    "mvn",
    "gradle",
    "ant",
    "ghc",
    "runghc",
    "stack",
    "cabal",
    "racket",
    "ruby",
    "perl",
    "php",
    "lua",
    "dotnet",
    "mono",
    "kotlinc",
    "kotlin",
    "scala",
    "scalac",
    "ocaml",
    "ocamlfind",
    "dune",
    "sbcl",
    "guile",
    "julia",
    "Rscript",
    "deno",
    "bun",
    "tsc",
    "zig",
    "nim",
    "swift",
    "bash",
];

/// What a shell says of a program that it does not find.
const NOT_FOUND: [&str; 4] =
    ["not found", "No such file or directory", "is not recognized as", "cannot find the"];

/// What compilers and systems say of a full disk.
const FULL: [&str; 3] = ["No space left on device", "Disk quota exceeded", "not enough space on the disk"];

/// A thread that gets this share of a processor or more has it to itself, or nearly.
const FREE: f64 = 0.8;

/// Less than this share of a processor, and a machine has too much else to do to judge by time.
const BUSY: f64 = 0.5;

/// How long a machine is looked at to see how busy it is.
const LOOK: Duration = Duration::from_millis(100);

/// Held for reading while something runs that is judged by time, and for writing by one that runs alone.
static TURN: RwLock<()> = RwLock::new(());

/// Whether this process judges by time however busy the machine is.
static EVEN_IF_BUSY: AtomicBool = AtomicBool::new(false);

/// From now on this process judges by time even if the machine has too much else to do: for containers that show the load
/// of other people's programs, and for programs that are late on any machine.
pub fn judge_even_if_busy() {
    EVEN_IF_BUSY.store(true, Ordering::Relaxed);
}

/// Runs what is judged by time: a program, or a build. If it was late and the machine is busy it runs once more, alone, and
/// that counts. Nothing else that is judged by time runs meanwhile.
///
/// # Errors
/// What `cannot_judge` makes of the reason, if it was late even then and the machine has too much else to do; and whatever
/// goes wrong when it runs.
pub(super) fn run_by_time<T, E>(
    mut run: impl FnMut() -> Result<T, E>,
    is_late: impl Fn(&T) -> bool,
    cannot_judge: impl FnOnce(String) -> E,
) -> Result<T, E> {
    let beside_others = TURN.read().unwrap_or_else(PoisonError::into_inner);
    let first = run()?;
    drop(beside_others);
    if !is_late(&first) || !is_busy() {
        return Ok(first);
    }
    let _alone = TURN.write().unwrap_or_else(PoisonError::into_inner);
    let again = run()?;
    match is_late(&again).then(too_busy).flatten() {
        Some(why) => Err(cannot_judge(why)),
        None => Ok(again),
    }
}

/// Whether this machine has more to do than it has processors for. Where the system does not tell, it may have.
fn is_busy() -> bool {
    let processors = cores().get() as f64;
    load().is_none_or(|load| load > processors) || share_of_processor(LOOK).is_none_or(|share| share < FREE)
}

/// Why the machine cannot judge by time at the moment, if it cannot.
fn too_busy() -> Option<String> {
    if EVEN_IF_BUSY.load(Ordering::Relaxed) {
        return None;
    }
    let share = share_of_processor(LOOK)?;
    (share < BUSY).then(|| {
        "The machine has too much else to do: a program gets less than half of a processor here. Grade with fewer jobs \
         (-j 1), or when the machine is free."
            .to_string()
    })
}

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

/// Why the machine, and not the program, is why a command failed that has said this; `None` if there is no sign of it.
/// `code` is its exit code, and `line` the command.
pub(super) fn is_behind(said: &str, code: Option<i32>, line: &str) -> Option<String> {
    if let Some(full) = said.lines().find(|line| FULL.iter().any(|words| line.contains(words))) {
        return Some(format!(
            "The disk of this machine is full: {}. Make room and grade again.",
            full.trim()
        ));
    }
    // What a shell ends with when it does not find a program.
    const NO_PROGRAM: i32 = 127;
    let first = split(line).and_then(|words| words.first().cloned());
    if code == Some(NO_PROGRAM)
        && let Some(tool) = first.as_deref().and_then(tool_of)
    {
        return Some(install(tool));
    }
    let missing = said.lines().filter(|line| NOT_FOUND.iter().any(|words| line.contains(words)));
    let mut tools = missing.flat_map(|line| line.split([':', ' ', '\'', '"', '`'])).filter_map(tool_of);
    tools.find(|tool| find_program(tool).is_none()).map(install)
}

/// Why the machine, and not the program, is why something was not started; `None` if it is the program's own doing.
pub(super) fn is_behind_start(error: &NeverStarted) -> Option<String> {
    let own_file = error.program.contains(is_separator);
    match error.error.kind() {
        io::ErrorKind::ResourceBusy => Some(error.error.to_string()),
        io::ErrorKind::NotFound => tool_of(&error.program).filter(|tool| !is_path(tool)).map(install),
        // A file that cannot be executed, or is no program of this system.
        io::ErrorKind::PermissionDenied | io::ErrorKind::InvalidInput if own_file => None,
        _ if own_file && error.error.raw_os_error() == Some(NO_PROGRAM_FILE) => None,
        _ => Some(format!("The machine cannot start programs: {error}.")),
    }
}

/// The number of the system's error for a file that is no program (ENOEXEC).
const NO_PROGRAM_FILE: i32 = 8;

fn is_path(word: &str) -> bool {
    word.contains(is_separator)
}

/// The tool that a word names, by itself or with the ending that programs have on Windows.
fn tool_of(word: &str) -> Option<&'static str> {
    let name = word.strip_suffix(".exe").unwrap_or(word);
    TOOLS.into_iter().find(|tool| *tool == name)
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
    fn a_tool_that_is_not_there_is_the_machine_s_fault_and_a_misspelt_file_is_not() {
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
    fn what_a_build_says_tells_whose_fault_it_was() {
        let full = "/tmp/ccX.s: fatal error: error writing to /tmp: No space left on device";
        assert!(is_behind(full, Some(1), "g++ x.cpp").unwrap().contains("disk"));
        assert!(is_behind("sh: 1: go: not found", Some(127), "go build").unwrap().contains("go is not"));
        assert!(is_behind("", Some(127), "./configure").is_none());
        assert!(is_behind("x.cpp:1: error: 'foo' was not found", Some(1), "g++ x.cpp").is_none());
        let header = "x.cpp:1: fatal error: cards.h: No such file or directory";
        assert!(is_behind(header, Some(1), "g++ x.cpp").is_none());
    }

    /// So whoever wants to be alone waits for it.
    #[test]
    fn what_is_judged_by_time_runs_beside_others_and_nobody_is_alone_meanwhile() {
        let runs = std::cell::Cell::new(0);
        let run = || {
            runs.set(runs.get() + 1);
            Ok(TURN.try_write().is_err())
        };
        assert_eq!(run_by_time(run, |_| false, |why| why), Ok(true));
        assert_eq!(runs.get(), 1, "it was not late");
    }
}
