//! The driver: shuffles, hands and money (Blackjack document, III.4).

use thiserror::Error;

use casino_stud::cards::Card;

use super::cuts::Cut;
use super::deck::{DeckEmpty, Shoe};
use super::event::BlackjackLine;
use super::hand::BlackjackHand;
use super::player::BlackjackPlayer;
use super::rules::{CUTS, MINIMUM_BET, PlayedRules};

/// Plays up to `hands` hands from a bankroll in chips and passes every line of the transcript to `tell`, the last being
/// [`BlackjackLine::Over`].
///
/// # Panics
/// If the player makes an illegal bet.
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
    let mut tell_all = |line| {
        tell(line);
        Ok(())
    };
    Game::new(PlayedRules::RIGHT, player, cuts).play(bankroll, hands, &mut tell_all).map_err(|stop| {
        match stop {
            GameStop::Cuts(ran_out) => ran_out,
            // All cards of a hand but the last count at most 41, aces as 1: 21 for the player, who is asked only up to
            // there, and 20 for the dealer's first two or less with more. The 17 lowest cards of a deck already count 45.
            GameStop::Deck => unreachable!("a hand takes at most 17 cards of the 20 or more it begins with"),
            GameStop::Listener => unreachable!("this listener hears every line"),
        }
    })
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Closing {
    /// The chips that the player has.
    pub bankroll: i64,
    /// The number of hands played.
    pub hands: u32,
}

/// The reason for which a game ends before its closing line.
#[derive(Clone, Copy, Debug)]
pub(crate) enum GameStop {
    /// A shuffle lacks cuts.
    Cuts(CutsRanOut),
    /// A hand needs more cards than the deck has, which happens only by misread rules.
    Deck,
    /// The listener to the lines ends the game.
    Listener,
}

/// A game in progress, between two hands.
#[derive(Debug)]
pub(crate) struct Game<P, C> {
    rules: PlayedRules,
    deck: Shoe,
    player: P,
    cuts: C,
    bankroll: i64,
    hands: u32,
}

impl<P: BlackjackPlayer, C: Iterator<Item = Cut>> Game<P, C> {
    /// Opens a new deck.
    pub(crate) fn new(rules: PlayedRules, player: P, cuts: C) -> Self {
        Game { rules, deck: Shoe::new(), player, cuts, bankroll: 0, hands: 0 }
    }

    /// Plays up to `hands` hands from a bankroll in chips, until the listener ends the game.
    pub(crate) fn play(
        &mut self,
        bankroll: u32,
        hands: u32,
        tell: &mut impl FnMut(BlackjackLine) -> Result<(), GameStop>,
    ) -> Result<Closing, GameStop> {
        let (bankroll, hands) = self.rules.bankroll_and_hands(bankroll, hands);
        self.open(bankroll, tell)?;
        while self.bankroll >= MINIMUM_BET && self.hands < hands {
            self.hand(tell)?;
        }
        let closing = Closing { bankroll: self.bankroll, hands: self.hands };
        let over = BlackjackLine::Over { bankroll: closing.bankroll, hands: closing.hands.into() };
        tell(over)?;
        Ok(closing)
    }

    /// Shuffles, which makes the first lines of the transcript.
    fn open(
        &mut self,
        bankroll: u32,
        tell: &mut impl FnMut(BlackjackLine) -> Result<(), GameStop>,
    ) -> Result<(), GameStop> {
        self.bankroll = bankroll.into();
        self.shuffle(tell)
    }

    /// Plays a hand.
    fn hand(&mut self, tell: &mut impl FnMut(BlackjackLine) -> Result<(), GameStop>) -> Result<(), GameStop> {
        let number = i64::from(self.hands) + 1;
        tell(BlackjackLine::Hand { number, bankroll: self.bankroll })?;
        if self.deck.cards_left() < self.rules.reshuffle_below {
            self.shuffle(tell)?;
        }
        let bet = self.rules.bet(&mut self.player, self.bankroll);
        let is_legal = bet >= MINIMUM_BET && (bet <= self.bankroll || self.rules.doubles_when_poor);
        assert!(is_legal, "a player bets what the trait demands");
        tell(BlackjackLine::Bet(bet))?;
        self.play_out(bet, tell)?;
        self.hands += 1;
        Ok(())
    }

    fn shuffle(
        &mut self,
        tell: &mut impl FnMut(BlackjackLine) -> Result<(), GameStop>,
    ) -> Result<(), GameStop> {
        tell(BlackjackLine::Shuffling)?;
        for _ in 0..CUTS {
            let ran_out = GameStop::Cuts(CutsRanOut { hand: self.hands + 1 });
            let cut = self.cuts.next().ok_or(ran_out)?.left();
            tell(BlackjackLine::Cut(cut as i64))?;
            self.deck.cut(cut, self.rules.left_first);
        }
        self.deck.gather();
        if !self.rules.keeps_count {
            self.player.shuffled();
        }
        Ok(())
    }

    /// Deals, plays both hands and moves the bet.
    fn play_out(
        &mut self,
        bet: i64,
        tell: &mut impl FnMut(BlackjackLine) -> Result<(), GameStop>,
    ) -> Result<(), GameStop> {
        let rules = self.rules;
        let [mut player, mut dealer] = [rules.empty_hand(), rules.empty_hand()];
        self.deal(&mut player, BlackjackLine::PlayerDealt, true, tell)?;
        let up = self.deal(&mut dealer, BlackjackLine::DealerDealt, rules.counts_up_card, tell)?;
        self.deal(&mut player, BlackjackLine::PlayerDealt, true, tell)?;
        let hole = self.next_card()?;
        if player.value().count == 21 {
            self.bankroll += rules.natural_wins(bet, [up, hole]);
            return tell(BlackjackLine::Natural);
        }
        while rules.player_draws(&mut self.player, &player, up) {
            self.deal(&mut player, BlackjackLine::PlayerDealt, true, tell)?;
        }
        let players_total = player.value().count;
        tell(BlackjackLine::PlayerTotal(players_total.into()))?;
        if player.is_bust() {
            self.bankroll -= bet;
            return tell(BlackjackLine::PlayerBusts);
        }
        tell(BlackjackLine::HoleCard(hole))?;
        if rules.counts_hole {
            self.player.expose(hole);
        }
        dealer.add(hole);
        while rules.dealer_draws(&dealer) {
            self.deal(&mut dealer, BlackjackLine::DealerDealt, true, tell)?;
        }
        let dealers_total = dealer.value().count;
        tell(BlackjackLine::DealerTotal(dealers_total.into()))?;
        let (result, won) = BlackjackLine::result(players_total, dealers_total);
        self.bankroll += won * bet;
        tell(result)
    }

    fn next_card(&mut self) -> Result<Card, GameStop> {
        self.deck.deal().map_err(|DeckEmpty| GameStop::Deck)
    }

    /// Deals a card face up to a hand.
    fn deal(
        &mut self,
        hand: &mut BlackjackHand,
        line: fn(Card) -> BlackjackLine,
        is_counted: bool,
        tell: &mut impl FnMut(BlackjackLine) -> Result<(), GameStop>,
    ) -> Result<Card, GameStop> {
        let card = self.next_card()?;
        tell(line(card))?;
        if is_counted {
            self.player.expose(card);
        }
        hand.add(card);
        Ok(card)
    }
}

/// The error of a shuffle for which there are not enough cuts left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "the cuts ran out at the shuffle before hand {hand}: a shuffle takes {}, so give more or fewer hands",
    CUTS
)]
pub struct CutsRanOut {
    /// The hand that could not begin, counted from 1.
    pub hand: u32,
}

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

    /// A game of the counting player before its first hand.
    fn opened(bankroll: u32, seed: &Seed) -> Game<Counting, SeededCuts> {
        let mut game = Game::new(PlayedRules::RIGHT, Counting::default(), SeededCuts::new(seed));
        game.open(bankroll, &mut |_| Ok(())).unwrap();
        game
    }

    fn events_of_hand(game: &mut Game<Counting, SeededCuts>) -> Vec<BlackjackLine> {
        let mut events = Vec::new();
        let tell = |event| {
            events.push(event);
            Ok(())
        };
        game.hand(&mut { tell }).unwrap();
        events
    }

    fn wager_of(events: &[BlackjackLine]) -> i64 {
        let wager = |event: &BlackjackLine| match event {
            BlackjackLine::Bet(wager) => Some(*wager),
            _ => None,
        };
        events.iter().find_map(wager).unwrap()
    }

    /// The bankroll follows the closing event of every hand of a long game: it changes by the wager and no other
    /// amount, and each kind of ending occurs.
    #[test]
    fn the_bankroll_follows_the_transcript() {
        let mut game = opened(10_000, &Seed::chosen("money"));
        let mut kinds = std::collections::HashMap::new();
        for number in 1..=5_000 {
            let before = game.bankroll;
            let events = events_of_hand(&mut game);
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
            assert_eq!(game.bankroll, before + moved);
            *kinds.entry(std::mem::discriminant(&last)).or_insert(0) += 1;
        }
        assert_eq!(kinds.len(), 6, "{kinds:?}");
    }

    #[test]
    fn naturals_pay_three_to_two_rounded_down() {
        let seed = Seed::chosen("naturals");
        let mut game = opened(100_000, &seed);
        let mut gains = std::collections::BTreeSet::new();
        for _ in 0..3_000 {
            let before = game.bankroll;
            let events = events_of_hand(&mut game);
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
        let events = events(10_000, 3_000, Simple, SeededCuts::new(&Seed::chosen("nineteen")));
        for pair in events.windows(2) {
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
            proptest::prop_assert!(closing.bankroll + wagers >= i64::from(bankroll));
            proptest::prop_assert!((5 * i64::from(closing.hands)..=10 * i64::from(closing.hands)).contains(&wagers));
            // The same cuts play the same game.
            proptest::prop_assert_eq!(play(bankroll, hands, Counting::default(), cuts(), |_| ()), Ok(closing));
        }
    }
}
