//! Control variates: house bots in the seats of opaque bots, to separate luck from skill.
//!
//! Before a block is played, several decks are drawn for it, and house bots play the block with each of them, in
//! several lineups. One of the decks is then chosen for the bots themselves, with a higher probability if the lineups
//! differ much on it, and the results are weighted inversely to that probability. The lineups' winnings with the chosen
//! deck, weighted likewise, less their mean over all of the decks, have mean 0 exactly: a control. The features of the
//! deck's hands give further controls in the same way.

use casino_stud::cards::{Deck, Shuffler, Stream};
use casino_stud::strategies::{HouseBot, Memory};
use casino_stud::stud::{Chips, MAX_SEATS, Seat};
use casino_stud::table::{Question, Table, play_round};

use super::RatingPlan;
use super::hands::{DECK_FEATURES, add_features};

const CANDIDATE_DECKS: usize = 32;

/// The share of the choice that gives every deck the same chance, one in this many. No result counts more often than this.
const UNIFORM_SHARE: f64 = 0.5;

/// How much the chips that are won and lost in all lineups count beside those of the middle one.
const MEAN_LINEUP_WEIGHT: f64 = 0.2;

const CHANCE_UNITS: f64 = 1_048_576.0;

const MAX_LINEUPS: usize = 11;

/// How many of a control's or a weighted result's units are one chip.
pub(super) const UNITS_PER_CHIP: f64 = 65_536.0;

/// The weight of a block played with a chosen deck.
#[derive(Clone, Debug)]
pub(super) struct ChosenDeck {
    pub(super) block: u64,
    /// The deck that the bots play the block with.
    pub(super) deck: Deck,
    /// How many times the results count.
    pub(super) weight: f64,
    /// The controls of the block, control by control a number for each bot, then those for all bots alike.
    pub(super) controls: Vec<f64>,
}

#[derive(Debug)]
pub(super) struct ControlVariates {
    table: Table,
    stack: Chips,
    seats: usize,
    /// Which house bot plays for each bot, in each lineup.
    lineups: Vec<Vec<&'static HouseBot>>,
    rng: Stream,
    decks: Vec<Deck>,
    /// The winnings of each bot's seat, deck by deck, lineup by lineup.
    won: Vec<i64>,
    /// The features of the decks' hands, deck by deck.
    features: Vec<f64>,
    /// How many controls a block has.
    controls: usize,
}

impl ControlVariates {
    /// The control variates of this plan, if it has any.
    pub(super) fn new(plan: &RatingPlan) -> Option<ControlVariates> {
        let lineups = lineups(plan);
        (!lineups.is_empty()).then(|| ControlVariates {
            table: Table::new(plan.table_settings(), &vec![plan.stack(); plan.seats()]),
            stack: plan.stack(),
            seats: plan.seats(),
            features: Vec::new(),
            controls: lineups.len() * plan.bot_count() + DECK_FEATURES,
            lineups,
            rng: plan.seed().stream("stand-ins"),
            decks: Vec::with_capacity(CANDIDATE_DECKS),
            won: Vec::new(),
        })
    }

    /// How many controls there are for each bot, and how many for all bots alike.
    pub(super) fn controls_of(plan: &RatingPlan) -> (usize, usize) {
        let lineups = lineups(plan).len();
        (lineups, if lineups > 0 { DECK_FEATURES } else { 0 })
    }

    /// Draws decks for a block, plays them with house bots, and chooses one. `cycle` is the cycle of the block, with
    /// its beginning repeated at its end.
    pub(super) fn choose(&mut self, block: u64, cycle: &[usize], shuffler: &mut Shuffler) -> ChosenDeck {
        self.rng.seek(block + 1);
        self.decks.clear();
        let first = block * CANDIDATE_DECKS as u64 + 1;
        let cards = 3 * self.seats;
        let candidates = first..first + CANDIDATE_DECKS as u64;
        self.decks.extend(candidates.map(|number| shuffler.deck(number, cards).clone()));
        let bots = cycle.len() - self.seats;
        self.won.clear();
        self.won.resize(CANDIDATE_DECKS * self.lineups.len() * bots, 0);
        let mut rows = self.won.chunks_mut(bots);
        for deck in &self.decks {
            for lineup in &self.lineups {
                let won = rows.next().expect("a row for each deck and lineup");
                for turn in 0..bots {
                    let seated = &cycle[turn..turn + self.seats];
                    self.table.restart(self.stack);
                    self.table.deal(1, deck);
                    let mut memories: [Memory; MAX_SEATS] = Default::default();
                    let rng = &mut self.rng;
                    let Ok(()) = play_round(&mut self.table, &mut |seat: Seat, question: &Question<'_>| {
                        lineup[seated[seat.index()]].decide(question, &mut memories[seat.index()], rng)
                    });
                    for (bot, chips) in seated.iter().zip(self.table.stacks()) {
                        won[*bot] += i64::from(*chips) - i64::from(self.stack);
                    }
                }
            }
        }
        let (chosen, weight) = self.draw(bots);
        let of_deck = self.lineups.len() * bots;
        let mut controls = vec![0.0; self.controls];
        let (of_lineups, of_features) = controls.split_at_mut(of_deck);
        for (at, control) in of_lineups.iter_mut().enumerate() {
            let sum: i64 = self.won.iter().skip(at).step_by(of_deck).sum();
            let here = self.won[chosen * of_deck + at];
            *control = weight * here as f64 - sum as f64 / CANDIDATE_DECKS as f64;
        }
        self.features.clear();
        self.decks.iter().for_each(|deck| add_features(deck, self.seats, &mut self.features));
        for (at, control) in of_features.iter_mut().enumerate() {
            let sum: f64 = self.features.iter().skip(at).step_by(DECK_FEATURES).sum();
            *control = weight * self.features[chosen * DECK_FEATURES + at] - sum / CANDIDATE_DECKS as f64;
        }
        ChosenDeck { block, deck: self.decks[chosen].clone(), weight, controls }
    }

    /// Chooses a deck, more probably one on which much is won and lost in the middle one of the lineups, so that a wild lineup does
    /// not decide alone; the others count a little.
    fn draw(&mut self, bots: usize) -> (usize, f64) {
        let spread = |won: &[i64]| {
            let mut chips: Vec<i64> =
                won.chunks(bots).map(|won| won.iter().map(|won| won.abs()).sum()).collect();
            chips.sort_unstable();
            let mean = chips.iter().sum::<i64>() as f64 / chips.len() as f64;
            chips[chips.len() / 2] as f64 + MEAN_LINEUP_WEIGHT * mean
        };
        let spreads: Vec<f64> = self.won.chunks(self.lineups.len() * bots).map(spread).collect();
        let all: f64 = spreads.iter().sum();
        let even = 1.0 / CANDIDATE_DECKS as f64;
        let chance = |spread: &f64| match all > 0.0 {
            true => (UNIFORM_SHARE * even + (1.0 - UNIFORM_SHARE) * spread / all) * CHANCE_UNITS,
            false => even * CHANCE_UNITS,
        };
        // In whole numbers, so that the weight belongs exactly to the probability with which the deck is drawn.
        let chances: Vec<u32> = spreads.iter().map(|spread| chance(spread).ceil() as u32).collect();
        let whole: u32 = chances.iter().sum();
        let mut point = self.rng.below(whole);
        let mut chosen = 0;
        while point >= chances[chosen] {
            point -= chances[chosen];
            chosen += 1;
        }
        (chosen, f64::from(whole) / (CANDIDATE_DECKS as f64 * f64::from(chances[chosen])))
    }
}

/// The substitute for each bot in each lineup. House bots play themselves, except those with a long search, which the
/// last of the substitutes plays.
fn lineups(plan: &RatingPlan) -> Vec<Vec<&'static HouseBot>> {
    let control_variates: Vec<&'static HouseBot> = plan.control_variates().collect();
    let Some(last) = control_variates.last() else { return Vec::new() };
    let known: Vec<Option<&'static HouseBot>> = plan
        .bots()
        .iter()
        .map(|bot| bot.house_bot())
        .map(|bot| bot.map(|bot| if SLOW_HOUSE_BOTS.contains(&bot.name) { last } else { bot }))
        .collect();
    let unknown: Vec<usize> = (0..known.len()).filter(|bot| known[*bot].is_none()).collect();
    let lineup = |picks: &dyn Fn(usize) -> usize| -> Vec<&'static HouseBot> {
        let mut lineup: Vec<&HouseBot> = known.iter().map(|bot| bot.unwrap_or(last)).collect();
        for (at, bot) in unknown.iter().enumerate() {
            lineup[*bot] = control_variates[picks(at) % control_variates.len()];
        }
        lineup
    };
    let all = control_variates.len();
    if unknown.len() == 2 {
        // First those that stand side by side in the list.
        let pairs = (1..all).flat_map(|gap| (gap..all).map(move |other| [other - gap, other]));
        return pairs.take(MAX_LINEUPS).map(|pair| lineup(&|at| pair[at])).collect();
    }
    (0..all).map(|turn| lineup(&|at| turn + at)).collect()
}

/// House bots that think too long to play many rounds aside.
pub(super) const SLOW_HOUSE_BOTS: [&str; 3] = ["odds", "bluffer", "solver"];

#[cfg(test)]
mod tests {

    use super::*;
    use crate::rating::{BotPlayers, Contestant, PlanTerms, RatingReport, play};
    use casino_stud::cards::Seed;
    use casino_stud::strategies::Bot;

    fn plan(seed: &str, rounds: u64, control_variates: &[&str]) -> RatingPlan {
        let bots = ["bold", "reader"].map(Contestant::in_process).to_vec();
        let plan = RatingPlan::new(
            bots,
            PlanTerms { seats: 2, stack: 500, seed: Seed::chosen(seed), rounds, ..PlanTerms::default() },
        )
        .unwrap();
        plan.with_control_variates(control_variates).unwrap()
    }

    /// By how many chips a round `bold` leads `reader`, and the standard error.
    fn lead(plan: &RatingPlan) -> (f64, f64) {
        let own = |name: &str| -> Box<dyn Bot> {
            Box::new(HouseBot::named(name).unwrap().player(plan.seed().stream(name)))
        };
        let played = play(plan, &mut [BotPlayers::new(plan, own)]).unwrap();
        let report = RatingReport::new(plan, &played, None);
        let pair = &report.pairs[0];
        let sign = if pair.first == "bold" { 1.0 } else { -1.0 };
        (sign * pair.difference.value, pair.difference.error)
    }

    /// The mean of 400 short runs with control variates equals a long run without them, within their errors.
    #[test]
    fn control_variates_do_not_shift_the_mean() {
        let (truth, doubt) = lead(&plan("long", 400_000, &[]));
        let runs = 400;
        let found: Vec<f64> = (0..runs)
            .map(|run| lead(&plan(&format!("run {run}"), 40, &["simple", "caller", "cautious"])).0)
            .collect();
        let mean = found.iter().sum::<f64>() / f64::from(runs);
        let spread = found.iter().map(|lead| (lead - mean).powi(2)).sum::<f64>() / f64::from(runs - 1);
        let error = (spread / f64::from(runs)).sqrt().hypot(doubt);
        assert!((mean - truth).abs() < 3.0 * error, "{mean} ± {error} where the truth is {truth}");
    }

    #[test]
    fn every_control_has_the_mean_nothing() {
        let plan = plan("controls", 2, &["simple", "caller", "reader"]);
        let mut control_variates = ControlVariates::new(&plan).unwrap();
        let (lineups, shared) = ControlVariates::controls_of(&plan);
        let (mut sums, mut squares) = (vec![0.0; 2 * lineups + shared], vec![0.0; 2 * lineups + shared]);
        let blocks = 1_000;
        for block in 0..blocks {
            let choice = control_variates.choose(block, &[0, 1, 0, 1], &mut plan.seed().shuffler(1));
            assert!(choice.weight > 0.0 && choice.weight <= 1.0 / UNIFORM_SHARE + 0.01);
            for (at, control) in choice.controls.iter().enumerate() {
                sums[at] += control;
                squares[at] += control * control;
            }
        }
        for (sum, square) in sums.iter().zip(&squares) {
            assert!(sum.abs() < 3.5 * square.sqrt() && *square > 0.0, "{sums:?} {squares:?}");
        }
    }
}
