//! The end of a tournament: the winners one after the other, the awards, and the final standings.

use std::time::Duration;

use casino_stud::replay::BoardRow;

use super::cue::Cue;
use super::page::{Board, Phase};
use super::page_changes::follow;
use super::predictions::Outcome;
use super::presenter::{FinalResult, Presenter};
use super::sections::{Ceremony, ShowView, Stage};

const SHORTEST: Duration = Duration::from_secs(20);
const LONGEST: Duration = Duration::from_secs(60);

/// The part of a short show that the ceremony takes at least.
const SHORTEST_PART: f64 = 0.12;

/// How long a place or an award is looked at, at most.
const LONGEST_LOOK: Duration = Duration::from_millis(7_000);

impl Presenter {
    /// Plans the ceremony if the last round has been shown and the result is known. False if there is none to plan.
    pub(super) fn plan_ceremony(&mut self) -> bool {
        if !self.finish.is_decided {
            return false;
        }
        let Some(result) = &self.finish.result else { return false };
        let rows = result.rows.clone();
        let awards = {
            let times = self.console_state.reply_times();
            let names = self.hub.look(|page| page.info().players.clone());
            self.awards.given(&names, &times)
        };
        let mut stages: Vec<Ceremony> = Vec::new();
        let mut announced: Vec<BoardRow> = Vec::new();
        for place in [3, 2, 1] {
            let here: Vec<BoardRow> = rows.iter().filter(|row| row.place == place).cloned().collect();
            if !here.is_empty() {
                announced.extend(here);
                stages.push(Ceremony {
                    stage: Stage::Place(place),
                    rows: announced.clone(),
                    awards: Vec::new(),
                });
            }
        }
        for given in 1..=awards.len() {
            let awards = awards[..given].to_vec();
            stages.push(Ceremony { stage: Stage::Awards, rows: announced.clone(), awards });
        }
        // A show of a minute or two has a short ceremony.
        let shortest = self.clock.total().mul_f64(SHORTEST_PART).min(SHORTEST);
        let all = self.left().map_or(SHORTEST, |left| left.clamp(shortest, LONGEST));
        let all = all.div_f64(self.console_state.tempo());
        let each = (all / stages.len().max(1) as u32).min(LONGEST_LOOK);
        self.cues.extend(stages.into_iter().map(|ceremony| Cue::Ceremony(ceremony, each)));
        self.cues.push_back(Cue::Podium);
        true
    }

    /// Whatever is on show, the tournament ends on the page now, as far as its end is known.
    pub(super) fn finish_at_once(&mut self) {
        self.cues.clear();
        self.queue.clear();
        self.hub.change(|page| page.exit = None);
        if self.finish.result.is_some() {
            self.show_result();
        }
    }

    /// Shows the final standings, the winners and, if it may be seen, the seed.
    pub(super) fn show_result(&mut self) {
        let last_round = std::mem::take(&mut self.finish.last_round);
        let Some(FinalResult { rows, rounds, stopped }) = self.finish.result.take() else { return };
        self.cues.clear();
        self.queue.clear();
        let awards = {
            let times = self.console_state.reply_times();
            let names = self.hub.look(|page| page.info().players.clone());
            self.awards.given(&names, &times)
        };
        if !stopped {
            let outcome = Outcome::of(&rows, &self.last_table);
            self.hub.predictions(|predictions| predictions.resolve(&outcome));
        }
        let Presenter { hub, news, .. } = self;
        hub.change(|page| {
            news.show_tallies(page, last_round.iter().map(|round| &round.after));
            last_round.iter().for_each(|round| follow(page, round));
            page.board = Board { round: rounds, rate: 0.0, rows: rows.clone() };
            page.add_board_to_race(rounds);
            let winners: Vec<&str> = rows
                .iter()
                .filter(|row| row.place == 1)
                .filter_map(|row| page.info().players.get(row.seat - 1))
                .map(String::as_str)
                .collect();
            let winners = winners.join(" and ");
            let sentence = if stopped {
                format!("The tournament was stopped after {rounds} rounds; {winners} led.")
            } else {
                format!("After {rounds} rounds {winners} won the tournament.")
            };
            page.news.add("day", sentence);
            if !stopped {
                let rows = rows.iter().filter(|row| row.place <= 3).rev().cloned().collect();
                page.ceremony = Some(Ceremony { stage: Stage::Done, rows, awards });
            }
            page.show = ShowView { minutes: page.show.minutes, ..ShowView::default() };
            page.podium = rows;
            page.phase = Phase::Over;
        });
        self.show_is_over();
        self.reveal();
    }

    /// Reveals the seed, if it may be seen.
    pub(super) fn reveal(&mut self) {
        if let Some(seed) = self.finish.seed.take() {
            self.hub.change(|page| {
                page.programme.info.seed = Some(seed.clone());
                page.news.add("day", format!("The seed was {seed}."));
            });
        }
    }
}
