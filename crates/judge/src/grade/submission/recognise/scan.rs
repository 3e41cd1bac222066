//! A look at sources of the languages with braces: which file declares the `main` that a program begins with.

type Token<'a> = &'a str;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct JavaFile {
    /// Its package, with dots; empty without one.
    pub(super) package: String,
    /// The classes of the file that have a `main`, as the file has them.
    pub(super) mains: Vec<String>,
    /// Whether it begins with a `main` outside of a class or of an object, which Java 25 allows.
    pub(super) is_newer: bool,
    /// All classes, interfaces, enums and records of the file.
    pub(super) classes: Vec<String>,
    /// The class after which the file has to be named.
    pub(super) public: Option<String>,
}

impl JavaFile {
    /// Parses a source with this name before `.java`. Terminates on any text.
    pub(super) fn read(stem: &str, text: &str) -> JavaFile {
        let tokens = tokens(text);
        let mut file = JavaFile::default();
        let mut depth = 0_usize;
        let mut class = "";
        let (mut of_objects, mut is_outside, mut is_balanced) = (Vec::new(), false, true);
        let (mut with_arguments, mut with_no_argument) = (Vec::new(), Vec::new());
        // Where the declaration begins that the token is part of.
        let mut begins = 0;
        for (at, token) in tokens.iter().enumerate() {
            let next = tokens.get(at + 1).copied().unwrap_or_default();
            match *token {
                "{" => depth += 1,
                "}" => {
                    is_balanced &= depth > 0;
                    depth = depth.saturating_sub(1);
                }
                "package" if depth == 0 && file.package.is_empty() => {
                    let is_part = |token: &&&str| is_word(token) || **token == ".";
                    let parts = tokens[at + 1..].iter().take_while(is_part);
                    // The compiler reports any other syntax.
                    if tokens.get(at + 1 + parts.clone().count()) == Some(&";") {
                        file.package = parts.copied().collect();
                    }
                }
                "class" | "interface" | "enum" | "record" if depth == 0 && is_word(next) => {
                    class = next;
                    file.classes.push(class.to_string());
                    if tokens[begins..at].contains(&"public") {
                        file.public = Some(class.to_string());
                    }
                }
                "main" if depth < 2 && next == "(" && at > 0 && tokens[at - 1] == "void" => {
                    let declared = &tokens[begins..at];
                    let is_static = declared.contains(&"static");
                    let mains = if is_static { &mut file.mains } else { &mut of_objects };
                    is_outside |= depth == 0;
                    // The `main` of older versions without its `static`.
                    let forgets_static = declared.contains(&"public") && tokens.get(at + 2) != Some(&")");
                    let is_known = class.is_empty() || mains.iter().any(|main| main == class);
                    if depth == 1 && !is_known && (is_static || !forgets_static) {
                        mains.push(class.to_string());
                    }
                }
                // Java makes the object of a `main` that is not static without arguments.
                _ if depth == 1 && *token == class && next == "(" && at > 0 && tokens[at - 1] != "new" => {
                    let list = if tokens.get(at + 2) == Some(&")") {
                        &mut with_no_argument
                    } else {
                        &mut with_arguments
                    };
                    list.push(class);
                }
                _ => {}
            }
            if matches!(*token, "{" | "}" | ";") {
                begins = at + 1;
            }
        }
        of_objects.retain(|class: &String| {
            let class = &class.as_str();
            !with_arguments.contains(class) || with_no_argument.contains(class)
        });
        if file.mains.is_empty() && is_balanced && depth == 0 {
            file.is_newer = is_outside || !of_objects.is_empty();
            file.mains = if is_outside { vec![stem.to_string()] } else { of_objects };
        }
        file
    }
}

pub(super) fn defines_main(text: &str) -> bool {
    tokens(text).windows(3).any(|three| {
        let [kind, name, bracket] = three else { return false };
        *name == "main" && *bracket == "(" && matches!(*kind, "int" | "auto" | "void" | "signed")
    })
}

fn is_word(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        if let Some(comment) = rest.strip_prefix("//") {
            rest = comment.find('\n').map_or("", |end| &comment[end..]);
        } else if let Some(comment) = rest.strip_prefix("/*") {
            rest = comment.find("*/").map_or("", |end| &comment[end + 2..]);
        } else if let Some(block) = rest.strip_prefix("\"\"\"") {
            rest = block.find("\"\"\"").map_or("", |end| &block[end + 3..]);
        } else if first == '"' || first == '\'' {
            rest = after_literal(&rest[1..], first);
        } else if first.is_alphanumeric() || first == '_' || first == '$' {
            let end =
                rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$')).unwrap_or(rest.len());
            tokens.push(&rest[..end]);
            rest = &rest[end..];
        } else {
            let end = first.len_utf8();
            if !first.is_whitespace() {
                tokens.push(&rest[..end]);
            }
            rest = &rest[end..];
        }
    }
    tokens
}

/// The text after a literal that ends with this quote, or after its line if it is not closed.
fn after_literal(text: &str, quote: char) -> &str {
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match c {
            '\n' => return &text[at..],
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return &text[at + c.len_utf8()..],
            _ => {}
        }
    }
    ""
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mains(text: &str) -> Vec<String> {
        JavaFile::read("Poker", text).mains
    }

    #[test]
    fn a_main_is_found_however_it_is_written() {
        for main in [
            "public static void main(String[] args)",
            "static public void main(String... a)",
            "final static\n\tvoid main (String a[])",
            "@SuppressWarnings(\"x\") public static void main(final String[] args) throws Exception",
        ] {
            assert_eq!(mains(&format!("class Poker {{ int x = 1; {main} {{ }} }}")), ["Poker"], "{main}");
        }
    }

    #[test]
    fn text_that_looks_like_a_main_is_ignored() {
        for text in [
            "class A { // public static void main(String[] a) {}\n }",
            "class A { /* public static void main(String[] a) {} */ }",
            "class A { String s = \"static void main(\"; }",
            "class A { static int main(String[] a) { return 1; } }",
            "class A { void f() { main(null); } }",
        ] {
            assert!(mains(text).is_empty(), "{text}");
        }
    }

    #[test]
    fn a_main_of_java_25_is_known_and_a_stray_brace_is_none() {
        for (text, main) in [
            ("import java.net.Socket;\nint port;\nvoid main(String[] a) { }", Some("Poker")),
            ("record Card(int rank) { }\nstatic void main() { }", Some("Poker")),
            ("class Bot { void main() { } }", Some("Bot")),
            ("class Bot { Bot(int a) { } Bot() { new Bot(1); } void main() { } }", Some("Bot")),
            ("class Bot { Bot(int a) { } void main() { } }", None),
            ("class Bot { public void main(String[] a) { } }", None),
            ("class Poker { } }\npublic static void main(String[] a) { } }", None),
            ("class Poker { void f() { }\npublic void main(String[] a) { }", None),
        ] {
            let file = JavaFile::read("Poker", text);
            assert_eq!(
                (file.mains.first().map(String::as_str), file.is_newer),
                (main, main.is_some()),
                "{text}"
            );
        }
        assert!(!JavaFile::read("A", "class A { static void main() {} void main(int a) {} }").is_newer);
    }

    #[test]
    fn packages_and_classes_are_read() {
        let text = "/* package no; */ package a . b;\nimport java.net.Socket;\nenum Suit { A }\n\
                    record Card(int a) { }\nclass Helper { char c = '{'; }\npublic final class Bot extends X {\n\
                    static class Inner { } public static void main(String[] a) { } }";
        let file = JavaFile::read("Poker", text);
        assert_eq!((file.package.as_str(), file.mains), ("a.b", vec!["Bot".to_string()]));
        assert_eq!(
            (file.classes.join(" "), file.public.as_deref()),
            ("Suit Card Helper Bot".into(), Some("Bot"))
        );
        assert_eq!(JavaFile::read("Poker", "\"unterminated \u{e9}"), JavaFile::default());
        for none in ["package a\u{e}b;", "package ] a;", "package", "package a.b class"] {
            assert_eq!(JavaFile::read("Poker", none).package, "", "{none:?}");
        }
    }

    #[test]
    fn a_main_of_c_is_found() {
        assert!(defines_main("#include <x>\nint main(int argc, char **argv) {"));
        assert!(defines_main("auto main() -> int {"));
        assert!(!defines_main("// int main()\nint play() { return domain(); }"));
    }
}
