//! Events of a game, which display as lines of the transcript.

use std::fmt;

use casino_stud::cards::Card;

/// One line of the transcript (Blackjack document, III.4). Amounts are chips; hands are counted from 1. Numbers may have any
/// value, because a program may print any number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BlackjackLine {
    /// A shuffle of seven cuts begins.
    Shuffling,
    /// One cut of a shuffle: the number of cards on the left.
    Cut(i64),
    /// A new hand begins.
    Hand {
        /// The number of the hand.
        number: i64,
        /// The chips that the player has before the bet.
        bankroll: i64,
    },
    /// The player bets this many chips.
    Bet(i64),
    /// The player is dealt a card face up.
    PlayerDealt(Card),
    /// The dealer is dealt a card face up.
    DealerDealt(Card),
    /// The player's first two cards are an ace and a card worth ten.
    Natural,
    /// The total with which the player stands or busts.
    PlayerTotal(i64),
    /// The player is over 21.
    PlayerBusts,
    /// The dealer turns up its second card.
    HoleCard(Card),
    /// The total at which the dealer stops.
    DealerTotal(i64),
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
        bankroll: i64,
        /// How many hands were played.
        hands: i64,
    },
}

impl BlackjackLine {
    /// The card that is dealt face up.
    pub(crate) fn card(self) -> Option<Card> {
        match self {
            BlackjackLine::PlayerDealt(card) | BlackjackLine::DealerDealt(card) => Some(card),
            _ => None,
        }
    }

    /// The result of a hand with these totals, of which the player's is at most 21, and how often the bet is won.
    pub(crate) fn result(player: u32, dealer: u32) -> (BlackjackLine, i64) {
        match dealer {
            22.. => (BlackjackLine::DealerBusts, 1),
            _ if dealer > player => (BlackjackLine::DealerWins, -1),
            _ if dealer < player => (BlackjackLine::PlayerWins, 1),
            _ => (BlackjackLine::Push, 0),
        }
    }
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
