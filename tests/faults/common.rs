//! A host and its players in one thread, over real sockets, on a clock controlled by the test.
//!
//! Everything runs in one current-thread runtime whose clock is paused. A paused clock would jump to the next deadline
//! as soon as all tasks are idle, even while bytes are still on their way through the system; a blocking task that is
//! held for the whole test prevents that. So no deadline passes by accident; a test calls [`pass`] to let one pass.

use std::cell::RefCell;
use std::io;
use std::net::SocketAddr;
use std::rc::Rc;
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

use casino_host::{Admission, ConnectionLimits, Guest, LateDoor, Listener, Lobby, LobbyNews};
use casino_stud::cards::Seed;
use casino_stud::journal::{JournalLine, StandingLine, write_event};
use casino_stud::stud::Chips;
use casino_stud::table::{OnFoul, TableEvent, TableSettings};
use casino_stud::tournament::{Ending, Event, EventPlan, Player, Recorder, TableGame, TableRecorder};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;
use tokio::task::{JoinHandle, LocalSet};

pub(crate) use crate::support::client::frame;

/// How long a reply may take at the tables of these tests.
pub(crate) const LIMIT: Duration = Duration::from_millis(1_000);

/// After this long in real time a test hangs for sure.
const HANGS: Duration = Duration::from_secs(600);

/// Runs a test on a paused clock.
pub(crate) fn on_a_held_clock<W: Future<Output = ()>>(test: W) {
    let (finished, watched) = mpsc::channel::<()>();
    let name = std::thread::current().name().unwrap_or("a test").to_string();
    let watchdog = std::thread::spawn(move || {
        if watched.recv_timeout(HANGS) == Err(mpsc::RecvTimeoutError::Timeout) {
            eprintln!("{name} hangs");
            std::process::abort();
        }
    });
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .start_paused(true)
        .build()
        .expect("there is a runtime");
    let (release, held) = mpsc::channel::<()>();
    // The runtime waits for this task when it is dropped; a test that panics releases it by dropping the sender.
    let hold = runtime.spawn_blocking(move || held.recv().is_err());
    runtime.block_on(LocalSet::new().run_until(test));
    drop(release);
    assert!(runtime.block_on(hold).expect("the clock was held"));
    drop(finished);
    watchdog.join().expect("the watchdog sleeps");
}

pub(crate) async fn pass(time: Duration) {
    casino_host::driven::pass_time(time).await;
    settle().await;
}

/// Runs all tasks as far as they get without time passing.
pub(crate) async fn settle() {
    for _ in 0..50 {
        tokio::task::yield_now().await;
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) text: String,
    pub(crate) to_call: Chips,
}

impl Asked {
    pub(crate) fn read(text: &str) -> Option<Asked> {
        let fields: Vec<&str> = text.split(':').collect();
        let number = |at: usize| fields[at].parse().expect("a number");
        ["bet1", "bet2"].contains(&fields[0]).then(|| Asked { text: text.to_string(), to_call: number(3) })
    }
}

/// How a connection ended for a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Closed,
    Reset,
    /// The player itself went away.
    Gone,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Inbox {
    pub(crate) commands: Vec<String>,
    pub(crate) end: Option<End>,
}

impl Inbox {
    /// How many commands begin so.
    pub(crate) fn count(&self, start: &str) -> usize {
        self.commands.iter().filter(|command| command.starts_with(start)).count()
    }

    /// The reason of the `done` at the end.
    pub(crate) fn reason(&self) -> &str {
        let last = self.commands.last().expect("something was said");
        last.strip_prefix("done:").unwrap_or_else(|| panic!("the last word is {last:?}"))
    }

    /// Checks that a player who kept the rules received all messages: one login, the end of `rounds` rounds, the reason
    /// of the end, and an orderly close.
    pub(crate) fn assert_played_on(&self, rounds: usize) {
        assert_eq!(self.count("login"), 1, "{self:?}");
        assert_eq!(self.count("status:"), rounds, "{:?}", self.commands);
        assert_eq!(self.count("done:"), 1, "{:?}", self.commands);
        let reason = self.reason();
        assert!(
            reason.starts_with("You won the tournament")
                || reason.contains(" rounds has been played")
                || reason.contains("left for the next ante"),
            "{reason}"
        );
        assert_eq!(self.end, Some(End::Closed), "{:?}", self.commands);
    }
}

/// A player's end of a connection.
#[derive(Debug)]
pub(crate) struct Wire {
    /// `None` once the player has gone away.
    stream: Option<TcpStream>,
    inbox: Vec<u8>,
    pub(crate) heard: Inbox,
}

impl Wire {
    pub(crate) async fn connect(to: SocketAddr) -> Wire {
        Wire::over(TcpStream::connect(to).await.expect("the host listens"))
    }

    pub(crate) fn over(stream: TcpStream) -> Wire {
        stream.set_nodelay(true).expect("a fresh socket");
        Wire { stream: Some(stream), inbox: Vec::new(), heard: Inbox::default() }
    }

    pub(crate) fn stream(&mut self) -> &mut TcpStream {
        self.stream.as_mut().expect("it has not gone away")
    }

    /// The next command; `None` when there are no more.
    pub(crate) async fn next(&mut self) -> Option<String> {
        loop {
            if let Some(command) = self.next_arrived() {
                return Some(command);
            }
            if self.heard.end.is_some() {
                return None;
            }
            self.read_once().await;
        }
    }

    /// Reads once, and returns the number of bytes.
    pub(crate) async fn read_once(&mut self) -> usize {
        let mut bytes = [0; 4096];
        match self.stream().read(&mut bytes).await {
            Ok(0) => self.heard.end = Some(End::Closed),
            Err(_) => self.heard.end = Some(End::Reset),
            Ok(count) => {
                self.inbox.extend(&bytes[..count]);
                return count;
            }
        }
        0
    }

    /// The next of the commands already read.
    pub(crate) fn next_arrived(&mut self) -> Option<String> {
        let header = self.inbox.first_chunk::<2>()?;
        let length = 2 + usize::from(u16::from_be_bytes(*header));
        if self.inbox.len() < length {
            return None;
        }
        let payload: Vec<u8> = self.inbox.drain(..length).skip(2).collect();
        let text = String::from_utf8(payload).expect("the dealer's texts are plain");
        self.heard.commands.push(text.clone());
        Some(text)
    }

    /// Whether there is nothing to read now, with all tasks at rest.
    pub(crate) async fn is_quiet(&mut self) -> bool {
        settle().await;
        let mut byte = [0];
        let looked = tokio::time::timeout(Duration::ZERO, self.stream().peek(&mut byte)).await;
        looked.is_err()
    }

    /// Sends bytes. A closed connection shows when the last message is read.
    pub(crate) async fn send(&mut self, bytes: &[u8]) {
        let _ = self.stream().write_all(bytes).await;
    }

    pub(crate) async fn say(&mut self, text: &str) {
        self.send(&frame(text)).await;
    }

    /// Reads `login` and answers.
    pub(crate) async fn log_in(&mut self, reply: &str) {
        assert_eq!(self.next().await.as_deref(), Some("login"));
        self.say(reply).await;
    }

    /// Answers questions by calling, until one that `wanted` wants, which is returned. `None` if the dealer has
    /// ended it before.
    pub(crate) async fn call_until(&mut self, mut wanted: impl FnMut(&Asked) -> bool) -> Option<Asked> {
        while let Some(command) = self.next().await {
            if let Some(asked) = Asked::read(&command) {
                if wanted(&asked) {
                    return Some(asked);
                }
                self.say(&format!("bet:{}", asked.to_call)).await;
            }
        }
        None
    }

    /// Only listens, to the end.
    pub(crate) async fn listen(mut self) -> Inbox {
        while self.next().await.is_some() {}
        self.heard
    }

    /// Goes away and cuts the connection by a reset.
    pub(crate) fn reset(&mut self) {
        self.stream().set_zero_linger().expect("a socket");
        self.hang_up();
    }

    /// Disconnects without a message.
    pub(crate) fn hang_up(&mut self) {
        self.stream = None;
        self.heard.end = Some(End::Gone);
    }
}

/// The game of a test: three rounds by default.
#[derive(Clone, Debug)]
pub(crate) struct Game {
    pub(crate) limits: ConnectionLimits,
    pub(crate) conduct: TableSettings,
    pub(crate) stack: Chips,
    pub(crate) rounds: u64,
    pub(crate) seed: Seed,
}

impl Default for Game {
    fn default() -> Game {
        Game {
            limits: ConnectionLimits {
                reply: LIMIT,
                time_bank: Duration::ZERO,
                // The clock is held, and the sockets are the kernel's: a busy machine may take as long as it likes.
                lost_after: Duration::from_secs(3_600),
                ..ConnectionLimits::default()
            },
            conduct: TableSettings::default(),
            stack: 500,
            rounds: 3,
            seed: Seed::chosen("a test of faults"),
        }
    }
}

impl Game {
    /// With fouls forgiven (R19).
    pub(crate) fn rehearsal() -> Game {
        Game {
            conduct: TableSettings { on_foul: OnFoul::Fold, ..TableSettings::default() },
            ..Game::default()
        }
    }
}

#[derive(Debug)]
pub(crate) struct Played {
    pub(crate) standings: Vec<StandingLine>,
    pub(crate) lines: Vec<JournalLine>,
    pub(crate) rounds: usize,
}

impl Played {
    pub(crate) fn standing(&self, github_id: &str) -> &StandingLine {
        let mut standings = self.standings.iter();
        standings
            .find(|line| line.github_id == github_id)
            .unwrap_or_else(|| panic!("{github_id} has a place"))
    }

    pub(crate) fn fouls(&self) -> Vec<(usize, String)> {
        let foul = |line: &JournalLine| match line {
            JournalLine::Foul { seat, why, .. } => Some((*seat, why.clone())),
            _ => None,
        };
        self.lines.iter().filter_map(foul).collect()
    }
}

/// Keeps the lines of a journal, and notifies at its end.
struct Notes {
    lines: Arc<Mutex<Vec<JournalLine>>>,
    over: Rc<Notify>,
}

/// Keeps the lines of the table.
struct TableNotes(Arc<Mutex<Vec<JournalLine>>>);

impl TableRecorder for TableNotes {
    fn event(&mut self, tournament: &TableGame, event: &TableEvent) -> io::Result<()> {
        let mut line = Vec::new();
        write_event(tournament, event, &mut line);
        self.0.lock().expect("nobody panics").push(serde_json::from_slice(&line)?);
        Ok(())
    }
}

impl Recorder for Notes {
    fn for_table(&mut self, _: &TableGame) -> Box<dyn TableRecorder> {
        Box::new(TableNotes(Arc::clone(&self.lines)))
    }

    fn over(&mut self, _: &Event) -> io::Result<()> {
        self.over.notify_waiters();
        self.over.notify_one();
        Ok(())
    }
}

pub(crate) struct EventHost {
    pub(crate) address: SocketAddr,
    pub(crate) game: Game,
    pub(crate) lobby: Lobby,
    pub(crate) news: Rc<RefCell<Vec<LobbyNews>>>,
    /// Notified when the last round is over.
    pub(crate) over: Rc<Notify>,
}

impl EventHost {
    pub(crate) async fn open(game: Game) -> EventHost {
        EventHost::at(TcpListener::bind("127.0.0.1:0").await.expect("a free port"), game)
    }

    pub(crate) fn at(listener: TcpListener, game: Game) -> EventHost {
        let address = listener.local_addr().expect("a bound listener");
        let lobby = Lobby::new(Listener::Tcp(listener), game.limits);
        EventHost { address, game, lobby, news: Rc::default(), over: Rc::default() }
    }

    /// A player that calls every question.
    pub(crate) fn caller(&self, github_id: &str) -> JoinHandle<Inbox> {
        self.player(github_id, async |wire| {
            wire.call_until(|_| false).await;
        })
    }

    /// A player that does this once it has logged in, and then listens to the end.
    pub(crate) fn player(
        &self,
        github_id: &str,
        play: impl AsyncFnOnce(&mut Wire) + 'static,
    ) -> JoinHandle<Inbox> {
        let (address, login) = (self.address, format!("{github_id}:The {github_id}"));
        tokio::task::spawn_local(async move {
            let mut wire = Wire::connect(address).await;
            wire.log_in(&login).await;
            play(&mut wire).await;
            wire.listen().await
        })
    }

    pub(crate) async fn gather(&mut self, count: usize) -> Vec<Guest> {
        let news = Rc::clone(&self.news);
        self.lobby.gather(count, |_, _| Admission::Welcome, |piece| news.borrow_mut().push(piece)).await
    }

    /// Lets that many in and plays the game with them.
    pub(crate) async fn play(mut self, count: usize) -> Played {
        let guests = self.gather(count).await;
        self.play_with(guests).await
    }

    /// Plays the game with these, the doors closed.
    pub(crate) async fn play_with(self, guests: Vec<Guest>) -> Played {
        let EventHost { game, lobby, over, .. } = self;
        let _doors = lobby.close_but_for(LateDoor::shut(), |_, _| Ok(()), |_| {});
        let (players, seats) = casino_host::seat(guests, &[], &game.seed);
        let players: Vec<Player> = players.into_iter().map(|(player, _)| player).collect();
        let (plan, rounds) = (EventPlan::single_table(), Some(game.rounds));
        let mut event = Event::new(plan, game.conduct, &game.seed, players.len(), game.stack, rounds);
        let mut notes = Notes { lines: Arc::default(), over };
        let host = casino_host::EventHost::new(seats, game.limits);
        let ending = host.play(&mut event, &mut notes, || false).await.expect("notes are kept");
        assert_eq!(ending, Ending::Played);
        Played {
            standings: StandingLine::all(&event.standings(), &players),
            lines: std::mem::take(&mut notes.lines.lock().expect("nobody panics")),
            rounds: event.rounds_played() as usize,
        }
    }
}
