//! The one reader of rosters: tables with a header, as spreadsheets write them.

use std::borrow::Cow;

use thiserror::Error;

use casino_stud::shown::short_line;

/// A roster that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct RosterError(pub(super) String);

impl RosterError {
    /// An error in the row of this line.
    pub fn at_line(line: u64, why: &str) -> RosterError {
        RosterError(format!("line {line}: {why}"))
    }
}

/// A roster as a table: its columns' names, and its rows with their lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RosterFile {
    /// The headings of the columns, as they stand in the first row.
    pub names: Vec<String>,
    /// The rows below, each with the number of its line, from 1.
    pub rows: Vec<(u64, csv::StringRecord)>,
}

impl RosterFile {
    /// Reads a table from CSV, with commas, or with semicolons or tabs if the header has more of them.
    pub fn read(text: &[u8]) -> Result<RosterFile, RosterError> {
        let text = from_utf_16(text);
        // Spreadsheets put a byte order mark before the first name.
        let text = text.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&text);
        let text = unix_lines(text);
        // Some spreadsheets begin with a line that names the separator, as in `sep=;`.
        let (told, table) = match text.strip_prefix(b"sep=").and_then(|rest| rest.split_first_chunk::<2>()) {
            Some(([sign, b'\n'], table)) => (Some(*sign), table),
            _ => (None, text.as_slice()),
        };
        let lines_before = u64::from(told.is_some());
        let delimiter = told.unwrap_or_else(|| delimiter(table));
        check_quotes(table, delimiter, lines_before)?;
        let mut reader = csv::ReaderBuilder::new();
        let reader = reader.delimiter(delimiter).trim(csv::Trim::All).flexible(true);
        let mut reader = reader.from_reader(table);
        let wrong = |error: csv::Error| RosterError(in_words(&error));
        let names: Vec<String> = reader.headers().map_err(wrong)?.iter().map(visible).collect();
        let mut file = RosterFile { names, rows: Vec::new() };
        let count = |cells: usize| format!("{cells} cell{}", if cells == 1 { "" } else { "s" });
        for record in reader.records() {
            let record = record.map_err(wrong)?;
            let line = lines_before + record.position().map_or(0, csv::Position::line);
            let cells: csv::StringRecord = record.iter().map(visible).collect();
            if is_no_student(&cells) {
                continue;
            }
            if cells.len() < file.names.len()
                || cells.iter().skip(file.names.len()).any(|cell| !cell.is_empty())
            {
                let (there, wanted) = (count(cells.len()), count(file.names.len()));
                return Err(RosterError(format!(
                    "line {line} has {there}, and the lines above it have {wanted}: quote fields with a comma or semicolon"
                )));
            }
            file.rows.push((line, cells));
        }
        file.fill_user_names();
        Ok(file)
    }

    /// Gives students of GitHub Classroom who have no account yet their identifier for its name.
    fn fill_user_names(&mut self) {
        let at = |name| self.find(&[name]).ok().flatten();
        let (Some(user_name), Some(identifier)) = (at("github_username"), at("identifier")) else { return };
        for (_, row) in self.rows.iter_mut().filter(|(_, row)| row[user_name].is_empty()) {
            let cell = |(at, cell)| if at == user_name { &row[identifier] } else { cell };
            *row = row.iter().enumerate().map(cell).collect();
        }
    }

    /// Where the column of GitHubIds is. Where `github_id` has GitHub's numbers, as in rosters of GitHub Classroom, it is the
    /// column with the user names.
    pub fn github_id_column(&self) -> Result<usize, RosterError> {
        let id = self.find(&["github_id"])?;
        let is_number =
            |at: usize| self.rows.iter().all(|(_, row)| row[at].bytes().all(|byte| byte.is_ascii_digit()));
        let user_name = self.find(&["github_username", "github_login", "username", "github"])?;
        match (id, user_name) {
            (Some(id), Some(name)) if is_number(id) => Ok(name),
            (Some(id), _) => Ok(id),
            (None, Some(name)) => Ok(name),
            (None, None) => self.column("github_id"),
        }
    }

    /// The name of the student of a row, in one column or two.
    pub fn name_of(&self, row: &csv::StringRecord) -> Result<String, RosterError> {
        if let Some(at) = self.find(&["name", "display_name", "player", "student", "full_name"])? {
            return Ok(row[at].to_string());
        }
        let parts = [self.find(&["first_name"])?, self.find(&["last_name", "surname"])?];
        let parts: Vec<&str> = parts.into_iter().flatten().map(|at| &row[at]).collect();
        Ok(parts.join(" ").trim().to_string())
    }

    /// Where the column of one of these names is, the first name that there is; cases, spaces and `_` do not count.
    pub fn find(&self, wanted: &[&str]) -> Result<Option<usize>, RosterError> {
        let plain = |name: &str| name.to_lowercase().replace([' ', '_', '-'], "");
        for wanted in wanted {
            let same = |(_, name): &(usize, &String)| plain(name) == plain(wanted);
            let mut found = self.names.iter().enumerate().filter(same).map(|(at, _)| at);
            if let Some(at) = found.next() {
                return found.next().map_or(Ok(Some(at)), |other| {
                    Err(RosterError(format!(
                        "columns {} and {} of the header are both \"{wanted}\": rename or remove one of them",
                        at + 1,
                        other + 1
                    )))
                });
            }
        }
        Ok(None)
    }

    /// Where the column of this name is.
    pub fn column(&self, wanted: &str) -> Result<usize, RosterError> {
        self.find(&[wanted])?.ok_or_else(|| {
            RosterError(format!(
                "there is no column \"{wanted}\"; there are {}",
                short_line(&self.names.join(", "))
            ))
        })
    }
}

/// A cell without spaces at its ends, without characters that nobody sees, and without the formula around a text.
fn visible(cell: &str) -> String {
    let is_invisible = |letter: char| matches!(letter, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}' | '\u{feff}');
    // Within words of other scripts some of them have a meaning.
    let bare = cell.replace(is_invisible, "");
    let text = if bare.is_ascii() { &bare } else { cell };
    let text = text.trim_matches(|letter: char| letter.is_whitespace() || is_invisible(letter));
    let inner = text.strip_prefix("=\"").and_then(|text| text.strip_suffix('"'));
    inner.unwrap_or(text).to_string()
}

/// Whether a row is empty, or one that a learning platform adds: Canvas' most points, posting and test student.
fn is_no_student(row: &csv::StringRecord) -> bool {
    let first = row.iter().next().unwrap_or_default().to_lowercase();
    let is_posting = |cell: &str| first.is_empty() && cell.eq_ignore_ascii_case("manual posting");
    row.iter().all(str::is_empty)
        || row.iter().any(is_posting)
        || ["points possible", "student, test", "test student"].contains(&first.as_str())
}

/// A text in UTF-16, as spreadsheets call Unicode, as UTF-8; also without its mark, if every second byte is zero.
pub(super) fn from_utf_16(text: &[u8]) -> Cow<'_, [u8]> {
    let head = &text[..text.len().min(64)];
    let zeros = |from: usize| head.iter().skip(from).step_by(2).filter(|byte| **byte == 0).count();
    let is_little = match head {
        [0xff, 0xfe, ..] => true,
        [0xfe, 0xff, ..] => false,
        _ if zeros(1) * 4 > head.len() => true,
        _ if zeros(0) * 4 > head.len() => false,
        _ => return Cow::Borrowed(text),
    };
    let number = |two: &[u8]| match is_little {
        true => u16::from_le_bytes([two[0], two[1]]),
        false => u16::from_be_bytes([two[0], two[1]]),
    };
    let letters: Vec<u16> = text.chunks_exact(2).map(number).collect();
    Cow::Owned(String::from_utf16_lossy(&letters).into_bytes())
}

/// Checks that each quote that begins a cell ends it, too: one that is forgotten would swallow the rows below it.
fn check_quotes(table: &[u8], delimiter: u8, lines_before: u64) -> Result<(), RosterError> {
    let (mut line, mut column) = (lines_before + 1, 0);
    let mut bytes = table.iter().copied().peekable();
    // Where the quote of this cell was opened, and whether the cell has only begun.
    let (mut opened, mut begins) = (None, true);
    while let Some(byte) = bytes.next() {
        // Continuation bytes of a letter are not columns.
        column += u64::from(byte & 0xc0 != 0x80);
        match (byte, opened) {
            (b'"', None) if begins => opened = Some((line, column)),
            (b'"', Some(_)) if bytes.peek() == Some(&b'"') => {
                bytes.next();
                column += 1;
            }
            (b'"', Some((from, at))) => {
                opened = None;
                if let Some(next) = bytes.peek().filter(|next| ![delimiter, b'\n', b' '].contains(next)) {
                    return Err(RosterError(format!(
                        "line {from}, column {at}: the quote that is opened here ends at line {line}, column {column} \
                         before {:?}: close it in its cell, or write a quote in a name twice",
                        char::from(*next)
                    )));
                }
            }
            _ => {}
        }
        begins = opened.is_none() && (byte == delimiter || byte == b'\n' || (begins && byte == b' '));
        if byte == b'\n' {
            (line, column) = (line + 1, 0);
        }
    }
    opened.map_or(Ok(()), |(line, column)| {
        Err(RosterError(format!(
            "line {line}, column {column}: a quote is opened here and never closed; all rows below would be one cell"
        )))
    })
}

fn in_words(error: &csv::Error) -> String {
    match error.kind() {
        csv::ErrorKind::Utf8 { pos, .. } => {
            let line = pos.as_ref().map_or(0, csv::Position::line);
            format!("line {line} is not UTF-8; save the table as CSV UTF-8")
        }
        _ => error.to_string(),
    }
}

/// The same text with a line feed as every line ending, so that lines are counted in the same way.
fn unix_lines(text: &[u8]) -> Vec<u8> {
    let next = text.iter().skip(1).map(Some).chain([None]);
    let is_kept = |(byte, next): &(&u8, Option<&u8>)| !(**byte == b'\r' && *next == Some(&b'\n'));
    text.iter().zip(next).filter(is_kept).map(|(byte, _)| *byte).collect()
}

fn delimiter(text: &[u8]) -> u8 {
    let head = text.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let count = |sign: u8| head.iter().filter(|byte| **byte == sign).count();
    // The first of equals: a header of one column has none of them.
    [b',', b';', b'\t'].into_iter().rev().max_by_key(|sign| count(*sign)).unwrap_or(b',')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_semicolons_and_tabs_are_all_read() {
        for text in [
            "GitHub ID,Name\r\nada,\"L, Ada\"\n",
            "github_id;name\nada;L, Ada\n",
            "github-id\tNAME\nada\tL, Ada",
        ] {
            let file = RosterFile::read(text.as_bytes()).unwrap();
            let (id, name) = (file.column("github_id").unwrap(), file.find(&["name"]).unwrap().unwrap());
            assert_eq!((&file.rows[0].1[id], &file.rows[0].1[name], file.rows[0].0), ("ada", "L, Ada", 2));
        }
        let alone = RosterFile::read(b"github_id\nada\n").unwrap();
        assert_eq!(alone.names, ["github_id"]);
        let wrong = RosterFile::read(format!("a\u{c}b,{}\n", "c,".repeat(2_000)).as_bytes()).unwrap();
        let error = wrong.column("github_id").unwrap_err().to_string();
        assert!(error.contains("there are a\\u000cb, c") && error.len() < 600, "{error}");
        let error = RosterFile::read(b"a;b\n1;2\n3\n").unwrap_err().to_string();
        assert!(error.contains("line 3 has 1 cell, and the lines above it have 2 cells"), "{error}");
        let error = RosterFile::read(b"a\n\xe9\n").unwrap_err().to_string();
        assert!(error.contains("line 2 is not UTF-8"), "{error}");
        // A first line that names the separator.
        let told = RosterFile::read(b"sep=;\r\ngithub_id;name\nada;L, Ada\n").unwrap();
        assert_eq!(
            (told.names.as_slice(), told.rows[0].0),
            (["github_id", "name"].map(String::from).as_slice(), 3)
        );
    }

    #[test]
    fn rosters_of_other_systems_are_read() {
        let ids = |text: &[u8]| -> Vec<String> {
            let file = RosterFile::read(text).unwrap();
            let at = file.github_id_column().unwrap();
            file.rows.iter().map(|(_, row)| format!("{} {}", &row[at], file.name_of(row).unwrap())).collect()
        };
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
    fn a_forgotten_quote_swallows_no_student() {
        let wrong = |text: &str| RosterFile::read(text.as_bytes()).unwrap_err().to_string();
        let error = wrong("github_id,name\nada,\"Ada L\nbob,Bob\ncy,Cy\n");
        assert!(error.starts_with("line 2, column 5: a quote is opened here and never closed"), "{error}");
        let error = wrong("sep=;\ngithub_id;name\nada;\"Ada L\nbob;\"Bob\"\n");
        assert!(
            error.starts_with("line 3, column 5: the quote that is opened here ends at line 4, column 5"),
            "{error}"
        );
        for right in [
            "github_id,name\nada,\"Ada \"\"the\"\" L, \nof here\"\nbob,5\" tall\n",
            "github_id,name\n\"ada\" , \"Ada\"\n\"b\",\"\"",
        ] {
            assert_eq!(RosterFile::read(right.as_bytes()).unwrap().rows.len(), 2, "{right}");
        }
    }

    #[test]
    fn an_ambiguous_column_is_not_guessed() {
        let file = RosterFile::read(b"github_id,name,GitHub ID\nada,Ada,bob\n").unwrap();
        let error = file.column("github_id").unwrap_err().to_string();
        assert!(error.starts_with("columns 1 and 3 of the header are both \"github_id\""), "{error}");
        assert_eq!(file.find(&["name", "player"]).unwrap(), Some(1));
    }
}
