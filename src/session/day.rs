//! A day of new tournaments: players gather, take their seats, play, and perhaps play again.

use std::net::{IpAddr, SocketAddr};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use casino_host::{
    Admission, Chair, ConnectionLimits, Guest, JournalFile, LateDoor, LocalPlayers, ProgramStartError,
    SeatedPlayer, Spec, StartedProgram, block_on_threads,
};
use casino_stud::cards::Seed;
use casino_stud::journal::{Durability, Header, HeaderPlayer, Journal, PlayerSource, Terms};
use casino_stud::protocol::Login;
use casino_stud::strategies::HouseBot;
use casino_stud::stud::MAX_SEATS;
use casino_stud::table::OnFoul;
use casino_stud::tournament::{Entrant, EventPlan, FEWEST_PLAYERS, Roster};
use casino_system::sockets::raise_file_limit;

use super::console::NoticeKind;
use super::context::{Context, random};
use super::files::{later_journal, numbered, prepare_results, try_new_journal};
use super::gather::{ADDRESS_PATIENCE, Arrivals, Entrance, LobbyCrowd, gather};
use super::substitutes::{SubstituteConnections, has_substitute};
use super::tournament::{Tournament, limits};
use super::{
    DayNotice, DayNotices, LadderPlayer, MorePlay, NewTournament, Options, PlayerRoster, SessionError,
};

/// How many files this process has open beside those of its players: standard ones, journal, page and so on.
const OWN_OPEN_FILES: u64 = 64;

/// The most places of a lobby whose number of players is open.
const OPEN_PLACES: usize = 100;

/// The places of a lobby whose number of players is open, for players of programs and on chairs: as many as the format has room for
/// beside the `named` players.
pub(crate) fn open_places(plan: &EventPlan, named: usize, chairs: usize) -> usize {
    plan.max_players().saturating_sub(named + chairs).min(OPEN_PLACES)
}

/// A day of new tournaments. It has one tournament, or with a console as many as the teacher wants.
pub struct NewDay {
    pub(super) context: Context,
    pub(super) new: NewTournament,
    pub(super) seed: Seed,
    /// Which tournament of the day is next, from 1.
    number: u32,
}

/// A player who is to be seated.
pub(super) struct ArrivingPlayer<P> {
    pub(super) entrant: Entrant,
    pub(super) source: PlayerSource,
    pub(super) from: Option<IpAddr>,
    pub(super) player: P,
}

impl NewDay {
    /// Checks everything that can be checked before any program is started and any player is let in, and opens the
    /// page and the console.
    pub fn new(
        new: NewTournament,
        options: Options,
        notices: Arc<dyn DayNotices>,
    ) -> Result<NewDay, SessionError> {
        let has_people = !new.local_players.people().is_empty();
        let options = if has_people { options.seating_people() } else { options };
        let seed = match &new.seed {
            Some(text) => Seed::chosen(text),
            None => Seed::drawn(random()?),
        };
        // No player should have come when it is found out that something cannot be written.
        if let Some(out) = &options.out {
            prepare_results(out)?;
        }
        if let Some(path) = journal_path(&new, &options, 1) {
            try_new_journal(&path)?;
            // A console can begin further tournaments.
            if let (true, Some(later)) = (options.console.is_some(), later_journal(&path)) {
                return Err(SessionError::JournalExists { path: later });
            }
        }
        let has_programs = !new.local_players.programs().is_empty() || substitutes_of(&new) > 0;
        let context = Context::open(options, notices, has_programs)?;
        let day = NewDay { context, new, seed, number: 1 };
        if has_people {
            for person in day.new.local_players.people() {
                day.context.console.chairs().keep_for(&person.github_id, &person.name, None);
            }
            day.context.invite()?;
        }
        if let Some(path) = journal_path(&day.new, &day.context.options, 1) {
            day.context.restore_decisions(&path)?;
        }
        day.context.console.set_rehearsal(day.new.terms.conduct.on_foul == OnFoul::Fold);
        if let Some(roster) = day.context.console.roster() {
            day.context.console.number_all(roster.players().map(|(github_id, _)| github_id));
        }
        day.context.note_settings();
        Ok(day)
    }

    /// The day after a resumed tournament of this journal: the same house bots and programs on the same terms, and
    /// those who connect.
    pub(super) fn after(
        mut context: Context,
        header: Header,
        journal: &Path,
    ) -> Result<NewDay, SessionError> {
        let spec = |player: &HeaderPlayer| match &player.plays {
            PlayerSource::House(name) => HouseBot::named(name).map(|bot| Spec::House { bot, count: 1 }),
            PlayerSource::Program { name, command } => {
                Some(Spec::Program { name: name.clone(), command: command.clone() })
            }
            PlayerSource::Person | PlayerSource::Remote => None,
        };
        let specs: Vec<Spec> = header.players.iter().filter_map(spec).collect();
        let local_players = LocalPlayers::new(&specs).map_err(|error| SessionError::Program(error.into()))?;
        let mut new = NewTournament::new(local_players, header.terms.plan.clone());
        (new.terms, new.occasion) = (header.terms, header.occasion);
        (new.rounds_are_usual, new.play_is_usual) = (false, false);
        new.journal = Some(journal.to_path_buf());
        context.options.is_open = true;
        let is_free = |number: &u32| !numbered(journal.to_path_buf(), *number + 1).exists();
        let number = (1..).find(is_free).expect("there are more numbers than files");
        let mut day = NewDay { context, new, seed: Seed::drawn(random()?), number };
        day.next()?;
        Ok(day)
    }

    /// Plays with the named players, and with those who connect if there is an address for them.
    pub(super) fn go_on(self, bind: Option<SocketAddr>) -> Result<(), SessionError> {
        match bind {
            Some(bind) => {
                let (named, chairs) = (self.new.local_players.len(), self.context.options.chairs);
                let guests = open_places(&self.new.terms.plan, named, chairs);
                self.host(bind, guests)
            }
            None => self.play(),
        }
    }

    /// Plays with the named house bots and programs only.
    pub fn play(self) -> Result<(), SessionError> {
        self.check_players(self.new.local_players.len())?;
        if self.new.local_players.are_house_bots() && self.context.options.need_no_waiting() {
            return self.play_in_process();
        }
        block_on_threads(self.threads(), self.play_here()).map_err(SessionError::System)?
    }

    /// Listens at this address until so many guests are in, and plays with them and the named players.
    pub fn host(self, bind: SocketAddr, guests: usize) -> Result<(), SessionError> {
        let started = self.new.local_players.len() + substitutes_of(&self.new);
        let players = started + guests;
        self.check_players(players + self.context.options.chairs)?;
        let files = raise_file_limit();
        check_files(files, guests)?;
        let limits = self.limits().within_files(files, guests, started);
        block_on_threads(self.threads(), self.play_with_guests(bind, limits, guests))
            .map_err(SessionError::System)?
    }

    fn play_in_process(self) -> Result<(), SessionError> {
        let coming = self.house_bots(|bot| bot).collect();
        let (header, bots) = self.seat(coming);
        let (tournament, journal) = self.begin(header)?;
        tournament.play_in_process(bots, journal)
    }

    async fn play_here(mut self) -> Result<(), SessionError> {
        loop {
            let nobody = LobbyCrowd::default();
            let show = || self.show_lobby(&nobody, self.new.local_players.len());
            show();
            if !self.context.wait_for_start(show).await || !self.context.wait_for_people().await {
                return self.left_in_lobby();
            }
            if !self.play_networked(Vec::new(), Vec::new(), None, None).await? {
                return Ok(());
            }
            self.next()?;
        }
    }

    /// The day ends in a lobby. What was decided in the first one is kept: its tournament may be wanted still.
    fn left_in_lobby(&self) -> Result<(), SessionError> {
        if self.number > 1 { self.context.end_day() } else { Ok(()) }
    }

    async fn play_with_guests(
        mut self,
        mut bind: SocketAddr,
        limits: ConnectionLimits,
        remote: usize,
    ) -> Result<(), SessionError> {
        let named = self.new.local_players.len() + substitutes_of(&self.new);
        let most = self.new.terms.plan.max_players();
        let console = Arc::clone(&self.context.console);
        let listed = || console.roster().map_or(0, |roster| roster.len());
        let listed_at_start = self.context.options.roster.as_ref().map_or(0, PlayerRoster::len);
        loop {
            let added = || listed().saturating_sub(listed_at_start);
            let show = |crowd: &LobbyCrowd| self.show_lobby(crowd, (named + remote + added()).min(most));
            let admit = |login: &Login, _| match self.context.console.roster_refusal(&login.github_id) {
                None => Admission::Welcome,
                Some(why) => Admission::Refused(why),
            };
            let door = late_door(&self.new.terms);
            let has_place = |login: &Login| has_substitute(&self.new.ladder, &login.github_id);
            let entrance = Entrance {
                bind,
                patience: if self.number == 1 { Duration::ZERO } else { ADDRESS_PATIENCE },
                limits,
                wanted: if self.context.options.is_open { 0 } else { remote },
                admit: &admit,
                has_place: &has_place,
                door: door.clone(),
                show: &show,
            };
            let standing_by =
                SubstituteConnections::begin(&self.new.ladder, self.context.folder.path(), self.limits());
            let gathered = gather(&self.context, entrance).await?;
            let Some(Arrivals { guests, address, lobby }) = gathered else { return self.left_in_lobby() };
            let stays_out = |player: &LadderPlayer, why: &ProgramStartError| {
                let kind = NoticeKind::StaysOut(player.name.clone());
                self.context.console.notice_of(kind, format!("{} stays out: {why}.", player.name));
                // Optional output: the console shows it too.
                let _ = self.context.notify(&DayNotice::StaysOut { name: &player.name, why });
            };
            let substitutes = standing_by.come(&guests, stays_out).await;
            if !self.play_networked(guests, substitutes, Some(address), Some(door)).await? {
                return Ok(());
            }
            // The same address for each tournament of the day.
            bind = address;
            lobby.end().await;
            self.next()?;
        }
    }

    /// Plays with the named players, these guests, who connected to this address, the substitutes of absent players,
    /// and late entrants from the listener. True if the teacher wants another tournament after it.
    async fn play_networked(
        &mut self,
        guests: Vec<Guest>,
        substitutes: Vec<ArrivingPlayer<SeatedPlayer>>,
        address: Option<SocketAddr>,
        door: Option<LateDoor>,
    ) -> Result<bool, SessionError> {
        let mut coming: Vec<ArrivingPlayer<SeatedPlayer>> =
            self.house_bots(|bot| SeatedPlayer::House(Box::new(bot))).collect();
        let programs = self.new.local_players.programs();
        let limits = self.limits();
        let started = StartedProgram::start_all(programs, self.context.folder.path(), limits).await;
        let started = started.map_err(|error| SessionError::Program(error.into()))?;
        for ((guest, program), (name, command)) in started.into_iter().zip(programs) {
            coming.push(ArrivingPlayer {
                entrant: Entrant::new(guest.login.github_id, "").named(name),
                source: PlayerSource::Program { name: name.clone(), command: command.clone() },
                from: None,
                player: SeatedPlayer::Started(guest.connection, Box::new(program)),
            });
        }
        coming.extend(substitutes);
        let chairs = self.context.console.chairs().people();
        coming.extend(self.new.local_players.people().iter().cloned().chain(chairs).map(|entrant| {
            ArrivingPlayer {
                entrant,
                source: PlayerSource::Person,
                from: None,
                player: SeatedPlayer::Person(Chair::new(self.context.options.think())),
            }
        }));
        for Guest { login, connection } in guests {
            coming.push(ArrivingPlayer {
                entrant: self.guest(&login),
                source: PlayerSource::Remote,
                from: Some(connection.peer().ip()),
                player: SeatedPlayer::Remote(connection),
            });
        }
        let (header, seated) = self.seat(coming);
        let (tournament, journal) = self.begin(header)?;
        let tournament = Tournament { address, door, ..tournament };
        tournament.play_networked(seated, limits, journal).await
    }

    /// The house bots that are named, ready to be seated.
    fn house_bots<P>(
        &self,
        seated: impl Fn(casino_stud::strategies::HousePlayer) -> P,
    ) -> impl Iterator<Item = ArrivingPlayer<P>> {
        self.new.local_players.house_bots().iter().map(move |(entrant, bot)| ArrivingPlayer {
            entrant: entrant.clone(),
            source: PlayerSource::House(bot.name.to_string()),
            from: None,
            player: seated(bot.seated(&entrant.github_id, &self.seed)),
        })
    }

    fn seat<P>(&self, coming: Vec<ArrivingPlayer<P>>) -> (Header, Vec<P>) {
        let mut entrants: Vec<Entrant> = coming.iter().map(|coming| coming.entrant.clone()).collect();
        entrants.iter_mut().for_each(|entrant| self.rename(entrant));
        let mut ids: Vec<&str> = entrants.iter().map(|entrant| entrant.github_id.as_str()).collect();
        ids.sort_unstable();
        self.context.console.number_all(ids);
        for entrant in &mut entrants {
            entrant.number = self.context.console.number_of(&entrant.github_id);
        }
        let (roster, seated) = Roster::seat(entrants.into_iter().zip(coming), &self.seed);
        let sources = seated.iter().map(|coming| coming.source.clone());
        let mut terms = self.terms();
        self.more_play(roster.players().len()).into_iter().for_each(|more| more.apply(&mut terms));
        let header = Header::new(terms, &self.seed, roster.players().iter().cloned().zip(sources))
            .with_addresses(seated.iter().map(|coming| coming.from))
            .on(self.new.occasion.clone());
        (header, seated.into_iter().map(|coming| coming.player).collect())
    }

    /// Begins the journal, if there is to be one, and the tournament.
    fn begin(&self, header: Header) -> Result<(Tournament<'_>, Option<Journal>), SessionError> {
        let only_bots = header.players.iter().all(|player| player.plays.is_house());
        // Late entry is possible.
        let only_bots = only_bots && header.terms.plan.late_entry.is_none();
        let durability = if only_bots { Durability::AtTheEnd } else { Durability::EveryRound };
        let path = journal_path(&self.new, &self.context.options, self.number);
        let journal = match &path {
            Some(path) => {
                let created = JournalFile::create(path, header.clone(), durability);
                let created = created.map_err(|error| SessionError::new_journal(path, error))?;
                if let Some(why) = &created.times_problem {
                    self.context.notify(&DayNotice::NoTimes { why })?;
                }
                Some(created.journal)
            }
            None => None,
        };
        let more = self.more_play(header.players.len());
        if let Some(more) = more.filter(|more| more.tournaments == header.terms.plan.series) {
            self.context.console.notice_of(NoticeKind::Length, more.to_string());
            self.context.notify(&DayNotice::MorePlay(more))?;
        } else if let Some(rounds) = header.terms.rounds.filter(|_| self.new.rounds_are_usual) {
            self.context.notify(&DayNotice::RoundLimit(rounds))?;
        }
        let event = header.event().map_err(SessionError::header)?;
        Ok((Tournament::new(&self.context, self.number, header, event, path)?, journal))
    }

    /// The next tournament of the day: another seed, other files, the same page.
    fn next(&mut self) -> Result<(), SessionError> {
        self.number += 1;
        self.context.console.begin_next();
        self.context.note_settings();
        self.seed = match &self.new.seed {
            Some(text) => Seed::chosen(format!("{text} {}", self.number)),
            None => Seed::drawn(random()?),
        };
        match journal_path(&self.new, &self.context.options, self.number) {
            Some(path) => {
                try_new_journal(&path)?;
                self.context.console.keep_decisions(&path)
            }
            None => Ok(()),
        }
    }

    /// Gives an entrant the name that the teacher wants it to have.
    pub(super) fn rename(&self, entrant: &mut Entrant) {
        if let Some(name) = self.context.console.name_given(&entrant.github_id) {
            *entrant = entrant.clone().named(name);
        }
    }

    fn limits(&self) -> ConnectionLimits {
        self.context.options.limits(limits(&self.terms()))
    }

    /// How many threads serve the tables.
    fn threads(&self) -> NonZero<usize> {
        self.context.options.threads_for(&self.new.terms.plan)
    }

    /// Whether this many players fit at the tables.
    fn check_players(&self, players: usize) -> Result<(), SessionError> {
        let Terms { plan, stack, .. } = &self.new.terms;
        let most = plan.max_players();
        if players > most && most == plan.seats {
            return Err(SessionError::TooManyPlayers { players, seats: most });
        }
        if players < FEWEST_PLAYERS {
            return Err(SessionError::TooFewPlayers { players });
        }
        if players > most {
            return Err(SessionError::EventPlayers { players });
        }
        let chips = u64::from(*stack) * players as u64;
        if chips >= 1 << 31 {
            return Err(SessionError::TooManyChips { players, chips });
        }
        Ok(())
    }

    /// The series that this many players play to fill the minutes, if the length of play was not set.
    fn more_play(&self, players: usize) -> Option<MorePlay> {
        let minutes = self.context.asked_minutes().filter(|_| self.new.play_is_usual)?;
        MorePlay::of(minutes, players, self.new.terms.plan.seats)
    }

    fn terms(&self) -> Terms {
        let mut terms = self.new.terms.clone();
        terms.conduct.on_foul =
            if self.context.console.is_rehearsal() { OnFoul::Fold } else { OnFoul::Eject };
        terms
    }
}

/// The number of players with a substitute.
fn substitutes_of(new: &NewTournament) -> usize {
    new.ladder.iter().filter(|player| player.substitute.is_some()).count()
}

/// The door of a tournament on these terms: open if players may come in late.
pub(super) fn late_door(terms: &Terms) -> LateDoor {
    if terms.plan.late_entry.is_some() { LateDoor::open() } else { LateDoor::shut() }
}

/// Where the journal of this tournament of the day goes, if one is written.
fn journal_path(new: &NewTournament, options: &Options, number: u32) -> Option<PathBuf> {
    let in_folder = || options.out.as_ref().map(|folder| folder.join("journal.jsonl"));
    new.journal.clone().or_else(in_folder).map(|path| numbered(path, number))
}

/// Whether this process may open enough files for this many players. A single table always starts.
pub(super) fn check_files(allowed: u64, players: usize) -> Result<(), SessionError> {
    let needed = OWN_OPEN_FILES + players as u64;
    if allowed >= needed || players <= MAX_SEATS {
        return Ok(());
    }
    Err(SessionError::TooFewFiles { players, needed, allowed })
}

#[cfg(test)]
mod tests {
    use std::io;

    use casino_stud::tournament::{Format, Recorder};

    use super::*;
    use crate::session::{ShowMinutes, StoppedTournament, TournamentStart};

    #[test]
    fn an_open_lobby_has_room_for_as_many_as_the_format() {
        let one_table = EventPlan::single_table();
        assert_eq!(open_places(&one_table, 0, 0), 17);
        assert_eq!(open_places(&one_table, 3, 2), 12);
        let tables = EventPlan { format: Format::default(), ..EventPlan::single_table() };
        assert_eq!(open_places(&tables, 3, 2), OPEN_PLACES);
    }

    /// No receiver is left.
    struct NoNotices;

    impl DayNotices for NoNotices {
        fn notify(&self, _: &DayNotice<'_>) -> io::Result<()> {
            Ok(())
        }

        fn begin(&self, _: &TournamentStart<'_>) -> io::Result<Option<Box<dyn Recorder>>> {
            Ok(None)
        }

        fn how_to_resume(&self, _: &StoppedTournament<'_>) -> String {
            String::new()
        }
    }

    /// The header of a day of so many bots; `flag` are the minutes of the command line, `console` those at the start.
    fn header(bots: usize, flag: Option<u32>, console: u32, change: impl Fn(&mut NewTournament)) -> Header {
        let spec = Spec::find(&format!("cautious*{bots}")).expect("there is such a bot");
        let local_players = LocalPlayers::new(&[spec]).expect("they have names");
        let mut new = NewTournament::new(local_players, EventPlan::single_table());
        new.seed = Some("more play".to_string());
        change(&mut new);
        let options = Options { minutes: flag.map(ShowMinutes::clamped), ..Options::default() };
        let day = NewDay::new(new, options, Arc::new(NoNotices)).expect("a day can begin");
        day.context.console.controls().set(|settings| settings.minutes = Some(console));
        let coming = day.house_bots(|bot| bot).collect();
        day.seat(coming).0
    }

    #[test]
    fn long_shows_set_the_header_and_explicit_settings_stay() {
        let of = |header: Header| (header.terms.plan.series, header.terms.rounds, header.terms.stack);
        let usual = (1, Some(1_000), 500);
        let more = (10, Some(100), 500);
        assert_eq!(of(header(6, Some(120), 120, |_| ())), more);
        assert_eq!(of(header(6, None, 120, |_| ())), more, "they were asked for at the console");
        assert_eq!(of(header(6, Some(40), 120, |_| ())), more);
        assert_eq!(of(header(6, Some(40), 40, |_| ())), usual);
        assert_eq!(of(header(2, None, ShowMinutes::DEFAULT.get(), |_| ())), usual, "nobody asked");
        assert_eq!(of(header(6, Some(120), 0, |_| ())), usual, "nothing waits for the show");
        let said = |new: &mut NewTournament| (new.terms.rounds, new.play_is_usual) = (Some(60), false);
        assert_eq!(of(header(6, Some(120), 120, said)), (1, Some(60), 500));
        header(6, Some(120), 120, |_| ()).event().expect("a series of the usual tournament can be played");
    }
}
