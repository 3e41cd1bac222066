//! How cards are written: on the wire, in one letter a rank, as Prolog terms, and in words.

use super::{Card, Rank, Suit};

/// A way to write a card. Each notation reads exactly the texts it writes; Prolog terms may also contain spaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Notation {
    /// `10S`, `AD`: the notation of the poker course, and of the wire.
    Wire,
    /// `TS`, `AD`: one letter for every rank.
    Short,
    /// `card(10,spades)`, `card(ace,diamonds)`: a Prolog term.
    Prolog,
    /// `Ten of Spades`: in words.
    Words,
}

impl Notation {
    /// All notations, in the order in which a text is tried.
    pub const ALL: [Notation; 4] = [Notation::Wire, Notation::Short, Notation::Prolog, Notation::Words];

    /// The card in this notation.
    pub fn write(self, card: Card) -> String {
        match self {
            Notation::Wire => self.card_str(card).to_string(),
            Notation::Short => format!("{}{}", SHORT_RANKS[card.rank().index()], card.suit().letter()),
            Notation::Prolog => {
                let rank = match card.rank() {
                    rank if rank <= Rank::Ten => (rank.index() + 2).to_string(),
                    rank => rank.word().to_lowercase(),
                };
                format!("card({rank},{})", card.suit().word().to_lowercase())
            }
            Notation::Words => format!("{} of {}", card.rank().word(), card.suit().word()),
        }
    }

    /// Reads a card in exactly this notation.
    pub fn parse(self, text: &str) -> Result<Card, ParseCardError> {
        let found = match self {
            Notation::Wire => Card::ALL.into_iter().find(|card| self.card_str(*card) == text),
            Notation::Prolog => {
                let dense: String = text.chars().filter(|c| !c.is_ascii_whitespace()).collect();
                Card::ALL.into_iter().find(|card| self.write(*card) == dense)
            }
            Notation::Short | Notation::Words => Card::ALL.into_iter().find(|card| self.write(*card) == text),
        };
        found.ok_or_else(|| ParseCardError { text: text.to_string() })
    }

    /// Reads a card in any notation and returns the notation. `9S`, which is the same in two notations, counts as
    /// [`Notation::Wire`].
    pub fn read(text: &str) -> Result<(Card, Notation), ParseCardError> {
        Notation::ALL
            .into_iter()
            .find_map(|notation| notation.parse(text).ok().map(|card| (card, notation)))
            .ok_or_else(|| ParseCardError { text: text.to_string() })
    }

    /// The wire notation without an allocation: it is written for every question a player is asked.
    pub(crate) fn card_str(self, card: Card) -> &'static str {
        debug_assert_eq!(self, Notation::Wire);
        WIRE[card.index()]
    }
}

const SHORT_RANKS: [char; 13] = ['2', '3', '4', '5', '6', '7', '8', '9', 'T', 'J', 'Q', 'K', 'A'];

/// The wire notation by [`Card::index`].
#[rustfmt::skip]
pub(crate) const WIRE: [&str; 52] = [
    "2C", "2D", "2H", "2S", "3C", "3D", "3H", "3S", "4C", "4D", "4H", "4S", "5C", "5D", "5H", "5S",
    "6C", "6D", "6H", "6S", "7C", "7D", "7H", "7S", "8C", "8D", "8H", "8S", "9C", "9D", "9H", "9S",
    "10C", "10D", "10H", "10S", "JC", "JD", "JH", "JS", "QC", "QD", "QH", "QS", "KC", "KD", "KH", "KS",
    "AC", "AD", "AH", "AS",
];

/// The error of a text that is no card in the notation it was read in.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "\"{}\" is no card: write a rank 2-10, J, Q, K or A and a suit C, D, H or S in capitals, like 10S",
    excerpt(text)
)]
pub struct ParseCardError {
    text: String,
}

const MAX_QUOTED_CHARS: usize = 60;

/// The escaped beginning of an unusable text, so that a sentence about it stays one sentence.
pub fn excerpt(text: &str) -> String {
    let mut letters = text.chars();
    let mut excerpt: String = letters.by_ref().take(MAX_QUOTED_CHARS).flat_map(char::escape_debug).collect();
    if letters.next().is_some() {
        excerpt.push('…');
    }
    excerpt
}

/// A hand or board in the wire notation, separated by spaces.
pub fn list(cards: &[Card]) -> String {
    cards.iter().map(|card| Notation::Wire.card_str(*card)).collect::<Vec<_>>().join(" ")
}

/// The card with the sign of its suit, for people to read: `10♠`.
pub fn pretty(card: Card) -> String {
    let rank = Notation::Wire.card_str(card);
    format!("{}{}", &rank[..rank.len() - 1], Suit::sign(card.suit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_notation_reads_every_card_it_writes() {
        for card in Card::ALL {
            for notation in Notation::ALL {
                let text = notation.write(card);
                assert_eq!(notation.parse(&text), Ok(card), "{text}");
                assert_eq!(Notation::read(&text).map(|(card, _)| card), Ok(card), "{text}");
            }
        }
    }

    #[test]
    fn the_documents_examples() {
        let ten = Card::new(Rank::Ten, Suit::Spades);
        assert_eq!(Notation::ALL.map(|n| n.write(ten)), ["10S", "TS", "card(10,spades)", "Ten of Spades"]);
        assert_eq!(Notation::read("TS"), Ok((ten, Notation::Short)));
        assert_eq!(Notation::read("card( 10, spades )"), Ok((ten, Notation::Prolog)));
        assert_eq!(Notation::Prolog.write(Card::new(Rank::Ace, Suit::Hearts)), "card(ace,hearts)");
        assert_eq!(Notation::Words.write(Card::new(Rank::Deuce, Suit::Hearts)), "Two of Hearts");
        assert_eq!(pretty(ten), "10♠");
        assert_eq!(list(&[ten, Card::new(Rank::Ace, Suit::Diamonds)]), "10S AD");
    }

    #[test]
    fn a_long_text_is_shown_by_its_beginning() {
        let said = |text: &str| text.parse::<Card>().unwrap_err().to_string();
        assert!(said(&"x".repeat(60)).starts_with(&format!("\"{}\" is no card", "x".repeat(60))));
        assert!(said(&"x".repeat(100_000)).starts_with(&format!("\"{}…\" is no card", "x".repeat(60))));
        assert!(
            said("1\u{202e}\n\"").starts_with("\"1\\u{202e}\\n\\\"\" is no card"),
            "{}",
            said("1\u{202e}\n\"")
        );
    }

    #[test]
    fn invalid_cards_are_refused_and_quoted() {
        for text in
            ["", "1S", "10", "S", "10s", "0S", "11S", "AX", " AS", "AS ", "card(11,spades)", "10S10S", "𝟚S"]
        {
            let error = Notation::read(text).unwrap_err();
            assert!(error.to_string().contains("is no card"), "{text}");
        }
    }
}
