//! The dealer's side of the page: it publishes what happens at a table.

use std::io;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::mpsc::UnboundedSender;

use crate::replay::{DisplayStep, DisplaySteps, PublicEvent, PublicExit, PublicRound};
use crate::stud::Seat;
use crate::table::{TableEvent, exit_in_public, foul_in_public};
use crate::tournament::{Event, Point, Race, Recorder, TableGame};

use super::messages::{PageMessage, Requests, TableMessage, TableTally};
use super::reply_times::Replies;

/// How many forgiven fouls a tally tells of.
const FOULS: usize = 5;

/// How many steps of one round are shown before the rest is left out: more than people watch.
const LONGEST: usize = 2_000;

/// The last tally and round of a table, held back until the whole event is over.
pub(super) type Held = Arc<Mutex<Option<(TableTally, Vec<DisplayStep>)>>>;

/// A round that is shown while it is played.
#[derive(Default)]
struct ShownRound {
    events: PublicRound,
    steps: DisplaySteps,
    /// How many steps there have been.
    count: usize,
}

/// Publishes a tournament at one table, or of one table of an event. It never waits and never
/// grows: it sends what the page has asked for and otherwise only counts.
pub struct TablePublisher {
    messages: UnboundedSender<PageMessage>,
    requests: Arc<Requests>,
    replies: Arc<Replies>,
    /// The player of the tournament in each seat, from 0.
    players: Vec<usize>,
    /// The round that is being shown while it is played.
    shown: Option<ShownRound>,
    /// The stacks over the rounds, where this is the only table.
    race: Option<Race>,
    /// Where the last round goes if this may be the last table of an event.
    held: Option<Held>,
    tally: TableTally,
    /// The request for a tally that was answered last.
    tallied: u32,
    /// The messages that are sent at the next commit.
    uncommitted: Vec<TableMessage>,
}

impl TablePublisher {
    /// A publisher for a tournament at one table, or for one table of several.
    pub(super) fn new(
        messages: UnboundedSender<PageMessage>,
        requests: Arc<Requests>,
        replies: Arc<Replies>,
        players: Vec<usize>,
    ) -> TablePublisher {
        TablePublisher {
            messages,
            requests,
            replies,
            players,
            shown: None,
            race: None,
            held: None,
            tally: TableTally::default(),
            tallied: 0,
            uncommitted: Vec::new(),
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

    /// Sends the standings of a tournament that goes on in the middle at once.
    pub fn catch_up(&mut self, tournament: &TableGame) {
        if tournament.table().round_number() == 0 {
            return;
        }
        for standing in tournament.standings().places() {
            if let Some(exit) = &standing.exit {
                self.tally.exits.push(PublicExit {
                    player: self.players[standing.player],
                    round: exit.round,
                    began_with: exit.began_with,
                    why: exit_in_public(&exit.why),
                });
            }
        }
        self.tally.exits.sort_by_key(|gone| gone.round);
        let tally = self.take_tally(tournament);
        self.send(TableMessage::Tally(tally));
    }

    /// Sends a message. The page may be gone: the game goes on without it.
    fn send(&self, told: TableMessage) {
        let _ = self.messages.send(PageMessage::Dealer(told));
    }

    /// Sends a message when it is recorded what it tells of: the end of a round.
    fn send_at_commit(&mut self, told: TableMessage) {
        self.uncommitted.push(told);
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

    /// Whether the round that is just over may have decided all: then its end is sent at the very end, so that
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
                // Nobody has asked for a long time: what the race has kept is enough.
                self.tally.points = race.points().to_vec();
            }
        }
        if self.may_be_the_end(tournament) {
            if let Some(held) = self.held.clone() {
                let last = (self.take_tally(tournament), last_round(tournament));
                *held.lock().unwrap_or_else(PoisonError::into_inner) = Some(last);
            }
            return;
        }
        let request = self.requests.tally.load(Ordering::Relaxed);
        // The last tally of a table is sent unasked: it may be a while before it deals again. After an exit it may be
        // broken.
        if request != self.tallied || tournament.is_over() || !self.tally.exits.is_empty() {
            self.tallied = request;
            let tally = self.take_tally(tournament);
            self.send_at_commit(TableMessage::Tally(tally));
        }
    }

    /// Counts for the tally, and sends the steps of a round that is shown. Rounds that nobody is shown are not put
    /// into words: they must cost the dealer next to nothing.
    #[inline(never)]
    fn note(&mut self, tournament: &TableGame, event: &TableEvent) {
        match event {
            TableEvent::Dealt { .. } if self.requests.take_round(tournament.number()) => {
                self.shown = Some(ShownRound::default());
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
                self.tally.exits.push(PublicExit::of(tournament, *seat));
            }
            TableEvent::Ended => self.ended(tournament),
            _ => {}
        }
        if let Some(ShownRound { events, steps, count }) = &mut self.shown {
            let (messages, uncommitted) = (&self.messages, &mut self.uncommitted);
            steps.push(events.push(tournament, event), |step| {
                *count += 1;
                if !uncommitted.is_empty() || !is_sure(&step) {
                    uncommitted.push(TableMessage::DisplayStep(step));
                } else if *count <= LONGEST {
                    let _ = messages.send(PageMessage::Dealer(TableMessage::DisplayStep(step)));
                }
            });
            if steps.is_over() {
                self.shown = None;
            }
        }
    }
}

/// Whether this step may be shown before it is recorded: how a round ends may not.
fn is_sure(step: &DisplayStep) -> bool {
    !matches!(step, DisplayStep::Event(PublicEvent::Ended(_) | PublicEvent::Left { .. }) | DisplayStep::Rest)
}

/// The last round at this table, for display.
fn last_round(tournament: &TableGame) -> Vec<DisplayStep> {
    DisplaySteps::of_round(PublicRound::events(tournament))
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
        if self.uncommitted.is_empty() {
            return Ok(());
        }
        for told in std::mem::take(&mut self.uncommitted) {
            self.send(told);
        }
        Ok(())
    }

    fn over(&mut self, event: &Event) -> io::Result<()> {
        for table in event.tables() {
            let tally = self.take_tally(table);
            self.send_at_commit(TableMessage::Over(tally, last_round(table)));
        }
        Ok(())
    }

    fn asked(&mut self, seat: Seat) {
        if self.shown.is_some() {
            self.send(TableMessage::DisplayStep(DisplayStep::Turn(seat)));
        }
    }

    fn idle(&mut self, tournament: &TableGame) {
        if self.may_be_the_end(tournament) {
            return;
        }
        let tally = self.take_tally(tournament);
        self.send(TableMessage::Tally(tally));
    }

    fn reply_time(&mut self, _: u64, seat: Seat, took: Duration) {
        self.replies.note(self.players[seat.index()], took);
    }
}
