//! The addresses of the page and the console, and the thread that serves them.

use std::collections::HashMap;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use axum::Router;
use thiserror::Error;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

use casino_show::plan::FinalResult;
use casino_show::rounds::{BoardRow, TournamentInfo};
use casino_show::state::LobbyView;
use casino_stud::tournament::{Event, Recorder};
use casino_system::interrupts::thread_with_runtime;

use crate::session::{ConsoleState, Interruption, Opening, PersonSeat, Showing};
use crate::show::seat::{PersonTable, Place, Places, SeenRecorder};
use crate::show::{EventPublisher, Hub, PageMessage, Presenter, Requests, open_show, supervise};

use super::console::ConsoleContext;
use super::listen::{ServingLimits, bound, serve};
use super::seat::SeatContext;
use super::{audience, console, seat};

/// The error of a room that cannot be opened.
#[derive(Debug, Error)]
pub enum RoomError {
    #[error("{0} cannot be listened on: {1}; choose another address or port 0 for a free one")]
    Address(SocketAddr, #[source] io::Error),
    /// The system gives no thread, or no files for one.
    #[error("the page cannot be served: {0}")]
    System(#[source] io::Error),
}

/// The page and the console of a day. Everything is served by a thread of its own, so that the dealer's is left alone.
#[derive(Debug)]
pub struct Room {
    messages: UnboundedSender<PageMessage>,
    requests: Arc<Requests>,
    console_state: Arc<ConsoleState>,
    hub: Arc<Hub>,
    places: Arc<Places>,
    page: Option<SocketAddr>,
    console: Option<SocketAddr>,
    thread: Option<JoinHandle<()>>,
}

impl Room {
    /// Opens the page and the console at these addresses.
    pub fn open(opening: Opening) -> Result<Room, RoomError> {
        let Opening { console_state, page, console, .. } = opening;
        let bind = |address| bound(address).map_err(|error| RoomError::Address(address, error));
        let page = page.map(bind).transpose()?;
        let console = match console {
            Some((address, token)) => Some((bind(address)?, token)),
            None => None,
        };
        let addresses =
            (page.as_ref().map(|(_, address)| *address), console.as_ref().map(|((_, address), _)| *address));
        let (mut room, show) = Room::shown(console_state, addresses);
        let routers = [
            page.map(|(listener, _)| (listener, room.page_routes(), ServingLimits::PAGE)),
            console
                .map(|((listener, _), token)| (listener, room.console_routes(token), ServingLimits::CONSOLE)),
        ];
        let register = move || -> io::Result<Vec<_>> {
            let registered = |(listener, router, limits)| {
                tokio::net::TcpListener::from_std(listener).map(|listener| (listener, router, limits))
            };
            routers.into_iter().flatten().map(registered).collect()
        };
        let thread = thread_with_runtime("room", register, move |runtime, served| {
            runtime.block_on(async {
                for (listener, router, limits) in served {
                    // It serves until the runtime goes.
                    tokio::spawn(serve(listener, router, limits));
                }
                show.await;
            });
            runtime.shutdown_background();
        });
        let thread = thread.map_err(RoomError::System)?;
        room.thread = Some(thread);
        Ok(room)
    }

    /// A room without addresses, and its show, which runs as long as it is driven: for callers with a clock of their
    /// own.
    pub fn unserved() -> (Room, impl Future<Output = ()> + Send) {
        Room::shown(Arc::default(), (None, None))
    }

    fn shown(
        console_state: Arc<ConsoleState>,
        (page, console): (Option<SocketAddr>, Option<SocketAddr>),
    ) -> (Room, impl Future<Output = ()> + Send) {
        let (messages, received) = unbounded_channel();
        let room = Room {
            messages,
            requests: Arc::default(),
            console_state,
            hub: Arc::default(),
            places: Arc::default(),
            page,
            console,
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
        let seats = SeatContext {
            console_state: Arc::clone(&self.console_state),
            places: Arc::clone(&self.places),
            learners: Mutex::default(),
        };
        audience::routes(Arc::clone(&self.hub)).merge(seat::routes(Arc::new(seats)))
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

    /// The state of the teacher's console.
    pub fn console_state(&self) -> &Arc<ConsoleState> {
        &self.console_state
    }

    /// The number of people who watch the page.
    pub fn viewers(&self) -> usize {
        self.hub.viewers()
    }

    /// Sends a message to the page, whose thread lives as long as the room.
    fn send(&self, message: PageMessage) {
        let _ = self.messages.send(message);
    }

    /// Begins a tournament. The page shows the records of the publisher.
    pub fn begin(&self, info: TournamentInfo) -> EventPublisher {
        let players = info.players.clone();
        self.open_show(PageMessage::Begin(info), players)
    }

    fn open_show(&self, beginning: PageMessage, players: Vec<String>) -> EventPublisher {
        open_show(&self.console_state, &self.requests);
        self.send(beginning);
        let replies = self.console_state.replies();
        EventPublisher::new(self.messages.clone(), Arc::clone(&self.requests), replies, players)
    }
}

impl Showing for Room {
    fn page(&self) -> Option<SocketAddr> {
        self.page
    }

    fn console(&self) -> Option<SocketAddr> {
        self.console
    }

    fn lobby(&self, lobby: LobbyView) {
        self.send(PageMessage::Lobby(lobby));
    }

    fn begin(
        &self,
        info: TournamentInfo,
        event: &Event,
        interruption: Option<Interruption>,
    ) -> Box<dyn Recorder> {
        let Some(interruption) = interruption else {
            let mut publisher = Room::begin(self, info);
            publisher.show_level(event);
            return Box::new(publisher);
        };
        let players = info.players.clone();
        let mut publisher = self.open_show(PageMessage::GoOn(info, interruption), players);
        publisher.go_on(event);
        Box::new(publisher)
    }

    fn seat(&self, names: &[String], seats: Vec<PersonSeat>, hints: bool) -> Vec<Box<dyn Recorder>> {
        let mut recorders: Vec<Box<dyn Recorder>> = Vec::new();
        let mut places = HashMap::new();
        for PersonSeat { github_id, player, chair, opened, .. } in seats {
            let seen = Arc::new(Mutex::new(PersonTable::new(names.to_vec(), player).opening(opened)));
            recorders.push(Box::new(SeenRecorder(Arc::clone(&seen))));
            places.insert(github_id, Place::new(chair, seen, hints));
        }
        self.places.set(places);
        recorders
    }

    fn end(&self, rows: Vec<BoardRow>, rounds: u64, stopped: bool) {
        self.send(PageMessage::End(FinalResult { rows, rounds, stopped }));
    }

    fn reveal(&self, seed: String) {
        self.send(PageMessage::Reveal(seed));
    }

    fn is_over(&self) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        Box::pin(self.requests.show_is_over())
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
