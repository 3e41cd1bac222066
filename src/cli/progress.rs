//! How far a command is, on standard error while it works; where that is no terminal, a line each second or nothing.

use std::borrow::Cow;
use std::cell::Cell;
use std::io::{self, Write};
use std::time::{Duration, Instant};

use casino_system::processes::thread_named;
use indicatif::{ProgressBar, ProgressStyle};

/// How often a bar is drawn whose steps may take long.
const TICK: Duration = Duration::from_millis(100);

/// How often a line is written where there is no bar.
const LINE_INTERVAL: Duration = Duration::from_secs(1);

/// Progress in rounds: a bar in a terminal, elsewhere a line each second.
pub(super) struct RoundProgress {
    bar: ShownProgress,
    written: Cell<Instant>,
}

impl RoundProgress {
    pub(super) fn new() -> RoundProgress {
        RoundProgress { bar: ShownProgress::of("rounds", 0), written: Cell::new(Instant::now()) }
    }

    pub(super) fn at_of(&self, done: u64, all: u64) {
        self.bar.at_of(done, all);
        if self.bar.0.is_hidden() && self.written.get().elapsed() >= LINE_INTERVAL {
            self.written.set(Instant::now());
            // Progress is lost where standard error is closed; the work goes on.
            let _ = writeln!(io::stderr(), "{done} of {all} rounds");
        }
    }
}

/// A bar that is taken away when it is dropped, which has to be before anything else is printed.
pub(super) struct ShownProgress(ProgressBar);

impl ShownProgress {
    /// A bar for so many of these things; 0 if their number is not known yet.
    pub(super) fn of(things: &str, all: u64) -> ShownProgress {
        ShownProgress::new(
            &format!("{{bar:30}} {{pos}} of {{len}} {things}, {{eta}} left  {{wide_msg}}"),
            all,
        )
    }

    /// For work measured in units that are not shown.
    pub(super) fn share(all: u64) -> ShownProgress {
        ShownProgress::new("{bar:30} {percent} %, {eta} left  {wide_msg}", all)
    }

    /// A bar for a few long steps, which moves also while no step ends.
    pub(super) fn steps(all: u64) -> ShownProgress {
        let progress = ShownProgress::new("{spinner} {bar:22} {pos} of {len}  {wide_msg}", all);
        // The bar starts a thread for this, and panics where the system refuses one.
        if !progress.0.is_hidden() && thread_named("a try", || ()).is_ok() {
            progress.0.enable_steady_tick(TICK);
        }
        progress
    }

    fn new(template: &str, all: u64) -> ShownProgress {
        let style = ProgressStyle::with_template(template).expect("the template is well formed");
        ShownProgress(ProgressBar::new(all).with_style(style))
    }

    /// So much is done.
    pub(super) fn at(&self, done: u64) {
        self.0.set_position(done);
    }

    /// So much is done of so much.
    pub(super) fn at_of(&self, done: u64, all: u64) {
        self.0.set_length(all);
        self.0.set_position(done);
    }

    /// So much more is done.
    pub(super) fn more(&self, done: u64) {
        self.0.inc(done);
    }

    /// Says this beside the bar.
    pub(super) fn say(&self, what: impl Into<Cow<'static, str>>) {
        self.0.set_message(what);
        self.0.tick();
    }
}

impl Drop for ShownProgress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
