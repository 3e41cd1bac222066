//! Where players arrive: login, limits, refusals in words.

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
    /// How long the reply to `login` may take: longer, because a program may just be starting.
    pub login: Duration,
    /// How many may be connected without having logged in.
    pub strangers: usize,
    /// How many of them may come from one address.
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
    /// The same limits for a process that may have this many files open: strangers never take those that the
    /// `players`, their programs and the journal need.
    #[must_use]
    pub fn within_files(self, files: u64, players: usize) -> ConnectionLimits {
        let needed = 64 + 8 * players as u64;
        let left = usize::try_from(files.saturating_sub(needed)).unwrap_or(usize::MAX);
        ConnectionLimits {
            // All players may come at the same moment, from one address.
            strangers: self.strangers.max(players).min(left).max(8),
            strangers_per_address: self.strangers_per_address.max(players),
            ..self
        }
    }
}

/// How many connections the system keeps until they are taken. A class that comes all at once must fit: whoever does
/// not is connected on its own side only, and waits for ever for the first word.
const BACKLOG: u32 = 4_096;

/// How long to wait when the system has no file descriptor or memory left for another connection.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Somebody who has logged in and waits.
#[derive(Debug)]
pub struct Guest {
    /// Who it says it is.
    pub login: Login,
    /// Its connection.
    pub connection: Connection,
}

/// What happens in a lobby.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LobbyNews {
    /// Somebody has logged in.
    Entered(Login),
    /// Somebody was refused.
    Refused {
        /// Where from.
        peer: SocketAddr,
        /// Why.
        why: Refusal,
    },
    /// Somebody who had logged in left or was sent away.
    Left {
        /// Who.
        login: Login,
        /// Why.
        why: Refusal,
    },
}

/// Why somebody is not let in, or not kept. Displayed as the words after "you are not in the game:" for the
/// one concerned; [`Refusal::in_public`] has them for everybody else.
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
    /// Somebody of that GitHubId is in.
    Inside,
    /// The host does not want this login, in its own words.
    Unwanted(String),
    /// A guest wrote something or hung up while it waited.
    Restless(Fault),
    /// Too many are connected without having logged in.
    Crowded,
    /// The last place was taken while it logged in.
    Full,
    /// The game has begun.
    TooLate,
}

impl Refusal {
    /// What the one concerned is told.
    pub fn last_word(&self) -> String {
        format!("You are not in the game: {self}.")
    }

    /// The words without anything the program sent: that may well be somebody's GitHubId.
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

/// The doors of a host: takes connections until it is dropped, and lets in whoever logs in.
#[derive(Debug)]
pub struct Lobby {
    listener: TcpListener,
    limits: ConnectionLimits,
    /// Logins under way.
    arriving: JoinSet<(SocketAddr, Result<Guest, Refusal>)>,
    /// Those who are being told why they are not let in.
    turned_away: JoinSet<()>,
    /// How many logins are under way from each address.
    strangers: HashMap<IpAddr, usize>,
    guests: Vec<Guest>,
}

impl Lobby {
    /// A lobby at this listener, which the caller has bound.
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

    /// A lobby at this address; with port 0 the system chooses one.
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

    /// Where the lobby is.
    ///
    /// # Errors
    /// If the system cannot say.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Waits until `count` guests are in at the same time and gives them out, telling `news` what happens.
    /// `taken` says why a login cannot be let in although it is well-formed.
    pub async fn gather(
        &mut self,
        count: usize,
        taken: impl Fn(&Login) -> Option<String>,
        mut news: impl FnMut(LobbyNews),
    ) -> Vec<Guest> {
        while self.guests.len() < count {
            tokio::select! {
                accepted = self.listener.accept() => self.accept(accepted, &mut news).await,
                Some(arrived) = self.arriving.join_next() => {
                    if let Ok((peer, outcome)) = arrived {
                        self.arrived(peer, outcome, &taken, &mut news);
                    }
                }
                Some(_) = self.turned_away.join_next() => {}
                index = stirring(&self.guests) => self.disturbed(index, &mut news),
            }
        }
        std::mem::take(&mut self.guests)
    }

    /// Gives out those who are in, however many there are: for a host that does not wait any longer.
    pub fn begin_with_those_inside(&mut self) -> Vec<Guest> {
        std::mem::take(&mut self.guests)
    }

    /// How many are connected and not in.
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
        let from_there = self.strangers.entry(peer.ip()).or_default();
        if all >= self.limits.strangers || *from_there >= self.limits.strangers_per_address {
            if *from_there == 0 {
                self.strangers.remove(&peer.ip());
            }
            return news(LobbyNews::Refused { peer, why: Refusal::Crowded });
        }
        *from_there += 1;
        let limits = self.limits;
        self.arriving.spawn(async move { (peer, log_in(stream, peer, limits).await) });
    }

    fn arrived(
        &mut self,
        peer: SocketAddr,
        outcome: Result<Guest, Refusal>,
        taken: &impl Fn(&Login) -> Option<String>,
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
            // Perhaps that one has just hung up and this is the same player coming back.
            self.disturbed(index, news);
        }
        let why = if self.guests.iter().any(same) {
            Some(Refusal::Inside)
        } else {
            taken(&guest.login).map(Refusal::Unwanted)
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

    /// A guest that does anything while it waits has hung up or does not keep to the protocol.
    fn disturbed(&mut self, index: usize, news: &mut impl FnMut(LobbyNews)) {
        if let Err(fault) = self.guests[index].connection.expect_silence(ReadMode::Now) {
            let Guest { login, connection } = self.guests.swap_remove(index);
            let why = Refusal::Restless(fault);
            self.turn_away(connection, &why);
            news(LobbyNews::Left { login, why });
        }
    }

    /// Says why and closes, without anybody waiting for it.
    fn turn_away(&mut self, connection: Connection, why: &Refusal) {
        let words = why.last_word();
        self.turned_away.spawn(async move { connection.done(&words).await });
    }

    /// Goes on taking connections while the game is played, only to tell each that it has begun. That ends
    /// when the [`ClosedLobby`] are dropped.
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

/// The doors of a lobby whose game has begun: closed to everybody until this is dropped.
#[derive(Debug)]
pub struct ClosedLobby(JoinHandle<()>);

impl ClosedLobby {
    /// Stops listening, and waits until the address is free for another lobby.
    pub async fn end(mut self) {
        self.0.abort();
        // It was told to end: how it did does not matter.
        let _ = (&mut self.0).await;
    }
}

impl Drop for ClosedLobby {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// The index of a guest that has written something or hung up.
async fn stirring(guests: &[Guest]) -> usize {
    poll_fn(|context| match guests.iter().position(|guest| guest.connection.poll_stirs(context).is_ready()) {
        Some(index) => Poll::Ready(index),
        None => Poll::Pending,
    })
    .await
}

/// Asks a stranger who it is; twice if the limits say so.
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

/// Who somebody is by what came of asking for its login.
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
    fn strangers_leave_the_players_their_files() {
        let strangers = |files, players| ConnectionLimits::default().within_files(files, players).strangers;
        assert_eq!(strangers(20_000, 17), 1_024);
        assert_eq!(strangers(1_024, 17), 1_024 - 64 - 8 * 17);
        assert_eq!(strangers(100, 17), 8, "somebody must be let in");
        assert_eq!(strangers(1 << 20, 2_000), 2_000, "a great class may come all at once");
    }

    #[test]
    fn what_a_stranger_sent_is_for_its_own_eyes() {
        let error = LoginError::NoColon;
        let bad = Refusal::BadLogin { sent: "StephenCurry".to_string(), error };
        assert!(bad.to_string().contains("StephenCurry") && !bad.in_public().contains("StephenCurry"));
        let restless = Refusal::Restless(Fault::Stray { sent: "StephenCurry:Steph".to_string() });
        assert!(restless.to_string().contains("Steph") && !restless.in_public().contains("Steph"));
        assert_eq!(Refusal::TooLate.in_public(), Refusal::TooLate.to_string());
    }
}
