//! Verifies a journal: deals and plays everything again from its seed and its replies, and compares every line.
//!
//!     casino play --bot cautious --bot bold --rounds 100 --journal day.jsonl
//!     cargo run --release --example verify_journal -- day.jsonl
//!
//! Without a file it verifies a journal that the tests keep.

#![allow(clippy::print_stdout)]

use std::error::Error;
use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;

use casino_stud::replay::{JournalEnd, verify};

fn main() -> Result<(), Box<dyn Error>> {
    let kept = || {
        PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/golden/journals/play-one.jsonl"))
    };
    let path = std::env::args().nth(1).map_or_else(kept, PathBuf::from);
    let verified = verify(BufReader::new(File::open(&path)?), |_bytes_done| {})?;
    println!("{} lines and {} rounds follow from the seed and the replies.", verified.lines, verified.rounds);
    match verified.end {
        JournalEnd::Over => println!("The tournament is over."),
        JournalEnd::Unsaid { .. } => println!("All rounds are played, and the end is not recorded."),
        JournalEnd::Open { .. } => println!("The tournament is not over."),
    }
    Ok(())
}
