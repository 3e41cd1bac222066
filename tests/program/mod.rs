//! The program as people run it: the same bytes for the same seed, players of every kind at one table, clear
//! words and exit codes, nothing left running.

mod installed;
mod limits;
mod programs;
mod survives;
mod usage;

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::OnceLock;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::tools::{has, skip};
use casino_host::{ProgramStarter, ShellCommand};
use serde_json::Value;
use sha2::{Digest, Sha256};

/// No test waits longer than this for something that is sure to come.
const PATIENCE: Duration = Duration::from_secs(120);

fn casino() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_casino"));
    command.env("PYTHONDONTWRITEBYTECODE", "1").env_remove("RUST_BACKTRACE").stdin(Stdio::null());
    command
}

fn run(arguments: &[&str]) -> Output {
    casino().args(arguments).output().expect("the program runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("plain text")
}

/// Runs it and gives the JSON object it prints.
fn run_json(arguments: &[&str]) -> Value {
    let output = run(arguments);
    assert!(output.status.success(), "{}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("one JSON object")
}

/// An empty folder of a test's own.
fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("program").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn path(path: &Path) -> &str {
    path.to_str().expect("a plain path")
}

fn bots() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("bots")
}

/// The starter bot in Rust, built: a program that is there wherever these tests are built.
fn rust_starter() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| build(&bots().join("rust/main.rs"), &scratch("rust-starter").join("poker")))
}

/// Builds a program of one file and its modules.
fn build(source: &Path, program: &Path) -> PathBuf {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let built = Command::new(rustc).args(["--edition", "2021", "-o"]).arg(program).arg(source).status();
    assert!(built.expect("rustc runs").success(), "{} builds", source.display());
    program.to_path_buf()
}

/// The standings as (name, how it left).
fn left(result: &Value) -> Vec<(String, Option<String>)> {
    let line = |line: &Value| {
        let how = line["how"].as_str().map(ToString::to_string);
        (line["name"].as_str().expect("a name").to_string(), how)
    };
    result["standings"].as_array().expect("standings").iter().map(line).collect()
}

fn assert_nobody_ejected(result: &Value) {
    for (name, how) in left(result) {
        assert!(how.as_deref().is_none_or(|how| how == "out of chips"), "{name}: {how:?} in {result}");
    }
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).expect("it is there").permissions().mode() & 0o777
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    let folder = scratch("same-bytes");
    let play = |journal: &str, seed: &str| {
        let journal = folder.join(journal);
        let output = run(&[
            "play",
            "--bot",
            "cautious",
            "--bot",
            "bold",
            "--bot",
            "random*3",
            "--seed",
            seed,
            "--json",
            "--journal",
            path(&journal),
        ]);
        assert!(output.status.success(), "{}", text(&output.stderr));
        assert_eq!(mode(&journal), 0o600, "only its owner may read every hole card");
        (text(&output.stdout), fs::read(&journal).expect("a journal"))
    };
    let first = play("first.jsonl", "casino");
    assert!(first == play("second.jsonl", "casino"), "not the same bytes");
    assert!(first != play("third.jsonl", "another"), "another seed is another game");
    let result: Value = serde_json::from_str(&first.0).expect("one JSON object");
    for field in ["seed", "rounds", "forfeited", "standings"] {
        assert!(!result[field].is_null(), "{field} is missing in {result}");
    }
    assert_eq!(result["seed"], "casino");
    assert!(result["promise"].is_null(), "a chosen seed could be guessed from its hash");
    for line in result["standings"].as_array().expect("standings") {
        for field in ["place", "name", "github_id", "chips", "left_in_round", "how", "why"] {
            assert!(line.get(field).is_some(), "{field} is missing in {line}");
        }
    }
    assert_eq!(left(&result).len(), 5);
}

#[test]
fn a_drawn_seed_is_promised_before_and_shown_after() {
    let output = run(&["play", "--bot", "caller*3", "--rounds", "5", "--json"]);
    assert!(output.status.success());
    let result: Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    let seed = result["seed"].as_str().expect("a seed");
    let digest: String = Sha256::digest(seed.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(result["promise"].as_str(), Some(digest.as_str()));
    assert!(text(&output.stderr).contains(&digest));
    let again = run_json(&["play", "--bot", "caller*3", "--rounds", "5", "--json", "--seed", seed]);
    assert_eq!(again["standings"], result["standings"], "the shown seed deals the same");
    let shown = run(&["play", "--bot", "caller*3", "--rounds", "5"]);
    let shown = text(&shown.stdout);
    let promise = shown.find("its SHA-256 is").expect("a promise");
    let told = shown.find("The seed was").expect("the seed");
    assert!(promise < shown.find("round ").expect("a round") && shown.rfind("round ").expect("one") < told);
}

/// A running host, ended with this.
struct Host {
    child: Child,
    address: SocketAddr,
    stdout: Option<BufReader<std::process::ChildStdout>>,
    stderr: Option<JoinHandle<String>>,
}

impl Host {
    fn start(mut command: Command) -> Host {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
        let mut stdout = BufReader::new(child.stdout.take().expect("it is piped"));
        let mut stderr = child.stderr.take().expect("it is piped");
        let stderr = std::thread::spawn(move || {
            let mut said = String::new();
            stderr.read_to_string(&mut said).expect("plain text");
            said
        });
        let mut first = String::new();
        stdout.read_line(&mut first).expect("a first line");
        let address = first.strip_prefix("listening on ").unwrap_or_else(|| panic!("{first:?}")).trim();
        let address = address.parse().expect("an address and a port");
        Host { child, address, stdout: Some(stdout), stderr: Some(stderr) }
    }

    fn with(arguments: &[&str]) -> Host {
        let mut command = casino();
        command.args(["host", "--bind", "127.0.0.1:0"]).args(arguments);
        Host::start(command)
    }

    /// What it prints from now to its end, which must be a good one.
    fn finish(mut self) -> (String, String) {
        let mut said = String::new();
        self.stdout.take().expect("not taken").read_to_string(&mut said).expect("plain text");
        let status = self.child.wait().expect("it ends");
        let remarks = self.stderr.take().expect("not taken").join().expect("it was read");
        assert!(status.success(), "{status}: {remarks}");
        (said, remarks)
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        // Gone already unless a test has failed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A player on a blocking socket.
struct Client(TcpStream);

impl Client {
    fn log_in(host: SocketAddr, login: &str) -> Client {
        let stream = TcpStream::connect(host).expect("the host listens");
        stream.set_nodelay(true).expect("a socket");
        stream.set_read_timeout(Some(PATIENCE)).expect("a socket");
        let mut client = Client(stream);
        assert_eq!(client.read().as_deref(), Some("login"));
        client.write(login);
        client
    }

    fn read(&mut self) -> Option<String> {
        let mut header = [0; 2];
        self.0.read_exact(&mut header).ok()?;
        let mut payload = vec![0; usize::from(u16::from_be_bytes(header))];
        self.0.read_exact(&mut payload).ok()?;
        Some(text(&payload))
    }

    fn write(&mut self, reply: &str) {
        let mut frame = (reply.len() as u16).to_be_bytes().to_vec();
        frame.extend(reply.as_bytes());
        // Whether the dealer has hung up shows when its last word is read.
        let _ = self.0.write_all(&frame);
    }

    /// Plays to the end: a reply of its own for a question that `odd` wants to answer, else a call.
    fn play(
        mut self,
        mut odd: impl FnMut(&str) -> Option<String> + Send + 'static,
    ) -> JoinHandle<Vec<String>> {
        std::thread::spawn(move || {
            let mut heard = Vec::new();
            while let Some(command) = self.read() {
                if command.starts_with("bet") {
                    let to_call = command.split(':').nth(3).expect("a number");
                    let reply = odd(&command).unwrap_or_else(|| format!("bet:{to_call}"));
                    self.write(&reply);
                }
                heard.push(command);
            }
            heard
        })
    }
}

#[test]
fn the_order_of_arrival_changes_nothing() {
    let folder = scratch("arrival");
    let logins = ["carla:Carla", "anna:Steph", "boris:Steph", "dora:Dora"];
    let play = |order: [usize; 4], name: &str| {
        let journal = folder.join(name);
        let host = Host::with(&[
            "--players",
            "6",
            "--bot",
            "cautious",
            "--bot",
            "random",
            "--seed",
            "casino",
            "--rounds",
            "40",
            "--journal",
            path(&journal),
            "--json",
            "--reply-ms",
            "60000",
        ]);
        let players: Vec<_> = order
            .iter()
            .map(|index| {
                let client = Client::log_in(host.address, logins[*index]);
                let cautious = *index == 1;
                client.play(move |question| (cautious && question.starts_with("bet2")).then(|| "fold".into()))
            })
            .collect();
        for player in players {
            let heard = player.join().expect("it plays");
            assert!(heard.last().is_some_and(|word| word.starts_with("done:")), "{heard:?}");
        }
        (host.finish().0, fs::read(&journal).expect("a journal"))
    };
    let first = play([0, 1, 2, 3], "first.jsonl");
    for (order, name) in [([3, 2, 1, 0], "second.jsonl"), ([1, 3, 0, 2], "third.jsonl")] {
        assert!(first == play(order, name), "{order:?} is another game");
    }
}

#[test]
fn no_terminal_sees_a_hostile_name_or_anybodys_github_id() {
    let host = Host::with(&["--players", "4", "--bot", "caller", "--seed", "x", "--rounds", "4"]);
    // Refused: without a colon, and what is refused is a GitHubId.
    let refused = Client::log_in(host.address, "gh-zebra").play(|_| None).join().expect("it is told");
    assert!(refused[0].contains("there is no colon in it"), "{refused:?}");
    let logins = [
        "gh-ada:\u{1b}[2J\u{1b}]0;owned\u{7}Ada\u{202e}",
        "gh-bob:gh-ada",
        "gh-cyd:<img src=x onerror=alert(1)>",
    ];
    let players: Vec<_> = logins
        .iter()
        .map(|login| {
            let malicious = login.starts_with("gh-cyd");
            let client = Client::log_in(host.address, login);
            client.play(move |_| malicious.then(|| "gh-bob is \u{1b}[31mBob".to_string()))
        })
        .collect();
    for player in players {
        let heard = player.join().expect("it plays");
        assert!(heard.last().is_some_and(|word| word.starts_with("done:")), "{heard:?}");
    }
    let (said, remarks) = host.finish();
    let all = format!("{said}{remarks}");
    assert!(remarks.contains("is in: 3 of 3") && said.contains("is out"), "{all}");
    for secret in ["gh-ada", "gh-bob", "gh-cyd", "gh-zebra", "ghada", "ghbob"] {
        assert!(!all.to_lowercase().contains(secret), "{secret} is shown: {all}");
    }
    let strange = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
    assert!(!all.contains(strange), "{all:?}");
}

/// How many files a process has open.
fn open_files(pid: u32) -> usize {
    fs::read_dir(format!("/proc/{pid}/fd")).map_or(0, Iterator::count)
}

/// The system has no file left for another connection: the host waits with the next one, and the game goes on.
#[test]
fn a_host_without_a_file_left_plays_on() {
    if !Path::new("/proc/self/fd").exists() {
        skip("proc", "running out of open files", "they cannot be counted here");
        return;
    }
    // The fewest files a host with two players can do with, found by counting.
    let files_needed = {
        let host = Host::with(&["--players", "2", "--rounds", "1", "--json", "--seed", "x"]);
        let mut first = Client::log_in(host.address, "ada:Ada");
        let second = Client::log_in(host.address, "bob:Bob").play(|_| None);
        // A question comes when the game has begun.
        let mut count = 0;
        while let Some(command) = first.read() {
            if command.starts_with("bet") {
                count = count.max(open_files(host.child.id()));
                first.write("fold");
            }
        }
        second.join().expect("it plays");
        host.finish();
        count
    };
    let limit = files_needed + 2;
    let mut command = Command::new("/bin/sh");
    command.arg("-c").arg(format!(
        "ulimit -n {limit}; exec '{}' host --bind 127.0.0.1:0 --players 2 --rounds 50 --json --seed x \
         --reply-ms 60000",
        env!("CARGO_BIN_EXE_casino")
    ));
    let host = Host::start(command);
    let (address, pid) = (host.address, host.child.id());
    let mut crowd = Vec::new();
    let mut full = false;
    let mut questions = 0;
    let first = Client::log_in(address, "ada:Ada");
    let second = Client::log_in(address, "bob:Bob").play(|_| None);
    let (tell, told) = std::sync::mpsc::channel();
    let first = first.play(move |_| {
        questions += 1;
        if questions == 3 {
            // More than fit, and they stay.
            crowd.extend((0..3 * limit).map(|_| TcpStream::connect(address).expect("the backlog takes it")));
            let start = Instant::now();
            while !full && start.elapsed() < PATIENCE {
                full = open_files(pid) >= limit;
                std::thread::yield_now();
            }
            tell.send(full).expect("the test listens");
        }
        None
    });
    assert!(told.recv().expect("it is told"), "the host never ran out of files");
    for player in [first, second] {
        let heard = player.join().expect("it plays");
        let statuses = heard.iter().filter(|command| command.starts_with("status:")).count();
        assert_eq!(statuses, 50);
        assert!(heard.last().is_some_and(|word| word.contains("50 rounds has been played")), "{heard:?}");
    }
    let (said, _) = host.finish();
    assert_nobody_ejected(&serde_json::from_str(said.trim()).expect("one JSON object"));
}
