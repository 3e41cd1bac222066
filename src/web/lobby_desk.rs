//! The lobby and the players as the teacher sees them.

use std::net::IpAddr;

use serde::Serialize;

/// What kind of player somebody is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A bot of the house.
    House,
    /// A program this process started.
    Started,
    /// A program that connected.
    Remote,
}

/// A player in the lobby or in the tournament, as the teacher knows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Member {
    /// The GitHubId of the player.
    pub github_id: String,
    /// The name everyone sees.
    pub name: String,
    /// The avatar as it was sent, harmless to look at.
    pub avatar: String,
    /// What kind of player it is.
    pub kind: Kind,
}

/// What is expected of a lobby.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LobbyTerms {
    /// How many players there will be.
    pub wanted: usize,
    /// The fewest that can begin.
    pub fewest: usize,
    /// Whether only those on a roster may log in.
    pub has_roster: bool,
    /// Whether a tournament that was interrupted is gone on with.
    pub resumed: bool,
}

/// A player who is expected and has not come.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MissingPlayer {
    /// The GitHubId of the player.
    pub github_id: String,
    /// The name everyone sees; empty if it is not known yet.
    pub name: String,
    /// Whether the teacher goes on without this player.
    pub given_up: bool,
}

/// A player whose login waits for the teacher.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AwaitingPlayer {
    /// The GitHubId of the player.
    pub github_id: String,
    /// The name everyone sees.
    pub name: String,
    /// The address it connected from.
    pub from: IpAddr,
}

/// A lobby as the teacher sees it.
#[derive(Clone, Debug, Default)]
pub struct LobbyDesk {
    /// What is expected.
    pub terms: LobbyTerms,
    /// Who is in.
    pub members: Vec<Member>,
    /// Who is missing.
    pub missing: Vec<MissingPlayer>,
    /// Whose login waits for the teacher.
    pub awaiting: Vec<AwaitingPlayer>,
}
