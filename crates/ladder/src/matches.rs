//! The matches of a ladder.

use std::fs;
use std::path::Path;

use rusqlite::{OptionalExtension, Row, ToSql, Transaction, params};

use casino_stud::cards::Seed;
use casino_system::files;

use super::{
    Ladder, LadderError, Match, MatchFilter, MatchFoul, MatchId, MatchKind, MatchPlan, MatchSeat, MatchState,
    MatchTerms, PlannedSeat, PlayedMatch, PlayerId, SeatResult, SeatSource, Settings, VersionId, VersionKind,
};

const COLUMNS: &str =
    "m.id, m.name, m.kind, m.state, m.reason, m.seed, m.decks, m.stack, m.reply_ms, m.challenger,
    m.rounds, m.journal_sha256, m.journal_bytes, m.planned_ms, m.began_ms, m.ended_ms";

fn one_match(row: &Row<'_>) -> rusqlite::Result<Match> {
    Ok(Match {
        id: row.get(0)?,
        name: row.get(1)?,
        kind: row.get(2)?,
        state: row.get(3)?,
        reason: row.get(4)?,
        seed: row.get(5)?,
        decks: row.get(6)?,
        stack: row.get(7)?,
        reply_ms: row.get(8)?,
        challenger: row.get(9)?,
        rounds: row.get(10)?,
        journal_sha256: row.get(11)?,
        journal_bytes: row.get(12)?,
        planned_ms: row.get(13)?,
        began_ms: row.get(14)?,
        ended_ms: row.get(15)?,
        seats: Vec::new(),
    })
}

/// The foul of a row that begins with its match.
pub(crate) fn one_foul(row: &Row<'_>) -> rusqlite::Result<MatchFoul> {
    Ok(MatchFoul {
        seat: row.get::<_, i64>(1)? as usize,
        round: row.get::<_, i64>(2)? as u64,
        name: row.get(3)?,
        why: row.get(4)?,
    })
}

/// A seed that the system draws.
pub(crate) fn drawn_seed() -> Result<Seed, LadderError> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes)
        .map_err(|error| LadderError::Refused(format!("the system gives no random seed: {error}")))?;
    Ok(Seed::drawn(bytes))
}

impl Settings {
    /// The terms of a match of this kind.
    pub fn terms(&self, kind: MatchKind) -> MatchTerms {
        MatchTerms { kind, decks: self.decks, stack: self.stack, reply_ms: self.reply_ms }
    }
}

impl Ladder {
    /// Plans a match between these versions, in the order of their labels, with a seed that is drawn now.
    pub fn plan_match(
        &mut self,
        terms: MatchTerms,
        versions: &[VersionId],
        challenger: Option<PlayerId>,
        now_ms: i64,
    ) -> Result<MatchId, LadderError> {
        let planned = versions.iter().map(|version| Ok((self.planned_seat(*version)?, *version)));
        let mut planned = planned.collect::<Result<Vec<_>, LadderError>>()?;
        planned.sort_by(|(one, _), (other, _)| one.label.cmp(&other.label));
        let (seats, versions): (Vec<PlannedSeat>, Vec<VersionId>) = planned.into_iter().unzip();
        let plan = MatchPlan::new(terms, &drawn_seed()?, seats);
        plan.check()?;
        self.insert_match(&plan, &versions, challenger, now_ms)
    }

    pub(crate) fn planned_seat(&self, id: VersionId) -> Result<PlannedSeat, LadderError> {
        let version = self.version(id)?;
        let plays = match version.kind {
            VersionKind::House => SeatSource::House(version.source),
            VersionKind::Connection => SeatSource::Connection,
            VersionKind::Submission => SeatSource::Submission(version.content_sha256.unwrap_or_default()),
        };
        Ok(PlannedSeat { label: version.label, plays })
    }

    /// The plan of a match, as its rows have it.
    pub fn plan_of(&self, found: &Match) -> Result<MatchPlan, LadderError> {
        let seats =
            found.seats.iter().map(|seat| self.planned_seat(seat.version)).collect::<Result<_, _>>()?;
        let number = |value: i64| u64::try_from(value).unwrap_or_default();
        Ok(MatchPlan {
            name: found.name.clone(),
            terms: MatchTerms {
                kind: found.kind,
                decks: number(found.decks),
                stack: u32::try_from(found.stack).unwrap_or_default(),
                reply_ms: number(found.reply_ms),
            },
            seed: found.seed.clone(),
            seats,
        })
    }

    /// Writes a planned match of these versions, or one that was played before a backup, for its record.
    pub(crate) fn insert_match(
        &mut self,
        plan: &MatchPlan,
        versions: &[VersionId],
        challenger: Option<PlayerId>,
        now_ms: i64,
    ) -> Result<MatchId, LadderError> {
        let step = self.begin()?;
        let id = insert(&step, plan, versions, challenger, now_ms)?;
        step.commit()?;
        Ok(id)
    }

    /// Begins a planned match. Returns false if it is no longer planned because another process has it.
    pub fn begin_match(&mut self, id: MatchId, now_ms: i64) -> Result<bool, LadderError> {
        let step = self.begin()?;
        let begun = step.execute(
            "UPDATE matches SET state = 'playing', began_ms = ?2 WHERE id = ?1 AND state = 'planned'",
            (id, now_ms),
        )?;
        step.commit()?;
        Ok(begun == 1)
    }

    /// Records the result of a match: moves its journal into place within the transaction that writes the result. A
    /// process that dies before the end leaves a journal without a row, which [`Ladder::serve`] removes.
    pub(crate) fn record(
        &mut self,
        id: MatchId,
        played: &PlayedMatch,
        journal: &Path,
        now_ms: i64,
    ) -> Result<(), LadderError> {
        let found = self.match_of(id)?;
        match (found.state, &found.journal_sha256) {
            (MatchState::Played, Some(sha256)) if *sha256 == played.journal_sha256 => {
                return Ok(());
            }
            (MatchState::Played, _) => {
                return Err(LadderError::Refused(format!(
                    "the match {} was played already, with another journal: the first one counts",
                    found.name
                )));
            }
            (MatchState::Void, _) => {
                return Err(LadderError::Refused(format!(
                    "the match {} is void: {}",
                    found.name,
                    found.reason.unwrap_or_default()
                )));
            }
            (MatchState::Planned | MatchState::Playing, _) => {}
        }
        let place = self.journal(&found.name);
        // The transaction excludes other writers, so that no journal replaces a valid one.
        let step = self.begin()?;
        // Another process may have recorded it since its state was read.
        let changed = step.execute(
            "UPDATE matches SET state = 'played', rounds = ?2, journal_sha256 = ?3, journal_bytes = ?4,
             ended_ms = ?5, began_ms = coalesce(began_ms, ?5)
             WHERE id = ?1 AND state IN ('planned', 'playing')",
            params![id, played.rounds as i64, played.journal_sha256, played.journal_bytes as i64, now_ms],
        )?;
        if changed == 0 {
            return Err(LadderError::Refused(format!("the match {} was recorded meanwhile", found.name)));
        }
        fs::rename(journal, &place).map_err(LadderError::file(&place))?;
        write_results(step, id, played, &place).inspect_err(|_| {
            // The match is not recorded, so its journal is unfinished again. Where even that fails, `verify` names it.
            let _ = fs::rename(&place, journal);
        })
    }

    /// Voids a match; no player loses anything.
    pub fn void(&mut self, id: MatchId, reason: &str, now_ms: i64) -> Result<(), LadderError> {
        let step = self.begin()?;
        let changed = step.execute(
            "UPDATE matches SET state = 'void', reason = ?2, ended_ms = ?3 WHERE id = ?1 AND state IN ('planned', 'playing')",
            (id, reason, now_ms),
        )?;
        LadderError::unless_changed(changed, "match in play", id)?;
        Ok(step.commit()?)
    }

    /// Voids the matches that were being played when a host died, and plans challenges again with another seed, unless a
    /// player was retired: connected players may have seen the cards of the first.
    pub(crate) fn void_interrupted_matches(&mut self) -> Result<(), LadderError> {
        let playing =
            self.matches(MatchFilter { state: Some(MatchState::Playing), ..MatchFilter::default() })?;
        let mut again = Vec::new();
        for found in playing.iter().rev() {
            if found.kind != MatchKind::Rated && !self.has_retired(found.id)? {
                let MatchPlan { terms, seats, .. } = self.plan_of(found)?;
                again.push((MatchPlan::new(terms, &drawn_seed()?, seats), found));
            }
        }
        let step = self.begin()?;
        step.execute(
            "UPDATE matches SET state = 'void', reason = 'the host stopped while it was played',
             ended_ms = coalesce(began_ms, planned_ms) WHERE state = 'playing'",
            [],
        )?;
        for (plan, found) in again {
            let versions: Vec<VersionId> = found.seats.iter().map(|seat| seat.version).collect();
            insert(&step, &plan, &versions, found.challenger, found.planned_ms)?;
        }
        Ok(step.commit()?)
    }

    /// The match of this number.
    pub fn match_of(&self, id: MatchId) -> Result<Match, LadderError> {
        self.one_match_where("m.id = ?1", &id)?.ok_or_else(|| LadderError::unknown("match", id))
    }

    /// The match of this name.
    pub fn match_named(&self, name: &str) -> Result<Match, LadderError> {
        self.one_match_where("m.name = ?1", &name)?.ok_or_else(|| LadderError::unknown("match", name))
    }

    fn one_match_where(&self, of: &str, value: &dyn ToSql) -> Result<Option<Match>, LadderError> {
        let mut row = self.db.prepare(&format!("SELECT {COLUMNS} FROM matches AS m WHERE {of}"))?;
        let found = row.query_row([value], one_match).optional()?;
        found.map(|found| self.with_seats(found)).transpose()
    }

    /// The matches that pass the filter, the newest first.
    pub fn matches(&self, filter: MatchFilter) -> Result<Vec<Match>, LadderError> {
        let mut query = Conditions::of(format!("SELECT {COLUMNS} FROM matches AS m WHERE 1"), 0);
        let sits = " AND m.id IN (SELECT s.match FROM versions AS v JOIN seats AS s ON s.version = v.id WHERE v.player = ?)";
        query.also(sits, &filter.player);
        query.also(sits, &filter.opponent);
        query.newest_matches(&filter, "m.id");
        let found = self.rows(&query.sql, query.values.as_slice(), one_match)?;
        found.into_iter().map(|found| self.with_seats(found)).collect()
    }

    /// The planned matches whose players are all free, the oldest first; only house bots sit at several tables.
    pub fn free_matches(&self) -> Result<Vec<MatchId>, LadderError> {
        let sql = "SELECT m.id FROM matches AS m WHERE m.state = 'planned' AND NOT EXISTS (
                SELECT 1 FROM seats AS s JOIN versions AS v ON v.id = s.version
                WHERE s.match = m.id AND v.kind <> 'house' AND s.version IN (
                    SELECT t.version FROM matches AS n JOIN seats AS t ON t.match = n.id WHERE n.state = 'playing'))
             ORDER BY m.id";
        self.rows(sql, [], |row| row.get(0))
    }

    /// Whether a player at the table of a match is retired.
    pub(crate) fn has_retired(&self, id: MatchId) -> Result<bool, LadderError> {
        let sql = "SELECT 1 FROM seats AS s JOIN versions AS v ON v.id = s.version JOIN players AS p ON p.id = v.player
            WHERE s.match = ?1 AND p.retired_ms IS NOT NULL";
        Ok(self.db.prepare(sql)?.exists([id])?)
    }

    fn with_seats(&self, found: Match) -> Result<Match, LadderError> {
        let sql = "SELECT version, chips, rounds, decks, squares FROM seats WHERE match = ?1 ORDER BY seat";
        let seat = |row: &Row<'_>| {
            let chips: Option<i64> = row.get(1)?;
            let result = match chips {
                None => None,
                Some(chips) => {
                    Some(SeatResult { chips, rounds: row.get(2)?, decks: row.get(3)?, squares: row.get(4)? })
                }
            };
            Ok(MatchSeat { version: row.get(0)?, result })
        };
        Ok(Match { seats: self.rows(sql, [found.id], seat)?, ..found })
    }

    /// The fouls of a match.
    pub fn fouls(&self, id: MatchId) -> Result<Vec<MatchFoul>, LadderError> {
        let sql = "SELECT match, seat, round, name, why FROM fouls WHERE match = ?1 ORDER BY rowid";
        self.rows(sql, [id], one_foul)
    }

    /// How many challenges of others a player has planned in this time up to now.
    pub fn recent_challenges(
        &self,
        player: PlayerId,
        within_ms: i64,
        now_ms: i64,
    ) -> Result<u32, LadderError> {
        let sql =
            "SELECT count(*) FROM matches AS m WHERE m.challenger = ?1 AND m.planned_ms BETWEEN ?2 AND ?3
             AND EXISTS (SELECT 1 FROM seats AS s JOIN versions AS v ON v.id = s.version
                         WHERE s.match = m.id AND v.player <> ?1)";
        Ok(self.db.prepare(sql)?.query_row((player, now_ms - within_ms, now_ms), |row| row.get(0))?)
    }

    /// How many matches are in this state.
    pub fn count_matches(&self, state: MatchState) -> Result<i64, LadderError> {
        let sql = "SELECT count(*) FROM matches WHERE state = ?1";
        Ok(self.db.prepare(sql)?.query_row([state], |row| row.get(0))?)
    }
}

/// Ends the record of a match whose journal is in its place: the results of all seats, and the fouls.
fn write_results(
    step: Transaction<'_>,
    id: MatchId,
    played: &PlayedMatch,
    journal: &Path,
) -> Result<(), LadderError> {
    files::sync_names(journal).map_err(LadderError::file(journal))?;
    for (result, seat) in played.results.iter().zip(0i64..) {
        step.execute(
            "UPDATE seats SET chips = ?3, rounds = ?4, decks = ?5, squares = ?6 WHERE match = ?1 AND seat = ?2",
            params![id, seat, result.chips, result.rounds, result.decks, result.squares],
        )?;
    }
    for MatchFoul { seat, round, name, why } in &played.fouls {
        step.execute(
            "INSERT INTO fouls (match, seat, round, name, why) VALUES (?1, ?2, ?3, ?4, ?5)",
            params![id, *seat as i64, *round as i64, name, why],
        )?;
    }
    Ok(step.commit()?)
}

/// Voids the planned matches with such a seat `s`, with the parameters of the condition, the reason and the time.
pub(crate) fn void_planned(of: &str) -> String {
    format!(
        "UPDATE matches SET state = 'void', reason = ?2, ended_ms = ?3
         WHERE state = 'planned' AND id IN (SELECT s.match FROM seats AS s WHERE {of})"
    )
}

/// A query that grows by its conditions.
pub(crate) struct Conditions<'a> {
    pub(crate) sql: String,
    /// The values of the placeholders, after the first ones.
    pub(crate) values: Vec<&'a dyn ToSql>,
    first: usize,
}

impl<'a> Conditions<'a> {
    /// A query in which the first numbers stand for something else.
    pub(crate) fn of(sql: String, first: usize) -> Conditions<'a> {
        Conditions { sql, values: Vec::new(), first }
    }

    /// A condition on a value, if there is one.
    pub(crate) fn also<T: ToSql>(&mut self, condition: &str, value: &'a Option<T>) {
        if let Some(value) = value {
            self.values.push(value);
            let number = self.first + self.values.len();
            self.sql.push_str(&condition.replace('?', &format!("?{number}")));
        }
    }

    /// Adds the newest of the matches `m` that pass the filter. This column has their numbers.
    pub(crate) fn newest_matches(&mut self, filter: &'a MatchFilter, column: &str) {
        self.also(" AND m.kind = ?", &filter.kind);
        self.also(" AND m.state = ?", &filter.state);
        self.also(&format!(" AND {column} < ?"), &filter.before);
        self.sql.push_str(&format!(" ORDER BY {column} DESC"));
        if filter.most > 0 {
            self.sql.push_str(&format!(" LIMIT {}", filter.most));
        }
    }
}

fn insert(
    step: &Transaction<'_>,
    plan: &MatchPlan,
    versions: &[VersionId],
    challenger: Option<PlayerId>,
    now_ms: i64,
) -> Result<MatchId, LadderError> {
    step.execute(
        "INSERT INTO matches (name, kind, state, seed, decks, stack, reply_ms, challenger, planned_ms)
         VALUES (?1, ?2, 'planned', ?3, ?4, ?5, ?6, ?7, ?8)",
        params![
            plan.name,
            plan.terms.kind,
            plan.seed,
            plan.terms.decks as i64,
            plan.terms.stack,
            plan.terms.reply_ms as i64,
            challenger,
            now_ms
        ],
    )?;
    let id = MatchId(step.last_insert_rowid());
    for (version, seat) in versions.iter().zip(0i64..) {
        step.execute(
            "INSERT INTO seats (match, seat, version) VALUES (?1, ?2, ?3)",
            params![id, seat, version],
        )?;
    }
    Ok(id)
}
