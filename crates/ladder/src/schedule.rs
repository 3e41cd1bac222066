//! The next table, drawn by chance, so that the choice of tables tells nothing about the versions at them.
//!
//! The number of matches that each version has waited, and two more, is multiplied by a number drawn between 1/2 and 3/2, and
//! the greatest products are seated: each version plays equally often, with changing opponents. One seat of each table is a house bot's,
//! as long as there is one, because these tie all tables to one scale; house bots also fill empty seats.
//!
//! Only house bots play at two tables at a time.

use casino_stud::cards::Stream;

use super::VersionId;

/// So many matches are added to each wait, so that chance decides who plays with whom: with fewer the same groups return.
const DRAWN_MATCHES: i64 = 2;

/// A version that can be seated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The version.
    pub version: VersionId,
    /// Whether it is a house bot, which may sit at several tables.
    pub is_house: bool,
    /// How many matches were planned since its last one.
    pub waited: i64,
}

/// The versions of the next match; `None` if there are fewer than two, or house bots only. While others play, so many players
/// must be free that half of them wait: otherwise those of a match that is over would meet again at once.
pub fn next_table(
    candidates: &[Candidate],
    seats: usize,
    others_play: bool,
    dice: &mut Stream,
) -> Option<Vec<VersionId>> {
    let mut drawn: Vec<(i64, &Candidate)> = candidates
        .iter()
        .map(|one| {
            let waited = if one.is_house { 0 } else { one.waited.max(0) };
            (waited.saturating_add(DRAWN_MATCHES).saturating_mul(i64::from(500 + dice.below(1_000))), one)
        })
        .collect();
    drawn.sort_by_key(|(product, one)| (std::cmp::Reverse(*product), one.version));
    let (house, guests): (Vec<&Candidate>, Vec<&Candidate>) =
        drawn.into_iter().map(|(_, one)| one).partition(|one| one.is_house);
    let most = seats.saturating_sub(usize::from(!house.is_empty()));
    if others_play && guests.len() < 2 * most {
        return None;
    }
    let guests = guests.into_iter().take(most);
    let mut table: Vec<VersionId> = guests.map(|one| one.version).collect();
    if table.is_empty() {
        return None;
    }
    let rest = seats - table.len();
    table.extend(house.iter().take(rest).map(|one| one.version));
    (table.len() > 1).then_some(table)
}

#[cfg(test)]
mod tests {
    use casino_stud::cards::Seed;

    use super::*;

    fn candidates(guests: i64, house: i64) -> Vec<Candidate> {
        let one = |number| Candidate { version: VersionId(number), is_house: number >= guests, waited: 0 };
        (0..guests + house).map(one).collect()
    }

    #[test]
    fn while_others_play_half_of_the_free_students_wait() {
        let mut dice = Seed::chosen("tables").stream("table");
        for (guests, is_due) in [(1, false), (7, false), (9, false), (10, true)] {
            assert_eq!(next_table(&candidates(guests, 9), 6, true, &mut dice).is_some(), is_due, "{guests}");
        }
    }

    #[test]
    fn a_single_student_plays_but_house_bots_alone_do_not() {
        let mut dice = Seed::chosen("tables").stream("table");
        for (guests, house, seats, players) in [
            (0, 3, 6, None),
            (1, 0, 6, None),
            (1, 3, 6, Some(4)),
            (1, 9, 6, Some(6)),
            (9, 0, 6, Some(6)),
            (9, 2, 2, Some(2)),
        ] {
            let table = next_table(&candidates(guests, house), seats, false, &mut dice);
            assert_eq!(table.as_ref().map(Vec::len), players, "{guests} {house} {seats}");
            assert!(table.is_none_or(|table| house == 0 || table.iter().any(|version| version.0 >= guests)));
        }
    }

    /// Sixty versions on two jobs of 30 seconds a match, on a virtual clock.
    #[test]
    fn every_version_plays_equally_often_and_meets_all_others() {
        const GUESTS: usize = 60;
        let mut dice = Seed::chosen("a day of tables").stream("table");
        let mut all = candidates(GUESTS as i64, 4);
        let (mut last, mut matches) = ([0i64; GUESTS], [0u32; GUESTS]);
        let mut met = vec![[false; GUESTS]; GUESTS];
        let mut playing: Vec<(i64, Vec<usize>)> = Vec::new();
        for now in (0..12 * 3_600_000).step_by(1_000) {
            for (_, table) in playing.extract_if(.., |(until, _)| *until <= now) {
                table.into_iter().for_each(|at| last[at] = now);
            }
            while playing.len() < 2 {
                all.iter_mut().zip(last).for_each(|(one, last)| one.waited = (now - last) / 15_000);
                let is_free = |one: &&Candidate| {
                    !playing.iter().any(|(_, table)| table.contains(&(one.version.0 as usize)))
                };
                let free: Vec<Candidate> = all.iter().filter(is_free).copied().collect();
                let table = next_table(&free, 6, !playing.is_empty(), &mut dice).unwrap();
                let table: Vec<usize> =
                    table.iter().map(|version| version.0 as usize).filter(|at| *at < GUESTS).collect();
                for at in &table {
                    matches[*at] += 1;
                    table.iter().for_each(|other| met[*at][*other] = true);
                }
                playing.push((now + 30_000, table));
            }
        }
        let mean = f64::from(matches.iter().sum::<u32>()) / GUESTS as f64;
        let is_fair = |count: &u32| (f64::from(*count) / mean - 1.0).abs() < 0.1;
        assert!(matches.iter().all(is_fair), "{matches:?}");
        assert!(met.iter().flatten().all(|met| *met), "each meets each other");
    }
}
