//! A recorded tournament printed as text.

use std::collections::BTreeMap;
use std::io::BufRead;

use crate::journal::Header;
use crate::protocol::done_text;
use crate::shown::count;
use crate::stud::Seat;
use crate::table::{Answer, Notice, TableEvent};
use crate::tournament::{Standing, TableGame};

use super::fouls::{FoulSummary, fouls_of};
use super::{Observer, Paint, PlayerView, Replay, RoundSummary, SummaryBuilder, names};

/// The rounds that are printed: all that nothing speaks against.
#[derive(Clone, Copy, Debug, Default)]
pub struct RoundSelection {
    /// Only the round of this number, from 1.
    pub round: Option<u64>,
    /// Only rounds at the table of this number, from 1.
    pub table: Option<u32>,
    /// Only rounds this player, from 0, was dealt in.
    pub player: Option<usize>,
    /// Only rounds with a foul, of that player if there is one; after them a summary of the fouls instead of the places.
    pub fouls: bool,
    /// Whether only this player's messages and replies are printed.
    pub hide: bool,
}

impl RoundSelection {
    fn has(&self, round: &RoundSummary) -> bool {
        let RoundSummary { round: number, players, .. } = round;
        self.round.is_none_or(|wanted| wanted == *number)
            && self.table.is_none_or(|wanted| wanted == round.table_number())
            && self.player.is_none_or(|wanted| players.iter().any(|player| player.player == wanted))
    }

    /// Whether there is a foul in a round, of the wanted player.
    fn has_foul(&self, round: &RoundSummary) -> bool {
        fouls_of(round).any(|(player, _)| self.player.is_none_or(|wanted| wanted == player.player))
    }
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
    fouls: FoulSummary,
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
            fouls: FoulSummary::default(),
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
        self.fouls.add(round, self.selection.player);
        if self.selection.fouls && !self.selection.has_foul(round) {
            return None;
        }
        self.printed += 1;
        Some(match &self.view {
            Some(view) => self.paint.messages(round.round, view.messages()),
            None => {
                let notes = self.notes.get(&(round.table_number(), round.round));
                self.paint.round(round, notes.unwrap_or(&TurnNotes::new()))
            }
        })
    }

    /// The text after the last round.
    pub fn end<R: BufRead>(&self, replay: &Replay<R>) -> String {
        if self.selection.fouls {
            return self.fouls.text();
        }
        match (self.selection.round, self.selection.player.filter(|_| self.selection.hide)) {
            (Some(_), _) => String::new(),
            (None, Some(player)) => last_message(replay, player),
            (None, None) => final_table(replay, &self.names),
        }
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

/// The places of all players.
fn final_table<R: BufRead>(replay: &Replay<R>, names: &[String]) -> String {
    let rounds = replay.event().rounds_played();
    let mut text = match replay.is_finished() {
        true => format!("After {}:\n", count(rounds, "round")),
        false => format!("The journal ends in or after round {rounds}; the tournament is not over:\n"),
    };
    let standings = replay.event().standings();
    let placing = replay.event().placing();
    let marked = |standing: &Standing| placing.marked(standing.player, &names[standing.player]);
    let width = standings.places().iter().map(|standing| marked(standing).chars().count()).max().unwrap_or(0);
    for standing in standings.places() {
        let (place, name, chips) = (standing.place_in_words(), marked(standing), standing.chips);
        let left = standing.exit.as_ref().map(|exit| format!("  left in round {}", exit.round));
        let left = left.unwrap_or_default();
        text.push_str(&format!("{place} {name:<width$} {chips:>8}{left}\n"));
    }
    text
}
