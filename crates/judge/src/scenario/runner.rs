//! Plays a scenario as a tournament, from lobby to deadlines, over sockets in memory or TCP. The clock is virtual: it
//! does not advance while any task has work, and late players advance it.

use std::collections::VecDeque;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::Duration;

use bytes::{BufMut, BytesMut};
use tokio::net::TcpListener;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;
use tokio::time::error::Elapsed;

use casino_host::driven::{MemoryConnector, MemoryListener, pass_time};
use casino_host::{
    Admission, Chair, ConnectionLimits, EventHost, FrameCodec, Guest, Listener, Lobby, Refusal, SeatedPlayer,
    Socket,
};
use casino_stud::protocol::{Login, modified_utf8};
use casino_stud::strategies::{Bot, HouseBot};
use casino_stud::table::TableEvent;
use casino_stud::tournament::{Recorder, SharedRecorder, TableGame, TableRecorder};
use casino_system::processes::room_for_a_thread;
use tokio_util::codec::Decoder;

use super::file::{Scenario, SeatController};
use super::run::{RunRecorder, ScenarioRun, TranscriptLine};
use super::script::{Disconnect, ScriptAction, ScriptEntry, ScriptedMessage};

/// The longest time a run may take on the real clock before the virtual clock is let run.
const STALL_LIMIT: Duration = Duration::from_secs(20);

/// The longest time a run may take on the virtual clock.
const VIRTUAL_LIMIT: Duration = Duration::from_secs(1_000_000);

/// The address of sockets in memory; it has no meaning.
const MEMORY_SOCKET_ADDRESS: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0);

/// Unread bytes that each direction of a connection in memory can hold: about as much as systems take.
const SOCKET_BUFFER_BYTES: usize = 1 << 18;

/// Scheduler turns given to the dealer to read earlier bytes before a connection in memory is reset.
const TURNS_BEFORE_RESET: usize = 8;

const MARGIN: Duration = Duration::from_millis(1);

impl Scenario {
    /// Plays the scenario over sockets in memory.
    pub fn play(&self) -> ScenarioRun {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build();
        let runtime = runtime.expect("a runtime without sockets asks the system for nothing");
        runtime.block_on(async {
            let (connector, listener) = MemoryListener::new(MEMORY_SOCKET_ADDRESS);
            let played = self.run_server(Listener::Memory(listener), Dialler::Memory(connector));
            let run = tokio::time::timeout(VIRTUAL_LIMIT, played).await;
            self.or_stuck(run).expect("through memory nothing is lost")
        })
    }

    /// Plays the scenario over TCP on this machine.
    pub fn play_over_tcp(&self) -> io::Result<ScenarioRun> {
        room_for_a_thread()?;
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build()?;
        runtime.block_on(async {
            // While a blocking task runs, the paused clock does not advance.
            let (done, finished) = std::sync::mpsc::channel::<()>();
            let watchdog = tokio::task::spawn_blocking(move || {
                finished.recv_timeout(STALL_LIMIT) == Err(std::sync::mpsc::RecvTimeoutError::Timeout)
            });
            let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
            let dialler = Dialler::Tcp(listener.local_addr()?);
            let run =
                tokio::time::timeout(VIRTUAL_LIMIT, self.run_server(Listener::Tcp(listener), dialler)).await;
            drop(done);
            let stalled = watchdog.await.map_err(io::Error::other)?;
            let run = self.or_stuck(run)?;
            Ok(ScenarioRun { stuck: run.stuck || stalled, ..run })
        })
    }

    /// Plays the scenario with a person in this seat among house bots. `watch` records it.
    pub async fn play_by_hand<R: Recorder>(&self, name: &str, chair: Chair, watch: &mut R) -> io::Result<()> {
        let recorder = RunRecorder::new(self);
        let mut event = recorder.event_of(self);
        let mut person = Some(SeatedPlayer::Person(chair));
        let seated = recorder.run.seating.iter().map(|player| match &self.players[*player].plays {
            SeatController::House(bot) => Ok(SeatedPlayer::House(self.house_bot(bot, *player))),
            SeatController::Script { .. } => {
                let is_persons = self.players[*player].name == name;
                person.take().filter(|_| is_persons).ok_or_else(|| {
                    io::Error::other(format!("all but the seat of {name} have to be house bots"))
                })
            }
        });
        let seated: io::Result<Vec<SeatedPlayer>> = seated.collect();
        EventHost::new(seated?, ConnectionLimits::default()).play(&mut event, watch, || false).await?;
        Ok(())
    }

    /// The names everyone sees, in seat order.
    pub fn names(&self) -> Vec<String> {
        let run = RunRecorder::new(self).run;
        run.seating.iter().map(|player| run.names[*player].clone()).collect()
    }

    /// The run, or an empty one marked as stuck.
    fn or_stuck(&self, run: Result<io::Result<ScenarioRun>, Elapsed>) -> io::Result<ScenarioRun> {
        run.unwrap_or_else(|Elapsed { .. }| Ok(ScenarioRun { stuck: true, ..RunRecorder::new(self).run }))
    }

    /// Situations are about the rules: a late reply is a foul at once.
    fn limits(&self) -> ConnectionLimits {
        let relogin = self.settings.relogin;
        ConnectionLimits { relogin, time_bank: Duration::ZERO, ..ConnectionLimits::default() }
    }

    async fn run_server(&self, listener: Listener, dialler: Dialler) -> io::Result<ScenarioRun> {
        let recorder = RunRecorder::new(self);
        let mut event = recorder.event_of(self);
        let limits = self.limits();
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
                    // The last seat stays free until every visitor has been refused.
                    for visitor in &self.visitors {
                        visitors.push(play_visitor(&dialler, &visitor.action, limits.login).await?);
                    }
                }
                let mut client = Client::connect(&dialler, script).await?;
                for _ in 0..=usize::from(self.settings.relogin) {
                    client.log_in(login).await?;
                }
                let signals = RestOfRun {
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
        let admit = |login: &Login, _| match self.refusal_without_seat(&login.github_id) {
            None => Admission::Welcome,
            Some(why) => Admission::Refused(Refusal::Unwanted(why)),
        };
        let mut lobby = Lobby::new(listener, limits);
        let (guests, arrived) = tokio::join!(lobby.gather(scripts.len(), admit, |_| {}), arrivals);
        let (clients, visitors) = arrived?;
        begin.send_replace(true);
        for _ in &clients {
            ready_ones.recv().await;
        }
        // Messages sent before the game are seen when the sockets are polled again.
        for _ in 0..3 {
            tokio::task::yield_now().await;
        }
        let host = EventHost::new(self.seated(&recorder, guests), limits);
        let mut signalling = SharedRecorder::new(SignallingRecorder { recorder, fouls });
        host.play(&mut event, &mut signalling, || false).await?;
        let run = {
            let recorder = &mut signalling.lock().recorder;
            recorder.finish(&event.tables()[0]);
            recorder.run.visitors = visitors;
            std::mem::take(&mut recorder.run)
        };
        self.collect(run, clients).await
    }

    fn house_bot(&self, bot: &HouseBot, player: usize) -> Box<dyn Bot> {
        Box::new(bot.seated(&self.players[player].entrant().github_id, &self.settings.seed))
    }

    /// Why the lobby refuses a well-formed login; `None` for the players of the scenario.
    fn refusal_without_seat(&self, github_id: &str) -> Option<String> {
        let has_seat = self.players.iter().any(|player| player.entrant().github_id == github_id);
        (!has_seat).then(|| "this scenario has no seat for it".to_string())
    }

    fn seated(&self, recorder: &RunRecorder, guests: Vec<Guest>) -> Vec<SeatedPlayer> {
        let mut guests = guests;
        let player = |player: &usize| match &self.players[*player].plays {
            SeatController::House(bot) => SeatedPlayer::House(self.house_bot(bot, *player)),
            SeatController::Script { login, .. } => {
                let at = guests.iter().position(|guest| guest.login.github_id == login.github_id);
                let at = at.expect("the lobby has waited for every scripted player");
                SeatedPlayer::Remote(guests.swap_remove(at).connection)
            }
        };
        recorder.run.seating.iter().map(player).collect()
    }

    async fn collect(
        &self,
        mut run: ScenarioRun,
        clients: Vec<(usize, JoinHandle<ClientResult>)>,
    ) -> io::Result<ScenarioRun> {
        for (player, client) in clients {
            let end = client.await.map_err(io::Error::other)?;
            run.transcripts[player] = end.transcript;
            run.left_over[player] = end.left_over;
            run.unscripted.extend(end.unscripted.into_iter().map(|question| (player, question)));
        }
        Ok(run)
    }
}

/// A recorder that signals fouls to the clients, so that late ones know when the dealer gave up.
struct SignallingRecorder {
    recorder: RunRecorder,
    fouls: watch::Sender<Vec<u32>>,
}

impl TableRecorder for SignallingRecorder {
    fn event(&mut self, game: &TableGame, event: &TableEvent) -> io::Result<()> {
        if let TableEvent::Fouled { seat } = *event {
            let player = self.recorder.player(seat);
            self.fouls.send_modify(|fouls| fouls[player] += 1);
        }
        self.recorder.event(game, event)
    }
}

struct RestOfRun {
    player: usize,
    limit: Duration,
    begin: watch::Receiver<bool>,
    ready: mpsc::UnboundedSender<()>,
    fouls: watch::Receiver<Vec<u32>>,
}

struct ClientResult {
    transcript: Vec<TranscriptLine>,
    unscripted: Vec<String>,
    left_over: usize,
}

enum Dialler {
    Tcp(SocketAddr),
    Memory(MemoryConnector),
}

impl Dialler {
    async fn connect(&self) -> io::Result<Socket> {
        match self {
            Dialler::Tcp(address) => Socket::connect(*address).await,
            Dialler::Memory(connector) => {
                connector.connect(MEMORY_SOCKET_ADDRESS, SOCKET_BUFFER_BYTES).map(Socket::Memory)
            }
        }
    }
}

struct Client {
    /// `None` after it has disconnected.
    socket: Option<Socket>,
    codec: FrameCodec,
    inbox: BytesMut,
    script: VecDeque<ScriptEntry>,
    transcript: Vec<TranscriptLine>,
    unscripted: Vec<String>,
}

impl Client {
    async fn connect(dialler: &Dialler, script: &[ScriptEntry]) -> io::Result<Client> {
        Ok(Client {
            socket: Some(dialler.connect().await?),
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

    async fn play(mut self, mut signals: RestOfRun) -> ClientResult {
        // The sender outlives every client, so that this cannot fail.
        let _ = signals.begin.wait_for(|begun| *begun).await;
        self.send_unasked().await;
        let _ = signals.ready.send(());
        while let Some(command) = self.receive().await {
            let is_question = command.starts_with("bet");
            self.transcript.push(TranscriptLine::ToPlayer(command.clone()));
            if !is_question {
                continue;
            }
            match self.script.pop_front() {
                Some(entry) => self.act(&entry.action, &mut signals).await,
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

    async fn act(&mut self, action: &ScriptAction, signals: &mut RestOfRun) {
        let ScriptAction::Late(message) = action else {
            return self.act_in_time(action, signals.limit).await;
        };
        let fouls = signals.fouls.borrow()[signals.player];
        let (in_time, after_limit) = message.split_at_limit();
        self.send_slowly(in_time, signals.limit).await;
        // The sender outlives every client, so that this cannot fail either.
        let _ = signals.fouls.wait_for(|now| now[signals.player] > fouls).await;
        self.write(after_limit).await;
        self.record_sent(&message.shown);
    }

    /// Plays an entry that is over at the limit; nothing for a late message.
    async fn act_in_time(&mut self, action: &ScriptAction, limit: Duration) {
        match action {
            ScriptAction::Answer(message) => {
                self.send(message).await;
                if message.leaves_dealer_waiting() {
                    pass_time(limit + MARGIN).await;
                }
            }
            ScriptAction::Unasked(message) => self.send(message).await,
            ScriptAction::Silence => {
                pass_time(limit + MARGIN).await;
                self.record_sent("(silence)");
            }
            ScriptAction::Disconnect(disconnect) => self.disconnect(*disconnect).await,
            ScriptAction::Late(_) => {}
        }
    }

    async fn send_unasked(&mut self) {
        while self.socket.is_some()
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
                // Lets the dealer read every byte separately.
                pass_time(MARGIN).await;
            }
        } else {
            self.write(&message.bytes).await;
        }
        self.record_sent(&message.shown);
        if let Some(disconnect) = message.then {
            self.disconnect(disconnect).await;
        }
    }

    /// Sends the bytes evenly spread over the limit, then lets the limit pass.
    async fn send_slowly(&mut self, bytes: &[u8], limit: Duration) {
        let pause = limit / (bytes.len() as u32 + 1);
        for byte in bytes {
            self.write(&[*byte]).await;
            pass_time(pause).await;
        }
        pass_time(limit - pause * bytes.len() as u32 + MARGIN).await;
    }

    fn record_sent(&mut self, text: &str) {
        self.transcript.push(TranscriptLine::FromPlayer(text.to_string()));
    }

    async fn disconnect(&mut self, disconnect: Disconnect) {
        if let Some(socket) = self.socket.take()
            && disconnect == Disconnect::Reset
        {
            // A waiting dealer reads earlier bytes before the reset, as on all systems but Windows.
            for _ in 0..TURNS_BEFORE_RESET {
                if !matches!(&socket, Socket::Memory(memory) if memory.unread() > 0) {
                    break;
                }
                tokio::task::yield_now().await;
            }
            socket.reset();
        }
        self.record_sent(&disconnect.shown());
    }

    /// Writes to a dealer that may have closed the connection; then nothing is written.
    async fn write(&mut self, bytes: &[u8]) {
        if let Some(socket) = &mut self.socket {
            let _ = socket.write_all(bytes).await;
        }
    }

    /// The next command; `None` when the connection is closed from either side.
    async fn receive(&mut self) -> Option<String> {
        loop {
            if let Some(frame) = self.codec.decode(&mut self.inbox).ok()? {
                return modified_utf8::decode(&frame).ok();
            }
            let read = self.socket.as_mut()?.read(&mut self.inbox).await;
            if !matches!(read, Ok(1..)) {
                return None;
            }
        }
    }
}

/// Connects and plays one entry instead of a login.
async fn play_visitor(
    dialler: &Dialler,
    action: &ScriptAction,
    limit: Duration,
) -> io::Result<Vec<TranscriptLine>> {
    let mut client = Client::connect(dialler, &[]).await?;
    if let ScriptAction::Unasked(message) = action {
        client.send(message).await;
    }
    if let Some(command) = client.receive().await {
        client.transcript.push(TranscriptLine::ToPlayer(command));
    }
    let mut after_limit: &[u8] = &[];
    match action {
        ScriptAction::Unasked(_) => {}
        ScriptAction::Late(message) => {
            let bytes;
            (bytes, after_limit) = message.split_at_limit();
            client.send_slowly(bytes, limit).await;
            client.record_sent(&message.shown);
        }
        action => client.act_in_time(action, limit).await,
    }
    while let Some(command) = client.receive().await {
        client.transcript.push(TranscriptLine::ToPlayer(command));
        client.write(after_limit).await;
    }
    Ok(client.transcript)
}
