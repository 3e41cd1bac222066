//! Users that exist nowhere else on the machine: as root, each sandboxed program becomes one.

use std::fs;
use std::io;
use std::os::unix::fs::{PermissionsExt, lchown};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use super::processes::Processes;

/// The numbers of users that exist nowhere else on the machine. Each sandboxed program gets one.
#[derive(Clone, Debug)]
pub(super) struct Users {
    first: u32,
    count: u32,
}

impl Users {
    /// The users that this process may become; only root may.
    pub(super) fn of_this_machine() -> Option<Users> {
        if !nix::unistd::geteuid().is_root() || !may_change_users() {
            return None;
        }
        let map = fs::read_to_string("/proc/self/uid_map").ok()?;
        let whole = map.split_whitespace().nth(2)?.parse::<u64>().ok()?;
        // Far above the user ids of people where the range allows it, and different for concurrent graders.
        let process = std::process::id();
        if whole > 0x8000_0000 {
            Some(Users { first: 0x4000_0000 + (process % 0x40_0000) * 128, count: 128 })
        } else if whole >= 60_000 {
            Some(Users { first: 20_000 + (process % 300) * 128, count: 128 })
        } else {
            None
        }
    }

    /// A user of whom no process runs: what is left of a program is killed by its user.
    pub(super) fn next(&self) -> io::Result<u32> {
        let processes = Processes::now();
        let free = self.free(|user| !processes.of_user(user).is_empty());
        free.ok_or_else(|| io::Error::other("programs are running as each of the users that sandboxes have"))
    }

    fn free(&self, is_in_use: impl Fn(u32) -> bool) -> Option<u32> {
        static TAKEN: AtomicU32 = AtomicU32::new(0);
        let next = || self.first + TAKEN.fetch_add(1, Ordering::Relaxed) % self.count;
        (0..self.count).map(|_| next()).find(|user| !is_in_use(*user))
    }
}

/// The folders among these that only their owner may enter, because of their own permissions or those of a folder above.
pub(super) fn closed_to_others(folders: &[PathBuf]) -> Vec<PathBuf> {
    const OTHERS_ENTER: u32 = 0o001;
    let is_closed = |folder: &Path| {
        let is_open = |about: fs::Metadata| about.permissions().mode() & OTHERS_ENTER != 0;
        folder.ancestors().any(|above| !fs::metadata(above).is_ok_and(is_open))
    };
    folders.iter().filter(|folder| is_closed(folder)).cloned().collect()
}

/// Whether others cannot read this folder or its first thousand entries.
pub(super) fn is_unreadable(folder: &Path) -> bool {
    const OTHERS_READ: u32 = 0o004;
    const OTHERS_ENTER: u32 = 0o001;
    let lacks = |path: &Path| {
        fs::metadata(path).is_ok_and(|about| {
            let needed = if about.is_dir() { OTHERS_READ | OTHERS_ENTER } else { OTHERS_READ };
            about.permissions().mode() & needed != needed
        })
    };
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().take(1000);
    !closed_to_others(&[folder.to_path_buf()]).is_empty()
        || lacks(folder)
        || entries.map(|entry| entry.path()).any(|path| lacks(&path))
}

/// Gives a folder and all in it to a user. Links are not followed.
pub(super) fn give_folder(folder: &Path, user: u32) -> io::Result<()> {
    lchown(folder, Some(user), Some(user))?;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            give_folder(&entry.path(), user)?;
        } else {
            lchown(entry.path(), Some(user), Some(user))?;
        }
    }
    Ok(())
}

/// Whether this process has the rights to change users and owners; root in a container may not.
fn may_change_users() -> bool {
    const CHOWN_SETGID_SETUID: u64 = 1 | 1 << 6 | 1 << 7;
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let rights = status.lines().find_map(|line| line.strip_prefix("CapEff:"));
    rights
        .and_then(|rights| u64::from_str_radix(rights.trim(), 16).ok())
        .is_some_and(|rights| rights & CHOWN_SETGID_SETUID == CHOWN_SETGID_SETUID)
}

#[cfg(test)]
mod tests {
    use std::fs::Permissions;

    use super::*;
    use crate::sandbox::ScratchFolder;

    #[test]
    fn a_user_with_a_running_program_is_given_to_no_other() {
        let users = Users { first: 100, count: 4 };
        for _ in 0..9 {
            let user = users.free(|user| [100, 102].contains(&user)).unwrap();
            assert!([101, 103].contains(&user), "{user}");
        }
        assert_eq!(users.free(|_| true), None);
    }

    #[test]
    fn private_folders_are_out_of_reach() {
        let folder = ScratchFolder::new().unwrap();
        let inside = [folder.join("home/.cargo")];
        fs::create_dir_all(&inside[0]).unwrap();
        let mode = |mode| fs::set_permissions(folder.join("home"), Permissions::from_mode(mode)).unwrap();
        mode(0o700);
        assert_eq!(closed_to_others(&inside), inside);
        mode(0o711);
        assert!(closed_to_others(&inside).is_empty());
    }
}
