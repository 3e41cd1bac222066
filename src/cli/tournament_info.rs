//! What the room and the people in charge are told of a tournament before its first round.

use crate::cards::Seed;
use crate::journal::{Header, HeaderPlayer, PlayerSource};
use crate::replay::TournamentInfo;
use crate::web::{Kind, Member};

/// What the room is told of a tournament before its first round.
pub(super) fn programme(header: &Header, seed: &Seed, number: u32) -> TournamentInfo {
    TournamentInfo::new(header, seed, number)
}

/// The players as the people in charge know them.
pub(super) fn members(header: &Header) -> Vec<Member> {
    let member = |player: &HeaderPlayer| Member {
        github_id: player.github_id.clone(),
        name: player.name.clone(),
        avatar: match &player.plays {
            PlayerSource::Program { name, .. } => name.clone(),
            _ => player.name.clone(),
        },
        kind: match &player.plays {
            PlayerSource::Program { .. } => Kind::Started,
            PlayerSource::Remote => Kind::Remote,
            PlayerSource::House(_) => Kind::House,
        },
    };
    header.players.iter().map(member).collect()
}
