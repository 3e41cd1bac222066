//! Finds the exception, the failed import or the like that a program has printed.

use casino_host::ProgramOutputs;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::check) enum ComplaintKind {
    Keyboard,
    /// A Scanner reached the end of its input, which may be the keyboard.
    Scanner,
    Display,
    Syntax,
    /// Java finds no `main` to begin with.
    NoMain,
    /// A module, a class or a library is not there.
    Import,
    Memory,
    Recursion,
    Zero,
    /// A connection to another address failed.
    Network,
    /// Its own timeout for a message expired.
    Timeout,
    /// An argument of the program is missing or has another meaning.
    Arguments,
    /// An exception of another kind: a wrong index, a failed conversion and so on.
    Other,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::check) struct Complaint {
    pub(in crate::check) kind: ComplaintKind,
    pub(in crate::check) line: String,
    /// The class of the exception, and its place in the program if known.
    pub(in crate::check) class: String,
    pub(in crate::check) place: Option<String>,
}

impl Complaint {
    /// The last complaint in the output of a program, standard error first.
    pub(in crate::check) fn last(outputs: &ProgramOutputs) -> Option<Complaint> {
        [&outputs.stderr, &outputs.stdout].into_iter().find_map(|text| last_in(text))
    }

    /// Whether the end of a stack trace repeats the same call, which shows a recursion even if its head is lost.
    pub(super) fn shows_recursion(outputs: &ProgramOutputs) -> bool {
        const AGAIN: usize = 20;
        let last = outputs.stderr.lines().last().filter(|line| is_frame(line));
        last.is_some_and(|last| outputs.stderr.lines().filter(|line| *line == last).count() >= AGAIN)
    }

    pub(in crate::check) fn traces(outputs: &ProgramOutputs) -> usize {
        let in_text = |text: &str| {
            let lines: Vec<&str> = text.lines().collect();
            let traced = |at: &usize| {
                class_of(lines[*at]).is_some()
                    && (lines.get(at + 1).is_some_and(|next| is_frame(next))
                        || lines[..*at].iter().rev().take(4).any(|line| is_frame(line)))
            };
            (0..lines.len()).filter(traced).count()
        };
        in_text(&outputs.stderr) + in_text(&outputs.stdout)
    }

    pub(in crate::check) fn mentions(outputs: &ProgramOutputs) -> usize {
        let says = |line: &&str| {
            let small = line.to_lowercase();
            ["exception", "error", "went wrong"].iter().any(|word| small.contains(word))
        };
        outputs.stderr.lines().chain(outputs.stdout.lines()).filter(says).count()
    }
}

/// Whether a line names a place in a program, like the frame of a stack trace.
fn is_frame(line: &str) -> bool {
    let text = line.trim_start();
    line.starts_with(char::is_whitespace)
        && ((text.starts_with("at ") && text.contains('(')) || text.starts_with("File \""))
}

fn last_in(text: &str) -> Option<Complaint> {
    let lines: Vec<&str> = text.lines().collect();
    let at = (0..lines.len()).rev().find(|at| class_of(lines[*at]).is_some())?;
    let line = lines[at].trim();
    let library = ["at java.", "at jdk.", "at javax.", "at sun."];
    let below = lines[at + 1..].iter().take_while(|line| is_frame(line)).map(|line| line.trim());
    let frames: Vec<&str> = below.collect();
    let own = frames.iter().find(|frame| !library.iter().any(|start| frame.starts_with(start)));
    // Java names the place below the exception, Python above it.
    let above = || lines[..at].iter().rev().take(4).find(|line| is_frame(line)).map(|line| line.trim());
    let place = own.copied().or_else(above).map(str::to_string);
    let source = lines[at.saturating_sub(2)..at].join("\n");
    let class = class_of(lines[at]).unwrap_or_default().to_string();
    Some(Complaint { kind: kind(line, &frames.join("\n"), &source), line: line.to_string(), class, place })
}

fn class_of(line: &str) -> Option<&str> {
    const WHOLE: [&str; 10] = [
        "Error: Main method",
        "terminate called",
        "panic:",
        "thread '",
        "Segmentation fault",
        "error while loading shared libraries",
        "error: compilation failed",
        "Usage:",
        "usage:",
        "Traceback (most recent call last)",
    ];
    if let Some(start) = WHOLE.iter().find(|start| line.contains(**start)) {
        // The head of a trace is not its exception, and a thread complains only in a panic.
        let is_head = start.starts_with("Traceback") || (*start == "thread '" && !line.contains("panicked"));
        return (!is_head).then_some(if line.starts_with("terminate") { line } else { start });
    }
    let text = match line.split_once("Exception in thread \"") {
        Some((_, rest)) => rest.split_once("\" ")?.1,
        None => line,
    };
    let text = ["Caused by: ", "Uncaught ", "Exception: "]
        .iter()
        .fold(text, |text, start| text.strip_prefix(start).unwrap_or(text));
    let class = text.split([':', ' ']).next()?;
    let is_name = class.len() > 4 && class.chars().all(|c| c.is_alphanumeric() || "._$".contains(c));
    let ends = ["Error", "Exception", "rror", "Overflow", "timeout"];
    (is_name && ends.iter().any(|end| class.ends_with(end)) && class != "error").then_some(class)
}

fn kind(line: &str, frames: &str, source: &str) -> ComplaintKind {
    use ComplaintKind as Kind;
    let has = |words: &[&str]| words.iter().any(|word| line.contains(word));
    let no_console = has(&["System.console()\" is null", "java.lang.System.console()"]);
    if has(&["EOF when reading a line", "No line found"]) || no_console {
        Kind::Keyboard
    } else if has(&["NoSuchElementException"]) && frames.contains("java.util.Scanner") {
        Kind::Scanner
    } else if has(&[
        "HeadlessException",
        "no $DISPLAY",
        "couldn't connect to display",
        "cannot open display",
        "could not connect to display",
        "X11 window server",
        "No available video device",
        "awt_xawt",
        "awt.AWTError",
    ]) {
        Kind::Display
    } else if has(&["SyntaxError", "IndentationError", "TabError", "compilation failed"]) && !has(&["JSON"]) {
        Kind::Syntax
    } else if has(&["Error: Main method"]) {
        Kind::NoMain
    } else if has(&[
        "ModuleNotFoundError",
        "ImportError",
        "Cannot find module",
        "ClassNotFoundException",
        "loading shared libraries",
    ]) || (has(&["NoClassDefFoundError"]) && !has(&["initialize"]))
    {
        Kind::Import
    } else if has(&[
        "OutOfMemoryError",
        "MemoryError",
        "bad_alloc",
        "out of memory",
        "can't start new thread",
    ]) {
        Kind::Memory
    } else if has(&["StackOverflowError", "RecursionError", "Maximum call stack", "stack overflow"]) {
        Kind::Recursion
    } else if has(&["/ by zero", "division by zero", "divide by zero", "ZeroDivisionError"]) {
        Kind::Zero
    } else if network(line, &format!("{frames}\n{source}")) {
        Kind::Network
    } else if has(&["SocketTimeoutException", "TimeoutError: timed out", "socket.timeout"]) {
        Kind::Timeout
    } else if has(&["Usage:", "usage:"])
        || source.contains("sys.argv")
        || has(&["\"127.0.0.1\"", "'127.0.0.1'", "\"{host}\"", "process.argv"])
        || (has(&["ArrayIndexOutOfBounds"]) && frames.contains(".main("))
    {
        Kind::Arguments
    } else {
        Kind::Other
    }
}

/// Whether a line reports a failed connection. `around` is its stack trace.
pub(super) fn network(line: &str, around: &str) -> bool {
    let small = line.to_lowercase();
    let names = [
        "refused",
        "unreachable",
        "unknownhost",
        "no such host",
        "getaddrinfo",
        "not known",
        "name resolution",
    ];
    let connecting = || around.to_lowercase().contains("connect") || small.contains("connect");
    // In the sandbox a program can connect to the dealer only.
    let held = ["timed out", "permission denied", "not permitted"];
    names.iter().any(|name| small.contains(name))
        || (held.iter().any(|name| small.contains(name)) && connecting())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(stderr: &str) -> Complaint {
        let outputs = ProgramOutputs { stdout: String::new(), stderr: stderr.to_string() };
        Complaint::last(&outputs).unwrap_or_else(|| panic!("no complaint in {stderr}"))
    }

    #[test]
    fn exceptions_of_several_languages_are_distinguished() {
        use ComplaintKind as Kind;
        for (stderr, kind) in [
            (
                "Traceback (most recent call last):\n  File \"p.py\", line 3, in <module>\n    x = input()\nEOFError: EOF when reading a line",
                Kind::Keyboard,
            ),
            (
                "Exception in thread \"main\" java.util.NoSuchElementException: No line found\n\tat java.base/java.util.Scanner.nextLine(Scanner.java:1651)\n\tat P.main(P.java:3)",
                Kind::Keyboard,
            ),
            (
                "Exception in thread \"main\" java.util.NoSuchElementException\n\tat java.base/java.util.Scanner.throwFor(Scanner.java:937)\n\tat P.main(P.java:3)",
                Kind::Scanner,
            ),
            (
                "Exception in thread \"main\" java.awt.HeadlessException: \nNo X11 DISPLAY variable was set",
                Kind::Display,
            ),
            (
                "_tkinter.TclError: no display name and no $DISPLAY environment variable\nstruct.error: no $DISPLAY",
                Kind::Display,
            ),
            (
                "  File \"p.py\", line 3\n    def f(\n         ^\nSyntaxError: '(' was never closed",
                Kind::Syntax,
            ),
            ("P.java:3: error: ';' expected\nerror: compilation failed", Kind::Syntax),
            (
                "Error: Main method is not static in class Poker, please define the main method as:",
                Kind::NoMain,
            ),
            ("SyntaxError: Unexpected token b in JSON at position 0", Kind::Other),
            ("ModuleNotFoundError: No module named 'numpy'", Kind::Import),
            (
                "./bot: error while loading shared libraries: libx.so: cannot open shared object file",
                Kind::Import,
            ),
            ("java.lang.NoClassDefFoundError: Could not initialize class P", Kind::Other),
            ("Exception in thread \"main\" java.lang.OutOfMemoryError: Java heap space", Kind::Memory),
            ("terminate called after throwing an instance of 'std::bad_alloc'", Kind::Memory),
            ("java.lang.OutOfMemoryError: unable to create native thread", Kind::Memory),
            ("RuntimeError: can't start new thread", Kind::Memory),
            ("RecursionError: maximum recursion depth exceeded", Kind::Recursion),
            (
                "Exception in thread \"main\" java.lang.ArithmeticException: / by zero\n\tat P.bet(P.java:9)",
                Kind::Zero,
            ),
            ("Exception in thread \"main\" java.net.ConnectException: Connection refused", Kind::Network),
            ("  File \"p.py\", line 3, in get\n    data = s.recv(9)\nTimeoutError: timed out", Kind::Timeout),
            (
                "  File \"p.py\", line 3, in go\n    s.connect(sa)\nPermissionError: [Errno 13] Permission denied",
                Kind::Network,
            ),
            (
                "  File \"p.py\", line 3, in log\n    open('log', 'w')\nPermissionError: [Errno 13] Permission denied",
                Kind::Other,
            ),
            ("usage: p.py --host HOST", Kind::Arguments),
            ("ValueError: invalid literal for int() with base 10: '127.0.0.1'", Kind::Arguments),
            ("KeyError: '1'", Kind::Other),
        ] {
            assert_eq!(of(stderr).kind, kind, "{stderr}");
        }
        assert!(network("connect: Permission denied", "") && !network("open: Permission denied", ""));
    }

    #[test]
    fn only_an_exception_has_a_place_in_the_program() {
        let java = of(
            "java.lang.NullPointerException: x\n\tat java.base/java.util.Map.get(Map.java:1)\n\tat P.bet(P.java:9)",
        );
        assert_eq!(java.place.as_deref(), Some("at P.bet(P.java:9)"));
        let python = of(
            "Traceback (most recent call last):\n  File \"p.py\", line 3, in f\n    x[9]\nIndexError: out",
        );
        assert_eq!(python.place.as_deref(), Some("File \"p.py\", line 3, in f"));
        let plain = ProgramOutputs { stdout: "my turn\nbet:5\nerror margin 3".into(), stderr: String::new() };
        assert_eq!((Complaint::last(&plain), Complaint::traces(&plain)), (None, 0));
        let two =
            "Traceback (most recent call last):\n  File \"p.py\", line 3, in f\n    x[9]\nIndexError: out\n"
                .repeat(2);
        let printed = ProgramOutputs { stdout: String::new(), stderr: two };
        assert_eq!(Complaint::traces(&printed), 2);
    }
}
