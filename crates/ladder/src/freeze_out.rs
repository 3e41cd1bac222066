//! The freeze-out of the night: one tournament for everybody who wants it, at an hour that the teacher sets.
//!
//! It is due once from each such hour to the next, also if nobody served the ladder at the hour itself. A match that came to
//! nothing is tried again, a few times.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{Ladder, LadderError, MatchId, MatchKind, PlayerId, Settings, Version, VersionId, VersionKind};

const HOUR_MS: i64 = 3_600_000;
const DAY_MS: i64 = 24 * HOUR_MS;

/// How often a freeze-out of one night is tried.
const TRIES: i64 = 3;

/// The most players of a freeze-out: each is a program that runs all the while.
const MOST: usize = 100;

/// How somebody has done in freeze-outs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct FreezeOuts {
    /// How many were played to their end.
    pub played: i64,
    /// How many of these were won.
    pub won: i64,
}

/// When the last night began whose freeze-out is due at this hour, in milliseconds since 1970; both in UTC.
fn night_began(hour: u8, now_ms: i64) -> i64 {
    let at = i64::from(hour) * HOUR_MS;
    (now_ms - at).div_euclid(DAY_MS) * DAY_MS + at
}

impl Ladder {
    /// Plans the freeze-out of the night if it is due: with the active versions of all who want it and can come, and house bots in
    /// the chairs that are left at one table. Those that connect come only if they are `is_here`.
    ///
    /// # Errors
    /// [`LadderError`] if the database cannot be read or written.
    pub fn plan_freeze_out(
        &mut self,
        settings: &Settings,
        is_here: impl Fn(&Version) -> bool,
        now_ms: i64,
    ) -> Result<Option<MatchId>, LadderError> {
        let Some(hour) = settings.freeze_out_hour else { return Ok(None) };
        let since_ms = night_began(hour, now_ms);
        let (tried, is_over): (i64, bool) = self.db.query_row(
            "SELECT count(*), coalesce(max(state <> 'void'), 0) FROM matches WHERE kind = 'freeze_out' AND planned_ms >= ?1",
            [since_ms],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )?;
        if is_over || tried >= TRIES {
            return Ok(None);
        }
        let wants: BTreeMap<PlayerId, bool> =
            self.players()?.into_iter().map(|player| (player.id, player.wants_freeze_outs)).collect();
        let comes = |version: &Version| match version.kind {
            VersionKind::House => false,
            VersionKind::Submission => true,
            VersionKind::Connection => is_here(version),
        };
        let active = self.active_versions()?;
        let wanted = |version: &&Version| comes(version) && wants.get(&version.player) == Some(&true);
        let mut versions: Vec<VersionId> =
            active.iter().filter(wanted).map(|version| version.id).take(MOST).collect();
        if versions.is_empty() {
            return Ok(None);
        }
        let free = settings.seats.saturating_sub(versions.len());
        let house = active.iter().filter(|version| version.kind == VersionKind::House);
        versions.extend(house.map(|version| version.id).take(free));
        if versions.len() < 2 {
            return Ok(None);
        }
        self.plan_match(settings.terms(MatchKind::FreezeOut), &versions, None, now_ms).map(Some)
    }

    /// Whether a player wants to play in the freeze-outs of the night.
    ///
    /// # Errors
    /// [`LadderError::Unknown`].
    pub fn set_wants_freeze_outs(&mut self, id: PlayerId, wants: bool) -> Result<(), LadderError> {
        self.change_player(id, "wants_freeze_outs = ?2", &wants)
    }

    /// How each version that was in one has done in freeze-outs.
    ///
    /// # Errors
    /// [`LadderError`] if the database cannot be read.
    pub fn freeze_outs(&self) -> Result<BTreeMap<VersionId, FreezeOuts>, LadderError> {
        let mut rows = self.db.prepare(
            "SELECT s.version, count(*), sum(s.place = 1) FROM matches AS m JOIN seats AS s ON s.match = m.id
             WHERE m.kind = 'freeze_out' AND m.state = 'played' AND s.place IS NOT NULL GROUP BY s.version",
        )?;
        let counted = rows
            .query_map([], |row| Ok((row.get(0)?, FreezeOuts { played: row.get(1)?, won: row.get(2)? })))?;
        Ok(counted.collect::<rusqlite::Result<_>>()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folder::tests::Scratch;
    use crate::{MatchFilter, MatchState, NewVersion, PlayedMatch, SeatResult, VersionState};

    fn guest(ladder: &mut Ladder, name: &str, kind: VersionKind) -> PlayerId {
        let player = ladder.add_player(name, Some(name), 1).unwrap();
        let content_sha256 = (kind == VersionKind::Submission).then(|| "ab".repeat(32));
        let new = NewVersion { player, kind, source: "bot".to_string(), content_sha256, bytes: 1 };
        let version = ladder.add_version(&new, 1, |_| Ok(())).unwrap();
        ladder.set_checked(version, VersionState::Ready, None, None).unwrap();
        player
    }

    fn seats(ladder: &Ladder, id: MatchId) -> Vec<String> {
        let seats = ladder.match_of(id).unwrap().seats;
        seats.iter().map(|seat| ladder.version(seat.version).unwrap().label).collect()
    }

    #[test]
    fn the_night_begins_at_its_hour() {
        let day = 20_000 * DAY_MS;
        assert_eq!(night_began(3, day + 3 * HOUR_MS), day + 3 * HOUR_MS);
        assert_eq!(night_began(3, day + 3 * HOUR_MS - 1), day - 21 * HOUR_MS);
        assert_eq!(night_began(0, day + 5), day);
        assert_eq!(night_began(23, day), day - HOUR_MS);
    }

    /// On a clock that the test turns: once a night, of those who want it and can come, again if it came to nothing, and never if
    /// no hour is set.
    #[test]
    fn each_night_has_one_freeze_out_of_those_who_want_it() {
        let scratch = Scratch::new("night");
        let mut ladder = scratch.ladder();
        ladder.add_house_bots(1).unwrap();
        for name in ["Ada", "Bob", "Cy"] {
            guest(&mut ladder, name, VersionKind::Submission);
        }
        let dee = guest(&mut ladder, "Dee", VersionKind::Connection);
        let cy = ladder.player_named("Cy").unwrap().id;
        ladder.set_wants_freeze_outs(cy, false).unwrap();
        let day = 20_000 * DAY_MS;
        let off = Settings { seats: 4, ..Settings::default() };
        assert_eq!(ladder.plan_freeze_out(&off, |_| true, day).unwrap(), None);
        let settings = Settings { freeze_out_hour: Some(3), ..off };
        let at = day + 3 * HOUR_MS;
        let first = ladder.plan_freeze_out(&settings, |_| true, at).unwrap().unwrap();
        let table = seats(&ladder, first);
        assert_eq!(table[..3], ["Ada/1", "Bob/1", "Dee/1"]);
        assert_eq!(table.len(), 4, "a house bot has the chair that is left");
        assert_eq!(ladder.plan_freeze_out(&settings, |_| true, at + 1).unwrap(), None, "it is planned");
        // It waits for those who are at a table.
        let versions = ["Ada/1", "bold/1"].map(|label| ladder.version_labelled(label).unwrap().id);
        let before = ladder.plan_match(settings.terms(MatchKind::Rated), &versions, None, at).unwrap();
        ladder.begin_match(before, at).unwrap();
        assert_eq!(ladder.next_planned().unwrap(), None);
        ladder.void(before, "it was stopped", at).unwrap();
        assert_eq!(ladder.next_planned().unwrap(), Some(first));
        ladder.begin_match(first, at + 1).unwrap();
        ladder.void(first, "the machine was switched off", at + 2).unwrap();
        let second = ladder.plan_freeze_out(&settings, |version| version.player != dee, at + 3).unwrap();
        let second = second.unwrap();
        assert!(!seats(&ladder, second).contains(&"Dee/1".to_string()), "she has gone");
        let found = ladder.match_of(second).unwrap();
        ladder.plan_of(&found).unwrap().check().unwrap();
        // Ada wins it.
        let places = [1, 2, 3, 4];
        let result = |place| SeatResult { place: Some(place), ..SeatResult::default() };
        let results = places[..found.seats.len()].iter().map(|place| result(*place)).collect();
        let played = PlayedMatch {
            results,
            fouls: Vec::new(),
            rounds: 300,
            journal_sha256: "cd".repeat(32),
            journal_bytes: 1,
        };
        let journal = ladder.journal(&found.name);
        std::fs::write(&journal, "").unwrap();
        ladder.record(second, &played, &journal, at + 4).unwrap();
        let next = at + DAY_MS;
        assert_eq!(
            ladder.plan_freeze_out(&settings, |_| true, next - 1).unwrap(),
            None,
            "not before its hour"
        );
        for tries in 0..TRIES {
            let id = ladder.plan_freeze_out(&settings, |_| true, next + tries).unwrap().unwrap();
            ladder.void(id, "no room", next + tries).unwrap();
        }
        assert_eq!(ladder.plan_freeze_out(&settings, |_| true, next + 9).unwrap(), None, "it has been tried");
        let won = ladder.freeze_outs().unwrap();
        let of = |label: &str| won[&ladder.version_labelled(label).unwrap().id];
        assert_eq!(of("Ada/1"), FreezeOuts { played: 1, won: 1 });
        assert_eq!(of("Bob/1"), FreezeOuts { played: 1, won: 0 });
        let all = MatchFilter { state: Some(MatchState::Played), ..MatchFilter::default() };
        assert_eq!(ladder.matches(all).unwrap().len(), 1);
    }
}
