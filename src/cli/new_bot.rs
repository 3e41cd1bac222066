//! The command `casino new-bot`, which writes out a starter bot.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::builder::PossibleValuesParser;

use super::{Failure, Output};
use crate::system::command_line::{as_typed_here, quote};

/// A starter bot: its files, which are those of `bots/`, and the two commands of its README.
struct Kit {
    language: &'static str,
    files: &'static [(&'static str, &'static str)],
    build: Option<&'static str>,
    run: &'static str,
    edit: &'static str,
}

macro_rules! files {
    ($folder:literal: $($file:literal),+) => {
        &[$(($file, include_str!(concat!("../../bots/", $folder, "/", $file)))),+]
    };
}

const KITS: [Kit; 6] = [
    Kit {
        language: "java",
        files: files!("java": "Poker.java", "Strategy.java", "README.md"),
        build: Some("javac -encoding UTF-8 Poker.java Strategy.java"),
        run: "java Poker HOST PORT",
        edit: "Strategy.java",
    },
    Kit {
        language: "python",
        files: files!("python": "poker.py", "strategy.py", "test_poker.py", "README.md"),
        build: None,
        run: "python3 poker.py HOST PORT",
        edit: "strategy.py",
    },
    Kit {
        language: "cpp",
        files: files!("cpp": "question.hpp", "poker.cpp", "strategy.hpp", "strategy.cpp", "README.md", ".gitignore"),
        build: Some("g++ -std=c++17 -O2 -o poker poker.cpp strategy.cpp"),
        run: "./poker HOST PORT",
        edit: "strategy.cpp",
    },
    Kit {
        language: "javascript",
        files: files!("javascript": "poker.js", "strategy.js", "README.md"),
        build: None,
        run: "node poker.js HOST PORT",
        edit: "strategy.js",
    },
    Kit {
        language: "rust",
        files: files!("rust": "main.rs", "strategy.rs", "tests.rs", "README.md", ".gitignore"),
        build: Some("rustc --edition 2021 -O -o poker main.rs"),
        run: "./poker HOST PORT",
        edit: "strategy.rs",
    },
    Kit {
        language: "go",
        files: files!("go": "main.go", "strategy.go", "go.mod", "README.md", ".gitignore"),
        build: Some("go build -o poker ."),
        run: "./poker HOST PORT",
        edit: "strategy.go",
    },
];

#[derive(clap::Args)]
#[command(
    after_help = "The folder is made if it is not there. No file in it is overwritten.\n\nExamples:\n  \
        casino new-bot java mybot\n  \
        casino new-bot python ~/casino/first-try\n  \
        casino play --bot 'me=python3 ~/casino/first-try/poker.py {host} {port}' --bot cautious --bot random"
)]
pub(super) struct NewBot {
    /// The language of the bot
    #[arg(value_parser = PossibleValuesParser::new(KITS.iter().map(|kit| kit.language)))]
    language: String,
    /// The folder to write it to
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

impl NewBot {
    pub(super) fn run(self) -> Result<(), Failure> {
        let kit = KITS.iter().find(|kit| kit.language == self.language);
        let kit = kit.expect("clap takes only the languages of the kits");
        write_out(kit, &self.folder)?;
        let folder = self.folder.display().to_string();
        let folder = quote(&folder).unwrap_or(folder);
        let mut output = Output::stdout();
        output.line(format_args!("A {} bot is in {folder}. Its play is in {}.", kit.language, kit.edit))?;
        output.line(format_args!("\n    cd {folder}"))?;
        if let Some(build) = kit.build {
            output.line(format_args!("    {}", as_typed_here(build)))?;
        }
        output.line(format_args!("    {}", as_typed_here(kit.run)))?;
        output.flush()
    }
}

/// Writes all files or none.
fn write_out(kit: &Kit, folder: &Path) -> Result<(), Failure> {
    let there: Vec<&str> = kit
        .files
        .iter()
        .map(|(name, _)| *name)
        .filter(|name| fs::symlink_metadata(folder.join(name)).is_ok())
        .collect();
    if !there.is_empty() {
        return Err(Failure::Usage(format!(
            "{} has {} already: give another folder, nothing is overwritten",
            folder.display(),
            there.join(", ")
        )));
    }
    let failed = |path: &Path, error: io::Error| Failure::Usage(format!("{}: {error}", path.display()));
    fs::create_dir_all(folder).map_err(|error| failed(folder, error))?;
    for (name, content) in kit.files {
        let path = folder.join(name);
        OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(&path)
            .and_then(|mut file| file.write_all(content.as_bytes()))
            .map_err(|error| failed(&path, error))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_readme_has_the_commands_of_its_kit() {
        for kit in &KITS {
            let (_, readme) = kit.files.iter().find(|(name, _)| *name == "README.md").unwrap();
            for command in kit.build.iter().chain([&kit.run]) {
                assert!(readme.contains(&format!("\n    {command}\n")), "{}: {command}", kit.language);
            }
            assert!(kit.files.iter().any(|(name, _)| *name == kit.edit));
        }
    }
}
