//! The show: one complete round after the other, at the pace that the clock allows.
//!
//! Dealers hand over complete rounds. What is shown of one, and in which order, is a list of [`Cue`]s, each with the time
//! people look at it; when the list is empty, the next round is planned. So nothing on the page is newer than the round
//! that is being shown. Where the dealer keeps in step, it gets leave for further rounds only then.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc::UnboundedReceiver;
use tokio::time::Instant;

use casino_stud::replay::{Awards, BoardRow, TableView, TournamentInfo};

use super::console_state::ConsoleState;
use super::course::Course;
use super::cue::Cue;
use super::director::Director;
use super::hub::Hub;
use super::messages::{PageMessage, Requests, TableMessage, TableRound, TableTally};
use super::page::{Board, EventView, Phase};
use super::page_changes::{NewsDesk, players_in};
use super::predictions::PredictionStage;
use super::recorded::Recorded;
use super::sections::ShowMode;
use super::show_clock::ShowClock;

/// How often the clock on the page goes on, and settings are looked at.
const TICK: Duration = Duration::from_millis(200);

/// Over how long the rounds per second are counted.
const RATE_OVER: Duration = Duration::from_secs(3);

/// How long nothing comes until the page says that it waits.
const PATIENCE: Duration = Duration::from_secs(2);

/// What has come and has not been shown.
pub(super) enum Pending {
    /// The rounds of the same number at all tables that played it.
    Rounds(Vec<Arc<TableRound>>),
    /// Something happened between two rounds.
    Tally(TableTally),
    Level(EventView, Vec<BoardRow>, u64, Course),
}

pub(super) struct FinalResult {
    pub(super) rows: Vec<BoardRow>,
    pub(super) rounds: u64,
    /// Whether the tournament was stopped before its end.
    pub(super) stopped: bool,
}

/// How the tournament in play ends, as far as that is known.
#[derive(Default)]
pub(super) struct Finish {
    /// Whether the last round has come.
    pub(super) is_decided: bool,
    /// The last round, once it has been shown: it counts on the page when the winners have been announced.
    pub(super) last_round: Vec<Arc<TableRound>>,
    /// The result, once it has come.
    pub(super) result: Option<FinalResult>,
    /// The seed, once it may be seen.
    pub(super) seed: Option<String>,
}

/// The time of the show, which does not pass while it is paused.
struct ShowTime {
    began: Instant,
    paused: Option<Instant>,
    /// How long it has been paused before.
    rested: Duration,
}

impl ShowTime {
    fn new() -> ShowTime {
        ShowTime { began: Instant::now(), paused: None, rested: Duration::ZERO }
    }

    /// How long the show has lasted.
    fn elapsed(&self) -> Duration {
        let now = self.paused.unwrap_or_else(Instant::now);
        (now - self.began).saturating_sub(self.rested)
    }
}

/// Shows the rounds and results of a day on the page.
pub(super) struct Presenter {
    pub(super) hub: Arc<Hub>,
    pub(super) console_state: Arc<ConsoleState>,
    pub(super) requests: Arc<Requests>,
    pub(super) queue: VecDeque<Pending>,
    pub(super) cues: VecDeque<Cue>,
    pub(super) next: Instant,
    time: ShowTime,
    pub(super) clock: ShowClock,
    pub(super) director: Director,
    pub(super) awards: Awards,
    pub(super) news: NewsDesk,
    pub(super) finish: Finish,
    /// Whether the dealer keeps in step with the show.
    pub(super) in_step: bool,
    /// Whether rounds may have been played since the last one that came.
    pub(super) has_gap: bool,
    /// Whether a tournament is being shown.
    is_playing: bool,
    /// Whether phones may predict until the show goes on.
    pub(super) is_predicting: bool,
    /// Who sits at the last table of several, once there is only one, by numbers from 1.
    pub(super) last_table: BTreeSet<usize>,
    /// How many single rounds the teacher had ordered when the last one was shown.
    steps_done: u64,
    /// Rounds shown at moments just past.
    rates: VecDeque<(Instant, u64)>,
    pub(super) rounds_shown: u64,
    /// Rounds up to this one count already: the page was built again after them.
    counted: u64,
    /// Since when there is nothing to show.
    idle: Option<Instant>,
}

impl Presenter {
    pub(super) fn new(hub: Arc<Hub>, console_state: Arc<ConsoleState>, requests: Arc<Requests>) -> Presenter {
        Presenter {
            hub,
            console_state,
            requests,
            queue: VecDeque::new(),
            cues: VecDeque::new(),
            next: Instant::now(),
            time: ShowTime::new(),
            clock: ShowClock::new(Duration::ZERO, 2, Course::default()),
            director: Director::default(),
            awards: Awards::new(0, 0),
            news: NewsDesk::default(),
            finish: Finish::default(),
            in_step: false,
            has_gap: false,
            is_playing: false,
            is_predicting: false,
            last_table: BTreeSet::new(),
            steps_done: 0,
            rates: VecDeque::new(),
            rounds_shown: 0,
            counted: 0,
            idle: None,
        }
    }

    /// Shows what comes until there is nothing to come.
    pub(super) async fn run(&mut self, messages: &mut UnboundedReceiver<PageMessage>) {
        let mut tick = tokio::time::interval(TICK);
        tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Skip);
        loop {
            tokio::select! {
                message = messages.recv() => {
                    let mut message = message;
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
                () = tokio::time::sleep_until(self.next), if self.is_due_later() => {}
                _ = tick.tick() => self.tick(),
            }
            self.go_on();
        }
    }

    /// How long the show has lasted.
    pub(super) fn elapsed(&self) -> Duration {
        self.time.elapsed()
    }

    /// The time until the promised end, if one is promised.
    pub(super) fn left(&self) -> Option<Duration> {
        self.in_step.then(|| self.clock.left(self.elapsed()))
    }

    /// Whether the show stands still because the teacher wants it so.
    fn is_paused(&self) -> bool {
        let controls = self.console_state.controls();
        self.is_playing
            && !self.finish.is_decided
            && controls.is_paused()
            && controls.steps_ordered() <= self.steps_done
    }

    /// Whether something is to be done at [`Presenter::next`].
    fn is_due_later(&self) -> bool {
        !self.is_paused() && (!self.cues.is_empty() || self.next > Instant::now())
    }

    fn tick(&mut self) {
        self.look_at_settings();
        let is_paused = self.is_paused();
        match (is_paused, self.time.paused) {
            (true, None) => self.time.paused = Some(Instant::now()),
            (false, Some(since)) => {
                self.time.rested += since.elapsed();
                // What was on show stays on show as long as it would have.
                self.next += since.elapsed();
                self.time.paused = None;
            }
            _ => {}
        }
        let paused = self.console_state.is_paused();
        let waits = !self.is_playing || self.idle.is_some_and(|since| since.elapsed() > PATIENCE);
        let (minutes, left, rate) = (self.console_state.show().minutes(), self.left(), self.rate());
        let is_playing = self.is_playing;
        let seconds_left = left.filter(|_| is_playing).map(|left| left.as_secs());
        self.console_state.clock(seconds_left);
        self.hub.change(|page| {
            match page.phase {
                Phase::Playing if paused => page.phase = Phase::Paused,
                Phase::Paused if !paused => page.phase = Phase::Playing,
                _ => {}
            }
            if waits {
                (page.show.mode, page.show.reason) = (ShowMode::Waiting, None);
            }
            (page.show.minutes, page.show.seconds_left) = (minutes, seconds_left);
            (page.show.rounds_per_second, page.board.rate) = (rate, rate);
        });
    }

    /// Rounds shown per second: one decimal of a slow rate, whole numbers of a fast one; nobody reads more.
    fn rate(&mut self) -> f64 {
        if !self.is_playing {
            return 0.0;
        }
        let now = Instant::now();
        self.rates.push_back((now, self.rounds_shown));
        while self.rates.len() > 2 && now - self.rates[1].0 > RATE_OVER {
            self.rates.pop_front();
        }
        let rate = match self.rates.front() {
            Some((then, rounds)) if now > *then => {
                (self.rounds_shown.saturating_sub(*rounds)) as f64 / (now - *then).as_secs_f64()
            }
            _ => 0.0,
        };
        if rate < 10.0 { (rate * 10.0).round() / 10.0 } else { rate.round() }
    }

    /// Takes over what the teacher has set since the last time.
    fn look_at_settings(&mut self) {
        let show = self.console_state.show();
        let (length, holes) = (show.length(), show.holes());
        self.requests.want_holes(holes == super::HoleCards::Tv);
        self.hub.change(|page| page.programme.holes = holes);
        let predictions = show.predictions();
        self.hub.predictions(|all| all.enable(predictions));
        if let Some(length) = length {
            self.clock.set_total(length);
        }
        if !self.is_playing || self.finish.is_decided || length.is_some() == self.in_step {
            return;
        }
        self.in_step = length.is_some();
        self.has_gap = true;
        if self.in_step {
            self.requests.want_every();
            self.console_state.controls().give_leave(0);
        } else {
            self.requests.want_none();
            self.console_state.controls().open_gate();
            if self.cues.is_empty() {
                self.requests.want_one();
            }
        }
    }

    fn receive(&mut self, message: PageMessage) {
        match message {
            PageMessage::Lobby(lobby) => {
                self.finish_at_once();
                self.hub.change(|page| {
                    page.phase = Phase::Lobby;
                    page.lobby = lobby;
                });
            }
            PageMessage::Begin(info) => self.begin(info),
            PageMessage::Level { event, rows, rounds, course } => {
                self.queue.push_back(Pending::Level(event, rows, rounds, course));
            }
            PageMessage::Dealer(messages) => self.take(messages),
            PageMessage::Decided => self.decide(),
            PageMessage::End { rows, rounds, stopped } => {
                self.finish.result = Some(FinalResult { rows, rounds, stopped });
                if stopped {
                    self.finish_at_once();
                }
            }
            PageMessage::Reveal(seed) => {
                self.finish.seed = Some(seed);
                if self.hub.look(|page| page.phase) == Phase::Over {
                    self.reveal();
                }
            }
            PageMessage::Say(sentence) => self.hub.change(|page| page.news.add("day", sentence)),
            PageMessage::Featured | PageMessage::Close => {}
        }
    }

    fn begin(&mut self, info: TournamentInfo) {
        self.finish_at_once();
        let players = info.players.len();
        let length = self.console_state.show().length();
        self.in_step = length.is_some();
        self.clock = ShowClock::new(
            length.unwrap_or(Duration::ZERO),
            players,
            Course {
                rounds_left: Some(info.rounds).filter(|rounds| *rounds < 100_000_000),
                ..Course::default()
            },
        );
        self.time = ShowTime::new();
        self.next = Instant::now();
        self.director = Director::default();
        self.awards = Awards::new(players, info.stack);
        self.news = NewsDesk::default();
        self.finish = Finish::default();
        self.is_playing = true;
        self.steps_done = self.console_state.controls().steps_ordered();
        self.rates.clear();
        self.rounds_shown = 0;
        self.has_gap = false;
        self.counted = 0;
        let holes = self.console_state.show().holes();
        self.hub.change(|page| {
            page.news.add("day", format!("Tournament {} begins with {players} players.", info.number));
            if let Some(promise) = &info.promise {
                page.news.add("day", format!("The shuffle is promised: SHA-256 {promise}."));
            }
            page.begin(info);
            page.programme.holes = holes;
        });
        let enabled = self.console_state.show().predictions();
        self.hub.predictions(|predictions| predictions.begin(enabled));
        self.let_predict(PredictionStage::Start, (1..=players).collect());
    }

    /// Takes what the dealer has recorded: the rounds of the same number together, in their order.
    fn take(&mut self, messages: Vec<TableMessage>) {
        let mut rounds: Vec<Arc<TableRound>> = Vec::new();
        let mut tallies = Vec::new();
        for message in messages {
            match message {
                TableMessage::Round(round) if round.round <= self.counted => {}
                TableMessage::Round(round) => {
                    self.listen(&round.after);
                    rounds.push(Arc::from(round));
                }
                TableMessage::Tally(tally) => {
                    self.listen(&tally);
                    tallies.push(tally);
                }
            }
        }
        rounds.sort_by_key(|round| (round.round, round.table));
        for same in rounds.chunk_by(|one, other| one.round == other.round) {
            self.queue.push_back(Pending::Rounds(same.to_vec()));
        }
        self.queue.extend(tallies.into_iter().map(Pending::Tally));
    }

    fn listen(&self, tally: &TableTally) {
        let players = tally.chips.iter().map(|(player, _)| *player);
        self.console_state.heard(players.zip(tally.last_replies.iter().cloned()));
    }

    /// Shows what is due, and plans what comes next.
    pub(super) fn go_on(&mut self) {
        if self.is_paused() && self.cues.is_empty() {
            self.show_tallies_at_rest();
        }
        while !self.is_paused() && Instant::now() >= self.next {
            self.end_predicting();
            if let Some(cue) = self.cues.pop_front() {
                let pause = self.perform(cue);
                self.next = Instant::now() + pause;
                if self.cues.is_empty() {
                    self.steps_done = self.steps_done.max(self.console_state.controls().steps_ordered());
                }
            } else if self.plan() {
                self.idle = None;
            } else {
                self.idle.get_or_insert_with(Instant::now);
                self.ask_for_more();
                return;
            }
        }
    }

    /// Nothing is left to be shown: asks the dealer for more.
    fn ask_for_more(&mut self) {
        if !self.is_playing || self.finish.is_decided {
            return;
        }
        if !self.in_step {
            self.requests.want_one();
            return;
        }
        let controls = self.console_state.controls();
        if controls.is_at_gate() {
            controls.give_leave(Director::rounds_at_once(&self.clock, self.elapsed()));
        }
    }

    pub(super) fn show_is_over(&mut self) {
        self.is_playing = false;
        self.requests.show_ends();
    }

    /// A presenter in place of this one, which has fallen: nothing of what it was doing is trusted. The page is built again
    /// from the journal; without one, what it shows has to do until the next round comes.
    pub(super) fn again(self, recorded: Option<Recorded>) -> Presenter {
        let Presenter { hub, console_state, requests, time, clock, awards, news, finish, in_step, .. } = self;
        let mut again = Presenter::new(hub, console_state, requests);
        (again.time, again.clock, again.awards, again.news) = (time, clock, awards, news);
        (again.finish, again.in_step, again.is_playing) = (finish, in_step, self.is_playing);
        (again.rounds_shown, again.steps_done) = (self.rounds_shown, self.steps_done);
        again.has_gap = true;
        again.hub.change(|page| {
            page.table = None;
            page.exit = None;
            page.news.add("day", "The page was started again; play was not touched.".to_string());
        });
        if again.finish.is_decided {
            // The winners are all that is left to be shown.
            again.finish_at_once();
            return again;
        }
        if let Some(Recorded { round, rows, points, began_with, level }) = recorded {
            again.counted = round;
            again.news.remember(began_with);
            let info = again.hub.look(|page| page.info().clone());
            again.hub.change(|page| {
                page.begin(info);
                points.into_iter().for_each(|point| page.race.push(point));
                page.board = Board { round, rows, rate: page.board.rate };
                if let Some(PageMessage::Level { event, .. }) = level {
                    page.event = Some(event);
                }
            });
        } else {
            again.queue = self.queue;
        }
        if !again.in_step {
            again.requests.want_one();
        }
        again
    }

    pub(super) fn show_level(&mut self, event: EventView, rows: Vec<BoardRow>, rounds: u64, course: Course) {
        let Presenter { hub, news, .. } = self;
        let last_table = match &event.tables[..] {
            [table] => table.players.iter().copied().collect(),
            _ => BTreeSet::new(),
        };
        let had_several = hub.look(|page| page.event.as_ref().is_some_and(|event| event.tables.len() > 1));
        let alive = hub.change(|page| {
            // A table that shows less than the level knows goes, in the same message.
            let shows_less =
                |table: &TableView| table.round < rounds || table.round == rounds && table.result.is_none();
            if page.table.as_ref().is_some_and(shows_less) {
                page.table = None;
            }
            news.show_level(page, event, rows, rounds);
            players_in(page)
        });
        self.clock.begin_level(self.time.elapsed(), alive, course);
        if had_several && !last_table.is_empty() {
            self.let_predict(PredictionStage::LastTable, last_table);
        }
    }
}
