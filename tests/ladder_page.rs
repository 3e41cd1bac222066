//! A ladder that is served, and what its players do from elsewhere.
#![allow(clippy::unwrap_used, reason = "nothing here is outside a test")]

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crate::support::client::{log_in_and_leave, visit, visit_fouling};
use crate::support::host::{Ended, Folder, Host, casino, run};
use crate::tools::python;

/// A ladder with Ada and Bob that is served, its page and their keys.
struct Served {
    page: String,
    ada: String,
    bob: String,
    // Removed last.
    _host: Host,
    folder: Folder,
}

impl Served {
    fn new() -> Served {
        let folder = Folder::new("ladder-page");
        let spring = folder.path("spring");
        fs::write(folder.file("class.csv"), "github_id,name\nsecret-ada,Ada\nsecret-bob,Bob\n").unwrap();
        assert!(run(&["ladder", "import", &spring, "--roster", &folder.path("class.csv")]).status.success());
        let keys = run(&["ladder", "keys", &spring]).stdout;
        let key = |name: &str| {
            let line = keys.lines().find(|line| line.contains(name)).unwrap();
            line.rsplit(',').next().unwrap().trim_matches('"').to_string()
        };
        let host = Host::start(casino().args(["ladder", &spring, "--web", "127.0.0.1:0"]));
        let page = told(&host, "page is ", "http://");
        Served { page, ada: key("Ada"), bob: key("Bob"), _host: host, folder }
    }

    fn submit(&self, at: &str, program: &Path, more: &[&str]) -> Ended {
        let program = program.to_str().unwrap();
        Host::start(
            casino().args(["ladder", "submit", at, program]).args(more).env("CASINO_LADDER_KEY", &self.bob),
        )
        .wait()
    }
}

/// The address that a ladder tells after these words, from where it begins.
fn told(host: &Host, after: &str, begins: &str) -> String {
    loop {
        let said = host.said();
        let complete = said.rsplit_once('\n').map_or("", |(lines, _)| lines);
        let mut places = complete.lines().filter_map(|line| line.split_once(after));
        if let Some((_, rest)) = places.next() {
            let found = &rest[rest.find(begins).unwrap()..];
            return found.split([' ', ',']).next().unwrap().to_string();
        }
        std::thread::yield_now();
    }
}

#[test]
fn a_program_is_handed_in_over_the_network_and_its_author_hears_what_the_check_said() {
    if python().is_none() {
        return crate::tools::skip("python3", "handing a Python bot in", "there is no Python here");
    }
    let served = Served::new();
    let link = format!("{}#key={}", served.page, served.ada);
    let broken = served.folder.file("my bot");
    fs::create_dir(&broken).unwrap();
    fs::write(broken.join("poker.py"), "import sys\nsys.exit(3)\n").unwrap();
    fs::write(broken.join(".secret"), "mine").unwrap();
    let ended = served.submit(&link, &broken, &["--wait", "3600"]);
    assert_eq!(ended.status.code(), Some(1), "{}", ended.stderr);
    assert!(ended.stdout.starts_with("Ada/1 does not play.\nThe check of Ada/1:"), "{}", ended.stdout);
    assert!(ended.stderr.contains("Left out: .secret") && ended.stderr.contains("Ada/1 has come"));
    let kit = Path::new(env!("CARGO_MANIFEST_DIR")).join("bots/python");
    let ended = served.submit(&link, &kit, &["--wait", "3600", "--json"]);
    assert_eq!(ended.status.code(), Some(0), "{}{}", ended.stdout, ended.stderr);
    let told: serde_json::Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!((&told["version"], &told["state"]), (&"Ada/2".into(), &"ready".into()));
    let again = served.submit(&link, &kit, &["--wait", "3600"]);
    assert_eq!(again.stdout, "Ada/2 passed the check and plays.\n", "what has not changed is no new version");
    // Without a key in the link it is the environment's.
    let ended = served.submit(&served.page, &broken, &["--wait", "0"]);
    assert!(ended.stdout.starts_with("Bob/1 waits"), "{}{}", ended.stdout, ended.stderr);
}

#[test]
fn what_cannot_be_handed_in_is_told_with_its_remedy() {
    let served = Served::new();
    let kit = Path::new(env!("CARGO_MANIFEST_DIR")).join("bots/python");
    let nobodys = "0".repeat(32);
    let below = format!("{}elsewhere/", served.page);
    let file = served.folder.file("notes.txt");
    fs::write(&file, "x").unwrap();
    let empty = served.folder.file("empty");
    fs::create_dir(&empty).unwrap();
    for (at, program, key, code, told) in [
        (served.page.as_str(), kit.as_path(), nobodys.as_str(), 2, "This key opens nothing"),
        (&served.page, &kit, "a key", 2, "the key is not whole"),
        (&below, &kit, &served.ada, 1, "is no ladder's page"),
        ("http://127.0.0.1:1/", &kit, &served.ada, 1, "does not answer"),
        ("http://", &kit, &served.ada, 2, "is no address of a ladder's page"),
        (&served.page, &file, &served.ada, 2, "is no folder and no archive"),
        (&served.page, &empty, &served.ada, 2, "has no file in it"),
        (&served.page, Path::new("nowhere"), &served.ada, 2, "nowhere: "),
    ] {
        let ended = served.submit(at, program, &["--key", key]);
        assert_eq!(ended.status.code(), Some(code), "{told}: {}", ended.stderr);
        assert!(ended.stderr.contains(told), "{told}: {}", ended.stderr);
        assert!(!ended.stderr.contains(&served.ada), "{}", ended.stderr);
    }
}

/// Whoever floods the door, plays foul or comes twice costs nobody else anything.
#[test]
fn a_thousand_who_leave_one_who_fouls_and_one_who_comes_twice_cost_others_nothing() {
    let folder = Folder::new("ladder-hostile");
    let spring = folder.path("spring");
    let roster = "github_id,name\nid-ada,Ada\nid-bob,Bob\nid-mal,Mal\nid-fay,Fay\n";
    fs::write(folder.file("class.csv"), roster).unwrap();
    assert!(run(&["ladder", "import", &spring, "--roster", &folder.path("class.csv")]).status.success());
    // Whether an answer is late is not what is asked here.
    assert!(run(&["ladder", "set", &spring, "decks=2", "seats=4", "reply_ms=600000"]).status.success());
    let mut host =
        Host::start(casino().args(["ladder", &spring, "--bind", "127.0.0.1:0", "--matches", "150"]));
    let door: SocketAddr = told(&host, "connect at ", "").parse().unwrap();
    let over = Arc::new(AtomicBool::new(false));
    let again = |id: &'static str, play: fn(SocketAddr, &str) -> io::Result<()>| {
        let over = Arc::clone(&over);
        thread::spawn(move || {
            while !over.load(Ordering::Relaxed) {
                // A door that is shut, or a match that is over: it comes again.
                let _ = play(door, id);
                thread::yield_now();
            }
        })
    };
    let honest: fn(SocketAddr, &str) -> io::Result<()> =
        |door, id| visit(door, id, false, &mut Vec::new()).map(drop);
    let players = [
        again("id-ada", honest),
        again("id-bob", honest),
        again("id-fay", |door, id| visit_fouling(door, id).map(drop)),
    ];
    // Ada's second program comes while the first waits or plays, and many come only to leave.
    for number in 0..1_000 {
        let id = ["id-mal", "id-ada", "nobody"][number % 3];
        // It may find the door shut.
        let _ = log_in_and_leave(door, id);
    }
    while !host.has_ended() {
        thread::yield_now();
    }
    over.store(true, Ordering::Relaxed);
    for player in players {
        player.join().unwrap();
    }
    assert!(host.wait().status.success());
    let exported = run(&["ladder", "export", &spring]).stdout;
    let rows: Vec<serde_json::Value> =
        exported.lines().skip(1).map(|line| serde_json::from_str(line).unwrap()).collect();
    let of = |table: &str| {
        rows.iter().filter(|row| row["table"] == table).map(|row| &row["row"]).collect::<Vec<_>>()
    };
    let name_of = |version: &serde_json::Value| {
        let version = of("versions").into_iter().find(|row| row["id"] == *version).unwrap();
        let player = of("players").into_iter().find(|row| row["id"] == version["player"]).unwrap();
        player["name"].as_str().unwrap().to_string()
    };
    let seats = of("seats");
    let mut fouled = BTreeSet::new();
    for foul in of("fouls") {
        let seat =
            seats.iter().find(|row| row["match"] == foul["match"] && row["seat"] == foul["seat"]).unwrap();
        fouled.insert(name_of(&seat["version"]));
    }
    assert!(fouled.contains("Fay") && fouled.iter().all(|name| name == "Fay" || name == "Mal"), "{fouled:?}");
    let sat: BTreeSet<String> = seats.iter().map(|row| name_of(&row["version"])).collect();
    assert!(sat.contains("Ada") && sat.contains("Bob"), "{sat:?}");
    assert!(!exported.contains("id-"), "no GitHubId is in an export");
}
