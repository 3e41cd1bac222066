//! Programs judged by time: each runs beside others, and once more alone if it was late on a busy machine.

use std::sync::{PoisonError, RwLock};
use std::time::Duration;

use super::Sandbox;
use casino_stud::parallel::cores;
use casino_system::processes::{OWN_PROCESSOR_SHARE, load, share_of_processor};

/// The share of a processor below which a machine is too busy to judge programs by time.
const MIN_CPU_SHARE: f64 = 0.5;

const LOAD_SAMPLE_TIME: Duration = Duration::from_millis(100);

const TOO_BUSY: &str = "The machine has too much else to do: a program gets less than half of a processor here. Grade \
                        with fewer jobs (-j 1), or when the machine is free.";

/// How the programs of a sandbox take turns, and whether they are judged by time however busy the machine is.
#[derive(Debug, Default)]
pub(super) struct SandboxTurns {
    /// Held for reading while something runs that is judged by time, and for writing by one that runs alone.
    turn: RwLock<()>,
    even_if_busy: bool,
}

impl SandboxTurns {
    fn run<T, E>(
        &self,
        mut run: impl FnMut() -> Result<T, E>,
        is_late: impl Fn(&T) -> bool,
        [is_busy, is_too_busy]: [fn() -> bool; 2],
    ) -> Result<Option<T>, E> {
        let beside_others = self.turn.read().unwrap_or_else(PoisonError::into_inner);
        let first = run()?;
        drop(beside_others);
        if !is_late(&first) || !is_busy() {
            return Ok(Some(first));
        }
        let _alone = self.turn.write().unwrap_or_else(PoisonError::into_inner);
        let again = run()?;
        let is_judged = self.even_if_busy || !is_late(&again) || !is_too_busy();
        Ok(is_judged.then_some(again))
    }
}

impl Sandbox {
    /// The same sandbox, in which programs are judged by time even on a busy machine.
    pub fn even_if_busy(self) -> Sandbox {
        Sandbox { turns: SandboxTurns { turn: RwLock::default(), even_if_busy: true }.into(), ..self }
    }

    /// Runs a program or build; once more, alone, if the machine may have made it late.
    pub(crate) fn run_by_time<T, E>(
        &self,
        run: impl FnMut() -> Result<T, E>,
        is_late: impl Fn(&T) -> bool,
        cannot_judge: impl FnOnce(String) -> E,
    ) -> Result<T, E> {
        let judged = self.turns.run(run, is_late, [is_busy, is_too_busy])?;
        judged.ok_or_else(|| cannot_judge(TOO_BUSY.to_string()))
    }
}

/// Whether this machine has more work than processors. Assumed if the system does not report it.
fn is_busy() -> bool {
    let processors = cores().get() as f64;
    load().is_none_or(|load| load > processors)
        || share_of_processor(LOAD_SAMPLE_TIME).is_none_or(|share| share < OWN_PROCESSOR_SHARE)
}

fn is_too_busy() -> bool {
    share_of_processor(LOAD_SAMPLE_TIME).is_some_and(|share| share < MIN_CPU_SHARE)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Timed runs take turns: a run that has to be alone waits until the others have ended.
    #[test]
    fn timed_runs_are_concurrent_and_exclude_a_lone_run() {
        let turns = SandboxTurns::default();
        let run = || Ok::<_, ()>(turns.turn.try_write().is_err());
        assert_eq!(turns.run(run, |_| false, [|| true, || true]), Ok(Some(true)));
    }

    #[test]
    fn a_late_program_runs_once_more_on_a_busy_machine() {
        let yes: fn() -> bool = || true;
        let no: fn() -> bool = || false;
        for (late_runs, machine, even_if_busy, expected) in [
            (0, [yes, yes], false, (1, true)),
            (2, [no, no], false, (1, true)),
            (1, [yes, yes], false, (2, true)),
            (2, [yes, no], false, (2, true)),
            (2, [yes, yes], false, (2, false)),
            (2, [yes, yes], true, (2, true)),
        ] {
            let turns = SandboxTurns { even_if_busy, ..SandboxTurns::default() };
            let mut runs = 0;
            let run = || {
                runs += 1;
                Ok::<u32, ()>(runs)
            };
            let judged = turns.run(run, |run| *run <= late_runs, machine).unwrap().is_some();
            assert_eq!((runs, judged), expected, "{late_runs} late runs");
        }
    }
}
