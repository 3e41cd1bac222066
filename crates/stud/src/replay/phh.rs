//! Rounds in the open poker hand history format (PHH), which is TOML.
//!
//! The format has a code for each variant of poker it knows, and this is none of them. The code here is our own,
//! so other programs can parse these files and not replay them.

use std::fmt::Write;

use crate::cards::{Card, Notation};
use crate::stud::{Chips, Rules, Seat, Street};

use super::{DealtPlayer, PublicEvent, RoundSummary};

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
        field("winnings", stacks(&mut players.iter().map(|player| won(round, player))));
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

fn won(round: &RoundSummary, player: &DealtPlayer) -> Chips {
    let chips = |event: &PublicEvent| match event {
        PublicEvent::Won { seat, chips, .. } if seat.index() + 1 == player.seat => *chips,
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
    let actor = |seat: usize| {
        let at = round.players.iter().position(|player| player.seat == seat);
        format!("p{}", at.map_or(0, |at| at + 1))
    };
    let does = |seat: &Seat, what: &str| format!("{} {what}", actor(seat.index() + 1));
    let mut actions = Vec::new();
    for player in &round.players {
        actions.push(format!("d dh {} {}", actor(player.seat), cards(&[player.hole, player.up])));
    }
    let mut in_at_the_end: Vec<usize> = round.players.iter().map(|player| player.seat).collect();
    for (event, note) in round.noted_events() {
        if let PublicEvent::Fold { seat, .. }
        | PublicEvent::ForcedFold(seat)
        | PublicEvent::Foul { seat, was_in: true, .. } = event
        {
            in_at_the_end.retain(|other| *other != seat.index() + 1);
        }
        let foul = note.map_or("", |note| note.name);
        actions.push(match event {
            PublicEvent::Opened { street: Street::Second, .. } => {
                for player in &round.players {
                    if let Some(second) = player.second {
                        actions.push(format!("d dh {} {}", actor(player.seat), cards(&[second])));
                    }
                }
                continue;
            }
            PublicEvent::Dealt(_)
            | PublicEvent::Opened { .. }
            | PublicEvent::Won { .. }
            | PublicEvent::Ended(_) => continue,
            PublicEvent::Bet { seat, to_call, chips, .. } if to_call == chips => does(seat, "cc"),
            PublicEvent::Bet { seat, put_in, .. } => does(seat, &format!("cbr {put_in}")),
            PublicEvent::Fold { seat, .. } => does(seat, "f"),
            PublicEvent::StaysIn(seat) => does(seat, "cc # has no chips"),
            PublicEvent::ForcedFold(seat) => does(seat, "f # cannot call"),
            PublicEvent::Foul { seat, was_in: true, .. } => does(seat, &format!("f # {foul}")),
            PublicEvent::Foul { seat, .. } => format!("# {}: {foul}", round.name_at(*seat)),
            PublicEvent::Left { seat, forfeited: 0, .. } => format!("# {} leaves", round.name_at(*seat)),
            PublicEvent::Left { seat, forfeited, .. } => {
                format!("# {} leaves, {forfeited} forfeited", round.name_at(*seat))
            }
        });
    }
    // Hands are compared, and so shown, only when more than one is left.
    if round.finished && in_at_the_end.len() > 1 {
        for player in round.players.iter().filter(|player| in_at_the_end.contains(&player.seat)) {
            actions.push(format!("{} sm {}", actor(player.seat), cards(&player.cards())));
        }
    }
    actions
}
