//! Those whose program plays for them until they connect: the players of a practice ladder, on the day.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use casino_host::{
    ConnectionLimits, Guest, ProgramStartError, ReadMode, SeatedPlayer, ShellCommand, StartedProgram,
};
use casino_stud::journal::PlayerSource;
use casino_stud::parallel::cores;
use casino_stud::protocol::Login;
use casino_stud::tournament::Entrant;

/// How long a stand-in may take from its start to its connection: it may be built on the way.
const PATIENCE: Duration = Duration::from_secs(180);

/// A player of a practice ladder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LadderPlayer {
    /// The GitHubId: whoever connects with it takes the seat. Without one nobody can, and a name is in its place.
    pub github_id: String,
    /// The name everyone sees.
    pub name: String,
    /// The rank on the ladder, from 1, if it has one.
    pub rank: Option<usize>,
    /// What plays until somebody connects, if there is something.
    pub stand_in: Option<StandIn>,
}

/// A program that plays if nobody connects for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StandIn {
    /// What the journal and the files of its outputs call it.
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

/// Those whose stand-in plays as long as these are inside.
pub(super) fn stood_in_for<'a>(
    players: &'a [LadderPlayer],
    inside: &'a [Login],
) -> impl Iterator<Item = (&'a LadderPlayer, &'a StandIn)> {
    let is_inside = |player: &LadderPlayer| inside.iter().any(|login| login.github_id == player.github_id);
    players
        .iter()
        .filter_map(|player| player.stand_in.as_ref().map(|stand_in| (player, stand_in)))
        .filter(move |(player, _)| !is_inside(player))
}

/// Whether somebody plays for the player of this GitHubId as long as nobody connects with it.
pub(super) fn has_stand_in(players: &[LadderPlayer], github_id: &str) -> bool {
    players.iter().any(|player| player.github_id == github_id && player.stand_in.is_some())
}

/// A stand-in that has come to play.
pub(super) struct Standing {
    pub(super) entrant: Entrant,
    pub(super) source: PlayerSource,
    pub(super) player: SeatedPlayer,
}

/// The place of a player among all, and what came of starting its stand-in.
type Start = (usize, Result<(Guest, StartedProgram), ProgramStartError>);

/// Stand-ins that are started while the lobby waits, no more of them at a time than there are cores: most are built first.
/// Dropping it ends them all.
pub(super) struct StandingBy<'a> {
    players: &'a [LadderPlayer],
    starting: JoinSet<Start>,
    starter: Starter,
}

#[derive(Clone)]
struct Starter {
    folder: Arc<Path>,
    limits: ConnectionLimits,
    turns: Arc<Semaphore>,
}

impl Starter {
    async fn start(self, at: usize, StandIn { program, command }: StandIn) -> Start {
        // The turns end with nobody.
        let _turn = self.turns.acquire().await;
        let starter = ShellCommand::new(&command).with_output_files(&self.folder, &program);
        let started = StartedProgram::start(&program, &starter, self.limits, PATIENCE).await;
        (at, started.map_err(|error| ProgramStartError { command: Some(command), ..error }))
    }
}

impl<'a> StandingBy<'a> {
    /// Starts all stand-ins; their outputs go to this folder.
    pub(super) fn begin(
        players: &'a [LadderPlayer],
        folder: &Path,
        limits: ConnectionLimits,
    ) -> StandingBy<'a> {
        let turns = Arc::new(Semaphore::new(cores().get()));
        let starter = Starter { folder: folder.into(), limits, turns };
        let mut starting = JoinSet::new();
        for (at, player) in players.iter().enumerate() {
            if let Some(stand_in) = player.stand_in.clone() {
                starting.spawn(starter.clone().start(at, stand_in));
            }
        }
        StandingBy { players, starting, starter }
    }

    /// Those who play, once all have come or failed; the others, for whom these guests have come, are ended. One that went away
    /// while it waited is started once more. Whoever does not come is told to `stays_out`, and costs nobody the game.
    ///
    /// # Panics
    /// If starting a program panics.
    pub(super) async fn come(
        mut self,
        guests: &[Guest],
        mut stays_out: impl FnMut(&LadderPlayer, &ProgramStartError),
    ) -> Vec<Standing> {
        let is_inside =
            |player: &LadderPlayer| guests.iter().any(|guest| guest.login.github_id == player.github_id);
        let mut standing = Vec::new();
        let mut was_started_again = vec![false; self.players.len()];
        while let Some(joined) = self.starting.join_next().await {
            let (at, started) = joined.expect("starting a program does not panic");
            let player = &self.players[at];
            let Some(stand_in) = player.stand_in.clone().filter(|_| !is_inside(player)) else { continue };
            match started {
                Ok((mut guest, program)) => {
                    let is_there = guest.connection.expect_silence(ReadMode::Now).is_ok();
                    if !is_there && !std::mem::replace(&mut was_started_again[at], true) {
                        self.starting.spawn(self.starter.clone().start(at, stand_in));
                    } else {
                        standing.push((at, guest, program, stand_in));
                    }
                }
                Err(error) => stays_out(player, &error),
            }
        }
        standing.sort_by_key(|(at, ..)| *at);
        let seated = |(at, guest, program, stand_in): (usize, Guest, StartedProgram, StandIn)| Standing {
            entrant: self.players[at].entrant(),
            source: PlayerSource::Program { name: stand_in.program, command: stand_in.command },
            player: SeatedPlayer::Started(guest.connection, Box::new(program)),
        };
        standing.into_iter().map(seated).collect()
    }
}
