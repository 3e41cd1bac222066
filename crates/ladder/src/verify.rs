//! Whether everything in a ladder follows from its journals.

use std::fs;

use super::{Ladder, LadderError, Match, MatchFilter, MatchState, SeatResult, prove};

/// What was found when a ladder was gone through.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VerifiedLadder {
    /// The matches that were played, in all.
    pub matches: u64,
    /// Their rounds.
    pub rounds: u64,
    /// The bytes of their journals.
    pub bytes: u64,
    /// The ratings that were compared.
    pub ratings: u64,
    /// What does not follow, a sentence each; nothing if all is well.
    pub problems: Vec<String>,
}

impl Ladder {
    /// Plays every journal again and compares all results with the rows, goes through the database, and reckons the ratings up
    /// again: those that were written last must be the same to the bit. `progress` is told how many matches of how many are done.
    ///
    /// # Errors
    /// [`LadderError::Damaged`] if the database is; others if something cannot be read.
    pub fn verify(&self, mut progress: impl FnMut(u64, u64)) -> Result<VerifiedLadder, LadderError> {
        self.check_database()?;
        let played = MatchFilter { state: Some(MatchState::Played), ..MatchFilter::default() };
        let played = self.matches(played)?;
        let mut found = VerifiedLadder::default();
        for one in played.iter().rev() {
            match self.difference(one)? {
                Ok(bytes) => found.bytes += bytes,
                Err(why) => found.problems.push(format!("match {}: {why}", one.name)),
            }
            found.matches += 1;
            found.rounds += one.rounds.and_then(|rounds| u64::try_from(rounds).ok()).unwrap_or_default();
            progress(found.matches, played.len() as u64);
        }
        self.compare_ratings(&mut found)?;
        self.find_stray_journals(&played, &mut found)?;
        Ok(found)
    }

    /// The bytes of a match's journal, or how its rows differ from it.
    fn difference(&self, one: &Match) -> Result<Result<u64, String>, LadderError> {
        let plan = self.plan_of(one)?;
        if let Err(why) = plan.check() {
            return Ok(Err(why.to_string()));
        }
        let proved = match prove(&plan, &self.journal(&one.name)) {
            Ok(proved) => proved,
            Err(why) => return Ok(Err(format!("its journal does not prove it: {why}"))),
        };
        if one.journal_sha256.as_ref() != Some(&proved.journal_sha256) {
            return Ok(Err("its journal has another SHA-256 than was recorded".to_string()));
        }
        let rows: Vec<SeatResult> = one.seats.iter().filter_map(|seat| seat.result).collect();
        if rows != proved.results || one.rounds != i64::try_from(proved.rounds).ok() {
            return Ok(Err("its rows say another result than its journal".to_string()));
        }
        if self.fouls(one.id)? != proved.fouls {
            return Ok(Err("its rows have other fouls than its journal".to_string()));
        }
        Ok(Ok(proved.journal_bytes))
    }

    fn compare_ratings(&self, found: &mut VerifiedLadder) -> Result<(), LadderError> {
        let ratings = self.ratings()?;
        let mut rows = self.db.prepare(
            "SELECT p.name || '/' || v.number, r.value, r.half FROM ratings AS r
             JOIN versions AS v ON v.id = r.version JOIN players AS p ON p.id = v.player
             WHERE r.after_matches = (SELECT count(*) FROM matches WHERE kind = 'rated' AND state = 'played')",
        )?;
        let rows = rows.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
        for row in rows {
            let (label, value, half): (String, f64, f64) = row?;
            found.ratings += 1;
            let same = ratings.of(&label).is_some_and(|rating| {
                rating.value.to_bits() == value.to_bits()
                    && rating.half.is_none_or(|again| again.to_bits() == half.to_bits())
            });
            if !same {
                found
                    .problems
                    .push(format!("the rating of {label} is not the one that follows from the matches"));
            }
        }
        Ok(())
    }

    fn find_stray_journals(&self, played: &[Match], found: &mut VerifiedLadder) -> Result<(), LadderError> {
        let folder = self.journals();
        let mut names: Vec<&str> = played.iter().map(|one| one.name.as_str()).collect();
        names.sort_unstable();
        for entry in fs::read_dir(&folder).map_err(LadderError::file(&folder))? {
            let name = entry.map_err(LadderError::file(&folder))?.file_name().to_string_lossy().into_owned();
            let Some(stem) = name.strip_suffix(".jsonl") else { continue };
            // Whoever plays now has put it there, and its row comes in a moment.
            let is_open = || self.match_named(stem).is_ok_and(|one| one.state != MatchState::Void);
            if names.binary_search(&stem).is_err() && !is_open() {
                found.problems.push(format!("the journal {name} is of no match of this ladder"));
            }
        }
        Ok(())
    }
}
