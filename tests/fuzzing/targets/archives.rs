//! Any bytes as a submitted archive, and tars of any entries: the places of their files.

use std::fs;
use std::path::Path;

use casino_judge::grade::submission::{UnpackBudget, unpack};

use super::check;
use super::dice::Dice;
use super::folder::Folder;

const KINDS: [&str; 4] = ["handed-in.zip", "handed-in.tar", "handed-in.tar.gz", "handed-in.tgz"];

/// The most bytes unpacked from an archive, whatever its header claims.
const MOST: u64 = 256 << 20;

/// Names of entries, most of which lead out of the folder.
const NAMES: [&str; 16] = [
    "Poker.java",
    "a/b.py",
    "../evil",
    "/tmp/casino-fuzz-evil",
    "a/../../evil",
    "./x",
    "link",
    "link/x",
    "a",
    "a/",
    "..",
    "",
    "\\..\\evil",
    "C:\\evil",
    "a//b",
    "link/../../evil",
];

/// The kinds of entries a tar may have: files, hard and symbolic links, devices, folders, pipes, and others.
const ENTRIES: [u8; 10] = [b'0', 0, b'1', b'2', b'3', b'4', b'5', b'6', b'7', b'L'];

pub fn body(input: &[u8]) {
    let mut dice = Dice::of(input);
    let kind = dice.below(5);
    let (name, bytes) = match KINDS.get(kind) {
        Some(name) => (*name, dice.rest().to_vec()),
        None => (KINDS[1], tar(dice)),
    };
    let folder = Folder::new();
    let (archive, into) = (folder.path.join(name), folder.path.join("inside"));
    fs::write(&archive, &bytes).expect("an archive can be written");
    fs::create_dir(&into).expect("a folder to unpack into");
    if let Err(error) = unpack(&archive, &into, &mut UnpackBudget::default()) {
        check::sentence(&error.to_string());
    }
    let mut beside: Vec<_> = fs::read_dir(&folder.path)
        .expect("the folder is there")
        .map(|entry| entry.expect("it can be listed").file_name().to_string_lossy().into_owned())
        .collect();
    beside.sort();
    assert_eq!(beside, [name, "inside"], "something came out of the folder");
    assert!(!Path::new("/tmp/casino-fuzz-evil").exists(), "something was written to an absolute path");
    assert_eq!(fs::read(&archive).ok().as_deref(), Some(&bytes[..]), "the archive itself was changed");
    assert!(plain_files(&into) <= MOST, "more was unpacked than may be");
}

/// The bytes of all files below a folder, in which there are files and folders and nothing else.
fn plain_files(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    entries
        .map(|entry| {
            let entry = entry.expect("it can be listed");
            let about = entry.path().symlink_metadata().expect("it is there");
            assert!(
                about.is_dir() || about.is_file(),
                "{} is neither file nor folder",
                entry.path().display()
            );
            if about.is_dir() { plain_files(&entry.path()) } else { about.len() }
        })
        .sum()
}

/// A tar archive of some entries with valid checksums but otherwise arbitrary.
fn tar(mut dice: Dice<'_>) -> Vec<u8> {
    let mut tar = Vec::new();
    for _ in 0..dice.below(6) {
        let (name, kind) = (NAMES[dice.below(NAMES.len())], ENTRIES[dice.below(ENTRIES.len())]);
        let (content, said) = (dice.below(40), dice.below(60));
        let mut header = [0; 512];
        header[..name.len()].copy_from_slice(name.as_bytes());
        header[100..107].copy_from_slice(b"0000777");
        header[124..135]
            .copy_from_slice(format!("{:011o}", if said < 50 { content } else { said * 999 }).as_bytes());
        header[156] = kind;
        header[157..161].copy_from_slice(b"/etc");
        header[257..263].copy_from_slice(b"ustar\0");
        header[148..156].fill(b' ');
        let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
        header[148..155].copy_from_slice(format!("{sum:06o}\0").as_bytes());
        tar.extend(header);
        tar.extend((0..content).map(|_| dice.byte()));
        tar.resize(tar.len().next_multiple_of(512), 0);
    }
    tar.extend([0; 1_024]);
    tar
}
