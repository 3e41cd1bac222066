//! The listener for bots: a connection with a player's GitHubId and key waits here until a match of the player is due, and
//! one without as a stranger.

use std::collections::BTreeMap;
use std::io;
use std::net::SocketAddr;
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};

use casino_host::{Admission, Connection, ConnectionLimits, Guest, Lobby, ReadMode, Refusal};
use casino_ladder::{LadderError, NewVersion, PlayerId, PlayerRecord, Version, VersionKind, VersionState};
use casino_stud::protocol::Login;
use casino_system::processes::thread_named;
use casino_system::sockets::raise_file_limit;

use super::{LadderState, lock, now_ms};

/// The connections of those who wait for their match, by the player.
#[derive(Debug, Default)]
pub(super) struct Door(Mutex<BTreeMap<PlayerId, Box<Connection>>>);

impl Door {
    /// Whether the player's program is connected and waits. One that has hung up or written something is let go.
    pub(super) fn is_connected(&self, player: PlayerId) -> bool {
        let mut waiting = lock(&self.0);
        let Some(connection) = waiting.get_mut(&player) else { return false };
        let is_connected = connection.expect_silence(ReadMode::Now).is_ok();
        if !is_connected {
            waiting.remove(&player);
        }
        is_connected
    }

    /// The connection of a player, for its match.
    pub(super) fn take(&self, player: PlayerId) -> Option<Box<Connection>> {
        lock(&self.0).remove(&player)
    }

    fn wait(&self, player: PlayerId, connection: Box<Connection>) {
        lock(&self.0).insert(player, connection);
    }
}

/// Opens the door at this address, on a thread of its own.
pub(super) fn open(address: SocketAddr, state: Arc<LadderState>) -> io::Result<SocketAddr> {
    let limits = ConnectionLimits::default().within_files(raise_file_limit(), 200, 100);
    let (told, answer) = channel();
    let gathering = move || {
        let ended = casino_host::block_on(async {
            let mut lobby = match Lobby::bind(address, limits).await {
                Ok(lobby) => lobby,
                Err(error) => return drop(told.send(Err(error))),
            };
            drop(told.send(lobby.address()));
            loop {
                let guests = lobby.gather(1, |login, _| admission(&state, login), |_| {}).await;
                guests.into_iter().for_each(|guest| seat(&state, guest));
            }
        });
        drop(ended);
    };
    thread_named("ladder-door", gathering)?;
    answer.recv().map_err(|_| io::Error::other("the door was shut before it opened"))?
}

/// Whether this login may wait for a match.
pub(super) fn admission(state: &LadderState, login: &Login) -> Admission {
    let refused = |why: String| Admission::Refused(Refusal::Unwanted(why));
    match player(state, login) {
        Ok(Some(player)) if player.retired_ms.is_some() => {
            refused("this player is retired: ask the teacher".to_string())
        }
        Ok(Some(player)) if state.door.is_connected(player.id) => Admission::Refused(Refusal::Inside),
        Ok(Some(player)) => match connected_version(state, player.id) {
            Ok(_) => Admission::Welcome,
            Err(error) => refused(error.to_string()),
        },
        Ok(None) => Admission::Refused(Refusal::Crowded),
        Err(error) => refused(error.to_string()),
    }
}

/// The player of a login: the one whose personal link has its key, and otherwise a stranger, if there is room for one.
pub(super) fn player(state: &LadderState, login: &Login) -> Result<Option<PlayerRecord>, LadderError> {
    let mut ladder = state.ladder();
    if let Some(key) = &login.key
        && let Some(player) = ladder.player_of_key(key.text())?
    {
        return Ok(Some(player));
    }
    let stranger = ladder.free_stranger(|player| state.door.is_connected(player), now_ms())?;
    stranger.map(|id| ladder.player(id)).transpose()
}

fn seat(state: &LadderState, guest: Guest) {
    let Guest { login, connection } = guest;
    // If the database cannot be read now, the connection ends and the kit reconnects.
    if let Ok(Some(player)) = player(state, &login) {
        state.door.wait(player.id, connection);
    }
}

/// The version under which a player's program plays that connects: one for all of its connections, which plays from now on. In
/// a frozen ladder none connects: it could be another program.
fn connected_version(state: &LadderState, player: PlayerId) -> Result<Version, LadderError> {
    let mut ladder = state.ladder();
    if ladder.settings()?.is_frozen {
        return Err(LadderError::Refused("the ladder is frozen: only submitted programs play".to_string()));
    }
    let known =
        ladder.versions_of(player)?.into_iter().rev().find(|version| version.kind == VersionKind::Connection);
    let is_active =
        |version: &Version, active| Some(version.id) == active && version.state == VersionState::Ready;
    let active = ladder.player(player)?.active_version;
    let id = match known {
        Some(version) if is_active(&version, active) => return Ok(version),
        Some(version) => {
            ladder.activate(version.id)?;
            version.id
        }
        None => {
            let source = "its own connection".to_string();
            let new =
                NewVersion { player, kind: VersionKind::Connection, source, content_sha256: None, bytes: 0 };
            ladder.add_version(&new, now_ms(), |_| Ok(()))?
        }
    };
    ladder.version(id)
}
