//! The random words of rounds, those of several rounds at a time.

use super::Stream;
use super::chacha::{AT_ONCE, BLOCK_WORDS, ChaCha, Words};

/// How many rounds get their words together.
const ROUNDS: u64 = AT_ONCE as u64;

/// How many blocks of ChaCha belong to one round: 64 words, of which a deck takes 51. The rest are there for those that are
/// passed over.
const BLOCKS_PER_ROUND: u64 = 4;

/// The words that one stream of ChaCha12 has for rounds, as `docs/deal.md` describes them. Blocks of rounds that follow each
/// other are made together.
#[derive(Clone)]
pub(super) struct RoundWords {
    chacha: ChaCha,
    first: u64,
    /// The first blocks of each of these rounds, as many as were wanted.
    blocks: Vec<[Words; BLOCK_WORDS]>,
}

impl RoundWords {
    pub(super) fn new(key: &[u8; 32], stream: u64) -> RoundWords {
        RoundWords { chacha: ChaCha::new(key, stream), first: 0, blocks: Vec::new() }
    }

    /// The same words one after the other, from the first of this round on.
    pub(super) fn beginning_at(&self, round: u64) -> Stream {
        Stream::from_block(self.chacha.clone(), round.wrapping_mul(BLOCKS_PER_ROUND))
    }

    /// The first words of a round, `count` of them or more. A round has 64.
    #[inline]
    pub(super) fn of_round(&mut self, round: u64, count: usize) -> impl Iterator<Item = u32> {
        let blocks = count.div_ceil(BLOCK_WORDS);
        if round.wrapping_sub(self.first) >= ROUNDS || self.blocks.len() < blocks {
            self.make(round, blocks);
        }
        let place = round.wrapping_sub(self.first) as usize;
        self.blocks.as_flattened().iter().map(move |words| words[place])
    }

    /// Makes the first blocks of this round and of those after it.
    #[inline(never)]
    fn make(&mut self, first: u64, blocks: usize) {
        self.first = first;
        self.blocks.clear();
        for block in 0..blocks as u64 {
            let number = |ahead: usize| {
                first.wrapping_add(ahead as u64).wrapping_mul(BLOCKS_PER_ROUND).wrapping_add(block)
            };
            self.blocks.push(self.chacha.blocks(std::array::from_fn(number)));
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rand_chacha::ChaCha12Rng;
    use rand_chacha::rand_core::{Rng, SeedableRng};

    use super::*;

    /// The words as somebody else's implementation reads them.
    fn reference(key: [u8; 32], stream: u64, round: u64) -> [u32; 64] {
        let mut words = ChaCha12Rng::from_seed(key);
        words.set_stream(stream);
        words.set_word_pos(u128::from(round) * 64);
        [(); 64].map(|()| words.next_u32())
    }

    proptest! {
        /// Any key, stream and rounds, in any order, with any number of words: as rand_chacha has them.
        #[test]
        fn the_words_are_those_of_rand_chacha(
            key in any::<[u8; 32]>(), stream in any::<u64>(), start in any::<u64>(),
            // At a multiple of 2^30 the lower half of the block counter begins anew.
            near in prop::option::of(0..8u64),
            steps in prop::collection::vec((0..9u64, 0..=64usize), 1..20),
        ) {
            let mut words = RoundWords::new(&key, stream);
            let base = near.map_or(start, |near| (start << 30).wrapping_sub(near));
            for (ahead, count) in steps {
                let round = base.wrapping_add(ahead);
                let made: Vec<u32> = words.of_round(round, count).take(count).collect();
                prop_assert_eq!(&made[..], &reference(key, stream, round)[..count], "round {}", round);
            }
        }
    }

    /// draft-strombergson-chacha-test-vectors-01, TC1 with 256 bits and 12 rounds.
    #[test]
    fn a_published_vector() {
        let block: Vec<u8> =
            RoundWords::new(&[0; 32], 0).of_round(0, 16).take(16).flat_map(u32::to_le_bytes).collect();
        let hex = crate::hex::hex(block);
        assert_eq!(
            hex,
            "9bf49a6a0755f953811fce125f2683d50429c3bb49e074147e0089a52eae155f\
             0564f879d27ae3c02ce82834acfa8c793a629f2ca0de6919610be82f411326be"
        );
    }
}
