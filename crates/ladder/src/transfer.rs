//! Backups and exports of the database.

use std::fs;
use std::io::{BufRead, Write};
use std::path::Path;
use std::time::Duration;

use rusqlite::backup::Backup;
use rusqlite::types::{Value as SqlValue, ValueRef};
use rusqlite::{Connection, params_from_iter};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Number, Value};

use super::{Ladder, LadderError};

/// The first line of an export.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct First {
    casino_ladder: u32,
}

const FORM: u32 = 1;

/// All tables, each after those that its rows refer to; players and their active versions refer to each other.
const TABLES: [&str; 9] = [
    "settings",
    "players",
    "versions",
    "matches",
    "seats",
    "fouls",
    "ratings",
    "submissions",
    "announcements",
];

/// What is left out of an export unless it is wanted.
const SECRET: [&str; 2] = ["github_id", "key_sha256"];

/// A row of a table.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    table: String,
    row: Map<String, Value>,
}

/// Whether GitHubIds and the digests of keys are in an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Secrets {
    /// They are left out.
    Hidden,
    /// They are in it.
    Included,
}

impl Ladder {
    /// Copies the database as it is now, also while it is being played in. The journals and submissions are files beside it, which
    /// never change.
    ///
    /// # Errors
    /// [`LadderError::Refused`] if the file is there already; others if it cannot be written.
    pub fn backup(&self, to: &Path) -> Result<(), LadderError> {
        if to.exists() {
            return Err(LadderError::Refused(format!(
                "{} is there already: name a new file for the backup",
                to.display()
            )));
        }
        let part = to.with_extension("part");
        let copied = (|| -> rusqlite::Result<()> {
            let mut copy = Connection::open(&part)?;
            Backup::new(&self.db, &mut copy)?.run_to_completion(1_000, Duration::from_millis(5), None)?;
            copy.pragma_update(None, "journal_mode", "DELETE")
        })();
        if let Err(error) = copied {
            // There was nothing of this name before.
            let _ = fs::remove_file(&part);
            return Err(error.into());
        }
        fs::File::open(&part).and_then(|file| file.sync_all()).map_err(LadderError::file(&part))?;
        fs::rename(&part, to).map_err(LadderError::file(to))
    }

    /// Writes all of the database as lines of JSON.
    ///
    /// # Errors
    /// [`LadderError`] if the database cannot be read or the lines cannot be written.
    pub fn export(&mut self, to: &mut dyn Write, secrets: Secrets) -> Result<(), LadderError> {
        let written = |error: std::io::Error| LadderError::File { path: "the export".into(), source: error };
        let mut line = |value: &dyn erased::Line| -> Result<(), LadderError> {
            let text = value.text().map_err(|error| written(error.into()))?;
            writeln!(to, "{text}").map_err(written)
        };
        line(&First { casino_ladder: FORM })?;
        // One moment of it, whoever writes meanwhile.
        let moment = self.db.transaction()?;
        for table in TABLES {
            let mut rows = moment.prepare(&format!("SELECT * FROM {table} ORDER BY 1, 2"))?;
            let names: Vec<String> = rows.column_names().map(str::to_string).collect();
            let mut rows = rows.query([])?;
            while let Some(found) = rows.next()? {
                let mut row = Map::new();
                for (at, name) in names.iter().enumerate() {
                    if secrets == Secrets::Hidden && SECRET.contains(&name.as_str()) {
                        continue;
                    }
                    row.insert(name.clone(), to_json(found.get_ref(at)?));
                }
                line(&Line { table: table.to_string(), row })?;
            }
        }
        Ok(())
    }

    /// Reads an export into an empty ladder.
    ///
    /// # Errors
    /// [`LadderError::Refused`] if there are players in the ladder, or a line is none of an export; then nothing is changed.
    pub fn restore(&mut self, from: &mut dyn BufRead) -> Result<(), LadderError> {
        if !self.players()?.is_empty() {
            return Err(LadderError::Refused(
                "an export is read into an empty ladder: name a new folder".to_string(),
            ));
        }
        let step = self.begin()?;
        step.pragma_update(None, "defer_foreign_keys", true)?;
        for (text, number) in from.lines().zip(1u64..) {
            let wrong = |why: String| LadderError::Refused(format!("line {number} of the export: {why}"));
            let text = text.map_err(|error| wrong(error.to_string()))?;
            if number == 1 {
                let first: First = serde_json::from_str(&text)
                    .map_err(|error| wrong(format!("this is no export of a ladder: {error}")))?;
                if first.casino_ladder != FORM {
                    return Err(wrong(format!("its form is {}, and {FORM} is known", first.casino_ladder)));
                }
                continue;
            }
            let Line { table, row } =
                serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?;
            if !TABLES.contains(&table.as_str()) {
                return Err(wrong(format!("there is no table {table:?}")));
            }
            let is_name = |name: &String| {
                name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_' || byte.is_ascii_digit())
            };
            if let Some(name) = row.keys().find(|name| !is_name(name)) {
                return Err(wrong(format!("there is no column {name:?}")));
            }
            let names: Vec<&str> = row.keys().map(String::as_str).collect();
            let marks: Vec<String> = (1..=row.len()).map(|at| format!("?{at}")).collect();
            let sql = format!("INSERT INTO {table} ({}) VALUES ({})", names.join(", "), marks.join(", "));
            let values = row.values().map(to_sql).collect::<Option<Vec<_>>>();
            let values = values.ok_or_else(|| wrong("a value is none of a table".to_string()))?;
            step.execute(&sql, params_from_iter(values)).map_err(|error| wrong(error.to_string()))?;
        }
        Ok(step.commit()?)
    }
}

/// Lines of an export, whatever they are.
mod erased {
    use serde::Serialize;

    pub(super) trait Line {
        fn text(&self) -> serde_json::Result<String>;
    }

    impl<T: Serialize> Line for T {
        fn text(&self) -> serde_json::Result<String> {
            serde_json::to_string(self)
        }
    }
}

fn to_json(value: ValueRef<'_>) -> Value {
    match value {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => Value::from(number),
        ValueRef::Real(number) => Number::from_f64(number).map_or(Value::Null, Value::Number),
        ValueRef::Text(text) | ValueRef::Blob(text) => {
            Value::from(String::from_utf8_lossy(text).into_owned())
        }
    }
}

fn to_sql(value: &Value) -> Option<SqlValue> {
    match value {
        Value::Null => Some(SqlValue::Null),
        Value::Number(number) => match number.as_i64() {
            Some(whole) => Some(SqlValue::Integer(whole)),
            None => number.as_f64().map(SqlValue::Real),
        },
        Value::String(text) => Some(SqlValue::Text(text.clone())),
        Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folder::tests::Scratch;
    use crate::{MatchKind, MatchState, MatchTerms, Settings};

    #[test]
    fn a_backup_and_an_export_bring_everything_back() {
        let scratch = Scratch::new("transfer");
        let mut ladder = scratch.ladder();
        ladder.add_house_bots(1).unwrap();
        let ada = ladder.add_player("Ada", Some("secret-ada"), 2).unwrap();
        ladder.renew_key(ada).unwrap();
        ladder.set_settings(&Settings { decks: 7, ..Settings::default() }).unwrap();
        let two = ["bold/1", "odds/1"].map(|label| ladder.version_labelled(label).unwrap().id);
        let terms = MatchTerms { kind: MatchKind::Challenge, decks: 2, stack: 100, reply_ms: 500 };
        let id = ladder.plan_match(terms, &two, Some(ada), 3).unwrap();
        let state = |ladder: &Ladder| {
            let all = ladder.matches(crate::MatchFilter::default()).unwrap();
            (ladder.players().unwrap(), ladder.versions().unwrap(), all, ladder.settings().unwrap())
        };
        let mut text = Vec::new();
        ladder.export(&mut text, Secrets::Included).unwrap();
        let mut restored = Ladder::create(&scratch.path().join("restored")).unwrap();
        restored.restore(&mut text.as_slice()).unwrap();
        assert_eq!(state(&restored), state(&ladder));
        assert_eq!(restored.match_of(id).unwrap().state, MatchState::Planned);
        assert!(restored.restore(&mut text.as_slice()).is_err(), "it is empty no more");
        let mut again = Vec::new();
        restored.export(&mut again, Secrets::Included).unwrap();
        assert_eq!(text, again);
        let mut open = Vec::new();
        ladder.export(&mut open, Secrets::Hidden).unwrap();
        assert!(!String::from_utf8(open).unwrap().contains("secret-ada"));
        // A line that is broken changes nothing.
        let mut empty = Ladder::create(&scratch.path().join("empty")).unwrap();
        let broken = [&text[..text.len() / 2], b"\n{}"].concat();
        assert!(empty.restore(&mut broken.as_slice()).is_err());
        assert!(empty.players().unwrap().is_empty());
        let copy = scratch.path().join("backup.db");
        ladder.backup(&copy).unwrap();
        assert!(ladder.backup(&copy).is_err());
        let third = scratch.path().join("third");
        drop(Ladder::create(&third).unwrap());
        for name in ["ladder.db-wal", "ladder.db-shm"] {
            let _ = fs::remove_file(third.join(name));
        }
        fs::copy(&copy, third.join("ladder.db")).unwrap();
        assert_eq!(state(&Ladder::open(&third).unwrap()), state(&ladder));
    }
}
