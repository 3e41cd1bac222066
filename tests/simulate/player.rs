//! The players of a simulated day: programs behind sockets in memory, honest ones and others.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use bytes::{Buf, BytesMut};
use casino_host::driven::{MemoryConnector, MemorySocket};
use casino_stud::journal::Replied;
use casino_stud::protocol::modified_utf8;
use casino_stud::table::{Fault as TableFault, FrameFault};
use tokio::time::{Instant, advance, sleep, sleep_until};

use super::dice::{Dice, digest};
use super::watch::Watch;
use super::world::{BAD_LOGINS, Fault, MALFORMED, Stranger, Villain};

/// How many bytes a connection holds that have not been read.
const CAPACITY: usize = 64 * 1024;

const MS: Duration = Duration::from_millis(1);

/// The history of a player over all lives of the host.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    /// Every `status` and `done` it received.
    pub(crate) told: Vec<String>,
    /// Its fouls, as the journal must have them.
    pub(crate) acts: Vec<Replied>,
    /// The number of statuses among them.
    rounds: usize,
}

/// A player's program, which connects again to each new host.
#[derive(Clone, Debug)]
pub(crate) struct Player {
    pub(crate) index: usize,
    pub(crate) github_id: String,
    pub(crate) from: SocketAddr,
    pub(crate) villain: Option<Villain>,
    pub(crate) rough: bool,
    /// How often it is asked for its login.
    pub(crate) logins: u32,
    pub(crate) reply: Duration,
    pub(crate) seed: u64,
    pub(crate) memory: Arc<Mutex<Memory>>,
}

fn frame(payload: &[u8]) -> Vec<u8> {
    let length = u16::try_from(payload.len()).expect("a short text");
    [&length.to_be_bytes(), payload].concat()
}

fn text_frame(text: &str) -> Vec<u8> {
    frame(&modified_utf8::encode(text))
}

/// A connection as its program sees it.
struct Wire {
    socket: MemorySocket,
    inbox: BytesMut,
    dice: Dice,
}

impl Wire {
    /// The payload of the next frame; `None` at the end of the connection.
    async fn next(&mut self) -> Option<Vec<u8>> {
        loop {
            if let Some(header) = self.inbox.first_chunk::<2>() {
                let length = usize::from(u16::from_be_bytes(*header));
                if self.inbox.len() >= 2 + length {
                    self.inbox.advance(2);
                    return Some(self.inbox.split_to(length).to_vec());
                }
            }
            if !matches!(self.socket.read(&mut self.inbox).await, Ok(1..)) {
                return None;
            }
        }
    }

    /// Writes all of it; bytes that are not accepted any more are lost, as in a network.
    async fn write(&self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            match self.socket.try_write(bytes) {
                Ok(taken) => bytes = &bytes[taken..],
                Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => self.socket.writable().await,
                Err(_) => return,
            }
        }
    }

    /// Writes it in pieces, the last of which comes within the limit.
    async fn write_roughly(&mut self, bytes: &[u8], limit: Duration) {
        // Timers are late by up to a millisecond.
        let limit = limit.as_millis() as u64 - 2;
        let end = match self.dice.below(8) {
            0 => limit,
            1 => self.dice.below(limit + 1),
            2 => self.dice.below(20.min(limit + 1)),
            _ => 0,
        };
        let began = Instant::now();
        let pieces = self.dice.within(1, 4) as usize;
        let mut rest = bytes;
        for _ in 1..pieces.min(bytes.len()) {
            let cut = self.dice.below(rest.len() as u64) as usize;
            self.write(&rest[..cut]).await;
            rest = &rest[cut..];
            match self.dice.below(end + 1) {
                0 => tokio::task::yield_now().await,
                at => sleep_until((began + MS * at as u32).min(began + MS * end as u32)).await,
            }
        }
        sleep_until(began + MS * end as u32).await;
        self.write(rest).await;
    }

    async fn listen(&mut self, player: &Player, watch: &Watch) {
        while let Some(payload) = self.next().await {
            player.hear(&payload, watch);
        }
    }
}

struct Asked {
    stack: u64,
    to_call: u64,
}

impl Asked {
    fn read(payload: &[u8]) -> Option<Asked> {
        let text = std::str::from_utf8(payload).ok().filter(|text| text.starts_with("bet"))?;
        let mut fields = text.split(':').skip(1);
        let stack = fields.next()?.parse().ok()?;
        let to_call = fields.nth(1)?.parse().ok()?;
        Some(Asked { stack, to_call })
    }

    fn most(&self) -> u64 {
        (self.to_call + 10).min(self.stack)
    }
}

impl Player {
    pub(crate) fn memory(&self) -> MutexGuard<'_, Memory> {
        self.memory.lock().expect("nobody panics with it in hand")
    }

    fn fault(&self) -> Option<Fault> {
        self.villain.map(|villain| villain.fault)
    }

    /// Connects and plays until the connection ends.
    pub(crate) async fn live(self, host: MemoryConnector, life: u64, late: Duration, watch: Watch) {
        sleep(late).await;
        let capacity = if self.fault() == Some(Fault::NotReading) { 16 } else { CAPACITY };
        let Ok(socket) = host.connect(self.from, capacity) else { return };
        let dice = Dice::new(self.seed).fork(1_000 + self.index as u64).fork(life);
        let mut wire = Wire { socket, inbox: BytesMut::new(), dice };
        let mut logins = 0;
        while let Some(payload) = wire.next().await {
            if payload == b"login" {
                logins += 1;
                wire.write(&text_frame(&format!("{}:The {}", self.github_id, self.index))).await;
                if self.fault() == Some(Fault::NotReading) && logins == self.logins {
                    return self.hear_nothing(wire, &watch).await;
                }
                continue;
            }
            self.hear(&payload, &watch);
            if let Some(asked) = Asked::read(&payload) {
                watch.asked(self.index, &payload);
                let is_due =
                    |villain: &Villain| digest(self.seed ^ 77, &payload).is_multiple_of(villain.rarity);
                match self.villain.filter(is_due) {
                    Some(Villain { fault, .. }) if fault != Fault::Stray => {
                        match self.act(fault, &asked, wire, &payload).await {
                            Some(on) => wire = on,
                            None => return,
                        }
                    }
                    _ => self.answer(&asked, &payload, &mut wire).await,
                }
            } else if payload.starts_with(b"status:") && self.fault() == Some(Fault::Stray) {
                // It may leave with the next question, and is the answer to that then.
                self.did(TableFault::Stray { sent: "me too".to_string() });
                self.did(TableFault::Malformed { sent: "me too".to_string() });
                wire.write(&text_frame("me too")).await;
            }
        }
    }

    /// Stores a message and has it checked.
    fn hear(&self, payload: &[u8], watch: &Watch) {
        let mut memory = self.memory();
        if payload.starts_with(b"status:") || payload.starts_with(b"done:") {
            memory.told.push(modified_utf8::decode(payload).unwrap_or_else(|_| "unreadable".to_string()));
            memory.rounds += usize::from(payload.starts_with(b"status:"));
            let told = memory.rounds;
            drop(memory);
            watch.told(self.index, told);
        } else {
            drop(memory);
        }
        watch.sent(Some(self.index), payload);
    }

    fn did(&self, fault: TableFault) {
        self.memory().acts.push(Replied::Fault(fault));
    }

    fn reply(&self, asked: &Asked, payload: &[u8]) -> String {
        let number = digest(self.seed ^ self.index as u64, payload);
        match number % 6 {
            0 if asked.to_call > 0 => "fold".to_string(),
            1 | 2 => format!("bet:{}", (asked.to_call + number / 6 % 11).min(asked.most())),
            _ => format!("bet:{}", asked.to_call),
        }
    }

    async fn answer(&self, asked: &Asked, payload: &[u8], wire: &mut Wire) {
        let reply = text_frame(&self.reply(asked, payload));
        match self.rough {
            true => wire.write_roughly(&reply, self.reply).await,
            false => wire.write(&reply).await,
        }
    }

    /// Breaks a rule. Gives the connection back unless the player has broken it off.
    async fn act(&self, fault: Fault, asked: &Asked, wire: Wire, payload: &[u8]) -> Option<Wire> {
        let limit_ms = self.reply.as_millis() as u64;
        let good = text_frame(&self.reply(asked, payload));
        match fault {
            Fault::Silent => self.did(TableFault::Late { limit_ms, bank_ms: 0, partial: false }),
            Fault::Late(nanoseconds) => {
                self.did(TableFault::Late { limit_ms, bank_ms: 0, partial: false });
                sleep(self.reply).await;
                pass(Duration::from_nanos(nanoseconds)).await;
                wire.write(&good).await;
            }
            Fault::Dribble => {
                self.did(TableFault::Late { limit_ms, bank_ms: 0, partial: true });
                let (last, first) = good.split_last().expect("a frame has bytes");
                for byte in first {
                    wire.write(&[*byte]).await;
                    sleep(self.reply / 20).await;
                }
                sleep(self.reply).await;
                wire.write(&[*last]).await;
            }
            Fault::HangUp => {
                self.did(TableFault::HungUp { partial: false });
                return None;
            }
            Fault::HangUpInside => {
                self.did(TableFault::HungUp { partial: true });
                wire.write(&good[..3]).await;
                wire.socket.shutdown();
            }
            Fault::Reset => {
                self.did(TableFault::HungUp { partial: false });
                wire.socket.reset();
                return None;
            }
            Fault::TooLong => {
                self.did(TableFault::Frame(FrameFault::TooLong { length: 65_535, cap: 1_024 }));
                wire.write(&[0xFF, 0xFF, b'b']).await;
            }
            Fault::BadText => {
                self.did(TableFault::Frame(FrameFault::BadText));
                wire.write(&frame(b"bet:\xFF")).await;
            }
            Fault::Malformed(text) => {
                self.did(TableFault::Malformed { sent: MALFORMED[text].to_string() });
                wire.write(&text_frame(MALFORMED[text])).await;
            }
            Fault::TooMuch => self.bet(asked.most() + 1, &wire).await,
            Fault::TooLittle if asked.to_call > 0 => self.bet(asked.to_call - 1, &wire).await,
            Fault::TooLittle => wire.write(&good).await,
            Fault::Twice => {
                self.did(TableFault::Stray { sent: "fold".to_string() });
                wire.write(&[good, text_frame("fold")].concat()).await;
            }
            Fault::Flood => {
                self.did(TableFault::Stray { sent: "fold".to_string() });
                wire.write(&[good, text_frame("fold").repeat(20_000)].concat()).await;
            }
            Fault::Stray | Fault::NotReading => unreachable!("they are done elsewhere"),
        }
        Some(wire)
    }

    async fn bet(&self, chips: u64, wire: &Wire) {
        self.memory().acts.push(Replied::Illegal { bet: u32::try_from(chips).expect("few chips") });
        wire.write(&text_frame(&format!("bet:{chips}"))).await;
    }

    /// Reads nothing more, as long as the host lives and keeps the connection.
    async fn hear_nothing(&self, mut wire: Wire, watch: &Watch) {
        self.did(TableFault::NotReading);
        while !wire.socket.is_closed() {
            sleep(Duration::from_secs(1)).await;
        }
        wire.listen(self, watch).await;
    }
}

/// Lets this much time pass for all tasks, to the nanosecond: timers have a resolution of milliseconds.
async fn pass(time: Duration) {
    sleep(Duration::from_millis(time.as_millis() as u64)).await;
    let rest = Duration::from_nanos(u64::from(time.subsec_nanos()) % 1_000_000);
    if !rest.is_zero() {
        advance(rest).await;
    }
}

/// A client that does not play. It gives up when the host does.
pub(crate) async fn stranger(
    stranger: Stranger,
    after: Duration,
    players: Vec<Player>,
    host: MemoryConnector,
    number: usize,
    watch: Watch,
) {
    sleep(after).await;
    let from = match stranger {
        // From the address of the player it pretends to be.
        Stranger::TakenId(player) => players[player].from,
        _ => SocketAddr::from(([10, 9, 0, number as u8], 4_000)),
    };
    let Ok(socket) = host.connect(from, CAPACITY) else { return };
    drop(host);
    let mut wire = Wire { socket, inbox: BytesMut::new(), dice: Dice::new(0) };
    let said = match stranger {
        Stranger::Idle => Vec::new(),
        Stranger::Gone => return,
        Stranger::Http => b"GET / HTTP/1.1\r\nHost: casino\r\n\r\n".to_vec(),
        Stranger::BadLogin(which) => text_frame(BAD_LOGINS[which]),
        Stranger::TakenId(player) => text_frame(&format!("{}:Eve", players[player].github_id)),
    };
    if wire.next().await.is_some() {
        wire.write(&said).await;
        while let Some(payload) = wire.next().await {
            watch.sent(None, &payload);
        }
    }
}
