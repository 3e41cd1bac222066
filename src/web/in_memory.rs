//! The page and the console in memory, for simulated days and fuzz targets: their answers to any bytes.

use std::io;
use std::sync::OnceLock;

use tokio::runtime::{Builder, Runtime};

use axum::Router;

use casino_show::rounds::TournamentInfo;
use casino_stud::journal::{Occasion, PlayerSource};
use casino_stud::tournament::SecretIds;

use super::listen::{ServingLimits, answer_in_memory};
use super::room::Room;
use crate::session::{Member, Showing};

/// As much of an answer is taken. No file of the page is as long.
const MOST: u64 = 1 << 20;

/// The secrets of a tournament of two players.
#[derive(Clone, Copy, Debug)]
pub struct SecretTournament<'a> {
    /// The token of the console.
    pub token: &'a str,
    /// The GitHubIds of the players.
    pub github_ids: [&'a str; 2],
    /// The seed, which the teacher has not revealed at the console.
    pub seed: &'a str,
    /// Whether the tournament is over.
    pub is_over: bool,
}

/// The console of a room, on connections in memory.
#[derive(Clone, Debug)]
pub struct MemoryConsole(Router);

impl MemoryConsole {
    /// That of this room, which wants this token.
    pub fn of(room: &Room, token: &str) -> MemoryConsole {
        MemoryConsole(room.console_routes(token.to_string()))
    }

    /// Returns the answer on a new connection that sends these bytes.
    pub async fn answer(&self, bytes: &[u8]) -> io::Result<Vec<u8>> {
        answer_in_memory(self.0.clone(), bytes, ServingLimits::CONSOLE, MOST).await
    }
}

/// Which of the two addresses is spoken to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Address {
    /// The page for the room.
    Page,
    /// The teacher's console.
    Console,
}

/// Returns the answer on a new connection that sends these bytes during this tournament. Each call has its own
/// tournament on a clock that jumps.
///
/// # Panics
/// If the page or the console does, which must not be.
pub fn answer(address: Address, tournament: SecretTournament<'_>, bytes: &[u8]) -> io::Result<Vec<u8>> {
    let (room, show) = Room::unserved();
    let names = ["Steph", "Ada"].map(str::to_string);
    let members =
        tournament.github_ids.into_iter().zip(&names).map(|(github_id, name)| {
            Member::new(github_id, name, PlayerSource::Remote, &SecretIds::default())
        });
    let info = TournamentInfo {
        number: 1,
        players: names.to_vec(),
        stack: 500,
        rounds: Some(100),
        rehearsal: false,
        promise: None,
        placing: casino_stud::tournament::Placing::default(),
        seed: None,
        occasion: Occasion::default(),
    };
    room.console_state().begin(info.number, members.collect(), None);
    let publisher = room.begin(info);
    if tournament.is_over {
        room.console_state().end(Some(tournament.seed.to_string()), false);
        room.end(Vec::new(), 0, true);
    }
    let (router, limits) = match address {
        Address::Page => (room.page_routes(), ServingLimits::PAGE),
        Address::Console => (room.console_routes(tournament.token.to_string()), ServingLimits::CONSOLE),
    };
    let answered = runtime()?.block_on(async {
        tokio::select! {
            // All pending changes are shown first, so that the same bytes get the same answer.
            biased;
            () = show => Err(io::Error::other("the show ended before the room")),
            answered = answer_in_memory(router, bytes, limits, MOST) => answered,
        }
    });
    drop((publisher, room));
    answered
}

fn runtime() -> io::Result<&'static Runtime> {
    static RUNTIME: OnceLock<Runtime> = OnceLock::new();
    if RUNTIME.get().is_none() {
        let made = Builder::new_current_thread().enable_time().start_paused(true).build()?;
        // Another thread may have been quicker.
        let _ = RUNTIME.set(made);
    }
    Ok(RUNTIME.get().expect("it has just been made"))
}
