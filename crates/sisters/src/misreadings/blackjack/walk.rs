//! Judges each line of a transcript by the rules and by the program's own lines before it, so that one error is one
//! difference and not a different game from there on.

use std::collections::{BTreeMap, BTreeSet};
use std::iter::Peekable;
use std::slice::Iter;

use casino_stud::cards::Card;

use super::transcript_line::{ReadLine, is_same_play};
use super::written::AskedGame;
use crate::blackjack::{
    BlackjackHand, BlackjackLine, BlackjackPlayer, CUTS, Counting, CourseCuts, MINIMUM_BET, PlayedRules,
    Shoe, Simple,
};

/// Defines [`BrokenRule`] from a table: a kind of lines and its words.
macro_rules! broken_rules {
    ($($name:ident $words:literal;)*) => {
        /// A kind of line that breaks a rule, given the lines before it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum BrokenRule {
            $(#[doc = $words] $name,)*
        }

        impl BrokenRule {
            /// The kind of lines, in words.
            pub fn words(self) -> &'static str {
                match self { $(BrokenRule::$name => $words,)* }
            }
        }
    };
}

broken_rules! {
    Shuffles "the times of shuffles";
    Cuts "the cuts";
    Cards "the order of the cards";
    Bets "the player's bets";
    Naturals "natural 21s";
    PlayerDraws "the player's draws";
    Totals "the values of hands";
    HoleCard "the hole card";
    DealerDraws "the dealer's draws";
    Results "the totals and results";
    Bankroll "the bankroll after hands";
    HandCount "the number of hands";
    End "the end of the game";
}

/// The cards face up before the first decision.
const FIRST_CARDS: usize = 3;

/// The findings in one transcript.
#[derive(Clone, Debug, Default)]
pub(super) struct WalkFindings {
    /// The broken rules, each with the places that break it.
    pub(super) broken: BTreeMap<BrokenRule, Vec<Break>>,
    /// The first line with the wrong words for a right game, and the right line.
    pub(super) text: Option<(usize, BlackjackLine)>,
    /// How many hands begin.
    pub(super) hands: usize,
    /// How many of them have their first cards and do not end with the output.
    pub(super) played: usize,
    /// Whether the closing line has too few chips for another hand.
    pub(super) is_ruined: bool,
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

    /// Whether hands are played until the game is over by its own cards.
    pub(super) fn ends_well(&self) -> bool {
        let of_length = [BrokenRule::Bets, BrokenRule::Bankroll, BrokenRule::HandCount, BrokenRule::End];
        self.is_complete && self.played > 0 && of_length.iter().all(|rule| !self.broken.contains_key(rule))
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
    let (bankroll, hands) = rules.bankroll_and_hands(asked.bankroll, asked.hands);
    let mut walk = Walk {
        asked: AskedGame { bankroll, hands, ..asked },
        rules,
        lines: lines.iter().peekable(),
        deck: Shoe::new(),
        cuts: CourseCuts::new(),
        counting: Some(Counting::default()),
        hole: None,
        is_followed: true,
        dealt_since_shuffle: 0,
        dealt_in_hand: 0,
        judged: rules.empty_hand(),
        minimum: MINIMUM_BET,
        found: WalkFindings::default(),
    };
    walk.game();
    walk.found
}

struct Walk<'a> {
    asked: AskedGame,
    rules: &'a PlayedRules,
    lines: Peekable<Iter<'a, ReadLine>>,
    deck: Shoe,
    cuts: CourseCuts,
    /// The player that counts the cards since the shuffle, if all of them were shown that it counts.
    counting: Option<Counting>,
    /// The hole card of this hand, if the deck was followed up to it.
    hole: Option<Card>,
    /// Whether all cards were those of the deck.
    is_followed: bool,
    dealt_since_shuffle: usize,
    dealt_in_hand: usize,
    /// The cards of the player or of the dealer up to the line that is judged.
    judged: BlackjackHand,
    /// The minimum bet that the program knows.
    minimum: i64,
    found: WalkFindings,
}

impl Walk<'_> {
    fn breaks(&mut self, rule: BrokenRule, line: usize) {
        // The bankroll is printed after its hand.
        let hand = self.found.hands - usize::from(rule == BrokenRule::Bankroll && self.found.hands > 0);
        let has_ace = self.judged.has_ace();
        self.found.broken.entry(rule).or_default().push(Break { line, hand, has_ace });
    }

    /// Takes the next line, with its effects on the deck and the count.
    fn next(&mut self) -> Option<ReadLine> {
        let read = *self.lines.next()?;
        match read.said {
            BlackjackLine::Shuffling => {
                if !self.rules.keeps_count {
                    self.counting = Some(Counting::default());
                }
                self.deck.gather();
                (self.dealt_since_shuffle, self.hole) = (0, None);
            }
            BlackjackLine::Cut(cut) => {
                if self.cuts.next().is_none_or(|right| right.left() as i64 != cut) {
                    self.breaks(BrokenRule::Cuts, read.line);
                }
                self.deck.cut(cut.clamp(0, 52) as usize, self.rules.left_first);
            }
            BlackjackLine::Hand { .. } => {
                self.found.hands += 1;
                self.dealt_in_hand = 0;
                self.judged.discard_all();
            }
            BlackjackLine::PlayerDealt(card) | BlackjackLine::DealerDealt(card) => {
                if !self.deals(card) {
                    self.breaks(BrokenRule::Cards, read.line);
                }
                self.dealt_in_hand += 1;
                self.sees(card, self.dealt_in_hand != 2 || self.rules.counts_up_card);
                if self.dealt_in_hand == FIRST_CARDS {
                    self.hole = self.deck.deal().ok();
                    self.dealt_since_shuffle += 1;
                }
            }
            BlackjackLine::HoleCard(card) => {
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
        if let Some(player) = self.counting.as_mut().filter(|_| is_counted) {
            player.expose(card);
        }
    }

    /// Whether this card is the next one. The deck continues after it where it lies further down, or where it was taken for a
    /// hole card that is not dealt.
    fn deals(&mut self, card: Card) -> bool {
        self.dealt_since_shuffle += 1;
        let ahead = self.deck.cards_above(card);
        if ahead.is_none() && self.hole == Some(card) && self.is_followed {
            self.hole = None;
            self.dealt_since_shuffle -= 1;
            return false;
        }
        self.deck.pass_over(ahead.unwrap_or(0) + 1);
        self.is_followed &= ahead == Some(0);
        ahead == Some(0)
    }

    /// Whether the next line is of a kind.
    fn comes(&mut self, kind: impl Fn(BlackjackLine) -> bool) -> bool {
        self.lines.peek().is_some_and(|read| kind(read.said))
    }

    /// Takes the next line if it is of a kind; otherwise the hand breaks a rule here.
    fn takes(
        &mut self,
        rule: BrokenRule,
        kind: impl Fn(BlackjackLine) -> bool,
    ) -> Result<ReadLine, BrokenRule> {
        if !self.comes(kind) {
            return Err(rule);
        }
        self.next().ok_or(rule)
    }

    /// Takes a card face up, in whichever words it is dealt.
    fn takes_card(&mut self, line: fn(Card) -> BlackjackLine, rule: BrokenRule) -> Result<Card, BrokenRule> {
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
                BlackjackLine::Hand { number, bankroll: printed } => {
                    self.begins(read.line, number, printed, bankroll);
                    bankroll = match self.hand(printed) {
                        Ok(won) => {
                            self.found.played += 1;
                            Some(printed + won)
                        }
                        Err(rule) => {
                            // Where the output ends, it is incomplete and breaks no other rule.
                            if let Some(line) = self.lines.peek().map(|next| next.line) {
                                self.breaks(rule, line);
                            }
                            self.passes_over_hand();
                            let is_played = self.dealt_in_hand >= FIRST_CARDS && self.lines.peek().is_some();
                            self.found.played += usize::from(is_played);
                            None
                        }
                    };
                }
                BlackjackLine::Over { bankroll: printed, hands } => {
                    self.ends(read.line, printed, hands, bankroll);
                    return;
                }
                BlackjackLine::Shuffling | BlackjackLine::Cut(_) => {
                    self.breaks(BrokenRule::Shuffles, read.line)
                }
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
            self.breaks(BrokenRule::HandCount, line);
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
        self.found.is_ruined = printed < self.minimum;
        if hands != played as i64 {
            self.breaks(BrokenRule::HandCount, line);
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
        self.takes(BrokenRule::Shuffles, |said| said == BlackjackLine::Shuffling)?;
        let mut cuts = 0;
        while self.comes(|said| matches!(said, BlackjackLine::Cut(_))) {
            self.next();
            cuts += 1;
        }
        if cuts == CUTS { Ok(()) } else { Err(BrokenRule::Cuts) }
    }

    /// Follows a hand up to its first broken rule that leaves the rest open; returns the chips won.
    fn hand(&mut self, bankroll: i64) -> Result<i64, BrokenRule> {
        let is_due = self.found.hands > 1 && self.dealt_since_shuffle + self.rules.reshuffle_below > 52;
        if is_due != self.comes(|said| said == BlackjackLine::Shuffling) {
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
        let is_natural = player.value().count == 21;
        if is_natural != self.comes(|said| said == BlackjackLine::Natural) {
            return Err(BrokenRule::Naturals);
        }
        if is_natural {
            self.next();
            return Ok(rules.natural_wins(bet, [up, self.hole.unwrap_or(up)]));
        }
        loop {
            let draws = rules.player_draws(&mut Simple, &player, up);
            if draws != self.comes(|said| said.card().is_some()) {
                return Err(self.stops_wrongly(BrokenRule::PlayerDraws, player.value().count));
            }
            if !draws {
                break;
            }
            player.add(self.takes_card(BlackjackLine::PlayerDealt, BrokenRule::PlayerDraws)?);
            self.judged.clone_from(&player);
        }
        let total = player.value().count;
        self.total(BlackjackLine::PlayerTotal(total.into()))?;
        if total > 21 {
            self.takes(BrokenRule::Results, |said| said == BlackjackLine::PlayerBusts)?;
            return Ok(-bet);
        }
        Ok(bet * self.dealer_plays(up, total)?)
    }

    /// Takes the bet.
    fn bet(&mut self, bankroll: i64) -> Result<i64, BrokenRule> {
        let read = self.takes(BrokenRule::Bets, |said| matches!(said, BlackjackLine::Bet(_)))?;
        let BlackjackLine::Bet(bet) = read.said else { return Err(BrokenRule::Bets) };
        // The first bet is the minimum, by which the program plays on.
        if self.found.hands == 1 && bankroll >= MINIMUM_BET {
            self.minimum = bet;
        }
        let is_right_for = |mut player: Counting| match self.asked.counting {
            true => bet == self.rules.bet(&mut player, bankroll),
            false => bet == self.rules.bet(&mut Simple, bankroll),
        };
        // A hand that does not exist has no right bet, and an unknown count may be any.
        let is_right = bankroll < MINIMUM_BET
            || match self.counting {
                Some(player) => is_right_for(player),
                None => [i32::MIN, i32::MAX].map(Counting::at).into_iter().any(is_right_for),
            };
        if !is_right {
            self.breaks(BrokenRule::Bets, read.line);
        }
        Ok(bet)
    }

    /// Takes the player's first two cards and the dealer's card between them.
    fn first_cards(&mut self) -> Result<(BlackjackHand, Card), BrokenRule> {
        let mut player = self.rules.empty_hand();
        player.add(self.takes_card(BlackjackLine::PlayerDealt, BrokenRule::Cards)?);
        let [second, third] = [0, 1].map(|at| self.lines.clone().nth(at).map(|read| read.said));
        let is_player_first = matches!(
            (second, third),
            (Some(BlackjackLine::PlayerDealt(_)), Some(BlackjackLine::DealerDealt(_)))
        );
        if is_player_first {
            player.add(self.takes_card(BlackjackLine::PlayerDealt, BrokenRule::Cards)?);
            let line = self.lines.peek().map_or(0, |next| next.line - 1);
            self.breaks(BrokenRule::Cards, line);
        }
        let up = self.takes_card(BlackjackLine::DealerDealt, BrokenRule::Cards)?;
        if !is_player_first {
            player.add(self.takes_card(BlackjackLine::PlayerDealt, BrokenRule::Cards)?);
        }
        Ok((player, up))
    }

    /// Follows the dealer's cards against this total of the player's; returns how often the bet is won.
    fn dealer_plays(&mut self, up: Card, total: u32) -> Result<i64, BrokenRule> {
        let rules = self.rules;
        let hole = self.takes(BrokenRule::HoleCard, |said| matches!(said, BlackjackLine::HoleCard(_)));
        let Ok(ReadLine { said: BlackjackLine::HoleCard(hole), .. }) = hole else {
            // The program may have counted it.
            self.counting = None;
            return Err(BrokenRule::HoleCard);
        };
        let mut dealer = rules.empty_hand();
        [up, hole].into_iter().for_each(|card| dealer.add(card));
        loop {
            self.judged.clone_from(&dealer);
            let draws = rules.dealer_draws(&dealer);
            if draws != self.comes(|said| said.card().is_some()) {
                return Err(self.stops_wrongly(BrokenRule::DealerDraws, dealer.value().count));
            }
            if !draws {
                break;
            }
            dealer.add(self.takes_card(BlackjackLine::DealerDealt, BrokenRule::DealerDraws)?);
        }
        let dealers = dealer.value().count;
        self.total(BlackjackLine::DealerTotal(dealers.into()))?;
        let (result, won) = BlackjackLine::result(total, dealers);
        self.takes(BrokenRule::Results, |said| said == result)?;
        Ok(won)
    }

    /// The rule of a wrong decision to draw or not: that of values, if a wrong total follows.
    fn stops_wrongly(&mut self, rule: BrokenRule, count: u32) -> BrokenRule {
        let is_total = |said| matches!(said, BlackjackLine::PlayerTotal(total) | BlackjackLine::DealerTotal(total) if total != i64::from(count));
        if self.comes(is_total) { BrokenRule::Totals } else { rule }
    }

    fn total(&mut self, right: BlackjackLine) -> Result<(), BrokenRule> {
        let rule = match self.lines.peek().map(|read| read.said) {
            Some(BlackjackLine::PlayerTotal(_) | BlackjackLine::DealerTotal(_)) => BrokenRule::Totals,
            Some(BlackjackLine::Natural) => BrokenRule::Naturals,
            _ => BrokenRule::Results,
        };
        self.takes(rule, |said| is_same_play(said, right)).map(|_| ())
    }

    /// Passes over the rest of a hand.
    fn passes_over_hand(&mut self) {
        while self.comes(|said| !matches!(said, BlackjackLine::Hand { .. } | BlackjackLine::Over { .. })) {
            self.next();
        }
    }
}
