//! The command `casino demo`: a short day of the house bots, shown as a day of programs is.

use std::env;
use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use clap::Args;

use crate::server::{Contestants, Spec};
use crate::session::{
    Conclusion, DayNotice, DayNotices, NewDay, NewTournament, Options, StoppedTournament, TournamentStart,
};
use crate::strategies::HouseBot;
use crate::stud::Chips;
use crate::tournament::{Balance, EventPlan, Format, Recorder};
use crate::web::{MOST_MINUTES, Viewer};

use super::canvas::{self, Canvas};
use super::level_lines::LevelLines;
use super::output::{anything_lost, remark};
use super::show::Show;
use super::stage::StageThread;
use super::terminal::{final_table, introduce, quoted};
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
const SEED: &str = "casino-28";

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
    /// How many minutes it takes, from the first deal to the winners; 0 prints lines and waits for nothing
    /// [default: 2; 0 without a terminal]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=i64::from(MOST_MINUTES)))]
    minutes: Option<u32>,
    /// Any text: it decides the seats and every deck
    #[arg(long, value_name = "TEXT", default_value = SEED)]
    seed: String,
    /// Serve the page at this address, whether a browser is likely or not. Port 0 takes a free one
    #[arg(long, value_name = "ADDR:PORT")]
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
        level_rounds: LEVEL_ROUNDS,
        balance: Balance::During,
        antes: ANTES.to_vec(),
        series: 1,
        points: Vec::new(),
        against: Vec::new(),
    };
    Ok(NewTournament {
        plan: Some(plan),
        stack: STACK,
        seed: Some(seed),
        ..NewTournament::new(Contestants::new(&players).map_err(Failure::usage)?)
    })
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
        ("Teacher:", format!("{casino} host --bind 0.0.0.0:9000 --players 4 --console")),
        ("Student:", format!("{casino} new-bot java mybot")),
        ("Grader:", format!("{casino} grade stud mybot")),
    ]
}

/// This program as it is typed here.
fn program() -> String {
    let Ok(program) = env::current_exe() else { return "casino".to_string() };
    let folders = env::var_os("PATH").map(|path| env::split_paths(&path).collect()).unwrap_or_default();
    typed(&program, folders, env::current_dir().ok().as_deref())
}

/// How this program is started from this folder: by its name alone where these folders have it.
fn typed(program: &Path, folders: Vec<PathBuf>, here: Option<&Path>) -> String {
    let name = program.file_name().unwrap_or_default();
    let real = |path: &Path| path.canonicalize().ok();
    let on_path = folders.iter().find_map(|folder| real(&folder.join(name)));
    let word = if on_path.is_some() && on_path == real(program) {
        PathBuf::from(program.file_stem().unwrap_or_default())
    } else {
        match here.and_then(|here| program.strip_prefix(here).ok()) {
            Some(inside) => Path::new(".").join(inside),
            None => program.to_path_buf(),
        }
    };
    let word = word.to_string_lossy().into_owned();
    if word.contains(|c: char| c.is_whitespace() || "'\"$`&;()".contains(c)) { quoted(&word) } else { word }
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
            DayNotice::Show(viewer) => self.parts().viewer = Some((*viewer).clone()),
            DayNotice::Page(address) => {
                remark(&format!("The page is http://{address}/"));
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
                Some(page) => format!("In a browser: http://{page}/ · Ctrl-C ends the demo"),
                None => "Ctrl-C ends the demo".to_string(),
            };
            parts.stage = Some(StageThread::start(canvas, viewer, foot)?);
            return Ok(None);
        }
        let mut output = Output::of_a_day();
        introduce(start, &mut output).map_err(Failure::into_io)?;
        let lines: Vec<Box<dyn Recorder>> = vec![
            Box::new(LevelLines::new(Output::of_a_day(), start.players.to_vec())),
            Box::new(Show::new(output, start.players)),
        ];
        Ok(Some(Box::new(lines)))
    }

    fn how_to_resume(&self, _: &StoppedTournament<'_>) -> String {
        // Nothing is recorded, so there is nothing to go on with.
        String::new()
    }

    fn abandon(&self) {
        canvas::leave();
    }
}
