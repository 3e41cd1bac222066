//! Journals that were changed, damaged or never were journals.

use std::io::{self, BufRead, Read};

use super::*;

/// A finished journal of a host that died twice, once after an ejection in the round in play.
fn eventful() -> Vec<u8> {
    let (_, journal, _) = tournament(SEED, OnFoul::Eject);
    let entries: Vec<_> = Reader::new(&journal[..]).unwrap().map(Result::unwrap).collect();
    let left = entries.windows(2).find(|pair| {
        matches!((&pair[0].line, &pair[1].line), (JournalLine::Foul { .. }, JournalLine::Left { .. }))
    });
    let left = &left.unwrap()[1];
    let part = &journal[..left.offset as usize + left.bytes.len()];
    let journal = go_on(part, rebuild(part).unwrap(), &mut Vec::new());
    let part = &journal[..journal.len() * 3 / 4];
    go_on(part, rebuild(part).unwrap(), &mut Vec::new())
}

fn caught(journal: &[u8]) -> Option<ReplayError> {
    verify(journal, |_| {}).err()
}

/// Whether it is verified as the whole record of a tournament that is over.
fn is_whole(journal: &[u8]) -> bool {
    verify(journal, |_| {}).is_ok_and(|verified| verified.end == JournalEnd::Over)
}

/// The host died between the last round and the line about the end, or while it wrote that line.
#[test]
fn a_journal_that_lacks_only_its_last_line_is_not_accused_and_is_finished_without_a_player() {
    let (_, journal, _) = tournament(SEED, OnFoul::Eject);
    let start = journal[..journal.len() - 1].iter().rposition(|byte| *byte == b'\n').unwrap() + 1;
    let over = String::from_utf8_lossy(&journal[start..]).into_owned();
    assert!(over.starts_with("{\"type\":\"over\""), "{over}");
    for cut in [start, start + 1, journal.len() - 1] {
        let verified = verify(&journal[..cut], |_| {}).unwrap();
        let JournalEnd::Unsaid { tail } = verified.end else { panic!("{verified:?}") };
        assert_eq!(tail != Tail::Whole, cut > start);
        assert!(is_whole(&go_on(&journal[..cut], rebuild(&journal[..cut]).unwrap(), &mut Vec::new())));
    }
}

#[test]
fn every_line_that_is_missing_is_missed() {
    let journal = eventful();
    assert!(is_whole(&journal));
    let lines: Vec<&[u8]> = journal.split_inclusive(|byte| *byte == b'\n').collect();
    for missing in 0..lines.len() {
        let without: Vec<u8> = lines
            .iter()
            .enumerate()
            .filter(|(at, _)| *at != missing)
            .flat_map(|(_, line)| *line)
            .copied()
            .collect();
        assert!(!is_whole(&without), "line {} can be left out", missing + 1);
    }
}

#[test]
fn any_two_neighbouring_lines_that_are_swapped_are_noticed() {
    let journal = eventful();
    let lines: Vec<&[u8]> = journal.split_inclusive(|byte| *byte == b'\n').collect();
    for at in 1..lines.len() {
        let mut swapped = lines.clone();
        swapped.swap(at - 1, at);
        if swapped != lines {
            assert!(caught(&swapped.concat()).is_some(), "lines {} and {} can be swapped", at, at + 1);
        }
    }
}

#[test]
fn every_byte_that_is_changed_is_noticed() {
    let journal = eventful();
    for at in 0..journal.len() {
        for flip in [0x01, 0x10, 0x20] {
            let mut changed = journal.clone();
            changed[at] ^= flip;
            assert!(!is_whole(&changed), "byte {at} can be changed by {flip:#x}");
        }
    }
}

/// Plausible manual changes, with the place and words of the error.
#[test]
fn changes_that_make_sense_are_shown_where_they_are() {
    let (_, bytes, _) = tournament(SEED, OnFoul::Eject);
    let text = String::from_utf8(bytes).unwrap();
    let line_of = |part: &str| text.lines().position(|line| line.contains(part)).unwrap() as u64 + 1;
    let change = |part: &str, by: &str| {
        assert!(text.contains(part), "{part}");
        match caught(text.replacen(part, by, 1).as_bytes()) {
            Some(ReplayError::Differs(difference)) => *difference,
            other => panic!("{part}: {other:?}"),
        }
    };
    let deal = text.lines().nth(2).unwrap();
    let card = deal.split('"').find(|word| word.len() == 2 && word.ends_with('S')).unwrap();
    let other = if card == "2S" { "3S" } else { "2S" };
    let difference = change(deal, &deal.replacen(card, other, 1));
    assert_eq!(difference.number, 3);
    assert!(difference.why.contains(card) && difference.why.contains(other), "{difference}");

    let won = text.lines().find(|line| line.contains("\"won\"")).unwrap();
    let (start, chips) = won.trim_end_matches('}').rsplit_once(':').unwrap();
    let more = chips.parse::<u32>().unwrap() + 1;
    let difference = change(won, &format!("{start}:{more}}}"));
    assert_eq!(difference.number, line_of("\"won\""));
    assert!(difference.why.contains(&format!("chips is {more} where {chips} follows")), "{difference}");

    let end = text.lines().find(|line| line.contains("\"end\"")).unwrap();
    let difference = change(end, &end.replacen("\"stacks\":[", "\"stacks\":[1", 1));
    assert!(difference.why.contains("stacks is"), "{difference}");

    let difference = change("\"reply_ms\":1000", "\"reply_ms\":9000");
    assert!(difference.why.contains("something before this line was changed"), "{difference}");

    let difference = change(&format!("\"seed\":\"{SEED}\""), "\"seed\":\"another\"");
    assert!(difference.number <= 2, "{difference}");

    let difference = change("\"rounds\":12", "\"rounds\":3");
    assert!(difference.why.contains("rounds is 12 where 3 follows"), "{difference}");

    let shorter = text.replace("\"rounds\":12", "\"rounds\":3");
    let Some(ReplayError::Differs(difference)) = caught(shorter.as_bytes()) else { panic!() };
    assert!(difference.why.contains("the tournament is over"), "{difference}");
}

#[test]
fn a_changed_reply_is_noticed_at_once_or_by_what_follows() {
    let (_, bytes, _) = tournament(SEED, OnFoul::Eject);
    let text = String::from_utf8(bytes).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    for at in 0..lines.len() {
        let Some((start, chips)) = lines[at].split_once("\"reply\":\"bet:") else { continue };
        let chips: u32 = chips.trim_end_matches("\"}").parse().unwrap();
        let mut changed = lines.clone();
        let line = format!("{start}\"reply\":\"bet:{}\"}}", chips + 1);
        changed[at] = &line;
        let Some(ReplayError::Differs(difference)) = caught((changed.join("\n") + "\n").as_bytes()) else {
            panic!("line {}: {line}", at + 1)
        };
        let end = (at..lines.len()).find(|line| lines[*line].contains("\"end\"")).unwrap();
        assert!((at..=end).contains(&(difference.number as usize - 1)), "{difference}");
    }
}

#[test]
fn a_promise_binds() {
    let seed = Seed::drawn([5; 32]);
    let header = header(&seed, &["caller", "caller", "random"], 0, 3, 50, OnFoul::Eject);
    let memory = Memory::default();
    let mut journal = Journal::begin(Box::new(memory.clone()), header.clone(), Durability::AtTheEnd).unwrap();
    let mut bots = house(&header);
    let mut tournament = header.event().unwrap();
    play_on(&mut tournament, &mut bots, &mut journal, &faulty_answer, &mut nobody, &mut Vec::new()).unwrap();
    drop(journal);
    let text = String::from_utf8(memory.bytes()).unwrap();
    let promise = seed.promise().unwrap();
    assert_eq!(verify(text.as_bytes(), |_| {}).unwrap().promise.as_ref(), Some(&promise));
    for (from, to) in [
        (promise.as_str(), Seed::drawn([6; 32]).promise().unwrap().as_str()),
        (seed.text(), Seed::drawn([6; 32]).text()),
        (seed.text(), "my lucky seed"),
    ] {
        let changed = text.replacen(from, to, 1);
        let Some(ReplayError::Differs(difference)) = caught(changed.as_bytes()) else { panic!("{to}") };
        assert_eq!(difference.number, 1);
        assert!(difference.why.contains("promised"), "{difference}");
    }
    // A promise that was never made cannot be slipped in, nor one that was made be dropped.
    let dropped = text.replacen(&format!("\"{promise}\""), "null", 1);
    assert!(caught(dropped.as_bytes()).is_some());
}

#[test]
fn what_is_no_journal_is_refused_in_words() {
    let (_, journal, _) = tournament(SEED, OnFoul::Eject);
    let text = String::from_utf8(journal).unwrap();
    let refusal = |text: &str| match rebuild(text.as_bytes()) {
        Err(error) => error.to_string(),
        Ok(_) => panic!("{text}"),
    };
    assert!(refusal("").contains("no whole line"));
    assert!(refusal("{\"type\":\"casino_day\",\"vers").contains("no whole line"));
    assert!(refusal("hello").contains("no journal"));
    assert!(refusal("hello\n").contains("no journal"));
    assert!(refusal("{\"type\":\"end\",\"round\":1,\"stacks\":[]}\n").contains("no journal"));
    assert!(refusal(&text.replacen("\"version\":3", "\"version\":1", 1)).contains("version 1"));
    assert!(refusal(&text.replacen("\"stack\":60", "\"stack\":4000000000", 1)).contains("too many chips"));
    assert!(refusal(&text.replacen("\"stack\":60", "\"stack\":0", 1)).contains("cannot pay an ante"));
    assert!(
        refusal(&text.replacen("{\"house\":\"random\"}", "{\"house\":\"nobody\"}", 1)).contains("nobody")
    );
    assert!(refusal(&text.replacen("\"seat\":1,", "\"seat\":9,", 1)).contains("seat 9"));
    assert!(refusal(&text.replacen("hub-1", "zub-1", 1)).contains("by the seed"));
    // Damage inside is refused with its line and its offset.
    let third = text.match_indices('\n').nth(1).unwrap().0 + 1;
    let mut damaged = text.clone();
    damaged.replace_range(third..third + 1, "\u{0}");
    let words = refusal(&damaged);
    assert!(words.contains("line 3") && words.contains(&format!("offset {third}")), "{words}");
    // A valid line that does not follow is refused in the same way.
    let fourth = text.match_indices('\n').nth(2).unwrap().0 + 1;
    let words = refusal(&text.replacen("\"street\":1", "\"street\":2", 1));
    assert!(words.contains("line 4") && words.contains(&format!("offset {fourth}")), "{words}");
    // A list with the same fields is read as a line, and no dealer writes it.
    let end = fourth + text[fourth..].find('\n').unwrap();
    let words = refusal(&format!("{}[\"street\",1,1]{}", &text[..fourth], &text[end..]));
    assert!(words.contains("line 4") && words.contains("street"), "{words}");
}

/// Random changes of bytes never cause a panic, not even in numbers.
#[test]
fn hostile_journals_are_refused_and_never_believed() {
    let journal = eventful();
    let mut dice = Seed::chosen("hostile").stream("bytes");
    for _ in 0..4_000 {
        let mut changed = journal.clone();
        for _ in 0..=dice.below(3) {
            let at = dice.below(changed.len() as u32) as usize;
            // Mostly digits: impossible seats, chips and lengths.
            let digit = b'0' + dice.below(10) as u8;
            match dice.below(4) {
                0 => changed.insert(at, digit),
                1 => drop(changed.remove(at)),
                2 => changed[at] = digit,
                _ => changed[at] = dice.below(256) as u8,
            }
        }
        if changed != journal {
            assert!(caught(&changed).is_some());
            let _ = rebuild(&changed);
        }
    }
}

/// A file of gigabytes without a line feed is not read into memory: no line of a journal has sixteen mebibytes.
#[test]
fn a_line_longer_than_any_is_refused_and_a_shorter_one_is_torn() {
    const LONGEST: usize = MAX_LINE_BYTES as usize;
    let (_, journal, _) = tournament(SEED, OnFoul::Eject);
    let end = journal.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    let followed_by = |length: usize| {
        let bytes = [&journal[..end], &vec![b'x'; length]].concat();
        let mut reader = Reader::new(&bytes[..]).unwrap();
        (reader.next().transpose(), reader.next().is_none(), reader.tail(), reader.lines(), reader.offset())
    };
    for length in [LONGEST, 3 * LONGEST] {
        let (read, is_over, tail, ..) = followed_by(length);
        let Err(ReadError::Damaged { number, offset, why }) = read else { panic!("{length}: {read:?}") };
        assert_eq!((number, offset, why.as_str()), (2, end as u64, "it is too long"));
        assert!(is_over && tail == Tail::Whole, "after an error nothing more comes");
    }
    let (read, is_over, tail, lines, offset) = followed_by(LONGEST - 1);
    assert!(read.unwrap().is_none() && is_over);
    assert_eq!((lines, offset), (1, end as u64));
    let words = format!("line 2 has no end: 16777215 bytes from offset {end}, written as the host died");
    assert_eq!(tail.to_string(), words);
    assert_eq!(followed_by(0).2, Tail::Whole);

    let endless = b"{\"type\":\"casino_day\",".iter().copied().chain(std::iter::repeat_n(b'x', LONGEST));
    let refused = Reader::new(&endless.collect::<Vec<u8>>()[..]).unwrap_err().to_string();
    assert!(refused.contains("it is too long"), "{refused}");
}

/// Two journals in one file are not one.
#[test]
fn a_second_header_is_refused() {
    let (_, journal, _) = tournament(SEED, OnFoul::Eject);
    let twice = [&journal[..], &journal[..]].concat();
    let read: Vec<_> = Reader::new(&twice[..]).unwrap().collect();
    let Some(Err(ReadError::Damaged { offset, why, .. })) = read.last() else { panic!("{:?}", read.last()) };
    assert_eq!((*offset, why.as_str()), (journal.len() as u64, "it is a second header"));
}

/// A line in another notation was not written by a dealer and is refused.
#[test]
fn a_line_that_is_written_otherwise_is_shown_where_it_is() {
    let text = String::from_utf8(eventful()).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let mut kinds = std::collections::BTreeSet::new();
    for at in 1..lines.len() {
        let mut changed = lines.clone();
        let line = changed[at].replacen("\"type\":", "\"type\": ", 1);
        kinds.insert(line.split('"').nth(3).unwrap().to_string());
        changed[at] = &line;
        match caught((changed.join("\n") + "\n").as_bytes()) {
            Some(ReplayError::Differs(difference)) => {
                assert_eq!(difference.number, at as u64 + 1, "{line}");
                assert_eq!(difference.recorded.as_deref(), Some(line.as_str()));
                assert_eq!(difference.computed.as_deref(), Some(lines[at]), "{line}");
            }
            other => panic!("line {}: {other:?}", at + 1),
        }
    }
    assert!(
        ["deal", "street", "reply", "won", "end", "resumed", "over"].iter().all(|kind| kinds.contains(*kind))
    );
}

/// The first and the last line name all players: with the longest names and sentences they are no longer than a line
/// may be. Equal names cost no more than distinct ones.
#[test]
fn the_lines_of_the_greatest_event_can_be_read() {
    let longest =
        |index: usize| Entrant::new(format!("{}{index:05}", "\u{1}".repeat(59)), "\u{1f0cf}".repeat(40));
    let seed = Seed::chosen("great");
    let roster = Roster::new(&(0..MAX_PLAYERS).map(longest).collect::<Vec<_>>(), &seed);
    let players = roster.players().iter().map(|player| (player.clone(), PlayerSource::Remote));
    let header = Header::new(Terms::single_table(500, 1_000), &seed, players);
    let standings = roster.players().iter().map(|player| StandingLine {
        place: Some(MAX_PLAYERS),
        name: player.name.clone(),
        github_id: player.github_id.clone(),
        chips: 500,
        points: Some(i64::MIN),
        left_in_round: Some(1_000),
        how: Some("late".repeat(5)),
        why: Some("why".repeat(200)),
        fouls: Some(ForgivenFouls {
            count: u32::MAX,
            first_round: u64::MAX,
            kinds: (0..5).map(|kind| (format!("{kind} unsolicited message"), u32::MAX)).collect(),
        }),
    });
    let before = "0".repeat(64);
    let over = JournalLine::Over { rounds: 1_000, forfeited: 0, standings: standings.collect(), before };
    let mut journal = Vec::new();
    for line in [JournalLine::CasinoDay(header.clone()), over.clone()] {
        let start = journal.len();
        line.write(&mut journal);
        assert!(((journal.len() - start) as u64) < MAX_LINE_BYTES, "{} bytes", journal.len() - start);
    }
    let mut reader = Reader::new(&journal[..]).unwrap();
    assert_eq!(*reader.header(), header);
    assert_eq!(reader.next().unwrap().unwrap().line, over);
}

/// A file whose every other read is interrupted, until one fails for good.
struct Unsteady<'a> {
    bytes: &'a [u8],
    reads: usize,
    fails_at: usize,
}

impl Read for Unsteady<'_> {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        unreachable!("a journal is read through its buffer")
    }
}

impl BufRead for Unsteady<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.reads += 1;
        match self.reads {
            reads if reads == self.fails_at => Err(io::ErrorKind::NotConnected.into()),
            reads if reads % 2 == 1 => Err(io::ErrorKind::Interrupted.into()),
            _ => Ok(self.bytes),
        }
    }

    fn consume(&mut self, amount: usize) {
        self.bytes = &self.bytes[amount..];
    }
}

#[test]
fn an_interrupted_read_is_tried_again_and_a_failed_one_is_told() {
    let journal = eventful();
    let whole = lines(&journal).len();
    let read = |fails_at| {
        let reader = Reader::new(Unsteady { bytes: &journal, reads: 0, fails_at }).unwrap();
        reader.collect::<Result<Vec<_>, _>>()
    };
    assert_eq!(read(usize::MAX).unwrap().len(), whole);
    assert!(read(10).unwrap_err().to_string().starts_with("it cannot be read"));
}
