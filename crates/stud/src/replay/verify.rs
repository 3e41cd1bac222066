//! Checking that every line of a journal follows from its seed and its replies.

use std::io::BufRead;

use crate::journal::{ReadError, Reader, Torn};

use super::{HouseBots, Replay, ReplayError, Segment};

/// Statistics of a verified journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    /// How many lines were compared.
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
        /// The last line, if it is torn.
        torn: Option<Torn>,
    },
    /// The tournament was stopped, or its host died, or it is still being played. Lines that were lost at the very
    /// end would not be missed.
    Open {
        /// The round in play, if one had begun.
        round: Option<u64>,
        /// The last line, if it is torn.
        torn: Option<Torn>,
    },
}

/// Replays a whole journal and compares every line. Calls `progress` from time to time with the number of bytes done.
pub fn verify(from: impl BufRead, mut progress: impl FnMut(u64)) -> Result<Verified, ReplayError> {
    let mut replay = Replay::new(Reader::new(from)?, HouseBots::Recomputed)?;
    let (mut rounds, mut resumed, mut in_play) = (0, 0, None);
    while let Some(part) = replay.next(&mut ())? {
        match part {
            Segment::Round { finished: true, .. } => {
                rounds += 1;
                in_play = None;
            }
            Segment::Round { round, finished: false } => in_play = Some(round),
            Segment::Resumed { .. } => {
                resumed += 1;
                in_play = None;
            }
            Segment::Level { .. } | Segment::Entry { .. } | Segment::Over => {}
        }
        progress(replay.position());
    }
    let torn = replay.torn();
    let end = match (replay.is_finished(), in_play) {
        (true, _) => JournalEnd::Over,
        (false, None) if replay.event().is_played_out() => JournalEnd::Unsaid { torn },
        (false, round) => JournalEnd::Open { round, torn },
    };
    if let (JournalEnd::Over, Some(torn)) = (end, torn) {
        return Err(ReadError::Damaged {
            number: torn.number,
            offset: torn.offset,
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
