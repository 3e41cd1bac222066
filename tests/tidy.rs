//! Mechanical checks of the repository: documents that name missing files, files that are too long.
#![allow(clippy::unwrap_used, reason = "nothing here is outside a test")]

#[path = "tidy/ceilings.rs"]
mod ceilings;
#[path = "tidy/code.rs"]
mod code;
#[path = "tidy/comments.rs"]
mod comments;
#[path = "tidy/language.rs"]
mod language;
#[path = "tidy/systems.rs"]
mod systems;
#[path = "tidy/unused.rs"]
mod unused;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Folders at the top whose files are named in documents by their paths.
const FOLDERS: [&str; 8] =
    ["src/", "crates/", "tests/", "docs/", "scripts/", "bots/", "benches/", "scenarios/"];

/// The most lines of a Rust file that holds more than tests. Clippy counts those of a function.
const LINES: usize = 700;

/// A reason has more words than this.
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

/// Whether a path is a placeholder, or a file of the user's own: `scenarios/RULE/`, `bots/*`, `docs/{one,two}.md`.
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

/// Every Rust file: its path from the top, and its text.
fn rust_files() -> Vec<(String, String)> {
    let folders = ["src", "crates", "tests", "benches", "tools"].map(|folder| root().join(folder));
    let found = folders.iter().flat_map(|folder| files(folder, &|name| name.ends_with(".rs")));
    found
        .map(|path| {
            let name = path.strip_prefix(root()).unwrap().display().to_string();
            (name, fs::read_to_string(&path).unwrap())
        })
        .collect()
}

/// The names in lines of the form `mod x;` or `name = "x"`.
fn named_lines(text: &str) -> BTreeSet<&str> {
    let name = |line| {
        let module = str::strip_prefix(line, "mod ").and_then(|rest| rest.strip_suffix(';'));
        module.or_else(|| str::strip_prefix(line, "name = \"").and_then(|rest| rest.strip_suffix('"')))
    };
    text.lines().filter_map(name).collect()
}

/// Cargo does not discover tests here: a file outside the lists would never be run.
#[test]
fn every_test_is_part_of_a_test_program() {
    let lists =
        ["tests/together.rs", "Cargo.toml"].map(|name| fs::read_to_string(root().join(name)).unwrap());
    let named: BTreeSet<&str> = lists.iter().flat_map(|list| named_lines(list)).collect();
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

/// `make test-all` runs every long test: what it alone finds, and after the semicolon what looks at the same in `make test`. The
/// others that are ignored have a command of their own.
#[test]
fn every_ignored_test_has_its_reason() {
    let mut long = 0;
    for (path, text) in rust_files() {
        for line in text.lines().map(str::trim_start).filter(|line| line.starts_with("#[ignore")) {
            let reason = line.strip_prefix("#[ignore = \"").and_then(|rest| rest.strip_suffix("\"]"));
            let is_long = reason.and_then(|reason| reason.strip_prefix("long: "));
            let is_alone = reason.is_some_and(|reason| reason.starts_with("alone: "));
            assert!(is_alone || is_long.is_some_and(|why| why.contains("; ")), "{path}: {line}");
            long += usize::from(is_long.is_some());
        }
    }
    assert!(long > 20, "{long} long tests");
}

/// An output with a ± explains it.
#[test]
fn every_frozen_output_with_an_interval_names_it() {
    let files = files(&root().join("tests/data/golden"), &|name| name.ends_with(".txt"));
    let texts: String = files.iter().map(|path| fs::read_to_string(path).unwrap()).collect();
    let with: Vec<&str> = texts.split("\n=== ").filter(|output| output.contains('±')).collect();
    let silent = with.iter().filter(|output| !output.contains("half of a 95 % interval"));
    let silent: Vec<_> = silent.map(|output| output.lines().next()).collect();
    assert!(!with.is_empty() && silent.is_empty(), "{} outputs: {silent:?}", with.len());
}

/// The rooms of each package: each may use those before it. Between packages the compiler keeps the order.
const ORDER: [(&str, &str); 6] = [
    (
        "crates/stud/src",
        "hex parallel cards shown stud table protocol odds strategies tournament journal replay",
    ),
    ("crates/analysis/src", "rating coach"),
    ("crates/show/src", "rounds timing state plan"),
    ("crates/sisters/src", "blackjack cribbage misreadings"),
    ("crates/judge/src", "figures junit sandbox roster hand_ins scenario check grade"),
    ("src", "chart report session show web ladder cli"),
];

/// The rooms that the code of a file names, other than in comments.
fn rooms_named(text: &str) -> BTreeSet<&str> {
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    let end = |c: char| !(c.is_alphanumeric() || c == '_');
    let names =
        code.flat_map(|line| line.split("crate::").skip(1)).map(|rest| rest.split(end).next().unwrap());
    // A type at the front of a package stands below all of its rooms.
    names.filter(|name| name.starts_with(char::is_lowercase)).collect()
}

#[test]
fn imports_go_one_way() {
    let mut upward = Vec::new();
    for (source, order) in ORDER {
        let order: Vec<&str> = order.split(' ').collect();
        for (own, room) in order.iter().enumerate() {
            let place = root().join(source).join(room);
            let alone = place.with_extension("rs");
            let of_room =
                if alone.is_file() { vec![alone] } else { files(&place, &|name| name.ends_with(".rs")) };
            for path in of_room {
                let text = fs::read_to_string(&path).unwrap();
                for named in rooms_named(&text) {
                    match order.iter().position(|other| *other == named) {
                        Some(other) if other <= own => {}
                        _ => upward.push(format!("{} names {named}", path.display())),
                    }
                }
            }
        }
    }
    assert!(upward.is_empty(), "\n{}", upward.join("\n"));
    assert_eq!(
        rooms_named("use crate::a::B;\n// crate::c\nlet x = crate::d; crate::E"),
        BTreeSet::from(["a", "d"])
    );
}

#[test]
fn no_file_is_too_long() {
    let long: Vec<String> = rust_files()
        .iter()
        .filter(|(name, _)| !code::is_of_tests(Path::new(name)))
        .map(|(name, text)| (name, text.lines().count()))
        .filter(|(_, lines)| *lines > LINES)
        .map(|(name, lines)| format!("{name} has {lines} lines, more than {LINES}"))
        .collect();
    assert!(long.is_empty(), "\n{}", long.join("\n"));
}

/// The crates that a `Cargo.toml` names: the words before the first `=` or `.` in a section of dependencies.
fn named_crates(manifest: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut is_inside = false;
    for line in manifest.lines() {
        match line.strip_prefix('[') {
            Some(section) => is_inside = section.trim_end_matches(']').ends_with("dependencies"),
            None if is_inside && !line.trim().is_empty() && !line.starts_with('#') => {
                let name = line.split(['=', '.', ' ']).next().unwrap_or_default();
                found.insert(name.to_string());
            }
            None => {}
        }
    }
    found.retain(|name| !name.starts_with("casino-"));
    found
}

/// The names in the first column of the table below this heading, each as often as it stands there.
fn first_column(document: &str, heading: &str) -> Vec<String> {
    let below = document.split_once(heading).unwrap_or_else(|| panic!("there is no table {heading}")).1;
    let rows = below.lines().skip_while(|line| !line.starts_with("|---")).skip(1);
    let rows = rows.take_while(|line| line.starts_with('|'));
    let names = |row: &str| -> Vec<String> {
        let column = row.split('|').nth(1).unwrap_or_default();
        // Brackets name the only system that needs it, or the tests.
        let plain = column.split_once('(').map_or(column, |(name, _)| name);
        plain.split(',').map(|name| name.trim().to_string()).collect()
    };
    rows.flat_map(names).collect()
}

fn manifests() -> Vec<String> {
    let mut found = files(&root().join("crates"), &|name| name == "Cargo.toml");
    found.push(root().join("Cargo.toml"));
    found.iter().map(|path| fs::read_to_string(path).unwrap()).collect()
}

#[test]
fn every_dependency_has_one_line_with_its_reason() {
    let read = |name: &str| fs::read_to_string(root().join(name)).unwrap();
    let named: BTreeSet<String> = manifests().iter().flat_map(|manifest| named_crates(manifest)).collect();
    let listed = first_column(&read("docs/dependencies.md"), "| crate | why |");
    let once: BTreeSet<String> = listed.iter().cloned().collect();
    assert_eq!(once, named, "docs/dependencies.md has a line for each crate of every Cargo.toml");
    assert_eq!(once.len(), listed.len(), "a crate has two lines: {listed:?}");
}

#[test]
fn the_fuzz_targets_lock_the_same_dependencies() {
    let read = |name: &str| fs::read_to_string(root().join(name)).unwrap();
    let locked = read("fuzz/Cargo.lock");
    for manifest in manifests() {
        let is_compiled =
            |section: &&str| !section.contains("dev-dependencies]") && !section.starts_with("workspace.");
        let sections = manifest.split("\n[").filter(is_compiled);
        let needed = named_crates(&sections.collect::<Vec<_>>().join("\n["));
        assert!(!needed.is_empty(), "{manifest}");
        for name in needed {
            let is_locked = locked.contains(&format!("\nname = \"{name}\"\n"));
            assert!(is_locked, "fuzz/Cargo.lock knows no {name}: `make fuzz` adds it");
        }
    }
}

#[test]
fn all_build_time_programs_are_listed() {
    let version = Command::new("rustc").arg("-vV").output().unwrap();
    let version = String::from_utf8(version.stdout).unwrap();
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).unwrap();
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_string());
    let mut command = Command::new(cargo);
    command.args(["metadata", "--format-version", "1", "--locked", "--filter-platform", host]);
    let output = command.current_dir(root()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let known: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let runs = |package: &&serde_json::Value| {
        let targets = package["targets"].as_array().unwrap().iter();
        let mut kinds = targets.flat_map(|target| target["kind"].as_array().unwrap());
        kinds.any(|kind| kind == "custom-build" || kind == "proc-macro")
    };
    let packages = known["packages"].as_array().unwrap();
    let found: BTreeSet<&str> =
        packages.iter().filter(runs).map(|package| package["name"].as_str().unwrap()).collect();
    let listed = first_column(
        &fs::read_to_string(root().join("docs/dependencies.md")).unwrap(),
        "| build script or procedural macro |",
    );
    let listed: BTreeSet<&str> = listed.iter().map(String::as_str).collect();
    let new: Vec<&&str> = found.difference(&listed).collect();
    assert!(
        new.is_empty(),
        "these run while the program is compiled, and docs/dependencies.md does not say why: {new:?}"
    );
    if cfg!(target_os = "linux") {
        let stale: Vec<&&str> = listed.difference(&found).collect();
        assert!(
            stale.is_empty(),
            "docs/dependencies.md lists these, and nothing brings them any more: {stale:?}"
        );
    }
}

/// The patterns of `exclude_re` without a comment above them.
fn unexplained(config: &str) -> Vec<&str> {
    let list = config.split_once("\nexclude_re = [\n").map_or("", |(_, list)| list);
    let lines: Vec<&str> = list.lines().map(str::trim).take_while(|line| *line != "]").collect();
    let is_reason = |line: &str| line.starts_with('#') && line.split_whitespace().count() > WORDS;
    let above = |at: usize| at.checked_sub(1).is_some_and(|above| is_reason(lines[above]));
    (0..lines.len()).filter(|at| !lines[*at].starts_with('#') && !above(*at)).map(|at| lines[at]).collect()
}

/// Every exclusion from `make mutants` needs a reason.
#[test]
fn every_change_that_tests_need_not_notice_has_its_reason() {
    let config = fs::read_to_string(root().join(".cargo/mutants.toml")).unwrap();
    assert!(config.contains("\nexclude_re = [\n"), "the list is where it is looked for");
    assert_eq!(unexplained(&config), Vec::<&str>::new());
    let list = "x\nexclude_re = [\n# It is the same number.\n'a',\n'b',\n# Why\n'c',\n]\n'd',\n";
    assert_eq!(unexplained(list), ["'b',", "'c',"]);
}

#[test]
fn crates_of_a_manifest_and_of_a_table_are_found() {
    let manifest = "[package]\nname = \"x\"\n[dependencies]\nbytes.workspace = true\n# a comment\nclap = { version = \"4\" }\n\n[target.'cfg(unix)'.dev-dependencies]\nnix = \"1\"\n[lints]\nworkspace = true\n";
    assert_eq!(named_crates(manifest), ["bytes", "clap", "nix"].map(String::from).into());
    let table = "x\n| crate | why |\n|---|---|\n| one, two | x |\n| two (tests) | y |\n\n| no | z |\n";
    assert_eq!(first_column(table, "| crate | why |"), ["one", "two", "two"]);
}
