//! The charts of a rating.

use casino_analysis::rating::{BlockTally, RatingReport};

use crate::chart::{ChartError, Curve, Curves, Interval, intervals};

/// Points of a curve: more could not be told apart in the picture.
const POINTS: usize = 300;

/// The standings with their intervals, one line a bot.
pub(super) fn standings(report: &RatingReport) -> Result<String, ChartError> {
    let lines = report.standings.iter().map(|verdict| {
        let chips = verdict.chips_per_round;
        Interval { name: &verdict.name, value: chips.value, ends: chips.interval() }
    });
    intervals("chips per round, with the 95% interval", &lines.collect::<Vec<_>>())
}

/// How the averages moved as more and more rounds were played.
pub(super) fn course(report: &RatingReport, tally: &BlockTally) -> Curves<'static> {
    let seats = report.plan.seats() as f64;
    let bots = report.plan.bot_count();
    let mut curves: Vec<Vec<(f64, f64)>> = vec![Vec::new(); bots];
    let mut sums = vec![0; bots];
    let mut blocks = 0;
    let every = tally.batches().count().div_ceil(POINTS);
    for (index, (chips, more)) in tally.batches().enumerate() {
        blocks += more;
        for (bot, curve) in curves.iter_mut().enumerate() {
            sums[bot] += chips[bot];
            if (index + 1) % every == 0 || blocks == tally.blocks() {
                let rounds = (blocks * report.plan.rounds_per_block()) as f64;
                curve.push((rounds, sums[bot] as f64 / (blocks as f64 * seats)));
            }
        }
    }
    // The beginning swings too wildly to set the scale.
    let calm = |curve: &Vec<(f64, f64)>| curve[curve.len() / 10..].to_vec();
    let heights = || curves.iter().flat_map(calm).map(|(_, chips)| chips);
    let (low, high) = (heights().fold(0.0, f64::min), heights().fold(0.0, f64::max));
    let margin = ((high - low) * 0.08).max(1e-6);
    let ranked = report.standings.iter().map(|verdict| {
        let bot = report.plan.bots().iter().position(|bot| bot.name == verdict.name);
        let points = bot.map(|bot| curves[bot].clone()).unwrap_or_default();
        Curve { name: Some(verdict.name.clone()), points }
    });
    Curves {
        axes: ["rounds played", "chips per round so far"],
        across: 0.0..report.rounds as f64,
        up: low - margin..high + margin,
        curves: ranked.collect(),
        title: None,
    }
}
