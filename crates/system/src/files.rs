//! Files: permissions, exclusive writing and durability.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Metadata, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

use super::foreign_files;
use super::native::files as native;

/// How long to wait for a lock of another process. A host that was killed while it started a program leaves its open
/// files to that program until it runs, a few milliseconds on a machine that is not very busy.
const LOCK_TIMEOUT: Duration = Duration::from_secs(1);

const LOCK_RETRY_PAUSE: Duration = Duration::from_millis(5);

/// Makes a new file that only its owner may read and write, where the system knows such files.
pub fn create_new_private(path: &Path) -> io::Result<File> {
    native::private(OpenOptions::new().write(true).create_new(true)).open(path)
}

/// The most bytes of a file that is read as a whole: 64 MiB. No file that people write is as long.
const MAX_WHOLE_FILE_BYTES: u64 = 64 << 20;

/// Opens a file named by the user for reading. A link is followed. Only a regular file is opened: a pipe would block,
/// and a device may act when it is opened, and never end.
pub fn open(path: &Path) -> io::Result<File> {
    // Checked before, because opening can act; and after, because the name may lead to another file by then.
    regular(&fs::metadata(path)?)?;
    let file = native::without_waiting(OpenOptions::new().read(true)).open(path)?;
    regular(&file.metadata()?)?;
    Ok(file)
}

/// Reads a whole file named by the user, as [`open`] opens it.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.take(MAX_WHOLE_FILE_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_WHOLE_FILE_BYTES {
        let what =
            format!("it is longer than {} MiB, as no file of this kind is", MAX_WHOLE_FILE_BYTES >> 20);
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, what));
    }
    Ok(bytes)
}

fn regular(about: &Metadata) -> io::Result<()> {
    let what = match native::kind(&about.file_type()) {
        _ if about.is_file() => return Ok(()),
        _ if about.is_dir() => "it is a folder: name a file in it".to_string(),
        kind => {
            format!("it is not a regular file but {kind}: save its contents in a file, and name that")
        }
    };
    Err(io::Error::new(io::ErrorKind::InvalidInput, what))
}

/// Opens a file beside another open one to append to it, or creates it, for its owner alone. An existing file is only
/// accepted if it has the same owner and no other name: no link, and no second name of another file.
pub fn append_beside(path: &Path, beside: &File) -> io::Result<File> {
    let beside = beside.metadata()?;
    append_if(path, |about| native::is_only_name_and_of_owner(about, &beside))
}

/// The same for a file of this process' user.
pub fn append_own(path: &Path) -> io::Result<File> {
    append_if(path, |about| super::folders::is_own(about) && native::is_only_name_and_of_owner(about, about))
}

fn append_if(path: &Path, is_accepted: impl Fn(&fs::Metadata) -> bool) -> io::Result<File> {
    let other = || {
        let what = format!("{} is no regular file of its owner: it is not written through", path.display());
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
    let about = file.metadata()?;
    let is_itself = about.is_file() && native::is_same_file(&about, &fs::symlink_metadata(path)?);
    if is_itself && is_accepted(&about) { Ok(file) } else { Err(other()) }
}

/// The readers of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Readers {
    /// Its owner alone.
    Owner,
    /// Everyone who may enter the folder.
    Everyone,
}

/// How far into an existing file its mark is searched.
const MARK_BYTES: u64 = 4 << 10;

/// Checks that a command may write its output to this path. A file that is there is only replaced if it is empty or an
/// earlier output, which has one of these `marks` near its beginning, if no other argument of the command leads to it,
/// and if it has no other name.
pub fn check_output(path: &Path, marks: &[&str]) -> io::Result<()> {
    check_replaced(path, marks)?;
    let trial = hidden_beside(path)?;
    create_new_private(&trial)?;
    fs::remove_file(&trial)
}

/// Checks the file that an output replaces, if there is one; see [`check_output`].
fn check_replaced(path: &Path, marks: &[&str]) -> io::Result<()> {
    let refused = |why: &str| Err(io::Error::new(io::ErrorKind::AlreadyExists, why));
    let Ok(about) = fs::symlink_metadata(path) else { return Ok(()) };
    if !about.is_file() {
        return refused("it is a link or no file: remove it, it is not written through");
    }
    if about.len() == 0 {
        return Ok(());
    }
    let mut start = Vec::new();
    open(path)?.take(MARK_BYTES).read_to_end(&mut start)?;
    let start = String::from_utf8_lossy(&start);
    if is_other_argument(path)? {
        return refused("this command reads it: name another file");
    }
    if foreign_files::has_other_names(&about) || !marks.iter().any(|mark| start.contains(mark)) {
        let why =
            "it is there already, and no earlier output of this command: name another file, or remove it";
        return refused(why);
    }
    Ok(())
}

/// The arguments of the command, among which are the files that it reads.
static ARGUMENTS: OnceLock<Vec<OsString>> = OnceLock::new();

/// Protects the files that this command reads: no output replaces a file that another argument, or its part after `=`, names,
/// too. Only the first call counts.
pub fn protect_inputs(arguments: impl Iterator<Item = OsString>) {
    ARGUMENTS.get_or_init(|| arguments.collect());
}

/// Whether two arguments of the command, or their parts after `=`, lead to this file.
fn is_other_argument(path: &Path) -> io::Result<bool> {
    let path = fs::canonicalize(path)?;
    let leads_here = |file: &OsStr| fs::canonicalize(file).is_ok_and(|file| file == path);
    let named = ARGUMENTS.get().into_iter().flatten().filter(|argument| {
        let text = argument.to_string_lossy();
        leads_here(argument) || text.split_once('=').is_some_and(|(_, value)| leads_here(value.as_ref()))
    });
    Ok(named.count() > 1)
}

/// Writes the output of a command atomically, where [`check_output`] allows it. Everyone may read it.
pub fn write_output(path: &Path, content: &[u8], marks: &[&str]) -> io::Result<()> {
    check_replaced(path, marks)?;
    write_atomically(path, content, Readers::Everyone)
}

/// Writes a file of the program's own atomically: under another name in the same folder, which then replaces it. A link
/// is not replaced.
pub fn write_atomically(path: &Path, content: &[u8], readers: Readers) -> io::Result<()> {
    if fs::symlink_metadata(path).is_ok_and(|about| !about.is_file()) {
        let what = format!("{} is a link or no file: remove it, it is not written through", path.display());
        return Err(io::Error::new(io::ErrorKind::AlreadyExists, what));
    }
    let beside = hidden_beside(path)?;
    let created = match readers {
        Readers::Owner => create_new_private(&beside),
        Readers::Everyone => create_new_public(&beside),
    };
    let written = created
        .and_then(|mut file| file.write_all(content).and_then(|()| file.sync_all()))
        .and_then(|()| fs::rename(&beside, path));
    if written.is_err() {
        // A half-written file is useless; the first error is returned either way.
        let _ = fs::remove_file(&beside);
    }
    written
}

/// The hidden name of this process for a new file in the same folder. One that is left from a process that died is removed.
fn hidden_beside(path: &Path) -> io::Result<PathBuf> {
    let mut name = OsString::from(".");
    name.push(path.file_name().ok_or(io::ErrorKind::InvalidInput)?);
    name.push(format!(".{}.new", std::process::id()));
    let beside = path.with_file_name(name);
    let _ = fs::remove_file(&beside);
    Ok(beside)
}

/// Makes a new file that its owner may write and everyone may read.
pub fn create_new_public(path: &Path) -> io::Result<File> {
    native::public(OpenOptions::new().write(true).create_new(true)).open(path)
}

/// Creates a file that only its owner may read, and that no other process can [`open_locked`] while it is open. Writes
/// go to its end.
pub fn create_locked(path: &Path) -> io::Result<File> {
    locked(native::private(native::exclusive(OpenOptions::new().create_new(true))).open(path)?)
}

/// Opens a file for reading and appending, and locks it against other writers until it is closed. It can still be read.
/// On a file system without locks there is no lock.
pub fn open_locked(path: &Path) -> io::Result<File> {
    open_locked_within(path, LOCK_TIMEOUT)
}

fn open_locked_within(path: &Path, patience: Duration) -> io::Result<File> {
    regular(&fs::metadata(path)?)?;
    let began = Instant::now();
    loop {
        let opened = native::without_waiting(native::exclusive(&mut OpenOptions::new())).open(path);
        let opened = opened.map_err(|error| if native::is_held(&error) { held() } else { error });
        match opened.and_then(locked) {
            Err(error) if error.kind() == io::ErrorKind::ResourceBusy && began.elapsed() < patience => {
                thread::sleep(LOCK_RETRY_PAUSE);
            }
            tried => return tried,
        }
    }
}

/// The lock ends with the process, even after a crash, and with the children it was just starting.
fn locked(file: File) -> io::Result<File> {
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

/// Truncates a file that was opened with [`open_locked`] to this length and syncs it. The next write goes to its new
/// end.
pub fn cut(file: &File, length: u64) -> io::Result<()> {
    file.set_len(length)?;
    file.sync_all()?;
    to_end(file)
}

/// Moves to the end of a file that was opened with [`open_locked`], for the next write.
pub fn to_end(mut file: &File) -> io::Result<()> {
    file.seek(SeekFrom::End(0)).map(drop)
}

/// Syncs the directory entry of a file and those of its folders, any of which may be new. Does nothing where the system
/// does that on its own.
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

/// Reads an edited text file: removes a byte order mark, converts line endings to line feeds, and accepts UTF-16 with a
/// mark as well as UTF-8.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_appended_through_a_link() {
        let folder = std::env::temp_dir().join(format!("casino-append-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let at = |name: &str| folder.join(name);
        fs::write(at("target"), "theirs").unwrap();
        foreign_files::link(&at("target"), &at("link")).unwrap();
        assert_eq!(append_own(&at("link")).unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        for _ in 0..2 {
            io::Write::write_all(&mut append_own(&at("own")).unwrap(), b"x").unwrap();
        }
        let contents = ["target", "own"].map(|name| fs::read_to_string(at(name)).unwrap());
        assert_eq!(contents, ["theirs", "xx"]);
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn outputs_replace_earlier_outputs_only() {
        let folder = std::env::temp_dir().join(format!("casino-output-{}", std::process::id()));
        fs::create_dir_all(folder.join("a folder")).unwrap();
        let at = |name: &str| folder.join(name);
        for (name, content) in
            [("earlier", "<mark> old"), ("empty", ""), ("theirs", "mine"), ("twice", "<mark>")]
        {
            fs::write(at(name), content).unwrap();
        }
        fs::hard_link(at("twice"), at("other name")).unwrap();
        foreign_files::link(&at("earlier"), &at("link")).unwrap();
        let writes = |name: &str| write_output(&at(name), b"<mark> new", &["<other>", "<mark>"]).is_ok();
        let written: Vec<&str> =
            ["new", "earlier", "empty", "theirs", "twice", "link", "a folder", "no/folder"]
                .into_iter()
                .filter(|name| writes(name))
                .collect();
        let expected: &[&str] =
            if cfg!(windows) { &["new", "earlier", "empty", "twice"] } else { &["new", "earlier", "empty"] };
        assert_eq!(written, expected);
        assert_eq!(fs::read(at("theirs")).unwrap(), b"mine");
        assert_eq!(fs::read(at("earlier")).unwrap(), b"<mark> new");
        let is_hidden =
            |file: io::Result<fs::DirEntry>| file.unwrap().file_name().to_string_lossy().starts_with('.');
        assert!(!fs::read_dir(&folder).unwrap().any(is_hidden));
        fs::remove_dir_all(&folder).unwrap();
    }

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
    fn a_locked_file_excludes_others_and_appends() {
        use std::io::Write;
        let path = std::env::temp_dir().join(format!("casino-alone-{}", std::process::id()));
        let mut first = create_locked(&path).unwrap();
        first.write_all(b"one\ntwo").unwrap();
        let busy = open_locked_within(&path, Duration::ZERO).unwrap_err();
        assert_eq!(busy.kind(), io::ErrorKind::ResourceBusy);
        assert_eq!(fs::read(&path).unwrap(), b"one\ntwo", "others may read it");
        drop(first);
        assert_eq!(create_locked(&path).unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        let mut again = open_locked(&path).unwrap();
        cut(&again, 4).unwrap();
        again.write_all(b"2\n").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"one\n2\n");
        drop(again);
        fs::remove_file(&path).unwrap();
    }
    #[test]
    fn open_locked_waits_for_a_lock_about_to_end() {
        let path = std::env::temp_dir().join(format!("casino-alone-soon-{}", std::process::id()));
        let first = create_locked(&path).unwrap();
        assert!(open_locked_within(&path, Duration::from_millis(1)).is_err());
        // A child process that has not begun to run shares the descriptor, even if its parent is dead.
        let shared = first.try_clone().unwrap();
        drop(first);
        assert!(open_locked_within(&path, Duration::from_millis(1)).is_err());
        let other = thread::spawn(move || {
            thread::sleep(4 * LOCK_RETRY_PAUSE);
            drop(shared);
        });
        open_locked_within(&path, Duration::from_secs(60)).unwrap();
        other.join().unwrap();
        fs::remove_file(&path).unwrap();
    }
}
