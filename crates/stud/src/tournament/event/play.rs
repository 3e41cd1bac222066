//! Playing an event with bots in the same process.

use std::io;
use std::num::NonZero;
use std::ops::{ControlFlow, Range};
use std::sync::Mutex;

use crate::parallel::in_order;
use crate::strategies::Bot;
use crate::stud::Seat;
use crate::table::{self, Answer, Fault, Notice, Participants};
use crate::tournament::{Recorder, TableGame, TableRecorder};

use super::Event;

/// Maximum rounds a table plays before it waits for the others: its records have to stay in memory.
const MAX_ROUNDS_PER_TURN: u64 = 64;

/// How many tables a thread has at least where threads wait for each other after each round.
const MIN_TABLES_PER_THREAD: usize = 4;

/// How playing came to an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The event was played to its end by the rules.
    Played,
    /// Play was stopped after a round.
    Stopped,
}

/// The bots of the players of an event, in the order of the event.
#[derive(Default)]
pub struct EventBots {
    /// Each bot, unless it sits at a table.
    players: Vec<Option<Box<dyn Bot>>>,
}

impl EventBots {
    /// These bots, in the order of the event's players.
    pub fn new(players: Vec<Box<dyn Bot>>) -> EventBots {
        EventBots { players: players.into_iter().map(Some).collect() }
    }

    /// Seats the bots of each table of the level in order.
    ///
    /// # Panics
    /// If a player has no bot.
    fn sit_down(&mut self, event: &Event) -> Vec<Vec<Box<dyn Bot>>> {
        let mut bot = |player: &usize| self.players[*player].take().expect("nobody sits at two tables");
        event.tables().iter().map(|table| table.players().iter().map(&mut bot).collect()).collect()
    }

    /// The players at this table take their bots back.
    fn stand_up(&mut self, table: &TableGame, bots: Vec<Box<dyn Bot>>) {
        for (player, bot) in table.players().iter().zip(bots) {
            self.players[*player] = Some(bot);
        }
    }
}

/// Plays an event to its end on one thread.
///
/// # Panics
/// As [`play_until`].
pub fn play<R: Recorder>(event: &mut Event, bots: &mut EventBots, recorder: &mut R) -> io::Result<()> {
    play_until(event, bots, recorder, NonZero::<usize>::MIN, || false).map(|_| ())
}

/// Plays an event to its end on that many threads, or until `stop` returns true after a round; with several tables it
/// is asked every few rounds. The number of threads affects only the duration.
///
/// # Panics
/// If there are fewer bots than players.
pub fn play_until<R: Recorder>(
    event: &mut Event,
    bots: &mut EventBots,
    recorder: &mut R,
    threads: NonZero<usize>,
    stop: impl Fn() -> bool,
) -> io::Result<Ending> {
    // A resumed event may be in the middle of a level.
    let mut is_in_level = event.due().is_some();
    loop {
        if !is_in_level {
            if !event.next_level() {
                break;
            }
            recorder.level(event)?;
        }
        is_in_level = false;
        let mut seated = bots.sit_down(event);
        let ending = play_tables(event, &mut seated, recorder, threads, &stop)?;
        if ending == Ending::Stopped {
            recorder.pause()?;
            return Ok(Ending::Stopped);
        }
        for (table, seated) in event.tables().iter().zip(seated) {
            bots.stand_up(table, seated);
        }
        // Players in this process need not be notified of their elimination.
        event.take_leaving();
    }
    recorder.over(event)?;
    recorder.commit()?;
    Ok(Ending::Played)
}

fn play_tables<R: Recorder>(
    event: &mut Event,
    bots: &mut [Vec<Box<dyn Bot>>],
    recorder: &mut R,
    threads: NonZero<usize>,
    stop: &impl Fn() -> bool,
) -> io::Result<Ending> {
    let mut recorders: Vec<Box<dyn TableRecorder>> =
        event.tables().iter().map(|table| recorder.for_table(table)).collect();
    while let Some(table) = event.due() {
        let next = event.tables()[table].next_round();
        // A table that waits for no other hands over each round, and can be stopped after each.
        let is_alone = event.tables().iter().filter(|table| !table.is_over()).nth(1).is_none();
        let (rounds, threads) =
            if is_alone { (1, NonZero::<usize>::MIN) } else { (MAX_ROUNDS_PER_TURN, threads) };
        let until = next.saturating_add(rounds);
        play_until_round(event, bots, &mut recorders, until, threads)?;
        recorders.iter_mut().for_each(|recorder| recorder.hand_over());
        recorder.commit()?;
        if stop() && event.due().is_some() {
            return Ok(Ending::Stopped);
        }
    }
    Ok(Ending::Played)
}

/// Plays all tables up to a round, which is not dealt, or until they have to be balanced.
fn play_until_round(
    event: &mut Event,
    bots: &mut [Vec<Box<dyn Bot>>],
    recorders: &mut [Box<dyn TableRecorder>],
    until: u64,
    threads: NonZero<usize>,
) -> io::Result<()> {
    let tables = event.tables().len();
    if event.reseating().is_none() || tables == 1 {
        return play_up_to(event.tables_mut(), bots, recorders, until, threads);
    }
    // After any round they may have to be balanced. For a round of few tables it does not pay to wake other threads.
    let threads =
        NonZero::new(threads.get().min(tables / MIN_TABLES_PER_THREAD)).unwrap_or(NonZero::<usize>::MIN);
    while event.due().is_some() && event.next_round() < until {
        let next = event.next_round() + 1;
        play_up_to(event.tables_mut(), bots, recorders, next, threads)?;
    }
    Ok(())
}

/// A table with all it takes to play it.
struct TableTask<'a> {
    table: &'a mut TableGame,
    bots: &'a mut [Box<dyn Bot>],
    recorder: &'a mut dyn TableRecorder,
}

impl TableTask<'_> {
    /// Plays the table up to a round, which is not dealt.
    fn play_up_to(&mut self, until: u64) -> io::Result<()> {
        while self.table.next_round() < until && self.table.deal() {
            let mut players = RecordedBots { bots: self.bots, recorder: self.recorder, recorded: 0 };
            table::play_round(self.table, &mut players)?;
        }
        Ok(())
    }
}

/// Plays all tables up to a round, which is not dealt.
fn play_up_to(
    tables: &mut [TableGame],
    bots: &mut [Vec<Box<dyn Bot>>],
    recorders: &mut [Box<dyn TableRecorder>],
    until: u64,
    threads: NonZero<usize>,
) -> io::Result<()> {
    let work = tables.iter_mut().zip(bots).zip(recorders);
    let work = work.map(|((table, bots), recorder)| TableTask { table, bots, recorder: &mut **recorder });
    let mut work = work.filter(|work| !work.table.is_over());
    if threads == NonZero::<usize>::MIN {
        return work.try_for_each(|mut work| work.play_up_to(until));
    }
    let mut work: Vec<TableTask<'_>> = work.collect();
    // Large tables take longest: they begin.
    work.sort_by_key(|work| std::cmp::Reverse(work.table.table().seated().len()));
    let work: Vec<Mutex<TableTask<'_>>> = work.into_iter().map(Mutex::new).collect();
    let play = |(): &mut (), at: Range<u64>| {
        work[at.start as usize].lock().expect("no other thread plays at this table").play_up_to(until)
    };
    let mut threads = vec![(); threads.get().min(work.len()).max(1)];
    in_order(&mut threads, 0..work.len() as u64, 1, play, |_, ()| ControlFlow::Continue(()))
}

struct RecordedBots<'a> {
    bots: &'a mut [Box<dyn Bot>],
    recorder: &'a mut dyn TableRecorder,
    /// How many events of the round the recorder has.
    recorded: usize,
}

impl Participants<TableGame> for RecordedBots<'_> {
    type Stop = io::Error;

    fn after_step(&mut self, game: &TableGame) -> io::Result<()> {
        let events = game.table().events();
        for event in &events[self.recorded..] {
            self.recorder.event(game, event)?;
        }
        self.recorded = events.len();
        Ok(())
    }

    fn answer(&mut self, game: &TableGame, seat: Seat) -> io::Result<Answer> {
        Ok(Ok(self.bots[seat.index()].decide(&game.table().question(seat))))
    }

    fn notify(&mut self, _: &TableGame, seat: Seat, notice: &Notice) -> io::Result<Result<(), Fault>> {
        if let Notice::Status(status) = notice {
            self.bots[seat.index()].hear(status);
        }
        Ok(Ok(()))
    }
}
