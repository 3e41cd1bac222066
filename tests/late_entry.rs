//! A player who enters late, with the real program. The simulator has late entrants of every kind.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crate::support::client::visit_aloud;
use crate::support::host::{Folder, Host, casino, run};

/// The real program plays until a player has entered late: then the others disconnect, and the newcomer wins, under its
/// name from the roster.
#[test]
fn the_program_lets_a_player_of_the_roster_in_and_ranks_it() {
    let folder = Folder::new("late");
    std::fs::write(folder.file("class.csv"), "github_id,name\nada,Ada\nbob,Bob\nlate,Lateness\n").unwrap();
    let (roster, journal) = (folder.path("class.csv"), folder.path("late.jsonl"));
    let mut command = casino();
    command.args(["host", "--bind", "127.0.0.1:0", "--players", "3", "--bot", "caller", "--json"]);
    command.args(["--rounds", "1000000", "--stack", "10000000", "--reply-ms", "60000", "--seed", "late"]);
    command.args(["--late-entry", "1000000", "--roster", &roster, "--journal", &journal]);
    let mut host = Host::start(&mut command);
    let address = host.address().unwrap();
    let (playing, came) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
    let early = ["ada", "bob"].map(|id| {
        let (playing, came) = (Arc::clone(&playing), Arc::clone(&came));
        thread::spawn(move || {
            let mut hear = |_| {
                playing.store(true, Ordering::Relaxed);
                if came.load(Ordering::Relaxed) {
                    // It disconnects, without a message on standard error.
                    std::panic::resume_unwind(Box::new(()));
                }
            };
            let _ = visit_aloud(address, id, false, &mut hear);
        })
    });
    while !playing.load(Ordering::Relaxed) {
        thread::yield_now();
    }
    let mut told = Vec::new();
    let mut hear = |words: String| {
        told.push(words);
        came.store(told.len() >= 3, Ordering::Relaxed);
        // The house bot calls forever, and the newcomer has played enough.
        assert!(told.len() < 100_000, "the others have hung up");
    };
    let outcome = thread::scope(|scope| {
        let ended = scope.spawn(|| {
            early.into_iter().for_each(|guest| drop(guest.join()));
            host.signal(nix::sys::signal::Signal::SIGTERM);
            host.wait()
        });
        assert!(visit_aloud(address, "late", false, &mut hear).unwrap());
        ended.join().unwrap()
    });
    assert!(outcome.status.success(), "{}", outcome.stderr);
    let result: serde_json::Value = serde_json::from_str(&outcome.stdout).unwrap();
    let rows = result["standings"].as_array().unwrap();
    let row = |id: &str| rows.iter().find(|row| row["github_id"] == id).unwrap();
    assert_eq!((&row("late")["place"], &row("late")["name"]), (&1.into(), &"Lateness".into()));
    assert_eq!(row("house:caller")["place"], serde_json::Value::Null);
    assert!(told.last().unwrap().starts_with("done:"), "{told:?}");
    assert!(run(&["verify", &journal]).status.success());
    let replayed = run(&["replay", &journal, "--round", "1"]);
    assert!(replayed.status.success(), "{}", replayed.stderr);

    // A resuming host expects it like the others.
    let mut host = Host::start(casino().args(["resume", &journal, "--bind", "127.0.0.1:0", "--json"]));
    let address = host.address().unwrap();
    let mut heard = 0;
    let mut hear = |_| {
        heard += 1;
        if heard == 2 {
            host.signal(nix::sys::signal::Signal::SIGTERM);
        }
    };
    assert!(visit_aloud(address, "late", false, &mut hear).unwrap());
    let outcome = host.wait();
    assert!(outcome.status.success(), "{}", outcome.stderr);
    assert!(outcome.stdout.contains("Lateness"), "{}", outcome.stdout);
    assert!(run(&["verify", &journal]).status.success());
}
