//! A tokenizer for Rust, precise enough for definitions and names.

use std::path::Path;

/// A word (a name, a keyword, a number), or a sign.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    Word(String),
    Sign(char),
    /// A doc comment, without its three signs.
    Doc(String),
}

impl Token {
    pub(super) fn is(&self, text: &str) -> bool {
        match self {
            Token::Word(word) => word == text,
            Token::Sign(sign) => text.chars().eq([*sign]),
            Token::Doc(_) => false,
        }
    }

    pub(super) fn word(&self) -> Option<&str> {
        match self {
            Token::Word(word) => Some(word),
            _ => None,
        }
    }
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The words and signs of a text. Comments are left out, and of texts in quotes all but the names in braces.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if let Some(comment) = rest.strip_prefix("//") {
            let line = comment.split('\n').next().unwrap();
            if let Some(doc) = line.strip_prefix('/') {
                tokens.push(Token::Doc(doc.trim().to_string()));
            }
            rest = &comment[line.len()..];
        } else if rest.starts_with("/*") {
            rest = rest.split_once("*/").map_or("", |(_, after)| after);
        } else if let Some((quoted, after)) = quoted(rest) {
            let names = quoted.split('{').skip(1).map(|part| part.split(|c| !is_of_word(c)).next().unwrap());
            tokens.extend(names.filter(|name| !name.is_empty()).map(|name| Token::Word(name.to_string())));
            rest = after;
        } else if is_of_word(c) {
            let end = rest.find(|c| !is_of_word(c)).unwrap_or(rest.len());
            tokens.push(Token::Word(rest[..end].to_string()));
            rest = &rest[end..];
        } else {
            if !c.is_whitespace() {
                tokens.push(Token::Sign(c));
            }
            rest = &rest[c.len_utf8()..];
        }
    }
    tokens
}

/// The quoted text at the beginning of a text, and the rest.
fn quoted(text: &str) -> Option<(&str, &str)> {
    let raw = text.strip_prefix("br").or_else(|| text.strip_prefix('r'));
    if let Some(raw) = raw.filter(|raw| raw.starts_with(['"', '#'])) {
        let signs = raw.len() - raw.trim_start_matches('#').len();
        let inner = raw[signs..].strip_prefix('"')?;
        return inner.split_once(&format!("\"{}", "#".repeat(signs)));
    }
    let plain = text.strip_prefix('b').unwrap_or(text);
    if let Some(letter) = plain.strip_prefix('\'') {
        // A lifetime has no second quote after one letter.
        let end = if let Some(escaped) = letter.strip_prefix('\\') {
            1 + escaped.chars().next()?.len_utf8()
                + letter[2..].find('\'').filter(|_| !letter[2..].starts_with('\''))?
        } else {
            letter.chars().next()?.len_utf8()
        };
        return letter[end..].strip_prefix('\'').map(|after| ("", after));
    }
    let inner = plain.strip_prefix('"')?;
    let mut is_escaped = false;
    let end = inner.find(|c| {
        let is_end = c == '"' && !is_escaped;
        is_escaped = c == '\\' && !is_escaped;
        is_end
    })?;
    Some((&inner[..end], &inner[end + 1..]))
}

/// The place after the bracket that closes the one at this place.
pub(super) fn after_bracket(tokens: &[Token], open: usize) -> usize {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match token {
            Token::Sign('(' | '[' | '{') => depth += 1,
            Token::Sign(')' | ']' | '}') => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at + 1;
        }
    }
    tokens.len()
}

/// Whether a file holds nothing but tests.
pub(super) fn is_of_tests(path: &Path) -> bool {
    let name = path.file_name().unwrap().to_str().unwrap();
    name.ends_with("_tests.rs") || name == "tests.rs" || path.iter().any(|folder| folder == "tests")
}

/// The same tokens without the items that are compiled for tests alone.
pub(super) fn without_tests(tokens: Vec<Token>) -> Vec<Token> {
    const MARK: [&str; 7] = ["#", "[", "cfg", "(", "test", ")", "]"];
    let mut kept = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let is_marked = tokens.len() >= at + MARK.len()
            && MARK.iter().zip(&tokens[at..]).all(|(wanted, token)| token.is(wanted));
        if !is_marked {
            kept.push(tokens[at].clone());
            at += 1;
            continue;
        }
        at += MARK.len();
        while at < tokens.len() && !tokens[at].is(";") && !tokens[at].is("{") {
            at = if tokens[at].is("(") || tokens[at].is("[") { after_bracket(&tokens, at) } else { at + 1 };
        }
        at = if at < tokens.len() && tokens[at].is("{") { after_bracket(&tokens, at) } else { at + 1 };
    }
    kept
}

#[test]
fn words_and_signs_are_found() {
    let text =
        "/// A doc.\nfn a<'x>(b: &'x str) { let c = '\\''; d(\"{e} \\\" f\", r#\"g\"#, 'h', '\"') } // i";
    let words: Vec<String> = tokens(text).iter().filter_map(|token| token.word().map(String::from)).collect();
    assert_eq!(words, ["fn", "a", "x", "b", "x", "str", "let", "c", "d", "e"]);
    assert_eq!(tokens(text)[0], Token::Doc("A doc.".to_string()));
    let tested = "fn a() {} #[cfg(test)] mod b { fn c() {} } #[cfg(test)] mod d; fn e() {}";
    let kept: Vec<Token> = without_tests(tokens(tested));
    assert_eq!(kept, tokens("fn a() {} fn e() {}"));
}
