//! A recorded round in full.

use serde::Serialize;

use crate::cards::Card;
use crate::journal::Header;
use crate::stud::{Chips, Half, Seat, Street};
use crate::table::TableEvent;
use crate::tournament::{TableGame, harmless};

use super::{Observer, PublicDeal, PublicEvent, PublicRound, RoundEnd};

/// A round with everything that is known of it: the cards of all players, what happened, the stacks at the end. Only
/// names that may be shown are in it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct RoundSummary {
    /// The number of the table, from 1; `None` for the only table of a tournament.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table: Option<u32>,
    /// The number of the round, from 1.
    pub round: u64,
    /// Whether it was played to its end. One that was not is dealt again.
    pub finished: bool,
    /// The players dealt in, in seat order.
    pub players: Vec<DealtPlayer>,
    /// Everything that happened, in order.
    #[serde(rename = "happenings")]
    pub events: Vec<RoundEvent>,
    /// All that was in the pot, in chips.
    pub pot: Chips,
    /// The winning hand as everyone was told it.
    pub shown: Vec<Card>,
    /// The winning hand in words, if it was a whole one.
    pub hand: Option<String>,
    /// The stacks at the end, in chips, in the order of `players`.
    pub stacks: Vec<Chips>,
}

/// A player who was dealt in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DealtPlayer {
    /// The player of the tournament, from 0.
    #[serde(skip)]
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

/// Something that happened in a round, with all that is known of it. Players are named.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum RoundEvent {
    /// A street begins with the first player to act.
    Street {
        /// The number of the street, 1 or 2.
        street: u8,
        /// The name of the player who acts first.
        player: String,
        /// The pot in chips.
        pot: Chips,
    },
    /// A player adds chips.
    Bet {
        /// The name of the player.
        player: String,
        /// The chips it took to call.
        to_call: Chips,
        /// The chips the player added.
        chips: Chips,
        /// The chips the player has put in on this street now.
        put_in: Chips,
        /// The pot after it, in chips.
        pot: Chips,
    },
    /// A player who was asked folds.
    Fold {
        /// The name of the player.
        player: String,
        /// The chips it would have taken to call.
        to_call: Chips,
    },
    /// A player without chips stays in unasked (R8).
    StaysIn {
        /// The name of the player.
        player: String,
    },
    /// A player who cannot call is folded unasked (R8).
    ForcedFold {
        /// The name of the player.
        player: String,
    },
    /// A player breaks a rule (R18).
    Foul {
        /// The name of the player.
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
        /// The name of the player.
        player: String,
        /// The part of the pot: `whole`, `hand` or `spade`.
        half: &'static str,
        /// The chips taken from the pot.
        chips: Chips,
    },
    /// A player leaves the tournament.
    Leaves {
        /// The name of the player.
        player: String,
        /// The chips that leave play.
        forfeited: Chips,
        /// The last message to the player.
        why: String,
    },
}

/// The names of a journal's players as they may be shown, in the order of the header: a journal may come from
/// anywhere. The house bots of a gauntlet come after them.
pub fn names(header: &Header) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for player in &header.players {
        let seat = || format!("Seat {}", player.seat);
        names.push(harmless(&player.name).filter(|name| !names.contains(name)).unwrap_or_else(seat));
    }
    names.extend(header.opponents().into_iter().map(|bot| bot.name));
    names
}

/// A round that was played again: all that is known of it, and its events as everybody may see them.
#[derive(Clone, Debug, Default)]
pub struct RecordedRound {
    /// All that is known of the round, hole cards and private texts included.
    pub summary: RoundSummary,
    /// The events of the round in public.
    pub public: Vec<PublicEvent>,
    /// Who broke a rule, in the order of the events, and what to change in the program.
    pub fixes: Vec<(Seat, &'static str)>,
}

impl RecordedRound {
    /// The number of the table, from 1.
    pub fn table(&self) -> u32 {
        self.summary.table.unwrap_or(1)
    }

    /// The player in this seat, if dealt in.
    pub fn player_at(&self, seat: Seat) -> Option<&DealtPlayer> {
        self.summary.players.iter().find(|player| player.seat == seat.index() + 1)
    }

    /// The players dealt in and their stacks at the end of the round, in chips; none if the round was not finished.
    pub fn stacks(&self) -> impl Iterator<Item = (&DealtPlayer, Chips)> {
        self.summary.players.iter().zip(self.summary.stacks.iter().copied())
    }

    /// The end of the round, if it was played to it.
    pub fn end(&self) -> Option<&RoundEnd> {
        RoundEnd::of(&self.public)
    }
}

/// Builds the summary of each round while a journal is played again.
#[derive(Clone, Debug)]
pub struct SummaryBuilder {
    names: Vec<String>,
    is_event: bool,
    events: PublicRound,
    round: RecordedRound,
}

impl SummaryBuilder {
    /// A builder for the players of this header.
    pub fn new(header: &Header) -> SummaryBuilder {
        SummaryBuilder::named(names(header), header.plan.is_some())
    }

    /// A builder for players with these names, at the only table of a tournament or at many.
    pub fn named(names: Vec<String>, is_event: bool) -> SummaryBuilder {
        SummaryBuilder { names, is_event, events: PublicRound::default(), round: RecordedRound::default() }
    }

    /// The round that was played last.
    pub fn round(&self) -> &RecordedRound {
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
            table: self.is_event.then_some(deal.table),
            round: deal.round,
            players: deal.seats.iter().map(dealt).collect(),
            pot: deal.pot(),
            ..RoundSummary::default()
        }
    }

    /// Adds an event with what is known of it beyond what everybody sees.
    fn add(&mut self, game: &TableGame, event: &PublicEvent) {
        let table = game.table();
        let name = |seat: Seat| self.names[game.player_at(seat)].clone();
        let summary = &mut self.round.summary;
        summary.events.push(match *event {
            PublicEvent::Dealt(ref deal) => {
                self.round.summary = self.begin(game, deal);
                return;
            }
            PublicEvent::Ended(ref end) => {
                summary.finished = true;
                summary.shown.clone_from(&end.hand);
                summary.hand = end.strength.map(|strength| strength.to_string());
                self.note_stacks(game);
                return;
            }
            PublicEvent::Opened { street, opener, ref up, pot } => {
                for player in &mut summary.players {
                    let card = up.iter().find(|(seat, _)| seat.index() + 1 == player.seat);
                    player.second = card.map(|(_, card)| *card);
                }
                let street = if street == Street::First { 1 } else { 2 };
                RoundEvent::Street { street, player: name(opener), pot }
            }
            PublicEvent::Bet { seat, to_call, chips, put_in, pot } => {
                summary.pot = pot;
                RoundEvent::Bet { player: name(seat), to_call, chips, put_in, pot }
            }
            PublicEvent::Fold { seat, to_call } => RoundEvent::Fold { player: name(seat), to_call },
            PublicEvent::StaysIn(seat) => RoundEvent::StaysIn { player: name(seat) },
            PublicEvent::ForcedFold(seat) => RoundEvent::ForcedFold { player: name(seat) },
            PublicEvent::Foul { seat, was_in, .. } => {
                let foul = table.foul_of(seat).expect("a foul was kept when it happened");
                self.round.fixes.push((seat, foul.fix()));
                let (foul, why) = (foul.name(), foul.to_string());
                RoundEvent::Foul { player: name(seat), foul, was_in, why }
            }
            PublicEvent::Won { seat, half, chips } => {
                let half = match half {
                    Half::Whole => "whole",
                    Half::Hand => "hand",
                    Half::Spade => "spade",
                };
                RoundEvent::Wins { player: name(seat), half, chips }
            }
            PublicEvent::Left { seat, forfeited, .. } => {
                let why = table.exit_reason(seat).map(ToString::to_string).unwrap_or_default();
                RoundEvent::Leaves { player: name(seat), forfeited, why }
            }
        });
        if matches!(event, PublicEvent::Left { .. }) && self.round.summary.finished {
            self.note_stacks(game);
        }
    }

    fn note_stacks(&mut self, game: &TableGame) {
        let stacks = game.table().stacks();
        let summary = &mut self.round.summary;
        summary.stacks = summary.players.iter().map(|player| stacks[player.seat - 1]).collect();
    }
}

impl Observer for SummaryBuilder {
    fn event(&mut self, game: &TableGame, event: &TableEvent) {
        let event = self.events.push(game, event);
        self.add(game, &event);
        if matches!(event, PublicEvent::Dealt(_)) {
            self.round.public.clear();
            self.round.fixes.clear();
        }
        self.round.public.push(event);
    }
}
