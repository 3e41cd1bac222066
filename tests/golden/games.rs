//! Whole games over the network: the bytes on every wire, the journal, and what the host prints.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read};
use std::net::SocketAddr;
use std::process::{Child, ChildStdout, Stdio};
use std::thread;

use casino_stud::journal::JournalLine;

use crate::clients::{Habit, Player};
use crate::journals::after;
use crate::shell::Shell;
use crate::store::{all_golden, frozen, golden_whole};

/// A `casino` that listens for players.
struct Host {
    child: Child,
    stdout: BufReader<ChildStdout>,
    address: SocketAddr,
}

impl Host {
    /// Starts a command line that prints where it listens in its first line.
    fn start(shell: &Shell, line: &str) -> Host {
        let mut command = shell.command(&format!("exec {line}"));
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let mut first = String::new();
        stdout.read_line(&mut first).unwrap();
        let address = first.trim_end().strip_prefix("listening on ").and_then(|text| text.parse().ok());
        let address = address.unwrap_or_else(|| {
            let mut said = String::new();
            child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
            panic!("{line}: {first}{said}")
        });
        // Nothing it says there may make it wait.
        let mut stderr = child.stderr.take().unwrap();
        thread::spawn(move || std::io::copy(&mut stderr, &mut std::io::sink()));
        Host { child, stdout, address }
    }

    /// All it printed after its first line.
    fn end(mut self) -> Vec<u8> {
        let mut said = Vec::new();
        self.stdout.read_to_end(&mut said).unwrap();
        assert!(self.child.wait().unwrap().success());
        said
    }
}

/// A game by its name, the flags of its host, and who comes.
struct Game {
    name: &'static str,
    flags: &'static str,
    refused: &'static [Player],
    players: &'static [Player],
}

const fn player(id: &'static str, avatar: &'static str, habit: Habit) -> Player {
    Player::new(id, avatar, habit)
}

/// They are not let in: a name that says nothing, one of three parts, and one that is too long.
const UNWANTED: &[Player] = &[
    player("zed", "", Habit::Sound),
    player("yan", "a:b", Habit::Sound),
    player("xia", "0123456789012345678901234567890123456789012345678901234567890123456789", Habit::Sound),
];

/// Everything a player may do wrong, at one table.
const FOULS: &[Player] = &[
    player("ada", "The Ada", Habit::Sound),
    player("bob", "B\u{f6}b & <Co>", Habit::OverTheStack),
    player("cleo", "Cleo \u{1f600} of the North, the second of that name", Habit::OverTheCap),
    player("dan", "Ada", Habit::TooLittle),
    player("eve", "The Ada", Habit::HangsUp),
    player("fay", "\u{7}", Habit::Folds),
    player("gus", "gus", Habit::HalfMessage),
    player("hal", "Hal 9000", Habit::AnotherWord),
    player("ida", "Ida the First", Habit::StrangeWord),
    player("jan", "J", Habit::LongHeader),
    player("kim", "Kim & Co", Habit::BadText),
];

const FEW: &[Player] = &[
    player("ada", "The Ada", Habit::Sound),
    player("bob", "B.", Habit::OverTheStack),
    player("cleo", "Cleo 3", Habit::Sound),
    player("dan", "Dan 4", Habit::AnotherWord),
    player("fay", "Fay!", Habit::Folds),
];

const SEVEN: &[Player] = &[
    player("ada", "The Ada", Habit::Sound),
    player("bob", "B.", Habit::OverTheStack),
    player("cleo", "Cleo 3", Habit::Sound),
    player("dan", "Dan 4", Habit::Folds),
    player("eve", "The Ada", Habit::HangsUp),
    player("fay", "Fay!", Habit::Sound),
    player("gus", "Gussy", Habit::Sound),
];

const LATE: &[Player] = &[player("ada", "The Ada", Habit::Sound), player("sly", "Sly", Habit::Silent)];

const GAMES: &[Game] = &[
    Game {
        name: "eject",
        flags: "--players 13 --bot random --bot caller --rounds 14 --stack 150 --json",
        refused: UNWANTED,
        players: FOULS,
    },
    Game {
        name: "fold",
        flags: "--players 7 --bot cautious --bot bold --rounds 10 --stack 90 --on-foul fold --relogin",
        refused: &[],
        players: FEW,
    },
    Game {
        name: "ask",
        flags: "--players 5 --rounds 30 --stack 30 --short-stack ask --on-foul fold --quiet",
        refused: &[],
        players: FEW,
    },
    Game {
        name: "event",
        flags: "--players 7 --seats 3 --level-rounds 5 --rounds 20 --stack 60 --json",
        refused: &[],
        players: SEVEN,
    },
    Game {
        name: "event-rehearsal",
        flags: "--players 9 --bot odds*2 --seats 4 --level-rounds 4 --rounds 12 --stack 50 --on-foul fold \
                --ante-schedule 1,2,4 -j 2",
        refused: &[],
        players: SEVEN,
    },
];

impl Game {
    fn play(&self, shell: &Shell, reply_ms: u32) -> Vec<(String, Vec<u8>)> {
        let line = format!(
            "casino host --bind 127.0.0.1:0 --seed 'golden {}' --reply-ms {reply_ms} {} --journal journal.jsonl",
            self.name, self.flags
        );
        let host = Host::start(shell, &line);
        let refused = |player: &Player| {
            (format!("games/{}/{}.txt", self.name, player.id), player.play(host.address).into_bytes())
        };
        let mut files: Vec<_> = self.refused.iter().map(refused).collect();
        let players: Vec<_> =
            self.players.iter().map(|player| (player.id, player.start(host.address))).collect();
        files.extend(scripts(self.name, players));
        files.push((format!("games/{}/stdout.txt", self.name), host.end()));
        times_have_their_shape(shell);
        files
    }
}

/// What all players heard and said, each in a file.
fn scripts(game: &str, players: Vec<(&str, thread::JoinHandle<String>)>) -> Vec<(String, Vec<u8>)> {
    let script = |(id, player): (&str, thread::JoinHandle<String>)| {
        (format!("games/{game}/{id}.txt"), player.join().unwrap().into_bytes())
    };
    players.into_iter().map(script).collect()
}

/// The file of measured times holds real times: only its form can be known.
fn times_have_their_shape(shell: &Shell) {
    let text = String::from_utf8(shell.read("journal.jsonl.times.csv")).unwrap();
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("round,seat,microseconds"), "{text}");
    for line in lines {
        assert!(line.split(',').filter(|field| field.parse::<u64>().is_ok()).count() == 3, "{line}");
    }
}

fn play_game(name: &str) {
    let game = GAMES.iter().find(|game| game.name == name).unwrap();
    let shell = Shell::new(&format!("game-{name}"));
    let files = game.play(&shell, 60_000);
    all_golden(&files);
    golden_whole(&format!("journals/{name}.jsonl"), &shell.read("journal.jsonl"));
}

#[test]
fn a_foul_costs_the_game() {
    play_game("eject");
}

#[test]
fn a_foul_costs_the_hand() {
    play_game("fold");
    play_game("ask");
}

#[test]
fn events_of_several_tables() {
    play_game("event");
    play_game("event-rehearsal");
}

/// The only game in which somebody is waited for: for the other player there is time enough all the same.
#[test]
fn who_says_nothing_is_late() {
    let game = Game { name: "late", flags: "--players 2 --rounds 40 --json", refused: &[], players: LATE };
    let shell = Shell::new("game-late");
    let files = game.play(&shell, 2_000);
    all_golden(&files);
    golden_whole("journals/late.jsonl", &shell.read("journal.jsonl"));
}

/// A host that died when it had written so many bytes, and the players come again; those who had left it first.
fn resume_game(name: &str, (cut, at): (&str, usize), gone: &[&str]) -> Vec<(String, Vec<u8>)> {
    let game = GAMES.iter().find(|game| game.name == name).unwrap();
    let shell = Shell::new(&format!("resumed-{name}-{cut}"));
    let before = &frozen(&format!("journals/{name}.jsonl"))[..at];
    shell.write("journal.jsonl", before);
    let host = Host::start(&shell, "casino resume journal.jsonl --bind 127.0.0.1:0 --json");
    let told = format!("resumed/{name}-{cut}");
    let mut files: Vec<(String, Vec<u8>)> = Vec::new();
    for player in game.players.iter().filter(|player| gone.contains(&player.id)) {
        files.push((format!("{told}/{}.txt", player.id), player.play(host.address).into_bytes()));
    }
    let back = game.players.iter().filter(|player| !gone.contains(&player.id));
    let back: Vec<_> = back.map(|player| (player.id, player.start(host.address))).collect();
    for (id, player) in back {
        files.push((format!("{told}/{id}.txt"), player.join().unwrap().into_bytes()));
    }
    files.push((format!("{told}/stdout.txt"), host.end()));
    files.push((format!("{told}/journal.jsonl"), after(before, &shell.read("journal.jsonl"))));
    files
}

/// Before anybody has left, and after one of them has.
#[test]
fn players_come_back_to_a_host_that_died() {
    let journal = frozen("journals/fold.jsonl");
    all_golden(&resume_game("fold", ("early", journal.len() * 2 / 5), &[]));
    let journal = String::from_utf8(frozen("journals/event.jsonl")).unwrap();
    let foul = journal.find("\"hung_up\"").unwrap();
    let left = foul + journal[foul..].find("{\"type\":\"left\"").unwrap();
    let at = left + journal[left..].find('\n').unwrap() + 1;
    for (name, at) in [("after-one-left", at), ("late", journal.len() * 3 / 4)] {
        let gone = players_gone(&journal[..at]);
        assert!(!gone.is_empty());
        let gone: Vec<&str> = gone.iter().map(String::as_str).collect();
        all_golden(&resume_game("event", (name, at), &gone));
    }
}

/// The GitHubIds of the players who have left in this part of a journal.
fn players_gone(part: &str) -> Vec<String> {
    let (mut ids, mut tables, mut table) = (Vec::new(), BTreeMap::new(), 0);
    let mut gone = Vec::new();
    for line in part.lines().filter_map(|line| serde_json::from_str::<JournalLine>(line).ok()) {
        match line {
            JournalLine::CasinoDay(header) => {
                ids = header.players.into_iter().map(|player| player.github_id).collect();
            }
            JournalLine::Level { tables: seated, .. } => {
                tables = seated.into_iter().map(|table| (table.table, table.players)).collect();
            }
            JournalLine::Deal { table: dealt, .. } => table = dealt,
            JournalLine::Left { seat, .. } => {
                let player: usize = tables[&table][seat - 1];
                gone.push(ids[player - 1].clone());
            }
            _ => {}
        }
    }
    gone
}
