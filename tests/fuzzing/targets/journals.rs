//! Changed journals: read, verified, rebuilt and resumed. Half of the inputs are journals as they are; the others
//! change lines of real ones and then correct the checksums over all lines, as a forger would.

use std::io;
use std::num::NonZero;
use std::sync::{Arc, Mutex, PoisonError};

use casino_stud::journal::{Digest, Durability, Journal, Reader, Store, Tail};
use casino_stud::replay::{HouseBots, JournalEnd, RebuiltTournament, Replay, ReplayError, Verified, verify};
use casino_stud::strategies::Bot;
use casino_stud::table::{Question, Reply};
use casino_stud::tournament::{EventBots, play_until};

use super::dice::Dice;

macro_rules! journals {
    ($($name:literal)*) => {
        [$(include_bytes!(concat!("../../data/golden/journals/", $name, ".jsonl"))),*]
    };
}

/// The journals that are changed. One of each kind of event, and such with fouls.
const JOURNALS: [&[u8]; 6] = journals!("play-one" "late" "fold" "play-levels" "play-swiss" "play-ask");

pub fn body(input: &[u8]) {
    let mut dice = Dice::of(input);
    if dice.byte().is_multiple_of(2) {
        return judge(dice.rest());
    }
    judge(&changed(dice));
}

fn changed(mut dice: Dice<'_>) -> Vec<u8> {
    let mut lines: Vec<Vec<u8>> = JOURNALS[dice.below(JOURNALS.len())]
        .split_inclusive(|byte| *byte == b'\n')
        .map(<[u8]>::to_vec)
        .collect();
    for _ in 0..6 {
        if dice.is_empty() || lines.is_empty() {
            break;
        }
        change(&mut lines, &mut dice);
        // A torn line may have lost all of its bytes.
        lines.retain(|line| !line.is_empty());
    }
    with_right_sums(&lines)
}

fn change(lines: &mut Vec<Vec<u8>>, dice: &mut Dice<'_>) {
    let (kind, at) = (dice.below(9), dice.below(lines.len()));
    match kind {
        0 => drop(lines.remove(at)),
        1 => lines.insert(at, lines[at].clone()),
        2 => {
            let other = dice.below(lines.len());
            lines.swap(at, other);
        }
        3 => {
            let place = dice.below(lines[at].len());
            lines[at][place] = dice.byte();
        }
        4 => number(&mut lines[at], dice),
        5 => lines.truncate(at + 1),
        6 => {
            // A last line without its end, as a host leaves it that dies.
            let length = dice.below(lines[at].len());
            lines.truncate(at + 1);
            lines[at].truncate(length);
        }
        7 => {
            let words: String = (0..dice.below(12)).map(|_| char::from(32 + dice.byte() % 96)).collect();
            let line = format!("{{\"type\":\"console\",\"action\":{words:?}}}\n");
            lines.insert(at, line.into_bytes());
        }
        _ => {
            let round = dice.number();
            lines.insert(
                at,
                format!("{{\"type\":\"resumed\",\"round\":{round},\"before\":\"\"}}\n").into_bytes(),
            );
        }
    }
}

/// Writes another number for one of those in the line.
fn number(line: &mut Vec<u8>, dice: &mut Dice<'_>) {
    let is_digit = |at: usize| line.get(at).is_some_and(u8::is_ascii_digit);
    let begins = |at: &usize| is_digit(*at) && (*at == 0 || !is_digit(*at - 1));
    let places: Vec<usize> = (0..line.len()).filter(begins).collect();
    if places.is_empty() {
        return;
    }
    let from = places[dice.below(places.len())];
    let to = (from..line.len()).find(|at| !is_digit(*at)).unwrap_or(line.len());
    let number = dice.number().to_string();
    line.splice(from..to, number.into_bytes());
}

/// The lines with each sum over all lines before it corrected.
fn with_right_sums(lines: &[Vec<u8>]) -> Vec<u8> {
    const FIELD: &[u8] = b"\"before\":\"";
    let (mut journal, mut digest) = (Vec::new(), Digest::default());
    for line in lines {
        let mut line = line.clone();
        if let Some(at) = line.windows(FIELD.len()).position(|window| window == FIELD) {
            let from = at + FIELD.len();
            let to = from + line[from..].iter().position(|byte| *byte == b'"').unwrap_or(0);
            line.splice(from..to, digest.hex().into_bytes());
        }
        digest.add(&line);
        journal.extend(line);
    }
    journal
}

fn judge(journal: &[u8]) {
    // Believing the recorded house bots must not give another result.
    let believed = Reader::new(journal).map_err(ReplayError::from).and_then(|lines| {
        let mut replay = Replay::new(lines, HouseBots::AsRecorded)?;
        while replay.next(&mut ())?.is_some() {}
        Ok(replay.lines())
    });
    let mut told = 0;
    let verified = verify(journal, |bytes| {
        assert!(told <= bytes && bytes <= journal.len() as u64, "{bytes} bytes are done, after {told}");
        told = bytes;
    });
    let rebuilt = Reader::new(journal)
        .map_err(ReplayError::from)
        .and_then(|lines| Replay::new(lines, HouseBots::Recomputed)?.rebuild());
    match (verified, rebuilt) {
        (Ok(verified), Ok(rebuilt)) => {
            assert_eq!(believed.expect("house bots that answer as recorded may be believed"), verified.lines);
            sound(&verified, &rebuilt, journal);
            go_on(journal, rebuilt, &verified);
        }
        (Err(error), rebuilt) => {
            bounded(&error, journal);
            // A line after the end of a tournament invalidates a journal that cannot be resumed anyway.
            assert!(rebuilt.is_err() || error.to_string().contains("follows the end"), "{error}");
        }
        (Ok(_), Err(error)) => panic!("verified, but not rebuilt: {error}"),
    }
}

/// Checks that an error is not much longer than the longest line.
fn bounded(error: &ReplayError, journal: &[u8]) {
    let said = error.to_string();
    let longest = journal.split(|byte| *byte == b'\n').map(<[u8]>::len).max().unwrap_or(0);
    assert!(said.len() <= 20 * longest + 8_000, "{} bytes are said of lines of {longest}", said.len());
}

/// Checks a verified tournament: its lines are the whole journal, and the chips add up.
fn sound(verified: &Verified, rebuilt: &RebuiltTournament, journal: &[u8]) {
    let counted = match rebuilt.tail {
        Tail::Whole => journal.len(),
        Tail::Torn { at, bytes, .. } => {
            assert_eq!(at + bytes, journal.len() as u64, "only the end does not count");
            at as usize
        }
    };
    let (counted, cut) = journal.split_at(counted);
    assert_eq!((counted.last(), verified.bytes), (Some(&b'\n'), counted.len() as u64));
    assert_eq!(verified.lines, counted.iter().filter(|byte| **byte == b'\n').count() as u64);
    assert_eq!(verified.end == JournalEnd::Over, rebuilt.is_finished);
    let deals = |line: &&[u8]| line.starts_with(b"{\"type\":\"deal\"");
    assert!(!cut.contains(&b'\n') || deals(&cut), "whole lines are cut off from a deal on");
    let header = &rebuilt.header;
    if let (false, [table]) = (header.terms.plan.numbers_tables(), rebuilt.event.tables()) {
        let table = table.table();
        let chips: u64 = table.stacks().iter().map(|chips| u64::from(*chips)).sum();
        assert_eq!(
            chips + rebuilt.event.forfeited(),
            u64::from(header.terms.stack) * header.players.len() as u64
        );
    }
}

#[derive(Clone)]
struct Memory(Arc<Mutex<Vec<u8>>>);

impl Store for Memory {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(())
    }

    fn sync(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Resumes the verified journal, as a host does, and verifies the result. All players but house bots call.
fn go_on(journal: &[u8], mut rebuilt: RebuiltTournament, before: &Verified) {
    if rebuilt.is_finished
        || rebuilt.header.players.len() > 20
        || rebuilt.header.terms.rounds.is_none_or(|rounds| rounds > 200)
    {
        return;
    }
    let store = Memory(Arc::new(Mutex::new(journal[..before.bytes as usize].to_vec())));
    let mut written = Journal::go_on(Box::new(store.clone()), &rebuilt.resume_point(), Durability::AtTheEnd)
        .expect("memory takes it");
    let call = |question: &Question<'_>| match question.bounds {
        bounds if bounds.most() < bounds.to_call => Reply::Fold,
        bounds => Reply::Bet(bounds.to_call),
    };
    let players = rebuilt.house.players.drain(..).map(|bot| -> Box<dyn Bot> {
        match bot {
            Some(bot) => Box::new(bot),
            None => Box::new(call),
        }
    });
    let mut bots = EventBots::new(players.collect());
    let rounds = std::cell::Cell::new(0);
    let enough = || {
        rounds.set(rounds.get() + 1);
        rounds.get() > 8
    };
    play_until(&mut rebuilt.event, &mut bots, &mut written, NonZero::<usize>::MIN, enough)
        .expect("memory takes it");
    drop(written);
    let journal = store.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let after = verify(&journal[..], |_| {}).unwrap_or_else(|error| panic!("what was gone on with: {error}"));
    assert_eq!(after.resumed, before.resumed + 1);
    assert!(after.rounds >= before.rounds && after.bytes == journal.len() as u64);
}
