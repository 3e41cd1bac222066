//! How long the threads of a program wanted to run and got no processor, as `/proc` tells.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::time::Duration;

/// What is less than this is not worth telling.
const WORTH_TELLING: Duration = Duration::from_millis(1);

/// How long each thread has waited that was ever seen: the system forgets those that have ended.
#[derive(Debug, Default)]
pub(super) struct Waiting {
    threads: BTreeMap<i32, Duration>,
    /// What the machine below this one had kept when it was first asked.
    stolen_before: Option<Duration>,
    told: Option<Duration>,
}

impl Waiting {
    /// Looks at these processes. Returns how long all of it has waited by now, if that is the first time or worth telling.
    pub(super) fn grown(&mut self, processes: &BTreeSet<i32>) -> Option<Duration> {
        for process in processes {
            let tasks = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
            for task in tasks {
                let thread = task.file_name().to_str().and_then(|name| name.parse().ok());
                // Whatever has ended meanwhile is remembered as it was seen last.
                let Ok(text) = fs::read_to_string(task.path().join("schedstat")) else { continue };
                if let (Some(thread), Some(waited)) = (thread, run_delay(&text)) {
                    self.threads.insert(thread, waited);
                }
            }
        }
        let stolen = fs::read_to_string("/proc/stat").ok().and_then(|text| stolen(&text)).unwrap_or_default();
        let before = *self.stolen_before.get_or_insert(stolen);
        let total = self.threads.values().sum::<Duration>() + stolen.saturating_sub(before);
        let is_news = self.told.is_none_or(|told| total >= told + WORTH_TELLING);
        is_news.then(|| *self.told.insert(total))
    }
}

/// The second number of a line of `/proc/PID/task/TID/schedstat`: how many nanoseconds a thread was ready to run and did not.
fn run_delay(text: &str) -> Option<Duration> {
    text.split_whitespace().nth(1)?.parse().ok().map(Duration::from_nanos)
}

/// The mean time that the hypervisor kept a processor, from `/proc/stat`.
fn stolen(text: &str) -> Option<Duration> {
    let (first, rest) = text.split_once('\n')?;
    let stolen: u64 = first.strip_prefix("cpu ")?.split_whitespace().nth(7)?.parse().ok()?;
    let processors = rest.lines().take_while(|line| line.starts_with("cpu")).count().max(1) as u64;
    Some(Duration::from_millis(stolen * 10 / processors))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_of_the_system_are_read() {
        assert_eq!(run_delay("74912 2500 3\n"), Some(Duration::from_nanos(2_500)));
        assert_eq!(run_delay("0"), None);
        let stat = "cpu  10 0 5 300 0 0 0 40 0 0\ncpu0 5 0 3 150 0 0 0 30 0 0\ncpu1 5 0 2 150 0 0 0 10 0 0\nintr 9\n";
        assert_eq!(stolen(stat), Some(Duration::from_millis(200)));
        assert_eq!(stolen("intr 9\n"), None);
    }

    #[test]
    fn it_is_told_when_it_has_grown_and_nothing_that_has_ended_is_forgotten() {
        let own = i32::try_from(std::process::id()).unwrap();
        let mut waiting = Waiting::default();
        waiting.threads.insert(-1, Duration::from_secs(7));
        let first = waiting.grown(&BTreeSet::from([own])).unwrap();
        assert!(first >= Duration::from_secs(7), "{first:?}");
        waiting.told = Some(Duration::from_secs(1_000_000));
        assert_eq!(waiting.grown(&BTreeSet::from([own])), None);
    }
}
