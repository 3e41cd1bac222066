//! Rounds as text, as a terminal shows it.

use std::fmt::Write as _;

use crate::cards::notation::pretty;
use crate::cards::{Card, Suit};
use crate::shown::count;
use crate::stud::{Half, Street};

use super::{DealtPlayer, PrivateNote, PublicEvent, RoundSummary, TurnNotes, WireMessage};

/// Colours for texts, where they are wanted.
#[derive(Clone, Copy, Debug)]
pub struct Paint {
    /// Whether colours are wanted.
    pub colours: bool,
}

impl Paint {
    /// The text in this colour (an ANSI number) where colours are wanted, else as it is.
    pub fn paint(self, ansi: &str, text: &str) -> String {
        if self.colours { format!("\x1b[{ansi}m{text}\x1b[0m") } else { text.to_string() }
    }

    /// Cards in one of four colours each, padded to this many columns.
    pub fn cards(self, cards: &[Card], width: usize) -> String {
        let colour = |card: &Card| match card.suit() {
            Suit::Spades => "1",
            Suit::Hearts => "31",
            Suit::Diamonds => "34",
            Suit::Clubs => "32",
        };
        let shown = |card: &Card| self.paint(colour(card), &format!("{:>width$}", pretty(*card)));
        cards.iter().map(shown).collect::<Vec<_>>().join(" ")
    }

    /// A round in full with these notes, and an empty line after it.
    pub(super) fn round(self, round: &RoundSummary, notes: &TurnNotes) -> String {
        let mut text = String::new();
        let mut line = |line: &str| {
            text.push_str(line);
            text.push('\n');
        };
        let table = round.table.map(|table| format!(", table {table}")).unwrap_or_default();
        let title = self.paint("1", &format!("round {}{table}, pot {}", round.round, round.pot));
        line(&title);
        let width = round.players.iter().map(|player| player.name.chars().count()).max().unwrap_or(0);
        for player in &round.players {
            let DealtPlayer { name, stack, second, .. } = player;
            let cards = self.cards(&player.cards(), 3);
            let gap = if second.is_some() { "" } else { "    " };
            line(&format!("  {name:<width$}  {cards}{gap}  {stack:>6}"));
        }
        let mut turn = 0;
        for (event, note) in round.noted_events() {
            if let Some(words) = self.event(round, event, note, width) {
                line(words.trim_end());
            }
            if matches!(event, PublicEvent::Bet { .. } | PublicEvent::Fold { .. }) {
                if let Some(note) = notes.get(&turn) {
                    line(&self.paint("33", &format!("      > {note}")));
                }
                turn += 1;
            }
        }
        let shown = self.cards(&round.shown, 3);
        line(&match &round.hand {
            Some(hand) => format!("  shown: {shown} ({hand})"),
            None => format!("  shown: {shown}, everyone else out"),
        });
        let stacks = round.final_stacks().map(|(player, chips)| format!("{} {chips}", player.name));
        line(&format!("  stacks: {}", stacks.collect::<Vec<_>>().join(", ")));
        line("");
        text
    }

    /// An event in a line; the deal and the end have other lines.
    fn event(
        self,
        round: &RoundSummary,
        event: &PublicEvent,
        note: Option<&PrivateNote>,
        width: usize,
    ) -> Option<String> {
        let name = |seat| round.name_at(seat);
        let did = |seat, what: &str| format!("    {:<width$}  {what}", name(seat));
        let (foul, why) = note.map_or(("", ""), |note| (note.name, &note.why));
        Some(match event {
            PublicEvent::Dealt(_) | PublicEvent::Ended(_) => return None,
            PublicEvent::Opened { street, opener, pot, .. } => {
                let street = if *street == Street::First { 1 } else { 2 };
                format!("  bet{street}, pot {pot}, {} opens", name(*opener))
            }
            PublicEvent::Bet { seat, to_call, chips, pot, .. } => {
                let what = match (*to_call, chips - to_call) {
                    (0, chips) => format!("bets {chips}"),
                    (to_call, 0) => format!("calls {to_call}"),
                    (to_call, more) => format!("calls {to_call} and raises {more}"),
                };
                did(*seat, &format!("{what:<26} pot {pot}"))
            }
            PublicEvent::Fold { seat, to_call: 0 } => did(*seat, "folds"),
            PublicEvent::Fold { seat, to_call } => did(*seat, &format!("folds, {to_call} to call")),
            PublicEvent::StaysIn(seat) => did(*seat, "has no chips and stays in"),
            PublicEvent::ForcedFold(seat) => did(*seat, "cannot call and is folded"),
            PublicEvent::Foul { seat, .. } => self.paint("31", &did(*seat, foul)),
            PublicEvent::Won { seat, half, chips } => {
                let what = match half {
                    Half::Spade => " for the highest spade in the hole",
                    Half::Hand => " for the best hand",
                    Half::Whole => ", the whole pot",
                };
                format!("  {} wins {chips}{what}", name(*seat))
            }
            PublicEvent::Left { seat, forfeited, .. } => {
                let chips = match forfeited {
                    0 => String::new(),
                    forfeited => format!(" ({} leave play)", count(*forfeited, "chip")),
                };
                self.paint("31", &format!("  {} is out: {why}{chips}", name(*seat)))
            }
        })
    }

    /// The messages to one player and its replies in a round, followed by an empty line.
    pub(super) fn messages(self, round: u64, messages: &[WireMessage]) -> String {
        let mut text = self.paint("1", &format!("round {round}"));
        for message in messages {
            // Writing to a text does not fail.
            let _ = match message {
                WireMessage::Told(message) => write!(text, "\n  < {message}"),
                WireMessage::Replied(message) => write!(text, "\n  > {message}"),
                WireMessage::Did(message) => write!(text, "\n  * {message}"),
            };
        }
        text.push_str("\n\n");
        text
    }
}
