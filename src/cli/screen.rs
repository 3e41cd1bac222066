//! A tournament on the whole terminal: the table, the race, the news.

use std::collections::VecDeque;
use std::env;
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use console::{Alignment, Color, Style, Term, measure_text_width, pad_str, truncate_str};

use crate::cards::notation::pretty;
use crate::cards::{Card, Suit};
use crate::replay::{Follower, PublicExit, SeatView};
use crate::stud::Chips;
use crate::table::TableEvent;
use crate::tournament::{Event, Player, Recorder, TableGame};

/// How often the screen is drawn: more often nobody can read it.
const EVERY: Duration = Duration::from_millis(100);

/// How long the end of the round that is shown is waited for before it is drawn as it stands.
const PATIENCE: Duration = Duration::from_millis(300);

/// How many stacks of the past are kept for a player's line.
const PAST: usize = 160;

/// How many news are kept.
const NEWS: usize = 50;

/// The widest name, in columns.
const NAME: usize = 18;

/// The columns of a hole card and two up cards.
const CARDS: usize = 11;

/// The columns of what a player did last.
const WORD: usize = 12;

/// The narrowest chart worth drawing, in columns.
const CHART: usize = 8;

/// The steps of a small chart.
const STEPS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// Whether the terminal shows a screen instead of what was on it before.
static SHOWN: AtomicBool = AtomicBool::new(false);

/// The other screen of the terminal, without a cursor.
const ENTER: &str = "\x1b[?1049h\x1b[?25l\x1b[2J";

/// What was there before, and the cursor.
const LEAVE: &str = "\x1b[?25h\x1b[?1049l";

/// Gives the terminal back as it was, if a screen is shown on it.
pub(super) fn leave() {
    if SHOWN.swap(false, Ordering::SeqCst) {
        let mut terminal = io::stdout().lock();
        // A terminal that is gone needs no restoring.
        let _ = terminal.write_all(LEAVE.as_bytes()).and_then(|()| terminal.flush());
    }
}

/// Draws over the whole terminal, a few times a second.
pub(super) struct Screen {
    term: Term,
    picture: SharedPicture,
    drawn: Option<Instant>,
    /// The size it was drawn at last: rows, columns.
    size: (u16, u16),
    /// Rounds and when they were counted, for the rate.
    counted: (Instant, u64),
}

/// The picture, to which tables that play side by side add what happens at them.
#[derive(Clone)]
struct SharedPicture(Arc<Mutex<Picture>>);

impl SharedPicture {
    fn lock(&self) -> MutexGuard<'_, Picture> {
        // Plain data: nothing is left half-done by a panic elsewhere.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What is drawn on the screen.
struct Picture {
    names: Vec<String>,
    rounds: u64,
    round: u64,
    rate: f64,
    follower: Follower,
    /// Whether the next round at any of several tables is to be followed.
    wants_round: bool,
    /// Whether the round that is followed is said to be at one of several tables.
    has_many_tables: bool,
    /// The stacks of all players, once they are known.
    stacks: Vec<Chips>,
    /// Every so many rounds, the stacks.
    past: VecDeque<Vec<Chips>>,
    /// Every how many rounds; grows with the tournament, so that the whole of it stays in sight.
    stride: u64,
    /// The round after which the stacks were kept last.
    kept: u64,
    news: VecDeque<String>,
}

impl Screen {
    /// A screen for these players, if standard output is a terminal that can show one.
    pub(super) fn new(players: &[Player], rounds: u64) -> Option<Screen> {
        let term = Term::stdout();
        if !term.is_term() || env::var("TERM").is_ok_and(|kind| kind == "dumb") {
            return None;
        }
        let names = players.iter().map(|player| player.name.clone()).collect();
        let picture = SharedPicture(Arc::new(Mutex::new(Picture::new(names, rounds))));
        Some(Screen { term, picture, drawn: None, size: (0, 0), counted: (Instant::now(), 0) })
    }

    fn draw(&mut self) -> io::Result<()> {
        let now = Instant::now();
        let mut frame = String::new();
        if self.drawn.is_some() && !SHOWN.load(Ordering::SeqCst) {
            // The terminal has been given back, and the final table stands on it.
            return Ok(());
        }
        if self.drawn.is_none() {
            SHOWN.store(true, Ordering::SeqCst);
            frame.push_str(ENTER);
        }
        self.drawn = Some(now);
        let mut picture = self.picture.lock();
        picture.wants_round = true;
        let (since, round) = self.counted;
        if now - since >= Duration::from_secs(1) {
            picture.rate = (picture.round - round) as f64 / (now - since).as_secs_f64();
            self.counted = (now, picture.round);
        }
        let size = self.term.size();
        if size != self.size {
            self.size = size;
            frame.push_str("\x1b[2J");
        }
        let (height, width) = size;
        // Everything is written at once, each line over the old one: nothing flickers.
        for (row, line) in picture.lines(width.into(), height.into()).iter().enumerate() {
            let _ = write!(frame, "\x1b[{};1H{line}\x1b[0m\x1b[K", row + 1);
        }
        frame.push_str("\x1b[J");
        let mut terminal = io::stdout().lock();
        terminal.write_all(frame.as_bytes())?;
        terminal.flush()
    }

    /// Whether the last drawing is older than this.
    fn is_due(&self, after: Duration) -> bool {
        self.drawn.is_none_or(|drawn| drawn.elapsed() >= after)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        leave();
    }
}

impl Picture {
    fn new(names: Vec<String>, rounds: u64) -> Picture {
        Picture {
            follower: Follower::new(names.clone()),
            names,
            rounds,
            round: 0,
            rate: 0.0,
            wants_round: true,
            has_many_tables: false,
            stacks: Vec::new(),
            past: VecDeque::new(),
            stride: 1,
            kept: 0,
            news: VecDeque::new(),
        }
    }

    /// Adds an event of a table; it is one of the round that is followed, or not.
    fn event(&mut self, game: &TableGame, event: &TableEvent, is_followed: bool) {
        if is_followed {
            self.follower.event(game, event);
        }
        match event {
            TableEvent::Ended => self.ended(game),
            TableEvent::Left { seat, .. } => {
                let PublicExit { player, round, why, .. } = PublicExit::of(game, *seat);
                if let Some(name) = self.names.get(player) {
                    self.add_news(format!("{name} is out in round {round}: {why}"));
                }
            }
            _ => {}
        }
    }

    fn add_news(&mut self, news: String) {
        self.news.push_front(news);
        self.news.truncate(NEWS);
    }

    fn ended(&mut self, game: &TableGame) {
        self.round = self.round.max(game.table().round_number());
        self.stacks.resize(self.names.len(), 0);
        for (player, chips) in game.players().iter().zip(game.table().stacks()) {
            // The house bots of a gauntlet are no players of it.
            if let Some(stack) = self.stacks.get_mut(*player) {
                *stack = *chips;
            }
        }
    }

    /// A level of an event of many tables begins.
    fn level(&mut self, event: &Event) {
        self.has_many_tables = true;
        self.stacks = vec![0; self.names.len()];
        for standing in event.standings().places() {
            if let Some(stack) = self.stacks.get_mut(standing.player) {
                *stack = standing.chips;
            }
        }
        if let Some(level) = event.level() {
            let tables = event.tables().len();
            let playing: usize = event.tables().iter().map(|table| table.players().len()).sum();
            self.add_news(format!("level {}: {playing} players, {tables} tables", level.number));
        }
    }

    /// Keeps the stacks after a round for the players' lines.
    fn keep_stacks(&mut self) {
        if self.round > self.kept && self.round.is_multiple_of(self.stride) {
            self.kept = self.round;
            self.past.push_back(self.stacks.clone());
            if self.past.len() > PAST {
                self.stride *= 2;
                let mut index = 0;
                self.past.retain(|_| {
                    index += 1;
                    index % 2 == 0
                });
            }
        }
    }

    /// The screen as lines, none wider or more than fit.
    fn lines(&self, width: usize, height: usize) -> Vec<String> {
        let bold = Style::new().bold();
        let dim = Style::new().dim();
        let inside = self.stacks.iter().filter(|chips| **chips > 0).count();
        let players = self.names.len();
        let mut lines = vec![
            format!(
                "{}  round {} of {} · {inside} of {players} in · {:.0} rounds/s",
                bold.apply_to("Casino Day"),
                self.round,
                self.rounds,
                self.rate
            ),
            self.table_line(),
        ];
        let name_width = self.names.iter().map(|name| measure_text_width(name)).max().unwrap_or(0).min(NAME);
        let chart_width = width.saturating_sub(2 + name_width + 1 + 8 + 1 + CARDS + 1 + WORD + 1);
        let head = format!(
            "  {} {:>8} {:<CARDS$} {:<WORD$} {}",
            pad_str("player", name_width, Alignment::Left, None),
            "chips",
            "cards",
            "",
            if chart_width >= CHART { "stacks over the rounds" } else { "" },
        );
        lines.push(dim.apply_to(head).to_string());
        let mut order: Vec<usize> = (0..self.stacks.len()).collect();
        order.sort_by_key(|seat| (std::cmp::Reverse(self.stacks[*seat]), *seat));
        // The players come first; what is left is for the news, of which one or two are always seen.
        let room = height.saturating_sub(lines.len());
        let news = self.news.len().min(room.saturating_sub(order.len()).max(room.min(2)));
        for seat in order.into_iter().take(room - news) {
            lines.push(self.row(seat, name_width, chart_width));
        }
        lines.extend(self.news.iter().take(news).map(|news| format!("✕ {news}")));
        lines.truncate(height);
        lines.into_iter().map(|line| truncate_str(&line, width, "…").into_owned()).collect()
    }

    /// The pot, or how the round that is shown has ended.
    fn table_line(&self) -> String {
        let Some(view) = self.follower.view() else { return String::new() };
        let table = if self.has_many_tables { format!("Table {}. ", view.table) } else { String::new() };
        match &view.result {
            Some(result) => {
                let hand: Vec<String> = result.hand.iter().map(|card| coloured(*card)).collect();
                format!("{} {table}{}", hand.join(" "), result.sentence)
            }
            None => format!(
                "{table}Round {}, street {}: pot {}, of it {} for the high spade in the hole",
                view.round, view.street, view.pot, view.spade_half
            ),
        }
    }

    /// A player: the name, the chips, the cards, what it did last, and its stacks over the rounds.
    fn row(&self, seat: usize, name_width: usize, chart_width: usize) -> String {
        let view = self.follower.view();
        let at_table = view.and_then(|view| view.seats.iter().find(|shown| shown.seat == seat + 1));
        let mark = match view {
            Some(view) if view.turn == Some(seat + 1) => "▸ ",
            Some(view) if view.opener == Some(seat + 1) && view.result.is_none() => "◦ ",
            _ => "  ",
        };
        let style = match at_table {
            Some(at_table) if at_table.won > 0 => Style::new().bold().fg(Color::Yellow),
            Some(at_table) if at_table.live => Style::new().bold(),
            _ => Style::new().dim(),
        };
        let name = pad_str(&self.names[seat], name_width, Alignment::Left, Some("…"));
        let word = at_table.map(|at_table| at_table.word.as_str()).unwrap_or_default();
        let cards = at_table.map(cards).unwrap_or_default();
        let mut line = format!(
            "{mark}{} {:>8} {} {}",
            style.apply_to(name),
            self.stacks[seat],
            pad_str(&cards, CARDS, Alignment::Left, None),
            style.apply_to(pad_str(word, WORD, Alignment::Left, Some("…"))),
        );
        if chart_width >= CHART {
            line.push(' ');
            line.push_str(&self.chart(seat, chart_width));
        }
        line
    }

    fn chart(&self, seat: usize, width: usize) -> String {
        let most = self.past.iter().flatten().chain(&self.stacks).copied().max().unwrap_or(1).max(1);
        let step = |chips: Chips| match chips {
            0 => ' ',
            chips => STEPS[(u64::from(chips) * 7 / u64::from(most)) as usize],
        };
        let columns = self.past.len().min(width);
        (0..columns).map(|column| step(self.past[column * self.past.len() / columns][seat])).collect()
    }
}

/// A player's cards: the hole card covered until it is shown.
fn cards(seat: &SeatView) -> String {
    let hole = seat.hole.map_or_else(|| "▒▒".to_string(), coloured);
    let up = seat.up.iter().map(|card| coloured(*card));
    [hole].into_iter().chain(up).collect::<Vec<_>>().join(" ")
}

/// A card in one of four colours; where there are none, the suits still differ.
fn coloured(card: Card) -> String {
    let style = Style::new().bold();
    let style = match card.suit() {
        Suit::Spades => style,
        Suit::Hearts => style.red(),
        Suit::Diamonds => style.cyan(),
        Suit::Clubs => style.green(),
    };
    style.apply_to(pretty(card)).to_string()
}

impl Recorder for Screen {
    fn level(&mut self, event: &Event) -> io::Result<()> {
        self.picture.lock().level(event);
        Ok(())
    }

    fn for_table(&mut self, _: &TableGame) -> Box<dyn Recorder + Send> {
        Box::new(TableScreen { picture: self.picture.clone(), is_followed: false })
    }

    fn event(&mut self, game: &TableGame, event: &TableEvent) -> io::Result<()> {
        let mut picture = self.picture.lock();
        if matches!(event, TableEvent::Dealt { .. })
            && self.drawn.is_none_or(|drawn| drawn.elapsed() >= EVERY)
        {
            picture.follower.begin();
        }
        picture.event(game, event, true);
        if *event == TableEvent::Ended {
            picture.keep_stacks();
        }
        Ok(())
    }

    fn commit(&mut self) -> io::Result<()> {
        let mut picture = self.picture.lock();
        picture.keep_stacks();
        let wait = if picture.follower.is_busy() { PATIENCE } else { EVERY };
        drop(picture);
        if self.is_due(wait) { self.draw() } else { Ok(()) }
    }

    fn over(&mut self, _: &Event) -> io::Result<()> {
        // The final table follows where it can be scrolled back to.
        leave();
        Ok(())
    }

    fn pause(&mut self) -> io::Result<()> {
        leave();
        Ok(())
    }

    fn resting(&mut self, _: &TableGame) {
        // A terminal that cannot be drawn on is found out at the next commit.
        let _ = self.draw();
    }
}

/// One of several tables on the screen. One round at a time is followed, at the table that deals first.
struct TableScreen {
    picture: SharedPicture,
    is_followed: bool,
}

impl Recorder for TableScreen {
    fn event(&mut self, game: &TableGame, event: &TableEvent) -> io::Result<()> {
        use TableEvent::{Dealt, Ended, Left};
        if !self.is_followed && !matches!(event, Dealt { .. } | Ended | Left { .. }) {
            return Ok(());
        }
        let mut picture = self.picture.lock();
        if matches!(event, Dealt { .. }) && std::mem::take(&mut picture.wants_round) {
            picture.follower.begin();
            self.is_followed = true;
        }
        picture.event(game, event, self.is_followed);
        self.is_followed &= *event != Ended;
        Ok(())
    }

    fn commit(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests;
