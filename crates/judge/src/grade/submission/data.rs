//! Data files of a submission outside of the folder of its sources, where development environments let programs find them.

use std::fs;
use std::io;
use std::path::Path;

use casino_system::foreign_files::let_all_read;

/// The most bytes and files of data that are laid beside the sources.
const MAX_BYTES: u64 = 32 << 20;
const MAX_FILES: usize = 2_000;

/// Endings of files that are no data: sources, compiled files and archives.
const NO_DATA: [&str; 22] = [
    "java", "class", "jar", "py", "pyc", "cpp", "cc", "cxx", "c", "h", "hpp", "o", "js", "mjs", "rs", "go",
    "zip", "gz", "tar", "iml", "mod", "toml",
];

/// Copies the data of the folders around `inside`, up to `root`, into it under the same relative paths, where it has none of the
/// name. Returns whether there is data outside.
pub(super) fn lay_beside(root: &Path, inside: &Path) -> io::Result<bool> {
    let mut laying = Laying { inside, bytes: MAX_BYTES, files: MAX_FILES };
    let mut around = inside.parent();
    while let Some(folder) = around.filter(|folder| folder.starts_with(root)) {
        laying.copy(folder, inside)?;
        around = folder.parent();
    }
    Ok(laying.files < MAX_FILES)
}

struct Laying<'a> {
    inside: &'a Path,
    bytes: u64,
    files: usize,
}

impl Laying<'_> {
    fn copy(&mut self, from: &Path, to: &Path) -> io::Result<()> {
        for entry in fs::read_dir(from)? {
            let entry = entry?;
            let (path, target, kind) = (entry.path(), to.join(entry.file_name()), entry.file_type()?);
            let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
            if is_hidden || path == self.inside {
                continue;
            }
            if kind.is_dir() {
                self.copy(&path, &target)?;
            } else if kind.is_file() && is_data(&path) && !target.exists() {
                let length = entry.metadata()?.len();
                if self.files == 0 || length > self.bytes {
                    continue;
                }
                fs::create_dir_all(to).and_then(|()| let_all_read(to, true))?;
                fs::copy(&path, &target).and_then(|_| let_all_read(&target, false))?;
                (self.files, self.bytes) = (self.files - 1, self.bytes - length);
            }
        }
        Ok(())
    }
}

fn is_data(path: &Path) -> bool {
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default();
    !NO_DATA.contains(&ending.as_str())
}
