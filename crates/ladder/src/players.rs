//! The players of a ladder.

use rusqlite::{OptionalExtension, Row, ToSql};

use casino_stud::strategies::HOUSE;
use casino_stud::tournament::harmless_line;

use super::matches::void_planned;
use super::{Ladder, LadderError, PlayerId, PlayerRecord, Version};

const COLUMNS: &str = "id, name, github_id, is_house, active_version, retired_ms, created_ms";

const MAX_NAME_CHARS: usize = 40;

/// How many connections without a key play at a time.
const MAX_STRANGERS: u32 = 8;

/// The beginning of their names.
pub(crate) const STRANGER: &str = "Stranger ";

fn player(row: &Row<'_>) -> rusqlite::Result<PlayerRecord> {
    Ok(PlayerRecord {
        id: row.get(0)?,
        name: row.get(1)?,
        github_id: row.get(2)?,
        is_house: row.get(3)?,
        active_version: row.get(4)?,
        retired_ms: row.get(5)?,
        created_ms: row.get(6)?,
    })
}

impl PlayerRecord {
    /// Whether it stands for a connection without a key, which plays unrated.
    pub fn is_stranger(&self) -> bool {
        self.name.starts_with(STRANGER)
    }
}

impl Version {
    /// Whether its player is a stranger.
    pub fn is_strangers(&self) -> bool {
        self.label.starts_with(STRANGER)
    }
}

impl Ladder {
    /// Adds a player, or gives the one of this GitHubId its new name. Once it has a version, it keeps the name that it had then:
    /// journals have it.
    pub fn add_player(
        &mut self,
        name: &str,
        github_id: Option<&str>,
        now_ms: i64,
    ) -> Result<PlayerId, LadderError> {
        let name = check_name(name)?;
        let step = self.begin()?;
        let same = |column: &str, value: &str| -> rusqlite::Result<Option<PlayerId>> {
            let sql = format!("SELECT id FROM players WHERE {column} = ?1");
            step.query_row(&sql, [value], |row| row.get(0)).optional()
        };
        let by_name = same("name", &name)?;
        let by_id = github_id.map(|id| same("github_id", id)).transpose()?.flatten();
        if by_name.is_some() && by_name != by_id {
            return Err(LadderError::Refused(format!(
                "{name} is the name of another player already: give this one another name in the roster"
            )));
        }
        let id = if let Some(id) = by_id {
            step.execute(
                "UPDATE players SET name = ?2 WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM versions WHERE player = ?1)",
                (id, &name),
            )?;
            id
        } else {
            step.execute(
                "INSERT INTO players (name, github_id, is_house, created_ms) VALUES (?1, ?2, 0, ?3)",
                (&name, github_id, now_ms),
            )?;
            PlayerId(step.last_insert_rowid())
        };
        step.commit()?;
        Ok(id)
    }

    /// Adds the missing house bots, each a player with one version: they fill seats and anchor the scale. Slow ones are
    /// left out.
    pub fn add_house_bots(&mut self, now_ms: i64) -> Result<(), LadderError> {
        let step = self.begin()?;
        for bot in &HOUSE {
            let added = step.execute(
                "INSERT INTO players (name, is_house, created_ms) VALUES (?1, 1, ?2)
                 ON CONFLICT (name) DO NOTHING",
                (bot.name, now_ms),
            )?;
            if added == 0 {
                continue;
            }
            let player = step.last_insert_rowid();
            step.execute(
                "INSERT INTO versions (player, number, kind, source, state, created_ms)
                 VALUES (?1, 1, 'house', ?2, 'ready', ?3)",
                (player, bot.name, now_ms),
            )?;
            step.execute(
                "UPDATE players SET active_version = ?2 WHERE id = ?1",
                (player, step.last_insert_rowid()),
            )?;
        }
        Ok(step.commit()?)
    }

    /// A player for a connection without a key that is not `is_taken`: it plays unrated. `None` if there are enough.
    pub fn free_stranger(
        &mut self,
        is_taken: impl Fn(PlayerId) -> bool,
        now_ms: i64,
    ) -> Result<Option<PlayerId>, LadderError> {
        let busy = self.busy_versions()?;
        for number in 1..=MAX_STRANGERS {
            let name = format!("{STRANGER}{number}");
            let Some(player) = self.one_player("name = ?1", &name)? else {
                let step = self.begin()?;
                step.execute(
                    "INSERT INTO players (name, is_house, created_ms) VALUES (?1, 0, ?2)",
                    (&name, now_ms),
                )?;
                let player = PlayerId(step.last_insert_rowid());
                step.commit()?;
                return Ok(Some(player));
            };
            let is_playing = player.active_version.is_some_and(|version| busy.contains(&version));
            if !is_playing && player.retired_ms.is_none() && !is_taken(player.id) {
                return Ok(Some(player.id));
            }
        }
        Ok(None)
    }

    /// All players, in the order in which they came.
    pub fn players(&self) -> Result<Vec<PlayerRecord>, LadderError> {
        self.rows(&format!("SELECT {COLUMNS} FROM players ORDER BY id"), [], player)
    }

    /// The player of this number.
    pub fn player(&self, id: PlayerId) -> Result<PlayerRecord, LadderError> {
        self.one_player("id = ?1", &id)?.ok_or_else(|| LadderError::unknown("player", id))
    }

    /// The player of this name.
    pub fn player_named(&self, name: &str) -> Result<PlayerRecord, LadderError> {
        self.one_player("name = ?1", &name)?.ok_or_else(|| LadderError::unknown("player", name))
    }

    /// The player of this GitHubId.
    pub fn player_of_github_id(&self, github_id: &str) -> Result<Option<PlayerRecord>, LadderError> {
        self.one_player("github_id = ?1", &github_id)
    }

    pub(crate) fn one_player(
        &self,
        of: &str,
        value: &dyn ToSql,
    ) -> Result<Option<PlayerRecord>, LadderError> {
        let mut rows = self.db.prepare(&format!("SELECT {COLUMNS} FROM players WHERE {of}"))?;
        Ok(rows.query_row([value], player).optional()?)
    }

    /// Retires a player, or takes it back. Its matches that were played stay; the others are void, those in play after
    /// their round.
    pub fn retire(&mut self, id: PlayerId, retired_ms: Option<i64>) -> Result<(), LadderError> {
        let step = self.begin()?;
        let changed = step.execute("UPDATE players SET retired_ms = ?2 WHERE id = ?1", (id, retired_ms))?;
        LadderError::unless_changed(changed, "player", id)?;
        if retired_ms.is_some() {
            let of_player = "s.version IN (SELECT id FROM versions WHERE player = ?1)";
            step.execute(&void_planned(of_player), (id, "a player was retired", retired_ms))?;
        }
        Ok(step.commit()?)
    }

    /// The versions that may be seated: the active version of each player who is not retired, if it may play.
    pub fn active_versions(&self) -> Result<Vec<Version>, LadderError> {
        self.versions_where(
            "v.id IN (SELECT active_version FROM players WHERE retired_ms IS NULL) AND v.state = 'ready' ORDER BY v.id",
            &[],
        )
    }
}

/// A name as it is shown.
fn check_name(name: &str) -> Result<String, LadderError> {
    let refused = |why: &str| Err(LadderError::Refused(format!("{:?} cannot be a name: {why}", name.trim())));
    let shown = match harmless_line(name.trim(), MAX_NAME_CHARS) {
        Some(shown) if shown == name.trim() => shown,
        _ => return refused("a name has 1 to 40 letters and no signs that do not show"),
    };
    if shown.starts_with(STRANGER) {
        return refused("connections without a key are called so");
    }
    if shown.contains('/') {
        return refused("a slash separates a name from the number of a version");
    }
    Ok(shown)
}

#[cfg(test)]
mod tests {
    use crate::folder::tests::Scratch;

    #[test]
    fn players_keep_their_id_and_names_are_unique() {
        let scratch = Scratch::new("players");
        let mut ladder = scratch.ladder();
        let ada = ladder.add_player("Ada", Some("ada-l"), 1).unwrap();
        assert_eq!(ladder.add_player("Ada L.", Some("ada-l"), 2).unwrap(), ada);
        assert_eq!(ladder.player(ada).unwrap().name, "Ada L.");
        assert!(ladder.add_player("Ada L.", Some("mallory"), 3).is_err());
        assert!(ladder.add_player("a/b", None, 3).is_err());
        let strangers = [0, 1].map(|_| ladder.free_stranger(|_| false, 3).unwrap().unwrap());
        assert_eq!(strangers[0], strangers[1]);
        assert_ne!(ladder.free_stranger(|taken| taken == strangers[0], 3).unwrap(), Some(strangers[0]));
        assert!(ladder.add_player("Stranger 9", Some("eve"), 3).is_err());
        ladder.add_house_bots(4).unwrap();
        let before = ladder.players().unwrap();
        ladder.add_house_bots(5).unwrap();
        assert_eq!(ladder.players().unwrap(), before);
        assert!(ladder.add_player("reader", Some("someone"), 6).is_err(), "house bots have their names");
        assert_eq!(ladder.active_versions().unwrap().len(), before.len() - 3);
        ladder.retire(ladder.player_named("bold").unwrap().id, Some(7)).unwrap();
        assert_eq!(ladder.active_versions().unwrap().len(), before.len() - 4);
    }
}
