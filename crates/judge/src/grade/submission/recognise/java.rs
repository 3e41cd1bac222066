//! Java: the program is a class with a `main`, wherever its packages put it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::candidate::{ProgramCandidate, recipe_of};
use super::scan::JavaFile;
use super::tree::{SourceTree, talks};
use super::{Aim, Recipe, Unrecognised, quoted};

const DOCUMENTED: &str = "Poker";

struct JavaSource {
    path: PathBuf,
    file: JavaFile,
    talks: bool,
}

/// Sources with the same root for their packages.
struct Project<'a> {
    root: PathBuf,
    sources: Vec<&'a JavaSource>,
}

/// The Java programs. The main class has a name of the aim, is `Poker`, talks to a network, or is the only one.
pub(super) fn programs(
    tree: &SourceTree,
    aim: &Aim,
) -> Result<Vec<Result<ProgramCandidate, Unrecognised>>, Unrecognised> {
    let sources = if matches!(aim, Aim::Predicates(_)) { Vec::new() } else { sources(tree)? };
    let mut roots: BTreeMap<PathBuf, Vec<&JavaSource>> = BTreeMap::new();
    for source in &sources {
        roots.entry(root_of(source)).or_default().push(source);
    }
    let has_main = |sources: &[&JavaSource]| sources.iter().any(|source| !source.file.mains.is_empty());
    let (mut projects, helpers): (Vec<Project<'_>>, Vec<Project<'_>>) = roots
        .into_iter()
        .map(|(root, sources)| Project { root, sources })
        .partition(|project| has_main(&project.sources));
    // Sources that are in no folder of their package belong to the project around them.
    for helper in helpers {
        let around = projects.iter_mut().filter(|project| helper.root.starts_with(&project.root));
        if let Some(project) = around.max_by_key(|project| project.root.components().count()) {
            project.sources.extend(helper.sources);
        }
    }
    let program = |project: &Project<'_>| candidate(tree, project, aim, main_class(project, aim)?);
    Ok(projects.iter().map(program).collect())
}

fn sources(tree: &SourceTree) -> Result<Vec<JavaSource>, Unrecognised> {
    let mut sources = Vec::new();
    for folder in &tree.folders {
        for name in folder.with_endings(&[".java"]) {
            let text = folder.read(name)?;
            sources.push(JavaSource {
                path: folder.inside.join(name),
                file: JavaFile::read(name.trim_end_matches(".java"), &text),
                talks: talks(&text),
            });
        }
    }
    Ok(sources)
}

/// The folder in which the packages of a source begin; its own if it is in no folder of its package.
fn root_of(source: &JavaSource) -> PathBuf {
    let folder = source.path.parent().unwrap_or(Path::new(""));
    let package: PathBuf = source.file.package.split('.').filter(|part| !part.is_empty()).collect();
    match folder.ends_with(&package) {
        true => folder.ancestors().nth(package.components().count()).unwrap_or(folder).to_path_buf(),
        false => folder.to_path_buf(),
    }
}

/// The program of a submission without any `main`, so that the compiler or Java says what is wrong with it: the class of a usual
/// name, or the only class.
pub(super) fn without_main(tree: &SourceTree, aim: &Aim) -> Result<Option<ProgramCandidate>, Unrecognised> {
    let sources = if matches!(aim, Aim::Predicates(_)) { Vec::new() } else { sources(tree)? };
    let stem =
        |source: &JavaSource| source.path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let usual = sources.iter().find(|source| aim.likelihood_of(&stem(source)).is_some());
    let only = if let [only] = &sources[..] { Some(only) } else { None };
    let Some(main) = usual.or(only) else { return Ok(None) };
    let root = root_of(main);
    let beside = sources.iter().filter(|source| root_of(source) == root).collect();
    let class = with_package(stem(main), main);
    candidate(tree, &Project { root, sources: beside }, aim, (class, main)).map(Some)
}

fn with_package(class: String, source: &JavaSource) -> String {
    let package = &source.file.package;
    if package.is_empty() { class } else { format!("{package}.{class}") }
}

fn candidate(
    tree: &SourceTree,
    project: &Project<'_>,
    aim: &Aim,
    (class, main): (String, &JavaSource),
) -> Result<ProgramCandidate, Unrecognised> {
    let jars = jars(tree, &project.root);
    // The folder that is copied: that of the sources, or one around it with libraries in it.
    let copied = jars.first().map_or_else(|| project.root.clone(), |(around, _)| around.clone());
    let inside = |path: &Path| {
        let path = path.strip_prefix(&copied).unwrap_or(path).to_string_lossy().replace('\\', "/");
        quoted(&format!("./{path}"))
    };
    let mut paths: Vec<&PathBuf> = project.sources.iter().map(|source| &source.path).collect();
    paths.sort();
    let all: Vec<String> = paths.into_iter().map(|path| inside(path)).collect();
    let separator = if std::path::MAIN_SEPARATOR == '/' { ":" } else { ";" };
    let libraries: Vec<String> = jars.iter().map(|(_, jar)| jar.clone()).collect();
    let class_path = [vec![".".to_string()], libraries].concat().join(separator);
    let with_libraries =
        if jars.is_empty() { String::new() } else { format!(" -cp {}", quoted(&class_path)) };
    let level = if main.file.is_newer { " --release 25" } else { "" };
    let compile = format!("javac{level} -encoding UTF-8 -nowarn -d .{with_libraries}");
    let root =
        project.root.strip_prefix(&copied).unwrap_or(&project.root).to_string_lossy().replace('\\', "/");
    let root = quoted(if root.is_empty() { "." } else { &root });
    let alone = format!("{compile} -sourcepath {root} {}", inside(&main.path));
    let run = format!("java -cp {} {}", quoted(&class_path), quoted(&class));
    let recipe = Recipe {
        // Files that the program does not use need not compile.
        instead: vec![vec![alone]],
        ..recipe_of("Java", &[&format!("{compile} {}", all.join(" "))], &run)
    };
    Ok(ProgramCandidate {
        at: project.root.clone(),
        copied: tree.root.join(copied),
        recipe,
        plays: project.sources.iter().any(|source| source.talks),
        usual: class
            .rsplit('.')
            .next()
            .is_some_and(|name| name == DOCUMENTED || aim.classes().contains(&name)),
    })
}

fn main_class<'a>(project: &Project<'a>, aim: &Aim) -> Result<(String, &'a JavaSource), Unrecognised> {
    let of_file = |source: &&'a JavaSource| {
        let source = *source;
        source.file.mains.iter().map(move |class| (class.clone(), source))
    };
    let mut mains: Vec<(String, &JavaSource)> = project.sources.iter().flat_map(of_file).collect();
    if mains.iter().any(|(_, source)| !source.file.is_newer) {
        mains.retain(|(_, source)| !source.file.is_newer);
    }
    let named = |name: &str| mains.iter().find(|(class, _)| class == name).cloned();
    let wanted = aim.classes();
    let usual =
        if wanted.is_empty() { named(DOCUMENTED) } else { wanted.iter().find_map(|name| named(name)) };
    let talking: Vec<(String, &JavaSource)> =
        mains.iter().filter(|(_, source)| source.talks).cloned().collect();
    let chosen = match (usual, &talking[..]) {
        (Some(main), _) => main,
        (None, [main]) => main.clone(),
        _ if mains.len() == 1 => mains.remove(0),
        _ => {
            let files = mains.into_iter().map(|(class, _)| class).collect();
            return Err(Unrecognised::Several(files, aim.disambiguation_hint()));
        }
    };
    Ok((with_package(chosen.0, chosen.1), chosen.1))
}

/// The libraries for a project, in the nearest folder around it that has any: that folder, and the path of each in it.
fn jars(tree: &SourceTree, root: &Path) -> Vec<(PathBuf, String)> {
    for around in root.ancestors() {
        let mut found = Vec::new();
        for folder in tree.under(around, &[]) {
            // javac refuses a damaged one, even if it is not needed.
            let is_jar = |jar: &&String| {
                let file = std::fs::File::open(folder.path.join(jar)).ok();
                !folder.inside.ends_with("gradle/wrapper")
                    && file.is_some_and(|file| zip::ZipArchive::new(file).is_ok())
            };
            for jar in folder.with_endings(&[".jar"]).filter(is_jar) {
                let path = folder.inside.join(jar);
                let path = path.strip_prefix(around).unwrap_or(&path).to_string_lossy().replace('\\', "/");
                found.push((around.to_path_buf(), path));
            }
        }
        if !found.is_empty() {
            return found;
        }
    }
    Vec::new()
}
