//! Time banks (R17) as the lines of a journal leave them.

use std::time::Duration;

use super::{Content, JournalLine, RecordedLine};

/// A time bank at the beginning of a tournament.
pub const INITIAL_TIME_BANK: Duration = Duration::from_secs(2);

/// The growth of a time bank with each reply in time.
pub const TIME_BANK_GROWTH: Duration = Duration::from_millis(250);

/// The time bank of each player after the lines of a journal that have been played, before the host's maximum caps it.
#[derive(Clone, Debug)]
pub struct RecordedTimeBanks(Vec<RecordedBank>);

#[derive(Clone, Copy, Debug)]
struct RecordedBank {
    left: Duration,
    /// What it would have if it had never been used.
    most: Duration,
    /// Whether the next reply is the one that used the bank.
    is_late: bool,
}

const FULL: RecordedBank = RecordedBank { left: INITIAL_TIME_BANK, most: INITIAL_TIME_BANK, is_late: false };

impl RecordedTimeBanks {
    /// The banks of so many players before the first round.
    pub(crate) fn new(players: usize) -> RecordedTimeBanks {
        RecordedTimeBanks(vec![FULL; players])
    }

    /// A player comes in late.
    pub(crate) fn enter(&mut self) {
        self.0.push(FULL);
    }

    /// Applies the next line of a round at the table of these players, in seat order. Whether it is the use of a time bank; an
    /// impossible use is an error in words.
    pub(crate) fn apply(&mut self, line: &RecordedLine, players: &[usize]) -> Result<bool, String> {
        let (seat, used) = match &line.content {
            Content::Reply { seat, .. } => (*seat, None),
            Content::Read(line) => match **line {
                JournalLine::TimeBank { seat, used_ms, left_ms } => (seat, Some((used_ms, left_ms))),
                JournalLine::Reply { seat, .. } | JournalLine::Foul { seat, asked: true, .. } => (seat, None),
                _ => return Ok(false),
            },
            _ => return Ok(false),
        };
        let player = seat.checked_sub(1).and_then(|seat| players.get(seat));
        let bank = player.and_then(|player| self.0.get_mut(*player));
        match (bank, used) {
            (Some(bank), Some((used_ms, left_ms))) => {
                let most = bank.most.as_millis();
                if u128::from(used_ms) + u128::from(left_ms) > most {
                    return Err(format!("the time bank of seat {seat} had {most} ms at most"));
                }
                *bank = RecordedBank { left: Duration::from_millis(left_ms), is_late: true, ..*bank };
            }
            (None, Some(_)) => {
                return Err(format!("there is no seat {seat} at a table of {}", players.len()));
            }
            (Some(bank), None) => {
                bank.most += TIME_BANK_GROWTH;
                if !std::mem::take(&mut bank.is_late) {
                    bank.left += TIME_BANK_GROWTH;
                }
            }
            (None, None) => {}
        }
        Ok(used.is_some())
    }

    /// The bank of a player, from 0.
    pub fn left(&self, player: usize) -> Option<Duration> {
        self.0.get(player).map(|bank| bank.left)
    }
}

#[cfg(test)]
mod tests {
    use super::super::reader::parse;
    use super::super::recorded_line::frequent;
    use super::*;

    #[test]
    fn banks_follow_replies_and_uses() {
        let mut banks = RecordedTimeBanks::new(4);
        let mut try_apply = |text: &str| -> Result<[u128; 4], String> {
            let bytes = format!("{text}\n").into_bytes();
            let content =
                frequent(&bytes).unwrap_or_else(|| Content::Read(Box::new(parse(&bytes).expect("a line"))));
            banks.apply(&RecordedLine { content, ..RecordedLine::default() }, &[1, 3])?;
            Ok([0, 1, 2, 3].map(|player| banks.left(player).expect("known").as_millis()))
        };
        let mut apply = |text: &str| -> [u128; 4] { try_apply(text).expect("it is possible") };
        assert_eq!(apply(r#"{"type":"reply","seat":2,"reply":"bet:0"}"#), [2_000, 2_000, 2_000, 2_250]);
        let used = r#"{"type":"time_bank","seat":2,"used_ms":2000,"left_ms":250}"#;
        assert_eq!(apply(used), [2_000, 2_000, 2_000, 250]);
        // The reply that used the bank does not let it grow, the next one does.
        assert_eq!(apply(r#"{"type":"reply","seat":2,"reply":"fold"}"#)[3], 250);
        assert_eq!(apply(r#"{"type":"reply","seat":2,"reply":"fold"}"#)[3], 500);
        // An answer of any kind counts, and a message that nobody asked for does not.
        let foul = |asked| {
            format!(r#"{{"type":"foul","seat":1,"asked":{asked},"did":{{"fault":"not_reading"}},"why":"x"}}"#)
        };
        assert_eq!(apply(&foul(true))[1], 2_250);
        assert_eq!(apply(&foul(false))[1], 2_250);
        let most = u64::MAX;
        for (seat, used, left, why) in [
            (0, 1, 1, "there is no seat 0 at a table of 2"),
            (3, 1, 1, "there is no seat 3 at a table of 2"),
            (1, 2_000, 251, "the time bank of seat 1 had 2250 ms at most"),
            (1, 1, most, "the time bank of seat 1 had 2250 ms at most"),
            (1, most, most, "the time bank of seat 1 had 2250 ms at most"),
        ] {
            let line = format!(r#"{{"type":"time_bank","seat":{seat},"used_ms":{used},"left_ms":{left}}}"#);
            assert_eq!(try_apply(&line), Err(why.to_string()));
        }
        banks.enter();
        assert_eq!(
            [1, 4, 5].map(|player| banks.left(player).map(|left| left.as_millis())),
            [Some(2_250), Some(2_000), None]
        );
    }
}
