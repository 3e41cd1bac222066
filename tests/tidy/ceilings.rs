//! Size limits of the repository. Code counts: tests, comments and blank lines do not.

use std::fs;
use std::io::Write;
use std::path::Path;

use crate::{files, root};

/// The most lines of code in all packages.
const MAX_CODE_LINES: usize = 63_100;

/// The most words of documents.
const MAX_WORDS: usize = 38_000;

/// The most lines of the page's scripts, styles and pages.
const MAX_ASSET_LINES: usize = 10_500;

/// The sources of the packages.
const PACKAGES: [&str; 9] = [
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

/// The lines of a text that are code of the program: not blank, not only a comment, and not of an item for tests.
fn code_lines(text: &str) -> usize {
    let mut count = 0;
    // The indentation of the item for tests that is passed over.
    let mut tests: Option<usize> = None;
    for line in text.lines() {
        let code = line.trim_start();
        let indent = line.len() - code.len();
        match tests {
            Some(own) if indent == own && code.ends_with([';', '}', ',']) => tests = None,
            Some(_) => {}
            None if code == "#[cfg(test)]" => tests = Some(indent),
            None if code.is_empty() || code.starts_with("//") => {}
            None => count += 1,
        }
    }
    count
}

/// Whether a file has nothing but tests.
fn is_of_tests(path: &Path) -> bool {
    let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    stem == "tests" || stem.ends_with("_tests") || path.components().any(|part| part.as_os_str() == "tests")
}

fn code_of(part: &str) -> usize {
    let own = root().join(part);
    let sources = files(&own, &|name| name.ends_with(".rs")).into_iter();
    let sources = sources.filter(|path| !is_of_tests(path.strip_prefix(&own).unwrap()));
    sources.map(|path| code_lines(&fs::read_to_string(path).unwrap())).sum()
}

#[test]
fn nothing_grows_above_its_ceiling() {
    let packages = PACKAGES.map(|part| (part, code_of(part)));
    let documents =
        ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"].map(|name| root().join(name));
    let documents = documents.into_iter().chain(files(&root().join("docs"), &|name| name.ends_with(".md")));
    let words: usize =
        documents.map(|path| fs::read_to_string(path).unwrap().split_whitespace().count()).sum();
    let assets = files(&root().join("src/web/assets"), &|_| true).into_iter();
    let assets: usize =
        assets.map(|path| String::from_utf8_lossy(&fs::read(path).unwrap()).lines().count()).sum();
    let sizes = [
        ("lines of code in src and crates", packages.iter().map(|(_, lines)| *lines).sum(), MAX_CODE_LINES),
        ("words of documents", words, MAX_WORDS),
        ("lines of the page's assets", assets, MAX_ASSET_LINES),
    ];
    // Written past the capture of the test harness: `make check` shows these lines.
    let mut shown = String::new();
    for (part, lines) in packages {
        shown.push_str(&format!("{lines:>7} lines of code in {part}\n"));
    }
    for (what, size, most) in sizes {
        shown.push_str(&format!("{size:>7} {what}, at most {most}\n"));
    }
    std::io::stderr().write_all(shown.as_bytes()).unwrap();
    let above = sizes.iter().filter(|(_, size, most)| size > most);
    let above: Vec<String> =
        above.map(|(what, size, most)| format!("{what}: {size}, ceiling {most}")).collect();
    assert!(
        above.is_empty(),
        "{}\nIf your change is worth its lines, raise the ceiling by them in tests/tidy/ceilings.rs, in a commit that says why. \
         The maintainers lower it again.",
        above.join("\n")
    );
}

#[test]
fn only_code_counts() {
    let text = "//! A file.\n\nuse a;\n#[cfg(test)]\nmod tests;\n\n/// Doc.\nfn f() {\n    // Why.\n    g(); // how\n}\n\n\
                #[cfg(test)]\nimpl A {\n    fn t() {\n    }\n}\n\nfn h() {}\n\n#[cfg(test)]\nmod tests {\n    fn t() {}\n}\n";
    assert_eq!(code_lines(text), 5);
    assert!(is_of_tests(Path::new("grade/tests.rs")) && is_of_tests(Path::new("tests/a.rs")));
    assert!(!is_of_tests(Path::new("grade/attests.rs")));
}
