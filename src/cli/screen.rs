//! A tournament on the whole terminal: the last round, the race, the news.

use std::collections::VecDeque;
use std::io;
use std::time::{Duration, Instant};

use console::Term;

use crate::cards::notation::pretty;
use crate::stud::{Chips, Half, Strength};
use crate::table::Event;
use crate::tournament::{Freezeout, Player, Record};
use crate::web::why_left;

/// How often the screen is drawn: more often nobody can read it.
const EVERY: Duration = Duration::from_millis(100);

/// How many stacks of the past a player's line shows.
const PAST: usize = 40;

/// How many news are kept.
const NEWS: usize = 50;

/// The steps of a small chart.
const STEPS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// Draws over the whole terminal, a few times a second.
pub(super) struct Screen {
    term: Term,
    picture: Picture,
    drawn: Option<Instant>,
    /// Rounds and when they were counted, for the rate.
    counted: (Instant, u64),
}

/// What is drawn.
struct Picture {
    names: Vec<String>,
    rounds: u64,
    round: u64,
    rate: f64,
    last: String,
    stacks: Vec<Chips>,
    /// Every so many rounds, the stacks.
    past: VecDeque<Vec<Chips>>,
    /// Every how many rounds; grows with the tournament, so that the whole of it stays in sight.
    stride: u64,
    news: VecDeque<String>,
}

impl Screen {
    /// A screen for these players, if standard output is a terminal.
    pub(super) fn new(players: &[Player], rounds: u64) -> Option<Screen> {
        let term = Term::stdout();
        if !term.is_term() {
            return None;
        }
        let picture = Picture {
            names: players.iter().map(|player| player.name.clone()).collect(),
            rounds,
            round: 0,
            rate: 0.0,
            last: String::new(),
            stacks: Vec::new(),
            past: VecDeque::new(),
            stride: 1,
            news: VecDeque::new(),
        };
        Some(Screen { term, picture, drawn: None, counted: (Instant::now(), 0) })
    }

    fn draw(&mut self) -> io::Result<()> {
        let now = Instant::now();
        if self.drawn.is_none() {
            self.term.clear_screen()?;
        }
        self.drawn = Some(now);
        let (since, round) = self.counted;
        if now - since >= Duration::from_secs(1) {
            self.picture.rate = (self.picture.round - round) as f64 / (now - since).as_secs_f64();
            self.counted = (now, self.picture.round);
        }
        let (height, width) = self.term.size();
        self.term.move_cursor_to(0, 0)?;
        for line in self.picture.lines(width.into(), usize::from(height).saturating_sub(1)) {
            self.term.clear_line()?;
            self.term.write_line(&line)?;
        }
        self.term.clear_to_end_of_screen()?;
        self.term.flush()
    }
}

impl Picture {
    fn ended(&mut self, tournament: &Freezeout) {
        let table = tournament.table();
        self.round = table.round_number();
        self.stacks = table.stacks().to_vec();
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
        let mut takers = Vec::new();
        for event in table.events() {
            match *event {
                Event::Won { seat, half, chips } => takers.push(match half {
                    Half::Spade => {
                        let hole = pretty(table.round().hole(seat));
                        format!("{} {chips} for {hole}", self.names[seat.index()])
                    }
                    Half::Whole | Half::Hand => format!("{} {chips}", self.names[seat.index()]),
                }),
                Event::Left { seat, .. } => {
                    let why = why_left(table.farewell(seat).expect("who leaves is told why"));
                    let name = &self.names[seat.index()];
                    self.news.push_front(format!("{name} is out in round {}: {why}", self.round));
                    self.news.truncate(NEWS);
                }
                _ => {}
            }
        }
        let shown: Vec<_> = table.shown().into_iter().flatten().collect();
        let cards: Vec<String> = shown.iter().map(|card| pretty(*card)).collect();
        let words = match shown[..] {
            [a, b, c] => Strength::of([a, b, c]).to_string(),
            _ => "everyone else folded".to_string(),
        };
        self.last = format!("{} with {} ({words})", takers.join(", "), cards.join(" "));
    }

    /// The screen as lines, none wider or more than fit.
    fn lines(&self, width: usize, height: usize) -> Vec<String> {
        let inside = self.stacks.iter().filter(|chips| **chips > 0).count();
        let players = self.names.len();
        let mut lines = vec![
            format!(
                "round {} of {}   {inside} of {players} in   {:.0} rounds/s",
                self.round, self.rounds, self.rate
            ),
            self.last.clone(),
            String::new(),
        ];
        let most = self.past.iter().flatten().chain(&self.stacks).copied().max().unwrap_or(1).max(1);
        let name_width = self.names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        let mut order: Vec<usize> = (0..self.stacks.len()).collect();
        order.sort_by_key(|seat| (std::cmp::Reverse(self.stacks[*seat]), *seat));
        let news = self.news.len().min(5);
        let room = height.saturating_sub(lines.len() + 1 + news);
        for seat in order.into_iter().take(room) {
            let step = |chips: &Chips| match chips {
                0 => ' ',
                chips => STEPS[(u64::from(*chips) * 7 / u64::from(most)) as usize],
            };
            let chart: String = self.past.iter().map(|stacks| step(&stacks[seat])).collect();
            let stack = self.stacks[seat];
            lines.push(format!("{:<name_width$} {stack:>8} {chart}", self.names[seat]));
        }
        lines.push(String::new());
        lines.extend(self.news.iter().take(news).cloned());
        lines.truncate(height);
        lines.into_iter().map(|line| line.chars().take(width).collect()).collect()
    }
}

impl Record for Screen {
    fn event(&mut self, tournament: &Freezeout, event: &Event) -> io::Result<()> {
        if *event == Event::Ended {
            self.picture.ended(tournament);
        }
        Ok(())
    }

    fn commit(&mut self) -> io::Result<()> {
        match self.drawn {
            Some(drawn) if drawn.elapsed() < EVERY => Ok(()),
            _ => self.draw(),
        }
    }

    fn over(&mut self, _: &Freezeout) -> io::Result<()> {
        self.draw()
    }

    fn pause(&mut self) -> io::Result<()> {
        self.draw()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cards::Seed;
    use crate::strategies::{Bot, HOUSE};
    use crate::table::Conduct;
    use crate::tournament::play;

    struct Checked(Picture);

    impl Record for Checked {
        fn event(&mut self, tournament: &Freezeout, event: &Event) -> io::Result<()> {
            if *event == Event::Ended {
                self.0.ended(tournament);
                for (width, height) in [(80, 24), (20, 5), (200, 60), (1, 1)] {
                    let lines = self.0.lines(width, height);
                    assert!(lines.len() <= height);
                    assert!(lines.iter().all(|line| line.chars().count() <= width));
                    assert!(lines.iter().all(|line| !line.contains(char::is_control)));
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
        let names: Vec<String> = HOUSE.iter().map(|bot| bot.name.to_string()).collect();
        let picture = Picture {
            names: names.clone(),
            rounds: 500,
            round: 0,
            rate: 0.0,
            last: String::new(),
            stacks: Vec::new(),
            past: VecDeque::new(),
            stride: 1,
            news: VecDeque::new(),
        };
        let mut checked = Checked(picture);
        let mut tournament = Freezeout::new(Conduct::default(), &seed, HOUSE.len(), 100, 500);
        let mut bots: Vec<Box<dyn Bot>> =
            HOUSE.iter().map(|bot| -> Box<dyn Bot> { Box::new(bot.player(seed.stream(bot.name))) }).collect();
        play(&mut tournament, &mut bots, &mut checked).unwrap();
        assert!(checked.0.past.len() <= PAST);
        let lines = checked.0.lines(100, 40);
        let best = tournament.standings().places()[0].player;
        assert!(lines[3].starts_with(&names[best]), "{lines:?}");
        assert!(lines.iter().any(|line| line.contains("is out in round")), "{lines:?}");
    }
}
