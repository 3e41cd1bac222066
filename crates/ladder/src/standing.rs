//! The ratings of a ladder, and the candidates for the next match.

use std::collections::{BTreeMap, BTreeSet};

use super::matches::drawn_seed;
use super::{
    Candidate, Ladder, LadderError, MatchKind, MatchState, MatchTerms, PlayerId, RatedMatch, RatedSeat,
    RatedVersion, Ratings, Version, VersionId, VersionKind, next_table, rate,
};

const STRANGERS_DECKS: u64 = 2;

impl Ladder {
    /// The ratings that follow from all rated matches.
    pub fn ratings(&self) -> Result<Ratings, LadderError> {
        let labels: BTreeMap<VersionId, Version> =
            self.versions()?.into_iter().map(|version| (version.id, version)).collect();
        Ok(rate(&self.rated_versions(&labels)?, &self.rated_matches(&labels)?))
    }

    fn rated_versions(&self, all: &BTreeMap<VersionId, Version>) -> Result<Vec<RatedVersion>, LadderError> {
        let active: BTreeSet<VersionId> =
            self.players()?.into_iter().filter_map(|player| player.active_version).collect();
        let by_number: BTreeMap<(i64, i64), &Version> =
            all.values().map(|version| ((version.player.0, version.number), version)).collect();
        let rated = |version: &Version| RatedVersion {
            label: version.label.clone(),
            predecessor: by_number
                .get(&(version.player.0, version.number - 1))
                .map(|before| before.label.clone()),
            is_house: version.kind == VersionKind::House,
            is_active: active.contains(&version.id),
        };
        Ok(all.values().map(rated).collect())
    }

    fn rated_matches(&self, all: &BTreeMap<VersionId, Version>) -> Result<Vec<RatedMatch>, LadderError> {
        let mut rows = self.db.prepare(
            "SELECT m.name, m.rounds, s.version, s.chips, s.decks, s.squares FROM matches AS m JOIN seats AS s ON s.match = m.id
             WHERE m.kind = ?1 AND m.state = ?2 ORDER BY m.id, s.seat",
        )?;
        let mut rows = rows.query((MatchKind::Rated, MatchState::Played))?;
        let mut matches: Vec<RatedMatch> = Vec::new();
        while let Some(row) = rows.next()? {
            let (name, rounds): (String, i64) = (row.get(0)?, row.get(1)?);
            let Some(version) = all.get(&row.get(2)?) else { continue };
            let label = version.label.clone();
            let seat = RatedSeat { label, chips: row.get(3)?, decks: row.get(4)?, squares: row.get(5)? };
            match matches.last_mut() {
                Some(last) if last.name == name => last.seats.push(seat),
                _ => matches.push(RatedMatch { name, rounds, seats: vec![seat] }),
            }
        }
        Ok(matches)
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
    /// `comes` is true.
    pub fn candidates(
        &self,
        comes: impl Fn(&Version) -> bool,
        now_ms: i64,
    ) -> Result<Vec<Candidate>, LadderError> {
        let busy = self.busy_versions()?;
        let last = self.last_played()?;
        let mut candidates = Vec::new();
        for version in self.active_versions()?.into_iter().filter(|version| !version.is_strangers()) {
            let is_house = version.kind == VersionKind::House;
            if is_house || !busy.contains(&version.id) && comes(&version) {
                let waited_ms = now_ms - last.get(&version.id).copied().unwrap_or(version.created_ms);
                candidates.push(Candidate { version: version.id, is_house, waited_ms });
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
        if settings.is_paused {
            return Ok(None);
        }
        self.check_room(&settings)?;
        let mut dice = drawn_seed()?.stream("table");
        let table = next_table(&self.candidates(comes, now_ms)?, settings.seats, &mut dice);
        table
            .map(|versions| self.plan_match(settings.terms(MatchKind::Rated), &versions, None, now_ms))
            .transpose()
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
        let mut candidates = self.candidates(|_| false, now_ms)?;
        candidates.push(Candidate { version: stranger.id, is_house: false, waited_ms: 0 });
        let mut dice = drawn_seed()?.stream("table");
        let table = next_table(&candidates, settings.seats, &mut dice);
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

    /// When each active version played its last rated match: a challenge makes no player wait longer for one.
    fn last_played(&self) -> Result<BTreeMap<VersionId, i64>, LadderError> {
        let sql = "SELECT p.active_version, (
                 SELECT m.ended_ms FROM seats AS s JOIN matches AS m ON m.id = s.match
                 WHERE s.version = p.active_version AND m.state = 'played' AND m.kind = 'rated' ORDER BY s.match DESC LIMIT 1)
             FROM players AS p WHERE p.active_version IS NOT NULL";
        let played = self.rows(sql, [], |row| Ok((row.get(0)?, row.get::<_, Option<i64>>(1)?)))?;
        Ok(played.into_iter().filter_map(|(version, ended_ms)| Some((version, ended_ms?))).collect())
    }
}
