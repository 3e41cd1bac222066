//! Unbiased random numbers from a keyed stream.

use std::fmt;

use rand_chacha::ChaCha12Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// Words of a stretch as a power of two: more than any use draws.
const STRETCH_WORDS_LOG2: u32 = 32;

/// A stream of random numbers that depends on nothing but the seed and its purpose.
#[derive(Clone)]
pub struct Stream(ChaCha12Rng);

impl Stream {
    pub(super) fn new(key: [u8; 32]) -> Stream {
        Stream(ChaCha12Rng::from_seed(key))
    }

    /// Moves to the beginning of a stretch of 2^32 words, below 2^36. Work that is done in pieces, in any order and on
    /// any machine, gives each piece a stretch of its own.
    pub fn seek(&mut self, stretch: u64) {
        self.0.set_word_pos(u128::from(stretch) << STRETCH_WORDS_LOG2);
    }

    /// The number of words read, counted from the beginning of the stream.
    pub fn position(&self) -> u128 {
        self.0.get_word_pos()
    }

    /// A number from 0 up to but not including `bound`, each equally likely. `bound` must not be 0.
    #[inline]
    pub fn below(&mut self, bound: u32) -> u32 {
        below(bound, || self.0.next_u32())
    }

    /// Returns true with a probability of one in `bound`.
    pub fn one_in(&mut self, bound: u32) -> bool {
        self.below(bound) == 0
    }

    /// Shuffles the items, every order being equally likely. It is the shuffle of the decks.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for at in 0..items.len().saturating_sub(1) {
            let left = u32::try_from(items.len() - at).expect("no list is longer than 2^32");
            items.swap(at, at + self.below(left) as usize);
        }
    }
}

/// Omits the words: they determine future cards.
impl fmt::Debug for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stream").field("position", &self.position()).finish_non_exhaustive()
    }
}

/// The unbiased draw of `docs/deal.md`: words are tried until one is taken.
#[inline]
pub(super) fn below(bound: u32, mut word: impl FnMut() -> u32) -> u32 {
    loop {
        if let Some(number) = below_by(word(), bound) {
            return number;
        }
    }
}

/// The number that one word gives: a word `w` is taken if the low half of `w * bound` is at least `2^32 mod bound`, and then
/// gives the high half; else it gives none.
#[inline]
pub(super) fn below_by(word: u32, bound: u32) -> Option<u32> {
    let product = u64::from(word) * u64::from(bound);
    let low = product as u32;
    // `2^32 mod bound` is less than `bound`, so the division is made only when it could matter.
    (low >= bound || low >= bound.wrapping_neg() % bound).then_some((product >> 32) as u32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cards::Seed;

    /// The draw with words of 8 bits instead of 32, the same lines, so that all words can be tried.
    fn below_of_a_byte(bound: u16, word: u8) -> Option<u16> {
        let product = u16::from(word) * bound;
        (product % 256 >= 256 % bound).then_some(product / 256)
    }

    #[test]
    fn every_number_is_reached_from_equally_many_words() {
        for bound in 1..=52 {
            let mut counts = vec![0; usize::from(bound)];
            for word in 0..=255 {
                if let Some(number) = below_of_a_byte(bound, word) {
                    counts[usize::from(number)] += 1;
                }
            }
            assert!(counts.iter().all(|count| *count == 256 / bound), "{bound}: {counts:?}");
        }
    }

    #[test]
    fn a_word_that_would_favour_a_number_is_passed_over() {
        // 2^32 mod 52 is 48: the word 0 has a low half of 0 and must not count.
        let mut words = [0u32, (3 << 30) + 1].into_iter();
        assert_eq!(below(52, || words.next().expect("two words suffice")), 39);
        // 2^32 mod 2 is 0: no word is passed over.
        assert_eq!(below(2, || 0), 0);
    }

    #[test]
    fn draws_use_the_next_words_of_chacha() {
        let seed = Seed::chosen("words");
        for stretch in [0, 1, 15, 1 << 35, (1 << 36) - 1] {
            let (mut stream, mut words) = (seed.stream("test"), ChaCha12Rng::from_seed(seed.key("test")));
            stream.seek(stretch);
            words.set_word_pos(u128::from(stretch) << 32);
            for draw in 0..2_000 {
                // Of the second bound nearly half of the words are passed over.
                let bound = if draw % 3 == 0 { 17 } else { (1 << 31) + 1 };
                assert_eq!(stream.below(bound), below(bound, || words.next_u32()), "draw {draw}");
                assert_eq!(stream.position(), words.get_word_pos(), "draw {draw}");
            }
        }
    }

    #[test]
    fn a_stretch_does_not_depend_on_earlier_reads() {
        let fresh = |stretch| {
            let mut stream = Seed::chosen("stretches").stream("test");
            stream.seek(stretch);
            [(); 40].map(|()| stream.below(1 << 31))
        };
        let mut used = Seed::chosen("stretches").stream("test");
        let start = [(); 40].map(|()| used.below(1 << 31));
        assert_eq!(start, fresh(0));
        let mut seen = std::collections::BTreeSet::new();
        for stretch in [7, 1, 0, 1 << 35, 7] {
            used.below(5);
            used.seek(stretch);
            let read = [(); 40].map(|()| used.below(1 << 31));
            assert_eq!(read, fresh(stretch), "{stretch}");
            seen.insert(read);
        }
        assert_eq!(seen.len(), 4);
    }

    #[test]
    fn a_shuffle_keeps_the_items_and_reaches_every_order_of_three() {
        let mut stream = Seed::chosen("orders").stream("test");
        let mut seen = std::collections::BTreeMap::new();
        for _ in 0..6_000 {
            let mut items = [1, 2, 3];
            stream.shuffle(&mut items);
            *seen.entry(items).or_insert(0) += 1;
        }
        assert_eq!(seen.len(), 6);
        assert!(seen.values().all(|count| (850..1150).contains(count)), "{seen:?}");
    }
}
