//! The search for the one folder of a submission that holds the program.

use std::path::{Path, PathBuf};

use super::kinds::{CandidateFolder, KINDS, MAKEFILE, Recogniser, predicates};
use super::tree::SourceTree;
use super::{Recipe, Unrecognised, java, manifests};

/// What a student can do about a program that is not found.
const TELL: &str = "write a bot.json like {\"build\": \"javac Poker.java\", \"run\": \"java Poker {host} {port}\"} in it, \
                    or give the command line that runs it in place of the folder";

const ANSWERS: &str = "give the command line that runs it with --program, or hand in only the program";

/// What is looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Aim {
    /// A player of stud: it talks to the dealer at `{host}` and `{port}`.
    Player,
    /// A program that is asked on its command line and prints its answer: the names that it may have, and what its command
    /// line ends with.
    Answers {
        /// The names of its class or file, the likeliest first.
        names: &'static [&'static str],
        /// What its command line ends with, such as `{cards}`.
        arguments: &'static str,
    },
    /// A Prolog file in which one of these predicates is defined.
    Predicates(&'static [&'static str]),
}

impl Aim {
    /// The place, from 0, of the name of a class, or of a file without its ending, among the names that such a program has,
    /// the likeliest first; `None` for another name.
    pub(super) fn likelihood_of(&self, name: &str) -> Option<usize> {
        let names = match self {
            Aim::Player => &["poker"],
            Aim::Answers { names, .. } => *names,
            Aim::Predicates(_) => &[],
        };
        names.iter().position(|usual| name.eq_ignore_ascii_case(usual))
    }

    pub(super) fn classes(&self) -> &'static [&'static str] {
        match self {
            Aim::Player | Aim::Predicates(_) => &[],
            Aim::Answers { names, .. } => names,
        }
    }

    fn arguments(&self) -> &'static str {
        match self {
            Aim::Player => "{host} {port}",
            Aim::Answers { arguments, .. } => arguments,
            Aim::Predicates(_) => "",
        }
    }

    /// What such a program is known by, and what to do if it is not found.
    pub(super) fn known_by(&self) -> String {
        const LANGUAGES: &str =
            "Poker.java, poker.py, Cargo.toml, go.mod, package.json, Makefile, C++ or JavaScript sources";
        match self {
            Aim::Player => format!("no bot that is known by its files ({LANGUAGES}): {TELL}"),
            Aim::Answers { names, .. } => format!(
                "no program that is known by its files ({}): {ANSWERS}",
                LANGUAGES.replace("Poker", names[0]).replace("poker", names[names.len() - 1])
            ),
            Aim::Predicates(names) => format!(
                "no Prolog file that defines {}: a clause of one has to begin a line, in a file that ends in .pl",
                names.join(" or ")
            ),
        }
    }

    /// What to do where several files could be the program.
    pub(super) fn say_which(&self) -> &'static str {
        match self {
            Aim::Player => TELL,
            Aim::Answers { .. } => ANSWERS,
            Aim::Predicates(_) => {
                "hand in one file that loads the others, or say with --file which one it is"
            }
        }
    }
}

impl Aim {}

/// A folder that may hold the program.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) at: PathBuf,
    /// The folder that is copied, built and run in.
    pub(super) copied: PathBuf,
    pub(super) recipe: Recipe,
    pub(super) plays: bool,
    /// Whether it has the name that the document asks for.
    pub(super) usual: bool,
}

/// A recipe whose command is still without the arguments that every program of an assignment gets.
pub(super) fn recipe_of(kind: &str, build: &[&str], run: &str) -> Recipe {
    Recipe {
        kind: kind.to_string(),
        build: build.iter().map(ToString::to_string).collect(),
        instead: Vec::new(),
        run: run.to_string(),
        makes: &[],
        otherwise: Vec::new(),
    }
}

/// The folder that is copied, and what the program in it is.
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
    // What is deeper first: a player in a folder is no part of what is around it.
    let owned = owned(tree);
    for folder in tree.folders.iter().rev() {
        // What is in a folder with a manifest is part of what the manifest describes.
        if owned.iter().any(|owner| folder.inside.starts_with(owner) && folder.inside != *owner) {
            continue;
        }
        let place = CandidateFolder { tree, folder, aim, taken: &taken };
        match best(place) {
            Ok(Some(candidate)) => {
                let of_java = found.iter().position(|java: &Candidate| java.at == candidate.at);
                match of_java {
                    Some(at) if !found[at].plays && candidate.plays => found[at] = candidate.clone(),
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
    // What the student's own file says comes before what is guessed from others.
    if let Some(told) =
        found.iter().position(|found| found.recipe.kind == "bot.json" && found.at == Path::new(""))
    {
        let candidate = found.swap_remove(told);
        return Ok((candidate.copied, candidate.recipe));
    }
    if let Some(at) = wrong
        .iter()
        .position(|error| matches!(error, Unrecognised::BotJson { .. } | Unrecognised::NoAddress { .. }))
    {
        return Err(wrong.swap_remove(at));
    }
    let Some(mut chosen) = choose(found)? else {
        let telling = |error: &Unrecognised| !matches!(error, Unrecognised::Nothing { .. });
        // The one nearest to the top was found last.
        let error = wrong.into_iter().rfind(telling);
        return Err(error.unwrap_or_else(|| Unrecognised::Nothing {
            folder: tree.root.clone(),
            known_by: aim.known_by(),
        }));
    };
    if chosen.recipe.kind != "bot.json" {
        let Recipe { run, otherwise, .. } = &mut chosen.recipe;
        for run in otherwise.iter_mut().map(|other| &mut other.run).chain([run]) {
            *run = format!("{run} {}", aim.arguments());
        }
    }
    Ok((chosen.copied, chosen.recipe))
}

fn java_programs(tree: &SourceTree, aim: &Aim) -> Result<Vec<Result<Candidate, Unrecognised>>, Unrecognised> {
    match aim {
        Aim::Predicates(_) => Ok(Vec::new()),
        Aim::Player | Aim::Answers { .. } => java::programs(tree, aim),
    }
}

/// The folders with a file that says what the program in them is, those in others left out.
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

/// What a folder holds: the first kind that plays, or the first.
fn best(place: CandidateFolder<'_>) -> Result<Option<Candidate>, Unrecognised> {
    let (mut found, mut wrong) = (Vec::new(), None);
    let kinds: &[Recogniser] = match place.aim {
        Aim::Predicates(_) => &[predicates],
        Aim::Player | Aim::Answers { .. } => &KINDS,
    };
    for kind in kinds {
        match kind(place) {
            Ok(candidate) => found.extend(candidate),
            Err(error @ (Unrecognised::BotJson { .. } | Unrecognised::NoAddress { .. })) => {
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

fn choose(found: Vec<Candidate>) -> Result<Option<Candidate>, Unrecognised> {
    let (playing, others): (Vec<Candidate>, Vec<Candidate>) =
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
            Err(Unrecognised::SeveralFolders { folders })
        }
    }
}
