//! One document of headings, sentences, tables and findings, as text, HTML, and CSV for a table. It decides
//! how things look and escapes all texts.

mod findings;
mod table;
mod words;

use std::fmt::Write as _;

pub use findings::{Detail, Finding, Outcome};
pub use table::{Cell, DataTable};
pub use words::{Markup, Tone, markup};

use casino_stud::shown::short_line;

/// The style of pages with tables and charts, on a screen and on paper.
pub const STYLE: &str = include_str!("page.css");

/// The text by which a later run recognises a page as written by this program.
pub const PAGE_MARK: &str = "<meta name=\"generator\" content=\"Casino Day\"";

/// A document of sections. Each [`Document::section`] begins one, and everything added afterwards goes into it.
#[derive(Clone, Debug, Default)]
pub struct Document {
    sections: Vec<Section>,
}

#[derive(Clone, Debug, Default)]
struct Section {
    is_header: bool,
    blocks: Vec<Block>,
}

#[derive(Clone, Debug)]
enum Block {
    Heading { level: u8, words: Markup, aside: String },
    Line { class: &'static str, depth: usize, words: Markup },
    List { class: &'static str, items: Vec<Vec<Markup>> },
    Table(DataTable),
    Picture { svg: String, legend: Vec<(String, Markup)> },
    Findings(Vec<Finding>),
    Quote(String),
}

impl Document {
    /// Begins a section, set apart from the one before.
    pub fn section(&mut self) {
        self.sections.push(Section::default());
    }

    /// Begins the header of the page.
    pub fn header(&mut self) {
        self.sections.push(Section { is_header: true, ..Section::default() });
    }

    fn add(&mut self, block: Block) {
        if self.sections.is_empty() {
            self.section();
        }
        self.sections.last_mut().expect("there is a section").blocks.push(block);
    }

    /// Adds a heading, of level 1 for the whole document.
    pub fn heading(&mut self, level: u8, words: impl Into<Markup>) {
        self.heading_of(level, words, "");
    }

    /// Adds a heading with something beside it that text leaves out.
    pub fn heading_of(&mut self, level: u8, words: impl Into<Markup>, aside: impl Into<String>) {
        self.add(Block::Heading { level, words: words.into(), aside: aside.into() });
    }

    /// Adds a sentence or more, as a line or a paragraph.
    pub fn say(&mut self, words: impl Into<Markup>) {
        self.classed("", words);
    }

    /// Adds a paragraph of this class of the page's style.
    pub fn classed(&mut self, class: &'static str, words: impl Into<Markup>) {
        self.add(Block::Line { class, depth: 0, words: words.into() });
    }

    /// Adds a line that is indented by this many characters as text.
    pub fn indented(&mut self, depth: usize, words: impl Into<Markup>) {
        self.add(Block::Line { class: "", depth, words: words.into() });
    }

    /// Adds a list of items, each of one or more lines; numbered with a class, left out without an item.
    pub fn list(&mut self, class: &'static str, items: Vec<Vec<Markup>>) {
        if !items.is_empty() {
            self.add(Block::List { class, items });
        }
    }

    /// Adds a table; its columns that are empty in every row are left out.
    pub fn table(&mut self, table: DataTable) {
        self.add(Block::Table(table.without_empty_columns()));
    }

    /// Adds an SVG picture with the colors and labels of its curves; text leaves it out.
    pub fn picture(&mut self, svg: String, legend: Vec<(String, Markup)>) {
        self.add(Block::Picture { svg, legend });
    }

    /// Adds findings, in this order.
    pub fn findings(&mut self, findings: Vec<Finding>) {
        self.add(Block::Findings(findings));
    }

    /// Adds lines that a program printed.
    pub fn quote(&mut self, text: impl Into<String>) {
        self.add(Block::Quote(text.into()));
    }

    /// As text for a terminal, in colour or not.
    pub fn text(&self, colour: bool) -> String {
        let mut text = String::new();
        for (at, section) in self.sections.iter().enumerate() {
            if at > 0 {
                text.push('\n');
            }
            for block in &section.blocks {
                block.text(&mut text, colour);
            }
        }
        text
    }

    /// Renders the body of an HTML page.
    pub fn html(&self) -> String {
        let of_kind = |is_header: bool, tag: &str| {
            let mut html = String::new();
            for section in self.sections.iter().filter(|section| section.is_header == is_header) {
                let _ = writeln!(html, "<{tag}>");
                section.blocks.iter().for_each(|block| block.html(&mut html));
                let _ = writeln!(html, "</{tag}>");
            }
            html
        };
        format!("{}<main>\n{}</main>\n", of_kind(true, "header"), of_kind(false, "section"))
    }

    /// As a self-contained HTML page with this title and style: no script, and no external resources.
    pub fn page(&self, title: &str, style: &str) -> String {
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n{PAGE_MARK} />\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
             <title>{}</title>\n<style>{style}</style>\n</head>\n<body>\n{}</body>\n</html>\n",
            markup(title),
            self.html()
        )
    }
}

impl Block {
    fn text(&self, text: &mut String, colour: bool) {
        let _ = match self {
            Block::Heading { words, .. } => {
                writeln!(text, "{}", Markup::strong(words.text(false)).text(colour))
            }
            Block::Line { depth, words, .. } => writeln!(text, "{:depth$}{}", "", words.text(colour)),
            Block::List { items, .. } => {
                items.iter().flat_map(|lines| lines.iter().enumerate()).try_for_each(|(at, line)| {
                    let depth = if at == 0 { 2 } else { 4 };
                    writeln!(text, "{:depth$}{}", "", line.text(colour))
                })
            }
            Block::Table(table) => write!(text, "{}", table.text(colour)),
            Block::Picture { .. } => Ok(()),
            Block::Findings(found) => found.iter().try_for_each(|finding| finding.text(text, colour)),
            Block::Quote(quote) => {
                quote.lines().try_for_each(|line| writeln!(text, "  {}", short_line(line)))
            }
        };
    }

    fn html(&self, html: &mut String) {
        let classed = |class: &str| match class {
            "" => String::new(),
            class => format!(" class=\"{class}\""),
        };
        let _ = match self {
            Block::Heading { level, words, aside } => match aside.as_str() {
                "" => writeln!(html, "<h{level}>{}</h{level}>", words.html()),
                aside => {
                    writeln!(html, "<h{level}>{} <small>{}</small></h{level}>", words.html(), markup(aside))
                }
            },
            Block::Line { class, words, .. } => writeln!(html, "<p{}>{}</p>", classed(class), words.html()),
            Block::List { class, items } => {
                let tag = if class.is_empty() { "ul" } else { "ol" };
                let item =
                    |lines: &Vec<Markup>| lines.iter().map(Markup::html).collect::<Vec<_>>().join("<br>");
                let items: String = items.iter().map(|lines| format!("<li>{}</li>\n", item(lines))).collect();
                writeln!(html, "<{tag}{}>\n{items}</{tag}>", classed(class))
            }
            Block::Table(table) => write!(html, "{}", table.html()),
            Block::Picture { svg, legend } => {
                let entry = |(colour, words): &(String, Markup)| {
                    format!("<li><i style=\"background:{}\"></i>{}</li>\n", markup(colour), words.html())
                };
                let legend: String = legend.iter().map(entry).collect();
                let legend = match legend.as_str() {
                    "" => String::new(),
                    legend => format!("<figcaption><ul class=\"legend\">\n{legend}</ul></figcaption>\n"),
                };
                writeln!(html, "<figure>{svg}{legend}</figure>")
            }
            Block::Findings(found) => write!(html, "{}", findings::html(found)),
            Block::Quote(quote) => writeln!(html, "<pre>{}</pre>", markup(quote)),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Foreign text that tries to inject markup and control characters into a document.
    const HOSTILE_TEXT: &str =
        "</pre><script>alert(1)</script> ]]> <!-- \u{1b}[2J\u{0}\u{202e}\u{fffe} & \"x\" '`` **b** |";

    #[test]
    fn foreign_text_is_always_escaped() {
        let mut document = Document::default();
        document.heading(1, HOSTILE_TEXT);
        document.say(Markup::strong(HOSTILE_TEXT).and(Markup::link(HOSTILE_TEXT, HOSTILE_TEXT)));
        document.list("", vec![vec![HOSTILE_TEXT.into()]]);
        document.quote(HOSTILE_TEXT);
        let details = vec![
            Detail::Said(HOSTILE_TEXT.into()),
            Detail::Labelled("got", HOSTILE_TEXT.to_string()),
            Detail::Quoted("printed", "! ", HOSTILE_TEXT.to_string()),
            Detail::Where(HOSTILE_TEXT.to_string()),
        ];
        let finding = |outcome| Finding {
            lead: "  ".to_string(),
            outcome,
            title: HOSTILE_TEXT.to_string(),
            points: Some(("1".to_string(), "2".to_string())),
            details: details.clone(),
            also: vec![HOSTILE_TEXT.to_string()],
        };
        document.findings([Outcome::Passed, Outcome::Failed].map(finding).into());
        let mut table = DataTable::default().words([HOSTILE_TEXT]);
        table.row([Cell::from(HOSTILE_TEXT)]);
        document.table(table);
        let page = document.page(HOSTILE_TEXT, "");
        for never in
            ["<script", "src=", "url(", "@import", "<!--", "onload", "\u{1b}", "\u{202e}", "\u{0}", " \"x\""]
        {
            assert!(!page.contains(never), "{never}: {page}");
        }
        // Every tag that is opened is one of ours, and is closed.
        for tag in ["section", "details", "ul", "li", "pre", "p", "div", "h3", "table", "main"] {
            let begins =
                page.matches(&format!("<{tag}>")).count() + page.matches(&format!("<{tag} ")).count();
            assert_eq!(begins, page.matches(&format!("</{tag}>")).count(), "{tag}");
        }
        let text = document.text(false);
        assert!(!text.contains(['\u{1b}', '\u{202e}', '\u{0}']), "{text}");
    }
}
