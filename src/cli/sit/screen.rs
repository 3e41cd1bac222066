//! The terminal of a person at the table: the show's drawing of it, and below it the person's own cards, its choices, and
//! the keys for them.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use console::{Color, Style, measure_text_width, truncate_str};
use tokio::sync::Notify;

use casino_host::{Asked, ChairHandle, ChairState};
use casino_stud::protocol::OwnedQuestion;
use casino_stud::shown::one_line;
use casino_stud::table::Reply;
use casino_system::keyboard::{self, Keyboard};

use crate::cli::canvas::{Canvas, EVERY};
use crate::cli::stage;

use crate::web::{LessonWords, Seen, lock, words};

/// What a person is told beside what the table tells it.
#[derive(Default)]
pub(in crate::cli) struct Help {
    /// Whether it is shown the odds.
    pub(in crate::cli) odds: bool,
    /// What a lesson says. In one there is no hurry, and no clock is shown.
    pub(in crate::cli) lesson: Option<LessonWords>,
}

/// A person who plays in this terminal.
pub(in crate::cli) struct Sitting {
    chair: ChairHandle,
    stop: Arc<AtomicBool>,
    stops_after_round: Arc<AtomicBool>,
    again: Arc<Notify>,
    drawing: JoinHandle<(Canvas, Keys)>,
}

impl Sitting {
    /// Draws on this canvas what is seen, and answers with these keys, until it is stopped.
    ///
    /// # Errors
    /// If there can be no thread for it.
    pub(in crate::cli) fn start(
        mut canvas: Canvas,
        keys: Keys,
        chair: ChairHandle,
        seen: Arc<Mutex<Seen>>,
        help: Help,
    ) -> io::Result<Sitting> {
        let stop = Arc::new(AtomicBool::new(false));
        let stops_after_round = Arc::new(AtomicBool::new(false));
        let again = Arc::new(Notify::new());
        let mut place = Place {
            chair: chair.clone(),
            seen,
            help,
            stops_after_round: Arc::clone(&stops_after_round),
            again: Arc::clone(&again),
            message: String::new(),
            hint: (0, String::new()),
        };
        let stopped = Arc::clone(&stop);
        let draw = move || {
            while !stopped.load(Ordering::Relaxed) {
                let round = lock(&place.seen).page.board.round;
                canvas.draw(round, |width, height, _| place.lines(width, height));
                match keys.pressed.recv_timeout(EVERY) {
                    Ok(key) => place.press(key),
                    Err(RecvTimeoutError::Timeout) => {}
                    // Nobody can press a key any more; the clock of the chair runs on.
                    Err(RecvTimeoutError::Disconnected) => std::thread::sleep(EVERY),
                }
            }
            (canvas, keys)
        };
        let drawing = std::thread::Builder::new().name("sitting".to_string()).spawn(draw)?;
        Ok(Sitting { chair, stop, stops_after_round, again, drawing })
    }

    /// Play stops after this round: the person looks at no end of one any more.
    pub(in crate::cli) fn is_stopping(&self) {
        self.stops_after_round.store(true, Ordering::Relaxed);
        self.chair.go_on();
    }

    /// Waits until the person wants to play the lesson again.
    pub(in crate::cli) async fn wants_again(&self) {
        self.again.notified().await;
    }

    /// Stops, and gives canvas and keys back, unless its thread ended in a panic, which has been printed.
    pub(in crate::cli) fn stop(self) -> Option<(Canvas, Keys)> {
        self.stop.store(true, Ordering::Relaxed);
        self.drawing.join().ok()
    }
}

/// The keys that are pressed, until this is dropped.
pub(in crate::cli) struct Keys {
    pressed: Receiver<char>,
    closed: Arc<AtomicBool>,
}

impl Keys {
    /// Takes the keyboard. A thread of its own reads it: where the system cannot wait for a time, it waits for a key.
    ///
    /// # Errors
    /// If there is no keyboard.
    pub(in crate::cli) fn listen() -> io::Result<Keys> {
        let keyboard = Keyboard::take()?;
        let (press, pressed) = channel();
        let closed = Arc::new(AtomicBool::new(false));
        let is_closed = Arc::clone(&closed);
        let listen = move || {
            while !is_closed.load(Ordering::Relaxed) {
                match keyboard.key(EVERY) {
                    Ok(None) => {}
                    Ok(Some(key)) if press.send(key).is_ok() => {}
                    Ok(Some(_)) | Err(_) => return,
                }
            }
        };
        std::thread::Builder::new().name("keys".to_string()).spawn(listen)?;
        Ok(Keys { pressed, closed })
    }
}

impl Drop for Keys {
    fn drop(&mut self) {
        self.closed.store(true, Ordering::Relaxed);
        keyboard::give_back();
    }
}

/// A person's place, as it is drawn.
struct Place {
    chair: ChairHandle,
    seen: Arc<Mutex<Seen>>,
    help: Help,
    /// Whether play stops after this round.
    stops_after_round: Arc<AtomicBool>,
    /// Is told when the person wants to play the lesson again.
    again: Arc<Notify>,
    /// What is said about the last key.
    message: String,
    /// The hint for the question of this number.
    hint: (u64, String),
}

impl Place {
    fn press(&mut self, key: char) {
        self.message.clear();
        let state = self.chair.look();
        let key = key.to_ascii_lowercase();
        if key == 'h' {
            self.help.odds = !self.help.odds;
        } else if let Some(asked) = state.asked {
            self.answer(key, &asked);
        } else if state.looks_until.is_some() {
            match key {
                '\n' | '\r' | ' ' | 'n' => self.chair.go_on(),
                'r' if self.help.lesson.is_some() => self.again.notify_one(),
                _ => {}
            }
        }
    }

    fn answer(&mut self, key: char, asked: &Asked) {
        let reply = match (key, key.to_digit(10)) {
            ('f', _) => Reply::Fold,
            ('c', _) => Reply::Bet(asked.bounds.to_call),
            (_, Some(digit)) => Reply::Bet(words::raise(digit, &asked.bounds)),
            _ => {
                let pressed = match key {
                    '\n' | '\r' => "Enter".to_string(),
                    key => key.escape_debug().to_string(),
                };
                self.message = format!("{pressed} does nothing now: it is your turn.");
                return;
            }
        };
        if let Err(why) = self.chair.reply(asked.number, reply) {
            self.message = format!("Not taken: {why}.");
        }
    }

    /// The table as the show draws it, and below it the person's own lines.
    fn lines(&mut self, width: usize, height: usize) -> Vec<String> {
        let state = self.chair.look();
        let question = words::last_question(&state);
        let own = self.own_lines(&state, question.as_ref(), width);
        let seen = lock(&self.seen);
        let hole = question.as_ref().map(|question| question.as_question().hole);
        let mut page = seen.page.clone();
        page.table = seen.own_table(hole);
        page.show.seconds_left = state.seconds_left().filter(|_| self.help.lesson.is_none());
        drop(seen);
        let above = height.saturating_sub(own.len());
        let mut lines = stage::lines(&page, 0.0, "", width, above);
        lines.resize_with(above, String::new);
        lines.extend(own.iter().map(|line| truncate_str(line, width, "…").into_owned()));
        lines
    }

    /// The person's own lines, none of them wider than this.
    fn own_lines(
        &mut self,
        state: &ChairState,
        question: Option<&OwnedQuestion>,
        width: usize,
    ) -> Vec<String> {
        let (plain, bold, dim) = (Style::new(), Style::new().bold(), Style::new().dim());
        let hint = self.hint_of(state, question);
        let seen = lock(&self.seen);
        let hole = question.map(|question| question.as_question().hole);
        let mut parts: Vec<(Style, String)> = Vec::new();
        let lesson = self.help.lesson.as_ref();
        let lesson = lesson.map(|lesson| lesson.said(seen.page.board.round, &seen.replied));
        let lesson = lesson.as_ref();
        parts.extend(lesson.map(|lesson| (Style::new().bold().cyan(), lesson.heading.clone())));
        if let Some(reason) = words::last_word(state) {
            parts.push((bold.red(), format!("You are out: {}", one_line(&reason))));
        } else if let Some(asked) = &state.asked {
            parts.extend(lesson.map(|lesson| (Style::new(), lesson.look.clone())));
            if !seen.said.is_empty() {
                parts.push((dim, format!("Said: {}.", seen.said.join(", "))));
            }
            parts.extend(question.map(|question| {
                let seconds = state.seconds_left().filter(|_| lesson.is_none());
                (bold.fg(Color::Yellow), words::your_turn(seconds, &question.as_question()))
            }));
            parts.push((plain, words::choices(&asked.bounds)));
        } else if state.looks_until.is_some() {
            if let Some(table) = seen.table() {
                let lines = words::ending(table, seen.names(), seen.me + 1, hole);
                let lines = lines.into_iter().chain(seen.held.iter().cloned());
                parts.extend(lines.map(|line| (Style::new(), line)));
            }
            parts.extend(lesson.map(|lesson| (Style::new(), lesson.why.clone())));
            let again = if lesson.is_some() { " r plays this lesson again." } else { "" };
            parts.push((bold, format!("Enter goes on.{again}")));
        } else {
            parts.push((dim, "The others play.".to_string()));
        }
        parts.extend(hint.map(|hint| (Style::new(), hint)));
        if self.stops_after_round.load(Ordering::Relaxed) {
            let words = "Play stops after this round; Ctrl-C again stops it at once.";
            parts.push((Style::new().bold(), words.to_string()));
        }
        if !self.message.is_empty() {
            parts.push((Style::new().red(), self.message.clone()));
        }
        let lines = parts.into_iter().flat_map(|(style, text)| {
            wrapped(&text, width).into_iter().map(move |line| style.apply_to(line).to_string())
        });
        lines.collect()
    }

    /// What a person could work out itself from this question.
    fn hint_of(&mut self, state: &ChairState, question: Option<&OwnedQuestion>) -> Option<String> {
        let (asked, question) = (state.asked.filter(|_| self.help.odds)?, question?.as_question());
        if self.hint.0 != asked.number {
            self.hint = (asked.number, words::odds(&question));
        }
        Some(self.hint.1.clone())
    }
}

/// A text in lines that are no wider than this, if its words are not.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let line = lines.last_mut().expect("there is always a line");
        if line.is_empty() {
            line.push_str(word);
        } else if measure_text_width(line) + 1 + measure_text_width(word) <= width {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(word.to_string());
        }
    }
    lines
}
