//! Whether everything in a ladder follows from its journals.

use std::fs;
use std::io::BufReader;

use casino_stud::journal::Reader;
use casino_stud::replay::names;

use super::{
    Ladder, LadderError, Match, MatchFilter, MatchKind, MatchPlan, MatchState, MatchTerms, PlayedMatch,
    ProofError, SeatResult, prove,
};

/// The result of verifying a ladder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VerifiedLadder {
    /// The matches that were played, in all.
    pub matches: u64,
    /// Their rounds.
    pub rounds: u64,
    /// The bytes of their journals.
    pub bytes: u64,
    /// The inconsistencies, a sentence each; empty if all is well.
    pub problems: Vec<String>,
}

impl Ladder {
    /// Plays every journal again, compares all results with the rows, and checks the database. `progress` receives how many
    /// matches of how many are done.
    pub fn verify(&self, mut progress: impl FnMut(u64, u64)) -> Result<VerifiedLadder, LadderError> {
        self.check_database()?;
        let played = MatchFilter { state: Some(MatchState::Played), ..MatchFilter::default() };
        let played = self.matches(played)?;
        let mut found = VerifiedLadder::default();
        for one in played.iter().rev() {
            match self.verify_match(one).unwrap_or_else(|why| Err(why.to_string())) {
                Ok(proved) => found.bytes += proved.journal_bytes,
                Err(why) => found.problems.push(format!("match {}: {why}", one.name)),
            }
            found.matches += 1;
            found.rounds += one.rounds.and_then(|rounds| u64::try_from(rounds).ok()).unwrap_or_default();
            progress(found.matches, played.len() as u64);
        }
        self.find_stray_journals(&played, &mut found)?;
        Ok(found)
    }

    /// The result of a match as its journal proves it, or how its rows differ from it.
    pub fn verify_match(&self, one: &Match) -> Result<Result<PlayedMatch, String>, LadderError> {
        let plan = self.plan_of(one)?;
        if let Err(why) = plan.check() {
            return Ok(Err(why.to_string()));
        }
        let path = self.journal(&one.name);
        let proved = match prove(&plan, &path) {
            Ok(proved) => proved,
            Err(ProofError::Unreadable(source)) => return Err(LadderError::File { path, source }),
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
        Ok(Ok(proved))
    }

    fn find_stray_journals(&self, played: &[Match], found: &mut VerifiedLadder) -> Result<(), LadderError> {
        let mut names: Vec<&str> = played.iter().map(|one| one.name.as_str()).collect();
        names.sort_unstable();
        for name in self.journal_names()? {
            // The playing process has just moved the journal there, and will write its row next.
            let is_open = || self.match_named(&name).is_ok_and(|one| one.state != MatchState::Void);
            if names.binary_search(&name.as_str()).is_err() && !is_open() {
                found.problems.push(format!("the journal {name}.jsonl is of no match of this ladder"));
            }
        }
        Ok(())
    }

    /// The names of the matches that have a journal.
    fn journal_names(&self) -> Result<Vec<String>, LadderError> {
        let folder = self.journals();
        let mut names = Vec::new();
        for entry in fs::read_dir(&folder).map_err(LadderError::file(&folder))? {
            let name = entry.map_err(LadderError::file(&folder))?.file_name();
            names.extend(name.to_string_lossy().strip_suffix(".jsonl").map(str::to_string));
        }
        names.sort_unstable();
        Ok(names)
    }

    /// Records the matches of whole journals that are not recorded as played: their host died, or the database is a
    /// backup. Returns the names of those that no match of these versions has.
    pub(crate) fn take_in_journals(&mut self) -> Result<Vec<String>, LadderError> {
        let mut unknown = Vec::new();
        for name in self.journal_names()? {
            let found = self.match_named(&name).ok();
            if found.as_ref().is_some_and(|found| found.state == MatchState::Played) {
                continue;
            }
            let journal = self.journal(&name);
            let plan = match &found {
                Some(found) => Some(self.plan_of(found)?),
                None => self.plan_of_journal(&name)?,
            };
            let proved = plan.as_ref().and_then(|plan| Some((plan, prove(plan, &journal).ok()?)));
            let Some((plan, played)) =
                proved.filter(|_| found.as_ref().is_none_or(|found| found.state != MatchState::Void))
            else {
                unknown.push(name);
                continue;
            };
            let changed = fs::metadata(&journal).and_then(|about| about.modified());
            let ended = changed.map_err(LadderError::file(&journal))?.duration_since(std::time::UNIX_EPOCH);
            let ended_ms = ended.map_or(0, |since| i64::try_from(since.as_millis()).unwrap_or(i64::MAX));
            let id = match found {
                Some(found) => found.id,
                None => {
                    let versions = plan.seats.iter().map(|seat| Ok(self.version_labelled(&seat.label)?.id));
                    let versions = versions.collect::<Result<Vec<_>, LadderError>>()?;
                    self.insert_match(plan, &versions, None, ended_ms)?
                }
            };
            self.record(id, &played, &journal, ended_ms)?;
        }
        Ok(unknown)
    }

    /// The plan with the name and the first line of this journal, if the versions of this ladder have one.
    fn plan_of_journal(&self, name: &str) -> Result<Option<MatchPlan>, LadderError> {
        let Ok(file) = casino_system::files::open(&self.journal(name)) else { return Ok(None) };
        let Ok(reader) = Reader::new(BufReader::new(file)) else { return Ok(None) };
        let header = reader.header();
        let mut seats = Vec::new();
        for player in names(header) {
            let Ok(version) = self.version_labelled(&player) else { return Ok(None) };
            seats.push(self.planned_seat(version.id)?);
        }
        let Ok(seed) = header.seed() else { return Ok(None) };
        let decks = header.terms.rounds.unwrap_or_default() / (seats.len() as u64).max(1);
        let (stack, reply_ms) = (header.terms.stack, header.terms.reply_ms);
        Ok([MatchKind::Rated, MatchKind::Challenge].into_iter().find_map(|kind| {
            let terms = MatchTerms { kind, decks, stack, reply_ms };
            let plan = MatchPlan::new(terms, &seed, seats.clone());
            plan.named(name)
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folder::tests::Scratch;
    use crate::keys::sha256;
    use crate::play::play_house_match;
    use crate::{MatchId, MatchKind, MatchPlan, SeatSource, Settings};

    /// A ladder with this many planned matches of house bots.
    fn planned(scratch: &Scratch, count: usize) -> (Ladder, Vec<MatchId>) {
        let mut ladder = scratch.ladder();
        ladder.add_house_bots(1).unwrap();
        let versions = ["reader/1", "bold/1", "odds/1", "simple/1"]
            .map(|label| ladder.version_labelled(label).unwrap().id);
        let terms = Settings { decks: 3, ..Settings::default() }.terms(MatchKind::Rated);
        let ids = (0..count).map(|_| ladder.plan_match(terms, &versions, None, 2).unwrap()).collect();
        (ladder, ids)
    }

    fn plan(ladder: &Ladder, id: MatchId) -> MatchPlan {
        ladder.plan_of(&ladder.match_of(id).unwrap()).unwrap()
    }

    #[test]
    fn no_forged_journal_proves_a_match() {
        let scratch = Scratch::new("forged");
        let (ladder, ids) = planned(&scratch, 2);
        let [one, other] = [plan(&ladder, ids[0]), plan(&ladder, ids[1])];
        let (journal, forged) = (scratch.path().join("honest.jsonl"), scratch.path().join("forged.jsonl"));
        play_house_match(&one, &journal);
        prove(&one, &journal).unwrap();
        let honest = fs::read_to_string(&journal).unwrap();
        let refused = |plan: &MatchPlan, text: &str| {
            fs::write(&forged, text).unwrap();
            prove(plan, &forged).unwrap_err().to_string()
        };
        refused(&one, &honest.replacen("\"reply\":\"fold\"", "\"reply\":\"bet:0\"", 1));
        refused(&one, &honest[..honest.len() / 2]);
        assert!(refused(&other, &honest).contains("first line"), "the journal of another match");
        // A whole match in which another bot took a house bot's seat.
        let mut swapped = one.clone();
        swapped.seats[3].plays = SeatSource::House("caller".to_string());
        let elsewhere = scratch.path().join("elsewhere.jsonl");
        play_house_match(&swapped, &elsewhere);
        let played = fs::read_to_string(elsewhere).unwrap();
        let (first, rest) = (honest.split_once('\n').unwrap().0, played.split_once('\n').unwrap().1);
        let (rounds, over) = rest.trim_end().rsplit_once('\n').unwrap();
        let before = format!("{first}\n{rounds}\n");
        let (over, _) = over.rsplit_once(r#","before""#).unwrap();
        let sum = sha256(&before);
        let why = refused(&one, &format!("{before}{over},\"before\":\"{sum}\"}}\n"));
        assert!(why.contains("differs from the match played"), "{why}");
    }

    #[test]
    fn journals_written_after_a_backup_are_taken_in_again() {
        let scratch = Scratch::new("restored");
        let (mut ladder, ids) = planned(&scratch, 2);
        let backup = scratch.path().join("backup.db");
        ladder.backup(&backup).unwrap();
        let (_, more) = (ladder.add_house_bots(1), planned(&scratch, 2).1);
        for id in ids.iter().chain(&more) {
            assert!(ladder.begin_match(*id, 3).unwrap());
            let journal = ladder.unrecorded_journal(&ladder.match_of(*id).unwrap().name);
            let played = play_house_match(&plan(&ladder, *id), &journal);
            ladder.record(*id, &played, &journal, 4).unwrap();
        }
        let results = |ladder: &Ladder| {
            let mut all = ladder.matches(MatchFilter::default()).unwrap();
            all.sort_by(|one, other| one.name.cmp(&other.name));
            all.into_iter().map(|one| (one.name, one.state, one.seats)).collect::<Vec<_>>()
        };
        let before = results(&ladder);
        let folder = ladder.folder().to_path_buf();
        drop(ladder);
        for name in ["ladder.db", "ladder.db-wal", "ladder.db-shm"] {
            let _ = fs::remove_file(folder.join(name));
        }
        fs::copy(&backup, folder.join("ladder.db")).unwrap();
        fs::write(folder.join("matches/0123456789abcdef.jsonl"), "of another ladder").unwrap();
        let mut ladder = Ladder::open(&folder).unwrap();
        assert_eq!(ladder.serve().unwrap(), ["0123456789abcdef"]);
        assert_eq!(results(&ladder), before);
        assert_eq!(fs::read_dir(folder.join("matches")).unwrap().count(), 5, "nothing is removed");
    }

    #[test]
    fn changed_row_is_found() {
        let scratch = Scratch::new("changed");
        let (mut ladder, ids) = planned(&scratch, 3);
        for id in &ids {
            assert!(ladder.begin_match(*id, 3).unwrap());
            let journal = ladder.unrecorded_journal(&ladder.match_of(*id).unwrap().name);
            let played = play_house_match(&plan(&ladder, *id), &journal);
            ladder.record(*id, &played, &journal, 4).unwrap();
        }
        let verified = ladder.verify(|_, _| {}).unwrap();
        assert_eq!((verified.matches, &verified.problems[..]), (3, &[][..]));
        let change = "UPDATE seats SET chips = chips + 1 WHERE match = ?1 AND seat = 0";
        ladder.db.execute(change, [ids[0]]).unwrap();
        let problems = ladder.verify(|_, _| {}).unwrap().problems;
        assert!(problems[0].contains("another result"), "{problems:?}");
        // A void match is not recorded any more.
        let versions: Vec<_> =
            ladder.match_of(ids[1]).unwrap().seats.iter().map(|seat| seat.version).collect();
        let terms = Settings::default().terms(MatchKind::Rated);
        let void = ladder.plan_match(terms, &versions, None, 5).unwrap();
        ladder.void(void, "the machine was switched off", 6).unwrap();
        let journal = ladder.journal(&ladder.match_of(ids[1]).unwrap().name);
        let played = prove(&plan(&ladder, ids[1]), &journal).unwrap();
        assert!(ladder.record(void, &played, &journal, 7).is_err());
    }
}
