//! The private part of a player, behind its key: its versions with their diagnoses, submitting, and challenges.

use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tokio::sync::OwnedSemaphorePermit;

use casino_ladder::{
    HandedInBy, Ladder, LadderError, MatchFoul, MatchId, MatchKind, MatchTerms, PlayerId, PlayerRecord,
    VersionId, VersionKind, VersionState,
};
use casino_system::files::create_new_private;
use casino_system::folders::create_private;

use super::{LadderState, drawn_key, now_ms};

const MAX_OWN_FOULS: u32 = 50;

/// How many of its versions, from the newest on: those before can still be activated by the teacher.
const MAX_OWN_VERSIONS: usize = 60;

const DAY_MS: i64 = 86_400_000;

const ARCHIVE_SUFFIXES: [&str; 4] = [".zip", ".tar.gz", ".tgz", ".tar"];

pub(super) const MAX_UPLOADS: usize = 2;

const MAX_ARCHIVE_NAME_CHARS: usize = 80;

/// A version with the private part for its author.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "LadderOwnVersion"))]
struct OwnVersion {
    #[cfg_attr(test, ts(type = "number"))]
    id: VersionId,
    label: String,
    kind: &'static str,
    source: String,
    state: &'static str,
    active: bool,
    reason: Option<String>,
    diagnosis: Option<String>,
}

/// A foul with its sentence.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "LadderOwnFoul", type = "{ match: number } & LadderFoul"))]
struct OwnFoul {
    #[serde(rename = "match")]
    in_match: MatchId,
    #[serde(flatten)]
    foul: MatchFoul,
}

/// A player's private state.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "LadderOwn"))]
pub(super) struct OwnView {
    #[cfg_attr(test, ts(type = "number"))]
    id: casino_ladder::PlayerId,
    name: String,
    frozen: bool,
    submissions_an_hour: u32,
    challenges_a_day: u32,
    versions: Vec<OwnVersion>,
    fouls: Vec<OwnFoul>,
}

impl OwnView {
    pub(super) fn of(ladder: &Ladder, player: &PlayerRecord) -> Result<OwnView, LadderError> {
        let settings = ladder.settings()?;
        let versions = ladder.versions_of(player.id)?;
        let fouls = ladder.fouls_of(player.id, MAX_OWN_FOULS)?.into_iter();
        let fouls = fouls.map(|(in_match, foul)| OwnFoul { in_match, foul }).collect();
        let version = |version: casino_ladder::Version| OwnVersion {
            active: player.active_version == Some(version.id) && version.state == VersionState::Ready,
            reason: version.remark().map(str::to_string),
            id: version.id,
            label: version.label,
            kind: version.kind.word(),
            source: version.source,
            state: version.state.word(),
            diagnosis: version.diagnosis,
        };
        Ok(OwnView {
            id: player.id,
            name: player.name.clone(),
            frozen: settings.is_frozen,
            submissions_an_hour: settings.quotas.submissions_an_hour,
            challenges_a_day: settings.quotas.challenges_a_day,
            versions: versions.into_iter().rev().take(MAX_OWN_VERSIONS).map(version).collect(),
            fouls,
        })
    }
}

/// Checks the name of an archive: it contains no path and has a known suffix.
fn check_archive_name(name: &str) -> Result<(), LadderError> {
    let harmless = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    let is_archive = ARCHIVE_SUFFIXES.iter().any(|end| name.to_ascii_lowercase().ends_with(end));
    let is_name =
        name.len() <= MAX_ARCHIVE_NAME_CHARS && name.starts_with(|c: char| c.is_ascii_alphanumeric());
    match is_archive && is_name && name.chars().all(harmless) {
        true => Ok(()),
        false => Err(LadderError::Refused(
            "hand in one archive, called as in bot.zip or bot.tar.gz, with letters, digits, - and _ in its name"
                .to_string(),
        )),
    }
}

/// An archive of a player that is on its way, in a file of its own. It is unpacked only where it is built, by the code
/// that grading uses.
pub(super) struct Upload {
    state: Arc<LadderState>,
    player: PlayerId,
    place: PathBuf,
    file: PathBuf,
    open: File,
    left: u64,
    _turn: OwnedSemaphorePermit,
}

impl Upload {
    /// Begins an upload within the quotas, before any of it is read.
    pub(super) fn begin(
        state: Arc<LadderState>,
        player: PlayerId,
        name: &str,
    ) -> Result<Upload, LadderError> {
        check_archive_name(name)?;
        let turn = state.uploads.of(player).try_acquire_owned().map_err(|_| {
            let why = "two of your submissions are on their way already: wait for one of them";
            LadderError::Refused(why.to_string())
        })?;
        let (arriving, left) = {
            let ladder = state.reading();
            ladder.may_hand_in(player, 0, HandedInBy::Player, now_ms())?;
            (ladder.arriving(), ladder.settings()?.quotas.submission_bytes)
        };
        let place = drawn_key().map_err(std::io::Error::other).map_err(LadderError::file(&arriving))?;
        let place = arriving.join(place);
        let file = place.join(name);
        create_private(&arriving).and_then(|()| create_private(&place)).map_err(LadderError::file(&place))?;
        let open = create_new_private(&file).map_err(LadderError::file(&file))?;
        // Dropping it removes its files.
        Ok(Upload { state, player, place, file, open, left, _turn: turn })
    }

    /// How many more bytes may come.
    pub(super) fn left(&self) -> u64 {
        self.left
    }

    /// Adds bytes that have come. Returns false if they are too many.
    pub(super) fn add(&mut self, bytes: &[u8]) -> Result<bool, LadderError> {
        let Some(left) = self.left.checked_sub(bytes.len() as u64) else { return Ok(false) };
        self.left = left;
        self.open.write_all(bytes).map_err(LadderError::file(&self.file))?;
        Ok(true)
    }

    /// Takes the archive in.
    pub(super) fn hand_in(self) -> Result<VersionId, LadderError> {
        self.state.ladder().take_in(self.player, &self.file, HandedInBy::Player, now_ms())
    }
}

impl Drop for Upload {
    fn drop(&mut self) {
        // A remaining file is harmless.
        let _ = std::fs::remove_dir_all(&self.place);
    }
}

/// "Mine against hers".
#[derive(Deserialize)]
pub(super) struct ChallengeForm {
    opponent: casino_ladder::PlayerId,
    rounds: u64,
}

/// Plans a challenge: equal deals between two versions, beside the ratings.
pub(super) fn challenge(
    ladder: &mut Ladder,
    player: &PlayerRecord,
    form: &ChallengeForm,
) -> Result<MatchId, LadderError> {
    let refused = |why: &str| Err(LadderError::Refused(why.to_string()));
    let now = now_ms();
    let settings = ladder.settings()?;
    if player.retired_ms.is_some() {
        return refused("you are retired: ask the teacher");
    }
    if ladder.recent_challenges(player.id, DAY_MS, now)? >= settings.quotas.challenges_a_day {
        return refused("you have had all challenges of a day: try again tomorrow");
    }
    if !(2..=400).contains(&form.rounds) {
        return refused("a challenge has 2 to 400 rounds");
    }
    let other = ladder.player(form.opponent)?;
    if other.id == player.id {
        return refused("choose another player: your own versions meet in rated matches");
    }
    let mut versions = Vec::new();
    for who in [player, &other] {
        let version = who.active_version.map(|id| ladder.version(id)).transpose()?;
        match version {
            Some(version) if version.state != VersionState::Ready || who.retired_ms.is_some() => {
                return Err(LadderError::Refused(format!("{} does not play now", who.name)));
            }
            Some(version) if version.kind == VersionKind::Connection => {
                return Err(LadderError::Refused(format!(
                    "{} plays from its own machine; a challenge is between submitted programs and house bots",
                    who.name
                )));
            }
            Some(version) => versions.push(version.id),
            None => return Err(LadderError::Refused(format!("{} has no program here yet", who.name))),
        }
    }
    let terms = MatchTerms { decks: form.rounds.div_ceil(2), ..settings.terms(MatchKind::Challenge) };
    ladder.plan_match(terms, &versions, Some(player.id), now)
}
