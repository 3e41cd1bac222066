//! How long people are waited for: a person may think as long as its chair says, as long as nobody else has to wait for those
//! who say nothing (R23).

use std::time::Duration;

/// Where others have to wait, who let a time run out has taken it for all who are silent in that round: the next one has the
/// sixth part of it.
const AFTER_SILENCE: u32 = 6;

/// Who has to wait while a person thinks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WhoWaits {
    /// Nobody: the others at the table are bots of this process.
    Nobody,
    /// Programs and people at the same table.
    TheTable,
    /// Everybody at all tables, which play hand for hand.
    OtherTables,
}

/// How long the people of a table have been waited for in a round.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PeopleTime {
    spent: Duration,
    ran_out: bool,
}

impl PeopleTime {
    /// How long somebody may think about a question whose chair gives it `think`, among so many people who are still in and
    /// not away. Other tables wait for all people of this one no longer than `think` in a round.
    pub(super) fn to_think(
        self,
        think: Duration,
        who_waits: WhoWaits,
        is_away: bool,
        people: usize,
    ) -> Duration {
        match who_waits {
            WhoWaits::Nobody => think,
            WhoWaits::TheTable | WhoWaits::OtherTables if is_away => Duration::ZERO,
            WhoWaits::TheTable if self.ran_out => think / AFTER_SILENCE,
            WhoWaits::TheTable => think,
            WhoWaits::OtherTables => {
                think.saturating_sub(self.spent) / u32::try_from(people.max(1)).unwrap_or(u32::MAX)
            }
        }
    }

    /// How long it may look at the end of the round.
    pub(super) fn to_look(self, think: Duration, who_waits: WhoWaits, is_away: bool) -> Duration {
        match who_waits {
            WhoWaits::Nobody => think,
            WhoWaits::TheTable | WhoWaits::OtherTables if is_away => Duration::ZERO,
            WhoWaits::TheTable => think,
            WhoWaits::OtherTables => think.saturating_sub(self.spent),
        }
    }

    /// A question took so long, and was answered in time or not.
    pub(super) fn took(&mut self, time: Duration, in_time: bool) {
        self.spent += time;
        // Who is away takes no time from anybody.
        self.ran_out |= !in_time && !time.is_zero();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const THINK: Duration = Duration::from_secs(60);

    #[test]
    fn alone_with_bots_a_person_always_has_its_whole_time() {
        let mut time = PeopleTime::default();
        for _ in 0..3 {
            assert_eq!(time.to_think(THINK, WhoWaits::Nobody, true, 1), THINK);
            time.took(THINK, false);
        }
        assert_eq!(time.to_look(THINK, WhoWaits::Nobody, true), THINK);
    }

    #[test]
    fn silent_people_are_not_waited_for_one_after_the_other() {
        let mut time = PeopleTime::default();
        let mut waited = Duration::ZERO;
        for _ in 0..5 {
            let next = time.to_think(THINK, WhoWaits::TheTable, false, 5);
            time.took(next, false);
            waited += next;
        }
        assert_eq!(waited, THINK + 4 * Duration::from_secs(10));
        assert_eq!(time.to_think(THINK, WhoWaits::TheTable, true, 5), Duration::ZERO);
    }

    #[test]
    fn other_tables_wait_no_longer_than_one_time_whatever_the_people_do() {
        for answers_after in [1, 2, 5] {
            let mut time = PeopleTime::default();
            let mut waited = Duration::ZERO;
            for people in [5, 5, 4, 3, 3, 2, 1, 1, 1] {
                let next = time.to_think(THINK, WhoWaits::OtherTables, false, people) / answers_after;
                time.took(next, answers_after > 1);
                waited += next;
            }
            waited += time.to_look(THINK, WhoWaits::OtherTables, false);
            assert!(waited <= THINK, "{waited:?}");
        }
        assert_eq!(PeopleTime::default().to_think(THINK, WhoWaits::OtherTables, false, 1), THINK);
    }
}
