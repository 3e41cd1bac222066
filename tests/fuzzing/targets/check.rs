//! Invariants of every sentence for people.

/// The most characters of an error about any input.
pub const LONGEST_SENTENCE: usize = 1_000;

/// A sentence that goes to terminals, pages and logs: short, and without a character that acts, hides or turns.
#[track_caller]
pub fn sentence(text: &str) {
    let length = text.chars().count();
    assert!(length > 0, "a sentence says something");
    let begin: String = text.chars().take(200).collect();
    assert!(length <= LONGEST_SENTENCE, "a sentence of {length} characters: {begin}…");
    harmless(text);
}

/// Checks that no character of this text acts on a terminal, hides, or changes the text direction.
#[track_caller]
pub fn harmless(text: &str) {
    let acts = |c: char| {
        c.is_control()
            || matches!(c, '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200c}' | '\u{200e}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
    };
    if let Some(found) = text.chars().find(|c| acts(*c)) {
        panic!("{found:?} in a sentence: {text:?}");
    }
}
