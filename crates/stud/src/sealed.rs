//! Texts that end with their own SHA-256, for work files that a later run reads back.

use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::hex::hex;

const DIGEST_PREFIX: &str = "SHA-256 ";

/// A text is not as it was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ChecksumError {
    /// Its last line is no SHA-256: the end is missing, or something was added.
    #[error("it is cut off: its last line is not the SHA-256 of those above it")]
    Missing,
    /// A part of it has changed.
    #[error("it has changed since it was written: its SHA-256 is another one than its last line says")]
    Wrong,
}

/// The last line of a text: the SHA-256 of all that stands above it.
pub fn seal(text: impl AsRef<[u8]>) -> String {
    format!("{DIGEST_PREFIX}{}\n", hex(Sha256::digest(text)))
}

/// The text without the last line, which is its [`seal`].
pub fn unsealed(sealed: &str) -> Result<&str, ChecksumError> {
    let lines = sealed.strip_suffix('\n').ok_or(ChecksumError::Missing)?;
    let begin = lines.rfind('\n').ok_or(ChecksumError::Missing)? + 1;
    let (text, last) = sealed.split_at(begin);
    if !last.starts_with(DIGEST_PREFIX) {
        return Err(ChecksumError::Missing);
    }
    if last == seal(text) { Ok(text) } else { Err(ChecksumError::Wrong) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_single_changed_bit_is_detected() {
        let text = "{\"a\": 1,\n\"b\": [2, 3]}\n";
        let sealed = format!("{text}{}", seal(text));
        assert_eq!(unsealed(&sealed), Ok(text));
        for length in 0..sealed.len() {
            assert!(unsealed(&sealed[..length]).is_err(), "{length}");
        }
        assert!(unsealed(&format!("{sealed}\n")).is_err());
        for bit in 0..8 * sealed.len() {
            let mut flipped = sealed.clone().into_bytes();
            flipped[bit / 8] ^= 1 << (bit % 8);
            if let Ok(flipped) = String::from_utf8(flipped) {
                assert!(unsealed(&flipped).is_err(), "{bit}");
            }
        }
    }
}
