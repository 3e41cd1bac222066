//! Tables of figures, laid out once and rendered as plain text or as HTML.
//!
//! What the columns are and what stands in them is said by whoever has the figures; how wide a column is, what is
//! escaped and where a line ends is decided here.

use std::fmt::Write as _;

use html_escape::encode_double_quoted_attribute as escape;

/// On which side of its column a cell stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Left,
    Right,
}

#[derive(Clone, Debug)]
struct Column {
    heading: String,
    side: Side,
    /// The fewest characters it takes as plain text.
    least: usize,
}

/// What stands in a cell.
#[derive(Clone, Debug)]
pub(crate) struct Cell {
    text: String,
    /// The same as HTML, if it is more than the text: a link, or a name that may be written in any direction.
    markup: Option<String>,
    /// The colour behind it on a page, as CSS has it.
    background: Option<String>,
    is_heading: bool,
}

impl Cell {
    /// A cell with a link or another mark-up in it, which is not escaped any more.
    pub(crate) fn markup(markup: String) -> Cell {
        Cell { markup: Some(markup), ..Cell::from("") }
    }

    /// The heading of a row.
    pub(crate) fn heading(text: impl Into<String>) -> Cell {
        Cell { is_heading: true, ..Cell::from(text.into()) }
    }

    /// The same cell with this colour behind it on a page.
    pub(crate) fn on(self, colour: String) -> Cell {
        Cell { background: Some(colour), ..self }
    }
}

impl<T: ToString> From<T> for Cell {
    fn from(text: T) -> Cell {
        Cell { text: text.to_string(), markup: None, background: None, is_heading: false }
    }
}

/// A table: columns, and rows of as many cells.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    columns: Vec<Column>,
    rows: Vec<Vec<Cell>>,
}

impl Table {
    /// The table with these columns of numbers after those it has: they stand on the right.
    pub(crate) fn figures(self, headings: impl IntoIterator<Item = impl Into<String>>) -> Table {
        self.columns(headings, Side::Right)
    }

    /// The table with these columns of names and other words after those it has: they stand on the left.
    pub(crate) fn words(self, headings: impl IntoIterator<Item = impl Into<String>>) -> Table {
        self.columns(headings, Side::Left)
    }

    fn columns(mut self, headings: impl IntoIterator<Item = impl Into<String>>, side: Side) -> Table {
        let column = |heading: _| Column { heading: Into::into(heading), side, least: 0 };
        self.columns.extend(headings.into_iter().map(column));
        self
    }

    /// The table with its last column, as plain text, at least so many characters wide.
    pub(crate) fn at_least(mut self, characters: usize) -> Table {
        if let Some(column) = self.columns.last_mut() {
            column.least = characters;
        }
        self
    }

    /// Adds a row.
    ///
    /// # Panics
    /// If it has not a cell for each column.
    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = Cell>) {
        let cells: Vec<Cell> = cells.into_iter().collect();
        assert_eq!(cells.len(), self.columns.len(), "a row has a cell for each column");
        self.rows.push(cells);
    }

    /// The lines of plain text, the headings first: columns as wide as they have to be, with `gap` spaces between them, and
    /// no spaces at the ends of lines.
    pub(crate) fn text(&self, gap: usize) -> Vec<String> {
        let headings = self.line(self.columns.iter().map(|column| column.heading.as_str()), gap);
        let rows = self.rows.iter().map(|row| self.line(row.iter().map(|cell| cell.text.as_str()), gap));
        std::iter::once(headings).chain(rows).collect()
    }

    fn line<'a>(&self, cells: impl Iterator<Item = &'a str>, gap: usize) -> String {
        let mut line = String::new();
        for (at, cell) in cells.enumerate() {
            let width = self.width(at);
            let _ = match self.columns[at].side {
                Side::Left => write!(line, "{cell:<width$}{:gap$}", ""),
                Side::Right => write!(line, "{cell:>width$}{:gap$}", ""),
            };
        }
        line.truncate(line.trim_end().len());
        line
    }

    fn width(&self, at: usize) -> usize {
        let column = &self.columns[at];
        let cells = self.rows.iter().map(|row| row[at].text.as_str());
        let longest = cells.chain([column.heading.as_str()]).map(|text| text.chars().count()).max();
        longest.unwrap_or(0).max(column.least)
    }

    /// As a table of HTML, its headings and its rows each in a section of their own.
    pub(crate) fn html(&self) -> String {
        self.html_between("<thead>", "</thead><tbody>", "</tbody>")
    }

    /// As a table of HTML without sections.
    pub(crate) fn plain_html(&self) -> String {
        self.html_between("", "", "")
    }

    fn html_between(&self, head: &str, body: &str, end: &str) -> String {
        let class = |column: &Column| if column.side == Side::Left { " class=name" } else { "" };
        let mut html = format!("<table>{head}<tr>");
        for column in &self.columns {
            let _ = write!(html, "<th{}>{}</th>", class(column), escape(&column.heading));
        }
        let _ = writeln!(html, "</tr>{body}");
        for row in &self.rows {
            html.push_str("<tr>");
            for (cell, column) in row.iter().zip(&self.columns) {
                let tag = if cell.is_heading { "th" } else { "td" };
                let style = match &cell.background {
                    Some(colour) => format!(" style=\"background:{}\"", escape(colour)),
                    None => String::new(),
                };
                let content = cell.markup.clone().unwrap_or_else(|| escape(&cell.text).into_owned());
                let _ = write!(html, "<{tag}{}{style}>{content}</{tag}>", class(column));
            }
            html.push_str("</tr>\n");
        }
        let _ = writeln!(html, "{end}</table>");
        html
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let mut table = Table::default().words(["bot"]).figures(["chips"]).at_least(6).words([""]);
        table.row([Cell::from("a,\"b\""), Cell::from(-12), Cell::from("")]);
        table.row([
            Cell::from("<ä>"),
            Cell::from(7).on("red".to_string()),
            Cell::markup("<b>x</b>".to_string()),
        ]);
        table
    }

    #[test]
    fn text_is_aligned_and_ends_with_its_words() {
        assert_eq!(table().text(2), ["bot     chips", "a,\"b\"     -12", "<ä>         7"]);
    }

    #[test]
    fn nothing_in_a_cell_is_markup_but_what_was_given_as_such() {
        let page = table().html();
        assert!(page.starts_with(
            "<table><thead><tr><th class=name>bot</th><th>chips</th><th class=name></th></tr></thead>"
        ));
        assert!(
            page.contains("&lt;ä&gt;</td><td style=\"background:red\">7</td><td class=name><b>x</b></td>")
        );
        assert!(page.ends_with("</tbody></table>\n"));
        assert!(table().plain_html().starts_with("<table><tr><th class=name>bot</th>"));
    }
}
