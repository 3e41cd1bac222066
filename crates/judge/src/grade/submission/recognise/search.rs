//! The search for the one folder of a submission that holds the program.

use std::path::{Path, PathBuf};

use super::candidate::{Aim, CandidateFolder, ProgramCandidate};
use super::kinds::{BOT_JSON, KINDS, MAKEFILE, Recogniser, predicates};
use super::tree::SourceTree;
use super::{Recipe, Unrecognised, java, manifests, unusable};

/// Words in the names of folders, from those of older versions to those of newer ones.
const OLDER: [&str; 8] = ["old", "older", "backup", "bak", "draft", "original", "alt", "previous"];
const NEWER: [&str; 9] = ["new", "newer", "newest", "latest", "last", "final", "fixed", "neu", "submission"];
const NUMBERED: [&str; 4] = ["v", "ver", "version", "rev"];

/// Words whose number names another program and no version.
const WORK: [&str; 11] =
    ["project", "proj", "lab", "part", "task", "hw", "homework", "assignment", "exercise", "week", "p"];

pub(super) fn find(tree: &SourceTree, aim: &Aim) -> Result<(PathBuf, Recipe), Unrecognised> {
    let (mut found, mut wrong) = (Vec::new(), Vec::new());
    for program in java::programs(tree, aim)? {
        match program {
            Ok(candidate) => found.push(candidate),
            Err(error) => wrong.push(error),
        }
    }
    let mut taken: Vec<PathBuf> =
        found.iter().filter(|found| found.plays).map(|candidate| candidate.at.clone()).collect();
    // Deepest first: a player in a folder does not belong to the folders around it.
    let owned = owned(tree);
    for folder in tree.folders.iter().rev() {
        // Folders below a manifest belong to the manifest's program.
        if owned.iter().any(|owner| folder.inside.starts_with(owner) && folder.inside != *owner) {
            continue;
        }
        let place = CandidateFolder { tree, folder, aim, taken: &taken };
        match best(place) {
            Ok(Some(candidate)) => {
                let of_java = found.iter().position(|java: &ProgramCandidate| java.at == candidate.at);
                match of_java {
                    Some(at) if candidate.recipe.kind == BOT_JSON || !found[at].plays && candidate.plays => {
                        found[at] = candidate.clone();
                    }
                    Some(_) => continue,
                    None => found.push(candidate.clone()),
                }
                if candidate.plays {
                    taken.push(candidate.at);
                }
            }
            Ok(None) => {}
            Err(error) => wrong.push(error),
        }
    }
    // The student's own `bot.json` takes precedence over guesses; the one nearest to the top.
    let declared = found.iter().filter(|candidate| candidate.recipe.kind == BOT_JSON);
    let depth = |candidate: &ProgramCandidate| candidate.at.components().count();
    let top = declared.clone().map(depth).min();
    let mut nearest = declared.filter(|candidate| Some(depth(candidate)) == top);
    if let (Some(candidate), None) = (nearest.next(), nearest.next()) {
        return Ok((candidate.copied.clone(), candidate.recipe.clone()));
    }
    if let Some(at) =
        wrong.iter().position(|error| matches!(error, Unrecognised::BotJson(_) | Unrecognised::NoAddress(..)))
    {
        return Err(wrong.swap_remove(at));
    }
    let Some(chosen) = choose(found)? else {
        return nothing(tree, aim, wrong);
    };
    Ok(with_arguments(chosen, aim))
}

/// The reason why there is no program, or the program that gives the reason itself when it is compiled and run.
fn nothing(
    tree: &SourceTree,
    aim: &Aim,
    wrong: Vec<Unrecognised>,
) -> Result<(PathBuf, Recipe), Unrecognised> {
    let telling = |error: &Unrecognised| !matches!(error, Unrecognised::Nothing(..));
    // The one nearest to the top was found last.
    if let Some(error) = wrong.into_iter().rfind(telling) {
        return Err(error);
    }
    if let Some(why) = unusable::why(tree, aim)? {
        return Err(Unrecognised::Unusable(why));
    }
    match java::without_main(tree, aim)? {
        Some(program) => Ok(with_arguments(program, aim)),
        None => {
            Err(Unrecognised::Nothing(tree.root.clone(), aim.identifying_files(), aim.disambiguation_hint()))
        }
    }
}

fn with_arguments(mut chosen: ProgramCandidate, aim: &Aim) -> (PathBuf, Recipe) {
    if chosen.recipe.kind != BOT_JSON {
        let Recipe { run, otherwise, .. } = &mut chosen.recipe;
        for run in otherwise.iter_mut().map(|other| &mut other.run).chain([run]) {
            *run = format!("{run} {}", aim.arguments());
        }
    }
    (chosen.copied, chosen.recipe)
}

fn owned(tree: &SourceTree) -> Vec<PathBuf> {
    let mut owned: Vec<PathBuf> = Vec::new();
    for folder in &tree.folders {
        let describes = folder.has("Cargo.toml") || folder.has("go.mod") || manifests::has_main(folder);
        if describes && !owned.iter().any(|owner| folder.inside.starts_with(owner)) {
            owned.push(folder.inside.clone());
        }
    }
    owned
}

/// The candidate of a folder: the first kind that plays, or the first.
fn best(place: CandidateFolder<'_>) -> Result<Option<ProgramCandidate>, Unrecognised> {
    let (mut found, mut wrong) = (Vec::new(), None);
    let kinds: &[Recogniser] = match place.aim {
        Aim::Predicates(_) => &[predicates],
        Aim::Player | Aim::Answers { .. } => &KINDS,
    };
    for kind in kinds {
        match kind(place) {
            Ok(candidate) => found.extend(candidate),
            Err(error @ (Unrecognised::BotJson(_) | Unrecognised::NoAddress(..))) => {
                return Err(error);
            }
            Err(error) => wrong = wrong.or(Some(error)),
        }
    }
    let at = found.iter().position(|candidate| candidate.plays).unwrap_or(0);
    let mut left = found.into_iter().skip(at);
    let Some(mut chosen) = left.next() else { return wrong.map_or(Ok(None), Err) };
    if chosen.recipe.kind == MAKEFILE {
        let beside = left.filter(|other| other.copied == chosen.copied && !other.recipe.build.is_empty());
        chosen.recipe.otherwise = beside.map(|other| other.recipe).collect();
    }
    Ok(Some(chosen))
}

fn choose(found: Vec<ProgramCandidate>) -> Result<Option<ProgramCandidate>, Unrecognised> {
    let (playing, others): (Vec<ProgramCandidate>, Vec<ProgramCandidate>) =
        found.into_iter().partition(|found| found.plays);
    let mut left = if playing.is_empty() { others } else { playing };
    let usual = left.iter().filter(|candidate| candidate.usual).count();
    // A folder around all the others is the program: the others are parts or older versions of it.
    let outermost = left.iter().position(|one| left.iter().all(|other| other.at.starts_with(&one.at)));
    match (left.len(), outermost) {
        (0, _) => Ok(None),
        (_, Some(at)) => Ok(Some(left.swap_remove(at))),
        _ if usual == 1 => Ok(left.into_iter().find(|candidate| candidate.usual)),
        _ => {
            let mut folders: Vec<String> = left.iter().map(|one| one.at.display().to_string()).collect();
            folders.sort();
            Err(Unrecognised::SeveralFolders(folders))
        }
    }
}

/// The folders of several programs, the newest first, up to the part of their paths in which they differ. `None` if their
/// names do not show that they are versions of one.
pub(in crate::grade::submission) fn newest_first(folders: &[String]) -> Option<Vec<String>> {
    let parts: Vec<Vec<_>> = folders.iter().map(|folder| Path::new(folder).components().collect()).collect();
    let first = parts.first()?;
    let same = (0..first.len()).take_while(|at| parts.iter().all(|other| other.get(*at) == first.get(*at)));
    let at = same.count();
    let mut versions = Vec::new();
    for folder in &parts {
        let name = folder.get(at)?.as_os_str().to_str()?;
        let path = folder[..=at].iter().collect::<PathBuf>().to_str()?.to_string();
        versions.push((version_of(name), path));
    }
    versions.sort_by(|((_, one), _), ((_, other), _)| other.cmp(one));
    let is_next = |pair: &[((String, Age), String)]| {
        let [((name, age), _), ((older_name, older_age), _)] = pair else { return false };
        name == older_name && age > older_age
    };
    versions.windows(2).all(is_next).then(|| versions.into_iter().map(|(_, path)| path).collect())
}

/// How new a version is: by its words, and by its numbers.
type Age = (i8, Vec<u64>);

/// The name of a folder without the words and numbers of its version, and its age.
fn version_of(name: &str) -> (String, Age) {
    let mut words: Vec<String> = Vec::new();
    let mut before = ' ';
    for letter in name.chars() {
        let is_new = !before.is_alphanumeric()
            || before.is_numeric() != letter.is_numeric()
            || before.is_lowercase() && letter.is_uppercase();
        match words.last_mut() {
            Some(word) if !is_new && letter.is_alphanumeric() => word.extend(letter.to_lowercase()),
            _ if letter.is_alphanumeric() => words.push(letter.to_lowercase().collect()),
            _ => {}
        }
        before = letter;
    }
    let (mut plain, mut age): (Vec<String>, Age) = Default::default();
    for (at, word) in words.iter().enumerate() {
        let is_work = at > 0 && WORK.contains(&words[at - 1].as_str());
        let has_letters = words.iter().any(|word| word.starts_with(char::is_alphabetic));
        match word.parse() {
            Ok(number) if has_letters && !is_work => age.1.push(number),
            Ok(number) => plain.push(number.to_string()),
            Err(_) if NEWER.contains(&word.as_str()) => age.0 = 1,
            Err(_) if OLDER.contains(&word.as_str()) => age.0 = -1,
            Err(_) if NUMBERED.contains(&word.as_str()) => {}
            Err(_) => plain.push(word.clone()),
        }
    }
    (plain.join(" "), age)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_folders_show_which_version_is_the_newest() {
        for (folders, newest) in [
            (&["v1", "v2"][..], Some("v2")),
            (&["V10", "V9", "V2"], Some("V10")),
            (&["hw/Poker", "hw/Poker final"], Some("hw/Poker final")),
            (&["Poker/src", "Poker_old/src"], Some("Poker")),
            (&["PokerFinal", "PokerFinal2", "Poker3"], Some("PokerFinal2")),
            (&["Project01", "Project01-2"], Some("Project01-2")),
            (&["poker 2026-11-02", "poker 2026-10-30"], Some("poker 2026-11-02")),
            (&["Project01", "Project02"], None),
            (&["hw1", "hw2"], None),
            (&["1", "2"], None),
            (&["Poker", "Bot v2"], None),
            (&["Poker", "Poker - Copy"], None),
            (&["poker/a", "poker/b"], None),
            (&["Poker final", "Poker_new"], None),
        ] {
            let folders: Vec<String> = folders.iter().map(ToString::to_string).collect();
            let found = newest_first(&folders);
            assert_eq!(found.as_ref().map(|found| found[0].as_str()), newest, "{folders:?}");
        }
    }
}
