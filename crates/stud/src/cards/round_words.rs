//! The random words of rounds, those of several rounds at a time.

use wide::u32x4;

/// How many rounds get their words together: as many as a vector has places.
const ROUNDS: usize = 4;

/// How many blocks of ChaCha belong to one round.
const BLOCKS_PER_ROUND: u64 = 4;

/// How many words a block of ChaCha has.
const BLOCK_WORDS: usize = 16;

type Words = [u32; ROUNDS];

/// The words that one stream of ChaCha12 has for rounds, as `docs/deal.md` describes them. ChaCha makes a block of words at
/// a time and does the same for each; so blocks of rounds that follow each other are made side by side in vectors, which takes
/// hardly longer than a single block.
#[derive(Clone)]
pub(super) struct RoundWords {
    /// ChaCha's state before block 0: constants, key, block counter, stream.
    start: [u32; BLOCK_WORDS],
    first: u64,
    /// The first blocks of each of these rounds, as many as were wanted.
    blocks: Vec<[Words; BLOCK_WORDS]>,
}

impl RoundWords {
    pub(super) fn new(key: &[u8; 32], stream: u64) -> RoundWords {
        let mut start = [0; BLOCK_WORDS];
        // "expand 32-byte k", as ChaCha's author chose it.
        start[..4].copy_from_slice(&[0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574]);
        for (word, bytes) in start[4..12].iter_mut().zip(key.as_chunks().0) {
            *word = u32::from_le_bytes(*bytes);
        }
        [start[14], start[15]] = halves(stream);
        RoundWords { start, first: 0, blocks: Vec::new() }
    }

    /// The first words of a round, `count` of them or more. A round has 64.
    #[inline]
    pub(super) fn of_round(&mut self, round: u64, count: usize) -> impl Iterator<Item = u32> {
        let blocks = count.div_ceil(BLOCK_WORDS);
        if round.wrapping_sub(self.first) >= ROUNDS as u64 || self.blocks.len() < blocks {
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
            let number = |ahead| first.wrapping_add(ahead).wrapping_mul(BLOCKS_PER_ROUND).wrapping_add(block);
            self.blocks.push(side_by_side(&self.start, [0, 1, 2, 3].map(number)));
        }
    }
}

fn side_by_side(start: &[u32; BLOCK_WORDS], numbers: [u64; ROUNDS]) -> [Words; BLOCK_WORDS] {
    let mut start = start.map(u32x4::splat);
    start[12] = u32x4::new(numbers.map(|number| halves(number)[0]));
    start[13] = u32x4::new(numbers.map(|number| halves(number)[1]));
    let mut state = start;
    for _ in 0..6 {
        quarter_round(&mut state, 0, 4, 8, 12);
        quarter_round(&mut state, 1, 5, 9, 13);
        quarter_round(&mut state, 2, 6, 10, 14);
        quarter_round(&mut state, 3, 7, 11, 15);
        quarter_round(&mut state, 0, 5, 10, 15);
        quarter_round(&mut state, 1, 6, 11, 12);
        quarter_round(&mut state, 2, 7, 8, 13);
        quarter_round(&mut state, 3, 4, 9, 14);
    }
    std::array::from_fn(|at| (state[at] + start[at]).to_array())
}

#[inline(always)]
fn quarter_round(state: &mut [u32x4; BLOCK_WORDS], a: usize, b: usize, c: usize, d: usize) {
    state[a] += state[b];
    state[d] = rotated(state[d] ^ state[a], 16);
    state[c] += state[d];
    state[b] = rotated(state[b] ^ state[c], 12);
    state[a] += state[b];
    state[d] = rotated(state[d] ^ state[a], 8);
    state[c] += state[d];
    state[b] = rotated(state[b] ^ state[c], 7);
}

#[inline(always)]
fn rotated(words: u32x4, left: u32) -> u32x4 {
    (words << left) | (words >> (32 - left))
}

/// A number's lower and upper 32 bits.
fn halves(number: u64) -> [u32; 2] {
    [number as u32, (number >> 32) as u32]
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
