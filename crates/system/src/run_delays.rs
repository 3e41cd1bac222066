//! How long programs waited for a processor.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long what is known of the past is kept: longer than any limit for which somebody asks.
const KEPT: Duration = Duration::from_secs(30);

/// How long a program and all that it has started wanted to run and got no processor, as whoever watches it has told from
/// time to time. Whoever holds a copy sees what is told.
#[derive(Clone, Debug, Default)]
pub struct RunDelays(Arc<Mutex<VecDeque<(Instant, Duration)>>>);

impl RunDelays {
    /// Tells how long it has waited by now, since it began, the times of its threads added up.
    pub fn tell(&self, now: Instant, total: Duration) {
        let mut told = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        told.push_back((now, total));
        // One that is older than what is asked for says what there was before.
        while told.get(1).is_some_and(|(at, _)| now.duration_since(*at) > KEPT) {
            told.pop_front();
        }
    }

    /// How long it has waited since it began.
    pub fn total(&self) -> Duration {
        let told = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        told.back().map_or(Duration::ZERO, |(_, total)| *total)
    }

    /// How long it has waited since then, and what was told with it: at least as long as it really has.
    pub fn since(&self, then: Instant) -> Duration {
        let told = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let before =
            told.iter().rev().find(|(at, _)| *at <= then).map_or(Duration::ZERO, |(_, total)| *total);
        told.back().map_or(Duration::ZERO, |(_, total)| total.saturating_sub(before))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_waited_is_known_from_the_last_time_it_was_told_before() {
        let (delays, begun) = (RunDelays::default(), Instant::now());
        let at = |ms| begun + Duration::from_millis(ms);
        assert_eq!((delays.total(), delays.since(begun)), (Duration::ZERO, Duration::ZERO));
        for (ms, total) in [(100, 10), (200, 10), (300, 250)] {
            delays.clone().tell(at(ms), Duration::from_millis(total));
        }
        assert_eq!(delays.total(), Duration::from_millis(250));
        assert_eq!(delays.since(begun), Duration::from_millis(250));
        assert_eq!(delays.since(at(150)), Duration::from_millis(240));
        assert_eq!(delays.since(at(300)), Duration::ZERO);
    }

    #[test]
    fn little_of_the_past_is_kept() {
        let (delays, begun) = (RunDelays::default(), Instant::now());
        for second in 0..1_000 {
            delays.tell(begun + Duration::from_secs(second), Duration::from_secs(second));
        }
        assert!(delays.0.lock().unwrap().len() <= 32);
        assert_eq!(delays.since(begun + Duration::from_secs(970)), Duration::from_secs(29));
    }
}
