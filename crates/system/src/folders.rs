//! Private folders, and the size of their files.

use std::fs::Metadata;
use std::io;
use std::path::Path;

use super::native::folders as native;

/// Makes a folder that others may pass through and not list. On Windows it has the rights of the folder it is in.
pub fn create_passable(path: &Path) -> io::Result<()> {
    native::create_passable(path)
}

/// Creates a folder and its parents, accessible to this user only; an existing one stays unchanged. On Windows it has
/// the rights of the folder it is in.
pub fn create_private(path: &Path) -> io::Result<()> {
    native::create_private(path)
}

/// Creates a folder that only this user may enter; an existing one is an error. On Windows it has the rights of the folder it
/// is in.
pub fn create_new_private(path: &Path) -> io::Result<()> {
    native::create_new_private(path)
}

/// Whether a file or a folder belongs to the user of this process. Always true on Windows, where each user has a
/// separate folder for temporary files.
pub fn is_own(about: &Metadata) -> bool {
    native::is_own(about)
}

/// How many bytes of the disk a file takes; on Windows its length.
pub fn size_on_disk(about: &Metadata) -> u64 {
    native::size_on_disk(about)
}

/// Whether a process of this number runs; `None` if the system does not report it.
pub fn runs(process: u32) -> Option<bool> {
    native::runs(process)
}
