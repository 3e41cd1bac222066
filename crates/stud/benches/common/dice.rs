//! Decks and dice by `docs/deal.md`, written from that page and from nothing of the library.

use rand_chacha::ChaCha12Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use sha2::{Digest, Sha256};

/// Rounds whose words are generated together.
const ROUNDS: usize = 16;

fn stream(seed: &str, purpose: &str, number: u64) -> ChaCha12Rng {
    let key = Sha256::digest(format!("casino-day {purpose}\n{seed}"));
    let mut rng = ChaCha12Rng::from_seed(key.into());
    rng.set_stream(number);
    rng
}

/// A number below a bound, each equally likely.
#[inline]
fn below(bound: u32, mut word: impl FnMut() -> u32) -> u32 {
    loop {
        let product = u64::from(word()) * u64::from(bound);
        let low = product as u32;
        if low >= bound || low >= bound.wrapping_neg() % bound {
            return (product >> 32) as u32;
        }
    }
}

/// The words of a stream in order.
#[derive(Clone)]
pub(crate) struct Dice(ChaCha12Rng);

impl Dice {
    pub(crate) fn new(seed: &str, purpose: &str) -> Dice {
        Dice(stream(seed, purpose, 0))
    }

    /// Moves to the first word of a stretch of 2^32 words.
    pub(crate) fn seek(&mut self, stretch: u64) {
        self.0.set_word_pos(u128::from(stretch) << 32);
    }

    #[inline]
    pub(crate) fn below(&mut self, bound: u32) -> u32 {
        below(bound, || self.0.next_u32())
    }

    /// A Fisher-Yates shuffle.
    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for at in 0..items.len() - 1 {
            items.swap(at, at + self.below((items.len() - at) as u32) as usize);
        }
    }
}

/// The decks of a table.
pub(crate) struct Shuffle {
    streams: [ChaCha12Rng; 4],
    first: u64,
    made: usize,
    words: [[u32; 64]; ROUNDS],
    deck: [u8; 64],
}

const IN_ORDER: [u8; 64] = {
    let mut cards = [0; 64];
    let mut card = 0;
    while card < 64 {
        cards[card] = card as u8;
        card += 1;
    }
    cards
};

impl Shuffle {
    /// The decks of a table, numbered from 1.
    pub(crate) fn new(seed: &str, table: u32) -> Shuffle {
        let streams = std::array::from_fn(|block| stream(seed, "deck", 4 * u64::from(table) + block as u64));
        Shuffle { streams, first: 0, made: 0, words: [[0; 64]; ROUNDS], deck: IN_ORDER }
    }

    /// The deck of a round: numbers from 0 for the deuce of clubs. Only the first `needed` cards are right. It has room for
    /// 64, so that no index has to be checked.
    #[inline]
    pub(crate) fn deck(&mut self, round: u64, needed: usize) -> &[u8; 64] {
        let needed = needed.min(51);
        if round.wrapping_sub(self.first) >= ROUNDS as u64 || self.made < needed.div_ceil(16) {
            self.refill(round, needed.div_ceil(16));
        }
        self.deck = IN_ORDER;
        let words = &self.words[(round - self.first) as usize];
        for (at, word) in words[..needed].iter().enumerate() {
            let bound = 52 - at as u64;
            let product = u64::from(*word) * bound;
            // A word that may have to be passed over comes once in some million rounds.
            if (product as u32) < bound as u32 {
                return self.deck_word_by_word(round, needed);
            }
            self.deck.swap(at, (at + (product >> 32) as usize) % 64);
        }
        &self.deck
    }

    #[cold]
    fn deck_word_by_word(&mut self, round: u64, needed: usize) -> &[u8; 64] {
        self.refill(round, 4);
        self.deck = IN_ORDER;
        let mut words = self.words[0].into_iter();
        for at in 0..needed {
            let pick = below(52 - at as u32, || words.next().expect("64 words suffice"));
            self.deck.swap(at, at + pick as usize);
        }
        &self.deck
    }

    #[inline(never)]
    fn refill(&mut self, first: u64, blocks: usize) {
        for (block, stream) in self.streams.iter_mut().enumerate().take(blocks) {
            stream.set_word_pos(u128::from(first) * 16);
            for words in &mut self.words {
                words[16 * block..16 * block + 16].fill_with(|| stream.next_u32());
            }
        }
        (self.first, self.made) = (first, blocks);
    }
}
