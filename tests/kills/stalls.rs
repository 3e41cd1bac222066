//! A host, or the whole machine, is suspended repeatedly while honest bots think: no reply counts as late.

use std::process::{Child, Command};
use std::thread;
use std::time::Duration;

use casino_stud::cards::Seed;
use casino_stud::journal::JournalLine;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::support::host::{Folder, Host, casino};
use crate::support::lines;
use crate::{number, shapes};

/// A bot that thinks for a while: this program, ended when dropped.
struct Bot(Child);

impl Bot {
    fn start(host: &str, name: &str, folder: &Folder) -> Bot {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", "a_program_that_the_host_starts", "--ignored"]);
        command.envs(shapes::PROGRAM.into_iter().zip([name, &folder.path(name), host]));
        Bot(command.env(shapes::THINKS, "50").spawn().unwrap())
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
    let stalls = number("STALLS", 4);
    let folder = Folder::new("stalls");
    let mut command = casino();
    let words = "host --bind 127.0.0.1:0 --players 3 --bot caller --stack 60000 --rounds 100000 --seed stalls --quiet";
    command.args(words.split(' ')).args(["--journal", &folder.path("day.jsonl")]);
    let mut host = Host::start(&mut command);
    let address = host.address().unwrap().to_string();
    let bots = ["ada", "bob"].map(|name| Bot::start(&address, name, &folder));
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
    let lines = lines(&journal);
    let count = |wanted: fn(&JournalLine) -> bool| lines.iter().filter(|line| wanted(line)).count();
    let (rounds, fouls) = (
        count(|line| matches!(line, JournalLine::End { .. })),
        count(|line| matches!(line, JournalLine::Foul { .. })),
    );
    println!("{stalls} pauses of 1.00 to 1.25 s in {rounds} rounds: {fouls} fouls");
    assert!(rounds > stalls, "{rounds}");
    assert_eq!(fouls, 0);
}
