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
    ("folder", [figure(-0.997, -0.999, -0.995), figure(-1.000, -1.000, -1.000), figure(-1.000, -1.000, -1.000)]),
    ("passive", [figure(-0.227, -0.243, -0.211), figure(-0.881, -0.894, -0.867), figure(-1.000, -1.000, -1.000)]),
    ("caller", [figure(-1.056, -1.197, -0.915), figure(-13.726, -15.515, -11.940), figure(-77.749, -83.950, -71.416)]),
    ("raiser", [figure(1.230, -0.103, 2.526), figure(-18.152, -20.926, -15.387), figure(-77.075, -83.515, -70.540)]),
    ("random", [figure(-9.492, -10.523, -8.523), figure(-47.204, -49.355, -45.082), figure(-129.417, -134.014, -124.696)]),
    ("simple", [figure(0.252, 0.166, 0.346), figure(2.605, 1.765, 3.239), figure(14.633, 12.137, 17.460)]),
    ("cautious", [figure(0.334, 0.240, 0.436), unsure(2.215), unsure(2.835)]),
    ("bold", [figure(0.924, 0.728, 1.124), figure(7.076, 5.852, 8.352), figure(27.616, 23.826, 31.583)]),
    ("reader", [figure(0.363, 0.263, 0.472), figure(2.582, 1.495, 3.373), figure(5.188, 3.117, 7.038)]),
    ("spades", [figure(1.038, 0.889, 1.195), figure(7.149, 6.329, 8.075), figure(19.620, 17.192, 22.481)]),
    ("odds", [figure(1.393, 1.230, 1.563), figure(9.112, 8.069, 10.274), figure(34.712, 31.505, 38.285)]),
    ("bluffer", [figure(1.038, 0.846, 1.233), figure(8.680, 7.648, 9.845), figure(32.927, 29.660, 36.534)]),
    ("shark", [figure(4.186, 3.380, 5.165), figure(31.654, 29.030, 34.472), figure(92.663, 86.715, 98.677)]),
    ("solver", [unsure(1.012), figure(9.891, 8.794, 11.133), figure(34.308, 31.045, 37.912)]),
];
