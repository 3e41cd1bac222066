//! The page of a simulated day, and a viewer who reads everything on it.

use std::pin::pin;
use std::time::Duration;

use casino_day::driven::Room;
use casino_day::session::Showing;
use casino_host::ControlHandle;
use futures_util::StreamExt;
use serde_json::Value;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use casino_show::rounds::BoardRow;

use super::watch::{CANARY, Watch};

/// A room whose show runs beside the dealer. It ends when this is dropped.
pub(crate) struct Shown {
    room: Option<Room>,
    waits: bool,
    show: JoinHandle<()>,
    reader: JoinHandle<()>,
}

impl Shown {
    /// Opens the page: the dealer keeps in step with it for this many minutes, or not at all with 0.
    pub(crate) fn open(minutes: u32, watch: &Watch) -> Shown {
        let (room, show) = Room::unserved();
        room.console_state().controls().set(|settings| settings.minutes = Some(minutes));
        let show = tokio::spawn(show);
        let stream = room.watch();
        let watch = watch.clone();
        let reader = tokio::spawn(async move {
            let mut stream = pin!(stream);
            let mut page = serde_json::Map::new();
            while let Some(Ok(frame)) = stream.next().await {
                read(&mut page, &frame, &watch);
            }
        });
        Shown { room: Some(room), waits: minutes > 0, show, reader }
    }

    pub(crate) fn room(&self) -> &Room {
        self.room.as_ref().expect("it is open until it is dropped")
    }

    pub(crate) fn controls(&self) -> ControlHandle {
        self.room().console_state().controls().clone()
    }

    /// The tournament is over: the show continues to its end.
    pub(crate) async fn end(self, rows: Vec<BoardRow>, rounds: u64, is_stopped: bool) {
        self.room().console_state().end(None, true);
        self.room().end(rows, rounds, is_stopped);
        if self.waits {
            self.room().is_over().await;
        } else {
            // Reads the remaining messages.
            let _ = timeout(Duration::from_secs(60), std::future::pending::<()>()).await;
        }
    }
}

impl Drop for Shown {
    fn drop(&mut self) {
        drop(self.room.take());
        self.show.abort();
        self.reader.abort();
    }
}

/// Reads a message of the page, and checks that it contains no later round than the one on show.
fn read(page: &mut serde_json::Map<String, Value>, frame: &[u8], watch: &Watch) {
    let text = String::from_utf8_lossy(frame);
    let Some(data) = text.lines().find_map(|line| line.strip_prefix("data: ")) else { return };
    watch.page_is_looked_at();
    if data.contains(CANARY) {
        return watch.violation(format!("the page tells a secret: {data}"));
    }
    let Ok(Value::Object(message)) = serde_json::from_str(data) else {
        return watch.violation(format!("the page says what is no message: {data}"));
    };
    for (key, value) in message {
        page.insert(key, value);
    }
    let Some(table) = page.get("table").filter(|table| !table.is_null()) else { return };
    if page.get("phase").is_some_and(|phase| phase == "over") {
        return;
    }
    let round = table["round"].as_u64().unwrap_or(0);
    let is_over = !table["result"].is_null();
    let newest = if is_over { round } else { round.saturating_sub(1) };
    if !is_over {
        let seats = table["seats"].as_array();
        if seats.into_iter().flatten().any(|seat| !seat["hole"].is_null()) {
            return watch.violation(format!("the page shows a hole card in round {round}: {table}"));
        }
    }
    let board = page.get("board").and_then(|board| board["round"].as_u64()).unwrap_or(0);
    if board > newest {
        watch.violation(format!("the board knows round {board} while round {round} is shown"));
    }
}
