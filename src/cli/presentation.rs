//! The flags of how a tournament is shown.

use std::net::SocketAddr;
use std::num::NonZero;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use crate::session::MOST_MINUTES;
use crate::session::Options;

use super::flags::{KEPT, PAGE, PRINTED};
use super::terminal::Terminal;
use super::values::{EVERYWHERE, HERE, address, whole};

/// How a tournament is shown while it is played, and what is kept of it.
#[derive(Args, Clone, Default)]
pub(crate) struct PresentationArgs {
    /// Show the tournament on a page at this address: for the projector and phones. A port alone is open to the network,
    /// 127.0.0.1:PORT to this machine only; port 0 takes a free one
    #[arg(long, value_name = "ADDR:PORT", value_parser = address(EVERYWHERE), help_heading = PAGE)]
    web: Option<SocketAddr>,
    /// Open the teacher's console at this address; its link, with a token, is printed on standard error. Play
    /// begins when the console says so. Because it decides about the day, a port alone is open to this machine only
    #[arg(long, value_name = "ADDR:PORT", value_parser = address(HERE), num_args = 0..=1,
        default_missing_value = "127.0.0.1:0", help_heading = PAGE)]
    console: Option<SocketAddr>,
    /// How many minutes the tournament is shown on the page, from the first deal to the podium: the dealer keeps in
    /// step with the show. 0 plays as fast as can be. Many minutes for few players bring a series of tournaments, unless
    /// --series, --rounds or the like say how much is played. Without a page or a console nothing waits [default: 40]
    #[arg(long, value_name = "N", value_parser = whole::<u32>(0..=u64::from(MOST_MINUTES)), help_heading = PAGE)]
    minutes: Option<u32>,
    /// Wait this long from the end of a round to the next deal, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 0, value_parser = whole::<u64>(0..=60_000), help_heading = PAGE)]
    pace: u64,
    /// How long the page stays after the end, in seconds [default: until Ctrl-C]
    #[arg(long, value_name = "SECONDS", value_parser = whole::<u64>(0..=1_000_000), help_heading = PAGE)]
    stay: Option<u64>,
    /// Print only the final table
    #[arg(long, help_heading = PRINTED)]
    quiet: bool,
    /// Print one JSON object at the end, and nothing for people
    #[arg(long, help_heading = PRINTED)]
    json: bool,
    /// Print at the end what each program that was started has printed last
    #[arg(long, help_heading = PRINTED)]
    show_output: bool,
    /// Put the result, the journal and the output of started programs into this folder
    #[arg(long, value_name = "DIR", help_heading = KEPT)]
    out: Option<PathBuf>,
}

impl PresentationArgs {
    /// How it is shown and what is kept, without the words of the command line; and the terminal as it is wanted.
    pub(super) fn options(&self, jobs: Option<NonZero<usize>>) -> (Options, Terminal) {
        let options = Options {
            out: self.out.clone(),
            page: self.web,
            console: self.console,
            stay: self.stay.map(Duration::from_secs),
            pace: Duration::from_millis(self.pace),
            minutes: self.minutes,
            jobs,
            ..Options::default()
        };
        (options, Terminal::new(self.json, self.quiet, self.show_output))
    }
}
