//! The page of a tournament, driven by its levels and rounds: the live page, a page after a crash and a replay are one picture at
//! different places.

use super::{LevelView, NewsFeed, Page, TableRound, follow, pass_step};
use crate::rounds::{DisplayStep, TableView, TournamentInfo};

/// A page, and what its news have told.
#[derive(Clone, Debug, Default)]
pub struct Picture {
    /// The page.
    pub page: Page,
    news: NewsFeed,
}

/// A part of a recorded tournament, in its order.
#[derive(Clone, Debug)]
pub enum Part {
    /// A level was seated.
    Level(LevelView),
    /// A round was played at a table.
    Round(TableRound),
}

impl Picture {
    /// The picture of a tournament before its first level.
    pub fn new(info: TournamentInfo) -> Picture {
        Picture { page: Page::at_table(info), news: NewsFeed::default() }
    }

    /// Moves to the end of a part: everything stands as after it.
    pub fn advance(&mut self, part: &Part) {
        match part {
            Part::Level(level) => self.news.show_level(&mut self.page, level.clone()),
            Part::Round(round) => self.news.count(&mut self.page, &[round], true),
        }
    }

    /// Moves by a step of a round. Returns the table, if it shows anything.
    pub fn step(&mut self, round: &TableRound, step: &DisplayStep) -> Option<&TableView> {
        pass_step(&mut self.page, round, step, false);
        self.page.table.as_ref()
    }
}

impl NewsFeed {
    /// Counts a round that has been shown at these tables: everything on the page stands as after it. The race has a point of it if
    /// all tables are known round by round (`in_step`), and otherwise those of the only table.
    pub fn count<R: std::borrow::Borrow<TableRound>>(
        &mut self,
        page: &mut Page,
        rounds: &[R],
        in_step: bool,
    ) {
        let rounds = || rounds.iter().map(std::borrow::Borrow::borrow);
        self.show_tallies(page, rounds().map(|round| &round.after));
        rounds().for_each(|round| follow(page, round));
        let last = rounds().next().map_or(0, |round| round.round);
        page.add_to_race(last, in_step, rounds().map(|round| &round.after));
    }
}
