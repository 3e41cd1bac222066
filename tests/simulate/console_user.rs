//! Where the teacher's buttons are: at the console, if there is one, and otherwise in the program itself.

use std::time::Duration;

use casino_day::driven::{MemoryConsole, Room};
use casino_host::ControlHandle;

use super::watch::{CANARY, REMOVED, Watch};

const TOKEN: &str = "the token of the console";

#[derive(Clone, Copy, Debug)]
pub(crate) enum Order {
    Pause,
    Resume,
    Step,
    /// From round to round, in milliseconds.
    Pace(u64),
    /// Removes this player of the event, from 0.
    Remove(usize),
}

impl Order {
    /// The path at the console, and the body sent there.
    fn request(self) -> (&'static str, String) {
        let nothing = String::new();
        match self {
            Order::Pause => ("pause", nothing),
            Order::Resume => ("resume", nothing),
            Order::Step => ("step", nothing),
            Order::Pace(ms) => ("pace", format!("{{\"ms\":{ms}}}")),
            Order::Remove(player) => {
                ("remove", format!("{{\"seat\":{},\"reason\":\"{REMOVED}\"}}", player + 1))
            }
        }
    }
}

#[derive(Clone, Default)]
pub(crate) struct ConsoleUser {
    controls: ControlHandle,
    console: Option<MemoryConsole>,
}

impl ConsoleUser {
    /// The buttons of a host, at the console of its room if it has one.
    pub(crate) fn new(controls: ControlHandle, room: Option<&Room>) -> ConsoleUser {
        ConsoleUser { controls, console: room.map(|room| MemoryConsole::of(room, TOKEN)) }
    }

    /// Gives an order: directly, or as a request to the console, whose answers are checked.
    pub(crate) fn order(&self, order: Order, watch: &Watch) {
        if let Some(console) = self.console.clone() {
            let watch = watch.clone();
            tokio::spawn(async move {
                match ask(&console, order).await {
                    Ok(()) => watch.console_is_looked_at(),
                    Err(violation) => watch.violation(format!("{order:?} at the console: {violation}")),
                }
            });
            return;
        }
        match order {
            Order::Pause => self.controls.pause(),
            Order::Resume => self.controls.resume(),
            Order::Step => self.controls.step(),
            Order::Pace(ms) => self.controls.pace(Duration::from_millis(ms)),
            Order::Remove(player) => self.controls.remove(player, REMOVED),
        }
    }

    /// Writes a note, for which no button is needed.
    pub(crate) fn note(&self) {
        self.controls.note("a note");
    }

    /// Makes play check whether it was stopped.
    pub(crate) fn wake(&self) {
        self.controls.wake();
    }
}

/// Gives an order twice, first without the token, and then checks the console's state.
async fn ask(console: &MemoryConsole, order: Order) -> Result<(), String> {
    let (path, body) = order.request();
    let refused = answer(console, &format!("POST /api/{path}"), "", &body).await?;
    if status(&refused) != Some(401) || refused.contains(CANARY) {
        return Err(format!("without a token the answer is {refused}"));
    }
    let token = format!("Authorization: Bearer {TOKEN}\r\n");
    let done = answer(console, &format!("POST /api/{path}"), &token, &body).await?;
    // A button comes too late when the tournament is over.
    if !matches!(status(&done), Some(204 | 409)) {
        return Err(format!("the answer is {done}"));
    }
    let overview = answer(console, "GET /api/overview", &token, "").await?;
    let shown = overview.split_once("\r\n\r\n").map_or("", |(_, shown)| shown);
    if status(&overview) != Some(200) || serde_json::from_str::<serde_json::Value>(shown).is_err() {
        return Err(format!("the overview is {overview}"));
    }
    Ok(())
}

fn status(answer: &str) -> Option<u16> {
    answer.strip_prefix("HTTP/1.1 ")?.get(..3)?.parse().ok()
}

async fn answer(console: &MemoryConsole, line: &str, token: &str, body: &str) -> Result<String, String> {
    let length = body.len();
    let request = format!(
        "{line} HTTP/1.1\r\nHost: console\r\nConnection: close\r\nContent-Type: application/json\r\n{token}\
         Content-Length: {length}\r\n\r\n{body}"
    );
    let answer = console.answer(request.as_bytes()).await.map_err(|error| error.to_string())?;
    String::from_utf8(answer).map_err(|error| error.to_string())
}
