//! The seed from which every random choice is derived, and the commitment to it.

use std::fmt;

use sha2::{Digest, Sha256};

use super::shuffle::Shuffler;
use super::stream::Stream;
use crate::hex::hex;

/// The seed of a tournament: any text. Everything random is read from ChaCha12 streams whose keys are made
/// from it, a key for each purpose, so that no use disturbs another. `docs/deal.md` specifies how.
#[derive(Clone, PartialEq, Eq)]
pub struct Seed {
    text: String,
    drawn: bool,
}

impl Seed {
    /// A seed that a person chose.
    pub fn chosen(text: impl Into<String>) -> Seed {
        Seed { text: text.into(), drawn: false }
    }

    /// A seed made of 32 bytes of the system's randomness: its text is their 64 hexadecimal digits.
    pub fn drawn(bytes: [u8; 32]) -> Seed {
        Seed { text: hex(bytes), drawn: true }
    }

    /// A drawn seed from its text, which is known once it has been shown. `None` if no drawn seed has this text.
    pub fn revealed(text: &str) -> Option<Seed> {
        let digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        (text.len() == 64 && text.bytes().all(digit)).then(|| Seed { text: text.to_string(), drawn: true })
    }

    /// The seed as text. Given back to [`Seed::chosen`] it deals the same cards.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether the seed was drawn, not chosen: only then does its hash promise anything.
    pub fn is_drawn(&self) -> bool {
        self.drawn
    }

    /// The SHA-256 of the seed's text in hexadecimal: shown before the first deal, it binds the dealer to
    /// the seed without telling it. `None` for a chosen seed, which could be guessed from its hash.
    pub fn promise(&self) -> Option<String> {
        self.drawn.then(|| self.fingerprint())
    }

    /// The SHA-256 of the seed's text in hexadecimal.
    pub fn fingerprint(&self) -> String {
        hex(Sha256::digest(self.text.as_bytes()))
    }

    /// The decks of one table; tables are numbered from 1.
    pub fn shuffler(&self, table: u32) -> Shuffler {
        Shuffler::new(self.key("deck"), table)
    }

    /// A random stream for a purpose other than the decks: seating, or the choices of one house bot.
    pub fn stream(&self, purpose: &str) -> Stream {
        Stream::new(self.key(purpose))
    }

    pub(super) fn key(&self, purpose: &str) -> [u8; 32] {
        let mut hasher = Sha256::new();
        hasher.update(b"casino-day ");
        hasher.update(purpose.as_bytes());
        hasher.update(b"\n");
        hasher.update(self.text.as_bytes());
        hasher.finalize().into()
    }
}

/// Leaves out the text: a seed in a log would reveal every hole card to come.
impl fmt::Debug for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Seed").field("drawn", &self.drawn).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_drawn_seed_has_a_commitment_the_sha_256_of_its_text() {
        let seed = Seed::chosen("abc");
        assert_eq!(seed.fingerprint(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert_eq!(seed.promise(), None);
        let drawn = Seed::drawn([7; 32]);
        assert_eq!(drawn.text(), "07".repeat(32));
        assert_eq!(drawn.promise(), Some(drawn.fingerprint()));
    }

    #[test]
    fn a_drawn_seed_deals_the_same_when_its_text_is_chosen() {
        let drawn = Seed::drawn([9; 32]);
        let chosen = Seed::chosen(drawn.text());
        assert_eq!(drawn.shuffler(1).deck(1, 51), chosen.shuffler(1).deck(1, 51));
    }

    #[test]
    fn only_drawn_seeds_are_recognized_as_drawn() {
        let drawn = Seed::drawn([0xAB; 32]);
        assert_eq!(Seed::revealed(drawn.text()), Some(drawn.clone()));
        for text in ["", "ab", &drawn.text()[1..], &drawn.text().to_uppercase(), &"g".repeat(64)] {
            assert_eq!(Seed::revealed(text), None, "{text}");
        }
    }

    #[test]
    fn debug_keeps_the_secret() {
        assert!(!format!("{:?}", Seed::chosen("hush")).contains("hush"));
    }
}
