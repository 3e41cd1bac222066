//! The file of the first street's strategy, `heads_up.table`. `docs/solver.md` describes its format, `tools/train-solver` writes it.

use std::slice::ChunksExact;

use thiserror::Error;

use super::kinds::{KINDS, Kind};
use super::tree::{Menu, Tree};

/// The raises of the first street, in chips: the first bet, a raise, and a raise of that.
pub(super) const FIRST_STREET: &Menu = &[&[1, 4, 10], &[4, 10], &[10]];

/// The number of pairs of up cards that differ.
pub(super) const SPOTS: usize = 338;

/// The bytes with which a file begins.
pub(super) const MAGIC: &[u8; 16] = b"casino solver 2\n";

/// The length of the four numbers after [`MAGIC`]: iterations, boards, pairs of up cards, length of the seed.
const NUMBERS: usize = 16;

/// The length of an exploitability, with which each record begins.
pub(super) const EXPLOITABILITY: usize = 4;

/// The length of the SHA-256 with which a file ends.
pub(super) const DIGEST: usize = 32;

/// The distance between one pair of up cards and the next in a file. It shares no factor with their number.
const STRIDE: usize = 101;

/// Why a file is no table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub(super) enum TableError {
    /// It does not begin with [`MAGIC`].
    #[error("the file is not a solver table")]
    NotATable,
    /// It does not have the length that its head implies.
    #[error("the solver table is truncated or damaged")]
    Torn,
}

/// Returns the place of a pair of up cards, first that of the player who opens.
pub(super) fn place(ups: [Kind; 2]) -> usize {
    let [high, low] = ups;
    // Each rank above has four pairs with each rank below it, and two with itself.
    let before = 2 * high.rank() * high.rank().saturating_sub(1) + 2 * high.rank();
    let suits = usize::from(high.is_spade()) + 2 * usize::from(low.is_spade());
    before + 4 * low.rank() + suits
}

/// Returns the [`place`] of the pair of up cards in the record with this number.
pub(super) fn spot(number: usize) -> usize {
    number * STRIDE % SPOTS
}

/// Returns the strategies of a file, in the order of its records.
pub(super) fn strategies<'a>(
    bytes: &'a [u8],
    tree: &Tree,
) -> Result<impl ExactSizeIterator<Item = &'a [u8]>, TableError> {
    Ok(records(bytes, tree)?.map(|record| &record[EXPLOITABILITY..]))
}

/// Returns the records of a file: an exploitability and a strategy for each pair of up cards.
pub(super) fn records<'a>(bytes: &'a [u8], tree: &Tree) -> Result<ChunksExact<'a, u8>, TableError> {
    let rest = bytes.strip_prefix(MAGIC).ok_or(TableError::NotATable)?;
    let (numbers, rest) = rest.split_at_checked(NUMBERS).ok_or(TableError::Torn)?;
    let number = |at: usize| u32::from_le_bytes([0, 1, 2, 3].map(|byte| numbers[4 * at + byte])) as usize;
    let (_, rest) = rest.split_at_checked(number(3)).ok_or(TableError::Torn)?;
    let (records, _) = rest.split_last_chunk::<DIGEST>().ok_or(TableError::Torn)?;
    let length = EXPLOITABILITY + tree.edges() * KINDS;
    if number(2) > SPOTS || records.len() != number(2) * length {
        return Err(TableError::Torn);
    }
    Ok(records.chunks_exact(length))
}
