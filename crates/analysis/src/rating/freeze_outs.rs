//! Results of freeze-outs: shares of wins and their errors.

use serde::{Deserialize, Serialize};

use super::Finish;
use super::intervals::{ONE_SIDED_ERROR_RATE, normal_point, student_point};

/// The least groups of tournaments with equal decks for which their figures have intervals: fewer do not tell how much groups
/// differ. A group is as many tournaments as there are bots.
pub const MIN_GROUPS: usize = 30;

/// Weight of the pooled variance of all bots, in groups.
const POOLED_VARIANCE_GROUPS: f64 = 2.0;

/// A bot's freeze-outs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TournamentRecord {
    /// How many tournaments the bot played.
    pub tournaments: u64,
    /// How many of the tournaments the bot won; a shared first place counts.
    pub won: u64,
    /// The share of the tournaments that the bot won, where a first place that several share counts in parts.
    pub win_share: f64,
    /// The ends of the 95 % interval of that share; `None` if too few groups of tournaments with equal decks were played.
    pub win_interval: Option<(f64, f64)>,
    /// The mean of the bot's places, where a shared place is the middle one of those it stands for.
    pub mean_place: f64,
    /// The ends of the 95 % interval of the mean place, within the places there are; `None` as for the wins.
    pub place_interval: Option<(f64, f64)>,
}

/// Sums of a number between 0 and 1 over groups of tournaments. Tournaments of one group have the same decks and are not
/// independent, while groups are.
#[derive(Clone, Debug, Default)]
struct Groups(Vec<GroupSum>);

#[derive(Clone, Copy, Debug, Default)]
struct GroupSum {
    sum: f64,
    tournaments: f64,
}

impl Groups {
    fn add(&mut self, group: usize, number: f64) {
        if self.0.len() <= group {
            self.0.resize(group + 1, GroupSum::default());
        }
        self.0[group].sum += number;
        self.0[group].tournaments += 1.0;
    }

    fn tournaments(&self) -> f64 {
        self.0.iter().map(|group| group.tournaments).sum()
    }

    fn mean(&self) -> f64 {
        self.0.iter().map(|group| group.sum).sum::<f64>() / self.tournaments()
    }

    fn variance_of_mean(&self) -> f64 {
        let (mean, groups) = (self.mean(), self.0.len() as f64);
        let off = |group: &GroupSum| (group.sum - mean * group.tournaments).powi(2);
        self.0.iter().map(off).sum::<f64>() * groups / (groups - 1.0) / self.tournaments().powi(2)
    }

    /// The variance of the mean of as many independent draws that are 0 or 1.
    fn variance_of_draws(&self) -> f64 {
        let mean = self.mean();
        (mean * (1.0 - mean)).max(0.0) / self.tournaments()
    }

    /// The 95 % interval of the mean, `None` if there are too few groups. It is Wilson's, with Student's points, for draws whose
    /// variance is `design` times that of independent ones, as far as the groups do not show another; so the ends keep within 0
    /// and 1, and a bot that won everything may still lose.
    fn interval(&self, design: f64) -> Option<(f64, f64)> {
        let groups = self.0.len();
        if groups < MIN_GROUPS {
            return None;
        }
        let (mean, draws) = (self.mean(), self.variance_of_draws());
        let seen = groups as f64 - 1.0;
        let design = match draws > 0.0 {
            true => {
                (seen * self.variance_of_mean() / draws + POOLED_VARIANCE_GROUPS * design)
                    / (seen + POOLED_VARIANCE_GROUPS)
            }
            false => design,
        };
        let reach = student_point(normal_point(ONE_SIDED_ERROR_RATE), seen);
        let unit = reach * reach * design / self.tournaments();
        let middle = (mean + unit / 2.0) / (1.0 + unit);
        let half = (unit * mean * (1.0 - mean) + unit * unit / 4.0).sqrt() / (1.0 + unit);
        // Where hardly any draw was the rarer one, Wilson's nearer end is too near (Brown, Cai and DasGupta, 2001).
        let worth = normal_point(ONE_SIDED_ERROR_RATE).powi(2) / unit;
        let (low, high) =
            (min_mean_draws(worth * mean) / worth, 1.0 - min_mean_draws(worth * (1.0 - mean)) / worth);
        Some(((middle - half).min(low).max(0.0), (middle + half).max(high).min(1.0)))
    }
}

/// How many draws there are at least on average where so many are seen, if they are few: the 5 % point of the chi-squared
/// distribution, halved (Wilson and Hilferty, 1931). Endless where they are not few.
fn min_mean_draws(seen: f64) -> f64 {
    const FEW: f64 = 4.0;
    if seen >= FEW {
        return f64::INFINITY;
    }
    let normal = normal_point(2.0 * ONE_SIDED_ERROR_RATE);
    seen * (1.0 - 1.0 / (9.0 * seen) - normal / (3.0 * seen.sqrt())).max(0.0).powi(3)
}

/// The variance of these bots' means relative to independent draws, pooled. Independence is assumed while a bot has few
/// groups: a bot with the same result in every group may still vary later.
fn common_design(bots: &[Groups]) -> f64 {
    let (mut seen, mut draws, mut all) = (0.0, 0.0, 0.0);
    for groups in bots.iter().filter(|groups| groups.0.len() >= MIN_GROUPS) {
        let weight = groups.0.len() as f64 - 1.0;
        seen += weight * groups.variance_of_mean();
        draws += weight * groups.variance_of_draws();
        all += groups.variance_of_draws();
    }
    let believed = POOLED_VARIANCE_GROUPS * all / bots.len() as f64;
    if draws > 0.0 { (seen + believed) / (draws + believed) } else { 1.0 }
}

/// A bot's results in tournaments.
#[derive(Clone, Debug, Default)]
struct BotRecord {
    won: u64,
    wins: Groups,
    /// The places, as parts of the way from the first to the last.
    places: Groups,
}

/// The results of each bot in these tournaments; as many tournaments as there are bots form a group with the same
/// decks.
fn records(bots: usize, finishes: &[Finish]) -> Vec<BotRecord> {
    let mut records = vec![BotRecord::default(); bots];
    for (number, finish) in finishes.iter().enumerate() {
        let last = finish.bots.len() as f64;
        for (bot, place) in finish.bots.iter().zip(&finish.places) {
            let shared = finish.places.iter().filter(|other| *other == place).count() as f64;
            let is_first = *place == 1;
            let record = &mut records[*bot];
            record.won += u64::from(is_first);
            record.wins.add(number / bots, if is_first { 1.0 / shared } else { 0.0 });
            let place = *place as f64 + (shared - 1.0) / 2.0;
            record.places.add(number / bots, (place - 1.0) / (last - 1.0));
        }
    }
    records
}

pub(super) fn tournament_records(bots: usize, finishes: &[Finish]) -> Vec<Option<TournamentRecord>> {
    let records = records(bots, finishes);
    let last = finishes.first().map_or(1, |finish| finish.bots.len()) as f64;
    let place = |down: f64| 1.0 + down * (last - 1.0);
    let [wins, places]: [Vec<Groups>; 2] =
        [|record: &BotRecord| record.wins.clone(), |record: &BotRecord| record.places.clone()]
            .map(|of| records.iter().map(of).collect());
    let (design_of_wins, design_of_places) = (common_design(&wins), common_design(&places));
    let summary = |record: BotRecord| {
        let played = record.wins.tournaments();
        (played > 0.0).then(|| TournamentRecord {
            tournaments: played as u64,
            won: record.won,
            win_share: record.wins.mean(),
            win_interval: record.wins.interval(design_of_wins),
            mean_place: place(record.places.mean()),
            place_interval: record
                .places
                .interval(design_of_places)
                .map(|(low, high)| (place(low), place(high))),
        })
    };
    records.into_iter().map(summary).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tournaments of three of four bots, in which the lower number wins.
    fn finishes(count: usize) -> Vec<Finish> {
        let finish = |turn: usize| {
            let mut bots = vec![0, 1, 2];
            bots.rotate_left(turn % 3);
            let places = bots.iter().map(|bot| bot + 1).collect();
            Finish { bots, places }
        };
        (0..count).map(finish).collect()
    }

    /// A bot that won everything may still lose: the interval is not empty, and stays within the possible places.
    #[test]
    fn all_wins_are_not_certainty_and_few_wins_give_no_interval() {
        let of = |count: usize, bot: usize| tournament_records(4, &finishes(count))[bot].unwrap();
        let (first, last) = (of(160, 0), of(160, 2));
        assert_eq!((first.mean_place, last.mean_place, first.win_share), (1.0, 3.0, 1.0));
        let (low, high) = first.place_interval.unwrap();
        assert!(low == 1.0 && high > 1.0 && high < 1.5, "{high}");
        let (low, high) = last.place_interval.unwrap();
        assert!(low > 2.5 && low < 3.0 && high == 3.0, "{low}");
        assert!(first.win_interval.unwrap().0 < 1.0);
        assert_eq!((of(4, 0).win_interval, of(4, 0).place_interval), (None, None));
    }
}
