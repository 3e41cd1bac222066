//! The command line's readers of foreign files, for the fuzz targets: without a process.

use std::path::Path;

use clap::Parser;

use super::Failure;
use super::flags::TournamentArgs;

/// A command line with nothing but the flags of a tournament.
#[derive(Parser)]
struct TournamentFlags {
    #[command(flatten)]
    flags: TournamentArgs,
}

/// Reads the text of an event file as `casino play --event` does, and returns how many players it wants.
pub fn read_event_file(text: &str) -> Result<Option<usize>, String> {
    let said = |failure: Failure| match failure {
        Failure::Usage(why) | Failure::Busted(why) => why,
        Failure::Verdict(_) | Failure::NobodyReads => {
            "the file was read and something else failed".to_string()
        }
    };
    let path = Path::new("event.json");
    let mut arguments = TournamentFlags::try_parse_from(["casino"]).map_err(|error| error.to_string())?;
    arguments.flags.add_file(text, path).map_err(said)?;
    Ok(arguments.flags.players)
}
