//! Submissions in every shape, made from the starter kits and from a small player.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::grading::{CALLS, small_player};

/// The shapes that need Python alone, and what each deserves.
pub(super) const IN_PYTHON: &[(&str, &str)] = &[
    ("plain", "plays"),
    ("copy", "plays"),
    ("zipped", "plays"),
    ("tarred", "plays"),
    ("zip-inside", "plays"),
    ("beside-a-lab", "plays"),
    ("told", "plays"),
    ("two", "several programs"),
    ("essay", "nothing recognised"),
    ("leads-out", "nothing recognised"),
    ("damaged", "nothing recognised"),
    ("silent", "never connected"),
];

/// The shapes that need compilers, and what each deserves.
pub(super) const IN_LANGUAGES: &[(&str, &str)] = &[
    ("java-lab", "plays"),
    ("java-broken-helper", "plays"),
    ("java-public-static", "plays"),
    ("java-latin1", "plays"),
    ("java-utf16", "plays"),
    ("java-packages", "plays"),
    ("cpp-folders", "plays"),
    ("cpp-makefile", "plays"),
    ("cpp-makefile-of-another-name", "plays"),
    ("cpp-makefile-that-cleans", "plays"),
    ("cpp-makefile-broken", "plays"),
    ("cpp-built-elsewhere", "plays"),
    ("cpp-second-copies", "plays"),
    ("cpp-main-beside", "plays"),
    ("cpp-broken", "cannot be built"),
    ("rust-vendored", "plays"),
    ("go-module", "plays"),
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
    let mut tar = tar::Builder::new(GzEncoder::new(
        File::create(class.join("tarred.tar.gz")).unwrap(),
        Compression::fast(),
    ));
    let content = other(2);
    let mut header = tar::Header::new_gnu();
    header.set_size(content.len() as u64);
    header.set_mode(0o644);
    tar.append_data(&mut header, "work/poker.py", content.as_bytes()).unwrap();
    tar.into_inner().unwrap().finish().unwrap();
    fs::create_dir_all(class.join("zip-inside")).unwrap();
    zip_of(&class.join("zip-inside/Project01.zip"), &[("poker.py", other(3).as_bytes())]);
    write(&class.join("beside-a-lab/Lab15/main.py"), "print('a lab')\n");
    write(&class.join("beside-a-lab/Project01/bot.py"), other(4));
    write(&class.join("told/x/start.py"), other(5));
    write(&class.join("told/bot.json"), r#"{"run": "python3 x/start.py {host} {port}"}"#);
    write(&class.join("two/Project01/poker.py"), other(6));
    write(&class.join("two/Project02/poker.py"), other(7));
    write(&class.join("essay/essay.txt"), "The dog ate it.");
    zip_of(&class.join("leads-out.zip"), &[("../../poker.py", other(8).as_bytes())]);
    write(&class.join("damaged.zip"), "PK, or so");
    write(&class.join("silent/poker.py"), "import socket, sys\nprint(sys.argv)\n");
}

fn kit(language: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("bots").join(language)
}

fn source(language: &str, file: &str) -> String {
    fs::read_to_string(kit(language).join(file)).unwrap()
}

pub(super) fn in_languages(class: &Path) {
    let (poker, strategy) = (source("java", "Poker.java"), source("java", "Strategy.java"));
    let java = |name: &str, poker: &[u8], strategy: &[u8]| {
        write(&class.join(name).join("Poker.java"), poker);
        write(&class.join(name).join("Strategy.java"), strategy);
    };
    java("java-lab/Project01/src", format!("// 1\n{poker}").as_bytes(), strategy.as_bytes());
    let lab = "class Lab { public static void main(String[] a) { int x = ; } }";
    write(&class.join("java-lab/Lab15/Lab.java"), lab);
    java("java-broken-helper", format!("// 2\n{poker}").as_bytes(), strategy.as_bytes());
    write(&class.join("java-broken-helper/Old.java"), "class Old { void f() { return 1 } }");
    assert!(poker.contains("public static void main"));
    let turned = poker.replace("public static void main", "static public void main");
    java("java-public-static", turned.as_bytes(), strategy.as_bytes());
    java("java-latin1", &[b"// caf\xe9 \xfc\n", poker.as_bytes()].concat(), strategy.as_bytes());
    let wide: Vec<u8> =
        [0xff, 0xfe].into_iter().chain(poker.encode_utf16().flat_map(u16::to_le_bytes)).collect();
    java("java-utf16", &wide, strategy.as_bytes());
    let packed = |text: &str| format!("package edu.cards;\n{text}");
    java("java-packages/src/edu/cards", packed(&poker).as_bytes(), packed(&strategy).as_bytes());
    for file in ["poker.cpp", "strategy.cpp", "question.hpp", "strategy.hpp", "system.hpp"] {
        let text = source("cpp", file);
        let part = if file.ends_with(".cpp") { "src" } else { "include" };
        write(&class.join("cpp-folders").join(part).join(file), format!("// 3\n{text}"));
        write(&class.join("cpp-makefile").join(file), format!("// 4\n{text}"));
    }
    let rule =
        "poker: poker.cpp strategy.cpp\n\tg++ -std=c++17 -O1 -pthread -o poker poker.cpp strategy.cpp\n";
    write(&class.join("cpp-makefile/Makefile"), rule);
    cpp_as_students_hand_it_in(class, rule);
    write(&class.join("cpp-broken/poker.cpp"), "int main( {");
    rust(&class.join("rust-vendored"));
    for file in ["go.mod", "main.go", "strategy.go"] {
        write(&class.join("go-module/Project01").join(file), source("go", file));
    }
}

/// Makefiles that make something else or nothing, what another machine has built, copies, and a main too many.
fn cpp_as_students_hand_it_in(class: &Path, rule: &str) {
    let player = |name: &str, number: u32| {
        for file in ["poker.cpp", "strategy.cpp", "question.hpp", "strategy.hpp", "system.hpp"] {
            write(&class.join(name).join(file), format!("// {number}\n{}", source("cpp", file)));
        }
    };
    let makefile = |name: &str, rule: &str| write(&class.join(name).join("Makefile"), rule);
    player("cpp-makefile-of-another-name", 5);
    makefile(
        "cpp-makefile-of-another-name",
        &rule.replace("poker:", "winner:").replace("-o poker", "-o winner"),
    );
    player("cpp-makefile-that-cleans", 6);
    makefile("cpp-makefile-that-cleans", &format!("clean:\n\trm -f poker *.o\n\n{rule}"));
    player("cpp-makefile-broken", 7);
    makefile("cpp-makefile-broken", &rule.replace("strategy.cpp", "tactics.cpp"));
    player("cpp-built-elsewhere", 8);
    let objects = "poker: poker.o strategy.o\n\tg++ -pthread -o poker poker.o strategy.o\n%.o: %.cpp\n\tg++ -std=c++17 -c $<\n";
    makefile("cpp-built-elsewhere", objects);
    for file in ["poker.o", "strategy.o", "poker"] {
        write(&class.join("cpp-built-elsewhere").join(file), b"\xcf\xfa\xed\xfe\0\0");
    }
    player("cpp-second-copies", 9);
    player("cpp-second-copies/test-cases", 10);
    write(&class.join("cpp-second-copies/test-cases/old/strategy.cpp"), "int old( {");
    player("cpp-main-beside", 11);
    write(&class.join("cpp-main-beside/main.cpp"), "int main() { return 0; }");
}

/// The starter of Rust as a crate that needs another one, which was handed in with it.
fn rust(folder: &Path) {
    let bot = folder.join("Project01");
    let manifest = "[package]\nname = \"ace\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[dependencies]\nluck = \"1\"\n";
    write(&bot.join("Cargo.toml"), manifest);
    let lock = "version = 3\n\n[[package]]\nname = \"ace\"\nversion = \"0.1.0\"\ndependencies = [\"luck\"]\n\n[[package]]\n\
                name = \"luck\"\nversion = \"1.0.0\"\nsource = \"registry+https://github.com/rust-lang/crates.io-index\"\n";
    write(&bot.join("Cargo.lock"), lock);
    let main = source("rust", "main.rs");
    write(
        &bot.join("src/main.rs"),
        format!("{main}\n#[allow(dead_code)]\nfn luck() -> u32 {{ luck::luck() }}\n"),
    );
    for file in ["strategy.rs", "tests.rs"] {
        write(&bot.join("src").join(file), source("rust", file));
    }
    let vendored = bot.join("vendor/luck");
    let manifest = "[package]\nname = \"luck\"\nversion = \"1.0.0\"\nedition = \"2021\"\n";
    write(&vendored.join("Cargo.toml"), manifest);
    write(&vendored.join("src/lib.rs"), "pub fn luck() -> u32 { 7 }\n");
    write(&vendored.join(".cargo-checksum.json"), "{\"files\":{}}");
}
