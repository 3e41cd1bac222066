//! One player's view of a recorded round.

use crate::protocol::{done_text, question_text, status_text};
use crate::stud::Seat;
use crate::table::{Answer, Fault, Notice, TableEvent};
use crate::tournament::TableGame;

use super::Observer;

/// A message between the dealer and a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WireMessage {
    /// A message to the player.
    Told(String),
    /// The player's reply.
    Replied(String),
    /// A foul instead of a legal reply.
    Did(String),
}

/// One player's view of each round while a journal is replayed: the messages to it and its replies.
#[derive(Clone, Debug)]
pub struct PlayerView {
    player: usize,
    messages: Vec<WireMessage>,
}

impl PlayerView {
    /// The view of this player, from 0 in the order of the journal's header.
    pub fn new(player: usize) -> PlayerView {
        PlayerView { player, messages: Vec::new() }
    }

    /// The player's view of the latest round; empty if it was not dealt in.
    pub fn messages(&self) -> &[WireMessage] {
        &self.messages
    }
}

impl Observer for PlayerView {
    fn answered(&mut self, game: &TableGame, seat: Seat, answer: &Answer) {
        if game.player_at(seat) != self.player {
            return;
        }
        // A message before the question is answered with `done`: the question is never sent.
        if !matches!(answer, Err(Fault::Stray { .. })) {
            self.messages.push(WireMessage::Told(question_text(&game.table().question(seat))));
        }
        self.messages.push(match answer {
            Ok(reply) => WireMessage::Replied(reply.to_string()),
            Err(fault) => WireMessage::Did(fault.to_string()),
        });
    }

    fn event(&mut self, game: &TableGame, event: &TableEvent) {
        if let (TableEvent::Dealt { .. }, Some(_)) = (event, game.seat_of(self.player)) {
            self.messages.clear();
        }
    }

    fn notice(&mut self, game: &TableGame, seat: Seat, notice: &Notice) {
        if game.player_at(seat) != self.player {
            return;
        }
        self.messages.push(WireMessage::Told(match notice {
            Notice::Status(status) => status_text(status),
            Notice::Done => {
                let why = game.table().exit_reason(seat).map(|why| why.last_word(game.forgiven(seat)));
                done_text(&why.unwrap_or_default())
            }
        }));
    }
}
