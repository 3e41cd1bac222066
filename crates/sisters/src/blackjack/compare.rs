//! Statistics of a player over many bankrolls: return, ruin and survival, each with its interval.

use serde::Serialize;

use super::cuts::Cut;
use super::game::{CutsRanOut, Game, MINIMUM_BET};
use super::player::BlackjackPlayer;

/// The two-sided 95% point of the normal distribution.
const Z: f64 = 1.959_963_984_540_054;

/// The result of one bankroll.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BankrollResult {
    /// The number of hands played.
    pub hands: u32,
    /// Chips won over all hands; negative if chips were lost.
    pub won: i64,
    /// Chips wagered over all hands.
    pub wagered: u64,
    /// Whether the bankroll ended below the minimum bet.
    pub ruined: bool,
}

/// Plays one bankroll, in chips, for up to `hands` hands, without a transcript.
///
/// # Errors
/// [`CutsRanOut`] if a shuffle finds no cut left.
pub fn run(
    bankroll: u32,
    hands: u32,
    player: impl BlackjackPlayer,
    cuts: impl Iterator<Item = Cut>,
) -> Result<BankrollResult, CutsRanOut> {
    let mut game = Game::open(bankroll, player, cuts, &mut |_| ())?;
    let mut wagered = 0;
    while game.can_go_on() && game.hands_played() < hands {
        wagered += u64::from(game.hand(&mut |_| ())?.wager);
    }
    Ok(BankrollResult {
        hands: game.hands_played(),
        won: i64::from(game.bankroll()) - i64::from(bankroll),
        wagered,
        ruined: game.bankroll() < MINIMUM_BET,
    })
}

/// An estimate with its 95% interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct BankrollEstimate {
    /// The estimated value.
    pub value: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

impl BankrollEstimate {
    fn around(value: f64, error: f64) -> BankrollEstimate {
        BankrollEstimate { value, low: value - Z * error, high: value + Z * error }
    }

    /// A share of `all`, by Wilson's interval, which stays between 0 and 1 and is no point at either.
    fn share(hits: usize, all: usize) -> BankrollEstimate {
        let n = all as f64;
        let value = hits as f64 / n;
        let middle = (value + Z * Z / (2.0 * n)) / (1.0 + Z * Z / n);
        let half = Z / (1.0 + Z * Z / n) * (value * (1.0 - value) / n + Z * Z / (4.0 * n * n)).sqrt();
        // The ends meet 0 and 1 exactly on paper; rounding must not show there.
        let low = if hits == 0 { 0.0 } else { middle - half };
        let high = if hits == all { 1.0 } else { middle + half };
        BankrollEstimate { value, low, high }
    }

    fn mean(values: impl Iterator<Item = f64> + Clone) -> BankrollEstimate {
        let n = values.clone().count() as f64;
        let mean = values.clone().sum::<f64>() / n;
        let squares = values.map(|value| (value - mean).powi(2)).sum::<f64>();
        BankrollEstimate::around(mean, (squares / (n - 1.0) / n).sqrt())
    }
}

/// One player over many bankrolls.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct BankrollSummary {
    /// How many bankrolls were played.
    pub bankrolls: usize,
    /// The number of hands over all bankrolls.
    pub hands: u64,
    /// Chips won for each hand played.
    pub return_per_hand: BankrollEstimate,
    /// Chips won for each chip wagered.
    pub return_per_chip: BankrollEstimate,
    /// The share of bankrolls that ended below the minimum bet.
    pub ruin: BankrollEstimate,
    /// The mean number of hands that a bankroll lasted, with the number asked for as the most.
    pub hands_survived: BankrollEstimate,
}

impl BankrollSummary {
    /// Summarises two or more runs. The returns are ratios of sums. The hands of one bankroll are not independent, so
    /// errors are taken between bankrolls and not between hands.
    ///
    /// # Panics
    /// If there are fewer than two runs, which give no interval.
    pub fn of(runs: &[BankrollResult]) -> BankrollSummary {
        assert!(runs.len() >= 2, "an interval takes two runs");
        let hands = runs.iter().map(|run| u64::from(run.hands)).sum();
        let ruined = runs.iter().filter(|run| run.ruined).count();
        BankrollSummary {
            bankrolls: runs.len(),
            hands,
            return_per_hand: Ratio::of(runs, |run| f64::from(run.hands)).estimate(),
            return_per_chip: Ratio::of(runs, |run| run.wagered as f64).estimate(),
            ruin: BankrollEstimate::share(ruined, runs.len()),
            hands_survived: BankrollEstimate::mean(runs.iter().map(|run| f64::from(run.hands))),
        }
    }
}

/// How much more the second of two players wins with the same cuts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PairedDifference {
    /// Chips won for each hand played.
    pub return_per_hand: BankrollEstimate,
    /// Chips won for each chip wagered.
    pub return_per_chip: BankrollEstimate,
    /// The mean number of hands that a bankroll lasted.
    pub hands_survived: BankrollEstimate,
}

impl PairedDifference {
    /// The second player's figures minus the first's. Bankrolls of the same number are compared, so that the luck of the
    /// cuts cancels out.
    ///
    /// # Panics
    /// If the two have not equally many runs, or fewer than two.
    pub fn between(first: &[BankrollResult], second: &[BankrollResult]) -> PairedDifference {
        assert!(first.len() == second.len() && first.len() >= 2, "runs are compared in pairs, two at least");
        let hands = |run: &BankrollResult| f64::from(run.hands);
        let chips = |run: &BankrollResult| run.wagered as f64;
        let survived = first.iter().zip(second).map(|(a, b)| hands(b) - hands(a));
        PairedDifference {
            return_per_hand: Ratio::of(second, hands).minus(&Ratio::of(first, hands)),
            return_per_chip: Ratio::of(second, chips).minus(&Ratio::of(first, chips)),
            hands_survived: BankrollEstimate::mean(survived),
        }
    }
}

/// The ratio of chips won to a measure, and the deviation of each run from it in units of the ratio.
struct Ratio {
    value: f64,
    residuals: Vec<f64>,
}

impl Ratio {
    fn of(runs: &[BankrollResult], measure: impl Fn(&BankrollResult) -> f64) -> Ratio {
        let sum: f64 = runs.iter().map(&measure).sum();
        // All bankrolls begin alike: if one is below the minimum and plays no hand, none does.
        if sum == 0.0 {
            return Ratio { value: 0.0, residuals: vec![0.0; runs.len()] };
        }
        let value = runs.iter().map(|run| run.won as f64).sum::<f64>() / sum;
        let mean = sum / runs.len() as f64;
        let residuals = runs.iter().map(|run| (run.won as f64 - value * measure(run)) / mean).collect();
        Ratio { value, residuals }
    }

    fn estimate(&self) -> BankrollEstimate {
        BankrollEstimate::around(self.value, error(self.residuals.iter().copied()))
    }

    fn minus(&self, other: &Ratio) -> BankrollEstimate {
        let pairs = self.residuals.iter().zip(&other.residuals);
        BankrollEstimate::around(self.value - other.value, error(pairs.map(|(mine, theirs)| mine - theirs)))
    }
}

/// The standard error of a mean whose residuals sum to 0.
fn error(residuals: impl ExactSizeIterator<Item = f64>) -> f64 {
    let n = residuals.len() as f64;
    (residuals.map(|residual| residual * residual).sum::<f64>() / (n - 1.0) / n).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blackjack::{Counting, SeededCuts, Simple};
    use casino_stud::cards::Seed;

    fn near(value: f64, wanted: f64) -> bool {
        (value - wanted).abs() < 5e-4
    }

    #[test]
    fn figures_worked_out_by_hand() {
        let runs = [
            BankrollResult { hands: 10, won: -5, wagered: 50, ruined: false },
            BankrollResult { hands: 30, won: -15, wagered: 200, ruined: true },
            BankrollResult { hands: 20, won: 20, wagered: 100, ruined: false },
            BankrollResult { hands: 20, won: -20, wagered: 100, ruined: false },
        ];
        let summary = BankrollSummary::of(&runs);
        assert_eq!(summary.hands, 80);
        assert_eq!(summary.return_per_hand.value, -0.25);
        // Residuals -2.5 -7.5 25 -15 over a mean of 20 hands: sqrt(912.5 / 3 / 4) / 20 = 0.436.
        assert!(near(summary.return_per_hand.high, -0.25 + 1.96 * 0.43601), "{summary:?}");
        assert!(near(summary.return_per_chip.value, -20.0 / 450.0));
        assert_eq!(summary.hands_survived.value, 20.0);
        // Standard deviation sqrt(200 / 3), over the root of 4.
        assert!(near(summary.hands_survived.low, 20.0 - 1.959_964 * 4.082_483), "{summary:?}");
        // Wilson's interval for 1 of 4.
        assert!(near(summary.ruin.low, 0.0456) && near(summary.ruin.high, 0.6994), "{summary:?}");
        let same = PairedDifference::between(&runs, &runs);
        assert_eq!(same.return_per_hand, BankrollEstimate { value: 0.0, low: 0.0, high: 0.0 });
    }

    #[test]
    fn nobody_ruined_still_leaves_room_for_doubt() {
        let none = BankrollEstimate::share(0, 100);
        assert_eq!((none.value, none.low), (0.0, 0.0));
        assert!(near(none.high, 0.0370), "{none:?}");
        let all = BankrollEstimate::share(100, 100);
        assert!(near(all.low, 0.9630) && all.high == 1.0, "{all:?}");
    }

    /// The intervals are as wide as they say: of 400 samples of 100 bankrolls about 95% hold the figure of
    /// all of them together. The seed is fixed, so this is a calculation, not luck.
    #[test]
    fn intervals_hold_the_truth_as_often_as_they_promise() {
        let seed = Seed::chosen("coverage");
        let runs: Vec<BankrollResult> = (0..40_000)
            .map(|game| run(40, 80, Counting::default(), SeededCuts::numbered(&seed, game)).unwrap())
            .collect();
        let all = BankrollSummary::of(&runs);
        let holds = |pick: fn(&BankrollSummary) -> BankrollEstimate| {
            let truth = pick(&all).value;
            let held = runs.chunks(100).filter(|part| {
                let part = pick(&BankrollSummary::of(part));
                part.low <= truth && truth <= part.high
            });
            held.count()
        };
        for (held, name) in [
            (holds(|s| s.return_per_hand), "per hand"),
            (holds(|s| s.return_per_chip), "per chip"),
            (holds(|s| s.hands_survived), "survived"),
            (holds(|s| s.ruin), "ruin"),
        ] {
            assert!((368..=392).contains(&held), "{name}: {held} of 400");
        }
    }

    #[test]
    fn a_run_agrees_with_the_game_it_plays() {
        let seed = Seed::chosen("agree");
        let quiet = run(50, 1_000, Simple, SeededCuts::new(&seed)).unwrap();
        let closing = crate::blackjack::play(50, 1_000, Simple, SeededCuts::new(&seed), |_| ()).unwrap();
        assert_eq!(quiet.hands, closing.hands);
        assert_eq!(quiet.won, i64::from(closing.bankroll) - 50);
        assert_eq!(quiet.wagered, 5 * u64::from(closing.hands));
        assert_eq!(quiet.ruined, closing.bankroll < 5);
    }
}
