//! The kinds of folders that are recognised: one function for each.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use serde::Deserialize;

use super::{Recipe, SourceFolder, Unrecognised};
use crate::system::command_line::{self, LINKING};

/// How many bytes of a source are looked at to find its `main`.
const SOURCE: u64 = 1 << 20;

/// How many folders in folders are searched for sources.
const DEEPEST_SOURCE: usize = 32;

/// Takes a folder for one kind of bot, if it is one.
type Kind = fn(SourceFolder<'_>) -> Result<Option<Recipe>, Unrecognised>;

/// The kinds, in the order in which a folder is tried for them.
const KINDS: [Kind; 12] =
    [bot_json, java, cargo, go, npm, makefile, rust, cpp, c, python, javascript, prolog];

/// The recipe of a folder, if it is a bot of any kind.
pub(super) fn recipe(folder: &SourceFolder<'_>) -> Result<Option<Recipe>, Unrecognised> {
    for kind in KINDS {
        if let Some(recipe) = kind(*folder)? {
            return Ok(Some(recipe));
        }
    }
    Ok(None)
}

impl SourceFolder<'_> {
    fn has(&self, name: &str) -> bool {
        self.files.iter().any(|file| file == name)
    }

    fn has_any(&self, endings: &[&str]) -> bool {
        self.files.iter().any(|file| endings.iter().any(|ending| file.ends_with(ending)))
    }

    /// The beginning of a file. Bytes that are no text do not matter here.
    fn read(&self, name: &str) -> Result<String, Unrecognised> {
        let path = self.path.join(name);
        let mut bytes = Vec::new();
        match File::open(&path).and_then(|file| file.take(SOURCE).read_to_end(&mut bytes)) {
            // Editors of Windows put a mark before the first letter.
            Ok(_) => {
                Ok(String::from_utf8_lossy(bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&bytes))
                    .into_owned())
            }
            Err(error) => Err(Unrecognised::Unreadable { path, error }),
        }
    }
}

/// A recipe whose command gets the dealer's host and port as its last two arguments.
fn recipe_of(kind: &str, build: &[&str], run: &str) -> Recipe {
    Recipe {
        kind: kind.to_string(),
        build: build.iter().map(ToString::to_string).collect(),
        run: format!("{run} {{host}} {{port}}"),
        makes: &[],
    }
}

/// The content of `bot.json`. `build` is one command or several.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BotJson {
    #[serde(default)]
    build: Option<Lines>,
    run: String,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Lines {
    One(String),
    Several(Vec<String>),
}

fn bot_json(folder: SourceFolder<'_>) -> Result<Option<Recipe>, Unrecognised> {
    if !folder.has("bot.json") {
        return Ok(None);
    }
    let text = folder.read("bot.json")?;
    let bot: BotJson = serde_json::from_str(&text).map_err(|error| Unrecognised::BotJson { error })?;
    let build = match bot.build {
        None => Vec::new(),
        Some(Lines::One(line)) => vec![line],
        Some(Lines::Several(lines)) => lines,
    };
    Recipe::told("bot.json", &build, &bot.run).map(Some)
}

fn java(folder: SourceFolder<'_>) -> Result<Option<Recipe>, Unrecognised> {
    let Some(class) = main_class(folder)? else { return Ok(None) };
    let sources = sources(folder.path, &[".java"], DEEPEST_SOURCE);
    let build = format!("javac -encoding UTF-8 -nowarn -d . {sources}");
    Ok(Some(recipe_of("Java", &[&build], &format!("java -cp . {class}"))))
}

fn cargo(folder: SourceFolder<'_>) -> Result<Option<Recipe>, Unrecognised> {
    if !folder.has("Cargo.toml") {
        return Ok(None);
    }
    let name = cargo_name(&folder.read("Cargo.toml")?);
    let name = name.ok_or_else(|| Unrecognised::Nothing { folder: folder.path.to_path_buf() })?;
    let build = "cargo build --release --offline --quiet";
    Ok(Some(recipe_of("Rust", &[build], &format!("target/release/{name}"))))
}

fn go(folder: SourceFolder<'_>) -> Result<Option<Recipe>, Unrecognised> {
    let is_module = folder.has("go.mod");
    let sources = if is_module { ".".to_string() } else { sources(folder.path, &[".go"], 1) };
    let build = format!("go build -o {} {sources}", built_program());
    Ok((is_module || folder.has_any(&[".go"])).then(|| recipe_of("Go", &[&build], "./casino-bot")))
}

fn npm(folder: SourceFolder<'_>) -> Result<Option<Recipe>, Unrecognised> {
    if !folder.has("package.json") {
        return Ok(None);
    }
    let package: serde_json::Value = serde_json::from_str(&folder.read("package.json")?)
        .map_err(|error| Unrecognised::PackageJson { path: folder.path.join("package.json"), error })?;
    let main = package["main"].as_str();
    Ok(main.map(|main| recipe_of("JavaScript", &[], &format!("node {}", quoted(main)))))
}

fn makefile(folder: SourceFolder<'_>) -> Result<Option<Recipe>, Unrecognised> {
    // The program it makes: the first of these names that is there afterwards.
    Ok((folder.has("Makefile") || folder.has("makefile")).then(|| Recipe {
        makes: &["poker", "bot", "main"],
        ..recipe_of("Makefile", &["make"], "./{program}")
    }))
}

fn rust(folder: SourceFolder<'_>) -> Result<Option<Recipe>, Unrecognised> {
    let build = format!("rustc -O --edition 2021 -o {} main.rs", built_program());
    Ok(folder.has("main.rs").then(|| recipe_of("Rust", &[&build], "./casino-bot")))
}

fn cpp(folder: SourceFolder<'_>) -> Result<Option<Recipe>, Unrecognised> {
    let endings = [".cpp", ".cc", ".cxx"];
    let compiler = installed(&["g++", "c++", "clang++"]);
    let build = format!(
        "{compiler} -std=c++17 -O2 -pthread -o {} {}{LINKING}",
        built_program(),
        sources(folder.path, &endings, 1)
    );
    Ok(folder.has_any(&endings).then(|| recipe_of("C++", &[&build], "./casino-bot")))
}

fn c(folder: SourceFolder<'_>) -> Result<Option<Recipe>, Unrecognised> {
    let compiler = installed(&["cc", "gcc", "clang"]);
    let sources = sources(folder.path, &[".c"], 1);
    let build = format!("{compiler} -O2 -pthread -o {} {sources} -lm{LINKING}", built_program());
    Ok(folder.has_any(&[".c"]).then(|| recipe_of("C", &[&build], "./casino-bot")))
}

fn python(folder: SourceFolder<'_>) -> Result<Option<Recipe>, Unrecognised> {
    let usual = ["poker.py", "main.py", "bot.py", "player.py"];
    let file = script(folder, &[".py"], &usual, "__main__")?;
    Ok(file.map(|file| recipe_of("Python", &[], &format!("python3 -u {}", quoted(&file)))))
}

fn javascript(folder: SourceFolder<'_>) -> Result<Option<Recipe>, Unrecognised> {
    let usual = ["poker.js", "main.js", "index.js", "bot.js", "poker.mjs", "main.mjs", "index.mjs"];
    let file = script(folder, &[".js", ".mjs", ".cjs"], &usual, "process.argv")?;
    Ok(file.map(|file| recipe_of("JavaScript", &[], &format!("node {}", quoted(&file)))))
}

fn prolog(folder: SourceFolder<'_>) -> Result<Option<Recipe>, Unrecognised> {
    let file = script(folder, &[".pl"], &["poker.pl", "main.pl", "bot.pl"], "initialization")?;
    Ok(file.map(|file| recipe_of("Prolog", &[], &format!("swipl -q {}", quoted(&file)))))
}

/// The class to run: `Poker`, as the document has it, or the only one with a `main`.
fn main_class(folder: SourceFolder<'_>) -> Result<Option<String>, Unrecognised> {
    let sources: Vec<&String> = folder.files.iter().filter(|file| file.ends_with(".java")).collect();
    let mut mains = Vec::new();
    for file in &sources {
        let text = folder.read(file)?;
        let words: Vec<&str> = text.split_whitespace().collect();
        let has_main =
            text.contains("static void main") || words.windows(3).any(|w| w == ["static", "void", "main"]);
        if has_main {
            let name = file.trim_end_matches(".java");
            let package = words.iter().position(|word| *word == "package").and_then(|at| words.get(at + 1));
            let declared = text.lines().any(|line| line.trim_start().starts_with("package "));
            let class = match package.filter(|_| declared) {
                Some(package) => format!("{}.{name}", package.trim_end_matches(';')),
                None => name.to_string(),
            };
            if name == "Poker" {
                return Ok(Some(class));
            }
            mains.push(class);
        }
    }
    only(mains)
}

/// The script to run: the one with a usual name, the only one, or the only one that contains the sign.
fn script(
    folder: SourceFolder<'_>,
    endings: &[&str],
    usual: &[&str],
    sign: &str,
) -> Result<Option<String>, Unrecognised> {
    if let Some(name) = usual.iter().find(|name| folder.has(name)) {
        return Ok(Some((*name).to_string()));
    }
    let all: Vec<String> = folder
        .files
        .iter()
        .filter(|file| endings.iter().any(|ending| file.ends_with(ending)))
        .cloned()
        .collect();
    if all.len() < 2 {
        return Ok(all.into_iter().next());
    }
    let mut signed = Vec::new();
    for file in &all {
        if folder.read(file)?.contains(sign) {
            signed.push(file.clone());
        }
    }
    only(if signed.is_empty() { all } else { signed })
}

fn only(mut files: Vec<String>) -> Result<Option<String>, Unrecognised> {
    match files.len() {
        0 | 1 => Ok(files.pop()),
        _ => Err(Unrecognised::Several { files }),
    }
}

/// The name of the program in a `Cargo.toml`: that of its first `[[bin]]`, else of the package.
fn cargo_name(text: &str) -> Option<String> {
    let mut section = "";
    let mut package = None;
    for line in text.lines().map(str::trim) {
        if line.starts_with('[') {
            section = line;
        }
        let name = line.strip_prefix("name").and_then(|rest| rest.trim_start().strip_prefix('='));
        let name = name.map(|name| name.trim().trim_matches('"').to_string());
        match (section, name) {
            ("[[bin]]", Some(name)) => return Some(name),
            ("[package]", Some(name)) => package = Some(name),
            _ => {}
        }
    }
    package
}

/// The file of the program that a compiler is to make, with the ending that programs have on this system.
fn built_program() -> String {
    format!("casino-bot{}", std::env::consts::EXE_SUFFIX)
}

/// The first of these programs that is installed, or the first.
fn installed<'a>(names: &[&'a str]) -> &'a str {
    names.iter().find(|name| command_line::find_program(name).is_some()).unwrap_or(&names[0])
}

/// The files with these endings in a folder and in those inside it, `depth` levels down, as words of a command line.
/// Those with the first ending come first. None is hidden, and none is taken for an option.
fn sources(folder: &Path, endings: &[&str], depth: usize) -> String {
    let mut words = Vec::new();
    for ending in endings {
        let mut found = Vec::new();
        find(folder, ".", ending, depth, &mut found);
        found.sort();
        words.extend(found.iter().map(|path| quoted(path)));
    }
    words.join(" ")
}

/// Adds the files with this ending in a folder and in those inside it, hidden ones left out. Links to folders are not
/// followed.
fn find(folder: &Path, inside: &str, ending: &str, depth: usize, found: &mut Vec<String>) {
    let Some(deeper) = depth.checked_sub(1) else { return };
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let (Ok(name), Ok(kind)) = (entry.file_name().into_string(), entry.file_type()) else { continue };
        let path = format!("{inside}/{name}");
        if name.starts_with('.') {
            continue;
        } else if kind.is_dir() {
            find(&entry.path(), &path, ending, deeper, found);
        } else if name.ends_with(ending) {
            found.push(path);
        }
    }
}

fn quoted(word: &str) -> String {
    command_line::quote(word).unwrap_or_else(|| word.to_string())
}
