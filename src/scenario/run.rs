//! What came of a scenario, whichever way it was played.

use std::io;

use crate::stud::{Chips, Half, Seat, Street};
use crate::table::{ExitReason, TableEvent};
use crate::tournament::{Entrant, Recorder, Roster, TableGame};

use super::expect::half_word;
use super::file::Scenario;
use super::scripted_table::ScriptedTable;

/// Something that went over a player's connection.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Spoken {
    /// What the player was told.
    Told(String),
    /// What the player said or did.
    Said(String),
}

/// Everything that happened. Two ways to play one scenario have to come to the same.
///
/// Players are numbered as in the file, from 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScenarioRun {
    /// What was said to and by each player, in order. House bots have no connection.
    pub lines: Vec<Vec<Spoken>>,
    /// The same of each visitor.
    pub visitors: Vec<Vec<Spoken>>,
    /// What happened at the table, a sentence each.
    pub events: Vec<String>,
    /// The names everyone sees.
    pub names: Vec<String>,
    /// Who sits where, in seat order.
    pub seating: Vec<usize>,
    /// Whose turn it was, in order.
    pub turns: Vec<usize>,
    /// The rounds that were played.
    pub rounds: Vec<PlayedRound>,
    /// The fouls in order.
    pub fouls: Vec<PlayedFoul>,
    /// Places and players, best first.
    pub standings: Vec<(usize, usize)>,
    /// Chips that left play.
    pub forfeited: Chips,
    /// What players were asked when they had no reply left. They fold.
    pub unscripted: Vec<(usize, String)>,
    /// How many acts of each script there was no occasion for.
    pub left_over: Vec<usize>,
    /// Whether the clock had to be let run, because everybody waited for somebody.
    pub stuck: bool,
}

/// A round that was played.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlayedRound {
    /// Who was dealt in.
    pub dealt_in: Vec<usize>,
    /// Who took what from the pot.
    pub payouts: Vec<(usize, Half, Chips)>,
    /// The stacks afterwards, player by player.
    pub stacks: Vec<Chips>,
}

/// A foul.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedFoul {
    /// Whose.
    pub player: usize,
    /// Its short name.
    pub kind: &'static str,
    /// The sentence.
    pub why: String,
}

/// Keeps what happens at the table, by player instead of by seat.
#[derive(Debug)]
pub(super) struct Notes {
    pub(super) played: ScenarioRun,
    names: Vec<String>,
}

impl Notes {
    /// Sits the players of a scenario down.
    pub(super) fn new(scenario: &Scenario) -> Notes {
        let entrants: Vec<Entrant> = scenario.players.iter().map(|player| player.entrant()).collect();
        let roster = Roster::new(&entrants, &scenario.settings.seed);
        let players = scenario.players.len();
        let mut shown = vec![String::new(); players];
        for (player, seated) in roster.entrants().iter().zip(roster.players()) {
            shown[*player].clone_from(&seated.name);
        }
        let seating =
            if scenario.settings.drawn { roster.entrants().to_vec() } else { (0..players).collect() };
        let played = ScenarioRun {
            lines: vec![Vec::new(); players],
            names: shown,
            seating,
            left_over: vec![0; players],
            ..ScenarioRun::default()
        };
        Notes { played, names: scenario.players.iter().map(|player| player.name.clone()).collect() }
    }

    /// The tournament, with the cards that matter where they matter.
    pub(super) fn tournament(&self, scenario: &Scenario) -> TableGame {
        let settings = &scenario.settings;
        let seat_of = |player: usize| {
            let seat = self.played.seating.iter().position(|other| *other == player);
            Seat::new(seat.expect("everyone sits somewhere"))
        };
        let stacks = self.played.seating.iter().map(|player| scenario.players[*player].stack);
        let table = ScriptedTable {
            settings: settings.conduct,
            seed: settings.seed.clone(),
            rounds: settings.rounds,
            stacks: stacks.collect(),
            cards: scenario.cards.iter().map(|card| card.at(seat_of(card.player))).collect(),
        };
        table.game()
    }

    /// Which player sits there.
    pub(super) fn player(&self, seat: Seat) -> usize {
        self.played.seating[seat.index()]
    }

    fn name(&self, seat: Seat) -> &str {
        &self.names[self.player(seat)]
    }

    /// What is known only at the end.
    pub(super) fn finish(&mut self, tournament: &TableGame) {
        self.played.forfeited = tournament.table().forfeited();
        let places = tournament.standings();
        let place =
            |standing: &crate::tournament::Standing| (standing.place, self.played.seating[standing.player]);
        self.played.standings = places.places().iter().map(place).collect();
    }
}

impl Recorder for Notes {
    fn event(&mut self, tournament: &TableGame, event: &TableEvent) -> io::Result<()> {
        let table = tournament.table();
        let text = match *event {
            TableEvent::Dealt { seats } => {
                let dealt_in = seats.into_iter().map(|seat| self.player(seat)).collect();
                self.played.rounds.push(PlayedRound { dealt_in, ..PlayedRound::default() });
                let names: Vec<&str> = seats.into_iter().map(|seat| self.name(seat)).collect();
                format!("round {}: {}", table.round_number(), names.join(", "))
            }
            TableEvent::Opened { street, opener } => {
                let street = if street == Street::First { 1 } else { 2 };
                format!("bet{street}: {} opens", self.name(opener))
            }
            TableEvent::Acted { seat, action } => {
                let player = self.player(seat);
                self.played.turns.push(player);
                format!("{} {action}", self.name(seat))
            }
            TableEvent::Passed { seat } => format!("{} has no chips and stays in", self.name(seat)),
            TableEvent::ForcedFold { seat } => format!("{} cannot call and is folded", self.name(seat)),
            TableEvent::Fouled { seat } => {
                let player = self.player(seat);
                let foul = table.foul_of(seat).expect("a foul was kept when it happened");
                if foul.allowed().is_some() {
                    self.played.turns.push(player);
                }
                self.played.fouls.push(PlayedFoul { player, kind: foul.name(), why: foul.to_string() });
                format!("{} fouls: {}", self.name(seat), foul.name())
            }
            TableEvent::Won { seat, half, chips } => {
                let payout = (self.player(seat), half, chips);
                if let Some(round) = self.played.rounds.last_mut() {
                    round.payouts.push(payout);
                }
                format!("{} wins {chips} ({})", self.name(seat), half_word(half))
            }
            TableEvent::Left { seat, forfeited } => {
                let why = table.exit_reason(seat).map_or("", ExitReason::name);
                format!("{} leaves, {why}: {forfeited} forfeited", self.name(seat))
            }
            TableEvent::Ended => {
                let mut stacks = vec![0; self.names.len()];
                for (player, chips) in self.played.seating.iter().zip(table.stacks()) {
                    stacks[*player] = *chips;
                }
                if let Some(round) = self.played.rounds.last_mut() {
                    round.stacks = stacks;
                }
                format!("round {} ends", table.round_number())
            }
        };
        self.played.events.push(text);
        // A foul or a departure after the payout changes a stack once more.
        if let (TableEvent::Left { seat, .. }, Some(round)) = (event, self.played.rounds.last_mut()) {
            let player = self.played.seating[seat.index()];
            if let Some(chips) = round.stacks.get_mut(player) {
                *chips = table.stacks()[seat.index()];
            }
        }
        Ok(())
    }

    fn commit(&mut self) -> io::Result<()> {
        Ok(())
    }
}
