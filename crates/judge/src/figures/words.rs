//! A line of a document: words, some of which are more than plain text.

use html_escape::encode_double_quoted_attribute;

use casino_stud::shown::{lines, short_text};

/// The meaning of a word's color on a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// As it should be.
    Good,
    /// Neither good nor bad.
    Doubtful,
    /// Not as it should be.
    Bad,
}

impl Tone {
    fn colour(self) -> &'static str {
        match self {
            Tone::Good => "32",
            Tone::Doubtful => "33",
            Tone::Bad => "31",
        }
    }

    fn class(self) -> &'static str {
        match self {
            Tone::Good => "good",
            Tone::Doubtful => "doubtful",
            Tone::Bad => "bad",
        }
    }
}

#[derive(Clone, Debug)]
enum Piece {
    Plain(String),
    Strong(Markup),
    /// Text in an element of HTML.
    In(&'static str, String),
    Toned(Tone, String),
    Link {
        to: String,
        words: Markup,
    },
    Bar {
        part: f64,
        of: f64,
        said: String,
    },
}

/// The words of a line. Any text is plain words and stays text in every format.
#[derive(Clone, Debug, Default)]
pub struct Markup(Vec<Piece>);

impl<T: ToString> From<T> for Markup {
    fn from(text: T) -> Markup {
        Markup(vec![Piece::Plain(text.to_string())])
    }
}

impl Markup {
    /// Words of more importance, which are shown in bold.
    pub fn strong(words: impl Into<Markup>) -> Markup {
        Markup(vec![Piece::Strong(words.into())])
    }

    /// Words that programs read or write.
    pub fn code(text: impl ToString) -> Markup {
        Markup(vec![Piece::In("code", text.to_string())])
    }

    /// A name, which may be written in any direction.
    pub fn name(text: impl ToString) -> Markup {
        Markup(vec![Piece::In("bdi", text.to_string())])
    }

    /// Words of less importance, which a page shows in a muted color.
    pub fn aside(text: impl ToString) -> Markup {
        Markup(vec![Piece::In("span", text.to_string())])
    }

    /// Words with a colour on a terminal.
    pub fn toned(tone: Tone, text: impl ToString) -> Markup {
        Markup(vec![Piece::Toned(tone, text.to_string())])
    }

    /// Words that lead to this address on a page.
    pub fn link(to: impl ToString, words: impl Into<Markup>) -> Markup {
        Markup(vec![Piece::Link { to: to.to_string(), words: words.into() }])
    }

    /// A bar for a part of a whole, written as words in other formats.
    pub fn bar(part: f64, of: f64, said: impl ToString) -> Markup {
        Markup(vec![Piece::Bar { part, of, said: said.to_string() }])
    }

    /// These words and more.
    pub fn and(mut self, more: impl Into<Markup>) -> Markup {
        self.0.extend(more.into().0);
        self
    }

    /// Renders without any formatting, for other programs.
    pub(super) fn plain(&self) -> String {
        let piece = |piece: &Piece| match piece {
            Piece::Strong(words) | Piece::Link { words, .. } => words.plain(),
            Piece::Plain(text)
            | Piece::In(_, text)
            | Piece::Toned(_, text)
            | Piece::Bar { said: text, .. } => text.clone(),
        };
        self.0.iter().map(piece).collect()
    }

    /// As plain text, in color or not, with no terminal control characters except colors.
    pub fn text(&self, colour: bool) -> String {
        let paint = |code: &str, text: &str| match colour {
            true => format!("\x1b[{code}m{}\x1b[0m", lines(text)),
            false => lines(text).into_owned(),
        };
        let piece = |piece: &Piece| match piece {
            Piece::Plain(text) | Piece::In(_, text) => lines(text).into_owned(),
            Piece::Strong(words) => paint("1", &words.text(false)),
            Piece::Toned(tone, text) => paint(tone.colour(), text),
            Piece::Link { words, .. } => words.text(colour),
            Piece::Bar { part, of, .. } => {
                const LENGTH: usize = 30;
                let full = bar(part / of, LENGTH);
                let rest = "░".repeat(LENGTH - full.chars().count());
                paint("32", &full) + &paint("2", &rest)
            }
        };
        self.0.iter().map(piece).collect()
    }

    /// As HTML.
    pub fn html(&self) -> String {
        let piece = |piece: &Piece| match piece {
            Piece::Plain(text) => markup(text),
            Piece::Toned(tone, text) => format!("<span class=\"{}\">{}</span>", tone.class(), markup(text)),
            Piece::Strong(words) => format!("<strong>{}</strong>", words.html()),
            Piece::In(tag, text) => format!("<{tag}>{}</{tag}>", markup(text)),
            Piece::Link { to, words } => format!("<a href=\"{}\">{}</a>", markup(to), words.html()),
            Piece::Bar { part, of, said } => {
                format!("<meter min=\"0\" max=\"{of}\" value=\"{part}\">{}</meter>", markup(said))
            }
        };
        self.0.iter().map(piece).collect()
    }
}

/// The text as text between the tags of HTML or XML, or in a quoted attribute.
pub fn markup(text: &str) -> String {
    encode_double_quoted_attribute(&short_text(text)).replace('\'', "&#39;")
}

/// A bar of at most this many characters for a share between 0 and 1: at least a thin one for anything above 0.
fn bar(part: f64, columns: usize) -> String {
    let eighths = (part.clamp(0.0, 1.0) * (columns * 8) as f64).round() as usize;
    let eighths = if part > 0.0 { eighths.max(1) } else { 0 };
    let rest = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8];
    format!("{}{rest}", "█".repeat(eighths / 8))
}
