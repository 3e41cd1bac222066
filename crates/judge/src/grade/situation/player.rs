//! The player who is put into situations.

use std::convert::Infallible;
use std::fmt;
use std::time::Duration;

use thiserror::Error;

use casino_host::{
    ConnectionLimits, ProgramPlayer, ProgramStartError, ProgramStarter, RestartError, RestartRule,
    StartCount, StartFailure,
};
use casino_stud::strategies::{AwaitedPlayer, Bot};
use casino_stud::table::{Answer, Fault, Foul, Question, Status};

/// Each situation is a new chance: one late reply is enough for a restart. The starts are counted per part.
const RESTART_RULE: RestartRule =
    RestartRule { late_replies: 1, starts: 12, count: StartCount::All, out_of_step: true };

const DONE_REASON: &str = "All situations have been played. Thank you for playing.";

/// Why a player cannot be judged any further.
#[derive(Debug, Error)]
pub struct PlayerGivenUp(#[source] RestartError);

impl fmt::Display for PlayerGivenUp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            RestartError::GivenUp { starts, foul, .. } => write!(
                f,
                "The program had been started {starts} times in this part by then, and was not started again. The last \
                 time it {foul}"
            ),
            RestartError::Start(error) => {
                write!(f, "The program was to be started again, but {}.", without_details(error))
            }
        }
    }
}

/// Why a program does not play, without its name and its output: both differ from run to run.
pub(in crate::grade) fn without_details(error: &ProgramStartError) -> String {
    match &error.why {
        StartFailure::Launch(error) => error.to_string(),
        StartFailure::Ended(_) => "the program ended before it connected".to_string(),
        why => format!("the program {why}"),
    }
}

/// A player who is judged in several parts.
pub trait JudgedPlayer: AwaitedPlayer<Stop: Into<PlayerGivenUp> + Send> + Send {
    /// Whether the player is a program, which may have to be restarted.
    const IS_PROGRAM: bool;

    /// Resets the allowance of restarts before a part, and restarts a player that was given up.
    fn begin_part(&mut self, was_given_up: bool) -> Result<(), PlayerGivenUp>;
}

/// A bot in this process needs no restart.
impl<B: Bot> JudgedPlayer for B {
    const IS_PROGRAM: bool = false;

    fn begin_part(&mut self, _: bool) -> Result<(), PlayerGivenUp> {
        Ok(())
    }
}

impl From<Infallible> for PlayerGivenUp {
    fn from(never: Infallible) -> PlayerGivenUp {
        match never {}
    }
}

/// A program that is judged.
#[derive(Debug)]
pub struct JudgedProgram<'a> {
    program: ProgramPlayer<'a>,
    was_late: bool,
}

impl<'a> JudgedProgram<'a> {
    /// Starts a program, which may take this long to connect, and lets it log in.
    pub fn start(
        starter: impl ProgramStarter + 'a,
        limits: ConnectionLimits,
        patience: Duration,
    ) -> Result<JudgedProgram<'a>, ProgramStartError> {
        let program = ProgramPlayer::start("under test", starter, limits, patience, RESTART_RULE)?;
        Ok(JudgedProgram { program, was_late: false })
    }

    /// Whether a reply was late.
    pub fn was_late(&self) -> bool {
        self.was_late
    }

    /// Sends `done` and ends the process in any case.
    pub fn dismiss(self) {
        self.program.dismiss(DONE_REASON);
    }
}

impl AwaitedPlayer for JudgedProgram<'_> {
    type Stop = PlayerGivenUp;

    fn answer(&mut self, question: &Question<'_>) -> Result<Answer, PlayerGivenUp> {
        let answer = self.program.answer(question).map_err(PlayerGivenUp)?;
        self.was_late |= matches!(answer, Err(Fault::Late { .. }));
        Ok(answer)
    }

    fn hear(&mut self, status: &Status) -> Result<(), Fault> {
        self.program.hear(status)
    }

    fn fouled(&mut self, foul: &Foul) -> Result<(), PlayerGivenUp> {
        self.program.fouled(foul).map_err(PlayerGivenUp)
    }
}

impl JudgedPlayer for JudgedProgram<'_> {
    const IS_PROGRAM: bool = true;

    fn begin_part(&mut self, was_given_up: bool) -> Result<(), PlayerGivenUp> {
        self.program.renew(was_given_up).map_err(PlayerGivenUp)
    }
}
