//! Copying a student's folder without following anything in it.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt, symlink};
use std::path::Path;

/// The most entries a folder may have, so that copying ends.
const ENTRIES: usize = 50_000;

/// Copies what is in a folder into another one that is there. Links are copied as links and never followed;
/// pipes, sockets and devices are left out. Everything becomes readable by everyone, because another user may
/// run it.
///
/// # Errors
/// What cannot be read or written, and a folder with too many entries.
pub(crate) fn copy_folder(from: &Path, to: &Path) -> io::Result<()> {
    let mut left = ENTRIES;
    copy(from, to, &mut left)
}

fn copy(from: &Path, to: &Path, left: &mut usize) -> io::Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        *left = left
            .checked_sub(1)
            .ok_or_else(|| io::Error::other(format!("more than {ENTRIES} files are in the folder")))?;
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        let kind = entry.file_type()?;
        if kind.is_symlink() {
            symlink(fs::read_link(source)?, target)?;
        } else if kind.is_dir() {
            fs::create_dir(&target)?;
            fs::set_permissions(&target, Permissions::from_mode(0o755))?;
            copy(&source, &target, left)?;
        } else if kind.is_file() {
            copy_file(&source, &target)?;
        }
    }
    Ok(())
}

fn copy_file(source: &Path, target: &Path) -> io::Result<()> {
    // The file may have been replaced by a link or a pipe since it was listed.
    let no_follow = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
    let no_follow = i32::try_from(no_follow.bits()).expect("the flags of open fit");
    let mut from = OpenOptions::new().read(true).custom_flags(no_follow).open(source)?;
    let about = from.metadata()?;
    if !about.is_file() {
        return Ok(());
    }
    let runs = about.permissions().mode() & 0o111 != 0;
    let mut to = File::create_new(target)?;
    io::copy(&mut from, &mut to)?;
    to.set_permissions(Permissions::from_mode(if runs { 0o755 } else { 0o644 }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_stay_links_and_pipes_are_left_out() {
        let base = std::env::temp_dir().join(format!("casino-copy-{}", std::process::id()));
        let (from, to) = (base.join("from"), base.join("to"));
        fs::create_dir_all(from.join("inner")).unwrap();
        fs::create_dir_all(&to).unwrap();
        fs::write(from.join("inner/run"), "x").unwrap();
        fs::set_permissions(from.join("inner/run"), Permissions::from_mode(0o700)).unwrap();
        symlink("/etc/shadow", from.join("link")).unwrap();
        nix::unistd::mkfifo(&from.join("pipe"), nix::sys::stat::Mode::S_IRWXU).unwrap();
        copy_folder(&from, &to).unwrap();
        assert_eq!(fs::read_to_string(to.join("inner/run")).unwrap(), "x");
        assert_eq!(fs::metadata(to.join("inner/run")).unwrap().permissions().mode() & 0o777, 0o755);
        assert_eq!(fs::read_link(to.join("link")).unwrap(), Path::new("/etc/shadow"));
        assert!(!to.join("pipe").exists());
        fs::remove_dir_all(&base).unwrap();
    }
}
