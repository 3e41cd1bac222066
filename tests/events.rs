//! Events of many tables: the same for any number of threads, resumed from any end of the journal, over the network,
//! and described in a file.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;

use casino_stud::cards::Seed;
use casino_stud::journal::{Durability, Header, Journal, Reader};
use casino_stud::replay::{HouseBots, JournalEnd, Replay, verify};
use casino_stud::strategies::HOUSE;
use casino_stud::stud::MAX_SEATS;
use casino_stud::tournament::{EventPlan, Format};
use serde_json::Value;

use crate::support::client::{Whereabouts, house_bot, read, write};
use crate::support::host::{Folder, Host, casino};
use crate::support::{Memory, come_in, house_event, journal_of_house, outcome, play_house, recorded, whole};

fn plan(format: Format) -> EventPlan {
    let one_table = format.rules().one_table();
    EventPlan {
        format,
        seats: if one_table { MAX_SEATS } else { 4 },
        level_rounds: format.rules().usual_level_rounds(5),
        antes: vec![1, 1, 2, 3, 5, 8],
        series: 2,
        late_entry: None,
    }
}

/// An event of each format, and a freeze-out with longer levels.
fn plans() -> impl Iterator<Item = EventPlan> {
    // Longer levels: tables are balanced several times in each.
    let during = EventPlan { level_rounds: Some(20), ..plan(Format::default()) };
    Format::all().map(plan).chain([during])
}

/// Ten house bots of all kinds in an event.
fn header(plan: EventPlan) -> Header {
    let bots: Vec<&str> = HOUSE.iter().map(|bot| bot.name).cycle().take(10).collect();
    house_event(plan, &Seed::chosen("events"), &bots, 60, 40)
}

/// Resumes the remaining part of a journal.
fn go_on(left: &[u8], threads: usize) -> Vec<u8> {
    let rebuilt = Replay::new(Reader::new(left).unwrap(), HouseBots::Recomputed).unwrap().rebuild().unwrap();
    let memory = Memory::holding(whole(left, &rebuilt));
    let mut journal =
        Journal::go_on(Box::new(memory.clone()), &rebuilt.resume_point(), Durability::EveryRound).unwrap();
    let (mut event, house) = (rebuilt.event, rebuilt.house);
    play_house(&mut event, house, &mut journal, threads).unwrap();
    memory.bytes()
}

/// Wherever the host dies, also in the middle of a line: the same end.
#[test]
#[ignore = "long: cuts of events of each format; the same for one table in crates/stud/tests/rooms"]
fn a_journal_cut_anywhere_is_resumed_to_the_same_end() {
    for plan in plans() {
        let format = format!("{:?}", plan.format);
        let journal = journal_of_house(&header(plan), 2);
        let expected = outcome(&journal);
        let first = journal.iter().position(|byte| *byte == b'\n').unwrap() + 1;
        let lines: Vec<usize> =
            (first..journal.len()).filter(|at| journal[*at - 1] == b'\n').chain([first]).collect();
        // Every line of the first ones, the lines around the seatings, and then some; each also torn.
        let seats = |line: usize| {
            lines.get(line).is_some_and(|at| journal[*at..].starts_with(b"{\"type\":\"level\""))
        };
        let near_seating = |line: usize| (0..3).any(|after| seats((line + 1).wrapping_sub(after)));
        let wanted = |line: usize| line < 40 || line.is_multiple_of(23) || near_seating(line);
        let cuts = lines.iter().enumerate().filter(|(number, _)| wanted(*number));
        for (number, cut) in cuts {
            let torn = (cut + number % 9).min(journal.len() - 1);
            let resumed = go_on(&journal[..torn], 1 + number % 3);
            assert!(outcome(&resumed) == expected, "{format}, cut at {torn}");
            if number.is_multiple_of(10) {
                assert_eq!(verify(&resumed[..], |_| {}).unwrap().end, JournalEnd::Over);
                let middle = first + (resumed.len() - first) / 2;
                assert!(outcome(&go_on(&resumed[..middle], 2)) == expected, "{format}, cut twice");
            }
        }
    }
}

/// Every line that is changed, left out or swapped with the next is noticed.
#[test]
fn changed_missing_or_swapped_lines_are_noticed() {
    let journal = String::from_utf8(journal_of_house(&header(plan(Format::default())), 2)).unwrap();
    let lines: Vec<&str> = journal.lines().collect();
    let noticed = |lines: &[&str]| verify(format!("{}\n", lines.join("\n")).as_bytes(), |_| {}).is_err();
    assert!(!noticed(&lines));
    for at in (1..lines.len() - 1).filter(|at| at.is_multiple_of(7) || lines[*at].contains("\"level\"")) {
        let mut letters = lines[at].to_string().into_bytes();
        let last = letters.iter().rposition(u8::is_ascii_alphanumeric).unwrap();
        letters[last] = if letters[last] == b'1' { b'2' } else { b'1' };
        let change = String::from_utf8(letters).unwrap();
        let mut changed = lines.clone();
        changed[at] = &change;
        assert!(noticed(&changed), "{} became {change}", lines[at]);
        let without: Vec<&str> = lines[..at].iter().chain(&lines[at + 1..]).copied().collect();
        assert!(noticed(&without), "without {}", lines[at]);
        let mut swapped = lines.clone();
        swapped.swap(at, at + 1);
        assert!(swapped == lines || noticed(&swapped), "swapped {}", lines[at]);
    }
}

const FLAGS: [(&str, &[&str]); 2] = [
    ("freezeout", &["--seats", "4", "--ante-schedule", "1,2,5,10,20,40,80"]),
    ("swiss", &["--seats", "3", "--series", "2"]),
];

/// Programs over the network in every format: no ejections, and each receives the recorded messages.
#[test]
fn every_format_is_played_over_the_network_on_any_threads() {
    let folder = Folder::new("formats");
    for (format, flags) in FLAGS {
        let mut journals = Vec::new();
        for jobs in ["1", "2"] {
            let journal = folder.path(&format!("{format}-{jobs}.jsonl"));
            let mut command = casino();
            let words = "host --bind 127.0.0.1:0 --players 11 --bot odds --level-rounds 6 --stack 80 --seed net --json";
            command.args(words.split(' ')).args(["--reply-ms", "60000", "--format", format]);
            command.args(flags).args(["--jobs", jobs, "--journal", &journal]);
            let whereabouts = Whereabouts::default();
            let ids = (0..10).map(|number| (format!("student-{number}"), &HOUSE[number % HOUSE.len()]));
            let crowd: Vec<_> =
                ids.map(|(id, bot)| (id.clone(), house_bot(&id, bot, &whereabouts))).collect();
            let mut host = Host::start(&mut command);
            whereabouts.tell(host.address().unwrap());
            let ended = host.wait();
            assert!(ended.status.success(), "{format}: {}", ended.stderr);
            whereabouts.close();
            let bytes = fs::read(&journal).unwrap();
            assert_eq!(verify(&bytes[..], |_| {}).unwrap().end, JournalEnd::Over);
            let recorded = recorded(&bytes, true).unwrap();
            for (id, player) in crowd {
                let told = player.join().unwrap();
                assert_eq!(
                    told.iter().filter(|words| words.starts_with("done:")).count(),
                    1,
                    "{format}, {id}"
                );
                assert!(come_in(&told, &recorded[&id]), "{format}, {id}");
                // A player that plays again after its last chip is recorded as out of a level, and receives no message
                // about it.
                let status = |words: &&String| words.starts_with("status:");
                assert!(told.iter().filter(status).eq(recorded[&id].iter().filter(status)), "{format}, {id}");
                assert!(!told.last().unwrap().contains("Your program"), "{format}, {id}: {told:?}");
            }
            journals.push(bytes);
        }
        assert!(journals[0] == journals[1], "{format}");
    }
}

/// A player that writes or disconnects while it waits without a table is ejected at its next question, and the event
/// continues; after that the others do not wait for it.
#[test]
fn a_foul_between_tables_ejects_and_the_event_continues() {
    let folder = Folder::new("waiting");
    let journal = folder.path("waiting.jsonl");
    let mut command = casino();
    command.args(["host", "--bind", "127.0.0.1:0", "--players", "9", "--bot", "caller*7", "--seats", "3"]);
    command
        .args("--level-rounds 4 --rounds 12 --seed waiting --json".split(' '))
        .args(["--journal", &journal]);
    let mut host = Host::start(&mut command);
    let address = host.address().unwrap();
    let enter = |id: &str| {
        let mut stream = TcpStream::connect(address).unwrap();
        assert_eq!(read(&mut stream).unwrap(), "login");
        write(&mut stream, &format!("{id}:{id}")).unwrap();
        stream
    };
    // One answers its first question twice; the other disconnects when it is asked.
    let mut chatty = enter("chatty");
    let mut gone = enter("gone");
    chatty.read_exact(&mut [0; 2]).unwrap();
    chatty.write_all(b"\0\x05bet:0\0\x05bet:0").unwrap();
    gone.read_exact(&mut [0; 2]).unwrap();
    drop(gone);
    let mut rest = Vec::new();
    chatty.read_to_end(&mut rest).unwrap();
    assert!(String::from_utf8_lossy(&rest).contains("done:You are out of the game"));
    let ended = host.wait();
    assert!(ended.status.success(), "{}", ended.stderr);
    let result: Value = serde_json::from_str(ended.stdout.lines().last().unwrap()).unwrap();
    let how = |id: &str| {
        let line =
            result["standings"].as_array().unwrap().iter().find(|line| line["github_id"] == id).unwrap();
        line["how"].as_str().unwrap().to_string()
    };
    assert_ne!(how("chatty"), "out of chips");
    assert_eq!(how("gone"), "connection closed");
    assert_eq!(verify(&fs::read(&journal).unwrap()[..], |_| {}).unwrap().end, JournalEnd::Over);
}
