//! Files that are no program in the form in which they were handed in: texts of an office program, links, other languages.

use super::kinds::line_comment;
use super::tree::SourceTree;
use super::{Aim, Unrecognised};

/// Beginnings of files that are no sources, whatever their names, in small letters.
const CONTENTS: [(&str, &str); 7] = [
    ("{\\rtf", "a formatted text (RTF)"),
    ("<!doctype html", "a web page (HTML)"),
    ("<html", "a web page (HTML)"),
    ("%pdf", "a PDF"),
    ("pk\u{3}\u{4}", "an archive or a document of an office program"),
    ("bplist", "a web archive"),
    ("version https://git-lfs", "a pointer to a file that Git LFS keeps elsewhere"),
];

/// Endings of files that are no program for the grader, with what they are and what to hand in.
const ENDINGS: [(&[&str], &str, &str); 6] = [
    (&[".docx", ".doc", ".odt", ".pages", ".rtf", ".pdf"], "a text document", AS_PLAIN_TEXT),
    (&[".html", ".htm", ".webarchive"], "a web page", AS_PLAIN_TEXT),
    (&[".url", ".webloc", ".lnk", ".gdoc", ".desktop"], "only a link to a file", "Hand in the file itself."),
    (&[".ipynb"], "a notebook", "Export it as a script that ends in .py, and hand in that."),
    (
        &[".kt", ".kts", ".scala", ".cs", ".swift", ".rb", ".php"],
        "in a language that is not judged",
        OTHER_LANGUAGE,
    ),
    (&[".png", ".jpg", ".jpeg", ".heic"], "a picture", AS_PLAIN_TEXT),
];

const AS_PLAIN_TEXT: &str =
    "Hand in the source itself, saved as plain text by the editor in which you program.";

const OTHER_LANGUAGE: &str = "Hand in a program in Java, Python, C++, C, JavaScript, Go or Rust, or ask your teacher about this language.";

/// The sentence about the file that should be the program: one with a usual name, or the only source or the only file.
pub(super) fn why(tree: &SourceTree, aim: &Aim) -> Result<Option<String>, Unrecognised> {
    let all: Vec<_> =
        tree.folders.iter().flat_map(|folder| folder.files.iter().map(move |file| (folder, file))).collect();
    let stem = |file: &str| file.split('.').next().unwrap_or_default().to_string();
    let is_source = |file: &str| line_comment(file).is_some();
    let usual = all.iter().find(|(_, file)| aim.likelihood_of(&stem(file)).is_some());
    let sources: Vec<_> = all.iter().filter(|(_, file)| is_source(file)).collect();
    let only = match (&sources[..], &all[..]) {
        ([only], _) => Some(*only),
        ([], _) => all.iter().find(|(_, file)| by_ending(file).is_some()).or(all.first()),
        _ => None,
    };
    let Some((folder, file)) = usual.or(only) else { return Ok(None) };
    if let Some((is, remedy)) = by_ending(file) {
        return Ok(Some(format!("{file} is {is}. {remedy}")));
    }
    let text = folder.read(file)?.trim().to_lowercase();
    let of_content = CONTENTS.iter().find(|(begin, _)| text.starts_with(begin));
    let is_address = text.starts_with("http") && !text.contains(char::is_whitespace);
    Ok(match of_content {
        Some((_, is)) if is_source(file) => {
            Some(format!("{file} is {is}, whatever its name. {AS_PLAIN_TEXT}"))
        }
        _ if text.is_empty() && is_source(file) => {
            Some(format!("{file} is empty. Hand in the file with the program in it."))
        }
        _ if is_address => {
            Some(format!("{file} has only the address of a web page. Hand in the file itself."))
        }
        _ => None,
    })
}

fn by_ending(file: &str) -> Option<(&'static str, &'static str)> {
    let file = file.to_lowercase();
    let found = ENDINGS.iter().find(|(endings, ..)| endings.iter().any(|ending| file.ends_with(ending)));
    found.map(|(_, is, remedy)| (*is, *remedy))
}
