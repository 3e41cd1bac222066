//! Grades in the form that a learning platform imports, made from its own export.

use super::report::Report;
use super::roster_file::{RosterError, RosterFile};

/// A learning platform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lms {
    /// Canvas: the columns that identify a student, and the one of the assignment.
    Canvas,
    /// Moodle: the columns of a grading worksheet that are read.
    Moodle,
}

/// The columns by which Canvas finds a student.
const CANVAS_STUDENT: [&str; 5] = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"];

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

    /// The grades as CSV. `assignment` is the heading of a column of Canvas' export, such as `Project 1 (4711)`, which is needed
    /// where it has several. `report_of` has the report of the student in a row; students without one get 0, and those whose program
    /// was not judged stay out.
    pub fn grades<'r>(
        self,
        export: &RosterFile,
        assignment: Option<&str>,
        report_of: impl Fn(usize) -> Option<&'r Report>,
    ) -> Result<Vec<u8>, RosterError> {
        let mut students = Vec::new();
        let wanted: &[&str] = if self == Lms::Canvas { &CANVAS_STUDENT } else { &["Identifier"] };
        for name in wanted {
            students.extend(export.find(&[*name])?);
        }
        if students.is_empty() {
            return Err(RosterError(format!("it is no export of {}: {} is missing", self.name(), wanted[0])));
        }
        let mut head: Vec<String> = students.iter().map(|at| export.names[*at].clone()).collect();
        head.extend(match self {
            Lms::Canvas => vec![canvas_column(export, assignment)?],
            Lms::Moodle => vec!["Grade".to_string(), "Feedback comments".to_string()],
        });
        let mut table = csv::Writer::from_writer(Vec::new());
        let broken = |error: csv::Error| RosterError(error.to_string());
        table.write_record(&head).map_err(broken)?;
        for (at, (_, row)) in export.rows.iter().enumerate() {
            let report = report_of(at);
            if report.is_some_and(|report| !report.is_judged()) {
                continue;
            }
            let mut cells: Vec<String> = students.iter().map(|at| row[*at].to_string()).collect();
            cells.push(report.map_or("0".to_string(), |report| report.summary().points.to_string()));
            if self == Lms::Moodle {
                cells.push(report.map_or("nothing handed in", super::gradebook::verdict).to_string());
            }
            table.write_record(&cells).map_err(broken)?;
        }
        table.into_inner().map_err(|error| RosterError(error.to_string()))
    }
}

/// The heading of the assignment: the named one, or the only one with Canvas' number behind it.
fn canvas_column(export: &RosterFile, assignment: Option<&str>) -> Result<String, RosterError> {
    let is_assignment = |name: &&String| {
        let number = name.strip_suffix(')').and_then(|name| Some(name.rsplit_once(" (")?.1));
        number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let all: Vec<&String> = export.names.iter().filter(is_assignment).collect();
    match (assignment, &all[..]) {
        (Some(name), all) if all.iter().any(|known| *known == name) => Ok(name.to_string()),
        (None, [only]) => Ok((*only).clone()),
        (_, []) => {
            Err(RosterError("no column is an assignment of Canvas, such as Project 1 (4711)".to_string()))
        }
        _ => {
            let names: Vec<&str> = all.iter().map(|name| name.as_str()).collect();
            Err(RosterError(format!("name one of its assignments with --assignment: {}", names.join(", "))))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grade::{Item, Part, Points};

    fn graded(points: u32) -> Report {
        let item = Item::new("a", "a", Points::whole(10)).partial(Points::whole(points), "why");
        Report { parts: vec![Part { title: "p".into(), items: vec![item] }], ..Report::default() }
    }

    fn written(lms: Lms, export: &str, assignment: Option<&str>) -> Result<String, String> {
        let file = RosterFile::read(export.as_bytes()).unwrap();
        let (ada, busy) = (graded(7), Report::not_judged("t", "s", "busy"));
        let report_of = |at: usize| [Some(&ada), None, Some(&busy)][at];
        let table = lms.grades(&file, assignment, report_of).map_err(|error| error.to_string())?;
        Ok(String::from_utf8(table).unwrap())
    }

    #[test]
    fn canvas_gets_its_own_columns_back() {
        let export = "Student,ID,SIS User ID,SIS Login ID,Section,Project 1 (4711),Final Score\n\
                      \"    Points Possible\",,,,,180,\n\
                      \"Lovelace, Ada\",11,s1,ada-l,A,,\n\"Hopper, Grace\",12,s2,grace-h,A,,\n\"Turing, Alan\",13,s3,alan-t,A,,\n";
        let wanted = "Student,ID,SIS User ID,SIS Login ID,Section,Project 1 (4711)\n\
                      \"Lovelace, Ada\",11,s1,ada-l,A,7\n\"Hopper, Grace\",12,s2,grace-h,A,0\n";
        assert_eq!(written(Lms::Canvas, export, None).unwrap(), wanted);
        let two = export.replace("Final Score", "Project 2 (4712)");
        let error = written(Lms::Canvas, &two, None).unwrap_err();
        assert!(error.contains("--assignment: Project 1 (4711), Project 2 (4712)"), "{error}");
        assert!(
            written(Lms::Canvas, &two, Some("Project 2 (4712)"))
                .unwrap()
                .contains("Section,Project 2 (4712)\n")
        );
        assert!(
            written(Lms::Canvas, "github_id,name\na,b\nc,d\ne,f\n", None)
                .unwrap_err()
                .contains("Student is missing")
        );
    }

    #[test]
    fn moodle_gets_identifier_grade_and_feedback() {
        let export = "Identifier,Full name,Email address,Status,Grade,Maximum Grade,Feedback comments\n\
                      Participant 11,Ada,a@x,,,180,\nParticipant 12,Grace,g@x,,,180,\nParticipant 13,Alan,t@x,,,180,\n";
        let wanted = "Identifier,Grade,Feedback comments\nParticipant 11,7,graded\nParticipant 12,0,nothing handed in\n";
        assert_eq!(written(Lms::Moodle, export, None).unwrap(), wanted);
    }
}
