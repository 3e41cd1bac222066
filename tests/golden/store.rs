//! The frozen bytes: what is compared with them, and how they are written.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use sha2::{Digest, Sha256};

/// What is longer is kept as its hash, its length and its first and last lines.
const LARGE: usize = 30_000;

/// The same for pages: where they differ nobody sees in their text.
const LARGE_PAGE: usize = 8_000;

/// How many lines are kept of either end of something large, and how many bytes of each.
const KEPT: (usize, usize) = (4, 400);

/// How many lines that agree are shown before the first that does not.
const CONTEXT: usize = 3;

/// Whether the frozen files are written instead of compared.
pub(crate) fn updating() -> bool {
    std::env::var_os("UPDATE_GOLDEN").is_some_and(|value| value == "1")
}

fn place(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/golden").join(name)
}

pub(crate) fn frozen(name: &str) -> Vec<u8> {
    let path = place(name);
    fs::read(&path).unwrap_or_else(|error| {
        panic!("{}: {error}; UPDATE_GOLDEN=1 writes the frozen files", path.display())
    })
}

/// Compares bytes with the frozen files of these names, or writes those when they are to be updated. Says of all that
/// differ where they do.
#[track_caller]
pub(crate) fn all_golden(files: &[(String, Vec<u8>)]) {
    let differences: Vec<String> =
        files.iter().filter_map(|(name, bytes)| difference(name, &outline(name, bytes), bytes)).collect();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

/// Compares all bytes, however many: for files that other tests read.
#[track_caller]
pub(crate) fn golden_whole(name: &str, bytes: &[u8]) {
    if let Some(difference) = difference(name, bytes, bytes) {
        panic!("{difference}");
    }
}

fn outline(name: &str, bytes: &[u8]) -> Vec<u8> {
    let large = if name.contains("html") { LARGE_PAGE } else { LARGE };
    if bytes.len() <= large {
        return bytes.to_vec();
    }
    let mut text = String::from("sha256 ");
    for byte in Sha256::digest(bytes) {
        write!(text, "{byte:02x}").unwrap();
    }
    let all = String::from_utf8_lossy(bytes);
    let lines: Vec<String> = all.lines().map(|line| line.chars().take(KEPT.1).collect()).collect();
    let (first, last) = (&lines[..KEPT.0.min(lines.len())], &lines[lines.len().saturating_sub(KEPT.0)..]);
    let (first, last) = (first.join("\n"), last.join("\n"));
    write!(text, "\nbytes {}\n--- first lines\n{first}\n--- last lines\n{last}\n", bytes.len()).unwrap();
    text.into_bytes()
}

/// What is wrong with bytes that are not the frozen ones. All of them are then in the folder of the tests' outputs.
fn difference(name: &str, kept: &[u8], bytes: &[u8]) -> Option<String> {
    let path = place(name);
    if updating() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, kept).unwrap();
        return None;
    }
    let expected = frozen(name);
    if expected == kept {
        return None;
    }
    let now = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("golden").join(name);
    fs::create_dir_all(now.parent().unwrap()).unwrap();
    fs::write(&now, bytes).unwrap();
    let (expected, got) = (String::from_utf8_lossy(&expected), String::from_utf8_lossy(kept));
    let (expected, got): (Vec<&str>, Vec<&str>) = (expected.split('\n').collect(), got.split('\n').collect());
    let at = expected.iter().zip(&got).take_while(|(expected, got)| expected == got).count();
    let line = |lines: &[&str]| lines.get(at).map_or("(the end)", |line| line).to_string();
    let before = expected[at.saturating_sub(CONTEXT)..at].join("\n  ");
    Some(format!(
        "{} differs at line {}:\n  {before}\nfrozen:\n  {}\nnow:\n  {}\nAll that came: {}\n",
        path.display(),
        at + 1,
        line(&expected),
        line(&got),
        now.display()
    ))
}
