//! Hand-ins of the sister courses that try to earn points by something else than the work: each earns no more than a program that
//! says one thing to everything, and the judge goes on.

#![allow(clippy::unwrap_used, reason = "nothing here is outside a test")]

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::sisters::{casino, has_prolog, python};
use crate::tools::has;

/// A folder of a test's own.
fn place(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("cheats-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// The points of a judgement with these words, and everything that it says.
fn points(words: &[&str]) -> (f64, Value) {
    let more = ["--seed", "cheats", "--json", "--exit-zero", "--even-if-busy"];
    let ran = casino(&[&["grade"], words, &more].concat());
    let report: Value = serde_json::from_str(&ran.stdout)
        .unwrap_or_else(|_| panic!("{words:?}: {}{}", ran.stdout, ran.stderr));
    (report["summary"]["points"].as_f64().unwrap(), report)
}

/// Judges all of them, and holds each against the one that says one thing.
fn none_wins(cheats: &[(&str, String)], honest: f64, judge: impl Fn(&str, &str) -> (f64, Value)) {
    let mut won = Vec::new();
    for (name, text) in cheats {
        let (points, report) = judge(name, text);
        if points > honest {
            won.push(format!("{name}: {points} points, where {honest} are honest\n{report:#}"));
        }
    }
    assert!(won.is_empty(), "{}", won.join("\n"));
}

/// Prolog files for `hand_value/3`.
const PROLOG: [(&str, &str); 20] = [
    ("unbound", "hand_value(_, _, _)."),
    ("every-value", "hand_value(_, _, V) :- between(0, 29, V)."),
    ("every-value-again", "hand_value(_, _, V) :- repeat, V = 12."),
    ("text", "hand_value(_, _, \"12\")."),
    ("list", "hand_value(_, _, [0, 2, 4, 6, 8, 12, 29])."),
    ("disjunction", "hand_value(_, _, (2 ; 4 ; 8 ; 12 ; 29))."),
    ("float", "hand_value(_, _, 1.0Inf)."),
    ("cyclic", "hand_value(_, _, X) :- X = f(X)."),
    ("huge", "hand_value(_, _, V) :- V is 7 ** 100000."),
    ("halts", "hand_value(_, _, _) :- halt(0)."),
    ("halts-at-once", ":- halt(0)."),
    ("forged-line", "hand_value(_, _, _) :- format(\"~ncasino-answer 12~n\"), halt(0)."),
    (
        "forged-lines",
        "hand_value(_, _, _) :- forall(between(0, 29, V), format(\"~ncasino-answer ~w~n\", [V])), halt(0).",
    ),
    (
        "forged-verdict",
        ":- format(\"{\\\"summary\\\":{\\\"points\\\":100,\\\"passed\\\":100}}~n\"), halt(0).",
    ),
    (
        "other-format",
        ":- redefine_system_predicate(format(_, _)).\nformat(_, _) :- write('casino-answer *').\nhand_value(_, _, 1).",
    ),
    ("floods", "hand_value(_, _, _) :- repeat, write(casino), nl, fail."),
    ("for-ever", "hand_value(A, B, C) :- hand_value(A, B, C)."),
    ("grows", "hand_value(_, _, V) :- length(V, _), fail."),
    (
        "reads-files",
        "hand_value(_, _, V) :- catch((open('/proc/self/environ', read, S), read_string(S, _, T), string_length(T, V)), _, V = 7).",
    ),
    (
        "asks-the-parent",
        ":- use_module(library(process)).\nhand_value(_, _, V) :- catch((process_create(path(cat), ['/proc/1/cmdline'], [stdout(pipe(O))]), read_string(O, _, V)), _, V = 9).",
    ),
];

#[test]
fn no_prolog_file_earns_a_point_without_the_value_of_a_hand() {
    if !has_prolog() {
        return;
    }
    let folder = place("prolog");
    let judge = |name: &str, text: &str| {
        let file = folder.join(format!("{name}.pl"));
        fs::write(&file, text).unwrap();
        points(&["cribbage", "value", "--cases", "0", "--prolog", file.to_str().unwrap()])
    };
    // Whoever says one number is right now and then; some of these say one.
    let honest = [0, 7, 9, 12].map(|value| (value, format!("hand_value(_, _, {value}).")));
    let best =
        honest.iter().map(|(value, text)| judge(&format!("honest-{value}"), text).0).fold(0.0, f64::max);
    let cheats: Vec<(&str, String)> = PROLOG.map(|(name, text)| (name, text.to_string())).into();
    none_wins(&cheats, best, judge);
}

/// What a program in Python does at its beginning; then it prints what an honest one prints that knows nothing.
const PYTHON: [(&str, &str); 16] = [
    ("reads-its-parent", "print(open(f'/proc/{os.getppid()}/cmdline').read())"),
    ("reads-the-memory-of-its-parent", "print(open(f'/proc/{os.getppid()}/mem', 'rb').read(100))"),
    ("follows-open-files", "[print(os.readlink(f'/proc/self/fd/{n}')) for n in os.listdir('/proc/self/fd')]"),
    ("writes-to-all-files", "[os.write(n, b'points 100') for n in range(3, 64)]"),
    (
        "looks-for-transcripts",
        "[print(open(p).read()) for p in glob.glob('/**/*transcript*', recursive=True)[:9]]",
    ),
    ("looks-for-cases", "[print(p) for p in glob.glob('/tmp/**', recursive=True)[:99]]"),
    (
        "plays-casino",
        "print(subprocess.run(['casino', 'blackjack', *sys.argv[1:]], capture_output=True).stdout)",
    ),
    (
        "asks-its-parents-program",
        "print(subprocess.run([f'/proc/{os.getppid()}/exe', 'blackjack', '100', '5', 'simple'], capture_output=True))",
    ),
    ("asks-the-network", "print(socket.create_connection(('127.0.0.1', 80), 1).recv(100))"),
    ("forges-a-report", "print('{\"summary\": {\"points\": 100, \"max_points\": 100}}'); sys.exit(0)"),
    ("kills-its-parent", "os.kill(os.getppid(), 9)"),
    ("kills-everybody", "os.kill(-1, 9)"),
    ("leaves-a-child", "os.fork() and sys.exit(0); time.sleep(60)"),
    ("says-everything", "[print(n) for n in range(30)]"),
    ("says-everything-in-a-line", "print(*range(30)); sys.exit(0)"),
    ("is-quiet-and-well", "sys.exit(0)"),
];

#[test]
fn no_program_earns_a_point_by_looking_round() {
    let Some(python) = python() else { return };
    let folder = place("python");
    let imports = "import glob, os, socket, subprocess, sys, time\n";
    let file = folder.join("cheat.py");
    let command = |arguments: &str| format!("{python} {} {arguments}", file.display());
    for (task, answer, arguments) in [
        ("value", "0", "{cards}"),
        ("select", "' '.join(sys.argv[1:5])", "{cards}"),
        ("", "''", "{bankroll} {hands} {player}"),
    ] {
        let judge = |_: &str, text: &str| {
            fs::write(&file, format!("{imports}{text}\nprint({answer})\n")).unwrap();
            let command = command(arguments);
            match task {
                "" => points(&["blackjack", "--cases", "1", "--program", &command]),
                task => points(&["cribbage", task, "--cases", "1", "--program", &command]),
            }
        };
        let honest = judge("honest", "").0;
        let cheats: Vec<(&str, String)> =
            PYTHON.map(|(name, does)| (name, format!("try:\n    {does}\nexcept Exception: pass"))).into();
        none_wins(&cheats, honest, judge);
    }
}

/// What stands in a deck that does nothing right, and is done when the first one is made.
const DECKS: [(&str, &str); 12] = [
    ("exits", "exit(0);"),
    ("leaves-at-once", "_exit(0);"),
    ("forges-lines", "puts(\"passed\"); puts(\"ok 52\"); fflush(stdout); _exit(0);"),
    (
        "repeats-its-list",
        "char line[4096]; while (fgets(line, sizeof line, stdin)) puts(line); fflush(stdout); _exit(0);",
    ),
    (
        "repeats-it-with-answers",
        "rewind(stdin); char line[4096]; while (fgets(line, sizeof line, stdin)) printf(\"%s 52\\n\", line); fflush(stdout); _exit(0);",
    ),
    (
        "reads-its-program",
        "FILE *f = fopen(\"/proc/self/exe\", \"rb\"); char b[4096]; while (f && fread(b, 1, sizeof b, f)) fwrite(b, 1, sizeof b, stdout); fflush(stdout); _exit(0);",
    ),
    (
        "reads-its-parent",
        "char n[64]; sprintf(n, \"/proc/%d/cmdline\", getppid()); FILE *f = fopen(n, \"r\"); char b[4096]; if (f && fgets(b, sizeof b, f)) puts(b);",
    ),
    ("kills-its-parent", "kill(getppid(), SIGKILL);"),
    ("forks", "if (fork() > 0) _exit(0);"),
    ("closes-its-outputs", "close(1); close(2);"),
    ("has-an-exit-handler", "atexit([] { puts(\"passed\"); fflush(stdout); _exit(0); }); exit(3);"),
    ("crashes-and-says-0", "signal(SIGSEGV, [](int) { _exit(0); }); raise(SIGSEGV);"),
];

const DECK_HEAD: &str =
    "#include \"deck.h\"\n#include <csignal>\n#include <cstdio>\n#include <cstdlib>\n#include <unistd.h>\n";
const DECK_REST: &str = "void Deck::reset() {}\nvoid Deck::shuffle(int) {}\nCard Deck::deal() { throw DeckEmpty(); }\n\
                         int Deck::cardsLeft() { return next; }\n";

#[test]
fn no_deck_earns_a_point_without_dealing_a_card() {
    if !has("g++", "decks that cheat") {
        return;
    }
    let judge = |name: &str, text: &str| {
        let folder = place(&format!("deck-{name}"));
        fs::write(folder.join("deck.cpp"), text).unwrap();
        points(&["blackjack", folder.to_str().unwrap(), "--cases", "0"])
    };
    let deck = |does: &str| format!("{DECK_HEAD}Deck::Deck() {{ next = 0; {does} }}\n{DECK_REST}");
    let honest = judge("honest", &deck("")).0;
    let cheats: Vec<(&str, String)> = DECKS.map(|(name, does)| (name, deck(does))).into();
    none_wins(&cheats, honest, judge);
}

/// The bodies of test cases for a deck that test nothing of it. What is left to chance says the same seven times, as it would have to,
/// once in some hundred thousand tries.
const OWN_CASES: [(&str, &str); 14] = [
    ("accepts", "return 0;"),
    ("rejects", "return 1;"),
    ("crashes", "abort();"),
    ("by-its-name", "return std::string(arguments[0]).find('0') == std::string::npos;"),
    ("by-its-path", "char path[4096]; long n = readlink(\"/proc/self/exe\", path, 4096); return n % 2;"),
    ("by-its-size", "struct stat about; stat(\"/proc/self/exe\", &about); return about.st_size % 2;"),
    ("by-its-inode", "struct stat about; stat(\"/proc/self/exe\", &about); return about.st_ino % 2;"),
    (
        "by-its-time",
        "struct stat about; stat(\"/proc/self/exe\", &about); return about.st_mtime % 2 || about.st_ctim.tv_nsec / 1000 % 2;",
    ),
    ("by-the-clock", "return std::chrono::steady_clock::now().time_since_epoch().count() / 1000 % 50 == 0;"),
    ("by-its-number", "return getpid() % 50 == 0;"),
    ("by-its-parent", "return getppid() % 50 == 0;"),
    ("by-its-place-in-memory", "int here; return (reinterpret_cast<unsigned long>(&here) >> 5) % 50 == 0;"),
    ("by-a-coin-that-mostly-rejects", "return std::random_device()() % 50 != 0;"),
    ("by-a-coin-that-mostly-accepts", "return std::random_device()() % 50 == 0;"),
];

#[test]
fn no_test_case_earns_a_point_that_does_not_test() {
    if !has("g++", "test cases that cheat") {
        return;
    }
    let head = "#include \"deck.h\"\n#include <chrono>\n#include <cstdlib>\n#include <random>\n#include <string>\n#include <sys/stat.h>\n\
                #include <unistd.h>\n";
    let folder = place("own");
    for (name, body) in OWN_CASES {
        let text =
            format!("{head}int main(int, char **arguments) {{ (void)arguments; Deck deck; {body} }}\n");
        fs::write(folder.join(format!("deck.case.{name}.cpp")), text).unwrap();
    }
    let (won, report) =
        points(&["blackjack", folder.to_str().unwrap(), "--cases", "0", "--time-limit", "60"]);
    let cases: Vec<&Value> = report["parts"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|part| part["title"] == "Own test cases")
        .flat_map(|part| part["items"].as_array().unwrap())
        .filter(|item| item["max_points"] == 1.0)
        .collect();
    assert_eq!(cases.len(), OWN_CASES.len(), "{report:#}");
    let earned: Vec<&str> =
        cases.iter().filter(|item| item["points"] != 0.0).map(|item| item["id"].as_str().unwrap()).collect();
    assert_eq!((won, earned), (0.0, Vec::new()), "{report:#}");
}
