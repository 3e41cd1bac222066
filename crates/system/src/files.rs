//! Files: who may read them, who may write them at the same time, and when they are on the disk.

use std::ffi::OsString;
use std::fs::{self, File, Metadata, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use super::native::files as native;

/// How long a lock is waited for that another process has. A host that was killed while it started a program leaves its
/// open files to that program until it runs, a few milliseconds on a machine that is not very busy.
const STARTING: Duration = Duration::from_secs(1);

/// How long it takes until a lock is tried again.
const AGAIN: Duration = Duration::from_millis(5);

/// Makes a new file that only its owner may read and write, where the system knows such files.
pub fn create_new_private(path: &Path) -> io::Result<File> {
    native::private(OpenOptions::new().write(true).create_new(true)).open(path)
}

/// The most bytes of a file that is read as a whole: 64 MiB. No file that people write is as long.
const WHOLE: u64 = 64 << 20;

/// Opens a file that somebody named, to read it. A link is followed. Only a regular file is opened: a pipe would be waited
/// for, and a device may act when it is opened, and never end.
///
/// # Errors
/// [`io::ErrorKind::InvalidInput`] if it is a folder or no regular file; others if it cannot be opened.
pub fn open(path: &Path) -> io::Result<File> {
    // Looked at before, because opening can act; and after, because the name may lead to another file by then.
    regular(&fs::metadata(path)?)?;
    let file = native::without_waiting(OpenOptions::new().read(true)).open(path)?;
    regular(&file.metadata()?)?;
    Ok(file)
}

/// Reads a whole file that somebody named, as [`open`] opens it.
///
/// # Errors
/// As [`open`]; [`io::ErrorKind::FileTooLarge`] if it has more than 64 MiB.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.take(WHOLE + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > WHOLE {
        let what = format!("it is longer than {} MiB, as no file of this kind is", WHOLE >> 20);
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, what));
    }
    Ok(bytes)
}

fn regular(about: &Metadata) -> io::Result<()> {
    let what = match native::kind(&about.file_type()) {
        _ if about.is_file() => return Ok(()),
        _ if about.is_dir() => "it is a folder: name a file in it".to_string(),
        kind => {
            format!("it is no regular file but {kind}: save what comes out of it in a file, and name that")
        }
    };
    Err(io::Error::new(io::ErrorKind::InvalidInput, what))
}

/// Opens a file beside another one that is open, to append to it, or makes it, for its owner alone. What is there already is
/// only taken if it is this owner's and nothing but itself: no link, and no second name of another file.
///
/// # Errors
/// [`io::ErrorKind::AlreadyExists`] if something else is there; others if it cannot be opened or made.
pub fn append_beside(path: &Path, beside: &File) -> io::Result<File> {
    let other = || {
        let what = format!("{} is no regular file of the owner of the journal", path.display());
        io::Error::new(io::ErrorKind::AlreadyExists, what)
    };
    match fs::symlink_metadata(path) {
        Ok(about) if !about.is_file() => return Err(other()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return native::private(OpenOptions::new().read(true).append(true).create_new(true)).open(path);
        }
        _ => {}
    }
    let file = native::without_waiting(OpenOptions::new().read(true).append(true)).open(path)?;
    let (about, journal) = (file.metadata()?, beside.metadata()?);
    let is_itself = about.is_file() && native::is_same_file(&about, &fs::symlink_metadata(path)?);
    if is_itself && native::is_only_name_and_of_owner(&about, &journal) { Ok(file) } else { Err(other()) }
}

/// Who may read a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Readers {
    /// Its owner alone.
    Owner,
    /// Everyone who may enter the folder.
    Everyone,
}

/// Writes a file completely or not at all: under another name in the same folder, which then takes its place. A link that
/// is there is not written through.
///
/// # Errors
/// [`io::ErrorKind::AlreadyExists`] if there is a link or no regular file in its place; others if it cannot be written.
pub fn write_anew(path: &Path, content: &[u8], readers: Readers) -> io::Result<()> {
    write_anew_with(path, readers, |file| file.write_all(content))
}

/// As [`write_anew`], with a function that writes what is in it.
fn write_anew_with(
    path: &Path,
    readers: Readers,
    write: impl FnOnce(&mut File) -> io::Result<()>,
) -> io::Result<()> {
    if fs::symlink_metadata(path).is_ok_and(|about| !about.is_file()) {
        let what = format!("{} is a link or no file: remove it, it is not written through", path.display());
        return Err(io::Error::new(io::ErrorKind::AlreadyExists, what));
    }
    let mut beside = OsString::from(".");
    beside.push(path.file_name().ok_or(io::ErrorKind::InvalidInput)?);
    beside.push(format!(".{}.new", std::process::id()));
    let beside = path.with_file_name(beside);
    // One that is left from a process that died.
    let _ = fs::remove_file(&beside);
    let created = match readers {
        Readers::Owner => create_new_private(&beside),
        Readers::Everyone => create_new_public(&beside),
    };
    let written = created
        .and_then(|mut file| write(&mut file).and_then(|()| file.sync_all()))
        .and_then(|()| replace(&beside, path));
    if written.is_err() {
        // What is only half there is of no use; the error is told either way.
        let _ = fs::remove_file(&beside);
    }
    written
}

/// Makes a new file that its owner may write and everyone may read.
pub fn create_new_public(path: &Path) -> io::Result<File> {
    native::public(OpenOptions::new().write(true).create_new(true)).open(path)
}

/// Makes a new file that only its owner may read, and that nobody else can [`open_alone`] while it is open.
/// What is written goes to its end.
pub fn create_alone(path: &Path) -> io::Result<File> {
    alone(native::private(native::alone(OpenOptions::new().create_new(true))).open(path)?)
}

/// Opens a file for reading and for writing at its end, and keeps everybody else from doing the same until it is
/// closed. Others may read it meanwhile. Where the file system knows no locks there is none.
///
/// # Errors
/// As [`open`]; [`io::ErrorKind::ResourceBusy`] if another process has opened it like this, and still has after a second;
/// others if it cannot be opened.
pub fn open_alone(path: &Path) -> io::Result<File> {
    open_alone_within(path, STARTING)
}

fn open_alone_within(path: &Path, patience: Duration) -> io::Result<File> {
    regular(&fs::metadata(path)?)?;
    let began = Instant::now();
    loop {
        let opened = native::without_waiting(native::alone(&mut OpenOptions::new())).open(path);
        let opened = opened.map_err(|error| if native::is_held(&error) { held() } else { error });
        match opened.and_then(alone) {
            Err(error) if error.kind() == io::ErrorKind::ResourceBusy && began.elapsed() < patience => {
                thread::sleep(AGAIN);
            }
            tried => return tried,
        }
    }
}

/// The lock goes with the process, however that ends, and with what it was just starting.
fn alone(file: File) -> io::Result<File> {
    regular(&file.metadata()?)?;
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
pub fn cut(file: &File, length: u64) -> io::Result<()> {
    file.set_len(length)?;
    file.sync_all()?;
    to_end(file)
}

/// What is written next to a file that was opened with [`open_alone`] goes to its end, whatever of it was read.
pub fn to_end(mut file: &File) -> io::Result<()> {
    file.seek(SeekFrom::End(0)).map(drop)
}

/// Makes sure that the name of a file is on the disk, and those of the folders it is in: any of them may be new. Where
/// the system does so by itself, nothing is done.
pub fn sync_names(file: &Path) -> io::Result<()> {
    let folder = folder_of(file);
    native::sync_folder(folder)?;
    for above in fs::canonicalize(folder)?.ancestors().skip(1) {
        match native::sync_folder(above) {
            // A folder that we may not look into or that is of another kind of file system was there before us.
            Err(error) if !is_not_ours(&error) => return Err(error),
            _ => {}
        }
    }
    Ok(())
}

fn is_not_ours(error: &io::Error) -> bool {
    use io::ErrorKind::{InvalidInput, PermissionDenied, ReadOnlyFilesystem, Unsupported};
    matches!(error.kind(), InvalidInput | PermissionDenied | ReadOnlyFilesystem | Unsupported)
}

/// The folder a file is in.
pub fn folder_of(file: &Path) -> &Path {
    match file.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

/// Reads a text that people edit, whatever their editor makes of it: a byte order mark is left out, each line ends
/// with a line feed alone, and UTF-16 with its mark is understood beside UTF-8.
///
/// # Errors
/// As [`read`]; [`io::ErrorKind::InvalidData`] if the file is no text.
pub fn read_text(path: &Path) -> io::Result<String> {
    text_of(read(path)?)
}

fn text_of(bytes: Vec<u8>) -> io::Result<String> {
    let no_text = || {
        let what = "it is no text in UTF-8: have the editor save it as UTF-8";
        io::Error::new(io::ErrorKind::InvalidData, what)
    };
    let units = |rest: &[u8], unit: fn([u8; 2]) -> u16| -> io::Result<String> {
        let (pairs, odd) = rest.as_chunks::<2>();
        let units: Vec<u16> = pairs.iter().map(|pair| unit(*pair)).collect();
        String::from_utf16(&units).ok().filter(|_| odd.is_empty()).ok_or_else(no_text)
    };
    let text = match bytes.as_slice() {
        [0xFF, 0xFE, rest @ ..] => units(rest, u16::from_le_bytes)?,
        [0xFE, 0xFF, rest @ ..] => units(rest, u16::from_be_bytes)?,
        [0xEF, 0xBB, 0xBF, rest @ ..] => String::from_utf8(rest.to_vec()).map_err(|_| no_text())?,
        _ => String::from_utf8(bytes).map_err(|_| no_text())?,
    };
    Ok(if text.contains('\r') { text.replace("\r\n", "\n") } else { text })
}

/// Puts a file into the place of another one in the same folder at once: whoever opens the name finds the one or the
/// other, whole.
///
/// # Errors
/// If the system does not allow it. On Windows the old file must not be open in a program that keeps others off it.
pub fn replace(new: &Path, old: &Path) -> io::Result<()> {
    fs::rename(new, old)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_every_editor_are_the_same_text() {
        let wanted = "für\n[1]\n";
        let mut utf16 = vec![0xFF, 0xFE];
        utf16.extend("für\r\n[1]\r\n".encode_utf16().flat_map(u16::to_le_bytes));
        let mut big = vec![0xFE, 0xFF];
        big.extend(wanted.encode_utf16().flat_map(u16::to_be_bytes));
        for bytes in [wanted.into(), "\u{feff}für\r\n[1]\r\n".into(), utf16.clone(), big] {
            assert_eq!(text_of(bytes).unwrap(), wanted);
        }
        utf16.push(0);
        for bytes in [utf16, vec![b'f', 0xFC, b'r']] {
            assert!(text_of(bytes).unwrap_err().to_string().contains("UTF-8"));
        }
    }

    #[test]
    fn who_opens_a_file_alone_keeps_others_off_and_writes_at_its_end() {
        use std::io::Write;
        let path = std::env::temp_dir().join(format!("casino-alone-{}", std::process::id()));
        let mut first = create_alone(&path).unwrap();
        first.write_all(b"one\ntwo").unwrap();
        let busy = open_alone_within(&path, Duration::ZERO).unwrap_err();
        assert_eq!(busy.kind(), io::ErrorKind::ResourceBusy);
        assert_eq!(fs::read(&path).unwrap(), b"one\ntwo", "others may read it");
        drop(first);
        assert_eq!(create_alone(&path).unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        let mut again = open_alone(&path).unwrap();
        cut(&again, 4).unwrap();
        again.write_all(b"2\n").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"one\n2\n");
        drop(again);
        fs::remove_file(&path).unwrap();
    }
    #[test]
    fn a_file_that_somebody_else_is_about_to_close_is_waited_for() {
        let path = std::env::temp_dir().join(format!("casino-alone-soon-{}", std::process::id()));
        let first = create_alone(&path).unwrap();
        assert!(open_alone_within(&path, Duration::from_millis(1)).is_err());
        // Its descriptor is shared with a program that has not begun to run, whoever made it is dead.
        let shared = first.try_clone().unwrap();
        drop(first);
        assert!(open_alone_within(&path, Duration::from_millis(1)).is_err());
        let other = thread::spawn(move || {
            thread::sleep(4 * AGAIN);
            drop(shared);
        });
        open_alone_within(&path, Duration::from_secs(60)).unwrap();
        other.join().unwrap();
        fs::remove_file(&path).unwrap();
    }
}
