//! The event file: JSON that says what the flags say.

use std::fmt;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use casino_host::Spec;
use casino_stud::json_error::in_words;
use casino_stud::shown::short_line;
use casino_stud::stud::Chips;
use casino_stud::tournament::{Format, MOST_ROUNDS};
use casino_system::files::read_text;

use super::Failure;
use super::flags::{BalanceFlag, MOST_CHIPS, OnFoulFlag, ShortStackFlag, TournamentArgs};

/// The fields of an event file. Each has the name and the meaning of a flag.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EventFile {
    bots: Option<Vec<String>>,
    /// Only `host` has this flag.
    players: Option<usize>,
    rounds: Option<u64>,
    stack: Option<Chips>,
    seed: Option<String>,
    journal: Option<PathBuf>,
    reply_ms: Option<u64>,
    on_foul: Option<OnFoulFlag>,
    short_stack: Option<ShortStackFlag>,
    relogin: Option<bool>,
    format: Option<Format>,
    seats: Option<usize>,
    level_rounds: Option<u64>,
    balance: Option<BalanceFlag>,
    ante_schedule: Option<Vec<Chips>>,
    series: Option<u32>,
    points: Option<Vec<u32>>,
    against: Option<Vec<String>>,
}

impl EventFile {
    pub(super) fn read(path: &Path) -> Result<EventFile, Failure> {
        let text = read_text(path).map_err(|error| unusable(path, &error))?;
        EventFile::of_text(&text, path)
    }

    /// The fields of the text of an event file.
    pub(super) fn of_text(text: &str, path: &Path) -> Result<EventFile, Failure> {
        serde_json::from_str(text).map_err(|error| unusable(path, &short_line(&in_words(&error))))
    }

    /// Adds the fields to the flags, and returns how many players the file wants. A field whose flag is given too is
    /// an error.
    pub(super) fn add_to(self, args: &mut TournamentArgs, path: &Path) -> Result<Option<usize>, Failure> {
        let place = |field: &str, error: &dyn fmt::Display| {
            let why = error.to_string();
            let why = short_line(&why);
            Failure::Usage(format!("the event file {}: {field}: {why}", path.display()))
        };
        let EventFile { bots, players, relogin, ante_schedule, points, against, .. } = self;
        if let Some(bots) = bots {
            let bots = bots.iter().map(|bot| Spec::find(bot).map_err(|error| place("bots", &error)));
            add_list(&mut args.bots, Some(bots.collect::<Result<_, _>>()?), "bots", "--bot")?;
        }
        between("rounds", self.rounds, 1, MOST_ROUNDS, path)?;
        between("stack", self.stack.map(u64::from), 1, MOST_CHIPS.into(), path)?;
        between("reply_ms", self.reply_ms, 1, 600_000, path)?;
        add(&mut args.rounds, self.rounds, "rounds")?;
        add(&mut args.stack, self.stack, "stack")?;
        add(&mut args.seed, self.seed, "seed")?;
        add(&mut args.journal, self.journal, "journal")?;
        add(&mut args.reply_ms, self.reply_ms, "reply_ms")?;
        add(&mut args.on_foul, self.on_foul, "on_foul")?;
        add(&mut args.short_stack, self.short_stack, "short_stack")?;
        match (args.relogin, relogin) {
            (true, Some(_)) => return Err(twice("relogin", "--relogin")),
            (false, Some(wanted)) => args.relogin = wanted,
            (_, None) => {}
        }
        add(&mut args.event.format, self.format, "format")?;
        add(&mut args.event.seats, self.seats, "seats")?;
        add(&mut args.event.level_rounds, self.level_rounds, "level_rounds")?;
        add(&mut args.event.balance, self.balance, "balance")?;
        add_list(&mut args.event.ante_schedule, ante_schedule, "ante_schedule", "--ante-schedule")?;
        add(&mut args.event.series, self.series, "series")?;
        add_list(&mut args.event.points, points, "points", "--points")?;
        add_list(&mut args.event.against, against, "against", "--against")?;
        Ok(players)
    }
}

fn unusable(path: &Path, error: &dyn fmt::Display) -> Failure {
    Failure::Usage(format!("the event file {}: {error}", path.display()))
}

fn between(field: &str, value: Option<u64>, least: u64, most: u64, path: &Path) -> Result<(), Failure> {
    match value {
        Some(value) if !(least..=most).contains(&value) => Err(Failure::Usage(format!(
            "the event file {}: {field} is {value}, where it is {least} to {most}",
            path.display()
        ))),
        _ => Ok(()),
    }
}

fn twice(field: &str, flag: &str) -> Failure {
    Failure::Usage(format!("{flag} is given, and the event file says \"{field}\" too: leave one of them out"))
}

fn add<T>(flag: &mut Option<T>, value: Option<T>, field: &str) -> Result<(), Failure> {
    match (&flag, value) {
        (_, None) => Ok(()),
        (Some(_), Some(_)) => Err(twice(field, &format!("--{}", field.replace('_', "-")))),
        (None, value) => {
            *flag = value;
            Ok(())
        }
    }
}

fn add_list<T>(flag: &mut Vec<T>, value: Option<Vec<T>>, field: &str, name: &str) -> Result<(), Failure> {
    match value {
        None => Ok(()),
        Some(_) if !flag.is_empty() => Err(twice(field, name)),
        Some(value) => {
            *flag = value;
            Ok(())
        }
    }
}
