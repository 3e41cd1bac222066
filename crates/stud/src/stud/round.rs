//! One round, from the ante to the payout.

use serde::{Deserialize, Serialize};

use crate::cards::{Card, Deck};

use super::{Action, Bounds, Chips, MAX_SEATS, Seat, SeatSet, Showdown};

/// The treatment of a player whose stack is below the amount to call (R8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ShortStack {
    /// The player is folded without being asked.
    #[default]
    Fold,
    /// The player is asked, and only `fold` is legal. Graders use this to test a program's answer.
    Ask,
}

/// The amounts and options of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// The chips that everyone who is dealt in puts into the pot first (R5).
    pub ante: Chips,
    /// Maximum raise over the amount to call, in chips (R7).
    pub raise_cap: Chips,
    /// The treatment of a player who cannot call (R8).
    pub short_stack: ShortStack,
}

impl Default for Rules {
    /// The rules of the course's document: ante 1, raises of at most 10.
    fn default() -> Rules {
        Rules { ante: 1, raise_cap: 10, short_stack: ShortStack::Fold }
    }
}

/// One of the two betting streets of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
pub enum Street {
    /// The street of `bet1`: everyone has a hole card and one up card.
    #[serde(rename = "bet1")]
    First,
    /// The street of `bet2`: everyone has a hole card and two up cards.
    #[serde(rename = "bet2")]
    Second,
}

impl Street {
    /// How many up cards a player shows on this street.
    #[inline]
    pub const fn up_cards(self) -> usize {
        self as usize + 1
    }
}

/// The next step of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// This player has to act.
    Ask(Seat),
    /// This player cannot call and is folded (R8).
    ForcedFold(Seat),
    /// This player has no chips and nothing to call: it stays in without being asked (R8).
    Pass(Seat),
    /// Everyone still in has acted and matched (R9).
    StreetClosed,
    /// One player is left and the round is over (R9).
    Uncontested,
}

/// A round in play, and the stacks it is played with.
///
/// A round applies the rules and nothing else: [`crate::table::Table`] asks players, handles fouls and keeps a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Round {
    rules: Rules,
    stacks: [Chips; MAX_SEATS],
    /// The sum of all stacks, kept on its own: a check after every event then costs two additions, and the stacks
    /// themselves are summed again only when the round ends.
    in_stacks: Chips,
    /// The chips that each player has put into the pot in this round, the ante among them.
    put_in: [Chips; MAX_SEATS],
    hole: [Card; MAX_SEATS],
    up: [[Card; 2]; MAX_SEATS],
    dealt: SeatSet,
    live: SeatSet,
    /// The players who still have to act before this street can close: none if only one player is left.
    pending: SeatSet,
    pot: Chips,
    /// The chips that a player must have put in to stay in.
    level: Chips,
    street: Street,
    opener: Seat,
    /// The last player to raise, or the opener. The first pending player from this seat on has the turn.
    action_from: Seat,
}

impl Round {
    /// A round with these stacks, in chips, before the deal.
    pub fn new(rules: Rules, stacks: [Chips; MAX_SEATS]) -> Round {
        Round {
            rules,
            stacks,
            in_stacks: stacks.iter().sum(),
            put_in: [0; MAX_SEATS],
            hole: [Card::ALL[0]; MAX_SEATS],
            up: [[Card::ALL[0]; 2]; MAX_SEATS],
            dealt: SeatSet::EMPTY,
            live: SeatSet::EMPTY,
            pending: SeatSet::EMPTY,
            pot: 0,
            level: 0,
            street: Street::First,
            opener: Seat::new(0),
            action_from: Seat::new(0),
        }
    }

    /// Gives each of the first `seats` seats this many chips, between two rounds.
    ///
    /// # Panics
    /// If the last pot has not been paid out.
    #[inline]
    pub fn restack(&mut self, seats: usize, stack: Chips) {
        assert_eq!(self.pot, 0, "the last pot is paid out before stacks change");
        self.stacks[..seats].fill(stack);
        self.in_stacks = stack * seats as Chips;
    }

    /// Takes the ante from every player in `seats` and deals it its cards (R4, R5).
    ///
    /// # Panics
    /// If one of them cannot pay the ante, or the last pot has not been paid out.
    pub fn deal(&mut self, seats: SeatSet, deck: &Deck) {
        assert_eq!(self.pot, 0, "the last pot is paid out before the next deal");
        self.put_in = [0; MAX_SEATS];
        self.level = self.rules.ante;
        let players = seats.len();
        for (slot, seat) in seats.into_iter().enumerate() {
            self.stacks[seat.index()] -= self.rules.ante;
            self.put_in[seat.index()] = self.rules.ante;
            self.give(seat, slot, players, deck);
        }
        let antes = self.rules.ante * players as Chips;
        self.in_stacks -= antes;
        self.pot += antes;
        self.dealt = seats;
        self.live = seats;
    }

    /// Replaces the cards of all players dealt in by those of this deck (R4), and changes nothing else: the same round
    /// with another deal.
    pub fn redeal(&mut self, deck: &Deck) {
        let players = self.dealt.len();
        for (slot, seat) in self.dealt.into_iter().enumerate() {
            self.give(seat, slot, players, deck);
        }
    }

    /// Deals cards to the player at `slot` among those dealt in, 0-based (R4).
    #[inline(always)]
    fn give(&mut self, seat: Seat, slot: usize, players: usize, deck: &Deck) {
        let cards = deck.cards();
        self.hole[seat.index()] = cards[slot];
        self.up[seat.index()] = [cards[players + slot], cards[2 * players + slot]];
    }

    /// Opens a street for the players still in. `opener` acts first.
    pub fn open(&mut self, street: Street, opener: Seat) {
        self.street = street;
        self.pending = if self.is_uncontested() { SeatSet::EMPTY } else { self.live };
        self.opener = opener;
        self.action_from = opener;
    }

    /// The player who opens a street (R6): the one with the highest up card among those still in.
    ///
    /// # Panics
    /// If no player is still in.
    pub fn opener_of(&self, street: Street) -> Seat {
        self.opener_showing(street, |_| {})
    }

    /// The same, which hands over the two up cards of everyone still in, in seat order, as it looks at them.
    ///
    /// # Panics
    /// If no player is still in.
    #[inline]
    pub fn opener_showing(&self, street: Street, mut show: impl FnMut(&[Card; 2])) -> Seat {
        // The card and its seat as one number, which needs no branch: whether a card is higher nothing foretells.
        let mut best = 0;
        for seat in self.live {
            let up = self.up(seat);
            show(up);
            let highest = if street == Street::First { up[0] } else { up[0].max(up[1]) };
            best = best.max((highest.index() + 1) << 8 | seat.index());
        }
        assert_ne!(best, 0, "a street is opened while somebody is in");
        Seat::new(best & 0xFF)
    }

    /// Returns the next step.
    #[inline]
    pub fn turn(&self) -> Turn {
        let Some(seat) = self.pending.first_from(self.action_from) else {
            return if self.is_uncontested() { Turn::Uncontested } else { Turn::StreetClosed };
        };
        let bounds = self.bounds(seat);
        if bounds.stack > bounds.to_call {
            Turn::Ask(seat)
        } else if bounds.to_call == 0 {
            // Then there are no chips either.
            Turn::Pass(seat)
        } else if bounds.stack < bounds.to_call && self.rules.short_stack == ShortStack::Fold {
            Turn::ForcedFold(seat)
        } else {
            Turn::Ask(seat)
        }
    }

    /// Applies the automatic folds (R8), and returns the next step: a question, or the end of the street.
    pub fn settle(&mut self) -> Turn {
        loop {
            match self.turn() {
                Turn::Pass(seat) => self.pass(seat),
                Turn::ForcedFold(seat) => self.fold(seat),
                next => return next,
            }
        }
    }

    /// The legal bets of a player still in.
    #[inline]
    pub fn bounds(&self, seat: Seat) -> Bounds {
        let at = seat.index();
        Bounds {
            to_call: self.level - self.put_in[at],
            raise_cap: self.rules.raise_cap,
            stack: self.stacks[at],
        }
    }

    /// Applies the action of the player whose turn it is.
    #[inline]
    pub fn act(&mut self, seat: Seat, action: Action) {
        let Some(chips) = action.chips() else { return self.fold(seat) };
        let at = seat.index();
        self.stacks[at] -= chips;
        self.in_stacks -= chips;
        self.pot += chips;
        self.put_in[at] += chips;
        if self.put_in[at] > self.level {
            self.level = self.put_in[at];
            self.pending = self.live;
            self.action_from = seat;
        }
        self.pass(seat);
    }

    /// Takes the player out of the round. Its chips stay in the pot.
    #[inline]
    pub fn fold(&mut self, seat: Seat) {
        self.live = self.live.without(seat);
        self.pass(seat);
        if self.is_uncontested() {
            self.pending = SeatSet::EMPTY;
        }
    }

    /// Whether a single player is left and takes the pot (R9).
    #[inline]
    pub fn is_uncontested(&self) -> bool {
        self.live.len() == 1
    }

    /// Whether the street is over: all players still in have matched, or a single one is left.
    #[inline]
    pub fn is_closed(&self) -> bool {
        self.pending.is_empty()
    }

    /// Marks that the player need not act again until a raise.
    #[inline]
    pub fn pass(&mut self, seat: Seat) {
        self.pending = self.pending.without(seat);
    }

    /// How the pot is shared between the players still in (R9–R11).
    pub fn showdown(&self) -> Showdown {
        match (self.live.len(), self.live.first()) {
            (1, Some(seat)) => Showdown::uncontested(seat, self.pot),
            _ => Showdown::between(self.live, self.opener, self.pot, |seat| self.hand(seat)),
        }
    }

    /// Moves chips from the pot to a player.
    pub fn pay(&mut self, seat: Seat, chips: Chips) {
        self.pot -= chips;
        self.stacks[seat.index()] += chips;
        self.in_stacks += chips;
    }

    /// Takes a player's whole stack off the table and returns it.
    pub fn forfeit(&mut self, seat: Seat) -> Chips {
        let chips = std::mem::take(&mut self.stacks[seat.index()]);
        self.in_stacks -= chips;
        chips
    }

    /// Sums the stacks again and compares, and returns the seats with less than so many chips.
    ///
    /// # Panics
    /// If they are not the chips put in and paid out (R12).
    pub fn audit(&self, least: Chips) -> SeatSet {
        // Seventeen numbers of 32 bits do not overflow one of 64.
        let (mut counted, mut poor) = (0_u64, SeatSet::EMPTY);
        for (index, chips) in self.stacks.iter().enumerate() {
            counted = counted.wrapping_add(u64::from(*chips));
            poor = poor.or(SeatSet::only(Seat::new(index)).if_true(*chips < least));
        }
        assert_eq!(
            counted,
            u64::from(self.in_stacks),
            "R12: the stacks are not what was put in and paid out"
        );
        poor
    }

    /// The sum of all stacks, in chips.
    #[inline]
    pub fn in_stacks(&self) -> Chips {
        self.in_stacks
    }

    /// The rules that the round is played by.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// All stacks in chips, in seat order.
    #[inline]
    pub fn stacks(&self) -> &[Chips; MAX_SEATS] {
        &self.stacks
    }

    /// The chips of each player in the pot in this round, including the ante, in seat order.
    #[inline]
    pub fn put_in(&self) -> &[Chips; MAX_SEATS] {
        &self.put_in
    }

    /// The players who were dealt in.
    #[inline]
    pub fn dealt(&self) -> SeatSet {
        self.dealt
    }

    /// The players who are still in.
    #[inline]
    pub fn live(&self) -> SeatSet {
        self.live
    }

    /// The pot in chips.
    #[inline]
    pub fn pot(&self) -> Chips {
        self.pot
    }

    /// The street in play.
    #[inline]
    pub fn street(&self) -> Street {
        self.street
    }

    /// The player who opened the street in play.
    #[inline]
    pub fn opener(&self) -> Seat {
        self.opener
    }

    /// A player's hole card.
    #[inline]
    pub fn hole(&self, seat: Seat) -> Card {
        self.hole[seat.index()]
    }

    /// A player's two up cards. The second one is shown from the second street on.
    #[inline]
    pub fn up(&self, seat: Seat) -> &[Card; 2] {
        &self.up[seat.index()]
    }

    /// A player's three cards, hole card first.
    #[inline]
    pub fn hand(&self, seat: Seat) -> [Card; 3] {
        let [first, second] = self.up[seat.index()];
        [self.hole[seat.index()], first, second]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// R12: a surplus chip stops the game at the end of the round, from any source.
    #[test]
    #[should_panic(expected = "R12")]
    fn an_extra_chip_in_the_pot_is_detected() {
        let mut round = Round::new(Rules::default(), [9; MAX_SEATS]);
        round.audit(0);
        round.stacks[4] += 1;
        round.audit(0);
    }
}
