//! An event of many tables on the whole terminal: the table worth watching, a line for each table, and who leads.

use std::cmp::Reverse;
use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use console::{Style, truncate_str};

use crate::session::TournamentStart;
use casino_stud::stud::Chips;
use casino_stud::table::TableEvent;
use casino_stud::tournament::{Event, Recorder, TableGame};

use super::canvas::{Canvas, EVERY, leave};
use super::screen::Picture;

/// How long a table stays on the screen before another one may take its place.
const LOOK: Duration = Duration::from_secs(2);

/// How many news are kept.
const NEWS: usize = 20;

/// Draws the tables of each level.
pub(super) struct EventScreen {
    shared: Shared,
    /// The players, and the house bots of a gauntlet after them.
    names: Vec<String>,
}

/// The tables in the hands of those who play them, each in a thread of its own, and of the screen.
#[derive(Clone)]
struct Shared(Arc<Mutex<Tables>>);

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Tables> {
        // A picture is drawn anew each time: nothing is left half-done by a panic elsewhere.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// All tables of the level, and the terminal they are drawn on.
struct Tables {
    canvas: Canvas,
    content: Content,
}

/// What is drawn: all tables of the level, as after the last round that was recorded.
struct Content {
    tables: Vec<ShownTable>,
    /// The index of the table that is shown, and since when.
    shown: (usize, Option<Instant>),
    /// The most rounds that are played.
    rounds: u64,
    names: Vec<String>,
    /// Each player's chips, by its number, and its points where points decide.
    chips: Vec<Chips>,
    points: Vec<Option<i64>>,
    news: VecDeque<String>,
}

/// A table as the screen shows it.
struct ShownTable {
    number: u32,
    /// The player in each seat, by its number.
    players: Vec<usize>,
    picture: Arc<Mutex<Picture>>,
}

/// The picture of a table, which its recorder draws.
fn lock(picture: &Arc<Mutex<Picture>>) -> MutexGuard<'_, Picture> {
    picture.lock().unwrap_or_else(PoisonError::into_inner)
}

impl ShownTable {
    /// How much it is worth watching: somebody has just left, or else there was much in the pot.
    fn drama(&self) -> (bool, Chips) {
        let (pot, has_left) = lock(&self.picture).last_round();
        (has_left, pot)
    }

    /// The table in one line.
    fn line(&self, is_shown: bool) -> String {
        let picture = lock(&self.picture);
        let mut inside: Vec<(&str, Chips)> = picture.stacks().filter(|(_, chips)| *chips > 0).collect();
        inside.sort_by_key(|(_, chips)| Reverse(*chips));
        let mark = if is_shown { '▸' } else { ' ' };
        let (pot, _) = picture.last_round();
        let mut line = format!("{mark} table {:>3}  {:>2} in  last pot {pot:>5}", self.number, inside.len());
        if let [(first, most), .., (last, least)] = inside[..] {
            line.push_str(&format!("  {first} {most} … {last} {least}"));
        }
        line
    }
}

impl EventScreen {
    /// A screen for this event, if standard output is a terminal that can show one.
    pub(super) fn new(start: &TournamentStart<'_>) -> Option<EventScreen> {
        let canvas = Canvas::new()?;
        let against = start.plan.map(|plan| plan.against.clone()).unwrap_or_default();
        let players: Vec<String> = start.players.iter().map(|player| player.name.clone()).collect();
        let content = Content {
            tables: Vec::new(),
            shown: (0, None),
            rounds: start.rounds,
            chips: vec![0; players.len()],
            points: vec![None; players.len()],
            names: players.clone(),
            news: VecDeque::new(),
        };
        let names = players.into_iter().chain(against).collect();
        Some(EventScreen { shared: Shared(Arc::new(Mutex::new(Tables { canvas, content }))), names })
    }
}

impl Tables {
    /// Draws what the tables have come to if it is time.
    fn show(&mut self) {
        let Tables { canvas, content } = self;
        content.gather();
        if canvas.is_due(EVERY) && !content.tables.is_empty() {
            content.choose();
            canvas.draw(content.round(), |width, height, rate| content.lines(width, height, rate));
        }
    }
}

impl Content {
    /// A level begins.
    fn begin(&mut self, event: &Event) {
        self.tables.clear();
        self.shown = (0, None);
        for standing in event.standings().places() {
            if let Some(chips) = self.chips.get_mut(standing.player) {
                *chips = standing.chips;
                self.points[standing.player] = standing.points;
            }
        }
    }

    /// Takes the stacks and the news of all tables.
    fn gather(&mut self) {
        for table in &self.tables {
            let mut picture = lock(&table.picture);
            for (player, (_, stack)) in table.players.iter().zip(picture.stacks()) {
                if let Some(chips) = self.chips.get_mut(*player) {
                    *chips = stack;
                }
            }
            picture.take_news().for_each(|news| self.news.push_front(news));
        }
        self.news.truncate(NEWS);
    }

    /// Chooses the table that is shown: one that somebody has just left, otherwise the one with the most chips in its last
    /// pot. It stays for a while, so that people can read.
    fn choose(&mut self) {
        let (shown, since) = self.shown;
        if since.is_some_and(|since| since.elapsed() < LOOK) {
            return;
        }
        let worth = |index: &usize| (self.tables[*index].drama(), *index != shown, Reverse(*index));
        let best = (0..self.tables.len()).max_by_key(worth).unwrap_or(0);
        self.shown = (best, Some(Instant::now()));
    }

    /// The number of the last round.
    fn round(&self) -> u64 {
        self.tables.iter().map(|table| lock(&table.picture).round()).max().unwrap_or(0)
    }

    /// The screen as lines, none wider or more than fit.
    fn lines(&self, width: usize, height: usize, rate: f64) -> Vec<String> {
        let Some(shown) = self.tables.get(self.shown.0) else { return Vec::new() };
        let inside = self.chips.iter().filter(|chips| **chips > 0).count();
        let mut lines = vec![format!(
            "{}  round {} of {} · {inside} of {} in · table {} of {} · {rate:.0} rounds/s",
            Style::new().bold().apply_to("Casino Day"),
            self.round(),
            self.rounds,
            self.names.len(),
            shown.number,
            self.tables.len(),
        )];
        let picture = lock(&shown.picture);
        lines.push(picture.table_line());
        // The players of the table that is shown come first, then the leaders, the tables, and the news.
        let room = height.saturating_sub(lines.len() + 2);
        let seats = picture.stacks().count().min(room.saturating_sub(self.tables.len().min(4) + 1));
        lines.extend(picture.players(width, seats));
        drop(picture);
        lines.push(self.leaders(width));
        let news = self.news.len().min(1);
        let mut order: Vec<usize> = (0..self.tables.len()).collect();
        order.sort_by_key(|index| (*index != self.shown.0, Reverse(self.tables[*index].drama())));
        order.truncate(room.saturating_sub(seats + news));
        order.sort_unstable();
        lines.extend(order.iter().map(|index| self.tables[*index].line(*index == self.shown.0)));
        let left = height.saturating_sub(lines.len());
        lines.extend(self.news.iter().take(left).map(|news| format!("✕ {news}")));
        lines.truncate(height);
        lines.into_iter().map(|line| truncate_str(&line, width, "…").into_owned()).collect()
    }

    /// Who leads the event, as many as fit into a line.
    fn leaders(&self, width: usize) -> String {
        let mut order: Vec<usize> = (0..self.names.len()).collect();
        order.sort_by_key(|player| (Reverse(self.points[*player]), Reverse(self.chips[*player]), *player));
        let mut line = "In all:".to_string();
        for (place, player) in order.into_iter().enumerate() {
            let name = &self.names[player];
            let reached = match self.points[player] {
                Some(points) => format!("{points} points"),
                None => self.chips[player].to_string(),
            };
            line.push_str(&format!("  {}. {name} {reached}", place + 1));
            if line.len() > 2 * width {
                break;
            }
        }
        line
    }
}

impl Recorder for EventScreen {
    fn level(&mut self, event: &Event) -> io::Result<()> {
        self.shared.lock().content.begin(event);
        Ok(())
    }

    fn for_table(&mut self, table: &TableGame) -> Box<dyn Recorder + Send> {
        let content = &mut self.shared.lock().content;
        let picture = Picture::of_table(&self.names, table.players(), content.rounds);
        let picture = Arc::new(Mutex::new(picture));
        content.tables.push(ShownTable {
            number: table.number(),
            players: table.players().to_vec(),
            picture: Arc::clone(&picture),
        });
        Box::new(TablePicture { picture, shared: self.shared.clone() })
    }

    fn event(&mut self, _: &TableGame, _: &TableEvent) -> io::Result<()> {
        Ok(())
    }

    fn commit(&mut self) -> io::Result<()> {
        self.shared.lock().show();
        Ok(())
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
}

/// Records a table into its picture.
struct TablePicture {
    picture: Arc<Mutex<Picture>>,
    shared: Shared,
}

impl Recorder for TablePicture {
    fn event(&mut self, table: &TableGame, event: &TableEvent) -> io::Result<()> {
        let mut picture = lock(&self.picture);
        if matches!(event, TableEvent::Dealt { .. }) {
            picture.follow();
        }
        picture.event(table, event);
        Ok(())
    }

    fn commit(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn idle(&mut self, _: &TableGame) {
        self.shared.lock().show();
    }
}
