//! The processes of this machine, as `/proc` shows them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::{Pid, SysconfVar, sysconf};

#[derive(Clone, Copy, Debug)]
pub(super) struct ProcessInfo {
    parent: i32,
    zombie: bool,
    /// Its processor time, with that of its reaped children.
    cpu: Duration,
    threads: u64,
    resident: u64,
}

pub(super) struct Processes(BTreeMap<i32, ProcessInfo>);

impl Processes {
    pub(super) fn now() -> Processes {
        let ticks = positive(sysconf(SysconfVar::CLK_TCK), 100);
        let page = positive(sysconf(SysconfVar::PAGE_SIZE), 4096);
        let numbers = fs::read_dir("/proc").into_iter().flatten().flatten();
        let numbers = numbers.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
        let read = |number: i32| Some((number, parse(&stat(number)?, ticks, page)?));
        Processes(numbers.filter_map(read).collect())
    }

    /// The children of a process, their children, and so on; without the process itself.
    pub(super) fn below(&self, ancestor: i32) -> BTreeSet<i32> {
        let mut found = BTreeSet::new();
        let mut before = usize::MAX;
        while before != found.len() {
            before = found.len();
            for (&number, process) in &self.0 {
                if process.parent == ancestor || found.contains(&process.parent) {
                    found.insert(number);
                }
            }
        }
        found.remove(&ancestor);
        found
    }

    /// Threads, memory by the quick count (shared pages several times), and processor time.
    pub(super) fn usage(&self, numbers: &BTreeSet<i32>) -> ResourceUsage {
        let mut usage = ResourceUsage::default();
        for process in numbers.iter().filter_map(|number| self.0.get(number)) {
            usage.cpu += process.cpu;
            if !process.zombie {
                usage.threads += process.threads;
                usage.memory += process.resident;
            }
        }
        usage
    }

    /// Bytes of memory with shared pages counted once where possible, and unmapped files in memory.
    pub(super) fn exact_memory(&self, numbers: &BTreeSet<i32>) -> u64 {
        let resident =
            |number| self.0.get(&number).filter(|process| !process.zombie).map(|process| process.resident);
        let of_one = |number: &i32| proportional(*number).or_else(|| resident(*number)).unwrap_or(0);
        numbers.iter().map(of_one).sum::<u64>() + unmapped(numbers)
    }

    pub(super) fn alive(&self, numbers: &BTreeSet<i32>) -> BTreeSet<i32> {
        let alive = |number: &&i32| self.0.get(number).is_some_and(|process| !process.zombie);
        numbers.iter().filter(alive).copied().collect()
    }

    /// The processes of a user, including those the system shows as root's because they are not inspectable.
    pub(super) fn all_of_user(&self, user: u32) -> BTreeSet<i32> {
        let is_theirs = |number: &&i32| {
            let status = fs::read_to_string(format!("/proc/{number}/status")).unwrap_or_default();
            let users = status.lines().find_map(|line| line.strip_prefix("Uid:"));
            users.is_some_and(|users| users.split_whitespace().any(|word| word.parse() == Ok(user)))
        };
        self.0.keys().filter(is_theirs).copied().collect()
    }

    /// The processes of a user, quickly: without those that are not inspectable.
    pub(super) fn of_user(&self, user: u32) -> BTreeSet<i32> {
        let is_theirs = |number: &&i32| {
            fs::metadata(format!("/proc/{number}")).is_ok_and(|process| process.uid() == user)
        };
        self.0.keys().filter(is_theirs).copied().collect()
    }

    pub(super) fn threads(&self, numbers: &BTreeSet<i32>) -> u64 {
        self.usage(numbers).threads
    }
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ResourceUsage {
    pub(super) threads: u64,
    pub(super) memory: u64,
    pub(super) cpu: Duration,
}

/// The memory in unnamed files, in bytes, which is in no address space and still in use.
pub(super) fn unmapped(numbers: &BTreeSet<i32>) -> u64 {
    let mut files = BTreeMap::new();
    for number in numbers {
        for entry in fs::read_dir(format!("/proc/{number}/fd")).into_iter().flatten().flatten() {
            let is_memory =
                fs::read_link(entry.path()).is_ok_and(|link| link.to_string_lossy().starts_with("/memfd:"));
            if is_memory && let Ok(file) = fs::metadata(entry.path()) {
                files.insert((file.dev(), file.ino()), file.blocks() * 512);
            }
        }
    }
    files.values().sum()
}

fn proportional(number: i32) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{number}/smaps_rollup")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("Pss:"))?;
    line.split_whitespace().next()?.parse::<u64>().ok().map(|kibibytes| kibibytes << 10)
}

/// Kills these, if they are still there.
pub(super) fn kill_all(numbers: &BTreeSet<i32>) {
    for number in numbers {
        // This fails only if the process has ended already.
        let _ = kill(Pid::from_raw(*number), Signal::SIGKILL);
    }
}

fn stat(number: i32) -> Option<String> {
    Some(String::from_utf8_lossy(&fs::read(format!("/proc/{number}/stat")).ok()?).into_owned())
}

fn positive(value: nix::Result<Option<i64>>, otherwise: u64) -> u64 {
    value
        .ok()
        .flatten()
        .and_then(|value| u64::try_from(value).ok())
        .filter(|&value| value > 0)
        .unwrap_or(otherwise)
}

/// Reads a line of `/proc/NUMBER/stat`. The name in it may contain anything, also brackets and spaces.
fn parse(line: &str, ticks: u64, page: u64) -> Option<ProcessInfo> {
    let (_, rest) = line.rsplit_once(')')?;
    let fields: Vec<&str> = rest.split_whitespace().collect();
    let number = |at: usize| fields.get(at)?.parse::<u64>().ok();
    let cpu = number(11)? + number(12)? + number(13)? + number(14)?;
    Some(ProcessInfo {
        parent: fields.get(1)?.parse().ok()?,
        zombie: matches!(*fields.first()?, "Z" | "X"),
        cpu: Duration::from_millis(cpu.saturating_mul(1000) / ticks),
        threads: number(17)?,
        resident: number(21)?.saturating_mul(page),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_parsed_with_any_process_name() {
        let line =
            "7 (a) R 1 ) (x) S 3 7 7 0 -1 4 0 0 0 0 100 50 25 25 20 0 12 0 100 5000 10 18446744073709551615";
        let process = parse(line, 100, 4096).unwrap();
        assert_eq!((process.parent, process.threads, process.resident), (3, 12, 40_960));
        assert_eq!(process.cpu, Duration::from_secs(2));
        assert!(parse("", 100, 4096).is_none() && parse("7 (a) S 3", 100, 4096).is_none());
    }

    #[test]
    fn this_process_is_below_its_parent() {
        let own = i32::try_from(std::process::id()).unwrap();
        let parent = nix::unistd::getppid().as_raw();
        let processes = Processes::now();
        assert!(processes.below(parent).contains(&own));
        assert!(!processes.below(own).contains(&own));
        let own = BTreeSet::from([own]);
        let user = nix::unistd::getuid().as_raw();
        assert!(processes.all_of_user(user).is_superset(&processes.of_user(user)));
        assert!(processes.all_of_user(user).is_superset(&own));
        assert!(processes.usage(&own).memory > 0 && processes.threads(&own) > 0);
        assert!(processes.exact_memory(&own) > 0);
    }
}
