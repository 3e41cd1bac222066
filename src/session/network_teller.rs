//! Tells people that a player got more time because of the network.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use casino_stud::stud::Seat;
use casino_stud::table::TableEvent;
use casino_stud::tournament::{Event, Newcomer, Recorder, TableGame, TableRecorder};

use super::{DayNotice, DayNotices};

/// Tells it of the players of a tournament.
pub(super) struct NetworkTeller {
    notices: Arc<dyn DayNotices>,
    names: Arc<[String]>,
}

/// Tells it of the players at a table.
struct TableTeller {
    notices: Arc<dyn DayNotices>,
    names: Arc<[String]>,
    players: Vec<usize>,
}

impl NetworkTeller {
    /// Tells it of the players with these names, in the order of the tournament.
    pub(super) fn new(notices: Arc<dyn DayNotices>, names: Vec<String>) -> NetworkTeller {
        NetworkTeller { notices, names: names.into() }
    }
}

impl Recorder for NetworkTeller {
    fn entry(&mut self, _: &Event, newcomer: &Newcomer) -> io::Result<()> {
        let late = newcomer.player.name.clone();
        self.names = self.names.iter().cloned().chain([late]).collect();
        Ok(())
    }

    fn for_table(&mut self, table: &TableGame) -> Box<dyn TableRecorder> {
        Box::new(TableTeller {
            notices: Arc::clone(&self.notices),
            names: Arc::clone(&self.names),
            players: table.players().to_vec(),
        })
    }
}

impl TableRecorder for TableTeller {
    fn event(&mut self, _: &TableGame, _: &TableEvent) -> io::Result<()> {
        Ok(())
    }

    fn network(&mut self, round: u64, seat: Seat, late_by: Duration) -> io::Result<()> {
        let Some(name) = self.names.get(self.players[seat.index()]) else { return Ok(()) };
        self.notices.tell(&DayNotice::Network { name, round, late_by })
    }
}
