//! `casino rate` and `casino merge` as whole programs.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use crate::support::host::{self, scratch};
use crate::tools::has;

const FIELD: [&str; 8] = ["--bot", "cautious", "--bot", "bold", "--bot", "simple", "--bot", "random"];

fn casino(folder: &Path) -> Command {
    let mut command = host::casino();
    command.current_dir(folder).stdin(Stdio::null());
    command
}

fn run(folder: &Path, words: &[&str]) -> Output {
    casino(folder).args(words).output().unwrap()
}

fn rate(folder: &Path, words: &[&str]) -> Output {
    run(folder, &[&["rate"], &FIELD[..], words].concat())
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// The output of a successful command.
fn printed(output: &Output) -> String {
    assert!(output.status.success(), "{}", text(&output.stderr));
    text(&output.stdout)
}

/// A part that is stopped leaves nothing in its place, and its command can be given again.
#[test]
fn a_killed_or_stopped_part_is_played_again() {
    let folder = scratch("killed");
    let game = ["--rounds", "200000", "--seed", "k", "--tournaments", "3"];
    let whole = printed(&rate(&folder, &[&game[..], &["--json"]].concat()));
    printed(&rate(&folder, &[&game[..], &["--shard", "2/2", "--part", "two.json"]].concat()));
    for signal in ["INT", "KILL"] {
        let words =
            [&["rate"], &FIELD[..], &game[..], &["--shard", "1/2", "--part", "one.json", "-j", "1"]].concat();
        // Sooner after each run that was over before its signal: one is stopped in any case.
        let mut delay = Duration::from_millis(50);
        loop {
            let mut child =
                casino(&folder).args(&words).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
            std::thread::sleep(delay);
            Command::new("kill").args([format!("-{signal}"), child.id().to_string()]).status().unwrap();
            let is_played = child.wait().unwrap().success();
            assert_eq!(folder.join("one.json").exists(), is_played);
            if !is_played {
                break;
            }
            assert!(!delay.is_zero(), "a part is over before it can be stopped: give it more rounds");
            fs::remove_file(folder.join("one.json")).unwrap();
            delay = if delay > Duration::from_millis(1) { delay / 2 } else { Duration::ZERO };
        }
        printed(&casino(&folder).args(&words).output().unwrap());
        let again = casino(&folder).args(&words).output().unwrap();
        assert!(text(&again.stderr).contains("one.json cannot be written: it is there already"), "{again:?}");
        assert_eq!(printed(&run(&folder, &["merge", "--json", "two.json", "one.json"])), whole);
        fs::remove_file(folder.join("one.json")).unwrap();
    }
}

/// A program that plays by the protocol until it feels like misbehaving.
const RUDE: &str = r#"
import socket, struct, sys
host, port, manner = sys.argv[1:4]
wire = socket.create_connection((host, int(port)))
def read(count):
    data = b""
    while len(data) < count:
        more = wire.recv(count - len(data))
        if not more: sys.exit()
        data += more
    return data
def say(text):
    data = text.encode()
    wire.sendall(struct.pack(">H", len(data)) + data)
asked, seen, first = 0, set(), True
if manner == "store": print("start", file=open("seen.txt", "a"))
while True:
    text = read(struct.unpack(">H", read(2))[0]).decode()
    if text.startswith("login"): say("rude:rude")
    elif text.startswith("done"): break
    elif text.startswith("status"): first = True
    elif text.startswith("bet"):
        asked += 1
        board = " ".join(sorted(text.split(":up:")[1].split(":")))
        if first and text.startswith("bet1") and manner == "store":
            print("twice" if board in seen else "once", file=open("seen.txt", "a"))
            seen.add(board)
        first = False
        if asked % 5 == 0 and manner == "leave": sys.exit()
        if asked % 5 == 0 and manner == "cheat": say("bet:9999")
        elif manner == "mute": pass
        else: say("bet:" + text.split(":")[3])
"#;

#[test]
fn a_program_that_fouls_is_counted_and_plays_on_or_is_given_up() {
    if !has("python3", "programs that foul in a rating") {
        return;
    }
    let folder = scratch("rude");
    fs::write(folder.join("rude.py"), RUDE).unwrap();
    // The silent one times out; the others have all the time they may need.
    let rated = |manner: &str| {
        let patience = if manner == "mute" { "100" } else { "20000" };
        let rude = format!("rude=python3 rude.py {{host}} {{port}} {manner}");
        let words =
            ["rate", "--bot", &rude, "--bot", "caller", "--rounds", "40", "--seed", "p", "--json", "-j", "1"];
        run(&folder, &[&words[..], &["--tournaments", "0", "--reply-ms", patience]].concat())
    };
    let fouls = |manner: &str, kind: &str| {
        let report: serde_json::Value = serde_json::from_str(&printed(&rated(manner))).unwrap();
        let verdict =
            report["standings"].as_array().unwrap().iter().find(|v| v["name"] == "rude").unwrap().clone();
        let kinds = verdict["fouls"]["kinds"].as_object().unwrap();
        assert_eq!(kinds.len(), 1, "{kinds:?}");
        assert!(kinds[kind].as_u64().unwrap() >= 8, "{kinds:?}");
        let chips = |verdict: &serde_json::Value| verdict["chips_per_round"]["value"].as_f64().unwrap();
        let sum: f64 = report["standings"].as_array().unwrap().iter().map(chips).sum();
        assert!(sum.abs() < 1e-9, "chips are neither made nor lost");
        verdict["fouls"]["first"].as_str().unwrap().to_string()
    };
    assert!(fouls("leave", "connection closed").contains("closed its connection"));
    assert!(fouls("cheat", "illegal bet").contains("bet:9999"));
    let mute = rated("mute");
    assert_eq!(mute.status.code(), Some(1));
    let told = text(&mute.stderr);
    assert!(
        told.contains("was started 5 times without answering once") && told.contains("within 100 ms"),
        "{told}"
    );
}

/// Three pieces of blocks, of three turns each: a program sees no board of first cards twice between two of its starts. It is
/// started for each freeze-out, too.
#[test]
fn no_deck_comes_twice_to_the_same_process() {
    if !has("python3", "programs that store cards") {
        return;
    }
    for (tournaments, starts) in [("0", 7), ("3", 10)] {
        let folder = scratch("stores");
        fs::write(folder.join("rude.py"), RUDE).unwrap();
        let stores = "stores=python3 rude.py {host} {port} store";
        let words = ["rate", "--bot", stores, "--bot", "caller", "--bot", "simple", "--rounds", "60"];
        let rest = ["--seed", "p", "-j", "1", "--reply-ms", "20000", "--tournaments", tournaments];
        printed(&run(&folder, &[&words[..], &rest].concat()));
        let seen = fs::read_to_string(folder.join("seen.txt")).unwrap();
        let count = |word: &str| seen.lines().filter(|line| *line == word).count();
        assert_eq!(count("start"), starts);
        assert!(count("once") >= 50 && (count("twice") == 0 || tournaments != "0"), "{seen}");
    }
}
