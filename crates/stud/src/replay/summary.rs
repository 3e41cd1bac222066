//! A recorded round in full.

use std::collections::BTreeMap;

use crate::cards::Card;
use crate::journal::{Header, HeaderPlayer, PlayerSource};
use crate::strategies::HouseBot;
use crate::stud::{Chips, Seat};
use crate::table::TableEvent;
use crate::tournament::{TableGame, harmless};

use super::{Observer, PublicDeal, PublicEvent, PublicRound, RoundEnd};

/// A replayed round in full: the cards of all players, the events, the final stacks. Names are the public ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RoundSummary {
    /// The number of the table, from 1; `None` where there is never another one.
    pub table: Option<u32>,
    /// The number of the round, from 1.
    pub round: u64,
    /// The players dealt in, in seat order.
    pub players: Vec<DealtPlayer>,
    /// All events in order, in public form.
    pub events: Vec<PublicEvent>,
    /// Private messages to players, by the index of the event in `events`.
    pub notes: BTreeMap<usize, PrivateNote>,
    /// All that was in the pot, in chips.
    pub pot: Chips,
    /// The winning hand as announced.
    pub shown: Vec<Card>,
    /// The winning hand in words, if it was a whole one.
    pub hand: Option<String>,
    /// The stacks at the end, in chips, in the order of `players`.
    pub stacks: Vec<Chips>,
}

/// A player who was dealt in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DealtPlayer {
    /// The player of the tournament, from 0.
    pub player: usize,
    /// The seat, from 1.
    pub seat: usize,
    /// The name everyone sees.
    pub name: String,
    /// The stack before the ante, in chips.
    pub stack: Chips,
    /// The hole card of the player.
    pub hole: Card,
    /// The first up card.
    pub up: Card,
    /// The second up card, if it was dealt.
    pub second: Option<Card>,
}

impl DealtPlayer {
    /// The cards that were dealt, hole card first: two or three.
    pub fn cards(&self) -> Vec<Card> {
        [Some(self.hole), Some(self.up), self.second].into_iter().flatten().collect()
    }
}

/// The private part of a foul or an exit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrivateNote {
    /// The short name of the foul or of the reason for the exit.
    pub name: &'static str,
    /// The sentence sent to the player.
    pub why: String,
    /// The remedy, if the player committed a foul.
    pub fix: &'static str,
}

/// The names of a journal's players as they may be shown, in the order of the header: a journal may come from
/// anywhere.
pub fn names(header: &Header) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for player in &header.players {
        let seat = || format!("Seat {}", player.seat);
        names.push(harmless(&player.name).filter(|name| !names.contains(name)).unwrap_or_else(seat));
    }
    names
}

/// The house bot that each player is, in the order of [`names`]; `None` for programs and people.
pub fn house_bots(header: &Header) -> Vec<Option<&'static HouseBot>> {
    let of_player = |player: &HeaderPlayer| match &player.plays {
        PlayerSource::House(name) => HouseBot::named(name),
        PlayerSource::Program { .. } | PlayerSource::Remote | PlayerSource::Person => None,
    };
    header.players.iter().map(of_player).collect()
}

impl RoundSummary {
    /// The number of the table, from 1.
    pub fn table_number(&self) -> u32 {
        self.table.unwrap_or(1)
    }

    /// The player in this seat, if dealt in.
    pub fn player_at(&self, seat: Seat) -> Option<&DealtPlayer> {
        self.players.iter().find(|player| player.seat == seat.index() + 1)
    }

    /// The name of the player in this seat; empty if the seat was not dealt in.
    pub fn name_at(&self, seat: Seat) -> &str {
        self.player_at(seat).map_or("", |player| &player.name)
    }

    /// The players dealt in and their stacks at the end of the round, in chips.
    pub fn final_stacks(&self) -> impl Iterator<Item = (&DealtPlayer, Chips)> {
        self.players.iter().zip(self.stacks.iter().copied())
    }

    /// The end of the round, once it has come to it.
    pub fn end(&self) -> Option<&RoundEnd> {
        RoundEnd::of(&self.events)
    }

    /// All events, with the private messages to players.
    pub fn noted_events(&self) -> impl Iterator<Item = (&PublicEvent, Option<&PrivateNote>)> {
        self.events.iter().enumerate().map(|(at, event)| (event, self.notes.get(&at)))
    }
}

/// Builds the summary of each round while a journal is played again.
#[derive(Clone, Debug)]
pub struct SummaryBuilder {
    names: Vec<String>,
    numbers_tables: bool,
    events: PublicRound,
    round: RoundSummary,
}

impl SummaryBuilder {
    /// A builder for the players of this header.
    pub fn new(header: &Header) -> SummaryBuilder {
        SummaryBuilder::named(names(header), header.terms.plan.numbers_tables())
    }

    /// A builder for players with these names; the tables of an event are numbered if there are several.
    pub fn named(names: Vec<String>, numbers_tables: bool) -> SummaryBuilder {
        SummaryBuilder {
            names,
            numbers_tables,
            events: PublicRound::default(),
            round: RoundSummary::default(),
        }
    }

    /// The round that was played last.
    pub fn round(&self) -> &RoundSummary {
        &self.round
    }

    fn begin(&self, game: &TableGame, deal: &PublicDeal) -> RoundSummary {
        let dealt = |seat: &super::DealtSeat| DealtPlayer {
            player: seat.player,
            seat: seat.seat.index() + 1,
            name: self.names[seat.player].clone(),
            stack: seat.stack,
            hole: game.table().round().hole(seat.seat),
            up: seat.up,
            second: None,
        };
        RoundSummary {
            table: self.numbers_tables.then_some(deal.table),
            round: deal.round,
            players: deal.seats.iter().map(dealt).collect(),
            pot: deal.pot(),
            ..RoundSummary::default()
        }
    }

    /// Stores the private part of an event.
    fn note(&mut self, game: &TableGame, event: &PublicEvent) {
        let table = game.table();
        let at = self.round.events.len();
        match event {
            PublicEvent::Dealt(deal) => self.round = self.begin(game, deal),
            PublicEvent::Opened { up, .. } => {
                for player in &mut self.round.players {
                    let card = up.iter().find(|(seat, _)| seat.index() + 1 == player.seat);
                    player.second = card.map(|(_, card)| *card);
                }
            }
            PublicEvent::Bet { pot, .. } => self.round.pot = *pot,
            PublicEvent::Foul { seat, .. } => {
                let foul = table.foul_of(*seat).expect("a foul was kept when it happened");
                let note = PrivateNote { name: foul.name(), why: foul.to_string(), fix: foul.remedy() };
                self.round.notes.insert(at, note);
            }
            PublicEvent::Left { seat, .. } => {
                let exit = table.exit_reason(*seat).expect("a player who leaves is told why");
                let note = PrivateNote { name: exit.name(), why: exit.to_string(), fix: "" };
                self.round.notes.insert(at, note);
                if self.round.end().is_some() {
                    self.note_stacks(game);
                }
            }
            PublicEvent::Ended(end) => {
                self.round.shown.clone_from(&end.hand);
                self.round.hand = end.strength.map(|strength| strength.to_string());
                self.note_stacks(game);
            }
            PublicEvent::Fold { .. }
            | PublicEvent::StaysIn(_)
            | PublicEvent::ForcedFold(_)
            | PublicEvent::Won { .. } => {}
        }
    }

    fn note_stacks(&mut self, game: &TableGame) {
        let stacks = game.table().stacks();
        self.round.stacks = self.round.players.iter().map(|player| stacks[player.seat - 1]).collect();
    }
}

impl Observer for SummaryBuilder {
    fn event(&mut self, game: &TableGame, event: &TableEvent) {
        let event = self.events.push(game, event);
        self.note(game, &event);
        self.round.events.push(event);
    }
}
