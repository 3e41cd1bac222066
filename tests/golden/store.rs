//! The frozen bytes: how they are compared and written. A file holds several outputs, each below a line `=== NAME`.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use sha2::{Digest, Sha256};
use snapbox::Data;
use snapbox::assert::Assert;
use snapbox::data::DataFormat;

/// Longer outputs are kept as hash, length and their first and last lines.
const LARGE: usize = 30_000;

/// The same for HTML pages, whose text does not help to find a difference.
const LARGE_PAGE: usize = 8_000;

/// Lines kept of each end of a large output, and bytes of each line.
const KEPT: (usize, usize) = (4, 400);

/// Begins the line before each output of a file.
const MARK: &str = "=== ";

/// Outputs of one frozen file, by name.
pub(crate) type Outputs = Vec<(String, Vec<u8>)>;

fn place(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/golden").join(name)
}

/// The bytes of a frozen file.
pub(crate) fn frozen(name: &str) -> Vec<u8> {
    let path = place(name);
    fs::read(&path).unwrap_or_else(|error| {
        panic!("{}: {error}; UPDATE_GOLDEN=1 writes the frozen files", path.display())
    })
}

/// The outputs in a frozen file.
pub(crate) fn frozen_outputs(name: &str) -> Outputs {
    let mut outputs = Outputs::new();
    for line in frozen(name).split_inclusive(|byte| *byte == b'\n') {
        match line.strip_prefix(MARK.as_bytes()) {
            Some(name) => {
                outputs.push((String::from_utf8_lossy(name).trim_end().to_string(), Vec::new()));
            }
            None => outputs.last_mut().expect("the first line is a name").1.extend(line),
        }
    }
    outputs
}

/// Compares outputs with a frozen file, or writes it.
#[track_caller]
pub(crate) fn golden(file: &str, outputs: &Outputs) {
    let all =
        outputs.iter().flat_map(|(name, bytes)| [format!("{MARK}{name}\n").into(), outline(bytes)].concat());
    golden_whole(file, &all.collect::<Vec<u8>>());
}

/// Compares a file that other tests read, which holds nothing else.
#[track_caller]
pub(crate) fn golden_whole(file: &str, bytes: &[u8]) {
    if std::env::var_os("UPDATE_GOLDEN").is_some_and(|value| value == "1") {
        fs::write(place(file), bytes).unwrap();
    } else if frozen(file) != bytes {
        let now = Data::text(String::from_utf8_lossy(bytes));
        let old = Data::read_from(&place(file), Some(DataFormat::Text));
        Assert::new().normalize_paths(false).eq(now, old.raw());
        panic!("{file} differs in line ends, or in bytes that are not UTF-8");
    }
}

/// The lines of an output as they are frozen: whole, or an outline of a large one. Ends with a line end.
fn outline(bytes: &[u8]) -> Vec<u8> {
    let is_page = bytes.windows(9).take(100).any(|bytes| bytes.eq_ignore_ascii_case(b"<!doctype"));
    if bytes.len() <= if is_page { LARGE_PAGE } else { LARGE } {
        let mut bytes = bytes.to_vec();
        if bytes.last().is_some_and(|last| *last != b'\n') {
            bytes.push(b'\n');
        }
        return bytes;
    }
    let mut text = String::from("sha256 ");
    for byte in Sha256::digest(bytes) {
        write!(text, "{byte:02x}").unwrap();
    }
    let all = String::from_utf8_lossy(bytes);
    let lines: Vec<String> = all.lines().map(|line| line.chars().take(KEPT.1).collect()).collect();
    let (first, last) = (&lines[..KEPT.0.min(lines.len())], &lines[lines.len().saturating_sub(KEPT.0)..]);
    let (first, last) = (first.join("\n"), last.join("\n"));
    // The next difference can be looked for in the whole output, which is named by its hash.
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("golden");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join(&text["sha256 ".len()..]), bytes).unwrap();
    write!(text, "\nbytes {}\n--- first lines\n{first}\n--- last lines\n{last}\n", bytes.len()).unwrap();
    text.into_bytes()
}
