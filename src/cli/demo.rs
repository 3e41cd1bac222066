//! The command `casino demo`: a short day of programs that connect, as students' do, and play like house bots.

use std::env;
use std::error::Error;
use std::io::{self, IsTerminal, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Duration;

use clap::Args;

use crate::session::{
    DayNotice, DayNotices, LOCALHOST_FREE_PORT, LobbyChange, LobbyNotice, NewDay, NewTournament, Opening,
    Options, PlayerRoster, ShowMinutes, Showing, StoppedTournament, TournamentStart,
};
use casino_host::LocalPlayers;
use casino_stud::cards::Seed;
use casino_stud::protocol::Command;
use casino_stud::strategies::{Bot, HouseBot};
use casino_stud::stud::Chips;
use casino_stud::table::TableSettings;
use casino_stud::tournament::{EventPlan, Format, Recorder};

use super::output::anything_lost;
use super::terminal::Terminal;
use super::values::{ALL_INTERFACES, address, show_minutes};
use super::{Failure, Output};

/// The programs that connect: a public name, and the house bot that it plays like. The last one thinks too long one day.
const PROGRAMS: [(&str, &str); 11] = [
    ("Rosa Raiser", "raiser"),
    ("Carl Caller", "caller"),
    ("Randy Random", "random"),
    ("Simon Simple", "simple"),
    ("Cora Cautious", "cautious"),
    ("Ben Bold", "bold"),
    ("Rhea Reader", "reader"),
    ("Sam Spades", "spades"),
    ("Olga Odds", "odds"),
    ("Blake Bluffer", "bluffer"),
    (LATE, "caller"),
];
const LATE: &str = "Lou Late";

/// The rounds after which the late program does not answer in time any more.
const ROUNDS_IN_TIME: u64 = 7;

/// How late it is then: longer than a reply may take.
const LATENESS: Duration = Duration::from_secs(2);

/// The time between two programs that come into a lobby that people look at.
const ARRIVAL_INTERVAL: Duration = Duration::from_millis(600);

/// The chips of each player at the start: few enough that one bad round may cost all of them.
const STACK: Chips = 60;

/// The most players at a table: eleven begin at two tables, and six meet at the last.
const SEATS: usize = 6;

/// The ante of each level, and how many rounds a level has.
const ANTES: [Chips; 8] = [1, 2, 3, 5, 8, 12, 20, 30];
const LEVEL_ROUNDS: u64 = 10;

/// How many minutes the show takes on a terminal.
const MINUTES: ShowMinutes = ShowMinutes::clamped(2);

/// The next steps: role and command.
const NEXT_STEPS: [(&str, &str); 3] = [
    ("Teacher:", "host --web 8080"),
    ("Student:", "new-bot python my-bot"),
    ("Grader:", "grade stud my-bot"),
];

const PAGE_LINGER_TIME: Duration = Duration::from_secs(3);

#[derive(Args)]
#[command(
    after_help = "On a terminal the demo takes two minutes: it prints a line for each round, and the address of a \
        page that only this machine can open. Without a terminal it serves no page and ends within \
        seconds.\n\n\
        Ctrl-C ends it. It writes no file.\n\n\
        Examples:
  casino demo
  casino demo --minutes 5 --seed friday
  casino demo --web 127.0.0.1:8080"
)]
pub(crate) struct Demo {
    /// Length in minutes; 0 prints lines without pauses [default: 2; 0 without a terminal]
    #[arg(long, value_name = "N", value_parser = show_minutes(0))]
    minutes: Option<ShowMinutes>,
    /// Any text: it decides the seats and every deck [default: drawn, and promised before play]
    #[arg(long, value_name = "TEXT")]
    seed: Option<String>,
    /// Serve the page at this port or address [default: a free port of this machine]
    #[arg(long, value_name = "ADDR:PORT", value_parser = address(ALL_INTERFACES))]
    web: Option<SocketAddr>,
}

impl Demo {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let is_watched = io::stdout().is_terminal() || self.web.is_some();
        let minutes = self.minutes.unwrap_or(if is_watched { MINUTES } else { ShowMinutes::NONE });
        let has_show = minutes != ShowMinutes::NONE;
        let options = Options {
            page: has_show.then(|| self.web.unwrap_or(LOCALHOST_FREE_PORT)),
            minutes: Some(minutes),
            stay: has_show.then_some(PAGE_LINGER_TIME),
            time_bank: Some(Duration::ZERO),
            roster: Some(PlayerRoster::of(
                (1..).zip(PROGRAMS).map(|(number, (name, _))| (id(number), name.to_string())),
            )),
            ..Options::default()
        };
        let pause = if has_show { ARRIVAL_INTERVAL } else { Duration::ZERO };
        // The name by which this program was called is the one that the user can type again.
        let casino = env::args().next().unwrap_or_else(|| "casino".to_string());
        let next = NEXT_STEPS.map(|(whom, command)| format!("{whom:<9}{casino} {command}"));
        let tournament = NewTournament { next_steps: next.to_vec(), ..tournament(self.seed) };
        let programs = Programs::connecting_to(Terminal::new(false, false, false).with_all_rounds(), pause);
        NewDay::new(tournament, options, Arc::new(programs))?.host(LOCALHOST_FREE_PORT, PROGRAMS.len())?;
        let mut output = Output::of_a_day();
        output.line("")?;
        next.iter().try_for_each(|line| output.line(line))?;
        output.flush()?;
        anything_lost()
    }
}

/// The GitHubId of a program, by its number from 1.
fn id(number: usize) -> String {
    format!("demo-{number}")
}

/// The terminal, and the programs: each connects when the one before is in.
struct Programs {
    terminal: Terminal,
    pause: Duration,
    /// How many have begun to connect.
    begun: AtomicUsize,
    address: OnceLock<SocketAddr>,
}

impl Programs {
    fn connecting_to(terminal: Terminal, pause: Duration) -> Programs {
        Programs { terminal, pause, begun: AtomicUsize::new(0), address: OnceLock::new() }
    }

    fn let_next_connect(&self) {
        let index = self.begun.fetch_add(1, Ordering::Relaxed);
        if let (Some((name, bot)), Some(address)) = (PROGRAMS.get(index), self.address.get().copied()) {
            let pause = self.pause;
            // A program whose connection ends is no trouble of the host's: the tournament goes on without it.
            thread::spawn(move || {
                thread::sleep(pause);
                play(address, &id(index + 1), name, bot)
            });
        }
    }
}

impl DayNotices for Programs {
    fn notify(&self, notice: &DayNotice<'_>) -> io::Result<()> {
        match notice {
            DayNotice::Listening(address) => {
                let _ = self.address.set(*address);
                self.let_next_connect();
            }
            DayNotice::Lobby(LobbyNotice { what: LobbyChange::Entered(_), .. }) => self.let_next_connect(),
            // The roster admits no other program.
            DayNotice::Addresses(_) => return Ok(()),
            _ => {}
        }
        self.terminal.notify(notice)
    }

    fn begin(&self, start: &TournamentStart<'_>) -> io::Result<Option<Box<dyn Recorder>>> {
        self.terminal.begin(start)
    }

    fn open(&self, opening: Opening) -> Result<Box<dyn Showing>, Box<dyn Error + Send + Sync>> {
        self.terminal.open(opening)
    }

    fn how_to_resume(&self, stopped: &StoppedTournament<'_>) -> String {
        self.terminal.how_to_resume(stopped)
    }
}

/// Plays as a student's program does: it reads commands from the host, and answers.
fn play(address: SocketAddr, id: &str, name: &str, bot: &str) -> io::Result<()> {
    let mut host = TcpStream::connect(address)?;
    let bot = HouseBot::named(bot).expect("the programs of the demo play like bots of the house");
    let mut bot = bot.seated(id, &Seed::chosen(id));
    let mut rounds = 0;
    loop {
        let mut length = [0; 2];
        host.read_exact(&mut length)?;
        let mut text = vec![0; u16::from_be_bytes(length).into()];
        host.read_exact(&mut text)?;
        let text = String::from_utf8(text).map_err(io::Error::other)?;
        let reply =
            match Command::read(&text, TableSettings::default().rules.raise_cap).map_err(io::Error::other)? {
                Command::Login => format!("{id}:{name}"),
                Command::Question(question) => {
                    if name == LATE && rounds >= ROUNDS_IN_TIME {
                        thread::sleep(LATENESS);
                    }
                    bot.decide(&question.as_question()).to_string()
                }
                Command::Status(status) => {
                    rounds += 1;
                    bot.hear(&status);
                    continue;
                }
                Command::Done(_) => return Ok(()),
            };
        host.write_all(&[&(reply.len() as u16).to_be_bytes()[..], reply.as_bytes()].concat())?;
    }
}

/// The tournament of the demo.
fn tournament(seed: Option<String>) -> NewTournament {
    let plan = EventPlan {
        format: Format::default(),
        seats: SEATS,
        level_rounds: Some(LEVEL_ROUNDS),
        antes: ANTES.to_vec(),
        series: 1,
        late_entry: None,
    };
    let mut new = NewTournament::new(LocalPlayers::default(), plan);
    (new.terms.stack, new.play_is_usual, new.rounds_are_usual, new.seed) = (STACK, false, false, seed);
    new
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use std::collections::BTreeSet;

    use super::super::Casino;
    use super::*;
    use crate::show::pages_of_a_show;
    use casino_show::state::Phase;
    use casino_stud::tournament::{Entrant, Event, Roster};

    #[test]
    fn the_commands_of_the_next_steps_can_be_typed() {
        for (whom, command) in NEXT_STEPS {
            let casino = Casino::try_parse_from(["casino"].into_iter().chain(command.split(' ')));
            assert!(casino.is_ok(), "{whom} {command}: {:?}", casino.err());
        }
    }

    /// The day of this seed and its players, all of them in time.
    fn day(seed: &str) -> (Event, Vec<String>, Vec<Box<dyn Bot>>) {
        let new = tournament(None);
        let seed = Seed::chosen(seed);
        let bots = (1..).zip(PROGRAMS).map(|(number, (name, bot))| {
            let bot = HouseBot::named(bot).unwrap().seated(&id(number), &Seed::chosen(id(number)));
            (Entrant::new(id(number), name), Box::new(bot) as Box<dyn Bot>)
        });
        let (roster, bots) = Roster::seat(bots, &seed);
        let names = roster.players().iter().map(|player| player.name.clone()).collect();
        let settings = TableSettings::default();
        let event = Event::new(new.terms.plan, settings, &seed, PROGRAMS.len(), STACK, Some(1_000));
        (event, names, bots)
    }

    #[test]
    fn the_demo_of_any_seed_fits_its_minutes_and_shows_every_exit() {
        for seed in 0..12 {
            let (event, names, bots) = day(&format!("day-{seed}"));
            let (took, pages) = pages_of_a_show(event, names, bots, STACK, MINUTES.get());
            let asked = MINUTES.length().expect("the demo has a show");
            assert!(took <= asked + asked / 20, "{seed}: {took:?}");
            let last = pages.last().unwrap();
            assert_eq!(last.phase, Phase::Over);
            let exits = pages.iter().filter_map(|page| page.exit.as_ref());
            let gone: BTreeSet<usize> =
                exits.flat_map(|exit| exit.others.iter().chain([exit])).map(|exit| exit.seat).collect();
            // Those who leave in the last round are among the places; exits at the end of a level may be in the news only.
            let board = last.board.rows.iter();
            let is_shown = |round: u64| round < last.board.round && !round.is_multiple_of(LEVEL_ROUNDS);
            let out = board.filter(|row| row.left_in_round.is_some_and(is_shown));
            assert!(out.clone().count() > PROGRAMS.len() / 2, "{seed}: {:?}", last.board);
            out.for_each(|row| assert!(gone.contains(&row.seat), "{seed}: {row:?} of {gone:?}"));
        }
    }
}
