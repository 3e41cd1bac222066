//! Rounds of the program against house bots.

use std::time::Instant;

use crate::scenario::scripted_table::{SubjectAndOthers, SubjectProgress};
use casino_stud::cards::Seed;
use casino_stud::strategies::{Bot, HouseBot, HousePlayer};
use casino_stud::stud::{Chips, Seat};
use casino_stud::table::{Question, TableSettings, play_round};
use casino_stud::tournament::TableGame;

use super::CheckSettings;
use super::evidence::Evidence;
use super::exchange::ExchangeLine;
use super::rounds::ProgramSubject;
use super::wire::{Delivery, Wire};

const HOUSE_BOTS: [&str; 5] = ["odds", "bold", "reader", "caller", "random"];

const STACK: Chips = 500;

const ROUNDS_PER_GAME: u64 = 50;

/// Plays the rounds of the settings, the program in another seat each game. Returns a sentence about the result.
pub(super) fn play(wire: &mut Wire, settings: &CheckSettings, until: Instant) -> Result<String, Evidence> {
    let wanted = settings.rounds;
    // As the dealer does it.
    wire.delivery = Delivery::Joined;
    let mut played = 0;
    let mut won: i64 = 0;
    for game_number in 0.. {
        let seat = Seat::new(game_number % (HOUSE_BOTS.len() + 1));
        let seed = Seed::chosen(format!("{} {game_number}", settings.seed));
        let mut house: Vec<HousePlayer> = HOUSE_BOTS
            .iter()
            .filter_map(|name| HouseBot::named(name).map(|bot| bot.seated(name, &seed)))
            .collect();
        let mut game =
            TableGame::new(TableSettings::default(), &seed, house.len() + 1, STACK, ROUNDS_PER_GAME);
        while played < wanted && game.table().seated().contains(seat) && game.deal() {
            // Slow thinking is not a foul: the rounds played so far count.
            if played > 0 && Instant::now() > until {
                wire.deliver();
                return Ok(format!("no foul in {played} of {wanted} rounds, for which the time was enough"));
            }
            played += 1;
            wire.log.add(ExchangeLine::Note(format!("round {played} of {wanted}")));
            let others = |other: Seat, question: &Question<'_>, _: SubjectProgress| {
                house[other.index() - usize::from(other > seat)].decide(question)
            };
            let mut program = ProgramSubject::new(wire, true);
            play_round(&mut game, &mut SubjectAndOthers::new(seat, &mut program, others))?;
        }
        won += i64::from(game.table().stacks()[seat.index()]) - i64::from(STACK);
        if played == wanted {
            break;
        }
    }
    wire.deliver();
    let note = format!("{won:+} chips in {played} rounds");
    let (answers, folds) = (wire.replies.answers, wire.replies.folds);
    Ok(if answers > 0 && folds == answers {
        format!("{note}; it folded every time it was asked")
    } else {
        note
    })
}
