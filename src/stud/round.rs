//! One round, from the ante to the payout.

use crate::cards::{Card, Deck};

use super::{Action, Bounds, Chips, MAX_SEATS, Seat, SeatSet, Showdown};

/// What happens to a player whose stack is below what it would have to call (R8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum ShortStack {
    /// It is folded without being asked.
    #[default]
    Fold,
    /// It is asked, and only `fold` is legal: for grading.
    Ask,
}

/// The numbers of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Chips everyone dealt in puts into the pot first (R5).
    pub ante: Chips,
    /// The largest bet or raise over what is to call, in chips (R7).
    pub raise_cap: Chips,
    /// What happens to a player who cannot call (R8).
    pub short_stack: ShortStack,
}

impl Default for Rules {
    /// The document's: ante 1, raises of at most 10.
    fn default() -> Rules {
        Rules { ante: 1, raise_cap: 10, short_stack: ShortStack::Fold }
    }
}

/// A betting round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Street {
    /// `bet1`: a hole card and one up card each.
    First,
    /// `bet2`: a hole card and two up cards each.
    Second,
}

impl Street {
    /// How many up cards a player shows on this street.
    #[inline]
    pub const fn up_cards(self) -> usize {
        self as usize + 1
    }
}

/// What has to happen next.
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Round {
    rules: Rules,
    stacks: [Chips; MAX_SEATS],
    /// What all stacks together have to be, kept in a book of its own: a check after every event then costs
    /// two additions, and the stacks themselves are counted again when the round ends.
    in_stacks: Chips,
    /// What each player has put in on this street.
    put_in: [Chips; MAX_SEATS],
    hole: [Card; MAX_SEATS],
    up: [[Card; 2]; MAX_SEATS],
    dealt: SeatSet,
    live: SeatSet,
    /// Who still has to act on this street before it can close.
    pending: SeatSet,
    pot: Chips,
    /// What has to be put in on this street to stay in.
    level: Chips,
    street: Street,
    opener: Seat,
    /// The last to raise, or the opener: whoever is pending next after it in seat order has the turn.
    action_from: Seat,
}

impl Round {
    /// Nobody dealt in yet.
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

    /// Gives each of the first seats this many chips between two rounds.
    pub fn restack(&mut self, seats: usize, stack: Chips) {
        assert_eq!(self.pot, 0, "the last pot is paid out before stacks change");
        self.stacks[..seats].fill(stack);
        self.in_stacks = stack * seats as Chips;
    }

    /// Everyone in `seats` antes and gets the cards of its slot (R4, R5). Each of them must be able to pay
    /// the ante, and the last round must be over.
    pub fn deal(&mut self, seats: SeatSet, deck: &Deck) {
        assert_eq!(self.pot, 0, "the last pot is paid out before the next deal");
        let players = seats.len();
        let cards = deck.cards();
        for (slot, seat) in seats.into_iter().enumerate() {
            let at = seat.index();
            self.stacks[at] -= self.rules.ante;
            self.hole[at] = cards[slot];
            self.up[at] = [cards[players + slot], cards[2 * players + slot]];
        }
        let antes = self.rules.ante * players as Chips;
        self.in_stacks -= antes;
        self.pot += antes;
        self.dealt = seats;
        self.live = seats;
    }

    /// Opens a street for the players still in; `opener` acts first.
    pub fn open(&mut self, street: Street, opener: Seat) {
        self.street = street;
        self.put_in = [0; MAX_SEATS];
        self.level = 0;
        self.pending = self.live;
        self.opener = opener;
        self.action_from = opener;
    }

    /// Who opens a street (R6): the single highest up card among those still in.
    pub fn opener_of(&self, street: Street) -> Seat {
        let shown = |seat: &Seat| {
            let [first, second] = self.up[seat.index()];
            if street == Street::First { first } else { first.max(second) }
        };
        self.live.into_iter().max_by_key(shown).expect("a street is opened while somebody is in")
    }

    /// What has to happen next.
    #[inline]
    pub fn turn(&self) -> Turn {
        if self.live.len() == 1 {
            return Turn::Uncontested;
        }
        let Some(seat) = self.pending.first_from(self.action_from) else { return Turn::StreetClosed };
        let bounds = self.bounds(seat);
        if bounds.stack < bounds.to_call && self.rules.short_stack == ShortStack::Fold {
            Turn::ForcedFold(seat)
        } else if bounds.stack == 0 && bounds.to_call == 0 {
            Turn::Pass(seat)
        } else {
            Turn::Ask(seat)
        }
    }

    /// What a player still in may bet.
    #[inline]
    pub fn bounds(&self, seat: Seat) -> Bounds {
        let at = seat.index();
        Bounds {
            to_call: self.level - self.put_in[at],
            raise_cap: self.rules.raise_cap,
            stack: self.stacks[at],
        }
    }

    /// The player whose turn it is acts.
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

    /// The player is out of the round; what it put in stays in the pot.
    #[inline]
    pub fn fold(&mut self, seat: Seat) {
        self.live = self.live.without(seat);
        self.pass(seat);
    }

    /// The player needs not act until somebody raises.
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

    /// Counts the stacks again.
    ///
    /// # Panics
    /// If they are not what the book says: then chips came or went unseen (R12).
    pub fn audit(&self) {
        let counted: Chips = self.stacks.iter().sum();
        assert_eq!(counted, self.in_stacks, "R12: the stacks are not what was put in and paid out");
    }

    /// All stacks together, in chips.
    #[inline]
    pub fn in_stacks(&self) -> Chips {
        self.in_stacks
    }

    /// The numbers of the game.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// All stacks in chips, seat by seat.
    #[inline]
    pub fn stacks(&self) -> &[Chips; MAX_SEATS] {
        &self.stacks
    }

    /// Who was dealt in.
    #[inline]
    pub fn dealt(&self) -> SeatSet {
        self.dealt
    }

    /// Who is still in.
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

    /// Who opened the street in play.
    #[inline]
    pub fn opener(&self) -> Seat {
        self.opener
    }

    /// A player's hole card.
    #[inline]
    pub fn hole(&self, seat: Seat) -> Card {
        self.hole[seat.index()]
    }

    /// A player's two up cards; the second one lies there only from the second street on.
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
