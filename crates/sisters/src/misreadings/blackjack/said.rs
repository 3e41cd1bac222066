//! The lines of a transcript as values.

use casino_stud::cards::{Card, Rank, Suit};

/// A line of a transcript. Amounts are chips.
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

    /// Reads a line leniently, and returns whether its text is exact. `None` if the document has no such line.
    pub(super) fn read(line: &str) -> (Option<Said>, bool) {
        let lower = line.to_lowercase();
        let trimmed = |word: &'_ str| -> String {
            word.trim_matches(|c: char| !c.is_alphanumeric() && c != '-').replace('\u{2019}', "'")
        };
        let words: Vec<String> =
            lower.split_whitespace().map(trimmed).filter(|word| !word.is_empty()).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let said = Said::of(&words);
        (said, said.is_some_and(|said| said.line() == line))
    }

    /// Whether it is the result of a hand played to the end by both sides.
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
    fn lines_are_read_leniently_and_their_text_is_judged() {
        let two = Some(Said::Player(Card::new(Rank::Deuce, Suit::Hearts)));
        assert_eq!(Said::read("Player dealt Two of Hearts"), (two, true));
        for line in [
            "Player dealt Two of Hearts\r",
            "Player dealt  Two of Hearts ",
            "player dealt two of hearts",
            "Player dealt 2 of Hearts",
        ] {
            assert_eq!(Said::read(line), (two, false), "{line}");
        }
        assert_eq!(Said::read("Player busts!"), (Some(Said::PlayerBusts), false));
        assert_eq!(Said::read("count = 3"), (None, false));
        assert_eq!(Said::read("Player's total is 12"), (Some(Said::PlayerTotal(12)), true));
        assert_eq!(Said::read("Player has -3 after 2 hands").0, Some(Said::Over { bankroll: -3, hands: 2 }));
        assert_eq!(Said::read("").0, None);
    }
}
