//! Ghosts: the recorded view of one seat, put to another player. Does a program's next version decide as the last one
//! did?
//!
//! The view is always the recorded one. The consequences of a different decision are not played out: each decision is
//! compared with the recorded one in the same situation.

use std::io::BufRead;

use serde::Serialize;
use thiserror::Error;

use crate::cards::Seed;
use crate::journal::PlayerSource;
use crate::protocol::{OwnedQuestion, question_text};
use crate::strategies::{Bot, HouseBot};
use crate::stud::{Bounds, Seat, Street};
use crate::table::{Answer, Foul, Notice, Question, Reply, Status};
use crate::tournament::TableGame;

use super::{Observer, Replay, ReplayError, Segment, names};

/// The recorded view of one seat: every round that was played to its end.
#[derive(Clone, Debug)]
pub struct Recording {
    /// The name of the player who sat there.
    pub name: String,
    github_id: String,
    seed: Seed,
    views: Vec<RecordedView>,
}

/// One message to the player.
#[derive(Clone, Debug)]
pub enum RecordedView {
    /// It was asked a question.
    Asked(RecordedDecision),
    /// The result of a round.
    Told(Status),
}

/// A question and the player's answer.
#[derive(Clone, Debug)]
pub struct RecordedDecision {
    round: u64,
    question: OwnedQuestion,
    answer: Answer,
}

impl RecordedDecision {
    /// The question that was asked.
    pub fn question(&self) -> Question<'_> {
        self.question.as_question()
    }
}

/// Why there is no recording of a seat.
#[derive(Debug, Error)]
pub enum RecordingError {
    /// The journal cannot be played again.
    #[error(transparent)]
    Journal(#[from] ReplayError),
    /// There is no player of that name.
    #[error("there is no player \"{}\"; there are {}", name.escape_debug(), players.join(", "))]
    NoSuchPlayer {
        /// The name that was asked for.
        name: String,
        /// The names of those who play in it.
        players: Vec<String>,
    },
}

/// The views of a round that may still turn out not to have been finished.
struct SeatObserver {
    player: usize,
    views: Vec<RecordedView>,
}

impl Observer for SeatObserver {
    fn answered(&mut self, tournament: &TableGame, seat: Seat, answer: &Answer) {
        if tournament.player_at(seat) == self.player {
            let table = tournament.table();
            let question = table.question(seat).into();
            let (round, answer) = (table.round_number(), answer.clone());
            self.views.push(RecordedView::Asked(RecordedDecision { round, question, answer }));
        }
    }

    fn notice(&mut self, tournament: &TableGame, seat: Seat, notice: &Notice) {
        if let (Notice::Status(status), true) = (notice, tournament.player_at(seat) == self.player) {
            self.views.push(RecordedView::Told(*status));
        }
    }
}

impl Recording {
    /// Takes one player's view out of a journal.
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
                PlayerSource::Program { .. } | PlayerSource::Remote | PlayerSource::Person => {
                    format!("house:{name}")
                }
            },
            seed: Seed::chosen(&header.seed),
            views: Vec::new(),
        };
        let mut observer = SeatObserver { player: index, views: Vec::new() };
        while let Some(part) = journal.next(&mut observer)? {
            let views = std::mem::take(&mut observer.views);
            if let Segment::Round { finished: true, .. } = part {
                recording.views.extend(views);
            }
        }
        Ok(recording)
    }

    /// Puts the recording to a house bot. One of the kind that was recorded has the same dice.
    pub fn against_house_bot(&self, bot: &HouseBot) -> RecordingComparison {
        let mut bot = bot.seated(&self.github_id, &self.seed);
        let mut comparison = RecordingComparison::default();
        for view in &self.views {
            match view {
                RecordedView::Told(status) => bot.hear(status),
                RecordedView::Asked(decision) => {
                    comparison.add(decision, &Ok(bot.decide(&decision.question())));
                }
            }
        }
        comparison
    }

    /// How many questions there are in it.
    pub fn questions(&self) -> u64 {
        self.views.iter().filter(|view| matches!(view, RecordedView::Asked(_))).count() as u64
    }

    /// The messages to the player, in order.
    pub fn views(&self) -> &[RecordedView] {
        &self.views
    }
}

/// How a player decided where another had decided before.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct RecordingComparison {
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
    /// The recorded reply or foul.
    pub recorded: String,
    /// The new one.
    pub new: String,
    /// The foul in the new reply.
    pub foul: Option<String>,
}

impl RecordingComparison {
    /// Compares the answer of the new player with the recorded one. After a final fault it cannot be asked any more.
    pub fn add(&mut self, recorded: &RecordedDecision, answer: &Answer) {
        self.questions += 1;
        let question = recorded.question();
        let foul = foul(answer, question.bounds);
        self.fouls += u64::from(foul.is_some());
        let (old, new) = (in_words(&recorded.answer), in_words(answer));
        if old != new {
            self.differences.push(ChangedDecision {
                round: recorded.round,
                street: if question.street == Street::First { 1 } else { 2 },
                question: question_text(&question),
                recorded: old,
                new,
                foul: foul.map(|foul| foul.to_string()),
            });
        }
        if let Err(fault) = answer
            && fault.is_final()
        {
            self.ended_early = Some(fault.to_string());
        }
    }
}

/// The reply, or the name of the foul: two answers are equal if these are.
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
