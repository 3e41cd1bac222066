//! Files as the editors of other systems write them: with a mark before the first letter, and lines that end in CR LF.

use std::fs;
use std::path::Path;

use casino_day::session::PlayerRoster;

use crate::support::host::{Folder, casino};

/// The text as it comes out of an editor on Windows.
fn from_windows(text: &str) -> Vec<u8> {
    format!("\u{feff}{}", text.replace('\n', "\r\n")).into_bytes()
}

/// The text as older versions of PowerShell write it.
fn utf_16(text: &str) -> Vec<u8> {
    [0xfeff].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect()
}

/// Runs a command on a file, once as it is and once as from Windows: both print the same. A file in UTF-16 is
/// understood too, or refused with a remedy.
fn is_the_same(name: &str, text: &str, command: impl Fn(&str) -> Vec<String>) {
    let folder = Folder::new(name);
    let run = |file: &str, content: &[u8]| {
        fs::write(folder.file(file), content).unwrap();
        let words = command(&folder.path(file));
        casino().args(&words).output().unwrap()
    };
    let plain = run(name, text.as_bytes());
    assert!(plain.status.success() && !plain.stdout.is_empty(), "{plain:?}");
    let windows = run(name, &from_windows(text));
    assert_eq!(windows.status.code(), Some(0), "{windows:?}");
    assert_eq!(plain.stdout, windows.stdout, "{name}");
    let wide = run(name, &utf_16(text));
    let why = String::from_utf8_lossy(&wide.stderr);
    assert!(wide.stdout == plain.stdout || why.contains("UTF-8"), "{name}: {why}");
}

fn words(all: &[&str]) -> Vec<String> {
    all.iter().map(ToString::to_string).collect()
}

#[test]
fn a_scenario_may_come_from_any_editor() {
    let scenario = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios/R1/two-players.json");
    let text = fs::read_to_string(scenario).unwrap();
    is_the_same("two-players.json", &text, |file| words(&["scenario", "run", file]));
}

#[test]
fn a_roster_may_come_from_any_editor() {
    for text in ["github_id,name\nada,Ada\nbob,\"Bob, B.\"\n", "Name;GitHub ID\nÄnne;anne\n"] {
        let plain = PlayerRoster::read(text.as_bytes()).unwrap();
        assert_eq!(PlayerRoster::read(&from_windows(text)).unwrap(), plain);
        assert!(!plain.is_empty());
    }
    let wide = PlayerRoster::read(&utf_16("github_id\nada\n")).unwrap();
    assert_eq!(wide, PlayerRoster::read(b"github_id\nada\n").unwrap());
    let twice = "github_id\nada\nbob\nada\n";
    let errors = [twice.as_bytes().to_vec(), from_windows(twice)].map(|text| PlayerRoster::read(&text));
    for error in errors {
        assert_eq!(error.unwrap_err().to_string(), "line 4: ada is on line 2 already: keep one of the rows");
    }
}
