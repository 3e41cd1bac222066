//! One tournament of the day, new or resumed: it is played, recorded, shown and concluded.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, SystemTime};

use casino_host::{
    ChairHandle, ConnectionLimits, ControlHandle, EventHost, LateDoor, SeatedPlayer, on_interrupt,
};
use casino_show::rounds::{BoardRow, TournamentInfo};
use casino_stud::cards::Seed;
use casino_stud::journal::{Header, HeaderPlayer, Journal, Occasion, PlayerSource, Terms};
use casino_stud::strategies::{Bot, HousePlayer};
use casino_stud::tournament::{ConsoleAction, Ending, Event, EventBots, Recorder, play_until};

use super::context::Context;
use super::files::{RESULT_MARK, numbered, write_private};
use super::late_players::LatePlayers;
use super::report_files::{ReportWishes, write_report};
use super::time_bank_notices::TimeBankNotices;
use super::{
    Conclusion, DayNotice, Interruption, Member, PersonSeat, PlayedProgram, SessionError, StoppedTournament,
    TournamentStart,
};

/// The limits a tournament sets to those who connect.
pub(crate) fn limits(terms: &Terms) -> ConnectionLimits {
    ConnectionLimits {
        reply: Duration::from_millis(terms.reply_ms),
        relogin: terms.relogin,
        ..ConnectionLimits::default()
    }
}

/// A tournament whose players have their seats.
pub(super) struct Tournament<'a> {
    pub(super) context: &'a Context,
    /// Which tournament of the day this is, from 1.
    pub(super) number: u32,
    pub(super) header: Header,
    pub(super) seed: Seed,
    pub(super) event: Event,
    /// Where the journal is, if one is written.
    pub(super) journal: Option<PathBuf>,
    /// Where players connect, if some do.
    pub(super) address: Option<SocketAddr>,
    /// Records and steps before the first deal.
    pub(super) first: FirstOrders,
    /// The time of the interruption, if it is resumed, and how many bytes its journal had.
    pub(super) interrupted: Option<(SystemTime, u64)>,
    /// The door through which players come in late, if there is one.
    pub(super) door: Option<LateDoor>,
    /// The people who play in this process: their numbers, from 0, and their chairs.
    pub(super) chairs: Vec<(usize, ChairHandle)>,
}

/// Records and steps when play begins or continues.
#[derive(Clone, Debug, Default)]
pub(super) struct FirstOrders {
    /// Settings and addresses, as the journal keeps them.
    pub(super) notes: Vec<ConsoleAction>,
    /// The players to be removed, from 0 in the order of the event, and the reasons.
    pub(super) removals: Vec<(usize, String)>,
}

impl FirstOrders {
    fn give(&self, controls: &ControlHandle) {
        self.notes.iter().for_each(|note| controls.note(note.clone()));
        self.removals.iter().for_each(|(player, reason)| controls.remove(*player, reason));
    }
}

/// Why a player is removed without whom the teacher went on after an interruption.
pub(super) const ABSENT_REASON: &str = "it did not come back after the interruption";

impl<'a> Tournament<'a> {
    /// A tournament of this header, which has come as far as the event.
    pub(super) fn new(
        context: &'a Context,
        number: u32,
        header: Header,
        event: Event,
        journal: Option<PathBuf>,
    ) -> Result<Tournament<'a>, SessionError> {
        Ok(Tournament {
            context,
            number,
            seed: header.seed().map_err(SessionError::header)?,
            header,
            event,
            journal,
            address: None,
            first: FirstOrders::default(),
            interrupted: None,
            door: None,
            chairs: Vec::new(),
        })
    }

    /// Plays with house bots only, without any network.
    pub(super) fn play_in_process(
        mut self,
        bots: Vec<HousePlayer>,
        journal: Option<Journal>,
    ) -> Result<(), SessionError> {
        let bots: Vec<Box<dyn Bot>> = bots.into_iter().map(|bot| Box::new(bot) as Box<dyn Bot>).collect();
        let notices = Arc::clone(&self.context.notices);
        let first = move || {
            // The process is about to stop, so a failed message has no receiver.
            let _ = notices.notify(&DayNotice::Stopping);
        };
        let interrupted = on_interrupt(first).map_err(SessionError::System)?;
        let stop = || interrupted.load(Ordering::Relaxed);
        let mut recorders = self.recorders(journal)?;
        let mut bots = EventBots::new(bots);
        let threads = self.context.options.threads();
        let ending = play_until(&mut self.event, &mut bots, &mut recorders, threads, stop);
        drop(recorders);
        let ending = ending.map_err(|error| self.unrecorded(error))?;
        self.conclude(ending)
    }

    /// Plays with all players who have taken their seats. True if the teacher wants another tournament.
    pub(super) async fn play_networked(
        mut self,
        seated: Vec<SeatedPlayer>,
        limits: ConnectionLimits,
        journal: Option<Journal>,
    ) -> Result<bool, SessionError> {
        let console = Arc::clone(&self.context.console);
        let controls = console.controls().clone();
        self.first.give(&controls);
        let (control, interrupted) = (controls.control(), self.context.interrupted()?);
        let stop = || interrupted.load(Ordering::Relaxed);
        let chair = |(player, seated): (usize, &SeatedPlayer)| match seated {
            SeatedPlayer::Person(chair) => Some((player, chair.handle())),
            _ => None,
        };
        self.chairs = seated.iter().enumerate().filter_map(chair).collect();
        self.context.console.chairs().seat(&self.seats_on_page(), self.journal.as_deref())?;
        let mut recorders = self.recorders(journal)?;
        let mut host = EventHost::new(seated, limits).under(control);
        let late = LatePlayers::default();
        if let Some(door) = self.door.take() {
            let console = &self.context.console;
            recorders.push(Box::new(late.recorder(Arc::clone(console))));
            let (keeper, told) = (late.doorkeeper(&self.header, Arc::clone(console)), Arc::clone(console));
            host = host.letting_in(door, keeper, move |news| told.hear(&news));
        }
        let ending = host.play(&mut self.event, &mut recorders, stop).await;
        late.add_to(&mut self.header);
        self.context.console.chairs().stand_up();
        let ending = ending.map_err(|error| self.unrecorded(error))?;
        self.show_conclusion(ending, recorders).await
    }

    /// Shows the end of a tournament that is over, whose players are all gone. True if the teacher wants another one.
    pub(super) async fn show_the_end(self) -> Result<bool, SessionError> {
        let recorders = self.recorders(None)?;
        self.show_conclusion(Ending::Played, recorders).await
    }

    /// Concludes a tournament, and lets the page stand where there is one.
    async fn show_conclusion(
        self,
        ending: Ending,
        mut recorders: Vec<Box<dyn Recorder>>,
    ) -> Result<bool, SessionError> {
        let Some(showing) = &self.context.showing else {
            drop(recorders);
            return self.conclude(ending).map(|()| false);
        };
        let conclusion = self.announce(ending)?;
        self.begin_report()?;
        if self.context.options.stay.is_none() && ending == Ending::Played {
            self.context.notify(&DayNotice::PageStays)?;
        }
        let goes_on = self.context.linger(showing.as_ref(), &mut recorders).await;
        let goes_on = goes_on.map_err(|error| self.unrecorded(error))?;
        drop(recorders);
        if !goes_on {
            match ending {
                Ending::Played => self.context.end_day()?,
                Ending::Stopped => self.context.reports_written()?,
            }
        }
        self.name_outputs(&conclusion)?;
        Ok(goes_on)
    }

    /// Concludes a tournament whose show was abandoned.
    pub(super) fn conclude(self, ending: Ending) -> Result<(), SessionError> {
        let conclusion = self.announce(ending)?;
        self.begin_report()?;
        self.context.reports_written()?;
        self.name_outputs(&conclusion)
    }

    /// How to resume it, if it is recorded.
    fn how_to_resume(&self) -> Option<String> {
        let Context { options, notices, .. } = self.context;
        let journal = self.journal.as_deref()?;
        let connects = |source: &PlayerSource| *source == PlayerSource::Remote;
        let address = self.address.filter(|_| self.has_players(connects));
        let has_programs = self.has_players(|source| source.is_program());
        let out = options.out.as_deref();
        Some(notices.how_to_resume(&StoppedTournament { journal, address, out, has_programs }))
    }

    /// The error of a tournament that cannot be recorded any more.
    fn unrecorded(&self, source: io::Error) -> SessionError {
        SessionError::Recording { journal: self.journal.clone(), resume: self.how_to_resume(), source }
    }

    /// Writes the result, and announces it.
    fn announce(&self, ending: Ending) -> Result<Conclusion, SessionError> {
        let Context { options, console, showing, .. } = self.context;
        let resume = match ending {
            Ending::Stopped => self.how_to_resume(),
            Ending::Played => None,
        };
        let conclusion = Conclusion {
            ending,
            rounds: self.event.rounds_played(),
            forfeited: self.event.forfeited(),
            players: self.header.roster(),
            standings: self.event.standings(),
            placing: self.event.placing().clone(),
            seed: self.seed.clone(),
            resume,
            json: String::new(),
        };
        let levels = self.header.terms.plan.numbers_tables().then_some(&self.event);
        let conclusion = conclusion.with_json(levels);
        if let Some(folder) = &options.out {
            write_private(&numbered(folder.join("result.json"), self.number), &conclusion.json, RESULT_MARK)?;
        }
        // With a console the teacher reveals the seed. It stays secret while the tournament can be resumed.
        let seed = conclusion.revealed_seed().map(ToString::to_string);
        let reveals_at_once = options.console.is_none();
        console.end(seed.clone(), reveals_at_once);
        if let Some(showing) = showing {
            let rows = BoardRow::all(&conclusion.standings);
            showing.end(rows, conclusion.rounds, ending == Ending::Stopped);
            seed.filter(|_| reveals_at_once).into_iter().for_each(|seed| showing.reveal(seed));
        }
        self.context.notify(&DayNotice::Concluded(&conclusion))?;
        Ok(conclusion)
    }

    /// Begins to write the report of the journal, if there is a folder for results.
    fn begin_report(&self) -> Result<(), SessionError> {
        let (Some(journal), Some(out)) = (self.journal.clone(), self.context.options.out.clone()) else {
            return Ok(());
        };
        let wishes = ReportWishes { number: self.number, certificates: false, occasion: Occasion::default() };
        self.context.begin_report(move || write_report(&journal, &out, &wishes, |_, _| ()).map(drop))
    }

    /// Removes the outputs of the started programs if there are none, and reports what became of these programs.
    fn name_outputs(&self, conclusion: &Conclusion) -> Result<(), SessionError> {
        let Context { folder, .. } = self.context;
        let programs = PlayedProgram::all(&self.header, conclusion, folder.path());
        if programs.is_empty() {
            return Ok(());
        }
        let is_kept = !folder.is_temporary() || programs.iter().any(PlayedProgram::has_printed);
        if !is_kept {
            folder.remove();
        }
        let folder = is_kept.then_some(folder.path());
        self.context.notify(&DayNotice::ProgramOutputs { folder, programs: &programs })
    }

    /// The interruption, if this tournament is resumed.
    fn interruption(&self) -> Option<Interruption> {
        let (since, length) = self.interrupted?;
        Some(Interruption {
            journal: self.journal.clone()?,
            length,
            rounds: self.event.rounds_complete(),
            pause: since.elapsed().ok(),
        })
    }

    fn has_players(&self, of: impl Fn(&PlayerSource) -> bool) -> bool {
        self.header.players.iter().any(|player| of(&player.plays))
    }

    /// The numbers of the players whose hole cards people are shown after each round.
    fn opened(&self) -> Vec<usize> {
        let names = &self.context.options.opened;
        let players = self.header.players.iter().enumerate();
        players.filter(|(_, player)| names.contains(&player.name)).map(|(index, _)| index).collect()
    }

    /// The people who play on the page.
    fn seats_on_page(&self) -> Vec<PersonSeat> {
        let seat = |(player, chair): &(usize, ChairHandle)| {
            let HeaderPlayer { github_id, name, .. } = &self.header.players[*player];
            PersonSeat {
                github_id: github_id.clone(),
                name: name.clone(),
                player: *player,
                opened: self.opened(),
                chair: chair.clone(),
            }
        };
        self.chairs.iter().map(seat).collect()
    }

    /// Announces the start of play, and makes its display.
    fn display(&self) -> Result<Option<Box<dyn Recorder>>, SessionError> {
        let start = TournamentStart {
            seed: &self.seed,
            players: &self.header.roster(),
            playing: &self.event.playing_on(),
            rounds: self.header.terms.rounds,
            plan: &self.header.terms.plan,
        };
        self.context.notices.begin(&start).map_err(SessionError::DayNotice)
    }

    /// The recorders of the tournament: the journal first, so that nothing unrecorded is shown.
    fn recorders(&self, journal: Option<Journal>) -> Result<Vec<Box<dyn Recorder>>, SessionError> {
        let mut recorders: Vec<Box<dyn Recorder>> = Vec::new();
        recorders.extend(journal.map(|journal| Box::new(journal) as Box<dyn Recorder>));
        let Context { console, showing, folder, .. } = self.context;
        let folder = Some(folder.path().to_path_buf());
        let secrets = self.header.secret_ids();
        let member = |HeaderPlayer { github_id, name, plays, .. }: &HeaderPlayer| {
            Member::new(github_id, name, plays.clone(), &secrets)
        };
        console.begin(self.number, self.header.players.iter().map(member).collect(), folder);
        if let Some(showing) = showing {
            let info = TournamentInfo::new(&self.header, &self.seed, self.number);
            recorders.push(showing.begin(info, &self.event, self.interruption()));
        }
        recorders.extend(self.display()?);
        let names: Vec<String> = self.header.players.iter().map(|player| player.name.clone()).collect();
        if let Some(showing) = showing {
            recorders.extend(showing.seat(&names, self.seats_on_page(), self.context.options.hints));
        }
        recorders.push(Box::new(TimeBankNotices::new(Arc::clone(&self.context.notices), names)));
        Ok(recorders)
    }
}
