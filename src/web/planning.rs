//! Plans what is shown next of a round, of exits and of the ceremony, and for how long.

use std::sync::Arc;
use std::time::Duration;

use casino_stud::replay::{DisplayStep, DisplaySteps, Drama, PublicEvent, RaiseWar};

use super::cue::{Cue, Rounds};
use super::director::{FRAME, Scene, Shot};
use super::messages::{TableRound, TableTally};
use super::page::Phase;
use super::page_changes::{exits, follow, pause_after, players_in, show_deal, show_end, show_step, time_of};
use super::presenter::{Pending, Presenter};
use super::sections::{ExitView, ShowMode};

/// How much slower than usual the last round is shown at least.
const FINALE: f64 = 1.8;

/// How long people look at an exit.
const EXIT: Duration = Duration::from_millis(2_600);

impl Presenter {
    /// Plans what is shown next. False if there is nothing.
    pub(super) fn plan(&mut self) -> bool {
        match self.queue.pop_front() {
            Some(Pending::Level(event, rows, rounds, course)) => self.show_level(event, rows, rounds, course),
            Some(Pending::Tally(tally)) if self.in_step || self.is_followed() => {
                self.show_tally(&tally);
            }
            Some(Pending::Rounds(rounds)) if self.in_step => self.plan_in_step(rounds),
            Some(Pending::Rounds(rounds)) if rounds[0].asked || self.is_last_round() => self.plan_one(rounds),
            // Nobody asked for it: it was the last one of its table, and counts when something newer is shown.
            Some(Pending::Rounds(rounds)) if self.is_followed() => {
                self.catch_up(&rounds, 0);
                // The table first: nothing else on the page may be newer than what is shown there.
                self.hub.change(|page| show_end(page, &rounds[0]));
                self.count(&rounds);
            }
            Some(pending) => {
                self.queue.push_front(pending);
                return false;
            }
            None => return self.plan_ceremony(),
        }
        true
    }

    /// Something happened between two rounds. A table on show that is older goes.
    fn show_tally(&mut self, tally: &TableTally) {
        let Presenter { hub, news, .. } = self;
        hub.change(|page| {
            if page.table.as_ref().is_some_and(|table| table.round < tally.round) {
                page.table = None;
            }
            news.show_tallies(page, [tally]);
        });
    }

    /// While everything rests, what the teacher does is shown at once.
    pub(super) fn show_tallies_at_rest(&mut self) {
        while let Some(Pending::Tally(_)) = self.queue.front() {
            if let Some(Pending::Tally(tally)) = self.queue.pop_front() {
                self.show_tally(&tally);
            }
        }
    }

    /// Whether what has just been taken from the queue is not the last that is known.
    fn is_followed(&self) -> bool {
        !self.queue.is_empty() || self.finish.is_decided
    }

    /// Whether the round that has just been taken from the queue is the last of the tournament.
    fn is_last_round(&self) -> bool {
        self.finish.is_decided && !self.queue.iter().any(|pending| matches!(pending, Pending::Rounds(_)))
    }

    /// The tournament is over by the rules: the last round that came is its last.
    pub(super) fn decide(&mut self) {
        self.finish.is_decided = true;
        let is_shown = !self.queue.iter().any(|pending| matches!(pending, Pending::Rounds(_)));
        let last = |cue: &Cue| matches!(cue, Cue::Over(_));
        if is_shown && self.cues.iter().any(last) {
            self.begin_finale();
        }
    }

    fn begin_finale(&self) {
        self.hub.change(|page| {
            page.phase = Phase::Finale;
            if let Some(table) = page.table.as_mut().filter(|table| table.result.is_none()) {
                table.finale = true;
            }
        });
    }

    /// The drama of a round at each table, and how long it would be shown.
    fn scenes(&mut self, rounds: &[Arc<TableRound>], is_last: bool) -> Vec<(Scene, Drama)> {
        let tempo = self.console_state.tempo();
        let best_of =
            |round: &TableRound| round.before.chips.iter().map(|(_, chips)| *chips).max().unwrap_or(0);
        let best_chips: Vec<_> = rounds.iter().map(|round| best_of(round)).collect();
        let (is_first, has_one_table) = self.hub.look(|page| {
            let has_one = page.event.as_ref().is_none_or(|event| event.tables.len() == 1);
            let is_first = page.event.as_ref().map_or(page.board.round == 0, |event| {
                has_one && event.tables.iter().all(|table| table.round < event.first_round)
            });
            (is_first, has_one)
        });
        let scene = |(at, round): (usize, &Arc<TableRound>)| {
            let elsewhere = best_chips.iter().enumerate().filter(|(other, _)| *other != at);
            let elsewhere = elsewhere.map(|(_, chips)| *chips).max().unwrap_or(0);
            let drama = Drama::of(&round.events, elsewhere);
            let exits = round.after.exits.len();
            let must = (is_first && has_one_table) || exits > 0 || drama.score >= Drama::ALL_IN;
            let takes = time_of(&steps_of(round)).div_f64(tempo);
            (Scene { table: round.table, takes, score: drama.score, must, is_last }, drama)
        };
        rounds.iter().enumerate().map(scene).collect()
    }

    /// Plans a round where the dealer keeps in step, and those after it as far as they pass in one picture.
    fn plan_in_step(&mut self, mut rounds: Rounds) {
        let (mut batch, mut all) = (Vec::new(), Duration::ZERO);
        loop {
            self.catch_up(&rounds, 0);
            let is_last = self.is_last_round() || self.may_be_last(&rounds);
            let scenes = self.scenes(&rounds, is_last);
            let shots: Vec<Scene> = scenes.iter().map(|(scene, _)| *scene).collect();
            let (chosen, elapsed) = (self.console_state.featured(), self.elapsed());
            match self.director.shoot(&shots, chosen, &self.clock, elapsed) {
                Shot::Detail { tables, pace } => {
                    self.plan_montage(batch, all);
                    return self.plan_detail(rounds, &scenes, &tables, pace);
                }
                Shot::Montage(takes) => {
                    self.awards_read(&rounds);
                    let is_full =
                        all + takes >= FRAME || rounds.iter().any(|round| !round.after.exits.is_empty());
                    all += takes;
                    batch.push(rounds);
                    match self.queue.pop_front() {
                        Some(Pending::Rounds(next)) if !is_full => rounds = next,
                        next => {
                            next.into_iter().for_each(|next| self.queue.push_front(next));
                            return self.plan_montage(batch, all);
                        }
                    }
                }
            }
        }
    }

    fn plan_montage(&mut self, batch: Vec<Rounds>, takes: Duration) {
        if !batch.is_empty() {
            self.cues.push_back(Cue::Mode(ShowMode::Montage, None));
            self.cues.push_back(Cue::Montage(batch, takes));
        }
    }

    /// Whether this round may be the last of the tournament, as far as the page can know.
    fn may_be_last(&self, rounds: &[Arc<TableRound>]) -> bool {
        let is_done = |table: u32| rounds.iter().any(|round| round.table == table && round.after.done);
        let (all_done, alive) = self.hub.look(|page| {
            let open = |event: &super::page::EventView| {
                event.tables.iter().any(|table| !table.done && table.playing > 1 && !is_done(table.table))
            };
            (!page.event.as_ref().is_some_and(open) && is_done(rounds[0].table), players_in(page))
        });
        let exits: usize = rounds.iter().map(|round| round.after.exits.len()).sum();
        all_done && (alive.saturating_sub(exits) < 2 || self.clock.is_last_level())
    }

    /// Shows how everything stood when this round was dealt, where that may not be known.
    fn catch_up(&mut self, rounds: &[Arc<TableRound>], on_show: usize) {
        let has_news =
            |round: &Arc<TableRound>| !round.before.exits.is_empty() || round.before.foul_count > 0;
        let has_gap = std::mem::take(&mut self.has_gap) || !self.in_step;
        if !has_gap && !rounds.iter().any(has_news) {
            return;
        }
        let Presenter { hub, news, in_step, .. } = self;
        hub.change(|page| {
            // The table first, in the same message: nothing else on the page may be newer than the round on show.
            show_deal(page, &rounds[on_show], false);
            news.show_tallies(page, rounds.iter().map(|round| &round.before));
            if *in_step || page.event.is_some() {
                page.add_board_to_race(rounds[0].round - 1);
            } else {
                rounds
                    .iter()
                    .flat_map(|round| &round.before.points)
                    .for_each(|point| page.race.push(point.clone()));
            }
        });
        if has_gap {
            self.awards.miss();
        }
    }

    /// Plans the one round that was asked for, where nobody waits for the show.
    fn plan_one(&mut self, rounds: Rounds) {
        let scenes = self.scenes(&rounds, self.is_last_round());
        let shots: Vec<Scene> = scenes.iter().map(|(scene, _)| *scene).collect();
        let (chosen, elapsed) = (self.console_state.featured(), self.elapsed());
        let table = self.director.choose(&shots, chosen, elapsed).unwrap_or(1);
        let on_show = rounds.iter().position(|round| round.table == table).unwrap_or(0);
        self.catch_up(&rounds, on_show);
        self.plan_detail(rounds, &scenes, &[table], 1.0);
    }

    fn plan_detail(&mut self, rounds: Rounds, scenes: &[(Scene, Drama)], tables: &[u32], pace: f64) {
        let is_last = self.is_last_round();
        self.awards_read(&rounds);
        let pace = pace / self.console_state.tempo();
        let names = self.hub.look(|page| page.info().players.clone());
        for table in tables {
            let Some(at) = rounds.iter().position(|round| round.table == *table) else { continue };
            let reason = match is_last || scenes[at].0.is_last {
                true => Some("The last hand".to_string()),
                false => scenes[at].1.reason(&names),
            };
            self.cues.push_back(Cue::Mode(ShowMode::Detail, reason));
            for step in steps_of(&rounds[at]) {
                self.cues.push_back(Cue::Step(Arc::clone(&rounds[at]), step, pace));
            }
        }
        self.cues.push_back(Cue::Over(rounds));
        if is_last {
            self.hub.change(|page| page.phase = Phase::Finale);
        }
    }

    fn awards_read(&mut self, rounds: &[Arc<TableRound>]) {
        rounds.iter().for_each(|round| self.awards.read(&round.events));
    }

    fn count(&mut self, rounds: &[Arc<TableRound>]) {
        #[cfg(test)]
        assert!(!self.requests.falls_after(rounds[0].round), "planted");
        let Presenter { hub, news, in_step, .. } = self;
        let in_step = *in_step;
        let alive = hub.change(|page| {
            news.show_tallies(page, rounds.iter().map(|round| &round.after));
            rounds.iter().for_each(|round| follow(page, round));
            if in_step || page.event.is_some() {
                page.add_board_to_race(rounds[0].round);
            } else {
                rounds
                    .iter()
                    .flat_map(|round| &round.after.points)
                    .for_each(|point| page.race.push(point.clone()));
            }
            players_in(page)
        });
        self.rounds_shown += 1;
        self.clock.note_round(self.elapsed(), alive);
    }

    /// Shows a cue, and says for how long.
    pub(super) fn perform(&mut self, cue: Cue) -> Duration {
        match cue {
            Cue::Step(round, step, pace) => {
                let finale = self.finish.is_decided && self.is_last_round();
                let players = self.hub.change(|page| show_step(page, &round, &step, finale));
                let pace = if finale { pace.max(FINALE / self.console_state.tempo()) } else { pace };
                pause_after(&step, players).mul_f64(pace)
            }
            Cue::Over(rounds) => {
                if self.is_last_round() {
                    self.finish.last_round = rounds;
                    return Duration::ZERO;
                }
                self.count(&rounds);
                self.plan_exits(&rounds);
                Duration::ZERO
            }
            Cue::Montage(batch, takes) => {
                let chosen = self.console_state.featured();
                // The table first: nothing else on the page may be newer than what is shown there.
                if let Some(rounds) = batch.last() {
                    let shown = rounds.iter().find(|round| round.table == chosen).unwrap_or(&rounds[0]);
                    self.hub.change(|page| show_end(page, shown));
                }
                batch.iter().for_each(|rounds| self.count(rounds));
                for rounds in batch.iter().rev() {
                    self.plan_exits(rounds);
                }
                takes
            }
            Cue::Exit(exit, takes) => {
                self.hub.change(|page| page.exit = exit.map(|exit| *exit));
                takes
            }
            Cue::Mode(mode, reason) => {
                self.hub.change(|page| (page.show.mode, page.show.reason) = (mode, reason));
                Duration::ZERO
            }
            Cue::Ceremony(ceremony, takes) => {
                self.hub.change(|page| {
                    page.phase = Phase::Ceremony;
                    page.exit = None;
                    page.ceremony = Some(ceremony);
                });
                takes
            }
            Cue::Podium => {
                self.show_result();
                Duration::ZERO
            }
        }
    }

    /// Everybody who is out after these rounds is shown, one after the other.
    fn plan_exits(&mut self, rounds: &[Arc<TableRound>]) {
        let mut gone: Vec<ExitView> =
            self.hub.look(|page| rounds.iter().flat_map(|round| exits(page, round)).collect());
        if gone.is_empty() {
            return;
        }
        gone.sort_by_key(|exit| (std::cmp::Reverse(exit.place), exit.seat));
        let stage = self.clock.stage_left(self.elapsed());
        let each = EXIT.min(stage / gone.len() as u32).max(EXIT / 3);
        let mut cues: Vec<Cue> = gone.into_iter().map(|exit| Cue::Exit(Some(Box::new(exit)), each)).collect();
        cues.push(Cue::Exit(None, Duration::ZERO));
        for cue in cues.into_iter().rev() {
            self.cues.push_front(cue);
        }
    }
}

fn steps_of(round: &TableRound) -> Vec<DisplayStep> {
    let events: Vec<PublicEvent> = round.events.clone();
    RaiseWar::shorten(DisplaySteps::of_round(events))
}
