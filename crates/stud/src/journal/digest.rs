//! The running SHA-256 of a journal.

use sha2::{Digest as _, Sha256};

use crate::hex::hex;

/// How many bytes are hashed at once. Most lines of a journal are shorter than a block, so lines are collected first.
const CHUNK_BYTES: usize = 4096;

/// The SHA-256 of everything so far.
#[derive(Clone, Debug, Default)]
pub struct Digest {
    hashed: Sha256,
    /// Bytes not hashed yet, fewer than one block.
    rest: Vec<u8>,
}

impl Digest {
    /// Adds the bytes that follow.
    pub fn add(&mut self, mut bytes: &[u8]) {
        while self.rest.len() + bytes.len() >= CHUNK_BYTES {
            let (now, later) = bytes.split_at(CHUNK_BYTES - self.rest.len());
            self.rest.extend_from_slice(now);
            self.hashed.update(&self.rest);
            self.rest.clear();
            bytes = later;
        }
        self.rest.extend_from_slice(bytes);
    }

    /// In hexadecimal, as `sha256sum` prints it.
    pub fn hex(&self) -> String {
        hex(self.hashed.clone().chain_update(&self.rest).finalize())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digest_does_not_depend_on_chunk_boundaries() {
        let bytes: Vec<u8> = (0..3 * CHUNK_BYTES + 7).map(|index| (index % 251) as u8).collect();
        for length in [0, 1, 63, CHUNK_BYTES - 1, CHUNK_BYTES, CHUNK_BYTES + 1, 3 * CHUNK_BYTES, bytes.len()]
        {
            let bytes = &bytes[..length];
            let once = hex(Sha256::digest(bytes));
            for part in [1, 45, CHUNK_BYTES - 1, CHUNK_BYTES, 2 * CHUNK_BYTES + 1] {
                let mut digest = Digest::default();
                bytes.chunks(part).for_each(|part| digest.add(part));
                assert_eq!(digest.hex(), once, "{length} bytes, {part} at a time");
            }
        }
    }
}
