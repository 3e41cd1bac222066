//! The table's state machine.

use crate::cards::{Card, Deck};
use crate::stud::{Action, Bounds, Chips, IllegalBet, MAX_SEATS, Payout, Round, Seat, SeatSet, Street, Turn};

use super::{
    Answer, ExitReason, Fault, Foul, FoulTally, Notice, OnFoul, Question, Reply, Status, TableEvent,
    TableSettings,
};

/// The next step of a table's driver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Ask this player its [`Table::question`] and hand over its [`Table::answer`].
    Ask(Seat),
    /// Sends this player a notice that needs no answer. [`Notice::Done`] is the last one.
    Tell(Seat, Notice),
    /// The round is over, and every player has received the result.
    Over,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TablePhase {
    Betting,
    /// This player has been asked and has not answered.
    Asked(Seat),
    /// These players have not received the result of the round yet.
    Telling(SeatSet),
    Over,
}

/// A table: the seats, their stacks, and the round in play. It never reads a clock, a socket, a file or the system's
/// randomness, and it never waits; its driver does.
///
/// ```
/// use casino_stud::cards::Seed;
/// use casino_stud::table::{ExitReason, Fault, Reply, Step, Table, TableSettings};
///
/// let mut table = Table::new(TableSettings::default(), &[500, 500, 500]);
/// table.deal(1, Seed::chosen("monday").shuffler(1).deck(1, table.cards_needed()));
/// let Step::Ask(silent) = table.step() else { panic!("somebody has to open") };
/// // This player does not answer in time, which is a foul and costs it the game.
/// table.answer(Err(Fault::Late { limit_ms: 1_000, bank_ms: 0, partial: false }));
/// loop {
///     match table.step() {
///         Step::Ask(_) => table.answer(Ok(Reply::Bet(0))),
///         Step::Tell(..) => {}
///         Step::Over => break,
///     }
/// }
/// assert!(matches!(table.exit_reason(silent), Some(ExitReason::Foul(_))));
/// assert_eq!(table.seated().len(), 2);
/// assert_eq!(table.stacks().iter().sum::<u32>() + table.forfeited(), 1500);
/// ```
#[derive(Clone, Debug)]
pub struct Table {
    settings: TableSettings,
    /// How many seats there are, whether or not their players have left.
    seats: usize,
    round: Round,
    round_number: u64,
    phase: TablePhase,
    seated: SeatSet,
    /// The up cards of everyone still in on this street (R13), in seat order.
    board: [Card; 2 * MAX_SEATS],
    board_len: usize,
    /// The players who took chips from the last pot.
    winners: SeatSet,
    /// The hand that the last showdown showed.
    shown: [Option<Card>; 3],
    forfeited: Chips,
    /// The sum of stacks, pot and forfeited chips, which no event changes (R12).
    all_chips: Chips,
    /// The fouls since the deal, by seat, and the seats of those who committed them. Empty before the first foul.
    fouls: Vec<Option<Foul>>,
    fouled: SeatSet,
    /// The fouls that each player was forgiven at this table.
    forgiven: Vec<FoulTally>,
    /// Why players left, by seat; empty as long as everyone is there.
    exit_reasons: Vec<Option<ExitReason>>,
    /// Players who left and have not been notified yet.
    leaving: SeatSet,
    events: Vec<TableEvent>,
}

impl Table {
    /// Makes a table with these stacks, in chips and in seat order. A seat with fewer chips than the ante stays empty.
    ///
    /// # Panics
    /// If there are more than [`MAX_SEATS`] stacks or all of them together are 2^31 chips or more.
    pub fn new(settings: TableSettings, stacks: &[Chips]) -> Table {
        assert!(stacks.len() <= MAX_SEATS, "a table has at most 17 seats");
        let mut all = [0; MAX_SEATS];
        all[..stacks.len()].copy_from_slice(stacks);
        let all_chips = stacks.iter().map(|chips| u64::from(*chips)).sum::<u64>();
        assert!(all_chips < 1 << 31, "the chips of a table stay below 2^31");
        let able = |seat: &Seat| all[seat.index()] >= settings.rules.ante;
        Table {
            settings,
            seats: stacks.len(),
            round: Round::new(settings.rules, all),
            round_number: 0,
            phase: TablePhase::Over,
            seated: SeatSet::first_seats(stacks.len()).into_iter().filter(able).collect(),
            board: [Card::ALL[0]; 2 * MAX_SEATS],
            board_len: 0,
            winners: SeatSet::EMPTY,
            shown: [None; 3],
            forfeited: 0,
            all_chips: all_chips as Chips,
            fouls: Vec::new(),
            fouled: SeatSet::EMPTY,
            forgiven: Vec::new(),
            exit_reasons: Vec::new(),
            leaving: SeatSet::EMPTY,
            events: Vec::with_capacity(64),
        }
    }

    /// Makes the table as good as a new one with this many chips in each stack, without allocating.
    ///
    /// # Panics
    /// If the round is not over, or all stacks together are 2^31 chips or more.
    #[inline]
    pub fn restart(&mut self, stack: Chips) {
        assert!(self.phase == TablePhase::Over && self.leaving.is_empty(), "the last round is not over");
        let all_chips = u64::from(stack) * self.seats as u64;
        assert!(all_chips < 1 << 31, "the chips of a table stay below 2^31");
        self.round.restack(self.seats, stack);
        self.all_chips = all_chips as Chips;
        self.forfeited = 0;
        self.forgiven.clear();
        let everyone = SeatSet::first_seats(self.seats);
        if self.seated != everyone {
            self.exit_reasons.clear();
            self.seated = everyone;
        }
        if stack < self.settings.rules.ante {
            self.seated = SeatSet::EMPTY;
        }
    }

    /// How many cards the next deal takes from the top of the deck.
    pub fn cards_needed(&self) -> usize {
        3 * self.seated.len()
    }

    /// Deals a round to everyone seated.
    ///
    /// # Panics
    /// If the last round is not over, or fewer than two players are seated.
    pub fn deal(&mut self, round: u64, deck: &Deck) {
        assert!(self.phase == TablePhase::Over && self.leaving.is_empty(), "the last round is not over");
        assert!(self.seated.len() >= 2, "a round takes two players");
        self.events.clear();
        self.round_number = round;
        for seat in std::mem::take(&mut self.fouled) {
            self.fouls[seat.index()] = None;
        }
        self.winners = SeatSet::EMPTY;
        self.phase = TablePhase::Betting;
        self.round.deal(self.seated, deck);
        self.note(TableEvent::Dealt { seats: self.seated });
        self.open(Street::First);
    }

    fn open(&mut self, street: Street) {
        let mut shown = 0;
        let opener = self.round.opener_showing(street, |up| {
            // Each of a length that the compiler knows: a slice of either length takes a loop and checks.
            match street {
                Street::First => self.board[shown] = up[0],
                Street::Second => self.board[shown..shown + 2].copy_from_slice(up),
            }
            shown += street.up_cards();
        });
        self.round.open(street, opener);
        self.board_len = shown;
        self.note(TableEvent::Opened { street, opener });
    }

    /// Returns the driver's next step. After [`Step::Ask`] the driver calls [`Table::answer`] first.
    ///
    /// # Panics
    /// If a question has not been answered.
    // There are several drivers, so the compiler would make it a call; inlined, a round takes 15 % less time.
    #[inline(always)]
    pub fn step(&mut self) -> Step {
        while self.phase == TablePhase::Betting {
            if let Some(seat) = self.leaving.first() {
                return self.notify_leaving(seat);
            }
            match self.round.turn() {
                Turn::Ask(seat) => {
                    self.phase = TablePhase::Asked(seat);
                    return Step::Ask(seat);
                }
                Turn::Pass(seat) => {
                    self.round.pass(seat);
                    self.note(TableEvent::Passed { seat });
                }
                Turn::ForcedFold(seat) => {
                    self.round.fold(seat);
                    self.note(TableEvent::ForcedFold { seat });
                }
                Turn::StreetClosed if self.round.street() == Street::First => self.open(Street::Second),
                Turn::StreetClosed | Turn::Uncontested => self.settle(),
            }
        }
        self.step_when_settled()
    }

    /// The next step of a round that has been settled.
    #[inline(always)]
    fn step_when_settled(&mut self) -> Step {
        if let TablePhase::Telling(seats) = self.phase {
            if let Some(seat) = seats.first() {
                self.phase = TablePhase::Telling(seats.without(seat));
                return Step::Tell(seat, Notice::Status(self.status(seat)));
            }
            self.phase = TablePhase::Over;
        }
        assert!(self.phase == TablePhase::Over, "a question is answered before the next step");
        match self.leaving.first() {
            Some(seat) => self.notify_leaving(seat),
            None => Step::Over,
        }
    }

    /// Skips the remaining results of the settled round, for drivers of players that ignore them.
    #[inline]
    pub(super) fn spare_statuses(&mut self) {
        if let TablePhase::Telling(_) = self.phase {
            self.phase = TablePhase::Over;
        }
    }

    fn notify_leaving(&mut self, seat: Seat) -> Step {
        self.leaving = self.leaving.without(seat);
        Step::Tell(seat, Notice::Done)
    }

    /// Takes the answer of the player who was asked. The settings decide the cost of a foul (R18, R19).
    ///
    /// # Panics
    /// If there is no open question.
    #[inline]
    pub fn answer(&mut self, answer: Answer) {
        let TablePhase::Asked(seat) = self.phase else { panic!("only a question can be answered") };
        self.phase = TablePhase::Betting;
        // The player asked has to act, unless all others have left meanwhile.
        if self.round.is_closed() {
            return self.answer_uncontested(seat, answer);
        }
        match answer {
            Ok(Reply::Fold) => self.act(seat, Action::FOLD),
            Ok(Reply::Bet(chips)) => match self.round.bounds(seat).bet(chips) {
                Ok(action) => self.act(seat, action),
                Err(problem) => self.answer_illegally(seat, chips, problem),
            },
            Err(fault) => self.answer_faultily(seat, fault),
        }
    }

    #[inline]
    fn act(&mut self, seat: Seat, action: Action) {
        self.round.act(seat, action);
        self.note(TableEvent::Acted { seat, action });
    }

    #[cold]
    fn answer_illegally(&mut self, seat: Seat, chips: Chips, problem: IllegalBet) {
        self.foul(seat, Foul::Illegal { chips, problem, allowed: self.round.bounds(seat) });
    }

    #[cold]
    fn answer_faultily(&mut self, seat: Seat, fault: Fault) {
        self.foul(seat, Foul::Fault { fault, allowed: Some(self.round.bounds(seat)) });
    }

    /// Takes an answer when all others left while this player was asked. The player wins the pot with any answer, and
    /// is paid before anything is forfeited.
    #[cold]
    fn answer_uncontested(&mut self, seat: Seat, answer: Answer) {
        self.settle();
        if let Err(fault) = answer {
            self.foul(seat, Foul::Fault { fault, allowed: None });
        }
    }

    /// Takes a fault without a question: an unrequested message, a full connection, a removal by the teacher. It has no
    /// effect if the player has left already; an open question to the player is withdrawn. Only the last foul of each player
    /// is kept, so a driver records [`Table::events`] before the next report.
    pub fn report(&mut self, seat: Seat, fault: Fault) {
        if !self.seated.contains(seat) {
            return;
        }
        if self.phase == TablePhase::Asked(seat) {
            return self.answer(Err(fault));
        }
        if self.phase == TablePhase::Betting && self.round.live() == SeatSet::only(seat) {
            // The pot is already this player's: it is paid before anything is forfeited.
            self.settle();
        }
        self.foul(seat, Foul::Fault { fault, allowed: None });
    }

    #[cold]
    fn foul(&mut self, seat: Seat, foul: Foul) {
        let out = match &foul {
            Foul::Fault { fault, .. } if fault.is_final() => true,
            _ => self.settings.on_foul == OnFoul::Eject,
        };
        self.fouls.resize_with(self.seats, || None);
        self.fouls[seat.index()] = Some(foul.clone());
        self.fouled = self.fouled.with(seat);
        self.round.fold(seat);
        self.note(TableEvent::Fouled { seat });
        if out {
            return self.leave(seat, ExitReason::Foul(foul));
        }
        // Nearly every table ends without any.
        self.forgiven.resize(self.seats, FoulTally::default());
        self.forgiven[seat.index()].add(&foul, self.round_number);
    }

    /// Sends away those who cannot pay the ante.
    #[cold]
    fn send_away(&mut self, broke: SeatSet) {
        let ante = self.settings.rules.ante;
        for seat in broke {
            let chips = self.round.stacks()[seat.index()];
            self.leave(seat, ExitReason::Busted { chips, ante });
        }
        self.round.audit(0);
    }

    fn leave(&mut self, seat: Seat, why: ExitReason) {
        self.exit_reasons.resize_with(self.seats, || None);
        self.exit_reasons[seat.index()] = Some(why);
        self.leaving = self.leaving.with(seat);
        self.seated = self.seated.without(seat);
        let forfeited = self.round.forfeit(seat);
        self.forfeited += forfeited;
        self.note(TableEvent::Left { seat, forfeited });
    }

    #[inline(never)]
    fn settle(&mut self) {
        let showdown = self.round.showdown();
        let [hole, first, second] = self.round.hand(showdown.shown());
        let second = (self.round.street() == Street::Second).then_some(second);
        self.shown = [Some(hole), Some(first), second];
        for Payout { seat, half, chips } in showdown.payouts() {
            self.round.pay(seat, chips);
            self.winners = self.winners.with(seat);
            self.note(TableEvent::Won { seat, half, chips });
        }
        assert_eq!(self.round.pot(), 0, "a pot is paid out whole");
        let notified = self.round.dealt().and(self.seated);
        let ante = self.settings.rules.ante;
        let broke = self.round.audit(ante).and(notified);
        if !broke.is_empty() {
            self.send_away(broke);
        }
        self.note(TableEvent::Ended);
        self.phase = TablePhase::Telling(notified);
    }

    /// Keeps the event that has just changed the table, and checks that no chip came or went by it (R12).
    #[inline]
    fn note(&mut self, event: TableEvent) {
        self.events.push(event);
        let all_chips = self.round.in_stacks() + self.round.pot() + self.forfeited;
        if all_chips != self.all_chips {
            super::event::not_conserved(self.all_chips, all_chips, event);
        }
    }

    /// The view of a player who is asked.
    #[inline]
    pub fn question(&self, seat: Seat) -> Question<'_> {
        Question::of(&self.round, seat, &self.board[..self.board_len])
    }

    fn status(&self, seat: Seat) -> Status {
        Status { won: self.winners.contains(seat), hand: self.shown }
    }

    /// The number of the round in play or just over; 0 before the first.
    pub fn round_number(&self) -> u64 {
        self.round_number
    }

    /// The players who are still at the table.
    #[inline]
    pub fn seated(&self) -> SeatSet {
        self.seated
    }

    /// The stacks in chips, in seat order.
    #[inline]
    pub fn stacks(&self) -> &[Chips] {
        &self.round.stacks()[..self.seats]
    }

    /// The chips that left play at this table.
    pub fn forfeited(&self) -> Chips {
        self.forfeited
    }

    /// The round in play with every card. It is for records and displays, never for a player.
    pub fn round(&self) -> &Round {
        &self.round
    }

    /// The events since the deal, in order.
    pub fn events(&self) -> &[TableEvent] {
        &self.events
    }

    /// The players who committed a foul since the deal.
    #[inline]
    pub fn fouled(&self) -> SeatSet {
        self.fouled
    }

    /// The last foul that a player committed since the deal.
    pub fn foul_of(&self, seat: Seat) -> Option<&Foul> {
        self.fouls.get(seat.index())?.as_ref()
    }

    /// The fouls that a player was forgiven at this table (R19).
    pub fn forgiven(&self, seat: Seat) -> FoulTally {
        self.forgiven.get(seat.index()).copied().unwrap_or_default()
    }

    /// Why a player left the table.
    pub fn exit_reason(&self, seat: Seat) -> Option<&ExitReason> {
        self.exit_reasons.get(seat.index())?.as_ref()
    }

    /// The winning hand of the round that is over, as [`Status`] shows it.
    pub fn shown(&self) -> [Option<Card>; 3] {
        self.shown
    }

    /// The player with an open question, and its legal bets.
    pub fn asked(&self) -> Option<(Seat, Bounds)> {
        match self.phase {
            TablePhase::Asked(seat) => Some((seat, self.round.bounds(seat))),
            TablePhase::Betting | TablePhase::Telling(_) | TablePhase::Over => None,
        }
    }
}

#[cfg(test)]
mod tests;
