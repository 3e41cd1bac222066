//! Folders for targets whose input is a file tree.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

/// A temporary folder, removed when dropped.
pub struct Folder {
    /// Where it is.
    pub path: PathBuf,
}

impl Folder {
    /// Makes an empty one.
    pub fn new() -> Folder {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("casino-fuzz-{}-{number}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder for a submission");
        Folder { path }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A leftover does no harm to the next one.
        let _ = fs::remove_dir_all(&self.path);
    }
}
