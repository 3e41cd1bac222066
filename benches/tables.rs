//! The whole program with many tables over TCP: `casino host`, without a journal and with one, beside a bare dealer that
//! also plays hand for hand.
//!
//!     cargo bench --bench tables
//!     cargo bench --bench tables -- 1 10        these numbers of tables only
//!     cargo bench --bench tables -- one-cpu     dealer and bots on one processor
//!
//! Dealer and bots are separate processes, new for each pass: six bots a table, which always call. The dealer is pinned
//! to one CPU and the bots to another, where there are two. The bare dealer is plain tokio: a task a table, frames
//! prepared beforehand, no rules, no deadlines; but all tables play a round before any begins the next one, as those of
//! an event do. The dealers alternate, pass by pass; a rate is that of the median pass, and a ratio the median of the
//! ratios pass by pass. The measurement begins with the first question and ends with the last reply:
//!
//! - round trips a second, as the bots count them;
//! - p50 and p99: how long a bot waits for its next question after a reply, mostly for the replies of the others;
//! - the dealer's processor time for each request;
//! - memory: by how much the dealer's process grows from before the first connection to its largest, for each
//!   connection; without the system's buffers, and without the pages of the program's own file.

#![allow(clippy::print_stdout, reason = "a benchmark prints")]

mod script;

use std::env;
use std::fs;
use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::BytesMut;
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Runtime;
use tokio::sync::Barrier;
use tokio::task::JoinSet;

const SEATS: usize = 6;
/// Deep enough that no player goes broke; the chips of 10,000 players can be counted.
const STACK: u32 = 100_000;
/// Round trips of a pass, within the limits of at least ten rounds and a few seconds of syncs.
const TRIPS: usize = 120_000;
const PASSES: usize = 5;
/// Rounds prepared for the bare dealer, which repeats them.
const SCRIPTED: usize = 50;

fn main() {
    // Cargo adds a flag.
    let words: Vec<String> = env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let number = |word: &str| word.parse().expect("a number");
    match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["bots", address, count] => bots(address, number(count)),
        ["bare", tables, rounds] => a_bare_dealer(number(tables), number(rounds)),
        ref words => {
            let one_cpu = words.contains(&"one-cpu");
            let sizes: Vec<usize> =
                words.iter().filter(|word| **word != "one-cpu").map(|word| number(word)).collect();
            let folder = env::temp_dir().join(format!("casino-day-tables-{}", std::process::id()));
            fs::create_dir_all(&folder).expect("the system lends a folder");
            println!(
                "{SEATS} bots a table that call; dealer and bots on {}",
                if one_cpu { "one CPU" } else { "a CPU each" }
            );
            println!(
                "{:>6} {:>14} {:>10} {:>17} {:>9} {:>9} {:>11} {:>7}",
                "tables", "", "trips/s", "ratio", "p50 µs", "p99 µs", "CPU µs/req.", "B/conn."
            );
            for tables in if sizes.is_empty() { vec![1, 10, 100, 166, 1_000] } else { sizes } {
                compare(&Setting { tables, one_cpu, folder: &folder });
            }
            fs::remove_dir_all(&folder).expect("the folder is ours");
        }
    }
}

struct Setting<'a> {
    tables: usize,
    one_cpu: bool,
    folder: &'a Path,
}

impl Setting<'_> {
    fn rounds(&self) -> usize {
        (TRIPS / (2 * SEATS * self.tables)).clamp(10, 2_000)
    }
}

/// The three dealers, in the order of a pass.
#[derive(Clone, Copy, PartialEq)]
enum Dealer {
    Bare,
    Host,
    Journalling,
}

const DEALERS: [(Dealer, &str); 3] =
    [(Dealer::Bare, "bare"), (Dealer::Host, "host"), (Dealer::Journalling, "with journal")];

#[derive(Clone, Copy, Default)]
struct Pass {
    trips_per_second: f64,
    p50: f64,
    p99: f64,
    cpu_per_request: f64,
    memory: f64,
}

fn compare(setting: &Setting<'_>) {
    let passes: Vec<[Pass; 3]> =
        (0..PASSES).map(|_| DEALERS.map(|(dealer, _)| pass(setting, dealer))).collect();
    let median = |figure: &dyn Fn(&[Pass; 3]) -> f64| {
        let mut all: Vec<f64> = passes.iter().map(figure).collect();
        all.sort_by(f64::total_cmp);
        (all[PASSES / 2], all[0], all[PASSES - 1])
    };
    let figures: [fn(&Pass) -> f64; 5] = [
        |pass| pass.trips_per_second,
        |pass| pass.p50,
        |pass| pass.p99,
        |pass| pass.cpu_per_request,
        |pass| pass.memory,
    ];
    for (index, (_, name)) in DEALERS.iter().enumerate() {
        let [rate, p50, p99, cpu, memory] = figures.map(|figure| median(&|all| figure(&all[index])).0);
        let ratio = |to: usize| {
            let (middle, least, most) = median(&|all| all[index].trips_per_second / all[to].trips_per_second);
            format!("{middle:.2} ({least:.2}–{most:.2})")
        };
        println!(
            "{:>6} {name:>14} {rate:>10.0} {:>17} {p50:>9.0} {p99:>9.0} {cpu:>11.2} {memory:>7.0}",
            setting.tables,
            if index == 0 { String::new() } else { ratio(0) }
        );
    }
    let times = |figure: fn(&Pass) -> f64| median(&|all| figure(&all[1]) / figure(&all[0])).0;
    println!(
        "{:>6} {:>14} p50 {:.2}, p99 {:.2}, CPU a request {:.2}; with journal / host {:.2}",
        "",
        "host / bare:",
        times(figures[1]),
        times(figures[2]),
        times(figures[3]),
        median(&|all| all[2].trips_per_second / all[1].trips_per_second).0
    );
}

/// A dealer and its bots, from the start of their processes to their end.
fn pass(setting: &Setting<'_>, dealer: Dealer) -> Pass {
    let connections = setting.tables * SEATS;
    let journal = setting.folder.join("journal.jsonl");
    let mut process = spawn(&mut dealer_command(setting, dealer, &journal), 0);
    let mut lines = BufReader::new(process.stdout.take().expect("it is a pipe")).lines();
    let address = said(&mut lines, "listening on ");
    let pid = process.id();
    let before = memory(pid, "RssAnon:");
    // Further output must not fill the pipe.
    let rest = std::thread::spawn(move || lines.for_each(drop));
    let mut bots = myself(&["bots", &address, &connections.to_string()]);
    let mut bots = spawn(bots.stdin(Stdio::piped()), usize::from(!setting.one_cpu));
    let mut lines = BufReader::new(bots.stdout.take().expect("it is a pipe")).lines();
    said(&mut lines, "begun");
    let begun = cpu_time(pid);
    let played = said(&mut lines, "played ");
    let cpu = cpu_time(pid) - begun;
    // Without the pages of the program's file: they are as many for ten connections as for a thousand.
    let most = memory(pid, "VmHWM:") - memory(pid, "RssFile:");
    // The bots have stayed connected until here, so that the dealer's memory could be measured.
    drop(bots.stdin.take());
    let mut figures = played.split(' ').map(|word| word.parse::<f64>().expect("a number"));
    let mut figure = || figures.next().expect("four figures");
    let (trips, seconds, p50, p99) = (figure(), figure(), figure(), figure());
    assert!(bots.wait().expect("the bots end").success(), "the bots failed");
    assert!(process.wait().expect("the dealer ends").success(), "the dealer failed");
    rest.join().expect("reading a pipe does not panic");
    assert_eq!(trips as usize, setting.rounds() * 2 * connections, "nobody was thrown out");
    if dealer == Dealer::Journalling {
        fs::remove_file(&journal).expect("it has been written");
    }
    Pass {
        trips_per_second: trips / seconds,
        p50,
        p99,
        cpu_per_request: cpu.as_secs_f64() * 1e6 / trips,
        memory: most.saturating_sub(before) as f64 / connections as f64,
    }
}

fn dealer_command(setting: &Setting<'_>, dealer: Dealer, journal: &Path) -> Command {
    let rounds = setting.rounds().to_string();
    if dealer == Dealer::Bare {
        return myself(&["bare", &setting.tables.to_string(), &rounds]);
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_casino"));
    command.current_dir(setting.folder).stdin(Stdio::null()).stderr(Stdio::null());
    command.args([
        "host",
        "--bind",
        "127.0.0.1:0",
        "--seed",
        "bench",
        "--format",
        "freezeout",
        "--jobs",
        "1",
    ]);
    command.args(["--players", &(setting.tables * SEATS).to_string(), "--seats", &SEATS.to_string()]);
    command.args(["--rounds", &rounds, "--level-rounds", &rounds, "--stack", &STACK.to_string()]);
    command.args(["--reply-ms", "600000"]);
    if dealer == Dealer::Journalling {
        command.arg("--journal").arg(journal);
    }
    command
}

/// The rest of the first line that begins so.
fn said(lines: &mut std::io::Lines<BufReader<ChildStdout>>, begin: &str) -> String {
    let mut lines = lines.map(|line| line.expect("it is text"));
    lines.find_map(|line| line.strip_prefix(begin).map(str::to_string)).expect("it says so before it ends")
}

fn myself(words: &[&str]) -> Command {
    let mut command = Command::new(env::current_exe().expect("this program has a path"));
    command.args(words).stdin(Stdio::null());
    command
}

/// Starts a program that is kept to one CPU, if there is such a one.
fn spawn(command: &mut Command, cpu: usize) -> Child {
    let myself = nix::unistd::Pid::from_raw(0);
    let mine = nix::sched::sched_getaffinity(myself).expect("the system tells");
    let mut one = nix::sched::CpuSet::new();
    // Child processes inherit the CPU affinity.
    if one.set(cpu).is_ok() {
        let _ = nix::sched::sched_setaffinity(myself, &one);
    }
    let child = command.stdout(Stdio::piped()).spawn().expect("it can be started");
    nix::sched::sched_setaffinity(myself, &mine).expect("they were there before");
    child
}

/// How long the threads of a process have had a CPU so far.
fn cpu_time(pid: u32) -> Duration {
    let threads = fs::read_dir(format!("/proc/{pid}/task")).expect("it is alive");
    let nanoseconds = threads.filter_map(|thread| {
        // A thread may end in this moment.
        let text = fs::read_to_string(thread.ok()?.path().join("schedstat")).ok()?;
        text.split(' ').next()?.parse::<u64>().ok()
    });
    Duration::from_nanos(nanoseconds.sum())
}

/// A field of a process's memory status (`/proc/PID/status`), in bytes.
fn memory(pid: u32, what: &str) -> usize {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).expect("it is alive");
    let line = status.lines().find_map(|line| line.strip_prefix(what)).expect("it is in there");
    1024 * line.trim().trim_end_matches(" kB").parse::<usize>().expect("a number of kB")
}

fn runtime() -> Runtime {
    if let Ok((_, most)) = getrlimit(Resource::RLIMIT_NOFILE) {
        let _ = setrlimit(Resource::RLIMIT_NOFILE, most, most);
    }
    tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime")
}

/// All bots: each calls every question until it receives `done`. Prints the time of the first question and, at the end,
/// the number of replies, the seconds, and p50 and p99 in microseconds. Stays connected until its standard input ends.
fn bots(dealer: &str, count: usize) {
    runtime().block_on(async {
        let mut bots = JoinSet::new();
        for index in 0..count {
            let socket = TcpStream::connect(dealer).await.expect("the dealer listens");
            socket.set_nodelay(true).expect("a fresh socket");
            bots.spawn(bot(socket, index));
        }
        let (mut waits, mut first, mut last) = (Vec::new(), None, None);
        let mut open = Vec::new();
        while let Some(bot) = bots.join_next().await {
            let seen = bot.expect("a bot does not panic");
            first = first.into_iter().chain(seen.first).min();
            last = last.into_iter().chain(seen.last).max();
            waits.extend(seen.waits);
            open.push(seen.socket);
        }
        waits.sort_unstable();
        let (first, last): (Instant, Instant) = first.zip(last).expect("somebody is asked");
        let trips = waits.len() + count;
        let share = |part: usize| f64::from(waits[waits.len() * part / 100]) / 1000.0;
        println!("played {trips} {} {} {}", (last - first).as_secs_f64(), share(50), share(99));
        io::stdin().read_line(&mut String::new()).expect("it ends");
        drop(open);
    });
}

/// The times of a bot: first question, last reply, and the wait after each reply for its next question, in nanoseconds.
struct Seen {
    first: Option<Instant>,
    last: Option<Instant>,
    waits: Vec<u32>,
    socket: TcpStream,
}

async fn bot(mut socket: TcpStream, index: usize) -> Seen {
    let mut inbox = BytesMut::with_capacity(1024);
    let (mut first, mut last, mut waits) = (None, None::<Instant>, Vec::new());
    while matches!(socket.read_buf(&mut inbox).await, Ok(1..)) {
        while let Some(header) = inbox.first_chunk::<2>() {
            let length = 2 + usize::from(u16::from_be_bytes(*header));
            if inbox.len() < length {
                break;
            }
            let frame = inbox.split_to(length);
            let text = &frame[2..];
            let reply = match text.split(|byte| *byte == b':').next() {
                Some(b"login") => format!("bot-{index}:bot {index}"),
                Some(b"bet1" | b"bet2") => {
                    let to_call =
                        text.split(|byte| *byte == b':').nth(3).expect("a question has a third number");
                    format!("bet:{}", String::from_utf8_lossy(to_call))
                }
                Some(b"done") => return Seen { first, last, waits, socket },
                _ => continue,
            };
            let is_bet = text.starts_with(b"bet");
            if is_bet {
                let now = Instant::now();
                if first.is_none() {
                    first = Some(now);
                    if index == 0 {
                        println!("begun");
                    }
                }
                if let Some(last) = last {
                    waits.push((now - last).as_nanos().min(u128::from(u32::MAX)) as u32);
                }
            }
            let mut answer = vec![0, reply.len() as u8];
            answer.extend(reply.bytes());
            socket.write_all(&answer).await.expect("the dealer reads");
            if is_bet {
                last = Some(Instant::now());
            }
        }
    }
    panic!("bot {index} was never told that it is over");
}

/// Writes and reads frames that were prepared beforehand: a task for each table, a status in one write with the same bot's
/// next question, and no table begins a round before all have played the last one.
fn a_bare_dealer(tables: usize, rounds: usize) {
    let script = Arc::new(script::frames(SEATS, STACK, SCRIPTED));
    runtime().block_on(async {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        println!("listening on {}", listener.local_addr().expect("a bound socket has an address"));
        let mut sockets = Vec::new();
        while sockets.len() < tables * SEATS {
            let (mut socket, _) = listener.accept().await.expect("a bot connects");
            socket.set_nodelay(true).expect("a fresh socket");
            socket.write_all(b"\0\x05login").await.expect("the bot reads");
            reply(&mut socket).await;
            sockets.push(socket);
        }
        let all_have_played = Arc::new(Barrier::new(tables));
        let mut playing = JoinSet::new();
        while !sockets.is_empty() {
            let mut sockets = sockets.split_off(sockets.len() - SEATS);
            let (script, all_have_played) = (Arc::clone(&script), Arc::clone(&all_have_played));
            playing.spawn(async move {
                for round in 0..rounds {
                    for (seat, frames) in &script[round % SCRIPTED] {
                        sockets[*seat].write_all(frames).await.expect("the bot reads");
                        reply(&mut sockets[*seat]).await;
                    }
                    all_have_played.wait().await;
                }
                for socket in &mut sockets {
                    socket.write_all(b"\0\x09done:over").await.expect("the bot reads");
                }
                for mut socket in sockets {
                    // They disconnect when all have received `done`.
                    let _ = socket.read(&mut [0; 64]).await;
                }
            });
        }
        while let Some(table) = playing.join_next().await {
            table.expect("a table does not panic");
        }
    });
}

async fn reply(socket: &mut TcpStream) {
    let mut reply = [0; 64];
    let mut got = 0;
    while got < 2 || got < 2 + usize::from(reply[1]) {
        got += socket.read(&mut reply[got..]).await.expect("the bot answers");
    }
}
