//! The player who is put into situations.

use std::fmt;
use std::time::Duration;

use casino_host::{
    ConnectionLimits, ProgramPlayer, ProgramStartError, ProgramStarter, RestartError, RestartRule,
    StartCount, StartFailure,
};
use casino_stud::strategies::Bot;
use casino_stud::table::{Answer, Fault, Foul, Question, Status};

/// Each situation is a new chance: one late reply is enough for a restart. The starts are counted per part.
const RESTART_RULE: RestartRule = RestartRule { late_replies: 1, starts: 12, count: StartCount::All };

const DONE_REASON: &str = "All situations have been played. Thank you for playing.";

/// The player who is judged: a bot in this process, or a program at the other end of a connection.
pub enum JudgedPlayer<'a> {
    /// A bot in this process. It always answers.
    InProcess(Box<dyn Bot + 'a>),
    /// A program that was started, and whether a reply of it was late.
    Program(Box<ProgramPlayer<'a>>, bool),
}

/// Why a player cannot be judged any further.
#[derive(Debug)]
pub struct PlayerGivenUp(RestartError);

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

impl std::error::Error for PlayerGivenUp {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.0)
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

impl<'a> JudgedPlayer<'a> {
    /// A bot in this process.
    pub fn in_process(bot: impl Bot + 'a) -> JudgedPlayer<'a> {
        JudgedPlayer::InProcess(Box::new(bot))
    }

    /// Starts a program, which may take this long to connect, and lets it log in.
    pub fn program(
        starter: impl ProgramStarter + 'a,
        limits: ConnectionLimits,
        patience: Duration,
    ) -> Result<JudgedPlayer<'a>, ProgramStartError> {
        let program = ProgramPlayer::start("under test", starter, limits, patience, RESTART_RULE)?;
        Ok(JudgedPlayer::Program(Box::new(program), false))
    }

    /// Answers a question, or returns the fault.
    pub fn answer(&mut self, question: &Question<'_>) -> Answer {
        match self {
            JudgedPlayer::InProcess(bot) => Ok(bot.decide(question)),
            JudgedPlayer::Program(program, was_late) => {
                let answer = program.answer(question);
                *was_late |= matches!(answer, Err(Fault::Late { .. }));
                answer
            }
        }
    }

    /// Receives the end of a round.
    pub fn hear(&mut self, status: &Status) -> Result<(), Fault> {
        match self {
            JudgedPlayer::InProcess(bot) => {
                bot.hear(status);
                Ok(())
            }
            JudgedPlayer::Program(program, _) => program.hear(status),
        }
    }

    /// Resets the allowance of restarts before a part, and restarts a player that was given up.
    pub fn begin_part(&mut self, was_given_up: bool) -> Result<(), PlayerGivenUp> {
        match self {
            JudgedPlayer::InProcess(_) => Ok(()),
            JudgedPlayer::Program(program, _) => program.renew(was_given_up).map_err(PlayerGivenUp),
        }
    }

    /// Restarts a program that is gone or out of step after a foul.
    pub fn recover(&mut self, foul: &Foul) -> Result<(), PlayerGivenUp> {
        let JudgedPlayer::Program(program, _) = self else { return Ok(()) };
        // Whether the connection is useless. After an illegal reply the program waits for the next message.
        let gone = match foul {
            Foul::Illegal { .. } => false,
            Foul::Fault { fault, .. } => !matches!(fault, Fault::Malformed { .. } | Fault::Late { .. }),
        };
        program.recover(foul, gone).map_err(PlayerGivenUp)
    }

    /// Whether a reply was late.
    pub fn was_late(&self) -> bool {
        matches!(self, JudgedPlayer::Program(_, true))
    }

    /// Sends `done` to a program and ends its process in any case.
    pub fn dismiss(self) {
        if let JudgedPlayer::Program(program, _) = self {
            program.dismiss(DONE_REASON);
        }
    }
}
