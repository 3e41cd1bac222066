//! The lines of a student's transcript as values, and how far their text is from what the document prints.

use casino_stud::cards::{Card, Rank, Suit};

/// What a line says. Amounts are chips.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Said {
    Shuffling,
    Cut(i64),
    Hand { number: i64, bankroll: i64 },
    Bet(i64),
    Player(Card),
    Dealer(Card),
    Natural,
    PlayerTotal(i64),
    PlayerBusts,
    Hole(Card),
    DealerTotal(i64),
    DealerBusts,
    DealerWins,
    PlayerWins,
    Push,
    Over { bankroll: i64, hands: i64 },
}

/// How the text of a line differs from the document's, if what it says can be read all the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum TextFault {
    CarriageReturn,
    Spaces,
    Capitals,
    CardNames,
    Wording,
    Unknown,
    NoLastLineFeed,
}

impl TextFault {
    /// A short name, the same from run to run.
    pub(super) fn code(self) -> &'static str {
        match self {
            TextFault::CarriageReturn => "text-carriage-return",
            TextFault::Spaces => "text-spaces",
            TextFault::Capitals => "text-capitals",
            TextFault::CardNames => "text-card-names",
            TextFault::Wording => "text-wording",
            TextFault::Unknown => "text-unknown-lines",
            TextFault::NoLastLineFeed => "text-last-line-feed",
        }
    }

    /// What is wrong, as a sentence.
    pub(super) fn sentence(self) -> &'static str {
        match self {
            TextFault::CarriageReturn => "Lines end with a carriage return; a line feed alone ends a line.",
            TextFault::Spaces => "Lines differ from the document's in their spaces.",
            TextFault::Capitals => "Lines differ from the document's in capitals.",
            TextFault::CardNames => {
                "Cards are not named as SpotNames and SuitNames name them, like \"Two of Hearts\"."
            }
            TextFault::Wording => "Lines differ from the document's in a word or a sign.",
            TextFault::Unknown => "There are lines that the document does not have.",
            TextFault::NoLastLineFeed => "The last line has to end with a line feed too.",
        }
    }
}

impl Said {
    /// The line as the document prints it.
    fn line(self) -> String {
        let dealt =
            |what: &str, card: Card| format!("{what} {} of {}", card.rank().word(), card.suit().word());
        match self {
            Said::Shuffling => "Shuffling the deck".into(),
            Said::Cut(cut) => format!("cut at {cut}"),
            Said::Hand { number, bankroll } => format!("Hand {number} bankroll {bankroll}"),
            Said::Bet(bet) => format!("Player bets {bet}"),
            Said::Player(card) => dealt("Player dealt", card),
            Said::Dealer(card) => dealt("Dealer dealt", card),
            Said::Natural => "Player dealt natural 21".into(),
            Said::PlayerTotal(total) => format!("Player's total is {total}"),
            Said::PlayerBusts => "Player busts".into(),
            Said::Hole(card) => dealt("Dealer's hole card is", card),
            Said::DealerTotal(total) => format!("Dealer's total is {total}"),
            Said::DealerBusts => "Dealer busts".into(),
            Said::DealerWins => "Dealer wins".into(),
            Said::PlayerWins => "Player wins".into(),
            Said::Push => "Push".into(),
            Said::Over { bankroll, hands } => format!("Player has {bankroll} after {hands} hands"),
        }
    }

    /// Reads a line as generously as it can be understood. `None` if it says nothing that the document has.
    pub(super) fn read(line: &str) -> (Option<Said>, Option<TextFault>) {
        let lower = line.to_lowercase();
        let trimmed = |word: &'_ str| -> String {
            word.trim_matches(|c: char| !c.is_alphanumeric() && c != '-').replace('\u{2019}', "'")
        };
        let words: Vec<String> =
            lower.split_whitespace().map(trimmed).filter(|word| !word.is_empty()).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let Some(said) = Said::of(&words) else {
            return (None, Some(TextFault::Unknown));
        };
        let right = said.line();
        let fault = if line == right {
            None
        } else if line.trim_end_matches('\r') == right {
            Some(TextFault::CarriageReturn)
        } else if line.split_whitespace().eq(right.split_whitespace()) {
            Some(TextFault::Spaces)
        } else if line.trim().eq_ignore_ascii_case(&right) {
            Some(TextFault::Capitals)
        } else if matches!(said, Said::Player(_) | Said::Dealer(_) | Said::Hole(_)) {
            Some(TextFault::CardNames)
        } else {
            Some(TextFault::Wording)
        };
        (Some(said), fault)
    }

    /// Whether it says who wins a hand that both have played.
    pub(super) fn is_result(&self) -> bool {
        matches!(self, Said::DealerBusts | Said::DealerWins | Said::PlayerWins | Said::Push)
    }

    fn of(words: &[&str]) -> Option<Said> {
        let number = |word: &str| word.parse::<i64>().ok();
        Some(match words {
            ["shuffling", "the", "deck"] => Said::Shuffling,
            ["cut", "at", cut] => Said::Cut(number(cut)?),
            ["hand", at, "bankroll", bankroll] => {
                Said::Hand { number: number(at)?, bankroll: number(bankroll)? }
            }
            ["player", "bets", bet] => Said::Bet(number(bet)?),
            ["player", "dealt", "natural", ..] => Said::Natural,
            ["player", "dealt", spot, "of", suit] => Said::Player(card(spot, suit)?),
            ["dealer", "dealt", spot, "of", suit] => Said::Dealer(card(spot, suit)?),
            ["player's", "total", "is", total] => Said::PlayerTotal(number(total)?),
            ["player", "busts"] => Said::PlayerBusts,
            ["dealer's", "hole", "card", "is", spot, "of", suit] => Said::Hole(card(spot, suit)?),
            ["dealer's", "total", "is", total] => Said::DealerTotal(number(total)?),
            ["dealer", "busts"] => Said::DealerBusts,
            ["dealer", "wins"] => Said::DealerWins,
            ["player", "wins"] => Said::PlayerWins,
            ["push"] => Said::Push,
            ["player", "has", bankroll, "after", hands, "hands" | "hand"] => {
                Said::Over { bankroll: number(bankroll)?, hands: number(hands)? }
            }
            _ => return None,
        })
    }
}

fn card(spot: &str, suit: &str) -> Option<Card> {
    let rank = Rank::ALL.into_iter().enumerate().find(|(at, rank)| {
        rank.word().eq_ignore_ascii_case(spot)
            || (at + 2).to_string() == spot && *at < 9
            || *at >= 8 && spot.len() == 1 && rank.word().to_lowercase().starts_with(spot)
    });
    let suit = Suit::ALL.into_iter().find(|known| known.word().eq_ignore_ascii_case(suit));
    Some(Card::new(rank?.1, suit?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_generously_and_their_text_is_judged() {
        let (said, fault) = Said::read("Player dealt Two of Hearts");
        let two = Some(Said::Player(Card::new(Rank::Deuce, Suit::Hearts)));
        assert_eq!((said, fault), (two, None));
        for (line, kind) in [
            ("Player dealt Two of Hearts\r", TextFault::CarriageReturn),
            ("Player dealt  Two of Hearts ", TextFault::Spaces),
            ("player dealt two of hearts", TextFault::Capitals),
            ("Player dealt 2 of Hearts", TextFault::CardNames),
        ] {
            assert_eq!(Said::read(line), (two, Some(kind)), "{line}");
        }
        assert_eq!(Said::read("Player busts!"), (Some(Said::PlayerBusts), Some(TextFault::Wording)));
        assert_eq!(Said::read("count = 3"), (None, Some(TextFault::Unknown)));
        assert_eq!(Said::read("Player's total is 12").0, Some(Said::PlayerTotal(12)));
        assert_eq!(Said::read("Player has -3 after 2 hands").0, Some(Said::Over { bankroll: -3, hands: 2 }));
        assert_eq!(Said::read("").0, None);
    }
}
