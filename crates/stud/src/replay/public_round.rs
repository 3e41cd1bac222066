//! A round in public: the only reader of a table's events for displays.

use serde::Serialize;

use crate::cards::Card;
use crate::stud::{Chips, Half, MAX_SEATS, Seat, SeatSet, Street, Strength};
use crate::table::{ExitReason, Fault, Foul, TableEvent};
use crate::tournament::TableGame;

/// A table event in public. It has no field for a hole card before the round is over, and then only for those that won;
/// its texts never quote a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PublicEvent {
    /// Everyone antes and gets its cards; the first up cards are seen.
    Dealt(PublicDeal),
    /// A street is opened. On the second one those still in show another card.
    Opened {
        /// Which street it is.
        street: Street,
        /// The seat that acts first (R6).
        opener: Seat,
        /// The cards turned up.
        up: Vec<(Seat, Card)>,
        /// The pot in chips.
        pot: Chips,
    },
    /// A player adds chips: none is a check.
    Bet {
        /// The seat of the player.
        seat: Seat,
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
        /// The seat of the player.
        seat: Seat,
        /// The chips it would have taken to call.
        to_call: Chips,
    },
    /// A player without chips stays in unasked (R8).
    StaysIn(Seat),
    /// A player who cannot call is folded unasked (R8).
    ForcedFold(Seat),
    /// A player breaks a rule and is out of the hand (R18).
    Foul {
        /// The seat of the player.
        seat: Seat,
        /// Whether the player was still in the round.
        was_in: bool,
        /// The foul, in public words.
        why: String,
    },
    /// A player takes chips from the pot.
    Won {
        /// The seat of the player.
        seat: Seat,
        /// The part of the pot.
        half: Half,
        /// The chips taken from the pot.
        chips: Chips,
    },
    /// A player leaves the tournament.
    Left {
        /// The seat of the player.
        seat: Seat,
        /// The chips that leave play.
        forfeited: Chips,
        /// When and why the player left.
        exit: PublicExit,
    },
    /// The round is over and the pot paid out: the hands that won are seen.
    Ended(RoundEnd),
}

/// The deal of a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicDeal {
    /// The number of the table, from 1.
    pub table: u32,
    /// The number of the round, from 1.
    pub round: u64,
    /// The ante in chips.
    pub ante: Chips,
    /// All players dealt in, in seat order.
    pub seats: Vec<DealtSeat>,
}

impl PublicDeal {
    /// The antes, in chips.
    pub fn pot(&self) -> Chips {
        self.ante * self.seats.len() as Chips
    }
}

/// A player who is dealt in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DealtSeat {
    /// The seat at the table.
    pub seat: Seat,
    /// The player of the tournament, from 0.
    pub player: usize,
    /// The stack before the ante, in chips.
    pub stack: Chips,
    /// The first up card.
    pub up: Card,
}

/// The end of a round: the winners, their chips and hands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundEnd {
    /// The chips of each winner of each half of the pot.
    pub payouts: Vec<(Seat, Half, Chips)>,
    /// The seat whose hand is shown.
    pub shown: Seat,
    /// The hand, hole card first; two cards if the second up card was never dealt.
    pub hand: Vec<Card>,
    /// The strength of the hand, if it is a whole one.
    pub strength: Option<Strength>,
    /// Whether more than one player was in at the end, so that hands were compared.
    pub is_showdown: bool,
    /// The spade that won half of the pot.
    pub spade: Option<(Seat, Card)>,
}

impl RoundEnd {
    /// The end among the events of a round, if it was played to it.
    pub fn of(events: &[PublicEvent]) -> Option<&RoundEnd> {
        events.iter().find_map(|event| match event {
            PublicEvent::Ended(end) => Some(end),
            _ => None,
        })
    }

    /// The pot in chips.
    pub fn pot(&self) -> Chips {
        self.payouts.iter().map(|(_, _, chips)| chips).sum()
    }

    /// How many players got chips.
    pub fn takers(&self) -> usize {
        let is_first = |(at, (seat, ..)): &(usize, &(Seat, Half, Chips))| {
            self.payouts[..*at].iter().all(|(before, ..)| before != seat)
        };
        self.payouts.iter().enumerate().filter(is_first).count()
    }

    /// The winning hand in words.
    pub fn words(&self) -> String {
        match self.strength {
            Some(strength) if self.is_showdown => strength.to_string(),
            _ => "everyone else folded".to_string(),
        }
    }
}

/// The public reason of an exit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicExit {
    /// The player of the tournament, from 0.
    pub player: usize,
    /// The round in which the player left.
    pub round: u64,
    /// The stack with which the player began that round, in chips.
    pub began_with: Chips,
    /// The kind of reason.
    pub kind: ExitKind,
    /// Why the player left, in public words.
    pub why: String,
}

/// The kind of reason for which a player left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ExitKind {
    /// Too few chips for the next ante.
    Busted,
    /// Sent out for a foul.
    Foul,
    /// Its connection was closed.
    Lost,
    /// Removed by the people in charge.
    Removed,
    /// In until its table, the event or the tournament ended.
    Other,
}

impl ExitKind {
    fn of(why: &ExitReason) -> ExitKind {
        match why {
            ExitReason::Busted { .. } => ExitKind::Busted,
            ExitReason::Foul(Foul::Fault { fault: Fault::Removed { .. }, .. }) => ExitKind::Removed,
            ExitReason::Foul(Foul::Fault { fault: Fault::HungUp { .. }, .. }) => ExitKind::Lost,
            ExitReason::Foul(_) => ExitKind::Foul,
            ExitReason::Champion { .. }
            | ExitReason::RoundsPlayed { .. }
            | ExitReason::EventOver { .. }
            | ExitReason::Stopped { .. } => ExitKind::Other,
        }
    }
}

impl PublicExit {
    /// The exit of a player, told from the terms in which the table knows it.
    pub fn new(player: usize, round: u64, began_with: Chips, why: &ExitReason) -> PublicExit {
        PublicExit { player, round, began_with, kind: ExitKind::of(why), why: why.in_public() }
    }

    /// The exit of the player in this seat.
    ///
    /// # Panics
    /// If no player left this seat.
    pub fn of(game: &TableGame, seat: Seat) -> PublicExit {
        let why = game.table().exit_reason(seat).expect("a player who leaves is told why");
        let began_with = game.began_with()[seat.index()];
        PublicExit::new(game.player_at(seat), game.table().round_number(), began_with, why)
    }
}

/// Reads the events of a table, each of which is one in public.
#[derive(Clone, Debug, Default)]
pub struct PublicRound {
    live: SeatSet,
    put_in: [Chips; MAX_SEATS],
    level: Chips,
    pot: Chips,
    payouts: Vec<(Seat, Half, Chips)>,
}

impl PublicRound {
    /// All that has happened at this table since its last deal.
    pub fn events(game: &TableGame) -> Vec<PublicEvent> {
        let mut round = PublicRound::default();
        game.table().events().iter().map(|event| round.push(game, event)).collect()
    }

    /// The next event of the table, in public. The first one of a round is its deal.
    pub fn push(&mut self, game: &TableGame, event: &TableEvent) -> PublicEvent {
        match *event {
            TableEvent::Dealt { seats } => PublicEvent::Dealt(self.deal(game, seats)),
            TableEvent::Opened { street, opener } => {
                (self.put_in, self.level) = ([0; MAX_SEATS], 0);
                let round = game.table().round();
                let up = match street {
                    Street::First => Vec::new(),
                    Street::Second => self.live.into_iter().map(|seat| (seat, round.up(seat)[1])).collect(),
                };
                PublicEvent::Opened { street, opener, up, pot: self.pot }
            }
            TableEvent::Acted { seat, action } => {
                let put_in = &mut self.put_in[seat.index()];
                let to_call = self.level - *put_in;
                let Some(chips) = action.chips() else {
                    self.live = self.live.without(seat);
                    return PublicEvent::Fold { seat, to_call };
                };
                *put_in += chips;
                self.pot += chips;
                self.level = self.level.max(*put_in);
                PublicEvent::Bet { seat, to_call, chips, put_in: *put_in, pot: self.pot }
            }
            TableEvent::Passed { seat } => PublicEvent::StaysIn(seat),
            TableEvent::ForcedFold { seat } => {
                self.live = self.live.without(seat);
                PublicEvent::ForcedFold(seat)
            }
            TableEvent::Fouled { seat } => {
                let was_in = self.live.contains(seat);
                self.live = self.live.without(seat);
                let foul = game.table().foul_of(seat).expect("a foul was kept when it happened");
                PublicEvent::Foul { seat, was_in, why: foul.in_public() }
            }
            TableEvent::Won { seat, half, chips } => {
                self.payouts.push((seat, half, chips));
                PublicEvent::Won { seat, half, chips }
            }
            TableEvent::Left { seat, forfeited } => {
                PublicEvent::Left { seat, forfeited, exit: PublicExit::of(game, seat) }
            }
            TableEvent::Ended => PublicEvent::Ended(self.end(game)),
        }
    }

    fn deal(&mut self, game: &TableGame, seats: SeatSet) -> PublicDeal {
        let round = game.table().round();
        let dealt = |seat: Seat| DealtSeat {
            seat,
            player: game.player_at(seat),
            stack: game.began_with()[seat.index()],
            up: round.up(seat)[0],
        };
        let deal = PublicDeal {
            table: game.number(),
            round: game.table().round_number(),
            ante: round.rules().ante,
            seats: seats.into_iter().map(dealt).collect(),
        };
        *self = PublicRound { live: seats, pot: deal.pot(), ..PublicRound::default() };
        deal
    }

    /// The round is over: the hands that won may be seen.
    fn end(&mut self, game: &TableGame) -> RoundEnd {
        let round = game.table().round();
        let hand: Vec<Card> = game.table().shown().into_iter().flatten().collect();
        let shown = round.dealt().into_iter().find(|seat| Some(&round.hole(*seat)) == hand.first());
        let strength = match hand[..] {
            [a, b, c] => Some(Strength::of([a, b, c])),
            _ => None,
        };
        let spade = self.payouts.iter().find(|(_, half, _)| *half == Half::Spade);
        RoundEnd {
            shown: shown.expect("the hand shown is somebody's"),
            hand,
            strength,
            is_showdown: self.live.len() > 1,
            spade: spade.map(|(seat, ..)| (*seat, round.hole(*seat))),
            payouts: std::mem::take(&mut self.payouts),
        }
    }
}
