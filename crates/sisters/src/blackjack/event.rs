//! Events of a game, which display as lines of the transcript.

use std::fmt;

use casino_stud::cards::Card;

use super::cuts::Cut;

/// One line of the transcript (Blackjack document, III.4). Amounts are chips; hands are counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlackjackLine {
    /// A shuffle of seven cuts begins.
    Shuffling,
    /// One cut of a shuffle.
    Cut(Cut),
    /// A new hand begins.
    Hand {
        /// The number of the hand.
        number: u32,
        /// The chips that the player has before the bet.
        bankroll: u32,
    },
    /// The player bets this many chips.
    Bet(u32),
    /// The player is dealt a card face up.
    PlayerDealt(Card),
    /// The dealer is dealt a card face up.
    DealerDealt(Card),
    /// The player's first two cards are an ace and a card worth ten.
    Natural,
    /// The total with which the player stands or busts.
    PlayerTotal(u32),
    /// The player is over 21.
    PlayerBusts,
    /// The dealer turns up its second card.
    HoleCard(Card),
    /// The total at which the dealer stops.
    DealerTotal(u32),
    /// The dealer is over 21.
    DealerBusts,
    /// The dealer's total is higher.
    DealerWins,
    /// The player's total is higher.
    PlayerWins,
    /// The totals are equal.
    Push,
    /// The game is over.
    Over {
        /// The chips that the player has at the end.
        bankroll: u32,
        /// How many hands were played.
        hands: u32,
    },
}

/// Displays as the line of the transcript, without the line feed.
impl fmt::Display for BlackjackLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            BlackjackLine::Shuffling => f.write_str("Shuffling the deck"),
            BlackjackLine::Cut(cut) => write!(f, "cut at {cut}"),
            BlackjackLine::Hand { number, bankroll } => write!(f, "Hand {number} bankroll {bankroll}"),
            BlackjackLine::Bet(wager) => write!(f, "Player bets {wager}"),
            BlackjackLine::PlayerDealt(card) => dealt(f, "Player dealt", card),
            BlackjackLine::DealerDealt(card) => dealt(f, "Dealer dealt", card),
            BlackjackLine::Natural => f.write_str("Player dealt natural 21"),
            BlackjackLine::PlayerTotal(total) => write!(f, "Player's total is {total}"),
            BlackjackLine::PlayerBusts => f.write_str("Player busts"),
            BlackjackLine::HoleCard(card) => dealt(f, "Dealer's hole card is", card),
            BlackjackLine::DealerTotal(total) => write!(f, "Dealer's total is {total}"),
            BlackjackLine::DealerBusts => f.write_str("Dealer busts"),
            BlackjackLine::DealerWins => f.write_str("Dealer wins"),
            BlackjackLine::PlayerWins => f.write_str("Player wins"),
            BlackjackLine::Push => f.write_str("Push"),
            BlackjackLine::Over { bankroll, hands } => {
                write!(f, "Player has {bankroll} after {hands} hands")
            }
        }
    }
}

fn dealt(f: &mut fmt::Formatter<'_>, what: &str, card: Card) -> fmt::Result {
    write!(f, "{what} {} of {}", card.rank().word(), card.suit().word())
}
