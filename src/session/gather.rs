//! How the players of a day come together.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::net::SocketAddr;

use crate::protocol::Login;
use crate::server::{ClosedLobby, ConnectionLimits, Guest, Lobby, LobbyNews};
use crate::tournament::{harmless, is_one_of};
use crate::web::Room;

use super::{Failure, Output, Setup, output};

/// Hosts tournament after tournament, as often as the teacher wants.
pub(crate) async fn host(
    bind: SocketAddr,
    limits: ConnectionLimits,
    remote: usize,
    mut setup: Setup,
) -> Result<(), Failure> {
    let mut bind = bind;
    loop {
        let wanted = setup.named() + remote;
        let show = |inside: &[Login]| setup.show_lobby(inside, wanted);
        let watch = setup.room().map(|room| Observer { room, show: &show });
        let Some(arrival) = gather(bind, limits, remote, setup.is_chatty(), |_| None, watch).await? else {
            return Ok(());
        };
        let goes_on = setup.play_networked(arrival.guests, Some(arrival.address)).await?;
        if !goes_on {
            return Ok(());
        }
        // The same door for each tournament of the day.
        bind = arrival.address;
        arrival.doors.away().await;
        setup.next()?;
    }
}

/// A room that watches who comes.
pub(crate) struct Observer<'a> {
    room: &'a Room,
    /// Shows who is in.
    show: &'a dyn Fn(&[Login]),
}

/// Those who have come to play.
pub(crate) struct Arrival {
    /// They.
    pub(crate) guests: Vec<Guest>,
    /// Where they came.
    pub(crate) address: SocketAddr,
    /// Whoever comes later is told so until this is dropped.
    doors: ClosedLobby,
}

/// Listens, says where in the first line of standard output, and waits for this many players. `unwanted` says why
/// somebody cannot be let in. News goes to standard error if people are to hear it. Where people watch, they are
/// shown who comes, and may say when it begins. `None` if they end the day instead.
pub(crate) async fn gather(
    bind: SocketAddr,
    limits: ConnectionLimits,
    count: usize,
    chatty: bool,
    unwanted: impl Fn(&Login) -> Option<String>,
    watch: Option<Observer<'_>>,
) -> Result<Option<Arrival>, Failure> {
    let mut lobby = Lobby::bind(bind, limits).await.map_err(|error| {
        Failure::Usage(format!("{bind} cannot be listened on: {error}; choose another --bind"))
    })?;
    let address = lobby.address().map_err(Failure::broke)?;
    let mut stdout = Output::stdout();
    stdout.line(format_args!("listening on {address}"))?;
    stdout.flush()?;
    let inside: RefCell<Vec<Login>> = RefCell::default();
    let mut ids = BTreeSet::new();
    let show = || {
        if let Some(watch) = &watch {
            (watch.show)(&inside.borrow());
        }
    };
    show();
    let news = |news: LobbyNews| {
        match &news {
            LobbyNews::Entered(login) => {
                inside.borrow_mut().push(login.clone());
                ids.insert(login.github_id.clone());
            }
            LobbyNews::Left { login, .. } => inside.borrow_mut().retain(|other| other != login),
            LobbyNews::Refused { .. } => {}
        }
        show();
        if chatty {
            output::remark(&sentence(&news, &ids, inside.borrow().len(), count));
        }
    };
    let guests = match &watch {
        Some(watch) => watch.room.gather(&mut lobby, count, unwanted, news, show).await,
        None => Some(lobby.gather(count, unwanted, news).await),
    };
    let Some(guests) = guests else { return Ok(None) };
    let doors = lobby.close(move |news| {
        if chatty {
            output::remark(&sentence(&news, &ids, count, count));
        }
    });
    Ok(Some(Arrival { guests, address, doors }))
}

/// What happened in the lobby, without anybody's GitHubId as far as they are known: this may be on the
/// projector.
fn sentence(news: &LobbyNews, ids: &BTreeSet<String>, inside: usize, wanted: usize) -> String {
    let name = |avatar: &str| {
        harmless(avatar).filter(|name| !is_one_of(name, ids)).unwrap_or_else(|| "somebody".to_string())
    };
    match news {
        LobbyNews::Entered(login) => format!("{} is in: {inside} of {wanted}", name(&login.avatar)),
        LobbyNews::Refused { peer, why } => {
            format!("refused a connection from {}: {}", peer.ip(), why.in_public())
        }
        LobbyNews::Left { login, why } => {
            format!("{} is gone: {}; {inside} of {wanted}", name(&login.avatar), why.in_public())
        }
    }
}
