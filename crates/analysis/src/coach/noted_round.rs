//! A round of a journal, reduced to the parts that matter for judging its decisions.

use casino_stud::cards::{Card, CardSet, Deck};
use casino_stud::replay::Observer;
use casino_stud::stud::{Action, Chips, MAX_SEATS, Round, Rules, Seat, SeatSet, Street, Turn};
use casino_stud::table::{Reply, TableEvent};
use casino_stud::tournament::TableGame;

/// A round that was played to its end: its cards, the stacks before it, and everything that happened.
#[derive(Clone, Debug)]
pub struct NotedRound {
    /// The number of the table, from 1.
    pub table: u32,
    /// The number of the round, from 1.
    pub round: u64,
    /// The players of the event dealt in, from 0, in seat order.
    pub players: Vec<usize>,
    rules: Rules,
    stacks: [Chips; MAX_SEATS],
    dealt: SeatSet,
    deck: Deck,
    events: Vec<TableEvent>,
    /// How many chips each seat won or lost, in seat order.
    gains: [i64; MAX_SEATS],
}

/// A reply of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotedReply {
    /// The seat of the player who was asked.
    pub seat: Seat,
    /// The street it was asked on.
    pub street: Street,
    /// The amount to call, in chips.
    pub to_call: Chips,
    /// Its reply.
    pub reply: Reply,
}

/// Takes down rounds while a journal is played again.
#[derive(Clone, Debug, Default)]
pub struct Notebook {
    round: Option<NotedRound>,
}

impl Notebook {
    /// The latest round, if it was dealt and has not been taken yet. The caller knows whether it was finished.
    pub fn take(&mut self) -> Option<NotedRound> {
        self.round.take()
    }
}

impl Observer for Notebook {
    fn event(&mut self, game: &TableGame, event: &TableEvent) {
        if let TableEvent::Dealt { seats } = *event {
            self.round = Some(NotedRound::dealt(game, seats));
        }
        let Some(noted) = &mut self.round else { return };
        noted.events.push(*event);
        match *event {
            TableEvent::Acted { seat, action } => {
                noted.gains[seat.index()] -= i64::from(action.chips().unwrap_or(0));
            }
            TableEvent::Won { seat, chips, .. } => noted.gains[seat.index()] += i64::from(chips),
            _ => {}
        }
    }
}

impl NotedRound {
    /// The round that was played last at a table, which is over.
    ///
    /// # Panics
    /// If no round has been dealt at it.
    pub fn of(game: &TableGame) -> NotedRound {
        let mut notebook = Notebook::default();
        game.table().events().iter().for_each(|event| notebook.event(game, event));
        notebook.take().expect("a round was dealt")
    }

    fn dealt(game: &TableGame, dealt: SeatSet) -> NotedRound {
        let round = game.table().round();
        let mut stacks = [0; MAX_SEATS];
        stacks[..game.began_with().len()].copy_from_slice(game.began_with());
        let holes = dealt.into_iter().map(|seat| round.hole(seat));
        let ups = [0, 1].map(|up| dealt.into_iter().map(move |seat| round.up(seat)[up]));
        let cards: Vec<Card> = holes.chain(ups.into_iter().flatten()).collect();
        let mut gains = [0; MAX_SEATS];
        for seat in dealt {
            gains[seat.index()] = -i64::from(round.rules().ante);
        }
        NotedRound {
            table: game.number(),
            round: game.table().round_number(),
            players: dealt.into_iter().map(|seat| game.player_at(seat)).collect(),
            rules: round.rules(),
            stacks,
            dealt,
            deck: Deck::beginning_with(&cards).expect("a round deals each card once"),
            events: Vec::new(),
            gains,
        }
    }

    /// The seats that were dealt in.
    pub fn seats(&self) -> SeatSet {
        self.dealt
    }

    /// The stack of a seat before the ante, in chips.
    pub fn stack(&self, seat: Seat) -> Chips {
        self.stacks[seat.index()]
    }

    /// The rules that the round was played by.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// The three cards of a seat, hole card first, also if the second up card was never shown.
    pub fn cards(&self, seat: Seat) -> [Card; 3] {
        let slot = self.dealt.into_iter().position(|other| other == seat).unwrap_or(0);
        [0, 1, 2].map(|card| self.deck.cards()[card * self.dealt.len() + slot])
    }

    /// The chips that a seat won or lost in the round.
    pub fn gain(&self, seat: Seat) -> i64 {
        self.gains[seat.index()]
    }

    /// The seats that bet or folded, in order, without fouls.
    pub(super) fn acted(&self) -> impl Iterator<Item = Seat> + '_ {
        self.events.iter().filter_map(|event| match event {
            TableEvent::Acted { seat, .. } => Some(*seat),
            _ => None,
        })
    }

    /// Which player of the event sits in a seat that was dealt in.
    pub fn player_at(&self, seat: Seat) -> usize {
        let slot = self.dealt.into_iter().position(|other| other == seat).unwrap_or(0);
        self.players[slot]
    }

    /// The table after the deal.
    fn begin(&self) -> Spot {
        let mut round = Round::new(self.rules, self.stacks);
        round.deal(self.dealt, &self.deck);
        Spot::new(round)
    }

    /// All that was decided in the round, in order.
    pub(super) fn turns(&self) -> Turns<'_> {
        Turns { noted: self, spot: self.begin(), at: 0, turn: 0 }
    }

    /// The replies of everyone who was asked, in order, but for those that broke a rule.
    pub fn replies(&self) -> impl Iterator<Item = NotedReply> + '_ {
        self.turns().map(|made| NotedReply {
            seat: made.seat,
            street: made.spot.round.street(),
            to_call: made.spot.round.bounds(made.seat).to_call,
            reply: made.action.into(),
        })
    }

    /// The table as it was when the second street was opened, if it was.
    pub(super) fn second_street(&self) -> Option<Spot> {
        let mut spot = self.begin();
        for event in &self.events {
            spot.apply(*event);
            if matches!(event, TableEvent::Opened { street: Street::Second, .. }) {
                return Some(spot);
            }
        }
        None
    }

    /// All that was in the pot at the end, in chips.
    pub(super) fn pot(&self) -> Chips {
        let won = self.events.iter().map(|event| match event {
            TableEvent::Won { chips, .. } => *chips,
            _ => 0,
        });
        won.sum()
    }
}

/// A table at which a player has to act. It has all cards: readers must use only those the player could see.
#[derive(Clone, Debug)]
pub(super) struct Spot {
    pub(super) round: Round,
    /// The players whose up cards the questions of this street show (R13).
    pub(super) board: SeatSet,
    pub(super) shown_second: SeatSet,
    board_cards: [Card; 2 * MAX_SEATS],
}

impl Spot {
    pub(super) fn new(round: Round) -> Spot {
        let board_cards = [Card::ALL[0]; 2 * MAX_SEATS];
        Spot { round, board: SeatSet::EMPTY, shown_second: SeatSet::EMPTY, board_cards }
    }

    pub(super) fn open(&mut self, street: Street, opener: Seat) {
        self.round.open(street, opener);
        self.board = self.round.live();
        if street == Street::Second {
            self.shown_second = self.board;
        }
        let cards = self.board.into_iter().flat_map(|seat| &self.round.up(seat)[..street.up_cards()]);
        self.board_cards.iter_mut().zip(cards).for_each(|(shown, card)| *shown = *card);
    }

    fn apply(&mut self, event: TableEvent) {
        match event {
            TableEvent::Opened { street, opener } => self.open(street, opener),
            TableEvent::Acted { seat, action } => self.round.act(seat, action),
            TableEvent::Passed { seat } => self.round.pass(seat),
            TableEvent::ForcedFold { seat } | TableEvent::Fouled { seat } => self.round.fold(seat),
            TableEvent::Left { seat, .. } => {
                self.round.forfeit(seat);
            }
            TableEvent::Won { seat, chips, .. } => self.round.pay(seat, chips),
            TableEvent::Dealt { .. } | TableEvent::Ended => {}
        }
    }

    /// The up cards of the board, as [`casino_stud::table::Question::board`] lists them.
    pub(super) fn board_cards(&self) -> &[Card] {
        &self.board_cards[..self.board.len() * self.round.street().up_cards()]
    }

    /// The visible up cards of a seat that was dealt in.
    pub(super) fn shown(&self, seat: Seat) -> &[Card] {
        &self.round.up(seat)[..1 + usize::from(self.shown_second.contains(seat))]
    }

    /// All visible up cards.
    pub(super) fn seen(&self) -> CardSet {
        self.round.dealt().into_iter().flat_map(|seat| self.shown(seat).iter().copied()).collect()
    }

    /// Applies the automatic actions up to the next question; returns the seat asked then.
    pub(super) fn run_on(&mut self) -> Option<Seat> {
        loop {
            match self.round.settle() {
                Turn::Ask(seat) => return Some(seat),
                Turn::StreetClosed if self.round.street() == Street::First => {
                    let opener = self.round.opener_of(Street::Second);
                    self.open(Street::Second, opener);
                }
                _ => return None,
            }
        }
    }
}

/// A decision that was made, and the table before it.
#[derive(Clone, Debug)]
pub(super) struct MadeTurn {
    /// The number of the decision among those of the round, from 0.
    pub(super) turn: usize,
    pub(super) seat: Seat,
    pub(super) action: Action,
    pub(super) spot: Spot,
}

/// Goes through the decisions of a round.
pub(super) struct Turns<'a> {
    noted: &'a NotedRound,
    spot: Spot,
    at: usize,
    turn: usize,
}

impl Iterator for Turns<'_> {
    type Item = MadeTurn;

    fn next(&mut self) -> Option<MadeTurn> {
        loop {
            let event = *self.noted.events.get(self.at)?;
            self.at += 1;
            let TableEvent::Acted { seat, action } = event else {
                self.spot.apply(event);
                continue;
            };
            let made = MadeTurn { turn: self.turn, seat, action, spot: self.spot.clone() };
            self.turn += 1;
            self.spot.apply(event);
            return Some(made);
        }
    }
}
