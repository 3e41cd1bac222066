//! The players of a tournament as the console knows them.

use crate::journal::{Header, HeaderPlayer, PlayerSource};
use crate::web::{Kind, Member};

/// The players as the people in charge know them.
pub(crate) fn members(header: &Header) -> Vec<Member> {
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
