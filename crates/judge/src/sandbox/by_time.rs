//! What is judged by time: it runs beside others, and once more alone if it was late on a busy machine.

use std::sync::{PoisonError, RwLock};
use std::time::Duration;

use super::Sandbox;
use casino_stud::parallel::cores;
use casino_system::processes::{load, share_of_processor};

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
    /// The same sandbox, in which programs are judged by time even if the machine has too much else to do: for containers
    /// that show the load of other people's programs, and for programs that are late on any machine.
    pub fn even_if_busy(self) -> Sandbox {
        Sandbox { turns: SandboxTurns { turn: RwLock::default(), even_if_busy: true }.into(), ..self }
    }

    /// Runs what is judged by time: a program, or a build. If it was late and the machine is busy it runs once more, alone,
    /// and that counts. Nothing else that is judged by time runs in this sandbox meanwhile.
    ///
    /// # Errors
    /// What `cannot_judge` makes of the reason, if it was late even then and the machine has too much else to do; and
    /// whatever goes wrong when it runs.
    pub(crate) fn run_by_time<T, E>(
        &self,
        mut run: impl FnMut() -> Result<T, E>,
        is_late: impl Fn(&T) -> bool,
        cannot_judge: impl FnOnce(String) -> E,
    ) -> Result<T, E> {
        let SandboxTurns { turn, even_if_busy } = &*self.turns;
        let beside_others = turn.read().unwrap_or_else(PoisonError::into_inner);
        let first = run()?;
        drop(beside_others);
        if !is_late(&first) || !is_busy() {
            return Ok(first);
        }
        let _alone = turn.write().unwrap_or_else(PoisonError::into_inner);
        let again = run()?;
        match (is_late(&again) && !even_if_busy).then(too_busy).flatten() {
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

/// Why the machine cannot judge by time at the moment, if it cannot.
fn too_busy() -> Option<String> {
    let share = share_of_processor(LOOK)?;
    (share < BUSY).then(|| {
        "The machine has too much else to do: a program gets less than half of a processor here. Grade with fewer jobs \
         (-j 1), or when the machine is free."
            .to_string()
    })
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
        assert_eq!(sandbox.run_by_time(run, |_| false, |why| why), Ok(true));
        assert_eq!(runs.get(), 1, "it was not late");
    }
}
