//! Submissions in every shape, made from the starter kits and from a small player.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::{CALLS, small_player};

/// The shapes that need only Python, with their verdicts.
pub(super) const IN_PYTHON: &[(&str, &str)] = &[
    ("plain", "plays"),
    ("copy", "plays"),
    ("zipped", "plays"),
    ("tarred", "plays"),
    ("zip-inside", "plays"),
    ("beside-a-lab", "plays"),
    ("told", "plays"),
    ("versions", "plays"),
    ("two", "several programs"),
    ("essay", "nothing recognised"),
    ("leads-out", "nothing recognised"),
    ("damaged", "nothing recognised"),
    ("silent", "never connected"),
];

/// Writes the small player into a folder.
pub(super) fn player(folder: &Path, name: &str) {
    write(&folder.join(name), small_player(CALLS));
}

fn write(path: &Path, content: impl AsRef<[u8]>) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content).unwrap();
}

pub(super) fn zip_of(path: &Path, entries: &[(&str, &[u8])]) {
    let mut zip = zip::ZipWriter::new(File::create(path).unwrap());
    for (name, content) in entries {
        zip.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(content).unwrap();
    }
    zip.finish().unwrap();
}

/// A player whose words differ, so that it is like no other.
fn other(number: u32) -> String {
    format!("{}# {number}\n", small_player(CALLS))
}

pub(super) fn in_python(class: &Path) {
    player(&class.join("plain"), "poker.py");
    player(&class.join("copy/Project01"), "bot.py");
    zip_of(
        &class.join("zipped.zip"),
        &[("hw/Project01/poker.py", other(1).as_bytes()), ("__MACOSX/._x", b"x")],
    );
    let packed = File::create(class.join("tarred.tar.gz")).unwrap();
    let mut tar = tar::Builder::new(GzEncoder::new(packed, Compression::fast()));
    let content = other(2);
    let mut header = tar::Header::new_gnu();
    header.set_size(content.len() as u64);
    header.set_mode(0o644);
    tar.append_data(&mut header, "work/poker.py", content.as_bytes()).unwrap();
    tar.into_inner().unwrap().finish().unwrap();
    fs::create_dir_all(class.join("zip-inside")).unwrap();
    let packed = class.join("zip-inside/Project01.zip (1)");
    zip_of(&packed, &[("a/b/c/poker.py", other(3).as_bytes())]);
    zip_of(&packed, &[("x/y/z/Project01.zip", &fs::read(&packed).unwrap())]);
    write(&class.join("beside-a-lab/Lab15/main.py"), "print('a lab')\n");
    write(&class.join("beside-a-lab/Project01/bot.py"), other(4));
    write(&class.join("told/x/start.py"), other(5));
    write(&class.join("told/bot.json"), r#"{"run": "python3 x/start.py {host} {port}"}"#);
    write(&class.join("versions/v9/poker.py"), "import socket, sys\nsys.exit(sys.argv)\n");
    write(&class.join("versions/v10/poker.py"), other(9));
    write(&class.join("two/Project01/poker.py"), other(6));
    write(&class.join("two/Project02/poker.py"), other(7));
    write(&class.join("essay/essay.txt"), "The dog ate it.");
    zip_of(&class.join("leads-out.zip"), &[("../../poker.py", other(8).as_bytes())]);
    write(&class.join("damaged.zip"), "PK, or so");
    write(&class.join("silent/poker.py"), "import socket, sys\nprint(sys.argv)\n");
}
