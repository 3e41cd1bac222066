//! Files: who may read them, who may write them at the same time, and when they are on the disk.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Seek, SeekFrom};
use std::path::Path;

use super::native::files as native;

/// Makes a new file that only its owner may read and write, where the system knows such files.
///
/// # Errors
/// If there is one of this name already, or it cannot be made.
pub fn create_new_private(path: &Path) -> io::Result<File> {
    native::private(OpenOptions::new().write(true).create_new(true)).open(path)
}

/// Makes a file that only its owner may read and write, or empties the one that is there.
///
/// # Errors
/// If it cannot be made.
pub fn create_private(path: &Path) -> io::Result<File> {
    native::private(OpenOptions::new().write(true).create(true).truncate(true)).open(path)
}

/// Opens a file to append to it; a new one is only its owner's.
///
/// # Errors
/// If it cannot be opened.
pub fn append_private(path: &Path) -> io::Result<File> {
    native::private(OpenOptions::new().append(true).create(true)).open(path)
}

/// Makes a new file that its owner may write and everyone may read.
///
/// # Errors
/// If there is one of this name already, or it cannot be made.
pub fn create_new_public(path: &Path) -> io::Result<File> {
    native::public(OpenOptions::new().write(true).create_new(true)).open(path)
}

/// Makes a new file that only its owner may read, and that nobody else can [`open_alone`] while it is open.
/// What is written goes to its end.
///
/// # Errors
/// If there is one of this name already, or it cannot be made.
pub fn create_alone(path: &Path) -> io::Result<File> {
    alone(native::private(native::alone(OpenOptions::new().create_new(true))).open(path)?)
}

/// Opens a file for reading and for writing at its end, and keeps everybody else from doing the same until it is
/// closed. Others may read it meanwhile. Where the file system knows no locks there is none.
///
/// # Errors
/// [`io::ErrorKind::ResourceBusy`] if another process has opened it like this; others if it cannot be opened.
pub fn open_alone(path: &Path) -> io::Result<File> {
    let opened = native::alone(&mut OpenOptions::new()).open(path);
    alone(opened.map_err(|error| if native::is_held(&error) { held() } else { error })?)
}

/// The lock goes with the process, however that ends.
fn alone(file: File) -> io::Result<File> {
    if !native::LOCKS {
        return Ok(file);
    }
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(held()),
        Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => Ok(file),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

fn held() -> io::Error {
    io::Error::new(io::ErrorKind::ResourceBusy, "a host that is still running writes to it")
}

/// Cuts a file that was opened with [`open_alone`] off after so many bytes and makes sure of it. What is written next
/// goes to its new end.
///
/// # Errors
/// If the file cannot be cut.
pub fn cut(file: &File, length: u64) -> io::Result<()> {
    file.set_len(length)?;
    file.sync_all()?;
    to_end(file)
}

/// What is written next to a file that was opened with [`open_alone`] goes to its end, whatever of it was read.
///
/// # Errors
/// If the system does not allow it.
pub fn to_end(mut file: &File) -> io::Result<()> {
    file.seek(SeekFrom::End(0)).map(drop)
}

/// Makes sure that the names in a folder are on the disk, where the system does not do so by itself.
///
/// # Errors
/// If the system cannot.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    native::sync_folder(folder)
}

/// Puts a file into the place of another one in the same folder at once: whoever opens the name finds the one or the
/// other, whole.
///
/// # Errors
/// If the system does not allow it. On Windows the old file must not be open in a program that keeps others off it.
pub fn replace(new: &Path, old: &Path) -> io::Result<()> {
    fs::rename(new, old)
}
