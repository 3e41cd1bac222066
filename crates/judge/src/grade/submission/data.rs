//! Data files of a submission outside of the folder of its sources, where development environments let programs find them.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use casino_system::foreign_files::let_all_read;

use super::recognise::files_named;

/// The most bytes and files of data that are laid beside the sources.
const MAX_BYTES: u64 = 32 << 20;
const MAX_FILES: usize = 2_000;

/// Endings of files that are no data: sources and compiled files.
const NO_DATA: [&str; 19] = [
    "java", "class", "jar", "py", "pyc", "cpp", "cc", "cxx", "c", "h", "hpp", "o", "js", "mjs", "rs", "go",
    "iml", "mod", "toml",
];

/// Endings of sources that others read when they run.
const SCRIPTS: [&str; 3] = ["py", "js", "mjs"];

/// Copies the data of a submission into the folder of its program under every end of its path, as `src/data/x`, `data/x` and
/// `x`, where nothing has the name. Returns whether the program may need files outside of its folder.
pub(super) fn lay_beside(root: &Path, inside: &Path) -> io::Result<bool> {
    let (_, files) =
        files_named(root, None, &|_| true).map_err(|error| io::Error::other(error.to_string()))?;
    let mut data: Vec<(u64, &PathBuf)> = Vec::new();
    for file in files.iter().filter(|file| !has_ending(file, &NO_DATA)) {
        data.push((fs::metadata(root.join(file))?.len(), file));
    }
    // Small files first, so that a large one leaves none of them out.
    data.sort();
    let (mut bytes, mut count) = (MAX_BYTES, MAX_FILES);
    for (length, file) in data {
        let mut end = file.components();
        while !end.as_path().as_os_str().is_empty() {
            let target = inside.join(end.as_path());
            end.next();
            if target.exists() || length > bytes || count == 0 {
                continue;
            }
            let around = target.parent().unwrap_or(inside);
            fs::create_dir_all(around).and_then(|()| let_all_read(around, true))?;
            fs::copy(root.join(file), &target).and_then(|_| let_all_read(&target, false))?;
            (bytes, count) = (bytes - length, count - 1);
        }
    }
    let is_needed = |file: &PathBuf| !has_ending(file, &NO_DATA) || has_ending(file, &SCRIPTS);
    Ok(files.iter().any(|file| !root.join(file).starts_with(inside) && is_needed(file)))
}

fn has_ending(path: &Path, endings: &[&str]) -> bool {
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default();
    endings.contains(&ending.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_is_found_by_every_end_of_its_path() {
        let root = std::env::temp_dir().join(format!("casino-data-{}", std::process::id()));
        let _ = fs::remove_dir_all(&root);
        for file in ["p/src/Poker.java", "p/src/odds.csv", "p/data/cards.txt", "p/Other.java"] {
            let path = root.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, file).unwrap();
        }
        let inside = root.join("p/src");
        assert!(lay_beside(&root, &inside).unwrap());
        for (laid, content) in [
            ("odds.csv", "p/src/odds.csv"),
            ("src/odds.csv", "p/src/odds.csv"),
            ("data/cards.txt", "p/data/cards.txt"),
            ("cards.txt", "p/data/cards.txt"),
        ] {
            assert_eq!(fs::read_to_string(inside.join(laid)).unwrap(), content, "{laid}");
        }
        assert!(!inside.join("Other.java").exists());
        assert!(!lay_beside(&inside, &inside).unwrap(), "nothing is outside");
        fs::remove_dir_all(&root).unwrap();
    }
}
