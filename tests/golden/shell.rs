//! A folder in which command lines run as people type them.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use crate::tools;

/// A folder of a test's own, in which `casino` and `python3` are found, and with the programs of this project that
/// players are made of. It is removed at the end unless the test fails.
pub(crate) struct Shell {
    folder: PathBuf,
}

/// The result of a command line.
pub(crate) struct Ran {
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: String,
    pub(crate) code: Option<i32>,
}

/// A file or folder of this project, by the name it has in the folder of a test.
const BORROWED: [(&str, &str); 6] = [
    ("kit", "bots/python"),
    ("scenarios", "scenarios"),
    ("rubric", "crates/judge/rubric"),
    ("faulty.py", "tests/faulty/bot.py"),
    ("blackjack.py", "tests/students/blackjack.py"),
    ("cribbage.py", "tests/students/cribbage.py"),
];

/// The Python interpreter itself: the first one on the path may be a wrapper that searches for it each time.
fn python() -> Option<&'static Path> {
    static PYTHON: OnceLock<Option<PathBuf>> = OnceLock::new();
    PYTHON.get_or_init(tools::python).as_deref()
}

/// Whether there is a Python for these outputs; if not, a message reports that they are skipped.
pub(crate) fn has_python(outputs: &str) -> bool {
    python().is_some() || tools::has("python3", outputs)
}

impl Shell {
    pub(crate) fn new(name: &str) -> Shell {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("golden-{name}"));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("bin")).unwrap();
        symlink(env!("CARGO_BIN_EXE_casino"), folder.join("bin/casino")).unwrap();
        if let Some(python) = python() {
            symlink(python, folder.join("bin/python3")).unwrap();
        }
        for (name, place) in BORROWED {
            symlink(Path::new(env!("CARGO_MANIFEST_DIR")).join(place), folder.join(name)).unwrap();
        }
        Shell { folder }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.path(name), bytes).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// A command line, to be started here, without any environment variable that could show in an output.
    pub(crate) fn command(&self, line: &str) -> Command {
        let mut command = Command::new("/bin/sh");
        let path = std::env::var("PATH").unwrap_or_default();
        command.args(["-c", line]).current_dir(&self.folder).stdin(Stdio::null());
        command.env("PATH", format!("{}:{path}", self.path("bin").display()));
        command.env("LC_ALL", "C.UTF-8").env("TZ", "UTC").env("PYTHONDONTWRITEBYTECODE", "1");
        for name in ["RUST_BACKTRACE", "NO_COLOR", "CLICOLOR_FORCE", "COLUMNS", "CASINO"] {
            command.env_remove(name);
        }
        command
    }

    pub(crate) fn run(&self, line: &str) -> Ran {
        let output = self.command(line).output().unwrap();
        Ran {
            stdout: output.stdout,
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
            code: output.status.code(),
        }
    }

    /// Runs a command line that has to go well.
    #[track_caller]
    pub(crate) fn done(&self, line: &str) -> Vec<u8> {
        let ran = self.run(line);
        assert_eq!(ran.code, Some(0), "{line}: {}", ran.stderr);
        ran.stdout
    }
}

impl Drop for Shell {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            let _ = fs::remove_dir_all(&self.folder);
        }
    }
}

/// The words before a measured time. The rest of an output is the same in every run.
const BEFORE_A_TIME: [&str; 9] = [
    // The step of `casino check` about reply times, for people.
    "half within ",
    "99 of 100 within ",
    "the slowest ",
    // The same for scripts.
    "\"p50_ms\": ",
    "\"p99_ms\": ",
    "\"slowest_ms\": ",
    // How long the whole check took, for scripts and for people.
    "\"seconds\": ",
    " failed (",
    " not run (",
];

/// The output with a sign in place of each measured time.
pub(crate) fn without_times(output: &[u8]) -> Vec<u8> {
    let mut text = String::from_utf8_lossy(output).into_owned();
    for words in BEFORE_A_TIME {
        let parts: Vec<&str> = text.split(words).collect();
        let mut whole = parts[0].to_string();
        for part in &parts[1..] {
            let rest = part.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
            let time = if rest.len() < part.len() { "TIME" } else { "" };
            whole += &format!("{words}{time}{rest}");
        }
        text = whole;
    }
    text.into_bytes()
}
