//! The public record of a tournament: it can be verified like the journal and contains no GitHubId.

use std::collections::VecDeque;
use std::io::{self, BufRead, Write};
use std::ops::Range;

use thiserror::Error;

use crate::journal::{
    Digest, Header, HeaderPlayer, JournalLine, PlayerSource, ReadError, Reader, Replied, StandingLine,
};
use crate::table::{ExitReason, Fault, Foul, HIDDEN_TEXT, TableEvent};
use crate::tournament::{ConsoleAction, Player, SecretIds, TableGame};

use super::{HouseBots, Observer, Replay, ReplayError};

/// The ids of house bots begin with this. No login does, because of the colon.
const HOUSE: &str = "house:";

/// Why a record cannot be made public.
#[derive(Debug, Error)]
pub enum PublicRecordError {
    /// The journal cannot be played again.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// The journal is not the one that was played again.
    #[error("the journal was changed while it was read")]
    Changed,
    /// The public record cannot be written.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl From<ReadError> for PublicRecordError {
    fn from(error: ReadError) -> PublicRecordError {
        PublicRecordError::Replay(error.into())
    }
}

/// The public form of a tournament, with replacements for the secrets of its journal.
///
/// GitHubIds are replaced by names in the same order: seats are drawn over the players sorted by GitHubId (R2), so the
/// draw can still be checked. Illegal replies, and reasons of the teacher that contain a GitHubId, are replaced too.
/// Omitted are addresses, command lines, and lines without consequences: uses of time banks, console commands other than
/// the end of the tournament, and rounds that the journal does not have to their end.
#[derive(Debug)]
pub struct PublicRecord {
    header: Header,
    /// The late entrants, in the order of their lines.
    late: Vec<HeaderPlayer>,
    secrets: SecretIds,
    /// The numbers of the lines that do not count.
    skipped: Vec<Range<u64>>,
    is_over: bool,
    /// The sentences of fouls and exits, in the order of their lines.
    sentences: VecDeque<String>,
    standings: Vec<StandingLine>,
}

impl PublicRecord {
    /// Replays a journal and collects the replacements.
    pub fn of(journal: impl BufRead) -> Result<PublicRecord, PublicRecordError> {
        let mut replay = Replay::new(Reader::new(journal)?, HouseBots::AsRecorded)?;
        let seated = replay.header().players.len();
        let mut heard = Sentences::default();
        while replay.next(&mut heard)?.is_some() {}
        let secrets = replay.header().secret_ids();
        let public = |fault: &Fault| public_fault(fault, &secrets);
        let sentences = heard.0.iter().map(|heard| match heard {
            Sentence::Foul(foul) => foul.with_fault(public).to_string(),
            Sentence::Exit(why) => why.with_fault(public).to_string(),
        });
        let sentences = sentences.collect();
        let mut header = in_public(replay.header());
        let players: Vec<Player> = header.roster();
        let late = header.players.split_off(seated);
        let standings = replay.event().standings();
        let mut lines = StandingLine::all(&standings, &players);
        for (line, standing) in lines.iter_mut().zip(standings.places()) {
            line.why = standing.exit.as_ref().map(|exit| exit.why.with_fault(public).to_string());
        }
        let (is_over, skipped) = (replay.is_finished(), replay.lines.skipped().to_vec());
        Ok(PublicRecord { header, late, secrets, skipped, is_over, sentences, standings: lines })
    }

    /// Whether the tournament is over. Of one that can go on the record has the seed, and so all cards to come.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// The late entrants under their public names, for [`Replay::knowing`].
    pub fn late(&self) -> Vec<HeaderPlayer> {
        self.late.clone()
    }

    /// The names in it that tell a GitHubId because the teacher wrote them, as the room saw them all day.
    pub fn revealing_names(&self) -> Vec<&str> {
        let names = self.header.players.iter().chain(&self.late).map(|player| player.name.as_str());
        names.filter(|name| self.secrets.are_revealed_by(name)).collect()
    }

    /// Writes the public record, of the same journal from its beginning.
    pub fn write(mut self, journal: impl BufRead, to: &mut impl Write) -> Result<(), PublicRecordError> {
        let lines = Reader::new(journal)?;
        let mut record = DigestWriter { to, digest: Digest::default() };
        record.add(&JournalLine::CasinoDay(self.header.clone()))?;
        for entry in lines {
            let entry = entry?;
            if self.skipped.iter().any(|skipped| skipped.contains(&entry.number)) {
                continue;
            }
            if let Some(line) = self.public_line(entry.line, &record.digest)? {
                record.add(&line)?;
            }
        }
        Ok(to.flush()?)
    }

    /// The line of the public record in place of this one; the digest covers the preceding bytes.
    fn public_line(
        &mut self,
        line: JournalLine,
        before: &Digest,
    ) -> Result<Option<JournalLine>, PublicRecordError> {
        let mut sentence = || self.sentences.pop_front().ok_or(PublicRecordError::Changed);
        Ok(Some(match line {
            ended @ JournalLine::Console { action: ConsoleAction::EndNow } => ended,
            JournalLine::Console { action: ConsoleAction::Remove { player, reason } } => {
                let reason = shown_reason(&reason, &self.secrets);
                JournalLine::Console { action: ConsoleAction::Remove { player, reason } }
            }
            JournalLine::Console { .. } | JournalLine::TimeBank { .. } => return Ok(None),
            JournalLine::Foul { seat, asked, did, .. } => {
                let did = match did {
                    Replied::Fault(fault) => Replied::Fault(public_fault(&fault, &self.secrets)),
                    illegal => illegal,
                };
                JournalLine::Foul { seat, asked, did, why: sentence()? }
            }
            JournalLine::Left { seat, forfeited, .. } => {
                JournalLine::Left { seat, forfeited, why: sentence()? }
            }
            JournalLine::Entry(player) => {
                let known = |late: &&HeaderPlayer| late.seat == player.seat;
                JournalLine::Entry(self.late.iter().find(known).ok_or(PublicRecordError::Changed)?.clone())
            }
            JournalLine::Resumed { round, .. } => JournalLine::Resumed { round, before: before.hex() },
            JournalLine::Over { rounds, forfeited, .. } => {
                let standings = std::mem::take(&mut self.standings);
                JournalLine::Over { rounds, forfeited, standings, before: before.hex() }
            }
            follows => follows,
        }))
    }
}

/// The lines that have been written.
struct DigestWriter<'a, W> {
    to: &'a mut W,
    digest: Digest,
}

impl<W: Write> DigestWriter<'_, W> {
    fn add(&mut self, line: &JournalLine) -> io::Result<()> {
        let mut bytes = Vec::new();
        line.write(&mut bytes);
        self.digest.add(&bytes);
        self.to.write_all(&bytes)
    }
}

/// The public sentences of fouls and exits, in the order of their lines.
#[derive(Default)]
struct Sentences(Vec<Sentence>);

enum Sentence {
    Foul(Foul),
    Exit(ExitReason),
}

impl Observer for Sentences {
    fn event(&mut self, game: &TableGame, event: &TableEvent) {
        let table = game.table();
        match *event {
            TableEvent::Fouled { seat } => {
                let foul = table.foul_of(seat).expect("a foul was kept when it happened");
                self.0.push(Sentence::Foul(foul.clone()));
            }
            TableEvent::Left { seat, .. } => {
                let why = table.exit_reason(seat).expect("who leaves is told why");
                self.0.push(Sentence::Exit(why.clone()));
            }
            _ => {}
        }
    }
}

fn public_fault(fault: &Fault, secrets: &SecretIds) -> Fault {
    match fault {
        Fault::Removed { reason } => Fault::Removed { reason: shown_reason(reason, secrets) },
        sent => sent.hiding(|_| true),
    }
}

/// The teacher's reason of a removal, unless it reveals a GitHubId.
fn shown_reason(reason: &str, secrets: &SecretIds) -> String {
    if secrets.are_revealed_by(reason) { HIDDEN_TEXT } else { reason }.to_string()
}

/// The header without GitHubIds, addresses and command lines.
fn in_public(header: &Header) -> Header {
    let mut players = header.players.clone();
    let mut order: Vec<usize> = (0..players.len()).filter(|at| !players[*at].plays.is_house()).collect();
    order.sort_by_key(|at| (&header.players[*at].github_id, &header.players[*at].name));
    let digits = order.len().to_string().len();
    for (number, at) in (1..).zip(order) {
        let player = &mut players[at];
        // Before the house, or after it: as the GitHubId does.
        let word = if player.github_id.as_str() < HOUSE { "early" } else { "player" };
        player.github_id = format!("{word}-{number:0digits$}");
        (player.plays, player.from) = (PlayerSource::Remote, None);
    }
    Header { players, ..header.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cards::Seed;

    #[test]
    fn the_draw_of_the_seats_can_still_be_checked() {
        use crate::journal::Terms;
        use crate::tournament::{Entrant, Roster};
        for seed in ["one", "two", "three", "four"].map(Seed::chosen) {
            let ids =
                ["ada", "Zed", "house:bold", "zoe", "house", "housf", "house:odds", "same", "same", "äda"];
            let entrants = ids.map(|id| Entrant::new(id, format!("The {}", id.len())));
            let roster = Roster::new(&entrants, &seed);
            let plays = |player: &Player| match player.github_id.strip_prefix(HOUSE) {
                Some(name) => PlayerSource::House(name.to_string()),
                None => PlayerSource::Program { name: "x".to_string(), command: "secret {host}".to_string() },
            };
            let players = roster.players().iter().map(|player| (player.clone(), plays(player)));
            let public = in_public(&Header::new(Terms::single_table(10, 2), &seed, players));
            assert_eq!(public.check_seats(&seed), Ok(()));
            let text = format!("{public:?}");
            for secret in ["ada", "Zed", "zoe", "housf", "same", "secret"] {
                assert!(!text.contains(&format!("\"{secret}")), "{secret}: {text}");
            }
        }
    }
}
