//! The winnings of each reply: the rest of the round, played many times with random unseen cards.

use std::ops::Range;

use casino_stud::cards::{Card, CardSet, Deck};
use casino_stud::odds::HoleRange;
use casino_stud::stud::{Action, Chips, MAX_SEATS, Seat};
use casino_stud::table::Question;

use super::habits::action_of;
use super::keyed_random::KeyedRandom;
use super::manner::{HeldCard, PlayModel, SeatAction};
use super::noted_round::Spot;
use super::own_value::{Board, CardEquities, CardEquity};
use super::proof::{OpponentReaction, knows, left_after_call};
use super::{ChipMean, Rule};

/// Samples to find the best reply, to estimate its value, and to estimate a probable mistake once more: each with its
/// own cards, so that no estimate is biased by selection.
const SEARCH_SAMPLES: u32 = 96;
/// Samples of the search after which a reply that nothing leads is called sound.
const FIRST_SAMPLES: u32 = 32;
const CONFIRM_SAMPLES: u32 = 160;
const RECHECK_SAMPLES: u32 = 640;

/// How certain a mistake has to be. `cargo bench --bench advice -- tuning` derives the default.
#[derive(Clone, Copy, Debug)]
pub struct Caution {
    /// Minimum cost of a mistake in standard errors.
    pub standard_errors: f64,
    /// The part of the folds of a looser opponent that become calls, and of the calls of a tighter one that become folds.
    pub shift: f32,
}

impl Default for Caution {
    fn default() -> Caution {
        Caution { standard_errors: 10.0, shift: 0.5 }
    }
}

/// Minimum cost of a mistake in chips, as a part of the pot, and as a part of the chips put in: the error of the
/// opponents' habits grows with the stakes.
const MIN_COST_CHIPS: f64 = 1.0;
const MIN_COST_STAKE_SHARE: f64 = 0.04;

/// The raises that are thought about, in chips.
const RAISES: [Chips; 3] = [1, 4, 10];

/// Minimum probability of an action that a player has not taken so far.
const MIN_ACTION_PROBABILITY: f32 = 0.01;

/// The possible cards of each seat, from its actions in the round. Weights are multiplied and added as `f32`: the card
/// drawn for a key depends on their last digits, and an analysis has to be reproducible.
#[derive(Clone)]
pub(super) struct Ranges([HoleRange; MAX_SEATS]);

impl Ranges {
    pub(super) fn any() -> Ranges {
        Ranges(std::array::from_fn(|_| HoleRange::any()))
    }

    /// Narrows the cards of a seat by an action that it took. `number` selects the random choices of a bot that is asked.
    pub(super) fn saw(
        &mut self,
        spot: &Spot,
        taken: SeatAction,
        manner: &PlayModel,
        equities: &CardEquities,
        number: u64,
    ) {
        let seen = spot.seen();
        let (range, equities) = (&mut self.0[taken.seat.index()], &equities[taken.seat.index()]);
        let weight = |card: Card| {
            if seen.contains(card) {
                return range.weight(card);
            }
            let chance =
                manner.chance(spot, taken, HeldCard { card, equity: equities[card.index()] }, number);
            f64::from(range.weight(card) as f32 * chance.max(MIN_ACTION_PROBABILITY))
        };
        *range = HoleRange::new(weight);
    }
}

/// How the player goes on after its reply, for the rest of the round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Continuation {
    FoldToNextBet,
    CallToTheEnd,
    /// As [`sensible_action`] says.
    Sensible,
    Habit,
    /// As this rule says, and where it says nothing by habit.
    Changed(Rule),
}

const CONTINUATIONS: [Continuation; 4] =
    [Continuation::FoldToNextBet, Continuation::CallToTheEnd, Continuation::Sensible, Continuation::Habit];

/// Something for each continuation, in the order of [`CONTINUATIONS`].
type ByContinuation<T> = [T; CONTINUATIONS.len()];

/// The best of the continuations, and its winnings.
fn best_of(values: &ByContinuation<f64>) -> (usize, f64) {
    let best = (0..values.len()).max_by(|one, other| values[*one].total_cmp(&values[*other]));
    best.map_or((0, 0.0), |best| (best, values[best]))
}

/// The continuations after the better reply and after the given one that are compared: both times the sensible one, both times the
/// player's own habits, and the best one after the better reply with each one after the given reply.
fn compared(best: usize) -> [(usize, usize); 2 + CONTINUATIONS.len()] {
    [(2, 2), (3, 3), (best, 0), (best, 1), (best, 2), (best, 3)]
}

/// Models of the opponents: as counted, or slightly looser or tighter, because counts are imprecise. A mistake has to
/// be one in all of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Leaning {
    AsCounted,
    Looser,
    Tighter,
}

pub(super) const LEANINGS: [Leaning; 3] = [Leaning::AsCounted, Leaning::Looser, Leaning::Tighter];

impl Leaning {
    /// The consequences of a kind of reply to a bet.
    fn bend(self, kind: usize, is_bent: bool) -> usize {
        match (self, kind) {
            (Leaning::Looser, 0) if is_bent => 1,
            (Leaning::Tighter, 1) if is_bent => 0,
            _ => kind,
        }
    }

    /// The weight of a card with this counted weight: actions of looser players reveal less about their cards, actions
    /// of tighter ones more.
    fn weight(self, weight: f64) -> f64 {
        match self {
            Leaning::AsCounted => weight,
            Leaning::Looser => weight.sqrt(),
            Leaning::Tighter => weight * weight.sqrt(),
        }
    }
}

/// The value of a reply in chips, from the decision on, with its error.
#[derive(Clone, Debug)]
pub(super) struct ReplyValue {
    /// What the other replies that were thought about gain if the player goes on as usual.
    pub(super) gains: Vec<(Action, f64)>,
    /// The best of the replies that were thought about.
    pub(super) best: Action,
    /// Its gain over the given reply for any continuation, with its standard error.
    pub(super) cost: f64,
    pub(super) standard_error: f64,
    /// Minimum cost of a mistake, in chips and in standard errors.
    least: f64,
    least_errors: f64,
}

pub(super) struct CoachRollout<'a> {
    pub(super) spot: &'a Spot,
    pub(super) seat: Seat,
    pub(super) manners: &'a [PlayModel],
    pub(super) equities: &'a CardEquities,
    pub(super) ranges: &'a Ranges,
    pub(super) key: [u64; 3],
    pub(super) caution: Caution,
}

/// The seats with hidden hole cards and the sums of their weights.
struct Hidden {
    seats: Vec<(Seat, [f32; 52])>,
    seen: CardSet,
}

impl ReplyValue {
    fn sound(given: Action, gains: Vec<(Action, f64)>) -> ReplyValue {
        let least = f64::MAX;
        ReplyValue { gains, best: given, cost: 0.0, standard_error: 0.0, least, least_errors: least }
    }

    /// Whether the given reply is called a mistake.
    pub(super) fn is_mistake(&self) -> bool {
        self.cost > self.least_errors * self.standard_error && self.cost >= self.least
    }
}

impl CoachRollout<'_> {
    /// Compares the given action with the one that leads it by most.
    pub(super) fn judge(&self, given: Action) -> ReplyValue {
        let actions = self.candidates(given);
        let hidden = self.hidden(Leaning::AsCounted);
        let mut sums = vec![ByContinuation::default(); actions.len()];
        let lead = |sums: &[ByContinuation<f64>], better: usize| {
            let (best, _) = best_of(&sums[better]);
            let leads = compared(best).map(|(one, other)| sums[better][one] - sums[0][other]);
            leads.into_iter().fold(f64::MAX, f64::min)
        };
        // The last of the continuations is the usual one.
        let gains = |sums: &[ByContinuation<f64>], samples: u32| -> Vec<(Action, f64)> {
            let usual = sums.iter().map(|[.., usual]| (usual - sums[0][3]) / f64::from(samples));
            actions.iter().copied().zip(usual).skip(1).collect()
        };
        for sample in 0..SEARCH_SAMPLES {
            if sample == FIRST_SAMPLES && (1..sums.len()).all(|better| lead(&sums, better) <= 0.0) {
                return ReplyValue::sound(given, gains(&sums, FIRST_SAMPLES));
            }
            let deck = self.deal(&hidden, sample);
            for (sums, action) in sums.iter_mut().zip(&actions) {
                let values = self.values(&deck, *action, sample, Leaning::AsCounted);
                sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
            }
        }
        let gains = gains(&sums, SEARCH_SAMPLES);
        let leads = (1..sums.len()).map(|better| (better, lead(&sums, better)));
        let Some((better, _)) =
            leads.filter(|(_, lead)| *lead > 0.0).max_by(|one, other| one.1.total_cmp(&other.1))
        else {
            return ReplyValue::sound(given, gains);
        };
        let (best, continuation) = (actions[better], best_of(&sums[better]).0);
        let at_stake = f64::from(self.spot.round.pot() + given.chips().unwrap_or(0));
        let mut verdict = ReplyValue {
            gains,
            best,
            cost: f64::MAX,
            standard_error: 0.0,
            least: MIN_COST_CHIPS.max(MIN_COST_STAKE_SHARE * at_stake),
            least_errors: self.caution.standard_errors,
        };
        let first = SEARCH_SAMPLES..SEARCH_SAMPLES + CONFIRM_SAMPLES;
        for samples in [first.clone(), first.end..first.end + RECHECK_SAMPLES] {
            verdict.cost = f64::MAX;
            // The smallest estimate counts, so that the first one without a mistake ends the search.
            for leaning in LEANINGS {
                let lead = self.compare(leaning, (best, continuation), given, samples.clone());
                if lead.chips < verdict.cost {
                    (verdict.cost, verdict.standard_error) = (lead.chips, lead.standard_error);
                }
                if !verdict.is_mistake() {
                    return verdict;
                }
            }
        }
        if best == Action::FOLD {
            verdict.cost = verdict.cost.min(f64::from(given.chips().unwrap_or(0)));
        }
        if verdict.is_mistake()
            && let Some(lead) = self.lead_by_odds(best, given)
            && lead < verdict.cost
        {
            (verdict.cost, verdict.standard_error) = (lead, 0.0);
        }
        verdict
    }

    /// The minimum gain of one action over the given one over the player's continuations after both, from these
    /// samples. The gain is larger only if the player continues worse after the given one than it can.
    fn compare(
        &self,
        leaning: Leaning,
        (better, continuation): (Action, usize),
        given: Action,
        samples: Range<u32>,
    ) -> ChipMean {
        let (compared, hidden) = (compared(continuation), self.hidden(leaning));
        let (mut sums, mut squares) = ([0.0; 6], [0.0; 6]);
        let count = samples.len() as u64;
        for sample in samples {
            let deck = self.deal(&hidden, sample);
            let [ones, others] = [better, given].map(|action| self.values(&deck, action, sample, leaning));
            for (at, (one, other)) in compared.into_iter().enumerate() {
                let more = ones[one] - others[other];
                sums[at] += more;
                squares[at] += more * more;
            }
        }
        let means = sums.iter().zip(squares).map(|(sum, squares)| ChipMean::of(count, *sum, squares));
        means.min_by(|one, other| one.chips.total_cmp(&other.chips)).unwrap_or_default()
    }

    /// The gain of a call over a fold, or the reverse, against one opponent when a call closes the street: by the odds
    /// alone against a random card, as if there were no further bets.
    fn lead_by_odds(&self, better: Action, given: Action) -> Option<f64> {
        let round = &self.spot.round;
        let to_call = round.bounds(self.seat).to_call;
        let is_call = |action: Action| action.chips() == Some(to_call);
        let folds_less = match (better == Action::FOLD, given == Action::FOLD) {
            (true, _) if is_call(given) => -1.0,
            (_, true) if is_call(better) => 1.0,
            _ => return None,
        };
        let others = round.live().without(self.seat);
        if others.len() != 1 {
            return None;
        }
        left_after_call(self.spot, self.seat, OpponentReaction::Nobody)?;
        let odds = knows(self.spot, self.seat, others)?.exact_odds()?;
        Some(folds_less * (odds.chips(round.pot() + to_call) - f64::from(to_call)))
    }

    /// The replies that are thought about, the given one first.
    fn candidates(&self, given: Action) -> Vec<Action> {
        let bounds = self.spot.round.bounds(self.seat);
        let mut actions = vec![given];
        let raises = RAISES.iter().map(|more| bounds.to_call.saturating_add(*more));
        // Another size of a raise gains less than the uncertainty about the opponents, and a fold is compared only with
        // a call: the number of folds to a raise is the least certain quantity.
        let raises = raises.filter(|_| given.chips() == Some(bounds.to_call));
        let bets = [bounds.to_call].into_iter().chain(raises).filter_map(|chips| bounds.bet(chips).ok());
        // Where nothing is to call, to stay in is never worse than a fold.
        let fold = (bounds.to_call > 0).then_some(Action::FOLD);
        for action in fold.into_iter().chain(bets) {
            if !actions.contains(&action) {
                actions.push(action);
            }
        }
        actions
    }

    /// How many more chips a player who follows a rule wins from here on, on average over these samples. `given` is its
    /// reply without the rule, if it is asked here.
    pub(super) fn gain(
        &self,
        rule: &Rule,
        given: Option<Action>,
        samples: Range<u32>,
        leaning: Leaning,
    ) -> f64 {
        let (hidden, count) = (self.hidden(leaning), f64::from(samples.end - samples.start));
        let gained = samples.map(|sample| {
            let deck = self.deal(&hidden, sample);
            let play = |continuation, action: Option<Action>| {
                let mut rest = self.rest(&deck, sample);
                action.into_iter().for_each(|action| rest.spot.round.act(self.seat, action));
                self.play(&mut rest, Some(continuation), leaning);
                rest
            };
            let action = given.map(|given| changed(rule, self.spot, self.seat).unwrap_or(given));
            let with = play(Continuation::Changed(*rule), action);
            if action == given && !with.is_changed {
                return 0.0;
            }
            with.stack(self.seat) - play(Continuation::Habit, given).stack(self.seat)
        });
        gained.sum::<f64>() / count
    }

    /// The rest of the round with these cards.
    fn rest(&self, deck: &Deck, sample: u32) -> PlayedRest {
        let mut spot = self.spot.clone();
        spot.round.redeal(deck);
        let key = KeyedRandom::new(&self.key).with(u64::from(sample));
        PlayedRest { spot, key, turns: [0; MAX_SEATS], second: None, is_changed: false }
    }

    fn hidden(&self, leaning: Leaning) -> Hidden {
        let round = &self.spot.round;
        let mut seen = self.spot.seen();
        seen.insert(round.hole(self.seat));
        let sums = |seat: Seat| {
            let mut sum = 0.0;
            let range = &self.ranges.0[seat.index()];
            Card::ALL.map(|card| {
                sum += if seen.contains(card) { 0.0 } else { leaning.weight(range.weight(card)) as f32 };
                sum
            })
        };
        let live = round.live().without(self.seat);
        let folded = round.dealt().into_iter().filter(|seat| !round.live().contains(*seat));
        Hidden { seats: live.into_iter().chain(folded).map(|seat| (seat, sums(seat))).collect(), seen }
    }

    /// Deals the unseen cards: hole cards by their probabilities, the rest uniformly.
    fn deal(&self, hidden: &Hidden, sample: u32) -> Deck {
        let mut random = KeyedRandom::new(&self.key).with(u64::from(sample));
        let round = &self.spot.round;
        let mut taken = hidden.seen;
        let mut holes = [round.hole(self.seat); MAX_SEATS];
        let others = hidden.seats.len();
        for at in 0..others {
            let (seat, sums) = &hidden.seats[(at + sample as usize) % others];
            holes[seat.index()] = draw(sums, &mut taken, &mut random);
        }
        let dealt = round.dealt();
        let players = dealt.len();
        let mut cards = Card::ALL;
        for (slot, seat) in dealt.into_iter().enumerate() {
            cards[slot] = holes[seat.index()];
            cards[players + slot] = round.up(seat)[0];
            let second = self.spot.shown(seat).get(1).copied();
            cards[2 * players + slot] = second.unwrap_or_else(|| draw_any(&mut taken, &mut random));
        }
        Deck::beginning_with(&cards[..3 * players]).expect("no card is drawn twice")
    }

    /// The player's winnings from here on after this action, for each continuation. They share everything up to the
    /// player's next question.
    fn values(&self, deck: &Deck, action: Action, sample: u32, leaning: Leaning) -> ByContinuation<f64> {
        if action == Action::FOLD {
            return [0.0; CONTINUATIONS.len()];
        }
        let mut rest = self.rest(deck, sample);
        let had = f64::from(rest.spot.round.stacks()[self.seat.index()]);
        rest.spot.round.act(self.seat, action);
        if !self.play(&mut rest, None, leaning) {
            return [rest.stack(self.seat) - had; CONTINUATIONS.len()];
        }
        CONTINUATIONS.map(|continuation| {
            let mut rest = rest.clone();
            self.play(&mut rest, Some(continuation), leaning);
            rest.stack(self.seat) - had
        })
    }

    /// Plays on to the end, or without a continuation to the player's next question. Returns whether there is one.
    fn play(&self, rest: &mut PlayedRest, continuation: Option<Continuation>, leaning: Leaning) -> bool {
        while rest.spot.round.live().contains(self.seat)
            && let Some(seat) = rest.spot.run_on()
        {
            let is_own = seat == self.seat;
            if is_own && continuation.is_none() {
                return true;
            }
            let equity = if rest.spot.round.street() == self.spot.round.street() {
                self.equities[seat.index()][rest.spot.round.hole(seat).index()]
            } else {
                rest.second.get_or_insert_with(|| SecondStreet::new(&rest.spot)).equity(&rest.spot, seat)
            };
            let bounds = rest.spot.round.bounds(seat);
            let action = match continuation.filter(|_| is_own) {
                Some(Continuation::FoldToNextBet) => action_of(usize::from(bounds.to_call == 0), &bounds),
                Some(Continuation::CallToTheEnd) => action_of(1, &bounds),
                Some(Continuation::Sensible) => sensible_action(&rest.spot, seat, equity),
                Some(Continuation::Habit) => self.usual_action(rest, seat, equity, Leaning::AsCounted),
                Some(Continuation::Changed(rule)) => {
                    let usual = self.usual_action(rest, seat, equity, Leaning::AsCounted);
                    let action = changed(&rule, &rest.spot, seat).unwrap_or(usual);
                    rest.is_changed |= action != usual;
                    action
                }
                None => self.usual_action(rest, seat, equity, leaning),
            };
            rest.spot.round.act(seat, action);
        }
        false
    }

    fn usual_action(
        &self,
        rest: &mut PlayedRest,
        seat: Seat,
        equity: CardEquity,
        leaning: Leaning,
    ) -> Action {
        let (mut random, spot) = (rest.turn(seat), &rest.spot);
        let bounds = spot.round.bounds(seat);
        match &self.manners[seat.index()] {
            PlayModel::Counted(habit) => {
                let kind = PlayModel::kind_by(habit, spot, seat, equity, random.unit());
                let leans = if bounds.to_call > 0 { leaning } else { Leaning::AsCounted };
                action_of(leans.bend(kind, random.unit() < self.caution.shift), &bounds)
            }
            PlayModel::Asked(bot) => {
                let held = HeldCard { card: spot.round.hole(seat), equity };
                bot.action(spot, seat, held, random.next())
            }
        }
    }
}

/// The action of a player who follows this rule; `None` if it says nothing about this decision.
fn changed(rule: &Rule, spot: &Spot, seat: Seat) -> Option<Action> {
    let question = Question::of(&spot.round, seat, spot.board_cards());
    Some(rule.reply(&question)?.legalise(&question.bounds).unwrap_or(Action::FOLD))
}

/// The player's later decisions: it weighs the gain of a call against its cost, like a sensible player with the same
/// view. The amount to call is taken as information about the opponents' cards.
fn sensible_action(spot: &Spot, seat: Seat, equity: CardEquity) -> Action {
    let bounds = spot.round.bounds(seat);
    let pot = f64::from(spot.round.pot());
    let price = f64::from(bounds.to_call);
    let players = spot.board.len() as f64;
    let share = f64::from(equity.share);
    let fair = share * players;
    let is_deep = spot.round.pot() > 20 * spot.board.len() as Chips;
    let kind = if fair > 1.5 && price <= 20.0 && !is_deep {
        4
    } else if fair > 1.2 && price <= 5.0 && !is_deep {
        2
    } else if share * (1.0 - price / (price + pot + 40.0)) * (pot + price) >= price {
        1
    } else {
        0
    };
    action_of(kind, &bounds)
}

/// The rest of a round, as far as it was played.
#[derive(Clone)]
struct PlayedRest {
    spot: Spot,
    key: KeyedRandom,
    /// The number of each player's turns.
    turns: [u64; MAX_SEATS],
    second: Option<SecondStreet>,
    /// Whether a rule has changed an action of the player.
    is_changed: bool,
}

impl PlayedRest {
    /// The random numbers of a player's next turn: the same for all compared replies.
    fn turn(&mut self, seat: Seat) -> KeyedRandom {
        let turn = &mut self.turns[seat.index()];
        *turn += 1;
        self.key.with((*turn << 40) ^ ((1 + seat.index() as u64) << 32))
    }

    /// The chips of a seat at the end of the round.
    fn stack(&self, seat: Seat) -> f64 {
        let round = &self.spot.round;
        let won = if round.live().contains(seat) { round.showdown().won(seat) } else { 0 };
        f64::from(round.stacks()[seat.index()] + won)
    }
}

/// The second street of a rollout, evaluated as far as a player has to act on it.
#[derive(Clone)]
struct SecondStreet {
    board: Board,
    equities: [Option<CardEquity>; MAX_SEATS],
}

impl SecondStreet {
    fn new(spot: &Spot) -> SecondStreet {
        SecondStreet { board: Board::of(spot), equities: [None; MAX_SEATS] }
    }

    fn equity(&mut self, spot: &Spot, seat: Seat) -> CardEquity {
        *self.equities[seat.index()].get_or_insert_with(|| self.board.equity(seat, spot.round.hole(seat)))
    }
}

/// Draws a card by the sums of its weights and those before it, if it is not taken.
fn draw(sums: &[f32; 52], taken: &mut CardSet, random: &mut KeyedRandom) -> Card {
    for _ in 0..24 {
        let point = random.unit() * sums[51];
        let card = Card::ALL[sums.partition_point(|sum| *sum <= point).min(51)];
        if taken.insert(card) {
            return card;
        }
    }
    draw_any(taken, random)
}

pub(super) fn draw_any(taken: &mut CardSet, random: &mut KeyedRandom) -> Card {
    loop {
        let card = Card::ALL[random.below(52)];
        if taken.insert(card) {
            return card;
        }
    }
}
