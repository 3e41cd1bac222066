//! The lobby: accepts connections, asks for logins, and refuses those who cannot play.

use std::collections::HashMap;
use std::fmt;
use std::future::poll_fn;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::task::Poll;
use std::time::Duration;

use bytes::Bytes;
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::task::{JoinHandle, JoinSet};

use crate::protocol::{Login, LoginError, modified_utf8};
use crate::table::{Fault, escape};

use super::{Connection, ReadMode};

/// The limits a host sets to those who connect.
#[derive(Clone, Copy, Debug)]
pub struct ConnectionLimits {
    /// How long a reply to a question may take (R17).
    pub reply: Duration,
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
            login: Duration::from_secs(10),
            strangers: 1_024,
            strangers_per_address: 256,
            relogin: false,
        }
    }
}

impl ConnectionLimits {
    /// The same limits for a process that may have this many files open: clients that have not logged in never take
    /// the files that the `players`, their programs and the journal need.
    #[must_use]
    pub fn within_files(self, files: u64, players: usize) -> ConnectionLimits {
        let needed = 64 + 8 * players as u64;
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

/// A client that has logged in and waits for the game to begin.
#[derive(Debug)]
pub struct Guest {
    /// The login it gave.
    pub login: Login,
    /// The connection to it.
    pub connection: Connection,
}

/// A change in a lobby.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LobbyNews {
    /// A client has logged in.
    Entered(Login),
    /// A connection was refused.
    Refused {
        /// The address the client connected from.
        peer: SocketAddr,
        /// The reason for it.
        why: Refusal,
    },
    /// A client that had logged in hung up or was sent away.
    Left {
        /// The login it had given.
        login: Login,
        /// The reason for it.
        why: Refusal,
    },
}

/// Why a client is not let in, or is sent away. Displayed as the words after "you are not in the game:" for the
/// client itself; [`Refusal::in_public`] has the words for everybody else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// There was no reply to `login`.
    NoLogin(Fault),
    /// The reply to `login` cannot be used.
    BadLogin {
        /// The reply as decoded, as far as it could be.
        sent: String,
        /// What is wrong with it.
        error: LoginError,
    },
    /// The second reply to `login` was not the first (R16).
    Changed,
    /// Another client with the same GitHubId is in.
    Inside,
    /// The host refuses this login, in its own words.
    Unwanted(String),
    /// A client that had logged in wrote something or hung up while it waited.
    Restless(Fault),
    /// Too many clients are connected without having logged in.
    Crowded,
    /// The last place was taken while the client logged in.
    Full,
    /// The game has begun.
    TooLate,
}

impl Refusal {
    /// The text of the `done` message for the client that is refused.
    pub fn last_word(&self) -> String {
        format!("You are not in the game: {self}.")
    }

    /// The words without anything the program sent, which may contain somebody's GitHubId.
    pub fn in_public(&self) -> String {
        match self {
            Refusal::BadLogin { error, .. } => format!("its answer to the question who it is: {error}"),
            Refusal::Restless(Fault::Stray { .. }) => {
                Refusal::Restless(Fault::Stray { sent: String::new() }).to_string()
            }
            other => other.to_string(),
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::NoLogin(fault) => write!(f, "your program {fault}"),
            Refusal::BadLogin { sent, error } => {
                write!(f, "your program said it was {}, but {error}", escape(sent))
            }
            Refusal::Changed => write!(f, "the second answer to the same question was another one"),
            Refusal::Inside => write!(f, "somebody with this GitHubId is in already"),
            Refusal::Unwanted(why) => write!(f, "{why}"),
            Refusal::Restless(fault) => {
                write!(f, "your program {fault} while it waited for the game to begin")
            }
            Refusal::Crowded => write!(f, "too many connections that have not logged in"),
            Refusal::Full => write!(f, "all places are taken"),
            Refusal::TooLate => {
                write!(f, "the game has begun without you; come in time for the next one")
            }
        }
    }
}

/// Accepts connections until it is dropped, and lets in the clients that log in.
///
/// A lobby for two players, which then play against each other and a house bot:
///
/// ```no_run
/// use casino_day::cards::Seed;
/// use casino_day::server::{ConnectionLimits, EventHost, Lobby, SeatedPlayer};
/// use casino_day::strategies::HouseBot;
/// use casino_day::table::TableSettings;
/// use casino_day::tournament::{Event, NoRecorder, TableGame};
///
/// # async fn host() -> std::io::Result<()> {
/// let limits = ConnectionLimits::default();
/// let mut lobby = Lobby::bind(([0, 0, 0, 0], 9000).into(), limits).await?;
/// let guests = lobby.gather(2, |_| None, |_| {}).await;
///
/// let seed = Seed::chosen("monday");
/// let odds = HouseBot::named("odds").expect("there is one").seated("house:odds", &seed);
/// let mut players: Vec<_> =
///     guests.into_iter().map(|guest| SeatedPlayer::Remote(guest.connection)).collect();
/// players.push(SeatedPlayer::House(Box::new(odds)));
/// let mut event = Event::from(TableGame::new(TableSettings::default(), &seed, players.len(), 500, 1_000));
/// EventHost::new(players, limits).play(&mut event, &mut NoRecorder, || false).await?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Lobby {
    listener: TcpListener,
    limits: ConnectionLimits,
    /// Logins under way.
    arriving: JoinSet<(SocketAddr, Result<Guest, Refusal>)>,
    /// Connections that are being told why they are refused.
    turned_away: JoinSet<()>,
    /// How many logins are under way from each address.
    strangers: HashMap<IpAddr, usize>,
    guests: Vec<Guest>,
}

impl Lobby {
    /// Creates a lobby at this listener, which the caller has bound.
    pub fn new(listener: TcpListener, limits: ConnectionLimits) -> Lobby {
        Lobby {
            listener,
            limits,
            arriving: JoinSet::new(),
            turned_away: JoinSet::new(),
            strangers: HashMap::new(),
            guests: Vec::new(),
        }
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
        Ok(Lobby::new(socket.listen(BACKLOG)?, limits))
    }

    /// Returns the address the lobby listens on.
    ///
    /// # Errors
    /// If the system does not know it.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Waits until `count` guests are in at the same time and returns them, reporting each change to `news`.
    /// `unwanted` returns the reason why a well-formed login is refused, if there is one.
    pub async fn gather(
        &mut self,
        count: usize,
        unwanted: impl Fn(&Login) -> Option<String>,
        mut news: impl FnMut(LobbyNews),
    ) -> Vec<Guest> {
        while self.guests.len() < count {
            tokio::select! {
                accepted = self.listener.accept() => self.accept(accepted, &mut news).await,
                Some(arrived) = self.arriving.join_next() => {
                    if let Ok((peer, outcome)) = arrived {
                        self.arrived(peer, outcome, &unwanted, &mut news);
                    }
                }
                Some(_) = self.turned_away.join_next() => {}
                index = active_guest(&self.guests) => self.check_guest(index, &mut news),
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

    async fn accept(
        &mut self,
        accepted: io::Result<(TcpStream, SocketAddr)>,
        news: &mut impl FnMut(LobbyNews),
    ) {
        let (stream, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(_) => return tokio::time::sleep(ACCEPT_PAUSE).await,
        };
        let all = self.strangers();
        let from_address = self.strangers.entry(peer.ip()).or_default();
        if all >= self.limits.strangers || *from_address >= self.limits.strangers_per_address {
            if *from_address == 0 {
                self.strangers.remove(&peer.ip());
            }
            return news(LobbyNews::Refused { peer, why: Refusal::Crowded });
        }
        *from_address += 1;
        let limits = self.limits;
        self.arriving.spawn(async move { (peer, log_in(stream, peer, limits).await) });
    }

    fn arrived(
        &mut self,
        peer: SocketAddr,
        outcome: Result<Guest, Refusal>,
        unwanted: &impl Fn(&Login) -> Option<String>,
        news: &mut impl FnMut(LobbyNews),
    ) {
        if let Some(count) = self.strangers.get_mut(&peer.ip()) {
            *count -= 1;
            if *count == 0 {
                self.strangers.remove(&peer.ip());
            }
        }
        let guest = match outcome {
            Ok(guest) => guest,
            Err(why) => return news(LobbyNews::Refused { peer, why }),
        };
        let same = |other: &Guest| other.login.github_id == guest.login.github_id;
        if let Some(index) = self.guests.iter().position(same) {
            // The other one may have just hung up, and this is the same player coming back.
            self.check_guest(index, news);
        }
        let why = if self.guests.iter().any(same) {
            Some(Refusal::Inside)
        } else {
            unwanted(&guest.login).map(Refusal::Unwanted)
        };
        match why {
            None => {
                news(LobbyNews::Entered(guest.login.clone()));
                self.guests.push(guest);
            }
            Some(why) => {
                self.turn_away(guest.connection, &why);
                news(LobbyNews::Refused { peer, why });
            }
        }
    }

    /// Sends a guest away that has hung up, or has written something although it was not asked.
    fn check_guest(&mut self, index: usize, news: &mut impl FnMut(LobbyNews)) {
        if let Err(fault) = self.guests[index].connection.expect_silence(ReadMode::Now) {
            let Guest { login, connection } = self.guests.swap_remove(index);
            let why = Refusal::Restless(fault);
            self.turn_away(connection, &why);
            news(LobbyNews::Left { login, why });
        }
    }

    /// Sends the reason and closes the connection in the background.
    fn turn_away(&mut self, connection: Connection, why: &Refusal) {
        let words = why.last_word();
        self.turned_away.spawn(async move { connection.done(&words).await });
    }

    /// Goes on accepting connections while the game is played, only to tell each of them that it has begun. This ends
    /// when the [`ClosedLobby`] is dropped.
    pub fn close(self, mut news: impl FnMut(LobbyNews) + Send + 'static) -> ClosedLobby {
        ClosedLobby(tokio::spawn(async move { self.refuse_everyone(&mut news).await }))
    }

    async fn refuse_everyone(mut self, news: &mut impl FnMut(LobbyNews)) {
        loop {
            tokio::select! {
                accepted = self.listener.accept() => match accepted {
                    Ok((stream, peer)) => {
                        if self.strangers() < self.limits.strangers
                            && let Ok(connection) = Connection::new(stream, peer)
                        {
                            self.turn_away(connection, &Refusal::TooLate);
                        }
                        news(LobbyNews::Refused { peer, why: Refusal::TooLate });
                    }
                    Err(_) => tokio::time::sleep(ACCEPT_PAUSE).await,
                },
                Some(arrived) = self.arriving.join_next() => match arrived {
                    Ok((peer, Err(why))) => news(LobbyNews::Refused { peer, why }),
                    // A login that was under way when the last place was taken.
                    Ok((peer, Ok(guest))) => {
                        self.turn_away(guest.connection, &Refusal::Full);
                        news(LobbyNews::Refused { peer, why: Refusal::Full });
                    }
                    Err(_) => {}
                },
                Some(_) = self.turned_away.join_next() => {}
            }
        }
    }
}

/// A lobby whose game has begun: it refuses every connection until this is dropped.
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

/// Asks a new connection for its login, twice if the limits say so (R16).
pub(crate) async fn log_in(
    stream: TcpStream,
    peer: SocketAddr,
    limits: ConnectionLimits,
) -> Result<Guest, Refusal> {
    let hung_up = |_| Refusal::NoLogin(Fault::HungUp { partial: false });
    let mut connection = Connection::new(stream, peer).map_err(hung_up)?;
    let asked = match ask_login(&mut connection, limits.login).await {
        Ok(login) if limits.relogin => match ask_login(&mut connection, limits.login).await {
            Ok(again) if again == login => Ok(login),
            Ok(_) => Err(Refusal::Changed),
            Err(why) => Err(why),
        },
        other => other,
    };
    match asked {
        Ok(login) => Ok(Guest { login, connection }),
        Err(why) => {
            connection.done(&why.last_word()).await;
            Err(why)
        }
    }
}

async fn ask_login(connection: &mut Connection, limit: Duration) -> Result<Login, Refusal> {
    read_login(connection.login(limit).await)
}

/// Reads the reply to the question for the login.
pub(crate) fn read_login(reply: Result<Bytes, Fault>) -> Result<Login, Refusal> {
    let payload = reply.map_err(Refusal::NoLogin)?;
    Login::read(&payload).map_err(|error| Refusal::BadLogin {
        sent: modified_utf8::decode(&payload).unwrap_or_default(),
        error,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clients_without_a_login_leave_the_players_their_files() {
        let strangers = |files, players| ConnectionLimits::default().within_files(files, players).strangers;
        assert_eq!(strangers(20_000, 17), 1_024);
        assert_eq!(strangers(1_024, 17), 1_024 - 64 - 8 * 17);
        assert_eq!(strangers(100, 17), 8, "somebody must be let in");
        assert_eq!(strangers(1 << 20, 2_000), 2_000, "a great class may come all at once");
    }

    #[test]
    fn what_a_refused_client_sent_is_told_to_nobody_else() {
        let error = LoginError::NoColon;
        let bad = Refusal::BadLogin { sent: "StephenCurry".to_string(), error };
        assert!(bad.to_string().contains("StephenCurry") && !bad.in_public().contains("StephenCurry"));
        let restless = Refusal::Restless(Fault::Stray { sent: "StephenCurry:Steph".to_string() });
        assert!(restless.to_string().contains("Steph") && !restless.in_public().contains("Steph"));
        assert_eq!(Refusal::TooLate.in_public(), Refusal::TooLate.to_string());
    }
}
