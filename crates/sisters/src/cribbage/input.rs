//! Reading cards as people and programs give them: in a row, or as a Prolog list.

use thiserror::Error;

use casino_stud::cards::{Card, ParseCardError};
use casino_stud::shown::count;

/// Splits a text into the words of its cards: white space and commas separate them, except inside the
/// brackets of a Prolog term. The square brackets of a Prolog list are skipped.
pub fn split_cards(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut depth = 0usize;
    let mut begin = None;
    for (at, letter) in text.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        let between = depth == 0 && (letter.is_whitespace() || matches!(letter, ',' | '[' | ']'));
        match (between, begin) {
            (false, None) => begin = Some(at),
            (true, Some(from)) => {
                words.push(&text[from..at]);
                begin = None;
            }
            _ => {}
        }
    }
    words.extend(begin.map(|from| &text[from..]));
    words
}

/// Reads the cards of a text, each in any notation.
pub fn read_cards(text: &str) -> Result<Vec<Card>, CardsError> {
    (1..)
        .zip(split_cards(text))
        .map(|(place, word)| word.parse().map_err(|error| CardsError::NoCard { place, error }))
        .collect()
}

/// Checks that all cards are different.
pub fn check_distinct(cards: &[Card]) -> Result<(), CardsError> {
    let mut seen = [0; 52];
    for (place, card) in (1..).zip(cards) {
        match std::mem::replace(&mut seen[card.index()], place) {
            0 => {}
            first => return Err(CardsError::Twice { card: *card, first, second: place }),
        }
    }
    Ok(())
}

/// Checks that there are `least` to `most` cards.
pub fn check_number(cards: &[Card], least: usize, most: usize) -> Result<(), CardsError> {
    if (least..=most).contains(&cards.len()) {
        return Ok(());
    }
    Err(CardsError::Number { given: cards.len(), least, most, extra: cards.get(most).copied() })
}

/// Why a list of cards cannot be used. Places are counted from 1.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CardsError {
    /// A word of the list is not a card.
    #[error("card {place}: {error}, TS or card(10,spades)")]
    NoCard {
        /// The place of the word.
        place: usize,
        /// The error in the word.
        #[source]
        error: ParseCardError,
    },
    /// A card occurs twice.
    #[error("card {second}: {card} is already card {first}; give each card once")]
    Twice {
        /// The duplicate card.
        card: Card,
        /// The place where it came first.
        first: usize,
        /// The place where it came again.
        second: usize,
    },
    /// There are too few cards, or too many.
    #[error("{}{}", given_cards(*given, *extra), wanted_cards(*least, *most))]
    Number {
        /// How many cards were given.
        given: usize,
        /// How many there must be at least.
        least: usize,
        /// How many there may be.
        most: usize,
        /// The first card that is too many.
        extra: Option<Card>,
    },
}

/// How many cards were given, and the first that is too many.
fn given_cards(given: usize, extra: Option<Card>) -> String {
    let cards = count(given, "card");
    match extra {
        Some(card) => format!("{cards}, of which {card} is the first too many: "),
        None => format!("{cards}: "),
    }
}

fn wanted_cards(least: usize, most: usize) -> String {
    if least == most { format!("give exactly {least}") } else { format!("give {least} to {most}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_and_prolog_lists_are_split_into_cards() {
        assert_eq!(split_cards(" TH  5C\t10S "), ["TH", "5C", "10S"]);
        assert_eq!(
            split_cards("[card(10, hearts), card(ace,spades)], card(2,clubs)"),
            ["card(10, hearts)", "card(ace,spades)", "card(2,clubs)"]
        );
        assert_eq!(split_cards(""), [""; 0]);
        assert_eq!(split_cards("card(2,clubs"), ["card(2,clubs"]);
        assert_eq!(split_cards("))) ♥"), [")))", "♥"]);
    }

    proptest::proptest! {
        #[test]
        fn no_text_is_too_strange_to_be_split(text in "[ ,()\\[\\]A-Ka-k♥]{0,40}") {
            for word in split_cards(&text) {
                proptest::prop_assert!(!word.is_empty() && !word.starts_with([',', '[', ']', ' ']));
            }
            let _ = read_cards(&text);
        }
    }

    #[test]
    fn cards_of_mixed_notations_are_read() {
        let cards = read_cards("TH card( 10, clubs ) 10S").unwrap();
        assert_eq!(casino_stud::cards::notation::list(&cards), "10H 10C 10S");
    }

    #[test]
    fn errors_name_the_card_and_its_place() {
        let error = read_cards("2C 1S").unwrap_err().to_string();
        assert!(error.starts_with("card 2: \"1S\" is no card"), "{error}");
        let cards = read_cards("2C TS card(10,spades)").unwrap();
        let error = check_distinct(&cards).unwrap_err().to_string();
        assert_eq!(error, "card 3: 10S is already card 2; give each card once");
        let error = check_number(&cards, 1, 2).unwrap_err().to_string();
        assert_eq!(error, "3 cards, of which 10S is the first too many: give 1 to 2");
        assert_eq!(check_number(&cards, 5, 5).unwrap_err().to_string(), "3 cards: give exactly 5");
    }
}
