//! `casino host`

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::net::SocketAddr;

use clap::Args;

use crate::protocol::Login;
use crate::server::{
    ClosedLobby, ConnectionLimits, Guest, Lobby, LobbyNews, block_on_threads, raise_file_limit,
};
use crate::tournament::{harmless, is_one_of};
use crate::web::Room;

use super::flags::TournamentArgs;
use super::tournament::Setup;
use super::{Failure, Output, output};

#[derive(Args)]
#[command(
    after_help = "The first line on standard output is `listening on ADDR:PORT`; with port 0 a free port is chosen.

Examples:
  casino host --bind 0.0.0.0:9000 --players 12 --journal casino-day.jsonl
  casino host --bind 127.0.0.1:0 --players 4 --bot cautious --bot random*2 --seed rehearsal --on-foul fold
  casino host --bind 0.0.0.0:9000 --players 100 --seats 12 --level-rounds 50 --journal class.jsonl
  casino host --bind 0.0.0.0:9000 --event class.json --journal class.jsonl"
)]
pub(crate) struct Host {
    /// Where to listen: an address of this machine and a port
    #[arg(long, value_name = "ADDR:PORT")]
    bind: SocketAddr,
    /// How many players there are in all, those of --bot among them
    #[arg(long, value_name = "N")]
    players: Option<usize>,
    #[command(flatten)]
    tournament: TournamentArgs,
}

impl Host {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let setup = Setup::new(self.tournament)?;
        let players = setup.players_wanted(self.players)?;
        setup.check_players(players)?;
        let Some(remote) = players.checked_sub(setup.named()) else {
            return Err(Failure::Usage(format!(
                "--players {players} is fewer than the {} named by --bot",
                setup.named()
            )));
        };
        let files = raise_file_limit();
        Setup::check_files(files, remote)?;
        let limits = setup.limits().within_files(files, players);
        let threads = setup.threads();
        block_on_threads(threads, host(self.bind, limits, remote, setup)).map_err(Failure::broke)?
    }
}

async fn host(
    bind: SocketAddr,
    limits: ConnectionLimits,
    remote: usize,
    mut setup: Setup,
) -> Result<(), Failure> {
    let mut bind = bind;
    loop {
        let wanted = setup.named() + remote;
        let show = |inside: &[Login]| setup.show_lobby(inside, wanted);
        let watch = setup.room().map(|room| Observer { room, show: &show });
        let Some(arrival) = gather(bind, limits, remote, setup.is_chatty(), |_| None, watch).await? else {
            return Ok(());
        };
        let goes_on = setup.play_networked(arrival.guests, Some(arrival.address)).await?;
        if !goes_on {
            return Ok(());
        }
        // The same door for each tournament of the day.
        bind = arrival.address;
        arrival.doors.away().await;
        setup.next()?;
    }
}

/// A room that watches who comes.
pub(super) struct Observer<'a> {
    room: &'a Room,
    /// Shows who is in.
    show: &'a dyn Fn(&[Login]),
}

/// Those who have come to play.
pub(super) struct Arrival {
    /// They.
    pub(super) guests: Vec<Guest>,
    /// Where they came.
    pub(super) address: SocketAddr,
    /// Whoever comes later is told so until this is dropped.
    doors: ClosedLobby,
}

/// Listens, says where in the first line of standard output, and waits for this many players. `unwanted` says why
/// somebody cannot be let in. News goes to standard error if people are to hear it. Where people watch, they are
/// shown who comes, and may say when it begins. `None` if they end the day instead.
pub(super) async fn gather(
    bind: SocketAddr,
    limits: ConnectionLimits,
    count: usize,
    chatty: bool,
    unwanted: impl Fn(&Login) -> Option<String>,
    watch: Option<Observer<'_>>,
) -> Result<Option<Arrival>, Failure> {
    let mut lobby = Lobby::bind(bind, limits).await.map_err(|error| {
        Failure::Usage(format!("{bind} cannot be listened on: {error}; choose another --bind"))
    })?;
    let address = lobby.address().map_err(Failure::broke)?;
    let mut stdout = Output::stdout();
    stdout.line(format_args!("listening on {address}"))?;
    stdout.flush()?;
    let inside: RefCell<Vec<Login>> = RefCell::default();
    let mut ids = BTreeSet::new();
    let show = || {
        if let Some(watch) = &watch {
            (watch.show)(&inside.borrow());
        }
    };
    show();
    let news = |news: LobbyNews| {
        match &news {
            LobbyNews::Entered(login) => {
                inside.borrow_mut().push(login.clone());
                ids.insert(login.github_id.clone());
            }
            LobbyNews::Left { login, .. } => inside.borrow_mut().retain(|other| other != login),
            LobbyNews::Refused { .. } => {}
        }
        show();
        if chatty {
            output::remark(&sentence(&news, &ids, inside.borrow().len(), count));
        }
    };
    let guests = match &watch {
        Some(watch) => watch.room.gather(&mut lobby, count, unwanted, news, show).await,
        None => Some(lobby.gather(count, unwanted, news).await),
    };
    let Some(guests) = guests else { return Ok(None) };
    let doors = lobby.close(move |news| {
        if chatty {
            output::remark(&sentence(&news, &ids, count, count));
        }
    });
    Ok(Some(Arrival { guests, address, doors }))
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
