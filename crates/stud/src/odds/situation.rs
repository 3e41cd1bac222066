//! A player's knowledge of a round.

use std::fmt;

use crate::cards::{Card, CardSet};
use crate::stud::{MAX_SEATS, Street};
use crate::table::Question;

use super::{PublicChances, PublicHand};

/// A player's knowledge when it acts: its own cards, the up cards of the opponents still in, and those of the players
/// who folded. It is consistent: no card occurs twice, and enough cards are left for every player.
///
/// A question is one. All players on its board count as in, because a question does not show who has folded on the
/// street (R13).
#[derive(Clone, Debug, PartialEq)]
pub struct Situation {
    hole: Card,
    up: Vec<Card>,
    others: Vec<Vec<Card>>,
    gone: Vec<Card>,
}

impl Situation {
    /// A situation from the cards alone. `own` is the hole card followed by the up cards: one on the first street, two
    /// on the second. `others` has the up cards of each opponent still in, the same number as the player's. `gone` are
    /// further cards that were seen, those of players who folded.
    ///
    /// ```
    /// use casino_stud::cards::Card;
    /// use casino_stud::odds::Situation;
    ///
    /// let cards = |text: &str| text.split(' ').map(|card| card.parse::<Card>().unwrap()).collect::<Vec<_>>();
    /// let situation = Situation::new(&cards("AS KD KH"), &[cards("QD QH"), cards("9C 2S")], &cards("10D"))?;
    /// let odds = situation.odds();
    /// // The ace of spades in the hole is half of every pot (R10).
    /// assert!(odds.exact && odds.spade == 1.0 && odds.share > 0.9);
    /// # Ok::<(), casino_stud::odds::ImpossibleSituation>(())
    /// ```
    pub fn new(
        own: &[Card],
        others: &[impl AsRef<[Card]>],
        gone: &[Card],
    ) -> Result<Situation, ImpossibleSituation> {
        let [hole, up @ ..] = own else { return Err(ImpossibleSituation::own_cards(0)) };
        if !(1..=2).contains(&up.len()) {
            return Err(ImpossibleSituation::own_cards(own.len()));
        }
        if others.is_empty() || others.len() >= MAX_SEATS {
            return Err(ImpossibleSituation::others(others.len()));
        }
        for (at, other) in others.iter().enumerate() {
            let (count, wanted) = (other.as_ref().len(), up.len());
            if count != wanted {
                return Err(ImpossibleSituation(format!(
                    "other player {} shows {count} cards and you show {wanted}: everyone in shows as many on a street",
                    at + 1
                )));
            }
        }
        let others = others.iter().map(|other| other.as_ref().to_vec()).collect();
        let situation = Situation { hole: *hole, up: up.to_vec(), others, gone: gone.to_vec() };
        situation.places()?;
        let (left, needed) = (situation.unseen().len(), situation.missing());
        if left < needed {
            return Err(ImpossibleSituation(format!(
                "{left} cards are unseen and the players need {needed}: give fewer players or fewer folded \
                 cards"
            )));
        }
        Ok(situation)
    }

    /// The situation of a question; possible for every question of a [`Table`](crate::table::Table).
    pub fn of(question: &Question<'_>) -> Result<Situation, ImpossibleSituation> {
        let mut players: Vec<&[Card]> = question.board.chunks(question.street.up_cards()).collect();
        let own = players.iter().position(|up| *up == question.up);
        let not_on_board = "your up cards are not among everyone's up cards: a question lists them after the word up, yours \
                            as well (R13)";
        players.remove(own.ok_or_else(|| ImpossibleSituation(not_on_board.to_string()))?);
        let cards: Vec<Card> = [question.hole].into_iter().chain(question.up.iter().copied()).collect();
        Situation::new(&cards, &players, &[])
    }

    /// The street: the first as long as one card of each player is up.
    pub fn street(&self) -> Street {
        if self.up.len() == 1 { Street::First } else { Street::Second }
    }

    /// The player's own hole card.
    pub fn hole(&self) -> Card {
        self.hole
    }

    /// The player's own up cards.
    pub fn up(&self) -> &[Card] {
        &self.up
    }

    /// The up cards of each opponent still in.
    pub fn others(&self) -> impl ExactSizeIterator<Item = &[Card]> {
        self.others.iter().map(Vec::as_slice)
    }

    /// The cards that players who folded had shown.
    pub fn gone(&self) -> &[Card] {
        &self.gone
    }

    /// The cards that the player has not seen.
    pub fn unseen(&self) -> CardSet {
        self.seen().map(|(card, _)| card).collect::<CardSet>().others()
    }

    /// The chances of everyone who is in, the player's own first and then the others in their order. The cards of those who
    /// folded are out of the deck. It knows nothing of ranges.
    pub fn chances(&self) -> PublicChances {
        let own = PublicHand::shown(&self.up).with_hole(self.hole);
        let hands: Vec<PublicHand<'_>> =
            [own].into_iter().chain(self.others().map(PublicHand::shown)).collect();
        PublicChances::among(&hands, self.unseen())
    }

    /// How many cards of the players who are in are unknown.
    fn missing(&self) -> usize {
        let ups = 2 - self.up.len();
        ups + self.others.len() * (1 + ups)
    }

    fn seen(&self) -> impl Iterator<Item = (Card, Place)> {
        let others = self.others.iter().enumerate();
        let others =
            others.flat_map(|(at, other)| other.iter().map(move |card| (*card, Place::Other(at + 1))));
        [(self.hole, Place::Hole)]
            .into_iter()
            .chain(self.up.iter().map(|card| (*card, Place::Up)))
            .chain(others)
            .chain(self.gone.iter().map(|card| (*card, Place::Gone)))
    }

    fn places(&self) -> Result<(), ImpossibleSituation> {
        let mut places = [None; 52];
        for (card, place) in self.seen() {
            if let Some(first) = places[card.index()].replace(place) {
                return Err(ImpossibleSituation(format!(
                    "the {card} is there twice, {first} and {place}: take one of them away"
                )));
            }
        }
        Ok(())
    }
}

/// Where a card of a situation is.
#[derive(Clone, Copy)]
enum Place {
    Hole,
    Up,
    /// The up cards of another player, counted from 1.
    Other(usize),
    /// The cards that players who folded had shown.
    Gone,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Hole => write!(f, "as your hole card"),
            Place::Up => write!(f, "among your up cards"),
            Place::Other(other) => write!(f, "among the up cards of other player {other}"),
            Place::Gone => write!(f, "among the folded cards"),
        }
    }
}

/// The error of a situation that cannot be, in a sentence with the remedy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ImpossibleSituation(String);

impl ImpossibleSituation {
    fn own_cards(count: usize) -> ImpossibleSituation {
        ImpossibleSituation(format!(
            "your own cards are {count}: give the hole card and one up card, or two up cards on the second street"
        ))
    }

    fn others(count: usize) -> ImpossibleSituation {
        ImpossibleSituation(format!("there are {count} other players: give 1 to 16 players still in"))
    }
}
