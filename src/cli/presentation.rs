//! The flags of how a tournament is shown.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::Args;

use crate::session::{Display, Output, Presentation};
use crate::tournament::{Player, Recorder};

use super::screen::{self, Screen};
use super::show::Show;

/// How a tournament is shown while it is played, and what is kept of it.
#[derive(Args, Clone)]
pub(crate) struct PresentationArgs {
    /// Put the result, the journal and the output of started programs into this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print one JSON object at the end, and nothing for people
    #[arg(long)]
    json: bool,
    /// Print only the final table
    #[arg(long)]
    quiet: bool,
    /// Draw the table, the race and the news over the whole terminal; plain lines where there is no terminal
    #[arg(long, conflicts_with_all = ["json", "quiet"])]
    screen: bool,
    /// Show the tournament on a page at this address: for the projector. Port 0 takes a free one
    #[arg(long, value_name = "ADDR:PORT")]
    web: Option<SocketAddr>,
    /// Open the teacher's console at this address; its link, with a token, is printed on standard error. Play
    /// begins when the console says so
    #[arg(long, value_name = "ADDR:PORT", num_args = 0..=1, default_missing_value = "127.0.0.1:0")]
    console: Option<SocketAddr>,
    /// How long the page stays after the end, in seconds [default: until Ctrl-C]
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(0..=1_000_000))]
    stay: Option<u64>,
    /// Wait this long from the end of a round to the next deal, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 0, value_parser = clap::value_parser!(u64).range(0..=60_000))]
    pace: u64,
}

impl PresentationArgs {
    /// How it is shown, without the words of the command line.
    pub(super) fn options(self) -> Presentation {
        let table = if self.screen { draw } else { print };
        Presentation {
            out: self.out,
            json: self.json,
            quiet: self.quiet,
            web: self.web,
            console: self.console,
            stay: self.stay,
            pace: self.pace,
            display: Display { table, leave: screen::leave },
        }
    }
}

/// A line for each round.
fn print(output: Output, players: &[Player], _: u64) -> Box<dyn Recorder> {
    Box::new(Show::new(output, players))
}

/// The whole terminal, or a line for each round where it cannot be drawn on.
fn draw(output: Output, players: &[Player], rounds: u64) -> Box<dyn Recorder> {
    match Screen::new(players, rounds) {
        Some(screen) => Box::new(screen),
        None => print(output, players, rounds),
    }
}
