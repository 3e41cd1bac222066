//! `casino host`

use std::net::SocketAddr;

use clap::Args;
use tokio::net::TcpListener;

use crate::server::{Lobby, LobbyNews, raise_file_limit};
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
    let listener = TcpListener::bind(bind).await.map_err(|error| {
        Failure::Usage(format!("{bind} cannot be listened on: {error}; choose another --bind"))
    })?;
    let address = listener.local_addr().map_err(Failure::broke)?;
    let mut stdout = Output::stdout();
    stdout.line(format_args!("listening on {address}"))?;
    stdout.flush()?;
    let chatty = setup.is_chatty();
    let mut lobby = Lobby::new(listener, setup.limits());
    let mut inside = 0;
    let guests = lobby
        .gather(
            remote,
            |_| None,
            |news| {
                match &news {
                    LobbyNews::Entered(_) => inside += 1,
                    LobbyNews::Left { .. } => inside -= 1,
                    LobbyNews::Refused { .. } => {}
                }
                if chatty {
                    output::remark(&sentence(&news, inside, remote));
                }
            },
        )
        .await;
    let (news, mut heard) = tokio::sync::mpsc::unbounded_channel();
    let doors = tokio::spawn(lobby.refuse_everyone(news));
    let crier = tokio::spawn(async move {
        while let Some(news) = heard.recv().await {
            if chatty {
                output::remark(&sentence(&news, remote, remote));
            }
        }
    });
    let result = setup.play_networked(guests).await;
    doors.abort();
    crier.abort();
    result
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
