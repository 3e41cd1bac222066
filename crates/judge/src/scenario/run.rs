//! The outcome of a scenario, played in memory or over TCP.

use std::io;

use casino_stud::stud::{Chips, Half, Seat, Street};
use casino_stud::table::{ExitReason, TableEvent};
use casino_stud::tournament::{Entrant, Event, EventPlan, Roster, TableGame, TableRecorder};

use super::expect::half_word;
use super::file::Scenario;
use super::scripted_table::ScriptedTable;

/// A line of the transcript of a player's connection.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TranscriptLine {
    /// A command to the player.
    ToPlayer(String),
    /// A message or other action of the player, as text.
    FromPlayer(String),
}

/// Everything that happened. Players are numbered as in the file, from 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScenarioRun {
    /// The transcript of each player's connection; empty for house bots.
    pub transcripts: Vec<Vec<TranscriptLine>>,
    /// The transcript of each visitor's connection.
    pub visitors: Vec<Vec<TranscriptLine>>,
    /// The events at the table, as text.
    pub events: Vec<String>,
    /// The names everyone sees.
    pub names: Vec<String>,
    /// The players in seat order.
    pub(super) seating: Vec<usize>,
    /// The players in the order of their turns.
    pub(super) turns: Vec<usize>,
    /// The rounds that were run.
    pub rounds: Vec<PlayedRound>,
    /// The fouls in order.
    pub fouls: Vec<PlayedFoul>,
    /// Places and players, best first.
    pub(super) standings: Vec<(usize, usize)>,
    /// Chips that left play.
    pub(super) forfeited: Chips,
    /// Players and the questions for which their scripts had no reply left. They folded.
    pub(super) unscripted: Vec<(usize, String)>,
    /// How many entries of each script were not used.
    pub(super) left_over: Vec<usize>,
    /// Whether the clock had to be advanced because every task waited for another.
    pub(super) stuck: bool,
}

/// A round that was run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlayedRound {
    pub(super) dealt_in: Vec<usize>,
    /// Player, part of the pot, and chips.
    pub payouts: Vec<(usize, Half, Chips)>,
    /// The stacks after the round, player by player, in chips.
    pub stacks: Vec<Chips>,
}

/// A foul that was committed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedFoul {
    pub(super) player: usize,
    /// The short name of its kind.
    pub kind: &'static str,
    pub(super) why: String,
}

/// Records the events at the table, by player instead of by seat.
#[derive(Debug)]
pub(super) struct RunRecorder {
    pub(super) run: ScenarioRun,
    names: Vec<String>,
}

impl RunRecorder {
    /// A recorder for the players of a scenario, with their seats.
    pub(super) fn new(scenario: &Scenario) -> RunRecorder {
        let entrants: Vec<Entrant> = scenario.players.iter().map(|player| player.entrant()).collect();
        let roster = Roster::new(&entrants, &scenario.settings.seed);
        let players = scenario.players.len();
        let mut shown = vec![String::new(); players];
        for (player, seated) in roster.entrants().iter().zip(roster.players()) {
            shown[*player].clone_from(&seated.name);
        }
        let seating =
            if scenario.settings.drawn { roster.entrants().to_vec() } else { (0..players).collect() };
        let run = ScenarioRun {
            transcripts: vec![Vec::new(); players],
            names: shown,
            seating,
            left_over: vec![0; players],
            ..ScenarioRun::default()
        };
        RunRecorder { run, names: scenario.players.iter().map(|player| player.name.clone()).collect() }
    }

    /// The event of the scenario: a single table, at which everyone has its own stack and the cards are placed.
    pub(super) fn event_of(&self, scenario: &Scenario) -> Event {
        let settings = &scenario.settings;
        let seat_of = |player: usize| {
            let seat = self.run.seating.iter().position(|other| *other == player);
            Seat::new(seat.expect("everyone sits somewhere"))
        };
        let stacks = self.run.seating.iter().map(|player| scenario.players[*player].stack);
        let table = ScriptedTable {
            settings: settings.conduct,
            seed: settings.seed.clone(),
            rounds: settings.rounds,
            stacks: stacks.collect(),
            cards: scenario.cards.iter().map(|card| card.at(seat_of(card.player))).collect(),
        };
        let (players, rounds) = (scenario.players.len(), Some(settings.rounds));
        let mut event =
            Event::new(EventPlan::single_table(), settings.conduct, &settings.seed, players, 1, rounds);
        event.next_level();
        event.tables_mut()[0] = table.game();
        event
    }

    pub(super) fn player(&self, seat: Seat) -> usize {
        self.run.seating[seat.index()]
    }

    fn name(&self, seat: Seat) -> &str {
        &self.names[self.player(seat)]
    }

    pub(super) fn finish(&mut self, tournament: &TableGame) {
        self.run.forfeited = tournament.table().forfeited();
        let places = tournament.standings();
        let place = |standing: &casino_stud::tournament::Standing| {
            let place = standing.place.expect("everybody at the table of a scenario has a place");
            (place, self.run.seating[standing.player])
        };
        self.run.standings = places.places().iter().map(place).collect();
    }
}

impl TableRecorder for RunRecorder {
    fn event(&mut self, tournament: &TableGame, event: &TableEvent) -> io::Result<()> {
        let table = tournament.table();
        let text = match *event {
            TableEvent::Dealt { seats } => {
                let dealt_in = seats.into_iter().map(|seat| self.player(seat)).collect();
                self.run.rounds.push(PlayedRound { dealt_in, ..PlayedRound::default() });
                let names: Vec<&str> = seats.into_iter().map(|seat| self.name(seat)).collect();
                format!("round {}: {}", table.round_number(), names.join(", "))
            }
            TableEvent::Opened { street, opener } => {
                let street = if street == Street::First { 1 } else { 2 };
                format!("bet{street}: {} opens", self.name(opener))
            }
            TableEvent::Acted { seat, action } => {
                let player = self.player(seat);
                self.run.turns.push(player);
                format!("{} {action}", self.name(seat))
            }
            TableEvent::Passed { seat } => format!("{} has no chips and stays in", self.name(seat)),
            TableEvent::ForcedFold { seat } => format!("{} cannot call and is folded", self.name(seat)),
            TableEvent::Fouled { seat } => {
                let player = self.player(seat);
                let foul = table.foul_of(seat).expect("a foul was kept when it happened");
                if foul.allowed().is_some() {
                    self.run.turns.push(player);
                }
                self.run.fouls.push(PlayedFoul { player, kind: foul.name(), why: foul.to_string() });
                format!("{} fouls: {}", self.name(seat), foul.name())
            }
            TableEvent::Won { seat, half, chips } => {
                let payout = (self.player(seat), half, chips);
                if let Some(round) = self.run.rounds.last_mut() {
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
                for (player, chips) in self.run.seating.iter().zip(table.stacks()) {
                    stacks[*player] = *chips;
                }
                if let Some(round) = self.run.rounds.last_mut() {
                    round.stacks = stacks;
                }
                format!("round {} ends", table.round_number())
            }
        };
        self.run.events.push(text);
        // A foul or a departure after the payout changes a stack once more.
        if let (TableEvent::Left { seat, .. }, Some(round)) = (event, self.run.rounds.last_mut()) {
            let player = self.run.seating[seat.index()];
            if let Some(chips) = round.stacks.get_mut(player) {
                *chips = table.stacks()[seat.index()];
            }
        }
        Ok(())
    }
}
