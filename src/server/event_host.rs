//! An event of many tables with players of every kind.

use std::io;

use tokio::task::JoinSet;

use crate::strategies::Bot;
use crate::table::{ExitReason, Fault};
use crate::tournament::{Ending, Event, EventRecorder, MakeOpponent, Recorder, TableGame};

use super::control::Order;
use super::table_host::{STOPPED, SeatedPlayer, TableHost};
use super::{ConnectionLimits, Control};

/// The players of an event, in the event's order, wherever they sit.
///
/// Tables play hand for hand: all deal a round at the same time, each in a task of its own that owns its sockets, and
/// when the last one has played it the round is recorded for all of them at once and announced. So the record has one
/// order, and a disk is waited for once a round, not once a table.
pub struct EventHost {
    players: Vec<SeatedPlayer>,
    limits: ConnectionLimits,
    control: Control,
    /// Makes the house's own of a gauntlet.
    opponent: Box<MakeOpponent>,
    /// The house's own at the tables of a level that is gone on with.
    at_tables: Vec<Option<Box<dyn Bot>>>,
    /// Those who are being told `done`.
    leaving: Vec<JoinSet<()>>,
}

/// A table in play.
struct Place<S> {
    table: TableGame,
    seats: TableHost,
    sheet: S,
}

impl EventHost {
    /// These players; `opponent` makes the house's own of a gauntlet by their names.
    pub fn new(
        players: Vec<SeatedPlayer>,
        limits: ConnectionLimits,
        opponent: impl Fn(&str) -> Box<dyn Bot> + Send + 'static,
    ) -> EventHost {
        EventHost {
            players,
            limits,
            control: Control::default(),
            opponent: Box::new(opponent),
            at_tables: Vec::new(),
            leaving: vec![JoinSet::new()],
        }
    }

    /// The same hall, with a dealer who does what the people at the helm want.
    #[must_use]
    pub fn under(self, control: Control) -> EventHost {
        EventHost { control, ..self }
    }

    /// The same in the middle of a level in which the house's own sit at its tables.
    #[must_use]
    pub fn in_play(self, at_tables: Vec<Option<Box<dyn Bot>>>) -> EventHost {
        EventHost { at_tables, ..self }
    }

    /// Plays the event to its end, or to the end of the round in which `stop` first says so, and says `done` to
    /// everyone. How many threads the runtime has changes nothing but the time it takes.
    ///
    /// # Errors
    /// The ledger's. Then nothing more is announced, and the connections are dropped.
    pub async fn play<L: EventRecorder>(
        mut self,
        event: &mut Event,
        ledger: &mut L,
        stop: impl Fn() -> bool,
    ) -> io::Result<Ending> {
        let mut goes_on = event.due().is_some();
        let mut ending = Ending::Played;
        loop {
            if !goes_on {
                self.at_tables.clear();
                if !event.next_level() {
                    break;
                }
                ledger.level(event)?;
                for (player, exit_reason) in event.take_leaving() {
                    self.dismiss(player, &exit_reason);
                }
            }
            goes_on = false;
            let mut places = self.seat(event, ledger);
            let played = self.level(&mut places, ledger, &stop).await;
            *event.tables_mut() = self.stand_up(places);
            if played? == Ending::Stopped {
                ending = Ending::Stopped;
                break;
            }
        }
        match ending {
            Ending::Played => ledger.over(event)?,
            Ending::Stopped => ledger.pause()?,
        }
        for (player, exit_reason) in event.take_leaving().into_iter().chain(event.exit_reasons()) {
            if ending == Ending::Played {
                self.dismiss(player, &exit_reason);
            }
        }
        for player in 0..self.players.len() {
            // Nobody is left after the end, and everybody who was still in when it was stopped.
            self.dismiss(player, &ExitReason::Stopped { why: STOPPED.to_string() });
        }
        for mut leaving in self.leaving {
            while leaving.join_next().await.is_some() {}
        }
        Ok(ending)
    }

    fn dismiss(&mut self, player: usize, exit_reason: &ExitReason) {
        self.players[player].dismiss(exit_reason, &mut self.leaving[0]);
    }

    /// Everybody goes to the table of the level.
    fn seat<L: EventRecorder>(&mut self, event: &mut Event, ledger: &mut L) -> Vec<Place<L::TableRecorder>> {
        let broke_stay = event.returns(&ExitReason::Broke { chips: 0, ante: 0 });
        let (players, against) = (event.players(), event.plan().against.clone());
        let tables = std::mem::take(event.tables_mut()).into_iter().enumerate();
        let place = |(index, table): (usize, TableGame)| {
            let sit = |player: &usize| match self.players.get_mut(*player) {
                Some(player) => std::mem::replace(player, SeatedPlayer::Gone),
                None => SeatedPlayer::House(match self.at_tables.get_mut(index).and_then(Option::take) {
                    Some(bot) => bot,
                    None => (self.opponent)(&against[player - players]),
                }),
            };
            let seats = table.players().iter().map(sit).collect();
            let seats = TableHost::new(seats, self.limits).in_event(broke_stay);
            let sheet = ledger.sheet(&table);
            Place { table, seats, sheet }
        };
        tables.map(place).collect()
    }

    /// Everybody stands up again.
    fn stand_up<S>(&mut self, places: Vec<Place<S>>) -> Vec<TableGame> {
        let mut tables = Vec::with_capacity(places.len());
        for place in places {
            let (players, leaving) = place.seats.stand_up();
            for (index, player) in place.table.players().iter().zip(players) {
                if let Some(chair) = self.players.get_mut(*index) {
                    *chair = player;
                }
            }
            self.leaving.push(leaving);
            tables.push(place.table);
        }
        tables
    }

    /// Plays the tables of a level, round by round.
    async fn level<L: EventRecorder>(
        &mut self,
        places: &mut Vec<Place<L::TableRecorder>>,
        ledger: &mut L,
        stop: &impl Fn() -> bool,
    ) -> io::Result<Ending> {
        loop {
            let playing = places.iter().filter(|place| !place.table.is_over());
            let Some(round) = playing.map(|place| place.table.next_round()).min() else {
                return Ok(Ending::Played);
            };
            self.rest(places, ledger, stop).await?;
            hands(places, round).await?;
            let mut sheets: Vec<&mut L::TableRecorder> =
                places.iter_mut().map(|place| &mut place.sheet).collect();
            ledger.commit(&mut sheets)?;
            for place in &mut *places {
                place.sheet.commit()?;
                place.seats.announce(&place.table);
            }
            self.control.round_is_over();
            if stop() && places.iter().any(|place| !place.table.is_over()) {
                return Ok(Ending::Stopped);
            }
        }
    }

    /// Does what the people at the helm have ordered, and waits as long as they want.
    async fn rest<L: EventRecorder>(
        &mut self,
        places: &mut [Place<L::TableRecorder>],
        ledger: &mut L,
        stop: &impl Fn() -> bool,
    ) -> io::Result<()> {
        loop {
            for order in self.control.orders() {
                ledger.console(&order.to_string())?;
                let Order::Remove { player, reason } = order else { continue };
                // Whoever waits for the next level sits nowhere and cannot be removed before it.
                let at = places.iter_mut().find_map(|place| Some((place.table.seat_of(player)?, place)));
                if let Some((seat, place)) = at {
                    place.seats.report(seat, Fault::Removed { reason });
                }
            }
            if stop() || !self.control.wants_rest() {
                return Ok(());
            }
            for place in &mut *places {
                place.seats.flush_held();
                place.sheet.resting(&place.table);
            }
            self.control.rested().await;
        }
    }
}

/// Plays this round at all tables that have not played it, each in a task of its own.
async fn hands<S: Recorder + Send + 'static>(places: &mut Vec<Place<S>>, round: u64) -> io::Result<()> {
    let mut tables = JoinSet::new();
    let mut done: Vec<Option<Place<S>>> = Vec::with_capacity(places.len());
    for (index, mut place) in places.drain(..).enumerate() {
        if place.table.is_over() || place.table.next_round() != round {
            done.push(Some(place));
            continue;
        }
        done.push(None);
        tables.spawn(async move {
            let played = place.seats.hand(&mut place.table, &mut place.sheet).await;
            (index, place, played)
        });
    }
    let mut outcome = Ok(());
    while let Some(table) = tables.join_next().await {
        match table {
            Ok((index, place, played)) => {
                outcome = outcome.and(played);
                done[index] = Some(place);
            }
            Err(error) => std::panic::resume_unwind(error.into_panic()),
        }
    }
    places.extend(done.into_iter().flatten());
    outcome
}
