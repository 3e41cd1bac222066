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
    ("passive", [figure(-0.226, -0.242, -0.210), figure(-0.881, -0.894, -0.867), figure(-1.000, -1.000, -1.000)]),
    ("caller", [figure(-1.059, -1.200, -0.918), figure(-13.726, -15.515, -11.940), figure(-77.749, -83.950, -71.416)]),
    ("raiser", [figure(0.834, -0.543, 2.165), figure(-18.152, -20.926, -15.387), figure(-77.075, -83.515, -70.540)]),
    ("random", [figure(-9.525, -10.558, -8.556), figure(-47.204, -49.355, -45.082), figure(-129.417, -134.014, -124.696)]),
    ("simple", [figure(0.251, 0.165, 0.345), figure(2.605, 2.052, 3.239), figure(14.633, 12.137, 17.460)]),
    ("cautious", [figure(0.334, 0.240, 0.435), figure(2.215, 1.763, 2.771), figure(2.835, 1.494, 4.411)]),
    ("bold", [figure(0.924, 0.727, 1.123), figure(7.076, 5.852, 8.352), figure(27.616, 23.826, 31.583)]),
    ("reader", [figure(0.365, 0.264, 0.473), figure(2.582, 1.495, 3.373), figure(5.188, 3.709, 7.038)]),
    ("spades", [figure(1.045, 0.895, 1.202), figure(7.149, 6.329, 8.075), figure(19.620, 17.192, 22.481)]),
    ("odds", [figure(1.399, 1.235, 1.569), figure(9.112, 8.069, 10.274), figure(34.712, 31.505, 38.285)]),
    ("bluffer", [figure(1.038, 0.847, 1.234), figure(8.680, 7.648, 9.845), figure(32.927, 29.660, 36.534)]),
    ("shark", [figure(4.189, 3.383, 5.168), figure(31.654, 29.030, 34.472), figure(92.663, 86.715, 98.677)]),
    ("solver", [figure(1.430, 0.997, 1.967), figure(9.891, 8.794, 11.133), figure(34.308, 31.045, 37.912)]),
];
