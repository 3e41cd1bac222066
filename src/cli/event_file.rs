//! The event file: flags as JSON.

use std::fmt;
use std::ops::RangeInclusive;
use std::path::Path;

use serde::de::{Deserialize, Deserializer, Error};

use casino_host::Spec;
use casino_stud::json_error::in_words;
use casino_stud::shown::short_line;
use casino_system::files::read_text;

use super::Failure;
use super::flags::{REPLY_MS, ROUNDS, STACKS, TournamentArgs};

impl TournamentArgs {
    /// Adds the event file, if one is named. A field whose flag is given too is an error.
    pub(super) fn with_file(mut self) -> Result<TournamentArgs, Failure> {
        if let Some(path) = self.file.clone() {
            let text = read_text(&path).map_err(|error| unusable(&path, &error))?;
            self.add_file(&text, &path)?;
        }
        Ok(self)
    }

    /// Adds the text of an event file.
    pub(super) fn add_file(&mut self, text: &str, path: &Path) -> Result<(), Failure> {
        let file: TournamentArgs =
            serde_json::from_str(text).map_err(|error| unusable(path, &short_line(&in_words(&error))))?;
        between("rounds", file.rounds, ROUNDS, path)?;
        between("stack", file.stack.map(u64::from), STACKS, path)?;
        between("reply_ms", file.reply_ms, REPLY_MS, path)?;
        self.players = file.players;
        add(&mut self.bots, file.bots, "bots", "--bot")?;
        macro_rules! add_each {
            ($($field:ident)*) => {
                $(add(&mut self.$field, file.$field, stringify!($field), &flag(stringify!($field)))?;)*
            };
        }
        add_each!(rounds stack seed journal reply_ms on_foul short_stack relogin house_counts format seats);
        add_each!(level_rounds balance ante_schedule series points against late_entry title venue);
        Ok(())
    }
}

/// The players of an event file, each written as after the flag.
pub(super) fn specs<'de, D: Deserializer<'de>>(file: D) -> Result<Option<Vec<Spec>>, D::Error> {
    let Some(written) = Option::<Vec<String>>::deserialize(file)? else { return Ok(None) };
    let found = written.iter().map(|bot| Spec::find(bot)).collect::<Result<_, _>>();
    found.map(Some).map_err(|error| D::Error::custom(format!("bots: {error}")))
}

fn unusable(path: &Path, error: &dyn fmt::Display) -> Failure {
    Failure::Usage(format!("the event file {}: {error}", path.display()))
}

fn between(field: &str, value: Option<u64>, range: RangeInclusive<u64>, path: &Path) -> Result<(), Failure> {
    match value {
        Some(value) if !range.contains(&value) => Err(Failure::Usage(format!(
            "the event file {}: {field} is {value}, where it is {} to {}",
            path.display(),
            range.start(),
            range.end()
        ))),
        _ => Ok(()),
    }
}

/// The name of the flag of a field.
pub(super) fn flag(field: &str) -> String {
    format!("--{}", field.replace('_', "-"))
}

fn add<T>(said: &mut Option<T>, in_file: Option<T>, field: &str, flag: &str) -> Result<(), Failure> {
    match (&said, in_file) {
        (_, None) => Ok(()),
        (Some(_), Some(_)) => Err(Failure::Usage(format!(
            "{flag} is given, and the event file says \"{field}\" too: leave one of them out"
        ))),
        (None, in_file) => {
            *said = in_file;
            Ok(())
        }
    }
}
