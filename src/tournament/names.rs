//! Names fit to be shown: in a terminal, on a page, to a whole room.

use unicode_security::confusable_detection::skeleton;

/// The most characters of a name that are shown.
const SHOWN: usize = 24;

/// The name without anything that could act on a terminal or a page or hide in it: letters, digits, spaces and
/// a few plain signs of any script stay, everything else is dropped. `None` if nothing is left to show.
pub fn harmless(name: &str) -> Option<String> {
    let mut shown = String::new();
    for c in name.trim().chars() {
        let gap = shown.is_empty() || shown.ends_with(' ');
        match c {
            _ if c.is_whitespace() && !gap => shown.push(' '),
            '-' | '_' | '.' | '\'' | '!' | '?' | '+' | '#' | '@' => shown.push(c),
            _ if c.is_alphanumeric() && !stacks(c) => shown.push(c),
            _ => {}
        }
        if shown.chars().count() == SHOWN {
            break;
        }
    }
    let shown = shown.trim_end();
    shown.chars().any(char::is_alphanumeric).then(|| shown.to_string())
}

/// Letters that sit on or in the one before, or have no shape of their own: dozens of them on one letter would
/// paint over the lines above, and an empty one would make two names look the same.
fn stacks(c: char) -> bool {
    matches!(c, '\u{0300}'..='\u{036F}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}' | '\u{1AB0}'..='\u{1AFF}'
        | '\u{1DC0}'..='\u{1DFF}' | '\u{20D0}'..='\u{20FF}' | '\u{2DE0}'..='\u{2DFF}' | '\u{3164}' | '\u{FE20}'..='\u{FE2F}'
       
        | '\u{FFA0}' | '\u{0483}'..='\u{0489}')
}

/// Whether this name is one of these GitHubIds, or people could take it for one.
pub fn is_one_of<'a>(name: &str, ids: impl IntoIterator<Item = &'a String>) -> bool {
    let name = folded(name);
    ids.into_iter().any(|id| folded(id) == name)
}

/// Whether this text tells one of these GitHubIds.
pub fn tells_one_of<'a>(text: &str, ids: impl IntoIterator<Item = &'a String>) -> bool {
    let text = folded(text);
    ids.into_iter().map(|id| folded(id)).any(|id| !id.is_empty() && text.contains(&id))
}

/// The fewest letters and digits of a GitHubId that tell who it is also within a longer name.
pub(super) const TELLING: usize = 6;

/// GitHubIds that are looked for in many names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SecretIds(Vec<String>);

impl SecretIds {
    /// Those of these that have a letter or a digit.
    pub fn new<'a>(ids: impl IntoIterator<Item = &'a String>) -> SecretIds {
        SecretIds(ids.into_iter().map(|id| folded(id)).filter(|id| !id.is_empty()).collect())
    }

    /// Whether this name is one of them, or has a longer one in it.
    pub fn are_told_by(&self, name: &str) -> bool {
        let name = folded(name);
        self.0.iter().any(|id| *id == name || id.len() >= TELLING && name.contains(id))
    }
}

/// How two names are compared when the question is whether people could take one for the other: signs and cases do
/// not count, and letters that look alike are the same, as Unicode's table of confusables has it (UTS 39).
pub(super) fn folded(name: &str) -> String {
    let small = |text: &str| -> String {
        text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    // What a letter looks like may be a capital, and what its small letter looks like another one.
    let once: String = skeleton(&small(name)).collect();
    let twice: String = skeleton(&small(&once)).collect();
    // A capital i is a small l in many a typeface, and the table knows it only as a capital.
    small(&twice).replace('l', "i")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn ordinary_names_stay_and_hostile_ones_lose_their_sting() {
        for name in ["Steph", "Ace of Spades!", "Jürgen", "李小龍", "Κασσάνδρα", "x_X.99"] {
            assert_eq!(harmless(name).as_deref(), Some(name));
        }
        assert_eq!(harmless("\u{1b}[31mred\u{1b}[0m").as_deref(), Some("31mred0m"));
        assert_eq!(harmless("<script>alert(1)</script>").as_deref(), Some("scriptalert1script"));
        assert_eq!(harmless("a\u{202e}b\u{200b}c").as_deref(), Some("abc"));
        assert_eq!(harmless("  two \n\t words  ").as_deref(), Some("two words"));
        assert_eq!(harmless(&"z\u{0301}".repeat(80)).as_deref(), Some("z".repeat(24).as_str()));
        for nothing in ["", " ", "\u{7}", "\u{200b}\u{2066}", "...", "\u{3164}"] {
            assert_eq!(harmless(nothing), None, "{nothing:?}");
        }
    }

    #[test]
    fn letters_that_look_alike_are_the_same() {
        for (one, other) in [
            ("Alice", "\u{410}lice"),
            ("Alice", "ALICE"),
            ("Alice", "A1ice"),
            ("Alice", "AIice"),
            ("Alice", "\u{391}\u{4cf}\u{456}\u{441}\u{435}"),
            ("Oscar", "0scar"),
            ("paypal", "\u{440}\u{430}\u{443}\u{440}\u{430}l"),
            ("modern", "rnodern"),
        ] {
            assert_eq!(folded(one), folded(other), "{one} {other}");
        }
        for (one, other) in
            [("Alice", "Alicia"), ("Steph", "Stef"), ("reader-1", "reader-2"), ("\u{674e}", "\u{674f}")]
        {
            assert_ne!(folded(one), folded(other), "{one} {other}");
        }
    }

    #[test]
    fn ids_are_found_in_whatever_dress() {
        let ids = ["StephenCurry".to_string(), "-".to_string()];
        assert!(is_one_of("stephen curry!", &ids) && !is_one_of("StephenCurry2", &ids));
        assert!(tells_one_of("I am Stephen-CURRY2", &ids) && !tells_one_of("Steph", &ids));
        let secrets = SecretIds::new(&ids);
        assert!(secrets.are_told_by("I am Stephen-CURRY2") && !secrets.are_told_by("Steph"));
    }

    proptest! {
        #[test]
        fn no_name_brings_a_sign_that_pages_or_terminals_act_on(name in "(?s).{0,80}") {
            let shown = harmless(&name).unwrap_or_default();
            prop_assert!(shown.chars().count() <= 24);
            let acts = |c: char| c.is_control() || "<>&\"`=/\\\u{202e}\u{200b}\u{2066}\u{feff}".contains(c);
            prop_assert!(!shown.contains(acts), "{}", shown);
            prop_assert_eq!(harmless(&shown).unwrap_or_default(), shown);
        }
    }
}
