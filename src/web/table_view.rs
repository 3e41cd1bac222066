//! The table as the room sees it at one moment.

use serde::Serialize;

use crate::cards::Card;
use crate::stud::{Chips, Half, Seat, Street};

use super::display_step::{DealtIn, DisplayStep, Payment};

/// A table on the page. Players are numbered from 1, as in the journal: where there is one table, by their seats.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TableView {
    /// The table's number, from 1.
    pub table: u32,
    /// The round shown.
    pub round: u64,
    /// Whether this is the last round, shown slowly.
    pub finale: bool,
    /// 1 or 2.
    pub street: u8,
    /// The pot in chips.
    pub pot: Chips,
    /// The part of the pot that the highest spade in the hole would win.
    pub spade_half: Chips,
    /// What has to be put in on this street to stay in.
    pub level: Chips,
    /// Whose turn it is.
    pub turn: Option<usize>,
    /// Who opened the street.
    pub opener: Option<usize>,
    /// Who is at the table.
    pub seats: Vec<SeatView>,
    /// How the round ended.
    pub result: Option<ResultView>,
}

/// A seat on the page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SeatView {
    /// Where at the table.
    #[serde(skip)]
    at: Seat,
    /// The player's number, from 1.
    pub seat: usize,
    /// The cards turned up.
    pub up: Vec<Card>,
    /// The hole card, once the round is over and it has won.
    pub hole: Option<Card>,
    /// Chips behind.
    pub stack: Chips,
    /// Chips put in on this street.
    pub bet: Chips,
    /// Whether the player is still in.
    pub live: bool,
    /// What the player did last, in a word or two.
    pub word: String,
    /// What the player won in this round.
    pub won: Chips,
    /// Which halves of the pot: `hand`, `spade`, `whole`.
    pub halves: Vec<&'static str>,
}

/// The end of a round on the page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ResultView {
    /// Whose hand is shown.
    pub seat: usize,
    /// The hand, hole card first.
    pub hand: Vec<Card>,
    /// The hand in words.
    pub words: String,
    /// The spade that won half the pot.
    pub spade: Option<Card>,
    /// Whose.
    pub spade_seat: Option<usize>,
    /// The whole in a sentence.
    pub sentence: String,
}

impl TableView {
    /// A round that has just been dealt.
    pub(super) fn dealt(table: u32, round: u64, pot: Chips, seats: &[DealtIn], finale: bool) -> TableView {
        let seat = |dealt: &DealtIn| SeatView {
            at: dealt.seat,
            seat: dealt.player + 1,
            up: vec![dealt.up],
            hole: None,
            stack: dealt.stack,
            bet: 0,
            live: true,
            word: String::new(),
            won: 0,
            halves: Vec::new(),
        };
        TableView {
            table,
            round,
            finale,
            street: 1,
            pot,
            spade_half: pot / 2,
            level: 0,
            turn: None,
            opener: None,
            seats: seats.iter().map(seat).collect(),
            result: None,
        }
    }

    /// The number of the player in this seat, from 1.
    fn number(&self, seat: Seat) -> Option<usize> {
        self.seats.iter().find(|view| view.at == seat).map(|view| view.seat)
    }

    /// Shows a beat of this round. `name` gives the names by the players' numbers.
    pub(super) fn show(&mut self, beat: &DisplayStep, name: impl Fn(usize) -> String) {
        match beat {
            DisplayStep::Dealt { .. } | DisplayStep::Rest => {}
            DisplayStep::Opened { street, opener, up } => {
                self.street = if *street == Street::First { 1 } else { 2 };
                self.opener = self.number(*opener);
                self.turn = self.opener;
                self.level = 0;
                for seat in &mut self.seats {
                    seat.bet = 0;
                    if seat.live {
                        seat.word.clear();
                    }
                }
                for (seat, card) in up {
                    self.change(*seat, |seat| seat.up.push(*card));
                }
            }
            DisplayStep::Turn(seat) => self.turn = self.number(*seat),
            DisplayStep::Bet(seat, chips) => {
                let level = self.level;
                self.pot += chips;
                self.spade_half = self.pot / 2;
                let mut reached = 0;
                self.change(*seat, |seat| {
                    seat.stack = seat.stack.saturating_sub(*chips);
                    seat.bet += chips;
                    reached = seat.bet;
                    seat.word = match (*chips, seat.bet > level) {
                        (0, _) => "checks".to_string(),
                        (chips, false) => format!("calls {chips}"),
                        (chips, true) if level == 0 => format!("bets {chips}"),
                        (_, true) => format!("raises {}", seat.bet - level),
                    };
                });
                self.level = level.max(reached);
                self.acted(*seat);
            }
            DisplayStep::Fold(seat) => self.folds(*seat, "folds"),
            DisplayStep::Pass(seat) => {
                self.change(*seat, |seat| seat.word = "all in".to_string());
                self.acted(*seat);
            }
            DisplayStep::ForcedFold(seat) => self.folds(*seat, "cannot call"),
            DisplayStep::Foul(seat, _) => self.folds(*seat, "foul"),
            DisplayStep::Left(seat, _) => self.change(*seat, |seat| {
                seat.live = false;
                seat.stack = 0;
                seat.word = "out".to_string();
            }),
            DisplayStep::Paid(payment) => self.paid(payment, name),
        }
    }

    fn change(&mut self, seat: Seat, change: impl FnOnce(&mut SeatView)) {
        if let Some(seat) = self.seats.iter_mut().find(|view| view.at == seat) {
            change(seat);
        }
    }

    fn folds(&mut self, seat: Seat, word: &str) {
        self.change(seat, |seat| {
            seat.live = false;
            seat.word = word.to_string();
        });
        self.acted(seat);
    }

    /// The turn goes on to the next player who is in; whether that player has to act is the dealer's to know.
    fn acted(&mut self, seat: Seat) {
        let live = |view: &&SeatView| view.live;
        let after = self.seats.iter().filter(|view| view.at > seat).find(live);
        self.turn = after.or_else(|| self.seats.iter().find(live)).map(|view| view.seat);
    }

    fn paid(&mut self, payment: &Payment, name: impl Fn(usize) -> String) {
        self.turn = None;
        let mut takers = Vec::new();
        let named = |view: &TableView, seat: Seat| view.number(seat).map(&name).unwrap_or_default();
        for (seat, half, chips) in &payment.payouts {
            let (word, what) = match half {
                Half::Whole => ("whole", ""),
                Half::Hand => ("hand", " for the hand"),
                Half::Spade => ("spade", " for the high spade"),
            };
            takers.push(format!("{} wins {chips}{what}", named(self, *seat)));
            self.change(*seat, |seat| {
                seat.stack += chips;
                seat.won += chips;
                seat.halves.push(word);
                seat.word = format!("+{}", seat.won);
            });
        }
        self.change(payment.shown, |seat| seat.hole = payment.hand.first().copied());
        if let Some((seat, card)) = payment.spade {
            self.change(seat, |seat| seat.hole = Some(card));
        }
        self.result = Some(ResultView {
            seat: self.number(payment.shown).expect("the hand shown is of somebody at the table"),
            hand: payment.hand.clone(),
            words: payment.words.clone(),
            spade: payment.spade.map(|(_, card)| card),
            spade_seat: payment.spade.and_then(|(seat, _)| self.number(seat)),
            sentence: format!("Round {}: {}; {}.", self.round, takers.join(", "), payment.words),
        });
    }
}
