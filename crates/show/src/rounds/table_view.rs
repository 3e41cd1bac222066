//! The public view of a table at one moment.

use serde::{Serialize, Serializer};

use casino_stud::cards::Card;
use casino_stud::replay::{DealtSeat, PublicDeal, PublicEvent, RoundEnd};
use casino_stud::stud::{Category, Chips, Half, Seat, Street, Strength, grouped};

use super::RaiseWar;

/// A table on a page or a screen. Players are numbered from 1, as in the journal: where there is one table, by their seats.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TableView {
    /// The table's number, from 1.
    pub table: u32,
    /// The number of the round, from 1.
    pub round: u64,
    /// Whether this is the last round, shown slowly.
    pub finale: bool,
    /// The number of the street, 1 or 2.
    pub street: u8,
    /// The pot in chips.
    pub pot: Chips,
    /// The part of the pot that the highest spade in the hole would win.
    pub spade_half: Chips,
    /// The bet to match on this street.
    pub level: Chips,
    /// The number of the player whose turn it is.
    pub turn: Option<usize>,
    /// The number of the player who opened the street.
    pub opener: Option<usize>,
    /// A run of raises that is shown as one, while it is shown.
    pub war: Option<WarView>,
    /// All players at the table, in seat order.
    pub seats: Vec<SeatView>,
    /// How the round ended, once it is over.
    pub result: Option<ResultView>,
    /// Whether hole cards are not even shown at the end.
    #[serde(skip)]
    pub hides_holes: bool,
}

/// A run of raises that is shown as one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct WarView {
    /// How many raises there were.
    pub raises: usize,
    /// The pot before them, in chips.
    pub from: Chips,
    /// The pot after them, in chips.
    pub to: Chips,
    /// The numbers of the players who raised, from 1.
    pub seats: Vec<usize>,
}

/// A hand in a few words, without the cards that decide between equal ones.
fn in_short(strength: Strength) -> String {
    let words = strength.to_string();
    let first = words.split(',').next().unwrap_or(&words);
    match strength.category() {
        Category::Pair => format!("a {first}"),
        Category::Trips | Category::HighCard => first.to_string(),
    }
}

/// Writes a seat as its index, from 0.
fn index<S: Serializer>(seat: &Seat, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u64(seat.index() as u64)
}

/// A seat of a table on a page or a screen.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SeatView {
    /// The place at the table, written as a number from 0.
    #[serde(serialize_with = "index")]
    #[cfg_attr(test, ts(type = "number"))]
    pub at: Seat,
    /// The player's number, from 1.
    pub seat: usize,
    /// The cards turned up.
    #[cfg_attr(test, ts(type = "CardCode[]"))]
    pub up: Vec<Card>,
    /// The hole card, once the round is over and it has won.
    #[cfg_attr(test, ts(type = "CardCode | null"))]
    pub hole: Option<Card>,
    /// The chips the player still has behind.
    pub stack: Chips,
    /// The chips put in on this street.
    pub bet: Chips,
    /// Whether the player is still in.
    pub live: bool,
    /// The player's last action, in a word or two.
    pub word: String,
    /// The chips the player won in this round.
    pub won: Chips,
    /// Which halves of the pot.
    #[cfg_attr(test, ts(type = "Half[]"))]
    pub halves: Vec<Half>,
    /// The chance of the best hand, from 0 to 1, where it is known.
    pub hand_chance: Option<f64>,
    /// The chance of the highest spade in the hole, from 0 to 1, where it is known.
    pub spade_chance: Option<f64>,
}

/// The end of a round on a page or a screen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ResultView {
    /// The number of the player whose hand is shown.
    pub seat: usize,
    /// The hand, hole card first.
    #[cfg_attr(test, ts(type = "CardCode[]"))]
    pub hand: Vec<Card>,
    /// The hand in words.
    pub words: String,
    /// The spade that won half the pot.
    #[cfg_attr(test, ts(type = "CardCode | null"))]
    pub spade: Option<Card>,
    /// The number of the player who had that spade.
    pub spade_seat: Option<usize>,
    /// The chips that went to the best hand.
    pub hand_chips: Chips,
    /// The chips that went to the highest spade.
    pub spade_chips: Chips,
    /// Whether one player took both halves of the pot.
    pub scoop: bool,
    /// Whether hands were compared.
    pub showdown: bool,
    /// All of it in a sentence.
    pub sentence: String,
}

impl TableView {
    /// A round that has just been dealt.
    pub fn dealt(deal: &PublicDeal, finale: bool) -> TableView {
        let seat = |dealt: &DealtSeat| SeatView {
            at: dealt.seat,
            seat: dealt.player + 1,
            up: vec![dealt.up],
            hole: None,
            stack: dealt.stack - deal.ante,
            bet: 0,
            live: true,
            word: String::new(),
            won: 0,
            halves: Vec::new(),
            hand_chance: None,
            spade_chance: None,
        };
        TableView {
            table: deal.table,
            round: deal.round,
            finale,
            street: 1,
            pot: deal.pot(),
            spade_half: deal.pot() / 2,
            level: 0,
            turn: None,
            opener: None,
            war: None,
            seats: deal.seats.iter().map(seat).collect(),
            result: None,
            hides_holes: false,
        }
    }

    /// Shows the hole card of the player in this seat.
    pub fn show_hole(&mut self, seat: Seat, card: Card) {
        self.change(seat, |seat| seat.hole = Some(card));
    }

    /// The number of the player in this seat, from 1.
    fn number(&self, seat: Seat) -> Option<usize> {
        self.seats.iter().find(|view| view.at == seat).map(|view| view.seat)
    }

    /// Shows a run of raises as one. It stays on show until the next event.
    pub fn show_war(&mut self, war: &RaiseWar, names: &[String]) {
        war.bets.iter().for_each(|bet| self.show(bet, names));
        self.war = Some(WarView {
            raises: war.raises,
            from: war.from,
            to: war.to,
            seats: war.seats.iter().filter_map(|seat| self.number(*seat)).collect(),
        });
    }

    /// Shows an event of this round. `names` are those of all players, in the order of their numbers.
    pub fn show(&mut self, event: &PublicEvent, names: &[String]) {
        self.war = None;
        match event {
            PublicEvent::Dealt(_) | PublicEvent::Won { .. } => {}
            PublicEvent::Opened { street, opener, up, .. } => self.opens(*street, *opener, up),
            PublicEvent::Bet { seat, to_call, chips, put_in, pot } => {
                (self.pot, self.spade_half) = (*pot, pot / 2);
                let level = put_in - chips + to_call;
                self.change(*seat, |seat| {
                    seat.stack = seat.stack.saturating_sub(*chips);
                    seat.bet = *put_in;
                    seat.word = match (*chips, *put_in > level) {
                        (0, _) => "checks".to_string(),
                        (chips, false) => format!("calls {chips}"),
                        (chips, true) if level == 0 => format!("bets {chips}"),
                        (_, true) => format!("raises {}", put_in - level),
                    };
                });
                self.level = level.max(*put_in);
                self.acted(*seat);
            }
            PublicEvent::Fold { seat, .. } => self.folds(*seat, "folds"),
            PublicEvent::StaysIn(seat) => {
                self.change(*seat, |seat| seat.word = "all in".to_string());
                self.acted(*seat);
            }
            PublicEvent::ForcedFold(seat) => self.folds(*seat, "cannot call"),
            PublicEvent::Foul { seat, .. } => self.folds(*seat, "foul"),
            PublicEvent::Left { seat, .. } => self.change(*seat, |seat| {
                seat.live = false;
                seat.stack = 0;
                seat.word = "out".to_string();
            }),
            PublicEvent::Ended(end) => self.paid(end, names),
        }
    }

    fn opens(&mut self, street: Street, opener: Seat, up: &[(Seat, Card)]) {
        self.street = if street == Street::First { 1 } else { 2 };
        self.opener = self.number(opener);
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

    fn paid(&mut self, end: &RoundEnd, names: &[String]) {
        self.turn = None;
        let (mut hand_chips, mut spade_chips) = (0, 0);
        for (seat, half, chips) in &end.payouts {
            match half {
                Half::Spade => spade_chips += chips,
                Half::Hand | Half::Whole => hand_chips += chips,
            }
            self.change(*seat, |seat| {
                seat.stack += chips;
                seat.won += chips;
                seat.halves.push(*half);
                seat.word = format!("+{}", grouped(seat.won));
            });
        }
        let hides = self.hides_holes;
        if !hides {
            self.change(end.shown, |seat| seat.hole = end.hand.first().copied());
            if let Some((seat, card)) = end.spade {
                self.change(seat, |seat| seat.hole = Some(card));
            }
        }
        self.result = Some(ResultView {
            seat: self.number(end.shown).expect("the hand shown is of somebody at the table"),
            hand: end.hand.iter().skip(usize::from(hides)).copied().collect(),
            words: end.words(),
            spade: end.spade.map(|(_, card)| card).filter(|_| !hides),
            spade_seat: end.spade.and_then(|(seat, _)| self.number(seat)),
            hand_chips,
            spade_chips,
            scoop: end.spade.is_some() && end.takers() == 1,
            showdown: end.is_showdown,
            sentence: self.sentence(end, names),
        });
    }

    fn sentence(&self, end: &RoundEnd, names: &[String]) -> String {
        let name = |seat: Seat| {
            self.number(seat).and_then(|number| names.get(number - 1)).map_or("", String::as_str)
        };
        let round = self.round;
        if let (Some((seat, card)), 1) = (end.spade, end.takers()) {
            let (name, chips) = (name(seat), end.pot());
            let spade = match self.hides_holes {
                true => "high spade".to_string(),
                false => format!("{} of {}", card.rank().word(), card.suit().word()).to_lowercase(),
            };
            let with = match end.strength {
                Some(strength) if end.is_showdown => format!("with {} and the {spade}", in_short(strength)),
                _ => format!("with the spade; {}", end.words()),
            };
            return format!("Round {round}: {name} scoops {} {with}.", grouped(chips));
        }
        let taker = |(seat, half, chips): &(Seat, Half, Chips)| {
            let what = match half {
                Half::Whole => "",
                Half::Hand => " for the hand",
                Half::Spade => " for the high spade",
            };
            format!("{} wins {}{what}", name(*seat), grouped(*chips))
        };
        let takers: Vec<String> = end.payouts.iter().map(taker).collect();
        format!("Round {round}: {}; {}.", takers.join(", "), end.words())
    }
}
