//! Folders on Linux and macOS.

use std::fs::{self, DirBuilder, Metadata, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::Path;

use nix::errno::Errno;
use nix::sys::signal::kill;
use nix::unistd::{Pid, geteuid};

pub(crate) fn create_passable(path: &Path) -> io::Result<()> {
    DirBuilder::new().mode(0o711).create(path)?;
    // Independent of the umask.
    fs::set_permissions(path, Permissions::from_mode(0o711))
}

pub(crate) fn create_private(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(path)
}

pub(crate) fn create_new_private(path: &Path) -> io::Result<()> {
    DirBuilder::new().mode(0o700).create(path)
}

pub(crate) fn is_own(about: &Metadata) -> bool {
    about.uid() == geteuid().as_raw()
}

pub(crate) fn size_on_disk(about: &Metadata) -> u64 {
    about.blocks() * 512
}

pub(crate) fn runs(process: u32) -> Option<bool> {
    let Ok(process) = i32::try_from(process) else { return Some(false) };
    Some(process > 0 && kill(Pid::from_raw(process), None) != Err(Errno::ESRCH))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_new_private_folder_is_open_to_its_owner_alone() {
        let path = std::env::temp_dir().join(format!("casino-private-{}", std::process::id()));
        create_new_private(&path).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o700);
        assert!(create_new_private(&path).is_err(), "one that is there is never used");
        fs::remove_dir(&path).unwrap();
    }
}
