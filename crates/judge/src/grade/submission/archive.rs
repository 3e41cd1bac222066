//! Submitted archives: unpacked with limits, and no file ends up outside of the folder.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, BufReader, Read, Seek};
use std::path::{Component, Path, PathBuf};

use flate2::read::MultiGzDecoder;
use thiserror::Error;

use crate::hand_ins::archive_stem as stem;
use casino_stud::shown::short_line;
use casino_system::files;
use casino_system::foreign_files::let_all_read;

const MAX_UNPACKED_BYTES: u64 = 256 << 20;

const MAX_ENTRIES: usize = 20_000;

/// The longest name in an archive in bytes, and the deepest folder: limits that every system can write.
const MAX_NAME_BYTES: usize = 255;
const MAX_FOLDER_DEPTH: usize = 100;
const MAX_PATH_BYTES: usize = 1_024;

/// The most bytes of a long name or of the extensions of an entry of a tar.
const MAX_TAR_HEADER_BYTES: u64 = 64 << 10;

/// The kind of an archive by its first bytes, whatever its name is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Packing {
    Zip,
    Tar,
    Gzip,
    /// One that is not unpacked here, by its name.
    Other(&'static str),
}

/// Bytes that an archive of each kind begins with.
const FIRST_BYTES: [(&[u8], Packing); 7] = [
    (b"PK\x03\x04", Packing::Zip),
    (b"PK\x05\x06", Packing::Zip),
    (b"\x1f\x8b", Packing::Gzip),
    (b"Rar!", Packing::Other("RAR")),
    (b"7z\xbc\xaf\x27\x1c", Packing::Other("7z")),
    (b"\xfd7zXZ\0", Packing::Other("xz")),
    (b"BZh", Packing::Other("bzip2")),
];

/// Attributes of an entry of a zip that make it a folder.
const DOS_FOLDER: u32 = 0x10;
const UNIX_KIND: u32 = 0o170_000;
const UNIX_FOLDER: u32 = 0o040_000;

/// The place and the bytes by which a tar is known.
const TAR_MARK: (usize, &[u8]) = (257, b"ustar");

/// Why an archive cannot be unpacked.
#[derive(Debug, Error)]
pub enum ArchiveError {
    /// It is damaged, too large or of an unknown kind.
    #[error("{} {}", .0.display(), .1)]
    Unusable(PathBuf, String),
    /// This machine cannot unpack it.
    #[error("{} cannot be unpacked here: {}", .0.display(), .1)]
    Unwritable(PathBuf, #[source] io::Error),
}

/// How much more the archives of a submission may unpack, including archives inside of others.
#[derive(Debug)]
pub struct UnpackBudget {
    bytes: u64,
    entries: usize,
}

impl Default for UnpackBudget {
    fn default() -> UnpackBudget {
        UnpackBudget { bytes: MAX_UNPACKED_BYTES, entries: MAX_ENTRIES }
    }
}

/// Unpacks an archive of a submission into an empty folder. After an error the files unpacked so far stay.
pub fn unpack(archive: &Path, into: &Path, budget: &mut UnpackBudget) -> Result<(), ArchiveError> {
    let file = archive.to_path_buf();
    let unreadable = |error: io::Error| ArchiveError::Unwritable(file.clone(), error);
    // A file that shows no kind is read as a zip, which names the damage.
    let packing = packing_of(archive).map_err(unreadable)?.unwrap_or(Packing::Zip);
    let open = || files::open(archive).map(BufReader::new).map_err(unreadable);
    let source = open()?;
    let mut unpacking = Unpacking { archive, into, budget };
    match packing {
        Packing::Zip => unpacking.zip(source),
        Packing::Tar => unpacking.check_tar(source).and_then(|()| unpacking.tar(open()?)),
        Packing::Gzip => match packed_alone(archive).map_err(unreadable)? {
            Some(name) => unpacking.entry(&name, false, false, &mut MultiGzDecoder::new(source)),
            None => {
                unpacking.check_tar(MultiGzDecoder::new(source))?;
                unpacking.tar(MultiGzDecoder::new(open()?))
            }
        },
        Packing::Other(kind) => {
            let why = format!("is a {kind} archive, which is not unpacked here: hand in a zip or a tar.gz");
            Err(ArchiveError::Unusable(file, why))
        }
    }
}

/// Whether a file is an archive by its name or its content.
pub(super) fn is_archive(path: &Path) -> bool {
    let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
    path.is_file() && (stem(name).is_some() || packing_of(path).is_ok_and(|packing| packing.is_some()))
}

/// The kind of an archive by its content.
fn packing_of(archive: &Path) -> io::Result<Option<Packing>> {
    let begin = begin_of(files::open(archive)?)?;
    let is_tar = has_tar_mark(&begin);
    let known = FIRST_BYTES.iter().find(|(bytes, _)| begin.starts_with(bytes)).map(|(_, packing)| *packing);
    let is_old_tar =
        known.is_none() && archive.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("tar"));
    Ok(if is_tar || is_old_tar { Some(Packing::Tar) } else { known })
}

fn begin_of(source: impl Read) -> io::Result<Vec<u8>> {
    let mut begin = Vec::new();
    source.take(512).read_to_end(&mut begin).map(|_| begin)
}

fn has_tar_mark(begin: &[u8]) -> bool {
    let (at, mark) = TAR_MARK;
    begin.get(at..).is_some_and(|rest| rest.starts_with(mark))
}

/// The name of the only file that gzip has packed, as in `Poker.java.gz`; `None` for a tar.
pub(super) fn packed_alone(archive: &Path) -> io::Result<Option<PathBuf>> {
    let name = archive.file_name().and_then(OsStr::to_str).unwrap_or_default();
    let plain = name.strip_suffix(".gz").filter(|plain| stem(name).is_none() && !plain.is_empty());
    let Some(plain) = plain else { return Ok(None) };
    let begin = begin_of(MultiGzDecoder::new(files::open(archive)?))?;
    Ok((!has_tar_mark(&begin)).then(|| PathBuf::from(plain)))
}

struct Unpacking<'a> {
    archive: &'a Path,
    into: &'a Path,
    budget: &'a mut UnpackBudget,
}

impl Unpacking<'_> {
    fn zip(&mut self, source: impl Read + Seek) -> Result<(), ArchiveError> {
        let mut zip = zip::ZipArchive::new(source).map_err(|error| self.damaged(&error))?;
        for number in 0..zip.len() {
            let mut entry = zip.by_index(number).map_err(|error| self.damaged(&error))?;
            let name = entry.name().map_err(|error| self.damaged(&error))?.replace('\\', "/");
            // Links are left out: nothing may lead out of the folder.
            if entry.is_symlink() {
                continue;
            }
            let runs = entry.unix_mode().is_some_and(|mode| mode & 0o111 != 0);
            // Some archivers write no slash behind a folder's name: then its attributes of MS-DOS or Unix show what it is.
            let is_folder = entry.is_dir()
                || entry.external_attributes() & DOS_FOLDER != 0
                || entry.unix_mode().is_some_and(|mode| mode & UNIX_KIND == UNIX_FOLDER);
            self.entry(Path::new(&name), is_folder, runs, &mut entry)?;
        }
        Ok(())
    }

    /// Checks the sizes in a tar before anything of it is kept in memory: its long names are read as a whole.
    fn check_tar(&self, source: impl Read) -> Result<(), ArchiveError> {
        let mut tar = tar::Archive::new(source);
        let entries = tar.entries().map_err(|error| self.damaged(&error))?;
        let (mut bytes, mut count) = (0u64, 0);
        for entry in entries.raw(true) {
            let entry = entry.map_err(|error| self.damaged(&error))?;
            let (kind, size) = (entry.header().entry_type(), entry.size());
            let is_name = kind.is_gnu_longname() || kind.is_gnu_longlink();
            let is_pax = kind.is_pax_local_extensions() || kind.is_pax_global_extensions();
            if (is_name || is_pax) && size > MAX_TAR_HEADER_BYTES {
                return Err(
                    self.damaged(&format!("a header in it has more than {MAX_TAR_HEADER_BYTES} bytes"))
                );
            }
            if kind.is_gnu_sparse() {
                return Err(self.damaged(&"it holds a sparse file: make it again without the option -S"));
            }
            (bytes, count) = (bytes.saturating_add(size), count + 1);
            if bytes > self.budget.bytes || count > 3 * self.budget.entries {
                return Err(self.too_large());
            }
        }
        Ok(())
    }

    fn tar(&mut self, source: impl Read) -> Result<(), ArchiveError> {
        let mut tar = tar::Archive::new(source);
        let entries = tar.entries().map_err(|error| self.damaged(&error))?;
        for entry in entries {
            let mut entry = entry.map_err(|error| self.damaged(&error))?;
            let kind = entry.header().entry_type();
            let runs = entry.header().mode().is_ok_and(|mode| mode & 0o111 != 0);
            let path = entry.path().map_err(|error| self.damaged(&error))?.into_owned();
            // Links, pipes and devices are left out.
            if kind.is_dir() || kind.is_file() || kind == tar::EntryType::Continuous {
                self.entry(&path, kind.is_dir(), runs, &mut entry)?;
            }
        }
        Ok(())
    }

    fn entry(
        &mut self,
        path: &Path,
        is_folder: bool,
        runs: bool,
        content: &mut dyn Read,
    ) -> Result<(), ArchiveError> {
        self.budget.entries = self.budget.entries.checked_sub(1).ok_or_else(|| self.too_large())?;
        let Some(inside) = inside(path) else {
            let why =
                format!("it names a path outside of itself, {}", path.display().to_string().escape_debug());
            return Err(self.damaged(&why));
        };
        let long = inside.components().find(|part| part.as_os_str().len() > MAX_NAME_BYTES);
        if let Some(name) = long {
            let name = short_line(&name.as_os_str().to_string_lossy()).into_owned();
            return Err(self.damaged(&format!("a name in it has more than {MAX_NAME_BYTES} bytes: {name}")));
        }
        if inside.components().count() > MAX_FOLDER_DEPTH {
            return Err(self.damaged(&format!("more than {MAX_FOLDER_DEPTH} folders are in one another")));
        }
        if inside.as_os_str().len() > MAX_PATH_BYTES {
            return Err(self.damaged(&format!("a path in it has more than {MAX_PATH_BYTES} bytes")));
        }
        let target = self.into.join(&inside);
        if is_folder {
            return self.folder(&inside);
        }
        self.folder(inside.parent().unwrap_or(Path::new("")))?;
        // The same file twice: the later one counts, as with other programs.
        if target.is_dir() {
            return Err(self.damaged(&"it has a file and a folder of the same name"));
        }
        let mut file = File::create(&target).map_err(|error| self.unwritable(error))?;
        let mut buffer = vec![0; 1 << 16];
        loop {
            let read = match content.read(&mut buffer) {
                Ok(0) => break,
                Ok(read) => read,
                Err(error) => return Err(self.damaged(&error)),
            };
            // Counted while reading: the sizes stated in an archive may be false.
            self.budget.bytes = self.budget.bytes.checked_sub(read as u64).ok_or_else(|| self.too_large())?;
            io::Write::write_all(&mut file, &buffer[..read]).map_err(|error| self.unwritable(error))?;
        }
        let_all_read(&target, runs).map_err(|error| self.unwritable(error))
    }

    fn folder(&self, inside: &Path) -> Result<(), ArchiveError> {
        let mut folder = self.into.to_path_buf();
        for part in inside {
            folder.push(part);
            match fs::create_dir(&folder) {
                Ok(()) => let_all_read(&folder, true).map_err(|error| self.unwritable(error))?,
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && folder.is_dir() => {}
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    return Err(self.damaged(&"it has a file and a folder of the same name"));
                }
                Err(error) => return Err(self.unwritable(error)),
            }
        }
        Ok(())
    }

    fn damaged(&self, why: &dyn std::fmt::Display) -> ArchiveError {
        let mut why = short_line(&why.to_string()).into_owned();
        if let Some((_, method)) = why.rsplit_once("method not supported: ") {
            why =
                format!("its compression method is {method}. Make the zip again with the usual one, Deflate");
        } else if why.contains("Password required") {
            why = "it has a password. Make the zip again without one".into();
        }
        ArchiveError::Unusable(self.archive.to_path_buf(), format!("cannot be unpacked: {why}"))
    }

    fn too_large(&self) -> ArchiveError {
        let why = format!(
            "is not unpacked: with all archives in the submission it holds more than {} MiB or {MAX_ENTRIES} files. Hand in \
             the sources alone",
            MAX_UNPACKED_BYTES >> 20
        );
        ArchiveError::Unusable(self.archive.to_path_buf(), why)
    }

    fn unwritable(&self, error: io::Error) -> ArchiveError {
        ArchiveError::Unwritable(self.archive.to_path_buf(), error)
    }
}

/// A path of an archive as one in its folder, without a root or a drive; `None` if it leads out of it.
fn inside(path: &Path) -> Option<PathBuf> {
    let mut inside = PathBuf::new();
    for part in path.components() {
        match part {
            Component::Normal(name) if inside.as_os_str().is_empty() && is_drive(name) => {}
            Component::Normal(name) => inside.push(name),
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
            Component::ParentDir => return None,
        }
    }
    Some(inside)
}

fn is_drive(name: &OsStr) -> bool {
    matches!(name.as_encoded_bytes(), [letter, b':'] if letter.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;
    use crate::sandbox::ScratchFolder;

    fn folder() -> ScratchFolder {
        ScratchFolder::with(&[("out/in/first", "")])
    }

    fn zip_of(folder: &Path, entries: &[(&str, &[u8])]) -> PathBuf {
        let path = folder.join("x.zip");
        let mut zip = zip::ZipWriter::new(File::create(&path).unwrap());
        let options = zip::write::SimpleFileOptions::default();
        for (name, content) in entries {
            zip.start_file(*name, options).unwrap();
            zip.write_all(content).unwrap();
        }
        zip.finish().unwrap();
        path
    }

    /// A tar whose entries are written as they are: the crate would refuse the bad ones.
    fn tar_of(folder: &Path, entries: &[(&str, u8, &[u8])]) -> PathBuf {
        let path = folder.join("x.tar");
        let mut tar = tar::Builder::new(File::create(&path).unwrap());
        for (name, kind, content) in entries {
            let mut header = tar::Header::new_gnu();
            header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
            header.set_entry_type(tar::EntryType::new(*kind));
            header.set_size(content.len() as u64);
            header.set_mode(0o755);
            if *kind == b'2' {
                header.set_link_name("/etc").unwrap();
            }
            header.set_cksum();
            tar.append(&header, *content).unwrap();
        }
        tar.finish().unwrap();
        path
    }

    #[test]
    fn nothing_leaves_the_folder() {
        let folder = folder();
        let into = folder.join("out/in");
        for archive in [zip_of(&folder, &[("../evil", b"x")]), tar_of(&folder, &[("../evil", b'0', b"x")])] {
            let error = unpack(&archive, &into, &mut UnpackBudget::default()).unwrap_err().to_string();
            assert!(error.contains("outside of itself"), "{error}");
        }
        // A root and a drive are taken away, as other programs do.
        unpack(&tar_of(&folder, &[("/tmp/casino-evil", b'0', b"x")]), &into, &mut UnpackBudget::default())
            .unwrap();
        unpack(
            &zip_of(&folder, &[("C:\\Users\\ada\\Poker.java", b"x")]),
            &into,
            &mut UnpackBudget::default(),
        )
        .unwrap();
        assert!(into.join("tmp/casino-evil").is_file() && into.join("Users/ada/Poker.java").is_file());
        // A link that a later file would go through is not there.
        unpack(
            &tar_of(&folder, &[("link", b'2', b""), ("link/passwd2", b'0', b"x")]),
            &into,
            &mut UnpackBudget::default(),
        )
        .unwrap();
        assert!(into.join("link").symlink_metadata().unwrap().is_dir());
        assert!(!folder.join("out/evil").exists() && !Path::new("/tmp/casino-evil").exists());
    }

    #[test]
    fn bombs_and_invalid_archives_are_refused() {
        let folder = folder();
        let into = folder.join("out/in");
        let bomb = zip_of(&folder, &[("a", &vec![0; 1 << 20])]);
        let error = unpack(&bomb, &into, &mut UnpackBudget { bytes: 1 << 19, entries: 9 }).unwrap_err();
        assert!(error.to_string().contains("it holds more than 256 MiB"), "{error}");
        assert!(unpack(&bomb, &into, &mut UnpackBudget { bytes: 1 << 29, entries: 0 }).is_err());
        for name in ["y.zip", "y.tgz", "y.rar"] {
            fs::write(folder.join(name), "no archive").unwrap();
            assert!(unpack(&folder.join(name), &into, &mut UnpackBudget::default()).is_err(), "{name}");
        }
    }

    #[test]
    fn a_folder_of_a_zip_needs_no_slash() {
        let folder = folder();
        let path = zip_of(&folder, &[("Project01", b""), ("Project01/poker.py", b"x"), ("empty", b"")]);
        // The attributes are the last four bytes but one field of an entry of the directory.
        let mut bytes = fs::read(&path).unwrap();
        let directory: Vec<usize> =
            (0..bytes.len() - 4).filter(|at| bytes[*at..].starts_with(b"PK\x01\x02")).collect();
        for (entry, attributes) in [(0, 0o040_755 << 16), (2, DOS_FOLDER)] {
            bytes[directory[entry] + 38..directory[entry] + 42].copy_from_slice(&attributes.to_le_bytes());
        }
        fs::write(&path, bytes).unwrap();
        let into = folder.join("out/in");
        unpack(&path, &into, &mut UnpackBudget::default()).unwrap();
        assert!(into.join("Project01/poker.py").is_file() && into.join("empty").is_dir());
    }

    #[test]
    fn the_archives_of_a_submission_share_one_budget() {
        let folder = folder();
        let content = vec![0; 1 << 20];
        for archive in [zip_of(&folder, &[("a", &content)]), tar_of(&folder, &[("a", b'0', &content)])] {
            let mut budget = UnpackBudget { bytes: 3 << 19, entries: 10 };
            unpack(&archive, &folder.join("out/in"), &mut budget).unwrap();
            let error = unpack(&archive, &folder.join("out/in"), &mut budget).unwrap_err().to_string();
            assert!(error.contains("with all archives in the submission"), "{error}");
            assert_eq!(budget.entries, 9 - usize::from(archive.extension().unwrap() == "zip"));
        }
    }

    #[test]
    fn headers_of_a_tar_are_bounded_before_they_are_read() {
        let folder = folder();
        let most = MAX_TAR_HEADER_BYTES as usize;
        let (long, fits) = (vec![b'n'; most + 1], vec![0; most]);
        for (kind, content, why) in [
            (b'L', &long, Some("a header in it has more than")),
            (b'K', &long, Some("a header in it has more than")),
            (b'x', &long, Some("a header in it has more than")),
            (b'g', &long, Some("a header in it has more than")),
            (b'S', &fits, Some("sparse")),
            (b'g', &fits, None),
        ] {
            let tar = tar_of(&folder, &[("h", kind, content), ("a", b'0', b"x")]);
            let checked = unpack(&tar, &folder.join("out/in"), &mut UnpackBudget::default());
            let error = checked.err().map(|error| error.to_string());
            assert_eq!(error.is_some(), why.is_some(), "{error:?}");
            assert!(error.is_none_or(|error| error.contains(why.unwrap())), "{}", char::from(kind));
        }
    }

    #[test]
    fn the_content_of_an_archive_counts_and_not_its_name() {
        let folder = folder();
        let into = folder.join("out/in");
        let zip = zip_of(&folder, &[("a/Poker.java", b"class")]);
        let renamed = folder.join("x.tar.gz");
        fs::rename(zip, &renamed).unwrap();
        unpack(&renamed, &into, &mut UnpackBudget::default()).unwrap();
        assert!(into.join("a/Poker.java").is_file());
        for (bytes, why) in [(&b"Rar!\x1a\x07"[..], "a RAR archive"), (b"7z\xbc\xaf\x27\x1c", "a 7z archive")]
        {
            fs::write(folder.join("y.zip"), bytes).unwrap();
            let error =
                unpack(&folder.join("y.zip"), &into, &mut UnpackBudget::default()).unwrap_err().to_string();
            assert!(error.contains(why) && error.contains("hand in a zip"), "{error}");
        }
        let unpacking = Unpacking { archive: &renamed, into: &into, budget: &mut UnpackBudget::default() };
        assert!(unpacking.damaged(&"Password required to decrypt file").to_string().contains("without one"));
    }

    #[test]
    fn the_name_of_an_archive_is_that_of_the_submission() {
        assert_eq!(stem("ada.tar.gz"), Some("ada"));
        assert_eq!(stem("Ada L.ZIP"), Some("Ada L"));
        assert_eq!((stem("poker.py"), stem(".zip"), stem("tar")), (None, None, None));
    }

    #[test]
    fn unwritable_names_are_the_archives_fault() {
        let folder = folder();
        let into = folder.join("out/in");
        let (name, deep) = ("n".repeat(5_000), "d/".repeat(3_000) + "x");
        for (path, why) in
            [(&name, "a name in it has more than 255 bytes: nnn"), (&deep, "more than 100 folders")]
        {
            let error =
                unpack(&zip_of(&folder, &[(path, b"x")]), &into, &mut UnpackBudget::default()).unwrap_err();
            assert!(matches!(error, ArchiveError::Unusable(..)), "{error}");
            assert!(error.to_string().contains(why), "{error}");
        }
    }
}
