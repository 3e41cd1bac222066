//! Going on with a recorded tournament.

use std::collections::HashMap;
use std::error::Error;
use std::fs::File;
use std::io::BufReader;
use std::net::SocketAddr;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::journal::{Durability, Journal, PlayerSource, Reader, open_to_resume};
use crate::protocol::Login;
use crate::replay::{HouseBots, RebuiltTournament, Replay};
use crate::server::{ConnectionLimits, SeatedPlayer, StartedProgram, block_on_threads, raise_file_limit};
use crate::tournament::{Announce, Ending};

use super::context::Context;
use super::day::check_files;
use super::gather::gather;
use super::tournament::{Tournament, limits};
use super::{DayNotice, DayNotices, Options, SessionError};

/// Goes on with the tournament of a journal. Players who connect do so at `bind`. Only one tournament is played: the
/// terms of another one are not known.
///
/// # Errors
/// If the journal cannot be used or written, players do not come back, or the tournament cannot be recorded any more.
pub fn resume(
    journal: &Path,
    bind: Option<SocketAddr>,
    options: Options,
    notices: Arc<dyn DayNotices>,
) -> Result<(), SessionError> {
    let tell = |notice: DayNotice<'_>| notices.tell(&notice).map_err(SessionError::DayNotice);
    let (rebuilt, file) = rebuild(journal)
        .map_err(|source| SessionError::NotResumable { path: journal.to_path_buf(), source })?;
    if let Some(torn) = &rebuilt.torn {
        tell(DayNotice::TornJournal { journal, torn: &torn.to_string() })?;
    }
    if rebuilt.is_finished {
        tell(DayNotice::AlreadyOver { journal })?;
        let context =
            Context::open(Options { page: None, console: None, stay: None, ..options }, notices, false)?;
        return tournament(&context, &rebuilt, None, None)?.conclude(Ending::Played);
    }
    let old = OldJournal { path: journal, file };
    let house_only =
        rebuilt.header.players.iter().all(|player| matches!(player.plays, PlayerSource::House(_)));
    if house_only && options.need_no_waiting() {
        let context = Context::open(Options { stay: None, ..options }, notices, false)?;
        return resume_in_process(&context, rebuilt, old);
    }
    let terms = rebuilt.header.terms().map_err(SessionError::header)?;
    let files = raise_file_limit();
    check_files(files, rebuilt.event.playing_on().len())?;
    let limits = limits(&terms).within_files(files, rebuilt.players.len());
    let threads = match rebuilt.event.announce() {
        Announce::AtOnce => NonZero::<usize>::MIN,
        Announce::AfterAllTables => options.threads(),
    };
    if !rebuilt.event.is_played_out() {
        tell(DayNotice::GoesOn(rebuilt.next_round()))?;
    }
    let is_program = |source: &PlayerSource| matches!(source, PlayerSource::Program { .. });
    let has_programs = rebuilt.header.players.iter().any(|player| is_program(&player.plays));
    let context = Context::open(options, notices, has_programs)?;
    let work = resume_networked(&context, rebuilt, limits, bind, old);
    block_on_threads(threads, work).map_err(SessionError::System)?
}

/// A journal that is open to be written on.
struct OldJournal<'a> {
    path: &'a Path,
    file: File,
}

impl OldJournal<'_> {
    fn go_on(self, rebuilt: &RebuiltTournament, durability: Durability) -> Result<Journal, SessionError> {
        let path = self.path;
        Journal::resume(path, self.file, &rebuilt.resume_point(), durability)
            .map_err(|source| SessionError::OldJournal { path: path.to_path_buf(), source })
    }
}

fn rebuild(journal: &Path) -> Result<(RebuiltTournament, File), Box<dyn Error + Send + Sync>> {
    let file = open_to_resume(journal)?;
    let lines = Reader::new(BufReader::new(file.try_clone()?))?;
    Ok((Replay::new(lines, HouseBots::Asked)?.rebuild()?, file))
}

fn tournament<'a>(
    context: &'a Context,
    rebuilt: &RebuiltTournament,
    journal: Option<PathBuf>,
    address: Option<SocketAddr>,
) -> Result<Tournament<'a>, SessionError> {
    Ok(Tournament {
        context,
        number: 1,
        header: rebuilt.header.clone(),
        seed: rebuilt.header.seed().map_err(SessionError::header)?,
        event: rebuilt.event.clone(),
        journal,
        address,
    })
}

fn resume_in_process(
    context: &Context,
    mut rebuilt: RebuiltTournament,
    old: OldJournal<'_>,
) -> Result<(), SessionError> {
    let bots = rebuilt.house.players.drain(..).flatten().collect();
    let opponents = std::mem::take(&mut rebuilt.house.opponents);
    let tournament = tournament(context, &rebuilt, Some(old.path.to_path_buf()), None)?;
    let journal = old.go_on(&rebuilt, Durability::AtTheEnd)?;
    tournament.play_in_process(bots, opponents, Some(journal))
}

/// The players who have to come back, by where they come from.
#[derive(Default)]
struct Expected {
    /// The seats of players who connect, by their GitHubId.
    remote: HashMap<String, usize>,
    /// Programs that are started again: names and command lines.
    programs: Vec<(String, String)>,
    /// The seats of the programs, in the order in which they are started.
    program_seats: Vec<usize>,
}

async fn resume_networked(
    context: &Context,
    mut rebuilt: RebuiltTournament,
    limits: ConnectionLimits,
    bind: Option<SocketAddr>,
    old: OldJournal<'_>,
) -> Result<(), SessionError> {
    let mut seated: Vec<SeatedPlayer> = rebuilt.header.players.iter().map(|_| SeatedPlayer::Gone).collect();
    let Expected { remote, programs, program_seats } = expected(&mut rebuilt, &mut seated);
    let mut lobby = None;
    if !remote.is_empty() {
        let bind = bind.ok_or(SessionError::NoAddress { players: remote.len() })?;
        let why_not = |login: &Login| why_not(login, &rebuilt, &remote);
        let Some(mut arrivals) = gather(context, bind, limits, remote.len(), why_not, None).await? else {
            return Ok(());
        };
        for guest in arrivals.guests.drain(..) {
            let seat = remote[&guest.login.github_id];
            seated[seat] = SeatedPlayer::Remote(guest.connection);
        }
        lobby = Some(arrivals);
    }
    let started = StartedProgram::start_all(&programs, context.folder.path(), limits).await;
    let started = started.map_err(|error| SessionError::Program(error.into()))?;
    for ((guest, program), seat) in started.into_iter().zip(program_seats) {
        seated[seat] = SeatedPlayer::Started(guest.connection, Box::new(program));
    }
    let opponents = std::mem::take(&mut rebuilt.house.opponents);
    let address = lobby.as_ref().map(|lobby| lobby.address);
    let tournament = tournament(context, &rebuilt, Some(old.path.to_path_buf()), address)?;
    let journal = old.go_on(&rebuilt, Durability::EveryRound)?;
    tournament.play_networked(seated, limits, opponents, Some(journal)).await.map(|_| ())
}

/// Seats the house bots, and says which other players have to come back.
fn expected(rebuilt: &mut RebuiltTournament, seated: &mut [SeatedPlayer]) -> Expected {
    let mut expected = Expected::default();
    if rebuilt.event.is_played_out() {
        // Only the end was not recorded any more: no player is needed for that.
        return expected;
    }
    for seat in rebuilt.event.playing_on() {
        let player = &rebuilt.header.players[seat];
        match &player.plays {
            PlayerSource::House(_) => {
                let bot = rebuilt.house.players[seat].take().expect("every house bot is rebuilt");
                seated[seat] = SeatedPlayer::House(Box::new(bot));
            }
            PlayerSource::Program { name, command } => {
                expected.programs.push((name.clone(), command.clone()));
                expected.program_seats.push(seat);
            }
            PlayerSource::Remote => {
                expected.remote.insert(player.github_id.clone(), seat);
            }
        }
    }
    expected
}

/// Returns the reason why this login cannot play on, if there is one.
fn why_not(login: &Login, rebuilt: &RebuiltTournament, playing: &HashMap<String, usize>) -> Option<String> {
    if playing.contains_key(&login.github_id) {
        return None;
    }
    let is_remote = |seat: usize| {
        let player = &rebuilt.header.players[seat];
        player.plays == PlayerSource::Remote && player.github_id == login.github_id
    };
    let standings = rebuilt.event.standings();
    let known = standings.places().iter().find(|standing| is_remote(standing.player));
    Some(match known.map(|standing| &standing.exit) {
        None => "this game goes on with those who began it, and you are not among them".to_string(),
        Some(Some(exit)) => format!("you left it in round {} ({})", exit.round, exit.why.name()),
        // Thrown out of the round that is dealt again.
        Some(None) => format!("you left it in round {}", rebuilt.next_round()),
    })
}
