//! `casino host`

use std::cell::RefCell;
use std::net::SocketAddr;

use clap::Args;
use tokio::net::TcpListener;

use crate::protocol::Login;
use crate::server::{Guest, Lobby, LobbyNews, raise_file_limit};
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

async fn host(bind: SocketAddr, remote: usize, mut setup: Setup) -> Result<(), Failure> {
    let listener = std::net::TcpListener::bind(bind).map_err(|error| {
        Failure::Usage(format!("{bind} cannot be listened on: {error}; choose another --bind"))
    })?;
    listener.set_nonblocking(true).map_err(Failure::broke)?;
    let address = listener.local_addr().map_err(Failure::broke)?;
    let mut stdout = Output::stdout();
    stdout.line(format_args!("listening on {address}"))?;
    stdout.flush()?;
    loop {
        // The same door for each tournament of the day.
        let door = listener.try_clone().and_then(TcpListener::from_std).map_err(Failure::broke)?;
        let mut lobby = Lobby::new(door, setup.limits());
        let Some(guests) = gather(&mut lobby, remote, &setup).await else { return Ok(()) };
        let (news, mut heard) = tokio::sync::mpsc::unbounded_channel();
        let doors = tokio::spawn(lobby.refuse_everyone(news));
        let chatty = setup.is_chatty();
        let crier = tokio::spawn(async move {
            while let Some(news) = heard.recv().await {
                if chatty {
                    output::remark(&sentence(&news, remote, remote));
                }
            }
        });
        let played = setup.play_networked(guests).await;
        let goes_on = match played {
            Ok(record) => setup.goes_on(record).await,
            Err(failure) => Err(failure),
        };
        doors.abort();
        crier.abort();
        if !goes_on? {
            return Ok(());
        }
    }
}

/// Waits until everybody is in, or the people in charge begin with those who are. `None` if the day ends here.
async fn gather(lobby: &mut Lobby, remote: usize, setup: &Setup) -> Option<Vec<Guest>> {
    let wanted = setup.named() + remote;
    let inside: RefCell<Vec<Login>> = RefCell::default();
    setup.show_lobby(&inside.borrow(), wanted);
    let everybody = lobby.gather(
        // With a console, the people in charge say when it begins, also when everybody is in.
        if setup.has_console() { usize::MAX } else { remote },
        |_| {
            let full = setup.has_console() && inside.borrow().len() >= remote;
            full.then(|| "all places are taken".to_string())
        },
        |news| {
            match &news {
                LobbyNews::Entered(login) => inside.borrow_mut().push(login.clone()),
                LobbyNews::Left { login, .. } => inside.borrow_mut().retain(|other| other != login),
                LobbyNews::Refused { .. } => {}
            }
            setup.show_lobby(&inside.borrow(), wanted);
            if setup.is_chatty() {
                output::remark(&sentence(&news, inside.borrow().len(), remote));
            }
        },
    );
    let interrupt = setup.interrupt();
    let interrupted = async {
        match setup.has_console() {
            true => interrupt.pressed().await,
            false => std::future::pending().await,
        }
    };
    tokio::select! {
        guests = everybody => return Some(guests),
        () = setup.go() => {}
        never = setup.renamed(|| setup.show_lobby(&inside.borrow(), wanted)) => match never {},
        () = interrupted => return None,
    }
    Some(lobby.begin_with_those_inside())
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
