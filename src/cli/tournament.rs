//! What `play` and `host` share: the flags of a tournament, and running one.

use std::fs;
use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use clap::{Args, ValueEnum};
use serde::Serialize;
use tokio::sync::Notify;

use crate::cards::Seed;
use crate::journal::{Durability, Header, Journal, StandingLine};
use crate::protocol::Login;
use crate::server::{
    Contestants, Ending, Guest, Helm, Limits, Player as Sitting, Program, Seats, Spec,
};
use crate::stud::{Chips, MAX_SEATS, Rules, ShortStack};
use crate::table::{Conduct, OnFoul};
use crate::tournament::{Entrant, Freezeout, Record, Roster, harmless, play};
use crate::web::{BoardRow, Desk, GuestView, Kind, LobbyView, Member, Programme, Room, why_left};

use super::show::Show;
use super::{Failure, Output, output};

/// Everyone who keeps what happens.
pub(super) type Records = Vec<Box<dyn Record>>;

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
    /// Show the tournament on a page at this address: for the projector. Port 0 takes a free one
    #[arg(long, value_name = "ADDR:PORT")]
    web: Option<SocketAddr>,
    /// Open the teacher's console at this address; its link, with a token, is printed on standard error. Play
    /// begins when the console says so
    #[arg(long, value_name = "ADDR:PORT", num_args = 0..=1, default_missing_value = "127.0.0.1:0")]
    console: Option<SocketAddr>,
    /// How long the page stays after the end, in seconds [default: until Ctrl-C]
    #[arg(long, value_name = "SECONDS")]
    stay: Option<u64>,
    /// Wait this long from the end of a round to the next deal, in milliseconds
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
    /// Where people watch, if they do.
    room: Option<Room>,
    /// Where the dealer is steered.
    helm: Helm,
    /// Which tournament of the day this is, from 1.
    number: u32,
    interrupt: Interrupt,
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
            None => Seed::drawn(random()?),
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
        let room = open_room(&args)?;
        let helm = room.as_ref().map(|room| room.desk().helm().clone()).unwrap_or_default();
        let interrupt = Interrupt::new(helm.clone());
        Ok(Setup { args, contestants, seed, folder, lent, room, helm, number: 1, interrupt })
    }

    /// Whether everybody plays in this process and nobody can ask the dealer to wait.
    pub(super) fn needs_no_waiting(&self) -> bool {
        self.contestants.are_house_bots() && self.room.is_none() && self.args.pace == 0
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
        let mut record = self.record(&roster, &[], Durability::AtTheEnd)?;
        play(&mut tournament, &mut seated, &mut record).map_err(lost)?;
        drop(record);
        self.conclude(&tournament, &roster, Ending::Played)
    }

    /// Plays with the players of the command line only, and again as often as the people in charge want.
    pub(super) async fn play_day(mut self) -> Result<(), Failure> {
        loop {
            self.show_lobby(&[], self.named());
            if self.has_console() {
                tokio::select! {
                    () = self.go() => {}
                    () = self.interrupt.pressed() => return Ok(()),
                    never = self.renamed(|| self.show_lobby(&[], self.named())) => match never {},
                }
            }
            let record = self.play_networked(Vec::new()).await?;
            if !self.goes_on(record).await? {
                return Ok(());
            }
        }
    }

    /// Whether there is a console, so that play waits for it.
    pub(super) fn has_console(&self) -> bool {
        self.room.as_ref().is_some_and(|room| room.console().is_some())
    }

    /// What the desk of the people in charge knows and wants, if there is one.
    pub(super) fn desk(&self) -> Option<&Desk> {
        self.room.as_ref().map(|room| room.desk().as_ref())
    }

    /// Waits until the people in charge say that it begins or goes on; for ever where nobody is in charge.
    pub(super) async fn go(&self) {
        match self.desk() {
            Some(desk) => desk.go().await,
            None => std::future::pending().await,
        }
    }

    /// Shows the lobby again whenever somebody in it has been given another name.
    pub(super) async fn renamed(&self, show: impl Fn()) -> std::convert::Infallible {
        match self.desk() {
            Some(desk) => loop {
                desk.lobby_changed().await;
                show();
            },
            None => std::future::pending().await,
        }
    }

    /// Ctrl-C, from the moment somebody first waits for it.
    pub(super) fn interrupt(&self) -> Interrupt {
        self.interrupt.clone()
    }

    /// Shows who is in the lobby: the players of the command line and these guests.
    pub(super) fn show_lobby(&self, guests: &[Login], wanted: usize) {
        let Some(room) = &self.room else { return };
        let mut coming: Vec<(Entrant, Kind, bool)> = Vec::new();
        for (entrant, _) in self.contestants.house_bots(&self.seed) {
            coming.push((entrant, Kind::House, true));
        }
        for (name, _) in self.contestants.programs() {
            // Who is behind it is known when it has logged in.
            let entrant = Entrant { github_id: format!("program:{name}"), name: name.clone() };
            coming.push((entrant, Kind::Started, false));
        }
        for login in guests {
            let entrant = Entrant { github_id: login.github_id.clone(), name: login.avatar.clone() };
            coming.push((entrant, Kind::Remote, true));
        }
        let avatars: Vec<String> = coming.iter().map(|(entrant, ..)| entrant.name.clone()).collect();
        for (entrant, ..) in &mut coming {
            self.name_as_given(entrant);
        }
        let entrants: Vec<Entrant> = coming.iter().map(|(entrant, ..)| entrant.clone()).collect();
        let roster = Roster::new(&entrants, &self.seed);
        let mut names = vec![String::new(); entrants.len()];
        for (player, index) in roster.players().iter().zip(roster.entrants()) {
            names[*index] = player.name.clone();
        }
        let mut members = Vec::new();
        let mut shown = Vec::new();
        let everybody = entrants.len() >= wanted;
        for (((entrant, kind, connected), name), avatar) in coming.into_iter().zip(names).zip(avatars) {
            // A name might be the GitHubId of somebody who is not in yet: only when everybody is can that be
            // known. Until then the room sees enough of it for its owner to know it.
            let seen = if everybody || kind != Kind::Remote { name.clone() } else { beginning(&name) };
            shown.push(GuestView { name: seen, connected, house: kind == Kind::House });
            let avatar = harmless(&avatar).unwrap_or_default();
            members.push(Member { github_id: entrant.github_id, name, avatar, kind });
        }
        room.show_lobby(LobbyView { wanted, guests: shown }, members);
    }

    /// The people in charge can give somebody another name.
    fn name_as_given(&self, entrant: &mut Entrant) {
        if let Some(name) = self.desk().and_then(|desk| desk.name_given(&entrant.github_id)) {
            entrant.name = name;
        }
    }

    /// Plays with house bots, the programs of the command line, and these guests. Gives back the record, in
    /// which what the people in charge do afterwards can still be kept.
    pub(super) async fn play_networked(&mut self, guests: Vec<Guest>) -> Result<Records, Failure> {
        let mut entrants = Vec::new();
        let mut sitting = Vec::new();
        let mut kinds = Vec::new();
        for (entrant, bot) in self.contestants.house_bots(&self.seed) {
            kinds.push((Kind::House, entrant.name.clone()));
            entrants.push(entrant);
            sitting.push(Some(Sitting::House(bot)));
        }
        for (guest, program) in self.start_programs().await? {
            kinds.push((Kind::Started, program.name().to_string()));
            entrants.push(Entrant { github_id: guest.login.github_id, name: program.name().to_string() });
            sitting.push(Some(Sitting::Started(guest.connection, program)));
        }
        for guest in guests {
            kinds.push((Kind::Remote, harmless(&guest.login.avatar).unwrap_or_default()));
            entrants.push(Entrant { github_id: guest.login.github_id, name: guest.login.avatar });
            sitting.push(Some(Sitting::Remote(guest.connection)));
        }
        entrants.iter_mut().for_each(|entrant| self.name_as_given(entrant));
        let roster = Roster::new(&entrants, &self.seed);
        let members: Vec<Member> = roster
            .players()
            .iter()
            .zip(roster.entrants())
            .map(|(player, index)| Member {
                github_id: player.github_id.clone(),
                name: player.name.clone(),
                avatar: kinds[*index].1.clone(),
                kind: kinds[*index].0,
            })
            .collect();
        let seated: Vec<Sitting> = roster
            .entrants()
            .iter()
            .map(|index| sitting[*index].take().expect("everyone sits once"))
            .collect();
        let durability = match members.iter().all(|member| member.kind == Kind::House) {
            true => Durability::AtTheEnd,
            false => Durability::EveryRound,
        };
        let mut tournament = self.tournament(&roster);
        let mut record = self.record(&roster, &members, durability)?;
        if self.number == 1 && self.args.pace > 0 {
            self.helm.pace(Duration::from_millis(self.args.pace));
        }
        self.interrupt.set_playing(true);
        let interrupt = self.interrupt();
        let seats = Seats::new(seated, self.limits()).under(self.helm.control());
        let ending =
            seats.play(&mut tournament, &mut record, || interrupt.was_pressed()).await.map_err(lost)?;
        self.interrupt.set_playing(false);
        self.conclude(&tournament, &roster, ending)?;
        Ok(record)
    }

    /// Waits with the page standing: for the next tournament, if the people in charge want one, or for the end.
    /// What they do meanwhile is kept in the record.
    pub(super) async fn goes_on(&mut self, mut record: Records) -> Result<bool, Failure> {
        if self.room.is_none() {
            return Ok(false);
        }
        let interrupt = self.interrupt();
        let stay = self.args.stay.map(Duration::from_secs);
        if stay.is_none() && !interrupt.was_pressed() {
            output::remark("The page stays until Ctrl-C is pressed.");
        }
        let control = self.helm.control();
        let goes_on = {
            let next = async {
                tokio::select! {
                    () = self.go() => true,
                    () = interrupt.pressed() => false,
                    () = tokio::time::sleep(stay.unwrap_or(Duration::MAX)) => false,
                }
            };
            tokio::pin!(next);
            loop {
                tokio::select! {
                    goes_on = &mut next => break goes_on,
                    () = control.stirred() => control.write_down(&mut record).map_err(lost)?,
                }
            }
        };
        control.write_down(&mut record).map_err(lost)?;
        record.commit().map_err(lost)?;
        if goes_on {
            self.number += 1;
            self.seed = match &self.args.seed {
                Some(text) => Seed::chosen(format!("{text} {}", self.number)),
                None => Seed::drawn(random()?),
            };
        }
        Ok(goes_on)
    }

    async fn start_programs(&self) -> Result<Vec<(Guest, Program)>, Failure> {
        let limits = self.limits();
        let starts = self.contestants.programs().iter().map(|(name, command)| {
            let (name, command, folder) = (name.clone(), command.clone(), self.folder.clone());
            async move { Program::start(&name, &command, &folder, limits).await }
        });
        // All at once: a Java machine takes its time to start.
        let mut starting = tokio::task::JoinSet::new();
        let mut started = Vec::new();
        for (index, start) in starts.enumerate() {
            starting.spawn(async move { (index, start.await) });
        }
        while let Some(joined) = starting.join_next().await {
            let (index, outcome) = joined.map_err(Failure::broke)?;
            started.push((index, outcome.map_err(Failure::Broke)?));
        }
        started.sort_by_key(|(index, _)| *index);
        Ok(started.into_iter().map(|(_, program)| program).collect())
    }

    fn conduct(&self) -> Conduct {
        let short_stack = match self.args.short_stack {
            ShortStackFlag::Fold => ShortStack::Fold,
            ShortStackFlag::Ask => ShortStack::Ask,
        };
        let on_foul = match (self.desk().map(Desk::is_rehearsal), self.args.on_foul) {
            (Some(false), _) | (None, OnFoulFlag::Eject) => OnFoul::Eject,
            (Some(true), _) | (None, OnFoulFlag::Fold) => OnFoul::Fold,
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
    fn record(
        &self,
        roster: &Roster,
        members: &[Member],
        durability: Durability,
    ) -> Result<Records, Failure> {
        let mut record: Records = Vec::new();
        let in_folder = self.args.out.as_ref().map(|folder| folder.join("journal.jsonl"));
        let journal_path = self.args.journal.clone().or(in_folder).map(|path| self.numbered(path));
        if let Some(path) = journal_path.clone() {
            let header =
                Header::new(self.conduct(), &self.seed, roster.players(), self.args.stack, self.rounds());
            let journal =
                Journal::create(&path, header, durability).map_err(|error| journal_error(&path, &error))?;
            record.push(Box::new(journal));
        }
        if let Some(room) = &self.room {
            let programme = Programme {
                number: self.number,
                players: roster.players().iter().map(|player| player.name.clone()).collect(),
                stack: self.args.stack,
                rounds: self.rounds(),
                ante: self.conduct().rules.ante,
                rehearsal: self.conduct().on_foul == OnFoul::Fold,
                promise: self.seed.promise(),
                seed: None,
            };
            let folder = Some(self.folder.clone());
            record.push(Box::new(room.begin(programme, members.to_vec(), journal_path, folder)));
        }
        let mut output = Output::stdout();
        match (self.seed.promise(), self.is_chatty()) {
            (Some(promise), true) => {
                output.line(format_args!("The seed is drawn; its SHA-256 is {promise}."))?;
                output.line("The seed itself is shown at the end, so that every deck can be checked.")?;
            }
            (Some(promise), false) => output::remark(&format!("SHA-256 of the seed: {promise}")),
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
            record.push(Box::new(Show::new(output, roster.players())));
        }
        Ok(record)
    }

    /// The second tournament of a day writes to files of its own: `journal-2.jsonl`.
    fn numbered(&self, path: PathBuf) -> PathBuf {
        if self.number == 1 {
            return path;
        }
        let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        let name = match path.extension() {
            Some(extension) => format!("{stem}-{}.{}", self.number, extension.to_string_lossy()),
            None => format!("{stem}-{}", self.number),
        };
        path.with_file_name(name)
    }

    fn conclude(&self, tournament: &Freezeout, roster: &Roster, ending: Ending) -> Result<(), Failure> {
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
            write_private(&self.numbered(folder.join("result.json")), &json)?;
        }
        if let Some(room) = &self.room {
            let row = |standing: &crate::tournament::Standing| BoardRow {
                seat: standing.player + 1,
                place: standing.place,
                chips: standing.chips,
                left_in_round: standing.exit.as_ref().map(|exit| exit.round),
                why: standing.exit.as_ref().map(|exit| why_left(&exit.why)),
            };
            let rows = standings.places().iter().map(row).collect();
            let stopped = ending == Ending::Stopped;
            room.end(rows, outcome.rounds, stopped, json.clone(), self.seed.text());
        }
        let mut output = Output::stdout();
        if self.args.json {
            output.line(json)?;
        } else {
            self.final_table(&outcome, &mut output)?;
        }
        self.tidy(&outcome, &mut output)?;
        output.flush()
    }

    fn final_table(&self, outcome: &Outcome, output: &mut Output) -> Result<(), Failure> {
        let how = match outcome.ended {
            "stopped" => ", stopped early",
            _ => "",
        };
        let forfeited = match outcome.forfeited {
            0 => String::new(),
            chips => format!(", {chips} chips forfeited"),
        };
        output.line(format_args!("\nAfter {} rounds{how}{forfeited}:", outcome.rounds))?;
        let width = outcome.standings.iter().map(|standing| standing.name.chars().count()).max().unwrap_or(0);
        for standing in &outcome.standings {
            let left = match (standing.left_in_round, &standing.why) {
                (Some(round), Some(why)) => format!("left in round {round}: {why}"),
                _ => "in until the end".to_string(),
            };
            let StandingLine { place, name, chips, .. } = standing;
            output.line(format_args!("{place:>3}. {name:<width$} {chips:>8}  {left}"))?;
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

/// Ctrl-C. A second time ends the program at once.
#[derive(Clone, Default)]
pub(super) struct Interrupt(Arc<Interrupted>);

#[derive(Default)]
struct Interrupted {
    pressed: AtomicBool,
    listening: AtomicBool,
    playing: AtomicBool,
    notify: Notify,
    /// A dealer that rests has to be woken.
    helm: Helm,
}

impl Interrupt {
    fn new(helm: Helm) -> Interrupt {
        Interrupt(Arc::new(Interrupted { helm, ..Interrupted::default() }))
    }

    pub(super) fn was_pressed(&self) -> bool {
        self.0.pressed.load(Ordering::Relaxed)
    }

    /// Waits for it.
    pub(super) async fn pressed(&self) {
        self.listen();
        while !self.was_pressed() {
            self.0.notify.notified().await;
        }
    }

    /// While a tournament is played, its round is played to its end.
    fn set_playing(&self, playing: bool) {
        self.0.playing.store(playing, Ordering::Relaxed);
        self.listen();
    }

    fn listen(&self) {
        if self.0.listening.swap(true, Ordering::Relaxed) {
            return;
        }
        let heard = Arc::clone(&self.0);
        tokio::spawn(async move {
            while tokio::signal::ctrl_c().await.is_ok() {
                if heard.pressed.swap(true, Ordering::Relaxed) {
                    std::process::exit(130);
                }
                if heard.playing.load(Ordering::Relaxed) {
                    output::remark("The round is played to its end; press Ctrl-C again to stop at once.");
                }
                heard.notify.notify_one();
                heard.helm.wake();
            }
        });
    }
}

/// The first half of a name.
fn beginning(name: &str) -> String {
    let length = name.chars().count();
    name.chars().take(length.div_ceil(2).min(6)).chain(['…']).collect()
}

/// Opens the page and the console, and says where they are.
fn open_room(args: &TournamentArgs) -> Result<Option<Room>, Failure> {
    if args.web.is_none() && args.console.is_none() {
        if args.stay.is_some() {
            return Err(Failure::Usage("--stay says how long the page stays: it needs --web".to_string()));
        }
        return Ok(None);
    }
    let console = match args.console {
        Some(address) => {
            let token: [u8; 16] = random()?;
            Some((address, token.iter().map(|byte| format!("{byte:02x}")).collect::<String>()))
        }
        None => None,
    };
    let room = Room::open(args.web, console).map_err(Failure::usage)?;
    room.desk().set_rehearsal(matches!(args.on_foul, OnFoulFlag::Fold));
    if let Some(address) = room.page() {
        output::remark(&format!("The page for the room is http://{address}/"));
    }
    if let Some((address, token)) = room.console() {
        output::remark(&format!("The teacher's console is http://{address}/#{token}"));
    }
    Ok(Some(room))
}

fn random<const N: usize>() -> Result<[u8; N], Failure> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes)
        .map_err(|error| Failure::Broke(format!("the system gives no random numbers: {error}")))?;
    Ok(bytes)
}
