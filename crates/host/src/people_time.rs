//! Thinking time of people: the full time of the chair, shortened while other players wait for people who do not reply
//! (R23).

use std::time::Duration;

/// After a timeout at a table with other programs or people, every later timeout of the round is divided by this.
const SILENCE_TIMEOUT_DIVISOR: u32 = 6;

/// The players that wait while a person thinks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WaitingPlayers {
    /// No player: the others at the table are bots of this process.
    Nobody,
    /// Programs and people at the same table.
    TheTable,
    /// All tables, which play hand for hand.
    OtherTables,
}

/// Time spent waiting for the people of a table in a round.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PeopleTime {
    spent: Duration,
    ran_out: bool,
}

impl PeopleTime {
    /// Time limit of a person's question, given the chair's `think` and the number of people who are still in and not
    /// away. Other tables wait at most `think` per round for all people of this one.
    pub(super) fn to_think(
        self,
        think: Duration,
        waiting_players: WaitingPlayers,
        is_away: bool,
        people: usize,
    ) -> Duration {
        match waiting_players {
            WaitingPlayers::Nobody => think,
            WaitingPlayers::TheTable | WaitingPlayers::OtherTables if is_away => Duration::ZERO,
            WaitingPlayers::TheTable if self.ran_out => think / SILENCE_TIMEOUT_DIVISOR,
            WaitingPlayers::TheTable => think,
            WaitingPlayers::OtherTables => {
                think.saturating_sub(self.spent) / u32::try_from(people.max(1)).unwrap_or(u32::MAX)
            }
        }
    }

    /// How long it may look at the end of the round.
    pub(super) fn confirmation_time(
        self,
        think: Duration,
        waiting_players: WaitingPlayers,
        is_away: bool,
    ) -> Duration {
        match waiting_players {
            WaitingPlayers::Nobody => think,
            WaitingPlayers::TheTable | WaitingPlayers::OtherTables if is_away => Duration::ZERO,
            WaitingPlayers::TheTable => think,
            WaitingPlayers::OtherTables => think.saturating_sub(self.spent),
        }
    }

    /// Counts the time of a question, answered in time or not.
    pub(super) fn took(&mut self, time: Duration, in_time: bool) {
        self.spent += time;
        // A person who is away costs no time.
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
            assert_eq!(time.to_think(THINK, WaitingPlayers::Nobody, true, 1), THINK);
            time.took(THINK, false);
        }
        assert_eq!(time.confirmation_time(THINK, WaitingPlayers::Nobody, true), THINK);
    }

    #[test]
    fn silent_people_do_not_delay_a_table_one_by_one() {
        let mut time = PeopleTime::default();
        let mut waited = Duration::ZERO;
        for _ in 0..5 {
            let next = time.to_think(THINK, WaitingPlayers::TheTable, false, 5);
            time.took(next, false);
            waited += next;
        }
        assert_eq!(waited, THINK + 4 * Duration::from_secs(10));
        assert_eq!(time.to_think(THINK, WaitingPlayers::TheTable, true, 5), Duration::ZERO);
    }

    #[test]
    fn other_tables_wait_at_most_one_thinking_time() {
        for answers_after in [1, 2, 5] {
            let mut time = PeopleTime::default();
            let mut waited = Duration::ZERO;
            for people in [5, 5, 4, 3, 3, 2, 1, 1, 1] {
                let next = time.to_think(THINK, WaitingPlayers::OtherTables, false, people) / answers_after;
                time.took(next, answers_after > 1);
                waited += next;
            }
            waited += time.confirmation_time(THINK, WaitingPlayers::OtherTables, false);
            assert!(waited <= THINK, "{waited:?}");
        }
        assert_eq!(PeopleTime::default().to_think(THINK, WaitingPlayers::OtherTables, false, 1), THINK);
    }
}
