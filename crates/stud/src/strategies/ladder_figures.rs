//! Winnings per round of the house bots in the fields of docs/bots.md. Written by `make ladder`; do not edit.

use super::ladder::LadderFigure;

const fn figure(chips: f64, low: f64, high: f64) -> LadderFigure {
    LadderFigure { chips, interval: Some((low, high)) }
}

/// Where too few deals decided for an interval.
#[allow(dead_code, reason = "perhaps there is none")]
const fn unsure(chips: f64) -> LadderFigure {
    LadderFigure { chips, interval: None }
}

/// For each house bot its figures at tables of 2, 6 and 17 seats.
#[rustfmt::skip]
pub(super) const FIGURES: [(&str, [LadderFigure; 3]); 13] = [
    ("folder", [figure(-0.993, -0.995, -0.990), figure(-1.000, -1.000, -1.000), figure(-1.000, -1.000, -1.000)]),
    ("passive", [figure(-0.248, -0.264, -0.233), figure(-0.893, -0.904, -0.880), figure(-1.000, -1.000, -1.000)]),
    ("caller", [figure(-1.092, -1.235, -0.949), figure(-10.262, -12.023, -8.496), figure(-74.593, -81.572, -67.379)]),
    ("raiser", [figure(3.617, 2.661, 4.616), figure(-14.803, -17.530, -12.077), figure(-77.639, -84.173, -71.001)]),
    ("random", [figure(-8.449, -9.410, -7.537), figure(-47.808, -49.814, -45.820), figure(-127.569, -131.672, -123.391)]),
    ("simple", [figure(0.330, 0.239, 0.431), figure(3.034, 2.411, 3.738), figure(15.777, 12.982, 18.813)]),
    ("cautious", [figure(0.464, 0.372, 0.565), unsure(2.325), unsure(3.483)]),
    ("bold", [figure(0.994, 0.812, 1.180), figure(9.068, 7.696, 10.518), figure(23.653, 19.855, 27.675)]),
    ("reader", [figure(0.487, 0.383, 0.599), figure(2.944, 2.325, 3.699), figure(5.750, 3.909, 7.715)]),
    ("spades", [figure(1.184, 1.033, 1.343), figure(7.646, 6.817, 8.581), figure(20.521, 17.884, 23.531)]),
    ("odds", [figure(1.405, 1.250, 1.565), figure(9.541, 8.543, 10.626), figure(35.919, 32.666, 39.418)]),
    ("bluffer", [figure(1.244, 1.054, 1.437), figure(10.231, 9.112, 11.471), figure(33.891, 30.729, 37.319)]),
    ("solver", [unsure(1.057), figure(29.978, 27.584, 32.551), figure(93.411, 87.282, 99.762)]),
];
