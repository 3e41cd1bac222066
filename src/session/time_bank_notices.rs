//! Notices of used time banks (R17).

use std::io;
use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use casino_stud::stud::Seat;
use casino_stud::table::TableEvent;
use casino_stud::tournament::{Event, Newcomer, Recorder, TableGame, TableRecorder, TimeBankUse};

use super::{DayNotice, DayNotices};

/// Reports the uses of a tournament's time banks, when their round has been recorded.
pub(super) struct TimeBankNotices {
    notices: Arc<dyn DayNotices>,
    names: Arc<[String]>,
    /// The uses handed over by the tables.
    handed: Arc<Mutex<Vec<NamedUse>>>,
}

/// A use of a time bank in a round.
struct NamedUse {
    name: String,
    round: u64,
    bank: TimeBankUse,
}

struct TableNotices {
    names: Arc<[String]>,
    players: Vec<usize>,
    /// The uses in a round that is not recorded yet.
    pending: Vec<NamedUse>,
    handed: Arc<Mutex<Vec<NamedUse>>>,
}

fn lock(handed: &Mutex<Vec<NamedUse>>) -> MutexGuard<'_, Vec<NamedUse>> {
    // Uses are handed over and taken whole: a panic elsewhere leaves none half-done.
    handed.lock().unwrap_or_else(PoisonError::into_inner)
}

impl TimeBankNotices {
    /// Reports of players with these names, in the order of the tournament.
    pub(super) fn new(notices: Arc<dyn DayNotices>, names: Vec<String>) -> TimeBankNotices {
        TimeBankNotices { notices, names: names.into(), handed: Arc::default() }
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
            names: Arc::clone(&self.names),
            players: table.players().to_vec(),
            pending: Vec::new(),
            handed: Arc::clone(&self.handed),
        })
    }

    fn commit(&mut self) -> io::Result<()> {
        let handed = mem::take(&mut *lock(&self.handed));
        handed.iter().try_for_each(|NamedUse { name, round, bank }| {
            self.notices.notify(&DayNotice::TimeBank { name, round: *round, bank: *bank })
        })
    }
}

impl TableRecorder for TableNotices {
    fn event(&mut self, _: &TableGame, _: &TableEvent) -> io::Result<()> {
        Ok(())
    }

    fn time_bank(&mut self, round: u64, seat: Seat, bank: TimeBankUse) -> io::Result<()> {
        let name = self.names.get(self.players[seat.index()]).cloned();
        self.pending.extend(name.map(|name| NamedUse { name, round, bank }));
        Ok(())
    }

    fn hand_over(&mut self) {
        lock(&self.handed).append(&mut self.pending);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use casino_stud::cards::Seed;
    use casino_stud::table::TableSettings;

    use super::*;
    use crate::session::{StoppedTournament, TournamentStart};

    #[derive(Default)]
    struct Told(Mutex<Vec<String>>);

    impl DayNotices for Told {
        fn notify(&self, notice: &DayNotice<'_>) -> io::Result<()> {
            if let DayNotice::TimeBank { name, round, bank } = notice {
                self.0.lock().unwrap().push(format!("{name} {round} {}", bank.used.as_millis()));
            }
            Ok(())
        }

        fn begin(&self, _: &TournamentStart<'_>) -> io::Result<Option<Box<dyn Recorder>>> {
            Ok(None)
        }

        fn how_to_resume(&self, _: &StoppedTournament<'_>) -> String {
            String::new()
        }
    }

    /// A round that is not recorded may be dealt again after a crash.
    #[test]
    fn a_use_is_reported_when_its_round_is_recorded() {
        let told = Arc::new(Told::default());
        let names = ["Ada", "Bob"].map(str::to_string).to_vec();
        let mut notices = TimeBankNotices::new(Arc::clone(&told) as Arc<dyn DayNotices>, names);
        let table = TableGame::new(TableSettings::default(), &Seed::chosen("banks"), 2, 50, 9);
        let mut of_table = notices.for_table(&table);
        let bank = TimeBankUse { used: Duration::from_millis(412), left: Duration::from_millis(1_588) };
        of_table.time_bank(3, Seat::new(1), bank).unwrap();
        notices.commit().unwrap();
        assert_eq!(*told.0.lock().unwrap(), [""; 0]);
        of_table.hand_over();
        assert_eq!(*told.0.lock().unwrap(), [""; 0]);
        for _ in 0..2 {
            notices.commit().unwrap();
            assert_eq!(*told.0.lock().unwrap(), ["Bob 3 412"]);
        }
    }
}
