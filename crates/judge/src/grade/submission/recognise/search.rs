//! The search for the one folder of a submission that holds the program.

use std::path::PathBuf;

use super::candidate::{Aim, CandidateFolder, ProgramCandidate};
use super::kinds::{BOT_JSON, KINDS, MAKEFILE, Recogniser, predicates};
use super::tree::SourceTree;
use super::{Recipe, Unrecognised, java, manifests};

pub(super) fn find(tree: &SourceTree, aim: &Aim) -> Result<(PathBuf, Recipe), Unrecognised> {
    let (mut found, mut wrong) = (Vec::new(), Vec::new());
    for program in java_programs(tree, aim)? {
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
    let told = found.iter().filter(|candidate| candidate.recipe.kind == BOT_JSON);
    let depth = |candidate: &ProgramCandidate| candidate.at.components().count();
    let top = told.clone().map(depth).min();
    let mut nearest = told.filter(|candidate| Some(depth(candidate)) == top);
    if let (Some(candidate), None) = (nearest.next(), nearest.next()) {
        return Ok((candidate.copied.clone(), candidate.recipe.clone()));
    }
    if let Some(at) =
        wrong.iter().position(|error| matches!(error, Unrecognised::BotJson(_) | Unrecognised::NoAddress(..)))
    {
        return Err(wrong.swap_remove(at));
    }
    let Some(mut chosen) = choose(found)? else {
        let telling = |error: &Unrecognised| !matches!(error, Unrecognised::Nothing(..));
        // The one nearest to the top was found last.
        let error = wrong.into_iter().rfind(telling);
        return Err(
            error.unwrap_or_else(|| Unrecognised::Nothing(tree.root.clone(), aim.identifying_files()))
        );
    };
    if chosen.recipe.kind != BOT_JSON {
        let Recipe { run, otherwise, .. } = &mut chosen.recipe;
        for run in otherwise.iter_mut().map(|other| &mut other.run).chain([run]) {
            *run = format!("{run} {}", aim.arguments());
        }
    }
    Ok((chosen.copied, chosen.recipe))
}

fn java_programs(
    tree: &SourceTree,
    aim: &Aim,
) -> Result<Vec<Result<ProgramCandidate, Unrecognised>>, Unrecognised> {
    match aim {
        Aim::Predicates(_) => Ok(Vec::new()),
        Aim::Player | Aim::Answers { .. } => java::programs(tree, aim),
    }
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
    // One that is around all others is the program, and they are parts of it or older ones.
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
