//! Going on with a recorded tournament.

use std::collections::HashMap;
use std::fs::File;
use std::io::BufReader;
use std::net::SocketAddr;
use std::num::NonZero;
use std::path::PathBuf;

use crate::journal::{Durability, Journal, PlayerSource, Reader, open_to_resume};
use crate::protocol::Login;
use crate::replay::{HouseBots, RebuiltTournament, Replay};
use crate::server::{ConnectionLimits, SeatedPlayer, StartedProgram, block_on_threads, raise_file_limit};
use crate::strategies::HousePlayer;
use crate::tournament::Ending;

use super::{Failure, Folder, Presentation, Running, Setup, gather, jobs, limits, output, threads};

/// A recorded tournament that is to go on.
pub(crate) struct Resume {
    /// The journal.
    pub(crate) journal: PathBuf,
    /// Where to listen for players who connect.
    pub(crate) bind: Option<SocketAddr>,
    /// How many threads play the tables of an event; all cores if nobody says.
    pub(crate) jobs: Option<NonZero<usize>>,
    /// How it is shown.
    pub(crate) presentation: Presentation,
}

impl Resume {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let shown = self.journal.display();
        let unusable =
            |error: &dyn std::fmt::Display| Failure::Usage(format!("{shown} cannot be resumed: {error}"));
        let file = open_to_resume(&self.journal).map_err(|error| unusable(&error))?;
        let reading = file.try_clone().map_err(|error| unusable(&error))?;
        let lines = Reader::new(BufReader::new(reading)).map_err(|error| unusable(&error))?;
        let rebuilt = Replay::new(lines, HouseBots::Asked)
            .and_then(Replay::rebuild)
            .map_err(|error| unusable(&error))?;
        if let Some(torn) = &rebuilt.torn {
            output::remark(&format!("{shown}: {torn}; it was announced to nobody and is cut off"));
        }
        if rebuilt.is_finished {
            output::remark(&format!("{shown}: this tournament is finished."));
            return self.running(&rebuilt, None)?.conclude(Ending::Played, None);
        }
        let house_only =
            rebuilt.header.players.iter().all(|player| matches!(player.plays, PlayerSource::House(_)));
        if house_only && self.presentation.needs_no_waiting() {
            return self.resume_in_process(rebuilt, file);
        }
        let terms = rebuilt.header.terms().map_err(Failure::broke)?;
        let files = raise_file_limit();
        Setup::check_files(files, rebuilt.event.playing_on().len())?;
        let limits = limits(&terms).within_files(files, rebuilt.players.len());
        // Another tournament would want flags that only host and play have.
        let threads = threads(&rebuilt.event, self.jobs);
        let work = self.resume_networked(rebuilt, limits, file);
        block_on_threads(threads, work).map_err(Failure::broke)?.map(|_| ())
    }

    fn resume_in_process(self, mut rebuilt: RebuiltTournament, file: File) -> Result<(), Failure> {
        let bots: Vec<HousePlayer> = rebuilt.house.players.drain(..).flatten().collect();
        let opponents = std::mem::take(&mut rebuilt.house.opponents);
        let running = self.running(&rebuilt, None)?;
        let journal = self.reopen(file, &rebuilt, Durability::AtTheEnd)?;
        Running { journal: Some(journal), opponents, ..running }.in_process(bots)
    }

    async fn resume_networked(
        self,
        mut rebuilt: RebuiltTournament,
        limits: ConnectionLimits,
        file: File,
    ) -> Result<bool, Failure> {
        let playing = match rebuilt.event.is_played_out() {
            // Only the end was not recorded any more: nobody is needed for that.
            true => Vec::new(),
            false => rebuilt.event.playing_on(),
        };
        let mut seated: Vec<SeatedPlayer> =
            rebuilt.header.players.iter().map(|_| SeatedPlayer::Gone).collect();
        let mut remote = HashMap::new();
        let mut programs = Vec::new();
        let mut program_seats = Vec::new();
        for &seat in &playing {
            let player = &rebuilt.header.players[seat];
            match &player.plays {
                PlayerSource::House(_) => {
                    let bot = rebuilt.house.players[seat].take().expect("every house bot is rebuilt");
                    seated[seat] = SeatedPlayer::House(Box::new(bot));
                }
                PlayerSource::Program { name, command } => {
                    programs.push((name.clone(), command.clone()));
                    program_seats.push(seat);
                }
                PlayerSource::Remote => {
                    remote.insert(player.github_id.clone(), seat);
                }
            }
        }
        if self.presentation.is_chatty() && !playing.is_empty() {
            output::remark(&format!("The tournament goes on with round {}.", rebuilt.next_round()));
        }
        let room = self.presentation.open_room()?;
        let mut arrival = None;
        if !remote.is_empty() {
            let Some(bind) = self.bind else {
                return Err(Failure::Usage(format!(
                    "{} of the players connect over the network: say where with --bind ADDR:PORT",
                    remote.len()
                )));
            };
            let chatty = self.presentation.is_chatty();
            let why_not = |login: &Login| why_not(login, &rebuilt, &remote);
            let arrived = gather(bind, limits, remote.len(), chatty, why_not, None).await?;
            let arrived = arrival.insert(arrived.expect("without a console nobody ends the day early"));
            for guest in arrived.guests.drain(..) {
                let seat = remote[&guest.login.github_id];
                seated[seat] = SeatedPlayer::Remote(guest.connection);
            }
        }
        let opponents = std::mem::take(&mut rebuilt.house.opponents);
        let running = self.running(&rebuilt, arrival.as_ref().map(|arrival| arrival.address))?;
        let started = StartedProgram::start_all(&programs, running.folder.path(), limits).await;
        for ((guest, program), seat) in started.map_err(Failure::broke)?.into_iter().zip(program_seats) {
            seated[seat] = SeatedPlayer::Started(guest.connection, Box::new(program));
        }
        let journal = self.reopen(file, &rebuilt, Durability::EveryRound)?;
        Running { journal: Some(journal), room, opponents, ..running }.networked(seated, limits).await
    }

    fn running(&self, rebuilt: &RebuiltTournament, address: Option<SocketAddr>) -> Result<Running, Failure> {
        let programs =
            rebuilt.header.players.iter().any(|player| matches!(player.plays, PlayerSource::Program { .. }));
        Ok(Running {
            header: rebuilt.header.clone(),
            seed: rebuilt.header.seed().map_err(Failure::broke)?,
            event: rebuilt.event.clone(),
            opponents: Vec::new(),
            jobs: jobs(self.jobs),
            journal: None,
            journal_path: None,
            presentation: self.presentation.clone(),
            folder: Folder::new(self.presentation.out.as_deref(), programs && !rebuilt.is_finished)?,
            address,
            room: None,
            number: 1,
        })
    }

    fn reopen(
        &self,
        file: File,
        rebuilt: &RebuiltTournament,
        durability: Durability,
    ) -> Result<(PathBuf, Journal), Failure> {
        let path = &self.journal;
        let journal = Journal::resume(path, file, &rebuilt.resume_point(), durability).map_err(|error| {
            Failure::Broke(format!("the journal {} cannot be written: {error}", path.display()))
        })?;
        Ok((path.clone(), journal))
    }
}

/// Why somebody who has logged in cannot play on; nothing if it can.
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
