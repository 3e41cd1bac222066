//! The random words of rounds, generated for many consecutive rounds at a time.

use rand_chacha::ChaCha12Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// Words of a ChaCha block.
const BLOCK_WORDS: usize = 16;

/// Blocks of a round. Each comes from a ChaCha stream of its own, so that the same block of consecutive rounds is adjacent.
const BLOCKS: usize = 4;

/// Words of a round: a deck takes 51, the others replace words that are passed over.
pub(super) const WORDS: usize = BLOCKS * BLOCK_WORDS;

const ROUNDS_PER_BATCH: usize = 16;

/// The random words of the rounds at one table: block `b` of round `r` is block `r` of stream `4 t + b` (see docs/deal.md).
#[derive(Clone)]
pub(super) struct DeckWords {
    streams: [ChaCha12Rng; BLOCKS],
    /// The words of `ROUNDS_PER_BATCH` rounds from this one on are at hand, for the blocks below `made`.
    first: u64,
    made: usize,
    words: [[u32; WORDS]; ROUNDS_PER_BATCH],
}

impl DeckWords {
    pub(super) fn new(key: [u8; 32], table: u32) -> DeckWords {
        let stream = |block: usize| {
            let mut rng = ChaCha12Rng::from_seed(key);
            rng.set_stream(u64::from(table) * BLOCKS as u64 + block as u64);
            rng
        };
        let words = [[0; WORDS]; ROUNDS_PER_BATCH];
        DeckWords { streams: std::array::from_fn(stream), first: 0, made: 0, words }
    }

    /// The first words of a round, at most 64.
    #[inline]
    pub(super) fn of_round(&mut self, round: u64, count: usize) -> &[u32] {
        let blocks = count.div_ceil(BLOCK_WORDS);
        let ahead = round.wrapping_sub(self.first);
        if ahead >= ROUNDS_PER_BATCH as u64 || self.made < blocks {
            self.generate(round, blocks);
        }
        &self.words[round.wrapping_sub(self.first) as usize][..count]
    }

    #[inline(never)]
    fn generate(&mut self, first: u64, blocks: usize) {
        let position = u128::from(first) * BLOCK_WORDS as u128;
        for (block, stream) in self.streams.iter_mut().enumerate().take(blocks) {
            if stream.get_word_pos() != position {
                stream.set_word_pos(position);
            }
            let mut bytes = [0; ROUNDS_PER_BATCH * BLOCK_WORDS * size_of::<u32>()];
            stream.fill_bytes(&mut bytes);
            let words = bytes.as_chunks().0.iter().map(|bytes| u32::from_le_bytes(*bytes));
            let start = block * BLOCK_WORDS;
            let places = self.words.iter_mut().flat_map(|round| &mut round[start..start + BLOCK_WORDS]);
            places.zip(words).for_each(|(place, word)| *place = word);
        }
        (self.first, self.made) = (first, blocks);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn reference(key: [u8; 32], table: u32, round: u64) -> Vec<u32> {
        let block = |block| {
            let mut rng = ChaCha12Rng::from_seed(key);
            rng.set_stream(4 * u64::from(table) + block);
            rng.set_word_pos(u128::from(round) * 16);
            [(); 16].map(|()| rng.next_u32())
        };
        (0..4).flat_map(block).collect()
    }

    proptest! {
        #[test]
        fn words_do_not_depend_on_the_order_of_rounds(
            key in any::<[u8; 32]>(), table in any::<u32>(), start in any::<u64>(),
            // Near a multiple of 2^32 the lower half of the block counter starts again from 0.
            near in prop::option::of(0..8u64),
            steps in prop::collection::vec((0..40u64, 0..=64usize), 1..20),
        ) {
            let mut words = DeckWords::new(key, table);
            let base = near.map_or(start, |near| (start << 32).wrapping_sub(near));
            for (ahead, count) in steps {
                let round = base.wrapping_add(ahead);
                let read = words.of_round(round, count);
                prop_assert_eq!(read, &reference(key, table, round)[..count], "round {}", round);
            }
        }
    }

    /// draft-strombergson-chacha-test-vectors-01, TC1 with 256 bits and 12 rounds.
    #[test]
    fn first_block_is_the_published_one() {
        let block: Vec<u8> =
            DeckWords::new([0; 32], 0).of_round(0, 16).iter().flat_map(|word| word.to_le_bytes()).collect();
        assert_eq!(
            crate::hex::hex(block),
            "9bf49a6a0755f953811fce125f2683d50429c3bb49e074147e0089a52eae155f\
             0564f879d27ae3c02ce82834acfa8c793a629f2ca0de6919610be82f411326be"
        );
    }
}
