//! Whole games over the network: the bytes on every wire, the journal, and the host's output.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::thread;

use casino_stud::journal::JournalLine;

use crate::clients::{Habit, Player};
use crate::host::Host;
use crate::journals::{after, counted};
use crate::shell::Shell;
use crate::store::{Outputs, frozen, golden, golden_whole};

/// A host that a command line starts, and where it listens.
fn listening(shell: &Shell, line: &str) -> (Host, SocketAddr) {
    let mut host = Host::start(&mut shell.command(&format!("exec {line}")));
    let address = host.address().unwrap_or_else(|| panic!("{line}: {}", host.said()));
    (host, address)
}

/// The standard output of a host that ends well, after its first line.
fn end(host: Host) -> (String, Vec<u8>) {
    let ended = host.wait();
    assert!(ended.status.success(), "{}", ended.stderr);
    ("stdout".to_string(), ended.stdout.into_bytes())
}

/// A game: its name, the flags of its host, and its players.
struct Game {
    name: &'static str,
    flags: &'static str,
    refused: &'static [Player],
    players: &'static [Player],
}

const fn player(id: &'static str, avatar: &'static str, habit: Habit) -> Player {
    Player::new(id, avatar, habit)
}

/// Refused logins: with an empty name, with two colons, and too long.
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
    fn play(&self, shell: &Shell, reply_ms: u32) -> Outputs {
        let line = format!(
            "casino host --bind 127.0.0.1:0 --seed 'golden {}' --reply-ms {reply_ms} {} --journal journal.jsonl",
            self.name, self.flags
        );
        let (host, address) = listening(shell, &line);
        let mut outputs: Outputs =
            self.refused.iter().map(|player| transcript(player, player.start(address))).collect();
        outputs.extend(transcripts(self.players.iter(), address));
        outputs.push(end(host));
        times_have_their_shape(shell);
        outputs
    }
}

/// All bytes that a player read and wrote.
fn transcript(player: &Player, playing: thread::JoinHandle<String>) -> (String, Vec<u8>) {
    (player.id.to_string(), playing.join().unwrap().into_bytes())
}

/// The same of players who play at the same time.
fn transcripts<'a>(players: impl Iterator<Item = &'a Player>, address: SocketAddr) -> Outputs {
    let playing: Vec<_> = players.map(|player| (player, player.start(address))).collect();
    playing.into_iter().map(|(player, playing)| transcript(player, playing)).collect()
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
    golden(&format!("games/{name}.txt"), &game.play(&shell, 60_000));
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

/// The only game with a timeout; the limit is long enough for the other player.
#[test]
fn silence_is_late() {
    let game = Game {
        name: "late",
        flags: "--players 2 --rounds 40 --time-bank 0 --json",
        refused: &[],
        players: LATE,
    };
    let shell = Shell::new("game-late");
    golden("games/late.txt", &game.play(&shell, 2_000));
    golden_whole("journals/late.jsonl", &shell.read("journal.jsonl"));
}

/// A host that died after writing this many bytes, and the returning players, beginning with those already out.
fn resume_game(name: &str, (cut, at): (&str, usize), gone: &[String]) {
    let game = GAMES.iter().find(|game| game.name == name).unwrap();
    let shell = Shell::new(&format!("resumed-{name}-{cut}"));
    let before = &frozen(&format!("journals/{name}.jsonl"))[..at];
    shell.write("journal.jsonl", before);
    let (host, address) = listening(&shell, "casino resume journal.jsonl --bind 127.0.0.1:0 --json");
    let is_gone = |player: &&Player| gone.iter().any(|id| id == player.id);
    let mut outputs: Outputs =
        game.players.iter().filter(is_gone).map(|player| transcript(player, player.start(address))).collect();
    outputs.extend(transcripts(game.players.iter().filter(|player| !is_gone(player)), address));
    outputs.push(end(host));
    outputs.push(("journal".to_string(), after(before, &shell.read("journal.jsonl"))));
    golden(&format!("resumed/{name}-{cut}.txt"), &outputs);
}

/// Before any player has left, in the round in which one has, and after it.
#[test]
fn players_come_back_to_a_host_that_died() {
    let journal = frozen("journals/fold.jsonl");
    resume_game("fold", ("early", journal.len() * 2 / 5), &[]);
    let journal = String::from_utf8(frozen("journals/event.jsonl")).unwrap();
    let foul = journal.find("\"hung_up\"").unwrap();
    let left = foul + journal[foul..].find("{\"type\":\"left\"").unwrap();
    let end_of_line = |at: usize| at + journal[at..].find('\n').unwrap() + 1;
    let at = end_of_line(left);
    let next = end_of_line(at + journal[at..].find("\"table\":1,\"round\":2,").unwrap());
    for (name, at) in [("one-left", at), ("after-one-left", next), ("late", journal.len() * 3 / 4)] {
        let gone = players_gone(&journal[..counted(&journal.as_bytes()[..at])]);
        assert_eq!(gone.is_empty(), name == "one-left", "{gone:?}");
        resume_game("event", (name, at), &gone);
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
