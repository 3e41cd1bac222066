//! Files that are no program in the form in which they were handed in: texts of an office program, links, other languages.

use super::kinds::line_comment;
use super::tree::SourceTree;
use super::{Aim, Unrecognised};

/// Rows for the beginnings of files, in small letters, and for the ends of names: what such a file is, and the name of the remedy;
/// then the remedies.
const TABLE: &str = include_str!("unusable.txt");

/// The description and the remedy of the first row of a kind whose signs fit.
fn row(kind: &str, fits: impl Fn(&str) -> bool) -> Option<(&'static str, &'static str)> {
    let fields = |line: &'static str| line.split(" | ").collect::<Vec<_>>();
    let found = TABLE.lines().map(fields).find(|row| row[0] == kind && fits(row[1]))?;
    let remedy = TABLE.lines().map(fields).find(|row| row[0] == found[3])?;
    Some((found[2], remedy[1]))
}

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
    let of_content = row("begin", |begin| text.starts_with(begin));
    let is_address = text.starts_with("http") && !text.contains(char::is_whitespace);
    Ok(match of_content {
        Some((is, remedy)) if is_source(file) => Some(format!("{file} is {is}, whatever its name. {remedy}")),
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
    row("end", |ends| ends.split(' ').any(|end| file.ends_with(end)))
}
