//! Recording and showing an event.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::stud::Seat;
use crate::table::TableEvent;

use super::{ConsoleAction, Event, Newcomer, TableGame};

/// Receives the history of an event: a journal, a page, a terminal, a test.
///
/// Each table of a level has a recorder of its own, made by [`Recorder::for_table`], because tables may be played side by
/// side. When all have played a round, their recorders hand it over and this one commits it: only then is anything
/// announced.
pub trait Recorder {
    /// A level has been seated; nothing has been dealt.
    fn level(&mut self, event: &Event) -> io::Result<()> {
        let _ = event;
        Ok(())
    }

    /// A player has come in late, has the highest number of the event now, and sits down with the next level.
    fn entry(&mut self, event: &Event, newcomer: &Newcomer) -> io::Result<()> {
        let _ = (event, newcomer);
        Ok(())
    }

    /// Makes the recorder of one of the tables of a level. It is asked for in the order of the tables.
    fn for_table(&mut self, table: &TableGame) -> Box<dyn TableRecorder>;

    /// Makes everything recorded and handed over so far durable, before an announcement.
    fn commit(&mut self) -> io::Result<()> {
        Ok(())
    }

    /// Records that the event is over by its rules.
    fn over(&mut self, event: &Event) -> io::Result<()> {
        let _ = event;
        Ok(())
    }

    /// Makes sure of everything because play stops after a round; it may go on another day.
    fn pause(&mut self) -> io::Result<()> {
        Ok(())
    }

    /// The dealer is about to wait: the records so far should survive this process.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }

    /// Records an order of the teacher.
    fn console(&mut self, action: &ConsoleAction) -> io::Result<()> {
        let _ = action;
        Ok(())
    }
}

/// A use of a player's time bank (R17).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeBankUse {
    /// How long after its deadline the player replied or was given up.
    pub used: Duration,
    /// The remaining time bank.
    pub left: Duration,
}

/// Receives the history of one table of a level.
pub trait TableRecorder: Send {
    /// Records an event at the table. Displays wait until the round has been committed, because only then is the event
    /// certain.
    fn event(&mut self, table: &TableGame, event: &TableEvent) -> io::Result<()>;

    /// All tables have played a round: hands this table's records to the event's recorder, which commits next.
    fn hand_over(&mut self) {}

    /// Records that a player used its time bank (R17). The reply or foul is recorded next.
    fn time_bank(&mut self, round: u64, seat: Seat, bank: TimeBankUse) -> io::Result<()> {
        let _ = (round, seat, bank);
        Ok(())
    }

    /// Reports the time of a reply and the time bank after it, which no record needs. A player without a time bank has
    /// zero.
    fn reply_time(&mut self, round: u64, seat: Seat, took: Duration, time_bank: Duration) {
        let _ = (round, seat, took, time_bank);
    }
}

/// A recorder that records nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoRecorder;

impl Recorder for NoRecorder {
    fn for_table(&mut self, _: &TableGame) -> Box<dyn TableRecorder> {
        Box::new(NoRecorder)
    }
}

impl TableRecorder for NoRecorder {
    fn event(&mut self, _: &TableGame, _: &TableEvent) -> io::Result<()> {
        Ok(())
    }
}

/// One recorder for all tables of an event, which gets their events as they come.
#[derive(Debug, Default)]
pub struct SharedRecorder<R>(Arc<Mutex<R>>);

impl<R> SharedRecorder<R> {
    /// All tables record into this.
    pub fn new(recorder: R) -> SharedRecorder<R> {
        SharedRecorder(Arc::new(Mutex::new(recorder)))
    }

    /// The records so far.
    pub fn lock(&self) -> MutexGuard<'_, R> {
        // A recorder that panics ends the event, and is only looked at after that.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<R> Clone for SharedRecorder<R> {
    fn clone(&self) -> SharedRecorder<R> {
        SharedRecorder(Arc::clone(&self.0))
    }
}

impl<R: TableRecorder + 'static> Recorder for SharedRecorder<R> {
    fn for_table(&mut self, _: &TableGame) -> Box<dyn TableRecorder> {
        Box::new(self.clone())
    }
}

impl<R: TableRecorder> TableRecorder for SharedRecorder<R> {
    fn event(&mut self, table: &TableGame, event: &TableEvent) -> io::Result<()> {
        self.lock().event(table, event)
    }

    fn hand_over(&mut self) {
        self.lock().hand_over();
    }

    fn time_bank(&mut self, round: u64, seat: Seat, bank: TimeBankUse) -> io::Result<()> {
        self.lock().time_bank(round, seat, bank)
    }

    fn reply_time(&mut self, round: u64, seat: Seat, took: Duration, time_bank: Duration) {
        self.lock().reply_time(round, seat, took, time_bank);
    }
}

/// Records everything in each of these, in order: if the first fails, the others never receive the record.
impl<R: Recorder + ?Sized> Recorder for Vec<Box<R>> {
    fn level(&mut self, event: &Event) -> io::Result<()> {
        self.iter_mut().try_for_each(|recorder| recorder.level(event))
    }

    fn entry(&mut self, event: &Event, newcomer: &Newcomer) -> io::Result<()> {
        self.iter_mut().try_for_each(|recorder| recorder.entry(event, newcomer))
    }

    fn for_table(&mut self, table: &TableGame) -> Box<dyn TableRecorder> {
        match self.as_mut_slice() {
            [] => Box::new(NoRecorder),
            [only] => only.for_table(table),
            all => Box::new(all.iter_mut().map(|recorder| recorder.for_table(table)).collect::<Vec<_>>()),
        }
    }

    fn commit(&mut self) -> io::Result<()> {
        self.iter_mut().try_for_each(|recorder| recorder.commit())
    }

    fn over(&mut self, event: &Event) -> io::Result<()> {
        self.iter_mut().try_for_each(|recorder| recorder.over(event))
    }

    fn pause(&mut self) -> io::Result<()> {
        self.iter_mut().try_for_each(|recorder| recorder.pause())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.iter_mut().try_for_each(|recorder| recorder.flush())
    }

    fn console(&mut self, action: &ConsoleAction) -> io::Result<()> {
        self.iter_mut().try_for_each(|recorder| recorder.console(action))
    }
}

impl TableRecorder for Vec<Box<dyn TableRecorder>> {
    fn event(&mut self, table: &TableGame, event: &TableEvent) -> io::Result<()> {
        self.iter_mut().try_for_each(|recorder| recorder.event(table, event))
    }

    fn hand_over(&mut self) {
        self.iter_mut().for_each(|recorder| recorder.hand_over());
    }

    fn time_bank(&mut self, round: u64, seat: Seat, bank: TimeBankUse) -> io::Result<()> {
        self.iter_mut().try_for_each(|recorder| recorder.time_bank(round, seat, bank))
    }

    fn reply_time(&mut self, round: u64, seat: Seat, took: Duration, time_bank: Duration) {
        self.iter_mut().for_each(|recorder| recorder.reply_time(round, seat, took, time_bank));
    }
}
