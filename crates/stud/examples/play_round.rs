//! Plays one round of three-card stud between three house bots and prints its events.
//!
//!     cargo run --example play_round

#![allow(clippy::print_stdout)]

use casino_stud::cards::{Seed, notation};
use casino_stud::strategies::{Bot, HouseBot, HousePlayer};
use casino_stud::table::{Notice, Step, Table, TableEvent, TableSettings};

fn main() {
    let seed = Seed::chosen("play_round");
    let house = |name: &str| -> HousePlayer {
        HouseBot::named(name).expect("this house bot exists").player(seed.stream(name))
    };
    let mut bots = [house("cautious"), house("bold"), house("odds")];

    let mut table = Table::new(TableSettings::default(), &[500; 3]);
    let deck = seed.shuffler(1).deck(1, table.cards_needed()).clone();
    table.deal(1, &deck);
    loop {
        match table.step() {
            Step::Ask(seat) => {
                let reply = bots[seat.index()].decide(&table.question(seat));
                table.answer(Ok(reply));
            }
            Step::Tell(seat, Notice::Status(status)) => bots[seat.index()].hear(&status),
            Step::Tell(seat, Notice::Done) => println!("Seat {seat} leaves the table."),
            Step::Over => break,
        }
    }

    for event in table.events() {
        match *event {
            TableEvent::Dealt { seats } => {
                for seat in seats {
                    println!("Seat {seat} has {}.", notation::list(&table.round().hand(seat)));
                }
            }
            TableEvent::Opened { opener, .. } => println!("Seat {opener} opens."),
            TableEvent::Acted { seat, action } => println!("Seat {seat}: {action}"),
            TableEvent::Won { seat, chips, .. } => println!("Seat {seat} wins {chips} chips."),
            _ => {}
        }
    }
    println!("Stacks: {:?}", table.stacks());
}
