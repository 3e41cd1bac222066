//! Asking a new connection who it is.

use std::net::SocketAddr;
use std::time::Duration;

use bytes::Bytes;
use tokio::sync::oneshot;

use casino_stud::hex;
use casino_stud::protocol::{Login, modified_utf8, without_key};
use casino_stud::table::Fault;

use super::refusal::Refusal;
use super::socket::Socket;
use super::{Connection, ConnectionLimits, Guest};

/// Asks a new connection for its login, twice if the limits allow it (R16). It ends at once when another client
/// displaces this one.
pub(super) async fn log_in(
    socket: Socket,
    peer: SocketAddr,
    limits: ConnectionLimits,
    mut displaced: oneshot::Receiver<()>,
) -> Result<Guest, Refusal> {
    let hung_up = |_| Refusal::NoLogin(Fault::HungUp { partial: false });
    socket.keep_alive(limits.lost_after());
    let mut connection = Connection::new(socket, peer).map_err(hung_up)?;
    let asked = tokio::select! {
        biased;
        asked = ask_logins(&mut connection, limits) => asked,
        Ok(()) = &mut displaced => Err(Refusal::Crowded),
    };
    match asked {
        Ok(login) => Ok(Guest { login, connection: Box::new(connection) }),
        Err(Refusal::Crowded) => {
            // Not awaited: the place is needed at once.
            drop(connection.done(&Refusal::Crowded.last_word()));
            Err(Refusal::Crowded)
        }
        Err(why) => {
            tokio::select! {
                biased;
                () = connection.done(&why.last_word()) => {}
                Ok(()) = displaced => {}
            }
            Err(why)
        }
    }
}

async fn ask_logins(connection: &mut Connection, limits: ConnectionLimits) -> Result<Login, Refusal> {
    let login = ask_login(connection, limits.login).await?;
    if limits.relogin && ask_login(connection, limits.login).await? != login {
        return Err(Refusal::Changed);
    }
    Ok(login)
}

async fn ask_login(connection: &mut Connection, limit: Duration) -> Result<Login, Refusal> {
    read_login(connection.login(limit).await)
}

/// Reads the reply to the question for the login.
pub(crate) fn read_login(reply: Result<Bytes, Fault>) -> Result<Login, Refusal> {
    let payload = reply.map_err(Refusal::NoLogin)?;
    Login::read(&payload).map_err(|error| Refusal::BadLogin {
        sent: match modified_utf8::decode(&payload) {
            Ok(text) => without_key(&text).0.to_string(),
            Err(_) => in_hexadecimal(&payload),
        },
        error,
    })
}

/// The bytes of an invalid text in hexadecimal, as many of them as a sentence can hold, and their number.
fn in_hexadecimal(bytes: &[u8]) -> String {
    const MAX_QUOTED_CHARS: usize = 24;
    match bytes.len() {
        0..=MAX_QUOTED_CHARS => hex::spaced(bytes),
        length => format!("{} … ({length} bytes)", hex::spaced(&bytes[..MAX_QUOTED_CHARS])),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_text_is_shown_in_bounded_hexadecimal() {
        let told = |payload: &[u8]| read_login(Ok(Bytes::copy_from_slice(payload))).unwrap_err().last_word();
        assert_eq!(
            told(b"ada\xff:Ada"),
            "You are not in the game: your program answered login with the bytes 61 64 61 ff 3a 41 64 61, but readUTF \
             would not accept its bytes; answer your GitHubId, one colon and your avatar's name."
        );
        let long = told(&[0xff; 1_000]);
        assert!(long.contains(&format!("{} … (1000 bytes), but", ["ff"; 24].join(" "))), "{long}");
    }
}
