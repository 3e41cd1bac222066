//! Situations as people write them.

use std::str::FromStr;

use casino_stud::cards::Card;
use casino_stud::cards::notation::excerpt;
use casino_stud::odds::Situation;
use casino_stud::protocol::Command;
use casino_stud::stud::{Chips, Rules};

pub(super) struct WrittenSituation {
    pub(super) situation: Situation,
    /// The pot, without the amount to call.
    pub(super) pot: Option<Chips>,
    pub(super) to_call: Option<Chips>,
}

/// Cards, separated by spaces, commas or colons.
#[derive(Clone, Debug)]
pub(super) struct WrittenCards(pub(super) Vec<Card>);

impl FromStr for WrittenCards {
    type Err = String;

    fn from_str(text: &str) -> Result<WrittenCards, String> {
        let words = text.split([' ', ',', ':', '\t']).filter(|word| !word.is_empty());
        words
            .map(|word| word.parse().map_err(|error| format!("{error}")))
            .collect::<Result<_, _>>()
            .map(WrittenCards)
    }
}

/// The up cards of several players, who are separated by commas.
#[derive(Clone, Debug)]
pub(super) struct WrittenPlayers(pub(super) Vec<Vec<Card>>);

impl FromStr for WrittenPlayers {
    type Err = String;

    fn from_str(text: &str) -> Result<WrittenPlayers, String> {
        let players = text.split(',').map(|player| player.parse::<WrittenCards>().map(|cards| cards.0));
        players.collect::<Result<_, _>>().map(WrittenPlayers)
    }
}

/// Reads a question.
pub(super) fn question(text: &str) -> Result<WrittenSituation, String> {
    // The limit of raises does not affect the odds.
    let raise_cap = Rules::default().raise_cap;
    let command = match Command::read(text.trim(), raise_cap) {
        Ok(Command::Question(question)) => question,
        _ => return Err(why_no_question(text.trim())),
    };
    let question = command.as_question();
    let situation = Situation::of(&question).map_err(|error| error.to_string())?;
    Ok(WrittenSituation { situation, pot: Some(question.pot), to_call: Some(question.bounds.to_call) })
}

/// The error in the text of a question.
fn why_no_question(text: &str) -> String {
    const SITUATION_FORM: &str =
        "bet1:stack:pot:to call:hole:up:up:cards..., or bet2 with two up cards for each player";
    let mut fields = text.split(':');
    if !matches!(fields.next(), Some("bet1" | "bet2")) {
        return format!("\"{}\" is no question: write {SITUATION_FORM}", excerpt(text));
    }
    for (name, field) in ["stack", "pot", "to call"].into_iter().zip(fields.by_ref()) {
        if field.parse::<Chips>().is_err() {
            return format!(
                "\"{}\" is no number of chips for {name}: write {SITUATION_FORM}",
                excerpt(field)
            );
        }
    }
    for field in fields.filter(|field| *field != "up") {
        if let Err(error) = field.parse::<Card>() {
            return error.to_string();
        }
    }
    format!("the question has too few or too many cards: write {SITUATION_FORM}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> String {
        question(text).err().unwrap_or_default()
    }

    #[test]
    fn malformed_situations_are_refused_with_a_reason() {
        assert!(said("").contains("is no question"));
        assert!(said("login").contains("\"login\" is no question"));
        assert!(said("bet1:x:3:0:10S:AD:up:AD:KC").contains("\"x\" is no number of chips for stack"));
        let nines = "9".repeat(3_000);
        assert!(said(&format!("bet1:5:{nines}:0")).starts_with(&format!("\"{}…\" is no", &nines[..60])));
        assert!(said("bet1:5:3:0:10S:AD:up:AD:1C").contains("\"1C\" is no card"));
        assert!(said("bet2:5:3:0:10S:AD:2C:up:AD:2C:KC").contains("too few or too many cards"));
        assert!(said("bet1:5:3:0:10S:AD:up:KC:QC").contains("your up cards are not among"));
        assert!("AS,KD: 2C".parse::<WrittenCards>().is_ok_and(|cards| cards.0.len() == 3));
        assert!("10D 4S, QC JD".parse::<WrittenPlayers>().is_ok_and(|players| players.0.len() == 2));
    }
}
