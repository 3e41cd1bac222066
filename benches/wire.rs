//! Round trips and rounds per second over TCP, beside a bare blocking ping-pong of the same frames.
//!
//!     cargo bench --bench wire
//!
//! Six bots that always call, each a thread with a blocking socket, as a Java program would have one. The whole
//! process is kept on one CPU, so that both dealers find their bots in the same place. They take turns; the rates are
//! those of the best pass, the ratio is the median of the ratios pass by pass.

#![allow(clippy::print_stdout)]

mod script;

use std::io::{BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use casino_host::{Connection, ConnectionLimits, EventHost, SeatedPlayer, Socket};
use casino_stud::cards::Seed;
use casino_stud::table::TableSettings;
use casino_stud::tournament::{Event, EventPlan, NoRecorder};

use script::frames;

const SEATS: usize = 6;
const STACK: u32 = 10_000_000;
const ROUNDS: u64 = 5_000;
/// Rounds prepared for the bare dealer, which repeats them.
const SCRIPTED: usize = 100;
const PASSES: usize = 15;

fn main() {
    let one_cpu = keep_to_one_cpu();
    let passes: Vec<(Duration, Duration)> =
        (0..PASSES).map(|_| (with_bots(the_dealer), with_bots(a_bare_dealer))).collect();
    let real = passes.iter().map(|(real, _)| *real).min().expect("there are passes");
    let bare = passes.iter().map(|(_, bare)| *bare).min().expect("there are passes");
    let mut ratios: Vec<f64> =
        passes.iter().map(|(real, bare)| bare.as_secs_f64() / real.as_secs_f64()).collect();
    ratios.sort_by(f64::total_cmp);
    let trips = (ROUNDS * 2 * SEATS as u64) as f64;
    println!("{SEATS} bots that call, on {}", if one_cpu { "one CPU" } else { "all CPUs" });
    println!("{:<18} {:>14} {:>12}", "", "round trips/s", "rounds/s");
    for (name, took) in [("the dealer", real), ("bare ping-pong", bare)] {
        let seconds = took.as_secs_f64();
        println!("{name:<18} {:>14.0} {:>12.0}", trips / seconds, ROUNDS as f64 / seconds);
    }
    let (least, median, most) = (ratios[0], ratios[PASSES / 2], ratios[PASSES - 1]);
    println!("{:<18} {median:>14.2}   ({least:.2} to {most:.2})", "ratio");
}

fn keep_to_one_cpu() -> bool {
    if std::env::args().any(|argument| argument == "--all-cpus") {
        return false;
    }
    let mut cpus = nix::sched::CpuSet::new();
    cpus.set(0).is_ok() && nix::sched::sched_setaffinity(nix::unistd::Pid::from_raw(0), &cpus).is_ok()
}

/// Times a dealer that gets the sockets of six bots.
fn with_bots(dealer: fn(Vec<TcpStream>) -> Duration) -> Duration {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("a bound socket has an address");
    let bots: Vec<JoinHandle<()>> = (0..SEATS).map(|_| thread::spawn(move || bot(address))).collect();
    let sockets = (0..SEATS).map(|_| listener.accept().expect("a bot connects").0).collect();
    let took = dealer(sockets);
    bots.into_iter().for_each(|bot| bot.join().expect("a bot ends when its connection does"));
    took
}

/// Calls every question until its connection ends.
fn bot(dealer: SocketAddr) {
    let mut socket = TcpStream::connect(dealer).expect("the dealer listens");
    socket.set_nodelay(true).expect("a fresh socket");
    let mut reader = BufReader::new(socket.try_clone().expect("a second handle"));
    let (mut header, mut frame) = ([0; 2], vec![0; 4096]);
    while reader.read_exact(&mut header).is_ok() {
        let text = &mut frame[..usize::from(u16::from_be_bytes(header))];
        if reader.read_exact(text).is_err() {
            return;
        }
        if text.starts_with(b"bet") {
            let to_call = text.split(|byte| *byte == b':').nth(3).expect("a question has a third number");
            let mut reply = vec![0, 4 + to_call.len() as u8];
            reply.extend(b"bet:");
            reply.extend(to_call);
            if socket.write_all(&reply).is_err() {
                return;
            }
        }
    }
}

/// The real one: the table, the deadlines, the checks.
fn the_dealer(sockets: Vec<TcpStream>) -> Duration {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let mut players = Vec::new();
        for socket in sockets {
            socket.set_nonblocking(true).expect("a fresh socket");
            let peer = socket.peer_addr().expect("a connected socket");
            let socket = tokio::net::TcpStream::from_std(socket).expect("a fresh socket");
            // The runtime has to have seen the socket once, as it has after a login.
            socket.writable().await.expect("a fresh socket");
            players.push(SeatedPlayer::Remote(Box::new(
                Connection::new(Socket::Tcp(socket), peer).expect("a fresh socket"),
            )));
        }
        let seats = EventHost::new(players, ConnectionLimits::default());
        let seed = Seed::chosen("bench");
        let (plan, settings) = (EventPlan::single_table(), TableSettings::default());
        let mut event = Event::new(plan, settings, &seed, SEATS, STACK, Some(ROUNDS));
        let start = Instant::now();
        seats.play(&mut event, &mut NoRecorder, || false).await.expect("nothing is recorded");
        assert_eq!(event.tables()[0].table().seated().len(), SEATS, "nobody was thrown out");
        start.elapsed()
    })
}

/// Blocking writes and reads of the same frames in the same order, prepared beforehand: a status leaves in one
/// write with the same bot's next question.
fn a_bare_dealer(mut sockets: Vec<TcpStream>) -> Duration {
    let script = frames(SEATS, STACK, SCRIPTED).concat();
    sockets.iter().for_each(|socket| socket.set_nodelay(true).expect("a fresh socket"));
    let mut reply = [0; 64];
    let start = Instant::now();
    for _ in 0..ROUNDS as usize / SCRIPTED {
        for (seat, frames) in &script {
            sockets[*seat].write_all(frames).expect("the bot reads");
            let mut got = 0;
            while got < 2 || got < 2 + usize::from(reply[1]) {
                got += sockets[*seat].read(&mut reply[got..]).expect("the bot answers");
            }
        }
    }
    start.elapsed()
}
