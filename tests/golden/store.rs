//! The frozen bytes: how they are compared and written. A file holds several outputs, each below a line `=== NAME`.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use sha2::{Digest, Sha256};

/// Longer outputs are kept as hash, length and their first and last lines.
const LARGE: usize = 30_000;

/// The same for HTML pages, whose text does not help to find a difference.
const LARGE_PAGE: usize = 8_000;

/// Lines kept of each end of a large output, and bytes of each line.
const KEPT: (usize, usize) = (4, 400);

/// Equal lines that are shown before the first difference.
const CONTEXT: usize = 3;

/// Begins the line before each output of a file.
const MARK: &str = "=== ";

/// Outputs of one frozen file, by name.
pub(crate) type Outputs = Vec<(String, Vec<u8>)>;

fn updating() -> bool {
    std::env::var_os("UPDATE_GOLDEN").is_some_and(|value| value == "1")
}

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

/// Compares outputs with a frozen file, or writes it. Reports every output that differs, and where.
#[track_caller]
pub(crate) fn golden(file: &str, outputs: &Outputs) {
    let now: Outputs = outputs.iter().map(|(name, bytes)| (name.clone(), outline(bytes))).collect();
    if updating() {
        let text =
            now.iter().flat_map(|(name, bytes)| [format!("{MARK}{name}\n").as_bytes(), bytes].concat());
        write(place(file), &text.collect::<Vec<u8>>());
        return;
    }
    let frozen = frozen_outputs(file);
    let names = |outputs: &Outputs| outputs.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&now), names(&frozen), "the outputs in {file}");
    let all = now.iter().zip(&frozen).zip(outputs);
    let differences: Vec<String> = all
        .filter(|((now, frozen), _)| now != frozen)
        .map(|((now, frozen), (_, whole))| {
            difference(&format!("{file}, {}", now.0), &frozen.1, &now.1, whole)
        })
        .collect();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

/// Compares a file that other tests read, which holds nothing else.
#[track_caller]
pub(crate) fn golden_whole(file: &str, bytes: &[u8]) {
    if updating() {
        write(place(file), bytes);
    } else if frozen(file) != bytes {
        panic!("{}", difference(file, &frozen(file), bytes, bytes));
    }
}

fn write(path: PathBuf, bytes: &[u8]) {
    fs::create_dir_all(path.parent().expect("a file is in a folder")).unwrap();
    fs::write(path, bytes).unwrap();
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
    write!(text, "\nbytes {}\n--- first lines\n{first}\n--- last lines\n{last}\n", bytes.len()).unwrap();
    text.into_bytes()
}

/// Where an output first differs. The whole output is then in a file, which is named.
fn difference(name: &str, frozen: &[u8], now: &[u8], whole: &[u8]) -> String {
    let file: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).take(120).collect();
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("golden").join(file);
    write(path.clone(), whole);
    let (frozen, now) = (String::from_utf8_lossy(frozen), String::from_utf8_lossy(now));
    let (frozen, now): (Vec<&str>, Vec<&str>) = (frozen.split('\n').collect(), now.split('\n').collect());
    let at = frozen.iter().zip(&now).take_while(|(frozen, now)| frozen == now).count();
    let line = |lines: &[&str]| lines.get(at).map_or("(the end)", |line| line).to_string();
    let before = frozen[at.saturating_sub(CONTEXT)..at].join("\n  ");
    format!(
        "{name} differs at line {}:\n  {before}\nfrozen:\n  {}\nnow:\n  {}\nThe whole output: {}\n",
        at + 1,
        line(&frozen),
        line(&now),
        path.display()
    )
}
