//! The kinds of folders that are recognised, but for Java: one function for each.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::candidate::{Aim, CandidateFolder, ProgramCandidate, below, recipe_of};
use super::scan::defines_main;
use super::tree::{SourceFolder, plays_alone, talks};
use super::{Recipe, Unrecognised, quoted};
use casino_system::command_line::{self, LINKING};

pub(super) type Recogniser = fn(CandidateFolder<'_>) -> Result<Option<ProgramCandidate>, Unrecognised>;

pub(super) const KINDS: [Recogniser; 11] = [
    bot_json,
    super::manifests::cargo,
    go,
    super::manifests::npm,
    makefile,
    rust,
    cpp,
    c,
    python_package,
    python,
    javascript,
];

const CPP: [&str; 3] = [".cpp", ".cc", ".cxx"];
const HEADERS: [&str; 4] = [".h", ".hpp", ".hh", ".hxx"];
const PROLOG: [&str; 3] = [".pl", ".pro", ".prolog"];

/// The sign that begins a comment in a source of this name; `None` if it is no source.
pub(in crate::grade) fn line_comment(name: &str) -> Option<&'static str> {
    let name = name.to_lowercase();
    let has = |endings: &[&str]| endings.iter().any(|ending| name.ends_with(ending));
    let others = [".java", ".c", ".rs", ".go", ".js", ".mjs", ".cjs"];
    let is_like_c = has(&CPP) || has(&HEADERS) || has(&others);
    has(&[".py"]).then_some("#").or(has(&PROLOG).then_some("%")).or(is_like_c.then_some("//"))
}

/// Whether a file of this name is a source or a header of C or C++.
pub(in crate::grade) fn is_of_c(name: &str) -> bool {
    let has = |ending: &&str| name.to_lowercase().ends_with(*ending);
    name.ends_with(".C") || CPP.iter().any(has) || has(&".c") || has(&".c++") || is_header(name)
}

/// Whether a file of this name is a header of C or C++.
pub(in crate::grade) fn is_header(name: &str) -> bool {
    HEADERS.iter().any(|ending| name.to_lowercase().ends_with(ending))
}

/// The kind of a program that its author describes.
pub(super) const BOT_JSON: &str = "bot.json";

/// The content of `bot.json`. `build` is one command or several.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BotJson {
    #[serde(default)]
    build: Option<ProgramLines>,
    run: String,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum ProgramLines {
    One(String),
    Several(Vec<String>),
}

fn bot_json(place: CandidateFolder<'_>) -> Result<Option<ProgramCandidate>, Unrecognised> {
    if !place.folder.has(BOT_JSON) {
        return Ok(None);
    }
    let text = place.folder.read(BOT_JSON)?;
    let bot: BotJson = serde_json::from_str(&text).map_err(Unrecognised::BotJson)?;
    let build = match bot.build {
        None => Vec::new(),
        Some(ProgramLines::One(line)) => vec![line],
        Some(ProgramLines::Several(lines)) => lines,
    };
    let recipe = Recipe::from_commands(BOT_JSON, &build, &bot.run)?;
    Ok(place.candidate(recipe, &[], true)?.map(|candidate| ProgramCandidate { plays: true, ..candidate }))
}

fn go(place: CandidateFolder<'_>) -> Result<Option<ProgramCandidate>, Unrecognised> {
    let is_module = place.folder.has("go.mod");
    if is_module {
        let mut mains = Vec::new();
        for folder in place.tree.under(&place.folder.inside, place.taken) {
            for file in folder.with_endings(&[".go"]) {
                let text = folder.read(file)?;
                if text.contains("package main") && text.contains("func main(") {
                    mains.push(below(&folder.inside, &place.folder.inside));
                    break;
                }
            }
        }
        let main = match &mains[..] {
            several if several.len() > 1 && !several.iter().any(|main| main == ".") => {
                return Err(place.several(mains));
            }
            [only] if only != "." => quoted(&format!("./{only}")),
            _ => ".".to_string(),
        };
        return place.candidate(
            recipe_of("Go", &[&format!("go build -o {} {main}", executable(BUILT_PROGRAM))], "./casino-bot"),
            &[".go"],
            false,
        );
    }
    let files: Vec<&String> =
        place.folder.with_endings(&[".go"]).filter(|file| !file.ends_with("_test.go")).collect();
    if files.is_empty() {
        return Ok(None);
    }
    let mut mains = Vec::new();
    for file in &files {
        if place.folder.read(file)?.contains("func main(") {
            mains.push(*file);
        }
    }
    let program = program_name(mains.first().map(Path::new), &place, &place.folder.inside);
    let build = |files: &[&String]| format!("go build -o {} {}", executable(program), words(files));
    let mut recipe = recipe_of("Go", &[&build(&files)], &format!("./{program}"));
    if files.len() > 1 {
        recipe.instead.extend(mains.iter().map(|main| vec![build(&[main])]));
    }
    place.candidate(recipe, &[".go"], place.folder.has("poker.go"))
}

/// The kind of a program built by `make`.
pub(super) const MAKEFILE: &str = "Makefile";

const MAKE_OUTPUT_NAMES: [&str; 7] = ["poker", "bot", "main", "player", "blackjack", "Blackjack", "a.out"];

fn makefile(place: CandidateFolder<'_>) -> Result<Option<ProgramCandidate>, Unrecognised> {
    let Some(file) = ["GNUmakefile", "makefile", "Makefile"].into_iter().find(|name| place.folder.has(name))
    else {
        return Ok(None);
    };
    let text = place.folder.read(file)?;
    let is_target = |name: &&&str| text.lines().any(|line| line.starts_with(&format!("{name}:")));
    let recipe = Recipe {
        makes: &MAKE_OUTPUT_NAMES,
        instead: MAKE_OUTPUT_NAMES
            .iter()
            .filter(is_target)
            .map(|name| vec![format!("make -B {name}")])
            .collect(),
        // Rebuild everything, even if the submission has files built on the student's machine.
        ..recipe_of(MAKEFILE, &["make -B"], "./{program}")
    };
    let endings = [&CPP[..], &HEADERS, &[".c", ".go", ".rs", ".hs"]].concat();
    // It builds the folders below, even if they could be programs of their own.
    CandidateFolder { taken: &[], ..place }.candidate(recipe, &endings, false)
}

fn rust(place: CandidateFolder<'_>) -> Result<Option<ProgramCandidate>, Unrecognised> {
    let mut mains = Vec::new();
    for file in place.folder.with_endings(&[".rs"]) {
        if file == "main.rs" || place.folder.read(file)?.contains("fn main(") {
            mains.push(file.clone());
        }
    }
    let usual =
        ["main.rs", "poker.rs", "bot.rs"].into_iter().find(|usual| mains.iter().any(|main| main == usual));
    let main = match (usual, mains.len()) {
        (Some(usual), _) => usual.to_string(),
        (None, 0) => return Ok(None),
        (None, 1) => mains.remove(0),
        _ => return Err(place.several(mains)),
    };
    let program = program_name(Some(Path::new(&main)), &place, &place.folder.inside);
    let build =
        |edition: &str| format!("rustc -O --edition {edition} -o {} {}", executable(program), quoted(&main));
    let recipe = Recipe {
        instead: ["2024", "2018"].map(|edition| vec![build(edition)]).into(),
        ..recipe_of("Rust", &[&build("2021")], &format!("./{program}"))
    };
    place.candidate(recipe, &[".rs"], usual == Some("poker.rs"))
}

fn cpp(place: CandidateFolder<'_>) -> Result<Option<ProgramCandidate>, Unrecognised> {
    let compiler = installed(&["g++", "c++", "clang++"]);
    let mut levels = ["17", "20", "23"].map(|level| format!(" -std=c++{level}")).to_vec();
    if let Some(level) = cmake_level(&place)? {
        levels.retain(|known| *known != level);
        levels.insert(0, level);
    }
    let language = Language { kind: "C++", endings: &CPP, compiler, levels, libraries: "" };
    compiled(place, &language)
}

/// The level that a `CMakeLists.txt` here or in the folder around asks for.
fn cmake_level(place: &CandidateFolder<'_>) -> Result<Option<String>, Unrecognised> {
    const FILE: &str = "CMakeLists.txt";
    let around = place.tree.folders.iter().filter(|folder| place.folder.inside.starts_with(&folder.inside));
    for folder in around.filter(|folder| folder.has(FILE)) {
        let text = folder.read(FILE)?;
        for sign in ["CMAKE_CXX_STANDARD ", "CXX_STANDARD ", "cxx_std_"] {
            let after = text.split(sign).nth(1).unwrap_or_default().trim_start();
            let digits: String = after.chars().take_while(char::is_ascii_digit).collect();
            if digits.len() == 2 {
                return Ok(Some(format!(" -std=c++{digits}")));
            }
        }
    }
    Ok(None)
}

fn c(place: CandidateFolder<'_>) -> Result<Option<ProgramCandidate>, Unrecognised> {
    let levels = vec![String::new(), " -std=gnu2x".to_string()];
    let compiler = installed(&["cc", "gcc", "clang"]);
    let language = Language { kind: "C", endings: &[".c"], compiler, levels, libraries: " -lm" };
    compiled(place, &language)
}

/// A compiled language: its compiler with the options for its levels, in the order in which they are tried.
struct Language<'a> {
    kind: &'a str,
    endings: &'a [&'a str],
    compiler: &'a str,
    levels: Vec<String>,
    libraries: &'a str,
}

/// A program of C or C++: all sources of the folder and those in it, but the other ones with a `main`.
fn compiled(
    place: CandidateFolder<'_>,
    language: &Language<'_>,
) -> Result<Option<ProgramCandidate>, Unrecognised> {
    let Language { kind, endings, compiler, levels, libraries } = language;
    if place.folder.with_endings(endings).next().is_none() {
        return Ok(None);
    }
    let (mut mains, mut others) = (Vec::new(), Vec::new());
    for folder in place.tree.under(&place.folder.inside, place.taken) {
        for ending in *endings {
            for file in folder.with_endings(&[ending]) {
                // A test case of the Blackjack course is a separate program.
                if file.contains(".case.") {
                    continue;
                }
                let text = folder.read(file)?;
                let path = folder.inside.join(file);
                match defines_main(&text) {
                    true => mains.push((path, file.clone(), talks(&text))),
                    false => others.push(path),
                }
            }
        }
    }
    let (main, usual) = main_source(mains, &place)?;
    // A folder of parts, with the main elsewhere or nowhere.
    if main.is_none() && place.folder.depth > 0 {
        return Ok(None);
    }
    // Headers may be beside the folder of the sources.
    let has_headers = |folder: &&SourceFolder| folder.with_endings(&HEADERS).next().is_some();
    let around = place.folder.inside.parent().unwrap_or(Path::new(""));
    let headers: Vec<&SourceFolder> = place.tree.under(around, place.taken).filter(has_headers).collect();
    let all_inside = headers.iter().all(|folder| folder.inside.starts_with(&place.folder.inside));
    let top = if all_inside { place.folder.inside.as_path() } else { around };
    let includes: Vec<String> =
        headers.iter().map(|folder| format!(" -I{}", quoted(&below(&folder.inside, top)))).collect();
    let program = program_name(main.as_deref(), &place, top);
    let build = |paths: &[&PathBuf], level: &str| {
        let sources: Vec<String> =
            paths.iter().map(|path| quoted(&format!("./{}", below(path, top)))).collect();
        let includes = if headers.len() == 1 && all_inside && below(&headers[0].inside, top) == "." {
            String::new()
        } else {
            includes.concat()
        };
        let (output, sources) = (executable(program), sources.join(" "));
        format!("{compiler}{level} -O2 -pthread{includes} -o {output} {sources}{libraries}{LINKING}")
    };
    let mut all: Vec<&PathBuf> = others.iter().chain(&main).collect();
    let order = |path: &PathBuf| endings.iter().position(|ending| path.to_string_lossy().ends_with(ending));
    all.sort_by_key(|path| (order(path), (*path).clone()));
    let mut ways = vec![all];
    if let Some(main) = &main {
        // Files that do not compile, or exist twice, may not be needed.
        let all = &ways[0];
        let fewer = [without_doubles(all), beside(main, all), needed(&place, main, all), vec![main]];
        for way in fewer {
            if !ways.contains(&way) {
                ways.push(way);
            }
        }
    }
    let all_levels = levels.iter().flat_map(|level| ways.iter().map(|way| vec![build(way, level)]));
    let mut builds: Vec<Vec<String>> = all_levels.collect();
    let first = builds.remove(0);
    let recipe = Recipe { build: first, instead: builds, ..recipe_of(kind, &[], &format!("./{program}")) };
    let sources: Vec<&str> = endings.iter().copied().chain(HEADERS).collect();
    let candidate = place.candidate(recipe, &sources, usual)?;
    Ok(candidate.map(|candidate| ProgramCandidate { copied: place.tree.root.join(top), ..candidate }))
}

/// The files without those whose names others have that are in fewer folders.
fn without_doubles<'a>(files: &[&'a PathBuf]) -> Vec<&'a PathBuf> {
    let depth = |file: &PathBuf| file.components().count();
    let is_double = |file: &PathBuf| {
        files.iter().any(|other| other.file_name() == file.file_name() && depth(other) < depth(file))
    };
    files.iter().copied().filter(|file| !is_double(file)).collect()
}

/// The files in the folder of one of them.
fn beside<'a>(main: &Path, files: &[&'a PathBuf]) -> Vec<&'a PathBuf> {
    files.iter().copied().filter(|file| file.parent() == main.parent()).collect()
}

/// The main and the files named after a header that one of them includes, directly or not.
fn needed<'a>(place: &CandidateFolder<'_>, main: &'a PathBuf, all: &[&'a PathBuf]) -> Vec<&'a PathBuf> {
    let stem = |path: &Path| path.file_stem().unwrap_or_default().to_os_string();
    let (mut stems, mut at) = (vec![stem(main)], 0);
    while let Some(wanted) = stems.get(at).cloned() {
        at += 1;
        let files =
            place.tree.folders.iter().flat_map(|folder| folder.files.iter().map(move |file| (folder, file)));
        for (folder, file) in files.filter(|(_, file)| stem(Path::new(file)) == wanted) {
            let text = folder.read(file).unwrap_or_default();
            let lines = text.lines().filter(|line| line.trim_start().starts_with('#'));
            for included in lines.filter_map(|line| line.split('"').nth(1)) {
                let included = stem(Path::new(included));
                if !stems.contains(&included) {
                    stems.push(included);
                }
            }
        }
    }
    all.iter().copied().filter(|file| *file == main || stems.contains(&stem(file))).collect()
}

/// The source with the main: the only one, or of the usual name, or with sockets; and whether its name is usual.
fn main_source(
    mains: Vec<(PathBuf, String, bool)>,
    place: &CandidateFolder<'_>,
) -> Result<(Option<PathBuf>, bool), Unrecognised> {
    // Those in folders below are separate programs if there is one here.
    let here = |path: &Path| path.parent() == Some(place.folder.inside.as_path());
    let nearest: Vec<_> = match mains.iter().any(|(path, ..)| here(path)) {
        true => mains.into_iter().filter(|(path, ..)| here(path)).collect(),
        false => mains,
    };
    let likelihood = |(_, file, _): &(PathBuf, String, bool)| {
        Path::new(file).file_stem().and_then(|stem| place.aim.likelihood_of(&stem.to_string_lossy()))
    };
    let likeliest = nearest.iter().filter_map(likelihood).min();
    let usual: Vec<_> =
        nearest.iter().filter(|main| likeliest.is_some() && likelihood(main) == likeliest).collect();
    let talking: Vec<_> = nearest.iter().filter(|(.., talks)| *talks).collect();
    match (&usual[..], &talking[..], &nearest[..]) {
        ([(path, ..)], _, _) => Ok((Some(path.clone()), true)),
        (_, [(path, ..)], _) | (_, _, [(path, ..)]) => Ok((Some(path.clone()), false)),
        (_, _, []) => Ok((None, false)),
        _ => Err(place.several(nearest.into_iter().map(|(_, file, _)| file).collect())),
    }
}

/// The usual names of programs in Python, the likeliest first.
const PYTHON_PROGRAMS: [&str; 5] = ["poker.py", "main.py", "bot.py", "player.py", "__main__.py"];

/// A package that runs as `python -m`: it has a `__main__.py`, or its program imports from its own package.
fn python_package(place: CandidateFolder<'_>) -> Result<Option<ProgramCandidate>, Unrecognised> {
    let inside = &place.folder.inside;
    let folder = inside.file_name().and_then(|name| name.to_str());
    let package = folder.unwrap_or("package");
    let own =
        ["from .", &format!("from {package}."), &format!("from {package} "), &format!("import {package}.")];
    let (mut module, mut dots) = (place.folder.has("__main__.py").then(String::new), 0);
    // Its own code may only call that of another file.
    let calling = PYTHON_PROGRAMS.iter().find(|name| place.folder.has(name)).copied();
    let plays = place.tree.plays(place.tree.under(inside, place.taken), &[".py"])?;
    for file in place.folder.with_endings(&[".py"]) {
        let text = place.folder.read(file)?;
        let imports = text.lines().filter(|line| own.iter().any(|begin| line.starts_with(begin)));
        let imports: Vec<&str> = imports.filter_map(|line| line.split(' ').nth(1)).collect();
        let leading = imports.iter().map(|from| from.len() - from.trim_start_matches('.').len()).max();
        dots = dots.max(leading.unwrap_or(0));
        let is_program = plays_alone(&text) || plays && Some(file.as_str()) == calling;
        if module.is_none() && leading.is_some() && is_program {
            module = file.strip_suffix(".py").map(|stem| format!(".{stem}"));
        }
    }
    let Some(module) = module.filter(|_| folder.is_some() || dots > 0) else { return Ok(None) };
    // The packages around it.
    let is_package = |folder: &Path| place.tree.root.join(folder).join("__init__.py").is_file();
    let mut around = inside.ancestors().skip(1).enumerate();
    let around = around.find(|(at, folder)| at + 1 >= dots && !is_package(folder));
    let around = around.map_or(Path::new(""), |(_, folder)| folder);
    // One that was handed in without its folder gets a link of a package's name.
    let build: &[&str] = if folder.is_some() { &[] } else { &["ln -s . package"] };
    let name = folder.map_or(package.to_string(), |_| below(inside, around).replace('/', "."));
    let recipe = recipe_of("Python", build, &format!("python3 -u -m {}", quoted(&(name + &module))));
    let candidate = place.candidate(recipe, &[".py"], package == "poker")?;
    Ok(candidate.map(|candidate| ProgramCandidate { copied: place.tree.root.join(around), ..candidate }))
}

fn python(place: CandidateFolder<'_>) -> Result<Option<ProgramCandidate>, Unrecognised> {
    script(place, "Python", &[".py"], &PYTHON_PROGRAMS, "__main__", "python3 -u")
}

fn javascript(place: CandidateFolder<'_>) -> Result<Option<ProgramCandidate>, Unrecognised> {
    let usual = ["poker.js", "main.js", "index.js", "bot.js", "poker.mjs", "main.mjs", "index.mjs"];
    script(place, "JavaScript", &[".js", ".mjs", ".cjs"], &usual, "process.argv", "node")
}

/// The Prolog file that defines most of the requested predicates; of several the one that loads the others.
pub(super) fn predicates(place: CandidateFolder<'_>) -> Result<Option<ProgramCandidate>, Unrecognised> {
    let Aim::Predicates(names) = place.aim else { return Ok(None) };
    let (mut texts, mut most) = (Vec::new(), 0);
    for file in place.folder.with_endings(&PROLOG) {
        let text = place.folder.read(file)?;
        let defined = names.iter().filter(|name| begins_clause(&text, name)).count();
        most = most.max(defined);
        texts.push((file, text, defined));
    }
    if most == 0 {
        return Ok(None);
    }
    let defining: Vec<&String> =
        texts.iter().filter(|(.., defined)| *defined == most).map(|(file, ..)| *file).collect();
    let loading: Vec<&String> = texts
        .iter()
        .filter(|(file, text, _)| defining.iter().all(|other| *other == *file || loads(text, other)))
        .map(|(file, ..)| *file)
        .collect();
    let file = match (&defining[..], &loading[..]) {
        ([only], _) | (_, [only]) => quoted(&format!("./{only}")),
        _ => return Err(place.several(defining.into_iter().cloned().collect())),
    };
    let candidate = place.candidate(recipe_of("Prolog", &[], &file), &[], most == names.len())?;
    Ok(candidate.map(|candidate| ProgramCandidate { plays: true, ..candidate }))
}

fn begins_clause(text: &str, name: &str) -> bool {
    text.lines().any(|line| line.strip_prefix(name).is_some_and(|rest| rest.trim_start().starts_with('(')))
}

fn loads(text: &str, file: &str) -> bool {
    let stem = Path::new(file).file_stem().unwrap_or_default().to_string_lossy();
    let words = |line: &str| line.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == stem);
    text.lines().filter_map(|line| line.trim_start().strip_prefix(":-")).any(words)
}

/// A script: the one with a usual name, the only one, the only one that plays, or the only one that contains the sign.
fn script(
    place: CandidateFolder<'_>,
    kind: &str,
    endings: &[&str],
    usual: &[&str],
    sign: &str,
    interpreter: &str,
) -> Result<Option<ProgramCandidate>, Unrecognised> {
    let is_program = |file: &&String| !file.starts_with("__init__");
    let all: Vec<String> = place.folder.with_endings(endings).filter(is_program).cloned().collect();
    let (mut signed, mut playing) = (Vec::new(), Vec::new());
    for file in &all {
        let text = place.folder.read(file)?;
        if text.contains(sign) {
            signed.push(file.clone());
        }
        if plays_alone(&text) {
            playing.push(file.clone());
        }
    }
    let named = usual.iter().find(|name| place.folder.has(name)).map(ToString::to_string);
    let file = match (named, &all[..], &playing[..], &signed[..]) {
        (Some(name), ..) => name,
        (_, [], ..) => return Ok(None),
        (_, [only], ..) | (_, _, [only], _) | (_, _, [], [only]) => only.clone(),
        (_, _, [], []) => return Err(place.several(all)),
        (_, _, [], _) => return Err(place.several(signed)),
        _ => return Err(place.several(playing)),
    };
    let recipe = recipe_of(kind, &[], &format!("{interpreter} {}", quoted(&file)));
    place.candidate(recipe, endings, file.starts_with("poker."))
}

/// Files of a folder as words of a command line, none of which looks like an option.
fn words(files: &[&String]) -> String {
    let words: Vec<String> = files.iter().map(|file| quoted(&format!("./{file}"))).collect();
    words.join(" ")
}

/// The name of a program that is built, where its main source gives none.
const BUILT_PROGRAM: &str = "casino-bot";

/// The file of a program that is built.
fn executable(program: &str) -> String {
    format!("{program}{}", std::env::consts::EXE_SUFFIX)
}

/// The name of the program that is built in `top`: that of its main source, as its author would call it.
fn program_name<'a>(main: Option<&'a Path>, place: &CandidateFolder<'_>, top: &Path) -> &'a str {
    let Some(stem) = main.and_then(|main| main.file_stem()?.to_str()) else { return BUILT_PROGRAM };
    let is_plain = stem.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    let is_taken = place.tree.folders.iter().any(|folder| folder.inside.starts_with(top.join(stem)));
    if is_plain && !is_taken && !stem.starts_with('-') { stem } else { BUILT_PROGRAM }
}

/// The first of these programs that is installed, or the first.
fn installed<'a>(names: &[&'a str]) -> &'a str {
    names.iter().find(|name| command_line::find_program(name).is_some()).unwrap_or(&names[0])
}
