//! Names of output files, which are made by this program, not taken from a name that it finds.

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};

use crate::roster::folded;
use casino_stud::hex::hex;

/// The name of a submission's output files without their ending: one component of a path, different from all others of its plan
/// also where capitals do not count.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct OutputName(String);

/// Maximum length of a name that is used as it is.
const MAX_PLAIN_CHARS: usize = 120;

const MAX_BEGIN_CHARS: usize = 40;

impl OutputName {
    /// The names for these texts, which differ. A text that is no plain name, or differs from another one only in capitals, is
    /// followed by a digest.
    pub(super) fn all(texts: &[String]) -> Vec<OutputName> {
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        texts.iter().for_each(|text| *counts.entry(folded(text)).or_default() += 1);
        let is_alone = |text: &String| counts[&folded(text)] == 1;
        texts
            .iter()
            .map(|text| if is_alone(text) { OutputName::new(text) } else { OutputName::digested(text) })
            .collect()
    }

    /// The name for a text.
    pub fn new(text: &str) -> OutputName {
        let is_plain = text.len() <= MAX_PLAIN_CHARS
            && text.starts_with(|c: char| c.is_ascii_alphanumeric())
            && text.chars().all(is_plain);
        if is_plain { OutputName(text.to_string()) } else { OutputName::digested(text) }
    }

    /// The name for a text that no plain name equals.
    pub(super) fn digested(text: &str) -> OutputName {
        let begin: String = text.chars().filter(|c| is_plain(*c)).take(MAX_BEGIN_CHARS).collect();
        let digest = hex(Sha256::digest(text.as_bytes()));
        OutputName(format!("{}~{}", begin.trim_start_matches('.'), &digest[..12]))
    }

    pub(super) fn text(&self) -> &str {
        &self.0
    }

    /// The name of the file with this ending.
    pub fn file(&self, ending: &str) -> String {
        format!("{}.{ending}", self.0)
    }
}

/// Letters, digits and signs that are harmless in file names and shells.
fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || "-_.@+".contains(c)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::{Component, Path};

    use super::*;

    #[test]
    fn every_text_has_a_file_name_of_its_own() {
        let texts =
            ["ada-l", "Ada-L", "..", ".", "", "a b", "ab", "../x\n", "gradebook.csv", "J\u{f6}rg", "-rf"];
        let names = OutputName::all(&texts.map(String::from));
        let files: Vec<String> = names.iter().map(|name| name.file("json")).collect();
        let folded: BTreeSet<String> = files.iter().map(|name| name.to_lowercase()).collect();
        assert_eq!(folded.len(), texts.len(), "{files:?}");
        assert!(files[0].starts_with("ada-l~") && files[1].starts_with("Ada-L~"), "{files:?}");
        assert_eq!(files[8], "gradebook.csv.json");
        assert!(OutputName::new(&"x".repeat(250)).file("json").len() < 100);
        assert_eq!(OutputName::all(&["bob".to_string()])[0].file("html"), "bob.html");
    }

    /// Whatever the name, nothing outside of a folder is named.
    #[test]
    fn a_million_names_are_one_component_each() {
        let pieces =
            ["..", "/", "\\", ".", "a", "B", " ", "\u{0}", "C:", "~", "\u{202e}", "-", "con", "\n", "\u{e9}"];
        let mut dice = 7u64;
        let mut next = |most: usize| {
            dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (dice >> 33) as usize % most
        };
        for _ in 0..1_000_000 {
            let text: String = (0..next(6)).map(|_| pieces[next(pieces.len())]).collect();
            let file = OutputName::new(&text).file("json");
            let mut parts = Path::new(&file).components();
            let first = parts.next();
            assert!(matches!(first, Some(Component::Normal(part)) if part == file.as_str()), "{text:?}");
            assert!(
                parts.next().is_none() && !file.contains(['/', '\\', ':']) && !file.starts_with('.'),
                "{text:?}"
            );
        }
    }
}
