//! Ours beside Java's, string by string: millions of them with `make java`, and a few thousand in every run.

use std::io::{BufReader, Read, Write};
use std::iter;
use std::process::ChildStdin;
use std::sync::mpsc::sync_channel;
use std::thread;

use casino_stud::cards::{Seed, Stream};
use casino_stud::protocol::modified_utf8::{decode_units, encode_units};
use indicatif::{ProgressBar, ProgressStyle};

use super::{LONGEST, oracle};

/// How many strings are asked about at a time.
const BATCH: usize = 4_096;

/// How many longer strings are decoded when nothing is said: a second's work.
const FEW: usize = 20_000;

/// What the oracle is asked about a batch, and what it must answer.
struct Batch {
    request: Vec<u8>,
    expected: Vec<u8>,
    strings: usize,
    accepted: usize,
}

/// What Java was asked, for the report.
#[derive(Default)]
struct Asked {
    strings: u64,
    accepted: u64,
}

/// What has to be written again if the answer differs.
fn verdict_on_bytes(bytes: &[u8], expected: &mut Vec<u8>) -> bool {
    let Ok(units) = decode_units(bytes) else {
        expected.push(0);
        return false;
    };
    expected.push(1);
    expected.extend(u16::try_from(units.len()).expect("no longer than its bytes").to_be_bytes());
    units.iter().for_each(|unit| expected.extend(unit.to_be_bytes()));
    true
}

fn verdict_on_units(units: &[u16], expected: &mut Vec<u8>) -> bool {
    let mut bytes = Vec::new();
    encode_units(units.iter().copied(), &mut bytes);
    let Ok(length) = u16::try_from(bytes.len()) else {
        expected.push(0);
        return false;
    };
    expected.push(1);
    expected.extend(length.to_be_bytes());
    expected.extend(bytes);
    true
}

/// The strings to be decoded, in batches.
fn decoding<'a>(
    strings: impl Iterator<Item = Vec<u8>> + Send + 'a,
) -> impl Iterator<Item = Batch> + Send + 'a {
    batches(b'd', strings, |bytes, request, expected| {
        request.extend(u16::try_from(bytes.len()).expect("a frame holds it").to_be_bytes());
        request.extend(bytes);
        verdict_on_bytes(bytes, expected)
    })
}

/// The strings to be encoded, in batches.
fn encoding<'a>(
    strings: impl Iterator<Item = Vec<u16>> + Send + 'a,
) -> impl Iterator<Item = Batch> + Send + 'a {
    batches(b'e', strings, |units, request, expected| {
        request.extend(u32::try_from(units.len()).expect("short").to_be_bytes());
        units.iter().for_each(|unit| request.extend(unit.to_be_bytes()));
        verdict_on_units(units, expected)
    })
}

fn batches<'a, T: 'a>(
    kind: u8,
    mut strings: impl Iterator<Item = Vec<T>> + Send + 'a,
    mut put: impl FnMut(&[T], &mut Vec<u8>, &mut Vec<u8>) -> bool + Send + 'a,
) -> impl Iterator<Item = Batch> + Send + 'a {
    iter::from_fn(move || {
        let (mut request, mut expected, mut count, mut accepted) = (Vec::new(), Vec::new(), 0, 0);
        for string in strings.by_ref().take(BATCH) {
            count += 1;
            accepted += usize::from(put(&string, &mut request, &mut expected));
        }
        let mut head = vec![kind];
        head.extend(u32::try_from(count).expect("a batch is small").to_be_bytes());
        head.extend(request);
        (count > 0).then_some(Batch { request: head, expected, strings: count, accepted })
    })
}

/// Asks Java about all of these. Whether there is a JDK.
///
/// # Panics
/// If an answer is not what was expected.
fn ask(what: &str, batches: impl Iterator<Item = Batch> + Send, bar: &ProgressBar) -> Option<Asked> {
    let mut java = oracle("batches")?;
    let stdin = java.stdin.take().expect("it is piped");
    let mut answers = BufReader::with_capacity(1 << 16, java.stdout.take().expect("it is piped"));
    // Some batches are under way, so that both sides have something to do.
    let (under_way, sent) = sync_channel(4);
    let mut asked = Asked::default();
    thread::scope(|scope| {
        scope.spawn(move || {
            let send = |mut stdin: ChildStdin| {
                for batch in batches {
                    stdin.write_all(&batch.request)?;
                    if under_way.send(batch).is_err() {
                        break;
                    }
                }
                stdin.flush()
            };
            send(stdin).expect("the oracle reads");
        });
        for batch in sent {
            let mut length = [0; 4];
            answers.read_exact(&mut length).expect("the oracle answers");
            let mut answer = vec![0; u32::from_be_bytes(length) as usize];
            answers.read_exact(&mut answer).expect("the oracle answers");
            assert!(answer == batch.expected, "{what}: {}", first_difference(&answer, &batch));
            asked.strings += batch.strings as u64;
            asked.accepted += batch.accepted as u64;
            bar.inc(batch.strings as u64);
        }
    });
    assert!(java.wait().expect("the oracle ends").success(), "the oracle failed");
    Some(asked)
}

/// Where Java's answer to a batch begins to differ, for who has to find out why.
fn first_difference(answer: &[u8], batch: &Batch) -> String {
    let at = answer.iter().zip(&batch.expected).take_while(|(one, other)| one == other).count();
    let near =
        |bytes: &[u8]| bytes[at.saturating_sub(8)..bytes.len().min(at + 24)].escape_ascii().to_string();
    let (java, ours) = (near(answer), near(&batch.expected));
    format!("from byte {at} of its answer to a batch on Java says {java}, and we say {ours}")
}

/// A unit of any encoded length, surrogates and borders more often than chance would have it.
fn unit(dice: &mut Stream) -> u16 {
    const BORDERS: [u16; 10] = [0, 1, 0x7F, 0x80, 0x7FF, 0x800, 0xD800, 0xDBFF, 0xDC00, 0xFFFF];
    let below = |dice: &mut Stream, bound: u32| dice.below(bound) as u16;
    match dice.below(6) {
        0 => below(dice, 0x80),
        1 => 0x80 + below(dice, 0x780),
        2 => 0x800 + below(dice, 0xF800),
        3 => 0xD800 + below(dice, 0x800),
        4 => BORDERS[dice.below(BORDERS.len() as u32) as usize],
        _ => b'a'.into(),
    }
}

/// Units, as many as their encodings have room in `bytes`.
fn units_within(bytes: usize, dice: &mut Stream) -> Vec<u16> {
    let mut units = Vec::with_capacity(bytes);
    let mut left = bytes;
    while left > 2 {
        let unit = unit(dice);
        left -= match unit {
            1..=0x7F => 1,
            0..=0x7FF => 2,
            _ => 3,
        };
        units.push(unit);
    }
    units.extend(iter::repeat_n(u16::from(b'z'), left));
    units
}

/// How long the next string is: 4 to 64, and one of two thousand up to the longest there are or a little more.
fn length(dice: &mut Stream, beyond: u32) -> usize {
    match dice.below(2_000) {
        0 => LONGEST - 8 + dice.below(9 + beyond) as usize,
        1 => dice.below(LONGEST as u32) as usize,
        _ => 4 + dice.below(61) as usize,
    }
}

/// Bytes to be decoded: random ones, valid ones with overlong forms, surrogates and NULs, and damaged and cut ones.
fn longer_bytes(dice: &mut Stream) -> Vec<u8> {
    let length = length(dice, 0);
    let kind = dice.below(8);
    match kind {
        0 => return (0..length).map(|_| dice.below(256) as u8).collect(),
        1 => return (0..length).map(|_| (0xBE + dice.below(0x42)) as u8).collect(),
        _ => {}
    }
    let mut bytes = Vec::with_capacity(length + 4);
    for unit in units_within(length, dice) {
        // One group in sixteen is longer than it has to be, or a raw NUL.
        match dice.below(16) {
            0 if bytes.len() + 3 <= length => {
                let [high, low] = [(unit >> 6) as u8, (unit & 0x3F) as u8 | 0x80];
                bytes.extend([0xE0 | high >> 6, 0x80 | high & 0x3F, low]);
            }
            1 => bytes.push(unit as u8 & 0x7F),
            _ => encode_units([unit], &mut bytes),
        }
    }
    bytes.truncate(length);
    if kind >= 5 && !bytes.is_empty() {
        for _ in 0..=dice.below(2) {
            let place = dice.below(bytes.len() as u32) as usize;
            bytes[place] = dice.below(256) as u8;
        }
        bytes.truncate(bytes.len() - dice.below(3.min(bytes.len() as u32)) as usize);
    }
    bytes
}

/// Every byte string of up to three bytes, shorter ones first.
fn all_short_bytes() -> impl Iterator<Item = Vec<u8>> + Send {
    (0..=3usize).flat_map(|length| {
        (0..1u32 << (8 * length)).map(move |number| number.to_be_bytes()[4 - length..].to_vec())
    })
}

/// Every char by itself, surrogates among them, and every character beyond as its two.
fn all_characters() -> impl Iterator<Item = Vec<u16>> + Send {
    let beyond = ('\u{10000}'..=char::MAX).map(|c| c.encode_utf16(&mut [0; 2]).to_vec());
    (0..=u16::MAX).map(|unit| vec![unit]).chain(beyond)
}

/// How many longer strings are decoded, and whether all short ones and all characters are too: `JAVA_STRINGS`.
fn wanted() -> (usize, bool) {
    let Ok(text) = std::env::var("JAVA_STRINGS") else { return (FEW, false) };
    let count = text.parse().unwrap_or_else(|_| panic!("JAVA_STRINGS is {text:?}: give a whole number"));
    (count, true)
}

#[test]
fn java_reads_and_writes_the_same() {
    let (longer, all) = wanted();
    let texts = longer / 10;
    let short = if all { all_short_bytes().count() } else { 0 };
    let characters = if all { all_characters().count() } else { 0 };
    let bar = if all {
        ProgressBar::new((short + characters + longer + texts) as u64)
    } else {
        ProgressBar::hidden()
    };
    bar.set_style(
        ProgressStyle::with_template("{bar:40} {human_pos} of {human_len} strings, {eta} left")
            .expect("a template"),
    );
    let [mut bytes_dice, mut text_dice] =
        ["bytes", "texts"].map(|name| Seed::chosen("modified utf-8").stream(name));
    let read = [
        ("every byte string of up to three bytes, decoded", decoding_or_none(all)),
        (
            "longer byte strings, decoded",
            Box::new(decoding((0..longer).map(move |_| longer_bytes(&mut bytes_dice)))),
        ),
        ("every char and every character, encoded", encoding_or_none(all)),
        ("texts, encoded", {
            let text = move |_| {
                let bytes = length(&mut text_dice, 16);
                units_within(bytes, &mut text_dice)
            };
            Box::new(encoding((0..texts).map(text)))
        }),
    ];
    for (what, batches) in read {
        let Some(asked) = ask(what, batches, &bar) else { return };
        let refused = asked.strings - asked.accepted;
        if asked.strings == 0 {
            continue;
        }
        eprintln!(
            "{what}: {} strings, {} accepted, {refused} refused, 0 differences",
            asked.strings, asked.accepted
        );
        assert!(asked.strings < 1_000 || asked.accepted > 100, "{what} are not worth asking");
    }
    bar.finish_and_clear();
}

type Batches = Box<dyn Iterator<Item = Batch> + Send>;

fn decoding_or_none(all: bool) -> Batches {
    if all { Box::new(decoding(all_short_bytes())) } else { Box::new(iter::empty()) }
}

fn encoding_or_none(all: bool) -> Batches {
    if all { Box::new(encoding(all_characters())) } else { Box::new(iter::empty()) }
}

/// Whatever was written comes back, whether a JDK is there or not.
#[test]
fn what_was_written_is_read_again() {
    let mut dice = Seed::chosen("modified utf-8").stream("again");
    for _ in 0..2_000 {
        let bytes = length(&mut dice, 16);
        let units = units_within(bytes, &mut dice);
        let mut written = Vec::new();
        encode_units(units.iter().copied(), &mut written);
        assert_eq!(written.len(), bytes);
        assert!(decode_units(&written).is_ok_and(|again| again == units));
    }
}
