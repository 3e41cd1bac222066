//! Data files of a submission outside of the folder of its sources, where development environments let programs find them.

use std::cmp::Reverse;
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

/// Endings of sources whose programs environments start in the folder of the build, and the most folders down to it.
const COMPILED: [&str; 7] = ["cpp", "cc", "cxx", "c", "h", "hpp", "rs"];
const MAX_BELOW: usize = 3;

/// Endings of sources that others read when they run.
const SCRIPTS: [&str; 3] = ["py", "js", "mjs"];

/// Copies the data of a submission into the folder of its program under every end of its path, as `src/data/x`, `data/x` and
/// `x`, where nothing has the name. Returns whether the program may need files outside of its folder.
pub(super) fn lay_beside(root: &Path, inside: &Path) -> io::Result<bool> {
    let (_, files) =
        files_named(root, None, &|_| true).map_err(|error| io::Error::other(error.to_string()))?;
    let mut data = Vec::new();
    for file in files.iter().filter(|file| !has_ending(file, &NO_DATA)) {
        let path = root.join(file);
        let same = path.components().zip(inside.components()).take_while(|(one, other)| one == other);
        data.push((Reverse(same.count()), fs::metadata(&path)?.len(), file));
    }
    // The nearest first, and small ones, so that a large one leaves none of them out.
    data.sort();
    let (mut bytes, mut count) = (MAX_BYTES, MAX_FILES);
    for (_, length, file) in data {
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

/// How many folders below its own a program has to be started to find its data: environments build C++ in a folder like
/// `cmake-build-debug` and start it there, so that it reads `../data`. Creates that folder.
pub(super) fn folders_below(inside: &Path) -> io::Result<usize> {
    let is_compiled = |name: &str| has_ending(Path::new(name), &COMPILED);
    let (_, sources) =
        files_named(inside, None, &is_compiled).map_err(|error| io::Error::other(error.to_string()))?;
    let mut most = 0;
    for source in sources {
        let text = String::from_utf8_lossy(&fs::read(inside.join(source))?).into_owned();
        for name in text.lines().flat_map(|line| line.split('"').skip(1).step_by(2)) {
            let rest = name.trim_start_matches("../");
            let above = (name.len() - rest.len()) / 3;
            let is_data = !rest.is_empty() && !has_ending(Path::new(rest), &NO_DATA);
            if is_data && above <= MAX_BELOW && inside.join(rest).exists() && !inside.join(name).exists() {
                most = most.max(above);
            }
        }
    }
    let below = inside.join(folder_below(most));
    fs::create_dir_all(&below).and_then(|()| let_all_read(&below, true)).map(|()| most)
}

/// The folder this many folders below that of a program.
pub(super) fn folder_below(below: usize) -> String {
    vec!["cmake-build-debug"; below].join("/")
}

fn has_ending(path: &Path, endings: &[&str]) -> bool {
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default();
    endings.contains(&ending.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sandbox::ScratchFolder;

    #[test]
    fn data_above_the_folder_of_the_build_is_found() {
        for (text, below) in [
            ("open(\"../data/odds.csv\")", 1),
            ("open(\"../../data/\" + name)", 2),
            ("open(\"data/odds.csv\")", 0),
            ("open(\"../data/other.csv\")", 0),
            ("#include \"../main.cpp\"", 0),
        ] {
            let root = ScratchFolder::with(&[("data/odds.csv", "1"), ("main.cpp", text)]);
            assert_eq!(folders_below(&root).unwrap(), below, "{text}");
            assert!(root.join(folder_below(below)).join("../".repeat(below)).join("data").is_dir());
        }
    }

    #[test]
    fn data_is_found_by_every_end_of_its_path() {
        let files =
            ["p/src/Poker.java", "p/src/odds.csv", "p/data/cards.txt", "p/Other.java", "o/data/cards.txt"];
        let root = ScratchFolder::with(&files.map(|file| (file, file)));
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
    }
}
