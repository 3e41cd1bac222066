//! Rounds as JSON, with players by name.

use serde::{Serialize, Serializer};

use crate::cards::Card;
use crate::stud::{Chips, Half, Street};

use super::{DealtPlayer, PrivateNote, PublicEvent, RoundSummary};

#[derive(Serialize)]
struct RoundJson<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    table: Option<u32>,
    round: u64,
    finished: bool,
    players: &'a [DealtPlayer],
    happenings: Vec<EventJson<'a>>,
    pot: Chips,
    shown: &'a [Card],
    hand: Option<&'a str>,
    stacks: &'a [Chips],
}

/// An event with the private message to its player. The deal is in the list of players, the end in the round itself.
#[derive(Serialize)]
#[serde(tag = "what", rename_all = "snake_case")]
enum EventJson<'a> {
    Street { street: u8, player: &'a str, pot: Chips },
    Bet { player: &'a str, to_call: Chips, chips: Chips, put_in: Chips, pot: Chips },
    Fold { player: &'a str, to_call: Chips },
    StaysIn { player: &'a str },
    ForcedFold { player: &'a str },
    Foul { player: &'a str, foul: &'static str, was_in: bool, why: &'a str },
    Wins { player: &'a str, half: Half, chips: Chips },
    Leaves { player: &'a str, forfeited: Chips, why: &'a str },
}

impl<'a> EventJson<'a> {
    fn of(
        round: &'a RoundSummary,
        (event, note): (&'a PublicEvent, Option<&'a PrivateNote>),
    ) -> Option<EventJson<'a>> {
        let name = |seat| round.name_at(seat);
        let (told, why) = note.map_or(("", ""), |note| (note.name, &note.why));
        Some(match *event {
            PublicEvent::Dealt(_) | PublicEvent::Ended(_) => return None,
            PublicEvent::Opened { street, opener, pot, .. } => {
                let street = if street == Street::First { 1 } else { 2 };
                EventJson::Street { street, player: name(opener), pot }
            }
            PublicEvent::Bet { seat, to_call, chips, put_in, pot } => {
                EventJson::Bet { player: name(seat), to_call, chips, put_in, pot }
            }
            PublicEvent::Fold { seat, to_call } => EventJson::Fold { player: name(seat), to_call },
            PublicEvent::StaysIn(seat) => EventJson::StaysIn { player: name(seat) },
            PublicEvent::ForcedFold(seat) => EventJson::ForcedFold { player: name(seat) },
            PublicEvent::Foul { seat, was_in, .. } => {
                EventJson::Foul { player: name(seat), foul: told, was_in, why }
            }
            PublicEvent::Won { seat, half, chips } => EventJson::Wins { player: name(seat), half, chips },
            PublicEvent::Left { seat, forfeited, .. } => {
                EventJson::Leaves { player: name(seat), forfeited, why }
            }
        })
    }
}

impl Serialize for RoundSummary {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let json = RoundJson {
            table: self.table,
            round: self.round,
            finished: self.finished,
            players: &self.players,
            happenings: self.noted_events().filter_map(|event| EventJson::of(self, event)).collect(),
            pot: self.pot,
            shown: &self.shown,
            hand: self.hand.as_deref(),
            stacks: &self.stacks,
        };
        json.serialize(serializer)
    }
}
