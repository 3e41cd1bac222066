//! The next part of the event, in words for the room.

use crate::tournament::{EventPlan, FEWEST_PLAYERS};

/// So many players at as few tables as hold them, as evenly as they can be spread.
pub(super) fn tables(plan: &EventPlan, players: usize) -> String {
    let tables = players.div_ceil(plan.seats);
    let fewest = players / tables;
    match (tables, players % tables) {
        (1, _) => format!("one table of {players}"),
        (_, 0) => format!("{tables} tables of {fewest}"),
        _ => format!("{tables} tables of {fewest} or {}", fewest + 1),
    }
}

/// The same, and the next parts if there are several.
pub(super) fn tables_and(plan: &EventPlan, players: usize, then: &str) -> String {
    let tables = tables(plan, players);
    if players <= plan.seats { tables } else { tables + then }
}

/// The same, and the format's rules.
pub(super) fn tables_and_always(plan: &EventPlan, players: usize, always: &str) -> String {
    tables(plan, players) + always
}

impl EventPlan {
    /// The event of that many players by this plan, in words for the room; `None` if they are too few.
    pub fn in_words(&self, players: usize) -> Option<String> {
        if players < FEWEST_PLAYERS {
            return None;
        }
        let words = (self.format.rules().in_words)(self, players);
        Some(match self.series {
            0 | 1 => words,
            series => format!("{words}; {series} tournaments for points"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::Format;

    fn plan(format: &str, seats: usize) -> EventPlan {
        EventPlan {
            format: Format::named(format).expect("there is such a format"),
            seats,
            level_rounds: Some(100),
            antes: Vec::new(),
            series: 1,
            late_entry: None,
        }
    }

    #[test]
    fn every_format_and_size_has_a_description() {
        assert_eq!(EventPlan::single_table().in_words(4).as_deref(), Some("one table of 4"));
        assert_eq!(EventPlan::single_table().in_words(1), None);
        let says = |format: &str, players| plan(format, 8).in_words(players).unwrap_or_default();
        assert_eq!(says("freezeout", 32), "4 tables of 8, then the last table");
        assert_eq!(says("freezeout", 30), "4 tables of 7 or 8, then the last table");
        assert_eq!(says("freezeout", 8), "one table of 8");
        assert_eq!(says("swiss", 9), "2 tables of 4 or 5 in each of 4 levels; those with like points meet");
        assert_eq!(says("equal-deals", 6), "one table of 6; each deck is played once from every seat");
        assert_eq!(says("freezeout", 1), "");
        let series = EventPlan { series: 3, ..plan("freezeout", 8) };
        assert_eq!(series.in_words(8).as_deref(), Some("one table of 8; 3 tournaments for points"));
    }
}
