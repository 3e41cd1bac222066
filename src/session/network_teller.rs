//! Tells people that a player got more time because of the network.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use casino_stud::stud::Seat;
use casino_stud::table::TableEvent;
use casino_stud::tournament::{Recorder, TableGame};

use super::{DayNotice, DayNotices};

/// Tells it of all players of a tournament, or of those at one table.
pub(super) struct NetworkTeller {
    notices: Arc<dyn DayNotices>,
    names: Arc<[String]>,
    /// The players at the table, seat by seat; at the only table they sit in their order.
    players: Option<Vec<usize>>,
}

impl NetworkTeller {
    /// Tells it of the players with these names, in the order of the tournament.
    pub(super) fn new(notices: Arc<dyn DayNotices>, names: Vec<String>) -> NetworkTeller {
        NetworkTeller { notices, names: names.into(), players: None }
    }
}

impl Recorder for NetworkTeller {
    fn for_table(&mut self, table: &TableGame) -> Box<dyn Recorder + Send> {
        Box::new(NetworkTeller {
            notices: Arc::clone(&self.notices),
            names: Arc::clone(&self.names),
            players: Some(table.players().to_vec()),
        })
    }

    fn event(&mut self, _: &TableGame, _: &TableEvent) -> io::Result<()> {
        Ok(())
    }

    fn commit(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn network(&mut self, round: u64, seat: Seat, late_by: Duration) -> io::Result<()> {
        let player = self.players.as_ref().map_or(seat.index(), |players| players[seat.index()]);
        let Some(name) = self.names.get(player) else { return Ok(()) };
        self.notices.tell(&DayNotice::Network { name, round, late_by })
    }
}
