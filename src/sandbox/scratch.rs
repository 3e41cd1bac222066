//! Temporary folders of sandboxed programs.

use std::env;
use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::Once;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, SystemTime};

use crate::system::folders::{create_passable, is_own, runs};

/// Where the system does not tell whether a grader still runs, its folders are left over when they are so old.
const OLD: Duration = Duration::from_secs(24 * 60 * 60);

/// How often a folder is tried to be removed: the system may hold a program's files for a moment after its end.
const TRIES: u32 = 20;

/// Makes a folder in the system's place for temporary files. Other users may pass through it and list nothing.
///
/// # Errors
/// If the folder cannot be made.
pub(crate) fn scratch_folder() -> io::Result<PathBuf> {
    static MADE: AtomicU32 = AtomicU32::new(0);
    static CLEAN: Once = Once::new();
    CLEAN.call_once(remove_leftovers);
    loop {
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        let folder = env::temp_dir().join(format!("casino-box-{}-{number}", std::process::id()));
        match create_passable(&folder) {
            Ok(()) => return Ok(folder),
            // Left over from long ago, or made by another user on purpose: the next number.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
}

/// Removes the folders of graders that were killed before they could.
fn remove_leftovers() {
    for entry in fs::read_dir(env::temp_dir()).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let process = name.to_str().and_then(|name| name.strip_prefix("casino-box-")?.split('-').next());
        let Some((process, about)) =
            process.and_then(|process| process.parse().ok()).zip(entry.metadata().ok())
        else {
            continue;
        };
        let gone = || runs(process).map_or_else(|| is_old(&about), |runs| !runs);
        if about.is_dir() && is_own(&about) && gone() {
            remove_folder(Some(&entry.path()));
        }
    }
}

fn is_old(about: &fs::Metadata) -> bool {
    let age = about.modified().ok().and_then(|made| SystemTime::now().duration_since(made).ok());
    age.is_some_and(|age| age > OLD)
}

/// Removes a folder, if there is one. What cannot be removed is left in the system's place for temporary files.
pub(crate) fn remove_folder(folder: Option<&PathBuf>) {
    let Some(folder) = folder else { return };
    for _ in 0..TRIES {
        match fs::remove_dir_all(folder) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => thread::sleep(Duration::from_millis(10)),
            Ok(()) | Err(_) => return,
        }
    }
}
