//! Tests of the recognition of many kinds of folders.

use super::*;
use crate::grade::from_source::{HAND_VALUE, SELECT_HAND};
use crate::grade::submission::UnpackBudget;
use crate::sandbox::ScratchFolder;

/// The hand-ins, with a description of their form.
const CASES: &str = include_str!("cases.txt");

const MAIN: &str = "public class Bot { public static void main(String[] a) {} }";

/// A player in Python, as far as its words go.
const PLAYER: &str = "import socket, sys\nsocket.create_connection((sys.argv[1], int(sys.argv[2])))\n";

const JAVA_PLAYER: &str = "import java.net.Socket;\nclass Bot { static public void main(String[] a) throws Exception { new \
                           Socket(a[0], 1); } }";

const VALUE: &str = "% hand_value(Hand, Start, Value)\nhand_value(H, S, V) :-\n    value(H, S, V).\n";
const SELECT: &str = "select_hand(D, H, C) :- hand(D, H, C).\n";

/// Recognizes a folder with these files as a player and returns its place and recipe.
fn of(files: &[(&str, &str)]) -> Result<(PathBuf, Recipe), Unrecognised> {
    of_aim(files, &Aim::Player)
}

fn of_aim(files: &[(&str, &str)], aim: &Aim) -> Result<(PathBuf, Recipe), Unrecognised> {
    let folder = ScratchFolder::with(files);
    let (inside, recipe) = recognise(&folder, None, aim)?;
    Ok((inside.strip_prefix(&*folder).unwrap().to_path_buf(), recipe))
}

/// Tidies these files, and returns the files that are there then, and the notes.
pub(super) fn tidied(files: &[(&str, &str)]) -> (Vec<String>, Vec<String>) {
    let folder = ScratchFolder::with(files);
    let notes = tidy(&folder, &mut UnpackBudget::default()).unwrap();
    let mut left = files_named(&folder, None, &|_| true).unwrap().1;
    left.sort();
    (left.iter().map(|path| path.display().to_string()).collect(), notes)
}

/// The text of a file of the cases, with its abbreviations written out.
fn written_out(text: &str) -> String {
    let mut text = text.replace("\\r", "\r").replace("\\n", "\n");
    for (sign, java) in [("@main ", MAIN), ("@player ", JAVA_PLAYER)] {
        if let Some((before, class)) = text.clone().split_once(sign) {
            text = format!("{before}{}", java.replace("Bot", class));
        }
    }
    let main = "int main(int argc, char** argv) {}";
    text.replace("@py", PLAYER).replace("@cpp", main).replace("@value", VALUE).replace("@select", SELECT)
}

#[test]
fn hand_ins_are_recognized_and_tidied() {
    let cases: Vec<&str> = CASES.split("\n== ").skip(1).collect();
    assert!(cases.len() > 70);
    for case in cases {
        let lines: Vec<&str> = case.trim_end().lines().collect();
        let [name, files @ .., wanted] = &lines[..] else { panic!("{case}") };
        let files: Vec<(&str, String)> = files
            .iter()
            .map(|line| line.split_once(':').unwrap())
            .map(|(file, text)| (file, written_out(text.trim_start())))
            .collect();
        let files: Vec<(&str, &str)> = files.iter().map(|(file, text)| (*file, text.as_str())).collect();
        let (sign, wanted) = wanted.split_at(3);
        if sign == "~> " {
            let (left, notes) = tidied(&files);
            assert_eq!(format!("{}; {}", left.join(", "), notes.len()), wanted, "{name}: {notes:?}");
            continue;
        }
        let is_player = !name.ends_with(" (cribbage)");
        let aim = if is_player { Aim::Player } else { Aim::Predicates(&["hand_value", "select_hand"]) };
        match of_aim(&files, &aim) {
            Ok((inside, recipe)) => {
                let inside =
                    if inside == Path::new("") { ".".to_string() } else { inside.display().to_string() };
                let found = format!("{} in {inside}: {}", recipe.kind, recipe.run.trim_end());
                assert!(sign == "-> " && found.contains("{host} {port}") == is_player, "{name}: {found}");
                let (place, run) = wanted.split_once(": ").unwrap();
                assert!(found.starts_with(&format!("{place}: ")) && found.contains(run), "{name}: {found}");
                assert!(is_player || found == wanted, "{name}: {found}");
            }
            Err(error) => assert!(sign == "!! " && error.to_string().contains(wanted), "{name}: {error}"),
        }
    }
}

#[test]
fn source_names_are_never_taken_for_options() {
    let files = [("Poker.java", MAIN), ("b/My Card.java", ""), (".x/No.java", ""), ("-d.java", "")];
    let build = of(&files).unwrap().1.build;
    let card = casino_system::command_line::quote("./b/My Card.java").unwrap();
    assert_eq!(build, [format!("javac -encoding UTF-8 -nowarn -d . ./-d.java ./Poker.java {card}")]);
    let build = of(&[("z.cpp", ""), ("a.cc", ""), ("a.h", "")]).unwrap().1.build;
    assert!(build[0].ends_with(" ./z.cpp ./a.cc"), "{build:?}");
    let build = of(&[("bot.cpp", "int main() {}"), ("casino-bot.cpp", "")]).unwrap().1.build;
    assert!(build[0].contains(" -o bot") && build[0].contains(" ./casino-bot.cpp"), "{build:?}");
}

#[test]
fn of_two_projects_the_one_that_is_asked_for_is_found() {
    let main = |class: &str| MAIN.replace("Bot", class);
    let (value, select) = (main("HandValue"), main("SelectHand"));
    let files = [("HandValue/src/HandValue.java", &*value), ("SelectHand/src/SelectHand.java", &select)];
    for (aim, wanted) in [(HAND_VALUE, "HandValue/src"), (SELECT_HAND, "SelectHand/src")] {
        assert_eq!(of_aim(&files, &aim).unwrap().0, Path::new(wanted));
    }
}

#[test]
fn libraries_that_cannot_be_read_are_left_out() {
    let files = [
        ("src/Poker.java", MAIN),
        ("gradle/wrapper/gradle-wrapper.jar", "PK"),
        ("lib/torn.jar", "PK\u{3}\u{4}"),
    ];
    let recipe = of(&files).unwrap().1;
    assert!(!recipe.build[0].contains("jar") && !recipe.run.contains("jar"), "{recipe:?}");
}

#[test]
fn a_formatted_text_is_called_one() {
    let why = of(&[("Poker.java", "{\\rtf1\\ansi class Poker { }}")]).unwrap_err().to_string();
    assert!(why.starts_with("Poker.java is a formatted text (RTF)"), "{why}");
}

#[test]
fn bot_json_describes_the_program() {
    let json = r#"{"build": ["a", "b"], "run": "c {host} {port}"}"#;
    let (_, recipe) = of(&[("bot.json", json), ("Poker.java", MAIN)]).unwrap();
    assert_eq!((recipe.build.len(), recipe.run.as_str()), (2, "c {host} {port}"));
    let marked = format!("\u{feff}{}", json.replace(", ", ",\r\n"));
    assert_eq!(of(&[("bot.json", &marked)]).unwrap().1.build, ["a", "b"]);
    let one = r#"{"build": "a", "run": "c {host} {port}"}"#;
    assert_eq!(of(&[("bot.json", one)]).unwrap().1.build, ["a"]);
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
    let (inside, recipe) = of(&files).unwrap();
    assert_eq!(
        (inside.as_path(), recipe.run.as_str()),
        (Path::new("bot"), "target/release/ace {host} {port}")
    );
    assert!(recipe.build[0].contains("replace-with"), "{:?}", recipe.build);
    let configured = [&files[..], &[("bot/.cargo/config.toml", "[source.crates-io]")]].concat();
    assert!(!of(&configured).unwrap().1.build[0].contains("replace-with"));
    // A workspace, and a crate with another one beside it.
    let space = [
        ("Cargo.toml", "[workspace]\nmembers = [\"bot\", \"core\"]"),
        ("core/Cargo.toml", "[package]\nname = \"core\""),
        ("core/src/lib.rs", ""),
    ];
    let files = [&space[..], &[("bot/Cargo.toml", bot), main]].concat();
    let (inside, recipe) = of(&files).unwrap();
    assert_eq!((inside.as_path(), recipe.run.contains("release/ace")), (Path::new(""), true));
    let beside = bot.replace("\"1\"", "{ path = \"../core\" }");
    let files = [&space[1..], &[("bot/Cargo.toml", beside.as_str()), main]].concat();
    let (inside, recipe) = of(&files).unwrap();
    assert_eq!(inside, Path::new(""));
    assert!(recipe.build[0].contains("--manifest-path bot/Cargo.toml"), "{:?}", recipe.build);
}

#[test]
fn several_players_are_listed_and_one_can_be_named() {
    let files = [("Project01/poker.py", PLAYER), ("Project02/poker.py", PLAYER)];
    let error = of(&files).unwrap_err();
    assert!(matches!(error, Unrecognised::SeveralFolders(_)), "{error}");
    let folder = ScratchFolder::with(&files);
    let (inside, _) = recognise(&folder, Some("project02"), &Aim::Player).unwrap();
    assert_eq!(inside, folder.join("Project02"));
    let error = recognise(&folder, Some("Project03"), &Aim::Player).unwrap_err().to_string();
    assert!(error.contains("no folder Project03"), "{error}");
}

#[test]
fn unneeded_sources_may_be_broken() {
    let (poker, broken) = (JAVA_PLAYER.replace("Bot", "Poker"), "class Helper { int x = ; }");
    let (_, recipe) = of(&[("Poker.java", &poker), ("Helper.java", broken)]).unwrap();
    assert_eq!(recipe.instead, [["javac -encoding UTF-8 -nowarn -d . -sourcepath . ./Poker.java"]]);
    let main = "int main(int c, char** v) { }";
    let (_, recipe) = of(&[("poker.cpp", main), ("x.cpp", "int x = ;"), ("try.cpp", main)]).unwrap();
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
    let (_, recipe) = of(&files).unwrap();
    let needed =
        |line: &&String| line.contains("./card.cpp ./deck.cpp ./poker.cpp") && !line.contains("old.cpp");
    let found: Vec<&String> = recipe.instead.iter().flatten().filter(needed).collect();
    let levels = ["17", "20", "23"].map(|level| found.iter().filter(|line| line.contains(level)).count());
    assert_eq!(levels, [1, 1, 1], "{:?}", recipe.instead);
}

#[test]
fn a_failing_makefile_falls_back_to_the_sources() {
    let main = "int main() { socket(); argv; }";
    let (_, recipe) = of(&[("Makefile", "clean:\npoker: x\n"), ("poker.cpp", main)]).unwrap();
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
    let (_, recipe) = of_aim(&files, &aim).unwrap();
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
