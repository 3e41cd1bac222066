//! Private folders, those that ended processes left behind, and the size of their files.

use std::fs::{self, DirEntry, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

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
pub(super) fn is_own(about: &Metadata) -> bool {
    native::is_own(about)
}

/// How many bytes of the disk a file takes; on Windows its length.
pub fn size_on_disk(about: &Metadata) -> u64 {
    native::size_on_disk(about)
}

/// The age from which a folder for temporary files is old.
pub const LEFTOVER_AGE: Duration = Duration::from_secs(24 * 60 * 60);

/// A folder that an ended process has left behind.
#[derive(Debug)]
pub struct Leftover {
    /// Its path.
    pub path: PathBuf,
    /// Whether it did not change within [`LEFTOVER_AGE`].
    pub is_old: bool,
}

/// Lists this user's folders in `temporary` whose processes have ended. Such a folder is named `prefix`, the number of its process,
/// `-` and anything. Where the system does not report whether a process runs, the process of an old folder has ended.
pub fn leftovers(temporary: &Path, prefix: &str) -> impl Iterator<Item = Leftover> {
    let entries = fs::read_dir(temporary).into_iter().flatten().flatten();
    entries.filter_map(move |entry| leftover(&entry, prefix))
}

fn leftover(entry: &DirEntry, prefix: &str) -> Option<Leftover> {
    let name = entry.file_name();
    let process = name.to_str()?.strip_prefix(prefix)?.split('-').next()?.parse().ok()?;
    let about = entry.metadata().ok()?;
    let age = about.modified().ok().and_then(|changed| changed.elapsed().ok());
    let is_old = age.is_some_and(|age| age > LEFTOVER_AGE);
    let runs = native::runs(process).unwrap_or(!is_old);
    (about.is_dir() && is_own(&about) && !runs).then(|| Leftover { path: entry.path(), is_old })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_of_ended_processes_are_left_over() {
        let temporary = std::env::temp_dir().join(format!("casino-leftovers-{}", std::process::id()));
        create_private(&temporary).unwrap();
        let own = std::process::id().to_string();
        for name in ["box-4000000-1", "box-4000000", &format!("box-{own}-2"), "box-x-3", "other-4000000-4"] {
            create_new_private(&temporary.join(name)).unwrap();
        }
        fs::write(temporary.join("box-4000001-file"), "").unwrap();
        let old = std::time::SystemTime::now() - 2 * LEFTOVER_AGE;
        fs::File::open(temporary.join("box-4000000")).unwrap().set_modified(old).unwrap();
        let mut found: Vec<Leftover> = leftovers(&temporary, "box-").collect();
        found.sort_by(|one, other| one.path.cmp(&other.path));
        let found: Vec<_> = found.iter().map(|left| (left.path.file_name().unwrap(), left.is_old)).collect();
        assert_eq!(found, [("box-4000000".as_ref(), true), ("box-4000000-1".as_ref(), false)]);
        fs::remove_dir_all(&temporary).unwrap();
    }
}
