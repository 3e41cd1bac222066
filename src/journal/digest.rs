//! The running SHA-256 of a journal.

use sha2::{Digest as _, Sha256};

/// The SHA-256 of everything so far.
#[derive(Clone, Debug, Default)]
pub struct Digest(Sha256);

impl Digest {
    /// Adds the bytes that follow.
    pub fn add(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// In hexadecimal, as `sha256sum` prints it.
    pub fn hex(&self) -> String {
        self.0.clone().finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}
