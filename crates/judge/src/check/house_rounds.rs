//! Rounds of the program against house bots.

use std::time::Instant;

use crate::scenario::house_games::{HouseGameTerms, HouseGames};
use casino_stud::cards::Seed;

use super::CheckSettings;
use super::evidence::Evidence;
use super::exchange::ExchangeLine;
use super::rounds::ProgramSubject;
use super::wire::{Delivery, Wire};

const GAMES: HouseGameTerms =
    HouseGameTerms { bots: &["odds", "bold", "reader", "caller", "random"], stack: 500, rounds: 50 };

/// Plays the rounds of the settings, the program in another seat each game. Returns a sentence about the result.
pub(super) fn play(wire: &mut Wire, settings: &CheckSettings, until: Instant) -> Result<String, Evidence> {
    let wanted = settings.rounds;
    // A dealer sends a status and the question after it in one piece.
    wire.delivery = Delivery::Joined;
    let mut games = HouseGames::new(GAMES, |number| Seed::chosen(format!("{} {number}", settings.seed)));
    for played in 0..wanted {
        // Slow thinking is not a foul: the rounds played so far count.
        if played > 0 && Instant::now() > until {
            wire.deliver();
            return Ok(format!("no foul in {played} of {wanted} rounds, for which the time was enough"));
        }
        wire.log.add(ExchangeLine::Note(format!("round {} of {wanted}", played + 1)));
        games.play_round(&mut ProgramSubject::new(wire, true))?;
    }
    wire.deliver();
    let note = format!("{:+} chips in {wanted} rounds", games.won());
    let (answers, folds) = (wire.replies.answers, wire.replies.folds);
    Ok(if answers > 0 && folds == answers {
        format!("{note}; it folded every time it was asked")
    } else {
        note
    })
}
