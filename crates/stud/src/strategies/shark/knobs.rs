//! The constants of the shark's model of others.

/// What the shark believes of players whom it does not know. Chips are chips, shares are in fair shares: 1 is what everyone
/// has on average.
#[derive(Clone, Copy, Debug)]
pub(super) struct Knobs {
    /// The probability that a player stays in whatever it holds.
    pub(super) loose: f64,
    /// Between two, who stays in whatever it holds with this probability is no stranger any more.
    pub(super) known: f64,
    /// How often a player who is not loose stays in when that costs something.
    pub(super) tight: f64,
    /// How many observations the prior counts.
    pub(super) shrink: f64,
    /// Who is not loose pays every second time with a look of the number of players to the power of this.
    pub(super) stays: f64,
    /// Who is no maniac raises every second time with a look of the number of players to the power of this.
    pub(super) raises: f64,
    /// The price at which every second player looks at its cards.
    pub(super) price: f64,
    /// The probability that who raises does so whatever it holds.
    pub(super) maniac: f64,
    /// What each player who stays puts in later, on the first street and on the second, whether it is ahead or behind.
    pub(super) later: [f64; 2],
    /// By which part of what a reply costs it has to earn more than nothing, because the model may be wrong.
    pub(super) doubt: f64,
    /// Which part of its stack a player stakes on a raise whose call would be sure to win, if chips have to last. 1 is what
    /// makes a stack grow fastest in the long run (Kelly, 1956), less is more careful.
    pub(super) stake: f64,
    pub(super) deals: u32,
}

impl Knobs {
    /// The looks with which every second player pays, and raises, among so many.
    pub(super) fn middles(&self, players: usize) -> [f64; 2] {
        [self.stays, self.raises].map(|power| libm::pow(players as f64, power))
    }
}

pub(super) const KNOBS: Knobs = Knobs {
    loose: 0.3,
    known: 0.75,
    tight: 0.3,
    shrink: 6.0,
    stays: 0.15,
    raises: 0.3,
    price: 1.5,
    maniac: 0.01,
    later: [32.0, 1.0],
    doubt: 0.2,
    stake: 1.0,
    deals: 160,
};

/// The same without anything that was counted of the others: with so many imagined rounds, no real ones tell.
pub(super) const STRANGERS: Knobs = Knobs { shrink: 1e12, ..KNOBS };
