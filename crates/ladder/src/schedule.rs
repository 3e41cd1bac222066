//! The next table: a rule based on the present state only, without a clock and without chance.
//!
//! 1. A version that has waited for half of the longest wait comes first, the longest wait before the others.
//! 2. Otherwise the most informative version comes first: the one with the widest interval, then the one that has
//!    played least, then the one that has waited longest.
//! 3. One chair of each table is a house bot's, as long as there is one: they tie all tables to one scale.
//! 4. The other seats go to the most informative opponents of the first one: the variance of each is divided by 1 + d²,
//!    where d is its distance from the first one's value in tens of chips a round, because a match between equals tells
//!    most about both. An earlier version of the same player counts as any other; two versions of a player sit together
//!    only if one of them is old.
//!
//! Only house bots play at two tables at a time.

/// A version that can be seated.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The label of its version.
    pub label: String,
    /// Whether it is a house bot, which may sit at several tables.
    pub is_house: bool,
    /// Its value in chips a round.
    pub value: f64,
    /// Half of its interval.
    pub half: f64,
    /// The rated matches it has played.
    pub matches: u64,
    /// For how long it has waited, in milliseconds.
    pub waited_ms: i64,
}

/// Distance in chips a round at which two versions are half as informative about each other.
const HALF_INFORMATION_CHIPS: f64 = 10.0;

/// The half interval assumed for an unbounded one, in chips a round.
const DEFAULT_HALF_INTERVAL_CHIPS: f64 = 100.0;

/// The labels of the next match; `None` if there are fewer than two, or house bots only.
pub fn next_table(candidates: &[Candidate], seats: usize, longest_wait_ms: i64) -> Option<Vec<String>> {
    let urgent = |one: &Candidate| one.waited_ms >= longest_wait_ms / 2;
    let half = |one: &Candidate| if one.half.is_finite() { one.half } else { DEFAULT_HALF_INTERVAL_CHIPS };
    let mut guests: Vec<&Candidate> = candidates.iter().filter(|one| !one.is_house).collect();
    let mut house: Vec<&Candidate> = candidates.iter().filter(|one| one.is_house).collect();
    guests.sort_by(|one, other| {
        let late = |one: &Candidate| if urgent(one) { one.waited_ms } else { 0 };
        late(other)
            .cmp(&late(one))
            .then(half(other).total_cmp(&half(one)))
            .then(one.matches.cmp(&other.matches))
            .then(other.waited_ms.cmp(&one.waited_ms))
            .then(one.label.cmp(&other.label))
    });
    let first = *guests.first()?;
    let seats = seats.min(candidates.len());
    if seats < 2 {
        return None;
    }
    let tells = |one: &Candidate| {
        let distance = (one.value - first.value) / HALF_INFORMATION_CHIPS;
        half(one) * half(one) / (1.0 + distance * distance)
    };
    let most_telling = |one: &&Candidate, other: &&Candidate| {
        tells(other)
            .total_cmp(&tells(one))
            .then(one.matches.cmp(&other.matches))
            .then(other.waited_ms.cmp(&one.waited_ms))
            .then(one.label.cmp(&other.label))
    };
    // Late versions stay in front of all others.
    let late = guests.iter().filter(|one| urgent(one)).count().max(1);
    guests[late..].sort_by(most_telling);
    // A near house bot with few matches ties best; the scale needs all of them now and then.
    house.sort_by(|one, other| {
        let far = |one: &Candidate| ((one.value - first.value) / HALF_INFORMATION_CHIPS).abs().floor();
        (one.matches as f64 * (1.0 + far(one)))
            .total_cmp(&(other.matches as f64 * (1.0 + far(other))))
            .then(one.label.cmp(&other.label))
    });
    let anchors = usize::from(!house.is_empty());
    let mut table: Vec<String> = guests.iter().take(seats - anchors).map(|one| one.label.clone()).collect();
    let rest = seats - table.len();
    table.extend(house.iter().take(rest).map(|one| one.label.clone()));
    (table.len() > 1).then_some(table)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(label: &str, is_house: bool) -> Candidate {
        Candidate {
            label: label.to_string(),
            is_house,
            value: 0.0,
            half: if is_house { 1.0 } else { DEFAULT_HALF_INTERVAL_CHIPS },
            matches: 0,
            waited_ms: 0,
        }
    }

    #[test]
    fn a_single_student_plays_but_house_bots_alone_do_not() {
        let house: Vec<Candidate> = ["bold", "odds", "simple"].map(|name| candidate(name, true)).to_vec();
        assert_eq!(next_table(&house, 6, 1_000), None);
        let with_ada = [house.clone(), vec![candidate("Ada/1", false)]].concat();
        let table = next_table(&with_ada, 6, 1_000).unwrap();
        assert_eq!(table, ["Ada/1", "bold", "odds", "simple"]);
        assert_eq!(next_table(&with_ada[3..], 6, 1_000), None);
    }

    #[test]
    fn the_widest_interval_meets_neighbours_and_a_house_bot() {
        let mut all: Vec<Candidate> = ["a", "b", "c", "d"].map(|name| candidate(name, false)).to_vec();
        for (one, (value, half)) in all.iter_mut().zip([(0.0, 2.0), (1.0, 9.0), (40.0, 3.0), (2.0, 2.5)]) {
            (one.value, one.half) = (value, half);
        }
        all.push(candidate("odds", true));
        assert_eq!(next_table(&all, 4, 1_000_000).unwrap(), ["b", "d", "a", "odds"]);
        // A long wait comes before all that.
        all[2].waited_ms = 600_000;
        assert_eq!(next_table(&all, 3, 1_000_000).unwrap(), ["c", "b", "odds"]);
    }

    /// Sixty versions on two jobs of 30 seconds a match, on a virtual clock: no version waits longer than the bound,
    /// even if the ones with wide intervals are always more informative.
    #[test]
    fn no_version_waits_longer_than_the_bound() {
        let (bound, length) = (1_800_000i64, 30_000i64);
        let mut all: Vec<Candidate> = (0..60)
            .map(|at| Candidate {
                half: if at < 12 { 50.0 } else { 1.0 },
                ..candidate(&format!("p{at:02}/1"), false)
            })
            .collect();
        all.extend(["bold", "odds"].map(|name| candidate(name, true)));
        let mut last = vec![0i64; all.len()];
        let mut playing: Vec<(i64, Vec<usize>)> = Vec::new();
        let (mut now, mut longest) = (0, 0);
        while now < 12 * 3_600_000 {
            playing.retain(|(until, table)| {
                if *until <= now {
                    table.iter().for_each(|at| last[*at] = now);
                }
                *until > now
            });
            while playing.len() < 2 {
                let busy =
                    |at: usize| playing.iter().any(|(_, table)| table.contains(&at)) && !all[at].is_house;
                let free: Vec<Candidate> = (0..all.len())
                    .filter(|at| !busy(*at))
                    .map(|at| Candidate { waited_ms: now - last[at], ..all[at].clone() })
                    .collect();
                let table = next_table(&free, 6, bound).unwrap();
                let table: Vec<usize> =
                    table.iter().filter_map(|label| all.iter().position(|one| one.label == *label)).collect();
                for at in &table {
                    longest = longest.max(now - last[*at]);
                    all[*at].matches += 1;
                    if !all[*at].is_house {
                        last[*at] = now;
                    }
                }
                playing.push((now + length, table));
            }
            now += 1_000;
        }
        assert!(longest <= bound, "{} s", longest / 1_000);
        assert!(all.iter().all(|one| one.matches > 20), "everybody plays");
    }
}
