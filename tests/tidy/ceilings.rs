//! Size limits of the repository. A ceiling may only fall: a change that needs more room removes something else.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Command;

use crate::{files, root};

/// The unit of a row of the table.
enum Unit {
    Lines(&'static str),
    Words,
    Files,
}

/// A part of the repository, its unit, and its ceiling.
struct Ceiling {
    part: &'static [&'static str],
    unit: Unit,
    most: usize,
}

const fn rust(part: &'static [&'static str], most: usize) -> Ceiling {
    Ceiling { part, unit: Unit::Lines(".rs"), most }
}

const CEILINGS: [Ceiling; 14] = [
    rust(&["crates/system/src"], 1_870),
    rust(&["crates/stud/src"], 19_648),
    rust(&["crates/analysis/src"], 5_798),
    rust(&["crates/show/src"], 5_442),
    rust(&["crates/sisters/src"], 3_813),
    rust(&["crates/host/src"], 6_204),
    rust(&["crates/judge/src"], 23_062),
    rust(&["crates/ladder/src"], 5_319),
    rust(&["src"], 24_832),
    rust(ALL_RUST, 95_988),
    rust(&["tests"], 17_614),
    Ceiling { part: &["src/web/assets"], unit: Unit::Lines(""), most: 9_911 },
    Ceiling {
        part: &["docs", "README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"],
        unit: Unit::Words,
        most: 35_540,
    },
    Ceiling { part: &[], unit: Unit::Files, most: 1_346 },
];

/// The source of all packages.
const ALL_RUST: &[&str] = &[
    "crates/system/src",
    "crates/stud/src",
    "crates/analysis/src",
    "crates/show/src",
    "crates/sisters/src",
    "crates/host/src",
    "crates/judge/src",
    "crates/ladder/src",
    "src",
];

impl Ceiling {
    /// The current count. `None` for the number of files outside a git checkout.
    fn count(&self) -> Option<usize> {
        let texts = |ending: &'static str| {
            let paths = self.part.iter().flat_map(move |part| {
                let path = root().join(part);
                if path.is_dir() { files(&path, &|name| name.ends_with(ending)) } else { vec![path] }
            });
            paths.map(|path| String::from_utf8_lossy(&fs::read(path).unwrap()).into_owned())
        };
        match self.unit {
            Unit::Lines(ending) => Some(texts(ending).map(|text| text.lines().count()).sum()),
            Unit::Words => Some(texts(".md").map(|text| text.split_whitespace().count()).sum()),
            Unit::Files => tracked_files(root()),
        }
    }

    fn name(&self) -> String {
        match self.unit {
            Unit::Lines(_) if self.part.len() > 1 => "all packages, lines".to_string(),
            Unit::Lines(_) => format!("{}, lines", self.part[0]),
            Unit::Words => "documents, words".to_string(),
            Unit::Files => "repository, files".to_string(),
        }
    }
}

fn tracked_files(folder: &Path) -> Option<usize> {
    let listed = Command::new("git").arg("ls-files").current_dir(folder).output().ok()?;
    listed.status.success().then(|| listed.stdout.split(|byte| *byte == b'\n').count() - 1)
}

#[test]
fn nothing_grows_above_its_ceiling() {
    let mut above = Vec::new();
    for ceiling in &CEILINGS {
        let Some(count) = ceiling.count() else { continue };
        if count > ceiling.most {
            above.push(format!("{}: {count}, ceiling {}", ceiling.name(), ceiling.most));
        }
        if ceiling.part == ALL_RUST {
            // Written past the capture of the test harness: `make check` shows this line.
            let line = format!(
                "lines of Rust: {count}, ceiling {}, distance {}\n",
                ceiling.most,
                ceiling.most.saturating_sub(count)
            );
            std::io::stderr().write_all(line.as_bytes()).unwrap();
        }
    }
    assert!(above.is_empty(), "remove something first:\n{}", above.join("\n"));
}
