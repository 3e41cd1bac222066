//! Names fit to be shown: in a terminal, on a page, to a whole room.

use std::collections::{BTreeMap, HashSet};

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::canonical_combining_class;
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};
use unicode_script::UnicodeScript;
use unicode_security::confusable_detection::skeleton;

const MAX_SHOWN_NAME_CHARS: usize = 40;

/// Maximum length of a login name shown to the teacher, in characters.
const MAX_LOGIN_NAME_CHARS: usize = 60;

const JOINER: char = '\u{200D}';

/// Has the sign before it drawn in colour.
const EMOJI_SELECTOR: char = '\u{FE0F}';

/// How many nonspacing marks in a row may sit on a letter of their own script, as in Thai, Hindi or Hebrew.
const MAX_MARKS: usize = 4;

/// How many of those in a row may be of another script than their letter, as two accents on a Latin letter are.
const MAX_FOREIGN_MARKS: usize = 2;

/// The name without characters that could affect a terminal, hide, or overlap their neighbors: letters with their marks,
/// digits, signs and emoji stay, in composed form, and all others are dropped. HTML pages escape it like any other text. `None`
/// if nothing is left.
pub fn harmless(name: &str) -> Option<String> {
    harmless_line(name, MAX_SHOWN_NAME_CHARS)
}

/// The same for a line of limited length, in characters; the rest is cut off.
pub fn harmless_line(name: &str, most: usize) -> Option<String> {
    let mut filter = NameFilter::default();
    let spaced = name.split_whitespace().flat_map(|word| word.nfc().chain([' ']));
    let mut shown: String = spaced.filter(|c| filter.passes(*c)).nfc().take(most).collect();
    shown.truncate(shown.trim_end_matches([' ', JOINER]).len());
    let has_name = shown.chars().any(|c| c.is_alphanumeric() || is_emoji(c));
    has_name.then_some(shown)
}

/// Decides letter by letter what of a name may be shown.
#[derive(Default)]
struct NameFilter {
    /// The last character that passed.
    before: Option<char>,
    /// The letter on which marks sit.
    letter: Option<char>,
    marks: usize,
    foreign_marks: usize,
}

impl NameFilter {
    fn passes(&mut self, c: char) -> bool {
        let passes = match c {
            ' ' => self.before.is_some_and(|before| before != ' '),
            EMOJI_SELECTOR => self.before.is_some_and(is_emoji),
            // In some scripts a joiner behind a virama makes another letter.
            JOINER => {
                self.before.is_some_and(|before| is_emoji(before) || canonical_combining_class(before) == 9)
            }
            _ if is_invisible(c) => false,
            _ => match c.general_category() {
                GeneralCategory::NonspacingMark => self.letter.is_some_and(|letter| {
                    let is_foreign = c.script() != letter.script();
                    self.marks < MAX_MARKS && !(is_foreign && self.foreign_marks == MAX_FOREIGN_MARKS)
                }),
                GeneralCategory::SpacingMark => self.letter.is_some(),
                GeneralCategory::EnclosingMark => false,
                _ => is_sign(c) || is_emoji(c) || c.is_alphanumeric(),
            },
        };
        if passes {
            self.before = Some(c);
            match (c.general_category(), self.letter) {
                (GeneralCategory::NonspacingMark, Some(letter)) => {
                    self.marks += 1;
                    self.foreign_marks += usize::from(c.script() != letter.script());
                }
                (category, _) => {
                    if category != GeneralCategory::SpacingMark {
                        self.letter = Some(c).filter(|c| c.is_alphanumeric());
                    }
                    (self.marks, self.foreign_marks) = (0, 0);
                }
            }
        }
        passes
    }
}

/// A name as it was sent, for the teacher's decision about its sender: characters that [`harmless`] keeps stay, and all
/// others are escaped, as in `"a\u{202e}b"`. Only then, or if it is cut after 60 characters or has spaces at its ends,
/// it is in quotation marks.
pub fn as_typed(name: &str) -> String {
    let (mut written, mut filter) = (String::new(), NameFilter::default());
    let (mut letters, mut is_plain) = (name.chars(), name.trim() == name && !name.is_empty());
    for c in letters.by_ref().take(MAX_LOGIN_NAME_CHARS) {
        if filter.passes(c) || c == ' ' {
            written.push(c);
        } else {
            written.extend(c.escape_unicode());
            is_plain = false;
        }
    }
    let is_cut = letters.next().is_some();
    match is_plain && !is_cut {
        true => written,
        false => format!("\"{written}{}\"", if is_cut { "…" } else { "" }),
    }
}

/// Whether a program that is started may have this name: up to 40 letters, digits, `-` and `_`. Files are named after it.
pub fn is_program_name(name: &str) -> bool {
    let plain = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
    !name.is_empty() && name.chars().all(plain) && harmless(name).as_deref() == Some(name)
}

/// Visible signs that neither move nor cover their neighbors.
fn is_sign(c: char) -> bool {
    c.is_ascii_punctuation()
        || matches!(c, '\u{A1}'..='\u{AC}' | '\u{AE}'..='\u{BF}' | '×' | '÷' | '\u{2010}'..='\u{2027}'
            | '\u{2030}'..='\u{205E}' | '\u{20A0}'..='\u{20C0}' | '\u{2100}'..='\u{23FF}' | '\u{2500}'..='\u{27BF}'
            | '\u{2900}'..='\u{2BFF}' | '\u{3001}'..='\u{3020}')
}

/// Pictures among the letters: card suits and other symbols, playing cards, faces, flags, and their shades of skin.
fn is_emoji(c: char) -> bool {
    matches!(c, '\u{2600}'..='\u{27BF}' | '\u{1F000}'..='\u{1FAFF}')
}

/// Characters without a shape of their own: with one of them two names could look the same.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{34F}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}' | '\u{180B}'..='\u{180F}' | '\u{3164}'
        | '\u{FE00}'..='\u{FE0F}' | '\u{FFA0}' | '\u{E0100}'..='\u{E01EF}')
}

/// Whether this text tells one of these GitHubIds.
pub fn reveals_one_of<'a>(text: &str, ids: impl IntoIterator<Item = &'a String>) -> bool {
    let text = folded(text);
    ids.into_iter().map(|id| folded(id)).any(|id| !id.is_empty() && text.contains(&id))
}

/// Minimum letters and digits of a GitHubId that identify it within a longer name.
const MIN_IDENTIFYING_CHARS: usize = 6;

/// GitHubIds that are looked for in many names, by their length in bytes: a name is cut up, and its pieces are looked up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SecretIds(BTreeMap<usize, HashSet<String>>);

impl SecretIds {
    /// Collects the GitHubIds that have a letter or a digit.
    pub fn new<'a>(ids: impl IntoIterator<Item = &'a String>) -> SecretIds {
        let mut secrets = SecretIds::default();
        ids.into_iter().for_each(|id| secrets.add(id));
        secrets
    }

    /// One more, if it has a letter or a digit.
    pub fn add(&mut self, id: &str) {
        let id = folded(id);
        if !id.is_empty() {
            self.0.entry(id.len()).or_default().insert(id);
        }
    }

    /// Whether this name is one of them, or people could take it for one.
    pub fn have(&self, name: &str) -> bool {
        self.has_folded(&folded(name))
    }

    fn has_folded(&self, piece: &str) -> bool {
        self.0.get(&piece.len()).is_some_and(|ids| ids.contains(piece))
    }

    /// Whether this name is one of them, or has a longer one in it.
    pub fn are_revealed_by(&self, name: &str) -> bool {
        let name = folded(name);
        let lengths = self.0.range(MIN_IDENTIFYING_CHARS..).map(|(length, _)| *length);
        let mut pieces = lengths.take_while(|length| *length <= name.len()).flat_map(|length| {
            let name = &name;
            (0..=name.len() - length).filter_map(move |start| name.get(start..start + length))
        });
        self.has_folded(&name) || pieces.any(|piece| self.has_folded(piece))
    }
}

/// How two names are compared when the question is whether people could take one for the other: signs and cases do
/// not count, and letters that look alike are the same, as Unicode's table of confusables has it (UTS 39).
///
/// A name without letters and digits is compared as it is.
pub(super) fn folded(name: &str) -> String {
    if !name.chars().any(char::is_alphanumeric) {
        return name.to_string();
    }
    let small = |text: &str| -> String {
        text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    // Look-alikes are not closed under lower case: a capital may be a look-alike, with a small letter that resembles
    // another one.
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
        for name in [
            "Steph",
            "Ace of Spades!",
            "Jürgen",
            "李小龍",
            "Κασσάνδρα",
            "x_X.99",
            "E[chips] > 0",
            "<b>bold</b> & \"quoted\"",
            "🃏 Joker",
            "👩\u{200D}💻",
            "♠\u{FE0F} Ace",
            "الآس البستوني",
            "Rockstar Programmer of the Year",
        ] {
            assert_eq!(harmless(name).as_deref(), Some(name));
        }
        assert_eq!(harmless("\u{1b}[31mred\u{1b}[0m").as_deref(), Some("[31mred[0m"));
        assert_eq!(harmless("<script>alert(1)</script>").as_deref(), Some("<script>alert(1)</script>"));
        assert_eq!(harmless("a\u{200D}b\u{FE0F}c").as_deref(), Some("abc"), "joiners join emoji only");
        assert_eq!(harmless("a\u{202e}b\u{200b}c").as_deref(), Some("abc"));
        assert_eq!(harmless("  two \n\t words  ").as_deref(), Some("two words"));
        assert_eq!(harmless(&"z\u{0301}".repeat(80)).as_deref(), Some("\u{17a}".repeat(40).as_str()));
        for nothing in ["", " ", "\u{7}", "\u{200b}\u{2066}", "...", "\u{3164}", "\u{200D}\u{FE0F}"] {
            assert_eq!(harmless(nothing), None, "{nothing:?}");
        }
    }

    #[test]
    fn letters_keep_their_marks_and_no_mark_climbs_over_a_line() {
        for name in
            ["प्रिया", "கார்த்திக்", "น้ำฝน", "ශ්\u{200D}රී", "Zoë Nguyễn", "שָׁלוֹם", "مُحَمَّد", "\u{254}\u{302}\u{301}"]
        {
            assert_eq!(harmless(name), Some(name.nfc().collect()), "{name}");
            assert_eq!(harmless(&name.nfd().collect::<String>()), Some(name.nfc().collect()), "{name}");
            assert_eq!(as_typed(name), name);
        }
        for (mark, most) in
            [('\u{e47}', 4), ('\u{316}', 2), ('\u{20dd}', 0), ('\u{fe00}', 0), ('\u{20d0}', 2)]
        {
            let letter = if mark == '\u{e47}' { 'ก' } else { 'q' };
            let stacked: String = std::iter::once(letter).chain(std::iter::repeat_n(mark, 30)).collect();
            assert_eq!(harmless(&stacked).unwrap().chars().count(), 1 + most, "{mark:?}");
        }
        assert_eq!(harmless("\u{301}\u{e47} a").as_deref(), Some("a"), "a mark without a letter");
    }

    #[test]
    fn login_names_keep_harmless_letters_and_escape_the_rest() {
        for name in ["Zoë", "李小龍 & Sons", "👩\u{200D}💻", "الآس", "bet1"] {
            assert_eq!(as_typed(name), name);
        }
        assert_eq!(as_typed("Zoë\u{1b}[31m"), "\"Zoë\\u{1b}[31m\"");
        assert_eq!(
            as_typed("a\u{202e}b\u{200D}c\u{301}\u{3164}\t"),
            "\"a\\u{202e}b\\u{200d}c\u{301}\\u{3164}\\u{9}\""
        );
        assert_eq!((as_typed(""), as_typed(" a")), ("\"\"".to_string(), "\" a\"".to_string()));
        assert_eq!(as_typed(&"é".repeat(61)), format!("\"{}…\"", "é".repeat(60)));
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
    fn names_of_emoji_alone_differ_as_they_do() {
        assert_ne!(folded("🃏"), folded("🎲"));
        assert_eq!(folded("🃏 Ada"), folded("🎲 ada"));
    }

    #[test]
    fn ids_are_found_in_any_disguise() {
        let ids = ["StephenCurry".to_string(), "-".to_string()];
        assert!(reveals_one_of("I am Stephen-CURRY2", &ids) && !reveals_one_of("Steph", &ids));
        let secrets = SecretIds::new(&ids);
        assert!(secrets.have("stephen curry!") && !secrets.have("StephenCurry2") && secrets.have("-"));
        assert!(secrets.are_revealed_by("I am Stephen-CURRY2") && !secrets.are_revealed_by("Steph"));
    }

    #[test]
    fn short_ids_match_whole_names_and_long_ids_match_anywhere() {
        let secrets = SecretIds::new(&["al".to_string(), "sechs6".to_string(), "käthe-ö".to_string()]);
        for revealing in ["Al", "sechs6", "xsechs6", "sechs6x", "xxsechs6xx", "Käthe Ö", "1käthe ö2"] {
            assert!(secrets.are_revealed_by(revealing), "{revealing}");
        }
        for harmless in ["", "a", "Alan", "sechs", "echs6", "käthe", "sechs 7 6", "ö"] {
            assert!(!secrets.are_revealed_by(harmless), "{harmless}");
        }
        assert!(!SecretIds::default().are_revealed_by("al"));
    }

    proptest! {
        #[test]
        fn no_name_brings_a_sign_that_terminals_act_on_or_that_hides(name in "(?s).{0,80}") {
            let shown = harmless(&name).unwrap_or_default();
            prop_assert!(shown.chars().count() <= 40);
            let acts = |c: char| c.is_control() || "\u{ad}\u{202e}\u{200b}\u{2066}\u{2028}\u{feff}".contains(c);
            prop_assert!(!shown.contains(acts), "{}", shown);
            prop_assert_eq!(harmless(&shown).unwrap_or_default(), shown);
            prop_assert!(!as_typed(&name).contains(acts));
        }
    }
}
