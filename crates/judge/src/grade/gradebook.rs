//! The roster, which assigns submissions to students, and the table of points for the school's system.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use unicode_normalization::UnicodeNormalization;

use super::report::{Part, Points, Report};
use super::roster_file::{RosterError, RosterFile};
use crate::Verdict;
use casino_stud::shown;

use crate::figures::{Cell, DataTable};

/// The owners of submissions: columns `folder`, `github_id`, optionally `project`; others are copied.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SubmissionRoster {
    /// The table as it was read.
    pub file: RosterFile,
    others: Vec<String>,
    /// The rows by the plain form of their folder's name.
    rows: BTreeMap<String, RosterRow>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct RosterRow {
    folder: String,
    github_id: String,
    /// The student's number on a learning platform, which its exports have in the names of folders.
    number: Option<String>,
    project: Option<String>,
    others: Vec<String>,
}

const FOLDER: &str = "folder";
const GITHUB_ID: &str = "github_id";
const PROJECT: &str = "project";

impl SubmissionRoster {
    /// Reads a roster from CSV.
    pub fn read(text: &[u8]) -> Result<SubmissionRoster, RosterError> {
        let file = RosterFile::read(text)?;
        let is_canvas = file.find(&["student"])?.is_some();
        let number_at = file.find(if is_canvas { &["id"] } else { &["identifier"] })?;
        let id_at = match (file.github_id_column(), file.find(&["sis_login_id"])?.or(number_at)) {
            (Ok(at), _) | (Err(_), Some(at)) => at,
            (Err(error), None) => return Err(error),
        };
        // Without the column a submission is in the folder of the GitHubId.
        let folder_at = file.find(&[FOLDER])?.unwrap_or(id_at);
        let project_at = file.find(&[PROJECT])?;
        let is_known = |at: &usize| [Some(folder_at), Some(id_at), project_at].contains(&Some(*at));
        // A second column of a name that the gradebook has would hide the first one from its readers.
        let is_own = |at: &usize| {
            file.names[*at] == GITHUB_ID || COLUMNS.iter().any(|(own, _)| file.names[*at] == *own)
        };
        let others: Vec<usize> = (0..file.names.len()).filter(|at| !is_known(at) && !is_own(at)).collect();
        let mut roster = SubmissionRoster {
            others: others.iter().map(|at| file.names[*at].clone()).collect(),
            rows: BTreeMap::new(),
            file: RosterFile::default(),
        };
        for (line, record) in &file.rows {
            let (folder, github_id) = (&record[folder_at], &record[id_at]);
            if folder.is_empty() || github_id.is_empty() {
                return Err(RosterError::at_line(*line, "a folder and a GitHubId are needed"));
            }
            let row = RosterRow {
                folder: folder.to_string(),
                github_id: github_id.to_string(),
                number: number_at.and_then(|at| record[at].rsplit(' ').next().map(str::to_string)),
                project: project_at.map(|at| record[at].to_string()).filter(|project| !project.is_empty()),
                others: others.iter().map(|at| record[*at].to_string()).collect(),
            };
            if roster.rows.insert(plain(folder), row).is_some() {
                return Err(RosterError::at_line(*line, &format!("the folder {folder} is there twice")));
            }
        }
        roster.file = file;
        Ok(roster)
    }

    /// The GitHubId of a folder's owner; `None` if the roster does not name the folder.
    pub fn github_id(&self, folder: &str) -> Option<&str> {
        self.row(folder).map(|row| row.github_id.as_str())
    }

    /// The row of a folder: of its name, of the number in it, as in `lovelaceada_4711`, or of the longest GitHubId behind the
    /// name of an assignment, as in `project1-ada-l`.
    fn row(&self, folder: &str) -> Option<&RosterRow> {
        let has_number = |row: &&RosterRow| {
            let is_it = |part: &str| row.number.as_deref() == Some(part);
            folder.split('_').skip(1).any(is_it)
        };
        let name = plain(folder);
        let is_behind = |row: &&RosterRow| {
            name.strip_suffix(&plain(&row.github_id)).is_some_and(|assignment| assignment.ends_with('-'))
        };
        let behind = || self.rows.values().filter(is_behind).max_by_key(|row| row.github_id.len());
        self.rows.get(&name).or_else(|| self.rows.values().find(has_number)).or_else(behind)
    }

    /// The number of the row of `file` that has this folder.
    pub fn row_number(&self, folder: &str) -> Option<usize> {
        let row = self.row(folder)?;
        self.file.rows.iter().position(|(_, cells)| cells.iter().any(|cell| cell == row.folder))
    }

    /// The name of this folder on the roster, if that is another Unicode form of it or has other capitals.
    pub fn other_spelling(&self, folder: &str) -> Option<&str> {
        self.rows.get(&plain(folder)).map(|row| row.folder.as_str()).filter(|named| *named != folder)
    }

    /// The folders that are meant, by the names of the submissions in which they are.
    pub fn projects(&self) -> BTreeMap<String, String> {
        let told = |row: &RosterRow| Some((row.folder.clone(), row.project.clone()?));
        self.rows.values().filter_map(told).collect()
    }

    /// The folders of the roster that none of these is, in order.
    pub fn missing<'a>(&'a self, handed_in: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
        let there: BTreeSet<&str> =
            handed_in.filter_map(|folder| Some(self.row(folder)?.folder.as_str())).collect();
        self.rows.values().map(|row| row.folder.as_str()).filter(|folder| !there.contains(folder)).collect()
    }
}

/// The form of a name by which folders and rosters are compared: composed, without capitals.
fn plain(name: &str) -> String {
    name.nfc().collect::<String>().to_lowercase()
}

/// A row of the gradebook.
#[derive(Clone, Debug)]
pub struct Graded<'a> {
    /// The name of the folder.
    pub folder: &'a str,
    /// Its report; `None` if nothing was submitted.
    pub report: Option<&'a Report>,
    /// The report's file, relative to the gradebook's folder; empty without a report.
    pub file: String,
    /// The names of all submissions with a similar program, its own included; none if no other has one.
    pub same_as: &'a [String],
}

const MAX_NAMED_DUPLICATES: usize = 3;

/// A column of the gradebook: its title, and its cell for a submission and the most points of the class.
type GradebookColumn = (&'static str, fn(&Graded<'_>, &str) -> String);

/// Columns by which an earlier gradebook is recognised.
pub const GRADEBOOK_MARK: &str = "points,max_points,verdict,report";

const COLUMNS: [GradebookColumn; 5] = [
    ("points", |row, _| {
        row.report.map_or_else(|| "0".to_string(), |report| report.summary().points.to_string())
    }),
    ("max_points", |_, most| most.to_string()),
    ("verdict", |row, _| row.report.map_or("nothing handed in", verdict).to_string()),
    ("report", |row, _| cell(&row.file)),
    ("same_as", |row, _| {
        let others: Vec<&str> =
            row.same_as.iter().map(String::as_str).filter(|name| *name != row.folder).collect();
        let (named, rest) = others.split_at(others.len().min(MAX_NAMED_DUPLICATES));
        let more = if rest.is_empty() { String::new() } else { format!(" and {} more", rest.len()) };
        cell(&format!("{}{more}", named.join(" ")))
    }),
];

/// The gradebook as CSV: a row for each judged submission, a column for each part. Formulas are escaped.
pub fn gradebook(rows: &[Graded<'_>], roster: &SubmissionRoster) -> Result<Vec<u8>, csv::Error> {
    let whole = whole_reports(rows);
    let parts = parts_with_points(&whole);
    let most = whole.iter().map(|report| report.summary().max_points).max();
    let most = most.map_or_else(String::new, |most| most.to_string());
    let mut head = vec![GITHUB_ID.to_string(), FOLDER.to_string()];
    head.extend(roster.others.iter().map(|name| cell(name)));
    head.extend(COLUMNS.iter().map(|(title, _)| (*title).to_string()));
    head.extend(parts.iter().map(|part| cell(part)));
    let mut book = DataTable::default().words(head);
    for row in rows.iter().filter(|row| row.report.is_none_or(Report::is_judged)) {
        let known = roster.row(row.folder);
        let mut cells = vec![cell(known.map_or("", |known| &known.github_id)), cell(row.folder)];
        let blank = vec![String::new(); roster.others.len()];
        cells.extend(known.map_or(&blank, |known| &known.others).iter().map(|text| cell(text)));
        cells.extend(COLUMNS.iter().map(|(_, content)| content(row, &most)));
        cells.extend(parts.iter().map(|title| points_of_part(row.report, title)));
        book.row(cells.into_iter().map(Cell::from));
    }
    book.csv()
}

/// The reports that determine the columns: those of programs that started, or all if none did.
fn whole_reports<'a>(rows: &[Graded<'a>]) -> Vec<&'a Report> {
    let judged = || rows.iter().filter_map(|row| row.report).filter(|report| report.is_judged());
    let tried: Vec<&Report> = judged().filter(|report| !report.never_started()).collect();
    if tried.is_empty() { judged().collect() } else { tried }
}

/// The titles of all parts with points: those of the report with most of them, then the remaining ones of the others.
fn parts_with_points<'a>(reports: &[&'a Report]) -> Vec<&'a str> {
    // A part without points explains others.
    let has_points = |part: &&Part| part.items.iter().any(|item| item.max_points > Points::ZERO);
    let titles = |report: &'a Report| report.parts.iter().filter(has_points).map(|part| part.title.as_str());
    let mut all: Vec<&str> = Vec::new();
    let fullest = reports.iter().copied().rev().max_by_key(|report| titles(report).count());
    for title in fullest.into_iter().chain(reports.iter().copied()).flat_map(titles) {
        if !all.contains(&title) {
            all.push(title);
        }
    }
    all
}

/// The points of the part with this title; empty if the report of a program that was tried has no such part.
fn points_of_part(report: Option<&Report>, title: &str) -> String {
    let Some(report) = report.filter(|report| !report.never_started()) else { return "0".to_string() };
    let part = report.parts.iter().find(|part| part.title == title);
    let points = |part: &Part| part.items.iter().map(|item| item.points).sum::<Points>().to_string();
    part.map_or_else(String::new, points)
}

/// A report in a few words.
pub fn verdict(report: &Report) -> &'static str {
    if let Some(failure) = &report.failure {
        return failure.kind.verdict();
    }
    match report.verdict() {
        Verdict::Passed => "full marks",
        _ => "graded",
    }
}

/// A cell that no spreadsheet takes for a formula and no terminal obeys.
fn cell(text: &str) -> String {
    let text = &shown::lines(text);
    let formula = text
        .trim_start()
        .starts_with(['=', '+', '-', '@', '\t', '\r', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}'])
        || text.starts_with(char::is_control);
    if formula { format!("'{text}") } else { text.to_string() }
}

/// The gradebook's name for a folder. Bytes that are not UTF-8 are written as `%FC`, so that two names stay two.
pub fn folder_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    let mut text = String::new();
    for chunk in name.as_encoded_bytes().utf8_chunks() {
        text.push_str(chunk.valid());
        chunk.invalid().iter().for_each(|byte| text.push_str(&format!("%{byte:02X}")));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grade::Item;

    fn report(points: u32) -> Report {
        let item = Item::new("a", "a", Points::whole(10)).partial(Points::whole(points), "why");
        Report {
            title: "t".into(),
            subject: "s".into(),
            parts: vec![Part { title: "=Part, \"one\"".into(), items: vec![item] }],
            ..Report::default()
        }
    }

    #[test]
    fn a_gradebook_survives_a_spreadsheet() {
        let roster = "\u{feff}Folder,GitHub ID,Name\r\nada,ada-l,\"=HYPERLINK(\"\"http://x\"\")\"\r\n@bob,+bob,Bob\r\ncy,cy-1,Cy\r\n";
        let roster = SubmissionRoster::read(roster.as_bytes()).unwrap();
        let ids = ["ada", "project1-ADA-L", "lab2-cy-1", "bada-l"].map(|folder| roster.github_id(folder));
        assert_eq!(ids, [Some("ada-l"), Some("ada-l"), Some("cy-1"), None]);
        let (one, two) = (report(7), report(10));
        let unjudged = Report::not_judged("t", "dee", "no compiler");
        let twins = ["ada", "eve"].map(String::from);
        let nobody = || Graded { folder: "", report: None, file: String::new(), same_as: &[] };
        let rows = [
            Graded { folder: "ada", report: Some(&one), file: "reports/ada.html".into(), same_as: &twins },
            Graded { folder: "@bob", report: Some(&two), ..nobody() },
            Graded { folder: "cy", ..nobody() },
            Graded { folder: "-new\nline", report: Some(&one), ..nobody() },
            Graded { folder: "dee", report: Some(&unjudged), ..nobody() },
        ];
        let book = gradebook(&rows, &roster).unwrap();
        let mut reader = csv::Reader::from_reader(book.as_slice());
        let head: Vec<String> = reader.headers().unwrap().iter().map(str::to_string).collect();
        let titles = "github_id|folder|Name|points|max_points|verdict|report|same_as|'=Part, \"one\"";
        assert_eq!(head.join("|"), titles);
        let rows: Vec<Vec<String>> =
            reader.records().map(|row| row.unwrap().iter().map(str::to_string).collect()).collect();
        let first = "ada-l|ada|'=HYPERLINK(\"http://x\")|7|10|graded|reports/ada.html|eve|7";
        assert_eq!(rows[0].join("|"), first);
        assert_eq!(rows[1], ["'+bob", "'@bob", "Bob", "10", "10", "full marks", "", "", "10"]);
        assert_eq!(rows[2], ["cy-1", "cy", "Cy", "0", "10", "nothing handed in", "", "", "0"]);
        assert_eq!(rows[3][..2], ["", "'-new\nline"]);
        assert_eq!(rows.len(), 4, "one that was not judged has no row");
    }

    #[test]
    fn a_column_of_the_roster_never_has_a_name_of_the_gradebook() {
        let roster = "username,Section,github_id,points\nada-l,A,12,3\n";
        let roster = SubmissionRoster::read(roster.as_bytes()).unwrap();
        let one = report(7);
        let row = Graded { folder: "ada-l", report: Some(&one), file: String::new(), same_as: &[] };
        let book = String::from_utf8(gradebook(&[row], &roster).unwrap()).unwrap();
        assert!(book.starts_with("github_id,folder,Section,points,max_points,verdict,"), "{book}");
        assert!(book.contains("\nada-l,ada-l,A,7,10,graded,"), "{book}");
    }

    /// The first by name may have nothing to judge, and only some have every part.
    #[test]
    fn the_fullest_report_gives_the_columns() {
        let part = |title: &str, points| Part { title: title.into(), ..report(points).parts.remove(0) };
        let of = |parts| Report { parts, ..report(0) };
        let failure =
            crate::grade::GradingFailure::new(crate::grade::FailureKind::NotBuilt, "no compiler likes it");
        let unbuilt = Report { failure: Some(failure), ..of(vec![part("Program", 0)]) };
        let (some, all) = (of(vec![part("Cases", 7)]), of(vec![part("Cases", 8), part("Deck", 9)]));
        let row = |folder, report| Graded { folder, report: Some(report), file: String::new(), same_as: &[] };
        let rows = [row("ada", &unbuilt), row("bob", &some), row("cy", &all)];
        let book = String::from_utf8(gradebook(&rows, &SubmissionRoster::default()).unwrap()).unwrap();
        assert_eq!(
            book.lines().collect::<Vec<_>>(),
            [
                "github_id,folder,points,max_points,verdict,report,same_as,Cases,Deck",
                ",ada,0,20,cannot be built,,,0,0",
                ",bob,7,20,graded,,,7,",
                ",cy,17,20,graded,,,8,9",
            ]
        );
    }

    #[test]
    fn roster_errors_name_their_cause() {
        let wrong = |text: &str| SubmissionRoster::read(text.as_bytes()).unwrap_err().to_string();
        assert!(wrong("name,id\na,b\n").contains("no column \"github_id\"; there are name, id"));
        assert!(wrong("folder,github_id\na,x\na,y\n").contains("line 3: the folder a is there twice"));
        assert!(wrong("folder,github_id\na,\n").contains("line 2: a folder and a GitHubId are needed"));
        assert!(
            wrong("folder,github_id\na\n").contains("line 2 has 1 cell, and the lines above it have 2 cells")
        );
    }

    #[test]
    fn a_cell_neither_acts_on_a_terminal_nor_names_a_whole_class() {
        let class: Vec<String> = (1..=35).map(|number| format!("s{number}")).collect();
        let report = report(7);
        let rows = [Graded {
            folder: "s2",
            report: Some(&report),
            file: "reports/\u{1b}[2J.html".to_string(),
            same_as: &class,
        }];
        let book = String::from_utf8(gradebook(&rows, &SubmissionRoster::default()).unwrap()).unwrap();
        assert!(book.contains("reports/\\u001b[2J.html"), "{book}");
        assert!(book.contains("s1 s3 s4 and 31 more"), "{book}");
    }
}
