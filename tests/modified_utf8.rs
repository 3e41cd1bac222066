//! Modified UTF-8 as in Java 17's `DataInputStream.readUTF` and `DataOutputStream.writeUTF` (R21).
//!
//! The oracle is `tests/java/ModifiedUtf8Oracle.java`, which also describes its formats. With a JDK on the machine it
//! is run; otherwise its recorded verdicts in `tests/data` are checked instead. Standard error reports which.

use crate::tools;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::Command;

use casino_stud::protocol::modified_utf8::{decode_units, encode_units};
use sha2::{Digest, Sha256};

/// The longest text `writeUTF` writes, in bytes.
const LONGEST: usize = 65_535;

fn tests(path: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "tests", path].iter().collect()
}

fn recorded(name: &str) -> String {
    let path = tests("data").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The verdicts of this machine's Java on every string of up to three bytes. `None` without a JDK.
fn verdicts_of_java() -> Option<String> {
    if !tools::has("javac", "the comparison with Java itself; its recorded verdicts are used,") {
        return None;
    }
    let java = Command::new("java")
        .arg("-XX:-StackTraceInThrowable")
        .arg(tests("java/ModifiedUtf8Oracle.java"))
        .arg("exhaust")
        .output()
        .expect("the oracle starts");
    assert!(java.status.success(), "the oracle failed: {}", java.status);
    Some(String::from_utf8(java.stdout).expect("the oracle answers in plain text"))
}

pub(crate) fn bytes_of(hex: &str) -> Vec<u8> {
    (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).expect("hex")).collect()
}

pub(crate) fn units_of(hex: &str) -> Vec<u16> {
    (0..hex.len()).step_by(4).map(|at| u16::from_str_radix(&hex[at..at + 4], 16).expect("hex")).collect()
}

fn hex_of_bytes(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut hex, byte| {
        write!(hex, "{byte:02x}").expect("a string takes it");
        hex
    })
}

fn hex_of_units(units: &[u16]) -> String {
    units.iter().fold(String::with_capacity(4 * units.len()), |mut hex, unit| {
        write!(hex, "{unit:04x}").expect("a string takes it");
        hex
    })
}

/// The recorded cases: whether units are to be encoded or bytes decoded, these in hexadecimal, and Java's answer.
pub(crate) fn cases() -> Vec<(bool, String, String)> {
    let case = |line: &str| {
        let (request, answer) = line.split_once("->").expect("a case has an arrow");
        let (mode, hex) = request.trim().split_once(' ').unwrap_or((request.trim(), ""));
        assert!(["encode", "decode"].contains(&mode), "{mode} is no mode");
        (mode == "encode", hex.to_string(), answer.trim().to_string())
    };
    let text = recorded("modified-utf8-cases.txt");
    let cases: Vec<_> = text.lines().filter(|line| !line.starts_with('#')).map(case).collect();
    assert!(cases.len() > 1_500, "{} cases", cases.len());
    cases
}

/// This side's answers in the oracle's words.
fn decoded(bytes: &[u8]) -> String {
    match decode_units(bytes) {
        Err(_) => "reject".to_string(),
        Ok(units) if units.is_empty() => "accept".to_string(),
        Ok(units) => format!("accept {}", hex_of_units(&units)),
    }
}

fn encoded(units: &[u16]) -> String {
    let mut bytes = Vec::new();
    encode_units(units.iter().copied(), &mut bytes);
    if bytes.len() > LONGEST { "toolong".to_string() } else { hex_of_bytes(&bytes) }
}

/// The digest of the verdicts on every string of up to three bytes: 16,843,009 of them.
#[test]
#[ignore = "long: all strings, and Java itself; modified_utf8::the_recorded_longer_strings"]
fn every_string_of_up_to_three_bytes() {
    let mut whole = Sha256::new();
    let mut total = 0;
    let mut found = String::new();
    for length in 0..=3u32 {
        let mut digest = Sha256::new();
        let mut accepted = 0;
        let mut verdicts = Vec::with_capacity(1 << 16);
        for number in 0..1u32 << (8 * length) {
            let bytes = number.to_be_bytes();
            match decode_units(&bytes[4 - length as usize..]) {
                Err(_) => verdicts.push(0),
                Ok(units) => {
                    accepted += 1;
                    verdicts.push(1);
                    verdicts.extend(u16::try_from(units.len()).expect("three at most").to_be_bytes());
                    verdicts.extend(units.iter().flat_map(|unit| unit.to_be_bytes()));
                }
            }
            if verdicts.len() > 1 << 15 {
                digest.update(&verdicts);
                whole.update(&verdicts);
                verdicts.clear();
            }
        }
        digest.update(&verdicts);
        whole.update(&verdicts);
        let (strings, sum) = (1u32 << (8 * length), hex_of_bytes(&digest.finalize()));
        writeln!(found, "length {length} strings {strings} accepted {accepted} sha256 {sum}")
            .expect("a string");
        total += accepted;
    }
    writeln!(found, "accepted {total}").expect("a string");
    writeln!(found, "sha256 {}", hex_of_bytes(&whole.finalize())).expect("a string");
    let recorded = recorded("modified-utf8-exhaust.txt");
    assert_eq!(found, recorded);
    if let Some(java) = verdicts_of_java() {
        eprintln!("modified UTF-8: checked against the JDK of this machine");
        assert_eq!(java, recorded, "the JDK of this machine is of another mind than the recorded one");
    }
}

#[test]
fn the_recorded_longer_strings() {
    for (is_encoded, hex, answer) in cases() {
        let found = if is_encoded { encoded(&units_of(&hex)) } else { decoded(&bytes_of(&hex)) };
        assert_eq!(found, answer, "{hex}");
    }
}
