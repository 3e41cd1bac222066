//! Two versions of the same work, timed in turns.

use std::fmt;
use std::fs;
use std::thread;
use std::time::{Duration, Instant};

/// Seconds of each pass, for both versions.
pub(crate) struct Pairs(Vec<(f64, f64)>);

impl Pairs {
    /// Times so many passes of our version and the other one, which take turns, each on this thread. Both have to come to the
    /// same result.
    ///
    /// # Panics
    /// If they do not.
    pub(crate) fn measure<T: PartialEq + fmt::Debug>(
        passes: usize,
        mut ours: impl FnMut() -> T,
        mut theirs: impl FnMut() -> T,
    ) -> Pairs {
        Pairs::of(passes, || Pairs::timed(&mut ours), || Pairs::timed(&mut theirs))
    }

    /// As [`Pairs::measure`], by the clock on the wall: for work on several threads.
    #[allow(dead_code, reason = "rounds are played on one")]
    pub(crate) fn by_the_clock<T: PartialEq + fmt::Debug>(
        passes: usize,
        mut ours: impl FnMut() -> T,
        mut theirs: impl FnMut() -> T,
    ) -> Pairs {
        let clock = Instant::now();
        let now = || clock.elapsed();
        Pairs::of(passes, || seconds(now, &mut ours), || seconds(now, &mut theirs))
    }

    fn of<T: PartialEq + fmt::Debug>(
        passes: usize,
        mut ours: impl FnMut() -> (T, f64),
        mut theirs: impl FnMut() -> (T, f64),
    ) -> Pairs {
        let pair = |_| {
            let (our_result, our_seconds) = ours();
            let (their_result, their_seconds) = theirs();
            assert_eq!(our_result, their_result, "both versions do the same work");
            (our_seconds, their_seconds)
        };
        Pairs((0..passes).map(pair).collect())
    }

    /// The result of some work and its duration in seconds: processor time of this thread on Linux, which ignores the
    /// load of the machine, wall-clock time elsewhere.
    pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
        let clock = Instant::now();
        match processor_time() {
            Some(_) => seconds(|| processor_time().unwrap_or_default(), work),
            None => seconds(|| clock.elapsed(), work),
        }
    }

    /// The median time of our version, in seconds.
    pub(crate) fn ours(&self) -> f64 {
        middle(sorted(self.0.iter().map(|(ours, _)| *ours)))
    }

    /// The median time of the other version, in seconds.
    pub(crate) fn theirs(&self) -> f64 {
        middle(sorted(self.0.iter().map(|(_, theirs)| *theirs)))
    }

    /// How fast ours is relative to the other in the same pair: "0.71 (0.69 to 0.74)", the median, the least and the greatest.
    pub(crate) fn ratio(&self) -> String {
        let ratios = sorted(self.0.iter().map(|(ours, theirs)| theirs / ours));
        let (least, greatest) = (ratios[0], ratios[ratios.len() - 1]);
        format!("{:>7.2} ({least:.2} to {greatest:.2})", middle(ratios))
    }
}

fn seconds<T>(now: impl Fn() -> Duration, work: impl FnOnce() -> T) -> (T, f64) {
    let start = now();
    let result = std::hint::black_box(work());
    (result, (now() - start).as_secs_f64())
}

/// For how long this thread has had a processor, by the first number of the file, in nanoseconds.
fn processor_time() -> Option<Duration> {
    // The system counts when a thread gives its processor away.
    thread::yield_now();
    let told = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    told.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}

fn sorted(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values
}

fn middle(sorted: Vec<f64>) -> f64 {
    sorted[sorted.len() / 2]
}
