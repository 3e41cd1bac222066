//! The two players (Blackjack document, III.3).

use casino_stud::cards::{Card, Rank};

use super::hand::{BlackjackHand, HandValue};

/// A player against the dealer. Amounts are in chips.
pub trait BlackjackPlayer {
    /// Chooses the wager: at least `minimum` and at most `bankroll`, which is not below `minimum`.
    fn bet(&mut self, bankroll: i64, minimum: i64) -> i64;

    /// Whether the player wants another card, seeing the dealer's up card.
    fn draw(&mut self, dealer: Card, hand: &BlackjackHand) -> bool;

    /// Shows the player a card that has just been turned up.
    fn expose(&mut self, card: Card);

    /// The deck has been shuffled.
    fn shuffled(&mut self);
}

/// Whether the document's two lists draw with a hand of this value against this card of the dealer's.
fn table_draws(HandValue { count, soft }: HandValue, up: Rank) -> bool {
    let between = |low, high| low <= up && up <= high;
    match (count, soft) {
        (19.., true) | (17.., false) => false,
        (18, true) => !(up == Rank::Deuce || between(Rank::Seven, Rank::Eight)),
        (12, false) => !between(Rank::Four, Rank::Six),
        (13..=16, false) => !between(Rank::Deuce, Rank::Six),
        _ => true,
    }
}

/// The change of the count by a card.
fn counted(card: Card) -> i32 {
    match card.rank() {
        Rank::Deuce | Rank::Three | Rank::Four | Rank::Five | Rank::Six => 1,
        Rank::Seven | Rank::Eight | Rank::Nine => 0,
        Rank::Ten | Rank::Jack | Rank::Queen | Rank::King | Rank::Ace => -1,
    }
}

/// Bets the minimum and plays by the document's table.
#[derive(Clone, Copy, Debug, Default)]
pub struct Simple;

impl BlackjackPlayer for Simple {
    fn bet(&mut self, _bankroll: i64, minimum: i64) -> i64 {
        minimum
    }

    fn draw(&mut self, dealer: Card, hand: &BlackjackHand) -> bool {
        table_draws(hand.value(), dealer.rank())
    }

    fn expose(&mut self, _card: Card) {}

    fn shuffled(&mut self) {}
}

/// Plays like [`Simple`] and counts the cards it sees: at +2 or more it doubles the minimum if its bankroll
/// allows.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counting {
    count: i32,
    table: Simple,
}

impl Counting {
    /// A player with this count.
    pub(crate) fn at(count: i32) -> Counting {
        Counting { count, ..Counting::default() }
    }

    /// Low cards seen minus high cards seen since the last shuffle.
    pub fn count(&self) -> i32 {
        self.count
    }
}

impl BlackjackPlayer for Counting {
    fn bet(&mut self, bankroll: i64, minimum: i64) -> i64 {
        let doubled = 2 * minimum;
        if self.count >= 2 && bankroll >= doubled { doubled } else { self.table.bet(bankroll, minimum) }
    }

    fn draw(&mut self, dealer: Card, hand: &BlackjackHand) -> bool {
        self.table.draw(dealer, hand)
    }

    fn expose(&mut self, card: Card) {
        self.count += counted(card);
    }

    fn shuffled(&mut self) {
        self.count = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use casino_stud::cards::Suit;

    fn card(rank: Rank) -> Card {
        Card::new(rank, Suit::Hearts)
    }

    /// For each count from 4 to 21 the up cards, two to ace, that make the player draw (`h`) or stand
    /// (`.`): the document's two lists written out as a table.
    #[test]
    fn the_table_of_the_document() {
        const HARD: [(u32, &str); 5] = [
            (11, "hhhhhhhhhhhhh"),
            (12, "hh...hhhhhhhh"),
            (13, ".....hhhhhhhh"),
            (16, ".....hhhhhhhh"),
            (17, "............."),
        ];
        const SOFT: [(u32, &str); 4] =
            [(17, "hhhhhhhhhhhhh"), (18, ".hhhh..hhhhhh"), (19, "............."), (21, ".............")];
        let reached = |count: u32, soft: bool| -> BlackjackHand {
            let mut hand = BlackjackHand::new();
            if soft {
                hand.add(card(Rank::Ace));
            }
            while hand.value().count < count {
                let missing = count - hand.value().count;
                // Two cards at least, so that nothing else than the sum is tried.
                let pips = if missing > 10 { 10.min(missing - 2) } else { missing };
                hand.add(card(if pips == 1 { Rank::Ace } else { Rank::ALL[pips as usize - 2] }));
            }
            assert_eq!((hand.value().count, hand.value().soft), (count, soft));
            hand
        };
        let mut tried = 0;
        for (table, soft, lowest) in [(&HARD[..], false, 4), (&SOFT[..], true, 12)] {
            for count in lowest..=21 {
                // A line of the table goes for every count up to it that no line above goes for.
                let row = table.iter().find(|(upto, _)| count <= *upto).or(table.last()).unwrap().1;
                for (rank, wanted) in Rank::ALL.into_iter().zip(row.chars()) {
                    let draws = Simple.draw(card(rank), &reached(count, soft));
                    assert_eq!(draws, wanted == 'h', "{count} soft={soft} against {rank:?}");
                    assert_eq!(Counting::default().draw(card(rank), &reached(count, soft)), draws);
                    tried += 1;
                }
            }
        }
        assert_eq!(tried, 13 * (18 + 10));
    }

    #[test]
    fn counting_follows_seen_cards_until_a_shuffle() {
        let mut player = Counting::default();
        let values = [1, 1, 1, 1, 1, 0, 0, 0, -1, -1, -1, -1, -1];
        let mut expected = 0;
        for (rank, value) in Rank::ALL.into_iter().zip(values) {
            player.expose(card(rank));
            expected += value;
            assert_eq!(player.count(), expected, "{rank:?}");
        }
        player.expose(card(Rank::Deuce));
        player.shuffled();
        assert_eq!(player.count(), 0);
    }

    #[test]
    fn doubling_takes_a_count_of_two_and_a_bankroll_of_ten() {
        let mut player = Counting::default();
        assert_eq!(player.bet(100, 5), 5);
        player.expose(card(Rank::Deuce));
        assert_eq!(player.bet(100, 5), 5);
        player.expose(card(Rank::Six));
        assert_eq!(player.bet(100, 5), 10);
        assert_eq!(player.bet(10, 5), 10);
        assert_eq!(player.bet(9, 5), 5);
        assert_eq!(Simple.bet(100, 5), 5);
    }
}
