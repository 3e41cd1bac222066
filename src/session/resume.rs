//! Resuming a recorded tournament.

use std::collections::HashMap;
use std::error::Error;
use std::fs::File;
use std::io::BufReader;
use std::net::SocketAddr;
use std::num::NonZero;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use casino_host::driven::sync_to_resume;
use casino_host::{
    Chair, ClosedLobby, ConnectionLimits, Guest, JournalFile, LateDoor, SeatedPlayer, StartedProgram,
    block_on_threads, open_to_resume,
};
use casino_stud::journal::{Durability, HeaderPlayer, Journal, PlayerSource, Reader, Tail};
use casino_stud::protocol::Login;
use casino_stud::replay::{HouseBots, RebuiltTournament, Replay};
use casino_stud::table::OnFoul;
use casino_stud::tournament::Ending;
use casino_system::sockets::raise_file_limit;

use super::context::Context;
use super::day::{check_files, late_door};
use super::gather::{Arrivals, Entrance, LobbyCrowd, gather};
use super::resume_lobby::ReturningPlayers;
use super::tournament::{Tournament, limits};
use super::{ChairRegistry, DayNotice, DayNotices, NewDay, Options, RecordedProgram, SessionError};

/// Resumes the tournament of a journal. Players connect at `bind`. If the teacher wants another tournament after it, a
/// day on the same terms follows.
pub fn resume(
    journal: &Path,
    bind: Option<SocketAddr>,
    options: Options,
    notices: Arc<dyn DayNotices>,
) -> Result<(), SessionError> {
    let notify = |notice: DayNotice<'_>| notices.notify(&notice).map_err(SessionError::DayNotice);
    let (rebuilt, file) = rebuild(journal)
        .map_err(|source| SessionError::NotResumable { path: journal.to_path_buf(), source })?;
    let written = file.metadata().and_then(|about| about.modified()).unwrap_or(SystemTime::UNIX_EPOCH);
    let interrupted = (written, rebuilt.length);
    if rebuilt.tail != Tail::Whole {
        notify(DayNotice::TornJournal { journal, tail: rebuilt.tail })?;
    }
    if rebuilt.is_finished {
        notify(DayNotice::AlreadyOver { journal })?;
        if options.is_served() {
            return show_the_end(journal, &rebuilt, interrupted, options, notices, bind);
        }
        let context = Context::open(Options { stay: None, ..options }, notices, false)?;
        let tournament = Tournament::new(&context, 1, rebuilt.header, rebuilt.event, None)?;
        return tournament.conclude(Ending::Played);
    }
    let old = OldJournal { path: journal, file, interrupted };
    let house_only = rebuilt.header.players.iter().all(|player| player.plays.is_house());
    if house_only && rebuilt.settings.removals.is_empty() && options.need_no_waiting() {
        let context = Context::open(Options { stay: None, ..options }, notices, false)?;
        return resume_in_process(&context, rebuilt, old);
    }
    if !options.run_programs {
        ask_for_programs(journal, &rebuilt, &*notices)?;
    }
    let terms = &rebuilt.header.terms;
    let files = raise_file_limit();
    check_files(files, rebuilt.returning().len())?;
    let programs = to_be_started(&rebuilt).count();
    let guests = rebuilt.players.len() - programs;
    let limits = options.limits(limits(terms)).within_files(files, guests, programs);
    let threads = options.threads_for(&terms.plan);
    if !rebuilt.event.is_played_out() {
        notify(DayNotice::GoesOn(rebuilt.next_round()))?;
    }
    let has_programs = programs > 0;
    let has_people = rebuilt.returning().iter().any(|player| is_person(&rebuilt, *player));
    let options = if has_people { options.seating_people() } else { options };
    let context = Context::open(options, notices, has_programs)?;
    context.restore_decisions(journal)?;
    context.restore(&rebuilt.settings);
    context.console.set_rehearsal(terms.conduct.on_foul == OnFoul::Fold);
    let header = rebuilt.header.clone();
    let work = resume_networked(&context, rebuilt, limits, bind, old);
    match block_on_threads(threads, work).map_err(SessionError::System)?? {
        Some(bind) => NewDay::after(context, header, journal)?.go_on(bind),
        None => Ok(()),
    }
}

/// Shows the end of a finished tournament: its last rounds and its winners.
fn show_the_end(
    journal: &Path,
    rebuilt: &RebuiltTournament,
    interrupted: (SystemTime, u64),
    options: Options,
    notices: Arc<dyn DayNotices>,
    bind: Option<SocketAddr>,
) -> Result<(), SessionError> {
    let context = Context::open(options, notices, false)?;
    context.restore_decisions(journal)?;
    context.restore(&rebuilt.settings);
    let tournament = tournament(&context, rebuilt, journal, interrupted)?;
    let shown = block_on_threads(NonZero::<usize>::MIN, tournament.show_the_end());
    if shown.map_err(SessionError::System)?? {
        return NewDay::after(context, rebuilt.header.clone(), journal)?.go_on(bind);
    }
    Ok(())
}

/// Whether the programs of the journal that would be started may be. Nothing of it has been acted on yet.
fn ask_for_programs(
    journal: &Path,
    rebuilt: &RebuiltTournament,
    notices: &dyn DayNotices,
) -> Result<(), SessionError> {
    let programs: Vec<RecordedProgram<'_>> = to_be_started(rebuilt).map(|(_, program)| program).collect();
    if programs.is_empty() || notices.allows_programs(&programs).map_err(SessionError::DayNotice)? {
        return Ok(());
    }
    let commands = programs.iter().map(|program| program.command.to_string()).collect();
    Err(SessionError::ProgramsNotAllowed { path: journal.to_path_buf(), commands })
}

/// The programs that play on, with their commands.
fn to_be_started(rebuilt: &RebuiltTournament) -> impl Iterator<Item = (usize, RecordedProgram<'_>)> {
    rebuilt.returning().into_iter().filter_map(|seat| match &rebuilt.header.players[seat].plays {
        PlayerSource::Program { name, command } => Some((seat, RecordedProgram { name, command })),
        _ => None,
    })
}

/// A journal that is open to be written on.
struct OldJournal<'a> {
    path: &'a Path,
    file: File,
    /// When it was written last, and how many bytes count.
    interrupted: (SystemTime, u64),
}

impl OldJournal<'_> {
    fn go_on(
        self,
        context: &Context,
        rebuilt: &RebuiltTournament,
        durability: Durability,
    ) -> Result<Journal, SessionError> {
        let path = self.path;
        let opened = JournalFile::resume(path, self.file, &rebuilt.resume_point(), durability)
            .map_err(|source| SessionError::OldJournal { path: path.to_path_buf(), source })?;
        if let Some(why) = &opened.times_problem {
            context.notify(&DayNotice::NoTimes { why })?;
        }
        Ok(opened.journal)
    }
}

fn rebuild(journal: &Path) -> Result<(RebuiltTournament, File), Box<dyn Error + Send + Sync>> {
    let file = open_to_resume(journal)?;
    sync_to_resume(journal, &file)?;
    let lines = Reader::new(BufReader::new(file.try_clone()?))?;
    Ok((Replay::new(lines, HouseBots::Recomputed)?.rebuild()?, file))
}

/// The tournament of a journal, which was interrupted then.
fn tournament<'a>(
    context: &'a Context,
    rebuilt: &RebuiltTournament,
    journal: &Path,
    interrupted: (SystemTime, u64),
) -> Result<Tournament<'a>, SessionError> {
    let (header, event) = (rebuilt.header.clone(), rebuilt.event.clone());
    let tournament = Tournament::new(context, 1, header, event, Some(journal.to_path_buf()))?;
    Ok(Tournament { interrupted: Some(interrupted), ..tournament })
}

fn resume_in_process(
    context: &Context,
    mut rebuilt: RebuiltTournament,
    old: OldJournal<'_>,
) -> Result<(), SessionError> {
    let bots = rebuilt.house.players.drain(..).flatten().collect();
    let tournament = tournament(context, &rebuilt, old.path, old.interrupted)?;
    let journal = old.go_on(context, &rebuilt, Durability::AtTheEnd)?;
    tournament.play_in_process(bots, Some(journal))
}

/// Plays the rest. If the teacher wants another tournament, returns the address at which players connected, if any.
async fn resume_networked(
    context: &Context,
    mut rebuilt: RebuiltTournament,
    limits: ConnectionLimits,
    bind: Option<SocketAddr>,
    old: OldJournal<'_>,
) -> Result<Option<Option<SocketAddr>>, SessionError> {
    let mut seated: Vec<SeatedPlayer> = rebuilt.header.players.iter().map(|_| SeatedPlayer::Gone).collect();
    let remote = seat_local(&mut rebuilt, &mut seated, context.options.think());
    let programs = to_be_started(&rebuilt)
        .map(|(seat, program)| (seat, (program.name.to_string(), program.command.to_string())));
    let (program_seats, programs): (Vec<usize>, Vec<_>) = programs.unzip();
    keep_chairs(context, &rebuilt, old.path)?;
    let returning = ReturningPlayers { context, rebuilt: &rebuilt, remote: &remote };
    let door = late_door(&rebuilt.header.terms);
    let Some((guests, lobby)) = wait_for_players(&returning, limits, bind, &door).await? else {
        return Ok(None);
    };
    let mut came = HashMap::new();
    for guest in guests {
        let seat = remote[&guest.login.github_id];
        came.insert(seat, guest.connection.peer().ip());
        seated[seat] = SeatedPlayer::Remote(guest.connection);
    }
    let first = returning.first_orders(&came);
    let started = StartedProgram::start_all(&programs, context.folder.path(), limits).await;
    let started = started.map_err(|error| SessionError::Program(error.into()))?;
    for ((guest, program), seat) in started.into_iter().zip(program_seats) {
        seated[seat] = SeatedPlayer::Started(guest.connection, Box::new(program));
    }
    for (seat, player) in seated.iter_mut().enumerate() {
        if let (Some(left), SeatedPlayer::Remote(connection) | SeatedPlayer::Started(connection, _)) =
            (rebuilt.banks.left(seat), player)
        {
            connection.restore_time_bank(left);
        }
    }
    let address = lobby.as_ref().map(|(address, _)| *address);
    let tournament = tournament(context, &rebuilt, old.path, old.interrupted)?;
    let tournament = Tournament { address, first, door: Some(door), ..tournament };
    let journal = old.go_on(context, &rebuilt, Durability::EveryRound)?;
    let wants_next = tournament.play_networked(seated, limits, Some(journal)).await?;
    if let Some((_, lobby)) = lobby {
        // The lobby of the next tournament listens at the same address.
        lobby.end().await;
    }
    Ok(wants_next.then_some(address))
}

/// The guests of a lobby, and where it listens on, to refuse others.
type CameBack = (Vec<Guest>, Option<(SocketAddr, ClosedLobby)>);

/// Waits until the players are back who connect: all of them, or those who are in when the console says that play
/// goes on. `None` if the day ends there.
async fn wait_for_players(
    returning: &ReturningPlayers<'_>,
    limits: ConnectionLimits,
    bind: Option<SocketAddr>,
    door: &LateDoor,
) -> Result<Option<CameBack>, SessionError> {
    let ReturningPlayers { context, rebuilt, remote, .. } = returning;
    if remote.is_empty() {
        let nobody = LobbyCrowd::default();
        let show = || returning.show(&nobody);
        if !rebuilt.event.is_played_out() {
            show();
            if !context.wait_for_start(show).await || !context.wait_for_people().await {
                return Ok(None);
            }
        }
        return Ok(Some((Vec::new(), None)));
    }
    let bind = bind.ok_or(SessionError::NoAddress { players: remote.len() })?;
    let admit = |login: &Login, peer: SocketAddr| returning.admit(login, peer);
    let show = |crowd: &LobbyCrowd| returning.show(crowd);
    let entrance = Entrance {
        bind,
        patience: Duration::ZERO,
        limits,
        wanted: remote.len(),
        admit: &admit,
        has_place: &|_| false,
        door: door.clone(),
        show: &show,
    };
    let Some(Arrivals { guests, address, lobby }) = gather(context, entrance).await? else {
        return Ok(None);
    };
    Ok(Some((guests, Some((address, lobby)))))
}

fn is_person(rebuilt: &RebuiltTournament, player: usize) -> bool {
    rebuilt.header.players[player].plays == PlayerSource::Person
}

/// Keeps the chairs of the people who play for those who sat there.
fn keep_chairs(context: &Context, rebuilt: &RebuiltTournament, journal: &Path) -> Result<(), SessionError> {
    if rebuilt.event.is_played_out() {
        return Ok(());
    }
    for player in rebuilt.returning() {
        if is_person(rebuilt, player) {
            let HeaderPlayer { github_id, name, .. } = &rebuilt.header.players[player];
            let key = ChairRegistry::noted(journal, github_id);
            context.console.chairs().keep_for(github_id, name, key);
        }
    }
    context.invite()
}

/// Seats the house bots and the people, who think this long. Returns the seats of the players who have to connect again, by
/// their GitHubId.
fn seat_local(
    rebuilt: &mut RebuiltTournament,
    seated: &mut [SeatedPlayer],
    think: Duration,
) -> HashMap<String, usize> {
    let mut remote = HashMap::new();
    for seat in rebuilt.returning() {
        let player = &rebuilt.header.players[seat];
        match &player.plays {
            PlayerSource::House(_) => {
                let bot = rebuilt.house.players[seat].take().expect("every house bot is rebuilt");
                seated[seat] = SeatedPlayer::House(Box::new(bot));
            }
            PlayerSource::Program { .. } => {}
            PlayerSource::Person => seated[seat] = SeatedPlayer::Person(Chair::new(think)),
            PlayerSource::Remote => {
                remote.insert(player.github_id.clone(), seat);
            }
        }
    }
    remote
}
