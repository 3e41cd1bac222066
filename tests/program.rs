//! The program as people run it: the same bytes for the same seed, players of every kind at one table, clear
//! words and exit codes, nothing left running.

#[path = "support/tools.rs"]
mod tools;

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

use serde_json::Value;
use sha2::{Digest, Sha256};
use tools::{has, skip};

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
fn house_bots_and_starter_bots_of_every_language_play_to_the_end() {
    let folder = scratch("starters");
    let (results, classes) = (folder.join("results"), folder.join("classes"));
    let rust = path(rust_starter());
    let mut specs =
        vec!["cautious".to_string(), "random".to_string(), format!("rust={rust} {{host}} {{port}}")];
    let mut names = vec!["cautious", "random", "rust"];
    if has("javac", "the starter bots in Java") {
        let built = Command::new("javac")
            .args(["-encoding", "UTF-8", "-d", path(&classes)])
            .args(["Poker.java", "Strategy.java"].map(|file| bots().join("java").join(file)))
            .status()
            .expect("javac runs");
        assert!(built.success(), "the starter bot in Java builds");
        // Two copies of one program, with one GitHubId: told apart by their connections.
        for name in ["java-one", "java-two"] {
            specs.push(format!("{name}=java -cp {} Poker {{host}} {{port}}", path(&classes)));
            names.push(name);
        }
    }
    if has("python3", "the starter bot in Python") {
        specs.push(format!("python=python3 {} {{host}} {{port}}", path(&bots().join("python/poker.py"))));
        names.push("python");
    }
    let mut arguments = vec!["play", "--seed", "starters", "--rounds", "40", "--stack", "80", "--json"];
    arguments.extend(["--reply-ms", "60000", "--out", path(&results)]);
    for spec in &specs {
        arguments.extend(["--bot", spec]);
    }
    let result = run_json(&arguments);
    assert_nobody_ejected(&result);
    let seated: BTreeSet<String> = left(&result).into_iter().map(|(name, _)| name).collect();
    assert_eq!(seated, names.iter().map(ToString::to_string).collect());
    let winner = result["standings"][0]["left_in_round"].is_null();
    assert!(winner, "somebody is in until the end: {result}");
    // What each program printed, the result and the journal are in the folder.
    for name in names.iter().filter(|name| !["cautious", "random"].contains(name)) {
        let printed = fs::read_to_string(results.join(format!("{name}.stdout"))).expect("its output");
        assert!(printed.contains("done: "), "{name} was told why it is over: {printed}");
        let errors = fs::read_to_string(results.join(format!("{name}.stderr"))).expect("its errors");
        assert!(!errors.to_lowercase().contains("exception") && !errors.contains("Traceback"), "{errors}");
    }
    let kept: Value = serde_json::from_slice(&fs::read(results.join("result.json")).expect("a result"))
        .expect("one JSON object");
    assert_eq!(kept, result);
    for file in ["result.json", "journal.jsonl"] {
        assert_eq!(mode(&results.join(file)), 0o600, "{file}");
    }
}

#[test]
fn two_copies_of_one_program_are_two_players() {
    let rust = path(rust_starter());
    let copies = ["one", "two", "three"].map(|name| format!("{name}={rust} {{host}} {{port}}"));
    let mut arguments = vec!["play", "--rounds", "10", "--seed", "copies", "--json", "--reply-ms", "60000"];
    for copy in &copies {
        arguments.extend(["--bot", copy]);
    }
    let result = run_json(&arguments);
    assert_nobody_ejected(&result);
    let names: BTreeSet<String> = left(&result).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["one", "two", "three"].map(String::from).into());
    let ids: BTreeSet<&str> = result["standings"]
        .as_array()
        .expect("standings")
        .iter()
        .map(|line| line["github_id"].as_str().expect("an id"))
        .collect();
    assert_eq!(ids.len(), 1, "one program, one GitHubId: {ids:?}");
}

/// Whether a process still runs; a corpse nobody has collected does not.
fn runs(pid: &str) -> bool {
    match fs::read_to_string(format!("/proc/{pid}/stat")) {
        Ok(stat) => !stat.rsplit(')').next().unwrap_or_default().trim_start().starts_with(['Z', 'X']),
        Err(_) => Command::new("kill")
            .args(["-0", pid])
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|status| status.success() && !Path::new("/proc/self").exists()),
    }
}

fn assert_ends(pid: &str) {
    let start = Instant::now();
    while runs(pid) {
        assert!(start.elapsed() < PATIENCE, "process {pid} was left running");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn nothing_a_program_started_is_left_running() {
    let folder = scratch("children");
    let rust = path(rust_starter());
    let pids = ["child", "grandchild", "stubborn"].map(|name| folder.join(name));
    // Leaves children behind and does not end at its last word.
    let script = format!(
        "sleep 1000 & echo $! > {}; (sleep 1000 & echo $! > {}); {rust} {{host}} {{port}}; trap '' TERM HUP; \
         echo $$ > {}; sleep 1000",
        path(&pids[0]),
        path(&pids[1]),
        path(&pids[2]),
    );
    let spec = format!("messy={script}");
    let result = run_json(&[
        "play",
        "--bot",
        "caller",
        "--bot",
        &spec,
        "--rounds",
        "3",
        "--seed",
        "x",
        "--json",
        "--reply-ms",
        "60000",
    ]);
    assert_nobody_ejected(&result);
    for file in pids {
        let pid = fs::read_to_string(&file).expect("it started");
        assert_ends(pid.trim());
    }
}

#[test]
fn a_program_that_crashes_at_its_start_is_shown_with_its_last_words() {
    let folder = scratch("crash");
    let waiting = folder.join("waiting");
    let crash = "broken=echo one; echo 'cannot find strategy.txt' >&2; exit 3 # {host} {port}";
    let other = format!("other=echo $$ > {}; sleep 1000 # {{host}} {{port}}", path(&waiting));
    let crash = format!(
        "{}{}",
        "broken=while [ ! -s ",
        crash.replacen("broken=", &format!("{} ]; do sleep 0.01; done; ", path(&waiting)), 1)
    );
    let output = run(&["play", "--bot", "caller", "--bot", &crash, "--bot", &other]);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    for words in [
        "casino: the program broken ended before it connected (exit status: 3)",
        "its error output ends with",
        "    cannot find strategy.txt",
    ] {
        assert!(said.contains(words), "{words}: {said}");
    }
    assert!(!said.contains("panicked"), "{said}");
    assert_ends(fs::read_to_string(&waiting).expect("the other one started").trim());
}

/// Logs in, and crashes on its first question.
const CRASHER: &str = r#"
    use std::io::{Read, Write};
    fn main() {
        let words: Vec<String> = std::env::args().collect();
        let mut dealer = std::net::TcpStream::connect(format!("{}:{}", words[1], words[2])).unwrap();
        dealer.read_exact(&mut [0; 7]).unwrap();
        dealer.write_all(b"\0\x05me:Me").unwrap();
        dealer.read_exact(&mut [0; 2]).unwrap();
        panic!("index out of bounds");
    }
"#;

#[test]
fn a_program_that_crashes_in_the_game_is_out_and_its_output_is_kept() {
    let folder = scratch("crash-later");
    let (source, results) = (folder.join("crasher.rs"), folder.join("results"));
    fs::write(&source, CRASHER).expect("a file");
    let crasher = build(&source, &folder.join("crasher"));
    let spec = format!("crasher={} {{host}} {{port}}", path(&crasher));
    let result = run_json(&[
        "play",
        "--bot",
        "caller*2",
        "--bot",
        &spec,
        "--rounds",
        "5",
        "--seed",
        "x",
        "--json",
        "--reply-ms",
        "60000",
        "--out",
        path(&results),
    ]);
    let standing = &result["standings"][2];
    assert_eq!(standing["name"], "crasher");
    assert_eq!((&standing["how"], &standing["left_in_round"]), (&"connection closed".into(), &1.into()));
    let why = standing["why"].as_str().expect("a reason");
    assert!(why.contains("Perhaps it crashed: look at what it printed."), "{why}");
    let errors = fs::read_to_string(results.join("crasher.stderr")).expect("its errors");
    assert!(errors.contains("index out of bounds"), "{errors}");
    assert_eq!(result["rounds"], 5, "the others play on");
}

#[test]
fn usage_errors_name_the_place_and_the_remedy_and_exit_with_two() {
    let folder = scratch("usage");
    let journal = folder.join("there.jsonl");
    fs::write(&journal, "somebody's tournament").expect("a file");
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let taken = taken.local_addr().expect("bound").to_string();
    let listener = std::net::TcpListener::bind(&taken);
    let journal = path(&journal);
    let in_nowhere = path(&folder.join("nowhere/at/all.jsonl")).to_string();
    let cases: Vec<(Vec<&str>, &[&str])> = vec![
        (vec!["play", "--bot", "random*18"], &["18 players do not fit", "17 seats"]),
        (vec!["play", "--bot", "bold"], &["at least two players", "there is one", "add one with --bot"]),
        (vec!["play"], &["at least two players", "nobody"]),
        (vec!["play", "--bot", "nobody", "--bot", "bold"], &["there is no house bot \"nobody\"", "cautious"]),
        (vec!["play", "--bot", "random*x"], &["is no number of bots", "random*3"]),
        (vec!["play", "--bot", "bold", "--bot", "me=java Poker {host}"], &["has no {port}", "{host} {port}"]),
        (vec!["play", "--bot", "bold", "--bot", "me=java Poker {port}"], &["has no {host}"]),
        (vec!["play", "--bot", "a b=x {host} {port}"], &["cannot be a program's name", "letters, digits"]),
        (
            vec!["play", "--bot", "a=x {host} {port}", "--bot", "a=y {host} {port}"],
            &["two programs are named a"],
        ),
        (vec!["play", "--bot", "bold*2", "--journal", journal], &["is there already", "name a new file"]),
        (vec!["play", "--bot", "bold*2", "--journal", &in_nowhere], &["cannot be written", "nowhere"]),
        (vec!["play", "--bot", "bold*2", "--rounds", "0"], &["--rounds"]),
        (vec!["play", "--bot", "bold*2", "--rounds", "many"], &["--rounds"]),
        (vec!["play", "--bot", "bold*2", "--stack", "0"], &["--stack"]),
        (vec!["play", "--bot", "bold*2", "--reply-ms", "0"], &["--reply-ms"]),
        (vec!["play", "--bot", "bold*2", "--frobnicate"], &["--frobnicate"]),
        (vec!["host", "--players", "3"], &["--bind"]),
        (vec!["host", "--bind", "127.0.0.1:0"], &["--players"]),
        (vec!["host", "--bind", "nonsense", "--players", "2"], &["--bind", "nonsense"]),
        (
            vec!["host", "--bind", &taken, "--players", "2"],
            &["cannot be listened on", "choose another --bind"],
        ),
        (
            vec!["host", "--bind", "203.0.113.7:1", "--players", "2"],
            &["cannot be listened on", "203.0.113.7:1"],
        ),
        (vec!["host", "--bind", "127.0.0.1:0", "--players", "18"], &["18 players do not fit"]),
        (vec!["host", "--bind", "127.0.0.1:0", "--players", "1"], &["at least two players"]),
        (
            vec!["host", "--bind", "127.0.0.1:0", "--players", "2", "--bot", "bold*3"],
            &["--players 2 is fewer than the 3 named by --bot"],
        ),
        // Found before anybody is waited for.
        (
            vec!["host", "--bind", "127.0.0.1:0", "--players", "2", "--journal", journal],
            &["is there already", "name a new file"],
        ),
        (vec!["deal"], &["deal"]),
        (vec![], &["Usage"]),
    ];
    for (arguments, words) in cases {
        let output = run(&arguments);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(!said.contains("panicked"), "{arguments:?}: {said}");
        for words in words {
            assert!(said.contains(words), "{arguments:?}: {words} is not in {said}");
        }
    }
    drop(listener);
    assert_eq!(fs::read_to_string(journal).expect("still there"), "somebody's tournament");
}

/// The commands a help lists.
fn commands(help: &str) -> Vec<String> {
    let Some((_, list)) = help.split_once("Commands:") else { return Vec::new() };
    list.lines()
        .skip(1)
        .take_while(|line| !line.trim().is_empty())
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .map(ToString::to_string)
        .collect()
}

/// Looks for examples in a command's help, or in those of the commands under it.
fn look_for_examples(words: &[&str]) {
    let output = casino().args(words).arg("--help").output().expect("the program runs");
    let help = text(&output.stdout);
    assert!(output.status.success(), "{words:?}");
    for under in commands(&help) {
        look_for_examples(&[words, &[&under]].concat());
    }
    if commands(&help).is_empty() {
        let command = format!("casino {}", words.join(" "));
        assert!(help.contains("Example") && help.contains(&command), "{words:?}: {help}");
    }
}

#[test]
fn every_commands_help_has_examples() {
    let help = text(&run(&["--help"]).stdout);
    for wanted in ["play", "host", "bots"] {
        assert!(commands(&help).iter().any(|command| command == wanted), "{wanted} is not in {help}");
    }
    look_for_examples(&[]);
}

#[test]
fn the_house_bots_are_listed() {
    let list = text(&run(&["bots"]).stdout);
    assert!(list.lines().count() >= 10, "{list}");
    for line in list.lines() {
        let name = line.split_whitespace().next().expect("a name");
        assert!(line.len() > name.len() + 10, "{line}");
        let result =
            run_json(&["play", "--bot", name, "--bot", "caller", "--rounds", "3", "--seed", "x", "--json"]);
        assert_nobody_ejected(&result);
    }
}

#[test]
fn a_reader_that_goes_away_ends_it_quietly() {
    let mut child = casino()
        .args(["play", "--bot", "caller*3", "--rounds", "1000000", "--seed", "x"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut line = String::new();
    BufReader::new(child.stdout.take().expect("piped")).read_line(&mut line).expect("a line");
    assert!(line.contains("seed"), "{line}");
    // The reader is gone now.
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(text(&output.stderr), "");
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
    let strange = |c: char| (c.is_control() && c != '\n') || "<>\u{202e}".contains(c);
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
