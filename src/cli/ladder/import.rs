//! `casino ladder import`: the submissions of a class.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;

use casino_judge::grade::roster_file::RosterFile;
use casino_judge::grade::submission::archive_stem;
use casino_ladder::{HandedInBy, Ladder, LadderError, PlayerId};
use casino_system::files;

use super::super::{Failure, Output};
use super::{Folder, failure, now_ms};

/// Import the submissions of a class, and its roster
#[derive(Args)]
#[command(
    after_help = "Every folder and every archive in FOLDER is a submission, as for `casino grade stud --all`. The \
        roster maps folder names to players; without a roster the folder's name is the player's. An \
        unchanged submission makes no new version.\n\n\
        Examples:
  casino ladder import spring submissions/ --roster class.csv
  casino ladder import spring --roster class.csv"
)]
pub(super) struct Import {
    #[command(flatten)]
    at: Folder,
    /// A folder of submissions
    #[arg(value_name = "FOLDER", required_unless_present = "roster")]
    submissions: Option<PathBuf>,
    /// A CSV file with the columns github_id and name, and folder for the submissions
    #[arg(long, value_name = "FILE")]
    roster: Option<PathBuf>,
}

/// A row of the roster.
struct Listed {
    github_id: String,
    name: Option<String>,
    folder: Option<String>,
}

impl Import {
    pub(super) fn run(self) -> Result<(), Failure> {
        let listed = self.roster.as_deref().map(roster).transpose()?.unwrap_or_default();
        let found = self.submissions.as_deref().map(submissions).transpose()?.unwrap_or_default();
        let mut output = Output::stdout();
        let mut ladder = Ladder::create(&self.at.folder).map_err(failure)?;
        ladder.add_house_bots(now_ms()).map_err(failure)?;
        let players = add_listed(&mut ladder, &listed)?;
        if !listed.is_empty() {
            output.line(format_args!("{} players are on the roster.", listed.len()))?;
        }
        let mut refused = Vec::new();
        for (folder, path) in found {
            match take_in(&mut ladder, &players, &folder, &path) {
                // Each submission is reported when it is stored.
                Ok(outcome) => output.line(format_args!("{folder}: {outcome}"))?,
                Err(error @ LadderError::Refused(_)) => refused.push(format!("{folder}: {error}")),
                Err(error) => return Err(failure(error)),
            }
        }
        output.flush()?;
        match refused.is_empty() {
            true => Ok(()),
            false => Err(Failure::Busted(format!("Not taken in:\n{}", refused.join("\n")))),
        }
    }
}

/// Takes in a submission for the player of the roster who has its folder; where there is no roster, for the one called as it.
/// Returns the outcome in words.
fn take_in(
    ladder: &mut Ladder,
    players: &BTreeMap<String, PlayerId>,
    folder: &str,
    path: &Path,
) -> Result<String, LadderError> {
    let player = match players.get(folder) {
        Some(player) => *player,
        None if players.is_empty() => match ladder.player_named(folder) {
            Ok(player) => player.id,
            Err(_) => ladder.add_player(folder, None, now_ms())?,
        },
        None => return Ok("no row of the roster has this folder".to_string()),
    };
    let version = ladder.take_in(player, path, HandedInBy::Teacher, now_ms())?;
    let version = ladder.version(version)?;
    Ok(format!("{}, {}", version.label, version.state.word().replace('_', " ")))
}

/// Folders and archives by the names of their submissions.
fn submissions(folder: &Path) -> Result<BTreeMap<String, PathBuf>, Failure> {
    let unusable = |error| Failure::Usage(format!("{}: {error}", folder.display()));
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).map_err(unusable)? {
        let entry = entry.map_err(unusable)?;
        let (kind, name) = (entry.file_type().map_err(unusable)?, entry.file_name());
        let Some(name) = name.to_str().filter(|name| !name.starts_with('.')) else { continue };
        let stem = if kind.is_dir() { Some(name) } else { archive_stem(name) };
        if let Some(stem) = stem.filter(|_| kind.is_dir() || kind.is_file()) {
            found.insert(stem.to_string(), entry.path());
        }
    }
    if found.is_empty() {
        return Err(Failure::Usage(format!(
            "{} has no folder and no archive in it: a submission is one of these",
            folder.display()
        )));
    }
    Ok(found)
}

/// Adds new players of a roster, and renames known ones.
pub(super) fn add_roster(ladder: &mut Ladder, path: &Path) -> Result<(), Failure> {
    add_listed(ladder, &roster(path)?).map(drop)
}

/// Adds those of a roster: their numbers, by the names of their folders.
fn add_listed(ladder: &mut Ladder, listed: &[Listed]) -> Result<BTreeMap<String, PlayerId>, Failure> {
    let mut players = BTreeMap::new();
    for Listed { github_id, name, folder } in listed {
        // A player keeps its name if the roster has none.
        let known = ladder.player_of_github_id(github_id).map_err(failure)?;
        let name = name.clone().or(known.map(|player| player.name));
        // A missing name is never replaced by the GitHubId.
        let name = match name {
            Some(name) => name,
            None => format!("Player {}", ladder.players().map_err(failure)?.len() + 1),
        };
        let id = ladder.add_player(&name, Some(github_id), now_ms()).map_err(failure)?;
        players.insert(folder.clone().unwrap_or_else(|| github_id.clone()), id);
    }
    Ok(players)
}

fn roster(path: &Path) -> Result<Vec<Listed>, Failure> {
    let wrong = |why: &dyn std::fmt::Display| Failure::Usage(format!("{}: {why}", path.display()));
    let text = files::read(path).map_err(|error| wrong(&error))?;
    let file = RosterFile::read(&text).map_err(|error| wrong(&error))?;
    let id = file.column("github_id").map_err(|error| wrong(&error))?;
    let name = file.find(&["name", "display_name", "player"]).map_err(|error| wrong(&error))?;
    let folder = file.find(&["folder", "submission"]).map_err(|error| wrong(&error))?;
    let mut listed: Vec<Listed> = Vec::new();
    for (line, record) in &file.rows {
        let github_id = record[id].to_string();
        if github_id.is_empty() || listed.iter().any(|other| other.github_id == github_id) {
            return Err(wrong(&format!("line {line}: a GitHubId is needed, and each stands there once")));
        }
        let shown = name.map(|at| record[at].trim()).filter(|name| !name.is_empty());
        let folder = folder.map(|at| record[at].to_string()).filter(|folder| !folder.is_empty());
        listed.push(Listed { github_id, name: shown.map(str::to_string), folder });
    }
    Ok(listed)
}
