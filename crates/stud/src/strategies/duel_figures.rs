//! What beats each house bot at a table of two. Written by `make ladder`; do not change it by hand.

use super::ladder::{Duel, LadderFigure};

/// For each house bot who of the house takes most from it between two, and how many chips a round; if nobody takes anything, who loses
/// least.
#[rustfmt::skip]
pub(super) const DUELS: [(&str, Duel); 14] = [
    ("folder", Duel { by: "passive", chips: LadderFigure { chips: 1.0, interval: Some((1.0, 1.0)) } }),
    ("passive", Duel { by: "raiser", chips: LadderFigure { chips: 1.0, interval: Some((1.0, 1.0)) } }),
    ("caller", Duel { by: "odds", chips: LadderFigure { chips: 3.228, interval: Some((3.073, 3.386)) } }),
    ("raiser", Duel { by: "odds", chips: LadderFigure { chips: 6.689, interval: Some((6.239, 7.142)) } }),
    ("random", Duel { by: "raiser", chips: LadderFigure { chips: 79.619, interval: Some((75.611, 83.634)) } }),
    ("simple", Duel { by: "solver", chips: LadderFigure { chips: 0.452, interval: None } }),
    ("cautious", Duel { by: "shark", chips: LadderFigure { chips: 0.341, interval: None } }),
    ("bold", Duel { by: "solver", chips: LadderFigure { chips: 0.904, interval: Some((0.548, 1.33)) } }),
    ("reader", Duel { by: "shark", chips: LadderFigure { chips: 0.193, interval: None } }),
    ("spades", Duel { by: "solver", chips: LadderFigure { chips: 0.267, interval: None } }),
    ("odds", Duel { by: "solver", chips: LadderFigure { chips: 0.504, interval: None } }),
    ("bluffer", Duel { by: "spades", chips: LadderFigure { chips: 0.788, interval: Some((0.61, 0.975)) } }),
    ("shark", Duel { by: "solver", chips: LadderFigure { chips: 0.063, interval: None } }),
    ("solver", Duel { by: "shark", chips: LadderFigure { chips: -0.063, interval: None } }),
];
