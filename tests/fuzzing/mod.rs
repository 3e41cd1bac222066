//! Every fuzz target without a fuzzer: the inputs of its corpus, then mutants of them from a fixed seed, always as
//! many. `docs/fuzzing.md` describes the search with a fuzzer.

pub mod targets;

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;

use crate::modified_utf8::{bytes_of, cases, units_of};
use casino_day::driven::{Address, SecretTournament, answer};
use targets::mutation::Mutator;
use targets::{TARGETS, Target};

/// The inputs of a target: a line for each in its corpus, with a name, a tab, and the escaped bytes.
fn corpus(target: &Target) -> Vec<Vec<u8>> {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/fuzzing/corpus/{}.txt", target.name));
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let input = |line: &str| unescape(line.split_once('\t').expect("a name and an input").1);
    text.lines().map(input).collect()
}

/// The bytes of a text in which `\\`, `\n`, `\r`, `\t` and `\x..` stand for bytes.
fn unescape(text: &str) -> Vec<u8> {
    let mut rest = text.bytes();
    let mut bytes = Vec::new();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'\\' => match rest.next().expect("an escape is whole") {
                b'n' => b'\n',
                b'r' => b'\r',
                b't' => b'\t',
                b'x' => {
                    let mut digit =
                        || char::from(rest.next().expect("two digits")).to_digit(16).expect("hexadecimal");
                    (16 * digit() + digit()) as u8
                }
                other => other,
            },
            byte => byte,
        });
    }
    bytes
}

/// Gives an input to the body. One that fails is kept, so that it can be put into the corpus.
fn try_input(target: &Target, input: &[u8]) {
    if let Err(panic) = catch_unwind(AssertUnwindSafe(|| (target.body)(input))) {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("failed-{}", target.name));
        fs::write(&path, input).expect("the input can be kept");
        eprintln!("{} fails with the input in {}", target.name, path.display());
        resume_unwind(panic);
    }
}

fn run(name: &str) {
    let target = Target::named(name);
    let corpus = corpus(target);
    assert!(corpus.len() >= 2, "{name} has a corpus");
    corpus.iter().for_each(|input| try_input(target, input));
    let mut mutator = Mutator::new(name);
    for number in 0..target.tested {
        let input = &corpus[number % corpus.len()];
        let mutant = mutator.mutant(input, &corpus);
        try_input(target, mutant);
    }
}

/// A test for each target, so that they run beside each other.
macro_rules! tests_of {
    ($($name:ident)*) => {
        $(#[test]
        fn $name() {
            run(stringify!($name));
        })*

        #[test]
        fn every_fuzz_target_is_tested_and_has_its_program() {
            let tested = [$(stringify!($name)),*];
            assert!(TARGETS.iter().map(|target| target.name).eq(tested));
            let package = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz");
            let manifest = fs::read_to_string(package.join("Cargo.toml")).expect("fuzz/Cargo.toml can be read");
            for name in tested {
                let path = format!("fuzz_targets/{name}.rs");
                let program = fs::read_to_string(package.join(&path)).expect("each target has a program");
                assert!(program.contains(&format!("program!(\"{name}\")")), "{path}");
                assert!(manifest.contains(&format!("path = \"{path}\"")), "fuzz/Cargo.toml lacks {path}");
            }
        }
    };
}

tests_of!(frames modified_utf8 replies logins journals scenarios rosters hand_ins submissions archives web);

/// The second decoder agrees with Java.
#[test]
fn the_second_decoder_reads_and_writes_as_java_does() {
    for (is_encoded, hex, answer) in cases() {
        if is_encoded {
            assert_eq!(targets::second_decoder::write_utf(&units_of(&hex)), bytes_of(&answer), "{hex}");
        } else {
            let chars = answer.strip_prefix("accept").map(|hex| units_of(hex.trim()));
            assert_eq!(targets::second_decoder::read_utf(&bytes_of(&hex)).ok(), chars, "{hex}");
        }
    }
}

/// The fuzz target of page and console answers like the real server.
#[test]
fn page_and_console_answer_in_memory() {
    let tournament =
        SecretTournament { token: "token", github_ids: ["steph-id", "ada-id"], seed: "seed", is_over: true };
    let told = |address, request: &str| {
        let request = request.replace('\n', "\r\n");
        let answered = answer(address, tournament, request.as_bytes()).expect("there is a runtime");
        String::from_utf8(answered).expect("plain text")
    };
    let state = told(Address::Page, "GET /state HTTP/1.1\nHost: room\n\n");
    assert!(
        state.starts_with("HTTP/1.1 200 OK") && state.contains("Steph") && !state.contains("-id"),
        "{state}"
    );
    let twice = told(Address::Page, "GET /icon.svg HTTP/1.1\nHost: room\n\nGET /x HTTP/1.1\nHost: room\n\n");
    assert!(twice.contains("</svg>") && twice.contains("HTTP/1.1 404"), "{twice}");
    let changes = told(Address::Page, "GET /events HTTP/1.1\nHost: room\n\n");
    assert!(changes.contains("text/event-stream") && changes.contains("data:"), "{changes}");
    let overview = |token: &str| {
        let request = format!("GET /api/overview HTTP/1.1\nHost: room\nAuthorization: Bearer {token}\n\n");
        told(Address::Console, &request)
    };
    assert!(overview("token").contains("steph-id"), "{}", overview("token"));
    assert!(
        overview("x").starts_with("HTTP/1.1 401") && !overview("x").contains("steph-id"),
        "{}",
        overview("x")
    );
    assert_eq!(told(Address::Page, "GET /state HT"), "");
}
