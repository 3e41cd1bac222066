//! Playing with bots in the same process.

use std::io;
use std::time::Duration;

use crate::strategies::Bot;
use crate::stud::Seat;
use crate::table::{Notice, Step, TableEvent};

use super::TableGame;

/// Somebody who keeps what happens: the journal, a window, nobody.
pub trait Recorder {
    /// Keeps an event that has just happened in the tournament. Whoever shows it to people waits with that until
    /// [`Recorder::commit`]: only then is it sure to have happened.
    ///
    /// # Errors
    /// If it cannot be kept; then nothing that follows from it may be announced.
    fn event(&mut self, tournament: &TableGame, event: &TableEvent) -> io::Result<()>;

    /// Makes sure of everything kept so far: what follows is about to be announced.
    ///
    /// # Errors
    /// If that fails; then nothing may be announced.
    fn commit(&mut self) -> io::Result<()>;

    /// Keeps that the tournament is over, by the rules and not by somebody's hand.
    ///
    /// # Errors
    /// If it cannot be kept; then nobody is told.
    fn over(&mut self, tournament: &TableGame) -> io::Result<()> {
        let _ = tournament;
        Ok(())
    }

    /// Makes sure of everything, because the play stops after a round; it may go on another day.
    ///
    /// # Errors
    /// If that fails.
    fn pause(&mut self) -> io::Result<()> {
        Ok(())
    }

    /// The dealer is about to wait for somebody: what has been kept so far should outlive this process.
    ///
    /// # Errors
    /// If it cannot be kept.
    fn before_waiting(&mut self) -> io::Result<()> {
        Ok(())
    }

    /// The dealer asks this player, and it may take a while.
    fn waiting_for(&mut self, seat: Seat) {
        let _ = seat;
    }

    /// The dealer rests between two rounds, because the people in charge want it so.
    fn resting(&mut self, tournament: &TableGame) {
        let _ = tournament;
    }

    /// Keeps something the people in charge did, in words.
    ///
    /// # Errors
    /// If it cannot be kept; then it is not done.
    fn console(&mut self, action: &str) -> io::Result<()> {
        let _ = action;
        Ok(())
    }

    /// Keeps how long a reply took.
    fn reply_time(&mut self, round: u64, seat: Seat, took: Duration) {
        let _ = (round, seat, took);
    }
}

/// Keeps nothing.
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

/// Keeps everything in each of them, in order: what the first cannot keep, the others never see.
impl Recorder for Vec<Box<dyn Recorder>> {
    fn event(&mut self, tournament: &TableGame, event: &TableEvent) -> io::Result<()> {
        self.iter_mut().try_for_each(|record| record.event(tournament, event))
    }

    fn commit(&mut self) -> io::Result<()> {
        self.iter_mut().try_for_each(|record| record.commit())
    }

    fn over(&mut self, tournament: &TableGame) -> io::Result<()> {
        self.iter_mut().try_for_each(|record| record.over(tournament))
    }

    fn pause(&mut self) -> io::Result<()> {
        self.iter_mut().try_for_each(|record| record.pause())
    }

    fn before_waiting(&mut self) -> io::Result<()> {
        self.iter_mut().try_for_each(|record| record.before_waiting())
    }

    fn waiting_for(&mut self, seat: Seat) {
        self.iter_mut().for_each(|record| record.waiting_for(seat));
    }

    fn resting(&mut self, tournament: &TableGame) {
        self.iter_mut().for_each(|record| record.resting(tournament));
    }

    fn console(&mut self, action: &str) -> io::Result<()> {
        self.iter_mut().try_for_each(|record| record.console(action))
    }

    fn reply_time(&mut self, round: u64, seat: Seat, took: Duration) {
        self.iter_mut().for_each(|record| record.reply_time(round, seat, took));
    }
}

/// Keeps everything, if somebody is there who does.
impl<R: Recorder> Recorder for Option<R> {
    fn event(&mut self, tournament: &TableGame, event: &TableEvent) -> io::Result<()> {
        self.iter_mut().try_for_each(|record| record.event(tournament, event))
    }

    fn commit(&mut self) -> io::Result<()> {
        self.iter_mut().try_for_each(R::commit)
    }

    fn over(&mut self, tournament: &TableGame) -> io::Result<()> {
        self.iter_mut().try_for_each(|record| record.over(tournament))
    }

    fn pause(&mut self) -> io::Result<()> {
        self.iter_mut().try_for_each(R::pause)
    }

    fn before_waiting(&mut self) -> io::Result<()> {
        self.iter_mut().try_for_each(R::before_waiting)
    }

    fn waiting_for(&mut self, seat: Seat) {
        self.iter_mut().for_each(|record| record.waiting_for(seat));
    }

    fn resting(&mut self, tournament: &TableGame) {
        self.iter_mut().for_each(|record| record.resting(tournament));
    }

    fn console(&mut self, action: &str) -> io::Result<()> {
        self.iter_mut().try_for_each(|record| record.console(action))
    }

    fn reply_time(&mut self, round: u64, seat: Seat, took: Duration) {
        self.iter_mut().for_each(|record| record.reply_time(round, seat, took));
    }
}

/// How playing came to an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// By the rules.
    Played,
    /// It was stopped after a round.
    Stopped,
}

/// Plays a tournament to its end with these bots in seat order.
///
/// # Errors
/// The record's; the tournament stays as it was then.
///
/// # Panics
/// If there are fewer bots than seats.
pub fn play<R: Recorder>(
    tournament: &mut TableGame,
    bots: &mut [Box<dyn Bot>],
    record: &mut R,
) -> io::Result<()> {
    play_until(tournament, bots, record, || false).map(|_| ())
}

/// Plays a tournament to its end with these bots in seat order, or to the end of the round in which `stop` first
/// says so.
///
/// # Errors
/// The record's; the tournament stays as it was then.
///
/// # Panics
/// If there are fewer bots than seats.
pub fn play_until<R: Recorder>(
    tournament: &mut TableGame,
    bots: &mut [Box<dyn Bot>],
    record: &mut R,
    stop: impl Fn() -> bool,
) -> io::Result<Ending> {
    while tournament.deal() {
        round(tournament, bots, record)?;
        if stop() && !tournament.is_over() {
            record.pause()?;
            return Ok(Ending::Stopped);
        }
    }
    record.over(tournament)?;
    record.commit()?;
    Ok(Ending::Played)
}

pub(super) fn round<R: Recorder>(
    tournament: &mut TableGame,
    bots: &mut [Box<dyn Bot>],
    record: &mut R,
) -> io::Result<()> {
    let mut kept = 0;
    loop {
        let step = tournament.table_mut().step();
        for event in &tournament.table().events()[kept..] {
            record.event(tournament, event)?;
        }
        kept = tournament.table().events().len();
        match step {
            Step::Ask(seat) => {
                let reply = bots[seat.index()].decide(&tournament.table().question(seat));
                tournament.table_mut().answer(Ok(reply));
            }
            Step::Tell(seat, notice) => {
                record.commit()?;
                if let Notice::Status(status) = notice {
                    bots[seat.index()].hear(&status);
                }
            }
            Step::Over => return Ok(()),
        }
    }
}
