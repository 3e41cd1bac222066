//! A private item with a telling name has no comment that repeats the name.

use std::collections::BTreeSet;

use crate::code::{Token, after_bracket, tokens, without_tests};
use crate::rust_files;

/// Words that add nothing to a name.
const STOP_WORDS: &str = "a an and are as at be been by each every for from had has have how in is it its many of on one or so \
                          than that the their them there these they this those to was were what which who whose with";

/// Derives whose comments are the program's help.
const HELP: [&str; 4] = ["Args", "Parser", "Subcommand", "ValueEnum"];

/// The context of an item: the words before its brace.
struct Around {
    words: BTreeSet<String>,
    is_list: bool,
    is_public: bool,
    is_help: bool,
}

/// A word without its plural or the ending of its verb.
fn stem(word: &str) -> String {
    let word = word.to_lowercase();
    let endings = ["ies", "ing", "ed", "es", "s", "e"];
    let stem = endings.iter().find_map(|ending| word.strip_suffix(ending).filter(|stem| stem.len() > 2));
    let stem = stem.unwrap_or(&word);
    let mut letters: Vec<char> = stem.chars().collect();
    if letters.len() > 3 && letters[letters.len() - 1] == letters[letters.len() - 2] {
        letters.pop();
    }
    if letters.last() == Some(&'y') {
        letters.pop();
    }
    letters.into_iter().collect()
}

/// The words that a name is made of: `FoldsToBet` and `folds_to_bet` have three.
fn parts(name: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut was_small = false;
    for c in name.chars() {
        if !c.is_alphanumeric() || (c.is_uppercase() && was_small) {
            parts.push(String::new());
        }
        if c.is_alphanumeric() {
            parts.last_mut().unwrap().push(c);
        }
        was_small = c.is_lowercase() || c.is_numeric();
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// The first place from here on that is not within an attribute.
fn after_attributes(tokens: &[Token], mut at: usize) -> usize {
    while at < tokens.len() && (tokens[at].is("#") || matches!(tokens[at], Token::Doc(_))) {
        at = if tokens[at].is("#") { after_bracket(tokens, at + 1) } else { at + 1 };
    }
    at
}

fn stems(tokens: &[Token]) -> BTreeSet<String> {
    tokens.iter().filter_map(Token::word).flat_map(parts).map(|part| stem(&part)).collect()
}

fn is_public(tokens: &[Token]) -> bool {
    tokens.first().is_some_and(|token| token.is("pub")) && !tokens.get(1).is_some_and(|token| token.is("("))
}

impl Around {
    /// The context inside the brace after these words.
    fn new(header: &[Token], outer: Option<&Around>) -> Around {
        let start = after_attributes(header, 0);
        let own = &header[start..];
        let has = |word: &str| own.iter().any(|token| token.is(word));
        let is_member = outer.is_some_and(|outer| outer.is_list) && own.len() == 1;
        let is_list = is_member || (has("enum") || has("struct") || has("union")) && !has("fn");
        Around {
            words: stems(own),
            is_list,
            is_public: (has("enum") || has("trait")) && is_public(own)
                || is_member && outer.is_some_and(|outer| outer.is_public),
            is_help: HELP.iter().any(|word| header[..start].iter().any(|token| token.is(word)))
                || is_member && outer.is_some_and(|outer| outer.is_help),
        }
    }
}

/// The one-line comments of private items that only repeat name, type and context.
fn repeated(tokens: &[Token]) -> Vec<&str> {
    const STOPS: [&str; 4] = [";", "{", "}", "="];
    let stop_words: BTreeSet<&str> = STOP_WORDS.split_whitespace().collect();
    let mut around: Vec<Around> = Vec::new();
    let mut found = Vec::new();
    let mut start = 0;
    let mut at = 0;
    while at < tokens.len() {
        let is_list = around.last().is_some_and(|around| around.is_list);
        let ends =
            |at: &usize| STOPS.iter().any(|stop| tokens[*at].is(stop)) || (is_list && tokens[*at].is(","));
        match &tokens[at] {
            Token::Doc(text) => {
                let is_alone = |other: Option<&Token>| !matches!(other, Some(Token::Doc(_)));
                let is_one_line =
                    is_alone(at.checked_sub(1).map(|before| &tokens[before])) && is_alone(tokens.get(at + 1));
                let item = after_attributes(tokens, at);
                let end = (item..tokens.len()).find(ends).unwrap_or(tokens.len());
                let outer = around.last();
                let is_help = outer.is_some_and(|outer| outer.is_help)
                    || HELP.iter().any(|word| tokens[at..item].iter().any(|token| token.is(word)));
                let is_public = is_public(&tokens[item..end]) || outer.is_some_and(|outer| outer.is_public);
                if is_one_line && !is_help && !is_public {
                    let mut known = stems(&tokens[item..end]);
                    known.extend(around.iter().flat_map(|around| around.words.iter().cloned()));
                    let mut words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| {
                        !matches!(*word, "" | "s") && !stop_words.contains(word.to_lowercase().as_str())
                    });
                    if words.all(|word| parts(word).iter().all(|part| known.contains(&stem(part)))) {
                        found.push(text.as_str());
                    }
                }
                at += 1;
            }
            Token::Sign('(' | '[') => at = after_bracket(tokens, at),
            Token::Sign('{') => {
                around.push(Around::new(&tokens[start..at], around.last()));
                at += 1;
                start = at;
            }
            Token::Sign('}') => {
                around.pop();
                at += 1;
                start = at;
            }
            Token::Sign(';') => {
                at += 1;
                start = at;
            }
            Token::Sign(',') if is_list => {
                at += 1;
                start = at;
            }
            _ => at += 1,
        }
    }
    found
}

#[test]
fn no_comment_repeats_a_name() {
    let mut idle = Vec::new();
    for (file, text) in rust_files() {
        if file.starts_with("src/") || file.contains("/src/") {
            let tokens = without_tests(tokens(&text));
            idle.extend(repeated(&tokens).iter().map(|comment| format!("{file}: /// {comment}")));
        }
    }
    assert!(idle.is_empty(), "these say what the name says: leave them out\n{}", idle.join("\n"));
}

#[test]
fn a_comment_that_repeats_a_name_is_found() {
    let text = "/// The players.\nfn players() {}\n/// The player's stack, in chips.\nfn stack() {}\n\
        /// The seat of the player.\n#[inline]\nseat: u8\n;\n\
        struct Table { /// The stacks of a table.\n stacks: Vec<Chips>, /// In ms.\n wait: u32 }\n\
        pub struct Open { /// It waits.\n pub waits: u8, /// Hides it.\n pub(crate) hides: u8 }\n\
        pub enum Shown { /// The first.\n First, /// The last.\n Last { /// The number.\n number: u8 } }\n\
        enum Hidden { /// The first.\n First { /// The number.\n number: u8 }, /// A last.\n Last }\n\
        #[derive(Args)] struct Flags { /// The journal.\n journal: u8 }\n\
        impl Table { /// The width,\n /// the height.\n fn width_height() {} /// A table's height.\n fn height() {} }";
    assert_eq!(
        repeated(&tokens(text)),
        [
            "The players.",
            "The stacks of a table.",
            "Hides it.",
            "The first.",
            "The number.",
            "A last.",
            "A table's height."
        ]
    );
}
