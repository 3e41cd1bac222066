//! Tests of the recognition of many kinds of folders.

use std::fs;

use super::*;

const MAIN: &str = "public class Bot { public static void main(String[] a) {} }";

/// A player in Python, as far as its words go.
const PLAYER: &str = "import socket, sys\nsocket.create_connection((sys.argv[1], int(sys.argv[2])))\n";

/// A player in Java, of this class and behind this package line.
fn player(package: &str, class: &str) -> String {
    format!(
        "{package} import java.net.Socket;\nclass {class} {{ static public void main(String[] a) throws Exception {{ \
         new Socket(a[0], 1); }} }}"
    )
}

/// Recognizes a folder with these files as a player and returns its place and recipe.
fn of(name: &str, files: &[(&str, &str)]) -> Result<(PathBuf, Recipe), Unrecognised> {
    of_aim(name, files, &Aim::Player)
}

fn of_aim(name: &str, files: &[(&str, &str)], aim: &Aim) -> Result<(PathBuf, Recipe), Unrecognised> {
    let folder = std::env::temp_dir().join(format!("casino-recognise-{}-{name}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    for (file, content) in files {
        let path = folder.join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    let recognised = recognise(&folder, None, aim);
    fs::remove_dir_all(&folder).unwrap();
    recognised.map(|(inside, recipe)| (inside.strip_prefix(&folder).unwrap().to_path_buf(), recipe))
}

#[test]
fn folders_are_known_by_their_files() {
    let poker = MAIN.replace("Bot", "Poker");
    for (name, files, kind, run) in [
        ("document", &[("Poker.java", poker.as_str()), ("Other.java", MAIN)][..], "Java", "java -cp . Poker"),
        ("main", &[("Bot.java", MAIN), ("Card.java", "class Card {}")], "Java", "java -cp . Bot"),
        ("package", &[("Bot.java", &format!("package a.b;\n{MAIN}"))], "Java", "java -cp . a.b.Bot"),
        ("cargo", &[("Cargo.toml", "[package]\nname = \"ace\"\n")], "Rust", "target/release/ace"),
        (
            "bin",
            &[("Cargo.toml", "[[bin]]\nname=\"king\"\n[package]\nname=\"ace\"")],
            "Rust",
            "target/release/king",
        ),
        ("rustc", &[("main.rs", "fn main() {}"), ("strategy.rs", "")], "Rust", "./main"),
        ("go", &[("go.mod", ""), ("main.go", "")], "Go", "./casino-bot"),
        (
            "node",
            &[("package.json", "{\"main\": \"src/bot.js\"}"), ("src/bot.js", "")],
            "JavaScript",
            "node src/bot.js",
        ),
        ("js", &[("poker.js", ""), ("strategy.js", "")], "JavaScript", "node poker.js"),
        ("make", &[("Makefile", ""), ("bot.cpp", "")], "Makefile", "./{program}"),
        ("cpp", &[("bot.cpp", ""), ("bot.hpp", "")], "C++", "./casino-bot"),
        ("c", &[("bot.c", "int main() {}")], "C", "./bot"),
        ("poker.py", &[("poker.py", ""), ("cards.py", "")], "Python", "python3 -u poker.py"),
        ("only.py", &[("my bot.py", "")], "Python", "python3 -u 'my bot.py'"),
        ("main.py", &[("x.py", "if __name__ == '__main__': y()"), ("y.py", "")], "Python", "python3 -u x.py"),
    ] {
        let (inside, recipe) = of(name, files).unwrap();
        assert_eq!((inside.as_path(), recipe.kind.as_str()), (Path::new(""), kind), "{name}");
        assert!(recipe.run.contains(run) && recipe.run.contains("{host} {port}"), "{name}: {}", recipe.run);
    }
}

#[test]
fn source_names_are_never_taken_for_options() {
    let files = [("Poker.java", MAIN), ("b/My Card.java", ""), (".x/No.java", ""), ("-d.java", "")];
    let build = of("sources", &files).unwrap().1.build;
    let card = casino_system::command_line::quote("./b/My Card.java").unwrap();
    assert_eq!(build, [format!("javac -encoding UTF-8 -nowarn -d . ./-d.java ./Poker.java {card}")]);
    let build = of("order", &[("z.cpp", ""), ("a.cc", ""), ("a.h", "")]).unwrap().1.build;
    assert!(build[0].ends_with(" ./z.cpp ./a.cc"), "{build:?}");
    let build = of("named", &[("bot.cpp", "int main() {}"), ("casino-bot.cpp", "")]).unwrap().1.build;
    assert!(build[0].contains(" -o bot") && build[0].contains(" ./casino-bot.cpp"), "{build:?}");
}

#[test]
fn the_program_may_be_in_a_folder_inside() {
    let deep = of("deep", &[("hw1/Poker/src/Poker.java", MAIN), ("hw1/Poker/README", "")]).unwrap();
    assert_eq!(deep.0, Path::new("hw1/Poker/src"));
    let junk = [("__MACOSX/x.py", ""), (".git/y.py", ""), ("bot/poker.py", "")];
    assert_eq!(of("junk", &junk).unwrap().0, Path::new("bot"));
}

#[test]
fn bot_json_describes_the_program() {
    let json = r#"{"build": ["a", "b"], "run": "c {host} {port}"}"#;
    let (_, recipe) = of("json", &[("bot.json", json), ("Poker.java", MAIN)]).unwrap();
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
fn an_unrecognized_folder_gets_a_remedy() {
    for (name, files, words) in [
        ("empty", &[][..], "holds no bot"),
        ("text", &[("essay.txt", "")], "bot.json"),
        ("two", &[("a.py", ""), ("b.py", "")], "a.py, b.py"),
        (
            "two-mains",
            &[
                ("A.java", "class A { static void main(String[] a) { } }"),
                ("B.java", "class B { static void main(String[] a) { } }"),
            ],
            "A, B",
        ),
        ("no-name", &[("Cargo.toml", "[dependencies]")], "holds no bot"),
        ("bad-package", &[("package.json", "{")], "package.json"),
    ] {
        let error = of(name, files).unwrap_err().to_string();
        assert!(error.contains(words), "{name}: {error}");
    }
}

#[test]
fn the_one_folder_that_holds_a_player_is_found_beside_others() {
    let lab = "class Lab { public static void main(String[] a) { System.out.println(1); } }";
    let (poker, packed) = (player("", "Poker"), player("package edu.cards.game;", "Client"));
    for (name, files, place, run) in [
        (
            "lab",
            &[("Lab15/Lab.java", lab), ("Project01/src/Poker.java", &poker)][..],
            "Project01/src",
            "Poker",
        ),
        (
            "packages",
            &[
                ("hw/src/edu/cards/game/Client.java", &packed),
                ("hw/src/edu/cards/deck/Card.java", "package edu.cards.deck; class Card {}"),
                (
                    "hw/test/edu/cards/CardTest.java",
                    "package edu.cards; import org.junit.Test; class CardTest {}",
                ),
            ],
            "hw/src",
            "java -cp . edu.cards.game.Client",
        ),
        ("languages", &[("Lab3/Main.java", lab), ("poker/bot.py", PLAYER)], "poker", "python3 -u bot.py"),
        ("junk", &[("notes.py", "print(1)"), ("Project01/poker.py", PLAYER)], "Project01", "poker.py"),
        ("old", &[("poker.py", PLAYER), ("old/poker.py", PLAYER)], "", "poker.py"),
        (
            "helper",
            &[
                ("start.py", "import sys, net.client\nnet.client.go(sys.argv)"),
                ("net/client.py", "import socket"),
            ],
            "",
            "start.py",
        ),
        (
            "cpp",
            &[
                ("a/src/net/conn.cpp", "#include <sys/socket.h>"),
                ("a/src/poker.cpp", "int main(int argc, char** argv) {}"),
                ("a/include/conn.h", ""),
                ("a/test/t.cpp", "int main() {}"),
            ],
            "a",
            "./poker",
        ),
    ] {
        let (inside, recipe) =
            of(&format!("find-{name}"), files).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(inside, Path::new(place), "{name}: {recipe:?}");
        assert!(recipe.run.contains(run), "{name}: {}", recipe.run);
    }
}

#[test]
fn crates_that_were_handed_in_with_a_player_are_no_players() {
    let bot = "[package]\nname = \"ace\" # the best\n[dependencies]\nwire = \"1\"\n";
    let wire = [
        ("bot/vendor/wire/Cargo.toml", "[package]\nname = \"wire\""),
        ("bot/vendor/wire/.cargo-checksum.json", "{}"),
        ("bot/vendor/wire/src/main.rs", "use std::net::TcpStream; fn main() { std::env::args(); }"),
    ];
    let main = ("bot/src/main.rs", "use std::net::TcpStream; fn main() { std::env::args(); }");
    let files = [&[("bot/Cargo.toml", bot), main][..], &wire].concat();
    let (inside, recipe) = of("vendored", &files).unwrap();
    assert_eq!(
        (inside.as_path(), recipe.run.as_str()),
        (Path::new("bot"), "target/release/ace {host} {port}")
    );
    assert!(recipe.build[0].contains("replace-with"), "{:?}", recipe.build);
    let told = [&files[..], &[("bot/.cargo/config.toml", "[source.crates-io]")]].concat();
    assert!(!of("told", &told).unwrap().1.build[0].contains("replace-with"));
    // A workspace, and a crate with another one beside it.
    let space = [
        ("Cargo.toml", "[workspace]\nmembers = [\"bot\", \"core\"]"),
        ("core/Cargo.toml", "[package]\nname = \"core\""),
        ("core/src/lib.rs", ""),
    ];
    let files = [&space[..], &[("bot/Cargo.toml", bot), main]].concat();
    let (inside, recipe) = of("workspace", &files).unwrap();
    assert_eq!((inside.as_path(), recipe.run.contains("release/ace")), (Path::new(""), true));
    let beside = bot.replace("\"1\"", "{ path = \"../core\" }");
    let files = [&space[1..], &[("bot/Cargo.toml", beside.as_str()), main]].concat();
    let (inside, recipe) = of("beside", &files).unwrap();
    assert_eq!(inside, Path::new(""));
    assert!(recipe.build[0].contains("--manifest-path bot/Cargo.toml"), "{:?}", recipe.build);
}

#[test]
fn several_players_are_listed_and_one_can_be_named() {
    let files = [("Project01/poker.py", PLAYER), ("Project02/poker.py", PLAYER)];
    let error = of("several", &files).unwrap_err();
    assert!(matches!(error, Unrecognised::SeveralFolders(_)), "{error}");
    assert!(error.to_string().contains("Project01, Project02") && error.to_string().contains("--project"));
    let folder = std::env::temp_dir().join(format!("casino-recognise-{}-named", std::process::id()));
    for (file, content) in files {
        let path = folder.join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    let (inside, _) = recognise(&folder, Some("project02"), &Aim::Player).unwrap();
    assert_eq!(inside, folder.join("Project02"));
    let error = recognise(&folder, Some("Project03"), &Aim::Player).unwrap_err().to_string();
    assert!(error.contains("no folder Project03"), "{error}");
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn unneeded_sources_may_be_broken() {
    let (poker, broken) = (player("", "Poker"), "class Helper { int x = ; }");
    let (_, recipe) = of("broken", &[("Poker.java", &poker), ("Helper.java", broken)]).unwrap();
    assert_eq!(recipe.instead, [["javac -encoding UTF-8 -nowarn -d . -sourcepath . ./Poker.java"]]);
    let main = "int main(int c, char** v) { }";
    let (_, recipe) =
        of("broken-cpp", &[("poker.cpp", main), ("x.cpp", "int x = ;"), ("try.cpp", main)]).unwrap();
    assert!(recipe.build[0].ends_with(" ./poker.cpp ./x.cpp"), "{:?}", recipe.build);
    assert!(recipe.instead[0][0].ends_with(" ./poker.cpp"), "{:?}", recipe.instead);
}

#[test]
fn sources_of_any_encoding_are_unified() {
    use super::tree::as_text;
    let wide: Vec<u8> =
        [0xff, 0xfe].into_iter().chain("é".encode_utf16().flat_map(u16::to_le_bytes)).collect();
    let lines = |text: &str| as_text(text.as_bytes());
    assert_eq!((lines("a\rb\r\nc"), lines("a\r\nb")), ("a\nb\nc".into(), "a\r\nb".into()));
    let unmarked: Vec<u8> = "class Poker {}".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(as_text(&unmarked), "class Poker {}");
    for bytes in [&b"\xe9"[..], "é".as_bytes(), "\u{feff}é".as_bytes(), &wide] {
        // A byte alone at the end could be the beginning of a letter.
        assert_eq!(
            as_text(&[bytes, &b"\n\0"[..if bytes.len() == 1 { 1 } else { 0 }]].concat()).trim_end(),
            "é"
        );
    }
}

const VALUE: &str = "% hand_value(Hand, Start, Value)\nhand_value(H, S, V) :-\n    value(H, S, V).\n";
const SELECT: &str = "select_hand(D, H, C) :- hand(D, H, C).\n";

#[test]
fn a_prolog_file_is_known_by_the_predicates_that_it_defines() {
    let both = format!("{VALUE}{SELECT}");
    let aim = Aim::Predicates(&["hand_value", "select_hand"]);
    let calls = ":- consult(cribbage).\ntest :-\n    hand_value([], _, 0).\n";
    let loader = ":- [value, select].\n";
    for (name, files, at, run) in [
        ("one", &[("project1.pl", both.as_str())][..], "", "./project1.pl "),
        ("deep", &[("hw/src/cribbage.pl", &both), ("hw/src/tests.pl", calls)], "hw/src", "./cribbage.pl "),
        ("half", &[("value.pl", VALUE), ("README", &both)], "", "./value.pl "),
        ("parts", &[("value.pl", VALUE), ("select.pl", SELECT), ("main.pl", loader)], "", "./main.pl "),
        ("other", &[("Poker.java", &player("", "Poker")), ("cribbage.pl", &both)], "", "./cribbage.pl "),
        ("better", &[("old.pl", VALUE), ("new.pl", &both)], "", "./new.pl "),
    ] {
        let (inside, recipe) = of_aim(name, files, &aim).unwrap();
        assert_eq!((inside.as_path(), recipe.run.as_str()), (Path::new(at), run), "{name}");
    }
    for (name, files, words) in [
        (
            "parts-apart",
            &[("value.pl", VALUE), ("select.pl", SELECT)][..],
            "(select.pl, value.pl): hand in one file",
        ),
        ("versions", &[("a.pl", &both), ("b.pl", &both)], "--file"),
        ("calls-alone", &[("tests.pl", calls)], "no Prolog file that defines hand_value or select_hand"),
    ] {
        let error = of_aim(name, files, &aim).unwrap_err().to_string();
        assert!(error.contains(words), "{name}: {error}");
    }
}

#[test]
fn a_package_of_python_runs_from_the_folder_around_it() {
    let init = ("app/__init__.py", "");
    for (name, files, at, run) in [
        ("relative", &[("bot/me.py", format!("from .wire import say\n{PLAYER}").as_str())][..], "", "bot.me"),
        ("own", &[("x/bot/main.py", &format!("from bot.wire import say\n{PLAYER}"))], "x", "bot.main"),
        ("inner", &[init, ("app/bot/me.py", &format!("from ..wire import say\n{PLAYER}"))], "", "app.bot.me"),
        ("main", &[init, ("app/__main__.py", PLAYER)], "", "app"),
        ("flat", &[("me.py", &format!("from .wire import say\n{PLAYER}"))], "", "package.me"),
    ] {
        let (inside, recipe) = of(name, files).unwrap();
        let wanted = format!("python3 -u -m {run} {{host}} {{port}}");
        assert_eq!((inside.as_path(), recipe.run), (Path::new(at), wanted), "{name}");
    }
}

#[test]
fn every_level_is_tried_with_the_needed_sources() {
    let main = "#include \"deck.hpp\"\nint main() {}";
    let files = [
        ("poker.cpp", main),
        ("deck.hpp", "#include \"card.h\""),
        ("deck.cpp", ""),
        ("card.cpp", ""),
        ("old.cpp", ""),
    ];
    let (_, recipe) = of("levels", &files).unwrap();
    let needed =
        |line: &&String| line.contains("./card.cpp ./deck.cpp ./poker.cpp") && !line.contains("old.cpp");
    let found: Vec<&String> = recipe.instead.iter().flatten().filter(needed).collect();
    let levels = ["17", "20", "23"].map(|level| found.iter().filter(|line| line.contains(level)).count());
    assert_eq!(levels, [1, 1, 1], "{:?}", recipe.instead);
}

#[test]
fn a_failing_makefile_falls_back_to_the_sources() {
    let main = "int main() { socket(); argv; }";
    let (_, recipe) = of("make-instead", &[("Makefile", "clean:\npoker: x\n"), ("poker.cpp", main)]).unwrap();
    assert_eq!(
        (recipe.build, recipe.instead),
        (vec!["make -B".to_string()], vec![vec!["make -B poker".to_string()]])
    );
    assert_eq!(recipe.otherwise.iter().map(|other| other.kind.as_str()).collect::<Vec<_>>(), ["C++"]);
    assert!(recipe.otherwise[0].run.ends_with("{host} {port}"));
}

#[test]
fn copies_and_other_mains_are_left_out_if_the_build_fails() {
    let aim = Aim::Answers { names: &["blackjack", "main"], arguments: "{cards}" };
    let main = "int main() {}";
    let files = [
        ("blackjack.cpp", main),
        ("main.cpp", main),
        ("deck.cpp", ""),
        ("old/deck.cpp", ""),
        ("old/hand.cpp", ""),
    ];
    let (_, recipe) = of_aim("copies", &files, &aim).unwrap();
    let sources = |line: &String| -> Vec<String> {
        line.split(' ').filter(|word| word.ends_with(".cpp")).map(str::to_string).collect()
    };
    assert_eq!(
        sources(&recipe.build[0]),
        ["./blackjack.cpp", "./deck.cpp", "./old/deck.cpp", "./old/hand.cpp"]
    );
    let instead: Vec<Vec<String>> = recipe.instead.iter().map(|lines| sources(&lines[0])).collect();
    assert_eq!(instead[0], ["./blackjack.cpp", "./deck.cpp", "./old/hand.cpp"]);
    assert_eq!(instead[1], ["./blackjack.cpp", "./deck.cpp"]);
    assert_eq!(instead[2], ["./blackjack.cpp"]);
}
