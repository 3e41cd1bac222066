//! Tidies the copy of a submission: names and files as learning platforms, archive tools and other systems leave them.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::super::archive::{UnpackBudget, packed_alone, unpack};
use super::scan::JavaFile;
use super::tree::{SourceFolder, SourceTree, as_text};
use casino_system::foreign_files::{let_all_read, may_be_executed};

const SOURCE_ENDINGS: [&str; 18] = [
    "java", "py", "cpp", "cc", "cxx", "c", "h", "hpp", "hh", "hxx", "js", "mjs", "cjs", "rs", "go", "pl",
    "pro", "prolog",
];

/// Files with which a submission describes how it is built: their names are right as they are.
const MANIFESTS: [&str; 6] =
    ["bot.json", "Cargo.toml", "go.mod", "package.json", "Makefile", "CMakeLists.txt"];

/// Words that file managers add to the name of a copy.
const COPY_WORDS: [&str; 6] = [" - Copy", " - Kopie", " - Copie", " - Copia", " copy", " Kopie"];
const COPY_BEGINNINGS: [&str; 3] = ["Copy of ", "Kopie von ", "Copie de "];

/// The most bytes of a folder that is compared with another one.
const MAX_COMPARED_BYTES: u64 = 8 << 20;

/// Tidies a tree in place and returns a sentence for each change that a student may want to know.
pub(in crate::grade::submission) fn tidy(root: &Path, budget: &mut UnpackBudget) -> io::Result<Vec<String>> {
    let mut notes = Vec::new();
    remove_companions(root)?;
    let read = || SourceTree::read(root).map_err(|error| io::Error::other(error.to_string()));
    for folder in &read()?.folders {
        unpack_alone(folder, budget, &mut notes)?;
    }
    for folder in &read()?.folders {
        restore_endings(folder, &mut notes)?;
    }
    for folder in &read()?.folders {
        mend_scripts(folder, &mut notes)?;
        rename_to_classes(folder, &mut notes)?;
    }
    let tree = read()?;
    let is_described = tree.folders.iter().any(|folder| MANIFESTS.iter().any(|name| folder.has(name)));
    for folder in tree.folders.iter().filter(|_| !is_described) {
        remove_copy_marks(folder, &mut notes)?;
    }
    remove_equal_folders(&read()?, &mut notes)?;
    add_mentioned_names(&read()?, &mut notes)?;
    Ok(notes)
}

/// Converts the sources in a copy to UTF-8 without a byte order mark and with line feeds, for their compilers.
pub(in crate::grade::submission) fn unify(copy: &Path) -> io::Result<()> {
    let Ok(tree) = SourceTree::read(copy) else { return Ok(()) };
    for (folder, name) in tree.folders.iter().flat_map(sources) {
        let path = folder.path.join(name);
        let bytes = fs::read(&path)?;
        let text = as_text(&bytes);
        let names_encoding =
            name.ends_with(".py") && text.lines().take(2).any(|line| line.contains("coding"));
        if text.as_bytes() != bytes && !names_encoding {
            fs::write(&path, text)?;
        }
    }
    Ok(())
}

fn sources(folder: &SourceFolder) -> impl Iterator<Item = (&SourceFolder, &String)> {
    let is_source =
        |name: &&String| name.rsplit_once('.').is_some_and(|(_, ending)| SOURCE_ENDINGS.contains(&ending));
    folder.files.iter().filter(is_source).map(move |name| (folder, name))
}

/// Whether a file or folder of this name is added by a system and is no part of a submission.
fn is_companion(name: &str) -> bool {
    name.starts_with("._") || ["__MACOSX", ".DS_Store", "Thumbs.db", "desktop.ini"].contains(&name)
}

fn remove_companions(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        match (is_companion(&entry.file_name().to_string_lossy()), kind.is_dir()) {
            (true, true) => fs::remove_dir_all(entry.path())?,
            (true, false) => fs::remove_file(entry.path())?,
            (false, true) => remove_companions(&entry.path())?,
            (false, false) => {}
        }
    }
    Ok(())
}

/// Replaces files that gzip has packed one by one.
fn unpack_alone(folder: &SourceFolder, budget: &mut UnpackBudget, notes: &mut Vec<String>) -> io::Result<()> {
    for name in folder.with_endings(&[".gz"]) {
        let path = folder.path.join(name);
        let Ok(Some(plain)) = packed_alone(&path) else { continue };
        if !folder.path.join(&plain).exists() && unpack(&path, &folder.path, budget).is_ok() {
            fs::remove_file(path)?;
            notes.push(format!("{name} is unpacked as {}.", plain.display()));
        }
    }
    Ok(())
}

/// Gives sources the endings that compilers know, without an added `.txt` or number and in small letters, and manifests
/// their names.
fn restore_endings(folder: &SourceFolder, notes: &mut Vec<String>) -> io::Result<()> {
    for name in &folder.files {
        let Some(restored) = with_known_ending(name).filter(|restored| restored != name) else { continue };
        if rename(folder, name, &restored)? {
            notes.push(format!("{name} is read as {restored}."));
        }
    }
    Ok(())
}

fn with_known_ending(name: &str) -> Option<String> {
    let numbered = name.strip_suffix(')').and_then(|name| name.rsplit_once('('));
    let name = numbered.map_or(name, |(plain, _)| plain.trim_end());
    let short = match name.len().checked_sub(4).and_then(|at| Some((name.get(..at)?, name.get(at..)?))) {
        Some((stem, ending)) if ending.eq_ignore_ascii_case(".txt") => stem,
        _ => name,
    };
    let manifest =
        MANIFESTS.iter().find(|manifest| manifest.contains('.') && short.eq_ignore_ascii_case(manifest));
    if let Some(manifest) = manifest {
        return Some(manifest.to_string());
    }
    let (stem, ending) = short.rsplit_once('.').filter(|(stem, _)| !stem.is_empty())?;
    let known = match ending {
        "C" | "c++" | "C++" => "cpp".to_string(),
        "pyw" => "py".to_string(),
        other => other.to_lowercase(),
    };
    SOURCE_ENDINGS.contains(&known.as_str()).then(|| format!("{stem}.{known}"))
}

/// Renames a file unless another one has the name. Returns whether it did.
fn rename(folder: &SourceFolder, from: &str, to: &str) -> io::Result<bool> {
    let (source, target) = (folder.path.join(from), folder.path.join(to));
    // On some systems a name in other capitals is the same file.
    if target.exists() && !from.eq_ignore_ascii_case(to) {
        return Ok(false);
    }
    fs::rename(source, target).map(|()| true)
}

/// Gives scripts line feeds, the name of an interpreter and the permission to run, without which no system starts them.
fn mend_scripts(folder: &SourceFolder, notes: &mut Vec<String>) -> io::Result<()> {
    for name in &folder.files {
        let path = folder.path.join(name);
        let mut start = Vec::new();
        fs::File::open(&path)?.take(5).read_to_end(&mut start)?;
        let is_shell = name.ends_with(".sh");
        if !is_shell && !start.starts_with(b"#!") && !start.ends_with(b"#!") {
            continue;
        }
        let bytes = fs::read(&path)?;
        let mut text = as_text(&bytes);
        if text.contains("\r\n") {
            text = text.replace("\r\n", "\n");
            notes.push(format!("The lines of {name} end as on Windows (CR LF); they were changed to LF."));
        }
        if !text.starts_with("#!") {
            text.insert_str(0, "#!/bin/sh\n");
        }
        if text.as_bytes() != bytes {
            fs::write(&path, text)?;
        }
        if !may_be_executed(&fs::metadata(&path)?) {
            let_all_read(&path, true)?;
            if is_shell {
                notes.push(format!("{name} had no permission to run; it was given."));
            }
        }
    }
    Ok(())
}

/// Names each Java source after its public class, and leaves out a second source of the same classes.
fn rename_to_classes(folder: &SourceFolder, notes: &mut Vec<String>) -> io::Result<()> {
    let mut sources = BTreeMap::new();
    for name in folder.with_endings(&[".java"]) {
        let text = as_text(&fs::read(folder.path.join(name))?);
        sources.insert(name.clone(), JavaFile::read(name.trim_end_matches(".java"), &text));
    }
    for (name, source) in &sources {
        let stem = name.trim_end_matches(".java");
        let class = match &source.public {
            Some(public) => public.as_str(),
            None if source.classes.iter().any(|class| class == stem) => continue,
            None => source.mains.first().or(source.classes.first()).map_or(stem, String::as_str),
        };
        let right = format!("{class}.java");
        if *name == right {
            continue;
        }
        let other = sources.get(&right).filter(|_| !name.eq_ignore_ascii_case(&right));
        if other.is_some_and(|other| other.classes.iter().any(|known| known == class)) {
            fs::remove_file(folder.path.join(name))?;
            notes.push(format!("{name} is left out: {right} has the same class."));
        } else if source.public.is_some() && rename(folder, name, &right)? {
            notes.push(format!("{name} is compiled as {right}, the name of its public class."));
        }
    }
    Ok(())
}

/// Takes away what a browser, a learning platform or a file manager adds to the name of a second file, unless a source
/// mentions the name. A copy beside its original is left out, but for a name that only ends in a number.
fn remove_copy_marks(folder: &SourceFolder, notes: &mut Vec<String>) -> io::Result<()> {
    for (_, name) in sources(folder) {
        let Some((stem, ending)) = name.rsplit_once('.') else { continue };
        let Some(plain) = without_copy_mark(stem) else { continue };
        let mut texts = sources(folder).filter_map(|(_, other)| fs::read(folder.path.join(other)).ok());
        if texts.any(|text| as_text(&text).contains(stem)) {
            continue;
        }
        let restored = format!("{plain}.{ending}");
        if rename(folder, name, &restored)? {
            notes.push(format!("{name} is read as {restored}."));
        } else if !stem.starts_with(&format!("{plain}-")) {
            fs::remove_file(folder.path.join(name))?;
            notes.push(format!("{name} is left out: {restored} is beside it."));
        }
    }
    Ok(())
}

fn without_copy_mark(stem: &str) -> Option<&str> {
    let is_number =
        |text: &str| !text.is_empty() && text.len() < 3 && text.bytes().all(|byte| byte.is_ascii_digit());
    let numbered = stem.strip_suffix(')').and_then(|rest| rest.rsplit_once('('));
    let numbered = numbered.or_else(|| stem.rsplit_once('-'));
    let numbered = numbered.or_else(|| stem.rsplit_once(' ').filter(|(plain, _)| plain.ends_with(" copy")));
    let plain = match numbered {
        Some((plain, number)) if is_number(number) => plain.trim_end(),
        _ => stem,
    };
    let plain = COPY_WORDS.iter().find_map(|word| plain.strip_suffix(word)).unwrap_or(plain);
    let plain = COPY_BEGINNINGS.iter().find_map(|word| plain.strip_prefix(word)).unwrap_or(plain);
    (plain != stem && !plain.is_empty()).then_some(plain)
}

/// Removes folders with the same sources as a folder beside them.
fn remove_equal_folders(tree: &SourceTree, notes: &mut Vec<String>) -> io::Result<()> {
    let mut seen: BTreeMap<(PathBuf, Vec<u8>), String> = BTreeMap::new();
    for folder in tree.folders.iter().filter(|folder| folder.depth > 0) {
        let name = folder.inside.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let around = folder.inside.parent().unwrap_or(Path::new("")).to_path_buf();
        let Some(digest) = digest_of(tree, folder) else { continue };
        match seen.get(&(around.clone(), digest.clone())) {
            Some(first) if folder.path.exists() => {
                fs::remove_dir_all(&folder.path)?;
                notes.push(format!("The folder {name} has the same files as {first} and is left out."));
            }
            Some(_) => {}
            None => _ = seen.insert((around, digest), name),
        }
    }
    Ok(())
}

/// A fingerprint of the sources in a folder; `None` without any, and if there are too many bytes.
fn digest_of(tree: &SourceTree, folder: &SourceFolder) -> Option<Vec<u8>> {
    let (mut digest, mut bytes, mut sources) = (Sha256::new(), 0, 0);
    for below in tree.under(&folder.inside, &[]) {
        for name in &below.files {
            let path = below.path.join(name);
            bytes += fs::metadata(&path).ok()?.len();
            if bytes > MAX_COMPARED_BYTES {
                return None;
            }
            let is_source = name.rsplit_once('.').is_some_and(|(_, ending)| SOURCE_ENDINGS.contains(&ending));
            sources += usize::from(is_source);
            if is_source {
                digest.update(
                    below.inside.strip_prefix(&folder.inside).ok()?.join(name).to_string_lossy().as_bytes(),
                );
                digest.update(Sha256::digest(as_text(&fs::read(&path).ok()?).replace('\r', "")));
            }
        }
    }
    (sources > 0).then(|| digest.finalize().to_vec())
}

/// Adds files under the names by which sources mention them, where only the capitals or the slashes differ: systems other
/// than Linux find them so.
fn add_mentioned_names(tree: &SourceTree, notes: &mut Vec<String>) -> io::Result<()> {
    let mut files: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for folder in &tree.folders {
        for name in &folder.files {
            files.entry(name.to_lowercase()).or_default().push(folder.inside.join(name));
        }
    }
    for (folder, name) in tree.folders.iter().flat_map(sources) {
        let text = as_text(&fs::read(folder.path.join(name))?);
        for quoted in text.lines().flat_map(|line| line.split(['"', '\'']).skip(1).step_by(2)) {
            let mut wanted = quoted.replace("\\\\", "\\");
            if name.ends_with("js") && wanted.starts_with("./") && !wanted.ends_with("js") {
                wanted.push_str(".js");
            }
            let plain = wanted.replace('\\', "/");
            let plain = plain.trim_start_matches("./").trim_start_matches("../");
            let last = plain.rsplit('/').next().unwrap_or(plain);
            let Some(known) = files.get(&last.to_lowercase()) else { continue };
            let is_right = known.iter().any(|path| path.ends_with(plain)) && !wanted.contains('\\');
            let lower = |path: &Path| PathBuf::from(path.to_string_lossy().to_lowercase());
            let found = known.iter().find(|path| lower(path).ends_with(plain.to_lowercase()));
            let Some(found) = found.filter(|_| !is_right) else { continue };
            let target = match wanted.contains("..") || Path::new(&wanted).is_absolute() {
                true => tree.root.join(found).with_file_name(last),
                false => folder.path.join(&wanted),
            };
            if !target.exists() {
                let around = target.parent().unwrap_or(&folder.path);
                fs::create_dir_all(around).and_then(|()| let_all_read(around, true))?;
                fs::copy(tree.root.join(found), &target).and_then(|_| let_all_read(&target, false))?;
                let found = found.display();
                notes.push(format!(
                    "{name} names {plain}; the file is called {found}, which is another name on Linux."
                ));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::tests::tidied;

    #[test]
    fn scripts_and_included_names_are_mended() {
        for (name, script, said) in [
            ("run.sh", "#!/bin/sh\r\necho\r\n", 1),
            ("run", "\u{feff}#!/bin/sh\r\necho\r\n", 1),
            ("run.sh", "echo\n", 0),
        ] {
            let (_, notes) = tidied(&[(name, script)]);
            assert!(notes.len() >= said && notes.len() <= 2, "{notes:?}");
            assert_eq!(notes.first().is_some_and(|note| note.contains("CR LF")), said > 0, "{notes:?}");
        }
        let (left, notes) = tidied(&[("poker.cpp", "#include \"Cards.h\"\n"), ("cards.h", "")]);
        // Where the file system takes both for one name, there is no file to add.
        assert!(left.len() == 2 || left == ["Cards.h", "cards.h", "poker.cpp"], "{left:?} {notes:?}");
        for (name, text, file) in [
            ("poker.js", "require('./Wire');", "wire.js"),
            ("poker.cpp", "# include \"Inc/Cards.h\"", "inc/cards.h"),
            ("Poker.java", "open(\"data\\\\odds.csv\")", "data/odds.csv"),
        ] {
            let (left, notes) = tidied(&[(name, text), (file, "")]);
            assert!(
                (left.len(), notes.len()) == (3, 1) || (left.len(), notes.len()) == (2, 0),
                "{left:?} {notes:?}"
            );
            assert_eq!(
                tidied(&[
                    (name, &text.replace("Wire", "wire").replace("Inc/C", "inc/c").replace("\\\\", "/")),
                    (file, "")
                ])
                .0
                .len(),
                2
            );
        }
    }
}
