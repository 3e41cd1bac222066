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
    ("passive", [figure(-0.257, -0.273, -0.240), figure(-0.878, -0.891, -0.864), figure(-1.000, -1.000, -1.000)]),
    ("caller", [figure(-1.000, -1.141, -0.860), figure(-18.816, -20.902, -16.763), figure(-112.226, -119.435, -104.894)]),
    ("raiser", [figure(2.940, 1.957, 3.951), figure(-29.581, -32.871, -26.312), figure(-98.127, -105.651, -90.480)]),
    ("random", [figure(-8.194, -9.144, -7.283), figure(-50.552, -52.694, -48.451), figure(-136.239, -140.927, -131.465)]),
    ("simple", [figure(0.242, 0.155, 0.337), figure(2.511, 1.865, 3.191), figure(16.443, 13.537, 19.745)]),
    ("cautious", [figure(0.340, 0.246, 0.441), figure(2.294, 1.609, 2.997), unsure(2.912)]),
    ("bold", [figure(0.892, 0.698, 1.090), figure(6.034, 4.615, 7.491), figure(24.626, 20.403, 29.145)]),
    ("reader", [figure(0.337, 0.238, 0.444), figure(2.807, 2.153, 3.519), figure(5.439, 3.205, 7.741)]),
    ("spades", [figure(1.045, 0.892, 1.205), figure(7.433, 6.488, 8.542), figure(20.633, 17.933, 23.640)]),
    ("odds", [figure(1.364, 1.205, 1.530), figure(10.259, 9.011, 11.631), figure(39.808, 36.019, 44.000)]),
    ("bluffer", [figure(1.158, 0.966, 1.354), figure(9.186, 7.929, 10.621), figure(36.164, 32.615, 40.028)]),
    ("shark", [figure(1.123, 0.656, 1.460), figure(31.280, 28.658, 34.097), figure(87.417, 81.013, 93.946)]),
    ("solver", [unsure(1.005), figure(29.024, 26.591, 31.618), figure(92.440, 86.202, 98.915)]),
];
