//! A recorded tournament on a page: any round, any step of it.

use std::collections::BTreeMap;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::middleware::map_response;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use serde::Serialize;
use tokio::net::TcpListener;

use crate::cards::Card;
use crate::stud::{Chips, Seat};
use crate::table::Event;
use crate::tournament::{Freezeout, Standing};

use super::audience::{asset, guarded};
use super::beat::{Beat, Beats, why_left};
use super::listen::Capped;
use super::page::{BoardRow, Programme};
use super::race::{Point, Race};
use super::table_view::{TableView, number};

/// How many of the biggest pots can be jumped to.
const POTS: usize = 10;

/// A recorded tournament, round by round.
#[derive(Debug)]
pub struct Album {
    programme: Programme,
    rounds: Vec<Recorded>,
    race: Race,
    /// Seat, round, why.
    exits: Vec<(Seat, u64, String)>,
    /// The final table of a tournament that is finished.
    standings: Option<Vec<BoardRow>>,
}

/// A round as it is kept: the beats, and what was in the hole.
#[derive(Debug)]
struct Recorded {
    beats: Vec<Beat>,
    holes: Vec<(Seat, Card)>,
    stacks: Vec<Chips>,
    pot: Chips,
}

/// All that does not belong to one round.
#[derive(Serialize)]
struct Index<'a> {
    programme: &'a Programme,
    rounds: usize,
    finished: bool,
    race: &'a Race,
    exits: Vec<Jump>,
    pots: Vec<Jump>,
    standings: &'a [BoardRow],
}

/// A round worth looking at.
#[derive(Serialize)]
struct Jump {
    round: u64,
    text: String,
}

/// A round as the page gets it.
#[derive(Serialize)]
struct Shown {
    round: u64,
    frames: Vec<TableView>,
    board: Vec<BoardRow>,
    /// What everyone had in the hole, by seat: only once the tournament is finished.
    holes: Option<BTreeMap<usize, Card>>,
}

impl Album {
    /// A album without a round yet.
    pub fn new(programme: Programme) -> Album {
        let mut race = Race::default();
        race.push(Point { round: 0, stacks: vec![programme.stack; programme.players.len()] });
        Album { programme, rounds: Vec::new(), race, exits: Vec::new(), standings: None }
    }

    /// Adds the round that is just over at this tournament's table. Rounds come in order, without a gap.
    pub fn add_round(&mut self, tournament: &Freezeout) {
        let table = tournament.table();
        let (round, stacks) = (table.round_number(), table.stacks().to_vec());
        let beats = Beats::of_round(tournament);
        let paid = beats.iter().find_map(|beat| match beat {
            Beat::Paid(payment) => Some(payment.payouts.iter().map(|(_, _, chips)| chips).sum()),
            _ => None,
        });
        for event in table.events() {
            if let Event::Left { seat, .. } = event {
                let why = table.farewell(*seat).expect("who leaves is told why");
                self.exits.push((*seat, round, why_left(why)));
            }
        }
        if self.race.wants(round) {
            self.race.push(Point { round, stacks: stacks.clone() });
        }
        let dealt = table.round().dealt();
        let holes = dealt.into_iter().map(|seat| (seat, table.round().hole(seat))).collect();
        self.rounds.push(Recorded { beats, holes, stacks, pot: paid.unwrap_or(0) });
    }

    /// The tournament is finished: hole cards and the seed are no secret any more.
    pub fn finish(&mut self, tournament: &Freezeout, seed: &str) {
        let row = |standing: &Standing| BoardRow {
            seat: standing.player + 1,
            place: standing.place,
            chips: standing.chips,
            left_in_round: standing.exit.as_ref().map(|exit| exit.round),
            why: standing.exit.as_ref().map(|exit| why_left(&exit.why)),
        };
        self.standings = Some(tournament.standings().places().iter().map(row).collect());
        self.programme.seed = Some(seed.to_string());
        if let Some(last) = self.rounds.last() {
            self.race.push(Point { round: self.rounds.len() as u64, stacks: last.stacks.clone() });
        }
    }

    fn index(&self) -> Index<'_> {
        let name = |seat: Seat| self.programme.players.get(seat.index()).cloned().unwrap_or_default();
        let exit = |(seat, round, why): &(Seat, u64, String)| Jump {
            round: *round,
            text: format!("{} is out in round {round}: {why}", name(*seat)),
        };
        let mut pots: Vec<(u64, Chips)> = (1..).zip(self.rounds.iter().map(|round| round.pot)).collect();
        pots.sort_by_key(|(round, pot)| (std::cmp::Reverse(*pot), *round));
        let pot = |(round, pot): &(u64, Chips)| Jump {
            round: *round,
            text: format!("{pot} chips in round {round}"),
        };
        Index {
            programme: &self.programme,
            rounds: self.rounds.len(),
            finished: self.standings.is_some(),
            race: &self.race,
            exits: self.exits.iter().map(exit).collect(),
            pots: pots.iter().take(POTS).map(pot).collect(),
            standings: self.standings.as_deref().unwrap_or_default(),
        }
    }

    fn round(&self, round: u64) -> Option<Shown> {
        let recorded = self.rounds.get(usize::try_from(round.checked_sub(1)?).ok()?)?;
        let name = |seat: Seat| self.programme.players.get(seat.index()).cloned().unwrap_or_default();
        let mut frames: Vec<TableView> = Vec::new();
        for beat in &recorded.beats {
            match (beat, frames.last()) {
                (Beat::Dealt { round, pot, seats }, _) => {
                    frames.push(TableView::dealt(*round, *pot, seats, false));
                }
                (Beat::Rest | Beat::Turn(_), _) | (_, None) => {}
                (beat, Some(last)) => {
                    let mut next = last.clone();
                    next.show(beat, name);
                    frames.push(next);
                }
            }
        }
        let left =
            |seat: usize| self.exits.iter().find(|(out, at, _)| out.index() == seat && *at <= round).cloned();
        let row = |(seat, chips): (usize, &Chips)| {
            let exit = left(seat);
            BoardRow {
                seat: seat + 1,
                place: 0,
                chips: *chips,
                left_in_round: exit.as_ref().map(|(_, round, _)| *round),
                why: exit.map(|(_, _, why)| why),
            }
        };
        let mut board: Vec<BoardRow> = recorded.stacks.iter().enumerate().map(row).collect();
        board.sort_by_key(|row| std::cmp::Reverse((row.left_in_round.unwrap_or(u64::MAX), row.chips)));
        for index in 0..board.len() {
            let merit = |row: &BoardRow| (row.left_in_round, row.chips);
            let shared = index > 0 && merit(&board[index]) == merit(&board[index - 1]);
            board[index].place = if shared { board[index - 1].place } else { index + 1 };
        }
        let holes = self
            .standings
            .is_some()
            .then(|| recorded.holes.iter().map(|(seat, card)| (number(*seat), *card)).collect());
        Some(Shown { round, frames, board, holes })
    }

    /// Serves the album at this address, which `ready` is told, until the process ends.
    ///
    /// # Errors
    /// If the address cannot be listened on.
    pub async fn serve(self, address: SocketAddr, ready: impl FnOnce(SocketAddr)) -> io::Result<()> {
        let listener = TcpListener::bind(address).await?;
        ready(listener.local_addr()?);
        axum::serve(Capped::new(listener), routes(Arc::new(self))).await
    }
}

fn routes(album: Arc<Album>) -> Router {
    Router::new()
        .route("/", get(|| async { asset("text/html; charset=utf-8", include_str!("assets/replay.html")) }))
        .route("/page.css", get(|| async { asset("text/css", include_str!("assets/page.css")) }))
        .route("/view.js", get(|| async { asset("text/javascript", include_str!("assets/view.js")) }))
        .route("/replay.js", get(|| async { asset("text/javascript", include_str!("assets/replay.js")) }))
        .route("/icon.svg", get(|| async { asset("image/svg+xml", include_str!("assets/icon.svg")) }))
        .route(
            "/index",
            get(|State(album): State<Arc<Album>>| async move { Json(album.index()).into_response() }),
        )
        .route("/round/{round}", get(round))
        .with_state(album)
        .layer(map_response(guarded))
}

async fn round(State(album): State<Arc<Album>>, Path(round): Path<u64>) -> Response {
    match album.round(round) {
        Some(shown) => Json(shown).into_response(),
        None => (StatusCode::NOT_FOUND, "There is no such round in the journal.").into_response(),
    }
}
