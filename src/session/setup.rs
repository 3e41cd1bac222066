//! What `play` and `host` share: who sits down for a new tournament, and on which terms.

use std::io;
use std::net::SocketAddr;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::cards::Seed;
use crate::journal::{Durability, Header, Journal, PlayerSource, Terms};
use crate::protocol::Login;
use crate::server::{ConnectionLimits, Guest, SeatedPlayer, StartedProgram};
use crate::stud::{MAX_SEATS, Rules};
use crate::table::{OnFoul, TableSettings};
use crate::tournament::{Entrant, MAX_PLAYERS, Roster, harmless};
use crate::web::{ConsoleState, GuestView, Kind, LobbyView, Member, Room};

use super::Failure;
use super::options::{DEFAULT_ROUNDS, NO_LIMIT, NewTournament};
use super::output::numbered;
use super::running::{Folder, Running, jobs, limits, random};

/// How many files this process has open beside those of its players: standard ones, journal, page and so on.
const FILES: u64 = 64;

/// A new tournament that is about to begin.
pub(crate) struct Setup {
    args: NewTournament,
    seed: Seed,
    folder: Folder,
    /// Where people watch, if they do.
    room: Option<Arc<Room>>,
    /// Which tournament of the day this is, from 1.
    number: u32,
}

impl Setup {
    /// Checks everything that can be checked before anybody is started or let in.
    pub(crate) fn new(args: NewTournament) -> Result<Setup, Failure> {
        let seed = match &args.seed {
            Some(text) => Seed::chosen(text),
            None => Seed::drawn(random()?),
        };
        let folder = Folder::new(args.presentation.out.as_deref(), !args.contestants.are_house_bots())?;
        let mut setup = Setup { args, seed, folder, room: None, number: 1 };
        if let Some(path) = setup.journal()
            && path.exists()
        {
            // Nobody should have come to play when this is found out.
            return Err(journal_error(&path, &io::ErrorKind::AlreadyExists.into()));
        }
        setup.room = setup.args.presentation.open_room()?;
        if let Some(console_state) = setup.console_state() {
            console_state.set_rehearsal(setup.args.on_foul == OnFoul::Fold);
        }
        Ok(setup)
    }

    /// Whether everybody plays in this process and nobody can ask the dealer to wait.
    pub(crate) fn needs_no_waiting(&self) -> bool {
        self.args.contestants.are_house_bots() && self.args.presentation.needs_no_waiting()
    }

    /// Where people watch, if they do.
    pub(crate) fn room(&self) -> Option<&Room> {
        self.room.as_deref()
    }

    /// What the desk of the people in charge knows and wants, if there is one.
    fn console_state(&self) -> Option<&ConsoleState> {
        self.room().map(|room| room.console_state().as_ref())
    }

    /// The next tournament of the day: another seed, other files, the same room.
    pub(crate) fn next(&mut self) -> Result<(), Failure> {
        self.number += 1;
        self.seed = match &self.args.seed {
            Some(text) => Seed::chosen(format!("{text} {}", self.number)),
            None => Seed::drawn(random()?),
        };
        Ok(())
    }

    /// Shows who is in the lobby: the players of the command line and these guests.
    pub(crate) fn show_lobby(&self, guests: &[Login], wanted: usize) {
        let Some(room) = self.room() else { return };
        let mut coming: Vec<(Entrant, Kind, bool)> = Vec::new();
        for (entrant, _) in self.args.contestants.house_bots() {
            coming.push((entrant.clone(), Kind::House, true));
        }
        for (name, _) in self.args.contestants.programs() {
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
        let mut known = self.console_state().map(ConsoleState::known).unwrap_or_default();
        for (((entrant, kind, connected), name), avatar) in coming.into_iter().zip(names).zip(avatars) {
            // A name might be the GitHubId of somebody who is not in yet: only when everybody is can that be
            // known. Until then the room sees enough of it for its owner to know it, and all of a name that it
            // has seen in the tournament before.
            let seen_before = known.remove(&entrant.github_id).is_some_and(|before| before == name);
            let safe = everybody || seen_before || kind != Kind::Remote;
            let seen = if safe { name.clone() } else { beginning(&name) };
            shown.push(GuestView { name: seen, connected, house: kind == Kind::House });
            let avatar = harmless(&avatar).unwrap_or_default();
            members.push(Member { github_id: entrant.github_id, name, avatar, kind });
        }
        let awaited = if everybody { Vec::new() } else { known.into_values().collect() };
        room.show_lobby(LobbyView { wanted, guests: shown, awaited }, members);
    }

    /// The people in charge can give somebody another name.
    fn name_as_given(&self, entrant: &mut Entrant) {
        if let Some(name) =
            self.console_state().and_then(|console_state| console_state.name_given(&entrant.github_id))
        {
            entrant.name = name;
        }
    }

    /// Where the journal goes, if one is written.
    fn journal(&self) -> Option<PathBuf> {
        let in_folder = || self.args.presentation.out.as_ref().map(|folder| folder.join("journal.jsonl"));
        self.args.journal.clone().or_else(in_folder).map(|path| numbered(path, self.number))
    }

    /// How many players the command line names.
    pub(crate) fn named(&self) -> usize {
        self.args.contestants.len()
    }

    /// Whether text for people is wanted.
    pub(crate) fn is_chatty(&self) -> bool {
        self.args.presentation.is_chatty()
    }

    pub(crate) fn limits(&self) -> ConnectionLimits {
        limits(&self.terms())
    }

    /// How many threads serve the tables.
    pub(crate) fn threads(&self) -> NonZero<usize> {
        match self.args.plan {
            None => NonZero::<usize>::MIN,
            Some(_) => jobs(self.args.jobs),
        }
    }

    /// Whether this process may have as many files open as so many players take. One table always goes on with what
    /// there is.
    pub(crate) fn check_files(files: u64, players: usize) -> Result<(), Failure> {
        let needed = FILES + players as u64;
        if files >= needed || players <= MAX_SEATS {
            return Ok(());
        }
        Err(Failure::Usage(format!(
            "{players} players take {needed} open files, and the system allows this process {files}: raise the \
             limit first, as by ulimit -n {needed}"
        )))
    }

    /// Whether this many players fit at the tables.
    pub(crate) fn check_players(&self, players: usize) -> Result<(), Failure> {
        if let Some(plan) = &self.args.plan {
            let fewest = plan.format.rules().fewest_players;
            if !(fewest..=MAX_PLAYERS).contains(&players) {
                return Err(Failure::Usage(format!(
                    "there are {players} players, where an event has {fewest} to {MAX_PLAYERS}"
                )));
            }
            let chips = u64::from(self.args.stack) * players as u64;
            if chips >= 1 << 31 {
                return Err(Failure::Usage(format!(
                    "{players} stacks are {chips} chips, more than can be counted: choose a smaller --stack"
                )));
            }
            return Ok(());
        }
        match players {
            0 | 1 => Err(Failure::Usage(format!(
                "a game takes at least two players, and there is {}: add one with --bot",
                if players == 0 { "nobody" } else { "one" }
            ))),
            2..=MAX_SEATS => Ok(()),
            _ => Err(Failure::Usage(format!(
                "{players} players do not fit at one table, which has {MAX_SEATS} seats: spread them over several \
                 with --seats"
            ))),
        }
    }

    /// Plays with house bots only, without any network.
    pub(crate) fn play_in_process(self) -> Result<(), Failure> {
        let house = self.args.contestants.house_bots().iter().map(|(entrant, bot)| {
            (
                entrant.clone(),
                PlayerSource::House(bot.name.to_string()),
                bot.seated(&entrant.github_id, &self.seed),
            )
        });
        let (header, bots) = self.seat(house.collect());
        self.begin(header, Durability::AtTheEnd, None)?.in_process(bots)
    }

    /// Plays with the players of the command line only, and again as often as the people in charge want.
    pub(crate) async fn play_day(mut self) -> Result<(), Failure> {
        loop {
            let show = || self.show_lobby(&[], self.named());
            show();
            if let Some(room) = self.room()
                && !room.wait_for_start(show).await
            {
                return Ok(());
            }
            if !self.play_networked(Vec::new(), None).await? {
                return Ok(());
            }
            self.next()?;
        }
    }

    /// Plays with house bots, the programs of the command line, and these guests, who connected to this address.
    /// True if the people in charge want another tournament after it.
    pub(crate) async fn play_networked(
        &self,
        guests: Vec<Guest>,
        address: Option<SocketAddr>,
    ) -> Result<bool, Failure> {
        let mut everyone = Vec::new();
        for (entrant, bot) in self.args.contestants.house_bots() {
            let player = bot.seated(&entrant.github_id, &self.seed);
            everyone.push((
                entrant.clone(),
                PlayerSource::House(bot.name.to_string()),
                SeatedPlayer::House(Box::new(player)),
            ));
        }
        let programs = self.args.contestants.programs();
        let started = StartedProgram::start_all(programs, self.folder.path(), self.limits()).await;
        let started = started.map_err(Failure::broke)?;
        for ((guest, program), (name, command)) in started.into_iter().zip(programs) {
            let entrant = Entrant { github_id: guest.login.github_id, name: name.clone() };
            let plays = PlayerSource::Program { name: name.clone(), command: command.clone() };
            everyone.push((entrant, plays, SeatedPlayer::Started(guest.connection, Box::new(program))));
        }
        for guest in guests {
            let entrant = Entrant { github_id: guest.login.github_id, name: guest.login.avatar };
            everyone.push((entrant, PlayerSource::Remote, SeatedPlayer::Remote(guest.connection)));
        }
        let (header, seated) = self.seat(everyone);
        let limits = self.limits();
        let durability =
            match header.players.iter().all(|player| matches!(player.plays, PlayerSource::House(_))) {
                true => Durability::AtTheEnd,
                false => Durability::EveryRound,
            };
        self.begin(header, durability, address)?.networked(seated, limits).await
    }

    /// Seats everyone by the seed.
    fn seat<P>(&self, everyone: Vec<(Entrant, PlayerSource, P)>) -> (Header, Vec<P>) {
        let mut entrants: Vec<Entrant> = everyone.iter().map(|(entrant, ..)| entrant.clone()).collect();
        entrants.iter_mut().for_each(|entrant| self.name_as_given(entrant));
        let roster = Roster::new(&entrants, &self.seed);
        let mut everyone: Vec<Option<(PlayerSource, P)>> =
            everyone.into_iter().map(|(_, plays, sitting)| Some((plays, sitting))).collect();
        let seated =
            roster.entrants().iter().map(|index| everyone[*index].take().expect("everyone sits once"));
        let (plays, seated): (Vec<PlayerSource>, Vec<P>) = seated.unzip();
        let players = roster.players().iter().cloned().zip(plays);
        let header = Header::new(self.terms(), &self.seed, players);
        let header = match &self.args.plan {
            Some(plan) => header.with_plan(plan.clone()),
            None => header,
        };
        (header, seated)
    }

    fn begin(
        &self,
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
        let presentation = self.args.presentation.clone();
        if presentation.is_chatty() && self.args.rounds.is_none() && header.rounds == DEFAULT_ROUNDS {
            super::output::remark(&format!(
                "At most {DEFAULT_ROUNDS} rounds are played; --rounds sets another number."
            ));
        }
        let event = header.event().map_err(Failure::broke)?;
        Ok(Running {
            header,
            seed: self.seed.clone(),
            event,
            opponents: Vec::new(),
            jobs: jobs(self.args.jobs),
            journal,
            journal_path: None,
            presentation,
            folder: self.folder.clone(),
            address,
            room: self.room.clone(),
            number: self.number,
        })
    }

    fn terms(&self) -> Terms {
        let on_foul = match self.console_state().map(ConsoleState::is_rehearsal) {
            None => self.args.on_foul,
            Some(false) => OnFoul::Eject,
            Some(true) => OnFoul::Fold,
        };
        let short_stack = self.args.short_stack;
        Terms {
            conduct: TableSettings { rules: Rules { short_stack, ..Rules::default() }, on_foul },
            stack: self.args.stack,
            rounds: self.args.rounds.unwrap_or(match &self.args.plan {
                Some(plan) if plan.format.rules().ends_by_itself => NO_LIMIT,
                _ => DEFAULT_ROUNDS,
            }),
            reply_ms: self.args.reply_ms,
            relogin: self.args.relogin,
        }
    }
}

/// The first half of a name.
fn beginning(name: &str) -> String {
    let length = name.chars().count();
    name.chars().take(length.div_ceil(2).min(6)).chain(['…']).collect()
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
