//! `casino ladder import`: the submissions of a class.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::Args;

use casino_judge::hand_ins::{Conflict, Gathered, HandIn};
use casino_judge::roster::{Identity, Roster, RowId};
use casino_ladder::{HandedInBy, Ladder, LadderError, PlayerId};

use super::super::{Failure, Output, hand_ins};
use super::{Folder, now_ms};
use casino_stud::shown::count;

/// Import the submissions of a class, and its roster
#[derive(Args)]
#[command(
    after_help = "The submissions in FOLDER and their students are found as for `casino grade stud --all`: \
        docs/grading.md. The work of a pair becomes a version of each. Without a roster the name of a \
        submission is the player's. An unchanged submission makes no new version.\n\n\
        Exit codes: 0 all are taken in, 1 some are not, 2 unusable arguments.\n\n\
        Examples:
  casino ladder import spring submissions/ --roster class.csv --dry-run
  casino ladder import spring submissions/ --roster class.csv
  casino ladder import spring --roster class.csv"
)]
pub(super) struct Import {
    #[command(flatten)]
    at: Folder,
    /// A folder of submissions
    #[arg(value_name = "FOLDER", required_unless_present = "roster")]
    submissions: Option<PathBuf>,
    /// CSV file with a row for each student: docs/grading.md lists its columns
    #[arg(long, value_name = "FILE")]
    roster: Option<PathBuf>,
    #[command(flatten)]
    layout: hand_ins::LayoutArgs,
}

impl Import {
    pub(super) fn run(self) -> Result<(), Failure> {
        let roster =
            self.roster.as_deref().map(|file| hand_ins::roster(file, Identity::GitHubId)).transpose()?;
        let folder = self.submissions.as_deref();
        let plan = folder.map(|folder| self.layout.plan(folder, None, roster.as_ref())).transpose()?;
        match &plan {
            Some(plan) if self.layout.dry_run => return hand_ins::print(plan, roster.as_ref()),
            Some(_) => {}
            None => self.layout.of_no_folder("FOLDER")?,
        }
        let mut output = Output::stdout();
        let mut ladder = Ladder::create(&self.at.folder)?;
        ladder.add_house_bots(now_ms())?;
        let players = roster.as_ref().map(|roster| add_listed(&mut ladder, roster)).transpose()?;
        if let Some(players) = &players {
            output.line(format_args!("On the roster: {}.", count(players.len(), "player")))?;
        }
        let Some((folder, plan)) = folder.zip(plan) else { return output.flush() };
        for (name, why) in &plan.set_aside {
            output.line(format_args!("{name}: set aside, {why}"))?;
        }
        let in_conflict = |conflict: &Conflict| format!("{}: {}", conflict.labels.join(", "), conflict.why);
        let mut refused: Vec<String> = plan.conflicts.iter().map(in_conflict).collect();
        let gathered = Gathered::new(folder, plan.hand_ins).map_err(Failure::runtime)?;
        for (hand_in, path) in &gathered.places {
            let label = &hand_in.label;
            match owners(&mut ladder, players.as_ref(), hand_in) {
                Ok(owners) if owners.is_empty() => refused.push(format!("{label}: {}", hand_in.why)),
                Ok(owners) => {
                    for owner in owners {
                        match take_in(&mut ladder, owner, path) {
                            // Each submission is reported when it is stored.
                            Ok(outcome) => output.line(format_args!("{label}: {outcome}"))?,
                            Err(error @ LadderError::Refused(_)) => refused.push(format!("{label}: {error}")),
                            Err(error) => return Err(error.into()),
                        }
                    }
                }
                Err(error @ LadderError::Refused(_)) => refused.push(format!("{label}: {error}")),
                Err(error) => return Err(error.into()),
            }
        }
        output.flush()?;
        match refused.is_empty() {
            true => Ok(()),
            false => Err(Failure::Runtime(format!("Not taken in:\n{}", refused.join("\n")))),
        }
    }
}

/// The players of a submission: its students, or without a roster the one called as it.
fn owners(
    ladder: &mut Ladder,
    players: Option<&BTreeMap<RowId, PlayerId>>,
    hand_in: &HandIn,
) -> Result<Vec<PlayerId>, LadderError> {
    if let Some(players) = players {
        return Ok(hand_in.rows.iter().map(|row| players[row]).collect());
    }
    Ok(vec![match ladder.player_named(&hand_in.label) {
        Ok(player) => player.id,
        Err(_) => ladder.add_player(&hand_in.label, None, now_ms())?,
    }])
}

/// Takes in a submission as a version of a player. Returns the outcome in words.
fn take_in(ladder: &mut Ladder, player: PlayerId, path: &Path) -> Result<String, LadderError> {
    let version = ladder.take_in(player, path, HandedInBy::Teacher, now_ms())?;
    let version = ladder.version(version)?;
    Ok(format!("{}, {}", version.label, version.state.word().replace('_', " ")))
}

/// Adds new players of a roster, and renames known ones.
pub(super) fn add_roster(ladder: &mut Ladder, path: &Path) -> Result<(), Failure> {
    add_listed(ladder, &hand_ins::roster(path, Identity::GitHubId)?).map(drop)
}

/// Adds those of a roster: their numbers, by their rows.
fn add_listed(ladder: &mut Ladder, roster: &Roster) -> Result<BTreeMap<RowId, PlayerId>, Failure> {
    let mut players = BTreeMap::new();
    for row in roster.rows() {
        let student = roster.student(row);
        // A player keeps its name if the roster has none.
        let known = ladder.player_of_github_id(&student.id)?;
        let name = Some(student.name.clone()).filter(|name| !name.is_empty());
        // A missing name is never replaced by the GitHubId.
        let name = match name.or(known.map(|player| player.name)) {
            Some(name) => name,
            None => format!("Player {}", ladder.players()?.len() + 1),
        };
        let id = ladder.add_player(&name, Some(&student.id), now_ms())?;
        players.insert(row, id);
    }
    Ok(players)
}
