//! A host, or the whole machine, is suspended repeatedly while honest bots think: no reply counts as late.
//!
//! The suite stops it a few times. `make stalls`, which is
//!
//!     STALLS=48 cargo test --test stalls -- --nocapture
//!
//! repeats that as often as it says, about a second and a half each time.
#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "nothing here is outside a test")]

mod support;
#[path = "support/tools.rs"]
mod tools;

use std::process::{Child, Command};
use std::thread;
use std::time::Duration;

use casino_stud::cards::Seed;
use casino_stud::journal::{JournalLine, Reader};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use support::host::{Folder, Host, casino};
use tools::has;

/// A bot that thinks for 50 ms.
const BOT: &str = r#"
import socket, struct, sys, time
wire = socket.create_connection(("127.0.0.1", int(sys.argv[1]))).makefile("rwb")
while True:
    size = wire.read(2)
    if len(size) < 2:
        break
    words = wire.read(struct.unpack(">H", size)[0]).decode().split(":")
    answer = None
    if words[0] == "login":
        answer = sys.argv[2] + ":" + sys.argv[2]
    elif words[0].startswith("bet"):
        time.sleep(0.05)
        answer = "bet:" + words[3]
    elif words[0] == "done":
        break
    if answer is not None:
        wire.write(struct.pack(">H", len(answer)) + answer.encode())
        wire.flush()
"#;

/// A bot, ended when dropped.
struct Bot(Child);

impl Bot {
    fn start(port: u16, name: &str) -> Bot {
        let child = Command::new("python3").args(["-c", BOT, &port.to_string(), name]).spawn();
        Bot(child.unwrap())
    }

    fn signal(&self, signal: Signal) {
        kill(Pid::from_raw(self.0.id() as i32), signal).unwrap();
    }
}

impl Drop for Bot {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_host_that_stands_still_throws_no_honest_bot_out() {
    if !has("python3", "bots that think while the machine stands still") {
        return;
    }
    let stalls: usize = std::env::var("STALLS").map_or(4, |stalls| stalls.parse().unwrap());
    let folder = Folder::new("stalls");
    let mut command = casino();
    command.args(["host", "--bind", "127.0.0.1:0", "--players", "3", "--bot", "caller", "--stack", "60000"]);
    command.args([
        "--rounds",
        "100000",
        "--seed",
        "stalls",
        "--journal",
        &folder.path("day.jsonl"),
        "--quiet",
    ]);
    let mut host = Host::start(&mut command);
    let port = host.address().unwrap().port();
    let bots = ["ada", "bob"].map(|name| Bot::start(port, name));
    let mut dice = Seed::chosen("stalls").stream("moments");
    let rounds = || {
        let journal = std::fs::read_to_string(folder.file("day.jsonl")).unwrap_or_default();
        journal.matches("{\"type\":\"end\"").count()
    };
    while rounds() < 2 {
        assert!(!host.has_ended(), "{}", host.said());
        thread::sleep(Duration::from_millis(10));
    }
    for stall in 0..stalls {
        let still = Duration::from_millis(1_000 + u64::from(dice.below(251)));
        // The host alone, or the whole machine with the bots on it.
        let machine: &[Bot] = if stall % 2 == 0 { &[] } else { &bots };
        host.signal(Signal::SIGSTOP);
        machine.iter().for_each(|bot| bot.signal(Signal::SIGSTOP));
        thread::sleep(still);
        host.signal(Signal::SIGCONT);
        machine.iter().for_each(|bot| bot.signal(Signal::SIGCONT));
        thread::sleep(Duration::from_millis(200 + u64::from(dice.below(100))));
    }
    host.signal(Signal::SIGINT);
    let ended = host.wait();
    assert!(ended.status.success(), "{}", ended.stderr);
    let journal = std::fs::read(folder.file("day.jsonl")).unwrap();
    let lines: Vec<JournalLine> =
        Reader::new(&journal[..]).unwrap().map(|entry| entry.unwrap().line).collect();
    let count = |wanted: fn(&JournalLine) -> bool| lines.iter().filter(|line| wanted(line)).count();
    let (rounds, fouls) = (
        count(|line| matches!(line, JournalLine::End { .. })),
        count(|line| matches!(line, JournalLine::Foul { .. })),
    );
    println!("{stalls} pauses of 1.00 to 1.25 s in {rounds} rounds: {fouls} fouls");
    assert!(rounds > stalls, "{rounds}");
    assert_eq!(fouls, 0);
}
