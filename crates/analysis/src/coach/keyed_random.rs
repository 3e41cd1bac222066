//! Random numbers of a key, so that a decision meets the same cards and choices after every reply that is compared.
//!
//! An analysis asks for a few numbers of each of millions of keys. A [`casino_stud::cards::Stream`] makes its numbers in blocks of
//! sixteen words, of which nearly all would be thrown away.

/// The finaliser of SplitMix64 over a counter.
#[derive(Clone, Copy)]
pub(super) struct KeyedRandom(u64);

impl KeyedRandom {
    /// The numbers of a key.
    pub(super) fn new(key: &[u64]) -> KeyedRandom {
        key.iter().fold(KeyedRandom(0), |random, part| random.with(*part))
    }

    /// The numbers of a longer key.
    pub(super) fn with(self, part: u64) -> KeyedRandom {
        KeyedRandom(KeyedRandom(self.0 ^ part).next())
    }

    /// The next number.
    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number from 0 up to but not including 1.
    pub(super) fn unit(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1u32 << 24) as f32
    }

    /// A number from 0 up to but not including `bound`.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }
}
