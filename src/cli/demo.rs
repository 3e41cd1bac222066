//! The command `casino demo`: a short day of the house bots, shown as a day of programs is.

use std::env;
use std::error::Error;
use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use clap::Args;

use crate::session::{
    Conclusion, DayNotice, DayNotices, MOST_MINUTES, NewDay, NewTournament, Opening, Options, Showing,
    StoppedTournament, TournamentStart, open_page, page_url,
};
use crate::web::{Room, Viewer};
use casino_host::{Contestants, Spec};
use casino_stud::strategies::HouseBot;
use casino_stud::stud::Chips;
use casino_stud::tournament::{Balance, EventPlan, Format, Recorder};
use casino_system::command_line::{find_program, quote};

use super::canvas::{self, Canvas};
use super::event_lines::EventLines;
use super::output::{anything_lost, remark};
use super::stage::StageThread;
use super::terminal::{final_table, introduce};
use super::values::{EVERYWHERE, address, whole};
use super::{Failure, Output};

/// Who plays: bots of ten different tempers.
const PLAYERS: [&str; 10] =
    ["raiser", "caller", "random", "simple", "cautious", "bold", "reader", "spades", "odds", "bluffer"];

/// The chips of each player at the start: few enough that one bad round may cost all of them.
const STACK: Chips = 60;

/// The most players at a table: ten begin at two tables, and six meet at the last.
const SEATS: usize = 6;

/// The ante of each level, and how many rounds a level has.
const ANTES: [Chips; 8] = [1, 2, 3, 5, 8, 12, 20, 30];
const LEVEL_ROUNDS: u64 = 10;

/// A seed with a good day: with it somebody leaves every few rounds, nearly always in a showdown.
const SEED: &str = "day-10";

/// How many minutes the show takes where somebody is likely to watch.
const MINUTES: u32 = 2;

/// How long the page stays after the end.
const STAY: Duration = Duration::from_secs(3);

#[derive(Args)]
#[command(
    after_help = "On a terminal the demo draws the table and the race, and takes two minutes. Where a browser is likely it
also serves the page, at an address that only this machine can open, and says which. A browser is
taken to be likely on Windows and macOS, and elsewhere where DISPLAY or WAYLAND_DISPLAY is set; but
not in a session over SSH (SSH_CONNECTION or SSH_TTY is set), nor where CI is set.

Without a terminal it prints a line for each round and waits for nothing: it ends within seconds.
A terminal that cannot be drawn on (TERM=dumb) gets these lines in two minutes.

Ctrl-C ends it at once. It writes no file.

Examples:
  casino demo
  casino demo --minutes 5 --seed friday
  casino demo --web 127.0.0.1:8080"
)]
pub(crate) struct Demo {
    /// How many minutes it takes, from the first deal to the last award; 0 prints lines and waits for nothing
    /// [default: 2; 0 without a terminal]
    #[arg(long, value_name = "N", value_parser = whole::<u32>(0..=u64::from(MOST_MINUTES)))]
    minutes: Option<u32>,
    /// Any text: it decides the seats and every deck
    #[arg(long, value_name = "TEXT", default_value = SEED)]
    seed: String,
    /// Serve the page at this address, whether a browser is likely or not. A port alone is open to the network,
    /// 127.0.0.1:PORT to this machine only; port 0 takes a free one
    #[arg(long, value_name = "ADDR:PORT", value_parser = address(EVERYWHERE))]
    web: Option<SocketAddr>,
}

impl Demo {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let is_watched = io::stdout().is_terminal() || self.web.is_some();
        let minutes = self.minutes.unwrap_or(if is_watched { MINUTES } else { 0 });
        let has_show = minutes > 0;
        let canvas = Canvas::new().filter(|_| has_show);
        let here = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        let has_browser = canvas.is_some() && browser_is_likely(env::consts::OS, |name| env::var_os(name));
        let options = Options {
            page: self.web.or(has_browser.then_some(here)),
            shown: has_show,
            minutes: Some(minutes),
            stay: has_show.then_some(STAY),
            ..Options::default()
        };
        let notices = Arc::new(DemoNotices { parts: Mutex::new(Parts { canvas, ..Parts::default() }) });
        let day = NewDay::new(tournament(self.seed)?, options, Arc::clone(&notices) as Arc<dyn DayNotices>)?;
        let played = day.play();
        let conclusion = notices.end();
        played?;
        if let Some(conclusion) = conclusion {
            final_table(&conclusion)?;
        }
        let mut output = Output::of_a_day();
        output.line("")?;
        for (whom, command) in next_steps(&program()) {
            output.line(format_args!("{whom:<9}{command}"))?;
        }
        output.flush()?;
        anything_lost()
    }
}

/// The tournament of the demo.
fn tournament(seed: String) -> Result<NewTournament, Failure> {
    let house = |name: &&str| Spec::House {
        bot: HouseBot::named(name).expect("the players of the demo are bots of the house"),
        count: 1,
    };
    let players: Vec<Spec> = PLAYERS.iter().map(house).collect();
    let plan = EventPlan {
        format: Format::default(),
        seats: SEATS,
        level_rounds: Some(LEVEL_ROUNDS),
        balance: Balance::During,
        antes: ANTES.to_vec(),
        series: 1,
        points: Vec::new(),
        against: Vec::new(),
        late_entry: None,
    };
    let mut new = NewTournament::new(Contestants::new(&players).map_err(Failure::usage)?, plan);
    (new.terms.stack, new.play_is_usual, new.seed) = (STACK, false, Some(seed));
    Ok(new)
}

/// Whether somebody at this terminal can open a page of this machine: see the help of the command.
fn browser_is_likely(system: &str, variable: impl Fn(&str) -> Option<OsString>) -> bool {
    let is_set = |name: &&str| variable(name).is_some_and(|value| !value.is_empty());
    let has_desktop =
        matches!(system, "windows" | "macos") || ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(is_set);
    has_desktop && !["SSH_CONNECTION", "SSH_TTY", "CI"].iter().any(is_set)
}

/// What to do next: as whom, and the command.
fn next_steps(casino: &str) -> [(&'static str, String); 3] {
    [
        ("Teacher:", format!("{casino} host --bind 9000 --players 4 --console")),
        ("Student:", format!("{casino} new-bot java mybot")),
        ("Grader:", format!("{casino} grade stud mybot")),
    ]
}

/// This program as it is typed here.
fn program() -> String {
    match (env::current_exe(), env::current_dir()) {
        (Ok(program), Ok(here)) => typed(&program, find_program("casino"), &here),
        _ => "casino".to_string(),
    }
}

/// How this program is started from this folder: by its name alone if that is what the shell finds under it.
fn typed(program: &Path, found: Option<PathBuf>, here: &Path) -> String {
    let real = |path: &Path| path.canonicalize().ok();
    if found.and_then(|found| real(&found)).is_some_and(|found| Some(found) == real(program)) {
        return "casino".to_string();
    }
    let word = match program.strip_prefix(here) {
        Ok(inside) => Path::new(".").join(inside),
        Err(_) => program.to_path_buf(),
    };
    let word = word.to_string_lossy().into_owned();
    quote(&word).unwrap_or(word)
}

/// Tells the demo's audience what happens: on the stage where the terminal can be drawn on, else in lines.
struct DemoNotices {
    parts: Mutex<Parts>,
}

/// What the day has told so far.
#[derive(Default)]
struct Parts {
    canvas: Option<Canvas>,
    viewer: Option<Viewer>,
    page: Option<SocketAddr>,
    stage: Option<StageThread>,
    conclusion: Option<Conclusion>,
}

impl DemoNotices {
    fn parts(&self) -> MutexGuard<'_, Parts> {
        // Each part is set at once: a panic elsewhere leaves nothing half-done.
        self.parts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Nothing is drawn any more. What came of the day, if it was played.
    fn end(&self) -> Option<Conclusion> {
        let stage = self.parts().stage.take();
        if let Some(stage) = stage {
            stage.stop();
        }
        self.parts().conclusion.take()
    }
}

impl DayNotices for DemoNotices {
    fn tell(&self, notice: &DayNotice<'_>) -> io::Result<()> {
        match notice {
            DayNotice::Page(address) => {
                remark(&open_page("The page", *address));
                self.parts().page = Some(*address);
            }
            DayNotice::Concluded(conclusion) => self.parts().conclusion = Some((*conclusion).clone()),
            // The demo has neither guests nor files, and ends at once when it is told to.
            _ => {}
        }
        Ok(())
    }

    fn begin(&self, start: &TournamentStart<'_>) -> io::Result<Option<Box<dyn Recorder>>> {
        let mut parts = self.parts();
        if let (Some(canvas), Some(viewer)) = (parts.canvas.take(), parts.viewer.take()) {
            let foot = match parts.page {
                Some(page) => format!("In a browser: {} · Ctrl-C ends the demo", page_url(page)),
                None => "Ctrl-C ends the demo".to_string(),
            };
            parts.stage = Some(StageThread::start(canvas, viewer, foot)?);
            return Ok(None);
        }
        let mut output = Output::of_a_day();
        introduce(start, &mut output).map_err(Failure::into_io)?;
        Ok(Some(Box::new(EventLines::new(output, start.players, start.plan).with_all_rounds())))
    }

    fn open(&self, opening: Opening) -> Result<Box<dyn Showing>, Box<dyn Error + Send + Sync>> {
        let room = Room::open(opening)?;
        self.parts().viewer = Some(room.viewer());
        Ok(Box::new(room))
    }

    fn how_to_resume(&self, _: &StoppedTournament<'_>) -> String {
        // Nothing is recorded, so there is nothing to go on with.
        String::new()
    }

    fn abandon(&self) {
        canvas::leave();
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::super::Casino;
    use super::super::stage::lines;
    use super::*;
    use crate::web::{Phase, pages_of_a_show};
    use casino_stud::cards::Seed;
    use casino_stud::strategies::Bot;
    use casino_stud::table::TableSettings;
    use casino_stud::tournament::{Entrant, Event, Roster};
    use console::measure_text_width;

    #[test]
    fn the_commands_of_the_next_steps_can_be_typed() {
        let steps = next_steps("./target/demo/casino");
        assert_eq!(steps.len(), 3);
        for (whom, command) in steps {
            let words = shlex::split(&command).unwrap();
            assert_eq!(words[0], "./target/demo/casino");
            let casino =
                Casino::try_parse_from(["casino"].into_iter().chain(words[1..].iter().map(String::as_str)));
            assert!(casino.is_ok(), "{whom} {command}: {:?}", casino.err());
            assert!(format!("{whom:<9}{command}").len() <= 80, "{command}");
        }
    }

    #[test]
    fn the_program_is_named_as_it_is_typed() {
        let here = env::temp_dir().join(format!("casino-day-demo-{}", std::process::id()));
        let folder = here.join("target");
        std::fs::create_dir_all(&folder).unwrap();
        let program = folder.join("casino");
        std::fs::write(&program, "").unwrap();
        assert_eq!(typed(&program, Some(program.clone()), &here), "casino");
        let inside = Path::new(".").join("target").join("casino").to_string_lossy().into_owned();
        assert_eq!(typed(&program, None, &here), inside);
        assert_eq!(typed(&program, Some(here.join("other")), &here), inside);
        let far = folder.join("elsewhere");
        assert_eq!(typed(&program, None, &far), quote(&program.to_string_lossy()).unwrap());
        std::fs::remove_dir_all(&here).unwrap();
    }

    #[test]
    fn a_browser_is_likely_where_somebody_sits_at_a_desktop() {
        let likely = |system: &str, set: &[&str]| {
            browser_is_likely(system, |name| set.contains(&name).then(|| OsString::from("1")))
        };
        assert!(likely("linux", &["DISPLAY"]) && likely("freebsd", &["WAYLAND_DISPLAY"]));
        assert!(likely("windows", &[]) && likely("macos", &["DISPLAY"]));
        assert!(!likely("linux", &[]) && !likely("linux", &["DISPLAY", "SSH_CONNECTION"]));
        assert!(!likely("macos", &["SSH_TTY"]) && !likely("windows", &["CI"]));
        assert!(!browser_is_likely("linux", |name| (name == "DISPLAY").then(OsString::new)));
    }

    /// The day that the demo shows, and who plays it.
    fn day(seed: &str) -> (Event, Vec<String>, Vec<Box<dyn Bot>>) {
        let new = tournament(seed.to_string()).unwrap();
        let seed = Seed::chosen(seed);
        let entrants: Vec<Entrant> =
            new.contestants.house_bots().iter().map(|(entrant, _)| entrant.clone()).collect();
        let roster = Roster::new(&entrants, &seed);
        let names = roster.players().iter().map(|player| player.name.clone()).collect();
        let bot = |index: &usize| -> Box<dyn Bot> {
            let (entrant, bot) = &new.contestants.house_bots()[*index];
            Box::new(bot.seated(&entrant.github_id, &seed))
        };
        let bots = roster.entrants().iter().map(bot).collect();
        let event =
            Event::new(new.terms.plan, TableSettings::default(), &seed, PLAYERS.len(), STACK, Some(1_000));
        (event, names, bots)
    }

    #[test]
    fn the_show_is_worth_watching_and_fits_every_terminal() {
        let (event, names, bots) = day(SEED);
        let (took, pages) = pages_of_a_show(event, names, bots, STACK, MINUTES);
        let asked = Duration::from_secs(60 * u64::from(MINUTES));
        assert!(took.abs_diff(asked) < asked / 20, "{took:?}");
        let text = |page: &crate::web::Page| -> String {
            let lines = lines(page, 0.0, "the foot", 80, 24);
            console::strip_ansi_codes(&lines.join("\n")).into_owned()
        };
        let shown: Vec<String> = pages.iter().map(text).collect();
        let is_shown = |what: &str| shown.iter().any(|text| text.contains(what));
        for what in [
            "table 2 of 2",
            "the last table",
            "all in",
            "raises 10",
            "is out",
            "The last hand",
            "place 10 of 10",
        ] {
            assert!(is_shown(what), "{what}");
        }
        for what in ["The third place", "The champion", "The awards", "The winners", "★ 1. "] {
            assert!(is_shown(what), "{what}");
        }
        let phases: Vec<Phase> = pages.iter().map(|page| page.phase).collect();
        assert_eq!(phases.last(), Some(&Phase::Over));
        let most = pages.iter().filter(|page| page.exit.as_ref().is_some());
        let gone: std::collections::BTreeSet<usize> =
            most.filter_map(|page| page.exit.as_ref()).map(|exit| exit.seat).collect();
        assert!(gone.len() >= PLAYERS.len() - 2, "{gone:?}");
        for page in &pages {
            for (width, height) in [(80, 24), (120, 40), (20, 5), (40, 12), (1, 1), (0, 0)] {
                let lines = lines(page, 0.0, "the foot", width, height);
                assert!(lines.len() <= height);
                for line in &lines {
                    assert!(measure_text_width(line) <= width, "{line}");
                    assert!(!console::strip_ansi_codes(line).contains(char::is_control), "{line:?}");
                }
            }
        }
        // On the smallest usual terminal everybody in the race is seen.
        let place =
            |line: &&str| line.trim_start().split(' ').next().is_some_and(|word| word.parse::<u32>().is_ok());
        for (page, text) in pages.iter().zip(&shown).filter(|(page, _)| page.phase == Phase::Playing) {
            let rows = text.lines().filter(place).count();
            assert!(page.exit.as_ref().is_some() || rows == PLAYERS.len(), "{text}");
        }
    }
}
