//! When something is shown: the time of the show, which does not pass while it is paused.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

const RATE_WINDOW: Duration = Duration::from_secs(3);

/// How long nothing comes until the page says that it waits.
const WAITING_NOTICE_DELAY: Duration = Duration::from_secs(2);

/// A scene shown later than planned on a busy machine is shortened by the delay, up to this limit, which keeps the time
/// of the show.
const MAX_CATCH_UP: Duration = Duration::from_secs(1);

/// The time of a show, and when the next thing is due in it.
#[derive(Clone, Debug)]
pub struct ShowClock {
    /// The clock of the driver, which may be a virtual one.
    now: fn() -> Instant,
    began: Instant,
    paused: Option<Instant>,
    /// How long it has been paused before.
    rested: Duration,
    /// When the next thing is shown.
    due: Instant,
    /// Since when there is nothing to show.
    idle: Option<Instant>,
    /// How long everything that was shown was to be looked at, in all.
    looked_at: Duration,
    /// Rounds shown at moments just past.
    rates: VecDeque<(Instant, u64)>,
    rounds_shown: u64,
}

impl ShowClock {
    /// The clock of a show that begins now, by this clock of the driver.
    pub fn new(now: fn() -> Instant) -> ShowClock {
        let began = now();
        ShowClock {
            now,
            began,
            paused: None,
            rested: Duration::ZERO,
            due: began,
            idle: None,
            looked_at: Duration::ZERO,
            rates: VecDeque::new(),
            rounds_shown: 0,
        }
    }

    /// The same time of a show that is started again: something is due at once.
    pub fn again(self) -> ShowClock {
        ShowClock { due: (self.now)(), idle: None, rates: VecDeque::new(), ..self }
    }

    /// How long the show has lasted.
    pub fn elapsed(&self) -> Duration {
        let now = self.paused.unwrap_or_else(self.now);
        (now - self.began).saturating_sub(self.rested)
    }

    /// Stands still from now on, or goes on.
    pub fn pause(&mut self, is_paused: bool) {
        match (is_paused, self.paused) {
            (true, None) => self.paused = Some((self.now)()),
            (false, Some(since)) => {
                let rested = (self.now)() - since;
                self.rested += rested;
                // The current scene keeps its planned duration.
                self.due += rested;
                self.paused = None;
            }
            _ => {}
        }
    }

    /// When the next thing is shown.
    pub fn due(&self) -> Instant {
        self.due
    }

    /// How long the scene on show still takes.
    pub fn left(&self) -> Duration {
        self.due.saturating_duration_since(self.paused.unwrap_or_else(self.now))
    }

    /// Whether it is time to show the next thing.
    pub fn is_due(&self) -> bool {
        (self.now)() >= self.due
    }

    /// The new scene's duration.
    pub fn wait(&mut self, pause: Duration) {
        let now = (self.now)();
        self.looked_at += pause;
        self.due = if now > self.due + MAX_CATCH_UP { now } else { self.due } + pause;
    }

    /// There is nothing to show, or there is again.
    pub fn set_idle(&mut self, is_idle: bool) {
        if !is_idle && self.idle.is_some() {
            self.due = (self.now)();
        }
        self.idle = is_idle.then(|| self.idle.unwrap_or_else(self.now));
    }

    /// The part of the show's time not spent on scenes: waiting for replies, and other work of the machine.
    pub fn waited(&self) -> Duration {
        self.elapsed().saturating_sub(self.looked_at)
    }

    /// Whether there has been nothing to show for so long that people ask why.
    pub fn has_waited(&self) -> bool {
        self.idle.is_some_and(|since| (self.now)() - since > WAITING_NOTICE_DELAY)
    }

    /// Counts a round that was shown.
    pub fn count_round(&mut self) {
        self.rounds_shown += 1;
    }

    /// Rounds shown per second: one decimal of a slow rate, whole numbers of a fast one.
    pub fn rounds_per_second(&mut self) -> f64 {
        let now = (self.now)();
        self.rates.push_back((now, self.rounds_shown));
        while self.rates.len() > 2 && now - self.rates[1].0 > RATE_WINDOW {
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
}
