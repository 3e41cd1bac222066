//! Blackjack as a student might write it, with one fault at a time: written from the course document alone, in strings,
//! sharing nothing with the program it is held against.

#![allow(unreachable_pub, reason = "a module of a test program")]

#[path = "twister.rs"]
mod twister;

use twister::Twister;

/// What each mutant gets wrong, in one word each. The first is right.
pub const MUTANTS: &str = "\
    right left-first reset-at-reshuffle dealt-cards-to-the-back rest-of-the-cut-reversed six-cuts \
    eight-cuts diamonds-before-clubs ace-before-two cuts-of-26 generator-seeded-again time-as-seed \
    reshuffle-at-20 reshuffle-below-15 reshuffle-below-26 reshuffle-each-hand reshuffle-before-hand-line \
    never-reshuffles double-only-above-10 double-without-bankroll double-at-1 double-at-3 \
    double-below-minus-2 triples always-doubles never-doubles simple-counts count-kept-at-shuffle \
    count-reset-each-hand hole-counted-early hole-never-counted hole-counted-after-bust \
    hole-counted-after-natural dealer-never-counted dealer-up-card-not-counted dealer-draws-not-counted \
    player-draws-not-counted ace-not-counted ten-not-counted deuce-not-counted seven-counted \
    nine-counted-as-high ace-always-1 ace-always-11 soft-ace-stays soft-flag-kept second-ace-hard \
    jack-is-11 hard-12-like-13 hard-12-stands-on-3 hard-12-always-hits hard-16-stands-on-7 hard-16-hits \
    hard-13-like-12 hard-17-hits hard-11-stands soft-17-stands soft-18-stands soft-18-hits \
    soft-18-stands-on-9 soft-18-hits-on-2 soft-19-hits soft-as-hard plays-like-dealer ace-up-card-low \
    looks-at-hole-card natural-plays-on natural-plays-dealer natural-shows-hole natural-prints-total \
    natural-pays-once natural-pays-double natural-rounded-up natural-halved-first natural-pushes \
    natural-without-ten natural-not-known three-cards-natural dealer-hits-soft-17 dealer-stands-on-16 \
    dealer-hits-17 dealer-natural-beats-21 dealer-plays-after-bust hole-shown-after-bust hole-not-shown \
    dealt-two-and-two bust-without-total bust-before-total bust-costs-nothing dealer-bust-pays-nothing \
    push-to-dealer push-to-player double-pays-single hands-plus-one hand-from-zero \
    poor-player-played-one plays-when-poor stops-at-5 one-hand-too-many no-closing-line cards-as-digits \
    spaces-at-the-end debug-lines small-letters no-last-line-end crashes-at-bust \
    dealer-21-busts player-first-card-not-counted player-second-card-not-counted first-cards-not-counted";

const SUITS: [&str; 4] = ["Spades", "Hearts", "Clubs", "Diamonds"];
const SPOTS: [&str; 13] =
    ["Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Jack", "Queen", "King", "Ace"];

/// A spot from 0 (two) to 12 (ace), and a suit.
type Card = (usize, usize);

struct Game {
    fault: &'static str,
    out: String,
    deck: Vec<Card>,
    next: usize,
    random: Twister,
    count: i32,
    counts: bool,
}

/// The deck was empty, or the program crashed.
struct Crash;

/// What a mutant prints for these arguments, as far as it gets.
pub fn mutant(fault: &'static str, bankroll: i64, hands: u32, player: &str) -> String {
    let mut game = Game {
        fault,
        out: String::new(),
        deck: Vec::new(),
        next: 0,
        random: Twister::new(if fault == "time-as-seed" { 1_700_000_000 } else { 0 }),
        count: 0,
        counts: player == "counting" || fault == "simple-counts",
    };
    game.new_deck();
    let _ = game.play(bankroll, hands);
    let mut out = game.out;
    match fault {
        "small-letters" => out = out.to_lowercase(),
        "no-last-line-end" => drop(out.pop()),
        "spaces-at-the-end" => out = out.replace('\n', " \n"),
        _ => {}
    }
    out
}

impl Game {
    fn is(&self, fault: &str) -> bool {
        self.fault == fault
    }

    fn say(&mut self, line: String) {
        self.out += &line;
        self.out.push('\n');
    }

    fn new_deck(&mut self) {
        let suits = if self.is("diamonds-before-clubs") { [0, 1, 3, 2] } else { [0, 1, 2, 3] };
        let first = if self.is("ace-before-two") { 12 } else { 0 };
        self.deck = suits.iter().flat_map(|s| (0..13).map(move |i| ((i + first) % 13, *s))).collect();
        self.next = 0;
    }

    fn cut(&mut self, cut: usize) {
        let (left, right) = self.deck.split_at(cut);
        let (first, second) = if self.is("left-first") { (left, right) } else { (right, left) };
        let both = first.len().min(second.len());
        let mut mixed: Vec<Card> = (0..both).flat_map(|i| [first[i], second[i]]).collect();
        let mut rest: Vec<Card> = [&first[both..], &second[both..]].concat();
        if self.is("rest-of-the-cut-reversed") {
            rest.reverse();
        }
        mixed.append(&mut rest);
        self.deck = mixed;
    }

    fn shuffle(&mut self) {
        self.say("Shuffling the deck".into());
        if self.is("reset-at-reshuffle") {
            self.new_deck();
        }
        if self.is("dealt-cards-to-the-back") {
            self.deck.rotate_left(self.next);
        }
        if self.is("generator-seeded-again") {
            self.random = Twister::new(0);
        }
        let cuts = match self.fault {
            "six-cuts" => 6,
            "eight-cuts" => 8,
            _ => 7,
        };
        for _ in 0..cuts {
            let cut = 13 + self.random.next() % if self.is("cuts-of-26") { 26 } else { 27 };
            self.say(format!("cut at {cut}"));
            self.cut(cut as usize);
        }
        self.next = 0;
        if !self.is("count-kept-at-shuffle") {
            self.count = 0;
        }
    }

    fn see(&mut self, card: Card) {
        self.count += match card.0 {
            0 if self.is("deuce-not-counted") => 0,
            5 if self.is("seven-counted") => 1,
            7 if self.is("nine-counted-as-high") => -1,
            8 if self.is("ten-not-counted") => 0,
            12 if self.is("ace-not-counted") => 0,
            0..=4 => 1,
            5..=7 => 0,
            _ => -1,
        };
    }

    fn deal(&mut self) -> Result<Card, Crash> {
        let card = *self.deck.get(self.next).ok_or(Crash)?;
        self.next += 1;
        Ok(card)
    }

    fn name(&self, card: Card) -> String {
        if self.is("cards-as-digits") && card.0 < 9 {
            return format!("{} of {}", card.0 + 2, SUITS[card.1]);
        }
        format!("{} of {}", SPOTS[card.0], SUITS[card.1])
    }

    /// The total, and whether it is soft.
    fn total(&mut self, cards: &[Card]) -> (i32, bool) {
        let mut sum = 0;
        let mut aces = 0;
        for card in cards {
            sum += match card.0 {
                12 => {
                    aces += 1;
                    1
                }
                9 if self.is("jack-is-11") => 11,
                9..12 => 10,
                spot => spot as i32 + 2,
            };
        }
        match self.fault {
            "ace-always-1" => (sum, false),
            "ace-always-11" => (sum + 10 * aces, aces > 0),
            "soft-ace-stays" => {
                // An ace that counted 11 when it came does so for ever.
                let mut held = 0;
                let mut soft = false;
                for card in cards {
                    let worth = if card.0 == 12 { 1 } else { (card.0 as i32 + 2).min(10) };
                    held += worth;
                    if card.0 == 12 && held + 10 <= 21 {
                        held += 10;
                        soft = true;
                    }
                }
                (held, soft)
            }
            "second-ace-hard" if aces > 1 => (sum, false),
            "soft-flag-kept" => {
                let soft = aces > 0;
                (if soft && sum <= 11 { sum + 10 } else { sum }, soft)
            }
            _ if aces > 0 && sum <= 11 => (sum + 10, true),
            _ => (sum, false),
        }
    }

    fn wants(&mut self, cards: &[Card], up: Card, hole: Card) -> bool {
        let (total, mut soft) = self.total(cards);
        let shown = if self.is("looks-at-hole-card") { hole } else { up };
        let mut up = shown.0 + 2; // 14 is the ace
        if up == 14 && self.is("ace-up-card-low") {
            up = 1;
        }
        if self.is("plays-like-dealer") {
            return total < 17;
        }
        if self.is("soft-as-hard") {
            soft = false;
        }
        if soft {
            return match total {
                19 if self.is("soft-19-hits") => true,
                19.. => false,
                18 => match self.fault {
                    "soft-18-stands" => false,
                    "soft-18-hits" => true,
                    "soft-18-stands-on-9" => ![2, 7, 8, 9].contains(&up),
                    "soft-18-hits-on-2" => ![7, 8].contains(&up),
                    _ => ![2, 7, 8].contains(&up),
                },
                17 if self.is("soft-17-stands") => false,
                _ => true,
            };
        }
        match total {
            17 if self.is("hard-17-hits") => true,
            17.. => false,
            16 if self.is("hard-16-hits") => true,
            16 if self.is("hard-16-stands-on-7") => !(2..=7).contains(&up),
            13 if self.is("hard-13-like-12") => !(4..=6).contains(&up),
            13..=16 if self.is("ace-up-card-low") => up > 6,
            13..=16 => !(2..=6).contains(&up),
            12 => match self.fault {
                "hard-12-like-13" => !(2..=6).contains(&up),
                "hard-12-stands-on-3" => !(3..=6).contains(&up),
                "hard-12-always-hits" => true,
                _ => !(4..=6).contains(&up),
            },
            11 if self.is("hard-11-stands") => false,
            _ => true,
        }
    }

    fn bet(&self, bankroll: i64) -> i64 {
        if !self.counts || self.is("never-doubles") {
            return 5.min(bankroll);
        }
        let good = match self.fault {
            "double-at-1" => self.count >= 1,
            "double-at-3" => self.count >= 3,
            "double-below-minus-2" => self.count <= -2,
            "always-doubles" => true,
            _ => self.count >= 2,
        };
        let times = if self.is("triples") { 3 } else { 2 };
        let enough = match self.fault {
            "double-only-above-10" => bankroll > 10,
            "double-without-bankroll" => true,
            _ => bankroll >= 5 * times,
        };
        if good && enough { 5 * times } else { 5.min(bankroll) }
    }

    fn play(&mut self, mut bankroll: i64, hands: u32) -> Result<(), Crash> {
        self.shuffle();
        let mut hand = 0;
        let hands = if self.is("one-hand-too-many") { hands + 1 } else { hands };
        let least = match self.fault {
            "plays-when-poor" => 1,
            "stops-at-5" => 6,
            _ => 5,
        };
        if bankroll < 5 && self.is("poor-player-played-one") {
            self.say(format!("Player has {bankroll} after 1 hands"));
            return Ok(());
        }
        while bankroll >= least && hand < hands {
            hand += 1;
            let line = format!(
                "Hand {} bankroll {bankroll}",
                if self.is("hand-from-zero") { hand - 1 } else { hand }
            );
            let early = self.is("reshuffle-before-hand-line");
            if !early {
                self.say(line.clone());
            }
            let limit = match self.fault {
                "reshuffle-at-20" => 21,
                "reshuffle-below-15" => 15,
                "reshuffle-below-26" => 26,
                "reshuffle-each-hand" => 60,
                "never-reshuffles" => 0,
                _ => 20,
            };
            if 52 - self.next < limit && (hand > 1 || limit < 60) {
                self.shuffle();
            }
            if early {
                self.say(line);
            }
            if self.is("count-reset-each-hand") {
                self.count = 0;
            }
            bankroll += self.hand(bankroll)?;
            if self.is("debug-lines") {
                self.say(format!("count = {}", self.count));
            }
        }
        if self.is("hands-plus-one") {
            hand += 1;
        }
        if !self.is("no-closing-line") {
            self.say(format!("Player has {bankroll} after {hand} hands"));
        }
        Ok(())
    }

    /// Plays a hand; what the player wins.
    fn hand(&mut self, bankroll: i64) -> Result<i64, Crash> {
        let bet = self.bet(bankroll);
        self.say(format!("Player bets {bet}"));
        let mut mine = Vec::new();
        let mut his = Vec::new();
        let order = if self.is("dealt-two-and-two") { "ppdh" } else { "pdph" };
        for to in order.chars() {
            let card = self.deal()?;
            match to {
                'p' => {
                    self.say(format!("Player dealt {}", self.name(card)));
                    let unseen = match mine.len() {
                        0 => ["player-first-card-not-counted", "first-cards-not-counted"],
                        _ => ["player-second-card-not-counted", "first-cards-not-counted"],
                    };
                    if !unseen.contains(&self.fault) {
                        self.see(card);
                    }
                    mine.push(card);
                }
                'd' => {
                    self.say(format!("Dealer dealt {}", self.name(card)));
                    let unseen =
                        ["dealer-never-counted", "dealer-up-card-not-counted", "first-cards-not-counted"];
                    if !unseen.contains(&self.fault) {
                        self.see(card);
                    }
                    his.push(card);
                }
                _ => his.push(card),
            }
        }
        if self.is("hole-counted-early") {
            self.see(his[1]);
        }
        if self.natural(&mine) {
            if let Some(won) = self.paid(bet, &his) {
                return Ok(won);
            }
        } else {
            while self.total(&mine).0 <= 21 && self.wants(&mine, his[0], his[1]) {
                let card = self.deal()?;
                self.say(format!("Player dealt {}", self.name(card)));
                if !self.is("player-draws-not-counted") {
                    self.see(card);
                }
                mine.push(card);
                if self.is("three-cards-natural") && self.total(&mine).0 == 21 {
                    self.say("Player dealt natural 21".into());
                    return Ok(bet * 3 / 2);
                }
            }
        }
        self.settle(bet, &mine, his)
    }

    fn natural(&mut self, mine: &[Card]) -> bool {
        match self.fault {
            "natural-not-known" | "ace-always-1" => false,
            "natural-without-ten" if mine.iter().any(|card| card.0 == 8) => false,
            _ => mine.iter().any(|card| card.0 == 12) && mine.iter().any(|card| (8..12).contains(&card.0)),
        }
    }

    /// Pays a natural. `None` if this mutant plays on.
    fn paid(&mut self, bet: i64, his: &[Card]) -> Option<i64> {
        self.say("Player dealt natural 21".into());
        match self.fault {
            "natural-plays-on" => return None,
            "natural-prints-total" => self.say("Player's total is 21".into()),
            "natural-shows-hole" => {
                self.say(format!("Dealer's hole card is {}", self.name(his[1])));
                self.see(his[1]);
            }
            "hole-counted-after-natural" => self.see(his[1]),
            "natural-plays-dealer" => {
                let mut his = his.to_vec();
                self.say(format!("Dealer's hole card is {}", self.name(his[1])));
                self.see(his[1]);
                while self.total(&his).0 < 17 {
                    let card = self.deal().ok()?;
                    self.say(format!("Dealer dealt {}", self.name(card)));
                    self.see(card);
                    his.push(card);
                }
                let total = self.total(&his).0;
                self.say(format!("Dealer's total is {total}"));
            }
            _ => {}
        }
        let dealers_21 = self.total(&his[..2]).0 == 21;
        Some(match self.fault {
            "natural-pays-once" => bet,
            "natural-pays-double" => 2 * bet,
            "natural-rounded-up" => (3 * bet + 1) / 2,
            "natural-halved-first" => bet / 2 * 3,
            "natural-pushes" if dealers_21 => 0,
            _ => 3 * bet / 2,
        })
    }

    fn settle(&mut self, bet: i64, mine: &[Card], mut his: Vec<Card>) -> Result<i64, Crash> {
        let total = self.total(mine).0;
        let bust = total > 21;
        if bust && self.is("crashes-at-bust") {
            return Err(Crash);
        }
        if bust && self.is("bust-before-total") {
            self.say("Player busts".into());
        }
        if !(bust && self.is("bust-without-total")) {
            self.say(format!("Player's total is {total}"));
        }
        if bust {
            if !self.is("bust-before-total") {
                self.say("Player busts".into());
            }
            match self.fault {
                "hole-shown-after-bust" => {
                    self.say(format!("Dealer's hole card is {}", self.name(his[1])));
                    self.see(his[1]);
                }
                "hole-counted-after-bust" => self.see(his[1]),
                "dealer-plays-after-bust" => {
                    self.dealer(&mut his)?;
                }
                "bust-costs-nothing" => return Ok(0),
                _ => {}
            }
            return Ok(-bet);
        }
        let dealer = self.dealer(&mut his)?;
        let win = if self.is("double-pays-single") { 5 } else { bet };
        if dealer > 21 || dealer == 21 && self.is("dealer-21-busts") {
            self.say("Dealer busts".into());
            return Ok(if self.is("dealer-bust-pays-nothing") { 0 } else { win });
        }
        let natural = self.is("dealer-natural-beats-21") && his.len() == 2 && dealer == 21;
        Ok(if dealer > total || natural || dealer == total && self.is("push-to-dealer") {
            self.say("Dealer wins".into());
            -bet
        } else if dealer < total || self.is("push-to-player") {
            self.say("Player wins".into());
            win
        } else {
            self.say("Push".into());
            0
        })
    }

    fn dealer(&mut self, his: &mut Vec<Card>) -> Result<i32, Crash> {
        if !self.is("hole-not-shown") {
            self.say(format!("Dealer's hole card is {}", self.name(his[1])));
        }
        if !["hole-counted-early", "hole-never-counted", "dealer-never-counted"].contains(&self.fault) {
            self.see(his[1]);
        }
        loop {
            let (total, soft) = self.total(his);
            let hits = match self.fault {
                "dealer-hits-soft-17" => total < 17 || total == 17 && soft,
                "dealer-stands-on-16" => total < 16,
                "dealer-hits-17" => total <= 17,
                _ => total < 17,
            };
            if !hits {
                break;
            }
            let card = self.deal()?;
            self.say(format!("Dealer dealt {}", self.name(card)));
            if !["dealer-never-counted", "dealer-draws-not-counted"].contains(&self.fault) {
                self.see(card);
            }
            his.push(card);
        }
        let total = self.total(his).0;
        self.say(format!("Dealer's total is {total}"));
        Ok(total)
    }
}
