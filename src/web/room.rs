//! The room: both addresses and the thread that serves them.

use std::fmt;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::JoinHandle;

use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

use super::console::Office;
use super::desk::{Desk, Member};
use super::hub::Hub;
use super::listen::Capped;
use super::page::{BoardRow, LobbyView, Programme};
use super::replies::Replies;
use super::stage::{News, Stage};
use super::window::{Window, Wishes};
use super::{audience, console};

/// Why a room cannot be opened.
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

impl std::error::Error for RoomError {}

/// The room that watches. Everything is served by a thread of its own, so that the dealer's is left alone.
#[derive(Debug)]
pub struct Room {
    news: UnboundedSender<News>,
    wishes: Arc<Wishes>,
    desk: Arc<Desk>,
    hub: Arc<Hub>,
    page: Option<SocketAddr>,
    console: Option<(SocketAddr, String)>,
    thread: Option<JoinHandle<()>>,
}

impl Room {
    /// Opens the page and the console at these addresses. The console's token is drawn by the caller.
    ///
    /// # Errors
    /// If an address cannot be listened on.
    pub fn open(
        page: Option<SocketAddr>,
        console: Option<(SocketAddr, String)>,
    ) -> Result<Room, RoomError> {
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
        let (news, heard) = unbounded_channel();
        let mut room = Room {
            news,
            wishes: Arc::default(),
            desk: Arc::default(),
            hub: Arc::default(),
            page: page.as_ref().map(|(_, address)| *address),
            console: console.as_ref().map(|((_, address), token)| (*address, token.clone())),
            thread: None,
        };
        let stage = Stage::new(Arc::clone(&room.hub), Arc::clone(&room.desk), Arc::clone(&room.wishes));
        let routers = [
            page.map(|(listener, _)| (listener, audience::routes(Arc::clone(&room.hub)))),
            console.map(|((listener, _), token)| {
                let office = Office {
                    desk: Arc::clone(&room.desk),
                    hub: Arc::clone(&room.hub),
                    news: room.news.clone(),
                    token,
                };
                (listener, console::routes(Arc::new(office)))
            }),
        ];
        let fail = |error| RoomError { address: SocketAddr::from(([0, 0, 0, 0], 0)), error };
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(fail)?;
        let serve = move || {
            runtime.block_on(async {
                for (listener, router) in routers.into_iter().flatten() {
                    let listener = tokio::net::TcpListener::from_std(listener)
                        .expect("a listener that was made for it can be registered");
                    tokio::spawn(async move {
                        // It serves until the runtime goes.
                        let _ = axum::serve(Capped::new(listener), router).await;
                    });
                }
                stage.run(heard).await;
            });
            runtime.shutdown_background();
        };
        let thread = std::thread::Builder::new().name("room".to_string()).spawn(serve).map_err(fail)?;
        room.thread = Some(thread);
        Ok(room)
    }

    /// Where the page is.
    pub fn page(&self) -> Option<SocketAddr> {
        self.page
    }

    /// Where the console is, and its token.
    pub fn console(&self) -> Option<(SocketAddr, &str)> {
        self.console.as_ref().map(|(address, token)| (*address, token.as_str()))
    }

    /// The desk of the people in charge.
    pub fn desk(&self) -> &Arc<Desk> {
        &self.desk
    }

    /// How many watch the page.
    pub fn viewers(&self) -> usize {
        self.hub.viewers()
    }

    /// The thread lives as long as the room does, so that it always hears.
    fn tell(&self, news: News) {
        let _ = self.news.send(news);
    }

    /// Shows who is in the lobby: to the room by name, to the people in charge with everything.
    pub fn show_lobby(&self, lobby: LobbyView, members: Vec<Member>) {
        self.desk.show_lobby(members, lobby.wanted);
        self.tell(News::Lobby(lobby));
    }

    /// A tournament begins. What is recorded into the window is shown.
    pub fn begin(
        &self,
        programme: Programme,
        members: Vec<Member>,
        journal: Option<PathBuf>,
        folder: Option<PathBuf>,
    ) -> Window {
        let replies = Arc::new(Replies::default());
        self.desk.begin(programme.number, members, Arc::clone(&replies), journal, folder);
        let rounds = programme.rounds;
        self.tell(News::Begin(programme));
        Window::new(self.news.clone(), Arc::clone(&self.wishes), replies, rounds)
    }

    /// The tournament is over. The seed is revealed at once where nobody is in charge; otherwise they do it.
    pub fn end(&self, rows: Vec<BoardRow>, rounds: u64, stopped: bool, result: String, seed: &str) {
        let revealed = self.console.is_none();
        self.desk.end(result, seed.to_string(), revealed);
        self.tell(News::End { rows, rounds, stopped });
        if revealed {
            self.tell(News::Reveal(seed.to_string()));
        }
    }

    /// Tells everyone a sentence.
    pub fn say(&self, sentence: String) {
        self.tell(News::Say(sentence));
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        self.tell(News::Close);
        if let Some(thread) = self.thread.take() {
            // A panic over there has been printed; there is nothing to add.
            let _ = thread.join();
        }
    }
}
