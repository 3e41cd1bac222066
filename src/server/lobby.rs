//! Where players arrive: login, limits, refusals in words.

use std::collections::HashMap;
use std::future::poll_fn;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::task::Poll;
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use crate::protocol::Login;
use crate::table::quote;

use super::Connection;

/// The limits a host sets to those who connect.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
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

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            reply: Duration::from_millis(1_000),
            login: Duration::from_secs(10),
            strangers: 1_024,
            strangers_per_address: 256,
            relogin: false,
        }
    }
}

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
        why: String,
    },
    /// Somebody who had logged in left or was sent away.
    Left {
        /// Who.
        login: Login,
        /// Why.
        why: String,
    },
}

/// The doors of a host: takes connections until it is dropped, and lets in whoever logs in.
#[derive(Debug)]
pub struct Lobby {
    listener: TcpListener,
    limits: Limits,
    /// Logins under way.
    arriving: JoinSet<(SocketAddr, Result<Guest, String>)>,
    /// How many logins are under way from each address.
    strangers: HashMap<IpAddr, usize>,
    guests: Vec<Guest>,
}

impl Lobby {
    /// A lobby at this listener, which the caller has bound.
    pub fn new(listener: TcpListener, limits: Limits) -> Lobby {
        Lobby { listener, limits, arriving: JoinSet::new(), strangers: HashMap::new(), guests: Vec::new() }
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
                    if let Some((peer, outcome)) = self.arrived(arrived) {
                        self.let_in(peer, outcome, &taken, &mut news);
                    }
                }
                index = stirring(&self.guests) => self.disturbed(index, &mut news),
            }
        }
        std::mem::take(&mut self.guests)
    }

    /// Gives out those who are in, however many there are: for a host that does not wait any longer.
    pub fn begin_with_those_inside(&mut self) -> Vec<Guest> {
        std::mem::take(&mut self.guests)
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
        let from_there = self.strangers.entry(peer.ip()).or_default();
        if self.arriving.len() >= self.limits.strangers || *from_there >= self.limits.strangers_per_address {
            if *from_there == 0 {
                self.strangers.remove(&peer.ip());
            }
            let why = "too many connections that have not logged in".to_string();
            return news(LobbyNews::Refused { peer, why });
        }
        *from_there += 1;
        let limits = self.limits;
        self.arriving.spawn(async move { (peer, log_in(stream, peer, limits).await) });
    }

    fn arrived(
        &mut self,
        arrived: Result<(SocketAddr, Result<Guest, String>), tokio::task::JoinError>,
    ) -> Option<(SocketAddr, Result<Guest, String>)> {
        let (peer, outcome) = arrived.ok()?;
        if let Some(count) = self.strangers.get_mut(&peer.ip()) {
            *count -= 1;
            if *count == 0 {
                self.strangers.remove(&peer.ip());
            }
        }
        Some((peer, outcome))
    }

    fn let_in(
        &mut self,
        peer: SocketAddr,
        outcome: Result<Guest, String>,
        taken: &impl Fn(&Login) -> Option<String>,
        news: &mut impl FnMut(LobbyNews),
    ) {
        let guest = match outcome {
            Ok(guest) => guest,
            Err(why) => return news(LobbyNews::Refused { peer, why }),
        };
        let inside = self.guests.iter().any(|other| other.login.github_id == guest.login.github_id);
        let why = if inside {
            Some("somebody with this GitHubId is in already".to_string())
        } else {
            taken(&guest.login)
        };
        match why {
            None => {
                news(LobbyNews::Entered(guest.login.clone()));
                self.guests.push(guest);
            }
            Some(why) => {
                turn_away(guest.connection, why.clone());
                news(LobbyNews::Refused { peer, why });
            }
        }
    }

    /// A guest that does anything while it waits has hung up or does not keep to the protocol.
    fn disturbed(&mut self, index: usize, news: &mut impl FnMut(LobbyNews)) {
        if let Err(fault) = self.guests[index].connection.expect_silence() {
            let Guest { login, connection } = self.guests.swap_remove(index);
            let why = format!("your program {fault} while it waited for the game to begin");
            turn_away(connection, why.clone());
            news(LobbyNews::Left { login, why });
        }
    }

    /// Goes on taking connections, only to tell each that the game has begun.
    pub async fn refuse_everyone(mut self, news: mpsc::UnboundedSender<LobbyNews>) {
        loop {
            tokio::select! {
                accepted = self.listener.accept() => match accepted {
                    Ok((stream, peer)) if self.arriving.len() < self.limits.strangers => {
                        self.arriving.spawn(async move {
                            let why = "the game has begun without you; come in time for the next one".to_string();
                            if let Ok(connection) = Connection::new(stream, peer) {
                                connection.done(&refusal(&why)).await;
                            }
                            (peer, Err(why))
                        });
                    }
                    Ok(_) => {}
                    Err(_) => tokio::time::sleep(ACCEPT_PAUSE).await,
                },
                Some(arrived) = self.arriving.join_next() => match arrived {
                    Ok((peer, Err(why))) => {
                        // Nobody need listen to the news.
                        let _ = news.send(LobbyNews::Refused { peer, why });
                    }
                    // A login that was under way when the last place was taken.
                    Ok((_, Ok(guest))) => turn_away(guest.connection, "all places are taken".to_string()),
                    Err(_) => {}
                },
            }
        }
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
pub(super) async fn log_in(stream: TcpStream, peer: SocketAddr, limits: Limits) -> Result<Guest, String> {
    let mut connection = Connection::new(stream, peer).map_err(|error| error.to_string())?;
    let asked = match ask_login(&mut connection, limits.login).await {
        Ok(login) if limits.relogin => match ask_login(&mut connection, limits.login).await {
            Ok(again) if again == login => Ok(login),
            Ok(_) => Err("the second answer to the same question was another one".to_string()),
            Err(why) => Err(why),
        },
        other => other,
    };
    match asked {
        Ok(login) => Ok(Guest { login, connection }),
        Err(why) => {
            connection.done(&refusal(&why)).await;
            Err(why)
        }
    }
}

async fn ask_login(connection: &mut Connection, limit: Duration) -> Result<Login, String> {
    let payload = match connection.login(limit).await {
        Ok(payload) => payload,
        Err(fault) => return Err(format!("your program {fault}")),
    };
    Login::read(&payload).map_err(|error| {
        let sent = crate::protocol::modified_utf8::decode(&payload).unwrap_or_default();
        format!("your program said it was {}, but {error}", quote(&sent))
    })
}

fn refusal(why: &str) -> String {
    format!("You are not in the game: {why}.")
}

/// Says why and closes, without anybody waiting for it.
fn turn_away(connection: Connection, why: String) {
    tokio::spawn(async move { connection.done(&refusal(&why)).await });
}
