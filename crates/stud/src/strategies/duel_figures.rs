//! What beats each house bot at a table of two. Written by `make ladder`; do not change it by hand.

use super::ladder::{Duel, LadderFigure};

/// For each house bot who of the house takes most from it between two, and how many chips a round; if nobody takes anything, who loses
/// least.
#[rustfmt::skip]
pub(super) const DUELS: [(&str, Duel); 14] = [
    ("folder", Duel { by: "passive", chips: LadderFigure { chips: 1.0, interval: Some((1.0, 1.0)) } }),
    ("passive", Duel { by: "raiser", chips: LadderFigure { chips: 1.0, interval: Some((1.0, 1.0)) } }),
    ("caller", Duel { by: "odds", chips: LadderFigure { chips: 3.228, interval: Some((3.073, 3.386)) } }),
    ("raiser", Duel { by: "shark", chips: LadderFigure { chips: 38.382, interval: Some((33.17, 44.09)) } }),
    ("random", Duel { by: "raiser", chips: LadderFigure { chips: 79.619, interval: Some((75.611, 83.634)) } }),
    ("simple", Duel { by: "solver", chips: LadderFigure { chips: 0.452, interval: None } }),
    ("cautious", Duel { by: "solver", chips: LadderFigure { chips: 0.314, interval: None } }),
    ("bold", Duel { by: "shark", chips: LadderFigure { chips: 1.261, interval: Some((0.967, 1.602)) } }),
    ("reader", Duel { by: "solver", chips: LadderFigure { chips: 0.191, interval: None } }),
    ("spades", Duel { by: "shark", chips: LadderFigure { chips: 0.469, interval: Some((0.247, 0.734)) } }),
    ("odds", Duel { by: "shark", chips: LadderFigure { chips: 0.777, interval: Some((0.567, 0.995)) } }),
    ("bluffer", Duel { by: "shark", chips: LadderFigure { chips: 1.275, interval: Some((1.011, 1.568)) } }),
    ("shark", Duel { by: "solver", chips: LadderFigure { chips: 0.358, interval: None } }),
    ("solver", Duel { by: "reader", chips: LadderFigure { chips: -0.191, interval: None } }),
];
