//! A viewer of the page, and the teacher at the console.

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpStream};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use serde_json::Value;

use crate::support::host::{Host, http};

/// Watches a host until it is gone.
pub(crate) struct Watcher {
    page: JoinHandle<u64>,
    console: JoinHandle<()>,
}

impl Watcher {
    /// Watches the page of a listening host, and sits down at its console. Play begins when all have connected.
    pub(crate) fn of(host: &Host) -> Watcher {
        // Both addresses have been printed on standard error; they may still be on their way.
        let mut said = host.said();
        while said.matches("http://").count() < 2 || !said.ends_with('\n') {
            thread::yield_now();
            said = host.said();
        }
        let mut addresses = said.split("http://").skip(1).map(|rest| rest.lines().next().unwrap().trim());
        let (console, token) = addresses.next().unwrap().split_once("/#").unwrap();
        let page = addresses.next().unwrap().trim_end_matches('/').parse().unwrap();
        let (console, token) = (console.parse().unwrap(), token.to_string());
        Watcher {
            page: thread::spawn(move || newest_round(page)),
            console: thread::spawn(move || sit_at(console, &token)),
        }
    }

    /// The newest round that the page showed as over.
    pub(crate) fn newest_round(self) -> u64 {
        self.console.join().unwrap();
        self.page.join().unwrap()
    }
}

fn newest_round(page: SocketAddr) -> u64 {
    let mut newest = 0;
    let Ok(mut stream) = TcpStream::connect(page) else { return newest };
    let request = format!("GET /events HTTP/1.1\r\nHost: {page}\r\n\r\n");
    if stream.write_all(request.as_bytes()).is_err() {
        return newest;
    }
    for line in BufReader::new(stream).lines() {
        // The host is gone.
        let Ok(line) = line else { break };
        let Some(data) = line.strip_prefix("data: ") else { continue };
        // A line that was cut off by the kill.
        let Ok(message) = serde_json::from_str::<Value>(data) else { break };
        newest = newest.max(message["board"]["round"].as_u64().unwrap_or(0));
    }
    newest
}

/// Polls the console, begins when all have connected, and pauses now and then.
fn sit_at(console: SocketAddr, token: &str) {
    let mut has_begun = false;
    let mut looks = 0;
    while let Some(overview) = ask(console, token, "GET /api/overview") {
        looks += 1;
        let overview: Value = serde_json::from_str(&overview).unwrap_or_default();
        let everybody = overview["members"].as_array().is_some_and(|members| {
            !members.is_empty() && overview["wanted"].as_u64() == Some(members.len() as u64)
        });
        let action = match overview["hour"].as_str() {
            Some("lobby") if everybody && !has_begun => "POST /api/start",
            Some("playing") if looks % 7 == 3 => "POST /api/pause",
            Some("playing" | "paused") => "POST /api/resume",
            _ => {
                thread::sleep(Duration::from_millis(2));
                continue;
            }
        };
        has_begun |= action.ends_with("start");
        if ask(console, token, action).is_none() {
            break;
        }
        thread::sleep(Duration::from_millis(2));
    }
}

/// The answer's body; `None` if the server is gone.
fn ask(console: SocketAddr, token: &str, what: &str) -> Option<String> {
    http(console, what, &[("Authorization", &format!("Bearer {token}"))], b"").ok().map(|(_, body)| body)
}
