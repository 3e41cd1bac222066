//! Load test: 10,000 hostile sockets against a game of seventeen honest bots (`make hostile-sockets`).
//!
//!     SOCKETS=10000 SECONDS=600 cargo bench --bench hostile_sockets
//!
//! A real host (the program named by CASINO, or the one built by cargo) with a journal plays, with a pause of `PACE` ms
//! (20) after each round. From addresses of the whole loopback network sockets connect that send nothing, a byte at a
//! time, random bytes or half a message, that disconnect at once, or that do not read; each reconnects when it is
//! refused. The bots measure the turnaround: from the reply of one to the next question of another in the same round.
//! Exits with 1 if a bot was ejected.

#![allow(clippy::print_stdout)]

use std::fs;
use std::io::{self, BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use casino_stud::cards::{Seed, Stream};
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};

const BOTS: usize = 17;

/// The state of the hostile sockets.
#[derive(Default)]
struct Siege {
    is_over: AtomicBool,
    connected: AtomicU64,
    refused: AtomicU64,
    open: AtomicU64,
    most: AtomicU64,
}

/// The moments of a game, in microseconds since it began.
struct Watch {
    began: Instant,
    last_reply: AtomicU64,
    /// Whether a round has ended since.
    is_between: AtomicBool,
}

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).map_or(otherwise, |text| text.parse().expect("a whole number"))
}

fn main() -> ExitCode {
    let (sockets, seconds, pace) = (number("SOCKETS", 1_000), number("SECONDS", 10), number("PACE", 20));
    let (_, hard) = getrlimit(Resource::RLIMIT_NOFILE).expect("there is a limit");
    setrlimit(Resource::RLIMIT_NOFILE, hard, hard).expect("up to the hard limit");
    assert!(hard > sockets + 200, "`ulimit -Hn` is {hard}: {sockets} sockets need {} files", sockets + 200);
    let folder = std::env::temp_dir().join(format!("casino-hostile-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("there is room");
    let journal = folder.join("day.jsonl");
    let program = std::env::var("CASINO").unwrap_or_else(|_| env!("CARGO_BIN_EXE_casino").to_string());
    let mut host = Command::new(program)
        .args(["host", "--bind", "127.0.0.1:0", "--players", &BOTS.to_string(), "--stack", "10000000"])
        .args([
            "--rounds",
            "100000000",
            "--seed",
            "siege",
            "--quiet",
            "--pace",
            &pace.to_string(),
            "--journal",
        ])
        .arg(&journal)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the host starts");
    let address = address_of(&mut host);
    let siege = Arc::new(Siege::default());
    let villains = thread::spawn({
        let siege = Arc::clone(&siege);
        move || besiege(address, sockets, &siege)
    });
    let game = thread::spawn(move || play(address));
    thread::sleep(Duration::from_secs(seconds));
    // Twice: it need not finish its round.
    for _ in 0..2 {
        kill(Pid::from_raw(host.id().cast_signed()), Signal::SIGINT).expect("the host is there");
        thread::sleep(Duration::from_millis(500));
    }
    host.wait().expect("the host ends");
    siege.is_over.store(true, Ordering::Relaxed);
    let Game { mut in_a_round, mut between } = game.join().expect("the bots play");
    villains.join().expect("the villains go");
    let count = |what: &AtomicU64| what.load(Ordering::Relaxed);
    println!(
        "{} hostile sockets open at most, {} connections, {} of them closed by the host, in {seconds} s; load {}",
        count(&siege.most),
        count(&siege.connected),
        count(&siege.refused),
        fs::read_to_string("/proc/loadavg").unwrap_or_default().trim()
    );
    println!("{:<30} {:>9} {:>9} {:>9} {:>9} {:>9}", "ms", "samples", "median", "p99", "p99.9", "longest");
    row("turnaround in a round", &mut in_a_round);
    row(&format!("from round to round, pace {pace}"), &mut between);
    let lines = fs::read_to_string(&journal).expect("the journal is there");
    let fouls = lines.lines().filter(|line| line.starts_with(r#"{"type":"foul""#)).count();
    let rounds = lines.lines().filter(|line| line.starts_with(r#"{"type":"end""#)).count();
    println!("{rounds} rounds, {fouls} fouls");
    // A folder that stays is only untidy.
    let _ = fs::remove_dir_all(&folder);
    if fouls == 0 && rounds > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn row(name: &str, samples: &mut [u64]) {
    samples.sort_unstable();
    let at = |part: f64| {
        let index = (samples.len() as f64 * part) as usize;
        samples.get(index.min(samples.len().saturating_sub(1))).map_or(0.0, |time| *time as f64 / 1e3)
    };
    let (median, p99, p999, most) = (at(0.5), at(0.99), at(0.999), at(1.0));
    println!("{name:<30} {:>9} {median:>9.3} {p99:>9.3} {p999:>9.3} {most:>9.3}", samples.len());
}

fn address_of(host: &mut Child) -> SocketAddr {
    let mut line = String::new();
    let mut said = BufReader::new(host.stdout.take().expect("it is piped"));
    said.read_line(&mut line).expect("it says where it listens");
    // Further output must not block the host.
    thread::spawn(move || io::copy(&mut said, &mut io::sink()));
    line.trim().strip_prefix("listening on ").and_then(|address| address.parse().ok()).expect("an address")
}

/// Turnaround times in microseconds.
#[derive(Default)]
struct Game {
    in_a_round: Vec<u64>,
    between: Vec<u64>,
}

fn on_this_thread<W: Future>(work: W) -> W::Output {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.expect("sockets can be waited for").block_on(work)
}

/// Plays with all honest bots until the host is gone.
fn play(address: SocketAddr) -> Game {
    let watch = Arc::new(Watch {
        began: Instant::now(),
        last_reply: AtomicU64::new(u64::MAX),
        is_between: AtomicBool::new(true),
    });
    on_this_thread(async {
        let bots: Vec<_> =
            (0..BOTS).map(|bot| tokio::spawn(honest(address, bot, Arc::clone(&watch)))).collect();
        let mut all = Game::default();
        for bot in bots {
            let game = bot.await.expect("a bot plays");
            all.in_a_round.extend(game.in_a_round);
            all.between.extend(game.between);
        }
        all
    })
}

async fn honest(address: SocketAddr, bot: usize, watch: Arc<Watch>) -> Game {
    let mut game = Game::default();
    let mut stream = loop {
        // The system may have no room for another connection just now.
        match TcpStream::connect(address).await {
            Ok(stream) => break stream,
            Err(_) => tokio::time::sleep(Duration::from_millis(100)).await,
        }
    };
    stream.set_nodelay(true).expect("a fresh socket");
    // Until the host is gone.
    while let Ok(length) = stream.read_u16().await {
        let mut text = vec![0; usize::from(length)];
        if stream.read_exact(&mut text).await.is_err() {
            break;
        }
        let now = watch.began.elapsed().as_micros() as u64;
        let text = String::from_utf8_lossy(&text).into_owned();
        let words: Vec<&str> = text.split(':').collect();
        let reply = match words[0] {
            "login" => format!("bot-{bot}:Bot {bot}"),
            "bet1" | "bet2" => {
                let last = watch.last_reply.load(Ordering::Relaxed);
                if last <= now {
                    let is_between = watch.is_between.swap(false, Ordering::Relaxed);
                    (if is_between { &mut game.between } else { &mut game.in_a_round }).push(now - last);
                }
                // Small bets are called, so that there is something to ask in every round.
                if words[3].parse::<u32>().is_ok_and(|to_call| to_call <= 10) {
                    format!("bet:{}", words[3])
                } else {
                    "fold".to_string()
                }
            }
            "status" => {
                watch.is_between.store(true, Ordering::Relaxed);
                continue;
            }
            _ => break,
        };
        let mut frame = (reply.len() as u16).to_be_bytes().to_vec();
        frame.extend(reply.as_bytes());
        if stream.write_all(&frame).await.is_err() {
            break;
        }
        watch.last_reply.store(watch.began.elapsed().as_micros() as u64, Ordering::Relaxed);
    }
    game
}

/// Keeps that many hostile sockets busy.
fn besiege(address: SocketAddr, sockets: u64, siege: &Arc<Siege>) {
    on_this_thread(async {
        // Honest bots connect at the same time, and one of them first.
        tokio::time::sleep(Duration::from_millis(500)).await;
        let seed = Seed::chosen("villains");
        let villain = |number: u64| {
            let dice = seed.stream(&number.to_string());
            tokio::spawn(villain(address, number, dice, Arc::clone(siege)))
        };
        let mut villains = Vec::new();
        for number in 0..sockets {
            villains.push(villain(number));
            if number.is_multiple_of(100) {
                // A thousand connections in a tenth of a second.
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        }
        while !siege.is_over.load(Ordering::Relaxed) {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        villains.iter().for_each(tokio::task::JoinHandle::abort);
    });
}

async fn villain(address: SocketAddr, number: u64, mut dice: Stream, siege: Arc<Siege>) {
    let from =
        SocketAddr::from(([127, 1 + (number >> 14) as u8, (number >> 6) as u8, 1 + (number & 63) as u8], 0));
    loop {
        let connected = async {
            let socket = TcpSocket::new_v4()?;
            socket.bind(from)?;
            socket.connect(address).await
        };
        if let Ok(stream) = connected.await {
            siege.connected.fetch_add(1, Ordering::Relaxed);
            let open = 1 + siege.open.fetch_add(1, Ordering::Relaxed);
            siege.most.fetch_max(open, Ordering::Relaxed);
            let is_refused = torment(stream, number, &mut dice).await.is_err();
            siege.open.fetch_sub(1, Ordering::Relaxed);
            siege.refused.fetch_add(u64::from(is_refused), Ordering::Relaxed);
        }
        tokio::time::sleep(Duration::from_millis(1_000 + u64::from(dice.below(2_000)))).await;
    }
}

/// Torments the host until it has enough: then that is an error.
async fn torment(mut stream: TcpStream, number: u64, dice: &mut Stream) -> io::Result<()> {
    let gone = || io::Error::from(io::ErrorKind::ConnectionReset);
    let mut bytes = [0; 512];
    match number % 6 {
        // Silent.
        0 => while stream.read(&mut bytes).await? > 0 {},
        // Sends its login a byte at a time.
        1 => {
            for byte in [&[0, 60][..], "slow:".repeat(12).as_bytes()].concat() {
                stream.write_all(&[byte]).await?;
                tokio::time::sleep(Duration::from_millis(500)).await;
            }
        }
        // Talks nonsense.
        2 => loop {
            bytes.fill_with(|| dice.below(256) as u8);
            stream.write_all(&bytes[..1 + dice.below(512) as usize]).await?;
            tokio::time::sleep(Duration::from_millis(1_000)).await;
        },
        // Sends half a message, or an HTTP request.
        3 => {
            stream
                .write_all(if dice.one_in(2) { &[0, 200, b'x'] } else { b"GET / HTTP/1.1\r\n\r\n" })
                .await?;
            while stream.read(&mut bytes).await? > 0 {}
        }
        // Goes at once, with a reset now and then.
        4 => {
            if dice.one_in(2) {
                stream.set_zero_linger()?;
            }
            return Ok(());
        }
        // Logs in with a playing bot's GitHubId, and does not read.
        _ => {
            let login = format!("bot-{}:Somebody else", dice.below(BOTS as u32));
            stream.write_all(&[&[0, login.len() as u8], login.as_bytes()].concat()).await?;
            tokio::time::sleep(Duration::from_secs(30)).await;
            return Ok(());
        }
    }
    Err(gone())
}
