//! What `play` and `host` share: the flags of a tournament, and running one.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use clap::{Args, ValueEnum};
use serde::Serialize;

use crate::cards::Seed;
use crate::journal::{Durability, Header, Journal, StandingLine};
use crate::server::{
    Contestants, Ending, Guest, Limits, Player as Sitting, Program, Seats, Spec, on_interrupt,
};
use crate::stud::{Chips, MAX_SEATS, Rules, ShortStack};
use crate::table::{Conduct, OnFoul};
use crate::tournament::{Entrant, Freezeout, Player, Record, Roster, Standing, Standings, in_public, play};

use super::show::Show;
use super::{Failure, Output};

/// What ends a tournament nobody would ever win.
const DEFAULT_ROUNDS: u64 = 1_000;

/// More chips than anybody needs, and few enough that those of a whole table can be counted.
const MOST_CHIPS: Chips = 10_000_000;

/// What a foul costs, as a flag.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum OnFoulFlag {
    /// The game
    Eject,
    /// The hand: a rehearsal
    Fold,
}

/// What happens to a player who cannot call, as a flag.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum ShortStackFlag {
    /// It is folded without being asked
    Fold,
    /// It is asked, and only folding is legal
    Ask,
}

/// The flags of every tournament.
#[derive(Args)]
pub(crate) struct TournamentArgs {
    /// A player: a house bot (cautious, random*3; see `casino bots`) or NAME=COMMAND LINE with {host} and
    /// {port}. Can be given many times
    #[arg(long = "bot", value_name = "SPEC")]
    pub(super) bots: Vec<Spec>,
    /// The most rounds to play [default: 1000]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    rounds: Option<u64>,
    /// Chips everyone starts with
    #[arg(long, default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_CHIPS)))]
    stack: Chips,
    /// Any text: it decides the seats and every deck [default: drawn from the system]
    #[arg(long, value_name = "TEXT")]
    seed: Option<String>,
    /// Write a journal, a JSON line for each event, to this new file
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    /// Put the result, the journal and the output of started programs into this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print one JSON object at the end, and nothing for people
    #[arg(long)]
    json: bool,
    /// Print only the final table
    #[arg(long)]
    quiet: bool,
    /// Wait this long after each round that is shown, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 0, value_parser = clap::value_parser!(u64).range(0..=60_000))]
    pace: u64,
    /// How long a reply may take, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 1_000, value_parser = clap::value_parser!(u64).range(1..=600_000))]
    reply_ms: u64,
    /// What a foul costs
    #[arg(long, value_enum, default_value = "eject")]
    on_foul: OnFoulFlag,
    /// What happens to a player who cannot call
    #[arg(long, value_enum, default_value = "fold")]
    short_stack: ShortStackFlag,
    /// Ask for the login a second time: the answer must be the same
    #[arg(long)]
    relogin: bool,
}

/// A tournament that is about to begin.
pub(super) struct Setup {
    args: TournamentArgs,
    contestants: Contestants,
    seed: Seed,
    /// Where the output of started programs goes, and whether it is only lent by the system.
    folder: PathBuf,
    lent: bool,
}

/// The object `--json` prints.
#[derive(Serialize)]
struct Outcome {
    seed: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    promise: Option<String>,
    rounds: u64,
    ended: &'static str,
    forfeited: Chips,
    standings: Vec<StandingLine>,
}

impl Setup {
    /// Checks everything that can be checked before anybody is started or let in.
    pub(super) fn new(args: TournamentArgs) -> Result<Setup, Failure> {
        let contestants = Contestants::new(&args.bots).map_err(Failure::usage)?;
        let seed = match &args.seed {
            Some(text) => Seed::chosen(text),
            None => {
                let mut bytes = [0; 32];
                getrandom::fill(&mut bytes)
                    .map_err(|error| Failure::Broke(format!("the system gives no random seed: {error}")))?;
                Seed::drawn(bytes)
            }
        };
        let (folder, lent) = match &args.out {
            Some(folder) => (folder.clone(), false),
            None => (std::env::temp_dir().join(format!("casino-day-{}", std::process::id())), true),
        };
        if !lent || !contestants.are_house_bots() {
            fs::create_dir_all(&folder).map_err(|error| {
                Failure::Usage(format!("the folder {} cannot be made: {error}", folder.display()))
            })?;
        }
        let setup = Setup { args, contestants, seed, folder, lent };
        match setup.journal() {
            // Nobody should have come to play when this is found out.
            Some(path) if path.exists() => Err(journal_error(&path, &io::ErrorKind::AlreadyExists.into())),
            _ => Ok(setup),
        }
    }

    /// Where the journal goes, if one is written.
    fn journal(&self) -> Option<PathBuf> {
        let in_folder = || self.args.out.as_ref().map(|folder| folder.join("journal.jsonl"));
        self.args.journal.clone().or_else(in_folder)
    }

    /// How many players the command line names.
    pub(super) fn named(&self) -> usize {
        self.contestants.len()
    }

    /// Whether text for people is wanted.
    pub(super) fn is_chatty(&self) -> bool {
        !self.args.json && !self.args.quiet
    }

    pub(super) fn limits(&self) -> Limits {
        let reply = Duration::from_millis(self.args.reply_ms);
        Limits { reply, relogin: self.args.relogin, ..Limits::default() }
    }

    /// Whether this many players fit at the table.
    pub(super) fn check_players(&self, players: usize) -> Result<(), Failure> {
        match players {
            0 | 1 => Err(Failure::Usage(format!(
                "a game takes at least two players, and there is {}: add one with --bot",
                if players == 0 { "nobody" } else { "one" }
            ))),
            2..=MAX_SEATS => Ok(()),
            _ => Err(Failure::Usage(format!(
                "{players} players do not fit at one table, which has {MAX_SEATS} seats"
            ))),
        }
    }

    /// Plays with house bots only, without any network.
    pub(super) fn play_in_process(self) -> Result<(), Failure> {
        let (entrants, bots): (Vec<Entrant>, Vec<_>) =
            self.contestants.house_bots(&self.seed).into_iter().unzip();
        let roster = Roster::new(&entrants, &self.seed);
        let mut bots: Vec<Option<_>> = bots.into_iter().map(Some).collect();
        let mut seated: Vec<_> =
            roster.entrants().iter().map(|index| bots[*index].take().expect("everyone sits once")).collect();
        let mut tournament = self.tournament(&roster);
        let mut record = self.record(&roster, Durability::AtTheEnd)?;
        play(&mut tournament, &mut seated, &mut record).map_err(lost)?;
        drop(record);
        self.conclude(&tournament, &roster, Ending::Played)
    }

    /// Plays with house bots, the programs of the command line, and these guests.
    pub(super) async fn play_networked(self, guests: Vec<Guest>) -> Result<(), Failure> {
        let mut entrants = Vec::new();
        let mut sitting = Vec::new();
        for (entrant, bot) in self.contestants.house_bots(&self.seed) {
            entrants.push(entrant);
            sitting.push(Some(Sitting::House(bot)));
        }
        let programs = Program::start_all(self.contestants.programs(), &self.folder, self.limits()).await;
        for (guest, program) in programs.map_err(Failure::Broke)? {
            entrants.push(Entrant { github_id: guest.login.github_id, name: program.name().to_string() });
            sitting.push(Some(Sitting::Started(guest.connection, Box::new(program))));
        }
        for guest in guests {
            entrants.push(Entrant { github_id: guest.login.github_id, name: guest.login.avatar });
            sitting.push(Some(Sitting::Remote(guest.connection)));
        }
        let roster = Roster::new(&entrants, &self.seed);
        let seated = roster
            .entrants()
            .iter()
            .map(|index| sitting[*index].take().expect("everyone sits once"))
            .collect();
        let mut tournament = self.tournament(&roster);
        let mut record = self.record(&roster, Durability::EveryRound)?;
        let stop = interrupted();
        let seats = Seats::new(seated, self.limits());
        let ending =
            seats.play(&mut tournament, &mut record, || stop.load(Ordering::Relaxed)).await.map_err(lost)?;
        drop(record);
        self.conclude(&tournament, &roster, ending)
    }

    fn conduct(&self) -> Conduct {
        let short_stack = match self.args.short_stack {
            ShortStackFlag::Fold => ShortStack::Fold,
            ShortStackFlag::Ask => ShortStack::Ask,
        };
        let on_foul = match self.args.on_foul {
            OnFoulFlag::Eject => OnFoul::Eject,
            OnFoulFlag::Fold => OnFoul::Fold,
        };
        Conduct { rules: Rules { short_stack, ..Rules::default() }, on_foul }
    }

    fn rounds(&self) -> u64 {
        self.args.rounds.unwrap_or(DEFAULT_ROUNDS)
    }

    fn tournament(&self, roster: &Roster) -> Freezeout {
        Freezeout::new(self.conduct(), &self.seed, roster.players().len(), self.args.stack, self.rounds())
    }

    /// Opens the journal and the show, and says what has to be said before the first deal.
    fn record(&self, roster: &Roster, durability: Durability) -> Result<Vec<Box<dyn Record>>, Failure> {
        let mut record: Vec<Box<dyn Record>> = Vec::new();
        if let Some(path) = self.journal() {
            let header =
                Header::new(self.conduct(), &self.seed, roster.players(), self.args.stack, self.rounds());
            let journal =
                Journal::create(&path, header, durability).map_err(|error| journal_error(&path, &error))?;
            record.push(Box::new(journal));
        }
        let mut output = Output::stdout();
        match (self.seed.promise(), self.is_chatty()) {
            (Some(promise), true) => {
                output.line(format_args!("The seed is drawn; its SHA-256 is {promise}."))?;
                output.line("The seed itself is shown at the end, so that every deck can be checked.")?;
            }
            (Some(promise), false) => super::output::remark(&format!("SHA-256 of the seed: {promise}")),
            (None, true) => output.line(format_args!("The seed is {:?}.", self.seed.text()))?,
            (None, false) => {}
        }
        if self.is_chatty() {
            let names: Vec<&str> = roster.players().iter().map(|player| player.name.as_str()).collect();
            output.line(format_args!("At the table, in seat order: {}.", names.join(", ")))?;
            if self.args.rounds.is_none() {
                output.line(format_args!(
                    "At most {DEFAULT_ROUNDS} rounds are played; --rounds sets another number."
                ))?;
            }
            output.line("")?;
            output.flush()?;
            record.push(Box::new(Show::new(output, roster.players(), Duration::from_millis(self.args.pace))));
        }
        Ok(record)
    }

    fn conclude(self, tournament: &Freezeout, roster: &Roster, ending: Ending) -> Result<(), Failure> {
        let standings = tournament.standings();
        let outcome = Outcome {
            seed: self.seed.text().to_string(),
            promise: self.seed.promise(),
            rounds: tournament.table().round_number(),
            ended: match ending {
                Ending::Played => "played",
                Ending::Stopped => "stopped",
            },
            forfeited: tournament.table().forfeited(),
            standings: StandingLine::all(&standings, roster.players()),
        };
        let json = serde_json::to_string(&outcome).map_err(Failure::broke)?;
        if let Some(folder) = &self.args.out {
            write_private(&folder.join("result.json"), &json)?;
        }
        let mut output = Output::stdout();
        if self.args.json {
            output.line(json)?;
        } else {
            self.final_table(&outcome, &standings, roster.players(), &mut output)?;
        }
        self.tidy(&outcome, &mut output)?;
        output.flush()
    }

    fn final_table(
        &self,
        outcome: &Outcome,
        standings: &Standings,
        players: &[Player],
        output: &mut Output,
    ) -> Result<(), Failure> {
        let how = match outcome.ended {
            "stopped" => ", stopped early",
            _ => "",
        };
        let forfeited = match outcome.forfeited {
            0 => String::new(),
            chips => format!(", {chips} chips forfeited"),
        };
        output.line(format_args!("\nAfter {} rounds{how}{forfeited}:", outcome.rounds))?;
        let width = players.iter().map(|player| player.name.chars().count()).max().unwrap_or(0);
        for Standing { place, player, chips, exit } in standings.places() {
            let left = match exit {
                Some(exit) => format!("left in round {}: {}", exit.round, in_public(&exit.why, players)),
                None => "in until the end".to_string(),
            };
            output.line(format_args!("{place:>3}. {:<width$} {chips:>8}  {left}", players[*player].name))?;
        }
        if self.seed.is_drawn() {
            output.line(format_args!("\nThe seed was {}.", outcome.seed))?;
        }
        Ok(())
    }

    /// Throws the outputs of programs away if the folder is only lent and nobody will want to read them.
    fn tidy(&self, outcome: &Outcome, output: &mut Output) -> Result<(), Failure> {
        if !self.lent || self.contestants.are_house_bots() {
            return Ok(());
        }
        let fouled = |standing: &StandingLine| standing.how.as_ref().is_some_and(|how| how != "out of chips");
        let told = self.contestants.programs().iter().any(|(name, _)| {
            outcome.standings.iter().any(|standing| standing.name == *name && fouled(standing))
        });
        if told {
            if !self.args.json {
                output.line(format_args!("\nWhat the programs printed is in {}.", self.folder.display()))?;
            }
            return Ok(());
        }
        // A folder of a few log files that cannot be removed is no reason to fail.
        let _ = fs::remove_dir_all(&self.folder);
        Ok(())
    }
}

fn write_private(path: &Path, text: &str) -> Result<(), Failure> {
    use std::io::Write;
    use std::os::unix::fs::OpenOptionsExt;
    let write = || -> io::Result<()> {
        let mut file =
            fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path)?;
        writeln!(file, "{text}")
    };
    write().map_err(|error| Failure::Broke(format!("{} cannot be written: {error}", path.display())))
}

fn journal_error(path: &Path, error: &io::Error) -> Failure {
    let path = path.display();
    match error.kind() {
        io::ErrorKind::AlreadyExists => Failure::Usage(format!(
            "{path} is there already; a journal is never overwritten: name a new file"
        )),
        _ => Failure::Usage(format!("the journal {path} cannot be written: {error}")),
    }
}

/// What could not be recorded was not announced: that is all that can be said.
fn lost(error: io::Error) -> Failure {
    match error.kind() {
        io::ErrorKind::BrokenPipe => Failure::NobodyReads,
        _ => Failure::Broke(format!(
            "the tournament was stopped, because what happened could not be recorded any more: {error}. Nothing \
             was announced that is not in the journal"
        )),
    }
}

/// True once somebody has pressed Ctrl-C. A second time ends the program at once.
fn interrupted() -> Arc<AtomicBool> {
    let pressed = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&pressed);
    on_interrupt(move || {
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
        super::output::remark("The round is played to its end; press Ctrl-C again to stop at once.");
    });
    pressed
}
