//! The dealer's side of the page: what happens at the table goes out through here.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::mpsc::UnboundedSender;

use crate::stud::{Chips, Seat};
use crate::table::Event;
use crate::tournament::{Freezeout, Record};

use super::beat::{Beat, Beats, foul_words, why_left};
use super::race::{Point, Race};
use super::replies::Replies;
use super::stage::News;

/// What the page would like to have next. The dealer looks at it in passing: nothing is sent that was not
/// asked for, so a page that is busy costs the dealer nothing.
#[derive(Debug, Default)]
pub(super) struct Wishes {
    /// The next round, beat by beat.
    pub(super) round: AtomicBool,
    /// A tally at the end of the next round.
    pub(super) tally: AtomicBool,
}

/// Who stands where after a round, and what happened since the last tally.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    pub(super) round: u64,
    /// Place, seat and chips, best first.
    pub(super) rows: Vec<(usize, Seat, Chips)>,
    pub(super) points: Vec<Point>,
    /// Who left since the last tally: seat, round, why.
    pub(super) exits: Vec<(Seat, u64, String)>,
    /// Who committed a foul and was forgiven since the last tally: the latest few.
    pub(super) fouls: Vec<(Seat, u64, String)>,
    /// How many such fouls there were.
    pub(super) foul_count: u64,
    /// What each player answered last, in seat order.
    pub(super) last_replies: Vec<Option<String>>,
}

/// What the dealer tells the page.
#[derive(Debug)]
pub(super) enum Told {
    /// A beat of the round that was wished for.
    Beat(Beat),
    /// A tally.
    Tally(Tally),
    /// The tournament is over by the rules: the last tally, and the whole last round.
    Over(Tally, Vec<Beat>),
}

/// How many forgiven fouls a tally tells of.
const FOULS: usize = 5;

/// How many beats of one round are shown before the rest is left out: more than people watch.
const LONGEST: usize = 2_000;

/// Keeps the room informed of a tournament. It never waits and never grows: it sends what the page has asked
/// for and otherwise only counts.
pub struct Window {
    news: UnboundedSender<News>,
    wishes: Arc<Wishes>,
    replies: Arc<Replies>,
    round_limit: u64,
    /// The round that is being shown while it is played, and how many beats it has had.
    shown: Option<(Beats, usize)>,
    race: Race,
    tally: Tally,
    /// What is told at the next commit.
    unsure: Vec<Told>,
}

impl Window {
    pub(super) fn new(
        news: UnboundedSender<News>,
        wishes: Arc<Wishes>,
        replies: Arc<Replies>,
        round_limit: u64,
    ) -> Window {
        Window {
            news,
            wishes,
            replies,
            round_limit,
            shown: None,
            race: Race::default(),
            tally: Tally::default(),
            unsure: Vec::new(),
        }
    }

    /// Tells at once how a tournament stands that goes on in the middle.
    pub fn catch_up(&mut self, tournament: &Freezeout) {
        if tournament.table().round_number() == 0 {
            return;
        }
        for standing in tournament.standings().places() {
            if let Some(exit) = &standing.exit {
                self.tally.exits.push((Seat::new(standing.player), exit.round, why_left(&exit.why)));
            }
        }
        self.tally.exits.sort_by_key(|(_, round, _)| *round);
        let tally = self.take_tally(tournament);
        self.tell(Told::Tally(tally));
    }

    /// The page may be gone: the game goes on without it.
    fn tell(&self, told: Told) {
        let _ = self.news.send(News::Dealer(told));
    }

    /// How a round ends is told when it is sure to have happened.
    fn tell_when_sure(&mut self, told: Told) {
        self.unsure.push(told);
    }

    fn take_tally(&mut self, tournament: &Freezeout) -> Tally {
        let table = tournament.table();
        let mut tally = std::mem::take(&mut self.tally);
        tally.round = table.round_number();
        tally.rows = tournament
            .standings()
            .places()
            .iter()
            .map(|standing| (standing.place, Seat::new(standing.player), standing.chips))
            .collect();
        tally.last_replies = vec![None; table.stacks().len()];
        for event in table.events() {
            if let Event::Acted { seat, action } = event {
                tally.last_replies[seat.index()] = Some(action.to_string());
            }
        }
        tally
    }

    /// Whether no further round will be dealt. How the last one ends is told at the very end, so that the page
    /// can show it first.
    fn is_decided(&self, tournament: &Freezeout) -> bool {
        let table = tournament.table();
        table.seated().len() < 2 || table.round_number() == self.round_limit
    }

    fn ended(&mut self, tournament: &Freezeout) {
        let table = tournament.table();
        let round = table.round_number();
        if self.race.wants(round) {
            let point = Point { round, stacks: table.stacks().to_vec() };
            self.race.push(point.clone());
            self.tally.points.push(point);
            if self.tally.points.len() > 2 * self.race.points().len() {
                let race = &self.race;
                self.tally.points.retain(|point| race.wants(point.round));
            }
        }
        if !self.is_decided(tournament) && self.wishes.tally.load(Ordering::Relaxed) {
            self.wishes.tally.store(false, Ordering::Relaxed);
            let tally = self.take_tally(tournament);
            self.tell_when_sure(Told::Tally(tally));
        }
    }
}

impl Record for Window {
    fn event(&mut self, tournament: &Freezeout, event: &Event) -> io::Result<()> {
        match event {
            // A swap on every deal would be dear: it is only made when the wish is there.
            Event::Dealt { .. } if self.wishes.round.load(Ordering::Relaxed) => {
                self.wishes.round.store(false, Ordering::Relaxed);
                self.shown = Some((Beats::new(), 0));
            }
            Event::Fouled { seat } => {
                let table = tournament.table();
                if table.farewell(*seat).is_none() {
                    let foul = table.foul_of(*seat).expect("a foul was kept when it happened");
                    self.tally.foul_count += 1;
                    if self.tally.fouls.len() == FOULS {
                        self.tally.fouls.remove(0);
                    }
                    self.tally.fouls.push((*seat, table.round_number(), foul_words(foul)));
                }
            }
            Event::Left { seat, .. } => {
                let table = tournament.table();
                let why = table.farewell(*seat).expect("who leaves is told why");
                self.tally.exits.push((*seat, table.round_number(), why_left(why)));
            }
            Event::Ended => self.ended(tournament),
            _ => {}
        }
        if let Some((beats, count)) = &mut self.shown {
            let (news, unsure) = (&self.news, &mut self.unsure);
            beats.push(tournament, event, |beat| {
                *count += 1;
                if !unsure.is_empty() || matches!(beat, Beat::Paid(_) | Beat::Left(..) | Beat::Rest) {
                    unsure.push(Told::Beat(beat));
                } else if *count <= LONGEST {
                    let _ = news.send(News::Dealer(Told::Beat(beat)));
                }
            });
            if beats.is_over() {
                self.shown = None;
            }
        }
        Ok(())
    }

    fn commit(&mut self) -> io::Result<()> {
        if self.unsure.is_empty() {
            return Ok(());
        }
        for told in std::mem::take(&mut self.unsure) {
            self.tell(told);
        }
        Ok(())
    }

    fn over(&mut self, tournament: &Freezeout) -> io::Result<()> {
        let tally = self.take_tally(tournament);
        self.tell_when_sure(Told::Over(tally, Beats::of_round(tournament)));
        Ok(())
    }

    fn waiting_for(&mut self, seat: Seat) {
        if self.shown.is_some() {
            self.tell(Told::Beat(Beat::Turn(seat)));
        }
    }

    fn resting(&mut self, tournament: &Freezeout) {
        if self.is_decided(tournament) {
            return;
        }
        let tally = self.take_tally(tournament);
        self.tell(Told::Tally(tally));
    }

    fn reply_time(&mut self, _: u64, seat: Seat, took: Duration) {
        self.replies.note(seat, took);
    }
}
