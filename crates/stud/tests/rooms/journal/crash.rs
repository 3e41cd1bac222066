//! A journal after a crash: announced rounds count, a torn round never happened, and orders of the teacher survive.

use casino_stud::journal::Digest;
use casino_stud::table::{Question, Reply};
use casino_stud::tournament::ConsoleAction;

use super::*;

/// The journal up to the end of this round.
fn up_to_round(journal: &[u8], wanted: u64) -> Vec<u8> {
    let mut up_to = journal.to_vec();
    let mut entries = Reader::new(journal).unwrap().map(Result::unwrap);
    let end = entries.find(|entry| matches!(entry.line, JournalLine::End { round, .. } if round == wanted));
    let end = end.unwrap();
    up_to.truncate(end.offset as usize + end.bytes.len());
    up_to
}

fn order(journal: &mut Vec<u8>, action: ConsoleAction) {
    JournalLine::Console { action }.write(journal);
}

/// The host died between the line of an order and the round in which it is carried out.
#[test]
fn a_removal_is_pending_until_its_player_is_out() {
    let (header, journal, _) = tournament(SEED, OnFoul::Eject);
    let mut cut = up_to_round(&journal, 1);
    let playing = rebuild(&cut).unwrap().returning();
    assert!(playing.len() > 3, "{playing:?}");
    let out = (0..header.players.len()).find(|player| !playing.contains(player));
    let [first, second] = [playing[0], playing[1]];
    order(&mut cut, ConsoleAction::remove(first, "it plays music"));
    order(&mut cut, ConsoleAction::remove(second, "it sleeps"));
    order(&mut cut, ConsoleAction::remove(first, "once more"));
    order(&mut cut, ConsoleAction::remove(out.unwrap_or(99), "it is gone already, or never came"));
    let rebuilt = rebuild(&cut).unwrap();
    let removals: Vec<(usize, String)> = rebuilt.settings.removals.clone().into_iter().collect();
    assert_eq!(removals, [(first, "it plays music".to_string()), (second, "it sleeps".to_string())]);
    assert_eq!(rebuilt.returning(), playing[2..]);

    // The resuming host carries them out, and then they are not pending any more.
    let mut pending = removals;
    let mut report = |table: &TableGame, _: Moment| {
        let (player, reason) = (table.table().round_number() == 2).then(|| pending.pop()).flatten()?;
        Some((Seat::new(player), Fault::Removed { reason }))
    };
    let memory = Memory::holding(&cut);
    let mut journal =
        Journal::go_on(Box::new(memory.clone()), &rebuilt.resume_point(), Durability::EveryRound).unwrap();
    let RebuiltTournament { mut event, mut house, .. } = rebuilt;
    let answer = |question: &Question<'_>| Ok(settled_reply(question));
    play_on(&mut event, &mut house.players, &mut journal, &answer, &mut report, &mut Vec::new()).unwrap();
    drop(journal);
    let resumed = memory.bytes();
    verify(&resumed[..], |_| {}).unwrap();
    let after = rebuild(&up_to_round(&resumed, 2)).unwrap();
    assert!(after.settings.removals.is_empty());
    assert_eq!(after.returning(), playing[2..]);
}

/// The tables and rounds that a journal deals, in its order.
fn deals(journal: &[u8]) -> Vec<(u32, u64)> {
    let deal = |line| match line {
        JournalLine::Deal { table, round, .. } => Some((table, round)),
        _ => None,
    };
    lines(journal).into_iter().filter_map(deal).collect()
}

/// The offset of each line of a journal with its length, after the header.
fn offsets(journal: &[u8]) -> Vec<usize> {
    let ends = journal.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1);
    ends.collect()
}

/// The host died after an ejection in a round that nobody had been told of: the player is asked again, and if it keeps to
/// the rules now, it plays on.
#[test]
fn an_ejection_in_a_torn_round_never_happened() {
    let mut seen = 0;
    for seed in 0..60 {
        let (_, journal, _) = tournament(&format!("out {seed}"), OnFoul::Eject);
        let entries: Vec<_> = Reader::new(&journal[..]).unwrap().map(Result::unwrap).collect();
        for (at, pair) in entries.windows(2).enumerate() {
            let (JournalLine::Foul { .. }, JournalLine::Left { seat, .. }) = (&pair[0].line, &pair[1].line)
            else {
                continue;
            };
            let cut = pair[1].offset as usize + pair[1].bytes.len();
            let deal = entries[..at].iter().rfind(|entry| matches!(entry.line, JournalLine::Deal { .. }));
            let Some(deal) = deal.filter(|deal| counted(&journal[..cut]) == deal.offset as usize) else {
                // The round had ended.
                continue;
            };
            seen += 1;
            let rebuilt = rebuild(&journal[..cut]).unwrap();
            assert!(rebuilt.returning().contains(&(seat - 1)), "nobody has been told that it is out");
            let memory = Memory::holding(whole(&journal[..cut], &rebuilt));
            let mut again =
                Journal::go_on(Box::new(memory.clone()), &rebuilt.resume_point(), Durability::EveryRound)
                    .unwrap();
            let call = |question: &Question<'_>| Ok(Reply::Bet(question.bounds.to_call));
            let RebuiltTournament { mut event, mut house, .. } = rebuilt;
            play_on(&mut event, &mut house.players, &mut again, &call, &mut nobody, &mut Vec::new()).unwrap();
            drop(again);
            let resumed = memory.bytes();
            verify(&resumed[..], |_| {}).unwrap();
            let after = &resumed[counted(&journal[..cut])..];
            assert!(!String::from_utf8_lossy(after).contains("\"foul\""), "everybody calls now");
            let text = String::from_utf8_lossy(&resumed);
            let deal = String::from_utf8_lossy(&deal.bytes);
            assert_eq!(text.matches(&*deal).count(), 1, "the same deck, to the same players, once");
        }
    }
    assert!(seen > 30, "{seen}");
}

/// Events of several tables, cut in every line: whatever the host had written of a round that some tables lack is cut off and
/// dealt again.
#[test]
fn a_torn_round_is_cut_at_its_first_deal_at_any_table() {
    let header = event_of_tables("half a round");
    let journal = journal_of_house(&header, 1);
    let expected = outcome(&journal);
    let mut half = 0;
    for (number, end) in offsets(&journal).into_iter().enumerate() {
        // In the middle of the next line, too.
        for cut in [end, (end + 7).min(journal.len())] {
            let part = &journal[..cut];
            let rebuilt = rebuild(part).unwrap();
            let kept = whole(part, &rebuilt).len();
            let rounds = deals(&journal[..kept]);
            let torn = deals(part).split_off(rounds.len());
            let of_round =
                |deals: &[(u32, u64)], wanted: u64| deals.iter().filter(|(_, of)| *of == wanted).count();
            if let Some((_, last)) = rounds.last() {
                assert_eq!(
                    of_round(&rounds, *last),
                    of_round(&deals(&journal), *last),
                    "at all tables: cut at {cut}"
                );
            }
            let verified = verify(part, |_| {}).unwrap();
            assert_eq!((verified.rounds, verified.bytes), (rounds.len() as u64, kept as u64));
            if let Some((_, round)) = torn.first() {
                assert!(torn.iter().all(|(_, of)| of == round), "one round at the most: {torn:?}");
                assert!(rounds.iter().all(|(_, of)| of < round), "all of it: {rounds:?}");
                let Tail::Torn { at, round: named, bytes, .. } = rebuilt.tail else { panic!("{torn:?}") };
                assert_eq!((at as usize, named, at + bytes), (kept, Some(*round), cut as u64));
                half += usize::from(torn.len() > 1);
            }
            if number % 3 > 0 {
                continue;
            }
            let memory = Memory::holding(&part[..kept]);
            let point = rebuilt.resume_point();
            let mut again = Journal::go_on(Box::new(memory.clone()), &point, Durability::EveryRound).unwrap();
            if rebuilt.is_finished {
                continue;
            }
            let (mut event, house) = (rebuilt.event, rebuilt.house);
            play_house(&mut event, house, &mut again, 1).unwrap();
            drop(again);
            let resumed = memory.bytes();
            assert_eq!(outcome(&resumed), expected, "cut at {cut}");
            assert_eq!(deals(&resumed), deals(&journal), "each round is dealt once: cut at {cut}");
        }
    }
    assert!(half > 10, "the host died {half} times between two tables of a round");
}

/// Only the end of a journal is cut off. Whatever is wrong before is refused, also if a round seems to have no end.
#[test]
fn a_mismatch_before_the_end_is_never_cut_off() {
    let mut ends = 0;
    for seed in 0..8 {
        ends += refused_without_an_end(&event_of_tables(&format!("in the middle {seed}")));
    }
    assert!(ends > 60, "{ends}");
}

/// Leaves out each end of a round at a table of this event but the last ones, and all lines of the round there. Returns the
/// number of ends.
fn refused_without_an_end(header: &Header) -> usize {
    let journal = journal_of_house(header, 1);
    let lines: Vec<&[u8]> = journal.split_inclusive(|byte| *byte == b'\n').collect();
    let begins = |line: &[u8], kind: &str| line.starts_with(format!("{{\"type\":\"{kind}\"").as_bytes());
    let deals: Vec<usize> = (0..lines.len()).filter(|at| begins(lines[*at], "deal")).collect();
    // A journal that ends with the fifth round before its last.
    let last = deals[deals.len() - 5];
    let refused = |missing: std::ops::Range<usize>| {
        let left: Vec<u8> = [&lines[..missing.start], &lines[missing.end..last]].concat().concat();
        let verified = verify(&left[..], |_| {});
        assert!(matches!(verified, Err(ReplayError::Differs(_))), "without {missing:?}: {verified:?}");
        assert!(rebuild(&left).is_err());
    };
    let mut ends = 0;
    for (at, line) in lines.iter().enumerate().take(deals[deals.len() - 8]).skip(1) {
        if begins(line, "end") {
            refused(at..at + 1);
            ends += 1;
        }
    }
    // All that one table played of a round.
    for pair in deals[..deals.len() - 8].windows(2) {
        if lines[pair[0]..pair[1]].iter().all(|line| !begins(line, "level")) {
            refused(pair[0]..pair[1]);
        }
    }
    ends
}

/// Damage in the part that is cut off is refused as well: a host that dies leaves lines that end, and at most one that does
/// not.
#[test]
fn damage_in_a_torn_round_is_refused() {
    let (_, journal, _) = tournament(SEED, OnFoul::Eject);
    let ends = offsets(&journal);
    let cut = ends[ends.len() * 2 / 3..].iter().find(|end| counted(&journal[..**end]) + 200 < **end).unwrap();
    let deal = counted(&journal[..*cut]);
    let mut damaged = 0;
    for at in deal + 20..cut - 1 {
        let mut part = journal[..*cut].to_vec();
        if part[at] != b'"' {
            continue;
        }
        part[at] = 0;
        let Err(ReplayError::Read(ReadError::Damaged { offset, .. })) = rebuild(&part) else {
            panic!("a hole at {at} of {deal}..{cut} is cut off")
        };
        let line = ends.iter().rfind(|end| **end <= at).unwrap();
        assert_eq!(offset, *line as u64);
        damaged += 1;
    }
    assert!(damaged > 20, "{damaged}");
}

/// Hosts of earlier versions left a torn round in the journal and dealt it again: its first lines are skipped. At the tables
/// that had come to its end, it counted.
#[test]
fn a_torn_round_before_a_resumption_is_skipped() {
    let journal = journal_of_house(&event_of_tables("old"), 1);
    let (ends, mut skipped, mut counts) = (offsets(&journal), 0, 0);
    for cut in ends.iter().copied().skip(2).step_by(5) {
        let part = &journal[..cut];
        let torn = deals(part).len() > deals(&part[..whole(part, &rebuild(part).unwrap()).len()]).len();
        if !torn {
            continue;
        }
        // From the deal of the table that had not come to the end.
        let entries: Vec<_> = Reader::new(part).unwrap().map(Result::unwrap).collect();
        let is_end = matches!(entries.last().unwrap().line, JournalLine::End { .. });
        let deal = entries.iter().rfind(|entry| matches!(entry.line, JournalLine::Deal { .. })).unwrap();
        let JournalLine::Deal { round, .. } = deal.line else { panic!("{deal:?}") };
        let again = if is_end { cut } else { deal.offset as usize };
        let mut old = part.to_vec();
        let mut digest = Digest::default();
        digest.add(&old);
        JournalLine::Resumed { round, before: digest.hex() }.write(&mut old);
        let rest = journal[again..].split_inclusive(|byte| *byte == b'\n');
        old.extend(rest.take_while(|line| !line.starts_with(b"{\"type\":\"over\"")).flatten());
        let verified = verify(&old[..], |_| {}).unwrap_or_else(|error| panic!("cut at {cut}: {error}"));
        assert!(matches!(verified.end, JournalEnd::Unsaid { tail: Tail::Whole }), "{verified:?}");
        assert_eq!((verified.rounds, verified.resumed), (deals(&journal).len() as u64, 1));
        skipped += usize::from(!is_end);
        counts += usize::from(is_end || deals(part).ends_with(&[(1, round), (2, round)]));
        // The public record has neither the lines nor the round twice.
        let mut record = Vec::new();
        casino_stud::replay::PublicRecord::of(&old[..]).unwrap().write(&old[..], &mut record).unwrap();
        assert_eq!(deals(&record), deals(&journal), "cut at {cut}");
        assert_eq!(verify(&record[..], |_| {}).unwrap().rounds, verified.rounds);
    }
    assert!(skipped > 20 && counts > 10, "{skipped} skipped, {counts} counted at one table");
}

/// An earlier version let an ejected player repeat its foul when the round was dealt again. If the others play otherwise, the
/// repeated bet may be legal: the journal is refused in words.
#[test]
fn a_repeated_foul_that_is_legal_now_is_refused_in_words() {
    let header = header(&Seed::chosen("repeated"), &[], 3, 5, 100, OnFoul::Eject);
    // The first player bets this, and the next one 16, of which at most 10 may be a raise.
    let play = |first: u32| {
        let answer =
            |question: &Question<'_>| Ok(Reply::Bet(if question.bounds.to_call == 0 { first } else { 16 }));
        let memory = Memory::default();
        let mut journal =
            Journal::begin(Box::new(memory.clone()), header.clone(), Durability::EveryRound).unwrap();
        let mut event = header.event().unwrap();
        play_on(&mut event, &mut house(&header), &mut journal, &answer, &mut nobody, &mut Vec::new())
            .unwrap();
        String::from_utf8(memory.bytes()).unwrap()
    };
    let (small, large) = (play(5), play(8));
    let line_of = |text: &str, part: &str| {
        let at = text.find(&format!("{{\"type\":\"{part}\"")).unwrap();
        at..at + text[at..].find('\n').unwrap() + 1
    };
    let (foul, left) = (line_of(&small, "foul"), line_of(&small, "left"));
    assert_eq!(foul.end, left.start, "it was ejected");
    let (deal, reply, end) = (line_of(&large, "deal"), line_of(&large, "reply"), line_of(&large, "end"));
    let mut old = small.as_bytes()[..left.end].to_vec();
    let mut digest = Digest::default();
    digest.add(&old);
    JournalLine::Resumed { round: 1, before: digest.hex() }.write(&mut old);
    let at = old.len() + reply.end - deal.start;
    let again = [&large[deal.start..reply.end], &small[foul.clone()], &small[left], &large[end]].concat();
    old.extend(again.as_bytes());
    let Err(ReplayError::Differs(difference)) = verify(&old[..], |_| {}) else { panic!() };
    assert_eq!(difference.offset, at as u64);
    assert!(
        difference.why.contains("an earlier version") && difference.why.contains("legal"),
        "{difference}"
    );
    // Where no round was dealt twice, it is a mismatch as any other.
    let changed = [&large[..reply.end], &again[reply.end - deal.start..]].concat();
    let Err(ReplayError::Differs(difference)) = verify(changed.as_bytes(), |_| {}) else { panic!() };
    assert!(difference.why.contains("where \"reply\" follows"), "{difference}");
}

/// A time bank that was used in a torn round is as full as before it.
#[test]
fn a_torn_round_uses_no_time_bank() {
    let (_, journal, _) = tournament(SEED, OnFoul::Eject);
    let (mut at, mut torn, mut used) = (0, 0, 0);
    for line in journal.split_inclusive(|byte| *byte == b'\n') {
        if let Ok(JournalLine::Reply { seat, .. }) = serde_json::from_slice(line) {
            let mut part = journal[..at].to_vec();
            JournalLine::TimeBank { seat, used_ms: 9, left_ms: 1 }.write(&mut part);
            part.extend_from_slice(line);
            let [before, after] = [&part[..counted(&part)], &part].map(|part| rebuild(part).unwrap().banks);
            assert_eq!(format!("{before:?}"), format!("{after:?}"));
            torn += 1;
            // In a round that has its end, it counts.
            let end = journal[at..].windows(13).position(|bytes| bytes == b"{\"type\":\"end\"").unwrap();
            let length = journal[at + end..].iter().position(|byte| *byte == b'\n').unwrap() + 1;
            part.extend_from_slice(&journal[at + line.len()..at + end + length]);
            used += usize::from(format!("{:?}", rebuild(&part).unwrap().banks) != format!("{before:?}"));
        }
        at += line.len();
    }
    assert!(torn > 50 && used == torn, "{torn} torn, {used} used");
}
