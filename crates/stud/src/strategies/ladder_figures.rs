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
    ("passive", [figure(-0.257, -0.273, -0.240), figure(-0.891, -0.903, -0.878), figure(-1.000, -1.000, -1.000)]),
    ("caller", [figure(-1.000, -1.141, -0.860), figure(-16.803, -18.899, -14.733), figure(-109.186, -116.340, -101.928)]),
    ("raiser", [figure(2.940, 1.957, 3.951), figure(-26.155, -29.447, -22.896), figure(-99.397, -106.986, -91.712)]),
    ("random", [figure(-8.194, -9.144, -7.283), figure(-51.290, -53.531, -49.099), figure(-133.630, -138.290, -128.897)]),
    ("simple", [figure(0.242, 0.155, 0.337), figure(2.778, 2.120, 3.502), figure(17.014, 14.060, 20.277)]),
    ("cautious", [figure(0.340, 0.246, 0.441), figure(2.424, 1.524, 3.152), unsure(2.685)]),
    ("bold", [figure(0.892, 0.698, 1.090), figure(5.895, 4.536, 7.292), figure(24.626, 20.799, 28.557)]),
    ("reader", [figure(0.337, 0.238, 0.444), figure(2.963, 2.287, 3.774), figure(5.378, 2.863, 7.592)]),
    ("spades", [figure(1.045, 0.892, 1.205), figure(7.298, 6.412, 8.303), figure(21.209, 18.564, 24.206)]),
    ("odds", [figure(1.364, 1.205, 1.530), figure(10.183, 8.940, 11.549), figure(37.374, 33.640, 41.508)]),
    ("bluffer", [figure(1.158, 0.966, 1.354), figure(8.678, 7.469, 10.025), figure(36.228, 32.666, 40.107)]),
    ("shark", [figure(1.123, 0.656, 1.460), figure(29.601, 27.067, 32.333), figure(88.040, 82.160, 94.018)]),
    ("solver", [unsure(1.005), figure(26.319, 24.059, 28.748), figure(88.085, 82.053, 94.384)]),
];
