//! The page moved by the levels and rounds of its tournament: the live page, a page after a crash, a replay and the seat of a
//! person are one picture at different places.

use std::borrow::Borrow;

use super::page_changes::change_by_step;
use super::{FinishedTournament, LevelView, Page, TableRound, follow};
use crate::rounds::{DisplayStep, TableView};

/// A part of a recorded tournament, in its order.
#[derive(Clone, Debug)]
pub enum Part {
    /// A level was seated.
    Level(LevelView),
    /// A round was played at a table.
    Round(TableRound),
    /// The tournament was over by the rules: the last one of a series, if it was one.
    Over(Option<Box<FinishedTournament>>),
}

impl Page {
    /// Moves to the end of a part: everything stands as after it.
    pub fn advance(&mut self, part: &Part) {
        match part {
            Part::Level(level) => self.show_level(level.clone()),
            Part::Round(round) => {
                if round.before.has_news() {
                    self.show_tallies([&round.before]);
                }
                self.count(&[round], true);
            }
            Part::Over(_) => {}
        }
    }

    /// Moves by a step of a round, without the chances of the players. Returns the table, if it shows anything.
    pub fn step(&mut self, round: &TableRound, step: &DisplayStep, finale: bool) -> Option<&TableView> {
        change_by_step(self, round, step, finale, |table, change| change(table));
        self.table.as_ref()
    }

    /// Counts a round that has been shown at these tables: everything on the page stands as after it. The race has a point of it if
    /// all tables are known round by round (`in_step`), and otherwise those of the only table.
    pub fn count<R: Borrow<TableRound>>(&mut self, rounds: &[R], in_step: bool) {
        let rounds = || rounds.iter().map(Borrow::borrow);
        self.show_tallies(rounds().map(|round| &round.after));
        rounds().for_each(|round| follow(self, round));
        let last = rounds().next().map_or(0, |round| round.round);
        self.add_to_race(last, in_step, rounds().map(|round| &round.after));
    }
}

#[cfg(test)]
mod tests {
    use casino_stud::replay::{DealtSeat, ExitKind, PublicDeal, PublicEvent, PublicExit};
    use casino_stud::stud::Seat;

    use super::*;
    use crate::rounds::TournamentInfo;
    use crate::state::TableTally;

    /// Round 4 of two players, of whom a third one left between it and the round before.
    fn round() -> TableRound {
        let card = |text: &str| text.parse().unwrap();
        let dealt = |at: usize, up| DealtSeat { seat: Seat::new(at), player: at, stack: 10, up: card(up) };
        let seats = vec![dealt(0, "5H"), dealt(1, "6H")];
        let deal = PublicDeal { table: 1, round: 4, ante: 1, seats };
        let exit = PublicExit {
            player: 2,
            round: 3,
            why: "was removed".to_string(),
            kind: ExitKind::Removed,
            began_with: 10,
        };
        let before = TableTally { table: 1, round: 3, exits: vec![exit], ..TableTally::default() };
        let after = TableTally { table: 1, round: 4, chips: vec![(0, 12), (1, 8)], ..TableTally::default() };
        let events = vec![PublicEvent::Dealt(deal)];
        TableRound { table: 1, round: 4, before, events, after, ..TableRound::default() }
    }

    #[test]
    fn a_part_moves_the_board_the_race_the_news_and_the_players_pages() {
        let players = ["Ann", "Ben", "Cyd"].map(ToString::to_string).into();
        let mut page = Page::at_table(TournamentInfo { players, stack: 10, ..TournamentInfo::default() });
        page.advance(&Part::Round(round()));
        let rows: Vec<_> =
            page.board.rows.iter().map(|row| (row.seat, row.chips, row.left_in_round)).collect();
        assert_eq!(
            rows,
            [(1, 12, None), (2, 8, None), (3, 10, Some(3))],
            "who left between two rounds is out"
        );
        assert_eq!((page.board.round, page.race.points().last().unwrap().round), (4, 4));
        let followed = page.player_page(1).unwrap();
        assert_eq!((followed.rounds[0].round, followed.rounds[0].change), (4, 2));
        assert!(serde_json::to_string(&page.news).unwrap().contains("Cyd is out in round 3: was removed."));
    }
}
