//! Changing inputs at random, for drivers without libFuzzer and for the mutants of [`super::Target::run_with_mutants`].

use casino_stud::cards::{Seed, Stream};

/// The longest mutant, in bytes, unless the input itself is longer.
const LONGEST: usize = 4_096;

/// Bytes and words with a special meaning in formats.
const WORDS: [&[u8]; 18] = [
    b"\0",
    b"\x7f",
    b"\x80",
    b"\xc0\x80",
    b"\xed\xa0\x80",
    b"\xf0\x9f\x98\x80",
    b"\xff",
    b"\xff\xff",
    b"\n",
    b" ",
    b":",
    b"\"",
    b"0",
    b"-1",
    b"4294967295",
    b"4294967296",
    b"9999999999999999999999",
    "\u{202e}".as_bytes(),
];

/// Makes mutants, one after the other, each in the same buffer.
pub struct Mutator {
    dice: Stream,
    mutant: Vec<u8>,
}

impl Mutator {
    /// Makes the mutators of this seed.
    pub fn new(seed: &str) -> Mutator {
        Mutator { dice: Seed::chosen(seed).stream("mutants"), mutant: Vec::new() }
    }

    /// A mutator that follows from an input.
    pub fn of_input(input: &[u8]) -> Mutator {
        let sum = input.iter().fold(input.len() as u64, |sum, byte| {
            (sum.rotate_left(5) ^ u64::from(*byte)).wrapping_mul(0x9E37_79B9_7F4A_7C15)
        });
        Mutator::new(&format!("{sum:x}"))
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        self.dice.below(u32::try_from(bound).expect("inputs are far shorter than 4 GiB")) as usize
    }

    /// The input with one to four changes: bits, bytes, words put in, stretches taken out, doubled, or taken from another
    /// input of these.
    pub fn mutant(&mut self, input: &[u8], others: &[Vec<u8>]) -> &[u8] {
        let mut mutant = std::mem::take(&mut self.mutant);
        mutant.clear();
        mutant.extend_from_slice(input);
        for _ in 0..=self.below(4) {
            self.change(&mut mutant, others);
        }
        mutant.truncate(LONGEST.max(input.len()));
        self.mutant = mutant;
        &self.mutant
    }

    fn change(&mut self, mutant: &mut Vec<u8>, others: &[Vec<u8>]) {
        let at = self.below(mutant.len() + 1);
        let short = 1 + self.below(8);
        let end = mutant.len().min(at + short);
        match self.below(8) {
            0 if at < mutant.len() => mutant[at] ^= 1 << self.below(8),
            1 if at < mutant.len() => mutant[at] = self.below(256) as u8,
            2 if at < mutant.len() => {
                mutant[at] = mutant[at].wrapping_add(self.below(7) as u8).wrapping_sub(3)
            }
            3 => drop(mutant.drain(at..end)),
            4 => {
                let doubled = mutant[at..end].to_vec();
                mutant.splice(at..at, doubled);
            }
            5 if !others.is_empty() => {
                let other = &others[self.below(others.len())];
                let from = self.below(other.len() + 1);
                let to = other.len().min(from + 1 + self.below(64));
                mutant.splice(at..end, other[from..to].iter().copied());
            }
            6 => mutant.insert(at, self.below(256) as u8),
            _ => {
                let word = WORDS[self.below(WORDS.len())];
                mutant.splice(at..at, word.iter().copied());
            }
        }
    }
}
