//! Lists of operations for an abstract data type, with the expected and the actual observations.

use crate::grade::cases::{Case, read_cases};
use casino_sisters::blackjack::HandValue;
use casino_stud::cards::{Card, Notation};

/// A behaviour to judge; the question is the operations as the driver reads them.
pub(super) type AdtScript = Case<Vec<String>>;

/// Reads scripts. Those without operations are `generated`.
pub(super) fn read_scripts(text: &str, generated: impl Fn(&str) -> Vec<String>) -> Vec<AdtScript> {
    read_cases(text, |id, lines| match lines[..] {
        [] => generated(id),
        _ => lines.iter().flat_map(|line| line.split("; ")).map(String::from).collect(),
    })
}

pub(super) trait AdtModel {
    fn answer(&mut self, operation: &str) -> Vec<String>;
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Difference {
    /// The number of the operation, from 0.
    pub(super) operation: usize,
    /// The index of the observation within the operation, from 0.
    pub(super) number: usize,
    pub(super) want: String,
    /// The actual observation; `None` if the program had ended.
    pub(super) got: Option<String>,
}

pub(super) fn first_difference(wants: &[Vec<String>], got: &[String]) -> Option<Difference> {
    let mut got = got.iter();
    for (operation, wants) in wants.iter().enumerate() {
        for (number, want) in wants.iter().enumerate() {
            let got = got.next();
            if !got.is_some_and(|got| is_same(want, got)) {
                let (want, got) = (want.clone(), got.cloned());
                return Some(Difference { operation, number, want, got });
            }
        }
    }
    None
}

/// Whether an observation is as good as another: all values over 21 are.
pub(super) fn is_same(want: &str, got: &str) -> bool {
    want == got || is_over_21(want) && is_over_21(got)
}

fn is_over_21(value: &str) -> bool {
    let count = value.strip_suffix(['h', 's']).and_then(|count| count.parse::<i64>().ok());
    count.is_some_and(|count| count > 21)
}

/// A value as the driver prints it: `12h` or `21s`.
pub(super) fn value_text(value: HandValue) -> String {
    format!("{}{}", value.count, if value.soft { 's' } else { 'h' })
}

/// Describes an observation of the driver: a value, a card, or how a call ended.
pub(super) fn in_words(observed: &str) -> String {
    match observed {
        "done" => "a return".to_string(),
        "DeckEmpty" => "DeckEmpty thrown".to_string(),
        "exception" => "another exception".to_string(),
        "nobody" => "a null pointer".to_string(),
        "same" | "another" => format!("{observed} player"),
        value if is_over_21(value) => format!("over 21 ({value})"),
        value => match (value.strip_suffix('s'), value.strip_suffix('h')) {
            (Some(count), _) if count.parse::<i64>().is_ok() => format!("{count} soft"),
            (_, Some(count)) if count.parse::<i64>().is_ok() => format!("{count} hard"),
            _ => card_words(value),
        },
    }
}

pub(super) fn card_of(letters: &str) -> Card {
    Notation::Short.parse(letters).expect("scripts are made of cards")
}

pub(super) fn letters_of(card: Card) -> String {
    Notation::Short.write(card)
}

/// The name of the card of a driver's two letters, or the letters if they are invalid.
fn card_words(letters: &str) -> String {
    Notation::Short.parse(letters).map_or_else(|_| letters.to_string(), |card| Notation::Words.write(card))
}

/// The card of a driver's two letters as C++: `{TEN, SPADES}`.
pub(super) fn card_code(letters: &str) -> String {
    let card = card_of(letters);
    format!("Card{{{}, {}}}", card.rank().word().to_uppercase(), card.suit().word().to_uppercase())
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct DriverOutput {
    pub(super) lines: Vec<String>,
    /// The first line that was not the driver's.
    pub(super) printed: Option<String>,
}

impl DriverOutput {
    /// Parses the output. Lines of the driver begin with the mark.
    pub(super) fn read(text: &str, mark: &str) -> DriverOutput {
        let mut observed = DriverOutput::default();
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            match line.strip_prefix(mark).and_then(|line| line.strip_prefix(' ')) {
                Some(what) => observed.lines.push(what.to_string()),
                None => {
                    observed.printed.get_or_insert_with(|| line.to_string());
                }
            }
        }
        observed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_values_over_21_are_equivalent() {
        assert!(is_same("22h", "35s") && is_same("12h", "12h"));
        assert!(!is_same("12h", "22s") && !is_same("21h", "21s") && !is_same("22h", "21h"));
        assert!(!is_same("23", "24"), "a number of cards is no value");
        assert_eq!(
            ["12h", "21s", "22s", "2S", "10"].map(in_words),
            ["12 hard", "21 soft", "over 21 (22s)", "Two of Spades", "10"]
        );
    }

    #[test]
    fn the_first_difference_is_found_also_where_the_program_ended() {
        let wants = [vec!["done".to_string()], vec!["2S".to_string(), "3S".to_string()]];
        let got = |words: &[&str]| words.iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(first_difference(&wants, &got(&["done", "2S", "3S"])), None);
        let wrong = first_difference(&wants, &got(&["done", "2S", "4S"])).unwrap();
        assert_eq!((wrong.operation, wrong.number, wrong.got.as_deref()), (1, 1, Some("4S")));
        let ended = first_difference(&wants, &got(&["done"])).unwrap();
        assert_eq!((ended.operation, ended.number, ended.got), (1, 0, None));
    }

    #[test]
    fn a_students_output_is_not_an_observation() {
        let observed = DriverOutput::read("passed\n\nm: 2S\ndebug\nm: 3S\nm:4S\n", "m:");
        assert_eq!(observed.lines, ["2S", "3S"]);
        assert_eq!(observed.printed.as_deref(), Some("passed"));
    }

    #[test]
    fn cards_are_written_as_people_and_compilers_read_them() {
        assert_eq!([card_words("2S"), card_words("(7,9)")], ["Two of Spades", "(7,9)"]);
        assert_eq!([card_code("2S"), card_code("TH")], ["Card{TWO, SPADES}", "Card{TEN, HEARTS}"]);
        assert_eq!(letters_of(card_of("AD")), "AD");
    }
}
