//! The value of a showdown to two players, for all their hole cards at once.

use crate::stud::Strength;

use super::cfr::StreetOutcome;
use super::kinds::{KINDS, Kind, LANES, Lanes, Pack, Unseen};
use super::tree::EdgeTarget;

/// The four cards that two players show on the second street.
pub(super) type Ups = [[Kind; 2]; 2];

/// Each player's winnings at a showdown, for each pair of hole cards.
#[derive(Clone, Debug)]
pub(super) struct Payoffs {
    pub(super) unseen: Unseen,
    pub(super) opener: usize,
    /// For each player: a row for each kind that the other may hold, a number from −1 to 1 for each kind of
    /// its own.
    shares: Box<[[Lanes; KINDS]; 2]>,
}

impl Payoffs {
    /// The board on which these cards are shown, of a pack. `None` if it has not so many of them.
    pub(super) fn new(pack: Pack, ups: Ups, opener: usize) -> Option<Payoffs> {
        let unseen = Unseen::without(pack, &[ups[0][0], ups[0][1], ups[1][0], ups[1][1]])?;
        let strength = |player: usize, hole: Kind| {
            let [first, second] = ups[player];
            Strength::of([hole.card(), first.card(), second.card()])
        };
        let mut shares = Box::new([[[0.0; LANES]; KINDS]; 2]);
        for mine in Kind::all() {
            for other in Kind::all() {
                let mut share = share([mine, other], [strength(0, mine), strength(1, other)]);
                if mine == other {
                    // Of the cards of the same kind, the other cannot hold the very same.
                    share *= 1.0 - unseen.inverses[mine.index()];
                }
                shares[0][other.index()][mine.index()] = share;
                shares[1][mine.index()][other.index()] = -share;
            }
        }
        Some(Payoffs { unseen, opener, shares })
    }

    /// The same before the second up cards are dealt, on average of all of them. `None` if the pack has not so many cards.
    pub(super) fn of_any_board(pack: Pack, ups: [Kind; 2], opener: usize) -> Option<Payoffs> {
        let unseen = Unseen::without(pack, &ups)?;
        let strengths = ups.map(strengths);
        let mut shares = Box::new([[[0.0; LANES]; KINDS]; 2]);
        for mine in Kind::all() {
            for other in Kind::all() {
                let mut left = unseen.counts;
                left[mine.index()] -= 1.0;
                left[other.index()] -= 1.0;
                if left[mine.index()] < 0.0 || left[other.index()] < 0.0 {
                    continue;
                }
                let hands = [&strengths[0][mine.index()], &strengths[1][other.index()]];
                let mut share = mean_share([mine, other], hands, &left);
                if mine == other {
                    share *= 1.0 - unseen.inverses[mine.index()];
                }
                shares[0][other.index()][mine.index()] = share;
                shares[1][mine.index()][other.index()] = -share;
            }
        }
        Some(Payoffs { unseen, opener, shares })
    }
}

/// [`share`] on average of the second up cards that are left, if the hands are so strong with each of them.
fn mean_share(holes: [Kind; 2], hands: [&[Strength; KINDS]; 2], left: &Lanes) -> f32 {
    let (mut sum, mut ways) = (0.0, 0.0);
    for (first, mine) in hands[0].iter().enumerate().filter(|(first, _)| left[*first] > 0.0) {
        for (second, other) in hands[1].iter().enumerate() {
            let pairs = left[first] * (left[second] - if first == second { 1.0 } else { 0.0 });
            sum += pairs * share(holes, [*mine, *other]);
            ways += pairs;
        }
    }
    sum / ways
}

/// How strong each hole card is with these up cards, for each second up card.
fn strengths(up: Kind) -> Vec<[Strength; KINDS]> {
    let of = |hole: Kind, second: Kind| Strength::of([hole.card(), up.card(), second.card()]);
    let all: [Kind; KINDS] = std::array::from_fn(|kind| Kind::new(kind % 13, kind >= 13));
    all.into_iter().map(|hole| all.map(|second| of(hole, second))).collect()
}

/// The first player's winnings at a showdown, per chip that each has paid: −1, −0.5, 0, 0.5 or 1 (R10).
///
/// The odd chip of a hand half that is shared (R11) is left out.
pub(super) fn share(holes: [Kind; 2], strengths: [Strength; 2]) -> f32 {
    let sign = |one: i8| f32::from(one);
    let hand = sign(strengths[0].cmp(&strengths[1]) as i8);
    let height = |hole: Kind| if hole.is_spade() { hole.rank() as i8 } else { -1 };
    match height(holes[0]).cmp(&height(holes[1])) as i8 {
        0 => hand,
        spade => 0.5 * hand + 0.5 * sign(spade),
    }
}

/// The ends of a second street on a board.
#[derive(Clone, Copy, Debug)]
pub(super) struct Showdowns<'a> {
    pub(super) board: &'a Payoffs,
    /// The chips each player has paid before the street.
    pub(super) paid: f32,
}

impl StreetOutcome for Showdowns<'_> {
    #[inline]
    fn value(&mut self, end: EdgeTarget, player: usize, _: &Lanes, met: &Lanes) -> Lanes {
        let mut value = [0.0; LANES];
        match end {
            EdgeTarget::Closed(_, paid) => {
                for (row, mass) in self.board.shares[player].iter().zip(met) {
                    for (value, share) in value.iter_mut().zip(row) {
                        *value += share * mass;
                    }
                }
                let chips = self.paid + paid as f32;
                value.iter_mut().for_each(|value| *value *= chips);
            }
            EdgeTarget::Folded(folded, paid) => {
                let chips = self.paid + paid as f32;
                let chips = if folded == player { -chips } else { chips };
                value = self.board.unseen.met(met);
                value.iter_mut().for_each(|value| *value *= chips);
            }
            EdgeTarget::Node(_) => {}
        }
        value
    }
}
