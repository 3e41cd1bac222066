//! ChaCha with 12 rounds, the keys and the draws of `docs/deal.md`, written from that page and from nothing of the library.
//! Eight blocks are made side by side in the vectors that the processor has, as whoever wants speed would do it.

use fearless_simd::{Level, Simd, dispatch, prelude::*, u32x8};
use sha2::{Digest, Sha256};

/// How many blocks are made together.
const LANES: usize = 8;

/// Sixteen words of each of eight blocks.
type Blocks = [[u32; LANES]; 16];

/// ChaCha's state but for the counter.
#[derive(Clone)]
struct Key(Level, [u32; 16]);

impl Key {
    /// The stream of this number under the key of a seed for a purpose.
    fn new(seed: &str, purpose: &str, stream: u64) -> Key {
        Key::of_bytes(Sha256::digest(format!("casino-day {purpose}\n{seed}")).into(), stream)
    }

    fn of_bytes(key: [u8; 32], stream: u64) -> Key {
        let mut state = [0; 16];
        state[..4].copy_from_slice(&[0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574]);
        for (word, bytes) in state[4..12].iter_mut().zip(key.chunks(4)) {
            *word = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        }
        (state[14], state[15]) = (stream as u32, (stream >> 32) as u32);
        Key(Level::new(), state)
    }

    fn blocks(&self, numbers: [u64; LANES]) -> Blocks {
        dispatch!(self.0, simd => blocks(simd, &self.1, numbers))
    }
}

#[inline(always)]
fn blocks<S: Simd>(simd: S, state: &[u32; 16], numbers: [u64; LANES]) -> Blocks {
    let mut start = state.map(|word| u32x8::splat(simd, word));
    start[12] = numbers.map(|number| number as u32).simd_into(simd);
    start[13] = numbers.map(|number| (number >> 32) as u32).simd_into(simd);
    let mut x = start;
    for _ in 0..6 {
        for [a, b, c, d] in [[0, 4, 8, 12], [1, 5, 9, 13], [2, 6, 10, 14], [3, 7, 11, 15]] {
            quarter(&mut x, a, b, c, d);
        }
        for [a, b, c, d] in [[0, 5, 10, 15], [1, 6, 11, 12], [2, 7, 8, 13], [3, 4, 9, 14]] {
            quarter(&mut x, a, b, c, d);
        }
    }
    let mut made = [[0; LANES]; 16];
    for at in 0..16 {
        made[at] = *(x[at] + start[at]);
    }
    made
}

#[inline(always)]
fn quarter<S: Simd>(x: &mut [u32x8<S>; 16], a: usize, b: usize, c: usize, d: usize) {
    x[a] += x[b];
    x[d] = turned(x[d] ^ x[a], 16);
    x[c] += x[d];
    x[b] = turned(x[b] ^ x[c], 12);
    x[a] += x[b];
    x[d] = turned(x[d] ^ x[a], 8);
    x[c] += x[d];
    x[b] = turned(x[b] ^ x[c], 7);
}

#[inline(always)]
fn turned<S: Simd>(x: u32x8<S>, by: u32) -> u32x8<S> {
    (x << by) | (x >> (32 - by))
}

/// A number below a bound from the next words, each equally likely.
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

/// Dice: the words of a stream, one after the other.
#[derive(Clone)]
pub(crate) struct Dice {
    key: Key,
    blocks: Blocks,
    /// The number of the first block that has not been made.
    ahead: u64,
    next: usize,
    /// The first blocks of eight stretches, which are made together, and the first of these.
    starts: Option<(u64, Blocks)>,
}

impl Dice {
    pub(crate) fn new(seed: &str, purpose: &str) -> Dice {
        Dice {
            key: Key::new(seed, purpose, 0),
            blocks: [[0; LANES]; 16],
            ahead: 0,
            next: 16 * LANES,
            starts: None,
        }
    }

    /// Goes on at the first word of a stretch of 2^28 blocks.
    pub(crate) fn seek(&mut self, stretch: u64) {
        let (first, blocks) = match self.starts.take() {
            Some((first, blocks)) if stretch.wrapping_sub(first) < LANES as u64 => (first, blocks),
            _ => (stretch, self.key.blocks(std::array::from_fn(|lane| (stretch + lane as u64) << 28))),
        };
        for (words, made) in self.blocks.iter_mut().zip(&blocks) {
            words[LANES - 1] = made[(stretch - first) as usize % LANES];
        }
        self.starts = Some((first, blocks));
        (self.ahead, self.next) = ((stretch << 28) + 1, 16 * (LANES - 1));
    }

    fn refill(&mut self) {
        self.blocks = self.key.blocks(std::array::from_fn(|ahead| self.ahead + ahead as u64));
        self.ahead += LANES as u64;
        self.next = 0;
    }

    /// A number below a bound, each equally likely.
    #[inline]
    pub(crate) fn below(&mut self, bound: u32) -> u32 {
        below(bound, || {
            if self.next == 16 * LANES {
                self.refill();
            }
            let word = self.blocks[self.next % 16][self.next / 16];
            self.next += 1;
            word
        })
    }

    /// Puts a list into a random order (Fisher and Yates).
    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for at in 0..items.len() - 1 {
            items.swap(at, at + self.below((items.len() - at) as u32) as usize);
        }
    }
}

/// Makes the decks of a table. Eight rounds that follow each other get their words together.
pub(crate) struct Shuffle {
    key: Key,
    /// The first of the eight rounds, and the blocks that have been made of each.
    first: u64,
    made: usize,
    blocks: [Blocks; 4],
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
        Shuffle {
            key: Key::new(seed, "deck", u64::from(table)),
            first: 0,
            made: 0,
            blocks: [[[0; LANES]; 16]; 4],
            deck: IN_ORDER,
        }
    }

    /// The deck of a round, of which only the first `needed` cards are sure to be right: numbers from 0 for the deuce of clubs
    /// on. It has room for 64, so that no place in it has to be checked.
    #[inline]
    pub(crate) fn deck(&mut self, round: u64, needed: usize) -> &[u8; 64] {
        let needed = needed.min(51);
        if round.wrapping_sub(self.first) >= LANES as u64 {
            (self.first, self.made) = (round, 0);
        }
        while self.made < needed.div_ceil(16) {
            self.refill();
        }
        let lane = (round - self.first) as usize % LANES;
        self.deck = IN_ORDER;
        for (at, words) in self.blocks.as_flattened()[..needed].iter().enumerate() {
            let bound = 52 - at as u64;
            let product = u64::from(words[lane]) * bound;
            // A word that may have to be passed over comes once in some million rounds.
            if (product as u32) < bound as u32 {
                return self.deck_word_by_word(lane, needed);
            }
            self.deck.swap(at, (at + (product >> 32) as usize) % 64);
        }
        &self.deck
    }

    #[cold]
    fn deck_word_by_word(&mut self, lane: usize, needed: usize) -> &[u8; 64] {
        self.deck = IN_ORDER;
        let mut next = 0;
        for at in 0..needed {
            let pick = below(52 - at as u32, || {
                if next == 16 * self.made {
                    self.refill();
                }
                next += 1;
                self.blocks[(next - 1) / 16][(next - 1) % 16][lane]
            });
            self.deck.swap(at, at + pick as usize);
        }
        &self.deck
    }

    #[inline(never)]
    fn refill(&mut self) {
        let block = self.made as u64;
        self.blocks[self.made] =
            self.key.blocks(std::array::from_fn(|lane| 4 * (self.first + lane as u64) + block));
        self.made += 1;
    }
}

/// Holds the generator against what others published: the first two blocks of TC1 and TC2 of
/// draft-strombergson-chacha-test-vectors-01, for 256 bits and 12 rounds.
///
/// # Panics
/// If a byte differs.
pub(crate) fn check_published_vectors() {
    const VECTORS: [(u8, &str); 2] = [
        (
            0,
            "9bf49a6a0755f953811fce125f2683d50429c3bb49e074147e0089a52eae155f\
             0564f879d27ae3c02ce82834acfa8c793a629f2ca0de6919610be82f411326be\
             0bd58841203e74fe86fc71338ce0173dc628ebb719bdcbcc151585214cc089b4\
             42258dcda14cf111c602b8971b8cc843e91e46ca905151c02744a6b017e69316",
        ),
        (
            1,
            "12056e595d56b0f6eef090f0cd25a20949248c2790525d0f930218ff0b4ddd10\
             a6002239d9a454e29e107a7d06fefdfef0210feba044f9f29b1772c960dc29c0\
             0c7366c5cbc604240e665eb02a69372a7af979b26fbb78092ac7c4b88029a7c8\
             54513bc217bbfc7d90432e308eba15afc65aeb48ef100d5601e6afba257117a9",
        ),
    ];
    for (first, expected) in VECTORS {
        let mut key = [0; 32];
        key[0] = first;
        let blocks = Key::of_bytes(key, 0).blocks(std::array::from_fn(|block| block as u64));
        let word = |at: usize| blocks[at % 16][at / 16].swap_bytes();
        let read: String = (0..32).map(|at| format!("{:08x}", word(at))).collect();
        assert_eq!(read, expected, "a published vector of ChaCha12");
    }
}
