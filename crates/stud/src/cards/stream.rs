//! Unbiased random numbers from a keyed stream.

use std::fmt;

use super::chacha::{AT_ONCE, BLOCK_WORDS, ChaCha, Words};

/// How many blocks of a stream belong to each of its stretches: with 2^32 words, more than anything ever draws.
const BLOCKS_PER_STRETCH: u64 = 1 << 28;

/// How many words are made at a time.
const WORDS_AHEAD: usize = AT_ONCE * BLOCK_WORDS;

/// A stream of random numbers that depends on nothing but the seed and its purpose.
#[derive(Clone)]
pub struct Stream {
    chacha: ChaCha,
    /// The number of the block that is made next.
    next: u64,
    /// The words that were made last, and how many of them have been used.
    ahead: [u32; WORDS_AHEAD],
    used: usize,
}

impl Stream {
    /// The words of this stream from the first of this block on.
    pub(super) fn from_block(chacha: ChaCha, block: u64) -> Stream {
        Stream { chacha, next: block, ahead: [0; WORDS_AHEAD], used: WORDS_AHEAD }
    }

    /// Continues at the beginning of a stretch of 2^32 words. Work that is done in pieces, in any order and on any
    /// machine, gives each piece a stretch of its own, which needs no new key.
    pub fn seek(&mut self, stretch: u64) {
        self.next = stretch.wrapping_mul(BLOCKS_PER_STRETCH);
        self.used = WORDS_AHEAD;
    }

    /// The first blocks of the first stretches, for [`Stream::seek_next`].
    pub(crate) fn starts(&self) -> Starts {
        let number = |ahead| (ahead as u64).wrapping_mul(BLOCKS_PER_STRETCH);
        Starts { first: 0, blocks: self.chacha.blocks(std::array::from_fn(number)) }
    }

    /// Does the same as [`Stream::seek`] for whoever takes stretches one after the other and often reads little of each. The
    /// starts are this stream's.
    pub(crate) fn seek_next(&mut self, stretch: u64, starts: &mut Starts) {
        if stretch.wrapping_sub(starts.first) >= AT_ONCE as u64 {
            let number = |ahead| stretch.wrapping_add(ahead as u64).wrapping_mul(BLOCKS_PER_STRETCH);
            *starts = Starts { first: stretch, blocks: self.chacha.blocks(std::array::from_fn(number)) };
        }
        let lane = stretch.wrapping_sub(starts.first) as usize % AT_ONCE;
        self.next = stretch.wrapping_mul(BLOCKS_PER_STRETCH).wrapping_add(1);
        self.used = WORDS_AHEAD - BLOCK_WORDS;
        for (word, lanes) in self.ahead[WORDS_AHEAD - BLOCK_WORDS..].iter_mut().zip(&starts.blocks) {
            *word = lanes[lane];
        }
    }

    /// How far the stream has been read, in words. It tells whether somebody who was lent it took anything.
    pub(crate) fn position(&self) -> u128 {
        (u128::from(self.next) * BLOCK_WORDS as u128).wrapping_sub((WORDS_AHEAD - self.used) as u128)
    }

    /// A number from 0 up to but not including `bound`, each equally likely. `bound` must not be 0.
    #[inline]
    pub fn below(&mut self, bound: u32) -> u32 {
        if let Some(word) = self.ahead.get(self.used)
            && let Some(number) = below_by(*word, bound)
        {
            self.used += 1;
            return number;
        }
        self.below_by_more_words(bound)
    }

    /// The same if the words at hand have been used, or the next one has to be passed over.
    #[cold]
    #[inline(never)]
    fn below_by_more_words(&mut self, bound: u32) -> u32 {
        below(bound, || {
            if self.used == WORDS_AHEAD {
                self.make_words();
            }
            self.used += 1;
            self.ahead[self.used - 1]
        })
    }

    fn make_words(&mut self) {
        let blocks = self.chacha.blocks(std::array::from_fn(|ahead| self.next.wrapping_add(ahead as u64)));
        for (at, word) in self.ahead.iter_mut().enumerate() {
            *word = blocks[at % BLOCK_WORDS][at / BLOCK_WORDS];
        }
        self.next = self.next.wrapping_add(AT_ONCE as u64);
        self.used = 0;
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

/// The first blocks of stretches that follow each other, which are made together.
pub(crate) struct Starts {
    first: u64,
    blocks: [Words; BLOCK_WORDS],
}

/// Leaves out the words: they tell what will be drawn.
impl fmt::Debug for Starts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Starts").field("first", &self.first).finish_non_exhaustive()
    }
}

/// Leaves out the words: they tell what will be drawn.
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
    use rand_chacha::ChaCha12Rng;
    use rand_chacha::rand_core::{Rng, SeedableRng};

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

    /// The draws against the words of somebody else's generator, with a bound for which nearly half of them are passed over, and
    /// one that takes nearly all, also where the lower half of the block counter begins anew.
    #[test]
    fn every_draw_comes_of_the_next_words_of_chacha() {
        let seed = Seed::chosen("words");
        for stretch in [0, 1, 15, 1 << 35, (1 << 36) - 1, 1 << 36] {
            let (mut stream, mut words) = (seed.stream("test"), ChaCha12Rng::from_seed(seed.key("test")));
            stream.seek(stretch);
            words.set_word_pos(u128::from(stretch) << 32);
            for draw in 0..2_000 {
                let bound = if draw % 3 == 0 { 17 } else { (1 << 31) + 1 };
                assert_eq!(stream.below(bound), below(bound, || words.next_u32()), "draw {draw}");
                assert_eq!(stream.position(), words.get_word_pos(), "draw {draw}");
            }
        }
        let mut stream = Stream::from_block(ChaCha::new(&seed.key("test"), 9), (1 << 32) - 6);
        let mut words = ChaCha12Rng::from_seed(seed.key("test"));
        words.set_stream(9);
        words.set_word_pos(((1 << 32) - 6) << 4);
        assert!((0..200).all(|_| stream.below(1 << 31) == words.next_u32() >> 1));
    }

    #[test]
    fn a_stretch_does_not_depend_on_what_was_read_before() {
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
    fn stretches_one_after_the_other_are_the_same_stretches() {
        let mut plain = Seed::chosen("stretches").stream("test");
        let mut quick = Seed::chosen("stretches").stream("test");
        let mut starts = quick.starts();
        let after = (1..30).chain([7, 3, 1 << 35, (1 << 36) - 3]).chain((1 << 36) - 3..(1 << 36) + 9);
        for (stretch, draws) in after.zip([0, 1, 15, 16, 17, 150, 400].into_iter().cycle()) {
            plain.seek(stretch);
            quick.seek_next(stretch, &mut starts);
            for draw in 0..draws {
                assert_eq!(plain.position(), quick.position(), "{stretch} {draw}");
                assert_eq!(plain.below((1 << 31) + 1), quick.below((1 << 31) + 1), "{stretch} {draw}");
            }
        }
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
