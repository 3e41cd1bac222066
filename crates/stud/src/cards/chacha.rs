//! Blocks of words of ChaCha12, eight at a time: it makes a block of words after the other and does the same for each, so that
//! eight side by side in vectors take hardly longer than a single one. How long the vectors are, the processor is asked.

use fearless_simd::{Level, Simd, dispatch, prelude::*, u32x8};

pub(super) const BLOCK_WORDS: usize = 16;

/// How many blocks are made together.
pub(super) const AT_ONCE: usize = 8;

/// Words at the same place of each of these blocks.
pub(super) type Words = [u32; AT_ONCE];

/// A stream under a key.
#[derive(Clone)]
pub(super) struct ChaCha {
    /// Which vectors this processor has.
    level: Level,
    /// The state before block 0: constants, key, block counter, stream.
    start: [u32; BLOCK_WORDS],
}

impl ChaCha {
    pub(super) fn new(key: &[u8; 32], stream: u64) -> ChaCha {
        let mut start = [0; BLOCK_WORDS];
        // "expand 32-byte k", as ChaCha's author chose it.
        start[..4].copy_from_slice(&[0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574]);
        for (word, bytes) in start[4..12].iter_mut().zip(key.as_chunks().0) {
            *word = u32::from_le_bytes(*bytes);
        }
        [start[14], start[15]] = halves(stream);
        ChaCha { level: Level::new(), start }
    }

    #[inline]
    pub(super) fn blocks(&self, numbers: [u64; AT_ONCE]) -> [Words; BLOCK_WORDS] {
        dispatch!(self.level, simd => blocks(simd, &self.start, numbers))
    }
}

#[inline(always)]
fn blocks<S: Simd>(simd: S, start: &[u32; BLOCK_WORDS], numbers: [u64; AT_ONCE]) -> [Words; BLOCK_WORDS] {
    let mut start = start.map(|word| u32x8::splat(simd, word));
    start[12] = numbers.map(|number| halves(number)[0]).simd_into(simd);
    start[13] = numbers.map(|number| halves(number)[1]).simd_into(simd);
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
    let mut made = [[0; AT_ONCE]; BLOCK_WORDS];
    for (words, (end, start)) in made.iter_mut().zip(state.into_iter().zip(start)) {
        *words = *(end + start);
    }
    made
}

#[inline(always)]
fn quarter_round<S: Simd>(state: &mut [u32x8<S>; BLOCK_WORDS], a: usize, b: usize, c: usize, d: usize) {
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
fn rotated<S: Simd>(words: u32x8<S>, left: u32) -> u32x8<S> {
    (words << left) | (words >> (32 - left))
}

/// A number's lower and upper 32 bits.
fn halves(number: u64) -> [u32; 2] {
    [number as u32, (number >> 32) as u32]
}
