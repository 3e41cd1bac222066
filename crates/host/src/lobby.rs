//! The lobby: accepts connections, asks for logins, and refuses those who cannot play.

use std::collections::HashMap;
use std::future::poll_fn;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::task::Poll;
use std::time::Duration;

use bytes::BytesMut;
use tokio::net::TcpSocket;
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::Instant;

use casino_stud::protocol::{Login, write_done};
use casino_stud::tournament::EntryError;

use super::lobby_orders::{LobbyOrder, LobbyOrders};
use super::log_in::log_in;
use super::refusal::{LobbyNews, Refusal};
use super::socket::{Listener, Socket};
use super::{Connection, LateDoor, ReadMode};

/// The limits a host sets to those who connect.
#[derive(Clone, Copy, Debug)]
pub struct ConnectionLimits {
    /// How long a reply to a question may take (R17).
    pub reply: Duration,
    /// How much longer a player on another machine is waited for at most where the network was to blame; nothing switches
    /// that off.
    pub air: Duration,
    /// How long the reply to `login` may take: longer than other replies, because the program may still be starting.
    pub login: Duration,
    /// How many clients may be connected without having logged in.
    pub strangers: usize,
    /// How many of those may come from one IP address.
    pub strangers_per_address: usize,
    /// Whether `login` is asked a second time (R16).
    pub relogin: bool,
}

impl Default for ConnectionLimits {
    fn default() -> ConnectionLimits {
        ConnectionLimits {
            reply: Duration::from_millis(1_000),
            air: Duration::from_secs(10),
            login: Duration::from_secs(10),
            strangers: 1_024,
            strangers_per_address: 256,
            relogin: false,
        }
    }
}

impl ConnectionLimits {
    /// The same limits for a process that may have this many files open: clients that have not logged in never take
    /// the files that the `players` who connect, the `programs` that are started and the journal need.
    #[must_use]
    pub fn within_files(self, files: u64, players: usize, programs: usize) -> ConnectionLimits {
        let needed = 64 + players as u64 + 8 * programs as u64;
        let left = usize::try_from(files.saturating_sub(needed)).unwrap_or(usize::MAX);
        ConnectionLimits {
            // All players may connect at the same moment, from one address.
            strangers: self.strangers.max(players).min(left).max(8),
            strangers_per_address: self.strangers_per_address.max(players),
            ..self
        }
    }
}

/// How many connections the system keeps until they are accepted. A class that connects all at once must fit: a client
/// that does not is connected on its own side only, and waits for ever for the first message.
const BACKLOG: u32 = 4_096;

/// How long to wait when the system has no file descriptor or memory left for another connection.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// How long a GitHubId that was sent away may not come back from the address it came from.
pub const BARRED: Duration = Duration::from_secs(120);

/// How many clients may wait for the host's decision at the same time.
const MAX_WAITING: usize = 64;

/// What a host says to a login that can be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Admission {
    /// The client is let in.
    Welcome,
    /// The client waits until the host has decided: see [`LobbyOrders::approve`].
    Waits,
    /// The client is refused.
    Refused(Refusal),
}

/// A client that has logged in and waits for the game to begin.
#[derive(Debug)]
pub struct Guest {
    /// The login it gave.
    pub login: Login,
    /// The connection to it: in a box, because a thousand of them are handed on.
    pub connection: Box<Connection>,
}

/// Accepts connections until it is dropped, and lets in the clients that log in. The front page of this package has an
/// example.
#[derive(Debug)]
pub struct Lobby {
    listener: Listener,
    limits: ConnectionLimits,
    /// Logins under way.
    arriving: JoinSet<(SocketAddr, Result<Guest, Refusal>)>,
    /// Connections that are being told why they are refused.
    turned_away: JoinSet<()>,
    /// How many logins are under way from each address.
    strangers: HashMap<IpAddr, usize>,
    guests: Vec<Guest>,
    /// Clients that have logged in and wait for the host's decision.
    waiting: Vec<Guest>,
    /// Who was sent away: the GitHubId, the address, and since when.
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
            turned_away: JoinSet::new(),
            strangers: HashMap::new(),
            guests: Vec::new(),
            waiting: Vec::new(),
            barred: Vec::new(),
            orders: LobbyOrders::default(),
        }
    }

    /// The same lobby, which carries out these orders while it gathers.
    #[must_use]
    pub fn under(self, orders: LobbyOrders) -> Lobby {
        Lobby { orders, ..self }
    }

    /// Creates a lobby at this address; with port 0 the system chooses a port.
    ///
    /// # Errors
    /// If the address cannot be listened on.
    pub async fn bind(address: SocketAddr, limits: ConnectionLimits) -> io::Result<Lobby> {
        let socket = match address {
            SocketAddr::V4(_) => TcpSocket::new_v4()?,
            SocketAddr::V6(_) => TcpSocket::new_v6()?,
        };
        // The same port again for the next tournament, or after a crash.
        socket.set_reuseaddr(true)?;
        socket.bind(address)?;
        Ok(Lobby::new(Listener::Tcp(socket.listen(BACKLOG)?), limits))
    }

    /// Returns the address the lobby listens on.
    ///
    /// # Errors
    /// If the system does not know it.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.address()
    }

    /// Waits until `count` guests are in at the same time and returns them, reporting each change to `news`.
    /// `admit` says what becomes of a well-formed login from an address.
    pub async fn gather(
        &mut self,
        count: usize,
        admit: impl Fn(&Login, SocketAddr) -> Admission,
        mut news: impl FnMut(LobbyNews),
    ) -> Vec<Guest> {
        let orders = self.orders.clone();
        while self.guests.len() < count {
            // In this order, so that the same arrivals give the same lobby. Who comes next is last, and starves nobody.
            tokio::select! {
                biased;
                Some(arrived) = self.arriving.join_next() => {
                    if let Ok((peer, outcome)) = arrived {
                        self.arrived(peer, outcome, &admit, &mut news);
                    }
                }
                Some(_) = self.turned_away.join_next() => {}
                index = active_guest(&self.guests) => self.check_guest(index, &mut news),
                index = active_guest(&self.waiting) => self.check_waiting(index, &mut news),
                order = orders.next() => self.carry_out(order, &mut news),
                accepted = self.listener.accept() => self.accept(accepted, &mut news).await,
            }
        }
        std::mem::take(&mut self.guests)
    }

    /// Returns the guests who are in, however many there are: for a host that does not wait any longer.
    pub fn begin_with_those_inside(&mut self) -> Vec<Guest> {
        std::mem::take(&mut self.guests)
    }

    /// How many clients are connected without having been let in.
    fn strangers(&self) -> usize {
        self.arriving.len() + self.turned_away.len()
    }

    async fn accept(&mut self, accepted: io::Result<(Socket, SocketAddr)>, news: &mut impl FnMut(LobbyNews)) {
        let (socket, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(_) => return tokio::time::sleep(ACCEPT_PAUSE).await,
        };
        let all = self.strangers();
        let from_address = self.strangers.entry(peer.ip()).or_default();
        if all >= self.limits.strangers || *from_address >= self.limits.strangers_per_address {
            if *from_address == 0 {
                self.strangers.remove(&peer.ip());
            }
            tell_in_passing(&socket, &Refusal::Crowded);
            return news(LobbyNews::Refused { peer, login: None, why: Refusal::Crowded });
        }
        *from_address += 1;
        let limits = self.limits;
        self.arriving.spawn(async move { (peer, log_in(socket, peer, limits).await) });
    }

    fn arrived(
        &mut self,
        peer: SocketAddr,
        outcome: Result<Guest, Refusal>,
        admit: &impl Fn(&Login, SocketAddr) -> Admission,
        news: &mut impl FnMut(LobbyNews),
    ) {
        self.forget_stranger(peer);
        let guest = match outcome {
            Ok(guest) => guest,
            Err(why) => return news(LobbyNews::Refused { peer, login: None, why }),
        };
        let same = |other: &Guest| other.login.github_id == guest.login.github_id;
        if let Some(index) = self.guests.iter().position(same) {
            // The other one may have just hung up, and this is the same player coming back.
            self.check_guest(index, news);
        }
        let same = |other: &Guest| other.login.github_id == guest.login.github_id;
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

    /// Lets a client in. Others who wait under the same GitHubId are refused.
    fn welcome(&mut self, guest: Guest, news: &mut impl FnMut(LobbyNews)) {
        let same = |other: &Guest| other.login.github_id == guest.login.github_id;
        while let Some(index) = self.waiting.iter().position(same) {
            let other = self.waiting.swap_remove(index);
            self.refuse(other, Refusal::Inside, news);
        }
        news(LobbyNews::Entered(guest.login.clone()));
        self.guests.push(guest);
    }

    /// Has a client wait for the host's decision, once for each GitHubId and address.
    fn put_off(&mut self, guest: Guest, news: &mut impl FnMut(LobbyNews)) {
        let ip = guest.connection.peer().ip();
        let same = |other: &Guest| {
            other.login.github_id == guest.login.github_id && other.connection.peer().ip() == ip
        };
        if let Some(index) = self.waiting.iter().position(same) {
            self.check_waiting(index, news);
        }
        if self.waiting.iter().any(same) {
            return self.refuse(guest, Refusal::Inside, news);
        }
        if self.waiting.len() >= MAX_WAITING {
            return self.refuse(guest, Refusal::Crowded, news);
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

    /// For how many more seconds this GitHubId may not come back from this address, if it was sent away.
    fn barred_for(&self, login: &Login, from: IpAddr) -> Option<u64> {
        let mut barred = self.barred.iter().rev();
        let (_, _, since) = barred.find(|(id, address, _)| *id == login.github_id && *address == from)?;
        let left = BARRED.checked_sub(since.elapsed()).filter(|left| !left.is_zero())?;
        Some(left.as_secs() + 1)
    }

    /// Carries out an order of the host. One for a client who has just left does nothing: that was told already.
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
        self.barred.retain(|(_, _, since)| since.elapsed() < BARRED);
        self.barred.push((guest.login.github_id.clone(), guest.connection.peer().ip(), Instant::now()));
    }

    /// Forgets a client that waits for a decision, if it has hung up or has written something.
    fn check_waiting(&mut self, index: usize, news: &mut impl FnMut(LobbyNews)) {
        if let Err(fault) = self.waiting[index].connection.expect_silence(ReadMode::Now) {
            let guest = self.waiting.swap_remove(index);
            self.refuse(guest, Refusal::Restless(fault), news);
        }
    }

    /// Sends a guest away that has hung up, or has written something although it was not asked.
    fn check_guest(&mut self, index: usize, news: &mut impl FnMut(LobbyNews)) {
        if let Err(fault) = self.guests[index].connection.expect_silence(ReadMode::Now) {
            let guest = self.guests.swap_remove(index);
            self.let_go(guest, Refusal::Restless(fault), news);
        }
    }

    /// Sends away somebody who was in.
    fn let_go(&mut self, guest: Guest, why: Refusal, news: &mut impl FnMut(LobbyNews)) {
        let Guest { login, connection } = guest;
        let peer = connection.peer();
        self.turn_away(*connection, &why);
        news(LobbyNews::Left { login, peer, why });
    }

    /// Sends the reason and closes the connection in the background.
    fn turn_away(&mut self, connection: Connection, why: &Refusal) {
        self.turned_away.spawn(connection.done(&why.last_word()));
    }

    /// A login of this address is no longer under way.
    fn forget_stranger(&mut self, peer: SocketAddr) {
        if let Some(count) = self.strangers.get_mut(&peer.ip()) {
            *count -= 1;
            if *count == 0 {
                self.strangers.remove(&peer.ip());
            }
        }
    }

    /// Goes on accepting connections while the game is played, only to tell each of them that it has begun. This ends
    /// when the [`ClosedLobby`] is dropped.
    pub fn close(self, news: impl FnMut(LobbyNews) + Send + 'static) -> ClosedLobby {
        let nobody = |_: &Login, _| Err(Refusal::TooLate(EntryError::NotAllowed));
        self.close_but_for(LateDoor::shut(), nobody, news)
    }

    /// Goes on accepting connections while the game is played. While this door is open, those may wait behind it whom
    /// `admit` does not refuse; all others are told why they may not. This ends when the [`ClosedLobby`] is dropped.
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
        loop {
            tokio::select! {
                biased;
                Some(arrived) = self.arriving.join_next() => {
                    if let Ok((peer, outcome)) = arrived {
                        self.forget_stranger(peer);
                        match outcome {
                            Ok(guest) => self.come_to_door(guest, door, admit, news),
                            Err(why) => news(LobbyNews::Refused { peer, login: None, why }),
                        }
                    }
                }
                Some(_) = self.turned_away.join_next() => {}
                accepted = self.listener.accept() => match (accepted, door.why_shut()) {
                    (Ok((socket, peer)), Some(why)) => self.turn_away_at_door(socket, peer, why, news),
                    (accepted, _) => self.accept(accepted, news).await,
                },
            }
        }
    }

    /// A client has logged in while the game is played.
    fn come_to_door(
        &mut self,
        guest: Guest,
        door: &LateDoor,
        admit: &impl Fn(&Login, SocketAddr) -> Result<(), Refusal>,
        news: &mut impl FnMut(LobbyNews),
    ) {
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

    fn turn_away_at_door(
        &mut self,
        socket: Socket,
        peer: SocketAddr,
        why: EntryError,
        news: &mut impl FnMut(LobbyNews),
    ) {
        let why = Refusal::TooLate(why);
        if self.strangers() >= self.limits.strangers {
            tell_in_passing(&socket, &why);
        } else if let Ok(connection) = Connection::new(socket, peer) {
            self.turn_away(connection, &why);
        }
        news(LobbyNews::Refused { peer, login: None, why });
    }
}

/// Says why to a new connection that is closed at once: a crowd costs neither a task nor a file that way. Whoever has
/// written something before it was asked may lose the sentence with it.
fn tell_in_passing(socket: &Socket, why: &Refusal) {
    let mut message = BytesMut::new();
    write_done(&why.last_word(), &mut message);
    // The connection may be gone already.
    let _ = socket.write_now(&message);
}

/// A lobby whose game has begun: it refuses every connection but those who may come in late, until this is dropped.
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

/// Waits until a guest has written something or hung up, and returns its index.
async fn active_guest(guests: &[Guest]) -> usize {
    poll_fn(|context| {
        match guests.iter().position(|guest| guest.connection.poll_activity(context).is_ready()) {
            Some(index) => Poll::Ready(index),
            None => Poll::Pending,
        }
    })
    .await
}

#[cfg(test)]
mod tests {
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
}
