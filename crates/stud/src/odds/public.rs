//! The chances of the players left in a round, from public cards.

use crate::cards::{Card, CardSet};
use crate::stud::MAX_SEATS;

use super::{counting, dealing, spades};

/// The known cards of a player dealt in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PublicHand<'a> {
    /// The up cards that the player has been dealt: one on the first street, two on the second.
    pub up: &'a [Card],
    /// The hole card, for those who know it: the player itself, or the room where all cards are shown.
    pub hole: Option<Card>,
    /// Whether the player is still in.
    pub is_in: bool,
}

impl<'a> PublicHand<'a> {
    /// A player still in, with only the up cards known.
    pub fn shown(up: &'a [Card]) -> PublicHand<'a> {
        PublicHand { up, hole: None, is_in: true }
    }

    /// The same player, its hole card known.
    #[must_use]
    pub fn with_hole(self, hole: Card) -> PublicHand<'a> {
        PublicHand { hole: Some(hole), ..self }
    }

    /// How many of the player's three cards are unknown.
    pub(super) fn missing(&self) -> usize {
        3 - self.up.len() - usize::from(self.hole.is_some())
    }

    pub(super) fn known(&self) -> impl Iterator<Item = Card> + use<'a> {
        self.up.iter().copied().chain(self.hole)
    }
}

/// The chances of one player, from 0 to 1, if all others stay in.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PlayerChances {
    /// The share of the hand half that the player takes on average (R10); tied best hands share it evenly (R11).
    pub hand: f64,
    /// The probability of the highest spade in the hole (R10).
    pub spade: f64,
}

/// The chances of all players dealt in, if all stay in.
///
/// ```
/// use casino_stud::cards::Card;
/// use casino_stud::odds::{PublicChances, PublicHand};
///
/// let card = |text: &str| text.parse::<Card>().unwrap();
/// let (aces, rags) = ([card("AD"), card("AH")], [card("7C"), card("2D")]);
/// let chances = PublicChances::of(&[PublicHand::shown(&aces), PublicHand::shown(&rags)]);
/// assert!(chances.exact);
/// // The second player beats a pair of aces with nothing at all.
/// assert_eq!((chances.players[0].hand, chances.players[1].hand), (1.0, 0.0));
/// // Either may hold the highest spade, with the same chance; and perhaps nobody holds one.
/// assert_eq!(chances.players[0].spade, chances.players[1].spade);
/// assert!((2.0 * chances.players[0].spade + chances.no_spade - 1.0).abs() < 1e-12);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct PublicChances {
    /// Everyone's chances, in the order of the hands; 0 for those who folded. The shares of the hand half add up to 1.
    /// The chances of the spade half add up to 1 less [`no_spade`](PublicChances::no_spade).
    pub players: Vec<PlayerChances>,
    /// The probability that no player left has a spade in the hole; then the best hand takes the whole pot (R10).
    pub no_spade: f64,
    /// Whether the shares of the hand half are exact, up to the last digits of an `f64`. The chances of the spade half
    /// and of no spade always are.
    pub exact: bool,
    /// The greatest standard error of the shares of the hand half; 0 if they are exact.
    pub standard_error: f64,
}

impl PublicChances {
    /// The chances of all players dealt in, in any order, if their cards have been seen. The last player in takes the
    /// whole pot (R9): both chances are 1.
    ///
    /// The same cards give the same chances, to the last bit, on every machine.
    ///
    /// # Panics
    /// If a player has no up card or more than two, a card is there twice, or there are more than 17 players.
    pub fn of(hands: &[PublicHand<'_>]) -> PublicChances {
        PublicChances::among(hands, unseen(hands))
    }

    /// The chances of these players where these cards are unseen.
    pub(super) fn among(hands: &[PublicHand<'_>], unseen: CardSet) -> PublicChances {
        assert!(hands.len() <= MAX_SEATS, "a table has {MAX_SEATS} seats");
        let left: Vec<PublicHand<'_>> = hands.iter().filter(|hand| hand.is_in).copied().collect();
        let (shares, spades, no_spade) = match left.len() {
            0 => (Shares::exact(Vec::new()), Vec::new(), 0.0),
            1 => (Shares::exact(vec![1.0]), vec![1.0], 0.0),
            _ => {
                let (spades, no_spade) = spades::chances(&left, unseen);
                (shares(&left, unseen), spades, no_spade)
            }
        };
        let mut both = shares.hand.into_iter().zip(spades).map(|(hand, spade)| PlayerChances { hand, spade });
        let mut chances = |hand: &PublicHand<'_>| match hand.is_in {
            true => both.next().expect("everyone who is in has chances"),
            false => PlayerChances::default(),
        };
        PublicChances {
            players: hands.iter().map(&mut chances).collect(),
            no_spade,
            exact: shares.standard_error == 0.0,
            standard_error: shares.standard_error,
        }
    }
}

/// The shares of the hand half of the players left.
pub(super) struct Shares {
    pub(super) hand: Vec<f64>,
    pub(super) standard_error: f64,
}

impl Shares {
    fn exact(hand: Vec<f64>) -> Shares {
        Shares { hand, standard_error: 0.0 }
    }
}

pub(super) fn shares(left: &[PublicHand<'_>], unseen: CardSet) -> Shares {
    if left.iter().all(|hand| hand.missing() <= 1) {
        Shares::exact(counting::tally(left, unseen).shares())
    } else if dealing::cases(left) <= dealing::MAX_DEALT_CASES {
        Shares::exact(dealing::tally(left, unseen).shares())
    } else {
        dealing::sample(left, unseen)
    }
}

pub(super) fn unseen(hands: &[PublicHand<'_>]) -> CardSet {
    let mut seen = CardSet::default();
    for hand in hands {
        assert!((1..=2).contains(&hand.up.len()), "a player has one or two up cards, not {}", hand.up.len());
        for card in hand.known() {
            assert!(seen.insert(card), "{card} is there twice");
        }
    }
    seen.others()
}
