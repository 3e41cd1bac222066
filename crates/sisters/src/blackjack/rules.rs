//! The rules of a game: the document's, or those that a program plays instead.

use casino_stud::cards::Card;

use super::hand::{AceWay, BlackjackHand, HandValue};
use super::player::BlackjackPlayer;

/// The smallest bet, in chips.
pub const MINIMUM_BET: i64 = 5;

/// How many cuts make a shuffle.
pub(crate) const CUTS: usize = 7;

/// With fewer cards than this left at the beginning of a hand the deck is shuffled.
pub(crate) const RESHUFFLE_BELOW: usize = 20;

/// The dealer draws below this total, hard or soft.
const DEALER_STANDS: u32 = 17;

/// The rules of a game. A misreading of the document changes a field.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlayedRules {
    /// The bankroll and the number of hands of every game, if they do not come from the arguments.
    pub(crate) bankroll: Option<u32>,
    pub(crate) hands: Option<u32>,
    pub(crate) left_first: bool,
    pub(crate) reshuffle_below: usize,
    pub(crate) aces: AceWay,
    pub(crate) dealer_hits_soft_17: bool,
    pub(crate) natural_pays: fn(i64) -> i64,
    pub(crate) natural_pushes: bool,
    pub(crate) keeps_count: bool,
    pub(crate) counts_hole: bool,
    pub(crate) counts_up_card: bool,
    pub(crate) doubles_when_poor: bool,
}

impl PlayedRules {
    /// The document's rules.
    pub(crate) const RIGHT: PlayedRules = PlayedRules {
        bankroll: None,
        hands: None,
        left_first: false,
        reshuffle_below: RESHUFFLE_BELOW,
        aces: AceWay::Right,
        dealer_hits_soft_17: false,
        natural_pays: |bet| 3 * bet / 2,
        natural_pushes: false,
        keeps_count: false,
        counts_hole: true,
        counts_up_card: true,
        doubles_when_poor: false,
    };

    /// The bankroll and the number of hands of a game with these arguments.
    pub(crate) fn bankroll_and_hands(&self, bankroll: u32, hands: u32) -> (u32, u32) {
        (self.bankroll.unwrap_or(bankroll), self.hands.unwrap_or(hands))
    }

    /// Makes an empty hand that counts its aces by these rules.
    pub(crate) fn empty_hand(&self) -> BlackjackHand {
        BlackjackHand::counting_aces(self.aces)
    }

    /// The chips that the player bets with this bankroll.
    pub(crate) fn bet(&self, player: &mut impl BlackjackPlayer, bankroll: i64) -> i64 {
        player.bet(if self.doubles_when_poor { i64::MAX } else { bankroll }, MINIMUM_BET)
    }

    /// Whether the player draws another card.
    pub(crate) fn player_draws(
        &self,
        player: &mut impl BlackjackPlayer,
        hand: &BlackjackHand,
        up: Card,
    ) -> bool {
        !hand.is_bust() && player.draw(up, hand)
    }

    /// Whether the dealer draws another card.
    pub(crate) fn dealer_draws(&self, hand: &BlackjackHand) -> bool {
        match hand.value() {
            HandValue { count: DEALER_STANDS, soft: true } => self.dealer_hits_soft_17,
            HandValue { count, .. } => count < DEALER_STANDS,
        }
    }

    /// The chips that a natural wins against the dealer's two cards.
    pub(crate) fn natural_wins(&self, bet: i64, dealer: [Card; 2]) -> i64 {
        let mut hand = self.empty_hand();
        dealer.into_iter().for_each(|card| hand.add(card));
        let pushes = self.natural_pushes && hand.value().count == 21;
        if pushes { 0 } else { (self.natural_pays)(bet) }
    }
}
