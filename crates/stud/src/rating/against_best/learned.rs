//! What a program was seen to do, where it cannot be asked.
//!
//! Each reply is counted with what it depends on: the street, what there is to call, the pot, and what the hole card is worth
//! there. Seldom seen situations borrow from those that are like them but for the pot, and these from those that are like
//! them but for the cards.

use std::collections::BTreeMap;

use crate::strategies::KINDS;
use crate::stud::{Action, Bounds, Chips, Street};
use crate::table::Question;

use crate::strategies::Range;

/// The raises that are told apart, up to these sizes in chips.
const SIZES: [Chips; 3] = [2, 6, 10];

/// A fold, a call and the raises.
const REPLIES: usize = 2 + SIZES.len();

/// How many replies of others a situation borrows.
const BORROWED: f64 = 3.0;

/// How many classes of worth there are.
const WORTHS: f64 = 10.0;

/// What a program was seen to do.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Learned {
    /// How often each reply came, by all that it depends on and by less and less of it.
    counts: BTreeMap<Spot, [u32; REPLIES]>,
}

/// A class of situations. What is left open is `None`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Spot {
    street: Street,
    price: u8,
    worth: Option<u8>,
    pot: Option<u8>,
}

impl Spot {
    /// The classes that a situation belongs to, the narrowest first. `worth` is what the hole card wins there of each chip
    /// against any other, −1 to 1.
    fn of(street: Street, to_call: Chips, pot: Chips, worth: f64) -> [Spot; 3] {
        let class = |chips: Chips, ends: &[Chips]| ends.iter().filter(|end| chips > **end).count() as u8;
        let price = class(to_call, &[0, 2, 6]);
        let pot = class(pot.saturating_sub(to_call), &[2, 6, 14, 30, 80]);
        let worth = ((worth + 1.0) / 2.0 * WORTHS).clamp(0.0, WORTHS - 1.0) as u8;
        let open = Spot { street, price, worth: None, pot: None };
        let by_worth = Spot { worth: Some(worth), ..open };
        [Spot { pot: Some(pot), ..by_worth }, by_worth, open]
    }
}

/// Which of the replies that are told apart an action is.
fn class(action: Action, to_call: Chips) -> usize {
    match action.chips() {
        None => 0,
        Some(chips) if chips == to_call => 1,
        Some(chips) => 2 + SIZES[..SIZES.len() - 1].iter().filter(|size| chips - to_call > **size).count(),
    }
}

impl Learned {
    pub(super) fn see(&mut self, question: &Question<'_>, worth: f64, action: Action) {
        let to_call = question.bounds.to_call;
        for spot in Spot::of(question.street, to_call, question.pot, worth) {
            self.counts.entry(spot).or_default()[class(action, to_call)] += 1;
        }
    }

    /// How probable it is that it does what it did, for each kind of hole card of this worth.
    pub(super) fn chances(&self, question: &Question<'_>, worths: &Range, action: Action) -> Range {
        let to_call = question.bounds.to_call;
        std::array::from_fn(|kind| {
            let spots = Spot::of(question.street, to_call, question.pot, worths[kind]);
            self.shares(&spots, to_call)[class(action, to_call)]
        })
    }

    /// Adds what was seen elsewhere.
    pub(super) fn add(&mut self, other: &Learned) {
        for (spot, seen) in &other.counts {
            let counts = self.counts.entry(*spot).or_default();
            counts.iter_mut().zip(seen).for_each(|(count, seen)| *count += seen);
        }
    }

    /// How probably it does what, for each kind of hole card of this worth.
    pub(super) fn replies(&self, question: &Question<'_>, worths: &Range) -> Vec<(Action, Range)> {
        let Bounds { to_call, .. } = question.bounds;
        let shares: [[f64; REPLIES]; KINDS] = std::array::from_fn(|kind| {
            let spots = Spot::of(question.street, to_call, question.pot, worths[kind]);
            self.shares(&spots, to_call)
        });
        let action = |reply: usize| match reply {
            0 => Some(Action::FOLD),
            1 => question.bounds.bet(to_call).ok(),
            // The largest of its class that may be bet.
            size => {
                let most = question.bounds.most().min(to_call + SIZES[size - 2]);
                question.bounds.bet(most).ok().filter(|_| most > to_call)
            }
        };
        let replies = (0..REPLIES).filter_map(|reply| {
            let range: Range = std::array::from_fn(|kind| shares[kind][reply]);
            Some((action(reply)?, range)).filter(|_| range.iter().any(|share| *share > 0.0))
        });
        replies.collect()
    }

    fn shares(&self, spots: &[Spot; 3], to_call: Chips) -> [f64; REPLIES] {
        // Who was never seen in anything like it is taken to call, or to check.
        let mut shares = [0.0; REPLIES];
        shares[1] = 1.0;
        for spot in spots.iter().rev() {
            if let Some(counts) = self.counts.get(spot) {
                let all: f64 = counts.iter().map(|count| f64::from(*count)).sum();
                for (share, count) in shares.iter_mut().zip(counts) {
                    *share = (*share * BORROWED + f64::from(*count)) / (BORROWED + all);
                }
            }
        }
        if to_call == 0 {
            // Nobody is believed to fold for nothing.
            shares[1] += std::mem::take(&mut shares[0]);
        }
        shares
    }
}
