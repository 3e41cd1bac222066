//! A tournament on the whole terminal: the table, the race, the news.

use std::collections::VecDeque;
use std::io;
use std::mem;
use std::time::{Duration, Instant};

use console::{Alignment, Color, Style, measure_text_width, pad_str, truncate_str};

use casino_stud::cards::notation::pretty;
use casino_stud::cards::{Card, Suit};
use casino_stud::replay::{Follower, PublicExit, SeatView};
use casino_stud::stud::Chips;
use casino_stud::table::TableEvent;
use casino_stud::tournament::{Event, Player, Recorder, TableGame};

use super::canvas::{Canvas, EVERY, leave};

/// How long the end of the round that is shown is waited for before it is drawn as it stands.
const PATIENCE: Duration = Duration::from_millis(300);

/// How many stacks of the past are kept for a player's line.
const PAST: usize = 160;

/// How many news are kept.
const NEWS: usize = 50;

/// The widest name, in columns.
const NAME: usize = 18;

/// The columns of a hole card and two up cards.
pub(super) const CARDS: usize = 11;

/// The columns of what a player did last.
const WORD: usize = 12;

/// The narrowest chart worth drawing, in columns.
const CHART: usize = 8;

/// The steps of a small chart.
const STEPS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// Draws over the whole terminal, a few times a second.
pub(super) struct Screen {
    canvas: Canvas,
    picture: Picture,
    /// When the round that is shown was dealt.
    followed: Option<Instant>,
}

/// What is drawn on the screen.
pub(super) struct Picture {
    /// The names in seat order, and the number of the player in each seat, from 0.
    names: Vec<String>,
    numbers: Vec<usize>,
    rounds: u64,
    round: u64,
    rate: f64,
    follower: Follower,
    stacks: Vec<Chips>,
    /// Every so many rounds, the stacks.
    past: VecDeque<Vec<Chips>>,
    /// Every how many rounds; grows with the tournament, so that the whole of it stays in sight.
    stride: u64,
    news: VecDeque<String>,
    /// What was in the pot of the last round, in chips, and whether somebody left in it.
    last: (Chips, bool),
}

impl Screen {
    /// A screen for these players, if standard output is a terminal that can show one.
    pub(super) fn new(players: &[Player], rounds: u64) -> Option<Screen> {
        let names = players.iter().map(|player| player.name.clone()).collect();
        Some(Screen { canvas: Canvas::new()?, picture: Picture::new(names, rounds), followed: None })
    }

    fn draw(&mut self) {
        let Screen { canvas, picture, .. } = self;
        canvas.draw(picture.round, |width, height, rate| {
            picture.rate = rate;
            picture.lines(width, height)
        });
    }
}

impl Picture {
    /// An empty picture of the only table, with these players in seat order.
    pub(super) fn new(names: Vec<String>, rounds: u64) -> Picture {
        let numbers: Vec<usize> = (0..names.len()).collect();
        Picture::of_table(&names, &numbers, rounds)
    }

    /// An empty picture of a table with the players of these numbers in its seats; the names are those of all players.
    pub(super) fn of_table(names: &[String], numbers: &[usize], rounds: u64) -> Picture {
        Picture {
            follower: Follower::new(names.to_vec()),
            names: numbers.iter().map(|number| names[*number].clone()).collect(),
            numbers: numbers.to_vec(),
            rounds,
            round: 0,
            rate: 0.0,
            stacks: Vec::new(),
            past: VecDeque::new(),
            stride: 1,
            news: VecDeque::new(),
            last: (0, false),
        }
    }

    /// The chips in the pot of the last round, and whether somebody left in it.
    pub(super) fn last_round(&self) -> (Chips, bool) {
        self.last
    }

    /// The number of the last round.
    pub(super) fn round(&self) -> u64 {
        self.round
    }

    /// The names and stacks in seat order; none before the first round is over.
    pub(super) fn stacks(&self) -> impl Iterator<Item = (&str, Chips)> {
        self.names.iter().map(String::as_str).zip(self.stacks.iter().copied())
    }

    /// Who left, the last one first.
    pub(super) fn take_news(&mut self) -> impl Iterator<Item = String> {
        mem::take(&mut self.news).into_iter()
    }

    /// Follows the round that is being dealt.
    pub(super) fn follow(&mut self) {
        self.follower.begin();
    }

    /// Sees an event of the table.
    pub(super) fn event(&mut self, tournament: &TableGame, event: &TableEvent) {
        self.follower.event(tournament, event);
        match event {
            TableEvent::Ended => self.ended(tournament),
            TableEvent::Left { seat, .. } => {
                let PublicExit { round, why, .. } = PublicExit::of(tournament, *seat);
                self.news.push_front(format!("{} is out in round {round}: {why}", self.names[seat.index()]));
                self.news.truncate(NEWS);
            }
            _ => {}
        }
    }

    fn ended(&mut self, tournament: &TableGame) {
        let table = tournament.table();
        let won = |event: &TableEvent| match event {
            TableEvent::Won { chips, .. } => Some(*chips),
            _ => None,
        };
        let left = |event: &TableEvent| matches!(event, TableEvent::Left { .. });
        self.last = (table.events().iter().filter_map(won).sum(), table.events().iter().any(left));
        self.round = table.round_number();
        self.stacks.clear();
        self.stacks.extend_from_slice(table.stacks());
        if self.round.is_multiple_of(self.stride) {
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
        // The players come first; what is left is for the news, of which one or two are always seen.
        let room = height.saturating_sub(lines.len() + 1);
        let news = self.news.len().min(room.saturating_sub(self.stacks.len()).max(room.min(2)));
        lines.extend(self.players(width, room - news));
        lines.extend(self.news.iter().take(news).map(|news| format!("✕ {news}")));
        lines.truncate(height);
        lines.into_iter().map(|line| truncate_str(&line, width, "…").into_owned()).collect()
    }

    /// The players of the table, those with the most chips first, at most so many, under a line that heads them.
    pub(super) fn players(&self, width: usize, most: usize) -> Vec<String> {
        let dim = Style::new().dim();
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
        let mut lines = vec![dim.apply_to(head).to_string()];
        let mut order: Vec<usize> = (0..self.stacks.len()).collect();
        order.sort_by_key(|seat| (std::cmp::Reverse(self.stacks[*seat]), *seat));
        lines.extend(order.into_iter().take(most).map(|seat| self.row(seat, name_width, chart_width)));
        lines
    }

    /// The pot, or how the round that is shown has ended.
    pub(super) fn table_line(&self) -> String {
        let Some(view) = self.follower.view() else { return String::new() };
        match &view.result {
            Some(result) => {
                let hand: Vec<String> = result.hand.iter().map(|card| coloured(*card)).collect();
                format!("{} {}", hand.join(" "), result.sentence)
            }
            None => format!(
                "Round {}, street {}: pot {}, of it {} for the high spade in the hole",
                view.round, view.street, view.pot, view.spade_half
            ),
        }
    }

    /// A player: the name, the chips, the cards, what it did last, and its stacks over the rounds.
    fn row(&self, seat: usize, name_width: usize, chart_width: usize) -> String {
        let view = self.follower.view();
        let number = self.numbers[seat] + 1;
        let at_table = view.and_then(|view| view.seats.iter().find(|shown| shown.seat == number));
        let mark = match view {
            Some(view) if view.turn == Some(number) => "▸ ",
            Some(view) if view.opener == Some(number) && view.result.is_none() => "◦ ",
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
        let columns = self.past.len().min(width);
        (0..columns).map(|column| step(self.past[column * self.past.len() / columns][seat], most)).collect()
    }
}

/// A step of a small chart that reaches from 0 to `most` chips.
pub(super) fn step(chips: Chips, most: Chips) -> char {
    match chips {
        0 => ' ',
        chips => STEPS[(u64::from(chips) * 7 / u64::from(most.max(chips))) as usize],
    }
}

/// A player's cards: the hole card covered until it is shown.
pub(super) fn cards(seat: &SeatView) -> String {
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
    fn event(&mut self, tournament: &TableGame, event: &TableEvent) -> io::Result<()> {
        // Not when it was drawn last: it is drawn before every wait for the next deal.
        if matches!(event, TableEvent::Dealt { .. })
            && self.followed.is_none_or(|followed| followed.elapsed() >= EVERY)
        {
            self.followed = Some(Instant::now());
            self.picture.follow();
        }
        self.picture.event(tournament, event);
        Ok(())
    }

    fn commit(&mut self) -> io::Result<()> {
        let wait = if self.picture.follower.is_busy() { PATIENCE } else { EVERY };
        if self.canvas.is_due(wait) {
            self.draw();
        }
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

    fn idle(&mut self, _: &TableGame) {
        self.draw();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use casino_stud::cards::Seed;
    use casino_stud::strategies::{Bot, HOUSE};
    use casino_stud::table::TableSettings;
    use casino_stud::tournament::{EventBots, play};

    struct Checked(Picture);

    impl Recorder for Checked {
        fn event(&mut self, tournament: &TableGame, event: &TableEvent) -> io::Result<()> {
            if matches!(event, TableEvent::Dealt { .. }) {
                self.0.follower.begin();
            }
            self.0.event(tournament, event);
            for (width, height) in [(80, 24), (20, 5), (200, 60), (1, 1), (0, 0)] {
                let lines = self.0.lines(width, height);
                assert!(lines.len() <= height);
                for line in &lines {
                    assert!(measure_text_width(line) <= width, "{line}");
                    assert!(!console::strip_ansi_codes(line).contains(char::is_control), "{line:?}");
                }
            }
            Ok(())
        }

        fn commit(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn the_picture_fits_every_terminal_and_tells_who_leads_and_who_left() {
        let seed = Seed::chosen("screen");
        // Two columns a letter, none, and one.
        let strange = ["\u{674e}\u{5c0f}\u{9f8d}".repeat(8), "\u{e01}\u{e33}".to_string()];
        let names: Vec<String> = strange
            .into_iter()
            .chain(HOUSE.iter().map(|bot| bot.name.to_string()))
            .take(HOUSE.len())
            .collect();
        let mut checked = Checked(Picture::new(names.clone(), 500));
        let game = TableGame::new(TableSettings::default(), &seed, HOUSE.len(), 100, 500);
        let mut event = Event::from(game);
        let bots: Vec<Box<dyn Bot>> =
            HOUSE.iter().map(|bot| -> Box<dyn Bot> { Box::new(bot.player(seed.stream(bot.name))) }).collect();
        play(&mut event, &mut EventBots::new(bots), &mut checked).unwrap();
        assert!(checked.0.past.len() <= PAST);
        let lines: Vec<String> = checked
            .0
            .lines(100, 40)
            .iter()
            .map(|line| console::strip_ansi_codes(line).into_owned())
            .collect();
        let best = event.standings().places()[0].player;
        assert!(lines[3].contains(&names[best]), "{lines:#?}");
        assert!(lines.iter().any(|line| line.contains("is out in round")), "{lines:#?}");
        assert!(lines.iter().any(|line| line.contains(['♠', '♥', '♦', '♣'])), "{lines:#?}");
    }
}
