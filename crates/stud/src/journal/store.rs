//! Storage for a journal.

use std::fs::File;
use std::io::{self, Write};

/// A file that only grows. Tests put one here that fails.
pub trait Store: Send {
    /// Writes all of these bytes after those that are there.
    fn append(&mut self, bytes: &[u8]) -> io::Result<()>;

    /// Makes sure that everything appended so far outlives the machine.
    fn sync(&mut self) -> io::Result<()>;
}

impl Store for File {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.write_all(bytes)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.sync_data()
    }
}
