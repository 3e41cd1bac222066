//! The result of a match from its journal alone: the only source of results, on every host.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

use sha2::{Digest, Sha256};
use thiserror::Error;

use casino_stud::hex::hex;
use casino_stud::journal::{Reader, Tail};
use casino_stud::replay::{HouseBots, Observer, Replay, ReplayError, Segment};
use casino_stud::table::TableEvent;
use casino_stud::tournament::TableGame;

use super::{LadderError, MatchFoul, MatchPlan, PlayedMatch, SeatResult};

/// Why a journal does not prove a match.
#[derive(Debug, Error)]
pub enum ProofError {
    /// The plan is invalid.
    #[error(transparent)]
    Plan(#[from] LadderError),
    /// The file cannot be read.
    #[error("it cannot be read: {0}")]
    Unreadable(#[from] io::Error),
    /// It is not a journal, or its lines are inconsistent.
    #[error("it differs from the match played: {0}")]
    Differs(#[from] ReplayError),
    /// It is the journal of another match.
    #[error("its first line is not that of the match {0}")]
    OtherMatch(String),
    /// The match is not over in it.
    #[error("the match is not over in it")]
    Unfinished,
    /// The journal was resumed. No match is resumed: connected players have seen its cards.
    #[error("it was resumed after an interruption, and a match must not be")]
    Resumed,
}

/// Replays the journal of a match, with the house bots asked again, and returns its result.
pub fn prove(plan: &MatchPlan, journal: &Path) -> Result<PlayedMatch, ProofError> {
    let header = plan.header()?;
    let reader = Reader::new(BufReader::with_capacity(1 << 16, casino_system::files::open(journal)?))
        .map_err(ReplayError::Read)?;
    if *reader.header() != header {
        return Err(ProofError::OtherMatch(plan.name.clone()));
    }
    let seating = plan.seating()?;
    let mut sums = ReplayTotals::new(plan, &seating);
    let mut replay = Replay::new(reader, HouseBots::Recomputed)?;
    while let Some(part) = replay.next(&mut sums)? {
        if let Segment::Resumed { .. } = part {
            return Err(ProofError::Resumed);
        }
    }
    if !replay.is_finished() || replay.tail() != Tail::Whole {
        return Err(ProofError::Unfinished);
    }
    let results = sums.results();
    let (journal_sha256, journal_bytes) = digest(journal)?;
    let rounds = replay.event().rounds_played();
    Ok(PlayedMatch { results, fouls: sums.fouls, rounds, journal_sha256, journal_bytes })
}

/// The sums of a replayed journal.
struct ReplayTotals<'a> {
    plan: &'a MatchPlan,
    /// The seat of the plan of each player of the event.
    seating: &'a [usize],
    /// By seat of the plan.
    results: Vec<SeatResult>,
    /// By deck: the chips that it has brought so far, by seat.
    decks: Vec<Vec<i64>>,
    rounds: u64,
    fouls: Vec<MatchFoul>,
}

impl<'a> ReplayTotals<'a> {
    fn new(plan: &'a MatchPlan, seating: &'a [usize]) -> ReplayTotals<'a> {
        let seats = plan.seats.len();
        ReplayTotals {
            plan,
            seating,
            results: vec![SeatResult::default(); seats],
            decks: Vec::new(),
            rounds: 0,
            fouls: Vec::new(),
        }
    }

    fn round_over(&mut self, game: &TableGame) {
        let at = (self.rounds % self.plan.decks()) as usize;
        if at == self.decks.len() {
            self.decks.push(vec![0; self.results.len()]);
        }
        let deck = &mut self.decks[at];
        let stack = i64::from(self.plan.terms.stack);
        for (player, chips) in game.players().iter().zip(game.table().stacks()) {
            let seat = self.seating[*player];
            let won = i64::from(*chips) - stack;
            self.results[seat].chips += won;
            self.results[seat].rounds += 1;
            deck[seat] += won;
        }
        // A player that leaves loses the chips it put into the pot, and not the stack that leaves play with it.
        for event in game.table().events() {
            if let TableEvent::Left { seat, forfeited } = *event {
                let seat = self.seating[game.players()[seat.index()]];
                self.results[seat].chips += i64::from(forfeited);
                deck[seat] += i64::from(forfeited);
            }
        }
        self.rounds += 1;
    }

    fn results(&mut self) -> Vec<SeatResult> {
        for deck in &self.decks {
            for (result, chips) in self.results.iter_mut().zip(deck) {
                result.decks += 1;
                result.squares += chips * chips;
            }
        }
        std::mem::take(&mut self.results)
    }
}

impl Observer for ReplayTotals<'_> {
    fn event(&mut self, game: &TableGame, event: &TableEvent) {
        match *event {
            TableEvent::Fouled { seat } => {
                let Some(foul) = game.table().foul_of(seat) else { return };
                let player = game.players()[seat.index()];
                self.fouls.push(MatchFoul {
                    seat: self.seating[player],
                    round: game.table().round_number(),
                    name: foul.name().to_string(),
                    why: format!("It {foul}"),
                });
            }
            TableEvent::Ended => self.round_over(game),
            _ => {}
        }
    }
}

/// The SHA-256 of a file, and its bytes.
pub(crate) fn digest(path: &Path) -> io::Result<(String, u64)> {
    let mut file = File::open(path)?;
    let (mut digest, mut bytes, mut chunk) = (Sha256::new(), 0, vec![0; 1 << 16]);
    loop {
        let read = file.read(&mut chunk)?;
        if read == 0 {
            return Ok((hex(digest.finalize()), bytes));
        }
        digest.update(&chunk[..read]);
        bytes += read as u64;
    }
}
