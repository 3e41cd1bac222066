//! Benchmarks of writing and verifying the journal, for `docs/benchmarks.md`.
//!
//!     cargo bench --bench journal
//!
//! Over TCP the same tournament is played in turn without a journal, with one synced at the end, and with one synced in
//! every round; each figure is the best of several passes. Players and dealer share this machine, as they do in a
//! classroom's rehearsal.

#![allow(clippy::print_stdout, reason = "a benchmark prints")]

use std::fs::{self, File};
use std::io::{self, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use casino_host::{Admission, ConnectionLimits, EventHost, JournalFile, Lobby, block_on, seat};
use casino_stud::cards::Seed;
use casino_stud::journal::{Durability, Header, PlayerSource, Terms};
use casino_stud::replay::verify;
use casino_stud::strategies::{Bot, HouseBot};
use casino_stud::table::TableSettings;
use casino_stud::tournament::{Entrant, EventBots, EventPlan, NoRecorder, Recorder, Roster, play};

const PASSES: usize = 5;

/// Deep enough that no player goes broke.
const STACK: u32 = 10_000_000;

fn main() {
    let folder = std::env::temp_dir().join(format!("casino-day-bench-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("the system lends a folder");
    checking(&folder);
    over_tcp(&folder);
    fs::remove_dir_all(&folder).expect("the folder is ours");
}

fn terms(rounds: u64) -> Terms {
    let (plan, conduct) = (EventPlan::single_table(), TableSettings::default());
    Terms {
        plan,
        conduct,
        stack: STACK,
        rounds: Some(rounds),
        reply_ms: 60_000,
        relogin: false,
        house_counts: false,
    }
}

/// Tournaments of 10,000 rounds are played by house bots and checked.
fn checking(folder: &Path) {
    const ROUNDS: u64 = 10_000;
    println!("a tournament of {ROUNDS} rounds, played and checked in one process");
    println!(
        "{:<34} {:>12} {:>14} {:>14} {:>9} {:>14}",
        "seats", "bytes/round", "played/s", "verified/s", "verify s", "played/verify"
    );
    for (what, bots) in [
        ("2 random", &["random"; 2][..]),
        ("6 random", &["random"; 6]),
        ("6 caller", &["caller"; 6]),
        ("6 of cautious, bold, reader, odds", &["cautious", "bold", "reader", "odds", "odds", "bold"]),
        ("17 random", &["random"; 17]),
    ] {
        let path = folder.join("checked.jsonl");
        let (mut played, mut checked) = (Duration::MAX, Duration::MAX);
        let (mut bytes, mut ratios) = (0, Vec::new());
        for _ in 0..PASSES {
            let start = Instant::now();
            house(&path, bots, ROUNDS);
            let playing = start.elapsed();
            played = played.min(playing);
            let start = Instant::now();
            let file = BufReader::with_capacity(1 << 16, File::open(&path).expect("it has been written"));
            let verified = verify(file, |_| {}).expect("nothing is wrong with it");
            let checking = start.elapsed();
            checked = checked.min(checking);
            ratios.push(playing.as_secs_f64() / checking.as_secs_f64());
            assert_eq!(verified.rounds, ROUNDS);
            bytes = verified.bytes;
            fs::remove_file(&path).expect("it is ours");
        }
        ratios.sort_by(f64::total_cmp);
        println!(
            "{what:<34} {:>12.0} {:>14.0} {:>14.0} {:>9.3} {:>14.2}",
            bytes as f64 / ROUNDS as f64,
            ROUNDS as f64 / played.as_secs_f64(),
            ROUNDS as f64 / checked.as_secs_f64(),
            checked.as_secs_f64(),
            ratios[PASSES / 2]
        );
    }
}

fn house(path: &Path, names: &[&str], rounds: u64) {
    let seed = Seed::chosen("bench");
    let entrants: Vec<Entrant> = (0..names.len())
        .map(|seat| Entrant::new(format!("house:{seat}"), format!("{}-{seat}", names[seat])))
        .collect();
    let roster = Roster::new(&entrants, &seed);
    let (mut bots, mut plays) = (Vec::new(), Vec::new());
    for (player, index) in roster.players().iter().zip(roster.entrants()) {
        let bot = HouseBot::named(names[*index]).expect("a house bot");
        bots.push(Box::new(bot.seated(&player.github_id, &seed)) as Box<dyn Bot>);
        plays.push(PlayerSource::House(bot.name.to_string()));
    }
    let header = Header::new(terms(rounds), &seed, roster.players().iter().cloned().zip(plays));
    let mut tournament = header.event().expect("the terms are sound");
    let mut journal = JournalFile::create(path, header, Durability::AtTheEnd).expect("there is room").journal;
    play(&mut tournament, &mut EventBots::new(bots), &mut journal).expect("there is room");
}

/// How the rounds of a tournament over TCP are recorded.
#[derive(Clone, Copy)]
enum Recorded {
    Not,
    At(Durability),
}

fn over_tcp(folder: &Path) {
    const ROUNDS: u64 = 2_000;
    println!("\n{ROUNDS} rounds over TCP on this machine, everyone calls");
    println!("{:<8} {:>14} {:>20} {:>20}", "seats", "no journal", "journal, no fsync", "journal");
    for seats in [2, 6, 12] {
        let ways = [Recorded::Not, Recorded::At(Durability::AtTheEnd), Recorded::At(Durability::EveryRound)];
        let mut best = [Duration::MAX; 3];
        for _ in 0..PASSES {
            for (best, way) in best.iter_mut().zip(ways) {
                *best = (*best).min(tournament(&folder.join("tcp.jsonl"), seats, ROUNDS, way));
            }
        }
        let rate = |time: Duration| ROUNDS as f64 / time.as_secs_f64();
        let beside = |time: Duration| format!("{:.0} ({:.2})", rate(time), rate(time) / rate(best[0]));
        println!("{seats:<8} {:>12.0}/s {:>18}/s {:>18}/s", rate(best[0]), beside(best[1]), beside(best[2]));
    }
    println!("in brackets: the share of the rounds/s without a journal");
}

/// How long the rounds take, without the logins.
fn tournament(path: &PathBuf, seats: usize, rounds: u64, recorded: Recorded) -> Duration {
    let mut players = Vec::new();
    let took = block_on(async {
        let bind = SocketAddr::from(([127, 0, 0, 1], 0));
        let mut lobby = Lobby::bind(bind, ConnectionLimits::default()).await.expect("there is a port");
        let address = lobby.address().expect("it has one");
        for seat in 0..seats {
            players.push(thread::spawn(move || caller(address, &format!("player-{seat}"))));
        }
        let guests = lobby.gather(seats, |_, _| Admission::Welcome, |_| {}).await;
        let seed = Seed::chosen("bench");
        let (players, seats) = seat(guests, &[], &seed);
        let seated = EventHost::new(seats, ConnectionLimits::default());
        let header = Header::new(terms(rounds), &seed, players);
        let mut tournament = header.event().expect("the terms are sound");
        let mut record: Vec<Box<dyn Recorder>> = vec![match recorded {
            Recorded::Not => Box::new(NoRecorder),
            Recorded::At(durability) => {
                Box::new(JournalFile::create(path, header, durability).expect("there is room").journal)
            }
        }];
        let start = Instant::now();
        seated.play(&mut tournament, &mut record, || false).await.expect("there is room");
        start.elapsed()
    });
    for player in players {
        player.join().expect("a player does not fail").expect("a player is told when it is over");
    }
    if let Recorded::At(_) = recorded {
        fs::remove_file(path).expect("it is ours");
    }
    took.expect("the system lets us wait for sockets")
}

/// A player who always calls, as plain as one can be.
fn caller(address: SocketAddr, id: &str) -> io::Result<()> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_nodelay(true)?;
    let mut inbox = Vec::new();
    let mut scrap = [0; 4096];
    loop {
        while inbox.len() < 2 || inbox.len() < 2 + usize::from(u16::from_be_bytes([inbox[0], inbox[1]])) {
            let read = stream.read(&mut scrap)?;
            if read == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            inbox.extend_from_slice(&scrap[..read]);
        }
        let end = 2 + usize::from(u16::from_be_bytes([inbox[0], inbox[1]]));
        let text = String::from_utf8_lossy(&inbox[2..end]).into_owned();
        inbox.drain(..end);
        let reply = match text.split(':').next() {
            Some("login") => format!("{id}:{id}"),
            Some("done") => return Ok(()),
            Some("status") => continue,
            _ => format!("bet:{}", text.split(':').nth(3).unwrap_or("0")),
        };
        let mut frame = vec![0, reply.len() as u8];
        frame.extend(reply.bytes());
        stream.write_all(&frame)?;
    }
}
