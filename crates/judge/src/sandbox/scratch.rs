//! Temporary folders of sandboxed programs.

use std::env;
use std::fs::{self, Metadata};
use std::io;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::Once;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::Duration;

use casino_system::folders::{create_passable, leftovers, size_on_disk};
use casino_system::foreign_files::let_all_read;

use super::limits::{Limit, MAX_SANDBOX_ENTRIES};

/// The beginning of the names of these folders.
const PREFIX: &str = "casino-box-";

/// How often a folder is tried to be removed: the system may hold a program's files for a moment after its end.
const MAX_REMOVE_ATTEMPTS: u32 = 20;

/// More folders than a program can have made.
const MAX_MOVED_FOLDERS: u32 = 10_000_000;

/// A folder in the system's place for temporary files, which is removed when this is dropped. Other users may pass through it
/// and list nothing.
#[derive(Debug)]
pub(crate) struct ScratchFolder(PathBuf);

impl ScratchFolder {
    pub(crate) fn new() -> io::Result<ScratchFolder> {
        static FOLDERS_CREATED: AtomicU32 = AtomicU32::new(0);
        static LEFTOVERS_REMOVED: Once = Once::new();
        LEFTOVERS_REMOVED.call_once(remove_leftovers);
        loop {
            let number = FOLDERS_CREATED.fetch_add(1, Ordering::Relaxed);
            let folder = env::temp_dir().join(format!("{PREFIX}{}-{number}", std::process::id()));
            match create_passable(&folder) {
                Ok(()) => return Ok(ScratchFolder(folder)),
                // Left over from long ago, or made by another user on purpose: the next number.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// One with these files in it.
    #[cfg(test)]
    pub(crate) fn with(files: &[(&str, &str)]) -> ScratchFolder {
        let folder = ScratchFolder::new().unwrap();
        for (file, content) in files {
            let path = folder.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }
        folder
    }
}

impl Deref for ScratchFolder {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.0
    }
}

impl Drop for ScratchFolder {
    fn drop(&mut self) {
        remove_folder(&self.0);
    }
}

/// Removes the folders of graders that were killed before they could.
fn remove_leftovers() {
    for leftover in leftovers(&env::temp_dir(), PREFIX) {
        remove_folder(&leftover.path);
    }
}

/// Removes a folder. Files that cannot be removed stay in the system's temporary folder.
fn remove_folder(folder: &Path) {
    for number in 0..MAX_REMOVE_ATTEMPTS {
        let removed = fs::remove_dir_all(folder).or_else(|error| match error.kind() {
            io::ErrorKind::NotFound => Err(error),
            _ => remove_flattened(folder, number * MAX_MOVED_FOLDERS),
        });
        match removed {
            Err(error) if error.kind() != io::ErrorKind::NotFound => thread::sleep(Duration::from_millis(10)),
            Ok(()) | Err(_) => return,
        }
    }
}

/// Removes a folder with closed or very deep folders: each is moved to the top before it is emptied.
fn remove_flattened(folder: &Path, first: u32) -> io::Result<()> {
    let mut moved = first;
    let_all_read(folder, true)?;
    loop {
        let entries = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
        if entries.is_empty() {
            return fs::remove_dir(folder);
        }
        for entry in entries {
            if !entry.file_type()?.is_dir() {
                fs::remove_file(entry.path())?;
                continue;
            }
            let_all_read(&entry.path(), true)?;
            for inner in fs::read_dir(entry.path())? {
                let inner = inner?;
                if inner.file_type()?.is_dir() {
                    let_all_read(&inner.path(), true)?;
                    fs::rename(inner.path(), folder.join(format!("moved{moved}")))?;
                    moved += 1;
                } else {
                    fs::remove_file(inner.path())?;
                }
            }
            fs::remove_dir(entry.path())?;
        }
    }
}

/// The limit that the files under these folders pass together, if any; links are not followed.
pub(super) fn limit_passed(folders: &[PathBuf], most_bytes: u64) -> Option<Limit> {
    let (mut bytes, mut entries) = (0_u64, 0);
    for folder in folders {
        let more = sum_of(folder, most_bytes - bytes, MAX_SANDBOX_ENTRIES - entries, size_on_disk);
        (bytes, entries) = (bytes + more.0, entries + more.1);
        if bytes > most_bytes {
            return Some(Limit::Files);
        }
        if entries > MAX_SANDBOX_ENTRIES {
            return Some(Limit::Entries);
        }
    }
    None
}

/// The bytes that copies of the files take, holes included, counted up to the cap.
pub(super) fn size_of_copy(folder: &Path, cap: u64) -> u64 {
    let size = |about: &Metadata| size_on_disk(about).max(if about.is_file() { about.len() } else { 0 });
    sum_of(folder, cap, u64::MAX, size).0
}

/// The bytes and the number of the entries under a folder, counted until one of them is more than its most.
fn sum_of(folder: &Path, most_bytes: u64, most_entries: u64, size: impl Fn(&Metadata) -> u64) -> (u64, u64) {
    let (mut bytes, mut entries) = (0_u64, 0);
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let Ok(about) = entry.metadata() else { continue };
            // The overhead of a file, without which a million empty files would cost nothing.
            bytes = size(&about).saturating_add(512).saturating_add(bytes);
            entries += 1;
            if about.is_dir() {
                folders.push(entry.path());
            }
            if bytes > most_bytes || entries > most_entries {
                return (bytes, entries);
            }
        }
    }
    (bytes, entries)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_that_wants_to_stay_is_removed() {
        let folder = ScratchFolder::new().unwrap();
        let mut inner = folder.join("work");
        for depth in 0..100 {
            inner.push(format!("deep{depth}"));
        }
        fs::create_dir_all(&inner).unwrap();
        fs::write(inner.join("file"), "").unwrap();
        fs::create_dir(folder.join("work/empty")).unwrap();
        let mut closed = fs::metadata(folder.join("work/deep0")).unwrap().permissions();
        closed.set_readonly(true);
        fs::set_permissions(folder.join("work/deep0"), closed.clone()).unwrap();
        fs::set_permissions(&*folder, closed).unwrap();
        remove_flattened(&folder, 0).unwrap();
        assert!(!folder.exists());
    }

    #[test]
    fn a_folder_is_measured() {
        let folder = ScratchFolder::with(&[("inner/file", &"x".repeat(100_000))]);
        assert!(sum_of(&folder, u64::MAX, u64::MAX, size_on_disk).0 >= 100_000);
    }
}
