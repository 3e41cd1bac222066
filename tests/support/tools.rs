//! The tools that a test may use and a machine may lack, and the one way in which a test leaves something out for want
//! of one.
//!
//! A grader running as root gives programs separate users. Without bubblewrap these see the system as any user does,
//! without files in root's home.

#![allow(dead_code, unreachable_pub, reason = "each test program uses a part")]
#![allow(clippy::unwrap_used, reason = "nothing here is outside a test")]

use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use casino_judge::sandbox::{ResourceLimits, Sandbox, Task, Termination, Workspace};

/// The longest time for a compiler to print its version.
const PATIENCE: Duration = Duration::from_secs(120);

/// A Python interpreter that every user of the machine may run, if there is one; else the first on the path. The
/// interpreter itself, not a wrapper that searches for one each time. `None` without any.
pub fn python() -> Option<PathBuf> {
    let asked = Command::new("python3").args(["-c", "import sys; print(sys.executable)"]).output().ok()?;
    let first =
        PathBuf::from(String::from_utf8(asked.stdout).ok().filter(|_| asked.status.success())?.trim());
    let system = ["/usr/bin/python3", "/usr/local/bin/python3"].map(PathBuf::from);
    let open = std::iter::once(&first).chain(&system).find(|path| is_open(path));
    Some(open.unwrap_or(&first).clone())
}

/// Whether every user may run this file and enter the folders above it.
fn is_open(path: &Path) -> bool {
    const OTHERS_MAY: u32 = 0o001;
    let may =
        |path: &Path| fs::metadata(path).is_ok_and(|about| about.permissions().mode() & OTHERS_MAY != 0);
    path.ancestors().all(may) && fs::canonicalize(path).is_ok_and(|real| real.ancestors().all(may))
}

/// Whether a command works in this sandbox, and exits with 0.
pub fn works_in(sandbox: &Sandbox, words: &[&str], folder: &Path) -> bool {
    let task = Task {
        words: [&["/bin/sh", "-c", "exec \"$0\" \"$@\""], words]
            .concat()
            .into_iter()
            .map(String::from)
            .collect(),
        place: Workspace::Copy(folder.to_path_buf()),
        limits: ResourceLimits::BUILD,
        keep: 4096,
    };
    let boxed = sandbox.start(&task).unwrap();
    boxed.wait(PATIENCE);
    boxed.finish().end == Termination::Exited(0)
}

/// Whether a program is there; otherwise reports the skipped test.
pub fn has(program: &str, what: &str) -> bool {
    let version = match program {
        "javac" => "-version",
        "go" => "version",
        "unzip" => "-v",
        _ => "--version",
    };
    let asked = Command::new(program).arg(version).stdout(Stdio::null()).stderr(Stdio::null()).status();
    let there = asked.is_ok_and(|status| status.success());
    if !there {
        skip(program, what, &format!("there is no {program} here"));
    }
    there
}

/// Further names in `REQUIRE`, for scripts/check-dependencies.sh and scripts/check-msrv.sh.
const CHECKS: [&str; 3] = ["all", "deny", "msrv"];

/// All tools that a test may do without.
const TOOLS: &str = "browser bubblewrap fuse g++ go javac node pandas python3 rustc swipl unzip zip";

/// The one that `REQUIRE=all` does not ask for: it is large, and a page's picture alone needs it.
const NOT_IN_ALL: &str = "pandas";

/// Reports a skipped test and the missing tool, on standard error past the test runner, which would capture the output
/// of the macros. Every test that skips something calls this.
///
/// # Panics
/// If the environment's `REQUIRE` is `all` or a list with commas in which the tool is.
pub fn skip(tool: &str, what: &str, why: &str) {
    let required = std::env::var("REQUIRE").unwrap_or_default();
    let names = || required.split(',').map(str::trim).filter(|name| !name.is_empty());
    for name in names().chain([tool]) {
        assert!(
            CHECKS.contains(&name) || TOOLS.split(' ').any(|tool| tool == name),
            "{name} is none of the tools: {}",
            TOOLS.replace(' ', ", ")
        );
    }
    let sentence = format!("{what}, because {why}");
    assert!(
        !names().any(|name| name == tool || (name == "all" && tool != NOT_IN_ALL)),
        "REQUIRE={required}, but this would be skipped: {sentence}"
    );
    let test = std::thread::current().name().unwrap_or("a test").to_string();
    let mut errors = std::io::stderr().lock();
    writeln!(errors, "SKIPPED in {test}: {sentence} (`make tools` installs what it can).").unwrap();
}
