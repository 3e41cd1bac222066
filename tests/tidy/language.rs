//! Comments and documents are plain technical English: sentences with constructions that search engines and readers of a
//! second language cannot use are counted by package.

use std::collections::BTreeMap;
use std::fs;

use crate::{documents, files, root, rust_files};

/// Maximum share of sentences with such constructions, in percent of the sentences of a package.
const MAX_PERCENT: usize = 2;

/// Pronouns in place of the noun for a role, such as "player" or "teacher".
const PRONOUNS: [&str; 6] = ["nobody", "somebody", "anybody", "everybody", "whoever", "whatever"];

/// Idioms with a plain verb: continue, receive, report, manually.
const IDIOMS: [&str; 6] = ["goes on with", "go on with", "gone on with", "is told", "says so", "by hand"];

/// Words before "who" that make it a noun of its own: "the reply of who folds". A relative clause follows its noun.
const BEFORE_NOUN: &str = "that of to for by and or than with from say says tell tells not is but where if as in on after \
                           before unless when while know knows ask asks see sees until because only at against";

/// The words of a line that belong to a comment: after `//`, or after the `*` of a JSDoc comment.
fn comment(line: &str) -> Option<&str> {
    let words = line.trim_start();
    words
        .strip_prefix("//")
        .or_else(|| words.strip_prefix("* "))
        .map(|words| words.trim_start_matches(['/', '!']))
}

/// The words of a line of a document that is neither an example nor a heading.
fn prose(line: &str) -> Option<&str> {
    (!line.starts_with("    ") && !line.starts_with('#')).then_some(line)
}

/// Consecutive lines with words, joined. Each cell of a table is a paragraph of its own.
fn paragraphs(text: &str, words: fn(&str) -> Option<&str>) -> Vec<String> {
    let mut paragraphs = vec![String::new()];
    for line in text.lines() {
        match words(line).map(str::trim) {
            Some(row) if row.starts_with('|') => paragraphs.extend(row.split('|').map(str::to_string)),
            Some(words) if !words.is_empty() => {
                let paragraph = paragraphs.last_mut().unwrap();
                paragraph.push_str(words);
                paragraph.push(' ');
            }
            _ => paragraphs.push(String::new()),
        }
    }
    paragraphs
}

/// The sentences of a paragraph in lower case. Code counts as one word.
fn sentences(paragraph: &str) -> Vec<String> {
    let code = paragraph.split('`').enumerate().map(|(at, part)| if at % 2 == 0 { part } else { "X" });
    let text: String = code.collect::<String>().to_lowercase();
    let mut sentences = vec![String::new()];
    for word in text.split_whitespace() {
        let sentence = sentences.last_mut().unwrap();
        sentence.push_str(word);
        if word.ends_with(['.', '!', '?', ':', ';']) {
            sentences.push(String::new());
        } else {
            sentence.push(' ');
        }
    }
    sentences.retain(|sentence| sentence.split_whitespace().count() > 1);
    sentences
}

fn is_riddle(sentence: &str) -> bool {
    if sentence.ends_with('?') {
        return false;
    }
    let words: Vec<&str> =
        sentence.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|word| !word.is_empty()).collect();
    let is_noun = |at: usize| at == 0 || BEFORE_NOUN.split(' ').any(|word| word == words[at - 1]);
    let plain = words.join(" ");
    words.iter().enumerate().any(|(at, word)| match *word {
        "who" | "whom" | "whose" => is_noun(at),
        "what" => words.get(at + 1) != Some(&"if"),
        word => PRONOUNS.contains(&word),
    }) || IDIOMS.iter().any(|idiom| format!(" {plain} ").contains(&format!(" {idiom} ")))
}

/// The package of a file, or its folder.
fn package(file: &str) -> String {
    let parts: Vec<&str> = file.split('/').collect();
    match parts[..] {
        ["crates", package, ..] => package.to_string(),
        ["src", "web", "assets", ..] => "assets".to_string(),
        [folder, _, ..] if !file.ends_with(".md") => folder.to_string(),
        _ => "documents".to_string(),
    }
}

#[test]
fn sentences_are_plain_english() {
    let scripts = ["src/web/assets", "tests/browser"].map(|folder| root().join(folder));
    let scripts = scripts.iter().flat_map(|folder| files(folder, &|name| name.ends_with("js")));
    let pages = documents().into_iter().filter(|path| path.extension().is_some());
    let others = scripts.chain(pages).map(|path| {
        (path.strip_prefix(root()).unwrap().display().to_string(), fs::read_to_string(&path).unwrap())
    });
    let mut packages: BTreeMap<String, (usize, Vec<String>)> = BTreeMap::new();
    for (file, text) in rust_files().into_iter().chain(others) {
        let (all, riddles) = packages.entry(package(&file)).or_default();
        let words = if file.ends_with(".md") { prose } else { comment };
        for sentence in paragraphs(&text, words).iter().flat_map(|paragraph| sentences(paragraph)) {
            *all += 1;
            if is_riddle(&sentence) {
                riddles.push(format!("{file}: {sentence}"));
            }
        }
    }
    let mut above = Vec::new();
    for (package, (all, riddles)) in packages {
        println!("{package}: {} of {all} sentences", riddles.len());
        if riddles.len() * 100 > all * MAX_PERCENT {
            above.push(format!("{package}: {} of {all} sentences\n{}", riddles.len(), riddles.join("\n")));
        }
    }
    assert!(above.is_empty(), "use the field's noun and a plain verb\n{}", above.join("\n\n"));
}

#[test]
fn a_riddle_is_found() {
    let found = |text: &str| sentences(text).iter().filter(|sentence| is_riddle(sentence)).count();
    assert_eq!(
        found("Who is late is out. Nobody is told; what it sent is `what`. The host goes on with it."),
        4
    );
    assert_eq!(found("A player who is late is ejected. What if it is not? Which table, and whose seat?"), 0);
}
