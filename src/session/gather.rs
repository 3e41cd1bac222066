//! How the players of a tournament come together over the network.

use std::cell::RefCell;
use std::net::SocketAddr;
use std::sync::Arc;

use casino_host::{Admission, ClosedLobby, ConnectionLimits, Guest, LateDoor, Lobby, LobbyNews, Refusal};
use casino_stud::protocol::Login;
use casino_stud::tournament::{SecretIds, harmless};

use super::context::Context;
use super::reachable::reachable;
use super::{DayNotice, LobbyChange, LobbyNotice, PlayerRoster, SessionError};

/// The players who have come, and the lobby behind them.
pub(super) struct Arrivals {
    pub(super) guests: Vec<Guest>,
    pub(super) address: SocketAddr,
    /// It refuses all further connections until it is dropped, but for those who may come in late.
    pub(super) lobby: ClosedLobby,
}

/// Everybody who has come to a lobby and was not refused.
#[derive(Clone, Debug, Default)]
pub(super) struct LobbyCrowd {
    pub(super) logins: Vec<Login>,
    /// Who waits for the teacher's decision, and from where.
    pub(super) waiting: Vec<(Login, SocketAddr)>,
    /// Where programs connect, as it is typed.
    pub(super) connect: Vec<String>,
}

impl LobbyCrowd {
    fn hear(&mut self, news: &LobbyNews) {
        match news {
            LobbyNews::Entered(login) => {
                self.logins.push(login.clone());
                self.waiting.retain(|(other, _)| other.github_id != login.github_id);
            }
            LobbyNews::Waits { login, peer } => self.waiting.push((login.clone(), *peer)),
            LobbyNews::Left { login, .. } => self.logins.retain(|other| other != login),
            LobbyNews::Refused { peer, .. } => self.waiting.retain(|(_, other)| other != peer),
        }
    }
}

pub(super) struct Entrance<'a> {
    pub(super) bind: SocketAddr,
    pub(super) limits: ConnectionLimits,
    /// How many players it waits for, where no console says when play begins.
    pub(super) wanted: usize,
    pub(super) admit: &'a dyn Fn(&Login, SocketAddr) -> Admission,
    /// Whether a place is kept for whoever logs in so, however full it is.
    pub(super) has_place: &'a dyn Fn(&Login) -> bool,
    /// Where those wait who come in after the beginning, if they may.
    pub(super) door: LateDoor,
    /// Shows the page and the console who has come so far.
    pub(super) show: &'a dyn Fn(&LobbyCrowd),
}

/// Listens and waits for the players: so many of them, or until the console says that play begins. `None` if the day
/// ends there.
pub(super) async fn gather(
    context: &Context,
    entrance: Entrance<'_>,
) -> Result<Option<Arrivals>, SessionError> {
    let Entrance { bind, limits, wanted, admit, has_place, door, show } = entrance;
    let listening = Lobby::bind(bind, limits).await;
    let mut lobby = listening.map_err(|source| SessionError::Listen { address: bind, source })?;
    let console = Arc::clone(&context.console);
    console.lobby_orders().clear();
    lobby = lobby.under(console.lobby_orders().clone());
    let address = lobby.address().map_err(SessionError::System)?;
    context.tell(&DayNotice::Listening(address))?;
    let connect = reachable(address).iter().map(ToString::to_string).collect();
    let crowd = RefCell::new(LobbyCrowd { connect, ..LobbyCrowd::default() });
    let mut ids = SecretIds::default();
    let roster = context.options.roster.clone();
    let listed = roster.clone();
    if let Some(roster) = &roster {
        roster.players().for_each(|(github_id, _)| ids.add(github_id));
    }
    let show_all = || show(&crowd.borrow());
    show_all();
    let (notices, told) = (Arc::clone(&context.notices), Arc::clone(&console));
    let news = |news: LobbyNews| {
        crowd.borrow_mut().hear(&news);
        if let LobbyNews::Entered(login) | LobbyNews::Waits { login, .. } = &news {
            ids.add(&login.github_id);
        }
        told.hear(&news);
        show_all();
        // Nobody has to read who comes and goes.
        let inside = crowd.borrow().logins.len();
        let what = in_public(&news, &ids, roster.as_ref());
        let _ = notices.tell(&DayNotice::Lobby(LobbyNotice { what, inside, wanted }));
    };
    let guests = match context.options.console {
        None => lobby.gather(wanted, admit, news).await,
        // All who come, until the console says that play begins.
        Some(_) => {
            let full = |login: &Login, from: SocketAddr| match has_place(login) || context.console.has_room()
            {
                true => admit(login, from),
                false => Admission::Refused(Refusal::Full),
            };
            tokio::select! {
                guests = lobby.gather(usize::MAX, full, news) => guests,
                begins = context.wait_for_start(show_all) => match begins {
                    true => lobby.begin_with_those_inside(),
                    false => return Ok(None),
                },
            }
        }
    };
    let notices = Arc::clone(&context.notices);
    let roster = context.options.roster.clone();
    let admit_late =
        move |login: &Login, _| match roster.as_ref().and_then(|roster| roster.refusal(&login.github_id)) {
            Some(why) => Err(why),
            None => Ok(()),
        };
    let lobby = lobby.close_but_for(door, admit_late, move |news| {
        console.hear(&news);
        if let LobbyNews::Entered(login) = &news {
            // That it plays is told when it sits down.
            return ids.add(&login.github_id);
        }
        let what = in_public(&news, &ids, listed.as_ref());
        let _ = notices.tell(&DayNotice::Lobby(LobbyNotice { what, inside: wanted, wanted }));
    });
    Ok(Some(Arrivals { guests, address, lobby }))
}

/// What happened in the lobby, without any GitHubId that a program sent, as far as they are known: it may be shown to
/// everybody. The roster's names are the teacher's word.
fn in_public(news: &LobbyNews, ids: &SecretIds, roster: Option<&PlayerRoster>) -> LobbyChange {
    let name = |login: &Login| match roster.and_then(|roster| roster.name(&login.github_id)) {
        Some(name) => name.to_string(),
        None => {
            harmless(&login.avatar).filter(|name| !ids.have(name)).unwrap_or_else(|| "somebody".to_string())
        }
    };
    match news {
        LobbyNews::Entered(login) => LobbyChange::Entered(name(login)),
        LobbyNews::Waits { peer, .. } => LobbyChange::Waits { from: peer.ip() },
        LobbyNews::Refused { peer, why, .. } => {
            LobbyChange::Refused { from: peer.ip(), why: why.in_public() }
        }
        LobbyNews::Left { login, why, .. } => LobbyChange::Left { name: name(login), why: why.in_public() },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_comes_in_has_the_rosters_name_and_otherwise_what_it_sent_if_that_is_no_id() {
        let roster = PlayerRoster::read(b"github_id,name\nada-l,Ada-L\nbob-b,\ncyd-c,\n").unwrap();
        let mut ids = SecretIds::default();
        roster.players().for_each(|(github_id, _)| ids.add(github_id));
        let entered = |github_id: &str, avatar: &str| {
            let login = Login { github_id: github_id.to_string(), avatar: avatar.to_string() };
            match in_public(&LobbyNews::Entered(login), &ids, Some(&roster)) {
                LobbyChange::Entered(name) => name,
                _ => String::new(),
            }
        };
        assert_eq!(entered("ada-l", "x"), "Ada-L");
        assert_eq!(
            (entered("bob-b", "Bobby"), entered("cyd-c", "CYD-C")),
            ("Bobby".into(), "somebody".into())
        );
    }
}
