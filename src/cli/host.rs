//! `casino host`

use std::collections::BTreeSet;
use std::net::SocketAddr;

use clap::Args;

use crate::protocol::Login;
use crate::server::{Doors, Guest, Limits, Lobby, LobbyNews, block_on, raise_file_limit};
use crate::tournament::{harmless, is_one_of};

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
        let limits = setup.limits().within_files(raise_file_limit(), self.players);
        block_on(host(self.bind, limits, remote, setup)).map_err(Failure::broke)?
    }
}

async fn host(bind: SocketAddr, limits: Limits, remote: usize, setup: Setup) -> Result<(), Failure> {
    let arrival = gather(bind, limits, remote, setup.is_chatty(), |_| None).await?;
    setup.play_networked(arrival.guests, Some(arrival.address)).await
}

/// Those who have come to play.
pub(super) struct Arrival {
    /// They.
    pub(super) guests: Vec<Guest>,
    /// Where they came.
    pub(super) address: SocketAddr,
    /// Whoever comes later is told so until this is dropped.
    _doors: Doors,
}

/// Listens, says where in the first line of standard output, and waits for this many players. `unwanted` says why
/// somebody cannot be let in. News goes to standard error if people are to hear it.
pub(super) async fn gather(
    bind: SocketAddr,
    limits: Limits,
    count: usize,
    chatty: bool,
    unwanted: impl Fn(&Login) -> Option<String>,
) -> Result<Arrival, Failure> {
    let mut lobby = Lobby::bind(bind, limits).await.map_err(|error| {
        Failure::Usage(format!("{bind} cannot be listened on: {error}; choose another --bind"))
    })?;
    let address = lobby.address().map_err(Failure::broke)?;
    let mut stdout = Output::stdout();
    stdout.line(format_args!("listening on {address}"))?;
    stdout.flush()?;
    let mut inside = 0;
    let mut ids = BTreeSet::new();
    let guests = lobby.gather(count, unwanted, |news| {
        match &news {
            LobbyNews::Entered(login) => {
                inside += 1;
                ids.insert(login.github_id.clone());
            }
            LobbyNews::Left { .. } => inside -= 1,
            LobbyNews::Refused { .. } => {}
        }
        if chatty {
            output::remark(&sentence(&news, &ids, inside, count));
        }
    });
    let guests = guests.await;
    let doors = lobby.close(move |news| {
        if chatty {
            output::remark(&sentence(&news, &ids, count, count));
        }
    });
    Ok(Arrival { guests, address, _doors: doors })
}

/// What happened in the lobby, without anybody's GitHubId as far as they are known: this may be on the
/// projector.
fn sentence(news: &LobbyNews, ids: &BTreeSet<String>, inside: usize, wanted: usize) -> String {
    let name = |avatar: &str| {
        harmless(avatar).filter(|name| !is_one_of(name, ids)).unwrap_or_else(|| "somebody".to_string())
    };
    match news {
        LobbyNews::Entered(login) => format!("{} is in: {inside} of {wanted}", name(&login.avatar)),
        LobbyNews::Refused { peer, why } => {
            format!("refused a connection from {}: {}", peer.ip(), why.in_public())
        }
        LobbyNews::Left { login, why } => {
            format!("{} is gone: {}; {inside} of {wanted}", name(&login.avatar), why.in_public())
        }
    }
}
