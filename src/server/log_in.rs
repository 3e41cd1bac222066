//! Asking a new connection who it is.

use std::net::SocketAddr;
use std::time::Duration;

use bytes::Bytes;

use crate::protocol::{Login, modified_utf8};
use crate::table::Fault;

use super::refusal::Refusal;
use super::socket::Socket;
use super::{Connection, ConnectionLimits, Guest};

/// Asks a new connection for its login, twice if the limits say so (R16).
pub(crate) async fn log_in(
    socket: impl Into<Socket>,
    peer: SocketAddr,
    limits: ConnectionLimits,
) -> Result<Guest, Refusal> {
    let hung_up = |_| Refusal::NoLogin(Fault::HungUp { partial: false });
    let mut connection = Connection::new(socket, peer).map_err(hung_up)?;
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
