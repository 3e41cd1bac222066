//! Tables of figures: column widths, escaping and line ends.

use std::fmt::Write as _;

use super::words::{Markup, markup};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Alignment {
    Left,
    Right,
}

#[derive(Clone, Debug)]
struct Column {
    heading: String,
    side: Alignment,
}

/// The content of a cell.
#[derive(Clone, Debug)]
pub struct Cell {
    words: Markup,
    is_heading: bool,
}

impl Cell {
    /// A cell with this content, or an empty one.
    pub fn of(words: Option<impl Into<Markup>>) -> Cell {
        words.map_or_else(|| Cell::from(""), Cell::from)
    }

    /// The heading of a row.
    pub fn heading(words: impl Into<Markup>) -> Cell {
        Cell { is_heading: true, ..Cell::from(words) }
    }
}

impl<T: Into<Markup>> From<T> for Cell {
    fn from(words: T) -> Cell {
        Cell { words: words.into(), is_heading: false }
    }
}

/// A table: columns, and rows of as many cells.
#[derive(Clone, Debug, Default)]
pub struct DataTable {
    columns: Vec<Column>,
    rows: Vec<Vec<Cell>>,
}

impl DataTable {
    /// The table with these columns of numbers after those it has: they stand on the right.
    pub fn figures(self, headings: impl IntoIterator<Item = impl Into<String>>) -> DataTable {
        self.columns(headings, Alignment::Right)
    }

    /// The table with these columns of names and other words after those it has: they stand on the left.
    pub fn words(self, headings: impl IntoIterator<Item = impl Into<String>>) -> DataTable {
        self.columns(headings, Alignment::Left)
    }

    fn columns(
        mut self,
        headings: impl IntoIterator<Item = impl Into<String>>,
        side: Alignment,
    ) -> DataTable {
        let column = |heading: _| Column { heading: Into::into(heading), side };
        self.columns.extend(headings.into_iter().map(column));
        self
    }

    /// Adds a row. Panics unless it has one cell for each column.
    pub fn row(&mut self, cells: impl IntoIterator<Item = Cell>) {
        let cells: Vec<Cell> = cells.into_iter().collect();
        assert_eq!(cells.len(), self.columns.len(), "a row has a cell for each column");
        self.rows.push(cells);
    }

    pub(super) fn without_empty_columns(mut self) -> DataTable {
        let is_filled = |at: &usize| self.rows.iter().any(|row| !row[*at].words.plain().is_empty());
        let filled: Vec<usize> = (0..self.columns.len()).filter(is_filled).collect();
        if !self.rows.is_empty() {
            self.columns = filled.iter().map(|at| self.columns[*at].clone()).collect();
            self.rows.iter_mut().for_each(|row| *row = filled.iter().map(|at| row[*at].clone()).collect());
        }
        self
    }

    /// The lines of plain text, the headings first: columns as wide as they have to be, and no spaces at the ends of lines.
    pub(super) fn text(&self, colour: bool) -> String {
        let seen = |cell: &Cell| cell.words.text(false).chars().count();
        let width = |(at, column): (usize, &Column)| {
            self.rows.iter().map(|row| seen(&row[at])).chain([column.heading.chars().count()]).max()
        };
        let widths: Vec<usize> = self.columns.iter().enumerate().filter_map(width).collect();
        let headings: Vec<Cell> = self.columns.iter().map(|column| Cell::from(&column.heading)).collect();
        let mut text = String::new();
        for row in [&headings].into_iter().chain(&self.rows) {
            let mut line = String::new();
            for ((cell, column), width) in row.iter().zip(&self.columns).zip(&widths) {
                let (shown, room) = (cell.words.text(colour), width - seen(cell));
                let _ = match column.side {
                    Alignment::Left => write!(line, "{shown}{:room$}  ", ""),
                    Alignment::Right => write!(line, "{:room$}{shown}  ", ""),
                };
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }

    pub(super) fn html(&self) -> String {
        let class = |column: &Column| if column.side == Alignment::Left { " class=name" } else { "" };
        let mut html = String::from("<table><thead><tr>");
        for column in &self.columns {
            let _ = write!(html, "<th{}>{}</th>", class(column), markup(&column.heading));
        }
        html.push_str("</tr></thead><tbody>\n");
        for row in &self.rows {
            html.push_str("<tr>");
            for (cell, column) in row.iter().zip(&self.columns) {
                let tag = if cell.is_heading { "th" } else { "td" };
                let _ = write!(html, "<{tag}{}>{}</{tag}>", class(column), cell.words.html());
            }
            html.push_str("</tr>\n");
        }
        html.push_str("</tbody></table>\n");
        html
    }

    /// The table as CSV, the headings first.
    pub fn csv(&self) -> Result<Vec<u8>, csv::Error> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(self.columns.iter().map(|column| &column.heading))?;
        for row in &self.rows {
            writer.write_record(row.iter().map(|cell| cell.words.plain()))?;
        }
        writer.into_inner().map_err(|error| csv::Error::from(error.into_error()))
    }
}
