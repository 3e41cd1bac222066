//! Finds public items that are named nowhere. The compiler does not report them, because it sees one package at a time.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use crate::code::{Token, after_bracket, is_of_tests, tokens, without_tests};
use crate::{files, root};

/// Items for users of the libraries, or for tests without another access, though the program does not name them.
const FOR_OTHERS: &[(&str, &str)] = &[
    ("append_as_next", "benches/verdicts draws runs from a table of blocks with it"),
    ("distribution", "benches/sisters.rs measures the values of all hands with it"),
    ("grade_selections", "grades a bot of one's own, and the mutants of tests/sister_mutants.rs"),
    ("grade_transcripts", "grades a program in process, and the mutants of tests/sister_mutants.rs"),
    ("grade_values", "grades a function of one's own, and the mutants of tests/sister_mutants.rs"),
    ("leave_chances_out", "the simulator does without the chances on the page"),
    ("max_rounds_left", "what a program may say of a level that is being played"),
    ("opener", "tests play the rules by hand beside it"),
    ("players_left", "what a program may say of a level that is being played"),
    ("variance", "benches/rate.rs compares equal deals with plain ones"),
    ("writable", "players of the simulator wait with it"),
    ("without_box", "tests try what happens where no box is to be had"),
];

/// A name, and where it is defined.
struct Defined {
    name: String,
    file: String,
}

/// The words after which the name of an item stands.
const KINDS: [&str; 7] = ["fn", "struct", "enum", "trait", "const", "static", "type"];

/// The place of the defined item after this `pub`: after the visibility and words like `async`.
fn kind_after(tokens: &[Token], at: usize) -> Option<usize> {
    let mut next = at + 1;
    if tokens.get(next)?.is("(") {
        next = after_bracket(tokens, next);
    }
    let is_function = |at: usize| {
        tokens.get(at).is_some_and(|token| ["fn", "unsafe", "async"].iter().any(|word| token.is(word)))
    };
    while tokens.get(next)?.is("unsafe")
        || tokens[next].is("async")
        || (tokens[next].is("const") && is_function(next + 1))
    {
        next += 1;
    }
    KINDS.iter().any(|kind| tokens[next].is(kind)).then_some(next)
}

/// The places of the names of an enum's variants, or of a trait's functions, in the braces at this place.
fn members(tokens: &[Token], open: usize, is_enum: bool) -> Vec<usize> {
    let end = after_bracket(tokens, open) - 1;
    let mut found = Vec::new();
    let mut at = open + 1;
    let mut is_first = true;
    while at < end {
        if tokens[at].is("#") {
            at = after_bracket(tokens, at + 1);
            continue;
        }
        if matches!(tokens[at], Token::Sign('(' | '[' | '{')) {
            at = after_bracket(tokens, at);
            continue;
        }
        let is_name = if is_enum { is_first } else { tokens[at - 1].is("fn") };
        if is_name && tokens[at].word().is_some() {
            found.push(at);
        }
        is_first = tokens[at].is(",") || (is_first && matches!(tokens[at], Token::Doc(_)));
        at += 1;
    }
    found
}

/// Whether the function of the name at this place is called with a dot.
fn is_method(tokens: &[Token], name: usize) -> bool {
    let Some(open) = (name..tokens.len()).find(|at| tokens[*at].is("(")) else { return false };
    let until =
        (open..tokens.len()).find(|at| tokens[*at].is(",") || tokens[*at].is(")") || tokens[*at].is(":"));
    tokens[open..until.unwrap_or(tokens.len())].iter().any(|token| token.is("self"))
}

/// The public names defined in a file, and whether they are methods.
fn defined(tokens: &[Token]) -> Vec<(&str, bool)> {
    let mut names = Vec::new();
    for at in (0..tokens.len()).filter(|at| tokens[*at].is("pub")) {
        let Some(kind) = kind_after(tokens, at) else { continue };
        let is_method = tokens[kind].is("fn") && is_method(tokens, kind + 1);
        names.extend(tokens.get(kind + 1).and_then(Token::word).map(|name| (name, is_method)));
        if tokens[kind].is("enum") || tokens[kind].is("trait") {
            let open = (kind..tokens.len()).find(|at| tokens[*at].is("{")).unwrap();
            let members = members(tokens, open, tokens[kind].is("enum"));
            names.extend(members.into_iter().filter_map(|at| tokens[at].word()).map(|name| (name, false)));
        }
    }
    names
}

/// How often each name stands in the sources: at all, as a definition, and as a method that is called or passed on.
#[derive(Default)]
struct Names<'a> {
    all: BTreeMap<&'a str, usize>,
    definitions: BTreeMap<&'a str, usize>,
    methods: BTreeSet<&'a str>,
}

impl<'a> Names<'a> {
    /// Collects the names in these tokens, except imports: an imported name appears again where it is used.
    fn see(&mut self, tokens: &'a [Token]) {
        let mut at = 0;
        while at < tokens.len() {
            if tokens[at].is("use") {
                let end = (at..tokens.len()).find(|at| tokens[*at].is(";")).unwrap_or(tokens.len());
                // Under another name it is used under that one.
                let renamed = (at..end).filter(|at| tokens.get(at + 1).is_some_and(|token| token.is("as")));
                renamed
                    .filter_map(|at| tokens[at].word())
                    .for_each(|name| *self.all.entry(name).or_default() += 1);
                at = end;
            } else if let Some(name) = tokens[at].word() {
                *self.all.entry(name).or_default() += 1;
                let is_after = |sign: &str| at > 0 && tokens[at - 1].is(sign);
                let is_before = |sign: &str| tokens.get(at + 1).is_some_and(|token| token.is(sign));
                if is_after(":") || (is_after(".") && (is_before("(") || is_before(":"))) {
                    self.methods.insert(name);
                }
                if at > 0 && KINDS.iter().any(|kind| tokens[at - 1].is(kind)) {
                    *self.definitions.entry(name).or_default() += 1;
                }
                if at > 0 && tokens[at - 1].is("enum") {
                    let open = (at..tokens.len()).find(|at| tokens[*at].is("{")).unwrap();
                    let variants = members(tokens, open, true).into_iter().filter_map(|at| tokens[at].word());
                    variants.for_each(|name| *self.definitions.entry(name).or_default() += 1);
                }
            }
            at += 1;
        }
    }

    fn is_used(&self, name: &str, is_method: bool) -> bool {
        if is_method { self.methods.contains(name) } else { self.all.get(name) > self.definitions.get(name) }
    }
}

/// The names of the definitions that nothing else names.
fn unused<'a>(sources: &'a [(String, Vec<Token>)], others: &'a [Vec<Token>]) -> Vec<Defined> {
    let mut names = Names::default();
    sources.iter().map(|(_, tokens)| tokens).chain(others).for_each(|tokens| names.see(tokens));
    let of_file = |(file, tokens): &'a (String, Vec<Token>)| {
        defined(tokens).into_iter().map(move |(name, is_method)| (file, name, is_method))
    };
    let dead =
        sources.iter().flat_map(of_file).filter(|(_, name, is_method)| !names.is_used(name, *is_method));
    dead.map(|(file, name, _)| Defined { name: name.to_string(), file: file.clone() }).collect()
}

/// The sources of the program, its libraries and its tools without their tests.
fn sources() -> Vec<(String, Vec<Token>)> {
    let mut folders = vec![root().join("src")];
    for packages in ["crates", "tools"] {
        let packages = fs::read_dir(root().join(packages)).unwrap();
        folders.extend(packages.map(|entry| entry.unwrap().path().join("src")));
    }
    let found = folders.iter().flat_map(|folder| files(folder, &|name| name.ends_with(".rs")));
    let kept = found.filter(|path| !is_of_tests(path.strip_prefix(root()).unwrap()));
    kept.map(|path| {
        let name = path.strip_prefix(root()).unwrap().display().to_string();
        (name, without_tests(tokens(&fs::read_to_string(&path).unwrap())))
    })
    .collect()
}

/// The examples, and the code in the front pages of the libraries.
fn shown_to_users() -> Vec<Vec<Token>> {
    let is_example = |path: &std::path::Path| path.iter().any(|folder| folder == "examples");
    let mut found = Vec::new();
    for folder in ["examples", "crates"] {
        for path in files(&root().join(folder), &|name| name.ends_with(".rs")) {
            let text = fs::read_to_string(&path).unwrap();
            if is_example(&path) {
                found.push(tokens(&text));
            } else if path.ends_with("src/lib.rs") {
                let page: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("//!")).collect();
                found.push(tokens(&page.join("\n")));
            }
        }
    }
    found
}

#[test]
fn everything_that_may_be_used_is_used() {
    let (sources, others) = (sources(), shown_to_users());
    let found = unused(&sources, &others);
    let allowed: BTreeSet<&str> = FOR_OTHERS.iter().map(|(name, _)| *name).collect();
    let dead: Vec<String> = found
        .iter()
        .filter(|defined| !allowed.contains(defined.name.as_str()))
        .map(|defined| format!("{}: {}", defined.file, defined.name))
        .collect();
    assert!(
        dead.is_empty(),
        "nothing but tests names these: delete them, or move them there\n{}",
        dead.join("\n")
    );
    for (name, reason) in FOR_OTHERS {
        assert!(found.iter().any(|defined| defined.name == *name), "{name} is used: it needs no exception");
        assert!(reason.split_whitespace().count() > crate::WORDS, "{name} has no reason");
    }
}

#[test]
fn unused_items_are_found() {
    let source = "use a::used; pub use b::lost; pub fn used() { kept(); } pub(crate) fn lost() {} pub const fn kept() {} \
                  pub enum E { One(u8), #[x] Two { y: u8 }, Three } fn f(e: E) { used(); match e { E::One(..) => {} E::Two { .. } => {} } } \
                  impl T { pub fn shown(&self) {} pub fn twice() {} pub fn field(&self) { self.field = 1 } } impl U { pub fn twice() {} }";
    let sources = [("x.rs".to_string(), tokens(source))];
    let names = |others: &[Vec<Token>]| -> Vec<String> {
        unused(&sources, others).into_iter().map(|defined| defined.name).collect()
    };
    assert_eq!(names(&[]), ["lost", "Three", "shown", "twice", "field", "twice"]);
    assert_eq!(names(&[tokens("x.shown(); T::twice()")]), ["lost", "Three", "field"]);
}
