//! The addresses of the page and the console, and the thread that serves them.

use std::fmt;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use axum::Router;
use tokio::sync::Notify;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

use casino_host::{Admission, Guest, Lobby, LobbyNews, Refusal};
use casino_stud::protocol::Login;
use casino_stud::replay::{BoardRow, TournamentInfo};
use casino_stud::tournament::Recorder;

use super::console::ConsoleContext;
use super::console_state::ConsoleState;
use super::event_publisher::EventPublisher;
use super::hub::{Hub, Viewer};
use super::listen::{ServingLimits, serve};
use super::lobby_desk::{LobbyDesk, Member};
use super::messages::{PageMessage, Requests};
use super::page::LobbyView;
use super::presenter::Presenter;
use super::reply_times::Replies;
use super::supervisor::supervise;
use super::{audience, console};

/// The error of a room that cannot be opened: an address that cannot be listened on.
#[derive(Debug)]
pub struct RoomError {
    address: SocketAddr,
    error: io::Error,
}

impl fmt::Display for RoomError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RoomError { address, error } = self;
        write!(f, "{address} cannot be listened on: {error}; choose another address or port 0 for a free one")
    }
}

impl std::error::Error for RoomError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.error)
    }
}

/// The page and the console of a day. Everything is served by a thread of its own, so that the dealer's is left alone.
#[derive(Debug)]
pub struct Room {
    messages: UnboundedSender<PageMessage>,
    requests: Arc<Requests>,
    console_state: Arc<ConsoleState>,
    hub: Arc<Hub>,
    page: Option<SocketAddr>,
    console: Option<(SocketAddr, String)>,
    /// Whether Ctrl-C was pressed.
    interrupted: AtomicBool,
    woken: Notify,
    thread: Option<JoinHandle<()>>,
}

impl Room {
    /// Opens the page and the console at these addresses. The console's token is drawn by the caller.
    ///
    /// # Errors
    /// If an address cannot be listened on.
    pub fn open(page: Option<SocketAddr>, console: Option<(SocketAddr, String)>) -> Result<Room, RoomError> {
        let bind = |address: SocketAddr| -> Result<(TcpListener, SocketAddr), RoomError> {
            let bound = || -> io::Result<(TcpListener, SocketAddr)> {
                let listener = TcpListener::bind(address)?;
                listener.set_nonblocking(true)?;
                let address = listener.local_addr()?;
                Ok((listener, address))
            };
            bound().map_err(|error| RoomError { address, error })
        };
        let page = page.map(bind).transpose()?;
        let console = match console {
            Some((address, token)) => Some((bind(address)?, token)),
            None => None,
        };
        let addresses = (
            page.as_ref().map(|(_, address)| *address),
            console.as_ref().map(|((_, address), token)| (*address, token.clone())),
        );
        let (mut room, show) = Room::shown(addresses);
        let routers = [
            page.map(|(listener, _)| (listener, room.page_routes(), ServingLimits::PAGE)),
            console
                .map(|((listener, _), token)| (listener, room.console_routes(token), ServingLimits::CONSOLE)),
        ];
        let fail = |error| RoomError { address: SocketAddr::from(([0, 0, 0, 0], 0)), error };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(fail)?;
        let serve = move || {
            runtime.block_on(async {
                for (listener, router, limits) in routers.into_iter().flatten() {
                    let listener = tokio::net::TcpListener::from_std(listener)
                        .expect("a listener that was made for it can be registered");
                    // It serves until the runtime goes.
                    tokio::spawn(serve(listener, router, limits));
                }
                show.await;
            });
            runtime.shutdown_background();
        };
        let thread = std::thread::Builder::new().name("room".to_string()).spawn(serve).map_err(fail)?;
        room.thread = Some(thread);
        Ok(room)
    }

    /// A room without addresses, which serves nobody, and its show, which runs as long as it is driven: for whoever has
    /// a clock of its own.
    pub fn unserved() -> (Room, impl Future<Output = ()> + Send) {
        Room::shown((None, None))
    }

    /// The same with a console that wants this token, and is nowhere: the teacher decides about the seed.
    pub(super) fn unserved_with_console(token: &str) -> (Room, impl Future<Output = ()> + Send) {
        let nowhere = SocketAddr::from(([0; 4], 0));
        Room::shown((None, Some((nowhere, token.to_string()))))
    }

    fn shown(
        (page, console): (Option<SocketAddr>, Option<(SocketAddr, String)>),
    ) -> (Room, impl Future<Output = ()> + Send) {
        let (messages, received) = unbounded_channel();
        let room = Room {
            messages,
            requests: Arc::default(),
            console_state: Arc::default(),
            hub: Arc::default(),
            page,
            console,
            interrupted: AtomicBool::new(false),
            woken: Notify::new(),
            thread: None,
        };
        let presenter = Presenter::new(
            Arc::clone(&room.hub),
            Arc::clone(&room.console_state),
            Arc::clone(&room.requests),
        );
        (room, supervise(presenter, received))
    }

    pub(super) fn page_routes(&self) -> Router {
        audience::routes(Arc::clone(&self.hub))
    }

    /// The routes of the console, which wants this token.
    pub(super) fn console_routes(&self, token: String) -> Router {
        console::routes(Arc::new(ConsoleContext {
            console_state: Arc::clone(&self.console_state),
            hub: Arc::clone(&self.hub),
            messages: self.messages.clone(),
            token,
        }))
    }

    /// Everything that a browser that looks at the page is sent.
    pub fn watch(
        &self,
    ) -> impl futures_util::Stream<Item = Result<bytes::Bytes, std::convert::Infallible>> + use<> {
        Arc::clone(&self.hub).watch()
    }

    /// Waits until the show of the tournament is over, its ceremony included.
    pub async fn show_is_over(&self) {
        self.requests.show_is_over().await;
    }

    /// The address of the page.
    pub fn page(&self) -> Option<SocketAddr> {
        self.page
    }

    /// The address of the console, and its token.
    pub fn console(&self) -> Option<(SocketAddr, &str)> {
        self.console.as_ref().map(|(address, token)| (*address, token.as_str()))
    }

    /// The page as its audience sees it.
    pub fn viewer(&self) -> Viewer {
        Viewer::new(Arc::clone(&self.hub))
    }

    /// The state of the teacher's console.
    pub fn console_state(&self) -> &Arc<ConsoleState> {
        &self.console_state
    }

    /// The number of people who watch the page.
    pub fn viewers(&self) -> usize {
        self.hub.viewers()
    }

    /// The teacher pressed Ctrl-C. True if a tournament is being played.
    pub fn interrupt(&self) -> bool {
        self.interrupted.store(true, Ordering::Relaxed);
        self.woken.notify_one();
        self.console_state.is_playing()
    }

    async fn interrupted(&self) {
        while !self.interrupted.load(Ordering::Relaxed) {
            self.woken.notified().await;
        }
    }

    /// With a console, waits until it says that play begins, and calls `show` whenever somebody in the lobby has
    /// been given another name. False if the day ends here.
    pub async fn wait_for_start(&self, show: impl Fn()) -> bool {
        if self.console.is_none() {
            return true;
        }
        loop {
            tokio::select! {
                () = self.console_state.go() => return true,
                () = self.console_state.lobby_changed() => show(),
                () = self.interrupted() => return false,
            }
        }
    }

    /// Gathers the guests of a lobby: all of them, or with a console those who are in when it says that play
    /// begins. `None` if the day ends here. Otherwise as [`Lobby::gather`] and [`Room::wait_for_start`].
    pub async fn gather(
        &self,
        lobby: &mut Lobby,
        count: usize,
        admit: impl Fn(&Login, SocketAddr) -> Admission,
        news: impl FnMut(LobbyNews),
        show: impl Fn(),
    ) -> Option<Vec<Guest>> {
        if self.console.is_none() {
            return Some(lobby.gather(count, admit, news).await);
        }
        let full = |login: &Login, from: SocketAddr| match self.console_state.has_room() {
            true => admit(login, from),
            false => Admission::Refused(Refusal::Full),
        };
        let begins = tokio::select! {
            guests = lobby.gather(usize::MAX, full, news) => return Some(guests),
            begins = self.wait_for_start(show) => begins,
        };
        begins.then(|| lobby.begin_with_those_inside())
    }

    /// Waits with the page standing: for the next tournament, if the teacher wants one (true), or for
    /// the end of the time or Ctrl-C (false). The actions at the console meanwhile are recorded.
    ///
    /// # Errors
    /// If an action cannot be recorded.
    pub async fn linger<R: Recorder>(&self, record: &mut R, stay: Option<Duration>) -> io::Result<bool> {
        let control = self.console_state.controls().control();
        let mut goes_on = pin!(async {
            tokio::select! {
                () = self.console_state.go() => true,
                () = self.interrupted() => false,
                () = self.page_has_stayed(stay) => false,
            }
        });
        let goes_on = loop {
            tokio::select! {
                goes_on = &mut goes_on => break goes_on,
                () = control.ordered() => {
                    control.record_orders(record)?;
                    record.pause()?;
                }
            }
        };
        control.record_orders(record)?;
        record.pause()?;
        Ok(goes_on)
    }

    /// Waits until the page has stayed so long after the end: that of the show, if the dealer keeps in step with it.
    async fn page_has_stayed(&self, stay: Option<Duration>) {
        if self.console_state.show().minutes().is_some() {
            self.requests.show_is_over().await;
        }
        tokio::time::sleep(stay.unwrap_or(Duration::MAX)).await;
    }

    /// Sends a message to the page, whose thread lives as long as the room.
    fn send(&self, message: PageMessage) {
        let _ = self.messages.send(message);
    }

    /// Shows the lobby: to everybody by name, to the teacher with everything.
    pub fn show_lobby(&self, lobby: LobbyView, desk: LobbyDesk) {
        self.console_state.show_lobby(desk);
        self.send(PageMessage::Lobby(lobby));
    }

    /// A tournament begins. What is told to the publisher and recorded into it is shown.
    pub fn begin(
        &self,
        info: TournamentInfo,
        members: Vec<Member>,
        journal: Option<PathBuf>,
        folder: Option<PathBuf>,
    ) -> EventPublisher {
        let replies = Arc::new(Replies::new(info.players.len()));
        self.console_state.begin(info.number, members, Arc::clone(&replies), journal, folder);
        self.console_state.open_show(&self.requests);
        self.send(PageMessage::Begin(info));
        EventPublisher::new(self.messages.clone(), Arc::clone(&self.requests), replies)
    }

    /// The tournament is over. The seed is revealed at once where there is no console; otherwise the teacher does it.
    /// There is none to reveal while the tournament can go on another day.
    pub fn end(&self, rows: Vec<BoardRow>, rounds: u64, stopped: bool, result: String, seed: Option<String>) {
        let revealed = self.console.is_none();
        self.console_state.end(result, seed.clone(), revealed);
        self.send(PageMessage::End { rows, rounds, stopped });
        if let (Some(seed), true) = (seed, revealed) {
            self.send(PageMessage::Reveal(seed));
        }
    }

    /// Shows a sentence to everybody.
    pub fn say(&self, sentence: String) {
        self.send(PageMessage::Say(sentence));
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        self.send(PageMessage::Close);
        if let Some(thread) = self.thread.take() {
            // A panic over there has been printed; there is nothing to add.
            let _ = thread.join();
        }
    }
}
