//! Plays due matches one after the other, from the plan to the record.

use std::collections::BTreeMap;
use std::sync::Arc;

use casino_judge::grade::submission::Submission;

use super::outputs::{CapturedOutputs, TimesTaken};
use super::play::play;
use super::{
    Connections, Ladder, LadderError, MatchId, MatchPlan, PlayError, PlayedMatch, VersionState, Workshop,
};

/// The outcome of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MatchEnd {
    /// It was played and recorded.
    Played,
    /// Void, for this reason; the versions that could not play are set aside.
    Void(String),
    /// It is void, because this machine could not play it, for this reason.
    Machine(String),
}

impl Ladder {
    /// Builds the submissions of a match that have not been built, or says which cannot be built any more.
    fn prepare(
        &self,
        id: MatchId,
        workshop: &Workshop,
        clock: &dyn Fn() -> i64,
        taken: &mut TimesTaken,
    ) -> Result<Result<BTreeMap<String, Arc<Submission>>, PlayError>, LadderError> {
        let found = self.match_of(id)?;
        let mut built = BTreeMap::new();
        for seat in &found.seats {
            let version = self.version(seat.version)?;
            let Some(sha256) = version.content_sha256.clone() else { continue };
            let handed_in = self.submission_file(&version);
            let build = || workshop.build(&handed_in, &sha256);
            let began_ms = clock();
            let submission = build().or_else(|error| if error.is_full() { Err(error) } else { build() });
            *taken.entry(version.label.clone()).or_default() += clock() - began_ms;
            let submission = match submission {
                Ok(submission) => submission,
                Err(error) if error.is_full() => return Err(error),
                Err(error) => {
                    let why = format!("could not be built again: {error}");
                    return Ok(Err(PlayError::Unfit { label: version.label, why }));
                }
            };
            built.insert(sha256, submission);
        }
        Ok(Ok(built))
    }

    /// Records the outcome of a match that was begun: its result, or that it is void and which versions are set aside.
    pub(crate) fn conclude(
        &mut self,
        id: MatchId,
        played: Result<PlayedMatch, PlayError>,
        now_ms: i64,
    ) -> Result<MatchEnd, LadderError> {
        let found = self.match_of(id)?;
        match played {
            Ok(played) => {
                let journal = self.unrecorded_journal(&found.name);
                self.record(id, &played, &journal, now_ms)?;
                Ok(MatchEnd::Played)
            }
            Err(error @ PlayError::Machine(_)) => {
                let why = error.to_string();
                self.void(id, &why, now_ms)?;
                Ok(MatchEnd::Machine(why))
            }
            Err(error) => {
                if let PlayError::Unfit { label, why } = &error {
                    let version = self.version_labelled(label)?;
                    if version.state == VersionState::Ready && version.content_sha256.is_some() {
                        self.set_aside(version.id, &format!("It could not play: it {why}"), now_ms)?;
                    }
                }
                let why = error.to_string();
                self.void(id, &why, now_ms)?;
                Ok(MatchEnd::Void(why))
            }
        }
    }

    /// The path of a match's journal while it is played.
    pub fn unrecorded_journal(&self, name: &str) -> std::path::PathBuf {
        self.journal(name).with_extension("part")
    }

    /// Plays a match that was begun to its record, and waits for it. `clock` returns the time. Also returns the time that
    /// each version took, in milliseconds, by its label. A match that takes longer than its budget is void, and the version
    /// that took the most time is set aside.
    pub fn play_begun(
        &mut self,
        id: MatchId,
        workshop: &Workshop,
        connections: Connections,
        clock: &dyn Fn() -> i64,
        stop: impl Fn() -> bool,
    ) -> Result<(MatchEnd, TimesTaken), LadderError> {
        let mut taken = TimesTaken::new();
        let submissions = match self.prepare(id, workshop, clock, &mut taken)? {
            Ok(submissions) => submissions,
            Err(why) => return Ok((self.conclude(id, Err(why), clock())?, taken)),
        };
        let found = self.match_of(id)?;
        let plan = self.plan_of(&found)?;
        let journal = self.unrecorded_journal(&found.name);
        let captured = CapturedOutputs::default();
        let end_ms = clock() + plan.budget_ms();
        let stop = || stop() || clock() >= end_ms || self.has_retired(id).unwrap_or_default();
        let playing = play(&plan, workshop, &submissions, connections, &journal, &captured, &mut taken, stop);
        let played =
            casino_host::block_on(playing).unwrap_or_else(|error| Err(PlayError::Machine(error.to_string())));
        let played = played.map_err(|error| match error {
            PlayError::Stopped if clock() >= end_ms => too_slow(&plan, &taken),
            error => error,
        });
        self.store_outputs(&found, &captured)?;
        Ok((self.conclude(id, played, clock())?, taken))
    }
}

/// Why a match took longer than its budget: the version that took the most time, unless this machine took it.
fn too_slow(plan: &MatchPlan, taken: &TimesTaken) -> PlayError {
    let budget_ms = plan.budget_ms();
    let (label, took_ms) = taken
        .iter()
        .max_by_key(|(_, took_ms)| **took_ms)
        .map_or(("", 0), |(label, ms)| (label.as_str(), *ms));
    if took_ms < budget_ms / plan.seats.len() as i64 {
        return PlayError::Machine(format!("it took longer than {} s", budget_ms / 1_000));
    }
    let why = format!(
        "took {} s of the {} s that a match of {} rounds may last: reply and start faster",
        took_ms / 1_000,
        budget_ms / 1_000,
        plan.rounds()
    );
    PlayError::Unfit { label: label.to_string(), why }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folder::tests::Scratch;
    use crate::play::play_house_match;
    use crate::{MatchFilter, MatchKind, MatchState, MatchTerms, NewVersion, VersionKind, prove};
    use std::cell::Cell;
    use std::fs;

    fn house_match(ladder: &mut Ladder, kind: MatchKind, names: &[&str]) -> MatchId {
        let versions: Vec<_> =
            names.iter().map(|name| ladder.version_labelled(&format!("{name}/1")).unwrap().id).collect();
        let terms = MatchTerms { kind, decks: 5, stack: 200, reply_ms: 1_000 };
        ladder.plan_match(terms, &versions, None, 1).unwrap()
    }

    fn play_house(ladder: &mut Ladder, id: MatchId) -> PlayedMatch {
        assert!(ladder.begin_match(id, 2).unwrap());
        let found = ladder.match_of(id).unwrap();
        let plan = ladder.plan_of(&found).unwrap();
        plan.check().unwrap();
        let journal = ladder.unrecorded_journal(&found.name);
        play_house_match(&plan, &journal)
    }

    #[test]
    fn a_match_is_played_proved_and_recorded_once() {
        let scratch = Scratch::new("match");
        let mut ladder = scratch.ladder();
        ladder.add_house_bots(1).unwrap();
        let id = house_match(&mut ladder, MatchKind::Rated, &["bold", "odds", "random", "simple"]);
        let played = play_house(&mut ladder, id);
        assert_eq!(played.rounds, 20);
        assert_eq!(played.results.iter().map(|seat| seat.chips).sum::<i64>(), 0);
        assert!(played.results.iter().all(|seat| seat.rounds == 20 && seat.decks == 5), "{played:?}");
        let name = ladder.match_of(id).unwrap().name;
        let part = ladder.unrecorded_journal(&name);
        let full = "CREATE TRIGGER full BEFORE UPDATE ON seats BEGIN SELECT RAISE(ABORT, 'no room'); END";
        ladder.db.execute(full, []).unwrap();
        assert!(ladder.record(id, &played, &part, 3).is_err());
        assert!(part.exists() && !ladder.journal(&name).exists(), "its journal is unfinished again");
        ladder.db.execute("DROP TRIGGER full", []).unwrap();
        ladder.record(id, &played, &part, 3).unwrap();
        let place = ladder.journal(&name);
        ladder.record(id, &played, &place, 4).unwrap();
        let other = PlayedMatch { journal_sha256: "0".repeat(64), ..played.clone() };
        assert!(ladder.record(id, &other, &place, 4).is_err(), "what came first counts");
        let found = ladder.match_of(id).unwrap();
        assert_eq!(found.state, MatchState::Played);
        let results: Vec<_> = found.seats.iter().filter_map(|seat| seat.result).collect();
        assert_eq!(results, played.results);
        let plan = ladder.plan_of(&found).unwrap();
        assert_eq!(prove(&plan, &place).unwrap(), played);
        // A chip that moved in the journal is found.
        let text = fs::read_to_string(&place).unwrap();
        let changed = text.replacen("\"stacks\":[", "\"stacks\":[1", 1);
        fs::write(&place, changed).unwrap();
        assert!(prove(&plan, &place).is_err());
        let ratings = ladder.ratings().unwrap();
        assert_eq!(ratings.of("bold/1").unwrap().rounds, 20);
    }

    #[test]
    fn a_host_that_died_leaves_nothing_twice_and_nothing_lost() {
        let scratch = Scratch::new("died");
        let mut ladder = scratch.ladder();
        ladder.add_house_bots(1).unwrap();
        let rated = house_match(&mut ladder, MatchKind::Rated, &["bold", "odds"]);
        let wished = house_match(&mut ladder, MatchKind::Challenge, &["bold", "simple"]);
        for id in [rated, wished] {
            play_house(&mut ladder, id);
        }
        // The journal of the first is in its place already, but the database does not know it as played.
        let name = ladder.match_of(rated).unwrap().name;
        fs::rename(ladder.unrecorded_journal(&name), ladder.journal(&name)).unwrap();
        // That of a player who was retired meanwhile is not played again, and a half submission is gone.
        let ada = ladder.add_player("Ada", None, 1).unwrap();
        let new = NewVersion {
            player: ada,
            kind: VersionKind::Connection,
            source: "its own".to_string(),
            content_sha256: None,
            bytes: 0,
        };
        let version = ladder.add_version(&new, 1, |_| Ok(())).unwrap();
        let odds = ladder.version_labelled("odds/1").unwrap().id;
        let terms = MatchTerms { kind: MatchKind::Challenge, decks: 5, stack: 200, reply_ms: 1_000 };
        let retired = ladder.plan_match(terms, &[version, odds], Some(ada), 1).unwrap();
        assert!(ladder.begin_match(retired, 2).unwrap());
        ladder.retire(ada, Some(3)).unwrap();
        let folder = ladder.folder().to_path_buf();
        fs::create_dir_all(folder.join("arriving/half")).unwrap();
        drop(ladder);
        let mut ladder = Ladder::open(&folder).unwrap();
        ladder.serve().unwrap();
        assert!(!ladder.arriving().exists());
        assert_eq!(ladder.match_of(retired).unwrap().state, MatchState::Void);
        assert_eq!(fs::read_dir(folder.join("matches")).unwrap().count(), 1);
        assert_eq!(ladder.match_of(rated).unwrap().state, MatchState::Played, "its journal is whole");
        assert_eq!(ladder.match_of(wished).unwrap().state, MatchState::Void);
        let planned = MatchFilter { state: Some(MatchState::Planned), ..MatchFilter::default() };
        let planned = ladder.matches(planned).unwrap();
        assert_eq!(planned.len(), 1, "the challenge is played again");
        assert_eq!(planned[0].kind, MatchKind::Challenge);
        assert_ne!(planned[0].seed, ladder.match_of(wished).unwrap().seed);
    }

    #[test]
    fn an_absent_version_is_set_aside_without_harm_to_others() {
        let scratch = Scratch::new("absent");
        let mut ladder = scratch.ladder();
        ladder.add_house_bots(1).unwrap();
        let player = ladder.add_player("Ada", Some("ada"), 1).unwrap();
        let source = "bot".to_string();
        let content_sha256 = Some("ab".repeat(32));
        let new = NewVersion { player, kind: VersionKind::Submission, source, content_sha256, bytes: 1 };
        let version = ladder.add_version(&new, 1, |_| Ok(())).unwrap();
        ladder.set_checked(version, VersionState::Ready, None, Some("passed")).unwrap();
        let time = Cell::new(10);
        let now = || time.replace(time.get() + 1);
        let id = ladder.plan_next(|_| true, now()).unwrap().unwrap();
        assert!(ladder.match_of(id).unwrap().seats.iter().any(|seat| seat.version == version));
        assert!(ladder.plan_next(|_| true, now()).unwrap().is_none(), "she sits at a table already");
        ladder.begin_match(id, now()).unwrap();
        let absent = PlayError::Unfit { label: "Ada/1".to_string(), why: "ended before it connected".into() };
        let end = ladder.conclude(id, Err(absent), now()).unwrap();
        assert!(matches!(end, MatchEnd::Void(why) if why.contains("Ada/1")));
        assert_eq!(ladder.version(version).unwrap().state, VersionState::SetAside);
        assert!(ladder.plan_next(|_| true, now()).unwrap().is_none(), "not asked again");
        ladder.activate(version).unwrap();
        assert!(ladder.plan_next(|_| true, now()).unwrap().is_some());
        let full = crate::Settings {
            quotas: crate::Quotas { ladder_bytes: 1, ..crate::Quotas::default() },
            ..crate::Settings::default()
        };
        ladder.set_settings(&full).unwrap();
        let error = ladder.plan_next(|_| true, now()).unwrap_err();
        assert!(error.is_full(), "{error}");
    }

    #[test]
    fn a_match_over_its_budget_of_time_is_void_and_its_slow_version_unfit() {
        let scratch = Scratch::new("budget");
        let mut ladder = scratch.ladder();
        ladder.add_house_bots(1).unwrap();
        let id = house_match(&mut ladder, MatchKind::Challenge, &["bold", "odds", "random", "simple"]);
        let plan = ladder.plan_of(&ladder.match_of(id).unwrap()).unwrap();
        assert_eq!(plan.budget_ms(), 20_000 + 20 * 500);
        let taken = |times: [i64; 2]| ["Ada/1", "Bob/2"].map(str::to_string).into_iter().zip(times).collect();
        let why = too_slow(&plan, &taken([400, 29_000])).to_string();
        assert!(why.starts_with("Bob/2 cannot play: it took 29 s of the 30 s"), "{why}");
        assert!(
            matches!(too_slow(&plan, &taken([7_000, 400])), PlayError::Machine(_)),
            "this machine was slow"
        );
        // Nobody plays longer than the budget, on this clock.
        use casino_judge::check::CheckSettings;
        use casino_judge::sandbox::{Policy, Sandbox};
        let workshop = Workshop::new(Sandbox::new(Policy::Plain).unwrap(), CheckSettings::default());
        let time = Cell::new(1);
        let clock = || time.replace(time.get() + 1_000);
        assert!(ladder.begin_match(id, 2).unwrap());
        let (end, _) = ladder.play_begun(id, &workshop, Connections::new(), &clock, || false).unwrap();
        assert!(matches!(end, MatchEnd::Machine(why) if why.contains("longer than 30 s")));
        assert_eq!(ladder.match_of(id).unwrap().state, MatchState::Void);
    }
}
