//! Numbers out of the bytes of an input, for targets whose input has a structure.

/// Takes numbers off the front of an input. After its end all of them are 0.
pub struct Dice<'a> {
    rest: &'a [u8],
}

impl<'a> Dice<'a> {
    /// Begins at the front of the input.
    pub fn of(input: &'a [u8]) -> Dice<'a> {
        Dice { rest: input }
    }

    /// Whether nothing is left.
    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// The next byte.
    pub fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.rest.split_first() else { return 0 };
        self.rest = rest;
        *first
    }

    /// A number below `bound`, which is not 0, from as many bytes as it takes.
    pub fn below(&mut self, bound: usize) -> usize {
        let mut number = usize::from(self.byte());
        if bound > 1 << 8 {
            number = number << 8 | usize::from(self.byte());
        }
        number % bound
    }

    /// A number of four bytes, high byte first. Small and large ones are as likely as others.
    pub fn number(&mut self) -> u32 {
        let kind = self.byte();
        let number = u32::from_be_bytes([self.byte(), self.byte(), self.byte(), self.byte()]);
        match kind % 4 {
            0 => number % 32,
            1 => number % 1_000,
            2 => u32::MAX - number % 32,
            _ => number,
        }
    }

    /// All that is left.
    pub fn rest(self) -> &'a [u8] {
        self.rest
    }
}
