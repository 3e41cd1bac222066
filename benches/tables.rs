//! Many tables at once over TCP: round trips per second beside a bare ping-pong of the same frames on the same
//! runtime, the dealer's own time for each request, and the memory of a connection.
//!
//!     cargo bench --bench tables
//!     cargo bench --bench tables -- 1 10        these numbers of tables only
//!
//! Six bots a table, which always call, in a process of their own. The dealer's process is kept on one CPU and the
//! bots' on another, where there are two. For each number of tables the processes are new; the two dealers take turns;
//! the rates are those of the best pass, the ratios are the medians of the ratios pass by pass: of the time that went
//! by, and of the time the dealer's process had a CPU, which other programs on the machine disturb less.
//!
//! The dealer's own time is from a reply's last byte in its hands to the table's next question handed to the socket:
//! the rules, the checks, everyone's `status`, and the write. The memory is what the dealer's process has grown by
//! from before the first connection to its largest, tables included, for each connection; the system's own buffers are
//! not in it.

#![allow(clippy::print_stdout, reason = "a benchmark prints")]

#[path = "common/script.rs"]
mod script;

use std::env;
use std::fs;
use std::io;
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::BytesMut;
use casino_day::cards::Seed;
use casino_day::server::{Connection, ConnectionLimits, EventHost, SeatedPlayer};
use casino_day::stud::Seat;
use casino_day::table::{TableEvent, TableSettings};
use casino_day::tournament::{Event, Recorder, TableGame};
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use nix::time::{ClockId, clock_gettime};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Runtime;
use tokio::task::JoinSet;

use script::frames;

const SEATS: usize = 6;
const STACK: u32 = 10_000_000;
/// Round trips of a pass, whatever the number of tables.
const TRIPS: u64 = 120_000;
const PASSES: usize = 7;

fn main() {
    // Cargo adds a flag of its own.
    let words: Vec<String> = env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["bots", dealer, count] => {
            bots(dealer.parse().expect("an address"), count.parse().expect("a number"))
        }
        ["dealer", tables] => dealer(tables.parse().expect("a number")),
        ref sizes => {
            println!(
                "{:>6} {:>12} {:>10} {:>10} {:>6} {:>16} {:>6} {:>16} {:>8} {:>8} {:>8}",
                "tables",
                "connections",
                "trips/s",
                "bare/s",
                "ratio",
                "",
                "CPU",
                "",
                "p50 µs",
                "p99 µs",
                "B/conn."
            );
            let sizes = if sizes.is_empty() { &["1", "10", "100", "1000"] } else { sizes };
            for tables in sizes {
                let status = myself(&["dealer", tables]).status().expect("this program can be started");
                assert!(status.success(), "the dealer of {tables} tables failed");
            }
        }
    }
}

fn myself(words: &[&str]) -> Command {
    let mut command = Command::new(env::current_exe().expect("this program has a path"));
    command.args(words);
    command
}

/// Keeps this process to one CPU, if there is such a one, and lets it have as many files as it may.
fn settle(cpu: usize) {
    let mut cpus = nix::sched::CpuSet::new();
    if cpus.set(cpu).is_ok() {
        let _ = nix::sched::sched_setaffinity(nix::unistd::Pid::from_raw(0), &cpus);
    }
    if let Ok((_, most)) = getrlimit(Resource::RLIMIT_NOFILE) {
        let _ = setrlimit(Resource::RLIMIT_NOFILE, most, most);
    }
}

fn runtime() -> Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime")
}

/// Everybody's bots: each calls whatever it is asked until its connection ends.
fn bots(dealer: SocketAddr, count: usize) {
    settle(1);
    runtime().block_on(async {
        let mut bots = JoinSet::new();
        for _ in 0..count {
            let socket = TcpStream::connect(dealer).await.expect("the dealer listens");
            socket.set_nodelay(true).expect("a fresh socket");
            bots.spawn(bot(socket));
        }
        while bots.join_next().await.is_some() {}
    });
}

async fn bot(mut socket: TcpStream) {
    let mut inbox = BytesMut::with_capacity(1024);
    while matches!(socket.read_buf(&mut inbox).await, Ok(1..)) {
        while let Some(header) = inbox.first_chunk::<2>() {
            let length = 2 + usize::from(u16::from_be_bytes(*header));
            if inbox.len() < length {
                break;
            }
            let frame = inbox.split_to(length);
            if frame[2..].starts_with(b"bet") {
                let to_call =
                    frame[2..].split(|byte| *byte == b':').nth(3).expect("a question has a third number");
                let mut reply = vec![0, 4 + to_call.len() as u8];
                reply.extend(b"bet:");
                reply.extend(to_call);
                if socket.write_all(&reply).await.is_err() {
                    return;
                }
            }
        }
    }
}

/// Prints the line of a number of tables.
fn dealer(tables: usize) {
    settle(0);
    let rounds = TRIPS / (2 * SEATS * tables) as u64;
    let script = Arc::new(frames(SEATS, STACK, rounds));
    let (mut ratios, mut cpu_ratios) = (Vec::new(), Vec::new());
    let (mut real, mut bare) = (Duration::MAX, Duration::MAX);
    // One pass for the own times and the memory, of a process in which nothing has been freed; the others for the rates.
    let first = with_bots(tables, |sockets, before| the_dealer(sockets, rounds, before, true));
    let memory = first.memory / (tables * SEATS);
    let mut own = first.own;
    for _ in 0..PASSES {
        let pass = with_bots(tables, |sockets, before| the_dealer(sockets, rounds, before, false));
        let bare_pass = with_bots(tables, |sockets, _| a_bare_dealer(sockets, &script));
        ratios.push(bare_pass.took.as_secs_f64() / pass.took.as_secs_f64());
        cpu_ratios.push(bare_pass.cpu.as_secs_f64() / pass.cpu.as_secs_f64());
        real = real.min(pass.took);
        bare = bare.min(bare_pass.took);
    }
    ratios.sort_by(f64::total_cmp);
    cpu_ratios.sort_by(f64::total_cmp);
    own.sort_unstable();
    let trips = (rounds * (2 * SEATS * tables) as u64) as f64;
    let share = |part: usize| own[own.len() * part / 100] as f64 / 1000.0;
    println!(
        "{tables:>6} {:>12} {:>10.0} {:>10.0} {:>6.2} {:>16} {:>6.2} {:>16} {:>8.1} {:>8.1} {memory:>8}",
        tables * SEATS,
        trips / real.as_secs_f64(),
        trips / bare.as_secs_f64(),
        ratios[PASSES / 2],
        range(&ratios),
        cpu_ratios[PASSES / 2],
        range(&cpu_ratios),
        share(50),
        share(99),
    );
}

fn range(sorted: &[f64]) -> String {
    format!("({:.2} to {:.2})", sorted[0], sorted[sorted.len() - 1])
}

/// Gives a dealer the sockets of all tables' bots, which are new, and the memory of this process before them.
fn with_bots<T>(tables: usize, dealer: impl AsyncFnOnce(Vec<Vec<TcpStream>>, usize) -> T) -> T {
    runtime().block_on(async {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("a bound socket has an address").to_string();
        let mut bots: Child = myself(&["bots", &address, &(tables * SEATS).to_string()])
            .stdin(Stdio::null())
            .spawn()
            .expect("this program can be started");
        let before = resident();
        let mut seated = Vec::new();
        for _ in 0..tables {
            let mut sockets = Vec::new();
            for _ in 0..SEATS {
                let (socket, _) = listener.accept().await.expect("a bot connects");
                socket.set_nodelay(true).expect("a fresh socket");
                sockets.push(socket);
            }
            seated.push(sockets);
        }
        let result = dealer(seated, before).await;
        bots.wait().expect("the bots end when their connections do");
        result
    })
}

#[derive(Default)]
struct Pass {
    took: Duration,
    /// How long the process had a CPU.
    cpu: Duration,
    /// How long the dealer needed for each trip itself, in nanoseconds.
    own: Vec<u64>,
    /// The memory of the process, in bytes.
    memory: usize,
}

/// The real one: the tables, the deadlines, the checks; a task for each table.
async fn the_dealer(sockets: Vec<Vec<TcpStream>>, rounds: u64, before: usize, timed: bool) -> Pass {
    let mut tables = Vec::new();
    for (number, sockets) in (1..).zip(sockets) {
        let mut players = Vec::new();
        for socket in sockets {
            let peer = socket.peer_addr().expect("a connected socket");
            players.push(SeatedPlayer::Remote(Connection::new(socket, peer).expect("a fresh socket")));
        }
        let seed = Seed::chosen(format!("table {number}"));
        tables.push((EventHost::new(players, ConnectionLimits::default()), seed));
    }
    let requests = rounds as usize * 2 * SEATS;
    let times_take = if timed { size_of::<u64>() * requests * tables.len() } else { 0 };
    let mut playing = JoinSet::new();
    let (start, cpu) = (Instant::now(), cpu_time());
    for (seats, seed) in tables {
        playing.spawn(async move {
            let game = TableGame::new(TableSettings::default(), &seed, SEATS, STACK, rounds);
            let mut event = Event::from(game);
            let own = timed.then(|| Vec::with_capacity(requests));
            let mut watch = Observer { last_round: rounds, last: None, own };
            seats.play(&mut event, &mut watch, || false).await.expect("nothing is recorded");
            assert_eq!(event.tables()[0].table().seated().len(), SEATS, "nobody was thrown out");
            watch
        });
    }
    let (mut own, mut last, mut memory) = (Vec::new(), start, 0);
    while let Some(watch) = playing.join_next().await {
        let watch = watch.expect("a table does not panic");
        last = last.max(watch.last.expect("a table asks"));
        own.extend(watch.own);
        memory = memory.max(resident().saturating_sub(before + times_take));
    }
    Pass { took: last - start, cpu: cpu_time() - cpu, own: own.concat(), memory }
}

/// How long this process has had a CPU so far.
fn cpu_time() -> Duration {
    let time = clock_gettime(ClockId::CLOCK_PROCESS_CPUTIME_ID).expect("the system tells");
    Duration::from(time)
}

/// The resident memory of this process, in bytes.
fn resident() -> usize {
    let status = fs::read_to_string("/proc/self/status").expect("the system tells");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("it is in there");
    1024 * line.trim().trim_end_matches(" kB").parse::<usize>().expect("a number of kB")
}

/// When the last question was answered, and, if they are wanted, the dealer's own times in nanoseconds for each
/// request: to look at the clock for them takes time too.
struct Observer {
    last_round: u64,
    last: Option<Instant>,
    own: Option<Vec<u64>>,
}

impl Recorder for Observer {
    fn event(&mut self, _: &TableGame, _: &TableEvent) -> io::Result<()> {
        Ok(())
    }

    fn commit(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn reply_time(&mut self, round: u64, _: Seat, took: Duration) {
        if self.own.is_none() && round < self.last_round {
            return;
        }
        let now = Instant::now();
        if let (Some(last), Some(own)) = (self.last.replace(now), &mut self.own) {
            own.push((now - last).saturating_sub(took).as_nanos() as u64);
        }
    }
}

/// Writes and reads of the same frames in the same order, prepared beforehand, and no deadlines: a task for each table,
/// a status in one write with the same bot's next question.
async fn a_bare_dealer(sockets: Vec<Vec<TcpStream>>, script: &Arc<Vec<(usize, BytesMut)>>) -> Pass {
    let mut playing = JoinSet::new();
    let (start, cpu) = (Instant::now(), cpu_time());
    for mut sockets in sockets {
        let script = Arc::clone(script);
        playing.spawn(async move {
            let mut reply = [0; 64];
            for (seat, frames) in script.iter() {
                sockets[*seat].write_all(frames).await.expect("the bot reads");
                let mut got = 0;
                while got < 2 || got < 2 + usize::from(reply[1]) {
                    got += sockets[*seat].read(&mut reply[got..]).await.expect("the bot answers");
                }
            }
        });
    }
    while let Some(end) = playing.join_next().await {
        end.expect("a table does not panic");
    }
    Pass { took: start.elapsed(), cpu: cpu_time() - cpu, ..Pass::default() }
}
