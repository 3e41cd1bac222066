//! The show's page and what belongs to it: the awards, the players of the last table.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use casino_show::plan::{FinalResult, RoundAtTables};
use casino_show::rounds::{Award, Awards, BoardRow, TournamentInfo};
use casino_show::state::{
    Ceremony, LevelView, Part, Phase, Scoreboard, ShowMode, ShowView, Stage, TableRound, TrueAnswers, follow,
    players_in, show_deal, show_end,
};
use casino_stud::shown::count;
use casino_stud::tournament::Placing;

use super::hub::Hub;
use crate::session::ConsoleState;

/// The page as the show changes it: everything on it stands as after the round that has been shown.
pub(super) struct PageWriter {
    hub: Arc<Hub>,
    awards: Awards,
    /// The players of the last table of several, by numbers from 1.
    last_table: BTreeSet<usize>,
}

impl PageWriter {
    pub(super) fn new(hub: Arc<Hub>) -> PageWriter {
        PageWriter { hub, awards: Awards::new(0, 0, Placing::default()), last_table: BTreeSet::new() }
    }

    pub(super) fn begin(&mut self, info: TournamentInfo, console: &ConsoleState) {
        let players = info.players.len();
        let awards = Awards::new(players, info.stack, info.placing.clone());
        *self = PageWriter { awards, ..PageWriter::new(Arc::clone(&self.hub)) };
        self.hub.change(|page| {
            page.news.add("day", format!("Tournament {} begins with {players} players.", info.number));
            if info.promise.is_some() {
                page.news.add("day", "The shuffle is fixed: ? shows how to check it.".to_string());
            }
            page.begin(info);
            (page.programme.holes, page.programme.sounds) = (console.holes(), console.sounds());
        });
        self.hub.predictions(|predictions| predictions.begin(console.predictions()));
    }

    /// Applies a part that was shown before an interruption. Returns how many players are in after it.
    pub(super) fn advance(&mut self, part: &Part) -> usize {
        match part {
            Part::Level(level) => self.enter(level),
            Part::Round(round) => self.awards.read(&round.events),
            Part::Over(_) => {}
        }
        self.hub.change(|page| {
            page.advance(part);
            players_in(page)
        })
    }

    /// Those who come in late with this level may have awards.
    fn enter(&mut self, level: &LevelView) {
        let known = self.hub.look(|page| page.info().players.len());
        level.players.iter().skip(known).for_each(|_| self.awards.enter());
    }

    /// Reports in the news that the show was started again after a panic.
    pub(super) fn report_restart(&self) {
        self.hub.change(|page| {
            (page.table, page.exit) = (None, None);
            page.news.add("day", "The page was started again; play was not touched.".to_string());
        });
    }

    /// Shows how everything stood when this round was dealt, if that may not be known. `on_show` is the place of the table
    /// that is shown of it.
    pub(super) fn catch_up(
        &mut self,
        rounds: &[Arc<TableRound>],
        on_show: usize,
        has_gap: bool,
        in_step: bool,
    ) {
        if has_gap || rounds.iter().any(|round| round.before.has_news()) {
            self.hub.change(|page| {
                // The table first, in the same message: nothing else on the page may be newer than the round on show.
                show_deal(page, &rounds[on_show], false);
                let before = rounds.iter().map(|round| &round.before);
                page.show_tallies(before.clone());
                page.add_to_race(rounds[0].round - 1, in_step, before);
            });
        }
        if has_gap {
            self.awards.miss();
        }
    }

    /// Reads the rounds for the awards.
    pub(super) fn read(&mut self, rounds: &[Arc<TableRound>]) {
        rounds.iter().for_each(|round| self.awards.read(&round.events));
    }

    /// This round has been shown: everything stands as after it. In a montage its end is shown in the same message, at `table`
    /// if it is among its tables, and otherwise at the first. Returns how many players are in after it.
    pub(super) fn count(&mut self, rounds: &RoundAtTables, table: Option<u32>, in_step: bool) -> usize {
        self.hub.change(|page| {
            if let Some(table) = table {
                show_end(page, rounds.iter().find(|round| round.table == table).unwrap_or(&rounds[0]));
            }
            page.count(rounds, in_step);
            players_in(page)
        })
    }

    /// Shows a level. Returns who sits at its table if there were several before it, by
    /// numbers from 1, and how many players are in.
    pub(super) fn show_level(&mut self, level: LevelView) -> (Option<BTreeSet<usize>>, usize) {
        let rounds = level.rounds;
        self.enter(&level);
        let last_table = match level.hall.as_ref().map(|hall| &hall.tables[..]) {
            Some([table]) if !table.players.is_empty() => Some(table.players.iter().copied().collect()),
            _ => None,
        };
        let (had_several, alive) = self.hub.change(|page| {
            let had_several = page.has_tables();
            // A table that shows less than the level knows goes, in the same message.
            page.table
                .take_if(|table| table.round < rounds || table.round == rounds && table.result.is_none());
            page.show_level(level);
            if had_several && last_table.is_some() {
                page.show.mode = ShowMode::LastTable;
            }
            (had_several, players_in(page))
        });
        let last_table: Option<BTreeSet<usize>> = last_table.filter(|_| had_several);
        if let Some(players) = &last_table {
            self.last_table.clone_from(players);
        }
        (last_table, alive)
    }

    /// The awards of the rounds that were read, and of these reply times.
    pub(super) fn awards(&self, reply_times: &[(u64, Duration)]) -> Vec<Award> {
        let names = self.hub.look(|page| page.info().players.clone());
        self.awards.given(&names, reply_times)
    }

    /// Shows the final standings and the winners after the last round.
    pub(super) fn show_result(
        &mut self,
        result: FinalResult,
        last_round: &[Arc<TableRound>],
        reply_times: &[(u64, Duration)],
    ) {
        let FinalResult { rows, rounds, stopped } = result;
        let awards = self.awards(reply_times);
        if !stopped {
            let outcome = TrueAnswers::of(&rows, &self.last_table);
            self.hub.predictions(|predictions| predictions.resolve(&outcome));
        }
        self.hub.change(|page| {
            page.show_tallies(last_round.iter().map(|round| &round.after));
            last_round.iter().for_each(|round| follow(page, round));
            page.board = Scoreboard { round: rounds, rate: 0.0, rows: rows.clone() };
            page.add_board_to_race(rounds);
            page.news.add("day", result_in_words(&page.programme.info, &rows, rounds, stopped));
            if !stopped {
                let rows = rows.iter().filter(|row| row.place.is_some_and(|place| place <= 3));
                let rows = rows.rev().cloned().collect();
                page.ceremony = Some(Ceremony { stage: Stage::Done, rows, awards, tournament: None });
            }
            page.show = ShowView { minutes: page.show.minutes, ..ShowView::default() };
            page.podium = rows.into_iter().filter(|row| row.place.is_some()).collect();
            page.phase = Phase::Over;
        });
    }

    pub(super) fn reveal(&self, seed: String) {
        self.hub.change(|page| {
            page.news.add("day", format!("The seed was {seed}."));
            page.programme.info.seed = Some(seed);
        });
    }
}

/// How a tournament ended after so many rounds. Nobody wins if all who were left were ejected.
fn result_in_words(info: &TournamentInfo, rows: &[BoardRow], rounds: u64, stopped: bool) -> String {
    let winners = rows.iter().filter(|row| row.place == Some(1));
    let winners: Vec<&str> =
        winners.filter_map(|row| info.players.get(row.seat - 1)).map(String::as_str).collect();
    let winners = if winners.is_empty() { "nobody".to_string() } else { winners.join(" and ") };
    let placed = info.placing.placed(rows.len());
    let after = count(rounds, "round");
    if stopped {
        format!("The tournament was stopped after {after}; {winners} led.")
    } else if placed < rows.len() {
        format!(
            "After {after} {winners} won the tournament: best of {placed} players. House bots play outside the ranking."
        )
    } else {
        format!("After {after} {winners} won the tournament.")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An ejected player without a place is no house bot.
    #[test]
    fn a_tournament_that_nobody_won_says_so() {
        let row = |seat: usize, place: Option<usize>| BoardRow {
            seat,
            place,
            chips: 0,
            points: None,
            left_in_round: Some(4),
            why: None,
            fouls: None,
        };
        let info = TournamentInfo {
            players: ["Ada", "Bob", "odds"].map(String::from).into(),
            placing: Placing::new([false; 3], false),
            ..TournamentInfo::default()
        };
        let ejected = [row(2, None), row(1, Some(2)), row(3, Some(3))];
        assert_eq!(result_in_words(&info, &ejected, 4, false), "After 4 rounds nobody won the tournament.");
        let won = [row(2, Some(1)), row(1, Some(2)), row(3, None)];
        let info = TournamentInfo { placing: Placing::new([false, false, true], false), ..info };
        assert_eq!(
            result_in_words(&info, &won, 1, false),
            "After 1 round Bob won the tournament: best of 2 players. House bots play outside the ranking."
        );
    }
}
