//! What `play` and `host` share: the flags of a new tournament, and who sits down.

use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use crate::cards::Seed;
use crate::journal::{Durability, Header, Journal, Plays, Terms};
use crate::server::{Contestants, Guest, Limits, Player as Sitting, Program, Spec};
use crate::stud::{Chips, MAX_SEATS, Rules, ShortStack};
use crate::table::{Conduct, OnFoul};
use crate::tournament::{Entrant, Roster};

use super::Failure;
use super::running::{Folder, Presentation, Running, limits};

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

/// The flags of every new tournament.
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
    #[command(flatten)]
    presentation: Presentation,
}

/// A new tournament that is about to begin.
pub(super) struct Setup {
    args: TournamentArgs,
    contestants: Contestants,
    seed: Seed,
    folder: Folder,
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
        let folder = Folder::new(args.presentation.out.as_deref(), !contestants.are_house_bots())?;
        let setup = Setup { args, contestants, seed, folder };
        match setup.journal() {
            // Nobody should have come to play when this is found out.
            Some(path) if path.exists() => Err(journal_error(&path, &io::ErrorKind::AlreadyExists.into())),
            _ => Ok(setup),
        }
    }

    /// Where the journal goes, if one is written.
    fn journal(&self) -> Option<PathBuf> {
        let in_folder = || self.args.presentation.out.as_ref().map(|folder| folder.join("journal.jsonl"));
        self.args.journal.clone().or_else(in_folder)
    }

    /// How many players the command line names.
    pub(super) fn named(&self) -> usize {
        self.contestants.len()
    }

    /// Whether text for people is wanted.
    pub(super) fn is_chatty(&self) -> bool {
        self.args.presentation.is_chatty()
    }

    pub(super) fn limits(&self) -> Limits {
        limits(&self.terms())
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
        let house = self.contestants.house_bots().iter().map(|(entrant, bot)| {
            (entrant.clone(), Plays::House(bot.name.to_string()), bot.seated(&entrant.github_id, &self.seed))
        });
        let (header, bots) = self.seat(house.collect());
        self.begin(header, Durability::AtTheEnd, None)?.in_process(bots)
    }

    /// Plays with house bots, the programs of the command line, and these guests, who connected to this address.
    pub(super) async fn play_networked(
        self,
        guests: Vec<Guest>,
        address: Option<SocketAddr>,
    ) -> Result<(), Failure> {
        let mut everyone = Vec::new();
        for (entrant, bot) in self.contestants.house_bots() {
            let player = bot.seated(&entrant.github_id, &self.seed);
            everyone.push((
                entrant.clone(),
                Plays::House(bot.name.to_string()),
                Sitting::House(Box::new(player)),
            ));
        }
        let programs = self.contestants.programs();
        let started = Program::start_all(programs, self.folder.path(), self.limits()).await;
        let started = started.map_err(Failure::Broke)?;
        for ((guest, program), (name, command)) in started.into_iter().zip(programs) {
            let entrant = Entrant { github_id: guest.login.github_id, name: name.clone() };
            let plays = Plays::Program { name: name.clone(), command: command.clone() };
            everyone.push((entrant, plays, Sitting::Started(guest.connection, Box::new(program))));
        }
        for guest in guests {
            let entrant = Entrant { github_id: guest.login.github_id, name: guest.login.avatar };
            everyone.push((entrant, Plays::Remote, Sitting::Remote(guest.connection)));
        }
        let (header, seated) = self.seat(everyone);
        let limits = self.limits();
        self.begin(header, Durability::EveryRound, address)?.networked(seated, limits).await
    }

    /// Seats everyone by the seed.
    fn seat<P>(&self, everyone: Vec<(Entrant, Plays, P)>) -> (Header, Vec<P>) {
        let entrants: Vec<Entrant> = everyone.iter().map(|(entrant, ..)| entrant.clone()).collect();
        let roster = Roster::new(&entrants, &self.seed);
        let mut everyone: Vec<Option<(Plays, P)>> =
            everyone.into_iter().map(|(_, plays, sitting)| Some((plays, sitting))).collect();
        let seated =
            roster.entrants().iter().map(|index| everyone[*index].take().expect("everyone sits once"));
        let (plays, seated): (Vec<Plays>, Vec<P>) = seated.unzip();
        let players = roster.players().iter().cloned().zip(plays);
        (Header::new(self.terms(), &self.seed, players), seated)
    }

    fn begin(
        self,
        header: Header,
        durability: Durability,
        address: Option<SocketAddr>,
    ) -> Result<Running, Failure> {
        let journal = match self.journal() {
            None => None,
            Some(path) => {
                let journal = Journal::create(&path, header.clone(), durability)
                    .map_err(|error| journal_error(&path, &error))?;
                Some((path, journal))
            }
        };
        let presentation = self.args.presentation;
        if presentation.is_chatty() && self.args.rounds.is_none() {
            super::output::remark(&format!(
                "At most {DEFAULT_ROUNDS} rounds are played; --rounds sets another number."
            ));
        }
        let tournament = header.tournament().map_err(Failure::broke)?;
        Ok(Running {
            header,
            seed: self.seed,
            tournament,
            journal,
            presentation,
            folder: self.folder,
            address,
        })
    }

    fn terms(&self) -> Terms {
        let short_stack = match self.args.short_stack {
            ShortStackFlag::Fold => ShortStack::Fold,
            ShortStackFlag::Ask => ShortStack::Ask,
        };
        let on_foul = match self.args.on_foul {
            OnFoulFlag::Eject => OnFoul::Eject,
            OnFoulFlag::Fold => OnFoul::Fold,
        };
        Terms {
            conduct: Conduct { rules: Rules { short_stack, ..Rules::default() }, on_foul },
            stack: self.args.stack,
            rounds: self.args.rounds.unwrap_or(DEFAULT_ROUNDS),
            reply_ms: self.args.reply_ms,
            relogin: self.args.relogin,
        }
    }
}

fn journal_error(path: &Path, error: &io::Error) -> Failure {
    let path = path.display();
    match error.kind() {
        io::ErrorKind::AlreadyExists => Failure::Usage(format!(
            "{path} is there already; a journal is never overwritten: name a new file, or go on with it by casino \
             resume {path}"
        )),
        _ => Failure::Usage(format!("the journal {path} cannot be written: {error}")),
    }
}
