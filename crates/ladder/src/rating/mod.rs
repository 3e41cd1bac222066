//! Ratings from the set of matches.
//!
//! The winnings of a version per round are modelled as its value less the level of the table: in a match, `chips /
//! rounds = value − level + noise`. The level makes the sum of the table zero, and each version's noise has its own
//! variance, which falls with the number of rounds. The values are the weighted least squares fit of all matches. One
//! house bot has the value 0; the prior of a first version is centered on 0, that of each other one on its predecessor,
//! with a spread so wide that a few matches outweigh it.
//!
//! Everything is computed in an order that follows from the names of matches and versions, without threads, so that the
//! same matches give the same values to the bit on every machine.

mod compare;
mod normal;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub(crate) use compare::compare_in_duels;
pub use compare::{Comparison, compare};

use normal::{Equations, MatchRow};

/// The spread of first versions around 0, in chips a round. It only bounds the value of a version that has hardly played.
pub const FIRST_VERSION_SPREAD: f64 = 40.0;

/// The spread of a version around its predecessor, in chips a round.
pub const NEXT_VERSION_SPREAD: f64 = 10.0;

/// Factor by which the intervals are wider than the model's, set by the measured coverage (docs/benchmarks.md).
pub const INTERVAL_WIDTH_FACTOR: f64 = 1.0;

const HALF_INTERVAL_ERRORS: f64 = 1.96;

const DEFAULT_ROUND_DEVIATION: f64 = 30.0;

/// Weight, in matches, of the variance measured within matches against the variance between matches: for one version,
/// and for all versions together.
const VERSION_VARIANCE_PRIOR_MATCHES: f64 = 8.0;
const LADDER_VARIANCE_PRIOR_MATCHES: f64 = 40.0;

/// How often variances and values are fitted to each other.
const FIT_ITERATIONS: usize = 4;

/// A version as the ratings need it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RatedVersion {
    /// Its label, by which everything is sorted.
    pub label: String,
    /// The label of the version before it.
    pub predecessor: Option<String>,
    /// Whether it is a house bot, and so may be the zero of the scale.
    pub is_house: bool,
    /// Whether its interval and its differences from others are computed even where there are too many versions to compute all.
    pub is_active: bool,
}

/// A seat of a match as the ratings need it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RatedSeat {
    /// The label of the version.
    pub label: String,
    /// The chips that it won.
    pub chips: i64,
    /// The decks, and the sum of the squares of the winnings per deck: the noise of the version within a match.
    pub decks: i64,
    /// That sum.
    pub squares: i64,
}

/// A match as the ratings need it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RatedMatch {
    /// Its name, by which matches are sorted.
    pub name: String,
    /// The rounds that everyone played.
    pub rounds: i64,
    /// The seats of the match.
    pub seats: Vec<RatedSeat>,
}

/// The rating of a version.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct VersionRating {
    /// Its label.
    pub label: String,
    /// Chips a round, more than the house bot that is the zero of the scale.
    pub value: f64,
    /// Half of its 95 % interval; `None` for an old version in a ladder with very many versions.
    pub half: Option<f64>,
    /// The matches it has played.
    pub matches: u64,
    /// The rounds it has played.
    pub rounds: u64,
    /// The standard deviation of its chips in a round.
    pub deviation: f64,
}

/// The ratings of a ladder.
#[derive(Clone, Debug, PartialEq)]
pub struct Ratings {
    /// By label.
    versions: Vec<VersionRating>,
    /// For each version, its row in the covariance.
    rows: Vec<Option<usize>>,
    /// The covariance of the values, row by row.
    covariance: Vec<f64>,
    size: usize,
    /// The label of the house bot whose value is 0.
    zero: Option<String>,
}

/// House bots that may be the zero of the scale; the first that has played is taken. Their play is easy to understand.
const ZERO_CANDIDATES: [&str; 3] = ["simple/1", "reader/1", "caller/1"];

/// Rates all versions by these matches. Matches with versions that are not in the list are left out.
pub fn rate(versions: &[RatedVersion], matches: &[RatedMatch]) -> Ratings {
    let mut sorted: Vec<&RatedVersion> = versions.iter().collect();
    sorted.sort_by(|one, other| one.label.cmp(&other.label));
    sorted.dedup_by(|one, other| one.label == other.label);
    let index: BTreeMap<&str, usize> =
        sorted.iter().enumerate().map(|(at, version)| (version.label.as_str(), at)).collect();
    let by_name = by_name(matches);
    let (within, noise) = within(&by_name, &index);
    let tables = tables(&by_name, &index, noise);
    let mut counts = vec![(0u64, 0u64); sorted.len()];
    for found in &by_name {
        for at in found.seats.iter().filter_map(|seat| index.get(seat.label.as_str())) {
            counts[*at].0 += 1;
            counts[*at].1 += u64::try_from(found.rounds).unwrap_or_default();
        }
    }
    let played = |label: &&str| index.get(*label).filter(|at| counts[**at].0 > 0).copied();
    let first_house = || (0..sorted.len()).find(|at| sorted[*at].is_house && counts[*at].0 > 0);
    let zero = ZERO_CANDIDATES.iter().find_map(played).or_else(first_house);
    let before: Vec<Option<usize>> = sorted
        .iter()
        .map(|version| version.predecessor.as_deref().and_then(|label| index.get(label).copied()))
        .collect();
    let mut equations = Equations::new(tables, before, zero, within);
    for _ in 0..FIT_ITERATIONS {
        equations.solve();
        equations.fit_variances(VERSION_VARIANCE_PRIOR_MATCHES, LADDER_VARIANCE_PRIOR_MATCHES);
    }
    equations.solve();
    let active: Vec<bool> = sorted.iter().map(|version| version.is_active).collect();
    let (rows, covariance, size) = equations.covariance(&active);
    let rating = |(at, version): (usize, &&RatedVersion)| VersionRating {
        label: version.label.clone(),
        // Of the two zeros the one without a sign.
        value: equations.values()[at] + 0.0,
        half: rows[at].map(|row| {
            HALF_INTERVAL_ERRORS * INTERVAL_WIDTH_FACTOR * covariance[row * size + row].max(0.0).sqrt()
        }),
        matches: counts[at].0,
        rounds: counts[at].1,
        deviation: equations.noise_of(at).sqrt(),
    };
    Ratings {
        versions: sorted.iter().enumerate().map(rating).collect(),
        zero: zero.map(|at| sorted[at].label.clone()),
        rows,
        covariance,
        size,
    }
}

impl RatedMatch {
    /// The squares of the chips that the decks brought a seat around their mean, in thousandths for each round, and how many
    /// of them are free. Whole numbers, so that their order does not count.
    fn spread(&self, seat: &RatedSeat) -> (i128, i128) {
        let (chips, decks) = (i128::from(seat.chips), i128::from(seat.decks));
        let squares = (i128::from(seat.squares) * decks - chips * chips).max(0);
        (squares * 1_000 / i128::from(self.rounds.max(1)), (decks - 1).max(0))
    }

    /// Whether no deck was played twice, so that the luck of the cards is in the result.
    fn is_fresh(&self) -> bool {
        self.seats.iter().any(|seat| seat.decks == self.rounds)
    }
}

/// The variance of a round's chips within matches, by version: from the decks of its matches, where there are two or more. And
/// how many times the variance of equal deals the fresh deals have: their rounds count so much less.
fn within(matches: &[&RatedMatch], index: &BTreeMap<&str, usize>) -> (Vec<f64>, f64) {
    let seats = || matches.iter().flat_map(|found| found.seats.iter().map(move |seat| (found, seat)));
    let mut kinds = [(0i128, 0i128); 2];
    for (found, seat) in seats() {
        let ((spread, free), kind) = (found.spread(seat), &mut kinds[usize::from(found.is_fresh())]);
        *kind = (kind.0 + spread, kind.1 + free);
    }
    let [equal, fresh] = kinds.map(|(sum, free)| sum as f64 / free as f64);
    let noise = if equal > 0.0 && fresh > equal { fresh / equal } else { 1.0 };
    let mut sums = vec![(0i128, 0i128); index.len()];
    for (found, seat) in seats() {
        let Some(at) = index.get(seat.label.as_str()) else { continue };
        let (spread, free) = found.spread(seat);
        sums[*at].0 += if found.is_fresh() { (spread as f64 / noise) as i128 } else { spread };
        sums[*at].1 += free;
    }
    let (all, freedom) = sums.iter().fold((0, 0), |all, one| (all.0 + one.0, all.1 + one.1));
    let variance = |(sum, freedom): (i128, i128)| sum as f64 / 1_000.0 / freedom as f64;
    let usual =
        if all > 0 { variance((all, freedom)) } else { DEFAULT_ROUND_DEVIATION * DEFAULT_ROUND_DEVIATION };
    // A version that only folds has no noise of its own; it is assumed to be a hundredth as noisy as usual.
    let one = |sum: &(i128, i128)| if sum.1 > 0 { variance(*sum).max(usual / 100.0) } else { usual };
    (sums.iter().map(one).collect(), noise)
}

/// The matches with versions as numbers.
fn tables(matches: &[&RatedMatch], index: &BTreeMap<&str, usize>, noise: f64) -> Vec<MatchRow> {
    let table = |found: &&RatedMatch| {
        let rounds = found.rounds as f64;
        let seat = |seat: &RatedSeat| Some((*index.get(seat.label.as_str())?, seat.chips as f64 / rounds));
        let seats = found.seats.iter().map(seat).collect::<Option<Vec<_>>>()?;
        Some(MatchRow { rounds: if found.is_fresh() { rounds / noise } else { rounds }, seats })
    };
    matches.iter().filter(|found| found.rounds > 0).filter_map(table).collect()
}

/// The matches sorted by their names, each once.
fn by_name(matches: &[RatedMatch]) -> Vec<&RatedMatch> {
    let mut sorted: Vec<&RatedMatch> = matches.iter().collect();
    sorted.sort_by(|one, other| one.name.cmp(&other.name));
    sorted.dedup_by(|one, other| one.name == other.name);
    sorted
}

impl Ratings {
    /// All versions, by label.
    pub fn versions(&self) -> &[VersionRating] {
        &self.versions
    }

    /// The rating of the version of this label.
    pub fn of(&self, label: &str) -> Option<&VersionRating> {
        self.at(label).map(|at| &self.versions[at])
    }

    /// The label of the house bot whose value is 0, once one has played.
    pub fn zero(&self) -> Option<&str> {
        self.zero.as_deref()
    }

    fn at(&self, label: &str) -> Option<usize> {
        self.versions.binary_search_by(|version| version.label.as_str().cmp(label)).ok()
    }

    /// How much more one version wins than another, in chips a round, and the standard error of that.
    pub fn difference(&self, one: &str, other: &str) -> Option<(f64, f64)> {
        let (one, other) = (self.at(one)?, self.at(other)?);
        let (row, column) = (self.rows[one]?, self.rows[other]?);
        let of = |row: usize, column: usize| self.covariance[row * self.size + column];
        let variance = of(row, row) + of(column, column) - 2.0 * of(row, column);
        let difference = self.versions[one].value - self.versions[other].value;
        Some((difference, INTERVAL_WIDTH_FACTOR * variance.max(0.0).sqrt()))
    }
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod real_play_tests;
