//! Grades in the form that a learning platform imports, made from its own export.

use std::collections::BTreeMap;

use super::batch::SubmissionVerdict;
use crate::hand_ins::Plan;
use crate::roster::{RosterError, RosterTable, RowId};

/// A learning platform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lms {
    /// Canvas: the columns that identify a student, and the one of the assignment.
    Canvas,
    /// Moodle: the columns of a grading worksheet that are read.
    Moodle,
}

/// The mark of a row.
#[derive(Clone, Copy, Debug)]
pub enum Mark<'r> {
    /// The student's submission was graded.
    Graded(&'r SubmissionVerdict),
    /// The student handed in nothing.
    Nothing,
    /// There is no mark yet: it was not judged, or it is not clear whose it is.
    Open,
}

impl<'r> Mark<'r> {
    /// The mark of a row, by the verdicts on the submissions of a plan.
    pub fn of(row: RowId, plan: &Plan, verdicts: &'r [SubmissionVerdict]) -> Mark<'r> {
        match verdicts.iter().find(|verdict| plan.hand_ins[verdict.submission].rows.contains(&row)) {
            Some(verdict) => Mark::Graded(verdict),
            None if plan.missing.contains(&row) => Mark::Nothing,
            None => Mark::Open,
        }
    }
}

/// The export of a platform with the grades filled in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilledExport {
    /// The file, in which only cells of one column have changed.
    pub text: Vec<u8>,
    /// The headings of the columns that identify the students and hold the grades.
    pub columns: [String; 2],
    /// The rows of excused students, which stay.
    pub excused: Vec<RowId>,
    /// The rows of students without a submission who keep an earlier mark.
    pub kept: Vec<RowId>,
}

impl Lms {
    /// The platform of this name.
    pub fn named(name: &str) -> Option<Lms> {
        [Lms::Canvas, Lms::Moodle].into_iter().find(|lms| lms.name() == name)
    }

    /// The platform's name in file names.
    pub fn name(self) -> &'static str {
        match self {
            Lms::Canvas => "canvas",
            Lms::Moodle => "moodle",
        }
    }

    /// Fills the grades into the platform's own export: every byte outside of the grades' cells stays. `assignment` is the heading of
    /// a column of Canvas' export, such as `Project 1 (4711)`, which is needed where it has several. A student without a submission
    /// gets 0 if the cell is empty, or with `zero_missing`; an excused student stays excused.
    pub fn filled<'r>(
        self,
        export: &RosterTable,
        assignment: Option<&str>,
        zero_missing: bool,
        mark_of: impl Fn(RowId) -> Mark<'r>,
    ) -> Result<FilledExport, RosterError> {
        let (student, column) = match self {
            Lms::Canvas => match export.find(&["Student"])? {
                Some(student) => (student, canvas_column(export, assignment)?),
                None => return Err(RosterError("it is no export of canvas: Student is missing".to_string())),
            },
            Lms::Moodle => export.moodle_columns().ok_or_else(|| {
                let why = "it is no grading worksheet of moodle: its first column has the participants, such as Participant 14, and \
                           one has the grades before the most points";
                RosterError(why.to_string())
            })?,
        };
        let (mut excused, mut kept, mut marks) = (Vec::new(), Vec::new(), BTreeMap::new());
        for (row, at) in export.rows.iter().zip(0..) {
            let now = row.cells[column].as_str();
            let is_excused = EXCUSED.iter().any(|word| now.eq_ignore_ascii_case(word));
            let mark = match mark_of(RowId(at)) {
                Mark::Open => continue,
                _ if is_excused => {
                    excused.push(RowId(at));
                    continue;
                }
                Mark::Graded(SubmissionVerdict { report, .. }) if !report.is_judged() => continue,
                Mark::Graded(SubmissionVerdict { report, .. }) => report.summary().points.to_string(),
                Mark::Nothing if zero_missing || ["", "-"].contains(&now) => "0".to_string(),
                Mark::Nothing => {
                    kept.push(RowId(at));
                    continue;
                }
            };
            marks.insert(at, mark);
        }
        let text = export.with_cells(column, |row| marks.get(&row).cloned());
        let columns = [student, column].map(|at| export.names[at].clone());
        Ok(FilledExport { text, columns, excused, kept })
    }
}

/// The content of an excused student's cell.
const EXCUSED: [&str; 2] = ["EX", "excused"];

/// The column of the assignment: the named one, or the only one with Canvas' number behind it.
fn canvas_column(export: &RosterTable, assignment: Option<&str>) -> Result<usize, RosterError> {
    let is_assignment = |(_, name): &(usize, &String)| {
        let number = name.strip_suffix(')').and_then(|name| Some(name.rsplit_once(" (")?.1));
        number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let all: Vec<(usize, &String)> = export.names.iter().enumerate().filter(is_assignment).collect();
    let named: Vec<usize> = all
        .iter()
        .filter(|(_, name)| assignment.is_none_or(|wanted| wanted == *name))
        .map(|(at, _)| *at)
        .collect();
    match (&named[..], &all[..]) {
        ([only], _) => Ok(*only),
        (_, []) => {
            Err(RosterError("no column is an assignment of Canvas, such as Project 1 (4711)".to_string()))
        }
        _ => {
            let names: Vec<&str> = all.iter().map(|(_, name)| name.as_str()).collect();
            Err(RosterError(format!("name one of its assignments with --assignment: {}", names.join(", "))))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grade::{Item, Part, Points, Report};

    fn graded(points: u32) -> Report {
        let item = Item::new("a", "a", Points::whole(10)).partial(Points::whole(points), "why");
        Report { parts: vec![Part { title: "p".into(), items: vec![item] }], ..Report::default() }
    }

    /// Ada has 7 points, Grace handed in nothing, Alan was not judged, Nora handed in nothing either.
    fn written(
        lms: Lms,
        export: &str,
        assignment: Option<&str>,
        zero_missing: bool,
    ) -> Result<FilledExport, String> {
        let table = RosterTable::read(export.as_bytes()).unwrap();
        let verdict = |report| SubmissionVerdict { submission: 0, report, known: false };
        let (ada, busy) = (verdict(graded(7)), verdict(Report::not_judged("t", "s", "busy")));
        let mark_of =
            |row: RowId| [Mark::Graded(&ada), Mark::Nothing, Mark::Graded(&busy), Mark::Nothing][row.0];
        lms.filled(&table, assignment, zero_missing, mark_of).map_err(|error| error.to_string())
    }

    fn text(lms: Lms, export: &str, assignment: Option<&str>) -> String {
        String::from_utf8(written(lms, export, assignment, false).unwrap().text).unwrap()
    }

    #[test]
    fn canvas_gets_its_own_file_back() {
        let export = "Student,ID,SIS User ID,SIS Login ID,Section,Project 1 (4711),Final Score\r\n\
                      \"    Points Possible\",,,,,180,\r\n\
                      \"Lovelace, Ada\",11,s1,ada-l,A,,50.5\r\n\"Hopper, Grace\",12,s2,grace-h,A,,\r\n\"Turing, Alan\",13,s3,alan-t,A,3,\r\n";
        let wanted = export.replace("ada-l,A,,", "ada-l,A,7,").replace("grace-h,A,,", "grace-h,A,0,");
        assert_eq!(text(Lms::Canvas, export, None), wanted);
        let two = export.replace("Final Score", "Project 2 (4712)");
        let error = written(Lms::Canvas, &two, None, false).unwrap_err();
        assert!(error.contains("--assignment: Project 1 (4711), Project 2 (4712)"), "{error}");
        assert!(text(Lms::Canvas, &two, Some("Project 2 (4712)")).contains("ada-l,A,,7\r\n"));
        assert!(
            written(Lms::Canvas, "github_id,name\na,b\nc,d\ne,f\n", None, false)
                .unwrap_err()
                .contains("Student is missing")
        );
    }

    #[test]
    fn excused_students_stay_excused_and_earlier_marks_stay() {
        let export = "Student,ID,P (1)\nAda,1,EX\nGrace,2,12\nAlan,3,\nNora,4,ex\n";
        let filled = written(Lms::Canvas, export, None, false).unwrap();
        assert_eq!(String::from_utf8(filled.text).unwrap(), export);
        assert_eq!((filled.excused, filled.kept), (vec![RowId(0), RowId(3)], vec![RowId(1)]));
        let zero = written(Lms::Canvas, export, None, true).unwrap();
        assert_eq!(String::from_utf8(zero.text).unwrap(), export.replace(",12", ",0"));
    }

    #[test]
    fn moodle_gets_its_own_file_back() {
        let export = "\u{feff}Identifier,\"Full name\",Grade,\"Maximum Grade\",\"Last modified (grade)\",\"Feedback comments\"\n\
                      \"Participant 11\",Ada,,180,\"Monday, 2 November 2026, 9:00 AM\",\"please see me\"\n\
                      \"Participant 12\",Grace,-,180,,\n\"Participant 13\",Alan,,180,,\n";
        let wanted = export.replace("Ada,,", "Ada,7,").replace("Grace,-,", "Grace,0,");
        assert_eq!(text(Lms::Moodle, export, None), wanted);
        // In the language of the site, or in one that is not known.
        for headings in [
            [
                "ID",
                "Vollständiger Name",
                "Bewertung",
                "Bestwertung",
                "Zuletzt geändert (Bewertung)",
                "Feedback als Kommentar",
            ],
            [
                "Identifiant",
                "Nom complet",
                "Note",
                "Note maximale",
                "Dernière modification (note)",
                "Feedback par commentaires",
            ],
            ["a", "b", "c", "d", "e", "f"],
        ] {
            let quoted = headings.map(|heading| format!("\"{heading}\"")).join(",");
            let in_language = |text: &str| {
                format!(
                    "{quoted}\n{}",
                    text.split_once('\n').unwrap().1.replace("Participant", "Teilnehmer/in")
                )
            };
            let filled = written(Lms::Moodle, &in_language(export), None, false).unwrap();
            assert_eq!(String::from_utf8(filled.text).unwrap(), in_language(&wanted));
            assert_eq!(filled.columns, [headings[0], headings[2]]);
        }
        let none = "Full name,Grade\nAda,\n";
        assert!(written(Lms::Moodle, none, None, false).unwrap_err().contains("no grading worksheet"));
    }
}
