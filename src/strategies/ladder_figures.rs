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
    ("folder", [figure(-0.997, -0.999, -0.994), figure(-1.000, -1.000, -1.000), figure(-1.000, -1.000, -1.000)]),
    ("passive", [figure(-0.226, -0.242, -0.210), figure(-0.865, -0.879, -0.850), figure(-1.000, -1.000, -1.000)]),
    ("caller", [figure(-0.958, -1.099, -0.817), figure(-13.649, -15.542, -11.765), figure(-86.811, -95.357, -77.970)]),
    ("raiser", [figure(0.317, -1.125, 1.705), figure(-20.986, -24.147, -17.813), figure(-84.330, -93.366, -75.081)]),
    ("random", [figure(-9.037, -10.032, -8.104), figure(-47.815, -49.896, -45.771), figure(-146.589, -151.343, -141.694)]),
    ("simple", [figure(0.235, 0.148, 0.330), figure(2.811, 2.177, 3.538), figure(20.426, 17.073, 24.131)]),
    ("cautious", [figure(0.341, 0.248, 0.441), figure(2.562, 1.224, 3.484), figure(2.359, 1.050, 4.077)]),
    ("bold", [figure(0.969, 0.775, 1.167), figure(8.480, 6.972, 10.080), figure(30.653, 25.788, 35.637)]),
    ("reader", [figure(0.361, 0.262, 0.468), figure(2.927, 2.337, 3.675), figure(6.811, 4.647, 9.476)]),
    ("spades", [figure(1.097, 0.945, 1.258), figure(8.076, 7.130, 9.179), figure(23.639, 20.600, 27.059)]),
    ("odds", [figure(1.361, 1.196, 1.531), figure(10.337, 9.120, 11.712), figure(49.849, 45.314, 54.835)]),
    ("bluffer", [figure(1.062, 0.868, 1.259), figure(9.166, 8.066, 10.418), figure(43.520, 39.246, 48.178)]),
    ("shark", [figure(3.300, 2.513, 4.249), figure(29.451, 26.598, 32.465), figure(63.440, 54.630, 72.317)]),
    ("solver", [figure(2.175, 1.570, 2.939), figure(10.506, 9.359, 11.790), figure(49.047, 44.740, 53.669)]),
];
