//! Playing an event with bots in the same process.

use std::io;
use std::num::NonZero;
use std::sync::{Mutex, PoisonError};

use crate::strategies::Bot;

use super::super::play::round;
use super::super::{Ending, Recorder, TableGame};
use super::Event;

/// How many rounds a table plays until it waits for the others: what it keeps of them has to stay in memory.
const ROUNDS_AT_ONCE: u64 = 64;

/// Somebody who keeps what happens at an event. Tables play at the same time: each has a sheet of its own, and the
/// ledger brings them into an order that does not tell which was quicker.
pub trait EventRecorder {
    /// Who keeps what happens at one table during a level.
    type TableRecorder: Recorder + Send + 'static;

    /// A level has been seated; nothing has been dealt.
    ///
    /// # Errors
    /// If it cannot be kept; then nobody is told.
    fn level(&mut self, event: &Event) -> io::Result<()>;

    /// Who is to keep what happens at this table during the level.
    fn sheet(&mut self, table: &TableGame) -> Self::TableRecorder;

    /// Makes sure of what these sheets, in the order of the tables, have kept since the last time: what follows is
    /// about to be announced. The sheets are told to commit after it.
    ///
    /// # Errors
    /// If that fails; then nothing may be announced.
    fn commit(&mut self, sheets: &mut [&mut Self::TableRecorder]) -> io::Result<()>;

    /// Keeps that the event is over.
    ///
    /// # Errors
    /// If it cannot be kept; then nobody is told.
    fn over(&mut self, event: &Event) -> io::Result<()>;

    /// Makes sure of everything, because the play stops here; it may go on another day.
    ///
    /// # Errors
    /// If that fails.
    fn pause(&mut self) -> io::Result<()>;

    /// Keeps something the people in charge did, in words.
    ///
    /// # Errors
    /// If it cannot be kept; then it is not done.
    fn console(&mut self, action: &str) -> io::Result<()>;
}

/// Makes one of the house's own bots of a gauntlet by its name.
pub type MakeOpponent = dyn Fn(&str) -> Box<dyn Bot> + Send;

/// The bots of an event.
pub struct EventBots {
    players: Vec<Option<Box<dyn Bot>>>,
    opponent: Box<MakeOpponent>,
    /// The house's own, with their dice where they were, at the tables of a level that is gone on with.
    at_tables: Vec<Option<Box<dyn Bot>>>,
}

impl EventBots {
    /// These bots, in the order of the event's players; `opponent` makes the house's own of a gauntlet by their names.
    pub fn new(
        players: Vec<Box<dyn Bot>>,
        opponent: impl Fn(&str) -> Box<dyn Bot> + Send + 'static,
    ) -> EventBots {
        let players = players.into_iter().map(Some).collect();
        EventBots { players, opponent: Box::new(opponent), at_tables: Vec::new() }
    }

    /// The same, in the middle of a level in which the house's own sit at its tables.
    #[must_use]
    pub fn in_play(self, at_tables: Vec<Option<Box<dyn Bot>>>) -> EventBots {
        EventBots { at_tables, ..self }
    }

    fn seat(&mut self, event: &Event, index: usize) -> Vec<Box<dyn Bot>> {
        let bot = |player: &usize| match self.players.get_mut(*player) {
            Some(bot) => bot.take().expect("nobody sits at two tables"),
            None => match self.at_tables.get_mut(index).and_then(Option::take) {
                Some(bot) => bot,
                None => (self.opponent)(&event.plan().against[player - event.players()]),
            },
        };
        event.tables()[index].players().iter().map(bot).collect()
    }

    fn stand_up(&mut self, table: &TableGame, bots: Vec<Box<dyn Bot>>) {
        for (player, bot) in table.players().iter().zip(bots) {
            if let Some(place) = self.players.get_mut(*player) {
                *place = Some(bot);
            }
        }
    }
}

/// Plays an event to its end on so many threads, or until `stop` says so after some rounds. Nothing depends on the
/// number of threads but the time it takes.
///
/// # Errors
/// The ledger's; the event stays as it was then.
///
/// # Panics
/// If there are fewer bots than players.
pub fn play_event<L: EventRecorder>(
    event: &mut Event,
    company: &mut EventBots,
    ledger: &mut L,
    threads: NonZero<usize>,
    stop: impl Fn() -> bool,
) -> io::Result<Ending> {
    // An event that is gone on with may be in the middle of a level.
    let mut goes_on = event.due().is_some();
    loop {
        if !goes_on {
            company.at_tables.clear();
            if !event.next_level() {
                break;
            }
            ledger.level(event)?;
        }
        goes_on = false;
        let mut bots: Vec<Vec<Box<dyn Bot>>> =
            (0..event.tables().len()).map(|index| company.seat(event, index)).collect();
        let mut sheets: Vec<L::TableRecorder> =
            event.tables().iter().map(|table| ledger.sheet(table)).collect();
        while event.due().is_some() {
            let until = event.next_round().saturating_add(ROUNDS_AT_ONCE);
            play_some(event.tables_mut(), &mut bots, &mut sheets, until, threads)?;
            ledger.commit(&mut sheets.iter_mut().collect::<Vec<_>>())?;
            sheets.iter_mut().try_for_each(Recorder::commit)?;
            if stop() && event.due().is_some() {
                ledger.pause()?;
                return Ok(Ending::Stopped);
            }
        }
        for (table, bots) in event.tables().iter().zip(bots) {
            company.stand_up(table, bots);
        }
        // Nobody in this process has to be told that it is out.
        event.take_leaving();
    }
    ledger.over(event)?;
    Ok(Ending::Played)
}

/// A table with all it takes to play it.
struct Work<'a, S> {
    table: &'a mut TableGame,
    bots: &'a mut Vec<Box<dyn Bot>>,
    sheet: &'a mut S,
}

/// Plays all tables up to a round, which is not dealt.
fn play_some<S: Recorder + Send>(
    tables: &mut [TableGame],
    bots: &mut [Vec<Box<dyn Bot>>],
    sheets: &mut [S],
    until: u64,
    threads: NonZero<usize>,
) -> io::Result<()> {
    let work = tables.iter_mut().zip(bots).zip(sheets);
    let work = work.map(|((table, bots), sheet)| Work { table, bots, sheet });
    let mut work: Vec<Work<'_, S>> = work.filter(|work| !work.table.is_over()).collect();
    // Large tables take longest: they begin.
    work.sort_by_key(|work| std::cmp::Reverse(work.table.table().seated().len()));
    let play = |Work { table, bots, sheet }: Work<'_, S>| {
        while table.next_round() < until && table.deal() {
            round(table, bots, sheet)?;
        }
        Ok(())
    };
    let threads = threads.get().min(work.len());
    if threads < 2 {
        return work.into_iter().try_for_each(play);
    }
    let queue = Mutex::new(work.into_iter());
    let worker = || loop {
        // Whoever panics while it holds the lock has taken nothing.
        let next = queue.lock().unwrap_or_else(PoisonError::into_inner).next();
        match next {
            Some(table) => play(table)?,
            None => return Ok(()),
        }
    };
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(worker)).collect();
        let mine = worker();
        let theirs = others.into_iter().map(|other| match other.join() {
            Ok(done) => done,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        theirs.fold(mine, |all, one| all.and(one))
    })
}
