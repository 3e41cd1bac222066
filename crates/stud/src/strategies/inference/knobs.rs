//! The constants of the model of others. Amounts are in chips, shares in fair shares: 1 is the average.

use crate::stud::Chips;

/// The raises that are considered, in chips.
pub(super) const RAISES: [Chips; 5] = [0, 1, 3, 6, 10];

/// The price at which every second player looks at its cards.
pub(super) const MEDIAN_CALL_PRICE: f64 = 1.5;

/// The constants that differ with the number of players dealt in: among few, pots are won by small bets more often.
pub(super) struct Knobs {
    /// The probability that a player stays in with any cards, and that a player who raises does so with any cards.
    pub(super) loose: f64,
    pub(super) maniac: f64,
    /// The chips that each player who stays puts in later, on the first street and on the second, ahead or behind.
    pub(super) later: [f64; 2],
    /// The part of its price that a reply has to earn more than nothing, because the model may be wrong.
    pub(super) min_edge: f64,
}

/// The constants for this number of players dealt in.
pub(super) fn knobs(players: usize) -> &'static Knobs {
    match players {
        0..=4 => &Knobs { loose: 0.15, maniac: 0.1, later: [3.0, 1.0], min_edge: 0.3 },
        _ => &Knobs { loose: 0.3, maniac: 0.01, later: [32.0, 1.0], min_edge: 0.2 },
    }
}

/// The random deals for each reply.
pub(super) const DEALS_PER_REPLY: u32 = 160;

/// The looks with which every second player pays, and raises, among so many players.
pub(super) fn middles(players: usize) -> [f64; 2] {
    [0.15, 0.3].map(|power| libm::pow(players as f64, power))
}
