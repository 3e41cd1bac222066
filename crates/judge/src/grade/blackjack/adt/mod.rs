//! Grades the abstract data types of the Blackjack course, each alone: deck, hand and players.
//!
//! A driver (`crates/judge/courses/blackjack`) runs operations on a student's source in the sandbox and prints each result. The
//! expected results come from this program's own types, so that a submission cannot print its verdict.

mod course_files;
mod deck;
mod hand;
mod kind;
mod observing;
mod players;
mod script;
mod workbench;

use std::path::{Path, PathBuf};

use crate::grade::cases::CAUSES_PART_TITLE;
use crate::grade::from_source::{BLACKJACK, BuiltProgram};
use crate::grade::report::{Item, Part, Points, Report};
use crate::grade::submission::{FoundFiles, GivenFile, find_files};
use crate::grade::{CaseSettings, FailureKind, GradingFailure};
use crate::sandbox::Sandbox;
use course_files::CourseFiles;
use kind::{AdtKind, KINDS};
use observing::{Driven, command_of, quiet_item};
use script::AdtScript;
use workbench::Workbench;

/// The judged abstract data types of a submission.
#[derive(Debug, Default)]
pub struct JudgedAdts {
    /// A part for each; none if the submission is no program in C++.
    pub parts: Vec<Part>,
    /// The sources of those with a fault.
    wrong: Vec<&'static str>,
}

impl JudgedAdts {
    /// Finds and builds the submission's program with the course's files where it has none, and with the course's abstract data
    /// types in place of wrong ones: their faults cost points in their own parts alone.
    pub fn build(
        &self,
        handed_in: &Path,
        project: Option<&str>,
        given: &[GivenFile],
        sandbox: &Sandbox,
    ) -> Result<BuiltProgram, GradingFailure> {
        let with = |types: &[&str]| {
            let files = CourseFiles::new(given).for_program(types);
            BuiltProgram::build(handed_in, project, &BLACKJACK, &files, sandbox)
        };
        match with(&self.wrong) {
            // It may need more of its own types than the document has.
            Err(failure) if failure.kind == FailureKind::NotBuilt && !self.wrong.is_empty() => with(&[]),
            built => built,
        }
    }
}

/// Judges the abstract data types of a submission. Where they are `required`, a submission in another language misses them.
pub fn judge_adts(
    handed_in: &Path,
    project: Option<&str>,
    given: &[GivenFile],
    sandbox: &Sandbox,
    settings: &CaseSettings,
    required: bool,
) -> Result<JudgedAdts, GradingFailure> {
    let missing = || {
        let part = |kind: &AdtKind| Part { title: kind.title.into(), items: missing_items(kind, settings) };
        let parts = if required { KINDS.iter().map(part).collect() } else { Vec::new() };
        Ok(JudgedAdts { parts, wrong: Vec::new() })
    };
    let found = match find_files(handed_in, project, &is_of_adts) {
        Ok(found) if !found.files.is_empty() => found,
        // A program in C++ without these files is no full hand-in.
        Ok(_) => match find_files(handed_in, project, &is_cpp) {
            Ok(others) if !others.files.is_empty() => others,
            _ => return missing(),
        },
        // The program's report already has the reason.
        Err(why) if why.failure().kind != FailureKind::NotJudged => {
            return missing();
        }
        Err(why) => return Err(why.failure()),
    };
    judge_found(&found, given, sandbox, settings)
}

/// Adds the parts of abstract data types to the report on a program, which may have been unbuildable.
pub fn with_adts(mut report: Report, judged: Result<JudgedAdts, GradingFailure>) -> Report {
    let parts = match judged.map(|judged| judged.parts) {
        _ if !report.is_judged() => return report,
        Err(failure) => return Report::not_judged(&report.title, &report.subject, failure.reason),
        Ok(parts) if parts.is_empty() => return report,
        Ok(parts) => parts,
    };
    // The explaining part, which has no points, stays last.
    let at = report.parts.iter().position(|part| part.title == CAUSES_PART_TITLE);
    let at = at.unwrap_or(report.parts.len());
    report.parts.splice(at..at, parts);
    if let Some(failure) = &mut report.failure {
        failure.others_judged = true;
    }
    report
}

/// Whether a file of this name is the source of an abstract data type.
fn is_of_adts(name: &str) -> bool {
    KINDS.iter().any(|kind| is_source_of(kind, name))
}

/// Whether a file of this name is a source in C++, by any of the usual endings.
fn is_cpp(name: &str) -> bool {
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    ending == "C" || ["cpp", "cc", "cxx", "c++"].iter().any(|known| known.eq_ignore_ascii_case(ending))
}

fn is_source_of(kind: &AdtKind, name: &str) -> bool {
    is_cpp(name) && name.rsplit_once('.').is_some_and(|(stem, _)| stem.eq_ignore_ascii_case(kind.key))
}

fn file_name(path: &Path) -> &str {
    path.file_name().and_then(|name| name.to_str()).unwrap_or_default()
}

/// The source of an abstract data type in a submission.
enum AdtSource {
    Missing,
    Several(Vec<PathBuf>),
    Failed(String),
    Compiled(String),
}

fn judge_found(
    found: &FoundFiles,
    given: &[GivenFile],
    sandbox: &Sandbox,
    settings: &CaseSettings,
) -> Result<JudgedAdts, GradingFailure> {
    // A submission too large to be copied is reported with the program.
    let Some(bench) = Workbench::new(&found.folder, CourseFiles::new(given), sandbox)? else {
        return Ok(JudgedAdts::default());
    };
    let home = home_of(&found.files);
    let sources_of = |kind: &AdtKind| -> Vec<PathBuf> {
        found.files.iter().filter(|path| is_source_of(kind, file_name(path))).cloned().collect()
    };
    let mut sources = Vec::new();
    for kind in &KINDS {
        let all = sources_of(kind);
        let only = match &all[..] {
            [only] => Some(only),
            several => several.iter().find(|path| path.parent() == home.as_deref()),
        };
        sources.push(match only {
            None if all.is_empty() => AdtSource::Missing,
            None => AdtSource::Several(all),
            Some(source) => {
                let object = format!("casino-{}.o", kind.key);
                bench
                    .compile(source, &object)?
                    .map_or_else(AdtSource::Failed, |()| AdtSource::Compiled(object))
            }
        });
    }
    bench.build_tools()?;
    let mut judged = JudgedAdts::default();
    let is_there = |source: &AdtSource| !matches!(source, AdtSource::Missing);
    let any = sources.iter().any(is_there);
    for (kind, source) in KINDS.iter().zip(&sources) {
        let items = judge_kind(kind, source, &bench, sandbox, settings)?;
        let is_right = |item: &Item| item.points == item.max_points;
        if any && !matches!(source, AdtSource::Several(_)) && !items.iter().all(is_right) {
            judged.wrong.push(kind.file);
        }
        judged.parts.push(Part { title: kind.title.into(), items });
    }
    Ok(judged)
}

/// The folder with most of the three files, the topmost of them; `None` if several have as many.
fn home_of(files: &[PathBuf]) -> Option<PathBuf> {
    let count = |folder: &Path| {
        let own = files.iter().filter(|path| path.parent() == Some(folder));
        own.filter(|path| KINDS.iter().any(|kind| is_source_of(kind, file_name(path)))).count()
    };
    let mut folders: Vec<&Path> = files.iter().filter_map(|path| path.parent()).collect();
    folders.sort();
    folders.dedup();
    let rank = |folder: &Path| (count(folder), usize::MAX - folder.components().count());
    let best = folders.iter().map(|folder| rank(folder)).max()?;
    let mut homes = folders.into_iter().filter(|folder| rank(folder) == best);
    homes.next().filter(|_| homes.next().is_none()).map(Path::to_path_buf)
}

fn builds_item(kind: &AdtKind) -> Item {
    let title = format!("{} compiles and links with the course's files", kind.file);
    Item::new(format!("{}-builds", kind.key), title, Points::ZERO)
}

/// The items of an abstract data type that cannot be tried, because of the first one.
fn lost(kind: &AdtKind, settings: &CaseSettings, builds: Item) -> Vec<Item> {
    let mut items = vec![builds];
    let behaviour = |script: &AdtScript| Item::new(&script.id, &script.title, Points::ONE).not_run("");
    items.extend((kind.scripts)(settings).iter().map(behaviour));
    items.push(quiet_item(kind.key).not_run(""));
    items
}

fn missing_items(kind: &AdtKind, settings: &CaseSettings) -> Vec<Item> {
    let why = format!("There is no {}: the document asks for it (V).", kind.file);
    lost(kind, settings, builds_item(kind).failed(why))
}

fn judge_kind(
    kind: &AdtKind,
    source: &AdtSource,
    bench: &Workbench<'_>,
    sandbox: &Sandbox,
    settings: &CaseSettings,
) -> Result<Vec<Item>, GradingFailure> {
    let builds = builds_item(kind);
    let failed = |said: &str| {
        let aside = match bench.differs {
            true => {
                " The submitted copies of the course's files (card.h and so on) are not used: they may not be \
                     modified (III)."
            }
            false => "",
        };
        let context = said.lines().map(str::to_string).collect();
        let item = Item { context, ..builds.clone() };
        lost(kind, settings, item.failed(format!("{} does not compile or link.{aside}", kind.file)))
    };
    let object = match source {
        AdtSource::Compiled(object) => object,
        AdtSource::Failed(said) => return Ok(failed(said)),
        AdtSource::Missing => {
            return Ok(missing_items(kind, settings));
        }
        AdtSource::Several(paths) => {
            let paths: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
            let reason = format!("There are several: {}. Hand in only one.", paths.join(", "));
            return Ok(lost(kind, settings, builds.failed(reason)));
        }
    };
    let name = format!("{}-driver", kind.key);
    let mut ours = vec![format!("{}_driver.o", kind.key)];
    ours.extend(kind.needs.iter().map(|name| format!("{name}.o")));
    let place = match bench.link(&name, object, &ours)? {
        Ok(place) => place,
        Err(said) => return Ok(failed(&said)),
    };
    let driven = Driven { kind, sandbox, place, program: command_of(&name) };
    driven.judge(settings)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grade::blackjack::untried;
    use crate::grade::from_source::unbuilt;
    use casino_stud::cards::Seed;

    fn paths(names: &[&str]) -> Vec<PathBuf> {
        names.iter().map(PathBuf::from).collect()
    }

    #[test]
    fn the_files_of_the_document_are_known_by_their_names() {
        for name in ["deck.cpp", "player.cpp", "deck.cc", "hand.C", "Player.cxx", "DECK.CPP"] {
            assert!(is_of_adts(name), "{name}");
        }
        for name in ["Deck.java", "blackjack.cpp", "deck.case.1.cpp", "case.1.cpp", "deck.h", "deck.c"] {
            assert!(!is_of_adts(name), "{name}");
        }
    }

    #[test]
    fn the_folder_with_most_files_is_meant() {
        let old = ["p4/deck.cpp", "p4/hand.cpp", "p4/player.cpp", "p4/old/deck.cpp"];
        assert_eq!(home_of(&paths(&old)), Some("p4".into()));
        assert_eq!(home_of(&paths(&["a/deck.cpp", "b/deck.cpp"])), None);
        assert_eq!(home_of(&paths(&["deck.cpp", "b/deck.cpp"])), Some("".into()));
    }

    #[test]
    fn a_failed_build_keeps_the_weight_of_its_transcripts() {
        let settings = CaseSettings { seed: Seed::chosen("x"), cases: 2, time: None };
        let failure = GradingFailure::new(FailureKind::NotBuilt, "g++ said no");
        let unbuilt = unbuilt(untried(&settings), "ada", failure);
        let items = vec![Item::new("deck-new", "x", Points::ONE).passed()];
        let parts = vec![Part { title: "Deck".into(), items }];
        let judged = JudgedAdts { parts, wrong: Vec::new() };
        let report = with_adts(unbuilt.clone(), Ok(judged));
        assert_eq!(report.summary().max_points, Points::whole(14 + 2 + 3 + 1));
        assert_eq!((report.summary().points, report.verdict()), (Points::ONE, crate::Verdict::Failed));
        assert_eq!(report.failure.as_ref().map(|failure| failure.kind), Some(FailureKind::NotBuilt));
        assert_eq!(with_adts(unbuilt.clone(), Ok(JudgedAdts::default())), unbuilt);
        let machine = with_adts(unbuilt, Err(GradingFailure::not_judged("no disk")));
        assert!(!machine.is_judged());
    }
}
