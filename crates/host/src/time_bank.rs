//! The time bank of a program (R17): extra time for late replies, as in online poker.

use std::time::Duration;

use casino_stud::journal::{INITIAL_TIME_BANK, TIME_BANK_GROWTH};
use casino_stud::tournament::TimeBankUse;

/// The usual maximum of a time bank.
pub(super) const DEFAULT_MAX_TIME_BANK: Duration = Duration::from_secs(10);

/// The time that a player may still use. The host's limit caps it.
#[derive(Clone, Copy, Debug)]
pub(super) struct TimeBank(Duration);

impl Default for TimeBank {
    fn default() -> TimeBank {
        TimeBank(INITIAL_TIME_BANK)
    }
}

impl TimeBank {
    pub(super) fn holding(left: Duration) -> TimeBank {
        TimeBank(left)
    }

    pub(super) fn left(self, most: Duration) -> Duration {
        self.0.min(most)
    }

    pub(super) fn grow(&mut self, most: Duration) {
        self.0 = (self.left(most) + TIME_BANK_GROWTH).min(most);
    }

    pub(super) fn take(&mut self, used: Duration, most: Duration) -> TimeBankUse {
        self.0 = self.left(most).saturating_sub(used);
        TimeBankUse { used, left: self.0 }
    }
}
