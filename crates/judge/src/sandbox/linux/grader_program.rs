//! The location of the grader's own program, which must stay hidden: run inside, it would give all answers.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use super::bubblewrap::toolchains;

/// The name under which the program is installed.
const NAME: &str = "casino";

/// The real paths of this program and of its installed copies, hidden from judged programs.
pub(super) fn copies(program: &Path) -> Vec<PathBuf> {
    let search = env::var_os("PATH").unwrap_or_default();
    let system = ["/usr/bin", "/usr/local/bin", "/opt/bin"].map(PathBuf::from);
    let folders = env::split_paths(&search).chain(toolchains()).chain(system);
    let named = folders.map(|folder| folder.join(NAME)).chain([program.to_path_buf()]);
    let mut found: Vec<PathBuf> =
        named.filter_map(|file| fs::canonicalize(file).ok()).filter(|file| file.is_file()).collect();
    found.sort();
    found.dedup();
    found
}

/// The entries of a folder without these files, and the folders opened for that. Links are left out.
pub(super) fn without(folder: &Path, hidden: &[PathBuf]) -> (Vec<PathBuf>, Vec<PathBuf>) {
    let (mut whole, mut opened) = (Vec::new(), Vec::new());
    let mut left = vec![fs::canonicalize(folder).unwrap_or_else(|_| folder.to_path_buf())];
    while let Some(path) = left.pop() {
        if hidden.contains(&path) {
            continue;
        }
        if !hidden.iter().any(|file| file.starts_with(&path)) {
            whole.push(path);
            continue;
        }
        let entries = fs::read_dir(&path).into_iter().flatten().flatten();
        let is_link = |entry: &fs::DirEntry| entry.file_type().is_ok_and(|kind| kind.is_symlink());
        left.extend(entries.filter(|entry| !is_link(entry)).map(|entry| entry.path()));
        opened.push(path);
    }
    (whole, opened)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sandbox::ScratchFolder;

    #[test]
    fn only_hidden_files_are_left_out() {
        let files = ["casino", "inner/casino", "inner/other", "inner/deep/file", "beside"];
        let scratch = ScratchFolder::with(&files.map(|file| (file, "")));
        let folder = fs::canonicalize(&*scratch).unwrap();
        let hidden = [folder.join("inner/casino")];
        let (mut whole, mut opened) = without(&folder, &hidden);
        whole.sort();
        opened.sort();
        let at = |names: &[&str]| names.iter().map(|name| folder.join(name)).collect::<Vec<_>>();
        assert_eq!(whole, at(&["beside", "casino", "inner/deep", "inner/other"]));
        assert_eq!(opened, [folder.clone(), folder.join("inner")]);
        assert_eq!(without(&folder, &[]), (vec![folder.clone()], vec![]));
        assert!(copies(&folder.join("casino")).contains(&folder.join("casino")));
    }
}
