//! Folders with a manifest that describes the program: cargo's and npm's.

use std::path::{Path, PathBuf};

use super::candidate::{CandidateFolder, ProgramCandidate, below, recipe_of};
use super::tree::SourceFolder;
use super::{Unrecognised, quoted};

#[derive(Debug, Default)]
struct Manifest {
    package: Option<String>,
    bin: Option<String>,
    is_workspace: bool,
}

/// A crate, or a workspace with one program in it. Submitted dependencies are used in place.
pub(super) fn cargo(place: CandidateFolder<'_>) -> Result<Option<ProgramCandidate>, Unrecognised> {
    if !place.folder.has("Cargo.toml") {
        return Ok(None);
    }
    let manifest = read(place.folder)?;
    let mut names: Vec<String> = program(&place, place.folder, &manifest).into_iter().collect();
    if names.is_empty() && manifest.is_workspace {
        for member in
            place.tree.under(&place.folder.inside, place.taken).filter(|member| member.has("Cargo.toml"))
        {
            names.extend(program(&place, member, &read(member)?));
        }
    }
    let name = match names.len() {
        0 => {
            return Err(Unrecognised::Nothing(
                place.folder.path.clone(),
                place.aim.identifying_files(),
                place.aim.disambiguation_hint(),
            ));
        }
        1 => names.remove(0),
        _ => return Err(place.several(names)),
    };
    // The folder to copy: with the student's own crates beside this one, or with submitted dependencies.
    let text = place.folder.read("Cargo.toml")?;
    let beside = text.contains("path = \"..") || text.contains("path=\"..");
    let has_crates = |folder: &&Path| folder.join("vendor").is_dir() || folder.join(".cargo").is_dir();
    let inside = &place.folder.inside;
    let around = inside.ancestors().find(|around| has_crates(&place.tree.root.join(around).as_path()));
    let top = if beside { Path::new("") } else { around.unwrap_or(inside) };
    let manifest = match below(inside, top).as_str() {
        "." => String::new(),
        inside => format!(" --manifest-path {}", quoted(&format!("{inside}/Cargo.toml"))),
    };
    let copied = place.tree.root.join(top);
    let build = format!(
        "cargo build --release --offline --quiet --target-dir target{manifest} --bin {}{}",
        quoted(&name),
        vendored(&copied)
    );
    let run = format!("target/release/{}", quoted(&name));
    let candidate = place.candidate(recipe_of("Rust", &[&build], &run), &[".rs"], name == "poker")?;
    Ok(candidate.map(|candidate| ProgramCandidate { copied, ..candidate }))
}

fn program(place: &CandidateFolder<'_>, folder: &SourceFolder, manifest: &Manifest) -> Option<String> {
    let package = manifest.package.clone()?;
    let in_folder =
        |path: &str| place.tree.folders.iter().find(|other| other.inside == folder.inside.join(path));
    let has_main = in_folder("src").is_some_and(|src| src.has("main.rs"));
    let in_bin = in_folder("src/bin").and_then(|bin| bin.with_endings(&[".rs"]).next().cloned());
    match (&manifest.bin, has_main, in_bin) {
        (Some(bin), ..) => Some(bin.clone()),
        (None, false, Some(file)) => Some(file.trim_end_matches(".rs").to_string()),
        // A library alone is a part of something else.
        (None, false, None) if in_folder("src").is_some_and(|src| src.has("lib.rs")) => None,
        _ => Some(package),
    }
}

/// The cargo option for vendored crates, unless the folder's own configuration has it.
fn vendored(folder: &Path) -> String {
    let has_config = [".cargo/config.toml", ".cargo/config"].iter().any(|file| folder.join(file).is_file());
    let entries = std::fs::read_dir(folder.join("vendor")).into_iter().flatten().flatten();
    let has_crates = entries.map(|entry| entry.path()).any(|path: PathBuf| path.join("Cargo.toml").is_file());
    match has_crates && !has_config {
        true => " --config 'source.crates-io.replace-with=\"handed-in\"' \
                 --config 'source.handed-in.directory=\"vendor\"'"
            .to_string(),
        false => String::new(),
    }
}

fn read(folder: &SourceFolder) -> Result<Manifest, Unrecognised> {
    let text = folder.read("Cargo.toml")?;
    let mut manifest = Manifest::default();
    let mut section = "";
    for line in text.lines().map(str::trim) {
        if line.starts_with('[') {
            section = line.split('#').next().unwrap_or(line).trim();
            manifest.is_workspace |= section == "[workspace]";
        }
        let name = line.strip_prefix("name").and_then(|rest| rest.trim_start().strip_prefix('='));
        let name = name.and_then(|name| name.trim().split(['"', '\'']).nth(1)).map(str::to_string);
        match (section, name) {
            ("[[bin]]", Some(name)) => manifest.bin = manifest.bin.or(Some(name)),
            ("[package]", Some(name)) => manifest.package = Some(name),
            _ => {}
        }
    }
    // A `[[bin]]` alone is a crate too, as old ones have it.
    manifest.package = manifest.package.or_else(|| manifest.bin.clone());
    Ok(manifest)
}

pub(super) fn has_main(folder: &SourceFolder) -> bool {
    folder.has("package.json") && main_of(folder).is_ok_and(|main| main.is_some())
}

fn main_of(folder: &SourceFolder) -> Result<Option<String>, Unrecognised> {
    let package: serde_json::Value = serde_json::from_str(&folder.read("package.json")?)
        .map_err(|error| Unrecognised::PackageJson(folder.path.join("package.json"), error))?;
    let Some(main) = package["main"].as_str() else { return Ok(None) };
    let names = [main.to_string(), format!("{main}.js")];
    Ok(names.into_iter().find(|main| folder.path.join(main).is_file()))
}

pub(super) fn npm(place: CandidateFolder<'_>) -> Result<Option<ProgramCandidate>, Unrecognised> {
    if !place.folder.has("package.json") {
        return Ok(None);
    }
    let Some(main) = main_of(place.folder)? else { return Ok(None) };
    place.candidate(
        recipe_of("JavaScript", &[], &format!("node {}", quoted(&main))),
        &[".js", ".mjs", ".cjs"],
        false,
    )
}
