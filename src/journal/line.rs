//! The lines of a journal. `docs/journal.md` describes them.

use serde::{Deserialize, Serialize};

use crate::cards::{Card, Seed};
use crate::stud::{Chips, Half, Rules, Seat, SeatSet, ShortStack, Street};
use crate::table::{Conduct, Event, Fault, Foul, OnFoul};
use crate::tournament::{Freezeout, Player, Standings};

/// The version of the format. Readers refuse any other.
pub(super) const VERSION: u32 = 1;

/// One line. Seats are numbered from 1.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Line {
    /// The first line.
    CasinoDay(Header),
    /// A round begins; the cards by slot, in the order of `seats` (R4).
    Deal {
        /// The table, from 1.
        table: u32,
        /// The round, from 1.
        round: u64,
        /// Who is dealt in.
        seats: Vec<usize>,
        /// Their hole cards.
        hole: Vec<Card>,
        /// Their first up cards.
        up: Vec<Card>,
        /// Their second up cards, also of those who fold before they are shown.
        second: Vec<Card>,
    },
    /// A street is opened.
    Street {
        /// 1 or 2.
        street: u8,
        /// Who acts first.
        opener: usize,
    },
    /// A legal reply.
    Reply {
        /// Whose.
        seat: usize,
        /// The reply as on the wire.
        reply: String,
    },
    /// Without chips and with nothing to call, a player is not asked and stays in (R8).
    Pass {
        /// Who.
        seat: usize,
    },
    /// A player who cannot call is folded unasked (R8).
    ForcedFold {
        /// Who.
        seat: usize,
    },
    /// A foul (R18).
    Foul {
        /// Whose.
        seat: usize,
        /// Whether the player had been asked.
        asked: bool,
        /// What the player did.
        #[serde(flatten)]
        replied: Replied,
        /// The sentence the player is told.
        why: String,
    },
    /// Chips from the pot.
    Won {
        /// Who gets them.
        seat: usize,
        /// `whole`, `hand` or `spade`.
        half: String,
        /// How many.
        chips: Chips,
    },
    /// A player leaves.
    Left {
        /// Who.
        seat: usize,
        /// The chips that leave play.
        forfeited: Chips,
        /// The last word to it.
        why: String,
    },
    /// The round is over.
    End {
        /// The round.
        round: u64,
        /// All stacks, seat by seat.
        stacks: Vec<Chips>,
    },
    /// Something the people in charge did.
    Console {
        /// What, in words: `pause`, `remove 3: …`.
        action: String,
    },
    /// The tournament is over.
    Over {
        /// How many rounds were played.
        rounds: u64,
        /// Chips that left play.
        forfeited: Chips,
        /// Who came where, best first.
        standings: Vec<StandingLine>,
    },
}

/// What everything else follows from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// [`VERSION`].
    pub version: u32,
    /// The seed's text.
    pub seed: String,
    /// The SHA-256 shown before the first deal, if the seed was drawn.
    pub promise: Option<String>,
    /// Chips at the start.
    pub stack: Chips,
    /// The most rounds.
    pub rounds: u64,
    /// The ante in chips.
    pub ante: Chips,
    /// The largest raise in chips.
    pub raise_cap: Chips,
    /// `fold` or `ask` (R8).
    pub short_stack: String,
    /// `eject` or `fold` (R18, R19).
    pub on_foul: String,
    /// The players in seat order.
    pub players: Vec<HeaderPlayer>,
}

/// A player in the header.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HeaderPlayer {
    /// The seat, from 1.
    pub seat: usize,
    /// The name everyone sees.
    pub name: String,
    /// The GitHubId.
    pub github_id: String,
}

impl Header {
    /// The header of a tournament.
    pub fn new(conduct: Conduct, seed: &Seed, players: &[Player], stack: Chips, rounds: u64) -> Header {
        Header {
            version: VERSION,
            seed: seed.text().to_string(),
            promise: seed.promise(),
            stack,
            rounds,
            ante: conduct.rules.ante,
            raise_cap: conduct.rules.raise_cap,
            short_stack: match conduct.rules.short_stack {
                ShortStack::Fold => "fold".to_string(),
                ShortStack::Ask => "ask".to_string(),
            },
            on_foul: match conduct.on_foul {
                OnFoul::Eject => "eject".to_string(),
                OnFoul::Fold => "fold".to_string(),
            },
            players: players
                .iter()
                .enumerate()
                .map(|(seat, player)| HeaderPlayer {
                    seat: seat + 1,
                    name: player.name.clone(),
                    github_id: player.github_id.clone(),
                })
                .collect(),
        }
    }

    /// How the table is run.
    ///
    /// # Errors
    /// The name and value of a field that is neither of its two words.
    pub fn conduct(&self) -> Result<Conduct, String> {
        let unknown = |field: &str, value: &str| Err(format!("{field} is \"{}\"", value.escape_debug()));
        let short_stack = match self.short_stack.as_str() {
            "fold" => ShortStack::Fold,
            "ask" => ShortStack::Ask,
            other => return unknown("short_stack", other),
        };
        let on_foul = match self.on_foul.as_str() {
            "eject" => OnFoul::Eject,
            "fold" => OnFoul::Fold,
            other => return unknown("on_foul", other),
        };
        Ok(Conduct { rules: Rules { ante: self.ante, raise_cap: self.raise_cap, short_stack }, on_foul })
    }
}

/// What a player did instead of a legal reply: enough to do it again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Replied {
    /// An amount that cannot be bet.
    Illegal {
        /// The amount.
        bet: Chips,
    },
    /// No reply that could be read.
    Fault(Fault),
}

/// A place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StandingLine {
    /// From 1; may be shared.
    pub place: usize,
    /// The name everyone sees.
    pub name: String,
    /// The GitHubId.
    pub github_id: String,
    /// Chips at the end.
    pub chips: Chips,
    /// The last round the player was in; `None` for those in until the end.
    pub left_in_round: Option<u64>,
    /// How the player left in a word or two: `out of chips`, or the name of its foul.
    pub how: Option<String>,
    /// Why the player left, in a sentence.
    pub why: Option<String>,
}

impl StandingLine {
    /// All places with names.
    pub fn all(standings: &Standings, players: &[Player]) -> Vec<StandingLine> {
        let line = |standing: &crate::tournament::Standing| {
            let player = &players[standing.player];
            StandingLine {
                place: standing.place,
                name: player.name.clone(),
                github_id: player.github_id.clone(),
                chips: standing.chips,
                left_in_round: standing.exit.as_ref().map(|exit| exit.round),
                how: standing.exit.as_ref().map(|exit| exit.why.name().to_string()),
                why: standing.exit.as_ref().map(|exit| exit.why.to_string()),
            }
        };
        standings.places().iter().map(line).collect()
    }
}

impl Line {
    /// The line of an event that has just happened.
    pub fn of(tournament: &Freezeout, event: &Event) -> Line {
        let table = tournament.table();
        let number = |seat: Seat| seat.index() + 1;
        match *event {
            Event::Dealt { seats } => {
                let cards = |card: &dyn Fn(Seat) -> Card| seats.into_iter().map(card).collect();
                let round = table.round();
                Line::Deal {
                    table: 1,
                    round: table.round_number(),
                    seats: numbers(seats),
                    hole: cards(&|seat| round.hole(seat)),
                    up: cards(&|seat| round.up(seat)[0]),
                    second: cards(&|seat| round.up(seat)[1]),
                }
            }
            Event::Opened { street, opener } => {
                Line::Street { street: if street == Street::First { 1 } else { 2 }, opener: number(opener) }
            }
            Event::Acted { seat, action } => Line::Reply { seat: number(seat), reply: action.to_string() },
            Event::Passed { seat } => Line::Pass { seat: number(seat) },
            Event::ForcedFold { seat } => Line::ForcedFold { seat: number(seat) },
            Event::Fouled { seat } => {
                let foul = table.foul_of(seat).expect("a foul was kept when it happened");
                let replied = match foul {
                    Foul::Illegal { chips, .. } => Replied::Illegal { bet: *chips },
                    Foul::Fault { fault, .. } => Replied::Fault(fault.clone()),
                };
                let asked = foul.allowed().is_some();
                Line::Foul { seat: number(seat), asked, replied, why: foul.to_string() }
            }
            Event::Won { seat, half, chips } => {
                let half = match half {
                    Half::Whole => "whole",
                    Half::Hand => "hand",
                    Half::Spade => "spade",
                };
                Line::Won { seat: number(seat), half: half.to_string(), chips }
            }
            Event::Left { seat, forfeited } => {
                let why = table.farewell(seat).expect("who leaves is told why").to_string();
                Line::Left { seat: number(seat), forfeited, why }
            }
            Event::Ended => Line::End { round: table.round_number(), stacks: table.stacks().to_vec() },
        }
    }
}

fn numbers(seats: SeatSet) -> Vec<usize> {
    seats.into_iter().map(|seat| seat.index() + 1).collect()
}
