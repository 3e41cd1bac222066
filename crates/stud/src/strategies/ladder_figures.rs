//! What the house bots win a round in the fields of docs/bots.md. Written by `make ladder`; do not change it by hand.

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
pub(super) const FIGURES: [(&str, [LadderFigure; 3]); 14] = [
    ("folder", [figure(-0.995, -0.997, -0.992), figure(-1.000, -1.000, -1.000), figure(-1.000, -1.000, -1.000)]),
    ("passive", [figure(-0.257, -0.273, -0.240), figure(-0.881, -0.894, -0.867), figure(-1.000, -1.000, -1.000)]),
    ("caller", [figure(-1.000, -1.141, -0.860), figure(-13.726, -15.515, -11.940), figure(-77.749, -83.950, -71.416)]),
    ("raiser", [figure(2.940, 1.957, 3.951), figure(-18.152, -20.926, -15.387), figure(-77.075, -83.515, -70.540)]),
    ("random", [figure(-8.194, -9.144, -7.283), figure(-47.204, -49.355, -45.082), figure(-129.417, -134.014, -124.696)]),
    ("simple", [figure(0.242, 0.155, 0.337), figure(2.605, 1.765, 3.239), figure(14.633, 12.137, 17.460)]),
    ("cautious", [figure(0.340, 0.246, 0.441), unsure(2.215), unsure(2.835)]),
    ("bold", [figure(0.892, 0.698, 1.090), figure(7.076, 5.852, 8.352), figure(27.616, 23.826, 31.583)]),
    ("reader", [figure(0.337, 0.238, 0.444), figure(2.582, 1.495, 3.373), figure(5.188, 3.117, 7.038)]),
    ("spades", [figure(1.045, 0.892, 1.205), figure(7.149, 6.329, 8.075), figure(19.620, 17.192, 22.481)]),
    ("odds", [figure(1.364, 1.205, 1.530), figure(9.112, 8.069, 10.274), figure(34.712, 31.505, 38.285)]),
    ("bluffer", [figure(1.158, 0.966, 1.354), figure(8.680, 7.648, 9.845), figure(32.927, 29.660, 36.534)]),
    ("shark", [figure(1.123, 0.656, 1.460), figure(31.654, 29.030, 34.472), figure(92.663, 86.715, 98.677)]),
    ("solver", [unsure(1.005), figure(9.891, 8.794, 11.133), figure(34.308, 31.045, 37.912)]),
];
