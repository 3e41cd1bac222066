//! Recognition of a folder of any files, as a student may submit it.

use std::fs;
use std::path::{Component, Path};

use casino_judge::grade::submission::{Aim, recognise};

use super::check;
use super::dice::Dice;
use super::folder::Folder;

/// Names that programs have, in the languages that are recognised.
const NAMES: [&str; 24] = [
    "Poker.java",
    "Main.java",
    "Client.java",
    "poker.py",
    "main.py",
    "bot.js",
    "index.js",
    "package.json",
    "Cargo.toml",
    "src/main.rs",
    "main.go",
    "go.mod",
    "main.cpp",
    "Makefile",
    "CMakeLists.txt",
    "run.sh",
    "poker.pl",
    "a/Poker.java",
    "a/b/main.py",
    "b/Cargo.toml",
    "build.gradle",
    "pom.xml",
    "bot",
    "README.md",
];

/// Fragments that determine the kind of a file.
const PIECES: [&str; 20] = [
    "public class Poker {",
    "public static void main(String[] args) {",
    "new Socket(host, port)",
    "package a.b;",
    "import socket\n",
    "if __name__ == '__main__':\n",
    "readUTF()",
    "writeUTF",
    "require('net')",
    "package main\n",
    "func main() {",
    "int main(int argc, char **argv) {",
    "[package]\nname = \"bot\"\n",
    "fn main() {",
    "{\"name\":\"bot\",\"main\":\"x.js\",\"scripts\":{\"start\":\"node x.js\"}}",
    "#!/bin/sh\n",
    "/*",
    "\"",
    "// ",
    "\n",
];

pub fn body(input: &[u8]) {
    let mut dice = Dice::of(input);
    let folder = Folder::new();
    for _ in 0..1 + dice.below(5) {
        let path = folder.path.join(NAMES[dice.below(NAMES.len())]);
        let content = content(&mut dice);
        // A file may be where a folder is wanted: then it stays.
        let written = fs::create_dir_all(path.parent().unwrap_or(&folder.path))
            .and_then(|()| fs::write(&path, content));
        assert!(written.is_ok() || path.ancestors().any(Path::exists), "{written:?}");
    }
    let aims = [Aim::Player, Aim::Answers { names: &["CribbageValue", "value"], arguments: "{cards}" }];
    for aim in &aims {
        for project in [None, Some("a"), Some("missing")] {
            taken_for(&folder.path, project, aim);
        }
    }
}

fn content(dice: &mut Dice<'_>) -> Vec<u8> {
    let mut content = Vec::new();
    for _ in 0..dice.below(8) {
        match dice.below(4) {
            0 => content.push(dice.byte()),
            _ => content.extend_from_slice(PIECES[dice.below(PIECES.len())].as_bytes()),
        }
    }
    content
}

/// Checks that the result is the same twice and inside the submission, and that a failure has a remedy.
fn taken_for(folder: &Path, project: Option<&str>, aim: &Aim) {
    let found = recognise(folder, project, aim);
    let again = recognise(folder, project, aim);
    match (found, again) {
        (Ok((place, recipe)), Ok(same)) => {
            assert_eq!((&place, &recipe), (&same.0, &same.1), "it is taken for two things");
            let inside = place.strip_prefix(folder).expect("a folder of the submission");
            assert!(
                inside.components().all(|part| matches!(part, Component::Normal(_))),
                "{}",
                inside.display()
            );
            let commands = recipe.build.iter().chain(recipe.instead.iter().flatten()).chain([&recipe.run]);
            for command in commands {
                check::harmless(command);
            }
            assert!(!recipe.run.is_empty() && !recipe.kind.is_empty());
        }
        (Err(error), Err(same)) => {
            assert_eq!(error.to_string(), same.to_string());
            check::sentence(&error.to_string());
        }
        (one, other) => panic!("{one:?}, and then {other:?}"),
    }
}
