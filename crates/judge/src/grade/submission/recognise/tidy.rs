//! Tidies the copy of a submission: names and files as learning platforms, archive tools and other systems leave them.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

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

/// The most bytes of a folder that is compared with another one.
const MAX_COMPARED_BYTES: u64 = 8 << 20;

/// Tidies a tree in place and returns a sentence for each change that a student may want to know.
pub(in crate::grade::submission) fn tidy(root: &Path) -> io::Result<Vec<String>> {
    let mut notes = Vec::new();
    remove_companions(root)?;
    let read = || SourceTree::read(root).map_err(|error| io::Error::other(error.to_string()));
    let tree = read()?;
    let is_described = tree.folders.iter().any(|folder| MANIFESTS.iter().any(|name| folder.has(name)));
    for folder in &tree.folders {
        restore_endings(folder, &mut notes)?;
        mend_scripts(folder, &mut notes)?;
    }
    for folder in &read()?.folders {
        rename_to_classes(folder, &mut notes)?;
        if !is_described {
            remove_copy_marks(folder, &mut notes)?;
        }
    }
    remove_equal_folders(&read()?, &mut notes)?;
    add_included_names(&read()?, &mut notes)?;
    Ok(notes)
}

/// Whether a file or folder of this name is added by a system and is no part of a submission.
pub(in crate::grade::submission) fn is_companion(name: &str) -> bool {
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

/// Gives sources the endings that compilers know: without an added `.txt`, and in small letters.
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
    let short = match name.len().checked_sub(4).and_then(|at| Some((name.get(..at)?, name.get(at..)?))) {
        Some((stem, ending)) if ending.eq_ignore_ascii_case(".txt") => stem,
        _ => name,
    };
    let (stem, ending) = short.rsplit_once('.').filter(|(stem, _)| !stem.is_empty())?;
    let known = match ending {
        "C" | "c++" | "C++" => "cpp".to_string(),
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

/// Gives scripts line feeds, without which no system finds their interpreter, and the permission to run.
fn mend_scripts(folder: &SourceFolder, notes: &mut Vec<String>) -> io::Result<()> {
    for name in folder.with_endings(&[".sh", ".py", ".pl", ".rb"]) {
        let path = folder.path.join(name);
        let Ok(text) = fs::read(&path) else { continue };
        if !text.starts_with(b"#!") {
            continue;
        }
        if text.windows(2).any(|two| two == b"\r\n") {
            fs::write(&path, String::from_utf8_lossy(&text).replace("\r\n", "\n"))?;
            notes.push(format!("The lines of {name} end as on Windows (CR LF); they were changed to LF."));
        }
        if !may_be_executed(&fs::metadata(&path)?) {
            let_all_read(&path, true)?;
            if name.ends_with(".sh") {
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
        sources.insert(name.clone(), JavaFile::read(&as_text(&fs::read(folder.path.join(name))?)));
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
/// mentions the name.
fn remove_copy_marks(folder: &SourceFolder, notes: &mut Vec<String>) -> io::Result<()> {
    let is_source =
        |name: &&String| name.rsplit_once('.').is_some_and(|(_, ending)| SOURCE_ENDINGS.contains(&ending));
    let sources: Vec<&String> = folder.files.iter().filter(is_source).collect();
    for name in &sources {
        let Some((stem, ending)) = name.rsplit_once('.') else { continue };
        let Some(plain) = without_copy_mark(stem) else { continue };
        let mut texts = sources.iter().filter_map(|other| fs::read(folder.path.join(other)).ok());
        if texts.any(|text| as_text(&text).contains(stem)) {
            continue;
        }
        let restored = format!("{plain}.{ending}");
        if rename(folder, name, &restored)? {
            notes.push(format!("{name} is read as {restored}."));
        }
    }
    Ok(())
}

fn without_copy_mark(stem: &str) -> Option<&str> {
    let is_number =
        |text: &str| !text.is_empty() && text.len() < 3 && text.bytes().all(|byte| byte.is_ascii_digit());
    let numbered = stem.strip_suffix(')').and_then(|rest| rest.rsplit_once('('));
    let numbered = numbered.or_else(|| stem.rsplit_once('-'));
    let plain = match numbered {
        Some((plain, number)) if is_number(number) => plain.trim_end(),
        _ => stem,
    };
    let plain = COPY_WORDS.iter().find_map(|word| plain.strip_suffix(word)).unwrap_or(plain);
    let plain = plain.strip_prefix("Copy of ").unwrap_or(plain);
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
                digest.update(Sha256::digest(fs::read(&path).ok()?));
            }
        }
    }
    (sources > 0).then(|| digest.finalize().to_vec())
}

/// Adds headers under the names in which sources include them, where only the capitals differ.
fn add_included_names(tree: &SourceTree, notes: &mut Vec<String>) -> io::Result<()> {
    for folder in &tree.folders {
        for name in folder.with_endings(&[".cpp", ".cc", ".cxx", ".c", ".h", ".hpp", ".hh", ".hxx"]) {
            let text = as_text(&fs::read(folder.path.join(name))?);
            let included =
                text.lines().filter_map(|line| line.trim_start().strip_prefix("#include")?.split('"').nth(1));
            for path in included {
                let wanted = path.rsplit(['/', '\\']).next().unwrap_or(path);
                let all = || {
                    tree.folders.iter().flat_map(|folder| folder.files.iter().map(move |name| (folder, name)))
                };
                if all().any(|(_, name)| name == wanted) {
                    continue;
                }
                let Some((place, other)) = all().find(|(_, name)| name.eq_ignore_ascii_case(wanted)) else {
                    continue;
                };
                let target = place.path.join(wanted);
                if !target.exists() {
                    fs::copy(place.path.join(other), &target)?;
                    let_all_read(&target, false)?;
                    notes.push(format!("{name} includes {wanted}; the file is called {other}, which is another name on Linux."));
                }
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tidies a folder with these files, and returns the names of the files that are there then, and the notes.
    fn tidied(name: &str, files: &[(&str, &str)]) -> (Vec<String>, Vec<String>) {
        let folder = std::env::temp_dir().join(format!("casino-tidy-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        for (file, content) in files {
            let path = folder.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }
        let notes = tidy(&folder).unwrap();
        let tree = SourceTree::read(&folder).unwrap();
        let paths =
            tree.folders.iter().flat_map(|folder| folder.files.iter().map(|file| folder.inside.join(file)));
        let mut left: Vec<String> = paths.map(|path| path.display().to_string()).collect();
        left.sort();
        fs::remove_dir_all(&folder).unwrap();
        (left, notes)
    }

    const POKER: &str = "public class Poker { public static void main(String[] a) {} }";

    #[test]
    fn names_are_restored() {
        let plain = "class Poker { public static void main(String[] a) {} }";
        for (files, wanted, notes) in [
            (&[("Poker-1.java", POKER)][..], &["Poker.java"][..], 1),
            (&[("Poker (1).java", POKER)], &["Poker.java"], 1),
            (&[("poker.java", POKER), ("Hand.java", "class Hand {}")], &["Hand.java", "Poker.java"], 1),
            (&[("Poker - Copy.java", POKER), ("Poker.java", POKER)], &["Poker.java"], 1),
            (&[("Poker - Kopie.java", plain), ("Poker.java", plain)], &["Poker.java"], 1),
            (&[("Copy of Poker.java", POKER)], &["Poker.java"], 1),
            (&[("Poker.java.txt", POKER), ("poker.py.txt", "")], &["Poker.java", "poker.py"], 2),
            (&[("Poker.JAVA", POKER)], &["Poker.java"], 1),
            (&[("poker.C", ""), ("deck (2).c++", "")], &["deck.cpp", "poker.cpp"], 3),
            (&[("bot (3).py", "import wire"), ("wire-1.py", "")], &["bot.py", "wire.py"], 2),
            (&[("bot-2.js", ""), ("main.js", "require('./bot-2')")], &["bot-2.js", "main.js"], 0),
            (&[("bot.json", "{}"), ("bot-2.py", "")], &["bot-2.py", "bot.json"], 0),
            (
                &[("._Poker.java", "x"), ("__MACOSX/a/._Poker.java", "x"), ("Poker.java", POKER)],
                &["Poker.java"],
                0,
            ),
            (&[("notes.txt", ""), ("a.b.txt", "")], &["a.b.txt", "notes.txt"], 0),
        ] {
            let (left, said) = tidied("names", files);
            assert_eq!(
                (left.iter().map(String::as_str).collect::<Vec<_>>(), said.len()),
                (wanted.to_vec(), notes),
                "{said:?}"
            );
        }
    }

    #[test]
    fn equal_folders_count_once_and_different_ones_stay() {
        let (left, notes) =
            tidied("equal", &[("P/Poker.java", POKER), ("P - Copy/Poker.java", POKER), ("P/x.class", "x")]);
        assert_eq!((left.len(), notes.len()), (2, 1), "{left:?}");
        let (left, _) = tidied("unequal", &[("a/poker.py", "1"), ("b/poker.py", "2")]);
        assert_eq!(left, ["a/poker.py", "b/poker.py"]);
    }

    #[test]
    fn scripts_and_included_names_are_mended() {
        let (_, notes) = tidied("script", &[("run.sh", "#!/bin/sh\r\necho\r\n")]);
        assert!(notes[0].contains("CR LF") && notes.len() <= 2, "{notes:?}");
        let (left, notes) = tidied("include", &[("poker.cpp", "#include \"Cards.h\"\n"), ("cards.h", "")]);
        // A system that takes both for one name has nothing to mend.
        assert!(left.len() == 2 || left == ["Cards.h", "cards.h", "poker.cpp"], "{left:?} {notes:?}");
    }
}
