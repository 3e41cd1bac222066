//! What is judged by time: it runs beside others, and once more alone if it was late on a busy machine.

use std::sync::{PoisonError, RwLock};
use std::time::{Duration, Instant};

use super::Sandbox;
use casino_stud::parallel::cores;
use casino_system::processes::{load, share_of_processor};
use casino_system::run_delays::RunDelays;

/// Something was late: the machine may be to blame, if it kept the program waiting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lateness {
    /// The time there was.
    pub limit: Duration,
    /// How long the program really had until it was ready, or until nobody waited for it any more.
    pub had: Duration,
    /// The time that its threads waited for a processor; `None` where the system does not tell.
    pub waited: Option<Duration>,
}

impl Lateness {
    /// Late after this many tenths of the limit without waiting, a program is late on any machine.
    const ENOUGH_TENTHS: u32 = 9;

    /// With this share of the limit or more, a machine has too much else to do to judge by time.
    const TOO_MUCH: u32 = 2;

    /// How late a program is that has been working since then and should have been ready within the limit.
    pub fn since(then: Instant, limit: Duration, delays: Option<&RunDelays>) -> Lateness {
        Lateness { limit, had: then.elapsed(), waited: delays.map(|delays| delays.since(then)) }
    }

    /// The one of several that is most of all the machine's fault.
    pub(crate) fn least_own(all: impl IntoIterator<Item = Lateness>) -> Option<Lateness> {
        let own = |late: &Lateness| {
            let unhindered = late.waited.map_or(Duration::ZERO, |waited| late.had.saturating_sub(waited));
            unhindered.as_micros() * 1_000 / late.limit.as_micros().max(1)
        };
        all.into_iter().min_by_key(own)
    }

    /// Whether it may have been late because the machine had other things to do.
    pub(crate) fn may_be_the_machines(self) -> bool {
        let had_enough = |waited| self.had.saturating_sub(waited) * 10 > self.limit * Lateness::ENOUGH_TENTHS;
        self.waited.map_or_else(is_busy, |waited| !had_enough(waited))
    }

    /// Why the machine cannot judge by time, if it cannot.
    fn too_busy(self) -> Option<String> {
        let share = match self.waited {
            Some(waited) => return (waited * Lateness::TOO_MUCH >= self.limit).then(busy),
            None => share_of_processor(LOOK)?,
        };
        (share < BUSY).then(busy)
    }
}

/// How often it is told at least how long a program has waited.
pub(super) const TOLD: Duration = Duration::from_millis(50);

/// A thread that gets this share of a processor or more has it to itself, or nearly.
const FREE: f64 = 0.8;

/// Less than this share of a processor, and a machine has too much else to do to judge by time.
const BUSY: f64 = 0.5;

/// How long a machine is looked at to see how busy it is.
const LOOK: Duration = Duration::from_millis(100);

/// How the programs of a sandbox take turns, and whether they are judged by time however busy the machine is.
#[derive(Debug, Default)]
pub(super) struct SandboxTurns {
    /// Held for reading while something runs that is judged by time, and for writing by one that runs alone.
    turn: RwLock<()>,
    even_if_busy: bool,
}

impl Sandbox {
    /// The same sandbox, in which programs are judged by time even on a busy machine.
    pub fn even_if_busy(self) -> Sandbox {
        Sandbox { turns: SandboxTurns { turn: RwLock::default(), even_if_busy: true }.into(), ..self }
    }

    /// Runs a program or build; once more, alone, if the machine may have made it late.
    pub(crate) fn run_by_time<T, E>(
        &self,
        mut run: impl FnMut() -> Result<T, E>,
        lateness: impl Fn(&T) -> Option<Lateness>,
        cannot_judge: impl FnOnce(String) -> E,
    ) -> Result<T, E> {
        let SandboxTurns { turn, even_if_busy } = &*self.turns;
        let beside_others = turn.read().unwrap_or_else(PoisonError::into_inner);
        let first = run()?;
        drop(beside_others);
        if !lateness(&first).is_some_and(Lateness::may_be_the_machines) {
            return Ok(first);
        }
        let _alone = turn.write().unwrap_or_else(PoisonError::into_inner);
        let again = run()?;
        match lateness(&again).filter(|_| !even_if_busy).and_then(Lateness::too_busy) {
            Some(why) => Err(cannot_judge(why)),
            None => Ok(again),
        }
    }
}

/// Whether this machine has more to do than it has processors for. Where the system does not tell, it may have.
fn is_busy() -> bool {
    let processors = cores().get() as f64;
    load().is_none_or(|load| load > processors) || share_of_processor(LOOK).is_none_or(|share| share < FREE)
}

fn busy() -> String {
    "The machine has too much else to do: a program gets less than half of a processor here. Grade with fewer jobs (-j 1), \
     or when the machine is free."
        .to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sandbox::Policy;

    /// So whoever wants to be alone waits for it.
    #[test]
    fn what_is_judged_by_time_runs_beside_others_and_nobody_is_alone_meanwhile() {
        let sandbox = Sandbox::without_box(Policy::Off).unwrap();
        let runs = std::cell::Cell::new(0);
        let run = || {
            runs.set(runs.get() + 1);
            Ok(sandbox.turns.turn.try_write().is_err())
        };
        assert_eq!(sandbox.run_by_time(run, |_| None, |why| why), Ok(true));
        assert_eq!(runs.get(), 1, "it was not late");
    }

    /// The number of runs, and whether it was judged, with a limit of 1,000 ms.
    fn late_by(sandbox: &Sandbox, had: u64, waited: u64) -> (u32, bool) {
        let mut runs = 0;
        let run = || {
            runs += 1;
            Ok(())
        };
        let late = Lateness {
            limit: Duration::from_secs(1),
            had: Duration::from_millis(had),
            waited: Some(Duration::from_millis(waited)),
        };
        let judged = sandbox.run_by_time(run, |()| Some(late), |why| why).is_ok();
        (runs, judged)
    }

    #[test]
    fn who_was_late_without_waiting_is_judged_at_once_and_who_waited_runs_once_more() {
        let sandbox = Sandbox::without_box(Policy::Off).unwrap();
        let of = |waited| late_by(&sandbox, 1_000, waited);
        assert_eq!([0, 99, 100, 499, 500].map(of), [(1, true), (1, true), (2, true), (2, true), (2, false)]);
        let who_never_answers = [0, 500, 3_000, 3_200].map(|waited| late_by(&sandbox, 4_000, waited));
        assert_eq!(who_never_answers, [(1, true), (1, true), (1, true), (2, false)]);
        assert_eq!(late_by(&sandbox.even_if_busy(), 1_000, 900), (2, true));
    }

    #[test]
    fn of_several_the_one_counts_that_had_the_least_of_its_limit() {
        let late = |limit: u64, had: u64, waited: Option<u64>| Lateness {
            limit: Duration::from_millis(limit),
            had: Duration::from_millis(had),
            waited: waited.map(Duration::from_millis),
        };
        let (hangs, hindered, unknown) =
            (late(1_000, 4_000, Some(600)), late(5_000, 5_000, Some(500)), late(1_000, 1_000, None));
        assert_eq!(Lateness::least_own([hangs, hindered]), Some(hindered));
        assert_eq!(Lateness::least_own([hangs, hindered, unknown]), Some(unknown));
        assert_eq!(Lateness::least_own([]), None);
    }

    #[test]
    fn what_was_waited_before_the_reply_was_due_does_not_count() {
        let (delays, limit) = (RunDelays::default(), Duration::from_secs(1));
        let asked = Instant::now();
        delays.tell(asked.checked_sub(Duration::from_secs(5)).unwrap(), Duration::from_secs(4));
        assert_eq!(Lateness::since(asked, limit, Some(&delays)).waited, Some(Duration::ZERO));
        delays.tell(Instant::now(), Duration::from_millis(4_300));
        let late = Lateness::since(asked, limit, Some(&delays));
        assert_eq!((late.limit, late.waited), (limit, Some(Duration::from_millis(300))));
        assert_eq!(Lateness::since(asked, limit, None).waited, None);
    }
}
