//! The page and the console over real sockets: content, secrecy and access.

mod console;
mod day;
mod gathering;
mod ladder;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use casino_stud::replay::verify;
use serde_json::{Value, json};

use crate::support::{self, client::play_from};

/// How long anything may take before the test gives up: never reached when all is well.
const PATIENCE: Duration = Duration::from_secs(120);

/// A running `casino` with its addresses, ended when dropped.
struct Casino {
    child: Child,
    game: Option<SocketAddr>,
    page: Option<SocketAddr>,
    console: Option<(SocketAddr, String)>,
    folder: PathBuf,
}

impl Casino {
    /// Starts `casino` with these arguments and waits until it has printed all addresses.
    fn start(name: &str, arguments: &[&str]) -> Casino {
        let folder = std::env::temp_dir().join(format!("casino-web-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        let journal = folder.join("journal.jsonl").display().to_string();
        let mut all = arguments.to_vec();
        all.extend(["--journal", &journal]);
        Casino::start_in(folder, &all)
    }

    /// Starts `casino` with exactly these arguments, page and console. The folder is removed in the end.
    fn start_in(folder: PathBuf, arguments: &[&str]) -> Casino {
        // No player is late because the machine is busy.
        let patient: &[&str] = if arguments[0] == "host" { &["--reply-ms", "60000"] } else { &[] };
        let mut child = Command::new(env!("CARGO_BIN_EXE_casino"))
            .args(arguments)
            .args(patient)
            .args(["--web", "127.0.0.1:0", "--console", "127.0.0.1:0", "--minutes", "0"])
            .current_dir(&folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut errors = BufReader::new(child.stderr.take().unwrap());
        let mut line = || {
            let mut said = String::new();
            while !said.contains("http://") {
                assert!(errors.read_line(&mut said).unwrap() > 0, "it ended: {said}");
            }
            said
        };
        let between = |line: &str| line.split("http://").nth(1).unwrap().trim().to_string();
        let console = between(&line());
        let page = between(&line()).trim_end_matches('/').parse().unwrap();
        let (address, token) = console.split_once("/#").unwrap();
        let console = (address.parse().unwrap(), token.to_string());
        let mut said = BufReader::new(child.stdout.take().unwrap());
        let game = arguments.contains(&"--bind").then(|| {
            let mut line = String::new();
            said.read_line(&mut line).unwrap();
            line.trim().strip_prefix("listening on ").unwrap().parse().unwrap()
        });
        // Further output must not block the program.
        std::thread::spawn(move || std::io::copy(&mut errors, &mut std::io::sink()));
        std::thread::spawn(move || std::io::copy(&mut said, &mut std::io::sink()));
        let casino = Casino { child, game, page: Some(page), console: Some(console), folder };
        if arguments[0] == "play" {
            casino.wait_for("the players", |casino| {
                casino.overview()["members"].as_array().filter(|members| members.len() > 1).map(|_| ())
            });
        }
        casino
    }

    fn page(&self) -> SocketAddr {
        self.page.unwrap()
    }

    fn console(&self) -> SocketAddr {
        self.console.as_ref().unwrap().0
    }

    fn token(&self) -> &str {
        &self.console.as_ref().unwrap().1
    }

    /// A request to the console with the token.
    fn ask(&self, method: &str, path: &str, body: Option<Value>) -> (u16, String) {
        let bearer = format!("Bearer {}", self.token());
        http(self.console(), method, path, &[("Authorization", &bearer)], body)
    }

    fn act(&self, path: &str, body: Option<Value>) {
        let (status, text) = self.ask("POST", path, body);
        assert_eq!((status, text.as_str()), (204, ""), "{path}");
    }

    fn overview(&self) -> Value {
        serde_json::from_str(&self.ask("GET", "/api/overview", None).1).unwrap()
    }

    fn state(&self) -> Value {
        serde_json::from_str(&http(self.page(), "GET", "/state", &[], None).1).unwrap()
    }

    fn wait_for<T>(&self, what: &str, check: impl Fn(&Casino) -> Option<T>) -> T {
        let start = Instant::now();
        loop {
            if let Some(found) = check(self) {
                return found;
            }
            assert!(start.elapsed() < PATIENCE, "{what} did not happen: {}", self.overview());
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    fn wait_for_phase(&self, phase: &str) {
        self.wait_for(phase, |casino| (casino.state()["phase"] == phase).then_some(()));
    }

    /// Checks that a journal proves itself.
    fn verify(&self, name: &str) {
        verify(&std::fs::read(self.folder.join(name)).unwrap()[..], |_| {}).unwrap();
    }

    fn journal(&self, name: &str) -> Vec<Value> {
        let text = std::fs::read_to_string(self.folder.join(name)).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

impl Drop for Casino {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// One request, one answer: status and body.
fn http(
    address: SocketAddr,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: Option<Value>,
) -> (u16, String) {
    let kind = body.iter().map(|_| ("Content-Type", "application/json"));
    let headers: Vec<(&str, &str)> = headers.iter().copied().chain(kind).collect();
    let body = body.map(|body| body.to_string()).unwrap_or_default();
    let request = format!("{method} {path}");
    let (head, body) = support::host::http(address, &request, &headers, body.as_bytes()).unwrap();
    (head.split(' ').nth(1).unwrap().parse().unwrap(), body)
}

fn watch(address: SocketAddr) -> TcpStream {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "GET /events HTTP/1.1\r\nHost: {address}\r\n\r\n").unwrap();
    stream
}

/// Reads the stream of changes until the program goes, every byte of it.
struct Listener {
    heard: Arc<Mutex<Vec<u8>>>,
    thread: JoinHandle<()>,
}

impl Listener {
    fn new(address: SocketAddr) -> Listener {
        let (mut stream, heard) = (watch(address), Arc::<Mutex<Vec<u8>>>::default());
        let shared = Arc::clone(&heard);
        let thread = std::thread::spawn(move || {
            let mut piece = [0; 4096];
            // The program's end may reset the connection: the bytes before count.
            while let Ok(length @ 1..) = stream.read(&mut piece) {
                shared.lock().unwrap().extend(&piece[..length]);
            }
        });
        Listener { heard, thread }
    }

    /// Whether the state with this number has arrived.
    fn has_come_to(&self, state: &Value) -> bool {
        holds(&self.heard.lock().unwrap(), &format!("\"n\":{},", state["n"]))
    }

    /// All messages until the program ended.
    fn into_heard(self) -> Vec<u8> {
        self.thread.join().unwrap();
        std::mem::take(&mut *self.heard.lock().unwrap())
    }
}

/// The data of all server-sent events in these bytes. Each event is one chunk, so that the lines of chunk sizes
/// between them do no harm.
fn events(bytes: &[u8]) -> Vec<Value> {
    let text = String::from_utf8(bytes.to_vec()).unwrap();
    text.lines()
        .filter_map(|line| line.strip_prefix("data: "))
        .map(|data| serde_json::from_str(data).unwrap())
        .collect()
}

/// A player that calls cheap bets and folds otherwise. Returns every byte of the messages.
fn player(address: SocketAddr, github_id: &str, avatar: &str) -> JoinHandle<Vec<u8>> {
    let login = format!("{github_id}:{avatar}");
    let cheap = |fields: &[&str]| {
        let (stack, to_call): (u32, u32) = (fields[1].parse().unwrap(), fields[3].parse().unwrap());
        if to_call <= stack.min(8) { format!("bet:{to_call}") } else { "fold".to_string() }
    };
    std::thread::spawn(move || play_from("127.0.0.1", address, &login, cheap).concat().into_bytes())
}

/// 200 avatars unfit for a projector, from a list of tricks for 17 players.
fn hostile_avatars() -> Vec<String> {
    let tricks: Vec<String> = serde_json::from_str(include_str!("../hostile-avatars.json")).unwrap();
    (0..200)
        .map(|index| match index % 25 {
            24 => tricks[index % tricks.len()].repeat(1 + index),
            _ => format!("{}{}", tricks[index % tricks.len()], index / 25),
        })
        .collect()
}

/// All cards named in a JSON value.
fn cards(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::String(text) => {
            let (rank, suit) = text.split_at(text.len().saturating_sub(1).min(text.len()));
            let is_rank = "2 3 4 5 6 7 8 9 10 J Q K A".split(' ').any(|known| known == rank);
            if is_rank && ["S", "H", "D", "C"].contains(&suit) {
                found.insert(text.clone());
            }
        }
        Value::Array(values) => values.iter().for_each(|value| cards(value, found)),
        Value::Object(fields) => fields.values().for_each(|value| cards(value, found)),
        _ => {}
    }
}

fn strings(value: &Value) -> Vec<String> {
    value.as_array().unwrap().iter().map(|card| card.as_str().unwrap().to_string()).collect()
}

fn holds(bytes: &[u8], marker: &str) -> bool {
    // Text is searched by the standard library, which is optimized; invalid text cannot hide a valid marker.
    String::from_utf8_lossy(bytes).contains(marker)
}

/// Checks that no page shows a card of a round before it may be seen, and returns the rounds that were shown.
fn rounds_without_hidden_cards(journal: &[Value], viewer: &[u8]) -> BTreeSet<(u64, u64)> {
    // The cards of each round, from the journal.
    let deals: BTreeMap<(u64, u64), (Vec<String>, Vec<String>)> = journal
        .iter()
        .filter(|line| line["type"] == "deal")
        .map(|line| {
            let round = (line["table"].as_u64().unwrap(), line["round"].as_u64().unwrap());
            (round, (strings(&line["hole"]), strings(&line["second"])))
        })
        .collect();
    let (mut shown_rounds, mut last_n) = (BTreeSet::new(), None);
    for event in events(viewer) {
        let n = event["n"].as_u64().unwrap();
        // A viewer that has fallen behind gets a snapshot, which alone has all the news.
        let fresh = !event["news"].is_null();
        assert!(fresh || last_n.is_none_or(|last| n == last + 1), "{n} follows {last_n:?}");
        last_n = Some(n);
        let table = &event["table"];
        if table.is_null() || !table["result"].is_null() {
            continue;
        }
        let round = (table["table"].as_u64().unwrap(), table["round"].as_u64().unwrap());
        shown_rounds.insert(round);
        let (hole, second) = &deals[&round];
        let mut seen = BTreeSet::new();
        cards(table, &mut seen);
        assert!(hole.iter().all(|card| !seen.contains(card)), "a hole card of {round:?}: {table}");
        if table["street"] == 1 {
            assert!(second.iter().all(|card| !seen.contains(card)), "{round:?}: {table}");
        }
    }
    shown_rounds
}

/// 200 hostile players at one tournament of twelve tables, and the first of them at one table. No byte from the
/// audience's address and no byte sent to a bot contains the GitHubId of a player, a hole card of a round in play, or
/// the seed before it is revealed.
#[test]
fn no_secret_leaves_by_the_audiences_address_or_to_a_bot() {
    let seed = "SEED-MARKER-39c1";
    let all = hostile_avatars();
    for (batch, avatars) in [&all[..17], &all[..]].into_iter().enumerate() {
        let players = avatars.len();
        let seed = format!("{seed}-{batch}");
        let line = format!(
            "host --bind 127.0.0.1:0 --players {players} --stack 60 --rounds 60 --level-rounds 20 --seats 17 --seed {seed}"
        );
        let casino = Casino::start(&format!("secrets-{batch}"), &line.split(' ').collect::<Vec<_>>());
        casino.act("/api/tempo", Some(json!({ "percent": 2000 })));
        let viewer = Listener::new(casino.page());
        let game = casino.game.unwrap();
        let ids: Vec<String> = (0..players).map(|index| format!("GITHUB-MARKER-{batch}-{index}-x")).collect();
        let bots: Vec<JoinHandle<Vec<u8>>> = avatars
            .iter()
            .enumerate()
            .map(|(index, avatar)| {
                // A colon would be refused; every fifth player uses the GitHubId of another one.
                let avatar = match index % 5 {
                    4 => ids[(index + 1) % players].clone(),
                    _ => avatar.replace(':', ";"),
                };
                // A login takes 64 characters.
                let avatar: String = avatar.chars().take(64).collect();
                player(game, &ids[index], &avatar)
            })
            .collect();
        // Longer logins are refused, whatever their length.
        let long = [65, 60_000].map(|length| player(game, &format!("LONG-{length}"), &"L".repeat(length)));
        casino.wait_for("everybody in", |casino| {
            (casino.overview()["members"].as_array()?.len() == players).then_some(())
        });
        casino.act("/api/start", None);
        casino.wait_for_phase("over");
        let late = Listener::new(casino.page());
        let mut audience = Vec::new();
        for path in ["/", "/page.js", "/view.js", "/page.css", "/state", "/api/overview", "/nothing"] {
            audience.extend(http(casino.page(), "GET", path, &[], None).1.into_bytes());
        }
        let journal = casino.journal("journal.jsonl");
        let state = casino.wait_for("the last change at every viewer", |casino| {
            Some(casino.state()).filter(|state| viewer.has_come_to(state) && late.has_come_to(state))
        });
        drop(casino);
        let (viewer, late) = (viewer.into_heard(), late.into_heard());
        audience.extend(&viewer);
        audience.extend(&late);

        for id in &ids {
            assert!(!holds(&audience, id), "{id} is shown to the room");
        }
        assert!(!holds(&audience, &seed), "the seed is shown before it is revealed");
        assert_eq!(state["programme"]["players"].as_array().unwrap().len(), players);
        for long in long {
            long.join().unwrap();
        }
        assert!(!holds(&audience, "LLLL") && !holds(&audience, "LONG-"));
        for (index, bot) in bots.into_iter().enumerate() {
            let bytes = bot.join().unwrap();
            assert!(!bytes.is_empty());
            assert!(!holds(&bytes, &seed), "a bot learns the seed");
            for id in &ids {
                assert!(!holds(&bytes, id), "bot {index} learns {id}");
            }
        }

        let shown_rounds = rounds_without_hidden_cards(&journal, &viewer);
        assert!(!shown_rounds.is_empty(), "no round was shown");
    }
}
