//! Judges each line of a transcript by the rules and by the program's own lines before it, so that one error is one
//! difference and not a different game from there on.

use std::collections::BTreeMap;
use std::iter::Peekable;
use std::slice::Iter;

use casino_stud::cards::Card;

use super::model::{CUTS, RESHUFFLE_BELOW};
use super::transcript_line::{GameLine, ReadLine};
use super::written::AskedGame;
use crate::blackjack::{
    BlackjackHand, BlackjackPlayer, Counting, CourseCuts, MINIMUM_BET, Shoe, table_draws,
};

const MINIMUM: i64 = MINIMUM_BET as i64;

/// The dealer stops at this total.
const DEALER_STANDS: u32 = 17;

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
    /// The totals of hands.
    Totals,
    /// The dealer's hole card.
    HoleCard,
    /// The dealer's draws.
    DealerDraws,
    /// The results of hands.
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
            BrokenRule::Totals => "the totals",
            BrokenRule::HoleCard => "the hole card",
            BrokenRule::DealerDraws => "the dealer's draws",
            BrokenRule::Results => "the results of hands",
            BrokenRule::Bankroll => "the bankroll after hands",
            BrokenRule::End => "the end of the game",
        }
    }
}

/// The findings in one transcript.
#[derive(Clone, Debug, Default)]
pub(super) struct WalkFindings {
    /// The broken rules, each with the first line that breaks it.
    pub(super) broken: BTreeMap<BrokenRule, usize>,
    /// The first line with the wrong words or number for a right game, and the right line.
    pub(super) text: Option<(usize, GameLine)>,
    /// How many hands begin.
    pub(super) hands: usize,
    /// Whether the closing line was found.
    pub(super) is_complete: bool,
}

/// Follows a transcript to its end.
pub(super) fn walk(asked: AskedGame, lines: &[ReadLine]) -> WalkFindings {
    let mut walk = Walk {
        asked,
        lines: lines.iter().peekable(),
        shoe: Shoe::new(),
        cuts: CourseCuts::new(),
        count: Counting::default(),
        hole: None,
        dealt_since_shuffle: 0,
        dealt_in_hand: 0,
        found: WalkFindings::default(),
    };
    walk.game();
    walk.found
}

struct Walk<'a> {
    asked: AskedGame,
    lines: Peekable<Iter<'a, ReadLine>>,
    shoe: Shoe,
    cuts: CourseCuts,
    count: Counting,
    /// The hole card of this hand, if the deck was followed up to it.
    hole: Option<Card>,
    dealt_since_shuffle: usize,
    dealt_in_hand: usize,
    found: WalkFindings,
}

impl Walk<'_> {
    fn breaks(&mut self, rule: BrokenRule, line: usize) {
        self.found.broken.entry(rule).or_insert(line);
    }

    /// Takes the next line, with its effects on the deck and the count.
    fn next(&mut self) -> Option<ReadLine> {
        let read = *self.lines.next()?;
        match read.said {
            GameLine::Shuffling => {
                self.count.shuffled();
                self.dealt_since_shuffle = 0;
            }
            GameLine::Cut(cut) => {
                if self.cuts.next().is_none_or(|right| right.left() as i64 != cut) {
                    self.breaks(BrokenRule::Cuts, read.line);
                }
                self.shoe.shuffle(cut.clamp(0, 52) as usize);
            }
            GameLine::Hand { .. } => {
                self.found.hands += 1;
                (self.dealt_in_hand, self.hole) = (0, None);
            }
            GameLine::Player(card) | GameLine::Dealer(card) => {
                if !self.deals(card) {
                    self.breaks(BrokenRule::Cards, read.line);
                }
                self.count.expose(card);
                self.dealt_in_hand += 1;
                self.dealt_since_shuffle += 1;
                if self.dealt_in_hand == 3 {
                    self.hole = self.shoe.deal().ok();
                    self.dealt_since_shuffle += 1;
                }
            }
            GameLine::Hole(card) => {
                if self.hole != Some(card) {
                    self.breaks(BrokenRule::Cards, read.line);
                }
                self.count.expose(card);
            }
            _ => {}
        }
        Some(read)
    }

    /// Whether this card is the next one. The deck continues after it where it lies further down.
    fn deals(&mut self, card: Card) -> bool {
        let mut ahead = self.shoe.clone();
        let place = std::iter::from_fn(|| ahead.deal().ok()).position(|next| next == card);
        for _ in 0..=place.unwrap_or(0) {
            let _ = self.shoe.deal();
        }
        place == Some(0)
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

    fn is_card(said: GameLine) -> bool {
        said.card().is_some()
    }

    fn game(&mut self) {
        if self.shuffle().is_err() {
            self.breaks(BrokenRule::Shuffles, 0);
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
                _ => self.breaks(BrokenRule::Results, read.line),
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
        if printed < MINIMUM || self.found.hands > self.asked.hands as usize {
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
        let is_early = printed >= MINIMUM && played < self.asked.hands as usize;
        if is_early || self.lines.peek().is_some() {
            self.breaks(BrokenRule::End, line);
        }
    }

    fn shuffle(&mut self) -> Result<(), BrokenRule> {
        self.takes(BrokenRule::Shuffles, |said| said == GameLine::Shuffling)?;
        for _ in 0..CUTS {
            self.takes(BrokenRule::Cuts, |said| matches!(said, GameLine::Cut(_)))?;
        }
        Ok(())
    }

    /// Follows a hand up to its first broken rule that leaves the rest open; returns the chips won.
    fn hand(&mut self, bankroll: i64) -> Result<i64, BrokenRule> {
        let is_due = self.found.hands > 1 && self.dealt_since_shuffle + RESHUFFLE_BELOW > 52;
        if is_due != self.comes(|said| said == GameLine::Shuffling) {
            return Err(BrokenRule::Shuffles);
        }
        if is_due {
            self.shuffle()?;
        }
        let doubles = self.asked.counting && self.count.count() >= 2 && bankroll >= 2 * MINIMUM;
        let right = if doubles { 2 * MINIMUM } else { MINIMUM };
        let read = self.takes(BrokenRule::Bets, |said| matches!(said, GameLine::Bet(_)))?;
        let GameLine::Bet(bet) = read.said else { return Err(BrokenRule::Bets) };
        if bet != right {
            self.breaks(BrokenRule::Bets, read.line);
        }
        let mut player = BlackjackHand::new();
        player.add(self.takes_card(GameLine::Player, BrokenRule::Cards)?);
        let up = self.takes_card(GameLine::Dealer, BrokenRule::Cards)?;
        player.add(self.takes_card(GameLine::Player, BrokenRule::Cards)?);
        let is_natural = player.value().count == 21;
        if is_natural != self.comes(|said| said == GameLine::Natural) {
            return Err(BrokenRule::Naturals);
        }
        if is_natural {
            self.next();
            return Ok(3 * bet / 2);
        }
        while !player.is_bust() {
            let draws = table_draws(player.value(), up.rank());
            if draws != self.comes(Self::is_card) {
                return Err(BrokenRule::PlayerDraws);
            }
            if !draws {
                break;
            }
            player.add(self.takes_card(GameLine::Player, BrokenRule::PlayerDraws)?);
        }
        let total = player.value().count;
        self.total(GameLine::PlayerTotal(total.into()))?;
        if player.is_bust() {
            self.takes(BrokenRule::Results, |said| said == GameLine::PlayerBusts)?;
            return Ok(-bet);
        }
        let hole = self.takes(BrokenRule::HoleCard, |said| matches!(said, GameLine::Hole(_)))?;
        let GameLine::Hole(hole) = hole.said else { return Err(BrokenRule::HoleCard) };
        let mut dealer = BlackjackHand::from_iter([up, hole]);
        loop {
            let draws = dealer.value().count < DEALER_STANDS;
            if draws != self.comes(Self::is_card) {
                return Err(BrokenRule::DealerDraws);
            }
            if !draws {
                break;
            }
            dealer.add(self.takes_card(GameLine::Dealer, BrokenRule::DealerDraws)?);
        }
        let dealers = dealer.value().count;
        self.total(GameLine::DealerTotal(dealers.into()))?;
        let (result, won) = GameLine::result(total, dealers);
        self.takes(BrokenRule::Results, |said| said == result)?;
        Ok(won * bet)
    }

    fn total(&mut self, right: GameLine) -> Result<(), BrokenRule> {
        self.takes(BrokenRule::Totals, |said| said.is_same_play(right)).map(|_| ())
    }

    /// Passes over the rest of a hand.
    fn passes_over_hand(&mut self) {
        while self.comes(|said| !matches!(said, GameLine::Hand { .. } | GameLine::Over { .. })) {
            self.next();
        }
    }
}
