//! How the players of a tournament come together over the network.

use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::Instant;

use casino_host::{Admission, ClosedLobby, ConnectionLimits, Guest, LateDoor, Lobby, LobbyNews, Refusal};
use casino_stud::protocol::Login;
use casino_stud::tournament::{SecretIds, harmless};

use super::console::ConsoleState;
use super::context::Context;
use super::reachable::typed_addresses;
use super::{DayNotice, LobbyChange, LobbyNotice, PlayerRoster, SessionError};

/// The players who have come, and the lobby behind them.
pub(super) struct Arrivals {
    pub(super) guests: Vec<Guest>,
    pub(super) address: SocketAddr,
    /// It refuses all further connections until it is dropped, but for those who may come in late.
    pub(super) lobby: ClosedLobby,
}

/// All players who came to a lobby and were not refused.
#[derive(Clone, Debug, Default)]
pub(super) struct LobbyCrowd {
    pub(super) logins: Vec<Login>,
    /// The player waiting for the teacher's decision, and its address.
    pub(super) waiting: Vec<(Login, SocketAddr)>,
    /// Where programs connect, as it is typed.
    pub(super) connect: Vec<String>,
}

impl LobbyCrowd {
    fn is_waiting(&self, login: &Login) -> bool {
        self.waiting.iter().any(|(other, _)| other.github_id == login.github_id)
    }

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

/// Minimum time between two updates of the lobby's displays. An update costs time for each player, so updates on each
/// arrival would slow down a lobby of thousands.
const MIN_UPDATE_INTERVAL: Duration = Duration::from_millis(200);

/// The crowd, as the page and the console show it.
struct ShownCrowd<'a> {
    crowd: RefCell<LobbyCrowd>,
    show: &'a dyn Fn(&LobbyCrowd),
    /// How many have come who are not shown yet.
    unseen: Cell<usize>,
    changed: Notify,
}

impl<'a> ShownCrowd<'a> {
    fn new(connect: Vec<String>, show: &'a dyn Fn(&LobbyCrowd)) -> ShownCrowd<'a> {
        let crowd = RefCell::new(LobbyCrowd { connect, ..LobbyCrowd::default() });
        ShownCrowd { crowd, show, unseen: Cell::new(0), changed: Notify::new() }
    }

    fn show(&self) {
        self.unseen.set(0);
        (self.show)(&self.crowd.borrow());
    }

    /// Shows changes, at once after a pause.
    async fn keep_showing(&self) -> Infallible {
        loop {
            self.changed.notified().await;
            self.show();
            tokio::time::sleep(MIN_UPDATE_INTERVAL).await;
        }
    }

    /// Returns the number of players. Commands of the teacher are shown at once.
    fn hear(&self, news: &LobbyNews) -> usize {
        let was_asked_for = match news {
            LobbyNews::Left { why, .. } => matches!(why, Refusal::SentAway(_)),
            LobbyNews::Entered(login) => self.crowd.borrow().is_waiting(login),
            LobbyNews::Waits { .. } | LobbyNews::Refused { .. } => false,
        };
        self.crowd.borrow_mut().hear(news);
        if was_asked_for {
            self.show();
        } else {
            self.unseen.set(self.unseen.get() + usize::from(matches!(news, LobbyNews::Entered(_))));
            self.changed.notify_one();
        }
        self.crowd.borrow().logins.len()
    }

    /// Whether there is room for another program. The console counts the displayed ones.
    fn has_room(&self, console: &ConsoleState) -> bool {
        // An arrival may have replaced a substitute: the room is then unchanged.
        if self.unseen.get() > 0 && console.room() <= self.unseen.get() {
            self.show();
        }
        console.room() > self.unseen.get()
    }
}

/// Time between two looks at this machine's addresses, which change with its networks, and at the roster's file.
const LOOK_INTERVAL: Duration = Duration::from_secs(2);

/// Shows changes of the crowd and of the machine's addresses, until that fails.
async fn keep_displaying(
    context: &Context,
    listens: SocketAddr,
    crowd: &ShownCrowd<'_>,
) -> Result<Infallible, SessionError> {
    tokio::select! {
        never = crowd.keep_showing() => match never {},
        failed = follow_changes(context, listens, crowd) => failed,
    }
}

/// Shows new addresses of the machine, and reads a changed roster.
async fn follow_changes(
    context: &Context,
    listens: SocketAddr,
    crowd: &ShownCrowd<'_>,
) -> Result<Infallible, SessionError> {
    loop {
        tokio::time::sleep(LOOK_INTERVAL).await;
        context.console.read_roster_again();
        let connect = typed_addresses(listens);
        if crowd.crowd.borrow().connect != connect {
            crowd.crowd.borrow_mut().connect = connect;
            context.notify(&DayNotice::Addresses(listens))?;
            context.announce_page()?;
            crowd.show();
        }
    }
}

pub(super) struct Entrance<'a> {
    pub(super) bind: SocketAddr,
    /// How long it tries to listen there while the address is in use.
    pub(super) patience: Duration,
    pub(super) limits: ConnectionLimits,
    /// How many players it waits for, where no console says when play begins.
    pub(super) wanted: usize,
    pub(super) admit: &'a dyn Fn(&Login, SocketAddr) -> Admission,
    /// Whether a place is reserved for this login, even in a full lobby.
    pub(super) has_place: &'a dyn Fn(&Login) -> bool,
    /// Where those wait who come in after the beginning, if they may.
    pub(super) door: LateDoor,
    /// Shows the page and the console who has come so far.
    pub(super) show: &'a dyn Fn(&LobbyCrowd),
}

/// How long the lobby of a further tournament waits for the address of the last one.
pub(super) const ADDRESS_PATIENCE: Duration = Duration::from_secs(10);

/// Time between two attempts to listen at an address.
const BIND_INTERVAL: Duration = Duration::from_millis(100);

/// Listens at an address, which may be in use for so long.
async fn bind_within(bind: SocketAddr, patience: Duration, limits: ConnectionLimits) -> io::Result<Lobby> {
    let begun = Instant::now();
    loop {
        match Lobby::bind(bind, limits).await {
            Err(error) if error.kind() == io::ErrorKind::AddrInUse && begun.elapsed() < patience => {
                tokio::time::sleep(BIND_INTERVAL).await;
            }
            listening => return listening,
        }
    }
}

/// Listens and waits for the players: so many of them, or until the console says that play begins. `None` if the day
/// ends there.
pub(super) async fn gather(
    context: &Context,
    entrance: Entrance<'_>,
) -> Result<Option<Arrivals>, SessionError> {
    let Entrance { bind, patience, limits, wanted, admit, has_place, door, show } = entrance;
    let listening = bind_within(bind, patience, limits).await;
    let mut lobby = listening.map_err(|source| SessionError::Listen { address: bind, source })?;
    let console = Arc::clone(&context.console);
    console.lobby_orders().clear();
    lobby = lobby.under(console.lobby_orders().clone());
    let address = lobby.address().map_err(SessionError::System)?;
    context.notify(&DayNotice::Listening(address))?;
    context.notify(&DayNotice::Addresses(address))?;
    let crowd = ShownCrowd::new(typed_addresses(address), show);
    let mut ids = SecretIds::default();
    if let Some(roster) = console.roster() {
        roster.players().for_each(|(github_id, _)| ids.add(github_id));
    }
    crowd.show();
    // The players who need not connect are in, as on the page.
    let (others, all) = console.lobby_counts();
    let wanted_in_all = if wanted == 0 { 0 } else { all };
    let substituted = Cell::new(0);
    let (notices, told) = (Arc::clone(&context.notices), Arc::clone(&console));
    let news = |news: LobbyNews| {
        let came = crowd.hear(&news);
        match &news {
            LobbyNews::Entered(login) if has_place(login) => substituted.set(substituted.get() + 1),
            LobbyNews::Left { login, .. } if has_place(login) => substituted.set(substituted.get() - 1),
            _ => {}
        }
        let inside = others + came - substituted.get();
        if let LobbyNews::Entered(login) | LobbyNews::Waits { login, .. } = &news {
            ids.add(&login.github_id);
        }
        told.hear(&news);
        // Arrivals and departures are optional output.
        let what = in_public(&news, &ids, told.roster().as_deref());
        let wanted = wanted_in_all;
        let _ = notices.notify(&DayNotice::Lobby(LobbyNotice { what, inside, wanted }));
    };
    let guests = match context.options.console {
        None => tokio::select! {
            guests = lobby.gather(wanted, admit, news) => {
                crowd.show();
                guests
            }
            failed = keep_displaying(context, address, &crowd) => match failed? {},
        },
        // All who come, until the console says that play begins.
        Some(_) => {
            let full = |login: &Login, from: SocketAddr| match has_place(login)
                || crowd.has_room(&context.console)
            {
                true => admit(login, from),
                false => Admission::Refused(Refusal::Full),
            };
            tokio::select! {
                guests = lobby.gather(usize::MAX, full, news) => guests,
                begins = context.wait_for_start(|| crowd.show()) => match begins {
                    true => lobby.begin_with_those_inside(),
                    false => return Ok(None),
                },
                failed = keep_displaying(context, address, &crowd) => match failed? {},
            }
        }
    };
    let lobby = close(context, lobby, door, ids);
    Ok(Some(Arrivals { guests, address, lobby }))
}

/// Closes a lobby, but for those who may come in late.
fn close(context: &Context, lobby: Lobby, door: LateDoor, mut ids: SecretIds) -> ClosedLobby {
    let (notices, console) = (Arc::clone(&context.notices), Arc::clone(&context.console));
    let roster = Arc::clone(&console);
    let admit = move |login: &Login, _| match roster.roster_refusal(&login.github_id) {
        Some(why) => Err(why),
        None => Ok(()),
    };
    let mut too_late = HashSet::new();
    lobby.close_but_for(door, admit, move |news| {
        // Programs that wait for the next tournament try every few seconds: one line for each address is enough.
        if let LobbyNews::Refused { peer, login: None, why: Refusal::TooLate(_) } = &news
            && !too_late.insert(peer.ip())
        {
            return;
        }
        console.hear(&news);
        if let LobbyNews::Entered(login) = &news {
            // Its participation is announced when it sits down.
            return ids.add(&login.github_id);
        }
        let what = in_public(&news, &ids, console.roster().as_deref());
        let (inside, _) = console.lobby_counts();
        let _ = notices.notify(&DayNotice::Lobby(LobbyNotice { what, inside, wanted: 0 }));
    })
}

/// Events of the lobby for public display, without any GitHubId sent by a program, as far as known. Names from the
/// roster are trusted.
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
    use super::super::console::{LobbyFeed, LobbyTerms, Member};
    use super::*;
    use casino_stud::journal::PlayerSource;

    fn entered(number: usize) -> LobbyNews {
        LobbyNews::Entered(Login { github_id: format!("player-{number}"), avatar: String::new(), key: None })
    }

    #[tokio::test(start_paused = true)]
    async fn simultaneous_arrivals_are_shown_once() {
        let shown = RefCell::new(Vec::new());
        let show = |crowd: &LobbyCrowd| shown.borrow_mut().push(crowd.logins.len());
        let crowd = ShownCrowd::new(Vec::new(), &show);
        let coming = async {
            crowd.hear(&entered(0));
            tokio::task::yield_now().await;
            let inside = (1..6_000).map(|number| crowd.hear(&entered(number))).max();
            assert_eq!(inside, Some(6_000));
            tokio::time::sleep(3 * MIN_UPDATE_INTERVAL).await;
            crowd.hear(&entered(6_000));
            tokio::time::sleep(MIN_UPDATE_INTERVAL / 2).await;
        };
        tokio::select! {
            biased;
            () = coming => {}
            never = crowd.keep_showing() => match never {},
        }
        assert_eq!(*shown.borrow(), [1, 6_000, 6_001]);
    }

    #[tokio::test]
    async fn an_address_that_is_free_again_is_listened_at() {
        let other = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let (address, limits) = (other.local_addr().unwrap(), ConnectionLimits::default());
        let refused = bind_within(address, Duration::ZERO, limits).await.err().unwrap();
        assert_eq!(refused.kind(), io::ErrorKind::AddrInUse);
        let freed = async {
            tokio::time::sleep(3 * BIND_INTERVAL).await;
            drop(other);
        };
        let (lobby, ()) = tokio::join!(bind_within(address, ADDRESS_PATIENCE, limits), freed);
        assert_eq!(lobby.unwrap().address().unwrap(), address);
    }

    #[test]
    fn actions_of_the_teacher_are_shown_at_once() {
        let shown = RefCell::new(Vec::new());
        let show = |crowd: &LobbyCrowd| shown.borrow_mut().push((crowd.logins.len(), crowd.waiting.len()));
        let crowd = ShownCrowd::new(Vec::new(), &show);
        let (peer, LobbyNews::Entered(login)) = (SocketAddr::from(([127, 0, 0, 1], 1)), entered(0)) else {
            unreachable!("that is what it makes")
        };
        crowd.hear(&LobbyNews::Waits { login: login.clone(), peer });
        crowd.hear(&entered(0));
        crowd.hear(&entered(1));
        crowd.hear(&LobbyNews::Left { login, peer, why: Refusal::SentAway("you are not Ada".to_string()) });
        assert_eq!(*shown.borrow(), [(1, 0), (1, 0)]);
    }

    #[test]
    fn undisplayed_guests_count_towards_the_capacity() {
        let console = ConsoleState::default();
        let show = |crowd: &LobbyCrowd| {
            let member = |login: &Login| {
                Member::new(&login.github_id, "", PlayerSource::Remote, &SecretIds::default())
            };
            let members = crowd.logins.iter().map(member).collect();
            let terms = LobbyTerms { wanted: 3, room: 3, ..LobbyTerms::default() };
            console.show_lobby(LobbyFeed { terms, members, missing: Vec::new(), awaiting: Vec::new() });
        };
        let crowd = ShownCrowd::new(Vec::new(), &show);
        crowd.show();
        let let_in = (0..5).filter(|number| crowd.has_room(&console) && crowd.hear(&entered(*number)) > 0);
        assert_eq!(let_in.count(), 3);
    }

    #[test]
    fn guests_get_the_roster_name_or_the_sent_name_if_it_is_no_id() {
        let roster = PlayerRoster::read(b"github_id,name\nada-l,Ada-L\nbob-b,\ncyd-c,\n").unwrap();
        let mut ids = SecretIds::default();
        roster.players().for_each(|(github_id, _)| ids.add(github_id));
        let entered = |github_id: &str, avatar: &str| {
            let login = Login { github_id: github_id.to_string(), avatar: avatar.to_string(), key: None };
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
