//! A table of the points that the ranks of five cards score. Fifteens, pairs and runs do not depend on suits.

use std::sync::LazyLock;

use casino_stud::cards::Rank;

/// The number of unordered pairs of ranks.
const PAIRS: usize = 13 * 14 / 2;

/// The number of ways to choose four ranks, equal ones allowed.
const FOURS: usize = 1820;

/// The distance between the rows of points: room for thirteen start ranks, and a multiplication by 16 is a shift.
const ROW: usize = 16;

/// The value of a rank in a fifteen: an ace 1, a picture 10.
pub(super) fn pips(rank: Rank) -> u8 {
    match rank {
        Rank::Ace => 1,
        Rank::Jack | Rank::Queen | Rank::King => 10,
        rank => rank.index() as u8 + 2,
    }
}

/// The place of a rank in a run: 0 for the ace, 12 for the king. No run goes beyond these two.
pub(super) fn place(rank: Rank) -> usize {
    (rank.index() + 1) % 13
}

/// The points of four ranks with every rank of a start card. It takes about 47 KB, most of which stays in the first-level
/// cache.
pub(super) struct PointsTable {
    pair: [[u8; 13]; 13],
    four: Box<[[u16; PAIRS]; PAIRS]>,
    points: Box<[[u8; ROW]; FOURS]>,
    sums: Box<[u16; FOURS]>,
}

static TABLE: LazyLock<PointsTable> = LazyLock::new(PointsTable::build);

/// The table, which is built at its first use.
#[inline]
pub(super) fn table() -> &'static PointsTable {
    &TABLE
}

impl PointsTable {
    /// The row of four ranks, in any order.
    #[inline]
    pub(super) fn row(&self, ranks: [Rank; 4]) -> u16 {
        let [a, b, c, d] = ranks.map(Rank::index);
        self.four[usize::from(self.pair[a][b])][usize::from(self.pair[c][d])]
    }

    /// The points that a row's ranks score together with a start card of this rank.
    #[inline]
    pub(super) fn points(&self, row: u16, start: Rank) -> u8 {
        self.points[usize::from(row)][start.index()]
    }

    /// The points of a row summed over 52 start cards, four of each rank.
    #[inline]
    pub(super) fn sum(&self, row: u16) -> u16 {
        self.sums[usize::from(row)]
    }

    fn build() -> PointsTable {
        let mut pair = [[0; 13]; 13];
        let mut pairs = Vec::new();
        for [a, b] in (0..13).flat_map(|a| (a..13).map(move |b| [a, b])) {
            let index = u8::try_from(pairs.len()).expect("there are 91 pairs");
            pair[a][b] = index;
            pair[b][a] = index;
            pairs.push([a, b]);
        }
        let mut rows = std::collections::HashMap::new();
        let mut four = Box::new([[0; PAIRS]; PAIRS]);
        let mut points = Box::new([[0; ROW]; FOURS]);
        let mut sums = Box::new([0; FOURS]);
        for (first, [a, b]) in pairs.iter().enumerate() {
            for (second, [c, d]) in pairs.iter().enumerate() {
                let mut ranks = [*a, *b, *c, *d];
                ranks.sort_unstable();
                let next = rows.len();
                let row = *rows.entry(ranks).or_insert(next);
                four[first][second] = u16::try_from(row).expect("there are 1820 rows");
                if row == next {
                    for start in Rank::ALL {
                        let [a, b, c, d] = ranks.map(|rank| Rank::ALL[rank]);
                        let scored = rank_points([a, b, c, d, start]);
                        points[row][start.index()] = scored;
                        sums[row] += 4 * u16::from(scored);
                    }
                }
            }
        }
        PointsTable { pair, four, points, sums }
    }
}

/// Fifteens, pairs and runs of five ranks by the documents' rules.
fn rank_points(ranks: [Rank; 5]) -> u8 {
    let mut fifteens = 0;
    for subset in 0u32..1 << 5 {
        let chosen = ranks.iter().enumerate().filter(|(at, _)| subset >> at & 1 == 1);
        fifteens += u8::from(chosen.map(|(_, rank)| pips(*rank)).sum::<u8>() == 15);
    }
    let mut counts = [0u8; 13];
    ranks.iter().for_each(|rank| counts[place(*rank)] += 1);
    let pairs: u8 = counts.iter().map(|count| count * count.saturating_sub(1) / 2).sum();
    // Five cards hold at most one stretch of three or more ranks, and each way to pick one card of each
    // rank in it is a run.
    let runs = counts
        .split(|count| *count == 0)
        .filter(|stretch| stretch.len() >= 3)
        .map(|stretch| stretch.len() as u8 * stretch.iter().product::<u8>())
        .sum::<u8>();
    2 * fifteens + 2 * pairs + runs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rows_are_1820_and_do_not_depend_on_the_order() {
        let table = table();
        let mut rows = std::collections::BTreeSet::new();
        for a in Rank::ALL {
            for b in Rank::ALL {
                for c in Rank::ALL {
                    for d in Rank::ALL {
                        let row = table.row([a, b, c, d]);
                        assert_eq!(row, table.row([d, b, a, c]));
                        assert_eq!(row, table.row([c, d, b, a]));
                        rows.insert(row);
                    }
                }
            }
        }
        assert_eq!(rows.len(), FOURS);
        assert_eq!(rows.last(), Some(&1819));
    }

    #[test]
    fn an_ace_is_low_and_counts_one() {
        assert_eq!(Rank::ALL.map(place), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 0]);
        assert_eq!(Rank::ALL.map(pips), [2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 1]);
    }
}
