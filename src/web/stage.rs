//! One round at a time at a pace people can follow, while play runs on.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::sync::mpsc::UnboundedReceiver;
use tokio::time::Instant;

use crate::stud::Seat;

use super::beat::Beat;
use super::desk::Desk;
use super::hub::Hub;
use super::page::{Board, BoardRow, LobbyView, Page, Phase, Programme};
use super::table_view::TableView;
use super::window::{Tally, Told, Wishes};

/// How often a tally is wished for.
const TICK: Duration = Duration::from_millis(200);

/// Over how long the rounds per second are counted.
const RATE_OVER: Duration = Duration::from_secs(3);

/// How much slower the last round is shown.
const FINALE: f64 = 1.8;

/// How many beats may wait before the show hurries.
const FEW: usize = 30;

/// What the page is told.
#[derive(Debug)]
pub(super) enum News {
    /// Who is in the lobby.
    Lobby(LobbyView),
    /// A tournament begins.
    Begin(Programme),
    /// The dealer of the tournament tells something.
    Dealer(Told),
    /// The tournament has come to its end, by the rules or not.
    End {
        /// The final table.
        rows: Vec<BoardRow>,
        /// How many rounds were played.
        rounds: u64,
        /// Whether somebody stopped it.
        stopped: bool,
    },
    /// The seed may be seen, once the last round has been shown.
    Reveal(String),
    /// A sentence for everyone.
    Say(String),
    /// Everything is over: the page goes.
    Close,
}

/// Where the day is shown.
pub(super) struct Stage {
    hub: Arc<Hub>,
    desk: Arc<Desk>,
    wishes: Arc<Wishes>,
    beats: VecDeque<Beat>,
    /// When the next beat may be shown.
    next: Instant,
    /// The last tally, held back until the last round has been shown.
    finale: Option<Tally>,
    /// The end, held back as well.
    end: Option<(Vec<BoardRow>, u64, bool)>,
    seed: Option<String>,
    /// Rounds played at moments just past.
    rounds: VecDeque<(Instant, u64)>,
}

impl Stage {
    pub(super) fn new(hub: Arc<Hub>, desk: Arc<Desk>, wishes: Arc<Wishes>) -> Stage {
        Stage {
            hub,
            desk,
            wishes,
            beats: VecDeque::new(),
            next: Instant::now(),
            finale: None,
            end: None,
            seed: None,
            rounds: VecDeque::new(),
        }
    }

    /// Shows what comes until there is nothing to come.
    pub(super) async fn run(mut self, mut news: UnboundedReceiver<News>) {
        let mut tick = tokio::time::interval(TICK);
        tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Skip);
        loop {
            tokio::select! {
                heard = news.recv() => match heard {
                    Some(News::Close) | None => return,
                    Some(news) => self.hear(news),
                },
                () = tokio::time::sleep_until(self.next), if !self.beats.is_empty() => self.show_next(),
                _ = tick.tick() => self.tick(),
            }
        }
    }

    fn tick(&mut self) {
        self.wishes.tally.store(true, Ordering::Relaxed);
        let paused = self.desk.is_paused();
        self.hub.change(|page| match page.phase() {
            Phase::Playing if paused => page.enter(Phase::Paused),
            Phase::Paused if !paused => page.enter(Phase::Playing),
            _ => {}
        });
    }

    fn hear(&mut self, news: News) {
        match news {
            News::Lobby(lobby) => self.hub.change(|page| {
                page.enter(Phase::Lobby);
                page.show_lobby(lobby);
            }),
            News::Begin(programme) => self.begin(programme),
            News::Dealer(Told::Beat(beat)) => self.beats.push_back(beat),
            News::Dealer(Told::Tally(tally)) => self.tally(tally),
            News::Dealer(Told::Over(tally, last_round)) => self.finale(tally, last_round),
            News::End { rows, rounds, stopped } => {
                self.end = Some((rows, rounds, stopped));
                if self.finale.is_none() {
                    self.close();
                }
            }
            News::Reveal(seed) => {
                self.seed = Some(seed);
                if self.hub.change(|page| page.phase()) == Phase::Over {
                    self.reveal();
                }
            }
            News::Say(sentence) => self.hub.change(|page| page.add_news("day", sentence)),
            News::Close => {}
        }
    }

    fn begin(&mut self, programme: Programme) {
        self.beats.clear();
        self.rounds.clear();
        (self.finale, self.end, self.seed) = (None, None, None);
        self.rounds.push_back((Instant::now(), 0));
        self.wishes.round.store(true, Ordering::Relaxed);
        self.hub.change(|page| {
            let players = programme.players.len();
            page.add_news("day", format!("Tournament {} begins with {players} players.", programme.number));
            if let Some(promise) = &programme.promise {
                page.add_news("day", format!("The shuffle is promised: SHA-256 {promise}."));
            }
            page.begin(programme);
        });
    }

    fn tally(&mut self, tally: Tally) {
        let now = Instant::now();
        self.rounds.push_back((now, tally.round));
        while self.rounds.len() > 2 && now - self.rounds[1].0 > RATE_OVER {
            self.rounds.pop_front();
        }
        let rate = match self.rounds.front() {
            Some((then, round)) if now > *then => (tally.round - round) as f64 / (now - *then).as_secs_f64(),
            _ => 0.0,
        };
        self.desk.heard(&tally.last_replies);
        self.hub.change(|page| show_tally(page, tally, rate));
    }

    /// The tournament is decided. Its last round is shown before anything else is told of the end.
    fn finale(&mut self, tally: Tally, last_round: Vec<Beat>) {
        let last = tally.round;
        let showing = self.hub.change(|page| {
            page.enter(Phase::Finale);
            let table = page.table_mut();
            table
                .filter(|table| table.round == last && table.result.is_none())
                .map(|table| table.finale = true)
        });
        self.desk.heard(&tally.last_replies);
        self.finale = Some(tally);
        let on_its_way =
            self.beats.iter().any(|beat| matches!(beat, Beat::Dealt { round, .. } if *round == last));
        if showing.is_none() && !on_its_way {
            self.beats = last_round.into();
        }
        if self.beats.is_empty() {
            self.close();
        }
    }

    /// Everything has been shown: the final table, the podium, the seed.
    fn close(&mut self) {
        if let Some(tally) = self.finale.take() {
            self.hub.change(|page| show_tally(page, tally, 0.0));
        }
        let Some((rows, rounds, stopped)) = self.end.take() else {
            // The last word of the tournament follows at once.
            return;
        };
        self.beats.clear();
        self.hub.change(|page| {
            page.show_board(Board { round: rounds, rate: 0.0, rows: rows.clone() });
            let winners: Vec<&str> = rows
                .iter()
                .filter(|row| row.place == 1)
                .filter_map(|row| page.programme().players.get(row.seat - 1))
                .map(String::as_str)
                .collect();
            let winners = winners.join(" and ");
            let sentence = if stopped {
                format!("The tournament was stopped after {rounds} rounds; {winners} led.")
            } else {
                format!("After {rounds} rounds {winners} won the tournament.")
            };
            page.add_news("day", sentence);
            page.show_podium(rows);
            page.enter(Phase::Over);
        });
        self.reveal();
    }

    fn reveal(&mut self) {
        if let Some(seed) = self.seed.take() {
            self.hub.change(|page| {
                page.reveal(&seed);
                page.add_news("day", format!("The seed was {seed}."));
            });
        }
    }

    fn show_next(&mut self) {
        let Some(beat) = self.beats.pop_front() else { return };
        let finale = self.finale.is_some();
        let players = self.hub.change(|page| show_beat(page, &beat, finale));
        let slower = if finale { FINALE } else { 1.0 };
        // Two players who raise each other two hundred times are not watched one by one.
        let waiting = self.beats.len().saturating_sub(1);
        let faster = self.desk.tempo() * (waiting.max(FEW) as f64 / FEW as f64);
        self.next = Instant::now() + pause_after(&beat, players).mul_f64(slower / faster);
        if beat == Beat::Rest {
            if finale {
                self.close();
            } else {
                self.wishes.round.store(true, Ordering::Relaxed);
            }
        }
    }
}

/// How long people look at a beat before the next.
fn pause_after(beat: &Beat, players: usize) -> Duration {
    Duration::from_millis(match beat {
        Beat::Dealt { .. } => 1_200,
        Beat::Opened { .. } => 900,
        Beat::Turn(_) | Beat::Rest => 0,
        // A full table takes longer than two players, but not as many times as it has seats.
        Beat::Bet(..) | Beat::Fold(_) | Beat::Pass(_) | Beat::ForcedFold(_) => 6_000 / (players as u64 + 5),
        Beat::Foul(..) | Beat::Left(..) => 1_200,
        Beat::Paid(_) => 4_000,
    })
}

/// Shows a beat and says how many players the table has.
fn show_beat(page: &mut Page, beat: &Beat, finale: bool) -> usize {
    if let Beat::Dealt { round, pot, seats } = beat {
        page.show_table(TableView::dealt(*round, *pot, seats, finale));
    }
    let names = page.programme().players.clone();
    let name = |seat: Seat| names.get(seat.index()).cloned().unwrap_or_default();
    let Some(table) = page.table_mut() else { return 0 };
    table.show(beat, name);
    let players = table.seats.len();
    if let (Beat::Paid(_), Some(result)) = (beat, &table.result) {
        let sentence = result.sentence.clone();
        page.add_news("round", sentence);
    }
    players
}

fn show_tally(page: &mut Page, tally: Tally, rate: f64) {
    let mut rows: Vec<BoardRow> = page.board().rows.clone();
    for (place, seat, chips) in &tally.rows {
        if let Some(row) = rows.iter_mut().find(|row| row.seat == seat.index() + 1) {
            (row.place, row.chips) = (*place, *chips);
        }
    }
    let order = |row: &BoardRow| tally.rows.iter().position(|(_, seat, _)| seat.index() + 1 == row.seat);
    rows.sort_by_key(order);
    for (seat, round, why) in tally.exits {
        if let Some(row) = rows.iter_mut().find(|row| row.seat == seat.index() + 1) {
            row.left_in_round = Some(round);
            row.why = Some(why.clone());
        }
        let name = page.programme().players.get(seat.index()).cloned().unwrap_or_default();
        page.add_news("exit", format!("{name} is out in round {round}: {why}."));
    }
    let told = tally.fouls.len() as u64;
    for (seat, round, why) in tally.fouls {
        let name = page.programme().players.get(seat.index()).cloned().unwrap_or_default();
        page.add_news("foul", format!("Foul in round {round}: {name} {why}."));
    }
    if tally.foul_count > told {
        page.add_news("foul", format!("There were {} more fouls.", tally.foul_count - told));
    }
    page.add_points(tally.points);
    // One decimal of a slow rate, whole numbers of a fast one: nobody reads more.
    let rate = if rate < 10.0 { (rate * 10.0).round() / 10.0 } else { rate.round() };
    page.show_board(Board { round: tally.round, rate, rows });
}
