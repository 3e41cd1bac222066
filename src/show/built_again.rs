//! A page that is rebuilt from the journal after an interruption or a panic of the show. All shown steps are repeated
//! at once, so that the page is the same; later rounds of the journal wait to be shown.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use casino_show::plan::{
    Pending, RestOfRecording, RoundAtTables, ShowPlan, ShownRounds, at_tables, scenes, steps_of,
};
use casino_show::rounds::TournamentInfo;
use casino_show::state::{LevelView, Phase, PredictionStage, ShowMode};
use casino_show::timing::ShowClock;
use casino_stud::tournament::HoleCards;

use super::presenter::{Presenter, now};
use super::recorded::{RecordedPart, RecordedShow, players_at_first, rounds_of};
use crate::session::{History, Interruption};

impl Presenter {
    /// A recorded tournament goes on after an interruption.
    pub(super) fn go_on_after(&mut self, mut info: TournamentInfo, interruption: &Interruption) {
        let journal = &interruption.journal;
        // Late entrants come in with their level.
        info.players.truncate(players_at_first(journal).unwrap_or(usize::MAX));
        let players = (1..=info.players.len()).collect();
        self.begin(info);
        if !interruption.has_new_minutes {
            self.clock = self.clock_of(journal);
        }
        let has_shown = Arc::clone(&self.hub).quietly(|| self.build(journal));
        self.open_log(journal, false);
        if self.queue.is_decided {
            // The ceremony has its usual time.
            self.clock = ShowClock::new(now);
        }
        self.plan.budget.begin_here();
        if !has_shown {
            self.let_predict(PredictionStage::Start, players);
        } else if let Some(pause) = interruption.pause {
            self.plan.push_interruption(pause.as_secs());
        }
    }

    /// The clock at the last shown step of this journal. The minutes of the settings are the remaining minutes, rounded
    /// up, unless the teacher has changed them since.
    fn clock_of(&self, journal: &Path) -> ShowClock {
        let left = History::read(journal).and_then(|history| history.left());
        let passed = |left: Duration| {
            let minutes = left.as_secs().div_ceil(60).max(1);
            let minutes = Duration::from_secs(60 * minutes);
            (self.console_state.minutes().length() == Some(minutes)).then(|| minutes.saturating_sub(left))
        };
        match left.and_then(passed) {
            Some(passed) => ShowClock::after(passed, now),
            None => ShowClock::new(now),
        }
    }

    /// A presenter that replaces this one after a panic; its unfinished state is dropped. The page is rebuilt from the
    /// journal; without a journal it stays until the next round.
    pub(super) fn again(self, journal: Option<PathBuf>) -> Presenter {
        // It has fallen while it was built from the journal: it will not be tried twice.
        let journal = journal.filter(|_| self.builds_from.is_none());
        let Presenter { hub, console_state, requests, queue, plan, clock, page, log, .. } = self;
        let mut again = Presenter {
            queue: if journal.is_some() { queue } else { queue.again(None) },
            plan: ShowPlan::new(plan.budget),
            clock: clock.again(),
            page: page.again(),
            log,
            builds_from: journal,
            in_step: self.in_step,
            is_playing: self.is_playing,
            steps_done: self.steps_done,
            ..Presenter::new(hub, console_state, requests)
        };
        if again.builds_from.is_none() {
            again.page.tell_fall();
            again.go_on_without_journal();
        }
        again
    }

    fn go_on_without_journal(&mut self) {
        if self.queue.is_decided {
            // The winners are all that is left to be shown.
            self.finish_at_once();
        } else if !self.in_step {
            self.requests.want_one();
        }
    }

    /// Builds the page after a fall, if that is to be done.
    pub(super) fn build_after_fall(&mut self) {
        let Some(journal) = self.builds_from.clone().filter(|_| self.is_playing) else {
            self.builds_from = None;
            return;
        };
        let budget = self.plan.budget.clone();
        let in_step = self.in_step;
        Arc::clone(&self.hub).quietly(|| {
            let players = players_at_first(&journal).unwrap_or(usize::MAX);
            self.page.begin_again(players, &self.console_state);
            self.build(&journal);
            self.page.tell_fall();
        });
        (self.builds_from, self.plan.budget, self.in_step) = (None, budget, in_step);
        if !self.in_step {
            self.requests.want_one();
        }
    }

    /// Repeats the shown steps of this journal. Returns whether there were any.
    fn build(&mut self, journal: &Path) -> bool {
        let mut history = History::read(journal).unwrap_or_else(|| self.assume(journal));
        let in_step = self.in_step;
        let with_holes = self.console_state.holes() == HoleCards::Tv;
        let Some(recorded) = RecordedShow::open(journal, history.clone(), in_step, with_holes) else {
            return false;
        };
        self.queue.clear();
        let (mut rest, mut levels) = (RestOfRecording::default(), Vec::new());
        let mut parts = recorded.peekable();
        while let Some(part) = parts.next() {
            match part {
                RecordedPart::Level(level) => {
                    rest.level = Some(level.rounds);
                    levels.push(level);
                }
                RecordedPart::Decided(finished) => self.decide(finished),
                RecordedPart::Rounds(rounds) => {
                    rest.rounds = rounds[0].round;
                    let is_last = matches!(parts.peek(), Some(RecordedPart::Decided(_)));
                    let rounds: RoundAtTables = rounds.into_iter().map(Arc::new).collect();
                    let shown = history.of_round(rest.rounds).cloned().filter(|_| rest.rest.is_empty());
                    let Some(shown) = shown else {
                        self.seat_if(&mut levels, |level| is_seen(&rest, &history, level));
                        rest.rest.extend(levels.drain(..).map(Pending::Level));
                        if let Some(begun) = history.begun(rest.rounds) {
                            rest.begun = self.begin_again(&rounds, begun);
                        }
                        rest.rest.push_back(Pending::Rounds(rounds));
                        continue;
                    };
                    self.seat_if(&mut levels, |_| true);
                    self.queue.is_decided = is_last;
                    self.pass(rounds, &shown);
                    self.queue.is_decided = false;
                    self.announce_exits(&history);
                }
            }
        }
        self.seat_if(&mut levels, |level| is_seen(&rest, &history, level));
        rest.rest.extend(levels.into_iter().map(Pending::Level));
        self.queue = std::mem::take(&mut self.queue).again(Some(rest));
        self.in_step = in_step;
        self.queue.has_gap = !in_step;
        history.last() > 0
    }

    /// The shown steps of a journal without a log of them.
    fn assume(&self, journal: &Path) -> History {
        let rounds = rounds_of(journal);
        if rounds > 0 {
            self.console_state.notice(format!(
                "There is no show log beside the journal: all {rounds} recorded rounds count as shown."
            ));
        }
        History::assumed(rounds)
    }

    /// Shows the levels of which this is so.
    fn seat_if(&mut self, levels: &mut Vec<LevelView>, is_shown: impl Fn(&LevelView) -> bool) {
        for level in levels.extract_if(.., |level| is_shown(level)) {
            self.show_level_at_once(level);
        }
    }

    /// Shows a round as it was shown, in no time.
    fn pass(&mut self, rounds: RoundAtTables, shown: &ShownRounds) {
        let number = rounds[0].round;
        let scenes = self.hub.look(|page| scenes(page, &rounds, 1.0, false));
        self.plan.remember(&scenes);
        match shown {
            ShownRounds::Detail { tables, in_step, gap, .. } => {
                self.in_step = *in_step;
                self.page.catch_up(&rounds, on_show(&rounds, tables, *in_step), *gap, *in_step);
                self.page.read(&rounds);
                let finale = self.plan.budget.is_last_by_plan(number);
                if finale {
                    self.hub.change(|page| page.phase = Phase::Finale);
                }
                for round in at_tables(&rounds, shown) {
                    self.show_mode(ShowMode::Detail);
                    self.page.pass(round, &steps_of(round), finale);
                }
                self.end_round(rounds, shown);
            }
            ShownRounds::Montage { in_step, gap, .. } => {
                self.in_step = *in_step;
                self.page.catch_up(&rounds, 0, *gap, *in_step);
                if *in_step {
                    self.page.read(&rounds);
                    self.show_mode(ShowMode::Montage);
                }
                self.end_montage(&rounds, shown);
                self.plan_exits(&rounds);
            }
            ShownRounds::Level { .. }
            | ShownRounds::Began { .. }
            | ShownRounds::Exits { .. }
            | ShownRounds::Podium
            | ShownRounds::Clock { .. } => {}
        }
    }

    /// A round that had begun to be shown is dealt again: everything stands as it did then. Returns its number and the tables
    /// at which it is shown.
    fn begin_again(&mut self, rounds: &RoundAtTables, begun: &ShownRounds) -> Option<(u64, Vec<u32>)> {
        let ShownRounds::Began { round, tables, in_step, gap } = begun else { return None };
        self.page.catch_up(rounds, on_show(rounds, tables, *in_step), *gap, *in_step);
        Some((*round, tables.clone()))
    }

    fn show_mode(&self, mode: ShowMode) {
        self.hub.change(|page| (page.show.mode, page.show.reason) = (mode, None));
    }

    /// Those who left have been announced, or are announced now.
    fn announce_exits(&mut self, history: &History) {
        self.plan.keep_exits(|round| !history.has_announced(round));
    }
}

/// Whether a level was shown before the rounds that were not.
fn is_seen(rest: &RestOfRecording, history: &History, level: &LevelView) -> bool {
    rest.rest.is_empty() && history.has_level(level.rounds)
}

/// The place of the table that is seen when a round is caught up with.
fn on_show(rounds: &RoundAtTables, tables: &[u32], in_step: bool) -> usize {
    rounds.iter().position(|round| !in_step && tables.contains(&round.table)).unwrap_or(0)
}
