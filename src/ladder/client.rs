//! A ladder that is served somewhere, for its players' own programs: handing in, and what became of it.

use std::fmt;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use axum::body::{Body, Bytes, to_bytes};
use axum::http::{Method, Request, StatusCode, Uri, header};
use hyper::client::conn::http1::handshake;
use hyper_util::rt::TokioIo;
use serde::Deserialize;
use tokio::net::TcpStream;
use tokio::time::timeout;

use casino_system::files::create_new_private;

use crate::session::drawn_key;

/// How long connecting may take.
const CONNECT: Duration = Duration::from_secs(20);

/// How long an answer may take, with all that is handed in.
const ANSWER: Duration = Duration::from_secs(300);

/// The longest answer that is read, in bytes.
const LONGEST_ANSWER: usize = 8 << 20;

/// The most of a sentence of the other side that is told, in characters.
const TOLD: usize = 2_000;

/// Why a ladder elsewhere cannot be asked.
#[derive(Debug)]
pub(crate) enum RemoteError {
    /// The address, or the key, is none.
    Address(String),
    /// The ladder says no, in its own words.
    Refused(String),
    /// Nothing comes back, or nothing that a ladder says.
    Lost(String),
}

impl fmt::Display for RemoteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (RemoteError::Address(why) | RemoteError::Refused(why) | RemoteError::Lost(why)) = self;
        f.write_str(why)
    }
}

/// A version, as its author is told of it.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct RemoteVersion {
    pub(crate) label: String,
    pub(crate) state: String,
    pub(crate) reason: Option<String>,
    pub(crate) diagnosis: Option<String>,
}

/// The place of a player.
#[derive(Debug, Deserialize)]
pub(crate) struct RemotePlace {
    pub(crate) most_bytes: u64,
    pub(crate) versions: Vec<RemoteVersion>,
}

#[derive(Debug, Deserialize)]
struct HandedIn {
    label: String,
}

/// A ladder that is served somewhere, and the key to one player's place in it.
pub(crate) struct RemoteLadder {
    /// Without its last slash.
    base: String,
    key: String,
}

impl fmt::Debug for RemoteLadder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RemoteLadder").field("base", &self.base).finish_non_exhaustive()
    }
}

/// The address of a page without the key of a personal link, and that key.
pub(crate) fn address_and_key(link: &str) -> (&str, Option<&str>) {
    match link.split_once('#') {
        Some((address, after)) => (address, after.split('&').find_map(|part| part.strip_prefix("key="))),
        None => (link, None),
    }
}

impl RemoteLadder {
    /// The ladder whose page is at this address, for whoever has this key.
    ///
    /// # Errors
    /// [`RemoteError::Address`].
    pub(crate) fn new(address: &str, key: &str) -> Result<RemoteLadder, RemoteError> {
        let base = address.trim_end_matches('/').to_string();
        let uri: Result<Uri, _> = base.parse();
        let is_usable = uri.is_ok_and(|uri| {
            uri.scheme().is_some() && uri.host().is_some_and(|host| !host.is_empty()) && uri.query().is_none()
        });
        if !is_usable {
            return Err(RemoteError::Address(format!(
                "{address} is no address of a ladder's page: it looks like http://host:8080/ or https://host/ladder/"
            )));
        }
        if key.is_empty() || !key.chars().all(|c| c.is_ascii_alphanumeric()) {
            return Err(RemoteError::Address(
                "the key is not whole: it is what follows #key= in the personal link".to_string(),
            ));
        }
        Ok(RemoteLadder { base, key: key.to_string() })
    }

    /// The player's own place.
    ///
    /// # Errors
    /// [`RemoteError`].
    pub(crate) fn place(&self) -> Result<RemotePlace, RemoteError> {
        self.ask(Method::GET, "/api/me", &[])
    }

    /// Hands an archive of this name in: the label of its version.
    ///
    /// # Errors
    /// [`RemoteError`].
    pub(crate) fn hand_in(&self, name: &str, archive: &[u8]) -> Result<String, RemoteError> {
        let handed_in: HandedIn = self.ask(Method::POST, &format!("/api/me/submit/{name}"), archive)?;
        Ok(handed_in.label)
    }

    fn ask<Answer: serde::de::DeserializeOwned>(
        &self,
        method: Method,
        path: &str,
        body: &[u8],
    ) -> Result<Answer, RemoteError> {
        let url = format!("{}{path}", self.base);
        let lost = |error: io::Error| RemoteError::Lost(format!("{} does not answer: {error}", self.base));
        let answer = match url.starts_with("https://") {
            true => curl(&method, &url, &self.key, body),
            false => casino_host::block_on(plain(method, &url, &self.key, body)).and_then(|answer| answer),
        };
        let RawAnswer { status, elsewhere, body } = answer.map_err(lost)?;
        let told: String = String::from_utf8_lossy(&body).trim().chars().take(TOLD).collect();
        if let Some(elsewhere) = elsewhere {
            let place = elsewhere.strip_suffix(path).unwrap_or(&elsewhere);
            return Err(RemoteError::Refused(format!("the page is at {place} now: name that address")));
        }
        let no_ladder = || {
            RemoteError::Lost(format!(
                "what answers at {} is no ladder's page ({status}): look at the address, with the path to the page",
                self.base
            ))
        };
        match status {
            StatusCode::OK => serde_json::from_slice(&body).map_err(|_| no_ladder()),
            StatusCode::NOT_FOUND | StatusCode::METHOD_NOT_ALLOWED => Err(no_ladder()),
            StatusCode::PAYLOAD_TOO_LARGE if told.starts_with('<') => Err(RemoteError::Refused(
                "the proxy before the ladder takes no archive as large as this one: tell the teacher, or hand in the sources alone"
                    .to_string(),
            )),
            status if told.is_empty() || told.starts_with('<') => {
                Err(RemoteError::Lost(format!("{} answers only {status}: try again later", self.base)))
            }
            status if status.is_client_error() => Err(RemoteError::Refused(told)),
            _ => Err(RemoteError::Lost(told)),
        }
    }
}

struct RawAnswer {
    status: StatusCode,
    /// Where the other side says that it is to be asked instead.
    elsewhere: Option<String>,
    body: Bytes,
}

/// Asks over HTTP.
async fn plain(method: Method, url: &str, key: &str, body: &[u8]) -> io::Result<RawAnswer> {
    let uri: Uri = url.parse().map_err(io::Error::other)?;
    let (Some(host), Some(authority)) = (uri.host(), uri.authority()) else {
        return Err(io::Error::other("there is no host in the address"));
    };
    let late = |_| io::Error::from(io::ErrorKind::TimedOut);
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    let port = uri.port_u16().unwrap_or(80);
    let stream = timeout(CONNECT, TcpStream::connect((bare, port))).await.map_err(late)??;
    let (mut sender, connection) = handshake(TokioIo::new(stream)).await.map_err(io::Error::other)?;
    // It ends with the answer, and what was wrong with it is told with that.
    let connection = tokio::spawn(connection);
    let request = Request::builder()
        .method(method)
        .uri(uri.path())
        .header(header::HOST, authority.as_str())
        .header(header::AUTHORIZATION, format!("Bearer {key}"))
        .header(header::CONNECTION, "close")
        .body(Body::from(body.to_vec()))
        .map_err(io::Error::other)?;
    let asked = async {
        let response = sender.send_request(request).await.map_err(io::Error::other)?;
        let (head, body) = response.into_parts();
        let body = to_bytes(Body::new(body), LONGEST_ANSWER).await.map_err(io::Error::other)?;
        let elsewhere = head.headers.get(header::LOCATION).filter(|_| head.status.is_redirection());
        let elsewhere = elsewhere.and_then(|place| place.to_str().ok()).map(str::to_string);
        Ok(RawAnswer { status: head.status, elsewhere, body })
    };
    let answer = timeout(ANSWER, asked).await.map_err(late)?;
    connection.abort();
    answer
}

/// A file of what is handed in, for as long as curl reads it.
struct Waiting(PathBuf);

impl Drop for Waiting {
    fn drop(&mut self) {
        // A file that stays among temporary ones is in nobody's way.
        let _ = std::fs::remove_file(&self.0);
    }
}

/// Asks with the system's curl, which speaks TLS and trusts whom the system trusts. The key goes through its standard input,
/// because whoever is on this machine may read its flags.
fn curl(method: &Method, url: &str, key: &str, body: &[u8]) -> io::Result<RawAnswer> {
    let name = drawn_key().map_err(io::Error::other)?;
    let waiting = Waiting(std::env::temp_dir().join(format!("casino-hand-in-{name}")));
    create_new_private(&waiting.0)?.write_all(body)?;
    let mut command = Command::new("curl");
    command
        .args(["--silent", "--show-error", "--config", "-", "--request", method.as_str(), "--header"])
        .args(["Expect:", "--write-out", "\n%{http_code} %{redirect_url}"])
        .arg("--connect-timeout")
        .arg(CONNECT.as_secs().to_string())
        .arg("--max-time")
        .arg(ANSWER.as_secs().to_string())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    if method == Method::POST {
        command.args(["--header", "Content-Type: application/octet-stream", "--data-binary"]);
        let mut from = std::ffi::OsString::from("@");
        from.push(&waiting.0);
        command.arg(from);
    }
    let mut child = command.arg(url).spawn().map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => io::Error::other(
            "addresses with https are asked by curl, which is not on this machine: install it, or hand in on the page",
        ),
        _ => error,
    })?;
    if let Some(mut config) = child.stdin.take() {
        config.write_all(format!("header = \"Authorization: Bearer {key}\"\n").as_bytes())?;
    }
    let output = child.wait_with_output()?;
    if !output.status.success() {
        return Err(io::Error::other(String::from_utf8_lossy(&output.stderr).trim().to_string()));
    }
    let mut text = output.stdout;
    let strange = || io::Error::other("curl told nothing of an answer");
    let at = text.iter().rposition(|byte| *byte == b'\n').ok_or_else(strange)?;
    let told = String::from_utf8_lossy(&text[at + 1..]).into_owned();
    text.truncate(at);
    let (status, elsewhere) = told.split_once(' ').ok_or_else(strange)?;
    let status = status.parse().map_err(|_| strange())?;
    let elsewhere = Some(elsewhere.to_string()).filter(|place| !place.is_empty());
    Ok(RawAnswer { status, elsewhere, body: text.into() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;
    use std::net::TcpListener;

    /// Answers one request, and returns what was asked.
    fn answering(answer: &'static str) -> (String, std::thread::JoinHandle<String>) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}/below/", listener.local_addr().unwrap());
        let asked = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let mut asked = Vec::new();
            let mut part = [0; 4096];
            while !String::from_utf8_lossy(&asked).contains("the archive") {
                let read = stream.read(&mut part).unwrap();
                asked.extend_from_slice(&part[..read]);
            }
            stream.write_all(answer.as_bytes()).unwrap();
            String::from_utf8(asked).unwrap()
        });
        (address, asked)
    }

    #[test]
    fn an_archive_is_handed_in_below_any_path_with_the_key_in_a_header() {
        let (address, asked) = answering(
            "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n{\"label\":\"Ada/1\",\"state\":\"waiting\"}",
        );
        let ladder = RemoteLadder::new(&address, "0123abcd").unwrap();
        assert_eq!(ladder.hand_in("bot.tar.gz", b"the archive").unwrap(), "Ada/1");
        let asked = asked.join().unwrap();
        assert!(asked.starts_with("POST /below/api/me/submit/bot.tar.gz HTTP/1.1\r\n"), "{asked}");
        assert!(asked.contains("authorization: Bearer 0123abcd\r\n"), "{asked}");
        assert!(asked.ends_with("\r\n\r\nthe archive"), "{asked}");
    }

    #[test]
    fn what_another_side_says_becomes_a_sentence_with_a_remedy() {
        for (answer, told) in [
            ("HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\nno", "no ladder's page"),
            ("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n<html>", "no ladder's page"),
            ("HTTP/1.1 413 Too Large\r\nContent-Length: 6\r\n\r\n<html>", "the proxy before the ladder"),
            ("HTTP/1.1 502 Bad\r\nContent-Length: 6\r\n\r\n<html>", "answers only 502"),
            ("HTTP/1.1 409 Conflict\r\nContent-Length: 6\r\n\r\nfrozen", "frozen"),
            (
                "HTTP/1.1 301 Moved\r\nLocation: https://there.example/api/me/submit/b.zip\r\nContent-Length: 0\r\n\r\n",
                "the page is at https://there.example now",
            ),
            ("", "does not answer"),
        ] {
            let (address, asked) = answering(answer);
            let ladder = RemoteLadder::new(&address, "0123abcd").unwrap();
            let error = ladder.hand_in("b.zip", b"the archive").unwrap_err().to_string();
            assert!(error.contains(told), "{answer}: {error}");
            asked.join().unwrap();
        }
    }

    #[test]
    fn no_address_and_no_key_are_taken_that_are_none() {
        for address in ["http://", "http:///x", "http://host/?a=b", "http://ho st/"] {
            assert!(matches!(RemoteLadder::new(address, "0a"), Err(RemoteError::Address(_))), "{address}");
        }
        for key in ["", "a b", "a\r\nX: y", "\u{e9}"] {
            assert!(
                matches!(RemoteLadder::new("http://host/", key), Err(RemoteError::Address(_))),
                "{key:?}"
            );
        }
        assert_eq!(address_and_key("http://h/x/#key=0a"), ("http://h/x/", Some("0a")));
        assert_eq!(address_and_key("http://h/x/#me"), ("http://h/x/", None));
        assert_eq!(address_and_key("http://h/"), ("http://h/", None));
    }

    /// Addresses with https go this way; curl speaks both.
    #[test]
    fn curl_is_told_the_key_where_nobody_reads_it() {
        if Command::new("curl").arg("--version").output().is_err() {
            return;
        }
        let (address, asked) = answering("HTTP/1.1 409 Conflict\r\nContent-Length: 6\r\n\r\nfrozen");
        let answer = curl(&Method::POST, &address, "0123abcd", b"the archive").unwrap();
        assert_eq!((answer.status.as_u16(), &answer.body[..]), (409, &b"frozen"[..]));
        assert!(asked.join().unwrap().contains("Authorization: Bearer 0123abcd\r\n"));
    }
}
