//! The same scenario over real sockets: lobby, login, connections, deadlines.
//!
//! The clock is virtual. It stands still while anybody has something to do, and a player who is to be late
//! moves it: so a second of silence takes no time, and no run depends on the speed of the machine.

use std::collections::VecDeque;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use bytes::{BufMut, BytesMut};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;
use tokio_util::codec::Decoder;

use crate::protocol::{FrameCodec, modified_utf8};
use crate::server::{self, ConnectionLimits, EventHost, Guest, Lobby};
use crate::stud::Seat;
use crate::table::TableEvent;
use crate::tournament::{Event, Recorder, TableGame};

use super::file::{Scenario, SeatController};
use super::run::{Notes, ScenarioRun, Spoken};
use super::script::{Act, Does, Leave, ScriptedMessage};

/// How long, on a real clock, nothing may move before the virtual clock is let run.
const PATIENCE: Duration = Duration::from_secs(20);

/// By when, on the virtual clock, everything is over.
const FOREVER: Duration = Duration::from_secs(1_000_000);

/// A moment past a deadline.
const PAST: Duration = Duration::from_millis(1);

impl Scenario {
    /// Plays it over TCP on this machine.
    ///
    /// # Errors
    /// If sockets cannot be had.
    pub fn play_over_tcp(&self) -> io::Result<ScenarioRun> {
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build()?;
        runtime.block_on(async {
            // While a blocking task runs, the paused clock does not move by itself.
            let (over, still_going) = std::sync::mpsc::channel::<()>();
            let brake = tokio::task::spawn_blocking(move || {
                still_going.recv_timeout(PATIENCE) == Err(std::sync::mpsc::RecvTimeoutError::Timeout)
            });
            let played = tokio::time::timeout(FOREVER, self.host()).await;
            drop(over);
            let ran_away = brake.await.map_err(io::Error::other)?;
            match played {
                Ok(played) => Ok(ScenarioRun { stuck: ran_away, ..played? }),
                Err(_) => Ok(ScenarioRun { stuck: true, ..Notes::new(self).played }),
            }
        })
    }

    async fn host(&self) -> io::Result<ScenarioRun> {
        let mut notes = Notes::new(self);
        let tournament = notes.tournament(self);
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let limits = ConnectionLimits { relogin: self.settings.relogin, ..ConnectionLimits::default() };
        let (begin, _) = watch::channel(false);
        let (fouls, _) = watch::channel(vec![0u32; self.players.len()]);
        let (ready, mut ready_ones) = mpsc::unbounded_channel();
        let scripts: Vec<(usize, String, &[Act])> = self
            .players
            .iter()
            .enumerate()
            .filter_map(|(player, plays)| match &plays.plays {
                SeatController::Script { login, acts, .. } => {
                    Some((player, format!("{}:{}", login.github_id, login.avatar), acts.as_slice()))
                }
                SeatController::House(_) => None,
            })
            .collect();
        let arrivals = async {
            let mut clients = Vec::new();
            let mut visitors = Vec::new();
            for (at, (player, login, acts)) in scripts.iter().enumerate() {
                if at + 1 == scripts.len() {
                    // The last seat stays free until every visitor has been turned away.
                    for visitor in &self.visitors {
                        visitors.push(visit(address, &visitor.act, limits.login).await?);
                    }
                }
                let mut client = Client::connect(address, acts).await?;
                for _ in 0..=usize::from(self.settings.relogin) {
                    client.log_in(login).await?;
                }
                let signals = Signals {
                    player: *player,
                    limit: limits.reply,
                    begin: begin.subscribe(),
                    ready: ready.clone(),
                    fouls: fouls.subscribe(),
                };
                clients.push((*player, tokio::spawn(client.play(signals))));
            }
            Ok::<_, io::Error>((clients, visitors))
        };
        let mut lobby = Lobby::new(listener, limits);
        let (guests, arrived) = tokio::join!(
            lobby.gather(scripts.len(), |login| self.no_seat(&login.github_id), |_| {}),
            arrivals
        );
        let (clients, visitors) = arrived?;
        begin.send_replace(true);
        for _ in &clients {
            ready_ones.recv().await;
        }
        // What has been said before the game shows when the sockets are looked at again.
        for _ in 0..3 {
            tokio::task::yield_now().await;
        }
        let mut event = Event::from(tournament);
        let host = EventHost::new(self.seated(&notes, guests), limits);
        let mut record = Announced { notes, fouls };
        host.play(&mut event, &mut record, || false).await?;
        record.notes.finish(&event.tables()[0]);
        notes = record.notes;
        notes.played.visitors = visitors;
        self.collect(notes.played, clients).await
    }

    fn seated(&self, notes: &Notes, guests: Vec<Guest>) -> Vec<server::SeatedPlayer> {
        let mut guests = guests;
        let player = |player: &usize| match &self.players[*player].plays {
            SeatController::House(bot) => server::SeatedPlayer::House(self.house_bot(bot, *player)),
            SeatController::Script { login, .. } => {
                let at = guests.iter().position(|guest| guest.login.github_id == login.github_id);
                let at = at.expect("everyone with a seat has come in");
                server::SeatedPlayer::Remote(guests.swap_remove(at).connection)
            }
        };
        notes.played.seating.iter().map(player).collect()
    }

    async fn collect(
        &self,
        mut played: ScenarioRun,
        clients: Vec<(usize, JoinHandle<End>)>,
    ) -> io::Result<ScenarioRun> {
        for (player, client) in clients {
            let end = client.await.map_err(io::Error::other)?;
            played.lines[player] = end.spoken;
            played.left_over[player] = end.left_over;
            played.unscripted.extend(end.unscripted.into_iter().map(|question| (player, question)));
        }
        Ok(played)
    }
}

/// Notes that also tell the players' scripts of fouls: who is late on purpose has to know when it is too late.
struct Announced {
    notes: Notes,
    fouls: watch::Sender<Vec<u32>>,
}

impl Recorder for Announced {
    fn event(&mut self, tournament: &TableGame, event: &TableEvent) -> io::Result<()> {
        if let TableEvent::Fouled { seat } = *event {
            let player = self.player(seat);
            self.fouls.send_modify(|fouls| fouls[player] += 1);
        }
        self.notes.event(tournament, event)
    }

    fn commit(&mut self) -> io::Result<()> {
        self.notes.commit()
    }
}

impl Announced {
    fn player(&self, seat: Seat) -> usize {
        self.notes.player(seat)
    }
}

/// What a client has to know of the others.
struct Signals {
    player: usize,
    limit: Duration,
    begin: watch::Receiver<bool>,
    ready: mpsc::UnboundedSender<()>,
    fouls: watch::Receiver<Vec<u32>>,
}

/// A client when everything is over.
struct End {
    spoken: Vec<Spoken>,
    unscripted: Vec<String>,
    left_over: usize,
}

/// A player at the other end of a socket.
struct Client {
    /// `None` when it has gone.
    stream: Option<TcpStream>,
    codec: FrameCodec,
    inbox: BytesMut,
    acts: VecDeque<Act>,
    spoken: Vec<Spoken>,
    unscripted: Vec<String>,
}

impl Client {
    async fn connect(address: SocketAddr, acts: &[Act]) -> io::Result<Client> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Client {
            stream: Some(stream),
            codec: FrameCodec::with_cap(u16::MAX),
            inbox: BytesMut::new(),
            acts: acts.iter().cloned().collect(),
            spoken: Vec::new(),
            unscripted: Vec::new(),
        })
    }

    async fn log_in(&mut self, login: &str) -> io::Result<()> {
        let Some(command) = self.hear().await else { return Err(io::ErrorKind::UnexpectedEof.into()) };
        self.spoken.push(Spoken::Told(command));
        let mut frame = BytesMut::new();
        let payload = modified_utf8::encode(login);
        frame.put_u16(u16::try_from(payload.len()).map_err(io::Error::other)?);
        frame.put_slice(&payload);
        self.write(&frame).await;
        self.said(login);
        Ok(())
    }

    async fn play(mut self, mut signals: Signals) -> End {
        // The sender outlives every client; were it gone, there would be no game to wait for.
        let _ = signals.begin.wait_for(|begun| *begun).await;
        self.speak_unasked().await;
        let _ = signals.ready.send(());
        while let Some(command) = self.hear().await {
            let asked = command.starts_with("bet");
            self.spoken.push(Spoken::Told(command.clone()));
            if !asked {
                continue;
            }
            match self.acts.pop_front() {
                Some(act) => self.act(&act.does, &mut signals).await,
                None => {
                    self.unscripted.push(command);
                    self.write(b"\x00\x04fold").await;
                    self.said("fold");
                }
            }
            self.speak_unasked().await;
        }
        End { spoken: self.spoken, unscripted: self.unscripted, left_over: self.acts.len() }
    }

    async fn act(&mut self, does: &Does, signals: &mut Signals) {
        match does {
            Does::Answer(message) => {
                self.send(message).await;
                if message.leaves_waiting() {
                    tokio::time::advance(signals.limit + PAST).await;
                }
            }
            Does::Unasked(message) => self.send(message).await,
            Does::Late(message) => {
                let fouls = signals.fouls.borrow()[signals.player];
                let (in_time, afterwards) = in_time(message);
                self.drip(in_time, signals.limit).await;
                // As before, the sender outlives every client.
                let _ = signals.fouls.wait_for(|now| now[signals.player] > fouls).await;
                self.write(afterwards).await;
                self.said(&message.said);
            }
            Does::Silence => {
                tokio::time::advance(signals.limit + PAST).await;
                self.said("(silence)");
            }
            Does::Leave(leave) => self.leave(*leave),
        }
    }

    async fn speak_unasked(&mut self) {
        while self.stream.is_some()
            && let Some(Act { does: Does::Unasked(message), .. }) = self.acts.front().cloned()
        {
            self.acts.pop_front();
            self.send(&message).await;
        }
    }

    async fn send(&mut self, message: &ScriptedMessage) {
        if message.split {
            for byte in &message.bytes {
                self.write(&[*byte]).await;
                // Let the dealer see every byte by itself.
                tokio::time::advance(PAST).await;
            }
        } else {
            self.write(&message.bytes).await;
        }
        self.said(&message.said);
        if let Some(leave) = message.then {
            self.leave(leave);
        }
    }

    /// Sends the bytes evenly over the whole time there is, and lets it run out.
    async fn drip(&mut self, bytes: &[u8], limit: Duration) {
        let pause = limit / (bytes.len() as u32 + 1);
        for byte in bytes {
            self.write(&[*byte]).await;
            tokio::time::advance(pause).await;
        }
        tokio::time::advance(limit - pause * bytes.len() as u32 + PAST).await;
    }

    fn said(&mut self, text: &str) {
        self.spoken.push(Spoken::Said(text.to_string()));
    }

    fn leave(&mut self, leave: Leave) {
        if let Some(stream) = self.stream.take()
            && leave == Leave::Reset
        {
            // Without lingering, closing a socket resets its connection. Where that cannot be had, hanging up
            // is what is left of it.
            let _ = stream.set_zero_linger();
        }
        self.said(&leave.said());
    }

    /// Writes to a dealer that may have closed the connection by now: then nobody reads it, which is all right.
    async fn write(&mut self, bytes: &[u8]) {
        if let Some(stream) = &mut self.stream {
            let _ = stream.write_all(bytes).await;
        }
    }

    /// The next command; `None` when the connection is closed from either side.
    async fn hear(&mut self) -> Option<String> {
        loop {
            if let Some(frame) = self.codec.decode(&mut self.inbox).ok()? {
                return modified_utf8::decode(&frame).ok();
            }
            let read = self.stream.as_mut()?.read_buf(&mut self.inbox).await;
            if !matches!(read, Ok(1..)) {
                return None;
            }
        }
    }
}

fn in_time(message: &ScriptedMessage) -> (&[u8], &[u8]) {
    message.bytes.split_at(if message.split { message.bytes.len() - 1 } else { 0 })
}

/// Comes to the door with one act instead of a login.
async fn visit(address: SocketAddr, act: &Act, limit: Duration) -> io::Result<Vec<Spoken>> {
    let mut client = Client::connect(address, &[]).await?;
    if let Does::Unasked(message) = &act.does {
        client.send(message).await;
    }
    if let Some(command) = client.hear().await {
        client.spoken.push(Spoken::Told(command));
    }
    let mut afterwards: &[u8] = &[];
    match &act.does {
        Does::Unasked(_) => {}
        Does::Answer(message) => {
            client.send(message).await;
            if message.leaves_waiting() {
                tokio::time::advance(limit + PAST).await;
            }
        }
        Does::Late(message) => {
            let bytes;
            (bytes, afterwards) = in_time(message);
            client.drip(bytes, limit).await;
            client.said(&message.said);
        }
        Does::Silence => {
            tokio::time::advance(limit + PAST).await;
            client.said("(silence)");
        }
        Does::Leave(leave) => client.leave(*leave),
    }
    while let Some(command) = client.hear().await {
        client.spoken.push(Spoken::Told(command));
        client.write(afterwards).await;
    }
    Ok(client.spoken)
}
