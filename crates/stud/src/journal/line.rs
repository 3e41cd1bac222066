//! The lines of a journal. `docs/journal.md` describes them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::cards::Card;
use crate::stud::{Chips, Half};
use crate::table::{ExitReason, Fault, Table, TableEvent};
use crate::tournament::{ConsoleAction, Event, Newcomer, Player, Standings, TableGame};

use super::{Header, HeaderPlayer};

/// One line. Seats are numbered from 1.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum JournalLine {
    /// The header, which is the first line.
    CasinoDay(Header),
    /// A level of an event begins, or its tables were rebalanced, with these seats.
    Level {
        /// Its number, from 1.
        level: u64,
        /// Which tournament of the series it belongs to, from 1.
        tournament: u32,
        /// The number of the seating in the level, if it is not the first.
        #[serde(default = "one", skip_serializing_if = "is_one")]
        seating: u32,
        /// The number of the first round from here on.
        round: u64,
        /// The most rounds at each table from here on.
        rounds: u64,
        /// The ante in chips.
        ante: Chips,
        /// The players whom the rule of the event, not that of their table, has eliminated since the last level.
        out: Vec<Eliminated>,
        /// The tables of the level.
        tables: Vec<LevelTable>,
    },
    /// A player comes in late, and sits down with the next level line.
    Entry(HeaderPlayer),
    /// A round begins; the cards by slot, in the order of `seats` (R4).
    Deal {
        /// The table, from 1.
        table: u32,
        /// The round, from 1.
        round: u64,
        /// The players who are dealt in.
        seats: Vec<usize>,
        /// The hole card of each.
        hole: Vec<Card>,
        /// The first up card of each.
        up: Vec<Card>,
        /// The second up card of each, also of those who fold before they are shown.
        second: Vec<Card>,
    },
    /// A street is opened.
    Street {
        /// The number of the street: 1 or 2.
        street: u8,
        /// The player who acts first.
        opener: usize,
    },
    /// A player gave a legal reply.
    Reply {
        /// The seat of the player.
        seat: usize,
        /// The reply as on the wire.
        reply: String,
    },
    /// Without chips and with nothing to call, a player is not asked and stays in (R8).
    Pass {
        /// The seat of the player.
        seat: usize,
    },
    /// A player who cannot call is folded unasked (R8).
    ForcedFold {
        /// The seat of the player.
        seat: usize,
    },
    /// A player broke a rule (R18).
    Foul {
        /// The seat of the player.
        seat: usize,
        /// Whether the player had been asked.
        asked: bool,
        /// The player's action.
        did: Replied,
        /// The sentence sent to the player.
        why: String,
    },
    /// Chips from the pot.
    Won {
        /// The player who gets them.
        seat: usize,
        /// The part of the pot.
        half: Half,
        /// The amount in chips.
        chips: Chips,
    },
    /// A player leaves the table.
    Left {
        /// The seat of the player.
        seat: usize,
        /// The chips that leave play.
        forfeited: Chips,
        /// The last word to it.
        why: String,
    },
    /// The round is over.
    End {
        /// The number of the round.
        round: u64,
        /// All stacks, seat by seat.
        stacks: Vec<Chips>,
    },
    /// A command of the teacher. It has no consequences of its own: those are recorded in separate lines.
    Console {
        /// The order.
        action: ConsoleAction,
    },
    /// A player used its time bank (R17). The line of its reply or foul follows.
    TimeBank {
        /// The seat of the player.
        seat: usize,
        /// The time used, in milliseconds.
        used_ms: u64,
        /// The time left in the bank, in milliseconds.
        left_ms: u64,
    },
    /// The dealer was started again.
    Resumed {
        /// The round after the last one that all tables played: the next to be dealt, unless that was the last.
        round: u64,
        /// The SHA-256 of all bytes of the journal before this line.
        before: String,
    },
    /// The tournament is over.
    Over {
        /// How many rounds were played.
        rounds: u64,
        /// Chips that left play.
        forfeited: u64,
        /// The places, best first.
        standings: Vec<StandingLine>,
        /// The SHA-256 of all bytes of the journal before this line.
        before: String,
    },
}

fn one() -> u32 {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_one(seating: &u32) -> bool {
    *seating == 1
}

/// A player who is out between two levels.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Eliminated {
    /// The player: the seat of the header.
    pub player: usize,
    /// The last word to it.
    pub why: String,
}

/// A table at the beginning of a level.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LevelTable {
    /// Its number, from 1.
    pub table: u32,
    /// The players there, seat by seat: the seats of the header.
    pub players: Vec<usize>,
    /// The chips of each.
    pub stacks: Vec<Chips>,
}

/// An illegal reply or none, with enough detail to repeat it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Replied {
    /// An amount that cannot be bet.
    Illegal {
        /// The amount of the bet, in chips.
        bet: Chips,
    },
    /// No reply that could be read.
    Fault(Fault),
}

/// A player's place at the end, in the last line of a journal and in a result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StandingLine {
    /// From 1; may be shared. `None` for a house bot that has none among others.
    pub place: Option<usize>,
    /// The name everyone sees.
    pub name: String,
    /// The GitHubId of the player.
    pub github_id: String,
    /// Chips at the end.
    pub chips: Chips,
    /// The tie-break that decided the place, if the round of elimination did not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<i64>,
    /// The last round the player was in; `None` for those in until the end.
    pub left_in_round: Option<u64>,
    /// How the player left in a word or two: `out of chips`, or the name of its foul.
    pub how: Option<String>,
    /// Why the player left, in a sentence.
    pub why: Option<String>,
    /// The fouls a rehearsal forgave the player (R19), if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fouls: Option<ForgivenFouls>,
}

/// The fouls that a player was forgiven.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ForgivenFouls {
    /// How many there were, at least 1.
    pub count: u32,
    /// The round of the first of them, from 1.
    pub first_round: u64,
    /// How many there were of each kind that occurred, by the name of the foul.
    pub kinds: BTreeMap<String, u32>,
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
                points: standing.points,
                left_in_round: standing.exit.as_ref().map(|exit| exit.round),
                how: standing.exit.as_ref().map(|exit| exit.why.name().to_string()),
                why: standing.exit.as_ref().map(|exit| exit.why.to_string()),
                fouls: standing.fouls.first_round().map(|first_round| ForgivenFouls {
                    count: standing.fouls.count(),
                    first_round,
                    kinds: standing
                        .fouls
                        .kinds()
                        .into_iter()
                        .map(|(kind, n)| (kind.to_string(), n))
                        .collect(),
                }),
            }
        };
        standings.places().iter().map(line).collect()
    }
}

impl JournalLine {
    /// Appends the line with its line feed.
    pub fn write(&self, to: &mut Vec<u8>) {
        serde_json::to_writer(&mut *to, self).expect("a line is plain data, and memory takes it");
        to.push(b'\n');
    }

    /// The bytes of the line, with its line feed.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.write(&mut bytes);
        bytes
    }

    /// The last line of an event that is over, where the bytes before it have this SHA-256.
    pub fn over(event: &Event, players: &[Player], before: String) -> JournalLine {
        JournalLine::Over {
            rounds: event.rounds_played(),
            forfeited: event.forfeited(),
            standings: StandingLine::all(&event.standings(), players),
            before,
        }
    }

    /// The line of a newcomer who has the highest number of the event.
    pub fn entry(event: &Event, newcomer: &Newcomer) -> JournalLine {
        JournalLine::Entry(HeaderPlayer::late(event.players(), newcomer.clone()))
    }

    /// The line of the level of an event that has just begun.
    ///
    /// # Panics
    /// If none has.
    pub fn level(event: &Event) -> JournalLine {
        let level = event.level().expect("a level has begun");
        let out =
            |(player, why): &(usize, ExitReason)| Eliminated { player: player + 1, why: why.to_string() };
        let table = |table: &TableGame| LevelTable {
            table: table.number(),
            players: table.players().iter().map(|player| player + 1).collect(),
            stacks: table.table().stacks().to_vec(),
        };
        JournalLine::Level {
            level: level.number,
            tournament: level.tournament,
            seating: level.seating,
            round: level.first_round,
            rounds: level.rounds,
            ante: level.ante,
            out: event.leaving().iter().map(out).collect(),
            tables: event.tables().iter().map(table).collect(),
        }
    }
}

/// The stacks as they were when the round ended, also if a player has been thrown out since.
pub(super) fn stacks_at_the_end(table: &Table) -> Vec<Chips> {
    let mut stacks = table.stacks().to_vec();
    for event in table.events().iter().rev().take_while(|event| **event != TableEvent::Ended) {
        if let TableEvent::Left { seat, forfeited } = event {
            stacks[seat.index()] += forfeited;
        }
    }
    stacks
}
