//! How far a command is, on standard error while it works; where that is no terminal, lines or nothing.

use std::borrow::Cow;
use std::io::{self, Write};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

use casino_system::processes::thread_named;
use indicatif::{ProgressBar, ProgressStyle};

/// How often a bar is drawn whose steps may take long.
const TICK: Duration = Duration::from_millis(100);

/// A bar that is taken away when it is dropped, which has to be before anything else is printed.
pub(super) struct ShownProgress {
    bar: ProgressBar,
    /// Ends the lines that are written where there is no bar.
    lines: Option<Sender<()>>,
}

impl ShownProgress {
    /// Progress in rounds of a journal: without a terminal, a line each second.
    pub(super) fn rounds() -> ShownProgress {
        ShownProgress::of("rounds", 0).with_lines("rounds", Duration::from_secs(1))
    }

    /// The same, with a line after each interval where there is no bar.
    pub(super) fn with_lines(mut self, things: &'static str, interval: Duration) -> ShownProgress {
        let is_hidden = self.bar.is_hidden();
        self.lines = is_hidden.then(|| lines(&self.bar, things, interval, io::stderr()));
        self
    }

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
        if !progress.bar.is_hidden() && thread_named("a try", || ()).is_ok() {
            progress.bar.enable_steady_tick(TICK);
        }
        progress
    }

    fn new(template: &str, all: u64) -> ShownProgress {
        let style = ProgressStyle::with_template(template).expect("the template is well formed");
        ShownProgress { bar: ProgressBar::new(all).with_style(style), lines: None }
    }

    /// So much is done.
    pub(super) fn at(&self, done: u64) {
        self.bar.set_position(done);
    }

    /// So much is done of so much.
    pub(super) fn at_of(&self, done: u64, all: u64) {
        self.bar.set_length(all);
        self.bar.set_position(done);
    }

    /// So much more is done.
    pub(super) fn more(&self, done: u64) {
        self.bar.inc(done);
    }

    /// Says this beside the bar.
    pub(super) fn say(&self, what: impl Into<Cow<'static, str>>) {
        self.bar.set_message(what);
        self.bar.tick();
    }
}

impl Drop for ShownProgress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// Writes how far the bar is after each interval, until the returned sender is dropped.
fn lines(
    bar: &ProgressBar,
    things: &'static str,
    interval: Duration,
    mut to: impl Write + Send + 'static,
) -> Sender<()> {
    let (bar, (end, ended)) = (bar.clone(), channel());
    // Progress is lost where the system refuses a thread or standard error is closed; the work goes on.
    let _ = thread_named("progress", move || {
        while ended.recv_timeout(interval) == Err(RecvTimeoutError::Timeout) {
            let all = bar.length().unwrap_or_default();
            let _ = writeln!(to, "{} of {all} {things}", bar.position());
        }
    });
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Hands over each line that is written.
    struct Lines(Sender<String>);

    impl Write for Lines {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.send(String::from_utf8_lossy(bytes).into_owned()).map_err(io::Error::other)?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn lines_are_written_until_the_work_is_done() {
        let bar = ProgressBar::hidden();
        bar.set_length(7);
        bar.inc(3);
        let (to, from) = channel();
        let end = lines(&bar, "submissions", Duration::from_millis(1), Lines(to));
        let mut text = String::new();
        while text.matches('\n').count() < 2 {
            text.push_str(&from.recv().expect("lines are written while the work goes on"));
        }
        assert!(text.starts_with("3 of 7 submissions\n3 of 7 submissions\n"), "{text}");
        drop(end);
        // The thread ends, and with it the writer.
        while from.recv().is_ok() {}
    }
}
