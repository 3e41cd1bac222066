//! `casino host`

use std::net::SocketAddr;

use clap::Args;
use tokio::net::TcpListener;
use tokio::task::AbortHandle;

use crate::protocol::Login;
use crate::server::{Guest, Limits, Lobby, LobbyNews, raise_file_limit};
use crate::tournament::harmless;

use super::tournament::{Setup, TournamentArgs};
use super::{Failure, Output, output};

#[derive(Args)]
#[command(
    after_help = "The first line on standard output is `listening on ADDR:PORT`; with port 0 a free port is chosen.

Examples:
  casino host --bind 0.0.0.0:9000 --players 12 --journal casino-day.jsonl
  casino host --bind 127.0.0.1:0 --players 4 --bot cautious --bot random*2 --seed rehearsal --on-foul fold"
)]
pub(crate) struct Host {
    /// Where to listen: an address of this machine and a port
    #[arg(long, value_name = "ADDR:PORT")]
    bind: SocketAddr,
    /// How many players there are in all, those of --bot among them
    #[arg(long, value_name = "N")]
    players: usize,
    #[command(flatten)]
    tournament: TournamentArgs,
}

impl Host {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let setup = Setup::new(self.tournament)?;
        setup.check_players(self.players)?;
        let Some(remote) = self.players.checked_sub(setup.named()) else {
            return Err(Failure::Usage(format!(
                "--players {} is fewer than the {} named by --bot",
                self.players,
                setup.named()
            )));
        };
        raise_file_limit();
        block_on(host(self.bind, remote, setup))
    }
}

/// Runs a future on this thread: one table needs no more, and a wake-up within a thread is the cheapest.
pub(super) fn block_on(work: impl Future<Output = Result<(), Failure>>) -> Result<(), Failure> {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(Failure::broke)?;
    let result = runtime.block_on(work);
    runtime.shutdown_background();
    result
}

async fn host(bind: SocketAddr, remote: usize, setup: Setup) -> Result<(), Failure> {
    let doors = Doors::open(bind, setup.limits(), setup.is_chatty()).await?;
    let address = doors.address;
    let (guests, closed) = doors.gather(remote, |_| None).await;
    let result = setup.play_networked(guests, Some(address)).await;
    drop(closed);
    result
}

/// A lobby whose news people hear on standard error.
pub(super) struct Doors {
    lobby: Lobby,
    /// Where it is.
    pub(super) address: SocketAddr,
    chatty: bool,
}

/// The doors of a game that has begun: until this is dropped, whoever comes is told so.
pub(super) struct Closed(AbortHandle, AbortHandle);

impl Drop for Closed {
    fn drop(&mut self) {
        self.0.abort();
        self.1.abort();
    }
}

impl Doors {
    /// Listens, and says where in the first line of standard output.
    pub(super) async fn open(bind: SocketAddr, limits: Limits, chatty: bool) -> Result<Doors, Failure> {
        let listener = TcpListener::bind(bind).await.map_err(|error| {
            Failure::Usage(format!("{bind} cannot be listened on: {error}; choose another --bind"))
        })?;
        let address = listener.local_addr().map_err(Failure::broke)?;
        let mut stdout = Output::stdout();
        stdout.line(format_args!("listening on {address}"))?;
        stdout.flush()?;
        Ok(Doors { lobby: Lobby::new(listener, limits), address, chatty })
    }

    /// Waits for this many players. `taken` says why somebody cannot be let in.
    pub(super) async fn gather(
        mut self,
        count: usize,
        taken: impl Fn(&Login) -> Option<String>,
    ) -> (Vec<Guest>, Closed) {
        let chatty = self.chatty;
        let mut inside = 0;
        let guests = self.lobby.gather(count, taken, |news| {
            match &news {
                LobbyNews::Entered(_) => inside += 1,
                LobbyNews::Left { .. } => inside -= 1,
                LobbyNews::Refused { .. } => {}
            }
            if chatty {
                output::remark(&sentence(&news, inside, count));
            }
        });
        let guests = guests.await;
        let (news, mut heard) = tokio::sync::mpsc::unbounded_channel();
        let refusing = tokio::spawn(self.lobby.refuse_everyone(news));
        let crier = tokio::spawn(async move {
            while let Some(news) = heard.recv().await {
                if chatty {
                    output::remark(&sentence(&news, count, count));
                }
            }
        });
        (guests, Closed(refusing.abort_handle(), crier.abort_handle()))
    }
}

/// What happened in the lobby, without anybody's GitHubId: this may be on the projector.
fn sentence(news: &LobbyNews, inside: usize, wanted: usize) -> String {
    let name = |avatar: &str| harmless(avatar).unwrap_or_else(|| "somebody".to_string());
    match news {
        LobbyNews::Entered(login) => format!("{} is in: {inside} of {wanted}", name(&login.avatar)),
        LobbyNews::Refused { peer, why } => format!("refused a connection from {}: {why}", peer.ip()),
        LobbyNews::Left { login, why } => {
            format!("{} is gone: {why}; {inside} of {wanted}", name(&login.avatar))
        }
    }
}
