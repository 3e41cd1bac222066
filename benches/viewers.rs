//! The dealer's rounds per second with no, one and fifty viewers of the page.
//!
//!     cargo bench --bench viewers
//!
//! Bots of the house in this process, so that the dealer is as fast as it can be and any cost shows. A pass plays the
//! same tournament four times: without a page, and with a page that 0, 1 and 50 viewers read as fast as they can. The
//! ratios are the medians of the ratios pass by pass.

#![allow(clippy::print_stdout)]

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use casino_day::driven::Room;
use casino_day::session::{Opening, Showing};
use casino_host::{ConnectionLimits, EventHost, SeatedPlayer, block_on};
use casino_show::rounds::TournamentInfo;
use casino_stud::cards::Seed;
use casino_stud::strategies::Bot;
use casino_stud::table::{Question, Reply, TableSettings};
use casino_stud::tournament::{Event, EventPlan, NoRecorder, Recorder};

const SEATS: usize = 6;
const ROUNDS: u64 = 400_000;
const PASSES: usize = 9;
const VIEWERS: [usize; 3] = [0, 1, 50];

fn main() {
    let mut rates = Vec::new();
    for _ in 0..PASSES {
        let mut pass = vec![rate(play(&mut NoRecorder))];
        pass.extend(VIEWERS.map(watched_by));
        rates.push(pass);
    }
    let best = |column: usize| rates.iter().map(|pass| pass[column]).fold(0.0, f64::max);
    let ratio = |column: usize, to: usize| {
        let mut ratios: Vec<f64> = rates.iter().map(|pass| pass[column] / pass[to]).collect();
        ratios.sort_by(f64::total_cmp);
        ratios[PASSES / 2]
    };
    println!("{:<14} {:>12} {:>16} {:>18}", "", "rounds/s", "to no page", "to nobody watching");
    println!("{:<14} {:>12.0}", "no page", best(0));
    for (column, viewers) in (1..).zip(VIEWERS) {
        let name = format!("{viewers} viewers");
        println!("{name:<14} {:>12.0} {:>16.3} {:>18.3}", best(column), ratio(column, 0), ratio(column, 1));
    }
}

fn rate(took: Duration) -> f64 {
    ROUNDS as f64 / took.as_secs_f64()
}

fn watched_by(viewers: usize) -> f64 {
    let page = Some(SocketAddr::from(([127, 0, 0, 1], 0)));
    let opening = Opening { console_state: Arc::default(), page, console: None };
    let room = Room::open(opening).expect("there is a free port");
    let address = room.page().expect("the page was opened");
    let programme = TournamentInfo {
        number: 1,
        players: (1..=SEATS).map(|seat| format!("Player {seat}")).collect(),
        stack: 10_000_000,
        rounds: Some(ROUNDS),
        ..TournamentInfo::default()
    };
    let mut window = room.begin(programme);
    let readers: Vec<JoinHandle<u64>> = (0..viewers).map(|_| viewer(address)).collect();
    while room.viewers() < viewers {
        thread::sleep(Duration::from_millis(1));
    }
    let took = play(&mut window);
    drop(room);
    for reader in readers {
        assert!(reader.join().expect("a viewer reads to the end") > 1_000);
    }
    rate(took)
}

fn viewer(address: SocketAddr) -> JoinHandle<u64> {
    let mut stream = TcpStream::connect(address).expect("the page is open");
    write!(stream, "GET /events HTTP/1.1\r\nHost: {address}\r\n\r\n").expect("the page is open");
    thread::spawn(move || {
        let mut scrap = [0; 16 * 1024];
        let mut bytes = 0;
        while let Ok(count @ 1..) = stream.read(&mut scrap) {
            bytes += count as u64;
        }
        bytes
    })
}

fn call(question: &Question<'_>) -> Reply {
    Reply::Bet(question.bounds.to_call)
}

fn play<R: Recorder>(record: &mut R) -> Duration {
    let seed = Seed::chosen("viewers");
    let (plan, settings) = (EventPlan::single_table(), TableSettings::default());
    let mut event = Event::new(plan, settings, &seed, SEATS, 10_000_000, Some(ROUNDS));
    let players = (0..SEATS).map(|_| SeatedPlayer::House(Box::new(call) as Box<dyn Bot>)).collect();
    let start = Instant::now();
    let played = async {
        EventHost::new(players, ConnectionLimits::default()).play(&mut event, record, || false).await
    };
    block_on(played).expect("there is a runtime").expect("nothing is kept that could fail");
    start.elapsed()
}
