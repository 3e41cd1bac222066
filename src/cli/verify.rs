//! The flags, words and exit codes of `casino verify`.

use std::io::BufReader;
use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use casino_judge::figures::Document;
use casino_stud::journal::{ReadError, Tail};
use casino_stud::replay::{JournalEnd, Mismatch, ReplayError, Verified, verify};
use casino_stud::shown;
use casino_system::files;

use super::findings::{FindingObject, FindingsObject};
use super::progress::ShownProgress;
use super::{Failure, print_result};

const EXIT_DIFFERS: u8 = 4;

#[derive(Args)]
#[command(
    after_help = "Deals every deck again from the seed, replays every reply, asks house bots again, and compares \
        every line. A drawn seed must have the SHA-256 shown before the first deal.\n\n\
        Exit codes: 0 verified, 4 a line differs, 2 the file is no readable journal.\n\n\
        Examples:
  casino verify casino-day.jsonl
  casino verify casino-day.jsonl --json | jq .passed"
)]
pub(crate) struct Verify {
    /// Journal of the tournament
    #[arg(value_name = "FILE")]
    journal: PathBuf,
    /// Print one JSON object: docs/journal.md
    #[arg(long)]
    json: bool,
}

impl Verify {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let shown = self.journal.display();
        let unusable =
            |error: &dyn std::fmt::Display| Failure::Usage(format!("{shown} cannot be verified: {error}"));
        let file = files::open(&self.journal).map_err(|error| unusable(&error))?;
        let length = file.metadata().map_err(|error| unusable(&error))?.len();
        let bar = ShownProgress::share(length);
        let outcome = verify(BufReader::with_capacity(1 << 16, file), |done| bar.at(done));
        drop(bar);
        let (object, words) = match outcome {
            Ok(verified) => (object(&verified), words(&verified)),
            Err(error) => {
                let mismatch = mismatch(error).map_err(|error| unusable(&error))?;
                (finding(&mismatch), difference(mismatch))
            }
        };
        print_result(self.json, &object, || words)?;
        if object.passed { Ok(()) } else { Err(Failure::Verdict(EXIT_DIFFERS)) }
    }
}

/// Where the journal goes wrong, if it is one.
fn mismatch(error: ReplayError) -> Result<Mismatch, ReadError> {
    match error {
        ReplayError::Differs(mismatch) => Ok(*mismatch),
        ReplayError::Read(ReadError::Damaged { number, offset, why }) => {
            let why = format!("this is no line a host writes: {why}");
            Ok(Mismatch { number, offset, recorded: None, computed: None, why })
        }
        ReplayError::Read(error) => Err(error),
    }
}

/// The object of a journal that is verified.
fn object(verified: &Verified) -> FindingsObject {
    let Verified { rounds, lines, resumed, promise, end, .. } = verified;
    let is_over = *end == JournalEnd::Over;
    let result =
        json!({"rounds": rounds, "lines": lines, "resumed": resumed, "promise": promise, "is_over": is_over});
    FindingsObject { passed: true, result, findings: Vec::new() }
}

/// The object of a journal with a line that differs.
fn finding(mismatch: &Mismatch) -> FindingsObject {
    let Mismatch { number, offset, recorded: got, computed: expected, why: what } = mismatch.clone();
    let finding = FindingObject { place: format!("line {number}, offset {offset}"), what, expected, got };
    FindingsObject { passed: false, result: json!({}), findings: vec![finding] }
}

fn difference(mismatch: Mismatch) -> Document {
    let Mismatch { number, offset, recorded, computed, why } = mismatch;
    let mut words = Document::default();
    words.say(format!("Not verified. The first difference is in line {number}, at offset {offset}:"));
    words.indented(2, why);
    for (what, text) in [("recorded", recorded), ("computed", computed)] {
        if let Some(text) = text {
            words.indented(2, format!("{what}: {}", shown::one_line(&text)));
        }
    }
    words
}

fn words(verified: &Verified) -> Document {
    let mut words = Document::default();
    let Verified { lines, rounds, resumed, end, promise, .. } = verified;
    words.say(format!(
        "Verified: {}, {}; every one follows from the seed and the replies.",
        shown::count(*rounds, "round"),
        shown::count(*lines, "line")
    ));
    match promise {
        Some(promise) => {
            words.say(format!("The seed is the one promised before the first deal: SHA-256 {promise}."))
        }
        None => words.say("The seed was chosen, so nothing was promised about it."),
    }
    match resumed {
        0 => {}
        1 => words.say("The dealer was started again once."),
        times => words.say(format!("The dealer was started again {times} times.")),
    }
    if let JournalEnd::Open { tail } | JournalEnd::Unsaid { tail } = end
        && *tail != Tail::Whole
    {
        words.say(format!("The end does not count: {tail}. It was never announced."));
    }
    match end {
        JournalEnd::Over => {}
        JournalEnd::Unsaid { .. } => words.say(
            "All rounds are played, and only the last line is missing: the host crashed before it wrote the line, or the \
             line was cut off. `casino resume` writes it; no player has to connect."
                .to_string(),
        ),
        JournalEnd::Open { tail: Tail::Torn { round: Some(round), .. } } => words.say(format!(
            "The tournament is not over: the journal ends in round {round}. casino resume deals it again."
        )),
        JournalEnd::Open { .. } => words.say(format!(
            "The tournament is not over: the journal ends after round {rounds}. casino resume continues it."
        )),
    }
    words
}
