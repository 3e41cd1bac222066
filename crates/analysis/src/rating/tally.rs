//! The results of blocks, in whole numbers.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{FoulBook, RatingPlan};

/// The results of a run of consecutive blocks. [`BlockTally::append`] joins the tallies of neighbouring runs. Nothing
/// depends on where a run began or ended, because all results are sums of whole numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BlockTally {
    bots: usize,
    seats: usize,
    /// The first block, counted from 0.
    from: u64,
    /// The first block after the last one.
    to: u64,
    /// How many consecutive blocks are one batch: batch `i` begins with block `i * batch_len`.
    batch_len: u64,
    /// The chips of each bot in each batch, batch by batch.
    batches: Vec<i64>,
    /// The moments of the bots' chips in whole blocks.
    blocks: Moments,
    /// The most of [`BlockResult::at_stake`] for each bot, in chips.
    swings: Vec<i64>,
    fouls: FoulBook,
}

/// The results of a block.
#[derive(Clone, Copy, Debug)]
pub struct BlockResult<'a> {
    /// The chips that each bot won.
    pub chips: &'a [i64],
    /// The chips that were at stake for each bot. In a round these are the chips it won or lost or, if they are more, the chips
    /// that both it and another player had put into the pot. For the block they are added up, but count for at most the root of
    /// twice the sum of their squares.
    pub at_stake: &'a [i64],
}

/// Sums of products, from which variances and covariances are computed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
struct Moments(
    /// The sums of products for the bots 0·0, 1·0, 1·1, 2·0, …
    #[serde(serialize_with = "in_digits", deserialize_with = "from_digits")]
    Vec<i128>,
);

impl Moments {
    fn none(bots: usize) -> Moments {
        Moments(vec![0; bots * (bots + 1) / 2])
    }

    #[inline]
    fn add(&mut self, chips: &[i64]) {
        let mut products = &mut self.0[..];
        for (index, one) in chips.iter().enumerate() {
            let (row, rest) = products.split_at_mut(index + 1);
            for (other, product) in chips.iter().zip(row) {
                // At most 17 rounds of 16 stacks of ten million chips: the square has less than 63 bits.
                *product += i128::from(one * other);
            }
            products = rest;
        }
    }

    fn append(&mut self, next: &Moments) {
        self.0.iter_mut().zip(&next.0).for_each(|(ours, theirs)| *ours += theirs);
    }

    fn of(&self, one: usize, other: usize) -> i128 {
        let (high, low) = (one.max(other), one.min(other));
        self.0[high * (high + 1) / 2 + low]
    }
}

impl BlockTally {
    /// Makes an empty tally that begins with block `from` and has batches of `batch_len` blocks.
    pub fn new(bots: usize, seats: usize, from: u64, batch_len: u64) -> BlockTally {
        BlockTally {
            bots,
            seats,
            from,
            to: from,
            batch_len,
            batches: Vec::new(),
            blocks: Moments::none(bots),
            swings: vec![0; bots],
            fouls: FoulBook::new(bots),
        }
    }

    /// Adds the next block.
    ///
    /// # Panics
    /// If it is not the next block.
    pub fn add(&mut self, block: u64, result: BlockResult<'_>) {
        assert_eq!(block, self.to, "blocks are added in order");
        let BlockResult { chips, at_stake } = result;
        let batch = self.batch_of(block);
        put(&mut self.batches, batch, chips, self.bots);
        self.to += 1;
        self.blocks.add(chips);
        self.swings.iter_mut().zip(at_stake).for_each(|(most, at_stake)| *most = (*most).max(*at_stake));
    }

    /// Which of the batches here a block belongs to.
    fn batch_of(&self, block: u64) -> usize {
        (block / self.batch_len - self.from / self.batch_len) as usize
    }

    /// Appends the tally of the next blocks.
    ///
    /// # Panics
    /// If it does not begin where this one ends, is of other bots, or has batches that do not fit into this one's.
    pub fn append(&mut self, next: &BlockTally) {
        assert_eq!((self.to, self.bots, self.seats), (next.from, next.bots, next.seats), "tallies follow");
        self.take(next);
    }

    /// Appends the tally of blocks that were played elsewhere as if they were the next ones: for results that are drawn again.
    ///
    /// # Panics
    /// If it is of other bots, or its batches are longer than one block.
    pub fn append_as_next(&mut self, drawn: &BlockTally) {
        assert_eq!(
            (self.bots, self.seats, drawn.batch_len),
            (drawn.bots, drawn.seats, 1),
            "blocks one by one"
        );
        self.take(&BlockTally { from: self.to, to: self.to + drawn.blocks(), ..drawn.clone() });
    }

    /// Adds the results of the next blocks.
    fn take(&mut self, next: &BlockTally) {
        assert!(self.batch_len.is_multiple_of(next.batch_len), "batches fit into each other");
        for (at, start) in next.starts().enumerate() {
            let batch = self.batch_of(start);
            put(&mut self.batches, batch, &next.batches[at * self.bots..][..self.bots], self.bots);
        }
        self.to = next.to;
        self.blocks.append(&next.blocks);
        self.swings.iter_mut().zip(&next.swings).for_each(|(ours, theirs)| *ours = (*ours).max(*theirs));
        self.fouls.append(&next.fouls);
    }

    /// The first block of each batch.
    fn starts(&self) -> impl Iterator<Item = u64> + use<> {
        let (from, len) = (self.from, self.batch_len);
        let batches = self.batches.len() / self.bots.max(1);
        (0..batches as u64).map(move |batch| ((from / len + batch) * len).max(from))
    }

    /// Makes batches so long that there are no more of them than are kept.
    ///
    /// # Panics
    /// If the tally does not begin with block 0.
    pub fn coarsen(&mut self) {
        assert_eq!(self.from, 0, "batches are counted from the first block");
        let wanted = RatingPlan::batch_len(self.to);
        if wanted <= self.batch_len {
            return;
        }
        let fold = (wanted / self.batch_len) as usize;
        self.batch_len = wanted;
        let fine = std::mem::take(&mut self.batches);
        for (index, row) in fine.chunks(self.bots.max(1)).enumerate() {
            put(&mut self.batches, index / fold, row, self.bots);
        }
    }

    /// Whether it can be a tally of this plan and is consistent. It is for tallies that were read from a file.
    pub fn is_sound(&self, plan: &RatingPlan, batch_len: u64) -> bool {
        let bots = plan.bot_count();
        let batches = || {
            let last = self.to.checked_sub(1).filter(|last| *last >= self.from);
            last.map_or(0, |last| last / self.batch_len - self.from / self.batch_len + 1)
        };
        (self.bots, self.seats, self.batch_len) == (bots, plan.seats(), batch_len)
            && self.from <= self.to
            && self.to <= plan.blocks()
            && self.batches.len() as u64 == batches() * bots as u64
            && self.blocks.0.len() == bots * (bots + 1) / 2
            && self.swings.len() == bots
            && self.fouls.bots() == bots
            && (0..bots).all(|bot| self.blocks.of(bot, bot) >= 0)
            && self.batches.iter().all(|chips| chips.unsigned_abs() < 1 << 62)
            && self
                .batches
                .chunks(bots.max(1))
                .all(|batch| batch.iter().map(|c| i128::from(*c)).sum::<i128>() == 0)
    }

    /// How many consecutive blocks are one batch.
    pub fn batch_len(&self) -> u64 {
        self.batch_len
    }

    /// The number of the first block.
    pub fn from(&self) -> u64 {
        self.from
    }

    /// The number of the first block after the last one.
    pub fn to(&self) -> u64 {
        self.to
    }

    /// How many blocks there are.
    pub fn blocks(&self) -> u64 {
        self.to - self.from
    }

    /// The batches: the chips of each bot, and how many blocks the batch has.
    pub fn batches(&self) -> impl Iterator<Item = (&[i64], u64)> {
        let first = self.from / self.batch_len;
        self.batches.chunks(self.bots).zip(first..).map(|(chips, batch)| {
            let start = (batch * self.batch_len).max(self.from);
            let end = ((batch + 1) * self.batch_len).min(self.to);
            (chips, end - start)
        })
    }

    /// The most chips that were at stake for a bot in any block.
    pub fn max_at_stake(&self, bot: usize) -> f64 {
        self.swings[bot] as f64
    }

    /// A bot's chips in all blocks together.
    pub fn chips(&self, bot: usize) -> i64 {
        self.batches.iter().skip(bot).step_by(self.bots).sum()
    }

    /// The fouls of all bots.
    pub fn fouls(&self) -> &FoulBook {
        &self.fouls
    }

    /// The fouls of all bots, for adding more.
    pub(super) fn fouls_mut(&mut self) -> &mut FoulBook {
        &mut self.fouls
    }

    /// The mean of a bot's chips for each round that it played.
    pub fn mean(&self, bot: usize) -> f64 {
        self.chips(bot) as f64 / self.rounds_each()
    }

    /// How many rounds each bot has played.
    fn rounds_each(&self) -> f64 {
        self.blocks() as f64 * self.seats as f64
    }

    /// The variance of [`BlockTally::mean`] as an estimate. It takes two blocks or more.
    pub fn variance(&self, bot: usize) -> f64 {
        let square = self.blocks.of(bot, bot) as f64;
        self.of_estimate(square, self.chips(bot) as f64)
    }

    #[cfg(test)]
    pub(super) fn variance_of_difference(&self, one: usize, other: usize) -> f64 {
        let chips = (self.chips(one) - self.chips(other)) as f64;
        let squares =
            self.blocks.of(one, one) + self.blocks.of(other, other) - 2 * self.blocks.of(one, other);
        self.of_estimate(squares as f64, chips)
    }

    fn of_estimate(&self, squares: f64, sum: f64) -> f64 {
        let blocks = self.blocks() as f64;
        let of_block = ((squares - sum * sum / blocks) / (blocks - 1.0)).max(0.0);
        of_block * blocks / self.rounds_each().powi(2)
    }
}

/// Adds numbers to those of a batch.
#[inline]
fn put(batches: &mut Vec<i64>, batch: usize, row: &[i64], width: usize) {
    let at = batch * width;
    if batches.len() < at + width {
        batches.resize(at + width, 0);
    }
    for (sum, number) in batches[at..].iter_mut().zip(row) {
        *sum += number;
    }
}

/// Writes sums that may have more than 64 bits as texts of digits, because many readers of JSON would round the numbers.
fn in_digits<S: Serializer>(sums: &[i128], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(sums.iter().map(i128::to_string))
}

fn from_digits<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<i128>, D::Error> {
    Vec::<String>::deserialize(deserializer)?
        .into_iter()
        .map(|text| text.parse().map_err(|_| D::Error::custom(format!("\"{text}\" is no whole number"))))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::plan::tests::plan;
    use super::*;
    use casino_stud::cards::Seed;
    use proptest::prelude::*;

    fn blocks(count: usize) -> Vec<[i64; 3]> {
        let mut dice = Seed::chosen("tally").stream("test");
        let mut block = || {
            let (a, b) = (i64::from(dice.below(200)) - 100, i64::from(dice.below(50)) - 20);
            [a, b, -a - b]
        };
        (0..count).map(|_| block()).collect()
    }

    fn tally(blocks: &[[i64; 3]], from: u64, batch_len: u64) -> BlockTally {
        let mut tally = BlockTally::new(3, 2, from, batch_len);
        for (block, chips) in (from..).zip(blocks) {
            let at_stake = chips.map(i64::abs);
            tally.add(block, BlockResult { chips, at_stake: &at_stake });
        }
        tally
    }

    proptest! {
        /// Wherever the seams are and however long the batches, the whole is the same.
        #[test]
        fn seams_do_not_matter(
            mut seams in prop::collection::vec(0usize..=500, 0..6),
            grain in 0u32..4,
            length in 3u32..6,
        ) {
            let all = blocks(500);
            let whole = tally(&all, 0, 1 << length);
            seams.extend([0, 500]);
            seams.sort_unstable();
            let mut joined = BlockTally::new(3, 2, 0, 1 << length);
            for seam in seams.windows(2) {
                joined.append(&tally(&all[seam[0]..seam[1]], seam[0] as u64, 1 << grain));
            }
            prop_assert_eq!(&joined, &whole);
            prop_assert_eq!(whole.batches().map(|(_, blocks)| blocks).sum::<u64>(), 500);
            let json = serde_json::to_string(&whole).unwrap();
            prop_assert_eq!(serde_json::from_str::<BlockTally>(&json).unwrap(), whole);
        }
    }

    #[test]
    fn means_and_variances_are_those_of_the_textbook() {
        let all = blocks(400);
        let tally = tally(&all, 0, 4);
        let per_round = |pick: &dyn Fn(&[i64; 3]) -> i64| -> (f64, f64) {
            // Two rounds for each bot in a block.
            let values: Vec<f64> = all.iter().map(|block| pick(block) as f64 / 2.0).collect();
            let mean = values.iter().sum::<f64>() / 400.0;
            (mean, values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / 399.0 / 400.0)
        };
        let close =
            |one: f64, other: f64| assert!((one - other).abs() < 1e-9 * (1.0 + other.abs()), "{one} {other}");
        for bot in 0..3 {
            let (mean, variance) = per_round(&|block| block[bot]);
            close(tally.mean(bot), mean);
            close(tally.variance(bot), variance);
        }
        let (_, variance) = per_round(&|block| block[0] - block[2]);
        close(tally.variance_of_difference(0, 2), variance);
    }

    #[test]
    fn coarse_batches_are_those_one_would_have_begun_with() {
        let mut all = Vec::new();
        for _ in 0..30 {
            all.extend(blocks(500));
        }
        let mut fine = tally(&all, 0, 1);
        fine.coarsen();
        assert_eq!(fine, tally(&all, 0, RatingPlan::batch_len(15_000)));
        assert_eq!(fine.batches().count(), 15_000usize.div_ceil(4));
    }

    #[test]
    fn a_damaged_tally_is_noticed() {
        let plan = plan(&["a", "b", "c"], 2, 1_200, 0);
        let good = tally(&blocks(400), 0, 4);
        assert!(good.is_sound(&plan, 4));
        let damages: [fn(&mut BlockTally); 7] = [
            |tally| tally.bots = 2,
            |tally| tally.to = 500,
            |tally| tally.from = 10,
            |tally| tally.batch_len = 0,
            |tally| tally.batches[4] += 1,
            |tally| tally.batches.truncate(3),
            |tally| tally.blocks.0.truncate(5),
        ];
        for damage in damages {
            let mut bad = good.clone();
            damage(&mut bad);
            assert!(!bad.is_sound(&plan, 4), "{bad:?}");
        }
    }
}
