//! The driver: shuffles, hands and money (Blackjack document, III.4).

use std::fmt;

use casino_stud::cards::Card;

use super::cuts::Cut;
use super::deck::Shoe;
use super::event::BlackjackLine;
use super::hand::BlackjackHand;
use super::player::BlackjackPlayer;

/// The smallest bet, in chips.
pub const MINIMUM_BET: u32 = 5;

/// How many cuts make a shuffle.
const CUTS: usize = 7;

/// With fewer cards than this left at the beginning of a hand the deck is shuffled.
const RESHUFFLE_BELOW: usize = 20;

/// The dealer draws below this total, hard or soft.
const DEALER_STANDS: u32 = 17;

/// Plays up to `hands` hands from a bankroll in chips and passes every line of the transcript to `tell`, the last being
/// [`BlackjackLine::Over`].
///
/// ```
/// use casino_sisters::blackjack::{CourseCuts, Simple, play};
///
/// let mut lines = Vec::new();
/// let closing = play(100, 3, Simple, CourseCuts::new(), |line| lines.push(line.to_string()))?;
/// assert_eq!(lines.last(), Some(&format!("Player has {} after 3 hands", closing.bankroll)));
/// # Ok::<(), casino_sisters::blackjack::CutsRanOut>(())
/// ```
pub fn play(
    bankroll: u32,
    hands: u32,
    player: impl BlackjackPlayer,
    cuts: impl Iterator<Item = Cut>,
    mut tell: impl FnMut(BlackjackLine),
) -> Result<Closing, CutsRanOut> {
    let mut game = Game::open(bankroll, player, cuts, &mut tell)?;
    while game.bankroll >= MINIMUM_BET && game.hands < hands {
        game.hand(&mut tell)?;
    }
    let closing = Closing { bankroll: game.bankroll, hands: game.hands };
    tell(BlackjackLine::Over { bankroll: closing.bankroll, hands: closing.hands });
    Ok(closing)
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Closing {
    /// The chips that the player has.
    pub bankroll: u32,
    /// The number of hands played.
    pub hands: u32,
}

/// A game in progress, between two hands.
#[derive(Debug)]
struct Game<P, C> {
    deck: Shoe,
    player: P,
    cuts: C,
    bankroll: u32,
    hands: u32,
}

impl<P: BlackjackPlayer, C: Iterator<Item = Cut>> Game<P, C> {
    /// Opens a new deck and shuffles it, which are the first lines of the transcript.
    fn open(
        bankroll: u32,
        player: P,
        cuts: C,
        tell: &mut impl FnMut(BlackjackLine),
    ) -> Result<Self, CutsRanOut> {
        let mut game = Game { deck: Shoe::new(), player, cuts, bankroll, hands: 0 };
        game.shuffle(tell)?;
        Ok(game)
    }

    /// Plays a hand.
    ///
    /// # Panics
    /// If the player cannot pay the minimum bet or makes an illegal bet.
    fn hand(&mut self, tell: &mut impl FnMut(BlackjackLine)) -> Result<(), CutsRanOut> {
        tell(BlackjackLine::Hand { number: self.hands + 1, bankroll: self.bankroll });
        if self.deck.cards_left() < RESHUFFLE_BELOW {
            self.shuffle(tell)?;
        }
        let wager = self.player.bet(self.bankroll, MINIMUM_BET);
        assert!((MINIMUM_BET..=self.bankroll).contains(&wager), "a player bets what the trait demands");
        tell(BlackjackLine::Bet(wager));
        self.play_out(wager, tell);
        self.hands += 1;
        Ok(())
    }

    fn shuffle(&mut self, tell: &mut impl FnMut(BlackjackLine)) -> Result<(), CutsRanOut> {
        tell(BlackjackLine::Shuffling);
        for _ in 0..CUTS {
            let cut = self.cuts.next().ok_or(CutsRanOut { hand: self.hands + 1 })?;
            tell(BlackjackLine::Cut(cut));
            self.deck.shuffle(cut.left());
        }
        self.player.shuffled();
        Ok(())
    }

    /// Deals, plays both hands and moves the wager.
    fn play_out(&mut self, wager: u32, tell: &mut impl FnMut(BlackjackLine)) {
        let mut player = BlackjackHand::new();
        let mut dealer = BlackjackHand::new();
        self.deal_player(&mut player, tell);
        let up = self.deal_dealer(&mut dealer, tell);
        self.deal_player(&mut player, tell);
        let hole = self.next_card();
        if player.value().count == 21 {
            tell(BlackjackLine::Natural);
            self.bankroll += 3 * wager / 2;
            return;
        }
        while !player.is_bust() && self.player.draw(up, &player) {
            self.deal_player(&mut player, tell);
        }
        let players_total = player.value().count;
        tell(BlackjackLine::PlayerTotal(players_total));
        if player.is_bust() {
            tell(BlackjackLine::PlayerBusts);
            self.bankroll -= wager;
            return;
        }
        tell(BlackjackLine::HoleCard(hole));
        self.player.expose(hole);
        dealer.add(hole);
        while dealer.value().count < DEALER_STANDS {
            self.deal_dealer(&mut dealer, tell);
        }
        let dealers_total = dealer.value().count;
        tell(BlackjackLine::DealerTotal(dealers_total));
        if dealer.is_bust() {
            tell(BlackjackLine::DealerBusts);
            self.bankroll += wager;
        } else if dealers_total > players_total {
            tell(BlackjackLine::DealerWins);
            self.bankroll -= wager;
        } else if players_total > dealers_total {
            tell(BlackjackLine::PlayerWins);
            self.bankroll += wager;
        } else {
            tell(BlackjackLine::Push);
        }
    }

    fn deal_player(&mut self, hand: &mut BlackjackHand, tell: &mut impl FnMut(BlackjackLine)) {
        let card = self.next_card();
        tell(BlackjackLine::PlayerDealt(card));
        self.player.expose(card);
        hand.add(card);
    }

    fn deal_dealer(&mut self, hand: &mut BlackjackHand, tell: &mut impl FnMut(BlackjackLine)) -> Card {
        let card = self.next_card();
        tell(BlackjackLine::DealerDealt(card));
        self.player.expose(card);
        hand.add(card);
        card
    }

    /// The next card of the deck, which always has one: a hand begins with 20 or more. All cards of a hand but the last
    /// count at most 41, aces as 1: 21 for the player, who is asked only up to there, and 20 for the dealer's first two
    /// or less with more. The 17 lowest cards of a deck already count 45.
    fn next_card(&mut self) -> Card {
        self.deck.deal().expect("a hand takes at most 17 cards of the 20 or more it begins with")
    }
}

/// The error of a shuffle for which there are not enough cuts left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CutsRanOut {
    /// The hand that could not begin, counted from 1.
    pub hand: u32,
}

impl fmt::Display for CutsRanOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the cuts ran out at the shuffle before hand {}: a shuffle takes {CUTS}, so give more or fewer hands",
            self.hand
        )
    }
}

impl std::error::Error for CutsRanOut {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blackjack::{Counting, CourseCuts, SeededCuts, Simple};
    use casino_stud::cards::Seed;

    fn events(
        bankroll: u32,
        hands: u32,
        player: impl BlackjackPlayer,
        cuts: impl Iterator<Item = Cut>,
    ) -> Vec<BlackjackLine> {
        let mut events = Vec::new();
        play(bankroll, hands, player, cuts, |event| events.push(event)).unwrap();
        events
    }

    #[test]
    fn a_bankroll_below_the_minimum_ends_the_game() {
        let lines = events(4, 10, Simple, CourseCuts::new());
        assert_eq!(lines.len(), 9);
        assert_eq!(lines[0], BlackjackLine::Shuffling);
        assert_eq!(lines[8], BlackjackLine::Over { bankroll: 4, hands: 0 });
    }

    fn wager_of(events: &[BlackjackLine]) -> i64 {
        let wager = |event: &BlackjackLine| match event {
            BlackjackLine::Bet(wager) => Some(i64::from(*wager)),
            _ => None,
        };
        events.iter().find_map(wager).unwrap()
    }

    /// The bankroll follows the closing event of every hand of a long game: it changes by the wager and no other
    /// amount, and each kind of ending occurs.
    #[test]
    fn the_bankroll_follows_the_transcript() {
        let mut game =
            Game::open(10_000, Counting::default(), SeededCuts::new(&Seed::chosen("money")), &mut |_| ())
                .unwrap();
        let mut kinds = std::collections::HashMap::new();
        for number in 1..=5_000 {
            let before = game.bankroll;
            let mut events = Vec::new();
            game.hand(&mut |event| events.push(event)).unwrap();
            let wager = wager_of(&events);
            let last = *events.last().unwrap();
            let moved = match last {
                BlackjackLine::Natural => wager * 3 / 2,
                BlackjackLine::PlayerBusts | BlackjackLine::DealerWins => -wager,
                BlackjackLine::DealerBusts | BlackjackLine::PlayerWins => wager,
                BlackjackLine::Push => 0,
                other => panic!("a hand does not end with {other:?}"),
            };
            assert_eq!(events[0], BlackjackLine::Hand { number, bankroll: before });
            assert_eq!(i64::from(game.bankroll), i64::from(before) + moved);
            *kinds.entry(std::mem::discriminant(&last)).or_insert(0) += 1;
        }
        assert_eq!(kinds.len(), 6, "{kinds:?}");
    }

    #[test]
    fn naturals_pay_three_to_two_rounded_down() {
        let seed = Seed::chosen("naturals");
        let mut game = Game::open(100_000, Counting::default(), SeededCuts::new(&seed), &mut |_| ()).unwrap();
        let mut gains = std::collections::BTreeSet::new();
        for _ in 0..3_000 {
            let before = game.bankroll;
            let mut events = Vec::new();
            game.hand(&mut |event| events.push(event)).unwrap();
            if events.contains(&BlackjackLine::Natural) {
                gains.insert((wager_of(&events), game.bankroll - before));
            }
        }
        assert_eq!(gains.into_iter().collect::<Vec<_>>(), [(5, 7), (10, 15)]);
    }

    #[test]
    fn the_deck_is_shuffled_with_19_cards_left_and_not_with_20() {
        let (mut at_19, mut at_20) = (0, 0);
        let (mut left, mut hidden) = (0, false);
        let told = events(10_000, 3_000, Simple, SeededCuts::new(&Seed::chosen("nineteen")));
        for pair in told.windows(2) {
            match pair[0] {
                BlackjackLine::Shuffling => left = 52,
                BlackjackLine::Hand { .. } => {
                    // The hole card of the hand before was dealt, shown or not.
                    left -= usize::from(hidden);
                    hidden = true;
                    assert_eq!(pair[1] == BlackjackLine::Shuffling, left < 20, "{left} left");
                    at_19 += u32::from(left == 19);
                    at_20 += u32::from(left == 20);
                }
                BlackjackLine::PlayerDealt(_) | BlackjackLine::DealerDealt(_) => left -= 1,
                _ => {}
            }
        }
        assert!(at_19 > 10 && at_20 > 10, "{at_19} {at_20}");
    }

    #[test]
    fn cuts_that_run_out_stop_the_game_before_the_hand() {
        assert_eq!(play(5, 1, Simple, CourseCuts::new().take(6), |_| ()), Err(CutsRanOut { hand: 1 }));
        let ran_out = play(10_000, 100, Simple, CourseCuts::new().take(7), |_| ()).unwrap_err();
        assert!((4..=10).contains(&ran_out.hand), "{ran_out}");
    }
    proptest::proptest! {
        /// For any cuts, the deck has enough cards, every bet is covered by the bankroll, and the game ends when it
        /// must.
        #[test]
        fn any_cuts_make_a_sound_game(
            cuts in proptest::collection::vec(13u8..=39, 7..50),
            bankroll in 1u32..200,
            hands in 1u32..200,
        ) {
            let cuts = || cuts.iter().map(|left| Cut::new(*left).unwrap()).cycle();
            let mut wagers = 0;
            let tell = |event| if let BlackjackLine::Bet(wager) = event { wagers += wager };
            let closing = play(bankroll, hands, Counting::default(), cuts(), tell).unwrap();
            proptest::prop_assert!(closing.hands == hands || closing.bankroll < MINIMUM_BET);
            proptest::prop_assert!(closing.bankroll + wagers >= bankroll);
            proptest::prop_assert!((5 * closing.hands..=10 * closing.hands).contains(&wagers));
            // The same cuts play the same game.
            proptest::prop_assert_eq!(play(bankroll, hands, Counting::default(), cuts(), |_| ()), Ok(closing));
        }
    }
}
