//! The one reader of rosters: tables with a header, as spreadsheets and learning platforms write them.

use std::borrow::Cow;
use std::ops::Range;

use thiserror::Error;

use casino_stud::shown::short_line;

/// A roster that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct RosterError(pub String);

impl RosterError {
    /// An error in the row of this line.
    pub fn at_line(line: u64, why: &str) -> RosterError {
        RosterError(format!("line {line}: {why}"))
    }
}

/// A roster as a table. It keeps its text, so that cells can be filled in while every other byte stays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RosterTable {
    /// The headings of the columns, as they stand in the first row.
    pub names: Vec<String>,
    /// The rows below that are students'.
    pub rows: Vec<RosterRow>,
    /// The text in UTF-8, with its byte order mark.
    text: Vec<u8>,
    delimiter: u8,
}

/// A row: a cell for each column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RosterRow {
    /// The number of its line, from 1.
    pub line: u64,
    /// Its cells without quotes and spaces around them.
    pub cells: Vec<String>,
    /// The places of those cells in the text that are written out: spreadsheets leave out the last empty ones.
    places: Vec<Range<usize>>,
}

const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

impl RosterTable {
    /// Reads a table from CSV, with the separator that its first line names (`sep=;`), or else with the one of comma,
    /// semicolon and tab that stands most often in its header, outside of quotes.
    pub fn read(text: &[u8]) -> Result<RosterTable, RosterError> {
        let text = from_utf_16(text).into_owned();
        let begin = if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
        let first = text[begin..].split(|byte| *byte == b'\n').next().unwrap_or_default();
        let (named, skipped) = match first.strip_prefix(b"sep=") {
            Some([sign] | [sign, b'\r']) => (Some(*sign), first.len() + 1),
            _ => (None, 0),
        };
        let table_begin = (begin + skipped).min(text.len());
        let delimiter = named.unwrap_or_else(|| delimiter(&text[table_begin..]));
        let records = records(&text[table_begin..], 1 + u64::from(named.is_some()), delimiter)?;
        let mut records = records.into_iter().map(|Record { line, cells }| {
            let places = cells.into_iter().map(|cell| cell.start + table_begin..cell.end + table_begin);
            let places: Vec<Range<usize>> = places.collect();
            let cells = places.iter().map(|place| visible(line, &text[place.clone()]));
            Ok(RosterRow { line, cells: cells.collect::<Result<_, _>>()?, places })
        });
        let names = records.next().transpose()?.map_or_else(Vec::new, |head| head.cells);
        let mut rows = Vec::new();
        for row in records {
            let mut row = row?;
            if is_no_student(&row.cells) {
                continue;
            }
            if row.cells.iter().skip(names.len()).any(|cell| !cell.is_empty()) {
                let (there, wanted) = (row.cells.len(), names.len());
                let why =
                    format!("{there} cells, and {wanted} in the header: quote a cell with a separator in it");
                return Err(RosterError::at_line(row.line, &why));
            }
            row.cells.resize(names.len(), String::new());
            rows.push(row);
        }
        let mut table = RosterTable { names, rows, text, delimiter };
        table.fill_user_names();
        Ok(table)
    }

    /// Gives students of GitHub Classroom who have no account yet their identifier for its name.
    fn fill_user_names(&mut self) {
        let at = |name| self.find(&[name]).ok().flatten();
        let (Some(user_name), Some(identifier)) = (at("github_username"), at("identifier")) else { return };
        for row in self.rows.iter_mut().filter(|row| row.cells[user_name].is_empty()) {
            row.cells[user_name] = row.cells[identifier].clone();
        }
    }

    /// The columns of the participants' numbers and of the grades, if it is a grading worksheet of Moodle, whose headings are in the
    /// language of the site: the first column has a word and a number in each row, and the one before the most points the grades.
    pub fn moodle_columns(&self) -> Option<(usize, usize)> {
        let cells = |at: usize| self.rows.iter().map(move |row| row.cells[at].as_str());
        let is_number = |cell: &str| !cell.is_empty() && cell.bytes().all(|byte| byte.is_ascii_digit());
        let participant =
            |cell: &str| cell.rsplit_once([' ', '\u{a0}']).is_some_and(|(_, number)| is_number(number));
        if self.rows.is_empty() || self.names.is_empty() || !cells(0).all(participant) {
            return None;
        }
        const HEADINGS: [&str; 14] = [
            "grade",
            "bewertung",
            "note",
            "nota",
            "calificación",
            "qualificació",
            "valutazione",
            "cijfer",
            "beoordeling",
            "karakter",
            "betyg",
            "ocena",
            "оценка",
            "成绩",
        ];
        let named = self.names.iter().position(|name| HEADINGS.contains(&name.to_lowercase().as_str()));
        let most = |at: &usize| {
            let first = cells(*at).next().unwrap_or_default();
            let is_amount = first.parse::<f64>().is_ok() || first.replace(',', ".").parse::<f64>().is_ok();
            is_amount && cells(*at).all(|cell| cell == first)
        };
        Some((0, named.or_else(|| (2..self.names.len()).find(most).map(|at| at - 1))?))
    }

    /// The text with other content in cells of one column, by the number of the row. Every other byte stays.
    pub fn with_cells(&self, column: usize, content: impl Fn(usize) -> Option<String>) -> Vec<u8> {
        let mut text = self.text.clone();
        for (at, row) in self.rows.iter().enumerate().rev() {
            let Some(content) = content(at) else { continue };
            let place = row.places.get(column).cloned();
            let end = row.places.last().map_or(0, |last| last.end);
            let missing = vec![self.delimiter; (column + 1).saturating_sub(row.places.len())];
            text.splice(place.unwrap_or(end..end), missing.into_iter().chain(content.into_bytes()));
        }
        text
    }

    /// Where the column of GitHubIds is. Where `github_id` has GitHub's numbers, as in rosters of GitHub Classroom, it is the
    /// column with the user names.
    pub fn github_id_column(&self) -> Result<usize, RosterError> {
        let id = self.find(&["github_id"])?;
        let is_number =
            |at: usize| self.rows.iter().all(|row| row.cells[at].bytes().all(|byte| byte.is_ascii_digit()));
        let user_name = self.find(&["github_username", "github_login", "username", "github"])?;
        match (id, user_name) {
            (Some(id), Some(name)) if is_number(id) => Ok(name),
            (Some(id), _) => Ok(id),
            (None, Some(name)) => Ok(name),
            (None, None) => self.column("github_id"),
        }
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

/// A cell as text: without its quotes, spaces at its ends, characters that nobody sees, and the formula around a text.
fn visible(line: u64, cell: &[u8]) -> Result<String, RosterError> {
    let cell = std::str::from_utf8(cell)
        .map_err(|_| RosterError(format!("line {line} is not UTF-8; save the table as CSV UTF-8")))?;
    let cell = cell.trim();
    let cell = match cell.strip_prefix('"') {
        Some(quoted) => quoted.strip_suffix('"').unwrap_or(quoted).replace("\"\"", "\""),
        None => cell.to_string(),
    };
    let is_invisible = |letter: char| matches!(letter, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}' | '\u{feff}');
    // Within words of other scripts some of them have a meaning.
    let bare = cell.replace(is_invisible, "");
    let text = if bare.is_ascii() { &bare } else { &cell };
    let text = text.trim_matches(|letter: char| letter.is_whitespace() || is_invisible(letter));
    let inner = text.strip_prefix("=\"").and_then(|text| text.strip_suffix('"'));
    Ok(inner.unwrap_or(text).to_string())
}

/// Whether a row is empty, or one that a learning platform adds: Canvas' most points, posting and test student.
fn is_no_student(cells: &[String]) -> bool {
    let first = cells.first().map_or_else(String::new, |cell| cell.to_lowercase());
    let is_posting = |cell: &String| first.is_empty() && cell.eq_ignore_ascii_case("manual posting");
    cells.iter().all(String::is_empty)
        || cells.iter().any(is_posting)
        || ["points possible", "student, test", "test student"].contains(&first.as_str())
}

/// A text in UTF-16, as spreadsheets call Unicode, as UTF-8; also without its mark, if every second byte is zero.
pub(crate) fn from_utf_16(text: &[u8]) -> Cow<'_, [u8]> {
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

/// A record of a table: the line of its first cell, and the places of its cells with their quotes.
struct Record {
    line: u64,
    cells: Vec<Range<usize>>,
}

/// Cuts a table into records. A quote that is forgotten would swallow the rows below it: one that does not end in its cell is
/// an error.
fn records(table: &[u8], first_line: u64, delimiter: u8) -> Result<Vec<Record>, RosterError> {
    let place = |at: usize| {
        let before = &table[..at];
        let begin = before.iter().rposition(|byte| b"\r\n".contains(byte)).map_or(0, |end| end + 1);
        // Continuation bytes of a letter are not columns.
        let column = table[begin..=at].iter().filter(|byte| **byte & 0xc0 != 0x80).count();
        format!("line {}, column {column}", first_line + line_ends(before))
    };
    let is_cell_end = |at: &usize| table.get(*at).is_none_or(|byte| [delimiter, b'\n', b'\r'].contains(byte));
    let after_spaces = |at: usize| (at..).find(|at| table.get(*at) != Some(&b' ')).unwrap_or(at);
    let (mut records, mut at) = (Vec::new(), 0);
    let mut record = Record { line: first_line, cells: Vec::new() };
    loop {
        let begin = at;
        let opened = after_spaces(begin);
        if table.get(opened) == Some(&b'"') {
            let Some(end) = quoted_end(table, opened) else {
                return Err(RosterError(format!(
                    "{}: a quote is opened here and never closed; all rows below would be one cell",
                    place(opened)
                )));
            };
            at = after_spaces(end);
            if !is_cell_end(&at) {
                return Err(RosterError(format!(
                    "{}: the quote that is opened here ends at {} before {:?}: close it in its cell, or write a quote in a \
                     name twice",
                    place(opened),
                    place(end - 1),
                    char::from(table[at])
                )));
            }
        }
        at = (at..).find(is_cell_end).unwrap_or(at);
        record.cells.push(begin..at);
        let end = table.get(at).copied();
        at += if table[at..].starts_with(b"\r\n") { 2 } else { 1 };
        if end == Some(delimiter) {
            continue;
        }
        let read = table.get(record.cells[0].start..at).unwrap_or_default();
        let next = Record { line: record.line + line_ends(read), cells: Vec::new() };
        records.push(std::mem::replace(&mut record, next));
        if at >= table.len() {
            return Ok(records);
        }
    }
}

/// Where a quoted text ends, behind its last quote. Two quotes within it are one.
fn quoted_end(table: &[u8], opened: usize) -> Option<usize> {
    let mut at = opened + 1;
    loop {
        at += table.get(at..)?.iter().position(|byte| *byte == b'"')? + 1;
        if table.get(at) != Some(&b'"') {
            return Some(at);
        }
        at += 1;
    }
}

/// The number of line ends in a text: `\n`, `\r\n`, and `\r` alone.
fn line_ends(text: &[u8]) -> u64 {
    let is_end =
        |(at, byte): (usize, &u8)| *byte == b'\n' || (*byte == b'\r' && text.get(at + 1) != Some(&b'\n'));
    text.iter().enumerate().filter(|found| is_end(*found)).count() as u64
}

/// The separator of a table: the sign that stands most often in its first line, outside of quotes.
fn delimiter(table: &[u8]) -> u8 {
    let mut is_quoted = false;
    let mut counts = [(b'\t', 0), (b';', 0), (b',', 0)];
    for byte in table {
        match byte {
            b'"' => is_quoted = !is_quoted,
            b'\n' | b'\r' if !is_quoted => break,
            _ if !is_quoted => {
                counts.iter_mut().filter(|(sign, _)| sign == byte).for_each(|(_, count)| *count += 1)
            }
            _ => {}
        }
    }
    // The last one of equals: a header of one column has none of them.
    counts.into_iter().max_by_key(|(_, count)| *count).map_or(b',', |(sign, _)| sign)
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
            let file = RosterTable::read(text.as_bytes()).unwrap();
            let (id, name) = (file.column("github_id").unwrap(), file.find(&["name"]).unwrap().unwrap());
            assert_eq!(
                (file.rows[0].cells[id].as_str(), file.rows[0].cells[name].as_str(), file.rows[0].line),
                ("ada", "L, Ada", 2)
            );
        }
        let alone = RosterTable::read(b"github_id\nada\n").unwrap();
        assert_eq!(alone.names, ["github_id"]);
        let wrong = RosterTable::read(format!("a\u{c}b,{}\n", "c,".repeat(2_000)).as_bytes()).unwrap();
        let error = wrong.column("github_id").unwrap_err().to_string();
        assert!(error.contains("there are a\\u000cb, c") && error.len() < 600, "{error}");
        let error = RosterTable::read(b"a;b\n1;2\n3;4;5\n").unwrap_err().to_string();
        assert!(error.contains("line 3: 3 cells, and 2 in the header"), "{error}");
        let error = RosterTable::read(b"a\n\xe9\n").unwrap_err().to_string();
        assert!(error.contains("line 2 is not UTF-8"), "{error}");
        // A first line that names the separator.
        let table = RosterTable::read(b"sep=;\r\ngithub_id;name\nada;L, Ada\n").unwrap();
        assert_eq!(
            (table.names.as_slice(), table.rows[0].line),
            (["github_id", "name"].map(String::from).as_slice(), 3)
        );
    }

    #[test]
    fn cells_are_filled_in_and_every_other_byte_stays() {
        let text = "\u{feff}\"Name, all\",grade, x\r\n\"L, \"\"A\"\"\", , 1\r\nPoints Possible,20,\r\nB,\"3\"\r\nC\r\n";
        let table = RosterTable::read(text.as_bytes()).unwrap();
        let filled = table.with_cells(1, |row| {
            ["17", "", "5"].get(row).filter(|mark| !mark.is_empty()).map(|mark| mark.to_string())
        });
        let wanted = text.replace("\", , 1", "\",17, 1").replace("C\r\n", "C,5\r\n");
        assert_eq!(String::from_utf8(filled).unwrap(), wanted);
        assert_eq!(table.with_cells(1, |_| None), text.as_bytes());
    }

    /// The cells are those that another reader finds.
    #[test]
    fn any_table_is_cut_as_csv_is() {
        let pieces = ["a", "\u{e9}", ",", ",", "\n", "\r\n", "\"x\"", "\"y,\n\"\"z\"", "5\"", ""];
        let mut dice = 1u32;
        for _ in 0..20_000 {
            let mut text = String::from("h,i,j\n");
            for _ in 0..12 {
                dice = dice.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                text.push_str(pieces[(dice >> 16) as usize % pieces.len()]);
            }
            let Ok(records) = records(text.as_bytes(), 1, b',') else { continue };
            let mut reader =
                csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text.as_bytes());
            let other: Vec<Vec<String>> =
                reader.records().map(|row| row.unwrap().iter().map(str::to_string).collect()).collect();
            let own = records.iter().map(|record| -> Vec<String> {
                record.cells.iter().map(|cell| visible(1, &text.as_bytes()[cell.clone()]).unwrap()).collect()
            });
            // The other reader passes over empty lines.
            let own: Vec<Vec<String>> = own.filter(|cells| *cells != [""]).collect();
            assert_eq!(own, other, "{text:?}");
        }
    }

    #[test]
    fn a_forgotten_quote_swallows_no_student() {
        let wrong = |text: &str| RosterTable::read(text.as_bytes()).unwrap_err().to_string();
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
            assert_eq!(RosterTable::read(right.as_bytes()).unwrap().rows.len(), 2, "{right}");
        }
    }

    #[test]
    fn an_ambiguous_column_is_not_guessed() {
        let file = RosterTable::read(b"github_id,name,GitHub ID\nada,Ada,bob\n").unwrap();
        let error = file.column("github_id").unwrap_err().to_string();
        assert!(error.starts_with("columns 1 and 3 of the header are both \"github_id\""), "{error}");
        assert_eq!(file.find(&["name", "player"]).unwrap(), Some(1));
    }
}
