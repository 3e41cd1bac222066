//! The show: one complete round after the other, at the pace that the clock allows.
//!
//! Complete rounds from the dealers wait in the [`ShowQueue`]. The [`ShowPlan`] is a list of [`Cue`]s, each with its
//! time; the [`ShowClock`] starts them. When the list is empty, the next round is planned. So nothing on the page is
//! newer than the shown round, and a dealer in step with the show gets leave for further rounds only then.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::mpsc::UnboundedReceiver;

use casino_show::plan::{Cue, Pending, RoundAtTables, ShowPlan, ShowQueue, at_tables, scenes, takes};
use casino_show::rounds::TournamentInfo;
use casino_show::state::{
    Ceremony, FinishedTournament, LevelView, Phase, PredictionStage, Predictions, ShowMode, TableRound,
    exits, pause_after, show_step,
};
use casino_show::timing::{LAST_ROUND_SLOWEST_FACTOR, Remaining, Shot, ShowClock, TimeBudget};
use casino_stud::tournament::HoleCards;

use super::hub::Hub;
use super::messages::{PageMessage, Requests};
use super::page_writer::PageWriter;
use crate::session::ConsoleState;

/// How often the clock on the page goes on, and settings are looked at.
const TICK: Duration = Duration::from_millis(200);

/// The part of the show that must be left at the decision of a tournament before the teacher gets a notice.
const EARLY_PART: f64 = 0.05;

/// The time by tokio's clock, which tests let jump.
pub(super) fn now() -> Instant {
    tokio::time::Instant::now().into_std()
}
pub(crate) struct Presenter {
    pub(super) hub: Arc<Hub>,
    pub(super) console_state: Arc<ConsoleState>,
    pub(super) requests: Arc<Requests>,
    pub(super) queue: ShowQueue,
    pub(super) plan: ShowPlan,
    pub(super) clock: ShowClock,
    pub(super) page: PageWriter,
    /// The round that is being shown, until it counts.
    pub(super) on_show: RoundAtTables,
    /// How many rounds had been recorded when the tournament was interrupted; 0 if it was not.
    pub(super) recorded: u64,
    /// Whether the dealer keeps in step with the show.
    pub(super) in_step: bool,
    /// Whether a tournament is being shown.
    pub(super) is_playing: bool,
    /// Whether phones may predict now; predictions close with the next cue.
    pub(super) is_predicting: bool,
    /// How many single rounds the teacher had ordered when the last one was shown.
    pub(super) steps_done: u64,
}

impl Presenter {
    pub(crate) fn new(hub: Arc<Hub>, console_state: Arc<ConsoleState>, requests: Arc<Requests>) -> Presenter {
        Presenter {
            hub: Arc::clone(&hub),
            console_state,
            requests,
            queue: ShowQueue::default(),
            plan: ShowPlan::new(TimeBudget::new(Duration::ZERO, 2, Remaining::default())),
            clock: ShowClock::new(now),
            page: PageWriter::new(hub),
            on_show: Vec::new(),
            recorded: 0,
            in_step: false,
            is_playing: false,
            is_predicting: false,
            steps_done: 0,
        }
    }

    /// A presenter that replaces this one after a panic. The page stays as it is; what had been planned is dropped.
    pub(super) fn restarted(mut self) -> Presenter {
        self.queue.has_gap = true;
        self.page.report_restart();
        Presenter {
            queue: self.queue,
            plan: ShowPlan::new(self.plan.budget),
            clock: self.clock.again(),
            page: self.page,
            on_show: self.on_show,
            recorded: self.recorded,
            in_step: self.in_step,
            is_playing: self.is_playing,
            steps_done: self.steps_done,
            ..Presenter::new(self.hub, self.console_state, self.requests)
        }
    }

    /// The round during which the show panicked counts, though its steps are not shown again.
    fn end_round_on_show(&mut self) {
        let rounds = std::mem::take(&mut self.on_show);
        if !rounds.is_empty() {
            self.end_round(rounds, &[]);
        }
        if self.queue.is_last_round() {
            // The winners are all that is left to be shown.
            self.finish_at_once();
        }
    }

    /// Shows all messages until the page closes.
    pub(super) async fn run(&mut self, messages: &mut UnboundedReceiver<PageMessage>) {
        self.end_round_on_show();
        let mut tick = tokio::time::interval(TICK);
        tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Skip);
        loop {
            let is_due_later = !self.is_paused() && (!self.plan.is_empty() || !self.clock.is_due());
            tokio::select! {
                // In this order, so that the same rounds are always shown in the same way.
                biased;
                mut message = messages.recv() => {
                    loop {
                        match message {
                            Some(PageMessage::Close) | None => return,
                            Some(message) => self.receive(message),
                        }
                        message = match messages.try_recv() {
                            Ok(message) => Some(message),
                            Err(_) => break,
                        };
                    }
                }
                () = tokio::time::sleep_until(self.clock.due().into()), if is_due_later => {}
                _ = tick.tick() => self.tick(),
            }
            self.go_on();
        }
    }

    /// The time until the promised end, if one is promised.
    fn left(&self) -> Option<Duration> {
        let has_rounds = !matches!(self.hub.look(|page| page.phase), Phase::Ceremony | Phase::Over);
        self.in_step.then(|| self.plan.budget.left(self.clock.elapsed(), has_rounds))
    }

    /// Whether the teacher has paused the show.
    fn is_paused(&self) -> bool {
        let controls = self.console_state.controls();
        self.is_playing
            && !self.queue.is_decided
            && controls.is_paused()
            && controls.steps_ordered() <= self.steps_done
    }

    fn tick(&mut self) {
        self.look_at_settings();
        self.tell_lateness();
        self.clock.pause(self.is_paused());
        let paused = self.console_state.is_paused();
        let waits = !self.is_playing || self.clock.has_waited();
        let rate = if self.is_playing { self.clock.rounds_per_second() } else { 0.0 };
        let (minutes, holes) = (self.console_state.minutes().of_a_show(), self.console_state.holes());
        let sounds = self.console_state.sounds();
        let awaited = if waits { self.console_state.chairs().awaited() } else { None };
        let seconds_left = self.left().filter(|_| self.is_playing).map(|left| left.as_secs());
        let closes_in = self.is_predicting.then(|| self.clock.left().as_millis().div_ceil(1_000) as u64);
        self.console_state.clock(seconds_left);
        self.hub.change(|page| {
            match page.phase {
                Phase::Playing if paused => page.phase = Phase::Paused,
                Phase::Paused if !paused => page.phase = Phase::Playing,
                _ => {}
            }
            if waits {
                (page.show.mode, page.show.headline) = (ShowMode::Waiting, None);
            }
            (page.show.minutes, page.show.seconds_left, page.show.awaited) = (minutes, seconds_left, awaited);
            (page.show.closes_in, page.programme.holes, page.programme.sounds) = (closes_in, holes, sounds);
            (page.show.rounds_per_second, page.board.rate) = (rate, rate);
        });
    }

    /// Tells the teacher who costs the time while the replies take longer than there is.
    fn tell_lateness(&self) {
        let is_late = self.in_step
            && self.is_playing
            && !self.queue.is_decided
            && self.plan.budget.lateness(self.clock.elapsed()).is_some();
        self.hub.look(|page| {
            let inside = page.board.rows.iter().filter(|row| is_late && row.left_in_round.is_none());
            self.console_state.tell_late(inside.map(|row| row.seat - 1), page.board.round);
        });
    }

    /// Tells the teacher if the tournament was decided so early that nothing worth seeing can fill the minutes.
    fn tell_shortness(&self, left: Duration) {
        let over = left.saturating_sub(self.plan.budget.for_ceremony(left));
        if over > self.plan.budget.total().mul_f64(EARLY_PART) {
            self.console_state.notice(format!(
                "The tournament was decided {} before its time. More rounds, more chips or a series of tournaments fill the \
                 minutes the next time.",
                minutes_in_words(over),
            ));
        }
    }

    /// Applies changed settings of the teacher.
    fn look_at_settings(&mut self) {
        let console = &self.console_state;
        let (length, predictions) = (console.minutes().length(), console.predictions());
        self.requests.want_holes(console.holes() == HoleCards::Tv);
        self.hub.predictions(|all| all.enable(predictions));
        if let Some(length) = length {
            self.plan.budget.set_total(length);
        }
        if !self.is_playing || self.queue.is_decided || length.is_some() == self.in_step {
            return;
        }
        self.in_step = length.is_some();
        self.queue.has_gap = true;
        if self.in_step {
            self.requests.want_every();
            self.console_state.controls().give_leave(0);
        } else {
            self.requests.want_none();
            self.console_state.controls().open_gate();
            if self.plan.is_empty() {
                self.requests.want_one();
            }
        }
    }

    fn receive(&mut self, message: PageMessage) {
        match message {
            PageMessage::Lobby(lobby) => {
                self.finish_at_once();
                self.hub.change(|page| (page.phase, page.lobby) = (Phase::Lobby, lobby));
            }
            PageMessage::Begin(info) => {
                let players = (1..=info.players.len()).collect();
                self.begin(info);
                self.let_predict(PredictionStage::Start, players);
            }
            PageMessage::GoOn(info, interruption) => self.go_on_after(info, &interruption),
            PageMessage::Level(level) => self.queue.push(Pending::Level(level)),
            PageMessage::Dealer(rounds) => self.take(rounds),
            PageMessage::Decided(finished) => self.decide(finished),
            PageMessage::End(_) if !self.is_playing => {}
            PageMessage::End(result) => {
                let is_stopped = result.stopped;
                self.queue.result = Some(result);
                if is_stopped {
                    self.finish_at_once();
                }
            }
            PageMessage::Reveal(seed) => {
                self.queue.seed = Some(seed);
                if self.hub.look(|page| page.phase) == Phase::Over {
                    self.reveal();
                }
            }
            PageMessage::Featured | PageMessage::Close => {}
        }
    }

    pub(super) fn begin(&mut self, info: TournamentInfo) {
        self.finish_at_once();
        let players = info.players.len();
        let length = self.console_state.minutes().length();
        self.in_step = length.is_some();
        let remaining = Remaining { rounds_left: info.rounds, ..Remaining::default() };
        self.plan = ShowPlan::new(TimeBudget::new(length.unwrap_or(Duration::ZERO), players, remaining));
        (self.queue, self.clock) = (ShowQueue::default(), ShowClock::new(now));
        self.recorded = 0;
        self.is_playing = true;
        self.steps_done = self.console_state.controls().steps_ordered();
        self.page.begin(info, &self.console_state);
    }

    /// The show has reached the end of this round: players who left in it may receive the reason.
    fn note_shown(&self, rounds: &RoundAtTables) {
        if self.in_step && !self.queue.is_last_round() {
            self.console_state.controls().show_has_come_to(rounds[0].round);
        }
    }

    /// Takes the recorded rounds of the dealer.
    fn take(&mut self, rounds: Vec<TableRound>) {
        for TableRound { after, .. } in &rounds {
            let players = after.chips.iter().map(|(player, _)| *player);
            self.console_state.set_last_replies(players.zip(after.last_replies.iter().cloned()));
        }
        self.queue.take(rounds);
    }

    /// The tournament is over by the rules: the last round that came is its last. In a series this tournament of it is over.
    pub(super) fn decide(&mut self, finished: Option<Box<FinishedTournament>>) {
        self.queue.is_decided = true;
        self.queue.finished = finished;
    }

    /// Shows due cues, and plans the next ones.
    fn go_on(&mut self) {
        while !self.is_paused() && self.clock.is_due() {
            if std::mem::take(&mut self.is_predicting) {
                self.hub.predictions(Predictions::close);
            }
            if let Some(cue) = self.plan.pop() {
                let pause = self.perform(cue);
                self.clock.wait(pause);
                if self.plan.is_empty() {
                    self.steps_done = self.steps_done.max(self.console_state.controls().steps_ordered());
                }
                continue;
            }
            let has_planned = self.plan_next();
            self.clock.set_idle(!has_planned);
            if !has_planned {
                return self.ask_for_more();
            }
        }
    }

    /// Asks the dealer for the next round when everything that was planned has been shown.
    fn ask_for_more(&self) {
        if !self.is_playing || self.queue.is_decided {
            return;
        }
        if !self.in_step {
            return self.requests.want_one();
        }
        let controls = self.console_state.controls();
        if controls.is_at_gate() {
            controls.give_leave(1);
        }
    }

    /// Asks for the round after the one on show, if no scene of the audience's comes before it.
    fn ask_ahead(&self) {
        if self.in_step && self.queue.may_be_followed() {
            self.ask_for_more();
        }
    }

    /// Plans the next cues. Returns false if there are none.
    fn plan_next(&mut self) -> bool {
        match self.queue.pop() {
            Some(Pending::Level(level)) => match level.finished.clone().filter(|_| self.in_step) {
                Some(finished) => self.plan.push_between(*finished, level),
                None => self.show_level(level),
            },
            Some(Pending::Rounds(rounds)) if self.in_step => self.plan_in_step(rounds),
            Some(Pending::Rounds(rounds)) if rounds[0].asked || self.queue.is_last_round() => {
                self.plan_one(rounds);
            }
            // This round was not requested: it was the last one of its table, and counts when a newer one is shown.
            Some(Pending::Rounds(rounds)) if self.queue.is_followed() => {
                self.catch_up(&rounds, 0);
                self.count(&rounds, Some(0));
            }
            Some(pending) => {
                self.queue.put_back(pending);
                return false;
            }
            None => return self.plan_ceremony(),
        }
        true
    }

    /// Plans the ceremony if the last round has been shown and the result is known. False if there is none to plan.
    fn plan_ceremony(&mut self) -> bool {
        let Some(result) = self.queue.result.as_ref().filter(|_| self.queue.is_decided) else { return false };
        let awards = self.page.awards(&self.console_state.reply_times());
        let left = self.in_step.then(|| self.plan.budget.left(self.clock.elapsed(), false));
        // A tournament that was over before these minutes began could not fill them.
        let is_new = self.queue.last_round.first().is_some_and(|round| round.round > self.recorded);
        let is_played_out = is_new && !self.console_state.is_ended();
        left.into_iter().filter(|_| is_played_out).for_each(|left| self.tell_shortness(left));
        let stages = Ceremony::stages(&result.rows, &awards, self.queue.finished.as_deref());
        self.plan.push_ceremony(stages, left, self.console_state.tempo());
        true
    }

    /// Plans a round where the dealer keeps in step.
    fn plan_in_step(&mut self, rounds: RoundAtTables) {
        let tempo = self.console_state.tempo();
        self.catch_up(&rounds, 0);
        let is_last = self.queue.is_last_round();
        let scenes = self.hub.look(|page| scenes(page, &rounds, tempo, is_last));
        match self.plan.shoot(&scenes, self.console_state.featured(), self.clock.elapsed()) {
            Shot::Detail(tables) => self.plan_detail(rounds, tables),
            Shot::Montage(takes) => {
                self.page.read(&rounds);
                self.plan.push_montage(rounds, takes, self.console_state.featured());
            }
        }
    }

    /// Plans the requested round, where the dealer does not wait for the show.
    fn plan_one(&mut self, rounds: RoundAtTables) {
        let (tempo, is_last) = (self.console_state.tempo(), self.queue.is_last_round());
        let scenes = self.hub.look(|page| scenes(page, &rounds, tempo, is_last));
        let table = self.plan.choose(&scenes, self.console_state.featured(), self.clock.elapsed());
        let on_show = rounds.iter().position(|round| round.table == table).unwrap_or(0);
        self.catch_up(&rounds, on_show);
        self.plan_detail(rounds, vec![table]);
    }

    /// Plans rounds in detail at these tables, at a pace that depends on nothing but their deals.
    fn plan_detail(&mut self, rounds: RoundAtTables, tables: Vec<u32>) {
        self.page.read(&rounds);
        let tempo = self.console_state.tempo();
        let is_last = self.plan.budget.is_last_by_plan(rounds[0].round);
        let pace = match (self.in_step, is_last) {
            (true, _) => self.plan.pace(&rounds, &tables, self.clock.elapsed(), tempo),
            (false, true) => LAST_ROUND_SLOWEST_FACTOR,
            (false, false) => 1.0,
        };
        if is_last {
            self.hub.change(|page| page.phase = Phase::Finale);
        }
        self.plan.push_detail(rounds, tables, pace / tempo);
    }

    /// A round begins to be shown: the standings at its deal come first if rounds before it were skipped.
    fn catch_up(&mut self, rounds: &RoundAtTables, on_show: usize) {
        self.on_show.clone_from(rounds);
        let has_gap = std::mem::take(&mut self.queue.has_gap) || !self.in_step;
        self.page.catch_up(rounds, on_show, has_gap, self.in_step);
    }

    /// This round has been shown: everything on the page stands as after it. Of a montage, its end is seen at `table`, in the
    /// same message.
    fn count(&mut self, rounds: &RoundAtTables, table: Option<u32>) {
        #[cfg(test)]
        assert!(!self.requests.panics_after(rounds[0].round), "planted");
        let alive = self.page.count(rounds, table, self.in_step);
        self.on_show.clear();
        self.clock.count_round();
        self.plan.budget.note_round(self.clock.elapsed(), alive, self.clock.waited());
        self.end_in_time(rounds[0].round);
    }

    /// If the tournament would not come to its end in its time, the last rounds are announced, and then the places count. With more
    /// time from the teacher it plays on.
    fn end_in_time(&mut self, round: u64) {
        if !self.in_step || self.queue.is_decided || self.console_state.is_ended() {
            return;
        }
        let (controls, budget) = (self.console_state.controls(), &mut self.plan.budget);
        let announced = budget.announce_last_rounds(round, self.clock.elapsed());
        let left = budget.announced();
        if announced.is_some() || left.is_none() {
            controls.end_after(announced);
        }
        let last_rounds = left.map(|rounds| rounds.max(1));
        if announced.is_none() && self.hub.look(|page| page.show.last_rounds) == last_rounds {
            return;
        }
        self.hub.change(|page| {
            page.show.last_rounds = last_rounds;
            if let Some(rounds) = announced {
                let last = if rounds == 1 { "round".to_string() } else { format!("{rounds} rounds") };
                let sentence = format!("The time is nearly over: after the last {last} the places count.");
                page.news.add("day", sentence);
            }
        });
    }

    /// Shows a cue, and says for how long.
    fn perform(&mut self, cue: Cue) -> Duration {
        match cue {
            Cue::Step(round, step, pace) => {
                let finale = self.plan.budget.is_last_by_plan(round.round);
                let players = self.hub.change(|page| show_step(page, &round, &step, finale));
                pause_after(&step, players).mul_f64(pace)
            }
            Cue::Over(rounds, tables) => {
                self.note_shown(&rounds);
                self.end_round(rounds, &tables);
                // The replies of the next round come while exits are announced.
                self.ask_ahead();
                Duration::ZERO
            }
            Cue::Montage(rounds, takes, table) => {
                self.count(&rounds, Some(table));
                self.plan_exits(&rounds);
                self.note_shown(&rounds);
                self.ask_ahead();
                takes
            }
            Cue::Exit(exit, takes) => {
                self.hub.change(|page| page.exit = Some(*exit));
                takes
            }
            Cue::ExitsOver => {
                self.hub.change(|page| page.exit = None);
                Duration::ZERO
            }
            Cue::Interrupted(seconds, takes) => {
                self.hub.change(|page| page.show.interrupted = Some(seconds));
                takes
            }
            Cue::InterruptionOver => {
                self.hub.change(|page| page.show.interrupted = None);
                Duration::ZERO
            }
            Cue::Mode(mode) => {
                self.hub.change(|page| (page.show.mode, page.show.headline) = (mode, None));
                Duration::ZERO
            }
            Cue::Ceremony(ceremony, takes) => {
                self.hub.change(|page| {
                    (page.phase, page.exit, page.ceremony) = (Phase::Ceremony, None, Some(ceremony));
                });
                takes
            }
            Cue::Level(level) => {
                self.show_level(*level);
                Duration::ZERO
            }
            Cue::NextTournament => {
                self.hub.change(|page| (page.phase, page.ceremony) = (Phase::Playing, None));
                Duration::ZERO
            }
            Cue::Podium => {
                self.show_result();
                Duration::ZERO
            }
        }
    }

    /// A round has been shown to its end, which counts unless it is the last of all.
    fn end_round(&mut self, rounds: RoundAtTables, tables: &[u32]) {
        if self.queue.is_last_round() {
            // Now it is no secret any more.
            self.hub.change(|page| page.phase = Phase::Finale);
            self.on_show.clear();
            self.queue.last_round = rounds;
            return;
        }
        // Only newly shown steps count: the length of a cue must not reveal anything else.
        let tempo = self.console_state.tempo();
        for round in at_tables(&rounds, tables) {
            self.plan.budget.note_usual(takes(round, tempo));
        }
        self.count(&rounds, None);
        self.plan_exits(&rounds);
    }

    fn plan_exits(&mut self, rounds: &RoundAtTables) {
        let gone = self.hub.look(|page| rounds.iter().flat_map(|round| exits(page, round)).collect());
        self.plan.show_exits_next(gone, self.clock.elapsed());
    }

    fn show_level(&mut self, level: LevelView) {
        let (remaining, rounds) = (level.remaining, level.rounds);
        let (last_table, alive) = self.page.show_level(level);
        self.plan.budget.begin_level(self.clock.elapsed(), rounds, alive, remaining);
        if self.in_step {
            self.console_state.controls().show_has_come_to_level_after(rounds);
        }
        if let Some(players) = last_table {
            if self.in_step {
                let splash = self.plan.budget.for_last_table();
                self.clock.wait(splash.div_f64(self.console_state.tempo()));
            }
            self.let_predict(PredictionStage::LastTable, players);
        }
    }

    /// Opens predictions before the show continues, if the dealer keeps in step with it and there are viewers. After an interruption
    /// they stay closed: phones know more than the journal says.
    pub(super) fn let_predict(&mut self, stage: PredictionStage, players: BTreeSet<usize>) {
        let is_wanted =
            self.in_step && self.recorded == 0 && self.console_state.predictions() && self.hub.viewers() > 0;
        let placing = self.hub.look(|page| page.info().placing.clone());
        let players: BTreeSet<usize> =
            players.into_iter().filter(|player| placing.has_place(player - 1)).collect();
        if !is_wanted || players.len() < 2 {
            return;
        }
        let time = self.plan.budget.for_predicting(players.len());
        self.hub.predictions(|predictions| predictions.open(stage, players));
        self.is_predicting = true;
        self.clock.wait(time.div_f64(self.console_state.tempo()));
    }

    /// Ends the tournament on the page, as far as its end is known.
    pub(super) fn finish_at_once(&mut self) {
        self.plan.clear();
        self.queue.clear();
        self.hub.change(|page| page.exit = None);
        if self.queue.result.is_some() {
            self.show_result();
        }
    }

    /// Shows the final standings, the winners and, if it may be seen, the seed.
    fn show_result(&mut self) {
        let Some(result) = self.queue.result.take() else { return };
        let last_round = std::mem::take(&mut self.queue.last_round);
        self.plan.clear();
        self.queue.clear();
        self.page.show_result(result, &last_round, &self.console_state.reply_times());
        self.is_playing = false;
        self.console_state.controls().open_gate();
        self.requests.show_ends();
        self.reveal();
    }
    fn reveal(&mut self) {
        if let Some(seed) = self.queue.seed.take() {
            self.page.reveal(seed);
        }
    }
}

fn minutes_in_words(time: Duration) -> String {
    match time.as_secs().div_ceil(60) {
        1 => "a minute".to_string(),
        minutes => format!("{minutes} minutes"),
    }
}
