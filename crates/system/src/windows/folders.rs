//! Folders on Windows.

use std::fs::{self, Metadata};
use std::io;
use std::path::Path;

pub(crate) fn create_passable(path: &Path) -> io::Result<()> {
    fs::create_dir(path)
}

pub(crate) fn create_private(path: &Path) -> io::Result<()> {
    fs::create_dir_all(path)
}

pub(crate) fn create_new_private(path: &Path) -> io::Result<()> {
    fs::create_dir(path)
}

pub(crate) fn is_own(_: &Metadata) -> bool {
    true
}

pub(crate) fn size_on_disk(about: &Metadata) -> u64 {
    about.len()
}

pub(crate) fn runs(_: u32) -> Option<bool> {
    None
}
