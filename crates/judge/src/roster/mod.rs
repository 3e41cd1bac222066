//! The roster of a class: the one reader of its file, for grading, hosting and ladders, and the students in it.

mod table;

pub(crate) use table::from_utf_16;
pub use table::{RosterError, RosterRow, RosterTable};

use std::collections::BTreeMap;

use unicode_normalization::UnicodeNormalization;

use casino_stud::shown::one_line;

/// A row of the roster, counted from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RowId(pub usize);

/// What identifies a student.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Identity {
    /// The GitHubId, with which programs log in.
    GitHubId,
    /// The GitHubId, or where there is none the user name, the number on the learning platform or the folder.
    Any,
}

/// A student of the roster. Texts that the roster lacks are empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Student {
    /// The number of the line, from 1.
    pub line: u64,
    /// The identity, which no other student has in any capitals.
    pub id: String,
    /// The name, in one column or two.
    pub name: String,
    /// The user name on the learning platform.
    pub login: String,
    /// The number on the learning platform, as in `Participant 14`.
    pub number: String,
    /// The name of the submission.
    pub folder: String,
    /// The name of the group that hands in together.
    pub group: String,
    /// The folder in the submission that is meant.
    pub project: Option<String>,
    /// The first row of those that hand in together: of the same group, or else of the same folder.
    pub team: RowId,
}

/// A roster.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Roster {
    /// The table as it was read.
    pub table: RosterTable,
    /// The students, one for each row of the table.
    pub students: Vec<Student>,
    /// The columns that describe the submission, by their numbers.
    known: Vec<usize>,
    /// Whether the table has a column for the names of submissions.
    pub has_folders: bool,
}

impl Roster {
    /// Reads a roster from CSV.
    pub fn read(text: &[u8], identity: Identity) -> Result<Roster, RosterError> {
        let table = RosterTable::read(text)?;
        let is_canvas = table.find(&["student"])?.is_some();
        let moodle = if is_canvas { None } else { table.moodle_columns() };
        let number = table.find(if is_canvas { &["id"] } else { &["identifier", "id"] })?;
        let number = number.or(moodle.map(|(number, _)| number));
        let login = table.find(&["username", "sis_login_id", "login"])?;
        let (folder, group) = (table.find(&["folder", "submission"])?, table.find(&["group"])?);
        let project = table.find(&["project"])?;
        let id_columns: Vec<usize> = match (table.github_id_column(), identity) {
            (Ok(github_id), Identity::GitHubId) => vec![github_id],
            (Err(error), Identity::GitHubId) => return Err(error),
            (github_id, Identity::Any) => {
                [github_id.as_ref().ok().copied(), login, number, folder].into_iter().flatten().collect()
            }
        };
        let Some(main_id) = id_columns.first().copied() else {
            return Err(table.column("github_id").expect_err("there is no column of identities"));
        };
        let names = match table.find(&["name", "display_name", "player", "student", "full_name"])? {
            Some(one) => vec![one],
            None if moodle.is_some() && table.names.len() > 1 => vec![1],
            None => [table.find(&["first_name"])?, table.find(&["last_name", "surname"])?]
                .into_iter()
                .flatten()
                .collect(),
        };
        let mut students: Vec<Student> = Vec::new();
        let mut lines: BTreeMap<String, u64> = BTreeMap::new();
        let mut teams: BTreeMap<(bool, String), RowId> = BTreeMap::new();
        for (row, RosterRow { line, cells, .. }) in table.rows.iter().enumerate() {
            let cell = |at: Option<usize>| at.map_or("", |at| &cells[at]).to_string();
            let id = id_columns.iter().map(|at| &cells[*at]).find(|id| !id.is_empty());
            let Some(id) = id.cloned() else {
                let heading = one_line(&table.names[main_id]);
                return Err(RosterError::at_line(*line, &format!("the cell of {heading} is empty")));
            };
            if let Some(first) = lines.insert(folded(&id), *line) {
                let why = format!("{} is on line {first} already: keep one of the rows", one_line(&id));
                return Err(RosterError::at_line(*line, &why));
            }
            let (folder, group) = (cell(folder), cell(group));
            let team = match (group.as_str(), folder.as_str()) {
                ("", "") => RowId(row),
                ("", folder) => *teams.entry((false, composed(folder))).or_insert(RowId(row)),
                (group, _) => *teams.entry((true, composed(group))).or_insert(RowId(row)),
            };
            let name: Vec<&str> = names.iter().map(|at| cells[*at].as_str()).collect();
            students.push(Student {
                line: *line,
                id,
                name: name.join(" ").trim().to_string(),
                login: cell(login),
                number: cell(number).rsplit(' ').next().unwrap_or_default().to_string(),
                folder,
                group,
                project: Some(cell(project)).filter(|project| !project.is_empty()),
                team,
            });
        }
        let has_folders = folder.is_some();
        let known = [Some(main_id), folder, project].into_iter().flatten().collect();
        Ok(Roster { table, students, known, has_folders })
    }

    /// The student of a row.
    pub fn student(&self, row: RowId) -> &Student {
        &self.students[row.0]
    }

    /// All rows, in order.
    pub fn rows(&self) -> impl Iterator<Item = RowId> + use<> {
        (0..self.students.len()).map(RowId)
    }

    /// The rows of a team, in order.
    pub fn team(&self, team: RowId) -> Vec<RowId> {
        self.rows().filter(|row| self.student(*row).team == team).collect()
    }

    /// The columns that say nothing about the submission, by their numbers, in order.
    pub fn other_columns(&self) -> impl Iterator<Item = usize> {
        (0..self.table.names.len()).filter(|at| !self.known.contains(at))
    }
}

/// A name in composed form.
pub(crate) fn composed(name: &str) -> String {
    name.nfc().collect()
}

/// A name in the form in which names are compared that differ in capitals or in their Unicode form.
pub(crate) fn folded(name: &str) -> String {
    composed(name).to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(text: &[u8]) -> Vec<String> {
        let roster = Roster::read(text, Identity::GitHubId).unwrap();
        roster.students.iter().map(|student| format!("{} {}", student.id, student.name)).collect()
    }

    #[test]
    fn rosters_of_other_systems_are_read() {
        let classroom = "\"identifier\",\"github_username\",\"github_id\",\"name\"\n\"s1\",\"ada-l\",\"12\",\"Ada\"\n\"s2\",\"\",\"\",\"\"\n";
        assert_eq!(ids(classroom.as_bytes()), ["ada-l Ada", "s2 "]);
        assert_eq!(
            ids(b"username,first_name,last_name,github_id\nada-l,Ada,Lovelace,12\n"),
            ["ada-l Ada Lovelace"]
        );
        assert_eq!(ids(b"github_id,username\nada-l,s1\n"), ["ada-l "]);
        // Rows that Excel and Canvas add, and characters that nobody sees.
        let rows = "\u{feff}name,github_id\n,,,\n\u{a0}Ada,ada\u{200b}-l\u{200b},\n  ,\n,Manual Posting\nPoints Possible,\n\"Student, Test\",x\n";
        assert_eq!(ids(rows.as_bytes()), ["ada-l Ada"]);
        assert_eq!(ids(b"name,github_id\nAda,\"=\"\"007\"\"\"\n"), ["007 Ada"]);
        let text = "\u{feff}github_id;name\nada-l;J\u{f6}rg\n";
        for (marked, little) in [(true, true), (true, false), (false, true), (false, false)] {
            let letters = text.encode_utf16().skip(usize::from(!marked));
            let bytes: Vec<u8> = letters
                .flat_map(|letter| if little { letter.to_le_bytes() } else { letter.to_be_bytes() })
                .collect();
            assert_eq!(ids(&bytes), ["ada-l J\u{f6}rg"], "{marked} {little}");
        }
    }

    #[test]
    fn short_rows_are_padded_and_quoted_headings_separate_nothing() {
        let rows = "github_id;name;project\r\na;A;\r\nb;B\r\nc\r\n";
        assert_eq!(ids(rows.as_bytes()), ["a A", "b B", "c "]);
        let heading = "\"Name (Nachname, Vorname)\";github_id\n\"Lovelace, Ada\";ada-l\n";
        assert_eq!(ids(heading.as_bytes()), ["ada-l "]);
    }

    #[test]
    fn a_student_is_on_the_roster_once_and_has_an_identity() {
        let wrong = |text: &str| Roster::read(text.as_bytes(), Identity::Any).unwrap_err().to_string();
        assert_eq!(
            wrong("folder,github_id\na,ada-l\nb,ADA-L\n"),
            "line 3: ADA-L is on line 2 already: keep one of the rows"
        );
        assert_eq!(wrong("github_id,name\n,Ada\n"), "line 2: the cell of github_id is empty");
        let canvas =
            b"Student,ID,SIS User ID,SIS Login ID,Section\n\"L, Ada\",11,s1,,A\n\"H, G\",12,s2,gh,A\n";
        let roster = Roster::read(canvas, Identity::Any).unwrap();
        let ids: Vec<&str> = roster.students.iter().map(|student| student.id.as_str()).collect();
        assert_eq!(ids, ["11", "gh"], "the number where there is no user name");
        assert!(Roster::read(canvas, Identity::GitHubId).is_err());
        assert!(wrong("name,mail\na,b\n").contains("no column \"github_id\"; there are name, mail"));
    }

    #[test]
    fn rows_of_one_group_or_folder_are_a_team() {
        let teams = |text: &[u8]| -> Vec<usize> {
            let roster = Roster::read(text, Identity::Any).unwrap();
            roster.students.iter().map(|student| student.team.0).collect()
        };
        assert_eq!(teams(b"github_id,folder\na,x\nb,y\nc,x\nd,\ne,\n"), [0, 1, 0, 3, 4]);
        assert_eq!(teams(b"github_id,group,folder\na,g,1\nb,,1\nc,g,2\nd,,1\n"), [0, 1, 0, 1]);
    }
}
