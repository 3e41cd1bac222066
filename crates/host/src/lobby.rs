//! The lobby: accepts connections, asks for logins, and refuses clients that cannot play.

use std::collections::VecDeque;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use bytes::BytesMut;
use tokio::net::TcpListener;
use tokio::task::{AbortHandle, JoinHandle, JoinSet};
use tokio::time::{Instant, Interval, MissedTickBehavior};

use casino_stud::protocol::{Login, write_done};
use casino_stud::tournament::EntryError;
use casino_system::sockets::listen;

use super::lobby_orders::{LobbyOrder, LobbyOrders};
use super::log_in::log_in;
use super::refusal::{LobbyNews, Refusal};
use super::socket::{Listener, Socket};
use super::strangers::{ConnectionLimits, Strangers, oldest_of_crowd};
use super::{Connection, LateDoor, ReadMode};

/// Pause when the system has no file descriptor or memory left for another connection.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Connections above the limit of strangers that may be open while displaced ones close.
const MAX_CLOSING_CONNECTIONS: usize = 32;

/// How often the connections of waiting guests are checked. The time of one check grows with their number, so a check
/// at each arrival would fill a lobby of thousands slowly.
const GUEST_CHECK_INTERVAL: Duration = Duration::from_millis(200);

/// How long a GitHubId that was sent away is barred from its address.
pub(crate) const BAN_DURATION: Duration = Duration::from_secs(120);

const MAX_UNDECIDED_CLIENTS: usize = 64;

/// The host's decision about a well-formed login.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Admission {
    /// The client is admitted.
    Welcome,
    /// The client waits until the host has decided: see [`LobbyOrders::approve`].
    Waits,
    /// The client is refused.
    Refused(Refusal),
}

/// A client that has logged in and waits for the game to begin.
#[derive(Debug)]
pub struct Guest {
    /// Its login.
    pub login: Login,
    /// Its connection, boxed because a thousand of them are moved.
    pub connection: Box<Connection>,
}

/// A completed login.
#[derive(Debug)]
struct Arrival {
    peer: SocketAddr,
    /// Its number among the strangers.
    number: u64,
    outcome: Result<Guest, Refusal>,
}

/// Accepts connections until it is dropped, and admits the clients that log in. The front page of this package has an
/// example.
#[derive(Debug)]
pub struct Lobby {
    listener: Listener,
    limits: ConnectionLimits,
    /// Logins under way.
    arriving: JoinSet<Arrival>,
    strangers: Strangers,
    /// Connections that are receiving the reason of their refusal.
    turned_away: JoinSet<()>,
    /// The same ones, the oldest first, to be cut off where there are too many.
    farewells: VecDeque<AbortHandle>,
    guests: Vec<Guest>,
    /// Clients that have logged in and wait for the host's decision.
    waiting: Vec<Guest>,
    /// Barred players: GitHubId, address, and the time since when.
    barred: Vec<(String, IpAddr, Instant)>,
    orders: LobbyOrders,
}

impl Lobby {
    /// Creates a lobby at this listener, which the caller has bound.
    pub fn new(listener: Listener, limits: ConnectionLimits) -> Lobby {
        Lobby {
            listener,
            limits,
            arriving: JoinSet::new(),
            strangers: Strangers::default(),
            turned_away: JoinSet::new(),
            farewells: VecDeque::new(),
            guests: Vec::new(),
            waiting: Vec::new(),
            barred: Vec::new(),
            orders: LobbyOrders::default(),
        }
    }

    /// The same lobby, under these orders.
    #[must_use]
    pub fn under(self, orders: LobbyOrders) -> Lobby {
        Lobby { orders, ..self }
    }

    /// Creates a lobby at this address; with port 0 the system chooses a port.
    pub async fn bind(address: SocketAddr, limits: ConnectionLimits) -> io::Result<Lobby> {
        let listener = TcpListener::from_std(listen(address)?)?;
        Ok(Lobby::new(Listener::Tcp(listener), limits))
    }

    /// Returns the address the lobby listens on.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.address()
    }

    /// Waits until `count` guests are connected at the same time and returns them, reporting each change to `news`.
    /// `admit` decides about each well-formed login from an address.
    pub async fn gather(
        &mut self,
        count: usize,
        admit: impl Fn(&Login, SocketAddr) -> Admission,
        mut news: impl FnMut(LobbyNews),
    ) -> Vec<Guest> {
        let orders = self.orders.clone();
        let mut checks = guest_checks();
        while !self.are_connected(count, &mut news) {
            // In this order, so that the same arrivals give the same lobby. New connections come last, so that they
            // starve nothing else.
            tokio::select! {
                biased;
                Some(arrived) = self.arriving.join_next() => {
                    if let Ok(arrival) = arrived {
                        self.arrived(arrival, &admit, &mut news);
                    }
                }
                Some(_) = self.turned_away.join_next() => {}
                _ = checks.tick() => self.check_all(ReadMode::WhenIdle, &mut news),
                order = orders.next() => self.carry_out(order, &mut news),
                accepted = self.listener.accept() => self.accept(accepted, &mut news).await,
            }
        }
        std::mem::take(&mut self.guests)
    }

    /// Returns all guests present, for a host that waits no longer.
    pub fn begin_with_those_inside(&mut self) -> Vec<Guest> {
        std::mem::take(&mut self.guests)
    }

    async fn accept(&mut self, accepted: io::Result<(Socket, SocketAddr)>, news: &mut impl FnMut(LobbyNews)) {
        let (socket, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(_) => return tokio::time::sleep(ACCEPT_PAUSE).await,
        };
        if !self.make_room(peer.ip()).await {
            refuse_at_once(&socket, &Refusal::Crowded);
            return news(LobbyNews::Refused { peer, login: None, why: Refusal::Crowded });
        }
        let (number, displaced) = self.strangers.add(peer.ip());
        let limits = self.limits;
        self.arriving.spawn(async move {
            let outcome = log_in(socket, peer, limits, displaced).await;
            Arrival { peer, number, outcome }
        });
    }

    /// Makes room for one more stranger of this address: cuts off the oldest connection that is being refused, or
    /// displaces an older stranger. `false` if the displaced connections have not closed yet.
    async fn make_room(&mut self, address: IpAddr) -> bool {
        let most = self.limits.strangers;
        self.farewells.retain(|farewell| !farewell.is_finished());
        if self.strangers.count_from(address) >= self.limits.strangers_per_address {
            self.strangers.displace_from(address);
        } else if self.strangers.count() + self.farewells.len() < most {
            return true;
        } else if let Some(farewell) = self.farewells.pop_front() {
            farewell.abort();
        } else {
            self.strangers.displace();
        }
        // The displaced clients close their connections now.
        tokio::task::yield_now().await;
        self.arriving.len() + self.turned_away.len() < most + MAX_CLOSING_CONNECTIONS
    }

    fn arrived(
        &mut self,
        Arrival { peer, number, outcome }: Arrival,
        admit: &impl Fn(&Login, SocketAddr) -> Admission,
        news: &mut impl FnMut(LobbyNews),
    ) {
        self.strangers.remove(peer.ip(), number);
        let guest = match outcome {
            Ok(guest) => guest,
            Err(why) => return news(LobbyNews::Refused { peer, login: None, why }),
        };
        let same = |other: &Guest| other.login.github_id == guest.login.github_id;
        // The other one may have just disconnected, and this is the same player coming back.
        for (other, why) in take_restless(&mut self.guests, ReadMode::Now, same) {
            self.let_go(other, why, news);
        }
        let admission = match self.barred_for(&guest.login, peer.ip()) {
            Some(seconds) => Admission::Refused(Refusal::Barred { seconds }),
            None if self.guests.iter().any(same) => Admission::Refused(Refusal::Inside),
            None => admit(&guest.login, peer),
        };
        match admission {
            Admission::Welcome => self.welcome(guest, news),
            Admission::Waits => self.put_off(guest, news),
            Admission::Refused(why) => self.refuse(guest, why, news),
        }
    }

    /// Admits a client. Others who wait under the same GitHubId are refused.
    fn welcome(&mut self, guest: Guest, news: &mut impl FnMut(LobbyNews)) {
        let same = |other: &Guest| other.login.github_id == guest.login.github_id;
        while let Some(index) = self.waiting.iter().position(same) {
            let other = self.waiting.swap_remove(index);
            self.refuse(other, Refusal::Inside, news);
        }
        if self.guests.len() >= self.limits.strangers {
            match crowding(&self.guests, &guest) {
                Some(index) => {
                    let other = self.guests.remove(index);
                    self.let_go(other, Refusal::Crowded, news);
                }
                None => return self.refuse(guest, Refusal::Crowded, news),
            }
        }
        news(LobbyNews::Entered(guest.login.clone()));
        self.guests.push(guest);
    }

    /// Keeps a client waiting for the host's decision, once for each GitHubId and address.
    fn put_off(&mut self, guest: Guest, news: &mut impl FnMut(LobbyNews)) {
        let ip = guest.connection.peer().ip();
        let same = |other: &Guest| {
            other.login.github_id == guest.login.github_id && other.connection.peer().ip() == ip
        };
        for (other, why) in take_restless(&mut self.waiting, ReadMode::Now, same) {
            self.refuse(other, why, news);
        }
        if self.waiting.iter().any(same) {
            return self.refuse(guest, Refusal::Inside, news);
        }
        if self.waiting.len() >= MAX_UNDECIDED_CLIENTS {
            let Some(index) = crowding(&self.waiting, &guest) else {
                return self.refuse(guest, Refusal::Crowded, news);
            };
            let other = self.waiting.remove(index);
            self.refuse(other, Refusal::Crowded, news);
        }
        news(LobbyNews::Waits { login: guest.login.clone(), peer: guest.connection.peer() });
        self.waiting.push(guest);
    }

    fn refuse(&mut self, guest: Guest, why: Refusal, news: &mut impl FnMut(LobbyNews)) {
        let Guest { login, connection } = guest;
        let peer = connection.peer();
        self.turn_away(*connection, &why);
        news(LobbyNews::Refused { peer, login: Some(login), why });
    }

    /// The remaining seconds for which this GitHubId is barred from this address, if it was sent away.
    fn barred_for(&self, login: &Login, from: IpAddr) -> Option<u64> {
        let mut barred = self.barred.iter().rev();
        let (_, _, since) = barred.find(|(id, address, _)| *id == login.github_id && *address == from)?;
        let left = BAN_DURATION.checked_sub(since.elapsed()).filter(|left| !left.is_zero())?;
        Some(left.as_secs() + 1)
    }

    /// Carries out an order of the host. An order for a client that has just disconnected does nothing; the disconnect
    /// is reported already.
    fn carry_out(&mut self, order: LobbyOrder, news: &mut impl FnMut(LobbyNews)) {
        match order {
            LobbyOrder::Approve { github_id, from } => {
                let meant = |guest: &Guest| {
                    guest.login.github_id == github_id && guest.connection.peer().ip() == from
                };
                let is_in = self.guests.iter().any(|guest| guest.login.github_id == github_id);
                if let Some(index) = self.waiting.iter().position(meant).filter(|_| !is_in) {
                    let guest = self.waiting.swap_remove(index);
                    self.welcome(guest, news);
                }
            }
            LobbyOrder::SendAway { github_id, from, reason } => {
                let why = Refusal::SentAway(reason);
                let meant = |guest: &Guest| {
                    let peer = guest.connection.peer().ip();
                    guest.login.github_id == github_id && from.is_none_or(|from| from == peer)
                };
                while let Some(index) = self.waiting.iter().position(meant) {
                    let guest = self.waiting.swap_remove(index);
                    self.bar(&guest);
                    self.refuse(guest, why.clone(), news);
                }
                if let Some(index) = self.guests.iter().position(meant) {
                    let guest = self.guests.swap_remove(index);
                    self.bar(&guest);
                    self.let_go(guest, why, news);
                }
            }
        }
    }

    fn bar(&mut self, guest: &Guest) {
        self.barred.retain(|(_, _, since)| since.elapsed() < BAN_DURATION);
        self.barred.push((guest.login.github_id.clone(), guest.connection.peer().ip(), Instant::now()));
    }

    /// Whether this many guests are in, after a check of their connections.
    fn are_connected(&mut self, count: usize, news: &mut impl FnMut(LobbyNews)) -> bool {
        if self.guests.len() >= count {
            self.check_all(ReadMode::Now, news);
        }
        self.guests.len() >= count
    }

    /// Sends away all guests that have written something or disconnected since the last check.
    fn check_all(&mut self, look: ReadMode, news: &mut impl FnMut(LobbyNews)) {
        for (guest, why) in take_restless(&mut self.guests, look, |_| true) {
            self.let_go(guest, why, news);
        }
        for (guest, why) in take_restless(&mut self.waiting, look, |_| true) {
            self.refuse(guest, why, news);
        }
    }

    /// Sends away the guests behind the door that have written something or disconnected since the last check.
    fn check_door(&mut self, door: &LateDoor, look: ReadMode, news: &mut impl FnMut(LobbyNews)) {
        for (guest, why) in door.take_restless(look) {
            self.let_go(guest, why, news);
        }
    }

    /// Sends away a guest who was admitted.
    fn let_go(&mut self, guest: Guest, why: Refusal, news: &mut impl FnMut(LobbyNews)) {
        let Guest { login, connection } = guest;
        let peer = connection.peer();
        self.turn_away(*connection, &why);
        news(LobbyNews::Left { login, peer, why });
    }

    /// Sends the reason and closes the connection in the background.
    fn turn_away(&mut self, connection: Connection, why: &Refusal) {
        self.farewells.push_back(self.turned_away.spawn(connection.done(&why.last_word())));
    }

    /// Continues to accept connections while the game is played. While this door is open, logins that `admit` does not
    /// refuse may wait behind it; all others receive the reason of their refusal. This ends when the [`ClosedLobby`] is
    /// dropped.
    pub fn close_but_for(
        self,
        door: LateDoor,
        admit: impl Fn(&Login, SocketAddr) -> Result<(), Refusal> + Send + Sync + 'static,
        mut news: impl FnMut(LobbyNews) + Send + 'static,
    ) -> ClosedLobby {
        ClosedLobby(tokio::spawn(async move { self.stay_at_door(&door, &admit, &mut news).await }))
    }

    async fn stay_at_door(
        mut self,
        door: &LateDoor,
        admit: &impl Fn(&Login, SocketAddr) -> Result<(), Refusal>,
        news: &mut impl FnMut(LobbyNews),
    ) {
        for guest in std::mem::take(&mut self.waiting) {
            self.refuse(guest, Refusal::TooLate(EntryError::NotAllowed), news);
        }
        let mut checks = guest_checks();
        loop {
            tokio::select! {
                biased;
                Some(arrived) = self.arriving.join_next() => {
                    if let Ok(Arrival { peer, number, outcome }) = arrived {
                        self.strangers.remove(peer.ip(), number);
                        match outcome {
                            Ok(guest) => self.handle_late_login(guest, door, admit, news),
                            Err(why) => news(LobbyNews::Refused { peer, login: None, why }),
                        }
                    }
                }
                Some(_) = self.turned_away.join_next() => {}
                _ = checks.tick() => self.check_door(door, ReadMode::WhenIdle, news),
                accepted = self.listener.accept() => match (accepted, door.why_shut()) {
                    (Ok((socket, peer)), Some(why)) => self.turn_away_at_door(socket, peer, why, news).await,
                    (accepted, _) => self.accept(accepted, news).await,
                },
            }
        }
    }

    /// A client has logged in while the game is played.
    fn handle_late_login(
        &mut self,
        guest: Guest,
        door: &LateDoor,
        admit: &impl Fn(&Login, SocketAddr) -> Result<(), Refusal>,
        news: &mut impl FnMut(LobbyNews),
    ) {
        // A guest behind the door may have just disconnected, and this is the same player coming back.
        self.check_door(door, ReadMode::Now, news);
        let (login, peer) = (guest.login.clone(), guest.connection.peer());
        let barred = self.barred_for(&login, peer.ip()).map(|seconds| Refusal::Barred { seconds });
        let refusal = match door.why_shut() {
            // A login that was under way when the last place was taken.
            Some(EntryError::NotAllowed) => Some(Refusal::Full),
            Some(why) => Some(Refusal::TooLate(why)),
            None => barred.or_else(|| admit(&login, peer).err()),
        };
        let waits = match refusal {
            Some(why) => Err((guest, why)),
            None => door.wait(guest),
        };
        match waits {
            Ok(()) => news(LobbyNews::Entered(login)),
            Err((guest, why)) => self.refuse(guest, why, news),
        }
    }

    async fn turn_away_at_door(
        &mut self,
        socket: Socket,
        peer: SocketAddr,
        why: EntryError,
        news: &mut impl FnMut(LobbyNews),
    ) {
        let why = Refusal::TooLate(why);
        if !self.make_room(peer.ip()).await {
            refuse_at_once(&socket, &why);
        } else if let Ok(connection) = Connection::new(socket, peer) {
            self.turn_away(connection, &why);
        }
        news(LobbyNews::Refused { peer, login: None, why });
    }
}

/// The times at which the connections of waiting guests are checked.
fn guest_checks() -> Interval {
    let mut checks = tokio::time::interval(GUEST_CHECK_INTERVAL);
    checks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    checks
}

/// Takes the guests out of a list that are meant and have disconnected, or have written something unasked.
pub(super) fn take_restless(
    guests: &mut Vec<Guest>,
    look: ReadMode,
    is_meant: impl Fn(&Guest) -> bool,
) -> Vec<(Guest, Refusal)> {
    let mut faults = Vec::new();
    let is_restless = |guest: &mut Guest| {
        let fault = if is_meant(guest) { guest.connection.expect_silence(look).err() } else { None };
        let is_restless = fault.is_some();
        faults.extend(fault);
        is_restless
    };
    let restless: Vec<Guest> = guests.extract_if(.., is_restless).collect();
    restless.into_iter().zip(faults.into_iter().map(Refusal::Restless)).collect()
}

/// Writes the reason to a new connection that is closed at once, so that a crowd costs neither a task nor a file
/// descriptor. A client that wrote before it was asked may lose the sentence.
fn refuse_at_once(socket: &Socket, why: &Refusal) {
    let mut message = BytesMut::new();
    write_done(&why.last_word(), &mut message);
    // The connection may be gone already.
    let _ = socket.write_now(&message);
}

/// Which of these guests gives up its place to a newcomer: one of the address that has the most.
fn crowding(guests: &[Guest], newcomer: &Guest) -> Option<usize> {
    let addresses: Vec<IpAddr> = guests.iter().map(|guest| guest.connection.peer().ip()).collect();
    oldest_of_crowd(&addresses, newcomer.connection.peer().ip())
}

/// A lobby whose game has begun: it refuses every connection except late entrants, until it is dropped.
#[derive(Debug)]
pub struct ClosedLobby(JoinHandle<()>);

impl ClosedLobby {
    /// Stops listening, and waits until the address is free for another lobby.
    pub async fn end(mut self) {
        self.0.abort();
        // The task was aborted on purpose: its result does not matter.
        let _ = (&mut self.0).await;
    }
}

impl Drop for ClosedLobby {
    fn drop(&mut self) {
        self.0.abort();
    }
}

#[cfg(test)]
mod tests {
    use super::super::memory_socket::{MemoryConnector, MemoryListener, MemorySocket};
    use super::*;

    #[test]
    fn clients_without_a_login_leave_the_players_their_files() {
        let strangers = |files, players, programs| {
            ConnectionLimits::default().within_files(files, players, programs).strangers
        };
        assert_eq!(strangers(20_000, 17, 17), 1_024);
        assert_eq!(strangers(1_024, 17, 0), 1_024 - 64 - 17);
        assert_eq!(strangers(1_024, 0, 17), 1_024 - 64 - 8 * 17);
        assert_eq!(strangers(80, 17, 0), 8, "somebody must be let in");
        assert_eq!(strangers(1 << 20, 2_000, 0), 2_000, "a great class may come all at once");
        assert_eq!(strangers(20_000, 10_000, 0), 20_000 - 64 - 10_000, "and the greatest nearly so");
    }

    /// Connects from this local address and logs in after the question has arrived.
    async fn log_in_from(connector: &MemoryConnector, from: SocketAddr, github_id: &str) -> MemorySocket {
        let socket = connector.connect(from, 1_024).expect("the lobby listens");
        let mut question = [0; 7];
        while socket.try_read(&mut question).is_err() {
            tokio::task::yield_now().await;
        }
        let login = format!("{github_id}:x");
        let length = u16::try_from(login.len()).expect("a short login").to_be_bytes();
        for part in [&length[..], login.as_bytes()] {
            socket.try_write(part).expect("there is room");
        }
        socket
    }

    #[tokio::test(start_paused = true)]
    async fn an_address_that_crowds_the_lobby_gives_up_places() {
        for decision in [Admission::Welcome, Admission::Waits] {
            let here = SocketAddr::from(([127, 0, 0, 1], 9));
            let (connector, listener) = MemoryListener::new(here);
            let limits = ConnectionLimits { strangers: MAX_UNDECIDED_CLIENTS, ..ConnectionLimits::default() };
            let mut lobby = Lobby::new(Listener::Memory(listener), limits);
            let coming = async {
                let mut open = Vec::new();
                for number in 0..2 * MAX_UNDECIDED_CLIENTS {
                    let from = ([10, 0, 0, 1], 1_000).into();
                    open.push(log_in_from(&connector, from, &format!("flood-{number}")).await);
                }
                open.push(log_in_from(&connector, ([10, 9, 9, 9], 1_000).into(), "ada").await);
                tokio::time::sleep(5 * GUEST_CHECK_INTERVAL).await;
            };
            let mut inside = Vec::new();
            let gathered = lobby.gather(
                usize::MAX,
                |_, _| decision.clone(),
                |news| match news {
                    LobbyNews::Entered(login) | LobbyNews::Waits { login, .. } => {
                        inside.push(login.github_id)
                    }
                    _ => {}
                },
            );
            tokio::select! { _ = gathered => {}, () = coming => {} }
            assert_eq!(inside.len(), MAX_UNDECIDED_CLIENTS + 1, "{decision:?}");
            assert_eq!(inside.last().map(String::as_str), Some("ada"));
        }
    }

    /// Whether an honest client is admitted while `silent` others from `addresses` addresses connect and send nothing.
    async fn is_let_in(silent: u32, addresses: u32) -> bool {
        let here = SocketAddr::from(([127, 0, 0, 1], 9));
        let (connector, listener) = MemoryListener::new(here);
        let limits =
            ConnectionLimits { strangers: 64, strangers_per_address: 16, ..ConnectionLimits::default() };
        let mut lobby = Lobby::new(Listener::Memory(listener), limits);
        let coming = async {
            let mut open = Vec::new();
            for number in 0..silent {
                let address = IpAddr::from((0x0a00_0000 + number % addresses).to_be_bytes());
                open.push(connector.connect((address, 1_000).into(), 64).expect("the lobby listens"));
                tokio::task::yield_now().await;
            }
            open.push(log_in_from(&connector, ([10, 9, 9, 9], 1_000).into(), "ada").await);
            std::future::pending::<()>().await;
        };
        let gathered = lobby.gather(1, |_, _| Admission::Welcome, |_| {});
        let gathered = async { tokio::time::timeout(Duration::from_secs(5), gathered).await.is_ok() };
        tokio::select! { is_in = gathered => is_in, () = coming => false }
    }

    #[tokio::test(start_paused = true)]
    async fn a_flood_of_silent_clients_locks_no_honest_client_out() {
        for (silent, addresses) in [(300, 1), (5_000, 1), (1_100, 500), (1_100, 1_100), (500, 30)] {
            assert!(is_let_in(silent, addresses).await, "{silent} clients of {addresses} addresses");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_guest_gone_before_the_last_arrival_is_not_counted() {
        let here = SocketAddr::from(([127, 0, 0, 1], 9));
        let (connector, listener) = MemoryListener::new(here);
        let mut lobby = Lobby::new(Listener::Memory(listener), ConnectionLimits::default());
        let from = |last| SocketAddr::from(([10, 0, 0, last], 1));
        let coming = async {
            drop(log_in_from(&connector, from(1), "bob").await);
            let _last = log_in_from(&connector, from(2), "cyd").await;
            tokio::time::sleep(5 * GUEST_CHECK_INTERVAL).await;
            let _more = log_in_from(&connector, from(3), "dee").await;
            std::future::pending::<()>().await;
        };
        let mut left = Vec::new();
        let gathered = lobby.gather(
            2,
            |_, _| Admission::Welcome,
            |news| {
                if let LobbyNews::Left { login, .. } = news {
                    left.push(login.github_id);
                }
            },
        );
        let guests = tokio::select! { guests = gathered => guests, () = coming => Vec::new() };
        let names: Vec<&str> = guests.iter().map(|guest| guest.login.github_id.as_str()).collect();
        assert_eq!((names, left), (vec!["cyd", "dee"], vec!["bob".to_string()]));
    }

    /// The kernel's table of connections: each has a timer, which is that of keep-alive probes for an idle one that has them.
    #[tokio::test]
    async fn guests_and_late_guests_are_probed_while_they_wait() {
        const TABLE: &str = "/proc/net/tcp";
        if !std::path::Path::new(TABLE).exists() {
            eprintln!("skipped: this system has no {TABLE}");
            return;
        }
        const KEEP_ALIVE: &str = "02";
        const TICKS_PER_SECOND: u64 = 100;
        let limits = ConnectionLimits::default();
        for is_late in [false, true] {
            let mut lobby = Lobby::bind(([127, 0, 0, 1], 0).into(), limits).await.unwrap();
            let address = lobby.address().unwrap();
            let (sender, mut heard) = tokio::sync::mpsc::unbounded_channel();
            let news = move |news| sender.send(news).expect("the test listens");
            let playing = async {
                if is_late {
                    let _closed = lobby.close_but_for(LateDoor::open(), |_, _| Ok(()), news);
                    std::future::pending().await
                } else {
                    lobby.gather(usize::MAX, |_, _| Admission::Welcome, news).await
                }
            };
            let client = async {
                let mut guest = Socket::connect(address).await.unwrap();
                guest.write_all(b"\0\x07ada:Ada").await.unwrap();
                guest.read(&mut BytesMut::new()).await.unwrap();
                assert!(matches!(heard.recv().await, Some(LobbyNews::Entered(_))), "late: {is_late}");
                let here = format!(":{:04X}", address.port());
                let table = std::fs::read_to_string(TABLE).unwrap();
                let is_hosts = |row: &&Vec<&str>| row[1].ends_with(&here) && row[3] == "01";
                let rows: Vec<Vec<&str>> =
                    table.lines().map(|line| line.split_whitespace().collect()).collect();
                let (timer, left) =
                    rows.iter().find(is_hosts).expect("it is connected")[5].split_once(':').unwrap();
                let left = u64::from_str_radix(left, 16).unwrap() / TICKS_PER_SECOND;
                assert_eq!(timer, KEEP_ALIVE, "late: {is_late}");
                assert!(left <= limits.lost_after().as_secs() / 2, "{left} s");
            };
            tokio::select! { _ = playing => {}, () = client => {} }
        }
    }

    /// Players behind the door, who log in while the game is played, are checked like guests of the lobby.
    #[tokio::test(start_paused = true)]
    async fn a_late_guest_that_disconnects_leaves_its_place_and_its_name() {
        let here = SocketAddr::from(([127, 0, 0, 1], 9));
        let (connector, listener) = MemoryListener::new(here);
        let lobby = Lobby::new(Listener::Memory(listener), ConnectionLimits::default());
        let door = LateDoor::open();
        let (sender, mut heard) = tokio::sync::mpsc::unbounded_channel();
        let news = move |news| sender.send(news).expect("the test listens");
        let _closed = lobby.close_but_for(door.clone(), |_, _| Ok(()), news);
        let from = |last| SocketAddr::from(([10, 0, 0, last], 1));
        let id = |login: Login| login.github_id;
        // It comes back at once, before the next check.
        drop(log_in_from(&connector, from(1), "ada").await);
        let back = log_in_from(&connector, from(2), "ada").await;
        let mut seen = Vec::new();
        for _ in 0..3 {
            seen.push(match heard.recv().await.unwrap() {
                LobbyNews::Entered(login) => format!("{} entered", id(login)),
                LobbyNews::Left { login, why: Refusal::Restless(_), .. } => format!("{} left", id(login)),
                other => format!("{other:?}"),
            });
        }
        assert_eq!(seen, ["ada entered", "ada left", "ada entered"]);
        // It is gone for good, and a check finds it.
        drop(back);
        let gone = tokio::time::timeout(2 * GUEST_CHECK_INTERVAL, heard.recv()).await;
        assert!(matches!(gone, Ok(Some(LobbyNews::Left { .. }))), "{gone:?}");
        assert!(door.take(usize::MAX).is_empty());
    }
}
