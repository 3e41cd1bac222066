//! Temporary folders of sandboxed programs.

use std::env;
use std::fs::{self, DirBuilder, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::Once;
use std::sync::atomic::{AtomicU32, Ordering};

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
        match DirBuilder::new().mode(0o711).create(&folder) {
            Ok(()) => {
                fs::set_permissions(&folder, Permissions::from_mode(0o711))?;
                return Ok(folder);
            }
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
        let gone = process.is_some_and(|process| !Path::new("/proc").join(process).exists());
        let ours = entry
            .metadata()
            .is_ok_and(|about| about.is_dir() && about.uid() == nix::unistd::geteuid().as_raw());
        if gone && ours {
            remove_folder(Some(&entry.path()));
        }
    }
}

/// Removes a folder, if there is one. What cannot be removed is left in the system's place for temporary files.
pub(super) fn remove_folder(folder: Option<&PathBuf>) {
    if let Some(folder) = folder {
        let _ = fs::remove_dir_all(folder);
    }
}
