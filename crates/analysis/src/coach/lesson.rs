//! The lesson of an analysis: a rule for a class of decisions. Its sentence and the changed player are made of the same
//! [`Rule`].

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

use casino_stud::cards::Rank;
use casino_stud::strategies::HouseBot;
use casino_stud::stud::{Chips, Street};
use casino_stud::table::{Question, Reply};

use super::manner::{AskedBot, PlayModel};
use super::own_value::Board;
use super::rollout::{CoachRollout, LEANINGS, Leaning, Ranges};
use super::{AnalysedDecision, Caution, ChipMean, Coach, NotedRound};

/// What a player sees of a decision, as far as rules distinguish it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecisionClass {
    /// 1 or 2.
    pub street: u8,
    /// The player's cards.
    pub cards: CardsKind,
    /// The amount to call, in chips.
    pub to_call: Chips,
    /// How many others the question lists.
    pub others: usize,
}

/// A kind of own cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CardsKind {
    /// No pair, neither the ace nor the king of spades in the hole, and no card above all up cards of the others.
    Nothing,
    /// No pair, neither the ace nor the king of spades in the hole, and a card above all up cards of the others.
    HighCard,
    /// No pair, and the ace or the king of spades in the hole.
    HighSpade,
    /// A pair that is not above all up cards of the others.
    LowPair,
    /// A pair above all up cards of the others.
    HighPair,
    /// Three of a kind.
    Trips,
}

/// How a player replies to all decisions of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rule {
    /// 1 or 2.
    pub street: u8,
    /// The player's cards.
    pub cards: CardsKind,
    /// The smallest and the largest amount to call, in chips.
    pub to_call: (Chips, Chips),
    /// The smallest and the largest number of others that the question lists.
    pub others: (usize, usize),
    /// By how many chips it raises, as far as the rules and the stack allow: 0 is a call, and `None` a fold.
    pub raise: Option<Chips>,
}

/// A rule with which a player would have won more.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lesson {
    /// The rule.
    pub rule: Rule,
    /// How many chips a round the changed player wins more among the players of the tournament, by the smallest estimate.
    pub here: ChipMean,
    /// How many it wins more among players like `odds`.
    pub against_odds: ChipMean,
}

/// The amounts to call and the numbers of others that rules distinguish. A raise is answered by a raise only up to an
/// amount that ends most wars of raises.
const TO_CALL: [(Chips, Chips); 5] = [(0, 0), (1, 5), (1, Chips::MAX), (6, Chips::MAX), (11, Chips::MAX)];
const MOST_TO_RAISE: Chips = 5;
const OTHERS: [(usize, usize); 3] = [(1, 1), (2, usize::MAX), (1, usize::MAX)];

/// How many rules are tried, with how many changed rounds and whole rounds at most.
const MOST_TRIED: usize = 8;
const MOST_CHANGED: usize = 160;
const MOST_ROUNDS: usize = 400;

/// The samples of each changed round and of each whole round: others than those that found the rule.
const CHANGED_SAMPLES: Range<u32> = 2_000..2_048;
const ODDS_SAMPLES: Range<u32> = 0..64;

/// The part of the coach's caution about a single decision that is enough for a class of them.
const CLASS_SHIFT: f32 = 0.4;

/// The part of a key that is the random numbers of whole rounds.
const AGAINST_ODDS: u64 = u64::MAX - 2;

/// Minimum gain in standard errors.
const CERTAIN_ERRORS: f64 = 3.0;

/// Minimum number of decisions, and of rounds, that a rule changes, and of uncertainties that a promising gain is worth.
const MIN_CHANGED: usize = 10;
const SCORE_ERRORS: f64 = 2.0;

impl CardsKind {
    /// All kinds.
    pub const ALL: [CardsKind; 6] = [
        CardsKind::Nothing,
        CardsKind::HighCard,
        CardsKind::HighSpade,
        CardsKind::LowPair,
        CardsKind::HighPair,
        CardsKind::Trips,
    ];

    /// The kind of the asked player's cards.
    pub fn of(question: &Question<'_>) -> CardsKind {
        let own = || question.up.iter().chain([&question.hole]).map(|card| card.rank());
        let counts = |rank: Rank| own().filter(|other| *other == rank).count();
        let most = own().map(counts).max().unwrap_or(1);
        let best = own().filter(|rank| counts(*rank) == most).max();
        let is_above = best > question.others().flatten().map(|card| card.rank()).max();
        match (most, is_above) {
            (1, _) if question.hole.is_spade() && question.hole.rank() >= Rank::King => CardsKind::HighSpade,
            (1, false) => CardsKind::Nothing,
            (1, true) => CardsKind::HighCard,
            (2, false) => CardsKind::LowPair,
            (2, true) => CardsKind::HighPair,
            _ => CardsKind::Trips,
        }
    }

    /// The kind in words.
    pub fn words(self) -> &'static str {
        match self {
            CardsKind::Nothing => "no pair, no high spade and no card above the others' up cards",
            CardsKind::HighCard => "no pair and no high spade, but a card above the others' up cards",
            CardsKind::HighSpade => "no pair, but the ace or king of spades in the hole",
            CardsKind::LowPair => "a pair that is not above the others' up cards",
            CardsKind::HighPair => "a pair above the others' up cards",
            CardsKind::Trips => "three of a kind",
        }
    }
}

impl DecisionClass {
    /// The class of a question.
    pub fn of(question: &Question<'_>) -> DecisionClass {
        DecisionClass {
            street: if question.street == Street::First { 1 } else { 2 },
            cards: CardsKind::of(question),
            to_call: question.bounds.to_call,
            others: question.players_shown() - 1,
        }
    }
}

impl Rule {
    /// Whether it is a rule for decisions of this class.
    pub fn has(&self, class: &DecisionClass) -> bool {
        let DecisionClass { street, cards, to_call, others } = *class;
        (self.street, self.cards) == (street, cards)
            && (self.to_call.0..=self.to_call.1).contains(&to_call)
            && (self.others.0..=self.others.1).contains(&others)
    }

    fn is_war(&self) -> bool {
        self.raise > Some(0) && self.to_call.1 > MOST_TO_RAISE
    }

    /// Its reply to a question; `None` for decisions of other classes.
    pub fn reply(&self, question: &Question<'_>) -> Option<Reply> {
        let is_meant = self.has(&DecisionClass::of(question));
        is_meant.then(|| self.raise.map_or(Reply::Fold, |by| question.bounds.raise(by).into()))
    }

    /// The most promising rules for a player with these decisions, the best first: by what their replies gain where they
    /// change one, less twice the uncertainty of that.
    pub(super) fn promising<'a>(decisions: impl Iterator<Item = &'a AnalysedDecision>) -> Vec<Rule> {
        let mut sums: BTreeMap<Rule, (usize, f64, f64)> = BTreeMap::new();
        for AnalysedDecision { class, gains, .. } in decisions {
            let DecisionClass { street, cards, .. } = *class;
            for (to_call, others) in
                TO_CALL.into_iter().flat_map(|to_call| OTHERS.map(|others| (to_call, others)))
            {
                let rules = gains
                    .iter()
                    .map(|(raise, gain)| (Rule { street, cards, to_call, others, raise: *raise }, gain));
                for (rule, gain) in rules.filter(|(rule, _)| rule.has(class) && !rule.is_war()) {
                    let (count, sum, squares) = sums.entry(rule).or_default();
                    *count += 1;
                    *sum += gain;
                    *squares += gain * gain;
                }
            }
        }
        let score = |(rule, (count, sum, squares)): (Rule, (usize, f64, f64))| {
            let least = sum - SCORE_ERRORS * squares.sqrt();
            (count >= MIN_CHANGED && least > 0.0).then_some((least, rule))
        };
        let mut found: Vec<(f64, Rule)> = sums.into_iter().filter_map(score).collect();
        // Of rules for the same decisions the most general one comes first.
        let width = |rule: &Rule| (rule.others.1 - rule.others.0, rule.to_call.1 - rule.to_call.0);
        found.sort_by(|one, other| {
            other.0.total_cmp(&one.0).then_with(|| width(&other.1).cmp(&width(&one.1)))
        });
        let parts = |rule: &Rule| (rule.street, rule.cards, rule.raise);
        found.dedup_by(|later, earlier| later.0 == earlier.0 && parts(&later.1) == parts(&earlier.1));
        found.into_iter().map(|(_, rule)| rule).collect()
    }
}

impl fmt::Display for Rule {
    /// As a sentence.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Rule { street, cards, to_call, others, raise } = *self;
        let street = if street == 1 { "first" } else { "second" };
        write!(f, "On the {street} street with {}, if ", cards.words())?;
        match to_call {
            (0, 0) => write!(f, "nothing is to call")?,
            (least, Chips::MAX) => write!(f, "at least {least} is to call")?,
            (least, most) => write!(f, "{least} to {most} is to call")?,
        }
        match others {
            (1, 1) => write!(f, " with one other listed")?,
            (1, _) => write!(f, " with any number of others listed")?,
            (least, _) => write!(f, " with at least {least} others listed")?,
        }
        match (raise, to_call) {
            (None, _) => write!(f, ": fold."),
            (Some(0), (0, 0)) => write!(f, ": bet nothing."),
            (Some(0), _) => write!(f, ": call."),
            (Some(chips), (0, 0)) => write!(f, ": bet {chips}."),
            (Some(chips), _) => write!(f, ": call and raise {chips}."),
        }
    }
}

impl Lesson {
    /// The rule and its gains, in sentences.
    pub fn sentence(&self) -> String {
        let gain = |gain: ChipMean| format!("{:.2} ± {:.2}", gain.chips, gain.half_interval());
        format!(
            "{} By estimate this wins {} chips a round more here, and {} more against odds.",
            self.rule,
            gain(self.here),
            gain(self.against_odds)
        )
    }
}

impl Coach {
    /// The most promising rule with which a player wins more, both among the players of these rounds and against `odds`.
    /// `decisions` are those of the rounds.
    pub(super) fn lesson(
        &self,
        player: usize,
        rounds: &[&NotedRound],
        decisions: &[AnalysedDecision],
    ) -> Option<Lesson> {
        let own = || decisions.iter().filter(|decision| decision.player == player);
        let rounds: Vec<&NotedRound> =
            rounds.iter().copied().filter(|round| round.players.contains(&player)).collect();
        Rule::promising(own()).into_iter().take(MOST_TRIED).find_map(|rule| {
            let here = self.gain_here(&rule, &rounds, own())?;
            let against_odds = self.gain_against_odds(&rule, player, &rounds)?;
            Some(Lesson { rule, here, against_odds })
        })
    }

    /// What a rule gains among the players of these rounds, from the first decision of each round on that it changes: the
    /// smallest estimate, if they all are certain.
    fn gain_here<'a>(
        &self,
        rule: &Rule,
        rounds: &[&NotedRound],
        own: impl Iterator<Item = &'a AnalysedDecision>,
    ) -> Option<ChipMean> {
        let is_changed = |decision: &&AnalysedDecision| {
            let given = match decision.reply {
                Reply::Fold => None,
                Reply::Bet(chips) => Some(chips - decision.to_call),
            };
            rule.has(&decision.class) && rule.raise != given
        };
        let mut first: BTreeMap<(u32, u64), usize> = BTreeMap::new();
        own.filter(is_changed).for_each(|decision| {
            first.entry((decision.table, decision.round)).or_insert(decision.turn);
        });
        let changed: Vec<(&NotedRound, usize)> = rounds
            .iter()
            .filter_map(|round| Some((*round, *first.get(&(round.table, round.round))?)))
            .collect();
        let part = changed.len() as f64 / rounds.len() as f64;
        let caution = Caution { shift: self.caution.shift * CLASS_SHIFT, ..self.caution };
        let mut least: Option<ChipMean> = None;
        for leaning in LEANINGS {
            let mut gains = Vec::new();
            for (round, turn) in spread(&changed, MOST_CHANGED) {
                self.walk(round, |made, rollout| {
                    if made.turn == *turn {
                        let rollout = CoachRollout { caution, ..*rollout };
                        gains.push(rollout.gain(rule, Some(made.action), CHANGED_SAMPLES, leaning));
                    }
                });
            }
            let mean = certain(&gains, part)?;
            least = least.filter(|least| least.chips <= mean.chips).or(Some(mean));
        }
        least
    }

    /// What a rule gains in the rounds of these tables from the first question on, if all others play like `odds`.
    fn gain_against_odds(&self, rule: &Rule, player: usize, rounds: &[&NotedRound]) -> Option<ChipMean> {
        let odds = HouseBot::named("odds").and_then(AskedBot::new)?;
        let mut gains = Vec::new();
        for round in spread(rounds, MOST_ROUNDS) {
            let Some(made) = round.turns().next() else { continue };
            let seat = round.seats().into_iter().find(|seat| round.player_at(*seat) == player)?;
            let mut manners = self.manners(round);
            for other in round.seats().without(seat) {
                manners[other.index()] = PlayModel::Asked(Box::new(odds.clone()));
            }
            let rollout = CoachRollout {
                spot: &made.spot,
                seat,
                manners: &manners,
                equities: &Board::of(&made.spot).equities(),
                ranges: &Ranges::any(),
                key: [u64::from(round.table), round.round, AGAINST_ODDS],
                caution: self.caution,
            };
            gains.push(rollout.gain(rule, None, ODDS_SAMPLES, Leaning::AsCounted));
        }
        certain(&gains, 1.0)
    }
}

/// At most so many of these, evenly spread.
fn spread<T>(all: &[T], most: usize) -> impl Iterator<Item = &T> {
    let count = all.len().min(most);
    (0..count).map(move |at| &all[at * all.len() / count])
}

/// The mean gain of rounds of which this part has such a gain, if it is certain that there is one.
fn certain(gains: &[f64], part: f64) -> Option<ChipMean> {
    let (sum, squares) = gains.iter().fold((0.0, 0.0), |sums, gain| (sums.0 + gain, sums.1 + gain * gain));
    let ChipMean { chips, standard_error } = ChipMean::of(gains.len() as u64, sum, squares);
    let changed = gains.iter().filter(|gain| **gain != 0.0).count();
    let is_certain = changed >= MIN_CHANGED && chips > CERTAIN_ERRORS * standard_error;
    is_certain.then_some(ChipMean { chips: part * chips, standard_error: part * standard_error })
}
