//! Writing a verdict where the judged programs may have prepared the folder.

use std::fs;
use std::io;
use std::path::Path;

use casino_system::files::{Readers, write_atomically};

/// Writes a file atomically, readable by everyone.
pub fn write_verdict(path: &Path, content: &[u8]) -> io::Result<()> {
    write_atomically(path, content, Readers::Everyone)
}

/// Tries whether a verdict could be written to this path, and leaves nothing behind: before the work that leads to it.
pub fn try_verdict(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if fs::symlink_metadata(path).is_ok() {
        // Replacing it is left to the verdict: until then it stays as it is.
        let beside = path.with_file_name(format!(".casino-try-{}", std::process::id()));
        write_verdict(&beside, b"")?;
        fs::remove_file(&beside)?;
        return fs::symlink_metadata(path).and_then(|about| match about.is_file() {
            true => Ok(()),
            false => Err(io::Error::new(io::ErrorKind::AlreadyExists, "it is a link or no file: remove it")),
        });
    }
    write_verdict(path, b"")?;
    fs::remove_file(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_replaces_a_file_and_never_goes_through_a_link() {
        let folder = std::env::temp_dir().join(format!("casino-verdict-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("verdict.json");
        write_verdict(&path, b"one").unwrap();
        write_verdict(&path, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "nothing is left beside it");
        let (target, link) = (folder.join("target"), folder.join("link.json"));
        fs::write(&target, "mine").unwrap();
        casino_system::foreign_files::link(&target, &link).unwrap();
        assert!(write_verdict(&link, b"three").unwrap_err().to_string().contains("link"));
        assert_eq!(fs::read(&target).unwrap(), b"mine");
        assert!(write_verdict(&folder.join("no/such/folder"), b"").is_err());
        assert!(try_verdict(&folder.join("no/such/folder")).is_err());
        assert!(try_verdict(&folder).is_err() && try_verdict(&link).is_err());
        let before = fs::read_dir(&folder).unwrap().count();
        assert!(try_verdict(&path).is_ok() && try_verdict(&folder.join("new")).is_ok());
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), before);
        fs::remove_dir_all(&folder).unwrap();
    }
}
