//! The command `casino demo`: a short day of the house bots, shown as a day of programs is.

use std::env;
use std::io::{self, IsTerminal};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;

use crate::session::{LOCALHOST_FREE_PORT, NewDay, NewTournament, Options, ShowMinutes};
use casino_host::{LocalPlayers, Spec};
use casino_stud::strategies::HouseBot;
use casino_stud::stud::Chips;
use casino_stud::tournament::{EventPlan, Format};

use super::output::anything_lost;
use super::terminal::Terminal;
use super::values::{ALL_INTERFACES, address, show_minutes};
use super::{Failure, Output};

/// The players: bots of ten different temperaments.
const PLAYERS: [&str; 10] =
    ["raiser", "caller", "random", "simple", "cautious", "bold", "reader", "spades", "odds", "bluffer"];

/// The chips of each player at the start: few enough that one bad round may cost all of them.
const STACK: Chips = 60;

/// The most players at a table: ten begin at two tables, and six meet at the last.
const SEATS: usize = 6;

/// The ante of each level, and how many rounds a level has.
const ANTES: [Chips; 8] = [1, 2, 3, 5, 8, 12, 20, 30];
const LEVEL_ROUNDS: u64 = 10;

/// A seed with an eventful day: a player is out every few rounds, nearly always in a showdown.
const SEED: &str = "day-81";

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
    /// Any text: it decides the seats and every deck
    #[arg(long, value_name = "TEXT", default_value = SEED)]
    seed: String,
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
            ..Options::default()
        };
        let terminal = Terminal::new(false, false, false).with_all_rounds();
        NewDay::new(tournament(self.seed)?, options, Arc::new(terminal))?.play()?;
        let mut output = Output::of_a_day();
        output.line("")?;
        // The name by which this program was called is the one that the user can type again.
        let casino = env::args().next().unwrap_or_else(|| "casino".to_string());
        for (whom, command) in NEXT_STEPS {
            output.line(format_args!("{whom:<9}{casino} {command}"))?;
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
        antes: ANTES.to_vec(),
        series: 1,
        late_entry: None,
    };
    let mut new = NewTournament::new(LocalPlayers::new(&players).map_err(Failure::usage)?, plan);
    (new.terms.stack, new.play_is_usual, new.rounds_are_usual, new.seed) = (STACK, false, false, Some(seed));
    Ok(new)
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::super::Casino;
    use super::*;
    use crate::show::pages_of_a_show;
    use casino_show::state::Phase;
    use casino_stud::cards::Seed;
    use casino_stud::strategies::Bot;
    use casino_stud::table::TableSettings;
    use casino_stud::tournament::{Event, Roster};

    #[test]
    fn the_commands_of_the_next_steps_can_be_typed() {
        for (whom, command) in NEXT_STEPS {
            let casino = Casino::try_parse_from(["casino"].into_iter().chain(command.split(' ')));
            assert!(casino.is_ok(), "{whom} {command}: {:?}", casino.err());
        }
    }

    /// The demo's day and its players.
    fn day(seed: &str) -> (Event, Vec<String>, Vec<Box<dyn Bot>>) {
        let new = tournament(seed.to_string()).unwrap();
        let seed = Seed::chosen(seed);
        let bots = new.local_players.house_bots().iter().map(|(entrant, bot)| {
            (entrant.clone(), Box::new(bot.seated(&entrant.github_id, &seed)) as Box<dyn Bot>)
        });
        let (roster, bots) = Roster::seat(bots, &seed);
        let names = roster.players().iter().map(|player| player.name.clone()).collect();
        let event =
            Event::new(new.terms.plan, TableSettings::default(), &seed, PLAYERS.len(), STACK, Some(1_000));
        (event, names, bots)
    }

    #[test]
    fn the_demo_show_fits_its_minutes_and_shows_every_exit() {
        let (event, names, bots) = day(SEED);
        let (took, pages) = pages_of_a_show(event, names, bots, STACK, MINUTES.get());
        let asked = MINUTES.length().expect("the demo has a show");
        assert!(took.abs_diff(asked) < asked / 20, "{took:?}");
        assert_eq!(pages.last().map(|page| page.phase), Some(Phase::Over));
        let exits = pages.iter().filter_map(|page| page.exit.as_ref());
        let gone: std::collections::BTreeSet<usize> = exits.map(|exit| exit.seat).collect();
        assert!(gone.len() >= PLAYERS.len() - 2, "{gone:?}");
    }
}
