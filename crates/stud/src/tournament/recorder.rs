//! Recording and showing what happens in an event.

use std::io;
use std::time::Duration;

use crate::stud::Seat;
use crate::table::TableEvent;

use super::{Event, TableGame};

/// Keeps or shows what happens in an event: a journal, a page, a terminal, a test.
///
/// An event at one table is recorded as it happens. Tables that play side by side have a recorder each, made by
/// [`Recorder::for_table`]; when all have played a round, their recorders hand it over, this one commits it, and
/// then theirs do.
pub trait Recorder {
    /// A level of an event of many tables has been seated; nothing has been dealt.
    ///
    /// # Errors
    /// If that cannot be recorded; then nobody is told.
    fn level(&mut self, event: &Event) -> io::Result<()> {
        let _ = event;
        Ok(())
    }

    /// Makes the recorder of one of the tables that play side by side during a level. It is asked for in the order
    /// of the tables. By default nothing is recorded of them.
    fn for_table(&mut self, table: &TableGame) -> Box<dyn Recorder + Send> {
        let _ = table;
        Box::new(NoRecorder)
    }

    /// All tables have played a round: hands what has been recorded of this one to the recorder that made this one,
    /// which commits next.
    fn hand_over(&mut self) {}

    /// Records an event that has just happened at a table. What is shown to people waits until
    /// [`Recorder::commit`]: only then is the event sure to have happened.
    ///
    /// # Errors
    /// If it cannot be recorded; then nothing that follows from it may be announced.
    fn event(&mut self, table: &TableGame, event: &TableEvent) -> io::Result<()>;

    /// Makes sure of everything recorded so far: what follows is about to be announced.
    ///
    /// # Errors
    /// If that fails; then nothing may be announced.
    fn commit(&mut self) -> io::Result<()>;

    /// Records that the event is over by its rules.
    ///
    /// # Errors
    /// If that cannot be recorded; then nobody is told.
    fn over(&mut self, event: &Event) -> io::Result<()> {
        let _ = event;
        Ok(())
    }

    /// Makes sure of everything because play stops after a round; it may go on another day.
    ///
    /// # Errors
    /// If that fails.
    fn pause(&mut self) -> io::Result<()> {
        Ok(())
    }

    /// The dealer is about to wait for a player: what has been recorded so far should outlive this process.
    ///
    /// # Errors
    /// If that fails.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }

    /// The dealer asks this player, and the answer may take a while.
    fn asked(&mut self, seat: Seat) {
        let _ = seat;
    }

    /// The dealer rests between two rounds, because the teacher wants it so.
    fn idle(&mut self, table: &TableGame) {
        let _ = table;
    }

    /// Records an order of the teacher, in words.
    ///
    /// # Errors
    /// If it cannot be recorded; then it is not carried out.
    fn console(&mut self, order: &str) -> io::Result<()> {
        let _ = order;
        Ok(())
    }

    /// Records that a player was waited for so much longer than its limit, because the network was to blame and not its
    /// program. What came of it is recorded next.
    ///
    /// # Errors
    /// If it cannot be recorded; then nothing that follows from it may be announced.
    fn network(&mut self, round: u64, seat: Seat, late_by: Duration) -> io::Result<()> {
        let _ = (round, seat, late_by);
        Ok(())
    }

    /// Records how long a byte takes to a player's machine and its acknowledgement back; now and then.
    fn round_trip(&mut self, seat: Seat, round_trip: Duration) {
        let _ = (seat, round_trip);
    }

    /// Takes down how long a reply took, which no record needs.
    fn reply_time(&mut self, round: u64, seat: Seat, took: Duration) {
        let _ = (round, seat, took);
    }
}

/// A recorder that records nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoRecorder;

impl Recorder for NoRecorder {
    #[inline]
    fn event(&mut self, _: &TableGame, _: &TableEvent) -> io::Result<()> {
        Ok(())
    }

    #[inline]
    fn commit(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Records everything in each of these, in their order: what the first cannot record, the others never see.
impl<R: Recorder + ?Sized> Recorder for Vec<Box<R>> {
    fn level(&mut self, event: &Event) -> io::Result<()> {
        self.iter_mut().try_for_each(|recorder| recorder.level(event))
    }

    fn for_table(&mut self, table: &TableGame) -> Box<dyn Recorder + Send> {
        Box::new(self.iter_mut().map(|recorder| recorder.for_table(table)).collect::<Vec<_>>())
    }

    fn hand_over(&mut self) {
        self.iter_mut().for_each(|recorder| recorder.hand_over());
    }

    fn event(&mut self, table: &TableGame, event: &TableEvent) -> io::Result<()> {
        self.iter_mut().try_for_each(|recorder| recorder.event(table, event))
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

    fn asked(&mut self, seat: Seat) {
        self.iter_mut().for_each(|recorder| recorder.asked(seat));
    }

    fn idle(&mut self, table: &TableGame) {
        self.iter_mut().for_each(|recorder| recorder.idle(table));
    }

    fn console(&mut self, order: &str) -> io::Result<()> {
        self.iter_mut().try_for_each(|recorder| recorder.console(order))
    }

    fn network(&mut self, round: u64, seat: Seat, late_by: Duration) -> io::Result<()> {
        self.iter_mut().try_for_each(|recorder| recorder.network(round, seat, late_by))
    }

    fn round_trip(&mut self, seat: Seat, round_trip: Duration) {
        self.iter_mut().for_each(|recorder| recorder.round_trip(seat, round_trip));
    }

    fn reply_time(&mut self, round: u64, seat: Seat, took: Duration) {
        self.iter_mut().for_each(|recorder| recorder.reply_time(round, seat, took));
    }
}
