//! Control groups of both kinds, in which the kernel counts a program's memory, mapped or not. A program's
//! supervisor is started inside its group (see [`enter`]).

use std::env;
use std::fs::{self, OpenOptions};
use std::io;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, id};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::sleep;
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

/// The first argument of the command line of the process that enters a group.
pub(super) const ENTER: &str = "__enter";

/// Bytes that the supervisor and the kernel's accounting may take beside the program's memory.
const SUPERVISOR_MEMORY_BYTES: u64 = 64 << 20;

/// How often a group is tried to be removed: the last process may need a moment to be gone.
const MAX_REMOVE_ATTEMPTS: u32 = 600;

/// The start of the name of a program's group; the process and a number follow.
const GROUP_NAME_PREFIX: &str = "casino-box-";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hierarchy {
    First,
    Second,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct MemoryGroups {
    hierarchy: Hierarchy,
    folder: PathBuf,
}

/// The control group of one program. Dropping it kills its processes and removes it.
#[derive(Debug)]
pub(super) struct MemoryGroup {
    hierarchy: Hierarchy,
    folder: PathBuf,
}

impl MemoryGroups {
    pub(super) fn of_this_process() -> Option<MemoryGroups> {
        let read = |file| fs::read_to_string(file).unwrap_or_default();
        let found = places(&read("/proc/self/cgroup"), &read("/proc/self/mountinfo"));
        let groups = found.into_iter().find(MemoryGroups::works)?;
        groups.remove_leftovers();
        Some(groups)
    }

    pub(super) fn group(&self, memory: u64) -> io::Result<MemoryGroup> {
        static GROUPS_CREATED: AtomicU32 = AtomicU32::new(0);
        let number = GROUPS_CREATED.fetch_add(1, Ordering::Relaxed);
        let folder = self.folder.join(format!("{GROUP_NAME_PREFIX}{}-{number}", id()));
        fs::create_dir(&folder)?;
        let group = MemoryGroup { hierarchy: self.hierarchy, folder };
        let limit = memory.saturating_add(SUPERVISOR_MEMORY_BYTES).to_string();
        match self.hierarchy {
            Hierarchy::First => {
                group.write("memory.limit_in_bytes", &limit)?;
                // Memory and swap together, and the buffers of TCP: a kernel may have neither.
                let _ = group.write("memory.memsw.limit_in_bytes", &limit);
                let _ = group.write("memory.kmem.tcp.limit_in_bytes", &limit);
            }
            Hierarchy::Second => {
                group.write("memory.max", &limit)?;
                let _ = group.write("memory.swap.max", "0");
            }
        }
        Ok(group)
    }

    fn works(&self) -> bool {
        let delegates = || {
            let file = self.folder.join("cgroup.subtree_control");
            let has = || {
                fs::read_to_string(&file)
                    .is_ok_and(|text| text.split_whitespace().any(|word| word == "memory"))
            };
            // The system's root group can always count memory, any other one only while no process is in it.
            has() || (fs::write(&file, "+memory").is_ok() && has())
        };
        let enters = || OpenOptions::new().write(true).open(self.folder.join("cgroup.procs")).is_ok();
        (self.hierarchy == Hierarchy::First || (delegates() && enters())) && self.group(0).is_ok()
    }

    /// Removes the groups of graders that were killed before they could.
    fn remove_leftovers(&self) {
        for entry in fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let process =
                name.to_str().and_then(|name| name.strip_prefix(GROUP_NAME_PREFIX)?.split('-').next());
            let process = process.and_then(|process| process.parse::<u32>().ok());
            if process.is_some_and(|process| {
                process != id() && !Path::new("/proc").join(process.to_string()).exists()
            }) {
                // Another grader may be removing it too.
                let _ = fs::remove_dir(entry.path());
            }
        }
    }
}

impl MemoryGroup {
    /// This command, run in the group: by this program, which enters it and becomes the command.
    pub(super) fn entered_by(&self, program: &Path, command: &Command) -> Command {
        let mut entering = Command::new(program);
        entering.arg(ENTER).arg(self.folder.join("cgroup.procs"));
        entering.arg(command.get_program()).args(command.get_args());
        entering
    }

    /// Whether the kernel has ended a process of the group for want of memory.
    pub(super) fn was_exceeded(&self) -> bool {
        let file = match self.hierarchy {
            Hierarchy::First => "memory.oom_control",
            Hierarchy::Second => "memory.events",
        };
        let text = fs::read_to_string(self.folder.join(file)).unwrap_or_default();
        text.lines().filter_map(|line| line.strip_prefix("oom_kill ")).any(|number| number.trim() != "0")
    }

    fn write(&self, file: &str, value: &str) -> io::Result<()> {
        fs::write(self.folder.join(file), value)
    }
}

impl Drop for MemoryGroup {
    fn drop(&mut self) {
        for _ in 0..MAX_REMOVE_ATTEMPTS {
            match fs::remove_dir(&self.folder) {
                Err(error) if error.kind() == io::ErrorKind::ResourceBusy => {}
                Ok(()) | Err(_) => return,
            }
            let inside = fs::read_to_string(self.folder.join("cgroup.procs")).unwrap_or_default();
            for process in inside.lines().filter_map(|line| line.parse().ok()).filter(|process| *process > 1)
            {
                // This fails only if the process has ended already.
                let _ = kill(Pid::from_raw(process), Signal::SIGKILL);
            }
            sleep(Duration::from_millis(5));
        }
    }
}

/// Enters the group that the second argument names and becomes the command after it; returns only if that fails.
pub(super) fn enter() -> io::Result<()> {
    let mut words = env::args_os().skip(2);
    let (Some(group), Some(program)) = (words.next(), words.next()) else {
        return Err(io::ErrorKind::InvalidInput.into());
    };
    // This process, as the kernel calls it.
    fs::write(group, "0")?;
    Err(Command::new(program).args(words).exec())
}

/// The folders for groups, the better ones first, from `/proc/self/cgroup` and `/proc/self/mountinfo`.
fn places(groups: &str, mounts: &str) -> Vec<MemoryGroups> {
    let mut found = Vec::new();
    for line in groups.lines() {
        let mut parts = line.splitn(3, ':');
        let (Some(_), Some(controllers), Some(group)) = (parts.next(), parts.next(), parts.next()) else {
            continue;
        };
        let hierarchy = match controllers {
            "" => Hierarchy::Second,
            _ if controllers.split(',').any(|name| name == "memory") => Hierarchy::First,
            _ => continue,
        };
        let Some(own) = mounts.lines().find_map(|line| mounted(line, hierarchy, Path::new(group))) else {
            continue;
        };
        found.push(MemoryGroups { hierarchy, folder: own.clone() });
        if hierarchy == Hierarchy::Second && group != "/" {
            found.extend(own.parent().map(|folder| MemoryGroups { hierarchy, folder: folder.to_path_buf() }));
        }
    }
    found
}

/// Where a group is in the file system, if this line is that of its mount.
fn mounted(line: &str, hierarchy: Hierarchy, group: &Path) -> Option<PathBuf> {
    let (place, kind) = line.split_once(" - ")?;
    let mut kind = kind.split(' ');
    let fits = match (hierarchy, kind.next()?) {
        (Hierarchy::First, "cgroup") => kind.nth(1)?.split(',').any(|option| option == "memory"),
        (Hierarchy::Second, "cgroup2") => true,
        _ => false,
    };
    let mut place = place.split(' ').skip(3);
    let (root, point) = (place.next()?, place.next()?);
    fits.then(|| group.strip_prefix(root).ok().map(|inner| Path::new(point).join(inner)))?
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOUNTS: &str = "25 20 0:21 / /sys/fs/cgroup ro,nosuid - tmpfs tmpfs ro,mode=755\n\
                          30 25 0:26 / /sys/fs/cgroup/memory rw,relatime shared:9 - cgroup cgroup rw,memory\n\
                          31 25 0:27 / /sys/fs/cgroup/cpu rw,relatime shared:10 - cgroup cgroup rw,cpu\n\
                          32 25 0:28 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw\n";

    fn named(hierarchy: Hierarchy, folder: &str) -> MemoryGroups {
        MemoryGroups { hierarchy, folder: folder.into() }
    }

    #[test]
    fn the_groups_of_both_kinds_are_found() {
        let first = places("8:memory:/a/b\n7:cpu,cpuacct:/\n0::/user.slice/c.scope\n", MOUNTS);
        let expected = [
            named(Hierarchy::First, "/sys/fs/cgroup/memory/a/b"),
            named(Hierarchy::Second, "/sys/fs/cgroup/unified/user.slice/c.scope"),
            named(Hierarchy::Second, "/sys/fs/cgroup/unified/user.slice"),
        ];
        assert_eq!(first, expected);
        // A container sees its own group as the first of all, or under the name that the machine has for it.
        let container = "30 25 0:26 /docker/x /sys/fs/cgroup rw - cgroup2 cgroup rw\n";
        assert_eq!(places("0::/docker/x/y\n", container)[0], named(Hierarchy::Second, "/sys/fs/cgroup/y"));
        assert_eq!(places("0::/elsewhere\n", container), []);
        assert_eq!(places("nonsense\n3:cpu:/\n", MOUNTS), []);
    }

    #[test]
    fn a_group_has_its_limit_and_is_gone_with_its_program() {
        let Some(groups) = MemoryGroups::of_this_process() else { return };
        let group = groups.group(100 << 20).unwrap();
        assert!(!group.was_exceeded());
        let mut sleeper = Command::new("sleep").arg("1000").spawn().unwrap();
        group.write("cgroup.procs", &sleeper.id().to_string()).unwrap();
        let folder = group.folder.clone();
        drop(group);
        assert!(!sleeper.wait().unwrap().success(), "it was killed");
        assert!(!folder.exists());
    }
}
