//! A ladder that is served, and players who connect to it.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use casino_ladder::{Ladder, MatchFilter, MatchKind};

use crate::support::client::{log_in_and_leave, visit, visit_fouling};
use crate::support::host::{Folder, Host, casino, run};

/// Floods, fouls and duplicate connections harm only their own player.
#[test]
fn floods_fouls_and_duplicates_harm_no_other_player() {
    let folder = Folder::new("ladder-hostile");
    let spring = folder.path("spring");
    let roster = "github_id,name\nid-ada,Ada\nid-bob,Bob\nid-mal,Mal\nid-fay,Fay\n";
    fs::write(folder.file("class.csv"), roster).unwrap();
    assert!(run(&["ladder", "import", &spring, "--roster", &folder.path("class.csv")]).status.success());
    let links = run(&["ladder", "keys", &spring, "--link", "http://x/"]).stdout;
    let with_key = |id: &str| {
        let link = links.lines().find(|line| line.contains(id)).unwrap();
        format!("{id}#{}", link.split_once("key=").unwrap().1)
    };
    // With this limit no reply is late.
    assert!(run(&["ladder", "set", &spring, "decks=2", "seats=4", "reply_ms=600000"]).status.success());
    let mut host =
        Host::start(casino().args(["ladder", &spring, "--bind", "127.0.0.1:0", "--matches", "150"]));
    let door: SocketAddr = host.wait_until_said(|said| {
        let (_, rest) = said.split_once("connect at ")?;
        rest.split_once([' ', ',', '\n'])?.0.parse().ok()
    });
    let over = Arc::new(AtomicBool::new(false));
    let again = |id: String, play: fn(SocketAddr, &str) -> io::Result<()>| {
        let over = Arc::clone(&over);
        thread::spawn(move || {
            while !over.load(Ordering::Relaxed) {
                // A door that is shut, or a match that is over: it comes again.
                let _ = play(door, &id);
                thread::yield_now();
            }
        })
    };
    let honest: fn(SocketAddr, &str) -> io::Result<()> =
        |door, id| visit(door, id, false, &mut Vec::new()).map(drop);
    let players = [
        again(with_key("id-ada"), honest),
        again(with_key("id-bob"), honest),
        // Somebody who knows Ada's GitHubId and not her key.
        again("id-ada".to_string(), |door, id| visit_fouling(door, id).map(drop)),
        again(with_key("id-fay"), |door, id| visit_fouling(door, id).map(drop)),
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
    let ladder = Ladder::open(&folder.file("spring")).unwrap();
    let name_of = |version| ladder.player(ladder.version(version).unwrap().player).unwrap().name;
    let (mut fouled, mut sat) = (BTreeSet::new(), BTreeSet::new());
    for one in ladder.matches(MatchFilter::default()).unwrap() {
        sat.extend(one.seats.iter().map(|seat| name_of(seat.version)));
        let fouls = ladder.fouls(one.id).unwrap();
        fouled.extend(fouls.iter().map(|foul| name_of(one.seats[foul.seat].version)));
    }
    assert!(
        fouled.contains("Fay") && fouled.iter().all(|name| name == "Fay" || name.starts_with("Stranger ")),
        "{fouled:?}"
    );
    assert!(sat.contains("Ada") && sat.contains("Bob") && !sat.contains("Mal"), "{sat:?}");
    let rated = MatchFilter { kind: Some(MatchKind::Rated), ..MatchFilter::default() };
    for one in ladder.matches(rated).unwrap() {
        assert!(
            one.seats.iter().all(|seat| !name_of(seat.version).starts_with("Stranger")),
            "strangers are unrated"
        );
    }
}

/// Notes the open cards of each round, and writes whether they came before.
const STORES: &str = r#"
import sys
GITHUB_ID, AVATAR = "stores", "Stores"
class Strategy:
    def __init__(self):
        self.seen, self.is_new = set(), True
        print("start", file=sys.stderr, flush=True)
    def decide(self, question):
        if self.is_new:
            board = str(sorted(str(card) for cards in [question.up, *question.others] for card in cards))
            print("twice" if board in self.seen else "once", file=sys.stderr, flush=True)
            self.seen.add(board)
            self.is_new = False
        return question.call()
    def round_over(self, won, winning_hand):
        self.is_new = True
"#;

/// A match of three seats and eight decks: the process of the last rotation has seen each deck once.
#[test]
fn no_process_sees_a_deck_twice_in_a_match() {
    if !crate::tools::has("python3", "a program that stores cards") {
        return;
    }
    let folder = Folder::new("ladder-stores");
    let (spring, kit) = (folder.path("spring"), folder.file("handed-in/ada"));
    fs::create_dir_all(&kit).unwrap();
    fs::copy(concat!(env!("CARGO_MANIFEST_DIR"), "/bots/python/poker.py"), kit.join("poker.py")).unwrap();
    fs::write(kit.join("strategy.py"), STORES).unwrap();
    fs::write(folder.file("class.csv"), "folder,github_id,name\nada,id-ada,Ada\n").unwrap();
    let roster = folder.path("class.csv");
    let import = ["ladder", "import", &spring, &folder.path("handed-in"), "--roster", &roster];
    assert!(run(&import).status.success());
    let set = ["decks=8", "seats=3", "reply_ms=600000"];
    assert!(run(&[&["ladder", "set", &spring][..], &set].concat()).status.success());
    let played = run(&["ladder", &spring, "--matches", "1"]);
    assert!(played.status.success(), "{}", played.stderr);
    let ladder = Ladder::open(&folder.file("spring")).unwrap();
    let said = ladder.match_outputs(ladder.version_labelled("Ada/1").unwrap().id).unwrap().unwrap();
    let count = |word: &str| said.lines().filter(|line| line.trim() == word).count();
    assert_eq!((count("start"), count("once"), count("twice")), (1, 8, 0), "{said}");
    assert_eq!(ladder.verify(|_, _| {}).unwrap().problems, [""; 0]);
}

/// A version that is the kit in other words, and one whose play is another.
#[test]
fn the_unchanged_starter_kit_is_named() {
    if !crate::tools::has("python3", "a starter kit on the ladder") {
        return;
    }
    let folder = Folder::new("ladder-kit");
    let spring = folder.path("spring");
    for (student, from, to) in [("ada", "self", "me"), ("bob", "return ", "return  0 or ")] {
        let kit = folder.file(&format!("handed-in/{student}"));
        fs::create_dir_all(&kit).unwrap();
        for file in ["poker.py", "strategy.py"] {
            let text =
                fs::read_to_string(format!("{}/bots/python/{file}", env!("CARGO_MANIFEST_DIR"))).unwrap();
            let text = if file == "strategy.py" { text.replace(from, to) } else { text };
            fs::write(kit.join(file), format!("# {student}\n{text}")).unwrap();
        }
    }
    assert!(run(&["ladder", "import", &spring, &folder.path("handed-in")]).status.success());
    assert!(run(&["ladder", "set", &spring, "decks=1", "seats=3", "reply_ms=600000"]).status.success());
    let played = run(&["ladder", &spring, "--matches", "6"]);
    let named =
        |label: &str| format!("{label} passed the check and plays. This is the starter kit, unchanged.");
    assert!(
        played.stderr.contains(&named("ada/1")) && !played.stderr.contains(&named("bob/1")),
        "{}",
        played.stderr
    );
    let status = run(&["ladder", "status", &spring]).stdout;
    assert!(
        status.contains("ada/1: This is the starter kit, unchanged.") && !status.contains("bob/1:"),
        "{status}"
    );
}

/// A full disk, or a reader that has gone: whose key was not printed gets another one.
#[test]
#[cfg(target_os = "linux")]
fn keys_that_could_not_be_printed_open_nothing() {
    let folder = Folder::new("ladder-keys");
    let spring = folder.path("spring");
    let roster: Vec<String> = (0..400).map(|number| format!("id-{number},Student {number}\n")).collect();
    fs::write(folder.file("class.csv"), format!("github_id,name\n{}", roster.concat())).unwrap();
    assert!(run(&["ladder", "import", &spring, "--roster", &folder.path("class.csv")]).status.success());
    Ladder::open(&folder.file("spring")).unwrap().free_stranger(|_| false, 1).unwrap();
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let (reader, gone) = io::pipe().unwrap();
    drop(reader);
    for stdout in [std::process::Stdio::from(full), gone.into()] {
        let _ = casino().args(["ladder", "keys", &spring]).stdout(stdout).output().unwrap();
        let ladder = Ladder::open(&folder.file("spring")).unwrap();
        assert!(ladder.players().unwrap().iter().all(|player| !ladder.has_key(player.id).unwrap()));
    }
    let printed = run(&["ladder", "keys", &spring]).stdout;
    assert!(printed.lines().count() == 401 && !printed.contains("Stranger"), "{printed}");
}
