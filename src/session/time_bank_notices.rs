//! Notices of used time banks (R17).

use std::io;
use std::sync::Arc;

use casino_stud::stud::Seat;
use casino_stud::table::TableEvent;
use casino_stud::tournament::{Event, Newcomer, Recorder, TableGame, TableRecorder, TimeBankUse};

use super::{DayNotice, DayNotices};

/// Reports the uses of a tournament's time banks.
pub(super) struct TimeBankNotices {
    notices: Arc<dyn DayNotices>,
    names: Arc<[String]>,
}

struct TableNotices {
    notices: Arc<dyn DayNotices>,
    names: Arc<[String]>,
    players: Vec<usize>,
}

impl TimeBankNotices {
    /// Reports of players with these names, in the order of the tournament.
    pub(super) fn new(notices: Arc<dyn DayNotices>, names: Vec<String>) -> TimeBankNotices {
        TimeBankNotices { notices, names: names.into() }
    }
}

impl Recorder for TimeBankNotices {
    fn entry(&mut self, _: &Event, newcomer: &Newcomer) -> io::Result<()> {
        let late = newcomer.player.name.clone();
        self.names = self.names.iter().cloned().chain([late]).collect();
        Ok(())
    }

    fn for_table(&mut self, table: &TableGame) -> Box<dyn TableRecorder> {
        Box::new(TableNotices {
            notices: Arc::clone(&self.notices),
            names: Arc::clone(&self.names),
            players: table.players().to_vec(),
        })
    }
}

impl TableRecorder for TableNotices {
    fn event(&mut self, _: &TableGame, _: &TableEvent) -> io::Result<()> {
        Ok(())
    }

    fn time_bank(&mut self, round: u64, seat: Seat, bank: TimeBankUse) -> io::Result<()> {
        let Some(name) = self.names.get(self.players[seat.index()]) else { return Ok(()) };
        self.notices.notify(&DayNotice::TimeBank { name, round, bank })
    }
}
