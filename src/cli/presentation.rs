//! The flags of how a tournament is shown.

use std::net::SocketAddr;
use std::num::NonZero;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;

use crate::session::Options;
use crate::web::MOST_MINUTES;

use super::canvas::Canvas;
use super::terminal::Terminal;
use super::values::{HERE, address, whole};

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
    /// Print at the end what each program that was started has printed last
    #[arg(long)]
    show_output: bool,
    /// Draw the table, the race and the news over the whole terminal; plain lines where there is no terminal
    #[arg(long, conflicts_with_all = ["json", "quiet"])]
    screen: bool,
    /// Show the tournament on a page at this address: for the projector. A port alone is one of this machine only; port 0
    /// takes a free one
    #[arg(long, value_name = "ADDR:PORT", value_parser = address(HERE))]
    web: Option<SocketAddr>,
    /// Open the teacher's console at this address; its link, with a token, is printed on standard error. Play
    /// begins when the console says so
    #[arg(long, value_name = "ADDR:PORT", value_parser = address(HERE), num_args = 0..=1, default_missing_value = "127.0.0.1:0")]
    console: Option<SocketAddr>,
    /// How long the page stays after the end, in seconds [default: until Ctrl-C]
    #[arg(long, value_name = "SECONDS", value_parser = whole::<u64>(0..=1_000_000))]
    stay: Option<u64>,
    /// Wait this long from the end of a round to the next deal, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 0, value_parser = whole::<u64>(0..=60_000))]
    pace: u64,
    /// How many minutes the tournament is shown on the page, from the first deal to the winners: the dealer keeps in
    /// step with the show. 0 plays as fast as can be. Without a page or a console nothing waits [default: 40]
    #[arg(long, value_name = "N", value_parser = whole::<u32>(0..=u64::from(MOST_MINUTES)))]
    minutes: Option<u32>,
}

impl PresentationArgs {
    /// How it is shown and what is kept, without the words of the command line; and the terminal as it is wanted.
    pub(super) fn options(&self, jobs: Option<NonZero<usize>>) -> (Options, Arc<Terminal>) {
        let canvas = if self.screen { Canvas::new() } else { None };
        // A screen alone waits for nothing, and nothing waits for it.
        let is_alone = canvas.is_some() && self.web.is_none() && self.console.is_none();
        let options = Options {
            out: self.out.clone(),
            page: self.web,
            console: self.console,
            shown: canvas.is_some(),
            stay: self.stay.or(is_alone.then_some(0)).map(Duration::from_secs),
            pace: Duration::from_millis(self.pace),
            minutes: if is_alone { Some(0) } else { self.minutes },
            jobs,
            ..Options::default()
        };
        let terminal = Terminal::new(self.json, self.quiet, self.show_output, canvas);
        (options, Arc::new(terminal))
    }
}
