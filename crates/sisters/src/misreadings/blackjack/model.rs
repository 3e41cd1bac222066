//! A game by the document's rules, or with some of them misread.

use std::ops::ControlFlow;

use casino_stud::cards::{Card, Rank};

use super::transcript_line::GameLine;
use super::written::AskedGame;
use crate::blackjack::{CourseCuts, FACTORY_ORDER, HandValue, MINIMUM_BET, counted, table_draws};
use crate::misreadings::{Misreading, known};

const MINIMUM: i64 = MINIMUM_BET as i64;

/// Cuts of a shuffle.
pub(super) const CUTS: usize = 7;

/// A hand may begin without a shuffle if this many cards or more are left.
pub(super) const RESHUFFLE_BELOW: usize = 20;

/// The rules as a program plays them.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlayedRules {
    /// The same bankroll and number of hands in every game, if they do not come from the arguments.
    bankroll: Option<u32>,
    hands: Option<u32>,
    left_first: bool,
    pub(super) reshuffle_below: usize,
    ace: AceWay,
    dealer_hits_soft_17: bool,
    natural_pays: fn(i64) -> i64,
    natural_pushes: bool,
    pub(super) keeps_count: bool,
    pub(super) counts_hole: bool,
    pub(super) counts_up_card: bool,
    doubles_when_poor: bool,
}

/// A way to count aces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AceWay {
    Right,
    /// An ace that counted 11 never counts 1 again.
    Stays11,
    /// The hand stays soft after its ace counts 1 again.
    StaysSoft,
    /// Every hand with an ace is soft.
    AlwaysSoft,
}

impl PlayedRules {
    pub(super) const RIGHT: PlayedRules = PlayedRules {
        bankroll: None,
        hands: None,
        left_first: false,
        reshuffle_below: RESHUFFLE_BELOW,
        ace: AceWay::Right,
        dealer_hits_soft_17: false,
        natural_pays: |bet| 3 * bet / 2,
        natural_pushes: false,
        keeps_count: false,
        counts_hole: true,
        counts_up_card: true,
        doubles_when_poor: false,
    };

    /// The game that a program plays which is asked for this one.
    pub(super) fn asked(&self, asked: AskedGame) -> AskedGame {
        let bankroll = self.bankroll.unwrap_or(asked.bankroll);
        AskedGame { bankroll, hands: self.hands.unwrap_or(asked.hands), ..asked }
    }

    /// Cuts and rearranges a deck.
    pub(super) fn shuffle(&self, cards: &mut [Card; 52], cut: usize) {
        let before = *cards;
        let (left, right) = before.split_at(cut);
        let (first, second) = if self.left_first { (left, right) } else { (right, left) };
        let both = first.len().min(second.len());
        let pairs = first.iter().zip(second).flat_map(|(one, other)| [one, other]);
        let mixed = pairs.chain(&first[both..]).chain(&second[both..]);
        cards.iter_mut().zip(mixed).for_each(|(place, card)| *place = *card);
    }

    pub(super) fn bet(&self, counting: bool, count: i32, bankroll: i64) -> i64 {
        let is_rich = bankroll >= 2 * MINIMUM || self.doubles_when_poor;
        if counting && count >= 2 && is_rich { 2 * MINIMUM } else { MINIMUM }
    }

    /// The chips that a natural wins.
    pub(super) fn natural_wins(&self, bet: i64, dealer: [Card; 2]) -> i64 {
        let pushes = self.natural_pushes && self.value(&dealer).count == 21;
        if pushes { 0 } else { (self.natural_pays)(bet) }
    }

    pub(super) fn player_draws(&self, player: &[Card], up: Card) -> bool {
        let value = self.value(player);
        value.count <= 21 && table_draws(value, up.rank())
    }

    pub(super) fn dealer_draws(&self, dealer: &[Card]) -> bool {
        match self.value(dealer) {
            HandValue { count: 17, soft: true } => self.dealer_hits_soft_17,
            HandValue { count, .. } => count < 17,
        }
    }

    pub(super) fn value(&self, cards: &[Card]) -> HandValue {
        let (mut count, mut soft, mut was_soft) = (0, false, false);
        for card in cards {
            if card.rank() == Rank::Ace && count <= 10 {
                (count, soft, was_soft) = (count + 11, true, true);
            } else if card.rank() == Rank::Ace {
                count += 1;
            } else {
                count += (card.rank().index() as u32 + 2).min(10);
            }
            if count > 21 && soft && self.ace != AceWay::Stays11 {
                (count, soft) = (count - 10, false);
            }
        }
        let is_taken_for_soft = match self.ace {
            AceWay::Right | AceWay::Stays11 => false,
            AceWay::StaysSoft => was_soft,
            AceWay::AlwaysSoft => cards.iter().any(|card| card.rank() == Rank::Ace),
        };
        HandValue { count, soft: soft || is_taken_for_soft }
    }
}

/// A misreading, and the change that it makes to the rules.
pub(super) type MisreadRule = (Misreading, fn(&mut PlayedRules, &SeenArguments));

/// The bankroll of the first hand and the most hands of a game that a program prints.
#[derive(Clone, Copy, Debug)]
pub(super) struct SeenArguments {
    pub(super) bankroll: Option<u32>,
    pub(super) hands: u32,
}

const ARGUMENTS_IGNORED: Misreading = known(
    "arguments-ignored",
    "The bankroll or the number of hands on the command line is ignored; both come from the arguments.",
);

const NATURAL_PAYOUT: Misreading = known(
    "natural-payout",
    "A natural 21 pays something else than 3 to 2; it pays three halves of the bet rounded down, 7 for 5 and 15 for 10.",
);

const SOFT_FLAG_KEPT: Misreading = known(
    "soft-flag-kept",
    "A hand with an ace is taken for soft although the ace counts 1; then the rules of hard hands apply.",
);

/// The known misreadings. Some have several forms.
pub(super) const MISREAD_RULES: [MisreadRule; 20] = [
    (ARGUMENTS_IGNORED, |rules, seen| rules.bankroll = seen.bankroll),
    (ARGUMENTS_IGNORED, |rules, seen| rules.hands = Some(seen.hands)),
    (ARGUMENTS_IGNORED, |rules, seen| (rules.bankroll, rules.hands) = (seen.bankroll, Some(seen.hands))),
    (
        known(
            "left-first",
            "A cut begins with the first card of the left part; it is the first card of the right part, then the first of the left.",
        ),
        |rules, _| rules.left_first = true,
    ),
    (
        known(
            "soft-ace-stays",
            "An ace that once counted 11 keeps counting 11; it counts 1 as soon as the hand would be over 21.",
        ),
        |rules, _| rules.ace = AceWay::Stays11,
    ),
    (SOFT_FLAG_KEPT, |rules, _| rules.ace = AceWay::StaysSoft),
    (SOFT_FLAG_KEPT, |rules, _| rules.ace = AceWay::AlwaysSoft),
    (
        known(
            "dealer-hits-soft-17",
            "The dealer draws another card with a soft 17; it stops at 17, hard or soft.",
        ),
        |rules, _| rules.dealer_hits_soft_17 = true,
    ),
    (NATURAL_PAYOUT, |rules, _| rules.natural_pays = |bet| (3 * bet + 1) / 2),
    (NATURAL_PAYOUT, |rules, _| rules.natural_pays = |bet| bet / 2 * 3),
    (NATURAL_PAYOUT, |rules, _| rules.natural_pays = |bet| bet / 2),
    (NATURAL_PAYOUT, |rules, _| rules.natural_pays = |bet| bet),
    (NATURAL_PAYOUT, |rules, _| rules.natural_pays = |bet| 2 * bet),
    (NATURAL_PAYOUT, |rules, _| rules.natural_pays = |_| 0),
    (
        known(
            "natural-pushes",
            "A natural 21 wins nothing against a dealer's 21 of two cards; it wins against any dealer's hand.",
        ),
        |rules, _| rules.natural_pushes = true,
    ),
    (
        known(
            "count-kept-at-shuffle",
            "The counting player keeps its count at a shuffle; it begins at 0 after each shuffle.",
        ),
        |rules, _| rules.keeps_count = true,
    ),
    (
        known(
            "hole-never-counted",
            "The counting player does not count the hole card when it is shown; it counts every card turned up.",
        ),
        |rules, _| rules.counts_hole = false,
    ),
    (
        known(
            "up-card-not-counted",
            "The counting player does not count the dealer's first card; it counts every card turned up.",
        ),
        |rules, _| rules.counts_up_card = false,
    ),
    (
        known(
            "double-without-bankroll",
            "The counting player doubles with a bankroll below 10; it doubles only if it has twice the minimum.",
        ),
        |rules, _| rules.doubles_when_poor = true,
    ),
    (
        known(
            "reshuffle-at-20",
            "The deck is shuffled with 20 cards left too; it is shuffled with strictly fewer than 20 cards left.",
        ),
        |rules, _| rules.reshuffle_below = RESHUFFLE_BELOW + 1,
    ),
];

/// Plays a game by these rules, until `tell` breaks it off.
pub(super) fn play(
    rules: &PlayedRules,
    asked: AskedGame,
    tell: impl FnMut(GameLine) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let asked = rules.asked(asked);
    let bankroll = i64::from(asked.bankroll);
    let mut game =
        Game { rules, cards: FACTORY_ORDER, next: 0, cuts: CourseCuts::new(), count: 0, bankroll, tell };
    game.shuffle()?;
    let mut hands = 0;
    while game.bankroll >= MINIMUM && hands < asked.hands {
        hands += 1;
        game.say(GameLine::Hand { number: hands.into(), bankroll: game.bankroll })?;
        game.hand(asked.counting)?;
    }
    game.say(GameLine::Over { bankroll: game.bankroll, hands: hands.into() })
}

struct Game<'r, T> {
    rules: &'r PlayedRules,
    cards: [Card; 52],
    next: usize,
    cuts: CourseCuts,
    count: i32,
    bankroll: i64,
    tell: T,
}

impl<T: FnMut(GameLine) -> ControlFlow<()>> Game<'_, T> {
    fn say(&mut self, line: GameLine) -> ControlFlow<()> {
        (self.tell)(line)
    }

    fn shuffle(&mut self) -> ControlFlow<()> {
        self.say(GameLine::Shuffling)?;
        for _ in 0..CUTS {
            let cut = self.cuts.next().expect("the course's cuts never end");
            self.say(GameLine::Cut(cut.left() as i64))?;
            self.rules.shuffle(&mut self.cards, cut.left());
        }
        self.next = 0;
        if !self.rules.keeps_count {
            self.count = 0;
        }
        ControlFlow::Continue(())
    }

    /// The next card. A model whose deck is empty is no explanation of any program.
    fn deal(&mut self) -> ControlFlow<(), Card> {
        self.next += 1;
        match self.cards.get(self.next - 1) {
            Some(card) => ControlFlow::Continue(*card),
            None => ControlFlow::Break(()),
        }
    }

    /// Deals a card face up to a hand.
    fn deal_to(
        &mut self,
        hand: &mut Vec<Card>,
        line: fn(Card) -> GameLine,
        is_counted: bool,
    ) -> ControlFlow<()> {
        let card = self.deal()?;
        hand.push(card);
        self.see(card, is_counted);
        self.say(line(card))
    }

    fn see(&mut self, card: Card, is_counted: bool) {
        self.count += if is_counted { counted(card) } else { 0 };
    }

    fn hand(&mut self, counting: bool) -> ControlFlow<()> {
        let rules = self.rules;
        if self.cards.len() - self.next < rules.reshuffle_below {
            self.shuffle()?;
        }
        let bet = rules.bet(counting, self.count, self.bankroll);
        self.say(GameLine::Bet(bet))?;
        let (mut player, mut dealer) = (Vec::new(), Vec::new());
        self.deal_to(&mut player, GameLine::Player, true)?;
        self.deal_to(&mut dealer, GameLine::Dealer, rules.counts_up_card)?;
        self.deal_to(&mut player, GameLine::Player, true)?;
        let hole = self.deal()?;
        if rules.value(&player).count == 21 {
            self.bankroll += rules.natural_wins(bet, [dealer[0], hole]);
            return self.say(GameLine::Natural);
        }
        while rules.player_draws(&player, dealer[0]) {
            self.deal_to(&mut player, GameLine::Player, true)?;
        }
        let total = rules.value(&player).count;
        self.say(GameLine::PlayerTotal(total.into()))?;
        if total > 21 {
            self.bankroll -= bet;
            return self.say(GameLine::PlayerBusts);
        }
        self.say(GameLine::Hole(hole))?;
        self.see(hole, rules.counts_hole);
        dealer.push(hole);
        while rules.dealer_draws(&dealer) {
            self.deal_to(&mut dealer, GameLine::Dealer, true)?;
        }
        let dealers = rules.value(&dealer).count;
        self.say(GameLine::DealerTotal(dealers.into()))?;
        let (result, won) = GameLine::result(total, dealers);
        self.bankroll += won * bet;
        self.say(result)
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use super::*;

    /// The transcripts of the right rules and of each misreading, each game in a row: the rules, the game, the lines and the
    /// FNV-1a hash of the transcript. A game that a misreading breaks off has no closing line. They were printed by a model
    /// that shared no code with the game, and only its lines with the game of the right rules.
    const FROZEN: &str = include_str!("transcripts.txt");

    const SEEN: SeenArguments = SeenArguments { bankroll: Some(77), hands: 33 };

    const GAMES: [AskedGame; 6] = [
        AskedGame::simple(100, 3),
        AskedGame::simple(4, 10),
        AskedGame::simple(300, 400),
        AskedGame::counting(9, 10_000),
        AskedGame::counting(14, 10_000),
        AskedGame::counting(10_000, 5_000),
    ];

    fn transcript(misread: &[MisreadRule], asked: AskedGame) -> String {
        let mut rules = PlayedRules::RIGHT;
        misread.iter().for_each(|(_, change)| change(&mut rules, &SEEN));
        let mut text = String::new();
        let _ = play(&rules, asked, |line| {
            text += &format!("{}\n", line.line());
            ControlFlow::Continue(())
        });
        text
    }

    fn hash_of(text: &str) -> u64 {
        let step = |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        text.bytes().fold(0xcbf2_9ce4_8422_2325, step)
    }

    /// A row for the games of one set of rules.
    fn row(name: &str, asked: AskedGame, text: &str) -> String {
        let AskedGame { bankroll, hands, .. } = asked;
        let lines = text.lines().count();
        format!("{name} {bankroll} {hands} {} {lines} {:016x}\n", asked.player(), hash_of(text))
    }

    #[test]
    fn every_set_of_rules_plays_its_frozen_games() {
        let mut rows = String::new();
        for asked in GAMES {
            rows += &row("right", asked, &transcript(&[], asked));
        }
        for (at, rule) in MISREAD_RULES.iter().enumerate() {
            for asked in GAMES {
                rows += &row(&format!("{at}-{}", rule.0.code), asked, &transcript(&[*rule], asked));
            }
            // With each later misreading that is not another form of this one.
            let mut pairs = String::new();
            let asked = AskedGame::counting(200, 300);
            for other in MISREAD_RULES[at + 1..].iter().filter(|other| other.0.code != rule.0.code) {
                write!(pairs, "{}", transcript(&[*rule, *other], asked)).expect("a String takes every text");
            }
            rows += &row(&format!("{at}-{}-and-later", rule.0.code), asked, &pairs);
        }
        assert!(rows == FROZEN, "\n{rows}");
    }

    #[test]
    fn the_model_of_the_right_rules_is_the_game() {
        for asked in GAMES {
            assert!(transcript(&[], asked) == asked.transcript(), "{asked:?}");
        }
    }
}
