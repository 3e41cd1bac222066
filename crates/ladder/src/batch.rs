//! Matches that are handed out as files, played anywhere, and taken in again.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use casino_judge::sandbox::copy_handed_in;
use casino_system::files::{self, Readers};

use super::{
    Candidate, Ladder, LadderError, MatchId, MatchKind, MatchPlan, MatchState, Ratings, Recorded,
    VersionKind, next_table, prove,
};

const FORM: u32 = 1;

/// A file of a batch: a match, and nothing else is needed to play it but what was handed in, and this program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatchFile {
    /// The number of the form of the file.
    pub casino_match: u32,
    /// The match.
    pub plan: MatchPlan,
}

impl MatchFile {
    /// Reads a file of a batch.
    ///
    /// # Errors
    /// [`LadderError::Refused`] if it is none, or something in it was changed.
    pub fn read(path: &Path) -> Result<MatchFile, LadderError> {
        let text = files::read_text(path).map_err(LadderError::file(path))?;
        let refused = |why: String| LadderError::Refused(format!("{}: {why}", path.display()));
        let file: MatchFile = serde_json::from_str(&text)
            .map_err(|error| refused(format!("this is no file of `casino ladder plan`: {error}")))?;
        if file.casino_match != FORM {
            return Err(refused(format!("its form is {}, and {FORM} is known", file.casino_match)));
        }
        file.plan.check().map_err(|why| refused(why.to_string()))?;
        Ok(file)
    }
}

impl Ladder {
    /// Plans so many rated matches between submissions and house bots by the rule of who plays next, as if each had been played at
    /// once, and hands them out: a file each in this folder, and in its `submissions/` what was handed in, by its SHA-256. What has
    /// not come back at `due_back_ms` is void, until it comes.
    ///
    /// # Errors
    /// [`LadderError::Refused`] if nobody can play; others if something cannot be read or written.
    pub fn plan_batch(
        &mut self,
        matches: usize,
        folder: &Path,
        due_back_ms: i64,
        now_ms: i64,
    ) -> Result<Vec<PathBuf>, LadderError> {
        let settings = self.settings()?;
        self.check_room(&settings)?;
        let ratings: Ratings = self.ratings()?;
        let mut candidates = self.candidates(&ratings, |_| false, now_ms)?;
        let given = folder.join("submissions");
        fs::create_dir_all(&given).map_err(LadderError::file(&given))?;
        let (mut ids, mut paths) = (Vec::new(), Vec::new());
        for _ in 0..matches {
            let Some(labels) = next_table(&candidates, settings.seats, i64::MAX) else {
                return Err(LadderError::Refused(
                    "there is nobody who can play a match of a batch".to_string(),
                ));
            };
            let id = self.plan_labels(&labels, &settings, Some(due_back_ms), now_ms)?;
            for played in candidates.iter_mut().filter(|one| labels.contains(&one.label)) {
                as_if_played(played);
            }
            ids.push(id);
        }
        for id in &ids {
            let found = self.match_of(*id)?;
            for seat in &found.seats {
                self.give_submission(seat.version, &given)?;
            }
            let file = MatchFile { casino_match: FORM, plan: self.plan_of(&found)? };
            let path = folder.join(format!("{}.json", found.name));
            let text =
                serde_json::to_vec_pretty(&file).map_err(|why| LadderError::Refused(why.to_string()))?;
            files::write_anew(&path, &text, Readers::Owner).map_err(LadderError::file(&path))?;
            paths.push(path);
        }
        Ok(paths)
    }

    pub(crate) fn plan_labels(
        &mut self,
        labels: &[String],
        settings: &super::Settings,
        due_back_ms: Option<i64>,
        now_ms: i64,
    ) -> Result<MatchId, LadderError> {
        let versions = labels
            .iter()
            .map(|label| Ok(self.version_labelled(label)?.id))
            .collect::<Result<Vec<_>, LadderError>>()?;
        self.plan(settings.terms(MatchKind::Rated), &versions, None, due_back_ms, now_ms)
    }

    /// What was handed out in a batch and has not come back in its time is void: nobody waits for it any more. A result that comes
    /// later is taken all the same. Says how many there were.
    ///
    /// # Errors
    /// [`LadderError`] if that cannot be read or written.
    pub fn give_up_overdue(&mut self, now_ms: i64) -> Result<usize, LadderError> {
        const OVERDUE: &str = "state = 'planned' AND is_away = 1 AND coalesce(due_back_ms, 0) <= ?1";
        // Whoever plays asks often, and seldom is there anything to be written.
        let asked = format!("SELECT 1 FROM matches WHERE {OVERDUE}");
        if !self.db.prepare(&asked)?.exists([now_ms])? {
            return Ok(0);
        }
        let step = self.begin()?;
        let change = format!(
            "UPDATE matches SET state = 'void', ended_ms = ?1, reason = 'it was planned for a batch and did not come back in time'
             WHERE {OVERDUE}"
        );
        let given_up = step.execute(&change, [now_ms])?;
        step.commit()?;
        Ok(given_up)
    }

    /// Puts what was handed in as a version into the batch's folder.
    fn give_submission(&self, version: super::VersionId, given: &Path) -> Result<(), LadderError> {
        let version = self.version(version)?;
        let (VersionKind::Submission, Some(sha256)) = (version.kind, &version.content_sha256) else {
            return Ok(());
        };
        let place = given.join(sha256);
        if place.exists() {
            return Ok(());
        }
        let part = given.join(format!("{sha256}.part"));
        // Of a process that died; if it cannot be removed, the next line says so.
        let _ = fs::remove_dir_all(&part);
        casino_system::folders::create_private(&part)
            .and_then(|()| {
                copy_handed_in(&self.submission_file(&version), &part.join(&version.source), u64::MAX)
            })
            .and_then(|()| fs::rename(&part, &place))
            .map_err(LadderError::file(&place))
    }

    /// Takes in the journal of a match that was handed out: it is played again here, and only what it proves is recorded.
    ///
    /// # Errors
    /// [`LadderError::Refused`] says why it is not taken; then nothing has changed.
    pub fn take(&mut self, journal: &Path, now_ms: i64) -> Result<(String, Recorded), LadderError> {
        let name = journal.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default().to_string();
        let refused =
            |why: String| LadderError::Refused(format!("{} is not taken: {why}", journal.display()));
        let found = self.match_named(&name).map_err(|_| {
            refused(
                "its name is that of no match of this ladder; a result is called as it was written"
                    .to_string(),
            )
        })?;
        let plan = self.plan_of(&found)?;
        // From a copy: what is proved here is what is kept, whatever happens to the file.
        let copy = self.unrecorded_journal(&name).with_extension("taken");
        fs::copy(journal, &copy).map_err(LadderError::file(journal))?;
        let taken = prove(&plan, &copy).map_err(|why| refused(why.to_string())).and_then(|proved| {
            if found.state == MatchState::Played
                && found.journal_sha256.as_ref() == Some(&proved.journal_sha256)
            {
                return Ok(Recorded::Before);
            }
            fs::File::open(&copy).and_then(|file| file.sync_all()).map_err(LadderError::file(&copy))?;
            self.record(found.id, &proved, &copy, now_ms).map_err(|why| refused(why.to_string()))
        });
        // It has gone to its place, or nobody needs it.
        let _ = fs::remove_file(&copy);
        Ok((name, taken?))
    }
}

/// What the rule of who plays next would know if the match were over.
fn as_if_played(one: &mut Candidate) {
    let before = one.matches as f64;
    one.half = if one.half.is_finite() { one.half } else { 100.0 } * ((before + 1.0) / (before + 2.0)).sqrt();
    one.matches += 1;
    one.waited_ms = 0;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folder::tests::Scratch;
    use crate::keys::sha256;
    use crate::{Connections, SeatSource, Settings, play};
    use std::collections::BTreeMap;

    /// A ladder whose guests are house bots under names of their own, so that no program has to be started.
    fn ladder(scratch: &Scratch) -> Ladder {
        let mut ladder = scratch.ladder();
        ladder.add_house_bots(1).unwrap();
        for (name, bot) in [("Ada", "reader"), ("Bob", "bold"), ("Cy", "odds")] {
            let player = ladder.add_player(name, Some(name), 1).unwrap();
            let new = crate::NewVersion {
                player,
                kind: VersionKind::House,
                source: bot.to_string(),
                content_sha256: None,
                bytes: 0,
            };
            ladder.add_version(&new, 1, |_| Ok(())).unwrap();
        }
        ladder.set_settings(&Settings { decks: 3, seats: 4, ..Settings::default() }).unwrap();
        ladder
    }

    fn run(file: &Path, out: &Path) -> PathBuf {
        play_to(&MatchFile::read(file).unwrap().plan, out)
    }

    fn play_to(plan: &MatchPlan, out: &Path) -> PathBuf {
        let journal = out.join(format!("{}.jsonl", plan.name));
        let none = BTreeMap::new();
        casino_host::block_on(play(plan, None, &none, Connections::new(), &journal, || false))
            .unwrap()
            .unwrap();
        journal
    }

    /// In any order, one delivered twice, one forged and one never: the ratings are those of the matches that came, to the bit.
    #[test]
    fn a_batch_is_taken_in_any_order_and_nothing_forged() {
        let scratch = Scratch::new("batch");
        let mut ladder = ladder(&scratch);
        let all = ["Ada/1", "Bob/1", "Cy/1", "simple/1"];
        let settings = ladder.settings().unwrap();
        let labels = all.map(str::to_string);
        let ids: Vec<MatchId> =
            (0..6).map(|_| ladder.plan_labels(&labels, &settings, Some(8), 2).unwrap()).collect();
        let out = scratch.path().join("out");
        fs::create_dir_all(&out).unwrap();
        let mut journals = Vec::new();
        for id in &ids {
            let found = ladder.match_of(*id).unwrap();
            assert!(!ladder.begin_match(*id, 3).unwrap(), "what was handed out is not played here");
            let file = out.join(format!("{}.json", found.name));
            let content = MatchFile { casino_match: FORM, plan: ladder.plan_of(&found).unwrap() };
            fs::write(&file, serde_json::to_vec(&content).unwrap()).unwrap();
            journals.push(run(&file, &out));
        }
        let mut text = Vec::new();
        ladder.export(&mut text, crate::Secrets::Included).unwrap();
        let mut other = Ladder::create(&scratch.path().join("other")).unwrap();
        other.restore(&mut text.as_slice()).unwrap();
        // One machine takes them in their order, the other one backwards, with one twice and a forged one in between.
        for journal in &journals[..5] {
            assert_eq!(ladder.take(journal, 9).unwrap().1, Recorded::Now);
        }
        let forged = scratch.path().join(journals[5].file_name().unwrap());
        let honest = fs::read_to_string(&journals[5]).unwrap();
        fs::write(&forged, honest.replacen("\"reply\":\"fold\"", "\"reply\":\"bet:0\"", 1)).unwrap();
        let refused = other.take(&forged, 9).unwrap_err().to_string();
        assert!(refused.contains("is not taken"), "{refused}");
        // A whole match that somebody else played in the place of a house bot.
        let mut swapped = ladder.plan_of(&ladder.match_of(ids[5]).unwrap()).unwrap();
        swapped.seats[3].plays = SeatSource::House("caller".to_string());
        let elsewhere = scratch.path().join("elsewhere");
        fs::create_dir_all(&elsewhere).unwrap();
        let played = fs::read_to_string(play_to(&swapped, &elsewhere)).unwrap();
        let (first, rest) = (honest.split_once('\n').unwrap().0, played.split_once('\n').unwrap().1);
        let (rounds, over) = rest.trim_end().rsplit_once('\n').unwrap();
        let before = format!("{first}\n{rounds}\n");
        let (over, _) = over.rsplit_once(r#","before""#).unwrap();
        let sum = sha256(&before);
        fs::write(&forged, format!("{before}{over},\"before\":\"{sum}\"}}\n")).unwrap();
        let refused = other.take(&forged, 9).unwrap_err().to_string();
        assert!(refused.contains("is not what was played"), "{refused}");
        fs::write(&forged, &honest[..honest.len() / 2]).unwrap();
        assert!(other.take(&forged, 9).is_err());
        let another = scratch.path().join(journals[4].file_name().unwrap());
        fs::write(&another, &honest).unwrap();
        assert!(other.take(&another, 9).is_err(), "the journal of another match");
        for journal in journals[..5].iter().rev() {
            assert_eq!(other.take(journal, 9).unwrap().1, Recorded::Now);
        }
        assert_eq!(other.take(&journals[2], 10).unwrap().1, Recorded::Before);
        assert_eq!(other.reckon(11).unwrap(), ladder.reckon(12).unwrap());
        for ladder in [&ladder, &other] {
            let verified = ladder.verify(|_, _| {}).unwrap();
            assert_eq!((verified.matches, &verified.problems[..]), (5, &[][..]));
            assert!(verified.ratings > 0);
        }
        // A row that was changed is found.
        other
            .db
            .execute("UPDATE seats SET chips = chips + 1 WHERE match = ?1 AND seat = 0", [ids[0]])
            .unwrap();
        let problems = other.verify(|_, _| {}).unwrap().problems;
        assert!(problems[0].contains("another result"), "{problems:?}");
    }
    #[test]
    fn what_does_not_come_back_is_void_in_time_and_taken_when_it_comes_later() {
        let scratch = Scratch::new("overdue");
        let mut ladder = ladder(&scratch);
        let settings = ladder.settings().unwrap();
        let labels = ["Ada/1", "Bob/1", "simple/1"].map(str::to_string);
        let id = ladder.plan_labels(&labels, &settings, Some(8), 2).unwrap();
        let found = ladder.match_of(id).unwrap();
        assert_eq!((found.is_away, found.due_back_ms), (true, Some(8)));
        let file = scratch.path().join("match.json");
        let content = MatchFile { casino_match: FORM, plan: ladder.plan_of(&found).unwrap() };
        fs::write(&file, serde_json::to_vec(&content).unwrap()).unwrap();
        let journal = run(&file, scratch.path());
        assert_eq!(ladder.give_up_overdue(7).unwrap(), 0);
        assert_eq!(ladder.give_up_overdue(8).unwrap(), 1);
        assert_eq!(ladder.give_up_overdue(9).unwrap(), 0);
        let late = ladder.match_of(id).unwrap();
        assert!(late.state == MatchState::Void && late.reason.is_some(), "{late:?}");
        assert_eq!(ladder.take(&journal, 10).unwrap().1, Recorded::Now);
        let late = ladder.match_of(id).unwrap();
        assert_eq!((late.state, late.reason), (MatchState::Played, None));
        assert_eq!(ladder.take(&journal, 11).unwrap().1, Recorded::Before);
        // What is void for another reason stays so.
        let here = ladder.plan_labels(&labels, &settings, None, 12).unwrap();
        ladder.void(here, "the machine was switched off", 13).unwrap();
        let played = prove(&ladder.plan_of(&found).unwrap(), &ladder.journal(&found.name)).unwrap();
        assert!(ladder.record(here, &played, &journal, 14).is_err());
    }
}
