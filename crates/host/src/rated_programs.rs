//! Programs and house bots that play round after round for a rating.

use std::io;
use std::path::Path;
use std::sync::Arc;

use thiserror::Error;
use tokio::runtime::Runtime;
use tokio_util::task::TaskTracker;

use casino_analysis::rating::{Contestant, Players};
use casino_stud::cards::Stream;
use casino_stud::strategies::{HouseBot, Memory};
use casino_stud::table::{Answer, Fault, Foul, Question, Status};

use super::program::{
    CONNECT_TIMEOUT, ProgramPlayer, ProgramStartError, RestartError, RestartRule, StartCount,
};
use super::{ConnectionLimits, ShellCommand, StartedProgram};

/// A program plays for a rating as long as it answers now and then.
const RESTART_RULE: RestartRule = RestartRule { late_replies: 3, starts: 5, count: StartCount::SinceAnswer };

const DONE_REASON: &str = "All rounds of the rating have been played. Thank you for playing.";

/// Programs, each a separate process with its own connection, and house bots. A program that disconnects or goes silent
/// is restarted.
#[derive(Debug)]
pub struct RatedPrograms {
    runtime: Arc<Runtime>,
    players: Vec<RatedPlayer>,
}

#[derive(Debug)]
enum RatedPlayer {
    House(&'static HouseBot, Memory),
    Program(Box<ProgramPlayer<'static>>),
}

/// Why there are no programs for a rating.
#[derive(Debug, Error)]
pub enum RatedProgramsError {
    /// The system cannot wait for sockets.
    #[error(transparent)]
    Runtime(io::Error),
    /// A program does not play.
    #[error(transparent)]
    Start(ProgramStartError),
}

impl RatedPrograms {
    /// Starts the programs among these contestants, all at once. Their outputs go to the folder, which must exist.
    pub fn start(
        contestants: &[Contestant],
        limits: ConnectionLimits,
        folder: &Path,
    ) -> Result<RatedPrograms, RatedProgramsError> {
        let runtime = ProgramPlayer::runtime().map_err(RatedProgramsError::Runtime)?;
        let programs: Vec<(String, String)> = contestants
            .iter()
            .filter(|contestant| contestant.house_bot().is_none())
            .map(|contestant| (contestant.name.clone(), contestant.player.clone()))
            .collect();
        let started = runtime.block_on(StartedProgram::start_all(&programs, folder, limits));
        let mut started = started.map_err(RatedProgramsError::Start)?.into_iter();
        let player = |contestant: &Contestant| match contestant.house_bot() {
            Some(bot) => RatedPlayer::House(bot, Memory::default()),
            None => {
                let started = started.next().expect("every program was started");
                let command =
                    ShellCommand::new(&contestant.player).with_output_files(folder, &contestant.name);
                let runtime = Arc::clone(&runtime);
                let player =
                    ProgramPlayer::playing(started, command, runtime, limits, CONNECT_TIMEOUT, RESTART_RULE);
                RatedPlayer::Program(Box::new(player))
            }
        };
        let players = contestants.iter().map(player).collect();
        Ok(RatedPrograms { runtime, players })
    }

    /// Sends `done` to the programs because the rating is over, and waits until they have ended.
    pub fn dismiss(mut self) {
        let leaving = TaskTracker::new();
        for player in &mut self.players {
            if let RatedPlayer::Program(program) = player
                && let Some(leave) = program.leave(DONE_REASON)
            {
                leaving.spawn_on(leave, self.runtime.handle());
            }
        }
        leaving.close();
        self.runtime.block_on(leaving.wait());
    }
}

impl Players for RatedPrograms {
    type Error = RestartError;

    fn answer(&mut self, bot: usize, question: &Question<'_>, dice: &mut Stream) -> Answer {
        match &mut self.players[bot] {
            RatedPlayer::House(house, memory) => Ok(house.decide(question, memory, dice)),
            RatedPlayer::Program(program) => program.answer(question),
        }
    }

    fn hear(&mut self, bot: usize, status: &Status) -> Result<(), Fault> {
        match &mut self.players[bot] {
            RatedPlayer::House(_, memory) => {
                memory.hear(status);
                Ok(())
            }
            RatedPlayer::Program(program) => program.hear(status),
        }
    }

    fn fouled(&mut self, bot: usize, foul: &Foul, left: bool) -> Result<(), RestartError> {
        match &mut self.players[bot] {
            RatedPlayer::House(..) => panic!("a house bot keeps to the rules, but one {foul}"),
            RatedPlayer::Program(program) => program.recover(foul, left),
        }
    }
}
