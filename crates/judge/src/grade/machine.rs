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

const DOWNLOAD_FAILURES: [&str; 5] = [
    "you're using offline mode",
    "no matching package named",
    "failed to get `",
    "failed to download",
    "Could not resolve host",
];

/// Why this machine cannot run a line like this, if the program it begins with is a tool that is not installed here.
pub(super) fn lacks(line: &str) -> Option<String> {
    let words = split(line)?;
    let tool = tool_of(words.first()?)?;
    let system = ["/usr/local/bin", "/usr/bin", "/bin"].map(|folder| Path::new(folder).join(tool));
    // On Windows Python is started by a launcher.
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
    if let Some(old) = is_too_old(output) {
        return Some(old);
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

/// Messages of tools that are older than a program, each with the tool and the version it names after these words.
const OLDER_TOOL_MESSAGES: [(&str, &str, &str); 5] = [
    ("error: release version ", "Java", " not supported"),
    ("(use -source ", "Java", " or higher to enable"),
    ("requires rustc ", "Rust", " or newer"),
    ("this version of Cargo is older than the `", "Rust", "` edition"),
    ("go.mod requires go >= ", "Go", " (running"),
];

/// Messages of tools that are too old for a source: two texts, both in one line or in two lines one after the other, and the
/// version that accepts the source.
const UNKNOWN_TO_OLDER_TOOLS: [(&str, &str, &str); 24] = [
    ("patterns in switch statements are a preview feature", "", "Java 21"),
    ("method getFirst()", "List", "Java 21"),
    ("method getLast()", "List", "Java 21"),
    ("method reversed()", "List", "Java 21"),
    ("method ofVirtual()", "class Thread", "Java 21"),
    ("as of release 9, '_' is a keyword", "", "Java 22"),
    ("error: '.' expected", "import module ", "Java 25"),
    ("call to super must be first statement", "", "Java 25"),
    (" a preview feature and ", "", "a newer Java"),
    ("cannot import name 'override' from 'typing'", "", "Python 3.12"),
    ("cannot import name 'batched' from 'itertools'", "", "Python 3.12"),
    ("cannot import name 'deprecated' from 'warnings'", "", "Python 3.13"),
    ("fatal error: format: No such file", "", "g++ 13"),
    ("fatal error: print: No such file", "", "g++ 14"),
    ("nullptr", " undeclared (first use", "gcc 13"),
    ("package slices is not in ", "", "Go 1.21"),
    ("package maps is not in ", "", "Go 1.21"),
    ("package cmp is not in ", "", "Go 1.21"),
    (".go:", ": undefined: min", "Go 1.21"),
    (".go:", ": undefined: max", "Go 1.21"),
    ("cannot range over ", "(untyped int constant", "Go 1.22"),
    ("cannot range over ", "of type int)", "Go 1.22"),
    ("cannot range over ", "of type func(", "Go 1.23"),
    ("error[E0658]", "", "a newer Rust"),
];

/// Java's number of a class file of its first version.
const CLASS_FILE_VERSION_0: u32 = 44;

/// The hint before a compiler's output where the sources are not to blame; empty if the output is clear.
pub(super) fn build_hint(output: &str) -> &'static str {
    if DOWNLOAD_FAILURES.iter().any(|words| output.contains(words)) {
        "Packages that it needs could not be had, because there is no network where programs are built. This says nothing \
         about its sources: hand them in together with the packages (`cargo vendor`).\n"
    } else if lacks_main(output) {
        "None of the sources is a program: no source has a main.\n"
    } else {
        ""
    }
}

/// Whether a linker has missed nothing but the function with which a program begins.
fn lacks_main(output: &str) -> bool {
    let missing = |line: &&str| line.contains("undefined reference to") || line.contains("\"_main\"");
    let mut lines = output.lines().filter(missing).peekable();
    lines.peek().is_some() && lines.all(|line| line.ends_with("to `main'") || line.contains("\"_main\""))
}

/// What a program needs that is newer than the tools of this machine, by the output of its build or its start.
pub(super) fn is_too_old(output: &str) -> Option<String> {
    let newer = |needed: String| {
        format!(
            "The program needs {needed}, which is newer than what this machine has. Install it and grade again."
        )
    };
    for version in ["class file version ", "class file has wrong version "] {
        let digits = output.split_once(version).map(|(_, rest)| rest.split('.').next().unwrap_or_default());
        if let Some(number) = digits.and_then(|digits| digits.parse::<u32>().ok())
            && output.contains("more recent version") | output.contains("should be")
        {
            return Some(newer(format!("Java {}", number.saturating_sub(CLASS_FILE_VERSION_0))));
        }
    }
    for (before, tool, after) in OLDER_TOOL_MESSAGES {
        let Some((_, rest)) = output.split_once(before) else { continue };
        let version = rest.split_once(after).map_or("", |(version, _)| version);
        let is_version = !version.is_empty() && version.len() < 12 && !version.contains('\n');
        return Some(newer(if is_version { format!("{tool} {version}") } else { format!("a newer {tool}") }));
    }
    let is_here = |(one, other, _): &&(&str, &str, &str)| {
        output.split_once(one).is_some_and(|(_, rest)| rest.lines().take(2).any(|line| line.contains(other)))
    };
    let unknown = UNKNOWN_TO_OLDER_TOOLS.iter().find(is_here).map(|(.., needed)| needed.to_string());
    let record = || output.lines().any(has_record_pattern).then(|| "Java 21".to_string());
    let python = || newer_python(output).map(|version| format!("Python {version}"));
    unknown.or_else(record).or_else(python).map(newer)
}

/// Whether javac stopped at a line of a source with a pattern of a record, as in `case Card(int rank)`.
fn has_record_pattern(line: &str) -> bool {
    let is_pattern = |rest: &str| {
        let after =
            rest.trim_start_matches(|letter: char| letter.is_alphanumeric() || "_.<>".contains(letter));
        let first = after.strip_prefix('(').and_then(|parts| parts.split([',', ')']).next());
        first.is_some_and(|part| part.trim().contains(' ') && !part.contains(['"', '=']))
    };
    ["instanceof ", "case "]
        .iter()
        .any(|word| line.split_once(word).is_some_and(|(_, rest)| is_pattern(rest)))
}

/// The version of Python that understands the line at which an older one stops.
fn newer_python(output: &str) -> Option<&'static str> {
    let lines: Vec<&str> = output.lines().map(str::trim).collect();
    lines.iter().position(|line| line.starts_with("SyntaxError:"))?;
    let at = lines.iter().rposition(|line| line.starts_with("File \""))?;
    let line = lines.get(at + 1)?;
    let first = line.split_whitespace().next().unwrap_or_default();
    let name_ends_with = |mark: char| {
        let rest = line[first.len()..].trim_start();
        let after = rest.trim_start_matches(|letter: char| letter.is_alphanumeric() || letter == '_');
        after.len() < rest.len() && after.trim_start().starts_with(mark)
    };
    match first {
        "type" if name_ends_with('=') || name_ends_with('[') => Some("3.12"),
        "def" | "class" if name_ends_with('[') => Some("3.12"),
        "except*" => Some("3.11"),
        "match" | "case" if line.ends_with(':') => Some("3.10"),
        // Python 2 has a name in small letters behind the comma.
        "except" if line.contains(", ") && !line.contains('(') => {
            let second = line.split_once(", ").map_or("", |(_, second)| second);
            second.starts_with(char::is_uppercase).then_some("3.14")
        }
        _ if [" t\"", "(t\"", " t'", "(t'"].iter().any(|begin| line.contains(begin)) => Some("3.14"),
        _ if has_nested_quotes(line) => Some("3.12"),
        _ => None,
    }
}

/// Whether an f-string has its own quote within braces, which Python allows from 3.12 on.
fn has_nested_quotes(line: &str) -> bool {
    ['"', '\''].into_iter().any(|quote| {
        let Some((_, text)) = line.split_once(&format!("f{quote}")) else { return false };
        let (mut depth, mut nested) = (0_u32, false);
        for letter in text.chars() {
            match letter {
                '{' => depth += 1,
                '}' => depth = depth.saturating_sub(1),
                _ if letter == quote && depth > 0 => nested = true,
                _ if letter == quote => return nested,
                _ => {}
            }
        }
        false
    })
}

/// Why the machine did not start a program; `None` if the program itself is to blame.
pub(super) fn is_behind_start(error: &NeverStarted) -> Option<String> {
    let own_file = error.program.contains(is_separator);
    match error.error.kind() {
        io::ErrorKind::ResourceBusy => Some(error.error.to_string()),
        io::ErrorKind::NotFound => tool_of(&error.program).map(install),
        // A file that is not executable, or not a program of this system.
        io::ErrorKind::PermissionDenied | io::ErrorKind::InvalidInput if own_file => None,
        _ if own_file && error.error.raw_os_error() == Some(NO_PROGRAM_FILE) => None,
        _ => Some(format!("The machine cannot start programs: {error}.")),
    }
}

/// The system's error number for a file that is not a program (ENOEXEC).
const NO_PROGRAM_FILE: i32 = 8;

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
    fn a_program_newer_than_the_tools_is_no_fault() {
        let python = |line: &str| {
            format!(
                "Traceback:\n  File \"/w/poker.py\", line 3\n    {line}\n    ^\nSyntaxError: invalid syntax\n"
            )
        };
        for (output, needed) in [
            (python("print(f\"{seats[\"me\"]} chips\")"), "Python 3.12"),
            (python("type Chips = int"), "Python 3.12"),
            (python("def best[T](cards: list[T]) -> T:"), "Python 3.12"),
            (python("except* OSError:"), "Python 3.11"),
            ("x.java:3: error: pattern switch is not supported in -source 17\n  (use -source 21 or higher to enable x)".into(), "Java 21"),
            ("Poker has been compiled by a more recent version of the Java Runtime (class file version 65.0), this".into(), "Java 21"),
            ("error: patterns in switch statements are a preview feature and are disabled by default.".into(), "Java 21"),
            ("error: release version 25 not supported\n".into(), "Java 25"),
            ("P.java:6: error: ')' expected\n    if (o instanceof Card(int rank, int suit)) {\n".into(), "Java 21"),
            ("  symbol:   method getFirst()\n  location: interface List<Card>\n".into(), "Java 21"),
            ("main.cpp:8:10: fatal error: print: No such file or directory".into(), "g++ 14"),
            ("./main.go:15:17: cannot range over 3 (untyped int constant)".into(), "Go 1.22"),
            (python("except OSError, ValueError:"), "Python 3.14"),
            (python("name = t\"{seat}\""), "Python 3.14"),
            ("ImportError: cannot import name 'batched' from 'itertools' (unknown location)".into(), "Python 3.12"),
            ("error: package `x v1` cannot be built because it requires rustc 1.99 or newer".into(), "Rust 1.99"),
            ("go: go.mod requires go >= 1.99 (running go 1.19.8)".into(), "Go 1.99"),
        ] {
            assert!(is_too_old(&output).is_some_and(|why| why.contains(needed)), "{output}: {:?}", is_too_old(&output));
        }
        for line in ["print(f\"{x}\" + \"y\"", "def f(:", "type = 3 +", "x = [", "match = re.match(\"a\""] {
            assert_eq!(is_too_old(&python(line)), None, "{line}");
        }
        for fault in [
            "SyntaxError: x",
            "P.java:1: error: ';' expected\n  case pick(hand) -> 1;",
            "  symbol:   method getFirst()\n  location: variable deck of type Deck",
            "ImportError: cannot import name 'rnadint' from 'random'",
        ] {
            assert_eq!(is_too_old(fault), None, "{fault}");
        }
        assert_eq!(is_too_old(&python("except ValueError, error:")), None);
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

    #[test]
    fn a_linker_that_misses_main_alone_is_understood() {
        let start =
            "/usr/bin/ld: Scrt1.o: in function `_start':\n(.text+0x17): undefined reference to `main'\n";
        assert!(lacks_main(start) && build_hint(start).contains("no source has a main"));
        assert!(!lacks_main(&format!("{start}x.cpp:(.text+0x5): undefined reference to `Deck::reset()'\n")));
        assert!(!lacks_main("x.cpp:1: error: expected ';'"));
        assert_eq!(build_hint("x.cpp:1: error: expected ';'"), "");
    }

    #[test]
    fn a_crate_that_is_not_there_is_no_mistake_in_the_sources() {
        let cargo = "error: no matching package named `rand` found\nlocation searched: crates.io index\n";
        assert!(build_hint(cargo).contains("could not be had") && build_hint(cargo).contains("cargo vendor"));
        assert_eq!(build_hint("error[E0432]: unresolved import `rand`"), "");
    }
}
