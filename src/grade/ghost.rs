//! A recorded game's view of one seat, put to another player: does a program's next version decide as the last
//! one did?
//!
//! The view is always the recorded one. What the new player would have changed in the game is not played out:
//! each of its decisions is compared with the recorded one in the same situation.

use std::fmt;
use std::io::BufRead;
use std::path::Path;

use serde::Serialize;

use crate::cards::Seed;
use crate::journal::PlayerSource;
use crate::protocol::{OwnedQuestion, question_text};
use crate::replay::{Observer, Replay, ReplayError, Segment, names};
use crate::server::{ConnectionLimits, Guest, StartedProgram};
use crate::strategies::{Bot, HouseBot};
use crate::stud::{Bounds, Seat, Street};
use crate::table::{Answer, Foul, Notice, Reply, Status};
use crate::tournament::TableGame;

/// The recorded view of one seat: every round that was played to its end.
#[derive(Clone, Debug)]
pub struct Recording {
    /// The name of the player who sat there.
    pub name: String,
    github_id: String,
    seed: Seed,
    views: Vec<View>,
}

#[derive(Clone, Debug)]
enum View {
    Asked { round: u64, question: OwnedQuestion, recorded: Answer },
    Told(Status),
}

/// Why there is no recording of a seat.
#[derive(Debug)]
pub enum RecordingError {
    /// The journal cannot be played again.
    Journal(ReplayError),
    /// Nobody of that name plays in it.
    NoSuchPlayer {
        /// The name.
        name: String,
        /// Who there is.
        players: Vec<String>,
    },
}

impl fmt::Display for RecordingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecordingError::Journal(error) => error.fmt(f),
            RecordingError::NoSuchPlayer { name, players } => {
                write!(
                    f,
                    "nobody named \"{}\" plays in it; there are {}",
                    name.escape_debug(),
                    players.join(", ")
                )
            }
        }
    }
}

impl std::error::Error for RecordingError {}

impl From<ReplayError> for RecordingError {
    fn from(error: ReplayError) -> RecordingError {
        RecordingError::Journal(error)
    }
}

/// The views of a round that may still turn out not to have been finished.
struct Watcher {
    player: usize,
    views: Vec<View>,
}

impl Observer for Watcher {
    fn asks(&mut self, tournament: &TableGame, seat: Seat, answer: &Answer) {
        if tournament.player_at(seat) == self.player {
            let table = tournament.table();
            let question = table.question(seat).into();
            let (round, recorded) = (table.round_number(), answer.clone());
            self.views.push(View::Asked { round, question, recorded });
        }
    }

    fn tells(&mut self, tournament: &TableGame, seat: Seat, notice: &Notice) {
        if let (Notice::Status(status), true) = (notice, tournament.player_at(seat) == self.player) {
            self.views.push(View::Told(*status));
        }
    }
}

impl Recording {
    /// Takes one player's view out of a journal.
    ///
    /// # Errors
    /// If the journal cannot be played again or nobody of that name plays in it.
    pub fn new(mut journal: Replay<impl BufRead>, name: &str) -> Result<Recording, RecordingError> {
        let names = names(journal.header());
        let Some(index) = names.iter().position(|other| other == name) else {
            return Err(RecordingError::NoSuchPlayer { name: name.to_string(), players: names });
        };
        let header = journal.header();
        let player = &header.players[index];
        let mut recording = Recording {
            name: name.to_string(),
            github_id: match &player.plays {
                PlayerSource::House(_) => player.github_id.clone(),
                PlayerSource::Program { .. } | PlayerSource::Remote => format!("house:{name}"),
            },
            seed: Seed::chosen(&header.seed),
            views: Vec::new(),
        };
        let mut watcher = Watcher { player: index, views: Vec::new() };
        while let Some(part) = journal.next(&mut watcher)? {
            let views = std::mem::take(&mut watcher.views);
            if let Segment::Round { finished: true, .. } = part {
                recording.views.extend(views);
            }
        }
        Ok(recording)
    }

    /// Puts the recording to a house bot. One of the kind that was recorded has the same dice.
    pub fn against_house_bot(&self, bot: &HouseBot) -> Comparison {
        let mut bot = bot.seated(&self.github_id, &self.seed);
        let mut comparison = Comparison::default();
        for view in &self.views {
            match view {
                View::Told(status) => bot.hear(status),
                View::Asked { round, question, recorded } => {
                    let answer = Ok(bot.decide(&question.as_question()));
                    comparison.note(*round, question, recorded, &answer);
                }
            }
        }
        comparison
    }

    /// How many questions there are in it.
    pub fn questions(&self) -> u64 {
        self.views.iter().filter(|view| matches!(view, View::Asked { .. })).count() as u64
    }

    /// Starts a program and puts the recording to it. Its output goes to files in the folder. `progress` is told
    /// after each question how many have been asked.
    ///
    /// # Errors
    /// Why the program does not play, in words.
    pub async fn against_program(
        &self,
        name: &str,
        command: &str,
        folder: &Path,
        limits: ConnectionLimits,
        mut progress: impl FnMut(u64),
    ) -> Result<Comparison, String> {
        let (Guest { mut connection, .. }, program) =
            StartedProgram::start(name, command, folder, limits).await?;
        let mut comparison = Comparison::default();
        for view in &self.views {
            match view {
                View::Told(status) => connection.tell(status),
                View::Asked { round, question, recorded } => {
                    let answer = connection.ask(&question.as_question(), limits.reply).await;
                    comparison.note(*round, question, recorded, &answer);
                    progress(comparison.questions);
                    if let Err(fault) = answer
                        && fault.is_final()
                    {
                        comparison.ended_early = Some(fault.to_string());
                        break;
                    }
                }
            }
        }
        connection.done("The recorded game is over. Thank you for playing.").await;
        program.end().await;
        Ok(comparison)
    }
}

/// How a player decided where another had decided before.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Comparison {
    /// How many questions the player was asked.
    pub questions: u64,
    /// Where it decided differently, in order.
    pub differences: Vec<ChangedDecision>,
    /// How often it broke a rule.
    pub fouls: u64,
    /// Why the player could not be asked to the end.
    pub ended_early: Option<String>,
}

/// A decision that is another one now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ChangedDecision {
    /// The round, from 1.
    pub round: u64,
    /// 1 or 2.
    pub street: u8,
    /// The question as it is on the wire.
    pub question: String,
    /// The recorded reply, or what was done instead.
    pub recorded: String,
    /// The new one.
    pub new: String,
    /// What is wrong with the new one.
    pub foul: Option<String>,
}

impl Comparison {
    fn note(&mut self, round: u64, question: &OwnedQuestion, recorded: &Answer, answer: &Answer) {
        self.questions += 1;
        let question = question.as_question();
        let foul = foul(answer, question.bounds);
        self.fouls += u64::from(foul.is_some());
        let (recorded, new) = (in_words(recorded), in_words(answer));
        if recorded != new {
            self.differences.push(ChangedDecision {
                round,
                street: if question.street == Street::First { 1 } else { 2 },
                question: question_text(&question),
                recorded,
                new,
                foul: foul.map(|foul| foul.to_string()),
            });
        }
    }
}

/// The reply, or the name of what was done instead: two answers are the same if this is.
fn in_words(answer: &Answer) -> String {
    match answer {
        Ok(reply) => reply.to_string(),
        Err(fault) => Foul::Fault { fault: fault.clone(), allowed: None }.name().to_string(),
    }
}

fn foul(answer: &Answer, allowed: Bounds) -> Option<Foul> {
    match answer {
        Ok(Reply::Fold) => None,
        Ok(Reply::Bet(chips)) => {
            allowed.bet(*chips).err().map(|problem| Foul::Illegal { chips: *chips, problem, allowed })
        }
        Err(fault) => Some(Foul::Fault { fault: fault.clone(), allowed: Some(allowed) }),
    }
}
