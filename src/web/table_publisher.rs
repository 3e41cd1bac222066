//! The dealer's side of the page: what happens at the table goes out through here.

use std::io;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::mpsc::UnboundedSender;

use crate::stud::Seat;
use crate::table::{TableEvent, exit_in_public, foul_in_public};
use crate::tournament::{Event, Recorder, TableGame};

use super::display_step::{DisplayStep, DisplaySteps};
use super::messages::{Gone, PageMessage, Requests, TableMessage, TableTally};
use super::reply_times::Replies;
use crate::tournament::{Point, Race};

/// How many forgiven fouls a tally tells of.
const FOULS: usize = 5;

/// How many beats of one round are shown before the rest is left out: more than people watch.
const LONGEST: usize = 2_000;

/// What holds a window's last word back until the whole event is over.
pub(super) type Held = Arc<Mutex<Option<(TableTally, Vec<DisplayStep>)>>>;

/// Keeps the room informed of a tournament at one table, or of one table of an event. It never waits and never
/// grows: it sends what the page has asked for and otherwise only counts.
pub struct TablePublisher {
    news: UnboundedSender<PageMessage>,
    wishes: Arc<Requests>,
    replies: Arc<Replies>,
    /// Which player of the tournament sits in each seat, from 0.
    players: Vec<usize>,
    /// The round that is being shown while it is played, and how many beats it has had.
    shown: Option<(DisplaySteps, usize)>,
    /// The stacks over the rounds, where this is the only table.
    race: Option<Race>,
    /// Where the last round goes if this may be the last table of an event.
    held: Option<Held>,
    tally: TableTally,
    /// The wish for a tally that was fulfilled last.
    tallied: u32,
    /// What is told at the next commit.
    unsure: Vec<TableMessage>,
}

impl TablePublisher {
    /// For a tournament at one table, or for one table of several.
    pub(super) fn new(
        news: UnboundedSender<PageMessage>,
        wishes: Arc<Requests>,
        replies: Arc<Replies>,
        players: Vec<usize>,
    ) -> TablePublisher {
        TablePublisher {
            news,
            wishes,
            replies,
            players,
            shown: None,
            race: None,
            held: None,
            tally: TableTally::default(),
            tallied: 0,
            unsure: Vec::new(),
        }
    }

    /// The same, for the only table of a tournament: it also keeps the stacks over the rounds.
    #[must_use]
    pub(super) fn alone(self) -> TablePublisher {
        TablePublisher { race: Some(Race::default()), ..self }
    }

    /// The same, for what may be the last table of an event: how its last round ends is put here, not told.
    #[must_use]
    pub(super) fn at_final_table(self, held: Held) -> TablePublisher {
        TablePublisher { held: Some(held), ..self }
    }

    /// Tells at once how a tournament stands that goes on in the middle.
    pub fn catch_up(&mut self, tournament: &TableGame) {
        if tournament.table().round_number() == 0 {
            return;
        }
        for standing in tournament.standings().places() {
            if let Some(exit) = &standing.exit {
                self.tally.exits.push(Gone {
                    player: self.players[standing.player],
                    round: exit.round,
                    began_with: exit.began_with,
                    why: exit_in_public(&exit.why),
                });
            }
        }
        self.tally.exits.sort_by_key(|gone| gone.round);
        let tally = self.take_tally(tournament);
        self.tell(TableMessage::Tally(tally));
    }

    /// The page may be gone: the game goes on without it.
    fn tell(&self, told: TableMessage) {
        let _ = self.news.send(PageMessage::Dealer(told));
    }

    /// How a round ends is told when it is sure to have happened.
    fn tell_when_sure(&mut self, told: TableMessage) {
        self.unsure.push(told);
    }

    fn take_tally(&mut self, tournament: &TableGame) -> TableTally {
        let table = tournament.table();
        let mut tally = std::mem::take(&mut self.tally);
        tally.table = tournament.number();
        tally.round = table.round_number();
        tally.done = tournament.is_over();
        tally.chips = self.players.iter().copied().zip(table.stacks().iter().copied()).collect();
        tally.last_replies = vec![None; table.stacks().len()];
        for event in table.events() {
            if let TableEvent::Acted { seat, action } = event {
                tally.last_replies[seat.index()] = Some(action.to_string());
            }
        }
        tally
    }

    /// Whether the round that is just over may have decided all: then how it ends is told at the very end, so that
    /// the page can show it first.
    fn may_be_the_end(&self, tournament: &TableGame) -> bool {
        (self.race.is_some() || self.held.is_some()) && tournament.is_over()
    }

    fn ended(&mut self, tournament: &TableGame) {
        let table = tournament.table();
        let round = table.round_number();
        if let Some(race) = &mut self.race
            && race.wants(round)
        {
            let point = Point { round, stacks: table.stacks().to_vec() };
            race.push(point.clone());
            self.tally.points.push(point);
            if self.tally.points.len() > 2 * race.points().len() {
                self.tally.points.retain(|point| race.wants(point.round));
            }
        }
        if self.may_be_the_end(tournament) {
            if let Some(held) = self.held.clone() {
                let last = (self.take_tally(tournament), DisplaySteps::of_round(tournament));
                *held.lock().unwrap_or_else(PoisonError::into_inner) = Some(last);
            }
            return;
        }
        let wish = self.wishes.tally.load(Ordering::Relaxed);
        // The last word of a table is told unasked: it may be a while before it deals again.
        if wish != self.tallied || tournament.is_over() {
            self.tallied = wish;
            let tally = self.take_tally(tournament);
            self.tell_when_sure(TableMessage::Tally(tally));
        }
    }

    /// Notes what counts, and sends the beats of a round that is shown.
    #[inline(never)]
    fn note(&mut self, tournament: &TableGame, event: &TableEvent) {
        match event {
            TableEvent::Dealt { .. } if self.wishes.take_round(tournament.number()) => {
                self.shown = Some((DisplaySteps::new(), 0));
            }
            TableEvent::Fouled { seat } => {
                let table = tournament.table();
                if table.exit_reason(*seat).is_none() {
                    let foul = table.foul_of(*seat).expect("a foul was kept when it happened");
                    self.tally.foul_count += 1;
                    if self.tally.fouls.len() == FOULS {
                        self.tally.fouls.remove(0);
                    }
                    let player = self.players[seat.index()];
                    self.tally.fouls.push((player, table.round_number(), foul_in_public(foul)));
                }
            }
            TableEvent::Left { seat, .. } => {
                let table = tournament.table();
                let why = table.exit_reason(*seat).expect("who leaves is told why");
                self.tally.exits.push(Gone {
                    player: self.players[seat.index()],
                    round: table.round_number(),
                    began_with: tournament.began_with()[seat.index()],
                    why: exit_in_public(why),
                });
            }
            TableEvent::Ended => self.ended(tournament),
            _ => {}
        }
        if let Some((beats, count)) = &mut self.shown {
            let (news, unsure) = (&self.news, &mut self.unsure);
            beats.push(tournament, event, |beat| {
                *count += 1;
                if !unsure.is_empty()
                    || matches!(beat, DisplayStep::Paid(_) | DisplayStep::Left(..) | DisplayStep::Rest)
                {
                    unsure.push(TableMessage::DisplayStep(beat));
                } else if *count <= LONGEST {
                    let _ = news.send(PageMessage::Dealer(TableMessage::DisplayStep(beat)));
                }
            });
            if beats.is_over() {
                self.shown = None;
            }
        }
    }
}

impl Recorder for TablePublisher {
    #[inline]
    fn event(&mut self, tournament: &TableGame, event: &TableEvent) -> io::Result<()> {
        use TableEvent::{Acted, ForcedFold, Opened, Passed, Won};
        // Nearly all there is in a round that nobody is shown.
        if self.shown.is_some()
            || !matches!(event, Opened { .. } | Acted { .. } | Passed { .. } | ForcedFold { .. } | Won { .. })
        {
            self.note(tournament, event);
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

    fn over(&mut self, event: &Event) -> io::Result<()> {
        for table in event.tables() {
            let tally = self.take_tally(table);
            self.tell_when_sure(TableMessage::Over(tally, DisplaySteps::of_round(table)));
        }
        Ok(())
    }

    fn asked(&mut self, seat: Seat) {
        if self.shown.is_some() {
            self.tell(TableMessage::DisplayStep(DisplayStep::Turn(seat)));
        }
    }

    fn idle(&mut self, tournament: &TableGame) {
        if self.may_be_the_end(tournament) {
            return;
        }
        let tally = self.take_tally(tournament);
        self.tell(TableMessage::Tally(tally));
    }

    fn reply_time(&mut self, _: u64, seat: Seat, took: Duration) {
        self.replies.note(self.players[seat.index()], took);
    }
}
