//! The picture of `casino blackjack compare`: how many bankrolls are still alive after each hand.

use casino_sisters::blackjack::BankrollResult;

use crate::chart::{ChartError, Curve, Curves};

/// Points of a curve: more could not be told apart in the picture.
const POINTS: u32 = 400;

/// The survival curves of both players as SVG.
///
/// # Errors
/// If they cannot be drawn.
pub(super) fn survival(
    hands: u32,
    simple: &[BankrollResult],
    counting: &[BankrollResult],
) -> Result<String, ChartError> {
    let curves = [("simple", simple), ("counting", counting)].map(|(name, runs)| Curve {
        name: Some(name.to_string()),
        points: curve(hands, runs).into_iter().map(|(hands, alive)| (hands.into(), alive)).collect(),
    });
    let chart = Curves {
        axes: ["hands played", "% of bankrolls"],
        across: 0.0..hands.into(),
        up: 0.0..100.0,
        curves: curves.into(),
        title: Some("Bankrolls still alive"),
    };
    chart.draw()
}

/// (hands, percent alive after that many hands) from 0 to `hands`.
fn curve(hands: u32, runs: &[BankrollResult]) -> Vec<(u32, f64)> {
    let mut ends: Vec<u32> = runs.iter().filter(|run| run.ruined).map(|run| run.hands).collect();
    ends.sort_unstable();
    let points = POINTS.min(hands);
    (0..=points)
        .map(|point| {
            let after = u32::try_from(u64::from(hands) * u64::from(point) / u64::from(points))
                .expect("a part of the hands is no more than the hands");
            let gone = ends.partition_point(|end| *end <= after);
            (after, 100.0 * (runs.len() - gone) as f64 / runs.len() as f64)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_curve_falls_where_bankrolls_end() {
        let ended = |hands, ruined| BankrollResult { hands, won: 0, wagered: 0, ruined };
        let runs = [ended(3, true), ended(10, false), ended(10, true), ended(1, true)];
        let curve = curve(10, &runs);
        assert_eq!(curve.len(), 11);
        assert_eq!(curve[0], (0, 100.0));
        assert_eq!(curve[1], (1, 75.0));
        assert_eq!(curve[2], (2, 75.0));
        assert_eq!(curve[3], (3, 50.0));
        assert_eq!(curve[10], (10, 25.0));
        assert!(super::curve(1_000_000, &runs).len() <= 401);
    }
}
