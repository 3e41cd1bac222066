//! A folder as one archive, for whoever hands it in over a network.

use std::fs::{self, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use thiserror::Error;

use casino_system::files;
use casino_system::foreign_files::may_be_executed;

/// The most bytes that the files of a folder may have which is packed.
const BYTES: u64 = 256 << 20;

/// The most files and folders.
const ENTRIES: usize = 20_000;

/// How many folders deep it may be.
const DEEPEST: usize = 100;

/// What compilers and package managers leave behind and make again, beside everything whose name begins with a dot.
const MADE_AGAIN: [&str; 1] = ["__pycache__"];

/// The file by which a program says that a folder is its cache: Cargo's `target` has one.
const CACHE_TAG: &str = "CACHEDIR.TAG";

/// A folder as an archive (`.tar.gz`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packed {
    /// The archive. The same files make the same bytes, whenever and wherever they are packed on a system of the same kind.
    pub bytes: Vec<u8>,
    /// How many files are in it.
    pub files: usize,
    /// What was left out, by its path in the folder: links, what begins with a dot, and caches.
    pub left_out: Vec<PathBuf>,
}

/// Why a folder is not packed.
#[derive(Debug, Error)]
pub enum PackError {
    /// There is no file in it.
    #[error("{} has no file in it that could be handed in", .0.display())]
    Empty(PathBuf),
    /// There is too much in it.
    #[error("{} is not packed: it has more than {} MiB, {ENTRIES} files or {DEEPEST} folders in one another. Name the folder of the sources alone", .0.display(), BYTES >> 20)]
    TooMuch(PathBuf),
    /// Something in it cannot be read.
    #[error("{} cannot be read: {error}", path.display())]
    Unreadable {
        /// The file or folder.
        path: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
}

/// Packs a folder.
///
/// # Errors
/// [`PackError`].
pub fn pack(folder: &Path) -> Result<Packed, PackError> {
    let mut packing = Packing {
        top: folder,
        archive: tar::Builder::new(GzEncoder::new(Vec::new(), Compression::default())),
        files: 0,
        entries: ENTRIES,
        bytes: BYTES,
        left_out: Vec::new(),
    };
    packing.folder(Path::new(""), 0)?;
    let Packing { archive, files, left_out, .. } = packing;
    if files == 0 {
        return Err(PackError::Empty(folder.to_path_buf()));
    }
    let written = archive.into_inner().and_then(GzEncoder::finish);
    let bytes = written.map_err(unreadable(folder))?;
    Ok(Packed { bytes, files, left_out })
}

fn unreadable(path: &Path) -> impl FnOnce(io::Error) -> PackError {
    let path = path.to_path_buf();
    move |error| PackError::Unreadable { path, error }
}

struct Packing<'a> {
    top: &'a Path,
    archive: tar::Builder<GzEncoder<Vec<u8>>>,
    files: usize,
    entries: usize,
    bytes: u64,
    left_out: Vec<PathBuf>,
}

impl Packing<'_> {
    fn folder(&mut self, inside: &Path, depth: usize) -> Result<(), PackError> {
        if depth > DEEPEST {
            return Err(self.too_much());
        }
        let here = if depth == 0 { self.top.to_path_buf() } else { self.top.join(inside) };
        let listed = fs::read_dir(&here).and_then(Iterator::collect::<io::Result<Vec<_>>>);
        let mut names: Vec<_> =
            listed.map_err(unreadable(&here))?.into_iter().map(|entry| entry.file_name()).collect();
        // In the order of the names, so that the same files make the same archive.
        names.sort();
        for name in names {
            self.entries = self.entries.checked_sub(1).ok_or_else(|| self.too_much())?;
            let inside = inside.join(&name);
            let path = self.top.join(&inside);
            let about = fs::symlink_metadata(&path).map_err(unreadable(&path))?;
            let shown = name.to_string_lossy();
            let is_cache = about.is_dir() && path.join(CACHE_TAG).is_file();
            if shown.starts_with('.') || MADE_AGAIN.contains(&&*shown) || is_cache {
                self.left_out.push(inside);
            } else if about.is_dir() {
                self.folder(&inside, depth + 1)?;
            } else if about.is_file() {
                self.file(&inside, &path, &about)?;
            } else {
                self.left_out.push(inside);
            }
        }
        Ok(())
    }

    fn file(&mut self, inside: &Path, path: &Path, about: &Metadata) -> Result<(), PackError> {
        let mut content = Vec::new();
        let opened = files::open(path).map_err(unreadable(path))?;
        opened.take(self.bytes + 1).read_to_end(&mut content).map_err(unreadable(path))?;
        self.bytes = self.bytes.checked_sub(content.len() as u64).ok_or_else(|| self.too_much())?;
        let mut header = tar::Header::new_gnu();
        header.set_size(content.len() as u64);
        header.set_mode(if may_be_executed(about) { 0o755 } else { 0o644 });
        // When it was written says nothing of what it is.
        header.set_mtime(0);
        self.archive.append_data(&mut header, inside, &content[..]).map_err(unreadable(path))?;
        self.files += 1;
        Ok(())
    }

    fn too_much(&self) -> PackError {
        PackError::TooMuch(self.top.to_path_buf())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grade::submission::unpack;

    fn scratch(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("casino-packing-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    #[test]
    fn what_is_packed_is_unpacked_as_it_was_without_what_is_made_again() {
        let place = scratch("whole");
        let bot = place.join("bot");
        let long = "a".repeat(120);
        for (name, text) in [
            ("src/main.py", "print(1)"),
            (".git/config", "secret"),
            (".env", "secret"),
            ("__pycache__/main.pyc", "made"),
            ("target/CACHEDIR.TAG", "Signature"),
            ("target/debug/bot", "made"),
            (&format!("src/{long}/{long}.py"), "print(2)"),
        ] {
            let file = bot.join(name);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        }
        let packed = pack(&bot).unwrap();
        assert_eq!(packed.files, 2);
        let left_out = [".env", ".git", "__pycache__", "target"].map(PathBuf::from);
        assert_eq!(packed.left_out, left_out);
        assert_eq!(pack(&bot).unwrap(), packed, "the same files make the same archive");
        let (file, into) = (place.join("bot.tar.gz"), place.join("unpacked"));
        fs::write(&file, &packed.bytes).unwrap();
        fs::create_dir(&into).unwrap();
        unpack(&file, &into).unwrap();
        assert_eq!(fs::read_to_string(into.join("src/main.py")).unwrap(), "print(1)");
        assert_eq!(
            fs::read_to_string(into.join("src").join(&long).join(format!("{long}.py"))).unwrap(),
            "print(2)"
        );
        assert!(!into.join(".git").exists() && !into.join("target").exists());
        fs::remove_dir_all(place).unwrap();
    }

    #[test]
    fn an_empty_folder_and_one_that_is_not_there_say_so() {
        let place = scratch("empty");
        fs::write(place.join(".hidden"), "x").unwrap();
        assert!(matches!(pack(&place), Err(PackError::Empty(_))));
        let error = pack(&place.join("none")).unwrap_err().to_string();
        assert!(error.contains("none cannot be read"), "{error}");
        fs::remove_dir_all(place).unwrap();
    }
}
