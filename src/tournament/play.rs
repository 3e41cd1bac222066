//! Playing with bots in the same process.

use std::convert::Infallible;

use crate::stud::Seat;
use crate::strategies::Bot;
use crate::table::{Event, Notice, Step, Table};

use super::Freezeout;

/// Somebody who keeps what happens: the journal, a window, nobody.
pub trait Record {
    /// Why it could not be kept.
    type Error;

    /// Keeps an event that has just happened at the table.
    ///
    /// # Errors
    /// If it cannot be kept; then nothing that follows from it may be announced.
    fn event(&mut self, table: &Table, event: &Event) -> Result<(), Self::Error>;

    /// Makes sure of everything kept so far: what follows is about to be announced.
    ///
    /// # Errors
    /// If that fails; then nothing may be announced.
    fn commit(&mut self) -> Result<(), Self::Error>;
}

/// Keeps nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unrecorded;

impl Record for Unrecorded {
    type Error = Infallible;

    #[inline]
    fn event(&mut self, _: &Table, _: &Event) -> Result<(), Infallible> {
        Ok(())
    }

    #[inline]
    fn commit(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}

/// Plays a tournament to its end with these bots in seat order.
///
/// # Errors
/// The record's; the tournament stays as it was then.
///
/// # Panics
/// If there are fewer bots than seats.
pub fn play<R: Record>(
    tournament: &mut Freezeout,
    bots: &mut [Box<dyn Bot>],
    record: &mut R,
) -> Result<(), R::Error> {
    while tournament.deal() {
        let table = tournament.table_mut();
        let mut kept = 0;
        loop {
            let step = table.step();
            for event in &table.events()[kept..] {
                record.event(table, event)?;
            }
            kept = table.events().len();
            match step {
                Step::Ask(seat) => {
                    let reply = bots[seat.index()].decide(&table.question(seat));
                    table.answer(Ok(reply));
                }
                Step::Tell(seat, notice) => {
                    record.commit()?;
                    tell(bots, seat, notice);
                }
                Step::Over => break,
            }
        }
    }
    Ok(())
}

fn tell(bots: &mut [Box<dyn Bot>], seat: Seat, notice: Notice) {
    if let Notice::Status(status) = notice {
        bots[seat.index()].hear(&status);
    }
}
