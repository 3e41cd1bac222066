//! Queries for pages. Their cost grows with the size of the page, not with the number of matches.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use casino_judge::grade::grade_submission::STARTER_KIT;
use rusqlite::{OptionalExtension, Row, ToSql};

use super::matches::{Conditions, one_foul};
use super::{Ladder, LadderError, Match, MatchFilter, MatchFoul, MatchId, PlayerId, Version, VersionId};

const MAX_SEARCHED_VERSIONS: u32 = 400;

impl Version {
    /// The name of the player.
    pub fn player_name(&self) -> &str {
        self.label.rsplit_once('/').map_or("", |(name, _)| name)
    }

    /// Whether it was an unchanged starter kit when it was checked.
    pub fn is_starter_kit(&self) -> bool {
        self.diagnosis.as_ref().is_some_and(|said| said.starts_with(STARTER_KIT))
    }

    /// Why it does not play, or else that it is a starter kit, for its author and the teacher.
    pub fn remark(&self) -> Option<&str> {
        self.reason.as_deref().or_else(|| self.is_starter_kit().then_some(STARTER_KIT))
    }
}

impl Ladder {
    /// Opens a read-only handle, beside the process that plays.
    pub fn open_to_read(folder: &Path) -> Result<Ladder, LadderError> {
        let ladder = Ladder::open(folder)?;
        ladder.db.pragma_update(None, "query_only", true)?;
        Ok(ladder)
    }

    /// These versions, by their numbers.
    pub fn named(
        &self,
        versions: impl IntoIterator<Item = VersionId>,
    ) -> Result<BTreeMap<VersionId, Version>, LadderError> {
        let ids: BTreeSet<VersionId> = versions.into_iter().collect();
        ids.into_iter().map(|id| Ok((id, self.version(id)?))).collect()
    }

    /// The numbers of a player's versions, the newest first.
    fn version_ids(&self, player: PlayerId) -> Result<Vec<VersionId>, LadderError> {
        let sql = "SELECT id FROM versions WHERE player = ?1 ORDER BY number DESC LIMIT ?2";
        self.rows(sql, (player, MAX_SEARCHED_VERSIONS), |row| row.get(0))
    }

    /// The last fouls of a player, the newest match first.
    pub fn fouls_of(&self, player: PlayerId, most: u32) -> Result<Vec<(MatchId, MatchFoul)>, LadderError> {
        let mut rows = self.db.prepare(
            "SELECT f.match, f.seat, f.round, f.name, f.why FROM seats AS s
             JOIN fouls AS f ON f.match = s.match AND f.seat = s.seat
             WHERE s.version = ?1 ORDER BY s.match DESC, f.rowid LIMIT ?2",
        )?;
        let one = |row: &Row<'_>| Ok((row.get(0)?, one_foul(row)?));
        let mut fouls: Vec<(MatchId, MatchFoul)> = Vec::new();
        for version in self.version_ids(player)? {
            for foul in rows.query_map((version, most), one)? {
                fouls.push(foul?);
            }
        }
        fouls.sort_by_key(|(id, _)| std::cmp::Reverse(*id));
        fouls.truncate(most as usize);
        Ok(fouls)
    }

    /// The matches that pass the filter, the newest first. There may be very many: the search begins with the versions
    /// of the player with fewer matches.
    pub fn page_of_matches(&self, filter: MatchFilter) -> Result<Vec<Match>, LadderError> {
        let MatchFilter { player: Some(player), opponent, most, .. } = filter else {
            return self.matches(filter);
        };
        // A house bot sits in every match, its opponent does not.
        let (player, opponent) = match opponent {
            Some(opponent) if self.player(player)?.is_house => (opponent, Some(player)),
            opponent => (player, opponent),
        };
        let of_a_version =
            "SELECT s.match FROM seats AS s JOIN matches AS m ON m.id = s.match WHERE s.version = ?1";
        let mut query = Conditions::of(of_a_version.to_string(), 1);
        query.also(
            " AND EXISTS (SELECT 1 FROM seats AS o JOIN versions AS v ON v.id = o.version WHERE o.match = s.match AND v.player = ?)",
            &opponent,
        );
        query.newest_matches(&filter, "s.match");
        let mut rows = self.db.prepare(&query.sql)?;
        let mut ids: Vec<MatchId> = Vec::new();
        for version in self.version_ids(player)? {
            let values = [&version as &dyn ToSql].into_iter().chain(query.values.iter().copied());
            let values: Vec<&dyn ToSql> = values.collect();
            for id in rows.query_map(values.as_slice(), |row| row.get(0))? {
                ids.push(id?);
            }
        }
        ids.sort_by_key(|id| std::cmp::Reverse(*id));
        if most > 0 {
            ids.truncate(most as usize);
        }
        ids.into_iter().map(|id| self.match_of(id)).collect()
    }

    /// How many versions a player has, and the newest of them.
    pub fn newest_version(&self, player: PlayerId) -> Result<(usize, Option<Version>), LadderError> {
        let sql = "SELECT count(*) FROM versions WHERE player = ?1";
        let count: i64 = self.db.query_row(sql, [player], |row| row.get(0))?;
        let newest = "SELECT id FROM versions WHERE player = ?1 ORDER BY number DESC LIMIT 1";
        let newest = self.db.query_row(newest, [player], |row| row.get(0)).optional()?;
        let newest = newest.map(|id| self.version(id)).transpose()?;
        Ok((usize::try_from(count).unwrap_or_default(), newest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folder::tests::Scratch;
    use crate::{MatchKind, MatchState, MatchTerms, PlayedMatch, SeatResult};

    /// A ladder in which house bots have played this many matches of two kinds, in pairs.
    fn played(ladder: &mut Ladder, count: i64) -> Vec<MatchId> {
        let label = |name: &str| format!("{name}/1");
        let pairs = [["bold", "odds"], ["bold", "simple"], ["odds", "simple"]];
        let mut ids = Vec::new();
        for number in 0..count {
            let kind = if number % 3 == 0 { MatchKind::Challenge } else { MatchKind::Rated };
            let pair = pairs[number as usize % 3];
            let versions = pair.map(|name| ladder.version_labelled(&label(name)).unwrap().id);
            let terms = MatchTerms { kind, decks: 1, stack: 200, reply_ms: 1_000 };
            let id = ladder.plan_match(terms, &versions, None, number).unwrap();
            ids.push(id);
            if number % 5 == 4 {
                continue;
            }
            assert!(ladder.begin_match(id, number * 1_000).unwrap());
            let won = |chips| SeatResult { chips, rounds: 2, decks: 1, squares: 100 };
            let result = PlayedMatch {
                results: vec![won(10), won(-10)],
                fouls: vec![MatchFoul {
                    seat: 1,
                    round: 1,
                    name: "illegal bet".into(),
                    why: "It did.".into(),
                }],
                rounds: 2,
                journal_sha256: format!("{number:064}"),
                journal_bytes: 1,
            };
            let journal = ladder.unrecorded_journal("x");
            std::fs::write(&journal, "x").unwrap();
            ladder.record(id, &result, &journal, number * 1_000 + 500).unwrap();
        }
        ids
    }

    #[test]
    fn a_page_of_matches_is_a_prefix_of_the_filtered_ones() {
        let scratch = Scratch::new("reading");
        let mut ladder = scratch.ladder();
        ladder.add_house_bots(1).unwrap();
        let ids = played(&mut ladder, 30);
        let id = |name: &str| Some(ladder.player_named(name).unwrap().id);
        for player in [None, id("bold"), id("odds"), id("random")] {
            for opponent in [None, id("simple"), id("random")] {
                for kind in [None, Some(MatchKind::Rated), Some(MatchKind::Challenge)] {
                    for state in [None, Some(MatchState::Played), Some(MatchState::Planned)] {
                        for before in [None, Some(ids[17])] {
                            for most in [0, 3] {
                                let filter = MatchFilter { player, opponent, kind, state, before, most };
                                let found = ladder.page_of_matches(filter).unwrap();
                                assert_eq!(found, ladder.matches(filter).unwrap(), "{filter:?}");
                            }
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn newest_fouls_come_first() {
        let scratch = Scratch::new("recent");
        let mut ladder = scratch.ladder();
        ladder.add_house_bots(1).unwrap();
        let ids = played(&mut ladder, 20);
        let odds = ladder.player_named("odds").unwrap();
        let fouls = ladder.fouls_of(odds.id, 3).unwrap();
        assert_eq!(fouls.len(), 3);
        assert_eq!(fouls[0].0, ids[18]);
        let version = odds.active_version.unwrap();
        assert_eq!(ladder.named([version]).unwrap()[&version].label, "odds/1");
    }

    #[test]
    fn a_read_only_handle_cannot_write() {
        let scratch = Scratch::new("read-only");
        let mut ladder = scratch.ladder();
        ladder.add_house_bots(1).unwrap();
        let mut reader = Ladder::open_to_read(ladder.folder()).unwrap();
        assert!(reader.add_player("Eve", None, 1).is_err());
        assert!(!reader.players().unwrap().is_empty());
    }
}
