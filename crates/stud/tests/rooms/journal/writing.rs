//! The writes of a journal to its store: content, time and order.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use casino_stud::journal::write_event;
use casino_stud::strategies::Bot;
use casino_stud::tournament::{Event, EventBots, Newcomer, Player, Recorder, TimeBankUse, play};

use super::*;

fn begin(header: &Header, memory: &Memory, durability: Durability) -> Journal {
    Journal::begin(Box::new(memory.clone()), header.clone(), durability).unwrap()
}

fn handed_over(memory: &Memory) -> String {
    String::from_utf8(memory.bytes()).unwrap()
}

fn calls(memory: &Memory) -> usize {
    memory.0.lock().unwrap().calls
}

/// An event whose first level has begun, and nothing is dealt.
fn seated(header: &Header) -> Event {
    let mut event = header.event().unwrap();
    assert!(event.next_level() && event.tables().len() == 2);
    event
}

#[test]
fn an_event_is_written_round_by_round_and_in_each_round_table_by_table() {
    let (mut levels, mut sent_out) = (0, 0);
    for run in 0..10 {
        let header = event_of_tables(&format!("tables {run}"));
        let memory = Memory::default();
        let mut journal = begin(&header, &memory, Durability::AtTheEnd);
        let bots = house(&header).into_iter().map(|bot| Box::new(bot.unwrap()) as Box<dyn Bot>);
        play(&mut header.event().unwrap(), &mut EventBots::new(bots.collect()), &mut journal).unwrap();
        let written = memory.bytes();
        assert_eq!(verify(&written[..], |_| {}).unwrap().end, JournalEnd::Over);
        let mut last = (0, 0);
        for line in lines(&written) {
            if let JournalLine::Deal { table, round, .. } = line {
                assert!((round, table) > last, "table {table} in round {round} after {last:?}");
                last = (round, table);
            }
            if let JournalLine::Level { tables, out, .. } = line {
                let seated: Vec<usize> = tables.iter().flat_map(|table| table.players.clone()).collect();
                let is_one = |player: &usize| (1..=7).contains(player);
                assert!(seated.iter().all(is_one), "{seated:?}");
                assert!(
                    out.iter().all(|out| is_one(&out.player) && !seated.contains(&out.player)),
                    "{out:?}"
                );
                (levels, sent_out) = (levels + 1, sent_out + out.len());
            }
        }
    }
    assert!(levels > 15 && sent_out > 2, "{levels} levels, {sent_out} sent out between them");
}

/// Tables play as fast as they can; the records of a round are written to the journal when all tables have played it.
#[test]
fn what_tables_record_waits_for_all_of_them_and_keeps_its_seats_and_players() {
    let header = event_of_tables("side by side");
    let mut event = seated(&header);
    let memory = Memory::default();
    let mut journal = begin(&header, &memory, Durability::EveryRound);
    journal.level(&event).unwrap();
    let before = handed_over(&memory);
    assert!(event.tables_mut().iter_mut().all(TableGame::deal));
    let mut recorders: Vec<_> = event.tables().iter().map(|table| journal.for_table(table)).collect();
    // The second table is quicker.
    for at in [1, 0] {
        let (table, recorder) = (&event.tables()[at], &mut recorders[at]);
        for event in table.table().events() {
            recorder.event(table, event).unwrap();
        }
        let bank = TimeBankUse { used: Duration::from_millis(9), left: Duration::from_millis(1_991) };
        recorder.time_bank(1, Seat::new(at + 1), bank).unwrap();
        assert_eq!(handed_over(&memory), before, "not before everybody has played");
        recorder.hand_over();
    }
    journal.commit().unwrap();
    let after = handed_over(&memory);
    let added: Vec<JournalLine> =
        after[before.len()..].lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of_table = |at: usize| {
        let table = &event.tables()[at];
        let line = |event| {
            let mut bytes = Vec::new();
            write_event(table, event, &mut bytes);
            serde_json::from_slice(&bytes).unwrap()
        };
        let events = table.table().events().iter().map(line);
        events.chain([JournalLine::TimeBank { seat: at + 2, used_ms: 9, left_ms: 1_991 }]).collect::<Vec<_>>()
    };
    assert_eq!(added, [of_table(0), of_table(1)].concat());
    // It is taken once.
    journal.commit().unwrap();
    assert_eq!(handed_over(&memory), after);
    assert_eq!(memory.0.lock().unwrap().synced, after.len());
}

/// A store of times that accepts this many lines and then fails.
struct Times {
    written: Arc<Mutex<String>>,
    room: usize,
}

impl Write for Times {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut written = self.written.lock().unwrap();
        if written.lines().count() > self.room {
            return Err(io::ErrorKind::StorageFull.into());
        }
        written.push_str(std::str::from_utf8(bytes).unwrap());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn how_long_replies_took_stands_beside_the_journal_and_what_goes_wrong_there_stops_only_the_times() {
    let header = event_of_tables("times");
    let event = seated(&header);
    let written = Arc::new(Mutex::new(String::new()));
    let memory = Memory::default();
    let mut journal = begin(&header, &memory, Durability::EveryRound);
    journal.keep_times(Times { written: Arc::clone(&written), room: 2 });
    let before = handed_over(&memory);
    let table = &event.tables()[1];
    let mut recorder = journal.for_table(table);
    let mut expected = String::new();
    for round in 1..=4 {
        recorder.reply_time(round, Seat::new(2), Duration::from_micros(1_500 * round), Duration::ZERO);
        recorder.hand_over();
        journal.commit().unwrap();
        if round <= 3 {
            expected += &format!("{round},{},{}\n", table.players()[2] + 1, 1_500 * round);
        }
        let written = written.lock().unwrap();
        assert!(
            expected.starts_with(&*written) && written.lines().count() == (round as usize).min(3),
            "{written}"
        );
    }
    assert_eq!(handed_over(&memory), before, "no clock in the journal");
}

#[test]
fn who_comes_in_late_has_a_line_of_its_own_at_once_and_a_standing_at_the_end() {
    let mut header = event_of_tables("late");
    header.terms.plan.late_entry = Some(9);
    let mut event = seated(&header);
    let memory = Memory::default();
    let mut journal = begin(&header, &memory, Durability::EveryRound);
    assert_eq!(event.enter(), Ok(7));
    let player = Player { name: "Late".to_string(), github_id: "late-id".to_string() };
    let newcomer = Newcomer { player, from: [127, 0, 0, 1].into() };
    journal.entry(&event, &newcomer).unwrap();
    assert_eq!(lines(&memory.bytes()).last(), Some(&JournalLine::entry(&event, &newcomer)));
    let length = memory.bytes().len();
    assert_eq!(memory.0.lock().unwrap().synced, length);
    journal.over(&event).unwrap();
    let written = lines(&memory.bytes());
    let Some(JournalLine::Over { standings, .. }) = written.last() else { panic!("{written:?}") };
    assert_eq!(standings.len(), 8);
    assert!(standings.iter().any(|line| line.github_id == "late-id"), "{standings:?}");
}

#[test]
fn the_line_of_a_level_says_who_sits_where_with_what() {
    let header = event_of_tables("seating");
    let event = seated(&header);
    let line = JournalLine::level(&event);
    let JournalLine::Level { level, round, rounds, ante, seating, tables, out, .. } = &line else { panic!() };
    assert_eq!((*level, *round, *rounds, *ante, *seating, out.len()), (1, 1, 8, 1, 1, 0));
    let mut players: Vec<usize> = tables.iter().flat_map(|table| table.players.clone()).collect();
    players.sort_unstable();
    assert_eq!(players, [1, 2, 3, 4, 5, 6, 7], "by the seats of the header, from 1");
    let mut written = Vec::new();
    line.write(&mut written);
    // A level is seated once by default; older journals never have the field.
    let text = String::from_utf8(written).unwrap();
    assert!(!text.contains("seating"), "{text}");
    assert_eq!(serde_json::from_str::<JournalLine>(&text).unwrap(), line);
    let again = text.replacen("\"round\":", "\"seating\":2,\"round\":", 1);
    let again: JournalLine = serde_json::from_str(&again).unwrap();
    assert!(matches!(again, JournalLine::Level { seating: 2, .. }), "{again:?}");
    let mut written = Vec::new();
    again.write(&mut written);
    assert_eq!(serde_json::from_slice::<JournalLine>(&written).unwrap(), again);
}

/// A tournament of house bots does not wait for the disk and does not keep the journal in memory.
#[test]
fn lines_that_need_not_be_sure_are_handed_over_in_pieces_of_64_kib() {
    let header = header(&Seed::chosen("pieces"), &["caller", "random"], 0, 9, 50, OnFoul::Eject);
    let memory = Memory::default();
    let mut journal = begin(&header, &memory, Durability::AtTheEnd);
    let (begun, at_begin) = (memory.bytes().len(), calls(&memory));
    let line = JournalLine::Console { action: "x".repeat(993).into() };
    let mut bytes = Vec::new();
    line.write(&mut bytes);
    assert_eq!(bytes.len(), 1_024);
    for number in 1..=64 {
        assert_eq!(memory.bytes().len(), begun, "before line {number}");
        journal.append(&line).unwrap();
        journal.commit().unwrap();
    }
    assert_eq!(memory.bytes().len(), begun + 64 * 1_024);
    assert_eq!(calls(&memory), at_begin + 1);
}

/// How far records have been written: nowhere, to the system, or to the disk.
#[test]
fn what_is_recorded_gets_as_far_as_what_comes_next_needs() {
    let header = header(&Seed::chosen("how far"), &["caller", "random"], 0, 9, 50, OnFoul::Eject);
    let after = |durability, next: &dyn Fn(&mut Journal)| {
        let memory = Memory::default();
        let mut journal = begin(&header, &memory, durability);
        let begun = memory.bytes().len();
        assert_eq!(memory.0.lock().unwrap().synced, begun, "nothing is dealt that has no header");
        journal.append(&JournalLine::Pass { seat: 1 }).unwrap();
        next(&mut journal);
        let inside = memory.0.lock().unwrap();
        let (written, synced) = (inside.bytes.len() > begun, inside.synced == inside.bytes.len());
        (written, written && synced)
    };
    let pause = |journal: &mut Journal| journal.pause().unwrap();
    let flush = |journal: &mut Journal| journal.flush().unwrap();
    let commit = |journal: &mut Journal| journal.commit().unwrap();
    let order = |journal: &mut Journal| journal.console(&"pause".into()).unwrap();
    for durability in [Durability::EveryRound, Durability::AtTheEnd] {
        assert_eq!(after(durability, &|_| {}), (false, false));
        assert_eq!(after(durability, &flush), (true, false), "it outlives the process");
        assert_eq!(after(durability, &order), (true, false), "an order is in the file before it is obeyed");
        assert_eq!(after(durability, &pause), (true, true));
    }
    assert_eq!(after(Durability::EveryRound, &commit), (true, true), "before anybody is told");
    assert_eq!(after(Durability::AtTheEnd, &commit), (false, false));
    // Lines without a commit are written when the journal is dropped, in one call.
    let memory = Memory::default();
    let mut journal = begin(&header, &memory, Durability::EveryRound);
    journal.append(&JournalLine::Pass { seat: 1 }).unwrap();
    journal.append(&JournalLine::TimeBank { seat: 5, used_ms: 9, left_ms: 1_991 }).unwrap();
    drop(journal);
    let end = "{\"type\":\"pass\",\"seat\":1}\n{\"type\":\"time_bank\",\"seat\":5,\"used_ms\":9,\"left_ms\":1991}\n";
    assert!(handed_over(&memory).ends_with(end), "{}", handed_over(&memory));
}

/// The debug output of a journal shows neither the seed nor the GitHubIds.
#[test]
fn a_journal_that_is_printed_shows_no_secret() {
    let header = header(&Seed::chosen("a-secret"), &["caller"], 2, 9, 50, OnFoul::Eject);
    let shown = format!("{:?}", begin(&header, &Memory::default(), Durability::EveryRound));
    assert!(shown.contains("EveryRound"), "{shown}");
    assert!(["a-secret", "hub-"].iter().all(|secret| !shown.contains(secret)), "{shown}");
}
