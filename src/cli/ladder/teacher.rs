//! `casino ladder keys`, `set` and `activate`: the teacher's commands.

use clap::Args;

use casino_ladder::{Ladder, Settings, drawn_key};

use super::super::output::remark;
use super::super::{Failure, Output};
use super::Folder;

/// Create the keys of personal links, as CSV for a mail merge
#[derive(Args)]
#[command(
    after_help = "A player with a key keeps it and is not printed: only the SHA-256 of a key is stored.\n\n\
        Examples:
  casino ladder keys spring > keys.csv
  casino ladder keys spring --link https://ladder.example.org/ > links.csv"
)]
pub(super) struct Keys {
    #[command(flatten)]
    at: Folder,
    /// Where the page is: whole personal links are printed instead of keys
    #[arg(long, value_name = "URL")]
    link: Option<String>,
}

impl Keys {
    pub(super) fn run(self) -> Result<(), Failure> {
        let mut ladder = Ladder::open(&self.at.folder)?;
        let mut output = Output::stdout();
        output.line("name,github_id,key")?;
        let (mut with_key, mut keys) = (0, Vec::new());
        for player in ladder.players()?.into_iter().filter(|one| !one.is_house && !one.is_stranger()) {
            if ladder.has_key(player.id)? {
                with_key += 1;
                continue;
            }
            let key = drawn_key()?;
            let shown = match &self.link {
                Some(link) => format!("{}/#key={key}", link.trim_end_matches('/')),
                None => key.clone(),
            };
            let cell = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
            let github_id = player.github_id.unwrap_or_default();
            output.line(format_args!("{},{},{shown}", cell(&player.name), cell(&github_id)))?;
            keys.push((player.id, key));
        }
        // Keys that could not be printed open nothing: the next ones are printed for the same players.
        output.flush()?;
        ladder.store_keys(&keys)?;
        if with_key > 0 {
            remark(&format!("Players with a key already: {with_key}. The ladder's console makes new keys."));
        }
        Ok(())
    }
}

/// Print or change the settings of matches and limits; pause or freeze the ladder
#[derive(Args)]
#[command(after_help = "Without a value all settings are printed. Planned matches keep their terms.\n\n\
        Examples:
  casino ladder set spring
  casino ladder set spring seats=4 decks=30
  casino ladder set spring is_frozen=true
  casino ladder set spring quotas.submissions_an_hour=6")]
pub(super) struct Set {
    #[command(flatten)]
    at: Folder,
    /// The settings to change
    #[arg(value_name = "NAME=VALUE")]
    values: Vec<String>,
}

impl Set {
    pub(super) fn run(self) -> Result<(), Failure> {
        let mut ladder = Ladder::open(&self.at.folder)?;
        let settings = ladder.settings()?;
        let mut all = serde_json::to_value(&settings).map_err(Failure::runtime)?;
        for text in &self.values {
            change(&mut all, text)?;
        }
        if !self.values.is_empty() {
            let settings: Settings = serde_json::from_value(all.clone())
                .map_err(|error| Failure::Usage(format!("{}: {error}", self.values.join(" "))))?;
            ladder.set_settings(&settings)?;
        }
        let mut output = Output::stdout();
        print(&mut output, "", &all)?;
        output.flush()
    }
}

/// Changes one value, which must be there.
fn change(all: &mut serde_json::Value, text: &str) -> Result<(), Failure> {
    let wrong = |why: &str| Failure::Usage(format!("{text}: {why}; `casino ladder set DIR` lists all names"));
    let (name, value) = text.split_once('=').ok_or_else(|| wrong("write NAME=VALUE"))?;
    let place = name.split('.').try_fold(all, |place, part| place.get_mut(part));
    let place = place.filter(|place| !place.is_object()).ok_or_else(|| wrong("there is no such name"))?;
    *place = match place {
        serde_json::Value::String(_) => serde_json::Value::from(value),
        _ => serde_json::from_str(value).map_err(|_| wrong("a number, true or false is wanted"))?,
    };
    Ok(())
}

fn print(output: &mut Output, before: &str, all: &serde_json::Value) -> Result<(), Failure> {
    for (name, value) in all.as_object().into_iter().flatten() {
        match value {
            serde_json::Value::Object(_) => print(output, &format!("{before}{name}."), value)?,
            serde_json::Value::String(text) => output.line(format_args!("{before}{name}={text}"))?,
            _ => output.line(format_args!("{before}{name}={value}"))?,
        }
    }
    Ok(())
}

/// Activate another version of a player
#[derive(Args)]
#[command(after_help = "Examples:
  casino ladder activate spring Ada/2")]
pub(super) struct Activate {
    #[command(flatten)]
    at: Folder,
    /// The version, as `status` shows it
    #[arg(value_name = "VERSION")]
    version: String,
}

impl Activate {
    pub(super) fn run(self) -> Result<(), Failure> {
        let mut ladder = Ladder::open(&self.at.folder)?;
        let version = ladder.version_labelled(&self.version)?;
        Ok(ladder.activate(version.id)?)
    }
}
