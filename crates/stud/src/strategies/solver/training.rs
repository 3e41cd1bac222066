//! Learning the whole first street, pair of up cards by pair of up cards, and the file of what was learned.

use std::fmt;
use std::ops::ControlFlow;
use std::slice::ChunksExact;

use sha2::{Digest, Sha256};

use crate::cards::Seed;

use super::best_response::best_response;
use super::cfr::matching;
use super::kinds::{FULL_PACK, KINDS};
use super::spots::{SPOTS, Spot, spots};
use super::trainer::{Lesson, Trainer};
use super::tree::{Menu, Tree};

/// The raises of the first street, in chips: the first bet, a raise, and a raise of that.
pub(super) const FIRST_STREET: &Menu = &[&[1, 4, 10], &[4, 10], &[10]];

/// The raises of the second street while the first is learned.
pub(super) const SECOND_STREET: &Menu = &[&[4, 10], &[10], &[10]];

const MAGIC: &[u8; 16] = b"casino solver 2\n";

/// How many pairs of up cards lie between one that is learned and the next, so that a part of them is like
/// the whole. It shares no factor with their number.
const STRIDE: usize = 101;

/// How something is learned. The same plan always leads to the same bytes, on every machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrainingPlan {
    /// Any text: it decides which boards are looked at.
    pub seed: String,
    /// How many iterations each pair of up cards gets.
    pub iterations: u32,
    /// How many second streets are looked at in an iteration, of 2,450.
    pub boards: u32,
}

/// The plan of the table that comes with the program.
impl Default for TrainingPlan {
    fn default() -> TrainingPlan {
        TrainingPlan { seed: "house".to_string(), iterations: 2_000, boards: 20 }
    }
}

/// What was learned of one pair of up cards.
#[derive(Clone, Debug, PartialEq)]
pub struct LearnedSpot {
    exploitability: f32,
    strategy: Vec<u8>,
}

/// What was learned so far: the strategy of the first street, for some or all pairs of up cards.
#[derive(Clone, Debug, PartialEq)]
pub struct TrainedTable {
    plan: TrainingPlan,
    learned: Vec<LearnedSpot>,
}

/// Why a file is no table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableError {
    /// It begins with something else.
    NotATable,
    /// It has not the length that its beginning tells.
    Torn,
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TableError::NotATable => "this is no table of `casino train`",
            TableError::Torn => "the table is not whole: its length is not that of what it says it holds",
        })
    }
}

impl std::error::Error for TableError {}

/// The pair of up cards that is learned after so many others.
pub(super) fn spot(number: usize) -> usize {
    number * STRIDE % SPOTS
}

impl TrainedTable {
    /// Nothing learned yet.
    pub fn new(plan: TrainingPlan) -> TrainedTable {
        TrainedTable { plan, learned: Vec::new() }
    }

    /// The plan that is followed.
    pub fn plan(&self) -> &TrainingPlan {
        &self.plan
    }

    /// How many pairs of up cards are learned.
    pub fn learned(&self) -> usize {
        self.learned.len()
    }

    /// How many pairs of up cards there are.
    pub const fn spots() -> usize {
        SPOTS
    }

    /// Learns a pair of up cards: the one that comes after `number` others. `each` is called after each
    /// iteration, and can stop it; then nothing is learned.
    ///
    /// # Panics
    /// If `number` is not below [`TrainedTable::spots`].
    pub fn learn(
        plan: &TrainingPlan,
        number: usize,
        mut each: impl FnMut() -> ControlFlow<()>,
    ) -> Option<LearnedSpot> {
        assert!(number < SPOTS, "there are only {SPOTS} pairs of up cards");
        let Spot { ups, .. } = spots()[spot(number)];
        let lesson = Lesson { pack: FULL_PACK, ups, first: FIRST_STREET, second: SECOND_STREET, quiet: 0.0 };
        let mut trainer = Trainer::new(lesson)?;
        let mut rng = Seed::chosen(plan.seed.as_str()).stream(&format!("solver {}", spot(number)));
        for _ in 0..plan.iterations {
            trainer.iterate(Some(plan.boards as usize), &mut rng);
            if each().is_break() {
                return None;
            }
        }
        let exploitability = (0..2).map(|adversary| best_response(&trainer, adversary)).sum::<f64>() / 2.0;
        Some(LearnedSpot { exploitability: exploitability as f32, strategy: rounded(&trainer) })
    }

    /// Adds what was learned next.
    pub fn push(&mut self, learned: LearnedSpot) {
        self.learned.push(learned);
    }

    /// What a perfect adversary who bets as the tree of the training allows would win of the average
    /// strategies, in chips a round, over the pairs of up cards learned so far. `None` before the first.
    pub fn exploitability(&self) -> Option<f64> {
        let spots = spots();
        let weighed = self.learned.iter().enumerate().map(|(number, learned)| {
            let pairs = f64::from(spots[spot(number)].pairs);
            (pairs, pairs * f64::from(learned.exploitability))
        });
        let (pairs, sum) = weighed.fold((0.0, 0.0), |all, one| (all.0 + one.0, all.1 + one.1));
        (pairs > 0.0).then(|| sum / pairs)
    }

    /// What is written to a file, the same bytes for the same table.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        let TrainingPlan { seed, iterations, boards } = &self.plan;
        for number in [*iterations, *boards, self.learned.len() as u32, seed.len() as u32] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(seed.as_bytes());
        for learned in &self.learned {
            bytes.extend(learned.exploitability.to_le_bytes());
            bytes.extend(&learned.strategy);
        }
        let digest = Sha256::digest(&bytes);
        bytes.extend(digest);
        bytes
    }

    /// Reads a file.
    ///
    /// # Errors
    /// If it is no table, or not a whole one.
    pub fn read(bytes: &[u8]) -> Result<TrainedTable, TableError> {
        let (plan, _, _) = read_head(bytes)?;
        let (content, digest) = bytes.split_last_chunk::<DIGEST>().ok_or(TableError::Torn)?;
        if Sha256::digest(content).as_slice() != digest {
            return Err(TableError::Torn);
        }
        let learned = records(bytes, &Tree::new(FIRST_STREET))?.map(|record| LearnedSpot {
            exploitability: f32::from_le_bytes([record[0], record[1], record[2], record[3]]),
            strategy: record[EXPLOITABILITY..].to_vec(),
        });
        Ok(TrainedTable { plan, learned: learned.collect() })
    }
}

/// The plan of a file, how many pairs of up cards it says it has, and the rest of it.
fn read_head(bytes: &[u8]) -> Result<(TrainingPlan, usize, &[u8]), TableError> {
    let rest = bytes.strip_prefix(MAGIC).ok_or(TableError::NotATable)?;
    let (numbers, rest) = rest.split_at_checked(16).ok_or(TableError::Torn)?;
    let number = |at: usize| u32::from_le_bytes([0, 1, 2, 3].map(|byte| numbers[4 * at + byte]));
    let (seed, records) = rest.split_at_checked(number(3) as usize).ok_or(TableError::Torn)?;
    let seed = String::from_utf8(seed.to_vec()).map_err(|_| TableError::Torn)?;
    let plan = TrainingPlan { seed, iterations: number(0), boards: number(1) };
    Ok((plan, number(2) as usize, records))
}

/// What a file holds of each pair of up cards that is learned, in the order of learning: its exploitability
/// in four bytes, and then its strategy.
fn records<'a>(bytes: &'a [u8], tree: &Tree) -> Result<ChunksExact<'a, u8>, TableError> {
    let (_, count, rest) = read_head(bytes)?;
    let (records, _) = rest.split_last_chunk::<DIGEST>().ok_or(TableError::Torn)?;
    let length = EXPLOITABILITY + tree.edges() * KINDS;
    if count > SPOTS || records.len() != count * length {
        return Err(TableError::Torn);
    }
    Ok(records.chunks_exact(length))
}

/// The strategies of a file, in the order of learning.
pub(super) fn strategies<'a>(
    bytes: &'a [u8],
    tree: &Tree,
) -> Result<impl ExactSizeIterator<Item = &'a [u8]>, TableError> {
    Ok(records(bytes, tree)?.map(|record| &record[EXPLOITABILITY..]))
}

/// How many bytes the SHA-256 of all others takes, with which a file ends.
const DIGEST: usize = 32;

/// How many bytes an exploitability takes.
const EXPLOITABILITY: usize = 4;

/// The average strategy in bytes: for each edge of the tree and each kind of hole card 255 times the
/// probability.
fn rounded(trainer: &Trainer) -> Vec<u8> {
    let mut bytes = vec![0; trainer.first.edges() * KINDS];
    for node in trainer.first.nodes() {
        let shares = matching(&trainer.sums[node.at..node.at + node.edges.len()]);
        for (edge, shares) in (node.at..).zip(&shares[..node.edges.len()]) {
            for (byte, share) in bytes[edge * KINDS..].iter_mut().zip(&shares[..KINDS]) {
                *byte = (255.0 * share + 0.5) as u8;
            }
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::super::SHIPPED_TABLE;
    use super::*;

    fn learn(plan: &TrainingPlan, number: usize) -> LearnedSpot {
        TrainedTable::learn(plan, number, || ControlFlow::Continue(())).unwrap()
    }

    /// The bytes of a short training are frozen: they must never depend on the machine, and change only on
    /// purpose.
    #[test]
    fn the_same_seed_makes_the_same_bytes() {
        let plan = TrainingPlan { seed: "short".to_string(), iterations: 6, boards: 4 };
        let mut table = TrainedTable::new(plan.clone());
        for number in 0..2 {
            table.push(learn(&plan, number));
        }
        let bytes = table.to_bytes();
        assert_eq!(TrainedTable::read(&bytes), Ok(table));
        let digest = crate::hex::hex(Sha256::digest(&bytes));
        assert_eq!(digest, "add11bebf65d19c35463121e31eba7f6eed0cd047fad9da628ea9b9aaedc5656");
    }

    #[test]
    fn the_shipped_table_is_whole_and_good() {
        let table = TrainedTable::read(SHIPPED_TABLE).unwrap();
        assert_eq!((table.plan(), table.learned()), (&TrainingPlan::default(), SPOTS));
        let exploitability = table.exploitability().unwrap();
        assert!((0.0..0.03).contains(&exploitability), "{exploitability}");
        const { assert!(SHIPPED_TABLE.len() < 5_000_000) };
    }

    /// `make table` makes all of it again.
    #[test]
    #[ignore = "learning takes seconds in a release build and a minute in this one"]
    fn a_slice_of_the_shipped_table_is_what_training_makes() {
        let table = TrainedTable::read(SHIPPED_TABLE).unwrap();
        for number in [0, 200] {
            assert_eq!(learn(table.plan(), number), table.learned[number]);
        }
    }

    #[test]
    fn what_is_no_table_is_refused() {
        let whole = TrainedTable::new(TrainingPlan::default()).to_bytes();
        assert_eq!(TrainedTable::read(&whole).map(|table| table.learned()), Ok(0));
        assert_eq!(TrainedTable::read(b"{}"), Err(TableError::NotATable));
        for length in MAGIC.len()..whole.len() {
            assert_eq!(TrainedTable::read(&whole[..length]), Err(TableError::Torn), "{length}");
        }
        for bit in 8 * MAGIC.len()..8 * whole.len() {
            let mut flipped = whole.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(TrainedTable::read(&flipped), Err(TableError::Torn), "{bit}");
        }
        assert_eq!(TrainedTable::read(&[&whole[..], b"x"].concat()), Err(TableError::Torn));
    }

    #[test]
    fn what_is_stopped_is_not_learned() {
        let plan = TrainingPlan { iterations: 9, boards: 1, ..TrainingPlan::default() };
        let mut steps = 0;
        let step = || {
            steps += 1;
            if steps == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        assert_eq!(TrainedTable::learn(&plan, 5, step), None);
        assert_eq!(steps, 3);
    }
}
