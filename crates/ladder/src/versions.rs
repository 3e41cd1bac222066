//! The versions of players' programs.

use rusqlite::{OptionalExtension, Row, ToSql};

use super::matches::void_planned;
use super::{Ladder, LadderError, PlayerId, Version, VersionId, VersionKind, VersionState};

const QUERY: &str =
    "SELECT v.id, v.player, v.number, p.name || '/' || v.number, v.kind, v.source, v.content_sha256,
    v.state, v.reason, v.diagnosis, v.bytes, v.created_ms
    FROM versions AS v JOIN players AS p ON p.id = v.player WHERE ";

/// A version that comes in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewVersion {
    /// The owner.
    pub player: PlayerId,
    /// How it plays.
    pub kind: VersionKind,
    /// The name of the submitted file.
    pub source: String,
    /// The SHA-256 of the submission.
    pub content_sha256: Option<String>,
    /// Its bytes.
    pub bytes: i64,
}

fn version(row: &Row<'_>) -> rusqlite::Result<Version> {
    Ok(Version {
        id: row.get(0)?,
        player: row.get(1)?,
        number: row.get(2)?,
        label: row.get(3)?,
        kind: row.get(4)?,
        source: row.get(5)?,
        content_sha256: row.get(6)?,
        state: row.get(7)?,
        reason: row.get(8)?,
        diagnosis: row.get(9)?,
        bytes: row.get(10)?,
        created_ms: row.get(11)?,
    })
}

impl Ladder {
    /// Adds a version of a player's program: it waits to be checked, or is ready if it connects on its own, and then
    /// plays from now on. `place` stores its files under its number; if that fails, there is no version.
    pub fn add_version(
        &mut self,
        new: &NewVersion,
        now_ms: i64,
        place: impl FnOnce(VersionId) -> Result<(), LadderError>,
    ) -> Result<VersionId, LadderError> {
        let NewVersion { player, kind, source, content_sha256, bytes } = new;
        let state = match kind {
            VersionKind::Submission => VersionState::Waiting,
            VersionKind::House | VersionKind::Connection => VersionState::Ready,
        };
        self.player(*player)?;
        let step = self.begin()?;
        step.execute(
            "INSERT INTO versions (player, number, kind, source, content_sha256, state, bytes, created_ms)
             VALUES (?1, (SELECT coalesce(max(number), 0) + 1 FROM versions WHERE player = ?1), ?2, ?3, ?4, ?5, ?6, ?7)",
            (player, kind, source, content_sha256, state, bytes, now_ms),
        )?;
        let id = VersionId(step.last_insert_rowid());
        if *kind == VersionKind::Submission {
            step.execute(
                "INSERT INTO submissions (player, version, at_ms, bytes) VALUES (?1, ?2, ?3, ?4)",
                (player, id, now_ms, bytes),
            )?;
        }
        if state == VersionState::Ready {
            step.execute("UPDATE players SET active_version = ?2 WHERE id = ?1", (player, id))?;
        }
        place(id)?;
        step.commit()?;
        Ok(id)
    }

    /// The version of this number.
    pub fn version(&self, id: VersionId) -> Result<Version, LadderError> {
        let mut row = self.db.prepare(&format!("{QUERY} v.id = ?1"))?;
        row.query_row([id], version).optional()?.ok_or_else(|| LadderError::unknown("version", id))
    }

    /// The version of this label, such as `Ada/3`.
    pub fn version_labelled(&self, label: &str) -> Result<Version, LadderError> {
        let unknown = || LadderError::unknown("version", label);
        let (name, number) = label.rsplit_once('/').ok_or_else(unknown)?;
        let number: i64 = number.parse().map_err(|_| unknown())?;
        self.versions_where("p.name = ?1 AND v.number = ?2", &[&name, &number])?.pop().ok_or_else(unknown)
    }

    /// All versions of all players, the oldest first.
    pub fn versions(&self) -> Result<Vec<Version>, LadderError> {
        self.versions_where("1 ORDER BY v.id", &[])
    }

    /// All versions of a player, the oldest first.
    pub fn versions_of(&self, player: PlayerId) -> Result<Vec<Version>, LadderError> {
        self.versions_where("v.player = ?1 ORDER BY v.number", &[&player])
    }

    /// The versions that wait to be checked, the oldest first.
    pub fn waiting_versions(&self) -> Result<Vec<Version>, LadderError> {
        self.versions_where("v.state = 'waiting' AND p.retired_ms IS NULL ORDER BY v.id", &[])
    }

    pub(crate) fn versions_where(
        &self,
        of: &str,
        values: &[&dyn ToSql],
    ) -> Result<Vec<Version>, LadderError> {
        self.rows(&format!("{QUERY} {of}"), values, version)
    }

    /// Records the result of a check. A version that is ready plays from now on.
    pub fn set_checked(
        &mut self,
        id: VersionId,
        state: VersionState,
        reason: Option<&str>,
        diagnosis: Option<&str>,
    ) -> Result<(), LadderError> {
        let step = self.begin()?;
        let changed = step.execute(
            "UPDATE versions SET state = ?2, reason = ?3, diagnosis = ?4 WHERE id = ?1",
            (id, state, reason, diagnosis),
        )?;
        LadderError::unless_changed(changed, "version", id)?;
        if state == VersionState::Ready {
            step.execute(
                "UPDATE players SET active_version = ?1 WHERE id = (SELECT player FROM versions WHERE id = ?1)",
                [id],
            )?;
        }
        Ok(step.commit()?)
    }

    /// Sets a version aside because it could not be checked or started: it does not play until its author activates it
    /// again, and its planned matches are void.
    pub fn set_aside(&mut self, id: VersionId, why: &str, now_ms: i64) -> Result<(), LadderError> {
        let step = self.begin()?;
        let sql = "UPDATE versions SET state = 'set_aside', reason = ?2 WHERE id = ?1";
        LadderError::unless_changed(step.execute(sql, (id, why))?, "version", id)?;
        step.execute(&void_planned("s.version = ?1"), (id, "a version was set aside", now_ms))?;
        Ok(step.commit()?)
    }

    /// From now on this version of its player plays. One that had been set aside is tried again.
    pub fn activate(&mut self, id: VersionId) -> Result<(), LadderError> {
        let version = self.version(id)?;
        if self.settings()?.is_frozen {
            return Err(LadderError::Refused("the ladder is frozen: versions stay as they are".to_string()));
        }
        match version.state {
            VersionState::Ready | VersionState::SetAside => {}
            VersionState::Waiting => {
                return Err(LadderError::Refused(format!("{} has not been checked yet", version.label)));
            }
            VersionState::Refused => {
                return Err(LadderError::Refused(format!("{} did not pass the check", version.label)));
            }
        }
        let step = self.begin()?;
        // One that could not be checked is checked again.
        let sql =
            "UPDATE versions SET reason = NULL, state = CASE WHEN diagnosis IS NULL AND kind = 'submission'
            THEN 'waiting' ELSE 'ready' END WHERE id = ?1";
        step.execute(sql, [id])?;
        step.execute("UPDATE players SET active_version = ?2 WHERE id = ?1", (version.player, id))?;
        Ok(step.commit()?)
    }

    /// How many submissions a player has made in this time up to now. Those with a date in the future are older than the clock.
    pub fn recent_submissions(
        &self,
        player: PlayerId,
        within_ms: i64,
        now_ms: i64,
    ) -> Result<u32, LadderError> {
        let sql = "SELECT count(*) FROM submissions WHERE player = ?1 AND at_ms >= ?2 AND at_ms <= ?3";
        Ok(self.db.prepare(sql)?.query_row((player, now_ms - within_ms, now_ms), |row| row.get(0))?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folder::tests::Scratch;

    #[test]
    fn an_older_version_can_be_activated() {
        let scratch = Scratch::new("versions");
        let mut ladder = scratch.ladder();
        let player = ladder.add_player("Ada", Some("ada"), 1).unwrap();
        let source = "bot.zip".to_string();
        let new =
            NewVersion { player, kind: VersionKind::Submission, source, content_sha256: None, bytes: 9 };
        let [first, second, third] = [2, 3, 4].map(|now| ladder.add_version(&new, now, |_| Ok(())).unwrap());
        assert!(ladder.active_versions().unwrap().is_empty(), "nothing plays before it is checked");
        ladder.set_checked(first, VersionState::Ready, None, Some("passed")).unwrap();
        ladder.set_checked(second, VersionState::Refused, Some("it folds out of turn"), None).unwrap();
        ladder.set_checked(third, VersionState::Ready, None, None).unwrap();
        let plays = |ladder: &Ladder| ladder.active_versions().unwrap()[0].label.clone();
        assert_eq!(plays(&ladder), "Ada/3");
        ladder.activate(first).unwrap();
        assert_eq!(plays(&ladder), "Ada/1");
        assert!(ladder.activate(second).is_err());
        ladder.set_aside(first, "java is not installed", 9).unwrap();
        assert!(ladder.active_versions().unwrap().is_empty());
        ladder.activate(first).unwrap();
        assert_eq!(plays(&ladder), "Ada/1");
        assert_eq!(ladder.version_labelled("Ada/2").unwrap().state, VersionState::Refused);
        assert_eq!(ladder.recent_submissions(player, 6, 9).unwrap(), 2);
        assert_eq!(ladder.recent_submissions(player, 1, 3).unwrap(), 2, "the third came in the future");
        assert!(ladder.version_labelled("Ada").is_err() && ladder.version_labelled("Ada/9").is_err());
    }
}
