//! How the players of a tournament come together over the network.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::sync::Arc;

use crate::protocol::Login;
use crate::server::{ClosedLobby, ConnectionLimits, Guest, Lobby, LobbyNews};
use crate::tournament::{harmless, is_one_of};

use super::context::Context;
use super::{DayNotice, LobbyChange, LobbyNotice, SessionError};

/// The players who have come, and the lobby behind them.
pub(super) struct Arrivals {
    pub(super) guests: Vec<Guest>,
    /// Where they connected.
    pub(super) address: SocketAddr,
    /// It refuses all further connections until it is dropped.
    pub(super) lobby: ClosedLobby,
}

/// Shows the page who has logged in so far.
pub(super) type ShowLogins<'a> = &'a dyn Fn(&[Login]);

/// Listens at this address and waits for so many players. `unwanted` returns the reason why a login is refused, if
/// there is one. With `show` the page is shown who is in, and the console may say when play begins. `None` if the day
/// ends there.
pub(super) async fn gather(
    context: &Context,
    bind: SocketAddr,
    limits: ConnectionLimits,
    wanted: usize,
    unwanted: impl Fn(&Login) -> Option<String>,
    show: Option<ShowLogins<'_>>,
) -> Result<Option<Arrivals>, SessionError> {
    let listening = Lobby::bind(bind, limits).await;
    let mut lobby = listening.map_err(|source| SessionError::Listen { address: bind, source })?;
    let address = lobby.address().map_err(SessionError::System)?;
    context.tell(&DayNotice::Listening(address))?;
    let inside: RefCell<Vec<Login>> = RefCell::default();
    let mut ids = BTreeSet::new();
    let show_all = || {
        if let Some(show) = show {
            show(&inside.borrow());
        }
    };
    show_all();
    let notices = Arc::clone(&context.notices);
    let news = |news: LobbyNews| {
        match &news {
            LobbyNews::Entered(login) => {
                inside.borrow_mut().push(login.clone());
                ids.insert(login.github_id.clone());
            }
            LobbyNews::Left { login, .. } => inside.borrow_mut().retain(|other| other != login),
            LobbyNews::Refused { .. } => {}
        }
        show_all();
        // Nobody has to read who comes and goes.
        let _ = notices.tell(&DayNotice::Lobby(in_public(&news, &ids, inside.borrow().len(), wanted)));
    };
    let guests = match (show, &context.room) {
        (Some(_), Some(room)) => room.gather(&mut lobby, wanted, unwanted, news, show_all).await,
        _ => Some(lobby.gather(wanted, unwanted, news).await),
    };
    let Some(guests) = guests else { return Ok(None) };
    let notices = Arc::clone(&context.notices);
    let lobby = lobby.close(move |news| {
        let _ = notices.tell(&DayNotice::Lobby(in_public(&news, &ids, wanted, wanted)));
    });
    Ok(Some(Arrivals { guests, address, lobby }))
}

/// What happened in the lobby, without any GitHubId as far as they are known: it may be shown to everybody.
fn in_public(news: &LobbyNews, ids: &BTreeSet<String>, inside: usize, wanted: usize) -> LobbyNotice {
    let name = |avatar: &str| {
        harmless(avatar).filter(|name| !is_one_of(name, ids)).unwrap_or_else(|| "somebody".to_string())
    };
    let what = match news {
        LobbyNews::Entered(login) => LobbyChange::Entered(name(&login.avatar)),
        LobbyNews::Refused { peer, why } => LobbyChange::Refused { from: peer.ip(), why: why.in_public() },
        LobbyNews::Left { login, why } => {
            LobbyChange::Left { name: name(&login.avatar), why: why.in_public() }
        }
    };
    LobbyNotice { what, inside, wanted }
}
