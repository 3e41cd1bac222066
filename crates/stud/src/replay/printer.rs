//! A recorded tournament printed: which rounds, and in which form.

use std::collections::BTreeMap;
use std::io::BufRead;

use serde::Serialize;

use crate::journal::Header;
use crate::protocol::done_text;
use crate::stud::{Chips, Seat};
use crate::table::{Answer, Notice, TableEvent};
use crate::tournament::{Standing, TableGame};

use super::{Observer, Paint, PlayerView, Replay, RoundSummary, SummaryBuilder, WireMessage, names};

/// The rounds that are printed, all that nothing speaks against, and the form.
#[derive(Clone, Copy, Debug, Default)]
pub struct RoundSelection {
    /// Only the round of this number, from 1.
    pub round: Option<u64>,
    /// Only rounds at the table of this number, from 1.
    pub table: Option<u32>,
    /// Only rounds this player, from 0, was dealt in.
    pub player: Option<usize>,
    /// Whether only this player's messages and replies are printed.
    pub hide: bool,
    /// Whether all is printed as one JSON object, and not as text for people.
    pub json: bool,
}

impl RoundSelection {
    fn has(&self, round: &RoundSummary) -> bool {
        let RoundSummary { round: number, players, .. } = round;
        self.round.is_none_or(|wanted| wanted == *number)
            && self.table.is_none_or(|wanted| wanted == round.table_number())
            && self.player.is_none_or(|wanted| players.iter().any(|player| player.player == wanted))
    }
}

/// The object that is printed as JSON.
#[derive(Debug, Serialize)]
struct ReplayObject {
    players: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    rounds: Vec<RoundSummary>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    seen: Vec<SeenRound>,
    finished: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    standings: Vec<FinalPlace>,
}

/// One player's view of a round.
#[derive(Debug, Serialize)]
struct SeenRound {
    round: u64,
    messages: Vec<WireMessage>,
}

/// The place of a player at the end of the journal.
#[derive(Debug, Serialize)]
struct FinalPlace {
    /// `None` for a house bot that has none among others.
    place: Option<usize>,
    name: String,
    chips: Chips,
    left_in_round: Option<u64>,
    why: Option<String>,
}

/// Prints the rounds of a journal while it is played again, as its observer.
#[derive(Debug)]
pub struct RoundPrinter {
    builder: SummaryBuilder,
    view: Option<PlayerView>,
    names: Vec<String>,
    selection: RoundSelection,
    paint: Paint,
    printed: u64,
    rounds: Vec<RoundSummary>,
    seen: Vec<SeenRound>,
    notes: BTreeMap<(u32, u64), TurnNotes>,
}

/// Remarks on the bets and folds of a round, by their 0-based number, counting only those of players who were asked.
pub type TurnNotes = BTreeMap<usize, String>;

impl RoundPrinter {
    /// A printer for the journal with this header.
    pub fn new(header: &Header, selection: RoundSelection, paint: Paint) -> RoundPrinter {
        let names = names(header);
        RoundPrinter {
            builder: SummaryBuilder::new(header),
            view: selection.player.filter(|_| selection.hide).map(PlayerView::new),
            selection,
            paint,
            names,
            printed: 0,
            rounds: Vec::new(),
            seen: Vec::new(),
            notes: BTreeMap::new(),
        }
    }

    /// The same printer, with these remarks in its text, by table and round.
    #[must_use]
    pub fn with_notes(self, notes: BTreeMap<(u32, u64), TurnNotes>) -> RoundPrinter {
        RoundPrinter { notes, ..self }
    }

    /// How many rounds that were wanted have come.
    pub fn printed(&self) -> u64 {
        self.printed
    }

    /// The text of the round that was played last; `None` if it was not wanted.
    pub fn round(&mut self) -> Option<String> {
        let round = self.builder.round();
        if !self.selection.has(round) {
            return None;
        }
        self.printed += 1;
        let number = round.round;
        let text = match (self.selection.json, &self.view) {
            (true, Some(view)) => {
                self.seen.push(SeenRound { round: number, messages: view.messages().to_vec() });
                String::new()
            }
            (true, None) => {
                self.rounds.push(round.clone());
                String::new()
            }
            (false, Some(view)) => self.paint.messages(number, view.messages()),
            (false, None) => {
                let notes = self.notes.get(&(round.table_number(), number));
                self.paint.round(round, notes.unwrap_or(&TurnNotes::new()))
            }
        };
        Some(text)
    }

    /// The text after the last round.
    pub fn end<R: BufRead>(self, replay: &Replay<R>) -> Result<String, serde_json::Error> {
        let hidden = self.selection.player.filter(|_| self.selection.hide);
        if self.selection.json {
            let (players, standings) = match hidden {
                Some(player) => (vec![self.names[player].clone()], Vec::new()),
                None => (self.names.clone(), self.final_places(replay)),
            };
            let RoundPrinter { rounds, seen, .. } = self;
            let finished = replay.is_finished();
            let object = ReplayObject { players, rounds, seen, finished, standings };
            return Ok(serde_json::to_string(&object)? + "\n");
        }
        Ok(match (self.selection.round, hidden) {
            (Some(_), _) => String::new(),
            (None, Some(player)) => last_message(replay, player),
            (None, None) => final_table(replay, &self.final_places(replay)),
        })
    }

    fn final_places<R: BufRead>(&self, replay: &Replay<R>) -> Vec<FinalPlace> {
        let place = |standing: &Standing| FinalPlace {
            place: standing.place,
            name: self.names[standing.player].clone(),
            chips: standing.chips,
            left_in_round: standing.exit.as_ref().map(|exit| exit.round),
            why: standing.exit.as_ref().map(|exit| exit.why.to_string()),
        };
        replay.event().standings().places().iter().map(place).collect()
    }
}

impl Observer for RoundPrinter {
    fn answered(&mut self, game: &TableGame, seat: Seat, answer: &Answer) {
        if let Some(view) = &mut self.view {
            view.answered(game, seat, answer);
        }
    }

    fn event(&mut self, game: &TableGame, event: &TableEvent) {
        self.builder.event(game, event);
        if let Some(view) = &mut self.view {
            view.event(game, event);
        }
    }

    fn notice(&mut self, game: &TableGame, seat: Seat, notice: &Notice) {
        if let Some(view) = &mut self.view {
            view.notice(game, seat, notice);
        }
    }
}

/// The `done` of a player who was in until the end.
fn last_message<R: BufRead>(replay: &Replay<R>, player: usize) -> String {
    if !replay.is_finished() {
        return String::new();
    }
    let exit_reasons = replay.event().exit_reasons();
    let exit_reason = exit_reasons.iter().find(|(other, _)| *other == player);
    exit_reason.map_or(String::new(), |(_, why)| {
        format!("  < {}\n", done_text(&why.last_word(replay.event().forgiven(player))))
    })
}

/// The places of all players for people.
fn final_table<R: BufRead>(replay: &Replay<R>, places: &[FinalPlace]) -> String {
    let rounds = replay.event().rounds_played();
    let mut text = match replay.is_finished() {
        true => format!("After {rounds} rounds:\n"),
        false => format!("The journal ends in or after round {rounds}; the tournament is not over:\n"),
    };
    let standings = replay.event().standings();
    let placing = replay.event().placing();
    let listed = standings.places().iter().zip(places);
    let listed = listed.map(|(standing, place)| (standing, placing.marked(standing.player, &place.name)));
    let listed: Vec<(&Standing, String)> = listed.collect();
    let width = listed.iter().map(|(_, name)| name.chars().count()).max().unwrap_or(0);
    for (standing, name) in listed {
        let (place, chips) = (standing.place_in_words(), standing.chips);
        let left = standing.exit.as_ref().map(|exit| format!("  left in round {}", exit.round));
        let left = left.unwrap_or_default();
        text.push_str(&format!("{place} {name:<width$} {chips:>8}{left}\n"));
    }
    text
}
