//! A recorded round as people tell it.

use serde::Serialize;

use crate::cards::Card;
use crate::protocol::{done_text, question_text, status_text};
use crate::stud::{Chips, Half, MAX_SEATS, Seat, SeatSet, Street, Strength};
use crate::table::{Answer, Fault, Notice, TableEvent};
use crate::tournament::{TableGame, harmless};

use crate::journal::Header;

use super::Observer;

/// A round: who was dealt what, what happened, who has how much now. Only names that may be shown are in it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct RoundSummary {
    /// The table, from 1. Not said of the only table of a tournament.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table: Option<u32>,
    /// From 1.
    pub round: u64,
    /// Whether it was played to its end. One that was not is dealt again.
    pub finished: bool,
    /// The players dealt in, in seat order.
    pub players: Vec<DealtPlayer>,
    /// What happened, in order.
    pub happenings: Vec<RoundEvent>,
    /// All that was in the pot, in chips.
    pub pot: Chips,
    /// The winning hand as everyone was told it.
    pub shown: Vec<Card>,
    /// The winning hand in words, if it was a whole one.
    pub hand: Option<String>,
    /// The stacks at the end, in chips, in the order of `players`.
    pub stacks: Vec<Chips>,
}

/// A player dealt in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DealtPlayer {
    /// The seat, from 1.
    pub seat: usize,
    /// The name everyone sees.
    pub name: String,
    /// The stack before the ante, in chips.
    pub stack: Chips,
    /// The hole card.
    pub hole: Card,
    /// The first up card.
    pub up: Card,
    /// The second up card, if it was dealt.
    pub second: Option<Card>,
}

/// Something that happened. Players are named.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum RoundEvent {
    /// A street begins.
    Street {
        /// 1 or 2.
        street: u8,
        /// Who acts first.
        player: String,
        /// The pot, in chips.
        pot: Chips,
    },
    /// A player adds chips.
    Bet {
        /// Who.
        player: String,
        /// What it took to call, in chips.
        to_call: Chips,
        /// How many it added.
        chips: Chips,
        /// What the player has put in on this street now.
        put_in: Chips,
        /// The pot then.
        pot: Chips,
    },
    /// A player folds.
    Fold {
        /// Who.
        player: String,
        /// What it would have taken to call.
        to_call: Chips,
    },
    /// A player without chips stays in unasked (R8).
    StaysIn {
        /// Who.
        player: String,
    },
    /// A player who cannot call is folded unasked (R8).
    ForcedFold {
        /// Who.
        player: String,
    },
    /// A player breaks a rule (R18).
    Foul {
        /// Who.
        player: String,
        /// The foul's short name.
        foul: &'static str,
        /// Whether the player was still in the round.
        was_in: bool,
        /// The sentence the player is told.
        why: String,
    },
    /// A player takes chips from the pot.
    Wins {
        /// Who.
        player: String,
        /// `whole`, `hand` or `spade`.
        half: &'static str,
        /// How many.
        chips: Chips,
    },
    /// A player leaves.
    Leaves {
        /// Who.
        player: String,
        /// The chips that leave play.
        forfeited: Chips,
        /// The last word to it.
        why: String,
    },
}

/// The names of a journal's players as they may be shown, in the order of the header: a journal may come from
/// anywhere. The house's own of a gauntlet come after them.
pub fn names(header: &Header) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for player in &header.players {
        let seat = || format!("Seat {}", player.seat);
        names.push(harmless(&player.name).filter(|name| !names.contains(name)).unwrap_or_else(seat));
    }
    names.extend(header.opponents().into_iter().map(|own| own.name));
    names
}

/// Tells the story of each round while a journal is played again.
#[derive(Clone, Debug)]
pub struct SummaryBuilder {
    names: Vec<String>,
    /// Whether there are many tables.
    event: bool,
    story: RoundSummary,
    dealt: SeatSet,
    live: SeatSet,
    put_in: [Chips; MAX_SEATS],
    /// What it took the last player asked to call.
    to_call: Chips,
}

impl SummaryBuilder {
    /// A teller for the players of this header.
    pub fn new(header: &Header) -> SummaryBuilder {
        SummaryBuilder {
            names: names(header),
            event: header.plan.is_some(),
            story: RoundSummary::default(),
            dealt: SeatSet::EMPTY,
            live: SeatSet::EMPTY,
            put_in: [0; MAX_SEATS],
            to_call: 0,
        }
    }

    /// The story of the round that was played last.
    pub fn story(&self) -> &RoundSummary {
        &self.story
    }

    fn name(&self, tournament: &TableGame, seat: Seat) -> String {
        self.names[tournament.player_at(seat)].clone()
    }

    fn begin(&mut self, tournament: &TableGame, seats: SeatSet) {
        let table = tournament.table();
        let dealt = |seat: Seat| DealtPlayer {
            seat: seat.index() + 1,
            name: self.name(tournament, seat),
            stack: tournament.began_with()[seat.index()],
            hole: table.round().hole(seat),
            up: table.round().up(seat)[0],
            second: None,
        };
        self.story = RoundSummary {
            table: self.event.then_some(tournament.number()),
            round: table.round_number(),
            players: seats.into_iter().map(dealt).collect(),
            pot: table.round().pot(),
            ..RoundSummary::default()
        };
        (self.dealt, self.live) = (seats, seats);
    }
}

impl Observer for SummaryBuilder {
    fn answered(&mut self, tournament: &TableGame, seat: Seat, _: &Answer) {
        self.to_call = tournament.table().question(seat).bounds.to_call;
    }

    fn event(&mut self, tournament: &TableGame, event: &TableEvent) {
        let table = tournament.table();
        let round = table.round();
        let happening = match *event {
            TableEvent::Dealt { seats } => return self.begin(tournament, seats),
            TableEvent::Opened { street, opener } => {
                self.put_in = [0; MAX_SEATS];
                if street == Street::Second {
                    for (seat, dealt) in self.dealt.into_iter().zip(&mut self.story.players) {
                        dealt.second = self.live.contains(seat).then(|| round.up(seat)[1]);
                    }
                }
                let street = if street == Street::First { 1 } else { 2 };
                RoundEvent::Street { street, player: self.name(tournament, opener), pot: self.story.pot }
            }
            TableEvent::Acted { seat, action } => match action.chips() {
                None => {
                    self.live = self.live.without(seat);
                    RoundEvent::Fold { player: self.name(tournament, seat), to_call: self.to_call }
                }
                Some(chips) => {
                    self.put_in[seat.index()] += chips;
                    self.story.pot += chips;
                    RoundEvent::Bet {
                        player: self.name(tournament, seat),
                        to_call: self.to_call,
                        chips,
                        put_in: self.put_in[seat.index()],
                        pot: self.story.pot,
                    }
                }
            },
            TableEvent::Passed { seat } => RoundEvent::StaysIn { player: self.name(tournament, seat) },
            TableEvent::ForcedFold { seat } => {
                self.live = self.live.without(seat);
                RoundEvent::ForcedFold { player: self.name(tournament, seat) }
            }
            TableEvent::Fouled { seat } => {
                let foul = table.foul_of(seat).expect("a foul was kept when it happened");
                let was_in = self.live.contains(seat);
                self.live = self.live.without(seat);
                RoundEvent::Foul {
                    player: self.name(tournament, seat),
                    foul: foul.name(),
                    was_in,
                    why: foul.to_string(),
                }
            }
            TableEvent::Won { seat, half, chips } => {
                let half = match half {
                    Half::Whole => "whole",
                    Half::Hand => "hand",
                    Half::Spade => "spade",
                };
                RoundEvent::Wins { player: self.name(tournament, seat), half, chips }
            }
            TableEvent::Left { seat, forfeited } => {
                let why = table.exit_reason(seat).map(ToString::to_string).unwrap_or_default();
                if self.story.finished {
                    self.note_stacks(tournament);
                }
                RoundEvent::Leaves { player: self.name(tournament, seat), forfeited, why }
            }
            TableEvent::Ended => {
                self.story.finished = true;
                self.story.shown = table.shown().into_iter().flatten().collect();
                self.story.hand = match self.story.shown[..] {
                    [a, b, c] => Some(Strength::of([a, b, c]).to_string()),
                    _ => None,
                };
                return self.note_stacks(tournament);
            }
        };
        self.story.happenings.push(happening);
    }
}

impl SummaryBuilder {
    fn note_stacks(&mut self, tournament: &TableGame) {
        let stacks = tournament.table().stacks();
        self.story.stacks = self.dealt.into_iter().map(|seat| stacks[seat.index()]).collect();
    }
}

/// A message between the dealer and a player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum WireMessage {
    /// What the player was told.
    Told(String),
    /// What the player replied.
    Replied(String),
    /// What the player did instead of a reply.
    Did(String),
}

/// What one player saw of each round while a journal is played again: the messages to it and its replies, and
/// nothing else.
#[derive(Clone, Debug)]
pub struct PlayerView {
    player: usize,
    round: u64,
    messages: Vec<WireMessage>,
}

impl PlayerView {
    /// The eyes of this player, from 0 in the order of the journal's header.
    pub fn new(player: usize) -> PlayerView {
        PlayerView { player, round: 0, messages: Vec::new() }
    }

    /// What the player saw of the round that was played last; nothing if it was not dealt in.
    pub fn messages(&self) -> &[WireMessage] {
        &self.messages
    }
}

impl Observer for PlayerView {
    fn answered(&mut self, tournament: &TableGame, seat: Seat, answer: &Answer) {
        if tournament.player_at(seat) != self.player {
            return;
        }
        // A message before the question is answered with `done`: the question is never sent.
        if !matches!(answer, Err(Fault::Stray { .. })) {
            self.messages.push(WireMessage::Told(question_text(&tournament.table().question(seat))));
        }
        self.messages.push(match answer {
            Ok(reply) => WireMessage::Replied(reply.to_string()),
            Err(fault) => WireMessage::Did(fault.to_string()),
        });
    }

    fn event(&mut self, tournament: &TableGame, event: &TableEvent) {
        if let (TableEvent::Dealt { .. }, Some(_)) = (event, tournament.seat_of(self.player)) {
            self.round = tournament.table().round_number();
            self.messages.clear();
        }
    }

    fn notice(&mut self, tournament: &TableGame, seat: Seat, notice: &Notice) {
        if tournament.player_at(seat) != self.player {
            return;
        }
        self.messages.push(WireMessage::Told(match notice {
            Notice::Status(status) => status_text(status),
            Notice::Done => {
                let why = tournament.table().exit_reason(seat).map(ToString::to_string).unwrap_or_default();
                done_text(&why)
            }
        }));
    }
}
