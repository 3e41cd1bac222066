//! Those whose program plays for them until they connect: the players of a practice ladder, on the day.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use casino_host::driven::machine_is_quiet;
use casino_host::{
    ConnectionLimits, Guest, ProgramStartError, ReadMode, SeatedPlayer, ShellCommand, StartedProgram,
};
use casino_stud::journal::PlayerSource;
use casino_stud::parallel::cores;
use casino_stud::protocol::Login;
use casino_stud::tournament::Entrant;

use super::day::ArrivingPlayer;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(180);

/// A player of a practice ladder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LadderPlayer {
    /// The GitHubId: a connection with it takes the seat. Without one the seat is known by a name and cannot be taken.
    pub github_id: String,
    /// The name everyone sees.
    pub name: String,
    /// The rank on the ladder, from 1, if it has one.
    pub rank: Option<usize>,
    /// The substitute, if there is one.
    pub substitute: Option<Substitute>,
}

/// A program that plays for an absent player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Substitute {
    /// Its name in the journal and in the files of its output.
    pub program: String,
    /// The command line, with `{host}` and `{port}`.
    pub command: String,
}

impl LadderPlayer {
    /// The entrant, with the name that the ladder has.
    pub(super) fn entrant(&self) -> Entrant {
        Entrant::new(&self.github_id, "").named(&self.name)
    }
}

/// The players represented by their substitutes while these are present.
pub(super) fn substitutes_for<'a>(
    players: &'a [LadderPlayer],
    inside: &'a [Login],
) -> impl Iterator<Item = (&'a LadderPlayer, &'a Substitute)> {
    let is_inside = |player: &LadderPlayer| inside.iter().any(|login| login.github_id == player.github_id);
    players
        .iter()
        .filter_map(|player| player.substitute.as_ref().map(|substitute| (player, substitute)))
        .filter(move |(player, _)| !is_inside(player))
}

/// Whether a substitute plays for the player of this GitHubId until it connects.
pub(super) fn has_substitute(players: &[LadderPlayer], github_id: &str) -> bool {
    players.iter().any(|player| player.github_id == github_id && player.substitute.is_some())
}

/// The index of a player, and the outcome of starting its substitute.
type SubstituteStart = (usize, Result<(Guest, StartedProgram), ProgramStartError>);

/// Substitutes started while the lobby waits, at most one at a time per core, because most are built first. Dropping it
/// ends them all.
pub(super) struct SubstituteConnections<'a> {
    players: &'a [LadderPlayer],
    starting: JoinSet<SubstituteStart>,
    starter: Starter,
}

#[derive(Clone)]
struct Starter {
    folder: Arc<Path>,
    limits: ConnectionLimits,
    turns: Arc<Semaphore>,
}

impl Starter {
    async fn start(self, at: usize, Substitute { program, command }: Substitute) -> SubstituteStart {
        // No slots are left.
        let _turn = self.turns.acquire().await;
        let starter = ShellCommand::new(&command).with_output_files(&self.folder, &program);
        let started = StartedProgram::start(&program, &starter, self.limits, CONNECT_TIMEOUT).await;
        (at, started.map_err(|error| ProgramStartError { command: Some(command), ..error }))
    }
}

impl<'a> SubstituteConnections<'a> {
    /// Starts all substitutes; their output goes to this folder.
    pub(super) fn begin(
        players: &'a [LadderPlayer],
        folder: &Path,
        limits: ConnectionLimits,
    ) -> SubstituteConnections<'a> {
        let turns = Arc::new(Semaphore::new(cores().get()));
        let starter = Starter { folder: folder.into(), limits, turns };
        let mut starting = JoinSet::new();
        for (at, player) in players.iter().enumerate() {
            if let Some(substitute) = player.substitute.clone() {
                starting.spawn(starter.clone().start(at, substitute));
            }
        }
        SubstituteConnections { players, starting, starter }
    }

    /// The substitutes that play, once all have connected or failed and the machine is quiet; those replaced by these guests are ended. One that
    /// disconnected while waiting is started once more. Failures are reported to `stays_out`, and cost no player the
    /// game.
    ///
    /// # Panics
    /// If starting a program panics.
    pub(super) async fn come(
        mut self,
        guests: &[Guest],
        mut stays_out: impl FnMut(&LadderPlayer, &ProgramStartError),
    ) -> Vec<ArrivingPlayer<SeatedPlayer>> {
        let is_inside =
            |player: &LadderPlayer| guests.iter().any(|guest| guest.login.github_id == player.github_id);
        let mut standing = Vec::new();
        let mut was_started_again = vec![false; self.players.len()];
        while let Some(joined) = self.starting.join_next().await {
            let (at, started) = joined.expect("starting a program does not panic");
            let player = &self.players[at];
            let Some(substitute) = player.substitute.clone().filter(|_| !is_inside(player)) else { continue };
            match started {
                Ok((mut guest, program)) => {
                    let is_there = guest.connection.expect_silence(ReadMode::Now).is_ok();
                    if !is_there && !std::mem::replace(&mut was_started_again[at], true) {
                        self.starting.spawn(self.starter.clone().start(at, substitute));
                    } else {
                        standing.push((at, guest, program, substitute));
                    }
                }
                Err(error) => stays_out(player, &error),
            }
        }
        if !standing.is_empty() {
            machine_is_quiet().await;
        }
        standing.sort_by_key(|(at, ..)| *at);
        let seated =
            |(at, guest, program, substitute): (usize, Guest, StartedProgram, Substitute)| ArrivingPlayer {
                entrant: self.players[at].entrant(),
                source: PlayerSource::Program { name: substitute.program, command: substitute.command },
                from: None,
                player: SeatedPlayer::Started(guest.connection, Box::new(program)),
            };
        standing.into_iter().map(seated).collect()
    }
}
