//! Rounds in the open poker hand history format (PHH), which is TOML.
//!
//! The format has a code for each variant of poker it knows, and this is none of them. The code here is our own,
//! so other programs can parse these files and not replay them.

use std::fmt::Write;

use crate::cards::{Card, Notation};
use crate::stud::{Chips, Rules};

use super::{RoundEvent, RoundSummary};

const VARIANT: &str = "3CS-HS";

/// A round as a table of a `.phhs` file, a file of several hands: the `number`th of them, from 1.
pub fn phh(number: u64, round: &RoundSummary, rules: &Rules) -> String {
    let mut text = String::new();
    let mut field = |name: &str, value: String| {
        // Writing to a text does not fail.
        let _ = writeln!(text, "{name} = {value}");
    };
    let stacks = |stacks: &mut dyn Iterator<Item = Chips>| list(stacks.map(|chips| chips.to_string()));
    let players = &round.players;
    field("variant", quoted(VARIANT));
    field("antes", list(players.iter().map(|_| rules.ante.to_string())));
    field("min_bet", "1".to_string());
    field("starting_stacks", stacks(&mut players.iter().map(|player| player.stack)));
    field("actions", format!("[\n{}]", actions(round).iter().map(|action| line(action)).collect::<String>()));
    field("hand", round.round.to_string());
    if let Some(table) = round.table {
        field("table", quoted(&table.to_string()));
    }
    field("seats", list(players.iter().map(|player| player.seat.to_string())));
    field("players", list(players.iter().map(|player| quoted(&player.name))));
    if round.finished {
        field("finishing_stacks", stacks(&mut round.stacks.iter().copied()));
        field("winnings", stacks(&mut players.iter().map(|player| won(round, &player.name))));
    }
    field("_variant", quoted("three-card stud, half the pot to the highest spade in the hole"));
    field("_raise_cap", rules.raise_cap.to_string());
    format!("[{number}]\n{text}")
}

fn line(action: &str) -> String {
    format!("  {},\n", quoted(action))
}

fn list(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.collect::<Vec<_>>().join(", "))
}

fn won(round: &RoundSummary, name: &str) -> Chips {
    let chips = |event: &RoundEvent| match event {
        RoundEvent::Wins { player, chips, .. } if player == name => *chips,
        _ => 0,
    };
    round.events.iter().map(chips).sum()
}

/// A basic string of TOML, which escapes what JSON escapes.
fn quoted(text: &str) -> String {
    let escape = |c: char| match c {
        '"' | '\\' => format!("\\{c}"),
        c if c.is_control() => format!("\\u{:04X}", u32::from(c)),
        c => c.to_string(),
    };
    format!("\"{}\"", text.chars().map(escape).collect::<String>())
}

fn cards(cards: &[Card]) -> String {
    let short = |card: &Card| {
        let text = Notation::Short.write(*card);
        let (rank, suit) = text.split_at(1);
        format!("{rank}{}", suit.to_lowercase())
    };
    cards.iter().map(short).collect()
}

fn actions(round: &RoundSummary) -> Vec<String> {
    let actor = |name: &str| {
        let at = round.players.iter().position(|player| player.name == name);
        format!("p{}", at.map_or(0, |at| at + 1))
    };
    let mut actions = Vec::new();
    for player in &round.players {
        actions.push(format!("d dh {} {}", actor(&player.name), cards(&[player.hole, player.up])));
    }
    let mut in_at_the_end: Vec<&str> = round.players.iter().map(|player| player.name.as_str()).collect();
    let mut folds = |name: &str| in_at_the_end.retain(|other| *other != name);
    for event in &round.events {
        let action = match event {
            RoundEvent::Street { street: 2, .. } => {
                for player in &round.players {
                    if let Some(second) = player.second {
                        actions.push(format!("d dh {} {}", actor(&player.name), cards(&[second])));
                    }
                }
                continue;
            }
            RoundEvent::Street { .. } | RoundEvent::Wins { .. } => continue,
            RoundEvent::Bet { player, to_call, chips, .. } if to_call == chips => {
                format!("{} cc", actor(player))
            }
            RoundEvent::Bet { player, put_in, .. } => format!("{} cbr {put_in}", actor(player)),
            RoundEvent::Fold { player, .. } => {
                folds(player);
                format!("{} f", actor(player))
            }
            RoundEvent::StaysIn { player } => format!("{} cc # has no chips", actor(player)),
            RoundEvent::ForcedFold { player } => {
                folds(player);
                format!("{} f # cannot call", actor(player))
            }
            RoundEvent::Foul { player, foul, was_in: true, .. } => {
                folds(player);
                format!("{} f # {foul}", actor(player))
            }
            RoundEvent::Foul { player, foul, .. } => format!("# {player}: {foul}"),
            RoundEvent::Leaves { player, forfeited: 0, .. } => format!("# {player} leaves"),
            RoundEvent::Leaves { player, forfeited, .. } => {
                format!("# {player} leaves, {forfeited} forfeited")
            }
        };
        actions.push(action);
    }
    // Hands are compared, and so shown, only when more than one is left.
    if round.finished && in_at_the_end.len() > 1 {
        for player in round.players.iter().filter(|player| in_at_the_end.contains(&player.name.as_str())) {
            actions.push(format!("{} sm {}", actor(&player.name), cards(&player.cards())));
        }
    }
    actions
}
