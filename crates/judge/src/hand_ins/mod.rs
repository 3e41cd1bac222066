//! Whose submission is this: the one answer for grading, learning platforms and ladders.
//!
//! [`plan`] is a pure function of a listing of names, a roster and a layout. Names in a folder are written by a platform, a
//! teacher or a student; the [`Layout`] says which part of a name is whose, once for the whole folder. A match is exact on one
//! column of the roster, or the submission is unmatched; two candidates are a conflict. Nothing is decided by order.

mod folder;
mod layout;
mod output_name;

pub use folder::{Gathered, folder_name, list};
pub use layout::Layout;
pub use output_name::OutputName;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use thiserror::Error;

use crate::roster::{Roster, RowId, Student, composed, folded};
use casino_stud::shown::short_line;
use layout::{Name, Own};

const ARCHIVE_ENDINGS: [&str; 11] =
    [".zip", ".jar", ".tar.gz", ".tgz", ".tar", ".rar", ".7z", ".tar.xz", ".txz", ".tar.bz2", ".tbz2"];

/// An entry of a folder of submissions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Its name as text.
    pub name: String,
    /// Its path in the folder.
    pub path: PathBuf,
    /// What it is.
    pub kind: Kind,
    /// When it was changed, in milliseconds since 1970.
    pub modified_ms: u64,
}

impl Listed {
    /// A file of this name.
    pub fn file(name: &str) -> Listed {
        Listed { name: name.to_string(), path: name.into(), kind: Kind::File, modified_ms: 0 }
    }

    /// A folder of this name.
    pub fn folder(name: &str) -> Listed {
        Listed { kind: Kind::Folder, ..Listed::file(name) }
    }
}

/// What an entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A folder.
    Folder,
    /// A regular file.
    File,
    /// A link or something else that is not opened.
    Link,
}

/// The submissions in a folder and their students.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The layout of the folder.
    pub layout: Layout,
    /// The submissions that are judged, in the order of their labels.
    pub hand_ins: Vec<HandIn>,
    /// The submissions that fit several students or cannot be put in an order of time.
    pub conflicts: Vec<Conflict>,
    /// The entries that are judged for nobody, with the reasons, in order.
    pub set_aside: Vec<(String, String)>,
    /// The rows of the roster with neither a submission nor a conflict.
    pub missing: Vec<RowId>,
}

/// A submission.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HandIn {
    /// Its name for people: the part that a platform or the teacher wrote.
    pub label: String,
    /// The rows of its students; none if it is unmatched or there is no roster.
    pub rows: Vec<RowId>,
    /// Its entries.
    pub files: Vec<HandInFile>,
    /// The name of its output files.
    pub output: OutputName,
    /// The folder in it that is meant, if the roster has one.
    pub project: Option<String>,
    /// Why it is theirs.
    pub why: String,
}

/// An entry of a submission.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HandInFile {
    /// Its path in the folder of submissions.
    pub path: PathBuf,
    /// Its name in the submission: one component of a path.
    pub own: String,
    /// Whether it is the whole submission: a folder or an archive.
    pub is_whole: bool,
}

/// Submissions without a decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// Their labels.
    pub labels: Vec<String>,
    /// The students that they may belong to.
    pub rows: Vec<RowId>,
    /// The reason and the remedy.
    pub why: String,
}

/// Why there is no plan.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PlanError {
    /// The folder has no submission.
    #[error(
        "there is no submission in it: each submission is a folder, a zip or a tar.gz, or the files of an LMS's export"
    )]
    Nothing,
    /// Its names have several layouts.
    #[error(
        "its names are of several kinds, and a folder has one layout:\n{0}Move the others to a folder of their own, or name the \
         layout with --layout: all names that do not fit are then set aside"
    )]
    Mixed(String),
    /// Its names fit several layouts.
    #[error("all names in it fit {0} and {1}: name the one it is with --layout")]
    Ambiguous(Layout, Layout),
    /// The roster lacks the column that the layout needs.
    #[error(
        "names of the layout {0} have the platform's numbers of the students: the roster needs a column id or identifier"
    )]
    NoNumbers(Layout),
}

/// The name of a file without its archive ending; `None` if it is no archive.
pub fn archive_stem(name: &str) -> Option<&str> {
    let lower = name.to_lowercase();
    let ending = ARCHIVE_ENDINGS
        .into_iter()
        .filter(|ending| lower.ends_with(ending))
        .max_by_key(|ending| ending.len())?;
    name.get(..name.len() - ending.len()).filter(|stem| !stem.is_empty())
}

/// A submission before it has a student.
struct Found<'a> {
    label: String,
    name: Name<'a>,
    entries: Vec<(&'a Listed, Own<'a>)>,
}

impl Found<'_> {
    /// A later one counts more: by the time that the platform wrote, or else by the time of the last change.
    fn time(&self) -> (&str, u64) {
        let modified = self.entries.iter().map(|(entry, _)| entry.modified_ms).max();
        (self.name.attempt, if self.name.attempt.is_empty() { modified.unwrap_or(0) } else { 0 })
    }
}

/// Finds the submissions in a folder with these entries, and their students. Without a layout every name decides.
pub fn plan(names: &[Listed], roster: Option<&Roster>, layout: Option<Layout>) -> Result<Plan, PlanError> {
    let mut set_aside = Vec::new();
    let mut entries: Vec<&Listed> =
        names.iter().filter(|entry| may_be_handed_in(entry, &mut set_aside)).collect();
    entries.sort_by(|one, other| one.name.cmp(&other.name));
    let layout = layout.map_or_else(|| layout_of(&entries, roster), Ok)?;
    let has_numbers = |roster: &Roster| roster.students.iter().any(|student| !student.number.is_empty());
    if matches!(layout, Layout::Canvas | Layout::Moodle) && roster.is_some_and(|roster| !has_numbers(roster))
    {
        return Err(PlanError::NoNumbers(layout));
    }
    let found = submissions(layout, &entries, &mut set_aside);
    if found.is_empty() {
        return Err(PlanError::Nothing);
    }
    let mut conflicts = Vec::new();
    let mut hand_ins = Vec::new();
    for (owner, candidates) in owners(layout, roster, &found, &mut conflicts) {
        let rows = owner.ok().zip(roster).map_or_else(Vec::new, |(team, roster)| roster.team(team));
        let Some((newest, why)) = newest(candidates, &rows, &mut conflicts, &mut set_aside) else { continue };
        hand_ins.push(HandIn {
            label: newest.label.clone(),
            files: files(newest, &mut set_aside),
            output: OutputName::new(""),
            project: rows.iter().find_map(|row| roster?.student(*row).project.clone()),
            why: if roster.is_some() { why } else { String::new() },
            rows,
        });
    }
    hand_ins.sort_by(|one, other| one.label.cmp(&other.label));
    name_outputs(&mut hand_ins, roster);
    // A submission in conflict may be theirs, so that they did not hand in nothing.
    let with_one = hand_ins.iter().map(|hand_in| &hand_in.rows);
    let with_one: BTreeSet<RowId> =
        with_one.chain(conflicts.iter().map(|conflict| &conflict.rows)).flatten().copied().collect();
    let missing = roster.into_iter().flat_map(Roster::rows).filter(|row| !with_one.contains(row)).collect();
    set_aside.sort();
    Ok(Plan { layout, hand_ins, conflicts, set_aside, missing })
}

/// The submissions of each team of the roster, each with the reason, and those of nobody by their names in the folder.
fn owners<'a>(
    layout: Layout,
    roster: Option<&Roster>,
    found: &'a [Found<'a>],
    conflicts: &mut Vec<Conflict>,
) -> BTreeMap<Result<RowId, &'a str>, Vec<(&'a Found<'a>, String)>> {
    let mut owned: BTreeMap<_, Vec<_>> = BTreeMap::new();
    let fits = |found: &Found<'_>| roster.map_or_else(Vec::new, |roster| teams_of(layout, roster, found));
    let all: Vec<Vec<Fit>> = found.iter().map(fits).collect();
    let known = found.iter().zip(&all).filter(|(_, teams)| !teams.is_empty());
    let known: Vec<String> = known.map(|(found, _)| folded(found.name.key)).collect();
    for (found, teams) in found.iter().zip(&all) {
        let nobody = Err(if layout.is_export() { found.name.key } else { &found.entries[0].0.name });
        let (owner, why) = match &teams[..] {
            [] => (nobody, "no row of the roster fits"),
            // All names begin with the same assignment. A stranger called `x-ada` has more before `ada`.
            [fit] if known.iter().any(|key| !key.starts_with(&fit.before)) => {
                (nobody, "what stands before the user name does not begin the other names")
            }
            [fit] => (Ok(fit.team), fit.why.as_str()),
            several => {
                let whys: Vec<&str> = several.iter().map(|fit| fit.why.as_str()).collect();
                let rows =
                    roster.iter().flat_map(|roster| several.iter().flat_map(|fit| roster.team(fit.team)));
                conflicts.push(Conflict {
                    labels: vec![found.label.clone()],
                    rows: rows.collect(),
                    why: format!("it fits {}: rename it, or correct the roster", whys.join(" and ")),
                });
                continue;
            }
        };
        owned.entry(owner).or_default().push((found, why.to_string()));
    }
    owned
}

/// The newest of the submissions of the same students. `None` if that is not clear.
fn newest<'a>(
    mut candidates: Vec<(&'a Found<'a>, String)>,
    rows: &[RowId],
    conflicts: &mut Vec<Conflict>,
    set_aside: &mut Vec<(String, String)>,
) -> Option<(&'a Found<'a>, String)> {
    candidates.sort_by(|(one, _), (other, _)| one.time().cmp(&other.time()));
    let (newest, why) = candidates.pop()?;
    let undecided = candidates.iter().find_map(|(other, _)| match (&other.name, &newest.name) {
        // A platform writes the same name beside a number each time.
        (one, name) if one.key == name.key && one.student != name.student => {
            Some("one number stands beside several names: rename all but one")
        }
        _ if other.time() == newest.time() => {
            Some("they are of one student and equally old: remove all but one")
        }
        _ => None,
    });
    if let Some(why) = undecided {
        let labels = candidates.iter().map(|(other, _)| other.label.clone());
        let labels = labels.chain([newest.label.clone()]).collect();
        conflicts.push(Conflict { labels, rows: rows.to_vec(), why: why.to_string() });
        return None;
    }
    let why_not = format!("an earlier submission of the same student: {} is newer and counts", newest.label);
    set_aside.extend(candidates.into_iter().map(|(older, _)| (older.label.clone(), why_not.clone())));
    Some((newest, why))
}

/// Whether an entry may be a submission or a part of one, whatever the layout is.
fn may_be_handed_in(entry: &Listed, set_aside: &mut Vec<(String, String)>) -> bool {
    let why = match entry.kind {
        Kind::Link => "links are not followed: put the folder or the archive itself there",
        Kind::File if entry.name.to_lowercase().ends_with(".csv") => "a table is no submission",
        Kind::Folder if entry.name == "__MACOSX" => "it was made by the archiver of macOS",
        _ => return true,
    };
    set_aside.push((entry.name.clone(), why.to_string()));
    false
}

/// The layout that all names fit.
fn layout_of(entries: &[&Listed], roster: Option<&Roster>) -> Result<Layout, PlanError> {
    let is_on_roster = |layout: Layout, entry: &Listed| {
        let name = layout.read(entry).zip(roster);
        name.is_some_and(|(name, roster)| !teams(layout, roster, name.key).is_empty())
    };
    let fits = |layout: Layout, entry: &Listed| match layout {
        Layout::Canvas | Layout::Moodle | Layout::Blackboard => layout.read(entry).is_some(),
        // A name that is on the roster as a whole is a folder's; one that only ends with such a name is an assignment's.
        Layout::Folders => is_on_roster(layout, entry),
        Layout::Classroom => is_on_roster(layout, entry) && !is_on_roster(Layout::Folders, entry),
    };
    let of = |layout: Layout| -> Vec<&str> {
        entries.iter().filter(|entry| fits(layout, entry)).map(|entry| entry.name.as_str()).collect()
    };
    let whole: Vec<Layout> = Layout::ALL
        .into_iter()
        .filter(|layout| layout.is_export() && of(*layout).len() == entries.len())
        .collect();
    match whole[..] {
        [] => {}
        _ if entries.is_empty() => return Ok(Layout::Folders),
        [layout] => return Ok(layout),
        [one, other, ..] => return Err(PlanError::Ambiguous(one, other)),
    }
    let mut kinds: Vec<(Layout, Vec<&str>)> = Layout::ALL.map(|layout| (layout, of(layout))).into();
    kinds.retain(|(_, names)| !names.is_empty());
    match &kinds[..] {
        [] => Ok(Layout::Folders),
        [(layout, _)] if !layout.is_export() => Ok(*layout),
        _ => {
            let known: BTreeSet<&str> = kinds.iter().flat_map(|(_, names)| names.iter().copied()).collect();
            let rest = entries.iter().map(|entry| entry.name.as_str()).filter(|name| !known.contains(name));
            let kinds = kinds.iter().map(|(layout, names)| (layout.name(), names.clone()));
            let kinds = kinds.chain([("no other", rest.collect())]).filter(|(_, names)| !names.is_empty());
            let line = |(kind, names): (&str, Vec<&str>)| {
                format!("  {kind} ({}): {}\n", names.len(), short_line(&names.join(", ")))
            };
            Err(PlanError::Mixed(kinds.map(line).collect()))
        }
    }
}

/// Groups the entries of each submission. Its label is what the platform or the teacher wrote, and the whole name where another
/// entry is called so.
fn submissions<'a>(
    layout: Layout,
    entries: &[&'a Listed],
    set_aside: &mut Vec<(String, String)>,
) -> Vec<Found<'a>> {
    let mut found: Vec<Found<'a>> = Vec::new();
    let mut places: BTreeMap<(&str, &str, &str), usize> = BTreeMap::new();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for &entry in entries {
        let why = match layout.read(entry) {
            Some(Name { own: Own::Text, .. }) => "a text typed on the platform, no file",
            Some(name) => {
                let new = Found { label: name.label(), name, entries: Vec::new() };
                let names = BTreeSet::from([new.label.clone(), entry.name.clone()]);
                names.into_iter().for_each(|name| *counts.entry(name).or_default() += 1);
                let place = places.entry((name.student, name.key, name.attempt)).or_insert(found.len());
                let at = if layout.is_export() { *place } else { found.len() };
                if at == found.len() {
                    found.push(new);
                }
                found[at].entries.push((entry, name.own));
                continue;
            }
            None if layout.is_export() => "its name does not fit the layout of the folder",
            None => "a submission is a folder or an archive: put a program of one file into a folder",
        };
        set_aside.push((entry.name.clone(), why.to_string()));
    }
    for found in found.iter_mut().filter(|found| !layout.is_export() && counts[&found.label] > 1) {
        found.label.clone_from(&found.entries[0].0.name);
    }
    found
}

/// A team of the roster that a name fits.
struct Fit {
    team: RowId,
    why: String,
    /// The text before the user name or the group, in folded form.
    before: String,
}

/// The teams of the roster that a submission fits.
fn teams_of(layout: Layout, roster: &Roster, found: &Found<'_>) -> Vec<Fit> {
    let (name, whole) = (&found.name, &found.entries[0].0.name);
    let mut teams = teams(layout, roster, name.key);
    if teams.is_empty() && layout == Layout::Folders {
        teams = self::teams(layout, roster, whole);
    }
    // A student who is called `ada_12` has two numbers before the file's: the roster's names decide which one is the user's.
    let letters = |text: &str| -> String {
        text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    let is_called = |fit: &Fit| letters(&roster.student(fit.team).name) == letters(name.student);
    if layout == Layout::Canvas && name.has_a_number_more() && !teams.iter().any(is_called) {
        let next = whole.split('_').skip_while(|part| *part != name.key).nth(1).unwrap_or_default();
        teams.extend(self::teams(layout, roster, next));
    }
    teams
}

/// Compares a key with the columns by which this layout identifies students.
fn teams(layout: Layout, roster: &Roster, key: &str) -> Vec<Fit> {
    type Column = (&'static str, fn(&Student) -> &String);
    let id: Column = ("identity", |student| &student.id);
    let login: Column = if roster.students.iter().any(|student| !student.login.is_empty()) {
        ("user name", |student| &student.login)
    } else {
        id
    };
    let folder: Column = if roster.has_folders { ("folder", |student| &student.folder) } else { id };
    let group: Column = ("group", |student| &student.group);
    let (columns, mark): (&[Column], Option<char>) = match layout {
        Layout::Canvas | Layout::Moodle => (&[("number", |student| &student.number)], None),
        Layout::Blackboard => (&[login], Some('_')),
        Layout::Classroom => (&[id, group], Some('-')),
        Layout::Folders => (&[folder, group], None),
    };
    let hits = |form: fn(&str) -> String| -> BTreeMap<RowId, Fit> {
        let key = form(key);
        let fit = |(name, text): &Column, student: &Student| {
            let text = text(student);
            let before = key.strip_suffix(&form(text)).filter(|_| !text.is_empty())?;
            let is_cut = mark.map_or(before.is_empty(), |mark| {
                before.strip_suffix(mark).is_some_and(|name| !name.is_empty())
            });
            let why = format!("{name} {} of line {}", short_line(text), student.line);
            is_cut.then(|| (student.team, Fit { team: student.team, why, before: before.to_string() }))
        };
        columns
            .iter()
            .flat_map(|column| roster.students.iter().filter_map(|student| fit(column, student)))
            .collect()
    };
    // Of whole names the one that is equal exactly is meant; an end may be that of a longer name in other capitals.
    let exact = if mark.is_none() { hits(composed) } else { BTreeMap::new() };
    let fits = if exact.is_empty() { hits(folded) } else { exact };
    fits.into_values().collect()
}

/// The entries of a submission under the student's names for them. Of equal names the file with the higher number counts.
fn files(found: &Found<'_>, set_aside: &mut Vec<(String, String)>) -> Vec<HandInFile> {
    let mut files: BTreeMap<String, (u64, &Listed, bool)> = BTreeMap::new();
    let is_alone = found.entries.len() == 1;
    for (entry, own) in &found.entries {
        let (own, number) = match own {
            Own::File(file, number) => (*file, *number),
            Own::Whole | Own::Text => ("handed-in", 0),
        };
        let is_whole = is_alone && (entry.kind == Kind::Folder || archive_stem(&entry.name).is_some());
        if [".", ".."].contains(&own) || own.contains(['/', '\\', '\0']) {
            set_aside.push((entry.name.clone(), format!("{} is no name of a file", short_line(own))));
            continue;
        }
        let older = match files.get(own) {
            Some((other, ..)) if *other > number => Some(*entry),
            _ => files.insert(own.to_string(), (number, entry, is_whole)).map(|(_, older, _)| older),
        };
        if let Some(older) = older {
            set_aside.push((
                older.name.clone(),
                "a later file of the same submission has the same name".to_string(),
            ));
        }
    }
    let file = |(own, (_, entry, is_whole)): (String, (u64, &Listed, bool))| HandInFile {
        path: entry.path.clone(),
        own,
        is_whole,
    };
    files.into_iter().map(file).collect()
}

/// Names the outputs: those of matched submissions by the identities of their students, all others by their labels.
fn name_outputs(hand_ins: &mut [HandIn], roster: Option<&Roster>) {
    let matched = |hand_in: &HandIn| {
        let students = hand_in.rows.iter().filter_map(|row| Some(roster?.student(*row).id.as_str()));
        students.collect::<Vec<_>>().join("+")
    };
    let texts: Vec<String> = match roster {
        None => hand_ins.iter().map(|hand_in| hand_in.label.clone()).collect(),
        Some(_) => hand_ins.iter().map(matched).collect(),
    };
    for (at, name) in OutputName::all(&texts).into_iter().enumerate() {
        let hand_in = &mut hand_ins[at];
        // An unmatched submission never has the name of a student's.
        let is_unmatched = roster.is_some() && hand_in.rows.is_empty();
        hand_in.output = if is_unmatched { OutputName::digested(&hand_in.label) } else { name };
    }
}

#[cfg(test)]
mod tests;
