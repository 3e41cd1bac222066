//! Judges each line of a transcript by the rules and by the program's own lines before it, so that one error is one
//! difference and not a different game from there on.

use std::collections::{BTreeMap, BTreeSet};
use std::iter::Peekable;
use std::slice::Iter;

use casino_stud::cards::{Card, Rank};

use super::model::{CUTS, PlayedRules};
use super::transcript_line::{GameLine, ReadLine};
use super::written::AskedGame;
use crate::blackjack::{CourseCuts, FACTORY_ORDER, MINIMUM_BET, counted};

const MINIMUM: i64 = MINIMUM_BET as i64;

/// A kind of line that breaks a rule, given the lines before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BrokenRule {
    /// The times of shuffles.
    Shuffles,
    /// The cuts of a shuffle.
    Cuts,
    /// The order of the cards.
    Cards,
    /// The player's bets.
    Bets,
    /// The announcement of naturals.
    Naturals,
    /// The player's draws.
    PlayerDraws,
    /// The values of hands.
    Totals,
    /// The dealer's hole card.
    HoleCard,
    /// The dealer's draws.
    DealerDraws,
    /// The lines of totals and results.
    Results,
    /// The bankroll after hands.
    Bankroll,
    /// The end of the game.
    End,
}

impl BrokenRule {
    /// The kind of lines, in words.
    pub fn words(self) -> &'static str {
        match self {
            BrokenRule::Shuffles => "the times of shuffles",
            BrokenRule::Cuts => "the cuts",
            BrokenRule::Cards => "the order of the cards",
            BrokenRule::Bets => "the player's bets",
            BrokenRule::Naturals => "natural 21s",
            BrokenRule::PlayerDraws => "the player's draws",
            BrokenRule::Totals => "the values of hands",
            BrokenRule::HoleCard => "the hole card",
            BrokenRule::DealerDraws => "the dealer's draws",
            BrokenRule::Results => "the totals and results",
            BrokenRule::Bankroll => "the bankroll after hands",
            BrokenRule::End => "the end of the game",
        }
    }
}

/// The findings in one transcript.
#[derive(Clone, Debug, Default)]
pub(super) struct WalkFindings {
    /// The broken rules, each with the places that break it.
    pub(super) broken: BTreeMap<BrokenRule, Vec<Break>>,
    /// The first line with the wrong words or number for a right game, and the right line.
    pub(super) text: Option<(usize, GameLine)>,
    /// How many hands begin.
    pub(super) hands: usize,
    /// Whether the closing line was found.
    pub(super) is_complete: bool,
}

impl WalkFindings {
    /// The broken rules, each with its first line.
    pub(super) fn first_breaks(&self) -> impl Iterator<Item = (BrokenRule, usize)> {
        self.broken.iter().filter_map(|(rule, breaks)| Some((*rule, breaks.first()?.line)))
    }

    /// The numbers of the hands that break a rule.
    pub(super) fn broken_hands(&self) -> BTreeSet<usize> {
        self.broken.values().flatten().map(|place| place.hand).collect()
    }

    /// The first line that breaks a rule.
    pub(super) fn first_break(&self) -> Option<(BrokenRule, usize)> {
        self.first_breaks().min_by_key(|(_, line)| *line)
    }
}

/// A place that breaks a rule.
#[derive(Clone, Copy, Debug)]
pub(super) struct Break {
    pub(super) line: usize,
    /// The number of the hand.
    pub(super) hand: usize,
    /// Whether an ace is in the hand of the player or the dealer that is judged.
    pub(super) has_ace: bool,
}

/// Follows a transcript to its end, by rules of which some may be misread.
pub(super) fn walk(asked: AskedGame, lines: &[ReadLine], rules: &PlayedRules) -> WalkFindings {
    let mut walk = Walk {
        asked: rules.asked(asked),
        rules,
        lines: lines.iter().peekable(),
        cards: FACTORY_ORDER,
        next_card: 0,
        cuts: CourseCuts::new(),
        count: Some(0),
        hole: None,
        is_followed: true,
        dealt_since_shuffle: 0,
        dealt_in_hand: 0,
        judged: Vec::new(),
        minimum: MINIMUM,
        found: WalkFindings::default(),
    };
    walk.game();
    walk.found
}

struct Walk<'a> {
    asked: AskedGame,
    rules: &'a PlayedRules,
    lines: Peekable<Iter<'a, ReadLine>>,
    cards: [Card; 52],
    next_card: usize,
    cuts: CourseCuts,
    /// The count of the cards since the shuffle, if all of them were shown that it takes.
    count: Option<i32>,
    /// The hole card of this hand, if the deck was followed up to it.
    hole: Option<Card>,
    /// Whether all cards were those of the deck.
    is_followed: bool,
    dealt_since_shuffle: usize,
    dealt_in_hand: usize,
    /// The cards of the hand that is judged.
    judged: Vec<Card>,
    /// The minimum bet that the program knows.
    minimum: i64,
    found: WalkFindings,
}

impl Walk<'_> {
    fn breaks(&mut self, rule: BrokenRule, line: usize) {
        // The bankroll is printed after its hand.
        let hand = self.found.hands - usize::from(rule == BrokenRule::Bankroll && self.found.hands > 0);
        let has_ace = self.judged.iter().any(|card| card.rank() == Rank::Ace);
        self.found.broken.entry(rule).or_default().push(Break { line, hand, has_ace });
    }

    /// Takes the next line, with its effects on the deck and the count.
    fn next(&mut self) -> Option<ReadLine> {
        let read = *self.lines.next()?;
        match read.said {
            GameLine::Shuffling => {
                if !self.rules.keeps_count {
                    self.count = Some(0);
                }
                (self.dealt_since_shuffle, self.next_card, self.hole) = (0, 0, None);
            }
            GameLine::Cut(cut) => {
                if self.cuts.next().is_none_or(|right| right.left() as i64 != cut) {
                    self.breaks(BrokenRule::Cuts, read.line);
                }
                self.rules.shuffle(&mut self.cards, cut.clamp(0, 52) as usize);
            }
            GameLine::Hand { .. } => {
                self.found.hands += 1;
                self.dealt_in_hand = 0;
                self.judged.clear();
            }
            GameLine::Player(card) | GameLine::Dealer(card) => {
                if !self.deals(card) {
                    self.breaks(BrokenRule::Cards, read.line);
                }
                self.dealt_in_hand += 1;
                self.sees(card, self.dealt_in_hand != 2 || self.rules.counts_up_card);
                if self.dealt_in_hand == 3 {
                    self.hole = self.cards.get(self.next_card).copied();
                    self.next_card += 1;
                    self.dealt_since_shuffle += 1;
                }
            }
            GameLine::Hole(card) => {
                // Without a hole card, the deck's next one was taken for it too early.
                let is_late = self.hole.is_none() && self.is_followed;
                let is_right = if is_late { self.deals(card) } else { self.hole == Some(card) };
                if !is_right {
                    self.breaks(BrokenRule::Cards, read.line);
                }
                self.hole = None;
                self.sees(card, self.rules.counts_hole);
            }
            _ => {}
        }
        Some(read)
    }

    fn sees(&mut self, card: Card, is_counted: bool) {
        self.count = self.count.map(|count| count + if is_counted { counted(card) } else { 0 });
    }

    /// Whether this card is the next one. The deck continues after it where it lies further down, or where it was taken for a
    /// hole card that is not dealt.
    fn deals(&mut self, card: Card) -> bool {
        self.dealt_since_shuffle += 1;
        let ahead = self.cards.iter().skip(self.next_card).position(|next| *next == card);
        if ahead.is_none() && self.hole == Some(card) && self.is_followed {
            self.hole = None;
            self.dealt_since_shuffle -= 1;
            return false;
        }
        self.next_card += ahead.unwrap_or(0) + 1;
        self.is_followed &= ahead == Some(0);
        ahead == Some(0)
    }

    /// Whether the next line is of a kind.
    fn comes(&mut self, kind: impl Fn(GameLine) -> bool) -> bool {
        self.lines.peek().is_some_and(|read| kind(read.said))
    }

    /// Takes the next line if it is of a kind; otherwise the hand breaks a rule here.
    fn takes(&mut self, rule: BrokenRule, kind: impl Fn(GameLine) -> bool) -> Result<ReadLine, BrokenRule> {
        if !self.comes(kind) {
            return Err(rule);
        }
        self.next().ok_or(rule)
    }

    /// Takes a card face up, in whichever words it is dealt.
    fn takes_card(&mut self, line: fn(Card) -> GameLine, rule: BrokenRule) -> Result<Card, BrokenRule> {
        let read = self.takes(rule, |said| said.card().is_some())?;
        let card = read.said.card().ok_or(rule)?;
        if read.said != line(card) {
            self.found.text.get_or_insert((read.line, line(card)));
        }
        Ok(card)
    }

    fn game(&mut self) {
        if let Err(rule) = self.shuffle()
            && self.lines.peek().is_some()
        {
            self.breaks(rule, 0);
        }
        let mut bankroll = Some(i64::from(self.asked.bankroll));
        while let Some(read) = self.next() {
            match read.said {
                GameLine::Hand { number, bankroll: printed } => {
                    self.begins(read.line, number, printed, bankroll);
                    bankroll = match self.hand(printed) {
                        Ok(won) => Some(printed + won),
                        Err(rule) => {
                            // Where the output ends, it is incomplete and breaks no other rule.
                            if let Some(line) = self.lines.peek().map(|next| next.line) {
                                self.breaks(rule, line);
                            }
                            self.passes_over_hand();
                            None
                        }
                    };
                }
                GameLine::Over { bankroll: printed, hands } => {
                    self.ends(read.line, printed, hands, bankroll);
                    return;
                }
                GameLine::Shuffling | GameLine::Cut(_) => self.breaks(BrokenRule::Shuffles, read.line),
                _ => {
                    self.breaks(BrokenRule::Results, read.line);
                    bankroll = None;
                }
            }
        }
    }

    /// The line that begins a hand.
    fn begins(&mut self, line: usize, number: i64, printed: i64, expected: Option<i64>) {
        if number != self.found.hands as i64 {
            let right = GameLine::Hand { number: self.found.hands as i64, bankroll: printed };
            self.found.text.get_or_insert((line, right));
        }
        if expected.is_some_and(|bankroll| bankroll != printed) {
            self.breaks(BrokenRule::Bankroll, line);
        }
        if printed < self.minimum || self.found.hands > self.asked.hands as usize {
            self.breaks(BrokenRule::End, line);
        }
    }

    /// The closing line.
    fn ends(&mut self, line: usize, printed: i64, hands: i64, expected: Option<i64>) {
        let played = self.found.hands;
        self.found.is_complete = true;
        if hands != played as i64 {
            let right = GameLine::Over { bankroll: printed, hands: played as i64 };
            self.found.text.get_or_insert((line, right));
        }
        if expected.is_some_and(|bankroll| bankroll != printed) {
            self.breaks(BrokenRule::Bankroll, line);
        }
        let is_early = printed >= self.minimum && played < self.asked.hands as usize;
        if is_early || self.lines.peek().is_some() {
            self.breaks(BrokenRule::End, line);
        }
    }

    fn shuffle(&mut self) -> Result<(), BrokenRule> {
        self.takes(BrokenRule::Shuffles, |said| said == GameLine::Shuffling)?;
        let mut cuts = 0;
        while self.comes(|said| matches!(said, GameLine::Cut(_))) {
            self.next();
            cuts += 1;
        }
        if cuts == CUTS { Ok(()) } else { Err(BrokenRule::Cuts) }
    }

    /// Follows a hand up to its first broken rule that leaves the rest open; returns the chips won.
    fn hand(&mut self, bankroll: i64) -> Result<i64, BrokenRule> {
        let is_due = self.found.hands > 1 && self.dealt_since_shuffle + self.rules.reshuffle_below > 52;
        if is_due != self.comes(|said| said == GameLine::Shuffling) {
            return Err(BrokenRule::Shuffles);
        }
        if is_due && let Err(rule) = self.shuffle() {
            let line = self.lines.peek().map_or(0, |next| next.line);
            self.breaks(rule, line);
        }
        let rules = self.rules;
        let bet = self.bet(bankroll)?;
        let (mut player, up) = self.first_cards()?;
        self.judged.clone_from(&player);
        let is_natural = rules.value(&player).count == 21;
        if is_natural != self.comes(|said| said == GameLine::Natural) {
            return Err(BrokenRule::Naturals);
        }
        if is_natural {
            self.next();
            return Ok(rules.natural_wins(bet, [up, self.hole.unwrap_or(up)]));
        }
        loop {
            let draws = rules.player_draws(&player, up);
            if draws != self.comes(|said| said.card().is_some()) {
                return Err(self.stops_wrongly(BrokenRule::PlayerDraws, rules.value(&player).count));
            }
            if !draws {
                break;
            }
            player.push(self.takes_card(GameLine::Player, BrokenRule::PlayerDraws)?);
            self.judged.clone_from(&player);
        }
        let total = rules.value(&player).count;
        self.total(GameLine::PlayerTotal(total.into()))?;
        if total > 21 {
            self.takes(BrokenRule::Results, |said| said == GameLine::PlayerBusts)?;
            return Ok(-bet);
        }
        Ok(bet * self.dealer_plays(up, total)?)
    }

    /// Takes the bet.
    fn bet(&mut self, bankroll: i64) -> Result<i64, BrokenRule> {
        let read = self.takes(BrokenRule::Bets, |said| matches!(said, GameLine::Bet(_)))?;
        let GameLine::Bet(bet) = read.said else { return Err(BrokenRule::Bets) };
        // The first bet is the minimum, by which the program plays on.
        if self.found.hands == 1 && bankroll >= MINIMUM {
            self.minimum = bet;
        }
        let is_right = match self.count {
            // A hand that does not exist has no right bet.
            _ if bankroll < MINIMUM => true,
            Some(count) => bet == self.rules.bet(self.asked.counting, count, bankroll),
            None => bet == MINIMUM || bet == self.rules.bet(self.asked.counting, i32::MAX, bankroll),
        };
        if !is_right {
            self.breaks(BrokenRule::Bets, read.line);
        }
        Ok(bet)
    }

    /// Takes the player's first two cards and the dealer's card between them.
    fn first_cards(&mut self) -> Result<(Vec<Card>, Card), BrokenRule> {
        let mut player = vec![self.takes_card(GameLine::Player, BrokenRule::Cards)?];
        let [second, third] = [0, 1].map(|at| self.lines.clone().nth(at).map(|read| read.said));
        let is_player_first =
            matches!((second, third), (Some(GameLine::Player(_)), Some(GameLine::Dealer(_))));
        if is_player_first {
            player.push(self.takes_card(GameLine::Player, BrokenRule::Cards)?);
            let line = self.lines.peek().map_or(0, |next| next.line - 1);
            self.breaks(BrokenRule::Cards, line);
        }
        let up = self.takes_card(GameLine::Dealer, BrokenRule::Cards)?;
        if !is_player_first {
            player.push(self.takes_card(GameLine::Player, BrokenRule::Cards)?);
        }
        Ok((player, up))
    }

    /// Follows the dealer's cards against this total of the player's; returns how often the bet is won.
    fn dealer_plays(&mut self, up: Card, total: u32) -> Result<i64, BrokenRule> {
        let rules = self.rules;
        let hole = self.takes(BrokenRule::HoleCard, |said| matches!(said, GameLine::Hole(_)));
        let Ok(ReadLine { said: GameLine::Hole(hole), .. }) = hole else {
            // The program may have counted it.
            self.count = None;
            return Err(BrokenRule::HoleCard);
        };
        let mut dealer = vec![up, hole];
        loop {
            self.judged.clone_from(&dealer);
            let draws = rules.dealer_draws(&dealer);
            if draws != self.comes(|said| said.card().is_some()) {
                return Err(self.stops_wrongly(BrokenRule::DealerDraws, rules.value(&dealer).count));
            }
            if !draws {
                break;
            }
            dealer.push(self.takes_card(GameLine::Dealer, BrokenRule::DealerDraws)?);
        }
        let dealers = rules.value(&dealer).count;
        self.total(GameLine::DealerTotal(dealers.into()))?;
        let (result, won) = GameLine::result(total, dealers);
        self.takes(BrokenRule::Results, |said| said == result)?;
        Ok(won)
    }

    /// The rule of a wrong decision to draw or not: that of values, if a wrong total follows.
    fn stops_wrongly(&mut self, rule: BrokenRule, count: u32) -> BrokenRule {
        let is_total = |said| matches!(said, GameLine::PlayerTotal(total) | GameLine::DealerTotal(total) if total != i64::from(count));
        if self.comes(is_total) { BrokenRule::Totals } else { rule }
    }

    fn total(&mut self, right: GameLine) -> Result<(), BrokenRule> {
        let rule = match self.lines.peek().map(|read| read.said) {
            Some(GameLine::PlayerTotal(_) | GameLine::DealerTotal(_)) => BrokenRule::Totals,
            Some(GameLine::Natural) => BrokenRule::Naturals,
            _ => BrokenRule::Results,
        };
        self.takes(rule, |said| said.is_same_play(right)).map(|_| ())
    }

    /// Passes over the rest of a hand.
    fn passes_over_hand(&mut self) {
        while self.comes(|said| !matches!(said, GameLine::Hand { .. } | GameLine::Over { .. })) {
            self.next();
        }
    }
}
