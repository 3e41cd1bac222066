//! The command `casino new-bot`, which writes out a starter bot.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::builder::PossibleValuesParser;

use super::{Failure, Output};
use casino_system::command_line;

/// A starter bot: its files, which are those of `bots/`, and the commands of its README.
struct Kit {
    language: &'static str,
    files: &'static [(&'static str, &'static str)],
    /// The commands on Linux and macOS, and on Windows if they are others there.
    commands: Commands,
    on_windows: Option<Commands>,
    edit: &'static str,
}

struct Commands {
    build: Option<&'static str>,
    run: &'static str,
}

impl Commands {
    const fn built(build: &'static str, run: &'static str) -> Commands {
        Commands { build: Some(build), run }
    }
}

impl Kit {
    /// The commands for a system by the name that [`std::env::consts::OS`] has for it.
    fn commands_on(&self, system: &str) -> &Commands {
        self.on_windows.as_ref().filter(|_| system == "windows").unwrap_or(&self.commands)
    }
}

/// The files of all kits, by their names.
pub(super) fn kit_files() -> impl Iterator<Item = &'static (&'static str, &'static str)> {
    KITS.iter().flat_map(|kit| kit.files)
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
        commands: Commands::built("javac -encoding UTF-8 Poker.java Strategy.java", "java Poker HOST PORT"),
        on_windows: None,
        edit: "Strategy.java",
    },
    Kit {
        language: "python",
        files: files!("python": "poker.py", "strategy.py", "test_poker.py", "README.md"),
        commands: Commands { build: None, run: "python3 poker.py HOST PORT" },
        on_windows: Some(Commands { build: None, run: "py poker.py HOST PORT" }),
        edit: "strategy.py",
    },
    Kit {
        language: "cpp",
        files: files!(
            "cpp": "question.hpp", "poker.cpp", "strategy.hpp", "strategy.cpp", "system.hpp", "README.md",
            ".gitignore"
        ),
        commands: Commands::built("g++ -std=c++17 -O2 -o poker poker.cpp strategy.cpp", "./poker HOST PORT"),
        on_windows: Some(Commands::built(
            "g++ -std=c++17 -O2 -static -o poker.exe poker.cpp strategy.cpp -lws2_32",
            ".\\poker HOST PORT",
        )),
        edit: "strategy.cpp",
    },
    Kit {
        language: "javascript",
        files: files!("javascript": "poker.js", "strategy.js", "README.md"),
        commands: Commands { build: None, run: "node poker.js HOST PORT" },
        on_windows: None,
        edit: "strategy.js",
    },
    Kit {
        language: "rust",
        files: files!("rust": "main.rs", "strategy.rs", "tests.rs", "README.md", ".gitignore"),
        commands: Commands::built("rustc --edition 2021 -O -o poker main.rs", "./poker HOST PORT"),
        on_windows: Some(Commands::built(
            "rustc --edition 2021 -O -o poker.exe main.rs",
            ".\\poker HOST PORT",
        )),
        edit: "strategy.rs",
    },
    Kit {
        language: "go",
        files: files!("go": "main.go", "strategy.go", "go.mod", "README.md", ".gitignore"),
        commands: Commands::built("go build -o poker .", "./poker HOST PORT"),
        on_windows: Some(Commands::built("go build -o poker.exe .", ".\\poker HOST PORT")),
        edit: "strategy.go",
    },
];

/// The next steps with a new bot, in its folder; its README has the same lines.
const NEXT_STEPS: [&str; 3] = [
    "casino check .",
    "casino play --bot me=. --bot cautious --bot odds --bot reader --seed first --quiet --journal first.jsonl",
    "casino analyse first.jsonl --player me",
];

#[derive(clap::Args)]
#[command(after_help = "Creates the folder if necessary, and overwrites no file.\n\n\
        Examples:\n  \
        casino new-bot java mybot\n  \
        casino new-bot python ~/casino/first-try\n  \
        casino play --bot me=first-try --bot cautious --bot random")]
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
        let folder = command_line::quote(&folder).ok_or_else(|| {
            Failure::Usage(format!("{folder} cannot be written in a command line: give another folder"))
        })?;
        let mut output = Output::stdout();
        output.line(format_args!("A {} bot is in {folder}. Its play is in {}.", kit.language, kit.edit))?;
        output.line(format_args!("\n    cd {folder}"))?;
        let commands = kit.commands_on(std::env::consts::OS);
        for command in commands.build.iter().chain([&commands.run]) {
            output.line(format_args!("    {command}"))?;
        }
        output
            .line("\nNext, in that folder: check that it follows the protocol, let it play, and look at its\ncostliest decisions.\n")?;
        for command in NEXT_STEPS {
            output.line(format_args!("    {command}"))?;
        }
        output.line("\nREADME.md has more, including the order of hands.")?;
        output.flush()
    }
}

/// Writes all files or none.
fn write_out(kit: &Kit, folder: &Path) -> Result<(), Failure> {
    if folder.exists() && !folder.is_dir() {
        return Err(Failure::Usage(format!(
            "{} is a file: give a folder, which is made if it is not there",
            folder.display()
        )));
    }
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
    fs::create_dir_all(folder).map_err(|error| Failure::of_path(folder, error))?;
    for (name, content) in kit.files {
        let path = folder.join(name);
        File::create_new(&path)
            .and_then(|mut file| file.write_all(content.as_bytes()))
            .map_err(|error| Failure::of_path(&path, error))?;
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
            for system in ["linux", "macos", "windows"] {
                let commands = kit.commands_on(system);
                for command in commands.build.iter().chain([&commands.run]).chain(&NEXT_STEPS) {
                    assert!(readme.contains(&format!("\n    {command}\n")), "{}: {command}", kit.language);
                }
            }
            assert!(kit.files.iter().any(|(name, _)| *name == kit.edit));
        }
    }

    #[test]
    fn every_line_of_a_kit_ends_as_on_linux() {
        for (name, content) in KITS.iter().flat_map(|kit| kit.files) {
            assert!(!content.contains('\r'), "{name}: .gitattributes keeps this checkout's line ends");
        }
    }

    #[test]
    fn windows_has_commands_of_its_own_where_it_needs_them() {
        let run = |language: &str, system: &str| {
            KITS.iter().find(|kit| kit.language == language).unwrap().commands_on(system).run
        };
        assert_eq!(run("python", "windows"), "py poker.py HOST PORT");
        assert_eq!(run("python", "macos"), "python3 poker.py HOST PORT");
        assert_eq!(run("java", "windows"), run("java", "linux"));
        assert!(KITS.iter().all(|kit| !kit.commands_on("windows").run.contains('/')));
    }
}
