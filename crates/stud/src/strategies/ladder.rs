//! The ladder of the house: its bots in the order of their measured strength.
//!
//! `make ladder` writes the figures to `ladder_figures.rs`: `crates/analysis/benches/ladder.rs` plays the fields. `docs/bots.md` shows them.

use std::fmt;

use super::ladder_figures::FIGURES;
use super::{HOUSE, HouseBot};

/// The numbers of seats at a table for which the house is measured.
pub const LADDER_SEATS: [usize; 3] = [2, 6, 17];

/// A house bot on the ladder.
#[derive(Clone, Copy, Debug)]
pub struct LadderRow {
    /// The house bot that stands here.
    pub bot: &'static HouseBot,
    /// Winnings in each field, in the order of [`LADDER_SEATS`].
    pub figures: [LadderFigure; 3],
}

/// A bot's winnings per round in one field, with equal deals and stacks of 500.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LadderFigure {
    /// The chips it wins.
    pub chips: f64,
    /// The ends of the 95 % interval; `None` where too few deals decided to give one.
    pub interval: Option<(f64, f64)>,
}

/// The chips and their interval, as docs/bots.md shows them.
impl fmt::Display for LadderFigure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.interval {
            Some((low, high)) => write!(f, "{:+.2} ({low:+.2} to {high:+.2})", self.chips),
            None => write!(f, "{:+.2} (–)", self.chips),
        }
    }
}

/// The house bots by winnings at tables of six, weakest first.
pub fn ladder() -> Vec<LadderRow> {
    let mut rungs: Vec<LadderRow> = HOUSE
        .iter()
        .filter_map(|bot| {
            let (_, figures) = FIGURES.iter().find(|(name, _)| *name == bot.name)?;
            Some(LadderRow { bot, figures: *figures })
        })
        .collect();
    rungs.sort_by(|one, other| one.figures[1].chips.total_cmp(&other.figures[1].chips));
    rungs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_house_bot_stands_once_on_the_ladder_and_in_order() {
        assert_eq!(FIGURES.len(), HOUSE.len());
        let rungs = ladder();
        assert_eq!(rungs.len(), HOUSE.len());
        assert!(rungs.windows(2).all(|pair| pair[0].figures[1].chips <= pair[1].figures[1].chips));
        for rung in &rungs {
            for LadderFigure { chips, interval } in rung.figures {
                let holds = interval.is_none_or(|(low, high)| low <= chips && chips <= high);
                assert!(holds, "{}: {chips}", rung.bot.name);
            }
        }
    }

    /// A bot that always folds loses its ante, except in rounds where the opponent folds first.
    #[test]
    fn the_folder_loses_its_ante() {
        for rung in ladder().into_iter().filter(|rung| rung.bot.name == "folder") {
            assert!(rung.figures.iter().all(|figure| (-1.0..-0.9).contains(&figure.chips)), "{rung:?}");
        }
    }
}
