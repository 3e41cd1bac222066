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
    ("folder", [figure(-0.995, -0.997, -0.992), figure(-1.000, -1.000, -1.000), figure(-1.000, -1.000, -1.000)]),
    ("passive", [figure(-0.257, -0.273, -0.240), figure(-0.897, -0.909, -0.884), figure(-1.000, -1.000, -1.000)]),
    ("caller", [figure(-1.000, -1.141, -0.860), figure(-16.894, -18.952, -14.867), figure(-106.609, -113.797, -99.308)]),
    ("raiser", [figure(2.940, 1.957, 3.951), figure(-25.990, -29.226, -22.792), figure(-99.225, -106.605, -91.741)]),
    ("random", [figure(-8.194, -9.144, -7.283), figure(-50.278, -52.517, -48.082), figure(-138.543, -142.842, -134.108)]),
    ("simple", [figure(0.242, 0.155, 0.337), figure(2.565, 1.937, 3.231), figure(17.005, 13.989, 20.391)]),
    ("cautious", [figure(0.340, 0.246, 0.441), figure(2.537, 1.792, 3.280), unsure(1.885)]),
    ("bold", [figure(0.892, 0.698, 1.090), figure(6.135, 4.719, 7.597), figure(23.680, 19.804, 27.718)]),
    ("reader", [figure(0.337, 0.238, 0.444), figure(2.810, 2.148, 3.592), figure(5.242, 3.088, 7.384)]),
    ("spades", [figure(1.045, 0.892, 1.205), figure(7.843, 6.924, 8.900), figure(20.572, 18.011, 23.509)]),
    ("odds", [figure(1.364, 1.205, 1.530), figure(9.903, 8.645, 11.288), figure(38.840, 35.094, 42.980)]),
    ("bluffer", [figure(1.158, 0.966, 1.354), figure(8.850, 7.645, 10.190), figure(34.918, 31.499, 38.612)]),
    ("solver", [unsure(1.005), figure(26.076, 23.784, 28.545), figure(91.681, 85.490, 98.182)]),
];
