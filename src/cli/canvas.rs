//! The whole terminal, drawn anew a few times a second and given back as it was.

use std::env;
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use console::Term;

use casino_system::keyboard;
use casino_system::output::understands_ansi;

use super::output;

/// How often the screen is drawn: more often nobody can read it.
pub(super) const EVERY: Duration = Duration::from_millis(100);

/// Whether the terminal shows a screen instead of what was on it before.
static SHOWN: AtomicBool = AtomicBool::new(false);

/// The other screen of the terminal, without a cursor.
const ENTER: &str = "\x1b[?1049h\x1b[?25l\x1b[2J";

/// What was there before, and the cursor.
const LEAVE: &str = "\x1b[?25h\x1b[?1049l";

/// Gives the keyboard back, and the terminal as it was, if a screen is shown on it.
pub(super) fn leave() {
    keyboard::give_back();
    if SHOWN.swap(false, Ordering::SeqCst) {
        let mut terminal = io::stdout().lock();
        // A terminal that is gone needs no restoring.
        let _ = terminal.write_all(LEAVE.as_bytes()).and_then(|()| terminal.flush());
    }
}

/// The whole terminal.
pub(super) struct Canvas {
    term: Term,
    is_drawn: bool,
    /// The size it was drawn at last: rows, columns.
    size: (u16, u16),
    /// Rounds and when they were counted, for the rate.
    counted: (Instant, u64),
    /// Rounds a second.
    rate: f64,
}

impl Canvas {
    /// The terminal on standard output, if there is one that can show a screen.
    pub(super) fn new() -> Option<Canvas> {
        let term = Term::stdout();
        if !term.is_term() || env::var("TERM").is_ok_and(|kind| kind == "dumb") || !understands_ansi() {
            return None;
        }
        Some(Canvas { term, is_drawn: false, size: (0, 0), counted: (Instant::now(), 0), rate: 0.0 })
    }

    /// Draws these lines after so many rounds; they are made for the width and height of the terminal and the rounds a
    /// second.
    pub(super) fn draw(&mut self, round: u64, lines: impl FnOnce(usize, usize, f64) -> Vec<String>) {
        let now = Instant::now();
        let mut frame = String::new();
        if self.is_drawn && !SHOWN.load(Ordering::SeqCst) {
            // The terminal has been given back, and the final table stands on it.
            return;
        }
        if !self.is_drawn {
            SHOWN.store(true, Ordering::SeqCst);
            frame.push_str(ENTER);
        }
        self.is_drawn = true;
        let (since, before) = self.counted;
        if now - since >= Duration::from_secs(1) {
            self.rate = round.saturating_sub(before) as f64 / (now - since).as_secs_f64();
            self.counted = (now, round);
        }
        let size = self.term.size();
        if size != self.size {
            self.size = size;
            frame.push_str("\x1b[2J");
        }
        let (height, width) = size;
        // Everything is written at once, each line over the old one: nothing flickers.
        for (row, line) in lines(width.into(), height.into(), self.rate).iter().enumerate() {
            let _ = write!(frame, "\x1b[{};1H{line}\x1b[0m\x1b[K", row + 1);
        }
        frame.push_str("\x1b[J");
        let mut terminal = io::stdout().lock();
        // A terminal that has gone away does not end the tournament.
        terminal.write_all(frame.as_bytes()).and_then(|()| terminal.flush()).unwrap_or_else(output::lose);
    }
}

impl Drop for Canvas {
    fn drop(&mut self) {
        leave();
    }
}
