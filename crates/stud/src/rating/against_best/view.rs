//! What the adversary sees of the cards, and what its hole card is worth then.

use crate::cards::{Card, Deck};
use crate::strategies::{KINDS, Kind, Range, share};
use crate::stud::{Seat, Strength};

use super::asked_bot::Cards;
use super::line::other;

/// The cards as the adversary sees them.
#[derive(Clone, Debug)]
pub(super) struct View {
    /// How many cards of each kind the bot may hold.
    pub(super) counts: Range,
    /// A card of each kind that the bot may hold.
    pub(super) cards: Cards,
    /// How much of each kind is left when these up cards are shown, in parts of what was left before.
    pub(super) left: Range,
    /// What the adversary wins of each chip that both have paid if the cards are shown, for each kind that the bot may hold.
    pub(super) shares: Range,
    /// What each kind is worth to the bot, which sees as little as the adversary: what it wins of each chip against any
    /// other card. Nothing where nobody asks for it.
    pub(super) worths: Range,
}

impl View {
    /// The cards on the first street, as who sits in `seat` sees them; `late` are the cards that are shown later.
    pub(super) fn first(deck: &Deck, seat: Seat) -> View {
        let cards = deck.cards();
        let seen = [cards[seat.index()], cards[2], cards[3]];
        let late = [cards[4], cards[5]];
        let counts = counts(&seen);
        let (own, ups) = (Kind::of(seen[0]), [cards[2 + seat.index()], cards[2 + other(seat).index()]]);
        let mut view = View {
            counts: counts.map(f64::from),
            cards: [None; KINDS],
            left: [0.0; KINDS],
            shares: [0.0; KINDS],
            worths: [0.0; KINDS],
        };
        for kind in Kind::all().filter(|kind| counts[kind.index()] > 0) {
            view.cards[kind.index()] = card_of(kind, &seen, &late);
            view.left[kind.index()] = 1.0;
            view.shares[kind.index()] = share_of_any_board(own, kind, ups, &counts);
        }
        view
    }

    pub(super) fn second(deck: &Deck, seat: Seat) -> View {
        let cards = deck.cards();
        let (own, up, up_other) = (cards[seat.index()], 2 + seat.index(), 2 + other(seat).index());
        let before = counts(&[own, cards[2], cards[3]]);
        let seen = [own, cards[2], cards[3], cards[4], cards[5]];
        let now = counts(&seen);
        let unseen = |counts: &[u8; KINDS]| f64::from(counts.iter().sum::<u8>());
        let strength = Strength::of([own, cards[up], cards[up + 2]]);
        let mut view = View {
            counts: now.map(f64::from),
            cards: [None; KINDS],
            left: [0.0; KINDS],
            shares: [0.0; KINDS],
            worths: [0.0; KINDS],
        };
        for kind in Kind::all().filter(|kind| now[kind.index()] > 0) {
            let at = kind.index();
            let card = card_of(kind, &seen, &[]);
            let Some(hole) = card else { continue };
            let other = Strength::of([hole, cards[up_other], cards[up_other + 2]]);
            view.cards[at] = card;
            view.left[at] = f64::from(now[at]) / f64::from(before[at]) * unseen(&before) / unseen(&now);
            view.shares[at] = f64::from(share([Kind::of(own), kind], [strength, other]));
        }
        view
    }

    pub(super) fn cards_of(&self, mass: &Range) -> Cards {
        std::array::from_fn(|kind| self.cards[kind].filter(|_| mass[kind] > 0.0))
    }
}

/// What a hole card of each kind wins of each chip that both have paid, against any other card, if its holder shows the cards
/// `own` and the other player the cards `others`, one or two each: −1 to 1.
pub(super) fn worths(own: &[Card], others: &[Card]) -> Range {
    let unseen = counts(&[own, others].concat());
    let mut worths = [0.0; KINDS];
    for kind in Kind::all().filter(|kind| unseen[kind.index()] > 0) {
        let mut left = unseen;
        left[kind.index()] -= 1;
        let (mut sum, mut all) = (0.0, 0.0);
        for hole in Kind::all().filter(|hole| left[hole.index()] > 0) {
            let count = f64::from(left[hole.index()]);
            let share = match (own, others) {
                ([first, second], [third, fourth]) => {
                    let mine = Strength::of([kind.card(), *first, *second]);
                    f64::from(share([kind, hole], [mine, Strength::of([hole.card(), *third, *fourth])]))
                }
                _ => share_of_any_board(kind, hole, [own[0], others[0]], &left),
            };
            sum += count * share;
            all += count;
        }
        worths[kind.index()] = sum / all;
    }
    worths
}

/// How many cards of each kind are not among these.
fn counts(seen: &[Card]) -> [u8; KINDS] {
    let mut counts = [0; KINDS];
    for card in Card::ALL.iter().filter(|card| !seen.contains(card)) {
        counts[Kind::of(*card).index()] += 1;
    }
    counts
}

/// A card of a kind that is not among those seen, and not among those avoided if that can be.
fn card_of(kind: Kind, seen: &[Card], avoided: &[Card]) -> Option<Card> {
    let fits = |card: &&Card| Kind::of(**card) == kind && !seen.contains(card);
    let better = Card::ALL.iter().filter(fits).find(|card| !avoided.contains(card));
    better.or_else(|| Card::ALL.iter().find(fits)).copied()
}

/// What a player wins of each chip that both have paid, on average of all second up cards, if its hole card is of kind `own` and
/// the other's of kind `kind`. `ups` are its own first up card and the other's, and `counts` the cards it does not see.
fn share_of_any_board(own: Kind, kind: Kind, ups: [Card; 2], counts: &[u8; KINDS]) -> f64 {
    let mut left = *counts;
    left[kind.index()] -= 1;
    let strengths = |hole: Kind, up: Card| -> Vec<Strength> {
        Kind::all().map(|second| Strength::of([hole.card(), up, second.card()])).collect()
    };
    let (mine, others) = (strengths(own, ups[0]), strengths(kind, ups[1]));
    let (mut sum, mut ways) = (0.0, 0.0);
    for first in 0..KINDS {
        for second in 0..KINDS {
            let pairs =
                f64::from(left[first]) * (f64::from(left[second]) - f64::from(u8::from(first == second)));
            if pairs > 0.0 {
                sum += pairs * f64::from(share([own, kind], [mine[first], others[second]]));
                ways += pairs;
            }
        }
    }
    sum / ways
}
