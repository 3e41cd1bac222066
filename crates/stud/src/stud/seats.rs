//! Seats at one table and sets of them.

use std::fmt;

/// The most seats a table has: three cards for each of 17 players are 51 of the 52 (R1).
pub const MAX_SEATS: usize = 17;

/// A seat at one table. Seats act in their order (R6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Seat(u8);

impl Seat {
    /// The seat with this index.
    ///
    /// # Panics
    /// If the index is not below [`MAX_SEATS`].
    pub const fn new(index: usize) -> Seat {
        assert!(index < MAX_SEATS, "a table has at most 17 seats");
        Seat(index as u8)
    }

    /// The seat's index, 0 to 16.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Displays as the seat's number for people, counted from 1.
impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (self.0 + 1).fmt(f)
    }
}

/// A set of seats of one table, iterated in seat order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SeatSet(u32);

impl SeatSet {
    /// The set without any seat.
    pub const EMPTY: SeatSet = SeatSet(0);

    /// The set of the first `count` seats.
    ///
    /// # Panics
    /// If `count` is above [`MAX_SEATS`].
    #[inline]
    pub const fn first_seats(count: usize) -> SeatSet {
        assert!(count <= MAX_SEATS, "a table has at most 17 seats");
        SeatSet((1 << count) - 1)
    }

    /// The set of this seat alone.
    #[inline]
    pub const fn only(seat: Seat) -> SeatSet {
        // A seat is below 17: that the shift is below 32 need not be looked at each time.
        SeatSet(1_u32.wrapping_shl(seat.0 as u32))
    }

    /// How many seats are in the set.
    #[inline]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether the set has no seat.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the seat is in the set.
    #[inline]
    pub const fn contains(self, seat: Seat) -> bool {
        self.0 & SeatSet::only(seat).0 != 0
    }

    /// This set with the seat added.
    #[inline]
    #[must_use]
    pub const fn with(self, seat: Seat) -> SeatSet {
        SeatSet(self.0 | SeatSet::only(seat).0)
    }

    /// This set with the seat removed.
    #[inline]
    #[must_use]
    pub const fn without(self, seat: Seat) -> SeatSet {
        SeatSet(self.0 & !SeatSet::only(seat).0)
    }

    /// The seats that are in both sets.
    #[inline]
    #[must_use]
    pub const fn and(self, other: SeatSet) -> SeatSet {
        SeatSet(self.0 & other.0)
    }

    /// The seats that are in this set, in the other one or in both.
    #[inline]
    pub(crate) const fn or(self, other: SeatSet) -> SeatSet {
        SeatSet(self.0 | other.0)
    }

    /// This set if it is true, else the empty one, without a branch.
    #[inline]
    pub(crate) const fn if_true(self, it: bool) -> SeatSet {
        SeatSet(self.0 & (it as u32).wrapping_neg())
    }

    /// The lowest seat of the set.
    #[inline]
    pub const fn first(self) -> Option<Seat> {
        if self.0 == 0 { None } else { Some(Seat(self.0.trailing_zeros() as u8)) }
    }

    /// The seats of the set from this one to the last.
    #[inline]
    const fn not_before(self, start: Seat) -> SeatSet {
        // The negative of a bit has this bit and all above it.
        SeatSet(self.0 & SeatSet::only(start).0.wrapping_neg())
    }

    /// The first seat in order of action: `start` itself if it is in the set, or else the next one around the table.
    #[inline]
    pub const fn first_from(self, start: Seat) -> Option<Seat> {
        let from_start = self.not_before(start);
        if from_start.is_empty() { self.first() } else { from_start.first() }
    }

    /// The seats in order of action from `start` on.
    pub fn iter_from(self, start: Seat) -> impl Iterator<Item = Seat> {
        let from_start = self.not_before(start);
        from_start.into_iter().chain(SeatSet(self.0 & !from_start.0))
    }
}

impl FromIterator<Seat> for SeatSet {
    fn from_iter<I: IntoIterator<Item = Seat>>(seats: I) -> SeatSet {
        seats.into_iter().fold(SeatSet::EMPTY, SeatSet::with)
    }
}

/// Iterates over the seats in seat order.
impl IntoIterator for SeatSet {
    type Item = Seat;
    type IntoIter = SeatIter;

    fn into_iter(self) -> SeatIter {
        SeatIter(self)
    }
}

/// An iterator over the seats of a set, in seat order.
#[derive(Clone, Debug)]
pub struct SeatIter(SeatSet);

impl Iterator for SeatIter {
    type Item = Seat;

    #[inline]
    fn next(&mut self) -> Option<Seat> {
        let seat = self.0.first()?;
        self.0 = self.0.without(seat);
        Some(seat)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn action_rotates_from_any_seat() {
        let set: SeatSet = [1, 4, 16].map(Seat::new).into_iter().collect();
        for (start, order) in
            [(0, [1, 4, 16]), (1, [1, 4, 16]), (2, [4, 16, 1]), (5, [16, 1, 4]), (16, [16, 1, 4])]
        {
            let from: Vec<usize> = set.iter_from(Seat::new(start)).map(Seat::index).collect();
            assert_eq!(from, order, "{start}");
            assert_eq!(set.first_from(Seat::new(start)), Some(Seat::new(order[0])));
        }
        assert_eq!(SeatSet::EMPTY.first_from(Seat::new(3)), None);
        assert_eq!(SeatSet::first_seats(17).len(), 17);
    }

    #[test]
    fn a_set_with_a_seat_is_not_empty() {
        let seat = Seat::new(16);
        assert!(SeatSet::EMPTY.is_empty() && SeatSet::only(seat).without(seat).is_empty());
        assert!(!SeatSet::only(seat).is_empty());
    }

    /// People count from 1, as the header of a journal does.
    #[test]
    fn the_first_seat_is_seat_1() {
        assert_eq!([0, 1, 16].map(|index| Seat::new(index).to_string()), ["1", "2", "17"]);
    }
}
