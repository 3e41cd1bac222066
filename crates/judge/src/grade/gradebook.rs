//! The table of points for the school's system.

use super::grade_submission::is_on_starter_kit;
use super::report::{Part, Points, Report};
use crate::Verdict;
use crate::figures::{Cell, DataTable};
use crate::roster::{Roster, RowId};
use casino_stud::shown;

const GITHUB_ID: &str = "github_id";
const FOLDER: &str = "folder";

/// A row of the gradebook.
#[derive(Clone, Debug)]
pub struct Graded<'a> {
    /// The student's row of the roster; `None` for a submission of nobody on it.
    pub student: Option<RowId>,
    /// The label of the submission.
    pub folder: &'a str,
    /// Its report; `None` if nothing was submitted.
    pub report: Option<&'a Report>,
    /// Whether the student need not hand in anything.
    pub is_excused: bool,
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
    ("points", |row, _| match row.report {
        Some(report) => report.summary().points.to_string(),
        None if row.is_excused => String::new(),
        None => "0".to_string(),
    }),
    // The same number as in the report.
    ("max_points", |row, most| match row.report {
        Some(report) => report.summary().max_points.to_string(),
        None => most.to_string(),
    }),
    ("verdict", |row, _| {
        let without = if row.is_excused { "excused" } else { "nothing handed in" };
        row.report.map_or(without, verdict).to_string()
    }),
    ("report", |row, _| cell(&row.file)),
    ("same_as", |row, _| {
        let others: Vec<&str> =
            row.same_as.iter().map(String::as_str).filter(|name| *name != row.folder).collect();
        let (named, rest) = others.split_at(others.len().min(MAX_NAMED_DUPLICATES));
        let kit = if row.report.is_some_and(is_on_starter_kit) { "starter kit " } else { "" };
        let more = if rest.is_empty() { String::new() } else { format!(" and {} more", rest.len()) };
        cell(format!("{kit}{}{more}", named.join(" ")).trim_end())
    }),
];

/// The gradebook as CSV: a row for each of these that was judged, a column for each part. Formulas are escaped.
pub fn gradebook(rows: &[Graded<'_>], roster: &Roster) -> Result<Vec<u8>, csv::Error> {
    let whole = whole_reports(rows);
    let parts = parts_with_points(&whole);
    let most = whole.iter().map(|report| report.summary().max_points).max();
    let most = most.map_or_else(String::new, |most| most.to_string());
    // A second column of a name that the gradebook has would hide the first one from its readers.
    let headings = &roster.table.names;
    let is_own =
        |at: &usize| headings[*at] == GITHUB_ID || COLUMNS.iter().any(|(own, _)| headings[*at] == *own);
    let others: Vec<usize> = roster.other_columns().filter(|at| !is_own(at)).collect();
    let mut head = vec![GITHUB_ID.to_string(), FOLDER.to_string()];
    head.extend(others.iter().map(|at| cell(&headings[*at])));
    head.extend(COLUMNS.iter().map(|(title, _)| (*title).to_string()));
    head.extend(parts.iter().map(|part| cell(part)));
    let mut book = DataTable::default().words(head);
    for row in rows.iter().filter(|row| row.report.is_none_or(Report::is_judged)) {
        let id = row.student.map_or("", |student| &roster.student(student).id);
        let mut cells = vec![cell(id), cell(row.folder)];
        let text = |at: &usize| row.student.map_or("", |student| &roster.table.rows[student.0].cells[*at]);
        cells.extend(others.iter().map(|at| cell(text(at))));
        cells.extend(COLUMNS.iter().map(|(_, content)| content(row, &most)));
        cells.extend(parts.iter().map(|title| points_of_part(row, title)));
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

/// The points of the part with this title; empty if the report of a program that was tried has no such part, and for excused
/// students.
fn points_of_part(row: &Graded<'_>, title: &str) -> String {
    let Some(report) = row.report.filter(|report| !report.never_started()) else {
        return if row.is_excused { String::new() } else { "0".to_string() };
    };
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grade::Item;
    use crate::roster::Identity;

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
        let roster = Roster::read(roster.as_bytes(), Identity::Any).unwrap();
        let (one, two) = (report(7), report(10));
        let unjudged = Report::not_judged("t", "dee", "no compiler");
        let twins = ["ada", "eve"].map(String::from);
        let nobody = || Graded {
            student: None,
            folder: "",
            report: None,
            is_excused: false,
            file: String::new(),
            same_as: &[],
        };
        let rows = [
            Graded {
                student: Some(RowId(0)),
                folder: "ada",
                report: Some(&one),
                file: "reports/ada.html".into(),
                same_as: &twins,
                ..nobody()
            },
            Graded { student: Some(RowId(1)), folder: "@bob", report: Some(&two), ..nobody() },
            Graded { student: Some(RowId(2)), folder: "cy", ..nobody() },
            Graded { student: Some(RowId(2)), folder: "cy", is_excused: true, ..nobody() },
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
        assert_eq!(rows[3], ["cy-1", "cy", "Cy", "", "10", "excused", "", "", ""]);
        assert_eq!(rows[4][..2], ["", "'-new\nline"]);
        assert_eq!(rows.len(), 5, "one that was not judged has no row");
    }

    #[test]
    fn a_column_of_the_roster_never_has_a_name_of_the_gradebook() {
        let roster = "username,Section,github_id,points\nada-l,A,12,3\n";
        let roster = Roster::read(roster.as_bytes(), Identity::Any).unwrap();
        let one = report(7);
        let row = Graded {
            student: Some(RowId(0)),
            folder: "ada-l",
            report: Some(&one),
            is_excused: false,
            file: String::new(),
            same_as: &[],
        };
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
        let row = |folder, report| Graded {
            student: None,
            folder,
            report: Some(report),
            is_excused: false,
            file: String::new(),
            same_as: &[],
        };
        let rows = [row("ada", &unbuilt), row("bob", &some), row("cy", &all)];
        let book = String::from_utf8(gradebook(&rows, &Roster::default()).unwrap()).unwrap();
        assert_eq!(
            book.lines().collect::<Vec<_>>(),
            [
                "github_id,folder,points,max_points,verdict,report,same_as,Cases,Deck",
                ",ada,0,10,cannot be built,,,0,0",
                ",bob,7,10,graded,,,7,",
                ",cy,17,20,graded,,,8,9",
            ]
        );
    }

    #[test]
    fn a_cell_neither_acts_on_a_terminal_nor_names_a_whole_class() {
        let class: Vec<String> = (1..=35).map(|number| format!("s{number}")).collect();
        let report = report(7);
        let rows = [Graded {
            student: None,
            is_excused: false,
            folder: "s2",
            report: Some(&report),
            file: "reports/\u{1b}[2J.html".to_string(),
            same_as: &class,
        }];
        let book = String::from_utf8(gradebook(&rows, &Roster::default()).unwrap()).unwrap();
        assert!(book.contains("reports/\\u001b[2J.html"), "{book}");
        assert!(book.contains("s1 s3 s4 and 31 more"), "{book}");
    }
}
