//! `casino resume` and `casino verify`, with real processes.

use crate::tools;
use std::fs;
use std::process::Command;

use casino_stud::journal::Tail;
use casino_stud::replay::{JournalEnd, verify};
use nix::sys::signal::Signal;
use serde_json::Value;

use crate::support::client::{Whereabouts, player, visit};
use crate::support::host::{Ended, Folder, Host, casino, run};
use crate::support::outcome;

/// A host with two house bots for two players, and where it listens.
fn host(folder: &Folder, journal: &str, more: &[&str]) -> Host {
    let mut command = casino();
    command.args(["host", "--bind", "127.0.0.1:0", "--players", "4", "--bot", "random", "--bot", "caller"]);
    command.args(["--seed", "resume", "--reply-ms", "60000", "--stack", "2000"]);
    command.args(["--journal", &folder.path(journal)]).args(more);
    Host::start(&mut command)
}

/// Plays a whole tournament without any trouble.
fn reference(folder: &Folder, rounds: &str) -> Vec<u8> {
    let mut host = host(folder, "reference.jsonl", &["--rounds", rounds, "--quiet"]);
    let whereabouts = Whereabouts::default();
    let players = ["ada", "bob"].map(|id| player(id, false, &whereabouts));
    whereabouts.tell(host.address().unwrap());
    let ended = host.wait();
    assert!(ended.status.success(), "{}", ended.stderr);
    players.into_iter().for_each(|player| drop(player.join().unwrap()));
    fs::read(folder.file("reference.jsonl")).unwrap()
}

/// The printed command line for resuming.
fn printed_command(ended: &Ended) -> Command {
    let line = ended.stdout.lines().find(|line| line.trim_start().starts_with("casino resume ")).unwrap();
    let words = line.trim_start().strip_prefix("casino ").unwrap();
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("exec {} {words} --quiet", env!("CARGO_BIN_EXE_casino"))]);
    shell
}

#[test]
fn ctrl_c_ends_a_tournament_with_places_by_chips() {
    let folder = Folder::new("ended");
    let mut host = host(&folder, "ended.jsonl", &["--rounds", "300", "--pace", "2"]);
    let whereabouts = Whereabouts::default();
    let players = ["ada", "bob"].map(|id| player(id, false, &whereabouts));
    whereabouts.tell(host.address().unwrap());
    host.wait_for_line("round    25");
    host.signal(Signal::SIGINT);
    let ended = host.wait();
    assert!(ended.status.success(), "{}", ended.stderr);
    assert!(ended.stderr.contains("The tournament ends after this round"), "{}", ended.stderr);
    assert!(!ended.stdout.contains("stopped early"), "{}", ended.stdout);
    for told in players.map(|player| player.join().unwrap()) {
        assert!(told.last().unwrap().starts_with("done:"), "{told:?}");
    }
    let verified = verify(&fs::read(folder.file("ended.jsonl")).unwrap()[..], |_| {}).unwrap();
    assert_eq!(verified.end, JournalEnd::Over);
    assert!((25..300).contains(&verified.rounds), "{verified:?}");
    let (journal, record, page) =
        (folder.path("ended.jsonl"), folder.path("record.jsonl"), folder.path("page.html"));
    for words in [
        ["replay", &journal, "--public", &record].as_slice(),
        &["verify", &record],
        &["replay", &journal, "--html", &page],
    ] {
        let ended = run(words);
        assert!(ended.status.success(), "{words:?}: {}", ended.stderr);
    }
}

#[test]
fn sigterm_to_a_host_finishes_the_round_and_prints_resume() {
    let folder = Folder::new("a folder with blanks");
    let expected = reference(&folder, "300");
    let mut host = host(&folder, "stopped.jsonl", &["--rounds", "300", "--pace", "2"]);
    let whereabouts = Whereabouts::default();
    let address = host.address().unwrap();
    let first = ["ada", "bob"].map(|id| player(id, false, &whereabouts));
    whereabouts.tell(address);
    host.wait_for_line("round    25");
    host.signal(Signal::SIGTERM);
    let ended = host.wait();
    assert!(ended.status.success(), "{}", ended.stderr);
    assert!(ended.stdout.contains("stopped early"), "{}", ended.stdout);
    assert!(ended.stdout.contains(&format!("--bind {address}")), "{}", ended.stdout);
    // The seed stays secret until the tournament is over.
    assert!(!ended.stdout.contains("The seed was"), "{}", ended.stdout);
    for told in first.map(|player| player.join().unwrap()) {
        assert!(told.last().unwrap().contains("stopped"), "{told:?}");
    }
    let stopped = fs::read(folder.file("stopped.jsonl")).unwrap();
    let verified = verify(&stopped[..], |_| {}).unwrap();
    assert!(matches!(verified.end, JournalEnd::Open { tail: Tail::Whole }), "{verified:?}");
    assert!((25..300).contains(&verified.rounds), "{verified:?}");

    let mut resumed = Host::start(&mut printed_command(&ended));
    let again = resumed.address().unwrap();
    assert_eq!(again, address, "where the players know it");
    let whereabouts = Whereabouts::default();
    let second = ["ada", "bob"].map(|id| player(id, false, &whereabouts));
    whereabouts.tell(again);
    let ended = resumed.wait();
    assert!(ended.status.success(), "{}", ended.stderr);
    second.into_iter().for_each(|player| drop(player.join().unwrap()));
    assert!(outcome(&fs::read(folder.file("stopped.jsonl")).unwrap()) == outcome(&expected));
}

/// House bots that nobody waits for play in this process without a network.
#[test]
fn ctrl_c_on_house_bots_stops_them_after_the_round() {
    let folder = Folder::new("in-process");
    let mut command = casino();
    command.args("play --bot random*2 --bot bluffer --seed x --rounds 1000000 --stack 10000000".split(' '));
    let mut host = Host::start(command.args(["--journal", &folder.path("day.jsonl")]));
    host.wait_for_line("round    12");
    host.signal(Signal::SIGINT);
    let ended = host.wait();
    assert!(ended.status.success(), "{}", ended.stderr);
    assert!(ended.stderr.contains("press Ctrl-C again to stop at once"), "{}", ended.stderr);
    assert!(
        ended.stdout.contains("stopped early") && ended.stdout.contains("casino resume"),
        "{}",
        ended.stdout
    );
    let verified = verify(&fs::read(folder.file("day.jsonl")).unwrap()[..], |_| {}).unwrap();
    assert_eq!(verified.end, JournalEnd::Open { tail: Tail::Whole });
    assert!(verified.rounds >= 12, "{verified:?}");
}

/// House bots at a pace are played as programs are. What has come to its end is not resumed.
#[test]
fn house_bots_are_resumed_and_a_finished_journal_is_not() {
    let folder = Folder::new("house");
    let play = |journal: &str, more: &[&str]| {
        let mut command = casino();
        command.args(["play", "--bot", "random*2", "--bot", "bluffer", "--seed", "x", "--rounds", "150"]);
        command.args(["--stack", "3000", "--journal", &folder.path(journal)]).args(more);
        Host::start(&mut command)
    };
    assert!(play("reference.jsonl", &["--quiet"]).wait().status.success());
    let mut host = play("stopped.jsonl", &["--pace", "2"]);
    host.wait_for_line("round    12");
    host.signal(Signal::SIGTERM);
    let ended = host.wait();
    assert!(ended.status.success(), "{}", ended.stderr);
    let stopped = verify(&fs::read(folder.file("stopped.jsonl")).unwrap()[..], |_| {}).unwrap();
    assert_eq!(stopped.end, JournalEnd::Open { tail: Tail::Whole });
    assert!((12..150).contains(&stopped.rounds), "{stopped:?}");
    let resumed = Host::start(&mut printed_command(&ended)).wait();
    assert!(resumed.status.success(), "{}", resumed.stderr);
    let bytes = |journal| fs::read(folder.file(journal)).unwrap();
    assert!(outcome(&bytes("stopped.jsonl")) == outcome(&bytes("reference.jsonl")));
    let finished = bytes("stopped.jsonl");
    // Resumed once more, it reports that it is finished, and prints the standings.
    let again = run(&["resume", &folder.path("stopped.jsonl"), "--json"]);
    assert!(again.status.success() && again.stderr.contains("finished"), "{}", again.stderr);
    let json: Value = serde_json::from_str(&again.stdout).unwrap();
    assert_eq!((json["ended"].as_str(), json["rounds"].as_u64()), (Some("played"), Some(150)));
    assert_eq!(bytes("stopped.jsonl"), finished);
}

/// The host died between the recorded order and the round in which it is carried out.
#[test]
fn a_recorded_removal_survives_a_crash() {
    let folder = Folder::new("removal");
    let journal = folder.path("day.jsonl");
    let words = "play --bot caller*3 --seed removal --rounds 20 --quiet --journal";
    assert!(run(&[&words.split(' ').collect::<Vec<_>>()[..], &[&journal]].concat()).status.success());
    let whole = fs::read_to_string(&journal).unwrap();
    let end = whole.find("{\"type\":\"end\",\"round\":5,").unwrap();
    let end = end + whole[end..].find('\n').unwrap() + 1;
    let order =
        "{\"type\":\"console\",\"action\":{\"remove\":{\"player\":2,\"reason\":\"it plays music\"}}}\n";
    fs::write(&journal, format!("{}{order}", &whole[..end])).unwrap();
    let resumed = run(&["resume", &journal, "--quiet"]);
    assert!(resumed.status.success(), "{}", resumed.stderr);
    let text = fs::read_to_string(&journal).unwrap();
    assert_eq!(verify(text.as_bytes(), |_| {}).unwrap().end, JournalEnd::Over);
    let sixth = text.find("\"round\":6,\"seats\":[1,2,3]").unwrap();
    let left = text.find("{\"type\":\"left\",\"seat\":2,").unwrap();
    assert!(sixth < left && left < text.find("\"round\":7,\"seats\":[1,3]").unwrap());
    assert!(text[left..].lines().next().unwrap().contains("it plays music"));
}

#[test]
fn only_players_still_in_are_admitted_again() {
    let folder = Folder::new("who");
    let mut host = host(&folder, "who.jsonl", &["--rounds", "100000", "--pace", "2"]);
    let whereabouts = Whereabouts::default();
    let address = host.address().unwrap();
    let careless = player("bob", true, &whereabouts);
    let ada = player("ada", false, &whereabouts);
    whereabouts.tell(address);
    let told = careless.join().unwrap();
    assert!(told.last().unwrap().starts_with("done:You are out of the game"), "{told:?}");
    host.signal(Signal::SIGKILL);
    drop(host.wait());
    // An incomplete last line of the host.
    let path = folder.file("who.jsonl");
    let mut bytes = fs::read(&path).unwrap();
    if bytes.ends_with(b"\n") {
        bytes.extend(b"{\"type\":\"repl");
        fs::write(&path, &bytes).unwrap();
    }

    let journal = folder.path("who.jsonl");
    let without = run(&["resume", &journal]);
    assert_eq!(without.status.code(), Some(2));
    assert!(without.stderr.contains("--bind"), "{}", without.stderr);

    let mut host = Host::start(casino().args(["resume", &journal, "--bind", "127.0.0.1:0"]));
    let address = host.address().unwrap();
    let other = run(&["resume", &journal, "--bind", "127.0.0.1:0"]);
    assert_eq!(other.status.code(), Some(2), "two hosts would destroy it");
    assert!(other.stderr.contains("still running"), "{}", other.stderr);
    for (id, words) in [("eve", "you are not one of them"), ("house:random", "")] {
        let mut told = Vec::new();
        assert!(visit(address, id, false, &mut told).unwrap());
        assert!(told[0].starts_with("done:You are not in the game") && told[0].contains(words), "{told:?}");
    }
    // A player that is out receives its whole reason again, in the same words.
    let mut again = Vec::new();
    assert!(visit(address, "bob", false, &mut again).unwrap());
    assert_eq!(again, told[told.len() - 1..]);
    whereabouts.tell(address);
    host.wait_for_line("round ");
    host.signal(Signal::SIGTERM);
    let ended = host.wait();
    assert!(ended.status.success(), "{}", ended.stderr);
    assert!(ended.stderr.contains("never announced and is cut off"), "{}", ended.stderr);
    drop(ada.join().unwrap());
    verify(&fs::read(&path).unwrap()[..], |_| {}).unwrap();
}

/// A limit on the size of files stands for a full disk.
#[test]
fn a_host_stopped_by_a_full_disk_can_be_resumed() {
    let folder = Folder::new("full");
    let expected = reference(&folder, "60");
    let words = format!(
        "trap '' XFSZ; ulimit -f 12; exec {} host --bind 127.0.0.1:0 --players 4 --bot random --bot caller \
         --seed resume --reply-ms 60000 --stack 2000 --rounds 60 --quiet --journal {}",
        env!("CARGO_BIN_EXE_casino"),
        folder.path("full.jsonl")
    );
    let mut host = Host::start(Command::new("bash").args(["-c", &words]));
    let whereabouts = Whereabouts::default();
    let players = ["ada", "bob"].map(|id| player(id, false, &whereabouts));
    whereabouts.tell(host.address().unwrap());
    let ended = host.wait();
    assert_eq!(ended.status.code(), Some(1), "{}", ended.stderr);
    for words in ["could not be recorded", "casino resume"] {
        assert!(ended.stderr.contains(words), "{}", ended.stderr);
    }
    let full = fs::read(folder.file("full.jsonl")).unwrap();
    assert!(full.len() <= 12 * 1024 && verify(&full[..], |_| {}).unwrap().rounds < 60);
    let journal = folder.path("full.jsonl");
    let mut host = Host::start(casino().args(["resume", &journal, "--bind", "127.0.0.1:0", "--quiet"]));
    whereabouts.tell(host.address().unwrap());
    assert!(host.wait().status.success());
    for told in players.map(|player| player.join().unwrap()) {
        assert!(told.last().unwrap().starts_with("done:"), "{told:?}");
    }
    assert!(outcome(&fs::read(folder.file("full.jsonl")).unwrap()) == outcome(&expected));
}

/// The measured times are for people's curiosity: a file that cannot be written costs them and nothing else.
#[test]
fn a_tournament_does_without_its_file_of_times() {
    let folder = Folder::new("times");
    fs::create_dir(folder.file("full.jsonl.times.csv")).unwrap();
    let mut host = host(&folder, "full.jsonl", &["--rounds", "5", "--quiet"]);
    let whereabouts = Whereabouts::default();
    let players = ["ada", "bob"].map(|id| player(id, false, &whereabouts));
    whereabouts.tell(host.address().unwrap());
    let ended = host.wait();
    assert!(ended.status.success(), "{}", ended.stderr);
    players.into_iter().for_each(|player| drop(player.join().unwrap()));
    assert_eq!(
        verify(&fs::read(folder.file("full.jsonl")).unwrap()[..], |_| {}).unwrap().end,
        JournalEnd::Over
    );
}

#[test]
fn programs_are_started_again() {
    let bot = concat!(env!("CARGO_MANIFEST_DIR"), "/bots/python/poker.py");
    if !tools::has("python3", "programs that are started again") {
        return;
    }
    let folder = Folder::new("programs");
    let spec = format!("snake=exec python3 -B {bot} {{host}} {{port}}");
    let play = |journal: &str, more: &[&str]| {
        let mut command = casino();
        command.args(["play", "--bot", "random*2", "--bot", &spec, "--seed", "p", "--rounds", "60"]);
        command.args(["--reply-ms", "60000", "--journal", &folder.path(journal)]).args(more);
        Host::start(&mut command)
    };
    let undisturbed = play("reference.jsonl", &["--quiet"]).wait();
    assert!(undisturbed.status.success(), "{}", undisturbed.stderr);
    let mut host = play("killed.jsonl", &[]);
    host.wait_for_line("round    10");
    host.signal(Signal::SIGKILL);
    drop(host.wait());
    let resumed = run(&["resume", &folder.path("killed.jsonl"), "--run-programs", "--quiet"]);
    assert!(resumed.status.success(), "{}", resumed.stderr);
    let bytes = |journal| fs::read(folder.file(journal)).unwrap();
    assert!(outcome(&bytes("killed.jsonl")) == outcome(&bytes("reference.jsonl")));
}

#[test]
fn verify_reports_its_result_and_exit_code() {
    let folder = Folder::new("verify");
    let journal = folder.path("a.jsonl");
    assert!(
        run(&[
            "play",
            "--bot",
            "random*4",
            "--seed",
            "verify",
            "--rounds",
            "9",
            "--journal",
            &journal,
            "--quiet"
        ])
        .status
        .success()
    );
    let good = run(&["verify", &journal]);
    assert_eq!(good.status.code(), Some(0), "{}", good.stderr);
    assert!(good.stdout.starts_with("Verified: ") && good.stdout.contains("nothing was promised"));
    assert!(!good.stdout.contains("not over"), "{}", good.stdout);

    let text = fs::read_to_string(&journal).unwrap();
    let changed = |name: &str, text: &str| {
        fs::write(folder.file(name), text).unwrap();
        run(&["verify", &folder.path(name)])
    };
    let end = text.lines().position(|line| line.contains("\"won\"")).unwrap() + 1;
    let bad = changed("b.jsonl", &text.replacen("\"half\":\"whole\"", "\"half\":\"hand\"", 1));
    assert_eq!(bad.status.code(), Some(4));
    assert!(bad.stdout.contains("half is \"hand\" where \"whole\" follows"), "{}", bad.stdout);
    let without: Vec<&str> =
        text.lines().enumerate().filter(|(at, _)| at + 1 != end).map(|(_, line)| line).collect();
    let bad = changed("c.jsonl", &(without.join("\n") + "\n"));
    assert_eq!(bad.status.code(), Some(4));
    assert!(bad.stdout.contains(&format!("line {end}")), "{}", bad.stdout);
    // A journal that breaks off is one, and is not finished.
    let part = changed("d.jsonl", &text[..text.len() * 2 / 3]);
    assert_eq!(part.status.code(), Some(0));
    assert!(part.stdout.contains("The tournament is not over"), "{}", part.stdout);
    // Damage is shown without acting on the terminal.
    let third = text.match_indices('\n').nth(1).unwrap().0 + 1;
    let bad = changed("e.jsonl", &format!("{}\u{1b}[31m{}", &text[..third], &text[third..]));
    assert_eq!(bad.status.code(), Some(4));
    assert!(bad.stdout.contains("line 3") && !bad.stdout.contains('\u{1b}'), "{}", bad.stdout);
    for (name, text) in
        [("f.jsonl", ""), ("g.jsonl", "hello\n"), ("h.jsonl", "{\"type\":\"casino_day\",\"version\":7}\n")]
    {
        let bad = changed(name, text);
        assert_eq!(bad.status.code(), Some(2), "{}", bad.stdout);
        assert!(bad.stderr.contains(name), "{}", bad.stderr);
    }
    assert_eq!(run(&["verify", &folder.path("nowhere.jsonl")]).status.code(), Some(2));
}
