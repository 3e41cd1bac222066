//! Ranks, suits, and the 52 cards made of them.

use std::fmt;

use super::notation::{Notation, ParseCardError};

/// A card's rank, ordered from the deuce up to the ace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Rank {
    /// The two, written `2`; the lowest rank.
    Deuce,
    /// The three, written `3`.
    Three,
    /// The four, written `4`.
    Four,
    /// The five, written `5`.
    Five,
    /// The six, written `6`.
    Six,
    /// The seven, written `7`.
    Seven,
    /// The eight, written `8`.
    Eight,
    /// The nine, written `9`.
    Nine,
    /// The ten, written `10`.
    Ten,
    /// The jack, written `J`.
    Jack,
    /// The queen, written `Q`.
    Queen,
    /// The king, written `K`.
    King,
    /// The ace, written `A`; the highest rank.
    Ace,
}

impl Rank {
    /// All thirteen ranks, lowest first.
    pub const ALL: [Rank; 13] = [
        Rank::Deuce,
        Rank::Three,
        Rank::Four,
        Rank::Five,
        Rank::Six,
        Rank::Seven,
        Rank::Eight,
        Rank::Nine,
        Rank::Ten,
        Rank::Jack,
        Rank::Queen,
        Rank::King,
        Rank::Ace,
    ];

    /// The rank's place from the bottom: 0 for the deuce, 12 for the ace.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The rank's name as a word: "Two" … "Ace".
    pub const fn word(self) -> &'static str {
        [
            "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Jack", "Queen", "King",
            "Ace",
        ][self as usize]
    }

    /// The rank's name when there are several of them: "twos" … "aces".
    pub const fn plural(self) -> &'static str {
        [
            "twos", "threes", "fours", "fives", "sixes", "sevens", "eights", "nines", "tens", "jacks",
            "queens", "kings", "aces",
        ][self as usize]
    }
}

/// A card's suit. Suits order only the bring-in (R6): spades over hearts over diamonds over clubs, the stud convention.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Suit {
    /// The clubs, written `C`; the lowest suit.
    Clubs,
    /// The diamonds, written `D`.
    Diamonds,
    /// The hearts, written `H`.
    Hearts,
    /// The spades, written `S`; the highest suit.
    Spades,
}

impl Suit {
    /// All four suits, lowest first.
    pub const ALL: [Suit; 4] = [Suit::Clubs, Suit::Diamonds, Suit::Hearts, Suit::Spades];

    /// The suit's place from the bottom: 0 for clubs, 3 for spades.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The suit's name as a word: "Clubs" … "Spades".
    pub const fn word(self) -> &'static str {
        ["Clubs", "Diamonds", "Hearts", "Spades"][self as usize]
    }

    /// The suit's letter on the wire.
    pub const fn letter(self) -> char {
        ['C', 'D', 'H', 'S'][self as usize]
    }

    /// The suit's sign for people: ♣ ♦ ♥ ♠.
    pub const fn sign(self) -> char {
        ['♣', '♦', '♥', '♠'][self as usize]
    }
}

/// One of the 52 cards. Cards are ordered by rank and then by suit, which is the order that finds the opener of a
/// street (R6).
///
/// ```
/// use casino_stud::cards::{Card, Rank, Suit};
/// let ten = Card::new(Rank::Ten, Suit::Spades);
/// assert_eq!(ten.to_string(), "10S");
/// assert_eq!("card(10,spades)".parse(), Ok(ten));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(u8);

impl Card {
    /// The cards from the deuce of clubs up to the ace of spades: the order every shuffle starts from.
    pub const ALL: [Card; 52] = {
        let mut all = [Card(0); 52];
        let mut index = 0;
        while index < 52 {
            all[index] = Card(index as u8);
            index += 1;
        }
        all
    };

    /// The card of this rank and suit.
    pub const fn new(rank: Rank, suit: Suit) -> Card {
        Card(rank as u8 * 4 + suit as u8)
    }

    /// Returns the card's rank.
    pub const fn rank(self) -> Rank {
        Rank::ALL[self.0 as usize / 4]
    }

    /// Returns the card's suit.
    pub const fn suit(self) -> Suit {
        Suit::ALL[self.0 as usize % 4]
    }

    /// The card's place in [`Card::ALL`], 0 to 51.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Whether the card is a spade: the suit that wins half the pot from the hole (R10).
    pub const fn is_spade(self) -> bool {
        self.0 % 4 == Suit::Spades as u8
    }
}

/// The wire notation: `10S`, `AD`.
impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(Notation::Wire.card_str(*self))
    }
}

impl fmt::Debug for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Notation::Wire.card_str(*self))
    }
}

/// Reads a card in any of the [`Notation`]s.
impl std::str::FromStr for Card {
    type Err = ParseCardError;

    fn from_str(text: &str) -> Result<Card, ParseCardError> {
        Notation::read(text).map(|(card, _)| card)
    }
}

impl serde::Serialize for Card {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(Notation::Wire.card_str(*self))
    }
}

impl<'de> serde::Deserialize<'de> for Card {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Card, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_52_cards_are_in_order_and_know_their_rank_and_suit() {
        for (index, card) in Card::ALL.into_iter().enumerate() {
            assert_eq!(card.index(), index);
            assert_eq!(Card::new(card.rank(), card.suit()), card);
            assert_eq!(card.is_spade(), card.suit() == Suit::Spades);
        }
        assert!(Card::ALL.is_sorted_by_key(|card| (card.rank(), card.suit())));
    }

    #[test]
    fn json_reads_what_it_writes() {
        for card in Card::ALL {
            let json = serde_json::to_string(&card).unwrap();
            assert_eq!(serde_json::from_str::<Card>(&json).unwrap(), card);
        }
        assert!(serde_json::from_str::<Card>("\"1S\"").is_err());
    }
}
