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
use crate::server::{self, ConnectionLimits, Guest, Lobby, TableHost};
use crate::stud::Seat;
use crate::table::TableEvent;
use crate::tournament::{Recorder, TableGame};

use super::file::{Scenario, SeatController};
use super::run::{RunRecorder, ScenarioRun, TranscriptLine};
use super::script::{Disconnect, ScriptAction, ScriptEntry, ScriptedMessage};

/// How long, on a real clock, nothing may move before the virtual clock is let run.
const STALL_LIMIT: Duration = Duration::from_secs(20);

/// By when, on the virtual clock, everything is over.
const VIRTUAL_LIMIT: Duration = Duration::from_secs(1_000_000);

/// A moment past a deadline.
const MARGIN: Duration = Duration::from_millis(1);

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
            let (over, finished) = std::sync::mpsc::channel::<()>();
            let watchdog = tokio::task::spawn_blocking(move || {
                finished.recv_timeout(STALL_LIMIT) == Err(std::sync::mpsc::RecvTimeoutError::Timeout)
            });
            let played = tokio::time::timeout(VIRTUAL_LIMIT, self.host()).await;
            drop(over);
            let stalled = watchdog.await.map_err(io::Error::other)?;
            match played {
                Ok(played) => Ok(ScenarioRun { stuck: stalled, ..played? }),
                Err(_) => Ok(ScenarioRun { stuck: true, ..RunRecorder::new(self).played }),
            }
        })
    }

    async fn host(&self) -> io::Result<ScenarioRun> {
        let mut notes = RunRecorder::new(self);
        let mut tournament = notes.tournament(self);
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let limits = ConnectionLimits { relogin: self.settings.relogin, ..ConnectionLimits::default() };
        let (begin, _) = watch::channel(false);
        let (fouls, _) = watch::channel(vec![0u32; self.players.len()]);
        let (ready, mut ready_ones) = mpsc::unbounded_channel();
        let scripts: Vec<(usize, String, &[ScriptEntry])> = self
            .players
            .iter()
            .enumerate()
            .filter_map(|(player, plays)| match &plays.plays {
                SeatController::Script { login, script, .. } => {
                    Some((player, format!("{}:{}", login.github_id, login.avatar), script.as_slice()))
                }
                SeatController::House(_) => None,
            })
            .collect();
        let arrivals = async {
            let mut clients = Vec::new();
            let mut visitors = Vec::new();
            for (at, (player, login, script)) in scripts.iter().enumerate() {
                if at + 1 == scripts.len() {
                    // The last seat stays free until every visitor has been turned away.
                    for visitor in &self.visitors {
                        visitors.push(visit(address, &visitor.act, limits.login).await?);
                    }
                }
                let mut client = Client::connect(address, script).await?;
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
            lobby.gather(scripts.len(), |login| self.refusal_without_seat(&login.github_id), |_| {}),
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
        let seats = TableHost::new(self.seated(&notes, guests), limits);
        let mut record = SignallingRecorder { notes, fouls };
        seats.play(&mut tournament, &mut record, || false).await?;
        record.notes.finish(&tournament);
        notes = record.notes;
        notes.played.visitors = visitors;
        self.collect(notes.played, clients).await
    }

    fn seated(&self, notes: &RunRecorder, guests: Vec<Guest>) -> Vec<server::SeatedPlayer> {
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
        clients: Vec<(usize, JoinHandle<ClientResult>)>,
    ) -> io::Result<ScenarioRun> {
        for (player, client) in clients {
            let end = client.await.map_err(io::Error::other)?;
            played.transcripts[player] = end.transcript;
            played.left_over[player] = end.left_over;
            played.unscripted.extend(end.unscripted.into_iter().map(|question| (player, question)));
        }
        Ok(played)
    }
}

/// RunRecorder that also tell the players' scripts of fouls: who is late on purpose has to know when it is too late.
struct SignallingRecorder {
    notes: RunRecorder,
    fouls: watch::Sender<Vec<u32>>,
}

impl Recorder for SignallingRecorder {
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

impl SignallingRecorder {
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
struct ClientResult {
    transcript: Vec<TranscriptLine>,
    unscripted: Vec<String>,
    left_over: usize,
}

/// A player at the other end of a socket.
struct Client {
    /// `None` when it has gone.
    stream: Option<TcpStream>,
    codec: FrameCodec,
    inbox: BytesMut,
    script: VecDeque<ScriptEntry>,
    transcript: Vec<TranscriptLine>,
    unscripted: Vec<String>,
}

impl Client {
    async fn connect(address: SocketAddr, script: &[ScriptEntry]) -> io::Result<Client> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Client {
            stream: Some(stream),
            codec: FrameCodec::with_cap(u16::MAX),
            inbox: BytesMut::new(),
            script: script.iter().cloned().collect(),
            transcript: Vec::new(),
            unscripted: Vec::new(),
        })
    }

    async fn log_in(&mut self, login: &str) -> io::Result<()> {
        let Some(command) = self.receive().await else { return Err(io::ErrorKind::UnexpectedEof.into()) };
        self.transcript.push(TranscriptLine::ToPlayer(command));
        let mut frame = BytesMut::new();
        let payload = modified_utf8::encode(login);
        frame.put_u16(u16::try_from(payload.len()).map_err(io::Error::other)?);
        frame.put_slice(&payload);
        self.write(&frame).await;
        self.record_sent(login);
        Ok(())
    }

    async fn play(mut self, mut signals: Signals) -> ClientResult {
        // The sender outlives every client; were it gone, there would be no game to wait for.
        let _ = signals.begin.wait_for(|begun| *begun).await;
        self.send_unasked().await;
        let _ = signals.ready.send(());
        while let Some(command) = self.receive().await {
            let asked = command.starts_with("bet");
            self.transcript.push(TranscriptLine::ToPlayer(command.clone()));
            if !asked {
                continue;
            }
            match self.script.pop_front() {
                Some(act) => self.act(&act.action, &mut signals).await,
                None => {
                    self.unscripted.push(command);
                    self.write(b"\x00\x04fold").await;
                    self.record_sent("fold");
                }
            }
            self.send_unasked().await;
        }
        ClientResult {
            transcript: self.transcript,
            unscripted: self.unscripted,
            left_over: self.script.len(),
        }
    }

    async fn act(&mut self, action: &ScriptAction, signals: &mut Signals) {
        match action {
            ScriptAction::Answer(message) => {
                self.send(message).await;
                if message.leaves_dealer_waiting() {
                    tokio::time::advance(signals.limit + MARGIN).await;
                }
            }
            ScriptAction::Unasked(message) => self.send(message).await,
            ScriptAction::Late(message) => {
                let fouls = signals.fouls.borrow()[signals.player];
                let (in_time, after_limit) = in_time(message);
                self.send_slowly(in_time, signals.limit).await;
                // As before, the sender outlives every client.
                let _ = signals.fouls.wait_for(|now| now[signals.player] > fouls).await;
                self.write(after_limit).await;
                self.record_sent(&message.shown);
            }
            ScriptAction::Silence => {
                tokio::time::advance(signals.limit + MARGIN).await;
                self.record_sent("(silence)");
            }
            ScriptAction::Disconnect(disconnect) => self.disconnect(*disconnect),
        }
    }

    async fn send_unasked(&mut self) {
        while self.stream.is_some()
            && let Some(ScriptEntry { action: ScriptAction::Unasked(message), .. }) =
                self.script.front().cloned()
        {
            self.script.pop_front();
            self.send(&message).await;
        }
    }

    async fn send(&mut self, message: &ScriptedMessage) {
        if message.split {
            for byte in &message.bytes {
                self.write(&[*byte]).await;
                // Let the dealer see every byte by itself.
                tokio::time::advance(MARGIN).await;
            }
        } else {
            self.write(&message.bytes).await;
        }
        self.record_sent(&message.shown);
        if let Some(disconnect) = message.then {
            self.disconnect(disconnect);
        }
    }

    /// Sends the bytes evenly over the whole time there is, and lets it run out.
    async fn send_slowly(&mut self, bytes: &[u8], limit: Duration) {
        let pause = limit / (bytes.len() as u32 + 1);
        for byte in bytes {
            self.write(&[*byte]).await;
            tokio::time::advance(pause).await;
        }
        tokio::time::advance(limit - pause * bytes.len() as u32 + MARGIN).await;
    }

    fn record_sent(&mut self, text: &str) {
        self.transcript.push(TranscriptLine::FromPlayer(text.to_string()));
    }

    fn disconnect(&mut self, disconnect: Disconnect) {
        if let Some(stream) = self.stream.take()
            && disconnect == Disconnect::Reset
        {
            // Without lingering, closing a socket resets its connection. Where that cannot be had, hanging up
            // is what is left of it.
            let _ = stream.set_zero_linger();
        }
        self.record_sent(&disconnect.shown());
    }

    /// Writes to a dealer that may have closed the connection by now: then nobody reads it, which is all right.
    async fn write(&mut self, bytes: &[u8]) {
        if let Some(stream) = &mut self.stream {
            let _ = stream.write_all(bytes).await;
        }
    }

    /// The next command; `None` when the connection is closed from either side.
    async fn receive(&mut self) -> Option<String> {
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
async fn visit(address: SocketAddr, act: &ScriptEntry, limit: Duration) -> io::Result<Vec<TranscriptLine>> {
    let mut client = Client::connect(address, &[]).await?;
    if let ScriptAction::Unasked(message) = &act.action {
        client.send(message).await;
    }
    if let Some(command) = client.receive().await {
        client.transcript.push(TranscriptLine::ToPlayer(command));
    }
    let mut after_limit: &[u8] = &[];
    match &act.action {
        ScriptAction::Unasked(_) => {}
        ScriptAction::Answer(message) => {
            client.send(message).await;
            if message.leaves_dealer_waiting() {
                tokio::time::advance(limit + MARGIN).await;
            }
        }
        ScriptAction::Late(message) => {
            let bytes;
            (bytes, after_limit) = in_time(message);
            client.send_slowly(bytes, limit).await;
            client.record_sent(&message.shown);
        }
        ScriptAction::Silence => {
            tokio::time::advance(limit + MARGIN).await;
            client.record_sent("(silence)");
        }
        ScriptAction::Disconnect(disconnect) => client.disconnect(*disconnect),
    }
    while let Some(command) = client.receive().await {
        client.transcript.push(TranscriptLine::ToPlayer(command));
        client.write(after_limit).await;
    }
    Ok(client.transcript)
}
