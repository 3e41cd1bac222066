//! What a folder of a student's files is, and how it is built and run.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

/// How many folders in folders are opened to find the one with the program: an unpacked archive often holds one
/// folder.
const DEEPEST: usize = 4;

/// How many bytes of a source are looked at to find its `main`.
const SOURCE: u64 = 1 << 20;

/// How a bot is built and run, as lines for a shell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recipe {
    /// What it was taken for: a language, or the file that says it.
    pub kind: String,
    /// The commands that build it, one after the other.
    pub build: Vec<String>,
    /// The command that runs it, with `{host}` and `{port}`.
    pub run: String,
}

/// A folder that is no bot as it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unrecognised {
    /// It cannot be read.
    Unreadable {
        /// The folder or file.
        path: PathBuf,
        /// What the system said.
        why: String,
    },
    /// Nothing in it can be started.
    Nothing {
        /// The folder.
        folder: PathBuf,
    },
    /// Several files could be the program.
    Several {
        /// Their names.
        files: Vec<String>,
    },
    /// A `bot.json` that cannot be used.
    BotJson {
        /// Why.
        why: String,
    },
    /// A command without a place for the dealer's address.
    NoAddress {
        /// What is missing.
        blank: &'static str,
        /// The command.
        run: String,
    },
}

impl fmt::Display for Unrecognised {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const TELL: &str = "write a bot.json like {\"build\": \"javac Poker.java\", \"run\": \"java Poker {host} {port}\"}, \
                            or use --build and --run";
        match self {
            Unrecognised::Unreadable { path, why } => write!(f, "{} cannot be read: {why}", path.display()),
            Unrecognised::Nothing { folder } => write!(
                f,
                "{} holds no bot that is known by its files (Poker.java, poker.py, Cargo.toml, go.mod, package.json, \
                 Makefile, C++ or JavaScript sources): {TELL}",
                folder.display()
            ),
            Unrecognised::Several { files } => {
                write!(f, "several files could be the program ({}): {TELL}", files.join(", "))
            }
            Unrecognised::BotJson { why } => write!(f, "bot.json cannot be used: {why}"),
            Unrecognised::NoAddress { blank, run } => write!(
                f,
                "the command \"{run}\" has no {blank}: write where the program gets the dealer's address, as in \
                 java Poker {{host}} {{port}}"
            ),
        }
    }
}

impl std::error::Error for Unrecognised {}

/// What `bot.json` holds. `build` is one command or several.
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

impl Recipe {
    /// A recipe in the grader's own words.
    ///
    /// # Errors
    /// If the command has no `{host}` or no `{port}`.
    pub fn told(kind: &str, build: &[String], run: &str) -> Result<Recipe, Unrecognised> {
        for blank in ["{host}", "{port}"] {
            if !run.contains(blank) {
                return Err(Unrecognised::NoAddress { blank, run: run.to_string() });
            }
        }
        Ok(Recipe { kind: kind.to_string(), build: build.to_vec(), run: run.to_string() })
    }
}

/// The folder inside this one in which the program is, and what it is.
///
/// # Errors
/// [`Unrecognised`], with what to do about it.
pub fn recognise(folder: &Path) -> Result<(PathBuf, Recipe), Unrecognised> {
    let mut inside = folder.to_path_buf();
    for _ in 0..DEEPEST {
        let (files, folders) = list(&inside)?;
        if let Some(recipe) = recipe(&inside, &files)? {
            return Ok((inside, recipe));
        }
        let next = match &folders[..] {
            [only] => only,
            several if several.iter().any(|name| name == "src") => "src",
            _ => break,
        };
        inside = inside.join(next);
    }
    Err(Unrecognised::Nothing { folder: folder.to_path_buf() })
}

/// The names of the files and of the folders in a folder, in order, without hidden ones.
fn list(folder: &Path) -> Result<(Vec<String>, Vec<String>), Unrecognised> {
    let unreadable = |error: std::io::Error| Unrecognised::Unreadable {
        path: folder.to_path_buf(),
        why: error.to_string(),
    };
    let (mut files, mut folders) = (Vec::new(), Vec::new());
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let Ok(name) = entry.file_name().into_string() else { continue };
        let kind = entry.file_type().map_err(unreadable)?;
        if name.starts_with('.') || name.starts_with("__") {
            continue;
        }
        if kind.is_dir() {
            folders.push(name);
        } else if kind.is_file() {
            files.push(name);
        }
    }
    files.sort();
    folders.sort();
    Ok((files, folders))
}

fn recipe(folder: &Path, files: &[String]) -> Result<Option<Recipe>, Unrecognised> {
    let has = |name: &str| files.iter().any(|file| file == name);
    let address = |run: &str| format!("{run} {{host}} {{port}}");
    let made = |kind: &str, build: &[&str], run: &str| {
        let build = build.iter().map(ToString::to_string).collect();
        Ok(Some(Recipe { kind: kind.to_string(), build, run: address(run) }))
    };
    if has("bot.json") {
        return bot_json(folder).map(Some);
    }
    if let Some(class) = java(folder, files)? {
        let run = format!("java -cp . {class}");
        return made(
            "Java",
            &["javac -encoding UTF-8 -nowarn -d . $(find . -name '*.java' -not -path './.*')"],
            &run,
        );
    }
    if has("Cargo.toml") {
        let name = cargo_name(&read(&folder.join("Cargo.toml"))?);
        let name = name.ok_or_else(|| Unrecognised::Nothing { folder: folder.to_path_buf() })?;
        return made("Rust", &["cargo build --release --offline --quiet"], &format!("target/release/{name}"));
    }
    if has("go.mod") || files.iter().any(|file| file.ends_with(".go")) {
        let build = if has("go.mod") { "go build -o casino-bot ." } else { "go build -o casino-bot *.go" };
        return made("Go", &[build], "./casino-bot");
    }
    if has("package.json") {
        let package: serde_json::Value = serde_json::from_str(&read(&folder.join("package.json"))?)
            .map_err(|error| Unrecognised::Nothing { folder: folder.to_path_buf() }.because(&error))?;
        if let Some(main) = package["main"].as_str() {
            return made("JavaScript", &[], &format!("node {}", quoted(main)));
        }
    }
    if has("Makefile") || has("makefile") {
        // The program it makes: the first of these names that is there afterwards.
        let run = "for bot in poker bot main; do test -x ./$bot && exec ./$bot {host} {port}; done; \
                   echo 'make has built no program named poker, bot or main' >&2; exit 127";
        return Ok(Some(Recipe { kind: "Makefile".into(), build: vec!["make".into()], run: run.into() }));
    }
    if has("main.rs") {
        return made("Rust", &["rustc -O --edition 2021 -o casino-bot main.rs"], "./casino-bot");
    }
    let of = |ending: &str| files.iter().any(|file| file.ends_with(ending));
    if [".cpp", ".cc", ".cxx"].iter().any(|ending| of(ending)) {
        let build = "g++ -std=c++17 -O2 -pthread -o casino-bot $(ls *.cpp *.cc *.cxx 2>/dev/null)";
        return made("C++", &[build], "./casino-bot");
    }
    if of(".c") {
        return made("C", &["cc -O2 -pthread -o casino-bot *.c -lm"], "./casino-bot");
    }
    if let Some(file) =
        script(folder, files, &[".py"], &["poker.py", "main.py", "bot.py", "player.py"], "__main__")?
    {
        return made("Python", &[], &format!("python3 -u {}", quoted(&file)));
    }
    let names = ["poker.js", "main.js", "index.js", "bot.js", "poker.mjs", "main.mjs", "index.mjs"];
    if let Some(file) = script(folder, files, &[".js", ".mjs", ".cjs"], &names, "process.argv")? {
        return made("JavaScript", &[], &format!("node {}", quoted(&file)));
    }
    if let Some(file) = script(folder, files, &[".pl"], &["poker.pl", "main.pl", "bot.pl"], "initialization")?
    {
        return made("Prolog", &[], &format!("swipl -q {}", quoted(&file)));
    }
    Ok(None)
}

impl Unrecognised {
    /// A file in the folder that cannot be understood.
    fn because(self, error: &dyn fmt::Display) -> Unrecognised {
        match self {
            Unrecognised::Nothing { folder } => {
                Unrecognised::Unreadable { path: folder.join("package.json"), why: error.to_string() }
            }
            other => other,
        }
    }
}

fn bot_json(folder: &Path) -> Result<Recipe, Unrecognised> {
    let text = read(&folder.join("bot.json"))?;
    let bot: BotJson =
        serde_json::from_str(&text).map_err(|error| Unrecognised::BotJson { why: error.to_string() })?;
    let build = match bot.build {
        None => Vec::new(),
        Some(Lines::One(line)) => vec![line],
        Some(Lines::Several(lines)) => lines,
    };
    Recipe::told("bot.json", &build, &bot.run)
}

/// The class to run: `Poker`, as the document has it, or the only one with a `main`.
fn java(folder: &Path, files: &[String]) -> Result<Option<String>, Unrecognised> {
    let sources: Vec<&String> = files.iter().filter(|file| file.ends_with(".java")).collect();
    let mut mains = Vec::new();
    for file in &sources {
        let text = read(&folder.join(file))?;
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

/// The script to run: one of the usual names, the only one, or the only one that has this in it.
fn script(
    folder: &Path,
    files: &[String],
    endings: &[&str],
    usual: &[&str],
    sign: &str,
) -> Result<Option<String>, Unrecognised> {
    if let Some(name) = usual.iter().find(|name| files.iter().any(|file| file == *name)) {
        return Ok(Some((*name).to_string()));
    }
    let all: Vec<String> =
        files.iter().filter(|file| endings.iter().any(|ending| file.ends_with(ending))).cloned().collect();
    if all.len() < 2 {
        return Ok(all.into_iter().next());
    }
    let mut signed = Vec::new();
    for file in &all {
        if read(&folder.join(file))?.contains(sign) {
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

/// The beginning of a file. Bytes that are no text do not matter here.
fn read(path: &Path) -> Result<String, Unrecognised> {
    use std::io::Read;
    let mut bytes = Vec::new();
    fs::File::open(path)
        .and_then(|file| file.take(SOURCE).read_to_end(&mut bytes))
        .map_err(|error| Unrecognised::Unreadable { path: path.to_path_buf(), why: error.to_string() })?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
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

fn quoted(word: &str) -> String {
    shlex::try_quote(word).map_or_else(|_| word.to_string(), |word| word.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder with these files, recognised: where, what, and how it is run.
    fn of(name: &str, files: &[(&str, &str)]) -> Result<(PathBuf, Recipe), Unrecognised> {
        let folder = std::env::temp_dir().join(format!("casino-recognise-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        for (file, content) in files {
            let path = folder.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }
        let recognised = recognise(&folder);
        fs::remove_dir_all(&folder).unwrap();
        recognised.map(|(inside, recipe)| (inside.strip_prefix(&folder).unwrap().to_path_buf(), recipe))
    }

    #[test]
    fn folders_are_known_by_their_files() {
        const MAIN: &str = "class X { public static void main(String[] a) {} }";
        for (name, files, kind, run) in [
            ("document", &[("Poker.java", MAIN), ("Other.java", MAIN)][..], "Java", "java -cp . Poker"),
            ("main", &[("Bot.java", MAIN), ("Card.java", "class Card {}")], "Java", "java -cp . Bot"),
            ("package", &[("Bot.java", &format!("package a.b;\n{MAIN}"))], "Java", "java -cp . a.b.Bot"),
            ("cargo", &[("Cargo.toml", "[package]\nname = \"ace\"\n")], "Rust", "target/release/ace"),
            (
                "bin",
                &[("Cargo.toml", "[[bin]]\nname=\"king\"\n[package]\nname=\"ace\"")],
                "Rust",
                "target/release/king",
            ),
            ("rustc", &[("main.rs", ""), ("strategy.rs", "")], "Rust", "./casino-bot"),
            ("go", &[("go.mod", ""), ("main.go", "")], "Go", "./casino-bot"),
            ("node", &[("package.json", "{\"main\": \"src/bot.js\"}")], "JavaScript", "node src/bot.js"),
            ("js", &[("poker.js", ""), ("strategy.js", "")], "JavaScript", "node poker.js"),
            ("make", &[("Makefile", ""), ("bot.cpp", "")], "Makefile", "exec ./$bot"),
            ("cpp", &[("bot.cpp", ""), ("bot.hpp", "")], "C++", "./casino-bot"),
            ("c", &[("bot.c", "")], "C", "./casino-bot"),
            ("poker.py", &[("poker.py", ""), ("cards.py", "")], "Python", "python3 -u poker.py"),
            ("only.py", &[("my bot.py", "")], "Python", "python3 -u 'my bot.py'"),
            (
                "main.py",
                &[("x.py", "if __name__ == '__main__': y()"), ("y.py", "")],
                "Python",
                "python3 -u x.py",
            ),
            ("prolog", &[("poker.pl", "")], "Prolog", "swipl -q poker.pl"),
        ] {
            let (inside, recipe) = of(name, files).unwrap();
            assert_eq!((inside.as_path(), recipe.kind.as_str()), (Path::new(""), kind), "{name}");
            assert!(
                recipe.run.contains(run) && recipe.run.contains("{host} {port}"),
                "{name}: {}",
                recipe.run
            );
        }
    }

    #[test]
    fn the_program_may_be_in_a_folder_inside() {
        let deep = of("deep", &[("hw1/Poker/src/Poker.java", "static void main"), ("hw1/Poker/README", "")])
            .unwrap();
        assert_eq!(deep.0, Path::new("hw1/Poker/src"));
        let junk = [("__MACOSX/x.py", ""), (".git/y.py", ""), ("bot/poker.py", "")];
        assert_eq!(of("junk", &junk).unwrap().0, Path::new("bot"));
    }

    #[test]
    fn bot_json_says_it() {
        let json = r#"{"build": ["a", "b"], "run": "c {host} {port}"}"#;
        let (_, recipe) = of("json", &[("bot.json", json), ("Poker.java", "static void main")]).unwrap();
        assert_eq!((recipe.build.len(), recipe.run.as_str()), (2, "c {host} {port}"));
        let one = r#"{"build": "a", "run": "c {host} {port}"}"#;
        assert_eq!(of("one", &[("bot.json", one)]).unwrap().1.build, ["a"]);
        for (name, json, words) in [
            ("no-port", r#"{"run": "c {host}"}"#, "has no {port}"),
            ("no-run", r#"{"build": "a"}"#, "missing field `run`"),
            ("other", r#"{"run": "{host}{port}", "exec": 1}"#, "unknown field"),
            ("text", "run it", "cannot be used"),
        ] {
            let error = of(name, &[("bot.json", json)]).unwrap_err().to_string();
            assert!(error.contains(words), "{name}: {error}");
        }
    }

    #[test]
    fn what_is_no_bot_says_what_to_do() {
        for (name, files, words) in [
            ("empty", &[][..], "holds no bot"),
            ("text", &[("essay.txt", "")], "bot.json"),
            ("two", &[("a.py", ""), ("b.py", "")], "a.py, b.py"),
            ("two-mains", &[("A.java", "static void main"), ("B.java", "static void main")], "A, B"),
            ("no-name", &[("Cargo.toml", "[dependencies]")], "holds no bot"),
            ("bad-package", &[("package.json", "{")], "package.json"),
        ] {
            let error = of(name, files).unwrap_err().to_string();
            assert!(error.contains(words), "{name}: {error}");
        }
        assert!(recognise(Path::new("/no/such/folder")).unwrap_err().to_string().contains("cannot be read"));
    }
}
