//! Folders of many kinds, and what they are taken for.

use super::*;

/// A folder with these files, recognised: where, what, and how it is run.
fn of(name: &str, files: &[(&str, &str)]) -> Result<(PathBuf, Recipe), Unrecognised> {
    let folder = std::env::temp_dir().join(format!("casino-recognise-{}-{name}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    for (file, content) in files {
        let path = folder.join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    let recognised = recognise(&folder);
    fs::remove_dir_all(&folder).unwrap();
    recognised.map(|(inside, recipe)| (inside.strip_prefix(&folder).unwrap().to_path_buf(), recipe))
}

#[test]
fn folders_are_known_by_their_files() {
    const MAIN: &str = "class X { public static void main(String[] a) {} }";
    for (name, files, kind, run) in [
        ("document", &[("Poker.java", MAIN), ("Other.java", MAIN)][..], "Java", "java -cp . Poker"),
        ("main", &[("Bot.java", MAIN), ("Card.java", "class Card {}")], "Java", "java -cp . Bot"),
        ("package", &[("Bot.java", &format!("package a.b;\n{MAIN}"))], "Java", "java -cp . a.b.Bot"),
        ("cargo", &[("Cargo.toml", "[package]\nname = \"ace\"\n")], "Rust", "target/release/ace"),
        (
            "bin",
            &[("Cargo.toml", "[[bin]]\nname=\"king\"\n[package]\nname=\"ace\"")],
            "Rust",
            "target/release/king",
        ),
        ("rustc", &[("main.rs", ""), ("strategy.rs", "")], "Rust", "./casino-bot"),
        ("go", &[("go.mod", ""), ("main.go", "")], "Go", "./casino-bot"),
        ("node", &[("package.json", "{\"main\": \"src/bot.js\"}")], "JavaScript", "node src/bot.js"),
        ("js", &[("poker.js", ""), ("strategy.js", "")], "JavaScript", "node poker.js"),
        ("make", &[("Makefile", ""), ("bot.cpp", "")], "Makefile", "./{program}"),
        ("cpp", &[("bot.cpp", ""), ("bot.hpp", "")], "C++", "./casino-bot"),
        ("c", &[("bot.c", "")], "C", "./casino-bot"),
        ("poker.py", &[("poker.py", ""), ("cards.py", "")], "Python", "python3 -u poker.py"),
        ("only.py", &[("my bot.py", "")], "Python", "python3 -u 'my bot.py'"),
        ("main.py", &[("x.py", "if __name__ == '__main__': y()"), ("y.py", "")], "Python", "python3 -u x.py"),
        ("prolog", &[("poker.pl", "")], "Prolog", "swipl -q poker.pl"),
    ] {
        let (inside, recipe) = of(name, files).unwrap();
        assert_eq!((inside.as_path(), recipe.kind.as_str()), (Path::new(""), kind), "{name}");
        assert!(recipe.run.contains(run) && recipe.run.contains("{host} {port}"), "{name}: {}", recipe.run);
    }
}

#[test]
fn sources_are_named_one_by_one_and_none_is_an_option() {
    let files =
        [("Poker.java", "static void main"), ("b/My Card.java", ""), (".x/No.java", ""), ("-d.java", "")];
    let build = of("sources", &files).unwrap().1.build;
    let card = crate::system::command_line::quote("./b/My Card.java").unwrap();
    assert_eq!(build, [format!("javac -encoding UTF-8 -nowarn -d . ./-d.java ./Poker.java {card}")]);
    let build = of("order", &[("z.cpp", ""), ("a.cc", ""), ("a.h", "")]).unwrap().1.build;
    assert!(build[0].ends_with(" ./z.cpp ./a.cc"), "{build:?}");
}

#[test]
fn the_program_may_be_in_a_folder_inside() {
    let deep =
        of("deep", &[("hw1/Poker/src/Poker.java", "static void main"), ("hw1/Poker/README", "")]).unwrap();
    assert_eq!(deep.0, Path::new("hw1/Poker/src"));
    let junk = [("__MACOSX/x.py", ""), (".git/y.py", ""), ("bot/poker.py", "")];
    assert_eq!(of("junk", &junk).unwrap().0, Path::new("bot"));
}

#[test]
fn bot_json_says_it() {
    let json = r#"{"build": ["a", "b"], "run": "c {host} {port}"}"#;
    let (_, recipe) = of("json", &[("bot.json", json), ("Poker.java", "static void main")]).unwrap();
    assert_eq!((recipe.build.len(), recipe.run.as_str()), (2, "c {host} {port}"));
    let marked = format!("\u{feff}{}", json.replace(", ", ",\r\n"));
    assert_eq!(of("marked", &[("bot.json", &marked)]).unwrap().1.build, ["a", "b"]);
    let one = r#"{"build": "a", "run": "c {host} {port}"}"#;
    assert_eq!(of("one", &[("bot.json", one)]).unwrap().1.build, ["a"]);
    for (name, json, words) in [
        ("no-port", r#"{"run": "c {host}"}"#, "has no {port}"),
        ("no-run", r#"{"build": "a"}"#, "missing field `run`"),
        ("other", r#"{"run": "{host}{port}", "exec": 1}"#, "unknown field"),
        ("text", "run it", "cannot be used"),
    ] {
        let error = of(name, &[("bot.json", json)]).unwrap_err().to_string();
        assert!(error.contains(words), "{name}: {error}");
    }
}

#[test]
fn what_is_no_bot_says_what_to_do() {
    for (name, files, words) in [
        ("empty", &[][..], "holds no bot"),
        ("text", &[("essay.txt", "")], "bot.json"),
        ("two", &[("a.py", ""), ("b.py", "")], "a.py, b.py"),
        ("two-mains", &[("A.java", "static void main"), ("B.java", "static void main")], "A, B"),
        ("no-name", &[("Cargo.toml", "[dependencies]")], "holds no bot"),
        ("bad-package", &[("package.json", "{")], "package.json"),
    ] {
        let error = of(name, files).unwrap_err().to_string();
        assert!(error.contains(words), "{name}: {error}");
    }
    assert!(recognise(Path::new("/no/such/folder")).unwrap_err().to_string().contains("cannot be read"));
}
