//! The state machine.

use std::collections::VecDeque;

use crate::cards::{Card, Deck};
use crate::stud::{Bounds, Chips, MAX_SEATS, Round, Rules, Seat, SeatSet, Street, Turn};

use super::{Answer, ExitReason, Fault, Foul, Notice, Question, Reply, Status, TableEvent};

/// What a foul costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnFoul {
    /// The game (R18).
    #[default]
    Eject,
    /// The hand: a rehearsal (R19). A player whose connection is of no use is out all the same.
    Fold,
}

/// How a table is run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TableSettings {
    /// The numbers of the game.
    pub rules: Rules,
    /// What a foul costs.
    pub on_foul: OnFoul,
}

/// What the driver of a table has to do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Ask this player its [`Table::question`] and give the [`Table::answer`].
    Ask(Seat),
    /// Tell this player; no answer is expected. After [`Notice::Done`] nothing more is ever said to it.
    Tell(Seat, Notice),
    /// The round is over, and everyone has been told.
    Over,
}

/// A player who was thrown out of a round that was dealt and not finished, because the dealer's machine died. It
/// has been told and stays out: when the round is dealt again it does the same again without being asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThrownOut {
    /// Who.
    pub seat: Seat,
    /// What it replied before its foul. Said again as long as it is legal.
    pub replies: VecDeque<Reply>,
    /// The foul, which ends its round in the words it was told, whatever is allowed now.
    pub foul: Foul,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Betting,
    /// These players have not been told yet how the round ended.
    Telling(SeatSet),
    Over,
}

/// A table: the seats, their stacks, and the round in play. It never reads a clock, a socket, a file or the
/// system's randomness, and it never waits: whoever drives it does.
#[derive(Clone, Debug)]
pub struct Table {
    conduct: TableSettings,
    /// How many seats there are, taken or left.
    seats: usize,
    round: Round,
    round_number: u64,
    phase: Phase,
    seated: SeatSet,
    /// Who was asked and has not answered.
    asked: Option<Seat>,
    /// What everyone shows on this street (R13), in seat order.
    board: [Card; 2 * MAX_SEATS],
    board_len: usize,
    /// Who took chips from the last pot.
    winners: SeatSet,
    /// The hand of the last showdown.
    shown: [Option<Card>; 3],
    forfeited: Chips,
    /// Stacks, pot and forfeited chips together: the same number after every event (R12).
    all_chips: Chips,
    /// The fouls since the deal, and whose they are.
    fouls: [Option<Foul>; MAX_SEATS],
    fouled: SeatSet,
    exit_reasons: [Option<ExitReason>; MAX_SEATS],
    /// Who is out and has not been told.
    leaving: SeatSet,
    /// Who was thrown out when this round was dealt before, and has not come to its foul yet.
    repeating: SeatSet,
    thrown_out: Vec<ThrownOut>,
    events: Vec<TableEvent>,
}

impl Table {
    /// A table with these stacks, in chips, in seat order. A seat with fewer chips than the ante stays empty.
    ///
    /// # Panics
    /// If there are more than [`MAX_SEATS`] stacks or all of them together are 2^31 chips or more.
    pub fn new(conduct: TableSettings, stacks: &[Chips]) -> Table {
        assert!(stacks.len() <= MAX_SEATS, "a table has at most 17 seats");
        let mut all = [0; MAX_SEATS];
        all[..stacks.len()].copy_from_slice(stacks);
        let all_chips = stacks.iter().map(|chips| u64::from(*chips)).sum::<u64>();
        assert!(all_chips < 1 << 31, "the chips of a table stay below 2^31");
        let able = |seat: &Seat| all[seat.index()] >= conduct.rules.ante;
        Table {
            conduct,
            seats: stacks.len(),
            round: Round::new(conduct.rules, all),
            round_number: 0,
            phase: Phase::Over,
            seated: SeatSet::first_seats(stacks.len()).into_iter().filter(able).collect(),
            asked: None,
            board: [Card::ALL[0]; 2 * MAX_SEATS],
            board_len: 0,
            winners: SeatSet::EMPTY,
            shown: [None; 3],
            forfeited: 0,
            all_chips: all_chips as Chips,
            fouls: [const { None }; MAX_SEATS],
            fouled: SeatSet::EMPTY,
            exit_reasons: [const { None }; MAX_SEATS],
            leaving: SeatSet::EMPTY,
            repeating: SeatSet::EMPTY,
            thrown_out: Vec::new(),
            events: Vec::with_capacity(64),
        }
    }

    /// Begins anew: everyone sits down again, each with this many chips, as at a table that was just made, and
    /// nothing that was forfeited is remembered. Costs no memory.
    ///
    /// # Panics
    /// If the round is not over, or all stacks together are 2^31 chips or more.
    pub fn restart(&mut self, stack: Chips) {
        assert!(self.phase == Phase::Over && self.leaving.is_empty(), "the last round is not over");
        let all_chips = u64::from(stack) * self.seats as u64;
        assert!(all_chips < 1 << 31, "the chips of a table stay below 2^31");
        self.round.restack(self.seats, stack);
        self.all_chips = all_chips as Chips;
        self.forfeited = 0;
        let everyone = SeatSet::first_seats(self.seats);
        if self.seated != everyone {
            self.exit_reasons = [const { None }; MAX_SEATS];
            self.seated = everyone;
        }
        if stack < self.conduct.rules.ante {
            self.seated = SeatSet::EMPTY;
        }
    }

    /// How many cards the next deal takes from the top of the deck.
    pub fn cards_needed(&self) -> usize {
        3 * self.seated.len()
    }

    /// Begins a round with everyone seated.
    ///
    /// # Panics
    /// If the last round is not over or fewer than two are seated.
    pub fn deal(&mut self, round: u64, deck: &Deck) {
        assert!(self.phase == Phase::Over && self.leaving.is_empty(), "the last round is not over");
        assert!(self.seated.len() >= 2, "a round takes two players");
        self.events.clear();
        self.round_number = round;
        for seat in std::mem::take(&mut self.fouled) {
            self.fouls[seat.index()] = None;
        }
        self.winners = SeatSet::EMPTY;
        self.phase = Phase::Betting;
        self.round.deal(self.seated, deck);
        self.note(TableEvent::Dealt { seats: self.seated });
        self.open(Street::First);
    }

    /// These players were thrown out when the round that has just been dealt was dealt before. They are not asked,
    /// and at the end of the round they are out at the latest.
    pub fn throw_out_again(&mut self, thrown_out: Vec<ThrownOut>) {
        self.repeating = thrown_out.iter().map(|player| player.seat).collect();
        self.thrown_out = thrown_out;
    }

    /// Whether a player was thrown out when this round was dealt before, and has not come to its foul yet.
    pub fn is_repeating(&self, seat: Seat) -> bool {
        self.repeating.contains(seat)
    }

    fn open(&mut self, street: Street) {
        let opener = self.round.opener_of(street);
        self.record(TableEvent::Opened { street, opener });
    }

    /// What the driver has to do next. After [`Step::Ask`] it must give an [`Table::answer`] first.
    ///
    /// # Panics
    /// If a question has not been answered.
    // There are several drivers, so the compiler would make it a call; inlined, a round takes 15 % less time.
    #[inline(always)]
    pub fn step(&mut self) -> Step {
        assert!(self.asked.is_none(), "a question is answered before the next step");
        loop {
            match self.phase {
                Phase::Betting => {
                    if !self.leaving.is_empty() {
                        return self.tell_leaving();
                    }
                    match self.round.turn() {
                        Turn::Ask(seat) if self.repeating.contains(seat) => self.repeat(seat),
                        Turn::Ask(seat) => {
                            self.asked = Some(seat);
                            return Step::Ask(seat);
                        }
                        Turn::Pass(seat) => self.record(TableEvent::Passed { seat }),
                        Turn::ForcedFold(seat) => self.record(TableEvent::ForcedFold { seat }),
                        Turn::StreetClosed if self.round.street() == Street::First => {
                            self.open(Street::Second)
                        }
                        Turn::StreetClosed | Turn::Uncontested => self.settle(),
                    }
                }
                Phase::Telling(seats) => match seats.first() {
                    Some(seat) => {
                        self.phase = Phase::Telling(seats.without(seat));
                        return Step::Tell(seat, Notice::Status(self.status(seat)));
                    }
                    None => self.phase = Phase::Over,
                },
                Phase::Over if !self.leaving.is_empty() => return self.tell_leaving(),
                Phase::Over => return Step::Over,
            }
        }
    }

    fn tell_leaving(&mut self) -> Step {
        let seat = self.leaving.first().expect("somebody is leaving");
        self.leaving = self.leaving.without(seat);
        Step::Tell(seat, Notice::Done)
    }

    /// The answer of the player who was asked. A foul takes its course (R18, R19).
    ///
    /// # Panics
    /// If nobody was asked.
    #[inline]
    pub fn answer(&mut self, answer: Answer) {
        let seat = self.asked.take().expect("only a question can be answered");
        if self.round.live() == SeatSet::only(seat) {
            return self.answer_in_vain(seat, answer);
        }
        let bounds = self.round.bounds(seat);
        match answer {
            Ok(reply) => match reply.legalise(&bounds) {
                Ok(action) => self.record(TableEvent::Acted { seat, action }),
                Err(problem) => {
                    let Reply::Bet(chips) = reply else { unreachable!("folding is always legal") };
                    self.foul(seat, Foul::Illegal { chips, problem, allowed: bounds });
                }
            },
            Err(fault) => self.foul(seat, Foul::Fault { fault, allowed: Some(bounds) }),
        }
    }

    /// Everyone else was thrown out while this player was asked: the pot is its own whatever it answers, and is paid
    /// before anything is forfeited.
    #[cold]
    fn answer_in_vain(&mut self, seat: Seat, answer: Answer) {
        self.settle();
        if let Err(fault) = answer {
            self.foul(seat, Foul::Fault { fault, allowed: None });
        }
    }

    /// A fault of a player who need not have been asked: a message nobody wanted, a connection that takes no
    /// more, the hand of the people in charge. Nothing happens if it has left already. A player who was asked
    /// need not answer any more. Only the last foul of each player is kept: whoever records [`Table::events`] does
    /// it before the next report.
    pub fn report(&mut self, seat: Seat, fault: Fault) {
        if !self.seated.contains(seat) {
            return;
        }
        if self.asked == Some(seat) {
            return self.answer(Err(fault));
        }
        if self.phase == Phase::Betting && self.round.live() == SeatSet::only(seat) {
            // The pot is already this player's: it is paid before anything is forfeited.
            self.settle();
        }
        self.foul(seat, Foul::Fault { fault, allowed: None });
    }

    /// What a player who was thrown out when this round was dealt before does now in its turn.
    #[cold]
    fn repeat(&mut self, seat: Seat) {
        let bounds = self.round.bounds(seat);
        let player = self.thrown_out.iter_mut().find(|player| player.seat == seat);
        let player = player.expect("who repeats was thrown out");
        match player.replies.pop_front().map(|reply| reply.legalise(&bounds)) {
            Some(Ok(action)) => self.record(TableEvent::Acted { seat, action }),
            Some(Err(_)) | None => self.repeat_foul(seat),
        }
    }

    fn repeat_foul(&mut self, seat: Seat) {
        let at = self.thrown_out.iter().position(|player| player.seat == seat);
        let player = self.thrown_out.swap_remove(at.expect("who repeats was thrown out"));
        self.repeating = self.repeating.without(seat);
        self.foul(seat, player.foul);
    }

    #[cold]
    fn foul(&mut self, seat: Seat, foul: Foul) {
        let out = match &foul {
            Foul::Fault { fault, .. } if fault.is_final() => true,
            _ => self.conduct.on_foul == OnFoul::Eject,
        };
        self.fouls[seat.index()] = Some(foul.clone());
        self.fouled = self.fouled.with(seat);
        self.record(TableEvent::Fouled { seat });
        if out {
            self.leave(seat, ExitReason::Foul(foul));
        }
    }

    fn leave(&mut self, seat: Seat, why: ExitReason) {
        self.exit_reasons[seat.index()] = Some(why);
        self.leaving = self.leaving.with(seat);
        self.record(TableEvent::Left { seat, forfeited: self.round.stacks()[seat.index()] });
    }

    #[inline(never)]
    fn settle(&mut self) {
        let showdown = self.round.showdown();
        let [hole, first, second] = self.round.hand(showdown.shown());
        let second = (self.round.street() == Street::Second).then_some(second);
        self.shown = [Some(hole), Some(first), second];
        for payout in showdown.payouts() {
            self.record(TableEvent::Won { seat: payout.seat, half: payout.half, chips: payout.chips });
        }
        assert_eq!(self.round.pot(), 0, "a pot is paid out whole");
        let told = self.round.dealt().and(self.seated);
        let ante = self.conduct.rules.ante;
        for seat in told {
            let chips = self.round.stacks()[seat.index()];
            if chips < ante && !self.repeating.contains(seat) {
                self.leave(seat, ExitReason::Broke { chips, ante });
            }
        }
        self.record(TableEvent::Ended);
        for seat in self.repeating {
            self.repeat_foul(seat);
        }
        self.phase = Phase::Telling(told);
    }

    /// Changes the table by an event, keeps the event, and checks that no chip came or went (R12).
    #[inline]
    fn record(&mut self, event: TableEvent) {
        self.apply(event);
        self.note(event);
    }

    #[inline]
    fn note(&mut self, event: TableEvent) {
        self.events.push(event);
        let all = self.round.in_stacks() + self.round.pot() + self.forfeited;
        if all != self.all_chips {
            not_conserved(self.all_chips, all, event);
        }
    }

    /// The only place where an event changes the table. A deal also needs its deck and is applied by
    /// [`Table::deal`].
    #[inline]
    fn apply(&mut self, event: TableEvent) {
        match event {
            TableEvent::Dealt { .. } => {}
            TableEvent::Ended => self.round.audit(),
            TableEvent::Opened { street, opener } => {
                self.round.open(street, opener);
                self.board_len = 0;
                for seat in self.round.live() {
                    for card in &self.round.up(seat)[..street.up_cards()] {
                        self.board[self.board_len] = *card;
                        self.board_len += 1;
                    }
                }
            }
            TableEvent::Acted { seat, action } => self.round.act(seat, action),
            TableEvent::Passed { seat } => self.round.pass(seat),
            TableEvent::ForcedFold { seat } | TableEvent::Fouled { seat } => self.round.fold(seat),
            TableEvent::Won { seat, chips, .. } => {
                self.round.pay(seat, chips);
                self.winners = self.winners.with(seat);
            }
            TableEvent::Left { seat, forfeited } => {
                self.round.forfeit(seat);
                self.forfeited += forfeited;
                self.seated = self.seated.without(seat);
            }
        }
    }

    /// What a player who is asked gets to see.
    #[inline]
    pub fn question(&self, seat: Seat) -> Question<'_> {
        let street = self.round.street();
        Question {
            street,
            bounds: self.round.bounds(seat),
            pot: self.round.pot(),
            hole: self.round.hole(seat),
            up: &self.round.up(seat)[..street.up_cards()],
            board: &self.board[..self.board_len],
        }
    }

    fn status(&self, seat: Seat) -> Status {
        Status { won: self.winners.contains(seat), hand: self.shown }
    }

    /// The number of the round in play or just over; 0 before the first.
    pub fn round_number(&self) -> u64 {
        self.round_number
    }

    /// Who is still at the table.
    pub fn seated(&self) -> SeatSet {
        self.seated
    }

    /// The stacks in chips, seat by seat.
    pub fn stacks(&self) -> &[Chips] {
        &self.round.stacks()[..self.seats]
    }

    /// The chips that left play at this table.
    pub fn forfeited(&self) -> Chips {
        self.forfeited
    }

    /// The round in play, every card of it: for whoever records or shows it, never for a player.
    pub fn round(&self) -> &Round {
        &self.round
    }

    /// What happened since the deal, in order.
    pub fn events(&self) -> &[TableEvent] {
        &self.events
    }

    /// Who committed a foul since the deal.
    #[inline]
    pub fn fouled(&self) -> SeatSet {
        self.fouled
    }

    /// The foul a player committed since the deal.
    pub fn foul_of(&self, seat: Seat) -> Option<&Foul> {
        self.fouls[seat.index()].as_ref()
    }

    /// Why a player left the table.
    pub fn exit_reason(&self, seat: Seat) -> Option<&ExitReason> {
        self.exit_reasons[seat.index()].as_ref()
    }

    /// The winning hand of the round that is over, as [`Status`] shows it.
    pub fn shown(&self) -> [Option<Card>; 3] {
        self.shown
    }

    /// What the player who was asked may bet.
    pub fn asked(&self) -> Option<(Seat, Bounds)> {
        self.asked.map(|seat| (seat, self.round.bounds(seat)))
    }
}

/// Stops everything: a table that makes or loses chips must not go on, in no build (R12). Apart, so that the
/// event need not be kept in memory for a message that is never written.
#[cold]
#[inline(never)]
fn not_conserved(before: Chips, after: Chips, event: TableEvent) -> ! {
    panic!("R12: {before} chips became {after} by {event:?}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cards::Seed;

    /// Everyone raises as long as it can, so that stacks end and players leave.
    fn play(table: &mut Table, round: u64) -> Vec<TableEvent> {
        let deck = Seed::chosen("again").shuffler(1).deck(round, table.cards_needed());
        table.deal(round, &deck);
        loop {
            match table.step() {
                Step::Ask(seat) if seat.index() == 2 => table.answer(Err(Fault::HungUp { partial: false })),
                Step::Ask(seat) => {
                    let reply = Reply::Bet(table.question(seat).bounds.most());
                    table.answer(Ok(reply));
                }
                Step::Tell(..) => {}
                Step::Over => return table.events().to_vec(),
            }
        }
    }

    #[test]
    fn a_table_that_begins_anew_is_as_good_as_a_new_one() {
        let fresh = || Table::new(TableSettings::default(), &[40; 5]);
        let mut used = fresh();
        for round in 1..=20 {
            used.restart(40);
            let mut new = fresh();
            assert_eq!(play(&mut used, round), play(&mut new, round));
            assert_eq!(used.stacks(), new.stacks());
            assert_eq!(used.forfeited(), new.forfeited());
            assert_eq!((used.seated(), used.fouled()), (new.seated(), new.fouled()));
            for seat in SeatSet::first_seats(5) {
                assert_eq!(used.exit_reason(seat), new.exit_reason(seat));
                assert_eq!(used.foul_of(seat), new.foul_of(seat));
            }
            assert!(new.seated().len() < 5, "somebody has to leave for this to be a test");
        }
    }

    fn dealt(stacks: &[Chips]) -> Table {
        let mut table = Table::new(TableSettings::default(), stacks);
        table.deal(1, &Seed::chosen("table").shuffler(1).deck(1, table.cards_needed()));
        table
    }

    fn finish(table: &mut Table) {
        loop {
            match table.step() {
                Step::Ask(_) => table.answer(Ok(Reply::Fold)),
                Step::Tell(..) => {}
                Step::Over => return,
            }
        }
    }

    /// Everyone else leaves while a player is asked: whatever it answers, even nothing, the pot is its own.
    #[test]
    fn whoever_is_left_alone_while_it_is_asked_has_won() {
        let answers = [
            Ok(Reply::Fold),
            Ok(Reply::Bet(7)),
            Ok(Reply::Bet(900)),
            Err(Fault::Late { limit_ms: 1, partial: false }),
        ];
        for answer in answers {
            let mut table = dealt(&[100, 100, 100]);
            let Step::Ask(asked) = table.step() else { panic!("somebody opens") };
            for other in (0..3).map(Seat::new).filter(|seat| *seat != asked) {
                table.report(other, Fault::HungUp { partial: false });
            }
            table.answer(answer.clone());
            finish(&mut table);
            let won = table.events().iter().filter_map(|event| match event {
                TableEvent::Won { seat, chips, .. } => Some((*seat, *chips)),
                _ => None,
            });
            assert_eq!(won.collect::<Vec<_>>(), [(asked, 3)]);
            let (stack, forfeited) = if answer.is_err() { (0, 300) } else { (102, 198) };
            assert_eq!((table.stacks()[asked.index()], table.forfeited()), (stack, forfeited));
        }
    }

    /// A player who was thrown out before says the same again while that is legal, and then is out for the same foul.
    #[test]
    fn who_was_thrown_out_is_thrown_out_again_in_the_same_words() {
        let foul = || {
            let fault = Fault::Late { limit_ms: 1_000, partial: false };
            Foul::Fault { fault, allowed: Some(Bounds { to_call: 77, raise_cap: 10, stack: 99 }) }
        };
        for (replies, acted) in [(vec![], 0), (vec![0], 1), (vec![0, 5], 2), (vec![500], 0)] {
            let mut table = dealt(&[100, 100, 100]);
            let seat = table.round().opener();
            let replies = replies.into_iter().map(Reply::Bet).collect();
            table.throw_out_again(vec![ThrownOut { seat, replies, foul: foul() }]);
            loop {
                match table.step() {
                    Step::Ask(asked) => {
                        assert_ne!(asked, seat, "it is not there to be asked");
                        let to_call = table.question(asked).bounds.to_call;
                        table.answer(Ok(Reply::Bet(to_call)));
                    }
                    Step::Tell(..) => {}
                    Step::Over => break,
                }
            }
            let acts =
                |event: &&TableEvent| matches!(event, TableEvent::Acted { seat: who, .. } if *who == seat);
            assert_eq!(table.events().iter().filter(acts).count(), acted);
            assert_eq!(table.exit_reason(seat), Some(&ExitReason::Foul(foul())));
            assert!(!table.seated().contains(seat) && table.stacks()[seat.index()] == 0);
        }
    }
}
