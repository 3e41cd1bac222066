//! The ratings of a ladder, and the candidates for the next match.

use std::collections::{BTreeMap, BTreeSet};

use super::matches::drawn_seed;
use super::rating::compare_in_duels;
use super::{
    Candidate, Comparison, Ladder, LadderError, MatchKind, MatchState, MatchTerms, PlayerId, RatedMatch,
    RatedSeat, RatedVersion, Ratings, SeatResult, Version, VersionId, VersionKind, VersionState, next_table,
    rate,
};

const STRANGERS_DECKS: u64 = 2;

/// The decks of a match between two versions of a player.
const DUEL_DECKS: u64 = 100;

impl Ladder {
    /// The ratings that follow from all rated matches.
    pub fn ratings(&self) -> Result<Ratings, LadderError> {
        let sql = "SELECT p.name, v.number, p.is_house, coalesce(v.id = p.active_version, 0)
             FROM versions AS v JOIN players AS p ON p.id = v.player";
        let version = |row: &rusqlite::Row<'_>| {
            let (name, number): (String, i64) = (row.get(0)?, row.get(1)?);
            Ok(RatedVersion {
                label: format!("{name}/{number}"),
                predecessor: (number > 1).then(|| format!("{name}/{}", number - 1)),
                is_house: row.get(2)?,
                is_active: row.get(3)?,
            })
        };
        let versions = self.rows(sql, [], version)?;
        let mut rows = self.db.prepare(
            "SELECT m.name, m.rounds, p.name || '/' || v.number, s.chips, s.decks, s.squares
             FROM matches AS m JOIN seats AS s ON s.match = m.id JOIN versions AS v ON v.id = s.version
             JOIN players AS p ON p.id = v.player WHERE m.kind = ?1 AND m.state = ?2 ORDER BY m.id, s.seat",
        )?;
        let mut rows = rows.query((MatchKind::Rated, MatchState::Played))?;
        let mut matches: Vec<RatedMatch> = Vec::new();
        while let Some(row) = rows.next()? {
            let (name, rounds): (String, i64) = (row.get(0)?, row.get(1)?);
            let (chips, decks, squares) = (row.get(3)?, row.get(4)?, row.get(5)?);
            let seat = RatedSeat { label: row.get(2)?, chips, decks, squares };
            match matches.last_mut() {
                Some(last) if last.name == name => last.seats.push(seat),
                _ => matches.push(RatedMatch { name, rounds, seats: vec![seat] }),
            }
        }
        Ok(rate(&versions, &matches))
    }

    /// The ranks of the players by the values of their active versions, from 1: only players with matches, without
    /// house bots.
    pub fn ranks(&self, ratings: &Ratings) -> Result<BTreeMap<PlayerId, usize>, LadderError> {
        let active = self
            .active_versions()?
            .into_iter()
            .filter(|version| version.kind != VersionKind::House && !version.is_strangers());
        let mut played: Vec<(f64, PlayerId)> = active
            .filter_map(|version| {
                let rating = ratings.of(&version.label).filter(|rating| rating.matches > 0)?;
                Some((rating.value, version.player))
            })
            .collect();
        played.sort_by(|(one, first), (other, second)| other.total_cmp(one).then(first.cmp(second)));
        Ok(played.into_iter().map(|(_, player)| player).zip(1..).collect())
    }

    /// The versions that can be seated now: house bots, and active versions that are not at a table and of which
    /// `comes` is true. One that has not played yet has waited longest.
    pub fn candidates(&self, comes: impl Fn(&Version) -> bool) -> Result<Vec<Candidate>, LadderError> {
        let busy = self.busy_versions()?;
        let last = self.last_matches()?;
        let newest: i64 =
            self.db.query_row("SELECT coalesce(max(id), 0) FROM matches", [], |row| row.get(0))?;
        let first = last.values().copied().min().unwrap_or(newest);
        let mut candidates = Vec::new();
        for version in self.active_versions()?.into_iter().filter(|version| !version.is_strangers()) {
            let is_house = version.kind == VersionKind::House;
            if is_house || !busy.contains(&version.id) && comes(&version) {
                let waited = newest - last.get(&version.id).copied().unwrap_or(first);
                candidates.push(Candidate { version: version.id, is_house, waited });
            }
        }
        Ok(candidates)
    }

    /// Plans the next rated match, if there is one and matches may be begun; see [`Ladder::candidates`].
    pub fn plan_next(
        &mut self,
        comes: impl Fn(&Version) -> bool,
        now_ms: i64,
    ) -> Result<Option<super::MatchId>, LadderError> {
        let settings = self.settings()?;
        self.check_room(&settings)?;
        let mut dice = drawn_seed()?.stream("table");
        let rated = "SELECT 1 FROM matches WHERE state IN ('playing', 'planned') AND kind = 'rated'";
        let others_play = self.db.prepare(rated)?.exists([])?;
        let table = next_table(&self.candidates(comes)?, settings.seats, others_play, &mut dice);
        table
            .map(|versions| self.plan_match(settings.terms(MatchKind::Rated), &versions, None, now_ms))
            .transpose()
    }

    /// Plans equal deals between a version that has passed its check and its player's one before it, if there is one.
    pub(crate) fn plan_duel(&mut self, version: &Version, now_ms: i64) -> Result<(), LadderError> {
        let is_before = |other: &Version| {
            other.number < version.number
                && other.kind == VersionKind::Submission
                && other.state == VersionState::Ready
        };
        let before = self.versions_of(version.player)?.into_iter().rev().find(is_before);
        if let (Some(before), VersionState::Ready) = (before, version.state) {
            let terms = MatchTerms { decks: DUEL_DECKS, ..self.settings()?.terms(MatchKind::Challenge) };
            self.plan_match(terms, &[version.id, before.id], Some(version.player), now_ms)?;
        }
        Ok(())
    }

    /// Compares two versions of a player by the equal deals between them; `None` if there were none.
    pub fn compare_own(&self, one: VersionId, other: VersionId) -> Result<Option<Comparison>, LadderError> {
        let sql = "SELECT s.chips, s.rounds, s.decks, s.squares FROM seats AS s JOIN seats AS o ON o.match = s.match AND o.seat <> s.seat
             JOIN matches AS m ON m.id = s.match
             WHERE s.version = ?1 AND o.version = ?2 AND m.state = 'played'
             AND (SELECT count(*) FROM seats AS t WHERE t.match = m.id) = 2";
        let result = |row: &rusqlite::Row<'_>| {
            Ok(SeatResult {
                chips: row.get(0)?,
                rounds: row.get(1)?,
                decks: row.get(2)?,
                squares: row.get(3)?,
            })
        };
        Ok(compare_in_duels(&self.rows(sql, (one, other), result)?))
    }

    /// Plans a short unrated match of a stranger who waits with house bots, if there is one.
    pub(crate) fn plan_for_stranger(
        &mut self,
        is_connected: impl Fn(&Version) -> bool,
        now_ms: i64,
    ) -> Result<Option<super::MatchId>, LadderError> {
        let busy = self.busy_versions()?;
        let waits = |version: &Version| {
            version.is_strangers() && !busy.contains(&version.id) && is_connected(version)
        };
        let Some(stranger) = self.active_versions()?.into_iter().find(waits) else { return Ok(None) };
        let settings = self.settings()?;
        let mut candidates = self.candidates(|_| false)?;
        candidates.push(Candidate { version: stranger.id, is_house: false, waited: 0 });
        let mut dice = drawn_seed()?.stream("table");
        let table = next_table(&candidates, settings.seats, false, &mut dice);
        let terms =
            MatchTerms { decks: STRANGERS_DECKS.min(settings.decks), ..settings.terms(MatchKind::Challenge) };
        table.map(|versions| self.plan_match(terms, &versions, None, now_ms)).transpose()
    }

    /// Whether the ladder may use more of the disk.
    pub fn check_room(&self, settings: &super::Settings) -> Result<(), LadderError> {
        let used = self.used_bytes()?;
        let most = settings.quotas.ladder_bytes;
        if used >= most {
            return Err(LadderError::Full(format!("the ladder has {used} bytes and may have {most}")));
        }
        Ok(())
    }

    /// The bytes of all journals and submissions.
    pub fn used_bytes(&self) -> Result<u64, LadderError> {
        let sql = "SELECT (SELECT coalesce(sum(journal_bytes), 0) FROM matches) + (SELECT coalesce(sum(bytes), 0) FROM versions)";
        let used: i64 = self.db.query_row(sql, [], |row| row.get(0))?;
        Ok(u64::try_from(used).unwrap_or_default())
    }

    /// The versions at a table. One with a challenge in the queue plays on meanwhile.
    pub(crate) fn busy_versions(&self) -> Result<BTreeSet<VersionId>, LadderError> {
        let sql = "SELECT s.version FROM matches AS m JOIN seats AS s ON s.match = m.id
             WHERE m.state = 'playing' OR m.state = 'planned' AND m.kind = 'rated'";
        Ok(self.rows(sql, [], |row| row.get(0))?.into_iter().collect())
    }

    /// The last rated match of each active version of a student: a challenge makes no player wait longer for one.
    fn last_matches(&self) -> Result<BTreeMap<VersionId, i64>, LadderError> {
        let sql = "SELECT p.active_version, (
                 SELECT s.match FROM seats AS s JOIN matches AS m ON m.id = s.match
                 WHERE s.version = p.active_version AND m.state = 'played' AND m.kind = 'rated' ORDER BY s.match DESC LIMIT 1)
             FROM players AS p WHERE p.active_version IS NOT NULL AND NOT p.is_house";
        let played = self.rows(sql, [], |row| Ok((row.get(0)?, row.get::<_, Option<i64>>(1)?)))?;
        Ok(played.into_iter().filter_map(|(version, last)| Some((version, last?))).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folder::tests::Scratch;
    use crate::{NewVersion, PlayedMatch};

    #[test]
    fn own_versions_are_compared_by_a_match_between_them_alone() {
        let scratch = Scratch::new("duels");
        let mut ladder = scratch.ladder();
        ladder.add_house_bots(1).unwrap();
        let player = ladder.add_player("Ada", None, 1).unwrap();
        let content_sha256 = Some("ab".repeat(32));
        let source = "bot".to_string();
        let new = NewVersion { player, kind: VersionKind::Submission, source, content_sha256, bytes: 1 };
        let [first, second] = [1, 2].map(|now| ladder.add_version(&new, now, |_| Ok(())).unwrap());
        for version in [first, second] {
            ladder.set_checked(version, VersionState::Ready, None, Some("passed")).unwrap();
            ladder.plan_duel(&ladder.version(version).unwrap(), 3).unwrap();
        }
        let planned = ladder.free_matches().unwrap();
        let [duel] = planned[..] else { panic!("{planned:?}") };
        let found = ladder.match_of(duel).unwrap();
        assert_eq!((found.kind, found.decks, found.challenger), (MatchKind::Challenge, 100, Some(player)));
        assert_eq!(ladder.recent_challenges(player, 1_000, 1_000).unwrap(), 0, "no quota counts it");
        assert_eq!(ladder.compare_own(first, second).unwrap(), None);
        let won = |chips: i64| SeatResult { chips, rounds: 200, decks: 100, squares: 10_000 };
        let result = PlayedMatch {
            results: vec![won(-300), won(300)],
            fouls: Vec::new(),
            rounds: 200,
            journal_sha256: "0".repeat(64),
            journal_bytes: 1,
        };
        let journal = ladder.unrecorded_journal("x");
        std::fs::write(&journal, "x").unwrap();
        ladder.record(duel, &result, &journal, 4).unwrap();
        assert_eq!(ladder.compare_own(first, second).unwrap(), Some(Comparison::Worse { of_100: 99 }));
        assert_eq!(ladder.compare_own(second, first).unwrap(), Some(Comparison::Better { of_100: 99 }));
        assert_eq!(ladder.compare_own(first, first).unwrap(), None);
        let ratings = ladder.ratings().unwrap();
        assert!(ratings.versions().iter().all(|rating| rating.matches == 0), "it is not rated");
    }
}
