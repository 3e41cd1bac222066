//! A round of the game, written from the rules (R4 to R11) alone, without the program's own dealing, betting or
//! payouts, as an independent test of the coach.

use std::fmt::Write;

/// A rank from 0 (deuce) to 12 (ace) and a suit from 0 (clubs) over diamonds and hearts to 3 (spades).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Card {
    pub(super) rank: u8,
    pub(super) suit: u8,
}

pub(super) const SPADES: u8 = 3;

impl Card {
    pub(super) fn all() -> impl Iterator<Item = Card> {
        (0..52).map(|number| Card { rank: number % 13, suit: number / 13 })
    }

    pub(super) fn number(self) -> usize {
        usize::from(self.suit) * 13 + usize::from(self.rank)
    }

    pub(super) fn read(text: &str) -> Card {
        let (rank, suit) = text.split_at(text.len() - 1);
        let ranks = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"];
        let place = |found: Option<usize>| found.unwrap_or_else(|| panic!("{text} is no card")) as u8;
        let rank = place(ranks.iter().position(|other| *other == rank));
        Card { rank, suit: place(["C", "D", "H", "S"].iter().position(|other| *other == suit)) }
    }

    fn text(self) -> String {
        let ranks = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"];
        format!("{}{}", ranks[usize::from(self.rank)], ["C", "D", "H", "S"][usize::from(self.suit)])
    }
}

/// A player's reply: `None` for a fold, or the chips it adds now.
pub(super) type Reply = Option<u32>;

/// The knowledge of the player to act.
#[derive(Clone, Debug)]
pub(super) struct View {
    pub(super) second_street: bool,
    pub(super) stack: u32,
    pub(super) pot: u32,
    pub(super) to_call: u32,
    pub(super) cap: u32,
    pub(super) hole: Card,
    pub(super) up: Vec<Card>,
    /// The up cards of all players the question lists, its own included (R13).
    pub(super) board: Vec<Vec<Card>>,
}

impl View {
    /// The question as it is on the wire.
    pub(super) fn text(&self) -> String {
        let mut text = format!(
            "bet{}:{}:{}:{}:{}",
            1 + u8::from(self.second_street),
            self.stack,
            self.pot,
            self.to_call,
            self.hole.text()
        );
        let mut add = |word: &str| write!(text, ":{word}").expect("a text takes all");
        self.up.iter().for_each(|card| add(&card.text()));
        add("up");
        self.board.iter().flatten().for_each(|card| add(&card.text()));
        text
    }
}

/// A round in play.
#[derive(Clone, Debug)]
pub(super) struct Game {
    cap: u32,
    pub(super) stacks: Vec<u32>,
    /// The hole card and the two up cards of each seat (R4).
    pub(super) cards: Vec<[Card; 3]>,
    pub(super) live: Vec<bool>,
    /// The players in at the beginning of the street.
    listed: Vec<bool>,
    put: Vec<u32>,
    acted: Vec<bool>,
    level: u32,
    pub(super) pot: u32,
    pub(super) second_street: bool,
    opener: usize,
    turn: usize,
}

impl Game {
    /// After the antes (R5), with the first street opened (R6). All seats are dealt in.
    pub(super) fn new(ante: u32, cap: u32, stacks: &[u32], cards: Vec<[Card; 3]>) -> Game {
        let seats = stacks.len();
        let mut game = Game {
            cap,
            stacks: stacks.iter().map(|stack| stack - ante).collect(),
            cards,
            live: vec![true; seats],
            listed: vec![true; seats],
            put: vec![0; seats],
            acted: vec![false; seats],
            level: 0,
            pot: ante * seats as u32,
            second_street: false,
            opener: 0,
            turn: 0,
        };
        game.open();
        game
    }

    fn ups(&self) -> usize {
        1 + usize::from(self.second_street)
    }

    fn open(&mut self) {
        let highest = |seat: &usize| self.cards[*seat][1..=self.ups()].iter().copied().max();
        let live = (0..self.live.len()).filter(|seat| self.live[*seat]);
        self.opener = live.max_by_key(highest).expect("somebody is in");
        self.turn = self.opener;
        self.level = 0;
        self.put.fill(0);
        self.acted.fill(false);
        self.listed.clone_from(&self.live);
    }

    fn is_uncontested(&self) -> bool {
        self.live.iter().filter(|live| **live).count() == 1
    }

    /// The seat that is asked next; `None` if the round is over.
    pub(super) fn next(&mut self) -> Option<usize> {
        let seats = self.live.len();
        loop {
            if self.is_uncontested() {
                return None;
            }
            let has_to_act =
                |seat: &usize| self.live[*seat] && (!self.acted[*seat] || self.put[*seat] < self.level);
            let Some(seat) = (0..seats).map(|step| (self.turn + step) % seats).find(has_to_act) else {
                if self.second_street {
                    return None;
                }
                self.second_street = true;
                self.open();
                continue;
            };
            let to_call = self.level - self.put[seat];
            if self.stacks[seat] < to_call {
                self.live[seat] = false; // R8
            } else if self.stacks[seat] == 0 {
                self.acted[seat] = true; // R8
            } else {
                self.turn = seat;
                return Some(seat);
            }
            self.turn = (seat + 1) % seats;
        }
    }

    pub(super) fn view(&self, seat: usize) -> View {
        let ups = self.ups();
        let listed = (0..self.live.len()).filter(|other| self.listed[*other]);
        View {
            second_street: self.second_street,
            stack: self.stacks[seat],
            pot: self.pot,
            to_call: self.level - self.put[seat],
            cap: self.cap,
            hole: self.cards[seat][0],
            up: self.cards[seat][1..=ups].to_vec(),
            board: listed.map(|other| self.cards[other][1..=ups].to_vec()).collect(),
        }
    }

    /// The asked seat replies (R7).
    pub(super) fn act(&mut self, reply: Reply) {
        let seat = self.turn;
        let to_call = self.level - self.put[seat];
        match reply {
            None => self.live[seat] = false,
            Some(chips) => {
                assert!(to_call <= chips && chips <= to_call + self.cap && chips <= self.stacks[seat]);
                self.stacks[seat] -= chips;
                self.put[seat] += chips;
                self.pot += chips;
                self.level = self.level.max(self.put[seat]);
                self.acted[seat] = true;
            }
        }
        self.turn = (seat + 1) % self.live.len();
    }

    /// A seat's winnings from the pot when the round is over (R9 to R11).
    pub(super) fn takes(&self, seat: usize) -> u32 {
        if !self.live[seat] {
            return 0;
        }
        if self.is_uncontested() {
            return self.pot;
        }
        let seats = self.live.len();
        let live: Vec<usize> =
            (0..seats).map(|step| (self.opener + step) % seats).filter(|seat| self.live[*seat]).collect();
        let spade = live
            .iter()
            .copied()
            .filter(|seat| self.cards[*seat][0].suit == SPADES)
            .max_by_key(|seat| self.cards[*seat][0].rank);
        let spade_half = if spade.is_some() { self.pot / 2 } else { 0 };
        let hand_half = self.pot - spade_half;
        let best = live.iter().map(|seat| strength(self.cards[*seat])).max();
        let tied: Vec<usize> =
            live.iter().copied().filter(|seat| Some(strength(self.cards[*seat])) == best).collect();
        let place = tied.iter().position(|other| *other == seat);
        let of_hand = place.map_or(0, |place| {
            let winners = tied.len() as u32;
            hand_half / winners + u32::from((place as u32) < hand_half % winners)
        });
        of_hand + if spade == Some(seat) { spade_half } else { 0 }
    }
}

/// A number that is higher for a better hand: trips, a pair, high cards.
fn strength(cards: [Card; 3]) -> (u8, [u8; 3]) {
    let mut ranks = cards.map(|card| card.rank);
    ranks.sort_unstable_by(|one, other| other.cmp(one));
    let [high, middle, low] = ranks;
    match (high == middle, middle == low) {
        (true, true) => (2, ranks),
        (true, false) => (1, ranks),
        (false, true) => (1, [middle, low, high]),
        (false, false) => (0, ranks),
    }
}

/// Dice: SplitMix64.
#[derive(Clone, Debug)]
pub(super) struct Dice(pub(super) u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// From 0 up to but not including 1.
    pub(super) fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    pub(super) fn below(&mut self, bound: usize) -> usize {
        (self.unit() * bound as f64) as usize
    }
}
