//! The lines of a transcript as values.

use casino_stud::cards::{Card, Rank, Suit};

/// A line of a transcript. Amounts are chips.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BlackjackTranscriptLine {
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

impl BlackjackTranscriptLine {
    /// The line as the document prints it.
    fn line(self) -> String {
        let dealt =
            |what: &str, card: Card| format!("{what} {} of {}", card.rank().word(), card.suit().word());
        match self {
            BlackjackTranscriptLine::Shuffling => "Shuffling the deck".into(),
            BlackjackTranscriptLine::Cut(cut) => format!("cut at {cut}"),
            BlackjackTranscriptLine::Hand { number, bankroll } => {
                format!("Hand {number} bankroll {bankroll}")
            }
            BlackjackTranscriptLine::Bet(bet) => format!("Player bets {bet}"),
            BlackjackTranscriptLine::Player(card) => dealt("Player dealt", card),
            BlackjackTranscriptLine::Dealer(card) => dealt("Dealer dealt", card),
            BlackjackTranscriptLine::Natural => "Player dealt natural 21".into(),
            BlackjackTranscriptLine::PlayerTotal(total) => format!("Player's total is {total}"),
            BlackjackTranscriptLine::PlayerBusts => "Player busts".into(),
            BlackjackTranscriptLine::Hole(card) => dealt("Dealer's hole card is", card),
            BlackjackTranscriptLine::DealerTotal(total) => format!("Dealer's total is {total}"),
            BlackjackTranscriptLine::DealerBusts => "Dealer busts".into(),
            BlackjackTranscriptLine::DealerWins => "Dealer wins".into(),
            BlackjackTranscriptLine::PlayerWins => "Player wins".into(),
            BlackjackTranscriptLine::Push => "Push".into(),
            BlackjackTranscriptLine::Over { bankroll, hands } => {
                format!("Player has {bankroll} after {hands} hands")
            }
        }
    }

    /// Reads a line leniently, and returns whether its text is exact. `None` if the document has no such line.
    pub(super) fn read(line: &str) -> (Option<BlackjackTranscriptLine>, bool) {
        let lower = line.to_lowercase();
        let trimmed = |word: &'_ str| -> String {
            word.trim_matches(|c: char| !c.is_alphanumeric() && c != '-').replace('\u{2019}', "'")
        };
        let words: Vec<String> =
            lower.split_whitespace().map(trimmed).filter(|word| !word.is_empty()).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let said = BlackjackTranscriptLine::of(&words);
        (said, said.is_some_and(|said| said.line() == line))
    }

    /// Whether it is the result of a hand played to the end by both sides.
    pub(super) fn is_result(&self) -> bool {
        matches!(
            self,
            BlackjackTranscriptLine::DealerBusts
                | BlackjackTranscriptLine::DealerWins
                | BlackjackTranscriptLine::PlayerWins
                | BlackjackTranscriptLine::Push
        )
    }

    fn of(words: &[&str]) -> Option<BlackjackTranscriptLine> {
        let number = |word: &str| word.parse::<i64>().ok();
        Some(match words {
            ["shuffling", "the", "deck"] => BlackjackTranscriptLine::Shuffling,
            ["cut", "at", cut] => BlackjackTranscriptLine::Cut(number(cut)?),
            ["hand", at, "bankroll", bankroll] => {
                BlackjackTranscriptLine::Hand { number: number(at)?, bankroll: number(bankroll)? }
            }
            ["player", "bets", bet] => BlackjackTranscriptLine::Bet(number(bet)?),
            ["player", "dealt", "natural", ..] => BlackjackTranscriptLine::Natural,
            ["player", "dealt", spot, "of", suit] => BlackjackTranscriptLine::Player(card(spot, suit)?),
            ["dealer", "dealt", spot, "of", suit] => BlackjackTranscriptLine::Dealer(card(spot, suit)?),
            ["player's", "total", "is", total] => BlackjackTranscriptLine::PlayerTotal(number(total)?),
            ["player", "busts"] => BlackjackTranscriptLine::PlayerBusts,
            ["dealer's", "hole", "card", "is", spot, "of", suit] => {
                BlackjackTranscriptLine::Hole(card(spot, suit)?)
            }
            ["dealer's", "total", "is", total] => BlackjackTranscriptLine::DealerTotal(number(total)?),
            ["dealer", "busts"] => BlackjackTranscriptLine::DealerBusts,
            ["dealer", "wins"] => BlackjackTranscriptLine::DealerWins,
            ["player", "wins"] => BlackjackTranscriptLine::PlayerWins,
            ["push"] => BlackjackTranscriptLine::Push,
            ["player", "has", bankroll, "after", hands, "hands" | "hand"] => {
                BlackjackTranscriptLine::Over { bankroll: number(bankroll)?, hands: number(hands)? }
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
        let two = Some(BlackjackTranscriptLine::Player(Card::new(Rank::Deuce, Suit::Hearts)));
        assert_eq!(BlackjackTranscriptLine::read("Player dealt Two of Hearts"), (two, true));
        for line in [
            "Player dealt Two of Hearts\r",
            "Player dealt  Two of Hearts ",
            "player dealt two of hearts",
            "Player dealt 2 of Hearts",
        ] {
            assert_eq!(BlackjackTranscriptLine::read(line), (two, false), "{line}");
        }
        assert_eq!(
            BlackjackTranscriptLine::read("Player busts!"),
            (Some(BlackjackTranscriptLine::PlayerBusts), false)
        );
        assert_eq!(BlackjackTranscriptLine::read("count = 3"), (None, false));
        assert_eq!(
            BlackjackTranscriptLine::read("Player's total is 12"),
            (Some(BlackjackTranscriptLine::PlayerTotal(12)), true)
        );
        assert_eq!(
            BlackjackTranscriptLine::read("Player has -3 after 2 hands").0,
            Some(BlackjackTranscriptLine::Over { bankroll: -3, hands: 2 })
        );
        assert_eq!(BlackjackTranscriptLine::read("").0, None);
    }
}
