//! Checking a journal.

use std::io::BufRead;

use crate::journal::{ReadError, Reader, Torn};

use super::{HouseBots, Part, Redo, RedoError};

/// What is known of a journal in which nothing is wrong.
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
    pub end: End,
    /// The SHA-256 that was shown before the first deal, and that the seed has; `None` if the seed was chosen.
    pub promise: Option<String>,
}

/// How a journal ends in which nothing is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The tournament is over.
    Over,
    /// The tournament was stopped, or its host died, or it is still being played. Lines that were lost at the very
    /// end would not be missed.
    Open {
        /// The round in play, if one had begun.
        round: Option<u64>,
        /// The last line, if it is torn.
        torn: Option<Torn>,
    },
}

/// Deals and plays a whole journal again and compares every line. `progress` is told now and then how many bytes
/// are done.
///
/// # Errors
/// The first line that cannot be read or does not follow.
pub fn verify(from: impl BufRead, mut progress: impl FnMut(u64)) -> Result<Verified, RedoError> {
    let mut redo = Redo::new(Reader::new(from)?, HouseBots::Asked)?;
    let (mut rounds, mut resumed, mut in_play) = (0, 0, None);
    while let Some(part) = redo.next(&mut ())? {
        match part {
            Part::Round { finished: true, .. } => {
                rounds += 1;
                in_play = None;
            }
            Part::Round { round, finished: false } => in_play = Some(round),
            Part::Resumed { .. } => {
                resumed += 1;
                in_play = None;
            }
            Part::Level { .. } | Part::Over => {}
        }
        progress(redo.position());
    }
    let torn = redo.torn();
    let end = match (redo.is_finished(), in_play) {
        (true, _) => End::Over,
        (false, None) if redo.floor().is_over() => return Err(redo.out_of_place(None)),
        (false, round) => End::Open { round, torn },
    };
    if let (End::Over, Some(torn)) = (end, torn) {
        return Err(ReadError::Damaged {
            number: torn.number,
            offset: torn.offset,
            why: "something follows the end of the tournament".to_string(),
        }
        .into());
    }
    Ok(Verified {
        lines: redo.lines(),
        bytes: redo.position(),
        rounds,
        resumed,
        end,
        promise: redo.header().promise.clone(),
    })
}
