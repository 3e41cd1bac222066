//! The chart of a page: the stacks over the rounds.

use casino_stud::replay::BoardRow;

use crate::chart::{Curve, Curves};

use super::data::ReportData;

/// The stacks over the rounds: those of these seats, from 1, with their names, and if wanted the others without.
pub(super) fn race(data: &ReportData, named: &[usize], others: bool) -> Curves<'static> {
    let points = data.race.points();
    let curve = |row: &BoardRow, is_named: bool| {
        let (seat, until) = (row.seat, row.left_in_round.unwrap_or(u64::MAX));
        let within = points.iter().filter(|point| point.round <= until);
        Curve {
            name: is_named.then(|| data.info.players[seat - 1].clone()),
            points: within.map(|point| (point.round as f64, f64::from(point.stacks[seat - 1]))).collect(),
        }
    };
    let in_colour = named.iter().filter_map(|seat| data.standings.iter().find(|row| row.seat == *seat));
    let grey = data.standings.iter().filter(|row| others && !named.contains(&row.seat));
    let curves: Vec<Curve> =
        in_colour.map(|row| curve(row, true)).chain(grey.map(|row| curve(row, false))).collect();
    let stacks = curves.iter().flat_map(|curve| curve.points.iter().map(|(_, stack)| *stack));
    let most = stacks.fold(1.0, f64::max);
    Curves {
        axes: ["round", "chips"],
        across: 0.0..data.last_round.max(1) as f64,
        up: 0.0..most * 1.05,
        curves,
        title: None,
    }
}
