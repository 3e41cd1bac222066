//! What nobody should have to look for: documents that name files which are not there, files that are too long, and
//! comments that say nothing.
#![allow(clippy::unwrap_used, reason = "nothing here is outside a test")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Folders at the top whose files are named in documents by their paths.
const FOLDERS: [&str; 8] =
    ["src/", "tests/", "docs/", "scripts/", "bots/", "benches/", "examples/", "scenarios/"];

/// The most lines of a Rust file. Clippy counts those of a function.
const LINES: usize = 500;

/// A doc comment of fewer words than this repeats the name.
const WORDS: usize = 3;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All files below a folder whose names satisfy a condition, in order.
fn files(folder: &Path, wanted: &dyn Fn(&str) -> bool) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path, wanted));
        } else if path.file_name().and_then(|name| name.to_str()).is_some_and(wanted) {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The documents that people read, and the Makefile.
fn documents() -> Vec<PathBuf> {
    let mut documents: Vec<PathBuf> =
        ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "Makefile"].map(|name| root().join(name)).into();
    documents.extend(files(&root().join("docs"), &|name| name.ends_with(".md")));
    for folder in ["scenarios", "bots"] {
        documents.extend(files(&root().join(folder), &|name| name == "README.md"));
    }
    documents
}

/// Whether a path stands for many files or for somebody's own: `scenarios/RULE/`, `bots/*`, `docs/{one,two}.md`.
fn is_placeholder(path: &str) -> bool {
    let word = |part: &str| part.len() > 1 && part.chars().all(|c| c.is_ascii_uppercase());
    path.contains(['*', '{', '<', '$', '…']) || path.split('/').any(word)
}

/// The files of this repository that a document names by a path from the top.
fn named_paths(text: &str) -> BTreeSet<&str> {
    let ends = |c: char| c.is_whitespace() || "`'\"()[]|,;".contains(c);
    text.split(ends)
        .map(|token| token.trim_start_matches("./").trim_end_matches(['.', ':', '?', '!']))
        .map(|token| token.split_once(['#', ':']).map_or(token, |(path, _)| path))
        .filter(|token| FOLDERS.iter().any(|folder| token.starts_with(folder)) && !is_placeholder(token))
        .collect()
}

/// Where the links of a document lead to within this repository, from the document's folder.
fn linked_paths(text: &str) -> BTreeSet<&str> {
    text.split("](")
        .skip(1)
        .filter_map(|rest| rest.split_once(')'))
        .map(|(target, _)| target.split_once('#').map_or(target, |(path, _)| path))
        .filter(|target| !target.is_empty() && !target.contains(':') && !is_placeholder(target))
        .collect()
}

#[test]
fn every_file_that_a_document_names_exists() {
    let mut missing = Vec::new();
    let mut looked_at = 0;
    for document in documents() {
        let text = fs::read_to_string(&document).unwrap();
        let folder = document.parent().unwrap();
        let named = named_paths(&text).into_iter().map(|path| (root(), path));
        let linked = linked_paths(&text).into_iter().map(|path| (folder, path));
        for (from, path) in named.chain(linked) {
            looked_at += 1;
            if !from.join(path).exists() {
                let document = document.strip_prefix(root()).unwrap();
                missing.push(format!("{} names {path}, which is not there", document.display()));
            }
        }
    }
    assert!(missing.is_empty(), "\n{}", missing.join("\n"));
    assert!(looked_at > 100, "only {looked_at} paths were found in the documents");
}

#[test]
fn paths_are_found_in_a_document() {
    let text = "See [the deal](docs/deal.md#seeds) and `src/cli/mod.rs`, also ./scripts/x.sh: `scenarios/RULE/`, \
                `tests/*.rs`, [elsewhere](https://example.org/docs/y.md), (tests/common.rs).";
    assert_eq!(
        named_paths(text),
        BTreeSet::from(["docs/deal.md", "src/cli/mod.rs", "scripts/x.sh", "tests/common.rs"])
    );
    assert_eq!(linked_paths(text), BTreeSet::from(["docs/deal.md"]));
}

/// Every Rust file, by its path from the top, and what is in it.
fn rust_files() -> Vec<(String, String)> {
    let folders = ["src", "tests", "benches", "examples"].map(|folder| root().join(folder));
    let found = folders.iter().flat_map(|folder| files(folder, &|name| name.ends_with(".rs")));
    found
        .map(|path| {
            let name = path.strip_prefix(root()).unwrap().display().to_string();
            (name, fs::read_to_string(&path).unwrap())
        })
        .collect()
}

/// What the lines of a text name that are written as `mod x;` or `name = "x"`.
fn named_lines(text: &str) -> BTreeSet<&str> {
    let name = |line| {
        let module = str::strip_prefix(line, "mod ").and_then(|rest| rest.strip_suffix(';'));
        module.or_else(|| str::strip_prefix(line, "name = \"").and_then(|rest| rest.strip_suffix('"')))
    };
    text.lines().filter_map(name).collect()
}

/// Cargo does not look for tests by itself here: a file that nobody names would never be run.
#[test]
fn every_test_is_part_of_a_test_program() {
    let [together, manifest] =
        ["tests/together.rs", "Cargo.toml"].map(|name| fs::read_to_string(root().join(name)).unwrap());
    let named = &named_lines(&together) | &named_lines(&manifest);
    let mut forgotten = Vec::new();
    for entry in fs::read_dir(root().join("tests")).unwrap() {
        let path = entry.unwrap().path();
        let is_test = path.extension().is_some_and(|extension| extension == "rs")
            || ["mod.rs", "main.rs"].iter().any(|file| path.join(file).is_file());
        let name = path.file_stem().unwrap().to_str().unwrap().to_string();
        if is_test && !named.contains(name.as_str()) {
            forgotten.push(name);
        }
    }
    assert!(forgotten.is_empty(), "put them into tests/together.rs: {}", forgotten.join(", "));
}

/// The text of a line of a doc comment.
fn doc(line: &str) -> Option<&str> {
    let line = line.trim_start();
    line.strip_prefix("///").or_else(|| line.strip_prefix("//!"))
}

/// The doc comments of one line that are too short to say anything, with their lines' numbers.
fn short_docs(text: &str) -> Vec<(usize, &str)> {
    let lines: Vec<&str> = text.lines().collect();
    let is_doc = |at: Option<usize>| at.and_then(|at| lines.get(at)).is_some_and(|line| doc(line).is_some());
    let alone = |at: usize| !is_doc(at.checked_sub(1)) && !is_doc(Some(at + 1));
    let short = |words: &str| words.split_whitespace().count() < WORDS;
    let found = lines.iter().enumerate().filter_map(|(at, line)| doc(line).map(|words| (at, words)));
    found.filter(|(at, words)| short(words) && alone(*at)).map(|(at, words)| (at + 1, words)).collect()
}

#[test]
fn no_file_is_too_long() {
    let long: Vec<String> = rust_files()
        .iter()
        .map(|(name, text)| (name, text.lines().count()))
        .filter(|(_, lines)| *lines > LINES)
        .map(|(name, lines)| format!("{name} has {lines} lines, more than {LINES}"))
        .collect();
    assert!(long.is_empty(), "\n{}", long.join("\n"));
}

#[test]
fn every_doc_comment_says_something() {
    let files = rust_files();
    let short: Vec<String> = files
        .iter()
        .flat_map(|(name, text)| short_docs(text).into_iter().map(move |found| (name, found)))
        .map(|(name, (line, words))| format!("{name}:{line} says no more than \"{}\"", words.trim()))
        .collect();
    assert!(short.is_empty(), "\n{}", short.join("\n"));
}

#[test]
fn short_doc_comments_are_found() {
    let text = "    /// Who.\n    who: Seat,\n/// Why, in words.\nx\n/// A list\n/// of two.\ny // Who.\n//! Ctrl-C.\n";
    assert_eq!(short_docs(text), [(1, " Who."), (8, " Ctrl-C.")]);
}
