//! Time banks (R17) as the lines of a journal leave them.

use std::time::Duration;

use super::{Header, JournalLine};

/// A time bank at the beginning of a tournament.
pub const INITIAL_TIME_BANK: Duration = Duration::from_secs(2);

/// The growth of a time bank with each reply in time.
pub const TIME_BANK_GROWTH: Duration = Duration::from_millis(250);

/// The time bank of each player at the end of a journal, before the host's maximum caps it.
#[derive(Clone, Debug)]
pub struct RecordedTimeBanks {
    banks: Vec<RecordedBank>,
    /// The players of each table of the level, from 0.
    tables: Vec<Vec<usize>>,
    /// The table of the last round, from 0.
    table: usize,
}

#[derive(Clone, Copy, Debug)]
struct RecordedBank {
    left: Duration,
    /// Whether the next reply is the one that used the bank.
    is_late: bool,
}

const FULL: RecordedBank = RecordedBank { left: INITIAL_TIME_BANK, is_late: false };

impl RecordedTimeBanks {
    /// The banks before the first line after this header.
    pub fn new(header: &Header) -> RecordedTimeBanks {
        RecordedTimeBanks { banks: vec![FULL; header.players.len()], tables: Vec::new(), table: 0 }
    }

    /// Applies the next line of the journal.
    pub fn apply(&mut self, line: &JournalLine) {
        match line {
            JournalLine::Level { tables, .. } => {
                let players = |numbers: &[usize]| numbers.iter().map(|number| number - 1).collect();
                self.tables = tables.iter().map(|table| players(&table.players)).collect();
            }
            JournalLine::Entry(_) => self.banks.push(FULL),
            JournalLine::Deal { table, .. } => self.table = *table as usize - 1,
            JournalLine::TimeBank { seat, left_ms, .. } => {
                if let Some(bank) = self.bank(*seat) {
                    *bank = RecordedBank { left: Duration::from_millis(*left_ms), is_late: true };
                }
            }
            JournalLine::Reply { seat, .. } | JournalLine::Foul { seat, .. } => {
                if let Some(bank) = self.bank(*seat)
                    && !std::mem::take(&mut bank.is_late)
                {
                    bank.left += TIME_BANK_GROWTH;
                }
            }
            _ => {}
        }
    }

    /// The bank of a player, from 0.
    pub fn left(&self, player: usize) -> Option<Duration> {
        self.banks.get(player).map(|bank| bank.left)
    }

    /// The bank of the player in a seat, from 1, of the table of the last round.
    fn bank(&mut self, seat: usize) -> Option<&mut RecordedBank> {
        let player = *self.tables.get(self.table)?.get(seat - 1)?;
        self.banks.get_mut(player)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn banks_follow_replies_and_uses() {
        let journal = include_str!("../../../../tests/data/golden/journals/play-one.jsonl");
        let mut lines = journal.lines();
        let header = serde_json::from_str(lines.next().expect("a header")).expect("a line");
        let JournalLine::CasinoDay(header) = header else { panic!("the first line is the header") };
        let mut banks = RecordedTimeBanks::new(&header);
        let line = |text: &str| serde_json::from_str(text).expect("a line");
        let level = r#"{"type":"level","level":1,"tournament":1,"round":1,"rounds":9,"ante":1,"out":[],"tables":[
            {"table":1,"players":[1,3],"stacks":[9,9]},{"table":2,"players":[2,4],"stacks":[9,9]}]}"#;
        let deal = r#"{"type":"deal","table":2,"round":1,"seats":[1,2],"hole":[],"up":[],"second":[]}"#;
        for text in [level, deal, r#"{"type":"reply","seat":2,"reply":"bet:0"}"#] {
            banks.apply(&line(text));
        }
        let left = |banks: &RecordedTimeBanks| {
            [0, 1, 2, 3].map(|player| banks.left(player).expect("known").as_millis())
        };
        assert_eq!(left(&banks), [2_000, 2_000, 2_000, 2_250]);
        banks.apply(&line(r#"{"type":"time_bank","seat":2,"used_ms":2000,"left_ms":250}"#));
        banks.apply(&line(r#"{"type":"reply","seat":2,"reply":"fold"}"#));
        assert_eq!(left(&banks), [2_000, 2_000, 2_000, 250]);
        banks.apply(&line(r#"{"type":"reply","seat":2,"reply":"fold"}"#));
        assert_eq!(left(&banks), [2_000, 2_000, 2_000, 500]);
        assert_eq!(banks.left(4), None);
    }
}
