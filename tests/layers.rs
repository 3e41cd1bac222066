//! The order of the layers, and that the core never waits.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Each layer may import those above it in this list. The three games share a line: none imports another.
const ORDER: [&[&str]; 22] = [
    &["system"],
    &["cards"],
    &["stud", "blackjack", "cribbage"],
    &["misreadings"],
    &["table"],
    &["protocol"],
    &["odds"],
    &["strategies"],
    &["tournament"],
    &["rating"],
    &["journal"],
    &["replay"],
    &["coach"],
    &["server"],
    &["sandbox"],
    &["scenario"],
    &["check"],
    &["grade"],
    &["report"],
    &["web"],
    &["session"],
    &["cli"],
];

/// The other two games stand on the cards alone.
const CARDS_ONLY: [&str; 2] = ["blackjack", "cribbage"];

/// Who may wait for something.
const MAY_WAIT: [&str; 8] = ["system", "server", "sandbox", "scenario", "check", "grade", "web", "session"];

fn place(layer: &str) -> Option<usize> {
    ORDER.iter().position(|line| line.contains(&layer))
}

/// Every Rust file under a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("the sources can be listed") {
        let path = entry.expect("the sources can be listed").path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The code without comments and without what strings say: neither imports anything.
fn code(text: &str) -> String {
    text.lines()
        .map(|line| line.split_once("//").map_or(line, |(before, _)| before))
        .map(|line| line.split('"').step_by(2).collect::<Vec<_>>().join("\"\""))
        .collect::<Vec<_>>()
        .join("\n")
}

fn is_part_of_a_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn name_at_start(text: &str) -> &str {
    text.split(|c| !is_part_of_a_name(c)).next().unwrap_or_default()
}

/// The first names of everything that comes after `prefix`, also in `prefix{one::x, two}`.
fn names_after(prefix: &str, code: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for (at, _) in code.match_indices(prefix) {
        if code[..at].ends_with(|c| is_part_of_a_name(c) || c == ':') {
            continue;
        }
        let rest = code[at + prefix.len()..].trim_start();
        let Some(list) = rest.strip_prefix('{') else {
            names.insert(name_at_start(rest).to_string());
            continue;
        };
        let mut depth = 0;
        let mut item = String::new();
        for c in list.chars() {
            match c {
                '}' if depth == 0 => break,
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 0 => {
                    names.insert(name_at_start(item.trim()).to_string());
                    item.clear();
                    continue;
                }
                _ => {}
            }
            item.push(c);
        }
        names.insert(name_at_start(item.trim()).to_string());
    }
    names.remove("");
    names
}

/// What is wrong with a file of this layer, if anything.
fn complaints(layer: &str, text: &str, siblings: &dyn Fn(&str) -> bool) -> Vec<String> {
    let code = code(text);
    let Some(own) = place(layer) else {
        return vec![format!("{layer} is no layer: put it into the order of tests/layers.rs")];
    };
    let mut imports = names_after("crate::", &code);
    imports.extend(names_after("casino_day::", &code));
    imports.extend(names_after("casino_core::", &code));
    // `super::x` leaves the layer when x is none of its own files.
    let above = names_after("super::", &code);
    imports.extend(above.into_iter().filter(|name| place(name).is_some() && !siblings(name)));
    let mut complaints = Vec::new();
    for name in imports {
        match place(&name) {
            None => complaints.push(format!("{layer} imports {name}, which is no layer")),
            Some(_) if name == layer => {}
            Some(other) if other >= own => {
                complaints.push(format!("{layer} imports {name}, which does not stand below it"));
            }
            Some(_) if CARDS_ONLY.contains(&layer) && name != "cards" => {
                complaints.push(format!("{layer} imports {name}, but stands on the cards alone"));
            }
            Some(_) => {}
        }
    }
    let words: BTreeSet<&str> = code.split(|c| !is_part_of_a_name(c)).collect();
    if words.contains("tokio") && !MAY_WAIT.contains(&layer) {
        complaints.push(format!("{layer} names tokio: only {} wait", MAY_WAIT.join(", ")));
    }
    complaints
}

#[test]
fn imports_go_one_way_and_only_the_server_waits() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut looked_at = BTreeSet::new();
    let mut found = Vec::new();
    for path in sources(&src) {
        let inside = path.strip_prefix(&src).expect("a file of src");
        let Some(layer) = inside.parent().and_then(|folder| folder.iter().next()) else {
            let name = inside.to_string_lossy();
            assert!(["core.rs", "lib.rs", "main.rs"].contains(&name.as_ref()), "src/{name} is in no layer");
            continue;
        };
        let layer = layer.to_str().expect("layers have plain names");
        looked_at.insert(layer.to_string());
        let siblings = |name: &str| {
            let folder = src.join(layer);
            folder.join(name).is_dir() || folder.join(format!("{name}.rs")).is_file()
        };
        let text = fs::read_to_string(&path).expect("a source can be read");
        let wrong = complaints(layer, &text, &siblings);
        found.extend(wrong.into_iter().map(|complaint| format!("src/{}: {complaint}", inside.display())));
    }
    assert!(found.is_empty(), "\n{}", found.join("\n"));
    for layer in
        ["cards", "stud", "table", "protocol", "strategies", "tournament", "journal", "server", "cli"]
    {
        assert!(looked_at.contains(layer), "no file of {layer} was looked at");
    }
}

/// The rooms of `casino-core` are the lower ones, and the compiler sees to it that they import no other.
#[test]
fn the_core_is_the_lower_half() {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/core.rs"));
    let code = code(&text.expect("src/core.rs can be read"));
    let rooms: BTreeSet<&str> =
        code.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';')).collect();
    let lower = ORDER.iter().position(|line| line.contains(&"server")).expect("a layer");
    assert_eq!(rooms, ORDER[..lower].iter().flat_map(|line| line.iter().copied()).collect());
}

#[test]
fn what_must_not_be_is_found() {
    let wrong = |layer: &str, text: &str| complaints(layer, text, &|_| false);
    for (layer, text) in [
        ("cards", "use crate::stud::Seat;"),
        ("table", "fn f() { crate::server::f() }"),
        ("table", "use crate::{\n    cards::Card,\n    protocol::{Command, read_reply},\n};"),
        ("stud", "use crate::blackjack::Shoe;"),
        ("blackjack", "use crate::stud::Seat;"),
        ("journal", "use super::server::Lobby;"),
        ("journal", "use casino_day::cli::run;"),
        ("table", "use casino_core::journal::Journal;"),
        ("table", "use crate::elsewhere::Thing;"),
        ("elsewhere", ""),
        ("protocol", "use tokio::net::TcpStream;"),
        ("cli", "tokio::spawn(x)"),
    ] {
        assert_eq!(wrong(layer, text).len(), 1, "{layer}: {text}: {:?}", wrong(layer, text));
    }
    for (layer, text) in [
        ("table", "use crate::cards::Card;\nuse crate::{stud::Seat, table::quote};"),
        ("protocol", "use tokio_util::codec::Decoder;"),
        ("server", "use tokio::net::TcpStream;\nuse crate::table::Step;"),
        ("cards", "// the words of crate::server and tokio\nlet x = \"crate::cli\";"),
    ] {
        assert_eq!(wrong(layer, text), Vec::<String>::new(), "{layer}: {text}");
    }
    assert_eq!(complaints("cards", "use super::table::x;", &|name| name == "table"), Vec::<String>::new());
}
