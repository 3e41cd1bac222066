//! The keyboard of a terminal, key by key, without Enter.

use std::io;
use std::time::Duration;

use super::native::keyboard as native;

/// Standard input as a keyboard. The terminal gives each key at once and does not show it, until [`give_back`] is called:
/// not when this is dropped, which may be in a thread that waits for one more key. Ctrl-C interrupts the process as before.
#[derive(Debug)]
pub struct Keyboard(native::Keyboard);

impl Keyboard {
    /// Takes the keyboard.
    ///
    /// # Errors
    /// If standard input is no terminal.
    pub fn take() -> io::Result<Keyboard> {
        native::Keyboard::take().map(Keyboard)
    }

    /// The next key that is a character, if one is pressed within this time. Where the system cannot wait for a time, it
    /// waits for the key.
    ///
    /// # Errors
    /// If the terminal is gone.
    pub fn key(&self, within: Duration) -> io::Result<Option<char>> {
        self.0.key(within)
    }
}

/// Gives the keyboard back as it was taken, if it was.
pub fn give_back() {
    native::give_back();
}
