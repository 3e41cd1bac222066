//! The lines of a transcript as values.

use casino_stud::cards::{Card, Rank, Suit};

/// A line of a transcript. Amounts are chips.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GameLine {
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

impl GameLine {
    /// The line as the document prints it.
    fn line(self) -> String {
        let dealt =
            |what: &str, card: Card| format!("{what} {} of {}", card.rank().word(), card.suit().word());
        match self {
            GameLine::Shuffling => "Shuffling the deck".into(),
            GameLine::Cut(cut) => format!("cut at {cut}"),
            GameLine::Hand { number, bankroll } => {
                format!("Hand {number} bankroll {bankroll}")
            }
            GameLine::Bet(bet) => format!("Player bets {bet}"),
            GameLine::Player(card) => dealt("Player dealt", card),
            GameLine::Dealer(card) => dealt("Dealer dealt", card),
            GameLine::Natural => "Player dealt natural 21".into(),
            GameLine::PlayerTotal(total) => format!("Player's total is {total}"),
            GameLine::PlayerBusts => "Player busts".into(),
            GameLine::Hole(card) => dealt("Dealer's hole card is", card),
            GameLine::DealerTotal(total) => format!("Dealer's total is {total}"),
            GameLine::DealerBusts => "Dealer busts".into(),
            GameLine::DealerWins => "Dealer wins".into(),
            GameLine::PlayerWins => "Player wins".into(),
            GameLine::Push => "Push".into(),
            GameLine::Over { bankroll, hands } => {
                format!("Player has {bankroll} after {hands} hands")
            }
        }
    }

    /// Reads a line leniently, and returns whether its text is exact. `None` if the document has no such line.
    pub(super) fn read(line: &str) -> (Option<GameLine>, bool) {
        let lower = line.to_lowercase();
        let trimmed = |word: &'_ str| -> String {
            word.trim_matches(|c: char| !c.is_alphanumeric() && c != '-').replace('\u{2019}', "'")
        };
        let words: Vec<String> =
            lower.split_whitespace().map(trimmed).filter(|word| !word.is_empty()).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let said = GameLine::of(&words);
        (said, said.is_some_and(|said| said.line() == line))
    }

    /// Whether it is the result of a hand played to the end by both sides.
    pub(super) fn is_result(&self) -> bool {
        matches!(self, GameLine::DealerBusts | GameLine::DealerWins | GameLine::PlayerWins | GameLine::Push)
    }

    fn of(words: &[&str]) -> Option<GameLine> {
        let number = |word: &str| word.parse::<i64>().ok();
        Some(match words {
            ["shuffling", "the", "deck"] => GameLine::Shuffling,
            ["cut", "at", cut] => GameLine::Cut(number(cut)?),
            ["hand", at, "bankroll", bankroll] => {
                GameLine::Hand { number: number(at)?, bankroll: number(bankroll)? }
            }
            ["player", "bets", bet] => GameLine::Bet(number(bet)?),
            ["player", "dealt", "natural", ..] => GameLine::Natural,
            ["player", "dealt", spot, "of", suit] => GameLine::Player(card(spot, suit)?),
            ["dealer", "dealt", spot, "of", suit] => GameLine::Dealer(card(spot, suit)?),
            ["player's", "total", "is", total] => GameLine::PlayerTotal(number(total)?),
            ["player", "busts"] => GameLine::PlayerBusts,
            ["dealer's", "hole", "card", "is", spot, "of", suit] => GameLine::Hole(card(spot, suit)?),
            ["dealer's", "total", "is", total] => GameLine::DealerTotal(number(total)?),
            ["dealer", "busts"] => GameLine::DealerBusts,
            ["dealer", "wins"] => GameLine::DealerWins,
            ["player", "wins"] => GameLine::PlayerWins,
            ["push"] => GameLine::Push,
            ["player", "has", bankroll, "after", hands, "hands" | "hand"] => {
                GameLine::Over { bankroll: number(bankroll)?, hands: number(hands)? }
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
        let two = Some(GameLine::Player(Card::new(Rank::Deuce, Suit::Hearts)));
        assert_eq!(GameLine::read("Player dealt Two of Hearts"), (two, true));
        for line in [
            "Player dealt Two of Hearts\r",
            "Player dealt  Two of Hearts ",
            "player dealt two of hearts",
            "Player dealt 2 of Hearts",
        ] {
            assert_eq!(GameLine::read(line), (two, false), "{line}");
        }
        assert_eq!(GameLine::read("Player busts!"), (Some(GameLine::PlayerBusts), false));
        assert_eq!(GameLine::read("count = 3"), (None, false));
        assert_eq!(GameLine::read("Player's total is 12"), (Some(GameLine::PlayerTotal(12)), true));
        assert_eq!(
            GameLine::read("Player has -3 after 2 hands").0,
            Some(GameLine::Over { bankroll: -3, hands: 2 })
        );
        assert_eq!(GameLine::read("").0, None);
    }
}
