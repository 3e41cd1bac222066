//! Learning the first street, one pair of up cards after the other, and writing the table.

use sha2::{Digest, Sha256};

use casino_stud::cards::Seed;

use super::best_response::best_response;
use super::cfr::matching;
use super::kinds::{FULL_PACK, KINDS};
use super::spots::{Spot, spots};
use super::table::{FIRST_STREET, MAGIC, spot};
use super::trainer::{Lesson, Trainer};
use super::tree::Menu;

/// The raises of the second street while the first is learned.
const SECOND_STREET: &Menu = &[&[4, 10], &[10], &[10]];

/// How a table is learned. The same plan leads to the same bytes on every machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TrainingPlan {
    /// The text of the seed, which draws the boards.
    pub(super) seed: &'static str,
    /// The number of iterations for each pair of up cards.
    pub(super) iterations: u32,
    /// The number of second streets in an iteration, of 2,450.
    pub(super) boards: u32,
}

/// The plan of the table that comes with the program.
pub(super) const SHIPPED_PLAN: TrainingPlan = TrainingPlan { seed: "house", iterations: 2_000, boards: 20 };

/// The strategy of one pair of up cards.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct LearnedSpot {
    /// The winnings of a best response in the tree of the training, in chips a round.
    exploitability: f32,
    /// For each edge of the tree and each kind of hole card, 255 times the probability.
    strategy: Vec<u8>,
}

impl LearnedSpot {
    /// Learns the pair of up cards of the record with this number.
    pub(super) fn learn(plan: &TrainingPlan, number: usize) -> LearnedSpot {
        let Spot { ups, .. } = spots()[spot(number)];
        let lesson = Lesson { pack: FULL_PACK, ups, first: FIRST_STREET, second: SECOND_STREET };
        let mut trainer = Trainer::new(lesson).expect("a full pack has every pair of up cards");
        let mut rng = Seed::chosen(plan.seed).stream(&format!("solver {}", spot(number)));
        for _ in 0..plan.iterations {
            trainer.iterate(Some(plan.boards as usize), &mut rng);
        }
        let exploitability = (0..2).map(|adversary| best_response(&trainer, adversary)).sum::<f64>() / 2.0;
        LearnedSpot { exploitability: exploitability as f32, strategy: rounded(&trainer) }
    }
}

/// Returns the average exploitability of these records, from the first on, weighted by how often each pair of up cards is dealt.
pub(super) fn exploitability(learned: &[LearnedSpot]) -> f64 {
    let spots = spots();
    let pairs = |number: usize| f64::from(spots[spot(number)].pairs);
    let sum: f64 =
        learned.iter().enumerate().map(|(number, one)| pairs(number) * f64::from(one.exploitability)).sum();
    sum / (0..learned.len()).map(pairs).sum::<f64>()
}

/// Returns the file of a table.
pub(super) fn to_bytes(plan: &TrainingPlan, learned: &[LearnedSpot]) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    for number in [plan.iterations, plan.boards, learned.len() as u32, plan.seed.len() as u32] {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend(plan.seed.as_bytes());
    for learned in learned {
        bytes.extend(learned.exploitability.to_le_bytes());
        bytes.extend(&learned.strategy);
    }
    let digest = Sha256::digest(&bytes);
    bytes.extend(digest);
    bytes
}

/// Returns the average strategy in bytes.
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
    use casino_stud::hex::hex;

    use super::super::table::{DIGEST, EXPLOITABILITY, SPOTS, records};
    use super::super::tree::Tree;
    use super::*;

    const SHIPPED_TABLE: &[u8] = include_bytes!("../../../crates/stud/src/strategies/solver/heads_up.table");

    fn shipped() -> Vec<LearnedSpot> {
        let records = records(SHIPPED_TABLE, &Tree::new(FIRST_STREET)).unwrap();
        let learned = records.map(|record| LearnedSpot {
            exploitability: f32::from_le_bytes([record[0], record[1], record[2], record[3]]),
            strategy: record[EXPLOITABILITY..].to_vec(),
        });
        learned.collect()
    }

    #[test]
    fn the_same_seed_makes_the_same_bytes() {
        let plan = TrainingPlan { seed: "short", iterations: 6, boards: 4 };
        let learned: Vec<LearnedSpot> = (0..2).map(|number| LearnedSpot::learn(&plan, number)).collect();
        let digest = hex(Sha256::digest(to_bytes(&plan, &learned)));
        assert_eq!(digest, "add11bebf65d19c35463121e31eba7f6eed0cd047fad9da628ea9b9aaedc5656");
    }

    #[test]
    fn the_shipped_table_is_whole_and_hardly_exploitable() {
        let learned = shipped();
        assert_eq!(learned.len(), SPOTS);
        assert!(to_bytes(&SHIPPED_PLAN, &learned) == SHIPPED_TABLE);
        let (content, digest) = SHIPPED_TABLE.split_last_chunk::<DIGEST>().unwrap();
        assert_eq!(Sha256::digest(content).as_slice(), digest);
        let exploitability = exploitability(&learned);
        assert!((0.0..0.03).contains(&exploitability), "{exploitability}");
        const { assert!(SHIPPED_TABLE.len() < 5_000_000) };
    }

    #[test]
    #[ignore = "alone: learning takes seconds in a release build; `make table` learns the whole table"]
    fn a_slice_of_the_shipped_table_is_what_training_makes() {
        let shipped = shipped();
        for number in [0, 200] {
            assert_eq!(LearnedSpot::learn(&SHIPPED_PLAN, number), shipped[number]);
        }
    }
}
