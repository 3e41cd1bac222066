//! What the fuzz targets reach of the command line: its readers of what others write, without a process.

use std::path::Path;
use std::time::Duration;

use clap::Parser;

use casino_stud::cards::Seed;

use super::Failure;
use super::flags::TournamentArgs;
use super::odds;

/// A command line with nothing but the flags of a tournament.
#[derive(Parser)]
struct TournamentFlags {
    #[command(flatten)]
    flags: TournamentArgs,
}

/// Reads the text of an event file as `casino play --event` does, and returns how many players it wants.
///
/// # Errors
/// What is wrong with it, in the words that are printed.
pub fn read_event_file(text: &str) -> Result<Option<usize>, String> {
    let said = |failure: Failure| match failure {
        Failure::Usage(why) | Failure::Broke(why) => why,
        Failure::Verdict(_) | Failure::NobodyReads => {
            "the file was read and something else failed".to_string()
        }
    };
    let path = Path::new("event.json");
    let mut arguments = TournamentFlags::try_parse_from(["casino"]).map_err(|error| error.to_string())?;
    arguments.flags.add_file(text, path).map_err(said)?;
    Ok(arguments.flags.players)
}

/// The answer of `casino odds --serve` to a line, from few samples where the odds cannot be had exactly.
pub fn answer_odds_line(text: &str, json: bool) -> String {
    const SAMPLES: u64 = 500;
    let ends = odds::Sampling {
        exact: false,
        precision: 0.0,
        samples: SAMPLES,
        time: None::<Duration>,
        seed: Seed::chosen("odds"),
    };
    odds::answer(text, &ends, json).unwrap_or_else(|_| "error:it cannot be written".to_string())
}
