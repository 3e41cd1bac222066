//! All scenarios of the program, in memory and over TCP, and the errors of invalid files. The command is among the
//! golden commands.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use casino_judge::scenario::Scenario;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// All files with this extension under a folder, in order.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("the folder can be listed") {
        let path = entry.expect("the folder can be listed").path();
        if path.join("rubric.json").is_file() {
            // Situations to judge bots in: checked in crates/judge/src/grade/rubric.rs.
        } else if path.is_dir() {
            found.extend(files(&path, extension));
        } else if path.extension().is_some_and(|other| other == extension) {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn shipped() -> Vec<(PathBuf, Scenario)> {
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).unwrap();
        let scenario = Scenario::read(&text).unwrap_or_else(|mistake| panic!("{}:{mistake}", path.display()));
        (path, scenario)
    };
    files(&root().join("scenarios"), "json").into_iter().map(read).collect()
}

#[test]
fn every_scenario_passes_in_memory_and_over_tcp() {
    for (path, scenario) in shipped() {
        let played = scenario.play();
        let findings = scenario.check(&played);
        assert!(findings.is_empty(), "{}: {findings:#?}", path.display());
        let over_tcp = scenario.play_over_tcp().unwrap();
        assert_eq!(over_tcp, played, "{}: over TCP (left) and in memory", path.display());
    }
}

#[test]
fn every_rule_and_the_document_have_scenarios_in_their_folder() {
    let mut shown = BTreeSet::new();
    let mut titles = BTreeSet::new();
    for (path, scenario) in shipped() {
        let folder = path.parent().unwrap().file_name().unwrap().to_str().unwrap();
        if folder == "document" {
            assert!(scenario.says.is_some(), "{} quotes no sentence", path.display());
        } else {
            assert_eq!(scenario.rules[0], folder, "{}", path.display());
        }
        shown.extend(scenario.rules.clone());
        assert!(titles.insert(scenario.title.clone()), "{} is there twice", scenario.title);
    }
    let all: BTreeSet<String> = (1..=22).map(|number| format!("R{number}")).collect();
    assert_eq!(shown, all);
}

#[test]
fn every_kind_of_foul_a_script_can_commit_is_shown() {
    let kinds: BTreeSet<&str> = shipped()
        .iter()
        .flat_map(|(_, scenario)| scenario.play().fouls.into_iter().map(|foul| foul.kind).collect::<Vec<_>>())
        .collect();
    let expected = [
        "connection closed",
        "illegal bet",
        "no reply in time",
        "unsolicited message",
        "unreadable frame",
        "unreadable reply",
    ];
    assert_eq!(kinds, BTreeSet::from(expected));
}

#[test]
fn no_foreign_hole_card_is_sent_before_the_showdown() {
    for (path, scenario) in shipped() {
        let played = scenario.play();
        for lines in played.transcripts.iter().chain(&played.visitors) {
            for line in lines {
                let casino_judge::scenario::TranscriptLine::ToPlayer(text) = line else { continue };
                let fields: Vec<&str> = text.split(':').collect();
                // A question's list has one or two cards for each player, and its own part one more: the hole.
                if let Some(up) = fields.iter().position(|field| *field == "up") {
                    let own = up - 4;
                    let per_player = if text.starts_with("bet1") { 1 } else { 2 };
                    assert_eq!(own, 1 + per_player, "{}: {text}", path.display());
                    assert!(!fields[up + 1..].contains(&fields[4]), "{}: {text}", path.display());
                }
            }
        }
    }
}

/// Whether the frozen mistakes are written and not compared.
fn is_updated() -> bool {
    std::env::var_os("UPDATE_GOLDEN").is_some_and(|value| value == "1")
}

/// Each scenario of the file has a line `### NAME` above it and a line `### MISTAKE` below it, which
/// UPDATE_GOLDEN=1 writes.
#[test]
fn mistakes_are_named_with_place_and_remedy() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/bad-scenarios.txt");
    let table = fs::read_to_string(&file).unwrap();
    let mut parts = table.split_inclusive('\n').peekable();
    let (mut tried, mut now) = (0, String::new());
    while let Some(name) = parts.next() {
        let mut text = String::new();
        while let Some(line) = parts.next_if(|line| !line.starts_with("### ")) {
            text.push_str(line);
        }
        let expected = parts.next().unwrap().strip_prefix("### ").unwrap();
        let mistake = Scenario::read(&text).map(|_| ()).unwrap_err();
        if !is_updated() {
            assert_eq!(format!("{mistake}\n"), expected, "{name}");
        }
        now += &format!("{name}{text}### {mistake}\n");
        tried += 1;
    }
    assert!(tried > 30);
    if is_updated() {
        fs::write(file, now).unwrap();
    }
}

/// A passing scenario, with each expectation in turn made wrong: none of them may go unnoticed.
#[test]
fn every_expectation_can_fail() {
    let with = |expect: &str| {
        let text = format!(
            r#"{{"title": "x", "rule": "R7", "settings": {{"rounds": 1}},
                "seats": [{{"name": "Ada", "cards": "KS AD 2C", "replies": ["bet:3", "bet:0"]}},
                          {{"name": "Bob", "cards": "3C 4D 5D", "replies": ["bet:3", "bet:0"]}},
                          {{"name": "Cyd", "cards": "6C 7D", "replies": ["bet:99"]}}],
                "expect": {{{expect}}}}}"#
        );
        let scenario = Scenario::read(&text).unwrap();
        scenario.check(&scenario.play())
    };
    let right = [
        r#""commands": {"Cyd": ["login", "bet1:499:9:3:6C:7D:up:AD:4D:7D", "done:You are out…"]}"#,
        r#""turns": ["Ada", "Bob", "Cyd", "Ada", "Bob"]"#,
        r#""payouts": {"Ada": {"hand": 5, "spade": 4}}"#,
        r#""payouts": {"Ada": 9}"#,
        r#""stacks": {"Ada": 505, "Cyd": 0}"#,
        r#""fouls": {"Cyd": {"kind": "illegal bet", "says": "bet:99"}}"#,
        r#""done": {"Cyd": "more than 10 over the 3"}"#,
        r#""standings": ["Ada", "Bob", "Cyd"]"#,
        r#""forfeited": 499"#,
        r#""rounds": 1"#,
        r#""names": {"Ada": "Ada"}"#,
        r#""seating": ["Ada", "Bob", "Cyd"]"#,
    ];
    for expect in right {
        assert_eq!(with(expect), [], "{expect}");
    }
    let wrong = [
        r#""commands": {"Cyd": ["login", "bet1:499:9:4:6C:7D:up:AD:4D:7D", "done:You are out…"]}"#,
        r#""commands": {"Cyd": ["login", "bet1:499:9:3:6C:7D:up:AD:4D:7D"]}"#,
        r#""commands": {"Cyd": ["login", "bet1:499:9:3:6C:7D:up:AD:4D:7D", "done:…", "done:…"]}"#,
        r#""turns": ["Ada", "Bob", "Cyd", "Bob", "Ada"]"#,
        r#""events": ["round 1: Ada, Bob, Cyd"]"#,
        r#""payouts": {"Ada": {"hand": 4, "spade": 5}}"#,
        r#""payouts": {"Ada": {"whole": 9}}"#,
        r#""payouts": {"Ada": 8}"#,
        r#""payouts": {}"#,
        r#""payouts": [{"Ada": 9}, {}]"#,
        r#""stacks": {"Ada": 504}"#,
        r#""stacks": [{"Ada": 505}, {"Ada": 505}]"#,
        r#""fouls": {}"#,
        r#""fouls": {"Cyd": "no reply in time"}"#,
        r#""fouls": {"Cyd": {"kind": "illegal bet", "says": "bet:98"}}"#,
        r#""fouls": {"Cyd": "illegal bet", "Bob": "illegal bet"}"#,
        r#""done": {"Cyd": "more than 10 over the 4"}"#,
        r#""standings": ["Ada", ["Bob", "Cyd"]]"#,
        r#""forfeited": 498"#,
        r#""rounds": 2"#,
        r#""names": {"Ada": "Bob"}"#,
        r#""seating": ["Bob", "Ada", "Cyd"]"#,
    ];
    for expect in wrong {
        assert!(!with(expect).is_empty(), "{expect}");
    }
}

#[test]
fn unused_replies_and_cards_fail_a_scenario() {
    let with = |first: &str, cards: &str| {
        let text = format!(
            r#"{{"title": "x", "rule": "R7", "settings": {{"rounds": 2}},
                "seats": [{{"name": "Ada", "cards": {cards}, "replies": [{first}]}},
                          {{"name": "Bob", "cards": "3C 4D", "replies": ["bet:0"]}}],
                "expect": {{"rounds": 1}}}}"#
        );
        let scenario = Scenario::read(&text).unwrap();
        let findings = scenario.check(&scenario.play());
        findings.into_iter().map(|finding| format!("{}: {}", finding.field, finding.got)).collect::<Vec<_>>()
    };
    assert_eq!(
        with(r#""bet:11""#, r#""2C AD""#),
        ["seats[1].replies[0]: it is never asked for: take it out"]
    );
    let missing = with("", r#""2C AD""#);
    assert!(missing[0].starts_with("seats[0].replies: there is none left: add one"), "{missing:?}");
    let gone = with(r#""bet:11""#, r#"["2C AD", "2C AD"]"#);
    assert!(
        gone.iter().any(|finding| finding.starts_with("seats[0].cards[1]: there is no such round")),
        "{gone:?}"
    );
}
