//! The journal: a host that died can be resumed from it, and no change in it stays unnoticed.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod crash;
mod damage;
mod writing;

use casino_stud::cards::Seed;
use casino_stud::journal::{
    Durability, ForgivenFouls, Header, Journal, JournalLine, MAX_LINE_BYTES, PlayerSource, ReadError, Reader,
    StandingLine, Tail, Terms,
};
use casino_stud::replay::{HouseBots, JournalEnd, RebuiltTournament, Replay, ReplayError, verify};
use casino_stud::stud::{Seat, SeatSet};
use casino_stud::table::{Fault, OnFoul};
use casino_stud::tournament::{Entrant, MAX_PLAYERS, Roster, TableGame};

use crate::support::*;

/// A seed with which three players are ejected in the middle of a round.
const SEED: &str = "180";

/// A small tournament with house bots, with players that break rules, and its journal.
fn tournament(seed: &str, on_foul: OnFoul) -> (Header, Vec<u8>, Vec<Said>) {
    let seed = Seed::chosen(seed);
    let header = header(&seed, &["random", "cautious"], 3, 12, 60, on_foul);
    let memory = Memory::default();
    let mut journal =
        Journal::begin(Box::new(memory.clone()), header.clone(), Durability::EveryRound).unwrap();
    let mut said = Vec::new();
    let mut tournament = header.event().unwrap();
    let mut bots = house(&header);
    play_on(&mut tournament, &mut bots, &mut journal, &faulty_answer, &mut nobody, &mut said).unwrap();
    (header, memory.bytes(), said)
}

fn rebuild(journal: &[u8]) -> Result<RebuiltTournament, ReplayError> {
    Replay::new(Reader::new(journal)?, HouseBots::Recomputed)?.rebuild()
}

/// Resumes a journal that was cut and plays it to its end.
fn go_on(cut: &[u8], mut rebuilt: RebuiltTournament, said: &mut Vec<Said>) -> Vec<u8> {
    if rebuilt.is_finished {
        return whole(cut, &rebuilt).to_vec();
    }
    let memory = Memory::holding(whole(cut, &rebuilt));
    let mut journal =
        Journal::go_on(Box::new(memory.clone()), &rebuilt.resume_point(), Durability::EveryRound).unwrap();
    let RebuiltTournament { event, house, .. } = &mut rebuilt;
    play_on(event, &mut house.players, &mut journal, &faulty_answer, &mut nobody, said).unwrap();
    drop(journal);
    memory.bytes()
}

fn lines(journal: &[u8]) -> Vec<JournalLine> {
    Reader::new(journal).unwrap().map(|entry| entry.unwrap().line).collect()
}

#[test]
fn every_kind_of_line_is_read_as_it_was_written() {
    let mut fouls = 0;
    for seed in 0..40 {
        for on_foul in [OnFoul::Eject, OnFoul::Fold] {
            let (_, journal, _) = tournament(&format!("lines {seed}"), on_foul);
            for line in lines(&journal) {
                let mut bytes = Vec::new();
                line.write(&mut bytes);
                assert_eq!(serde_json::from_slice::<JournalLine>(&bytes).unwrap(), line);
                fouls += usize::from(matches!(line, JournalLine::Foul { .. }));
            }
            let verified = verify(&journal[..], |_| {}).unwrap();
            assert_eq!((verified.end, verified.bytes), (JournalEnd::Over, journal.len() as u64));
        }
    }
    assert!(fouls > 50, "{fouls}");
}

/// How many bytes of a journal of one table count: up to the last line, or up to the deal of the last round if that has no
/// end, or if a foul has no consequence.
fn counted(journal: &[u8]) -> usize {
    let (mut counted, mut deal, mut at) = (0, None, 0);
    for line in journal.split_inclusive(|byte| *byte == b'\n').filter(|line| line.ends_with(b"\n")) {
        let begins = |kind: &str| line.starts_with(format!("{{\"type\":\"{kind}\"").as_bytes());
        if begins("deal") {
            deal = Some(at);
        }
        at += line.len();
        if begins("end") {
            deal = None;
        }
        counted = match deal {
            Some(deal) => deal,
            None if begins("foul") => counted,
            None => at,
        };
    }
    counted
}

/// Cut at every byte, the journal is resumed to the same end, or is too short to be resumed.
#[test]
fn a_journal_cut_at_every_byte_is_resumed_to_the_same_end() {
    let (_, journal, said) = tournament(SEED, OnFoul::Eject);
    let header_length = journal.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    let ejected = lines(&journal).iter().filter(|line| matches!(line, JournalLine::Foul { .. })).count();
    assert!(ejected >= 2, "{ejected}");
    let expected = outcome(&journal);
    for cut in 0..journal.len() {
        let part = &journal[..cut];
        let rebuilt = match rebuild(part) {
            Ok(rebuilt) => rebuilt,
            Err(error) => {
                assert!(cut < header_length, "{cut}: {error}");
                assert!(matches!(error, ReplayError::Read(ReadError::Empty)), "{cut}: {error}");
                continue;
            }
        };
        assert!(cut >= header_length);
        let end = counted(part);
        assert_eq!(whole(part, &rebuilt).len(), end, "cut at {cut}");
        assert_eq!(rebuilt.tail == Tail::Whole, end == cut, "cut at {cut}");
        let mut said_again = Vec::new();
        let resumed = go_on(part, rebuilt, &mut said_again);
        assert_eq!(outcome(&resumed), expected, "cut at {cut}");
        // Any message sent now was also sent in the original.
        assert!(said_again.iter().all(|word| said.contains(word)), "cut at {cut}");
        let verified = verify(&resumed[..], |_| {}).unwrap_or_else(|error| panic!("cut at {cut}: {error}"));
        assert_eq!(verified.end, JournalEnd::Over);
    }
}

/// The host dies repeatedly, also twice in one round and after an ejection.
#[test]
fn many_deaths_in_one_tournament_add_up_to_the_same_end() {
    let (_, whole_journal, _) = tournament(SEED, OnFoul::Eject);
    let expected = outcome(&whole_journal);
    let mut resumed = 0;
    for run in 0..60 {
        let mut dice = Seed::chosen(format!("deaths {run}")).stream("cuts");
        let mut journal = whole_journal.clone();
        for _ in 0..12 {
            // Most deaths are near the end of the journal, so that they fall into a round that was dealt before.
            let near = journal.len() - (dice.below(900) as usize).min(journal.len() - 1);
            let cut = if dice.one_in(3) { dice.below(journal.len() as u32) as usize } else { near };
            let Ok(rebuilt) = rebuild(&journal[..cut]) else { continue };
            journal = go_on(&journal[..cut], rebuilt, &mut Vec::new());
            // The next death comes while this one's round is dealt again.
            let last = journal.windows(10).rposition(|bytes| bytes == b"\"resumed\",").unwrap_or(0);
            let soon = (last + 200 + dice.below(1200) as usize).min(journal.len());
            if dice.one_in(2)
                && let Ok(rebuilt) = rebuild(&journal[..soon])
            {
                let part = journal[..soon].to_vec();
                journal = go_on(&part, rebuilt, &mut Vec::new());
            }
        }
        assert_eq!(outcome(&journal), expected, "run {run}");
        resumed += verify(&journal[..], |_| {}).unwrap().resumed;
    }
    assert!(resumed > 200, "{resumed}");
}

/// Players who were not asked are reported at any moment a driver may choose: the record suffices to replay it.
#[test]
fn faults_of_players_who_were_not_asked_are_played_again_wherever_they_fall() {
    let mut reported = 0;
    for run in 0..200u32 {
        let seed = Seed::chosen(format!("unasked {run}"));
        let on_foul = if run % 2 == 0 { OnFoul::Eject } else { OnFoul::Fold };
        let header = header(&seed, &["random", "caller"], 4, 8, 80, on_foul);
        let memory = Memory::default();
        let mut journal =
            Journal::begin(Box::new(memory.clone()), header.clone(), Durability::AtTheEnd).unwrap();
        let mut dice = seed.stream("reports");
        let mut report = |tournament: &TableGame, moment: Moment| {
            if tournament.table().round_number() == 0 || !dice.one_in(40) {
                return None;
            }
            let seat = Seat::new(dice.below(6) as usize);
            if moment == Moment::Asked(seat) && !tournament.table().seated().contains(seat) {
                return None;
            }
            reported += 1;
            // House bots are asked whenever they answer.
            let is_house = header.players[seat.index()].github_id.starts_with("house:");
            Some((
                seat,
                match if is_house { 0 } else { dice.below(3) } {
                    0 => Fault::Removed { reason: "asleep".to_string() },
                    1 => Fault::Stray { sent: "bet:1".to_string() },
                    _ => Fault::NotReading,
                },
            ))
        };
        let mut bots = house(&header);
        let mut tournament = header.event().unwrap();
        play_on(&mut tournament, &mut bots, &mut journal, &faulty_answer, &mut report, &mut Vec::new())
            .unwrap();
        drop(journal);
        let bytes = memory.bytes();
        verify(&bytes[..], |_| {}).unwrap_or_else(|error| panic!("run {run}: {error}"));
        // Cut anywhere, it can be resumed, no chip is lost, and an ejected player stays out.
        for _ in 0..8 {
            let cut = dice.below(bytes.len() as u32) as usize;
            let Ok(rebuilt) = rebuild(&bytes[..cut]) else { continue };
            let out: SeatSet = (0..6)
                .map(Seat::new)
                .filter(|seat| !rebuilt.event.playing_on().contains(&seat.index()))
                .collect();
            let resumed = go_on(&bytes[..cut], rebuilt, &mut Vec::new());
            verify(&resumed[..], |_| {}).unwrap_or_else(|error| panic!("run {run}, cut {cut}: {error}"));
            let Some(JournalLine::Over { standings, forfeited, .. }) = lines(&resumed).pop() else {
                panic!()
            };
            assert_eq!(standings.iter().map(|line| u64::from(line.chips)).sum::<u64>() + forfeited, 6 * 80);
            for seat in out {
                let id = &header.players[seat.index()].github_id;
                let standing = standings.iter().find(|line| line.github_id == *id).unwrap();
                assert!(standing.left_in_round.is_some(), "run {run}, cut {cut}: {id} is back");
            }
        }
    }
    assert!(reported > 300, "{reported}");
}

/// Each message is on disk before it is sent, wherever the disk fails, and the disk is not used again after a failure.
#[test]
fn a_disk_that_fails_at_any_call_stops_everything_before_the_next_word() {
    let seed = Seed::chosen(SEED);
    let header = header(&seed, &["random", "cautious"], 3, 12, 60, OnFoul::Eject);
    let play = |fails_at| {
        let memory = Memory::default();
        memory.0.lock().unwrap().fails_at = fails_at;
        let mut said = Vec::new();
        let played = Journal::begin(Box::new(memory.clone()), header.clone(), Durability::EveryRound)
            .and_then(|mut journal| {
                let mut bots = house(&header);
                let mut tournament = header.event().unwrap();
                play_on(&mut tournament, &mut bots, &mut journal, &faulty_answer, &mut nobody, &mut said)
            });
        (played, said, memory)
    };
    let (played, everything, memory) = play(None);
    played.unwrap();
    let calls = memory.0.lock().unwrap().calls;
    assert!(calls > 12, "{calls}");
    for call in 1..=calls {
        let (played, said, memory) = play(Some(call));
        assert_eq!(played.unwrap_err().kind(), std::io::ErrorKind::StorageFull, "call {call}");
        let inside = memory.0.lock().unwrap();
        assert_eq!(inside.after, 0, "call {call}: the disk was asked again after it had failed");
        assert_eq!(said, everything[..said.len()], "call {call}");
        // The synced part contains every message that was sent.
        let on_disk = String::from_utf8(inside.bytes[..inside.synced].to_vec()).unwrap();
        for word in &said {
            let needed = match word {
                Said::Status(round, _) => format!("{{\"type\":\"end\",\"round\":{round},"),
                Said::Done(seat, why)
                    if on_disk.contains("\"over\"") && on_disk.contains("\"left_in_round\":null") =>
                {
                    let _ = (seat, why);
                    "\"type\":\"over\"".to_string()
                }
                Said::Done(seat, why) => {
                    format!("\"seat\":{},\"forfeited\":", seat.index() + 1)
                        + &on_disk_left(&on_disk, seat, why)
                }
            };
            assert!(on_disk.contains(&needed), "call {call}: {word:?} is not recorded");
        }
        // The unsynced part can be resumed to the same end, too.
        if let Ok(rebuilt) = rebuild(&inside.bytes) {
            let resumed = go_on(&inside.bytes, rebuilt, &mut Vec::new());
            let (_, whole_journal, _) = tournament(SEED, OnFoul::Eject);
            assert_eq!(outcome(&resumed), outcome(&whole_journal), "call {call}");
        }
    }
}

/// The end of the line that records a player's exit for this reason, as it is in the text.
fn on_disk_left(text: &str, seat: &Seat, why: &str) -> String {
    let start = format!("{{\"type\":\"left\",\"seat\":{},\"forfeited\":", seat.index() + 1);
    let why = format!(",\"why\":{}}}", serde_json::to_string(why).unwrap());
    let line = text.lines().find(|line| line.starts_with(&start) && line.ends_with(&why));
    line.map_or_else(|| "no such line".to_string(), |line| line[start.len()..].to_string())
}

/// The example on the page is a journal, and the one the dealer writes.
#[test]
fn the_page_shows_a_real_journal() {
    let page = include_str!("../../../../../docs/journal.md");
    let example: String = page
        .lines()
        .filter(|line| line.starts_with("    {\"type\":"))
        .map(|line| format!("{}\n", line.trim_start()))
        .collect();
    let verified = verify(example.as_bytes(), |_| {}).unwrap();
    assert_eq!((verified.rounds, verified.end), (2, JournalEnd::Over));
    let header = Reader::new(example.as_bytes()).unwrap().header().clone();
    let memory = Memory::default();
    let mut journal = Journal::begin(Box::new(memory.clone()), header.clone(), Durability::AtTheEnd).unwrap();
    let mut tournament = header.event().unwrap();
    let mut bots = house(&header);
    play_on(&mut tournament, &mut bots, &mut journal, &faulty_answer, &mut nobody, &mut Vec::new()).unwrap();
    drop(journal);
    assert_eq!(String::from_utf8(memory.bytes()).unwrap(), example);
}

#[test]
fn lines_of_time_banks_change_nothing_at_the_tables() {
    let (_, journal, _) = tournament(SEED, OnFoul::Eject);
    let verified = verify(&journal[..], |_| {}).unwrap();
    // The last line knows the bytes before it.
    let body = journal.split_inclusive(|byte| *byte == b'\n').take(verified.lines as usize - 1);
    let mut with_time_bank = Vec::new();
    let mut added = 0;
    for line in body {
        let parsed: JournalLine = serde_json::from_slice(line).unwrap();
        if let JournalLine::Reply { seat, .. } | JournalLine::Foul { seat, .. } = parsed {
            JournalLine::TimeBank { seat, used_ms: 9, left_ms: 1_991 }.write(&mut with_time_bank);
            added += 1;
        }
        with_time_bank.extend_from_slice(line);
    }
    assert!(added > 10 && with_time_bank.ends_with(b"}\n"));
    assert!(
        String::from_utf8_lossy(&with_time_bank)
            .contains("\n{\"type\":\"time_bank\",\"seat\":1,\"used_ms\":9,\"left_ms\":1991}\n")
    );
    let again = verify(&with_time_bank[..], |_| {}).unwrap();
    assert_eq!((again.rounds, again.lines), (verified.rounds, verified.lines - 1 + added));
    assert!(matches!(again.end, JournalEnd::Unsaid { tail: Tail::Whole }), "{again:?}");
    // Also where the host died in the middle, and with such a line as the last one.
    for part in [with_time_bank.len(), with_time_bank.len() / 2, with_time_bank.len() / 3] {
        let cut = &with_time_bank[..part];
        let end = cut.windows(12).rposition(|bytes| bytes == b"\"time_bank\",").unwrap();
        let cut =
            &with_time_bank[..=end + with_time_bank[end..].iter().position(|byte| *byte == b'\n').unwrap()];
        let resumed = go_on(cut, rebuild(cut).unwrap(), &mut Vec::new());
        let resumed =
            outcome(&resumed).into_iter().filter(|line| !matches!(line, JournalLine::TimeBank { .. }));
        assert_eq!(resumed.collect::<Vec<_>>(), outcome(&journal));
    }
}
