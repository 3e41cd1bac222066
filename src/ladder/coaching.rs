//! What the coach says of a player's last matches: which kinds of mistakes cost it the chips. A kind says no card of anybody.

use std::num::NonZero;

use bytes::Bytes;
use serde::Serialize;

use casino_ladder::{LadderError, MatchFilter, MatchId, MatchKind, MatchState, PlayerId};
use casino_stud::coach::{ChipMean, Coach, MistakeClass, Notebook};
use casino_stud::replay::{Segment, names};

use super::replays::{public_record, replayed};
use super::{Desk, lock};

/// How many of the last matches the coach looks at.
const MATCHES: u32 = 6;

/// A kind of mistakes.
#[derive(Serialize)]
struct Kind {
    what: String,
    street: u8,
    mistakes: u64,
    cost: f64,
    half: f64,
}

/// What is counted over several matches.
#[derive(Default, Serialize)]
struct Counts {
    matches: usize,
    rounds: u64,
    decisions: u64,
    proven: u64,
    estimated: u64,
    luck: f64,
}

/// What the coach says of a player.
#[derive(Serialize)]
struct Coached {
    version: String,
    #[serde(flatten)]
    counts: Counts,
    less_luck: f64,
    less_luck_half: f64,
    given_away: f64,
    given_away_half: f64,
    kinds: Vec<Kind>,
    /// What is to be learned of the dearest kind.
    lesson: Option<String>,
}

/// A mean over several matches, each weighed by its rounds.
#[derive(Default)]
struct Sum {
    chips: f64,
    variance: f64,
}

impl Sum {
    fn add(&mut self, mean: &ChipMean, rounds: u64) {
        let rounds = rounds as f64;
        self.chips += mean.chips * rounds;
        self.variance += (mean.standard_error * rounds).powi(2);
    }

    /// The mean a round, and half of its 95 % interval.
    fn mean(&self, rounds: u64) -> (f64, f64) {
        let rounds = rounds.max(1) as f64;
        let mean = ChipMean { chips: self.chips / rounds, standard_error: self.variance.sqrt() / rounds };
        (mean.chips, mean.half_interval())
    }
}

/// What was added up so far.
#[derive(Default)]
struct Notes {
    counts: Counts,
    less_luck: Sum,
    given_away: Sum,
    classes: Vec<MistakeClass>,
}

impl Notes {
    /// Adds what the coach says of the player of this label in one match.
    fn add(&mut self, record: &[u8], label: &str) -> Result<(), LadderError> {
        let broken = |why: String| LadderError::Refused(format!("a journal cannot be read: {why}"));
        let mut journal = replayed(record)?;
        let names = names(journal.header());
        let Some(player) = names.iter().position(|name| name == label) else { return Ok(()) };
        let (mut notebook, mut rounds) = (Notebook::default(), Vec::new());
        while let Some(part) = journal.next(&mut notebook).map_err(|error| broken(error.to_string()))? {
            if let Segment::Round { finished: true, .. } = part {
                rounds.extend(notebook.take());
            }
        }
        let coach = Coach::new(names, &rounds);
        let analysis = coach.analyse_all(&rounds, usize::MAX, NonZero::<usize>::MIN, |_, _| ());
        let Some(own) = analysis.players.into_iter().find(|one| one.player == player) else { return Ok(()) };
        self.counts.matches += 1;
        self.counts.rounds += own.rounds;
        self.counts.decisions += own.decisions;
        self.counts.proven += own.proven_mistakes;
        self.counts.estimated += own.estimated_mistakes;
        self.counts.luck += own.luck;
        self.less_luck.add(&own.less_luck, own.rounds);
        self.given_away.add(&own.given_away, own.rounds);
        for class in own.classes {
            let is_same = |other: &&mut MistakeClass| {
                (other.street, other.replied, other.better) == (class.street, class.replied, class.better)
            };
            match self.classes.iter_mut().find(is_same) {
                Some(other) => {
                    other.mistakes += class.mistakes;
                    other.cost += class.cost;
                    other.standard_error = other.standard_error.hypot(class.standard_error);
                }
                None => self.classes.push(class),
            }
        }
        Ok(())
    }

    fn told(mut self, version: String) -> Coached {
        self.classes.sort_by(|one, other| other.cost.total_cmp(&one.cost));
        let (less_luck, less_luck_half) = self.less_luck.mean(self.counts.rounds);
        let (given_away, given_away_half) = self.given_away.mean(self.counts.rounds);
        let kind = |class: &MistakeClass| Kind {
            what: class.words(),
            street: class.street,
            mistakes: class.mistakes,
            cost: class.cost,
            half: class.half_interval(),
        };
        Coached {
            version,
            less_luck,
            less_luck_half,
            given_away,
            given_away_half,
            lesson: self.classes.first().map(MistakeClass::lesson),
            kinds: self.classes.iter().map(kind).collect(),
            counts: self.counts,
        }
    }
}

/// What the coach says of the active version of a player, as JSON. It is reckoned up once after each of its matches, by whoever asks
/// first.
pub(super) fn coached(desk: &Desk, id: PlayerId) -> Result<Bytes, LadderError> {
    let _one_at_a_time = lock(&desk.heavy);
    let (label, last) = {
        let ladder = desk.ladder();
        let active = ladder.player(id)?.active_version;
        let version =
            active.ok_or_else(|| LadderError::Refused("nothing of this player plays".to_string()))?;
        let (kind, state) = (Some(MatchKind::Rated), Some(MatchState::Played));
        let filter = MatchFilter { player: Some(id), kind, state, most: MATCHES, ..MatchFilter::default() };
        let mut last = ladder.page_of_matches(filter)?;
        last.retain(|found| found.seats.iter().any(|seat| seat.version == version));
        (ladder.version(version)?.label, last)
    };
    let newest = last.first().map(|found| found.id);
    if let Some((told, bytes)) = lock(&desk.coached).get(&id)
        && *told == newest
    {
        return Ok(bytes.clone());
    }
    let mut notes = Notes::default();
    for found in &last {
        notes.add(&public_record(desk, found.id)?, &label)?;
    }
    let told = serde_json::to_vec(&notes.told(label));
    let bytes = Bytes::from(told.map_err(|error| LadderError::Refused(error.to_string()))?);
    lock(&desk.coached).insert(id, (newest, bytes.clone()));
    Ok(bytes)
}

/// What was said of each player, and after which of its matches.
pub(super) type Kept = std::collections::BTreeMap<PlayerId, (Option<MatchId>, Bytes)>;
