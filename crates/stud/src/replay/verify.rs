//! Checking that every line of a journal follows from its seed and its replies.

use std::io::BufRead;

use crate::journal::{ReadError, Reader, Tail};

use super::{HouseBots, Replay, ReplayError, Segment};

/// Statistics of a verified journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    /// How many lines count: all of them were compared.
    pub lines: u64,
    /// How many bytes they have.
    pub bytes: u64,
    /// How many rounds were played to their end.
    pub rounds: u64,
    /// How often the dealer was started again.
    pub resumed: u64,
    /// How the journal ends.
    pub end: JournalEnd,
    /// The SHA-256 that was shown before the first deal, and that the seed has; `None` if the seed was chosen.
    pub promise: Option<String>,
}

/// How a journal ends in which nothing is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JournalEnd {
    /// The tournament is over.
    Over,
    /// All rounds are played, and only the line that says that the tournament is over is missing: the host died before
    /// it was written, or it was cut off.
    Unsaid {
        /// The part that does not count.
        tail: Tail,
    },
    /// The tournament was stopped, or its host died, or it is still being played. Lines that were lost at the very
    /// end would not be missed.
    Open {
        /// The part that does not count.
        tail: Tail,
    },
}

/// Replays a whole journal and compares every line. Calls `progress` from time to time with the number of bytes done.
pub fn verify(from: impl BufRead, mut progress: impl FnMut(u64)) -> Result<Verified, ReplayError> {
    let mut replay = Replay::new(Reader::new(from)?, HouseBots::Recomputed)?;
    let (mut rounds, mut resumed) = (0, 0);
    while let Some(part) = replay.next(&mut ())? {
        match part {
            Segment::Round { .. } => rounds += 1,
            Segment::Resumed { .. } => resumed += 1,
            Segment::Level { .. } | Segment::Entry { .. } | Segment::Over => {}
        }
        progress(replay.position());
    }
    let tail = replay.tail();
    let end = match replay.is_finished() {
        true => JournalEnd::Over,
        false if replay.event().is_played_out() => JournalEnd::Unsaid { tail },
        false => JournalEnd::Open { tail },
    };
    if let (JournalEnd::Over, Tail::Torn { line, at, .. }) = (end, tail) {
        return Err(ReadError::Damaged {
            number: line,
            offset: at,
            why: "something follows the end of the tournament".to_string(),
        }
        .into());
    }
    Ok(Verified {
        lines: replay.lines(),
        bytes: replay.position(),
        rounds,
        resumed,
        end,
        promise: replay.header().promise.clone(),
    })
}
