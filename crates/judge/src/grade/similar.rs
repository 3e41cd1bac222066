//! Submissions whose programs differ at most in names, comments and spaces.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};

use regex_lite::Regex;
use sha2::{Digest, Sha256};

use crate::hand_ins::HandIn;

use super::submission::{find_files, line_comment};

/// The groups of submissions with similar programs, by their labels, in order.
pub fn similar(submissions: &[(HandIn, PathBuf)]) -> Vec<Vec<String>> {
    let mut groups: BTreeMap<Vec<[u8; 32]>, Vec<String>> = BTreeMap::new();
    for (hand_in, path) in submissions {
        let programs = programs(path);
        if !programs.is_empty() {
            groups.entry(programs).or_default().push(hand_in.label.clone());
        }
    }
    let mut similar: Vec<Vec<String>> = groups.into_values().filter(|names| names.len() > 1).collect();
    similar.sort();
    similar
}

/// The sources of all starter kits.
#[derive(Debug, Default)]
pub struct StarterKits(BTreeSet<[u8; 32]>);

impl StarterKits {
    /// The kits with these files: names and texts.
    pub fn of<'a>(files: impl Iterator<Item = &'a (&'a str, &'a str)>) -> StarterKits {
        StarterKits(files.filter_map(|(name, text)| digest(name, text)).collect())
    }

    /// Whether a submission has sources, all of which are a kit's, but for names, comments and spaces.
    pub fn include(&self, submission: &Path) -> bool {
        let programs = programs(submission);
        !programs.is_empty() && programs.iter().all(|program| self.0.contains(program))
    }
}

/// The digest of the tokens of a source; `None` if it is none.
fn digest(name: &str, text: &str) -> Option<[u8; 32]> {
    Some(Sha256::digest(tokens(text, line_comment(name)?).join("\n")).into())
}

/// The digests of the sources of a submission, in order; none if it cannot be read.
fn programs(submission: &Path) -> Vec<[u8; 32]> {
    let is_source = |name: &str| line_comment(name).is_some();
    let Ok(found) = find_files(submission, None, &is_source) else { return Vec::new() };
    let digest = |file: &PathBuf| {
        let text = fs::read(found.folder.join(file)).ok()?;
        digest(file.to_str()?, &String::from_utf8_lossy(&text))
    };
    let mut programs: Vec<[u8; 32]> = found.files.iter().filter_map(digest).collect();
    programs.sort_unstable();
    programs
}

/// The tokens of a program without its comments. A name is the number of different names before it.
fn tokens(text: &str, comment: &str) -> Vec<String> {
    let token = format!(
        r#"(?s)(?P<comment>{comment}[^\n]*|/\*.*?\*/|"""(?:.*?)""")|(?P<name>[A-Za-z_$][\w$]*)|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|\d[\w.]*|\S"#
    );
    let token = Regex::new(&token).expect("an expression of this program");
    let mut names = HashMap::new();
    let found = token.captures_iter(text).filter(|found| found.name("comment").is_none());
    let tokens = found.map(|found| match found.name("name") {
        Some(name) => {
            let number = names.len();
            format!("name {}", names.entry(name.as_str()).or_insert(number))
        }
        None => found[0].to_string(),
    });
    tokens.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_comments_and_spaces_make_no_difference() {
        let java = "int call = Integer.parseInt(s); // pays\nreturn \"bet:\" + call;";
        let prolog = "worth(Hand, Sum) :- fifteens(Hand, F), Sum is 2*F. % twos\n";
        let python = "\"\"\"A bot.\"\"\"\ndef f(x):\n    return 'fold' if x > 3 else 'bet:0' # cheap\n";
        for (comment, one, other, is_similar) in [
            ("//", java, "int pay=Integer.parseInt( t );return \"bet:\"+pay;/* my own */", true),
            ("//", java, "int call = Integer.parseInt(s); return \"bet:\" + s;", false),
            ("//", java, "int call = Integer.parseInt(s); return \"bets:\" + call;", false),
            ("%", prolog, "value(H, S) :-\n  fifteens(H, N),\n  S is 2*N.", true),
            ("%", prolog, "value(H, S) :- fifteens(H, N), S is 3*N.", false),
            ("#", python, "def play(bet):\n  # hm\n  return 'fold' if bet > 3 else 'bet:0'", true),
            ("#", python, "def play(bet):\n  return 'fold' if bet > 4 else 'bet:0'", false),
            ("//", "String at = \"http://a\";", "String at = \"http://b\";", false),
        ] {
            assert_eq!(tokens(one, comment) == tokens(other, comment), is_similar, "{one} {other}");
        }
    }
}
