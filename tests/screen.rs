//! The terminal view in a real pseudo-terminal: what is on the screen, and that the terminal is given back.
#![allow(clippy::unwrap_used, reason = "nothing here is outside a test")]

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::process::{Child, Command, Stdio};

use nix::fcntl::{FcntlArg, FdFlag, fcntl};
use nix::pty::{Winsize, openpty};
use nix::sys::signal::{Signal, kill};
use nix::sys::termios::{LocalFlags, tcgetattr};
use nix::unistd::{Pid, ttyname};

/// A `casino` whose standard output is a terminal, and what that terminal shows.
struct Terminal {
    child: Child,
    output: File,
    screen: vt100::Parser,
    all: Vec<u8>,
    /// Where it is, for who changes its size.
    path: std::path::PathBuf,
}

fn emulator(rows: u16, cols: u16) -> vt100::Parser {
    vt100::Parser::new(rows.try_into().unwrap(), cols.try_into().unwrap(), 0)
}

impl Terminal {
    fn start(rows: u16, cols: u16, arguments: &[&str], environment: &[(&str, &str)]) -> Terminal {
        Terminal::with_input(rows, cols, arguments, environment, false)
    }

    /// A terminal with a keyboard, at which somebody plays.
    fn with_keyboard(rows: u16, cols: u16, arguments: &[&str]) -> Terminal {
        Terminal::with_input(rows, cols, arguments, &[], true)
    }

    fn with_input(
        rows: u16,
        cols: u16,
        arguments: &[&str],
        environment: &[(&str, &str)],
        has_keyboard: bool,
    ) -> Terminal {
        let size = Winsize { ws_row: rows, ws_col: cols, ws_xpixel: 0, ws_ypixel: 0 };
        let pty = openpty(&size, None).unwrap();
        // Only we hold this end: when we are gone, whoever writes to the other one is told so.
        fcntl(&pty.master, FcntlArg::F_SETFD(FdFlag::FD_CLOEXEC)).unwrap();
        let path = ttyname(&pty.slave).unwrap();
        let slave: OwnedFd = pty.slave;
        let child = Command::new(env!("CARGO_BIN_EXE_casino"))
            .args(arguments)
            .env_remove("NO_COLOR")
            .env("TERM", "xterm-256color")
            .envs(environment.iter().copied())
            .stdin(if has_keyboard { Stdio::from(slave.try_clone().unwrap()) } else { Stdio::null() })
            .stdout(slave)
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let screen = emulator(rows, cols);
        Terminal { child, output: File::from(pty.master), screen, all: Vec::new(), path }
    }

    /// Reads what comes next. False if nobody writes any more.
    fn read(&mut self) -> bool {
        let mut bytes = [0; 4096];
        match self.output.read(&mut bytes) {
            // A terminal that nobody holds any more gives an error.
            Ok(0) | Err(_) => false,
            Ok(count) => {
                self.screen.process(&bytes[..count]);
                self.all.extend_from_slice(&bytes[..count]);
                true
            }
        }
    }

    fn rows(&self) -> Vec<String> {
        let (_, cols) = self.screen.screen().size();
        self.screen.screen().rows(0, cols.into()).collect()
    }

    /// Reads until the screen satisfies `wanted`, which it must before the end.
    fn until(&mut self, what: &str, wanted: impl Fn(&[String]) -> bool) -> Vec<String> {
        loop {
            let rows = self.rows();
            if self.screen.screen().alternate_screen() && wanted(&rows) {
                return rows;
            }
            assert!(self.read(), "{what} was never on the screen: {rows:#?}");
        }
    }

    /// Presses keys.
    fn press(&mut self, keys: &str) {
        self.output.write_all(keys.as_bytes()).unwrap();
    }

    /// Plays on until it is over: stays whenever it is asked, and goes on after each round. The exit code, what is left on
    /// the screen, and all that was on it.
    fn stays_to_the_end(mut self) -> (Option<i32>, String, Vec<String>) {
        let (mut shown, mut seen) = (Vec::new(), Vec::new());
        while self.read() {
            let rows = self.rows();
            if rows == shown || !self.screen.screen().alternate_screen() {
                continue;
            }
            let has = |what: &str| rows.iter().any(|row| row.contains(what));
            if has("Your turn") {
                self.press("c");
            } else if has("Enter goes on.") {
                self.press("\n");
            }
            seen.push(rows.join("\n"));
            shown = rows;
        }
        let (code, left) = self.end();
        (code, left, seen)
    }

    fn signal(&self, signal: Signal) {
        kill(Pid::from_raw(self.child.id() as i32), signal).unwrap();
    }

    /// Reads to the end: the exit code, and what is left on the screen.
    fn end(mut self) -> (Option<i32>, String) {
        while self.read() {}
        let code = self.child.wait().unwrap().code();
        let screen = self.screen.screen();
        assert!(!screen.alternate_screen(), "the terminal is not given back");
        assert!(!screen.hide_cursor(), "the cursor is not given back");
        (code, screen.contents())
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

const SEVENTEEN: [&str; 11] = [
    "play",
    "--bot",
    "cautious*4",
    "--bot",
    "reader*4",
    "--bot",
    "odds*3",
    "--bot",
    "spades*3",
    "--bot",
    "simple*3",
];

/// What a screen of seventeen has on it once a round has been played to its end.
fn is_whole(rows: &[String]) -> bool {
    let text = rows.join("\n");
    let names = ["cautious", "reader", "odds", "spades", "simple"];
    let seat = |row: &&String| {
        let row = row.trim_start_matches(['▸', '◦', '★', ' ']);
        names.iter().any(|name| row.starts_with(name))
    };
    rows[2..].iter().filter(seat).count() == 17
        && text.contains(" in ")
        && tells_an_end(rows)
        && text.contains(['♠', '♥', '♦', '♣'])
}

/// Whether the end of a round is told on the screen.
fn tells_an_end(rows: &[String]) -> bool {
    rows[1].contains(" wins ") || rows[1].contains(" scoops ")
}

/// The number of the round that is on the screen.
fn round(rows: &[String]) -> Option<u64> {
    rows[0].split_once(" · round ")?.1.split(' ').next()?.parse().ok()
}

#[test]
fn seventeen_players_are_on_a_small_and_a_large_terminal_which_is_given_back_at_the_end() {
    for (rows, cols) in [(24, 80), (50, 200)] {
        let arguments =
            [&SEVENTEEN[..], &["--screen", "--rounds", "100", "--pace", "50", "--seed", "screen"]].concat();
        let mut terminal = Terminal::start(rows, cols, &arguments, &[]);
        let shown = terminal.until("a whole round of 17", is_whole);
        assert!(shown[0].starts_with("Casino Day · round "), "{shown:#?}");
        let steps = |row: &String| row.chars().filter(|c| ('▁'..='█').contains(c)).count();
        terminal.until("the race", |rows| rows.iter().filter(|row| steps(row) >= 10).count() > 10);
        assert!(terminal.screen.screen().hide_cursor());
        let (code, left) = terminal.end();
        assert_eq!(code, Some(0));
        assert!(left.contains("After 100 rounds"), "{left}");
    }
}

#[test]
fn of_an_event_of_many_tables_one_is_on_the_screen_with_a_line_for_each_and_the_leaders_and_it_changes() {
    let players =
        ["play", "--bot", "cautious*6", "--bot", "odds*6", "--seats", "6", "--level-rounds", "5000"];
    let arguments =
        [&players[..], &["--rounds", "5000", "--screen", "--pace", "15", "--seed", "event"]].concat();
    let mut terminal = Terminal::start(24, 80, &arguments, &[]);
    let rows = terminal.until("a table of six", |rows| is_shown(rows, 6) && watched(rows).is_some());
    assert!(rows[0].starts_with("Casino Day · round ") && rows[0].contains(" of 2 · "), "{rows:#?}");
    for (what, count) in [("of 12 in", 1), ("  table ", 1), ("the race", 1)] {
        assert_eq!(rows.iter().filter(|row| row.contains(what)).count(), count, "{what}: {rows:#?}");
    }
    // Names and cards are those of the players who sit there.
    let rows = terminal.until("a round that is over", |rows| is_shown(rows, 6) && tells_an_end(rows));
    assert!(rows[1].starts_with("cautious-") || rows[1].starts_with("odds-"), "{rows:#?}");
    let has_cards = |row: &&String| row.contains(['♠', '♥', '♦', '♣']) && row.contains("-");
    assert!(rows[3..].iter().filter(has_cards).count() >= 6, "{rows:#?}");
    let first = watched(&rows);
    let rows =
        terminal.until("the other table", |rows| watched(rows).is_some_and(|table| Some(table) != first));
    assert!(is_shown(&rows, 5), "{rows:#?}");
    terminal.signal(Signal::SIGINT);
    let (code, left) = terminal.end();
    assert_eq!(code, Some(0));
    assert!(left.contains("stopped early"), "{left}");
}

/// The number of the table that is shown, as the first line says.
fn watched(rows: &[String]) -> Option<char> {
    rows[0].split_once(" · table ")?.1.chars().next()
}

/// Whether so many players are on the screen.
fn is_shown(rows: &[String], players: usize) -> bool {
    let is_player = |row: &&String| row.contains("cautious-") || row.contains("odds-");
    rows.iter().filter(is_player).count() >= players
}

#[test]
fn the_screen_follows_the_terminal_to_another_size() {
    let arguments =
        [&SEVENTEEN[..], &["--screen", "--rounds", "1000000", "--pace", "400", "--seed", "screen"]].concat();
    let mut terminal = Terminal::start(50, 200, &arguments, &[]);
    let rows = terminal.until("a whole round of 17", is_whole);
    let first = round(&rows);
    terminal.until("a later round", |rows| round(rows) > first);
    let path = terminal.path.to_string_lossy().into_owned();
    let resized = Command::new("stty").args(["-F", &path, "rows", "24", "cols", "80"]).status().unwrap();
    assert!(resized.success());
    terminal.screen = emulator(24, 80);
    // The terminal itself has kept that it shows the other screen.
    terminal.screen.process(b"\x1b[?1049h");
    let rows = terminal.until("everybody on the smaller screen", is_whole);
    assert_eq!(rows.len(), 24);
    terminal.signal(Signal::SIGINT);
    let (code, left) = terminal.end();
    assert_eq!(code, Some(0));
    assert!(left.contains("stopped early"), "{left}");
}

#[test]
fn colours_are_left_out_where_nobody_wants_them() {
    let arguments =
        [&SEVENTEEN[..], &["--screen", "--rounds", "30", "--pace", "60000", "--seed", "screen"]].concat();
    let styled = |environment: &[(&str, &str)]| {
        let mut terminal = Terminal::start(24, 80, &arguments, environment);
        terminal.until("a whole round of 17", is_whole);
        let text = String::from_utf8_lossy(&terminal.all).into_owned();
        ["\x1b[1m", "\x1b[2m", "\x1b[31m", "\x1b[32m", "\x1b[36m"].iter().any(|style| text.contains(style))
    };
    assert!(styled(&[]));
    assert!(!styled(&[("NO_COLOR", "1")]));
}

#[test]
fn pressing_ctrl_c_twice_gives_the_terminal_back_too() {
    let arguments = [&SEVENTEEN[..], &["--screen", "--pace", "60000"]].concat();
    let mut terminal = Terminal::start(24, 80, &arguments, &[]);
    terminal.until("the picture", |rows| rows[0].starts_with("Casino Day"));
    // The second has to be another press: two signals that wait at once are one.
    terminal.signal(Signal::SIGINT);
    let mut waited = 0;
    while terminal.child.try_wait().unwrap().is_none() && waited < 2_000 {
        terminal.signal(Signal::SIGINT);
        std::thread::sleep(std::time::Duration::from_millis(10));
        waited += 1;
    }
    let (code, _) = terminal.end();
    assert!(matches!(code, Some(0 | 130)), "{code:?}");
}

#[test]
fn without_a_terminal_or_on_a_simple_one_there_are_plain_lines() {
    let arguments = [&SEVENTEEN[..], &["--screen", "--rounds", "20"]].concat();
    let output = Command::new(env!("CARGO_BIN_EXE_casino")).args(&arguments).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && text.contains("round     1") && !text.contains('\x1b'), "{text}");
    let terminal = Terminal::start(24, 80, &arguments, &[("TERM", "dumb")]);
    let (code, left) = terminal.end();
    assert!(code == Some(0) && left.contains("After 20 rounds"), "{left}");
}

/// The names of the commands that the demo's last lines say, and of the parts before them.
const NEXT: [&str; 3] = ["Teacher:", "Student:", "Grader:"];

/// Whether the three lines about what to do next are the last of a text.
fn ends_with_next_steps(text: &str) -> bool {
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let last = &lines[lines.len().saturating_sub(3)..];
    last.len() == 3
        && last.iter().zip(NEXT).all(|(line, whom)| line.starts_with(whom) && line.contains("casino"))
}

#[test]
fn the_demo_is_drawn_at_once_and_ctrl_c_ends_it_with_what_to_do_next() {
    for (rows, cols) in [(24, 80), (40, 120)] {
        let desktop = [("DISPLAY", ":0"), ("SSH_CONNECTION", ""), ("SSH_TTY", ""), ("CI", "")];
        let mut terminal = Terminal::start(rows, cols, &["demo"], &desktop);
        let shown = terminal.until("a table and the race", |rows| {
            let has = |what: &str| rows.iter().any(|row| row.contains(what));
            has("Casino Day · round ") && has("the race") && has("▒▒") && has(" left") && has("10 of 10 in")
        });
        assert!(shown.last().unwrap().starts_with("In a browser: http://127.0.0.1:"), "{shown:#?}");
        for name in ["bold", "bluffer", "cautious", "odds", "reader"] {
            assert!(shown.iter().any(|row| row.contains(name)), "{name}: {shown:#?}");
        }
        terminal.signal(Signal::SIGINT);
        let (code, left) = terminal.end();
        assert_eq!(code, Some(0));
        assert!(left.contains("stopped early") && ends_with_next_steps(&left), "{left}");
    }
}

#[test]
fn the_demo_says_nothing_of_a_browser_where_none_is_likely() {
    let remote = [("DISPLAY", ":0"), ("SSH_CONNECTION", "192.0.2.1 9 192.0.2.2 22")];
    let mut terminal = Terminal::start(24, 80, &["demo"], &remote);
    let shown = terminal.until("a table", |rows| rows.iter().any(|row| row.contains("▒▒")));
    assert!(shown.last().unwrap().starts_with("Ctrl-C ends the demo"), "{shown:#?}");
    terminal.signal(Signal::SIGINT);
    let (_, left) = terminal.end();
    assert!(!String::from_utf8_lossy(left.as_bytes()).contains("http://"), "{left}");
}

#[test]
fn without_a_terminal_the_demo_prints_plain_lines_and_ends_by_itself() {
    let folder = std::env::temp_dir().join(format!("casino-day-demo-lines-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let lines = || {
        let demo =
            Command::new(env!("CARGO_BIN_EXE_casino")).arg("demo").current_dir(&folder).output().unwrap();
        assert!(demo.status.success() && demo.stderr.is_empty(), "{demo:?}");
        String::from_utf8(demo.stdout).unwrap()
    };
    let text = lines();
    assert!(!text.contains('\x1b') && ends_with_next_steps(&text), "{text}");
    assert_eq!(text.matches(" is out: ").count(), 9, "{text}");
    for what in ["10 players at 2 tables", "table 2  round     1", "at 1 table", "in until the end"] {
        assert!(text.contains(what), "{what}: {text}");
    }
    assert_eq!(text, lines(), "the same seed makes the same day");
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0, "the demo writes no file");
    std::fs::remove_dir_all(&folder).unwrap();
}

/// Whether the terminal shows what is typed, and gives it line by line.
fn is_given_back(terminal: &File) -> bool {
    let flags = tcgetattr(terminal).unwrap().local_flags;
    flags.contains(LocalFlags::ICANON | LocalFlags::ECHO)
}

fn journal(name: &str) -> std::path::PathBuf {
    let path = std::env::temp_dir().join(format!("casino-day-{name}-{}.jsonl", std::process::id()));
    let _ = std::fs::remove_file(&path);
    path
}

fn verifies(journal: &std::path::Path) {
    let verified = Command::new(env!("CARGO_BIN_EXE_casino")).arg("verify").arg(journal).output().unwrap();
    assert!(verified.status.success(), "{verified:?}");
}

#[test]
fn a_whole_game_is_played_by_hand_at_the_keyboard() {
    for (rows, cols) in [(24, 80), (40, 120)] {
        let path = journal("by-hand");
        let file = path.to_string_lossy().into_owned();
        let bots = ["--bot", "odds", "--bot", "caller", "--bot", "bold"];
        let arguments =
            [&["sit", "--seed", "by hand", "--rounds", "4", "--journal", &file][..], &bots].concat();
        let mut terminal = Terminal::with_keyboard(rows, cols, &arguments);
        let has = |rows: &[String], what: &str| rows.iter().any(|row| row.contains(what));
        let asked = terminal.until("a question", |rows| has(rows, "Your turn, "));
        for what in ["you hold", "the pot is", "f fold", "c stay for", "raise by", " s: ", " left", "me "] {
            assert!(has(&asked, what), "{what}: {asked:#?}");
        }
        assert!(!is_given_back(&terminal.output), "keys are read one by one");
        // Its own hole card is shown and covered for the others.
        let own = asked.iter().find(|row| row.contains("▸ me") || row.contains("  me")).unwrap();
        assert!(!own.contains('▒') && has(&asked, "▒▒"), "{asked:#?}");
        terminal.press("h");
        terminal.until("the odds", |rows| has(rows, "Odds if nobody folds"));
        terminal.press("x");
        terminal.press("3");
        let (code, left, seen) = terminal.stays_to_the_end();
        for what in ["Enter goes on.", " of the pot", "You had ", "You have ", "pot of "] {
            assert!(seen.iter().any(|screen| screen.contains(what)), "{what}: {seen:#?}");
        }
        assert_eq!(code, Some(0), "{left}");
        assert!(left.contains("After 4 rounds") && left.contains("in until the end"), "{left}");
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.contains("\"plays\":\"person\"") && !text.contains("\"foul\""), "{text}");
        verifies(&path);
        std::fs::remove_file(&path).unwrap();
    }
}

/// From the first lesson to the last, following the advice where it matters and staying everywhere else.
#[test]
fn the_ten_lessons_are_played_at_the_keyboard() {
    let terminal = Terminal::with_keyboard(24, 80, &["learn"]);
    let (code, left, seen) = terminal.stays_to_the_end();
    assert_eq!(code, Some(0), "{left}");
    assert!(left.contains("These were all lessons."), "{left}");
    for lesson in 1..=10 {
        let heading = format!("Lesson {lesson} of 10: ");
        let screens: Vec<&String> = seen.iter().filter(|screen| screen.contains(&heading)).collect();
        assert!(screens.iter().any(|screen| screen.contains("Your turn: you hold")), "{lesson}: {seen:#?}");
        assert!(screens.iter().any(|screen| screen.contains("Enter goes on.")), "{lesson}: {seen:#?}");
        assert!(!screens.iter().any(|screen| screen.contains(" s: ")), "nobody hurries: {screens:#?}");
    }
    let mut terminal = Terminal::with_keyboard(30, 100, &["learn", "5"]);
    terminal.until("the fifth lesson", |rows| rows.iter().any(|row| row.contains("Lesson 5 of 10")));
    terminal.signal(Signal::SIGINT);
    let (code, left) = terminal.end();
    assert_eq!(code, Some(0), "{left}");
    assert!(left.contains("casino learn 5"), "{left}");
}

#[test]
fn ctrl_c_stops_after_the_round_and_the_seat_is_kept() {
    let path = journal("kept");
    let file = path.to_string_lossy().into_owned();
    let game = ["sit", "--seed", "kept", "--rounds", "3", "--journal", &file, "--bot", "caller*2"];
    let has = |rows: &[String], what: &str| rows.iter().any(|row| row.contains(what));
    let mut terminal = Terminal::with_keyboard(30, 100, &game);
    terminal.until("a question", |rows| has(rows, "Your turn"));
    terminal.signal(Signal::SIGINT);
    let (code, left, _) = terminal.stays_to_the_end();
    assert_eq!(code, Some(0), "{left}");
    assert!(left.contains("After 1 rounds, stopped early") && left.contains("casino resume"), "{left}");
    let mut terminal = Terminal::with_keyboard(30, 100, &["resume", &file, "--think", "50"]);
    let asked = terminal.until("a question", |rows| has(rows, "Your turn, "));
    assert!(asked[0].contains("round 2") && has(&asked, "me "), "{asked:#?}");
    let (code, left, _) = terminal.stays_to_the_end();
    assert_eq!(code, Some(0), "{left}");
    assert!(left.contains("After 3 rounds") && !left.contains("stopped early"), "{left}");
    verifies(&path);
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn a_second_ctrl_c_gives_the_terminal_back_at_once() {
    let mut terminal = Terminal::with_keyboard(24, 80, &["sit", "--seed", "abandon"]);
    terminal.until("a question", |rows| rows.iter().any(|row| row.contains("Your turn")));
    terminal.signal(Signal::SIGINT);
    terminal
        .until("that it stops", |rows| rows.iter().any(|row| row.contains("Play stops after this round")));
    terminal.signal(Signal::SIGINT);
    // This end stays open, so that its settings can be looked at.
    let output = terminal.output.try_clone().unwrap();
    let (code, _) = terminal.end();
    assert_ne!(code, Some(0));
    assert!(is_given_back(&output), "the keyboard is not given back");
}
